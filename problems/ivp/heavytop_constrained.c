// heavytop_constrained.c - the heavy top as a free body held at its tip, on R^3 x SO(3)
//
//   m x'' = m g - lambda      J Omega' = -Omega x J Omega - (R X~)^T lambda      0 = x - R X
//   G = [I, R X~]      gamma = R (Omega x (X x Omega))
//
// q = (x, quaternion of R), v = (x', Omega). Derivatives are left to differences, which must then
// go along the manifold. Data in heavytop.h.

#include "heavytop.h"

#include "ivp.h"
#include "matrix.h"

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = f[1] = 0;
    f[2] = -TOP_MASS * TOP_GRAVITY;
    top_gyroscopic(at->v + 3, top_inertia, f + 3);
    return CD_OK;
}

static CdStatus mass(void *data, const CdPoint *at, double *M) {
    (void)data, (void)at;
    fill_diagonal(M, 6, TOP_MASS);
    for (int i = 0; i < 3; i++) M[7 * (i + 3)] = top_inertia[i];
    return CD_OK;
}

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    quat_rotate(at->q + 3, top_centre, g);
    for (int i = 0; i < 3; i++) g[i] = at->q[i] - g[i];
    return CD_OK;
}

static CdStatus jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        double a[3];
        cross3(top_centre, e, a);
        for (int i = 0; i < 3; i++) J[i + 3 * j] = e[i];
        quat_rotate(at->q + 3, a, J + 3 * (3 + j));
    }
    return CD_OK;
}

static CdStatus velocity_terms(void *data, const CdPoint *at, double *terms) {
    (void)data, (void)at;
    for (int i = 0; i < 3; i++) terms[i] = 0;
    return CD_OK;
}

static CdStatus acceleration_terms(void *data, const CdPoint *at, double *gamma) {
    (void)data;
    const double *w = at->v + 3;
    double a[3], b[3];
    cross3(top_centre, w, a);
    cross3(w, a, b);
    quat_rotate(at->q + 3, b, gamma);
    return CD_OK;
}

static void kinematics(void *data, const double *q, const double *v, double *qdot) {
    (void)data;
    for (int i = 0; i < 3; i++) qdot[i] = v[i];
    quat_rate(q + 3, v + 3, qdot + 3);
}

static void tangent(void *data, const double *q, const double *dq, double *delta) {
    (void)data;
    for (int i = 0; i < 3; i++) delta[i] = dq[i];
    quat_spin(q + 3, dq + 3, delta + 3);
}

static void retract(void *data, const double *q, const double *delta, double *out) {
    (void)data;
    for (int i = 0; i < 3; i++) out[i] = q[i] + delta[i];
    top_retract(q + 3, delta + 3, out + 3);
}

static void difference(void *data, const double *q1, const double *q0, double *delta) {
    (void)data;
    for (int i = 0; i < 3; i++) delta[i] = q1[i] - q0[i];
    top_difference(q1 + 3, q0 + 3, delta + 3);
}

static void normalise(void *data, double *q) {
    (void)data;
    top_normalise(q + 3);
}

static const double start_q[] = {0, 1, 0, 1, 0, 0, 0};
// x' = Omega x X
static const double start_v[] = {4.61538, 0, 0, 0, 150, -4.61538};
static const double q_end[] = {0.42129665892540204, 0.89457197434559299, -0.14916470056189961,
                               0.33182291260830082, 0.17733805666693703, 0.91497515913872790,
                               -0.14582601443088862};
static const double v_end[] = {
    3.4085374633396537, -2.0834379505793863, -2.8678350450062314, 4.8089413317280923, 150,
    1.0283007567183298};
static const double lambda_end[] = {361.05600478711552, 295.39317301122588, 212.26717185511930};

static const int rotation[] = {3};

const IvpProblem ivp_heavytop_constrained = {
    .name = "heavytop_constrained",
    .doc = "Heavy top held at its tip, on R^3 x SO(3)",
    .source = "Bruls and Cardona 2010; end values by extrapolation in quadruple",
    .problem = {.name = "heavytop_constrained",
                .nq = 7,
                .nv = 6,
                .ng = 3,
                .force = force,
                .mass = mass,
                .mass_constant = true,
                .constraint = constraint,
                .constraint_jacobian = jacobian,
                .velocity_terms = velocity_terms,
                .acceleration_terms = acceleration_terms,
                .kinematics = kinematics,
                .tangent = tangent,
                .retract = retract,
                .difference = difference,
                .normalise = normalise,
                .nrotations = 1,
                .rotations = rotation},
    .t_end = TOP_T_END,
    .q0 = start_q,
    .v0 = start_v,
    .end = {.t = TOP_T_END, .q = q_end, .v = v_end, .lambda = lambda_end, .accuracy = 1e-15},
};
