// test_forces.c - connectors and loads in assembled models: derivatives, frequencies, decay,
// targets, turns, couplings of coordinates
#include "problem/problem.h"
#include "rig.h"

// two free bodies of 2 and 3 kg, J = 2 and 3 about every axis, d apart along z
#define TWO_BODIES(d)                                                                         \
    "{\"class\": \"RigidBody\", \"name\": \"one\", \"mass\": 2, \"inertia\": [[2, 0, 0], "    \
    "[0, 2, 0], [0, 0, 2]]},"                                                                 \
    "{\"class\": \"RigidBody\", \"name\": \"two\", \"mass\": 3, \"position\": [0, 0, " d      \
    "], \"inertia\": [[3, 0, 0], [0, 3, 0], [0, 0, 3]]},"                                     \
    "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"one\"},"                            \
    "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"two\"},"                            \
    "{\"class\": \"CoordinateMarker\", \"name\": \"za\", \"body\": \"one\", \"coordinate\": " \
    "\"z\"},"                                                                                 \
    "{\"class\": \"CoordinateMarker\", \"name\": \"zb\", \"body\": \"two\", \"coordinate\": " \
    "\"z\"},"                                                                                 \
    "{\"class\": \"Sensor\", \"name\": \"pa\", \"marker\": \"a\"},"                           \
    "{\"class\": \"Sensor\", \"name\": \"pb\", \"marker\": \"b\"},"                           \
    "{\"class\": \"Sensor\", \"name\": \"ra\", \"marker\": \"a\", \"quantity\": \"angles\"}," \
    "{\"class\": \"Sensor\", \"name\": \"rb\", \"marker\": \"b\", \"quantity\": \"angles\"}," \
    "{\"class\": \"SystemSensor\", \"name\": \"E\"},"
#define MARKERS "\"marker_a\": \"a\", \"marker_b\": \"b\", "

// ---- oscillators: 1/m = 1/2 + 1/3, so that k = 30 and m = 1.2 give omega = 5

static void check_oscillator(const char *connector, double damping) {
    char items[MAX_TEXT];
    Rig r;
    snprintf(items, sizeof items, "%s%s", TWO_BODIES("1.1"), connector);
    if (!rig_read(&r, items, NULL, 0)) return;
    if (!rig_start(&r, "rk4(step=0.002)")) return;
    const double decay = damping / 2.4, omega = sqrt(25 - decay * decay);
    rig_sample(&r, 0);
    const double energy = value(&r, "E.total");
    CHECK_NEAR(energy, 30 * 0.1 * 0.1 / 2, 1e-12);
    for (int i = 1; i <= 20; i++) {
        const double t = 0.1 * i;
        rig_sample(&r, t);
        const double x = value(&r, "pb.z") - value(&r, "pa.z") - 1;
        const double expected =
            0.1 * exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t));
        if (!CHECK_NEAR(x, expected, 1e-9)) printf("  of %s\n", connector);
        if (damping == 0) CHECK_NEAR(value(&r, "E.total"), energy, 1e-9);
    }
    rig_close(&r);
}

#define SPRING(cls, rest) "{\"class\": \"" cls "\", \"name\": \"s\", " MARKERS rest "}"

TEST(springs_oscillate_at_their_frequency) {
    check_oscillator(SPRING("SpringDamper", "\"length\": 1, \"stiffness\": 30"), 0);
    check_oscillator(SPRING("SpringDamper", "\"length\": 1, \"elastic\": \"30*x\""), 0);
    check_oscillator(
        SPRING("CartesianSpringDamper", "\"offset\": [0, 0, 1], \"stiffness\": [10, 20, 30]"), 0);
    check_oscillator("{\"class\": \"CoordinateSpringDamper\", \"name\": \"s\", \"marker_a\": "
                     "\"za\", \"marker_b\": \"zb\", \"length\": 1, \"stiffness\": 30}",
                     0);
    check_oscillator("{\"class\": \"Marker\", \"name\": \"c\", \"body\": \"one\", \"position\": "
                     "[0, 0, 1]},"
                     "{\"class\": \"Bushing\", \"name\": \"s\", \"marker_a\": \"c\", \"marker_b\": "
                     "\"b\", \"stiffness\": [10, 20, 20], \"elastic_z\": \"10*x\"}",
                     0);
}

TEST(dampers_let_it_decay) {
    check_oscillator(SPRING("SpringDamper", "\"length\": 1, \"stiffness\": 30, \"damping\": 1.5"),
                     1.5);
    check_oscillator(
        SPRING("SpringDamper", "\"length\": 1, \"stiffness\": 30, \"viscous\": \"1.5*v\""), 1.5);
    check_oscillator(SPRING("CartesianSpringDamper",
                            "\"offset\": [0, 0, 1], \"stiffness\": [0, 0, 30], \"damping\": "
                            "[0, 0, 1], \"viscous_z\": \"v\""),
                     2);
    check_oscillator("{\"class\": \"CoordinateSpringDamper\", \"name\": \"s\", \"marker_a\": "
                     "\"za\", \"marker_b\": \"zb\", \"length\": 1, \"stiffness\": 30, "
                     "\"damping\": 2}",
                     2);
    check_oscillator("{\"class\": \"Marker\", \"name\": \"c\", \"body\": \"one\", \"position\": "
                     "[0, 0, 1]},"
                     "{\"class\": \"Bushing\", \"name\": \"s\", \"marker_a\": \"c\", \"marker_b\": "
                     "\"b\", \"stiffness\": [0, 0, 30], \"damping\": [0, 0, 0.5], \"viscous_z\": "
                     "\"1.5*v\"}",
                     2);
}

// marker d is turned by 0.1 about z
#define TURNED                                                                      \
    "{\"class\": \"Marker\", \"name\": \"d\", \"body\": \"two\", \"orientation\": " \
    "[0.99875026039496625, 0, 0, 0.049979169270678331]},"

TEST(torsional_springs_oscillate_at_their_frequency) {
    // the angles of the bodies begin at 0, those of the springs at 0.1
    const char *springs[] = {
        TURNED "{\"class\": \"TorsionalSpringDamper\", \"name\": \"s\", \"marker_a\": \"a\", "
               "\"marker_b\": \"d\", \"stiffness\": 10, \"elastic\": \"20*x\"},"
               "{\"class\": \"ConnectorSensor\", \"name\": \"o\", \"connector\": \"s\"}",
        TURNED "{\"class\": \"Bushing\", \"name\": \"s\", \"marker_a\": \"a\", \"marker_b\": "
               "\"d\", \"angular_stiffness\": [5, 7, 30]},"
               "{\"class\": \"ConnectorSensor\", \"name\": \"o\", \"connector\": \"s\"}",
    };
    for (int k = 0; k < 2; k++) {
        char items[MAX_TEXT];
        Rig r;
        snprintf(items, sizeof items, "%s%s", TWO_BODIES("0"), springs[k]);
        if (!rig_read(&r, items, NULL, 0)) return;
        if (!rig_start(&r, "rk4(step=0.002)")) return;
        for (int i = 0; i <= 20; i++) {
            rig_sample(&r, 0.1 * i);
            const double x = value(&r, k == 0 ? "o.angle" : "o.rz");
            CHECK_NEAR(x, 0.1 * cos(0.5 * i), 1e-9);
            CHECK_NEAR(value(&r, "rb.rz") - value(&r, "ra.rz") + 0.1, x, 1e-12);
            CHECK_NEAR(value(&r, "E.total"), 0.15, 1e-9);
        }
        rig_close(&r);
    }
}

// ---- turns

#define WHEEL(w)                                                                             \
    "{\"class\": \"RigidBody\", \"name\": \"wheel\", \"mass\": 1, \"inertia\": [[1, 0, 0], " \
    "[0, 1, 0], [0, 0, 1]], \"angular_velocity\": [0, 0, " w "]},"                           \
    "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": \"wheel\"},"                \
    "{\"class\": \"JointSensor\", \"name\": \"hinge\", \"joint\": \"j\"},"

// phi = 20 sin t: more than three turns there and back, over every branch of the angle
TEST(a_torsional_spring_winds_up_over_several_turns) {
    const char *methods[] = {"rk4(step=0.002)", "radau5(rtol=1e-9, atol=1e-9)",
                             "gen-alpha(rtol=1e-8, atol=1e-8)"};
    const double tolerance[] = {1e-6, 1e-6, 2e-4};
    for (int k = 0; k < 3; k++) {
        Rig r;
        if (!rig_read(&r,
                      WHEEL("20") "{\"class\": \"TorsionalSpringDamper\", \"name\": \"s\", "
                                  "\"body_b\": \"wheel\", \"stiffness\": 1},"
                                  "{\"class\": \"ConnectorSensor\", \"name\": \"o\", "
                                  "\"connector\": \"s\"},"
                                  "{\"class\": \"SystemSensor\", \"name\": \"E\"}",
                      NULL, 0) ||
            !rig_start(&r, methods[k])) {
            return;
        }
        for (int i = 0; i <= 35; i++) {
            rig_sample(&r, 0.2 * i);
            CHECK_NEAR(value(&r, "hinge.angle"), 20 * sin(0.2 * i), tolerance[k]);
            CHECK_NEAR(value(&r, "o.angle"), 20 * sin(0.2 * i), tolerance[k]);
            CHECK_NEAR(value(&r, "E.total"), 200, 20 * tolerance[k]);
        }
        rig_close(&r);
    }
}

// what is saved in the middle of the third turn goes on from there
TEST(history_is_saved_with_the_state) {
    Rig r;
    char memory[4096];
    if (!rig_read(&r,
                  WHEEL("20") "{\"class\": \"TorsionalSpringDamper\", \"name\": \"s\", "
                              "\"body_b\": \"wheel\", \"stiffness\": 1}",
                  NULL, 0) ||
        !rig_start(&r, "rk4(step=0.01)")) {
        return;
    }
    const size_t size = cd_integrator_save_size(r.it);
    CHECK(size > 0 && size <= sizeof memory);
    rig_sample(&r, 1.5);
    CHECK_OK(cd_integrator_save(r.it, memory, size));
    rig_sample(&r, 5);
    const double there = cd_integrator_now(r.it)->v[5];
    CHECK_OK(cd_integrator_load(r.it, memory, size));
    CHECK_NEAR(r.work->memory[0], 20 * sin(1.5), 1e-4);
    rig_sample(&r, 5);
    CHECK_BITS(cd_integrator_now(r.it)->v[5], there);
    rig_close(&r);
}

// ---- actuators

TEST(a_torsional_actuator_reaches_its_target) {
    // the control as numbers, as functions, as both
    static const char *const controls[] = {
        "\"gain\": 25, \"rate_gain\": 10",
        "\"elastic\": \"25*x\", \"viscous\": \"10*v\"",
        ("\"gain\": 20, \"elastic\": {\"class\": \"Table\", \"points\": [[-99, -495], [99, "
         "495]]}, \"rate_gain\": 8, \"viscous\": \"2*v\""),
    };
    for (int k = 0; k < 3; k++) {
        char items[MAX_TEXT];
        Rig r;
        snprintf(items, sizeof items,
                 WHEEL("0") "{\"class\": \"TorsionalActuator\", \"name\": \"m\", "
                            "\"body_b\": \"wheel\", %s, \"target\": 15}",
                 controls[k]);
        if (!rig_read(&r, items, NULL, 0) || !rig_start(&r, "rk4(step=0.002)")) return;
        // critically damped: phi = target - target (1 + 5 t) exp(-5 t)
        for (int i = 0; i <= 40; i++) {
            const double t = 0.1 * i;
            rig_sample(&r, t);
            CHECK_NEAR(value(&r, "hinge.angle"), 15 * (1 - (1 + 5 * t) * exp(-5 * t)), 1e-7);
        }
        CHECK_NEAR(value(&r, "hinge.angle"), 15, 1e-6);
        rig_close(&r);
    }
}

TEST(a_linear_actuator_follows_its_target) {
    Rig r;
    // started on the target with its speed, and with the force it needs: it stays on it
    if (!rig_read(&r,
                  "{\"class\": \"RigidBody\", \"name\": \"cart\", \"mass\": 2, \"velocity\": "
                  "[0.2, 0, 0], \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},"
                  "{\"class\": \"PrismaticJoint\", \"name\": \"j\", \"body_b\": \"cart\", "
                  "\"axis\": [1, 0, 0]},"
                  "{\"class\": \"JointSensor\", \"name\": \"slide\", \"joint\": \"j\"},"
                  "{\"class\": \"LinearActuator\", \"name\": \"m\", \"body_b\": \"cart\", "
                  "\"axis\": [1, 0, 0], \"gain\": 100, \"rate_gain\": 10, \"target\": "
                  "\"0.1*sin(2*t)\", \"force\": \"-0.8*sin(2*t)\"},"
                  "{\"class\": \"ConnectorSensor\", \"name\": \"o\", \"connector\": \"m\"}",
                  NULL, 0) ||
        !rig_start(&r, "rk4(step=0.002)")) {
        return;
    }
    for (int i = 0; i <= 20; i++) {
        rig_sample(&r, 0.1 * i);
        CHECK_NEAR(value(&r, "slide.position"), 0.1 * sin(0.2 * i), 1e-9);
        CHECK_NEAR(value(&r, "o.force"), -0.8 * sin(0.2 * i), 1e-7);
    }
    rig_close(&r);
}

// ---- loads

TEST(loads_accelerate_as_newton_says) {
    Rig r;
    // the wheel turns at 2 rad/s; a force in own axes turns with it: x'' = 3 cos 2t
    if (!rig_read(&r,
                  "{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 1, \"angular_velocity\": "
                  "[0, 0, 2], \"inertia\": [[3, 0, 0], [0, 3, 0], [0, 0, 4]]},"
                  "{\"class\": \"CoordinateMarker\", \"name\": \"z\", \"body\": \"b\", "
                  "\"coordinate\": \"z\"},"
                  "{\"class\": \"Force\", \"name\": \"F\", \"body\": \"b\", \"x\": 3, \"axes\": "
                  "\"own\"},"
                  "{\"class\": \"Force\", \"name\": \"G\", \"body\": \"b\", \"y\": \"6*t\"},"
                  "{\"class\": \"CoordinateLoad\", \"name\": \"H\", \"marker\": \"z\", "
                  "\"force\": 5}",
                  NULL, 0) ||
        !rig_start(&r, "rk4(step=0.002)")) {
        return;
    }
    rig_sample(&r, 1.5);
    CHECK_NEAR(value(&r, "b.x"), 0.75 * (1 - cos(3)), 1e-10);
    CHECK_NEAR(value(&r, "b.y"), 1.5 * 1.5 - 0.75 * sin(3) + 1.5 * 1.5 * 1.5, 1e-10);
    CHECK_NEAR(value(&r, "b.z"), 2.5 * 1.5 * 1.5, 1e-10);
    rig_close(&r);
}

TEST(a_torque_turns_a_wheel) {
    const char *axes[] = {"world", "own"};
    for (int k = 0; k < 2; k++) {
        char items[MAX_TEXT];
        Rig r;
        snprintf(items, sizeof items,
                 "%s{\"class\": \"Torque\", \"name\": \"T\", \"body\": \"wheel\", \"point\": "
                 "[3, 0, 0], \"z\": \"6*t\", \"axes\": \"%s\"}",
                 WHEEL("1"), axes[k]);
        if (!rig_read(&r, items, NULL, 0) || !rig_start(&r, "rk4(step=0.002)")) return;
        for (int i = 0; i <= 10; i++) {
            const double t = 0.2 * i;
            rig_sample(&r, t);
            CHECK_NEAR(value(&r, "hinge.angle"), t + t * t * t, 1e-9);
        }
        rig_close(&r);
    }
}

// ---- a joint on coordinates: x_1 - 2 x_2 = 0.3 sin t, the first coordinate named twice

#define ON_X(name, mass, v)                                                                    \
    "{\"class\": \"RigidBody\", \"name\": \"" name "\", \"mass\": " mass ", \"velocity\": [" v \
    ", 0, 0], \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},"                                \
    "{\"class\": \"CoordinateMarker\", \"name\": \"x_" name "\", \"body\": \"" name            \
    "\", \"coordinate\": \"x\"},"

TEST(coordinates_can_be_coupled) {
    Rig r;
    if (!rig_read(&r,
                  ON_X("one", "1", "0.3") ON_X(
                      "two", "2",
                      "0") "{\"class\": \"CoordinateCoupling\", \"name\": \"gear\", \"markers\": "
                           "[\"x_one\", \"x_two\", \"x_one\"], \"factors\": [0.75, -2, 0.25], "
                           "\"offset\": \"0.3*sin(t)\"}",
                  NULL, 0)) {
        return;
    }
    if (!rig_start(&r, "rk4(step=0.002)")) return;
    CHECK_INT(r.system->ng, 1);
    rig_sample(&r, 2);
    // M^-1-orthogonal: x1'' = -lambda, 2 x2'' = 2 lambda, so that x1 + x2 keeps its speed of 0.3
    const double x1 = value(&r, "one.x"), x2 = value(&r, "two.x");
    CHECK_NEAR(x1 + x2, 0.6, 1e-9);
    CHECK_NEAR(x1 - 2 * x2, 0.3 * sin(2), 1e-9);
    const CdPoint *at = cd_integrator_now(r.it);
    CHECK_NEAR(at->lambda[0], 0.1 * sin(2), 1e-8);
    double residual[3];
    cdi_system_residuals(r.work, at, residual);
    for (int i = 0; i < 3; i++) CHECK(residual[i] < 1e-9);
    CdPoint wrong = *at;
    double q[14];
    memcpy(q, at->q, sizeof q);
    q[0] += 0.5;
    wrong.q = q;
    cdi_system_residuals(r.work, &wrong, residual);
    CHECK_NEAR(residual[0], 0.5, 1e-9);
    rig_close(&r);
}

// ---- derivatives of assembled models

static double worst_difference(int n, const double *a, const double *b) {
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
    return worst;
}

static void check_derivatives(const char *items) {
    static double M[2][144], C[2][144], K[2][144];
    CdiProblem *given = NULL, *differences = NULL;
    Rig r;
    CdPoint at;
    TestRandom random = {3};
    if (!rig_read(&r, items, NULL, 0)) return;
    CHECK_OK(cdi_problem_new(r.log.ctx, &r.problem, &(CdProblemSetup){0}, &given));
    CHECK_OK(cdi_problem_new(r.log.ctx, &r.problem, &(CdProblemSetup){.differences = true},
                             &differences));
    CHECK_OK(cdi_point_take(given, &given->arena, &at));
    cdi_system_start(r.system, at.q, at.v);
    for (int i = 0; i < given->nv; i++) at.v[i] = test_random(&random, -1, 1);
    CHECK_OK(cdi_derivatives(given, &at, M[0], C[0], K[0]));
    CHECK_OK(cdi_derivatives(differences, &at, M[1], C[1], K[1]));
    const int nnz = r.system->pattern->nnz;
    if (!CHECK_NEAR(worst_difference(nnz, C[0], C[1]), 0, 1e-5) ||
        !CHECK_NEAR(worst_difference(nnz, K[0], K[1]), 0, 1e-5)) {
        printf("  of %s\n", items);
    }
    cdi_problem_free(given);
    cdi_problem_free(differences);
    rig_close(&r);
}

// two bodies in general position, with markers that are turned and off the centres of mass
#define GENERAL                                                                               \
    "{\"class\": \"RigidBody\", \"name\": \"one\", \"position\": [0.1, 0.2, 0.3],"            \
    " \"orientation\": [0.5, 0.5, -0.5, 0.5], \"mass\": 2, \"com\": [0.1, 0, 0.2],"           \
    " \"inertia\": [[1, 0.1, 0], [0.1, 2, 0.2], [0, 0.2, 2.5]]},"                             \
    "{\"class\": \"RigidBody\", \"name\": \"two\", \"position\": [1, -0.2, 0.5],"             \
    " \"mass\": 1, \"com\": [0, 0.3, 0],"                                                     \
    " \"inertia\": [[0.5, 0, 0], [0, 0.6, 0.1], [0, 0.1, 0.7]]},"                             \
    "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"one\","                             \
    " \"position\": [0.5, 0.4, 0.1], \"orientation\": [0.6, 0, 0.64, 0.48]},"                 \
    "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"two\","                             \
    " \"position\": [0.1, 0.7, -0.1], \"orientation\": [0.8, -0.36, 0.48, 0]},"               \
    "{\"class\": \"CoordinateMarker\", \"name\": \"xa\", \"body\": \"one\", \"coordinate\": " \
    "\"x\"},"                                                                                 \
    "{\"class\": \"CoordinateMarker\", \"name\": \"zb\", \"body\": \"two\", \"coordinate\": " \
    "\"z\"},"

TEST(derivatives_equal_differences) {
    const char *forces[] = {
        SPRING("TorsionalSpringDamper", "\"stiffness\": 3, \"damping\": 2, \"elastic\": \"x^2\""),
        SPRING("CartesianSpringDamper",
               "\"offset\": [1, 2, 3], \"stiffness\": [3, 4, 5], \"damping\": [1, 2, 3]"),
        SPRING("Bushing", "\"stiffness\": [3, 4, 5], \"damping\": [1, 2, 3], "
                          "\"angular_stiffness\": [5, 6, 7], \"angular_damping\": [1, 2, 3]"),
        SPRING("LinearActuator", "\"gain\": 5, \"rate_gain\": 2, \"target\": 1"),
        SPRING("LinearActuator",
               "\"gain\": 5, \"rate_gain\": 2, \"target\": 1, \"along\": \"line\""),
        SPRING("TorsionalActuator", "\"gain\": 5, \"rate_gain\": 2, \"target\": 1"),
        "{\"class\": \"CoordinateSpringDamper\", \"name\": \"s\", \"marker_a\": \"xa\", "
        "\"marker_b\": \"zb\", \"stiffness\": 3, \"damping\": 2, \"elastic\": \"x^3\"}",
        "{\"class\": \"CoordinateSpringDamper\", \"name\": \"s\", \"marker_a\": \"xa\", "
        "\"stiffness\": 3, \"damping\": 2, \"viscous\": \"v^3\"}",
        "{\"class\": \"Force\", \"name\": \"s\", \"marker\": \"b\", \"x\": 4, \"z\": 3}",
        "{\"class\": \"Force\", \"name\": \"s\", \"marker\": \"b\", \"x\": 4, \"z\": 3, "
        "\"axes\": \"own\"}",
        "{\"class\": \"Torque\", \"name\": \"s\", \"marker\": \"b\", \"x\": 4, \"z\": 3}",
        "{\"class\": \"Torque\", \"name\": \"s\", \"marker\": \"b\", \"x\": 4, \"z\": 3, "
        "\"axes\": \"own\"}",
        "{\"class\": \"CoordinateLoad\", \"name\": \"s\", \"marker\": \"xa\", \"force\": 2}",
    };
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        char items[MAX_TEXT];
        snprintf(items, sizeof items, "%s%s", GENERAL, forces[i]);
        check_derivatives(items);
    }
}

static CdStatus assemble(CdContext *ctx, void *user) {
    char text[MAX_TEXT];
    CdModel *model = NULL;
    CdSystem *system = NULL;
    CdSystemWork *work = NULL;
    (void)user;
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s%s, %s]}", GENERAL,
             SPRING("TorsionalSpringDamper", "\"stiffness\": 3"),
             "{\"class\": \"CoordinateSpringDamper\", \"name\": \"t\", \"marker_a\": \"xa\"}");
    CdStatus status = cdi_model_read_text(ctx, text, strlen(text), "x", &model);
    if (status == CD_OK) status = cdi_system_new(model, &system);
    if (status == CD_OK) status = cdi_system_work_new(system, NULL, &work);
    cdi_system_work_free(work);
    cdi_system_free(system);
    cdi_model_free(model);
    return status;
}

TEST(no_memory_is_told) {
    CHECK_OOM(assemble, NULL);
}

int main(void) {
    RUN(springs_oscillate_at_their_frequency);
    RUN(dampers_let_it_decay);
    RUN(torsional_springs_oscillate_at_their_frequency);
    RUN(a_torsional_spring_winds_up_over_several_turns);
    RUN(history_is_saved_with_the_state);
    RUN(a_torsional_actuator_reaches_its_target);
    RUN(a_linear_actuator_follows_its_target);
    RUN(loads_accelerate_as_newton_says);
    RUN(a_torque_turns_a_wheel);
    RUN(coordinates_can_be_coupled);
    RUN(derivatives_equal_differences);
    RUN(no_memory_is_told);
    return test_end();
}
