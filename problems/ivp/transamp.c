// transamp.c - an amplifier of two transistors: B y' = phi(t, y) with a singular B, index 1
//
//   B = blocks [-C C; C -C] of the capacitors C1, C3, C5, and -C2, -C4      Ck = k 10^-6
//   i(u) = beta (e^(u/UF) - 1)      the current of a transistor
//
// Rentrop, Roche & Steinebach 1989; Mazzia & Magherini, Test Set for IVP Solvers, transamp.

#include <math.h>

#include "ivp.h"

#define UB 6
#define UF 0.026
#define ALPHA 0.99
#define BETA 1e-6
#define R0 1000
#define R 9000
// of the input, in V and rad/s
#define AMPLITUDE 0.1
#define OMEGA 628.31853071795865
#define T_END 0.2
// beyond it the exponential is of no use, a smaller step is
#define U_MAX 300

static CdStatus rate(void *data, const CdPoint *at, double *phi) {
    (void)data;
    const double *y = at->y;
    const double u1 = (y[1] - y[2]) / UF, u2 = (y[4] - y[5]) / UF;
    if (u1 > U_MAX || u2 > U_MAX) return CD_RETRY;
    const double i1 = BETA * expm1(u1), i2 = BETA * expm1(u2);
    phi[0] = (y[0] - AMPLITUDE * sin(OMEGA * at->t)) / R0;
    phi[1] = (2 * y[1] - UB) / R + (1 - ALPHA) * i1;
    phi[2] = y[2] / R - i1;
    phi[3] = (y[3] - UB) / R + ALPHA * i1;
    phi[4] = (2 * y[4] - UB) / R + (1 - ALPHA) * i2;
    phi[5] = y[5] / R - i2;
    phi[6] = (y[6] - UB) / R + ALPHA * i2;
    phi[7] = y[7] / R;
    return CD_OK;
}

static const int leading_ptr[] = {0, 2, 4, 5, 7, 9, 10, 12, 14};
static const int leading_row[] = {0, 1, 0, 1, 2, 3, 4, 3, 4, 5, 6, 7, 6, 7};
static const double leading[] = {-1e-6, 1e-6,  1e-6,  -1e-6, -2e-6, -3e-6, 3e-6,
                                 3e-6,  -3e-6, -4e-6, -5e-6, 5e-6,  5e-6,  -5e-6};

static const double y0[] = {0, 3, 3, 6, 3, 3, 6, 0};
static const double end[] = {-0.5562145012262709e-2, 3.006522471903042, 2.849958788608128,
                             2.926422536206241,      2.704617865010554, 2.761837778393145,
                             4.770927631616772,      1.236995868091548};

const IvpProblem ivp_transamp = {
    .name = "transamp",
    .doc = "Transistor amplifier",
    .source = "Test Set for IVP Solvers, transamp",
    .problem = {.name = "transamp",
                .ny = 8,
                .rate = rate,
                .leading = leading,
                .leading_sparsity = {leading_ptr, leading_row}},
    .t_end = T_END,
    .y0 = y0,
    .end = {.t = T_END, .y = end, .accuracy = 1e-11},
    .traits = IVP_STIFF,
};
