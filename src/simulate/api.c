// api.c - simulations step by step, as the public header offers them
#include <math.h>
#include <string.h>

#include "results/csv_file.h"
#include "simulate/session.h"

struct CdSimulation {
    CdContext *ctx;
    CdModel *model;
    CdSession session;
    bool started, known; // are values of channels those of the last step?
    CdCsvFile *csv;      // during a run
};

static CdStatus make(CdSimulation *s, const char *text) {
    CdMethod method;
    char integrator[CD_METHOD_MAX];
    CD_TRY(cdi_method_parse(s->ctx, text, &method));
    CD_TRY(cdi_method_integrator(s->ctx, &method, 0, integrator, sizeof integrator));
    CD_TRY(cdi_model_resolve(s->model));
    return cdi_session_open(&s->session, s->model, integrator, method.threads, NULL);
}

CdStatus cd_simulation_new(CdModel *model, const char *method, CdSimulation **sim) {
    CdSimulation *s = *sim = cdi_alloc(model->ctx, sizeof *s);
    if (!s) return CD_NOMEM;
    *s = (CdSimulation){.ctx = model->ctx, .model = model};
    model->users++;
    const CdStatus status = make(s, method);
    if (status != CD_OK) {
        cd_simulation_free(s);
        *sim = NULL;
    }
    return status;
}

void cd_simulation_free(CdSimulation *s) {
    if (!s) return;
    s->model->users--;
    cdi_session_close(&s->session);
    cdi_free(s->ctx, s);
}

// ---- in time

CdStatus cd_simulation_start(CdSimulation *s) {
    s->known = s->started = false;
    CD_TRY(cdi_session_start(&s->session));
    s->started = true;
    return CD_OK;
}

static CdStatus check_started(const CdSimulation *s) {
    if (s->started) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID,
                    "the simulation was not started; call cd_simulation_start before");
}

static CdStatus check_time(const CdSimulation *s, const char *what, double t) {
    if (isfinite(t) && t > cd_integrator_now(s->session.it)->t) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID,
                    "%s must lie after the time of the simulation, %g s; it is %g", what,
                    cd_integrator_now(s->session.it)->t, t);
}

CdStatus cd_simulation_step(CdSimulation *s, double t_limit) {
    CD_TRY(check_started(s));
    CD_TRY(check_time(s, "t_limit", t_limit));
    s->known = false;
    return cd_integrator_step(s->session.it, t_limit);
}

static CdStatus sample(void *user, const CdPoint *at) {
    CdSimulation *s = user;
    CD_TRY(cdi_channels_eval(s->session.channels, s->session.work, at, s->session.values));
    return s->csv ? cdi_csv_file_row(s->csv, at->t, s->session.values) : CD_OK;
}

CdStatus cd_simulation_run(CdSimulation *s, double t_end, double interval, const char *csv) {
    CD_TRY(check_started(s));
    CD_TRY(check_time(s, "t_end", t_end));
    if (!(interval >= 0)) {
        return cdi_fail(s->ctx, CD_INVALID, "interval must not be negative; it is %g", interval);
    }
    if (csv) {
        CD_TRY(cdi_csv_file_open(s->ctx, csv, s->session.channels->v, s->session.channels->n,
                                 &s->csv));
    }
    const CdObserver observer = {.user = s, .interval = interval, .sample = sample};
    s->known = false;
    CdStatus status = cd_integrator_run(s->session.it, t_end, &observer);
    const CdStatus closed = cdi_csv_file_close(s->csv);
    s->csv = NULL;
    return status != CD_OK ? status : closed;
}

double cd_simulation_time(CdSimulation *s) {
    return s->started ? cd_integrator_now(s->session.it)->t : 0;
}

const CdPoint *cd_simulation_now(CdSimulation *s) {
    return s->started ? cd_integrator_now(s->session.it) : NULL;
}

const CdStatistics *cd_simulation_statistics(const CdSimulation *s) {
    return cd_integrator_statistics(s->session.it);
}

// ---- by name

int cd_simulation_channels(const CdSimulation *s) {
    return s->session.channels->n;
}

const char *cd_simulation_channel(const CdSimulation *s, int i, const char **unit) {
    if (i < 0 || i >= s->session.channels->n) return NULL;
    if (unit) *unit = s->session.channels->v[i].unit;
    return s->session.channels->v[i].name;
}

static CdStatus find_channel(const CdSimulation *s, const char *name, int *k) {
    CdSuggestion near = {.word = name};
    for (*k = 0; *k < s->session.channels->n; ++*k) {
        if (strcmp(s->session.channels->v[*k].name, name) == 0) return CD_OK;
        cdi_suggest_from(&near, s->session.channels->v[*k].name);
    }
    return cdi_fail(s->ctx, CD_NOTFOUND, "there is no channel '%s'%s%s%s", name,
                    near.name ? "; did you mean '" : "", near.name ? near.name : "",
                    near.name ? "'?" : "");
}

CdStatus cd_simulation_get(CdSimulation *s, const char *channel, double *value) {
    int k;
    CD_TRY(check_started(s));
    CD_TRY(find_channel(s, channel, &k));
    if (!s->known) {
        CD_TRY(cdi_channels_eval(s->session.channels, s->session.work,
                                 cd_integrator_now(s->session.it), s->session.values));
    }
    s->known = true;
    *value = s->session.values[k];
    return CD_OK;
}

static bool is_among(const char *const *names, int n, const char *name) {
    for (int i = 0; names && i < n; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}

CdStatus cd_simulation_set(CdSimulation *s, const char *name, double value) {
    const CdProblem *problem = &s->session.start.problem;
    CD_TRY(check_started(s));
    s->known = false;
    if (is_among(problem->u_names, problem->nu, name)) {
        return cd_integrator_set_input(s->session.it, name, value);
    }
    if (is_among(problem->p_names, problem->np, name)) {
        return cd_integrator_set_parameter(s->session.it, name, value);
    }
    return cdi_fail(s->ctx, CD_NOTFOUND, "the model has no parameter or input '%s' to be set",
                    name);
}

// ---- copies

size_t cd_simulation_save_size(const CdSimulation *s) {
    const size_t n = cd_integrator_save_size(s->session.it);
    return n > 0 ? n + cdi_channels_save_size(s->session.channels) : 0;
}

static CdStatus check_size(const CdSimulation *s, size_t size) {
    const size_t need = cd_simulation_save_size(s);
    if (need == 0) return cdi_fail(s->ctx, CD_INVALID, "the method cannot save its state");
    if (size == need) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID, "a saved state has %zu bytes here, not %zu", need, size);
}

CdStatus cd_simulation_save(CdSimulation *s, void *to, size_t size) {
    const size_t n = cd_integrator_save_size(s->session.it);
    CD_TRY(check_started(s));
    CD_TRY(check_size(s, size));
    cdi_channels_save(s->session.channels, (char *)to + n);
    return cd_integrator_save(s->session.it, to, n);
}

CdStatus cd_simulation_load(CdSimulation *s, const void *from, size_t size) {
    const size_t n = cd_integrator_save_size(s->session.it);
    CD_TRY(check_size(s, size));
    s->known = false;
    CD_TRY(cd_integrator_load(s->session.it, from, n));
    cdi_channels_load(s->session.channels, (const char *)from + n);
    s->started = true;
    return CD_OK;
}
