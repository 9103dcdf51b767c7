// problem.h - what an integrator solves: a user's ODE, DAE or mechanical system as callbacks
//
//   q' = Z(q) v                                  q on a manifold: nq numbers, nv directions
//   M(t,q) v' = f(t,q,v,y,x) - J(t,q)^T lambda   J = [G; N]
//   0 = g(t,q)        ng of them, G = dg/dq Z    (position level)
//   0 = N(t,q) v + n(t,q)    nn of them          (velocity level)
//   B y' = phi(t,q,v,y,x)                        B constant, the identity if it is not given
//   0 = w(t,q,v,y,x)                             as many as there are x
//
// A part that a problem does not have has size 0, so the plain forms are part of this one:
//   y' = phi        {.ny, .rate}
//   B y' = phi      {.ny, .rate, .leading}       B may be singular
//   F(t,y,y') = 0   {.ny, .implicit}
//   M, f, G, g      {.nv, .mass, .force, .ng, .constraint, .constraint_jacobian}
//
// An ODE is then
//
//   static CdStatus rate(void *data, const CdPoint *at, double *dy) {
//       const double mu = *(double *)data, *y = at->y;
//       dy[0] = y[1];
//       dy[1] = mu*(1 - y[0]*y[0])*y[1] - y[0];
//       return CD_OK;
//   }
//   double mu = 1000;
//   const CdProblem oscillator = {.name = "van der pol", .data = &mu, .ny = 2, .rate = rate};
//
// Callbacks return CD_OK; CD_RETRY (or CD_NOCONV, CD_SINGULAR, CD_NONFINITE) when they cannot be
// evaluated here, which a smaller step may mend; anything else ends the run with the last accepted
// state kept. They may also just write NaN. Events and announced times have no smaller step to wait
// for, so that their callbacks end the run with every failure. While a method runs, numbers below
// 2.2e-308 count as 0, in callbacks too. What a callback writes to is not
// cleared before: it writes every number, zeros too. Derivatives that are not given are made by
// differences, in as few evaluations as the pattern allows.
#ifndef CARDAN_PROBLEM_H
#define CARDAN_PROBLEM_H

#include <stdbool.h>

#include "cardan/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// a point of the extended state space; members of size 0 are NULL. Callbacks only read it, but for
// handle_event.
typedef struct CdPoint {
    double t;
    double *q, *v, *y, *x; // nq, nv, ny, nx
    double *lambda;        // ng + nn
    double *mu;            // ng, multipliers of the stabilised form; 0 in the solution
    double *vdot, *ydot;   // nv, ny
} CdPoint;

// where a matrix may have entries, by columns: rows of column j are row[ptr[j]] up to
// row[ptr[j + 1] - 1], ascending. ptr NULL: everywhere. The values of a full matrix are
// column-major.
typedef struct CdSparsity {
    const int *ptr; // columns + 1
    const int *row;
} CdSparsity;

typedef enum CdEventKind {
    CD_EVENT_STATE, // event functions changed their domain
    CD_EVENT_TIME,  // an announced time is reached
    CD_EVENT_STEP   // step_end asked for it
} CdEventKind;

typedef struct CdEvent {
    CdEventKind kind;
    int n;            // event functions that changed, all of them at once
    const int *which; // their numbers
    const int *now;   // 1: became positive, 0: became zero or negative
    // to be set by handle_event
    bool terminate; // end the run here
} CdEvent;

// op = [cI I + cM M + cC C + cK K, J_a^T; J_b, -cE I], what integrators solve with; see
// docs/problems.md. Coefficients are (re, im).
typedef enum CdConstraintLevel { CD_POSITION, CD_VELOCITY, CD_ACCELERATION } CdConstraintLevel;
typedef struct CdOperator {
    bool is_complex;
    double ci[2], cm[2], cc[2], ck[2], ce[2];
    CdConstraintLevel level; // of the rows of g; those of N are at least at velocity level
    const CdPoint *at;       // where everything is taken, with vdot, ydot and lambda for K
    double t_a;              // J_a is taken at (t_a, q_a); q_a NULL: at `at`
    const double *q_a;
    bool keep; // derivatives of the last set-up are good enough, only coefficients differ
} CdOperator;

// A mechanical problem without y, x and constraints at velocity level that falls into parts which
// do not know of each other: section k has positions q[k] ... q[k + 1] - 1, velocities and
// constraints likewise. Methods may go through a step section by section, several of them by
// threads at a time.
typedef struct CdSections {
    int n;
    const int *q, *v, *g; // n + 1 each
    // before every evaluation, by one thread; a failure is that of the evaluation
    CdStatus (*begin)(void *data);
    // `residual`, `retract` and `normalise` of sections first ... end - 1 alone: the same numbers
    void (*residual)(void *data, int first, int end, const CdPoint *at, double *r, double *g,
                     double *velocity, double *acceleration);
    void (*retract)(void *data, int first, int end, const double *q, const double *delta,
                    double *out);
    void (*normalise)(void *data, int first, int end, double *q);
    // optional: `step_end` of these alone, which then never asks for an event
    void (*step_end)(void *data, int first, int end, const CdPoint *at);
} CdSections;

typedef struct CdProblem {
    const char *name; // in messages
    void *data;       // first argument of every callback

    int nq;     // 0: nv, and q' = v
    int nv;     // velocities
    int ny, nx; // first-order states and algebraic unknowns
    int ng, nn; // constraints at position level and at velocity level

    // ---- first-order part
    CdStatus (*rate)(void *data, const CdPoint *at, double *phi);
    CdStatus (*algebra)(void *data, const CdPoint *at, double *w);
    // F(t, y, y'), in place of rate; nv = nx = 0. Equations without y' must hold at the start. y'
    // is found there; with more than 2000 unknowns, and such equations, it must be given
    CdStatus (*implicit)(void *data, const CdPoint *at, double *F);
    const double *leading;       // B, values in the order of leading_sparsity; NULL: identity
    CdSparsity leading_sparsity; // ny x ny
    const int *index;            // of every y in an implicit or singular form: 1, 2, 3; NULL: 1

    // ---- mechanical part
    CdStatus (*force)(void *data, const CdPoint *at, double *f);
    // values of M in the order of mass_sparsity, or, without that, on the first nv rows and columns
    // of `sparsity` (a full nv x nv matrix without either); NULL: the identity
    CdStatus (*mass)(void *data, const CdPoint *at, double *M);
    bool mass_constant;
    CdSparsity mass_sparsity; // optional, nv x nv; `sparsity` has its entries too
    CdStatus (*constraint)(void *data, const CdPoint *at, double *g);
    CdStatus (*constraint_jacobian)(void *data, const CdPoint *at, double *J); // ng + nn rows
    CdSparsity constraint_sparsity;                                            // (ng + nn) x nv
    // optional: dg/dt, and n(t,q) after it; so that the velocity level reads J v + this = 0.
    // Without it dg/dt is made by differences and n is 0.
    CdStatus (*velocity_terms)(void *data, const CdPoint *at, double *terms);
    // optional: how J v and its terms change with q at constant v, in the pattern of J; without it
    // made by differences where a method wants it
    CdStatus (*velocity_slopes)(void *data, const CdPoint *at, double *Cq);
    // optional: gamma of J v' + gamma = 0; without it made by differences along the motion
    CdStatus (*acceleration_terms)(void *data, const CdPoint *at, double *gamma);
    // optional: all of these at once, which may cost less: r = M v' - f + J^T lambda (nv), g (ng),
    // J v and its terms (ng + nn), J v' + gamma (ng + nn); NULL: not wanted. The same numbers as
    // from the callbacks above, up to rounding
    CdStatus (*residual)(void *data, const CdPoint *at, double *r, double *g, double *velocity,
                         double *acceleration);
    const CdSections *sections; // optional, with `residual` only
    // optional, with `residual`, where there are velocities only and q' = v: numbers begin to
    // end - 1 of r alone, the same; for several threads at once
    void (*residual_rows)(void *data, const CdPoint *at, int begin, int end, double *r);
    // how many constraints depend on others and agree with them, nc less the rank of J where g = 0:
    // the motion is found all the same, and of the multipliers that make it the smallest are told
    int redundant;
    // optional, ng + nn: as many constraints as are redundant, which the others hold. They tell how
    // many are so among those that share velocities (an island); which are left out is chosen from
    // J. NULL: from J too
    const bool *redundant_rows;
    const char *const *v_names;          // nv of them, for messages; NULL: numbers
    const char *const *constraint_names; // ng + nn of them
    // velocities of one body have the same number from 0 to nv - 1, constraints of one joint from 0
    // to ng + nn - 1; linear solvers eliminate them together. Optional, both or none
    const int *v_groups, *constraint_groups;

    // ---- derivatives of r = (M v' - f + J^T lambda, B y' - phi or F, w); optional.
    // Any of the three may be NULL in a call: not wanted.
    //   M = dr/d(v', y')     C = dr/d(v, y, x)     K = dr/dq Z  (columns of v only, others 0)
    CdStatus (*derivatives)(void *data, const CdPoint *at, double *M, double *C, double *K);
    CdSparsity sparsity; // of all three, (nv + ny + nx) squared

    // ---- manifold; needed when nq != nv, otherwise q' = v and q + delta if NULL
    void (*kinematics)(void *data, const double *q, const double *v, double *qdot); // Z v
    void (*tangent)(void *data, const double *q, const double *dq, double *delta);  // Z^+ dq
    void (*retract)(void *data, const double *q, const double *delta, double *out); // out may be q
    void (*difference)(void *data, const double *q1, const double *q0, double *delta);
    void (*normalise)(void *data, double *q); // back onto the manifold; NULL: nothing to do
    // optional: rotations[k] is the first of three velocities that are a rotation on the right, for
    // which retract is R exp(delta). Newton's method then converges in spite of fast ones
    int nrotations;
    const int *rotations;

    // ---- weights of errors: unknowns in the order q, v, y, x, lambda; NULL: ones
    const double *weight;

    // ---- events
    // At one time the order is: functions, announced time, end of step; and functions again after
    // each of them, until none changes any more.
    int nz; // event functions; an event is a change between z > 0 and z <= 0. They read t, q, v, y,
            // x and lambda, not v' and y'.
    CdStatus (*events)(void *data, const CdPoint *at, double *z);
    const char *const *event_names; // nz of them, for messages; NULL: numbers
    // the next announced time after t; infinity if there is none
    CdStatus (*next_time)(void *data, double t, double *next);
    // after every accepted step; *event: call handle_event
    CdStatus (*step_end)(void *data, const CdPoint *at, bool *event);
    // may change the state and the modes kept in data. Constraints are then met again by
    // projection, velocities and multipliers made consistent, and the integrator restarted.
    CdStatus (*handle_event)(void *data, CdEvent *event, CdPoint *at);

    // ---- what can change from outside between steps, and what must be saved with the state
    int np, nu;
    double *p, *u;                      // parameters and inputs, arrays of the user's
    const char *const *p_names;         // NULL: numbers
    const char *const *u_names;         // NULL: numbers
    size_t discrete_size;               // bytes of modes and other memory in data
    void (*save)(void *data, void *to); // NULL with discrete_size 0
    void (*load)(void *data, const void *from);
    unsigned (*pattern_epoch)(void *data); // changes when sizes of patterns do; NULL: never
    struct CdPool *pool; // threads that methods may use between callbacks; NULL: one

    // ---- own linear algebra, in place of pattern + linear solver; all four or none. A lin is
    // one matrix; b has nv + ny + nx + ng + nn rows (pairs if complex), in place.
    CdStatus (*lin_new)(void *data, bool is_complex, void **lin);
    CdStatus (*lin_setup)(void *data, void *lin, const CdOperator *op);
    CdStatus (*lin_solve)(void *data, void *lin, double *b, int nrhs, bool transposed);
    void (*lin_free)(void *data, void *lin);
} CdProblem;

#ifdef __cplusplus
}
#endif

#endif
