// pattern.h - where a sparse matrix may have entries: compressed columns, and a builder for them
//
// Column j has its rows in row[ptr[j]] ... row[ptr[j + 1] - 1], ascending, none twice. A pattern
// never changes after it is built, so threads and matrices share it; numbers live elsewhere
// (csc.h), entry k of an array belonging to row[k].
//
//   CdPatternBuilder b;
//   cdi_pattern_begin(&b, ctx, n, n, true);
//   CD_TRY(cdi_pattern_add_block(&b, 6, dofs, 6, dofs));    and so on
//   CD_TRY(cdi_pattern_end(&b, &pattern));
//
// Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, ch. 2.
#ifndef CARDAN_LINALG_PATTERN_H
#define CARDAN_LINALG_PATTERN_H

#include "base/arena.h"
#include "base/array.h"

typedef struct CdPattern {
    int rows, cols, nnz;
    const int *ptr; // cols + 1
    const int *row; // nnz
    CdArena arena;  // owns the arrays
} CdPattern;

// couplings under construction. The first failure sticks and is what cdi_pattern_end returns.
typedef struct CdPatternBuilder {
    CdContext *ctx;
    int rows, cols;
    bool symmetric;       // every coupling counts in both directions
    CdStatus status;      // first failure
    CD_ARRAY(int) blocks; // nr, nc, nr rows, nc columns; block after block
} CdPatternBuilder;

void cdi_pattern_begin(CdPatternBuilder *b, CdContext *ctx, int rows, int cols, bool symmetric);
CdStatus cdi_pattern_add(CdPatternBuilder *b, int i, int j);
// every row of a list with every column of a list; lists may repeat themselves and each other
CdStatus cdi_pattern_add_block(CdPatternBuilder *b, int nr, const int *rows, int nc,
                               const int *cols);
CdStatus cdi_pattern_add_diagonal(CdPatternBuilder *b); // (i, i) for all i
// the pattern, or why not; the builder is empty then and may be dropped without it
CdStatus cdi_pattern_end(CdPatternBuilder *b, CdPattern **pattern);
void cdi_pattern_drop(CdPatternBuilder *b);

void cdi_pattern_free(CdPattern *p); // NULL does nothing

// position of (i, j), -1 if it is not there or outside
int cdi_pattern_slot(const CdPattern *p, int i, int j);
// the same for a column that is there; *off is how far the last one was from the start of its
// column: neighbours of a group are often as far, or one further
static inline int cdi_pattern_slot_like(const CdPattern *p, int i, int j, int *off) {
    const int near = p->ptr[j] + *off, end = p->ptr[j + 1];
    if (near < end && p->row[near] == i) return near;
    if (near + 1 < end && p->row[near + 1] == i) {
        ++*off;
        return near + 1;
    }
    const int slot = cdi_pattern_slot(p, i, j);
    *off = slot < 0 ? 0 : slot - p->ptr[j];
    return slot;
}
// of a block: slots[r + nr*c] for (rows[r], cols[c]); CD_INVALID names the first that is not there
CdStatus cdi_pattern_slots(CdContext *ctx, const CdPattern *p, int nr, const int *rows, int nc,
                           const int *cols, int *slots);

bool cdi_pattern_is_symmetric(const CdPattern *p);

// in all three, map[k] becomes the new position of entry k; NULL: unwanted
CdStatus cdi_pattern_transpose(CdContext *ctx, const CdPattern *p, int *map, CdPattern **out);
// C(i, j) = A(row_perm[i], col_perm[j]); NULL: as they are
CdStatus cdi_pattern_permute(CdContext *ctx, const CdPattern *p, const int *row_perm,
                             const int *col_perm, int *map, CdPattern **out);
// A + A^T of a square pattern
CdStatus cdi_pattern_symmetrize(CdContext *ctx, const CdPattern *p, int *map, CdPattern **out);

// is perm a permutation of 0..n-1? inverse becomes its inverse
CdStatus cdi_permutation_invert(CdContext *ctx, int n, const int *perm, int *inverse);

#endif
