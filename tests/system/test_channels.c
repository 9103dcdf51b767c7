// test_channels.c - sensors and channels: reactions, momentum, turns of angles, names and patterns
#include "rig.h"
#include "system/sense.h"

static bool rig_open(Rig *r, const char *items, const char *const *patterns, int npatterns) {
    return rig_read(r, items, patterns, npatterns) && rig_start(r, "rk4(step=0.001)");
}

static const char *unit(const Rig *r, const char *name) {
    for (int i = 0; i < r->channels->n; i++) {
        if (strcmp(r->channels->v[i].name, name) == 0) return r->channels->v[i].unit;
    }
    return "no such channel";
}

#define GRAVITY "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, 0, -10]},"
#define BLOCK(name, place)                                                    \
    "{\"class\": \"RigidBody\", \"name\": \"" name "\", \"position\": " place \
    ", \"mass\": 2, \"inertia\": [[0.5, 0, 0], [0, 0.6, 0], [0, 0, 0.7]]}"

// ---- reactions

TEST(a_joint_holds_a_hanging_weight_up) {
    Rig r;
    // marker a: x down, y = y, z = x: turned by 90 deg about y
    if (!rig_open(
            &r,
            GRAVITY BLOCK(
                "load",
                "[0.3, 0, -1]") ","
                                "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"ground\", "
                                "\"orientation\": "
                                "[0.70710678118654752, 0, 0.70710678118654752, 0]},"
                                "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"load\", "
                                "\"position\": "
                                "[-0.3, 0, 1], \"orientation\": [0.70710678118654752, 0, "
                                "0.70710678118654752, "
                                "0]},"
                                "{\"class\": \"FixedJoint\", \"name\": \"j\", \"marker_a\": \"a\", "
                                "\"marker_b\": \"b\"},"
                                "{\"class\": \"JointSensor\", \"name\": \"F\", \"joint\": \"j\", "
                                "\"quantity\": "
                                "\"force\"},"
                                "{\"class\": \"JointSensor\", \"name\": \"M\", \"joint\": \"j\", "
                                "\"quantity\": "
                                "\"moment\"}",
            NULL, 0)) {
        return;
    }
    rig_sample(&r, 0);
    // 20 N upwards are -20 N along x of a; 6 N m about -y of the world hold the eccentric weight
    CHECK_NEAR(value(&r, "F.fx"), -20, 1e-10);
    CHECK_NEAR(value(&r, "F.fy"), 0, 1e-10);
    CHECK_NEAR(value(&r, "F.fz"), 0, 1e-10);
    CHECK_NEAR(value(&r, "M.mx"), 0, 1e-10);
    CHECK_NEAR(value(&r, "M.my"), -6, 1e-10);
    CHECK_NEAR(value(&r, "M.mz"), 0, 1e-10);
    CHECK_TEXT(unit(&r, "F.fx"), "N");
    CHECK_TEXT(unit(&r, "M.mx"), "N*m");
    rig_close(&r);
}

#define WHEEL(name, inertia)                                                               \
    "{\"class\": \"Rotor\", \"name\": \"" name "\", \"inertia\": " inertia                 \
    "}, {\"class\": \"CoordinateMarker\", \"name\": \"" name "_angle\", \"body\": \"" name \
    "\", \"coordinate\": \"angle\"},"
#define COUPLING(markers, factors)                                                  \
    "{\"class\": \"CoordinateCoupling\", \"name\": \"gear\", \"markers\": " markers \
    ", \"factors\": " factors "},"

// 6 N m on wheel 1 of a gear with angle 1 = -3 angle 2: (0.5 + 0.9/9) angle 1'' = 6; what the teeth
// take from wheel 1 they give to wheel 2, threefold
TEST(a_coupling_tells_its_force) {
    Rig r;
    if (!rig_open(
            &r,
            WHEEL("one", "0.5") WHEEL("two", "0.9") COUPLING(
                "[\"one_angle\", \"two_angle\"]",
                "[1, 3]") "{\"class\": \"CoordinateLoad\", \"name\": \"motor\", \"marker\": "
                          "\"one_angle\", \"force\": 6},"
                          "{\"class\": \"JointSensor\", \"name\": \"teeth\", \"joint\": \"gear\", "
                          "\"quantity\": \"force\"},"
                          "{\"class\": \"JointSensor\", \"name\": \"slip\", \"joint\": \"gear\", "
                          "\"quantity\": \"residuals\"}",
            NULL, 0)) {
        return;
    }
    rig_sample(&r, 0.1);
    CHECK_INT(r.channels->n, 4);
    CHECK_NEAR(value(&r, "teeth.force"), 0.5 * 10 - 6, 1e-10);
    CHECK_NEAR(value(&r, "slip.position"), 0, 1e-12);
    CHECK_NEAR(value(&r, "slip.acceleration"), 0, 1e-10);
    CHECK_TEXT(unit(&r, "teeth.force"), "1");
    CHECK(!r.channels->v[0].not_unique);
    cdi_channels_mark(r.channels, &(bool){true});
    CHECK(r.channels->v[0].not_unique && !r.channels->v[1].not_unique);
    rig_close(&r);
}

// moved by hand, so that its rows are violated by what is known
TEST(a_joint_tells_its_residuals) {
    Rig r;
    double q[16], v[16], vdot[16] = {0}, lambda[16] = {0};
    if (!rig_read(
            &r,
            BLOCK("a", "[0, 0, 0]") "," BLOCK(
                "b",
                "[0, 0, 0]") ","
                             "{\"class\": \"SphericalJoint\", \"name\": \"good\", \"body_b\": "
                             "\"a\"},"
                             "{\"class\": \"SphericalJoint\", \"name\": \"bad\", \"body_b\": "
                             "\"b\"},"
                             "{\"class\": \"JointSensor\", \"name\": \"c\", \"joint\": \"good\", "
                             "\"quantity\": \"residuals\"},"
                             "{\"class\": \"JointSensor\", \"name\": \"d\", \"joint\": \"bad\", "
                             "\"quantity\": \"residuals\"}",
            NULL, 0)) {
        return;
    }
    cdi_system_start(r.system, q, v);
    q[7] = 0.25;
    v[7] = -0.5;
    vdot[8] = 2;
    CHECK_OK(cdi_channels_eval(
        r.channels, r.work, &(CdPoint){.q = q, .v = v, .vdot = vdot, .lambda = lambda}, r.values));
    CHECK_NEAR(value(&r, "d.position"), 0.25, 1e-15);
    CHECK_NEAR(value(&r, "d.velocity"), 0.5, 1e-15);
    CHECK_NEAR(value(&r, "d.acceleration"), 2, 1e-15);
    for (int k = 0; k < 3; k++) CHECK_NEAR(r.values[k], 0, 1e-15);
    CHECK_TEXT(unit(&r, "d.position"), "1");
    rig_close(&r);
}

// ---- turns

#define SPINNER(w)                                                                           \
    "{\"class\": \"RigidBody\", \"name\": \"wheel\", \"mass\": 1, \"inertia\": [[1, 0, 0], " \
    "[0, 1, 0], [0, 0, 1]], \"angular_velocity\": [0, 0, " w "]},"                           \
    "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": \"wheel\"},"                \
    "{\"class\": \"JointSensor\", \"name\": \"hinge\", \"joint\": \"j\"},"                   \
    "{\"class\": \"JointSensor\", \"name\": \"rate\", \"joint\": \"j\", \"quantity\": "      \
    "\"rates\"},"                                                                            \
    "{\"class\": \"Sensor\", \"name\": \"cardan\", \"body\": \"wheel\", \"quantity\": "      \
    "\"angles\"},"                                                                           \
    "{\"class\": \"Sensor\", \"name\": \"e\", \"body\": \"wheel\", \"quantity\": \"quaternion\"}"

TEST(angles_go_on_from_turn_to_turn) {
    Rig r;
    if (!rig_open(&r, SPINNER("-20"), NULL, 0)) return;
    // more than half a turn between samples: the rate tells the turn
    for (int i = 0; i <= 10; i++) {
        rig_sample(&r, 0.5 * i);
        CHECK_NEAR(value(&r, "hinge.angle"), -10 * i, 1e-8);
        CHECK_NEAR(value(&r, "cardan.rz"), -10 * i, 1e-8);
        CHECK_NEAR(value(&r, "rate.angle_rate"), -20, 1e-9);
    }
    CHECK_TEXT(unit(&r, "hinge.angle"), "rad");
    CHECK_TEXT(unit(&r, "rate.angle_rate"), "rad/s");
    rig_close(&r);
}

TEST(quaternions_do_not_jump) {
    Rig r;
    if (!rig_open(&r, SPINNER("5"), NULL, 0)) return;
    for (int i = 0; i <= 40; i++) {
        rig_sample(&r, 0.1 * i);
        CHECK_NEAR(value(&r, "e.qw"), cos(0.25 * i), 1e-8);
        CHECK_NEAR(value(&r, "e.qz"), sin(0.25 * i), 1e-8);
    }
    rig_close(&r);
}

// a generic joint as a hinge about y, over several turns, and as a slider; a rod
TEST(generic_joints_and_rods_have_coordinates) {
    Rig r;
    if (!rig_open(&r,
                  "{\"class\": \"RigidBody\", \"name\": \"wheel\", \"mass\": 1, \"inertia\": "
                  "[[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"angular_velocity\": [0, 4, 0], "
                  "\"velocity\": [0, 0, 0.5]},"
                  "{\"class\": \"GenericJoint\", \"name\": \"j\", \"body_b\": \"wheel\", \"z\": "
                  "false, \"ry\": false},"
                  "{\"class\": \"MassPoint3D\", \"name\": \"bob\", \"mass\": 1, \"position\": "
                  "[0.75, 0, 0], \"velocity\": [0, 2, 0]},"
                  "{\"class\": \"Marker\", \"name\": \"o\", \"body\": \"ground\"},"
                  "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"bob\"},"
                  "{\"class\": \"DistanceJoint\", \"name\": \"rod\", \"marker_a\": \"o\", "
                  "\"marker_b\": \"m\", \"length\": 0.75},"
                  "{\"class\": \"JointSensor\", \"name\": \"g\", \"joint\": \"j\"},"
                  "{\"class\": \"JointSensor\", \"name\": \"w\", \"joint\": \"j\", \"quantity\": "
                  "\"rates\"},"
                  "{\"class\": \"JointSensor\", \"name\": \"d\", \"joint\": \"rod\"},"
                  "{\"class\": \"JointSensor\", \"name\": \"f\", \"joint\": \"rod\", \"quantity\": "
                  "\"force\"}",
                  NULL, 0)) {
        return;
    }
    for (int i = 0; i <= 10; i++) {
        rig_sample(&r, 0.3 * i);
        CHECK_NEAR(value(&r, "g.ry"), 1.2 * i, 1e-8);
        CHECK_NEAR(value(&r, "g.z"), 0.15 * i, 1e-9);
        CHECK_NEAR(value(&r, "g.x") + value(&r, "g.y") + value(&r, "g.rx") + value(&r, "g.rz"), 0,
                   1e-9);
        CHECK_NEAR(value(&r, "w.ry_rate"), 4, 1e-9);
        CHECK_NEAR(value(&r, "w.z_rate"), 0.5, 1e-9);
        CHECK_NEAR(value(&r, "d.distance"), 0.75, 1e-9);
        // towards the centre: m v^2/L
        CHECK_NEAR(hypot(value(&r, "f.fx"), value(&r, "f.fy")), 4 / 0.75, 1e-6);
    }
    CHECK_TEXT(unit(&r, "g.x"), "m");
    CHECK_TEXT(unit(&r, "g.rx"), "rad");
    CHECK_TEXT(unit(&r, "w.z_rate"), "m/s");
    CHECK_TEXT(unit(&r, "d.distance"), "m");
    rig_close(&r);
}

// ---- markers

// a point at radius 0.5 of a wheel: position, velocity, acceleration on the circle
TEST(a_marker_on_a_circle) {
    Rig r;
    const char *quantities[] = {"position",         "velocity", "acceleration",
                                "angular_velocity", "rotation", "angular_acceleration"};
    char items[MAX_TEXT] = GRAVITY SPINNER("3");
    for (int own = 0; own < 2; own++) {
        for (int k = 0; k < 6; k++) {
            const size_t n = strlen(items);
            snprintf(items + n, sizeof items - n,
                     ",{\"class\": \"Sensor\", \"name\": \"%s%d\", \"body\": \"wheel\", "
                     "\"point\": [0.5, 0, 0], \"quantity\": \"%s\", \"axes\": \"%s\"}",
                     own ? "o" : "w", k, quantities[k], own ? "own" : "world");
        }
    }
    if (!rig_open(&r, items, NULL, 0)) return;
    rig_sample(&r, 0.7);
    const double c = cos(2.1), s = sin(2.1);
    CHECK_NEAR(value(&r, "w0.x"), 0.5 * c, 1e-9);
    CHECK_NEAR(value(&r, "w0.y"), 0.5 * s, 1e-9);
    CHECK_NEAR(value(&r, "w1.vx"), -1.5 * s, 1e-9);
    CHECK_NEAR(value(&r, "w1.vy"), 1.5 * c, 1e-9);
    CHECK_NEAR(value(&r, "w2.ax"), -4.5 * c, 1e-8);
    CHECK_NEAR(value(&r, "w2.ay"), -4.5 * s, 1e-8);
    CHECK_NEAR(value(&r, "w3.wz"), 3, 1e-9);
    CHECK_NEAR(value(&r, "w4.R12"), -s, 1e-9);
    CHECK_NEAR(value(&r, "w4.R21"), s, 1e-9);
    CHECK_NEAR(value(&r, "w5.alphaz"), 0, 1e-9);
    CHECK_NEAR(value(&r, "o0.x"), 0.5, 1e-9);
    CHECK_NEAR(value(&r, "o1.vy"), 1.5, 1e-9);
    CHECK_NEAR(value(&r, "o2.ax"), -4.5, 1e-8);
    CHECK_NEAR(value(&r, "o2.ay"), 0, 1e-8);
    CHECK_NEAR(value(&r, "o3.wz"), 3, 1e-9);
    rig_close(&r);
}

// accelerations are the rates of velocities, in a motion without symmetry
TEST(accelerations_are_rates_of_velocities) {
    Rig r;
    if (!rig_open(&r,
                  GRAVITY
                  "{\"class\": \"RigidBody\", \"name\": \"top\", \"mass\": 1, \"com\": [0, 0, 1], "
                  "\"inertia\": [[1, 0, 0], [0, 2, 0], [0, 0, 2.5]], \"angular_velocity\": "
                  "[1, 2, 3]},"
                  "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"top\", \"position\": "
                  "[0.2, 0.3, -0.1], \"orientation\": [0.5, 0.5, 0.5, 0.5]},"
                  "{\"class\": \"SphericalJoint\", \"name\": \"j\", \"body_b\": \"top\"},"
                  "{\"class\": \"Sensor\", \"name\": \"v\", \"marker\": \"m\", \"quantity\": "
                  "\"velocity\"},"
                  "{\"class\": \"Sensor\", \"name\": \"a\", \"marker\": \"m\", \"quantity\": "
                  "\"acceleration\"},"
                  "{\"class\": \"Sensor\", \"name\": \"w\", \"marker\": \"m\", \"quantity\": "
                  "\"angular_velocity\"},"
                  "{\"class\": \"Sensor\", \"name\": \"b\", \"marker\": \"m\", \"quantity\": "
                  "\"angular_acceleration\"}",
                  NULL, 0)) {
        return;
    }
    double rows[3][MAX_CHANNELS];
    for (int i = 0; i < 3; i++) {
        rig_sample(&r, 0.5 + 0.001 * i);
        memcpy(rows[i], r.values, sizeof rows[i]);
    }
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR((rows[2][k] - rows[0][k]) / 0.002, rows[1][3 + k], 1e-4);
        CHECK_NEAR((rows[2][6 + k] - rows[0][6 + k]) / 0.002, rows[1][9 + k], 1e-4);
    }
    rig_close(&r);
}

// ---- sums

TEST(a_free_body_keeps_its_momenta_and_energy) {
    Rig r;
    if (!rig_open(&r,
                  "{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 2, \"position\": "
                  "[1, 2, 3], \"velocity\": [1, 0, -1], \"angular_velocity\": [1, 2, 3], "
                  "\"orientation\": [0.5, 0.5, -0.5, 0.5],"
                  "\"inertia\": [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]]},"
                  "{\"class\": \"SystemSensor\", \"name\": \"E\"},"
                  "{\"class\": \"SystemSensor\", \"name\": \"P\", \"quantity\": \"momentum\"},"
                  "{\"class\": \"SystemSensor\", \"name\": \"L\", \"quantity\": "
                  "\"angular_momentum\"},"
                  "{\"class\": \"SystemSensor\", \"name\": \"c\", \"quantity\": \"residuals\"}",
                  NULL, 0)) {
        return;
    }
    rig_sample(&r, 0);
    // R of the quaternion maps x, y, z of the body to z, -x, -y: w_B = R^T w = (3, -1, -2), so that
    // I w_B = (2.9, -1.7, -5) is (1.7, 5, 2.9) in the world; r x m v = (-4, 8, -4)
    CHECK_NEAR(value(&r, "P.px"), 2, 1e-14);
    CHECK_NEAR(value(&r, "P.pz"), -2, 1e-14);
    CHECK_NEAR(value(&r, "L.lx"), 1.7 - 4, 1e-13);
    CHECK_NEAR(value(&r, "L.ly"), 5 + 8, 1e-13);
    CHECK_NEAR(value(&r, "L.lz"), 2.9 - 4, 1e-13);
    CHECK_NEAR(value(&r, "E.total"), 2 + (8.7 + 1.7 + 10) / 2, 1e-13);
    double start[MAX_CHANNELS];
    memcpy(start, r.values, sizeof start);
    rig_sample(&r, 2);
    for (int k = 0; k < r.channels->n; k++) CHECK_NEAR(r.values[k], start[k], 1e-8);
    rig_close(&r);
}

TEST(a_connector_gives_its_outputs) {
    Rig r;
    if (!rig_open(
            &r,
            GRAVITY BLOCK(
                "load",
                "[0, 0, -2]") ","
                              "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"ground\"},"
                              "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"load\"},"
                              "{\"class\": \"SpringDamper\", \"name\": \"k\", \"marker_a\": \"a\", "
                              "\"marker_b\": \"b\", \"length\": 1.5, \"stiffness\": 40},"
                              "{\"class\": \"ConnectorSensor\", \"name\": \"s\", \"connector\": "
                              "\"k\"},"
                              "{\"class\": \"SystemSensor\", \"name\": \"E\"}",
            NULL, 0)) {
        return;
    }
    rig_sample(&r, 0.2);
    CHECK_NEAR(value(&r, "s.length"), 2, 1e-12);
    CHECK_NEAR(value(&r, "s.force"), 20, 1e-12);
    CHECK_NEAR(value(&r, "E.elastic"), 5, 1e-12);
    CHECK_NEAR(value(&r, "E.gravity"), -40, 1e-12);
    rig_close(&r);
}

// ---- names and patterns

TEST(without_sensors_bodies_are_watched) {
    Rig r;
    if (!rig_open(&r,
                  "{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 2, \"com\": [1, 0, 0], "
                  "\"position\": [1, 2, 3], \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
                  NULL, 0)) {
        return;
    }
    rig_sample(&r, 0);
    CHECK_INT(r.channels->n, 7);
    CHECK_TEXT(r.channels->v[0].name, "b.x");
    CHECK_TEXT(r.channels->v[6].name, "b.qz");
    CHECK_NEAR(value(&r, "b.x"), 1, 1e-15);
    CHECK_NEAR(value(&r, "b.y"), 2, 1e-15);
    CHECK_NEAR(value(&r, "b.qw"), 1, 1e-15);
    rig_close(&r);
}

TEST(patterns_choose_channels) {
    Rig r;
    const char *patterns[] = {"*.qw", "hinge.*", "e.q*z"};
    if (!rig_open(&r, SPINNER("1"), patterns, 3)) return;
    CHECK_INT(r.channels->n, 3);
    CHECK_TEXT(r.channels->v[0].name, "hinge.angle");
    CHECK_TEXT(r.channels->v[1].name, "e.qw");
    CHECK_TEXT(r.channels->v[2].name, "e.qz");
    rig_sample(&r, 0.5);
    CHECK_NEAR(r.values[0], 0.5, 1e-9);
    CHECK_NEAR(r.values[2], sin(0.25), 1e-9);
    CdChannels *c;
    const char *wrong[] = {"hinge.angel", "nothing.at.all"};
    CHECK_INT(cdi_channels_new(r.system, wrong, 2, &c), CD_NOTFOUND);
    CHECK_TEXT(r.log.text, "no channel matches 'hinge.angel'; did you mean 'hinge.angle'?\n"
                           "no channel matches 'nothing.at.all'; there are 9, the first is "
                           "'hinge.angle'\n");
    test_log_clear(&r.log);
    rig_close(&r);
}

static CdStatus make_channels(CdContext *ctx, void *user) {
    static const char text[] = "{\"cardan\": 1, \"items\": [" SPINNER("1") "]}";
    CdModel *model = NULL;
    CdSystem *system = NULL;
    CdChannels *channels = NULL;
    (void)user;
    CdStatus status = cdi_model_read_text(ctx, text, strlen(text), "x", &model);
    if (status == CD_OK) status = cdi_system_new(model, &system);
    if (status == CD_OK) status = cdi_channels_new(system, NULL, 0, &channels);
    cdi_channels_free(channels);
    cdi_system_free(system);
    cdi_model_free(model);
    return status;
}

TEST(no_memory_is_told) {
    CHECK_OOM(make_channels, NULL);
}

static void check_refusal(const char *items, const char *message) {
    TestLog log;
    CdModel *model;
    char text[MAX_TEXT];
    test_log_open(&log);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s]}", items);
    CHECK_INT(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model), CD_INVALID);
    CHECK_TEXT(log.text, message);
    cdi_model_free(model);
    test_log_close(&log);
}

TEST(sensors_that_look_at_nothing_are_refused) {
    check_refusal("{\"class\": \"Sensor\", \"name\": \"s\"}",
                  "x.json:1:25: Sensor 's': it is nowhere; give marker, or body and point\n");
    check_refusal("{\"class\": \"Sensor\", \"name\": \"s\", \"marker\": \"m\", \"body\": "
                  "\"ground\"}, {\"class\": \"Marker\", \"name\": \"m\", \"body\": \"ground\"}",
                  "x.json:1:81: Sensor 's': field 'body': marker and body are both given; give "
                  "one of them\n");
    check_refusal(
        "{\"class\": \"JointSensor\", \"name\": \"s\", \"joint\": \"j\"},"
        "{\"class\": \"JointMotion\", \"name\": \"j\", \"joint\": \"k\", \"motion\": \"t\"},"
        "{\"class\": \"RevoluteJoint\", \"name\": \"k\", \"body_b\": \"b\"}," BLOCK("b",
                                                                                    "[0, 0, 0]"),
        "x.json:1:25: JointSensor 's': 'j' is a JointMotion, which has no relative "
        "coordinates; it has force, moment and residuals\n");
    check_refusal(WHEEL("one", "1") COUPLING(
                      "[\"one_angle\"]",
                      "[1]") "{\"class\": \"JointSensor\", \"name\": \"s\", \"joint\": \"gear\", "
                             "\"quantity\": \"moment\"}",
                  "x.json:1:253: JointSensor 's': 'gear' is a CoordinateCoupling, which acts on "
                  "coordinates; it has force and residuals\n");
}

int main(void) {
    RUN(a_joint_holds_a_hanging_weight_up);
    RUN(a_coupling_tells_its_force);
    RUN(a_joint_tells_its_residuals);
    RUN(angles_go_on_from_turn_to_turn);
    RUN(quaternions_do_not_jump);
    RUN(generic_joints_and_rods_have_coordinates);
    RUN(a_marker_on_a_circle);
    RUN(accelerations_are_rates_of_velocities);
    RUN(a_free_body_keeps_its_momenta_and_energy);
    RUN(a_connector_gives_its_outputs);
    RUN(without_sensors_bodies_are_watched);
    RUN(patterns_choose_channels);
    RUN(no_memory_is_told);
    RUN(sensors_that_look_at_nothing_are_refused);
    return test_end();
}
