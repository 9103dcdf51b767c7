// run.c - a dynamic run: assemble, formulate, integrate, sample
#include <string.h>

#include "base/clock.h"
#include "integrators/driver.h"
#include "simulate/check.h"
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
    CdArena arena;
    CdStart start;
    double *values; // of channels
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
    r->values = CD_TAKE(&r->arena, double, (size_t)r->channels->n);
    return r->values ? CD_OK : CD_NOMEM;
}

// what the method allows constraints to be violated by at the start
static CdStatus start_tolerance(Run *r, const char *integrator, double *tol) {
    const CdIntegratorClass *cls;
    CdObject *options = NULL;
    CD_TRY(cdi_method_read(r->ctx, integrator, &cls, &options));
    const CdCommonOptions *common = cdi_object_data(options);
    *tol = common->start_tolerance;
    cdi_object_free(options);
    return CD_OK;
}

// the integrator at a start that meets the joints
static CdStatus formulate(Run *r, const char *integrator) {
    double tol;
    CD_TRY(start_tolerance(r, integrator, &tol));
    CD_TRY(cdi_start_make(r->work, &r->arena, tol, &r->start));
    const CdProblem *problem = &r->start.problem;
    r->summary->dof = r->system->nv - r->start.rank.rank;
    r->summary->redundant = problem->redundant > 0;
    CD_TRY(cd_integrator_new(r->ctx, problem, integrator, &r->it));
    CD_TRY(cd_integrator_start(r->it, &(CdPoint){.q = r->start.q, .v = r->start.v}));
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

// FNV-1a over the bits of numbers
static uint64_t hash_numbers(uint64_t hash, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        unsigned char bytes[sizeof *x];
        memcpy(bytes, &x[i], sizeof bytes);
        for (size_t k = 0; k < sizeof bytes; k++) hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    return hash;
}

static void summarise(Run *r) {
    CdRunSummary *s = r->summary;
    const CdPoint *at = cd_integrator_now(r->it);
    s->t_end = at->t;
    s->stats = *cd_integrator_statistics(r->it);
    s->energy_end = cdi_system_energy(r->work, at->t, at->q, at->v);
    s->hash = hash_numbers(14695981039346656037u, at->q, r->system->nq);
    s->hash = hash_numbers(s->hash, at->v, r->system->nv);
    cdi_system_residuals(r->work, at, s->residual);
}

static void finish(Run *r) {
    cd_integrator_free(r->it);
    cdi_channels_free(r->channels);
    cdi_system_work_free(r->work);
    cd_pool_free(r->pool);
    cdi_system_free(r->system);
    cdi_arena_clear(&r->arena);
}

CdStatus cdi_simulate_run(const CdModel *model, const CdRunOptions *o,
                          const CdRunObserver *observer, CdRunSummary *summary) {
    Run r = {.ctx = model->ctx, .observer = observer, .summary = summary};
    CdMethod method;
    char integrator[CD_METHOD_MAX];
    *summary = (CdRunSummary){0};
    cdi_arena_init(&r.arena, r.ctx, 0);
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
