// test_newton.c - the judge of Newton's method: rates, trust between steps, early failures
#include "integrators/newton.h"

#include <math.h>

#include "test.h"

// a step whose increments shrink by rate from the first; the number of iterations, -1: failed
static int iterations(CdNewton *newton, CdNewtonEffort effort, double first, double rate) {
    double norm = first;
    cdi_newton_begin(newton, 1, effort);
    for (int k = 1;; k++, norm *= rate) {
        const bool enough = cdi_newton_left(newton, norm) <= newton->tolerance;
        const CdNewtonVerdict verdict = cdi_newton_judge(newton, norm);
        if (k > 1) CHECK(enough == (verdict == CD_NEWTON_DONE));
        if (verdict != CD_NEWTON_GO_ON) return verdict == CD_NEWTON_DONE ? k : -1;
    }
}

static CdNewton forgetful(void) {
    CdNewton newton;
    cdi_newton_reset(&newton);
    return newton;
}

TEST(errors_left_are_below_the_tolerance) {
    static const double rates[] = {0.9, 0.7, 0.3, 0.1, 0.01};
    for (int k = 0; k < 5; k++) {
        for (double first = 1e-3; first < 1e8; first *= 7) {
            CdNewton newton = forgetful();
            const int n = iterations(&newton, CD_JACOBIAN_KEPT, first, rates[k]);
            // what the increments after the last would have summed up to; a first one that is
            // below the tolerance already is taken as it is
            const double left = first * pow(rates[k], n) / (1 - rates[k]);
            CHECK(n == -1 || left <= 1 + 1e-12 || (n == 1 && first <= 1));
            // given up only if ten are not enough
            if (n == -1) CHECK(first * pow(rates[k], 10) / (1 - rates[k]) > 1);
        }
    }
}

TEST(slow_or_growing_increments_fail) {
    CdNewton newton = forgetful();
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 10, 0.995), -1);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_FRESH, 10, 1.5), -1);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 10, NAN), -1);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, INFINITY, 0.1), -1);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_EVERY, 10, 5), -1);
}

TEST(a_jacobian_per_iteration_may_begin_badly) {
    static const double norms[] = {1, 3, 5, 4, 0.1, 1e-4, 1e-9};
    CdNewton newton = forgetful();
    CdNewtonVerdict verdict = CD_NEWTON_GO_ON;
    int n = 0;
    cdi_newton_begin(&newton, 1e-3, CD_JACOBIAN_EVERY);
    while (verdict == CD_NEWTON_GO_ON && n < 7) verdict = cdi_newton_judge(&newton, norms[n++]);
    CHECK_INT(verdict, CD_NEWTON_DONE);
    CHECK(n >= 6);
}

// a step with a Jacobian in every iteration, whose increments are given; how many it takes
static int full_step(CdNewton *newton, const double norms[3]) {
    CdNewtonVerdict verdict = CD_NEWTON_GO_ON;
    int n = 0;
    cdi_newton_begin(newton, 1, CD_JACOBIAN_EVERY);
    while (verdict == CD_NEWTON_GO_ON && n < 3) verdict = cdi_newton_judge(newton, norms[n++]);
    CHECK_INT(verdict, CD_NEWTON_DONE);
    return n;
}

TEST(full_newton_knows_the_rate_of_its_first_increments) {
    CdNewton newton = forgetful();
    CHECK_INT(full_step(&newton, (double[]){1e4, 1e2, 1e-4}), 3);
    CHECK_INT(full_step(&newton, (double[]){1e3, 1, 1e-6}), 2); // 0.01, not sqrt(0.01 1e-6)
    CHECK_INT(full_step(&newton, (double[]){200, 1e-2, 1e-9}), 1);
}

TEST(errors_of_full_newton_grow_with_the_square) {
    CdNewton newton = forgetful();
    CHECK_INT(full_step(&newton, (double[]){100, 0.1, 0}), 2);
    CdNewton other = newton;
    CHECK_INT(full_step(&newton, (double[]){90, 0.08, 0}), 1);
    CHECK_INT(full_step(&other, (double[]){200, 0.4, 0}), 2);
}

TEST(full_newton_that_converges_at_once_shows_no_line) {
    CdNewton newton = forgetful();
    CHECK_INT(full_step(&newton, (double[]){100, 1e-10, 0}), 2);
    CHECK_INT(newton.trust, 0);
}

TEST(full_newton_says_nothing_about_kept_derivatives) {
    CdNewton newton = forgetful();
    CHECK_INT(full_step(&newton, (double[]){100, 1e-8, 0}), 2);
    CHECK_INT(full_step(&newton, (double[]){100, 1e-8, 0}), 1);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-3), 2);
}

// a new one in every step does as well while increments of steps are alike
TEST(new_jacobians_of_steps_in_a_row_know_their_rate) {
    CdNewton newton = forgetful();
    CHECK_INT(iterations(&newton, CD_JACOBIAN_FRESH, 100, 1e-8), 2);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_FRESH, 100, 1e-8), 1);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-8), 2);
    // small ones of kept steps are enough, whatever those of new ones were
    CdNewton other = forgetful();
    CHECK_INT(iterations(&other, CD_JACOBIAN_FRESH, 1e-3, 1e-8), 1);
    CHECK_INT(iterations(&other, CD_JACOBIAN_FRESH, 10, 1e-8), 2);
    other.measured = 1e-3;
    CHECK_INT(iterations(&other, CD_JACOBIAN_KEPT, 0.5, 0.1), 1);
    // one between kept ones is judged as they are, and if that is enough so are the next
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-8), 1);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_FRESH, 100, 1e-8), 1);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-8), 1);
}

// iterations of n equal steps of a linear problem
static int linear_steps(CdNewton *newton, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++) sum += iterations(newton, CD_JACOBIAN_KEPT, 100, 1e-14);
    return sum;
}

TEST(linear_problems_take_one_iteration) {
    CdNewton newton = forgetful();
    CHECK_INT(iterations(&newton, CD_JACOBIAN_FRESH, 100, 1e-14), 2);
    // its own step says nothing about a Jacobian, the next one does
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-14), 2);
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-14), 1);
    // then after 1, 2, 4, ..., 64 steps
    linear_steps(&newton, 200);
    CHECK_INT(linear_steps(&newton, 650), 660);
}

TEST(what_was_linear_is_looked_at_again) {
    CdNewton newton = forgetful();
    iterations(&newton, CD_JACOBIAN_FRESH, 100, 1e-14);
    linear_steps(&newton, 100);
    // the first increment jumps
    CHECK(iterations(&newton, CD_JACOBIAN_KEPT, 1000, 0.1) > 3);
    // and from now on the rate is that of the last step, with less trust in every step
    CHECK_INT(iterations(&newton, CD_JACOBIAN_KEPT, 100, 0.1), 3);
    CHECK_INT(newton.trust, 0);
    iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-6);
    int n = 0;
    while (n < 20 && iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-6) == 1) n++;
    CHECK(n >= 1 && n <= 6);
}

TEST(what_comes_to_rest_stays_linear) {
    CdNewton newton = forgetful();
    iterations(&newton, CD_JACOBIAN_FRESH, 100, 1e-14);
    linear_steps(&newton, 200);
    int sum = 0;
    for (int k = 0; k < 650; k++) sum += iterations(&newton, CD_JACOBIAN_KEPT, 10, 1e-7);
    CHECK(sum <= 661);
    CHECK(newton.trust > 0);
    // a second increment that says no more than that the first was enough
    for (int k = 0; k < 650; k++) iterations(&newton, CD_JACOBIAN_KEPT, 10, 5e-5);
    CHECK(newton.trust > 0);
    iterations(&newton, CD_JACOBIAN_KEPT, 100, 1e-4);
    CHECK_INT(newton.trust, 0);
}

// increments below the tolerance show no rate, so it is looked for now and then
TEST(good_beginnings_are_measured_now_and_then) {
    CdNewton newton = forgetful();
    int sum = 0;
    for (int k = 0; k < 330; k++) sum += iterations(&newton, CD_JACOBIAN_KEPT, 0.5, 0.1);
    CHECK(sum >= 339 && sum <= 341);
    CHECK_NEAR(newton.theta, 0.1, 1e-12);
    // but where they are next to nothing, that would be a rate of rounding errors
    for (int k = 0; k < 330; k++) sum -= iterations(&newton, CD_JACOBIAN_KEPT, 0.05, 0.1);
    CHECK(sum >= 9 && sum <= 11);
}

int main(void) {
    RUN(errors_left_are_below_the_tolerance);
    RUN(slow_or_growing_increments_fail);
    RUN(a_jacobian_per_iteration_may_begin_badly);
    RUN(full_newton_knows_the_rate_of_its_first_increments);
    RUN(errors_of_full_newton_grow_with_the_square);
    RUN(full_newton_that_converges_at_once_shows_no_line);
    RUN(full_newton_says_nothing_about_kept_derivatives);
    RUN(new_jacobians_of_steps_in_a_row_know_their_rate);
    RUN(linear_problems_take_one_iteration);
    RUN(what_was_linear_is_looked_at_again);
    RUN(what_comes_to_rest_stays_linear);
    RUN(good_beginnings_are_measured_now_and_then);
    return test_end();
}
