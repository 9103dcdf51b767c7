// test_native_regular.c - mechanisms with loops and redundant joints in any order of elimination
//
// Bodies with centres p, mass 1 and inertia 0.1; a joint at x has rows v_b + w_b x (x - p_b) - v_a
// - ..., and for an axis the two across it t.(w_b - w_a). What performance.md 2b and 2.1 measured.
#include "linalg/native.h"
#include "linalg/solvers.h"

#define BODY 6
#define MASS 1.0
#define MOMENT 0.1

typedef struct Row {
    int body[2];       // -1: ground
    double a[2][BODY]; // (v, w)
} Row;

typedef struct Mechanism {
    int nbodies, nrows;
    double (*centre)[3];
    Row *row;
    int *group, njoints;
    Sparse a;
    Source source; // and values there
    double *numbers;
} Mechanism;

static Mechanism *mechanism_new(int nbodies, int rows_max) {
    Mechanism *m = calloc(1, sizeof *m);
    m->nbodies = nbodies;
    m->centre = calloc((size_t)nbodies, sizeof *m->centre);
    m->row = calloc((size_t)rows_max, sizeof *m->row);
    m->group = calloc((size_t)(BODY * nbodies + rows_max), sizeof *m->group);
    for (int i = 0; i < BODY * nbodies; i++) m->group[i] = i / BODY;
    return m;
}

static void mechanism_free(Mechanism *m) {
    sparse_free(&m->a);
    free(m->source.of);
    free(m->numbers);
    free(m->centre);
    free(m->row);
    free(m->group);
    free(m);
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int k = 0; k < 3; k++) {
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

// direction d at x for a point (x not NULL), or about d
static void add_row(Mechanism *m, int a, int b, const double *x, const double d[3]) {
    Row *row = &m->row[m->nrows];
    m->group[BODY * m->nbodies + m->nrows++] = m->nbodies + m->njoints;
    for (int side = 0; side < 2; side++) {
        const int body = row->body[side] = side ? b : a;
        const double sign = side ? 1 : -1;
        double r[3], w[3];
        for (int k = 0; k < 3; k++) w[k] = d[k];
        if (x && body >= 0) {
            for (int k = 0; k < 3; k++) r[k] = x[k] - m->centre[body][k];
            cross(r, d, w);
        }
        for (int k = 0; k < 3; k++) {
            row->a[side][k] = x ? sign * d[k] : 0;
            row->a[side][3 + k] = sign * w[k];
        }
    }
}

// axis NULL: a ball
static void add_joint(Mechanism *m, int a, int b, const double x[3], const double *axis) {
    const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) add_row(m, a, b, x, e[k]);
    if (axis) {
        const double aside[3] = {axis[1] + 0.3, axis[2], axis[0]};
        double across[2][3];
        cross(axis, aside, across[0]);
        cross(axis, across[0], across[1]);
        for (int k = 0; k < 2; k++) add_row(m, a, b, NULL, across[k]);
    }
    m->njoints++;
}

static void mechanism_end(CdContext *ctx, Mechanism *m) {
    const int nv = BODY * m->nbodies, n = nv + m->nrows;
    CdPatternBuilder b;
    m->a.ctx = ctx;
    cdi_pattern_begin(&b, ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < m->nrows; r++) {
            for (int k = 0; k < 2 * BODY; k++) {
                const int body = m->row[r].body[k / BODY], j = BODY * body + k % BODY;
                const double v = m->row[r].a[k / BODY][k % BODY];
                if (body < 0) continue;
                if (pass == 0) {
                    cdi_pattern_add(&b, nv + r, j);
                } else {
                    m->a.v[cdi_pattern_slot(m->a.p, nv + r, j)] = v;
                    m->a.v[cdi_pattern_slot(m->a.p, j, nv + r)] = v;
                }
            }
        }
        if (pass == 0) sparse_end(&m->a, &b);
    }
    for (int i = 0; i < nv; i++) {
        m->a.v[cdi_pattern_slot(m->a.p, i, i)] = i % BODY < 3 ? MASS : MOMENT;
    }
    m->source = source_new(m->a.p);
    m->numbers = source_numbers(&m->source, m->a.p, m->a.v, 1);
}

static void place(Mechanism *m, TestRandom *r, int b, double x, double y) {
    const double at[3] = {x, y, 0};
    for (int k = 0; k < 3; k++) m->centre[b][k] = at[k] + test_random(r, -0.2, 0.2);
}

static void between(const Mechanism *m, TestRandom *r, int a, int b, double x[3]) {
    for (int k = 0; k < 3; k++) {
        x[k] = (m->centre[b][k] + (a >= 0 ? m->centre[a][k] : 0)) / 2 + test_random(r, -0.1, 0.1);
    }
}

// balls between all neighbours
static Mechanism *grid(CdContext *ctx, TestRandom *r, int side) {
    Mechanism *m = mechanism_new(side * side, 6 * side * side);
    double x[3];
    for (int b = 0; b < side * side; b++) place(m, r, b, b % side, b / side);
    for (int b = 0; b < side * side; b++) {
        for (int way = 0; way < 2; way++) {
            const int a = b - (way ? side : 1);
            if (way ? b < side : b % side == 0) continue;
            between(m, r, a, b, x);
            add_joint(m, a, b, x, NULL);
        }
    }
    mechanism_end(ctx, m);
    return m;
}

// hinges about any axes, the last one closes the ring
static Mechanism *ring(CdContext *ctx, TestRandom *r, int n) {
    Mechanism *m = mechanism_new(n, 5 * (n + 1));
    double x[3], axis[3];
    for (int b = 0; b < n; b++)
        place(m, r, b, n * cos(6.28 * b / n) / 6, n * sin(6.28 * b / n) / 6);
    for (int b = 0; b <= n; b++) {
        between(m, r, b - 1, b % n, x);
        for (int k = 0; k < 3; k++) axis[k] = test_random(r, -1, 1);
        add_joint(m, b - 1, b % n, x, axis);
    }
    mechanism_end(ctx, m);
    return m;
}

// planar four-bars in a row with hinges that are all parallel: three constraints too many a loop
static Mechanism *fourbars(CdContext *ctx, int loops) {
    const double z[3] = {0, 0, 1};
    Mechanism *m = mechanism_new(2 * loops + 1, 5 * (3 * loops + 1));
    for (int i = 0; i <= loops; i++) {
        const double foot[3] = {i, 0, 0}, head[3] = {i + 0.6, 0.8, 0};
        const int crank = 2 * i, coupler = 2 * i - 1;
        m->centre[crank][0] = i + 0.3;
        m->centre[crank][1] = 0.4;
        if (i > 0) m->centre[coupler][0] = i + 0.1, m->centre[coupler][1] = 0.8;
        add_joint(m, -1, crank, foot, z);
        if (i == 0) continue;
        const double before[3] = {i - 0.4, 0.8, 0};
        add_joint(m, crank - 2, coupler, before, z);
        add_joint(m, coupler, crank, head, z);
    }
    mechanism_end(ctx, m);
    return m;
}

// a chain in which some joints are there twice, or thrice
static Mechanism *doubled(CdContext *ctx, TestRandom *r, int n) {
    Mechanism *m = mechanism_new(n, 15 * n);
    double x[3], axis[3];
    for (int b = 0; b < n; b++) place(m, r, b, b, 0);
    for (int b = 0; b < n; b++) {
        between(m, r, b - 1, b, x);
        for (int k = 0; k < 3; k++) axis[k] = test_random(r, -1, 1);
        for (int again = pick(r, 3); again >= 0; again--) add_joint(m, b - 1, b, x, axis);
    }
    mechanism_end(ctx, m);
    return m;
}

// ---- orders

enum { BY_BODIES, BY_DEGREE, FORWARD, BACKWARD, ANY, NORDERS };

static void make_order(TestRandom *r, int kind, int n, int *perm) {
    for (int i = 0; i < n; i++) perm[i] = kind == BACKWARD ? n - 1 - i : i;
    for (int i = n - 1; kind == ANY && i > 0; i--) {
        const int k = pick(r, i + 1), t = perm[k];
        perm[k] = perm[i];
        perm[i] = t;
    }
}

static CdStatus open_with(CdContext *ctx, CdLinsolSetup setup, bool redundant, const char *ordering,
                          const CdPattern *p, CdLinsol **s) {
    const CdLinsolClass *cls;
    CdObject *options;
    CHECK_OK(cdi_linsol_find(ctx, "native", &cls));
    CHECK_OK(cdi_object_new(ctx, &cls->desc, NULL, &options));
    CHECK_OK(cdi_object_set(options, "ordering", ordering, NULL));
    CHECK_OK(cdi_object_set(options, "redundant", redundant ? "true" : "false", NULL));
    CHECK_OK(cdi_object_check(options, NULL));
    setup.options = options;
    const CdStatus status = cdi_linsol_new(ctx, cls, p, &setup, s);
    cdi_object_free(options);
    return status;
}

static CdLinsol *open_ordered(CdContext *ctx, const Mechanism *m, bool symmetric, bool redundant,
                              int kind, const int *perm) {
    static const char *const names[NORDERS] = {"\"auto\"", "\"amd\"", "\"given\"", "\"given\"",
                                               "\"given\""};
    const CdLinsolSetup setup = {.symmetric = symmetric,
                                 .group = m->group,
                                 .multipliers = m->nrows,
                                 .source = m->source.of,
                                 .nsource = m->source.n,
                                 .perm = perm};
    CdLinsol *s = NULL;
    CHECK_OK(open_with(ctx, setup, redundant, names[kind], m->a.p, &s));
    return s;
}

static void check_inertia(const CdLinsol *s, const Mechanism *m) {
    int negative = 0;
    for (int i = 0; i < m->a.n; i++) negative += cdi_linsol_sign(s, i) < 0;
    CHECK_INT(negative, m->nrows);
}

// the same bits from numbers that are given
static void check_given(CdLinsol *s, const Mechanism *m) {
    const size_t n = (size_t)m->a.n;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (size_t i = 0; i < n; i++) x[i] = y[i] = 1 + (double)(i % 7);
    CHECK_OK(cdi_linsol_solve(s, 1, x, m->a.n, false));
    cdi_linsol_give(s, m->numbers);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK_OK(cdi_linsol_solve(s, 1, y, m->a.n, false));
    CHECK(memcmp(x, y, n * sizeof *x) == 0);
    free(x);
    free(y);
}

// in order trial / 2, symmetric or not: factored here, with the right signs
static CdLinsol *factored(CdContext *ctx, TestRandom *r, const Mechanism *m, int trial,
                          bool redundant, int *perm) {
    const int kind = trial / 2;
    make_order(r, kind, m->a.n, perm);
    CdLinsol *s = open_ordered(ctx, m, trial % 2, redundant, kind, perm);
    assemble(s, m->a.v, false);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK_INT(cdi_linsol_stats(s).left, 0);
    check_inertia(s, m);
    check_given(s, m);
    return s;
}

static void check_all_orders(CdContext *ctx, TestRandom *r, const Mechanism *m) {
    int *perm = malloc((size_t)m->a.n * sizeof *perm);
    for (int trial = 0; trial < 2 * NORDERS; trial++) {
        CdLinsol *s = factored(ctx, r, m, trial, false, perm);
        CHECK(try_solve(s, &m->a, r, false) < 100);
        CHECK(try_solve(s, &m->a, r, true) < 100);
        cdi_linsol_free(s);
    }
    free(perm);
}

TEST(loops_are_solved_in_any_order) {
    TestLog log;
    TestRandom r = {1};
    test_log_open(&log);
    Mechanism *m = grid(log.ctx, &r, 8);
    check_all_orders(log.ctx, &r, m);
    mechanism_free(m);
    m = ring(log.ctx, &r, 40);
    check_all_orders(log.ctx, &r, m);
    mechanism_free(m);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// the sizes of the study, in the orders that are used
TEST(large_loops_keep_all_digits) {
    TestLog log;
    TestRandom r = {2};
    test_log_open(&log);
    Mechanism *all[] = {grid(log.ctx, &r, 20), ring(log.ctx, &r, 200)};
    for (size_t k = 0; k < 2; k++) {
        for (int kind = BY_BODIES; kind <= BY_DEGREE; kind++) {
            CdLinsol *s = open_ordered(log.ctx, all[k], true, false, kind, NULL);
            assemble(s, all[k]->a.v, false);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK_INT(cdi_linsol_stats(s).left, 0);
            check_inertia(s, all[k]);
            CHECK(try_solve(s, &all[k]->a, &r, false) < 100);
            cdi_linsol_free(s);
        }
        mechanism_free(all[k]);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- redundant constraints

// sum of d_i lambda_i^2, d_i = max_j g_ij^2/m_jj: what is on the diagonal
static double weighted(const Mechanism *m, const double *lambda) {
    double sum = 0;
    for (int r = 0; r < m->nrows; r++) {
        double most = 0;
        for (int k = 0; k < 2 * BODY; k++) {
            const double g = m->row[r].body[k / BODY] < 0 ? 0 : m->row[r].a[k / BODY][k % BODY];
            most = fmax(most, g * g / (k % BODY < 3 ? MASS : MOMENT));
        }
        sum += most * lambda[r] * lambda[r];
    }
    return sum;
}

// b = A y: x solves it, and its multipliers are no larger than those of y
static void check_consistent(CdLinsol *s, const Mechanism *m, TestRandom *r, bool transposed) {
    const size_t n = (size_t)m->a.n;
    double *y = malloc(3 * n * sizeof *y), *b = y + n, *x = b + n;
    const CdCsc a = {.pattern = m->a.p, .v = m->a.v};
    random_vector(r, n, y);
    memset(b, 0, n * sizeof *b);
    cdi_csc_mul_add(&a, transposed, 1, y, b);
    memcpy(x, b, n * sizeof *x);
    CHECK_OK(cdi_linsol_solve(s, 1, x, m->a.n, transposed));
    CHECK(sparse_residual(&m->a, false, transposed, x, b) < 100);
    // velocities are unique
    for (int i = 0; i < BODY * m->nbodies; i++) CHECK_NEAR(x[i], y[i], 1e-8);
    const int first = BODY * m->nbodies;
    CHECK(weighted(m, x + first) <= weighted(m, y + first) * (1 + 1e-6));
    free(y);
}

static void check_redundant(CdContext *ctx, TestRandom *r, const Mechanism *m) {
    int *perm = malloc((size_t)m->a.n * sizeof *perm);
    for (int trial = 0; trial < 2 * NORDERS; trial++) {
        CdLinsol *s = factored(ctx, r, m, trial, true, perm);
        for (int t = 0; t < 2; t++) check_consistent(s, m, r, t);
        cdi_linsol_free(s);
    }
    free(perm);
}

TEST(redundant_constraints_are_solved_in_any_order) {
    TestLog log;
    TestRandom r = {3};
    test_log_open(&log);
    for (int loops = 1; loops <= 16; loops *= 4) {
        Mechanism *m = fourbars(log.ctx, loops);
        check_redundant(log.ctx, &r, m);
        mechanism_free(m);
    }
    for (int n = 3; n <= 30; n += 9) {
        Mechanism *m = doubled(log.ctx, &r, n);
        check_redundant(log.ctx, &r, m);
        mechanism_free(m);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// who does not say that constraints may depend on each other hears of it, whatever the order
TEST(without_being_asked_redundant_constraints_are_singular) {
    TestLog log;
    test_log_open(&log);
    Mechanism *m = fourbars(log.ctx, 12);
    for (int kind = BY_BODIES; kind <= BY_DEGREE; kind++) {
        CdLinsol *s = open_ordered(log.ctx, m, true, false, kind, NULL);
        int column;
        assemble(s, m->a.v, false);
        const CdStatus status = cdi_linsol_factor(s);
        CHECK(status == CD_SINGULAR || cdi_linsol_weakest_pivot(s, &column) < 1e-14);
        CHECK_INT(cdi_linsol_stats(s).left, 1);
        CHECK_INT(cdi_linsol_sign(s, 0), 0);
        cdi_linsol_free(s);
    }
    mechanism_free(m);
    test_log_close(&log);
}

TEST(an_order_must_be_given) {
    TestLog log;
    TestRandom r = {5};
    test_log_open(&log);
    Mechanism *m = ring(log.ctx, &r, 3);
    CdLinsol *s;
    CHECK_INT(open_with(log.ctx, (CdLinsolSetup){0}, false, "\"given\"", m->a.p, &s), CD_INVALID);
    CHECK_TEXT(log.text, "linear solver 'native': ordering 'given' needs an order to be given\n");
    mechanism_free(m);
    test_log_close(&log);
}

// ---- what static pivots cannot do

static Sparse ring_new(CdContext *ctx, int n) {
    CdPatternBuilder b;
    Sparse a = {.ctx = ctx};
    cdi_pattern_begin(&b, ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int i = 0; i < n; i++) cdi_pattern_add(&b, i, (i + 1) % n);
    sparse_end(&a, &b);
    return a;
}

// every unknown in the equation of the next one, in a ring, and nothing on the diagonal; or much
static void fill_ring(Sparse *a, bool sound) {
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p->ptr[j]; k < a->p->ptr[j + 1]; k++) {
            const int i = a->p->row[k];
            a->v[k] = i == j ? 4 * sound : i == (j + 1) % a->n;
        }
    }
}

// a matrix that is not quasi-definite goes to another solver, which is told once; the next that is
// sound comes back
TEST(matrices_come_back_from_the_other_solver) {
    TestLog log;
    TestRandom r = {6};
    test_log_open(&log);
    enum { N = 400 };
    Sparse a = ring_new(log.ctx, N);
    const CdLinsolClass *cls;
    CHECK_OK(cdi_linsol_find(log.ctx, "native", &cls));
    CdLinsol *s = open_way(log.ctx, (Way){cls, {0}}, a.p);
    for (int again = 0; again < 4; again++) {
        fill_ring(&a, again % 2);
        assemble(s, a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK(try_solve(s, &a, &r, false) < 100);
        CHECK_INT(cdi_linsol_stats(s).left, again / 2 + 1);
        CHECK_INT(cdi_linsol_sign(s, 0), again % 2);
    }
    char text[160];
    snprintf(text, sizeof text,
             "linear solver 'native': a matrix of order %d needs a search for pivots and is left "
             "to '%s'\n",
             N, CARDAN_SUITESPARSE ? "klu" : "dense");
    CHECK_TEXT(log.text, text);
    cdi_linsol_free(s);
    sparse_free(&a);
    test_log_close(&log);
}

#if !CARDAN_SUITESPARSE
// a dense factor of a large matrix would take memory and time that nobody has
TEST(without_klu_large_matrices_are_refused) {
    TestLog log;
    test_log_open(&log);
    enum { N = 3001 };
    Sparse a = ring_new(log.ctx, N);
    const CdLinsolClass *cls;
    CHECK_OK(cdi_linsol_find(log.ctx, "native", &cls));
    CdLinsol *s = open_way(log.ctx, (Way){cls, {0}}, a.p);
    fill_ring(&a, false);
    assemble(s, a.v, false);
    CHECK_INT(cdi_linsol_factor(s), CD_LIMIT);
    CHECK_TEXT(log.text,
               "linear solver 'native': a matrix of order 3001 needs a search for pivots, for "
               "which 'klu' was left out of this build; build with SuiteSparse\n");
    cdi_linsol_free(s);
    sparse_free(&a);
    test_log_close(&log);
}
#endif

int main(void) {
    RUN(loops_are_solved_in_any_order);
    RUN(large_loops_keep_all_digits);
    RUN(redundant_constraints_are_solved_in_any_order);
    RUN(without_being_asked_redundant_constraints_are_singular);
    RUN(an_order_must_be_given);
    RUN(matrices_come_back_from_the_other_solver);
#if !CARDAN_SUITESPARSE
    RUN(without_klu_large_matrices_are_refused);
#endif
    return test_end();
}
