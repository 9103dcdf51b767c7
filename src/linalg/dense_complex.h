// dense_complex.h - LU factorisation of small complex matrices; math/dense.h has the real ones
//
// Column-major pairs (re, im): A(i, j) at a[2*(i + j*n)]. Nothing allocates.
#ifndef CARDAN_LINALG_DENSE_COMPLEX_H
#define CARDAN_LINALG_DENSE_COMPLEX_H

#include "base/context.h"

// P A = L U in place; row k was exchanged with row piv[k] >= k. CD_SINGULAR, *bad the column: a
// pivot is zero; CD_NONFINITE, *bad the column: numbers overflowed on the way
CdStatus cdi_lu_complex_factor(int n, double *a, int *piv, int *bad);
// A x = b, transposed: A^T x = b (not conjugated), in place
void cdi_lu_complex_solve(int n, const double *lu, const int *piv, bool transposed, double *b);

#endif
