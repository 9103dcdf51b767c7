// orego.c - the Oregonator, a reaction that oscillates over six powers of ten
//
//   y1' = s (y2 + y1 (1 - q y1 - y2))      y2' = (y3 - (1 + y1) y2)/s      y3' = w (y1 - y3)
//
// s = 77.27, q = 8.375e-6, w = 0.161. Mazzia & Magherini, Test Set for IVP Solvers, orego.

#include "ivp.h"
#include "matrix.h"

#define S 77.27
#define Q 8.375e-6
#define W 0.161
#define T_END 360.0

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *y = at->y;
    dy[0] = S * (y[1] + y[0] * (1 - Q * y[0] - y[1]));
    dy[1] = (y[2] - (1 + y[0]) * y[1]) / S;
    dy[2] = W * (y[0] - y[2]);
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    const double *y = at->y;
    fill_diagonal(M, 3, 1);
    fill_diagonal(K, 3, 0);
    if (C) {
        const double jac[] = {S * (1 - 2 * Q * y[0] - y[1]),
                              S * (1 - y[0]),
                              0,
                              -y[1] / S,
                              -(1 + y[0]) / S,
                              1 / S,
                              W,
                              0,
                              -W};
        fill_minus_rows(C, 3, jac);
    }
    return CD_OK;
}

static const double y0[] = {1, 2, 3};
static const double end[] = {1.000814870318523, 1228.178521549917, 132.0554942846706};

const IvpProblem ivp_orego = {
    .name = "orego",
    .doc = "The Oregonator",
    .source = "Test Set for IVP Solvers, orego",
    .problem = {.name = "orego", .ny = 3, .rate = rate, .derivatives = derivatives},
    .t_end = T_END,
    .y0 = y0,
    .end = {.t = T_END, .y = end, .accuracy = 1e-11},
    .traits = IVP_STIFF,
};
