// rank_peel.c - what hangs on the rest by one joint has constraints that depend on no others
//
// Columns of a leaf b are zero in all rows but those of its joint g, so y^T J = 0 reads
// y_g^T J_gb = 0 there, and y_g = 0 if J_gb has full rank. Then g and b are taken off, and the next
// one may be a leaf: trees vanish.
#include <math.h>
#include <string.h>

#include "linalg/rank_work.h"

// a pivot above which nobody doubts that rows are independent; rows are about as long as 1
#define SURE 1e-2
// lengths whose square is near the end of the numbers
#define NOTHING 1e-140

void cdi_rank_block(const CdRankWork *w, int group, int body, double *t) {
    const CdPattern *a = &w->j->pattern;
    const int r0 = w->rows.first[group], r1 = w->rows.first[group + 1];
    const int c0 = w->cols.first[body], m = w->cols.first[body + 1] - c0;
    memset(t, 0, (size_t)m * (size_t)(r1 - r0) * sizeof *t);
    for (int j = 0; j < m; j++) {
        int lo = a->ptr[c0 + j], hi = a->ptr[c0 + j + 1];
        const int end = hi;
        while (lo < hi) {
            const int mid = lo + (hi - lo) / 2;
            if (a->row[mid] < r0) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        for (; lo < end && a->row[lo] < r1; lo++) t[(a->row[lo] - r0) * m + j] = w->j->values[lo];
    }
}

static double length(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

// the longest of the columns from k on comes to place k; m rows of n columns, the first `top` done
static double choose(int m, int own, int top, double *f, int *perm) {
    int best = top;
    double longest = -1;
    for (int j = top; j < own; j++) {
        const double l = length(m - top, f + (size_t)j * (size_t)m + top);
        if (l > longest) {
            longest = l;
            best = j;
        }
    }
    if (best == top) return longest;
    const int p = perm[top];
    perm[top] = perm[best];
    perm[best] = p;
    double *a = f + (size_t)top * (size_t)m, *b = f + (size_t)best * (size_t)m;
    for (int i = 0; i < m; i++) {
        const double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
    return longest;
}

// rows k and below of column k to (-+l; 0), the same for all columns behind it
static void reflect(int m, int n, int k, double l, double *f) {
    double *v = f + (size_t)k * (size_t)m;
    const double r = v[k] > 0 ? -l : l;
    v[k] -= r;
    const double beta = -1 / (r * v[k]);
    for (int j = k + 1; j < n; j++) {
        double *x = f + (size_t)j * (size_t)m, sum = 0;
        for (int i = k; i < m; i++) sum += v[i] * x[i];
        if (sum == 0) continue;
        sum *= beta;
        for (int i = k; i < m; i++) x[i] -= sum * v[i];
    }
    v[k] = r;
    for (int i = k + 1; i < m; i++) v[i] = 0;
}

int cdi_rank_reduce(int m, int n, int own, double *f, double tol, int *perm, double *left) {
    int k = 0;
    *left = 0;
    for (; k < own && k < m; k++) {
        const double l = choose(m, own, k, f, perm);
        if (!(l > tol)) {
            *left = l;
            return k;
        }
        reflect(m, n, k, l, f);
    }
    return k;
}

void cdi_rank_triangle(int m, int n, double *f) {
    for (int k = 0; k < n && k < m; k++) {
        double *v = f + (size_t)k * (size_t)m;
        const double l = length(m - k, v + k);
        if (l > NOTHING) {
            reflect(m, n, k, l, f);
        } else {
            for (int i = k; i < m; i++) v[i] = 0;
        }
    }
}

typedef struct Leaf {
    double *t, *qr, *r, *z;
    int *perm;
} Leaf;

static CdStatus take_leaf(CdRankWork *w, Leaf *l) {
    const size_t n = (size_t)w->rows.largest, m = (size_t)w->cols.largest;
    l->t = CD_TAKE(&w->arena, double, n *m);
    l->qr = CD_TAKE(&w->arena, double, n *m);
    l->z = CD_TAKE(&w->arena, double, n);
    l->r = CD_TAKE(&w->arena, double, n);
    l->perm = CD_TAKE(&w->arena, int, n);
    return l->t && l->qr && l->z && l->r && l->perm ? CD_OK : CD_NOMEM;
}

// J_gb^T = t, and t P = Q R; the rank
static int take_apart(const CdRankWork *w, int group, int body, const Leaf *l) {
    const int n = w->rows.first[group + 1] - w->rows.first[group];
    const int m = w->cols.first[body + 1] - w->cols.first[body];
    double left;
    cdi_rank_block(w, group, body, l->t);
    memcpy(l->qr, l->t, (size_t)m * (size_t)n * sizeof *l->qr);
    for (int i = 0; i < n; i++) l->perm[i] = i;
    return cdi_rank_reduce(m, n, n, l->qr, SURE, l->perm, &left);
}

// the only group of rows that is left at a group of columns
static int last_of(const CdRankWork *w, int body) {
    for (int k = w->touch_ptr[body]; k < w->touch_ptr[body + 1]; k++) {
        if (w->leaf_of[w->touch[k]] < 0) return w->touch[k];
    }
    return -1;
}

static void take_off(CdRankWork *w, int group, int body, int *queue, int *n) {
    w->leaf_of[group] = body;
    w->peeled[w->npeeled] = body;
    w->by[w->npeeled++] = group;
    for (int k = w->bodies_ptr[group]; k < w->bodies_ptr[group + 1]; k++) {
        if (--w->live[w->bodies[k]] == 1) queue[(*n)++] = w->bodies[k];
    }
}

CdStatus cdi_rank_peel(CdRankWork *w) {
    // a body waits when one group is left, and that happens once
    int *queue = CD_TAKE(&w->arena, int, (size_t)w->cols.n), n = 0;
    Leaf l;
    CD_TRY(take_leaf(w, &l));
    if (!queue) return CD_NOMEM;
    for (int b = 0; b < w->cols.n; b++) {
        w->live[b] = w->touch_ptr[b + 1] - w->touch_ptr[b];
        if (w->live[b] == 1) queue[n++] = b;
    }
    for (int k = 0; k < n; k++) {
        const int group = last_of(w, queue[k]);
        if (group < 0) continue;
        const int rows = w->rows.first[group + 1] - w->rows.first[group];
        if (take_apart(w, group, queue[k], &l) < rows) continue;
        const int m = w->cols.first[queue[k] + 1] - w->cols.first[queue[k]];
        for (int i = 0; i < rows; i++) w->weakest = fmin(w->weakest, fabs(l.qr[i * m + i]));
        take_off(w, group, queue[k], queue, &n);
    }
    return CD_OK;
}

// r = J x of a group of rows
static void product(const CdRankWork *w, int group, const Leaf *l, const double *x, double *r) {
    const int n = w->rows.first[group + 1] - w->rows.first[group];
    for (int i = 0; i < n; i++) r[i] = 0;
    for (int k = w->bodies_ptr[group]; k < w->bodies_ptr[group + 1]; k++) {
        const int c0 = w->cols.first[w->bodies[k]], m = w->cols.first[w->bodies[k] + 1] - c0;
        cdi_rank_block(w, group, w->bodies[k], l->t);
        for (int i = 0; i < n * m; i++) r[i / m] += l->t[i] * x[c0 + i % m];
    }
}

// x_b -= t P (R^T R)^-1 P^T r
static void follow(const CdRankWork *w, int group, int body, const Leaf *l, double *x) {
    const int n = w->rows.first[group + 1] - w->rows.first[group];
    const int c0 = w->cols.first[body], m = w->cols.first[body + 1] - c0;
    product(w, group, l, x, l->r);
    take_apart(w, group, body, l);
    double *z = l->z;
    for (int i = 0; i < n; i++) {
        z[i] = l->r[l->perm[i]];
        for (int k = 0; k < i; k++) z[i] -= l->qr[i * m + k] * z[k];
        z[i] /= l->qr[i * m + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) z[i] -= l->qr[k * m + i] * z[k];
        z[i] /= l->qr[i * m + i];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) x[c0 + j] -= l->t[l->perm[i] * m + j] * z[i];
    }
}

CdStatus cdi_rank_follow(CdRankWork *w, double *x) {
    Leaf l;
    CD_TRY(take_leaf(w, &l));
    for (int k = w->npeeled - 1; k >= 0; k--) follow(w, w->by[k], w->peeled[k], &l, x);
    return CD_OK;
}
