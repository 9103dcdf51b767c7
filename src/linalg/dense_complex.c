// dense_complex.c - LU factorisation of small complex matrices with partial pivoting
//
//   P A = L U, L unit lower, U upper, pivots largest in |re| + |im|
//
// Right-looking, as the real one. Quotients are Smith's, which do not overflow on the way.
// Golub & Van Loan, Matrix Computations, 4th ed., sec. 3.4; Smith, Comm. ACM 5 (1962) 435.
#include "linalg/dense_complex.h"

#include <math.h>

#define AT(a, i, j) ((a) + 2 * ((size_t)(i) + (size_t)(j) * (size_t)n))

static double size_of(const double z[2]) {
    return fabs(z[0]) + fabs(z[1]);
}

// y -= a x
static inline void subtract(const double a[2], const double x[2], double y[2]) {
    const double re = a[0] * x[0] - a[1] * x[1], im = a[0] * x[1] + a[1] * x[0];
    y[0] -= re;
    y[1] -= im;
}

// y /= a
static void divide(const double a[2], double y[2]) {
    double re, im;
    if (fabs(a[0]) >= fabs(a[1])) {
        const double t = a[1] / a[0], d = a[0] + a[1] * t;
        re = (y[0] + y[1] * t) / d;
        im = (y[1] - y[0] * t) / d;
    } else {
        const double t = a[0] / a[1], d = a[0] * t + a[1];
        re = (y[0] * t + y[1]) / d;
        im = (y[1] * t - y[0]) / d;
    }
    y[0] = re;
    y[1] = im;
}

static void swap(double a[2], double b[2]) {
    for (int c = 0; c < 2; c++) {
        const double t = a[c];
        a[c] = b[c];
        b[c] = t;
    }
}

static int choose(int n, const double *a, int k) {
    int p = k;
    for (int i = k + 1; i < n; i++) p = size_of(AT(a, i, k)) > size_of(AT(a, p, k)) ? i : p;
    return p;
}

static void eliminate(int n, double *a, int k) {
    for (int i = k + 1; i < n; i++) divide(AT(a, k, k), AT(a, i, k));
    for (int j = k + 1; j < n; j++) {
        const double *u = AT(a, k, j);
        for (int i = k + 1; i < n; i++) subtract(u, AT(a, i, k), AT(a, i, j));
    }
}

CdStatus cdi_lu_complex_factor(int n, double *a, int *piv, int *bad) {
    for (int k = 0; k < n; k++) {
        const int p = piv[k] = choose(n, a, k);
        *bad = k;
        if (size_of(AT(a, p, k)) == 0) return CD_SINGULAR;
        if (!isfinite(size_of(AT(a, p, k)))) return CD_NONFINITE;
        for (int j = 0; j < n && p != k; j++) swap(AT(a, k, j), AT(a, p, j));
        eliminate(n, a, k);
    }
    *bad = -1;
    return CD_OK;
}

static void solve(int n, const double *lu, double *b) {
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            subtract(b + 2 * (size_t)k, AT(lu, i, k), b + 2 * (size_t)i);
    }
    for (int k = n - 1; k >= 0; k--) {
        divide(AT(lu, k, k), b + 2 * (size_t)k);
        for (int i = 0; i < k; i++) subtract(b + 2 * (size_t)k, AT(lu, i, k), b + 2 * (size_t)i);
    }
}

static void solve_t(int n, const double *lu, double *b) {
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++) subtract(AT(lu, i, k), b + 2 * (size_t)i, b + 2 * (size_t)k);
        divide(AT(lu, k, k), b + 2 * (size_t)k);
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int i = k + 1; i < n; i++)
            subtract(AT(lu, i, k), b + 2 * (size_t)i, b + 2 * (size_t)k);
    }
}

void cdi_lu_complex_solve(int n, const double *lu, const int *piv, bool transposed, double *b) {
    for (int k = 0; k < n && !transposed; k++) swap(b + 2 * (size_t)k, b + 2 * (size_t)piv[k]);
    (transposed ? solve_t : solve)(n, lu, b);
    for (int k = n - 1; k >= 0 && transposed; k--) swap(b + 2 * (size_t)k, b + 2 * (size_t)piv[k]);
}
