// linsol.c - what all linear solvers have in common: their list, life, checks and counters
//
// The choice of "auto" rests on microseconds for values in, factor (KLU: refactor) and one solve of
// real unsymmetric values (AMD EPYC, gcc 12 -O3, reference BLAS, minima):
//
//   random, part filled   0.1 dense/klu   0.5 dense/klu   0.9 dense/klu
//   n = 8                  0.49 / 0.29     0.66 / 0.58     0.74 / 0.86
//   n = 24                 3.2 / 1.2       4.4 / 4.9       5.6 / 7.7
//   n = 48                 14.6 / 7.9      19.6 / 27       24 / 42
//   n = 200                1240 / 790      1430 / 2220     1530 / 2800
//   KKT chain, 6 + 5 per body   n = 11: 1.9 / 1.3   22: 4.4 / 3.7   44: 17.8 / 8.2   220: 1320 / 43
//   five diagonals              n = 4: 0.26 / 0.23  16: 1.7 / 1.0   64: 38.6 / 4.2
//
// so a dense factor pays where the matrix is rather full, whatever its order. Up to order 8 the two
// differ by 0.2 us and dense is taken for its pivoting and because it never allocates. For bodies
// and joints, whose groups are known, native is faster than KLU (bench/README.md); complex systems
// it would embed, and does where KLU was left out.
//
// Davis & Palamadai Natarajan, ACM TOMS 37 (2010) 36 (KLU).
#include "linalg/linsol.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/libraries.h"
#include "math/dense.h"

#define LINSOL(object) extern const CdLinsolClass object;
#include "linalg/linsols.def"
#undef LINSOL

const CdLinsolClass *const cd_linsol_classes[] = {
#define LINSOL(object) &object,
#include "linalg/linsols.def"
#undef LINSOL
    NULL};

#define NCLASSES (sizeof cd_linsol_classes / sizeof *cd_linsol_classes - 1)

// what auto leaves to the dense backend: up to this order, or filled to at least this part
#define AUTO_DENSE_ORDER 8
#define AUTO_DENSE_FILLED 0.6

// what takes any pattern
#if CARDAN_SUITESPARSE
static const CdLinsolClass *const general = &cd_linsol_klu;
#else
static const CdLinsolClass *const general = &cd_linsol_native;
#endif

CdStatus cdi_linsol_find(CdContext *ctx, const char *name, const CdLinsolClass **cls) {
    const char *names[NCLASSES + 1] = {"auto"};
    *cls = NULL;
    if (strcmp(name, "auto") == 0) return CD_OK;
    for (size_t k = 0; k < NCLASSES; k++) {
        names[k + 1] = cd_linsol_classes[k]->desc.name;
        if (strcmp(name, names[k + 1]) == 0) *cls = cd_linsol_classes[k];
    }
    if (*cls) return CD_OK;
    char why[CDI_LEFT_OUT_MAX];
    const char *near = *cdi_left_out(name, why) ? NULL : cdi_suggest(name, names, NCLASSES + 1);
    return cdi_fail(ctx, CD_NOTFOUND, "there is no linear solver '%s'%s%s%s%s", name, why,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

const CdLinsolClass *cdi_linsol_auto(const CdPattern *pattern, const CdLinsolSetup *setup) {
    const double n = pattern->cols, filled = pattern->nnz / (n * n);
    if (n <= AUTO_DENSE_ORDER || filled >= AUTO_DENSE_FILLED) return &cd_linsol_dense;
    const bool mechanism = setup->group && !setup->complex && cdi_pattern_is_symmetric(pattern);
    return mechanism ? &cd_linsol_native : general;
}

// ---- life

static size_t width(const CdLinsol *s) {
    return s->setup.complex ? 2 : 1;
}

// the struct of the options, from the object or from the defaults; its members are plain values
static CdStatus copy_options(CdLinsol *s, const CdDesc *desc, const CdObject *given) {
    if (given && cdi_object_desc(given) != desc) {
        return cdi_fail(s->ctx, CD_INVALID, "options of '%s' were given to the linear solver '%s'",
                        cdi_object_desc(given)->name, desc->name);
    }
    if (given && !cdi_object_data(given)) {
        return cdi_fail(s->ctx, CD_INVALID, "options of '%s' were changed and not checked since",
                        desc->name);
    }
    CdObject *defaults = NULL;
    if (!given) CD_TRY(cdi_object_new(s->ctx, desc, NULL, &defaults));
    CdStatus status = given ? CD_OK : cdi_object_check(defaults, NULL);
    void *copy = cdi_arena_alloc(&s->arena, desc->size, CD_ARENA_ALIGN);
    if (!copy) status = CD_NOMEM;
    if (status == CD_OK) memcpy(copy, cdi_object_data(given ? given : defaults), desc->size);
    cdi_object_free(defaults);
    s->options = copy;
    return status;
}

static CdStatus copy_perm(CdLinsol *s, const int *perm) {
    int *copy = CD_TAKE(&s->arena, int, (size_t)s->n);
    int *inverse = CD_TAKE(&s->arena, int, (size_t)s->n);
    if (!copy || !inverse) return CD_NOMEM;
    CD_TRY(cdi_permutation_invert(s->ctx, s->n, perm, inverse));
    if (s->n > 0) memcpy(copy, perm, (size_t)s->n * sizeof *copy);
    s->setup.perm = copy;
    return CD_OK;
}

static CdStatus copy_group(CdLinsol *s, const int *group) {
    int *copy = CD_TAKE(&s->arena, int, (size_t)s->n);
    if (!copy) return CD_NOMEM;
    if (s->n > 0) memcpy(copy, group, (size_t)s->n * sizeof *copy);
    s->setup.group = copy;
    return CD_OK;
}

// values may never be used, and so are not cleared
static CdStatus take_values(CdLinsol *s) {
    const size_t w = width(s);
    if (s->nslots > SIZE_MAX / sizeof *s->values / 2 - 1) return CD_NOMEM;
    s->values = cdi_resize(s->ctx, NULL, (w * s->nslots + 1) * sizeof *s->values);
    s->work = CD_TAKE(&s->arena, double, 2 * w * (size_t)s->n);
    double *copy = s->values;
    if (s->cls->consumes_values) copy = CD_TAKE(&s->arena, double, w *(size_t)s->pattern->nnz);
    s->matrix = (CdCsc){.pattern = s->pattern, .v = copy, .complex = s->setup.complex};
    return s->values && s->work && copy ? CD_OK : CD_NOMEM;
}

static CdStatus analyze(CdLinsol *s) {
    const CdPattern *p = s->pattern;
    if (p->rows != p->cols) {
        return cdi_fail(s->ctx, CD_INVALID, "a matrix to be factored must be square, not %d x %d",
                        p->rows, p->cols);
    }
    if (s->cls == s->real) CD_TRY(copy_options(s, &s->cls->desc, s->setup.options));
    if (s->setup.perm) CD_TRY(copy_perm(s, s->setup.perm));
    if (s->setup.group) CD_TRY(copy_group(s, s->setup.group));
    s->map = CD_TAKE(&s->arena, int, (size_t)p->nnz);
    if (!s->map) return CD_NOMEM;
    if (s->n > 0) CD_TRY(s->cls->analyze(s));
    return take_values(s);
}

CdStatus cdi_linsol_new(CdContext *ctx, const CdLinsolClass *cls, const CdPattern *pattern,
                        const CdLinsolSetup *setup, CdLinsol **out) {
    const CdLinsolSetup zeros = {0};
    if (!setup) setup = &zeros;
    if (!cls && setup->share) cls = setup->share->cls;
    if (!cls) cls = cdi_linsol_auto(pattern, setup);
    if (setup->share) setup->share->cls = cls;
    const bool embed = setup->complex && (setup->embed || !cls->complex);
    CdLinsol *s = *out = cdi_alloc(ctx, sizeof *s);
    if (!s) return CD_NOMEM;
    *s = (CdLinsol){.cls = embed ? &cdi_linsol_embed : cls,
                    .real = cls,
                    .ctx = ctx,
                    .pattern = pattern,
                    .n = pattern->cols,
                    .bad_column = -1,
                    .bad_row = -1,
                    .setup = *setup};
    cdi_arena_init(&s->arena, ctx, 0);
    const CdStatus status = analyze(s);
    s->setup.options = NULL;
    s->setup.share = NULL;
    if (status != CD_OK) {
        cdi_linsol_free(s);
        *out = NULL;
    }
    return status;
}

void cdi_linsol_free(CdLinsol *s) {
    if (!s) return;
    if (s->data) s->cls->destroy(s);
    CdContext *ctx = s->ctx;
    cdi_free(ctx, s->values);
    cdi_arena_clear(&s->arena);
    cdi_free(ctx, s);
}

void cdi_linsol_share_free(CdLinsolShare *share) {
    if (share->analysis) share->release(share->analysis);
    *share = (CdLinsolShare){0};
}

const char *cdi_linsol_name(const CdLinsol *s) {
    return s->real->desc.name;
}

bool cdi_linsol_unbiased(const CdLinsol *s) {
    return s->n > 0 && s->cls->unbiased && s->cls->unbiased(s);
}

bool cdi_linsol_renew(CdLinsol *s) {
    if (!cdi_linsol_unbiased(s)) return false;
    s->state = CD_LINSOL_EMPTY;
    s->given = NULL;
    s->stats = (CdLinsolStats){.nnz = s->stats.nnz, .flops = s->stats.flops};
    return true;
}

// ---- matrices

const int *cdi_linsol_map(const CdLinsol *s) {
    return s->map;
}

double *cdi_linsol_begin(CdLinsol *s) {
    s->state = CD_LINSOL_EMPTY;
    s->finite = false;
    s->given = NULL;
    memset(s->values, 0, width(s) * s->nslots * sizeof *s->values);
    return s->values;
}

// entry k: number from[k] of x becomes number to[k] of y
static void move_entries(const CdLinsol *s, const int *restrict from, const double *restrict x,
                         const int *restrict to, double *restrict y) {
    const int n = s->pattern->nnz;
    if (!s->setup.complex) {
        for (int k = 0; k < n; k++) y[to[k]] = x[from[k]];
        return;
    }
    for (int k = 0; k < n; k++) {
        y[2 * (size_t)to[k]] = x[2 * (size_t)from[k]];
        y[2 * (size_t)to[k] + 1] = x[2 * (size_t)from[k] + 1];
    }
}

// values, unless they are there
static void make_matrix(CdLinsol *s) {
    const size_t w = width(s), nnz = (size_t)s->pattern->nnz;
    if (!s->given || s->made) return;
    if (s->nslots > nnz) memset(s->values, 0, w * s->nslots * sizeof *s->values);
    move_entries(s, s->setup.source, s->given, s->map, s->values);
    s->made = true;
}

void cdi_linsol_give(CdLinsol *s, const double *numbers) {
    s->state = CD_LINSOL_EMPTY;
    s->finite = s->made = false;
    s->given = numbers;
    if (!s->cls->takes_given) make_matrix(s);
}

// values that were set, for a backend that takes what was given
static CdStatus give_own(CdLinsol *s) {
    if (s->given || !s->cls->takes_given || !s->setup.source) return CD_OK;
    if (!s->own) s->own = CD_TAKE(&s->arena, double, width(s) * (size_t)s->setup.nsource);
    if (!s->own) return CD_NOMEM;
    move_entries(s, s->map, s->values, s->setup.source, s->own);
    s->given = s->own;
    s->made = true;
    return CD_OK;
}

// numbers that are copied and looked at while they are in the first cache
#define PIECE 1024

// values as they lie in memory; are all of them finite?
static bool copy_values(size_t count, const double *from, double *to) {
    bool finite = true;
    for (size_t k = 0; k < count; k += PIECE) {
        const size_t n = count - k < PIECE ? count - k : PIECE;
        memcpy(to + k, from + k, n * sizeof *to);
        finite &= cdi_dense_finite(n, from + k);
    }
    return finite;
}

void cdi_linsol_set(CdLinsol *s, const double *v) {
    if (s->matrix.v == s->values) {
        s->state = CD_LINSOL_EMPTY;
        s->given = NULL;
        s->finite = copy_values(width(s) * (size_t)s->pattern->nnz, v, s->values);
        return;
    }
    const CdCsc given = {.pattern = s->pattern, .v = (double *)v, .complex = s->setup.complex};
    cdi_csc_scatter(&given, s->map, cdi_linsol_begin(s));
}

// first column with a NaN or an infinity, n if there is none
static int nonfinite_column(CdLinsol *s) {
    const size_t w = width(s), count = w * (size_t)s->pattern->nnz;
    if (s->given && cdi_dense_finite(w * (size_t)s->setup.nsource, s->given)) return s->n;
    make_matrix(s);
    if (s->finite || cdi_dense_finite(count, s->matrix.v)) return s->n;
    size_t first = 0;
    while (fabs(s->matrix.v[first]) <= DBL_MAX) first++;
    int j = 0;
    while (w * (size_t)s->pattern->ptr[j + 1] <= first) j++;
    return j;
}

// first row without an entry that is not zero, -1 if there is none
static int empty_row(CdLinsol *s) {
    int i = 0;
    make_matrix(s);
    cdi_csc_norm_inf(&s->matrix, s->work);
    while (i < s->n && s->work[i] != 0) i++;
    return i < s->n ? i : -1;
}

CdStatus cdi_linsol_factor(CdLinsol *s) {
    s->state = CD_LINSOL_EMPTY;
    s->bad_row = s->bad_column = -1;
    if (s->cls->consumes_values) cdi_csc_gather(&s->matrix, s->map, s->values);
    CD_TRY(give_own(s));
    const int column = nonfinite_column(s);
    s->finite = false;
    if (column < s->n) {
        s->bad_column = column;
        return CD_NONFINITE;
    }
    int bad = -1;
    const CdStatus status = s->n > 0 ? s->cls->factor(s, &bad) : CD_OK;
    if (status == CD_OK) s->state = CD_LINSOL_FACTORED;
    if (status == CD_SINGULAR || status == CD_NONFINITE) s->bad_column = bad;
    if (status == CD_SINGULAR) {
        s->state = CD_LINSOL_SINGULAR;
        s->bad_row = empty_row(s);
    }
    return status;
}

CdStatus cdi_linsol_solve(CdLinsol *s, int nrhs, double *b, int ldb, bool transposed) {
    if (s->state != CD_LINSOL_FACTORED) {
        return cdi_fail(s->ctx, CD_INVALID, "linear solver '%s': solve without a factored matrix",
                        cdi_linsol_name(s));
    }
    if (nrhs < 0 || ldb < s->n) {
        return cdi_fail(s->ctx, CD_INVALID,
                        "linear solver '%s': %d right-hand sides %d apart, of order %d",
                        cdi_linsol_name(s), nrhs, ldb, s->n);
    }
    if (s->n > 0 && nrhs > 0) s->cls->solve(s, nrhs, b, ldb, transposed);
    s->stats.solves += nrhs;
    return CD_OK;
}

bool cdi_linsol_sections(const CdLinsol *s, const CdLinsolSections *sections) {
    return s->state == CD_LINSOL_FACTORED && s->cls->sections && s->cls->sections(s, sections);
}

void cdi_linsol_solve_sections(CdLinsol *s, const CdLinsolSections *sections, int begin, int end,
                               int worker, double *b) {
    s->cls->solve_sections(s, sections, begin, end, worker, b);
}

CdLinsolParts cdi_linsol_parts(const CdLinsol *s) {
    if (s->state != CD_LINSOL_FACTORED || s->n == 0 || !s->cls->parts) {
        return (CdLinsolParts){.n = 0};
    }
    return s->cls->parts(s);
}

void cdi_linsol_forward(CdLinsol *s, int begin, int end, int worker, double *b) {
    s->cls->forward(s, begin, end, worker, b);
}

void cdi_linsol_between(CdLinsol *s, int copy) {
    s->cls->between(s, copy);
}

void cdi_linsol_backward(CdLinsol *s, int begin, int end, int worker, int copy, double *b) {
    s->cls->backward(s, begin, end, worker, copy, b);
}

// ---- questions

// what is made late is the same for who looks
CdCsc cdi_linsol_matrix(const CdLinsol *s) {
    make_matrix((CdLinsol *)s);
    return s->matrix;
}

int cdi_linsol_bad_column(const CdLinsol *s) {
    return s->bad_column;
}

int cdi_linsol_bad_row(const CdLinsol *s) {
    return s->bad_row;
}

CdLinsolStats cdi_linsol_stats(const CdLinsol *s) {
    return s->stats;
}

bool cdi_linsol_has_inertia(const CdLinsol *s) {
    return s->cls->inertia && s->setup.symmetric && !s->setup.complex;
}

CdStatus cdi_linsol_inertia(const CdLinsol *s, CdInertia *inertia) {
    *inertia = (CdInertia){0, 0, 0};
    if (!cdi_linsol_has_inertia(s)) {
        return cdi_fail(s->ctx, CD_INVALID,
                        "linear solver '%s' does not know the inertia of this system; 'dense' "
                        "knows it of a real symmetric one",
                        cdi_linsol_name(s));
    }
    if (s->state == CD_LINSOL_EMPTY) {
        return cdi_fail(s->ctx, CD_INVALID, "linear solver '%s': inertia without a factor",
                        cdi_linsol_name(s));
    }
    return s->n > 0 ? s->cls->inertia(s, inertia) : CD_OK;
}

int cdi_linsol_sign(const CdLinsol *s, int unknown) {
    return s->state == CD_LINSOL_FACTORED && s->cls->sign ? s->cls->sign(s, unknown) : 0;
}

double cdi_linsol_weakest_pivot(const CdLinsol *s, int *column) {
    *column = -1;
    if (s->state != CD_LINSOL_FACTORED) return 0;
    return s->n > 0 ? s->cls->weakest_pivot(s, column) : 1;
}

void cdi_linsol_column_max(const CdLinsol *s, const double *r, double *max) {
    const CdPattern *p = s->pattern;
    const double *v = cdi_linsol_matrix(s).v;
    for (int j = 0; j < s->n; j++) {
        max[j] = 0;
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const double x =
                s->setup.complex ? hypot(v[2 * (size_t)k], v[2 * (size_t)k + 1]) : fabs(v[k]);
            const double scaled = x * (r ? r[p->row[k]] : 1);
            if (scaled > max[j]) max[j] = scaled;
        }
    }
}
