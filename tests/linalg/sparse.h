// sparse.h - sparse test matrices with their dense twins
//
// Higham, Accuracy and Stability of Numerical Algorithms, ch. 28; Benzi, Golub & Liesen, Acta
// Numerica 14 (2005) 1 (saddle points).
#ifndef CARDAN_TESTS_LINALG_SPARSE_H
#define CARDAN_TESTS_LINALG_SPARSE_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/csc.h"
#include "test.h"

typedef struct Sparse {
    CdContext *ctx;
    CdPattern *p;
    double *v; // room for complex values
    int n;
} Sparse;

static inline void sparse_free(Sparse *a) {
    cdi_pattern_free(a->p);
    cdi_free(a->ctx, a->v);
    *a = (Sparse){0};
}

static inline int pick(TestRandom *r, int n) {
    return (int)(test_random_bits(r) % (uint64_t)n);
}

static inline void sparse_end(Sparse *a, CdPatternBuilder *b) {
    CHECK_OK(cdi_pattern_end(b, &a->p));
    a->n = a->p->cols;
    a->v = cdi_alloc_array(a->ctx, 2 * (size_t)a->p->nnz, sizeof *a->v);
}

// about `per` couplings per column beside the diagonal, which is there if wanted
static inline Sparse sparse_random(CdContext *ctx, TestRandom *r, int n, int per, bool symmetric,
                                   bool diagonal) {
    Sparse a = {.ctx = ctx};
    CdPatternBuilder b;
    cdi_pattern_begin(&b, ctx, n, n, symmetric);
    if (diagonal) cdi_pattern_add_diagonal(&b);
    for (int k = 0; k < per * n; k++) {
        const int i = pick(r, n), j = pick(r, n);
        cdi_pattern_add(&b, i, j);
    }
    sparse_end(&a, &b);
    return a;
}

// numbers in [-1, 1]; the diagonal is made heavier by `weight`
static inline void sparse_fill(Sparse *a, TestRandom *r, double weight, bool complex) {
    const int w = complex ? 2 : 1;
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p->ptr[j]; k < a->p->ptr[j + 1]; k++) {
            for (int c = 0; c < w; c++) a->v[w * k + c] = test_random(r, -1, 1);
            if (a->p->row[k] == j) a->v[w * k] += copysign(weight, a->v[w * k]);
        }
    }
}

// values below the diagonal take those above
static inline void sparse_symmetric_values(Sparse *a) {
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p->ptr[j]; k < a->p->ptr[j + 1]; k++) {
            const int i = a->p->row[k];
            if (i > j) a->v[k] = a->v[cdi_pattern_slot(a->p, j, i)];
        }
    }
}

// chain of nb bodies with nd unknowns, tied by nc constraints each: [M G^T; G 0], body by body,
// zeros on the diagonal of the multipliers in the pattern
static inline Sparse sparse_kkt(CdContext *ctx, TestRandom *r, int nb, int nd, int nc) {
    Sparse a = {.ctx = ctx};
    CdPatternBuilder b;
    const int s = nd + nc;
    int list[64];
    cdi_pattern_begin(&b, ctx, nb * s, nb * s, true);
    for (int i = 0; i < nb; i++) {
        const int before = i > 0 ? nd : 0;
        int multipliers[32];
        for (int k = 0; k < before; k++) list[k] = (i - 1) * s + k;
        for (int k = 0; k < nd; k++) list[before + k] = i * s + k;
        for (int k = 0; k < nc; k++) multipliers[k] = i * s + nd + k;
        cdi_pattern_add_block(&b, nd, list + before, nd, list + before);
        cdi_pattern_add_block(&b, nc, multipliers, before + nd, list);
    }
    cdi_pattern_add_diagonal(&b);
    sparse_end(&a, &b);
    sparse_fill(&a, r, 0, false);
    sparse_symmetric_values(&a);
    for (int j = 0; j < a.n; j++) {
        a.v[cdi_pattern_slot(a.p, j, j)] = j % s < nd ? nd + test_random(r, 0, 1) : 0;
    }
    return a;
}

// largest element; INFINITY if one is not finite
static inline long double sparse_max(int n, int w, const long double *x) {
    long double max = 0;
    for (int i = 0; i < n; i++) {
        const long double e = w == 2 ? hypotl(x[2 * i], x[2 * i + 1]) : fabsl(x[i]);
        if (!isfinite(e)) return INFINITY;
        if (e > max) max = e;
    }
    return max;
}

// |b - op(A) x| / (|A| |x| + |b|) in units of eps, accumulated in long double
static inline double sparse_residual(const Sparse *a, bool complex, bool t, const double *x,
                                     const double *b) {
    const int w = complex ? 2 : 1, n = a->n;
    long double *lx = calloc(7 * ((size_t)n + 1), sizeof *lx);
    long double *lb = lx + 2 * n, *r = lb + 2 * n, *sum = r + 2 * n;
    for (int i = 0; i < w * n; i++) lx[i] = x[i], lb[i] = r[i] = b[i];
    for (int j = 0; j < n; j++) {
        for (int k = a->p->ptr[j]; k < a->p->ptr[j + 1]; k++) {
            const int from = w * (t ? a->p->row[k] : j), to = t ? j : a->p->row[k];
            const long double re = a->v[w * k], im = complex ? a->v[w * k + 1] : 0;
            r[w * to] -= re * lx[from] - (complex ? im * lx[from + 1] : 0);
            if (complex) r[w * to + 1] -= re * lx[from + 1] + im * lx[from];
            sum[to] += hypotl(re, im);
        }
    }
    const long double off = sparse_max(n, w, r);
    const long double size = sparse_max(n, 1, sum) * sparse_max(n, w, lx) + sparse_max(n, w, lb);
    free(lx);
    if (!isfinite(size)) return INFINITY;
    return off == 0 ? 0 : (double)(off / size / DBL_EPSILON);
}

#endif
