// native.h - factors of a fixed pattern with pivots from the diagonal, by dense panels
//
//   P A P^T = L D U         pattern of A taken as that of A + A^T
//
// Columns of L with nearly the same rows form a supernode. Its panel of L D is dense: ncols columns
// of ld numbers, the rows of its own columns first, then the nrows rows below them; the panel of
// (D U)^T has the same form and follows it unless values are symmetric. A step eliminates the
// columns of one supernode and subtracts their product from the panels of those further up the
// tree, whose places were found beforehand.
#ifndef CARDAN_LINALG_NATIVE_H
#define CARDAN_LINALG_NATIVE_H

#include "base/isa.h"
#include "linalg/linsol.h"

#define CDI_NATIVE_LANES 4 // columns of panels are padded to a multiple

// a pivot below this part of its scale is replaced by REPLACED of it
#define CDI_NATIVE_ZERO 1e-12
#define CDI_NATIVE_REPLACED 1e-8

typedef struct CdiSupernode {
    int first, ncols, nrows, ld;
    int at;     // of its panel in x
    int rows;   // of the list of its rows
    int target; // first of its targets; they end where those of the next begin
} CdiSupernode;

// rows begin ... end - 1 of a supernode are columns of supernode `to`
typedef struct CdiTarget {
    int to, begin, end;
    int place; // in places: of the rows from begin on, in the panel of `to`
} CdiTarget;

// what an analysis finds; fixed until the next
typedef struct CdiNativeTree {
    CdArena arena;
    int n;
    bool symmetric;
    int *perm;  // step k eliminates unknown perm[k]
    bool *weak; // by step: has hardly anything on the diagonal
    int nsupernodes;
    CdiSupernode *supernodes; // one more, as the end
    CdiTarget *targets;
    int *rows, *places;
    int nscatter;
    int *from, *to; // value from[k] of A goes to x[to[k]]
    int *diagonal;  // by step: value of A, -1: none
    int npairs;
    int *pair;  // of weak steps: products a_ij a_ji / a_jj that make their scale
    int nx;     // numbers in all panels
    int widest; // longest column of a panel
    int64_t nnz;
    double flops;
} CdiNativeTree;

// one of the pairs: step, values a_ij and a_ji, and step j
enum { CDI_PAIR_STEP, CDI_PAIR_DOWN, CDI_PAIR_UP, CDI_PAIR_OTHER, CDI_PAIR_SIZE };

// the numbers
typedef struct CdiNativeFactor {
    double *x;          // panels
    double *inverse;    // of the pivots, by step
    double *scale;      // of the pivots, by step: 1 / what is expected, with its sign
    double *work;       // CDI_NATIVE_WORK
    int replaced;       // pivots
    double least, most; // |pivot| over its scale
    int least_step;
} CdiNativeFactor;

// loops over panels, compiled for each instruction set (native.simd.c)
typedef struct CdiNativeOps {
    void (*factor)(const CdiNativeTree *t, CdiNativeFactor *f);
    // z = U^-1 D^-1 L^-1 z, transposed: L^-T D^-1 U^-T z, by steps
    void (*solve)(const CdiNativeTree *t, const CdiNativeFactor *f, bool transposed, double *z);
} CdiNativeOps;

const CdiNativeOps *cdi_native_ops(CdIsa isa);
// numbers of room behind the panels, which loops may read, and in work
#define CDI_NATIVE_BEHIND CDI_NATIVE_LANES
#define CDI_NATIVE_WORK(t) (8 * (size_t)(t)->widest + 2 * CDI_NATIVE_LANES)

// which unknowns have hardly anything on the diagonal, for their couplings
CdStatus cdi_native_weak(CdArena *scratch, const CdCsc *a, bool *weak);
// an order for these values: weak unknowns are told, and follow a partner with a diagonal
CdStatus cdi_native_order(CdContext *ctx, CdArena *scratch, const CdCsc *a, const int *group,
                          int loop, bool *weak, int *perm);
// loop: bodies up from either end of a closed loop after which the joint that closes it comes
CdStatus cdi_native_analyze(CdContext *ctx, const CdCsc *a, const int *group, int loop,
                            bool symmetric, CdiNativeTree **out);
void cdi_native_tree_free(CdiNativeTree *t); // NULL does nothing

#endif
