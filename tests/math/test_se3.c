// test_se3.c - exp, log, adjoint and tangents of SE(3) against long double references
#include "math/reference.h"
#include "math/se3.h"

static const double pi = 3.141592653589793;

// the 4 x 4 matrix of a twist, and its 6 x 6 commutator
static void hat4(const double xi[6], long double out[16]) {
    long double s[9];
    ref_skew(&xi[3], s);
    memset(out, 0, 16 * sizeof *out);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out[4 * i + j] = s[3 * i + j];
        out[4 * i + 3] = xi[i];
    }
}

static void ad6(const double xi[6], double sign, long double out[36]) {
    long double w[9], v[9];
    ref_skew(&xi[3], w);
    ref_skew(&xi[0], v);
    memset(out, 0, 36 * sizeof *out);
    for (int i = 0; i < 9; i++) {
        int row = i / 3, col = i % 3;
        out[6 * row + col] = out[6 * (row + 3) + col + 3] = sign * w[i];
        out[6 * row + col + 3] = sign * v[i];
    }
}

// the upper right block alone
static double coupling_error(const double got[36], const long double ref[36]) {
    double g[9];
    long double r[9];
    for (int i = 0; i < 9; i++) {
        g[i] = got[6 * (i / 3) + i % 3 + 3];
        r[i] = ref[6 * (i / 3) + i % 3 + 3];
    }
    return ref_error(9, g, r);
}

static void random_twist(TestRandom *random, double theta, double xi[6]) {
    ref_direction(random, pow(10, test_random(random, -3, 3)), &xi[0]);
    ref_direction(random, theta, &xi[3]);
}

TEST(exp_against_taylor) {
    static double angles[REF_NANGLES];
    RefWorst rotation = {0}, position = {0};
    TestRandom random = {1};
    int n = ref_angles(6, angles);
    for (int i = 0; i < n; i++) {
        double xi[6], r[9], p[3], theta = angles[i];
        long double hat[16], ref[16], rr[9], pr[3];
        ref_direction(&random, 1, &xi[0]);
        ref_direction(&random, theta, &xi[3]);
        hat4(xi, hat);
        ref_exp(4, hat, ref);
        for (int k = 0; k < 9; k++) rr[k] = ref[4 * (k / 3) + k % 3];
        for (int k = 0; k < 3; k++) pr[k] = ref[4 * k + 3];
        se3_exp(xi, r, p);
        ref_worst(&rotation, ref_error(9, r, rr), theta);
        // near a full turn V v nearly vanishes: against |v| = 1
        ref_worst(&position, ref_error(3, p, pr) * (double)fminl(1, fabsl(pr[0]) + fabsl(pr[1])),
                  theta);
    }
    CHECK_WORST(rotation, 2e-15);
    CHECK_WORST(position, 2e-15);
}

TEST(tangents_against_taylor) {
    static double angles[REF_NANGLES];
    RefWorst left = {0}, right = {0}, left_inv = {0}, right_inv = {0};
    TestRandom random = {2};
    int n = ref_angles(5, angles);
    for (int i = 0; i < n; i++) {
        double xi[6], got[36], theta = angles[i];
        long double ad[36], ref[36], inv[36];
        random_twist(&random, theta, xi);
        for (int sign = -1; sign <= 1; sign += 2) {
            RefWorst *t = sign < 0 ? &right : &left, *ti = sign < 0 ? &right_inv : &left_inv;
            ad6(xi, sign, ad);
            ref_phi(6, ad, ref);
            if (sign < 0) se3_dexp_r(xi, got);
            if (sign > 0) se3_dexp_l(xi, got);
            ref_worst(t, ref_error(36, got, ref), theta);
            ref_worst(t, coupling_error(got, ref), theta);
            ref_inv(6, ref, inv);
            if (sign < 0) se3_dexp_r_inv(xi, got);
            if (sign > 0) se3_dexp_l_inv(xi, got);
            ref_worst(ti, ref_error(36, got, inv), theta);
            ref_worst(ti, coupling_error(got, inv), theta);
        }
    }
    CHECK_WORST(left, 3e-15);
    CHECK_WORST(right, 3e-15);
    CHECK_WORST(left_inv, 3e-15);
    CHECK_WORST(right_inv, 3e-15);
}

static void mul66(const double a[36], const double b[36], double out[36]) {
    for (int i = 0; i < 36; i++) {
        out[i] = 0;
        for (int k = 0; k < 6; k++) out[i] += a[6 * (i / 6) + k] * b[6 * k + i % 6];
    }
}

TEST(identities) {
    static double angles[REF_NANGLES];
    RefWorst log_exp = {0}, exp_log = {0}, inverse = {0}, adjoint = {0}, left_right = {0};
    TestRandom random = {3};
    long double eye[36] = {0};
    for (int k = 0; k < 6; k++) eye[7 * k] = 1;
    int n = ref_angles(pi, angles);
    for (int i = 0; i < n; i++) {
        double xi[6], xi2[6], r[9], p[3], r2[9], p2[3], a[36], b[36], c[36], theta = angles[i];
        long double ref[36], ad[36];
        ref_direction(&random, 1, &xi[0]);
        ref_direction(&random, theta, &xi[3]);
        se3_exp(xi, r, p);
        se3_log(r, p, xi2);
        for (int k = 0; k < 6; k++) ref[k] = xi[k];
        if (theta < 3.14159) {
            ref_worst(&log_exp, ref_error(3, xi2, ref), theta);
            ref_worst(&log_exp, ref_error(3, xi2 + 3, ref + 3), theta);
        }
        se3_exp(xi2, r2, p2);
        for (int k = 0; k < 3; k++) ref[k] = p[k];
        ref_worst(&exp_log, ref_error(3, p2, ref), theta);
        se3_dexp_r(xi, a);
        se3_dexp_r_inv(xi, b);
        mul66(a, b, c);
        ref_worst(&inverse, ref_error(36, c, eye), theta);
        // Ad(exp(xi)) = exp(ad(xi)), dexp_l = Ad dexp_r
        se3_ad(r, p, b);
        ad6(xi, 1, ad);
        ref_exp(6, ad, ref);
        ref_worst(&adjoint, ref_error(36, b, ref), theta);
        mul66(b, a, c);
        se3_dexp_l(xi, a);
        for (int k = 0; k < 36; k++) ref[k] = a[k];
        ref_worst(&left_right, ref_error(36, c, ref), theta);
    }
    CHECK_WORST(log_exp, 4e-15);
    CHECK_WORST(exp_log, 4e-15);
    CHECK_WORST(inverse, 4e-15);
    CHECK_WORST(adjoint, 4e-15);
    CHECK_WORST(left_right, 4e-15);
}

TEST(rate_against_long_double_differences) {
    RefWorst rate = {0};
    TestRandom random = {4};
    const long double h = 1e-6L;
    for (int i = 0; i < 2000; i++) {
        double xi[6], dxi[6], t[36], v[6], theta = 5.0 * i / 2000;
        long double a[16], b[16], d[16], ra[16], rb[16], hv[16], ref[16];
        ref_direction(&random, 1, &xi[0]);
        ref_direction(&random, theta, &xi[3]);
        ref_direction(&random, 1, &dxi[0]);
        ref_direction(&random, 1, &dxi[3]);
        hat4(xi, a);
        hat4(dxi, d);
        for (int k = 0; k < 16; k++) b[k] = a[k] - h * d[k], a[k] += h * d[k];
        ref_exp(4, a, ra);
        ref_exp(4, b, rb);
        for (int k = 0; k < 16; k++) d[k] = (ra[k] - rb[k]) / (2 * h);
        // H hat(dexp_r xidot)
        se3_dexp_r(xi, t);
        for (int k = 0; k < 6; k++) {
            v[k] = 0;
            for (int j = 0; j < 6; j++) v[k] += t[6 * k + j] * dxi[j];
        }
        hat4(xi, a);
        ref_exp(4, a, ra);
        hat4(v, hv);
        ref_mul(4, ra, hv, ref);
        double got[16];
        for (int k = 0; k < 16; k++) got[k] = (double)d[k];
        ref_worst(&rate, ref_error(16, got, ref), theta);
    }
    CHECK_WORST(rate, 1e-10);
}

TEST(group_words) {
    TestRandom random = {5};
    for (int i = 0; i < 100; i++) {
        double xi[6], eta[6], ra[9], pa[3], rb[9], pb[3], r[9], p[3], r2[9], p2[3], lie[6];
        random_twist(&random, 1, xi);
        random_twist(&random, 2, eta);
        se3_exp(xi, ra, pa);
        se3_inv(ra, pa, rb, pb);
        se3_mul(ra, pa, rb, pb, r, p);
        for (int k = 0; k < 9; k++) CHECK_NEAR(r[k], k % 4 == 0, 1e-15);
        for (int k = 0; k < 3; k++) CHECK_NEAR(p[k], 0, 1e-12);
        // inverse of exp is exp of the negative
        double m[6];
        for (int k = 0; k < 6; k++) m[k] = -xi[k];
        se3_exp(m, r2, p2);
        for (int k = 0; k < 9; k++) CHECK_NEAR(r2[k], rb[k], 1e-15);
        for (int k = 0; k < 3; k++) CHECK_NEAR(p2[k], pb[k], 1e-15 * (norm3(pa) + 1));
        // commutator
        long double ad[36];
        ad6(xi, 1, ad);
        se3_lie(xi, eta, lie);
        for (int k = 0; k < 6; k++) {
            long double s = 0;
            for (int j = 0; j < 6; j++) s += ad[6 * k + j] * eta[j];
            CHECK_NEAR(lie[k], (double)s, 1e-12);
        }
    }
}

int main(void) {
    RUN(exp_against_taylor);
    RUN(tangents_against_taylor);
    RUN(identities);
    RUN(rate_against_long_double_differences);
    RUN(group_words);
    return test_end();
}
