// linsol_klu.c - sparse LU by KLU of SuiteSparse, made for matrices whose factors stay sparse
//
//   R^-1 A = P^T (L U + F) Q^T     blocks of a triangular form (F above them), each ordered and
//                                  factored by columns with threshold partial pivoting
//
// A matrix with the pattern of the last one is refactored: same pivots, no search, no allocation.
// If that lets entries grow,
//
//   min_k max_i |c_ik| / max_i |u_ik|  <  refactor_growth times what it was at the last factor,
//
// or meets a zero, it is factored anew. klu_factor allocates with libc behind our back (the hooks
// of SuiteSparse are global and not ours to set), which allocates_in_factor tells. Davis &
// Palamadai Natarajan, ACM TOMS 37 (2010) 36.
#include <math.h>

#include <suitesparse/klu.h>

#include "linalg/linsol.h"

enum { AMD, COLAMD, NATURAL, GIVEN };
static const char *const orderings[] = {"amd", "colamd", "natural", "given", NULL};
static const char *const scales[] = {"none", "sum", "max", NULL};

typedef struct Options {
    bool btf;
    int ordering, scale;
    double pivot_tol, refactor_growth, singular_tol;
} Options;

typedef struct Klu {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric; // NULL: no factor yet, or the last one failed
    double growth;        // reciprocal, of the last factor
} Klu;

// KLU reads them only
static int *ptr(const CdLinsol *s) {
    return (int *)s->pattern->ptr;
}

static int *row(const CdLinsol *s) {
    return (int *)s->pattern->row;
}

static CdStatus status_of(const Klu *k) {
    switch (k->common.status) {
    case KLU_OK: return CD_OK;
    case KLU_SINGULAR: return CD_SINGULAR;
    case KLU_OUT_OF_MEMORY: return CD_NOMEM;
    case KLU_TOO_LARGE: return CD_LIMIT;
    default: return CD_BUG;
    }
}

static void set_common(klu_common *common, const Options *o) {
    klu_defaults(common);
    common->btf = o->btf;
    common->ordering = o->ordering == COLAMD ? 1 : 0;
    common->scale = o->scale;
    common->tol = o->pivot_tol;
}

static CdStatus analyze(CdLinsol *s) {
    const Options *o = s->options;
    if (o->ordering == GIVEN && !s->setup.perm) {
        return cdi_fail(s->ctx, CD_INVALID,
                        "linear solver 'klu': ordering 'given' needs an order to be given");
    }
    Klu *k = s->data = CD_TAKE(&s->arena, Klu, 1);
    if (!k) return CD_NOMEM;
    set_common(&k->common, o);
    if (o->ordering == AMD || o->ordering == COLAMD) {
        k->symbolic = klu_analyze(s->n, ptr(s), row(s), &k->common);
    } else {
        int *perm = o->ordering == GIVEN ? (int *)s->setup.perm : NULL;
        k->symbolic = klu_analyze_given(s->n, ptr(s), row(s), perm, perm, &k->common);
    }
    for (int e = 0; e < s->pattern->nnz; e++) s->map[e] = e;
    s->nslots = (size_t)s->pattern->nnz;
    // a pattern without full structural rank is analysed well; factor will say where
    return k->symbolic ? CD_OK : status_of(k);
}

static void destroy(CdLinsol *s) {
    Klu *k = s->data;
    klu_free_numeric(&k->numeric, &k->common);
    klu_free_symbolic(&k->symbolic, &k->common);
}

static void forget(CdLinsol *s) {
    Klu *k = s->data;
    klu_free_numeric(&k->numeric, &k->common);
}

static double reciprocal_growth(const CdLinsol *s) {
    Klu *k = s->data;
    (s->setup.complex ? klu_z_rgrowth : klu_rgrowth)(ptr(s), row(s), s->values, k->symbolic,
                                                     k->numeric, &k->common);
    return k->common.rgrowth;
}

static double pivot(const CdLinsol *s, int step) {
    const double *u = ((const Klu *)s->data)->numeric->Udiag;
    return s->setup.complex ? hypot(u[2 * (size_t)step], u[2 * (size_t)step + 1]) : fabs(u[step]);
}

// the first step whose pivot has overflown, n if there is none
static int overflown(const CdLinsol *s) {
    int step = 0;
    while (step < s->n && isfinite(pivot(s, step))) step++;
    return step;
}

static bool refactor(CdLinsol *s) {
    Klu *k = s->data;
    const Options *o = s->options;
    const int ok = (s->setup.complex ? klu_z_refactor : klu_refactor)(
        ptr(s), row(s), s->values, k->symbolic, k->numeric, &k->common);
    if (ok && k->common.status == KLU_OK &&
        reciprocal_growth(s) >= o->refactor_growth * k->growth) {
        s->stats.refactors++;
        return true;
    }
    s->stats.fallbacks++;
    return false;
}

static CdStatus factor_anew(CdLinsol *s, int *bad) {
    Klu *k = s->data;
    klu_free_numeric(&k->numeric, &k->common);
    k->numeric = (s->setup.complex ? klu_z_factor : klu_factor)(ptr(s), row(s), s->values,
                                                                k->symbolic, &k->common);
    s->stats.factors++;
    if (k->common.status == KLU_SINGULAR) *bad = k->common.singular_col;
    if (!k->numeric || k->common.status != KLU_OK) return status_of(k);
    k->growth = reciprocal_growth(s);
    (s->setup.complex ? klu_z_flops : klu_flops)(k->symbolic, k->numeric, &k->common);
    s->stats.nnz = (int64_t)k->numeric->lnz + k->numeric->unz - s->n + k->numeric->nzoff;
    s->stats.flops = k->common.flops;
    return CD_OK;
}

static double weakest_pivot(const CdLinsol *s, int *column) {
    const Klu *k = s->data;
    double weakest = INFINITY, *max = s->work, *r = s->work + s->n;
    // KLU keeps row scales in the order of the pivots
    for (int i = 0; i < s->n; i++) {
        r[i] = k->numeric->Rs ? 1 / k->numeric->Rs[k->numeric->Pinv[i]] : 1;
    }
    cdi_linsol_column_max(s, r, max);
    for (int step = 0; step < s->n; step++) {
        const int j = k->symbolic->Q[step];
        const double ratio = pivot(s, step) / max[j];
        if (ratio < weakest) {
            weakest = ratio;
            *column = j;
        }
    }
    return weakest;
}

static CdStatus factor(CdLinsol *s, int *bad) {
    const Klu *k = s->data;
    const Options *o = s->options;
    if (!k->numeric || !refactor(s)) CD_TRY(factor_anew(s, bad));
    const int step = overflown(s);
    if (step < s->n) {
        *bad = k->symbolic->Q[step];
        return CD_NONFINITE;
    }
    if (o->singular_tol == 0) return CD_OK;
    return weakest_pivot(s, bad) <= o->singular_tol ? CD_SINGULAR : CD_OK;
}

static void solve(CdLinsol *s, int nrhs, double *b, int ldb, bool transposed) {
    Klu *k = s->data;
    if (s->setup.complex && transposed) {
        klu_z_tsolve(k->symbolic, k->numeric, ldb, nrhs, b, 0, &k->common);
    } else if (s->setup.complex) {
        klu_z_solve(k->symbolic, k->numeric, ldb, nrhs, b, &k->common);
    } else {
        (transposed ? klu_tsolve : klu_solve)(k->symbolic, k->numeric, ldb, nrhs, b, &k->common);
    }
}

#define FIELD(...) CD_FIELD(Options, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(btf, BOOL, "", "true", "", "permute to block triangular form first"),
    FIELD(ordering, ENUM, "", "\"amd\"", "", "order of elimination within blocks",
          .names = orderings),
    FIELD(scale, ENUM, "", "\"max\"", "", "divide rows by their sum or their largest entry",
          .names = scales),
    FIELD(pivot_tol, REAL, "1", "0.001", "[0, 1]",
          "the diagonal is the pivot if it is at least so large, relative to its column"),
    FIELD(refactor_growth, REAL, "1", "0.001", "[0, 1]",
          "smallest reciprocal pivot growth of a refactor, relative to that of the last factor"),
    FIELD(singular_tol, REAL, "1", "0", "[0, 1)",
          "pivot over largest of its column that counts as zero"),
};

const CdLinsolClass cd_linsol_klu = {
    .desc = {.name = "klu",
             .doc = "Sparse LU of SuiteSparse for matrices with little fill-in",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"klu\", \"btf\": false, \"ordering\": \"colamd\"}"},
    .complex = true,
    .allocates_in_factor = true,
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .weakest_pivot = weakest_pivot,
    .forget = forget,
    .destroy = destroy,
};
