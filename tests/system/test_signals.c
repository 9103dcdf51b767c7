// test_signals.c - forces that read sensors: derivatives, patterns, history, threads of control
#include <math.h>
#include <string.h>

#include "system/signals.h"
#include "test.h"

#define MAX_TEXT 16384
#define NV 18
#define STEP 1e-6

// three bodies: items act between the first two, sensors look at all
#define BODY(name, x, q)                                                                          \
    "{\"class\": \"RigidBody\", \"name\": \"" name "\", \"position\": " x ", \"orientation\": " q \
    ", \"mass\": 2, \"com\": [0.1, 0, 0.2],"                                                      \
    " \"inertia\": [[1, 0.1, 0], [0.1, 2, 0.2], [0, 0.2, 2.5]]},"
#define BODIES                                                                                \
    BODY("one", "[0.1, 0.2, 0.3]", "[0.5, 0.5, -0.5, 0.5]")                                   \
    BODY("two", "[1, -0.2, 0.5]", "[0.36, 0.48, 0, 0.8]")                                     \
    BODY("three", "[-1, 0.6, 0.2]", "[0.6, 0, 0.64, 0.48]")                                   \
    "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"one\","                             \
    " \"position\": [0.5, 0.4, 0.1], \"orientation\": [0.6, 0, 0.64, 0.48]},"                 \
    "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"two\","                             \
    " \"position\": [0.1, 0.7, -0.1], \"orientation\": [0.8, -0.36, 0.48, 0]},"               \
    "{\"class\": \"Marker\", \"name\": \"c\", \"body\": \"three\","                           \
    " \"position\": [0.3, -0.2, 0.4], \"orientation\": [0.8, 0.36, 0.48, 0]},"                \
    "{\"class\": \"CoordinateMarker\", \"name\": \"ca\", \"body\": \"one\", \"coordinate\": " \
    "\"x\"},"                                                                                 \
    "{\"class\": \"CoordinateMarker\", \"name\": \"cb\", \"body\": \"two\", \"coordinate\": " \
    "\"y\"},"
// one sensor of each kind, and two that are computed
#define SENSORS                                                                            \
    ",{\"class\": \"Sensor\", \"name\": \"far\", \"marker\": \"c\"},"                      \
    "{\"class\": \"Sensor\", \"name\": \"speed\", \"marker\": \"b\", \"quantity\": "       \
    "\"velocity\", \"axes\": \"own\"},"                                                    \
    "{\"class\": \"Sensor\", \"name\": \"acc\", \"marker\": \"c\", \"quantity\": "         \
    "\"acceleration\"},"                                                                   \
    "{\"class\": \"ExpressionSensor\", \"name\": \"sum\", \"value\": "                     \
    "\"far.y*speed.vz + sin(t + slow)\"},"                                                 \
    "{\"class\": \"ExpressionSensor\", \"name\": \"slow\", \"value\": \"acc.ax + slow\", " \
    "\"delay\": true, \"start\": 0.7}"

typedef struct Bench {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    double q[NV + 3], v[NV], vdot[NV], lambda[12];
    CdPoint at;
} Bench;

static bool bench_open(Bench *b, const char *items) {
    static char text[MAX_TEXT];
    memset(b, 0, sizeof *b);
    test_log_open(&b->log);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s%s%s]}", BODIES, items, SENSORS);
    if (!CHECK_OK(cdi_model_read_text(b->log.ctx, text, strlen(text), "x.json", &b->model))) {
        printf("%s\n%s\n", b->log.text, items);
        test_log_close(&b->log);
        return false;
    }
    CHECK_OK(cdi_system_new(b->model, &b->system));
    CHECK_OK(cdi_system_work_new(b->system, NULL, &b->work));
    cdi_system_problem(b->work, &b->problem);
    TestRandom r = {11};
    cdi_system_start(b->system, b->q, b->v);
    for (int i = 0; i < NV; i++) b->v[i] = test_random(&r, -1, 1);
    for (int i = 0; i < NV; i++) b->vdot[i] = test_random(&r, -1, 1);
    b->at = (CdPoint){.t = 0.3, .q = b->q, .v = b->v, .vdot = b->vdot, .lambda = b->lambda};
    return true;
}

static void bench_close(Bench *b) {
    cdi_system_work_free(b->work);
    cdi_system_free(b->system);
    cdi_model_free(b->model);
    CHECK_TEXT(b->log.text, "");
    test_log_close(&b->log);
}

// f at a point moved along direction k of the coordinates or velocities
static void moved_force(Bench *b, bool velocity, int k, double h, double f[NV]) {
    double q[NV + 3], v[NV], delta[NV] = {0};
    memcpy(v, b->v, sizeof v);
    if (velocity) v[k] += h;
    if (!velocity) delta[k] = h;
    b->problem.retract(b->work, b->q, delta, q);
    CdPoint at = b->at;
    at.q = q;
    at.v = v;
    CHECK_OK(b->problem.force(b->work, &at, f));
}

// largest error of -A, on the whole matrix: what is not in the pattern must be 0
static double compare(Bench *b, bool velocity, const double *A, double *largest) {
    const CdPattern *p = b->system->pattern;
    double dense[NV][NV] = {{0}}, up[NV], down[NV], worst = 0;
    for (int j = 0; j < NV; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) dense[p->row[k]][j] = A[k];
    }
    for (int j = 0; j < NV; j++) {
        moved_force(b, velocity, j, STEP, up);
        moved_force(b, velocity, j, -STEP, down);
        for (int i = 0; i < NV; i++) {
            const double d = (up[i] - down[i]) / (2 * STEP);
            worst = fmax(worst, fabs(d + dense[i][j]) / (1 + fabs(d)));
            *largest = fmax(*largest, fabs(d));
        }
    }
    return worst;
}

static void check_derivatives(const char *items, const char *what) {
    static double C[NV * NV], K[NV * NV], C1[NV * NV], K1[NV * NV];
    Bench b;
    double largest = 0;
    if (!bench_open(&b, items)) return;
    CHECK_INT(b.system->nv, NV);
    CHECK_OK(b.problem.derivatives(b.work, &b.at, NULL, C, K));
    const bool of_q = CHECK_NEAR(compare(&b, false, K, &largest), 0, 2e-8);
    const bool of_v = CHECK_NEAR(compare(&b, true, C, &largest), 0, 2e-8);
    if (!of_q || !of_v) printf("  of %s: %s\n", what, items);
    CHECK(largest > 0.01);
    // one at a time, and twice, are the same
    CHECK_OK(b.problem.derivatives(b.work, &b.at, NULL, C1, NULL));
    CHECK_OK(b.problem.derivatives(b.work, &b.at, NULL, NULL, K1));
    const size_t size = (size_t)b.system->pattern->nnz * sizeof *C;
    CHECK(memcmp(C, C1, size) == 0 && memcmp(K, K1, size) == 0);
    bench_close(&b);
}

// ---- every class with functions that may read sensors

static bool has(const CdItemClass *cls, const char *field) {
    return cdi_desc_field(&cls->desc, field) != NULL;
}

// an item with all numbers set; functions read a sensor each, of place, speed, and computed
static int write_item(const CdItemClass *cls, double limit, char *text, size_t size) {
    static const char *const reads[] = {"far.x*%s + 2*speed.vx", "sum - 0.3*%s*far.z",
                                        "sin(far.z) + %s*speed.vy"};
    const char *mark = cls->coordinate ? "c" : "";
    int n = 0, functions = 0;
    n += snprintf(text, size, "{\"class\": \"%s\", \"name\": \"x\"", cls->desc.name);
    if (has(cls, "marker_a")) n += snprintf(text + n, size - n, ", \"marker_a\": \"%sa\"", mark);
    if (has(cls, "marker_b")) n += snprintf(text + n, size - n, ", \"marker_b\": \"%sb\"", mark);
    if (has(cls, "marker")) n += snprintf(text + n, size - n, ", \"marker\": \"%sa\"", mark);
    for (int k = 0; k < cls->desc.nfields; k++) {
        const CdField *f = &cls->desc.fields[k];
        if (f->type == CD_TYPE_REAL) {
            const double x = strcmp(f->name, "limit") == 0 ? limit : 0.2 + 0.1 * k;
            n += snprintf(text + n, size - n, ", \"%s\": %g", f->name, x);
        } else if (f->sensors) {
            n += snprintf(text + n, size - n, ", \"%s\": \"", f->name);
            n += snprintf(text + n, size - n, reads[functions++ % 3], cdi_function_arg(f));
            n += snprintf(text + n, size - n, "\"");
        }
    }
    snprintf(text + n, size - n, "}");
    return functions;
}

TEST(derivatives_of_every_force_equal_differences) {
    static const double limits[] = {0, 0.01, 100}; // none, reached, not reached
    int classes = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        char text[2048];
        if ((*cls)->category != CD_CONNECTOR && (*cls)->category != CD_LOAD) continue;
        for (int i = 0; i < (has(*cls, "limit") ? 3 : 1); i++) {
            if (write_item(*cls, limits[i], text, sizeof text) == 0) continue;
            check_derivatives(text, (*cls)->desc.name);
            classes += i == 0;
        }
    }
    CHECK_INT(classes, 10);
}

TEST(functions_stand_where_they_can_be_found) {
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        for (int k = 0; k < (*cls)->desc.nfields; k++) {
            const CdField *f = &(*cls)->desc.fields[k];
            CHECK(!(f->type == CD_TYPE_FUNCTION && f->list));
            CHECK(!f->sensors || f->type == CD_TYPE_FUNCTION);
        }
    }
}

// ---- every sensor that can be read at once

TEST(every_quantity_of_a_marker_can_be_read) {
    static const char *const parts[][2] = {{"position", "x"},   {"velocity", "vy"},
                                           {"rotation", "R23"}, {"quaternion", "qz"},
                                           {"angles", "ry"},    {"angular_velocity", "wy"}};
    for (int i = 0; i < 12; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"class\": \"Sensor\", \"name\": \"s\", \"marker\": \"c\", \"quantity\": "
                 "\"%s\", \"axes\": \"%s\"},{\"class\": \"Force\", \"name\": \"f\", \"marker\": "
                 "\"a\", \"x\": \"s.%s*t\", \"y\": \"2*s.%s\"}",
                 parts[i / 2][0], i % 2 ? "own" : "world", parts[i / 2][1], parts[i / 2][1]);
        check_derivatives(text, parts[i / 2][0]);
    }
}

TEST(coordinates_and_rates_of_every_joint_can_be_read) {
    int n = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        const CdJointLaw *law = (*cls)->joint;
        if (!law || law->nrel == 0 || !law->coordinates) continue;
        for (int k = 0; k < law->nrel; k++, n++) {
            char text[1024];
            const bool length = has(*cls, "length");
            snprintf(text, sizeof text,
                     "{\"class\": \"%s\", \"name\": \"j\", \"marker_a\": \"b\", \"marker_b\": "
                     "\"c\"%s},{\"class\": \"JointSensor\", \"name\": \"s\", \"joint\": \"j\"},"
                     "{\"class\": \"JointSensor\", \"name\": \"r\", \"joint\": \"j\", "
                     "\"quantity\": \"rates\"},{\"class\": \"Torque\", \"name\": \"f\", "
                     "\"marker\": \"a\", \"x\": \"3*s.%s\", \"z\": \"s.%s*r.%s_rate\"}",
                     (*cls)->desc.name, length ? ", \"length\": 1" : "", law->rel_names[k],
                     law->rel_names[k], law->rel_names[k]);
            check_derivatives(text, (*cls)->desc.name);
        }
    }
    CHECK(n >= 12);
}

static void read_output(const CdItemClass *cls, double limit, const char *output) {
    char text[4096], item[2048];
    write_item(cls, limit, item, sizeof item);
    snprintf(text, sizeof text,
             "%s,{\"class\": \"ConnectorSensor\", \"name\": \"s\", \"connector\": \"x\"},"
             "{\"class\": \"Force\", \"name\": \"f\", \"marker\": \"c\", \"y\": \"0.2*s.%s^2\", "
             "\"z\": \"s.%s\"}",
             item, output, output);
    check_derivatives(text, cls->desc.name);
}

TEST(outputs_of_every_connector_can_be_read) {
    int n = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if ((*cls)->category != CD_CONNECTOR) continue;
        const int nout = (*cls)->force ? (*cls)->force->nout : (*cls)->coordinate->nout;
        const char *const *names =
            (*cls)->force ? (*cls)->force->out_names : (*cls)->coordinate->out_names;
        CHECK(nout <= CD_FORCE_NOUT_MAX);
        for (int k = 0; k < nout; k++, n++) {
            read_output(*cls, 0, names[k]);
            if (has(*cls, "limit")) read_output(*cls, 0.01, names[k]);
            if (has(*cls, "limit")) read_output(*cls, 100, names[k]);
        }
    }
    CHECK(n >= 30);
}

// ---- pattern

static int nonzeros(const char *items) {
    Bench b;
    if (!bench_open(&b, items)) return -1;
    const int nnz = b.system->pattern->nnz;
    bench_close(&b);
    return nnz;
}

#define FORCE_OF(name, x) \
    "{\"class\": \"Force\", \"name\": \"" name "\", \"marker\": \"a\", \"x\": \"" x "\"}"
#define FORCE(x) FORCE_OF("f", x)

TEST(what_is_read_extends_the_pattern) {
    const int alone = nonzeros(FORCE("sin(t)"));
    CHECK_INT(alone, 3 * 36);
    CHECK_INT(nonzeros(FORCE("far.x")), alone + 2 * 36); // and its transpose
    CHECK_INT(nonzeros(FORCE("far.x + speed.vx")), alone + 4 * 36);
    CHECK_INT(nonzeros(FORCE("sum")), alone + 4 * 36);
    CHECK_INT(nonzeros(FORCE("slow")), alone); // a number of the past
}

// ---- history

TEST(a_delay_shows_the_last_accepted_step) {
    Bench b;
    double f[NV];
    bool event;
    if (!bench_open(
            &b,
            FORCE("slow") ",{\"class\": \"Sensor\", \"name\": \"unread\", \"marker\": \"b\"}")) {
        return;
    }
    CHECK_OK(b.problem.force(b.work, &b.at, f));
    CHECK_BITS(f[0], 0.7);
    // acc.ax + slow, of the point that is accepted
    CHECK_OK(b.problem.step_end(b.work, &b.at, &event));
    CHECK(!event);
    CdSensorInput in = {.t = 0};
    cdi_sense_marker(b.work, cdi_model_find(b.model, "c")->marker[0], b.vdot, &in);
    CHECK_OK(b.problem.force(b.work, &b.at, f));
    CHECK_BITS(f[0], in.accel[0] + 0.7);
    // saved, changed and loaded again
    char bytes[256];
    CHECK(b.problem.discrete_size <= sizeof bytes);
    b.problem.save(b.work, bytes);
    CHECK_OK(b.problem.step_end(b.work, &b.at, &event));
    CHECK_OK(b.problem.force(b.work, &b.at, f));
    CHECK_BITS(f[0], in.accel[0] + (in.accel[0] + 0.7));
    b.problem.load(b.work, bytes);
    CHECK_OK(b.problem.force(b.work, &b.at, f));
    CHECK_BITS(f[0], in.accel[0] + 0.7);
    // a new problem begins anew
    cdi_system_problem(b.work, &b.problem);
    CHECK_OK(b.problem.force(b.work, &b.at, f));
    CHECK_BITS(f[0], 0.7);
    bench_close(&b);
}

TEST(angles_go_on_from_turn_to_turn) {
    Bench b;
    double f[NV], last = 0, delta[NV] = {0};
    bool event;
    if (!bench_open(&b, "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": \"three\"},"
                        "{\"class\": \"JointSensor\", \"name\": \"s\", \"joint\": \"j\"},"
                        "{\"class\": \"Sensor\", \"name\": \"q\", \"body\": \"three\", "
                        "\"quantity\": \"quaternion\"}," FORCE("s.angle"))) {
        return;
    }
    // twice around z of the world, the axis, in steps of a twentieth of a turn
    const double step = 6.28318530717958647692 / 20, axis[3] = {0, 0, step};
    for (int i = 0; i < 40; i++) {
        CdFrame body;
        cdi_system_place(b.work, b.q, b.v);
        cdi_sense_body(b.work, 3, &body);
        tmul3v(body.R, axis, delta + 15);
        double q[NV + 3];
        b.problem.retract(b.work, b.q, delta, q);
        memcpy(b.q, q, sizeof q);
        CHECK_OK(b.problem.force(b.work, &b.at, f));
        if (i > 0) CHECK_NEAR(f[0] - last, step, 0.01);
        last = f[0];
        CHECK_OK(b.problem.step_end(b.work, &b.at, &event));
    }
    CHECK_NEAR(last, 40 * step, 0.4);
    bench_close(&b);
}

TEST(two_works_do_not_see_each_other) {
    Bench b;
    CdSystemWork *other;
    CdProblem problem;
    double f[NV], g[NV];
    bool event;
    if (!bench_open(&b, FORCE("slow + far.x"))) return;
    CHECK_OK(cdi_system_work_new(b.system, NULL, &other));
    cdi_system_problem(other, &problem);
    CHECK_OK(b.problem.force(b.work, &b.at, f));
    CHECK_OK(problem.step_end(other, &b.at, &event));
    b.q[14] += 1; // of the third body
    CHECK_OK(problem.force(other, &b.at, g));
    b.q[14] -= 1;
    CHECK(f[0] != g[0]);
    CHECK_OK(b.problem.force(b.work, &b.at, g));
    CHECK_BITS(f[0], g[0]);
    cdi_system_work_free(other);
    bench_close(&b);
}

// ---- memory

static CdStatus assemble(CdContext *ctx, void *user) {
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CD_TRY(cdi_model_read_text(ctx, user, strlen(user), "x.json", &model));
    CdStatus status = cdi_system_new(model, &system);
    if (status == CD_OK) {
        status = cdi_system_work_new(system, NULL, &work);
        if (status == CD_OK) cdi_system_work_free(work);
        cdi_system_free(system);
    }
    cdi_model_free(model);
    return status;
}

TEST(memory_may_run_out) {
    static char text[MAX_TEXT];
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s%s%s]}", BODIES,
             FORCE("sum*slow + 'far.x'"), SENSORS);
    CHECK_OOM(assemble, text);
}

int main(void) {
    RUN(derivatives_of_every_force_equal_differences);
    RUN(functions_stand_where_they_can_be_found);
    RUN(every_quantity_of_a_marker_can_be_read);
    RUN(coordinates_and_rates_of_every_joint_can_be_read);
    RUN(outputs_of_every_connector_can_be_read);
    RUN(what_is_read_extends_the_pattern);
    RUN(a_delay_shows_the_last_accepted_step);
    RUN(angles_go_on_from_turn_to_turn);
    RUN(two_works_do_not_see_each_other);
    RUN(memory_may_run_out);
    return test_end();
}
