// dense_ldlt.c - LDL^T factorisation of symmetric indefinite matrices
//
//   P A P^T = L D L^T, L unit lower, D with blocks of order 1 and 2
//
// Pivoting of Bunch and Kaufman: a diagonal pivot is taken if |a_kk| >= alpha times the largest of
// its column, alpha = (1 + sqrt(17))/8, or if a later one passes, else a 2 x 2 block, which is
// always indefinite. The form of dsytrf, lower. Inertia is that of D (Sylvester).
// Golub & Van Loan, Matrix Computations, sec. 4.4.
#include <math.h>

#include "math/dense_kernels.h"
#include "math/lapack.h"

#define LAPACK_BLOCK 64 // columns that dsytrf works on at once

static const double alpha = 0.6403882032022076; // (1 + sqrt(17))/8

size_t cdi_ldlt_work(int n) {
    return n > CD_DENSE_LDLT_OWN ? (size_t)n * LAPACK_BLOCK : 0;
}

// largest off-diagonal entry of the symmetric row i, columns from k on
static double row_max(int n, const double *a, int lda, int k, int i) {
    double max = 0;
    for (int j = k; j < i; j++) max = fmax(max, fabs(CD_COL(a, lda, j)[i]));
    for (int j = i + 1; j < n; j++) max = fmax(max, fabs(CD_COL(a, lda, i)[j]));
    return max;
}

// row and order of the pivot of column k; order 0 if the column is zero
static int choose(int n, const double *a, int lda, int k, int *row) {
    const double diagonal = fabs(CD_COL(a, lda, k)[k]);
    int i = k;
    double max = 0;
    for (int j = k + 1; j < n; j++) {
        const double y = fabs(CD_COL(a, lda, k)[j]);
        if (y > max) {
            max = y;
            i = j;
        }
    }
    *row = k;
    if (diagonal == 0 && max == 0) return 0;
    if (diagonal >= alpha * max) return 1;
    const double other = row_max(n, a, lda, k, i);
    if (diagonal >= alpha * max * (max / other)) return 1;
    *row = i;
    return fabs(CD_COL(a, lda, i)[i]) >= alpha * other ? 1 : 2;
}

// exchange rows and columns i < p of the trailing triangle
static void interchange(int n, double *a, int lda, int i, int p) {
    for (int j = p + 1; j < n; j++) swap(&CD_COL(a, lda, i)[j], &CD_COL(a, lda, p)[j]);
    for (int j = i + 1; j < p; j++) swap(&CD_COL(a, lda, i)[j], &CD_COL(a, lda, j)[p]);
    swap(&CD_COL(a, lda, i)[i], &CD_COL(a, lda, p)[p]);
}

static void eliminate1(int n, double *a, int lda, int k) {
    double *col = CD_COL(a, lda, k);
    const double d = col[k];
    for (int j = k + 1; j < n; j++) {
        const double s = col[j] / d;
        subtract(n - j, s, col + j, CD_COL(a, lda, j) + j);
        col[j] = s;
    }
}

// with D = (d11 d21; d21 d22) scaled by d21, as d21 is the largest of the block
static void eliminate2(int n, double *a, int lda, int k) {
    double *restrict c0 = CD_COL(a, lda, k), *restrict c1 = CD_COL(a, lda, k + 1);
    const double d21 = c0[k + 1], d11 = c1[k + 1] / d21, d22 = c0[k] / d21;
    const double t = 1 / (d11 * d22 - 1);
    for (int j = k + 2; j < n; j++) {
        const double l0 = t * ((d11 * c0[j] - c1[j]) / d21);
        const double l1 = t * ((d22 * c1[j] - c0[j]) / d21);
        double *restrict to = CD_COL(a, lda, j);
        for (int i = j; i < n; i++) to[i] -= c0[i] * l0 + c1[i] * l1;
        c0[j] = l0;
        c1[j] = l1;
    }
}

CdStatus cdi_ldlt_factor_own(int n, double *a, int lda, int *piv, int *bad) {
    CD_TRY(cdi_dense_check(n, a, lda, true, bad));
    int zero = n;
    for (int k = 0; k < n;) {
        int p;
        const int order = choose(n, a, lda, k, &p);
        const int i = order == 2 ? k + 1 : k;
        if (order == 0 && zero == n) zero = k;
        if (p != i) interchange(n, a, lda, i, p);
        if (p != i && order == 2) swap(&CD_COL(a, lda, k)[i], &CD_COL(a, lda, k)[p]);
        if (order == 1) eliminate1(n, a, lda, k);
        if (order == 2) eliminate2(n, a, lda, k);
        piv[k] = order == 2 ? -(p + 1) : p + 1;
        if (order == 2) piv[k + 1] = piv[k];
        k = i + 1;
    }
    return cdi_dense_verdict(n, a, lda, true, zero, bad);
}

CdStatus cdi_ldlt_factor_lapack(int n, double *a, int lda, int *piv, double *work, int *bad) {
    CD_TRY(cdi_dense_check(n, a, lda, true, bad));
    int info = 0, lwork = n * LAPACK_BLOCK;
    if (n > 0) dsytrf_("L", &n, a, &lda, piv, work, &lwork, &info, 1);
    return cdi_dense_verdict(n, a, lda, true, info > 0 ? info - 1 : n, bad);
}

CdStatus cdi_ldlt_factor(int n, double *a, int lda, int *piv, double *work, int *bad) {
    return n <= CD_DENSE_LDLT_OWN ? cdi_ldlt_factor_own(n, a, lda, piv, bad)
                                  : cdi_ldlt_factor_lapack(n, a, lda, piv, work, bad);
}

// b = D^-1 L^-1 P b, block by block; returns the order of the block at k
static int forward(int n, const double *ld, int lda, const int *piv, int k, double *b) {
    const double *c0 = CD_COL(ld, lda, k);
    if (piv[k] > 0) {
        swap(&b[k], &b[piv[k] - 1]);
        subtract(n - k - 1, b[k], c0 + k + 1, b + k + 1);
        b[k] /= c0[k];
        return 1;
    }
    const double *c1 = CD_COL(ld, lda, k + 1);
    swap(&b[k + 1], &b[-piv[k] - 1]);
    subtract(n - k - 2, b[k], c0 + k + 2, b + k + 2);
    subtract(n - k - 2, b[k + 1], c1 + k + 2, b + k + 2);
    const double d21 = c0[k + 1], d22 = c0[k] / d21, d11 = c1[k + 1] / d21;
    const double t = d22 * d11 - 1, y0 = b[k] / d21, y1 = b[k + 1] / d21;
    b[k] = (d11 * y0 - y1) / t;
    b[k + 1] = (d22 * y1 - y0) / t;
    return 2;
}

// b = P^T L^-T b for the block that ends at k; returns its order
static int backward(int n, const double *ld, int lda, const int *piv, int k, double *b) {
    b[k] -= dot(n - k - 1, CD_COL(ld, lda, k) + k + 1, b + k + 1);
    if (piv[k] > 0) {
        swap(&b[k], &b[piv[k] - 1]);
        return 1;
    }
    b[k - 1] -= dot(n - k - 1, CD_COL(ld, lda, k - 1) + k + 1, b + k + 1);
    swap(&b[k], &b[-piv[k] - 1]);
    return 2;
}

void cdi_ldlt_solve(int n, const double *ld, int lda, const int *piv, int nrhs, double *b,
                    int ldb) {
    if (n > CD_DENSE_LDLT_OWN && nrhs > 1) {
        int info;
        dsytrs_("L", &n, &nrhs, ld, &lda, piv, b, &ldb, &info, 1);
        return;
    }
    for (int j = 0; j < nrhs; j++) {
        double *x = CD_COL(b, ldb, j);
        for (int k = 0; k < n;) k += forward(n, ld, lda, piv, k, x);
        for (int k = n - 1; k >= 0;) k -= backward(n, ld, lda, piv, k, x);
    }
}

CdInertia cdi_ldlt_inertia(int n, const double *ld, int lda, const int *piv) {
    CdInertia in = {0, 0, 0};
    for (int k = 0; k < n; k++) {
        const double d = CD_COL(ld, lda, k)[k];
        if (piv[k] < 0) {
            in.positive++;
            in.negative++;
            k++;
        } else {
            in.positive += d > 0;
            in.negative += d < 0;
            in.zero += d == 0;
        }
    }
    return in;
}
