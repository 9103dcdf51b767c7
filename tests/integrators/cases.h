// cases.h - small problems with known solutions, for tests over all methods
#ifndef CARDAN_TESTS_INTEGRATORS_CASES_H
#define CARDAN_TESTS_INTEGRATORS_CASES_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/integrator.h"
#include "test.h"

#define FOR_METHODS(cls) \
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls != NULL; cls++)

// ---- u'' = -u as an ODE and as a mechanical system: u = cos t

static inline CdStatus wave_rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = at->y[1];
    dy[1] = -at->y[0];
    return CD_OK;
}

static inline CdStatus wave_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -at->q[0];
    return CD_OK;
}

static const CdProblem wave_ode = {.name = "wave", .ny = 2, .rate = wave_rate};
static const CdProblem wave_mechanical = {.name = "wave", .nv = 1, .force = wave_force};

// ---- pendulum of length 1 in x, y with g = 9.81, from rest at 90 degrees

#define GRAVITY 9.81

static inline CdStatus pendulum_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    (void)at;
    f[0] = 0;
    f[1] = -GRAVITY;
    return CD_OK;
}

static inline CdStatus pendulum_constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = (at->q[0] * at->q[0] + at->q[1] * at->q[1] - 1) / 2;
    return CD_OK;
}

static inline CdStatus pendulum_jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    J[0] = at->q[0];
    J[1] = at->q[1];
    return CD_OK;
}

static const CdProblem pendulum = {.name = "pendulum",
                                   .nv = 2,
                                   .force = pendulum_force,
                                   .ng = 1,
                                   .constraint = pendulum_constraint,
                                   .constraint_jacobian = pendulum_jacobian};

static inline double pendulum_energy(const CdPoint *at) {
    return (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2 + GRAVITY * at->q[1];
}

// ---- the method with a step; "adaptive=false" where it has control

static inline const char *with_step(const CdIntegratorClass *cls, double h, char text[80]) {
    snprintf(text, 80, "%s(step=%.17g%s)", cls->desc.name, h,
             cls->fixed_only ? "" : ", adaptive=false");
    return text;
}

#endif
