// sweep.c - a model from a file, changed and run again: the fall of a pendulum under weaker gravity
//
// usage: sweep pendulum.json
#include <math.h>
#include <stdio.h>

#include "cardan/model.h"

static void show(void *user, const CdMessage *message) {
    char text[1000];
    (void)user;
    cd_message_format(message, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}

// time until the tip stands below the hinge
static CdStatus time_of_fall(CdModel *model, double *t) {
    CdSimulation *sim;
    double x = 1, before = 1, t_before = 0;
    CdStatus status = cd_simulation_new(model, "gen-alpha(step=0.001, adaptive=false)", &sim);
    if (status == CD_OK) status = cd_simulation_start(sim);
    while (status == CD_OK && x > 0) {
        before = x;
        t_before = cd_simulation_time(sim);
        status = cd_simulation_step(sim, 10);
        if (status == CD_OK) status = cd_simulation_get(sim, "tip.x", &x);
    }
    // between the last two steps
    if (status == CD_OK) {
        *t = t_before + (cd_simulation_time(sim) - t_before) * before / (before - x);
    }
    cd_simulation_free(sim);
    return status;
}

// gravity weaker by n^2 makes everything slower by n
static CdStatus sweep(CdModel *model, bool *ok) {
    double first = 0;
    for (int n = 1; n <= 3; n++) {
        double t = 0;
        const double g[] = {0, -9.81 / (n * n), 0};
        CdStatus status = cd_item_set_reals(cd_model_find(model, "gravity"), "acceleration", g, 3);
        if (status == CD_OK) status = time_of_fall(model, &t);
        if (status != CD_OK) return status;
        if (n == 1) first = t;
        printf("g = %6.3f m/s^2: falls in %.4f s\n", -g[1], t);
        *ok = *ok && fabs(t - n * first) < 1e-4 * t;
    }
    return CD_OK;
}

int main(int argc, char **argv) {
    CdContext *ctx = cd_context_new(NULL);
    CdModel *model = NULL;
    bool ok = true;
    cd_context_set_sink(ctx, show, NULL);
    CdStatus status = cd_model_read(ctx, argc > 1 ? argv[1] : "pendulum.json", &model);
    if (status == CD_OK) status = sweep(model, &ok);
    cd_model_free(model);
    cd_context_free(ctx);
    return status == CD_OK && ok ? 0 : 1;
}
