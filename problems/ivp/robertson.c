// robertson.c - a chemical reaction whose rates differ by nine powers of ten
//
//   y1' = -k1 y1 + k3 y2 y3      y2' = k1 y1 - k2 y2^2 - k3 y2 y3      y3' = k2 y2^2
//
// Robertson 1966; Mazzia & Magherini, Test Set for IVP Solvers, rober.

#include "ivp.h"
#include "matrix.h"

#define K1 0.04
#define K2 3e7
#define K3 1e4
#define T_END 1e11

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *y = at->y;
    dy[0] = -K1 * y[0] + K3 * y[1] * y[2];
    dy[2] = K2 * y[1] * y[1];
    dy[1] = -dy[0] - dy[2];
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    const double *y = at->y;
    fill_diagonal(M, 3, 1);
    fill_diagonal(K, 3, 0);
    if (C) {
        const double a = K3 * y[2], b = K3 * y[1], c = 2 * K2 * y[1];
        const double jac[] = {-K1, a, b, K1, -c - a, -b, 0, c, 0};
        fill_minus_rows(C, 3, jac);
    }
    return CD_OK;
}

static const double y0[] = {1, 0, 0};
static const double end[] = {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050};

const IvpProblem ivp_robertson = {
    .name = "robertson",
    .doc = "Robertson's chemical reaction",
    .source = "Test Set for IVP Solvers, rober",
    .problem = {.name = "robertson", .ny = 3, .rate = rate, .derivatives = derivatives},
    .t_end = T_END,
    .y0 = y0,
    .end = {.t = T_END, .y = end, .accuracy = 4e-13},
    .atol_ratio = 1e-6,
    .traits = IVP_STIFF,
};
