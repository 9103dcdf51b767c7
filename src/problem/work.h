// work.h - work space of a prepared problem, shared by the files of this folder
#ifndef CARDAN_PROBLEM_WORK_H
#define CARDAN_PROBLEM_WORK_H

#include <string.h>

#include "problem/factor.h"
#include "problem/problem.h"

// columns in groups that share no row, so that one evaluation serves a whole group
typedef struct CdiColouring {
    int n;             // groups
    const int *start;  // n + 1
    const int *column; // of group c: column[start[c]] ... column[start[c+1] - 1], ascending
} CdiColouring;

typedef struct CdiSolve CdiSolve; // of solve.c
typedef struct CdiRedundant CdiRedundant;

// shape.c: matrices [A J^T; J E] of one pattern
typedef struct CdiShapeForm {
    CdLinsolShare share;
    CdLinsol *spare;     // as new, for whoever needs one next; NULL: none
    double *spare_given; // and room for what it is given
    // what a solver is given (cdi_linsol_give): entries of A as they stand, values of J for J^T and
    // for J, which are the same of symmetric matrices, and the diagonal of E
    int *source; // NULL: not yet known
    int nsource, at_jt, at_j, at_e;
    // of operators: p->pattern (NULL: as it stands) and its diagonal in A (NULL: not yet known)
    int *slot_r, *slot_i;
} CdiShapeForm;
typedef struct CdiShape {
    struct CdiShape *next;
    int nd; // rows before those of J
    CdPattern *pattern;
    const int *group; // as cdi_groups
    CdiShapeForm form[CDI_NVALUES];
} CdiShape;

typedef struct CdiWork {
    CdPattern *given; // the user's sparsity; NULL: full
    int *given_slot;  // its entries in p->pattern; NULL: the same
    double *given_values;

    CdPattern *mass_pattern; // nv x nv; NULL: the identity
    int *mass_slot;          // in p->pattern, nv diagonals for the identity
    double *mass;            // values
    bool mass_known;         // constant, and taken
    unsigned mass_epoch;     // counts cdi_problem_changed

    CdPattern *leading_pattern; // ny x ny; NULL: the identity
    int *leading_slot;          // in p->pattern, ny diagonals for the identity

    CdiColouring colours, jcolours;  // of p->pattern and p->jpattern
    double *jacobian;                // values of J, for products
    CdPoint moved;                   // what derivatives are evaluated at
    double *f0, *f1, *rest0, *rest1; // nd: parts of r, here and at the moved point
    // differences stand inside each other: derivatives, along the motion, of J
    double *q_motion, *q_inner;           // nq
    double *d_outer, *d_motion, *d_inner; // nv
    double *c_outer[2], *c_motion[4];     // nc
    double *g_inner[4];                   // ng
    CdiShape *shapes;                     // the last one first
    CdiShape *operator_shape;             // NULL: not yet known
    CdiSolve *solve;
    const CdiLin *last;      // tangent that was set up last; NULL: none
    CdiRedundant *redundant; // NULL: constraints are independent
} CdiWork;

// check.c: every mistake is reported
CdStatus cdi_problem_check(CdContext *ctx, const CdProblem *u);
bool cdi_problem_on_manifold(const CdProblem *u); // brings its own kinematics

// patterns.c
CdStatus cdi_patterns_new(CdiProblem *p);
CdStatus cdi_patterns_derivatives(CdiProblem *p); // p->pattern and what belongs to it, once
// the first nv rows and columns of the user's sparsity; NULL: there is none
CdStatus cdi_patterns_mechanical(CdiProblem *p, CdPattern **out);
bool cdi_by_user(const CdiProblem *p); // derivatives are not made by differences
void cdi_patterns_free(CdiProblem *p);

// entries of `a`, moved down by `row`, in a larger matrix
void cdi_pattern_place(CdPatternBuilder *b, const CdPattern *a, int row);
// where the entries of `a`, moved by `row` and `col`, are among the values of `in`: their slots, or
// what `map` has there. NULL: out of memory
int *cdi_slots_take(CdArena *arena, const CdPattern *in, const int *map, const CdPattern *a,
                    int row, int col, bool transposed);
// the same for n diagonals from `from` on
int *cdi_slots_diagonal(CdArena *arena, const CdPattern *in, const int *map, int from, int n);

// parts of r that are wanted; the others count as 0
typedef enum CdiParts {
    CDI_FORCES = 1,    // -f, -phi or F, w
    CDI_INERTIA = 2,   // M v', B y'
    CDI_REACTIONS = 4, // J^T lambda
    CDI_ALL = 7
} CdiParts;
CdStatus cdi_residual_parts(CdiProblem *p, const CdPoint *at, int parts, double *r); // uncounted
// the same of the rows of y and x only
CdStatus cdi_residual_beside(CdiProblem *p, const CdPoint *at, int parts, double *r);

// not open yet; group, multipliers, source and share may be added
static inline CdiFactor cdi_factor_of(const CdiProblem *p, const CdPattern *pattern,
                                      CdiValues values) {
    return (CdiFactor){.ctx = p->ctx,
                       .cls = p->setup.linsol,
                       .pool = p->user.pool,
                       .pattern = pattern,
                       .values = values};
}
CdStatus cdi_factor_counted(CdiProblem *p, CdiFactor *f, bool watch); // as cdi_factor_do
CdStatus cdi_mass_values(CdiProblem *p, const CdPoint *at);           // into work->mass
// colour.c
CdStatus cdi_colour(CdContext *ctx, CdArena *arena, const CdPattern *p, CdiColouring *out);
CdStatus cdi_colour_constraints(CdiProblem *p); // once

// shape.c: the shape with the entries of A (NULL: none) and diagonals from `diagonal` on
CdStatus cdi_shape_find(CdiProblem *p, const CdPattern *a, int nd, int diagonal, CdiShape **out);
// a solver that is given numbers by the source of the form
CdStatus cdi_shape_open(CdiProblem *p, CdiShape *shape, CdiValues values, CdiFactor *f);
void cdi_shapes_free(CdiProblem *p);

// solve.c
CdStatus cdi_solve_new(CdiProblem *p);
void cdi_solve_free(CdiProblem *p);
void cdi_solve_changed(CdiProblem *p);

// redundant.c: constraints that depend on each other; nothing happens for others
CdStatus cdi_redundant_new(CdiProblem *p);
void cdi_redundant_free(CdiProblem *p);
// those that act are chosen, for values J; ready: if none were so far
CdStatus cdi_redundant_choose(CdiProblem *p, const double *J);
CdStatus cdi_redundant_ready(CdiProblem *p, const double *J);
size_t cdi_redundant_save_size(const CdiProblem *p);
char *cdi_redundant_save(const CdiProblem *p, char *to); // returns the end
CdStatus cdi_redundant_load(CdiProblem *p, const char **from);

// the solver of an operator, and of accelerations; NULL: there is none
const CdLinsol *cdi_lin_solver(const CdiLin *lin);
const CdLinsol *cdi_solve_solver(const CdiProblem *p);
// inertia.c: of its last matrix, with nd rows before those of the constraints
CdStatus cdi_matrix_signs(const CdiProblem *p, const CdLinsol *s, int nd, CdiSigns *out);

// leading.c: B y' = phi
typedef struct CdiLeading {
    CdPattern *pattern; // of B without zero rows, filled up where it has zero columns
    CdLinsol *linsol;
    bool *zero_row;  // of B, ny
    double *qr;      // dense, if B is singular beside its zero rows; NULL: it is not
    int *jpvt, rank; // of the QR
    double *tau, *work, *b;
} CdiLeading;
CdStatus cdi_leading_new(CdiProblem *p, CdiLeading *l); // where B is given
void cdi_leading_free(CdiLeading *l);
// in place; parts of y' that B does not determine are 0, or the smallest that fit
CdStatus cdi_leading_solve(CdiProblem *p, CdiLeading *l, double *phi);

// newton.c: n equations for n numbers z of a point, square but perhaps singular
typedef struct CdiNewton {
    int n, first;     // row and column of the first in p->pattern
    bool of_rates;    // F for y' by M; otherwise w for x by C
    CdPattern *block; // of the matrix
    CdiFactor factor;
    int *from;      // its entries in p->pattern
    double *values; // on p->pattern
    double *r, *d, *old;
    bool stuck; // the matrix is singular, and too large for least squares
} CdiNewton;
CdStatus cdi_newton_new(CdiProblem *p, bool of_rates, CdiNewton *newton);
void cdi_newton_free(CdiNewton *newton);
// moves z to the least residual it can find; *worst: what is left, in equation *row
CdStatus cdi_newton_solve(CdiProblem *p, CdiNewton *newton, CdPoint *at, double *worst, int *row);

// sum.c: a[slot] += sum of c x, read together, summed in their order; no slot is there twice.
// 1 term, or 3 that are real
typedef struct CdiSum {
    double *a;
    const int *slot; // NULL: 0, 1, 2, ...
    int terms;
    bool is_complex; // of one term: a and c are
    double c[3][2];
    const double *x[3];
} CdiSum;
void cdi_sum_add(CdPool *pool, int n, CdiSum *s);

// turn.c: columns of a matrix over directions of q become those over an increment delta (nv) that
// led there, in rows below `rows`, or the other way round; where the three columns of a rotation
// have different rows they stay as they are
void cdi_turn_columns(const CdiProblem *p, const CdPattern *a, int rows, const double *delta,
                      bool back, double *values);

// what is saved, piece by piece: where the next one begins
static inline char *cdi_put(char *to, const void *from, size_t bytes) {
    if (bytes > 0) memcpy(to, from, bytes);
    return to + bytes;
}
static inline const char *cdi_get(const char *from, void *to, size_t bytes) {
    if (bytes > 0) memcpy(to, from, bytes);
    return from + bytes;
}

// explain.c
static inline CdStatus cdi_returned(CdiProblem *p, const char *callback, CdStatus status) {
    return status == CD_OK ? CD_OK : cdi_callback_failed(p, callback, status);
}
// "'force' returned CD_RETRY", if it is this status; false: it is not
bool cdi_callback_explain(const CdiProblem *p, CdStatus status, CdText *text);
// explain.c: why a matrix with nd rows before those of the constraints could not be factored; J:
// values of its constraint rows, NULL: it has none
void cdi_explain_factor(const CdiProblem *p, const CdiFactor *f, int nd, const double *J,
                        CdStatus status, CdText *text);

// numbers of the groups of nd unknowns, the velocities first, and of nc constraints behind them;
// NULL if the user did not give any
CdStatus cdi_groups(const CdiProblem *p, CdArena *arena, int nd, int nc, const int **out);

#endif
