// dense_lu.c - LU factorisation with partial pivoting
//
//   P A = L U, L unit lower, U upper
//   |error| <= c n eps |L||U| (Wilkinson)
//
// Right-looking: pivot, scale the column, subtract the outer product. Row interchanges touch whole
// rows, as in LAPACK, so both makers give the same factors.
// Golub & Van Loan, Matrix Computations, sec. 3.4.
// Higham, Accuracy and Stability of Numerical Algorithms, alg. 15.1 (norm estimate).
#include <float.h>
#include <math.h>

#include "math/dense_kernels.h"
#include "math/lapack.h"

// steps of the norm estimate; two or three suffice nearly always, and LAPACK stops here too
#define CLIMBS_MAX 5

static void swap_rows(int n, double *a, int lda, int i, int k) {
    for (int j = 0; j < n; j++) swap(&CD_COL(a, lda, j)[i], &CD_COL(a, lda, j)[k]);
}

static int largest(int n, const double *x) {
    int p = 0;
    for (int i = 1; i < n; i++) p = fabs(x[i]) > fabs(x[p]) ? i : p;
    return p;
}

static void divide(int n, double s, double *x) {
    // the reciprocal of a tiny pivot overflows
    if (fabs(s) >= DBL_MIN) {
        s = 1 / s;
        for (int i = 0; i < n; i++) x[i] *= s;
    } else {
        for (int i = 0; i < n; i++) x[i] /= s;
    }
}

// first column whose pivot is zero; n if there is none
static int zero_pivot(int n, const double *lu, int lda) {
    int k = 0;
    while (k < n && CD_COL(lu, lda, k)[k] != 0) k++;
    return k;
}

CdStatus cdi_lu_factor_own(int n, double *a, int lda, int *piv, int *bad) {
    CD_TRY(cdi_dense_check(n, a, lda, false, bad));
    for (int k = 0; k < n; k++) {
        double *col = CD_COL(a, lda, k);
        const int p = k + largest(n - k, col + k);
        piv[k] = p + 1;
        if (col[p] == 0) continue;
        if (p != k) swap_rows(n, a, lda, k, p);
        divide(n - k - 1, col[k], col + k + 1);
        for (int j = k + 1; j < n; j++) {
            subtract(n - k - 1, CD_COL(a, lda, j)[k], col + k + 1, CD_COL(a, lda, j) + k + 1);
        }
    }
    return cdi_dense_verdict(n, a, lda, false, zero_pivot(n, a, lda), bad);
}

CdStatus cdi_lu_factor_lapack(int n, double *a, int lda, int *piv, int *bad) {
    CD_TRY(cdi_dense_check(n, a, lda, false, bad));
    int info;
    if (n > 0) dgetrf_(&n, &n, a, &lda, piv, &info);
    return cdi_dense_verdict(n, a, lda, false, zero_pivot(n, a, lda), bad);
}

CdStatus cdi_lu_factor(int n, double *a, int lda, int *piv, int *bad) {
    return n <= CD_DENSE_LU_OWN ? cdi_lu_factor_own(n, a, lda, piv, bad)
                                : cdi_lu_factor_lapack(n, a, lda, piv, bad);
}

// x = U^-1 L^-1 P b
static void solve_one(int n, const double *lu, int lda, const int *piv, double *b) {
    for (int k = 0; k < n; k++) swap(&b[k], &b[piv[k] - 1]);
    for (int k = 0; k < n; k++) subtract(n - k - 1, b[k], CD_COL(lu, lda, k) + k + 1, b + k + 1);
    upper_solve(n, lu, lda, b);
}

// x = P^T L^-T U^-T b
static void solve_one_t(int n, const double *lu, int lda, const int *piv, double *b) {
    for (int k = 0; k < n; k++) {
        const double *col = CD_COL(lu, lda, k);
        b[k] = (b[k] - dot(k, col, b)) / col[k];
    }
    for (int k = n - 1; k >= 0; k--) b[k] -= dot(n - k - 1, CD_COL(lu, lda, k) + k + 1, b + k + 1);
    for (int k = n - 1; k >= 0; k--) swap(&b[k], &b[piv[k] - 1]);
}

void cdi_lu_solve(int n, const double *lu, int lda, const int *piv, int nrhs, double *b, int ldb) {
    if (n > CD_DENSE_LU_OWN && nrhs > 1) {
        int info;
        dgetrs_("N", &n, &nrhs, lu, &lda, piv, b, &ldb, &info, 1);
        return;
    }
    for (int j = 0; j < nrhs; j++) solve_one(n, lu, lda, piv, CD_COL(b, ldb, j));
}

void cdi_lu_solve_t(int n, const double *lu, int lda, const int *piv, int nrhs, double *b,
                    int ldb) {
    if (n > CD_DENSE_LU_OWN && nrhs > 1) {
        int info;
        dgetrs_("T", &n, &nrhs, lu, &lda, piv, b, &ldb, &info, 1);
        return;
    }
    for (int j = 0; j < nrhs; j++) solve_one_t(n, lu, lda, piv, CD_COL(b, ldb, j));
}

int cdi_lu_sign(int n, const double *lu, int lda, const int *piv) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        const double u = CD_COL(lu, lda, k)[k];
        if (piv[k] != k + 1) sign = -sign;
        sign = u > 0 ? sign : (u < 0 ? -sign : 0);
    }
    return sign;
}

static double sum_abs(int n, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++) s += fabs(x[i]);
    return s;
}

// |A^-1|_1 >= |A^-1 x|_1 for |x|_1 = 1, climbing from x = e/n to unit vectors where the
// gradient A^-T sign(A^-1 x) is largest; as safeguard 2 |A^-1 x|_1/3n of the vector x of
// alternating signs that grows from 1 to 2. Infinite or NaN if A^-1 x overflows
static double inverse_norm1(int n, const double *lu, int lda, const int *piv, double *x,
                            double *y) {
    double norm = 0;
    for (int i = 0; i < n; i++) x[i] = 1.0 / n;
    for (int round = 0; round < CLIMBS_MAX; round++) {
        solve_one(n, lu, lda, piv, x);
        const double now = sum_abs(n, x);
        if (!(now > norm)) break;
        norm = now;
        for (int i = 0; i < n; i++) y[i] = x[i] < 0 ? -1 : 1;
        solve_one_t(n, lu, lda, piv, y);
        const int top = largest(n, y);
        for (int i = 0; i < n; i++) x[i] = i == top;
    }
    for (int i = 0; i < n; i++) x[i] = (i % 2 ? -1 : 1) * (1 + (double)i / (n > 1 ? n - 1 : 1));
    solve_one(n, lu, lda, piv, x);
    const double guard = 2 * sum_abs(n, x) / (3.0 * n);
    return norm > guard ? norm : guard;
}

double cdi_lu_rcond(int n, const double *lu, int lda, const int *piv, double norm1, double *work) {
    if (n == 0) return 1;
    if (zero_pivot(n, lu, lda) < n || !(norm1 > 0)) return 0;
    // the product is hardly below 1 and does not vanish; 1/norm1 may overflow
    const double condition = norm1 * inverse_norm1(n, lu, lda, piv, work, work + n);
    return condition > 0 ? 1 / condition : 0;
}
