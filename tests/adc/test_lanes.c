// test_lanes.c - lane code: functions to 2 units in the last place, the same bits on every
// instruction set, and Jacobians equal to the scalar ones
#include "test.h"

#include <math.h>
#include <string.h>

#include "base/isa.h"
#include "cases.h"
#include "lanes_isa.h"
#include "points.h"

enum { MAX_TILE = 8 * 400 };

static const LaneTable *tables[CD_NISA];
static int ntable;

static void find_tables(void) {
    static const LaneTable *const all[CD_NISA] = {LANE_TABLES};
    ntable = 0;
    for (int i = 0; i < CD_NISA && i <= (int)cdi_isa(); i++) {
        if (all[i]) tables[ntable++] = all[i];
    }
    printf("instruction sets compared: %d, widest %s\n", ntable, cdi_isa_name(cdi_isa()));
}

// numbers of all sizes where the function is defined
static double argument(TestRandom *r, int fn, int round) {
    const double small = test_random(r, -1, 1);
    switch (fn) {
    case 0:
    case 8: return exp(test_random(r, -700, 700)); // sqrt, log
    case 1:
    case 2:
    case 3: { // sin, cos, tan
        const double sizes[4] = {1, 50, 1e5, 1e15};
        return small * sizes[round % 4];
    }
    case 4:
    case 5: return round % 2 ? small : copysign(1 - exp(test_random(r, -30, 0)), small);
    case 7: return small * (round % 2 ? 745 : 2);
    case 10:
    case 11:
    case 12: return small * (round % 3 == 0 ? 700 : round % 3 == 1 ? 30 : 1.5);
    case 14: return exp(test_random(r, round % 2 ? -20 : -0.5, round % 2 ? 20 : 0.5));
    default: return small * exp(test_random(r, -20, 20));
    }
}

static double second(TestRandom *r, int fn, int round) {
    if (fn == 14) return test_random(r, -30, 30);
    return test_random(r, -1, 1) * (round % 2 ? 1 : exp(test_random(r, -20, 20)));
}

static void check_function(int fn) {
    TestRandom r = {(uint64_t)fn + 7};
    double worst = 0, at = 0;
    for (int round = 0; round < 4000; round++) {
        double a[8], b[8], y[8], z[8];
        for (int l = 0; l < 8; l++) a[l] = argument(&r, fn, round), b[l] = second(&r, fn, round);
        tables[0]->math(fn, a, b, y);
        for (int i = 1; i < ntable; i++) {
            tables[i]->math(fn, a, b, z);
            CHECK(memcmp(y, z, sizeof y) == 0);
        }
        for (int l = 0; l < 8; l++) {
            const double e = lane_error(fn, a[l], b[l], y[l]);
            if (!(e <= worst)) worst = e, at = a[l];
        }
    }
    printf("  %-6s %.2f units in the last place, at %.17g\n", lane_math_name(fn), worst, at);
    CHECK(worst <= 2);
}

TEST(functions) {
    for (int fn = 0; fn < LANES_NFN; fn++) check_function(fn);
}

TEST(special_numbers) {
    static const double odd[8] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1022, 1.0};
    static const double even[8] = {1e300, -1e300, 0.5, -1.0, 709.9, -745.5, 1e22, 5e5};
    for (int fn = 0; fn < LANES_NFN; fn++) {
        for (int shift = 0; shift < 8; shift++) {
            double a[8], b[8], y[8], z[8];
            for (int l = 0; l < 8; l++) {
                a[l] = shift % 2 ? even[l] : odd[l];
                b[l] = shift % 4 < 2 ? odd[(l + shift) % 8] : even[(l + shift) % 8];
            }
            tables[0]->math(fn, a, b, y);
            for (int l = 0; l < 8; l++) {
                const double e = lane_error(fn, a[l], b[l], y[l]);
                if (!(e <= 2)) {
                    printf("%s(%g, %g) = %g\n", lane_math_name(fn), a[l], b[l], y[l]);
                    CHECK(e <= 2);
                }
            }
            for (int i = 1; i < ntable; i++) {
                tables[i]->math(fn, a, b, z);
                for (int l = 0; l < 8; l++) CHECK(y[l] == z[l] || (isnan(y[l]) && isnan(z[l])));
            }
        }
    }
}

static const Case *scalar_case(const char *name) {
    for (int i = 0; i < ncases; i++) {
        if (strcmp(cases[i].name, name) == 0) return &cases[i];
    }
    return NULL;
}

static void check_lanes(const LaneTable *t, int which, double *bits) {
    const LaneCase *c = &t->cases[which];
    const Case *s = scalar_case(c->scalar);
    const int nx = witness_nx(c->kernel);
    double x[8][WITNESS_MAX_X], extra[8][WITNESS_MAX_X];
    static double xt[8 * WITNESS_MAX_X], vt[8 * WITNESS_MAX_X], value[MAX_TILE], out[MAX_TILE];
    CHECK(s != NULL);
    TestRandom r = {3};
    for (int l = 0; l < 8; l++) {
        point_make(c->kernel, l % POINTS, x[l]);
        for (int k = 0; k < nx; k++) xt[8 * k + l] = x[l][k];
        for (int k = 0; k < c->nextra; k++) {
            extra[l][k] = vt[8 * k + l] = test_random(&r, -1, 1);
        }
    }
    c->fn(xt, vt, value, out);
    for (int l = 0; l < 8; l++) {
        double y[400], got[400], expected[400];
        s->fn(x[l], extra[l], y, expected);
        for (int k = 0; k < c->n; k++) got[k] = out[8 * k + l];
        double scale = 1e-3, worst = 0;
        for (int k = 0; k < c->n; k++) scale = fmax(scale, fabs(expected[k]));
        for (int k = 0; k < c->n; k++) {
            const double e = fabs(got[k] - expected[k]) / scale;
            if (!(e <= worst)) worst = e;
        }
        if (!(worst <= 1e-13)) printf("%s: lane %d differs by %g\n", c->scalar, l, worst);
        CHECK(worst <= 1e-13);
    }
    memcpy(bits, out, (size_t)(8 * c->n) * sizeof *bits);
}

TEST(kernels) {
    static double first[MAX_TILE], other[MAX_TILE];
    for (int k = 0; k < tables[0]->ncase; k++) {
        const size_t n = (size_t)(8 * tables[0]->cases[k].n) * sizeof *first;
        check_lanes(tables[0], k, first);
        for (int i = 1; i < ntable; i++) {
            check_lanes(tables[i], k, other);
            CHECK(memcmp(first, other, n) == 0);
        }
    }
}

int main(void) {
    find_tables();
    RUN(functions);
    RUN(special_numbers);
    RUN(kernels);
    return test_end();
}
