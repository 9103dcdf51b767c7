// native_solve.simd.c - substitution by panels, compiled once for each instruction set
//
//   solve    L^-1, D^-1 upwards, U^-1 downwards: products with blocks whose triangles were inverted
//            (native.simd.c), so that no column waits for another
//
// Sums run in the order of the columns, in four lanes on every instruction set: the same bits.
#include "linalg/native_lanes.h"

#define LINE 8 // numbers of a cache line

INLINE int groups_of(int n) {
    const int groups = (n + LANES - 1) / LANES;
    return groups < BLOCKS ? groups : BLOCKS;
}

// so many vectors of rows from `row` on of q columns, times x
INLINE void multiply(const int groups, int q, const double *restrict p, size_t ld, int row,
                     const double *restrict x, V4 *restrict sum) {
    for (int i = 0; i < groups; i++) sum[i] = (V4){0};
    int k = 0;
    for (p += row; k + LANES <= q; k += LANES, ld -= LANES, p -= LANES) {
        for (int c = 0; c < LANES; c++, p += ld) {
            for (int i = 0; i < groups; i++) sum[i] += *(const U4 *)(p + LANES * i) * x[k + c];
        }
    }
    for (; k < q; k++, p += ld) {
        for (int i = 0; i < groups; i++) sum[i] += *(const U4 *)(p + LANES * i) * x[k];
    }
}

// the same for four columns of the triangle of a block, or the last of them, and x beside it
INLINE void multiply_some(const int from, const int groups, int q, const double *restrict p,
                          size_t ld, const double *restrict x, V4 *restrict sum) {
    const double *column = p + column_of(ld, LANES * from);
    ld -= (size_t)(LANES * from);
    x += LANES * from;
    if (from + 1 < groups) {
        for (int k = 0; k < LANES; k++) {
            const double *at = column + ld * (size_t)k;
            for (int i = from; i < groups; i++) sum[i] += *(const U4 *)(at + LANES * i) * x[k];
        }
    } else {
        for (int k = 0; k < q - LANES * from; k++, column += ld) {
            sum[from] += *(const U4 *)(column + LANES * from) * x[k];
        }
    }
}

INLINE void multiply_triangle(const int groups, int q, const double *restrict p, size_t ld,
                              const double *restrict x, V4 *restrict sum) {
    multiply_some(0, groups, q, p, ld, x, sum);
    if (groups > 1) multiply_some(1, groups, q, p, ld, x, sum);
    if (groups > 2) multiply_some(2, groups, q, p, ld, x, sum);
}

INLINE void multiply_of(int groups, int q, const double *p, size_t ld, int row, const double *x,
                        V4 *sum) {
    switch (groups) {
    case 1: multiply(1, q, p, ld, row, x, sum); break;
    case 2: multiply(2, q, p, ld, row, x, sum); break;
    default: multiply(BLOCKS, q, p, ld, row, x, sum); break;
    }
}

// x = D^-1 L^-1 y of one block
INLINE void forward_block(int q, const double *p, size_t ld, const double *inverse, const double *y,
                          double *x) {
    V4 v[BLOCKS] = {0};
    switch (groups_of(q)) {
    case 1: multiply_triangle(1, q, p, ld, y, v); break;
    case 2: multiply_triangle(2, q, p, ld, y, v); break;
    default: multiply_triangle(BLOCKS, q, p, ld, y, v); break;
    }
    for (int i = 0; i < BLOCKS && LANES * i < q; i++) {
        *(U4 *)(x + LANES * i) = v[i] * *(const U4 *)(inverse + LANES * i);
    }
}

// the columns behind a block less what it has for them
INLINE void forward_rest(int rows, int q, const double *p, size_t ld, const double *x, double *y) {
    for (int i = 0; i < rows; i += CDI_NATIVE_BLOCK) {
        const int n = block_of(i, rows);
        V4 sum[BLOCKS];
        multiply_of(groups_of(n), q, p, ld, q + i, x, sum);
        for (int k = 0; k < n; k += LANES) {
            sum[k / LANES] = *(const U4 *)(y + i + k) - sum[k / LANES];
        }
        put(n, (const double *)sum, y + i);
    }
}

INLINE void scatter(int n, const int *restrict rows, const V4 *restrict sum, double *restrict z) {
    const double *restrict v = (const double *)sum;
    for (; n >= LANES; n -= LANES, rows += LANES, v += LANES) {
        for (int k = 0; k < LANES; k++) z[rows[k]] -= v[k];
    }
    for (int k = 0; k < n; k++) z[rows[k]] -= v[k];
}

INLINE void forward_node(Shape s, const double *p, const double *inverse, const int *rows,
                         double *restrict x, double *restrict y, double *restrict z) {
    for (int j = 0; j < s.ncols; j += CDI_NATIVE_BLOCK) {
        const int q = block_of(j, s.ncols);
        const double *at = p + column_of(s.ld, j) + j;
        forward_block(q, at, s.ld - (size_t)j, inverse + j, y + j, x + j);
        forward_rest(s.ncols - j - q, q, at, s.ld - (size_t)j, x + j, y + j + q);
    }
    put(s.ncols, x, y);
    for (int i = 0; i < s.nrows; i += CDI_NATIVE_BLOCK) {
        const int n = block_of(i, s.nrows);
        V4 sum[BLOCKS];
        multiply_of(groups_of(n), s.ncols, p, s.ld, s.ncols + i, x, sum);
        scatter(n, rows + i, sum, z);
    }
}

// sums over so many rows of q columns times w, which ends with zeros
INLINE void dot(const int q, int rows, const double *restrict u, size_t ld,
                const double *restrict w, V4 *restrict sum) {
    for (int i = 0; i < rows; i += LANES) {
        const V4 v = *(const U4 *)(w + i);
        for (int k = 0; k < q; k++) sum[k] += *(const U4 *)(u + i + ld * (size_t)k) * v;
    }
}

// the sum of every one of four vectors
INLINE void add_up(const V4 *restrict s, V4 *restrict total) {
    const V4 a = __builtin_shufflevector(s[0], s[1], 0, 4, 2, 6) +
                 __builtin_shufflevector(s[0], s[1], 1, 5, 3, 7);
    const V4 b = __builtin_shufflevector(s[2], s[3], 0, 4, 2, 6) +
                 __builtin_shufflevector(s[2], s[3], 1, 5, 3, 7);
    *total = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}

// rows of q columns of u times w, and further rows of them times more
typedef struct Rows {
    int n;
    const double *w;
} Rows;

INLINE void sums(const int q, const double *u, size_t ld, const Rows *near, const Rows *far,
                 V4 *total) {
    V4 sum[LANES] = {0};
    dot(q, near->n, u, ld, near->w, sum);
    dot(q, far->n, u + near->n, ld, far->w, sum);
    add_up(sum, total);
}

INLINE void sums_of(int q, const double *u, size_t ld, const Rows *near, const Rows *far,
                    V4 *total) {
    switch (q) {
    case 1: sums(1, u, ld, near, far, total); break;
    case 2: sums(2, u, ld, near, far, total); break;
    case 3: sums(3, u, ld, near, far, total); break;
    default: sums(4, u, ld, near, far, total); break;
    }
}

// x = U^-1 (y - D^-1 U r) of one block; r: columns behind it, which are in x, and rows below
INLINE void backward_block(Shape s, int j, int q, const double *u, const double *inverse,
                           const double *w, const double *y, double *x) {
    const size_t ld = s.ld - (size_t)j;
    const int last = (q - 1) / LANES;
    const Rows behind = {s.ncols - j - q, x + q}, below = {s.nrows, w};
    const V4 none = {0};
    V4 v[BLOCKS], mine[BLOCKS], total;
    for (int k = 0; k < q; k += LANES) {
        sums_of(q - k, u + column_of(ld, k) + q, ld - (size_t)k, &behind, &below, &total);
        v[k / LANES] = *(const U4 *)(y + k) - total * *(const U4 *)(inverse + k);
    }
    keep_lanes(q - LANES * last, &none, &v[last]);
    for (int k = 0; k < q; k += LANES) {
        const Rows own = {q - k, (const double *)v + k}, no_more = {0, NULL};
        sums_of(q - k, u + column_of(ld, k) + k, ld - (size_t)k, &own, &no_more, &mine[k / LANES]);
    }
    put(q, (const double *)mine, x);
}

// z of so many rows, with zeros behind them
INLINE void gather(int n, const int *restrict rows, const double *restrict z, double *restrict w) {
    int i = 0;
    for (; i + LANES <= n; i += LANES, rows += LANES) {
        *(V4 *)(w + i) = (V4){z[rows[0]], z[rows[1]], z[rows[2]], z[rows[3]]};
    }
    switch (n - i) {
    case 1: *(V4 *)(w + i) = (V4){z[rows[0]]}; break;
    case 2: *(V4 *)(w + i) = (V4){z[rows[0]], z[rows[1]]}; break;
    case 3: *(V4 *)(w + i) = (V4){z[rows[0]], z[rows[1]], z[rows[2]]}; break;
    default: break;
    }
}

INLINE void backward_node(Shape s, const double *u, const double *inverse, const int *rows,
                          double *restrict w, double *restrict y, const double *z) {
    double *restrict x = w + room_of(s.ld) + LANES;
    gather(s.nrows, rows, z, w);
    *(U4 *)(x + s.ncols) = (U4){0};
    for (int j = (s.ncols - 1) / CDI_NATIVE_BLOCK * CDI_NATIVE_BLOCK; j >= 0;
         j -= CDI_NATIVE_BLOCK) {
        const double *at = u + column_of(s.ld, j) + j;
        backward_block(s, j, block_of(j, s.ncols), at, inverse + j, w, y + j, x + j);
    }
    put(s.ncols, x, y);
}

// ---- single columns

// those from node k on that follow each other, as all that they have does; the node after them.
// What a column has for the next one, if that is its only row, need not come back from memory
static int forward_singles(const CdiNativePart *t, int k, const double *restrict p,
                           const double *restrict inverse, double *z) {
    const CdiSupernode *node = t->supernodes;
    const int *restrict rows = t->rows + node[k].rows;
    double *y = z + node[k].first, next = *y;
    for (; k < t->nsupernodes && node[k].kind == CDI_NATIVE_SINGLE; k++) {
        const int nrows = node[k].nrows;
        const double x = *y++ = next * *inverse++;
        if (nrows == 1 && z + *rows == y) {
            *y = next = *y - p[1] * x;
        } else {
            for (int i = 0; i < nrows; i++) z[rows[i]] -= p[1 + i] * x;
            next = *y; // there is room behind the last one
        }
        p += 1 + nrows;
        rows += nrows;
    }
    return k;
}

// those up to node k; the one before them. What was known last is added last
static int backward_singles(const CdiNativePart *t, int k, const double *restrict u,
                            const double *restrict inverse, double *z) {
    const CdiSupernode *node = t->supernodes;
    const int *restrict rows = t->rows + node[k].rows + node[k].nrows;
    double *y = z + node[k].first, last = y[1];
    u += 1 + node[k].nrows;
    for (; k >= 0 && node[k].kind == CDI_NATIVE_SINGLE; k--, u--, y--) {
        const int nrows = node[k].nrows;
        double sum = 0;
        if (nrows == 1 && z + rows[-1] == y + 1) {
            sum += *--u * last;
            rows--;
        } else {
            for (int i = nrows; i > 0; i--) sum += *--u * z[*--rows];
        }
        last = *y -= sum * *inverse--;
    }
    return k;
}

// panels follow each other as they are needed, up or down: as many numbers as this one has, further
// on
INLINE void ask_for(const CdiNativePart *t, const CdiSupernode *s, const double *p, bool down) {
    const size_t n = cdi_native_size(t, s);
    p = down ? p - CDI_NATIVE_AHEAD : p + CDI_NATIVE_AHEAD;
    for (size_t i = 0; i < n; i += LINE) CDI_NATIVE_ASK(p + i);
}

// ---- offered

void CD_ISA_NAME(cdi_native_forward)(const CdiNativePart *t, const CdiNativeFactor *f, bool other,
                                     double *z) {
    double *x = f->work;
    const bool down = cdi_native_goes_down(t, other);
    for (int k = 0; k < t->nsupernodes;) {
        const CdiSupernode *s = &t->supernodes[k];
        const double *p = f->x + cdi_native_panel(s, other), *inverse = f->inverse + s->first;
        const int *rows = t->rows + s->rows;
        double *y = z + s->first;
        if (f->next) ask_for(t, s, p, down);
        switch (s->kind) {
        case CDI_NATIVE_ROOT: forward_node(FIXED(0), p, inverse, rows, x, y, z); break;
        case CDI_NATIVE_CHILD: forward_node(FIXED(BODY), p, inverse, rows, x, y, z); break;
        case CDI_NATIVE_TIED: forward_node(FIXED(2 * BODY), p, inverse, rows, x, y, z); break;
        case CDI_NATIVE_SINGLE: k = forward_singles(t, k, p, inverse, z); continue;
        default: forward_node(shape_of(s), p, inverse, rows, x, y, z); break;
        }
        k++;
    }
}

void CD_ISA_NAME(cdi_native_backward)(const CdiNativePart *t, const CdiNativeFactor *f, bool other,
                                      double *z) {
    double *w = f->work;
    const bool down = !cdi_native_goes_down(t, other);
    for (int k = t->nsupernodes - 1; k >= 0;) {
        const CdiSupernode *s = &t->supernodes[k];
        const double *u = f->x + cdi_native_panel(s, other), *inverse = f->inverse + s->first;
        const int *rows = t->rows + s->rows;
        double *y = z + s->first;
        if (f->next) ask_for(t, s, u, down);
        switch (s->kind) {
        case CDI_NATIVE_ROOT: backward_node(FIXED(0), u, inverse, rows, w, y, z); break;
        case CDI_NATIVE_CHILD: backward_node(FIXED(BODY), u, inverse, rows, w, y, z); break;
        case CDI_NATIVE_TIED: backward_node(FIXED(2 * BODY), u, inverse, rows, w, y, z); break;
        case CDI_NATIVE_SINGLE: k = backward_singles(t, k, u, inverse, z); continue;
        default: backward_node(shape_of(s), u, inverse, rows, w, y, z); break;
        }
        k--;
    }
}
