// test_linsol.c - what every linear solver must do; a new one is tested by being in the list
#include "linalg/linsol.h"

#include "linalg/solvers.h"

TEST(tables_are_sound) {
    TestLog log;
    test_log_open(&log);
    FOR_CLASSES(cls) {
        const CdDesc *desc = &(*cls)->desc;
        CHECK_OK(cdi_desc_validate(log.ctx, desc));
        // options are copied as bytes
        for (int k = 0; k < desc->nfields; k++) {
            const CdType type = desc->fields[k].type;
            CHECK(type == CD_TYPE_BOOL || type == CD_TYPE_INT || type == CD_TYPE_REAL ||
                  type == CD_TYPE_ENUM);
            CHECK(!desc->fields[k].list);
        }
        const CdLinsolClass *found;
        CHECK_OK(cdi_linsol_find(log.ctx, desc->name, &found));
        CHECK(found == *cls);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(names_are_found_or_guessed) {
    TestLog log;
    const CdLinsolClass *cls;
    test_log_open(&log);
    CHECK_OK(cdi_linsol_find(log.ctx, "auto", &cls));
    CHECK(cls == NULL);
    CHECK_INT(cdi_linsol_find(log.ctx, "denes", &cls), CD_NOTFOUND);
    CHECK_INT(cdi_linsol_find(log.ctx, "KLU", &cls), CD_NOTFOUND);
    CHECK_INT(cdi_linsol_find(log.ctx, "aut", &cls), CD_NOTFOUND);
    CHECK_INT(cdi_linsol_find(log.ctx, "pardiso", &cls), CD_NOTFOUND);
    CHECK(cls == NULL);
    CHECK_TEXT(log.text, "there is no linear solver 'denes'; did you mean 'dense'?\n"
                         "there is no linear solver 'KLU'; did you mean 'klu'?\n"
                         "there is no linear solver 'aut'; did you mean 'auto'?\n"
                         "there is no linear solver 'pardiso'\n");
    test_log_close(&log);
}

// x of small whole numbers, found without a rounding error
TEST(small_whole_systems_are_exact) {
    TestLog log;
    test_log_open(&log);
    const double dense[9] = {0, 2, 4, 1, 0, 0, 0, 8, -2}; // needs pivoting
    CdPattern *p;
    double *v;
    CHECK_OK(cdi_csc_from_dense(log.ctx, 3, 3, dense, 3, &p, &v));
    FOR_CLASSES(cls) {
        CdLinsol *s = open_way(log.ctx, way_of(*cls, REAL), p);
        CHECK_TEXT(cdi_linsol_name(s), (*cls)->desc.name);
        assemble(s, v, false);
        CHECK_OK(cdi_linsol_factor(s));
        // A (1, -2, 3) and A^T (1, -2, 3)
        const double x[3] = {1, -2, 3};
        double b[3] = {-2, 26, -2}, bt[3] = {8, 1, -22};
        CHECK_OK(cdi_linsol_solve(s, 1, b, 3, false));
        CHECK_OK(cdi_linsol_solve(s, 1, bt, 3, true));
        for (int i = 0; i < 3; i++) {
            CHECK_BITS(b[i], x[i]);
            CHECK_BITS(bt[i], x[i]);
        }
        cdi_linsol_free(s);
    }
    cdi_pattern_free(p);
    cdi_free(log.ctx, v);
    test_log_close(&log);
}

// residual of one system: symmetric or unsymmetric pattern, heavy or light diagonal
static double random_system(CdContext *ctx, TestRandom *r, Way way, int n, bool symmetric,
                            double weight, int steps) {
    const bool complex = way.setup.complex;
    Sparse a = sparse_random(ctx, r, n, 3, symmetric, true);
    CdLinsol *s = open_way(ctx, way, a.p);
    sparse_fill(&a, r, weight, complex);
    assemble(s, a.v, complex);
    CHECK_OK(cdi_linsol_factor(s));
    CHECK_INT(cdi_linsol_bad_column(s), -1);
    const double straight = try_refined(s, &a, r, false, steps);
    const double transposed = try_refined(s, &a, r, true, steps);
    cdi_linsol_free(s);
    sparse_free(&a);
    return fmax(straight, transposed);
}

static double worst_of_all(CdContext *ctx, const CdLinsolClass *cls, double weight, int steps) {
    const int orders[] = {1, 2, 3, 5, 10, 31, 64, 129, 200};
    TestRandom r = {1};
    double worst = 0;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        for (int form = REAL; form < NFORMS; form++) {
            for (int symmetric = 0; symmetric < 2; symmetric++) {
                worst = fmax(worst, random_system(ctx, &r, way_of(cls, form), orders[o], symmetric,
                                                  weight, steps));
            }
        }
    }
    return worst;
}

TEST(random_systems_leave_tiny_residuals) {
    TestLog log;
    test_log_open(&log);
    FOR_CLASSES(cls) {
        const double heavy = worst_of_all(log.ctx, *cls, 3, 0);
        const double light = worst_of_all(log.ctx, *cls, 0, 0);
        const double refined = worst_of_all(log.ctx, *cls, 0, 2);
        printf("     %s: residual/eps %.2g; light diagonal %.2g, refined %.2g\n", (*cls)->desc.name,
               heavy, light, refined);
        CHECK(heavy < 10);
        // pivots chosen for sparsity may lose digits, which refinement brings back
        CHECK(light < 1e5);
        CHECK(refined < 10);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// truly unsymmetric: a hidden permutation and no diagonal
TEST(diagonals_may_be_missing) {
    TestLog log;
    TestRandom r = {2};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int n = 2; n <= 60; n += 29) {
            Sparse a = {.ctx = log.ctx};
            CdPatternBuilder b;
            cdi_pattern_begin(&b, log.ctx, n, n, false);
            for (int j = 0; j < n; j++) cdi_pattern_add(&b, (j * 7 + 1) % n, j);
            for (int k = 0; k < n; k++) {
                const int i = pick(&r, n), j = pick(&r, n);
                if (i != j) cdi_pattern_add(&b, i, j);
            }
            sparse_end(&a, &b);
            sparse_fill(&a, &r, 0, false);
            for (int j = 0; j < n; j++) a.v[cdi_pattern_slot(a.p, (j * 7 + 1) % n, j)] += 4;
            CdLinsol *s = open_way(log.ctx, way_of(*cls, REAL), a.p);
            assemble(s, a.v, false);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK(try_solve(s, &a, &r, false) < 10);
            CHECK(try_solve(s, &a, &r, true) < 10);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

TEST(saddle_points_are_pivoted) {
    TestLog log;
    TestRandom r = {3};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int nb = 1; nb <= 10; nb += 3) {
            for (int symmetric = 0; symmetric < 2; symmetric++) {
                Sparse a = sparse_kkt(log.ctx, &r, nb, 6, 5);
                Way way = way_of(*cls, REAL);
                way.setup.symmetric = symmetric;
                CdLinsol *s = open_way(log.ctx, way, a.p);
                assemble(s, a.v, false);
                CHECK_OK(cdi_linsol_factor(s));
                CHECK(try_solve(s, &a, &r, false) < 20);
                CHECK(try_solve(s, &a, &r, true) < 20);
                cdi_linsol_free(s);
                sparse_free(&a);
            }
        }
    }
    test_log_close(&log);
}

// rows and columns in units from 1e-12 to 1e12
TEST(bad_scales_do_no_harm) {
    TestLog log;
    TestRandom r = {4};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            double row[40], col[40];
            Sparse a = sparse_random(log.ctx, &r, 40, 3, true, true);
            sparse_fill(&a, &r, 3, form != REAL);
            for (int i = 0; i < 40; i++) {
                row[i] = pow(10, test_random(&r, -12, 12));
                col[i] = pow(10, test_random(&r, -12, 12));
            }
            CdCsc csc = {.pattern = a.p, .v = a.v, .complex = form != REAL};
            CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
            // row scaling must be seen through; columns are the solution's units
            cdi_csc_scale(&csc, row, NULL);
            assemble(s, a.v, form != REAL);
            CHECK_OK(cdi_linsol_factor(s));
            int column;
            CHECK(cdi_linsol_weakest_pivot(s, &column) > 1e-3);
            CHECK(try_solve(s, &a, &r, false) < 50);
            cdi_csc_scale(&csc, NULL, col);
            assemble(s, a.v, form != REAL);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK(try_solve(s, &a, &r, false) < 50);
            CHECK(try_solve(s, &a, &r, true) < 50);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

// an unknown that is in no equation, an equation that has no unknown
TEST(structural_singularity_is_named) {
    TestLog log;
    TestRandom r = {5};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            for (int which = 0; which < 10; which++) {
                Sparse a = {.ctx = log.ctx};
                CdPatternBuilder b;
                cdi_pattern_begin(&b, log.ctx, 10, 10, false);
                for (int j = 0; j < 10; j++) {
                    for (int i = 0; i < 10 && j != which; i++) cdi_pattern_add(&b, i, j);
                }
                sparse_end(&a, &b);
                sparse_fill(&a, &r, 0, form != REAL);
                CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
                assemble(s, a.v, form != REAL);
                CHECK_INT(cdi_linsol_factor(s), CD_SINGULAR);
                CHECK_INT(cdi_linsol_bad_column(s), which);
                CHECK_INT(cdi_linsol_bad_row(s), -1);
                double x[20];
                CHECK_INT(cdi_linsol_solve(s, 1, x, 10, false), CD_INVALID);
                cdi_linsol_free(s);
                sparse_free(&a);
            }
        }
    }
    test_log_close(&log);
}

// as above by values: column or row of zeros in a full pattern; then good values again
TEST(zero_columns_and_rows_are_named) {
    TestLog log;
    TestRandom r = {6};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            const int w = form == REAL ? 1 : 2;
            Sparse a = sparse_random(log.ctx, &r, 10, 3, true, true);
            CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
            for (int which = 0; which < 20; which++) {
                const bool row = which >= 10;
                sparse_fill(&a, &r, 3, w == 2);
                for (int j = 0; j < 10; j++) {
                    for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++) {
                        if ((row ? a.p->row[k] : j) != which % 10) continue;
                        for (int c = 0; c < w; c++) a.v[w * k + c] = 0;
                    }
                }
                assemble(s, a.v, w == 2);
                CHECK_INT(cdi_linsol_factor(s), CD_SINGULAR);
                if (!row) CHECK_INT(cdi_linsol_bad_column(s), which);
                CHECK_INT(cdi_linsol_bad_row(s), row ? which - 10 : -1);
                sparse_fill(&a, &r, 3, w == 2);
                assemble(s, a.v, w == 2);
                CHECK_OK(cdi_linsol_factor(s));
                CHECK_INT(cdi_linsol_bad_row(s), -1);
                CHECK(try_solve(s, &a, &r, false) < 20);
            }
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

// column k2 = column k1 up to rounding: the factor goes through, the weakest pivot tells, and an
// option makes it an error
TEST(dependent_columns_are_found) {
    TestLog log;
    TestRandom r = {7};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        CdObject *options;
        CHECK_OK(cdi_object_new(log.ctx, &(*cls)->desc, NULL, &options));
        CHECK_OK(cdi_object_set_real(options, "singular_tol", 1e-13));
        CHECK_OK(cdi_object_check(options, NULL));
        for (int form = REAL; form < NFORMS; form++) {
            const int w = form == REAL ? 1 : 2, n = 30;
            Sparse a = sparse_random(log.ctx, &r, n, n, true, true);
            Way strict = way_of(*cls, form);
            strict.setup.options = options;
            CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
            CdLinsol *t = open_way(log.ctx, strict, a.p);
            for (int trial = 0; trial < 10; trial++) {
                const int k1 = pick(&r, n), k2 = (k1 + 1 + pick(&r, n - 1)) % n;
                sparse_fill(&a, &r, 0, w == 2);
                assemble(t, a.v, w == 2);
                CHECK_OK(cdi_linsol_factor(t));
                for (int i = 0; i < n; i++) {
                    const int from = cdi_pattern_slot(a.p, i, k1);
                    const int to = cdi_pattern_slot(a.p, i, k2);
                    for (int c = 0; c < w && to >= 0; c++) {
                        a.v[w * to + c] = from >= 0 ? a.v[w * from + c] / 3 : 0;
                    }
                    for (int c = 0; c < w && to < 0 && from >= 0; c++) a.v[w * from + c] = 0;
                }
                int column = -1;
                assemble(s, a.v, w == 2);
                const CdStatus status = cdi_linsol_factor(s);
                CHECK(status == CD_OK || status == CD_SINGULAR);
                if (status == CD_OK) CHECK(cdi_linsol_weakest_pivot(s, &column) < 1e-13);
                if (status == CD_OK) CHECK(cdi_linsol_rcond(s) < 1e-13);
                if (status == CD_SINGULAR) column = cdi_linsol_bad_column(s);
                // the column whose turn came last has nothing left, or one that mixes both
                assemble(t, a.v, w == 2);
                CHECK_INT(cdi_linsol_factor(t), CD_SINGULAR);
                CHECK_INT(cdi_linsol_bad_column(t), column);
                CHECK(column == k1 || column == k2);
            }
            cdi_linsol_free(s);
            cdi_linsol_free(t);
            sparse_free(&a);
        }
        cdi_object_free(options);
    }
    test_log_close(&log);
}

TEST(bad_numbers_are_named) {
    TestLog log;
    TestRandom r = {8};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            const int w = form == REAL ? 1 : 2;
            Sparse a = sparse_random(log.ctx, &r, 12, 2, true, true);
            CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
            for (int j = 0; j < 12; j++) {
                for (int e = 0; e < 2; e++) {
                    const int k = e ? a.p->ptr[j + 1] - 1 : a.p->ptr[j];
                    sparse_fill(&a, &r, 3, w == 2);
                    a.v[w * k + (e && w == 2)] = e ? NAN : -INFINITY;
                    cdi_linsol_set(s, a.v);
                    CHECK_INT(cdi_linsol_factor(s), CD_NONFINITE);
                    CHECK_INT(cdi_linsol_bad_column(s), j);
                }
            }
            sparse_fill(&a, &r, 3, w == 2);
            cdi_linsol_set(s, a.v);
            CHECK_OK(cdi_linsol_factor(s));
            CHECK_INT(cdi_linsol_bad_column(s), -1);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// numbers that overflow on the way
TEST(overflow_is_not_a_solution) {
    TestLog log;
    test_log_open(&log);
    const double dense[4] = {1e-300, 1, 1e300, 1e-300};
    CdPattern *p;
    double *v;
    CHECK_OK(cdi_csc_from_dense(log.ctx, 2, 2, dense, 2, &p, &v));
    FOR_CLASSES(cls) {
        CdLinsol *s = open_way(log.ctx, way_of(*cls, REAL), p);
        cdi_linsol_set(s, v);
        const CdStatus status = cdi_linsol_factor(s);
        if (status == CD_OK) {
            double b[2] = {1e300, 1};
            CHECK_OK(cdi_linsol_solve(s, 1, b, 2, false));
            CHECK_NEAR(b[0], 1, 1e-12);
            CHECK_NEAR(b[1], 1, 1e-12);
        } else {
            CHECK_INT(status, CD_NONFINITE);
        }
        cdi_linsol_free(s);
    }
    cdi_pattern_free(p);
    cdi_free(log.ctx, v);
    test_log_close(&log);
}

// what goes through the context is counted; a library that allocates in factor must not be asked to
TEST(new_values_need_no_memory) {
    TestLog log;
    TestRandom r = {9};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            Sparse a = sparse_random(log.ctx, &r, 50, 3, true, true);
            CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
            double worst = 0, b[200];
            uint64_t before = 0;
            for (int trial = 0; trial <= 100; trial++) {
                sparse_fill(&a, &r, 6, form != REAL);
                assemble(s, a.v, form != REAL);
                CHECK_OK(cdi_linsol_factor(s));
                worst = fmax(worst, try_solve(s, &a, &r, trial % 2));
                random_vector(&r, 200, b);
                CHECK_OK(cdi_linsol_solve(s, 2, b, 50, false));
                cdi_linsol_refine(s, &(CdRefinement){.max_steps = 2}, false, b, b + 100);
                CHECK(cdi_linsol_rcond(s) > 0);
                if (trial == 0) before = cd_context_memory(log.ctx).total_blocks;
            }
            const CdLinsolStats stats = cdi_linsol_stats(s);
            CHECK_INT(stats.factors + stats.refactors, 101);
            CHECK_INT(stats.fallbacks, 0);
            CHECK_INT(cd_context_memory(log.ctx).total_blocks, before);
            CHECK(worst < 20);
            CHECK(stats.solves >= 303);
            CHECK(stats.nnz >= a.p->nnz || form == EMBEDDED);
            CHECK(stats.flops > 0);
            if ((*cls)->allocates_in_factor) CHECK_INT(stats.refactors, 100);
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

// after values that were set, and before others
static void check_given(CdLinsol *s, const Sparse *a, const Source *source, int w) {
    const size_t bytes = (size_t)(w * a->n) * sizeof(double);
    double *numbers = source_numbers(source, a->p, a->v, w);
    double *x = malloc(bytes), *y = malloc(bytes), before = 0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < w * a->n; i++) y[i] = 1 + i % 5;
        if (k == 1) {
            cdi_linsol_give(s, numbers);
        } else {
            cdi_linsol_set(s, a->v);
        }
        CHECK_OK(cdi_linsol_factor(s));
        CHECK_OK(cdi_linsol_solve(s, 1, y, a->n, false));
        if (k > 0) CHECK(memcmp(x, y, bytes) == 0);
        if (k > 0) CHECK_BITS(cdi_linsol_rcond(s), before);
        before = cdi_linsol_rcond(s);
        memcpy(x, y, bytes);
        const CdCsc m = cdi_linsol_matrix(s);
        CHECK(memcmp(m.v, a->v, (size_t)(w * a->p->nnz) * sizeof *m.v) == 0);
    }
    // the first column that is not finite is that of the upper one of two entries
    const int last = a->p->ptr[a->n] - 1, first = a->p->row[a->p->ptr[a->n - 1]];
    numbers[w * source->of[a->p->ptr[a->n - 1]]] = NAN;
    cdi_linsol_give(s, numbers);
    CHECK_INT(cdi_linsol_factor(s), CD_NONFINITE);
    CHECK_INT(cdi_linsol_bad_column(s), first);
    CHECK(a->p->row[last] == a->n - 1 && first < a->n - 1);
    free(numbers);
    free(x);
    free(y);
}

TEST(numbers_may_be_given_once_for_several_entries) {
    TestLog log;
    TestRandom r = {11};
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            const int w = form == REAL ? 1 : 2;
            Sparse a = sparse_random(log.ctx, &r, 30, 2, true, true);
            const Source source = source_new(a.p);
            Way way = way_of(*cls, form);
            way.setup.source = source.of;
            way.setup.nsource = source.n;
            CdLinsol *s = open_way(log.ctx, way, a.p);
            sparse_fill(&a, &r, 5, w == 2);
            double *numbers = source_numbers(&source, a.p, a.v, w);
            for (int k = 0; k < w * a.p->nnz; k++) a.v[k] = numbers[w * source.of[k / w] + k % w];
            free(numbers);
            check_given(s, &a, &source, w);
            cdi_linsol_free(s);
            free(source.of);
            sparse_free(&a);
        }
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(several_right_hand_sides_equal_single_ones) {
    TestLog log;
    TestRandom r = {10};
    test_log_open(&log);
    enum { N = 37, LD = 41, NRHS = 9 };
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            const int w = form == REAL ? 1 : 2;
            Sparse a = sparse_random(log.ctx, &r, N, 3, false, true);
            CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
            sparse_fill(&a, &r, 5, w == 2);
            assemble(s, a.v, w == 2);
            CHECK_OK(cdi_linsol_factor(s));
            for (int t = 0; t < 2; t++) {
                static double b[2 * LD * NRHS], x[2 * LD * NRHS];
                random_vector(&r, 2 * LD * NRHS, b);
                for (int nrhs = 0; nrhs <= NRHS; nrhs++) {
                    memcpy(x, b, sizeof b);
                    CHECK_OK(cdi_linsol_solve(s, nrhs, x, LD, t));
                    for (int k = 0; k < NRHS; k++) {
                        double *one = x + w * LD * k;
                        const double *from = b + w * LD * k;
                        if (k < nrhs) CHECK(sparse_residual(&a, w == 2, t, one, from) < 10);
                        // what lies between and behind is not touched
                        for (int i = k < nrhs ? w * N : 0; i < w * LD; i++) {
                            CHECK_BITS(one[i], from[i]);
                        }
                    }
                }
            }
            cdi_linsol_free(s);
            sparse_free(&a);
        }
    }
    test_log_close(&log);
}

TEST(the_same_numbers_give_the_same_bits) {
    TestLog log;
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            double x[2][160];
            for (int run = 0; run < 2; run++) {
                TestRandom r = {11};
                Sparse a = sparse_random(log.ctx, &r, 80, 3, true, true);
                CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
                for (int again = 0; again < 3; again++) {
                    sparse_fill(&a, &r, 2, form != REAL);
                    assemble(s, a.v, form != REAL);
                    CHECK_OK(cdi_linsol_factor(s));
                }
                random_vector(&r, 160, x[run]);
                CHECK_OK(cdi_linsol_solve(s, 1, x[run], 80, false));
                cdi_linsol_free(s);
                sparse_free(&a);
            }
            CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
        }
    }
    test_log_close(&log);
}

TEST(nothing_and_one_number_are_systems) {
    TestLog log;
    test_log_open(&log);
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            for (int n = 0; n <= 1; n++) {
                TestRandom r = {12};
                Sparse a = sparse_random(log.ctx, &r, n, 0, true, true);
                CdLinsol *s = open_way(log.ctx, way_of(*cls, form), a.p);
                if (n > 0) a.v[0] = -4, a.v[1] = 0;
                cdi_linsol_set(s, a.v);
                CHECK_OK(cdi_linsol_factor(s));
                double b[2] = {8, -2};
                CHECK_OK(cdi_linsol_solve(s, 1, b, n, false));
                CHECK_BITS(b[0], n > 0 ? -2 : 8);
                CHECK_BITS(b[1], n > 0 && form != REAL ? 0.5 : -2);
                int column;
                CHECK_NEAR(cdi_linsol_rcond(s), 1, 1e-15);
                CHECK_NEAR(cdi_linsol_weakest_pivot(s, &column), 1, 1e-15);
                CHECK_INT(column, n - 1);
                CHECK_BITS(cdi_linsol_residual(s, NULL, false, b, b) * n,
                           n > 0 ? cdi_linsol_residual(s, NULL, true, b, b) : 0);
                cdi_linsol_free(s);
                sparse_free(&a);
            }
        }
    }
    cdi_linsol_free(NULL);
    test_log_close(&log);
}

static CdStatus life(CdContext *ctx, void *user) {
    const Way *way = user;
    CdPatternBuilder b;
    CdPattern *p;
    CdLinsol *s = NULL;
    const double v[8] = {2, 1, 1, 3, 0, 0, 1, 0};
    cdi_pattern_begin(&b, ctx, 2, 2, true);
    cdi_pattern_add_block(&b, 2, (int[]){0, 1}, 2, (int[]){0, 1});
    CD_TRY(cdi_pattern_end(&b, &p));
    CdStatus status = cdi_linsol_new(ctx, way->cls, p, &way->setup, &s);
    if (status == CD_OK) {
        cdi_linsol_set(s, v);
        status = cdi_linsol_factor(s);
    }
    cdi_linsol_free(s);
    cdi_pattern_free(p);
    return status;
}

TEST(memory_fails_cleanly) {
    FOR_CLASSES(cls) {
        for (int form = REAL; form < NFORMS; form++) {
            Way way = way_of(*cls, form);
            way.setup.perm = (int[]){1, 0};
            CHECK_OOM(life, &way);
        }
    }
}

int main(void) {
    RUN(tables_are_sound);
    RUN(names_are_found_or_guessed);
    RUN(small_whole_systems_are_exact);
    RUN(random_systems_leave_tiny_residuals);
    RUN(diagonals_may_be_missing);
    RUN(saddle_points_are_pivoted);
    RUN(bad_scales_do_no_harm);
    RUN(structural_singularity_is_named);
    RUN(zero_columns_and_rows_are_named);
    RUN(dependent_columns_are_found);
    RUN(bad_numbers_are_named);
    RUN(overflow_is_not_a_solution);
    RUN(new_values_need_no_memory);
    RUN(several_right_hand_sides_equal_single_ones);
    RUN(numbers_may_be_given_once_for_several_entries);
    RUN(the_same_numbers_give_the_same_bits);
    RUN(nothing_and_one_number_are_systems);
    RUN(memory_fails_cleanly);
    return test_end();
}
