// kepler.c - a planet on an ellipse of eccentricity 0.6
//
//   q'' = -q/|q|^3      q = (cos E - e, b sin E)      E - e sin E = t      b = sqrt(1 - e^2)
//
// Period 2 pi; energy -1/2 and angular momentum b are constant. Hairer, Lubich & Wanner, Geometric
// Numerical Integration, I.2.

#include <math.h>

#include "ivp.h"

#define E 0.6
#define B 0.8 // sqrt(1 - E^2)
#define NEWTON_MAX 50

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double *q = at->q, r2 = q[0] * q[0] + q[1] * q[1], s = 1 / (r2 * sqrt(r2));
    for (int i = 0; i < 2; i++) f[i] = -s * q[i];
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    const double *q = at->q, r2 = q[0] * q[0] + q[1] * q[1], s = 1 / (r2 * sqrt(r2));
    for (int i = 0; i < 4; i++) {
        if (M) M[i] = i % 3 == 0;
        if (C) C[i] = 0;
        if (K) K[i] = (i % 3 == 0) * s - 3 * s * q[i % 2] * q[i / 2] / r2;
    }
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    double a = t;
    for (int i = 0; i < NEWTON_MAX; i++) {
        const double step = (a - E * sin(a) - t) / (1 - E * cos(a));
        a -= step;
        if (fabs(step) < 1e-15 * (1 + fabs(a))) break;
    }
    const double rate = 1 / (1 - E * cos(a));
    at->q[0] = cos(a) - E;
    at->q[1] = B * sin(a);
    at->v[0] = -sin(a) * rate;
    at->v[1] = B * cos(a) * rate;
}

// perihelion: 1 - e, and sqrt((1 + e)/(1 - e))
static const double q0[] = {0.4, 0}, v0[] = {0, 2};

const IvpProblem ivp_kepler = {
    .name = "kepler",
    .doc = "Kepler's ellipse of eccentricity 0.6",
    .source = "exact",
    .problem = {.name = "kepler", .nv = 2, .force = force, .derivatives = derivatives},
    .t_end = 20,
    .q0 = q0,
    .v0 = v0,
    .exact = exact,
    .condition = 270,
};
