// lines.h - inside system/: forces that are lines in one coordinate or two, as arrays
//
//   F_j = k_j (s_b - s_a - L_j) + c_j (s_b' - s_a')       F on a, -F on b
//   F_j = k_j (s_a - L_j) + c_j s_a'                      -F on a
//
// What is the same for all items of a run is said once: their coordinates follow each other, as
// those of a chain do. Rows of the sum are made block by block. A row adds runs in their order, of
// each what it is to it as a, then as b; then single items in theirs: any number of threads gives
// the same bits.
#ifndef CARDAN_SYSTEM_LINES_H
#define CARDAN_SYSTEM_LINES_H

#include "base/isa.h"
#include "system/system.h"

// rows of a block: a few arrays of them stay in the first cache
#define CD_LINE_ROWS 256

// items first ... first + n - 1 on coordinates a, a + 1, ..., and b, b + 1, ...
typedef struct CdLineRun {
    int first, n;
    int qa, va;
    int qb, vb; // -1: on one coordinate each; else b > a
} CdLineRun;

typedef struct CdSystemLines {
    int n;                                // items: those of runs, then single ones
    double *length, *stiffness, *damping; // n
    int nruns;
    CdLineRun *runs;
    int nsingle;
    CdLineRun *single;  // runs of one
    int nblocks;        // of rows
    int *block, *touch; // runs touch[block[i]] ... touch[block[i + 1] - 1] act on rows of block i
    bool pushes;        // some forces are always the same
    double *constant;   // nv: these
    int nother;
    int *other; // numbers of items on coordinates that are forces, but no lines
} CdSystemLines;

// kernels for one instruction set (lines.simd.c)
typedef struct CdLineOps {
    // r = M v' - push of n rows, M diagonal
    void (*inertia)(size_t n, const double *mass, const double *rate, const double *push,
                    double *r);
    // out += sign F of a run, in rows lo ... hi - 1 only, at most CD_LINE_ROWS
    void (*run)(const CdSystemLines *l, const CdLineRun *run, int lo, int hi, double sign,
                const double *q, const double *v, double *out);
} CdLineOps;
const CdLineOps *cdi_line_ops(CdIsa isa); // NULL: not of this build or processor

// of the items that the system has now
CdStatus cdi_lines_find(CdSystem *s);
// rows lo ... hi - 1, all of block i, of out += sign sum F, of runs
static inline void cdi_lines_rows(const CdSystemLines *l, const CdLineOps *ops, int i, int lo,
                                  int hi, double sign, const double *q, const double *v,
                                  double *out) {
    for (int k = l->block[i]; k < l->block[i + 1]; k++) {
        ops->run(l, &l->runs[l->touch[k]], lo, hi, sign, q, v, out);
    }
}
// the same of all rows of the block
static inline void cdi_lines_block(const CdSystemLines *l, const CdLineOps *ops, int i, double sign,
                                   const double *q, const double *v, double *out) {
    const int lo = i * CD_LINE_ROWS;
    cdi_lines_rows(l, ops, i, lo, lo + CD_LINE_ROWS, sign, q, v, out);
}
// the same of single items, rows lo ... hi - 1
void cdi_lines_single(const CdSystemLines *l, int lo, int hi, double sign, const double *q,
                      const double *v, double *out);

#endif
