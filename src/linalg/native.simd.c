// native.simd.c - elimination and substitution by panels, compiled once for each instruction set
//
//   factor   for every supernode, four of its columns at a time:
//              panel  -=  (columns before) D^-1 (their rows of the other panel)
//              eliminate the four among themselves
//            then  panels of targets  -=  (rows below) D^-1 (rows below of the other panel)^T
//   solve    L^-1, D^-1 upwards, U^-1 downwards
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

typedef double V4 __attribute__((vector_size(32), may_alias));
typedef double U4 __attribute__((vector_size(32), aligned(8), may_alias));

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
            const V4 a0 = *(const V4 *)(a + i + la * (size_t)j);
            const V4 a1 = *(const V4 *)(a + i + LANES + la * (size_t)j);
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
            const V4 a0 = *(const V4 *)(a + i + la * (size_t)j);
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
    if (!(ratio >= CDI_NATIVE_ZERO)) {
        pivot = CDI_NATIVE_REPLACED / f->scale[step];
        all->replaced++;
    } else if (ratio < all->least) {
        all->least = ratio;
        all->least_step = step;
    }
    if (ratio > all->most) all->most = ratio;
    return f->inverse[step] = 1 / pivot;
}

// four rows of q columns of a panel, and factors of its columns: a[c][k] of column c in column k
typedef struct Corner {
    double v[LANES][LANES];
    double a[LANES][LANES];
} Corner;

INLINE void load_corner(const int q, const double *restrict p, size_t ld, Corner *c) {
    for (int k = 0; k < q; k++) {
        for (int i = 0; i < LANES; i++) c->v[k][i] = p[(size_t)i + ld * (size_t)k];
    }
}

INLINE void store_corner(const int q, const Corner *c, size_t ld, double *restrict p) {
    for (int k = 0; k < q; k++) {
        for (int i = k; i < LANES; i++) p[(size_t)i + ld * (size_t)k] = c->v[k][i];
    }
}

// column c is finished: take it from those behind it, rows on and below the diagonal
INLINE void eliminate_column(const int q, const int c, const double *factors, double inverse,
                             Corner *corner) {
    for (int k = c + 1; k < q; k++) {
        const double a = corner->a[c][k] = factors[k] * inverse;
        for (int i = k; i < LANES; i++) corner->v[k][i] -= a * corner->v[c][i];
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
        double column[LANES];
        memcpy(column, lower.v[c], sizeof column);
        eliminate_column(q, c, symmetric ? column : upper.v[c], inverse, &lower);
        if (!symmetric) eliminate_column(q, c, column, inverse, &upper);
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

// ---- updates

// columns jj ... jj + q - 1 of the product, from the panel a and the rows of b
INLINE void update(const CdiNativePart *t, CdiNativeFactor *f, const CdiSupernode *s,
                   const CdiTarget *g, int jj, int q, const double *a, const double *b,
                   const int skip, double *panel) {
    double *coef = f->work, *w = coef + 4 * (size_t)s->ld;
    const CdiSupernode *to = &t->supernodes[g->to];
    const int row = s->ncols + jj, from = row & ~(LANES - 1), height = s->ld - from;
    const int *place = t->places + g->place - g->begin, *rows = t->rows + s->rows;
    pack(s->ncols, b, s->ld, row, f->inverse + s->first, coef);
    product_of(q, true, height, s->ncols, a + from, s->ld, coef, w, height);
    for (int p = 0; p < q; p++) {
        double *restrict y = panel + (size_t)to->ld * (size_t)(rows[jj + p] - to->first);
        const double *restrict z = w + (size_t)height * (size_t)p + s->ncols - from;
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
//
// The elements of a supernode and of its rows are brought together in w, in the order of its panel.

// columns j ... j + q - 1 of L D: w_j = D^-1 w_j in them, and less that for the rows below
INLINE void forward_columns(const int q, int rows, const double *restrict p, size_t ld,
                            const double *restrict inverse, double *restrict w) {
    double x[LANES];
    for (int c = 0; c < q; c++) {
        double sum = w[c];
        for (int k = 0; k < c; k++) sum -= p[(size_t)c + ld * (size_t)k] * x[k];
        w[c] = x[c] = sum * inverse[c];
    }
    for (int i = q; i < LANES; i++) {
        for (int k = 0; k < q; k++) w[i] -= p[(size_t)i + ld * (size_t)k] * x[k];
    }
    for (int i = LANES; i < rows; i += LANES) {
        V4 v = *(const V4 *)(w + i);
        for (int k = 0; k < q; k++) v -= *(const V4 *)(p + (size_t)i + ld * (size_t)k) * x[k];
        *(V4 *)(w + i) = v;
    }
}

// columns of (D U)^T: w_j -= D^-1 (rows below) w
INLINE void backward_columns(const int q, int rows, const double *restrict u, size_t ld,
                             const double *restrict inverse, double *restrict w) {
    V4 sum[LANES];
    for (int k = 0; k < q; k++) sum[k] = (V4){0};
    for (int i = LANES; i < rows; i += LANES) {
        const V4 v = *(const V4 *)(w + i);
        for (int k = 0; k < q; k++) sum[k] += *(const V4 *)(u + (size_t)i + ld * (size_t)k) * v;
    }
    for (int c = q - 1; c >= 0; c--) {
        double total = (sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]);
        for (int i = LANES - 1; i > c; i--) total += u[(size_t)i + ld * (size_t)c] * w[i];
        w[c] -= total * inverse[c];
    }
}

INLINE void forward_node(const CdiNativePart *t, const CdiNativeFactor *f, const CdiSupernode *s,
                         const double *p, double *restrict z) {
    const size_t ld = (size_t)s->ld;
    const double *inverse = f->inverse + s->first;
    const int *rows = t->rows + s->rows;
    double *restrict w = f->work, *restrict y = z + s->first;
    for (int i = 0; i < s->ncols; i++) w[i] = y[i];
    for (int i = s->ncols; i < s->ld; i++) w[i] = 0;
    for (int j = 0; j < s->ncols; j += LANES) {
        const double *at = p + (size_t)j + ld * (size_t)j;
        switch (s->ncols - j) {
        case 1: forward_columns(1, s->ld - j, at, ld, inverse + j, w + j); break;
        case 2: forward_columns(2, s->ld - j, at, ld, inverse + j, w + j); break;
        case 3: forward_columns(3, s->ld - j, at, ld, inverse + j, w + j); break;
        default: forward_columns(4, s->ld - j, at, ld, inverse + j, w + j); break;
        }
    }
    for (int i = 0; i < s->ncols; i++) y[i] = w[i];
    for (int i = 0; i < s->nrows; i++) z[rows[i]] += w[s->ncols + i];
}

INLINE void backward_node(const CdiNativePart *t, const CdiNativeFactor *f, const CdiSupernode *s,
                          const double *u, double *restrict z) {
    const size_t ld = (size_t)s->ld;
    const double *inverse = f->inverse + s->first;
    const int *rows = t->rows + s->rows;
    double *restrict w = f->work, *restrict y = z + s->first;
    for (int i = 0; i < s->ncols; i++) w[i] = y[i];
    for (int i = 0; i < s->nrows; i++) w[s->ncols + i] = z[rows[i]];
    for (int i = s->ncols + s->nrows; i < s->ld; i++) w[i] = 0;
    for (int j = (s->ncols - 1) & ~(LANES - 1); j >= 0; j -= LANES) {
        const double *at = u + (size_t)j + ld * (size_t)j;
        switch (s->ncols - j) {
        case 1: backward_columns(1, s->ld - j, at, ld, inverse + j, w + j); break;
        case 2: backward_columns(2, s->ld - j, at, ld, inverse + j, w + j); break;
        case 3: backward_columns(3, s->ld - j, at, ld, inverse + j, w + j); break;
        default: backward_columns(4, s->ld - j, at, ld, inverse + j, w + j); break;
        }
    }
    for (int i = 0; i < s->ncols; i++) y[i] = w[i];
}

static void forward(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z) {
    const double *x = f->x + (other ? t->second : 0);
    for (int k = 0; k < t->nsupernodes; k++) {
        const CdiSupernode *s = &t->supernodes[k];
        forward_node(t, f, s, x + s->at, z);
    }
}

static void backward(const CdiNativePart *t, const CdiNativeFactor *f, bool other, double *z) {
    const double *x = f->x + (other ? t->second : 0);
    for (int k = t->nsupernodes - 1; k >= 0; k--) {
        const CdiSupernode *s = &t->supernodes[k];
        backward_node(t, f, s, x + s->at, z);
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
