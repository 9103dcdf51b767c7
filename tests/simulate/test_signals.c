// test_signals.c - closed loops: motions against analytic solutions, the same bits for any threads
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cardan/model.h"
#include "simulate/threads.h"

#define MODEL(items) "{\"cardan\": 1, \"items\": [" items "]}"

// a mass on a line, held by a force that looks at its place and speed: x'' + 2 d x' + w^2 x = 0
#define HELD                                                                                     \
    MODEL("{\"class\": \"MassPoint1D\", \"name\": \"m\", \"mass\": 2, \"coordinate\": 0.3, "     \
          "\"velocity\": -0.4},"                                                                 \
          "{\"class\": \"CoordinateMarker\", \"name\": \"x\", \"body\": \"m\", \"coordinate\": " \
          "\"s\"},"                                                                              \
          "{\"class\": \"CoordinateLoad\", \"name\": \"f\", \"marker\": \"x\", \"force\": "      \
          "\"-2*(9*place.x + 1.2*speed.vx)\"},"                                                  \
          "{\"class\": \"Sensor\", \"name\": \"place\", \"body\": \"m\"},"                       \
          "{\"class\": \"Sensor\", \"name\": \"speed\", \"body\": \"m\", \"quantity\": "         \
          "\"velocity\"}")

typedef struct Rows {
    double t, values[16];
    int n;
} Rows;

static CdStatus keep(void *user, double t, const double *values) {
    Rows *r = user;
    r->t = t;
    r->n++;
    memcpy(r->values, values, 6 * sizeof *values);
    return CD_OK;
}

static CdModel *read(TestLog *log, const char *text) {
    CdModel *model;
    test_log_open(log);
    CHECK_OK(cdi_model_read_text(log->ctx, text, strlen(text), "x.json", &model));
    return model;
}

static void close(TestLog *log, CdModel *model) {
    cdi_model_free(model);
    CHECK_TEXT(log->text, "");
    test_log_close(log);
}

static void check_held(const CdModel *model, const char *method, double tol) {
    Rows rows = {0};
    CdRunSummary summary;
    const CdRunObserver observer = {.user = &rows, .row = keep};
    const CdRunOptions options = {.duration = 2, .step = 0.01, .method = (char *)method};
    CHECK_OK(cdi_simulate_run(model, &options, &observer, &summary));
    const double d = 0.6, w = sqrt(9 - d * d), t = rows.t;
    const double b = (-0.4 + d * 0.3) / w;
    const double x = exp(-d * t) * (0.3 * cos(w * t) + b * sin(w * t));
    const double v =
        exp(-d * t) * ((b * w - 0.3 * d) * cos(w * t) - (0.3 * w + b * d) * sin(w * t));
    CHECK_NEAR(t, 2, 1e-12);
    const bool place = CHECK_NEAR(rows.values[0], x, tol);
    if (!CHECK_NEAR(rows.values[3], v, tol) || !place) printf("  by %s\n", method);
}

TEST(a_closed_loop_follows_its_analytic_solution) {
    TestLog log;
    CdModel *model = read(&log, HELD);
    if (model) {
        check_held(model, "dopri5(rtol=1e-9, atol=1e-11)", 1e-9);
        check_held(model, "radau5(rtol=1e-9, atol=1e-11)", 1e-9);
        check_held(model, "gen-alpha", 2e-4);
    }
    close(&log, model);
}

// with a delay of one step: explicit in what it reads, so x follows a recurrence
#define DELAYED                                                                                  \
    MODEL("{\"class\": \"MassPoint1D\", \"name\": \"m\", \"mass\": 1, \"coordinate\": 1},"       \
          "{\"class\": \"CoordinateMarker\", \"name\": \"x\", \"body\": \"m\", \"coordinate\": " \
          "\"s\"},"                                                                              \
          "{\"class\": \"CoordinateLoad\", \"name\": \"f\", \"marker\": \"x\", \"force\": "      \
          "\"u\"},"                                                                              \
          "{\"class\": \"Sensor\", \"name\": \"place\", \"body\": \"m\"},"                       \
          "{\"class\": \"Sensor\", \"name\": \"acc\", \"body\": \"m\", \"quantity\": "           \
          "\"acceleration\"},"                                                                   \
          "{\"class\": \"ExpressionSensor\", \"name\": \"u\", \"value\": "                       \
          "\"-4*place.x + 0.5*acc.ax\", \"delay\": true, \"start\": 0.25, \"unit\": \"N\"}")

// x over n steps. During a step the force is constant, and is then formed anew; the first of the
// stages of rk4 is the acceleration at the end of the step before.
static double recurrence(int n, double h, bool reused) {
    double x = 1, v = 0, u = 0.25, first = u;
    for (int i = 0; i < n; i++) {
        x += h * v + h * h * (first + 2 * u) / 6;
        v += h * (first + 5 * u) / 6;
        first = reused ? u : 0;
        u = -4 * x + 0.5 * u;
        if (!reused) first = u;
    }
    return x;
}

static void check_delay(CdModel *model, const char *method, bool reused) {
    CdSimulation *sim;
    double x, u;
    CHECK_OK(cd_simulation_new(model, method, &sim));
    CHECK_OK(cd_simulation_start(sim));
    for (int i = 1; i <= 8; i++) {
        CHECK_OK(cd_simulation_step(sim, 100));
        CHECK_OK(cd_simulation_get(sim, "place.x", &x));
        CHECK_NEAR(cd_simulation_time(sim), 0.125 * i, 1e-14);
        CHECK_NEAR(x, recurrence(i, 0.125, reused), 1e-13);
    }
    // the channel shows the value of now
    double a;
    CHECK_OK(cd_simulation_get(sim, "u.value", &u));
    CHECK_OK(cd_simulation_get(sim, "acc.ax", &a));
    CHECK_BITS(u, -4 * x + 0.5 * a);
    // any time again, from the beginning
    CHECK_OK(cd_simulation_start(sim));
    CHECK_OK(cd_simulation_step(sim, 100));
    CHECK_OK(cd_simulation_get(sim, "place.x", &x));
    CHECK_NEAR(x, recurrence(1, 0.125, reused), 1e-13);
    cd_simulation_free(sim);
}

TEST(a_delay_is_one_step_long) {
    TestLog log;
    CdModel *model = read(&log, DELAYED);
    if (!model) return;
    // both exact for constant forces
    check_delay(model, "radau5(step=0.125, adaptive=false)", false);
    check_delay(model, "rk4(step=0.125, adaptive=false)", true);
    close(&log, model);
}

static void check_resume(CdModel *model, const char *method, const char *channel) {
    CdSimulation *one, *two;
    double a, b;
    CHECK_OK(cd_simulation_new(model, method, &one));
    CHECK_OK(cd_simulation_new(model, method, &two));
    CHECK_OK(cd_simulation_start(one));
    for (int i = 0; i < 20; i++) CHECK_OK(cd_simulation_step(one, 1e4));
    const size_t size = cd_simulation_save_size(one);
    CHECK(size > 0);
    char *bytes = malloc(size);
    CHECK_OK(cd_simulation_save(one, bytes, size));
    CHECK_OK(cd_simulation_load(two, bytes, size));
    for (int i = 0; i < 20; i++) {
        CHECK_OK(cd_simulation_step(one, 1e4));
        CHECK_OK(cd_simulation_step(two, 1e4));
        CHECK_OK(cd_simulation_get(one, channel, &a));
        CHECK_OK(cd_simulation_get(two, channel, &b));
        CHECK_BITS(a, b);
    }
    free(bytes);
    cd_simulation_free(one);
    cd_simulation_free(two);
}

TEST(a_saved_state_continues_bit_for_bit) {
    static const char *const methods[] = {"gen-alpha(step=0.01, adaptive=false)",
                                          "dopri5(max_step=0.05)", "radau5(max_step=0.05)"};
    static const char *const texts[] = {HELD, DELAYED};
    for (int k = 0; k < 2; k++) {
        TestLog log;
        CdModel *model = read(&log, texts[k]);
        for (int i = 0; model && i < 3; i++) check_resume(model, methods[i], "place.x");
        close(&log, model);
    }
}

// ---- parameters that change

// held by a force and by a computed sensor with a delay
#define GAINS(k, start)                                                                         \
    "{\"cardan\": 1, \"parameters\": {\"k\": " k ", \"start\": " start                          \
    "}, \"items\": [{\"class\": \"MassPoint1D\", \"name\": \"m\", \"mass\": 2, "                \
    "\"coordinate\": 0.3},{\"class\": \"CoordinateMarker\", \"name\": \"x\", \"body\": \"m\", " \
    "\"coordinate\": \"s\"},{\"class\": \"CoordinateLoad\", \"name\": \"f\", \"marker\": "      \
    "\"x\", \"force\": \"-k*place.x + u\"},{\"class\": \"Sensor\", \"name\": \"place\", "       \
    "\"body\": \"m\"},{\"class\": \"ExpressionSensor\", \"name\": \"u\", \"value\": "           \
    "\"-k*place.x/10\", \"delay\": true, \"start\": \"start\"}]}"

static double place_after(CdModel *model, double k, int steps) {
    CdSimulation *sim;
    double x = 0;
    CHECK_OK(cd_simulation_new(model, "rk4(step=0.01, adaptive=false)", &sim));
    if (k > 0) {
        CHECK_OK(cd_simulation_set(sim, "k", k));
        CHECK_OK(cd_simulation_set(sim, "start", 5));
    }
    CHECK_OK(cd_simulation_start(sim));
    for (int i = 0; i < steps; i++) CHECK_OK(cd_simulation_step(sim, 10));
    CHECK_OK(cd_simulation_get(sim, "place.x", &x));
    cd_simulation_free(sim);
    return x;
}

TEST(parameters_of_functions_that_read_sensors_may_be_set) {
    TestLog log, other_log;
    CdModel *model = read(&log, GAINS("9", "1")), *other = read(&other_log, GAINS("16", "5"));
    if (model && other) {
        CHECK(place_after(model, 0, 20) != place_after(other, 0, 20));
        CHECK_BITS(place_after(model, 16, 20), place_after(other, 0, 20));
    }
    close(&log, model);
    close(&other_log, other);
}

// ---- eigenvalues of the closed loop

#define EXAMPLE CD_SOURCE_DIR "/examples/mechanisms/inverted_pendulum.json"
#define NV 12 // cart and pole

// T^T A T for the motions of the cart along x, and of the pole about the pivot below its middle
static void reduce(const CdPattern *p, const double *A, double out[2][2]) {
    const double l = 0.5;
    double T[NV][2] = {{0}};
    T[0][0] = T[6][0] = T[11][1] = 1;
    T[6][1] = -l;
    memset(out, 0, 4 * sizeof(double));
    for (int j = 0; j < NV; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            for (int i = 0; i < 4; i++) {
                out[i / 2][i % 2] += T[p->row[k]][i / 2] * A[k] * T[j][i % 2];
            }
        }
    }
}

// det(M s^2 + C s + K), by powers of s
static void characteristic(double M[2][2], double C[2][2], double K[2][2], double out[5]) {
    memset(out, 0, 5 * sizeof *out);
    for (int sign = 1, j = 0; j < 2; j++, sign = -sign) {
        const double *one[] = {&K[0][j], &C[0][j], &M[0][j]};
        const double *two[] = {&K[1][1 - j], &C[1][1 - j], &M[1][1 - j]};
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) out[a + b] += sign * *one[a] * *two[b];
        }
    }
}

TEST(gains_place_the_eigenvalues) {
    static const double expected[] = {24, 50, 35, 10, 1};
    static double A[3][NV * NV];
    double small[3][2][2], c[5];
    TestLog log;
    CdModel *model;
    CdSimulation *sim;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    test_log_open(&log);
    CHECK_OK(cd_model_read(log.ctx, EXAMPLE, &model));
    CHECK_OK(cd_item_set_json(cd_model_find(model, "pivot"), "start", "[0]"));
    CHECK_OK(cd_simulation_new(model, "gen-alpha", &sim));
    CHECK_OK(cd_simulation_start(sim));
    CHECK_OK(cdi_system_new(model, &system));
    CHECK_OK(cdi_system_work_new(system, NULL, &work));
    cdi_system_problem(work, &problem);
    CHECK_INT(system->nv, NV);
    CHECK_OK(problem.derivatives(work, cd_simulation_now(sim), A[0], A[1], A[2]));
    for (int i = 0; i < 3; i++) reduce(system->pattern, A[i], small[i]);
    characteristic(small[0], small[1], small[2], c);
    for (int i = 0; i < 5; i++) CHECK_NEAR(c[i] / c[4], expected[i], 1e-11);
    cdi_system_work_free(work);
    cdi_system_free(system);
    cd_simulation_free(sim);
    close(&log, model);
}

// ---- threads

#define LINKS 24
#define MASSES 1000

// a chain whose springs look at the link above and at the end of the chain, beside masses that make
// it worth threads
static void write_chain(CdText *text) {
    cdi_text_add(text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\"},"
                       "{\"class\": \"ExpressionSensor\", \"name\": \"end\", \"value\": "
                       "\"s23.z + 0.1*sin(j3.angle)\"},{\"class\": \"JointSensor\", \"name\": "
                       "\"j3\", \"joint\": \"h3\"}");
    for (int i = 0; i < LINKS; i++) {
        char above[16] = "ground";
        if (i > 0) snprintf(above, sizeof above, "b%d", i - 1);
        cdi_text_addf(text,
                      ", {\"class\": \"RigidBody\", \"name\": \"b%d\", \"position\": [%g, 0, 0], "
                      "\"shape\": {\"class\": \"Cuboid\", \"size\": [0.1, 0.02, 0.03]}}",
                      i, 0.05 + 0.1 * i);
        cdi_text_addf(text,
                      ", {\"class\": \"RevoluteJoint\", \"name\": \"h%d\", \"body_a\": \"%s\", "
                      "\"body_b\": \"b%d\", \"at\": [%g, 0, 0], \"axis\": [0, 1, 0]}",
                      i, above, i, 0.1 * i);
        cdi_text_addf(text, ", {\"class\": \"Sensor\", \"name\": \"s%d\", \"body\": \"b%d\"}", i,
                      i);
        cdi_text_addf(text,
                      ", {\"class\": \"TorsionalSpringDamper\", \"name\": \"c%d\", \"body_a\": "
                      "\"%s\", \"body_b\": \"b%d\", \"at\": [%g, 0, 0], \"axis\": [0, 1, 0], "
                      "\"stiffness\": 0.3, \"damping\": 0.01, \"elastic\": \"x*s%d.z + 0.01*end\"}",
                      i, above, i, 0.1 * i, i > 0 ? i - 1 : 0);
    }
    write_masses(text, MASSES);
    cdi_text_add(text, "]}");
}

TEST(any_number_of_threads_gives_the_same_bits) {
    static const char *const methods[] = {"gen-alpha", "rk4 formulation=index1"};
    check_threads(write_chain, 5, 2, methods);
}

// ---- two runs of one system on two threads of control

typedef struct Pair {
    CdProblem problem[2];
    CdSystemWork *work[2];
    double q[2][3], v[2][3], f[2][3];
} Pair;

static void push(void *user, size_t begin, size_t end, int worker) {
    Pair *p = user;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        for (int i = 0; i < 20000; i++) {
            const CdPoint at = {.q = p->q[k], .v = p->v[k]};
            p->q[k][0] = 1 + (double)k + 1e-4 * i;
            p->problem[k].force(p->work[k], &at, p->f[k]);
        }
    }
}

TEST(two_runs_proceed_on_two_threads) {
    TestLog log;
    CdModel *model = read(&log, HELD);
    CdSystem *system;
    CdPool *pool;
    Pair p = {0};
    if (!model) return;
    CHECK_OK(cdi_system_new(model, &system));
    CHECK_OK(cd_pool_new(log.ctx, 2, &pool));
    for (int k = 0; k < 2; k++) {
        CHECK_OK(cdi_system_work_new(system, NULL, &p.work[k]));
        cdi_system_problem(p.work[k], &p.problem[k]);
    }
    cd_parallel_for(pool, 2, 1, push, &p);
    for (int k = 0; k < 2; k++) {
        CHECK_BITS(p.f[k][0], -2 * (9 * (1 + (double)k + 1e-4 * 19999) + 0));
        cdi_system_work_free(p.work[k]);
    }
    cd_pool_free(pool);
    cdi_system_free(system);
    close(&log, model);
}

int main(void) {
    RUN(a_closed_loop_follows_its_analytic_solution);
    RUN(a_delay_is_one_step_long);
    RUN(a_saved_state_continues_bit_for_bit);
    RUN(parameters_of_functions_that_read_sensors_may_be_set);
    RUN(gains_place_the_eigenvalues);
    RUN(any_number_of_threads_gives_the_same_bits);
    RUN(two_runs_proceed_on_two_threads);
    return test_end();
}
