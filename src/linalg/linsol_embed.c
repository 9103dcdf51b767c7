// linsol_embed.c - complex systems for backends that are real: every number becomes a 2 x 2 block
//
//   a + ib  ->  ( a  -b )       (A x = b) of order n  ->  real of order 2n in pairs (re, im)
//               ( b   a )
//
// Pairs are how complex vectors are stored anyway, so right-hand sides need no copy. The transposed
// block is that of the conjugate: A^T x = b is solved as E^T conj(x) = conj(b). Twice to four times
// the work of a complex factorisation, the same stability.
// Day & Heroux, SIAM J. Sci. Comput. 23 (2001) 480 (form K1).
#include <limits.h>

#include "linalg/linsol.h"

typedef struct Embed {
    CdPattern *pattern; // of the real system
    CdLinsol *inner;
    int *slots; // four of the real values per entry: re re, re im, im re, im im
} Embed;

static CdStatus real_pattern(CdLinsol *s, Embed *e) {
    const CdPattern *p = s->pattern;
    if (s->n > INT_MAX / 2 - 1 || p->nnz > INT_MAX / 4) {
        return cdi_fail(s->ctx, CD_LIMIT,
                        "a complex system of order %d is too large to be embedded", s->n);
    }
    CdPatternBuilder b;
    cdi_pattern_begin(&b, s->ctx, 2 * s->n, 2 * s->n, false);
    for (int j = 0; j < s->n; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const int i = p->row[k];
            cdi_pattern_add_block(&b, 2, (int[]){2 * i, 2 * i + 1}, 2, (int[]){2 * j, 2 * j + 1});
        }
    }
    return cdi_pattern_end(&b, &e->pattern);
}

static CdStatus real_solver(CdLinsol *s, Embed *e) {
    CdLinsolSetup setup = {.options = s->setup.options,
                           .multipliers = 2 * s->setup.multipliers,
                           .share = s->setup.share,
                           .pool = s->setup.pool};
    int *perm = CD_TAKE(&s->arena, int, 4 * (size_t)s->n), *group = perm + 2 * (size_t)s->n;
    if (!perm) return CD_NOMEM;
    if (s->setup.group) {
        for (int k = 0; k < 2 * s->n; k++) group[k] = s->setup.group[k / 2];
        setup.group = group;
    }
    if (s->setup.perm) {
        for (int k = 0; k < 2 * s->n; k++) perm[k] = 2 * s->setup.perm[k / 2] + k % 2;
        setup.perm = perm;
    }
    return cdi_linsol_new(s->ctx, s->real, e->pattern, &setup, &e->inner);
}

static CdStatus find_slots(CdLinsol *s, Embed *e) {
    const CdPattern *p = s->pattern;
    const int *map = cdi_linsol_map(e->inner);
    e->slots = CD_TAKE(&s->arena, int, 4 * (size_t)p->nnz);
    if (!e->slots) return CD_NOMEM;
    for (int j = 0; j < s->n; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const int rows[2] = {2 * p->row[k], 2 * p->row[k] + 1}, cols[2] = {2 * j, 2 * j + 1};
            int *four = e->slots + 4 * (size_t)k;
            CD_TRY(cdi_pattern_slots(s->ctx, e->pattern, 2, rows, 2, cols, four));
            for (int c = 0; c < 4; c++) four[c] = map[four[c]];
        }
    }
    return CD_OK;
}

static CdStatus analyze(CdLinsol *s) {
    Embed *e = s->data = CD_TAKE(&s->arena, Embed, 1);
    if (!e) return CD_NOMEM;
    CD_TRY(real_pattern(s, e));
    CD_TRY(real_solver(s, e));
    CD_TRY(find_slots(s, e));
    for (int k = 0; k < s->pattern->nnz; k++) s->map[k] = k;
    s->nslots = (size_t)s->pattern->nnz;
    return CD_OK;
}

static void destroy(CdLinsol *s) {
    Embed *e = s->data;
    cdi_linsol_free(e->inner);
    cdi_pattern_free(e->pattern);
}

static CdStatus factor(CdLinsol *s, int *bad) {
    Embed *e = s->data;
    double *a = cdi_linsol_begin(e->inner);
    for (int k = 0; k < s->pattern->nnz; k++) {
        const double re = s->values[2 * (size_t)k], im = s->values[2 * (size_t)k + 1];
        const int *four = e->slots + 4 * (size_t)k;
        a[four[0]] = a[four[3]] = re;
        a[four[1]] = im;
        a[four[2]] = -im;
    }
    const CdStatus status = cdi_linsol_factor(e->inner);
    const int64_t solves = s->stats.solves;
    *bad = cdi_linsol_bad_column(e->inner) / 2;
    s->stats = cdi_linsol_stats(e->inner);
    s->stats.solves = solves;
    return status;
}

static void conjugate(const CdLinsol *s, int nrhs, double *b, int ldb) {
    for (int j = 0; j < nrhs; j++) {
        double *x = b + 2 * (size_t)j * (size_t)ldb;
        for (int i = 0; i < s->n; i++) x[2 * (size_t)i + 1] = -x[2 * (size_t)i + 1];
    }
}

static void solve(CdLinsol *s, int nrhs, double *b, int ldb, bool transposed) {
    CdLinsol *inner = ((Embed *)s->data)->inner;
    if (transposed) conjugate(s, nrhs, b, ldb);
    for (int j = 0; j < nrhs; j++) {
        inner->cls->solve(inner, 1, b + 2 * (size_t)j * (size_t)ldb, inner->n, transposed);
    }
    if (transposed) conjugate(s, nrhs, b, ldb);
}

static double weakest_pivot(const CdLinsol *s, int *column) {
    const double ratio = cdi_linsol_weakest_pivot(((Embed *)s->data)->inner, column);
    *column /= 2;
    return ratio;
}

const CdLinsolClass cdi_linsol_embed = {
    .complex = true,
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .weakest_pivot = weakest_pivot,
    .destroy = destroy,
};
