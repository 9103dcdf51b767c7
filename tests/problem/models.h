// models.h - small problems with known derivatives, for the tests of this folder
#ifndef CARDAN_TESTS_PROBLEM_MODELS_H
#define CARDAN_TESTS_PROBLEM_MODELS_H

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "problem/problem.h"
#include "test.h"

// ---- pendulum on a support that moves as s = a sin(w t):  g = ((x - s)^2 + y^2 - L^2)/2

typedef struct Pendulum {
    double mass, length, gravity, damping, a, w;
} Pendulum;

#define PENDULUM \
    { .mass = 2, .length = 1.5, .gravity = 9.81, .damping = 0.3, .a = 0.4, .w = 2 }

static inline double support(const Pendulum *m, double t, int order) {
    const double a = m->a * pow(m->w, order), p = m->w * t;
    return order == 0 ? a * sin(p) : order == 1 ? a * cos(p) : -a * sin(p);
}

static inline CdStatus pendulum_force(void *data, const CdPoint *at, double *f) {
    const Pendulum *m = data;
    f[0] = -m->damping * at->v[0] * fabs(at->v[0]);
    f[1] = -m->mass * m->gravity - m->damping * at->v[1];
    return CD_OK;
}

static inline CdStatus pendulum_mass(void *data, const CdPoint *at, double *M) {
    (void)at;
    M[0] = M[3] = ((const Pendulum *)data)->mass;
    M[1] = M[2] = 0;
    return CD_OK;
}

static inline CdStatus pendulum_g(void *data, const CdPoint *at, double *g) {
    const Pendulum *m = data;
    const double x = at->q[0] - support(m, at->t, 0), y = at->q[1];
    g[0] = (x * x + y * y - m->length * m->length) / 2;
    return CD_OK;
}

static inline CdStatus pendulum_j(void *data, const CdPoint *at, double *J) {
    J[0] = at->q[0] - support(data, at->t, 0);
    J[1] = at->q[1];
    return CD_OK;
}

static inline CdStatus pendulum_gt(void *data, const CdPoint *at, double *terms) {
    terms[0] = -(at->q[0] - support(data, at->t, 0)) * support(data, at->t, 1);
    return CD_OK;
}

static inline CdStatus pendulum_gamma(void *data, const CdPoint *at, double *gamma) {
    const double x = at->q[0] - support(data, at->t, 0);
    const double vx = at->v[0] - support(data, at->t, 1), vy = at->v[1];
    gamma[0] = vx * vx + vy * vy - x * support(data, at->t, 2);
    return CD_OK;
}

static inline CdProblem pendulum_problem(Pendulum *m) {
    return (CdProblem){.name = "pendulum",
                       .data = m,
                       .nv = 2,
                       .ng = 1,
                       .force = pendulum_force,
                       .mass = pendulum_mass,
                       .mass_constant = true,
                       .constraint = pendulum_g,
                       .constraint_jacobian = pendulum_j,
                       .velocity_terms = pendulum_gt,
                       .acceleration_terms = pendulum_gamma};
}

// a motion that keeps all levels: angle p = 0.2 + 0.7 sin 1.3 t
static inline void pendulum_motion(const Pendulum *m, double t, CdPoint *at) {
    const double p = 0.2 + 0.7 * sin(1.3 * t), v = 0.7 * 1.3 * cos(1.3 * t),
                 a = -0.7 * 1.69 * sin(1.3 * t), l = m->length;
    at->t = t;
    at->q[0] = support(m, t, 0) + l * sin(p);
    at->q[1] = -l * cos(p);
    at->v[0] = support(m, t, 1) + l * cos(p) * v;
    at->v[1] = l * sin(p) * v;
    at->vdot[0] = support(m, t, 2) + l * (cos(p) * a - sin(p) * v * v);
    at->vdot[1] = l * (sin(p) * a + cos(p) * v * v);
}

// ---- chain of masses with springs e + e^3 and dampers, tridiagonal

#define CHAIN_MAX 1000

typedef struct Chain {
    int n, ptr[CHAIN_MAX + 1], row[3 * CHAIN_MAX];
    double k, d;
} Chain;

static inline double chain_spring(const Chain *c, const CdPoint *at, int i) {
    const double e = at->q[i] - (i > 0 ? at->q[i - 1] : 0),
                 v = at->v[i] - (i > 0 ? at->v[i - 1] : 0);
    return c->k * (e + e * e * e) + c->d * v;
}

static inline CdStatus chain_force(void *data, const CdPoint *at, double *f) {
    const Chain *c = data;
    double left = chain_spring(c, at, 0);
    for (int i = 0; i < c->n; i++) {
        const double right = i + 1 < c->n ? chain_spring(c, at, i + 1) : 0;
        f[i] = right - left;
        left = right;
    }
    return CD_OK;
}

static inline double chain_stiffness(const Chain *c, const CdPoint *at, int i) {
    const double e = at->q[i] - (i > 0 ? at->q[i - 1] : 0);
    return i < c->n ? c->k * (1 + 3 * e * e) : 0;
}

static inline CdStatus chain_derivatives(void *data, const CdPoint *at, double *M, double *C,
                                         double *K) {
    const Chain *c = data;
    (void)M;
    for (int j = 0; j < c->n; j++) {
        for (int e = c->ptr[j]; e < c->ptr[j + 1]; e++) {
            const int i = c->row[e], top = i > j ? i : j;
            const bool last = i == c->n - 1;
            if (C) C[e] = i != j ? -c->d : last ? c->d : 2 * c->d;
            if (!K) continue;
            K[e] = i != j ? -chain_stiffness(c, at, top)
                          : chain_stiffness(c, at, i) + (last ? 0 : chain_stiffness(c, at, i + 1));
        }
    }
    return CD_OK;
}

static inline CdProblem chain_problem(Chain *c, int n) {
    *c = (Chain){.n = n, .k = 100, .d = 0.5};
    int nnz = 0;
    for (int j = 0; j < n; j++) {
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++) c->row[nnz++] = i;
        c->ptr[j + 1] = nnz;
    }
    return (CdProblem){.name = "chain",
                       .data = c,
                       .nv = n,
                       .force = chain_force,
                       .sparsity = {.ptr = c->ptr, .row = c->row}};
}

// ---- top: a body about a fixed point, q = quat_wxyz, v = w_B; its axis may be held in a cone

typedef struct Top {
    double inertia[3], weight, arm[3], height;
} Top;

static inline void top_down(const double *q, double down[3]) {
    double conj[4];
    const double z[3] = {0, 0, -1};
    quat_conj(q, conj);
    quat_rotate(conj, z, down);
}

static inline CdStatus top_force(void *data, const CdPoint *at, double *f) {
    const Top *m = data;
    double down[3], torque[3], spin[3], gyro[3];
    top_down(at->q, down);
    cross3(m->arm, down, torque);
    for (int i = 0; i < 3; i++) spin[i] = m->inertia[i] * at->v[i];
    cross3(at->v, spin, gyro);
    for (int i = 0; i < 3; i++) f[i] = m->weight * torque[i] - gyro[i];
    return CD_OK;
}

static inline CdStatus top_mass(void *data, const CdPoint *at, double *M) {
    (void)at;
    for (int i = 0; i < 9; i++) M[i] = i % 4 ? 0 : ((const Top *)data)->inertia[i / 4];
    return CD_OK;
}

static inline CdStatus top_g(void *data, const CdPoint *at, double *g) {
    const Top *m = data;
    double arm[3];
    quat_rotate(at->q, m->arm, arm);
    g[0] = arm[2] - m->height;
    return CD_OK;
}

// e_z . R (delta x arm) = delta . (arm x R^T e_z)
static inline CdStatus top_j(void *data, const CdPoint *at, double *J) {
    double down[3];
    top_down(at->q, down);
    cross3(down, ((const Top *)data)->arm, J);
    return CD_OK;
}

static inline void top_kinematics(void *data, const double *q, const double *v, double *qdot) {
    (void)data;
    quat_rate(q, v, qdot);
}

static inline void top_tangent(void *data, const double *q, const double *dq, double *delta) {
    (void)data;
    quat_spin(q, dq, delta);
}

static inline void top_retract(void *data, const double *q, const double *delta, double *out) {
    double e[4], product[4];
    (void)data;
    quat_exp(delta, e);
    quat_mul(q, e, product);
    memcpy(out, product, sizeof product);
}

static inline void top_difference(void *data, const double *q1, const double *q0, double *delta) {
    double conj[4], product[4];
    (void)data;
    quat_conj(q0, conj);
    quat_mul(conj, q1, product);
    quat_log(product, delta);
}

static inline void top_normalise(void *data, double *q) {
    double unit[4];
    (void)data;
    quat_unit(q, unit);
    memcpy(q, unit, sizeof unit);
}

static const int top_rotation[] = {0};

static inline CdProblem top_problem(Top *m, bool held) {
    *m = (Top){.inertia = {1, 2, 3}, .weight = 7, .arm = {0.1, 0.2, 0.9}, .height = 0.5};
    CdProblem p = {.name = "top",
                   .data = m,
                   .nq = 4,
                   .nv = 3,
                   .force = top_force,
                   .mass = top_mass,
                   .mass_constant = true,
                   .kinematics = top_kinematics,
                   .tangent = top_tangent,
                   .retract = top_retract,
                   .difference = top_difference,
                   .normalise = top_normalise,
                   .nrotations = 1,
                   .rotations = top_rotation};
    if (held) {
        p.ng = 1;
        p.constraint = top_g;
        p.constraint_jacobian = top_j;
    }
    return p;
}

// held, and it must not turn about the vertical: e_z . R w = 0
static inline CdStatus guided_j(void *data, const CdPoint *at, double *J) {
    double g[3], down[3];
    CD_TRY(top_j(data, at, g));
    top_down(at->q, down);
    for (int j = 0; j < 3; j++) {
        J[2 * j] = g[j];
        J[2 * j + 1] = down[j];
    }
    return CD_OK;
}

static inline CdProblem guided_problem(Top *m) {
    CdProblem p = top_problem(m, true);
    p.nn = 1;
    p.constraint_jacobian = guided_j;
    return p;
}

// ---- sleigh: x, y, angle; a knife edge forbids to slip sideways

static inline CdStatus sleigh_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = 1 - at->v[0];
    f[1] = sin(at->q[0]);
    f[2] = -2 * at->q[2];
    return CD_OK;
}

static inline CdStatus sleigh_j(void *data, const CdPoint *at, double *J) {
    (void)data;
    J[0] = sin(at->q[2]);
    J[1] = -cos(at->q[2]);
    J[2] = 0;
    return CD_OK;
}

static inline CdProblem sleigh_problem(void) {
    return (CdProblem){
        .name = "sleigh", .nv = 3, .nn = 1, .force = sleigh_force, .constraint_jacobian = sleigh_j};
}

// the same on a circular track of radius 1: rows of g before those of N
static inline CdStatus track_g(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = (at->q[0] * at->q[0] + at->q[1] * at->q[1] - 1) / 2;
    return CD_OK;
}

static inline CdStatus track_j(void *data, const CdPoint *at, double *J) {
    double N[3];
    sleigh_j(data, at, N);
    for (int j = 0; j < 3; j++) {
        J[2 * j] = j < 2 ? at->q[j] : 0;
        J[2 * j + 1] = N[j];
    }
    return CD_OK;
}

static inline CdProblem track_problem(void) {
    return (CdProblem){.name = "track",
                       .nv = 3,
                       .ng = 1,
                       .nn = 1,
                       .force = sleigh_force,
                       .constraint = track_g,
                       .constraint_jacobian = track_j};
}

// ---- a bit of everything: one mass, two y with a full B, one x

static const double mixed_B[4] = {2, 1, -1, 3};

static inline CdStatus mixed_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -3 * at->q[0] + at->y[0] * at->x[0] - at->v[0];
    return CD_OK;
}

static inline CdStatus mixed_rate(void *data, const CdPoint *at, double *phi) {
    (void)data;
    phi[0] = at->y[1] * at->y[1] + at->q[0];
    phi[1] = at->x[0] - at->y[0] + 2 * at->v[0];
    return CD_OK;
}

static inline CdStatus mixed_algebra(void *data, const CdPoint *at, double *w) {
    (void)data;
    const double x = at->x[0];
    w[0] = x * x * x + x - at->y[0] - at->q[0] * at->v[0];
    return CD_OK;
}

// M = 1 + q^2
static inline CdStatus mixed_mass(void *data, const CdPoint *at, double *M) {
    (void)data;
    M[0] = 1 + at->q[0] * at->q[0];
    return CD_OK;
}

static inline CdProblem mixed_problem(void) {
    return (CdProblem){.name = "mixed",
                       .nv = 1,
                       .ny = 2,
                       .nx = 1,
                       .force = mixed_force,
                       .mass = mixed_mass,
                       .rate = mixed_rate,
                       .algebra = mixed_algebra,
                       .leading = mixed_B};
}

// ---- help

static inline CdiProblem *problem_open(CdContext *ctx, const CdProblem *user, CdPoint *at) {
    CdiProblem *p;
    CHECK_OK(cdi_problem_new(ctx, user, NULL, &p));
    CHECK_OK(cdi_point_take(p, &p->arena, at));
    return p;
}

static inline void fill(TestRandom *r, int n, double *x) {
    for (int i = 0; i < n; i++) x[i] = test_random(r, -1, 1);
}

static inline void point_random(const CdiProblem *p, TestRandom *r, CdPoint *at) {
    at->t = test_random(r, 0, 2);
    fill(r, p->nq, at->q);
    fill(r, p->nv, at->v);
    fill(r, p->ny, at->y);
    fill(r, p->nx, at->x);
    fill(r, p->nc, at->lambda);
    fill(r, p->nv, at->vdot);
    fill(r, p->ny, at->ydot);
    if (p->nq > 0) cdi_normalise(p, at->q);
}

#endif
