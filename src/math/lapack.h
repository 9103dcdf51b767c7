// lapack.h - the Fortran routines that take over from our own kernels when matrices are large
//
// Column-major storage, arguments by address, lengths of text arguments at the end by value (the
// convention of gfortran and flang). LAPACK prints and may stop on invalid arguments: callers check
// theirs first. Anderson et al., LAPACK Users' Guide, 3rd ed., SIAM 1999.
#ifndef CARDAN_MATH_LAPACK_H
#define CARDAN_MATH_LAPACK_H

#include <stddef.h>

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t ltrans);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t luplo);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info, size_t luplo);
void dsytrf_(const char *uplo, const int *n, double *a, const int *lda, int *ipiv, double *work,
             const int *lwork, int *info, size_t luplo);
void dsytrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t luplo);
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
             double *work, const int *lwork, int *info);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t ljobz,
             size_t luplo);
void dsygst_(const int *itype, const char *uplo, const int *n, double *a, const int *lda,
             const double *b, const int *ldb, int *info, size_t luplo);
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs,
             const double *a, const int *lda, double *b, const int *ldb, int *info, size_t luplo,
             size_t ltrans, size_t ldiag);

#endif
