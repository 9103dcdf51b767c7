// native_lanes.h - vectors of four numbers, and what elimination and substitution do with them
#ifndef CARDAN_LINALG_NATIVE_LANES_H
#define CARDAN_LINALG_NATIVE_LANES_H

#include "linalg/native.h"

#define INLINE static inline __attribute__((always_inline))
#define LANES CDI_NATIVE_LANES
#define BLOCKS (CDI_NATIVE_BLOCK / LANES) // vectors of a block

typedef double V4 __attribute__((vector_size(32), may_alias));
typedef double U4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long I4 __attribute__((vector_size(32)));

// of a panel
typedef struct Shape {
    int ncols, nrows;
    size_t ld;
} Shape;

// a body with a joint of five rows behind it, and so many rows of other bodies
#define BODY CDI_NATIVE_BODY
#define BODY_JOINT CDI_NATIVE_BODY_JOINT
#define FIXED(rows) ((Shape){BODY_JOINT, rows, BODY_JOINT + (rows)})

INLINE Shape shape_of(const CdiSupernode *s) {
    return (Shape){s->ncols, s->nrows, (size_t)s->ld};
}

// columns of so many numbers with vectors at their ends
INLINE size_t room_of(size_t ld) {
    return (ld + LANES - 1) / LANES * LANES;
}

INLINE size_t column_of(size_t ld, int j) {
    return cdi_native_column(ld, LANES, (size_t)j);
}

// columns of a block from column j on, of those before `end`
INLINE int block_of(int j, int end) {
    return end - j < CDI_NATIVE_BLOCK ? end - j : CDI_NATIVE_BLOCK;
}

// the first n lanes of v, and of others behind them
INLINE void keep_lanes(int n, const V4 *others, V4 *v) {
    const I4 lane = {0, 1, 2, 3}, mine = lane < n;
    *v = (V4)(((I4)*v & mine) | ((I4)*others & ~mine));
}

// y = x, n elements; y may share its last vector with others
INLINE void put(int n, const double *restrict x, double *restrict y) {
    int i = 0;
    for (; i + LANES <= n; i += LANES) *(U4 *)(y + i) = *(const V4 *)(x + i);
    if (i == n) return;
    const V4 others = *(const U4 *)(y + i);
    V4 v = *(const V4 *)(x + i);
    keep_lanes(n - i, &others, &v);
    *(U4 *)(y + i) = v;
}

// loops of native_solve.simd.c
void CD_ISA_NAME(cdi_native_forward)(const CdiNativePart *t, const CdiNativeFactor *f, bool other,
                                     double *z);
void CD_ISA_NAME(cdi_native_backward)(const CdiNativePart *t, const CdiNativeFactor *f, bool other,
                                      double *z);

#endif
