// native.simd.c - elimination and substitution by panels, compiled once for each instruction set
//
//   factor   for every supernode, four of its columns at a time:
//              panel  -=  (columns before) D^-1 (their rows of the other panel)
//              eliminate the four among themselves
//            then  panels of targets  -=  (rows below) D^-1 (rows below of the other panel)^T
//            and the triangles of its blocks of up to CDI_NATIVE_BLOCK columns are inverted
//   solve    L^-1, D^-1 upwards, U^-1 downwards: products with blocks, no column waits for another
//
// Vectors have four lanes on every instruction set, products are summed in the order of the
// columns, and nothing is contracted: the same bits everywhere.
// Ng & Peyton, SIAM J. Sci. Comput. 14 (1993) 1034; Davis, Rajamanickam & Sid-Lakhdar, Acta
// Numerica 25 (2016) 383, sec. 9.
#include <math.h>
#include <string.h>

#include "linalg/native.h"

#define INLINE static inline __attribute__((always_inline))
#define LANES CDI_NATIVE_LANES
#define BLOCKS (CDI_NATIVE_BLOCK / LANES) // vectors of a block

typedef double V4 __attribute__((vector_size(32), may_alias));
typedef double U4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long I4 __attribute__((vector_size(32)));

// ---- products

// C -= A F, or C = -A F if fresh: A rows x k, columns lda apart; F k x 4; C of q columns
INLINE void product(const int q, const bool fresh, int rows, int k, const double *restrict a,
                    int lda, const double *restrict f, double *restrict c, int ldc) {
    const size_t la = (size_t)lda, lc = (size_t)ldc;
    int i = 0;
    for (; i + 2 * LANES <= rows; i += 2 * LANES) {
        V4 s[4][2];
        for (int p = 0; p < q; p++) {
            s[p][0] = fresh ? (V4){0} : *(const V4 *)(c + i + lc * (size_t)p);
            s[p][1] = fresh ? (V4){0} : *(const V4 *)(c + i + LANES + lc * (size_t)p);
        }
        for (int j = 0; j < k; j++) {
            const V4 a0 = *(const U4 *)(a + i + la * (size_t)j);
            const V4 a1 = *(const U4 *)(a + i + LANES + la * (size_t)j);
            for (int p = 0; p < q; p++) {
                s[p][0] -= a0 * f[LANES * j + p];
                s[p][1] -= a1 * f[LANES * j + p];
            }
        }
        for (int p = 0; p < q; p++) {
            *(V4 *)(c + i + lc * (size_t)p) = s[p][0];
            *(V4 *)(c + i + LANES + lc * (size_t)p) = s[p][1];
        }
    }
    for (; i < rows; i += LANES) {
        V4 s[4];
        for (int p = 0; p < q; p++) s[p] = fresh ? (V4){0} : *(const V4 *)(c + i + lc * (size_t)p);
        for (int j = 0; j < k; j++) {
            const V4 a0 = *(const U4 *)(a + i + la * (size_t)j);
            for (int p = 0; p < q; p++) s[p] -= a0 * f[LANES * j + p];
        }
        for (int p = 0; p < q; p++) *(V4 *)(c + i + lc * (size_t)p) = s[p];
    }
}

INLINE void product_of(int q, const bool fresh, int rows, int k, const double *a, int lda,
                       const double *f, double *c, int ldc) {
    switch (q) {
    case 1: product(1, fresh, rows, k, a, lda, f, c, ldc); break;
    case 2: product(2, fresh, rows, k, a, lda, f, c, ldc); break;
    case 3: product(3, fresh, rows, k, a, lda, f, c, ldc); break;
    default: product(4, fresh, rows, k, a, lda, f, c, ldc); break;
    }
}

// f = four rows of a panel from `row` on, times D^-1
INLINE void pack(int k, const double *restrict panel, int ld, int row,
                 const double *restrict inverse, double *restrict f) {
    for (int j = 0; j < k; j++) {
        const U4 v = *(const U4 *)(panel + row + (size_t)ld * (size_t)j);
        *(U4 *)(f + LANES * j) = v * inverse[j];
    }
}

// ---- one supernode

INLINE double take_pivot(CdiNativeFactor *f, int step, double pivot) {
    CdiPivots *all = &f->pivots;
    const double ratio = fabs(pivot * f->scale[step]);
    if (!(ratio >= f->zero)) {
        pivot = CDI_NATIVE_REPLACED / f->scale[step];
        all->replaced++;
    } else if (ratio < all->least) {
        all->least = ratio;
        all->least_step = step;
    }
    if (ratio > all->most) all->most = ratio;
    return f->inverse[step] = 1 / pivot;
}

// four rows of q columns of a panel, and factors of its columns: a[c][k] of column c in column k;
// nobody looks at what is above the diagonal
typedef struct Corner {
    V4 v[LANES];
    double a[LANES][LANES];
} Corner;

INLINE void load_corner(const int q, const double *restrict p, size_t ld, Corner *c) {
    for (int k = 0; k < q; k++) c->v[k] = *(const V4 *)(p + ld * (size_t)k);
}

INLINE void store_corner(const int q, const Corner *c, size_t ld, double *restrict p) {
    for (int k = 0; k < q; k++) *(V4 *)(p + ld * (size_t)k) = c->v[k];
}

// column c is finished: take it from those behind it
INLINE void eliminate_column(const int q, const int c, const V4 *factors, double inverse,
                             Corner *corner) {
    for (int k = c + 1; k < q; k++) {
        const double a = corner->a[c][k] = (*factors)[k] * inverse;
        corner->v[k] -= a * corner->v[c];
    }
}

// the same for the rows further down
INLINE void eliminate_below(const int q, int rows, const Corner *corner, size_t ld,
                            double *restrict p) {
    for (int i = LANES; i < rows; i += LANES) {
        V4 v[LANES];
        for (int k = 0; k < q; k++) {
            v[k] = *(const V4 *)(p + (size_t)i + ld * (size_t)k);
            for (int c = 0; c < k; c++) v[k] -= corner->a[c][k] * v[c];
            *(V4 *)(p + (size_t)i + ld * (size_t)k) = v[k];
        }
    }
}

// eliminate columns j ... j + q - 1 among themselves
INLINE void eliminate(const int q, const bool symmetric, const CdiSupernode *s, CdiNativeFactor *f,
                      double *p, double *u, int j) {
    const size_t ld = (size_t)s->ld;
    Corner lower, upper;
    load_corner(q, p, ld, &lower);
    if (!symmetric) load_corner(q, u, ld, &upper);
    for (int c = 0; c < q; c++) {
        const double inverse = take_pivot(f, s->first + j + c, lower.v[c][c]);
        const V4 column = lower.v[c];
        eliminate_column(q, c, symmetric ? &column : &upper.v[c], inverse, &lower);
        if (!symmetric) eliminate_column(q, c, &column, inverse, &upper);
    }
    store_corner(q, &lower, ld, p);
    eliminate_below(q, s->ld - j, &lower, ld, p);
    if (!symmetric) {
        store_corner(q, &upper, ld, u);
        eliminate_below(q, s->ld - j, &upper, ld, u);
    }
}

INLINE void eliminate_of(int q, const bool symmetric, const CdiSupernode *s, CdiNativeFactor *f,
                         double *p, double *u, int j) {
    const size_t at = (size_t)j + (size_t)s->ld * (size_t)j;
    switch (q) {
    case 1: eliminate(1, symmetric, s, f, p + at, u + at, j); break;
    case 2: eliminate(2, symmetric, s, f, p + at, u + at, j); break;
    case 3: eliminate(3, symmetric, s, f, p + at, u + at, j); break;
    default: eliminate(4, symmetric, s, f, p + at, u + at, j); break;
    }
}

INLINE void factor_panel(const bool symmetric, const CdiSupernode *s, CdiNativeFactor *f, double *p,
                         double *u) {
    double *restrict coef = f->work;
    const double *inverse = f->inverse + s->first;
    for (int j = 0; j < s->ncols; j += LANES) {
        const int q = s->ncols - j < LANES ? s->ncols - j : LANES;
        const size_t at = (size_t)j + (size_t)s->ld * (size_t)j;
        if (j > 0) {
            pack(j, u, s->ld, j, inverse, coef);
            if (!symmetric) pack(j, p, s->ld, j, inverse, coef + 4 * (size_t)s->ld);
            product_of(q, false, s->ld - j, j, p + j, s->ld, coef, p + at, s->ld);
            if (!symmetric) {
                product_of(q, false, s->ld - j, j, u + j, s->ld, coef + 4 * (size_t)s->ld, u + at,
                           s->ld);
            }
        }
        eliminate_of(q, symmetric, s, f, p, u, j);
    }
}

// ---- inverses

// columns of a block from column j on, of those before `end`
INLINE int block_of(int j, int end) {
    return end - j < CDI_NATIVE_BLOCK ? end - j : CDI_NATIVE_BLOCK;
}

// the first n lanes of v, and of others behind them
INLINE void keep_lanes(int n, const V4 *others, V4 *v) {
    const I4 lane = {0, 1, 2, 3}, mine = lane < n;
    *v = (V4)(((I4)*v & mine) | ((I4)*others & ~mine));
}

// sum -= columns m ... end - 1 of a triangle times a, vectors from `from` on
INLINE void subtract_columns(const int from, const int groups, int m, int end,
                             const double *restrict p, size_t ld, const double *restrict a,
                             double scale, V4 *restrict sum) {
    for (p += ld * (size_t)m; m < end; m++, p += ld) {
        const double times = a[m] * scale;
        for (int i = from; i < groups; i++) sum[i] -= *(const U4 *)(p + LANES * i) * times;
    }
}

// column j of a triangle of L D becomes that of L^-1; those behind it are so already
INLINE void invert_column(const int from, const int groups, int q, int j, double *restrict p,
                          size_t ld, double inverse) {
    double *restrict column = p + ld * (size_t)j;
    V4 sum[BLOCKS] = {0};
    for (int b = from; b < groups; b++) {
        const int begin = b == from ? j + 1 : LANES * b, end = b + 1 < groups ? LANES * (b + 1) : q;
        if (b == 0) subtract_columns(0, groups, begin, end, p, ld, column, inverse, sum);
        if (b == 1) subtract_columns(1, groups, begin, end, p, ld, column, inverse, sum);
        if (b == 2) subtract_columns(2, groups, begin, end, p, ld, column, inverse, sum);
    }
    const V4 others = *(const U4 *)(column + LANES * (groups - 1));
    keep_lanes(q - LANES * (groups - 1), &others, &sum[groups - 1]);
    for (int i = 0; i < groups; i++) *(U4 *)(column + LANES * i) = sum[i];
    column[j] = 1;
}

// the triangle at p of q columns of L D becomes L^-1, ones and zeros included; what shares vectors
// with its last rows stays
INLINE void invert(const int groups, int q, double *restrict p, size_t ld,
                   const double *restrict inverse) {
    int j = q - 1;
    for (; j >= 2 * LANES && groups > 2; j--) invert_column(2, groups, q, j, p, ld, inverse[j]);
    for (; j >= LANES && groups > 1; j--) invert_column(1, groups, q, j, p, ld, inverse[j]);
    for (; j >= 0; j--) invert_column(0, groups, q, j, p, ld, inverse[j]);
}

INLINE void invert_block(int q, double *p, size_t ld, const double *inverse) {
    switch ((q - 1) / LANES) {
    case 0: invert(1, q, p, ld, inverse); break;
    case 1: invert(2, q, p, ld, inverse); break;
    default: invert(BLOCKS, q, p, ld, inverse); break;
    }
}

INLINE void invert_all(const CdiSupernode *s, const CdiNativeFactor *f, double *p) {
    const size_t next = (size_t)s->ld + 1;
    const double *inverse = f->inverse + s->first;
    for (int j = 0; j < s->ncols; j += CDI_NATIVE_BLOCK) {
        invert_block(block_of(j, s->ncols), p + next * (size_t)j, (size_t)s->ld, inverse + j);
    }
}

// ---- updates

// columns jj ... jj + q - 1 of the product, from the panel a and the rows of b
INLINE void update(const CdiNativePart *t, CdiNativeFactor *f, const CdiSupernode *s,
                   const CdiTarget *g, int jj, int q, const double *a, const double *b,
                   const int skip, double *panel) {
    double *coef = f->work, *w = coef + 4 * (size_t)s->ld;
    const CdiSupernode *to = &t->supernodes[g->to];
    const int row = s->ncols + jj, height = (s->nrows - jj + LANES - 1) & ~(LANES - 1);
    const int *place = t->places + g->place - g->begin, *rows = t->rows + s->rows;
    pack(s->ncols, b, s->ld, row, f->inverse + s->first, coef);
    product_of(q, true, height, s->ncols, a + row, s->ld, coef, w, height);
    for (int p = 0; p < q; p++) {
        double *restrict y = panel + (size_t)to->ld * (size_t)(rows[jj + p] - to->first);
        const double *restrict z = w + (size_t)height * (size_t)p - jj;
        for (int i = jj + p + skip; i < s->nrows; i++) y[place[i]] += z[i];
    }
}

INLINE void update_target(const bool symmetric, const CdiNativePart *t, CdiNativeFactor *f,
                          const CdiSupernode *s, const CdiTarget *g, const double *p,
                          const double *u) {
    const CdiSupernode *to = &t->supernodes[g->to];
    double *panel = f->x + to->at;
    for (int jj = g->begin; jj < g->end; jj += LANES) {
        const int q = g->end - jj < LANES ? g->end - jj : LANES;
        update(t, f, s, g, jj, q, p, u, 0, panel);
        if (!symmetric) update(t, f, s, g, jj, q, u, p, 1, panel + t->second);
    }
}

INLINE void factor_all(const CdiNativePart *t, CdiNativeFactor *f, const bool symmetric) {
    for (int k = 0; k < t->nsupernodes; k++) {
        const CdiSupernode *s = &t->supernodes[k];
        double *p = f->x + s->at, *u = symmetric ? p : p + t->second;
        factor_panel(symmetric, s, f, p, u);
        for (int g = s->target; g < s->target + s->ntargets; g++) {
            update_target(symmetric, t, f, s, &t->targets[g], p, u);
        }
        invert_all(s, f, p);
        if (!symmetric) invert_all(s, f, u);
    }
}

static void factor(const CdiNativePart *t, bool symmetric, CdiNativeFactor *f) {
    f->pivots = (CdiPivots){.least = INFINITY};
    if (symmetric) {
        factor_all(t, f, true);
    } else {
        factor_all(t, f, false);
    }
}

// ---- substitution

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

INLINE int groups_of(int n) {
    const int groups = (n + LANES - 1) / LANES;
    return groups < BLOCKS ? groups : BLOCKS;
}

// so many vectors of rows from p on of q columns, times x
INLINE void multiply(const int groups, int q, const double *restrict p, size_t ld,
                     const double *restrict x, V4 *restrict sum) {
    for (int i = 0; i < groups; i++) sum[i] = (V4){0};
    for (int k = 0; k < q; k++, p += ld) {
        for (int i = 0; i < groups; i++) sum[i] += *(const U4 *)(p + LANES * i) * x[k];
    }
}

// the same for four columns of the triangle of a block, or the last of them, and x beside it
INLINE void multiply_some(const int from, const int groups, int q, const double *restrict p,
                          size_t ld, const double *restrict x, V4 *restrict sum) {
    const double *column = p + ld * (size_t)(LANES * from);
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

INLINE void multiply_of(int groups, int q, const double *p, size_t ld, const double *x, V4 *sum) {
    switch (groups) {
    case 1: multiply(1, q, p, ld, x, sum); break;
    case 2: multiply(2, q, p, ld, x, sum); break;
    default: multiply(BLOCKS, q, p, ld, x, sum); break;
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
        multiply_of(groups_of(n), q, p + i, ld, x, sum);
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

typedef struct Shape {
    int ncols, nrows;
    size_t ld;
} Shape;

INLINE void forward_node(Shape s, const double *p, const double *inverse, const int *rows,
                         double *restrict x, double *restrict y, double *restrict z) {
    for (int j = 0; j < s.ncols; j += CDI_NATIVE_BLOCK) {
        const int q = block_of(j, s.ncols);
        const double *at = p + (s.ld + 1) * (size_t)j;
        forward_block(q, at, s.ld, inverse + j, y + j, x + j);
        forward_rest(s.ncols - j - q, q, at + q, s.ld, x + j, y + j + q);
    }
    put(s.ncols, x, y);
    for (int i = 0; i < s.nrows; i += CDI_NATIVE_BLOCK) {
        const int n = block_of(i, s.nrows);
        V4 sum[BLOCKS];
        multiply_of(groups_of(n), s.ncols, p + s.ncols + i, s.ld, x, sum);
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
    const int last = (q - 1) / LANES;
    const Rows behind = {s.ncols - j - q, x + q}, below = {s.nrows, w};
    const V4 none = {0};
    V4 v[BLOCKS], mine[BLOCKS], total;
    for (int k = 0; k < q; k += LANES) {
        sums_of(q - k, u + q + s.ld * (size_t)k, s.ld, &behind, &below, &total);
        v[k / LANES] = *(const U4 *)(y + k) - total * *(const U4 *)(inverse + k);
    }
    keep_lanes(q - LANES * last, &none, &v[last]);
    for (int k = 0; k < q; k += LANES) {
        const Rows own = {q - k, (const double *)v + k}, no_more = {0, NULL};
        sums_of(q - k, u + (s.ld + 1) * (size_t)k, s.ld, &own, &no_more, &mine[k / LANES]);
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
    double *restrict x = w + s.ld + LANES;
    gather(s.nrows, rows, z, w);
    *(U4 *)(x + s.ncols) = (U4){0};
    for (int j = (s.ncols - 1) / CDI_NATIVE_BLOCK * CDI_NATIVE_BLOCK; j >= 0;
         j -= CDI_NATIVE_BLOCK) {
        const double *at = u + (s.ld + 1) * (size_t)j;
        backward_block(s, j, block_of(j, s.ncols), at, inverse + j, w, y + j, x + j);
    }
    put(s.ncols, x, y);
}

// a body with a joint of five rows behind it, and so many rows of other bodies
#define BODY CDI_NATIVE_BODY
#define BODY_JOINT CDI_NATIVE_BODY_JOINT
#define FIXED(rows) ((Shape){BODY_JOINT, rows, (BODY_JOINT + (rows) + 3) / 4 * 4})

INLINE Shape shape_of(const CdiSupernode *s) {
    return (Shape){s->ncols, s->nrows, (size_t)s->ld};
}

static void forward(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z) {
    double *x = f->work;
    for (int k = 0; k < t->nsupernodes; k++) {
        const CdiSupernode *s = &t->supernodes[k];
        const double *p = f->x + s->at + (other ? t->second : 0), *inverse = f->inverse + s->first;
        const int *rows = t->rows + s->rows;
        double *y = z + s->first;
        switch (s->kind) {
        case CDI_NATIVE_ROOT: forward_node(FIXED(0), p, inverse, rows, x, y, z); break;
        case CDI_NATIVE_CHILD: forward_node(FIXED(BODY), p, inverse, rows, x, y, z); break;
        case CDI_NATIVE_TIED: forward_node(FIXED(2 * BODY), p, inverse, rows, x, y, z); break;
        default: forward_node(shape_of(s), p, inverse, rows, x, y, z); break;
        }
    }
}

static void backward(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z) {
    double *w = f->work;
    for (int k = t->nsupernodes - 1; k >= 0; k--) {
        const CdiSupernode *s = &t->supernodes[k];
        const double *u = f->x + s->at + (other ? t->second : 0), *inverse = f->inverse + s->first;
        const int *rows = t->rows + s->rows;
        double *y = z + s->first;
        switch (s->kind) {
        case CDI_NATIVE_ROOT: backward_node(FIXED(0), u, inverse, rows, w, y, z); break;
        case CDI_NATIVE_CHILD: backward_node(FIXED(BODY), u, inverse, rows, w, y, z); break;
        case CDI_NATIVE_TIED: backward_node(FIXED(2 * BODY), u, inverse, rows, w, y, z); break;
        default: backward_node(shape_of(s), u, inverse, rows, w, y, z); break;
        }
    }
}

// eight columns of a panel, or the elements of one
static size_t work(const CdiNativePart *t) {
    return 8 * (size_t)t->widest + 2 * LANES;
}

extern const CdiNativeOps CD_ISA_NAME(cdi_native_ops);
const CdiNativeOps CD_ISA_NAME(cdi_native_ops) = {
    .factor = factor,
    .forward = forward,
    .backward = backward,
    .work = work,
};
