// flat_gram.c - G G^T mu = r without forming it
//
//   [I  G^T] [x ]   [0]
//   [G   0 ] [-mu] = [r]     so  x = G^T mu
//
// G are the rows of J at position level; those of N have no mu.
// Benzi, Golub & Liesen, Numerical solution of saddle point problems, Acta Numerica 14 (2005) 1.
#include "problem/flat_work.h"

#include <string.h>

#include "problem/work.h"

struct CdiGram {
    CdiProblem *p;
    CdArena arena;
    CdPattern *pattern;
    CdiFactor factor;
    int *diagonal;      // nv, slots of I
    int *lower, *upper; // slots of entries of J in G and G^T; -1: of N
    double *jacobian;   // values of J
    double *rhs;        // nv + ng
    int *corner;        // slots of the diagonal of rows of g
    bool *acts;         // rows of g in the last factor
    CdStatus status;    // of the last set-up
};

static CdStatus build_pattern(CdiGram *g) {
    const CdiProblem *p = g->p;
    const CdPattern *j = p->jpattern;
    CdPatternBuilder b;
    cdi_pattern_begin(&b, p->ctx, p->nv + p->ng, p->nv + p->ng, true);
    cdi_pattern_add_diagonal(&b);
    for (int col = 0; col < j->cols; col++) {
        for (int k = j->ptr[col]; k < j->ptr[col + 1]; k++) {
            if (j->row[k] < p->ng) cdi_pattern_add(&b, p->nv + j->row[k], col);
        }
    }
    return cdi_pattern_end(&b, &g->pattern);
}

static void find_slots(CdiGram *g) {
    const CdiProblem *p = g->p;
    const CdPattern *j = p->jpattern;
    const int *map = cdi_linsol_map(g->factor.linsol);
    for (int i = 0; i < p->nv; i++) g->diagonal[i] = map[cdi_pattern_slot(g->pattern, i, i)];
    for (int i = 0; i < p->ng; i++) {
        g->corner[i] = map[cdi_pattern_slot(g->pattern, p->nv + i, p->nv + i)];
    }
    for (int col = 0; col < j->cols; col++) {
        for (int k = j->ptr[col]; k < j->ptr[col + 1]; k++) {
            const bool of_g = j->row[k] < p->ng;
            const int row = p->nv + j->row[k];
            g->lower[k] = of_g ? map[cdi_pattern_slot(g->pattern, row, col)] : -1;
            g->upper[k] = of_g ? map[cdi_pattern_slot(g->pattern, col, row)] : -1;
        }
    }
}

static CdStatus fill(CdiGram *g) {
    CdiProblem *p = g->p;
    const size_t nv = (size_t)p->nv, nnz = (size_t)p->jpattern->nnz;
    const int *group;
    CD_TRY(build_pattern(g));
    CD_TRY(cdi_groups(p, &g->arena, p->nv, p->ng, &group));
    g->factor = cdi_factor_of(p, g->pattern, CDI_SYMMETRIC);
    g->factor.group = group;
    g->factor.multipliers = p->ng;
    CD_TRY(cdi_factor_open(&g->factor));
    g->diagonal = CD_TAKE(&g->arena, int, nv);
    g->lower = CD_TAKE(&g->arena, int, nnz);
    g->upper = CD_TAKE(&g->arena, int, nnz);
    g->jacobian = CD_TAKE(&g->arena, double, nnz);
    g->rhs = CD_TAKE(&g->arena, double, nv + (size_t)p->ng);
    g->corner = CD_TAKE(&g->arena, int, (size_t)p->ng);
    g->acts = CD_TAKE(&g->arena, bool, (size_t)p->ng);
    if (!g->diagonal || !g->lower || !g->upper || !g->jacobian || !g->rhs) return CD_NOMEM;
    if (!g->corner || !g->acts) return CD_NOMEM;
    find_slots(g);
    return CD_OK;
}

CdStatus cdi_gram_new(CdiProblem *p, CdiGram **out) {
    *out = NULL;
    CdiGram *g = cdi_alloc(p->ctx, sizeof *g);
    if (!g) return CD_NOMEM;
    g->p = p;
    cdi_arena_init(&g->arena, p->ctx, 0);
    const CdStatus status = fill(g);
    if (status != CD_OK) {
        cdi_gram_free(g);
        return status;
    }
    *out = g;
    return CD_OK;
}

void cdi_gram_free(CdiGram *g) {
    if (!g) return;
    CdContext *ctx = g->p->ctx;
    cdi_factor_free(&g->factor);
    cdi_pattern_free(g->pattern);
    cdi_arena_clear(&g->arena);
    cdi_free(ctx, g);
}

static CdStatus factor(CdiGram *g) {
    CD_TRY(cdi_redundant_ready(g->p, g->jacobian));
    double *a = cdi_linsol_begin(g->factor.linsol);
    for (int i = 0; i < g->p->nv; i++) a[g->diagonal[i]] += 1;
    for (int i = 0; i < g->p->ng; i++) {
        g->acts[i] = cdi_row_acts(g->p, i);
        if (!g->acts[i]) a[g->corner[i]] = 1;
    }
    for (int k = 0; k < g->p->jpattern->nnz; k++) {
        if (g->lower[k] < 0 || !g->acts[g->p->jpattern->row[k]]) continue;
        a[g->lower[k]] += g->jacobian[k];
        a[g->upper[k]] += g->jacobian[k];
    }
    return cdi_factor_counted(g->p, &g->factor, true);
}

CdStatus cdi_gram_setup(CdiGram *g, const CdPoint *at) {
    g->status = cdi_jacobian(g->p, at, g->jacobian);
    if (g->status == CD_OK) g->status = factor(g);
    return g->status;
}

CdStatus cdi_gram_setup_as(CdiGram *g, const CdiGram *from) {
    memcpy(g->jacobian, from->jacobian, (size_t)g->p->jpattern->nnz * sizeof *g->jacobian);
    return g->status = factor(g);
}

CdStatus cdi_gram_solve(CdiGram *g, double *r, double *gmu) {
    const size_t nv = (size_t)g->p->nv, ng = (size_t)g->p->ng;
    memset(g->rhs, 0, nv * sizeof *g->rhs);
    for (size_t i = 0; i < ng; i++) g->rhs[nv + i] = g->acts[i] ? r[i] : 0;
    CD_TRY(cdi_linsol_solve(g->factor.linsol, 1, g->rhs, (int)(nv + ng), false));
    memcpy(gmu, g->rhs, nv * sizeof *gmu);
    for (size_t i = 0; i < ng; i++) r[i] = -g->rhs[nv + i];
    return CD_OK;
}

void cdi_gram_explain(const CdiGram *g, CdText *text) {
    cdi_explain_factor(g->p, &g->factor, g->p->nv, g->jacobian, g->status, text);
}

size_t cdi_gram_save_size(const CdiGram *g) {
    return cdi_factor_save_size(&g->factor) + (size_t)g->p->ng * sizeof *g->acts;
}

void cdi_gram_save(const CdiGram *g, char *to) {
    to = cdi_factor_save(&g->factor, to);
    memcpy(to, g->acts, (size_t)g->p->ng * sizeof *g->acts);
}

CdStatus cdi_gram_load(CdiGram *g, const char *from) {
    CD_TRY(cdi_factor_load(&g->factor, &from));
    memcpy(g->acts, from, (size_t)g->p->ng * sizeof *g->acts);
    return CD_OK;
}
