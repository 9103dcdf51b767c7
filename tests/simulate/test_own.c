// test_own.c - threads that have arrays for themselves show the same numbers: in every row, inside
// of steps, after steps that failed, and when a run goes on with another number of threads
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "simulate/threads.h"
#include "system/islands.h"

#define SWINGS 24
#define MASSES 700
#define WOVEN 1300

typedef struct Tape {
    int nvalues, rows, steps, save_at; // 0: never
    uint64_t hash;                     // of all rows
    CdCheckpoint kept;
    CdRunSummary summary;
} Tape;

static CdStatus begin(void *user, const CdRunBegin *rows) {
    ((Tape *)user)->nvalues = rows->n;
    return CD_OK;
}

static CdStatus row(void *user, double t, const double *values) {
    Tape *tape = user;
    tape->rows++;
    tape->hash = cdi_hash(tape->hash, &t, sizeof t);
    tape->hash = cdi_hash(tape->hash, values, (size_t)tape->nvalues * sizeof *values);
    return CD_OK;
}

static CdStatus at_pause(void *user, bool *save) {
    Tape *tape = user;
    *save = ++tape->steps == tape->save_at;
    return CD_OK;
}

static CdStatus keep(void *user, const CdCheckpoint *c) {
    Tape *tape = user;
    if (tape->steps != tape->save_at) return CD_OK;
    void *bytes = malloc(c->size);
    memcpy(bytes, c->bytes, c->size);
    tape->kept = (CdCheckpoint){c->t, c->samples, bytes, c->size};
    return CD_OK;
}

static Tape run(const CdModel *model, CdRunOptions o, int threads, int save_at,
                const CdCheckpoint *from) {
    Tape tape = {.hash = CD_HASH_BEGIN, .save_at = save_at};
    const CdRunObserver observer = {.user = &tape,
                                    .resume = from,
                                    .begin = begin,
                                    .row = row,
                                    .pause = at_pause,
                                    .checkpoint = keep};
    o.threads = threads;
    CHECK_OK(cdi_simulate_run(model, &o, &observer, &tape.summary));
    return tape;
}

// ---- models

static void sensor(CdText *text, const char *body, int i) {
    cdi_text_addf(text, ", {\"class\": \"Sensor\", \"name\": \"of_%s%d\", \"body\": \"%s%d\"}",
                  body, i, body, i);
}

// bodies on hinges, each of its own length
static void write_swings(CdText *text) {
    islands_begin(text);
    for (int i = 0; i < SWINGS; i++) {
        cdi_text_addf(text,
                      ", {\"class\": \"RigidBody\", \"name\": \"b%d\", \"position\": [%g, 0, %d], "
                      "\"shape\": {\"class\": \"Cuboid\", \"size\": [0.5, 0.1, 0.1]}}, "
                      "{\"class\": \"RevoluteJoint\", \"name\": \"j%d\", \"body_b\": \"b%d\", "
                      "\"at\": [0, 0, %d], \"axis\": [0, 0.1, 1]}",
                      i, 0.3 + 0.01 * i, i, i, i, i);
    }
    sensor(text, "b", 0);
    sensor(text, "b", SWINGS - 1);
    cdi_text_add(text, "]}");
}

// the same with springs that count turns: told of every step
static void write_springs(CdText *text) {
    write_swings(text);
    text->n -= strlen("]}");
    for (int i = 0; i < SWINGS; i++) {
        cdi_text_addf(text,
                      ", {\"class\": \"TorsionalSpringDamper\", \"name\": \"s%d\", \"body_b\": "
                      "\"b%d\", \"at\": [0, 0, %d], \"axis\": [0, 0.1, 1], \"stiffness\": 0.1}",
                      i, i, i);
    }
    cdi_text_add(text, "]}");
}

static void write_ties(CdText *text, const char *name, int first, int n, int away) {
    for (int i = first; i < first + n; i++) {
        cdi_text_addf(text,
                      ", {\"class\": \"CoordinateSpringDamper\", \"name\": \"%s%d\", "
                      "\"marker_a\": \"x%d\", \"marker_b\": \"x%d\", \"stiffness\": 900, "
                      "\"damping\": 1, \"length\": %g}",
                      name, i, i, i + away, 0.01 * (i % 7));
    }
}

static void begin_masses(CdText *text, int n) {
    cdi_text_add(text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\"}");
    write_masses(text, n);
    write_ties(text, "next", 0, n - 1, 1);
    sensor(text, "p", 0);
    sensor(text, "p", n / 2);
    sensor(text, "p", n - 1);
}

static void write_line(CdText *text) {
    begin_masses(text, MASSES);
    cdi_text_add(text, "]}");
}

// every mass tied to the next but one too: what a half asks for from the other is more than one
// number
static void write_woven(CdText *text) {
    begin_masses(text, WOVEN);
    write_ties(text, "over", 0, WOVEN - 2, 2);
    cdi_text_add(text, "]}");
}

static void with_model(void (*write)(CdText *), void (*check)(const CdModel *)) {
    TestLog log;
    CdModel *model = threads_model(&log, write);
    if (model) check(model);
    threads_model_free(&log, model);
}

// ---- checks

// what one thread has told, others tell
static void check_others(const CdModel *model, CdRunOptions o, const Tape *one) {
    for (int threads = 2; threads <= 4; threads++) {
        const Tape many = run(model, o, threads, 0, NULL);
        CHECK(many.hash == one->hash && many.summary.hash == one->summary.hash);
        CHECK_INT(many.summary.stats.iterations, one->summary.stats.iterations);
        CHECK_INT(many.summary.stats.newton_failures, one->summary.stats.newton_failures);
    }
}

// rows at the ends of steps, inside of each and of some, and at the end only
static void check_rows(const CdModel *model) {
    static const double intervals[] = {1e-3, 4e-4, 2.5e-3, 0.2};
    for (int k = 0; k < 4; k++) {
        const CdRunOptions o = {.duration = 0.2,
                                .step = 1e-3,
                                .interval = intervals[k],
                                .method = (char *)"gen-alpha(rho=0.8) formulation=index3"};
        const Tape one = run(model, o, 1, 0, NULL);
        CHECK(one.rows == (int)(0.2 / intervals[k] + 0.5) + 1);
        check_others(model, o, &one);
    }
}

TEST(all_rows_are_the_same) {
    with_model(write_swings, check_rows);
    with_model(write_springs, check_rows);
    with_model(write_line, check_rows);
    with_model(write_woven, check_rows);
}

// from any number of threads to any other
static void check_resume(const CdModel *model) {
    const CdRunOptions o = {.duration = 0.1,
                            .step = 1e-3,
                            .interval = 0.1,
                            .method = (char *)"gen-alpha(rho=0.8) formulation=index3"};
    const Tape one = run(model, o, 1, 0, NULL);
    for (int first = 1; first <= 3; first++) {
        const Tape all = run(model, o, first, 37, NULL);
        CHECK(all.summary.hash == one.summary.hash); // saving does not disturb the run
        if (!CHECK(all.kept.bytes != NULL)) continue;
        for (int threads = 1; threads <= 3; threads++) {
            const Tape rest = run(model, o, threads, 0, &all.kept);
            CHECK(rest.summary.hash == one.summary.hash);
        }
        free((void *)all.kept.bytes);
    }
}

TEST(runs_go_on_with_other_threads) {
    with_model(write_swings, check_resume);
    with_model(write_line, check_resume);
}

// steps so long that old derivatives do not do, and Newton's method begins again
static void check_failures(const CdModel *model) {
    const CdRunOptions o = {.duration = 4,
                            .step = 0.1,
                            .interval = 0.1,
                            .method = (char *)"gen-alpha(rho=0.5) formulation=index3"};
    const Tape one = run(model, o, 1, 0, NULL);
    CHECK(one.summary.stats.newton_failures > 0);
    check_others(model, o, &one);
}

TEST(steps_that_fail_leave_the_same_numbers) {
    with_model(write_swings, check_failures);
}

int main(void) {
    RUN(all_rows_are_the_same);
    RUN(runs_go_on_with_other_threads);
    RUN(steps_that_fail_leave_the_same_numbers);
    return test_end();
}
