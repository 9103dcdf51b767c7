// leading.c - y' from B y' = phi with a constant B that may be singular
//
// Rows of zeros leave as many y' open as there are columns of zeros, usually those of algebraic
// unknowns: these get y' = 0. If B is singular beside that, the shortest y' with the least residual
// is taken from B P = Q R.
// Golub & Van Loan, Matrix Computations, 4th ed., sec. 5.5.
#include <math.h>
#include <string.h>

#include "problem/work.h"

// a pivot below this part of its column counts as 0
#define SINGULAR_PIVOT 1e-14
// more rows are too many for a full matrix
#define FULL_MAX 2000

static void find_zeros(const CdPattern *a, const double *B, bool *row, bool *column) {
    for (int j = 0; j < a->cols; j++) row[j] = column[j] = true;
    for (int j = 0; j < a->cols; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            if (B[k] != 0) row[a->row[k]] = column[j] = false;
        }
    }
}

static int next_true(const bool *x, int i, int n) {
    while (i < n && !x[i]) i++;
    return i;
}

// B with ones where the k-th row and the k-th column of zeros meet
static CdStatus fill_up(CdiProblem *p, CdiLeading *l, const bool *column) {
    const CdPattern *a = p->work->leading_pattern;
    const double *B = p->user.leading;
    const int n = p->ny;
    CdPatternBuilder b;
    cdi_pattern_begin(&b, p->ctx, n, n, false);
    for (int j = 0; j < n; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            if (B[k] != 0) cdi_pattern_add(&b, a->row[k], j);
        }
    }
    int i = next_true(l->zero_row, 0, n), j = next_true(column, 0, n);
    for (; i < n && j < n; i = next_true(l->zero_row, i + 1, n), j = next_true(column, j + 1, n)) {
        cdi_pattern_add(&b, i, j);
    }
    return cdi_pattern_end(&b, &l->pattern);
}

static CdStatus factor_sparse(CdiProblem *p, CdiLeading *l) {
    const CdPattern *a = p->work->leading_pattern;
    CD_TRY(cdi_linsol_new(p->ctx, p->setup.linsol, l->pattern, NULL, &l->linsol));
    const int *map = cdi_linsol_map(l->linsol);
    double *v = cdi_linsol_begin(l->linsol);
    for (int j = 0; j < p->ny; j++) {
        for (int k = l->pattern->ptr[j]; k < l->pattern->ptr[j + 1]; k++) {
            const int slot = cdi_pattern_slot(a, l->pattern->row[k], j);
            const double b = slot >= 0 ? p->user.leading[slot] : 0;
            v[map[k]] = b != 0 ? b : 1;
        }
    }
    CD_TRY(cdi_linsol_factor(l->linsol));
    int column;
    return cdi_linsol_weakest_pivot(l->linsol, &column) > SINGULAR_PIVOT ? CD_OK : CD_SINGULAR;
}

static CdStatus factor_dense(CdiProblem *p, CdiLeading *l) {
    const size_t n = (size_t)p->ny;
    if (p->ny > FULL_MAX) {
        return cdi_fail(p->ctx, CD_LIMIT,
                        "problem '%s': 'leading' is singular beside its empty rows, and with %d "
                        "rows too large for a full factor; add up equations so that rows are empty",
                        cdi_problem_name(p), p->ny);
    }
    l->qr = CD_TAKE(&p->arena, double, n *n);
    l->jpvt = CD_TAKE(&p->arena, int, n);
    l->tau = CD_TAKE(&p->arena, double, n);
    l->b = CD_TAKE(&p->arena, double, n);
    l->work = CD_TAKE(&p->arena, double, cdi_qr_work(p->ny, p->ny));
    if (!l->qr || !l->jpvt || !l->tau || !l->b || !l->work) return CD_NOMEM;
    const CdCsc a = {.pattern = p->work->leading_pattern, .v = (double *)p->user.leading};
    cdi_csc_to_dense(&a, l->qr, p->ny);
    return cdi_qr_factor(p->ny, p->ny, l->qr, p->ny, l->jpvt, l->tau, l->work, &l->rank);
}

CdStatus cdi_leading_new(CdiProblem *p, CdiLeading *l) {
    const CdPattern *a = p->work->leading_pattern;
    for (int k = 0; k < a->nnz; k++) {
        if (!isfinite(p->user.leading[k])) {
            return cdi_fail(p->ctx, CD_INVALID, "problem '%s': entry %d of 'leading' is %g",
                            cdi_problem_name(p), k, p->user.leading[k]);
        }
    }
    l->zero_row = CD_TAKE(&p->arena, bool, (size_t)p->ny);
    bool *column = CD_TAKE(&p->arena, bool, (size_t)p->ny);
    if (!l->zero_row || !column) return CD_NOMEM;
    find_zeros(a, p->user.leading, l->zero_row, column);
    CD_TRY(fill_up(p, l, column));
    const CdStatus status = factor_sparse(p, l);
    return status == CD_SINGULAR ? factor_dense(p, l) : status;
}

void cdi_leading_free(CdiLeading *l) {
    cdi_linsol_free(l->linsol);
    cdi_pattern_free(l->pattern);
}

CdStatus cdi_leading_solve(CdiProblem *p, CdiLeading *l, double *phi) {
    p->counts.solves++;
    if (l->qr) {
        memcpy(l->b, phi, (size_t)p->ny * sizeof *phi);
        cdi_qr_solve(p->ny, p->ny, l->qr, p->ny, l->jpvt, l->tau, l->rank, l->b, phi, l->work);
        return CD_OK;
    }
    for (int i = 0; i < p->ny; i++) {
        if (l->zero_row[i]) phi[i] = 0;
    }
    return cdi_linsol_solve(l->linsol, 1, phi, p->ny, false);
}
