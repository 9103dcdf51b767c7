// test_quat.c - words for vectors, 3 x 3 matrices, quaternions and Tait-Bryan angles
#include "math/quat.h"
#include "math/reference.h"

static const double pi = 3.141592653589793;

static void random33(TestRandom *r, double out[9]) {
    for (int i = 0; i < 9; i++) out[i] = test_random(r, -1, 1);
}

// entry (i, j) of A^(T?) B^(T?)
static double entry(const double *a, bool ta, const double *b, bool tb, int i, int j) {
    double s = 0;
    for (int k = 0; k < 3; k++) s += a[ta ? 3 * k + i : 3 * i + k] * b[tb ? 3 * j + k : 3 * k + j];
    return s;
}

TEST(vectors) {
    const double a[3] = {1, -2, 4}, b[3] = {3, 5, -7};
    double c[3], d[3];
    add3(a, b, c);
    CHECK(c[0] == 4 && c[1] == 3 && c[2] == -3);
    sub3(a, b, c);
    CHECK(c[0] == -2 && c[1] == -7 && c[2] == 11);
    scale3(2, a, c);
    CHECK(c[0] == 2 && c[1] == -4 && c[2] == 8);
    axpy3(2, a, b, c);
    CHECK(c[0] == 5 && c[1] == 1 && c[2] == 1);
    CHECK(dot3(a, b) == -35);
    cross3(a, b, c);
    CHECK(c[0] == -6 && c[1] == 19 && c[2] == 11);
    CHECK(dot3(a, c) == 0 && dot3(b, c) == 0);
    CHECK_NEAR(norm3(a), sqrt(21), 1e-15);
    unit3(a, c);
    CHECK_NEAR(norm3(c), 1, 3e-16);
    CHECK_NEAR(c[2], 4 / sqrt(21), 2e-16);
    copy3(a, d);
    CHECK(d[0] == 1 && d[1] == -2 && d[2] == 4);
    zero3(d);
    CHECK(d[0] == 0 && d[1] == 0 && d[2] == 0);
    unit3(d, c);
    CHECK(isnan(c[0]));
}

TEST(matrix_products) {
    TestRandom random = {1};
    for (int t = 0; t < 50; t++) {
        double a[9], b[9], ab[9], atb[9], abt[9], at[9], v[3], av[3], atv[3];
        random33(&random, a);
        random33(&random, b);
        ref_direction(&random, 2, v);
        mul33(a, b, ab);
        tmul33(a, b, atb);
        mul33t(a, b, abt);
        transpose33(a, at);
        mul3v(a, v, av);
        tmul3v(a, v, atv);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                CHECK_NEAR(ab[3 * i + j], entry(a, false, b, false, i, j), 1e-15);
                CHECK_NEAR(atb[3 * i + j], entry(a, true, b, false, i, j), 1e-15);
                CHECK_NEAR(abt[3 * i + j], entry(a, false, b, true, i, j), 1e-15);
                CHECK_BITS(at[3 * i + j], a[3 * j + i]);
            }
            CHECK_NEAR(av[i], dot3(&a[3 * i], v), 1e-15);
            CHECK_NEAR(atv[i], dot3(&at[3 * i], v), 1e-15);
        }
    }
}

TEST(matrix_words) {
    TestRandom random = {2};
    for (int t = 0; t < 50; t++) {
        double a[9], b[9], c[9], v[3], u[3], x[3], y[3];
        random33(&random, a);
        ref_direction(&random, 2, v);
        ref_direction(&random, 2, u);
        skew3(v, b);
        mul3v(b, u, x);
        cross3(v, u, y);
        for (int i = 0; i < 3; i++) CHECK_NEAR(x[i], y[i], 1e-15);
        vee3(b, x);
        for (int i = 0; i < 3; i++) CHECK_BITS(x[i], v[i]);
        outer3(u, v, b);
        for (int i = 0; i < 9; i++) CHECK_BITS(b[i], u[i / 3] * v[i % 3]);
        CHECK_NEAR(trace33(b), dot3(u, v), 1e-15);
        CHECK_NEAR(det33(b), 0, 1e-14);
        // det = a0 . (a1 x a2)
        cross3(&a[3], &a[6], x);
        CHECK_NEAR(det33(a), dot3(a, x), 1e-15);
        inv33(a, b);
        mul33(a, b, c);
        double size = 0;
        for (int i = 0; i < 9; i++) size = fmax(size, fabs(b[i]));
        for (int i = 0; i < 9; i++) CHECK_NEAR(c[i], i % 4 == 0, 4e-15 * size);
        eye33(b);
        scale33(3, b, c);
        add33(a, c, b);
        for (int i = 0; i < 9; i++) CHECK_NEAR(b[i] - a[i], i % 4 == 0 ? 3 : 0, 1e-15);
        copy33(a, c);
        CHECK(memcmp(a, c, sizeof a) == 0);
    }
    double zero[9] = {0}, inv[9];
    inv33(zero, inv);
    CHECK(!isfinite(inv[0]));
}

TEST(matrix_and_back_for_all_rotations) {
    static double angles[REF_NANGLES];
    RefWorst exp = {0}, matrix = {0}, back = {0}, log = {0}, rotate = {0}, unit = {0};
    TestRandom random = {3};
    int n = ref_angles(6.2, angles);
    for (int i = 0; i < n; i++) {
        double w[3], q[4], p[4], r[9], v[3], rv[3], u[3], theta = angles[i];
        long double hat[9], ref[9], q_ref[4], half = theta / 2.0L;
        ref_direction(&random, theta, w);
        // close to the coordinate axes every now and then
        if (i % 5 == 0) w[i / 5 % 3] *= 1e-9;
        half =
            sqrtl((long double)w[0] * w[0] + (long double)w[1] * w[1] + (long double)w[2] * w[2]) /
            2;
        quat_exp(w, q);
        q_ref[0] = cosl(half);
        for (int k = 0; k < 3; k++) q_ref[k + 1] = half > 0 ? sinl(half) / half * w[k] / 2 : 0;
        ref_worst(&exp, ref_error(4, q, q_ref), theta);
        if (theta > 0 && theta < 1) ref_worst(&exp, ref_error(3, q + 1, q_ref + 1), theta);
        ref_skew(w, hat);
        ref_exp(3, hat, ref);
        quat_to_mat(q, r);
        ref_worst(&matrix, ref_error(9, r, ref), theta);
        for (int k = 0; k < 9; k++) r[k] = (double)ref[k];
        quat_from_mat(r, p);
        CHECK(p[0] >= 0);
        double sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -1 : 1;
        for (int k = 0; k < 4; k++) q_ref[k] *= sign;
        ref_worst(&back, ref_error(4, p, q_ref), theta);
        ref_direction(&random, 1, v);
        quat_rotate(q, v, rv);
        mul3v(r, v, u);
        for (int k = 0; k < 3; k++) ref[k] = u[k];
        ref_worst(&rotate, ref_error(3, rv, ref), theta);
        quat_unit(q, p);
        ref_worst(&unit, fabs(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1), theta);
        if (theta > 3.14159) continue;
        // log of a scaled quaternion of either sign
        double s = i % 2 ? -3 : 0.5;
        for (int k = 0; k < 4; k++) p[k] = s * q[k];
        quat_log(p, u);
        for (int k = 0; k < 3; k++) ref[k] = w[k];
        ref_worst(&log, ref_error(3, u, ref), theta);
    }
    CHECK_WORST(exp, 2e-15);
    CHECK_WORST(matrix, 3e-15);
    CHECK_WORST(back, 1e-15);
    CHECK_WORST(rotate, 3e-15);
    CHECK_WORST(unit, 1e-15);
    CHECK_WORST(log, 1e-15);
}

TEST(products_chain_rotations) {
    TestRandom random = {4};
    for (int i = 0; i < 200; i++) {
        double wa[3], wb[3], a[4], b[4], ab[4], c[4], ra[9], rb[9], rab[9], prod[9];
        ref_direction(&random, test_random(&random, 0, 3), wa);
        ref_direction(&random, test_random(&random, 0, 3), wb);
        quat_exp(wa, a);
        quat_exp(wb, b);
        quat_mul(a, b, ab);
        quat_to_mat(a, ra);
        quat_to_mat(b, rb);
        quat_to_mat(ab, rab);
        mul33(ra, rb, prod);
        for (int k = 0; k < 9; k++) CHECK_NEAR(rab[k], prod[k], 2e-15);
        quat_conj(a, b);
        quat_mul(a, b, c);
        for (int k = 0; k < 4; k++) CHECK_NEAR(c[k], k == 0, 1e-15);
    }
}

TEST(rates) {
    TestRandom random = {5};
    for (int i = 0; i < 200; i++) {
        double w[3], s[3], q[4], qdot[4], p[4], spin[4] = {0}, back[3], plus[4], minus[4];
        ref_direction(&random, test_random(&random, 0, 3), w);
        ref_direction(&random, 2, s);
        quat_exp(w, q);
        quat_rate(q, s, qdot);
        for (int k = 0; k < 3; k++) spin[k + 1] = s[k];
        quat_mul(q, spin, p);
        for (int k = 0; k < 4; k++) CHECK_NEAR(qdot[k], 0.5 * p[k], 1e-15);
        quat_spin(q, qdot, back);
        for (int k = 0; k < 3; k++) CHECK_NEAR(back[k], s[k], 2e-15);
        // increments on the right: q exp(h s)
        double h = 1e-5, hs[3], e[4];
        scale3(h, s, hs);
        quat_exp(hs, e);
        quat_mul(q, e, plus);
        quat_conj(e, p);
        quat_mul(q, p, minus);
        for (int k = 0; k < 4; k++) CHECK_NEAR((plus[k] - minus[k]) / (2 * h), qdot[k], 1e-9);
    }
}

static void axis_rotation(int axis, double angle, double out[9]) {
    double w[3] = {0}, q[4];
    w[axis] = angle;
    quat_exp(w, q);
    quat_to_mat(q, out);
}

TEST(xyz_angles) {
    TestRandom random = {6};
    for (int i = 0; i < 2000; i++) {
        double a[3], b[3], r[9], rx[9], ry[9], rz[9], t[9], p[9];
        for (int k = 0; k < 3; k++) a[k] = test_random(&random, -pi, pi) / (k == 1 ? 2 : 1);
        // gimbal lock, exact and at all distances
        if (i % 3 == 0) a[1] = (i % 2 ? 1 : -1) * (pi / 2 - pow(10, -20.0 * i / 2000));
        xyz_to_mat(a, r);
        axis_rotation(0, a[0], rx);
        axis_rotation(1, a[1], ry);
        axis_rotation(2, a[2], rz);
        mul33(rx, ry, t);
        mul33(t, rz, p);
        for (int k = 0; k < 9; k++) CHECK_NEAR(r[k], p[k], 1e-15);
        xyz_from_mat(r, b);
        if (i % 3 != 0) {
            for (int k = 0; k < 3; k++) CHECK_NEAR(b[k], a[k], 4e-16 / cos(a[1]) + 1e-15);
        }
        xyz_to_mat(b, p);
        for (int k = 0; k < 9; k++) CHECK_NEAR(r[k], p[k], 1.5e-15);
        CHECK(fabs(b[1]) <= pi / 2);
    }
    const double lock[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    double b[3];
    xyz_from_mat(lock, b);
    CHECK_NEAR(b[1], pi / 2, 1e-16);
    CHECK_NEAR(fabs(b[0]) + fabs(b[2] - pi / 2), 0, 1e-16);
}

TEST(xyz_rates) {
    TestRandom random = {7};
    for (int i = 0; i < 200; i++) {
        double a[3], da[3], w[3], back[3], r[9], plus[9], minus[9], d[9], s[9];
        ref_direction(&random, 1.4, a);
        ref_direction(&random, 1, da);
        xyz_spin(a, da, w);
        xyz_rate(a, w, back);
        for (int k = 0; k < 3; k++) CHECK_NEAR(back[k], da[k], 2e-15 / fabs(cos(a[1])));
        // R^T Rdot = skew(w_B)
        double h = 1e-5, ap[3], am[3];
        axpy3(h, da, a, ap);
        axpy3(-h, da, a, am);
        xyz_to_mat(ap, plus);
        xyz_to_mat(am, minus);
        for (int k = 0; k < 9; k++) d[k] = (plus[k] - minus[k]) / (2 * h);
        xyz_to_mat(a, r);
        tmul33(r, d, s);
        vee3(s, back);
        for (int k = 0; k < 3; k++) CHECK_NEAR(back[k], w[k], 1e-9);
    }
}

int main(void) {
    RUN(vectors);
    RUN(matrix_products);
    RUN(matrix_words);
    RUN(matrix_and_back_for_all_rotations);
    RUN(products_chain_rotations);
    RUN(rates);
    RUN(xyz_angles);
    RUN(xyz_rates);
    return test_end();
}
