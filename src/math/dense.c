// dense.c - norms of dense matrices, and whether a factorisation has come out well
//
//   max |a_ij|, over all of a matrix or its lower triangle
//   |A|_1 = max_j sum_i |a_ij|
//
// One pass before a factorisation, and one after it, finds bad numbers.
// Golub & Van Loan, Matrix Computations, sec. 2.3.
#include <math.h>

#include "math/dense_kernels.h"

#define PROBES 8 // numbers that are looked at side by side

// the larger, NaN if one is
static double larger(double max, double x) {
    const double y = fabs(x);
    return y > max || y != y ? y : max;
}

static double column_max(int m, const double *a, double max) {
    double part[CD_DENSE_LANES] = {max};
    int i = 0;
    for (; i + CD_DENSE_LANES <= m; i += CD_DENSE_LANES) {
        for (int k = 0; k < CD_DENSE_LANES; k++) part[k] = larger(part[k], a[i + k]);
    }
    for (; i < m; i++) part[0] = larger(part[0], a[i]);
    return larger(larger(part[0], part[1]), larger(part[2], part[3]));
}

double cdi_dense_max(int m, int n, const double *a, int lda) {
    double max = 0;
    for (int j = 0; j < n; j++) max = column_max(m, CD_COL(a, lda, j), max);
    return max;
}

double cdi_dense_max_lower(int n, const double *a, int lda) {
    double max = 0;
    for (int j = 0; j < n; j++) max = column_max(n - j, CD_COL(a, lda, j) + j, max);
    return max;
}

double cdi_dense_norm1(int n, const double *a, int lda) {
    double max = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(CD_COL(a, lda, j)[i]);
        max = larger(max, sum);
    }
    return max;
}

int cdi_dense_exponent(double max) {
    int e = 0;
    if (max > 0) frexp(max, &e);
    return e;
}

// 0 times a number is 0, unless it is infinite or none; sums do not wait for each other
bool cdi_dense_finite(size_t n, const double *x) {
    double sum[PROBES] = {0}, total = 0;
    size_t k = 0;
    for (; k + PROBES <= n; k += PROBES) {
        for (size_t i = 0; i < PROBES; i++) sum[i] += 0 * x[k + i];
    }
    for (; k < n; k++) total += 0 * x[k];
    for (size_t i = 0; i < PROBES; i++) total += sum[i];
    return total == 0;
}

CdStatus cdi_dense_check(int n, const double *a, int lda, bool lower, int *bad) {
    const size_t all = (size_t)n * (size_t)n;
    int j = 0;
    if (!lower && lda == n && cdi_dense_finite(all, a)) return tell(CD_OK, n, bad);
    for (; j < n; j++) {
        const int first = lower ? j : 0;
        if (!cdi_dense_finite((size_t)(n - first), CD_COL(a, lda, j) + first)) break;
    }
    return tell(j < n ? CD_NONFINITE : CD_OK, j, bad);
}

CdStatus cdi_dense_verdict(int n, const double *a, int lda, bool lower, int zero, int *bad) {
    CD_TRY(cdi_dense_check(n, a, lda, lower, bad));
    return tell(zero < n ? CD_SINGULAR : CD_OK, zero, bad);
}
