// test_dense_qr.c - QR with column pivoting: factors, rank at any scale, shortest least squares
#include "math/dense.h"
#include "math/matrices.h"

static double a[NN_MAX], f[NN_MAX], g[NN_MAX], q[NN_MAX], work[3 * NN_MAX];
static double tau[N_MAX], tau2[N_MAX];
static int jpvt[N_MAX], jpvt2[N_MAX];

static CdStatus factor(int path, int m, int n, double *r, int *rank) {
    if (path == 0) return cdi_qr_factor(m, n, r, m, jpvt, tau, work, rank);
    if (path == 1) return cdi_qr_factor_own(m, n, r, m, jpvt, tau, work, rank);
    return cdi_qr_factor_lapack(m, n, r, m, jpvt, tau, work, rank);
}

// m x n of given rank: product of two random matrices
static void of_rank(TestRandom *r, int m, int n, int rank, double scale, double *out) {
    static double left[NN_MAX], right[NN_MAX];
    mat_random(r, m, rank, left);
    mat_random(r, rank, n, right);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            long double s = 0;
            for (int k = 0; k < rank; k++) s += (long double)left[i + m * k] * right[k + rank * j];
            out[i + m * j] = (double)s * scale;
        }
    }
}

// |A P - Q R| / (n eps |A|)
static double factor_error(int m, int n) {
    double worst = 0;
    for (int j = 0; j < n; j++) {
        double col[N_MAX] = {0};
        for (int i = 0; i <= j && i < m; i++) col[i] = f[i + m * j];
        cdi_qr_apply(m, n, f, m, tau, false, col);
        for (int i = 0; i < m; i++) worst = fmax(worst, fabs(col[i] - a[i + m * (jpvt[j] - 1)]));
    }
    return worst / (mat_max(m * n, a) * (m + n) * DBL_EPSILON);
}

static double orthogonality_error(int m, int n) {
    double worst = 0;
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < m; i++) q[i + m * j] = i == j;
        cdi_qr_apply(m, n, f, m, tau, false, q + m * j);
    }
    for (int j = 0; j < m; j++) {
        for (int i = 0; i <= j; i++) {
            long double s = 0;
            for (int k = 0; k < m; k++) s += (long double)q[k + m * i] * q[k + m * j];
            worst = fmax(worst, (double)fabsl(s - (i == j)));
        }
    }
    return worst / (m * DBL_EPSILON);
}

TEST(factors_of_all_shapes) {
    TestRandom random = {1};
    const int sizes[] = {1, 2, 3, 5, 8, 13, 40, 129, N_MAX};
    double worst = 0, orthogonal = 0;
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            int m = sizes[i], n = sizes[j], rank;
            mat_random(&random, m, n, a);
            CHECK(cdi_qr_work(m, n) <= sizeof work / sizeof *work);
            for (int path = 0; path < 3; path++) {
                memcpy(f, a, sizeof a);
                CHECK_OK(factor(path, m, n, f, &rank));
                CHECK_INT(rank, m < n ? m : n);
                worst = fmax(worst, factor_error(m, n));
                orthogonal = fmax(orthogonal, orthogonality_error(m, n));
                // the diagonal of R falls
                for (int k = 1; k < rank; k++) {
                    CHECK(fabs(f[k + m * k]) <= fabs(f[(k - 1) * (m + 1)]) * (1 + 1e-12));
                }
            }
        }
    }
    printf("     |AP - QR| / (m + n) eps |A|: %.2g, |QtQ - I| / m eps: %.2g\n", worst, orthogonal);
    CHECK(worst < 2 && orthogonal < 2);
}

TEST(own_equals_lapack) {
    TestRandom random = {2};
    for (int n = 1; n <= 100; n += 9) {
        int m = n + n % 4, rank;
        mat_random(&random, m, n, a);
        memcpy(f, a, sizeof a);
        memcpy(g, a, sizeof a);
        CHECK_OK(cdi_qr_factor_own(m, n, f, m, jpvt, tau, work, &rank));
        CHECK_OK(cdi_qr_factor_lapack(m, n, g, m, jpvt2, tau2, work, &rank));
        CHECK(memcmp(jpvt, jpvt2, (size_t)n * sizeof *jpvt) == 0);
        for (int i = 0; i < m * n; i++) CHECK_NEAR(f[i], g[i], 1e-12);
        for (int i = 0; i < n; i++) CHECK_NEAR(tau[i], tau2[i], 1e-12);
    }
}

// no column of f has more left than the pivot that was taken
static void check_pivots(int m, int n) {
    for (int k = 0; k < n; k++) {
        for (int j = k + 1; j < n; j++) {
            double s = 0;
            for (int i = k; i <= j; i++) s += f[i + m * j] * f[i + m * j];
            CHECK(sqrt(s) <= fabs(f[k + m * k]) * (1 + 1e-6));
        }
    }
}

// all columns share 1e10 of one direction, the rest of them is graded: once that direction is
// gone, updated norms have no digits left and must be computed anew
TEST(pivoting_survives_cancelled_norms) {
    TestRandom random = {7};
    const int m = 12, n = 10;
    for (int path = 0; path < 3; path++) {
        int rank;
        for (int j = 0; j < n; j++) {
            a[m * j] = j == 4 ? 2e10 : 1e10;
            for (int i = 1; i < m; i++) {
                a[i + m * j] =
                    j == 4 ? 0 : test_random(&random, -1, 1) * pow(10, -(7 * j % 10) / 2);
            }
        }
        memcpy(f, a, sizeof a);
        CHECK_OK(factor(path, m, n, f, &rank));
        CHECK_INT(jpvt[0], 5);
        check_pivots(m, n);
    }
}

// graded columns: C = (c_0, c_1 d, c_2 d^2, ...) loses a factor d of its norm in each step to a
// pivot p_k d^k e_k, and changes its place each time; d^2 = 1e-6 is not yet too much for an update,
// d^4 is, so C must keep the norm of its last full computation when it moves
TEST(pivoting_remembers_norms_of_moved_columns) {
    TestRandom random = {8};
    const int m = 10, n = 9;
    for (int t = 0; t < 60; t++) {
        int rank;
        memset(a, 0, sizeof a);
        for (int i = 0; i < m; i++) a[i] = test_random(&random, 1, 1.2) * pow(10, -3 * i);
        for (int k = 0; k + 1 < n; k++) {
            a[k + m * (k + 1)] = test_random(&random, 1.8, 2.2) * pow(10, -3 * k);
        }
        memcpy(f, a, sizeof a);
        CHECK_OK(factor(t % 3, m, n, f, &rank));
        check_pivots(m, n);
    }
}

TEST(rank_is_found_at_any_scale) {
    TestRandom random = {3};
    const double scales[] = {1, 1e150, 1e-150, 1e300, 1e-290};
    const int sizes[] = {1, 2, 3, 6, 17, 50, 135};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            int m = sizes[i], n = sizes[j], small = m < n ? m : n;
            for (int r = 0; r <= small; r += 1 + small / 4) {
                for (int s = 0; s < 5; s++) {
                    of_rank(&random, m, n, r, scales[s], a);
                    for (int path = 0; path < 3; path++) {
                        int rank;
                        memcpy(f, a, sizeof a);
                        CHECK_OK(factor(path, m, n, f, &rank));
                        CHECK_INT(rank, r);
                    }
                }
            }
        }
    }
}

TEST(rank_sees_what_is_above_rounding) {
    // the second column differs from the first by 1e-12 (seen) or 1e-17 (not)
    for (int s = -150; s <= 150; s += 150) {
        double m[6] = {1, 2, 3, 1, 2, 3}, scale = pow(10, s);
        int rank;
        m[3] += 1e-12;
        for (int i = 0; i < 6; i++) m[i] *= scale;
        CHECK_OK(cdi_qr_factor(3, 2, m, 3, jpvt, tau, work, &rank));
        CHECK_INT(rank, 2);
        double k[6] = {1, 2, 3, 1, 2, 3};
        for (int i = 0; i < 6; i++) k[i] *= scale;
        CHECK_OK(cdi_qr_factor(3, 2, k, 3, jpvt, tau, work, &rank));
        CHECK_INT(rank, 1);
    }
}

// columns (1, 1, ...) and c (1, -1, ...): r_00 = 10, r_11 = 10 c, rank 2 from c = 100 eps on
TEST(rank_is_relative_to_the_longest_column) {
    const int m = 100;
    for (int path = 0; path < 3; path++) {
        for (int eps = 20; eps <= 320; eps *= 2) {
            int rank;
            for (int i = 0; i < m; i++) {
                f[i] = 1;
                f[i + m] = (i % 2 ? -1 : 1) * eps * DBL_EPSILON;
            }
            CHECK_OK(factor(path, m, 2, f, &rank));
            CHECK_INT(rank, eps > 100 ? 2 : 1);
        }
    }
}

// optimality of x: A^T (A x - b) = 0, and x in the row space: x = A^T y solved by least squares
static double normal_error(int m, int n, const double *x, const double *b) {
    double worst = 0, res[N_MAX];
    for (int i = 0; i < m; i++) {
        long double s = -b[i];
        for (int j = 0; j < n; j++) s += (long double)a[i + m * j] * x[j];
        res[i] = (double)s;
    }
    for (int j = 0; j < n; j++) {
        long double s = 0;
        for (int i = 0; i < m; i++) s += (long double)a[i + m * j] * res[i];
        worst = fmax(worst, (double)fabsl(s));
    }
    return worst;
}

TEST(shortest_least_squares) {
    TestRandom random = {4};
    double optimal = 0, shortest = 0;
    for (int t = 0; t < 300; t++) {
        int m = 1 + t % 12, n = 1 + t / 12 % 11, small = m < n ? m : n, rank;
        int r = t % 3 == 0 ? small : 1 + t % small;
        double b[N_MAX], x[N_MAX], qtb[N_MAX], y[N_MAX];
        of_rank(&random, m, n, r, 1, a);
        mat_random(&random, m, 1, b);
        memcpy(f, a, sizeof a);
        memcpy(qtb, b, sizeof b);
        CHECK_OK(factor(t % 2 + 1, m, n, f, &rank));
        CHECK_INT(rank, r);
        cdi_qr_solve(m, n, f, m, jpvt, tau, rank, qtb, x, work);
        double size = 1 + mat_max(n, x);
        optimal = fmax(optimal, normal_error(m, n, x, b) / size);
        // |residual| is that of the tail of Q^T b
        double tail = 0, norm = 0;
        for (int i = rank; i < m; i++) tail += qtb[i] * qtb[i];
        for (int i = 0; i < m; i++) {
            double s = -b[i];
            for (int j = 0; j < n; j++) s += a[i + m * j] * x[j];
            norm += s * s;
        }
        CHECK_NEAR(sqrt(norm), sqrt(tail), 1e-12 * size);
        // x is orthogonal to the null space: least squares of A^T y = x leaves nothing
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) f[j + n * i] = a[i + m * j];
        }
        CHECK_OK(factor(1, n, m, f, &rank));
        cdi_qr_solve(n, m, f, n, jpvt, tau, rank, x, y, work);
        for (int i = rank; i < n; i++) shortest = fmax(shortest, fabs(x[i]) / size);
    }
    printf("     optimality %.2g, part outside the row space %.2g\n", optimal, shortest);
    CHECK(optimal < 1e-13 && shortest < 1e-13);
}

// the second factorisation too is free of scale
TEST(shortest_least_squares_at_any_scale) {
    TestRandom random = {9};
    const int m = 7, n = 6, r = 3;
    double b[7], expected[6], x[6];
    static double one[42];
    of_rank(&random, m, n, r, 1, one);
    mat_random(&random, m, 1, b);
    for (int e = -900; e <= 1000; e += 100) {
        for (int path = 0; path < 3; path++) {
            int rank;
            double qtb[7];
            for (int again = 0; again < 2; again++) {
                for (int i = 0; i < m * n; i++) f[i] = ldexp(one[i], again ? e : 0);
                for (int i = 0; i < m; i++) qtb[i] = b[i];
                CHECK_OK(factor(path, m, n, f, &rank));
                CHECK_INT(rank, r);
                cdi_qr_solve(m, n, f, m, jpvt, tau, rank, qtb, again ? x : expected, work);
            }
            for (int j = 0; j < n; j++) CHECK(ldexp(x[j], e) == expected[j]);
        }
    }
}

TEST(large_least_squares) {
    TestRandom random = {5};
    int m = N_MAX, n = 132, rank;
    double b[N_MAX], c[N_MAX], x[N_MAX];
    of_rank(&random, m, n, 130, 1, a);
    mat_random(&random, m, 1, b);
    memcpy(f, a, sizeof a);
    memcpy(c, b, sizeof b);
    CHECK_OK(cdi_qr_factor(m, n, f, m, jpvt, tau, work, &rank));
    CHECK_INT(rank, 130);
    cdi_qr_solve(m, n, f, m, jpvt, tau, rank, c, x, work);
    CHECK(normal_error(m, n, x, b) < 1e-10 * (1 + mat_max(n, x)));
}

TEST(zero_and_empty) {
    int rank = -1;
    double z[6] = {0}, b[3] = {1, 2, 3}, x[2] = {9, 9};
    CHECK_OK(cdi_qr_factor(3, 2, z, 3, jpvt, tau, work, &rank));
    CHECK_INT(rank, 0);
    cdi_qr_solve(3, 2, z, 3, jpvt, tau, rank, b, x, work);
    CHECK(x[0] == 0 && x[1] == 0);
    for (int path = 0; path < 3; path++) {
        CHECK_OK(factor(path, 0, 3, f, &rank));
        CHECK_INT(rank, 0);
        CHECK_INT(jpvt[2], 3);
        CHECK_OK(factor(path, 3, 0, f, &rank));
        CHECK_INT(rank, 0);
    }
    cdi_qr_factor(0, 2, z, 1, jpvt, tau, work, &rank);
    cdi_qr_solve(0, 2, z, 1, jpvt, tau, rank, b, x, work);
    CHECK(x[0] == 0 && x[1] == 0);
}

TEST(bad_numbers_are_reported) {
    TestRandom random = {6};
    for (int path = 0; path < 3; path++) {
        for (int k = 0; k < 12; k++) {
            int rank;
            mat_random(&random, 4, 3, f);
            f[k] = k % 2 ? NAN : INFINITY;
            CHECK_INT(factor(path, 4, 3, f, &rank), CD_NONFINITE);
            CHECK_INT(rank, 0);
        }
    }
    // the first column is longer than the largest number
    int rank;
    for (int i = 0; i < 4; i++) f[i] = DBL_MAX;
    CHECK_INT(cdi_qr_factor(4, 1, f, 4, jpvt, tau, work, &rank), CD_NONFINITE);
    CHECK_INT(rank, 0);
}

int main(void) {
    RUN(factors_of_all_shapes);
    RUN(own_equals_lapack);
    RUN(pivoting_survives_cancelled_norms);
    RUN(pivoting_remembers_norms_of_moved_columns);
    RUN(rank_is_found_at_any_scale);
    RUN(rank_sees_what_is_above_rounding);
    RUN(rank_is_relative_to_the_longest_column);
    RUN(shortest_least_squares);
    RUN(shortest_least_squares_at_any_scale);
    RUN(large_least_squares);
    RUN(zero_and_empty);
    RUN(bad_numbers_are_reported);
    return test_end();
}
