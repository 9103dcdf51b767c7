// caraxis.c - an axle with its car body on a bumpy road: index 3, constraints that depend on time
//
//   k xl'' = (L0 - Ll) xl/Ll      ...      k = M eps^2/2      stiff springs Ll, Lr
//   0 = xb xl + yb yl      yb = r sin w t, xb = sqrt(L^2 - yb^2)
//   0 = (xl - xr)^2 + (yl - yr)^2 - L^2
//
// q = (xl, yl, xr, yr). Multipliers have the sign opposite to that of the source, where forces are
// +G^T lambda. Second derivatives are left to differences.
// Schneider 1994; Mazzia & Magherini, Test Set for IVP Solvers, caraxis (reference in quadruple).

#include <math.h>

#include "ivp.h"
#include "matrix.h"

#define L 1.0
#define L0 0.5
#define EPS 0.01
#define BODY 10
#define K_ (BODY * EPS * EPS / 2)
#define BUMP 0.1
#define OMEGA 10
#define T_END 3.0

static void road(double t, double b[2], double rate[2]) {
    b[1] = BUMP * sin(OMEGA * t);
    b[0] = sqrt(L * L - b[1] * b[1]);
    rate[1] = BUMP * OMEGA * cos(OMEGA * t);
    rate[0] = -b[1] * rate[1] / b[0];
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double *q = at->q;
    double b[2], rate[2];
    road(at->t, b, rate);
    const double left = hypot(q[0], q[1]), right = hypot(q[2] - b[0], q[3] - b[1]);
    for (int i = 0; i < 2; i++) {
        const double weight = i ? K_ : 0;
        f[i] = (L0 - left) * q[i] / left - weight;
        f[2 + i] = (L0 - right) * (q[2 + i] - b[i]) / right - weight;
    }
    return CD_OK;
}

static CdStatus mass(void *data, const CdPoint *at, double *M) {
    (void)data, (void)at;
    fill_diagonal(M, 4, K_);
    return CD_OK;
}

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    const double *q = at->q, dx = q[0] - q[2], dy = q[1] - q[3];
    double b[2], rate[2];
    road(at->t, b, rate);
    g[0] = b[0] * q[0] + b[1] * q[1];
    g[1] = dx * dx + dy * dy - L * L;
    return CD_OK;
}

static CdStatus jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    const double *q = at->q;
    double b[2], rate[2];
    road(at->t, b, rate);
    for (int i = 0; i < 2; i++) {
        J[2 * i] = b[i];
        J[2 * i + 1] = 2 * (q[i] - q[2 + i]);
        J[2 * i + 4] = 0;
        J[2 * i + 5] = -2 * (q[i] - q[2 + i]);
    }
    return CD_OK;
}

static CdStatus velocity_terms(void *data, const CdPoint *at, double *terms) {
    (void)data;
    double b[2], rate[2];
    road(at->t, b, rate);
    terms[0] = rate[0] * at->q[0] + rate[1] * at->q[1];
    terms[1] = 0;
    return CD_OK;
}

static const double q0[] = {0, 0.5, 1, 0.5}, v0[] = {-0.5, 0, -0.5, 0};
static const double q_end[] = {0.0493455784275402809, 0.496989460230171154, 1.04174252488542152,
                               0.373911027265361257};
static const double v_end[] = {-0.0770583684040972358, 0.00744686658723778553,
                               0.0175568157537232222, 0.770341043779251976};
static const double lambda_end[] = {0.00473688659084893325, 0.00110468033125734369};

const IvpProblem ivp_caraxis = {
    .name = "caraxis",
    .doc = "Car axis on a bumpy road",
    .source = "Test Set for IVP Solvers, caraxis",
    .problem = {.name = "caraxis",
                .nv = 4,
                .ng = 2,
                .force = force,
                .mass = mass,
                .mass_constant = true,
                .constraint = constraint,
                .constraint_jacobian = jacobian,
                .velocity_terms = velocity_terms},
    .t_end = T_END,
    .q0 = q0,
    .v0 = v0,
    .end = {.t = T_END, .q = q_end, .v = v_end, .lambda = lambda_end, .accuracy = 2e-13},
};
