// report.c - messages of a reading, held back and then told in the order of lines
//
// Files keep the order in which they came up, the model's own first. What cannot be held for lack
// of memory is told at once.
#include "model/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static CdStatus copy(CdReport *r, const char *text, const char **out) {
    *out = text ? cdi_arena_strndup(&r->arena, text, strlen(text)) : NULL;
    return text && !*out ? CD_NOMEM : CD_OK;
}

static CdStatus file_number(CdReport *r, const char *file, int *number) {
    const char *name = file ? file : "";
    size_t i = 0;
    *number = 0;
    if (cdi_equal(file, r->first)) return CD_OK;
    while (i < r->files.n && strcmp(r->files.v[i], name) != 0) i++;
    *number = (int)i + 1;
    if (i < r->files.n) return CD_OK;
    CD_TRY(copy(r, name, &name));
    return CD_PUSH(r->ctx, r->files, name);
}

static CdStatus hold(CdReport *r, const CdMessage *m) {
    CdHeldMessage h = {.message = *m, .order = (int)r->held.n};
    CD_TRY(copy(r, m->text, &h.message.text));
    CD_TRY(copy(r, m->place.file, &h.message.place.file));
    CD_TRY(copy(r, m->place.item_class, &h.message.place.item_class));
    CD_TRY(copy(r, m->place.item_name, &h.message.place.item_name));
    CD_TRY(copy(r, m->place.field, &h.message.place.field));
    CD_TRY(file_number(r, m->place.file, &h.file));
    return CD_PUSH(r->ctx, r->held, h);
}

static void receive(void *user, const CdMessage *m) {
    CdReport *r = user;
    if (r->held.n >= CD_REPORT_MAX) {
        r->dropped++;
    } else if (hold(r, m) != CD_OK && r->sink) {
        r->sink(r->user, m);
    }
}

void cdi_report_begin(CdReport *r, CdContext *ctx, const char *file) {
    *r = (CdReport){.ctx = ctx, .first = file};
    r->sink = cdi_context_sink(ctx, &r->user);
    cdi_arena_init(&r->arena, ctx, 0);
    cd_context_set_sink(ctx, receive, r);
}

static int sign(int a, int b) {
    return (a > b) - (a < b);
}

static int compare(const void *a, const void *b) {
    const CdHeldMessage *x = a, *y = b;
    int order = sign(x->file, y->file);
    if (order == 0) order = sign(x->message.place.line, y->message.place.line);
    if (order == 0) order = sign(x->message.place.col, y->message.place.col);
    return order != 0 ? order : sign(x->order, y->order);
}

void cdi_report_end(CdReport *r) {
    cd_context_set_sink(r->ctx, r->sink, r->user);
    if (r->held.n > 0) qsort(r->held.v, r->held.n, sizeof *r->held.v, compare);
    for (size_t i = 0; r->sink && i < r->held.n; i++) r->sink(r->user, &r->held.v[i].message);
    if (r->dropped > 0) {
        cdi_fail(r->ctx, CD_INVALID, "and %zu more mistakes, which are not told one by one",
                 r->dropped);
    }
    cdi_array_free(r->ctx, &r->held.any);
    cdi_array_free(r->ctx, &r->files.any);
    cdi_arena_clear(&r->arena);
}
