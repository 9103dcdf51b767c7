// session.c - a model made ready for simulation: assemble, find a start, make the integrator
#include "simulate/session.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "integrators/driver.h"

// what an iteration takes one thread, in nanoseconds: of a plain mass with its springs, and of
// others by velocity, joint and force, with their part of the solution
#define PLAIN_NS 5
#define VELOCITY_NS 10
#define JOINT_NS 80
#define FORCE_NS 30
#define COORDINATES_NS 10

// what is worth a thread: an iteration has five to seven hand-overs of some 0.3 us, and behind each
// of them what lies in the cache of another processor
#define THREAD_NS 12000
// with one hand-over per iteration, as islands have, and chains of masses: of 496 of these and
// more, which their solver cuts in two (LEVELS_TWO in native_dissect.c)
#define ONCE_NS 1240

static double iteration_ns(const CdSystem *s) {
    if (s->plain) return (double)PLAIN_NS * s->nv + (double)COORDINATES_NS * s->ng;
    return (double)VELOCITY_NS * s->nv + (double)JOINT_NS * s->njoints +
           (double)FORCE_NS * s->nforces + (double)COORDINATES_NS * s->ncoordinates;
}

// one where two do not pay, as many as do if nobody said how many
static int count_threads(const CdSystem *s, int threads) {
    const bool once = cdi_system_is_apart(s) || cdi_plain_is_chain(s);
    const double pay = iteration_ns(s) / (once ? ONCE_NS : THREAD_NS);
    const int most = threads == CD_THREADS_AUTO ? cdi_cpu_count() : threads;
    if (pay < 2) return 1;
    return threads == CD_THREADS_AUTO && pay < most ? (int)pay : most;
}

static CdStatus assemble(CdSession *s, const CdModel *model, int threads, const CdList *channels) {
    CD_TRY(cdi_system_new(model, &s->base));
    s->system = s->base;
    s->wall = cdi_clock_ns();
    s->cpu = cdi_clock_thread_ns();
    const int workers = count_threads(s->system, threads);
    if (workers > 1) CD_TRY(cd_pool_new(s->ctx, workers, &s->pool));
    CD_TRY(cdi_system_work_new(s->system, s->pool, &s->work));
    CD_TRY(cdi_channels_new(s->system, channels ? channels->v : NULL, channels ? channels->n : 0,
                            &s->channels));
    s->values = CD_TAKE(&s->arena, double, (size_t)s->channels->n);
    const size_t ng = (size_t)s->system->ng;
    s->not_unique = CD_TAKE(&s->arena, bool, 4 * ng);
    if (!s->values || !s->not_unique) return CD_NOMEM;
    s->left_out = s->not_unique + ng;
    s->rows = s->left_out + ng;
    s->next_rows = s->rows + ng;
    return CD_OK;
}

// what the method allows constraints to be violated by at the start
static CdStatus start_tolerance(CdContext *ctx, const char *integrator, double *tol) {
    const CdIntegratorClass *cls;
    CdObject *options = NULL;
    CD_TRY(cdi_method_read(ctx, integrator, &cls, &options));
    const CdCommonOptions *common = cdi_object_data(options);
    *tol = common->start_tolerance;
    cdi_object_free(options);
    return CD_OK;
}

static void copy_rows(const CdSession *s, const bool *from, bool *to) {
    if (s->system->ng > 0) memcpy(to, from, (size_t)s->system->ng * sizeof *to);
}

CdStatus cdi_session_open(CdSession *s, const CdModel *model, const char *integrator, int threads,
                          const CdList *channels) {
    *s = (CdSession){.ctx = model->ctx};
    cdi_arena_init(&s->arena, s->ctx, 0);
    cdi_arena_init(&s->start_arena, s->ctx, 0);
    snprintf(s->integrator, sizeof s->integrator, "%s", integrator);
    CD_TRY(start_tolerance(s->ctx, integrator, &s->tol));
    CD_TRY(assemble(s, model, threads, channels));
    if (s->system->nv == 0) {
        return cdi_fail(s->ctx, CD_INVALID,
                        "nothing in the model can move; add a body ('cardan help' lists them)");
    }
    CD_TRY(cdi_start_make(s->work, &s->arena, s->tol, &s->start));
    s->problem = s->start.problem;
    s->problem.redundant_rows = s->rows;
    copy_rows(s, s->start.left_out, s->rows);
    cdi_channels_mark(s->channels, s->start.not_unique);
    return cd_integrator_new(s->ctx, &s->problem, integrator, &s->it);
}

// another number of redundant constraints takes another integrator
static CdStatus make_integrator(const CdSession *s, int redundant, const bool *left_out,
                                CdIntegrator **it) {
    CdProblem problem = s->problem;
    problem.redundant = redundant;
    problem.redundant_rows = s->next_rows;
    copy_rows(s, left_out, s->next_rows);
    return cd_integrator_new(s->ctx, &problem, s->integrator, it);
}

// it NULL: the old one goes on
static void exchange_integrator(CdSession *s, int redundant, const bool *left_out,
                                CdIntegrator *it) {
    if (!it) {
        copy_rows(s, left_out, s->rows);
        return;
    }
    bool *rows = s->rows;
    s->rows = s->next_rows;
    s->next_rows = rows;
    cd_integrator_free(s->it);
    s->it = it;
    s->problem.redundant = redundant;
    s->problem.redundant_rows = s->rows;
}

// ---- start

// variants do not stay, the items of the model do
static void name_own_items(CdSession *s, CdRow *rows) {
    for (int i = 0; i < s->system->ng; i++) {
        rows[i].item = s->base->model->of[CD_JOINT].v[rows[i].item->index];
    }
}

static CdStatus renew_start(CdSession *s) {
    CdArena arena;
    CdStart start;
    CdIntegrator *it = NULL;
    cdi_arena_init(&arena, s->ctx, 0);
    CdStatus status = cdi_start_make(s->work, &arena, s->tol, &start);
    const int redundant = start.problem.redundant;
    if (status == CD_OK && redundant != s->problem.redundant) {
        status = make_integrator(s, redundant, start.left_out, &it);
    }
    if (status != CD_OK) {
        cdi_arena_clear(&arena);
        return status;
    }
    name_own_items(s, start.rows);
    cdi_arena_clear(&s->start_arena);
    s->start_arena = arena;
    s->start = start;
    s->stale = false;
    cdi_channels_mark(s->channels, start.not_unique);
    exchange_integrator(s, redundant, start.left_out, it);
    return CD_OK;
}

CdStatus cdi_session_start(CdSession *s) {
    cdi_channels_restart(s->channels);
    cdi_system_restart(s->work);
    if (s->stale) CD_TRY(renew_start(s));
    return cd_integrator_start(s->it, &(CdPoint){.q = s->start.q, .v = s->start.v});
}

// ---- other parameters

static void use(CdSession *s, const CdSystem *system) {
    s->system = system;
    cdi_system_work_use(s->work, system);
    cdi_channels_use(s->channels, system);
}

// the state stays, all else is that of the new numbers
static CdStatus go_on(CdSession *s, const CdPoint *now) {
    CdStartMet found = {.not_unique = s->not_unique, .left_out = s->left_out};
    CdIntegrator *it = NULL;
    CdStatus status;
    CD_TRY(cdi_start_met(s->work, &s->start, now, s->tol, &found));
    if (found.redundant == s->problem.redundant) {
        copy_rows(s, s->rows, s->next_rows);
        copy_rows(s, found.left_out, s->rows);
        status = cdi_integrator_changed(s->it, s->tol);
        if (status != CD_OK) copy_rows(s, s->next_rows, s->rows);
    } else {
        status = make_integrator(s, found.redundant, found.left_out, &it);
        if (status == CD_OK) status = cd_integrator_start(it, now);
    }
    if (status != CD_OK) {
        cd_integrator_free(it);
        return status;
    }
    exchange_integrator(s, found.redundant, found.left_out, it);
    cdi_channels_mark(s->channels, found.not_unique);
    return CD_OK;
}

static void keep_variant(CdSession *s, CdModel *variant, CdSystem *varied) {
    cdi_system_free(s->varied);
    cdi_model_free(s->variant);
    s->varied = varied;
    s->variant = variant;
    s->stale = true;
}

CdStatus cdi_session_vary(CdSession *s, CdModel *variant, bool running) {
    const CdSystem *old = s->system;
    CdSystem *varied = NULL;
    if (variant) CD_TRY(cdi_system_vary(s->base, variant, &varied));
    // completed by the old numbers
    const CdPoint *now = cd_integrator_now(s->it);
    use(s, varied ? varied : s->base);
    CdStatus status = CD_OK;
    if (running) {
        status = go_on(s, now);
    } else {
        cdi_problem_changed(s->it->problem);
    }
    if (status == CD_OK) {
        keep_variant(s, variant, varied);
        return CD_OK;
    }
    use(s, old);
    cdi_problem_changed(s->it->problem);
    cdi_system_free(varied);
    return status;
}

void cdi_session_close(CdSession *s) {
    cd_integrator_free(s->it);
    cdi_channels_free(s->channels);
    cdi_system_work_free(s->work);
    cd_pool_free(s->pool);
    cdi_system_free(s->varied);
    cdi_model_free(s->variant);
    cdi_system_free(s->base);
    cdi_arena_clear(&s->start_arena);
    cdi_arena_clear(&s->arena);
}
