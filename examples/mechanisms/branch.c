// branch.c - one simulation of a chaotic mechanism, saved and continued twice: the same to the bit
//
// usage: branch double_pendulum.json
#include <stdio.h>
#include <stdlib.h>

#include "cardan/model.h"

static void show(void *user, const CdMessage *message) {
    char text[1000];
    (void)user;
    cd_message_format(message, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}

// from a saved state to t_end: where is the tip?
static CdStatus go_on(CdSimulation *sim, const void *saved, size_t n, double t_end, double tip[2]) {
    CdStatus status = cd_simulation_load(sim, saved, n);
    if (status == CD_OK) status = cd_simulation_run(sim, t_end, 0, NULL);
    if (status == CD_OK) status = cd_simulation_get(sim, "tip.x", &tip[0]);
    if (status == CD_OK) status = cd_simulation_get(sim, "tip.y", &tip[1]);
    if (status == CD_OK) printf("t = %g s: tip at %.12f, %.12f\n", t_end, tip[0], tip[1]);
    return status;
}

static CdStatus branch(CdSimulation *sim, bool *same) {
    double a[2], b[2];
    CdStatus status = cd_simulation_start(sim);
    if (status == CD_OK) status = cd_simulation_run(sim, 0.5, 0, NULL);
    if (status != CD_OK) return status;
    const size_t n = cd_simulation_save_size(sim);
    void *saved = malloc(n);
    status = saved ? cd_simulation_save(sim, saved, n) : CD_NOMEM;
    if (status == CD_OK) status = go_on(sim, saved, n, 1.5, a);
    if (status == CD_OK) status = go_on(sim, saved, n, 1.5, b);
    *same = status == CD_OK && a[0] == b[0] && a[1] == b[1];
    free(saved);
    return status;
}

int main(int argc, char **argv) {
    CdContext *ctx = cd_context_new(NULL);
    CdModel *model = NULL;
    CdSimulation *sim = NULL;
    bool same = false;
    cd_context_set_sink(ctx, show, NULL);
    CdStatus status = cd_model_read(ctx, argc > 1 ? argv[1] : "double_pendulum.json", &model);
    if (status == CD_OK)
        status = cd_simulation_new(model, "gen-alpha(step=0.002, adaptive=false)", &sim);
    if (status == CD_OK) status = branch(sim, &same);
    cd_simulation_free(sim);
    cd_model_free(model);
    cd_context_free(ctx);
    return status == CD_OK && same ? 0 : 1;
}
