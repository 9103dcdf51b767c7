// reference.h - long double references of matrix functions, independent of the closed forms
//
//   exp(A) = sum A^n/n!    phi(A) = (e^A - 1)/A = sum A^n/(n+1)!
//
// Plain Taylor sums: rounding 5e-20 times e^|A|, below 5e-17 up to |A| = 7; exp of larger A by
// scaling and squaring. Inverse by Gauss-Jordan with pivoting. Matrices are row-major n x n.
// Higham, Functions of Matrices, ch. 10.
#ifndef CARDAN_TESTS_MATH_REFERENCE_H
#define CARDAN_TESTS_MATH_REFERENCE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define REF_MAX 36 // entries of the largest matrix

static const long double ref_pi = 3.14159265358979323846264338327950288L;

static inline void ref_mul(int n, const long double *a, const long double *b, long double *out) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            long double s = 0;
            for (int k = 0; k < n; k++) s += a[n * i + k] * b[n * k + j];
            out[n * i + j] = s;
        }
    }
}

// sum of A^n/(n + shift)!
static inline void ref_taylor(int n, const long double *a, int shift, long double *out) {
    long double term[REF_MAX] = {0}, next[REF_MAX];
    for (int i = 0; i < n; i++) term[(n + 1) * i] = 1;
    memcpy(out, term, (size_t)(n * n) * sizeof *term);
    for (int k = 1; k < 80; k++) {
        ref_mul(n, term, a, next);
        for (int i = 0; i < n * n; i++) {
            term[i] = next[i] / (k + shift);
            out[i] += term[i];
        }
    }
}

static inline void ref_phi(int n, const long double *a, long double *out) {
    ref_taylor(n, a, 1, out);
}

static inline void ref_exp(int n, const long double *a, long double *out) {
    long double norm = 0, scaled[REF_MAX], t[REF_MAX];
    for (int i = 0; i < n * n; i++) norm = fmaxl(norm, fabsl(a[i]));
    int halvings = 0;
    for (; norm > 1; norm /= 2) halvings++;
    for (int i = 0; i < n * n; i++) scaled[i] = ldexpl(a[i], -halvings);
    ref_taylor(n, scaled, 0, out);
    for (; halvings > 0; halvings--) {
        ref_mul(n, out, out, t);
        memcpy(out, t, (size_t)(n * n) * sizeof *t);
    }
}

static inline void ref_inv(int n, const long double *a, long double *out) {
    long double m[6][12] = {{0}};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) m[i][j] = a[n * i + j];
        m[i][n + i] = 1;
    }
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++) p = fabsl(m[i][k]) > fabsl(m[p][k]) ? i : p;
        for (int j = 0; j < 2 * n; j++) {
            long double t = m[k][j];
            m[k][j] = m[p][j];
            m[p][j] = t;
        }
        for (int i = 0; i < n; i++) {
            long double f = i == k ? 1 - 1 / m[k][k] : m[i][k] / m[k][k];
            for (int j = 2 * n - 1; j >= k; j--) m[i][j] -= f * m[k][j];
        }
    }
    for (int i = 0; i < n * n; i++) out[i] = m[i / n][n + i % n];
}

static inline void ref_skew(const double w[3], long double out[9]) {
    const long double s[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
    memcpy(out, s, sizeof s);
}

// largest difference over the largest entry of the reference; infinite if a number is bad
static inline double ref_error(int n, const double *got, const long double *ref) {
    long double err = 0, size = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(got[i])) return INFINITY;
        err = fmaxl(err, fabsl(got[i] - ref[i]));
        size = fmaxl(size, fabsl(ref[i]));
    }
    return (double)(err > 0 ? err / size : 0);
}

// the largest error seen, and where
typedef struct RefWorst {
    double error, at;
} RefWorst;

static inline void ref_worst(RefWorst *worst, double error, double at) {
    if (!(error <= worst->error)) *worst = (RefWorst){error, at};
}

#define CHECK_WORST(worst, tol) ref_check(__FILE__, __LINE__, #worst, &(worst), tol)
static inline void ref_check(const char *file, int line, const char *what, const RefWorst *worst,
                             double tol) {
    printf("     %-16s max error %.2e at %.6g\n", what, worst->error, worst->at);
    test_near(file, line, what, worst->error, 0, tol);
}

// angles that matter: 1e-300 ... top by ratio, 0 ... top evenly, and close to the switch points
// 2 (a b c), 4 (a b at half the angle), pi (d, log), 2 atan(1/4) (t)
#define REF_NANGLES 8000
static inline int ref_angles(double top, double out[REF_NANGLES]) {
    static const double special[] = {2, 4, 3.141592653589793, 0.48995732625372834, 1, 1e-8, 1e-4};
    int n = 0;
    out[n++] = 0;
    for (int i = 0; i <= 3000; i++) out[n++] = top * pow(10, -300.0 * i / 3000);
    for (int i = 0; i < 1000; i++) out[n++] = top * pow(10, -20.0 * i / 1000);
    for (int i = 1; i < 3000; i++) out[n++] = top * i / 3000;
    for (int k = 0; k < 7; k++) {
        for (int i = -60; i <= 60; i++) {
            double step = (i < 0 ? -1 : 1) * pow(10, -16.5 + abs(i) / 4.0) * (i != 0);
            double theta = special[k] * (1 + step);
            if (theta <= top) out[n++] = theta;
        }
    }
    return n;
}

static inline void ref_direction(TestRandom *r, double length, double out[3]) {
    double s = 0;
    while (!(s > 0.01 && s < 1)) {
        s = 0;
        for (int i = 0; i < 3; i++) out[i] = test_random(r, -1, 1), s += out[i] * out[i];
    }
    for (int i = 0; i < 3; i++) out[i] *= length / sqrt(s);
}

#endif
