// rank.h - which rows of a sparse matrix depend on others: rank without a dense matrix
//
// For constraints J of mechanisms that are too large for a dense QR. Rows come in groups (those of
// a joint), columns too (velocities of a body): neighbours with the same number. Rows should be
// about as long as 1.
#ifndef CARDAN_LINALG_RANK_H
#define CARDAN_LINALG_RANK_H

#include "linalg/pattern.h"

typedef struct CdRows {
    CdPattern pattern;    // of J
    const double *values; // its numbers
    const int *row_group; // NULL: each for itself, also below
    const int *col_group;
} CdRows;

// as many dependencies are told at most
#define CD_DEPENDENCIES 3

typedef struct CdDependent {
    int rank;
    bool believed; // the analysis would take too long: nothing was looked at, and the rank is full
    int n;         // rows - rank
    int *row;      // n, that the others hold
    int nnull;     // dependencies J^T y = 0 that are known, enough to tell which rows take part
    double *null;  // rows x nnull by columns, the largest number of each is 1
    double *free;  // a motion with J x = 0, its largest number 1; NULL: none, or nothing depends
    double weakest, strongest_left_out; // pivots on both sides of the rank; 0: none
} CdDependent;

// what is left of a row beside others is 0 if it is not longer than tol; results are in the arena
CdStatus cdi_dependent_rows(CdArena *arena, const CdRows *rows, double tol, CdDependent *out);

#endif
