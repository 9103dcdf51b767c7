// test_balance.c - cuts of jobs follow the speed of threads, and nothing is left out
#include "base/balance.h"

#include "test.h"

// so many jobs whose ranges take as long as they are, over the speeds of their threads
static void work(CdBalance *b, int njobs, const double *speed) {
    for (int i = 0; i < njobs; i++) {
        int64_t ns[CD_RANGES_MAX];
        if (!cdi_balance_watches(b)) continue;
        for (int t = 0; t < b->nthreads; t++) ns[t] = 0;
        for (int k = 0; k < b->nranges; k++) {
            const double length = b->cut[k + 1] - b->cut[k];
            ns[k % b->nthreads] += (int64_t)(length / speed[k % b->nthreads]);
        }
        cdi_balance_tell(b, ns);
    }
}

static double part(const CdBalance *b, int k) {
    return (double)(b->cut[k + 1] - b->cut[k]) / CDI_BALANCE_WHOLE;
}

TEST(cuts_are_even_at_first) {
    CdBalance b;
    cdi_balance_init(&b, 4, 2);
    for (int k = 0; k < 4; k++) CHECK_NEAR(part(&b, k), 0.25, 1e-4);
    CHECK_INT(cdi_balance_cut(&b, 10, 0), 0);
    CHECK_INT(cdi_balance_cut(&b, 10, 2), 5);
    CHECK_INT(cdi_balance_cut(&b, 10, 4), 10);
    CHECK(cdi_balance_cut(&b, SIZE_MAX, 4) == SIZE_MAX);
    CHECK(cdi_balance_cut(&b, SIZE_MAX, 2) == SIZE_MAX / 2);
}

TEST(equal_threads_stay_equal) {
    CdBalance b;
    const double speed[] = {1, 1};
    cdi_balance_init(&b, 2, 2);
    work(&b, 100000, speed);
    CHECK_NEAR(part(&b, 0), 0.5, 0.02);
}

// of every kind of job the same thread is the last
TEST(slow_threads_get_less) {
    CdBalance b;
    const double speed[] = {1, 0.7, 1};
    cdi_balance_init(&b, 2, 2);
    work(&b, 20000, speed);
    CHECK_NEAR(part(&b, 0), 1 / 1.7, 0.02);
    cdi_balance_init(&b, 3, 3);
    work(&b, 40000, speed);
    CHECK_NEAR(part(&b, 0), 1 / 2.7, 0.02);
    CHECK_NEAR(part(&b, 1), 0.7 / 2.7, 0.02);
    // more ranges than threads
    cdi_balance_init(&b, 4, 2);
    work(&b, 20000, speed);
    CHECK_NEAR(part(&b, 0) + part(&b, 2), 1 / 1.7, 0.02);
}

TEST(no_thread_is_left_out) {
    CdBalance b;
    const double speed[] = {1, 0.01};
    cdi_balance_init(&b, 2, 2);
    work(&b, 200000, speed);
    CHECK_NEAR(part(&b, 1), 0.25, 0.01);
}

// one kind of job that cannot be cut evenly does not outweigh those that can
TEST(one_uneven_job_changes_little) {
    CdBalance b;
    cdi_balance_init(&b, 2, 2);
    for (int i = 0; i < 100000; i++) {
        if (!cdi_balance_watches(&b)) continue;
        const int64_t own = b.cut[1], other = CDI_BALANCE_WHOLE - own;
        const int64_t even[] = {own, other}, uneven[] = {30000, 40000};
        cdi_balance_tell(&b, i % 3 == 0 ? uneven : even);
    }
    CHECK_NEAR(part(&b, 0), 0.5, 0.02);
}

// neighbours disturb both, one of them in six jobs of ten
TEST(a_thread_that_is_late_by_chance_keeps_its_part) {
    CdBalance b;
    cdi_balance_init(&b, 2, 2);
    for (int i = 0; i < 100000; i++) {
        if (!cdi_balance_watches(&b)) continue;
        const int64_t first[] = {40000, 30000}, second[] = {30000, 40000};
        cdi_balance_tell(&b, i % 5 < 3 ? first : second);
    }
    CHECK_NEAR(part(&b, 0), 0.5, 1e-4);
}

int main(void) {
    RUN(cuts_are_even_at_first);
    RUN(equal_threads_stay_equal);
    RUN(slow_threads_get_less);
    RUN(no_thread_is_left_out);
    RUN(one_uneven_job_changes_little);
    RUN(a_thread_that_is_late_by_chance_keeps_its_part);
    return test_end();
}
