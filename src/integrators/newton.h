// newton.h - when an iteration has converged: its rate is watched and remembered between steps
//
//   theta_k = |d_k| / |d_k-1|       Theta = theta_2, then sqrt(theta_k theta_k-1)
//   eta     = Theta / (1 - Theta)   so that the error left after d_k is about eta |d_k|
//   done:  eta |d_k| <= tolerance
//
// The first increment of a step is judged with the eta of the step that last measured it, raised
// to the power 0.8 for every step since. With a Jacobian of the step itself that is the rate of its
// first two increments, and grows with the first one, as convergence is quadratic; it says nothing
// about steps with a kept one. A rate at the level of rounding with the Jacobian of an
// earlier step is that of a linear problem, which then takes one iteration per step; it is
// measured again after 1, 2, 4, ... 64 steps, and stays linear where the second increment is next
// to nothing. In any case it is measured when the first increment has grown to more than four
// times the last one: what looked linear may have become something else. Other problems are
// measured after 32 steps at the latest, unless their increments are next to nothing.
// Hairer & Wanner, Solving ODEs II, 2nd ed., IV.8.
#ifndef CARDAN_INTEGRATORS_NEWTON_H
#define CARDAN_INTEGRATORS_NEWTON_H

#include <stdbool.h>

typedef enum CdNewtonKind { CD_NEWTON_AUTO, CD_NEWTON_FULL, CD_NEWTON_MODIFIED } CdNewtonKind;
extern const char *const cdi_newton_names[]; // "auto", "full", "modified"; NULL-terminated

// whose Jacobian a step uses
typedef enum CdNewtonEffort {
    CD_JACOBIAN_KEPT,  // that of an earlier step
    CD_JACOBIAN_FRESH, // one of its beginning
    CD_JACOBIAN_EVERY  // one of every iteration
} CdNewtonEffort;

// memory between steps; plain numbers that may be saved as bytes
typedef struct CdNewton {
    double eta;       // to judge the first increment with; 1 if nothing is known
    double theta;     // rate of convergence when it was last measured
    double last;      // norm of the last increment
    double first;     // norm of the first increment of the last step
    double measured;  // and of that which measured eta
    double start;     // rate of the first two increments of a step
    double tolerance; // of the error left
    int effort;       // of this step
    int of_new;       // eta was measured with a Jacobian of that step
    int iteration;    //
    int trust;        // steps that a linear problem is trusted; 0: it is not linear
    int unmeasured;   // steps since eta was measured
} CdNewton;

typedef enum CdNewtonVerdict { CD_NEWTON_GO_ON, CD_NEWTON_DONE, CD_NEWTON_FAILED } CdNewtonVerdict;

void cdi_newton_reset(CdNewton *newton); // nothing is known: a new problem or a new Jacobian
void cdi_newton_begin(CdNewton *newton, double tolerance, CdNewtonEffort effort); // a new step
CdNewtonVerdict cdi_newton_judge(CdNewton *newton, double norm); // of the increment just added
// the error that an increment of this norm would leave, before it is judged
double cdi_newton_left(const CdNewton *newton, double norm);
// before a step: is one iteration expected, for a linear problem? Then scales of norms may be old.
static inline bool cdi_newton_trusts(const CdNewton *newton) {
    return newton->unmeasured < newton->trust;
}

// the only increment of such a step, judged as above; where it is not enough nothing has changed
bool cdi_newton_suffices(CdNewton *newton, double norm);

#endif
