// test_vecn.c - long vectors: the same bits on all instruction sets, right sums, bad numbers kept
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vecn.h"
#include "test.h"

#define N_MAX 20011

static double x[N_MAX + 8], y[N_MAX + 8], z[N_MAX + 8], out[N_MAX + 8];

// all short lengths, then some long ones
static size_t length(int i) {
    static const size_t longs[] = {100, 255, 256, 1000, 1023, N_MAX};
    return i <= 67 ? (size_t)i : longs[i - 68];
}
#define NLENGTHS 74

static void fill(TestRandom *r, double *v) {
    for (int i = 0; i < N_MAX + 8; i++) {
        v[i] = test_random(r, -1, 1) * pow(10, test_random(r, -6, 6));
    }
}

// element i goes to sum i mod 8; the tree of vecn.h: what every table must give to the bit
static double tiled_sum(size_t n, const double *v) {
    double s[8] = {0};
    for (size_t i = 0; i < n; i++) s[i % 8] += v[i];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

// calls the body with every table this machine has and a few alignments
typedef void Body(const CdVecnOps *ops, size_t n, const double *a, const double *b);
static void everywhere(Body *body) {
    TestRandom random = {1};
    fill(&random, x);
    fill(&random, y);
    int found = 0;
    for (int isa = 0; isa < CD_NISA; isa++) {
        const CdVecnOps *ops = cdi_vecn_ops((CdIsa)isa);
        if (!ops) continue;
        found++;
        for (int i = 0; i < NLENGTHS; i++) {
            for (int shift = 0; shift < 3; shift++) body(ops, length(i), x + shift, y + 2 * shift);
        }
    }
    CHECK(found > 0);
}

static void check_dot(const CdVecnOps *ops, size_t n, const double *a, const double *b) {
    long double ref = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        z[i] = a[i] * b[i];
        ref += (long double)a[i] * b[i];
        size += fabsl((long double)a[i] * b[i]);
    }
    CHECK_BITS(ops->dot(n, a, b), tiled_sum(n, z));
    double bound = (double)(((double)n / 8 + 4) * DBL_EPSILON * size);
    CHECK_NEAR(ops->dot(n, a, b), (double)ref, bound);
}

static void check_wrms(const CdVecnOps *ops, size_t n, const double *a, const double *b) {
    long double ref = 0;
    for (size_t i = 0; i < n; i++) {
        z[i] = (a[i] * b[i]) * (a[i] * b[i]);
        ref += (long double)a[i] * b[i] * a[i] * b[i];
    }
    double got = ops->wrms(n, a, b);
    CHECK_BITS(got, n == 0 ? 0 : sqrt(tiled_sum(n, z) / (double)n));
    ref = n == 0 ? 0 : sqrtl(ref / n);
    CHECK_NEAR(got, (double)ref, (double)(((double)n / 16 + 4) * DBL_EPSILON * ref));
}

static void check_max(const CdVecnOps *ops, size_t n, const double *a, const double *b) {
    (void)b;
    double ref = 0;
    for (size_t i = 0; i < n; i++) ref = fmax(ref, fabs(a[i]));
    CHECK_BITS(ops->max(n, a), ref);
}

static void check_linear(const CdVecnOps *ops, size_t n, const double *a, const double *b) {
    // behind the end nothing is written
    memcpy(out, b, n * sizeof *b);
    out[n] = 42;
    ops->axpy(n, 0.3, a, out);
    bool same = true;
    for (size_t i = 0; i < n; i++) same = same && out[i] == b[i] + 0.3 * a[i];
    CHECK(same && out[n] == 42);
    memcpy(out, b, n * sizeof *b);
    ops->scale(n, -0.7, out);
    for (size_t i = 0; i < n; i++) same = same && out[i] == -0.7 * b[i];
    CHECK(same && out[n] == 42);
}

static void check_combine(const CdVecnOps *ops, size_t n, const double *a, const double *b) {
    const double c[6] = {0.1, -3, 7, 1e-3, 2.5, -1};
    const double *const v[6] = {a, b, a + 1, b + 1, a, b};
    for (int k = 0; k <= 6; k++) {
        out[n] = 42;
        ops->combine(n, k, c, v, out);
        bool same = true;
        for (size_t i = 0; i < n; i++) {
            double s = k > 0 ? c[0] * v[0][i] : 0;
            for (int j = 1; j < k; j++) s += c[j] * v[j][i];
            same = same && out[i] == s;
        }
        CHECK(same && out[n] == 42);
    }
    // the output may be an input
    memcpy(z, a, n * sizeof *a);
    const double *const w[2] = {b, z};
    ops->combine(n, 2, c, w, z);
    bool same = true;
    for (size_t i = 0; i < n; i++) same = same && z[i] == c[0] * b[i] + c[1] * a[i];
    CHECK(same);
}

TEST(dot_has_the_bits_of_the_tree) {
    everywhere(check_dot);
}

TEST(wrms_has_the_bits_of_the_tree) {
    everywhere(check_wrms);
}

TEST(max_is_exact) {
    everywhere(check_max);
}

TEST(axpy_and_scale_round_once_per_operation) {
    everywhere(check_linear);
}

TEST(combinations_sum_in_order) {
    everywhere(check_combine);
}

// one bad element anywhere
static void check_bad(const CdVecnOps *ops, size_t n, size_t at, double bad) {
    for (size_t i = 0; i < n; i++) x[i] = y[i] = 1 + (double)i;
    CHECK(ops->finite(n, x));
    x[at] = bad;
    CHECK(!ops->finite(n, x));
    CHECK(isnan(bad) ? isnan(ops->max(n, x)) : ops->max(n, x) == INFINITY);
    CHECK(isnan(bad) ? isnan(ops->wrms(n, x, y)) : ops->wrms(n, x, y) == INFINITY);
    CHECK(isnan(bad) ? isnan(ops->dot(n, x, y)) : ops->dot(n, x, y) == bad);
    ops->axpy(n, 2, x, y);
    CHECK(isnan(bad) ? isnan(y[at]) : y[at] == bad);
    ops->scale(n, 2, x);
    CHECK(isnan(bad) ? isnan(x[at]) : x[at] == bad);
    // a NaN before a larger number must not be lost
    x[at] = bad;
    x[n - 1 - at] = at == n - 1 - at ? bad : 1e300;
    CHECK(isnan(bad) ? isnan(ops->max(n, x)) : ops->max(n, x) == INFINITY);
}

TEST(bad_numbers_are_kept) {
    for (int isa = 0; isa < CD_NISA; isa++) {
        const CdVecnOps *ops = cdi_vecn_ops((CdIsa)isa);
        for (size_t n = 1; ops && n <= 67; n++) {
            for (size_t at = 0; at < n; at++) {
                check_bad(ops, n, at, NAN);
                check_bad(ops, n, at, -NAN);
                check_bad(ops, n, at, INFINITY);
                check_bad(ops, n, at, -INFINITY);
            }
        }
    }
}

TEST(large_numbers_are_finite) {
    const CdVecnOps *ops = cdi_vecn();
    for (int i = 0; i < 20; i++) x[i] = i % 2 ? DBL_MAX : -DBL_MAX;
    CHECK(ops->finite(20, x));
    CHECK(ops->finite(0, NULL));
    CHECK(ops->max(20, x) == DBL_MAX);
    x[0] = -0.0;
    CHECK_BITS(ops->max(1, x), 0.0);
}

TEST(dispatch_follows_the_processor) {
    CHECK(cdi_vecn_ops(CD_ISA_BASE) != NULL);
    CHECK(cdi_vecn() == cdi_vecn_ops(cdi_isa()));
    for (int isa = (int)cdi_isa() + 1; isa < CD_NISA; isa++) {
        CHECK(cdi_vecn_ops((CdIsa)isa) == NULL);
    }
}

int main(void) {
    RUN(dot_has_the_bits_of_the_tree);
    RUN(wrms_has_the_bits_of_the_tree);
    RUN(max_is_exact);
    RUN(axpy_and_scale_round_once_per_operation);
    RUN(combinations_sum_in_order);
    RUN(bad_numbers_are_kept);
    RUN(large_numbers_are_finite);
    RUN(dispatch_follows_the_processor);
    return test_end();
}
