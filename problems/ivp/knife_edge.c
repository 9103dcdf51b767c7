// knife_edge.c - a skate on a slope, which may glide but not slip: a nonholonomic constraint
//
//   x'' = a - lambda sin phi      y'' = lambda cos phi      phi'' = 0
//   0 = x' sin phi - y' cos phi
//
//   x = a/(2 w^2) sin^2 wt      y = a/(2 w^2) (wt - sin(2wt)/2)      phi = wt
//   lambda = 2a sin wt
//
// It does not run down the slope but drifts across it. Bloch, Nonholonomic Mechanics and Control,
// 1.6.

#include <math.h>

#include "ivp.h"

#define A 4.905 // g sin 30 deg
#define W 1.5

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    f[0] = A;
    f[1] = f[2] = 0;
    return CD_OK;
}

static CdStatus jacobian(void *data, const CdPoint *at, double *N) {
    (void)data;
    N[0] = sin(at->q[2]);
    N[1] = -cos(at->q[2]);
    N[2] = 0;
    return CD_OK;
}

static CdStatus acceleration_terms(void *data, const CdPoint *at, double *gamma) {
    (void)data;
    const double *v = at->v, phi = at->q[2];
    gamma[0] = v[2] * (v[0] * cos(phi) + v[1] * sin(phi));
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    const double s = sin(W * t), r = A / (2 * W * W);
    at->q[0] = r * s * s;
    at->q[1] = r * (W * t - sin(2 * W * t) / 2);
    at->q[2] = W * t;
    at->v[0] = r * W * sin(2 * W * t);
    at->v[1] = 2 * r * W * s * s;
    at->v[2] = W;
    at->lambda[0] = 2 * A * s;
}

static const double q0[] = {0, 0, 0}, v0[] = {0, 0, W};

const IvpProblem ivp_knife_edge = {
    .name = "knife_edge",
    .doc = "Skate on a slope, a nonholonomic constraint",
    .source = "exact",
    .problem = {.name = "knife_edge",
                .nv = 3,
                .nn = 1,
                .force = force,
                .mass_constant = true,
                .constraint_jacobian = jacobian,
                .acceleration_terms = acceleration_terms},
    .t_end = 3,
    .q0 = q0,
    .v0 = v0,
    .exact = exact,
};
