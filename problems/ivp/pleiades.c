// pleiades.c - seven stars in the plane, with some near encounters
//
//   x_i'' = sum_j m_j (x_j - x_i)/r_ij^3      y_i'' = sum_j m_j (y_j - y_i)/r_ij^3      m_j = j
//
// y = (x, y, x', y'). Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.10.

#include <math.h>

#include "ivp.h"

#define STARS 7

static CdStatus rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *x = at->y, *y = x + STARS;
    double *ax = dy + 2 * STARS, *ay = dy + 3 * STARS;
    for (int i = 0; i < 2 * STARS; i++) dy[i] = at->y[2 * STARS + i];
    for (int i = 0; i < STARS; i++) {
        ax[i] = ay[i] = 0;
        for (int j = 0; j < STARS; j++) {
            if (j == i) continue;
            const double dx = x[j] - x[i], dz = y[j] - y[i], r2 = dx * dx + dz * dz;
            const double s = (j + 1) / (r2 * sqrt(r2));
            ax[i] += s * dx;
            ay[i] += s * dz;
        }
    }
    return CD_OK;
}

static const double y0[] = {
    3, 3,  -1, -3,    2, -2,   2,    // x
    3, -3, 2,  0,     0, -4,   4,    // y
    0, 0,  0,  0,     0, 1.75, -1.5, // x'
    0, 0,  0,  -1.25, 1, 0,    0,    // y'
};

// Test Set for IVP Solvers
static const double end[] = {
    0.3706139143970502,  3.237284092057233,  -3.222559032418324,  0.659709145577531,
    0.3425581707156584,  1.562172101400631,  -0.7003092922212495, -3.943437585517392,
    -3.27138097397255,   5.225081843456543,  -2.59061243497747,   1.198213693392275,
    -0.2429682344935824, 1.09144924042898,   3.417003806314313,   1.354584501625501,
    -2.590065597810775,  2.025053734714242,  -1.155815100160448,  -0.8072988170223021,
    0.595239635420871,   -3.74124496123401,  0.377345968575063,   0.9386858869551074,
    0.3667922227200571,  -0.347404635380849, 2.344915448180937,   -1.947020434263292,
};

const IvpProblem ivp_pleiades = {
    .name = "pleiades",
    .doc = "Seven stars in the plane",
    .source = "Test Set for IVP Solvers, pleiades",
    .problem = {.name = "pleiades", .ny = 4 * STARS, .rate = rate},
    .t_end = 3,
    .y0 = y0,
    .end = {.t = 3, .y = end, .accuracy = 1e-10},
    .condition = 300,
};
