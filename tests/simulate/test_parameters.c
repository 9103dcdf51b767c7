// test_parameters.c - parameters set in a simulation: as if the model had been read with them
//
// The oscillator m x'' = -k x has x = A cos(w t), w = sqrt(k/m); when k changes at t1 it goes on as
// x1 cos(w2 s) + v1/w2 sin(w2 s), s = t - t1, and its energy has changed by (k2 - k1) x1^2/2.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/session.h"
#include "test.h"

#define PENDULUM(L)                                                                            \
    "{\"cardan\": 1, \"parameters\": {\"L\": " L ", \"m\": \"3*L\", \"k\": 2}, \"items\": [\n" \
    "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]},\n"            \
    "{\"class\": \"RigidBody\", \"name\": \"rod\", \"position\": [\"L/2\", 0, 0], \"mass\": "  \
    "\"m\", \"inertia\": [[0.01, 0, 0], [0, \"m*L^2/12\", 0], [0, 0, \"m*L^2/12\"]]},\n"       \
    "{\"class\": \"RevoluteJoint\", \"name\": \"hinge\", \"body_b\": \"rod\"},\n"              \
    "{\"class\": \"TorsionalSpringDamper\", \"name\": \"s\", \"body_b\": \"rod\", "            \
    "\"stiffness\": \"k\"},\n"                                                                 \
    "{\"class\": \"Force\", \"name\": \"push\", \"body\": \"rod\", \"x\": \"L*sin(5*t)\"},\n"  \
    "{\"class\": \"JointSensor\", \"name\": \"turn\", \"joint\": \"hinge\"},\n"                \
    "{\"class\": \"Sensor\", \"name\": \"tip\", \"body\": \"rod\", \"point\": [\"L/2\", 0, 0]}]}"

static CdModel *read(CdContext *ctx, const char *text) {
    CdModel *model;
    CHECK_OK(cdi_model_read_text(ctx, text, strlen(text), "x.json", &model));
    return model;
}

static CdSimulation *make(CdModel *model, const char *method) {
    CdSimulation *sim;
    CHECK_OK(cd_simulation_new(model, method, &sim));
    return sim;
}

static void run(CdSimulation *sim, double t) {
    CHECK_OK(cd_simulation_start(sim));
    CHECK_OK(cd_simulation_run(sim, t, 0, NULL));
}

static double get(CdSimulation *sim, const char *channel) {
    double x = NAN;
    CHECK_OK(cd_simulation_get(sim, channel, &x));
    return x;
}

static void check_same(CdSimulation *a, CdSimulation *b) {
    const CdPoint *x = cd_simulation_now(a), *y = cd_simulation_now(b);
    CHECK_BITS(x->t, y->t);
    for (int i = 0; i < 7; i++) CHECK_BITS(x->q[i], y->q[i]);
    for (int i = 0; i < 6; i++) CHECK_BITS(x->v[i], y->v[i]);
    for (int i = 0; i < 5; i++) CHECK_BITS(x->lambda[i], y->lambda[i]);
    for (int i = 0; i < cd_simulation_channels(a); i++) {
        const char *name = cd_simulation_channel(a, i, NULL);
        CHECK_BITS(get(a, name), get(b, name));
    }
}

TEST(a_set_parameter_is_one_that_was_read) {
    static const char *const methods[] = {"rk4(step=0.01)", "gen-alpha(step=0.01)",
                                          "radau5(rtol=1e-6)",
                                          "integrator=gen-alpha(step=0.01) threads=2"};
    TestLog log;
    double x;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1")), *fresh = read(log.ctx, PENDULUM("0.6"));
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        CdSimulation *a = make(model, methods[i]), *b = make(fresh, methods[i]);
        CHECK_OK(cd_simulation_set(a, "L", 0.6));
        CHECK_OK(cd_simulation_parameter(a, "m", &x));
        CHECK_NEAR(x, 3 * 0.6, 0);
        run(a, 0.5);
        run(b, 0.5);
        check_same(a, b);
        cd_simulation_free(a);
        cd_simulation_free(b);
    }
    cd_model_free(model);
    cd_model_free(fresh);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(simulations_of_one_model_have_their_own) {
    TestLog log;
    double x;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1")), *half = read(log.ctx, PENDULUM("0.5"));
    CdSimulation *a = make(model, "gen-alpha(step=0.01)"), *b = make(model, "gen-alpha(step=0.01)"),
                 *c = make(model, "gen-alpha(step=0.01)"), *d = make(half, "gen-alpha(step=0.01)");
    run(c, 0.4);
    CHECK_OK(cd_simulation_start(b));
    CHECK_OK(cd_simulation_set(a, "L", 2));
    CHECK_OK(cd_simulation_set(a, "L", 0.5));
    CHECK_OK(cd_simulation_run(b, 0.4, 0, NULL));
    check_same(b, c);
    run(a, 0.4);
    run(d, 0.4);
    check_same(a, d);
    CHECK_OK(cd_simulation_parameter(b, "L", &x));
    CHECK_NEAR(x, 1, 0);
    // an expression given anew as a number no longer follows
    CHECK_OK(cd_simulation_set(a, "m", 7));
    CHECK_OK(cd_simulation_set(a, "k", 1));
    CHECK_OK(cd_simulation_parameter(a, "m", &x));
    CHECK_NEAR(x, 7, 0);
    cd_simulation_free(a);
    cd_simulation_free(b);
    cd_simulation_free(c);
    cd_simulation_free(d);
    cd_model_free(model);
    cd_model_free(half);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- during a run

#define OSCILLATOR                                                                         \
    "{\"cardan\": 1, \"parameters\": {\"k\": 50, \"at\": 0}, \"items\": [\n"               \
    "{\"class\": \"MassPoint1D\", \"name\": \"m\", \"mass\": 2, \"coordinate\": 0.3},\n"   \
    "{\"class\": \"CoordinateMarker\", \"name\": \"x\", \"body\": \"m\", \"coordinate\": " \
    "\"s\"},\n"                                                                            \
    "{\"class\": \"CoordinateSpringDamper\", \"name\": \"s\", \"marker_a\": \"x\", "       \
    "\"stiffness\": \"k\"},\n"                                                             \
    "{\"class\": \"SystemSensor\", \"name\": \"e\", \"quantity\": \"energy\"},\n"          \
    "{\"class\": \"Sensor\", \"name\": \"p\", \"body\": \"m\"}]}"

static double energy(CdSimulation *sim) {
    return get(sim, "e.kinetic") + get(sim, "e.elastic");
}

TEST(the_state_goes_on_with_other_numbers) {
    TestLog log;
    test_log_open(&log);
    CdModel *model = read(log.ctx, OSCILLATOR);
    CdSimulation *sim = make(model, "dop853(rtol=1e-12, atol=1e-13)");
    const double t1 = 0.4, t2 = 1.1, k2 = 80, w = sqrt(50.0 / 2), w2 = sqrt(k2 / 2);
    const double x1 = 0.3 * cos(w * t1), v1 = -0.3 * w * sin(w * t1);
    run(sim, t1);
    CHECK_NEAR(get(sim, "p.x"), x1, 1e-10);
    const double before = energy(sim), x = get(sim, "p.x");
    CHECK_OK(cd_simulation_set(sim, "k", k2));
    CHECK_BITS(get(sim, "p.x"), x);
    CHECK_BITS(cd_simulation_time(sim), t1);
    CHECK_INT(cd_simulation_statistics(sim)->restarts, 1);
    CHECK_NEAR(energy(sim), before + (k2 - 50) / 2 * x1 * x1, 1e-10);
    CHECK_NEAR(cd_simulation_now(sim)->vdot[0], -k2 * x / 2, 1e-12);
    const double after = energy(sim);
    CHECK_OK(cd_simulation_run(sim, t2, 0, NULL));
    CHECK_NEAR(get(sim, "p.x"), x1 * cos(w2 * (t2 - t1)) + v1 / w2 * sin(w2 * (t2 - t1)), 1e-9);
    CHECK_NEAR(energy(sim), after, 1e-10);
    cd_simulation_free(sim);
    cd_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(what_violates_joints_is_refused) {
    TestLog log;
    double x;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1"));
    CdSimulation *a = make(model, "gen-alpha(step=0.01)"), *b = make(model, "gen-alpha(step=0.01)");
    run(a, 0.2);
    run(b, 0.2);
    CHECK_INT(cd_simulation_set(a, "L", 1.2), CD_INVALID);
    CHECK(strstr(log.text, "x.json:4:1: RevoluteJoint 'hinge': the state violates the joint with "
                           "the new parameters: along x by "));
    CHECK(strstr(log.text,
                 "; up to 0.001 is mended, take a smaller change, or start anew with it\n"));
    CHECK_OK(cd_simulation_parameter(a, "L", &x));
    CHECK_NEAR(x, 1, 0);
    check_same(a, b);
    CHECK_OK(cd_simulation_run(a, 0.4, 0, NULL));
    CHECK_OK(cd_simulation_run(b, 0.4, 0, NULL));
    check_same(a, b);
    // a small one is met by projection
    test_log_clear(&log);
    CHECK_OK(cd_simulation_set(a, "L", 1.0002));
    CHECK_NEAR(hypot(get(a, "tip.x"), get(a, "tip.y")), 1.0002, 1e-9);
    CHECK_OK(cd_simulation_run(a, 0.5, 0, NULL));
    CHECK_NEAR(hypot(get(a, "tip.x"), get(a, "tip.y")), 1.0002, 1e-9);
    CHECK_TEXT(log.text, "");
    cd_simulation_free(a);
    cd_simulation_free(b);
    cd_model_free(model);
    test_log_close(&log);
}

TEST(refused_values_leave_everything) {
    TestLog log;
    double x;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1"));
    CdSimulation *sim = make(model, "gen-alpha(step=0.01)");
    for (int k = 0; k < 2; k++) {
        test_log_clear(&log);
        CHECK_INT(cd_simulation_set(sim, "m", -1), CD_INVALID);
        CHECK_INT(cd_simulation_set(sim, "mm", 1), CD_NOTFOUND);
        CHECK_INT(cd_simulation_set(sim, "k", NAN), CD_INVALID);
        CHECK_INT(cd_simulation_parameter(sim, "stiffness", &x), CD_NOTFOUND);
        CHECK_TEXT(log.text,
                   "x.json:3:74: RigidBody 'rod': field 'mass': must be at least 0 kg, not -1\n"
                   "there is no parameter 'mm'\n"
                   "parameter 'k' must be finite, not nan\n"
                   "there is no parameter 'stiffness'\n");
        CHECK_OK(cd_simulation_parameter(sim, "m", &x));
        CHECK_NEAR(x, 3, 0);
        CHECK_OK(cd_simulation_start(sim));
    }
    cd_simulation_free(sim);
    cd_model_free(model);
    test_log_close(&log);
}

// ---- saved states

TEST(a_saved_state_contains_them) {
    TestLog log;
    double x;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1"));
    CdSimulation *a = make(model, "gen-alpha(step=0.01)"), *b = make(model, "gen-alpha(step=0.01)");
    CHECK_OK(cd_simulation_set(a, "L", 0.7));
    run(a, 0.2);
    CHECK_OK(cd_simulation_set(a, "k", 3));
    CHECK_OK(cd_simulation_run(a, 0.3, 0, NULL));
    const size_t size = cd_simulation_save_size(a);
    char *bytes = calloc(size, 1);
    CHECK_OK(cd_simulation_save(a, bytes, size));
    CHECK_OK(cd_simulation_set(b, "m", 3));
    CHECK_OK(cd_simulation_load(b, bytes, size));
    CHECK_OK(cd_simulation_run(a, 0.5, 0, NULL));
    CHECK_OK(cd_simulation_run(b, 0.5, 0, NULL));
    check_same(a, b);
    CHECK_OK(cd_simulation_parameter(b, "m", &x));
    CHECK_NEAR(x, 3 * 0.7, 0);
    // foreign bytes set nothing
    CHECK_OK(cd_simulation_set(b, "k", 4));
    bytes[100] ^= 1;
    CHECK_INT(cd_simulation_load(b, bytes, size), CD_INVALID);
    CHECK_OK(cd_simulation_parameter(b, "k", &x));
    CHECK_NEAR(x, 4, 0);
    free(bytes);
    cd_simulation_free(a);
    cd_simulation_free(b);
    cd_model_free(model);
    test_log_close(&log);
}

TEST(a_start_forgets_turns) {
    TestLog log;
    test_log_open(&log);
    CdModel *model = read(log.ctx, "{\"cardan\": 1, \"items\": [\n"
                                   "{\"class\": \"Rotor\", \"name\": \"r\", \"inertia\": 1, "
                                   "\"angular_velocity\": 60},\n"
                                   "{\"class\": \"TorsionalSpringDamper\", \"name\": \"s\", "
                                   "\"body_b\": \"r\", \"stiffness\": 1}]}");
    CdSimulation *a = make(model, "rk4(step=0.01)"), *b = make(model, "rk4(step=0.01)");
    run(a, 0.5);
    run(a, 0.5);
    run(b, 0.5);
    CHECK_BITS(cd_simulation_now(a)->v[0], cd_simulation_now(b)->v[0]);
    CHECK_NEAR(cd_simulation_now(b)->v[0], 60 * cos(0.5), 1e-6);
    cd_simulation_free(a);
    cd_simulation_free(b);
    cd_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- structure

TEST(numbering_and_patterns_are_kept) {
    TestLog log;
    CdSession s;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1"));
    CHECK_OK(cdi_session_open(&s, model, "gen-alpha(step=0.01)", 1, NULL));
    const CdPattern *pattern = s.system->pattern, *jpattern = s.system->jpattern;
    const CdIntegrator *it = s.it;
    CHECK_OK(cdi_session_start(&s));
    CHECK_OK(cd_integrator_run(s.it, 0.1, NULL));
    for (int k = 0; k < 3; k++) {
        CdModel *variant;
        const CdSetting setting = cdi_setting_real("k", k);
        CHECK_OK(cdi_model_vary(model, &setting, 1, &variant));
        CHECK_OK(cdi_session_vary(&s, variant, true));
    }
    CHECK(s.system != s.base && s.system->pattern == pattern && s.system->jpattern == jpattern);
    CHECK(s.system->joints[0].slots == s.base->joints[0].slots && s.it == it);
    // once set the step loop allocates nothing again
    const uint64_t blocks = cd_context_memory(log.ctx).total_blocks;
    CHECK_OK(cd_integrator_run(s.it, 0.2, NULL));
    CHECK_INT((long long)(cd_context_memory(log.ctx).total_blocks - blocks), 0);
    cdi_session_close(&s);
    cd_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

#define GENERIC(rx)                                                                       \
    "{\"cardan\": 1, \"items\": [{\"class\": \"RigidBody\", \"name\": \"a\", \"shape\": " \
    "{\"class\": \"Sphere\", \"radius\": 1}},\n"                                          \
    "{\"class\": \"GenericJoint\", \"name\": \"j\", \"body_b\": \"a\", \"rx\": " rx "}]}"

TEST(another_structure_is_refused) {
    TestLog log;
    CdSystem *system, *other;
    test_log_open(&log);
    CdModel *a = read(log.ctx, GENERIC("true")), *b = read(log.ctx, GENERIC("false"));
    CHECK_OK(cdi_system_new(a, &system));
    CHECK_INT(cdi_system_vary(system, b, &other), CD_INVALID);
    CHECK(!other);
    CHECK_TEXT(log.text, "x.json:2:1: GenericJoint 'j': the parameters change which of its "
                         "constraints are in force; make a model with them in place of setting "
                         "them\n");
    cdi_system_free(system);
    cd_model_free(a);
    cd_model_free(b);
    test_log_close(&log);
}

// a plate on three rods: parallel ones leave it a swing, and one of them is redundant
#define PLATE                                                                                      \
    "{\"cardan\": 1, \"parameters\": {\"x\": 1}, \"items\": [\n"                                   \
    "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]},\n"                \
    "{\"class\": \"RigidBody2D\", \"name\": \"plate\", \"position\": [0.6, -0.8, 0], \"mass\": "   \
    "1, \"inertia\": 1},\n"                                                                        \
    "{\"class\": \"Marker\", \"name\": \"a0\", \"body\": \"ground\", \"position\": [-1, 0, 0]},\n" \
    "{\"class\": \"Marker\", \"name\": \"b0\", \"body\": \"ground\", \"position\": [1, 0, 0]},\n"  \
    "{\"class\": \"Marker\", \"name\": \"c0\", \"body\": \"ground\", \"position\": [\"1 - x\", "   \
    "0, 0]},\n"                                                                                    \
    "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"plate\", \"position\": [-1, 0, 0]},\n"   \
    "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"plate\", \"position\": [1, 0, 0]},\n"    \
    "{\"class\": \"Marker\", \"name\": \"c\", \"body\": \"plate\", \"position\": [0, 0, 0]},\n"    \
    "{\"class\": \"DistanceJoint\", \"name\": \"ja\", \"marker_a\": \"a0\", \"marker_b\": "        \
    "\"a\", \"length\": 1},\n"                                                                     \
    "{\"class\": \"DistanceJoint\", \"name\": \"jb\", \"marker_a\": \"b0\", \"marker_b\": "        \
    "\"b\", \"length\": 1},\n"                                                                     \
    "{\"class\": \"DistanceJoint\", \"name\": \"jc\", \"marker_a\": \"c0\", \"marker_b\": "        \
    "\"c\", \"length\": \"sqrt((x - 0.4)^2 + 0.64)\"}]}"

TEST(redundancy_may_change) {
    TestLog log;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PLATE);
    CdSimulation *sim = make(model, "gen-alpha(step=0.01)");
    run(sim, 0.1);
    CHECK(cd_simulation_now(sim)->q[0] < 0.59);
    // at the start the third rod is then across the others: nothing moves any more
    CHECK_OK(cd_simulation_start(sim));
    CHECK_OK(cd_simulation_set(sim, "x", 0));
    for (int k = 0; k < 2; k++) {
        CHECK_OK(cd_simulation_run(sim, 0.1, 0, NULL));
        CHECK_NEAR(cd_simulation_now(sim)->q[0], 0.6, 1e-9);
        CHECK_OK(cd_simulation_start(sim));
    }
    CHECK_OK(cd_simulation_set(sim, "x", 1));
    CHECK_OK(cd_simulation_run(sim, 0.1, 0, NULL));
    CHECK(cd_simulation_now(sim)->q[0] < 0.59);
    cd_simulation_free(sim);
    cd_model_free(model);
    test_log_close(&log);
}

// the derivative of the constraint of a rod has its length in it
#define ROD(L)                                                                                 \
    "{\"cardan\": 1, \"parameters\": {\"L\": " L "}, \"items\": [\n"                           \
    "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]},\n"            \
    "{\"class\": \"MassPoint3D\", \"name\": \"ball\", \"position\": [\"L\", 0, 0], \"mass\": " \
    "2},\n"                                                                                    \
    "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"ground\"},\n"                        \
    "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"ball\"},\n"                          \
    "{\"class\": \"DistanceJoint\", \"name\": \"rod\", \"marker_a\": \"a\", \"marker_b\": "    \
    "\"b\", \"length\": \"L\"},\n"                                                             \
    "{\"class\": \"JointSensor\", \"name\": \"f\", \"joint\": \"rod\", \"quantity\": "         \
    "\"force\"}]}"

TEST(sensors_look_at_the_new_numbers) {
    TestLog log;
    test_log_open(&log);
    CdModel *model = read(log.ctx, ROD("1")), *fresh = read(log.ctx, ROD("3"));
    CdSimulation *a = make(model, "rk4(step=0.01)"), *b = make(fresh, "rk4(step=0.01)");
    CHECK_OK(cd_simulation_set(a, "L", 2));
    CHECK_OK(cd_simulation_set(a, "L", 3));
    run(a, 0.3);
    run(b, 0.3);
    CHECK(fabs(get(b, "f.fy")) > 1);
    CHECK_BITS(get(a, "f.fx"), get(b, "f.fx"));
    CHECK_BITS(get(a, "f.fy"), get(b, "f.fy"));
    cd_simulation_free(a);
    cd_simulation_free(b);
    cd_model_free(model);
    cd_model_free(fresh);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- threads

typedef struct Job {
    CdSimulation *sim;
    double L;
    CdStatus status;
} Job;

static void *work(void *user) {
    Job *job = user;
    for (int k = 0; k < 3 && job->status == CD_OK; k++) {
        job->status = cd_simulation_set(job->sim, "L", job->L);
        if (job->status == CD_OK) job->status = cd_simulation_start(job->sim);
        if (job->status == CD_OK) job->status = cd_simulation_run(job->sim, 0.2, 0, NULL);
    }
    return NULL;
}

TEST(two_threads_set_their_own) {
    TestLog log;
    pthread_t threads[2];
    Job jobs[2] = {{.L = 0.5}, {.L = 0.8}};
    const char *texts[] = {PENDULUM("0.5"), PENDULUM("0.8")};
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1"));
    for (int i = 0; i < 2; i++) jobs[i].sim = make(model, "gen-alpha(step=0.01)");
    for (int i = 0; i < 2; i++) CHECK_INT(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    for (int i = 0; i < 2; i++) CHECK_INT(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2; i++) {
        CdModel *fresh = read(log.ctx, texts[i]);
        CdSimulation *sim = make(fresh, "gen-alpha(step=0.01)");
        run(sim, 0.2);
        CHECK_OK(jobs[i].status);
        check_same(jobs[i].sim, sim);
        cd_simulation_free(sim);
        cd_simulation_free(jobs[i].sim);
        cd_model_free(fresh);
    }
    cd_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- memory

static CdStatus set_all(CdContext *ctx, void *user) {
    CdModel *model;
    CdSimulation *sim = NULL;
    const char *text = user;
    CD_TRY(cdi_model_read_text(ctx, text, strlen(text), "x.json", &model));
    CdStatus status = cd_simulation_new(model, "gen-alpha(step=0.01)", &sim);
    if (status == CD_OK) status = cd_simulation_set(sim, "x", 0.5);
    if (status == CD_OK) status = cd_simulation_start(sim);
    if (status == CD_OK) status = cd_simulation_set(sim, "x", 1);
    if (status == CD_OK) status = cd_simulation_start(sim);
    cd_simulation_free(sim);
    cd_model_free(model);
    return status;
}

TEST(a_simulation_that_was_stopped_takes_what_its_state_does_not_meet) {
    TestLog log;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1")), *fresh = read(log.ctx, PENDULUM("0.6"));
    CdSimulation *a = make(model, "gen-alpha(step=0.01)"), *b = make(fresh, "gen-alpha(step=0.01)");
    run(a, 0.5);
    CHECK_INT(cd_simulation_set(a, "L", 0.6), CD_INVALID);
    cdi_simulation_stop(a);
    CHECK_OK(cd_simulation_set(a, "L", 0.6));
    run(a, 0.5);
    run(b, 0.5);
    check_same(a, b);
    cd_simulation_free(a);
    cd_simulation_free(b);
    cd_model_free(model);
    cd_model_free(fresh);
    test_log_close(&log);
}

typedef struct Rows {
    int n, most;
    double t;
} Rows;

static CdStatus count_row(void *user, double t, const double *values) {
    Rows *r = user;
    CHECK(isfinite(values[0]));
    r->t = t;
    r->n++;
    return CD_OK;
}

static bool is_enough(void *user, double t) {
    const Rows *r = user;
    (void)t;
    return r->n >= r->most;
}

TEST(rows_go_to_whoever_asks_until_he_has_enough) {
    TestLog log;
    int n;
    test_log_open(&log);
    CdModel *model = read(log.ctx, PENDULUM("1"));
    CdSimulation *sim = make(model, "rk4(step=0.01)");
    Rows r = {.most = 100};
    const CdRowSink sink = {&r, count_row, is_enough};
    CHECK(cdi_simulation_channels(sim, &n) != NULL);
    CHECK_INT(n, cd_simulation_channels(sim));
    CHECK_OK(cd_simulation_start(sim));
    CHECK_OK(cdi_simulation_rows(sim, 0.5, 0.05, &sink));
    CHECK_INT(r.n, 11);
    CHECK_NEAR(r.t, 0.5, 0);
    r = (Rows){.most = 3};
    CHECK_INT(cdi_simulation_rows(sim, 1, 0.05, &sink), CD_CANCELLED);
    CHECK_INT(r.n, 3);
    CHECK_INT(cdi_simulation_rows(sim, 2, -1, &sink), CD_INVALID);
    cd_simulation_free(sim);
    cd_model_free(model);
    test_log_close(&log);
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(set_all, PLATE);
}

int main(void) {
    RUN(a_set_parameter_is_one_that_was_read);
    RUN(simulations_of_one_model_have_their_own);
    RUN(the_state_goes_on_with_other_numbers);
    RUN(what_violates_joints_is_refused);
    RUN(refused_values_leave_everything);
    RUN(a_saved_state_contains_them);
    RUN(a_start_forgets_turns);
    RUN(numbering_and_patterns_are_kept);
    RUN(another_structure_is_refused);
    RUN(redundancy_may_change);
    RUN(sensors_look_at_the_new_numbers);
    RUN(two_threads_set_their_own);
    RUN(a_simulation_that_was_stopped_takes_what_its_state_does_not_meet);
    RUN(rows_go_to_whoever_asks_until_he_has_enough);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
