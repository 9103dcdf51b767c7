// dense.c - norms of dense matrices
//
//   max |a_ij|, over all of a matrix or its lower triangle, and |A|_1 = max_j sum_i |a_ij|
//
// One pass of the maximum before a factorisation finds bad numbers: it is NaN or infinite if an
// entry is. Golub & Van Loan, Matrix Computations, sec. 2.3.
#include "math/dense.h"

#include <math.h>

// the larger, NaN if one is
static double larger(double max, double x) {
    const double y = fabs(x);
    return y > max || y != y ? y : max;
}

static double column_max(int m, const double *a, double max) {
    double part[4] = {max, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= m; i += 4) {
        for (int k = 0; k < 4; k++) part[k] = larger(part[k], a[i + k]);
    }
    for (; i < m; i++) part[0] = larger(part[0], a[i]);
    return larger(larger(part[0], part[1]), larger(part[2], part[3]));
}

double cdi_dense_max(int m, int n, const double *a, int lda) {
    double max = 0;
    for (int j = 0; j < n; j++) max = column_max(m, a + (size_t)j * (size_t)lda, max);
    return max;
}

double cdi_dense_max_lower(int n, const double *a, int lda) {
    double max = 0;
    for (int j = 0; j < n; j++) max = column_max(n - j, a + j + (size_t)j * (size_t)lda, max);
    return max;
}

double cdi_dense_norm1(int n, const double *a, int lda) {
    double max = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(a[i + (size_t)j * (size_t)lda]);
        max = larger(max, sum);
    }
    return max;
}
