// mechanical.c - a user's own mechanism from M, f, G, g: a pendulum of 2 kg and 1.5 m
#include <stdio.h>

#include "cardan/integrator.h"

static const double m = 2, length = 1.5, gravity = 9.81;

static CdStatus mass(void *data, const CdPoint *at, double *M) {
    (void)data, (void)at;
    M[0] = M[3] = m;
    M[1] = M[2] = 0;
    return CD_OK;
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    f[0] = 0;
    f[1] = -m * gravity;
    return CD_OK;
}

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = (at->q[0] * at->q[0] + at->q[1] * at->q[1] - length * length) / 2;
    return CD_OK;
}

static CdStatus jacobian(void *data, const CdPoint *at, double *G) {
    (void)data;
    G[0] = at->q[0];
    G[1] = at->q[1];
    return CD_OK;
}

int main(void) {
    double q0[] = {length, 0};
    const CdProblem pendulum = {.name = "pendulum",
                                .nv = 2,
                                .mass = mass,
                                .force = force,
                                .ng = 1,
                                .constraint = constraint,
                                .constraint_jacobian = jacobian};
    CdContext *ctx = cd_context_new(NULL);
    CdIntegrator *it = NULL;
    CdStatus status =
        cd_integrator_new(ctx, &pendulum, "gen-alpha(adaptive=false, step=1 ms)", &it);
    if (status == CD_OK) status = cd_integrator_start(it, &(CdPoint){.t = 0, .q = q0});
    if (status == CD_OK) status = cd_integrator_run(it, 1, NULL);
    const CdPoint *end = status == CD_OK ? cd_integrator_now(it) : NULL;
    if (end)
        printf("q(1) = %.4f %.4f, force in the rod %.3f N\n", end->q[0], end->q[1],
               end->lambda[0] * length);
    cd_integrator_free(it);
    cd_context_free(ctx);
    return status;
}
