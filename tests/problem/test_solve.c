// test_solve.c - accelerations, projections and consistent starts
#include <stdlib.h>

#include "problem/models.h"
#include "problem/work.h"

TEST(a_hanging_pendulum_carries_its_weight) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = {.mass = 2, .length = 1.5, .gravity = 9.81};
    const CdProblem user = pendulum_problem(&m);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.q[1] = -1.5;
    CHECK_OK(cdi_accelerations(p, &at));
    CHECK_NEAR(at.vdot[0], 0, 0);
    CHECK_NEAR(at.vdot[1], 0, 1e-15);
    CHECK_NEAR(at.lambda[0], 2 * 9.81 / 1.5, 1e-14);
    CHECK_INT(p->counts.evaluations, 1);
    // and one that swings is pulled to the centre
    at.v[0] = 3;
    CHECK_OK(cdi_accelerations(p, &at));
    CHECK_NEAR(at.vdot[1], 9 / 1.5, 1e-14);
    CHECK_NEAR(at.lambda[0], 2 * (9.81 + 9 / 1.5) / 1.5, 1e-13);
    cdi_problem_free(p);
    test_log_close(&log);
}

// r = 0 and c'' = 0 say it all
static void check_solution(CdiProblem *p, CdPoint *at, double tol) {
    double r[8], c[4];
    CHECK_OK(cdi_accelerations(p, at));
    CHECK_OK(cdi_residual(p, at, r));
    CHECK_OK(cdi_acceleration_residual(p, at, c));
    for (int i = 0; i < p->nv + p->ny; i++) CHECK_NEAR(r[i], 0, tol);
    for (int i = 0; i < p->nc; i++) CHECK_NEAR(c[i], 0, tol);
}

TEST(accelerations_satisfy_the_equations) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = PENDULUM;
    Top top, held;
    Chain chain;
    const CdProblem users[] = {pendulum_problem(&m),     top_problem(&top, false),
                               top_problem(&held, true), sleigh_problem(),
                               mixed_problem(),          chain_problem(&chain, 5)};
    TestRandom random = {7};
    for (size_t k = 0; k < sizeof users / sizeof *users; k++) {
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &users[k], &at);
        for (int n = 0; n < 5; n++) {
            point_random(p, &random, &at);
            check_solution(p, &at, 2e-12);
        }
        cdi_problem_free(p);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static CdStatus two_masses(void *data, const CdPoint *at, double *M) {
    (void)at;
    memcpy(M, data, 4 * sizeof *M);
    return CD_OK;
}

static CdStatus two_forces(void *data, const CdPoint *at, double *f) {
    (void)data;
    (void)at;
    f[0] = 1;
    f[1] = 2;
    return CD_OK;
}

// masses alone divide forces, until there is more to M
TEST(masses_that_are_alone_divide) {
    TestLog log;
    test_log_open(&log);
    double M[4] = {3, 0, 0, 7};
    const CdProblem user = {
        .data = M, .nv = 2, .mass = two_masses, .mass_constant = true, .force = two_forces};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    for (int k = 0; k < 2; k++) {
        CHECK_OK(cdi_accelerations(p, &at));
        CHECK_BITS(at.vdot[0], 1.0 / 3);
        CHECK_BITS(at.vdot[1], 2.0 / 7);
    }
    M[1] = M[2] = 1;
    cdi_problem_changed(p);
    CHECK_OK(cdi_accelerations(p, &at));
    CHECK_NEAR(at.vdot[0], (7 - 2) / 20.0, 1e-15);
    CHECK_NEAR(at.vdot[1], (6 - 1) / 20.0, 1e-15);
    M[1] = M[2] = M[3] = 0;
    cdi_problem_changed(p);
    CHECK_INT(cdi_accelerations(p, &at), CD_SINGULAR);
    CHECK_INT(p->counts.solves, 3);
    cdi_problem_free(p);
    test_log_close(&log);
}

// ---- other matrices for the same masses

typedef struct Weights {
    const double *M;
    int nnz;
} Weights;

static CdStatus weights_mass(void *data, const CdPoint *at, double *M) {
    const Weights *w = data;
    (void)at;
    memcpy(M, w->M, (size_t)w->nnz * sizeof *M);
    return CD_OK;
}

static CdStatus weights_force(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    for (int i = 0; i < 3; i++) f[i] = 1 + i;
    return CD_OK;
}

// q0 + q1 + q2 = 0
static CdStatus weights_sum(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = at->q[0] + at->q[1] + at->q[2];
    return CD_OK;
}

static CdStatus weights_ones(void *data, const CdPoint *at, double *J) {
    (void)data, (void)at;
    for (int i = 0; i < 3; i++) J[i] = 1;
    return CD_OK;
}

static CdProblem weights_problem(Weights *w) {
    return (CdProblem){.data = w,
                       .nv = 3,
                       .ng = 1,
                       .force = weights_force,
                       .mass = weights_mass,
                       .mass_constant = true,
                       .constraint = weights_sum,
                       .constraint_jacobian = weights_ones};
}

// accelerations by every solver, with and without operators to come; entries of the last matrix
static int check_weights(const CdProblem *user, const double expected[3], double lambda) {
    TestLog log;
    test_log_open(&log);
    int nnz = 0;
    for (int k = 0; cd_linsol_classes[k]; k++) {
        for (int operators = 1; operators >= 0; operators--) {
            const CdProblemSetup setup = {.linsol = cd_linsol_classes[k], .operators = operators};
            CdiProblem *p;
            CdPoint at;
            CHECK_OK(cdi_problem_new(log.ctx, user, &setup, &p));
            CHECK_OK(cdi_point_take(p, &p->arena, &at));
            CHECK_OK(cdi_accelerations(p, &at));
            for (int i = 0; i < 3; i++) CHECK_NEAR(at.vdot[i], expected[i], 1e-14);
            CHECK_NEAR(at.lambda[0], lambda, 1e-14);
            nnz = cdi_linsol_matrix(cdi_solve_solver(p)).pattern->nnz;
            cdi_problem_free(p);
        }
    }
    test_log_close(&log);
    return nnz;
}

// M = diag(2, 4, 8): lambda = (1/2 + 2/4 + 3/8)/(1/2 + 1/4 + 1/8)
TEST(masses_may_have_a_pattern_of_their_own) {
    const double full[9] = {2, 0, 0, 0, 4, 0, 0, 0, 8}, diagonal[3] = {2, 4, 8};
    const double lambda = 11.0 / 7,
                 expected[3] = {(1 - lambda) / 2, (2 - lambda) / 4, (3 - lambda) / 8};
    Weights w = {full, 9};
    CdProblem user = weights_problem(&w);
    CHECK_INT(check_weights(&user, expected, lambda), 9 + 2 * 3 + 1);
    w = (Weights){diagonal, 3};
    user.mass_sparsity = (CdSparsity){.ptr = (int[]){0, 1, 2, 3}, .row = (int[]){0, 1, 2}};
    CHECK_INT(check_weights(&user, expected, lambda), 3 + 2 * 3 + 1);
}

// M = [2 1 0; 0 4 0; 0 0 8]
TEST(masses_need_not_be_symmetric) {
    const double M[9] = {2, 0, 0, 1, 4, 0, 0, 0, 8};
    const double lambda = 1.5, expected[3] = {-5.0 / 16, 1.0 / 8, 3.0 / 16};
    Weights w = {M, 9};
    const CdProblem user = weights_problem(&w);
    check_weights(&user, expected, lambda);
}

// ---- projections

TEST(projection_goes_to_the_nearest_point_of_the_circle) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = {.mass = 2, .length = 1.5};
    const CdProblem user = pendulum_problem(&m);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.q[0] = 1;
    at.q[1] = -2;
    CHECK_OK(cdi_project_position(p, &at));
    // Gauss-Newton moves along the radius here, as M is a multiple of the identity
    CHECK_NEAR(at.q[0], 1.5 / sqrt(5), 4e-16);
    CHECK_NEAR(at.q[1], -3 / sqrt(5), 4e-16);
    at.v[0] = 5;
    at.v[1] = 1;
    CHECK_OK(cdi_project_velocity(p, &at));
    // the radial part (5 - 2)/sqrt 5 is gone
    CHECK_NEAR(at.v[0], 5 - 3.0 / 5, 1e-15);
    CHECK_NEAR(at.v[1], 1 + 6.0 / 5, 1e-15);
    // once there, nothing moves any more
    const double q[2] = {at.q[0], at.q[1]}, v[2] = {at.v[0], at.v[1]};
    const int64_t factors = p->counts.factors;
    CHECK_OK(cdi_project_position(p, &at));
    CHECK_OK(cdi_project_velocity(p, &at));
    for (int i = 0; i < 2; i++) {
        CHECK_BITS(at.q[i], q[i]);
        CHECK_BITS(at.v[i], v[i]);
    }
    CHECK_INT(p->counts.factors, factors);
    cdi_problem_free(p);
    test_log_close(&log);
}

// the knife edge says nothing about where to go
TEST(projection_of_positions_leaves_N_alone) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = track_problem();
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.q[0] = 1.5;
    at.q[1] = 2;
    at.q[2] = 0.3;
    CHECK_OK(cdi_project_position(p, &at));
    CHECK_NEAR(at.q[0], 0.6, 3e-16);
    CHECK_NEAR(at.q[1], 0.8, 3e-16);
    CHECK_BITS(at.q[2], 0.3);
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(projection_on_a_manifold_and_beside_a_moving_support) {
    TestLog log;
    test_log_open(&log);
    Top top;
    Pendulum m = PENDULUM;
    const CdProblem users[] = {top_problem(&top, true), pendulum_problem(&m), sleigh_problem()};
    TestRandom random = {12};
    for (size_t k = 0; k < 3; k++) {
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &users[k], &at);
        for (int n = 0; n < 10; n++) {
            double c;
            point_random(p, &random, &at);
            CHECK_OK(cdi_project_position(p, &at));
            CHECK_OK(cdi_project_velocity(p, &at));
            CHECK_OK(cdi_level_residual(p, &at, CD_POSITION, &c));
            CHECK_NEAR(c, 0, 2e-15);
            CHECK_OK(cdi_velocity_residual(p, &at, &c));
            CHECK_NEAR(c, 0, 1e-13);
        }
        cdi_problem_free(p);
    }
    test_log_close(&log);
}

// g = q^2 + 1 has no solution
static CdStatus never_g(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = at->q[0] * at->q[0] + 1;
    return CD_OK;
}

static CdStatus never_j(void *data, const CdPoint *at, double *J) {
    (void)data;
    J[0] = 2 * at->q[0];
    return CD_OK;
}

static CdStatus unit_force(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    f[0] = 1;
    return CD_OK;
}

TEST(a_projection_that_fails_leaves_the_point) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = {.nv = 1,
                            .ng = 1,
                            .force = unit_force,
                            .constraint = never_g,
                            .constraint_jacobian = never_j};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.q[0] = 0.7;
    CHECK_INT(cdi_project_position(p, &at), CD_NOCONV);
    CHECK_BITS(at.q[0], 0.7);
    at.q[0] = NAN;
    CHECK_INT(cdi_project_position(p, &at), CD_NONFINITE);
    CHECK_TEXT(log.text, "");
    cdi_problem_free(p);
    test_log_close(&log);
}

// ---- consistent starts

TEST(a_start_is_mended_or_refused) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = {.mass = 2, .length = 1.5, .gravity = 9.81};
    const CdProblem user = pendulum_problem(&m);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.q[0] = 1.5 + 1e-4;
    CHECK_OK(cdi_consistent(p, &at, 1e-3));
    CHECK_NEAR(at.q[0], 1.5, 1e-15);
    CHECK_NEAR(at.vdot[1], -9.81, 1e-14);
    at.q[0] = 1.6;
    CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_INVALID);
    at.q[0] = 1.5;
    at.v[0] = 0.5;
    CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_INVALID);
    at.v[0] = 1e-5;
    CHECK_OK(cdi_consistent(p, &at, 1e-3));
    CHECK_NEAR(at.v[0], 0, 1e-20);
    at.v[1] = NAN;
    CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_INVALID);
    at.v[1] = 0;
    at.t = INFINITY;
    CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_INVALID);
    CHECK_TEXT(
        log.text,
        "problem 'pendulum': constraint 0 of g is violated by 0.155 at the start (t = 0); up "
        "to 0.001 is mended\n"
        "problem 'pendulum': constraint 0 of g is violated at velocity level by 0.75 at the "
        "start (t = 0); up to 0.001 is mended\n"
        "problem 'pendulum': v[1] is nan at the start (t = 0)\n"
        "problem 'pendulum': cannot start at t = inf\n");
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(a_start_finds_algebraic_unknowns_and_rates) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = mixed_problem();
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.q[0] = 2;
    at.v[0] = 4;
    at.y[0] = 2; // x^3 + x = 10
    at.y[1] = -3;
    CHECK_OK(cdi_consistent(p, &at, 1e-3));
    CHECK_NEAR(at.x[0], 2, 1e-15);
    // (1 + 4) v' = -6 + 4 - 4
    CHECK_NEAR(at.vdot[0], -6.0 / 5, 1e-15);
    // [2 -1; 1 3] y' = (9 + 2, 2 - 2 + 8)
    CHECK_NEAR(at.ydot[0], 41.0 / 7, 1e-14);
    CHECK_NEAR(at.ydot[1], 5.0 / 7, 1e-14);
    cdi_problem_free(p);
    test_log_close(&log);
}

// w = x^2 + 1
static CdStatus no_root(void *data, const CdPoint *at, double *w) {
    (void)data;
    w[0] = at->x[0] * at->x[0] + 1;
    return CD_OK;
}

TEST(algebraic_equations_without_solution_are_refused) {
    TestLog log;
    test_log_open(&log);
    CdProblem user = mixed_problem();
    user.algebra = no_root;
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.x[0] = 3;
    CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_INVALID);
    CHECK(strstr(log.text, "problem 'mixed': equation 0 of w leaves 1") != NULL);
    CHECK(strstr(log.text, "whatever x is; up to 0.001 is accepted\n") != NULL);
    cdi_problem_free(p);
    test_log_close(&log);
}

// Robertson as a DAE: the sum of concentrations stays 1
static CdStatus robertson(void *data, const CdPoint *at, double *phi) {
    (void)data;
    const double *y = at->y;
    phi[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    phi[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1];
    phi[2] = y[0] + y[1] + y[2] - 1;
    return CD_OK;
}

TEST(rows_of_zeros_must_hold_at_the_start) {
    TestLog log;
    test_log_open(&log);
    const double B[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    const CdProblem user = {.name = "robertson", .ny = 3, .rate = robertson, .leading = B};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CHECK_INT(p->kind, CD_KIND_LEADING);
    at.y[0] = 1;
    CHECK_OK(cdi_consistent(p, &at, 1e-3));
    CHECK_BITS(at.ydot[0], -0.04);
    CHECK_BITS(at.ydot[1], 0.04);
    CHECK_BITS(at.ydot[2], 0);
    // what is left of its equation is no rate
    at.y[0] = 1.0005;
    CHECK_OK(cdi_consistent(p, &at, 1e-3));
    CHECK_BITS(at.ydot[2], 0);
    at.y[0] = 0.75;
    CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_INVALID);
    CHECK_TEXT(log.text, "problem 'robertson': equation 2 of B y' = phi leaves -0.25 at the start "
                         "(t = 0) whatever y' is; up to 0.001 is accepted\n");
    cdi_problem_free(p);
    test_log_close(&log);
}

// B = (1 2; 2 4) allows phi = (a, 2a) only, and gives the shortest y' = a (1, 2)/5
static CdStatus line_rate(void *data, const CdPoint *at, double *phi) {
    (void)data;
    phi[0] = 5;
    phi[1] = 10 + at->y[0];
    return CD_OK;
}

TEST(a_singular_leading_matrix_gives_the_shortest_rates) {
    TestLog log;
    test_log_open(&log);
    const double B[4] = {1, 2, 2, 4};
    const CdProblem user = {.name = "line", .ny = 2, .rate = line_rate, .leading = B};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CHECK_OK(cdi_consistent(p, &at, 1e-9));
    CHECK_NEAR(at.ydot[0], 1, 1e-14);
    CHECK_NEAR(at.ydot[1], 2, 1e-14);
    at.y[0] = 1;
    CHECK_INT(cdi_consistent(p, &at, 1e-9), CD_INVALID);
    cdi_problem_free(p);
    const double broken[4] = {1, 0, NAN, 1};
    CdProblem bad = user;
    bad.leading = broken;
    test_log_clear(&log);
    CHECK_INT(cdi_problem_new(log.ctx, &bad, NULL, &p), CD_INVALID);
    CHECK_TEXT(log.text, "problem 'line': entry 2 of 'leading' is nan\n");
    test_log_close(&log);
}

// y0' exp(y0') = y1, and y1 = data, an equation without rates
static CdStatus lambert(void *data, const CdPoint *at, double *F) {
    F[0] = at->ydot[0] * exp(at->ydot[0]) - at->y[1];
    F[1] = at->y[1] - *(const double *)data;
    return CD_OK;
}

TEST(rates_of_an_implicit_form_are_found) {
    TestLog log;
    test_log_open(&log);
    double e = exp(1);
    const CdProblem user = {.name = "lambert", .data = &e, .ny = 2, .implicit = lambert};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.y[1] = exp(1);
    at.ydot[0] = 3;
    at.ydot[1] = 7; // nothing determines it
    CHECK_OK(cdi_consistent(p, &at, 1e-6));
    CHECK_NEAR(at.ydot[0], 1, 1e-14);
    CHECK_NEAR(at.ydot[1], 7, 0);
    e = 3;
    CHECK_INT(cdi_consistent(p, &at, 1e-6), CD_INVALID);
    CHECK_TEXT(log.text, "problem 'lambert': equation 1 of F leaves 0.281718 at the start (t = 0) "
                         "whatever ydot is; up to 1e-06 is accepted\n");
    cdi_problem_free(p);
    test_log_close(&log);
}

static CdStatus broken_rate(void *data, const CdPoint *at, double *phi) {
    (void)data, (void)at;
    phi[0] = NAN;
    return at->t > 1 ? CD_RETRY : CD_OK;
}

TEST(rates_that_are_no_numbers_are_refused) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = {.name = "broken", .ny = 1, .rate = broken_rate};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_NONFINITE);
    at.t = 2;
    CHECK_INT(cdi_consistent(p, &at, 1e-3), CD_RETRY);
    CHECK_TEXT(log.text, "problem 'broken': ydot[0] is nan at the start (t = 0)\n"
                         "problem 'broken': accelerations and rates cannot be found at the start "
                         "(t = 2): 'rate' returned CD_RETRY\n");
    cdi_problem_free(p);
    test_log_close(&log);
}

// ---- save and load

#define LINKS 30

// masses that change with q, tied in pairs

static CdStatus links_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    for (int i = 0; i < LINKS; i++) f[i] = sin(i + at->q[i]) - at->v[i];
    return CD_OK;
}

static CdStatus links_mass(void *data, const CdPoint *at, double *M) {
    (void)data;
    for (int i = 0; i < LINKS; i++) M[i] = 1 + at->q[i] * at->q[i];
    return CD_OK;
}

static CdStatus links_g(void *data, const CdPoint *at, double *g) {
    (void)data;
    for (int i = 0; i < LINKS / 2; i++) g[i] = at->q[2 * i] + 0.1 * at->q[2 * i] * at->q[2 * i + 1];
    return CD_OK;
}

static CdStatus links_j(void *data, const CdPoint *at, double *J) {
    (void)data;
    for (int i = 0; i < LINKS / 2; i++) {
        J[2 * i] = 1 + 0.1 * at->q[2 * i + 1];
        J[2 * i + 1] = 0.1 * at->q[2 * i];
    }
    return CD_OK;
}

static CdStatus accelerate(CdContext *ctx, const CdProblem *user, const CdLinsolClass *cls,
                           bool through_load, double *vdot) {
    CdiProblem *p, *other;
    CdPoint at;
    TestRandom random = {13};
    CHECK_OK(cdi_problem_new(ctx, user, &(CdProblemSetup){.linsol = cls}, &p));
    CHECK_OK(cdi_problem_new(ctx, user, &(CdProblemSetup){.linsol = cls}, &other));
    CHECK_OK(cdi_point_take(p, &p->arena, &at));
    for (int k = 0; k < 3; k++) {
        point_random(p, &random, &at);
        CHECK_OK(cdi_accelerations(p, &at));
    }
    if (through_load) {
        char *bytes = cdi_alloc(ctx, cdi_problem_save_size(p));
        cdi_problem_save(p, bytes);
        CHECK_OK(cdi_problem_load(other, bytes));
        cdi_free(ctx, bytes);
    }
    point_random(p, &random, &at);
    const CdStatus status = cdi_accelerations(through_load ? other : p, &at);
    memcpy(vdot, at.vdot, sizeof *vdot * (size_t)p->nv);
    cdi_problem_free(p);
    cdi_problem_free(other);
    return status;
}

TEST(a_loaded_problem_solves_with_the_same_bits) {
    TestLog log;
    test_log_open(&log);
    int dptr[LINKS + 1], drow[LINKS], jptr[LINKS + 1], jrow[LINKS];
    for (int i = 0; i <= LINKS; i++) dptr[i] = jptr[i] = i;
    for (int i = 0; i < LINKS; i++) {
        drow[i] = i;
        jrow[i] = i / 2;
    }
    const CdProblem user = {.name = "links",
                            .nv = LINKS,
                            .ng = LINKS / 2,
                            .force = links_force,
                            .mass = links_mass,
                            .constraint = links_g,
                            .constraint_jacobian = links_j,
                            .sparsity = {.ptr = dptr, .row = drow},
                            .constraint_sparsity = {.ptr = jptr, .row = jrow}};
    for (const CdLinsolClass *const *cls = cd_linsol_classes; *cls; cls++) {
        double straight[LINKS], loaded[LINKS];
        CHECK_OK(accelerate(log.ctx, &user, *cls, false, straight));
        CHECK_OK(accelerate(log.ctx, &user, *cls, true, loaded));
        CHECK(memcmp(straight, loaded, sizeof loaded) == 0);
    }
    test_log_close(&log);
}

// accelerations of what has been saved; with numbers for M in between: those of a problem that has
// seen them
static void accelerate_weights(CdContext *ctx, const CdLinsolClass *cls, const double *M,
                               const double *between, bool load, double vdot[3]) {
    Weights w = {M, 9};
    CdProblem user = weights_problem(&w);
    user.ng = 0;
    user.constraint = NULL;
    user.constraint_jacobian = NULL;
    const CdProblemSetup setup = {.linsol = cls};
    CdiProblem *p[2];
    CdPoint at;
    for (int k = 0; k < 2; k++) CHECK_OK(cdi_problem_new(ctx, &user, &setup, &p[k]));
    CHECK_OK(cdi_point_take(p[0], &p[0]->arena, &at));
    CHECK_OK(cdi_accelerations(p[0], &at));
    if (between) {
        w.M = between;
        cdi_problem_changed(p[0]);
        (void)cdi_accelerations(p[0], &at);
        w.M = M;
        cdi_problem_changed(p[0]);
        CHECK_OK(cdi_accelerations(p[0], &at));
    }
    void *saved = malloc(cdi_problem_save_size(p[0]));
    cdi_problem_save(p[0], saved);
    CHECK_OK(cdi_problem_load(p[1], saved));
    CHECK_OK(cdi_accelerations(p[load], &at));
    memcpy(vdot, at.vdot, 3 * sizeof *vdot);
    free(saved);
    for (int k = 1; k >= 0; k--) cdi_problem_free(p[k]);
}

// masses that divide (3/17 is not 3 times 1/17), symmetric ones, any others
TEST(constant_masses_have_the_same_bits_after_load_and_after_others) {
    static const double all[4][9] = {{3, 0, 0, 0, 7, 0, 0, 0, 17},
                                     {3, 1, 0, 1, 7, 2, 0, 2, 11},
                                     {3, 0, 0, 1, 7, 2, 0, 5, 11},
                                     {NAN, 1, 0, 1, 7, 2, 0, 2, 11}};
    TestLog log;
    test_log_open(&log);
    for (const CdLinsolClass *const *cls = cd_linsol_classes; *cls; cls++) {
        for (int k = 0; k < 3; k++) {
            double straight[3], other[3];
            accelerate_weights(log.ctx, *cls, all[k], NULL, false, straight);
            for (int i = 0; i < 3; i++) {
                double sum = -(1 + i);
                for (int j = 0; j < 3; j++) sum += all[k][3 * j + i] * straight[j];
                CHECK_NEAR(sum, 0, 1e-15);
            }
            accelerate_weights(log.ctx, *cls, all[k], NULL, true, other);
            CHECK(memcmp(straight, other, sizeof other) == 0);
            for (int between = 0; between < 4; between++) {
                for (int load = 0; load < 2; load++) {
                    accelerate_weights(log.ctx, *cls, all[k], all[between], load, other);
                    CHECK(memcmp(straight, other, sizeof other) == 0);
                }
            }
        }
    }
    test_log_close(&log);
}

int main(void) {
    RUN(a_hanging_pendulum_carries_its_weight);
    RUN(accelerations_satisfy_the_equations);
    RUN(masses_that_are_alone_divide);
    RUN(masses_may_have_a_pattern_of_their_own);
    RUN(masses_need_not_be_symmetric);
    RUN(projection_goes_to_the_nearest_point_of_the_circle);
    RUN(projection_of_positions_leaves_N_alone);
    RUN(projection_on_a_manifold_and_beside_a_moving_support);
    RUN(a_projection_that_fails_leaves_the_point);
    RUN(a_start_is_mended_or_refused);
    RUN(a_start_finds_algebraic_unknowns_and_rates);
    RUN(algebraic_equations_without_solution_are_refused);
    RUN(rows_of_zeros_must_hold_at_the_start);
    RUN(a_singular_leading_matrix_gives_the_shortest_rates);
    RUN(rates_of_an_implicit_form_are_found);
    RUN(rates_that_are_no_numbers_are_refused);
    RUN(a_loaded_problem_solves_with_the_same_bits);
    RUN(constant_masses_have_the_same_bits_after_load_and_after_others);
    return test_end();
}
