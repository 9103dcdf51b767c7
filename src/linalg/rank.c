// rank.c - which rows of a sparse matrix depend on others: leaves first, then loops, then how
//
//   R11 y1 = -R12 y2               a dependency, for any y2 of rows without pivots
//   x = z - J^T (R^T R)^-1 J z     a motion that J allows: z without what it forbids
//
// Both need R only. A dependency for numbers y2 that have nothing to do with each other has a share
// of every row that takes part in any, so few of them tell as much as all.
#include "linalg/rank.h"

#include <math.h>
#include <string.h>

#include "linalg/pattern_sort.h"
#include "linalg/rank_work.h"

// refinements of a motion
#define REFINED 3
// of memory, for many small arrays
#define BLOCK ((size_t)1 << 16)

// ---- groups

static CdStatus find_groups(CdArena *arena, int n, const int *number, CdGroups *g) {
    g->of = CD_TAKE(arena, int, (size_t)n);
    g->first = CD_TAKE(arena, int, (size_t)n + 1);
    if (!g->of || !g->first) return CD_NOMEM;
    for (int i = 0; i < n; i++) {
        if (i == 0 || !number || number[i] != number[i - 1]) g->first[g->n++] = i;
        g->of[i] = g->n - 1;
    }
    g->first[g->n] = n;
    for (int k = 0; k < g->n; k++) {
        const int size = g->first[k + 1] - g->first[k];
        g->largest = size > g->largest ? size : g->largest;
    }
    return CD_OK;
}

// groups of rows in columns first ... last - 1, into list; mark: numbers of whom they were seen by
static int touching(const CdRankWork *w, int body, int *mark, int *list) {
    const CdPattern *a = &w->j->pattern;
    int n = 0;
    for (int k = a->ptr[w->cols.first[body]]; k < a->ptr[w->cols.first[body + 1]]; k++) {
        const int g = w->rows.of[a->row[k]];
        if (mark[g] == body + 1) continue;
        mark[g] = body + 1;
        list[n++] = g;
    }
    return n;
}

static CdStatus find_touching(CdRankWork *w) {
    const size_t nnz = (size_t)w->j->pattern.nnz;
    int *mark = CD_TAKE(&w->arena, int, (size_t)w->rows.n), n = 0;
    w->touch_ptr = CD_TAKE(&w->arena, int, (size_t)w->cols.n + 1);
    w->touch = CD_TAKE(&w->arena, int, nnz);
    w->bodies_ptr = CD_TAKE(&w->arena, int, (size_t)w->rows.n + 1);
    w->bodies = CD_TAKE(&w->arena, int, nnz);
    if (!mark || !w->touch_ptr || !w->touch || !w->bodies_ptr || !w->bodies) return CD_NOMEM;
    for (int b = 0; b < w->cols.n; b++) {
        n += touching(w, b, mark, w->touch + n);
        w->touch_ptr[b + 1] = n;
    }
    cdi_columns_transpose(w->rows.n, w->cols.n, w->touch_ptr, w->touch, w->bodies_ptr, w->bodies,
                          NULL);
    return CD_OK;
}

static CdStatus prepare(CdRankWork *w) {
    CD_TRY(find_groups(&w->arena, w->j->pattern.rows, w->j->row_group, &w->rows));
    CD_TRY(find_groups(&w->arena, w->j->pattern.cols, w->j->col_group, &w->cols));
    CD_TRY(find_touching(w));
    w->live = CD_TAKE(&w->arena, int, (size_t)w->cols.n);
    w->peeled = CD_TAKE(&w->arena, int, (size_t)w->cols.n);
    w->by = CD_TAKE(&w->arena, int, (size_t)w->cols.n);
    w->leaf_of = CD_TAKE(&w->arena, int, (size_t)w->rows.n);
    if (!w->live || !w->peeled || !w->by || !w->leaf_of) return CD_NOMEM;
    for (int g = 0; g < w->rows.n; g++) w->leaf_of[g] = -1;
    return CD_OK;
}

// ---- dependencies

// numbers between 0.5 and 1.5 that have nothing to do with each other
static double any_number(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return 0.5 + (double)(*seed >> 40) / (double)(1 << 24);
}

// rows with pivots follow from any numbers of the others
static void find_dependency(const CdRankWork *w, uint64_t *seed, double *y) {
    double max = 0;
    for (int k = w->nfronts - 1; k >= 0; k--) {
        const CdFront *f = &w->fronts[k];
        for (int i = f->rank; i < f->own; i++) y[f->rows[i]] = any_number(seed);
        for (int i = f->rank - 1; i >= 0; i--) {
            double sum = 0;
            for (int c = i + 1; c < f->n; c++) sum -= f->R[i * f->n + c] * y[f->rows[c]];
            y[f->rows[i]] = sum / f->R[i * f->n + i];
        }
        for (int i = 0; i < f->own; i++) max = fmax(max, fabs(y[f->rows[i]]));
    }
    for (int i = 0; i < w->j->pattern.rows; i++) y[i] /= max;
}

static CdStatus explain(CdArena *arena, const CdRankWork *w, int n, CdDependent *out) {
    const size_t rows = (size_t)w->j->pattern.rows;
    uint64_t seed = 1;
    out->nnull = n < CD_DEPENDENCIES ? n : CD_DEPENDENCIES;
    out->row = CD_TAKE(arena, int, (size_t)n);
    out->null = CD_TAKE(arena, double, rows *(size_t)out->nnull);
    if (!out->row || !out->null) return CD_NOMEM;
    for (int k = 0; k < w->nfronts; k++) {
        const CdFront *f = &w->fronts[k];
        for (int d = f->rank; d < f->own; d++) out->row[out->n++] = f->rows[d];
    }
    for (int k = 0; k < out->nnull; k++) find_dependency(w, &seed, out->null + (size_t)k * rows);
    return CD_OK;
}

// ---- motion

// u = J x, 0 for rows that depend on others; those of leaves do not matter
static void multiply(const CdRankWork *w, const double *x, double *u) {
    const CdPattern *a = &w->j->pattern;
    memset(u, 0, (size_t)a->rows * sizeof *u);
    for (int j = 0; j < a->cols; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) u[a->row[k]] += w->j->values[k] * x[j];
    }
}

// (R^T R)^-1 u, rows that depend on others are left as 0
static void solve(const CdRankWork *w, double *u) {
    for (int k = 0; k < w->nfronts; k++) {
        const CdFront *f = &w->fronts[k];
        for (int i = f->rank; i < f->own; i++) u[f->rows[i]] = 0;
        for (int i = 0; i < f->rank; i++) {
            const double *r = f->R + i * f->n, z = u[f->rows[i]] / r[i];
            u[f->rows[i]] = z;
            for (int c = i + 1; c < f->n; c++) u[f->rows[c]] -= r[c] * z;
        }
    }
    for (int k = w->nfronts - 1; k >= 0; k--) {
        const CdFront *f = &w->fronts[k];
        for (int i = f->rank; i < f->own; i++) u[f->rows[i]] = 0;
        for (int i = f->rank - 1; i >= 0; i--) {
            const double *r = f->R + i * f->n;
            for (int c = i + 1; c < f->n; c++) u[f->rows[i]] -= r[c] * u[f->rows[c]];
            u[f->rows[i]] /= r[i];
        }
    }
}

static void remove_forbidden(const CdRankWork *w, double *u, double *x) {
    const CdPattern *a = &w->j->pattern;
    multiply(w, x, u);
    solve(w, u);
    for (int j = 0; j < a->cols; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            if (w->leaf_of[w->rows.of[a->row[k]]] < 0) x[j] -= w->j->values[k] * u[a->row[k]];
        }
    }
}

static CdStatus find_motion(CdArena *arena, CdRankWork *w, CdDependent *out) {
    const int cols = w->j->pattern.cols;
    double *u = CD_TAKE(&w->arena, double, (size_t)w->j->pattern.rows), max = 0;
    out->free = CD_TAKE(arena, double, (size_t)cols);
    if (!u || !out->free) return CD_NOMEM;
    // one that prefers nothing
    for (int j = 0; j < cols; j++) out->free[j] = 1 + 0.1 * (j % 11);
    for (int k = 0; k < REFINED; k++) remove_forbidden(w, u, out->free);
    CD_TRY(cdi_rank_follow(w, out->free));
    for (int j = 0; j < cols; j++) max = fmax(max, fabs(out->free[j]));
    for (int j = 0; max > 0 && j < cols; j++) out->free[j] /= max;
    return CD_OK;
}

// ----

static CdStatus analyse(CdArena *arena, CdRankWork *w, CdDependent *out) {
    const int rows = w->j->pattern.rows;
    int n = 0;
    CD_TRY(prepare(w));
    CD_TRY(cdi_rank_peel(w));
    CD_TRY(cdi_rank_fronts(w, &out->believed));
    out->rank = rows;
    if (out->believed) return CD_OK;
    for (int k = 0; k < w->nfronts; k++) n += w->fronts[k].own - w->fronts[k].rank;
    out->rank = rows - n;
    out->weakest = w->weakest < 1 ? w->weakest : out->rank > 0;
    out->strongest_left_out = w->strongest_left_out;
    CD_TRY(explain(arena, w, n, out));
    return n > 0 && out->rank < w->j->pattern.cols ? find_motion(arena, w, out) : CD_OK;
}

CdStatus cdi_dependent_rows(CdArena *arena, const CdRows *rows, double tol, CdDependent *out) {
    CdRankWork w = {.ctx = arena->ctx, .j = rows, .tol = tol, .weakest = 1};
    *out = (CdDependent){0};
    cdi_arena_init(&w.arena, arena->ctx, BLOCK);
    const CdStatus status = analyse(arena, &w, out);
    cdi_arena_clear(&w.arena);
    return status;
}
