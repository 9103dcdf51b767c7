// dense_chol.c - Cholesky factorisation of symmetric positive definite matrices
//
//   A = L L^T, only lower triangles are touched
//
// Left to right, each column is reduced by those before it (rank-one updates to the right, columns
// contiguous). Golub & Van Loan, Matrix Computations, sec. 4.2.
#include "math/dense.h"

#include <math.h>

#include "math/lapack.h"

#define COL(a, j) ((a) + (size_t)(j) * (size_t)lda)

static CdStatus fail(CdStatus status, int k, int *bad) {
    if (bad) *bad = k;
    return status;
}

// y -= s x
static void subtract(int n, double s, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] -= s * x[i];
}

CdStatus cdi_chol_factor_own(int n, double *a, int lda, int *bad) {
    if (!isfinite(cdi_dense_max_lower(n, a, lda))) return fail(CD_NONFINITE, 0, bad);
    for (int k = 0; k < n; k++) {
        double *col = COL(a, k);
        if (!isfinite(col[k])) return fail(CD_NONFINITE, k, bad);
        if (col[k] <= 0) return fail(CD_SINGULAR, k, bad);
        col[k] = sqrt(col[k]);
        const double s = 1 / col[k];
        for (int i = k + 1; i < n; i++) col[i] *= s;
        for (int j = k + 1; j < n; j++) subtract(n - j, col[j], col + j, COL(a, j) + j);
    }
    return fail(CD_OK, n, bad);
}

CdStatus cdi_chol_factor_lapack(int n, double *a, int lda, int *bad) {
    if (!isfinite(cdi_dense_max_lower(n, a, lda))) return fail(CD_NONFINITE, 0, bad);
    int info = 0;
    if (n > 0) dpotrf_("L", &n, a, &lda, &info, 1);
    const int k = info > 0 ? info - 1 : n;
    for (int i = 0; i < n && i <= k; i++) {
        if (!isfinite(COL(a, i)[i])) return fail(CD_NONFINITE, i, bad);
    }
    return fail(k < n ? CD_SINGULAR : CD_OK, k, bad);
}

CdStatus cdi_chol_factor(int n, double *a, int lda, int *bad) {
    return n <= CD_DENSE_CHOL_OWN ? cdi_chol_factor_own(n, a, lda, bad)
                                  : cdi_chol_factor_lapack(n, a, lda, bad);
}

// x = L^-T L^-1 b
static void solve_one(int n, const double *l, int lda, double *b) {
    for (int k = 0; k < n; k++) {
        b[k] /= COL(l, k)[k];
        subtract(n - k - 1, b[k], COL(l, k) + k + 1, b + k + 1);
    }
    for (int k = n - 1; k >= 0; k--) {
        double s = b[k];
        for (int i = k + 1; i < n; i++) s -= COL(l, k)[i] * b[i];
        b[k] = s / COL(l, k)[k];
    }
}

void cdi_chol_solve(int n, const double *l, int lda, int nrhs, double *b, int ldb) {
    if (n > CD_DENSE_CHOL_OWN && nrhs > 1) {
        int info;
        dpotrs_("L", &n, &nrhs, l, &lda, b, &ldb, &info, 1);
        return;
    }
    for (int j = 0; j < nrhs; j++) solve_one(n, l, lda, b + (size_t)j * (size_t)ldb);
}
