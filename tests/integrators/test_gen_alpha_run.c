// test_gen_alpha_run.c - behaviour of the generalised-alpha family: damping, energy, step control,
// iterations, states that mix all kinds of unknowns, saving, failures
#include "alpha.h"

#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "integrators/gen_alpha.h"
#include "integrators/integrator.h"
#include "integrators/newton.h"
#include "ivp.h"

// ---- u'' = -w^2 u and y' = -w y

static CdStatus spring(void *data, const CdPoint *at, double *f) {
    const double w = *(const double *)data;
    f[0] = -w * w * at->q[0];
    return CD_OK;
}

static CdStatus decay(void *data, const CdPoint *at, double *dy) {
    dy[0] = -*(const double *)data * at->y[0];
    return CD_OK;
}

TEST(trapezoidal_keeps_the_energy_of_an_oscillator) {
    double w = 3, q = 1, v = 0.5;
    const CdProblem problem = {.name = "oscillator", .data = &w, .nv = 1, .force = spring};
    const double energy = v * v / 2 + w * w * q * q / 2;
    const char *method = "trapezoidal(adaptive=false, step=0.1, newton_tolerance=1e-10)";
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = start(log.ctx, &problem, method, &(CdPoint){.q = &q, .v = &v});
    double worst = 0;
    for (int n = 0; n < 10000; n++) {
        CHECK_OK(cd_integrator_step(it, 1e9));
        const CdPoint *now = cd_integrator_now(it);
        const double e = now->v[0] * now->v[0] / 2 + w * w * now->q[0] * now->q[0] / 2;
        worst = fmax(worst, fabs(e / energy - 1));
    }
    CHECK(worst < 1e-11);
    cd_integrator_free(it);
    test_log_close(&log);
}

// what a step leaves of a mode that it does not resolve: mean over many steps, late
static double damping(const CdProblem *problem, const char *method, const CdPoint *at) {
    TestLog log;
    double before = 0, after = 0;
    test_log_open(&log);
    CdIntegrator *it = start(log.ctx, problem, method, at);
    for (int n = 1; n <= 300; n++) {
        CHECK_OK(cd_integrator_step(it, 1e9));
        const CdPoint *now = cd_integrator_now(it);
        const double size = fabs(now->vdot ? now->vdot[0] : now->ydot[0]);
        if (n == 200) before = size;
        if (n == 300) after = size;
    }
    cd_integrator_free(it);
    test_log_close(&log);
    return pow(after / before, 0.01);
}

TEST(high_frequencies_are_damped_as_asked) {
    double w = 1e7, one = 1, zero = 0;
    const CdProblem oscillator = {.name = "stiff", .data = &w, .nv = 1, .force = spring};
    const CdProblem fading = {.name = "fading", .data = &w, .ny = 1, .rate = decay};
    const CdPoint q = {.q = &one, .v = &zero}, y = {.y = &one};
    static const double rhos[] = {0.3, 0.6, 0.9};
    for (int k = 0; k < 3; k++) {
        char method[METHOD_SIZE];
        snprintf(method, sizeof method, "gen-alpha(rho=%g, adaptive=false, step=1)", rhos[k]);
        // a triple eigenvalue brings a factor n^2, here 1.5^(2/100)
        CHECK_NEAR(damping(&oscillator, method, &q) / rhos[k], 1, 0.0085);
        CHECK_NEAR(damping(&fading, method, &y) / rhos[k], 1, 0.0085);
    }
    // (1 + alpha)/(1 - alpha), and none
    CHECK_NEAR(damping(&oscillator, "hht(alpha=-0.2, adaptive=false, step=1)", &q) * 1.5, 1,
               0.0085);
    CHECK_NEAR(damping(&oscillator, "trapezoidal(adaptive=false, step=1)", &q), 1, 0.0085);
}

// ---- all kinds of unknowns together, with a made-up solution
//
//   q = (cos t, cos^2 t)   y = sin 2t   x = sin t   lambda = sin t
//   q0'' = F0 - x - q0 y + 2 q0 lambda       0 = q1 - q0^2
//   q1'' = F1 - lambda                       y' = P - y + q0 x       0 = x + x^3 - q0 - W

static CdStatus mixed_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double t = at->t, c = cos(t), s = sin(t);
    f[0] = -c + s + c * sin(2 * t) - 2 * c * s - at->x[0] - at->q[0] * at->y[0];
    f[1] = -2 * cos(2 * t) + s;
    return CD_OK;
}

static CdStatus mixed_rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double t = at->t;
    dy[0] = 2 * cos(2 * t) + sin(2 * t) - cos(t) * sin(t) - at->y[0] + at->q[0] * at->x[0];
    return CD_OK;
}

static CdStatus mixed_algebra(void *data, const CdPoint *at, double *w) {
    (void)data;
    const double s = sin(at->t), x = at->x[0];
    w[0] = x + x * x * x - at->q[0] - (s + s * s * s - cos(at->t));
    return CD_OK;
}

static CdStatus mixed_constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = at->q[1] - at->q[0] * at->q[0];
    return CD_OK;
}

static CdStatus mixed_jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    J[0] = -2 * at->q[0];
    J[1] = 1;
    return CD_OK;
}

static void mixed_exact(const void *data, double t, CdPoint *at) {
    (void)data;
    at->q[0] = cos(t);
    at->q[1] = cos(t) * cos(t);
    at->v[0] = -sin(t);
    at->v[1] = -sin(2 * t);
    at->y[0] = sin(2 * t);
    at->x[0] = at->lambda[0] = sin(t);
}

static const double mixed_q0[] = {1, 1}, mixed_v0[] = {0, 0}, mixed_y0[] = {0}, mixed_x0[] = {0};

static const IvpProblem mixed = {
    .problem = {.name = "mixed",
                .nv = 2,
                .ny = 1,
                .nx = 1,
                .ng = 1,
                .force = mixed_force,
                .rate = mixed_rate,
                .algebra = mixed_algebra,
                .constraint = mixed_constraint,
                .constraint_jacobian = mixed_jacobian},
    .t_end = 2,
    .q0 = mixed_q0,
    .v0 = mixed_v0,
    .y0 = mixed_y0,
    .x0 = mixed_x0,
    .exact = mixed_exact,
};

TEST(positions_states_and_algebra_go_together) {
    static const char *const forms[] = {"form=index1", "form=index2", "form=index3", "form=ggl"};
    for (int f = 0; f < 4; f++) {
        const IvpError e1 = fixed_error(&mixed, "gen-alpha", forms[f], 100);
        const IvpError e2 = fixed_error(&mixed, "gen-alpha", forms[f], 200);
        CHECK(e2.q < 1e-3 && e2.y < 1e-3);
        CHECK_NEAR(log2(e1.q / e2.q), 2, 0.15);
        CHECK_NEAR(log2(e1.v / e2.v), 2, 0.15);
        CHECK_NEAR(log2(e1.y / e2.y), 2, 0.15);
        CHECK_NEAR(log2(e1.lambda / e2.lambda), 2, 0.15);
    }
}

// ---- both kinds of constraints: the knife edge draws a mass up z = x^2/2, which has the forces
// for that, so that its motion is that of problems/ivp/knife_edge.c and g needs no reaction

#define SLOPE 4.905
#define SPIN 1.5
#define REACH (SLOPE / (2 * SPIN * SPIN)) // x = REACH sin^2

static CdStatus both_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double s = sin(SPIN * at->t), c = cos(SPIN * at->t);
    f[0] = SLOPE;
    f[1] = f[2] = 0;
    f[3] = REACH * REACH * SPIN * SPIN * (6 * s * s * c * c - 2 * s * s * s * s);
    return CD_OK;
}

static CdStatus both_constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = at->q[3] - at->q[0] * at->q[0] / 2;
    return CD_OK;
}

static CdStatus both_jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    const double *q = at->q;
    const double by_columns[] = {-q[0], sin(q[2]), 0, -cos(q[2]), 0, 0, 1, 0};
    memcpy(J, by_columns, sizeof by_columns);
    return CD_OK;
}

static void both_exact(const void *data, double t, CdPoint *at) {
    (void)data;
    const double s = sin(SPIN * t), x = REACH * s * s, v = REACH * SPIN * sin(2 * SPIN * t);
    const double q[] = {x, REACH * (SPIN * t - sin(2 * SPIN * t) / 2), SPIN * t, x * x / 2};
    const double rate[] = {v, 2 * REACH * SPIN * s * s, SPIN, x * v};
    memcpy(at->q, q, sizeof q);
    memcpy(at->v, rate, sizeof rate);
    at->lambda[0] = 0;
    at->lambda[1] = 2 * SLOPE * s;
}

static const double both_q0[4] = {0}, both_v0[] = {0, 0, SPIN, 0};

static const IvpProblem both = {
    .problem = {.name = "both",
                .nv = 4,
                .ng = 1,
                .nn = 1,
                .force = both_force,
                .constraint = both_constraint,
                .constraint_jacobian = both_jacobian},
    .t_end = 2,
    .q0 = both_q0,
    .v0 = both_v0,
    .exact = both_exact,
};

TEST(holonomic_and_nonholonomic_constraints_go_together) {
    static const char *const forms[] = {"form=index1", "form=index2", "form=index3", "form=ggl"};
    for (int f = 0; f < 4; f++) {
        const IvpError e1 = fixed_error(&both, "gen-alpha", forms[f], 200);
        const IvpError e2 = fixed_error(&both, "gen-alpha", forms[f], 400);
        CHECK_NEAR(log2(e1.q / e2.q), 2, 0.2);
        CHECK_NEAR(log2(e1.v / e2.v), 2, 0.2);
        CHECK_NEAR(log2(e1.lambda / e2.lambda), 2, 0.25);
    }
}

// ---- step control

// errors fall with the tolerance at least as tol^(2/3), that of a method of order 2
static void check_control(const IvpProblem *ivp, const char *options, double most) {
    double last = INFINITY;
    for (int k = 4; k <= 7; k++) {
        char method[METHOD_SIZE];
        snprintf(method, sizeof method, "gen-alpha(%srtol=1e-%d, atol=1e-%d)", options, k, k);
        const double e = error_of(ivp, method, ivp->t_end).mixed;
        CHECK(e < most * pow(10, -2.0 / 3 * (k - 4)));
        CHECK(e < last / 2);
        last = e;
    }
}

TEST(errors_follow_the_tolerance) {
    check_control(&ivp_pendulum, "", 0.02);
    check_control(&ivp_pendulum, "form=index3, ", 0.02);
    // velocities, which are not controlled, are the larger ones here
    check_control(&ivp_heavytop, "", 0.5);
    check_control(&ivp_heavytop_constrained, "", 0.02);
    check_control(&mixed, "", 0.02);
    check_control(&ivp_dahlquist, "", 0.02);
    check_control(&ivp_knife_edge, "", 0.02);
}

TEST(stiff_problems_are_solved_by_large_steps) {
    static const char *const names[] = {"hires", "robertson_dae", "transamp", "orego"};
    for (int k = 0; k < 4; k++) {
        const IvpProblem *ivp = ivp_find(names[k]);
        char method[METHOD_SIZE];
        const double ratio = ivp->atol_ratio > 0 ? ivp->atol_ratio : 1;
        snprintf(method, sizeof method, "gen-alpha(rho=0.2, rtol=1e-5, atol=%g)", 1e-5 * ratio);
        const IvpError e = error_of(ivp, method, ivp->t_end);
        CHECK(e.mixed < 1e-2);
    }
}

// ---- memory

TEST(constrained_runs_do_not_allocate) {
    static const char *const methods[] = {"gen-alpha", "gen-alpha(form=index3, newton=full)",
                                          "gen-alpha(form=index1, adaptive=false, step=0.01)"};
    for (int k = 0; k < 3; k++) {
        TestLog log;
        test_log_open(&log);
        CdIntegrator *it = started(log.ctx, &ivp_pendulum, methods[k]);
        CHECK_OK(cd_integrator_run(it, 0.9, NULL));
        CHECK_INT(cd_integrator_statistics(it)->allocations, 0);
        cd_integrator_free(it);
        test_log_close(&log);
    }
}

// ---- between steps

// largest errors of q, of v and of lambda, the first two inside of steps over those at their ends
typedef struct Dense {
    double q, v, q_end, v_end, lambda;
} Dense;

static void compare(const CdPoint *at, double *q, double *v, double *l) {
    double block[4], lambda;
    CdPoint exact = {.q = block, .v = block + 2, .lambda = &lambda};
    ivp_pendulum.exact(NULL, at->t, &exact);
    for (int i = 0; i < 2; i++) {
        *q = fmax(*q, fabs(at->q[i] - exact.q[i]));
        *v = fmax(*v, fabs(at->v[i] - exact.v[i]));
    }
    *l = fmax(*l, fabs(at->lambda[0] - lambda));
}

static Dense dense_errors(double h) {
    char method[METHOD_SIZE];
    TestLog log;
    Dense e = {0};
    test_log_open(&log);
    fixed_method(method, "gen-alpha", "", h);
    CdIntegrator *it = started(log.ctx, &ivp_pendulum, method);
    while (it->now.t < 0.9) {
        double unused = 0;
        CHECK_OK(cd_integrator_step(it, 0.9));
        for (double s = 0.1; s < 1; s += 0.2) {
            const CdPoint *at;
            CHECK_OK(cd_integrator_at(it, it->t_old + s * it->h, &at));
            compare(at, &e.q, &e.v, &e.lambda);
        }
        compare(cd_integrator_now(it), &e.q_end, &e.v_end, &unused);
    }
    cd_integrator_free(it);
    test_log_close(&log);
    return e;
}

TEST(values_between_steps_are_as_good_as_those_of_steps) {
    const Dense e1 = dense_errors(0.01), e2 = dense_errors(0.005);
    CHECK(e1.q < 1.01 * e1.q_end && e2.q < 1.01 * e2.q_end);
    CHECK(e1.v < 1.01 * e1.v_end && e2.v < 1.01 * e2.v_end);
    CHECK_NEAR(log2(e1.lambda / e2.lambda), 2, 0.15);
}

// 2 y0' = -2 y0, 0 = y1 - e^t: y1' does not appear
static CdStatus fall_rate(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -2 * at->y[0];
    f[1] = at->y[1] - exp(at->t);
    return CD_OK;
}

static CdStatus fall_implicit(void *data, const CdPoint *at, double *r) {
    CD_TRY(fall_rate(data, at, r));
    r[0] -= 2 * at->ydot[0];
    return CD_OK;
}

static const double fall_leading[] = {2, 0, 0, 0};
static const CdProblem falls[] = {
    {.name = "fall", .ny = 2, .rate = fall_rate, .leading = fall_leading},
    {.name = "fall", .ny = 2, .implicit = fall_implicit}};

// largest errors inside of steps of 0.1
static void fall_errors(CdContext *ctx, const CdProblem *problem, const char *method, double e[2]) {
    double y[] = {1, 1};
    CdIntegrator *it;
    e[0] = e[1] = 0;
    CHECK_OK(cd_integrator_new(ctx, problem, method, &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = y}));
    while (it->now.t < 1) {
        CHECK_OK(cd_integrator_step(it, 1));
        for (double s = 0.1; s < 1; s += 0.2) {
            const CdPoint *at;
            CHECK_OK(cd_integrator_at(it, it->t_old + s * it->h, &at));
            e[0] = fmax(e[0], fabs(at->y[0] - exp(-at->t)));
            e[1] = fmax(e[1], fabs(at->y[1] - exp(at->t)));
        }
    }
    cd_integrator_free(it);
}

// the error of a step is 3e-4 with h = 0.1, that of a line h^2/8 e^t
TEST(only_unknowns_without_a_rate_are_lines_between_steps) {
    TestLog log;
    test_log_open(&log);
    for (int k = 0; k < 2; k++) {
        double e[2];
        fall_errors(log.ctx, &falls[k], "trapezoidal(step=0.1, adaptive=false)", e);
        CHECK(e[0] < 4e-4);
        CHECK_NEAR(e[1], 0.01 / 8 * exp(0.95), 2e-4);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// y1' begins with any number, here 0 in place of 1, and swings by that from step to step
TEST(rates_that_do_not_matter_do_not_govern_the_step) {
    static const char *const methods[] = {"gen-alpha(rtol=1e-6, atol=1e-8)",
                                          "trapezoidal(rtol=1e-6, atol=1e-8)"};
    TestLog log;
    test_log_open(&log);
    for (int k = 0; k < 4; k++) {
        double y[] = {1, 1};
        CdIntegrator *it;
        CHECK_OK(cd_integrator_new(log.ctx, &falls[k % 2], methods[k / 2], &it));
        CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = y}));
        CHECK_OK(cd_integrator_run(it, 1, NULL));
        CHECK_NEAR(it->now.y[0], exp(-1), 2e-5);
        // (e/12/1e-6)^(1/3) = 61 of the size that y1 asks for at the end
        CHECK(cd_integrator_statistics(it)->steps < 150);
        CHECK(cd_integrator_statistics(it)->steps > 40);
        cd_integrator_free(it);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(dense_output_stays_on_the_manifold) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = started(log.ctx, &ivp_heavytop, "gen-alpha(adaptive=false, step=0.001)");
    for (int n = 0; n < 20; n++) {
        const CdPoint *at;
        CHECK_OK(cd_integrator_step(it, 1));
        CHECK_OK(cd_integrator_at(it, it->t_old + 0.3 * it->h, &at));
        const double *q = at->q;
        CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14);
    }
    cd_integrator_free(it);
    test_log_close(&log);
}

// ---- saving

// what one has saved goes into two
static void hand_over(CdIntegrator *one, CdIntegrator *two) {
    const size_t size = cd_integrator_save_size(one);
    void *bytes = calloc(1, size);
    CHECK_OK(cd_integrator_save(one, bytes, size));
    CHECK_OK(cd_integrator_load(two, bytes, size));
    free(bytes);
}

static void check_ends(CdIntegrator *one, CdIntegrator *two, double t_end) {
    CHECK_OK(cd_integrator_run(one, t_end, NULL));
    CHECK_OK(cd_integrator_run(two, t_end, NULL));
    CHECK(memcmp(one->state, two->state, one->problem->npoint * sizeof(double)) == 0);
    CHECK_INT(one->stats->iterations, two->stats->iterations);
    CHECK_INT(one->stats->jacobians, two->stats->jacobians);
}

static void save_and_continue(const IvpProblem *ivp, const char *method) {
    TestLog log;
    test_log_open(&log);
    const double half = ivp->t0 + 0.5 * (ivp->t_end - ivp->t0);
    CdIntegrator *one = started(log.ctx, ivp, method), *two = started(log.ctx, ivp, method);
    CHECK_OK(cd_integrator_run(one, half, NULL));
    hand_over(one, two);
    // inside the last step too
    const CdPoint *a, *b;
    CHECK_OK(cd_integrator_at(one, one->t_old + 0.3 * one->h, &a));
    CHECK_OK(cd_integrator_at(two, one->t_old + 0.3 * one->h, &b));
    const bool moves = one->problem->nq > 0;
    const size_t n = (size_t)(moves ? one->problem->nq : one->problem->ny) * sizeof(double);
    CHECK(a->t == b->t && memcmp(moves ? a->q : a->y, moves ? b->q : b->y, n) == 0);
    check_ends(one, two, ivp->t_end);
    cd_integrator_free(one);
    cd_integrator_free(two);
    test_log_close(&log);
}

TEST(saved_runs_continue_bit_for_bit) {
    save_and_continue(&ivp_pendulum, "gen-alpha");
    save_and_continue(&ivp_pendulum, "hht(form=index3, adaptive=false, step=0.01)");
    save_and_continue(&ivp_heavytop_constrained, "gen-alpha(rtol=1e-5)");
    save_and_continue(&mixed, "gen-alpha(newton=modified)");
    save_and_continue(&ivp_kepler, "gen-alpha(rtol=1e-3)");
    save_and_continue(&ivp_robertson_dae, "trapezoidal(rtol=1e-5)");
}

// with so many steps left that take new derivatives, and so many in every iteration
static void save_anew(const IvpProblem *ivp, const char *method, int left, int every) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *one = started(log.ctx, ivp, method), *two = started(log.ctx, ivp, method);
    const CdAlphaMemory *m = one->method;
    const double half = ivp->t0 + 0.5 * (ivp->t_end - ivp->t0);
    while ((m->anew.left != left || m->every.left != every) && one->now.t < half) {
        CHECK_OK(cd_integrator_step(one, ivp->t_end));
    }
    CHECK_INT(m->anew.left, left);
    CHECK_INT(m->every.left, every);
    hand_over(one, two);
    check_ends(one, two, ivp->t_end);
    cd_integrator_free(one);
    cd_integrator_free(two);
    test_log_close(&log);
}

TEST(runs_saved_in_a_row_of_new_derivatives_continue) {
    for (int left = 1; left < 16; left++) {
        save_anew(&ivp_heavytop_constrained, "gen-alpha(adaptive=false, step=0.001, form=index3)",
                  left, 0);
    }
    // full Newton, of few unknowns and where those of a step's beginning fail
    save_anew(&ivp_kepler, "gen-alpha(adaptive=false, step=0.1)", 1, 0);
    save_anew(&ivp_heavytop_constrained, "gen-alpha(adaptive=false, step=0.005, form=ggl)", 3, 7);
}

// who asks for old derivatives gets them, whatever a saved run had
TEST(a_state_of_full_newton_does_not_make_others_full) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *one = started(log.ctx, &ivp_kepler, "gen-alpha(adaptive=false, step=0.1)");
    CdIntegrator *two =
        started(log.ctx, &ivp_kepler, "gen-alpha(adaptive=false, step=0.1, newton=modified)");
    const CdAlphaMemory *m = one->method;
    while (m->anew.left == 0 && one->now.t < 10) CHECK_OK(cd_integrator_step(one, 20));
    CHECK(m->anew.left > 0);
    hand_over(one, two);
    const int64_t before = two->stats->jacobians;
    CHECK_OK(cd_integrator_run(two, 20, NULL));
    CHECK(two->stats->jacobians - before < 20);
    cd_integrator_free(one);
    cd_integrator_free(two);
    test_log_close(&log);
}

// ---- failures

// a wall: no solution for q < 0
static CdStatus wall(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = at->q[0] < 0 ? -NAN : -1;
    return CD_OK;
}

// the same for the second of two masses, whose spring to the first carries it on
static CdStatus second_wall(void *data, const CdPoint *at, double *f) {
    const double pull = at->q[1] - at->q[0];
    CD_TRY(wall(data, &(CdPoint){.q = at->q + 1}, f + 1));
    f[0] = pull;
    f[1] -= pull;
    return CD_OK;
}

static CdStatus one_spring(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data, (void)at;
    if (M) memcpy(M, (double[]){1, 0, 0, 1}, 4 * sizeof *M);
    if (C) memset(C, 0, 4 * sizeof *C);
    if (K) memcpy(K, (double[]){1, -1, -1, 1}, 4 * sizeof *K);
    return CD_OK;
}

// f jumps between two values that the step cannot balance
static CdStatus jumping(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = at->t < 0.25 ? 0 : at->v[0] > 0 ? -1e4 : 1e4;
    return CD_OK;
}

static CdStatus failing_run(CdStatus (*force)(void *, const CdPoint *, double *),
                            const char *method, const char *message) {
    double q[] = {1, 1}, v[] = {1, 1};
    const bool two = force == second_wall;
    const CdProblem problem = {
        .name = "bad", .nv = two ? 2 : 1, .force = force, .derivatives = two ? one_spring : NULL};
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = start(log.ctx, &problem, method, &(CdPoint){.q = q, .v = v});
    const CdStatus status = cd_integrator_run(it, 10, NULL);
    const CdPoint *now = cd_integrator_now(it);
    CHECK(isfinite(now->q[0]) && isfinite(now->v[0]) && isfinite(now->vdot[0]) && now->t > 0);
    CHECK_TEXT(log.text, message);
    cd_integrator_free(it);
    test_log_close(&log);
    return status;
}

TEST(step_control_of_index_3_needs_damping) {
    static const char *const undamped[] = {"newmark", "trapezoidal", "gen-alpha"};
    for (int i = 0; i < 3; i++) {
        char method[64], expected[256];
        TestLog log;
        CdIntegrator *it;
        test_log_open(&log);
        snprintf(method, sizeof method, "%s(form=index3%s)", undamped[i], i == 2 ? ", rho=1" : "");
        CHECK_INT(cd_integrator_new(log.ctx, &ivp_pendulum.problem, method, &it), CD_INVALID);
        snprintf(expected, sizeof expected,
                 "problem 'pendulum', method '%s': step control needs numerical damping in the "
                 "form index3; take form=ggl, adaptive=false, or gen-alpha or hht\n",
                 undamped[i]);
        CHECK_TEXT(log.text, expected);
        test_log_close(&log);
    }
}

TEST(failures_say_where_and_keep_the_last_state) {
    CHECK_INT(
        failing_run(wall, "newmark(adaptive=false, step=0.5)",
                    "problem 'bad', method 'newmark': a step fails with h = 0.5 s at t = 2.5: "
                    "the residual of v[0] is not finite; try a smaller step\n"),
        CD_NONFINITE);
    // the one that is at fault, though the solution has spread it
    CHECK_INT(
        failing_run(second_wall, "newmark(adaptive=false, step=0.5)",
                    "problem 'bad', method 'newmark': a step fails with h = 0.5 s at t = 4.5: "
                    "the residual of v[1] is not finite; try a smaller step\n"),
        CD_NONFINITE);
    CHECK_INT(failing_run(wall, "gen-alpha(min_step=1e-6)",
                          "problem 'bad', method 'gen-alpha': the step size fell to 1.01e-06 s at "
                          "t = 2.73205032: the residual of v[0] is not finite; check the problem "
                          "there, or rtol and atol\n"),
              CD_NONFINITE);
    CHECK_INT(failing_run(jumping, "trapezoidal(adaptive=false, step=0.1)",
                          "problem 'bad', method 'trapezoidal': a step fails with h = 0.1 s at "
                          "t = 0.2: Newton's method does not converge; the largest residual is "
                          "-2e+04, of v[0]; try a smaller step\n"),
              CD_NOCONV);
}

// a spring that is very stiff beyond a gap: too much for one step of 0.5, not for a part of it
static CdStatus stop(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = at->q[0] > 0.5 ? -1e3 * expm1(20 * (at->q[0] - 0.5)) : 0;
    return CD_OK;
}

TEST(fixed_steps_are_halved_where_that_is_allowed) {
    double q = 0, v = 1;
    const CdProblem problem = {.name = "stop", .nv = 1, .force = stop};
    const CdPoint at = {.q = &q, .v = &v};
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = start(log.ctx, &problem, "gen-alpha(adaptive=false, step=2)", &at);
    CHECK_INT(cd_integrator_run(it, 4, NULL), CD_NOCONV);
    cd_integrator_free(it);
    test_log_clear(&log);
    it = start(log.ctx, &problem, "gen-alpha(adaptive=false, step=2, halvings=12)", &at);
    CHECK_OK(cd_integrator_run(it, 4, NULL));
    CHECK(cd_integrator_statistics(it)->rejected > 0);
    CHECK_BITS(cd_integrator_now(it)->t, 4);
    CHECK_TEXT(log.text, "");
    cd_integrator_free(it);
    test_log_close(&log);
}

static CdStatus open_and_run(CdContext *ctx, void *user) {
    (void)user;
    CdIntegrator *it;
    const CdPoint at = ivp_start(&ivp_pendulum);
    CD_TRY(cd_integrator_new(ctx, &ivp_pendulum.problem, "gen-alpha", &it));
    CdStatus status = cd_integrator_start(it, &at);
    if (status == CD_OK) status = cd_integrator_run(it, 0.1, NULL);
    cd_integrator_free(it);
    return status;
}

TEST(memory_may_run_out) {
    CHECK_OOM(open_and_run, NULL);
}

int main(void) {
    RUN(trapezoidal_keeps_the_energy_of_an_oscillator);
    RUN(high_frequencies_are_damped_as_asked);
    RUN(positions_states_and_algebra_go_together);
    RUN(holonomic_and_nonholonomic_constraints_go_together);
    RUN(errors_follow_the_tolerance);
    RUN(stiff_problems_are_solved_by_large_steps);
    RUN(constrained_runs_do_not_allocate);
    RUN(values_between_steps_are_as_good_as_those_of_steps);
    RUN(only_unknowns_without_a_rate_are_lines_between_steps);
    RUN(rates_that_do_not_matter_do_not_govern_the_step);
    RUN(dense_output_stays_on_the_manifold);
    RUN(saved_runs_continue_bit_for_bit);
    RUN(runs_saved_in_a_row_of_new_derivatives_continue);
    RUN(a_state_of_full_newton_does_not_make_others_full);
    RUN(step_control_of_index_3_needs_damping);
    RUN(failures_say_where_and_keep_the_last_state);
    RUN(fixed_steps_are_halved_where_that_is_allowed);
    RUN(memory_may_run_out);
    return test_end();
}
