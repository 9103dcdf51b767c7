// test_order.c - elimination tree, counts and orders against elimination written out
#include "linalg/order.h"

#include "linalg/sparse.h"

#define N_MAX 60

// pattern of L by eliminating one unknown after the other in a table
static void brute_force(const CdPattern *p, const int *perm, char *l) {
    const int n = p->cols;
    memset(l, 0, (size_t)n * (size_t)n);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            l[i + n * j] = i == j || cdi_pattern_slot(p, perm[i], perm[j]) >= 0 ||
                           cdi_pattern_slot(p, perm[j], perm[i]) >= 0;
        }
    }
    for (int k = 0; k < n; k++) {
        for (int j = k + 1; j < n; j++) {
            for (int i = k + 1; i < n && l[k + n * j]; i++) l[i + n * j] |= l[i + n * k];
        }
    }
}

static void check_postorder(const CdSymbolic *s) {
    int at[N_MAX], first[N_MAX];
    for (int k = 0; k < s->n; k++) at[k] = -1;
    for (int k = 0; k < s->n; k++) {
        CHECK_INT(at[s->post[k]], -1);
        at[s->post[k]] = k;
        first[s->post[k]] = k;
    }
    for (int k = 0; k < s->n; k++) {
        const int j = s->post[k], parent = s->parent[j];
        // children come before, and the subtree of j is first ... k without a gap
        if (parent >= 0) CHECK(at[parent] > k);
        if (parent >= 0) first[parent] = first[parent] < first[j] ? first[parent] : first[j];
    }
    for (int j = 0; j < s->n; j++) {
        int size = 0;
        for (int i = 0; i < s->n; i++) {
            int up = i;
            while (up >= 0 && up != j) up = s->parent[up];
            size += up == j;
        }
        CHECK_INT(at[j] - first[j] + 1, size);
    }
}

static void check_symbolic(const CdSymbolic *s, const CdPattern *p) {
    static char l[N_MAX * N_MAX];
    const int n = p->cols;
    int64_t nnz = 0;
    double flops = 0;
    brute_force(p, s->perm, l);
    for (int j = 0; j < n; j++) {
        int count = 0, parent = -1;
        for (int i = n - 1; i >= j; i--) {
            count += l[i + n * j];
            if (i > j && l[i + n * j]) parent = i;
        }
        CHECK_INT(s->count[j], count);
        CHECK_INT(s->parent[j], parent);
        CHECK_INT(s->inverse[s->perm[j]], j);
        nnz += count;
        flops += (double)count * count;
    }
    CHECK_INT(s->nnz, nnz);
    CHECK_BITS(s->flops, flops);
    check_postorder(s);
}

TEST(counts_and_tree_equal_elimination) {
    TestLog log;
    TestRandom r = {1};
    test_log_open(&log);
    for (int trial = 0; trial < 300; trial++) {
        const int n = 1 + pick(&r, N_MAX), per = pick(&r, 4);
        Sparse a = sparse_random(log.ctx, &r, n, per, trial % 2, trial % 3);
        int given[N_MAX];
        for (int k = 0; k < n; k++) given[k] = n - 1 - k;
        for (int order = CD_ORDER_NATURAL; order <= CD_ORDER_GIVEN; order++) {
            CdSymbolic *s;
            CHECK_OK(cdi_symbolic_new(log.ctx, a.p, (CdOrder)order, given, &s));
            check_symbolic(s, a.p);
            for (int k = 0; k < n && (order == CD_ORDER_NATURAL || order == CD_ORDER_GIVEN); k++) {
                CHECK_INT(s->perm[k], order == CD_ORDER_GIVEN ? given[k] : k);
            }
            cdi_symbolic_free(s);
        }
        sparse_free(&a);
    }
    test_log_close(&log);
}

// an arrow: the hub first fills everything, last it fills nothing
TEST(the_hub_of_an_arrow_is_eliminated_last) {
    TestLog log;
    test_log_open(&log);
    enum { N = 50 };
    Sparse a = {.ctx = log.ctx};
    CdPatternBuilder b;
    CdSymbolic *s;
    cdi_pattern_begin(&b, log.ctx, N, N, true);
    cdi_pattern_add_diagonal(&b);
    for (int i = 1; i < N; i++) cdi_pattern_add(&b, i, 0);
    sparse_end(&a, &b);
    CHECK_OK(cdi_symbolic_new(log.ctx, a.p, CD_ORDER_NATURAL, NULL, &s));
    CHECK_INT(s->nnz, N * (N + 1) / 2);
    cdi_symbolic_free(s);
    for (int order = CD_ORDER_AMD; order <= CD_ORDER_DEGREE; order++) {
        CHECK_OK(cdi_symbolic_new(log.ctx, a.p, (CdOrder)order, NULL, &s));
        CHECK_INT(s->nnz, 2 * N - 1);
        cdi_symbolic_free(s);
    }
    sparse_free(&a);
    test_log_close(&log);
}

// a square mesh of 30 x 30: nested dissection reaches about 31 n log2 n / 4, the band 30 n
TEST(orders_save_fill_on_a_mesh) {
    TestLog log;
    test_log_open(&log);
    enum { M = 30, N = M * M };
    Sparse a = {.ctx = log.ctx};
    CdPatternBuilder b;
    CdSymbolic *s, *again;
    cdi_pattern_begin(&b, log.ctx, N, N, true);
    cdi_pattern_add_diagonal(&b);
    for (int i = 0; i < N; i++) {
        if (i % M) cdi_pattern_add(&b, i, i - 1);
        if (i >= M) cdi_pattern_add(&b, i, i - M);
    }
    sparse_end(&a, &b);
    CHECK_OK(cdi_symbolic_new(log.ctx, a.p, CD_ORDER_NATURAL, NULL, &s));
    const int64_t band = s->nnz;
    cdi_symbolic_free(s);
    for (int order = CD_ORDER_AMD; order <= CD_ORDER_DEGREE; order++) {
        CHECK_OK(cdi_symbolic_new(log.ctx, a.p, (CdOrder)order, NULL, &s));
        CHECK_OK(cdi_symbolic_new(log.ctx, a.p, (CdOrder)order, NULL, &again));
        printf("     entries of L: natural %lld, %s %lld\n", (long long)band,
               order == CD_ORDER_AMD ? "amd" : "degree", (long long)s->nnz);
        CHECK(2 * s->nnz < band);
        CHECK(memcmp(s->perm, again->perm, N * sizeof *s->perm) == 0);
        cdi_symbolic_free(s);
        cdi_symbolic_free(again);
    }
    sparse_free(&a);
    test_log_close(&log);
}

TEST(long_chains_need_no_recursion) {
    TestLog log;
    test_log_open(&log);
    enum { N = 200000 };
    Sparse a = {.ctx = log.ctx};
    CdPatternBuilder b;
    CdSymbolic *s;
    cdi_pattern_begin(&b, log.ctx, N, N, true);
    cdi_pattern_add_diagonal(&b);
    for (int i = 1; i < N; i++) cdi_pattern_add(&b, i, i - 1);
    sparse_end(&a, &b);
    CHECK_OK(cdi_symbolic_new(log.ctx, a.p, CD_ORDER_NATURAL, NULL, &s));
    CHECK_INT(s->nnz, 2 * N - 1);
    for (int k = 0; k < N; k += 1000) CHECK_INT(s->parent[k], k + 1);
    cdi_symbolic_free(s);
    CHECK_OK(cdi_symbolic_new(log.ctx, a.p, CD_ORDER_DEGREE, NULL, &s));
    CHECK_INT(s->nnz, 2 * N - 1);
    cdi_symbolic_free(s);
    sparse_free(&a);
    test_log_close(&log);
}

TEST(wrong_input_is_refused) {
    TestLog log;
    test_log_open(&log);
    CdPatternBuilder b;
    CdPattern *p;
    CdSymbolic *s;
    cdi_pattern_begin(&b, log.ctx, 2, 3, false);
    CHECK_OK(cdi_pattern_end(&b, &p));
    CHECK_INT(cdi_symbolic_new(log.ctx, p, CD_ORDER_AMD, NULL, &s), CD_INVALID);
    CHECK(s == NULL);
    cdi_pattern_free(p);
    cdi_pattern_begin(&b, log.ctx, 2, 2, false);
    CHECK_OK(cdi_pattern_end(&b, &p));
    CHECK_INT(cdi_symbolic_new(log.ctx, p, CD_ORDER_GIVEN, NULL, &s), CD_INVALID);
    CHECK_INT(cdi_symbolic_new(log.ctx, p, CD_ORDER_GIVEN, (int[]){1, 1}, &s), CD_INVALID);
    CHECK(s == NULL);
    CHECK_TEXT(log.text, "a matrix to be factored must be square, not 2 x 3\n"
                         "an order must be given\n"
                         "permutation: entries 0 and 1 are both 1\n");
    cdi_pattern_free(p);
    cdi_symbolic_free(NULL);
    test_log_close(&log);
}

TEST(nothing_is_analysed_too) {
    TestLog log;
    test_log_open(&log);
    CdPatternBuilder b;
    CdPattern *p;
    CdSymbolic *s;
    cdi_pattern_begin(&b, log.ctx, 0, 0, true);
    CHECK_OK(cdi_pattern_end(&b, &p));
    for (int order = CD_ORDER_AMD; order <= CD_ORDER_DEGREE; order++) {
        CHECK_OK(cdi_symbolic_new(log.ctx, p, (CdOrder)order, NULL, &s));
        CHECK_INT(s->nnz, 0);
        cdi_symbolic_free(s);
    }
    cdi_pattern_free(p);
    test_log_close(&log);
}

static CdStatus analyse(CdContext *ctx, void *user) {
    const CdOrder *order = user;
    CdPatternBuilder b;
    CdPattern *p;
    CdSymbolic *s;
    cdi_pattern_begin(&b, ctx, 4, 4, true);
    cdi_pattern_add(&b, 3, 1);
    CD_TRY(cdi_pattern_end(&b, &p));
    const CdStatus status = cdi_symbolic_new(ctx, p, *order, NULL, &s);
    cdi_symbolic_free(s);
    cdi_pattern_free(p);
    return status;
}

TEST(memory_fails_cleanly) {
    CHECK_OOM(analyse, &(CdOrder){CD_ORDER_AMD});
    CHECK_OOM(analyse, &(CdOrder){CD_ORDER_DEGREE});
}

int main(void) {
    RUN(counts_and_tree_equal_elimination);
    RUN(the_hub_of_an_arrow_is_eliminated_last);
    RUN(orders_save_fill_on_a_mesh);
    RUN(long_chains_need_no_recursion);
    RUN(wrong_input_is_refused);
    RUN(nothing_is_analysed_too);
    RUN(memory_fails_cleanly);
    return test_end();
}
