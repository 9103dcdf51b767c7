// problem.h - a problem made ready to be solved: sizes checked, gaps filled, work space, counters
//
//   r(t,q,v,y,x,v',y',lambda) = (M v' - f + J^T lambda;  B y' - phi or F;  w)       nd rows
//   c = g | J v + (g_t, n) | J v' + gamma      constraints at the level asked for    nc rows
//
// Everything an integrator needs of the canonical form (cardan/problem.h), whatever the user gave:
// what is missing is made by differences. Functions return the callback's status; values are not
// looked at for NaN, which norms show. Nothing allocates after cdi_problem_new but the first
// operator, for the pattern of the derivatives, and starts whose matrix is singular.
#ifndef CARDAN_PROBLEM_PROBLEM_H
#define CARDAN_PROBLEM_PROBLEM_H

#include <stdatomic.h>

#include "cardan/integrator.h"
#include "linalg/linsol.h"

typedef enum CdProblemKind {
    CD_KIND_ODE,      // y' = phi
    CD_KIND_LEADING,  // B y' = phi, 0 = w
    CD_KIND_IMPLICIT, // F = 0
    CD_KIND_MECHANICAL
} CdProblemKind;

typedef struct CdProblemSetup {
    bool differences;            // even if derivatives are given
    const CdLinsolClass *linsol; // NULL: auto
    bool brief;     // for a few solutions: matrices of solve.c are made when the first needs them
    bool operators; // are going to be: matrices of solve.c have their pattern, for one analysis
} CdProblemSetup;

typedef struct CdiProblem {
    CdProblem user; // as given
    CdProblemSetup setup;
    CdContext *ctx;
    CdArena arena;
    CdProblemKind kind;
    int nq, nv, ny, nx, ng, nn;
    int nc;               // ng + nn
    int nd;               // nv + ny + nx, rows of r and unknowns beside multipliers
    int n;                // nd + nc, order of the operator
    size_t npoint;        // numbers in a CdPoint
    bool vector_space;    // q' = v and q + delta
    CdPattern *pattern;   // of dr/d..., nd x nd; NULL before the first operator
    CdPattern *jpattern;  // of J, nc x nv
    CdStatistics counts;  // counters; the integrator's statistics
    const char *failed;   // the callback that failed last, for messages; NULL: none
    CdStatus failed_with; // what became of what it returned
    int failed_raw;       // and what that was
    struct CdiWork *work; // of problem.c, levels.c, differences.c
} CdiProblem;

// all mistakes in the description are reported: sizes, callbacks that are missing or useless
CdStatus cdi_problem_new(CdContext *ctx, const CdProblem *user, const CdProblemSetup *setup,
                         CdiProblem **out);
void cdi_problem_free(CdiProblem *p); // NULL does nothing
// parameters, modes or structure changed: what was taken as constant is taken again
void cdi_problem_changed(CdiProblem *p);
// why something failed with this status, as far as it is known here: a callback, a matrix, a
// projection; false: nothing to add. Failures are remembered until they are forgotten.
bool cdi_problem_explain(const CdiProblem *p, CdStatus status, CdText *text);
void cdi_problem_forget(CdiProblem *p);
// a callback that failed is remembered; numbers that are no status become CD_INVALID
CdStatus cdi_callback_failed(CdiProblem *p, const char *callback, CdStatus status);
// Accelerations will not be wanted for long: what large problems have for them goes, until they
// are. Who says so has said before the first save that it will
void cdi_problem_will_rest(CdiProblem *p);
void cdi_problem_rest(CdiProblem *p);
const char *cdi_problem_name(const CdiProblem *p);      // the user's, or "problem"
const char *cdi_problem_kind_name(const CdiProblem *p); // "ode", as paths begin

// ---- points: one block of npoint numbers q|v|y|x|lambda|mu|vdot|ydot, parts of size 0 are NULL
CdStatus cdi_point_take(const CdiProblem *p, CdArena *arena, CdPoint *at);
void cdi_point_over(const CdiProblem *p, double *block, CdPoint *at);       // pointers into a block
void cdi_point_copy(const CdiProblem *p, CdPoint *to, const CdPoint *from); // with t

// ---- evaluations
CdStatus cdi_rate(CdiProblem *p, const CdPoint *at, double *phi);
CdStatus cdi_force(CdiProblem *p, const CdPoint *at, double *f);
CdStatus cdi_residual(CdiProblem *p, const CdPoint *at, double *r);

// ---- constraint levels (levels.c)
CdStatus cdi_constraint(CdiProblem *p, const CdPoint *at, double *g);            // ng
CdStatus cdi_velocity_residual(CdiProblem *p, const CdPoint *at, double *c);     // nc
CdStatus cdi_acceleration_residual(CdiProblem *p, const CdPoint *at, double *c); // nc
CdStatus cdi_gamma(CdiProblem *p, const CdPoint *at, double *gamma);             // nc
// rows of g at `level`, rows of N at velocity level at least; nc
CdStatus cdi_level_residual(CdiProblem *p, const CdPoint *at, CdConstraintLevel level, double *c);
// r (nd) and c (nc) at `level`, at once if the user can; at velocity level also g (ng), NULL: not
CdStatus cdi_residuals(CdiProblem *p, const CdPoint *at, CdConstraintLevel level, double *r,
                       double *c, double *g);
// products with matrices at (t, q) of a point
CdStatus cdi_j_mul(CdiProblem *p, const CdPoint *at, const double *v, double *out);  // J v
CdStatus cdi_jt_mul(CdiProblem *p, const CdPoint *at, const double *l, double *out); // J^T l
void cdi_jt_mul_by(const CdiProblem *p, double *J, const double *l, double *out);    // with this J
CdStatus cdi_mass_mul(CdiProblem *p, const CdPoint *at, const double *a, double *out); // M a
void cdi_leading_mul(const CdiProblem *p, const double *a, double *out);               // B a

// ---- manifold
void cdi_kinematics(const CdiProblem *p, const double *q, const double *v, double *qdot);
void cdi_tangent(const CdiProblem *p, const double *q, const double *dq, double *delta);
void cdi_retract(const CdiProblem *p, const double *q, const double *delta, double *out);
void cdi_difference(const CdiProblem *p, const double *q1, const double *q0, double *delta);
void cdi_normalise(const CdiProblem *p, double *q);

// ---- solutions (solve.c); each keeps an operator of its own
// v', lambda and y' at (t,q,v,y,x) from [M J^T; J 0] and B y' = phi
CdStatus cdi_accelerations(CdiProblem *p, CdPoint *at);
// q to g = 0 by least change in the norm of M; CD_NOCONV
CdStatus cdi_project_position(CdiProblem *p, CdPoint *at);
CdStatus cdi_project_velocity(CdiProblem *p, CdPoint *at);
// lambda of a redundant problem becomes the smallest with the same J^T lambda (redundant.c)
CdStatus cdi_minimum_norm(CdiProblem *p, CdPoint *at);
// after a step of size h: others of its constraints act if those that did no longer hold well,
// which is looked at now and then; lambda then changes, but not J^T lambda
CdStatus cdi_redundant_update(CdiProblem *p, CdPoint *at, double h, bool *changed);
// the state jumps: that is looked at next time
void cdi_redundant_alarm(CdiProblem *p);
// after a step: the constraint that does not act and that those that do hold least, by g; row -1:
// they hold all of them
CdStatus cdi_redundant_violation(CdiProblem *p, const CdPoint *at, int *row, double *g);
// which of them act is chosen anew
void cdi_redundant_forget(CdiProblem *p);
// all of them but those that depend on others. A row that does not act has no J, 1 on the diagonal
// and 0 on the right-hand side: its multiplier stays as it is
bool cdi_row_acts(const CdiProblem *p, int row);
// x, v', y', lambda for a start at (t,q,v,y); q is normalised, then: project if the violation is
// below tol, refuse with a message by how much and in which constraint otherwise; F = 0 gets y'
// (index 1 parts of it)
CdStatus cdi_consistent(CdiProblem *p, CdPoint *at, double tol);
// pivots that these solutions keep; a run that continues bit for bit saves them beside its own
size_t cdi_problem_save_size(const CdiProblem *p);
void cdi_problem_save(const CdiProblem *p, void *to);
CdStatus cdi_problem_load(CdiProblem *p, const void *from);

// ---- inertia (inertia.c): pivots of the last matrix [A J^T; J -E] of a mechanism, by their signs
typedef struct CdiSigns {
    bool known;
    int positive, negative;
    int left_out;  // constraints that do not act, and are not counted
    int replaced;  // among the others: pivots that vanished, and got the sign that was expected
    bool judged;   // it is known what should be
    bool expected; // positive: all unknowns; negative: all constraints that act
} CdiSigns;
// of the matrix of Newton's method; before the first, or without one, of that of accelerations
CdStatus cdi_problem_signs(const CdiProblem *p, CdiSigns *signs);
// of [M J^T; J 0] at a point
CdStatus cdi_mass_signs(CdiProblem *p, const CdPoint *at, CdiSigns *signs);
// "; the tangent is not positive definite ...", if so, and which unknown has most of it
void cdi_problem_doubt(const CdiProblem *p, CdText *text);

// ---- derivatives (differences.c): given or by coloured differences, on p->pattern / p->jpattern;
// NULL: not wanted
CdStatus cdi_derivatives(CdiProblem *p, const CdPoint *at, double *M, double *C, double *K);
CdStatus cdi_jacobian(CdiProblem *p, const CdPoint *at, double *J);
// derivatives of c at `level` beyond J itself: dc/dv without J and dc/dq; 0 at position level
CdStatus cdi_level_derivatives(CdiProblem *p, const CdPoint *at, CdConstraintLevel level,
                               double *Cv, double *Cq);

// ---- operators (operator.c)
//
//   [cI I + cM M + cC C + cK K   J_a^T] [d     ]   [b_r]
//   [J_b                         -cE I] [lambda] = [b_c]
//
// d moves v' by cM d, v and y and x by cC d, y' by cM d, q by cK d. I acts on the rows of v, and on
// those of y and x where cM and cC are 0. Rows of constraints are the derivative of c along d,
// divided by the coefficient of their level (cK, cC, cM), so they read J_b up to terms of higher
// order in the step. Coefficients that are 0 cost nothing.
typedef struct CdiLin CdiLin;
CdStatus cdi_lin_new(CdiProblem *p, bool is_complex, CdiLin **lin);
void cdi_lin_free(CdiLin *lin); // NULL does nothing
// CD_SINGULAR, CD_NONFINITE are recoverable; cdi_lin_explain tells the user what was wrong
CdStatus cdi_lin_setup(CdiLin *lin, const CdOperator *op);
// more than an operator says; own linear algebra makes no use of it
typedef struct CdiKnown {
    // increments (nv) whose retraction led to op->at, where d moves q by adding to them: K, Cq and,
    // at position level, rows of g are taken along them. NULL: along directions at op->at
    const double *turn;
    const double *J_a; // by the pattern of constraints; NULL: it is taken
    const CdiLin *b;   // with new derivatives: has J_b (NULL: it is taken), and Cq, of which
    double slopes;     // so much is added to it
} CdiKnown;
CdStatus cdi_lin_setup_with(CdiLin *lin, const CdOperator *op, const CdiKnown *known);
// the matrix that a set-up with `turn` would have had without it, in an operator of its own; NULL:
// it had none
CdStatus cdi_lin_straight(const CdiLin *lin, CdiLin **out);
// derivatives of another operator, as if taken by a set-up before; true: one with `keep` may
// follow, false: own linear algebra, which shares nothing
bool cdi_lin_share(CdiLin *lin, const CdiLin *from);
CdStatus cdi_lin_solve(CdiLin *lin, double *b, int nrhs, bool transposed);
// Will it stay as it is, however often it is solved with? Not what the user's own linear algebra
// says, which may fail and is asked once.
bool cdi_lin_settled(const CdiLin *lin);
// by sections, after a set-up; false: all at once only
bool cdi_lin_sections(const CdiLin *lin, const CdLinsolSections *sections);
void cdi_lin_solve_sections(CdiLin *lin, const CdLinsolSections *sections, int first, int end,
                            int worker, double *b);
// by parts (linsol.h), after a set-up, where residuals can be had by rows
CdLinsolParts cdi_lin_parts(const CdiLin *lin);
void cdi_lin_forward(CdiLin *lin, int first, int end, int worker, double *b);
void cdi_lin_between(CdiLin *lin, int copy);
void cdi_lin_backward(CdiLin *lin, int first, int end, int worker, int copy, double *b);
// what derivatives and factors cost together, about, in evaluations and solutions with old ones
int cdi_lin_cost(const CdiLin *lin);
// y += alpha A x of the derivatives taken at the last set-up, real vectors: M, C, K (nd x nd),
// J_b (nc x nv), its transposed, Cq (nc x nv) of the level of the set-up, 0 for rows of g at
// position level
typedef enum CdWhich { CD_OF_M, CD_OF_C, CD_OF_K, CD_OF_J, CD_OF_JT, CD_OF_CQ } CdWhich;
void cdi_lin_mul_add(const CdiLin *lin, CdWhich which, double alpha, const double *x, double *y);
// does M have an entry in the column: does that rate appear in r, where derivatives were taken?
bool cdi_lin_has_rate(const CdiLin *lin, int column);
// "no pivot for unknown v[3]": which unknown or constraint the last set-up failed at, into text
void cdi_lin_explain(const CdiLin *lin, CdText *text);
// "v[3]", "constraint 2 of g": unknown, or row, k of an operator
void cdi_unknown_name(const CdiProblem *p, int k, char *text, size_t size);
// so that the next set-up and solve have the same bits as they would have had
size_t cdi_lin_save_size(const CdiLin *lin);
void cdi_lin_save(const CdiLin *lin, void *to);
CdStatus cdi_lin_load(CdiLin *lin, const void *from);

// ---- sections (sections.c): parts of a problem that do not meet, and for which an operator can be
// solved by themselves
// A share is what a worker does of a job: its body at once, then one after another what follows up
// to the next share, of which others take some if they are faster
typedef struct CdiShare {
    _Alignas(64) atomic_int at; // section that is to be done next behind the body
    int begin, body, end;
} CdiShare;
typedef struct CdiSections {
    int n; // shares, one for every worker; 0: there are no sections, or not now
    CdiShare *share;
    bool rests; // some share has more than its body
    int *next;  // the first section after this one before which sections may be parted
    CdLinsolSections of;
} CdiSections;
// the share that a section is in
static inline int cdi_sections_share(const CdiSections *s, int section) {
    int k = 0;
    while (k + 1 < s->n && section >= s->share[k].end) k++;
    return k;
}
typedef void CdiSectionFn(void *user, int first, int end, int worker);
// fn for all sections, some at a time; several threads, of which one helps another if that is long
void cdi_sections_run(CdiSections *s, CdPool *pool, bool is_long, CdiSectionFn *fn, void *user);
CdStatus cdi_sections_new(const CdiProblem *p, CdArena *arena, CdiSections *s);
// after a set-up
void cdi_sections_update(CdiSections *s, const CdiProblem *p, const CdiLin *lin);
// before residuals of one point
CdStatus cdi_sections_begin(CdiProblem *p);
// r and c at `level` of some sections
void cdi_sections_residual(const CdiProblem *p, int first, int end, const CdPoint *at,
                           CdConstraintLevel level, double *r, double *c);

#endif
