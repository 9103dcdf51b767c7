// rank_work.h - what the files of the sparse rank share: groups, who touches whom, fronts
#ifndef CARDAN_LINALG_RANK_WORK_H
#define CARDAN_LINALG_RANK_WORK_H

#include "linalg/rank.h"

// neighbours of one kind: group k has the members first[k] ... first[k + 1] - 1
typedef struct CdGroups {
    int n, largest;
    int *of, *first;
} CdGroups;

// a group of rows that is eliminated, when all below it in the tree have been
typedef struct CdFront {
    int group;
    int own, rank;      // its rows, and how many of them do not depend on those before
    int n;              // rows of J that take part: own ones, those that depend last, then others
    int *rows;          // n
    double *R;          // rank x n by rows
    int left;           // equations for the others that go to the parent
    size_t at;          // where these are on the stack: left x (n - own) by columns
    int child, sibling; // -1: none
} CdFront;

typedef struct CdRankWork {
    CdContext *ctx;
    CdArena arena;
    const CdRows *j;
    double tol;
    CdGroups rows, cols;
    int *touch_ptr, *touch;   // groups of rows that touch a group of columns, ascending
    int *bodies_ptr, *bodies; // and the other way round
    int *live;                // of a group of columns: groups of rows not yet taken off
    int npeeled;
    int *peeled, *by; // groups of columns in their order, and the rows that went with them
    int *leaf_of;     // of a group of rows: the columns that it went with; -1: it is in loops
    int nfronts;
    CdFront *fronts; // children before parents
    double weakest, strongest_left_out;
} CdRankWork;

// entries of a group of rows in a group of columns, transposed: columns x rows by columns
void cdi_rank_block(const CdRankWork *w, int group, int body, double *t);
// QR of the first `own` columns of an m x n matrix f by columns, the longest first; returns how
// many are longer than tol. perm, own numbers, follows; *left: longest of the rest
int cdi_rank_reduce(int m, int n, int own, double *f, double tol, int *perm, double *left);
// QR of all columns in their order: what is below the diagonal becomes 0
void cdi_rank_triangle(int m, int n, double *f);

// rank_peel.c: takes off what hangs on a single group of rows; these are independent
CdStatus cdi_rank_peel(CdRankWork *w);
// x of what was taken off follows what it hangs on
CdStatus cdi_rank_follow(CdRankWork *w, double *x);
// rank_front.c: eliminates the rest; *believed: it would take too long
CdStatus cdi_rank_fronts(CdRankWork *w, bool *believed);

#endif
