// events.c - event functions: watched, located on the dense output, handled until they settle
//
// Let s_i = (z_i > 0). A step from a to b in which some s_i changes is cut by a bracket: at a no
// s_i has changed, at b one has. Trial points are the first zeros of the secants of all functions
// that changed at b, with the weights of the Illinois method, and the middle where that is slow.
// The event is at the right end of a bracket of a few rounding errors; all functions that have
// changed there are one event.
//
// A function that returns within a step is noticed by its slopes at both ends: if it tends to zero
// at a and away from it at b, its smallest distance is searched, by parabolas and golden sections.
// The first step after an event begins where functions are close to 0, and a ball may be back at
// once: it is looked at in times that grow by a factor.
//
// At an event a function is 0 but for rounding errors, and what follows may turn its sign again:
// dense output is returned to the constraints, multipliers are computed anew. Such a function is
// loose: what was found counts, and it is watched again after the first step, or from its beginning
// if it has really gone back.
//
// Dowell & Jarratt, BIT 11 (1971) 168 (Illinois);
// Shampine & Thompson, Comput. Math. Appl. 39 (2000) 43 (event location).
#include "integrators/events.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/driver.h"

// width of the final bracket, in rounding errors of t
#define TIME_ROUNDING 4
// slopes are taken over this part of the step, if that is so many rounding errors long
#define SLOPE_PART 1e-3
#define SLOPE_ROUNDING 100
// times after an event at which the first step is looked at grow by this
#define FRESH_FACTOR 8
// searches end by their width; these are for functions that are no functions
#define MAX_BRACKETS 200
#define MAX_MINIMUM 40
// as many trials tell whether the minimum goes to zero
#define MINIMUM_TRIALS 4
#define GOLDEN 0.381966011250105
// the same change after less than this part of the time since the start is no progress
#define NO_PROGRESS 1e-9
// so often in a row within so many rounding errors of t: the end of the sequence is reached
#define ZENO_REPEATS 3
#define ZENO_ROUNDING 4096
// a function that has just changed and is so small, relative to its values in the step, is 0
#define NOISE 1e-9

typedef struct CdiEvents {
    int nz;
    // saved
    bool *fresh;    // no step since the last event
    double *z;      // at now
    int *positive;  // s at now
    int *loose;     // z at now is on the other side, by rounding
    double *t_last; // of every function, of the last change to 0 and to 1
    int *repeats;   // of the same change without progress
    // work: at both ends of a bracket, at a trial, near the ends of the step
    double *za, *zb, *zx, *zl, *zr;
    int *which, *now; // of the event
    double *noise;    // below this, a function that was found in the last step is 0; -1: not found
} CdiEvents;

CdStatus cdi_events_new(CdIntegrator *it) {
    CdiDriver *d = it->driver;
    const CdProblem *user = &it->problem->user;
    CdiEvents *e = CD_TAKE(&d->arena, CdiEvents, 1);
    if (!e) return CD_NOMEM;
    d->events = e;
    e->nz = user->events ? user->nz : 0;
    const size_t n = (size_t)e->nz + 1;
    e->fresh = cdi_keep_in(&d->arena, &d->own, sizeof *e->fresh);
    e->z = cdi_keep_in(&d->arena, &d->own, n * sizeof *e->z);
    e->positive = cdi_keep_in(&d->arena, &d->own, n * sizeof *e->positive);
    e->loose = cdi_keep_in(&d->arena, &d->own, n * sizeof *e->loose);
    e->t_last = cdi_keep_in(&d->arena, &d->own, 2 * n * sizeof *e->t_last);
    e->repeats = cdi_keep_in(&d->arena, &d->own, n * sizeof *e->repeats);
    double **work[] = {&e->za, &e->zb, &e->zx, &e->zl, &e->zr, &e->noise};
    bool ok = e->fresh && e->z && e->positive && e->loose && e->t_last && e->repeats;
    for (size_t k = 0; k < sizeof work / sizeof *work; k++) {
        *work[k] = CD_TAKE(&d->arena, double, n);
        ok = ok && *work[k];
    }
    e->which = CD_TAKE(&d->arena, int, n);
    e->now = CD_TAKE(&d->arena, int, n);
    return ok && e->which && e->now ? CD_OK : CD_NOMEM;
}

// ---- values

#define NAME_TEXT 80
static const char *function_name(const CdIntegrator *it, int i, char text[NAME_TEXT]) {
    const char *const *names = it->problem->user.event_names;
    if (names && names[i]) {
        snprintf(text, NAME_TEXT, "'%.60s'", names[i]);
    } else {
        snprintf(text, NAME_TEXT, "z[%d]", i);
    }
    return text;
}

// "'events' returned CD_IO at t = 1"
static CdStatus callback_failed(CdIntegrator *it, CdStatus status, const char *name, double t) {
    CdText why;
    status = cdi_callback_failed(it->problem, name, status);
    cdi_text_init(&why, it->ctx);
    cdi_problem_explain(it->problem, status, &why);
    cdi_integrator_fail(it, status, "%s at t = %.9g", why.v ? why.v : name, t);
    cdi_text_free(&why);
    return status;
}

static CdStatus evaluate(CdIntegrator *it, const CdPoint *at, double *z) {
    const CdiEvents *e = it->driver->events;
    const CdProblem *user = &it->problem->user;
    const CdStatus status = user->events(user->data, at, z);
    if (status != CD_OK) {
        return callback_failed(it, status, "events", at->t);
    }
    for (int i = 0; i < e->nz; i++) {
        char name[NAME_TEXT];
        if (isfinite(z[i])) continue;
        return cdi_integrator_fail(it, CD_NONFINITE, "event function %s is %g at t = %.9g",
                                   function_name(it, i, name), z[i], at->t);
    }
    return CD_OK;
}

// multipliers and algebraic unknowns cost explicit methods a solution
static bool needs_completion(const CdIntegrator *it) {
    return it->problem->nc + it->problem->nx > 0;
}

static CdStatus evaluate_now(CdIntegrator *it, double *z) {
    if (needs_completion(it)) CD_TRY(cdi_now_complete(it));
    return evaluate(it, &it->now, z);
}

static CdStatus evaluate_inside(CdIntegrator *it, double t, double *z) {
    CdPoint *probe = &it->driver->probe;
    CD_TRY(cdi_dense(it, t, probe));
    if (needs_completion(it)) CD_TRY(cdi_complete(it, probe));
    return evaluate(it, probe, z);
}

static bool differs(const CdiEvents *e, int i, const double *z) {
    return (z[i] > 0) != (e->positive[i] != 0);
}

static bool has_changed(const CdiEvents *e, int i, const double *z) {
    return differs(e, i, z) && !e->loose[i];
}

static bool any_changed(const CdiEvents *e, const double *z) {
    for (int i = 0; i < e->nz; i++) {
        if (has_changed(e, i, z)) return true;
    }
    return false;
}

static void remember(CdiEvents *e, const double *z) {
    memcpy(e->z, z, (size_t)e->nz * sizeof *z);
    for (int i = 0; i < e->nz; i++) {
        if (!e->loose[i]) e->positive[i] = z[i] > 0;
    }
}

static double rounding(const CdIntegrator *it) {
    return DBL_EPSILON * fmax(fabs(it->now.t), it->now.t - it->driver->numbers->t_start);
}

// ---- the earliest change in a step

typedef struct Bracket {
    double a, b;
} Bracket;

static void take_right(CdiEvents *e, Bracket *k, double x) {
    double *swap = e->zb;
    e->zb = e->zx;
    e->zx = swap;
    k->b = x;
}

static void take_left(CdiEvents *e, Bracket *k, double x) {
    double *swap = e->za;
    e->za = e->zx;
    e->zx = swap;
    k->a = x;
}

// first zero of the secants of the functions that changed, as a part of the bracket
static double first_zero(const CdiEvents *e, double weight_a, double weight_b) {
    double first = 1;
    for (int i = 0; i < e->nz; i++) {
        if (!has_changed(e, i, e->zb)) continue;
        const double fa = weight_a * fabs(e->za[i]), fb = weight_b * fabs(e->zb[i]);
        first = fmin(first, fa + fb > 0 ? fa / (fa + fb) : 0);
    }
    return first;
}

// narrow the bracket to a few rounding errors
static CdStatus narrow(CdIntegrator *it, Bracket *k) {
    CdiEvents *e = it->driver->events;
    const double width = TIME_ROUNDING * rounding(it);
    double weight_a = 1, weight_b = 1, before = k->b - k->a;
    int side = 0;
    for (int n = 1; k->b - k->a > width && n < MAX_BRACKETS; n++) {
        double x = k->a + first_zero(e, weight_a, weight_b) * (k->b - k->a);
        // three trials that have not halved it are answered by the middle
        if (n % 4 == 0) {
            if (k->b - k->a > before / 2) x = k->a + (k->b - k->a) / 2;
            before = k->b - k->a;
        }
        x = fmin(fmax(x, k->a + width / 2), k->b - width / 2);
        CD_TRY(evaluate_inside(it, x, e->zx));
        if (any_changed(e, e->zx)) {
            take_right(e, k, x);
            weight_a = side > 0 ? weight_a / 2 : 1;
            weight_b = 1;
            side = 1;
        } else {
            take_left(e, k, x);
            weight_b = side < 0 ? weight_b / 2 : 1;
            weight_a = 1;
            side = -1;
        }
    }
    return CD_OK;
}

// ---- functions that return within a step

// three points around a minimum of a distance w = |z_i| that does not change its domain
typedef struct Minimum {
    double x[3], w[3];
} Minimum;

// of the parabola through the points; NaN if it has none
static double vertex(const Minimum *m, double *value) {
    const double l = m->x[0] - m->x[1], r = m->x[2] - m->x[1];
    const double dl = (m->w[0] - m->w[1]) / l, dr = (m->w[2] - m->w[1]) / r;
    const double curve = (dr - dl) / (r - l), slope = dl - curve * l;
    *value = m->w[1] - slope * slope / (4 * curve);
    return curve > 0 ? m->x[1] - slope / (2 * curve) : NAN;
}

// the next point where to look: the vertex, and every other time a golden section
static double next_trial(const Minimum *m, double x, int n) {
    const double l = m->x[1] - m->x[0], r = m->x[2] - m->x[1];
    const double apart = 1e-3 * fmin(l, r);
    if (n % 2 == 1 && x > m->x[0] + apart && x < m->x[2] - apart && fabs(x - m->x[1]) > apart) {
        return x;
    }
    return r > l ? m->x[1] + GOLDEN * r : m->x[1] - GOLDEN * l;
}

static void tighten(Minimum *m, double x, double w) {
    const int side = x > m->x[1] ? 2 : 0;
    if (w < m->w[1]) {
        m->x[2 - side] = m->x[1];
        m->w[2 - side] = m->w[1];
        m->x[1] = x;
        m->w[1] = w;
    } else {
        m->x[side] = x;
        m->w[side] = w;
    }
}

// search the minimum of function i until something changes, which is then the right end of k
static CdStatus search_minimum(CdIntegrator *it, int i, Bracket *k) {
    CdiEvents *e = it->driver->events;
    const double width = sqrt(DBL_EPSILON) * (k->b - k->a);
    Minimum m = {{k->a, k->a + GOLDEN * (k->b - k->a), k->b}, {fabs(e->z[i]), 0, fabs(e->zb[i])}};
    double x = m.x[1];
    for (int n = 0; n < MAX_MINIMUM && m.x[2] - m.x[0] > width; n++) {
        double least;
        CD_TRY(evaluate_inside(it, x, e->zx));
        if (any_changed(e, e->zx)) {
            take_right(e, k, x);
            return CD_OK;
        }
        if (n == 0) m.w[1] = fabs(e->zx[i]);
        if (n > 0) tighten(&m, x, fabs(e->zx[i]));
        x = vertex(&m, &least);
        if (n >= MINIMUM_TRIALS && least > m.w[1] / 2) return CD_OK;
        x = next_trial(&m, x, n);
    }
    return CD_OK;
}

static CdStatus search_returns(CdIntegrator *it, Bracket *k) {
    CdiEvents *e = it->driver->events;
    const double part = SLOPE_PART * (k->b - k->a);
    if (part < SLOPE_ROUNDING * rounding(it)) return CD_OK;
    CD_TRY(evaluate_inside(it, k->a + part, e->zl));
    CD_TRY(evaluate_inside(it, k->b - part, e->zr));
    for (int i = 0; i < e->nz; i++) {
        if (has_changed(e, i, e->zb)) continue;
        const bool towards = fabs(e->zl[i]) < fabs(e->z[i]) || has_changed(e, i, e->zl);
        const bool away = fabs(e->zr[i]) < fabs(e->zb[i]) || has_changed(e, i, e->zr);
        if (towards && away) CD_TRY(search_minimum(it, i, k));
    }
    return CD_OK;
}

// the first step after an event, in growing times
static CdStatus search_beginning(CdIntegrator *it, Bracket *k) {
    CdiEvents *e = it->driver->events;
    const double whole = k->b - k->a;
    for (double part = TIME_ROUNDING * rounding(it); part < whole; part *= FRESH_FACTOR) {
        CD_TRY(evaluate_inside(it, k->a + part, e->zx));
        if (!any_changed(e, e->zx)) continue;
        take_right(e, k, k->a + part);
        break;
    }
    return CD_OK;
}

CdStatus cdi_events_locate(CdIntegrator *it, double *t, bool *found) {
    CdiEvents *e = it->driver->events;
    Bracket k = {it->t_old, it->now.t};
    *found = false;
    *t = k.b;
    if (e->nz == 0) return CD_OK;
    CD_TRY(evaluate_now(it, e->zb));
    for (int i = 0; i < e->nz; i++) {
        e->noise[i] = NOISE * fmax(fabs(e->z[i]), fabs(e->zb[i]));
        if (differs(e, i, e->zb)) e->loose[i] = 0;
    }
    if (*e->fresh) CD_TRY(search_beginning(it, &k));
    *e->fresh = false;
    if (k.b == it->now.t) CD_TRY(search_returns(it, &k));
    if (any_changed(e, e->zb)) {
        memcpy(e->za, e->z, (size_t)e->nz * sizeof *e->za);
        CD_TRY(narrow(it, &k));
        *found = true;
        *t = k.b;
        return CD_OK;
    }
    for (int i = 0; i < e->nz; i++) e->loose[i] = 0;
    remember(e, e->zb);
    return CD_OK;
}

// ---- what happens there

static CdStatus next_time(CdIntegrator *it) {
    const CdProblem *user = &it->problem->user;
    double *next = &it->driver->numbers->t_time_event;
    *next = INFINITY;
    if (!user->next_time) return CD_OK;
    const CdStatus status = user->next_time(user->data, it->now.t, next);
    if (status == CD_OK && *next > it->now.t) return CD_OK;
    if (status != CD_OK) {
        return callback_failed(it, status, "next_time", it->now.t);
    }
    return cdi_integrator_fail(it, CD_INVALID,
                               "next_time gave %.17g at t = %.17g; it must be later, or infinite",
                               *next, it->now.t);
}

CdStatus cdi_events_start(CdIntegrator *it) {
    CdiEvents *e = it->driver->events;
    for (int k = 0; k < 2 * e->nz; k++) e->t_last[k] = -INFINITY;
    for (int i = 0; i < e->nz; i++) e->repeats[i] = e->loose[i] = 0;
    *e->fresh = true;
    if (e->nz > 0) {
        CD_TRY(evaluate_now(it, e->zx));
        remember(e, e->zx);
    }
    return next_time(it);
}

// the functions that differ from what is remembered
static CdEvent collect(CdiEvents *e, const double *z) {
    CdEvent event = {.kind = CD_EVENT_STATE, .which = e->which, .now = e->now};
    for (int i = 0; i < e->nz; i++) {
        if (!has_changed(e, i, z)) continue;
        e->which[event.n] = i;
        e->now[event.n++] = z[i] > 0;
    }
    return event;
}

// what handle_event left must be a state from which one can go on
static CdStatus check_handled(CdIntegrator *it) {
    const CdPoint *before = &it->driver->before;
    if (it->now.t != before->t) {
        return cdi_integrator_fail(it, CD_INVALID, "handle_event must not change t = %.9g",
                                   before->t);
    }
    const int bad = cdi_point_nonfinite(it->problem, &it->now);
    if (bad < 0) return CD_OK;
    char name[CD_UNKNOWN_TEXT];
    cdi_point_name(it->problem, bad, name);
    return cdi_integrator_fail(it, CD_NONFINITE, "handle_event gave %s no finite value at t = %.9g",
                               name, before->t);
}

static CdStatus change_state(CdIntegrator *it, CdEvent *event) {
    const CdProblem *user = &it->problem->user;
    const CdStatus status = user->handle_event(user->data, event, &it->now);
    if (status != CD_OK) {
        return callback_failed(it, status, "handle_event", it->driver->before.t);
    }
    CD_TRY(check_handled(it));
    cdi_problem_changed(it->problem);
    return cdi_now_consistent(it, INFINITY);
}

// one event; a failure leaves the state before it
static CdStatus handle(CdIntegrator *it, CdEvent *event) {
    CdiDriver *d = it->driver;
    const CdObserver *o = d->observer;
    CD_TRY(cdi_now_complete(it));
    cdi_point_copy(it->problem, &d->before, &it->now);
    const CdStatus status = it->problem->user.handle_event ? change_state(it, event) : CD_OK;
    if (status != CD_OK) {
        cdi_point_copy(it->problem, &it->now, &d->before);
        return status;
    }
    it->stats->events++;
    d->numbers->finished = d->numbers->finished || event->terminate;
    if (!o || !o->event) return CD_OK;
    const CdStatus says = o->event(o->user, event, &d->before, &it->now);
    if (d->observer_says == CD_OK) d->observer_says = says;
    return CD_OK;
}

// does function i do the same thing again and again while time stands still?
static CdStatus check_progress(CdIntegrator *it, int i, int now) {
    CdiEvents *e = it->driver->events;
    double *last = e->t_last + 2 * i + now;
    const double gap = it->now.t - *last;
    const double elapsed = it->now.t - it->driver->numbers->t_start;
    *last = it->now.t;
    e->repeats[i] = gap < NO_PROGRESS * elapsed ? e->repeats[i] + 1 : 0;
    const bool zeno = e->repeats[i] >= 2 * ZENO_REPEATS && gap < ZENO_ROUNDING * rounding(it);
    if (!zeno && e->repeats[i] <= it->options->event_limit) return CD_OK;
    char name[NAME_TEXT];
    return cdi_integrator_fail(
        it, CD_LIMIT,
        "event function %s chatters at t = %.12g: it became %s again after %.3g s, %d times in a "
        "row without progress; end the run there, or change to a mode that stays",
        function_name(it, i, name), it->now.t, now ? "positive" : "not positive", gap,
        e->repeats[i]);
}

static CdStatus not_settled(CdIntegrator *it, const CdEvent *event) {
    char name[NAME_TEXT];
    return cdi_integrator_fail(it, CD_LIMIT,
                               "events do not settle at t = %.9g: after %d of them event function "
                               "%s%s still changes; handle_event must lead to a lasting state",
                               it->now.t, it->options->event_limit,
                               function_name(it, event->which[0], name),
                               event->n > 1 ? " (and others)" : "");
}

// which functions are on the other side by rounding only; z is at now
static void find_loose(CdiEvents *e, const double *z) {
    for (int i = 0; i < e->nz; i++) {
        e->loose[i] = differs(e, i, z) && (e->loose[i] || fabs(z[i]) <= e->noise[i]);
    }
}

// state events until the functions stay as they are
static CdStatus settle(CdIntegrator *it) {
    CdiDriver *d = it->driver;
    CdiEvents *e = d->events;
    for (int n = 0; e->nz > 0 && !d->numbers->finished; n++) {
        CD_TRY(evaluate_now(it, e->zx));
        find_loose(e, e->zx);
        CdEvent event = collect(e, e->zx);
        remember(e, e->zx);
        if (event.n == 0) break;
        if (n >= it->options->event_limit) return not_settled(it, &event);
        CD_TRY(handle(it, &event));
    }
    return CD_OK;
}

// dense output is not quite on the constraints, and functions are not quite the same there
static CdStatus return_to_constraints(CdIntegrator *it) {
    CdiEvents *e = it->driver->events;
    CD_TRY(cdi_now_consistent(it, INFINITY));
    CD_TRY(evaluate_now(it, e->zx));
    for (int i = 0; i < e->nz; i++) e->loose[i] = differs(e, i, e->zx);
    return CD_OK;
}

// the functions that changed at the right end of the bracket
static CdStatus handle_found(CdIntegrator *it) {
    CdiEvents *e = it->driver->events;
    CdEvent event = collect(e, e->zb);
    remember(e, e->zb);
    for (int k = 0; k < event.n; k++) {
        CD_TRY(check_progress(it, event.which[k], event.now[k]));
    }
    if (it->problem->nc > 0) CD_TRY(return_to_constraints(it));
    // only what was found is 0
    for (int i = 0, k = 0; i < e->nz; i++) {
        if (k < event.n && event.which[k] == i) {
            k++;
        } else {
            e->noise[i] = -1;
        }
    }
    CD_TRY(handle(it, &event));
    return settle(it);
}

static CdStatus handle_kind(CdIntegrator *it, CdEventKind kind) {
    CdiEvents *e = it->driver->events;
    CdEvent event = {.kind = kind};
    for (int i = 0; i < e->nz; i++) e->noise[i] = -1;
    CD_TRY(handle(it, &event));
    return settle(it);
}

bool cdi_ends_in_sections(const CdIntegrator *it) {
    const CdiDriver *d = it->driver;
    const CdProblem *user = &it->problem->user;
    return user->step_end && user->sections->step_end && user->nz == 0 && !user->next_time &&
           d->t_sample >= it->now.t && !(d->observer && d->observer->inside);
}

static CdStatus handle_step_end(CdIntegrator *it, bool *any) {
    const CdProblem *user = &it->problem->user;
    bool asked = false;
    if (!user->step_end || it->driver->ended || it->driver->numbers->finished) return CD_OK;
    CD_TRY(cdi_now_complete(it));
    const CdStatus status = user->step_end(user->data, &it->now, &asked);
    if (status != CD_OK) {
        return callback_failed(it, status, "step_end", it->now.t);
    }
    if (!asked) return CD_OK;
    *any = true;
    return handle_kind(it, CD_EVENT_STEP);
}

static CdStatus handle_all(CdIntegrator *it, bool found, bool *any) {
    const CdiDriverNumbers *m = it->driver->numbers;
    *any = found;
    if (found) CD_TRY(handle_found(it));
    if (it->now.t >= m->t_time_event && !m->finished) {
        *any = true;
        CD_TRY(handle_kind(it, CD_EVENT_TIME));
    }
    return handle_step_end(it, any);
}

CdStatus cdi_events_handle(CdIntegrator *it, bool found) {
    bool any;
    const CdStatus status = handle_all(it, found, &any);
    // the method goes on from now, also after a failure that somebody mends
    if (!any) return status;
    *it->driver->events->fresh = true;
    const CdStatus next = status == CD_OK ? next_time(it) : status;
    const CdStatus restarted = cdi_restart(it);
    return next == CD_OK ? restarted : next;
}

CdStatus cdi_events_changed(CdIntegrator *it) {
    CdiEvents *e = it->driver->events;
    *e->fresh = true;
    for (int i = 0; i < e->nz; i++) e->noise[i] = -1;
    CD_TRY(settle(it));
    CD_TRY(next_time(it));
    return cdi_restart(it);
}
