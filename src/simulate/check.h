// check.h - what is right and wrong with a model: freedom, redundant constraints, start, masses
//
// Findings are a list, so that the command line, Python and the viewer show the same.
#ifndef CARDAN_SIMULATE_CHECK_H
#define CARDAN_SIMULATE_CHECK_H

#include "problem/problem.h"
#include "system/system.h"

// start values that violate constraints by no more are mended
#define CD_START_TOLERANCE 1e-3

// ---- constraints of a system, row by row

#define CD_ROW_TEXT 32
typedef struct CdRow {
    const CdItem *item;     // joint
    int link;               // in system->joints; -1: a law on coordinates
    int index;              // among the rows of the joint
    char what[CD_ROW_TEXT]; // "along x", "about y": of marker a
    const char *name;       // "joint 'hinge' along x"
} CdRow;
// at the frames that are in work; names live in the arena
CdStatus cdi_rows(CdSystemWork *work, double t, CdArena *arena, CdRow **rows);

// ---- rank of J, island by island (rank.c)

// bodies that joints join, the ground not counted, and these joints
typedef struct CdIsland {
    int nbodies, nrows, nv, rank;
    int *bodies, *rows, *v; // numbers in the system
    int *left_out;          // nrows - rank of its rows, which the others hold
    int nnull;     // dependencies that are known: all of them, of large islands a few that tell
    double *null;  // nrows x nnull by columns: J^T y = 0, |y| = 1 with scaled rows
    double *scale; // nrows, that of rows
    double *free;  // nv: a motion that constraints allow; NULL: none, or nobody asks for it
    double weakest, strongest_left_out; // |r_kk| / |r_00| on both sides of the rank; 0: none
} CdIsland;
typedef struct CdRank {
    int nislands;
    CdIsland *islands;
    int rank; // of all
} CdRank;
// rows and columns are scaled first, so that units do not matter; |r_kk| <= tol |r_00| is 0
CdStatus cdi_rank(CdArena *arena, const CdSystem *system, const double *J, double tol, CdRank *out);
// the same of islands with redundant constraints only, others count as of full rank
CdStatus cdi_rank_again(CdArena *arena, const CdSystem *system, const double *J, double tol,
                        const CdRank *of, CdRank *out);
#define CD_RANK_TOLERANCE 1e-8

// ---- start (assemble_start.c)

typedef struct CdStart {
    CdProblem problem; // of the system, knows names and redundant constraints
    CdRow *rows;
    CdRank rank;
    bool *not_unique;            // rows whose reactions others could take the place of
    bool *left_out;              // as many rows as are redundant, which the others hold
    double *q0, *v0;             // as the model asks
    double *q, *v;               // consistent, or as asked if that cannot be had
    double *g, *gv;              // what q0 and v0 violate, by rows
    double *J, *ct;              // at q: J by its pattern, velocity level for v = 0
    CdStatus position, velocity; // of the projections
} CdStart;
// what can be found out without refusing anything
CdStatus cdi_start_find(CdSystemWork *work, CdArena *arena, CdStart *start);
// ranks of all islands close to the start; where one is higher the start is a singular position
CdStatus cdi_start_nearby(const CdSystem *system, const CdStart *start, CdArena *arena,
                          const int **ranks);
// the start of a run: says what moved, refuses to mend more than tol, names joints
CdStatus cdi_start_make(CdSystemWork *work, CdArena *arena, double tol, CdStart *start);
// Does a state meet the constraints within tol? Joints that it does not are named.
typedef struct CdStartMet {
    int redundant;               // constraints that depend on others there
    bool *not_unique, *left_out; // as in CdStart, room for ng of them each
} CdStartMet;
CdStatus cdi_start_met(CdSystemWork *work, const CdStart *start, const CdPoint *at, double tol,
                       CdStartMet *found);
// "along x by 0.01 m, about y by 0.2" of the joint with this first row: rows with |c| > least
void cdi_start_violation(const CdStart *start, int first, int nrows, const double *c, double least,
                         CdText *text);
// names of joints whose rows y does not leave out, quoted, with commas
void cdi_start_joints(const CdStart *start, const CdIsland *island, CdText *text);

// ---- check

typedef enum CdSeverity { CD_FINDING_ERROR, CD_FINDING_WARNING, CD_FINDING_INFO } CdSeverity;
extern const char *const cdi_severity_names[];

typedef struct CdFinding {
    CdSeverity severity;
    const char *code; // "redundant": stays the same over versions
    const char *item; // name; NULL: the whole model
    const char *text, *hint;
    int nnumbers;
    const char *number_names[4];
    double numbers[4];
} CdFinding;

typedef struct CdCheck {
    CdContext *ctx;
    CdArena arena;
    const CdSystem *system; // while cdi_check lives
    CdSystemWork *work;
    CdStart start;
    int nbodies, njoints, nv, nc, rank, dof;
    CdiSigns inertia; // of masses and constraints at the start
    CD_ARRAY(CdFinding) findings;
    int errors, warnings;
} CdCheck;

CdStatus cdi_check(const CdModel *model, CdCheck **check); // findings are no failure
CdStatus cdi_check_add(CdCheck *check, CdFinding finding);
// check_signs.c: inertia of masses and constraints; connectors with negative stiffness
CdStatus cdi_check_inertia(CdCheck *check);
CdStatus cdi_check_stiffness(CdCheck *check);
void cdi_check_free(CdCheck *check); // NULL does nothing
// keys and values, into an object that is open
void cdi_check_write(const CdCheck *check, CdJsonWriter *w);

#endif
