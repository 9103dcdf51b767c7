// jay.c - a system of index 3 with an exact solution
//
//   y1' = 2 y1 y2 z1 z2      z1' = (y1 y2 + z1 z2) u      0 = y1 y2^2 - 1
//   y2' = -y1 y2 z2^2        z2' = -y1 y2^2 z2^2 u
//
//   y1 = z1 = e^2t      y2 = z2 = e^-t      u = e^t
//
// in the form B y' = phi, B = diag(1, 1, 1, 1, 0). Jay, BIT 33 (1993) 137.

#include <math.h>

#include "ivp.h"
#include "matrix.h"

static CdStatus rate(void *data, const CdPoint *at, double *phi) {
    (void)data;
    const double y1 = at->y[0], y2 = at->y[1], z1 = at->y[2], z2 = at->y[3], u = at->y[4];
    phi[0] = 2 * y1 * y2 * z1 * z2;
    phi[1] = -y1 * y2 * z2 * z2;
    phi[2] = (y1 * y2 + z1 * z2) * u;
    phi[3] = -y1 * y2 * y2 * z2 * z2 * u;
    phi[4] = y1 * y2 * y2 - 1;
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    const double y1 = at->y[0], y2 = at->y[1], z1 = at->y[2], z2 = at->y[3], u = at->y[4];
    fill_diagonal(M, 5, 1);
    if (M) M[24] = 0;
    fill_diagonal(K, 5, 0);
    if (C) {
        const double a = y2 * z2, b = y1 * z2,
                     jac[] = {2 * a * z1,
                              2 * b * z1,
                              2 * y1 * a,
                              2 * y1 * y2 * z1,
                              0,
                              -a * z2,
                              -b * z2,
                              0,
                              -2 * y1 * a,
                              0,
                              y2 * u,
                              y1 * u,
                              z2 * u,
                              z1 * u,
                              y1 * y2 + z1 * z2,
                              -a * a * u,
                              -2 * b * a * u,
                              0,
                              -2 * y1 * y2 * a * u,
                              -b * y2 * a,
                              y2 * y2,
                              2 * y1 * y2,
                              0,
                              0,
                              0};
        fill_minus_rows(C, 5, jac);
    }
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    at->y[0] = at->y[2] = exp(2 * t);
    at->y[1] = at->y[3] = exp(-t);
    at->y[4] = exp(t);
}

static const int diagonal_ptr[] = {0, 1, 2, 3, 4, 4}, diagonal_row[] = {0, 1, 2, 3};
static const double diagonal[] = {1, 1, 1, 1};
static const int index_of[] = {1, 1, 2, 2, 3};
static const double y0[] = {1, 1, 1, 1, 1};

const IvpProblem ivp_jay = {
    .name = "jay",
    .doc = "Jay's system of index 3",
    .source = "Jay 1993, exact",
    .problem = {.name = "jay",
                .ny = 5,
                .rate = rate,
                .leading = diagonal,
                .leading_sparsity = {diagonal_ptr, diagonal_row},
                .index = index_of,
                .derivatives = derivatives},
    .t_end = 0.5,
    .y0 = y0,
    .exact = exact,
};
