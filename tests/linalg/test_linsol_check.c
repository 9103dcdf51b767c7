// test_linsol_check.c - condition, refinement, inertia, options and misuse of linear solvers
#include "linalg/solvers.h"

static void set_option(CdObject *o, const char *field, const char *json) {
    CHECK_OK(cdi_object_set(o, field, json, NULL));
    CHECK_OK(cdi_object_check(o, NULL));
}

static CdObject *options_of(CdContext *ctx, const CdLinsolClass *cls) {
    CdObject *o = NULL;
    CHECK_OK(cdi_object_new(ctx, &cls->desc, NULL, &o));
    return o;
}

// 1/(|A|_1 |A^-1|_1) by solving for every column of the inverse
static double exact_rcond(CdLinsol *s) {
    const bool complex = s->setup.complex;
    const int n = s->n, w = complex ? 2 : 1;
    double max = 0, x[400];
    for (int j = 0; j < n; j++) {
        double sum = 0;
        memset(x, 0, sizeof x);
        x[w * j] = 1;
        CHECK_OK(cdi_linsol_solve(s, 1, x, n, false));
        for (int i = 0; i < n; i++) sum += complex ? hypot(x[2 * i], x[2 * i + 1]) : fabs(x[i]);
        max = fmax(max, sum);
    }
    const CdCsc a = cdi_linsol_matrix(s);
    return 1 / max / cdi_csc_norm1(&a);
}

TEST(condition_is_estimated_within_a_factor_of_three) {
    TestLog log;
    TestRandom r = {1};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        double lowest = INFINITY, highest = 0;
        for (int trial = 0; trial < 60; trial++) {
            const int form = trial % NFORMS, n = 2 + pick(&r, 60), w = form == REAL ? 1 : 2;
            Sparse a = sparse_random(log.ctx, &r, n, 3, true, true);
            CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
            sparse_fill(&a, &r, trial % 2, w == 2);
            // one column up to 1e-10 smaller
            const int j = pick(&r, n);
            for (int k = w * a.p->ptr[j]; k < w * a.p->ptr[j + 1]; k++) {
                a.v[k] *= pow(10, -(trial % 11));
            }
            assemble(s, a.v, w == 2);
            CHECK_OK(cdi_linsol_factor(s));
            const double ratio = cdi_linsol_rcond(s) / exact_rcond(s);
            lowest = fmin(lowest, ratio);
            highest = fmax(highest, ratio);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
        printf("     %s: estimate/exact %.3g ... %.3g\n", (*cls)->desc.name, lowest, highest);
        CHECK(lowest > 1 - 1e-6 && highest < 3);
    }
    test_log_close(&log);
}

// A D with |d_j| = 1 has the condition of A, and the estimate climbs the same way
TEST(phases_do_not_change_the_condition) {
    TestLog log;
    TestRandom r = {12};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int trial = 0; trial < 40; trial++) {
            Sparse a = sparse_random(log.ctx, &r, 25, 3, true, true);
            CdLinsol *s = open_way(log.ctx, way_of(*cls, REAL), a.p);
            CdLinsol *z = open_way(log.ctx, way_of(*cls, COMPLEX), a.p);
            sparse_fill(&a, &r, 1, false);
            assemble(s, a.v, false);
            for (int j = 24; j >= 0; j--) {
                const double angle = test_random(&r, 0, 6);
                for (int k = a.p->ptr[j + 1] - 1; k >= a.p->ptr[j]; k--) {
                    a.v[2 * k + 1] = a.v[k] * sin(angle);
                    a.v[2 * k] = a.v[k] * cos(angle);
                }
            }
            assemble(z, a.v, true);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK_OK(cdi_linsol_factor(z));
            CHECK_NEAR(cdi_linsol_rcond(z) / cdi_linsol_rcond(s), 1, 1e-9);
            cdi_linsol_free(s);
            cdi_linsol_free(z);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

TEST(residual_is_what_it_says) {
    TestLog log;
    test_log_open(&log);
    const double dense[4] = {2, 1, 0, 1};
    CdPattern *p;
    double *v;
    CHECK_OK(cdi_csc_from_dense(log.ctx, 2, 2, dense, 2, &p, &v));
    FOR_CLASSES(cls) {
        CdLinsol *s = open_way(log.ctx, way_of(*cls, REAL), p);
        cdi_linsol_set(s, v);
        CHECK_OK(cdi_linsol_factor(s));
        // A = (2 0; 1 1): r = (4, 1) - (2, 2); A^T: r = (4, 1) - (3, 1)
        const double x[2] = {1, 1}, b[2] = {4, 1};
        CHECK_BITS(cdi_linsol_residual(s, NULL, false, x, b), 2.0 / (2 * 1 + 4));
        CHECK_BITS(cdi_linsol_residual(s, NULL, true, x, b), 1.0 / (3 * 1 + 4));
        CHECK_BITS(cdi_linsol_residual(s, NULL, true, (double[2]){0}, (double[2]){0}), 0);
        cdi_linsol_free(s);
    }
    cdi_pattern_free(p);
    cdi_free(log.ctx, v);
    test_log_close(&log);
}

// symmetric with nothing on the diagonal: pivots of order two, which move unknowns about
TEST(zero_diagonals_are_pivoted_and_traced) {
    TestLog log;
    TestRandom r = {13};
    test_log_open(&log);
    enum { N = 12 };
    Sparse a = sparse_random(log.ctx, &r, N, 4 * N, true, true);
    FOR_CLASSES(cls) {
        Way way = way_of(*cls, REAL);
        way.setup.symmetric = true;
        CdLinsol *s = open_way(log.ctx, way, a.p);
        for (int zero = -1; zero < N; zero++) {
            int column;
            sparse_fill(&a, &r, 0, false);
            sparse_symmetric_values(&a);
            for (int j = 0; j < N; j++) {
                for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++) {
                    const int i = a.p->row[k];
                    if (i == j || i == zero || j == zero) a.v[k] = 0;
                }
            }
            assemble(s, a.v, false);
            CHECK_INT(cdi_linsol_factor(s), zero < 0 ? CD_OK : CD_SINGULAR);
            CHECK_INT(cdi_linsol_bad_column(s), zero);
            CHECK_INT(cdi_linsol_bad_row(s), zero);
            if (zero >= 0) continue;
            CHECK(try_solve(s, &a, &r, false) < 20);
            CHECK(cdi_linsol_weakest_pivot(s, &column) > 1e-3);
        }
        cdi_linsol_free(s);
    }
    sparse_free(&a);
    test_log_close(&log);
}

// [0 B; B^T 0] twice, one B nearly singular, unknowns shuffled: the weak pivot is one of that B
TEST(the_weak_pivot_of_shuffled_blocks_is_traced) {
    TestLog log;
    TestRandom r = {14};
    test_log_open(&log);
    const double b[2][4] = {{1, 1, 1, 1 + 1e-9}, {1, 2, -1, 1}};
    FOR_CLASSES(cls) {
        for (int trial = 0; trial < 200; trial++) {
            int at[8], column = -1;
            double dense[64] = {0};
            for (int k = 0; k < 8; k++) at[k] = k;
            for (int k = 7; k > 0; k--) {
                const int other = pick(&r, k + 1), t = at[k];
                at[k] = at[other];
                at[other] = t;
            }
            for (int e = 0; e < 8; e++) {
                const int i = at[4 * (e / 4) + e % 2], j = at[4 * (e / 4) + 2 + e / 2 % 2];
                dense[i + 8 * j] = dense[j + 8 * i] = b[e / 4][e % 4];
            }
            Sparse a = {.ctx = log.ctx, .n = 8};
            CHECK_OK(cdi_csc_from_dense(log.ctx, 8, 8, dense, 8, &a.p, &a.v));
            Way way = way_of(*cls, REAL);
            way.setup.symmetric = true;
            CdLinsol *s = open_way(log.ctx, way, a.p);
            assemble(s, a.v, false);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK(cdi_linsol_weakest_pivot(s, &column) < 1e-8);
            CHECK(column == at[0] || column == at[1] || column == at[2] || column == at[3]);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

// Hilbert's matrix of order 8, condition 3e10: small residual, few digits, the estimate says so
TEST(near_singular_systems_are_solved_and_tell) {
    TestLog log;
    TestRandom r = {2};
    test_log_open(&log);
    enum { N = 8 };
    double dense[N * N];
    for (int i = 0; i < N * N; i++) dense[i] = 1.0 / (i % N + i / N + 1);
    Sparse a = {.ctx = log.ctx, .n = N};
    CHECK_OK(cdi_csc_from_dense(log.ctx, N, N, dense, N, &a.p, &a.v));
    FOR_CLASSES(cls) {
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            int column;
            Way way = way_of(*cls, REAL);
            way.setup.symmetric = symmetric;
            CdLinsol *s = open_way(log.ctx, way, a.p);
            assemble(s, a.v, false);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK(try_solve(s, &a, &r, false) < 10);
            // |A|_1 |A^-1|_1 = 33,872,791,094.999...
            CHECK_NEAR(1 / cdi_linsol_rcond(s) / 33872791095.0, 1, 1e-5);
            const double weakest = cdi_linsol_weakest_pivot(s, &column);
            CHECK(weakest < 1e-6 && weakest > 1e-12);
            cdi_linsol_free(s);
        }
    }
    sparse_free(&a);
    test_log_close(&log);
}

// factors of a KKT matrix with -1e-8 on the multipliers serve the one with zeros there
TEST(refinement_recovers_what_regularisation_lost) {
    TestLog log;
    TestRandom r = {3};
    test_log_open(&log);
    enum { NB = 6, N = NB * 11 };
    FOR_CLASSES(cls) {
        for (int kind = 0; kind < 4; kind++) {
            const bool t = kind & 1;
            double x[N], b[N], exact[N], before = 0, after = 0;
            Sparse a = sparse_kkt(log.ctx, &r, NB, 6, 5), reg = a;
            Way way = way_of(*cls, REAL);
            way.setup.symmetric = kind & 2;
            CdLinsol *s = open_way(log.ctx, way, a.p);
            reg.v = malloc((size_t)a.p->nnz * sizeof *reg.v);
            memcpy(reg.v, a.v, (size_t)a.p->nnz * sizeof *reg.v);
            for (int j = 0; j < N; j++) {
                if (j % 11 >= 6) reg.v[cdi_pattern_slot(a.p, j, j)] = -1e-8;
            }
            const CdCsc csc = {.pattern = a.p, .v = a.v};
            random_vector(&r, N, exact);
            memset(b, 0, sizeof b);
            cdi_csc_mul_add(&csc, t, 1, exact, b);
            memcpy(x, b, sizeof b);
            assemble(s, reg.v, false);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK_OK(cdi_linsol_solve(s, 1, x, N, t));
            for (int i = 0; i < N; i++) before = fmax(before, fabs(x[i] - exact[i]));
            CdRefinement how = {.tol = 1e-15, .max_steps = 4, .v = a.v};
            CHECK_OK(cdi_linsol_refine(s, &how, t, b, x));
            for (int i = 0; i < N; i++) after = fmax(after, fabs(x[i] - exact[i]));
            // as many digits as the condition leaves, of what were half as many
            CHECK(before > 1e-9);
            CHECK(after < before * 1e-5);
            CHECK(after < 10 * DBL_EPSILON / cdi_linsol_rcond(s));
            CHECK(how.steps >= 1 && how.steps <= 3);
            CHECK(how.residual <= 1e-15);
            CHECK_BITS(how.residual, cdi_linsol_residual(s, a.v, t, x, b));
            free(reg.v);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

// factors of A cannot serve 3 A: x goes away from the solution, and stays where it was best
TEST(refinement_gives_up_on_another_matrix) {
    TestLog log;
    TestRandom r = {4};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        double b[10], x[10], start[10];
        Sparse a = sparse_random(log.ctx, &r, 10, 2, true, true);
        CdLinsol *s = open_way(log.ctx, way_of(*cls, REAL), a.p);
        sparse_fill(&a, &r, 3, false);
        assemble(s, a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        for (int k = 0; k < a.p->nnz; k++) a.v[k] *= 3;
        random_vector(&r, 10, b);
        memcpy(x, b, sizeof b);
        CHECK_OK(cdi_linsol_solve(s, 1, x, 10, false));
        memcpy(start, x, sizeof x);
        CdRefinement how = {.tol = 1e-14, .max_steps = 50, .v = a.v};
        CHECK_INT(cdi_linsol_refine(s, &how, false, b, x), CD_NOCONV);
        CHECK_INT(how.steps, 1);
        CHECK(memcmp(start, x, sizeof x) == 0);
        CHECK_BITS(how.residual, cdi_linsol_residual(s, a.v, false, x, b));
        // no steps allowed, and a tolerance that holds already
        how = (CdRefinement){.tol = 1e-14, .v = a.v};
        CHECK_INT(cdi_linsol_refine(s, &how, false, b, x), CD_NOCONV);
        CHECK_INT(how.steps, 0);
        how = (CdRefinement){.tol = 1e-14, .max_steps = 5};
        CHECK_OK(cdi_linsol_refine(s, &how, false, b, x));
        CHECK_INT(how.steps, 0);
        x[3] = NAN;
        CHECK_INT(cdi_linsol_refine(s, &how, false, b, x), CD_NOCONV);
        CHECK(isnan(how.residual));
        cdi_linsol_free(s);
        sparse_free(&a);
    }
    test_log_close(&log);
}

// [M G^T; G 0] with M > 0 and full G: as many negative eigenvalues as constraints (Sylvester)
TEST(inertia_of_saddle_points) {
    TestLog log;
    TestRandom r = {5};
    test_log_open(&log);
    int knowing = 0;
    FOR_CLASSES(cls) {
        for (int nb = 1; nb <= 13; nb += 4) {
            CdInertia in;
            Sparse a = sparse_kkt(log.ctx, &r, nb, 6, 5);
            Way way = way_of(*cls, REAL);
            way.setup.symmetric = true;
            CdLinsol *s = open_way(log.ctx, way, a.p);
            assemble(s, a.v, false);
            CHECK_OK(cdi_linsol_factor(s));
            if (cdi_linsol_has_inertia(s)) {
                CHECK_OK(cdi_linsol_inertia(s, &in));
                CHECK_INT(in.positive, 6 * nb);
                CHECK_INT(in.negative, 5 * nb);
                CHECK_INT(in.zero, 0);
                // the unknown of a zero row and column, wherever pivoting moved it
                for (int j = 0; j < a.n; j += 3) {
                    Sparse z = a;
                    z.v = malloc((size_t)a.p->nnz * sizeof *z.v);
                    memcpy(z.v, a.v, (size_t)a.p->nnz * sizeof *z.v);
                    for (int k = 0; k < a.p->nnz; k++) z.v[k] *= a.p->row[k] != j;
                    for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++) z.v[k] = 0;
                    assemble(s, z.v, false);
                    CHECK_INT(cdi_linsol_factor(s), CD_SINGULAR);
                    CHECK_INT(cdi_linsol_bad_column(s), j);
                    CHECK_INT(cdi_linsol_bad_row(s), j);
                    CHECK_OK(cdi_linsol_inertia(s, &in));
                    CHECK_INT(in.positive + in.negative + in.zero, a.n);
                    CHECK_INT(in.zero, 1);
                    free(z.v);
                }
                knowing++;
            } else {
                test_log_clear(&log);
                CHECK_INT(cdi_linsol_inertia(s, &in), CD_INVALID);
                CHECK(strstr(log.text, "does not know the inertia of this system") != NULL);
            }
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    CHECK(knowing > 0);
    test_log_close(&log);
}

// a redundant constraint: G has a row twice, up to rounding
TEST(redundant_constraints_are_named) {
    TestLog log;
    TestRandom r = {6};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            Sparse a = sparse_kkt(log.ctx, &r, 5, 6, 4);
            // multiplier 8 of body 0 repeats 6 and 7
            for (int i = 0; i < 6; i++) {
                const double sum =
                    0.7 * a.v[cdi_pattern_slot(a.p, 6, i)] + 0.1 * a.v[cdi_pattern_slot(a.p, 7, i)];
                a.v[cdi_pattern_slot(a.p, 8, i)] = a.v[cdi_pattern_slot(a.p, i, 8)] = sum;
            }
            Way way = way_of(*cls, REAL);
            way.setup.symmetric = symmetric;
            CdLinsol *s = open_way(log.ctx, way, a.p);
            int column = -1;
            assemble(s, a.v, false);
            const CdStatus status = cdi_linsol_factor(s);
            if (status == CD_OK) CHECK(cdi_linsol_weakest_pivot(s, &column) < 1e-14);
            if (status == CD_SINGULAR) column = cdi_linsol_bad_column(s);
            CHECK(status == CD_OK || status == CD_SINGULAR);
            CHECK(column == 6 || column == 7 || column == 8);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

// values that turn the old pivots into zeros or nearly so: the solver must look for new ones
TEST(pivots_that_fade_are_replaced) {
    TestLog log;
    TestRandom r = {7};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            const double tiny[] = {1, 1e-3, 1e-9, 1e-14, 0, 1};
            const int n = 20, w = form == REAL ? 1 : 2;
            double worst = 0;
            Sparse a = sparse_random(log.ctx, &r, n, n, true, true);
            CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
            for (int step = 0; step < 6; step++) {
                sparse_fill(&a, &r, 0, w == 2);
                for (int j = 0; j < n; j++) {
                    const int k = cdi_pattern_slot(a.p, j, j);
                    for (int c = 0; c < w; c++) a.v[w * k + c] *= tiny[step];
                }
                assemble(s, a.v, w == 2);
                CHECK_OK(cdi_linsol_factor(s));
                worst = fmax(worst, try_solve(s, &a, &r, false));
            }
            const CdLinsolStats stats = cdi_linsol_stats(s);
            if ((*cls)->allocates_in_factor) CHECK(stats.fallbacks >= 1);
            if ((*cls)->allocates_in_factor) CHECK_INT(stats.factors, 1 + stats.fallbacks);
            CHECK_INT(stats.factors + stats.refactors, 6);
            CHECK(worst < 1e4);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

TEST(every_option_of_klu_solves) {
    TestLog log;
    TestRandom r = {8};
    test_log_open(&log);
    const CdLinsolClass *klu;
    CHECK_OK(cdi_linsol_find(log.ctx, "klu", &klu));
    Sparse a = sparse_random(log.ctx, &r, 30, 2, false, true);
    sparse_fill(&a, &r, 2, false);
    int perm[30];
    int64_t nnz[4] = {0};
    const char *const orders[] = {"\"amd\"", "\"colamd\"", "\"natural\"", "\"given\""};
    const char *const scales[] = {"\"none\"", "\"sum\"", "\"max\""};
    for (int k = 0; k < 30; k++) perm[k] = 29 - k;
    for (int k = 0; k < 24; k++) {
        CdObject *o = options_of(log.ctx, klu);
        set_option(o, "btf", k & 1 ? "true" : "false");
        set_option(o, "ordering", orders[k / 2 % 4]);
        set_option(o, "scale", scales[k / 8]);
        set_option(o, "pivot_tol", k & 1 ? "1" : "0.1");
        Way way = {klu, {.options = o, .perm = perm}};
        CdLinsol *s = open_way(log.ctx, way, a.p);
        assemble(s, a.v, false);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK(try_solve(s, &a, &r, false) < 20);
        if (k < 8 && !(k & 1)) nnz[k / 2] = cdi_linsol_stats(s).nnz;
        cdi_linsol_free(s);
        cdi_object_free(o);
    }
    printf("     entries: amd %lld, colamd %lld, natural %lld, reversed %lld\n", (long long)nnz[0],
           (long long)nnz[1], (long long)nnz[2], (long long)nnz[3]);
    CHECK(nnz[0] < nnz[2] && nnz[0] < nnz[3] && nnz[2] != nnz[3] && nnz[1] != nnz[0]);
    sparse_free(&a);
    test_log_close(&log);
}

TEST(dense_scaling_is_an_option) {
    TestLog log;
    TestRandom r = {9};
    test_log_open(&log);
    Sparse a = sparse_random(log.ctx, &r, 15, 3, true, true);
    const CdLinsolClass *dense;
    CHECK_OK(cdi_linsol_find(log.ctx, "dense", &dense));
    for (int kind = 0; kind < 8; kind++) {
        CdObject *o = options_of(log.ctx, dense);
        set_option(o, "scale", kind & 1 ? "true" : "false");
        Way way = {dense, {.options = o, .symmetric = kind & 2, .complex = kind & 4}};
        CdLinsol *s = open_way(log.ctx, way, a.p);
        int column;
        sparse_fill(&a, &r, 4, kind & 4);
        if (kind & 2 && !(kind & 4)) sparse_symmetric_values(&a);
        assemble(s, a.v, kind & 4);
        CHECK_OK(cdi_linsol_factor(s));
        CHECK(try_solve(s, &a, &r, false) < 10);
        CHECK(try_solve(s, &a, &r, true) < 10);
        CHECK(cdi_linsol_weakest_pivot(s, &column) > 0.1);
        cdi_linsol_free(s);
        cdi_object_free(o);
    }
    sparse_free(&a);
    test_log_close(&log);
}

TEST(auto_takes_dense_for_small_and_full_patterns) {
    TestLog log;
    test_log_open(&log);
    const struct {
        int n, columns; // of them full
        const char *name;
    } cases[] = {{0, 0, "dense"}, {8, 0, "dense"}, {9, 0, "klu"},     {500, 1, "klu"},
                 {50, 20, "klu"}, {50, 28, "klu"}, {50, 31, "dense"}, {200, 200, "dense"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Sparse a = {.ctx = log.ctx};
        CdPatternBuilder b;
        CdLinsol *s;
        cdi_pattern_begin(&b, log.ctx, cases[k].n, cases[k].n, false);
        cdi_pattern_add_diagonal(&b);
        for (int e = 0; e < cases[k].n * cases[k].columns; e++) {
            cdi_pattern_add(&b, e % cases[k].n, e / cases[k].n);
        }
        sparse_end(&a, &b);
        CHECK_OK(cdi_linsol_new(log.ctx, NULL, a.p, NULL, &s));
        CHECK_TEXT(cdi_linsol_name(s), cases[k].name);
        cdi_linsol_free(s);
        sparse_free(&a);
    }
    test_log_close(&log);
}

TEST(misuse_is_refused_in_words) {
    TestLog log;
    TestRandom r = {11};
    test_log_open(&log);
    const CdLinsolClass *klu, *dense;
    CHECK_OK(cdi_linsol_find(log.ctx, "klu", &klu));
    CHECK_OK(cdi_linsol_find(log.ctx, "dense", &dense));
    CdObject *o = options_of(log.ctx, klu);
    Sparse a = sparse_random(log.ctx, &r, 3, 0, true, true);
    CdLinsol *s;
    CdInertia in;
    double b[3] = {0};

    CHECK_INT(cdi_linsol_new(log.ctx, dense, a.p, &(CdLinsolSetup){.options = o}, &s), CD_INVALID);
    CHECK(s == NULL);
    set_option(o, "ordering", "\"given\"");
    CHECK_INT(cdi_linsol_new(log.ctx, klu, a.p, &(CdLinsolSetup){.options = o}, &s), CD_INVALID);
    CdLinsolSetup bad = {.options = o, .perm = (int[]){0, 1, 1}};
    CHECK_INT(cdi_linsol_new(log.ctx, klu, a.p, &bad, &s), CD_INVALID);
    CHECK_OK(cdi_linsol_new(log.ctx, dense, a.p, &(CdLinsolSetup){.symmetric = true}, &s));
    CHECK_INT(cdi_linsol_solve(s, 1, b, 3, false), CD_INVALID);
    CHECK_INT(cdi_linsol_inertia(s, &in), CD_INVALID);
    CHECK_BITS(cdi_linsol_rcond(s), 0);
    int column;
    CHECK_BITS(cdi_linsol_weakest_pivot(s, &column), 0);
    for (int k = 0; k < 3; k++) a.v[k] = 1;
    cdi_linsol_set(s, a.v);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK_INT(cdi_linsol_solve(s, 1, b, 2, false), CD_INVALID);
    CHECK_INT(cdi_linsol_solve(s, -1, b, 3, false), CD_INVALID);
    cdi_linsol_begin(s);
    CHECK_INT(cdi_linsol_solve(s, 1, b, 3, false), CD_INVALID);
    cdi_linsol_free(s);

    CdPatternBuilder build;
    CdPattern *p;
    cdi_pattern_begin(&build, log.ctx, 2, 3, false);
    CHECK_OK(cdi_pattern_end(&build, &p));
    CHECK_INT(cdi_linsol_new(log.ctx, klu, p, NULL, &s), CD_INVALID);
    cdi_pattern_free(p);
    cdi_pattern_begin(&build, log.ctx, 50000, 50000, false);
    CHECK_OK(cdi_pattern_end(&build, &p));
    CHECK_INT(cdi_linsol_new(log.ctx, dense, p, NULL, &s), CD_LIMIT);
    cdi_pattern_free(p);
    CHECK_TEXT(log.text,
               "options of 'klu' were given to the linear solver 'dense'\n"
               "linear solver 'klu': ordering 'given' needs an order to be given\n"
               "permutation: entries 1 and 2 are both 1\n"
               "linear solver 'dense': solve without a factored matrix\n"
               "linear solver 'dense': inertia without a factor\n"
               "linear solver 'dense': 1 right-hand sides 2 apart, of order 3\n"
               "linear solver 'dense': -1 right-hand sides 3 apart, of order 3\n"
               "linear solver 'dense': solve without a factored matrix\n"
               "a matrix to be factored must be square, not 2 x 3\n"
               "linear solver 'dense': order 50000 is too large; use 'native' or 'klu'\n");
    cdi_object_free(o);
    sparse_free(&a);
    test_log_close(&log);
}

int main(void) {
    RUN(condition_is_estimated_within_a_factor_of_three);
    RUN(phases_do_not_change_the_condition);
    RUN(residual_is_what_it_says);
    RUN(zero_diagonals_are_pivoted_and_traced);
    RUN(the_weak_pivot_of_shuffled_blocks_is_traced);
    RUN(near_singular_systems_are_solved_and_tell);
    RUN(refinement_recovers_what_regularisation_lost);
    RUN(refinement_gives_up_on_another_matrix);
    RUN(inertia_of_saddle_points);
    RUN(redundant_constraints_are_named);
    RUN(pivots_that_fade_are_replaced);
    RUN(every_option_of_klu_solves);
    RUN(dense_scaling_is_an_option);
    RUN(auto_takes_dense_for_small_and_full_patterns);
    RUN(misuse_is_refused_in_words);
    return test_end();
}
