// sundials.h - what CVODE and IDA share: vectors over our memory, linear solver, weights, failures
//
// SUNDIALS keeps its history in memory of its own, taken from libc when a method is set up: such
// runs can neither be saved nor be seen by the allocator of a context. Within a run it takes none.
// Hindmarsh et al., ACM TOMS 31 (2005) 363.
#ifndef CARDAN_INTEGRATORS_SUNDIALS_H
#define CARDAN_INTEGRATORS_SUNDIALS_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "integrators/integrator.h"

enum { CDI_SUNDIALS_TEXT = 200 };

// counters of SUNDIALS, which begin anew at every restart
typedef struct CdiSundialsCounts {
    long rejected, iterations, newton_failures;
} CdiSundialsCounts;

typedef struct CdiSundials {
    CdIntegrator *it;
    SUNContext sun;
    N_Vector y, dy; // over arrays of n: what the last step ended with
    double *work;   // 2n
    CdiFlatLin *lin;
    SUNMatrix matrix; // a name for lin, that SUNDIALS hands from set-up to solver
    SUNLinearSolver solver;
    double rhs_factor; // right-hand sides are multiplied by it
    bool restart;      // before the next step: history does not belong to the state any more
    CdStatus status;   // of the last callback that failed
    bool singular;     // the last set-up of lin
    char text[CDI_SUNDIALS_TEXT]; // what SUNDIALS said last
    CdiSundialsCounts counted;
} CdiSundials;

// our own flags beside those of a solver: it went on without moving t, or though it should not
enum { CDI_SUNDIALS_STUCK = 1000, CDI_SUNDIALS_ENDED };

// what a flag of a solver means to the user
typedef struct CdiSundialsFailure {
    int flag; // 0: any other
    CdStatus status;
    bool callback; // a callback's own status says more
    const char *why;
} CdiSundialsFailure;

extern const char cdi_sundials_off_constraints[], cdi_sundials_no_step[]; // why a step failed

CdStatus cdi_sundials_open(CdiSundials *s, CdIntegrator *it);
CdStatus cdi_sundials_open_linear(CdiSundials *s); // matrix and solver over cdi_flat_lin
void cdi_sundials_close(CdiSundials *s);           // also if it was opened half

// ---- callbacks
// 0, 1: a smaller step may help, -1: the run ends; the status is remembered, and the first one
// that ends the run for good
int cdi_sundials_flag(CdiSundials *s, CdStatus status);
// same, and values must be finite
int cdi_sundials_values(CdiSundials *s, CdStatus status, const double *values);
int cdi_sundials_weights(N_Vector y, N_Vector weights, void *sundials);
void cdi_sundials_on_error(int code, const char *module, const char *function, char *text,
                           void *sundials);
int cdi_sundials_setup(CdiSundials *s, double c, double t, N_Vector y, N_Vector dy, bool keep);

// ---- steps
// history is dropped; y and Y' are taken from the integrator
void cdi_sundials_restart(CdiSundials *s);
// the first step that a solver is given; 0: its own choice
double cdi_sundials_first_step(const CdIntegrator *it);
// a setting was refused (or memory ran out, which is `nomem`): message, status
CdStatus cdi_sundials_refused(CdiSundials *s, int flag, int nomem);
// before the solver is called: statuses of callbacks from before are forgotten
void cdi_sundials_begin(CdiSundials *s);
// a failure of a step: what the solver returned, or one of ours; 0: none
int cdi_sundials_verdict(const CdiSundials *s, int flag, double t);
// message and status of a step that failed; the history is given up
CdStatus cdi_sundials_failed(CdiSundials *s, const CdiSundialsFailure *failures, int flag,
                             double h);
// a rest of a few rounding errors is no step for SUNDIALS: time moves on, the state does not
bool cdi_sundials_rest(CdiSundials *s, double t_limit);
// y at t is the new state
void cdi_sundials_accept(CdiSundials *s, double t);
// For solvers that cannot project themselves: y back to constraints and manifold once it is
// DRIFT_LIMIT tolerances away, at the price of a restart.
CdStatus cdi_sundials_return(CdiSundials *s, double t, bool *moved);
// add what was counted since the last call
void cdi_sundials_count(CdiSundials *s, const CdiSundialsCounts *now);
// is there anything to project or normalise?
bool cdi_sundials_can_drift(const CdiFlat *flat);
// refuse options that no method with order control can honour
CdStatus cdi_sundials_check(const CdIntegrator *it);

#endif
