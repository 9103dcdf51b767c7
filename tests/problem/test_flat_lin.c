// test_flat_lin.c - systems of the flat form against dense matrices made by differences of F or f
#include "problem/flat_problems.h"

#include <complex.h> // last: `complex` is a member in other headers

#define N_MAX 24
#define STEP 1e-4 // of differences of fourth order

typedef struct Dense {
    int n;
    double y[N_MAX][N_MAX], dot[N_MAX][N_MAX]; // columns of F_Y, F_Y'
} Dense;

// F of the implicit form, Y' - f of the explicit form
static void function(CdiFlat *f, double t, const double *Y, const double *dY, double *F) {
    if (f->setup.explicit_form) {
        CHECK_OK(cdi_flat_rate(f, t, Y, F));
        for (int i = 0; i < f->n; i++) F[i] = dY[i] - F[i];
    } else {
        CHECK_OK(cdi_flat_residual(f, t, Y, dY, F));
    }
}

// column j of the derivative to what z points to, which is Y or dY
static void column(CdiFlat *f, double t, const double *Y, const double *dY, double *z, int j,
                   double *out) {
    const double offset[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1}, z0 = z[j];
    double F[N_MAX];
    memset(out, 0, sizeof(double) * (size_t)f->n);
    for (int k = 0; k < 4; k++) {
        z[j] = z0 + offset[k] * STEP;
        function(f, t, Y, dY, F);
        for (int i = 0; i < f->n; i++) out[i] += weight[k] * F[i] / (12 * STEP);
    }
    z[j] = z0;
}

static void differentiate(CdiFlat *f, double t, double *Y, double *dY, Dense *d) {
    d->n = f->n;
    for (int j = 0; j < f->n; j++) {
        column(f, t, Y, dY, Y, j, d->y[j]);
        column(f, t, Y, dY, dY, j, d->dot[j]);
    }
}

static double complex entry(const Dense *d, double complex c, int i, int j) {
    return c * d->dot[j][i] + d->y[j][i];
}

// Gaussian elimination with column pivots
static void dense_solve(const Dense *d, double complex c, double complex *b) {
    double complex a[N_MAX][N_MAX];
    const int n = d->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) a[i][j] = entry(d, c, i, j);
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) best = cabs(a[i][k]) > cabs(a[best][k]) ? i : best;
        for (int j = 0; j < n; j++) {
            const double complex swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        const double complex swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = k + 1; i < n; i++) {
            const double complex factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

// solve with the flat operator
static void flat_solve(CdiFlatLin *lin, int n, bool is_complex, double complex *b) {
    double pairs[2 * N_MAX];
    for (int i = 0; i < n; i++) {
        pairs[is_complex ? 2 * i : i] = creal(b[i]);
        if (is_complex) pairs[2 * i + 1] = cimag(b[i]);
    }
    CHECK_OK(cdi_flat_lin_solve(lin, pairs, 1));
    for (int i = 0; i < n; i++) {
        b[i] = is_complex ? pairs[2 * i] + I * pairs[2 * i + 1] : pairs[i];
    }
}

// states are of order one; quaternions get unit length
static void random_state(TestRandom *r, CdiFlat *f, double *Y, double *dY) {
    for (int i = 0; i < f->n; i++) {
        Y[i] = test_random(r, 0.3, 1.2);
        dY[i] = f->differential[i] ? test_random(r, -1, 1) : 0;
    }
    // mu is 0 where steps begin
    for (int i = 0; i < f->p->ng && f->setup.form == CD_GGL; i++) Y[f->n - 1 - i] = 0;
    cdi_normalise(f->p, Y);
    if (f->p->ng == 0 || !f->setup.explicit_form) return;
    bool changed;
    CHECK_OK(cdi_flat_accept(f, 0.3, Y, &changed));
}

typedef struct Sweep {
    double first; // error of d relative to the dense solution, after one solve
    double rate;  // by which iterated solves reduce it, geometric mean
} Sweep;

#define SWEEPS 5

// unknowns of index i are larger by c^(i-1)
static double distance(const CdiFlat *f, double c, const double complex *a,
                       const double complex *b) {
    double most = 0, scale = 0;
    for (int i = 0; i < f->n; i++) {
        const double weight = pow(c, 1 - f->index[i]);
        most = fmax(most, cabs(a[i] - b[i]) * weight);
        scale = fmax(scale, cabs(b[i]) * weight);
    }
    return most / scale;
}

// d <- d + S (b - A d), S the flat operator
static Sweep sweep(const CdiFlat *f, CdiFlatLin *lin, const Dense *a, double complex c,
                   bool is_complex, const double complex *b) {
    const int n = a->n;
    double complex exact[N_MAX], d[N_MAX] = {0}, r[N_MAX];
    memcpy(exact, b, sizeof *b * (size_t)n);
    dense_solve(a, c, exact);
    Sweep s = {0, 0};
    double error = 1;
    for (int k = 0; k < SWEEPS; k++) {
        for (int i = 0; i < n; i++) {
            r[i] = b[i];
            for (int j = 0; j < n; j++) r[i] -= entry(a, c, i, j) * d[j];
        }
        flat_solve(lin, n, is_complex, r);
        for (int i = 0; i < n; i++) d[i] += r[i];
        error = distance(f, cabs(c), d, exact);
        if (k == 0) s.first = error;
    }
    s.rate = pow(error, 1.0 / SWEEPS);
    return s;
}

// the worst of some random right-hand sides at one state, with coefficient c
static Sweep worst_at(CdiFlat *f, const Dense *a, TestRandom *r, double t, const double *Y,
                      const double *dY, double complex c, bool is_complex) {
    const double pair[2] = {creal(c), cimag(c)};
    CdiFlatLin *lin;
    Sweep worst = {0, 0};
    CHECK_OK(cdi_flat_lin_new(f, is_complex, &lin));
    CHECK_OK(cdi_flat_lin_setup(lin, pair, t, Y, dY, false));
    for (int k = 0; k < 5; k++) {
        double complex b[N_MAX];
        for (int i = 0; i < f->n; i++) {
            b[i] = test_random(r, -1, 1) + (is_complex ? I * test_random(r, -1, 1) : 0);
        }
        // g moves with q, that is 1/c of v
        for (int i = 0; i < f->p->ng && f->setup.form == CD_GGL; i++) b[f->n - 1 - i] /= cabs(c);
        const Sweep s = sweep(f, lin, a, c, is_complex, b);
        worst.first = fmax(worst.first, s.first);
        worst.rate = fmax(worst.rate, s.rate);
    }
    cdi_flat_lin_free(lin);
    return worst;
}

// real and complex, at a few states; returns the worst
static Sweep worst_of(const CdProblem *user, bool explicit_form, CdForm form, double c) {
    Flat x;
    Sweep worst = {0, 0};
    if (!flat_open(&x, user, explicit_form, form)) return (Sweep){INFINITY, INFINITY};
    TestRandom r = {42};
    for (int state = 0; state < 3; state++) {
        double Y[N_MAX], dY[N_MAX];
        Dense a;
        random_state(&r, x.f, Y, dY);
        differentiate(x.f, 0.3, Y, dY, &a);
        for (int is_complex = 0; is_complex < 2; is_complex++) {
            const Sweep s =
                worst_at(x.f, &a, &r, 0.3, Y, dY, is_complex ? c * (0.8 + 0.9 * I) : c, is_complex);
            worst.first = fmax(worst.first, s.first);
            worst.rate = fmax(worst.rate, s.rate);
        }
    }
    flat_close(&x);
    return worst;
}

static void report(const char *what, Sweep s) {
    printf("     %-36s error %.1e, rate %.1e\n", what, s.first, s.rate);
}

// derivatives by differences leave about 1e-7
#define EXACT 1e-6

TEST(plain_systems_are_those_of_dense_matrices) {
    const CdProblem problems[] = {flat_ode(), flat_leading(flat_regular),
                                  flat_leading(flat_singular), flat_with_x(), flat_implicit()};
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        const Sweep s = worst_of(&problems[k], false, CD_FORM_AUTO, 7);
        report(problems[k].name, s);
        CHECK(s.first < EXACT);
    }
    for (size_t k = 0; k < 2; k++) {
        CHECK(worst_of(&problems[k], true, CD_FORM_AUTO, 7).first < EXACT);
    }
}

TEST(unconstrained_mechanics_is_exact) {
    Cart none = {0, 0};
    for (int with_y = 0; with_y < 2; with_y++) {
        const CdProblem p = flat_cart(&none, with_y, false);
        CHECK(worst_of(&p, false, CD_FORM_AUTO, 10).first < EXACT);
        CHECK(worst_of(&p, true, CD_FORM_AUTO, 10).first < EXACT);
    }
    const CdProblem p = flat_cart(&none, true, true);
    const Sweep s = worst_of(&p, false, CD_FORM_AUTO, 10);
    report("unconstrained", s);
    CHECK(s.first < EXACT);
}

TEST(index_one_to_three_are_exact) {
    for (int nn = 0; nn < 2; nn++) {
        for (int ng = 1; ng < 3; ng++) {
            Cart c = {ng, nn};
            const CdProblem p = flat_cart(&c, true, true);
            for (CdForm form = CD_INDEX1; form <= CD_INDEX3; form++) {
                const Sweep s = worst_of(&p, false, form, 10);
                report(cdi_form_names[form], s);
                CHECK(s.first < EXACT);
            }
        }
    }
    Cart c = {0, 1};
    const CdProblem p = flat_cart(&c, true, false);
    CHECK(worst_of(&p, false, CD_FORM_AUTO, 10).first < EXACT);
}

TEST(the_explicit_form_of_constraints_is_exact) {
    for (int nn = 0; nn < 2; nn++) {
        Cart c = {2, nn};
        const CdProblem p = flat_cart(&c, true, false);
        const Sweep s = worst_of(&p, true, CD_FORM_AUTO, 10);
        report("index1, explicit", s);
        CHECK(s.first < EXACT);
    }
}

// what the stabilised form neglects is of second order in the step 1/c
TEST(the_stabilised_form_contracts_fast) {
    for (int nn = 0; nn < 2; nn++) {
        for (int ng = 1; ng < 3; ng++) {
            Cart c = {ng, nn};
            const CdProblem p = flat_cart(&c, true, true);
            const Sweep coarse = worst_of(&p, false, CD_GGL, 30),
                        fine = worst_of(&p, false, CD_GGL, 300);
            report("ggl, c = 30", coarse);
            report("ggl, c = 300", fine);
            CHECK(coarse.first < 0.05);
            CHECK(fine.first < coarse.first / 50);
        }
    }
}

TEST(quaternions_contract_with_the_step) {
    for (int held = 0; held < 2; held++) {
        const CdProblem p = flat_top(held);
        for (CdForm form = CD_INDEX1; form <= (held ? CD_GGL : CD_INDEX1); form++) {
            const Sweep coarse = worst_of(&p, false, form, 30),
                        fine = worst_of(&p, false, form, 300);
            report(held ? cdi_form_names[form] : "free top", coarse);
            report(held ? cdi_form_names[form] : "free top", fine);
            // index 3 ends at rounding errors times c^2
            CHECK(coarse.rate < 0.2);
            CHECK(fine.rate < 0.05);
        }
        const Sweep s = worst_of(&p, true, CD_FORM_AUTO, 30);
        report("explicit top", s);
        CHECK(s.rate < 0.2);
    }
}

// ---- own linear algebra: that of the same problem without it

typedef struct Own {
    Cart cart; // what the callbacks of the cart see
    CdiProblem *inner;
} Own;

static CdStatus own_new(void *data, bool is_complex, void **lin) {
    return cdi_lin_new(((Own *)data)->inner, is_complex, (CdiLin **)lin);
}

static CdStatus own_setup(void *data, void *lin, const CdOperator *op) {
    (void)data;
    return cdi_lin_setup(lin, op);
}

static CdStatus own_solve(void *data, void *lin, double *b, int nrhs, bool transposed) {
    (void)data;
    return cdi_lin_solve(lin, b, nrhs, transposed);
}

static void own_free(void *data, void *lin) {
    (void)data;
    cdi_lin_free(lin);
}

// solve at one state with c of a real and a complex system, the second with what the first has
static void solve_twice(CdiFlat *f, const double *Y, const double *dY, double *d) {
    const double c[2] = {20, 5};
    CdiFlatLin *real, *second;
    TestRandom r = {5};
    for (int i = 0; i < 3 * f->n; i++) d[i] = test_random(&r, -1, 1);
    CHECK_OK(cdi_flat_lin_new(f, false, &real));
    CHECK_OK(cdi_flat_lin_new(f, true, &second));
    CHECK_OK(cdi_flat_lin_setup(real, c, 0.3, Y, dY, false));
    CHECK_OK(cdi_flat_lin_setup_as(second, c, real));
    CHECK_OK(cdi_flat_lin_solve(real, d, 1));
    CHECK_OK(cdi_flat_lin_solve(second, d + f->n, 1));
    cdi_flat_lin_free(real);
    cdi_flat_lin_free(second);
}

TEST(own_linear_algebra_gives_the_same) {
    for (CdForm form = CD_INDEX1; form <= CD_GGL; form++) {
        Own own = {.cart = {1, 1}};
        Flat x, y;
        CdProblem p = flat_cart(&own.cart, true, true);
        p.data = &own;
        if (!flat_open(&x, &p, false, form)) return;
        own.inner = x.p;
        p.lin_new = own_new;
        p.lin_setup = own_setup;
        p.lin_solve = own_solve;
        p.lin_free = own_free;
        if (!flat_open(&y, &p, false, form)) return;
        double Y[N_MAX], dY[N_MAX], d[3 * N_MAX], e[3 * N_MAX];
        TestRandom r = {42};
        random_state(&r, x.f, Y, dY);
        solve_twice(x.f, Y, dY, d);
        solve_twice(y.f, Y, dY, e);
        for (int i = 0; i < 3 * x.f->n; i++) CHECK_BITS(d[i], e[i]);
        flat_close(&y);
        flat_close(&x);
    }
}

int main(void) {
    RUN(plain_systems_are_those_of_dense_matrices);
    RUN(unconstrained_mechanics_is_exact);
    RUN(index_one_to_three_are_exact);
    RUN(the_explicit_form_of_constraints_is_exact);
    RUN(the_stabilised_form_contracts_fast);
    RUN(quaternions_contract_with_the_step);
    RUN(own_linear_algebra_gives_the_same);
    return test_end();
}
