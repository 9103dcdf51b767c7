// dense_kernels.h - what the dense factorisations share: columns, sums, triangular solves, verdicts
//
//   A(i, j) = CD_COL(a, lda, j)[i]
//
// Private to dense*.c. Columns are contiguous, so every loop here runs down a column.
// Golub & Van Loan, Matrix Computations, sec. 3.1.
#ifndef CARDAN_MATH_DENSE_KERNELS_H
#define CARDAN_MATH_DENSE_KERNELS_H

#include "math/dense.h"

#define CD_COL(a, lda, j) ((a) + (size_t)(j) * (size_t)(lda))

// partial sums or maxima that run side by side
#define CD_DENSE_LANES 4

static inline void swap(double *a, double *b) {
    const double t = *a;
    *a = *b;
    *b = t;
}

static inline void swap_columns(int n, double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) swap(x + i, y + i);
}

static inline double dot(int n, const double *x, const double *y) {
    double s[CD_DENSE_LANES] = {0};
    int i = 0;
    for (; i + CD_DENSE_LANES <= n; i += CD_DENSE_LANES) {
        for (int k = 0; k < CD_DENSE_LANES; k++) s[k] += x[i + k] * y[i + k];
    }
    for (; i < n; i++) s[0] += x[i] * y[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

// y -= s x
static inline void subtract(int n, double s, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] -= s * x[i];
}

// x = L^-1 x
static inline void lower_solve(int n, const double *l, int ldl, double *x) {
    for (int k = 0; k < n; k++) {
        const double *col = CD_COL(l, ldl, k);
        x[k] /= col[k];
        subtract(n - k - 1, x[k], col + k + 1, x + k + 1);
    }
}

// x = L^-T x
static inline void lower_solve_t(int n, const double *l, int ldl, double *x) {
    for (int k = n - 1; k >= 0; k--) {
        const double *col = CD_COL(l, ldl, k);
        x[k] = (x[k] - dot(n - k - 1, col + k + 1, x + k + 1)) / col[k];
    }
}

// x = U^-1 x
static inline void upper_solve(int n, const double *u, int ldu, double *x) {
    for (int k = n - 1; k >= 0; k--) {
        const double *col = CD_COL(u, ldu, k);
        x[k] /= col[k];
        subtract(k, x[k], col, x);
    }
}

// a status and the column it is about
static inline CdStatus tell(CdStatus status, int column, int *bad) {
    if (bad) *bad = column;
    return status;
}

// exponent of two that brings the largest entry to [1/2, 1)
int cdi_dense_exponent(double max);

// CD_NONFINITE and *bad (NULL: unwanted) its column if an entry is NaN or infinite; n x n or its
// lower triangle
CdStatus cdi_dense_check(int n, const double *a, int lda, bool lower, int *bad);

// of a finished factorisation, as above, else CD_SINGULAR if the column zero of its first zero
// pivot is not n
CdStatus cdi_dense_verdict(int n, const double *a, int lda, bool lower, int zero, int *bad);

#endif
