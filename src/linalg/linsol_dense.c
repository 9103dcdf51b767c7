// linsol_dense.c - dense factorisation, for small systems and as the judge of the others
//
//   R A = P^T L U              unsymmetric or complex values: partial pivoting
//   S A S = P^T L D L^T P      real symmetric values: pivoting of Bunch and Kaufman, gives inertia
//
// R and S are powers of two, so scaling rounds nothing: rows of R A have largest entries in
// [1, 2); S follows Bunch, who scales row i by what rows above have left of it. Slots are
// column-major positions, so assembly writes where the factors will be.
// Golub & Van Loan, Matrix Computations, 4th ed., ch. 3 and 4; Bunch, J. ACM 18 (1971) 566.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "linalg/dense_complex.h"
#include "linalg/linsol.h"

typedef struct Options {
    bool scale;
    double singular_tol;
} Options;

typedef struct Dense {
    bool ldlt;
    int *piv;
    double *scale; // of rows, and of columns if ldlt; NULL: none
    double *work;  // of LDL^T
} Dense;

static CdStatus analyze(CdLinsol *s) {
    const CdPattern *p = s->pattern;
    const Options *o = s->options;
    if (s->n > INT_MAX / s->n) {
        return cdi_fail(s->ctx, CD_LIMIT,
                        "linear solver 'dense': order %d is too large; use "
                        "'native' or 'klu'",
                        s->n);
    }
    Dense *d = s->data = CD_TAKE(&s->arena, Dense, 1);
    if (!d) return CD_NOMEM;
    d->ldlt = s->setup.symmetric && !s->setup.complex;
    d->piv = CD_TAKE(&s->arena, int, (size_t)s->n);
    d->work = CD_TAKE(&s->arena, double, d->ldlt ? cdi_ldlt_work(s->n) : 0);
    if (o->scale) d->scale = CD_TAKE(&s->arena, double, (size_t)s->n);
    if (!d->piv || !d->work || (o->scale && !d->scale)) return CD_NOMEM;
    for (int j = 0; j < s->n; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) s->map[k] = p->row[k] + s->n * j;
    }
    s->nslots = (size_t)s->n * (size_t)s->n;
    return CD_OK;
}

static void destroy(CdLinsol *s) {
    (void)s; // all in the arena
}

// ---- scaling

// 2^-480 ... 2^480, so that products of two of them and an entry stay finite
#define SCALE_MAX 0x1p480

// of numbers, where fmax would cost a call
static double larger(double x, double y) {
    return x > y ? x : y;
}

// the power of two in [1/x, 2/x), 1 for 0; from the bits, as frexp costs a call
static double inverse_power(double x) {
    const uint64_t exponent = UINT64_C(0x7ff) << 52, one = UINT64_C(0x3ff) << 52;
    const double y = x < SCALE_MAX ? larger(x, 1 / SCALE_MAX) : SCALE_MAX;
    uint64_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits = 2 * one - (bits & exponent);
    double power;
    memcpy(&power, &bits, sizeof power);
    return x == 0 ? 1 : power;
}

static double magnitude(const CdLinsol *s, int k) {
    const double *v = s->matrix.v;
    return s->setup.complex ? hypot(v[2 * (size_t)k], v[2 * (size_t)k + 1]) : fabs(v[k]);
}

static void scale_rows(const CdLinsol *s, double *r) {
    const CdPattern *p = s->pattern;
    for (int i = 0; i < s->n; i++) r[i] = 0;
    for (int k = 0; k < p->nnz; k++) r[p->row[k]] = larger(r[p->row[k]], magnitude(s, k));
    for (int i = 0; i < s->n; i++) r[i] = inverse_power(r[i]);
}

// largest of row j scaled by what is known: the rows before end, and its diagonal
static double known_max(const CdLinsol *s, const double *r, int j, int end) {
    const CdPattern *p = s->pattern;
    double max = 0;
    for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
        const int i = p->row[k];
        if (i == j) max = larger(max, sqrt(magnitude(s, k)));
        if (i != j && i < end) max = larger(max, r[i] * magnitude(s, k));
    }
    return max;
}

static void scale_symmetric(const CdLinsol *s, double *r) {
    for (int j = 0; j < s->n; j++) {
        const double max = known_max(s, r, j, j);
        r[j] = max == 0 ? 0 : inverse_power(max);
    }
    // rows that had nothing before them are scaled by what came after
    for (int j = 0; j < s->n; j++) {
        if (r[j] == 0) r[j] = inverse_power(known_max(s, r, j, s->n));
    }
}

static void scale_values(CdLinsol *s, const Dense *d) {
    const CdPattern *p = s->pattern;
    for (int j = 0; j < s->n; j++) {
        const double c = d->ldlt ? d->scale[j] : 1;
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const double f = d->scale[p->row[k]] * c;
            const size_t slot = (size_t)s->map[k];
            if (s->setup.complex) {
                s->values[2 * slot] *= f;
                s->values[2 * slot + 1] *= f;
            } else {
                s->values[slot] *= f;
            }
        }
    }
}

static void scale_vectors(const CdLinsol *s, const double *r, int nrhs, double *b, int ldb) {
    const size_t n = (size_t)s->n, step = (s->setup.complex ? 2 : 1) * (size_t)ldb;
    for (double *x = b; nrhs > 0; nrhs--, x += step) {
        for (size_t i = 0; i < n && !s->setup.complex; i++) x[i] *= r[i];
        for (size_t i = 0; i < n && s->setup.complex; i++) {
            x[2 * i] *= r[i];
            x[2 * i + 1] *= r[i];
        }
    }
}

// ---- factors

// unknown that stands at step k of LDL^T
static int unknown_at(const CdLinsol *s, int k) {
    const int *piv = ((const Dense *)s->data)->piv;
    // undo the exchanges from the last that may have touched k back to the first
    for (int i = s->n - 1; i >= 0; i--) {
        const bool pair = piv[i] < 0;
        const int a = i, b = (pair ? -piv[i] : piv[i]) - 1;
        if (pair) i--;
        if (k == a) {
            k = b;
        } else if (k == b) {
            k = a;
        }
    }
    return k;
}

static CdStatus factor_values(CdLinsol *s, int *bad) {
    Dense *d = s->data;
    if (s->setup.complex) return cdi_lu_complex_factor(s->n, s->values, d->piv, bad);
    if (!d->ldlt) return cdi_lu_factor(s->n, s->values, s->n, d->piv, bad);
    const CdStatus status = cdi_ldlt_factor(s->n, s->values, s->n, d->piv, d->work, bad);
    if (*bad >= 0 && *bad < s->n) *bad = unknown_at(s, *bad);
    return status;
}

// |pivot| of every step; a block of order two is as good as its entry off the diagonal
static void pivot_sizes(const CdLinsol *s, double *size) {
    const Dense *d = s->data;
    const size_t next = (size_t)s->n + 1;
    for (int k = 0; k < s->n; k++) {
        const double *at = s->values + (s->setup.complex ? 2 : 1) * (size_t)k * next;
        size[k] = s->setup.complex ? hypot(at[0], at[1]) : fabs(at[0]);
        if (d->ldlt && d->piv[k] < 0) {
            size[k] = size[k + 1] = fabs(at[1]);
            k++;
        }
    }
}

static double weakest_pivot(const CdLinsol *s, int *column) {
    const Dense *d = s->data;
    double weakest = INFINITY, *max = s->work, *size = s->work + s->n;
    pivot_sizes(s, size);
    cdi_linsol_column_max(s, d->scale, max);
    for (int k = 0; k < s->n; k++) {
        const int j = d->ldlt ? unknown_at(s, k) : k;
        const double ratio = size[k] / max[j] / (d->ldlt && d->scale ? d->scale[j] : 1);
        if (ratio < weakest) {
            weakest = ratio;
            *column = j;
        }
    }
    return weakest;
}

static CdStatus factor(CdLinsol *s, int *bad) {
    Dense *d = s->data;
    const Options *o = s->options;
    if (d->scale) {
        (d->ldlt ? scale_symmetric : scale_rows)(s, d->scale);
        scale_values(s, d);
    }
    const double n = s->n;
    s->stats.factors++;
    s->stats.nnz = d->ldlt ? (int64_t)s->n * (s->n + 1) / 2 : (int64_t)s->n * s->n;
    s->stats.flops = (d->ldlt ? 1 : 2) * n * n * n / 3;
    CD_TRY(factor_values(s, bad));
    if (o->singular_tol == 0) return CD_OK;
    return weakest_pivot(s, bad) <= o->singular_tol ? CD_SINGULAR : CD_OK;
}

static void solve(CdLinsol *s, int nrhs, double *b, int ldb, bool transposed) {
    const Dense *d = s->data;
    const int n = s->n;
    if (d->scale && (d->ldlt || !transposed)) scale_vectors(s, d->scale, nrhs, b, ldb);
    if (s->setup.complex) {
        for (int j = 0; j < nrhs; j++) {
            cdi_lu_complex_solve(n, s->values, d->piv, transposed, b + 2 * (size_t)j * (size_t)ldb);
        }
    } else if (d->ldlt) {
        cdi_ldlt_solve(n, s->values, n, d->piv, nrhs, b, ldb);
    } else {
        (transposed ? cdi_lu_solve_t : cdi_lu_solve)(n, s->values, n, d->piv, nrhs, b, ldb);
    }
    if (d->scale && (d->ldlt || transposed)) scale_vectors(s, d->scale, nrhs, b, ldb);
}

static CdStatus inertia(const CdLinsol *s, CdInertia *out) {
    const Dense *d = s->data;
    *out = cdi_ldlt_inertia(s->n, s->values, s->n, d->piv);
    return CD_OK;
}

#define FIELD(...) CD_FIELD(Options, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(scale, BOOL, "", "true", "", "scale rows by powers of two"),
    FIELD(singular_tol, REAL, "1", "0", "[0, 1)",
          "pivot over largest of its column that counts as zero"),
};

const CdLinsolClass cd_linsol_dense = {
    .desc = {.name = "dense",
             .doc = "Dense LU with partial pivoting, or LDL^T of symmetric systems",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"dense\", \"singular_tol\": 1e-14}"},
    .complex = true,
    .consumes_values = true,
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .weakest_pivot = weakest_pivot,
    .inertia = inertia,
    .destroy = destroy,
};
