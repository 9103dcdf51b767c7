// e5.c - a pyrolysis followed for 10^13 seconds, with concentrations down to 10^-22
//
//   y1' = -A y1 - B y1 y3               y3' = A y1 - B y1 y3 - M C y2 y3 + C y4
//   y2' = A y1 - M C y2 y3              y4' = B y1 y3 - C y4
//
// Only an absolute tolerance far below every concentration sees what happens. y1 has decayed to
// 1e-291 in the end; y2 and y3 were a billion times larger before, so that rounding leaves three
// digits of them. Enright, Hull & Lindberg, BIT 15 (1975) 10; Test Set for IVP Solvers, e5.

#include "ivp.h"
#include "matrix.h"

#define A 7.89e-10
#define B 1.1e7
#define C_ 1.13e3
#define MC (1e6 * C_)
#define T_END 1e13

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *y = at->y;
    const double p1 = A * y[0], p2 = B * y[0] * y[2], p3 = MC * y[1] * y[2], p4 = C_ * y[3];
    dy[0] = -p1 - p2;
    dy[1] = p1 - p3;
    dy[3] = p2 - p4;
    dy[2] = dy[1] - dy[3];
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    const double *y = at->y;
    fill_diagonal(M, 4, 1);
    fill_diagonal(K, 4, 0);
    if (C) {
        const double a = B * y[2], b = B * y[0], c = MC * y[2], d = MC * y[1];
        const double jac[] = {-A - a, 0, -b, 0, A, -c, -d, 0, A - a, -c, -b - d, C_, a, 0, b, -C_};
        fill_minus_rows(C, 4, jac);
    }
    return CD_OK;
}

static const double y0[] = {1.76e-3, 0, 0, 0};
static const double end[] = {0.1152903278711829e-290, 0.8867655517642120e-22,
                             0.8854814626268838e-22, 0};

const IvpProblem ivp_e5 = {
    .name = "e5",
    .doc = "Pyrolysis over seventeen powers of ten",
    .source = "Test Set for IVP Solvers, e5",
    .problem = {.name = "e5", .ny = 4, .rate = rate, .derivatives = derivatives},
    .t_end = T_END,
    .y0 = y0,
    .end = {.t = T_END, .y = end, .accuracy = 1e-11},
    .atol_ratio = 1e-22,
    .traits = IVP_STIFF,
};
