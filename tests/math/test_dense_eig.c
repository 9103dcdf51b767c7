// test_dense_eig.c - symmetric eigenpairs: residuals, orthogonality, repeated and tiny values
#include "math/dense.h"
#include "math/matrices.h"

static double a[NN_MAX], f[NN_MAX], m[NN_MAX], l[NN_MAX], work[3 * NN_MAX];
static int iwork[6 * N_MAX];

static CdStatus eig(int path, int n, double *v, double *lambda) {
    if (path == 0) return cdi_eig(n, v, n, lambda, work, iwork);
    if (path == 1) return cdi_eig_own(n, v, n, lambda, work);
    return cdi_eig_lapack(n, v, n, lambda, work, iwork);
}

// V^T B V - I, B = NULL: I
static double orthogonality(int n, const double *v, const double *b) {
    long double worst = 0;
    for (int j = 0; j < n; j++) {
        long double bv[N_MAX];
        for (int i = 0; i < n; i++) {
            bv[i] = b ? 0 : v[i + n * j];
            for (int k = 0; k < n && b; k++) bv[i] += (long double)b[i + n * k] * v[k + n * j];
        }
        for (int i = 0; i <= j; i++) {
            long double s = -(i == j);
            for (int k = 0; k < n; k++) s += v[k + n * i] * bv[k];
            worst = fmaxl(worst, fabsl(s));
        }
    }
    return (double)worst;
}

// A V - B V diag(lambda) in the largest norm
static double residual(int n, const double *v, const double *b, const double *lambda) {
    long double worst = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            long double s = b ? 0 : -(long double)lambda[j] * v[i + n * j];
            for (int k = 0; k < n; k++) {
                s += a[i + n * k] * (long double)v[k + n * j];
                if (b) s -= (long double)lambda[j] * b[i + n * k] * v[k + n * j];
            }
            worst = fmaxl(worst, fabsl(s));
        }
    }
    return (double)worst;
}

static void check_pairs(int path, int n, const double *expected, double *worst, double *orth) {
    double lambda[N_MAX];
    memcpy(f, a, sizeof a);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) f[i + n * j] = NAN;
    }
    CHECK_OK(eig(path, n, f, lambda));
    double size = mat_max(n, lambda);
    double unit = size > 0 ? n * DBL_EPSILON * size : 1;
    *worst = fmax(*worst, residual(n, f, NULL, lambda) / unit);
    *orth = fmax(*orth, orthogonality(n, f, NULL) / (n * DBL_EPSILON));
    for (int i = 1; i < n; i++) CHECK(lambda[i] >= lambda[i - 1]);
    for (int i = 0; i < n && expected; i++) CHECK_NEAR(lambda[i], expected[i], 4 * unit);
}

TEST(pairs_of_all_orders) {
    TestRandom random = {1};
    double worst[2] = {0}, orth[2] = {0};
    for (int o = 0; o < NORDERS; o++) {
        int n = mat_orders[o];
        CHECK(cdi_eig_work(n) <= sizeof work / sizeof *work);
        CHECK(cdi_eig_iwork(n) <= sizeof iwork / sizeof *iwork);
        for (int kind = 0; kind < NKINDS; kind++) {
            mat_make(&random, (Kind)kind, n, a);
            mat_symmetric(n, a);
            for (int path = 0; path < 3; path++) {
                if (path == 1 && n > 64) continue;
                bool own = path == 1 || (path == 0 && n <= CD_DENSE_EIG_OWN);
                check_pairs(path, n, NULL, &worst[own], &orth[own]);
            }
        }
    }
    printf("     residual / n eps: own %.2g, LAPACK %.2g; orthogonality own %.2g, LAPACK %.2g\n",
           worst[1], worst[0], orth[1], orth[0]);
    CHECK(worst[0] < 3 && worst[1] < 3 && orth[0] < 3 && orth[1] < 3);
}

TEST(known_and_repeated_values) {
    TestRandom random = {2};
    double worst = 0, orth = 0;
    for (int n = 1; n <= 40; n++) {
        for (int kind = 0; kind < 5; kind++) {
            double d[N_MAX];
            for (int i = 0; i < n; i++) {
                d[i] = kind == 0 ? i / 3 - 2 : kind == 1 ? 7 : kind == 2 ? 0 : i < n / 2 ? 0 : 1;
                if (kind == 4) d[i] = i - n / 2;
            }
            mat_spectrum(&random, n, d, a);
            for (int path = 0; path < 3; path++) check_pairs(path, n, d, &worst, &orth);
        }
    }
    printf("     residual / n eps: %.2g, orthogonality %.2g\n", worst, orth);
    CHECK(worst < 3 && orth < 3);
}

// a scaled diagonally dominant matrix determines its small eigenvalues to full relative accuracy
TEST(own_kernel_finds_tiny_values_exactly) {
    double lambda[3], v[9] = {1, 1e-7, 1e-13, 1e-7, 1e-10, 1e-17, 1e-13, 1e-17, 1e-20};
    // Schur complements: 1e-10 - 1e-14, then 1e-20 (1 - 1e-6 - ...)
    CHECK_OK(cdi_eig_own(3, v, 3, lambda, work));
    CHECK_NEAR(lambda[2], 1 + 1e-14, 1e-15);
    CHECK_NEAR(lambda[1] / 1e-10, 1 - 1e-4, 1e-8);
    const double c = 1e-17 - 1e-20, tail = 1e-20 - 1e-26 - c * c / (1e-10 - 1e-14);
    CHECK_NEAR(lambda[0] / tail, 1, 1e-9);
}

TEST(generalised_problem) {
    TestRandom random = {3};
    double worst = 0, orth = 0;
    for (int o = 0; o < NORDERS; o++) {
        int n = mat_orders[o], bad;
        double lambda[N_MAX], d[N_MAX];
        for (int i = 0; i < n; i++) d[i] = test_random(&random, 0.5, 4);
        mat_spectrum(&random, n, d, m);
        mat_random(&random, n, n, a);
        mat_symmetric(n, a);
        memcpy(f, a, sizeof a);
        memcpy(l, m, sizeof m);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < j; i++) f[i + n * j] = l[i + n * j] = NAN;
        }
        CHECK_OK(cdi_eig_general(n, f, n, l, n, lambda, work, iwork, &bad));
        worst = fmax(worst, residual(n, f, m, lambda) / (n * DBL_EPSILON * mat_max(n, lambda) * 4));
        orth = fmax(orth, orthogonality(n, f, m) / (n * DBL_EPSILON));
        for (int i = 1; i < n; i++) CHECK(lambda[i] >= lambda[i - 1]);
    }
    printf("     residual / n eps: %.2g, M-orthogonality %.2g\n", worst, orth);
    CHECK(worst < 5 && orth < 10);
}

// fixed-fixed chain of equal masses and springs: lambda_k = 4 k/m sin^2(k pi / (2 (n + 1)))
TEST(chain_of_masses) {
    for (int n = 2; n <= 30; n += 7) {
        double lambda[N_MAX], k = 50, mass = 0.3;
        memset(a, 0, sizeof a);
        memset(m, 0, sizeof m);
        for (int i = 0; i < n; i++) {
            a[i + n * i] = 2 * k;
            m[i + n * i] = mass;
            if (i + 1 < n) a[i + 1 + n * i] = -k;
        }
        CHECK_OK(cdi_eig_general(n, a, n, m, n, lambda, work, iwork, NULL));
        for (int i = 0; i < n; i++) {
            double s = sin((i + 1) * acos(-1) / (2 * (n + 1)));
            CHECK_NEAR(lambda[i], 4 * k / mass * s * s, 1e-12 * k / mass);
        }
    }
}

TEST(generalised_problem_needs_mass) {
    double k[4] = {1, 0, 0, 1}, mass[4] = {1, 0, 0, 0}, lambda[2];
    int bad = -1;
    CHECK_INT(cdi_eig_general(2, k, 2, mass, 2, lambda, work, iwork, &bad), CD_SINGULAR);
    CHECK_INT(bad, 1);
}

TEST(bad_numbers_and_nothing) {
    double lambda[20];
    for (int path = 0; path < 3; path++) {
        CHECK_OK(eig(path, 0, NULL, NULL));
        for (int n = 1; n <= 16; n += 5) {
            for (int i = 0; i < n * n; i++) f[i] = 1;
            f[n - 1] = path == 1 ? INFINITY : NAN;
            CHECK_INT(eig(path, n, f, lambda), CD_NONFINITE);
        }
    }
    CHECK_OK(cdi_eig_general(0, NULL, 1, NULL, 1, NULL, NULL, NULL, NULL));
    double k[1] = {NAN}, one[1] = {1};
    CHECK_INT(cdi_eig_general(1, k, 1, one, 1, lambda, work, iwork, NULL), CD_NONFINITE);
    double zero[1] = {0};
    CHECK_OK(cdi_eig(1, zero, 1, lambda, work, iwork));
    CHECK(lambda[0] == 0 && zero[0] == 1);
}

TEST(values_that_overflow_are_reported) {
    for (int path = 0; path < 3; path++) {
        for (int n = 2; n <= 20; n += 3) {
            double lambda[20];
            // n times the entry
            for (int i = 0; i < n * n; i++) f[i] = 1e308;
            CHECK_INT(eig(path, n, f, lambda), CD_NONFINITE);
            for (int i = 0; i < n * n; i++) f[i] = 1e308 / n;
            CHECK_OK(eig(path, n, f, lambda));
            CHECK_NEAR(lambda[n - 1] / 1e308, 1, 1e-14);
        }
    }
}

TEST(generalised_problem_that_overflows) {
    for (int n = 2; n <= 20; n += 6) {
        double lambda[20];
        for (int small = 0; small < 2; small++) {
            // K/M is too large, or its largest value is
            for (int i = 0; i < n * n; i++) {
                a[i] = small ? 1 : 1e308;
                m[i] = i % (n + 1) != 0 ? 0 : small ? 1e-310 : 1;
            }
            CHECK_INT(cdi_eig_general(n, a, n, m, n, lambda, work, iwork, NULL), CD_NONFINITE);
        }
    }
}

// M = L L^T, l_00 = 2^-535, l_kk = 2^-24, l_k+1,k = 1: the columns of L^-T grow to 2^(511 + 24 n)
TEST(generalised_vectors_that_overflow_are_reported) {
    const int n = 24;
    double lambda[24];
    memset(a, 0, sizeof a);
    memset(m, 0, sizeof m);
    for (int k = 0; k < n; k++) {
        const double pivot = ldexp(1, k == 0 ? -535 : -24);
        m[(n + 1) * k] = pivot * pivot + (k > 0);
        if (k + 1 < n) m[k + 1 + n * k] = pivot;
    }
    CHECK_INT(cdi_eig_general(n, a, n, m, n, lambda, work, iwork, NULL), CD_NONFINITE);
}

int main(void) {
    RUN(pairs_of_all_orders);
    RUN(known_and_repeated_values);
    RUN(own_kernel_finds_tiny_values_exactly);
    RUN(generalised_problem);
    RUN(chain_of_masses);
    RUN(generalised_problem_needs_mass);
    RUN(bad_numbers_and_nothing);
    RUN(values_that_overflow_are_reported);
    RUN(generalised_problem_that_overflows);
    RUN(generalised_vectors_that_overflow_are_reported);
    return test_end();
}
