// vanderpol.c - Van der Pol's oscillator as it is written in textbooks, with mu = 1000
//
//   y1' = y2      y2' = mu (1 - y1^2) y2 - y1
//
// Long rests and sudden jumps; the first equation that stiff solvers are tried on.
// Mazzia & Magherini, Test Set for IVP Solvers, vdpol, in the time scale of the original.

#include "ivp.h"

#define T_END 2000.0

static const double mu = 1000;

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    const double m = *(const double *)data, *y = at->y;
    dy[0] = y[1];
    dy[1] = m * (1 - y[0] * y[0]) * y[1] - y[0];
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const double m = *(const double *)data, *y = at->y;
    for (int i = 0; i < 4; i++) {
        if (M) M[i] = i % 3 == 0;
        if (K) K[i] = 0;
    }
    if (C) {
        C[0] = 0;
        C[1] = 2 * m * y[0] * y[1] + 1;
        C[2] = -1;
        C[3] = -m * (1 - y[0] * y[0]);
    }
    return CD_OK;
}

static const double y0[] = {2, 0};
static const double end[] = {1.706167732170469, -0.8928097010248125e-3};

const IvpProblem ivp_vanderpol = {
    .name = "vanderpol",
    .doc = "Van der Pol's oscillator with mu = 1000",
    .source = "Test Set for IVP Solvers, vdpol",
    .problem = {.name = "vanderpol",
                .data = (void *)&mu,
                .ny = 2,
                .rate = rate,
                .derivatives = derivatives},
    .t_end = T_END,
    .y0 = y0,
    .end = {.t = T_END, .y = end, .accuracy = 1e-12},
    .atol_ratio = 1e-3,
    .traits = IVP_STIFF,
};
