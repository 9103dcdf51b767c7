// native.simd.c - elimination by panels, compiled once for each instruction set
//
//   factor   for every supernode, four of its columns at a time:
//              panel  -=  (columns before) D^-1 (their rows of the other panel)
//              eliminate the four among themselves
//            then  panels of targets  -=  (rows below) D^-1 (rows below of the other panel)^T
//            and the triangles of its blocks of up to CDI_NATIVE_BLOCK columns are inverted
//            (native_solve.simd.c)
//
// Vectors have four lanes on every instruction set, products are summed in the order of the
// columns, and nothing is contracted: the same bits everywhere.
// Ng & Peyton, SIAM J. Sci. Comput. 14 (1993) 1034; Davis, Rajamanickam & Sid-Lakhdar, Acta
// Numerica 25 (2016) 383, sec. 9.
#include <math.h>

#include "linalg/native_lanes.h"

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

// eight columns of a panel, or the elements of one; behind them the panels at work
INLINE size_t small_work(const CdiNativePart *t) {
    return 8 * (size_t)t->widest + 2 * LANES;
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
// nobody looks at what is above the diagonal, nor at a[c][k] for k <= c
typedef struct Corner {
    V4 v[LANES], a[LANES];
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
    const V4 a = corner->a[c] = *factors * inverse;
    for (int k = c + 1; k < q; k++) corner->v[k] -= a[k] * corner->v[c];
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
INLINE void eliminate(const int q, const bool symmetric, Shape s, int first, CdiNativeFactor *f,
                      double *p, double *u, int j) {
    const size_t ld = s.ld;
    Corner lower, upper;
    load_corner(q, p, ld, &lower);
    if (!symmetric) load_corner(q, u, ld, &upper);
    for (int c = 0; c < q; c++) {
        const double inverse = take_pivot(f, first + j + c, lower.v[c][c]);
        const V4 column = lower.v[c];
        eliminate_column(q, c, symmetric ? &column : &upper.v[c], inverse, &lower);
        if (!symmetric) eliminate_column(q, c, &column, inverse, &upper);
    }
    store_corner(q, &lower, ld, p);
    eliminate_below(q, (int)ld - j, &lower, ld, p);
    if (!symmetric) {
        store_corner(q, &upper, ld, u);
        eliminate_below(q, (int)ld - j, &upper, ld, u);
    }
}

INLINE void eliminate_of(int q, const bool symmetric, Shape s, int first, CdiNativeFactor *f,
                         double *p, double *u, int j) {
    const size_t at = (size_t)j + s.ld * (size_t)j;
    switch (q) {
    case 1: eliminate(1, symmetric, s, first, f, p + at, u + at, j); break;
    case 2: eliminate(2, symmetric, s, first, f, p + at, u + at, j); break;
    case 3: eliminate(3, symmetric, s, first, f, p + at, u + at, j); break;
    default: eliminate(4, symmetric, s, first, f, p + at, u + at, j); break;
    }
}

INLINE void factor_panel(const bool symmetric, Shape s, int first, CdiNativeFactor *f, double *p,
                         double *u) {
    const int ld = (int)s.ld;
    double *restrict coef = f->work, *restrict across = coef + 4 * s.ld;
    const double *inverse = f->inverse + first;
    for (int j = 0; j < s.ncols; j += LANES) {
        const int q = s.ncols - j < LANES ? s.ncols - j : LANES;
        const size_t at = (size_t)j + s.ld * (size_t)j;
        if (j > 0) {
            pack(j, u, ld, j, inverse, coef);
            if (!symmetric) pack(j, p, ld, j, inverse, across);
            product_of(q, false, ld - j, j, p + j, ld, coef, p + at, ld);
            if (!symmetric) product_of(q, false, ld - j, j, u + j, ld, across, u + at, ld);
        }
        eliminate_of(q, symmetric, s, first, f, p, u, j);
    }
}

// ---- inverses

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
    // whole vectors, which are read again at once
    const I4 lane = {0, 1, 2, 3}, mine = lane == j - LANES * from;
    const V4 one = {1, 1, 1, 1}, others = *(const U4 *)(column + LANES * (groups - 1));
    sum[from] = (V4)(((I4)sum[from] & ~mine) | ((I4)one & mine));
    keep_lanes(q - LANES * (groups - 1), &others, &sum[groups - 1]);
    for (int i = from; i < groups; i++) *(U4 *)(column + LANES * i) = sum[i];
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

INLINE void invert_all(Shape s, const double *inverse, double *p) {
    for (int j = 0; j < s.ncols; j += CDI_NATIVE_BLOCK) {
        invert_block(block_of(j, s.ncols), p + (s.ld + 1) * (size_t)j, s.ld, inverse + j);
    }
}

// ---- panels in store, and at work with vectors at the ends of columns

// so many rows of the q columns of a group
INLINE void spread_group(const int q, size_t rows, const double *restrict p, size_t room,
                         double *restrict panel) {
    for (size_t i = 0; i < rows; i += LANES) {
        for (int c = 0; c < q; c++) {
            *(V4 *)(panel + room * (size_t)c + i) = *(const U4 *)(p + rows * (size_t)c + i);
        }
    }
}

// ends of columns first: their vectors reach into the next column of the group
INLINE void put_group(const int q, size_t rows, const double *restrict panel, size_t room,
                      double *restrict p) {
    const size_t whole = rows / LANES * LANES;
    for (int c = 0; c < q && whole < rows; c++) {
        const double *from = panel + room * (size_t)c + whole;
        double *to = p + rows * (size_t)c + whole;
        if (c == q - 1) {
            put((int)(rows - whole), from, to);
        } else {
            *(U4 *)to = *(const V4 *)from;
        }
    }
    for (size_t i = 0; i < whole; i += LANES) {
        for (int c = 0; c < q; c++) {
            *(U4 *)(p + rows * (size_t)c + i) = *(const V4 *)(panel + room * (size_t)c + i);
        }
    }
}

// group by group: from the store p to work, or back
INLINE void move_panel(const bool back, Shape s, double *restrict p, double *restrict panel) {
    const size_t room = room_of(s.ld);
    for (int j = 0; j < s.ncols; j += LANES, panel += LANES * room + LANES) {
        const size_t rows = s.ld - (size_t)j;
        const int q = s.ncols - j < LANES ? s.ncols - j : LANES;
        if (q < LANES) {
            back ? put_group(q, rows, panel, room, p) : spread_group(q, rows, p, room, panel);
        } else {
            back ? put_group(LANES, rows, panel, room, p)
                 : spread_group(LANES, rows, p, room, panel);
        }
        p += LANES * rows;
    }
}

// ---- updates

// columns jj ... jj + q - 1 of the product, from the panel a and the rows of b
INLINE void update(Shape s, const CdiNativePart *t, CdiNativeFactor *f, const CdiSupernode *from,
                   const CdiTarget *g, int jj, int q, const double *a, const double *b,
                   const int skip, double *panel) {
    double *coef = f->work, *w = coef + 4 * s.ld;
    const CdiSupernode *to = &t->supernodes[g->to];
    const int row = s.ncols + jj, height = (s.nrows - jj + LANES - 1) & ~(LANES - 1);
    const int *place = t->places + g->place - g->begin, *rows = t->rows + from->rows;
    pack(s.ncols, b, (int)s.ld, row, f->inverse + from->first, coef);
    product_of(q, true, height, s.ncols, a + row, (int)s.ld, coef, w, height);
    for (int p = 0; p < q; p++) {
        double *restrict y = panel + column_of((size_t)to->ld, rows[jj + p] - to->first);
        const double *restrict z = w + (size_t)height * (size_t)p - jj;
        for (int i = jj + p + skip; i < s.nrows; i++) y[place[i]] += z[i];
    }
}

INLINE void update_target(Shape s, const bool symmetric, const CdiNativePart *t, CdiNativeFactor *f,
                          const CdiSupernode *from, const CdiTarget *g, const double *p,
                          const double *u) {
    const CdiSupernode *to = &t->supernodes[g->to];
    double *panel = f->x + to->at;
    for (int jj = g->begin; jj < g->end; jj += LANES) {
        const int q = g->end - jj < LANES ? g->end - jj : LANES;
        update(s, t, f, from, g, jj, q, p, u, 0, panel);
        if (!symmetric) update(s, t, f, from, g, jj, q, u, p, 1, panel + to->second);
    }
}

INLINE void factor_node(const bool symmetric, const CdiNativePart *t, CdiNativeFactor *f,
                        const CdiSupernode *node, double *in_p, double *in_u) {
    const Shape stored = shape_of(node), s = {stored.ncols, stored.nrows, room_of(stored.ld)};
    double *p = f->work + small_work(t), *u = symmetric ? p : p + t->largest;
    move_panel(false, stored, in_p, p);
    if (!symmetric) move_panel(false, stored, in_u, u);
    factor_panel(symmetric, s, node->first, f, p, u);
    for (int g = node->target; g < node->target + node->ntargets; g++) {
        update_target(s, symmetric, t, f, node, &t->targets[g], p, u);
    }
    invert_all(s, f->inverse + node->first, p);
    move_panel(true, stored, in_p, p);
    if (symmetric) return;
    invert_all(s, f->inverse + node->first, u);
    move_panel(true, stored, in_u, u);
}

// ---- single columns

// r numbers each in p and u below the pivot
INLINE void factor_column(const int r, const bool symmetric, double inverse, const double *p,
                          const double *u, const int *restrict to, double *x, int second) {
    for (int j = 0; j < r; j++) {
        const double down = u[j] * inverse, across = p[j] * inverse;
        x[*to++] -= down * p[j];
        for (int i = j + 1; i < r; i++, to++) {
            x[*to] -= down * p[i];
            if (!symmetric) x[*to + second] -= across * u[i];
        }
    }
}

INLINE void factor_single(const bool symmetric, const CdiNativePart *t, const CdiSupernode *s,
                          CdiNativeFactor *f, const double *p, const double *u) {
    const double inverse = take_pivot(f, s->first, p[0]);
    const int *to = t->places + s->target, second = t->second;
    switch (s->nrows) {
    case 0: break;
    case 1: factor_column(1, symmetric, inverse, p + 1, u + 1, to, f->x, second); break;
    case 2: factor_column(2, symmetric, inverse, p + 1, u + 1, to, f->x, second); break;
    case 3: factor_column(3, symmetric, inverse, p + 1, u + 1, to, f->x, second); break;
    case 4: factor_column(4, symmetric, inverse, p + 1, u + 1, to, f->x, second); break;
    default: factor_column(s->nrows, symmetric, inverse, p + 1, u + 1, to, f->x, second); break;
    }
}

INLINE void factor_all(const CdiNativePart *t, CdiNativeFactor *f, const bool symmetric) {
    int ready = 0;
    for (int k = 0; k < t->nsupernodes; k++) {
        const CdiSupernode *s = &t->supernodes[k];
        for (; ready < s->need; ready++) f->prepare(f->user, &t->chunks[ready]);
        double *p = f->x + s->at, *u = symmetric ? p : p + s->second;
        switch (s->kind) {
        case CDI_NATIVE_SINGLE: factor_single(symmetric, t, s, f, p, u); break;
        default: factor_node(symmetric, t, f, s, p, u); break;
        }
    }
    for (; ready < t->nchunks; ready++) f->prepare(f->user, &t->chunks[ready]);
}

static void factor(const CdiNativePart *t, bool symmetric, CdiNativeFactor *f) {
    f->pivots = (CdiPivots){.least = INFINITY};
    if (symmetric) {
        factor_all(t, f, true);
    } else {
        factor_all(t, f, false);
    }
}

// ---- offered

static size_t work(const CdiNativePart *t) {
    return small_work(t) + (t->second > 0 ? 2 : 1) * (size_t)t->largest;
}

extern const CdiNativeOps CD_ISA_NAME(cdi_native_ops);
const CdiNativeOps CD_ISA_NAME(cdi_native_ops) = {
    .factor = factor,
    .forward = CD_ISA_NAME(cdi_native_forward),
    .backward = CD_ISA_NAME(cdi_native_backward),
    .work = work,
};
