// api.c - simulations step by step, as the public header offers them
#include <math.h>
#include <string.h>

#include "results/csv_file.h"
#include "simulate/simulate.h"

struct CdSimulation {
    CdContext *ctx;
    CdModel *model;
    CdSystem *system;
    CdPool *pool;
    CdSystemWork *work;
    CdChannels *channels;
    CdIntegrator *it;
    double *block; // start values, then those of channels
    double *q, *v, *values;
    bool started, known; // are values those of the last step?
    CdCsvFile *csv;      // during a run
};

static CdStatus take_numbers(CdSimulation *s) {
    const size_t nq = (size_t)s->system->nq, nv = (size_t)s->system->nv;
    s->block = cdi_alloc_array(s->ctx, nq + nv + (size_t)s->channels->n + 1, sizeof *s->block);
    if (!s->block) return CD_NOMEM;
    s->q = s->block;
    s->v = s->q + nq;
    s->values = s->v + nv;
    return CD_OK;
}

static CdStatus make(CdSimulation *s, const char *text) {
    CdMethod method;
    CdProblem problem;
    char integrator[CD_METHOD_MAX];
    CD_TRY(cdi_method_parse(s->ctx, text, &method));
    CD_TRY(cdi_method_integrator(s->ctx, &method, 0, integrator, sizeof integrator));
    CD_TRY(cdi_model_resolve(s->model));
    CD_TRY(cdi_system_new(s->model, &s->system));
    if (method.threads > 1) CD_TRY(cd_pool_new(s->ctx, method.threads, &s->pool));
    CD_TRY(cdi_system_work_new(s->system, s->pool, &s->work));
    CD_TRY(cdi_channels_new(s->system, NULL, 0, &s->channels));
    CD_TRY(take_numbers(s));
    cdi_system_problem(s->work, &problem);
    return cd_integrator_new(s->ctx, &problem, integrator, &s->it);
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
    CdContext *ctx = s->ctx;
    s->model->users--;
    cd_integrator_free(s->it);
    cdi_channels_free(s->channels);
    cdi_system_work_free(s->work);
    cd_pool_free(s->pool);
    cdi_system_free(s->system);
    cdi_free(ctx, s->block);
    cdi_free(ctx, s);
}

// ---- in time

CdStatus cd_simulation_start(CdSimulation *s) {
    s->known = s->started = false;
    cdi_channels_restart(s->channels);
    cdi_system_start(s->system, s->q, s->v);
    CD_TRY(cd_integrator_start(s->it, &(CdPoint){.q = s->q, .v = s->v}));
    s->started = true;
    return CD_OK;
}

static CdStatus check_started(const CdSimulation *s) {
    if (s->started) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID,
                    "the simulation was not started; call cd_simulation_start before");
}

static CdStatus check_time(const CdSimulation *s, const char *what, double t) {
    if (isfinite(t) && t > cd_integrator_now(s->it)->t) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID,
                    "%s must lie after the time of the simulation, %g s; it is %g", what,
                    cd_integrator_now(s->it)->t, t);
}

CdStatus cd_simulation_step(CdSimulation *s, double t_limit) {
    CD_TRY(check_started(s));
    CD_TRY(check_time(s, "t_limit", t_limit));
    s->known = false;
    return cd_integrator_step(s->it, t_limit);
}

static CdStatus sample(void *user, const CdPoint *at) {
    CdSimulation *s = user;
    CD_TRY(cdi_channels_eval(s->channels, s->work, at, s->values));
    return s->csv ? cdi_csv_file_row(s->csv, at->t, s->values) : CD_OK;
}

CdStatus cd_simulation_run(CdSimulation *s, double t_end, double interval, const char *csv) {
    CD_TRY(check_started(s));
    CD_TRY(check_time(s, "t_end", t_end));
    if (!(interval >= 0)) {
        return cdi_fail(s->ctx, CD_INVALID, "interval must not be negative; it is %g", interval);
    }
    if (csv) {
        CD_TRY(cdi_csv_file_open(s->ctx, csv, s->channels->v, s->channels->n, &s->csv));
    }
    const CdObserver observer = {.user = s, .interval = interval, .sample = sample};
    s->known = false;
    CdStatus status = cd_integrator_run(s->it, t_end, &observer);
    const CdStatus closed = cdi_csv_file_close(s->csv);
    s->csv = NULL;
    return status != CD_OK ? status : closed;
}

double cd_simulation_time(CdSimulation *s) {
    return s->started ? cd_integrator_now(s->it)->t : 0;
}

const CdPoint *cd_simulation_now(CdSimulation *s) {
    return s->started ? cd_integrator_now(s->it) : NULL;
}

const CdStatistics *cd_simulation_statistics(const CdSimulation *s) {
    return cd_integrator_statistics(s->it);
}

// ---- by name

int cd_simulation_channels(const CdSimulation *s) {
    return s->channels->n;
}

const char *cd_simulation_channel(const CdSimulation *s, int i, const char **unit) {
    if (i < 0 || i >= s->channels->n) return NULL;
    if (unit) *unit = s->channels->v[i].unit;
    return s->channels->v[i].name;
}

static CdStatus find_channel(const CdSimulation *s, const char *name, int *k) {
    CdSuggestion near = {.word = name};
    for (*k = 0; *k < s->channels->n; ++*k) {
        if (strcmp(s->channels->v[*k].name, name) == 0) return CD_OK;
        cdi_suggest_from(&near, s->channels->v[*k].name);
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
        CD_TRY(cdi_channels_eval(s->channels, s->work, cd_integrator_now(s->it), s->values));
    }
    s->known = true;
    *value = s->values[k];
    return CD_OK;
}

static bool is_among(const char *const *names, int n, const char *name) {
    for (int i = 0; names && i < n; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}

CdStatus cd_simulation_set(CdSimulation *s, const char *name, double value) {
    CdProblem problem;
    CD_TRY(check_started(s));
    cdi_system_problem(s->work, &problem);
    s->known = false;
    if (is_among(problem.u_names, problem.nu, name)) {
        return cd_integrator_set_input(s->it, name, value);
    }
    if (is_among(problem.p_names, problem.np, name)) {
        return cd_integrator_set_parameter(s->it, name, value);
    }
    return cdi_fail(s->ctx, CD_NOTFOUND, "the model has no parameter or input '%s' to be set",
                    name);
}

// ---- copies

size_t cd_simulation_save_size(const CdSimulation *s) {
    const size_t n = cd_integrator_save_size(s->it);
    return n > 0 ? n + cdi_channels_save_size(s->channels) : 0;
}

static CdStatus check_size(const CdSimulation *s, size_t size) {
    const size_t need = cd_simulation_save_size(s);
    if (need == 0) return cdi_fail(s->ctx, CD_INVALID, "the method cannot save its state");
    if (size == need) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID, "a saved state has %zu bytes here, not %zu", need, size);
}

CdStatus cd_simulation_save(CdSimulation *s, void *to, size_t size) {
    const size_t n = cd_integrator_save_size(s->it);
    CD_TRY(check_started(s));
    CD_TRY(check_size(s, size));
    cdi_channels_save(s->channels, (char *)to + n);
    return cd_integrator_save(s->it, to, n);
}

CdStatus cd_simulation_load(CdSimulation *s, const void *from, size_t size) {
    const size_t n = cd_integrator_save_size(s->it);
    CD_TRY(check_size(s, size));
    s->known = false;
    CD_TRY(cd_integrator_load(s->it, from, n));
    cdi_channels_load(s->channels, (const char *)from + n);
    s->started = true;
    return CD_OK;
}
