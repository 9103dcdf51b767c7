// integrator.h - solve a problem in time
//
//   CdContext *ctx = cd_context_new(NULL); // messages: cd_context_set_sink
//   CdIntegrator *it;
//   cd_integrator_new(ctx, &problem, "dopri5(rtol=1e-8)", &it);
//   cd_integrator_start(it, &(CdPoint){.t = 0, .y = y0});
//   cd_integrator_run(it, 20, NULL);
//   const CdPoint *end = cd_integrator_now(it);
//   cd_integrator_free(it);
//
// A method is its name and, in brackets, options that differ from their defaults. Nothing is
// allocated between start and the end of a run, unless an event changes the structure.
#ifndef CARDAN_INTEGRATOR_H
#define CARDAN_INTEGRATOR_H

#include "cardan/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CdIntegrator CdIntegrator;

// counted alike by all methods
typedef struct CdStatistics {
    const char *path; // how the problem was turned into what the method takes:
                      // "mechanical, index 3 -> implicit"
    int64_t steps, rejected;
    int64_t evaluations; // of the right-hand side, the force or the residual, without derivatives
    int64_t difference_evaluations; // those that differences took
    int64_t jacobians, factors, solves;
    double factor_flops; // floating-point operations of the factors
    int64_t iterations, newton_failures;
    int64_t events, restarts;
    uint64_t allocations; // by the context since start
    double min_step, max_step;
    bool stiff; // the method found the problem stiff
} CdStatistics;

// method: a name with options; "auto": gen-alpha for mechanisms, radau5 for DAEs, dopri5 for ODEs.
// Both are copied, the problem's data and arrays stay the user's and must outlive the integrator
CdStatus cd_integrator_new(CdContext *ctx, const CdProblem *problem, const char *method,
                           CdIntegrator **it);
void cd_integrator_free(CdIntegrator *it); // NULL does nothing

// Members of `at` that are NULL start at 0, or are found: x, lambda, vdot and ydot always are.
// Start values that violate constraints by more than `start_tolerance` are refused, smaller
// deviations are projected.
CdStatus cd_integrator_start(CdIntegrator *it, const CdPoint *at);

// one accepted step, not beyond t_limit, which is finite. Events on the way are handled and end the
// step.
CdStatus cd_integrator_step(CdIntegrator *it, double t_limit);

// how far a run has come. Saved and given back together with the integrator's memory, samples and
// limits go on as if the run had not been interrupted.
typedef struct CdProgress {
    double t_begin, t_sample; // of the run, of its last sample
    int64_t steps, samples;   // both 0: it has not begun
} CdProgress;

// Where nobody looks at single steps, and they take microseconds, methods may make so many of them
// without a pause; where they take long, two.
#define CD_BURST_STEPS 32

// what happens during a run; all optional. The run may be saved in `step` and `pause`.
typedef struct CdObserver {
    void *user;
    double interval; // of samples, from the start of the run to its end, which is one in any case;
                     // 0: after every step. At an event it is the state after it.
    int64_t every;   // with interval 0: after every n-th step; 0 is 1
    CdProgress *progress; // kept up to date; of a run that is continued: how far it was
    CdStatus (*sample)(void *user, const CdPoint *at); // anything but CD_OK ends the run
    // cd_integrator_at tells of any time from begin to end, which the run has just passed and where
    // events may change the state next; anything but CD_OK ends the run
    CdStatus (*inside)(void *user, double begin, double end);
    // after every step and its samples; anything but CD_OK ends the run
    CdStatus (*step)(void *user);
    // the same, but not of every step: after CD_BURST_STEPS of them at the latest
    CdStatus (*pause)(void *user);
    CdStatus (*event)(void *user, const CdEvent *event, const CdPoint *before,
                      const CdPoint *after);
    bool (*cancelled)(void *user, double t); // before `pause`; true: CD_CANCELLED
} CdObserver;

// to t_end, which is finite, or to an event that terminates (then it is CD_OK and finished). A
// failure leaves the last accepted state, of which cd_integrator_now still tells.
CdStatus cd_integrator_run(CdIntegrator *it, double t_end, const CdObserver *observer);
bool cd_integrator_finished(const CdIntegrator *it);

// the last accepted state, complete with vdot, ydot and lambda; valid until the next call
const CdPoint *cd_integrator_now(CdIntegrator *it);
// inside the last step: t must lie within it (after an event or a step that failed: at now); valid
// until the next call
CdStatus cd_integrator_at(CdIntegrator *it, double t, const CdPoint **at);

const CdStatistics *cd_integrator_statistics(const CdIntegrator *it);

// parameters and inputs by name (or number as text); the method restarts from the current state
CdStatus cd_integrator_set_parameter(CdIntegrator *it, const char *name, double value);
CdStatus cd_integrator_set_input(CdIntegrator *it, const char *name, double value);

// all memory of a run, so that another integrator of the same problem and method continues bit for
// bit. CD_INVALID with a message for methods that cannot. The bytes are for the same build only.
CdStatus cd_integrator_save(CdIntegrator *it, void *to, size_t size); // size from save_size
size_t cd_integrator_save_size(const CdIntegrator *it);               // 0: the method cannot save
CdStatus cd_integrator_load(CdIntegrator *it, const void *from, size_t size);

// names of all methods in their order; NULL after the last
const char *cd_integrator_name(int i);

#ifdef __cplusplus
}
#endif

#endif
