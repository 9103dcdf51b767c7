// test_driver.c - what the driver does for every method: method text, start, runs, samples, misuse
#include "base/float_mode.h"
#include "integrators/cases.h"
#include "ivp.h"

static CdIntegrator *open(TestLog *log, const CdProblem *problem, const char *method) {
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(log->ctx, problem, method, &it));
    return it;
}

static CdIntegrator *open_wave(TestLog *log, const char *method) {
    CdIntegrator *it = open(log, &wave_ode, method);
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = (double[]){1, 0}}));
    return it;
}

TEST(a_fixed_step_does_not_drift) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = open_wave(&log, "rk4(step=1 ms)");
    CHECK_OK(cd_integrator_run(it, 10, NULL));
    const CdPoint *now = cd_integrator_now(it);
    CHECK_BITS(now->t, 10);
    CHECK_NEAR(now->y[0], cos(10), 1e-12);
    CHECK_NEAR(now->ydot[0], -sin(10), 1e-12);
    CHECK_NEAR(now->ydot[1], -cos(10), 1e-12);
    CdStatistics s = *cd_integrator_statistics(it);
    CHECK_INT(s.steps, 10000);
    CHECK_INT(s.allocations, 0);
    CHECK_NEAR(s.min_step, 1e-3, 1e-14);
    // all steps are the same to the bit, whatever the rounding of t
    CHECK_BITS(it->h, 1e-3);
    CHECK_NEAR(s.max_step, 1e-3, 1e-14);
    // many short runs are on the same grid
    for (int k = 1; k <= 1000; k++) CHECK_OK(cd_integrator_run(it, 10 + k * 0.01, NULL));
    CHECK_INT(cd_integrator_statistics(it)->steps, 20000);
    // a crumb at the end, and from there a new grid
    CHECK_OK(cd_integrator_run(it, 20.0015, NULL));
    CHECK_INT(cd_integrator_statistics(it)->steps, 20002);
    CHECK_OK(cd_integrator_run(it, 20.0035, NULL));
    CHECK_INT(cd_integrator_statistics(it)->steps, 20004);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// y' = -y
static CdStatus vanishing_rate(void *data, const CdPoint *at, double *dy) {
    *(uint32_t *)data = cdi_float_mode();
    dy[0] = -at->y[0];
    return CD_OK;
}

TEST(runs_take_the_smallest_numbers_for_zero) {
    TestLog log;
    test_log_open(&log);
    cdi_float_set(0);
    for (int k = 0; k < 2; k++) {
        uint32_t mode = ~0u;
        const CdProblem problem = {.ny = 1, .rate = vanishing_rate, .data = &mode};
        CdIntegrator *it = open(&log, &problem, "rk4(step=0.1)");
        CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = (double[]){1e-308}}));
        CHECK_OK(k == 0 ? cd_integrator_run(it, 1, NULL) : cd_integrator_step(it, 0.1));
        CHECK_INT(mode, CDI_FLUSH);
        CHECK_INT(cdi_float_mode(), 0);
        if (CDI_FLUSH != 0) CHECK_BITS(cd_integrator_now(it)->y[0], 0);
        cd_integrator_free(it);
    }
    // one that fails gives the mode back, too
    CdIntegrator *it = open_wave(&log, "rk4(step=0.1, max_steps=1)");
    CHECK_INT(cd_integrator_run(it, 1, NULL), CD_LIMIT);
    CHECK_INT(cdi_float_mode(), 0);
    cd_integrator_free(it);
    test_log_close(&log);
}

TEST(methods_are_written_in_many_ways) {
    TestLog log;
    test_log_open(&log);
    const char *texts[] = {"rk4(step=0.25)",
                           " rk4 ( step = 250 ms , linsol = dense ) ",
                           "rk4(step=1/4, rtol=1e-3)",
                           "rk4(step=\"0.25 s\",linsol=dense)",
                           "rk4(step=0.5*(1 - 0.5), linsol=\"klu\", project=false)",
                           "rk4(max_step=7, step=0.25, jacobian=differences, form=index1)"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        CdIntegrator *it = open_wave(&log, texts[k]);
        CHECK_OK(cd_integrator_step(it, 1));
        CHECK_BITS(cd_integrator_now(it)->t, 0.25);
        cd_integrator_free(it);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static void refuse(TestLog *log, const char *method, CdStatus status, const char *message) {
    CdIntegrator *it;
    test_log_clear(log);
    CHECK_INT(cd_integrator_new(log->ctx, &wave_ode, method, &it), status);
    CHECK(it == NULL);
    CHECK_TEXT(log->text, message);
}

#define LIKE "; write it like gen-alpha(rho=0.8, step=1 ms)\n"

TEST(auto_fits_the_kind_of_the_problem) {
    TestLog log;
    test_log_open(&log);
    const CdProblem *const problems[] = {&wave_ode, &ivp_robertson_dae.problem,
                                         &ivp_pendulum.problem};
    const char *const names[] = {"dopri5", "radau5", "gen-alpha"};
    for (int k = 0; k < 3; k++) {
        CdIntegrator *it = open(&log, problems[k], "auto(rtol=1e-3)");
        if (!it) continue;
        CHECK_TEXT(it->cls->desc.name, names[k]);
        CHECK_BITS(it->options->rtol, 1e-3);
        cd_integrator_free(it);
    }
    CdIntegrator *it;
    CHECK_INT(cd_integrator_new(log.ctx, &wave_ode, "automatic", &it), CD_NOTFOUND);
    test_log_close(&log);
}

TEST(mistakes_in_a_method_are_told) {
    TestLog log;
    test_log_open(&log);
    refuse(&log, NULL, CD_INVALID, "no method is given; write one like \"dopri5\"\n");
    refuse(&log, "", CD_INVALID, "method \"\", column 1: the name of a method is missing" LIKE);
    refuse(&log, "rk5(step=1)", CD_NOTFOUND, "there is no method 'rk5'; did you mean 'rk4'?\n");
    refuse(&log, "pardiso", CD_NOTFOUND, "there is no method 'pardiso'\n");
    refuse(&log, "rk4", CD_INVALID, "method 'rk4' needs a step: write rk4(step=1e-3)\n");
    refuse(&log, "rk4()", CD_INVALID, "method 'rk4' needs a step: write rk4(step=1e-3)\n");
    refuse(&log, "rk4(step=1, adaptive=true)", CD_INVALID,
           "method 'rk4' has no step control; leave adaptive=true away\n");
    refuse(&log, "rk4(step=1", CD_INVALID,
           "method \"rk4(step=1\", column 11: the text ends within the options" LIKE);
    refuse(&log, "rk4(step=\"1", CD_INVALID,
           "method \"rk4(step=\"1\", column 12: the text ends within the options" LIKE);
    refuse(&log, "rk4 step=1", CD_INVALID, "method \"rk4 step=1\", column 5: '(' is missing" LIKE);
    refuse(&log, "rk4(step 1)", CD_INVALID,
           "method \"rk4(step 1)\", column 10: '=' is missing" LIKE);
    refuse(&log, "rk4(step=)", CD_INVALID,
           "method \"rk4(step=)\", column 10: a value is missing" LIKE);
    refuse(&log, "rk4(step=1,)", CD_INVALID,
           "method \"rk4(step=1,)\", column 12: the name of an option is missing" LIKE);
    refuse(&log, "rk4(step=1) x", CD_INVALID,
           "method \"rk4(step=1) x\", column 13: nothing may follow the options" LIKE);
    refuse(&log, "rk4(step=1, step=2)", CD_INVALID,
           "rk4: field 'step': is given twice; give it once\n");
    refuse(&log, "rk4(\xff=1)", CD_INVALID, "the method is not valid UTF-8\n");
    // all at once
    refuse(&log, "rk4(steps=1, rtol=1e-16, atol=0, step=1 kg, form=index4, event_limit=0)",
           CD_INVALID,
           "rk4: field 'steps': rk4 has no such field; did you mean 'step'?\n"
           "rk4: field 'rtol': must be at least 1e-15 and below 1, not 1e-16\n"
           "rk4: field 'atol': must be above 0, not 0\n"
           "rk4: field 'step': unit 'kg' does not fit; give a value in s\n"
           "rk4: field 'form': must be auto, index1, index2, index3 or ggl, not 'index4'; did you "
           "mean "
           "'index1'?\n"
           "rk4: field 'event_limit': must be at least 1, not 0\n");
    refuse(&log, "rk4(step=1, linsol=kul)", CD_NOTFOUND,
           "there is no linear solver 'kul'; did you mean 'klu'?\n");
    refuse(&log, "rk4(step=1, min_step=2, max_step=1)", CD_INVALID,
           "method 'rk4': min_step 2 s must not be larger than max_step 1 s\n");
    refuse(&log, "rk4(step=1, max_step=0.5)", CD_INVALID,
           "method 'rk4': a fixed step of 1 s must not be larger than max_step 0.5 s\n");
    char text[5001];
    memset(text, 'x', 5000);
    text[5000] = '\0';
    refuse(&log, text, CD_LIMIT, "the text of a method has more than 4096 bytes\n");
    test_log_close(&log);
}

TEST(digits_that_cannot_be_had_are_refused) {
    TestLog log;
    test_log_open(&log);
    refuse(&log, "rk4(step=1, digits=4)", CD_INVALID,
           "method 'rk4': without step control it cannot aim at digits; halve the step until they "
           "stand, or take dopri5(digits=6)\n");
    refuse(&log, "newmark(digits=4)", CD_INVALID,
           "method 'newmark': which tolerances give digits is not known; give rtol and atol, or "
           "take gen-alpha\n");
    refuse(&log, "radau5(digits=4, step=1, adaptive=false)", CD_INVALID,
           "method 'radau5': digits need step control; leave adaptive=false away\n");
    refuse(&log, "dopri5(digits=4, rtol=1e-4)", CD_INVALID,
           "method 'dopri5': digits stand in place of rtol and atol; give either\n");
    refuse(&log, "dopri5(atol=1e-4, digits=4)", CD_INVALID,
           "method 'dopri5': digits stand in place of rtol and atol; give either\n");
    refuse(&log, "dopri5(floor=1e-4)", CD_INVALID,
           "method 'dopri5': floor goes with digits; beside rtol stands atol\n");
    refuse(&log, "gen-alpha(digits=8)", CD_INVALID,
           "method 'gen-alpha': it reaches 5 digits, not 8; ask for fewer, or take dopri5\n");
    refuse(&log, "dopri5(digits=11)", CD_INVALID,
           "method 'dopri5': it reaches 10 digits, not 11; ask for fewer, or take dop853\n");
    refuse(&log, "dop853(digits=12)", CD_INVALID,
           "method 'dop853': it reaches 11 digits, not 12; ask for fewer\n");
    refuse(&log, "dop853(digits=-1, floor=0)", CD_INVALID,
           "dop853: field 'digits': must be at least 0 and at most 13, not -1\n"
           "dop853: field 'floor': must be at least 1e-30, not 0\n");
    test_log_close(&log);
}

TEST(names_are_listed) {
    int n = 0;
    FOR_METHODS(cls) CHECK_TEXT(cd_integrator_name(n++), (*cls)->desc.name);
    CHECK(n > 0 && cd_integrator_name(n) == NULL && cd_integrator_name(-1) == NULL);
}

// ---- start

TEST(wrong_starts_are_refused) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = open(&log, &wave_ode, "rk4(step=0.1)");
    CHECK_INT(cd_integrator_run(it, 1, NULL), CD_INVALID);
    CHECK_INT(cd_integrator_step(it, 1), CD_INVALID);
    CHECK_INT(cd_integrator_start(it, NULL), CD_INVALID);
    CHECK_INT(cd_integrator_start(it, &(CdPoint){.y = (double[]){1, NAN}}), CD_INVALID);
    CHECK_INT(cd_integrator_start(it, &(CdPoint){.t = INFINITY}), CD_INVALID);
    CHECK_INT(cd_integrator_run(it, 1, NULL), CD_INVALID);
    CHECK_TEXT(
        log.text,
        "problem 'wave', method 'rk4': is not started; call cd_integrator_start\n"
        "problem 'wave', method 'rk4': is not started; call cd_integrator_start\n"
        "problem 'wave', method 'rk4': no state to start from is given\n"
        "problem 'wave', method 'rk4': start value y[1] is not finite; give a number for it\n"
        "problem 'wave', method 'rk4': the start time is inf; it must be finite\n"
        "problem 'wave', method 'rk4': is not started; call cd_integrator_start\n");
    test_log_clear(&log);
    // what is not given is 0
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.t = 2}));
    CHECK_OK(cd_integrator_run(it, 3, NULL));
    CHECK_BITS(cd_integrator_now(it)->y[0], 0);
    CHECK_INT(cd_integrator_run(it, 2.5, NULL), CD_INVALID);
    CHECK_INT(cd_integrator_run(it, NAN, NULL), CD_INVALID);
    CHECK_OK(cd_integrator_run(it, 3, NULL));
    CHECK_OK(cd_integrator_step(it, 3));
    CHECK_INT(cd_integrator_statistics(it)->steps, 10);
    const CdPoint *at;
    CHECK_INT(cd_integrator_at(it, 2.5, &at), CD_INVALID);
    CHECK(at == NULL);
    CHECK_OK(cd_integrator_at(it, 2.95, &at));
    CHECK_BITS(at->t, 2.95);
    CHECK_OK(cd_integrator_at(it, 3, &at));
    CHECK_TEXT(
        log.text,
        "problem 'wave', method 'rk4': cannot go to t = 2.5; it must be finite and not before t = "
        "3\n"
        "problem 'wave', method 'rk4': cannot go to t = nan; it must be finite and not before t = "
        "3\n"
        "problem 'wave', method 'rk4': t = 2.5 is not within the last step, from 2.9 to 3\n");
    cd_integrator_free(it);
    cd_integrator_free(NULL);
    CHECK_INT(cd_integrator_new(log.ctx, NULL, "rk4(step=1)", &it), CD_INVALID);
    test_log_close(&log);
}

// ---- samples

typedef struct Samples {
    int n, stop_at;
    double t[64], error;
    int asked, cancel_at;
} Samples;

static CdStatus sample(void *user, const CdPoint *at) {
    Samples *s = user;
    if (s->n < 64) s->t[s->n++] = at->t;
    // complete: y' as well
    s->error = fmax(s->error, fabs(at->y[0] - cos(at->t)));
    s->error = fmax(s->error, fabs(at->ydot[1] + cos(at->t)));
    return s->n == s->stop_at ? CD_IO : CD_OK;
}

static bool cancelled(void *user, double t) {
    Samples *s = user;
    (void)t;
    return ++s->asked == s->cancel_at;
}

TEST(samples_are_where_they_should_be) {
    TestLog log;
    test_log_open(&log);
    Samples s = {0};
    CdObserver observer = {.user = &s, .interval = 0.1, .sample = sample};
    CdIntegrator *it = open_wave(&log, "rk4(step=0.03)");
    CHECK_OK(cd_integrator_run(it, 2, &observer));
    CHECK_INT(s.n, 21);
    for (int k = 0; k < s.n; k++) CHECK_BITS(s.t[k], k * 0.1);
    CHECK(s.error > 1e-12 && s.error < 1e-6);
    // the end is a sample even if the interval does not lead there; it begins anew with the run
    s = (Samples){0};
    CHECK_OK(cd_integrator_run(it, 2.25, &observer));
    CHECK_INT(s.n, 4);
    CHECK_BITS(s.t[0], 2);
    CHECK_BITS(s.t[1], 2 + 0.1);
    CHECK_BITS(s.t[3], 2.25);
    // after every step
    s = (Samples){0};
    observer.interval = 0;
    CHECK_OK(cd_integrator_run(it, 2.37, &observer));
    CHECK_INT(s.n, 5);
    CHECK_BITS(s.t[0], 2.25);
    CHECK_BITS(s.t[4], 2.37);
    // of a run that has no length
    s = (Samples){0};
    CHECK_OK(cd_integrator_run(it, 2.37, &observer));
    CHECK_INT(s.n, 1);
    // 3*0.1 > 0.3, and 3*0.3 < 0.9: the end is hit whatever the rounding
    const double ends[] = {0.3, 0.7, 0.9, 1.8}, intervals[] = {0.1, 0.1, 0.3, 0.3};
    for (int k = 0; k < 4; k++) {
        s = (Samples){0};
        observer.interval = intervals[k];
        CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = (double[]){1, 0}}));
        CHECK_OK(cd_integrator_run(it, ends[k], &observer));
        CHECK_INT(s.n, lround(ends[k] / intervals[k]) + 1);
        CHECK_BITS(s.t[s.n - 1], ends[k]);
    }
    observer.interval = -1;
    CHECK_INT(cd_integrator_run(it, 3, &observer), CD_INVALID);
    CHECK_TEXT(log.text, "problem 'wave', method 'rk4': samples every -1 s are not possible; 0 is "
                         "after every step\n");
    cd_integrator_free(it);
    test_log_close(&log);
}

TEST(observers_end_a_run) {
    TestLog log;
    test_log_open(&log);
    Samples s = {.stop_at = 3};
    CdObserver observer = {.user = &s, .interval = 0.1, .sample = sample, .cancelled = cancelled};
    CdIntegrator *it = open_wave(&log, "rk4(step=0.07)");
    CHECK_INT(cd_integrator_run(it, 2, &observer), CD_IO);
    CHECK_BITS(cd_integrator_now(it)->t, 0.07 * 3);
    s = (Samples){.cancel_at = 5};
    CHECK_INT(cd_integrator_run(it, 2, &observer), CD_CANCELLED);
    CHECK_BITS(cd_integrator_now(it)->t, 0.07 * 8);
    s = (Samples){0};
    CHECK_OK(cd_integrator_run(it, 2, &observer));
    CHECK_NEAR(cd_integrator_now(it)->y[0], cos(2), 1e-6);
    CHECK_TEXT(log.text, "problem 'wave', method 'rk4': cancelled at t = 0.56\n");
    cd_integrator_free(it);
    test_log_close(&log);
}

TEST(steps_below_rounding_are_refused) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = open(&log, &wave_ode, "rk4(step=1e-20)");
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.t = 1}));
    CHECK_INT(cd_integrator_run(it, 3, NULL), CD_INVALID);
    CHECK_TEXT(log.text, "problem 'wave', method 'rk4': a step of 1e-20 s does not change t = 1\n");
    cd_integrator_free(it);
    test_log_close(&log);
}

TEST(steps_are_limited) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = open_wave(&log, "rk4(step=0.1, max_steps=10)");
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_INT(cd_integrator_run(it, 3, NULL), CD_LIMIT);
    CHECK_NEAR(cd_integrator_now(it)->t, 2, 1e-12);
    CHECK_TEXT(log.text, "problem 'wave', method 'rk4': 10 steps lead only to t = 2, the last of "
                         "0.1 s; allow more with max_steps, or take a larger step\n");
    cd_integrator_free(it);
    test_log_close(&log);
}

// ---- parameters

typedef struct Spring {
    double p[2], u[1];
} Spring;

static CdStatus spring_rate(void *data, const CdPoint *at, double *dy) {
    const Spring *s = data;
    dy[0] = at->y[1];
    dy[1] = -s->p[0] * at->y[0] - s->p[1] * at->y[1] + s->u[0];
    return CD_OK;
}

// a point on a circle of radius sqrt(p), and a force that is not known on large ones
static CdStatus known_force(void *data, const CdPoint *at, double *f) {
    (void)at;
    f[0] = f[1] = *(const double *)data > 3 ? NAN : 0;
    return CD_OK;
}

static CdStatus circle(void *data, const CdPoint *at, double *g) {
    g[0] = at->q[0] * at->q[0] + at->q[1] * at->q[1] - *(const double *)data;
    return CD_OK;
}

// a parameter with which there is no position, or no acceleration, leaves the state as it was
TEST(a_parameter_that_cannot_be_met_moves_nothing) {
    TestLog log;
    double p = 1;
    const CdProblem problem = {.name = "circle",
                               .data = &p,
                               .nv = 2,
                               .ng = 1,
                               .force = known_force,
                               .constraint = circle,
                               .np = 1,
                               .p = &p};
    test_log_open(&log);
    CdIntegrator *it = open(&log, &problem, "gen-alpha(step=0.01, adaptive=false)");
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = (double[]){1, 0}, .v = (double[]){0, 1}}));
    CHECK_OK(cd_integrator_run(it, 0.5, NULL));
    const CdPoint *now = cd_integrator_now(it);
    const double q[2] = {now->q[0], now->q[1]}, v[2] = {now->v[0], now->v[1]};
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0) CHECK(cd_integrator_set_parameter(it, "0", i == 0 ? -1 : 4) != CD_OK);
        now = cd_integrator_now(it);
        CHECK_BITS(now->q[i % 2], q[i % 2]);
        CHECK_BITS(now->v[i % 2], v[i % 2]);
    }
    CHECK_OK(cd_integrator_set_parameter(it, "0", 1));
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_NEAR(hypot(cd_integrator_now(it)->q[0], cd_integrator_now(it)->q[1]), 1, 1e-6);
    cd_integrator_free(it);
    test_log_close(&log);
}

TEST(parameters_and_inputs_change_from_outside) {
    TestLog log;
    test_log_open(&log);
    Spring s = {{1, 0}, {0}};
    const char *const names[] = {"stiffness", "damping"};
    const CdProblem problem = {.name = "spring",
                               .data = &s,
                               .ny = 2,
                               .rate = spring_rate,
                               .np = 2,
                               .nu = 1,
                               .p = s.p,
                               .u = s.u,
                               .p_names = names};
    CdIntegrator *it = open(&log, &problem, "rk4(step=0.001)");
    CHECK_OK(cd_integrator_set_parameter(it, "stiffness", 4));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = (double[]){1, 0}}));
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_NEAR(cd_integrator_now(it)->y[0], cos(2), 1e-11);
    // y' of the new parameters is there at once: the force vanishes, then is 1
    CHECK_OK(cd_integrator_set_parameter(it, "0", 0));
    CHECK_BITS(cd_integrator_now(it)->ydot[1], 0);
    CHECK_OK(cd_integrator_set_input(it, "0", 1));
    CHECK_OK(cd_integrator_run(it, 2, NULL));
    CHECK_NEAR(cd_integrator_now(it)->y[1], -2 * sin(2) + 1, 1e-11);
    CHECK_INT(cd_integrator_statistics(it)->restarts, 2);
    CHECK_INT(cd_integrator_set_parameter(it, "stifness", 4), CD_NOTFOUND);
    CHECK_INT(cd_integrator_set_parameter(it, "2", 4), CD_NOTFOUND);
    CHECK_INT(cd_integrator_set_parameter(it, NULL, 4), CD_NOTFOUND);
    CHECK_INT(cd_integrator_set_input(it, "0x", 4), CD_NOTFOUND);
    CHECK_INT(cd_integrator_set_input(it, "0", NAN), CD_INVALID);
    CHECK_BITS(s.u[0], 1);
    CHECK_TEXT(log.text, "problem 'spring', method 'rk4': there is no parameter 'stifness' among "
                         "2; did you mean 'stiffness'?\n"
                         "problem 'spring', method 'rk4': there is no parameter '2' among 2\n"
                         "problem 'spring', method 'rk4': there is no parameter '' among 2\n"
                         "problem 'spring', method 'rk4': there is no input '0x' among 1\n"
                         "problem 'spring', method 'rk4': input '0' must be finite, not nan\n");
    cd_integrator_free(it);
    test_log_close(&log);
}

// ---- failures

// y' = 1, but beyond y = 1 there is nothing
static CdStatus edge_rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = 0;
    dy[1] = at->y[1] > 1 ? NAN : 1;
    return CD_OK;
}

static CdStatus wall_rate(void *data, const CdPoint *at, double *dy) {
    dy[0] = dy[1] = 1;
    return at->y[1] > 1 ? *(CdStatus *)data : CD_OK;
}

TEST(failures_keep_the_last_good_state) {
    TestLog log;
    test_log_open(&log);
    const CdProblem edge = {.name = "edge", .ny = 2, .rate = edge_rate};
    CdIntegrator *it = open(&log, &edge, "rk4(step=0.15)");
    CHECK_OK(cd_integrator_start(it, &(CdPoint){0}));
    CHECK_INT(cd_integrator_run(it, 2, NULL), CD_NONFINITE);
    CHECK_NEAR(cd_integrator_now(it)->t, 0.9, 1e-12);
    CHECK_NEAR(cd_integrator_now(it)->y[1], 0.9, 1e-12);
    CHECK_OK(cd_integrator_run(it, 0.95, NULL));
    cd_integrator_free(it);
    CdStatus says = CD_RETRY;
    const CdProblem wall = {.name = "wall", .data = &says, .ny = 2, .rate = wall_rate};
    it = open(&log, &wall, "rk4(step=0.15)");
    CHECK_OK(cd_integrator_start(it, &(CdPoint){0}));
    CHECK_INT(cd_integrator_run(it, 2, NULL), CD_RETRY);
    says = CD_IO;
    CHECK_INT(cd_integrator_run(it, 2, NULL), CD_IO);
    CHECK_NEAR(cd_integrator_now(it)->y[1], 0.9, 1e-12);
    CHECK_INT(cd_integrator_start(it, &(CdPoint){.y = (double[]){0, 2}}), CD_IO);
    CHECK_TEXT(
        log.text,
        "problem 'edge', method 'rk4': a step fails with h = 0.15 s at t = 0.9: the solution is "
        "not finite (see the derivative of y[1]); try a smaller step\n"
        "problem 'wall', method 'rk4': a step fails with h = 0.15 s at t = 0.9: the right-hand "
        "side failed ('rate' returned CD_RETRY); try a smaller step\n"
        "problem 'wall', method 'rk4': a step fails with h = 0.15 s at t = 0.9: the right-hand "
        "side failed ('rate' returned CD_IO); cannot read or write a file\n"
        "problem 'wall': accelerations and rates cannot be found at the start (t = 0): 'rate' "
        "returned CD_IO\n");
    cd_integrator_free(it);
    test_log_close(&log);
}

static CdStatus whole_life(CdContext *ctx, void *user) {
    CdIntegrator *it;
    CD_TRY(cd_integrator_new(ctx, user, "rk4(step=0.1, linsol=dense)", &it));
    double q[2] = {1, 0};
    CdStatus status = cd_integrator_start(it, &(CdPoint){.q = q});
    if (status == CD_OK) status = cd_integrator_run(it, 1, NULL);
    cd_integrator_free(it);
    return status;
}

static CdStatus with_digits(CdContext *ctx, void *user) {
    CdIntegrator *it;
    CD_TRY(cd_integrator_new(ctx, user, "dopri5(digits=4, floor=0.1)", &it));
    cd_integrator_free(it);
    return CD_OK;
}

TEST(memory_may_run_out) {
    CdProblem copy = pendulum;
    CHECK_OOM(whole_life, &copy);
    CHECK_OOM(with_digits, &copy);
}

int main(void) {
    RUN(a_fixed_step_does_not_drift);
    RUN(runs_take_the_smallest_numbers_for_zero);
    RUN(methods_are_written_in_many_ways);
    RUN(auto_fits_the_kind_of_the_problem);
    RUN(mistakes_in_a_method_are_told);
    RUN(digits_that_cannot_be_had_are_refused);
    RUN(names_are_listed);
    RUN(wrong_starts_are_refused);
    RUN(samples_are_where_they_should_be);
    RUN(observers_end_a_run);
    RUN(steps_below_rounding_are_refused);
    RUN(steps_are_limited);
    RUN(a_parameter_that_cannot_be_met_moves_nothing);
    RUN(parameters_and_inputs_change_from_outside);
    RUN(failures_keep_the_last_good_state);
    RUN(memory_may_run_out);
    return test_end();
}
