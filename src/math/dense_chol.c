// dense_chol.c - Cholesky factorisation of symmetric positive definite matrices
//
//   A = L L^T, only lower triangles are touched
//
// Each column, once finished, is subtracted from those to its right, columns contiguous. An l_ij
// that overflows takes the pivot of row i with it, where l_ij^2 is subtracted: it is enough to look
// at the pivots. Golub & Van Loan, Matrix Computations, sec. 4.2.
#include <math.h>

#include "math/dense_kernels.h"
#include "math/lapack.h"

CdStatus cdi_chol_factor_own(int n, double *a, int lda, int *bad) {
    CD_TRY(cdi_dense_check(n, a, lda, true, bad));
    for (int k = 0; k < n; k++) {
        double *col = CD_COL(a, lda, k);
        if (!isfinite(col[k])) return tell(CD_NONFINITE, k, bad);
        if (col[k] <= 0) return tell(CD_SINGULAR, k, bad);
        col[k] = sqrt(col[k]);
        const double s = 1 / col[k];
        for (int i = k + 1; i < n; i++) col[i] *= s;
        for (int j = k + 1; j < n; j++) subtract(n - j, col[j], col + j, CD_COL(a, lda, j) + j);
    }
    return tell(CD_OK, n, bad);
}

CdStatus cdi_chol_factor_lapack(int n, double *a, int lda, int *bad) {
    CD_TRY(cdi_dense_check(n, a, lda, true, bad));
    int info = 0;
    if (n > 0) dpotrf_("L", &n, a, &lda, &info, 1);
    const int k = info > 0 ? info - 1 : n;
    for (int i = 0; i < n && i <= k; i++) {
        if (!isfinite(CD_COL(a, lda, i)[i])) return tell(CD_NONFINITE, i, bad);
    }
    return tell(k < n ? CD_SINGULAR : CD_OK, k, bad);
}

CdStatus cdi_chol_factor(int n, double *a, int lda, int *bad) {
    return n <= CD_DENSE_CHOL_OWN ? cdi_chol_factor_own(n, a, lda, bad)
                                  : cdi_chol_factor_lapack(n, a, lda, bad);
}

// x = L^-T L^-1 b
static void solve_one(int n, const double *l, int lda, double *b) {
    lower_solve(n, l, lda, b);
    lower_solve_t(n, l, lda, b);
}

void cdi_chol_solve(int n, const double *l, int lda, int nrhs, double *b, int ldb) {
    if (n > CD_DENSE_CHOL_OWN && nrhs > 1) {
        int info;
        dpotrs_("L", &n, &nrhs, l, &lda, b, &ldb, &info, 1);
        return;
    }
    for (int j = 0; j < nrhs; j++) solve_one(n, l, lda, CD_COL(b, ldb, j));
}
