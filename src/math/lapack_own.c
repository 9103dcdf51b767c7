// lapack_own.c - LAPACK's routines by our own kernels, compiled where there is no LAPACK
//
// Same factors in the same form, without blocks: large matrices take longer. Only what this library
// calls, with the arguments it gives: lower triangles, vectors wanted, work as long as asked for.
#include "math/dense_kernels.h"
#include "math/lapack.h"

// info of LAPACK: column from 1 of what made it fail
static int info_of(CdStatus status, const int *bad) {
    return status == CD_OK ? 0 : *bad + 1;
}

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info) {
    int bad;
    (void)m;
    *info = info_of(cdi_lu_factor_own(*n, a, *lda, ipiv, &bad), &bad);
}

void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t ltrans) {
    (void)ltrans;
    for (int j = 0; j < *nrhs; j++) {
        (*trans == 'T' ? cdi_lu_solve_t : cdi_lu_solve)(*n, a, *lda, ipiv, 1, CD_COL(b, *ldb, j),
                                                        *ldb);
    }
    *info = 0;
}

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t luplo) {
    int bad;
    (void)uplo;
    (void)luplo;
    *info = info_of(cdi_chol_factor_own(*n, a, *lda, &bad), &bad);
}

void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info, size_t luplo) {
    (void)uplo;
    (void)luplo;
    for (int j = 0; j < *nrhs; j++) cdi_chol_solve(*n, a, *lda, 1, CD_COL(b, *ldb, j), *ldb);
    *info = 0;
}

void dsytrf_(const char *uplo, const int *n, double *a, const int *lda, int *ipiv, double *work,
             const int *lwork, int *info, size_t luplo) {
    int bad;
    (void)uplo;
    (void)work;
    (void)lwork;
    (void)luplo;
    *info = info_of(cdi_ldlt_factor_own(*n, a, *lda, ipiv, &bad), &bad);
}

void dsytrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t luplo) {
    (void)uplo;
    (void)luplo;
    for (int j = 0; j < *nrhs; j++) cdi_ldlt_solve(*n, a, *lda, ipiv, 1, CD_COL(b, *ldb, j), *ldb);
    *info = 0;
}

void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
             double *work, const int *lwork, int *info) {
    int rank;
    (void)lwork;
    *info = cdi_qr_factor_own(*m, *n, a, *lda, jpvt, tau, work, &rank) == CD_OK ? 0 : -1;
}

void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t ljobz,
             size_t luplo) {
    (void)jobz;
    (void)uplo;
    (void)lwork;
    (void)iwork;
    (void)liwork;
    (void)ljobz;
    (void)luplo;
    *info = cdi_eig_own(*n, a, *lda, w, work) == CD_OK ? 0 : 1;
}

void dsygst_(const int *itype, const char *uplo, const int *n, double *a, const int *lda,
             const double *b, const int *ldb, int *info, size_t luplo) {
    (void)itype;
    (void)uplo;
    (void)luplo;
    cdi_eig_reduce(*n, a, *lda, b, *ldb);
    *info = 0;
}

void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs,
             const double *a, const int *lda, double *b, const int *ldb, int *info, size_t luplo,
             size_t ltrans, size_t ldiag) {
    (void)uplo;
    (void)trans;
    (void)diag;
    (void)luplo;
    (void)ltrans;
    (void)ldiag;
    for (int j = 0; j < *nrhs; j++) lower_solve_t(*n, a, *lda, CD_COL(b, *ldb, j));
    *info = 0;
}
