// fortran.c - what LAPACK wants of the Fortran library, for a program that is linked without it
//
// xerbla is called for arguments that are wrong, which the routines then tell by info; it would
// print and stop. concat_string joins two texts: names of options for block sizes.
#include <stddef.h>
#include <string.h>

void xerbla_(const char *name, const int *argument, size_t n);
void _gfortran_concat_string(size_t nto, char *to, size_t na, const char *a, size_t nb,
                             const char *b);

void xerbla_(const char *name, const int *argument, size_t n) {
    (void)name;
    (void)argument;
    (void)n;
}

void _gfortran_concat_string(size_t nto, char *to, size_t na, const char *a, size_t nb,
                             const char *b) {
    const size_t first = na < nto ? na : nto;
    const size_t second = nb < nto - first ? nb : nto - first;
    memcpy(to, a, first);
    memcpy(to + first, b, second);
    memset(to + first + second, ' ', nto - first - second);
}
