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

// y -= a x from row `from` on
INLINE void subtract(int from, int ld, double a, const double *restrict x, double *restrict y) {
    for (int i = from; i < ld; i += LANES) *(V4 *)(y + i) -= a * *(const V4 *)(x + i);
}

INLINE double take_pivot(CdiNativeFactor *f, int step, double pivot) {
    const double ratio = fabs(pivot * f->scale[step]);
    if (!(ratio >= CDI_NATIVE_ZERO)) {
        pivot = CDI_NATIVE_REPLACED / f->scale[step];
        f->replaced++;
    } else if (ratio < f->least) {
        f->least = ratio;
        f->least_step = step;
    }
    if (ratio > f->most) f->most = ratio;
    return f->inverse[step] = 1 / pivot;
}

// eliminate columns j ... j + q - 1 among themselves
INLINE void eliminate(const CdiSupernode *s, CdiNativeFactor *f, double *p, double *u, int j,
                      int q) {
    const size_t ld = (size_t)s->ld;
    for (int c = j; c < j + q; c++) {
        double *pc = p + ld * (size_t)c, *uc = u + ld * (size_t)c;
        const double inverse = take_pivot(f, s->first + c, pc[c]);
        for (int k = c + 1; k < j + q; k++) {
            const double a = uc[k] * inverse, b = pc[k] * inverse;
            subtract(j, s->ld, a, pc, p + ld * (size_t)k);
            if (u != p) subtract(j, s->ld, b, uc, u + ld * (size_t)k);
        }
    }
}

INLINE void factor_panel(const CdiSupernode *s, CdiNativeFactor *f, double *p, double *u) {
    double *restrict coef = f->work;
    const double *inverse = f->inverse + s->first;
    for (int j = 0; j < s->ncols; j += LANES) {
        const int q = s->ncols - j < LANES ? s->ncols - j : LANES;
        const size_t at = (size_t)j + (size_t)s->ld * (size_t)j;
        if (j > 0) {
            pack(j, u, s->ld, j, inverse, coef);
            if (u != p) pack(j, p, s->ld, j, inverse, coef + 4 * (size_t)s->ld);
            product_of(q, false, s->ld - j, j, p + j, s->ld, coef, p + at, s->ld);
            if (u != p) {
                product_of(q, false, s->ld - j, j, u + j, s->ld, coef + 4 * (size_t)s->ld, u + at,
                           s->ld);
            }
        }
        eliminate(s, f, p, u, j, q);
    }
}

// ---- updates

// columns jj ... jj + q - 1 of the product, from the panel a and the rows of b
INLINE void update(const CdiNativeTree *t, CdiNativeFactor *f, const CdiSupernode *s,
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

INLINE void update_target(const CdiNativeTree *t, CdiNativeFactor *f, const CdiSupernode *s,
                          const CdiTarget *g, const double *p, const double *u) {
    const CdiSupernode *to = &t->supernodes[g->to];
    double *panel = f->x + to->at;
    for (int jj = g->begin; jj < g->end; jj += LANES) {
        const int q = g->end - jj < LANES ? g->end - jj : LANES;
        update(t, f, s, g, jj, q, p, u, 0, panel);
        if (u != p) update(t, f, s, g, jj, q, u, p, 1, panel + (size_t)to->ld * (size_t)to->ncols);
    }
}

INLINE void factor_all(const CdiNativeTree *t, CdiNativeFactor *f, const bool symmetric) {
    for (int k = 0; k < t->nsupernodes; k++) {
        const CdiSupernode *s = &t->supernodes[k];
        double *p = f->x + s->at, *u = symmetric ? p : p + (size_t)s->ld * (size_t)s->ncols;
        factor_panel(s, f, p, u);
        for (int g = s->target; g < s[1].target; g++) {
            update_target(t, f, s, &t->targets[g], p, u);
        }
    }
}

static void factor(const CdiNativeTree *t, CdiNativeFactor *f) {
    f->replaced = 0;
    f->least = INFINITY;
    f->most = 0;
    f->least_step = 0;
    if (t->symmetric) {
        factor_all(t, f, true);
    } else {
        factor_all(t, f, false);
    }
}

// ---- substitution

INLINE void forward(const CdiNativeTree *t, const CdiNativeFactor *f, const CdiSupernode *s,
                    const double *restrict p, double *restrict z) {
    const size_t ld = (size_t)s->ld;
    const double *inverse = f->inverse + s->first;
    double *restrict y = z + s->first, *restrict sum = f->work;
    for (int c = 0; c < s->ncols; c++) {
        const double *pc = p + ld * (size_t)c;
        const double a = y[c] = y[c] * inverse[c];
        for (int i = c + 1; i < s->ncols; i++) y[i] -= a * pc[i];
    }
    const int *rows = t->rows + s->rows;
    for (int i = 0; i < s->nrows; i += LANES) {
        V4 v = {0};
        for (int c = 0; c < s->ncols; c++) {
            v += y[c] * *(const U4 *)(p + s->ncols + i + ld * (size_t)c);
        }
        *(U4 *)(sum + i) = v;
    }
    for (int i = 0; i < s->nrows; i++) z[rows[i]] -= sum[i];
}

INLINE void backward(const CdiNativeTree *t, const CdiNativeFactor *f, const CdiSupernode *s,
                     const double *restrict u, double *restrict z) {
    const size_t ld = (size_t)s->ld;
    const double *inverse = f->inverse + s->first;
    double *restrict y = z + s->first, *restrict below = f->work;
    const int *rows = t->rows + s->rows;
    for (int i = 0; i < s->nrows; i++) below[i] = z[rows[i]];
    for (int i = s->nrows; i % LANES; i++) below[i] = 0;
    for (int c = s->ncols - 1; c >= 0; c--) {
        const double *uc = u + ld * (size_t)c;
        V4 v = {0};
        for (int i = 0; i < s->nrows; i += LANES) {
            v += *(const U4 *)(uc + s->ncols + i) * *(const U4 *)(below + i);
        }
        double sum = (v[0] + v[1]) + (v[2] + v[3]);
        for (int i = c + 1; i < s->ncols; i++) sum += uc[i] * y[i];
        y[c] -= sum * inverse[c];
    }
}

static void solve(const CdiNativeTree *t, const CdiNativeFactor *f, bool transposed, double *z) {
    for (int k = 0; k < t->nsupernodes; k++) {
        const CdiSupernode *s = &t->supernodes[k];
        const size_t other = t->symmetric || !transposed ? 0 : (size_t)s->ld * (size_t)s->ncols;
        forward(t, f, s, f->x + s->at + other, z);
    }
    for (int k = t->nsupernodes - 1; k >= 0; k--) {
        const CdiSupernode *s = &t->supernodes[k];
        const size_t other = t->symmetric || transposed ? 0 : (size_t)s->ld * (size_t)s->ncols;
        backward(t, f, s, f->x + s->at + other, z);
    }
}

extern const CdiNativeOps CD_ISA_NAME(cdi_native_ops);
const CdiNativeOps CD_ISA_NAME(cdi_native_ops) = {
    .factor = factor,
    .solve = solve,
};
