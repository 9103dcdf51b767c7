// test_rotor.c - rotors of geared motors: inertia and friction of the relative rotation
#include <math.h>
#include <string.h>

#include "cardan/integrator.h"
#include "system/system.h"
#include "test.h"

#define MAX_TEXT 4096
#define MAX_STATE 32

static const char *const link_text =
    "{\"class\": \"RigidBody\", \"name\": \"link\", \"position\": [0.5, 0, 0], \"mass\": 2,"
    " \"inertia\": [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.2]], \"angular_velocity\": [0, 0, 3],"
    " \"velocity\": [0, 1.5, 0]},"
    "{\"class\": \"RevoluteJoint\", \"name\": \"hinge\", \"body_b\": \"link\", \"at\": [0, 0, 0],"
    " \"axis\": [0, 0, 1]}";

typedef struct Sim {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    CdIntegrator *it;
    double q[MAX_STATE], v[MAX_STATE];
} Sim;

static void sim_open(Sim *s, const char *items) {
    char text[MAX_TEXT];
    *s = (Sim){0};
    test_log_open(&s->log);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s%s]}", link_text, items);
    CHECK_OK(cdi_model_read_text(s->log.ctx, text, strlen(text), "x", &s->model));
    CHECK_OK(cdi_system_new(s->model, &s->system));
    CHECK_OK(cdi_system_work_new(s->system, NULL, &s->work));
    cdi_system_problem(s->work, &s->problem);
    cdi_system_start(s->system, s->q, s->v);
    CHECK_OK(cd_integrator_new(s->log.ctx, &s->problem, "dopri5(rtol=1e-10, atol=1e-10)", &s->it));
    CHECK_OK(cd_integrator_start(s->it, &(CdPoint){.q = s->q, .v = s->v}));
}

static void sim_close(Sim *s) {
    cd_integrator_free(s->it);
    cdi_system_work_free(s->work);
    cdi_system_free(s->system);
    cdi_model_free(s->model);
    CHECK_TEXT(s->log.text, "");
    test_log_close(&s->log);
}

// against the ground the inertia adds to that of the link: I = 0.2 + 2/4 + 50^2 4e-4
TEST(a_rotor_adds_the_square_of_its_ratio) {
    Sim s;
    sim_open(&s, ",{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]},"
                 "{\"class\": \"GearedRotor\", \"name\": \"motor\", \"body_b\": \"link\","
                 " \"inertia\": 4e-4, \"ratio\": -50}");
    const CdPoint *at = cd_integrator_now(s.it);
    CHECK_NEAR(at->vdot[5], -9.81 * 2 * 0.5 / (0.2 + 0.5 + 1), 1e-10);
    const CdEnergy e = cdi_system_energy(s.work, 0, at->q, at->v);
    CHECK_NEAR(e.kinetic, 0.5 * (0.2 + 0.5 + 1) * 9, 1e-12);
    sim_close(&s);
}

// without a load it runs down: w = 3 exp(-d t/I),  d = 10^2 0.02,  I = 0.7 + 10^2 0.01
TEST(friction_of_a_rotor_is_that_of_its_shaft) {
    Sim s;
    sim_open(&s, ",{\"class\": \"GearedRotor\", \"name\": \"motor\", \"body_b\": \"link\","
                 " \"inertia\": 0.01, \"damping\": 0.02, \"ratio\": 10}");
    CHECK_OK(cd_integrator_run(s.it, 1, NULL));
    CHECK_NEAR(cd_integrator_now(s.it)->v[5], 3 * exp(-2 / 1.7), 1e-8);
    sim_close(&s);
}

// what turns with both bodies alike has no energy of its own, and momentum is kept
TEST(a_rotor_between_bodies_knows_their_difference_only) {
    Sim s;
    sim_open(&s, ",{\"class\": \"RigidBody\", \"name\": \"tip\", \"position\": [1, 0, 0],"
                 " \"velocity\": [0, 3, 0], \"angular_velocity\": [0, 0, 8], \"mass\": 1,"
                 " \"inertia\": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]},"
                 "{\"class\": \"RevoluteJoint\", \"name\": \"wrist\", \"body_a\": \"link\","
                 " \"body_b\": \"tip\", \"at\": [1, 0, 0], \"axis\": [0, 0, 1]},"
                 "{\"class\": \"GearedRotor\", \"name\": \"motor\", \"body_a\": \"link\","
                 " \"body_b\": \"tip\", \"at\": [1, 0, 0], \"axis\": [0, 0, 1],"
                 " \"inertia\": 0.01, \"damping\": 0.05, \"ratio\": 4}");
    const CdPoint *at = cd_integrator_now(s.it);
    const double links = 0.5 * (0.7 * 9 + 9 + 0.1 * 64), start = (0.7 + 1) * 3 + 0.1 * 8;
    CHECK_NEAR(cdi_system_energy(s.work, 0, at->q, at->v).kinetic, links + 0.5 * 0.16 * 25, 1e-12);
    CHECK_OK(cd_integrator_run(s.it, 1, NULL));
    at = cd_integrator_now(s.it);
    CHECK_NEAR((0.7 + 1) * at->v[5] + 0.1 * at->v[11], start, 1e-7);
    // the difference decays with d over the inertia that it feels: (I + 1/(1/1.7 + 1/0.1))
    CHECK_NEAR(at->v[11] - at->v[5], 5 * exp(-0.8 / (0.16 + 1 / (1 / 1.7 + 10))), 1e-7);
    sim_close(&s);
}

int main(void) {
    RUN(a_rotor_adds_the_square_of_its_ratio);
    RUN(friction_of_a_rotor_is_that_of_its_shaft);
    RUN(a_rotor_between_bodies_knows_their_difference_only);
    return test_end();
}
