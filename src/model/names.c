// names.c - names of items: sorted, without doubles, and looked up from the inside of a sub-model
//
// An item that could not be read keeps its name, so that those who refer to it are not blamed.
#include <stdlib.h>
#include <string.h>

#include "model/names.h"

#define NAME_BYTES_MAX 200

// beyond this many wrong names, what may have been meant is no longer looked for
#define SUGGESTIONS_MAX 100

static int compare(const void *a, const void *b) {
    const CdName *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

static CdStatus collect(CdModel *m) {
    const size_t n = m->items.n + m->refused.n;
    CdName *names = CD_TAKE(&m->arena, CdName, n);
    if (!names) return CD_NOMEM;
    for (size_t i = 0; i < m->items.n; i++) {
        CdItem *item = m->items.v[i];
        const CdPlace at = cdi_object_place(item->object, NULL);
        names[i] = (CdName){cdi_item_name(item), item, at.file, at.line, at.col, (int)i};
    }
    memcpy(names + m->items.n, m->refused.v ? m->refused.v : names,
           m->refused.n * sizeof *names); // not from NULL
    for (size_t i = m->items.n; i < n; i++) names[i].order = (int)i;
    qsort(names, n, sizeof *names, compare);
    m->names = names;
    m->nnames = n;
    return CD_OK;
}

static CdStatus check_name(CdItem *item) {
    const char *name = cdi_item_name(item);
    const size_t n = strlen(name);
    if (n == 0) return cdi_item_complain(item, NULL, "needs a name; write \"name\": \"...\"");
    if (n > NAME_BYTES_MAX) {
        return cdi_item_complain(item, "name", "is %zu bytes long; at most %d are allowed", n,
                                 NAME_BYTES_MAX);
    }
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == '"') {
            return cdi_item_complain(item, "name", "must not hold quotes or control characters");
        }
    }
    return CD_OK;
}

// two of one name: told at the later one
static CdStatus report_double(const CdModel *m, const CdName *first, const CdName *second) {
    const CdPlace place = {.file = second->file,
                           .line = second->line,
                           .col = second->col,
                           .item_class = second->item ? second->item->cls->desc.name : NULL,
                           .item_name = second->text};
    if (first->item == m->items.v[0]) {
        return cdi_fail_at(m->ctx, CD_INVALID, &place,
                           "the name is taken; the ground is part of every model");
    }
    if (first->line == 0) return cdi_fail_at(m->ctx, CD_INVALID, &place, "the name is taken");
    if (cdi_equal(first->file, second->file)) {
        return cdi_fail_at(m->ctx, CD_INVALID, &place,
                           "the name is taken by the item in line %d; choose another", first->line);
    }
    return cdi_fail_at(m->ctx, CD_INVALID, &place,
                       "the name is taken by the item in %s:%d; give an Include a prefix",
                       first->file ? first->file : "the model", first->line);
}

// by place: lines of one file, else the order in which they came
static bool is_before(const CdName *a, const CdName *b) {
    if (cdi_equal(a->file, b->file) && a->line != b->line) return a->line < b->line;
    return a->order < b->order;
}

CdStatus cdi_names_sort(CdModel *m) {
    CdStatus status = CD_OK;
    CD_TRY(collect(m));
    for (size_t i = 0; i < m->items.n; i++) CD_COLLECT(status, check_name(m->items.v[i]));
    for (size_t i = 1; i < m->nnames; i++) {
        const CdName *a = &m->names[i - 1], *b = &m->names[i];
        if (*a->text == 0 || strcmp(a->text, b->text) != 0) continue;
        const bool ordered = is_before(a, b);
        status = report_double(m, ordered ? a : b, ordered ? b : a);
    }
    return status;
}

const CdName *cdi_names_find(const CdModel *m, const char *text) {
    size_t lo = 0, hi = m->nnames;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (strcmp(m->names[mid].text, text) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < m->nnames && strcmp(m->names[lo].text, text) == 0 ? &m->names[lo] : NULL;
}

CdStatus cdi_names_lookup(CdModel *m, const CdScope *scope, const char *name,
                          const CdName **found) {
    CdText full;
    cdi_text_init(&full, m->ctx);
    *found = NULL;
    for (; scope && !*found && full.status == CD_OK; scope = scope->outer) {
        cdi_text_clear(&full);
        cdi_text_add(&full, scope->prefix);
        cdi_text_add(&full, name);
        if (full.status == CD_OK) *found = cdi_names_find(m, full.v);
    }
    const CdStatus status = full.status;
    cdi_text_free(&full);
    return status;
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

bool cdi_names_lost(const CdModel *m, const CdScope *scope, const char *name) {
    for (size_t i = 0; i < m->lost.n; i++) {
        const char *prefix = m->lost.v[i];
        for (const CdScope *s = scope; s; s = s->outer) {
            if (!starts_with(prefix, s->prefix)) continue;
            if (starts_with(name, prefix + strlen(s->prefix))) return true;
        }
    }
    return false;
}

// as it would be written inside the scope
static const char *inside(const CdScope *scope, const char *name) {
    return starts_with(name, scope->prefix) ? name + strlen(scope->prefix) : name;
}

CdStatus cdi_names_unknown(CdModel *m, const CdItem *item, const CdField *f, const char *name) {
    CdSuggestion s = {.word = name};
    const bool look = m->suggested++ < SUGGESTIONS_MAX;
    for (size_t i = 0; look && i < m->items.n; i++) {
        const CdItem *other = m->items.v[i];
        if (strcmp(cdi_category_names[other->cls->category], f->target) != 0) continue;
        cdi_suggest_from(&s, inside(item->scope, cdi_item_name(other)));
    }
    for (size_t i = 0; look && i < m->refused.n; i++) {
        cdi_suggest_from(&s, inside(item->scope, m->refused.v[i].text));
    }
    return cdi_item_complain(item, f->name, "there is no %s '%s'%s%s%s", f->target, name,
                             s.name ? "; did you mean '" : "", s.name ? s.name : "",
                             s.name ? "'?" : "");
}
