// native_wide.simd.c - the same steps for equal systems side by side, one instruction set at a time
//
// Every number of a panel is eight, one of each system, and vectors run over the systems: nothing
// is padded and recursions of eight systems hide each other's waiting. Products are summed in the
// order of the columns for each system on its own, so bits do not depend on the instruction set,
// nor on who else is in the unit. native_half.simd.c compiles this file once more for four.
#include <math.h>
#include <string.h>

#include "linalg/native.h"

#define INLINE static inline __attribute__((always_inline))
#ifndef WIDE
#define WIDE CDI_NATIVE_WIDE
#endif
#include "linalg/native_copy.h"

// numbers of a register
#if defined(__AVX512F__) && WIDE >= 8
#define REGISTER 8
#elif defined(__AVX2__)
#define REGISTER 4
#else
#define REGISTER 2
#endif
#define PER (WIDE / REGISTER)

typedef double V __attribute__((vector_size(8 * REGISTER), aligned(8), may_alias));
typedef long long I __attribute__((vector_size(8 * REGISTER)));

// the numbers of all systems
typedef struct W {
    V v[PER];
} W;

INLINE W load(const double *p) {
    W w;
    for (int i = 0; i < PER; i++) w.v[i] = *(const V *)(p + REGISTER * i);
    return w;
}

INLINE void store(double *p, W w) {
    for (int i = 0; i < PER; i++) *(V *)(p + REGISTER * i) = w.v[i];
}

INLINE W mul(W a, W b) {
    for (int i = 0; i < PER; i++) a.v[i] *= b.v[i];
    return a;
}

INLINE W add(W a, W b) {
    for (int i = 0; i < PER; i++) a.v[i] += b.v[i];
    return a;
}

INLINE W sub(W a, W b) {
    for (int i = 0; i < PER; i++) a.v[i] -= b.v[i];
    return a;
}

// ---- columns of panels

// where row 0 of column c is or would be
INLINE size_t column_of(size_t ld, int c) {
    return WIDE * cdi_native_column(ld, CDI_NATIVE_PAIR, (size_t)c);
}

// from the first column of a pair to the second, and to the next pair
INLINE size_t step_of(size_t ld, int c) {
    return WIDE * (ld - (size_t)c);
}

INLINE size_t pair_of(size_t ld, int c) {
    return 2 * WIDE * (ld - (size_t)c - 1);
}

// ---- products

INLINE void product(const int ni, const int nj, const double *restrict a, const double *restrict f,
                    W acc[2][2]) {
    W left[2], right[2];
    for (int i = 0; i < ni; i++) left[i] = load(a + WIDE * i);
    for (int j = 0; j < nj; j++) right[j] = load(f + WIDE * j);
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++) acc[i][j] = sub(acc[i][j], mul(left[i], right[j]));
    }
}

// acc[i][j] -= sum over k columns: rows a, a + 1 of a panel, and the packed factors of two columns
INLINE void products(const int ni, const int nj, int k, const double *restrict a, size_t ld,
                     const double *restrict f, W acc[2][2]) {
    int c = 0;
    for (; c + 2 <= k; a += pair_of(ld, c), c += 2, f += 4 * WIDE) {
        product(ni, nj, a, f, acc);
        product(ni, nj, a + step_of(ld, c), f + 2 * WIDE, acc);
    }
    if (c < k) product(ni, nj, a, f, acc);
}

// two rows of the first k columns of a panel from `row` on, times D^-1
INLINE void pack(const int nj, int k, const double *restrict panel, size_t ld, int row,
                 const double *restrict inverse, double *restrict f) {
    panel += WIDE * (size_t)row;
    for (int c = 0; c < k; panel += pair_of(ld, c), c += 2, f += 4 * WIDE) {
        for (int i = 0; i < 2 && c + i < k; i++) {
            const W d = load(inverse + WIDE * (size_t)(c + i));
            const double *restrict a = panel + step_of(ld, c) * (size_t)i;
            for (int j = 0; j < nj; j++) store(f + WIDE * (2 * i + j), mul(load(a + WIDE * j), d));
        }
    }
}

// ---- one supernode

typedef struct Watch {
    W least, most;
    I replaced[PER], step[PER];
} Watch;

INLINE V select(I mask, V yes, V no) {
    return (V)(((I)yes & mask) | ((I)no & ~mask));
}

INLINE W take_pivot(const CdiNativeFactor *f, Watch *w, int column, W pivot) {
    const size_t at = WIDE * (size_t)column;
    const W scale = load(f->scale + at);
    W inverse;
    for (int i = 0; i < PER; i++) {
        const V sized = pivot.v[i] * scale.v[i], ratio = select(sized < 0, -sized, sized);
        const I good = ratio >= f->zero, less = good & (ratio < w->least.v[i]);
        w->replaced[i] -= ~good;
        w->least.v[i] = select(less, ratio, w->least.v[i]);
        w->step[i] = (less & column) | (~less & w->step[i]);
        w->most.v[i] = select(ratio > w->most.v[i], ratio, w->most.v[i]);
        inverse.v[i] = 1 / select(good, pivot.v[i], CDI_NATIVE_REPLACED / scale.v[i]);
    }
    store(f->inverse + at, inverse);
    return inverse;
}

// columns j ... j + q - 1 less those before, rows from j on; f: packed factors of all before
INLINE void reduce(const int q, int j, int height, double *restrict p, size_t ld,
                   const double *restrict f) {
    double *restrict y = p + column_of(ld, j);
    const size_t next = step_of(ld, j);
    int i = j;
    for (; i + 2 <= height; i += 2) {
        W acc[2][2];
        for (int c = 0; c < q; c++) {
            for (int r = 0; r < 2; r++)
                acc[r][c] = load(y + WIDE * (size_t)(i + r) + next * (size_t)c);
        }
        products(2, q, j, p + WIDE * (size_t)i, ld, f, acc);
        for (int c = 0; c < q; c++) {
            for (int r = 0; r < 2; r++)
                store(y + WIDE * (size_t)(i + r) + next * (size_t)c, acc[r][c]);
        }
    }
    if (i == height) return;
    W acc[2][2];
    for (int c = 0; c < q; c++) acc[0][c] = load(y + WIDE * (size_t)i + next * (size_t)c);
    products(1, q, j, p + WIDE * (size_t)i, ld, f, acc);
    for (int c = 0; c < q; c++) store(y + WIDE * (size_t)i + next * (size_t)c, acc[0][c]);
}

// column j + 1, which is so far behind, less a times column j, rows below j
INLINE void reduce_second(W a, int height, double *restrict column, size_t behind) {
    double *restrict next = column + behind;
    for (int i = 1; i < height; i++) {
        const size_t at = WIDE * (size_t)i;
        store(next + at, sub(load(next + at), mul(a, load(column + at))));
    }
}

INLINE void factor_panel(const bool symmetric, const CdiSupernode *s, CdiNativeFactor *f, Watch *w,
                         double *p, double *u) {
    const size_t ld = (size_t)s->ld;
    const double *inverse = f->inverse + WIDE * (size_t)s->first;
    double *down = f->work, *across = down + 2 * WIDE * ld;
    for (int j = 0; j < s->ncols; j += 2) {
        const int q = s->ncols - j < 2 ? 1 : 2;
        const size_t at = column_of(ld, j) + WIDE * (size_t)j, behind = step_of(ld, j);
        if (j > 0 && q == 2) {
            pack(2, j, u, ld, j, inverse, down);
            if (!symmetric) pack(2, j, p, ld, j, inverse, across);
            reduce(2, j, s->ld, p, ld, down);
            if (!symmetric) reduce(2, j, s->ld, u, ld, across);
        } else if (j > 0) {
            pack(1, j, u, ld, j, inverse, down);
            if (!symmetric) pack(1, j, p, ld, j, inverse, across);
            reduce(1, j, s->ld, p, ld, down);
            if (!symmetric) reduce(1, j, s->ld, u, ld, across);
        }
        const W first = take_pivot(f, w, s->first + j, load(p + at));
        if (q == 1) return;
        const W a = mul(load(u + at + WIDE), first), b = mul(load(p + at + WIDE), first);
        reduce_second(a, s->ld - j, p + at, behind);
        if (!symmetric) reduce_second(b, s->ld - j, u + at, behind);
        take_pivot(f, w, s->first + j + 1, load(p + at + behind + WIDE));
    }
}

// ---- updates

// rows below from i on of columns y of a target, less products
INLINE void update_rows(const int ni, const int q, const CdiSupernode *s, int i, const double *a,
                        const double *coef, const int *place, double *const y[2]) {
    W acc[2][2];
    for (int r = 0; r < ni; r++) {
        for (int c = 0; c < q; c++) acc[r][c] = load(y[c] + WIDE * (size_t)place[i + r]);
    }
    products(ni, q, s->ncols, a + WIDE * (size_t)(s->ncols + i), (size_t)s->ld, coef, acc);
    for (int r = 0; r < ni; r++) {
        for (int c = 0; c < q; c++) store(y[c] + WIDE * (size_t)place[i + r], acc[r][c]);
    }
}

INLINE void update(const int q, const CdiNativePart *t, CdiNativeFactor *f, const CdiSupernode *s,
                   const CdiTarget *g, int jj, const double *a, const double *b, double *panel) {
    const CdiSupernode *to = &t->supernodes[g->to];
    const int *place = t->places + g->place - g->begin, *rows = t->rows + s->rows;
    double *y[2];
    for (int c = 0; c < q; c++) {
        y[c] = panel + column_of((size_t)to->ld, rows[jj + c] - to->first);
    }
    pack(q, s->ncols, b, (size_t)s->ld, s->ncols + jj, f->inverse + WIDE * (size_t)s->first,
         f->work);
    // the pair of the second column may begin below the first row
    int i = jj;
    if (q == 2 && place[jj] < (place[jj + 1] & ~1)) {
        update_rows(1, 1, s, i++, a, f->work, place, y);
    }
    for (; i + 2 <= s->nrows; i += 2) update_rows(2, q, s, i, a, f->work, place, y);
    if (i < s->nrows) update_rows(1, q, s, i, a, f->work, place, y);
}

INLINE void update_target(const bool symmetric, const CdiNativePart *t, CdiNativeFactor *f,
                          const CdiSupernode *s, const CdiTarget *g, const double *p,
                          const double *u) {
    const CdiSupernode *to = &t->supernodes[g->to];
    double *panel = f->x + WIDE * (size_t)to->at;
    double *other = panel + WIDE * (size_t)to->second;
    int jj = g->begin;
    for (; jj + 2 <= g->end; jj += 2) {
        update(2, t, f, s, g, jj, p, u, panel);
        if (!symmetric) update(2, t, f, s, g, jj, u, p, other);
    }
    if (jj == g->end) return;
    update(1, t, f, s, g, jj, p, u, panel);
    if (!symmetric) update(1, t, f, s, g, jj, u, p, other);
}

// ---- single columns

// x less a product
INLINE void take_from(double *x, W a, W b) {
    store(x, sub(load(x), mul(a, b)));
}

// r numbers each in p and u below the pivot
INLINE void factor_column(const int r, const bool symmetric, W inverse, const double *p,
                          const double *u, const int *restrict to, double *x, size_t second) {
    for (size_t j = 0; j < (size_t)r; j++) {
        const W left = load(p + WIDE * j), down = mul(load(u + WIDE * j), inverse);
        const W across = mul(left, inverse);
        take_from(x + WIDE * (size_t)*to++, left, down);
        for (size_t i = j + 1; i < (size_t)r; i++) {
            double *y = x + WIDE * (size_t)*to++;
            take_from(y, load(p + WIDE * i), down);
            if (!symmetric) take_from(y + second, load(u + WIDE * i), across);
        }
    }
}

INLINE void factor_single(const bool symmetric, const CdiNativePart *t, const CdiSupernode *s,
                          CdiNativeFactor *f, Watch *w, const double *p, const double *u) {
    const W inverse = take_pivot(f, w, s->first, load(p));
    const int *to = t->places + s->target;
    const size_t second = WIDE * (size_t)t->second;
    p += WIDE, u += WIDE;
    switch (s->nrows) {
    case 1: factor_column(1, symmetric, inverse, p, u, to, f->x, second); break;
    case 2: factor_column(2, symmetric, inverse, p, u, to, f->x, second); break;
    case 3: factor_column(3, symmetric, inverse, p, u, to, f->x, second); break;
    default: factor_column(s->nrows, symmetric, inverse, p, u, to, f->x, second); break;
    }
}

INLINE void factor_all(const CdiNativePart *t, CdiNativeFactor *f, Watch *w, const bool symmetric) {
    for (int k = 0; k < t->nsupernodes; k++) {
        const CdiSupernode *s = &t->supernodes[k];
        double *p = f->x + WIDE * (size_t)s->at;
        double *u = symmetric ? p : p + WIDE * (size_t)s->second;
        if (s->kind == CDI_NATIVE_SINGLE) {
            factor_single(symmetric, t, s, f, w, p, u);
            continue;
        }
        factor_panel(symmetric, s, f, w, p, u);
        for (int g = s->target; g < s->target + s->ntargets; g++) {
            update_target(symmetric, t, f, s, &t->targets[g], p, u);
        }
    }
}

// of the systems that count
static void sum_up(const Watch *w, CdiNativeFactor *f) {
    for (int k = 0; k < f->count; k++) {
        const int i = k / REGISTER, lane = k % REGISTER;
        f->pivots.replaced += (int)w->replaced[i][lane];
        f->pivots.most = fmax(f->pivots.most, w->most.v[i][lane]);
        if (w->least.v[i][lane] >= f->pivots.least) continue;
        f->pivots.least = w->least.v[i][lane];
        f->pivots.least_step = WIDE * (int)w->step[i][lane] + k;
    }
}

static void factor(const CdiNativePart *t, bool symmetric, CdiNativeFactor *f) {
    Watch w;
    memset(&w, 0, sizeof w);
    for (int i = 0; i < PER; i++) w.least.v[i] += INFINITY;
    f->pivots = (CdiPivots){.least = INFINITY};
    if (symmetric) {
        factor_all(t, f, &w, true);
    } else {
        factor_all(t, f, &w, false);
    }
    sum_up(&w, f);
}

// ---- scales

INLINE W size_of(W a) {
    for (int i = 0; i < PER; i++) a.v[i] = select(a.v[i] < 0, -a.v[i], a.v[i]);
    return a;
}

// 1 / a, 1 for zeros
INLINE W invert(W a) {
    for (int i = 0; i < PER; i++) a.v[i] = 1 / select(a.v[i] == 0, a.v[i] + 1, a.v[i]);
    return a;
}

// what every pivot should be about: its diagonal, or what the strongest neighbour makes of it
static void scale(const CdiNativePart *t, const CdiNativeFactor *f) {
    for (int k = 0; k < t->nsupernodes; k++) {
        const CdiSupernode *s = &t->supernodes[k];
        const double *diagonal = f->x + WIDE * (size_t)s->at;
        for (int c = 0; c < s->ncols; c++) {
            const size_t at = WIDE * (size_t)(s->first + c);
            const W inverse = invert(load(diagonal));
            store(f->scale + at, t->npairs > 0 ? load(diagonal) : inverse);
            store(f->inverse + at, inverse);
            diagonal += step_of((size_t)s->ld, c) + (c % 2 == 0 ? WIDE : 0);
        }
    }
    if (t->npairs == 0) return;
    for (int k = 0; k < t->npairs; k++) {
        const CdiNativePair *p = &t->pairs[k];
        double *mine = f->scale + WIDE * (size_t)p->column;
        const W product =
            mul(load(f->x + WIDE * (size_t)p->down), load(f->x + WIDE * (size_t)p->up));
        const W made = mul(product, load(f->inverse + WIDE * (size_t)p->other));
        const W now = load(mine), size = size_of(made), before = size_of(now);
        W larger;
        for (int i = 0; i < PER; i++) {
            larger.v[i] = select(size.v[i] > before.v[i], -made.v[i], now.v[i]);
        }
        store(mine, larger);
    }
    for (size_t c = 0; c < (size_t)t->n; c++) {
        store(f->scale + WIDE * c, invert(load(f->scale + WIDE * c)));
    }
}

// ---- substitution

INLINE const double *panel_of(const CdiNativeFactor *f, const CdiSupernode *s, bool other) {
    return f->x + WIDE * cdi_native_panel(s, other);
}

// Where caches do not hold panels, every line that is read asks for the one so far on: panels of a
// unit follow each other, up or down, so that all are asked for. At their end it is the next unit's
// turn
typedef struct Ahead {
    bool far, down;
    const double *turn;
    ptrdiff_t by, then;
} Ahead;

// of a substitution from one supernode to another
INLINE Ahead look_ahead(const bool far, const CdiNativePart *t, const CdiNativeFactor *f, int from,
                        int to, bool other) {
    if (!far) return (Ahead){.far = false};
    const CdiSupernode *first = &t->supernodes[from], *last = &t->supernodes[to];
    const double *a = panel_of(f, first, other), *b = panel_of(f, last, other);
    const bool down = b < a;
    const double *begin = down ? b : a;
    const double *end =
        down ? a + WIDE * cdi_native_size(t, first) : b + WIDE * cdi_native_size(t, last);
    const ptrdiff_t all = end - begin, by = all < CDI_NATIVE_AHEAD ? all : CDI_NATIVE_AHEAD;
    // the first panel of the next unit is taken to be as large as that of this one
    if (down) return (Ahead){true, true, begin + by, -by, f->next + (end - a) - begin - by};
    return (Ahead){true, false, end - by, by, f->next - end + by};
}

// a supernode at work, and what its columns ask for
typedef struct Node {
    const CdiSupernode *s;
    const Ahead *ahead;
    ptrdiff_t by;
} Node;

INLINE void set_ahead(Node *n, const double *column) {
    const Ahead *a = n->ahead;
    if (a->far) n->by = (a->down ? column >= a->turn : column < a->turn) ? a->by : a->then;
}

// a line of each of q columns
INLINE void ask_for(const int q, const Node *n, const double *a, size_t behind) {
    if (!n->ahead->far) return;
    for (int c = 0; c < q; c++) CDI_NATIVE_ASK(a + n->by + behind * (size_t)c);
}

// y less q columns, one row of each
INLINE void forward_row(const int q, const double *restrict a, size_t behind, const W x[2],
                        double *restrict y) {
    W sum = load(y);
    for (int c = 0; c < q; c++) sum = sub(sum, mul(load(a + behind * (size_t)c), x[c]));
    store(y, sum);
}

// columns c ... c + q - 1, down the panel as it lies in memory
INLINE void forward_columns(const int q, const Node *n, int c, const int *rows,
                            const double *column, const double *inverse, double *z) {
    const CdiSupernode *s = n->s;
    const size_t behind = step_of((size_t)s->ld, c);
    double *y = z + WIDE * (size_t)s->first;
    W x[2];
    for (int j = 0; j < q; j++) {
        W sum = load(y + WIDE * (size_t)(c + j));
        ask_for(q, n, column + WIDE * (size_t)(c + j), behind);
        if (j > 0) sum = sub(sum, mul(load(column + WIDE * (size_t)(c + j)), x[0]));
        x[j] = mul(sum, load(inverse + WIDE * (size_t)(c + j)));
        store(y + WIDE * (size_t)(c + j), x[j]);
    }
    for (int i = c + q; i < s->ncols; i++) {
        ask_for(q, n, column + WIDE * (size_t)i, behind);
        forward_row(q, column + WIDE * (size_t)i, behind, x, y + WIDE * (size_t)i);
    }
    const double *below = column + WIDE * (size_t)s->ncols;
    for (int i = 0; i < s->nrows; i++) {
        ask_for(q, n, below + WIDE * (size_t)i, behind);
        forward_row(q, below + WIDE * (size_t)i, behind, x, z + WIDE * (size_t)rows[i]);
    }
}

// sums over the rows below of two columns
INLINE void backward_rows(const int q, const Node *n, const int *rows, const double *restrict u,
                          size_t behind, const double *restrict z, W sum[2]) {
    const CdiSupernode *s = n->s;
    for (int i = 0; i < s->nrows; i++) {
        const W known = load(z + WIDE * (size_t)rows[i]);
        const double *a = u + WIDE * (size_t)(s->ncols + i);
        ask_for(q, n, a, behind);
        for (int c = 0; c < q; c++) sum[c] = add(sum[c], mul(load(a + behind * (size_t)c), known));
    }
}

// columns c ... c + q - 1
INLINE void backward_columns(const int q, const Node *n, int c, const int *rows,
                             const double *column, const double *inverse, double *z) {
    const CdiSupernode *s = n->s;
    const size_t behind = step_of((size_t)s->ld, c);
    double *x = z + WIDE * (size_t)s->first;
    W sum[2];
    memset(sum, 0, sizeof sum);
    backward_rows(q, n, rows, column, behind, z, sum);
    for (int k = s->ncols - 1; k >= c + q; k--) {
        const W known = load(x + WIDE * (size_t)k);
        ask_for(q, n, column + WIDE * (size_t)k, behind);
        for (int j = 0; j < q; j++) {
            sum[j] = add(sum[j], mul(load(column + WIDE * (size_t)k + behind * (size_t)j), known));
        }
    }
    for (int j = q - 1; j >= 0; j--) {
        double *mine = x + WIDE * (size_t)(c + j);
        const W now = sub(load(mine), mul(sum[j], load(inverse + WIDE * (size_t)(c + j))));
        store(mine, now);
        ask_for(q, n, column + WIDE * (size_t)(c + j), behind);
        if (j > 0) sum[0] = add(sum[0], mul(load(column + WIDE * (size_t)(c + j)), now));
    }
}

// numbers of a single column, or where they end, and of those that follow or come before
typedef struct Single {
    const double *p, *inverse;
    const int *rows;
    double *y;
} Single;

INLINE Single single_of(const CdiNativePart *t, const CdiNativeFactor *f, int k, bool other,
                        double *z) {
    const CdiSupernode *s = &t->supernodes[k];
    const size_t column = WIDE * (size_t)s->first;
    return (Single){panel_of(f, s, other), f->inverse + column, t->rows + s->rows, z + column};
}

INLINE Single end_of(const CdiNativePart *t, const CdiNativeFactor *f, int k, bool other,
                     double *z) {
    const int nrows = t->supernodes[k].nrows;
    Single c = single_of(t, f, k, other, z);
    c.p += WIDE * (size_t)(1 + nrows);
    c.rows += nrows;
    return c;
}

INLINE void forward_single(int nrows, Single *c, double *z) {
    const W x = mul(load(c->y), load(c->inverse));
    store(c->y, x);
    c->p += WIDE;
    for (int i = nrows; i > 0; i--, c->p += WIDE) {
        double *to = z + WIDE * (size_t)*c->rows++;
        store(to, sub(load(to), mul(load(c->p), x)));
    }
    c->y += WIDE;
    c->inverse += WIDE;
}

INLINE void backward_single(int nrows, Single *c, double *z) {
    W sum;
    memset(&sum, 0, sizeof sum);
    for (int i = nrows; i > 0; i--) {
        c->p -= WIDE;
        sum = add(sum, mul(load(c->p), load(z + WIDE * (size_t) * --c->rows)));
    }
    c->p -= WIDE;
    store(c->y, sub(load(c->y), mul(sum, load(c->inverse))));
    c->y -= WIDE;
    c->inverse -= WIDE;
}

// the two chains of a part side by side: none has to wait for what it has just written
INLINE void forward_chains(const CdiNativePart *t, const CdiNativeFactor *f, bool other,
                           double *z) {
    const int a = t->chain[0], b = t->chain[1];
    const CdiSupernode *first = t->supernodes, *second = first + a;
    Single x = single_of(t, f, 0, other, z), y = single_of(t, f, a, other, z);
    int k = 0;
    for (; k < a && k < b; k++) {
        forward_single(first[k].nrows, &x, z);
        forward_single(second[k].nrows, &y, z);
    }
    for (int i = k; i < a; i++) forward_single(first[i].nrows, &x, z);
    for (int i = k; i < b; i++) forward_single(second[i].nrows, &y, z);
}

INLINE void backward_chains(const CdiNativePart *t, const CdiNativeFactor *f, bool other,
                            double *z) {
    const int a = t->chain[0], b = t->chain[1], both = a < b ? a : b;
    const CdiSupernode *first = t->supernodes, *second = first + a;
    Single x = end_of(t, f, a - 1, other, z), y = end_of(t, f, a + b - 1, other, z);
    for (int i = a - 1; i >= both; i--) backward_single(first[i].nrows, &x, z);
    for (int i = b - 1; i >= both; i--) backward_single(second[i].nrows, &y, z);
    for (int k = both - 1; k >= 0; k--) {
        backward_single(first[k].nrows, &x, z);
        backward_single(second[k].nrows, &y, z);
    }
}

// a chain at work whose columns have the next one below them and no other row, or one beside it
// which all of them have: numbers of both stay in registers
typedef struct Straight {
    const double *p, *inverse;
    double *y;
    W next, beside;
} Straight;

INLINE Straight straight_of(const bool has_beside, Single c, const double *next,
                            const double *beside) {
    Straight s = {.p = c.p, .inverse = c.inverse, .y = c.y, .next = load(next)};
    if (has_beside) s.beside = load(beside);
    return s;
}

// where the rows beside the two chains are
typedef struct Beside {
    double *a, *b;
} Beside;

INLINE Beside beside_of(const bool has_beside, const CdiNativePart *t, double *z) {
    if (!has_beside) return (Beside){NULL, NULL};
    return (Beside){z + WIDE * (size_t)t->beside[0], z + WIDE * (size_t)t->beside[1]};
}

// a column; what it has for the one that it leads to
INLINE W forward_link(const bool has_beside, Straight *s) {
    const W x = mul(s->next, load(s->inverse)), down = mul(load(s->p + WIDE), x);
    store(s->y, x);
    if (has_beside) s->beside = sub(s->beside, mul(load(s->p + 2 * WIDE), x));
    s->p += (has_beside ? 3 : 2) * WIDE;
    s->inverse += WIDE;
    s->y += WIDE;
    return down;
}

INLINE void go_forward(const bool has_beside, Straight *s) {
    const W down = forward_link(has_beside, s);
    s->next = sub(load(s->y), down);
}

INLINE void end_forward(const bool has_beside, Straight *s, double *end, double *beside) {
    const W down = forward_link(has_beside, s);
    store(end, sub(load(end), down));
    if (has_beside) store(beside, s->beside);
}

// as forward_chains; the shorter one is the first to reach the column behind both
INLINE void forward_straight(const bool has_beside, const CdiNativePart *t,
                             const CdiNativeFactor *f, bool other, double *z) {
    const int a = t->chain[0], b = t->chain[1], both = (a < b ? a : b) - 1;
    const Single first = single_of(t, f, 0, other, z), second = single_of(t, f, a, other, z);
    const Beside beside = beside_of(has_beside, t, z);
    Straight x = straight_of(has_beside, first, first.y, beside.a);
    Straight y = straight_of(has_beside, second, second.y, beside.b);
    double *end = z + WIDE * (size_t)(a + b);
    for (int k = 0; k < both; k++) {
        go_forward(has_beside, &x);
        go_forward(has_beside, &y);
    }
    for (int k = both; k < a - 1; k++) go_forward(has_beside, &x);
    for (int k = both; k < b - 1; k++) go_forward(has_beside, &y);
    if (a <= b) end_forward(has_beside, &x, end, beside.a);
    end_forward(has_beside, &y, end, beside.b);
    if (a > b) end_forward(has_beside, &x, end, beside.a);
}

INLINE void go_backward(const bool has_beside, Straight *s) {
    W sum;
    memset(&sum, 0, sizeof sum);
    if (has_beside) sum = add(sum, mul(load(s->p -= WIDE), s->beside));
    sum = add(sum, mul(load(s->p -= WIDE), s->next));
    s->next = sub(load(s->y), mul(sum, load(s->inverse)));
    store(s->y, s->next);
    s->p -= WIDE;
    s->inverse -= WIDE;
    s->y -= WIDE;
}

INLINE void backward_straight(const bool has_beside, const CdiNativePart *t,
                              const CdiNativeFactor *f, bool other, double *z) {
    const int a = t->chain[0], b = t->chain[1], both = a < b ? a : b;
    const double *end = z + WIDE * (size_t)(a + b);
    const Beside beside = beside_of(has_beside, t, z);
    Straight x = straight_of(has_beside, end_of(t, f, a - 1, other, z), end, beside.a);
    Straight y = straight_of(has_beside, end_of(t, f, a + b - 1, other, z), end, beside.b);
    for (int i = a - 1; i >= both; i--) go_backward(has_beside, &x);
    for (int i = b - 1; i >= both; i--) go_backward(has_beside, &y);
    for (int k = both - 1; k >= 0; k--) {
        go_backward(has_beside, &x);
        go_backward(has_beside, &y);
    }
}

// as what the chains of a part are known to be
static void forward_both(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z) {
    switch (t->straight) {
    case CDI_NATIVE_STRAIGHT: forward_straight(false, t, f, other, z); break;
    case CDI_NATIVE_BESIDE: forward_straight(true, t, f, other, z); break;
    default: forward_chains(t, f, other, z); break;
    }
}

static void backward_both(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z) {
    switch (t->straight) {
    case CDI_NATIVE_STRAIGHT: backward_straight(false, t, f, other, z); break;
    case CDI_NATIVE_BESIDE: backward_straight(true, t, f, other, z); break;
    default: backward_chains(t, f, other, z); break;
    }
}

// single columns from node k on; the node after them
INLINE int forward_singles(const CdiNativePart *t, const CdiNativeFactor *f, int k, bool other,
                           double *z) {
    const CdiSupernode *node = t->supernodes;
    Single c = single_of(t, f, k, other, z);
    for (; k < t->nsupernodes && node[k].kind == CDI_NATIVE_SINGLE; k++) {
        forward_single(node[k].nrows, &c, z);
    }
    return k;
}

// single columns up to node k, but for chains; the one before them
INLINE int backward_singles(const CdiNativePart *t, const CdiNativeFactor *f, int k, bool other,
                            double *z) {
    const CdiSupernode *node = t->supernodes;
    const int chains = t->chain[0] + t->chain[1];
    Single c = end_of(t, f, k, other, z);
    for (; k >= chains && node[k].kind == CDI_NATIVE_SINGLE; k--) {
        backward_single(node[k].nrows, &c, z);
    }
    return k;
}

INLINE void forward_all(const bool far, const CdiNativePart *t, const CdiNativeFactor *f,
                        bool other, double *z) {
    const int chains = t->chain[0] + t->chain[1];
    const Ahead ahead = look_ahead(far, t, f, 0, t->nsupernodes - 1, other);
    if (chains > 0) forward_both(t, f, other, z);
    for (int k = chains; k < t->nsupernodes;) {
        const CdiSupernode *s = &t->supernodes[k];
        const double *p = panel_of(f, s, other), *inverse = f->inverse + WIDE * (size_t)s->first;
        const int *rows = t->rows + s->rows;
        int c = 0;
        if (s->kind == CDI_NATIVE_SINGLE) {
            k = forward_singles(t, f, k, other, z);
            continue;
        }
        Node n = {.s = s, .ahead = &ahead};
        for (; c + 2 <= s->ncols; p += pair_of((size_t)s->ld, c), c += 2) {
            set_ahead(&n, p);
            forward_columns(2, &n, c, rows, p, inverse, z);
        }
        if (c < s->ncols) {
            set_ahead(&n, p);
            forward_columns(1, &n, c, rows, p, inverse, z);
        }
        k++;
    }
}

static void forward(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z) {
    if (f->next) {
        forward_all(true, t, f, other, z);
    } else {
        forward_all(false, t, f, other, z);
    }
}

INLINE void backward_all(const bool far, const CdiNativePart *t, const CdiNativeFactor *f,
                         bool other, double *z) {
    const int chains = t->chain[0] + t->chain[1];
    const Ahead ahead = look_ahead(far, t, f, t->nsupernodes - 1, 0, other);
    for (int k = t->nsupernodes - 1; k >= chains;) {
        const CdiSupernode *s = &t->supernodes[k];
        const double *u = panel_of(f, s, other), *inverse = f->inverse + WIDE * (size_t)s->first;
        const int *rows = t->rows + s->rows;
        int c = s->ncols;
        if (s->kind == CDI_NATIVE_SINGLE) {
            k = backward_singles(t, f, k, other, z);
            continue;
        }
        Node n = {.s = s, .ahead = &ahead};
        u += column_of((size_t)s->ld, c);
        if (c % 2 == 1) {
            c--;
            u -= step_of((size_t)s->ld, c);
            set_ahead(&n, u);
            backward_columns(1, &n, c, rows, u, inverse, z);
        }
        while (c > 0) {
            c -= 2;
            u -= pair_of((size_t)s->ld, c);
            set_ahead(&n, u);
            backward_columns(2, &n, c, rows, u, inverse, z);
        }
        k--;
    }
    if (chains > 0) backward_both(t, f, other, z);
}

static void backward(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z) {
    if (f->next) {
        backward_all(true, t, f, other, z);
    } else {
        backward_all(false, t, f, other, z);
    }
}

// factors of two columns, twice
static size_t work(const CdiNativePart *t) {
    return 4 * WIDE * (size_t)t->widest;
}

#ifndef TABLE
#define TABLE CD_ISA_NAME(cdi_native_wide)
#endif
extern const CdiNativeOps TABLE;
const CdiNativeOps TABLE = {
    .factor = factor,
    .scale = scale,
    .load = load_stretches,
    .store = store_stretches,
    .forward = forward,
    .backward = backward,
    .work = work,
};
