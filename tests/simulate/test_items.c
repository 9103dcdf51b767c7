// test_items.c - every body and joint in a small mechanism, against closed forms or another model
#include <math.h>
#include <string.h>

#include "cardan/integrator.h"
#include "swing.h"
#include "system/sense.h"
#include "test.h"

#define MAX_TEXT 8192
#define MAX_STATE 64
#define PI 3.14159265358979323846
#define G 9.81
#define EXACT "dopri5(rtol=1e-10, atol=1e-10)"

// ---- a mechanism: read, assembled, run

typedef struct Sim {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    CdIntegrator *it;
    const CdPoint *at;
    double q[MAX_STATE], v[MAX_STATE];
} Sim;

static void sim_open(Sim *s, const char *items) {
    char text[MAX_TEXT];
    *s = (Sim){0};
    test_log_open(&s->log);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s]}", items);
    if (!CHECK_OK(cdi_model_read_text(s->log.ctx, text, strlen(text), "x", &s->model))) {
        printf("%s", s->log.text);
        return;
    }
    CHECK_OK(cdi_system_new(s->model, &s->system));
    CHECK_OK(cdi_system_work_new(s->system, NULL, &s->work));
    CHECK(s->system->nq <= MAX_STATE);
    cdi_system_problem(s->work, &s->problem);
    CHECK_OK(cd_integrator_new(s->log.ctx, &s->problem, EXACT, &s->it));
    cdi_system_start(s->system, s->q, s->v);
    if (!CHECK_OK(cd_integrator_start(s->it, &(CdPoint){.q = s->q, .v = s->v}))) {
        printf("%s", s->log.text);
    }
}

static void sim_run(Sim *s, double t) {
    CHECK_OK(cd_integrator_run(s->it, t, NULL));
    s->at = cd_integrator_now(s->it);
    cdi_system_place(s->work, s->at->q, s->at->v);
}

static void sim_close(Sim *s) {
    cd_integrator_free(s->it);
    cdi_system_work_free(s->work);
    cdi_system_free(s->system);
    cdi_model_free(s->model);
    CHECK_TEXT(s->log.text, "");
    test_log_close(&s->log);
}

// coordinates, rates and reactions of a joint
static CdSensorInput sense_joint(const Sim *s, const char *name) {
    CdSensorInput in = {.t = s->at->t};
    for (int k = 0; k < s->system->njoints; k++) {
        if (strcmp(cdi_item_name(s->system->joints[k].item), name) != 0) continue;
        cdi_sense_joint(s->work, &s->system->joints[k], s->at, true, &in);
        return in;
    }
    CHECK(false);
    return in;
}

static CdSensorInput sense_system(Sim *s) {
    CdSensorInput in = {.t = s->at->t};
    cdi_sense_system(s->work, s->at, &in);
    return in;
}

// frame of a body as its fields speak of it
static CdFrame body_frame(const Sim *s, const char *name) {
    CdFrame f;
    cdi_sense_body(s->work, cdi_model_find(s->model, name)->index, &f);
    return f;
}

static void near3(const double *got, double x, double y, double z, double tol) {
    CHECK_NEAR(got[0], x, tol);
    CHECK_NEAR(got[1], y, tol);
    CHECK_NEAR(got[2], z, tol);
}

#define GRAVITY "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, 0, -9.81]},"
#define GRAVITY_Y "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]},"

// ---- points, rotors, free bodies

TEST(a_point_on_a_line_falls_along_it) {
    Sim s;
    sim_open(&s, GRAVITY "{\"class\": \"MassPoint1D\", \"name\": \"p\", \"axis\": [3, 0, -4], "
                         "\"coordinate\": 1, \"velocity\": 2, \"mass\": 7}");
    sim_run(&s, 2);
    const double x = 1 + 2 * 2 + 0.8 * G * 2;
    CHECK_NEAR(s.at->q[0], x, 1e-9);
    near3(body_frame(&s, "p").p, 0.6 * x, 0, -0.8 * x, 1e-9);
    sim_close(&s);
}

TEST(points_fly_on_parabolas) {
    Sim s;
    sim_open(&s, "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [1, -9.81, 2]},"
                 "{\"class\": \"MassPoint2D\", \"name\": \"p\", \"position\": [1, 2, 3], "
                 "\"velocity\": [4, 5, 0], \"mass\": 7},"
                 "{\"class\": \"MassPoint3D\", \"name\": \"r\", \"position\": [1, 2, 3], "
                 "\"velocity\": [4, 5, 6], \"mass\": 7}");
    sim_run(&s, 2);
    near3(body_frame(&s, "p").p, 1 + 8 + 2, 2 + 10 - 2 * G, 3, 1e-9);
    near3(body_frame(&s, "r").p, 1 + 8 + 2, 2 + 10 - 2 * G, 3 + 12 + 4, 1e-9);
    sim_close(&s);
}

TEST(a_rotor_counts_its_turns) {
    Sim s;
    sim_open(&s, GRAVITY "{\"class\": \"Rotor\", \"name\": \"r\", \"axis\": [1, 0, 0], \"angle\": "
                         "-5, \"angular_velocity\": 40, \"inertia\": 0.1}");
    sim_run(&s, 2);
    CHECK_NEAR(s.at->q[0], 75, 1e-9);
    CHECK_NEAR(body_frame(&s, "r").R[7], sin(75), 1e-9);
    sim_close(&s);
}

// the centre of mass flies on a parabola while the body turns about it
TEST(a_planar_body_is_a_projectile) {
    Sim s;
    sim_open(&s, GRAVITY_Y "{\"class\": \"RigidBody2D\", \"name\": \"b\", \"position\": [1, 2, 3], "
                           "\"angle\": 1, \"velocity\": [4, 5, 0], \"angular_velocity\": 6, "
                           "\"mass\": 7, \"com\": [0.5, 0, 0], \"inertia\": 2}");
    sim_run(&s, 2);
    const double vx = 4 - 3 * sin(1), vy = 5 + 3 * cos(1);
    const double x = 1 + 0.5 * cos(1) + 2 * vx, y = 2 + 0.5 * sin(1) + 2 * vy - 2 * G;
    CHECK_NEAR(s.at->q[2], 13, 1e-9);
    near3(body_frame(&s, "b").p, x - 0.5 * cos(13), y - 0.5 * sin(13), 3, 1e-8);
    sim_close(&s);
}

// in body axes w turns about the axis of symmetry at (J3/J1 - 1) w3
TEST(a_free_symmetric_body_nutates) {
    Sim s;
    sim_open(&s, "{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 1, \"inertia\": [[2, 0, 0],"
                 " [0, 2, 0], [0, 0, 3]], \"angular_velocity\": [0.3, 0, 4]}");
    sim_run(&s, 3);
    near3(s.at->v + 3, 0.3 * cos(6), 0.3 * sin(6), 4, 1e-8);
    sim_close(&s);
}

// ---- sliders

TEST(a_slider_on_an_incline) {
    Sim s;
    sim_open(&s,
             GRAVITY "{\"class\": \"RigidBody\", \"name\": \"b\", \"position\": [0, 0.2, 0], "
                     "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.2]}, \"mass\": 5},"
                     "{\"class\": \"PrismaticJoint\", \"name\": \"j\", \"body_b\": \"b\", "
                     "\"axis\": [3, 0, -4]}");
    sim_run(&s, 2);
    const CdSensorInput in = sense_joint(&s, "j");
    CHECK_NEAR(in.coordinates[0], 0.8 * G * 2, 1e-8);
    CHECK_NEAR(in.rates[0], 0.8 * G * 2, 1e-8);
    // it carries the weight across the axis, and the moment of the weight about marker b, which is
    // 0.2 m beside the centre of mass
    CHECK_NEAR(hypot(in.wrench[0], in.wrench[1]), 0.6 * 5 * G, 1e-8);
    CHECK_NEAR(in.wrench[2], 0, 1e-8);
    CHECK_NEAR(norm3(in.wrench + 3), 0.2 * 0.6 * 5 * G, 1e-7);
    sim_close(&s);
}

TEST(a_planar_slider_on_an_incline) {
    Sim s;
    sim_open(&s, GRAVITY_Y "{\"class\": \"RigidBody2D\", \"name\": \"b\", \"position\": [1, 0, 0], "
                           "\"mass\": 5, \"inertia\": 1},"
                           "{\"class\": \"PlanarPrismaticJoint\", \"name\": \"j\", \"body_b\": "
                           "\"b\", \"axis\": [4, -3, 0]}");
    sim_run(&s, 2);
    const CdSensorInput in = sense_joint(&s, "j");
    CHECK_NEAR(in.coordinates[0], 0.6 * G * 2, 1e-8);
    CHECK_NEAR(s.at->q[2], 0, 1e-9);
    near3(body_frame(&s, "b").p, 1 + 0.8 * 0.6 * G * 2, -0.6 * 0.6 * G * 2, 0, 1e-8);
    CHECK_NEAR(in.wrench[1], 0.8 * 5 * G, 1e-8);
    sim_close(&s);
}

// along and about the axis it moves freely, wherever its centre of mass is
TEST(a_cylindrical_joint_slides_and_turns) {
    Sim s;
    sim_open(&s, GRAVITY "{\"class\": \"RigidBody\", \"name\": \"b\", \"position\": [0, 0, 1], "
                         "\"velocity\": [0, 0, 2], \"angular_velocity\": [0, 0, 3], \"mass\": 5, "
                         "\"com\": [0.1, 0.2, 0.3], \"inertia\": [[1, 0.1, 0.2], [0.1, 2, 0.3], "
                         "[0.2, 0.3, 2.5]]},"
                         "{\"class\": \"CylindricalJoint\", \"name\": \"j\", \"body_b\": \"b\"}");
    sim_run(&s, 2);
    const CdSensorInput in = sense_joint(&s, "j");
    CHECK_NEAR(in.coordinates[0], 2 * 2 - 2 * G, 1e-8);
    CHECK_NEAR(in.coordinates[1], 6 - 2 * PI, 1e-8);
    CHECK_NEAR(in.rates[1], 3, 1e-8);
    // centripetal force, in axes of the world as they are those of marker a
    near3(in.wrench, -5 * 9 * (0.1 * cos(6) - 0.2 * sin(6)), -5 * 9 * (0.1 * sin(6) + 0.2 * cos(6)),
          0, 1e-6);
    sim_close(&s);
}

TEST(a_body_slides_and_turns_on_a_plane) {
    Sim s;
    sim_open(&s, GRAVITY "{\"class\": \"RigidBody\", \"name\": \"b\", \"velocity\": [0, 1, 0], "
                         "\"angular_velocity\": [1.8, 0, 2.4], \"shape\": {\"class\": \"Sphere\", "
                         "\"radius\": 0.1}},"
                         "{\"class\": \"PlanarJoint\", \"name\": \"j\", \"body_b\": \"b\", "
                         "\"axis\": [3, 0, 4]}");
    sim_run(&s, 1);
    const double down = 0.6 * G / 2;
    near3(body_frame(&s, "b").p, 0.8 * down, 1, -0.6 * down, 1e-8);
    CHECK_NEAR(sense_joint(&s, "j").coordinates[2], 3, 1e-8);
    sim_close(&s);
}

// ---- pendulums

#define LEVEL_BOB(cls) \
    "{\"class\": \"" cls "\", \"name\": \"bob\", \"position\": [1, 0, 0], \"mass\": 3}"
#define SWING_FIELD \
    "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -13.750371636040745, 0]},"

// A01: the closed form by elliptic functions, and the pull of the rod, m (g cos theta + theta'^2)
static void check_swing(const char *bob) {
    char items[MAX_TEXT];
    double theta, rate;
    Sim s;
    snprintf(items, sizeof items,
             SWING_FIELD "%s, {\"class\": \"Marker\", \"name\": \"top\", \"body\": \"ground\"},"
                         "{\"class\": \"Marker\", \"name\": \"tip\", \"body\": \"bob\"},"
                         "{\"class\": \"DistanceJoint\", \"name\": \"rod\", \"marker_a\": \"top\", "
                         "\"marker_b\": \"tip\", \"length\": 1}",
             bob);
    sim_open(&s, items);
    sim_run(&s, 3.3);
    swing(3.3, &theta, &rate);
    near3(body_frame(&s, "bob").p, sin(theta), -cos(theta), 0, 1e-7);
    const CdSensorInput in = sense_joint(&s, "rod");
    CHECK_NEAR(norm3(in.wrench), 3 * (SWING_GRAVITY * cos(theta) + rate * rate), 1e-5);
    sim_close(&s);
}

TEST(a_rod_makes_a_pendulum_of_a_point) {
    check_swing(LEVEL_BOB("MassPoint2D"));
    check_swing(LEVEL_BOB("MassPoint3D"));
}

// small swings: T = 2 pi sqrt((J + m l^2)/(m g l)); a bar of 1 m hung at its end, l = 0.5
TEST(a_bar_on_a_ball_joint_swings_at_its_frequency) {
    const double J = (1 + 0.01) / 12 + 0.25, w = sqrt(G * 0.5 / J), A = 1e-4;
    Sim s;
    sim_open(&s, GRAVITY "{\"class\": \"RigidBody\", \"name\": \"b\", \"position\": "
                         "[0.5e-4, 0, -0.4999999975], \"orientation\": "
                         "[0.99999999875, 0, -0.5e-4, 0], \"shape\": {\"class\": \"Cuboid\", "
                         "\"size\": [0.1, 0.1, 1]}},"
                         "{\"class\": \"SphericalJoint\", \"name\": \"j\", \"body_b\": \"b\"}");
    for (int k = 1; k < 8; k++) {
        sim_run(&s, 0.2 * k);
        CHECK_NEAR(body_frame(&s, "b").p[0] / (0.5 * A), cos(w * 0.2 * k), 1e-6);
    }
    sim_close(&s);
}

TEST(a_spherical_pendulum_keeps_energy_and_vertical_momentum) {
    Sim s;
    sim_open(&s,
             GRAVITY "{\"class\": \"RigidBody\", \"name\": \"b\", \"position\": [0.6, 0, -0.8], "
                     "\"velocity\": [0.8, 1.2, 0.6], \"angular_velocity\": [0.96, -1, 0.72], "
                     "\"mass\": 2, \"inertia\": [[1, 0, 0], [0, 1.5, 0], [0, 0, 2]]},"
                     "{\"class\": \"SphericalJoint\", \"name\": \"j\", \"body_b\": \"b\"}");
    sim_run(&s, 1e-6);
    const CdSensorInput begin = sense_system(&s);
    sim_run(&s, 3);
    const CdSensorInput end = sense_system(&s);
    CHECK_NEAR(end.energy[0] + end.energy[1], begin.energy[0] + begin.energy[1], 1e-6);
    CHECK_NEAR(end.momentum[5], begin.momentum[5], 1e-7);
    // the others do change
    CHECK(fabs(end.momentum[3] - begin.momentum[3]) > 0.1);
    sim_close(&s);
}

#define BAR(cls, rest)                                                           \
    "{\"class\": \"" cls "\", \"name\": \"b\", \"position\": [0.5, 0, 0], " rest \
    "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.1]}},"

// the same bar, by joints in the plane and in space
TEST(hinges_in_the_plane_and_in_space_agree) {
    static const char *const items[] = {
        GRAVITY_Y BAR("RigidBody2D", "") "{\"class\": \"PlanarRevoluteJoint\", \"name\": \"j\", "
                                         "\"body_b\": \"b\"}",
        GRAVITY_Y BAR("RigidBody", "") "{\"class\": \"RevoluteJoint\", \"name\": \"j\", "
                                       "\"body_b\": \"b\"}",
        GRAVITY_Y BAR("RigidBody", "") "{\"class\": \"GenericJoint\", \"name\": \"j\", "
                                       "\"body_b\": \"b\", \"rz\": false}",
    };
    // equal to a point pendulum of length J/(m l), J about the hinge
    const double length = (1.01 / 12 + 0.25) / 0.5, t = 2;
    double theta, rate;
    swing(t * sqrt(G / length / SWING_GRAVITY), &theta, &rate);
    for (int k = 0; k < 3; k++) {
        Sim s;
        sim_open(&s, items[k]);
        sim_run(&s, t);
        near3(body_frame(&s, "b").p, 0.5 * sin(theta), -0.5 * cos(theta), 0, 1e-7);
        sim_close(&s);
    }
}

// ---- two bodies

// two cubes welded at a face move as the bar that they are
TEST(welded_cubes_are_one_bar) {
    CdFrame one, two;
    Sim s;
    sim_open(&s, GRAVITY "{\"class\": \"RigidBody\", \"name\": \"a\", \"position\": [-0.5, 0, 0], "
                         "\"velocity\": [0, -0.5, 1], \"angular_velocity\": [3, 2, 1], "
                         "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 1, 1]}},"
                         "{\"class\": \"RigidBody\", \"name\": \"b\", \"position\": [0.5, 0, 0], "
                         "\"velocity\": [0, 0.5, -1], \"angular_velocity\": [3, 2, 1], "
                         "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 1, 1]}},"
                         "{\"class\": \"FixedJoint\", \"name\": \"j\", \"body_a\": \"a\", "
                         "\"body_b\": \"b\"}");
    sim_run(&s, 1);
    one = body_frame(&s, "b");
    sim_close(&s);
    sim_open(&s, GRAVITY "{\"class\": \"RigidBody\", \"name\": \"b\", \"angular_velocity\": "
                         "[3, 2, 1], \"shape\": {\"class\": \"Cuboid\", \"size\": [2, 1, 1]}}");
    sim_run(&s, 1);
    two = body_frame(&s, "b");
    sim_close(&s);
    for (int i = 0; i < 9; i++) CHECK_NEAR(one.R[i], two.R[i], 1e-7);
    for (int i = 0; i < 3; i++) CHECK_NEAR(one.p[i], two.p[i] + 0.5 * two.R[3 * i], 1e-7);
}

// two shafts at an angle beta: tan(out) = tan(in)/cos(beta)
TEST(a_cardan_shaft_turns_unevenly) {
    Sim s;
    sim_open(&s,
             "{\"class\": \"RigidBody\", \"name\": \"in\", \"shape\": {\"class\": \"Cylinder\", "
             "\"radius\": 0.1, \"length\": 1}, \"angular_velocity\": [0, 0, 2]},"
             "{\"class\": \"RigidBody\", \"name\": \"out\", \"orientation\": "
             "[0.9659258262890683, 0, 0.25881904510252074, 0], \"shape\": {\"class\": "
             "\"Cylinder\", \"radius\": 0.1, \"length\": 1}, \"angular_velocity\": "
             "[1.1547005383792515, 0, 2]},"
             "{\"class\": \"Marker\", \"name\": \"fork_in\", \"body\": \"in\"},"
             "{\"class\": \"Marker\", \"name\": \"fork_out\", \"body\": \"out\"},"
             "{\"class\": \"RevoluteJoint\", \"name\": \"bearing\", \"body_b\": \"in\"},"
             "{\"class\": \"JointMotion\", \"name\": \"motor\", \"joint\": \"bearing\", "
             "\"motion\": \"2*t\"},"
             "{\"class\": \"UniversalJoint\", \"name\": \"cross\", \"marker_a\": \"fork_in\", "
             "\"marker_b\": \"fork_out\"},"
             "{\"class\": \"GenericJoint\", \"name\": \"sleeve\", \"body_b\": \"out\", \"axis\": "
             "[0.5, 0, 0.8660254037844386], \"x\": false, \"y\": false, \"z\": false, \"rz\": "
             "false}");
    for (int k = 1; k <= 20; k++) {
        sim_run(&s, 0.25 * k);
        const CdFrame in = body_frame(&s, "in"), out = body_frame(&s, "out");
        CHECK_NEAR(in.R[3], sin(0.5 * k), 1e-8);
        // axis of the cross on the output fork, in the plane across the output shaft: angle from y
        const double across = 0.8660254037844386 * out.R[1] - 0.5 * out.R[7];
        const double angle = atan2(-across, out.R[4]);
        // x of the input fork stays across y of the output fork:
        //   sin(angle) cos(beta) cos(in) = cos(angle) sin(in)
        CHECK_NEAR(
            remainder(angle - atan2(sin(0.5 * k), 0.8660254037844386 * cos(0.5 * k)), 2 * PI), 0,
            1e-8);
    }
    sim_close(&s);
}

// ---- drives

// a bar on a hinge, angle 1.5 t^2: M = J 3 + m g l cos(angle), many turns later
TEST(a_driven_hinge_needs_its_torque) {
    const double m = 1000 * 0.01, J = m * (1.01 / 12 + 0.25);
    Sim s;
    sim_open(&s, "{\"class\": \"JointMotion\", \"name\": \"motor\", \"joint\": \"j\", \"motion\": "
                 "\"1.5*t^2\"}," GRAVITY_Y BAR(
                     "RigidBody",
                     "") "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": \"b\"}");
    for (int k = 1; k <= 4; k++) {
        sim_run(&s, 1.5 * k);
        const double angle = 1.5 * 2.25 * k * k;
        const CdSensorInput motor = sense_joint(&s, "motor"), hinge = sense_joint(&s, "j");
        CHECK_NEAR(remainder(hinge.coordinates[0] - angle, 2 * PI), 0, 1e-8);
        near3(motor.wrench, 0, 0, 0, 1e-10);
        near3(motor.wrench + 3, 0, 0, 3 * J + m * G * 0.5 * cos(angle), 1e-5);
        CHECK_NEAR(hinge.wrench[5], 0, 1e-10);
    }
    sim_close(&s);
}

TEST(a_driven_slider_needs_its_force) {
    Sim s;
    sim_open(&s,
             GRAVITY "{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 5, \"inertia\": "
                     "[[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"velocity\": [0, 0, 0.6]},"
                     "{\"class\": \"PrismaticJoint\", \"name\": \"j\", \"body_b\": \"b\"},"
                     "{\"class\": \"JointMotion\", \"name\": \"jack\", \"joint\": \"j\", "
                     "\"motion\": {\"class\": \"Harmonic\", \"amplitude\": 0.2, \"omega\": 3}}");
    sim_run(&s, 1.3);
    near3(body_frame(&s, "b").p, 0, 0, 0.2 * sin(3.9), 1e-9);
    near3(sense_joint(&s, "jack").wrench, 0, 0, 5 * (G - 0.2 * 9 * sin(3.9)), 1e-6);
    sim_close(&s);
}

// a wheel that rolls on both coordinates of a sleeve: a screw of pitch h by two drives
TEST(both_coordinates_of_a_sleeve_may_be_driven) {
    Sim s;
    sim_open(&s, "{\"class\": \"RigidBody\", \"name\": \"b\", \"velocity\": [0, 0, 0.5], "
                 "\"angular_velocity\": [0, 0, 10], \"shape\": {\"class\": \"Tube\", \"radius\": "
                 "0.2, \"inner_radius\": 0.1, \"length\": 1}},"
                 "{\"class\": \"CylindricalJoint\", \"name\": \"j\", \"body_b\": \"b\"},"
                 "{\"class\": \"JointMotion\", \"name\": \"turn\", \"joint\": \"j\", "
                 "\"coordinate\": \"angle\", \"motion\": \"10*t\"},"
                 "{\"class\": \"JointMotion\", \"name\": \"feed\", \"joint\": \"j\", "
                 "\"coordinate\": \"position\", \"motion\": \"0.5*t\"}");
    sim_run(&s, 3);
    const CdFrame f = body_frame(&s, "b");
    near3(f.p, 0, 0, 1.5, 1e-9);
    CHECK_NEAR(f.R[3], sin(30), 1e-8);
    sim_close(&s);
}

// ---- coordinates

#define WHEEL(name, inertia, rate)                                                           \
    "{\"class\": \"Rotor\", \"name\": \"" name "\", \"inertia\": " inertia                   \
    ", \"angular_velocity\": " rate "}, {\"class\": \"CoordinateMarker\", \"name\": \"" name \
    "_angle\", \"body\": \"" name "\", \"coordinate\": \"angle\"},"

// angle 1 = -3 angle 2: the torque M on wheel 1 turns both, (J1 + J2/9) angle 1'' = M; many turns
TEST(a_coupling_makes_a_gear) {
    const double M = 6, J = 0.5 + 0.9 / 9, t = 3;
    Sim s;
    sim_open(
        &s,
        WHEEL("one", "0.5", "0") WHEEL(
            "two", "0.9",
            "0") "{\"class\": \"CoordinateCoupling\", \"name\": \"gear\", \"markers\": "
                 "[\"one_angle\", \"two_angle\"], \"factors\": [1, 3]},"
                 "{\"class\": \"CoordinateLoad\", \"name\": \"motor\", \"marker\": \"one_angle\", "
                 "\"force\": 6}");
    sim_run(&s, t);
    CHECK_NEAR(s.at->q[0], M / J * t * t / 2, 1e-8);
    CHECK_NEAR(s.at->q[1], -M / J * t * t / 6, 1e-8);
    // the teeth take what wheel 2 needs: M v' - f + k lambda = 0
    CHECK_NEAR(s.at->lambda[0], M - 0.5 * M / J, 1e-9);
    sim_close(&s);
}

// a pinion of radius 0.2 on a rack that falls: (m + J/r^2) x'' = m g
TEST(a_coupling_makes_a_rack) {
    Sim s;
    sim_open(&s, GRAVITY WHEEL(
                     "pinion", "0.1",
                     "0") "{\"class\": \"MassPoint1D\", \"name\": \"rack\", \"axis\": [0, 0, -1], "
                          "\"mass\": 4},"
                          "{\"class\": \"CoordinateMarker\", \"name\": \"x\", \"body\": \"rack\", "
                          "\"coordinate\": \"s\"},"
                          "{\"class\": \"CoordinateCoupling\", \"name\": \"teeth\", \"markers\": "
                          "[\"x\", \"pinion_angle\"], \"factors\": [1, -0.2]}");
    sim_run(&s, 2);
    const double x = 4 * G / (4 + 0.1 / 0.04) * 2;
    CHECK_NEAR(s.at->q[1], x, 1e-8);
    CHECK_NEAR(s.at->q[0], x / 0.2, 1e-8);
    sim_close(&s);
}

// a differential: the mean of two wheels follows a function of time, their difference is free
TEST(a_coupling_may_be_driven) {
    Sim s;
    sim_open(&s, WHEEL("left", "0.5", "3") WHEEL(
                     "right", "0.5",
                     "1") "{\"class\": \"CoordinateCoupling\", \"name\": \"drive\", \"markers\": "
                          "[\"left_angle\", \"right_angle\"], \"factors\": [0.5, 0.5], \"offset\": "
                          "\"2*t + t^2\"}");
    sim_run(&s, 2);
    CHECK_NEAR(s.at->q[0], 8 + 2, 1e-8);
    CHECK_NEAR(s.at->q[1], 8 - 2, 1e-8);
    // each wheel is sped up by 2 rad/s^2: 0.5 kg m^2 times 2 + 0.5 lambda = 0
    CHECK_NEAR(s.at->lambda[0], -2, 1e-9);
    sim_close(&s);
}

int main(void) {
    RUN(a_point_on_a_line_falls_along_it);
    RUN(points_fly_on_parabolas);
    RUN(a_rotor_counts_its_turns);
    RUN(a_planar_body_is_a_projectile);
    RUN(a_free_symmetric_body_nutates);
    RUN(a_slider_on_an_incline);
    RUN(a_planar_slider_on_an_incline);
    RUN(a_cylindrical_joint_slides_and_turns);
    RUN(a_body_slides_and_turns_on_a_plane);
    RUN(a_rod_makes_a_pendulum_of_a_point);
    RUN(a_bar_on_a_ball_joint_swings_at_its_frequency);
    RUN(a_spherical_pendulum_keeps_energy_and_vertical_momentum);
    RUN(hinges_in_the_plane_and_in_space_agree);
    RUN(welded_cubes_are_one_bar);
    RUN(a_cardan_shaft_turns_unevenly);
    RUN(a_driven_hinge_needs_its_torque);
    RUN(a_driven_slider_needs_its_force);
    RUN(both_coordinates_of_a_sleeve_may_be_driven);
    RUN(a_coupling_makes_a_gear);
    RUN(a_coupling_makes_a_rack);
    RUN(a_coupling_may_be_driven);
    return test_end();
}
