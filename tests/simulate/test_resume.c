// test_resume.c - a run that goes on from a checkpoint gives the same rows and ends with the same
// bits as one that was not interrupted
#include <stdlib.h>
#include <string.h>

#include "base/open_file.h"
#include "simulate/mechanisms.h"
#include "simulate/record.h"
#include "test.h"

#define ROWS_MAX 600
#define VALUES_MAX 128
#define CHECKPOINTS_MAX 6

// a link that turns several times about its hinge, held by a spring that counts turns
#define SPINNER                                                                                  \
    MODEL(GRAVITY ROD("link", "[0.5, 0, 0]",                                                     \
                      ", \"velocity\": [0, 10, 0], \"angular_velocity\": [0, 0, 20]")            \
              HINGE("hinge", "null", "\"link\"", "[0, 0, 0]",                                    \
                    "[0, 0, 1]") ","                                                             \
                                 "{\"class\": \"TorsionalSpringDamper\", \"name\": \"spring\", " \
                                 "\"body_b\": "                                                  \
                                 "\"link\", \"stiffness\": 2, \"damping\": 0.1},"                \
                                 "{\"class\": \"JointSensor\", \"name\": \"turn\", \"joint\": "  \
                                 "\"hinge\"},"                                                   \
                                 "{\"class\": \"ConnectorSensor\", \"name\": \"torque\", "       \
                                 "\"connector\": \"spring\"}")

// a ball on a spring, without constraints: for methods that take none
#define MARKER(name, body) \
    "{\"class\": \"Marker\", \"name\": \"" name "\", \"body\": \"" body "\"},"
#define BALL                                                                                     \
    MODEL(GRAVITY "{\"class\": \"MassPoint3D\", \"name\": \"ball\", \"position\": [1, 0, 0], "   \
                  "\"velocity\": [0, 1, 2], \"mass\": 2}," MARKER("a", "ground")                 \
                      MARKER("b", "ball") "{\"class\": \"SpringDamper\", \"name\": \"spring\", " \
                                          "\"marker_a\": \"a\", \"marker_b\": "                  \
                                          "\"b\", \"length\": 0.5, \"stiffness\": 50}")

typedef struct Row {
    double t, v[VALUES_MAX];
} Row;

typedef struct Tape {
    int n, nvalues;
    bool can_save;
    Row rows[ROWS_MAX];
    int steps, every; // checkpoints every so many steps; 0: none
    int ncheckpoints;
    CdCheckpoint checkpoints[CHECKPOINTS_MAX];
    CdRunSummary summary;
    CdStatus status;
} Tape;

static CdStatus begin(void *user, const CdRunBegin *rows) {
    Tape *tape = user;
    CHECK(rows->n <= VALUES_MAX && rows->nscene > 0);
    tape->nvalues = rows->n;
    tape->can_save = rows->can_save;
    return CD_OK;
}

static CdStatus row(void *user, double t, const double *values) {
    Tape *tape = user;
    if (!CHECK(tape->n < ROWS_MAX)) return CD_BUG;
    Row *r = &tape->rows[tape->n++];
    r->t = t;
    memcpy(r->v, values, (size_t)tape->nvalues * sizeof *values);
    return CD_OK;
}

static CdStatus at_pause(void *user, bool *save) {
    Tape *tape = user;
    *save = tape->every > 0 && ++tape->steps % tape->every == 0 &&
            tape->ncheckpoints < CHECKPOINTS_MAX - 1;
    return CD_OK;
}

static CdStatus keep(void *user, const CdCheckpoint *c) {
    Tape *tape = user;
    if (tape->every == 0) return CD_OK;
    void *bytes = malloc(c->size);
    memcpy(bytes, c->bytes, c->size);
    tape->checkpoints[tape->ncheckpoints++] = (CdCheckpoint){c->t, c->samples, bytes, c->size};
    return CD_OK;
}

static void run(const CdModel *model, const CdRunOptions *o, const CdCheckpoint *from, Tape *tape) {
    const CdRunObserver observer = {.user = tape,
                                    .scene = true,
                                    .resume = from,
                                    .begin = begin,
                                    .row = row,
                                    .pause = at_pause,
                                    .checkpoint = keep};
    tape->status = cdi_simulate_run(model, o, &observer, &tape->summary);
}

static bool same_rows(const Tape *all, const Tape *part, uint64_t first) {
    if (all->n != (int)first + part->n) return false;
    for (int i = 0; i < part->n; i++) {
        const Row *a = &all->rows[(int)first + i], *b = &part->rows[i];
        if (memcmp(&a->t, &b->t, sizeof a->t) != 0) return false;
        if (memcmp(a->v, b->v, (size_t)all->nvalues * sizeof *a->v) != 0) return false;
    }
    return true;
}

static void check_same(const CdModel *model, const CdRunOptions *o, const Tape *all) {
    Tape *part = calloc(1, sizeof *part);
    for (int k = 0; k < all->ncheckpoints; k++) {
        *part = (Tape){0};
        run(model, o, &all->checkpoints[k], part);
        CHECK_OK(part->status);
        if (!CHECK(same_rows(all, part, all->checkpoints[k].samples))) {
            printf("%s from t = %g\n", o->method, all->checkpoints[k].t);
        }
        CHECK(part->summary.hash == all->summary.hash);
        CHECK_INT(part->summary.samples, all->summary.samples);
        CHECK_INT(part->summary.stats.steps, all->summary.stats.steps);
        CHECK_INT(part->summary.stats.iterations, all->summary.stats.iterations);
        CHECK_BITS(part->summary.energy_start.kinetic, all->summary.energy_start.kinetic);
    }
    free(part);
}

// whether the method fits the model; then all must be as it was
static bool try_method(const CdModel *model, const CdRunOptions *o) {
    Tape *plain = calloc(1, sizeof *plain), *saved = calloc(1, sizeof *saved);
    run(model, o, NULL, plain);
    const bool fits = plain->status == CD_OK;
    if (fits) {
        saved->every = plain->summary.stats.steps > 40 ? 9 : 2;
        run(model, o, NULL, saved);
        // saving does not disturb the run
        CHECK(saved->summary.hash == plain->summary.hash && same_rows(plain, saved, 0));
        CHECK_INT(saved->ncheckpoints, saved->can_save ? CHECKPOINTS_MAX : 0);
        check_same(model, o, saved);
    }
    for (int k = 0; k < saved->ncheckpoints; k++) free((void *)saved->checkpoints[k].bytes);
    free(plain);
    free(saved);
    return fits;
}

// how many of them fit
static int try_all(const char *text, CdRunOptions o, const char *const *methods, int n) {
    TestLog log;
    CdModel *model;
    int fits = 0;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model));
    if (!model) printf("%s", log.text);
    for (int i = 0; model && i < n; i++) {
        o.method = (char *)methods[i];
        fits += try_method(model, &o);
    }
    cdi_model_free(model);
    test_log_close(&log);
    return fits;
}

static const char *const adaptive[] = {"dopri5(rtol=1e-6)", "dop853(rtol=1e-6)",
                                       "gen-alpha(rtol=1e-4)", "radau5(rtol=1e-5)",
                                       "gen-alpha formulation=index3"};
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

// a method that takes no constraints runs without them, one that has no fixed steps with others
TEST(every_method_goes_on) {
    const CdRunOptions o = {.duration = 0.5, .step = 0.005, .interval = 0.0137, .scene = true};
    CdRunOptions by_error = o;
    by_error.step = 0;
    for (int i = 0; cd_integrator_name(i); i++) {
        const char *name = cd_integrator_name(i);
        int fits = try_all(SPINNER, o, &name, 1) + try_all(BALL, o, &name, 1);
        if (fits == 0) fits = try_all(BALL, by_error, &name, 1);
        if (!CHECK(fits > 0)) printf("%s fits nothing\n", name);
    }
}

TEST(adaptive_steps_go_on) {
    const CdRunOptions o = {.duration = 1.5, .interval = 0.0137, .scene = true};
    CHECK_INT(try_all(SPINNER, o, adaptive, COUNT(adaptive)), COUNT(adaptive));
}

TEST(dependent_constraints_go_on) {
    const CdRunOptions o = {.duration = 0.3, .step = 0.005, .interval = 0.0137, .scene = true};
    CHECK_INT(try_all(BRICARD, o, &(const char *){"gen-alpha"}, 1), 1);
    CHECK_INT(try_all(DOOR, o, &(const char *){"radau5"}, 1), 1);
}

TEST(every_third_step_goes_on) {
    const CdRunOptions o = {.duration = 0.5, .step = 0.005, .decimation = 3, .scene = true};
    CHECK_INT(try_all(SPINNER, o, &(const char *){"gen-alpha"}, 1), 1);
}

TEST(every_third_step_is_a_row_and_the_end_is_one) {
    TestLog log;
    CdModel *model;
    Tape *tape = calloc(1, sizeof *tape);
    const CdRunOptions o = {
        .duration = 0.5, .step = 0.005, .decimation = 3, .scene = true, .method = (char *)"rk4"};
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, SPINNER, strlen(SPINNER), "x.json", &model));
    run(model, &o, NULL, tape);
    CHECK_INT(tape->summary.stats.steps, 100);
    CHECK_INT(tape->n, 1 + 33 + 1);
    for (int i = 0; i < 34; i++) CHECK_NEAR(tape->rows[i].t, 0.015 * i, 1e-12);
    CHECK_BITS(tape->rows[34].t, 0.5);
    free(tape);
    cdi_model_free(model);
    test_log_close(&log);
}

// ---- what cannot go on

TEST(foreign_checkpoints_are_refused) {
    TestLog log;
    CdModel *model, *other;
    Tape *tape = calloc(1, sizeof *tape), *again = calloc(1, sizeof *again);
    CdRunOptions o = {.duration = 0.2, .step = 0.005, .scene = true, .method = (char *)"rk4"};
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, SPINNER, strlen(SPINNER), "x.json", &model));
    CHECK_OK(cdi_model_read_text(log.ctx, BALL, strlen(BALL), "y.json", &other));
    tape->every = 5;
    run(model, &o, NULL, tape);
    run(other, &o, &tape->checkpoints[0], again);
    CHECK_INT(again->status, CD_INVALID);
    o.method = (char *)"gen-alpha";
    run(model, &o, &tape->checkpoints[0], again);
    CHECK_INT(again->status, CD_INVALID);
    CHECK_TEXT(log.text, "the checkpoint is one of another run\n"
                         "the checkpoint is one of another run\n");
    for (int k = 0; k < tape->ncheckpoints; k++) free((void *)tape->checkpoints[k].bytes);
    free(tape);
    free(again);
    cdi_model_free(model);
    cdi_model_free(other);
    test_log_close(&log);
}

// ---- logs

static void interrupted_log(const CdModel *model, const CdObject *options, const char *path) {
    const CdChannel channel = {.name = "x", .unit = "m"};
    const CdRunBegin rows = {.channels = &channel, .n = 1, .can_save = true, .method = "rk4"};
    const double x = 1;
    CdRecord *record;
    CHECK_OK(cdi_record_new(model, options, path, false, &record));
    CHECK_OK(cdi_record_begin(record, &rows));
    CHECK_OK(cdi_record_row(record, 0, &x));
    CHECK_OK(cdi_record_checkpoint(record, &(CdCheckpoint){0, 1, "bytes", 5}));
    CHECK_OK(cdi_record_close(record, CD_CANCELLED, &(CdRunSummary){0}));
}

// what is read of it stays true until the run goes on
TEST(a_log_is_taken_before_its_checkpoint_is_read) {
    static const char *const path = "test_resume.tmp";
    TestLog log;
    CdModel *model;
    CdObject *options;
    CdOpenFile *file;
    CdRecord *record;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, SPINNER, strlen(SPINNER), "x.json", &model));
    CHECK_OK(cdi_object_new(log.ctx, &cd_run, NULL, &options));
    CHECK_OK(cdi_object_set_real(options, "duration", 1));
    CHECK_OK(cdi_object_check(options, &(CdSource){0}));
    interrupted_log(model, options, path);
    CHECK_OK(cdi_record_new(model, options, path, true, &record));
    CHECK(cdi_record_resume(record) != NULL);
    CHECK_INT(cdi_open_old(log.ctx, path, true, &file), CD_IO);
    CHECK_OK(cdi_record_close(record, CD_CANCELLED, &(CdRunSummary){0}));
    CHECK_OK(cdi_open_old(log.ctx, path, true, &file));
    CHECK_INT(cdi_record_new(model, options, path, true, &record), CD_IO);
    CHECK_OK(cdi_open_close(file));
    CHECK_TEXT(log.text,
               "test_resume.tmp: another program is writing it; wait until it has ended\n"
               "test_resume.tmp: another program is writing it; wait until it has ended\n");
    remove(path);
    cdi_object_free(options);
    cdi_model_free(model);
    test_log_close(&log);
}

int main(void) {
    RUN(every_method_goes_on);
    RUN(adaptive_steps_go_on);
    RUN(dependent_constraints_go_on);
    RUN(every_third_step_goes_on);
    RUN(every_third_step_is_a_row_and_the_end_is_one);
    RUN(foreign_checkpoints_are_refused);
    RUN(a_log_is_taken_before_its_checkpoint_is_read);
    return test_end();
}
