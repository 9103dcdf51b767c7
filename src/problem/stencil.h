// stencil.h - steps and weights of difference quotients
//
//   forward   f' = (f(h) - f(0))/h                                 error h f''/2
//   central   f' = (f(h) - f(-h))/2h                               error h^2 f'''/6
//   fourth    f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h)))/12h       error h^4 f'''''/30
//
// and rounding |f| eps/h in each. Steps are relative to the size of what is moved, but not less
// than to a typical size, as 0 has none. Those in time are powers of two, so that t + h is exact.
// Fornberg, Math. Comp. 51 (1988) 699.
#ifndef CARDAN_PROBLEM_STENCIL_H
#define CARDAN_PROBLEM_STENCIL_H

#include <float.h>
#include <math.h>

#define FORWARD_STEP 0x1p-26  // sqrt(eps): for derivatives that only steer iterations
#define STATE_TYPICAL 1e-3    // size of a y, x or rate that is 0
#define SPEED_TYPICAL 1       // of a velocity, m/s or rad/s
#define CENTRAL_STEP 0x1p-12  // of constraint levels, which may be made by differences themselves
#define FOURTH_STEP 0x1p-10   // of J, near eps^(1/5)
#define LENGTH_TYPICAL 0x1p-4 // size of a coordinate that is small, m or rad
#define TIME_STEP 0x1p-12     // s, in time or along a motion slower than 1
#define TIME_STEP_2 0x1p-9    // s, of second derivatives

#define STENCIL 4
static const double stencil_at[STENCIL] = {-2, -1, 1, 2};

// derivative of element i from the values at the four points
static inline double stencil_rate(double *const f[STENCIL], int i, double h) {
    return (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * h);
}

#endif
