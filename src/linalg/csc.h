// csc.h - sparse matrices: numbers for the entries of a pattern, real or complex
//
// A complex matrix has pairs (re, im) for entries, and vectors have pairs for elements. Sums run
// over columns from first to last and down each column, so the same numbers give the same bits.
// Nothing allocates unless it has a context.
#ifndef CARDAN_LINALG_CSC_H
#define CARDAN_LINALG_CSC_H

#include "linalg/pattern.h"

// a view: neither the pattern nor the numbers are owned
typedef struct CdCsc {
    const CdPattern *pattern;
    double *v; // pattern->nnz, twice as many if complex
    bool complex;
} CdCsc;

// y += alpha A x; transposed: y += alpha A^T x (not conjugated)
void cdi_csc_mul_add(const CdCsc *a, bool transposed, double alpha, const double *x, double *y);

// NaN if any entry is
double cdi_csc_max(const CdCsc *a);                    // largest |a_ij|
double cdi_csc_norm1(const CdCsc *a);                  // largest column sum of |a_ij|
double cdi_csc_norm_inf(const CdCsc *a, double *work); // largest row sum; work: rows

// a_ij *= r_i c_j; NULL: ones
void cdi_csc_scale(CdCsc *a, const double *r, const double *c);

// to[map[k]] = entry k, and back
void cdi_csc_scatter(const CdCsc *a, const int *map, double *to);
void cdi_csc_gather(CdCsc *a, const int *map, const double *from);

// column-major, a(i, j) = dense[i + j*lda]; a real or complex view
void cdi_csc_to_dense(const CdCsc *a, double *dense, int lda);
// pattern and numbers (cdi_free) of what is not zero in a real matrix
CdStatus cdi_csc_from_dense(CdContext *ctx, int rows, int cols, const double *dense, int lda,
                            CdPattern **pattern, double **v);

#endif
