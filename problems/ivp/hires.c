// hires.c - the growth of plants under light: eight reactions with one fast exchange
//
//   y6' = -280 y6 y8 + ...      y7' = 280 y6 y8 - 1.81 y7      y8' = -y7'
//
// Schafer 1975; Mazzia & Magherini, Test Set for IVP Solvers, hires.

#include "ivp.h"

#define T_END 321.8122
#define FAST 280

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *y = at->y, exchange = FAST * y[5] * y[7];
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dy[1] = 1.71 * y[0] - 8.75 * y[1];
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dy[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    dy[5] = -exchange + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dy[6] = exchange - 1.81 * y[6];
    dy[7] = -dy[6];
    return CD_OK;
}

static const double y0[] = {1, 0, 0, 0, 0, 0, 0, 0.0057};
static const double end[] = {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4,
                             0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2,
                             0.2849998395185769e-2, 0.2850001604814231e-2};

const IvpProblem ivp_hires = {
    .name = "hires",
    .doc = "High irradiance responses of plants",
    .source = "Test Set for IVP Solvers, hires",
    .problem = {.name = "hires", .ny = 8, .rate = rate},
    .t_end = T_END,
    .y0 = y0,
    .end = {.t = T_END, .y = end, .accuracy = 1e-12},
    .atol_ratio = 1e-3,
    .traits = IVP_STIFF,
};
