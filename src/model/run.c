// run.c - the entries of "runs": what is to be simulated, how long and by which method
//
// Runs of a file are done one after the other. A run has a name, or is known by its number (1, 2,
// ...). One that goes on from the last takes over its time and state; its method begins anew, and
// angles of joints count turns from there. The first begins at the start of the model.
#include "model/model.h"

// more are surely a mistake in a unit
#define STEPS_MAX 1e10
#define SAMPLES_MAX 1e8

static const char *const analyses[] = {"dynamic", NULL};
static const char *const begins[] = {"last", "start", NULL};

#define FIELD(...) CD_FIELD(CdRunOptions, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(analysis, ENUM, "", "\"dynamic\"", "", "what is computed", .names = analyses),
    FIELD(begin, ENUM, "", "\"last\"", "",
          "where it begins: where the last run of the file ended, or at the start of the model",
          .names = begins),
    FIELD(duration, REAL, "s", NULL, "(0, inf)", "time to simulate"),
    FIELD(step, REAL, "s", "0", "[0, inf)", "step of the integrator; 0: by its error"),
    FIELD(interval, REAL, "s", "0", "[0, inf)", "between samples; 0: a hundredth of the duration"),
    FIELD(decimation, INT, "1", "0", "[0, 1000000000]",
          "samples after every n-th step of the integrator, in place of an interval; 0: by the "
          "interval"),
    FIELD(method, STRING, "", "\"auto\"", "", "how it is computed"),
    FIELD(channels, STRING, "", "[]", "", "patterns of what is sampled; none: all", .list = true),
    FIELD(scene, BOOL, "", "true", "",
          "logs hold poses of all bodies and forces of all links, for pictures"),
    FIELD(checkpoint, REAL, "s", "10", "[0, inf)",
          "time of the clock between states in the log from which the run can be resumed; 0: none"),
    FIELD(threads, INT, "1", "1", "[0, 256]",
          "threads that work on one step; 0: as many as pay for a model of this size"),
};

static CdStatus finish(CdReader *r, void *data) {
    const CdRunOptions *o = data;
    CdStatus status = CD_OK;
    if (o->step > o->duration) {
        status = cdi_reject_field(r, "step", "is longer than the duration of %g s; make it shorter",
                                  o->duration);
    }
    if (o->step > 0 && o->duration / o->step > STEPS_MAX) {
        status = cdi_reject_field(r, "step", "would be taken %g times; at most %g are allowed",
                                  o->duration / o->step, STEPS_MAX);
    }
    if (o->interval > 0 && o->duration / o->interval > SAMPLES_MAX) {
        status = cdi_reject_field(r, "interval", "would give %g samples; at most %g are allowed",
                                  o->duration / o->interval, SAMPLES_MAX);
    }
    if (o->interval > 0 && o->decimation > 0) {
        status = cdi_reject_field(r, "decimation", "is given beside an interval; give one of them");
    }
    return status;
}

const CdDesc cd_run = {
    .name = "Run",
    .doc = "One simulation of a model",
    .size = sizeof(CdRunOptions),
    CD_FIELDS(fields),
    .finish = finish,
    .example = "{\"duration\": 10, \"step\": 0.001, \"method\": \"gen-alpha(rho=0.8)\"}",
};
