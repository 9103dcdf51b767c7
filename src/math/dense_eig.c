// dense_eig.c - eigenvalues and eigenvectors of symmetric matrices, and of K x = lambda M x
//
//   A = V diag(lambda) V^T by cyclic Jacobi rotations when small, dsyevd above
//   K x = lambda M x:  M = L L^T,  C = L^-1 K L^-T,  C y = lambda y,  x = L^-T y
//
// A rotation annihilates a_pq:
//
//   t = tan(angle) = sign(z)/(|z| + sqrt(1 + z^2))
//   z = (a_qq - a_pp)/(2 a_pq)
//
// Sweeps end when every a_pq is below eps/2 sqrt(a_pp a_qq) or an absolute floor.
// Golub & Van Loan, Matrix Computations, sec. 8.5 and 8.7.
#include <float.h>
#include <math.h>

#include "math/dense_kernels.h"
#include "math/lapack.h"

#define SWEEPS_MAX 60 // eight suffice in practice

// what dsyevd asks for
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
    double *bp = CD_COL(b, n, p), *bq = CD_COL(b, n, q);
    const double z = (bq[q] - bp[p]) / (2 * bp[q]);
    const double t = copysign(1, z) / (fabs(z) + sqrt(1 + z * z));
    const double c = 1 / sqrt(1 + t * t), s = t * c, shift = t * bp[q];
    const double app = bp[p] - shift, aqq = bq[q] + shift;
    turn(n, bp, bq, c, s);
    for (int j = 0; j < n; j++) {
        CD_COL(b, n, j)[p] = bp[j];
        CD_COL(b, n, j)[q] = bq[j];
    }
    bp[p] = app;
    bq[q] = aqq;
    bp[q] = bq[p] = 0;
    turn(n, CD_COL(v, ldv, p), CD_COL(v, ldv, q), c, s);
}

// one pass over all pairs; the number of rotations
static int sweep(int n, double *b, double *v, int ldv, double tiny) {
    int count = 0;
    for (int p = 0; p < n; p++) {
        for (int q = p + 1; q < n; q++) {
            const double *col = CD_COL(b, n, p);
            const double scale = sqrt(fabs(col[p])) * sqrt(fabs(CD_COL(b, n, q)[q]));
            const double off = fabs(col[q]);
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
        swap(&lambda[k], &lambda[p]);
        swap_columns(n, CD_COL(v, lda, k), CD_COL(v, lda, p));
    }
}

// b = A scaled to [1/2, 1), both triangles; A = I
static void unpack(int n, double *a, int lda, double *b, int e) {
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            const double x = ldexp(CD_COL(a, lda, j)[i], -e);
            CD_COL(b, n, j)[i] = CD_COL(b, n, i)[j] = x;
        }
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) CD_COL(a, lda, j)[i] = i == j;
    }
}

// vectors are of unit length, but a value may be n times the largest entry
static CdStatus finite_values(int n, const double *lambda) {
    return isfinite(cdi_dense_max(1, n, lambda, 1)) ? CD_OK : CD_NONFINITE;
}

CdStatus cdi_eig_own(int n, double *a, int lda, double *lambda, double *work) {
    const double max = cdi_dense_max_lower(n, a, lda);
    if (!isfinite(max)) return CD_NONFINITE;
    const int e = cdi_dense_exponent(max);
    int rotations = 1;
    unpack(n, a, lda, work, e);
    for (int i = 0; i < SWEEPS_MAX && rotations > 0; i++) {
        rotations = sweep(n, work, a, lda, DBL_MIN);
    }
    for (int j = 0; j < n; j++) lambda[j] = ldexp(CD_COL(work, n, j)[j], e);
    sort(n, a, lda, lambda);
    return rotations == 0 ? finite_values(n, lambda) : CD_NOCONV;
}

CdStatus cdi_eig_lapack(int n, double *a, int lda, double *lambda, double *work, int *iwork) {
    if (!isfinite(cdi_dense_max_lower(n, a, lda))) return CD_NONFINITE;
    if (n == 0) return CD_OK;
    int info, lwork = (int)cdi_eig_work(n), liwork = (int)cdi_eig_iwork(n);
    dsyevd_("V", "L", &n, a, &lda, lambda, work, &lwork, iwork, &liwork, &info, 1, 1);
    return info == 0 ? finite_values(n, lambda) : CD_NOCONV;
}

CdStatus cdi_eig(int n, double *a, int lda, double *lambda, double *work, int *iwork) {
    return n <= CD_DENSE_EIG_OWN ? cdi_eig_own(n, a, lda, lambda, work)
                                 : cdi_eig_lapack(n, a, lda, lambda, work, iwork);
}

void cdi_eig_reduce(int n, double *k, int ldk, const double *l, int ldl) {
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) CD_COL(k, ldk, j)[i] = CD_COL(k, ldk, i)[j];
    }
    for (int j = 0; j < n; j++) lower_solve(n, l, ldl, CD_COL(k, ldk, j));
    for (int j = 0; j < n; j++) {
        double *col = CD_COL(k, ldk, j);
        for (int i = 0; i < n; i++) col[i] /= CD_COL(l, ldl, j)[j];
        for (int c = j + 1; c < n; c++) {
            subtract(n, CD_COL(l, ldl, j)[c], col, CD_COL(k, ldk, c));
        }
    }
}

static CdStatus general_own(int n, double *k, int ldk, const double *l, int ldl, double *lambda,
                            double *work) {
    cdi_eig_reduce(n, k, ldk, l, ldl);
    CD_TRY(cdi_eig_own(n, k, ldk, lambda, work));
    for (int j = 0; j < n; j++) lower_solve_t(n, l, ldl, CD_COL(k, ldk, j));
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
    CD_TRY(cdi_dense_check(n, k, ldk, true, NULL));
    CD_TRY(n <= CD_DENSE_EIG_OWN ? general_own(n, k, ldk, m, ldm, lambda, work)
                                 : general_lapack(n, k, ldk, m, ldm, lambda, work, iwork));
    return cdi_dense_check(n, k, ldk, false, NULL);
}
