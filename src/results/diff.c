// diff.c - two tables compared, channel by channel, in blocks of rows
#include "results/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// times that differ by rounding are the same when values may differ, too
#define TIME_SLACK 1e-12

// rows of a table one after the other, read in blocks
typedef struct Cursor {
    CdTable *table;
    uint64_t first, held, block; // rows [first, first + held) are in memory
    double *rows;
} Cursor;

typedef struct Work {
    CdDiff *diff;
    const CdDiffOptions *options;
    Cursor a, b;
    int *column_a, *column_b; // of every channel of the diff
    double *mixed;            // a row of b between two of its rows
} Work;

// ---- rows

static CdStatus open_cursor(Cursor *c, CdTable *table) {
    *c = (Cursor){.table = table, .block = cdi_table_block(table)};
    c->rows = cdi_table_room(table);
    return c->rows ? CD_OK : CD_NOMEM;
}

// one row, valid until another one is asked for
static CdStatus read_row(Cursor *c, uint64_t row, const double **x) {
    if (row < c->first || row >= c->first + c->held) {
        const uint64_t left = c->table->rows - row;
        c->first = row;
        c->held = left < c->block ? left : c->block;
        CD_TRY(c->table->read(c->table, c->first, c->held, c->rows));
    }
    *x = c->rows + (size_t)(row - c->first) * ((size_t)c->table->n + 1);
    return CD_OK;
}

// ---- values

static bool same_number(double x, double y) {
    return x == y || (isnan(x) && isnan(y));
}

static void stretch(CdChannelDiff *c, double x) {
    if (isfinite(x) && fabs(x) > c->scale) c->scale = fabs(x);
}

static void compare(CdChannelDiff *c, double t, double x, double y) {
    stretch(c, x);
    stretch(c, y);
    if (same_number(x, y)) return;
    const double distance = isfinite(x) && isfinite(y) ? fabs(x - y) : INFINITY;
    if (isnan(c->t_first)) c->t_first = t;
    if (distance > c->largest) {
        c->largest = distance;
        c->t_largest = t;
    }
}

static void compare_rows(Work *w, const double *x, const double *y) {
    for (int k = 0; k < w->diff->n; k++) {
        compare(&w->diff->channels[k], x[0], x[1 + w->column_a[k]], y[1 + w->column_b[k]]);
    }
    w->diff->compared++;
}

// ---- the same times in both

static bool same_time(const CdDiffOptions *o, double x, double y) {
    const bool exact = o->rtol == 0 && o->atol == 0;
    return same_number(x, y) || (!exact && fabs(x - y) <= TIME_SLACK * fmax(fabs(x), fabs(y)));
}

static CdStatus compare_grid(Work *w) {
    CdDiff *d = w->diff;
    const uint64_t rows = d->rows_a < d->rows_b ? d->rows_a : d->rows_b;
    const double *x = NULL, *y = NULL;
    uint64_t i = 0;
    for (; i < rows; i++) {
        CD_TRY(read_row(&w->a, i, &x));
        CD_TRY(read_row(&w->b, i, &y));
        if (!same_time(w->options, x[0], y[0])) break;
        compare_rows(w, x, y);
    }
    d->same_times = i == d->rows_a && i == d->rows_b;
    d->t_a = d->t_b = NAN;
    if (i < d->rows_a) {
        CD_TRY(read_row(&w->a, i, &x));
        d->t_a = x[0];
    }
    if (i < d->rows_b) {
        CD_TRY(read_row(&w->b, i, &y));
        d->t_b = y[0];
    }
    return CD_OK;
}

// ---- b between its rows

// two neighbouring rows with at least one of them asked for before
static CdStatus read_pair(Cursor *c, uint64_t row, double *keep, const double **next) {
    const double *x;
    CD_TRY(read_row(c, row, &x));
    memcpy(keep, x, ((size_t)c->table->n + 1) * sizeof *keep);
    return read_row(c, row + 1, next);
}

static void mix(double *x, const double *next, int n, double t) {
    const double dt = next[0] - x[0];
    const double s = dt > 0 ? (t - x[0]) / dt : 1;
    for (int k = 0; k <= n; k++) {
        // the ends are met exactly
        x[k] = s == 0 ? x[k] : s == 1 ? next[k] : x[k] + s * (next[k] - x[k]);
    }
}

// Times that a and b hold twice are jumps: the first row belongs to what was before, the second to
// what comes after.
static CdStatus advance(Work *w, double t, bool again, uint64_t *row) {
    const uint64_t last = w->diff->rows_b - 2;
    const double *x;
    for (; *row < last; ++*row) {
        CD_TRY(read_row(&w->b, *row + 1, &x));
        if (x[0] > t || (x[0] == t && !again)) break;
        if (x[0] == t) {
            CD_TRY(read_row(&w->b, *row + 2, &x));
            if (x[0] > t) break;
            again = false;
        }
    }
    return CD_OK;
}

static CdStatus compare_between(Work *w) {
    CdDiff *d = w->diff;
    double last = NAN;
    uint64_t row = 0;
    d->t_a = d->t_b = NAN;
    for (uint64_t i = 0; i < d->rows_a && d->rows_b > 1; i++) {
        const double *x, *next;
        CD_TRY(read_row(&w->a, i, &x));
        CD_TRY(advance(w, x[0], x[0] == last, &row));
        CD_TRY(read_pair(&w->b, row, w->mixed, &next));
        last = x[0];
        if (!(last >= w->mixed[0] && last <= next[0])) continue;
        mix(w->mixed, next, w->b.table->n, last);
        compare_rows(w, x, w->mixed);
    }
    d->same_times = d->compared > 0 || (d->rows_a == 0 && d->rows_b == 0);
    return CD_OK;
}

// ---- channels

typedef struct Name {
    const char *text;
    int column;
} Name;

static int by_name(const void *x, const void *y) {
    const Name *a = x, *b = y;
    const int order = strcmp(a->text, b->text);
    return order ? order : (a->column > b->column) - (a->column < b->column);
}

static CdStatus sort_names(CdArena *arena, const CdTable *t, Name **names) {
    Name *v = *names = CD_TAKE(arena, Name, (size_t)t->n);
    if (!v) return CD_NOMEM;
    for (int k = 0; k < t->n; k++) v[k] = (Name){t->channels[k].name, k};
    if (t->n > 0) qsort(v, (size_t)t->n, sizeof *v, by_name);
    return CD_OK;
}

// the n-th of several channels of one name meets the n-th of the other table
static void pair_names(const Name *a, int na, const Name *b, int nb, int *of_a, int *of_b) {
    for (int i = 0, j = 0; i < na && j < nb;) {
        const int order = strcmp(a[i].text, b[j].text);
        if (order == 0) {
            of_a[a[i].column] = b[j].column;
            of_b[b[j].column] = a[i].column;
        }
        i += order <= 0;
        j += order >= 0;
    }
}

static const char **lonely(CdArena *arena, const CdTable *t, const int *partner, int *n) {
    const char **names = CD_TAKE(arena, const char *, (size_t)t->n);
    *n = 0;
    for (int k = 0; names && k < t->n; k++) {
        if (partner[k] < 0) names[(*n)++] = t->channels[k].name;
    }
    return names;
}

static CdStatus pair_channels(Work *w) {
    CdDiff *d = w->diff;
    const CdTable *a = w->a.table, *b = w->b.table;
    Name *names_a, *names_b;
    int *of_a = CD_TAKE(&d->arena, int, (size_t)a->n);
    int *of_b = CD_TAKE(&d->arena, int, (size_t)b->n);
    d->channels = CD_TAKE(&d->arena, CdChannelDiff, (size_t)a->n);
    w->column_a = CD_TAKE(&d->arena, int, (size_t)a->n);
    w->column_b = of_a; // filled from its own entries, which are never before
    if (!of_a || !of_b || !d->channels || !w->column_a) return CD_NOMEM;
    CD_TRY(sort_names(&d->arena, a, &names_a));
    CD_TRY(sort_names(&d->arena, b, &names_b));
    for (int k = 0; k < a->n; k++) of_a[k] = -1;
    for (int k = 0; k < b->n; k++) of_b[k] = -1;
    pair_names(names_a, a->n, names_b, b->n, of_a, of_b);
    d->only_a = lonely(&d->arena, a, of_a, &d->nonly_a);
    d->only_b = lonely(&d->arena, b, of_b, &d->nonly_b);
    if (!d->only_a || !d->only_b) return CD_NOMEM;
    for (int k = 0; k < a->n; k++) {
        if (of_a[k] < 0) continue;
        d->channels[d->n] = (CdChannelDiff){.name = a->channels[k].name,
                                            .unit = a->channels[k].unit,
                                            .t_first = NAN,
                                            .t_largest = NAN};
        w->column_a[d->n] = k;
        w->column_b[d->n++] = of_a[k];
    }
    return CD_OK;
}

// ---- all of it

static CdStatus work_through(Work *w, CdTable *a, CdTable *b) {
    CdDiff *d = w->diff;
    CD_TRY(open_cursor(&w->a, a));
    CD_TRY(open_cursor(&w->b, b));
    w->mixed = CD_TAKE(&d->arena, double, (size_t)b->n + 1);
    if (!w->mixed) return CD_NOMEM;
    CD_TRY(pair_channels(w));
    CD_TRY(w->options->interpolate ? compare_between(w) : compare_grid(w));
    for (int k = 0; k < d->n; k++) {
        CdChannelDiff *c = &d->channels[k];
        c->differs = !(c->largest <= w->options->atol + w->options->rtol * c->scale);
        d->ndiffer += c->differs;
    }
    d->same = d->same_times && d->ndiffer == 0 && d->nonly_a == 0 && d->nonly_b == 0;
    return CD_OK;
}

CdStatus cdi_diff(CdTable *a, CdTable *b, const CdDiffOptions *options, CdDiff **diff) {
    CdContext *ctx = a->ctx;
    CdDiff *d = *diff = cdi_alloc(ctx, sizeof *d);
    if (!d) return CD_NOMEM;
    *d = (CdDiff){.ctx = ctx, .rows_a = a->rows, .rows_b = b->rows};
    cdi_arena_init(&d->arena, ctx, 0);
    Work w = {.diff = d, .options = options};
    const CdStatus status = work_through(&w, a, b);
    cdi_free(ctx, w.a.rows);
    cdi_free(ctx, w.b.rows);
    if (status != CD_OK) {
        cdi_diff_free(d);
        *diff = NULL;
    }
    return status;
}

void cdi_diff_free(CdDiff *d) {
    if (!d) return;
    cdi_arena_clear(&d->arena);
    cdi_free(d->ctx, d);
}
