// radau.h - what the two halves of radau5 share: its memory, and Newton's iteration for the stages
#ifndef CARDAN_INTEGRATORS_RADAU_H
#define CARDAN_INTEGRATORS_RADAU_H

#include "integrators/integrator.h"

typedef struct CdiRadauOptions {
    CdCommonOptions common;
    int newton_limit;
    double newton_tolerance, reuse_rate;
} CdiRadauOptions;

// what a step hands on to the next
typedef struct CdiRadauMemory {
    double t_end, h_poly;  // end and step of the collocation polynomial; h 0: there is none
    double h_factored;     // step the matrices are factored for; 0: they are not
    double h_error, error; // last controlled step and its error
    double eta, theta;     // of Newton's iteration: Theta/(1 - Theta), rate
    bool jacobian_wanted;  // before the next attempt
    bool jacobian_fresh;   // it was taken at the present state
    bool first, rejected;  // no step was accepted since the start; the last attempt failed
} CdiRadauMemory;

typedef struct CdiRadau {
    CdiRadauMemory kept;         // saved with the run; what follows is not
    double *poly, *end;          // k1 k2 k3 of the collocation polynomial, its value at the end
    CdiFlatLin *real, *complex_; // E1, E2
    // work space
    double *Z;        // Z1 Z2 Z3
    double *R;        // residuals of the stages
    double *w1, *w23; // increments in the transformed variables; w2 + i w3 as pairs
    double *Y, *dY;   // a stage
    double *scale;    // weights of errors, with powers of h for unknowns of higher index
    double *error;
    int *powers;       // of h in the weights
    double rtol, atol; // of the weights
    double tolerance;  // kappa: Newton's error in these weights
    double noise;      // what is good enough when rounding or the limit stops the iteration
    int limit;         // iterations
    int iterations;    // of the last solution
} CdiRadau;

typedef enum CdiRadauOutcome {
    CDI_RADAU_SOLVED,
    CDI_RADAU_SLOW,    // will not converge in time: take the step proposed
    CDI_RADAU_DIVERGED // or could not be evaluated
} CdiRadauOutcome;

// Z_1 Z_2 Z_3 of a step h from it->now. *retry is the step to try when it is slow, *why tells how
// it diverged; anything but CD_OK is not recoverable.
CdStatus cdi_radau_newton(CdIntegrator *it, double h, CdiRadauOutcome *outcome, double *retry,
                          CdStatus *why);
// error of the step in r->error and its norm; *norm is infinite if it cannot be evaluated
CdStatus cdi_radau_error(CdIntegrator *it, double h, double *norm);
// unknown of Y with the largest weighted increment in the last iteration
int cdi_radau_worst(const CdIntegrator *it);
// unknown whose equation has the first residual that is not finite
int cdi_radau_nonfinite(const CdIntegrator *it);

#endif
