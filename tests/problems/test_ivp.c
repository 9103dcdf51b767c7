// test_ivp.c - the test problems themselves: callbacks, derivatives, starts and solutions agree
//
// Everything is checked with differences of the callbacks alone, none of the library is used.

#include <math.h>
#include <string.h>

#include "bouncing_ball.h"
#include "chain.h"
#include "heavytop.h"
#include "ivp.h"
#include "test.h"

#define NMAX 32
#define STEP 6e-6 // near the cube root of rounding, for central differences
// truncation and rounding of a central difference with that step, relative
#define LOOSE 2e-7

typedef struct State {
    CdPoint at;
    double q[NMAX], v[NMAX], y[NMAX], x[NMAX], lambda[NMAX], vdot[NMAX], ydot[NMAX];
} State;

typedef struct Sizes {
    int nq, nv, ny, nx, ng, nc, nd;
} Sizes;

static Sizes sizes(const CdProblem *p) {
    const Sizes s = {p->nq ? p->nq : p->nv, p->nv, p->ny, p->nx, p->ng, p->ng + p->nn,
                     p->nv + p->ny + p->nx};
    return s;
}

static void bind(State *s) {
    s->at.q = s->q, s->at.v = s->v, s->at.y = s->y, s->at.x = s->x;
    s->at.lambda = s->lambda, s->at.vdot = s->vdot, s->at.ydot = s->ydot;
}

static void copy(double *to, const double *from, int n) {
    for (int i = 0; i < n; i++) to[i] = from ? from[i] : 0;
}

static void start(const IvpProblem *ivp, State *s) {
    const Sizes n = sizes(&ivp->problem);
    memset(s, 0, sizeof *s);
    bind(s);
    s->at.t = ivp->t0;
    copy(s->q, ivp->q0, n.nq);
    copy(s->v, ivp->v0, n.nv);
    copy(s->y, ivp->y0, n.ny);
    copy(s->x, ivp->x0, n.nx);
    copy(s->ydot, ivp->ydot0, n.ny);
}

static void retract(const CdProblem *p, double *q, const double *delta) {
    if (p->retract) {
        p->retract(p->data, q, delta, q);
        return;
    }
    for (int i = 0; i < p->nv; i++) q[i] += delta[i];
}

// near the start, and away from every special value
static void anywhere(const IvpProblem *ivp, TestRandom *r, State *s) {
    const Sizes n = sizes(&ivp->problem);
    double delta[NMAX];
    start(ivp, s);
    s->at.t += test_random(r, 0.1, 0.2);
    for (int i = 0; i < n.nv; i++) delta[i] = test_random(r, -0.1, 0.1);
    if (n.nv) retract(&ivp->problem, s->q, delta);
    for (int i = 0; i < n.nv; i++) {
        s->v[i] += test_random(r, -1, 1);
        s->vdot[i] = test_random(r, -1, 1);
    }
    // concentrations may be as small as 1e-3 and their rates large
    for (int i = 0; i < n.ny; i++) {
        s->y[i] += test_random(r, 0, 1e-3);
        s->ydot[i] += test_random(r, -1, 1);
    }
    for (int i = 0; i < n.nx; i++) s->x[i] += test_random(r, 0, 1e-3);
    for (int i = 0; i < n.nc; i++) s->lambda[i] = test_random(r, -1, 1);
}

// entry (i, j) of a matrix as callbacks write it, slot by slot
static void expand(const double *a, const CdSparsity *s, int rows, int cols, double *full) {
    memset(full, 0, sizeof(double) * (size_t)(rows * cols));
    for (int j = 0; j < cols; j++) {
        if (!s->ptr)
            for (int i = 0; i < rows; i++) full[i + rows * j] = a[i + rows * j];
        else
            for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) full[s->row[k] + rows * j] = a[k];
    }
}

static void constraint_jacobian(const CdProblem *p, const CdPoint *at, double *J) {
    double a[NMAX * NMAX];
    const Sizes n = sizes(p);
    CHECK_OK(p->constraint_jacobian(p->data, at, a));
    expand(a, &p->constraint_sparsity, n.nc, n.nv, J);
}

// J v + (g_t, n)
static void velocity_level(const CdProblem *p, const CdPoint *at, double *c) {
    const Sizes n = sizes(p);
    double J[NMAX * NMAX];
    constraint_jacobian(p, at, J);
    for (int i = 0; i < n.nc; i++) c[i] = 0;
    if (p->velocity_terms) CHECK_OK(p->velocity_terms(p->data, at, c));
    for (int j = 0; j < n.nv; j++)
        for (int i = 0; i < n.nc; i++) c[i] += J[i + n.nc * j] * at->v[j];
}

// M v' - f + J^T lambda
static void mechanical_residual(const CdProblem *p, const CdPoint *at, double *r) {
    const Sizes n = sizes(p);
    double a[NMAX * NMAX], M[NMAX * NMAX], J[NMAX * NMAX], f[NMAX];
    CHECK_OK(p->force(p->data, at, f));
    if (p->mass) {
        CHECK_OK(p->mass(p->data, at, a));
        expand(a, &p->sparsity, n.nv, n.nv, M);
    }
    if (n.nc) constraint_jacobian(p, at, J);
    for (int i = 0; i < n.nv; i++) {
        r[i] = -f[i];
        if (!p->mass) r[i] += at->vdot[i];
        for (int j = 0; j < n.nv && p->mass; j++) r[i] += M[i + n.nv * j] * at->vdot[j];
        for (int k = 0; k < n.nc; k++) r[i] += J[k + n.nc * i] * at->lambda[k];
    }
}

static void first_order_residual(const CdProblem *p, const CdPoint *at, double *r) {
    const Sizes n = sizes(p);
    double phi[NMAX], B[NMAX * NMAX];
    if (p->implicit) {
        CHECK_OK(p->implicit(p->data, at, r));
        return;
    }
    CHECK_OK(p->rate(p->data, at, phi));
    if (p->leading) expand(p->leading, &p->leading_sparsity, n.ny, n.ny, B);
    for (int i = 0; i < n.ny; i++) {
        r[i] = -phi[i];
        if (!p->leading) r[i] += at->ydot[i];
        for (int j = 0; j < n.ny && p->leading; j++) r[i] += B[i + n.ny * j] * at->ydot[j];
    }
    if (n.nx) CHECK_OK(p->algebra(p->data, at, r + n.ny));
}

static void residual(const CdProblem *p, const CdPoint *at, double *r) {
    if (p->nv) mechanical_residual(p, at, r);
    if (p->ny) first_order_residual(p, at, r + p->nv);
}

// ---- derivatives

typedef enum Along { ALONG_DOT, ALONG_V, ALONG_Q } Along;

// move unknown j by h
static void shift(const CdProblem *p, State *s, Along along, int j, double h) {
    double delta[NMAX] = {0};
    const Sizes n = sizes(p);
    if (along == ALONG_Q) {
        delta[j] = h;
        retract(p, s->q, delta);
    } else if (along == ALONG_DOT) {
        if (j < n.nv + n.ny) *(j < n.nv ? &s->vdot[j] : &s->ydot[j - n.nv]) += h;
    } else if (j < n.nv) {
        s->v[j] += h;
    } else if (j < n.nv + n.ny) {
        s->y[j - n.nv] += h;
    } else {
        s->x[j - n.nv - n.ny] += h;
    }
}

static void check_column(const CdProblem *p, const State *s, Along along, int j,
                         const double *column) {
    const Sizes n = sizes(p);
    double low[NMAX], high[NMAX], scale = 1;
    State moved = *s;
    bind(&moved);
    shift(p, &moved, along, j, -STEP);
    residual(p, &moved.at, low);
    moved = *s;
    bind(&moved);
    shift(p, &moved, along, j, STEP);
    residual(p, &moved.at, high);
    for (int i = 0; i < n.nd; i++) scale = fmax(scale, fabs(low[i]));
    // rounding of the residual is divided by the step
    const double floor = 1e-15 * scale / STEP;
    for (int i = 0; i < n.nd; i++)
        if (!CHECK_NEAR(column[i], (high[i] - low[i]) / (2 * STEP),
                        LOOSE * (1 + fabs(column[i])) + floor))
            printf("  %s: entry (%d, %d) of %s\n", p->name, i, j,
                   along == ALONG_DOT ? "M"
                   : along == ALONG_V ? "C"
                                      : "K");
}

TEST(given_derivatives_equal_differences) {
    TestRandom r = {1};
    int checked = 0;
    for (const IvpProblem *const *ivp = ivp_problems; *ivp; ivp++) {
        const CdProblem *p = &(*ivp)->problem;
        if (!p->derivatives) continue;
        const Sizes n = sizes(p);
        double a[3][NMAX * NMAX], full[NMAX * NMAX];
        State s;
        anywhere(*ivp, &r, &s);
        CHECK_OK(p->derivatives(p->data, &s.at, a[0], a[1], a[2]));
        for (int k = 0; k < 3; k++) {
            expand(a[k], &p->sparsity, n.nd, n.nd, full);
            for (int j = 0; j < (k == ALONG_Q ? n.nv : n.nd); j++)
                check_column(p, &s, (Along)k, j, full + n.nd * j);
        }
        checked++;
    }
    CHECK(checked > 8);
}

TEST(the_chain_has_the_derivatives_of_its_force) {
    TestLog log;
    test_log_open(&log);
    IvpChain *chain;
    TestRandom r = {2};
    CHECK_OK(ivp_chain_new(log.ctx, 7, &chain));
    const CdProblem *p = &chain->mechanical.problem;
    double K[NMAX * NMAX], full[NMAX * NMAX];
    State s;
    anywhere(&chain->mechanical, &r, &s);
    CHECK_OK(p->derivatives(p->data, &s.at, NULL, NULL, K));
    expand(K, &p->sparsity, 7, 7, full);
    for (int j = 0; j < 7; j++) check_column(p, &s, ALONG_Q, j, full + 7 * j);
    ivp_chain_free(chain);
    test_log_close(&log);
}

static CdStatus chain_body(CdContext *ctx, void *user) {
    IvpChain *chain;
    (void)user;
    const CdStatus status = ivp_chain_new(ctx, 3, &chain);
    ivp_chain_free(chain);
    return status;
}

TEST(a_chain_survives_want_of_memory) {
    CHECK_OOM(chain_body, NULL);
}

// ---- constraints

static void check_jacobian(const IvpProblem *ivp, const State *s) {
    const CdProblem *p = &ivp->problem;
    const Sizes n = sizes(p);
    double J[NMAX * NMAX], low[NMAX], high[NMAX];
    constraint_jacobian(p, &s->at, J);
    for (int j = 0; j < n.nv && p->constraint; j++) {
        for (int side = 0; side < 2; side++) {
            State moved = *s;
            bind(&moved);
            shift(p, &moved, ALONG_Q, j, side ? STEP : -STEP);
            CHECK_OK(p->constraint(p->data, &moved.at, side ? high : low));
        }
        for (int i = 0; i < n.ng; i++)
            CHECK_NEAR(J[i + n.nc * j], (high[i] - low[i]) / (2 * STEP), LOOSE);
    }
}

// the state a time h later, at constant velocity: q' = Z v
static void drift(const CdProblem *p, const State *s, double h, State *later) {
    double delta[NMAX];
    *later = *s;
    bind(later);
    later->at.t += h;
    for (int i = 0; i < p->nv; i++) delta[i] = h * s->v[i];
    retract(p, later->q, delta);
}

// g and J v + (g_t, n) change along q' = Z v, v' = 0 as velocity and acceleration level say
static void check_levels(const IvpProblem *ivp, const State *s) {
    const CdProblem *p = &ivp->problem;
    const Sizes n = sizes(p);
    double c[NMAX], gamma[NMAX], g[2][NMAX], cv[2][NMAX];
    State later;
    for (int side = 0; side < 2; side++) {
        drift(p, s, side ? STEP : -STEP, &later);
        if (p->constraint) CHECK_OK(p->constraint(p->data, &later.at, g[side]));
        velocity_level(p, &later.at, cv[side]);
    }
    velocity_level(p, &s->at, c);
    // twenty times more, for the top turns at 150 rad/s
    for (int i = 0; i < n.ng; i++)
        CHECK_NEAR(c[i], (g[1][i] - g[0][i]) / (2 * STEP), 20 * LOOSE * (1 + fabs(c[i])));
    if (!p->acceleration_terms) return;
    CHECK_OK(p->acceleration_terms(p->data, &s->at, gamma));
    for (int i = 0; i < n.nc; i++)
        CHECK_NEAR(gamma[i], (cv[1][i] - cv[0][i]) / (2 * STEP), 20 * LOOSE * (1 + fabs(gamma[i])));
}

TEST(constraint_jacobians_and_levels_follow_from_the_constraint) {
    TestRandom r = {3};
    int checked = 0;
    for (const IvpProblem *const *ivp = ivp_problems; *ivp; ivp++) {
        State s;
        if (!(*ivp)->problem.ng && !(*ivp)->problem.nn) continue;
        anywhere(*ivp, &r, &s);
        check_jacobian(*ivp, &s);
        check_levels(*ivp, &s);
        checked++;
    }
    CHECK(checked >= 5);
}

TEST(starts_and_ends_meet_the_constraints) {
    for (const IvpProblem *const *ivp = ivp_problems; *ivp; ivp++) {
        const CdProblem *p = &(*ivp)->problem;
        const Sizes n = sizes(p);
        double g[NMAX], c[NMAX];
        for (int end = 0; end < 2; end++) {
            State s;
            start(*ivp, &s);
            if (end && !(*ivp)->end.q) continue;
            if (end) {
                s.at.t = (*ivp)->end.t;
                copy(s.q, (*ivp)->end.q, n.nq);
                copy(s.v, (*ivp)->end.v, n.nv);
            }
            if (p->constraint) CHECK_OK(p->constraint(p->data, &s.at, g));
            if (n.nc) velocity_level(p, &s.at, c);
            for (int i = 0; i < n.ng; i++) CHECK_NEAR(g[i], 0, 2e-14);
            for (int i = 0; i < n.nc; i++) CHECK_NEAR(c[i], 0, 2e-13);
        }
    }
}

// ---- solutions

static void exact_at(const IvpProblem *ivp, double t, State *s) {
    memset(s, 0, sizeof *s);
    bind(s);
    s->at.t = t;
    ivp->exact(ivp->problem.data, t, &s->at);
}

TEST(exact_solutions_begin_at_the_start) {
    for (const IvpProblem *const *ivp = ivp_problems; *ivp; ivp++) {
        if (!(*ivp)->exact) continue;
        const CdPoint at = ivp_start(*ivp);
        const IvpError e = ivp_error(*ivp, &at);
        CHECK_NEAR(e.mixed, 0, 1e-15);
    }
}

// y' or v' by differences in time, then the equations
static void check_exact(const IvpProblem *ivp, double t) {
    const CdProblem *p = &ivp->problem;
    const Sizes n = sizes(p);
    const double h = 2e-5;
    State s, low, high;
    double r[NMAX];
    exact_at(ivp, t, &s);
    exact_at(ivp, t - h, &low);
    exact_at(ivp, t + h, &high);
    for (int i = 0; i < n.nv; i++) {
        s.vdot[i] = (high.v[i] - low.v[i]) / (2 * h);
        CHECK_NEAR((high.q[i] - low.q[i]) / (2 * h), s.v[i], 2e-7);
    }
    for (int i = 0; i < n.ny; i++) s.ydot[i] = (high.y[i] - low.y[i]) / (2 * h);
    residual(p, &s.at, r);
    for (int i = 0; i < n.nd; i++)
        if (!CHECK_NEAR(r[i], 0, 2e-6)) printf("  %s at t = %g, row %d\n", ivp->name, t, i);
}

TEST(exact_solutions_solve_the_equations) {
    for (const IvpProblem *const *ivp = ivp_problems; *ivp; ivp++) {
        if (!(*ivp)->exact) continue;
        for (int i = 1; i <= 5; i++)
            check_exact(*ivp, (*ivp)->t0 + i * ((*ivp)->t_end - (*ivp)->t0) / 5.3);
    }
}

// in 30 digits; the published values are good to 4e-13
TEST(the_pendulum_passes_the_published_point_and_returns) {
    State s;
    exact_at(&ivp_pendulum, 0.9, &s);
    CHECK_NEAR(s.q[0], -0.997638265741428169, 3e-15);
    CHECK_NEAR(s.q[1], -0.0686869036165960167, 3e-15);
    CHECK_NEAR(s.v[0], -0.0944024193044568418, 5e-15);
    CHECK_NEAR(s.v[1], 1.37114152651857137, 1e-14);
    CHECK_NEAR(s.lambda[0], 2.83341135377131898, 5e-14);
    exact_at(&ivp_pendulum, 6, &s);
    CHECK_NEAR(s.q[0], 1, 1e-15);
    CHECK_NEAR(s.v[1], 0, 1e-14);
}

TEST(the_top_ends_where_published) {
    double x[3];
    const double published[] = {0.421296658925389, 0.894571974345597, -0.149164700561911};
    const double spin[] = {4.808941331728162, 150, 1.028300756718035};
    quat_rotate(ivp_heavytop.end.q, top_centre, x);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(x[i], published[i], 2e-14);
        CHECK_NEAR(x[i], ivp_heavytop_constrained.end.q[i], 1e-15);
        CHECK_NEAR(ivp_heavytop.end.v[i], spin[i], 3e-13);
    }
}

TEST(the_ball_bounces_at_the_published_times) {
    CHECK_NEAR(ivp_bounce_time(1), 0.4515236409857309, 1e-15);
    CHECK_NEAR(ivp_bounce_time(60), 1.3545709229571927, 1e-15);
}

TEST(manifold_operations_are_inverse_to_each_other) {
    TestRandom r = {4};
    for (const IvpProblem *const *ivp = ivp_problems; *ivp; ivp++) {
        const CdProblem *p = &(*ivp)->problem;
        double delta[NMAX], qdot[NMAX], q[NMAX], back[NMAX];
        State s;
        if (!p->retract) continue;
        anywhere(*ivp, &r, &s);
        for (int i = 0; i < p->nv; i++) delta[i] = test_random(&r, -0.5, 0.5);
        p->retract(p->data, s.q, delta, q);
        p->difference(p->data, q, s.q, back);
        for (int i = 0; i < p->nv; i++) CHECK_NEAR(back[i], delta[i], 1e-15);
        p->kinematics(p->data, s.q, delta, qdot);
        p->tangent(p->data, s.q, qdot, back);
        for (int i = 0; i < p->nv; i++) CHECK_NEAR(back[i], delta[i], 1e-15);
        for (int i = 0; i < p->nq; i++) q[i] = s.q[i] * (i < p->nq - 4 ? 1 : 1.5);
        p->normalise(p->data, q);
        for (int i = 0; i < p->nq; i++) CHECK_NEAR(q[i], s.q[i], 1e-15);
    }
}

TEST(errors_are_seen_in_their_part) {
    State s;
    exact_at(&ivp_pendulum, 0.5, &s);
    s.q[0] += 3e-3, s.q[1] += 4e-3;
    s.lambda[0] -= 1e-2;
    const IvpError e = ivp_error(&ivp_pendulum, &s.at);
    CHECK_NEAR(e.q, 5e-3, 1e-15);
    CHECK_NEAR(e.v, 0, 1e-15);
    CHECK_NEAR(e.lambda, 1e-2, 1e-14);
    CHECK_NEAR(e.mixed, 3e-3, 1e-15);
    s.q[0] = NAN;
    CHECK(isnan(ivp_error(&ivp_pendulum, &s.at).q));
    CHECK(isnan(ivp_error(&ivp_pendulum, &s.at).mixed));
    CHECK(isnan(ivp_error(&ivp_hires, &(CdPoint){.t = 1, .y = s.y}).y));
}

TEST(names_are_found) {
    for (const IvpProblem *const *ivp = ivp_problems; *ivp; ivp++) {
        CHECK(ivp_find((*ivp)->name) == *ivp);
        CHECK_TEXT((*ivp)->problem.name, (*ivp)->name);
    }
    CHECK(ivp_find("no such problem") == NULL);
}

int main(void) {
    RUN(given_derivatives_equal_differences);
    RUN(the_chain_has_the_derivatives_of_its_force);
    RUN(a_chain_survives_want_of_memory);
    RUN(constraint_jacobians_and_levels_follow_from_the_constraint);
    RUN(starts_and_ends_meet_the_constraints);
    RUN(exact_solutions_begin_at_the_start);
    RUN(exact_solutions_solve_the_equations);
    RUN(the_pendulum_passes_the_published_point_and_returns);
    RUN(the_top_ends_where_published);
    RUN(the_ball_bounces_at_the_published_times);
    RUN(manifold_operations_are_inverse_to_each_other);
    RUN(errors_are_seen_in_their_part);
    RUN(names_are_found);
    return test_end();
}
