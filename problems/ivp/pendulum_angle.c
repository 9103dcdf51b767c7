// pendulum_angle.c - the plane pendulum in its angle, for methods that take no constraints
//
//   theta'' = -g sin theta      theta(0) = pi/2
//
// The motion of pendulum.c, exact by swing.h.

#include "ivp.h"
#include "swing.h"

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -SWING_GRAVITY * sin(at->q[0]);
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    if (M) M[0] = 1;
    if (C) C[0] = 0;
    if (K) K[0] = SWING_GRAVITY * cos(at->q[0]);
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    swing(t, at->q, at->v);
}

static const double q0[] = {1.5707963267948966}, v0[] = {0};

const IvpProblem ivp_pendulum_angle = {
    .name = "pendulum_angle",
    .doc = "Plane pendulum in its angle",
    .source = "exact, by elliptic functions",
    .problem = {.name = "pendulum_angle",
                .nv = 1,
                .force = force,
                .mass_constant = true,
                .derivatives = derivatives},
    .t_end = 0.9,
    .q0 = q0,
    .v0 = v0,
    .exact = exact,
    .condition = 3,
};
