// test_so3.c - functions of the angle, exp, log and tangents of SO(3) against long double
#include <float.h>

#include "math/reference.h"
#include "math/so3.h"

static const double pi = 3.141592653589793;

// sum of (-1)^n x^n (p n + q)/(2n + k)!, differentiated once if d
static long double series(long double x, int k, int p, int q, bool d) {
    long double f = 1, sum = 0, power = 1, before = 0; // x^n, x^(n-1)
    for (int i = 2; i <= k; i++) f *= i;
    for (int n = 0; n < 60; n++) {
        sum += (p * n + q) / f * (n % 2 ? -1 : 1) * (d ? n * before : power);
        before = power;
        power *= x;
        f *= (long double)(2 * n + k + 1) * (2 * n + k + 2);
    }
    return sum;
}

static long double ref_a(long double x) {
    return series(x, 1, 0, 1, false);
}

static long double ref_b(long double x) {
    return series(x, 2, 0, 1, false);
}

static long double ref_c(long double x) {
    return series(x, 3, 0, 1, false);
}

static long double ref_b1(long double x) {
    return series(x, 2, 0, 1, true);
}

static long double ref_c1(long double x) {
    return series(x, 3, 0, 1, true);
}

// (2b - a)/x over 2b: the numerator has the coefficients (2n + 2)/(2n + 4)!
static long double ref_d(long double x) {
    return series(x, 4, 2, 2, false) / (2 * ref_b(x));
}

static long double ref_d1(long double x) {
    long double num1 = series(x, 4, 2, 2, true);
    return (num1 - 2 * ref_b1(x) * ref_d(x)) / (2 * ref_b(x));
}

static long double ref_t(long double x) {
    long double r = sqrtl(x);
    return x < 1e-30L ? 1 - x / 3 : atanl(r) / r;
}

static double relative(double got, long double ref) {
    return (double)(fabsl(got - ref) / fabsl(ref));
}

TEST(functions_of_the_angle) {
    static double angles[REF_NANGLES];
    RefWorst a = {0}, b = {0}, c = {0}, d = {0}, b1 = {0}, c1 = {0}, d1 = {0}, t = {0};
    int n = ref_angles(6, angles);
    for (int i = 0; i < n; i++) {
        double theta = angles[i], x = theta * theta;
        // a crosses 0 at pi: there the error counts against 1/theta
        ref_worst(&a, (double)(fabsl(rot_a(x) - ref_a(x)) * fmaxl(1, theta)), theta);
        if (theta < 1) ref_worst(&a, relative(rot_a(x), ref_a(x)), theta);
        if (theta < 5) ref_worst(&b, relative(rot_b(x), ref_b(x)), theta);
        ref_worst(&c, relative(rot_c(x), ref_c(x)), theta);
        if (theta < 5) ref_worst(&b1, relative(rot_b1(x), ref_b1(x)), theta);
        ref_worst(&c1, relative(rot_c1(x), ref_c1(x)), theta);
        if (theta < 5) ref_worst(&d, relative(rot_d(x), ref_d(x)), theta);
        if (theta < 5) ref_worst(&d1, relative(rot_d1(x), ref_d1(x)), theta);
        ref_worst(&t, relative(rot_t(x), ref_t(x)), theta);
    }
    CHECK_WORST(a, 1.5e-15);
    CHECK_WORST(b, 1.5e-15);
    CHECK_WORST(c, 1e-15);
    CHECK_WORST(d, 1e-15);
    CHECK_WORST(b1, 3e-15);
    CHECK_WORST(c1, 5e-15);
    CHECK_WORST(d1, 3e-15);
    CHECK_WORST(t, 1e-15);
}

static void check_coefficient(double got, long double ref) {
    CHECK_NEAR(got, (double)ref, (double)fabsl(ref) * DBL_EPSILON);
}

// zeta(s) - 1 for even s >= 2, Euler-Maclaurin behind k = 200
static long double zeta1(int s) {
    long double sum = 0, k = 200;
    for (int i = 199; i >= 2; i--) sum += powl(i, -s);
    sum += powl(k, 1 - s) / (s - 1) + powl(k, -s) / 2 + s * powl(k, -s - 1) / 12;
    return sum - s * (s + 1.0L) * (s + 2) * powl(k, -s - 3) / 720;
}

TEST(series_coefficients) {
    long double f = 1;
    for (int n = 0; n < 12; n++) {
        int sign = n % 2 ? -1 : 1;
        f *= n > 0 ? 2 * n * (2 * n + 1) : 1;
        check_coefficient(rot_a_series[n], sign / f);
        check_coefficient(rot_b_series[n], sign / (f * (2 * n + 2)));
        check_coefficient(rot_c_series[n], sign / (f * (2 * n + 2) * (2 * n + 3)));
    }
    for (int n = 0; n < 15; n++) {
        check_coefficient(rot_d_series[n], 2 * zeta1(2 * n + 2) * powl(2 * ref_pi, -2 * n - 2));
    }
    for (int n = 0; n < 14; n++)
        check_coefficient(rot_t_series[n], (n % 2 ? -1.0L : 1) / (2 * n + 1));
    check_coefficient(rot_limits[3], 4 * ref_pi * ref_pi);
}

// the two errors that meet at a switch point: cancellation of the closed form in its derivative
// just above it (unit roundoff times a factor), and what the series leaves out just below it
TEST(switch_points) {
    double u = 0.5 * DBL_EPSILON, x = rot_limits[0];
    CHECK(u * fabs(rot_b(x) / (rot_b(x) - 3 * rot_c(x))) < 1e-15);
    CHECK(12 * pow(x, 11) / 4.0e26 < 1e-17);
    x = rot_limits[1];
    CHECK(u * 1 / fabs(0.25 / rot_b(x) - 1) < 1e-15);
    CHECK(15 * 1.34e-35 * pow(x, 14) < 1e-17 * rot_d1(x));
    x = rot_limits[2];
    CHECK(3 * u / x < 1e-14);
    CHECK(pow(x, 14) / 29 < 1e-17);
}

static void skew_error(RefWorst *worst, const double *got, const long double *ref, double theta) {
    ref_worst(worst, ref_error(9, got, ref), theta);
}

TEST(exp_and_tangents_against_taylor) {
    static double angles[REF_NANGLES];
    RefWorst exp = {0}, right = {0}, left = {0}, right_inv = {0}, left_inv = {0};
    TestRandom random = {1};
    int n = ref_angles(6, angles);
    for (int i = 0; i < n; i++) {
        double w[3], m[3], got[9], theta = angles[i];
        long double hat[9], neg[9], ref[9], inv[9];
        ref_direction(&random, theta, w);
        for (int k = 0; k < 3; k++) m[k] = -w[k];
        ref_skew(w, hat);
        ref_skew(m, neg);
        so3_exp(w, got);
        ref_exp(3, hat, ref);
        skew_error(&exp, got, ref, theta);
        so3_dexp_l(w, got);
        ref_phi(3, hat, ref);
        skew_error(&left, got, ref, theta);
        so3_dexp_l_inv(w, got);
        ref_inv(3, ref, inv);
        if (theta < 5) skew_error(&left_inv, got, inv, theta);
        so3_dexp_r(w, got);
        ref_phi(3, neg, ref);
        skew_error(&right, got, ref, theta);
        so3_dexp_r_inv(w, got);
        ref_inv(3, ref, inv);
        if (theta < 5) skew_error(&right_inv, got, inv, theta);
    }
    CHECK_WORST(exp, 2e-15);
    CHECK_WORST(right, 2e-15);
    CHECK_WORST(left, 2e-15);
    CHECK_WORST(right_inv, 5e-15);
    CHECK_WORST(left_inv, 5e-15);
}

// the part that carries the information at small angles: R - I and T - I relative to |w|
TEST(small_angles_keep_their_digits) {
    static double angles[REF_NANGLES];
    RefWorst exp = {0}, right = {0}, inv = {0};
    TestRandom random = {2};
    int n = ref_angles(1, angles);
    for (int i = 0; i < n; i++) {
        double w[3], r[9], t[9], ti[9], v[3], theta = angles[i];
        ref_direction(&random, theta, w);
        so3_exp(w, r);
        so3_dexp_r(w, t);
        so3_dexp_r_inv(w, ti);
        if (theta == 0 || theta > 1e-5) continue;
        // skew parts: a w, -b w, w/2
        long double half[3], minus[3], whole[3];
        for (int k = 0; k < 3; k++) {
            whole[k] = w[k] * (1 - (long double)theta * theta / 6);
            minus[k] = -0.5L * w[k] * (1 - (long double)theta * theta / 12);
            half[k] = 0.5L * w[k];
        }
        vee3(r, v);
        ref_worst(&exp, ref_error(3, v, whole), theta);
        vee3(t, v);
        ref_worst(&right, ref_error(3, v, minus), theta);
        vee3(ti, v);
        ref_worst(&inv, ref_error(3, v, half), theta);
    }
    CHECK_WORST(exp, 1e-15);
    CHECK_WORST(right, 1e-15);
    CHECK_WORST(inv, 1e-15);
}

TEST(exp_of_many_turns) {
    RefWorst exp = {0};
    TestRandom random = {3};
    for (int i = 0; i < 2000; i++) {
        double w[3], got[9], theta = test_random(&random, 0, 100);
        long double hat[9], ref[9];
        ref_direction(&random, theta, w);
        ref_skew(w, hat);
        ref_exp(3, hat, ref);
        so3_exp(w, got);
        // the rounding of |w|^2 alone turns R by theta eps
        ref_worst(&exp, ref_error(9, got, ref) / fmax(1, theta), theta);
    }
    CHECK_WORST(exp, 1e-15);
}

TEST(log_inverts_the_reference_exp) {
    static double angles[REF_NANGLES];
    RefWorst log = {0};
    TestRandom random = {4};
    int n = ref_angles(pi, angles);
    for (int i = 0; i < n; i++) {
        double w[3], r[9], got[3], theta = angles[i];
        long double hat[9], ref[9], wl[3];
        ref_direction(&random, theta, w);
        if (sqrt(dot3(w, w)) > pi) continue;
        ref_skew(w, hat);
        ref_exp(3, hat, ref);
        for (int k = 0; k < 9; k++) r[k] = (double)ref[k];
        so3_log(r, got);
        // at pi both signs of the axis are right
        double sign = theta > 3.14159 && dot3(got, w) < 0 ? -1 : 1;
        for (int k = 0; k < 3; k++) wl[k] = sign * w[k];
        ref_worst(&log, ref_error(3, got, wl), theta);
    }
    CHECK_WORST(log, 2e-15);
}

TEST(identities) {
    static double angles[REF_NANGLES];
    RefWorst log_exp = {0}, exp_log = {0}, orthogonal = {0}, inverse_r = {0}, inverse_l = {0};
    RefWorst det = {0}, fixed = {0}, left_right = {0};
    const long double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    TestRandom random = {5};
    int n = ref_angles(pi, angles);
    for (int i = 0; i < n; i++) {
        double w[3], u[3], r[9], r2[9], a[9], b[9], c[9], theta = angles[i];
        long double ref[9];
        ref_direction(&random, theta, w);
        so3_exp(w, r);
        so3_log(r, u);
        for (int k = 0; k < 3; k++) ref[k] = w[k];
        if (theta < 3.14159) ref_worst(&log_exp, ref_error(3, u, ref), theta);
        so3_exp(u, r2);
        for (int k = 0; k < 9; k++) ref[k] = r[k];
        ref_worst(&exp_log, ref_error(9, r2, ref), theta);
        tmul33(r, r, a);
        ref_worst(&orthogonal, ref_error(9, a, eye), theta);
        ref_worst(&det, fabs(det33(r) - 1), theta);
        mul3v(r, w, u);
        for (int k = 0; k < 3; k++) ref[k] = w[k];
        ref_worst(&fixed, ref_error(3, u, ref), theta);
        so3_dexp_r(w, a);
        so3_dexp_r_inv(w, b);
        mul33(a, b, c);
        ref_worst(&inverse_r, ref_error(9, c, eye), theta);
        so3_dexp_l(w, a);
        so3_dexp_l_inv(w, b);
        mul33(b, a, c);
        ref_worst(&inverse_l, ref_error(9, c, eye), theta);
        // dexp_l = R dexp_r
        so3_dexp_r(w, b);
        mul33(r, b, c);
        for (int k = 0; k < 9; k++) ref[k] = a[k];
        ref_worst(&left_right, ref_error(9, c, ref), theta);
    }
    CHECK_WORST(log_exp, 3e-15);
    CHECK_WORST(exp_log, 3e-15);
    CHECK_WORST(orthogonal, 4e-15);
    CHECK_WORST(det, 4e-15);
    CHECK_WORST(fixed, 2e-15);
    CHECK_WORST(inverse_r, 3e-15);
    CHECK_WORST(inverse_l, 3e-15);
    CHECK_WORST(left_right, 3e-15);
}

// reference of exp (kind 0), dexp_r u (1), dexp_r^-1 u (2) at w + h wdot
static void at(int kind, const double w[3], const double dw[3], const double u[3], long double h,
               long double *out) {
    long double hat[9] = {0}, m[9], inv[9], s[3];
    for (int k = 0; k < 3; k++) s[k] = w[k] + h * dw[k];
    hat[1] = -s[2], hat[2] = s[1], hat[5] = -s[0];
    hat[3] = s[2], hat[6] = -s[1], hat[7] = s[0];
    if (kind == 0) {
        ref_exp(3, hat, out);
        return;
    }
    for (int k = 0; k < 9; k++) hat[k] = -hat[k];
    ref_phi(3, hat, m);
    ref_inv(3, m, inv);
    const long double *t = kind == 1 ? m : inv;
    for (int k = 0; k < 3; k++)
        out[k] = t[3 * k] * u[0] + t[3 * k + 1] * u[1] + t[3 * k + 2] * u[2];
}

static void differentiate(int kind, const double w[3], const double dw[3], const double u[3],
                          long double *out) {
    long double plus[9], minus[9];
    const long double h = 1e-6L;
    at(kind, w, dw, u, h, plus);
    at(kind, w, dw, u, -h, minus);
    for (int k = 0; k < (kind == 0 ? 9 : 3); k++) out[k] = (plus[k] - minus[k]) / (2 * h);
}

TEST(rates_against_long_double_differences) {
    RefWorst right = {0}, left = {0}, dexp_dw = {0}, inverse_dw = {0}, apply = {0};
    TestRandom random = {6};
    for (int i = 0; i < 3000; i++) {
        double w[3], dw[3], u[3], v[3], r[9], s[9], got[9], d[9], theta = 5.0 * i / 3000;
        long double ref[9];
        ref_direction(&random, theta, w);
        ref_direction(&random, 1, dw);
        ref_direction(&random, 1, u);
        so3_exp(w, r);
        differentiate(0, w, dw, u, ref);
        so3_dexp_r_v(w, dw, v);
        skew3(v, s);
        mul33(r, s, got);
        ref_worst(&right, ref_error(9, got, ref), theta);
        so3_dexp_l(w, d);
        mul3v(d, dw, v);
        skew3(v, s);
        mul33(s, r, got);
        ref_worst(&left, ref_error(9, got, ref), theta);
        so3_dexp_r_dw(w, u, d);
        mul3v(d, dw, v);
        differentiate(1, w, dw, u, ref);
        ref_worst(&dexp_dw, ref_error(3, v, ref), theta);
        so3_dexp_r_inv_dw(w, u, d);
        mul3v(d, dw, v);
        differentiate(2, w, dw, u, ref);
        ref_worst(&inverse_dw, ref_error(3, v, ref), theta);
        // dexp_r^-1 (dexp_r u) = u
        so3_dexp_r_v(w, u, v);
        so3_dexp_r_inv_v(w, v, got);
        for (int k = 0; k < 3; k++) ref[k] = u[k];
        ref_worst(&apply, ref_error(3, got, ref), theta);
    }
    CHECK_WORST(right, 1e-11);
    CHECK_WORST(left, 1e-11);
    CHECK_WORST(dexp_dw, 1e-9);
    CHECK_WORST(inverse_dw, 1e-9);
    CHECK_WORST(apply, 1e-14);
}

TEST(log_of_half_turns) {
    TestRandom random = {7};
    for (int i = 0; i < 200; i++) {
        double n[3], r[9], w[3], r2[9];
        ref_direction(&random, 1, n);
        // exact half turns about the axes and their diagonals too
        if (i < 7) {
            for (int k = 0; k < 3; k++) n[k] = ((i + 1) >> k) & 1;
            double s[3];
            unit3(n, s);
            copy3(s, n);
        }
        for (int k = 0; k < 9; k++) r[k] = 2 * n[k / 3] * n[k % 3] - (k % 4 == 0);
        so3_log(r, w);
        CHECK_NEAR(norm3(w), pi, 1e-15 * pi);
        so3_exp(w, r2);
        for (int k = 0; k < 9; k++) CHECK_NEAR(r2[k], r[k], 2e-15);
    }
}

TEST(nan_stays_nan) {
    double w[3] = {0, NAN, 0}, r[9];
    so3_exp(w, r);
    CHECK(isnan(trace33(r)));
    so3_dexp_r_inv(w, r);
    CHECK(isnan(trace33(r)));
    so3_log(r, w);
    CHECK(isnan(w[0] + w[1] + w[2]));
}

int main(void) {
    RUN(functions_of_the_angle);
    RUN(series_coefficients);
    RUN(switch_points);
    RUN(exp_and_tangents_against_taylor);
    RUN(small_angles_keep_their_digits);
    RUN(exp_of_many_turns);
    RUN(log_inverts_the_reference_exp);
    RUN(identities);
    RUN(rates_against_long_double_differences);
    RUN(log_of_half_turns);
    RUN(nan_stays_nan);
    return test_end();
}
