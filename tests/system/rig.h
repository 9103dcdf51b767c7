// rig.h - a model of a few items, assembled, run and looked at through its channels
#ifndef CARDAN_TESTS_SYSTEM_RIG_H
#define CARDAN_TESTS_SYSTEM_RIG_H

#include <math.h>
#include <string.h>

#include "cardan/integrator.h"
#include "system/channels.h"
#include "test.h"

#define MAX_CHANNELS 64
#define MAX_TEXT 8192
#define MAX_STATE 64

typedef struct Rig {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    CdChannels *channels;
    CdIntegrator *it;
    double values[MAX_CHANNELS];
} Rig;

// the channels that match; npatterns 0: all
static inline bool rig_read(Rig *r, const char *items, const char *const *patterns, int npatterns) {
    char text[MAX_TEXT + 64]; // items and what stands around them
    *r = (Rig){0};
    test_log_open(&r->log);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s]}", items);
    CHECK_OK(cdi_model_read_text(r->log.ctx, text, strlen(text), "x.json", &r->model));
    if (!r->model) printf("%s", r->log.text);
    if (!r->model) return false;
    CHECK_OK(cdi_system_new(r->model, &r->system));
    CHECK_OK(cdi_system_work_new(r->system, NULL, &r->work));
    CHECK_OK(cdi_channels_new(r->system, patterns, npatterns, &r->channels));
    cdi_system_problem(r->work, &r->problem);
    return r->channels != NULL;
}

static inline bool rig_start(Rig *r, const char *method) {
    double q[MAX_STATE], v[MAX_STATE];
    cdi_system_start(r->system, q, v);
    CHECK_OK(cd_integrator_new(r->log.ctx, &r->problem, method, &r->it));
    if (!r->it) printf("%s", r->log.text);
    if (!r->it) return false;
    CHECK_OK(cd_integrator_start(r->it, &(CdPoint){.q = q, .v = v}));
    return true;
}

static inline void rig_sample(Rig *r, double t) {
    if (t > 0) CHECK_OK(cd_integrator_run(r->it, t, NULL));
    CHECK_OK(cdi_channels_eval(r->channels, r->work, cd_integrator_now(r->it), r->values));
}

static inline void rig_close(Rig *r) {
    cd_integrator_free(r->it);
    cdi_channels_free(r->channels);
    cdi_system_work_free(r->work);
    cdi_system_free(r->system);
    cdi_model_free(r->model);
    CHECK_TEXT(r->log.text, "");
    test_log_close(&r->log);
}

static inline double value(const Rig *r, const char *name) {
    for (int i = 0; i < r->channels->n; i++) {
        if (strcmp(r->channels->v[i].name, name) == 0) return r->values[i];
    }
    return CHECK(!"channel is there") ? 0 : NAN;
}

#endif
