// driver.h - what the driver keeps beside the method: options, events, samples, memory to be saved
#ifndef CARDAN_INTEGRATORS_DRIVER_H
#define CARDAN_INTEGRATORS_DRIVER_H

#include "integrators/integrator.h"

// memory that is saved with a run
typedef struct CdiKept {
    struct CdiKept *next;
    void *p;
    size_t n;
} CdiKept;

typedef struct CdiKeptList {
    CdiKept *first, **last; // in the order of keeping; last NULL: empty
} CdiKeptList;

// numbers of the driver that are saved
typedef struct CdiDriverNumbers {
    double t_start;       // of the integrator
    double t_grid;        // fixed steps end at t_grid + grid_steps h
    double t_time_event;  // the next announced time
    int64_t grid_steps;   // since t_grid
    uint64_t allocations; // of the context, at the start
    unsigned epoch;       // of the pattern
    bool started, finished;
    bool complete; // all parts of now are those of its t
} CdiDriverNumbers;

struct CdiEvents;

typedef struct CdiDriver {
    CdObject *options;
    CdArena arena; // lives longer than it->arena, which a new pattern epoch clears
    CdiKeptList own, kept;
    CdiDriverNumbers *numbers;
    CdPoint probe, before; // between steps, and before an event
    CdPoint shown;         // what is told of a redundant problem
    double *scale;         // work of cdi_first_step, n each
    double *trial[2];
    struct CdiEvents *events;

    // of the run that is going on
    const CdObserver *observer;
    CdProgress *progress; // the observer's, or own_progress
    CdProgress own_progress;
    double t_end;
    double t_sample;        // of the next sample; infinity: they follow steps, or nobody wants any
    CdStatus observer_says; // what ends the run when the step is complete
    int64_t burst;          // steps that the next one may have
    int64_t burst_end;      // of the last one, ns of the clock
    bool ended;             // the last step: the method has called step_end of sections
} CdiDriver;

// size of an accepted step
static inline void cdi_count_size(CdStatistics *s, double h) {
    if (!(s->min_step > 0) || h < s->min_step) s->min_step = h;
    if (h > s->max_step) s->max_step = h;
}

// may a step end with step_end of sections? Nobody looks at what is inside of it
bool cdi_ends_in_sections(const CdIntegrator *it);

// ---- messages

// "problem 'x', method 'dopri5': ..."; returns status
CdStatus cdi_integrator_fail(const CdIntegrator *it, CdStatus status, const char *fmt, ...)
    CD_PRINTF(3, 4);
// a recoverable failure that nobody can mend any more is told, others were told by who failed
bool cdi_is_recoverable(CdStatus status);
// name of unknown i of a point's block, as "y[1]", into text
#define CD_UNKNOWN_TEXT 32
void cdi_point_name(const CdiProblem *p, int i, char text[CD_UNKNOWN_TEXT]);
// first number of a point's block that is not finite; -1: none
int cdi_point_nonfinite(const CdiProblem *p, const CdPoint *at);

// ---- method text (method_text.c)

// class and checked options of "name(key=value, ...)"; all mistakes are reported
CdStatus cdi_method_read(CdContext *ctx, const char *text, const CdIntegratorClass **cls,
                         CdObject **options);

// tolerances for the digits asked for, or a message why not (digits.c)
CdStatus cdi_digits_apply(CdContext *ctx, const CdIntegratorClass *cls, CdObject *options);

// ---- life (integrator.c)

void *cdi_keep_in(CdArena *arena, CdiKeptList *list, size_t bytes);
// the parts of now that a method does not move (v', y', x, lambda of explicit methods) are found
CdStatus cdi_complete(CdIntegrator *it, CdPoint *at);
CdStatus cdi_now_complete(CdIntegrator *it);
// what observers see of a complete point: `at`, or a copy with the smallest multipliers
CdStatus cdi_show(CdIntegrator *it, const CdPoint *at, const CdPoint **shown);
// x, v', y', lambda at now, and constraints met that are violated by no more than tol
CdStatus cdi_now_consistent(CdIntegrator *it, double tol);
// The problem's data was changed from outside: constraints that now violates by no more than tol
// are met again and the method restarted. If they cannot be, now stays as it was.
CdStatus cdi_integrator_changed(CdIntegrator *it, double tol);
// dense output, back on the manifold
CdStatus cdi_dense(CdIntegrator *it, double t, CdPoint *at);
// begin anew at now, which is consistent; a new pattern epoch is made ready before
CdStatus cdi_restart(CdIntegrator *it);

#endif
