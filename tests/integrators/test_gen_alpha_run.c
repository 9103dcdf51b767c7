// test_gen_alpha_run.c - behaviour of the generalised-alpha family: damping, energy, step control,
// iterations, states that mix all kinds of unknowns, saving, failures
#include "alpha.h"

#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "integrators/integrator.h"
#include "integrators/newton.h"

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

static CdIntegrator *start(CdContext *ctx, const CdProblem *problem, const char *method,
                           const CdPoint *at) {
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(ctx, problem, method, &it));
    if (it) CHECK_OK(cd_integrator_start(it, at));
    return it;
}

TEST(trapezoidal_keeps_the_energy_of_an_oscillator) {
    double w = 3, q = 1, v = 0.5;
    const CdProblem problem = {.name = "oscillator", .data = &w, .nv = 1, .force = spring};
    const double energy = v * v / 2 + w * w * q * q / 2;
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = start(log.ctx, &problem, "trapezoidal(adaptive=false, step=0.1)",
                             &(CdPoint){.q = &q, .v = &v});
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

int main(void) {
    RUN(trapezoidal_keeps_the_energy_of_an_oscillator);
    RUN(high_frequencies_are_damped_as_asked);
    RUN(positions_states_and_algebra_go_together);
    RUN(errors_follow_the_tolerance);
    RUN(stiff_problems_are_solved_by_large_steps);
    return test_end();
}
