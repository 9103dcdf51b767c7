// ode.c - a user's own ODE: Van der Pol's oscillator with a stiff method
#include <stdio.h>

#include "cardan/integrator.h"

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    const double mu = *(const double *)data, *y = at->y;
    dy[0] = y[1];
    dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
    return CD_OK;
}

int main(void) {
    double mu = 1000, y0[] = {2, 0};
    const CdProblem oscillator = {.name = "oscillator", .data = &mu, .ny = 2, .rate = rate};
    CdContext *ctx = cd_context_new(NULL);
    CdIntegrator *it = NULL;
    CdStatus status = cd_integrator_new(ctx, &oscillator, "radau5(rtol=1e-8, atol=1e-10)", &it);
    if (status == CD_OK) status = cd_integrator_start(it, &(CdPoint){.t = 0, .y = y0});
    if (status == CD_OK) status = cd_integrator_run(it, 2000, NULL);
    if (status == CD_OK) printf("y(2000) = %.6f\n", cd_integrator_now(it)->y[0]);
    cd_integrator_free(it);
    cd_context_free(ctx);
    return status;
}
