// native_copy.h - numbers of systems side by side from a right-hand side, and back
//
// Where unknowns of four columns follow each other in every system, those of four systems are four
// vectors in b and, transposed, four vectors in z. A stretch ends with a block that overlaps the
// one before: it copies some numbers twice. For native_wide.simd.c, which has WIDE systems.
#ifndef CARDAN_LINALG_NATIVE_COPY_H
#define CARDAN_LINALG_NATIVE_COPY_H

#include "linalg/native.h"

#define FOUR CDI_NATIVE_LANES

_Static_assert(FOUR == 4 && WIDE % FOUR == 0, "blocks are four by four");

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

// four columns from k on: where their first unknowns are in b and, in the order of unknowns, where
// they are in z
typedef struct Block {
    const int *first;
    ptrdiff_t column, step;
} Block;

INLINE Block four_of(const int by, const int *perm, int k) {
    const int low = by > 0 ? k : k + FOUR - 1;
    return (Block){perm + WIDE * (size_t)low, WIDE * (ptrdiff_t)low, by * WIDE};
}

INLINE void load_block(const int by, int k, const int *perm, const double *b, double *z) {
    const Block at = four_of(by, perm, k);
    for (int i = 0; i < WIDE; i += FOUR) {
        Four r[FOUR];
        for (int j = 0; j < FOUR; j++) r[j] = *(const Four *)(b + at.first[i + j]);
        transpose(r);
        for (int j = 0; j < FOUR; j++) *(Four *)(z + at.column + at.step * j + i) = r[j];
    }
}

INLINE void store_block(const int by, int k, const int *perm, const double *z, double *b) {
    const Block at = four_of(by, perm, k);
    for (int i = 0; i < WIDE; i += FOUR) {
        Four r[FOUR];
        for (int j = 0; j < FOUR; j++) r[j] = *(const Four *)(z + at.column + at.step * j + i);
        transpose(r);
        for (int j = 0; j < FOUR; j++) *(Four *)(b + at.first[i + j]) = r[j];
    }
}

// the block after the one at k: the last one ends where the stretch does
INLINE int next_block(const CdiNativeStretch *s, int k) {
    return k + FOUR < s->end && k + 2 * FOUR > s->end ? s->end - FOUR : k + FOUR;
}

static void load_stretches(const CdiNativeStretch *stretch, int n, const int *restrict perm,
                           const double *restrict b, double *restrict z) {
    for (const CdiNativeStretch *s = stretch; s < stretch + n; s++) {
        if (s->by > 0) {
            for (int k = s->begin; k < s->end; k = next_block(s, k)) load_block(1, k, perm, b, z);
        } else if (s->by < 0) {
            for (int k = s->begin; k < s->end; k = next_block(s, k)) load_block(-1, k, perm, b, z);
        } else {
            for (int k = WIDE * s->begin; k < WIDE * s->end; k++) z[k] = b[perm[k]];
        }
    }
}

static void store_stretches(const CdiNativeStretch *stretch, int n, const int *restrict perm,
                            const double *restrict z, double *restrict b) {
    for (const CdiNativeStretch *s = stretch; s < stretch + n; s++) {
        if (s->by > 0) {
            for (int k = s->begin; k < s->end; k = next_block(s, k)) store_block(1, k, perm, z, b);
        } else if (s->by < 0) {
            for (int k = s->begin; k < s->end; k = next_block(s, k)) store_block(-1, k, perm, z, b);
        } else {
            for (int k = WIDE * s->begin; k < WIDE * s->end; k++) b[perm[k]] = z[k];
        }
    }
}

#endif
