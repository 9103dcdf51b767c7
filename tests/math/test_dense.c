// test_dense.c - LU, Cholesky and LDL^T: backward errors, pivoting, singular and bad matrices
#include "math/dense.h"
#include "math/matrices.h"

static double a[NN_MAX], f[NN_MAX], g[NN_MAX], work[NN_MAX];
static int piv[N_MAX], piv2[N_MAX];

typedef CdStatus LuFactor(int n, double *a, int lda, int *piv, int *bad);
static LuFactor *const lu_factors[] = {cdi_lu_factor, cdi_lu_factor_own, cdi_lu_factor_lapack};

TEST(lu_solves_all_kinds) {
    TestRandom random = {1};
    double worst = 0, worst_t = 0;
    for (int o = 0; o < NORDERS; o++) {
        for (int kind = 0; kind < NKINDS; kind++) {
            int n = mat_orders[o], bad;
            if ((kind == HILBERT && n > 12) || (kind == PERMUTED && n % 7 == 0)) continue;
            mat_make(&random, (Kind)kind, n, a);
            double b[2 * N_MAX], x[2 * N_MAX];
            mat_random(&random, n, 2, b);
            for (int path = 0; path < 3; path++) {
                memcpy(f, a, sizeof a);
                CHECK_OK(lu_factors[path](n, f, n, piv, &bad));
                CHECK_INT(bad, n);
                for (int nrhs = 1; nrhs <= 2; nrhs++) {
                    memcpy(x, b, sizeof b);
                    cdi_lu_solve(n, f, n, piv, nrhs, x, n);
                    worst = fmax(worst, mat_residual(n, a, false, x, b));
                    worst = fmax(worst,
                                 mat_residual(n, a, false, x + (nrhs - 1) * n, b + (nrhs - 1) * n));
                    memcpy(x, b, sizeof b);
                    cdi_lu_solve_t(n, f, n, piv, nrhs, x, n);
                    worst_t = fmax(
                        worst_t, mat_residual(n, a, true, x + (nrhs - 1) * n, b + (nrhs - 1) * n));
                }
            }
        }
    }
    printf("     residual / n eps: %.2g, transposed %.2g\n", worst, worst_t);
    CHECK(worst < 1 && worst_t < 1);
}

TEST(lu_own_equals_lapack) {
    TestRandom random = {2};
    for (int o = 0; o < NORDERS; o++) {
        int n = mat_orders[o];
        mat_make(&random, RANDOM, n, a);
        memcpy(f, a, sizeof a);
        memcpy(g, a, sizeof a);
        CHECK_OK(cdi_lu_factor_own(n, f, n, piv, NULL));
        CHECK_OK(cdi_lu_factor_lapack(n, g, n, piv2, NULL));
        CHECK(memcmp(piv, piv2, (size_t)n * sizeof *piv) == 0);
        for (int i = 0; i < n * n; i++) CHECK_NEAR(f[i], g[i], 1e-11);
        CHECK_INT(cdi_lu_sign(n, f, n, piv), cdi_lu_sign(n, g, n, piv2));
    }
}

TEST(lu_leading_dimension) {
    TestRandom random = {3};
    const int n = 5, ld = 9;
    double b[5], x[5];
    mat_random(&random, n, n, a);
    mat_random(&random, n, 1, b);
    for (int i = 0; i < ld * n; i++) f[i] = i % ld < n ? a[i % ld + n * (i / ld)] : NAN;
    CHECK_OK(cdi_lu_factor(n, f, ld, piv, NULL));
    memcpy(x, b, sizeof b);
    cdi_lu_solve(n, f, ld, piv, 1, x, n);
    CHECK(mat_residual(n, a, false, x, b) < 3);
    for (int i = 0; i < ld * n; i++) CHECK(i % ld < n || isnan(f[i]));
}

TEST(lu_sign_of_the_determinant) {
    double d[9] = {0, 1, 0, 1, 0, 0, 0, 0, 5};
    CHECK_OK(cdi_lu_factor(3, d, 3, piv, NULL));
    CHECK_INT(cdi_lu_sign(3, d, 3, piv), -1);
    double e[4] = {-2, 0, 0, -3};
    CHECK_OK(cdi_lu_factor(2, e, 2, piv, NULL));
    CHECK_INT(cdi_lu_sign(2, e, 2, piv), 1);
    double z[4] = {1, 1, 1, 1};
    CHECK_INT(cdi_lu_factor(2, z, 2, piv, NULL), CD_SINGULAR);
    CHECK_INT(cdi_lu_sign(2, z, 2, piv), 0);
    CHECK_INT(cdi_lu_sign(0, NULL, 1, NULL), 1);
}

TEST(lu_names_the_zero_pivot) {
    TestRandom random = {4};
    for (int path = 0; path < 3; path++) {
        for (int n = 1; n <= 6; n++) {
            for (int k = 0; k < n; k++) {
                // diagonal with one zero: exact
                for (int i = 0; i < n * n; i++) f[i] = i % (n + 1) == 0 && i / n != k;
                int bad = -1;
                CHECK_INT(lu_factors[path](n, f, n, piv, &bad), CD_SINGULAR);
                CHECK_INT(bad, k);
            }
        }
        int bad, n = 130;
        memset(f, 0, sizeof f);
        CHECK_INT(lu_factors[path](n, f, n, piv, &bad), CD_SINGULAR);
        CHECK_INT(bad, 0);
        // a zero row or column anywhere
        mat_random(&random, n, n, f);
        for (int i = 0; i < n; i++) f[i + n * 40] = 0;
        CHECK_INT(lu_factors[path](n, f, n, piv, &bad), CD_SINGULAR);
        CHECK_INT(bad, 40);
    }
}

// 1-norm condition from the explicit inverse
static double exact_rcond(int n, const double *lu, double norm1) {
    double max = 0, x[N_MAX];
    for (int j = 0; j < n; j++) {
        double s = 0;
        for (int i = 0; i < n; i++) x[i] = i == j;
        cdi_lu_solve(n, lu, n, piv, 1, x, n);
        for (int i = 0; i < n; i++) s += fabs(x[i]);
        max = fmax(max, s);
    }
    return 1 / max / norm1;
}

TEST(lu_condition) {
    TestRandom random = {5};
    double worst = 1;
    for (int t = 0; t < 200; t++) {
        int n = 1 + t % 30;
        Kind kind = t % 3 == 0 ? RANDOM : t % 3 == 1 ? GRADED : n > 8 ? NEAR_SINGULAR : HILBERT;
        mat_make(&random, kind, n, a);
        double norm1 = cdi_dense_norm1(n, a, n);
        CHECK_OK(cdi_lu_factor(n, a, n, piv, NULL));
        double exact = exact_rcond(n, a, norm1);
        double ratio = cdi_lu_rcond(n, a, n, piv, norm1, work) / exact;
        CHECK(ratio >= 1 - 1e-3);
        worst = fmax(worst, ratio);
    }
    printf("     estimated / exact rcond up to %.2f\n", worst);
    CHECK(worst < 3);
    double z[4] = {1, 1, 1, 1}, eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cdi_lu_factor(2, z, 2, piv, NULL);
    CHECK(cdi_lu_rcond(2, z, 2, piv, 2, work) == 0);
    cdi_lu_factor(3, eye, 3, piv, NULL);
    CHECK(cdi_lu_rcond(3, eye, 3, piv, 1, work) == 1);
    CHECK(cdi_lu_rcond(0, NULL, 1, NULL, 0, NULL) == 1);
}

typedef CdStatus CholFactor(int n, double *a, int lda, int *bad);
static CholFactor *const chol_factors[] = {cdi_chol_factor, cdi_chol_factor_own,
                                           cdi_chol_factor_lapack};

// B B^T with well or badly scaled rows; the upper triangle is not to be read
static void positive_definite(TestRandom *r, int n, bool graded, double *out) {
    mat_random(r, n, n, g);
    for (int i = 0; i < n; i++) g[i + n * i] += 2;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            long double s = 0;
            for (int k = 0; k < n; k++) s += (long double)g[i + n * k] * g[j + n * k];
            out[i + n * j] = (double)s * (graded ? pow(10, -8.0 * (i + j) / n) : 1);
        }
    }
    mat_symmetric(n, out);
}

static void poison_upper(int n, double *m) {
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) m[i + n * j] = NAN;
    }
}

TEST(cholesky_solves) {
    TestRandom random = {6};
    double worst = 0;
    for (int o = 0; o < NORDERS; o++) {
        for (int graded = 0; graded < 2; graded++) {
            int n = mat_orders[o], bad;
            double b[2 * N_MAX], x[2 * N_MAX];
            positive_definite(&random, n, graded, a);
            mat_random(&random, n, 2, b);
            for (int path = 0; path < 3; path++) {
                memcpy(f, a, sizeof a);
                poison_upper(n, f);
                CHECK_OK(chol_factors[path](n, f, n, &bad));
                CHECK_INT(bad, n);
                for (int nrhs = 1; nrhs <= 2; nrhs++) {
                    memcpy(x, b, sizeof b);
                    cdi_chol_solve(n, f, n, nrhs, x, n);
                    int at = (nrhs - 1) * n;
                    worst = fmax(worst, mat_residual(n, a, false, x + at, b + at));
                }
            }
        }
    }
    printf("     residual / n eps: %.2g\n", worst);
    CHECK(worst < 3);
}

TEST(cholesky_refuses_indefinite) {
    for (int path = 0; path < 3; path++) {
        for (int n = 1; n <= 130; n += n < 6 ? 1 : 62) {
            for (int k = 0; k < n; k += 1 + n / 7) {
                int bad = -1;
                for (int i = 0; i < n * n; i++) f[i] = i % (n + 1) == 0;
                f[(n + 1) * k] = k % 2 ? 0 : -1;
                CHECK_INT(chol_factors[path](n, f, n, &bad), CD_SINGULAR);
                CHECK_INT(bad, k);
            }
        }
    }
}

static CdStatus ldlt(int path, int n, double *m, int *p, int *bad) {
    if (path == 0) return cdi_ldlt_factor(n, m, n, p, work, bad);
    if (path == 1) return cdi_ldlt_factor_own(n, m, n, p, bad);
    return cdi_ldlt_factor_lapack(n, m, n, p, work, bad);
}

TEST(ldlt_solves_and_counts_signs) {
    TestRandom random = {7};
    double worst = 0;
    for (int o = 0; o < NORDERS; o++) {
        for (int kind = 0; kind < 4; kind++) {
            int n = mat_orders[o], bad, minus = n / 3;
            double d[N_MAX], b[2 * N_MAX], x[2 * N_MAX];
            for (int i = 0; i < n; i++) {
                d[i] = (i < minus ? -1 : 1) * test_random(&random, 0.1, 3);
                if (kind == 1) d[i] *= pow(10, -6.0 * i / n);
                if (kind == 2) d[i] *= 1e140;
                if (kind == 3) d[i] *= 1e-140;
            }
            mat_spectrum(&random, n, d, a);
            mat_random(&random, n, 2, b);
            CHECK(cdi_ldlt_work(n) <= sizeof work / sizeof *work);
            for (int path = 0; path < 3; path++) {
                memcpy(f, a, sizeof a);
                poison_upper(n, f);
                CHECK_OK(ldlt(path, n, f, piv, &bad));
                CHECK_INT(bad, n);
                CdInertia in = cdi_ldlt_inertia(n, f, n, piv);
                CHECK_INT(in.negative, minus);
                CHECK_INT(in.positive, n - minus);
                CHECK_INT(in.zero, 0);
                for (int nrhs = 1; nrhs <= 2; nrhs++) {
                    memcpy(x, b, sizeof b);
                    cdi_ldlt_solve(n, f, n, piv, nrhs, x, n);
                    int at = (nrhs - 1) * n;
                    worst = fmax(worst, mat_residual(n, a, false, x + at, b + at));
                }
            }
        }
    }
    printf("     residual / n eps: %.2g\n", worst);
    CHECK(worst < 1);
}

// (M G^T; G 0): as many negative as constraints; with a redundant row one zero
TEST(ldlt_of_saddle_points) {
    TestRandom random = {8};
    for (int n = 3; n <= N_MAX; n += n < 12 ? 1 : 32) {
        int nc = n / 3, bad;
        mat_random(&random, n, n, a);
        mat_symmetric(n, a);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                if (i >= n - nc && j >= n - nc) a[i + n * j] = 0;
                if (i < n - nc && j < n - nc) a[i + n * j] = i == j ? 1.0 + i : 0;
            }
        }
        double b[N_MAX], x[N_MAX];
        mat_random(&random, n, 1, b);
        for (int path = 0; path < 3; path++) {
            memcpy(f, a, sizeof a);
            CHECK_OK(ldlt(path, n, f, piv, &bad));
            CdInertia in = cdi_ldlt_inertia(n, f, n, piv);
            CHECK_INT(in.negative, nc);
            CHECK_INT(in.positive, n - nc);
            memcpy(x, b, sizeof b);
            cdi_ldlt_solve(n, f, n, piv, 1, x, n);
            CHECK(mat_residual(n, a, false, x, b) < 5);
        }
    }
}

TEST(ldlt_own_equals_lapack) {
    TestRandom random = {9};
    for (int n = 1; n <= 60; n++) {
        mat_random(&random, n, n, a);
        mat_symmetric(n, a);
        memcpy(f, a, sizeof a);
        memcpy(g, a, sizeof a);
        CHECK_OK(cdi_ldlt_factor_own(n, f, n, piv, NULL));
        CHECK_OK(cdi_ldlt_factor_lapack(n, g, n, piv2, work, NULL));
        CHECK(memcmp(piv, piv2, (size_t)n * sizeof *piv) == 0);
        for (int i = 0; i < n * n; i++) CHECK_NEAR(f[i], g[i], 1e-9);
    }
}

TEST(ldlt_of_singular_matrices) {
    for (int path = 0; path < 3; path++) {
        for (int n = 1; n <= N_MAX; n += n < 8 ? 1 : 44) {
            int bad = -1;
            memset(f, 0, sizeof f);
            CHECK_INT(ldlt(path, n, f, piv, &bad), CD_SINGULAR);
            CHECK_INT(bad, 0);
            CHECK_INT(cdi_ldlt_inertia(n, f, n, piv).zero, n);
            // 2 x 2 blocks (0 1; 1 0), the last row zero
            for (int i = 0; i + 2 < n; i += 2) f[i + 1 + n * i] = 1;
            CHECK_INT(ldlt(path, n, f, piv, &bad), CD_SINGULAR);
            CdInertia in = cdi_ldlt_inertia(n, f, n, piv);
            CHECK_INT(in.positive, (n - 1) / 2);
            CHECK_INT(in.negative, (n - 1) / 2);
            CHECK_INT(in.zero, n - 2 * ((n - 1) / 2));
            CHECK_INT(bad, 2 * ((n - 1) / 2));
        }
    }
}

TEST(bad_numbers_are_reported) {
    const double bads[] = {NAN, INFINITY, -INFINITY};
    const int orders[] = {1, 2, 5, 129};
    for (int o = 0; o < 4; o++) {
        for (int t = 0; t < 9; t++) {
            int n = orders[o], bad, at = t < 3 ? 0 : t < 6 ? n - 1 : n * n - 1;
            for (int path = 0; path < 3; path++) {
                for (int i = 0; i < n * n; i++) a[i] = i % (n + 1) == 0;
                a[at] = bads[t % 3];
                memcpy(f, a, sizeof a);
                CHECK_INT(lu_factors[path](n, f, n, piv, &bad), CD_NONFINITE);
                CHECK_INT(bad, at / n);
                memcpy(f, a, sizeof a);
                CHECK_INT(chol_factors[path](n, f, n, &bad), CD_NONFINITE);
                CHECK_INT(bad, at / n);
                memcpy(f, a, sizeof a);
                CHECK_INT(ldlt(path, n, f, piv, &bad), CD_NONFINITE);
                CHECK_INT(bad, at / n);
            }
        }
    }
}

TEST(bad_numbers_are_found_behind_gaps) {
    const int n = 5, ld = 9;
    int bad;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < ld * n; i++) f[i] = i % (ld + 1) == 0;
        f[ld * j + n - 1] = NAN;
        CHECK_INT(cdi_lu_factor(n, f, ld, piv, &bad), CD_NONFINITE);
        CHECK_INT(bad, j);
    }
}

TEST(overflow_on_the_way_is_reported) {
    for (int path = 0; path < 3; path++) {
        int bad;
        double u[4] = {1e308, -1e308, 1e308, 1e308};
        CHECK_INT(lu_factors[path](2, u, 2, piv, &bad), CD_NONFINITE);
        CHECK_INT(bad, 1);
        double s[4] = {1e-300, 1e10, 1e10, 1};
        CHECK_INT(chol_factors[path](2, s, 2, &bad), CD_NONFINITE);
        CHECK_INT(bad, 1);
        double d[4] = {1e308, -1e308, -1e308, -1e308};
        CHECK_INT(ldlt(path, 2, d, piv, &bad), CD_NONFINITE);
        CHECK_INT(bad, 1);
    }
}

// entries beside the diagonal overflow, every pivot is a number
TEST(overflow_beside_the_diagonal_is_reported) {
    for (int path = 0; path < 3; path++) {
        int bad;
        double d[9] = {1e308, 1e308, 1e308, 1e308, 1e308, -1e308, 1e308, -1e308, 1e308};
        CHECK_INT(ldlt(path, 3, d, piv, &bad), CD_NONFINITE);
        CHECK_INT(bad, 1);
        // u_12 = 1e308 + 1e308; u_22 = 0
        double u[9] = {1e308, -1e308, 0, 0, 1e308, 0, 1e308, 1e308, 0};
        CHECK_INT(lu_factors[path](3, u, 3, piv, &bad), CD_NONFINITE);
        CHECK_INT(bad, 2);
        // l_21 = 1e308 / 1e-160
        double s[9] = {1, 0, 0, 0, 1e-320, 1e308, 0, 1e308, 1e308};
        CHECK_INT(chol_factors[path](3, s, 3, &bad), CD_NONFINITE);
        CHECK_INT(bad, 2);
    }
}

TEST(lu_condition_of_extreme_matrices) {
    for (int e = -1070; e <= 1023; e += e < 0 ? 50 : 31) {
        const double x = ldexp(1, e);
        double m[4] = {x, 0, 0, x};
        CHECK_OK(cdi_lu_factor(2, m, 2, piv, NULL));
        // the inverse of a subnormal overflows
        CHECK(cdi_lu_rcond(2, m, 2, piv, x, work) == (e < -1023 ? 0 : 1));
    }
    double big[1] = {DBL_MAX};
    CHECK_OK(cdi_lu_factor(1, big, 1, piv, NULL));
    CHECK_NEAR(cdi_lu_rcond(1, big, 1, piv, DBL_MAX, work), 1, 1e-12);
    double apart[4] = {1e-300, 0, 0, 1e300};
    CHECK_OK(cdi_lu_factor(2, apart, 2, piv, NULL));
    CHECK(cdi_lu_rcond(2, apart, 2, piv, 1e300, work) == 0);
}

TEST(lu_of_subnormal_pivots) {
    for (int path = 0; path < 3; path++) {
        double s[4] = {3e-310, 1e-310, 0, 1};
        CHECK_OK(lu_factors[path](2, s, 2, piv, NULL));
        CHECK_NEAR(s[1], 1.0 / 3, 1e-10);
        CHECK(s[3] == 1);
    }
}

TEST(nothing_is_a_success) {
    for (int path = 0; path < 3; path++) {
        int bad = -1;
        CHECK_OK(lu_factors[path](0, NULL, 1, NULL, &bad));
        CHECK_INT(bad, 0);
        CHECK_OK(chol_factors[path](0, NULL, 1, &bad));
        CHECK_OK(ldlt(path, 0, NULL, NULL, &bad));
    }
    cdi_lu_solve(0, NULL, 1, NULL, 1, NULL, 1);
    cdi_lu_solve_t(0, NULL, 1, NULL, 1, NULL, 1);
    cdi_chol_solve(0, NULL, 1, 1, NULL, 1);
    cdi_ldlt_solve(0, NULL, 1, NULL, 1, NULL, 1);
    CHECK_INT(cdi_ldlt_inertia(0, NULL, 1, NULL).zero, 0);
}

TEST(norms) {
    const double m[6] = {1, -7, 3, 4, 2, -5}; // 3 x 2
    CHECK(cdi_dense_max(3, 2, m, 3) == 7);
    CHECK(cdi_dense_max(2, 2, m + 1, 3) == 7);
    CHECK(cdi_dense_max_lower(2, m, 3) == 7);
    CHECK(cdi_dense_norm1(2, m, 3) == 8);
    CHECK(cdi_dense_max(0, 0, NULL, 1) == 0);
    for (int i = 0; i < 6; i++) {
        double bad[6];
        memcpy(bad, m, sizeof m);
        bad[i] = NAN;
        CHECK(isnan(cdi_dense_max(6, 1, bad, 6)));
        CHECK(isnan(cdi_dense_max(3, 2, bad, 3)));
    }
}

int main(void) {
    RUN(lu_solves_all_kinds);
    RUN(lu_own_equals_lapack);
    RUN(lu_leading_dimension);
    RUN(lu_sign_of_the_determinant);
    RUN(lu_names_the_zero_pivot);
    RUN(lu_condition);
    RUN(cholesky_solves);
    RUN(cholesky_refuses_indefinite);
    RUN(ldlt_solves_and_counts_signs);
    RUN(ldlt_of_saddle_points);
    RUN(ldlt_own_equals_lapack);
    RUN(ldlt_of_singular_matrices);
    RUN(bad_numbers_are_reported);
    RUN(bad_numbers_are_found_behind_gaps);
    RUN(overflow_on_the_way_is_reported);
    RUN(overflow_beside_the_diagonal_is_reported);
    RUN(lu_condition_of_extreme_matrices);
    RUN(lu_of_subnormal_pivots);
    RUN(nothing_is_a_success);
    RUN(norms);
    return test_end();
}
