// axes.h - forces along the axes of a marker, from the place of another one seen from it
//
//   x = p_AB_A,  x' = R_A^T (v_B - v_A) - w_A x x        F in axes of a, on b
//   on b: R_A F at its origin;  on a: -R_A F at its origin, moment -x x F, which balances the two
#ifndef CARDAN_ITEMS_AXES_H
#define CARDAN_ITEMS_AXES_H

#include "items/frame.h"

// kernel
static inline void axes_rate(const CdFrame *a, const double x[3], const double va[6],
                             const double vb[6], double rate[3]) {
    double dv[3], u[3], wx[3];
    for (int i = 0; i < 3; i++) dv[i] = vb[i] - va[i];
    tmul3v(a->R, dv, u);
    cross3(&va[3], x, wx);
    sub3(u, wx, rate);
}

// generalised forces of F; moments of b, in own axes, are 0
static inline void axes_force(const CdFrame *a, const double x[3], const double F[3],
                              double w[12]) {
    double f[3], m[3];
    mul3v(a->R, F, f);
    cross3(x, F, m);
    for (int i = 0; i < 3; i++) {
        w[i] = -f[i];
        w[3 + i] = -m[i];
        w[6 + i] = f[i];
        w[9 + i] = 0;
    }
}
// end kernel

#endif
