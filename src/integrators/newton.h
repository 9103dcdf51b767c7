// newton.h - when an iteration has converged: its rate is watched and remembered between steps
//
//   theta_k = |d_k| / |d_k-1|       Theta = theta_2, then sqrt(theta_k theta_k-1)
//   eta     = Theta / (1 - Theta)   so that the error left after d_k is about eta |d_k|
//   done:  eta |d_k| <= tolerance
//
// The first increment of a step is judged with eta^0.8 of the step that last measured it, so a
// linear problem with a kept Jacobian takes one iteration per step. Because a problem that looked
// linear may become something else, eta is measured anew when the first increment has grown to
// more than four times the last one, and every 256th time.
// Hairer & Wanner, Solving ODEs II, 2nd ed., IV.8.
#ifndef CARDAN_INTEGRATORS_NEWTON_H
#define CARDAN_INTEGRATORS_NEWTON_H

#include <stdbool.h>

typedef enum CdNewtonKind { CD_NEWTON_AUTO, CD_NEWTON_FULL, CD_NEWTON_MODIFIED } CdNewtonKind;
extern const char *const cdi_newton_names[]; // "auto", "full", "modified"; NULL-terminated

// memory between steps; plain numbers that may be saved as bytes
typedef struct CdNewton {
    double eta;       // to judge the first increment with; 1 if nothing is known
    double theta;     // rate of convergence when it was last measured
    double last;      // norm of the last increment
    double first;     // norm of the first increment of the last step
    double tolerance; // of the error left
    int iteration;    // of this step
    int unmeasured;   // steps since eta was measured
} CdNewton;

typedef enum CdNewtonVerdict { CD_NEWTON_GO_ON, CD_NEWTON_DONE, CD_NEWTON_FAILED } CdNewtonVerdict;

void cdi_newton_reset(CdNewton *newton); // nothing is known: a new problem or a new Jacobian
void cdi_newton_begin(CdNewton *newton, double tolerance); // a new step
// norm of the increment just added. `patient`: a Jacobian in every iteration, whose increments may
// grow at first and then fall faster than any rate foretells
CdNewtonVerdict cdi_newton_judge(CdNewton *newton, double norm, bool patient);

#endif
