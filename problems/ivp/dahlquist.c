// dahlquist.c - the test equation, whose solution is one exponential
//
//   y' = -y      y(0) = 1      y = e^-t
//
// Dahlquist, BIT 3 (1963) 27.

#include <math.h>

#include "ivp.h"

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = -at->y[0];
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data, (void)at;
    if (M) M[0] = 1;
    if (C) C[0] = 1;
    if (K) K[0] = 0;
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    at->y[0] = exp(-t);
}

static const double y0[] = {1};

const IvpProblem ivp_dahlquist = {
    .name = "dahlquist",
    .doc = "Linear test equation",
    .source = "Dahlquist 1963",
    .problem = {.name = "dahlquist", .ny = 1, .rate = rate, .derivatives = derivatives},
    .t_end = 2,
    .y0 = y0,
    .exact = exact,
};
