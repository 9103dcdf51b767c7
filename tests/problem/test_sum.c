// test_sum.c - matrices added to another one, by threads: every number once
#include "problem/work.h"
#include "test.h"

#define MANY 30000

static void check_sum(CdPool *pool, int terms, bool is_complex) {
    static double a[2 * MANY], x[3][MANY];
    static int slot[MANY];
    CdiSum s = {.a = a,
                .slot = slot,
                .terms = terms,
                .is_complex = is_complex,
                .c = {{2, 5}, {3}, {-1}},
                .x = {x[0], x[1], x[2]}};
    for (int k = 0; k < MANY; k++) {
        slot[k] = (7 * k + 3) % MANY; // each once
        for (int i = 0; i < 3; i++) x[i][k] = (i + 1) * k;
        a[2 * k] = a[2 * k + 1] = 1;
    }
    cdi_sum_add(pool, MANY, &s);
    int wrong = 0;
    for (int k = 0; k < MANY; k++) {
        const double real = 1 + (terms == 1 ? 2 : 5) * (double)k;
        wrong += a[(is_complex ? 2 : 1) * slot[k]] != real;
        wrong += is_complex && a[2 * slot[k] + 1] != 1 + 5.0 * k;
    }
    CHECK_INT(wrong, 0);
}

TEST(many_numbers_are_added_by_threads) {
    TestLog log;
    CdPool *pool;
    test_log_open(&log);
    CHECK_OK(cd_pool_new(log.ctx, 3, &pool));
    check_sum(pool, 1, false);
    check_sum(pool, 1, true);
    check_sum(pool, 3, false);
    check_sum(NULL, 3, false);
    cd_pool_free(pool);
    test_log_close(&log);
}

int main(void) {
    RUN(many_numbers_are_added_by_threads);
    return test_end();
}
