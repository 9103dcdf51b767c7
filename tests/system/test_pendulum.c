// test_pendulum.c - a model from JSON to motion: the physical pendulum, in space, against its ODE
#include <math.h>
#include <string.h>

#include "cardan/integrator.h"
#include "system/system.h"
#include "test.h"

static const char *const text =
    "{\"cardan\": 1, \"parameters\": {\"L\": 1}, \"items\": ["
    "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]},"
    "{\"class\": \"RigidBody\", \"name\": \"link\", \"position\": [\"L/2\", 0, 0],"
    " \"shape\": {\"class\": \"Cuboid\", \"size\": [\"L\", 0.1, 0.2]}},"
    "{\"class\": \"RevoluteJoint\", \"name\": \"hinge\", \"body_b\": \"link\", \"at\": [0, 0, 0],"
    " \"axis\": [0, 0, 1]}]}";

// angle of the same pendulum by small steps of RK4: phi'' = -g m s cos(phi) / (J + m s^2)
static double angle(double t) {
    const double c = 9.81 * 0.5 / ((1 + 0.01) / 12 + 0.25);
    const int n = 20000;
    const double h = t / n;
    double p = 0, w = 0;
    for (int i = 0; i < n; i++) {
        const double k1 = -c * cos(p), p2 = p + h / 2 * w, w2 = w + h / 2 * k1;
        const double k2 = -c * cos(p2), p3 = p + h / 2 * w2, w3 = w + h / 2 * k2;
        const double k3 = -c * cos(p3), p4 = p + h * w3, w4 = w + h * k3, k4 = -c * cos(p4);
        p += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return p;
}

TEST(pendulum_falls_as_its_equation_says) {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    CdIntegrator *it;
    test_log_open(&log);
    CdContext *ctx = log.ctx;
    CHECK_OK(cdi_model_read_text(ctx, text, strlen(text), "x.json", &model));
    CHECK_OK(cdi_system_new(model, &system));
    CHECK_OK(cdi_system_work_new(system, NULL, &work));
    cdi_system_problem(work, &problem);
    CHECK(system->nv == 6 && system->nq == 7 && system->ng == 5);
    double q[7], v[6];
    cdi_system_start(system, q, v);
    CHECK_OK(cd_integrator_new(ctx, &problem, "rk4(step=0.001)", &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = q, .v = v}));
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    const CdPoint *at = cd_integrator_now(it);
    CHECK_NEAR(at->q[0], 0.5 * cos(angle(1)), 1e-9);
    CHECK_NEAR(at->q[1], 0.5 * sin(angle(1)), 1e-9);
    const CdEnergy e = cdi_system_energy(work, 1, at->q, at->v);
    CHECK_NEAR(e.kinetic + e.gravity, 0, 1e-8);
    cd_integrator_free(it);
    cdi_system_work_free(work);
    cdi_system_free(system);
    cdi_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

int main(void) {
    RUN(pendulum_falls_as_its_equation_says);
    return test_end();
}
