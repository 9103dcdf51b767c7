// elliptic.h - Jacobi's elliptic functions by the arithmetic-geometric mean
//
//   a_n+1 = (a_n + b_n)/2      b_n+1 = sqrt(a_n b_n)      c_n+1 = (a_n - b_n)/2
//   phi_N = 2^N a_N u          sin(2 phi_n-1 - phi_n) = c_n/a_n sin phi_n
//
// sn = sin phi_0, cn = cos phi_0; K = pi/(2 a_N). Abramowitz & Stegun 16.4, 17.6.
#ifndef CARDAN_PROBLEMS_ELLIPTIC_H
#define CARDAN_PROBLEMS_ELLIPTIC_H

#include <math.h>

// the mean converges quadratically
#define AGM_STEPS 6

// of modulus k; K is the quarter period
static inline void jacobi(double u, double k, double *sn, double *cn, double *dn, double *K) {
    double a[AGM_STEPS + 1] = {1}, c[AGM_STEPS + 1] = {k}, b = sqrt(1 - k * k);
    for (int n = 0; n < AGM_STEPS; n++) {
        a[n + 1] = (a[n] + b) / 2;
        c[n + 1] = (a[n] - b) / 2;
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[AGM_STEPS] * u, AGM_STEPS);
    for (int n = AGM_STEPS; n > 0; n--) phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(1 - k * k * *sn * *sn);
    *K = acos(0) / a[AGM_STEPS];
}

#endif
