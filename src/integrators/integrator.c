// integrator.c - the life of an integrator: registry, set-up, start, state, parameters
//
// A method gets its problem as its class asks for it (explicit, implicit, mechanical); everything
// that does not depend on the method happens here, in run.c, events.c and save.c.
#include "integrators/integrator.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_mode.h"
#include "integrators/driver.h"
#include "integrators/events.h"

#define INTEGRATOR(object) extern const CdIntegratorClass object;
#include "integrators/integrators.def"
#undef INTEGRATOR

const CdIntegratorClass *const cd_integrator_classes[] = {
#define INTEGRATOR(object) &object,
#include "integrators/integrators.def"
#undef INTEGRATOR
    NULL};

#define NCLASSES ((int)(sizeof cd_integrator_classes / sizeof *cd_integrator_classes) - 1)

const char *cd_integrator_name(int i) {
    return i >= 0 && i < NCLASSES ? cd_integrator_classes[i]->desc.name : NULL;
}

const char *const cdi_jacobian_names[] = {"auto", "differences", NULL};

// ---- messages

// longest message beside the names of problem and method
#define MESSAGE_MAX 600

CdStatus cdi_integrator_fail(const CdIntegrator *it, CdStatus status, const char *fmt, ...) {
    char text[MESSAGE_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return cdi_fail(it->ctx, status, "problem '%s', method '%s': %s", cdi_problem_name(it->problem),
                    it->cls->desc.name, text);
}

bool cdi_is_recoverable(CdStatus status) {
    return status == CD_RETRY || status == CD_NOCONV || status == CD_SINGULAR ||
           status == CD_NONFINITE;
}

void cdi_point_name(const CdiProblem *p, int i, char text[CD_UNKNOWN_TEXT]) {
    const char *const names[] = {"q", "v", "y", "x", "lambda", "mu", "v'", "y'"};
    const int sizes[] = {p->nq, p->nv, p->ny, p->nx, p->nc, p->ng, p->nv, p->ny};
    size_t part = 0;
    while (part + 1 < sizeof sizes / sizeof *sizes && i >= sizes[part]) i -= sizes[part++];
    snprintf(text, CD_UNKNOWN_TEXT, "%s[%d]", names[part], i);
}

int cdi_point_nonfinite(const CdiProblem *p, const CdPoint *at) {
    const double *parts[] = {at->q, at->v, at->y, at->x, at->lambda, at->mu, at->vdot, at->ydot};
    const int sizes[] = {p->nq, p->nv, p->ny, p->nx, p->nc, p->ng, p->nv, p->ny};
    int first = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int i = 0; parts[k] && i < sizes[k]; i++) {
            if (!isfinite(parts[k][i])) return first + i;
        }
        first += sizes[k];
    }
    return -1;
}

// ---- memory

void *cdi_keep_in(CdArena *arena, CdiKeptList *list, size_t bytes) {
    CdiKept *kept = cdi_arena_alloc(arena, sizeof *kept, _Alignof(CdiKept));
    void *p = cdi_arena_alloc(arena, bytes, CD_ARENA_ALIGN);
    if (!kept || !p) return NULL;
    *kept = (CdiKept){.p = p, .n = bytes};
    *(list->last ? list->last : &list->first) = kept;
    list->last = &kept->next;
    return p;
}

void *cdi_keep(CdIntegrator *it, size_t bytes) {
    return cdi_keep_in(&it->arena, &it->driver->kept, bytes);
}

// ---- set-up

// what depends on the pattern: problem, view, memory of the method
static CdStatus build(CdIntegrator *it, const CdProblem *user) {
    const CdCommonOptions *o = it->options;
    CdiDriver *d = it->driver;
    CdProblemSetup setup = {.differences = o->jacobian == 1, .operators = it->cls->operators};
    CD_TRY(cdi_linsol_find(it->ctx, o->linsol ? o->linsol : "auto", &setup.linsol));
    CD_TRY(cdi_problem_new(it->ctx, user, &setup, &it->problem));
    it->stats = &it->problem->counts;
    if (it->cls->view != CD_VIEW_MECHANICAL) {
        const CdFlatSetup flat = {.explicit_form = it->cls->view == CD_VIEW_EXPLICIT,
                                  .form = (CdForm)o->form,
                                  .project = o->project};
        CD_TRY(cdi_flat_new(it->problem, &flat, &it->flat));
    }
    it->stats->path = it->flat ? it->flat->path : cdi_problem_kind_name(it->problem);
    const size_t n = it->flat ? (size_t)it->flat->n : 0;
    if (it->cls->view == CD_VIEW_IMPLICIT) {
        it->state_dot = CD_KEEP(it, double, n + 1);
        if (!it->state_dot) return CD_NOMEM;
    }
    it->method = cdi_arena_alloc(&it->arena, it->cls->memory + 1, CD_ARENA_ALIGN);
    d->scale = CD_TAKE(&it->arena, double, n + 1);
    d->trial[0] = CD_TAKE(&it->arena, double, n + 1);
    d->trial[1] = CD_TAKE(&it->arena, double, n + 1);
    return it->method && d->scale && d->trial[0] && d->trial[1] ? CD_OK : CD_NOMEM;
}

static void unbuild(CdIntegrator *it) {
    if (it->method && it->cls->destroy) it->cls->destroy(it);
    cdi_flat_free(it->flat);
    cdi_problem_free(it->problem);
    cdi_arena_clear(&it->arena);
    it->driver->kept = (CdiKeptList){0};
    it->method = NULL;
    it->flat = NULL;
    it->problem = NULL;
    it->state_dot = NULL;
}

// what outlives a pattern epoch: state, events
static CdStatus take_state(CdIntegrator *it) {
    CdiDriver *d = it->driver;
    const CdiProblem *p = it->problem;
    double *block = cdi_keep_in(&d->arena, &d->own, (p->npoint + 1) * sizeof *block);
    d->numbers = cdi_keep_in(&d->arena, &d->own, sizeof *d->numbers);
    if (!block || !d->numbers) return CD_NOMEM;
    it->state = block;
    cdi_point_over(p, block, &it->now);
    CD_TRY(cdi_point_take(p, &d->arena, &d->probe));
    CD_TRY(cdi_point_take(p, &d->arena, &d->shown));
    CD_TRY(cdi_point_take(p, &d->arena, &d->before));
    return cdi_events_new(it);
}

static unsigned epoch_of(const CdIntegrator *it) {
    const CdProblem *user = &it->problem->user;
    return user->pattern_epoch ? user->pattern_epoch(user->data) : 0;
}

// what "auto" stands for: a method that fits every problem of its kind
static const char *usual_method(const CdProblem *p) {
    if (p->nv > 0) return "gen-alpha";
    return p->implicit || p->leading || p->nx > 0 ? "radau5" : "dopri5";
}

// "auto", or "auto(rtol=1e-8)": its options go to the method that is taken
static CdStatus read_method(CdIntegrator *it, const CdProblem *problem, const char *method) {
    const size_t n = strlen("auto");
    if (!method || strncmp(method, "auto", n) != 0 || (method[n] != 0 && method[n] != '(')) {
        return cdi_method_read(it->ctx, method, &it->cls, &it->driver->options);
    }
    CdText text;
    cdi_text_init(&text, it->ctx);
    cdi_text_addf(&text, "%s%s", usual_method(problem), method + n);
    CdStatus status = text.status;
    if (status == CD_OK) {
        status = cdi_method_read(it->ctx, text.v, &it->cls, &it->driver->options);
    }
    cdi_text_free(&text);
    return status;
}

static CdStatus set_up(CdIntegrator *it, const CdProblem *problem, const char *method) {
    CdiDriver *d = it->driver;
    CD_TRY(read_method(it, problem, method));
    it->options = cdi_object_data(d->options);
    CD_TRY(build(it, problem));
    CD_TRY(take_state(it));
    d->numbers->epoch = epoch_of(it);
    return it->cls->init ? it->cls->init(it) : CD_OK;
}

CdStatus cd_integrator_new(CdContext *ctx, const CdProblem *problem, const char *method,
                           CdIntegrator **out) {
    *out = NULL;
    if (!problem) return cdi_fail(ctx, CD_INVALID, "no problem is given to the integrator");
    CdIntegrator *it = cdi_alloc(ctx, sizeof *it);
    CdiDriver *d = cdi_alloc(ctx, sizeof *d);
    if (!it || !d) {
        cdi_free(ctx, it);
        cdi_free(ctx, d);
        return CD_NOMEM;
    }
    it->ctx = ctx;
    it->driver = d;
    cdi_arena_init(&it->arena, ctx, 0);
    cdi_arena_init(&d->arena, ctx, 0);
    const CdStatus status = set_up(it, problem, method);
    if (status == CD_OK) {
        *out = it;
    } else {
        cd_integrator_free(it);
    }
    return status;
}

void cd_integrator_free(CdIntegrator *it) {
    if (!it) return;
    CdContext *ctx = it->ctx;
    unbuild(it);
    cdi_object_free(it->driver->options);
    cdi_arena_clear(&it->driver->arena);
    cdi_free(ctx, it->driver);
    cdi_free(ctx, it);
}

// ---- state

CdStatus cdi_complete(CdIntegrator *it, CdPoint *at) {
    return it->cls->view == CD_VIEW_EXPLICIT ? cdi_flat_complete(it->flat, at) : CD_OK;
}

CdStatus cdi_now_complete(CdIntegrator *it) {
    CdiDriverNumbers *m = it->driver->numbers;
    if (m->complete) return CD_OK;
    if (it->cls->show) it->cls->show(it);
    if (it->cls->view == CD_VIEW_IMPLICIT) {
        double *copy = it->driver->trial[0];
        memcpy(copy, it->state, (size_t)it->flat->n * sizeof *copy);
        cdi_flat_unpack(it->flat, it->now.t, copy, it->state_dot, &it->now);
    }
    CD_TRY(cdi_complete(it, &it->now));
    m->complete = true;
    return CD_OK;
}

CdStatus cdi_show(CdIntegrator *it, const CdPoint *at, const CdPoint **shown) {
    CdPoint *copy = &it->driver->shown;
    *shown = at;
    if (it->problem->user.redundant == 0) return CD_OK;
    cdi_point_copy(it->problem, copy, at);
    *shown = copy;
    return cdi_minimum_norm(it->problem, copy);
}

CdStatus cdi_now_consistent(CdIntegrator *it, double tol) {
    CD_TRY(cdi_consistent(it->problem, &it->now, tol));
    it->driver->numbers->complete = true;
    return CD_OK;
}

// ---- start

static void copy_part(double *to, const double *from, int n) {
    if (n == 0) return;
    if (from) {
        memcpy(to, from, (size_t)n * sizeof *to);
    } else {
        memset(to, 0, (size_t)n * sizeof *to);
    }
}

static void copy_start(CdIntegrator *it, const CdPoint *at) {
    const CdiProblem *p = it->problem;
    CdPoint *now = &it->now;
    now->t = at->t;
    copy_part(now->q, at->q, p->nq);
    copy_part(now->v, at->v, p->nv);
    copy_part(now->y, at->y, p->ny);
    copy_part(now->x, at->x, p->nx);
    copy_part(now->lambda, at->lambda, p->nc);
    copy_part(now->mu, NULL, p->ng);
    copy_part(now->vdot, at->vdot, p->nv);
    copy_part(now->ydot, at->ydot, p->ny);
}

static CdStatus check_start(CdIntegrator *it, const CdPoint *at) {
    const CdiProblem *p = it->problem;
    if (!at) return cdi_integrator_fail(it, CD_INVALID, "no state to start from is given");
    if (!isfinite(at->t)) {
        return cdi_integrator_fail(it, CD_INVALID, "the start time is %g; it must be finite",
                                   at->t);
    }
    if (!at->q && p->nq != p->nv) {
        return cdi_integrator_fail(it, CD_INVALID,
                                   "q is not given at the start, and 0 is not on its manifold");
    }
    const int bad = cdi_point_nonfinite(p, at);
    if (bad < 0) return CD_OK;
    char name[CD_UNKNOWN_TEXT];
    cdi_point_name(p, bad, name);
    return cdi_integrator_fail(it, CD_INVALID, "start value %s is not finite; give a number for it",
                               name);
}

static void reset_counts(CdIntegrator *it) {
    const char *path = it->stats->path;
    *it->stats = (CdStatistics){.path = path};
    it->driver->numbers->allocations = cd_context_memory(it->ctx).total_blocks;
}

// the method begins at now
static CdStatus begin(CdIntegrator *it) {
    CdiDriverNumbers *m = it->driver->numbers;
    if (it->state_dot) cdi_flat_pack(it->flat, &it->now, it->driver->trial[0], it->state_dot);
    it->t_old = it->now.t;
    it->h_next = 0;
    m->t_grid = it->now.t;
    m->grid_steps = 0;
    m->complete = true;
    return it->cls->start ? it->cls->start(it) : CD_OK;
}

static CdStatus consistent_start(CdIntegrator *it) {
    CD_TRY(cdi_now_consistent(it, it->options->start_tolerance));
    const int bad = cdi_point_nonfinite(it->problem, &it->now);
    if (bad < 0) return CD_OK;
    char name[CD_UNKNOWN_TEXT];
    cdi_point_name(it->problem, bad, name);
    return cdi_integrator_fail(it, CD_NONFINITE, "%s is not finite at the start", name);
}

static CdStatus start_at(CdIntegrator *it, const CdPoint *at) {
    CdiDriverNumbers *m = it->driver->numbers;
    CD_TRY(check_start(it, at));
    m->started = false;
    cdi_problem_changed(it->problem);
    cdi_redundant_forget(it->problem);
    copy_start(it, at);
    reset_counts(it);
    m->t_start = at->t;
    m->finished = false;
    it->h = 0;
    CD_TRY(consistent_start(it));
    CD_TRY(begin(it));
    CD_TRY(cdi_events_start(it));
    m->started = true;
    return CD_OK;
}

CdStatus cd_integrator_start(CdIntegrator *it, const CdPoint *at) {
    const uint32_t mode = cdi_float_set(CDI_FLUSH);
    const CdStatus status = start_at(it, at);
    cdi_float_set(mode);
    return status;
}

static CdStatus build_again(CdIntegrator *it, const CdIntegrator *old) {
    CD_TRY(build(it, &old->problem->user));
    if (it->problem->npoint != old->problem->npoint) {
        return cdi_integrator_fail(it, CD_INVALID, "an event must not change numbers of unknowns");
    }
    const char *path = it->stats->path;
    *it->stats = *old->stats;
    it->stats->path = path;
    return it->cls->init ? it->cls->init(it) : CD_OK;
}

// the structure has changed: problem, view and method are made again beside the old ones
static CdStatus rebuild(CdIntegrator *it) {
    CdIntegrator old = *it;
    CdiDriver old_driver = *it->driver;
    it->method = NULL;
    it->flat = NULL;
    it->problem = NULL;
    it->state_dot = NULL;
    it->driver->kept = (CdiKeptList){0};
    cdi_arena_init(&it->arena, it->ctx, 0);
    const CdStatus status = build_again(it, &old);
    if (status == CD_OK) {
        old.driver = &old_driver;
        unbuild(&old);
    } else {
        unbuild(it);
        *it = old;
        *it->driver = old_driver;
    }
    return status;
}

CdStatus cdi_restart(CdIntegrator *it) {
    CdiDriverNumbers *m = it->driver->numbers;
    const unsigned epoch = epoch_of(it);
    if (epoch != m->epoch) {
        CD_TRY(rebuild(it));
        m->epoch = epoch;
        CD_TRY(cdi_now_consistent(it, INFINITY));
    }
    it->stats->restarts++;
    cdi_redundant_alarm(it->problem);
    return begin(it);
}

// ---- answers

CdStatus cdi_dense(CdIntegrator *it, double t, CdPoint *at) {
    at->t = t;
    CD_TRY(it->cls->dense(it, t, at));
    if (it->flat) cdi_normalise(it->problem, at->q);
    return CD_OK;
}

const CdPoint *cd_integrator_now(CdIntegrator *it) {
    const CdPoint *shown;
    if (!it->driver->numbers->started) return &it->now;
    (void)cdi_now_complete(it);
    (void)cdi_show(it, &it->now, &shown);
    return shown;
}

bool cd_integrator_finished(const CdIntegrator *it) {
    return it->driver->numbers->finished;
}

static CdStatus look_at(CdIntegrator *it, double t, const CdPoint **at) {
    CdiDriver *d = it->driver;
    *at = NULL;
    if (!d->numbers->started) {
        return cdi_integrator_fail(it, CD_INVALID, "is not started; call cd_integrator_start");
    }
    if (!(t >= it->t_old && t <= it->now.t)) {
        return cdi_integrator_fail(it, CD_INVALID,
                                   "t = %.9g is not within the last step, from %.9g to %.9g", t,
                                   it->t_old, it->now.t);
    }
    if (t == it->now.t) {
        CD_TRY(cdi_now_complete(it));
        return cdi_show(it, &it->now, at);
    }
    CD_TRY(cdi_dense(it, t, &d->probe));
    CD_TRY(cdi_complete(it, &d->probe));
    return cdi_show(it, &d->probe, at);
}

CdStatus cd_integrator_at(CdIntegrator *it, double t, const CdPoint **at) {
    const uint32_t mode = cdi_float_set(CDI_FLUSH);
    const CdStatus status = look_at(it, t, at);
    cdi_float_set(mode);
    return status;
}

const CdStatistics *cd_integrator_statistics(const CdIntegrator *it) {
    it->stats->allocations =
        cd_context_memory(it->ctx).total_blocks - it->driver->numbers->allocations;
    return it->stats;
}

// ---- parameters and inputs

// number of a name, or of the number that stands for it; -1: none
static int find_name(const char *const *names, int n, const char *name) {
    for (int i = 0; names && i < n; i++) {
        if (cdi_equal(names[i], name)) return i;
    }
    char *end;
    errno = 0;
    const long i = strtol(name, &end, 10);
    return end != name && !*end && !errno && i >= 0 && i < n ? (int)i : -1;
}

static CdStatus no_name(const CdIntegrator *it, const char *what, const char *const *names, int n,
                        const char *name) {
    const char *near = names ? cdi_suggest(name, names, (size_t)n) : NULL;
    return cdi_integrator_fail(it, CD_NOTFOUND, "there is no %s '%s' among %d%s%s%s", what, name, n,
                               near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static CdStatus make_consistent(CdIntegrator *it, double tol) {
    CdPoint *kept = &it->driver->before;
    cdi_problem_changed(it->problem);
    if (!it->driver->numbers->started) return CD_OK;
    CD_TRY(cdi_now_complete(it));
    cdi_point_copy(it->problem, kept, &it->now);
    cdi_redundant_forget(it->problem);
    const CdStatus status = cdi_now_consistent(it, tol);
    if (status != CD_OK) {
        cdi_point_copy(it->problem, &it->now, kept);
        return status;
    }
    return cdi_events_changed(it);
}

CdStatus cdi_integrator_changed(CdIntegrator *it, double tol) {
    const uint32_t mode = cdi_float_set(CDI_FLUSH);
    const CdStatus status = make_consistent(it, tol);
    cdi_float_set(mode);
    return status;
}

static CdStatus set_number(CdIntegrator *it, const char *what, const char *const *names, int n,
                           double *numbers, const char *name, double value) {
    const int i = name && numbers ? find_name(names, n, name) : -1;
    if (i < 0) return no_name(it, what, names, n, name ? name : "");
    if (!isfinite(value)) {
        return cdi_integrator_fail(it, CD_INVALID, "%s '%s' must be finite, not %g", what, name,
                                   value);
    }
    numbers[i] = value;
    return cdi_integrator_changed(it, INFINITY);
}

CdStatus cd_integrator_set_parameter(CdIntegrator *it, const char *name, double value) {
    const CdProblem *user = &it->problem->user;
    return set_number(it, "parameter", user->p_names, user->np, user->p, name, value);
}

CdStatus cd_integrator_set_input(CdIntegrator *it, const char *name, double value) {
    const CdProblem *user = &it->problem->user;
    return set_number(it, "input", user->u_names, user->nu, user->u, name, value);
}
