// run.c - a dynamic run: assemble, formulate, integrate, sample

#include "base/clock.h"
#include "base/hash.h"
#include "simulate/simulate.h"

#define DEFAULT_SAMPLES 100

// everything that lives as long as the run
typedef struct Run {
    CdContext *ctx;
    CdSystem *system;
    CdPool *pool;
    CdSystemWork *work;
    CdChannels *channels;
    CdIntegrator *it;
    double *block; // start values, then those of channels
    double *q, *v, *values;
    const CdRunObserver *observer;
    CdRunSummary *summary;
} Run;

static CdStatus sample(void *user, const CdPoint *at) {
    Run *r = user;
    CD_TRY(cdi_channels_eval(r->channels, r->work, at, r->values));
    r->summary->samples++;
    if (!r->observer || !r->observer->row) return CD_OK;
    return r->observer->row(r->observer->user, at->t, r->values);
}

static bool cancelled(void *user, double t) {
    const Run *r = user;
    return r->observer && r->observer->cancelled && r->observer->cancelled(r->observer->user, t);
}

static CdStatus assemble(Run *r, const CdModel *model, const CdRunOptions *o, int threads) {
    CD_TRY(cdi_system_new(model, &r->system));
    if (threads > 1) CD_TRY(cd_pool_new(r->ctx, threads, &r->pool));
    CD_TRY(cdi_system_work_new(r->system, r->pool, &r->work));
    CD_TRY(cdi_channels_new(r->system, o->channels.v, o->channels.n, &r->channels));
    const size_t nq = (size_t)r->system->nq, nv = (size_t)r->system->nv;
    r->block = cdi_alloc_array(r->ctx, nq + nv + (size_t)r->channels->n + 1, sizeof *r->block);
    if (!r->block) return CD_NOMEM;
    r->q = r->block;
    r->v = r->q + nq;
    r->values = r->v + nv;
    r->summary->dof = r->system->nv - r->system->ng;
    return CD_OK;
}

// the integrator at its start, with the model's start values
static CdStatus formulate(Run *r, const char *integrator) {
    CdProblem problem;
    cdi_system_problem(r->work, &problem);
    CD_TRY(cd_integrator_new(r->ctx, &problem, integrator, &r->it));
    cdi_system_start(r->system, r->q, r->v);
    CD_TRY(cd_integrator_start(r->it, &(CdPoint){.q = r->q, .v = r->v}));
    const CdPoint *at = cd_integrator_now(r->it);
    r->summary->energy_start = cdi_system_energy(r->work, at->t, at->q, at->v);
    return CD_OK;
}

static CdStatus integrate(Run *r, const CdRunOptions *o) {
    const CdObserver observer = {
        .user = r,
        .interval = o->interval > 0 ? o->interval : o->duration / DEFAULT_SAMPLES,
        .sample = sample,
        .cancelled = cancelled,
    };
    const int64_t wall = cdi_clock_ns(), cpu = cdi_clock_thread_ns();
    const CdStatus status = cd_integrator_run(r->it, o->duration, &observer);
    r->summary->wall_time = 1e-9 * (double)(cdi_clock_ns() - wall);
    r->summary->cpu_time = 1e-9 * (double)(cdi_clock_thread_ns() - cpu);
    return status;
}

static void summarise(Run *r) {
    CdRunSummary *s = r->summary;
    const CdPoint *at = cd_integrator_now(r->it);
    s->t_end = at->t;
    s->stats = *cd_integrator_statistics(r->it);
    s->energy_end = cdi_system_energy(r->work, at->t, at->q, at->v);
    s->hash = cdi_hash(CD_HASH_BEGIN, at->q, (size_t)r->system->nq * sizeof *at->q);
    s->hash = cdi_hash(s->hash, at->v, (size_t)r->system->nv * sizeof *at->v);
    cdi_system_residuals(r->work, at, s->residual);
}

static void finish(Run *r) {
    cd_integrator_free(r->it);
    cdi_channels_free(r->channels);
    cdi_system_work_free(r->work);
    cd_pool_free(r->pool);
    cdi_system_free(r->system);
    cdi_free(r->ctx, r->block);
}

CdStatus cdi_simulate_run(const CdModel *model, const CdRunOptions *o,
                          const CdRunObserver *observer, CdRunSummary *summary) {
    Run r = {.ctx = model->ctx, .observer = observer, .summary = summary};
    CdMethod method;
    char integrator[CD_METHOD_MAX];
    *summary = (CdRunSummary){0};
    CD_TRY(cdi_method_parse(r.ctx, o->method, &method));
    CD_TRY(cdi_method_integrator(r.ctx, &method, o->step, integrator, sizeof integrator));
    if (method.threads == 0) method.threads = o->threads;
    cdi_method_write(&method, summary->method, sizeof summary->method);
    CdStatus status = assemble(&r, model, o, method.threads);
    if (status == CD_OK) status = formulate(&r, integrator);
    if (status == CD_OK && observer && observer->begin) {
        status = observer->begin(observer->user, r.channels);
    }
    if (status == CD_OK) {
        status = integrate(&r, o);
        summarise(&r);
    }
    finish(&r);
    return status;
}
