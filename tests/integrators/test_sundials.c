// test_sundials.c - CVODE and IDA behind our interface: published values, constraints, failures
#include <math.h>
#include <string.h>

#include "bouncing_ball.h"
#include "cardan/integrator.h"
#include "test.h"

static CdStatus spring(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = at->y[1];
    dy[1] = -at->y[0];
    return CD_OK;
}
static const CdProblem oscillator = {.name = "oscillator", .ny = 2, .rate = spring};

// ---- runs

typedef struct Run {
    TestLog log;
    CdIntegrator *it;
} Run;

static void begin(Run *run, const CdProblem *problem, const char *method, const CdPoint *at) {
    test_log_open(&run->log);
    CHECK_OK(cd_integrator_new(run->log.ctx, problem, method, &run->it));
    CHECK_OK(cd_integrator_start(run->it, at));
}

static void begin_ivp(Run *run, const IvpProblem *ivp, const char *method) {
    const CdPoint at = ivp_start(ivp);
    begin(run, &ivp->problem, method, &at);
}

static const CdPoint *end_at(Run *run, double t) {
    CHECK_OK(cd_integrator_run(run->it, t, NULL));
    const CdPoint *at = cd_integrator_now(run->it);
    CHECK_BITS(at->t, t);
    return at;
}

static void finish(Run *run) {
    CHECK_TEXT(run->log.text, "");
    cd_integrator_free(run->it);
    test_log_close(&run->log);
}

static void show(const Run *run, const char *method, double error) {
    const CdStatistics *s = cd_integrator_statistics(run->it);
    printf("     %-45s error %7.2g, %lld steps, %lld rejected, %lld evaluations, %lld jacobians, "
           "%lld factors\n",
           method, error, (long long)s->steps, (long long)s->rejected, (long long)s->evaluations,
           (long long)s->jacobians, (long long)s->factors);
}

// errors at the end of a problem
static IvpError errors_of(const IvpProblem *ivp, const char *method) {
    Run run;
    begin_ivp(&run, ivp, method);
    const IvpError error = ivp_error(ivp, end_at(&run, ivp->t_end));
    printf("     %s, %s\n", ivp->name, cd_integrator_statistics(run.it)->path);
    show(&run, method, error.mixed);
    finish(&run);
    return error;
}

static double error_of(const IvpProblem *ivp, const char *method) {
    return errors_of(ivp, method).mixed;
}

// ---- tests

static double oscillation_error(const char *method) {
    Run run;
    double y0[2] = {1, 0};
    begin(&run, &oscillator, method, &(CdPoint){.y = y0});
    const CdPoint *at = end_at(&run, 10);
    const double error = hypot(at->y[0] - cos(10), at->y[1] + sin(10));
    show(&run, method, error);
    finish(&run);
    return error;
}

TEST(an_oscillation_is_followed_at_every_tolerance) {
    CHECK(oscillation_error("cvode(method=adams, rtol=1e-4, atol=1e-4)") < 1e-2);
    CHECK(oscillation_error("cvode(method=adams, rtol=1e-10, atol=1e-10)") < 1e-7);
    CHECK(oscillation_error("cvode(rtol=1e-4, atol=1e-4)") < 2e-2);
    CHECK(oscillation_error("cvode(rtol=1e-10, atol=1e-10)") < 1e-7);
    CHECK(oscillation_error("ida(rtol=1e-4, atol=1e-4)") < 2e-2);
    CHECK(oscillation_error("ida(rtol=1e-10, atol=1e-10)") < 1e-7);
}

TEST(a_lower_order_takes_more_steps) {
    const char *const methods[] = {"cvode(max_order=2)", "cvode", "ida(max_order=2)", "ida"};
    int64_t steps[4] = {0};
    double y0[2] = {1, 0};
    for (int k = 0; k < 4; k++) {
        Run run;
        begin(&run, &oscillator, methods[k], &(CdPoint){.y = y0});
        end_at(&run, 10);
        steps[k] = cd_integrator_statistics(run.it)->steps;
        finish(&run);
    }
    CHECK(steps[0] > 2 * steps[1]);
    CHECK(steps[2] > 2 * steps[3]);
}

// multistep methods add up errors of their steps: one or two digits are lost on the way
TEST(stiff_problems_have_the_digits_asked_for_but_two) {
    CHECK(error_of(&ivp_robertson, "cvode(rtol=1e-6, atol=1e-18)") < 1e-5);
    CHECK(error_of(&ivp_robertson, "ida(rtol=1e-6, atol=1e-18)") < 1e-5);
    CHECK(error_of(&ivp_robertson_dae, "ida(rtol=1e-6, atol=1e-14)") < 1e-5);
    CHECK(error_of(&ivp_hires, "cvode(rtol=1e-7, atol=1e-11)") < 1e-5);
    CHECK(error_of(&ivp_hires, "ida(rtol=1e-7, atol=1e-11)") < 1e-6);
    CHECK(error_of(&ivp_vanderpol_stiff, "cvode(rtol=1e-6, atol=1e-6)") < 1e-4);
    CHECK(error_of(&ivp_vanderpol_stiff, "cvode(rtol=1e-9, atol=1e-9)") < 1e-7);
    CHECK(error_of(&ivp_vanderpol_stiff, "ida(rtol=1e-9, atol=1e-9)") < 1e-7);
    CHECK(error_of(&ivp_transamp, "ida(rtol=1e-5, atol=1e-5)") < 1e-4);
}

// the encounters of the stars amplify errors
TEST(pleiades_are_followed_by_adams) {
    CHECK(error_of(&ivp_pleiades, "cvode(method=adams, rtol=1e-9, atol=1e-9)") < 1e-4);
    CHECK(error_of(&ivp_pleiades, "cvode(method=adams, rtol=1e-12, atol=1e-12)") < 1e-7);
}

// p, v and lambda at t = 0.9, exact to the last digit
TEST(the_pendulum_is_right_in_every_form) {
    const struct {
        const char *method;
        double q, v, lambda;
    } runs[] = {
        {"cvode(rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-5},
        {"cvode(method=adams, rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-5},
        {"ida(form=index1, rtol=1e-9, atol=1e-9)", 1e-6, 1e-6, 1e-5},
        {"ida(form=index2, rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-4},
        {"ida(form=ggl, rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-4},
        {"ida(form=index3, rtol=1e-9, atol=1e-9)", 1e-4, 1e-4, 1e-2},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        const IvpError error = errors_of(&ivp_pendulum, runs[k].method);
        printf("     q %.2g, v %.2g, lambda %.2g\n", error.q, error.v, error.lambda);
        CHECK(error.q < runs[k].q);
        CHECK(error.v < runs[k].v);
        CHECK(error.lambda < runs[k].lambda);
    }
}

// at two tolerances a factor of 1000 apart
TEST(errors_of_mechanisms_follow_the_tolerance) {
    const struct {
        const IvpProblem *ivp;
        const char *loose, *tight;
        double error; // when tight
    } runs[] = {
        {&ivp_caraxis, "cvode(rtol=1e-6, atol=1e-6)", "cvode(rtol=1e-9, atol=1e-9)", 1e-5},
        {&ivp_caraxis, "ida(rtol=1e-6, atol=1e-6)", "ida(rtol=1e-9, atol=1e-9)", 1e-5},
        {&ivp_andrews, "cvode(rtol=1e-6, atol=1e-6)", "cvode(rtol=1e-9, atol=1e-9)", 1e-5},
        {&ivp_andrews, "ida(rtol=1e-6, atol=1e-6)", "ida(rtol=1e-9, atol=1e-9)", 1e-5},
        {&ivp_knife_edge, "cvode(rtol=1e-6, atol=1e-6)", "cvode(rtol=1e-9, atol=1e-9)", 1e-7},
        {&ivp_knife_edge, "ida(rtol=1e-6, atol=1e-6)", "ida(rtol=1e-9, atol=1e-9)", 1e-7},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        const double loose = error_of(runs[k].ivp, runs[k].loose);
        const double tight = error_of(runs[k].ivp, runs[k].tight);
        CHECK(tight < runs[k].error);
        CHECK(loose > 20 * tight);
    }
}

static double gap(const CdPoint *at) {
    return fabs(at->q[0] * at->q[0] + at->q[1] * at->q[1] - 1) / 2;
}

static double gap_rate(const CdPoint *at) {
    return fabs(at->q[0] * at->v[0] + at->q[1] * at->v[1]);
}

// largest violations of the pendulum's constraint after any step up to t
static void worst_gaps(const char *method, double t, double worst[2]) {
    Run run;
    begin_ivp(&run, &ivp_pendulum, method);
    worst[0] = worst[1] = 0;
    for (int n = 0; n < 100000 && cd_integrator_now(run.it)->t < t; n++) {
        CHECK_OK(cd_integrator_step(run.it, t));
        const CdPoint *at = cd_integrator_now(run.it);
        worst[0] = fmax(worst[0], gap(at));
        worst[1] = fmax(worst[1], gap_rate(at));
    }
    CHECK_BITS(cd_integrator_now(run.it)->t, t);
    printf("     %s: g %.2g, G v %.2g\n", method, worst[0], worst[1]);
    finish(&run);
}

TEST(constraints_hold_after_every_step_where_they_are_enforced) {
    double worst[2];
    worst_gaps("cvode(rtol=1e-6, atol=1e-6)", 20, worst);
    CHECK(worst[0] < 1e-10 && worst[1] < 1e-9);
    worst_gaps("ida(form=ggl, rtol=1e-6, atol=1e-6)", 20, worst);
    CHECK(worst[0] < 1e-5 && worst[1] < 1e-4);
    worst_gaps("ida(form=index3, rtol=1e-6, atol=1e-6)", 20, worst);
    CHECK(worst[0] < 1e-5);
    // left alone they drift
    worst_gaps("cvode(rtol=1e-6, atol=1e-6, project=false)", 20, worst);
    CHECK(worst[0] > 1e-3);
}

TEST(adams_is_brought_back_when_it_has_drifted) {
    double free[2], held[2];
    worst_gaps("cvode(method=adams, rtol=1e-6, atol=1e-6, project=false)", 40, free);
    worst_gaps("cvode(method=adams, rtol=1e-6, atol=1e-6)", 40, held);
    CHECK(free[0] > 1e-3);
    CHECK(held[0] < 1e-3);
}

// a heavy top, with its orientation as a quaternion
TEST(orientations_stay_on_their_manifold) {
    const struct {
        const char *method;
        double length, error;
    } runs[] = {
        {"cvode(rtol=1e-7, atol=1e-7)", 1e-14, 1e-5},
        {"cvode(method=adams, rtol=1e-7, atol=1e-7)", 1e-4, 1e-4},
        {"ida(rtol=1e-7, atol=1e-7)", 1e-4, 1e-4},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        Run run;
        double worst = 0;
        begin_ivp(&run, &ivp_heavytop, runs[k].method);
        const CdPoint *at = cd_integrator_now(run.it);
        for (int n = 0; n < 100000 && at->t < ivp_heavytop.t_end; n++) {
            CHECK_OK(cd_integrator_step(run.it, ivp_heavytop.t_end));
            at = cd_integrator_now(run.it);
            const double *q = at->q;
            worst = fmax(worst, fabs(hypot(hypot(q[0], q[1]), hypot(q[2], q[3])) - 1));
        }
        const IvpError error = ivp_error(&ivp_heavytop, at);
        show(&run, runs[k].method, error.q);
        printf("     length - 1: %.2g\n", worst);
        CHECK(worst < runs[k].length);
        CHECK(error.q < runs[k].error);
        finish(&run);
    }
}

// predicted quaternions are not of length 1, which must not cost Newton's iteration its convergence
TEST(a_top_held_at_its_tip_takes_few_steps_in_every_form) {
    const char *const forms[] = {"ggl", "index2", "index1", "index3"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        char method[64];
        Run run;
        snprintf(method, sizeof method, "ida(form=%s)", forms[k]);
        begin_ivp(&run, &ivp_heavytop_constrained, method);
        const CdPoint *end = end_at(&run, ivp_heavytop_constrained.t_end);
        const IvpError error = ivp_error(&ivp_heavytop_constrained, end);
        const CdStatistics *s = cd_integrator_statistics(run.it);
        show(&run, method, error.q);
        CHECK(s->steps < 1000);
        CHECK(s->newton_failures < 60);
        CHECK(error.q < (k == 3 ? 1e-2 : 1e-4));
        finish(&run);
    }
}

// ---- steps

static const char *const both[] = {"cvode(rtol=1e-8, atol=1e-8, max_steps=20000)",
                                   "cvode(method=adams, rtol=1e-8, atol=1e-8, max_steps=20000)",
                                   "ida(rtol=1e-8, atol=1e-8, max_steps=20000)"};
#define NBOTH (sizeof both / sizeof *both)

TEST(steps_end_where_they_must_and_can_be_looked_into) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        double y0[2] = {1, 0}, old = 0;
        begin(&run, &oscillator, both[k], &(CdPoint){.y = y0});
        for (int n = 1; n <= 1000; n++) {
            const double limit = 0.013 * n;
            while (cd_integrator_now(run.it)->t < limit) {
                CHECK_OK(cd_integrator_step(run.it, limit));
                const double t = cd_integrator_now(run.it)->t, middle = (old + t) / 2;
                CHECK(t > old && t <= limit);
                const CdPoint *at;
                CHECK_OK(cd_integrator_at(run.it, middle, &at));
                CHECK_BITS(at->t, middle);
                CHECK_NEAR(at->y[0], cos(middle), 2e-6);
                CHECK_OK(cd_integrator_at(run.it, old, &at));
                CHECK_NEAR(at->y[0], cos(old), 2e-6);
                old = t;
            }
        }
        finish(&run);
    }
}

TEST(a_rest_of_one_rounding_error_is_a_step) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        double y0[2] = {1, 0};
        const double next = nextafter(1, 2);
        begin(&run, &oscillator, both[k], &(CdPoint){.t = 1, .y = y0});
        CHECK_BITS(end_at(&run, next)->y[0], 1);
        CHECK_NEAR(end_at(&run, 2)->y[0], cos(1), 1e-6);
        CHECK_NEAR(end_at(&run, nextafter(2, 3))->y[0], cos(1), 1e-6);
        CHECK_NEAR(end_at(&run, 3)->y[0], cos(2), 1e-6);
        finish(&run);
    }
}

TEST(steps_keep_their_bounds) {
    const char *const methods[] = {"cvode(max_step=0.01, step=1e-4)",
                                   "ida(max_step=0.01, step=1e-4)"};
    for (size_t k = 0; k < 2; k++) {
        Run run;
        double y0[2] = {1, 0};
        begin(&run, &oscillator, methods[k], &(CdPoint){.y = y0});
        CHECK_OK(cd_integrator_step(run.it, 1));
        CHECK(cd_integrator_now(run.it)->t <= 1.0001e-4);
        end_at(&run, 1);
        CHECK(cd_integrator_statistics(run.it)->steps >= 100);
        CHECK(cd_integrator_statistics(run.it)->max_step <= 0.01 * (1 + 1e-12));
        finish(&run);
    }
}

// old derivatives serve many steps of CVODE; IDA takes new ones for every set-up
TEST(counters_tell_what_was_done) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        begin_ivp(&run, &ivp_vanderpol_stiff, both[k]);
        const bool stiff = k != 1;
        end_at(&run, stiff ? 2 : 1e-5);
        const CdStatistics *s = cd_integrator_statistics(run.it);
        CHECK(s->steps > 10);
        CHECK(s->evaluations >= s->iterations && s->iterations >= s->steps);
        if (stiff) CHECK(s->rejected > 0 && s->jacobians > 0 && s->solves >= s->iterations);
        if (stiff) CHECK(s->factors < s->steps);
        if (k == 0) CHECK(3 * s->jacobians < s->factors);
        if (k == 1) CHECK(s->jacobians == 0 && s->factors == 0);
        finish(&run);
    }
}

// ---- events

typedef struct Bounces {
    int n;
    double worst; // error of their times
} Bounces;

static CdStatus see_bounce(void *user, const CdEvent *event, const CdPoint *before,
                           const CdPoint *after) {
    Bounces *b = user;
    (void)before;
    if (event->now[0]) return CD_OK;
    b->worst = fmax(b->worst, fabs(after->t - ivp_bounce_time(++b->n)));
    return CD_OK;
}

TEST(a_ball_bounces_on_time) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        Bounces bounces = {0};
        const CdObserver observer = {.user = &bounces, .event = see_bounce};
        begin_ivp(&run, &ivp_bouncing_ball, both[k]);
        CHECK_OK(cd_integrator_run(run.it, ivp_bouncing_ball.t_end, &observer));
        int expected = 0;
        while (ivp_bounce_time(expected + 1) < ivp_bouncing_ball.t_end) expected++;
        printf("     %d bounces, times wrong by %.2g\n", bounces.n, bounces.worst);
        CHECK(expected > 1);
        CHECK_INT(bounces.n, expected);
        CHECK(bounces.worst < 1e-6);
        CHECK(ivp_error(&ivp_bouncing_ball, cd_integrator_now(run.it)).mixed < 1e-5);
        finish(&run);
    }
}

// ---- failures

typedef struct Trap {
    double t;        // from here on
    CdStatus status; // CD_OK: NaN
} Trap;

static CdStatus trapped(void *data, const CdPoint *at, double *dy) {
    const Trap *trap = data;
    const bool caught = at->t > trap->t;
    dy[0] = caught && trap->status == CD_OK ? NAN : 1;
    return caught ? trap->status : CD_OK;
}

static void fall_into(Trap trap, const char *method, CdStatus expected) {
    Run run;
    double y0[1] = {0};
    const CdProblem problem = {.name = "trap", .data = &trap, .ny = 1, .rate = trapped};
    begin(&run, &problem, method, &(CdPoint){.y = y0});
    CHECK_INT(cd_integrator_run(run.it, 2, NULL), expected);
    const CdPoint *at = cd_integrator_now(run.it);
    CHECK(at->t > 0.1 && at->t <= 1);
    CHECK_NEAR(at->y[0], at->t, 1e-12);
    CHECK(strstr(run.log.text, "trap") != NULL);
    CHECK((strstr(run.log.text, "a callback of the problem failed") != NULL) ==
          (expected == CD_INVALID));
    printf("     %s", run.log.text);
    // the state is kept, and the problem may be mended
    test_log_clear(&run.log);
    trap.t = 10;
    CHECK_NEAR(end_at(&run, 2)->y[0], 2, 1e-9);
    finish(&run);
}

TEST(failures_of_callbacks_end_the_run_with_the_last_state) {
    for (size_t k = 0; k < NBOTH; k++) {
        fall_into((Trap){1, CD_OK}, both[k], CD_NONFINITE);
        fall_into((Trap){1, CD_RETRY}, both[k], CD_RETRY);
        fall_into((Trap){1, CD_INVALID}, both[k], CD_INVALID);
    }
}

static void refused(const char *method, const char *message) {
    TestLog log;
    CdIntegrator *it;
    test_log_open(&log);
    CHECK_INT(cd_integrator_new(log.ctx, &oscillator, method, &it), CD_INVALID);
    CHECK(it == NULL);
    CHECK_TEXT(log.text, message);
    test_log_close(&log);
}

TEST(options_that_make_no_sense_are_refused) {
    refused("cvode(adaptive=false, step=0.1)",
            "problem 'oscillator', method 'cvode': order and step are controlled together; "
            "adaptive must be true, or take another method for fixed steps\n");
    refused("ida(adaptive=false, step=0.1)",
            "problem 'oscillator', method 'ida': order and step are controlled together; "
            "adaptive must be true, or take another method for fixed steps\n");
    refused("cvode(max_order=6)",
            "problem 'oscillator', method 'cvode': max_order of 'bdf' is at most 5, not 6\n");
}

TEST(runs_cannot_be_saved_and_say_so) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        double y0[2] = {1, 0};
        char byte;
        begin(&run, &oscillator, both[k], &(CdPoint){.y = y0});
        CHECK_INT(cd_integrator_save_size(run.it), 0);
        CHECK_INT(cd_integrator_save(run.it, &byte, 1), CD_INVALID);
        CHECK(strstr(run.log.text, k == 2 ? "ida" : "cvode") != NULL);
        test_log_clear(&run.log);
        finish(&run);
    }
}

static CdStatus short_run(CdContext *ctx, void *user) {
    CdIntegrator *it;
    const CdPoint at = ivp_start(&ivp_pendulum);
    CD_TRY(cd_integrator_new(ctx, &ivp_pendulum.problem, user, &it));
    CdStatus status = cd_integrator_start(it, &at);
    if (status == CD_OK) status = cd_integrator_run(it, 0.1, NULL);
    cd_integrator_free(it);
    return status;
}

TEST(memory_may_run_out_anywhere) {
    CHECK_OOM(short_run, "cvode");
    CHECK_OOM(short_run, "cvode(method=adams)");
    CHECK_OOM(short_run, "ida");
}

TEST(the_same_run_has_the_same_bits) {
    for (size_t k = 0; k < NBOTH; k++) {
        double end[2] = {0};
        for (int n = 0; n < 2; n++) {
            Run run;
            begin_ivp(&run, &ivp_pendulum, both[k]);
            end[n] = end_at(&run, 3)->q[0];
            finish(&run);
        }
        CHECK_BITS(end[0], end[1]);
    }
}

int main(void) {
    RUN(an_oscillation_is_followed_at_every_tolerance);
    RUN(a_lower_order_takes_more_steps);
    RUN(stiff_problems_have_the_digits_asked_for_but_two);
    RUN(pleiades_are_followed_by_adams);
    RUN(the_pendulum_is_right_in_every_form);
    RUN(errors_of_mechanisms_follow_the_tolerance);
    RUN(constraints_hold_after_every_step_where_they_are_enforced);
    RUN(adams_is_brought_back_when_it_has_drifted);
    RUN(orientations_stay_on_their_manifold);
    RUN(a_top_held_at_its_tip_takes_few_steps_in_every_form);
    RUN(steps_end_where_they_must_and_can_be_looked_into);
    RUN(a_rest_of_one_rounding_error_is_a_step);
    RUN(steps_keep_their_bounds);
    RUN(counters_tell_what_was_done);
    RUN(a_ball_bounces_on_time);
    RUN(failures_of_callbacks_end_the_run_with_the_last_state);
    RUN(options_that_make_no_sense_are_refused);
    RUN(runs_cannot_be_saved_and_say_so);
    RUN(memory_may_run_out_anywhere);
    RUN(the_same_run_has_the_same_bits);
    return test_end();
}
