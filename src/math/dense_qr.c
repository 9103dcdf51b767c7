// dense_qr.c - QR factorisation with column pivoting, numerical rank, shortest least squares
//
//   A P = Q R,  Q = H_0 H_1 ...
//   H   = I - tau v v^T,  v = (1, ...) below the diagonal of R
//
// and for the shortest x of a matrix without full rank a second QR:
//
//   | R11^T |       | T |                   | T^-T (Q^T b)_1 |
//   |       | = Z   |   |         x = P Z   |                |
//   | R12^T |       | 0 |                   |        0       |
//
// The column of largest remaining norm is next; norms are updated and computed anew when too much
// has cancelled (Drmac & Bujanovic 2008). Entries are scaled by a power of two first, in both
// factorisations, so squares neither overflow nor vanish for any size of A.
// Golub & Van Loan, Matrix Computations, sec. 5.4; Lawson & Hanson, Solving Least Squares Problems.
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/dense_kernels.h"
#include "math/lapack.h"

#define LAPACK_BLOCK 32 // columns that dgeqp3 works on at once

static int smaller(int m, int n) {
    return m < n ? m : n;
}

size_t cdi_qr_work(int m, int n) {
    const size_t rows = (size_t)m, cols = (size_t)n, k = (size_t)smaller(m, n);
    const size_t factor = 2 * cols + (cols + 1) * LAPACK_BLOCK;
    const size_t solve = cols * k + k + cols;
    return (factor > solve ? factor : solve) + rows;
}

// x becomes (beta, v): H x = (beta, 0); returns tau
static double reflect(int n, double *x) {
    const double tail = n > 1 ? dot(n - 1, x + 1, x + 1) : 0;
    if (tail == 0) return 0;
    const double beta = -copysign(sqrt(x[0] * x[0] + tail), x[0]);
    const double tau = (beta - x[0]) / beta, s = 1 / (x[0] - beta);
    for (int i = 1; i < n; i++) x[i] *= s;
    x[0] = beta;
    return tau;
}

// y = H y, v[0] = 1 not stored
static void apply(int n, const double *restrict v, double tau, double *restrict y) {
    const double s = tau * (y[0] + dot(n - 1, v + 1, y + 1));
    y[0] -= s;
    for (int i = 1; i < n; i++) y[i] -= s * v[i];
}

// norm of a column after its row k has been split off: now, at the last full computation
static void shorten(int m, const double *col, int k, double *now, double *full) {
    if (*now == 0) return;
    const double ratio = fabs(col[k]) / *now;
    const double left = fmax(0, (1 + ratio) * (1 - ratio));
    const double r = *now / *full;
    if (left * r * r > sqrt(DBL_EPSILON)) {
        *now *= sqrt(left);
    } else {
        *now = *full = sqrt(dot(m - k - 1, col + k + 1, col + k + 1));
    }
}

// columns 0..n-1, rows 0..rows-1 (upper: rows 0..j) times 2^e, in two halves as 2^e may overflow
static void rescale(int rows, int n, double *a, int lda, bool upper, int e) {
    if (e == 0) return;
    const double s = ldexp(1, e / 2), t = ldexp(1, e - e / 2);
    for (int j = 0; j < n; j++) {
        const int m = upper ? smaller(j + 1, rows) : rows;
        for (int i = 0; i < m; i++) CD_COL(a, lda, j)[i] = CD_COL(a, lda, j)[i] * s * t;
    }
}

static int count_rank(int m, int n, const double *a, int lda) {
    const int k = smaller(m, n);
    if (k == 0) return 0;
    const double limit = (m > n ? m : n) * DBL_EPSILON * fabs(a[0]);
    int rank = 0;
    while (rank < k && fabs(CD_COL(a, lda, rank)[rank]) > limit) rank++;
    return rank;
}

static void pivot(int m, int n, double *a, int lda, int k, int *jpvt, double *now, double *full) {
    int p = k;
    for (int j = k + 1; j < n; j++) p = now[j] > now[p] ? j : p;
    if (p == k) return;
    swap_columns(m, CD_COL(a, lda, k), CD_COL(a, lda, p));
    const int t = jpvt[k];
    jpvt[k] = jpvt[p];
    jpvt[p] = t;
    now[p] = now[k];
    full[p] = full[k];
}

static void factor_own(int m, int n, double *a, int lda, int *jpvt, double *tau, double *work) {
    double *now = work, *full = work + n;
    for (int j = 0; j < n; j++) {
        jpvt[j] = j + 1;
        now[j] = full[j] = sqrt(dot(m, CD_COL(a, lda, j), CD_COL(a, lda, j)));
    }
    for (int k = 0; k < smaller(m, n); k++) {
        pivot(m, n, a, lda, k, jpvt, now, full);
        double *col = CD_COL(a, lda, k) + k;
        tau[k] = reflect(m - k, col);
        for (int j = k + 1; j < n; j++) {
            if (tau[k] != 0) apply(m - k, col, tau[k], CD_COL(a, lda, j) + k);
            shorten(m, CD_COL(a, lda, j), k, &now[j], &full[j]);
        }
    }
}

static void factor_lapack(int m, int n, double *a, int lda, int *jpvt, double *tau, double *work) {
    int info, lwork = 2 * n + (n + 1) * LAPACK_BLOCK;
    for (int j = 0; j < n; j++) jpvt[j] = 0;
    dgeqp3_(&m, &n, a, &lda, jpvt, tau, work, &lwork, &info);
}

static CdStatus factor(int m, int n, double *a, int lda, int *jpvt, double *tau, double *work,
                       int *rank, bool own) {
    *rank = 0;
    const double max = cdi_dense_max(m, n, a, lda);
    if (!isfinite(max)) return CD_NONFINITE;
    const int e = cdi_dense_exponent(max);
    for (int j = 0; j < n && m == 0; j++) jpvt[j] = j + 1;
    if (m == 0 || n == 0) return CD_OK;
    rescale(m, n, a, lda, false, -e);
    if (own) {
        factor_own(m, n, a, lda, jpvt, tau, work);
    } else {
        factor_lapack(m, n, a, lda, jpvt, tau, work);
    }
    const int found = count_rank(m, n, a, lda);
    rescale(m, n, a, lda, true, e);
    if (!isfinite(cdi_dense_max(m, n, a, lda))) return CD_NONFINITE;
    *rank = found;
    return CD_OK;
}

CdStatus cdi_qr_factor_own(int m, int n, double *a, int lda, int *jpvt, double *tau, double *work,
                           int *rank) {
    return factor(m, n, a, lda, jpvt, tau, work, rank, true);
}

CdStatus cdi_qr_factor_lapack(int m, int n, double *a, int lda, int *jpvt, double *tau,
                              double *work, int *rank) {
    return factor(m, n, a, lda, jpvt, tau, work, rank, false);
}

CdStatus cdi_qr_factor(int m, int n, double *a, int lda, int *jpvt, double *tau, double *work,
                       int *rank) {
    return factor(m, n, a, lda, jpvt, tau, work, rank, smaller(m, n) <= CD_DENSE_QR_OWN);
}

void cdi_qr_apply(int m, int n, const double *qr, int lda, const double *tau, bool transposed,
                  double *b) {
    const int count = smaller(m, n);
    for (int i = 0; i < count; i++) {
        const int k = transposed ? i : count - 1 - i;
        apply(m - k, CD_COL(qr, lda, k) + k, tau[k], b + k);
    }
}

// y of rank entries becomes the shortest solution of (R11 R12) y = y, n entries
static void shortest(int n, const double *qr, int lda, int rank, double *y, double *work) {
    double *z = work, *tau = CD_COL(work, n, rank);
    const int e = rank > 0 ? cdi_dense_exponent(fabs(qr[0])) : 0;
    for (int k = 0; k < rank; k++) {
        for (int j = 0; j < n; j++) CD_COL(z, n, k)[j] = j < k ? 0 : CD_COL(qr, lda, j)[k];
    }
    rescale(n, rank, z, n, false, -e);
    // T in the upper triangle of z; y = T^-T y on the way
    for (int k = 0; k < rank; k++) {
        double *col = CD_COL(z, n, k);
        for (int i = 0; i < k; i++) apply(n - i, CD_COL(z, n, i) + i, tau[i], col + i);
        tau[k] = reflect(n - k, col + k);
        y[k] = (y[k] - dot(k, col, y)) / col[k];
    }
    for (int j = rank; j < n; j++) y[j] = 0;
    for (int k = rank - 1; k >= 0; k--) apply(n - k, CD_COL(z, n, k) + k, tau[k], y + k);
    rescale(n, 1, y, n, false, -e);
}

void cdi_qr_solve(int m, int n, const double *qr, int lda, const int *jpvt, const double *tau,
                  int rank, double *b, double *x, double *work) {
    double *y = CD_COL(work, n, rank) + rank;
    cdi_qr_apply(m, n, qr, lda, tau, true, b);
    for (int k = 0; k < n; k++) y[k] = k < rank ? b[k] : 0;
    if (rank == n) {
        upper_solve(rank, qr, lda, y);
    } else {
        shortest(n, qr, lda, rank, y, work);
    }
    for (int j = 0; j < n; j++) x[jpvt[j] - 1] = y[j];
}
