// order.h - in which order to eliminate, and what the factor of a symmetric pattern will look like
//
// One symbolic analysis for all static factorisations: of A (its pattern taken as A + A^T), with
// pivots from the diagonal in the order perm, C = P A P^T = L D U with the pattern of U that of
// L^T. Everything but perm is numbered by elimination step.
#ifndef CARDAN_LINALG_ORDER_H
#define CARDAN_LINALG_ORDER_H

#include "linalg/pattern.h"

typedef enum CdOrder {
    CD_ORDER_NATURAL, // as the unknowns are numbered
    CD_ORDER_AMD,     // approximate minimum degree of SuiteSparse, where it is; else the next
    CD_ORDER_DEGREE,  // minimum degree, our own
    CD_ORDER_GIVEN    // the caller's
} CdOrder;

typedef struct CdSymbolic {
    int n;
    int *perm;    // step k eliminates unknown perm[k]
    int *inverse; // unknown i is eliminated in step inverse[i]
    int *parent;  // elimination tree: first row below the diagonal of column k of L; -1: none
    int *post;    // its postorder: subtrees are contiguous, children before parents
    int *count;   // entries in column k of L, with the diagonal
    int64_t nnz;  // entries of L, with the diagonal
    double flops; // sum of count^2: of L D L^T; L D U takes twice as many
    CdArena arena;
} CdSymbolic;

// given: a permutation for CD_ORDER_GIVEN, NULL otherwise
CdStatus cdi_symbolic_new(CdContext *ctx, const CdPattern *pattern, CdOrder order, const int *given,
                          CdSymbolic **out);
void cdi_symbolic_free(CdSymbolic *s); // NULL does nothing

// fill-reducing orders of a symmetric pattern
CdStatus cdi_order_amd(CdContext *ctx, CdArena *scratch, const CdPattern *s, int *perm);
CdStatus cdi_order_degree(CdArena *scratch, const CdPattern *s, int *perm);

#endif
