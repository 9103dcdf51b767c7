// test_burst.c - bursts of steps of few unknowns end with the bits of single ones
//
// A chain of masses of 1 kg, the first held by a wall, pulled at its end; beyond `soft` springs get
// harder. Somebody who looks at every step keeps the method from bursts.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "integrators/alpha.h"
#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define MASSES_MAX 64
#define STEP 1e-3
#define LENGTH 1.0 // of a spring at rest

typedef struct Chain {
    int n;
    double soft;      // how far springs are linear
    double ends;      // when numbers stop to be numbers
    double jump_time; // announced
    int64_t takes;    // ns, for its rows
    int fails;        // with this solution its own linear algebra asks for another try
    int calls, solutions;
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
    Chain *c = data;
    const double *q = at->q, *v = at->v, nothing = at->t < c->ends ? 0 : NAN;
    const int64_t begun = cdi_clock_ns();
    c->calls++;
    for (int i = begin; i < end; i++) {
        r[i] = at->vdot[i] + nothing +
               (i > 0 ? pull(c, q[i] - q[i - 1], v[i] - v[i - 1]) : pull(c, q[0], v[0]));
        r[i] -= i + 1 < c->n ? pull(c, q[i + 1] - q[i], v[i + 1] - v[i]) : 1;
    }
    while (cdi_clock_ns() - begun < c->takes) continue;
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

// linear algebra of its own, of one mass
typedef struct OwnLin {
    double s;
} OwnLin;

static CdStatus own_new(void *data, bool is_complex, void **lin) {
    (void)data, (void)is_complex;
    *lin = malloc(sizeof(OwnLin));
    return *lin ? CD_OK : CD_NOMEM;
}

static CdStatus own_setup(void *data, void *lin, const CdOperator *op) {
    (void)data;
    ((OwnLin *)lin)->s = op->cm[0] + 2 * op->cc[0] + 800 * op->ck[0];
    return CD_OK;
}

static CdStatus own_solve(void *data, void *lin, double *b, int nrhs, bool transposed) {
    Chain *c = data;
    (void)nrhs, (void)transposed;
    if (++c->solutions == c->fails) return CD_RETRY;
    b[0] /= ((OwnLin *)lin)->s;
    return CD_OK;
}

static void own_free(void *data, void *lin) {
    (void)data;
    free(lin);
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
    if (c->fails > 0) {
        p.lin_new = own_new;
        p.lin_setup = own_setup;
        p.lin_solve = own_solve;
        p.lin_free = own_free;
    }
    return p;
}

// ---- a run, and how often somebody was asked

typedef struct Watch {
    int asked, paused, sampled, looked;
    double sum;       // of samples
    double cancel_at; // time
    double t, gap;    // when it was asked last, and the longest time between
} Watch;

static bool cancelled(void *user, double t) {
    Watch *w = user;
    w->asked++;
    w->gap = fmax(w->gap, t - w->t);
    w->t = t;
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

static CdStatus look_inside(void *user, double begin, double end) {
    Watch *w = user;
    w->looked++;
    w->sum += end - begin;
    return CD_OK;
}

static CdStatus pause_run(void *user) {
    ((Watch *)user)->paused++;
    return CD_OK;
}

typedef struct Run {
    const char *method;
    double duration, interval;
    int64_t every;  // steps a sample, with no interval
    bool inside;    // somebody looks there
    bool single;    // steps
    bool halted;    // after a half, between two points of the grid
    bool continued; // there, by another integrator
    double begin;
    double floor; // that it finds
    CdStatus ends;
} Run;

typedef struct Ending {
    Watch watch;
    CdProgress progress;
    CdStatistics counts;
    int calls; // of the rows
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
    CdIntegrator *it = start(log.ctx, &problem, r->method,
                             &(CdPoint){.t = r->begin, .q = (double *)rest, .v = (double *)rest});
    *e = (Ending){.watch.cancel_at = r->ends == CD_CANCELLED ? r->duration / 2 : INFINITY};
    const CdObserver o = {.user = &e->watch,
                          .interval = r->interval,
                          .progress = &e->progress,
                          .every = r->every,
                          .sample = r->interval > 0 || r->every > 0 ? sample : NULL,
                          .inside = r->inside ? look_inside : NULL,
                          .step = r->single ? look : NULL,
                          .pause = pause_run,
                          .cancelled = cancelled};
    if (r->halted || r->continued) {
        CHECK_OK(cd_integrator_run(it, r->duration / 2 + STEP / 3, &o));
    }
    if (r->continued) {
        save(it, e);
        cd_integrator_free(it);
        CHECK_OK(cd_integrator_new(log.ctx, &problem, r->method, &it));
        CHECK_OK(cd_integrator_load(it, e->bytes, e->size));
        ((CdAlphaMemory *)it->method)->floor = r->floor;
    }
    CHECK_INT(cd_integrator_run(it, r->begin + r->duration, &o), r->ends);
    save(it, e);
    const CdPoint *now = cd_integrator_now(it);
    e->t = now->t;
    memcpy(e->numbers, it->state, it->problem->npoint * sizeof(double));
    e->counts = *cd_integrator_statistics(it);
    e->calls = c->calls;
    cd_integrator_free(it);
    test_log_close(&log);
}

// the same bits, counts and memory; true: most steps were made in bursts
static bool runs_alike(Chain start, Run r) {
    Ending one, two;
    CHECK(start.n <= MASSES_MAX);
    r.single = true;
    Chain c = start;
    run(&c, &r, &one);
    r.single = false;
    c = start;
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
    CHECK_INT(two.counts.newton_failures, one.counts.newton_failures);
    CHECK_INT(two.watch.sampled, one.watch.sampled);
    CHECK_INT(two.watch.looked, one.watch.looked);
    CHECK_BITS(two.watch.sum, one.watch.sum);
    CHECK_INT(two.size, one.size);
    CHECK(two.size == one.size && memcmp(two.bytes, one.bytes, one.size) == 0);
    CHECK_INT(one.watch.asked, one.progress.steps);
    CHECK_INT(one.watch.paused, one.watch.asked);
    CHECK_INT(two.watch.paused, two.watch.asked);
    CHECK(two.watch.asked >= two.progress.steps / CD_BURST_STEPS);
    // steps that are taken back are few
    CHECK(two.calls >= one.calls && two.calls <= one.calls + one.calls / 10);
    free(one.bytes);
    free(two.bytes);
    return two.watch.asked < one.watch.asked / 4;
}

#define FIXED "gen-alpha(rho=1,step=1e-3,adaptive=false)"

TEST(few_unknowns_have_bursts) {
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

// who follows steps is told of each
TEST(single_steps_are_shown) {
    for (int64_t every = 1; every < 4; every++) {
        CHECK(!runs_alike(quiet, (Run){FIXED, .duration = 1, .every = every}));
    }
    CHECK(!runs_alike(quiet, (Run){FIXED, .duration = 1, .inside = true}));
}

TEST(halted_runs_go_on) {
    Chain c = quiet;
    for (c.n = 1; c.n <= 64; c.n += 9) {
        CHECK(runs_alike(c, (Run){FIXED, .duration = 1, .halted = true}));
        CHECK(runs_alike(c, (Run){FIXED, .duration = 1, .interval = 0.05, .halted = true}));
    }
}

// where steps between points of the grid differ in rounding
TEST(late_runs_have_bursts) {
    Chain c = quiet;
    for (c.n = 1; c.n < 4; c.n++) {
        for (double t = 1000; t < 1e5; t *= 1.2) {
            runs_alike(c, (Run){FIXED, .duration = 2, .begin = t});
        }
    }
    CHECK(runs_alike(quiet, (Run){FIXED, .duration = 1, .begin = 1000}));
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

// Bursts and single steps of two integrators, in turns. A step that is taken back has no inside.
TEST(bursts_leave_what_single_steps_leave) {
    TestLog log;
    test_log_open(&log);
    for (int k = 0; k < 40; k++) {
        Chain chains[2] = {quiet, quiet};
        CdProblem problems[2];
        CdIntegrator *it[2];
        const double rest[MASSES_MAX] = {0};
        for (int j = 0; j < 2; j++) {
            chains[j].n = 1 + k % 8;
            chains[j].soft = k % 3 == 0 ? 2e-3 : INFINITY;
            problems[j] = chain(&chains[j]);
            it[j] = start(log.ctx, &problems[j], FIXED,
                          &(CdPoint){.q = (double *)rest, .v = (double *)rest});
        }
        const size_t size = cd_integrator_save_size(it[0]);
        void *bytes[2] = {malloc(size), malloc(size)};
        int64_t steps = 0, bursts = 0, alike = 0;
        while (steps < 400) {
            const CdiGrid grid = {.h = STEP, .steps = steps};
            int64_t n = it[0]->cls->burst(it[0], &grid, INFINITY, 1 + steps % 17);
            const bool whole = n == 1 + steps % 17;
            if (n == 0) {
                CHECK_OK(cd_integrator_step(it[0], cdi_grid_time(&grid, 1)));
                n = 1;
            } else {
                bursts++;
                it[0]->stats->steps += n;
            }
            for (int64_t i = 1; i <= n; i++) {
                CHECK_OK(cd_integrator_step(it[1], cdi_grid_time(&grid, i)));
            }
            steps += n;
            // which the driver would count
            *it[0]->driver->numbers = *it[1]->driver->numbers;
            for (int j = 0; j < 2; j++) CHECK_OK(cd_integrator_save(it[j], bytes[j], size));
            CHECK_BITS(it[0]->now.t, it[1]->now.t);
            CHECK_BITS(it[0]->h, it[1]->h);
            if (!whole) continue;
            alike++;
            CHECK_BITS(it[0]->t_old, it[1]->t_old);
            CHECK(memcmp(bytes[0], bytes[1], size) == 0);
            const CdPoint *at[2];
            for (int j = 0; j < 2; j++) {
                CHECK_OK(cd_integrator_at(it[j], it[j]->now.t - STEP / 3, &at[j]));
            }
            for (int i = 0; i < chains[0].n; i++) CHECK_BITS(at[0]->q[i], at[1]->q[i]);
        }
        CHECK(alike > 10 || chains[0].soft < INFINITY);
        CHECK(bursts >= alike);
        for (int j = 0; j < 2; j++) {
            free(bytes[j]);
            cd_integrator_free(it[j]);
        }
    }
    test_log_close(&log);
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
    CHECK(!runs_alike(quiet, (Run){"gen-alpha(step=1e-3,max_step=1e-3,rtol=1e-3)", .duration = 1}));
    // tolerances that one iteration does not meet
    runs_alike(quiet,
               (Run){"gen-alpha(step=1e-3,adaptive=false,rtol=1e-10,atol=1e-12)", .duration = 20});
}

// what it says is heard
TEST(own_linear_algebra_is_asked_once) {
    Chain c = quiet;
    c.n = 1;
    for (c.fails = 500; c.fails < 520; c.fails++) {
        CHECK(!runs_alike(c, (Run){FIXED, .duration = 1}));
    }
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
    CHECK(e.t >= 0.5 && e.t < 0.5 + CD_BURST_STEPS * STEP);
    CHECK_INT(e.progress.steps, lround(e.t / STEP));
    free(e.bytes);
}

// where a step takes long the next one is the last before somebody is asked
TEST(slow_steps_can_be_cancelled) {
    Chain c = quiet;
    Ending e;
    c.takes = 1500000;
    run(&c, &(Run){FIXED, .duration = 0.1}, &e);
    CHECK(e.watch.gap < 2.5 * STEP);
    free(e.bytes);
}

int main(void) {
    RUN(few_unknowns_have_bursts);
    RUN(samples_are_those_of_single_steps);
    RUN(single_steps_are_shown);
    RUN(halted_runs_go_on);
    RUN(late_runs_have_bursts);
    RUN(saved_runs_go_on);
    RUN(bursts_leave_what_single_steps_leave);
    RUN(what_asks_for_more_gets_it);
    RUN(limits_hold);
    RUN(own_linear_algebra_is_asked_once);
    RUN(counts_do_not_overflow);
    RUN(runs_can_be_cancelled);
    RUN(slow_steps_can_be_cancelled);
    return test_end();
}
