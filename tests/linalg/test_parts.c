// test_parts.c - unknowns in parts, eliminated side by side
#include "linalg/solvers.h"

#define MANY 4000
#define SHORT 20

// one chain, or many short ones, one after the other or woven into each other
typedef enum Shape { CHAIN, ROW, WOVEN } Shape;

static Sparse make(CdContext *ctx, TestRandom *r, Shape shape, int n) {
    const int stride = shape == WOVEN ? n / SHORT : 1;
    Sparse a = {.ctx = ctx};
    CdPatternBuilder b;
    cdi_pattern_begin(&b, ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int i = stride; i < n; i++) {
        if (shape != ROW || i % SHORT > 0) cdi_pattern_add(&b, i - stride, i);
    }
    sparse_end(&a, &b);
    sparse_fill(&a, r, 4, false);
    return a;
}

// parts from the last one up: the bits of all at once, and nothing else of b is touched
static void check_solution(CdLinsol *s, CdLinsolParts parts, int n, TestRandom *r) {
    const size_t bytes = (size_t)n * sizeof(double);
    static double whole[MANY], apart[MANY], before[MANY];
    for (int i = 0; i < n; i++) whole[i] = apart[i] = test_random(r, -1, 1);
    CHECK_OK(cdi_linsol_solve(s, 1, whole, n, false));
    for (int k = parts.n - 1; k >= 0; k--) {
        memcpy(before, apart, bytes);
        cdi_linsol_forward(s, k, k + 1, 0, apart);
        const int begin = parts.begin[k], end = parts.begin[k + 1];
        CHECK(memcmp(before, apart, (size_t)begin * sizeof *apart) == 0);
        CHECK(memcmp(before + end, apart + end, (size_t)(n - end) * sizeof *apart) == 0);
    }
    for (int k = parts.n - 1; k >= 0; k--) {
        memcpy(before, apart, bytes);
        // a thread that is late finds the same, though others are on their way back
        cdi_linsol_between(s, 0);
        cdi_linsol_backward(s, k, k + 1, 0, 0, apart);
        const int begin = parts.begin[k], end = parts.begin[k + 1];
        CHECK(memcmp(before, apart, (size_t)begin * sizeof *apart) == 0);
        CHECK(memcmp(before + end, apart + end, (size_t)(n - end) * sizeof *apart) == 0);
    }
    CHECK(memcmp(whole, apart, bytes) == 0);
}

static int parts_of(const char *name, Shape shape, int n) {
    TestLog log;
    TestRandom r = {5};
    const CdLinsolClass *cls;
    test_log_open(&log);
    Sparse a = make(log.ctx, &r, shape, n);
    CHECK_OK(cdi_linsol_find(log.ctx, name, &cls));
    CdLinsol *s = open_way(log.ctx, (Way){cls, {0}}, a.p);
    CHECK_INT(cdi_linsol_parts(s).n, 0);
    cdi_linsol_set(s, a.v);
    CHECK_OK(cdi_linsol_factor(s));
    const CdLinsolParts parts = cdi_linsol_parts(s);
    if (parts.n > 0) {
        CHECK_INT(parts.begin[0], 0);
        CHECK_INT(parts.begin[parts.n], n);
        int most = 0;
        for (int k = 0; k < parts.n; k++) {
            const int size = parts.begin[k + 1] - parts.begin[k];
            if (size > most) most = size;
            CHECK(size > 0);
        }
        CHECK(most < 2 * n / parts.n);
        check_solution(s, parts, n, &r);
    }
    cdi_linsol_free(s);
    sparse_free(&a);
    test_log_close(&log);
    return parts.n;
}

TEST(pieces_of_chains_are_parts) {
    CHECK_INT(parts_of("native", CHAIN, MANY), 4);
}

// ONCE_NS of session.c relies on it
TEST(chains_are_cut_from_where_two_threads_pay) {
    CHECK_INT(parts_of("native", CHAIN, 495), 1);
    CHECK_INT(parts_of("native", CHAIN, 496), 2);
}

TEST(islands_in_a_row_are_parts) {
    CHECK_INT(parts_of("native", ROW, MANY), 16);
}

TEST(islands_woven_into_each_other_are_not) {
    CHECK_INT(parts_of("native", WOVEN, MANY), 1);
}

TEST(others_have_none) {
    CHECK_INT(parts_of("klu", CHAIN, MANY), 0);
}

int main(void) {
    RUN(pieces_of_chains_are_parts);
    RUN(chains_are_cut_from_where_two_threads_pay);
    RUN(islands_in_a_row_are_parts);
    RUN(islands_woven_into_each_other_are_not);
    RUN(others_have_none);
    return test_end();
}
