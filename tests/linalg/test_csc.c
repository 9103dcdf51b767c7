// test_csc.c - patterns and sparse matrices against dense tables
#include "linalg/csc.h"

#include <limits.h>

#include "linalg/sparse.h"

#define N_MAX 40

// is the pattern sorted, and exactly that of the table of 0 and 1?
static void check_pattern(const CdPattern *p, int rows, int cols, const char *table) {
    int nnz = 0;
    CHECK_INT(p->rows, rows);
    CHECK_INT(p->cols, cols);
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++) {
            const int slot = cdi_pattern_slot(p, i, j);
            CHECK_INT(slot >= 0, table[i + rows * j]);
            if (slot >= 0) CHECK_INT(slot, nnz);
            nnz += table[i + rows * j];
        }
        CHECK_INT(p->ptr[j + 1], nnz);
    }
    CHECK_INT(p->ptr[0], 0);
    CHECK_INT(p->nnz, nnz);
}

static int random_list(TestRandom *r, int max, int limit, int *list) {
    const int n = pick(r, max + 1);
    for (int k = 0; k < n; k++) list[k] = pick(r, limit);
    return n;
}

TEST(random_blocks_are_merged_and_sorted) {
    TestLog log;
    TestRandom r = {1};
    test_log_open(&log);
    for (int trial = 0; trial < 300; trial++) {
        char table[N_MAX * N_MAX] = {0};
        const bool symmetric = trial % 2;
        const int rows = 1 + pick(&r, N_MAX), cols = symmetric ? rows : 1 + pick(&r, N_MAX);
        CdPatternBuilder b;
        cdi_pattern_begin(&b, log.ctx, rows, cols, symmetric);
        for (int k = 0; k < 12; k++) {
            int ri[8], ci[8];
            const int nr = random_list(&r, 8, rows, ri), nc = random_list(&r, 8, cols, ci);
            CHECK_OK(cdi_pattern_add_block(&b, nr, ri, nc, ci));
            for (int e = 0; e < nr * nc; e++) {
                const int i = ri[e % nr], j = ci[e / nr];
                table[i + rows * j] = 1;
                if (symmetric) table[j + rows * i] = 1;
            }
        }
        if (trial % 3 == 0) {
            CHECK_OK(cdi_pattern_add_diagonal(&b));
            for (int i = 0; i < rows && i < cols; i++) table[i + rows * i] = 1;
        }
        CdPattern *p;
        CHECK_OK(cdi_pattern_end(&b, &p));
        check_pattern(p, rows, cols, table);
        if (symmetric) CHECK(cdi_pattern_is_symmetric(p));
        cdi_pattern_free(p);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(repeated_blocks_take_no_memory_of_couplings) {
    TestLog log;
    test_log_open(&log);
    enum { N = 300, TIMES = 1000 };
    int all[N];
    CdPatternBuilder b;
    CdPattern *p;
    for (int i = 0; i < N; i++) all[i] = i;
    cdi_pattern_begin(&b, log.ctx, N, N, false);
    for (int k = 0; k < TIMES; k++) cdi_pattern_add_block(&b, N, all, 2, all);
    CHECK_OK(cdi_pattern_end(&b, &p));
    CHECK_INT(p->nnz, 2 * N);
    // a list of couplings would take at least 4 N 2 TIMES bytes, twice that in a growing array
    CHECK(cd_context_memory(log.ctx).peak_bytes < 4000000);
    cdi_pattern_free(p);
    test_log_close(&log);
}

TEST(absent_and_outside_entries_have_no_slot) {
    TestLog log;
    CdPatternBuilder b;
    CdPattern *p;
    test_log_open(&log);
    cdi_pattern_begin(&b, log.ctx, 3, 4, false);
    cdi_pattern_add(&b, 0, 1);
    cdi_pattern_add(&b, 2, 1);
    cdi_pattern_add(&b, 2, 3);
    CHECK_OK(cdi_pattern_end(&b, &p));
    CHECK(!cdi_pattern_is_symmetric(p));
    const int outside[][2] = {{1, 1}, {-1, 1}, {3, 1}, {0, -1}, {0, 4}, {0, 0}, {2, 0}, {0, 3}};
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++) {
        CHECK_INT(cdi_pattern_slot(p, outside[k][0], outside[k][1]), -1);
    }
    int slots[4];
    CHECK_OK(cdi_pattern_slots(log.ctx, p, 2, (int[]){2, 0}, 1, (int[]){1}, slots));
    CHECK_INT(slots[0], 1);
    CHECK_INT(slots[1], 0);
    CHECK_INT(cdi_pattern_slots(log.ctx, p, 2, (int[]){0, 2}, 2, (int[]){1, 3}, slots), CD_INVALID);
    CHECK_TEXT(log.text, "the pattern has no entry in row 0, column 3\n");
    cdi_pattern_free(p);
    test_log_close(&log);
}

TEST(slots_of_a_block_run_down_its_columns) {
    TestLog log;
    CdPatternBuilder b;
    CdPattern *p;
    int slots[6];
    const int rows[2] = {3, 0}, cols[3] = {2, 4, 1};
    test_log_open(&log);
    cdi_pattern_begin(&b, log.ctx, 5, 5, false);
    cdi_pattern_add_block(&b, 2, rows, 3, cols);
    CHECK_OK(cdi_pattern_end(&b, &p));
    CHECK_OK(cdi_pattern_slots(log.ctx, p, 2, rows, 3, cols, slots));
    for (int k = 0; k < 6; k++) {
        CHECK_INT(slots[k], cdi_pattern_slot(p, rows[k % 2], cols[k / 2]));
    }
    cdi_pattern_free(p);
    test_log_close(&log);
}

TEST(mistakes_are_named_once_and_stick) {
    TestLog log;
    CdPatternBuilder b;
    CdPattern *p = (CdPattern *)&log;
    test_log_open(&log);
    cdi_pattern_begin(&b, log.ctx, 3, 2, false);
    CHECK_OK(cdi_pattern_add(&b, 2, 1));
    CHECK_INT(cdi_pattern_add(&b, 3, 1), CD_INVALID);
    CHECK_INT(cdi_pattern_add(&b, 0, 0), CD_INVALID);
    CHECK_INT(cdi_pattern_end(&b, &p), CD_INVALID);
    CHECK(p == NULL);
    CHECK_TEXT(log.text, "pattern: there is no row 3; there are 3\n");
    test_log_clear(&log);

    const int bad[][4] = {{0, 2, 1, 1}, {0, -1, 1, 1}, {-1, 0, 1, 1}, {0, 0, -1, 1}, {0, 0, 1, -2}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        cdi_pattern_begin(&b, log.ctx, 3, 2, false);
        CHECK_INT(cdi_pattern_add_block(&b, bad[k][2], bad[k], bad[k][3], bad[k] + 1), CD_INVALID);
        cdi_pattern_drop(&b);
    }
    CHECK_TEXT(log.text, "pattern: there is no column 2; there are 2\n"
                         "pattern: there is no column -1; there are 2\n"
                         "pattern: there is no row -1; there are 3\n"
                         "pattern: a list of rows cannot have -1 entries\n"
                         "pattern: a list of columns cannot have -2 entries\n");
    test_log_clear(&log);
    cdi_pattern_begin(&b, log.ctx, 3, 2, true);
    CHECK_INT(cdi_pattern_end(&b, &p), CD_INVALID);
    cdi_pattern_begin(&b, log.ctx, -1, 2, false);
    CHECK_INT(cdi_pattern_end(&b, &p), CD_LIMIT);
    cdi_pattern_begin(&b, log.ctx, 2, INT_MAX, false);
    CHECK_INT(cdi_pattern_end(&b, &p), CD_LIMIT);
    CHECK_TEXT(log.text, "a symmetric pattern must be square, not 3 rows and 2 columns\n"
                         "a pattern cannot have -1 rows and 2 columns\n"
                         "a pattern cannot have 2 rows and 2147483647 columns\n");
    test_log_close(&log);
}

TEST(more_entries_than_an_int_counts_are_refused) {
    TestLog log;
    CdPatternBuilder b;
    CdPattern *p;
    test_log_open(&log);
    // 47,000 x 47,000 full, as one block: two lists of 47,000
    enum { N = 47000 };
    int *all = malloc(N * sizeof *all);
    for (int i = 0; i < N; i++) all[i] = i;
    cdi_pattern_begin(&b, log.ctx, N, N, false);
    CHECK_OK(cdi_pattern_add_block(&b, N, all, N, all));
    CHECK_INT(cdi_pattern_end(&b, &p), CD_LIMIT);
    CHECK_TEXT(log.text, "a pattern cannot have more than 2147483647 entries\n");
    free(all);
    test_log_close(&log);
}

static void random_permutation(TestRandom *r, int n, int *perm) {
    for (int k = 0; k < n; k++) perm[k] = k;
    for (int k = n - 1; k > 0; k--) {
        const int other = pick(r, k + 1), t = perm[k];
        perm[k] = perm[other];
        perm[other] = t;
    }
}

TEST(transposes_and_permutations_move_every_entry) {
    TestLog log;
    TestRandom r = {2};
    test_log_open(&log);
    for (int trial = 0; trial < 100; trial++) {
        const int n = 1 + pick(&r, N_MAX);
        Sparse a = sparse_random(log.ctx, &r, n, 3, false, trial % 2);
        CdPattern *t, *c, *both;
        int rp[N_MAX], cp[N_MAX], *map = malloc((size_t)a.p->nnz * sizeof *map);
        random_permutation(&r, n, rp);
        random_permutation(&r, n, cp);

        CHECK_OK(cdi_pattern_transpose(log.ctx, a.p, map, &t));
        for (int j = 0; j < n; j++) {
            for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++) {
                CHECK_INT(cdi_pattern_slot(t, j, a.p->row[k]), map[k]);
            }
        }
        CHECK_INT(t->nnz, a.p->nnz);

        const bool rows = trial % 3 != 0, cols = trial % 5 != 0;
        CHECK_OK(cdi_pattern_permute(log.ctx, a.p, rows ? rp : NULL, cols ? cp : NULL, map, &c));
        CHECK_INT(c->nnz, a.p->nnz);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                const int old = cdi_pattern_slot(a.p, rows ? rp[i] : i, cols ? cp[j] : j);
                CHECK_INT(cdi_pattern_slot(c, i, j), old < 0 ? -1 : map[old]);
            }
        }

        CHECK_OK(cdi_pattern_symmetrize(log.ctx, a.p, map, &both));
        CHECK(cdi_pattern_is_symmetric(both));
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                const int ij = cdi_pattern_slot(a.p, i, j), ji = cdi_pattern_slot(a.p, j, i);
                CHECK_INT(cdi_pattern_slot(both, i, j) >= 0, ij >= 0 || ji >= 0);
                if (ij >= 0) CHECK_INT(map[ij], cdi_pattern_slot(both, i, j));
            }
        }
        free(map);
        cdi_pattern_free(t);
        cdi_pattern_free(c);
        cdi_pattern_free(both);
        sparse_free(&a);
    }
    test_log_close(&log);
}

TEST(permutations_are_checked) {
    TestLog log;
    int inverse[3];
    test_log_open(&log);
    CHECK_OK(cdi_permutation_invert(log.ctx, 3, (int[]){2, 0, 1}, inverse));
    CHECK(inverse[0] == 1 && inverse[1] == 2 && inverse[2] == 0);
    CHECK_INT(cdi_permutation_invert(log.ctx, 3, (int[]){2, 0, 2}, inverse), CD_INVALID);
    CHECK_INT(cdi_permutation_invert(log.ctx, 3, (int[]){2, 3, 1}, inverse), CD_INVALID);
    CHECK_INT(cdi_permutation_invert(log.ctx, 3, (int[]){-1, 0, 1}, inverse), CD_INVALID);
    CHECK_TEXT(log.text, "permutation: entries 0 and 2 are both 2\n"
                         "permutation: entry 1 is 3; it must be in 0 ... 2\n"
                         "permutation: entry 0 is -1; it must be in 0 ... 2\n");
    Sparse a = {.ctx = log.ctx};
    CdPatternBuilder b;
    CdPattern *c = a.p;
    cdi_pattern_begin(&b, log.ctx, 3, 3, false);
    sparse_end(&a, &b);
    CHECK_INT(cdi_pattern_permute(log.ctx, a.p, (int[]){0, 0, 0}, NULL, NULL, &c), CD_INVALID);
    CHECK(c == NULL);
    CHECK_INT(cdi_pattern_permute(log.ctx, a.p, NULL, (int[]){0, 1, 5}, NULL, &c), CD_INVALID);
    sparse_free(&a);
    test_log_close(&log);
}

// y + alpha op(A) x of a dense complex table
static void dense_mul(int n, const double *a, bool t, double alpha, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double *e = a + 2 * (t ? j + n * i : i + n * j);
            y[2 * i] += alpha * (e[0] * x[2 * j] - e[1] * x[2 * j + 1]);
            y[2 * i + 1] += alpha * (e[0] * x[2 * j + 1] + e[1] * x[2 * j]);
        }
    }
}

// a real array as pairs
static void as_complex(int n, const double *x, bool complex, double *y) {
    for (int i = 0; i < n; i++) {
        y[2 * i] = complex ? x[2 * i] : x[i];
        y[2 * i + 1] = complex ? x[2 * i + 1] : 0;
    }
}

TEST(products_equal_dense_ones) {
    TestLog log;
    TestRandom r = {3};
    test_log_open(&log);
    for (int trial = 0; trial < 80; trial++) {
        static double d[2 * N_MAX * N_MAX], z[2 * N_MAX * N_MAX];
        double x[2 * N_MAX], y[2 * N_MAX], xz[2 * N_MAX], yz[2 * N_MAX], got[2 * N_MAX];
        const bool complex = trial & 1, t = trial & 2;
        const int n = 1 + pick(&r, N_MAX), w = complex ? 2 : 1;
        Sparse a = sparse_random(log.ctx, &r, n, 4, false, true);
        sparse_fill(&a, &r, 0, complex);
        const CdCsc csc = {.pattern = a.p, .v = a.v, .complex = complex};
        cdi_csc_to_dense(&csc, d, n);
        for (int i = 0; i < 2 * n; i++)
            x[i] = test_random(&r, -1, 1), y[i] = test_random(&r, -1, 1);
        as_complex(n * n, d, complex, z);
        as_complex(n, x, complex, xz);
        as_complex(n, y, complex, yz);
        dense_mul(n, z, t, -0.75, xz, yz);
        cdi_csc_mul_add(&csc, t, -0.75, x, y);
        as_complex(n, y, complex, got);
        for (int i = 0; i < 2 * n; i++) CHECK_NEAR(got[i], yz[i], 1e-14);

        double max = 0, one = 0, inf = 0, work[N_MAX];
        for (int i = 0; i < n; i++) {
            double row = 0, col = 0;
            for (int j = 0; j < n; j++) {
                row += hypot(z[2 * (i + n * j)], z[2 * (i + n * j) + 1]);
                col += hypot(z[2 * (j + n * i)], z[2 * (j + n * i) + 1]);
                max = fmax(max, hypot(z[2 * (i + n * j)], z[2 * (i + n * j) + 1]));
            }
            inf = fmax(inf, row);
            one = fmax(one, col);
        }
        CHECK_NEAR(cdi_csc_max(&csc), max, 0);
        CHECK_NEAR(cdi_csc_norm1(&csc), one, 1e-14);
        CHECK_NEAR(cdi_csc_norm_inf(&csc, work), inf, 1e-14);
        a.v[w * a.p->nnz - 1] = NAN;
        CHECK(isnan(cdi_csc_max(&csc)) && isnan(cdi_csc_norm1(&csc)));
        CHECK(isnan(cdi_csc_norm_inf(&csc, work)));
        sparse_free(&a);
    }
    test_log_close(&log);
}

// columns by their rows, as bits: three that are alike are taken at a time, and look like it but
// for a gap, their length, the first or the last row of the second or third, or the end of the
// matrix
TEST(columns_that_are_alike_keep_the_order_of_sums) {
    static const int rows[] = {
        0x7f, 0x7f, 0x7f, 0x1c, 0x1c, 0x1c, // alike
        0x5c, 0x5c, 0x5c,                   // a gap
        0x1c, 0x1c, 0x0c, 0x1c, 0x0c, 0x1c, // length
        0x1c, 0x1a, 0x1c, 0x1c, 0x1c, 0x1a, // first row
        0x1c, 0x2c, 0x1c, 0x1c, 0x1c, 0x2c, // last row
        0,    0,    0,    0x38, 0x38,       // nothing, and too few
    };
    enum { ROWS = 9, COLS = sizeof rows / sizeof *rows };
    TestLog log;
    TestRandom r = {11};
    CdPatternBuilder b;
    double x[COLS + ROWS], y[COLS + ROWS], z[COLS + ROWS];
    test_log_open(&log);
    Sparse a = {.ctx = log.ctx};
    cdi_pattern_begin(&b, log.ctx, ROWS, COLS, false);
    for (int k = 0; k < ROWS * COLS; k++) {
        if (rows[k / ROWS] >> k % ROWS & 1) cdi_pattern_add(&b, k % ROWS, k / ROWS);
    }
    sparse_end(&a, &b);
    for (int k = 0; k < a.p->nnz; k++) a.v[k] = test_random(&r, -1, 1);
    const CdCsc csc = {.pattern = a.p, .v = a.v};
    for (int i = 0; i < COLS + ROWS; i++) x[i] = test_random(&r, -1, 1);
    for (int i = 0; i < COLS + ROWS; i++) y[i] = z[i] = test_random(&r, -1, 1);
    cdi_csc_mul_add(&csc, false, -0.7, x, y);
    for (int j = 0; j < COLS; j++) {
        for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++)
            z[a.p->row[k]] += a.v[k] * (-0.7 * x[j]);
    }
    for (int i = 0; i < COLS + ROWS; i++) CHECK_BITS(y[i], z[i]);
    cdi_csc_mul_add(&csc, true, 1.3, x, y);
    for (int j = 0; j < COLS; j++) {
        double sum = 0;
        for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++) sum += a.v[k] * x[a.p->row[k]];
        z[j] += 1.3 * sum;
    }
    for (int i = 0; i < COLS + ROWS; i++) CHECK_BITS(y[i], z[i]);
    sparse_free(&a);
    test_log_close(&log);
}

TEST(scaling_and_moving_values) {
    TestLog log;
    TestRandom r = {4};
    test_log_open(&log);
    for (int w = 1; w <= 2; w++) {
        double row[5], col[5];
        Sparse a = sparse_random(log.ctx, &r, 5, 2, false, true);
        CdCsc csc = {.pattern = a.p, .v = a.v, .complex = w == 2};
        const size_t count = (size_t)w * (size_t)a.p->nnz;
        double *old = malloc(count * sizeof *old), *other = malloc(count * sizeof *other);
        int *map = malloc((size_t)a.p->nnz * sizeof *map);
        CdPattern *t;
        sparse_fill(&a, &r, 0, w == 2);
        memcpy(old, a.v, count * sizeof *old);
        for (int i = 0; i < 5; i++) row[i] = test_random(&r, 1, 2), col[i] = test_random(&r, 1, 2);
        cdi_csc_scale(&csc, row, NULL);
        cdi_csc_scale(&csc, NULL, col);
        for (int j = 0; j < 5; j++) {
            for (int k = a.p->ptr[j]; k < a.p->ptr[j + 1]; k++) {
                const double s = row[a.p->row[k]] * col[j];
                for (int c = 0; c < w; c++) CHECK_NEAR(a.v[w * k + c], old[w * k + c] * s, 1e-14);
            }
        }
        CHECK_OK(cdi_pattern_transpose(log.ctx, a.p, map, &t));
        cdi_csc_scatter(&csc, map, other);
        memcpy(old, a.v, count * sizeof *old);
        for (int k = 0; k < a.p->nnz; k++) CHECK_BITS(other[w * map[k]], a.v[w * k]);
        memset(a.v, 0, count * sizeof *a.v);
        cdi_csc_gather(&csc, map, other);
        CHECK(memcmp(old, a.v, count * sizeof *old) == 0);
        free(old);
        free(other);
        free(map);
        cdi_pattern_free(t);
        sparse_free(&a);
    }
    test_log_close(&log);
}

TEST(dense_matrices_come_back) {
    TestLog log;
    test_log_open(&log);
    const double dense[3 * 4] = {1, 0, 99, 0, 0, 99, 2, -3, 99, 0, 5, 99};
    double back[8], *v;
    CdPattern *p;
    CHECK_OK(cdi_csc_from_dense(log.ctx, 2, 4, dense, 3, &p, &v));
    CHECK_INT(p->nnz, 4);
    CHECK(v[0] == 1 && v[1] == 2 && v[2] == -3 && v[3] == 5);
    const CdCsc a = {.pattern = p, .v = v};
    cdi_csc_to_dense(&a, back, 2);
    for (int i = 0; i < 8; i++) CHECK_BITS(back[i], dense[i % 2 + 3 * (i / 2)]);
    cdi_pattern_free(p);
    cdi_free(log.ctx, v);
    test_log_close(&log);
}

TEST(nothing_is_a_pattern) {
    TestLog log;
    CdPatternBuilder b;
    CdPattern *p, *t;
    test_log_open(&log);
    cdi_pattern_begin(&b, log.ctx, 0, 0, true);
    CHECK_OK(cdi_pattern_end(&b, &p));
    CHECK_INT(p->nnz, 0);
    CHECK(cdi_pattern_is_symmetric(p));
    CHECK_OK(cdi_pattern_transpose(log.ctx, p, NULL, &t));
    const CdCsc a = {.pattern = p};
    CHECK_BITS(cdi_csc_norm1(&a), 0);
    cdi_csc_mul_add(&a, false, 1, NULL, NULL);
    cdi_pattern_free(p);
    cdi_pattern_free(t);
    cdi_pattern_free(NULL);
    test_log_close(&log);
}

static CdStatus all_of_it(CdContext *ctx, void *user) {
    (void)user;
    CdPatternBuilder b;
    CdPattern *p, *t = NULL, *c = NULL, *both = NULL, *d = NULL;
    double *v = NULL;
    const double dense[4] = {1, 2, 3, 4};
    cdi_pattern_begin(&b, ctx, 3, 3, true);
    cdi_pattern_add_block(&b, 2, (int[]){0, 1}, 1, (int[]){2});
    cdi_pattern_add_diagonal(&b);
    CD_TRY(cdi_pattern_end(&b, &p));
    CdStatus status = cdi_pattern_transpose(ctx, p, NULL, &t);
    const int perm[3] = {2, 0, 1};
    if (status == CD_OK) status = cdi_pattern_permute(ctx, p, perm, perm, NULL, &c);
    if (status == CD_OK) status = cdi_pattern_symmetrize(ctx, p, NULL, &both);
    if (status == CD_OK) status = cdi_csc_from_dense(ctx, 2, 2, dense, 2, &d, &v);
    cdi_pattern_free(p);
    cdi_pattern_free(t);
    cdi_pattern_free(c);
    cdi_pattern_free(both);
    cdi_pattern_free(d);
    cdi_free(ctx, v);
    return status;
}

TEST(memory_fails_cleanly) {
    CHECK_OOM(all_of_it, NULL);
}

int main(void) {
    RUN(random_blocks_are_merged_and_sorted);
    RUN(repeated_blocks_take_no_memory_of_couplings);
    RUN(absent_and_outside_entries_have_no_slot);
    RUN(slots_of_a_block_run_down_its_columns);
    RUN(mistakes_are_named_once_and_stick);
    RUN(more_entries_than_an_int_counts_are_refused);
    RUN(transposes_and_permutations_move_every_entry);
    RUN(permutations_are_checked);
    RUN(products_equal_dense_ones);
    RUN(columns_that_are_alike_keep_the_order_of_sums);
    RUN(scaling_and_moving_values);
    RUN(dense_matrices_come_back);
    RUN(nothing_is_a_pattern);
    RUN(memory_fails_cleanly);
    return test_end();
}
