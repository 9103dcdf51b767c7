// test_kernels.c - everything adc derives from the test kernels agrees with the witness
//
// To 1e-13 of the largest entry with differences in quadruple precision of the kernel text itself;
// with central differences of the compiled kernel to their accuracy; at random points and at
// special ones: zero rotation and both sides of every branch.
#include "test.h"

#include <math.h>
#include <string.h>

#include "cases.h"
#include "points.h"

enum { MAX_OUT = 400 };

static const double tight = 1e-13, loose = 3e-7;

static double largest(const double *a, int n) {
    double m = 0;
    for (int i = 0; i < n; i++) m = fmax(m, fabs(a[i]));
    return m;
}

static void compare(const char *name, const double *got, const double *expected, int n,
                    double tol) {
    const double scale = fmax(largest(expected, n), 1e-3);
    for (int i = 0; i < n; i++) {
        const double error = fabs(got[i] - expected[i]) / scale;
        if (!(error <= tol)) {
            printf("%s[%d]: got %.17g, expected %.17g, error %.2g\n", name, i, got[i], expected[i],
                   error);
            CHECK(error <= tol);
            return;
        }
    }
    CHECK(true);
}

// direction vectors in the space of all arguments
typedef struct Directions {
    double at[3][WITNESS_MAX_X]; // one per order
    const double *dir[3];
} Directions;

static void clear(Directions *d) {
    memset(d, 0, sizeof *d);
    for (int i = 0; i < 3; i++) d->dir[i] = d->at[i];
}

// order i moves along direction j; frames have a set of increments of their own for every order
static void along(Directions *d, const Case *c, int i, int j, double speed) {
    d->at[i][c->dirs[j] + i * c->inc] += speed;
}

static void along_all(Directions *d, const Case *c, int i, const double *v) {
    for (int j = 0; j < c->ndir; j++) along(d, c, i, j, v[j]);
    if (c->time) d->at[i][c->time] += 1;
}

static void column(double *out, int ncol, int j, const double *y, int ny) {
    for (int i = 0; i < ny; i++) out[i * ncol + j] += y[i];
}

static void expect_jac(const Case *c, const double *x, double *out) {
    double y[WITNESS_MAX_Y];
    Directions d;
    for (int j = 0; j < c->ndir; j++) {
        clear(&d);
        along(&d, c, 0, j, 1);
        witness(c->kernel, x, 1, d.dir, y);
        column(out, c->ndir, j, y, witness_ny(c->kernel));
    }
}

static void expect_rate(const Case *c, const double *x, const double *v, int order, double *out) {
    Directions d;
    clear(&d);
    for (int i = 0; i < order; i++) along_all(&d, c, i, v);
    witness(c->kernel, x, order, d.dir, out);
}

static void expect_react(const Case *c, const double *x, const double *lambda, double *out) {
    double jac[MAX_OUT] = {0};
    const int ny = witness_ny(c->kernel);
    expect_jac(c, x, jac);
    for (int j = 0; j < c->ndir; j++) {
        for (int i = 0; i < ny; i++) out[j] += lambda[i] * jac[i * c->ndir + j];
    }
}

static void expect_react_jac(const Case *c, const double *x, const double *lambda, double *out) {
    const int ny = witness_ny(c->kernel);
    for (int i = 0; i < c->ndir; i++) {
        for (int j = 0; j < c->ndir; j++) {
            double y[WITNESS_MAX_Y];
            Directions d;
            clear(&d);
            along(&d, c, 0, j, 1); // moved first
            along(&d, c, 1, i, 1); // then derived
            witness(c->kernel, x, 2, d.dir, y);
            for (int k = 0; k < ny; k++) out[i * c->ndir + j] += lambda[k] * y[k];
        }
    }
}

// d/dx in the first ndir columns, d/dv in the others
static void expect_rate_jac(const Case *c, const double *x, const double *v, int order,
                            double *out) {
    const int ncol = 2 * c->ndir, ny = witness_ny(c->kernel);
    double y[WITNESS_MAX_Y];
    Directions d;
    for (int j = 0; j < c->ndir; j++) {
        clear(&d);
        along(&d, c, 0, j, 1);
        for (int i = 0; i < order; i++) along_all(&d, c, i + 1, v);
        witness(c->kernel, x, order + 1, d.dir, y);
        column(out, ncol, j, y, ny);
        for (int varied = 0; varied < order; varied++) {
            clear(&d);
            for (int i = 0; i < order; i++) {
                if (i == varied) along(&d, c, i, j, 1);
                if (i != varied) along_all(&d, c, i, v);
            }
            witness(c->kernel, x, order, d.dir, y);
            column(out, ncol, c->ndir + j, y, ny);
        }
    }
}

static void expect_case(const Case *c, const double *x, const double *extra, double *out) {
    static const double one[1] = {1};
    memset(out, 0, MAX_OUT * sizeof *out);
    switch (c->kind) {
    case C_JAC: expect_jac(c, x, out); break;
    case C_VEL: expect_rate(c, x, extra, 1, out); break;
    case C_ACC: expect_rate(c, x, extra, 2, out); break;
    case C_REACT: expect_react(c, x, extra, out); break;
    case C_REACT_JAC: expect_react_jac(c, x, c->kernel == W_BEAM ? one : extra, out); break;
    case C_VEL_JAC: expect_rate_jac(c, x, extra, 1, out); break;
    case C_ACC_JAC: expect_rate_jac(c, x, extra, 2, out); break;
    }
}

static void check_case(const Case *c, int point) {
    double x[WITNESS_MAX_X], extra[WITNESS_MAX_X], value[MAX_OUT], got[MAX_OUT], expected[MAX_OUT];
    TestRandom r = {(uint64_t)point};
    point_make(c->kernel, point, x);
    for (int i = 0; i < WITNESS_MAX_X; i++) extra[i] = test_random(&r, -1, 1);
    for (int i = 0; i < MAX_OUT; i++) got[i] = NAN;
    c->fn(x, extra, value, got);
    expect_case(c, x, extra, expected);
    const int before = c->n;
    compare(c->name, got, expected, before, tight);
}

TEST(agree_with_the_witness) {
    for (int i = 0; i < ncases; i++) {
        const bool slow = cases[i].kind == C_ACC_JAC;
        for (int point = 0; point < (slow ? 2 : POINTS); point++) check_case(&cases[i], point);
    }
}

// the value that comes with a Jacobian is the value of the kernel, bit by bit
TEST(values_are_those_of_the_kernel) {
    for (int i = 0; i < ncases; i++) {
        const Case *c = &cases[i];
        if (c->kind != C_JAC || c->kernel == W_BEAM) continue;
        for (int point = 0; point < POINTS; point++) {
            double x[WITNESS_MAX_X], y[WITNESS_MAX_Y], value[WITNESS_MAX_Y], out[MAX_OUT];
            point_make(c->kernel, point, x);
            c->fn(x, NULL, value, out);
            kernel_value(c->kernel, x, y);
            for (int k = 0; k < witness_ny(c->kernel); k++) CHECK(value[k] == y[k]);
        }
    }
}

// central differences of the compiled kernel, in double
TEST(agree_with_central_differences) {
    const double h = 1e-6;
    for (int i = 0; i < ncases; i++) {
        const Case *c = &cases[i];
        if (c->kind != C_JAC || c->inc || c->kernel == W_BUSHING) continue;
        for (int point = 0; point < POINTS; point++) {
            double x[WITNESS_MAX_X], lo[WITNESS_MAX_Y], hi[WITNESS_MAX_Y], value[WITNESS_MAX_Y];
            double got[MAX_OUT], expected[MAX_OUT];
            const int ny = witness_ny(c->kernel);
            point_make(c->kernel, point, x);
            c->fn(x, NULL, value, got);
            for (int j = 0; j < c->ndir; j++) {
                const double at = x[c->dirs[j]];
                x[c->dirs[j]] = at + h;
                kernel_value(c->kernel, x, hi);
                x[c->dirs[j]] = at - h;
                kernel_value(c->kernel, x, lo);
                x[c->dirs[j]] = at;
                for (int k = 0; k < ny; k++) expected[k * c->ndir + j] = (hi[k] - lo[k]) / (2 * h);
            }
            compare(c->name, got, expected, c->n, loose);
        }
    }
}

static const Case *find_case(const char *name) {
    for (int i = 0; i < ncases; i++) {
        if (strcmp(cases[i].name, name) == 0) return &cases[i];
    }
    return NULL;
}

// at a kink the derivative of the side is taken on which the point lies
TEST(sides_of_a_kink) {
    double x[WITNESS_MAX_X], extra[1] = {0}, value[WITNESS_MAX_Y], up[MAX_OUT], down[MAX_OUT];
    point_make(W_TYRE, 0, x);
    const Case *jac = find_case("tyre_jac");
    x[7] = x[6] * (1 - 1e-12); // in touch
    jac->fn(x, extra, value, down);
    x[7] = x[6] * (1 + 1e-12); // not in touch
    jac->fn(x, extra, value, up);
    CHECK(fabs(down[12] + x[0]) < 10);
    CHECK(up[12] == 0);
}

// a square root that only the other part of a branch needs: its infinite slope at zero does no harm
TEST(slopes_of_the_part_not_taken) {
    double x[WITNESS_MAX_X], extra[1] = {0}, value[WITNESS_MAX_Y], out[MAX_OUT];
    const Case *jac = find_case("torture_jac");
    point_make(W_TORTURE, 0, x);
    x[12] = x[13] = 0;
    jac->fn(x, extra, value, out);
    for (int j = 0; j < jac->ndir; j++) CHECK(out[22 * jac->ndir + j] == 0);
}

int main(void) {
    RUN(agree_with_the_witness);
    RUN(values_are_those_of_the_kernel);
    RUN(agree_with_central_differences);
    RUN(sides_of_a_kink);
    RUN(slopes_of_the_part_not_taken);
    return test_end();
}
