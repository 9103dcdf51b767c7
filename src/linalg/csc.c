// csc.c - products, norms and conversions of sparse matrices
//
//   y += alpha A x     column by column: y(rows of j) += (alpha x_j) a_j
//   y += alpha A^T x   row by row of A^T: y_j += alpha (a_j . x)
//
// Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, sec. 2.2.
#include "linalg/csc.h"

#include <math.h>
#include <string.h>

// Bodies have three columns or six, whose rows are the same and, of bodies and joints that follow
// each other, in a row: three such columns are taken at a time, in the same order of sums.
static bool are_alike(const CdPattern *p, int j) {
    if (j + 3 > p->cols) return false;
    const int *at = p->ptr + j, n = at[1] - at[0];
    if (n == 0 || at[2] - at[1] != n || at[3] - at[2] != n) return false;
    const int *a = p->row + at[0], *b = p->row + at[1], *c = p->row + at[2], last = n - 1;
    return a[last] - a[0] == last && b[0] == a[0] && b[last] == a[last] && c[0] == a[0] &&
           c[last] == a[last];
}

// n rows of three columns
static void mul_three(int n, const double *restrict v, const double *s, double *restrict y) {
    const double *a = v, *b = v + n, *c = b + n, s0 = s[0], s1 = s[1], s2 = s[2];
    for (int i = 0; i < n; i++) y[i] = ((y[i] + a[i] * s0) + b[i] * s1) + c[i] * s2;
}

static void mul(const CdCsc *a, double alpha, const double *x, double *y) {
    const CdPattern *p = a->pattern;
    for (int j = 0; j < p->cols; j++) {
        const int begin = p->ptr[j], end = p->ptr[j + 1];
        if (are_alike(p, j)) {
            const double s[] = {alpha * x[j], alpha * x[j + 1], alpha * x[j + 2]};
            mul_three(end - begin, a->v + begin, s, y + p->row[begin]);
            j += 2;
            continue;
        }
        const double s = alpha * x[j];
        for (int k = begin; k < end; k++) y[p->row[k]] += a->v[k] * s;
    }
}

static void mul_t_three(int n, const double *v, const double *x, double alpha, double *y) {
    const double *a = v, *b = v + n, *c = b + n;
    double s0 = 0, s1 = 0, s2 = 0;
    for (int i = 0; i < n; i++) {
        s0 += a[i] * x[i];
        s1 += b[i] * x[i];
        s2 += c[i] * x[i];
    }
    y[0] += alpha * s0;
    y[1] += alpha * s1;
    y[2] += alpha * s2;
}

static void mul_t(const CdCsc *a, double alpha, const double *x, double *y) {
    const CdPattern *p = a->pattern;
    for (int j = 0; j < p->cols; j++) {
        const int begin = p->ptr[j], end = p->ptr[j + 1];
        if (are_alike(p, j)) {
            mul_t_three(end - begin, a->v + begin, x + p->row[begin], alpha, y + j);
            j += 2;
            continue;
        }
        double s = 0;
        for (int k = begin; k < end; k++) s += a->v[k] * x[p->row[k]];
        y[j] += alpha * s;
    }
}

// y += a x, all complex
static inline void add_product(const double a[2], const double x[2], double y[2]) {
    const double re = a[0] * x[0] - a[1] * x[1], im = a[0] * x[1] + a[1] * x[0];
    y[0] += re;
    y[1] += im;
}

static void mul_complex(const CdCsc *a, double alpha, const double *x, double *y) {
    const CdPattern *p = a->pattern;
    for (int j = 0; j < p->cols; j++) {
        const double s[2] = {alpha * x[2 * (size_t)j], alpha * x[2 * (size_t)j + 1]};
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            add_product(a->v + 2 * (size_t)k, s, y + 2 * (size_t)p->row[k]);
        }
    }
}

static void mul_complex_t(const CdCsc *a, double alpha, const double *x, double *y) {
    const CdPattern *p = a->pattern;
    for (int j = 0; j < p->cols; j++) {
        double s[2] = {0, 0};
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            add_product(a->v + 2 * (size_t)k, x + 2 * (size_t)p->row[k], s);
        }
        y[2 * (size_t)j] += alpha * s[0];
        y[2 * (size_t)j + 1] += alpha * s[1];
    }
}

void cdi_csc_mul_add(const CdCsc *a, bool transposed, double alpha, const double *x, double *y) {
    if (a->complex) {
        (transposed ? mul_complex_t : mul_complex)(a, alpha, x, y);
    } else {
        (transposed ? mul_t : mul)(a, alpha, x, y);
    }
}

static double magnitude(const CdCsc *a, int k) {
    return a->complex ? hypot(a->v[2 * (size_t)k], a->v[2 * (size_t)k + 1]) : fabs(a->v[k]);
}

// the larger, NaN if one is
static double larger(double max, double x) {
    return x > max || x != x ? x : max;
}

double cdi_csc_max(const CdCsc *a) {
    double max = 0;
    for (int k = 0; k < a->pattern->nnz; k++) max = larger(max, magnitude(a, k));
    return max;
}

double cdi_csc_norm1(const CdCsc *a) {
    const CdPattern *p = a->pattern;
    double max = 0;
    for (int j = 0; j < p->cols; j++) {
        double sum = 0;
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) sum += magnitude(a, k);
        max = larger(max, sum);
    }
    return max;
}

double cdi_csc_norm_inf(const CdCsc *a, double *work) {
    const CdPattern *p = a->pattern;
    double max = 0;
    for (int i = 0; i < p->rows; i++) work[i] = 0;
    for (int k = 0; k < p->nnz; k++) work[p->row[k]] += magnitude(a, k);
    for (int i = 0; i < p->rows; i++) max = larger(max, work[i]);
    return max;
}

void cdi_csc_scale(CdCsc *a, const double *r, const double *c) {
    const CdPattern *p = a->pattern;
    const int width = a->complex ? 2 : 1;
    for (int j = 0; j < p->cols; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const double s = (r ? r[p->row[k]] : 1) * (c ? c[j] : 1);
            for (int w = 0; w < width; w++) a->v[(size_t)width * (size_t)k + (size_t)w] *= s;
        }
    }
}

void cdi_csc_scatter(const CdCsc *a, const int *map, double *to) {
    const size_t nnz = (size_t)a->pattern->nnz;
    for (size_t k = 0; k < nnz && !a->complex; k++) to[map[k]] = a->v[k];
    for (size_t k = 0; k < nnz && a->complex; k++) {
        to[2 * (size_t)map[k]] = a->v[2 * k];
        to[2 * (size_t)map[k] + 1] = a->v[2 * k + 1];
    }
}

void cdi_csc_gather(CdCsc *a, const int *map, const double *from) {
    const size_t nnz = (size_t)a->pattern->nnz;
    for (size_t k = 0; k < nnz && !a->complex; k++) a->v[k] = from[map[k]];
    for (size_t k = 0; k < nnz && a->complex; k++) {
        a->v[2 * k] = from[2 * (size_t)map[k]];
        a->v[2 * k + 1] = from[2 * (size_t)map[k] + 1];
    }
}

void cdi_csc_to_dense(const CdCsc *a, double *dense, int lda) {
    const CdPattern *p = a->pattern;
    const size_t width = a->complex ? 2 : 1;
    for (int j = 0; j < p->cols; j++) {
        double *col = dense + width * (size_t)j * (size_t)lda;
        memset(col, 0, width * (size_t)p->rows * sizeof *col);
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            memcpy(col + width * (size_t)p->row[k], a->v + width * (size_t)k, width * sizeof *col);
        }
    }
}

CdStatus cdi_csc_from_dense(CdContext *ctx, int rows, int cols, const double *dense, int lda,
                            CdPattern **pattern, double **v) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, ctx, rows, cols, false);
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++) {
            if (dense[i + (size_t)j * (size_t)lda] != 0) cdi_pattern_add(&b, i, j);
        }
    }
    CD_TRY(cdi_pattern_end(&b, pattern));
    *v = cdi_alloc_array(ctx, (size_t)(*pattern)->nnz, sizeof **v);
    if (!*v) {
        cdi_pattern_free(*pattern);
        *pattern = NULL;
        return CD_NOMEM;
    }
    for (int j = 0; j < cols; j++) {
        for (int k = (*pattern)->ptr[j]; k < (*pattern)->ptr[j + 1]; k++) {
            (*v)[k] = dense[(*pattern)->row[k] + (size_t)j * (size_t)lda];
        }
    }
    return CD_OK;
}
