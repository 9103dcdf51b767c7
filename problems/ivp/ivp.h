// ivp.h - initial value problems with known solutions, on which integrators are proved
//
// One file per problem with its IvpProblem at the end, one line in ivp.def. Vectors and sizes are
// those of the problem; a reference that is NULL is not known.
// Mazzia & Magherini, Test Set for Initial Value Problem Solvers, University of Bari, 2008.
#ifndef CARDAN_PROBLEMS_IVP_H
#define CARDAN_PROBLEMS_IVP_H

#include "cardan/problem.h"

// the solution at t
typedef struct IvpReference {
    double t;
    const double *q, *v, *y, *x, *lambda;
    double accuracy; // relative, of q, v, y and x; multipliers may be worse by two digits
} IvpReference;

typedef enum IvpTraits {
    IVP_STIFF = 1,  // not for explicit methods
    IVP_EVENTS = 2, // the right-hand side or the state jumps
} IvpTraits;

typedef struct IvpProblem {
    const char *name, *doc, *source;
    CdProblem problem;
    double t0, t_end;
    const double *q0, *v0, *y0, *x0; // what a run starts from; sizes of the problem
    const double *ydot0;             // of implicit problems
    IvpReference end;                // t 0: none
    // members of `at` that are not NULL get the exact solution at t; NULL: not known
    void (*exact)(const void *data, double t, CdPoint *at);
    double atol_ratio; // absolute tolerances that make sense are this times the relative one; 0: 1
    double condition;  // a small change of the start is this much larger in the end; 0: 1
    unsigned traits;
} IvpProblem;

extern const IvpProblem *const ivp_problems[]; // NULL-terminated
const IvpProblem *ivp_find(const char *name);  // NULL if there is none

#define IVP(name) extern const IvpProblem ivp_##name;
#include "ivp.def"
#undef IVP

CdPoint ivp_start(const IvpProblem *ivp); // for cd_integrator_start; arrays are the problem's

// 2-norms of the errors of a state, by kind; NaN where nothing is known. q is compared on its
// manifold if the problem tells how.
typedef struct IvpError {
    double q, v, y, lambda; // y: with x
    double mixed; // largest of |error_i| / (atol_ratio + |reference_i|) over q, v, y and x
} IvpError;
IvpError ivp_error(const IvpProblem *ivp, const CdPoint *at);

#endif
