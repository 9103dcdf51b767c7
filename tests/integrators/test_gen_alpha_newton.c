// test_gen_alpha_newton.c - how much Newton's method of the generalised-alpha family does
#include "alpha.h"

#include "chain.h"
#include "ivp.h"

TEST(a_linear_chain_is_factored_once) {
    TestLog log;
    IvpChain *chain;
    test_log_open(&log);
    CHECK_OK(ivp_chain_new(log.ctx, 40, &chain));
    CdIntegrator *it =
        started(log.ctx, &chain->mechanical, "gen-alpha(adaptive=false, step=0.01, linsol=klu)");
    CHECK_OK(cd_integrator_run(it, 10, NULL));
    const CdStatistics *s = cd_integrator_statistics(it);
    CHECK_INT(s->steps, 1000);
    CHECK(s->iterations <= 1000 + 25);
    // one before the first step, for the shifted start
    CHECK(s->evaluations <= s->iterations + 3);
    CHECK_INT(s->jacobians, 1);
    CHECK_INT(s->newton_failures, 0);
    CHECK_INT(s->allocations, 0);
    CHECK(ivp_error(&chain->mechanical, cd_integrator_now(it)).q < 2e-4);
    cd_integrator_free(it);
    ivp_chain_free(chain);
    test_log_close(&log);
}

// smooth motion is foretold so well that one iteration mostly does, also where accelerations change
// their sign from step to step around it; two where eta, which nobody foretells, is beside them
TEST(steps_begin_near_their_end) {
    static const char *const methods[] = {"form=index3", "form=index2, rho=1", "form=ggl"};
    static const double most[] = {1.4, 1.6, 2.1};
    for (int k = 0; k < 3; k++) {
        char method[METHOD_SIZE];
        TestLog log;
        test_log_open(&log);
        fixed_method(method, "gen-alpha", methods[k], 0.001);
        CdIntegrator *it = started(log.ctx, &ivp_pendulum, method);
        CHECK_OK(cd_integrator_run(it, 0.9, NULL));
        const CdStatistics *s = cd_integrator_statistics(it);
        CHECK((double)s->iterations <= most[k] * (double)s->steps);
        CHECK((double)s->jacobians <= 0.25 * (double)s->steps);
        cd_integrator_free(it);
        test_log_close(&log);
    }
}

typedef struct Effort {
    double q, iterations, jacobians; // these per step
} Effort;

static Effort effort_of(const IvpProblem *ivp, const char *newton, int steps) {
    char method[METHOD_SIZE];
    TestLog log;
    test_log_open(&log);
    fixed_method(method, "gen-alpha", newton, (ivp->t_end - ivp->t0) / steps);
    CdIntegrator *it = started(log.ctx, ivp, method);
    CHECK_OK(cd_integrator_run(it, ivp->t_end, NULL));
    const CdStatistics *s = cd_integrator_statistics(it);
    const CdPoint *now = cd_integrator_now(it);
    const Effort e = {.q = now->q ? now->q[0] : now->y[0],
                      .iterations = (double)s->iterations / (double)s->steps,
                      .jacobians = (double)s->jacobians / (double)s->steps};
    cd_integrator_free(it);
    test_log_close(&log);
    return e;
}

// an iteration with those of every second or third step is worth two with older ones
TEST(derivatives_are_renewed_when_that_pays) {
    const Effort chosen = effort_of(&ivp_caraxis, "form=index3, newton=auto", 900);
    const Effort modified = effort_of(&ivp_caraxis, "form=index3, newton=modified", 900);
    CHECK(chosen.iterations < 3.2 && chosen.jacobians < 0.6);
    CHECK(modified.iterations > 4.2 && modified.jacobians < 0.2);
    CHECK_NEAR(chosen.q, modified.q, 1e-9);
}

// a comet on long steps needs 3.9 iterations with derivatives of earlier ones, else 1.7
TEST(small_models_get_full_newton_where_it_does_less) {
    const Effort chosen = effort_of(&ivp_kepler, "newton=auto", 200);
    const Effort modified = effort_of(&ivp_kepler, "newton=modified", 200);
    const Effort full = effort_of(&ivp_kepler, "newton=full", 200);
    CHECK_NEAR(chosen.q, modified.q, 1e-6);
    CHECK_NEAR(chosen.q, full.q, 1e-6);
    CHECK(full.iterations < 1.8 && modified.iterations > 3.5);
    CHECK(chosen.jacobians > 2 * modified.jacobians);
    // and the work is less than with either: a Jacobian costs about an iteration here
    const double work = chosen.iterations + chosen.jacobians;
    CHECK(work < modified.iterations + modified.jacobians);
    CHECK(work < full.iterations + full.jacobians);
}

TEST(small_models_keep_derivatives_that_do) {
    // with a constraint those of a step's beginning do, and cost less
    const Effort held = effort_of(&ivp_pendulum, "form=index3", 40);
    CHECK(held.iterations < 3 && held.jacobians < 1.1);
    // 2.1 iterations in place of 1.3 do not pay for new ones
    const Effort comet = effort_of(&ivp_kepler, "", 600);
    CHECK(comet.jacobians > 0.02 && comet.jacobians < 0.2);
    const Effort pendulum = effort_of(&ivp_pendulum_angle, "", 2000);
    CHECK(pendulum.iterations < 1.05 && pendulum.jacobians < 0.02);
    const Effort linear = effort_of(&ivp_dahlquist, "", 2000);
    CHECK(linear.iterations < 1.05 && linear.jacobians < 0.002);
}

// the three ways give the same solution, full Newton with the fewest iterations
TEST(ways_of_newton_agree) {
    static const char *const ways[] = {"newton=full", "newton=auto", "newton=modified"};
    double q[3];
    int64_t jacobians[3];
    for (int k = 0; k < 3; k++) {
        char method[METHOD_SIZE];
        TestLog log;
        test_log_open(&log);
        fixed_method(method, "gen-alpha", ways[k], 0.01);
        CdIntegrator *it = started(log.ctx, &ivp_pendulum, method);
        CHECK_OK(cd_integrator_run(it, 0.9, NULL));
        q[k] = cd_integrator_now(it)->q[0];
        jacobians[k] = cd_integrator_statistics(it)->jacobians;
        cd_integrator_free(it);
        test_log_close(&log);
    }
    CHECK_NEAR(q[1], q[0], 1e-9);
    CHECK_NEAR(q[2], q[0], 1e-9);
    CHECK(jacobians[0] > jacobians[1] && jacobians[1] > jacobians[2]);
}

static CdStatus damped_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -4 * at->v[0];
    f[1] = -9.81 - 4 * at->v[1];
    return CD_OK;
}

// what a pendulum does while it comes to rest, in steps so short that positions can hardly tell:
// 1.33 iterations per step in place of 1.44; a tolerance that is given is met
TEST(rounding_errors_are_not_iterated) {
    static const char *const methods[] = {
        "gen-alpha(form=index3, adaptive=false, step=2e-5)",
        "gen-alpha(form=index3, adaptive=false, step=2e-5, newton_tolerance=1e-7)"};
    double iterations[2];
    for (int k = 0; k < 2; k++) {
        CdProblem damped = ivp_pendulum.problem;
        double q[] = {0.6, -0.8}, v[] = {0, 0};
        TestLog log;
        test_log_open(&log);
        damped.force = damped_force;
        damped.derivatives = NULL;
        CdIntegrator *it = start(log.ctx, &damped, methods[k], &(CdPoint){.q = q, .v = v});
        CHECK_OK(cd_integrator_run(it, 1, NULL));
        const CdStatistics *s = cd_integrator_statistics(it);
        iterations[k] = (double)s->iterations / (double)s->steps;
        cd_integrator_free(it);
        test_log_close(&log);
    }
    CHECK(iterations[0] < 0.95 * iterations[1]);
}

// a bead on a circle, in equilibrium at (1, 0) between springs that the step does not resolve and
// that couple the direction of the constraint with the other one
static CdStatus bead_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double stiffness = 1e9;
    const double x = at->q[0] - 2, y = at->q[1] + 0.9;
    f[0] = -stiffness * (x + 0.9 * y);
    f[1] = -stiffness * (0.9 * x + y);
    return CD_OK;
}

TEST(stiff_forces_do_not_disturb_the_stabilised_form) {
    CdProblem bead = ivp_pendulum.problem;
    double q[] = {1, 0}, v[] = {0, 0.01};
    bead.force = bead_force;
    bead.derivatives = NULL;
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = start(log.ctx, &bead, "gen-alpha(newton=full, adaptive=false, step=0.01)",
                             &(CdPoint){.q = q, .v = v});
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    const CdStatistics *s = cd_integrator_statistics(it);
    CHECK(s->iterations <= 4.5 * (double)s->steps);
    cd_integrator_free(it);
    test_log_close(&log);
}

static double iterations_per_step(const IvpProblem *ivp, const char *method, double t_end,
                                  double *jacobians) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = started(log.ctx, ivp, method);
    CHECK_OK(cd_integrator_run(it, t_end, NULL));
    const CdStatistics *s = cd_integrator_statistics(it);
    const double n = (double)s->steps;
    if (jacobians) *jacobians = (double)s->jacobians / n;
    CHECK_INT(s->rejected, 0);
    const double each = (double)s->iterations / n;
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
    return each;
}

// 150 rad/s: an angle of 0.15 per step, which costs a factor of 13 per iteration without dexp
TEST(fast_rotations_do_not_spoil_convergence) {
    static const char *const forms[] = {"index3", "index2", "index1"};
    for (int k = 0; k < 3; k++) {
        char method[128];
        snprintf(method, sizeof method,
                 "gen-alpha(adaptive=false, step=0.001, newton=full, form=%s)", forms[k]);
        CHECK(iterations_per_step(&ivp_heavytop_constrained, method, 0.1, NULL) < 2.2);
    }
    CHECK(iterations_per_step(&ivp_heavytop_constrained,
                              "gen-alpha(adaptive=false, step=0.001, newton=full, form=ggl)", 0.1,
                              NULL) < 3.2);
    // with 0.75 rad per step, too
    CHECK(iterations_per_step(&ivp_heavytop_constrained,
                              "gen-alpha(adaptive=false, step=0.005, form=index3)", 0.1, NULL) < 6);
}

// derivatives of the last step are of little use to a fast top: it takes new ones, and two
// iterations
TEST(derivatives_are_taken_in_every_step_where_that_does_less) {
    double jacobians;
    CHECK(iterations_per_step(&ivp_heavytop_constrained,
                              "gen-alpha(adaptive=false, step=0.001, form=index3)", 0.1,
                              &jacobians) < 2.5);
    CHECK(jacobians > 0.85 && jacobians < 1.1);
    // a slow pendulum keeps them
    CHECK(iterations_per_step(&ivp_pendulum, "gen-alpha(adaptive=false, step=0.001, form=index3)",
                              1, &jacobians) < 1.6);
    CHECK(jacobians < 0.2);
}

// steps of 0.75 rad in the stabilised form: derivatives of their beginning fail, which is found out
// now and then, and not in every step
TEST(derivatives_are_taken_in_every_iteration_where_those_of_the_beginning_fail) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = started(log.ctx, &ivp_heavytop_constrained,
                               "gen-alpha(adaptive=false, step=0.005, form=ggl)");
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    const CdStatistics *s = cd_integrator_statistics(it);
    CHECK_INT(s->steps, 200);
    CHECK(s->newton_failures > 10 && s->newton_failures < 50);
    CHECK((double)s->iterations < 5.5 * (double)s->steps);
    cd_integrator_free(it);
    test_log_close(&log);
}

// multipliers of positions begin where those of the steps before lead to
TEST(eta_is_extrapolated) {
    CHECK(iterations_per_step(&ivp_pendulum, "gen-alpha(adaptive=false, step=0.001, form=ggl)", 1,
                              NULL) < 1.3);
    CHECK(iterations_per_step(&ivp_andrews, "gen-alpha(adaptive=false, step=1e-5, form=ggl)", 2e-3,
                              NULL) < 1.3);
}

int main(void) {
    RUN(a_linear_chain_is_factored_once);
    RUN(steps_begin_near_their_end);
    RUN(derivatives_are_renewed_when_that_pays);
    RUN(small_models_get_full_newton_where_it_does_less);
    RUN(small_models_keep_derivatives_that_do);
    RUN(ways_of_newton_agree);
    RUN(rounding_errors_are_not_iterated);
    RUN(stiff_forces_do_not_disturb_the_stabilised_form);
    RUN(fast_rotations_do_not_spoil_convergence);
    RUN(derivatives_are_taken_in_every_step_where_that_does_less);
    RUN(derivatives_are_taken_in_every_iteration_where_those_of_the_beginning_fail);
    RUN(eta_is_extrapolated);
    return test_end();
}
