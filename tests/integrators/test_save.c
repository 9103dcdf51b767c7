// test_save.c - a run that is saved in the middle and loaded elsewhere ends with the same bits
#include "integrators/cases.h"

#include <stdlib.h>

#define HALF 1.25
#define END 2.5

// all that a run ends with
typedef struct Ending {
    double t, numbers[32];
    size_t n;
    CdStatistics counts;
} Ending;

static CdIntegrator *open(TestLog *log, const CdProblem *problem, const char *method) {
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(log->ctx, problem, method, &it));
    return it;
}

static Ending ending(CdIntegrator *it) {
    const CdPoint *now = cd_integrator_now(it);
    Ending e = {.t = now->t, .n = it->problem->npoint};
    CHECK(e.n <= 32);
    memcpy(e.numbers, it->state, e.n * sizeof *e.numbers);
    e.counts = *cd_integrator_statistics(it);
    return e;
}

static void check_same(const Ending *a, const Ending *b) {
    CHECK_BITS(a->t, b->t);
    for (size_t i = 0; i < a->n; i++) CHECK_BITS(a->numbers[i], b->numbers[i]);
    CHECK_INT(a->counts.steps, b->counts.steps);
    CHECK_INT(a->counts.rejected, b->counts.rejected);
    CHECK_INT(a->counts.evaluations, b->counts.evaluations);
    CHECK_INT(a->counts.events, b->counts.events);
    CHECK_BITS(a->counts.min_step, b->counts.min_step);
}

// run to the middle, save, go on; and another integrator that begins with the saved bytes
static void save_and_continue(TestLog *log, const CdProblem *problem, const char *method,
                              const CdPoint *at) {
    CdIntegrator *one = open(log, problem, method), *two = open(log, problem, method);
    if (!one || !two) return;
    CHECK_OK(cd_integrator_start(one, at));
    CHECK_OK(cd_integrator_run(one, HALF, NULL));
    const size_t size = cd_integrator_save_size(one);
    void *bytes = calloc(1, size);
    CHECK(size > 0);
    CHECK_OK(cd_integrator_save(one, bytes, size));
    CHECK_OK(cd_integrator_run(one, END, NULL));
    const Ending first = ending(one);
    // what the loading integrator did before does not matter
    CHECK_OK(cd_integrator_start(two, at));
    CHECK_OK(cd_integrator_run(two, HALF / 3, NULL));
    CHECK_OK(cd_integrator_load(two, bytes, size));
    CHECK_BITS(two->now.t, HALF);
    CHECK_OK(cd_integrator_run(two, END, NULL));
    Ending second = ending(two);
    check_same(&first, &second);
    cd_integrator_free(two);
    // nor whether it was started
    two = open(log, problem, method);
    CHECK_OK(cd_integrator_load(two, bytes, size));
    CHECK_OK(cd_integrator_run(two, END, NULL));
    second = ending(two);
    check_same(&first, &second);
    free(bytes);
    cd_integrator_free(one);
    cd_integrator_free(two);
}

// an ODE with a little of everything: not linear, and it depends on t
static CdStatus forced_rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = at->y[1];
    dy[1] = -sin(at->y[0]) - 0.1 * at->y[1] * fabs(at->y[1]) + cos(at->t);
    return CD_OK;
}

static const CdProblem forced = {.name = "forced", .ny = 2, .rate = forced_rate};

static CdStatus forced_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -sin(at->q[0]) - 0.1 * at->v[0] * fabs(at->v[0]) + cos(at->t);
    return CD_OK;
}

static const CdProblem forced_mechanical = {.name = "forced", .nv = 1, .force = forced_force};

TEST(saved_runs_continue_bit_for_bit) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        char method[80];
        if (!(*cls)->can_save) continue;
        const bool mechanical = (*cls)->view == CD_VIEW_MECHANICAL;
        const CdProblem *problem = mechanical ? &forced_mechanical : &forced;
        double one[2] = {1, 0};
        const CdPoint at = mechanical ? (CdPoint){.q = one} : (CdPoint){.y = one};
        save_and_continue(&log, problem, with_step(*cls, 0.01, method), &at);
        if (!(*cls)->fixed_only) save_and_continue(&log, problem, (*cls)->desc.name, &at);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- with modes, parameters, inputs and events

typedef struct Modes {
    double p[1], u[1];
    int mode;
} Modes;

static CdStatus mode_rate(void *data, const CdPoint *at, double *dy) {
    const Modes *m = data;
    dy[0] = at->y[1];
    dy[1] = -m->p[0] * at->y[0] + (m->mode ? m->u[0] : 0);
    return CD_OK;
}

static CdStatus mode_function(void *data, const CdPoint *at, double *z) {
    (void)data;
    z[0] = at->y[0];
    return CD_OK;
}

static CdStatus mode_switch(void *data, CdEvent *event, CdPoint *at) {
    (void)at;
    ((Modes *)data)->mode = event->now[0];
    return CD_OK;
}

static void mode_save(void *data, void *to) {
    memcpy(to, &((Modes *)data)->mode, sizeof(int));
}

static void mode_load(void *data, const void *from) {
    memcpy(&((Modes *)data)->mode, from, sizeof(int));
}

static CdProblem mode_problem(Modes *m) {
    return (CdProblem){.name = "modes",
                       .data = m,
                       .ny = 2,
                       .rate = mode_rate,
                       .np = 1,
                       .nu = 1,
                       .p = m->p,
                       .u = m->u,
                       .nz = 1,
                       .events = mode_function,
                       .handle_event = mode_switch,
                       .discrete_size = sizeof(int),
                       .save = mode_save,
                       .load = mode_load};
}

TEST(modes_and_parameters_are_saved_too) {
    TestLog log;
    test_log_open(&log);
    Modes m = {{25}, {3}, 1}, other = {{1}, {0}, 0};
    const CdProblem p = mode_problem(&m), q = mode_problem(&other);
    CdIntegrator *one = open(&log, &p, "rk4(step=0.01)"), *two = open(&log, &q, "rk4(step=0.01)");
    CHECK_OK(cd_integrator_start(one, &(CdPoint){.y = (double[]){1, 0}}));
    CHECK_OK(cd_integrator_run(one, HALF, NULL));
    const int mode = m.mode;
    char bytes[4096];
    const size_t size = cd_integrator_save_size(one);
    CHECK(size <= sizeof bytes);
    CHECK_OK(cd_integrator_save(one, bytes, size));
    CHECK_OK(cd_integrator_run(one, END, NULL));
    CHECK_OK(cd_integrator_load(two, bytes, size));
    CHECK_INT(other.mode, mode);
    CHECK_BITS(other.p[0], 25);
    CHECK_BITS(other.u[0], 3);
    CHECK_OK(cd_integrator_run(two, END, NULL));
    const Ending a = ending(one), b = ending(two);
    check_same(&a, &b);
    CHECK(a.counts.events >= 3);
    CHECK_INT(m.mode, other.mode);
    cd_integrator_free(one);
    cd_integrator_free(two);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- from inside a run: samples and limits go on

#define SAMPLES_MAX 64
#define BYTES_MAX 8192

typedef struct Tape {
    CdIntegrator *it;
    int n;
    double t[SAMPLES_MAX], y[SAMPLES_MAX];
    CdProgress progress;
    int64_t save_at; // after this step; 0: never
    CdProgress saved;
    size_t size;
    char bytes[BYTES_MAX];
} Tape;

static CdStatus note_sample(void *user, const CdPoint *at) {
    Tape *tape = user;
    if (!CHECK(tape->n < SAMPLES_MAX)) return CD_BUG;
    tape->t[tape->n] = at->t;
    tape->y[tape->n++] = at->y[0];
    return CD_OK;
}

static CdStatus save_step(void *user) {
    Tape *tape = user;
    if (tape->progress.steps != tape->save_at) return CD_OK;
    tape->saved = tape->progress;
    tape->size = cd_integrator_save_size(tape->it);
    CHECK(tape->size <= sizeof tape->bytes);
    return cd_integrator_save(tape->it, tape->bytes, tape->size);
}

static CdStatus run_tape(Tape *tape, double interval, int64_t every) {
    const CdObserver o = {.user = tape,
                          .interval = interval,
                          .every = every,
                          .progress = &tape->progress,
                          .sample = note_sample,
                          .step = save_step};
    return cd_integrator_run(tape->it, END, &o);
}

static void go_on_from(TestLog *log, const char *method, double interval, int64_t every,
                       int64_t save_at) {
    Modes m = {{25}, {3}, 1}, other = m;
    const CdProblem p = mode_problem(&m), q = mode_problem(&other);
    Tape whole = {.it = open(log, &p, method), .save_at = save_at};
    Tape rest = {.it = open(log, &q, method)};
    CHECK_OK(cd_integrator_start(whole.it, &(CdPoint){.y = (double[]){1, 0}}));
    CHECK_OK(run_tape(&whole, interval, every));
    CHECK(whole.size > 0 && cd_integrator_statistics(whole.it)->events >= 3);
    rest.progress = whole.saved;
    CHECK_OK(cd_integrator_load(rest.it, whole.bytes, whole.size));
    CHECK_OK(run_tape(&rest, interval, every));
    const int first = (int)whole.saved.samples;
    CHECK_INT(first + rest.n, whole.n);
    for (int i = 0; i < rest.n && first + i < whole.n; i++) {
        CHECK_BITS(rest.t[i], whole.t[first + i]);
        CHECK_BITS(rest.y[i], whole.y[first + i]);
    }
    CHECK_INT(rest.progress.steps, whole.progress.steps);
    CHECK_INT(rest.progress.samples, whole.n);
    CHECK_BITS(whole.t[whole.n - 1], END);
    cd_integrator_free(whole.it);
    cd_integrator_free(rest.it);
}

TEST(runs_go_on_from_any_step) {
    TestLog log;
    test_log_open(&log);
    for (int64_t k = 1; k < 100; k += 7) {
        go_on_from(&log, "rk4(step=0.02)", 0.07, 0, k);
        go_on_from(&log, "rk4(step=0.02)", 0, 5, k);
        if (k < 20) go_on_from(&log, "dopri5(rtol=1e-7)", 0.07, 0, k);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(every_nth_step_is_a_sample) {
    TestLog log;
    test_log_open(&log);
    Tape tape = {.it = open(&log, &wave_ode, "rk4(step=0.25)")};
    CHECK_OK(cd_integrator_start(tape.it, &(CdPoint){.y = (double[]){1, 0}}));
    CHECK_OK(run_tape(&tape, 0, 4));
    CHECK_INT(tape.n, 4);
    CHECK_BITS(tape.t[0], 0);
    CHECK_BITS(tape.t[1], 1);
    CHECK_BITS(tape.t[2], 2);
    CHECK_BITS(tape.t[3], END);
    CHECK_INT(tape.progress.steps, 10);
    cd_integrator_free(tape.it);
    test_log_close(&log);
}

TEST(the_limit_of_steps_counts_those_before) {
    TestLog log;
    test_log_open(&log);
    Tape tape = {.it = open(&log, &wave_ode, "rk4(step=0.25, max_steps=7)")};
    CHECK_OK(cd_integrator_start(tape.it, &(CdPoint){.y = (double[]){1, 0}}));
    tape.progress = (CdProgress){.steps = 5, .samples = 1};
    CHECK_INT(run_tape(&tape, 0, 0), CD_LIMIT);
    CHECK_BITS(cd_integrator_now(tape.it)->t, 0.5);
    cd_integrator_free(tape.it);
    test_log_close(&log);
}

// ---- the pendulum, in whatever form a method has it

TEST(constrained_runs_continue_bit_for_bit) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        CdIntegrator *it;
        char method[80];
        if (!(*cls)->can_save) continue;
        with_step(*cls, 0.01, method);
        // symplectic methods do not take constraints, and say so
        const CdStatus status = cd_integrator_new(log.ctx, &pendulum, method, &it);
        CHECK(status == CD_OK || (status == CD_INVALID && log.n > 0));
        test_log_clear(&log);
        cd_integrator_free(it);
        if (status != CD_OK) continue;
        const CdPoint at = {.q = (double[]){1, 0}};
        save_and_continue(&log, &pendulum, method, &at);
        if (!(*cls)->fixed_only) save_and_continue(&log, &pendulum, (*cls)->desc.name, &at);
        // a solver that goes on with the pivots of the past
        method[strlen(method) - 1] = 0;
        strcat(method, ", linsol=klu)");
        save_and_continue(&log, &pendulum, method, &at);
        CHECK_TEXT(log.text, "");
    }
    test_log_close(&log);
}

// ---- misuse

#define WAVE "problem 'wave', method 'rk4': "
#define THREE "problem 'three', method 'rk4': "

TEST(foreign_bytes_are_refused) {
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = open(&log, &wave_ode, "rk4(step=0.1)");
    char bytes[4096] = {0};
    const size_t size = cd_integrator_save_size(it);
    CHECK(size > 200 && size <= sizeof bytes);
    CHECK_INT(cd_integrator_save(it, bytes, size), CD_INVALID);
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = (double[]){1, 0}}));
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_INT(cd_integrator_save(it, bytes, size - 1), CD_INVALID);
    CHECK_INT(cd_integrator_load(it, bytes, size), CD_INVALID);
    CHECK_INT(cd_integrator_load(it, bytes, 3), CD_INVALID);
    CHECK_OK(cd_integrator_save(it, bytes, size));
    bytes[size - 100] ^= 1;
    CHECK_INT(cd_integrator_load(it, bytes, size), CD_INVALID);
    bytes[size - 100] ^= 1;
    // of a larger problem
    CdIntegrator *other =
        open(&log, &(CdProblem){.name = "three", .ny = 3, .rate = wave_rate}, "rk4(step=0.1)");
    CHECK_INT(cd_integrator_load(other, bytes, size), CD_INVALID);
    CHECK_INT(cd_integrator_run(other, 1, NULL), CD_INVALID);
    cd_integrator_free(other);
    // of another method
    other = open(&log, &wave_ode, "dopri5");
    CHECK_INT(cd_integrator_load(other, bytes, size), CD_INVALID);
    cd_integrator_free(other);
    // nothing of all this has touched the run
    CHECK_BITS(cd_integrator_now(it)->t, 1);
    CHECK_OK(cd_integrator_load(it, bytes, size));
    CHECK_NEAR(cd_integrator_now(it)->y[0], cos(1), 1e-5);
    char expected[1000];
    snprintf(expected, sizeof expected,
             WAVE "is not started, so there is nothing to save\n" WAVE
                  "the memory to save to has %zu bytes; %zu are needed\n" WAVE
                  "these bytes were not saved by this program\n" WAVE
                  "what is to be loaded has 3 bytes; %zu are needed\n" WAVE
                  "the saved bytes are damaged\n" THREE
                  "these bytes were saved with a problem of other sizes or form\n" THREE
                  "is not started; call cd_integrator_start\n"
                  "problem 'wave', method 'dopri5': these bytes were saved by another method\n",
             size - 1, size, size);
    CHECK_TEXT(log.text, expected);
    cd_integrator_free(it);
    test_log_close(&log);
}

TEST(methods_that_cannot_be_saved_say_so) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        char bytes[64] = {0}, expected[200];
        if ((*cls)->can_save) continue;
        CdIntegrator *it = open(&log, &wave_ode, (*cls)->desc.name);
        CHECK_INT(cd_integrator_save_size(it), 0);
        CHECK_INT(cd_integrator_save(it, bytes, sizeof bytes), CD_INVALID);
        snprintf(expected, sizeof expected,
                 "problem 'wave', method '%s': this method cannot be saved and continued; take one "
                 "that can, such as dopri5 or radau5\n",
                 (*cls)->desc.name);
        CHECK_TEXT(log.text, expected);
        test_log_clear(&log);
        CHECK_INT(cd_integrator_load(it, bytes, sizeof bytes), CD_INVALID);
        CHECK_TEXT(log.text, expected);
        test_log_clear(&log);
        cd_integrator_free(it);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(saved_runs_continue_bit_for_bit);
    RUN(modes_and_parameters_are_saved_too);
    RUN(runs_go_on_from_any_step);
    RUN(every_nth_step_is_a_sample);
    RUN(the_limit_of_steps_counts_those_before);
    RUN(constrained_runs_continue_bit_for_bit);
    RUN(foreign_bytes_are_refused);
    RUN(methods_that_cannot_be_saved_say_so);
    return test_end();
}
