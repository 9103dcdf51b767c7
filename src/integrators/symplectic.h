// symplectic.h - kick and drift: what symplectic Euler and Verlet share
//
//   v* = v0 + kappa h a0                     kick      a = M^-1 f(t, q, v, y)
//   q1 = q0 o h v*                           drift, along the manifold
//   a1 = a(t1, q1, v0 + h a0, y0 + h y0')    one evaluation, kept for the next step
//   v1 = v* + (1 - kappa) h a1               kick
//
// kappa = 1 is symplectic Euler, kappa = 1/2 the velocity form of Verlet's method. First-order
// states y take the kicks of v. Forces that depend on v are taken at its prediction v0 + h a0,
// which keeps the order.
// Hairer, Lubich & Wanner, Geometric Numerical Integration, sec. I.1.2-I.1.4.
#ifndef CARDAN_INTEGRATORS_SYMPLECTIC_H
#define CARDAN_INTEGRATORS_SYMPLECTIC_H

#include "integrators/integrator.h"

typedef struct CdiSymplectic {
    double t0, h; // of the last step

    double kick;       // kappa; from here on nothing is saved
    CdPoint old, next; // ends of the step; their numbers are kept
    double *drift, *along;
    const CdVecnOps *vecn;
} CdiSymplectic;

CdStatus cdi_symplectic_init(CdIntegrator *it, double kick);
CdStatus cdi_symplectic_start(CdIntegrator *it);
CdStatus cdi_symplectic_step(CdIntegrator *it, double t_limit);
CdStatus cdi_symplectic_dense(CdIntegrator *it, double t, CdPoint *at);

typedef struct CdiSymplecticOptions {
    CdCommonOptions common;
} CdiSymplecticOptions;

#define CDI_SYMPLECTIC_ROWS \
    CDI_COMMON_ROWS(CdiSymplecticOptions, "false", "1e-6", "1e-6", "\"auto\"")

// all of a class but its description, guide, order and init
#define CDI_SYMPLECTIC_CLASS                                                            \
    .memory = sizeof(CdiSymplectic), .saved = offsetof(CdiSymplectic, kick),            \
    .view = CD_VIEW_MECHANICAL, .manifold = true, .can_save = true, .fixed_only = true, \
    .start = cdi_symplectic_start, .step = cdi_symplectic_step, .dense = cdi_symplectic_dense

#endif
