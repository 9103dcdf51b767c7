// solvers.h - walks every way to solve a system: each registered class, real, complex, embedded
#ifndef CARDAN_TESTS_LINALG_SOLVERS_H
#define CARDAN_TESTS_LINALG_SOLVERS_H

#include "linalg/linsol.h"
#include "linalg/sparse.h"

// one way: class and set-up
typedef struct Way {
    const CdLinsolClass *cls;
    CdLinsolSetup setup;
} Way;

#define FOR_CLASSES(cls) \
    for (const CdLinsolClass *const *cls = cd_linsol_classes; *cls != NULL; cls++)

// real, complex, complex embedded
enum { REAL, COMPLEX, EMBEDDED, NFORMS };

static inline Way way_of(const CdLinsolClass *cls, int form) {
    return (Way){cls, {.complex = form != REAL, .embed = form == EMBEDDED}};
}

static inline CdLinsol *open_way(CdContext *ctx, Way way, const CdPattern *p) {
    CdLinsol *s = NULL;
    CHECK_OK(cdi_linsol_new(ctx, way.cls, p, &way.setup, &s));
    return s;
}

// values with every entry written in two parts, through the slot map
static inline void assemble(CdLinsol *s, const double *v, bool complex) {
    const int *map = cdi_linsol_map(s);
    double *a = cdi_linsol_begin(s);
    const int w = complex ? 2 : 1;
    for (int half = 0; half < 2; half++) {
        for (int k = 0; k < s->pattern->nnz; k++) {
            a[w * map[k]] += v[w * k] / 2;
            if (complex) a[w * map[k] + 1] += v[w * k + 1] / 2;
        }
    }
}

// where entries of a symmetric matrix stand, each once, if they are told from the last to the first
typedef struct Source {
    int *of, n;
} Source;

static inline Source source_new(const CdPattern *p) {
    Source s = {.of = malloc(((size_t)p->nnz + 1) * sizeof *s.of)};
    for (int j = p->cols - 1; j >= 0; j--) {
        for (int k = p->ptr[j + 1] - 1; k >= p->ptr[j]; k--) {
            if (p->row[k] <= j) s.of[k] = s.n++;
        }
    }
    for (int j = 0; j < p->cols; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            if (p->row[k] > j) s.of[k] = s.of[cdi_pattern_slot(p, j, p->row[k])];
        }
    }
    return s;
}

// w numbers for every entry; the caller frees them
static inline double *source_numbers(const Source *s, const CdPattern *p, const double *v, int w) {
    double *numbers = malloc(((size_t)(w * s->n) + 1) * sizeof *numbers);
    for (int k = 0; k < w * p->nnz; k++) numbers[w * s->of[k / w] + k % w] = v[k];
    return numbers;
}

static inline void random_vector(TestRandom *r, size_t n, double *x) {
    for (size_t i = 0; i < n; i++) x[i] = test_random(r, -1, 1);
}

// residual in units of eps of one solution with a random right-hand side, after some refinement
static inline double try_refined(CdLinsol *s, const Sparse *a, TestRandom *r, bool transposed,
                                 int steps) {
    const bool complex = s->setup.complex;
    const size_t count = (complex ? 2 : 1) * (size_t)a->n;
    double *b = malloc((count + 1) * sizeof *b), *x = malloc((count + 1) * sizeof *x);
    random_vector(r, count, b);
    memcpy(x, b, count * sizeof *x);
    CHECK_OK(cdi_linsol_solve(s, 1, x, a->n, transposed));
    CdRefinement how = {.tol = DBL_EPSILON, .max_steps = steps};
    if (steps > 0) cdi_linsol_refine(s, &how, transposed, b, x);
    const double residual = sparse_residual(a, complex, transposed, x, b);
    const double theirs = cdi_linsol_residual(s, NULL, transposed, x, b);
    // theirs is rounded itself, by up to the length of a row
    CHECK(theirs <= (2 * residual + 20) * DBL_EPSILON && residual <= 2 * theirs / DBL_EPSILON + 20);
    free(b);
    free(x);
    return residual;
}

static inline double try_solve(CdLinsol *s, const Sparse *a, TestRandom *r, bool transposed) {
    return try_refined(s, a, r, transposed, 0);
}

#endif
