// run.c - from here to t_end: one accepted step after the other, events, samples, limits
//
// Steps are not cut for samples, which come from dense output, but for announced times, for the end
// and, if they are fixed, for the grid t_grid + k h, which is computed anew for every step so that
// it does not drift. Sample k is at t_begin + k interval. Where nobody looks at single steps
// methods may make bursts of them, without all this in between.
#include <float.h>
#include <math.h>

#include "base/clock.h"
#include "base/float_mode.h"
#include "base/pool.h"
#include "integrators/driver.h"
#include "integrators/events.h"

// a time this close to a grid point, relative to the spacing, is meant to be on it
#define GRID_ROUNDING 1e-9
// below so many rounding errors of t a step is about to become none
#define SHRUNK 1e6
// from the end of one burst to that of the next, beyond which these become shorter
#define BURST_NS 1000000

// ---- samples

// when the next one is due; at the end of the run if that is meant
static void plan_sample(CdIntegrator *it) {
    CdiDriver *d = it->driver;
    const CdObserver *o = d->observer;
    d->t_sample = INFINITY;
    if (!o || !o->sample || !(o->interval > 0)) return;
    const double t = d->progress->t_begin + (double)d->progress->samples * o->interval;
    d->t_sample = fabs(t - d->t_end) <= GRID_ROUNDING * o->interval ? d->t_end : t;
}

static CdStatus give_sample(CdIntegrator *it, const CdPoint *at) {
    const CdObserver *o = it->driver->observer;
    it->driver->progress->samples++;
    it->driver->progress->t_sample = at->t;
    plan_sample(it);
    return o->sample(o->user, at);
}

static CdStatus sample_now(CdIntegrator *it) {
    const CdPoint *at;
    CD_TRY(cdi_now_complete(it));
    CD_TRY(cdi_show(it, &it->now, &at));
    return give_sample(it, at);
}

// samples inside the last step, at times before t; what is at t itself, events may still change
static CdStatus sample_before(CdIntegrator *it, double t) {
    const CdiDriver *d = it->driver;
    while (d->t_sample < t) {
        const CdPoint *at;
        CD_TRY(cd_integrator_at(it, d->t_sample, &at));
        CD_TRY(give_sample(it, at));
    }
    return CD_OK;
}

// what is asked of the last step as far as it counts, while its dense output is there
static CdStatus tell_inside(CdIntegrator *it, double end) {
    const CdObserver *o = it->driver->observer;
    CD_TRY(sample_before(it, end));
    return o && o->inside ? o->inside(o->user, it->t_old, end) : CD_OK;
}

static CdStatus sample_after_step(CdIntegrator *it) {
    const CdiDriver *d = it->driver;
    const CdObserver *o = d->observer;
    if (!o || !o->sample) return CD_OK;
    const bool is_time = o->interval > 0 ? d->t_sample <= it->now.t
                                         : o->every <= 1 || d->progress->steps % o->every == 0;
    return is_time ? sample_now(it) : CD_OK;
}

// the last sample is at the end, even if the interval does not lead there
static CdStatus sample_end(CdIntegrator *it) {
    const CdiDriver *d = it->driver;
    const CdObserver *o = d->observer;
    if (!o || !o->sample) return CD_OK;
    return d->progress->t_sample < it->now.t ? sample_now(it) : CD_OK;
}

// ---- one step

static bool is_fixed(const CdIntegrator *it) {
    return !it->options->adaptive;
}

// of fixed steps
static CdiGrid grid_of(const CdIntegrator *it) {
    const CdiDriverNumbers *m = it->driver->numbers;
    return (CdiGrid){.t = m->t_grid, .h = it->options->step, .steps = m->grid_steps};
}

// where the step must end at the latest
static double step_limit(const CdIntegrator *it, double t_limit) {
    const double limit = fmin(t_limit, it->driver->numbers->t_time_event);
    if (!is_fixed(it)) return limit;
    const CdiGrid grid = grid_of(it);
    const double next = cdi_grid_time(&grid, 1);
    return limit - next > GRID_ROUNDING * grid.h ? next : limit;
}

static void count_step(CdIntegrator *it, int64_t steps) {
    CdiDriverNumbers *m = it->driver->numbers;
    CdStatistics *s = it->stats;
    s->steps = steps + 1;
    cdi_count_size(s, it->now.t - it->t_old);
    m->complete = false;
    if (!is_fixed(it)) return;
    m->grid_steps++;
    const CdiGrid grid = grid_of(it);
    if (fabs(cdi_grid_time(&grid, 0) - it->now.t) > GRID_ROUNDING * grid.h) {
        m->t_grid = it->now.t;
        m->grid_steps = 0;
    }
}

// the step itself. One that fails may have spoilt the dense output of the last one; one that does
// not move t would be repeated for ever.
static CdStatus move_on(CdIntegrator *it, double limit) {
    const double t = it->now.t;
    // steps that shrink to nothing do so for the reason that made the first of them shrink
    if (it->h > SHRUNK * DBL_EPSILON * fabs(t)) cdi_problem_forget(it->problem);
    cd_round_begin(it->problem->user.pool);
    CdStatus status = it->cls->step(it, limit);
    cd_round_end(it->problem->user.pool);
    if (status == CD_OK && !(it->now.t > t)) {
        status = cdi_integrator_fail(it, CD_NOCONV,
                                     "a step of %.3g s does not change t = %.9g; rtol and atol ask "
                                     "for too much",
                                     it->h, t);
    }
    if (status != CD_OK) it->t_old = it->now.t;
    return status;
}

// the start may have been a singular position, where more constraints depend on others than later
static CdStatus check_held(const CdIntegrator *it) {
    char name[64];
    double g;
    int row;
    CD_TRY(cdi_redundant_violation(it->problem, &it->now, &row, &g));
    if (row < 0) return CD_OK;
    cdi_unknown_name(it->problem, it->problem->nd + row, name, sizeof name);
    return cdi_integrator_fail(it, CD_SINGULAR,
                               "%s is violated by %.3g at t = %.9g: it depended on other "
                               "constraints at the start, but no longer does; start a little away "
                               "from that singular position",
                               name, g, it->now.t);
}

// dependent constraints take turns; multipliers that are part of Y then jump, which ends a history
static CdStatus update_constraints(CdIntegrator *it) {
    bool changed;
    if (it->problem->user.redundant == 0) return CD_OK;
    CD_TRY(check_held(it));
    CD_TRY(cdi_redundant_update(it->problem, &it->now, it->h, &changed));
    return changed && it->cls->view == CD_VIEW_IMPLICIT ? cdi_restart(it) : CD_OK;
}

// one accepted step and what happens at its end
static CdStatus advance(CdIntegrator *it, double t_limit) {
    CdiDriver *d = it->driver;
    const int64_t steps = it->stats->steps;
    const double limit = step_limit(it, t_limit);
    double t;
    bool found;
    if (limit <= it->now.t) {
        return cdi_integrator_fail(it, CD_INVALID, "a step of %.3g s does not change t = %.9g",
                                   it->options->step, it->now.t);
    }
    CD_TRY(move_on(it, limit));
    count_step(it, steps);
    if (!cdi_events_possible(it)) {
        CD_TRY(tell_inside(it, it->now.t));
        return update_constraints(it);
    }
    CD_TRY(cdi_events_locate(it, &t, &found));
    // a restart drops the dense output
    d->observer_says = tell_inside(it, t);
    if (found && t < it->now.t) {
        CD_TRY(cdi_dense(it, t, &d->probe));
        cdi_point_copy(it->problem, &it->now, &d->probe);
        // explicit methods know no more than Y inside a step
        d->numbers->complete = it->cls->view != CD_VIEW_EXPLICIT;
    }
    CD_TRY(cdi_events_handle(it, found));
    CD_TRY(update_constraints(it));
    return d->observer_says;
}

static CdStatus check_ready(CdIntegrator *it, double t_limit) {
    const CdiDriverNumbers *m = it->driver->numbers;
    if (!m->started) {
        return cdi_integrator_fail(it, CD_INVALID, "is not started; call cd_integrator_start");
    }
    if (m->finished) {
        return cdi_integrator_fail(it, CD_INVALID,
                                   "was ended by an event at t = %.9g; start it again", it->now.t);
    }
    if (t_limit >= it->now.t && t_limit < INFINITY) return CD_OK;
    return cdi_integrator_fail(it, CD_INVALID,
                               "cannot go to t = %.9g; it must be finite and not before t = %.9g",
                               t_limit, it->now.t);
}

CdStatus cd_integrator_step(CdIntegrator *it, double t_limit) {
    CD_TRY(check_ready(it, t_limit));
    it->driver->observer = NULL;
    it->driver->t_sample = INFINITY;
    if (t_limit <= it->now.t) return CD_OK;
    const uint32_t mode = cdi_float_set(CDI_FLUSH);
    const CdStatus status = advance(it, t_limit);
    cdi_float_set(mode);
    return status;
}

// ---- run

static CdStatus after_step(CdIntegrator *it, double t_end) {
    const CdObserver *o = it->driver->observer;
    const int max_steps = it->options->max_steps;
    const int64_t done = ++it->driver->progress->steps;
    CD_TRY(sample_after_step(it));
    if (o && o->step) CD_TRY(o->step(o->user));
    if (o && o->cancelled && o->cancelled(o->user, it->now.t)) {
        return cdi_integrator_fail(it, CD_CANCELLED, "cancelled at t = %.9g", it->now.t);
    }
    if (o && o->pause) CD_TRY(o->pause(o->user));
    if (max_steps == 0 || done < max_steps || it->now.t >= t_end) return CD_OK;
    return cdi_integrator_fail(
        it, CD_LIMIT,
        "%d steps lead only to t = %.9g, the last of %.3g s; allow more with max_steps, or %s",
        max_steps, it->now.t, it->h,
        is_fixed(it) ? "take a larger step" : "larger errors with rtol and atol");
}

// ---- bursts

// Can the method make some, and does nobody want to know what is inside of steps, or between two?
static bool may_burst(const CdIntegrator *it) {
    const CdObserver *o = it->driver->observer;
    if (!it->cls->burst || !is_fixed(it) || cdi_events_possible(it)) return false;
    if (it->problem->user.redundant > 0) return false;
    return !o || (!o->step && !o->inside && (!o->sample || o->interval > 0));
}

// Steps that are quick, with what observers do between bursts, make long ones, so that whoever may
// cancel is asked soon. The clock is read once for each and has no influence on numbers.
static int64_t next_burst(CdiDriver *d) {
    const int64_t now = cdi_clock_ns(), longer = 2 * d->burst, most = CD_BURST_STEPS - 1;
    const bool quick = now - d->burst_end < BURST_NS;
    d->burst_end = now;
    if (!quick) return 1;
    return longer < most ? longer : most;
}

// Fixed steps before the end, the next sample and the last step that is allowed; the one after them
// is made by itself.
static void make_burst(CdIntegrator *it, double t_end) {
    CdiDriver *d = it->driver;
    CdiDriverNumbers *m = d->numbers;
    if (!may_burst(it)) return;
    const int64_t allowed = it->options->max_steps, left = allowed - d->progress->steps - 1;
    const CdiGrid grid = grid_of(it);
    const double limit = fmin(t_end, d->t_sample) - GRID_ROUNDING * grid.h;
    const int64_t most = allowed > 0 && left < d->burst ? left : d->burst;
    const int64_t n = it->cls->burst(it, &grid, limit, most);
    if (n == 0) return;
    d->burst = next_burst(d);
    m->grid_steps += n;
    m->complete = false;
    it->stats->steps += n;
    d->progress->steps += n;
}

static CdStatus loop(CdIntegrator *it, double t_end) {
    const CdObserver *o = it->driver->observer;
    const CdiDriverNumbers *m = it->driver->numbers;
    const CdProgress *p = it->driver->progress;
    if (p->samples == 0 && o && o->sample) CD_TRY(sample_now(it));
    while (it->now.t < t_end && !m->finished) {
        make_burst(it, t_end);
        CD_TRY(advance(it, t_end));
        CD_TRY(after_step(it, t_end));
    }
    return sample_end(it);
}

// 0, or long enough that samples have times of their own
static CdStatus check_interval(const CdIntegrator *it, double interval, double t_end) {
    const double least = DBL_EPSILON * fmax(fabs(it->now.t), fabs(t_end));
    if (interval == 0 || (interval >= least && isfinite(interval))) return CD_OK;
    return cdi_integrator_fail(
        it, CD_INVALID, "samples every %g s are not possible; 0 is after every step", interval);
}

CdStatus cd_integrator_run(CdIntegrator *it, double t_end, const CdObserver *observer) {
    CD_TRY(check_ready(it, t_end));
    CdiDriver *d = it->driver;
    if (observer) CD_TRY(check_interval(it, observer->interval, t_end));
    d->observer = observer;
    d->progress = observer && observer->progress ? observer->progress : &d->own_progress;
    d->own_progress = (CdProgress){0};
    if (d->progress->steps == 0 && d->progress->samples == 0) d->progress->t_begin = it->now.t;
    d->t_end = t_end;
    d->burst = 1;
    d->burst_end = cdi_clock_ns();
    plan_sample(it);
    const uint32_t mode = cdi_float_set(CDI_FLUSH);
    const CdStatus status = loop(it, t_end);
    cdi_float_set(mode);
    d->observer = NULL;
    return status;
}
