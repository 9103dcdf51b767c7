// swing.h - the exact motion of the pendulum that starts level and at rest, with period 2
//
//   theta = 2 asin(k sn(K + w t, k))      k = sin(theta_0/2) = 1/sqrt 2      w = sqrt g = 2 K
//   theta' = 2 k w cn(K + w t, k)
//
// theta is measured from hanging down. Whittaker, Analytical Dynamics, 44.
#ifndef CARDAN_PROBLEMS_SWING_H
#define CARDAN_PROBLEMS_SWING_H

#include "elliptic.h"

// (2 K(1/sqrt 2))^2, so that the period is 2
#define SWING_GRAVITY 13.750371636040745
#define SWING_PERIOD 2.0

static inline void swing(double t, double *theta, double *rate) {
    const double k = sqrt(0.5), w = sqrt(SWING_GRAVITY);
    double sn, cn, dn, K;
    jacobi(w / 2 + w * fmod(t, SWING_PERIOD), k, &sn, &cn, &dn, &K);
    *theta = 2 * asin(k * sn);
    *rate = 2 * k * w * cn;
}

#endif
