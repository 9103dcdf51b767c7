// test_start.c - start values on joints: bodies are moved so that they hold
#include <math.h>
#include <string.h>

#include "system/system.h"
#include "test.h"

#define MAX_TEXT 8192
#define MAX_STATE 64
#define TWO_PI 6.28318530717958647693

typedef struct Bench {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    double q[MAX_STATE], v[MAX_STATE];
} Bench;

static void bench_open(Bench *b, const char *items) {
    char text[MAX_TEXT];
    *b = (Bench){0};
    test_log_open(&b->log);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s]}", items);
    if (!CHECK_OK(cdi_model_read_text(b->log.ctx, text, strlen(text), "x", &b->model))) {
        printf("%s", b->log.text);
    }
    CHECK_OK(cdi_system_new(b->model, &b->system));
    CHECK_OK(cdi_system_work_new(b->system, NULL, &b->work));
    cdi_system_start(b->system, b->q, b->v);
    cdi_system_place(b->work, b->q, b->v);
}

static void bench_close(Bench *b) {
    cdi_system_work_free(b->work);
    cdi_system_free(b->system);
    cdi_model_free(b->model);
    CHECK_TEXT(b->log.text, "");
    test_log_close(&b->log);
}

// largest violation of a joint at position and velocity level, and its coordinates and rates
static void look(const Bench *b, const char *name, double residual[2], double *s, double *sdot) {
    const CdItem *item = cdi_model_find(b->model, name);
    const CdJointLaw *law = item->cls->joint;
    const int m[2] = {item->marker[0], item->marker[1]};
    const CdFrame *f[2] = {&b->work->frame[m[0]], &b->work->frame[m[1]]};
    double v[12], c[CD_JOINT_NC_MAX];
    for (int k = 0; k < 2; k++) memcpy(v + 6 * k, b->work->twist[m[k]], 6 * sizeof *v);
    for (int level = 0; level < 2; level++) {
        residual[level] = 0;
        if (level == 0) law->value(item->data, 0, f[0], f[1], c);
        if (level == 1) law->vel(item->data, 0, f[0], f[1], v, c);
        for (int i = 0; i < law->nc; i++) {
            const bool holds = !law->rows || !cdi_joint_is_free(law, item->data, i);
            if (holds) residual[level] = fmax(residual[level], fabs(c[i]));
        }
    }
    if (law->nrel == 0) return;
    law->coordinates(item->data, f[0], f[1], s);
    law->rates(item->data, f[0], f[1], v, sdot);
}

static void check_closed(const Bench *b, const char *name) {
    double residual[2], s[CD_JOINT_NREL_MAX], sdot[CD_JOINT_NREL_MAX];
    look(b, name, residual, s, sdot);
    CHECK_NEAR(residual[0], 0, 1e-14);
    CHECK_NEAR(residual[1], 0, 1e-13);
}

#define BAR(name, x)                                                                   \
    "{\"class\": \"RigidBody\", \"name\": \"" name "\", \"position\": [" x ", 0, 0], " \
    "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.1]}},"

TEST(a_hinge_starts_at_its_angle_and_rate) {
    Bench b;
    bench_open(&b, BAR("b", "0.5") "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": "
                                   "\"b\", \"start\": [\"30 deg\"], \"start_rate\": [2]}");
    const double c = cos(TWO_PI / 12), s = sin(TWO_PI / 12);
    CHECK_NEAR(b.q[0], 0.5 * c, 1e-15);
    CHECK_NEAR(b.q[1], 0.5 * s, 1e-15);
    CHECK_NEAR(b.q[3], cos(TWO_PI / 24), 1e-15);
    CHECK_NEAR(b.q[6], sin(TWO_PI / 24), 1e-15);
    CHECK_NEAR(b.v[0], -s, 1e-14);
    CHECK_NEAR(b.v[1], c, 1e-14);
    CHECK_NEAR(b.v[5], 2, 1e-14);
    bench_close(&b);
}

// what hangs on a moved body goes with it; values that are not given are as bodies have them
TEST(a_chain_moves_with_its_first_joint) {
    double residual[2], s, sdot;
    Bench b;
    bench_open(
        &b,
        "{\"class\": \"RevoluteJoint\", \"name\": \"j3\", \"body_a\": \"b3\", \"body_b\": "
        "\"b2\", \"at\": [2, 0, 0], \"axis\": [0, 1, 0], \"start_rate\": [4]}," BAR("b3", "2.5")
            BAR("b2", "1.5") BAR("b1", "0.5") "{\"class\": \"RevoluteJoint\", \"name\": \"j2\", "
                                              "\"body_a\": \"b1\", \"body_b\": "
                                              "\"b2\", \"at\": [1, 0, 0]},"
                                              "{\"class\": \"RevoluteJoint\", \"name\": \"j1\", "
                                              "\"body_b\": \"b1\", \"axis\": "
                                              "[1, 1, 0], \"start\": [0.7], \"start_rate\": [3]}");
    CHECK_INT(b.system->nmoves, 3);
    check_closed(&b, "j1");
    check_closed(&b, "j2");
    check_closed(&b, "j3");
    look(&b, "j1", residual, &s, &sdot);
    CHECK_NEAR(s, 0.7, 1e-14);
    CHECK_NEAR(sdot, 3, 1e-13);
    look(&b, "j2", residual, &s, &sdot);
    CHECK_NEAR(s, 0, 1e-14);
    CHECK_NEAR(sdot, 0, 1e-13);
    look(&b, "j3", residual, &s, &sdot);
    CHECK_NEAR(s, 0, 1e-14);
    CHECK_NEAR(sdot, 4, 1e-13);
    bench_close(&b);
}

// what moves relative to a body that is moved goes on doing so
TEST(carried_bodies_keep_their_relative_motion) {
    double residual[2], s, sdot;
    Bench b;
    bench_open(&b, BAR("b1", "0.5") "{\"class\": \"RigidBody\", \"name\": \"b2\", \"position\": "
                                    "[1.5, 0, 0], \"velocity\": [0, 1, 0], \"angular_velocity\": "
                                    "[0, 0, 2], \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], "
                                    "[0, 0, 1]]},"
                                    "{\"class\": \"RevoluteJoint\", \"name\": \"j1\", \"body_b\": "
                                    "\"b1\", \"axis\": [0, 1, 1], \"start\": [0.7], "
                                    "\"start_rate\": [3]},"
                                    "{\"class\": \"RevoluteJoint\", \"name\": \"j2\", \"body_a\": "
                                    "\"b1\", \"body_b\": \"b2\", \"at\": [1, 0, 0]}");
    check_closed(&b, "j1");
    check_closed(&b, "j2");
    look(&b, "j2", residual, &s, &sdot);
    CHECK_NEAR(s, 0, 1e-14);
    CHECK_NEAR(sdot, 2, 1e-13);
    bench_close(&b);
}

// a slider 1 m out on a bar that is turned: markers apart, so the lever counts
TEST(carried_sliders_keep_their_relative_motion) {
    double residual[2], s, sdot;
    Bench b;
    bench_open(&b, BAR("b1", "0.5") "{\"class\": \"RigidBody\", \"name\": \"b2\", \"position\": "
                                    "[1, 0, 0], \"velocity\": [2, 0, 0], \"mass\": 1, "
                                    "\"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},"
                                    "{\"class\": \"RevoluteJoint\", \"name\": \"j1\", \"body_b\": "
                                    "\"b1\", \"start\": [0.7], \"start_rate\": [3]},"
                                    "{\"class\": \"Marker\", \"name\": \"rail\", \"body\": \"b1\", "
                                    "\"position\": [-0.5, 0, 0], \"orientation\": "
                                    "[0.5, 0.5, 0.5, 0.5]},"
                                    "{\"class\": \"Marker\", \"name\": \"shoe\", \"body\": \"b2\", "
                                    "\"orientation\": [0.5, 0.5, 0.5, 0.5]},"
                                    "{\"class\": \"PrismaticJoint\", \"name\": \"j2\", "
                                    "\"marker_a\": \"rail\", \"marker_b\": \"shoe\"}");
    check_closed(&b, "j1");
    check_closed(&b, "j2");
    look(&b, "j2", residual, &s, &sdot);
    CHECK_NEAR(s, 1, 1e-14);
    CHECK_NEAR(sdot, 2, 1e-13);
    bench_close(&b);
}

// ---- every joint, in both directions

static int body_text(char *text, size_t size, const char *name, bool plane, TestRandom *r) {
    double x[10];
    for (int i = 0; i < 10; i++) x[i] = test_random(r, -1, 1);
    if (plane) {
        return snprintf(text, size,
                        "{\"class\": \"RigidBody2D\", \"name\": \"%s\", \"position\": [%.17g, "
                        "%.17g, 0], \"angle\": %.17g, \"velocity\": [%.17g, %.17g, 0], "
                        "\"angular_velocity\": %.17g, \"com\": [0.3, -0.1, 0], \"mass\": 1, "
                        "\"inertia\": 1},",
                        name, x[0], x[1], x[2], x[3], x[4], x[5]);
    }
    const double n = sqrt(1 + x[9] * x[9] + 0.25);
    return snprintf(text, size,
                    "{\"class\": \"RigidBody\", \"name\": \"%s\", \"position\": [%.17g, %.17g, "
                    "%.17g], \"orientation\": [%.17g, %.17g, %.17g, 0], \"velocity\": [%.17g, "
                    "%.17g, %.17g], \"angular_velocity\": [%.17g, %.17g, %.17g], \"com\": "
                    "[0.3, -0.1, 0.2], \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, "
                    "1]]},",
                    name, x[0], x[1], x[2], 1 / n, x[9] / n, 0.5 / n, x[3], x[4], x[5], x[6], x[7],
                    x[8]);
}

static void list_text(char *text, size_t size, int n, const double *x) {
    size_t k = (size_t)snprintf(text, size, "[");
    for (int i = 0; i < n; i++) {
        k += (size_t)snprintf(text + k, size - k, "%s%.17g", i ? ", " : "", x[i]);
    }
    snprintf(text + k, size - k, "]");
}

// bits of the coordinates that are free, of classes with a choice
static void free_text(const CdJointLaw *law, unsigned free, char *text, size_t size) {
    size_t n = 0;
    text[0] = 0;
    for (int k = 0; law->is_free && k < law->nrel; k++) {
        if (!(free >> k & 1)) continue;
        n += (size_t)snprintf(text + n, size - n, "\"%s\": false, ", law->rel_names[k]);
    }
}

// the first body stays and moves as its fields say, the second is placed on it
static void check_class(const CdItemClass *cls, unsigned free, bool b_first, TestRandom *r) {
    const CdJointLaw *law = cls->joint;
    const bool plane = law->nc + law->nrel == 3;
    char items[MAX_TEXT], lists[2][256], choice[256];
    double want[2][CD_JOINT_NREL_MAX], s[CD_JOINT_NREL_MAX], sdot[CD_JOINT_NREL_MAX], residual[2];
    Bench b;
    for (int k = 0; k < law->nrel; k++) {
        want[0][k] = free >> k & 1 ? test_random(r, -1.4, 1.4) : 0;
        want[1][k] = free >> k & 1 ? test_random(r, -1, 1) : 0;
    }
    free_text(law, free, choice, sizeof choice);
    for (int i = 0; i < 2; i++) list_text(lists[i], sizeof lists[i], law->nrel, want[i]);
    size_t n = (size_t)body_text(items, sizeof items, b_first ? "two" : "one", plane, r);
    n += (size_t)body_text(items + n, sizeof items - n, b_first ? "one" : "two", plane, r);
    snprintf(items + n, sizeof items - n,
             "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"one\", \"position\": [0.5, 0.4, "
             "0], \"orientation\": [0.8, 0, 0, 0.6]},"
             "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"two\", \"position\": [0.1, 0.7, "
             "0], \"orientation\": [0.6, 0, 0, -0.8]},"
             "{\"class\": \"%s\", \"name\": \"j\", \"marker_a\": \"a\", \"marker_b\": \"b\", "
             "%s\"start\": %s, \"start_rate\": %s}",
             cls->desc.name, choice, lists[0], lists[1]);
    bench_open(&b, items);
    CHECK_INT(b.system->nmoves, 1);
    CHECK_INT(b.system->moves[0].to_b, !b_first);
    look(&b, "j", residual, s, sdot);
    bool ok = CHECK_NEAR(residual[0], 0, 1e-13) && CHECK_NEAR(residual[1], 0, 1e-12);
    for (int k = 0; k < law->nrel; k++) {
        ok = CHECK_NEAR(s[k], want[0][k], 1e-13) && ok;
        ok = CHECK_NEAR(sdot[k], want[1][k], 1e-12) && ok;
    }
    if (!ok) printf("  of %s\n", cls->desc.name);
    bench_close(&b);
}

TEST(every_joint_starts_as_it_is_told) {
    TestRandom r = {3};
    int n = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        const CdJointLaw *law = (*cls)->joint;
        if (!law || law->nrel == 0 || !law->relative) continue;
        CHECK(cdi_desc_field(&(*cls)->desc, "start") != NULL);
        // each combination of six
        const unsigned from = law->is_free ? 1 : 63;
        for (unsigned free = from; free < 64; free++) {
            for (int i = 0; i < 4; i++) check_class(*cls, free, i % 2 == 1, &r);
        }
        n++;
    }
    CHECK(n >= 8);
}

// ---- what is not given, loops, limits

TEST(coordinates_that_are_left_out_stay) {
    double residual[2], s[2], sdot[2];
    Bench b;
    bench_open(&b, "{\"class\": \"RigidBody\", \"name\": \"b\", \"position\": [0, 0, 5], "
                   "\"orientation\": [0.8, 0, 0, 0.6], \"angular_velocity\": [0, 0, 7], \"shape\": "
                   "{\"class\": \"Sphere\", \"radius\": 1}},"
                   "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"ground\"},"
                   "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"b\"},"
                   "{\"class\": \"CylindricalJoint\", \"name\": \"j\", \"marker_a\": \"a\", "
                   "\"marker_b\": \"m\", \"start\": [2]}");
    look(&b, "j", residual, s, sdot);
    CHECK_NEAR(s[0], 2, 1e-15);
    CHECK_NEAR(s[1], 2 * atan2(0.6, 0.8), 1e-15);
    CHECK_NEAR(sdot[0], 0, 1e-14);
    CHECK_NEAR(sdot[1], 7, 1e-14);
    bench_close(&b);
}

// a rotor counts turns from the angle nearest to that of its fields
TEST(a_rotor_is_turned_from_where_it_is) {
    Bench b;
    bench_open(&b, "{\"class\": \"Rotor\", \"name\": \"r\", \"inertia\": 1, \"angle\": 100},"
                   "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": \"r\", \"start\": "
                   "[0.5], \"start_rate\": [3]}");
    CHECK_NEAR(b.q[0], 100.5, 1e-13);
    CHECK_NEAR(b.v[0], 3, 1e-14);
    bench_close(&b);
}

// of a four-bar linkage the crank moves and what hangs on it; the loop opens at its last joint
TEST(joints_with_values_come_before_those_that_close_a_loop) {
    double residual[2], s, sdot;
    Bench b;
    bench_open(
        &b,
        "{\"class\": \"RevoluteJoint\", \"name\": \"close\", \"body_a\": \"coupler\", "
        "\"body_b\": \"rocker\", \"at\": [1, 1, 0]},"
        "{\"class\": \"RevoluteJoint\", \"name\": \"rest\", \"body_b\": \"rocker\", \"at\": "
        "[1, 0, 0]}," BAR("rocker", "1") BAR("coupler", "0.5")
            BAR("crank",
                "0") "{\"class\": \"RevoluteJoint\", \"name\": \"pin\", \"body_a\": \"crank\", "
                     "\"body_b\": \"coupler\", \"at\": [0, 1, 0], \"start\": [-0.2]},"
                     "{\"class\": \"RevoluteJoint\", \"name\": \"drive\", \"body_b\": \"crank\", "
                     "\"start\": [0.2]}");
    check_closed(&b, "drive");
    check_closed(&b, "pin");
    look(&b, "pin", residual, &s, &sdot);
    CHECK_NEAR(s, -0.2, 1e-14);
    // the first joint of the loop in the file stays closed, the second is left open
    check_closed(&b, "close");
    look(&b, "rest", residual, &s, &sdot);
    CHECK_NEAR(residual[0], sin(0.2), 1e-14);
    bench_close(&b);
}

TEST(without_start_values_nothing_is_touched) {
    Bench b;
    bench_open(&b, BAR("b", "0.1") "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": "
                                   "\"b\"}");
    CHECK_INT(b.system->nmoves, 0);
    CHECK_BITS(b.q[0], 0.1);
    bench_close(&b);
}

TEST(too_many_values_are_refused) {
    static const char *const text = "{\"cardan\": 1, \"items\": [" BAR(
        "b", "0") "{\"class\": \"RevoluteJoint\", \"name\": "
                  "\"j\",\n\"body_b\": \"b\", \"start\": [1, 2]}]}";
    TestLog log;
    CdModel *model;
    test_log_open(&log);
    CHECK_INT(cdi_model_read_text(log.ctx, text, strlen(text), "x", &model), CD_INVALID);
    CHECK_TEXT(log.text, "x:2:25: RevoluteJoint 'j': field 'start': the number of elements must be "
                         "at least 0 and at most 1, not 2\n");
    test_log_close(&log);
}

static CdStatus assemble(CdContext *ctx, void *user) {
    CdModel *model;
    CdSystem *system;
    CD_TRY(cdi_model_read_text(ctx, user, strlen(user), "x", &model));
    const CdStatus status = cdi_system_new(model, &system);
    cdi_system_free(system);
    cdi_model_free(model);
    return status;
}

TEST(memory_may_run_out_while_bodies_are_ordered) {
    static char text[] =
        "{\"cardan\": 1, \"items\": [" BAR("b", "0") "{\"class\": \"RevoluteJoint\", \"name\": "
                                                     "\"j\", \"body_b\": \"b\", \"start\": [1]}]}";
    CHECK_OOM(assemble, text);
}

int main(void) {
    RUN(a_hinge_starts_at_its_angle_and_rate);
    RUN(a_chain_moves_with_its_first_joint);
    RUN(carried_bodies_keep_their_relative_motion);
    RUN(carried_sliders_keep_their_relative_motion);
    RUN(every_joint_starts_as_it_is_told);
    RUN(coordinates_that_are_left_out_stay);
    RUN(a_rotor_is_turned_from_where_it_is);
    RUN(joints_with_values_come_before_those_that_close_a_loop);
    RUN(without_start_values_nothing_is_touched);
    RUN(too_many_values_are_refused);
    RUN(memory_may_run_out_while_bodies_are_ordered);
    return test_end();
}
