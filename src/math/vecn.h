// vecn.h - long vectors for integrators, with the same bits on every processor
//
//   s_l = sum of element i over i = l mod 8
//   sum = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
//
// Sums run in tiles of eight in this order, whatever the width of the registers. No fma. A NaN
// or an infinity in a vector is in the result. An output may be one of the inputs.
// Higham, Accuracy and Stability of Numerical Algorithms, sec. 4.2 (pairwise sums).
#ifndef CARDAN_MATH_VECN_H
#define CARDAN_MATH_VECN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/isa.h"

typedef struct CdVecnOps {
    double (*dot)(size_t n, const double *x, const double *y);
    void (*axpy)(size_t n, double a, const double *x, double *y); // y += a x
    void (*scale)(size_t n, double a, double *x);                 // x *= a
    // out = c[0] x[0] + ... + c[k-1] x[k-1], summed in this order; 0 for k = 0
    void (*combine)(size_t n, int k, const double *c, const double *const *x, double *out);
    // sqrt(mean((x_i w_i)^2)); 0 if n = 0
    double (*wrms)(size_t n, const double *x, const double *w);
    double (*max)(size_t n, const double *x);  // largest |x_i|; 0 if n = 0
    bool (*finite)(size_t n, const double *x); // no NaN, no infinity
} CdVecnOps;

// the functions for one instruction set; NULL if this build or this processor does not have it
const CdVecnOps *cdi_vecn_ops(CdIsa isa);

// those of the widest; what an integrator takes once
const CdVecnOps *cdi_vecn(void);

#endif
