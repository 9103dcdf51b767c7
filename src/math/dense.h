// dense.h - dense factorisations of small and medium matrices: LU, Cholesky, LDL^T, QR, eigenpairs
//
// Storage is LAPACK's: column-major, A(i, j) = a[i + j*lda], lda >= max(1, rows). Symmetric
// matrices are read and written in their lower triangle only. Factors and pivots (counted from 1,
// negative for 2 x 2 blocks) have LAPACK's form whoever made them. Up to a measured order the own
// kernel works, above it LAPACK; *_own and *_lapack choose explicitly, for tests and benches.
//
// Nothing allocates: where work is needed, the _work function gives its number of doubles. Matrix
// entries that are NaN or infinite, and factors or eigenpairs that overflow, give CD_NONFINITE and
// the column in *bad (NULL: unwanted); n = 0 is a success. Failed factorisations leave the matrix
// undefined. Solves cannot fail: what overflows there is infinite or NaN in x.
// Golub & Van Loan, Matrix Computations, 4th ed.; Higham, Accuracy and Stability, 2nd ed.
#ifndef CARDAN_MATH_DENSE_H
#define CARDAN_MATH_DENSE_H

#include "base/context.h"

// largest order of the own kernels. Parts of the time of reference LAPACK 3.11 (AMD EPYC, gcc -O3):
//
//   order       4    6    8    16   64   128
//   LU         0.3             0.5  0.7  0.8
//   Cholesky   0.3             0.4  0.7  0.6
//   LDL^T      0.4             0.5  0.9  0.5
//   QR         0.5             0.6  0.5  0.5
//   Jacobi     0.5  0.9  1.15  2.6
//
// Larger ones are left to LAPACK since optimised builds are blocked. Where there is none, its
// routines are the own kernels (lapack_own.c).
#define CD_DENSE_LU_OWN 128
#define CD_DENSE_CHOL_OWN 128
#define CD_DENSE_LDLT_OWN 128
#define CD_DENSE_QR_OWN 128
#define CD_DENSE_EIG_OWN 6

// no NaN, no infinity; vecn.h has the same by the widest registers, which must be asked for
bool cdi_dense_finite(size_t n, const double *x);
// largest absolute value, NaN if any entry is NaN; rows m, columns n
double cdi_dense_max(int m, int n, const double *a, int lda);
double cdi_dense_max_lower(int n, const double *a, int lda); // of a lower triangle
double cdi_dense_norm1(int n, const double *a, int lda); // largest column sum of an n x n matrix

// LU with partial pivoting, P A = L U. An exactly zero pivot is CD_SINGULAR, *bad its column from
// 0, the first if there are several
CdStatus cdi_lu_factor(int n, double *a, int lda, int *piv, int *bad);
CdStatus cdi_lu_factor_own(int n, double *a, int lda, int *piv, int *bad);
CdStatus cdi_lu_factor_lapack(int n, double *a, int lda, int *piv, int *bad);
// A X = B or A^T X = B in place
void cdi_lu_solve(int n, const double *lu, int lda, const int *piv, int nrhs, double *b, int ldb);
void cdi_lu_solve_t(int n, const double *lu, int lda, const int *piv, int nrhs, double *b, int ldb);
int cdi_lu_sign(int n, const double *lu, int lda, const int *piv); // of the determinant: -1, 0, 1
// estimate of 1/(|A|_1 |A^-1|_1), at most three times too large in practice, 0 if A^-1 overflows;
// norm1 of A before factoring, work 2n
double cdi_lu_rcond(int n, const double *lu, int lda, const int *piv, double norm1, double *work);

// Cholesky A = L L^T. Not positive definite is CD_SINGULAR, *bad the column from 0
CdStatus cdi_chol_factor(int n, double *a, int lda, int *bad);
CdStatus cdi_chol_factor_own(int n, double *a, int lda, int *bad);
CdStatus cdi_chol_factor_lapack(int n, double *a, int lda, int *bad);
void cdi_chol_solve(int n, const double *l, int lda, int nrhs, double *b, int ldb);

// LDL^T with the pivoting of Bunch and Kaufman, for symmetric indefinite matrices
typedef struct CdInertia {
    int positive, negative, zero;
} CdInertia;

size_t cdi_ldlt_work(int n);
// a zero block of D is CD_SINGULAR, *bad its column from 0; the inertia is valid then too
CdStatus cdi_ldlt_factor(int n, double *a, int lda, int *piv, double *work, int *bad);
CdStatus cdi_ldlt_factor_own(int n, double *a, int lda, int *piv, int *bad);
CdStatus cdi_ldlt_factor_lapack(int n, double *a, int lda, int *piv, double *work, int *bad);
void cdi_ldlt_solve(int n, const double *ld, int lda, const int *piv, int nrhs, double *b, int ldb);
CdInertia cdi_ldlt_inertia(int n, const double *ld, int lda, const int *piv);

// QR with column pivoting, A P = Q R of an m x n matrix; tau has min(m, n) entries, column j of A P
// is column jpvt[j] - 1 of A. rank counts |r_kk| > max(m, n) eps |r_00|, which is free of scale.
size_t cdi_qr_work(int m, int n); // for factor and for solve
CdStatus cdi_qr_factor(int m, int n, double *a, int lda, int *jpvt, double *tau, double *work,
                       int *rank);
CdStatus cdi_qr_factor_own(int m, int n, double *a, int lda, int *jpvt, double *tau, double *work,
                           int *rank);
CdStatus cdi_qr_factor_lapack(int m, int n, double *a, int lda, int *jpvt, double *tau,
                              double *work, int *rank);
// Q b (transposed: Q^T b) in place, b of m entries
void cdi_qr_apply(int m, int n, const double *qr, int lda, const double *tau, bool transposed,
                  double *b);
// x of n entries: of all that minimise |A x - b| the shortest. b of m entries becomes Q^T b, whose
// entries behind the rank are the residual
void cdi_qr_solve(int m, int n, const double *qr, int lda, const int *jpvt, const double *tau,
                  int rank, double *b, double *x, double *work);

// eigenpairs of a symmetric matrix, ascending; a becomes the orthonormal eigenvectors by columns
size_t cdi_eig_work(int n);  // doubles
size_t cdi_eig_iwork(int n); // ints
CdStatus cdi_eig(int n, double *a, int lda, double *lambda, double *work, int *iwork);
CdStatus cdi_eig_own(int n, double *a, int lda, double *lambda, double *work);
CdStatus cdi_eig_lapack(int n, double *a, int lda, double *lambda, double *work, int *iwork);
// K <- L^-1 K L^-T, both triangles
void cdi_eig_reduce(int n, double *k, int ldk, const double *l, int ldl);
// K x = lambda M x, M positive definite (else CD_SINGULAR, *bad): k becomes the eigenvectors with
// X^T M X = I, m the Cholesky factor
CdStatus cdi_eig_general(int n, double *k, int ldk, double *m, int ldm, double *lambda,
                         double *work, int *iwork, int *bad);

#endif
