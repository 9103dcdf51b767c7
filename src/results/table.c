// table.c - channels over time from anywhere: what all have, and parts of them
#include "results/table.h"

#include <math.h>

#include "system/scene.h"

CdStatus cdi_table_new(CdContext *ctx, CdTable **table) {
    CdTable *t = *table = cdi_alloc(ctx, sizeof *t);
    if (!t) return CD_NOMEM;
    t->ctx = ctx;
    cdi_arena_init(&t->arena, ctx, 0);
    return CD_OK;
}

void cdi_table_free(CdTable *t) {
    if (!t) return;
    if (t->close) t->close(t);
    cdi_arena_clear(&t->arena);
    cdi_free(t->ctx, t);
}

uint64_t cdi_table_block(const CdTable *t) {
    const uint64_t fit = CD_TABLE_BLOCK / ((uint64_t)t->n + 1);
    return fit > 0 ? fit : 1;
}

double *cdi_table_room(const CdTable *t) {
    return cdi_alloc_array(t->ctx, (size_t)cdi_table_block(t), ((size_t)t->n + 1) * sizeof(double));
}

// ---- parts

typedef struct Part {
    CdTable *from;
    int *pick; // channels of `from`
    uint64_t first, every;
    double *rows; // a block of `from`
} Part;

static CdStatus read_part(CdTable *t, uint64_t first, uint64_t n, double *rows) {
    const Part *p = t->source;
    const size_t width = (size_t)p->from->n + 1;
    const uint64_t block = cdi_table_block(p->from);
    uint64_t held = 0, begin = 0; // rows [begin, begin + held) of `from` are there
    for (uint64_t i = first; i < first + n; i++) {
        const uint64_t row = p->first + i * p->every;
        if (row >= begin + held) {
            const uint64_t last = p->first + (first + n - 1) * p->every;
            begin = row;
            held = last - row + 1 < block ? last - row + 1 : block;
            if (p->every >= block) held = 1;
            CD_TRY(p->from->read(p->from, begin, held, p->rows));
        }
        const double *x = p->rows + (size_t)(row - begin) * width;
        *rows++ = x[0];
        for (int k = 0; k < t->n; k++) *rows++ = x[1 + p->pick[k]];
    }
    return CD_OK;
}

static void close_part(CdTable *t) {
    Part *p = t->source;
    cdi_free(t->ctx, p->rows);
    cdi_table_free(p->from);
}

// the first row whose time is not before t, or, with `beyond`, after it
static CdStatus find_row(const Part *p, double t, bool beyond, uint64_t *row) {
    uint64_t lo = 0, hi = p->from->rows;
    while (lo < hi) {
        const uint64_t middle = lo + (hi - lo) / 2;
        CD_TRY(p->from->read(p->from, middle, 1, p->rows));
        const bool before = beyond ? p->rows[0] <= t : p->rows[0] < t;
        if (before) lo = middle + 1;
        if (!before) hi = middle;
    }
    *row = lo;
    return CD_OK;
}

static CdStatus pick_rows(CdTable *t, const CdSelection *s) {
    Part *p = t->source;
    uint64_t end = p->from->rows;
    p->every = (uint64_t)s->every;
    if (s->from > -INFINITY) CD_TRY(find_row(p, s->from, false, &p->first));
    if (s->to < INFINITY) CD_TRY(find_row(p, s->to, true, &end));
    t->rows = end > p->first ? (end - p->first - 1) / p->every + 1 : 0;
    return CD_OK;
}

static CdStatus pick_channels(CdTable *t, const CdSelection *s) {
    Part *p = t->source;
    const CdTable *from = p->from;
    CdChannel *known = CD_TAKE(&t->arena, CdChannel, (size_t)from->n);
    CdChannel *channels = CD_TAKE(&t->arena, CdChannel, (size_t)from->n);
    int *number = CD_TAKE(&t->arena, int, (size_t)from->n), n = 0;
    p->pick = CD_TAKE(&t->arena, int, (size_t)from->n);
    if (!known || !channels || !number || !p->pick) return CD_NOMEM;
    for (int k = 0; k < from->n; k++) {
        if (!s->scene && cdi_scene_is(from->channels[k].name)) continue;
        number[n] = k;
        known[n++] = from->channels[k];
    }
    CD_TRY(cdi_channels_match(t->ctx, known, n, s->patterns, s->npatterns, p->pick, &t->n));
    for (int i = 0; i < t->n; i++) {
        channels[i] = known[p->pick[i]];
        p->pick[i] = number[p->pick[i]];
    }
    t->channels = channels;
    return CD_OK;
}

static CdStatus select(CdTable *t, const CdSelection *s) {
    Part *p = t->source;
    p->rows = cdi_table_room(p->from);
    if (!p->rows) return CD_NOMEM;
    CD_TRY(pick_channels(t, s));
    return pick_rows(t, s);
}

CdStatus cdi_table_select(CdTable *from, const CdSelection *s, CdTable **part) {
    CdTable *t;
    CdStatus status = cdi_table_new(from->ctx, &t);
    Part *p = status == CD_OK ? CD_TAKE(&t->arena, Part, 1) : NULL;
    *part = t;
    if (!p) {
        cdi_table_free(t);
        cdi_table_free(from);
        *part = NULL;
        return CD_NOMEM;
    }
    p->from = from;
    t->source = p;
    t->read = read_part;
    t->close = close_part;
    status = select(t, s);
    if (status != CD_OK) {
        cdi_table_free(t);
        *part = NULL;
    }
    return status;
}
