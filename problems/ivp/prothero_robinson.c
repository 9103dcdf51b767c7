// prothero_robinson.c - a smooth solution of a very stiff equation
//
//   y' = L (y - cos t) - sin t      L = -10^6      y = cos t
//
// Methods of low stage order lose theirs here. Prothero & Robinson, Math. Comp. 28 (1974) 145.

#include <math.h>

#include "ivp.h"

#define L (-1e6)

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = L * (at->y[0] - cos(at->t)) - sin(at->t);
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data, (void)at;
    if (M) M[0] = 1;
    if (C) C[0] = -L;
    if (K) K[0] = 0;
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    at->y[0] = cos(t);
}

static const double y0[] = {1};

const IvpProblem ivp_prothero_robinson = {
    .name = "prothero_robinson",
    .doc = "Smooth solution of a very stiff equation",
    .source = "Prothero and Robinson 1974",
    .problem = {.name = "prothero_robinson", .ny = 1, .rate = rate, .derivatives = derivatives},
    .t_end = 10,
    .y0 = y0,
    .exact = exact,
    .traits = IVP_STIFF,
};
