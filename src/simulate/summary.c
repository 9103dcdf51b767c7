// summary.c - what came out of a run, as members of a JSON object
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "simulate/simulate.h"

static void key_text(CdJsonWriter *w, const char *key, const char *text) {
    cdi_json_key(w, key);
    cdi_json_string(w, text);
}

static void key_integer(CdJsonWriter *w, const char *key, int64_t x) {
    cdi_json_key(w, key);
    cdi_json_integer(w, x);
}

// JSON has no infinity and no NaN
static void key_number(CdJsonWriter *w, const char *key, double x) {
    cdi_json_key(w, key);
    if (isfinite(x)) {
        cdi_json_number(w, x);
    } else {
        cdi_json_null(w);
    }
}

static double total(CdEnergy e) {
    return e.kinetic + e.gravity + e.elastic;
}

void cdi_summary_write(const CdRunSummary *s, CdStatus status, CdJsonWriter *w) {
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, s->hash);
    key_text(w, "reason", cd_status_name(status));
    key_text(w, "method", s->method);
    key_text(w, "path", s->stats.path ? s->stats.path : "");
    key_integer(w, "dof", s->dof);
    cdi_json_key(w, "redundant");
    cdi_json_bool(w, s->redundant);
    key_number(w, "t_end", s->t_end);
    key_number(w, "wall_time", s->wall_time);
    key_number(w, "cpu_time", s->cpu_time);
    key_integer(w, "samples", s->samples);
    key_integer(w, "steps", s->stats.steps);
    key_integer(w, "rejected", s->stats.rejected);
    key_integer(w, "evaluations", s->stats.evaluations);
    key_integer(w, "jacobians", s->stats.jacobians);
    key_integer(w, "factors", s->stats.factors);
    key_integer(w, "iterations", s->stats.iterations);
    key_number(w, "energy_start", total(s->energy_start));
    key_number(w, "energy_end", total(s->energy_end));
    key_number(w, "residual_position", s->residual[0]);
    key_number(w, "residual_velocity", s->residual[1]);
    key_text(w, "state", hash);
}
