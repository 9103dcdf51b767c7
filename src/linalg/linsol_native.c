// linsol_native.c - own sparse factors with a fixed order: LDU, or LDL^T of symmetric values
//
//   P A P^T = L D U      no search for pivots; those that vanish are replaced, and refinement
//                        with A itself mends what that spoils
//
// The order (native_order.c) comes from the pattern and the multipliers that are known, so that
// mass matrices with constraints have pivots as they are, or from the first matrix for which that
// fails. A factor is trusted if all pivots have about the size that is expected of them; otherwise
// a random right-hand side is solved, and refined for as long as it takes to make
//
//   max_i |b - A x|_i / (|A| |x| + |b|)_i
//
// tiny: later solutions get as many steps. If that fails, multipliers get something on their
// diagonal (native_regular.c), which is all that orders of others need, and constraints that depend
// on each other. If that fails too, the matrix is left to another solver (KLU; dense for small
// symmetric systems), which also judges what is singular; the next one is tried here again. All
// this depends on the matrix itself and on the one that decided the order, so a saved run continues
// with the same bits.
// Vanderbei, SIAM J. Optim. 5 (1995) 100 (quasidefinite matrices); Arioli, Demmel & Duff, SIAM J.
// Matrix Anal. Appl. 10 (1989) 165.
#include <math.h>
#include <string.h>

#include "linalg/native.h"

enum { AUTO, AMD, GIVEN };
static const char *const orderings[] = {"auto", "amd", "given", NULL};

typedef struct Options {
    int ordering;
    bool redundant;
    double singular_tol;
} Options;

// |pivot| over its scale that needs no proof; weak unknowns have small ones by right
#define LEAST_TRUSTED 1e-4
#define LEAST_WEAK 1e-6
#define MOST_TRUSTED 1e6
// bodies on either side of a loop that may be waited for
#define LOOP_MAX 24
// backward errors: good enough to stop, and to be accepted after so many steps
#define ERROR_GOOD 1e-14
#define ERROR_ACCEPTED 1e-12
#define STEPS_MAX 4
// smallest order at which replaced pivots are mended; below, a search costs no more
#define MEND_ORDER 64
// pivot over its scale, and condition, from which on a search has to tell how singular it is: up to
// this order, beyond which they may change with its cube, and at most
#define LEAST_PROVEN 1e-9
#define CONDITION_MAX 1e11
#define LARGE_ORDER 1000
#define CONDITION_LIMIT 1e15
// pivot over its scale that may be right if those before it explain it
#define LEAST_EXPLAINED 1e-22
// of KLU, which then finds out how singular a matrix is
#define PIVOT_TOL 0.1
// largest symmetric system that is left to the dense solver, for its inertia
#define DENSE_MAX 200
// and of any system, where there is no other
#define DENSE_LIMIT 3000

typedef struct Native {
    CdiNativeTree *tree;
    bool guessed; // the order, from the pattern
    CdiNative f;
    double *r, *b, *size; // n each
    bool *weak;           // n
    double *regular;      // nnz: values with a diagonal, and their sources; NULL: never needed
    int steps;            // of refinement in every solution
    int replaced;         // pivots
    CdLinsol *other;      // NULL: never needed
    bool left_to_other;   // the last matrix
    bool told;
} Native;

static void destroy(CdLinsol *s) {
    Native *m = s->data;
    cdi_native_close(&m->f);
    cdi_native_tree_free(m->tree);
    cdi_linsol_free(m->other);
}

// ---- own factors

static CdStatus open_numbers(CdLinsol *s) {
    Native *m = s->data;
    CD_TRY(cdi_native_open(s->ctx, m->tree, s->setup.pool, cdi_isa(), &m->f));
    s->stats.nnz = m->tree->nnz;
    s->stats.flops = m->tree->flops;
    return CD_OK;
}

static CdStatus analyze_values(CdLinsol *s, const double *v, CdiNativeWay way) {
    Native *m = s->data;
    const CdCsc a = {.pattern = s->pattern, .v = (double *)v};
    cdi_native_close(&m->f);
    cdi_native_tree_free(m->tree);
    m->tree = NULL;
    CD_TRY(cdi_native_analyze(s->ctx, &a, s->setup.group, way, s->setup.symmetric, &m->tree));
    if (s->setup.source) cdi_native_tree_source(m->tree, s->setup.source);
    return open_numbers(s);
}

static CdStatus choose_way(const CdLinsol *s, CdiNativeWay *way) {
    const Options *o = s->options;
    *way = (CdiNativeWay){.cut = true, .plain = o->ordering == AMD};
    if (o->ordering != GIVEN) return CD_OK;
    way->given = s->setup.perm;
    if (way->given) return CD_OK;
    return cdi_fail(s->ctx, CD_INVALID,
                    "linear solver 'native': ordering 'given' needs an order to be given");
}

// with ones for all entries but the diagonal of multipliers
static CdStatus analyze_pattern(CdLinsol *s) {
    const CdPattern *p = s->pattern;
    CdiNativeWay way;
    CD_TRY(choose_way(s, &way));
    double *v = cdi_alloc_array(s->ctx, (size_t)p->nnz + 1, sizeof *v);
    if (!v) return CD_NOMEM;
    for (int j = 0; j < s->n; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            v[k] = p->row[k] != j || j < s->n - s->setup.multipliers;
        }
    }
    const CdStatus status = analyze_values(s, v, way);
    cdi_free(s->ctx, v);
    return status;
}

static void release(void *analysis) {
    cdi_native_tree_free(analysis);
}

// once for all that share it
static CdStatus analyze_once(CdLinsol *s) {
    Native *m = s->data;
    CdLinsolShare *share = s->setup.share;
    m->guessed = true;
    if (share && share->analysis) {
        m->tree = cdi_native_tree_keep(share->analysis);
        return open_numbers(s);
    }
    CD_TRY(analyze_pattern(s));
    if (!share) return CD_OK;
    share->analysis = cdi_native_tree_keep(m->tree);
    share->release = release;
    return CD_OK;
}

static CdStatus analyze(CdLinsol *s) {
    const size_t n = (size_t)s->n;
    Native *m = s->data = CD_TAKE(&s->arena, Native, 1);
    if (!m) return CD_NOMEM;
    double **const arrays[] = {&m->r, &m->b, &m->size};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(&s->arena, double, n);
        if (!*arrays[k]) return CD_NOMEM;
    }
    m->weak = CD_TAKE(&s->arena, bool, n);
    if (!m->weak) return CD_NOMEM;
    for (int e = 0; e < s->pattern->nnz; e++) s->map[e] = e;
    s->nslots = (size_t)s->pattern->nnz;
    return analyze_once(s);
}

// among which elimination finds the values
static const double *numbers(const CdLinsol *s) {
    return s->given ? s->given : s->values;
}

// of the pattern
static double entry(const CdLinsol *s, int k) {
    return s->given ? s->given[s->setup.source[k]] : s->values[k];
}

// x = A^-1 x by the factors as they are
static void substitute(const CdLinsol *s, bool transposed, double *x) {
    Native *m = s->data;
    cdi_native_solve(&m->f, transposed, x);
}

// one step: r = b - A x, x += A^-1 r
static void refine(const CdLinsol *s, bool transposed, const double *b, double *r, double *x) {
    memcpy(r, b, (size_t)s->n * sizeof *r);
    const CdCsc a = cdi_linsol_matrix(s);
    cdi_csc_mul_add(&a, transposed, -1, x, r);
    substitute(s, transposed, r);
    for (int i = 0; i < s->n; i++) x[i] += r[i];
}

// ---- proof

// largest |b - A x| over |A| |x| + |b|, element by element; NaN if any is
static double backward_error(const CdLinsol *s, const double *x, double *condition) {
    const Native *m = s->data;
    const CdPattern *p = s->pattern;
    const double *v = cdi_linsol_matrix(s).v;
    double error = 0;
    *condition = 0;
    for (int i = 0; i < s->n; i++) {
        m->r[i] = m->b[i];
        m->size[i] = fabs(m->b[i]);
    }
    for (int j = 0; j < s->n; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const double a = v[k] * x[j];
            m->r[p->row[k]] -= a;
            m->size[p->row[k]] += fabs(a);
        }
    }
    for (int i = 0; i < s->n; i++) {
        const double e = fabs(m->r[i]) / m->size[i];
        error = e > error || e != e ? e : error;
        *condition = fmax(*condition, m->size[i] / fabs(m->b[i]));
    }
    return error;
}

// numbers of the size of the largest entry of their row, not in any pattern
static void set_right_side(const CdLinsol *s) {
    const Native *m = s->data;
    const CdPattern *p = s->pattern;
    const double *v = cdi_linsol_matrix(s).v;
    uint64_t bits = 1;
    memset(m->b, 0, (size_t)s->n * sizeof *m->b);
    for (int k = 0; k < p->nnz; k++) {
        m->b[p->row[k]] = fmax(m->b[p->row[k]], fabs(v[k]));
    }
    for (int i = 0; i < s->n; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        m->b[i] *= (bits >> 63 ? 1 : -1) * (0.5 + (double)(bits << 1 >> 12) * 0x1p-53);
    }
}

// bodies in a row that move as one weigh more and more, so long chains have small pivots by right
static double slack(const CdLinsol *s) {
    const double times = (double)s->n / LARGE_ORDER;
    return times > 1 ? times * times * times : 1;
}

// the same, of a solution that is anything: what constraints that depend on each other agree with
static void set_right_side_in_range(const CdLinsol *s) {
    const Native *m = s->data;
    double *y = m->size;
    uint64_t bits = 1;
    for (int i = 0; i < s->n; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        y[i] = (bits >> 63 ? 1 : -1) * (0.5 + (double)(bits << 1 >> 12) * 0x1p-53);
    }
    memset(m->b, 0, (size_t)s->n * sizeof *m->b);
    const CdCsc a = cdi_linsol_matrix(s);
    cdi_csc_mul_add(&a, false, 1, y, m->b);
}

// |pivot| over what the unknowns before it make of it, their own pivots being what they have become
static double ratio_made(const CdLinsol *s, int i) {
    const Native *m = s->data;
    const double *inverse = m->f.inverse;
    const int *step = m->tree->step, mine = step[i];
    double made = 0;
    for (int k = s->pattern->ptr[i]; k < s->pattern->ptr[i + 1]; k++) {
        const double a = entry(s, k);
        const int before = step[s->pattern->row[k]];
        if (before < mine) made = fmax(made, a * a * fabs(inverse[before]));
    }
    return made > 0 ? 1 / fabs(made * inverse[mine]) : 0;
}

// the weakest one, if small pivots may be so because those before them are large
static double weakest_made(const CdLinsol *s, int *column) {
    const Native *m = s->data;
    double least = INFINITY;
    for (int i = 0; i < s->n; i++) {
        const int k = m->tree->step[i];
        double ratio = fabs(m->f.scale[k] / m->f.inverse[k]);
        if (ratio < LEAST_WEAK) ratio = fmax(ratio, ratio_made(s, i));
        if (ratio >= least) continue;
        least = ratio;
        *column = i;
    }
    return least;
}

static bool explained(const CdLinsol *s) {
    int column;
    return weakest_made(s, &column) >= LEAST_WEAK;
}

// do the factors solve? sets the steps that it takes
static bool solves(CdLinsol *s, double *condition) {
    Native *m = s->data;
    double *x = s->work, *r = s->work + s->n;
    const Options *o = s->options;
    (o->redundant ? set_right_side_in_range : set_right_side)(s);
    memcpy(x, m->b, (size_t)s->n * sizeof *x);
    substitute(s, false, x);
    double error = backward_error(s, x, condition);
    for (m->steps = 0; error > ERROR_GOOD && m->steps < STEPS_MAX; m->steps++) {
        const double before = error;
        refine(s, false, m->b, r, x);
        error = backward_error(s, x, condition);
        if (!(error < before / 2)) break;
    }
    return error <= ERROR_ACCEPTED;
}

static bool prove(CdLinsol *s) {
    const Native *m = s->data;
    const double most = m->f.pivots.replaced > 0 ? 1 : slack(s);
    const Options *o = s->options;
    double condition;
    if (!solves(s, &condition)) return false;
    return o->redundant || condition <= fmin(CONDITION_MAX * most, CONDITION_LIMIT);
}

static double largest_in_column(const CdLinsol *s, int j) {
    double most = 0;
    for (int k = s->pattern->ptr[j]; k < s->pattern->ptr[j + 1]; k++) {
        most = fmax(most, fabs(entry(s, k)));
    }
    return most;
}

// a light body that carries heavy ones has a pivot far above its diagonal by right
static bool has_grown(const CdLinsol *s, int i, double ratio, double inverse) {
    return ratio > MOST_TRUSTED && 1 > MOST_TRUSTED * largest_in_column(s, i) * fabs(inverse);
}

// are all pivots about what was expected, or rightly not?
static bool trusted(const CdLinsol *s) {
    const Native *m = s->data;
    const CdiNative *f = &m->f;
    const CdiPivots *p = &f->pivots;
    if (p->replaced > 0 || !(p->least >= LEAST_WEAK)) return false;
    if (p->least >= LEAST_TRUSTED && p->most <= MOST_TRUSTED) return true;
    for (int i = 0; i < s->n; i++) {
        const int k = m->tree->step[i];
        const double ratio = fabs(f->scale[k] / f->inverse[k]);
        if (ratio < LEAST_TRUSTED && !m->tree->weak[k]) return false;
        if (has_grown(s, i, ratio, f->inverse[k])) return false;
    }
    return true;
}

// the same with all pivots as they are: what a long stretched chain carries weighs so much that
// those of its joints are tiny, and neither these nor its condition say that it is singular
static bool factor_explained(CdLinsol *s) {
    Native *m = s->data;
    double condition;
    if (s->n < MEND_ORDER) return false;
    if (m->f.pivots.replaced > 0) {
        m->f.zero = LEAST_EXPLAINED;
        cdi_native_factor(&m->f, numbers(s));
        m->f.zero = CDI_NATIVE_ZERO;
    }
    return m->f.pivots.replaced == 0 && explained(s) && solves(s, &condition);
}

static void own_factor(CdLinsol *s) {
    Native *m = s->data;
    const CdiPivots *p = &m->f.pivots;
    cdi_native_factor(&m->f, numbers(s));
    m->steps = 0;
    const bool hopeless =
        p->least < LEAST_PROVEN / slack(s) || (p->replaced > 0 && s->n < MEND_ORDER);
    m->left_to_other = !trusted(s) && (hopeless || !prove(s));
    m->replaced = p->replaced;
    if (!m->left_to_other || !factor_explained(s)) return;
    m->left_to_other = false;
    m->replaced = 0;
}

// with something on the diagonal of multipliers
static CdStatus regular_factor(CdLinsol *s) {
    Native *m = s->data;
    const int *source = s->setup.source;
    const size_t nnz = (size_t)s->pattern->nnz, n = source ? (size_t)s->setup.nsource : 0;
    if (!m->regular) m->regular = CD_TAKE(&s->arena, double, nnz + n);
    if (!m->regular) return CD_NOMEM;
    const CdCsc a = cdi_linsol_matrix(s);
    cdi_native_weak(&a, s->work, m->weak);
    m->left_to_other = true;
    if (!cdi_native_regularise(&a, m->weak, m->regular)) return CD_OK;
    for (size_t k = 0; source && k < nnz; k++) m->regular[nnz + (size_t)source[k]] = m->regular[k];
    cdi_native_factor(&m->f, source ? m->regular + nnz : m->regular);
    m->left_to_other = !prove(s);
    m->replaced = m->f.pivots.replaced;
    return CD_OK;
}

// ---- the other solver

// dense for small symmetric systems, or KLU with a careful search, where it is
static CdStatus open_other(CdLinsol *s) {
    Native *m = s->data;
    const bool asked = s->setup.symmetric && !s->setup.only_solves;
    const bool dense = !CARDAN_SUITESPARSE || (asked && s->n <= DENSE_MAX);
    CdLinsolSetup setup = {.symmetric = s->setup.symmetric};
    const CdLinsolClass *cls;
    CdObject *options = NULL;
    if (!CARDAN_SUITESPARSE && s->n > DENSE_LIMIT) {
        return cdi_fail(s->ctx, CD_LIMIT,
                        "linear solver 'native': a matrix of order %d needs a search for pivots, "
                        "for which 'klu' was left out of this build; build with SuiteSparse",
                        s->n);
    }
    CD_TRY(cdi_linsol_find(s->ctx, dense ? "dense" : "klu", &cls));
    CdStatus status = cdi_object_new(s->ctx, &cls->desc, NULL, &options);
    if (status == CD_OK && !dense) status = cdi_object_set_real(options, "pivot_tol", PIVOT_TOL);
    if (status == CD_OK) status = cdi_object_check(options, NULL);
    setup.options = options;
    if (status == CD_OK) status = cdi_linsol_new(s->ctx, cls, s->pattern, &setup, &m->other);
    cdi_object_free(options);
    return status;
}

// small systems cost no more there
static void tell(CdLinsol *s) {
    Native *m = s->data;
    if (m->told || s->n < MEND_ORDER) return;
    m->told = true;
    cdi_inform(s->ctx,
               "linear solver 'native': a matrix of order %d needs a search for pivots and is left "
               "to '%s'",
               s->n, cdi_linsol_name(m->other));
}

// with pivots that depend on this matrix alone
static CdStatus other_factor(CdLinsol *s, int *bad) {
    Native *m = s->data;
    if (!m->other) CD_TRY(open_other(s));
    s->stats.left++;
    if (m->other->cls->forget) m->other->cls->forget(m->other);
    cdi_linsol_set(m->other, cdi_linsol_matrix(s).v);
    const CdStatus status = cdi_linsol_factor(m->other);
    *bad = cdi_linsol_bad_column(m->other);
    if (status == CD_OK) tell(s);
    return status;
}

// an analysis of its own is worth trying if others are weak now than were then
static bool analysis_is_stale(const CdLinsol *s) {
    const Native *m = s->data;
    const CdCsc a = cdi_linsol_matrix(s);
    bool stale = false;
    cdi_native_weak(&a, s->work, m->weak);
    for (int i = 0; i < s->n; i++) stale |= m->weak[i] != m->tree->weak[m->tree->step[i]];
    return stale;
}

// long chains are left whole, and joints that close loops wait for all of it, only if that helps
static CdStatus factor_anew(CdLinsol *s) {
    Native *m = s->data;
    m->guessed = false;
    const CdiNativeWay ways[] = {{.cut = true}, {0}, {.loop = LOOP_MAX}, {0}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        CD_TRY(analyze_values(s, cdi_linsol_matrix(s).v, ways[k]));
        own_factor(s);
        if (m->replaced == 0) break;
    }
    return CD_OK;
}

// in the order that was asked for, whatever the matrix is like
static CdStatus factor_as_asked(CdLinsol *s, int *bad) {
    Native *m = s->data;
    CD_TRY(regular_factor(s));
    if (m->left_to_other) own_factor(s);
    *(s->stats.factors == 0 ? &s->stats.factors : &s->stats.refactors) += 1;
    s->stats.replaced = m->left_to_other ? 0 : m->f.pivots.replaced;
    return m->left_to_other ? other_factor(s, bad) : CD_OK;
}

static CdStatus factor_somehow(CdLinsol *s, int *bad) {
    Native *m = s->data;
    own_factor(s);
    bool stale = m->guessed && (m->left_to_other || m->replaced > 0);
    if (m->left_to_other && !stale) stale = analysis_is_stale(s);
    if (stale) CD_TRY(factor_anew(s));
    if (m->left_to_other && s->n >= MEND_ORDER) CD_TRY(regular_factor(s));
    const bool first = s->stats.factors == 0;
    if (stale && !first) s->stats.fallbacks++;
    *(stale || first ? &s->stats.factors : &s->stats.refactors) += 1;
    s->stats.replaced = m->left_to_other ? 0 : m->f.pivots.replaced;
    return m->left_to_other ? other_factor(s, bad) : CD_OK;
}

// ---- operations

static double weakest_pivot(const CdLinsol *s, int *column) {
    const Native *m = s->data;
    if (m->left_to_other) return cdi_linsol_weakest_pivot(m->other, column);
    if (m->f.pivots.least <= CDI_NATIVE_ZERO) return weakest_made(s, column);
    *column = m->tree->perm[m->f.pivots.least_step];
    return m->f.pivots.least;
}

static CdStatus factor(CdLinsol *s, int *bad) {
    const Options *o = s->options;
    const bool asked = o->ordering != AUTO || o->redundant;
    CD_TRY(asked ? factor_as_asked(s, bad) : factor_somehow(s, bad));
    if (o->singular_tol == 0) return CD_OK;
    return weakest_pivot(s, bad) <= o->singular_tol ? CD_SINGULAR : CD_OK;
}

static void solve(CdLinsol *s, int nrhs, double *b, int ldb, bool transposed) {
    const Native *m = s->data;
    if (m->left_to_other) {
        m->other->cls->solve(m->other, nrhs, b, ldb, transposed);
        return;
    }
    for (double *x = b; nrhs > 0; nrhs--, x += ldb) {
        if (m->steps > 0) memcpy(m->b, x, (size_t)s->n * sizeof *x);
        substitute(s, transposed, x);
        for (int k = 0; k < m->steps; k++) refine(s, transposed, m->b, m->r, x);
    }
}

// refinement asks for products with all of the matrix
static bool sections(const CdLinsol *s, const CdLinsolSections *of) {
    const Native *m = s->data;
    return !m->left_to_other && m->steps == 0 && cdi_native_sections(m->tree, of);
}

static void solve_sections(CdLinsol *s, const CdLinsolSections *of, int begin, int end, int worker,
                           double *b) {
    Native *m = s->data;
    cdi_native_solve_units(&m->f, of->first[begin], of->first[end], worker, b);
}

static CdLinsolParts parts(const CdLinsol *s) {
    const Native *m = s->data;
    if (m->left_to_other || m->steps > 0) return (CdLinsolParts){.n = 0};
    return (CdLinsolParts){m->tree->nparts, m->tree->begin};
}

static void forward(CdLinsol *s, int begin, int end, int worker, double *b) {
    Native *m = s->data;
    cdi_native_forward_parts(&m->f, begin, end, worker, b);
}

static void between(CdLinsol *s, int copy) {
    Native *m = s->data;
    cdi_native_solve_top(&m->f, copy);
}

static void backward(CdLinsol *s, int begin, int end, int worker, int copy, double *b) {
    Native *m = s->data;
    cdi_native_backward_parts(&m->f, begin, end, worker, copy, b);
}

static CdStatus inertia(const CdLinsol *s, CdInertia *out) {
    const Native *m = s->data;
    if (m->left_to_other) return cdi_linsol_inertia(m->other, out);
    for (int i = 0; i < s->n; i++) {
        *(m->f.inverse[m->tree->step[i]] > 0 ? &out->positive : &out->negative) += 1;
    }
    return CD_OK;
}

static int sign(const CdLinsol *s, int unknown) {
    const Native *m = s->data;
    if (m->left_to_other) return 0;
    return m->f.inverse[m->tree->step[unknown]] > 0 ? 1 : -1;
}

// the order is that of the pattern
static bool unbiased(const CdLinsol *s) {
    const Native *m = s->data;
    return m->guessed;
}

#define FIELD(...) CD_FIELD(Options, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(ordering, ENUM, "", "\"auto\"", "",
          "order of elimination: auto by bodies and joints, amd by the pattern alone",
          .names = orderings),
    FIELD(redundant, BOOL, "", "false", "",
          "constraints may depend on each other, and right-hand sides agree with them"),
    FIELD(singular_tol, REAL, "1", "0", "[0, 1)",
          "pivot over what is expected of it that counts as zero"),
};

const CdLinsolClass cd_linsol_native = {
    .desc = {.name = "native",
             .doc = "Sparse LU or LDL^T in a fixed order, made for bodies and joints",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"native\", \"singular_tol\": 1e-14}"},
    .allocates_in_factor = true,
    .halves = true,
    .takes_given = true,
    .analyze = analyze,
    .factor = factor,
    .solve = solve,
    .sections = sections,
    .solve_sections = solve_sections,
    .parts = parts,
    .forward = forward,
    .between = between,
    .backward = backward,
    .weakest_pivot = weakest_pivot,
    .inertia = inertia,
    .sign = sign,
    .unbiased = unbiased,
    .destroy = destroy,
};
