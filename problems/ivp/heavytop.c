// heavytop.c - the heavy top turning about its fixed point, on SO(3)
//
//   R' = R Omega~      J0 Omega' = -Omega x J0 Omega + m X x R^T g      J0 = J + m (X.X I - X X^T)
//
// q is the quaternion of R, v = Omega. Data in heavytop.h.

#include "heavytop.h"

#include "ivp.h"
#include "matrix.h"

// about the fixed point; X is the second axis
static const double J0[3] = {15.234375, 0.46875, 15.234375};

// R^T g
static void gravity(const double *q, double g[3]) {
    double conj[4];
    const double down[3] = {0, 0, -TOP_GRAVITY};
    quat_conj(q, conj);
    quat_rotate(conj, down, g);
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data;
    double g[3], moment[3];
    gravity(at->q, g);
    cross3(top_centre, g, moment);
    top_gyroscopic(at->v, J0, f);
    for (int i = 0; i < 3; i++) f[i] += TOP_MASS * moment[i];
    return CD_OK;
}

static void inertia(double *M) {
    fill_diagonal(M, 3, 1);
    for (int i = 0; i < 3; i++) M[4 * i] = J0[i];
}

static CdStatus mass(void *data, const CdPoint *at, double *M) {
    (void)data, (void)at;
    inertia(M);
    return CD_OK;
}

// C e = e x J0 w + w x J0 e      K e = -m X x (g x e)      g = R^T g
static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data;
    const double *w = at->v, L[3] = {J0[0] * w[0], J0[1] * w[1], J0[2] * w[2]};
    double g[3], a[3], b[3];
    gravity(at->q, g);
    if (M) inertia(M);
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        const double Je[3] = {J0[0] * e[0], J0[1] * e[1], J0[2] * e[2]};
        cross3(e, L, a);
        cross3(w, Je, b);
        for (int i = 0; i < 3 && C; i++) C[i + 3 * j] = a[i] + b[i];
        cross3(g, e, a);
        cross3(top_centre, a, b);
        for (int i = 0; i < 3 && K; i++) K[i + 3 * j] = -TOP_MASS * b[i];
    }
    return CD_OK;
}

static void kinematics(void *data, const double *q, const double *v, double *qdot) {
    (void)data;
    quat_rate(q, v, qdot);
}

static void tangent(void *data, const double *q, const double *dq, double *delta) {
    (void)data;
    quat_spin(q, dq, delta);
}

static void retract(void *data, const double *q, const double *delta, double *out) {
    (void)data;
    top_retract(q, delta, out);
}

static void difference(void *data, const double *q1, const double *q0, double *delta) {
    (void)data;
    top_difference(q1, q0, delta);
}

static void normalise(void *data, double *q) {
    (void)data;
    top_normalise(q);
}

static const double q0[] = {1, 0, 0, 0}, v0[] = {0, 150, -4.61538};
// extrapolation in quadruple precision; R X and Omega agree with the published values
static const double q_end[] = {0.33182291260830082, 0.17733805666693703, 0.91497515913872790,
                               -0.14582601443088862};
static const double v_end[] = {4.8089413317280923, 150, 1.0283007567183298};

static const int rotation[] = {0};

const IvpProblem ivp_heavytop = {
    .name = "heavytop",
    .doc = "Heavy top on SO(3)",
    .source = "Bruls and Cardona 2010; end values by extrapolation in quadruple",
    .problem = {.name = "heavytop",
                .nq = 4,
                .nv = 3,
                .force = force,
                .mass = mass,
                .mass_constant = true,
                .derivatives = derivatives,
                .kinematics = kinematics,
                .tangent = tangent,
                .retract = retract,
                .difference = difference,
                .normalise = normalise,
                .nrotations = 1,
                .rotations = rotation},
    .t_end = TOP_T_END,
    .q0 = q0,
    .v0 = v0,
    .end = {.t = TOP_T_END, .q = q_end, .v = v_end, .accuracy = 1e-15},
};
