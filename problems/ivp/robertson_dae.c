// robertson_dae.c - Robertson's reaction with the conservation of mass in place of the last rate
//
//   y1' = -k1 y1 + k3 y2 x      y2' = k1 y1 - k2 y2^2 - k3 y2 x      0 = y1 + y2 + x - 1
//
// Hindmarsh & others, SUNDIALS, example idaRoberts.

#include "ivp.h"

#define K1 0.04
#define K2 3e7
#define K3 1e4
// where Robertson and the example of SUNDIALS look first
#define T_END 40.0

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *y = at->y, x = at->x[0];
    dy[0] = -K1 * y[0] + K3 * y[1] * x;
    dy[1] = -dy[0] - K2 * y[1] * y[1];
    return CD_OK;
}

static CdStatus algebra(void *data, const CdPoint *at, double *w) {
    (void)data;
    w[0] = at->y[0] + at->y[1] + at->x[0] - 1;
    return CD_OK;
}

static const double y0[] = {1, 0}, x0[] = {0};
static const double end[] = {0.71582706871940509, 9.1855347645577639e-6};
static const double end_x[] = {0.28416374574583035};

const IvpProblem ivp_robertson_dae = {
    .name = "robertson_dae",
    .doc = "Robertson's reaction with an algebraic unknown",
    .source = "SUNDIALS, idaRoberts; end values by extrapolation in quadruple",
    .problem = {.name = "robertson_dae", .ny = 2, .nx = 1, .rate = rate, .algebra = algebra},
    .t_end = T_END,
    .y0 = y0,
    .x0 = x0,
    .end = {.t = T_END, .y = end, .x = end_x, .accuracy = 1e-14},
    .atol_ratio = 1e-4,
    .traits = IVP_STIFF,
};
