// pendulum.c - a pendulum built in C, stepped by hand, compared with its equation
//
//   phi'' = -(m g s / (J + m s^2)) cos phi       small steps of the same equation as reference
#include <math.h>
#include <stdio.h>

#include "cardan/model.h"

#define LENGTH 1.0
#define T_END 2.0

static void show(void *user, const CdMessage *message) {
    char text[1000];
    (void)user;
    cd_message_format(message, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}

// a rod of 1 m on a hinge at the origin
static CdStatus build(CdModel *model) {
    CdItem *link, *hinge, *gravity;
    CdStatus status = cd_model_add(model, "RigidBody", "link", &link);
    if (status == CD_OK) status = cd_model_add(model, "RevoluteJoint", "hinge", &hinge);
    if (status == CD_OK) status = cd_model_add(model, "Gravity", "gravity", &gravity);
    if (status != CD_OK) return status;
    const double at[] = {LENGTH / 2, 0, 0}, down[] = {0, -9.81, 0};
    if (status == CD_OK) status = cd_item_set_reals(link, "position", at, 3);
    if (status == CD_OK) status = cd_item_set_real(link, "mass", 1);
    if (status == CD_OK) {
        status = cd_item_set_json(link, "inertia", "[[1e-4, 0, 0], [0, 0.08, 0], [0, 0, 0.08]]");
    }
    if (status == CD_OK) status = cd_item_set_text(hinge, "body_b", "link");
    if (status == CD_OK) status = cd_item_set_reals(gravity, "acceleration", down, 3);
    return status;
}

// position of the middle by very small steps of the equation
static double exact_x(double t) {
    const double c = 9.81 * LENGTH / 2 / (0.08 + LENGTH * LENGTH / 4);
    const int n = 200000;
    const double h = t / n;
    double phi = 0, w = -h / 2 * c; // velocity half a step ahead
    for (int i = 0; i < n; i++) {
        phi += h * w;
        w -= h * c * cos(phi);
    }
    return LENGTH / 2 * cos(phi);
}

static CdStatus simulate(CdModel *model, double *x) {
    CdSimulation *sim;
    CdStatus status = cd_simulation_new(model, "gen-alpha(step=0.001, adaptive=false)", &sim);
    if (status == CD_OK) status = cd_simulation_start(sim);
    while (status == CD_OK && cd_simulation_time(sim) < T_END) {
        status = cd_simulation_step(sim, T_END);
    }
    if (status == CD_OK) status = cd_simulation_get(sim, "link.x", x);
    cd_simulation_free(sim);
    return status;
}

int main(void) {
    CdContext *ctx = cd_context_new(NULL);
    CdModel *model = NULL;
    double x = NAN;
    cd_context_set_sink(ctx, show, NULL);
    CdStatus status = cd_model_new(ctx, &model);
    if (status == CD_OK) status = build(model);
    if (status == CD_OK) status = simulate(model, &x);
    cd_model_free(model);
    cd_context_free(ctx);
    const double error = fabs(x - exact_x(T_END));
    printf("x = %.6f m at t = %g s, error %.1e m\n", x, T_END, error);
    return status == CD_OK && error < 1e-4 ? 0 : 1;
}
