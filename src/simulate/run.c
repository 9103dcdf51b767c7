// run.c - a dynamic run: assemble, formulate, integrate, sample
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "integrators/integrator.h"
#include "simulate/resume.h"
#include "system/scene.h"

#define DEFAULT_SAMPLES 100
// a step that has not ended so long after somebody wanted to stop is given up
#define PATIENCE_NS INT64_C(40000000)
// larger checkpoints are not made while somebody waits for the end; the last one is there
#define QUICK_BYTES ((size_t)4 << 20)

typedef struct Run {
    CdSession session;
    const CdRunObserver *observer;
    CdRunSummary *summary;
    CdRunEnd *end; // NULL: nobody goes on from there
    CdRunBegin rows;
    CdSceneNumbers scene; // n 0: not wanted
    double *values;       // of a row
    CdRunMemory memory;
    char *bytes; // of a checkpoint; NULL: not wanted, or the method cannot
    size_t nbytes;
    bool saved;        // there is a checkpoint
    int64_t wall, cpu; // clocks when it began or went on
    double t;          // of the last step
    int64_t asked;     // clock when somebody wanted to stop; 0: nobody
    bool given_up;     // within a step: memory of the method is not that of an accepted state
} Run;

// ---- rows

// reactions of joints that are not unique; joints come first among the forces
static void mark_scene(const CdSession *s, const CdSceneNumbers *scene, CdChannel *channels) {
    CdChannel *joint = channels + CD_POSE_NUMBERS * scene->nbodies;
    for (int k = 0; k < s->system->njoints; k++, joint += CD_FORCE_NUMBERS) {
        const bool mark = cdi_link_marked(&s->system->joints[k], s->start.not_unique);
        for (int i = 0; i < CD_FORCE_NUMBERS; i++) joint[i].not_unique = mark;
    }
}

static CdStatus make_rows(Run *r, const CdRunOptions *o) {
    CdSession *s = &r->session;
    const CdRunObserver *observer = r->observer;
    if (observer && observer->scene && o->scene) {
        CD_TRY(cdi_scene_numbers(s->system, &s->arena, &r->scene));
    }
    const size_t nchannels = (size_t)s->channels->n, nscene = (size_t)r->scene.n;
    CdChannel *channels = CD_TAKE(&s->arena, CdChannel, nchannels + nscene);
    r->values = CD_TAKE(&s->arena, double, nchannels + nscene);
    if (!channels || !r->values) return CD_NOMEM;
    for (size_t i = 0; i < nchannels; i++) channels[i] = s->channels->v[i];
    for (size_t i = 0; i < nscene; i++) channels[nchannels + i] = r->scene.channels[i];
    if (nscene > 0) mark_scene(s, &r->scene, channels + nchannels);
    r->rows = (CdRunBegin){.method = r->summary->method,
                           .n = (int)(nchannels + nscene),
                           .nscene = r->scene.n,
                           .channels = channels};
    return CD_OK;
}

static CdStatus sample(void *user, const CdPoint *at) {
    Run *r = user;
    CdSession *s = &r->session;
    CD_TRY(cdi_channels_eval(s->channels, s->work, at, r->values));
    if (r->scene.n > 0) cdi_scene_eval(&r->scene, s->work, at, r->values + s->channels->n);
    if (!r->observer || !r->observer->row) return CD_OK;
    return r->observer->row(r->observer->user, at->t, r->values);
}

// ---- checkpoints

static CdStatus make_checkpoints(Run *r) {
    if (!r->observer || !r->observer->checkpoint) return CD_OK;
    r->nbytes = cdi_run_save_size(&r->session);
    r->rows.can_save = r->nbytes > 0;
    if (r->nbytes == 0) return CD_OK;
    // not set before it is used, which may never be
    r->bytes = cdi_resize(r->session.ctx, NULL, r->nbytes);
    return r->bytes ? CD_OK : CD_NOMEM;
}

static CdRunMemory memory_now(const Run *r) {
    CdRunMemory m = r->memory;
    m.wall_time += 1e-9 * (double)(cdi_clock_ns() - r->wall);
    m.cpu_time += 1e-9 * (double)(cdi_clock_thread_ns() - r->cpu);
    return m;
}

static CdStatus save(Run *r) {
    if (!r->bytes) return CD_OK;
    const CdRunMemory memory = memory_now(r);
    memset(r->bytes, 0, r->nbytes);
    CD_TRY(cdi_run_save(&r->session, &memory, r->bytes, r->nbytes));
    const CdCheckpoint checkpoint = {.t = cd_integrator_now(r->session.it)->t,
                                     .samples = (uint64_t)memory.progress.samples,
                                     .bytes = r->bytes,
                                     .size = r->nbytes};
    r->saved = true;
    return r->observer->checkpoint(r->observer->user, &checkpoint);
}

static CdStatus pause_run(void *user) {
    Run *r = user;
    bool wanted = false;
    CD_TRY(r->observer->pause(r->observer->user, &wanted));
    return wanted ? save(r) : CD_OK;
}

static bool cancelled(void *user, double t) {
    Run *r = user;
    r->t = t;
    return r->observer && r->observer->cancelled && r->observer->cancelled(r->observer->user, t);
}

// Asked within steps. A step that ends soon may end, for there a run can be resumed bit for bit;
// one that does not is given up, and a run is resumed from the last checkpoint.
static bool cancelled_inside(void *user) {
    Run *r = user;
    if (!cancelled(r, r->t)) return false;
    const int64_t now = cdi_clock_ns();
    if (r->asked == 0) r->asked = now;
    r->given_up = r->given_up || now - r->asked > PATIENCE_NS;
    return r->given_up;
}

// ---- where runs of a chain begin and end

// q, v, y, history
static int state_size(const CdSession *s) {
    return s->system->nq + s->system->nv + s->start.problem.ny + s->system->nmemory;
}

void cdi_run_end_free(CdContext *ctx, CdRunEnd *end) {
    cdi_free(ctx, end->state);
    cdi_free(ctx, end->channels);
    *end = (CdRunEnd){0};
}

static void copy_numbers(double *to, const double *from, int n) {
    if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

static CdStatus start_at_end(CdSession *s, const CdRunEnd *end) {
    const int nq = s->system->nq, nv = s->system->nv, ny = s->start.problem.ny;
    double *state = end->state;
    if (end->n != state_size(s) || end->nchannels != cdi_channels_save_size(s->channels)) {
        return cdi_fail(s->ctx, CD_INVALID, "the last run was one of another model");
    }
    cdi_channels_load(s->channels, end->channels);
    copy_numbers(s->work->memory, state + nq + nv + ny, s->system->nmemory);
    return cd_integrator_start(
        s->it, &(CdPoint){.t = end->t, .q = state, .v = state + nq, .y = state + nq + nv});
}

static CdStatus keep_end(Run *r) {
    const CdSession *s = &r->session;
    const CdPoint *at = cd_integrator_now(s->it);
    const int nq = s->system->nq, nv = s->system->nv, ny = s->start.problem.ny;
    CdRunEnd end = {.t = at->t,
                    .n = state_size(s),
                    .state = cdi_alloc_array(s->ctx, (size_t)state_size(s) + 1, sizeof(double)),
                    .nchannels = cdi_channels_save_size(s->channels)};
    end.channels = cdi_alloc(s->ctx, end.nchannels);
    if (!end.state || !end.channels) {
        cdi_run_end_free(s->ctx, &end);
        return CD_NOMEM;
    }
    copy_numbers(end.state, at->q, nq);
    copy_numbers(end.state + nq, at->v, nv);
    copy_numbers(end.state + nq + nv, at->y, ny);
    copy_numbers(end.state + nq + nv + ny, s->work->memory, s->system->nmemory);
    cdi_channels_save(s->channels, end.channels);
    cdi_run_end_free(s->ctx, r->end);
    *r->end = end;
    return CD_OK;
}

// ---- one run

static void name_joints(const CdStart *start, int nrows, CdRunSummary *sum) {
    const CdItem *last = NULL;
    for (int i = 0; i < nrows; i++) {
        const CdItem *item = start->rows[i].item;
        if (!start->not_unique[i] || item == last) continue;
        last = item;
        if (sum->njoints < CD_SUMMARY_JOINTS) sum->joints[sum->njoints] = cdi_item_name(item);
        sum->njoints++;
    }
}

// islands without bodies are joints on the ground
static int count_islands(const CdRank *rank) {
    int n = 0;
    for (int k = 0; k < rank->nislands; k++) n += rank->islands[k].nbodies > 0;
    return n;
}

static CdStatus tell_begin(Run *r) {
    if (!r->observer || !r->observer->begin) return CD_OK;
    return r->observer->begin(r->observer->user, &r->rows);
}

// at a start that meets the joints
static CdStatus start(Run *r, const CdRunOptions *o) {
    CdSession *s = &r->session;
    const bool goes_on = r->end && r->end->n > 0 && o->begin == CD_AT_LAST;
    CD_TRY(goes_on ? start_at_end(s, r->end) : cdi_session_start(s));
    const CdPoint *at = cd_integrator_now(s->it);
    r->memory.progress.t_begin = at->t;
    r->memory.energy_start = cdi_system_energy(s->work, at->t, at->q, at->v);
    return tell_begin(r);
}

// the observer is told first: it knows better why a checkpoint does not fit
static CdStatus resume(Run *r) {
    CD_TRY(tell_begin(r));
    r->saved = true;
    return cdi_run_load(&r->session, r->observer->resume, &r->memory);
}

static CdStatus begin(Run *r, const CdRunOptions *o) {
    CdSession *s = &r->session;
    CD_TRY(make_rows(r, o));
    CD_TRY(make_checkpoints(r));
    r->summary->dof = s->system->nv - s->start.rank.rank;
    r->summary->redundant = s->start.problem.redundant > 0;
    r->summary->islands = count_islands(&s->start.rank);
    name_joints(&s->start, s->system->ng, r->summary);
    CD_TRY(r->observer && r->observer->resume ? resume(r) : start(r, o));
    r->summary->t_start = r->memory.progress.t_begin;
    r->summary->energy_start = r->memory.energy_start;
    r->wall = cdi_clock_ns();
    r->cpu = cdi_clock_thread_ns();
    r->summary->start_wall_time = 1e-9 * (double)(r->wall - s->wall);
    r->summary->start_cpu_time = 1e-9 * (double)(r->cpu - s->cpu);
    return CD_OK;
}

static double interval_of(const CdRunOptions *o) {
    if (o->decimation > 0) return 0;
    return o->interval > 0 ? o->interval : o->duration / DEFAULT_SAMPLES;
}

static CdStatus integrate(Run *r, const CdRunOptions *o) {
    const CdObserver observer = {
        .user = r,
        .interval = interval_of(o),
        .every = o->decimation,
        .progress = &r->memory.progress,
        .sample = sample,
        .pause = r->observer && r->observer->pause ? pause_run : NULL,
        .cancelled = cancelled,
    };
    // an event may have ended the run that is resumed
    if (cd_integrator_finished(r->session.it)) return CD_OK;
    CdSystemWork *work = r->session.work;
    r->t = cd_integrator_now(r->session.it)->t;
    work->cancelled = cancelled_inside;
    work->cancel_user = r;
    CdStatus status =
        cd_integrator_run(r->session.it, r->summary->t_start + o->duration, &observer);
    work->cancelled = NULL;
    const bool quick = !r->given_up && r->nbytes <= QUICK_BYTES;
    if ((status == CD_CANCELLED && quick) || (status == CD_OK && r->saved)) {
        const CdStatus saved = save(r);
        if (status == CD_OK) status = saved;
    }
    return status;
}

static CdStatus summarise(Run *r) {
    CdRunSummary *sum = r->summary;
    const CdSession *s = &r->session;
    const CdPoint *at = cd_integrator_now(s->it);
    const CdRunMemory memory = memory_now(r);
    sum->wall_time = memory.wall_time;
    sum->cpu_time = memory.cpu_time;
    sum->samples = memory.progress.samples;
    sum->t_end = at->t;
    sum->stats = *cd_integrator_statistics(s->it);
    sum->energy_end = cdi_system_energy(s->work, at->t, at->q, at->v);
    sum->hash = cdi_hash(CD_HASH_BEGIN, at->q, (size_t)s->system->nq * sizeof *at->q);
    sum->hash = cdi_hash(sum->hash, at->v, (size_t)s->system->nv * sizeof *at->v);
    cdi_system_residuals(s->work, at, sum->residual);
    return cdi_problem_signs(s->it->problem, &sum->inertia);
}

CdStatus cdi_simulate_chain(const CdModel *model, const CdRunOptions *o,
                            const CdRunObserver *observer, CdRunEnd *end, CdRunSummary *summary) {
    Run r = {.observer = observer, .summary = summary, .end = end};
    CdMethod method;
    char integrator[CD_METHOD_MAX];
    *summary = (CdRunSummary){0};
    CD_TRY(cdi_method_parse(model->ctx, o->method, &method));
    CD_TRY(cdi_method_integrator(model->ctx, &method, o->step, integrator, sizeof integrator));
    if (method.threads == 0) method.threads = o->threads > 0 ? o->threads : CD_THREADS_AUTO;
    cdi_method_write(&method, summary->method, sizeof summary->method);
    CdStatus status = cdi_session_open(&r.session, model, integrator, method.threads, &o->channels);
    if (status == CD_OK) status = begin(&r, o);
    if (status == CD_OK) {
        status = integrate(&r, o);
        CdStatus kept = summarise(&r);
        if (end && kept == CD_OK) kept = keep_end(&r);
        if (status == CD_OK) status = kept;
    }
    cdi_free(model->ctx, r.bytes);
    cdi_session_close(&r.session);
    return status == CD_NOMEM ? cdi_fail(model->ctx, status, "out of memory for the run") : status;
}

CdStatus cdi_simulate_run(const CdModel *model, const CdRunOptions *o,
                          const CdRunObserver *observer, CdRunSummary *summary) {
    return cdi_simulate_chain(model, o, observer, NULL, summary);
}
