// test_ahead.c - steps of few unknowns that are made at once end with the bits of single ones
//
// A chain of masses of 1 kg, the first held by a wall, pulled at its end; beyond `soft` springs get
// harder. Somebody who looks at every step keeps the method from going ahead.
#include <stdlib.h>
#include <string.h>

#include "integrators/alpha.h"
#include "integrators/gen_alpha.h"

#define MASSES_MAX 64
#define STEP 1e-3
#define LENGTH 1.0 // of a spring at rest

typedef struct Chain {
    int n;
    double soft;      // how far springs are linear
    double ends;      // when numbers stop to be numbers
    double jump_time; // announced
} Chain;

static const Chain quiet = {.n = 3, .soft = INFINITY, .ends = INFINITY, .jump_time = INFINITY};

static double excess(const Chain *c, double length) {
    return fmax(fabs(length - LENGTH) - c->soft, 0);
}

static double pull(const Chain *c, double length, double speed) {
    const double more = excess(c, length), x = length - LENGTH;
    return 800 * x + 2 * speed + copysign(1e5 * more * more * more, x);
}

static double stiffness(const Chain *c, double length) {
    const double more = excess(c, length);
    return 800 + 3e5 * more * more;
}

static void rows(void *data, const CdPoint *at, int begin, int end, double *r) {
    const Chain *c = data;
    const double *q = at->q, *v = at->v, nothing = at->t < c->ends ? 0 : NAN;
    for (int i = begin; i < end; i++) {
        r[i] = at->vdot[i] + nothing +
               (i > 0 ? pull(c, q[i] - q[i - 1], v[i] - v[i - 1]) : pull(c, q[0], v[0]));
        r[i] -= i + 1 < c->n ? pull(c, q[i + 1] - q[i], v[i + 1] - v[i]) : 1;
    }
}

static CdStatus residual(void *data, const CdPoint *at, double *r, double *g, double *velocity,
                         double *acceleration) {
    (void)g, (void)velocity, (void)acceleration;
    if (r) rows(data, at, 0, ((const Chain *)data)->n, r);
    return CD_OK;
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    const Chain *c = data;
    double none[MASSES_MAX] = {0};
    CdPoint still = *at;
    still.vdot = none;
    rows(data, &still, 0, c->n, f);
    for (int i = 0; i < c->n; i++) f[i] = -f[i];
    return CD_OK;
}

// spring i lies between mass i - 1 and mass i
static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const Chain *c = data;
    const int n = c->n;
    double *const all[] = {M, C, K};
    for (int j = 0; j < 3; j++) {
        if (all[j]) memset(all[j], 0, (size_t)(n * n) * sizeof(double));
    }
    for (int i = 0; i < n; i++) {
        const double k = stiffness(c, at->q[i] - (i > 0 ? at->q[i - 1] : 0)), slopes[] = {2, k};
        if (M) M[i * n + i] = 1;
        for (int j = 0; j < 2; j++) {
            double *D = all[j + 1];
            if (!D) continue;
            D[i * n + i] += slopes[j];
            if (i == 0) continue;
            D[(i - 1) * n + i - 1] += slopes[j];
            D[(i - 1) * n + i] -= slopes[j];
            D[i * n + i - 1] -= slopes[j];
        }
    }
    return CD_OK;
}

static CdStatus next_time(void *data, double t, double *next) {
    const Chain *c = data;
    *next = t < c->jump_time ? c->jump_time : INFINITY;
    return CD_OK;
}

static CdStatus handle_event(void *data, CdEvent *event, CdPoint *at) {
    (void)data, (void)event;
    at->v[0] += 0.1;
    return CD_OK;
}

static CdProblem chain(Chain *c) {
    CdProblem p = {.name = "chain", .data = c, .nv = c->n, .force = force};
    p.residual = residual;
    p.residual_rows = rows;
    p.derivatives = derivatives;
    if (c->jump_time < INFINITY) {
        p.next_time = next_time;
        p.handle_event = handle_event;
    }
    return p;
}

// ---- a run, and how often somebody was asked

typedef struct Watch {
    int asked, paused, sampled;
    double sum;       // of samples
    double cancel_at; // time
} Watch;

static bool cancelled(void *user, double t) {
    Watch *w = user;
    w->asked++;
    return t >= w->cancel_at;
}

static CdStatus sample(void *user, const CdPoint *at) {
    Watch *w = user;
    w->sampled++;
    w->sum += at->q[0] + at->vdot[0];
    return CD_OK;
}

static CdStatus look(void *user) {
    (void)user;
    return CD_OK;
}

static CdStatus pause_run(void *user) {
    ((Watch *)user)->paused++;
    return CD_OK;
}

typedef struct Run {
    const char *method;
    double duration, interval;
    bool single;    // steps
    bool continued; // by another integrator, after a half
    double floor;   // that it finds
    CdStatus ends;
} Run;

typedef struct Ending {
    Watch watch;
    CdProgress progress;
    CdStatistics counts;
    size_t size;
    void *bytes;
    double t, numbers[4 * MASSES_MAX];
} Ending;

static void save(CdIntegrator *it, Ending *e) {
    e->size = cd_integrator_save_size(it);
    e->bytes = realloc(e->bytes, e->size);
    CHECK_OK(cd_integrator_save(it, e->bytes, e->size));
}

static void run(Chain *c, const Run *r, Ending *e) {
    TestLog log;
    test_log_open(&log);
    const CdProblem problem = chain(c);
    const double rest[MASSES_MAX] = {0};
    CdIntegrator *it =
        start(log.ctx, &problem, r->method, &(CdPoint){.q = (double *)rest, .v = (double *)rest});
    *e = (Ending){.watch.cancel_at = r->ends == CD_CANCELLED ? r->duration / 2 : INFINITY};
    const CdObserver o = {.user = &e->watch,
                          .interval = r->interval,
                          .progress = &e->progress,
                          .sample = r->interval > 0 ? sample : NULL,
                          .step = r->single ? look : NULL,
                          .pause = pause_run,
                          .cancelled = cancelled};
    if (r->continued) {
        // to a time between two steps, where the grid begins anew
        CHECK_OK(cd_integrator_run(it, r->duration / 2 + STEP / 3, &o));
        save(it, e);
        cd_integrator_free(it);
        CHECK_OK(cd_integrator_new(log.ctx, &problem, r->method, &it));
        CHECK_OK(cd_integrator_load(it, e->bytes, e->size));
        ((CdAlphaMemory *)it->method)->floor = r->floor;
    }
    CHECK_INT(cd_integrator_run(it, r->duration, &o), r->ends);
    save(it, e);
    const CdPoint *now = cd_integrator_now(it);
    e->t = now->t;
    memcpy(e->numbers, it->state, it->problem->npoint * sizeof(double));
    e->counts = *cd_integrator_statistics(it);
    cd_integrator_free(it);
    test_log_close(&log);
}

// the same bits, counts and memory; true: some steps were made at once
static bool runs_alike(Chain c, Run r) {
    Ending one, two;
    CHECK(c.n <= MASSES_MAX);
    r.single = true;
    run(&c, &r, &one);
    r.single = false;
    run(&c, &r, &two);
    CHECK_BITS(two.t, one.t);
    for (int i = 0; i < 4 * MASSES_MAX; i++) CHECK_BITS(two.numbers[i], one.numbers[i]);
    CHECK_INT(two.counts.steps, one.counts.steps);
    CHECK_INT(two.counts.evaluations, one.counts.evaluations);
    CHECK_INT(two.counts.iterations, one.counts.iterations);
    CHECK_INT(two.counts.solves, one.counts.solves);
    CHECK_INT(two.counts.jacobians, one.counts.jacobians);
    CHECK_BITS(two.counts.min_step, one.counts.min_step);
    CHECK_BITS(two.counts.max_step, one.counts.max_step);
    CHECK_INT(two.progress.steps, one.progress.steps);
    CHECK_INT(two.watch.sampled, one.watch.sampled);
    CHECK_BITS(two.watch.sum, one.watch.sum);
    CHECK_INT(two.size, one.size);
    CHECK(two.size == one.size && memcmp(two.bytes, one.bytes, one.size) == 0);
    CHECK_INT(one.watch.asked, one.progress.steps);
    CHECK_INT(one.watch.paused, one.watch.asked);
    CHECK_INT(two.watch.paused, two.watch.asked);
    CHECK(two.watch.asked >= two.progress.steps / CD_STEPS_AT_ONCE);
    free(one.bytes);
    free(two.bytes);
    return two.watch.asked < one.watch.asked / 4;
}

#define FIXED "gen-alpha(rho=1,step=1e-3,adaptive=false)"

TEST(few_unknowns_go_ahead) {
    static const char *const methods[] = {
        FIXED, "gen-alpha(rho=0.6,step=1e-3,adaptive=false)", "hht(step=1e-3,adaptive=false)",
        "newmark(step=1e-3,adaptive=false)", "trapezoidal(step=1e-3,adaptive=false)"};
    static const int sizes[] = {1, 2, 3, 8, 9, 20, 64};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        CHECK(runs_alike(quiet, (Run){.method = methods[k], .duration = 2}));
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        Chain c = quiet;
        c.n = sizes[k];
        CHECK(runs_alike(c, (Run){.method = FIXED, .duration = 1}));
    }
}

// samples on the grid, between its points, of every step; ends that are not on it
TEST(samples_are_those_of_single_steps) {
    const double intervals[] = {0.1, 0.0123, 7 * STEP, 0.0501};
    for (size_t k = 0; k < sizeof intervals / sizeof *intervals; k++) {
        CHECK(runs_alike(quiet, (Run){FIXED, .duration = 1.0004, .interval = intervals[k]}) ||
              intervals[k] < 10 * STEP);
    }
    CHECK(!runs_alike(quiet, (Run){FIXED, .duration = 1, .interval = STEP}));
    CHECK(!runs_alike(quiet, (Run){FIXED, .duration = 1, .interval = STEP / 3}));
}

TEST(saved_runs_go_on) {
    CHECK(runs_alike(quiet, (Run){FIXED, .duration = 1, .continued = true}));
    CHECK(runs_alike(quiet, (Run){FIXED, .duration = 1, .interval = 0.05, .continued = true}));
    // steps that ask for more soon after another size of the step: the operator is not inverted yet
    static const char *const methods[] = {"gen-alpha(rho=1,step=0.02,adaptive=false)",
                                          "gen-alpha(rho=1,step=0.05,adaptive=false)"};
    Chain c = quiet;
    for (c.n = 1; c.n < 12; c.n++) {
        for (int k = 0; k < 2; k++) {
            runs_alike(c, (Run){methods[k], .duration = 20, .continued = true});
        }
    }
}

// a step is made by itself where more is to be decided than that it is one of many
TEST(what_asks_for_more_gets_it) {
    Chain c = quiet;
    // increments grow as springs harden
    c.soft = 1e-3;
    runs_alike(c, (Run){FIXED, .duration = 2});
    c.soft = 2.2e-3;
    runs_alike(c, (Run){FIXED, .duration = 2});
    // a jump at an announced time
    c = quiet;
    c.jump_time = 0.2503;
    runs_alike(c, (Run){FIXED, .duration = 0.7});
    // until nothing moves any more
    c = quiet;
    for (c.n = 1; c.n < 6; c.n++) runs_alike(c, (Run){FIXED, .duration = 60 * c.n});
    // increments that were rounding errors a while ago
    for (c.n = 1; c.n < 4; c.n++) {
        CHECK(runs_alike(c, (Run){FIXED, .duration = 2, .continued = true, .floor = 1e-9}));
    }
    // numbers that are none, which the step itself tells of
    c = quiet;
    c.ends = 0.5;
    CHECK(runs_alike(c, (Run){FIXED, .duration = 1, .ends = CD_NONFINITE}));
}

TEST(limits_hold) {
    char method[METHOD_SIZE];
    for (int steps = 90; steps < 110; steps++) {
        snprintf(method, sizeof method, "gen-alpha(rho=1,step=1e-3,adaptive=false,max_steps=%d)",
                 steps);
        runs_alike(quiet, (Run){.method = method, .duration = 1, .ends = CD_LIMIT});
    }
    // methods that decide in every step
    CHECK(!runs_alike(quiet,
                      (Run){"gen-alpha(newton=full,step=1e-3,adaptive=false)", .duration = 1}));
    CHECK(!runs_alike(quiet, (Run){"gen-alpha(step=1e-3,rtol=1e-6)", .duration = 1}));
}

TEST(counts_do_not_overflow) {
    CdAlphaMemory m = {.since = 5};
    cdi_alpha_count(&m, 3, 2);
    CHECK_INT(m.since, 8);
    CHECK_INT(m.spent, 6);
    for (int k = 0; k < 100; k++) cdi_alpha_count(&m, INT64_C(1) << 40, 20);
    CHECK(m.since > 1000000 && m.spent > m.since);
    const int since = m.since, spent = m.spent;
    cdi_alpha_count(&m, 1, 20);
    CHECK_INT(m.since, since);
    CHECK_INT(m.spent, spent);
}

// soon enough, and with a state that a single step has left
TEST(runs_can_be_cancelled) {
    Chain c = quiet;
    Ending e;
    run(&c, &(Run){FIXED, .duration = 1, .ends = CD_CANCELLED}, &e);
    CHECK(e.t >= 0.5 && e.t < 0.5 + CD_STEPS_AT_ONCE * STEP);
    CHECK_INT(e.progress.steps, lround(e.t / STEP));
    free(e.bytes);
}

int main(void) {
    RUN(few_unknowns_go_ahead);
    RUN(samples_are_those_of_single_steps);
    RUN(saved_runs_go_on);
    RUN(what_asks_for_more_gets_it);
    RUN(limits_hold);
    RUN(counts_do_not_overflow);
    RUN(runs_can_be_cancelled);
    return test_end();
}
