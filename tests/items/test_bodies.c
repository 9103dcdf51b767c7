// test_bodies.c - every body of the registry: manifold, frame and its Jacobian, mass, gyroscopic
// forces, free motion; mass properties and their mistakes
#include <math.h>
#include <string.h>

#include "cardan/integrator.h"
#include "math/dense.h"
#include "system/sense.h"
#include "test.h"

#define MAX_TEXT 4096
#define MAX_Q (CD_BODY_NV_MAX + 1)
#define SAMPLES 5
#define STEP 1e-5

// bodies that examples do not show: mass and inertia about another point and other axes
static const char *const general[] = {
    "{\"class\": \"RigidBody\", \"name\": \"general\", \"position\": [1, 2, 3], \"orientation\": "
    "[0.5, 0.5, -0.5, 0.5], \"velocity\": [1, -1, 2], \"angular_velocity\": [3, 1, -2], \"mass\": "
    "2, \"com\": [0.1, -0.2, 0.3], \"inertia\": [[3, 0.1, 0.2], [0.1, 4, -0.3], [0.2, -0.3, 5]], "
    "\"inertia_at\": [0.5, 0.5, 0], \"inertia_axes\": [0.6, 0, 0.8, 0]}",
    "{\"class\": \"RigidBody2D\", \"name\": \"general\", \"position\": [1, 2, 3], \"angle\": "
    "\"400 deg\", \"velocity\": [1, -1, 0], \"angular_velocity\": 3, \"mass\": 2, \"com\": "
    "[0.1, -0.2, 0.3], \"inertia\": 3, \"inertia_at\": [0.5, 0.5, 0]}",
    "{\"class\": \"MassPoint1D\", \"name\": \"general\", \"position\": [1, 2, 3], \"axis\": "
    "[1, 2, 2], \"coordinate\": 2, \"velocity\": -3, \"mass\": 2}",
    "{\"class\": \"Rotor\", \"name\": \"general\", \"position\": [1, 2, 3], \"axis\": "
    "[1, 2, 2], \"angle\": 20, \"angular_velocity\": -3, \"inertia\": 2}",
};
enum { NGENERAL = sizeof general / sizeof *general };

// ---- a model with one body

typedef struct Bench {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    const CdBodyLaw *law;
    const void *p;
    const char *name;
    double q[MAX_Q], v[CD_BODY_NV_MAX];
} Bench;

static bool bench_open(Bench *b, const char *body) {
    char text[MAX_TEXT];
    *b = (Bench){0};
    test_log_open(&b->log);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s]}", body);
    if (!CHECK_OK(cdi_model_read_text(b->log.ctx, text, strlen(text), "x", &b->model))) {
        printf("%s", b->log.text);
        return false;
    }
    CHECK_OK(cdi_system_new(b->model, &b->system));
    CHECK_OK(cdi_system_work_new(b->system, NULL, &b->work));
    cdi_system_problem(b->work, &b->problem);
    const CdItem *item = b->model->of[CD_BODY].v[1];
    b->law = item->cls->body;
    b->p = item->data;
    b->name = item->cls->desc.name;
    cdi_system_start(b->system, b->q, b->v);
    return true;
}

static void bench_close(Bench *b) {
    cdi_system_work_free(b->work);
    cdi_system_free(b->system);
    cdi_model_free(b->model);
    CHECK_TEXT(b->log.text, "");
    test_log_close(&b->log);
}

typedef void Check(Bench *b, TestRandom *r);

static void check_body(const char *body, Check *check) {
    Bench b;
    TestRandom r = {5};
    if (bench_open(&b, body)) {
        for (int i = 0; i < SAMPLES; i++) check(&b, &r);
    }
    bench_close(&b);
}

static void check_all(Check *check) {
    int n = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if (!(*cls)->body || (*cls)->body->nv == 0) continue;
        check_body((*cls)->desc.example, check);
        n++;
    }
    CHECK(n >= 6);
    for (int i = 0; i < NGENERAL; i++) check_body(general[i], check);
}

static void random_numbers(TestRandom *r, int n, double *x) {
    for (int i = 0; i < n; i++) x[i] = test_random(r, -1, 1);
}

static void near_all(const Bench *b, const char *what, int n, const double *got,
                     const double *expected, double tol) {
    double worst = 0;
    for (int i = 0; i < n; i++) {
        const double e = fabs(got[i] - expected[i]) / (1 + fabs(expected[i]));
        worst = !(e <= worst) ? e : worst;
    }
    if (!CHECK_NEAR(worst, 0, tol)) printf("  %s of %s\n", what, b->name);
}

// ---- manifold

// q moved by s d
static void retract(const Bench *b, const double *q, double s, const double *d, double *out) {
    double step[CD_BODY_NV_MAX];
    for (int i = 0; i < b->law->nv; i++) step[i] = s * d[i];
    if (b->law->retract) {
        b->law->retract(1, q, step, out);
    } else {
        for (int i = 0; i < b->law->nv; i++) out[i] = q[i] + step[i];
    }
}

static void random_state(const Bench *b, TestRandom *r, double *q, double *v) {
    double d[CD_BODY_NV_MAX];
    random_numbers(r, b->law->nv, d);
    retract(b, b->q, 2, d, q);
    random_numbers(r, b->law->nv, v);
}

static void manifold(Bench *b, TestRandom *r) {
    const CdBodyLaw *law = b->law;
    double q[MAX_Q], v[CD_BODY_NV_MAX], d[CD_BODY_NV_MAX], moved[2][MAX_Q], qdot[MAX_Q],
        rate[MAX_Q];
    CHECK(!law->retract == !law->difference && !law->retract == !law->kinematics);
    CHECK(law->retract || law->nq == law->nv);
    if (!law->retract) return;
    random_state(b, r, q, v);
    retract(b, q, 1, v, moved[0]);
    law->difference(1, moved[0], q, d);
    near_all(b, "difference(retract)", law->nv, d, v, 1e-13);
    retract(b, q, -STEP, v, moved[0]);
    retract(b, q, STEP, v, moved[1]);
    for (int i = 0; i < law->nq; i++) rate[i] = (moved[1][i] - moved[0][i]) / (2 * STEP);
    law->kinematics(1, q, v, qdot);
    near_all(b, "kinematics", law->nq, qdot, rate, 1e-9);
    law->tangent(1, q, qdot, d);
    near_all(b, "tangent(kinematics)", law->nv, d, v, 1e-13);
    // the end of a long increment moves with it by dexp_r of its rotation
    double e[CD_BODY_NV_MAX], sum[CD_BODY_NV_MAX], expected[CD_BODY_NV_MAX];
    random_numbers(r, law->nv, e);
    for (int i = 0; i < law->nv; i++) {
        sum[i] = v[i] + STEP * e[i];
        expected[i] = STEP * e[i];
    }
    so3_dexp_r_v(v + law->rotation, e + law->rotation, expected + law->rotation);
    for (int i = 0; i < 3; i++) expected[law->rotation + i] *= STEP;
    retract(b, q, 1, v, moved[0]);
    retract(b, q, 1, sum, moved[1]);
    law->difference(1, moved[1], moved[0], d);
    near_all(b, "tangent operator", law->nv, d, expected, 10 * STEP * STEP);
    // what is on the manifold stays, what has left it comes back
    memcpy(rate, q, sizeof rate);
    law->normalise(1, rate);
    near_all(b, "normalise", law->nq, rate, q, 1e-15);
    if (law->nq != 7) return;
    for (int i = 3; i < 7; i++) rate[i] *= 1.5;
    law->normalise(1, rate);
    near_all(b, "normalise", law->nq, rate, q, 1e-15);
}

TEST(increments_of_coordinates_are_consistent) {
    check_all(manifold);
}

// ---- frame

static void jacobian(Bench *b, TestRandom *r) {
    const int nv = b->law->nv;
    double q[MAX_Q], v[CD_BODY_NV_MAX], J[6 * CD_BODY_NV_MAX], D[6 * CD_BODY_NV_MAX];
    CdFrame f;
    random_state(b, r, q, v);
    b->law->jacobian(b->p, J);
    b->law->frame(b->p, q, &f);
    for (int j = 0; j < nv; j++) {
        double e[CD_BODY_NV_MAX] = {0}, moved[MAX_Q], E[9], turn[2][3];
        CdFrame g[2];
        e[j] = 1;
        for (int side = 0; side < 2; side++) {
            retract(b, q, side == 0 ? -STEP : STEP, e, moved);
            b->law->frame(b->p, moved, &g[side]);
            tmul33(f.R, g[side].R, E);
            so3_log(E, turn[side]);
        }
        for (int i = 0; i < 3; i++) {
            D[i * nv + j] = (g[1].p[i] - g[0].p[i]) / (2 * STEP);
            D[(3 + i) * nv + j] = (turn[1][i] - turn[0][i]) / (2 * STEP);
        }
    }
    near_all(b, "jacobian", 6 * nv, J, D, 1e-8);
}

TEST(the_frame_moves_as_its_jacobian_says) {
    check_all(jacobian);
}

// the user's frame at the start, and the velocity of its origin by differences
static void start_of(Bench *b, CdFrame *user, double velocity[3]) {
    CdFrame side[2];
    for (int k = 0; k < 3; k++) {
        double q[MAX_Q];
        retract(b, b->q, k == 0 ? 0 : k == 1 ? -STEP : STEP, b->v, q);
        cdi_system_place(b->work, q, b->v);
        cdi_sense_body(b->work, 1, k == 0 ? user : &side[k - 1]);
    }
    for (int i = 0; i < 3; i++) velocity[i] = (side[1].p[i] - side[0].p[i]) / (2 * STEP);
}

TEST(fields_speak_of_the_body_frame) {
    Bench b;
    CdFrame f;
    double v[3], R[9], w[3];
    bench_open(&b, general[0]);
    start_of(&b, &f, v);
    quat_to_mat((double[]){0.5, 0.5, -0.5, 0.5}, R);
    near_all(&b, "position", 3, f.p, (double[]){1, 2, 3}, 1e-15);
    near_all(&b, "orientation", 9, f.R, R, 1e-15);
    near_all(&b, "velocity", 3, v, (double[]){1, -1, 2}, 1e-9);
    mul3v(f.R, b.v + 3, w);
    near_all(&b, "angular velocity", 3, w, (double[]){3, 1, -2}, 1e-15);
    bench_close(&b);
    bench_open(&b, general[1]);
    start_of(&b, &f, v);
    rot_z(2 * acos(-1) / 9, R);
    near_all(&b, "position", 3, f.p, (double[]){1, 2, 3}, 1e-15);
    near_all(&b, "angle", 9, f.R, R, 1e-14);
    near_all(&b, "velocity", 3, v, (double[]){1, -1, 0}, 1e-9);
    bench_close(&b);
    bench_open(&b, general[2]);
    start_of(&b, &f, v);
    near_all(&b, "position", 3, f.p, (double[]){1 + 2. / 3, 2 + 4. / 3, 3 + 4. / 3}, 1e-15);
    near_all(&b, "velocity", 3, v, (double[]){-1, -2, -2}, 1e-9);
    bench_close(&b);
}

// ---- mass and gyroscopic forces

static void mass(Bench *b, TestRandom *r) {
    const int nv = b->law->nv;
    double M[CD_BODY_NV_MAX * CD_BODY_NV_MAX], T[CD_BODY_NV_MAX * CD_BODY_NV_MAX];
    int bad;
    (void)r;
    b->law->mass(b->p, M);
    for (int k = 0; k < nv * nv; k++) T[k] = M[k % nv * nv + k / nv];
    near_all(b, "symmetry of mass", nv * nv, M, T, 1e-15);
    if (!CHECK_OK(cdi_chol_factor(nv, M, nv, &bad))) printf("  of %s\n", b->name);
    CHECK(b->law->weight(b->p) >= 0);
}

TEST(mass_is_symmetric_and_positive) {
    check_all(mass);
}

static void gyro(Bench *b, TestRandom *r) {
    const int nv = b->law->nv;
    double v[CD_BODY_NV_MAX], f[CD_BODY_NV_MAX], side[2][CD_BODY_NV_MAX], power = 0;
    double J[CD_BODY_NV_MAX * CD_BODY_NV_MAX], D[CD_BODY_NV_MAX * CD_BODY_NV_MAX];
    CHECK(!b->law->gyro == !b->law->gyro_jac);
    if (!b->law->gyro) return;
    random_numbers(r, nv, v);
    b->law->gyro_jac(b->p, v, f, J);
    b->law->gyro(b->p, v, side[0]);
    near_all(b, "gyro", nv, f, side[0], 1e-15);
    for (int i = 0; i < nv; i++) power += f[i] * v[i];
    CHECK_NEAR(power, 0, 1e-14);
    for (int j = 0; j < nv; j++) {
        double moved[CD_BODY_NV_MAX];
        for (int k = 0; k < 2; k++) {
            memcpy(moved, v, sizeof moved);
            moved[j] += k == 0 ? -STEP : STEP;
            b->law->gyro(b->p, moved, side[k]);
        }
        for (int i = 0; i < nv; i++) D[i * nv + j] = (side[1][i] - side[0][i]) / (2 * STEP);
    }
    near_all(b, "gyro_jac", nv * nv, J, D, 1e-9);
}

TEST(gyroscopic_forces_do_no_work_and_have_their_derivative) {
    check_all(gyro);
}

// ---- free motion

static void run(Bench *b, const char *method, const double *q, const double *v, double t,
                CdSensorInput *end, double *q_end) {
    CdIntegrator *it;
    CHECK_OK(cd_integrator_new(b->log.ctx, &b->problem, method, &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = (double *)q, .v = (double *)v}));
    CHECK_OK(cd_integrator_run(it, t, NULL));
    const CdPoint *at = cd_integrator_now(it);
    cdi_system_place(b->work, at->q, at->v);
    cdi_sense_system(b->work, at, end);
    memcpy(q_end, at->q, (size_t)b->law->nq * sizeof *q_end);
    cd_integrator_free(it);
}

static void free_motion(Bench *b, TestRandom *r) {
    double q[MAX_Q], v[CD_BODY_NV_MAX], q_end[MAX_Q], vdot[CD_BODY_NV_MAX] = {0};
    CdSensorInput begin, end;
    random_state(b, r, q, v);
    cdi_system_place(b->work, q, v);
    cdi_sense_system(b->work, &(CdPoint){.q = q, .v = v, .vdot = vdot}, &begin);
    run(b, "dopri5(rtol=1e-10, atol=1e-10)", q, v, 2, &end, q_end);
    near_all(b, "energy", 1, end.energy, begin.energy, 1e-8);
    // points on lines and rotors are led by forces that are no part of the model
    near_all(b, "linear momentum", 3, end.momentum, begin.momentum, 1e-9);
    if (b->law->nv > 1)
        near_all(b, "angular momentum", 3, end.momentum + 3, begin.momentum + 3, 1e-8);
}

TEST(a_free_body_keeps_energy_and_momentum) {
    check_all(free_motion);
}

// the same motion, seen from a turned and shifted world
TEST(a_free_motion_is_the_same_in_a_moved_world) {
    const double turn[] = {0.36, 0.48, 0, 0.8}, shift[] = {3, -1, 2};
    Bench b;
    CdSensorInput end;
    TestRandom r = {9};
    double q[7], v[6], q2[7], v2[6], end1[7], end2[7], moved[7], R[9], d[3];
    bench_open(&b, general[0]);
    random_state(&b, &r, q, v);
    quat_to_mat(turn, R);
    mul3v(R, q, d);
    add3(d, shift, q2);
    quat_mul(turn, q + 3, q2 + 3);
    memcpy(v2, v, sizeof v2);
    mul3v(R, v, v2);
    run(&b, "rk4(step=0.001)", q, v, 1, &end, end1);
    run(&b, "rk4(step=0.001)", q2, v2, 1, &end, end2);
    mul3v(R, end1, d);
    add3(d, shift, moved);
    quat_mul(turn, end1 + 3, moved + 3);
    near_all(&b, "moved motion", 7, end2, moved, 1e-12);
    bench_close(&b);
}

// ---- mass properties

static void read_mass(const char *body, int n, double *M) {
    Bench b;
    if (bench_open(&b, body)) {
        CHECK_INT(b.law->nv, n);
        b.law->mass(b.p, M);
    }
    bench_close(&b);
}

// a cuboid of 2 x 4 x 6 m and 48 kg: J = (208, 160, 80)
TEST(inertia_may_be_about_any_point_and_axes) {
    double M[36];
    read_mass("{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 48, \"com\": [1, 2, 3], "
              "\"inertia\": [[832, -96, -144], [-96, 640, -288], [-144, -288, 320]], "
              "\"inertia_at\": [0, 0, 0]}",
              6, M);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(M[7 * i], 48, 0);
        for (int j = 0; j < 3; j++) {
            const double J[] = {208, 160, 80};
            CHECK_NEAR(M[6 * (3 + i) + 3 + j], i == j ? J[i] : 0, 1e-12);
        }
    }
    // x of the inertia's axes is y of the body
    read_mass("{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 48, \"inertia\": "
              "[[208, 0, 0], [0, 160, 0], [0, 0, 80]], \"inertia_axes\": "
              "[0.7071067811865476, 0, 0, 0.7071067811865476]}",
              6, M);
    CHECK_NEAR(M[21], 160, 1e-12);
    CHECK_NEAR(M[28], 208, 1e-12);
    CHECK_NEAR(M[35], 80, 1e-12);
    read_mass("{\"class\": \"RigidBody2D\", \"name\": \"b\", \"mass\": 48, \"com\": [1, 2, 3], "
              "\"inertia\": 320, \"inertia_at\": [0, 0, 7]}",
              3, M);
    CHECK_NEAR(M[8], 80, 1e-12);
}

TEST(a_shape_may_be_given_mass_and_centre) {
    double M[36];
    CdFrame f;
    Bench b;
    read_mass("{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 48, \"shape\": {\"class\": "
              "\"Cuboid\", \"size\": [2, 4, 6]}}",
              6, M);
    CHECK_NEAR(M[0], 48, 0);
    CHECK_NEAR(M[21], 208, 1e-12);
    read_mass("{\"class\": \"RigidBody2D\", \"name\": \"b\", \"shape\": {\"class\": "
              "\"Cuboid\", \"size\": [2, 4, 6], \"density\": 1}}",
              3, M);
    CHECK_NEAR(M[0], 48, 0);
    CHECK_NEAR(M[8], 80, 1e-12);
    // the shape brings its own centre of mass, unless one is given
    bench_open(&b, "{\"class\": \"RigidBody\", \"name\": \"b\", \"shape\": {\"class\": \"Cone\", "
                   "\"radius\": 1, \"height\": 2}}");
    b.law->user_frame(b.p, &f);
    CHECK_NEAR(f.p[2], -0.5, 1e-15);
    bench_close(&b);
    bench_open(&b, "{\"class\": \"RigidBody2D\", \"name\": \"b\", \"com\": [1, 0, 0], \"shape\": "
                   "{\"class\": \"Rod\", \"end\": [1, 0, 0], \"radius\": 0.1}}");
    b.law->user_frame(b.p, &f);
    CHECK_NEAR(f.p[0], -1, 1e-15);
    bench_close(&b);
}

static void refuse(const char *fields, const char *message) {
    char text[MAX_TEXT];
    TestLog log;
    CdModel *model;
    test_log_open(&log);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [\n{%s}]}", fields);
    CHECK_INT(cdi_model_read_text(log.ctx, text, strlen(text), "m", &model), CD_INVALID);
    CHECK_TEXT(log.text, message);
    cdi_model_free(model);
    test_log_close(&log);
}

#define RIGID "\"class\": \"RigidBody\", \"name\": \"b\""
#define RIGID2 "\"class\": \"RigidBody2D\", \"name\": \"b\""

TEST(mistakes_of_mass_are_told_all_at_once) {
    refuse(RIGID, "m:2:1: RigidBody 'b': field 'mass': is missing; give it, or a shape with its "
                  "density\n"
                  "m:2:1: RigidBody 'b': field 'inertia': is missing; give it, or a shape\n");
    refuse(RIGID ", \"mass\": 0, \"inertia\": [[1, 2, 3], [0, 1, 0], [3, 0, 1]], \"inertia_at\": "
                 "[0, 0, 0]",
           "m:2:45: RigidBody 'b': field 'mass': must be above 0 kg, not 0\n"
           "m:2:59: RigidBody 'b': field 'inertia': must be symmetric; xy is 2 and yx is 0\n");
    refuse(RIGID ", \"mass\": -1", "m:2:45: RigidBody 'b': field 'mass': must be at least 0 kg, "
                                   "not -1\n");
    refuse(RIGID ", \"shape\": {\"class\": \"Sphere\", \"radius\": 1}, \"inertia\": [[1, 0, 0], "
                 "[0, 1, 0], [0, 0, 1]]",
           "m:2:91: RigidBody 'b': field 'inertia': is given without mass; give both, or none\n");
    refuse(RIGID ", \"shape\": {\"class\": \"Sphere\", \"radius\": 1}, \"inertia_at\": [1, 0, 0], "
                 "\"inertia_axes\": [1, 0, 0, 0]",
           "m:2:94: RigidBody 'b': field 'inertia_at': is given without inertia; leave it out\n"
           "m:2:121: RigidBody 'b': field 'inertia_axes': is given without inertia; leave it "
           "out\n");
}

TEST(inertia_that_no_body_has_is_refused) {
    refuse(RIGID ", \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 3]]",
           "m:2:59: RigidBody 'b': field 'inertia': no body has it: of its principal moments about "
           "the centre of mass, 1, 1 and 3 kg m^2, the largest exceeds the sum of the others\n");
    refuse(RIGID ", \"mass\": 1, \"inertia\": [[1, 2, 0], [2, 1, 0], [0, 0, 3]]",
           "m:2:59: RigidBody 'b': field 'inertia': must be positive about every axis through the "
           "centre of mass; its principal moments there are -1, 3 and 3 kg m^2\n");
    refuse(RIGID ", \"mass\": 1, \"inertia\": [[0, 0, 0], [0, 1, 0], [0, 0, 1]]",
           "m:2:59: RigidBody 'b': field 'inertia': must be positive about every axis through the "
           "centre of mass; its principal moments there are 0, 1 and 1 kg m^2\n");
    // about the origin it is fine, about the centre of mass it is not
    refuse(RIGID ", \"mass\": 4, \"com\": [1, 0, 0], \"inertia_at\": [0, 0, 0], \"inertia\": "
                 "[[1, 0, 0], [0, 3, 0], [0, 0, 3]]",
           "m:2:102: RigidBody 'b': field 'inertia': must be positive about every axis through the "
           "centre of mass; its principal moments there are -1, -1 and 1 kg m^2\n");
    refuse(RIGID2 ", \"mass\": 1, \"inertia\": 1, \"inertia_at\": [2, 0, 0]",
           "m:2:61: RigidBody2D 'b': field 'inertia': must be above 0 kg*m^2 about the centre of "
           "mass, not -3\n");
}

TEST(mistakes_of_simple_bodies_are_told) {
    refuse(RIGID2 ", \"velocity\": [0, 0, 1]",
           "m:2:1: RigidBody2D 'b': field 'mass': is missing; give it, or a shape with its "
           "density\n"
           "m:2:1: RigidBody2D 'b': field 'inertia': is missing; give it, or a shape\n"
           "m:2:51: RigidBody2D 'b': field 'velocity': must lie in the plane x, y; its z is 1, not "
           "0\n");
    refuse("\"class\": \"MassPoint2D\", \"name\": \"b\", \"mass\": 1, \"velocity\": [0, 0, 1]",
           "m:2:62: MassPoint2D 'b': field 'velocity': must lie in the plane x, y; its z is 1, not "
           "0\n");
    refuse("\"class\": \"MassPoint1D\", \"name\": \"b\", \"mass\": 0, \"axis\": [0, 0, 0]",
           "m:2:47: MassPoint1D 'b': field 'mass': must be above 0 kg, not 0\n"
           "m:2:58: MassPoint1D 'b': field 'axis': must not be zero; give a direction such as "
           "[0, 0, 1]\n");
    refuse("\"class\": \"MassPoint3D\", \"name\": \"b\"",
           "m:2:1: MassPoint3D 'b': field 'mass': is missing; give a number, an expression of "
           "parameters, or text with a unit: mass\n");
    refuse("\"class\": \"Rotor\", \"name\": \"b\", \"inertia\": -1",
           "m:2:44: Rotor 'b': field 'inertia': must be above 0 kg*m^2, not -1\n");
}

int main(void) {
    RUN(increments_of_coordinates_are_consistent);
    RUN(the_frame_moves_as_its_jacobian_says);
    RUN(fields_speak_of_the_body_frame);
    RUN(mass_is_symmetric_and_positive);
    RUN(gyroscopic_forces_do_no_work_and_have_their_derivative);
    RUN(a_free_body_keeps_energy_and_momentum);
    RUN(a_free_motion_is_the_same_in_a_moved_world);
    RUN(inertia_may_be_about_any_point_and_axes);
    RUN(a_shape_may_be_given_mass_and_centre);
    RUN(mistakes_of_mass_are_told_all_at_once);
    RUN(inertia_that_no_body_has_is_refused);
    RUN(mistakes_of_simple_bodies_are_told);
    return test_end();
}
