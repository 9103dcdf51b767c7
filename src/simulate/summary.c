// summary.c - what came out of a run as members of a JSON object: for the command line, the log
// and Python alike
#include <inttypes.h>
#include <stdio.h>

#include "simulate/simulate.h"

static double total(CdEnergy e) {
    return e.kinetic + e.gravity + e.elastic;
}

static void text(CdJsonWriter *w, const char *key, const char *value) {
    cdi_json_key_text(w, key, value ? value : "");
}

static void write_counters(CdJsonWriter *w, const CdStatistics *n) {
    const struct {
        const char *key;
        int64_t value;
    } counters[] = {
        {"steps", n->steps},         {"rejected", n->rejected}, {"evaluations", n->evaluations},
        {"jacobians", n->jacobians}, {"factors", n->factors},   {"iterations", n->iterations}};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        cdi_json_key_integer(w, counters[i].key, counters[i].value);
    }
}

static void write_joints(CdJsonWriter *w, const CdRunSummary *s) {
    cdi_json_key(w, "not_unique");
    cdi_json_begin_array(w, true);
    for (int i = 0; i < s->njoints && i < CD_SUMMARY_JOINTS; i++) cdi_json_string(w, s->joints[i]);
    cdi_json_end_array(w);
}

void cdi_signs_write(const CdiSigns *s, CdJsonWriter *w) {
    cdi_json_key(w, "inertia");
    if (!s->known) {
        cdi_json_null(w);
        return;
    }
    cdi_json_begin_object(w);
    cdi_json_key_integer(w, "positive", s->positive);
    cdi_json_key_integer(w, "negative", s->negative);
    cdi_json_key_integer(w, "left_out", s->left_out);
    cdi_json_key_integer(w, "replaced", s->replaced);
    cdi_json_key(w, "expected");
    if (s->judged) {
        cdi_json_bool(w, s->expected);
    } else {
        cdi_json_null(w);
    }
    cdi_json_end_object(w);
}

void cdi_run_summary_write(const CdRunSummary *s, CdStatus status, CdJsonWriter *w) {
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, s->hash);
    text(w, "reason", cd_status_name(status));
    text(w, "method", s->method);
    text(w, "path", s->stats.path);
    cdi_json_key_integer(w, "dof", s->dof);
    cdi_json_key_bool(w, "redundant", s->redundant);
    write_joints(w, s);
    cdi_json_key_integer(w, "islands", s->islands);
    cdi_json_key_number(w, "t_start", s->t_start);
    cdi_json_key_number(w, "t_end", s->t_end);
    cdi_json_key_integer(w, "samples", s->samples);
    cdi_json_key_number(w, "start_wall_time", s->start_wall_time);
    cdi_json_key_number(w, "start_cpu_time", s->start_cpu_time);
    cdi_json_key_number(w, "wall_time", s->wall_time);
    cdi_json_key_number(w, "cpu_time", s->cpu_time);
    write_counters(w, &s->stats);
    cdi_signs_write(&s->inertia, w);
    cdi_json_key_number(w, "energy_start", total(s->energy_start));
    cdi_json_key_number(w, "energy_end", total(s->energy_end));
    cdi_json_key_number(w, "residual_position", s->residual[0]);
    cdi_json_key_number(w, "residual_velocity", s->residual[1]);
    text(w, "state", hash);
}
