// weissinger.c - an implicit equation that cannot be solved for the derivative by hand
//
//   0 = t y^2 y'^3 - y^3 y'^2 + t (t^2 + 1) y' - t^2 y      y = sqrt(t^2 + 1/2)
//
// After J. Weissinger; an example of many implicit solvers, such as ode15i.

#include <math.h>

#include "ivp.h"

static CdStatus implicit(void *data, const CdPoint *at, double *F) {
    (void)data;
    const double t = at->t, y = at->y[0], d = at->ydot[0];
    F[0] = t * y * y * d * d * d - y * y * y * d * d + t * (t * t + 1) * d - t * t * y;
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    const double t = at->t, y = at->y[0], d = at->ydot[0];
    if (M) M[0] = 3 * t * y * y * d * d - 2 * y * y * y * d + t * (t * t + 1);
    if (C) C[0] = 2 * t * y * d * d * d - 3 * y * y * d * d - t * t;
    if (K) K[0] = 0;
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    at->y[0] = sqrt(t * t + 0.5);
}

// sqrt(3/2), and its derivative
static const double y0[] = {1.2247448713915889}, ydot0[] = {0.81649658092772603};

const IvpProblem ivp_weissinger = {
    .name = "weissinger",
    .doc = "Fully implicit scalar equation",
    .source = "Weissinger, exact",
    .problem = {.name = "weissinger", .ny = 1, .implicit = implicit, .derivatives = derivatives},
    .t0 = 1,
    .t_end = 10,
    .y0 = y0,
    .ydot0 = ydot0,
    .exact = exact,
};
