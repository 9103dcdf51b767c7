// test_trial.c - work is shared where that takes less time, and this is asked again
#include "base/trial.h"

#include "test.h"

#define US 1000
#define MS 1000000

// so many ns of rounds, which take so long if they are shared and if not; the part that was shared
static double work(CdTrial *t, int64_t ns, int64_t shared, int64_t alone) {
    int64_t sum = 0, of_shared = 0;
    while (sum < ns) {
        const int64_t took = t->shares ? shared : alone;
        of_shared += t->shares ? took : 0;
        sum += took;
        cdi_trial_tell(t, cdi_trial_watches(t) ? took : 0);
    }
    return (double)of_shared / (double)sum;
}

TEST(what_pays_is_shared) {
    CdTrial t;
    cdi_trial_init(&t);
    CHECK(t.shares);
    CHECK(work(&t, 5000 * (int64_t)MS, 6 * US, 10 * US) > 0.999);
    CHECK(t.better);
}

// one thread is asked as well: twice in the first hundred milliseconds, then ever more seldom
TEST(both_ways_are_tried) {
    CdTrial t;
    cdi_trial_init(&t);
    CHECK(work(&t, 4 * MS, 6 * US, 10 * US) == 1);
    CHECK(work(&t, 10 * MS, 6 * US, 10 * US) < 1);
    CHECK(work(&t, 40 * MS, 6 * US, 10 * US) == 1);
    CHECK(work(&t, 100 * MS, 6 * US, 10 * US) < 1);
    work(&t, 5000 * (int64_t)MS, 6 * US, 10 * US);
    const int64_t period = t.period;
    work(&t, 5000 * (int64_t)MS, 6 * US, 10 * US);
    CHECK_INT(t.period, period);
}

TEST(what_does_not_pay_is_not) {
    CdTrial t;
    cdi_trial_init(&t);
    work(&t, 6 * MS, 18 * US, 10 * US);
    CHECK(!t.better);
    CHECK(work(&t, 5000 * (int64_t)MS, 18 * US, 10 * US) < 0.01);
}

// within two seconds, also where rounds become longer
TEST(minds_are_changed) {
    CdTrial t;
    cdi_trial_init(&t);
    for (int k = 0; k < 3; k++) {
        work(&t, 5000 * (int64_t)MS, 6 * US, 10 * US);
        work(&t, 2000 * (int64_t)MS, 18 * US, 10 * US);
        CHECK(!t.better);
        work(&t, 5000 * (int64_t)MS, 18 * US, 10 * US);
        work(&t, 2000 * (int64_t)MS, 6 * US, 10 * US);
        CHECK(t.better);
    }
}

// rounds that others disturb are few, or all alike
TEST(a_disturbance_decides_nothing) {
    CdTrial t;
    cdi_trial_init(&t);
    for (int k = 0; k < 1000000; k++) {
        const int64_t took = (t.shares ? 6 : 10) * US + (k % 3 == 0 ? 100 * US : 0);
        cdi_trial_tell(&t, cdi_trial_watches(&t) ? took : 0);
        CHECK(t.better);
    }
}

TEST(threads_that_wake_up_are_waited_for) {
    CdTrial t;
    cdi_trial_init(&t);
    work(&t, 60 * MS, 18 * US, 10 * US);
    CHECK(!t.better);
    while (!t.shares) work(&t, 1, 18 * US, 10 * US);
    // what is asleep takes a while to be as fast as it can
    work(&t, 3 * MS / 2, 40 * US, 10 * US);
    work(&t, 2 * MS, 6 * US, 10 * US);
    CHECK(t.better);
}

TEST(long_rounds_are_shared) {
    CdTrial t;
    cdi_trial_init(&t);
    CHECK(work(&t, 5000 * (int64_t)MS, 60 * US, 100 * US) == 1);
    cdi_trial_init(&t);
    CHECK(work(&t, 5000 * (int64_t)MS, 2000 * (int64_t)MS, 1) == 1);
}

int main(void) {
    RUN(what_pays_is_shared);
    RUN(both_ways_are_tried);
    RUN(what_does_not_pay_is_not);
    RUN(minds_are_changed);
    RUN(a_disturbance_decides_nothing);
    RUN(threads_that_wake_up_are_waited_for);
    RUN(long_rounds_are_shared);
    return test_end();
}
