// dae.c - a user's own DAE, F(t, y, y') = 0: a capacitor behind a resistor and a diode-like element
//
//   y0 voltage of the capacitor, y1 current:   C y0' = y1    0 = u(t) - y0 - R y1 - y1^3
#include <math.h>
#include <stdio.h>

#include "cardan/integrator.h"

static CdStatus implicit(void *data, const CdPoint *at, double *F) {
    const double *y = at->y, C = 0.5, R = 2;
    (void)data;
    F[0] = C * at->ydot[0] - y[1];
    F[1] = sin(at->t) - y[0] - R * y[1] - y[1] * y[1] * y[1];
    return CD_OK;
}

int main(void) {
    double y0[] = {0, 0};
    const CdProblem circuit = {.name = "circuit", .ny = 2, .implicit = implicit};
    CdContext *ctx = cd_context_new(NULL);
    CdIntegrator *it = NULL;
    CdStatus status = cd_integrator_new(ctx, &circuit, "ida(rtol=1e-6, atol=1e-6)", &it);
    if (status == CD_OK) status = cd_integrator_start(it, &(CdPoint){.t = 0, .y = y0});
    if (status == CD_OK) status = cd_integrator_run(it, 10, NULL);
    if (status == CD_OK) printf("voltage %.5f\n", cd_integrator_now(it)->y[0]);
    cd_integrator_free(it);
    cd_context_free(ctx);
    return status;
}
