// flat_problems.h - one problem of every kind, with all terms that couple, for tests of flat.h
#ifndef CARDAN_TESTS_FLAT_PROBLEMS_H
#define CARDAN_TESTS_FLAT_PROBLEMS_H

#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "math/quat.h"
#include "problem/flat.h"
#include "test.h"

// ---- plain forms

static inline CdStatus flat_oscillator(void *data, const CdPoint *at, double *phi) {
    (void)data;
    const double *y = at->y;
    phi[0] = y[1];
    phi[1] = 3 * (1 - y[0] * y[0]) * y[1] - y[0] + sin(at->t);
    return CD_OK;
}

static inline CdProblem flat_ode(void) {
    return (CdProblem){.name = "oscillator", .ny = 2, .rate = flat_oscillator};
}

// B (column-major) regular, and with an empty column
static const double flat_regular[4] = {2, 1, -1, 3};
static const double flat_singular[4] = {2, 1, 0, 0};

static inline CdProblem flat_leading(const double *b) {
    return (CdProblem){.name = "leading", .ny = 2, .rate = flat_oscillator, .leading = b};
}

static inline CdStatus flat_algebra_rate(void *data, const CdPoint *at, double *phi) {
    (void)data;
    phi[0] = -at->y[0] * at->x[0] + at->y[1];
    phi[1] = at->y[0] * at->y[1] - at->x[0];
    return CD_OK;
}

static inline CdStatus flat_algebra(void *data, const CdPoint *at, double *w) {
    (void)data;
    w[0] = at->x[0] + 0.3 * pow(at->x[0], 3) - at->y[0] * at->y[1] + at->t;
    return CD_OK;
}

static inline CdProblem flat_with_x(void) {
    return (CdProblem){.name = "algebraic",
                       .ny = 2,
                       .nx = 1,
                       .rate = flat_algebra_rate,
                       .algebra = flat_algebra,
                       .leading = flat_regular};
}

static inline CdStatus flat_f(void *data, const CdPoint *at, double *F) {
    (void)data;
    const double *y = at->y, *d = at->ydot;
    F[0] = (2 + y[1] * y[1]) * d[0] + d[1] - y[0] * y[2];
    F[1] = y[0] * d[0] + 3 * d[1] + d[1] * d[1] * y[1] + sin(at->t);
    F[2] = y[2] + y[0] * y[1] - y[2] * y[2] * y[0];
    return CD_OK;
}

static inline CdProblem flat_implicit(void) {
    static const int index[3] = {1, 1, 2};
    return (CdProblem){.name = "implicit", .ny = 3, .implicit = flat_f, .index = index};
}

// ---- mechanical in a vector space: four coordinates, up to two of g and one of N, y and x

#define CART_V 4

static inline CdStatus cart_mass(void *data, const CdPoint *at, double *M) {
    (void)data;
    const double *q = at->q, diagonal[CART_V] = {2, 3, 1.5, 2.5};
    memset(M, 0, sizeof(double) * CART_V * CART_V);
    for (int i = 0; i < CART_V; i++) M[i * (CART_V + 1)] = diagonal[i];
    M[1] = M[CART_V] = 0.4 * sin(q[0]);
    M[3] = M[3 * CART_V] = 0.3 * q[2];
    return CD_OK;
}

static inline CdStatus cart_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double *q = at->q, *v = at->v;
    const double y = at->y ? at->y[0] : 0, x = at->x ? at->x[0] : 0;
    f[0] = -5 * q[0] * q[1] - 0.2 * v[0] * v[1] + y;
    f[1] = sin(q[2]) - v[2] * v[3] + x * q[0];
    f[2] = q[3] * q[3] - 0.5 * v[2] + cos(at->t);
    f[3] = -3 * q[3] + q[1] * v[0] + y * y;
    return CD_OK;
}

static inline CdStatus cart_rate(void *data, const CdPoint *at, double *phi) {
    (void)data;
    const double x = at->x ? at->x[0] : 0;
    phi[0] = at->q[0] - at->v[1] * at->y[1] + x;
    phi[1] = sin(at->y[0]) + at->q[3] * at->v[2] - x * x;
    return CD_OK;
}

static inline CdStatus cart_algebra(void *data, const CdPoint *at, double *w) {
    (void)data;
    w[0] = at->x[0] + 0.3 * pow(at->x[0], 3) - at->q[0] * at->v[1] - at->y[1];
    return CD_OK;
}

// which constraints there are
typedef struct Cart {
    int ng, nn;
} Cart;

// a length that moves
static inline void cart_length(double t, double l[3]) {
    l[0] = 1 + 0.1 * sin(t);
    l[1] = 0.1 * cos(t);
    l[2] = -0.1 * sin(t);
}

static inline CdStatus cart_constraint(void *data, const CdPoint *at, double *g) {
    const Cart *c = data;
    const double *q = at->q;
    double l[3];
    cart_length(at->t, l);
    g[0] = q[0] * q[0] + q[1] * q[1] - l[0] * l[0];
    if (c->ng > 1) g[1] = q[2] - q[0] * q[1];
    return CD_OK;
}

static inline CdStatus cart_jacobian(void *data, const CdPoint *at, double *J) {
    const Cart *c = data;
    const double *q = at->q;
    const int rows = c->ng + c->nn;
    const double g[3][CART_V] = {
        {2 * q[0], 2 * q[1], 0, 0}, {-q[1], -q[0], 1, 0}, {sin(q[2]), -cos(q[2]), 0, 0.5 * q[0]}};
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < CART_V; j++) J[i + rows * j] = g[i < c->ng ? i : 2][j];
    }
    return CD_OK;
}

static inline CdStatus cart_velocity(void *data, const CdPoint *at, double *terms) {
    const Cart *c = data;
    double l[3];
    cart_length(at->t, l);
    const double all[3] = {-2 * l[0] * l[1], 0, 0.1 * at->t * at->q[1]};
    for (int i = 0; i < c->ng + c->nn; i++) terms[i] = all[i < c->ng ? i : 2];
    return CD_OK;
}

static inline CdStatus cart_acceleration(void *data, const CdPoint *at, double *gamma) {
    const Cart *c = data;
    const double *q = at->q, *v = at->v;
    double l[3];
    cart_length(at->t, l);
    const double all[3] = {
        2 * v[0] * v[0] + 2 * v[1] * v[1] - 2 * (l[1] * l[1] + l[0] * l[2]),
        -2 * v[0] * v[1],
        v[2] * (cos(q[2]) * v[0] + sin(q[2]) * v[1]) + 0.5 * v[0] * v[3] +
            0.1 * (q[1] + at->t * v[1]),
    };
    for (int i = 0; i < c->ng + c->nn; i++) gamma[i] = all[i < c->ng ? i : 2];
    return CD_OK;
}

static inline CdProblem flat_cart(Cart *c, bool with_y, bool with_x) {
    CdProblem p = {.name = "cart", .data = c, .nv = CART_V, .mass = cart_mass, .force = cart_force};
    if (with_y) {
        p.ny = 2;
        p.rate = cart_rate;
        p.leading = flat_regular;
    }
    if (with_x) {
        p.nx = 1;
        p.algebra = cart_algebra;
    }
    p.ng = c->ng;
    p.nn = c->nn;
    if (p.ng > 0) p.constraint = cart_constraint;
    if (p.ng + p.nn > 0) {
        p.constraint_jacobian = cart_jacobian;
        p.velocity_terms = cart_velocity;
        p.acceleration_terms = cart_acceleration;
    }
    return p;
}

// ---- a heavy top: centre of mass and quaternion, its tip held by three constraints or free

static const double top_inertia[3] = {0.234375, 0.46875, 0.234375};
static const double top_arm[3] = {0, 1, 0};
#define TOP_MASS 15.0
#define TOP_GRAVITY 9.81

static inline CdStatus top_mass(void *data, const CdPoint *at, double *M) {
    (void)data;
    (void)at;
    memset(M, 0, sizeof(double) * 36);
    for (int i = 0; i < 3; i++) {
        M[7 * i] = TOP_MASS;
        M[7 * (i + 3)] = top_inertia[i];
    }
    return CD_OK;
}

static inline CdStatus top_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double *w = at->v + 3;
    double l[3], gyro[3];
    for (int i = 0; i < 3; i++) l[i] = top_inertia[i] * w[i];
    cross3(w, l, gyro);
    f[0] = f[1] = 0;
    f[2] = -TOP_MASS * TOP_GRAVITY;
    for (int i = 0; i < 3; i++) f[3 + i] = -gyro[i];
    return CD_OK;
}

static inline CdStatus top_constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    double arm[3];
    quat_rotate(at->q + 3, top_arm, arm);
    for (int i = 0; i < 3; i++) g[i] = at->q[i] - arm[i];
    return CD_OK;
}

// [I, R skew(arm)]
static inline CdStatus top_jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    memset(J, 0, sizeof(double) * 18);
    for (int j = 0; j < 3; j++) {
        double e[3] = {0, 0, 0}, c[3];
        J[j + 3 * j] = 1;
        e[j] = 1;
        cross3(top_arm, e, c);
        quat_rotate(at->q + 3, c, J + 3 * (3 + j));
    }
    return CD_OK;
}

static inline CdStatus top_acceleration(void *data, const CdPoint *at, double *gamma) {
    (void)data;
    const double *w = at->v + 3;
    double a[3], b[3], c[3];
    cross3(w, top_arm, a);
    cross3(w, a, b);
    quat_rotate(at->q + 3, b, c);
    for (int i = 0; i < 3; i++) gamma[i] = -c[i];
    return CD_OK;
}

static inline CdStatus top_velocity(void *data, const CdPoint *at, double *terms) {
    (void)data;
    (void)at;
    memset(terms, 0, sizeof(double) * 3);
    return CD_OK;
}

static inline void top_kinematics(void *data, const double *q, const double *v, double *qdot) {
    (void)data;
    memcpy(qdot, v, sizeof(double) * 3);
    quat_rate(q + 3, v + 3, qdot + 3);
}

static inline void top_tangent(void *data, const double *q, const double *dq, double *delta) {
    (void)data;
    memcpy(delta, dq, sizeof(double) * 3);
    quat_spin(q + 3, dq + 3, delta + 3);
}

static inline void top_retract(void *data, const double *q, const double *delta, double *out) {
    (void)data;
    double e[4], r[4];
    quat_exp(delta + 3, e);
    quat_mul(q + 3, e, r);
    for (int i = 0; i < 3; i++) out[i] = q[i] + delta[i];
    memcpy(out + 3, r, sizeof r);
}

static inline void top_difference(void *data, const double *q1, const double *q0, double *delta) {
    (void)data;
    double c[4], r[4];
    quat_conj(q0 + 3, c);
    quat_mul(c, q1 + 3, r);
    for (int i = 0; i < 3; i++) delta[i] = q1[i] - q0[i];
    quat_log(r, delta + 3);
}

static inline void top_normalise(void *data, double *q) {
    (void)data;
    double u[4];
    quat_unit(q + 3, u);
    memcpy(q + 3, u, sizeof u);
}

static inline CdProblem flat_top(bool held) {
    CdProblem p = {.name = "top",
                   .nq = 7,
                   .nv = 6,
                   .mass = top_mass,
                   .mass_constant = true,
                   .force = top_force,
                   .kinematics = top_kinematics,
                   .tangent = top_tangent,
                   .retract = top_retract,
                   .difference = top_difference,
                   .normalise = top_normalise};
    if (held) {
        p.ng = 3;
        p.constraint = top_constraint;
        p.constraint_jacobian = top_jacobian;
        p.velocity_terms = top_velocity;
        p.acceleration_terms = top_acceleration;
    }
    return p;
}

// ---- a flat form made ready

typedef struct Flat {
    TestLog log;
    CdiProblem *p;
    CdiFlat *f;
} Flat;

static inline bool flat_open(Flat *x, const CdProblem *user, bool explicit_form, CdForm form) {
    const CdFlatSetup setup = {.explicit_form = explicit_form, .form = form, .project = true};
    test_log_open(&x->log);
    x->f = NULL;
    return CHECK_OK(cdi_problem_new(x->log.ctx, user, NULL, &x->p)) &&
           CHECK_OK(cdi_flat_new(x->p, &setup, &x->f));
}

static inline void flat_close(Flat *x) {
    CHECK_TEXT(x->log.text, "");
    cdi_flat_free(x->f);
    cdi_problem_free(x->p);
    test_log_close(&x->log);
}

#endif
