// points.c - where the test kernels are tried: random points and special ones
#include "points.h"

#include <math.h>
#include <string.h>

#include "test.h"

static void identity(double R[9]) {
    for (int i = 0; i < 9; i++) R[i] = i % 4 == 0;
}

// a rotation matrix from three random angles
static void rotation(TestRandom *r, double R[9]) {
    const double a = test_random(r, -3, 3), b = test_random(r, -1.5, 1.5),
                 c = test_random(r, -3, 3);
    const double M[9] = {cos(a) * cos(b),
                         cos(a) * sin(b) * sin(c) - sin(a) * cos(c),
                         cos(a) * sin(b) * cos(c) + sin(a) * sin(c),
                         sin(a) * cos(b),
                         sin(a) * sin(b) * sin(c) + cos(a) * cos(c),
                         sin(a) * sin(b) * cos(c) - cos(a) * sin(c),
                         -sin(b),
                         cos(b) * sin(c),
                         cos(b) * cos(c)};
    memcpy(R, M, sizeof M);
}

static void unit(double *q, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += q[i] * q[i];
    for (int i = 0; i < n; i++) q[i] /= sqrt(s);
}

static void scale_to(double *t, double length) {
    unit(t, 3);
    for (int i = 0; i < 3; i++) t[i] *= length;
}

static void two_frames(TestRandom *r, double *x, double *d) {
    rotation(r, x + 3);
    rotation(r, x + 15);
    for (int i = 0; i < 36; i++) d[i] = 0;
}

// rotation vectors at zero, at a tiny angle, on both sides of the branch of quat_exp, and beyond
static const double angles[] = {0, 1e-9, 0.0312, 0.0321, 0.9, 2.5};

static void special_point(WitnessKernel k, TestRandom *r, int point, double *x) {
    const double angle = angles[point % 6];
    switch (k) {
    case W_REVOLUTE:
        unit(x + 18, 4);
        unit(x + 28, 4);
        scale_to(x + 22, angle);
        scale_to(x + 32, angles[(point + 1) % 6]);
        break;
    case W_HINGE: two_frames(r, x + 15, x + 39); break;
    case W_UNIVERSAL: two_frames(r, x + 16, x + 41); break;
    case W_BUSHING:
        two_frames(r, x + 12, x + 48);
        if (point == 0) identity(x + 15), identity(x + 27);    // no rotation
        if (point == 1) memcpy(x + 27, x + 15, 9 * sizeof *x); // none relative to a
        if (point == 2)
            identity(x + 15), identity(x + 27), x[31] = x[35] = cos(0.0099), x[34] = sin(0.0099),
                                                x[32] = -sin(0.0099); // below the branch
        if (point == 3)
            identity(x + 15), identity(x + 27), x[31] = x[35] = cos(0.0101), x[34] = sin(0.0101),
                                                x[32] = -sin(0.0101); // above it
        break;
    case W_ANCF:
        for (int i = 0; i < 12; i++) x[3 + i] *= 0.1;
        x[6] += 1, x[9] += 0.5, x[12] += 1;
        x[0] = 0.5, x[1] = 30, x[2] = 2;
        break;
    case W_BEAM:
        x[0] = 0.5, x[1] = 1, x[2] = x[3] = 0;
        if (angle == 0) memset(x + 13, 0, 3 * sizeof *x), memset(x + 19, 0, 3 * sizeof *x);
        if (point == 2 || point == 3) {
            scale_to(x + 13, angle);
            memcpy(x + 19, x + 13, 3 * sizeof *x);
        }
        break;
    case W_TYRE: {
        const double p[7] = {200, 3, 0.9, 1.6, 8, 0.3, 0.35},
                     heights[6] = {0.3, 0.36, 0.34, 0.2, 0.3, 0.349};
        const double speeds[6] = {2, 1, -0.3, 0.05, -1.5, 0.2};
        memcpy(x, p, sizeof p);
        x[7] = heights[point], x[9] = speeds[point];
        x[11] *= 5;
        if (point == 3) x[8] = 90; // the damper would pull
        break;
    }
    case W_TORTURE:
        if (point == 1) x[12] = 3e-4, x[13] = -4e-4;
        if (point == 2) x[16] = -0.95, x[17] = 0.1;
        if (point == 3) x[17] = -0.1, x[18] = 0.25;
        x[9] += 2;
        break;
    default: break;
    }
}

void point_make(WitnessKernel k, int point, double *x) {
    TestRandom r = {(uint64_t)(100 * (int)k + point)};
    for (int i = 0; i < witness_nx(k); i++) x[i] = test_random(&r, -0.9, 0.9);
    special_point(k, &r, point, x);
}
