// dense_eig.c - eigenvalues and eigenvectors of symmetric matrices, and of K x = lambda M x
//
//   A = V diag(lambda) V^T by cyclic Jacobi rotations when small, dsyevd above
//   K x = lambda M x:  M = L L^T,  C = L^-1 K L^-T,  C y = lambda y,  x = L^-T y
//
// A rotation annihilates a_pq: t = sign(z)/(|z| + sqrt(1 + z^2)), z = (a_qq - a_pp)/(2 a_pq).
// Sweeps end when every a_pq is below eps sqrt(a_pp a_qq) or an absolute floor. Golub & Van Loan,
// Matrix Computations, sec. 8.5 and 8.7.
#include "math/dense.h"

#include <float.h>
#include <math.h>

#include "math/lapack.h"

#define COL(a, j) ((a) + (size_t)(j) * (size_t)lda)
#define SWEEPS_MAX 60 // eight suffice in practice

size_t cdi_eig_work(int n) {
    const size_t k = (size_t)n;
    return 1 + 6 * k + 2 * k * k;
}

size_t cdi_eig_iwork(int n) {
    return 3 + 5 * (size_t)n;
}

// columns p, q of X turned: (x_p, x_q) <- (c x_p - s x_q, s x_p + c x_q)
static void turn(int n, double *restrict x, double *restrict y, double c, double s) {
    for (int i = 0; i < n; i++) {
        const double u = x[i], v = y[i];
        x[i] = c * u - s * v;
        y[i] = s * u + c * v;
    }
}

// annihilate b_pq of the full symmetric n x n matrix b
static void rotate(int n, double *b, double *v, int ldv, int p, int q) {
    double *bp = b + (size_t)p * (size_t)n, *bq = b + (size_t)q * (size_t)n;
    const double z = (bq[q] - bp[p]) / (2 * bp[q]);
    const double t = copysign(1, z) / (fabs(z) + sqrt(1 + z * z));
    const double c = 1 / sqrt(1 + t * t), s = t * c, shift = t * bp[q];
    const double app = bp[p] - shift, aqq = bq[q] + shift;
    turn(n, bp, bq, c, s);
    for (int j = 0; j < n; j++) {
        b[p + (size_t)j * (size_t)n] = bp[j];
        b[q + (size_t)j * (size_t)n] = bq[j];
    }
    bp[p] = app;
    bq[q] = aqq;
    bp[q] = bq[p] = 0;
    turn(n, v + (size_t)p * (size_t)ldv, v + (size_t)q * (size_t)ldv, c, s);
}

// one pass over all pairs; the number of rotations
static int sweep(int n, double *b, double *v, int ldv, double tiny) {
    int count = 0;
    for (int p = 0; p < n; p++) {
        for (int q = p + 1; q < n; q++) {
            const size_t col = (size_t)p * (size_t)n;
            const double scale = sqrt(fabs(b[p + col])) * sqrt(fabs(b[q + (size_t)q * (size_t)n]));
            const double off = fabs(b[q + col]);
            if (!(off > tiny) || !(off > 0.5 * DBL_EPSILON * scale)) continue;
            rotate(n, b, v, ldv, p, q);
            count++;
        }
    }
    return count;
}

// ascending; vectors move with their values
static void sort(int n, double *v, int lda, double *lambda) {
    for (int k = 0; k + 1 < n; k++) {
        int p = k;
        for (int j = k + 1; j < n; j++) p = lambda[j] < lambda[p] ? j : p;
        if (p == k) continue;
        const double t = lambda[k];
        lambda[k] = lambda[p];
        lambda[p] = t;
        for (int i = 0; i < n; i++) {
            const double u = COL(v, k)[i];
            COL(v, k)[i] = COL(v, p)[i];
            COL(v, p)[i] = u;
        }
    }
}

// b = A scaled to [1/2, 1), both triangles; A = I
static void unpack(int n, double *a, int lda, double *b, int e) {
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            const double x = ldexp(COL(a, j)[i], -e);
            b[i + (size_t)j * (size_t)n] = b[j + (size_t)i * (size_t)n] = x;
        }
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) COL(a, j)[i] = i == j;
    }
}

CdStatus cdi_eig_own(int n, double *a, int lda, double *lambda, double *work) {
    const double max = cdi_dense_max_lower(n, a, lda);
    if (!isfinite(max)) return CD_NONFINITE;
    int e = 0, rotations = 1;
    if (max > 0) frexp(max, &e);
    unpack(n, a, lda, work, e);
    for (int i = 0; i < SWEEPS_MAX && rotations > 0; i++) {
        rotations = sweep(n, work, a, lda, DBL_MIN);
    }
    for (int j = 0; j < n; j++) lambda[j] = ldexp(work[j + (size_t)j * (size_t)n], e);
    sort(n, a, lda, lambda);
    return rotations == 0 ? CD_OK : CD_NOCONV;
}

CdStatus cdi_eig_lapack(int n, double *a, int lda, double *lambda, double *work, int *iwork) {
    if (!isfinite(cdi_dense_max_lower(n, a, lda))) return CD_NONFINITE;
    if (n == 0) return CD_OK;
    int info, lwork = (int)cdi_eig_work(n), liwork = (int)cdi_eig_iwork(n);
    dsyevd_("V", "L", &n, a, &lda, lambda, work, &lwork, iwork, &liwork, &info, 1, 1);
    return info == 0 ? CD_OK : CD_NOCONV;
}

CdStatus cdi_eig(int n, double *a, int lda, double *lambda, double *work, int *iwork) {
    return n <= CD_DENSE_EIG_OWN ? cdi_eig_own(n, a, lda, lambda, work)
                                 : cdi_eig_lapack(n, a, lda, lambda, work, iwork);
}

// x = L^-1 x
static void forward(int n, const double *l, int lda, double *x) {
    for (int k = 0; k < n; k++) {
        x[k] /= COL(l, k)[k];
        for (int i = k + 1; i < n; i++) x[i] -= x[k] * COL(l, k)[i];
    }
}

// x = L^-T x
static void backward(int n, const double *l, int lda, double *x) {
    for (int k = n - 1; k >= 0; k--) {
        for (int i = k + 1; i < n; i++) x[k] -= COL(l, k)[i] * x[i];
        x[k] /= COL(l, k)[k];
    }
}

// K <- L^-1 K L^-T
static void reduce(int n, double *k, int ldk, const double *l, int ldl) {
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) k[i + (size_t)j * (size_t)ldk] = k[j + (size_t)i * (size_t)ldk];
    }
    for (int j = 0; j < n; j++) forward(n, l, ldl, k + (size_t)j * (size_t)ldk);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double s = k[i + (size_t)j * (size_t)ldk];
            for (int c = 0; c < j; c++) {
                s -= k[i + (size_t)c * (size_t)ldk] * l[j + (size_t)c * (size_t)ldl];
            }
            k[i + (size_t)j * (size_t)ldk] = s / l[j + (size_t)j * (size_t)ldl];
        }
    }
}

static CdStatus general_own(int n, double *k, int ldk, const double *l, int ldl, double *lambda,
                            double *work) {
    reduce(n, k, ldk, l, ldl);
    CD_TRY(cdi_eig_own(n, k, ldk, lambda, work));
    for (int j = 0; j < n; j++) backward(n, l, ldl, k + (size_t)j * (size_t)ldk);
    return CD_OK;
}

static CdStatus general_lapack(int n, double *k, int ldk, const double *l, int ldl, double *lambda,
                               double *work, int *iwork) {
    int info, type = 1;
    dsygst_(&type, "L", &n, k, &ldk, l, &ldl, &info, 1);
    CD_TRY(cdi_eig_lapack(n, k, ldk, lambda, work, iwork));
    dtrtrs_("L", "T", "N", &n, &n, l, &ldl, k, &ldk, &info, 1, 1, 1);
    return CD_OK;
}

CdStatus cdi_eig_general(int n, double *k, int ldk, double *m, int ldm, double *lambda,
                         double *work, int *iwork, int *bad) {
    CD_TRY(cdi_chol_factor(n, m, ldm, bad));
    if (!isfinite(cdi_dense_max_lower(n, k, ldk))) return CD_NONFINITE;
    return n <= CD_DENSE_EIG_OWN ? general_own(n, k, ldk, m, ldm, lambda, work)
                                 : general_lapack(n, k, ldk, m, ldm, lambda, work, iwork);
}
