// pendulum.c - the plane pendulum in Cartesian coordinates, one constraint
//
//   x'' = -x lambda      y'' = -g - y lambda      0 = (x^2 + y^2 - 1)/2
//
// starts at (1, 0) at rest and is back there after 2. lambda = |v|^2 - g y; the exact motion is
// that of swing.h. Golden errors are told at t = 0.9. Hairer & Wanner, Solving Ordinary
// Differential Equations II, VII.1.

#include "ivp.h"
#include "matrix.h"
#include "swing.h"

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    f[0] = 0;
    f[1] = -SWING_GRAVITY;
    return CD_OK;
}

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    const double *q = at->q;
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    return CD_OK;
}

static CdStatus jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    J[0] = at->q[0];
    J[1] = at->q[1];
    return CD_OK;
}

static CdStatus velocity_terms(void *data, const CdPoint *at, double *terms) {
    (void)data, (void)at;
    terms[0] = 0;
    return CD_OK;
}

static CdStatus acceleration_terms(void *data, const CdPoint *at, double *gamma) {
    (void)data;
    gamma[0] = at->v[0] * at->v[0] + at->v[1] * at->v[1];
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    fill_diagonal(M, 2, 1);
    fill_diagonal(C, 2, 0);
    fill_diagonal(K, 2, at->lambda[0]);
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    double theta, w;
    swing(t, &theta, &w);
    const double q[] = {sin(theta), -cos(theta)};
    for (int i = 0; i < 2; i++) at->q[i] = q[i];
    at->v[0] = -w * q[1];
    at->v[1] = w * q[0];
    at->lambda[0] = w * w - SWING_GRAVITY * q[1];
}

static const double q0[] = {1, 0}, v0[] = {0, 0};

const IvpProblem ivp_pendulum = {
    .name = "pendulum",
    .doc = "Plane pendulum in Cartesian coordinates",
    .source = "exact, by elliptic functions",
    .problem = {.name = "pendulum",
                .nv = 2,
                .ng = 1,
                .force = force,
                .mass_constant = true,
                .constraint = constraint,
                .constraint_jacobian = jacobian,
                .velocity_terms = velocity_terms,
                .acceleration_terms = acceleration_terms,
                .derivatives = derivatives},
    .t_end = 0.9,
    .q0 = q0,
    .v0 = v0,
    .exact = exact,
    .condition = 3,
};
