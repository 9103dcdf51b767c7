// arenstorf.c - a satellite on a closed orbit of four loops around earth and moon
//
//   x'' = x + 2 y' - m'(x + m)/D1 - m (x - m')/D2      D1 = ((x + m)^2 + y^2)^(3/2)
//   y'' = y - 2 x' - m' y/D1 - m y/D2                  D2 = ((x - m')^2 + y^2)^(3/2)
//
// m = 0.012277471, m' = 1 - m. Steps must vary by a factor of a thousand. Hairer, Norsett & Wanner,
// Solving Ordinary Differential Equations I, II.0.

#include <math.h>

#include "ivp.h"

#define MOON 0.012277471
#define EARTH (1 - MOON)
#define PERIOD 17.0652165601579625588917206249

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *y = at->y;
    const double a = y[0] + MOON, b = y[0] - EARTH, yy = y[1] * y[1];
    const double d1 = pow(a * a + yy, 1.5), d2 = pow(b * b + yy, 1.5);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = y[0] + 2 * y[3] - EARTH * a / d1 - MOON * b / d2;
    dy[3] = y[1] - 2 * y[2] - EARTH * y[1] / d1 - MOON * y[1] / d2;
    return CD_OK;
}

static const double y0[] = {0.994, 0, 0, -2.00158510637908252240537862224};

const IvpProblem ivp_arenstorf = {
    .name = "arenstorf",
    .doc = "Closed orbit of the restricted three-body problem",
    .source = "Hairer, Norsett and Wanner, volume I, II.0",
    .problem = {.name = "arenstorf", .ny = 4, .rate = rate},
    .t_end = PERIOD,
    .y0 = y0,
    .end = {.t = PERIOD, .y = y0, .accuracy = 1e-10},
    .condition = 4e6,
};
