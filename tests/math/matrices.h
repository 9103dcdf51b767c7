// matrices.h - test matrices and residuals for dense linear algebra, column-major, lda = n
//
//   |b - A x| / (|A| |x| + |b|) in the largest norm, accumulated in long double
//
// Higham, Accuracy and Stability of Numerical Algorithms, ch. 28.
#ifndef CARDAN_TESTS_MATH_MATRICES_H
#define CARDAN_TESTS_MATH_MATRICES_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "test.h"

#define N_MAX 140
#define NN_MAX (N_MAX * N_MAX)

typedef enum Kind { RANDOM, GRADED, HILBERT, NEAR_SINGULAR, PERMUTED, LARGE, SMALL, NKINDS } Kind;

static inline void mat_random(TestRandom *r, int m, int n, double *a) {
    for (int i = 0; i < m * n; i++) a[i] = test_random(r, -1, 1);
}

static inline void mat_make(TestRandom *r, Kind kind, int n, double *a) {
    mat_random(r, n, n, a);
    for (int i = 0; i < n * n; i++) {
        int row = i % n, col = i / n;
        if (kind == GRADED) a[i] *= pow(10, -12.0 * row / n + 6.0 * col / n);
        if (kind == HILBERT) a[i] = 1.0 / (row + col + 1);
        if (kind == PERMUTED) a[i] = (row * 7 + 3) % n == col ? 2.0 + row : 0;
        if (kind == LARGE) a[i] *= 1e150;
        if (kind == SMALL) a[i] *= 1e-150;
    }
    // the last column is the first but for 1e-14
    for (int i = 0; i < n && kind == NEAR_SINGULAR && n > 1; i++) {
        a[i + n * (n - 1)] = a[i] + 1e-14 * test_random(r, -1, 1);
    }
}

// A <- (A + A^T)/2
static inline void mat_symmetric(int n, double *a) {
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) a[i + n * j] = a[j + n * i] = (a[i + n * j] + a[j + n * i]) / 2;
    }
}

// orthogonal by reflections of the identity
static inline void mat_orthogonal(TestRandom *r, int n, double *q) {
    for (int i = 0; i < n * n; i++) q[i] = i % (n + 1) == 0;
    for (int k = 0; k < 3; k++) {
        double v[N_MAX], s = 0;
        for (int i = 0; i < n; i++) v[i] = test_random(r, -1, 1), s += v[i] * v[i];
        for (int j = 0; j < n; j++) {
            double d = 0;
            for (int i = 0; i < n; i++) d += v[i] * q[i + n * j];
            for (int i = 0; i < n; i++) q[i + n * j] -= 2 * d / s * v[i];
        }
    }
}

// A = Q diag(d) Q^T
static inline void mat_spectrum(TestRandom *r, int n, const double *d, double *a) {
    static double q[NN_MAX];
    mat_orthogonal(r, n, q);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            long double s = 0;
            for (int k = 0; k < n; k++) s += (long double)q[i + n * k] * d[k] * q[j + n * k];
            a[i + n * j] = (double)s;
        }
    }
    mat_symmetric(n, a);
}

static inline double mat_max(int count, const double *a) {
    double max = 0;
    for (int i = 0; i < count; i++) max = fmax(max, fabs(a[i]));
    return max;
}

// scaled residual of op(A) x = b over n eps
static inline double mat_residual(int n, const double *a, bool t, const double *x,
                                  const double *b) {
    long double worst = 0, size = 0;
    for (int i = 0; i < n; i++) {
        long double s = b[i], row = 0;
        for (int k = 0; k < n; k++) {
            const double e = t ? a[k + n * i] : a[i + n * k];
            s -= (long double)e * x[k];
            row += fabsl(e);
        }
        if (!isfinite(x[i])) return INFINITY;
        worst = fmaxl(worst, fabsl(s));
        size = fmaxl(size, row);
    }
    size = size * mat_max(n, x) + mat_max(n, b);
    return n == 0 ? 0 : (double)(worst / size / (n * DBL_EPSILON));
}

// orders on both sides of the change to LAPACK
static const int mat_orders[] = {1,  2,  3,  4,  5,  6,   7,   8,   9,   10,   11,
                                 12, 13, 16, 31, 64, 127, 128, 129, 130, N_MAX};
#define NORDERS ((int)(sizeof mat_orders / sizeof *mat_orders))

#endif
