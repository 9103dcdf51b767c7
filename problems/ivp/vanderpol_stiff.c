// vanderpol_stiff.c - Van der Pol's oscillator in the time of its rests, eps = 10^-6
//
//   y1' = y2      eps y2' = (1 - y1^2) y2 - y1
//
// Hairer & Wanner, Solving Ordinary Differential Equations II, IV.10.

#include "ivp.h"

#define EPS 1e-6
#define T_END 2.0

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *y = at->y;
    dy[0] = y[1];
    dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / EPS;
    return CD_OK;
}

static const double y0[] = {2, 0};
static const double end[] = {1.706167732170469, -0.8928097010248125};

const IvpProblem ivp_vanderpol_stiff = {
    .name = "vanderpol_stiff",
    .doc = "Van der Pol's oscillator with eps = 1e-6",
    .source = "Test Set for IVP Solvers, vdpol",
    .problem = {.name = "vanderpol_stiff", .ny = 2, .rate = rate},
    .t_end = T_END,
    .y0 = y0,
    .end = {.t = T_END, .y = end, .accuracy = 1e-12},
    .traits = IVP_STIFF,
};
