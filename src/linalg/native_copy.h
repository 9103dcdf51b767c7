// native_copy.h - numbers of systems side by side from a right-hand side, and back
//
// Where unknowns of four columns follow each other in every system, those of four systems are four
// vectors there and, transposed, four vectors here. A run ends with a block that overlaps the one
// before: it copies some numbers twice. Included by native_wide.simd.c, which has WIDE systems.
#ifndef CARDAN_LINALG_NATIVE_COPY_H
#define CARDAN_LINALG_NATIVE_COPY_H

#define FOUR CDI_NATIVE_LANES

typedef double Four __attribute__((vector_size(8 * FOUR), aligned(8), may_alias));

INLINE void transpose(Four r[FOUR]) {
    const Four a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
    const Four b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const Four c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);
    const Four d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// four columns from k on: where the first of their unknowns are, and, in the order of unknowns, where
// columns are in z
typedef struct Block {
    const int *first;
    ptrdiff_t column, step;
} Block;

INLINE Block block_of(const int by, const int *perm, int k) {
    const int low = by > 0 ? k : k + FOUR - 1;
    return (Block){perm + WIDE * (size_t)low, WIDE * (ptrdiff_t)low, by * WIDE};
}

INLINE void load_block(const int by, int k, const int *perm, const double *b, double *z) {
    const Block at = block_of(by, perm, k);
    for (int i = 0; i < WIDE; i += FOUR) {
        Four r[FOUR];
        for (int j = 0; j < FOUR; j++) r[j] = *(const Four *)(b + at.first[i + j]);
        transpose(r);
        for (int j = 0; j < FOUR; j++) *(Four *)(z + at.column + at.step * j + i) = r[j];
    }
}

INLINE void store_block(const int by, int k, const int *perm, const double *z, double *b) {
    const Block at = block_of(by, perm, k);
    for (int i = 0; i < WIDE; i += FOUR) {
        Four r[FOUR];
        for (int j = 0; j < FOUR; j++) r[j] = *(const Four *)(z + at.column + at.step * j + i);
        transpose(r);
        for (int j = 0; j < FOUR; j++) *(Four *)(b + at.first[i + j]) = r[j];
    }
}

// the block after the one at k: the last one ends where the run does
INLINE int next_block(const CdiNativeRun *r, int k) {
    return k + FOUR < r->end && k + 2 * FOUR > r->end ? r->end - FOUR : k + FOUR;
}

static void load_runs(const CdiNativeRun *run, int nruns, const int *restrict perm,
                      const double *restrict b, double *restrict z) {
    for (const CdiNativeRun *r = run; r < run + nruns; r++) {
        if (r->by > 0) {
            for (int k = r->begin; k < r->end; k = next_block(r, k)) load_block(1, k, perm, b, z);
        } else if (r->by < 0) {
            for (int k = r->begin; k < r->end; k = next_block(r, k)) load_block(-1, k, perm, b, z);
        } else {
            for (int k = WIDE * r->begin; k < WIDE * r->end; k++) z[k] = b[perm[k]];
        }
    }
}

static void store_runs(const CdiNativeRun *run, int nruns, const int *restrict perm,
                       const double *restrict z, double *restrict b) {
    for (const CdiNativeRun *r = run; r < run + nruns; r++) {
        if (r->by > 0) {
            for (int k = r->begin; k < r->end; k = next_block(r, k)) store_block(1, k, perm, z, b);
        } else if (r->by < 0) {
            for (int k = r->begin; k < r->end; k = next_block(r, k)) store_block(-1, k, perm, z, b);
        } else {
            for (int k = WIDE * r->begin; k < WIDE * r->end; k++) b[perm[k]] = z[k];
        }
    }
}

#endif
