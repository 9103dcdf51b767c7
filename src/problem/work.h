// work.h - work space of a prepared problem, shared by the files of this folder
#ifndef CARDAN_PROBLEM_WORK_H
#define CARDAN_PROBLEM_WORK_H

#include "problem/problem.h"

// columns in groups that share no row, so that one evaluation serves a whole group
typedef struct CdiColouring {
    int n;             // groups
    const int *start;  // n + 1
    const int *column; // of group c: column[start[c]] ... column[start[c+1] - 1], ascending
} CdiColouring;

typedef struct CdiSolve CdiSolve; // of solve.c

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
    CdiSolve *solve;
} CdiWork;

// check.c: every mistake is reported
CdStatus cdi_problem_check(CdContext *ctx, const CdProblem *u);
bool cdi_problem_on_manifold(const CdProblem *u); // brings its own kinematics

// parts of r that are wanted; the others count as 0
typedef enum CdiParts {
    CDI_FORCES = 1,    // -f, -phi or F, w
    CDI_INERTIA = 2,   // M v', B y'
    CDI_REACTIONS = 4, // J^T lambda
    CDI_ALL = 7
} CdiParts;
CdStatus cdi_residual_parts(CdiProblem *p, const CdPoint *at, int parts, double *r); // uncounted

CdStatus cdi_mass_values(CdiProblem *p, const CdPoint *at); // into work->mass
// colour.c
CdStatus cdi_colour(CdContext *ctx, CdArena *arena, const CdPattern *p, CdiColouring *out);

// solve.c
CdStatus cdi_solve_new(CdiProblem *p);
void cdi_solve_free(CdiProblem *p);
void cdi_solve_changed(CdiProblem *p);

// "v[3]", "constraint 2 of g": unknown k of the operator, into text of size
void cdi_unknown_name(const CdiProblem *p, int k, char *text, size_t size);

#endif
