// api.c - simulations step by step, as the public header offers them
#include <math.h>
#include <string.h>

#include "results/csv_file.h"
#include "simulate/session.h"

struct CdSimulation {
    CdContext *ctx;
    CdModel *model;
    CdSession session;
    bool started, known;   // are values of channels those of the last step?
    const CdRowSink *sink; // during a run; NULL: none
    // parameters of the model that were set in this simulation
    size_t nparams;
    CdSetting *settings; // nset of them; behind room for the next ones and for the old ones
    int nset;
};

static CdStatus make(CdSimulation *s, const char *text) {
    CdMethod method;
    char integrator[CD_METHOD_MAX];
    CD_TRY(cdi_method_parse(s->ctx, text, &method));
    CD_TRY(cdi_method_integrator(s->ctx, &method, 0, integrator, sizeof integrator));
    CD_TRY(cdi_model_resolve(s->model));
    s->nparams = s->model->params ? s->model->params->n : 0;
    s->settings = cdi_alloc_array(s->ctx, 3 * s->nparams + 1, sizeof *s->settings);
    if (!s->settings) return CD_NOMEM;
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
    cdi_free(s->ctx, s->settings);
    cdi_free(s->ctx, s);
}

// ---- in time

CdStatus cd_simulation_start(CdSimulation *s) {
    s->known = s->started = false;
    CD_TRY(cdi_session_start(&s->session));
    s->started = true;
    return CD_OK;
}

void cdi_simulation_stop(CdSimulation *s) {
    s->known = s->started = false;
}

static CdStatus check_started(const CdSimulation *s) {
    if (s->started) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID,
                    "the simulation was not started; call cd_simulation_start before");
}

static CdStatus check_time(const CdSimulation *s, const char *what, double t) {
    if (isfinite(t) && t > cd_integrator_now(s->session.it)->t) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID,
                    "%s must lie after the time of the simulation, %g s, not at %g", what,
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
    return s->sink ? s->sink->row(s->sink->user, at->t, s->session.values) : CD_OK;
}

static bool is_cancelled(void *user, double t) {
    const CdRowSink *sink = ((const CdSimulation *)user)->sink;
    return sink && sink->cancelled && sink->cancelled(sink->user, t);
}

static CdStatus check_run(const CdSimulation *s, double t_end, double interval) {
    CD_TRY(check_started(s));
    CD_TRY(check_time(s, "t_end", t_end));
    if (interval >= 0) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID, "interval must be positive, or 0 for every step, not %g",
                    interval);
}

CdStatus cdi_simulation_rows(CdSimulation *s, double t_end, double interval,
                             const CdRowSink *sink) {
    CD_TRY(check_run(s, t_end, interval));
    const CdObserver observer = {
        .user = s, .interval = interval, .sample = sample, .cancelled = is_cancelled};
    s->known = false;
    s->sink = sink;
    const CdStatus status = cd_integrator_run(s->session.it, t_end, &observer);
    s->sink = NULL;
    return status;
}

static CdStatus row_of_csv(void *user, double t, const double *values) {
    return cdi_csv_file_row(user, t, values);
}

CdStatus cd_simulation_run(CdSimulation *s, double t_end, double interval, const char *csv) {
    CdCsvFile *file = NULL;
    if (!csv) return cdi_simulation_rows(s, t_end, interval, NULL);
    CD_TRY(check_run(s, t_end, interval));
    CD_TRY(cdi_csv_file_open(s->ctx, csv, s->session.channels->v, s->session.channels->n, &file));
    const CdRowSink sink = {.user = file, .row = row_of_csv};
    const CdStatus status = cdi_simulation_rows(s, t_end, interval, &sink);
    const CdStatus closed = cdi_csv_file_close(file);
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

const CdChannel *cdi_simulation_channels(const CdSimulation *s, int *n) {
    *n = s->session.channels->n;
    return s->session.channels->v;
}

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

// ---- parameters

static int find_setting(const CdSetting *settings, int n, const char *name) {
    int k = 0;
    while (k < n && strcmp(settings[k].name, name) != 0) k++;
    return k;
}

// all parameters anew: those set, others as the model gives them
static CdStatus use_settings(CdSimulation *s, const CdSetting *settings, int n, bool running) {
    CdModel *variant = NULL;
    if (n > 0) CD_TRY(cdi_model_vary(s->model, settings, n, &variant));
    const CdStatus status = cdi_session_vary(&s->session, variant, running);
    if (status != CD_OK) {
        cdi_model_free(variant);
        return status;
    }
    memcpy(s->settings, settings, (size_t)n * sizeof *settings);
    s->nset = n;
    s->known = false;
    return CD_OK;
}

// the name as the model has it, which stays; NULL: it has none
static const char *own_name(const CdSimulation *s, const char *name) {
    for (size_t i = 0; i < s->nparams; i++) {
        if (strcmp(s->model->params->names[i], name) == 0) return s->model->params->names[i];
    }
    return NULL;
}

CdStatus cd_simulation_set(CdSimulation *s, const char *name, double value) {
    CdSetting *next = s->settings + s->nparams;
    const char *own = own_name(s, name);
    if (!isfinite(value)) {
        return cdi_fail(s->ctx, CD_INVALID, "parameter '%s' must be finite, not %g", name, value);
    }
    if (!own) return cdi_model_no_parameter(s->model, name);
    const int k = find_setting(s->settings, s->nset, own);
    memcpy(next, s->settings, (size_t)s->nset * sizeof *next);
    next[k] = cdi_setting_real(own, value);
    return use_settings(s, next, k < s->nset ? s->nset : k + 1, s->started);
}

CdStatus cd_simulation_parameter(const CdSimulation *s, const char *name, double *value) {
    const CdParams *params = s->nset > 0 ? s->session.variant->params : s->model->params;
    for (size_t i = 0; i < s->nparams; i++) {
        if (strcmp(params->names[i], name) != 0) continue;
        *value = params->values[i];
        return CD_OK;
    }
    return cdi_model_no_parameter(s->model, name);
}

// ---- copies

// of one parameter
typedef struct Kept {
    double value;
    int set;
} Kept;

static size_t params_size(const CdSimulation *s) {
    return s->nparams * sizeof(Kept);
}

static void save_params(const CdSimulation *s, char *to) {
    for (size_t i = 0; i < s->nparams; i++) {
        const int k = find_setting(s->settings, s->nset, s->model->params->names[i]);
        Kept kept;
        memset(&kept, 0, sizeof kept);
        kept.set = k < s->nset;
        kept.value = kept.set ? s->settings[k].value.number : 0;
        memcpy(to + i * sizeof kept, &kept, sizeof kept);
    }
}

static int read_params(const CdSimulation *s, const char *from, CdSetting *settings) {
    int n = 0;
    for (size_t i = 0; i < s->nparams; i++) {
        Kept kept;
        memcpy(&kept, from + i * sizeof kept, sizeof kept);
        if (!kept.set || !isfinite(kept.value)) continue;
        settings[n++] = cdi_setting_real(s->model->params->names[i], kept.value);
    }
    return n;
}

static bool is_in_force(const CdSimulation *s, const CdSetting *settings, int n) {
    bool same = n == s->nset;
    for (int i = 0; same && i < n; i++) {
        const int k = find_setting(s->settings, s->nset, settings[i].name);
        same = k < s->nset && s->settings[k].value.number == settings[i].value.number;
    }
    return same;
}

size_t cd_simulation_save_size(const CdSimulation *s) {
    const size_t n = cd_integrator_save_size(s->session.it);
    return n > 0 ? n + cdi_channels_save_size(s->session.channels) + params_size(s) : 0;
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
    save_params(s, (char *)to + size - params_size(s));
    return cd_integrator_save(s->session.it, to, n);
}

// the integrator reads its memory with the parameters in force; it refuses foreign bytes
CdStatus cd_simulation_load(CdSimulation *s, const void *from, size_t size) {
    const size_t n = cd_integrator_save_size(s->session.it);
    CD_TRY(check_size(s, size));
    CdSetting *next = s->settings + s->nparams, *old = next + s->nparams;
    const int nnext = read_params(s, (const char *)from + size - params_size(s), next);
    const int nold = s->nset;
    const bool other = !is_in_force(s, next, nnext);
    memcpy(old, s->settings, (size_t)nold * sizeof *old);
    if (other) CD_TRY(use_settings(s, next, nnext, false));
    s->known = false;
    const CdStatus status = cd_integrator_load(s->session.it, from, n);
    if (status != CD_OK) {
        if (other) CD_TRY(use_settings(s, old, nold, false));
        return status;
    }
    cdi_channels_load(s->session.channels, (const char *)from + n);
    s->started = true;
    return CD_OK;
}
