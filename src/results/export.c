// export.c - what all formats share: finding the format, pulling rows, names that a format allows
#include "results/export.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"

#define EXPORT(name) extern const CdExportClass cd_export_##name;
#include "results/exports.def"
#undef EXPORT

const CdExportClass *const cd_exports[] = {
#define EXPORT(name) &cd_export_##name,
#include "results/exports.def"
#undef EXPORT
    NULL};

#define SUFFIX_MAX 16 // letters of "_2" and the like

// ---- formats

// by the usual extension, or by the name of the format
static bool fits_path(const CdExportClass *c, const char *path) {
    const char *dot = strrchr(path, '.');
    return cdi_ends_with(path, c->extension) ||
           (dot && dot > path && strcmp(dot + 1, c->name) == 0);
}

static CdStatus unknown_format(CdContext *ctx, const char *name, const char *path) {
    CdText list;
    CdSuggestion s = {.word = name};
    cdi_text_init(&list, ctx);
    for (const CdExportClass *const *c = cd_exports; *c; c++) {
        cdi_text_addf(&list, "%s%s%s", list.n ? ", " : "", name ? "" : ".",
                      name ? (*c)->name : (*c)->extension + 1);
        if (name) cdi_suggest_from(&s, (*c)->name);
    }
    const char *words = list.v ? list.v : "";
    CdStatus status = CD_NOTFOUND;
    if (list.status != CD_OK) {
        status = cdi_fail(ctx, CD_NOMEM, "out of memory");
    } else if (name && s.name) {
        cdi_fail(ctx, status, "there is no format '%s'; did you mean '%s'?", name, s.name);
    } else if (name) {
        cdi_fail(ctx, status, "there is no format '%s'; there are %s", name, words);
    } else {
        cdi_fail(ctx, status, "the name '%s' tells no format; end it with one of %s, or name it",
                 path, words);
    }
    cdi_text_free(&list);
    return status;
}

CdStatus cdi_export_class(CdContext *ctx, const char *name, const char *path,
                          const CdExportClass **cls) {
    for (const CdExportClass *const *c = cd_exports; *c; c++) {
        *cls = *c;
        if (name ? strcmp((*c)->name, name) == 0 : fits_path(*c, path)) return CD_OK;
    }
    return unknown_format(ctx, name, path);
}

// ---- names

const char *cdi_export_name(const CdExport *e, int column) {
    return column == 0 ? "t" : e->table->channels[column - 1].name;
}

const char *cdi_export_unit(const CdExport *e, int column) {
    return column == 0 ? "s" : e->table->channels[column - 1].unit;
}

// names that are taken, in a table of a power of two places of which half stay empty
typedef struct Taken {
    const char **v;
    size_t mask;
} Taken;

// false: it was taken before
static bool take(Taken *t, const char *name) {
    size_t at = (size_t)cdi_hash(CD_HASH_BEGIN, name, strlen(name)) & t->mask;
    while (t->v[at] && strcmp(t->v[at], name) != 0) at = (at + 1) & t->mask;
    if (t->v[at]) return false;
    t->v[at] = name;
    return true;
}

// the name with what is not allowed replaced, at most n bytes of it
static void clean(const char *name, CdKeyLetter *allowed, size_t n, char *key) {
    const char *c = name, *end = name + cdi_utf8_cut(name, n - 1);
    size_t at = 0;
    if (c == end || !allowed(*c, true)) key[at++] = allowed('_', true) ? '_' : 'x';
    // what may not stand anywhere is already replaced
    if (c < end && !allowed(*c, false)) c += cdi_utf8_size(c, end) > 0 ? cdi_utf8_size(c, end) : 1;
    while (c < end) {
        const size_t size = cdi_utf8_size(c, end);
        key[at++] = size > 0 && allowed(*c, false) ? *c : '_';
        for (size_t i = 1; i < size && allowed(*c, false); i++) key[at++] = c[i];
        c += size > 0 ? size : 1;
    }
    key[at] = 0;
}

static CdStatus make_key(CdExport *e, Taken *taken, const char *name, CdKeyLetter *allowed,
                         size_t max, const char **key) {
    char *text = cdi_arena_alloc(&e->arena, max + 1, 1);
    if (!text) return CD_NOMEM;
    clean(name, allowed, max, text);
    for (long i = 2; !take(taken, text); i++) {
        char suffix[SUFFIX_MAX];
        const size_t n = (size_t)snprintf(suffix, sizeof suffix, "_%ld", i);
        clean(name, allowed, max - n, text);
        memcpy(text + strlen(text), suffix, n + 1);
    }
    *key = text;
    return CD_OK;
}

CdStatus cdi_export_keys(CdExport *e, CdKeyLetter *allowed, size_t max, const char *const *reserved,
                         const char ***keys) {
    const size_t n = (size_t)e->table->n + 1;
    size_t nreserved = 0, places = 8;
    while (reserved[nreserved]) nreserved++;
    while (places < 2 * (n + nreserved)) places *= 2;
    Taken taken = {CD_TAKE(&e->arena, const char *, places), places - 1};
    *keys = CD_TAKE(&e->arena, const char *, n);
    if (!taken.v || !*keys) return CD_NOMEM;
    for (size_t i = 0; i < nreserved; i++) take(&taken, reserved[i]);
    for (size_t k = 0; k < n; k++) {
        CD_TRY(make_key(e, &taken, cdi_export_name(e, (int)k), allowed, max, &(*keys)[k]));
    }
    return CD_OK;
}

// ---- writing

CdStatus cdi_export_put(CdExport *e, uint64_t offset) {
    CD_TRY(e->bytes.status);
    const CdStatus status = cdi_out_at(e->out, offset, e->bytes.v, e->bytes.n);
    cdi_text_clear(&e->bytes);
    return status;
}

static CdStatus check_table(const CdTable *t) {
    if (t->rows > CD_EXPORT_NUMBERS_MAX / ((uint64_t)t->n + 1)) {
        return cdi_fail(t->ctx, CD_LIMIT, "too many numbers for one file");
    }
    for (int k = 0; k < t->n; k++) {
        const CdChannel *c = &t->channels[k];
        char shown[CD_SHOWN_MAX];
        if (strlen(c->name) <= CD_EXPORT_NAME_MAX && strlen(c->unit) <= CD_EXPORT_NAME_MAX)
            continue;
        return cdi_fail(t->ctx, CD_LIMIT, "channel '%s': its name or unit is longer than %d bytes",
                        cdi_shown(c->name, shown), CD_EXPORT_NAME_MAX);
    }
    return CD_OK;
}

static CdStatus put_columns(CdExport *e, const CdExportClass *cls, uint64_t first, uint64_t n,
                            const double *rows, double *column) {
    const int width = e->table->n + 1;
    for (int k = 0; k < width; k++) {
        for (uint64_t i = 0; i < n; i++) column[i] = rows[i * (uint64_t)width + (uint64_t)k];
        CD_TRY(cls->column(e, k, first, n, column));
    }
    return CD_OK;
}

typedef struct Pull {
    CdTable *table;
    CdExportCancelled *cancelled;
    void *user;
    double *rows, *column;
} Pull;

static CdStatus pull_rows(CdExport *e, const CdExportClass *cls, const Pull *p) {
    const uint64_t block = cdi_table_block(p->table), rows = p->table->rows;
    for (uint64_t first = 0; first < rows; first += block) {
        const uint64_t n = rows - first < block ? rows - first : block;
        if (p->cancelled && p->cancelled(p->user)) {
            return cdi_fail(e->ctx, CD_CANCELLED, "%s: cancelled, nothing was written", e->path);
        }
        CD_TRY(p->table->read(p->table, first, n, p->rows));
        if (cls->rows) CD_TRY(cls->rows(e, first, n, p->rows));
        if (cls->column) CD_TRY(put_columns(e, cls, first, n, p->rows, p->column));
    }
    return CD_OK;
}

static CdStatus write_all(CdExport *e, const CdExportClass *cls, Pull *p) {
    p->rows = cdi_table_room(p->table);
    p->column = CD_TAKE(&e->arena, double, (size_t)cdi_table_block(p->table));
    if (!p->rows || !p->column) return CD_NOMEM;
    CD_TRY(cls->open(e));
    CD_TRY(pull_rows(e, cls, p));
    if (cls->close) CD_TRY(cls->close(e));
    return cdi_out_keep(e->out);
}

static CdStatus open_out(CdExport *e, const CdExportClass *cls) {
    CD_TRY(cdi_out_open(e->ctx, e->path, &e->out));
    if (cls->rows || cdi_out_seeks(e->out)) return CD_OK;
    return cdi_fail(e->ctx, CD_INVALID, "%s is written out of order; give the name of a file",
                    cls->name);
}

CdStatus cdi_export(CdTable *table, const CdExportClass *cls, const char *path,
                    CdExportCancelled *cancelled, void *user) {
    CdContext *ctx = table->ctx;
    CdExport e = {.ctx = ctx, .table = table, .path = path};
    Pull p = {.table = table, .cancelled = cancelled, .user = user};
    cdi_arena_init(&e.arena, ctx, 0);
    cdi_text_init(&e.bytes, ctx);
    CdStatus status = check_table(table);
    if (status == CD_OK) status = open_out(&e, cls);
    if (status == CD_OK) status = write_all(&e, cls, &p);
    cdi_free(ctx, p.rows);
    cdi_text_free(&e.bytes);
    cdi_arena_clear(&e.arena);
    cdi_out_free(e.out);
    return status;
}
