// heavytop.h - the heavy top of Bruls and Cardona: its data, and rotations as quaternions
//
// m = 15, centre of mass X = (0, 1, 0) in the body, J = diag(0.234375, 0.46875, 0.234375) about it,
// gravity along -z, R(0) = I, Omega(0) = (0, 150, -4.61538).
// Bruls & Cardona, J. Comput. Nonlinear Dynam. 5 (2010) 031002.
#ifndef CARDAN_PROBLEMS_HEAVYTOP_H
#define CARDAN_PROBLEMS_HEAVYTOP_H

#include "math/quat.h"

#define TOP_MASS 15.0
#define TOP_GRAVITY 9.81
#define TOP_T_END 0.1

static const double top_inertia[3] = {0.234375, 0.46875, 0.234375};
static const double top_centre[3] = {0, 1, 0};

// q exp(delta); out may be q
static inline void top_retract(const double *q, const double *delta, double *out) {
    double e[4], r[4];
    quat_exp(delta, e);
    quat_mul(q, e, r);
    for (int i = 0; i < 4; i++) out[i] = r[i];
}

// log(q0* q1)
static inline void top_difference(const double *q1, const double *q0, double *delta) {
    double conj[4], r[4];
    quat_conj(q0, conj);
    quat_mul(conj, q1, r);
    quat_log(r, delta);
}

static inline void top_normalise(double *q) {
    double u[4];
    quat_unit(q, u);
    for (int i = 0; i < 4; i++) q[i] = u[i];
}

// -w x (J w)
static inline void top_gyroscopic(const double w[3], const double J[3], double out[3]) {
    const double L[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
    cross3(L, w, out);
}

#endif
