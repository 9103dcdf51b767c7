// witness.c - the test kernels in quadruple precision and their differences
#include "witness.h"

#include <math.h>
#include <string.h>

typedef __float128 Quad;
typedef double Real;

#define DECLARE1(f) Quad f##q(Quad)
#define DECLARE2(f) Quad f##q(Quad, Quad)
DECLARE1(sqrt);
DECLARE1(sin);
DECLARE1(cos);
DECLARE1(tan);
DECLARE1(asin);
DECLARE1(acos);
DECLARE1(atan);
DECLARE1(exp);
DECLARE1(log);
DECLARE1(fabs);
DECLARE1(sinh);
DECLARE1(cosh);
DECLARE1(tanh);
DECLARE2(atan2);
DECLARE2(pow);
DECLARE2(fmin);
DECLARE2(fmax);
DECLARE2(hypot);

#define sqrt sqrtq
#define sin sinq
#define cos cosq
#define tan tanq
#define asin asinq
#define acos acosq
#define atan atanq
#define exp expq
#define log logq
#define fabs fabsq
#define sinh sinhq
#define cosh coshq
#define tanh tanhq
#define atan2 atan2q
#define pow powq
#define fmin fminq
#define fmax fmaxq
#define hypot hypotq

// the generated headers are not wanted here, only the kernels
#define REVOLUTE_ADC_H
#define HINGE_ADC_H
#define UNIVERSAL_ADC_H
#define SPRING_ADC_H
#define BUSHING_ADC_H
#define GYRO_ADC_H
#define MOTION_ADC_H
#define ANCF_ADC_H
#define BEAM_ADC_H
#define TYRE_ADC_H
#define TORTURE_ADC_H

#define curve_value curve_value_quad
#define curve_slope curve_slope_quad
#define curve_bend curve_bend_quad
#define curve_third curve_third_quad
#define ground_h ground_h_quad
#define ground_hx ground_hx_quad
#define ground_hy ground_hy_quad
#define ground_hxx ground_hxx_quad
#define ground_hxy ground_hxy_quad
#define ground_hyy ground_hyy_quad

#define double Quad
#include "ancf.c"
#include "beam.c"
#include "bushing.c"
#include "gyro.c"
#include "hinge.c"
#include "motion.c"
#include "revolute.c"
#include "spring.c"
#include "torture.c"
#include "tyre.c"
#include "universal.c"

double curve_value(const Curve *c, double t) {
    return c->amplitude * sin(c->rate * t);
}

double ground_h(const Ground *g, double x, double y) {
    return g->slope * x * y + g->wave * sin(x) * cos(y) + x * x * x * y;
}
#undef double

// two frames at x, moved by the increments at d, d + 12 and d + 24
static void frames(const Quad *x, const Quad *d, Frame *a, Frame *b) {
    Frame t;
    memcpy(a, x, sizeof *a);
    memcpy(b, x + 12, sizeof *b);
    for (int i = 0; i < 3; i++) {
        t = *a;
        frame_move(&t, d + 12 * i, a);
        t = *b;
        frame_move(&t, d + 12 * i + 6, b);
    }
}

static void run_revolute(const Quad *x, Quad *y) {
    Revolute p;
    memcpy(&p, x, sizeof p);
    revolute(&p, x + 15, x + 18, x + 22, x + 25, x + 28, x + 32, y);
}

static void run_hinge(const Quad *x, Quad *y) {
    Hinge p;
    Frame a, b;
    memcpy(&p, x, sizeof p);
    frames(x + 15, x + 39, &a, &b);
    hinge(&p, &a, &b, y);
}

static void run_universal(const Quad *x, Quad *y) {
    Universal p;
    Frame a, b;
    memcpy(&p, x, sizeof p);
    frames(x + 16, x + 41, &a, &b);
    universal(&p, &a, &b, x[40], y);
}

static void run_spring(const Quad *x, Quad *y) {
    const Spring p = {"", x[0], x[1], x[2]};
    spring(&p, x + 3, x + 6, x + 9, x + 12, y);
}

static void run_bushing(const Quad *x, Quad *y) {
    Bushing p;
    Frame a, b;
    memcpy(&p, x, sizeof p);
    frames(x + 12, x + 48, &a, &b);
    bushing(&p, &a, &b, x + 36, x + 42, y);
}

static void run_gyro(const Quad *x, Quad *y) {
    Gyro p;
    memcpy(&p, x, sizeof p);
    gyro(&p, x + 6, y);
}

static void run_motion(const Quad *x, Quad *y) {
    const Curve curve = {x[0], x[1]};
    const Ground ground = {x[2], x[3]};
    const Motion p = {&curve, x[4]};
    motion(&p, &ground, x + 5, x + 8, x[11], y);
}

static void run_ancf(const Quad *x, Quad *y) {
    const Cable p = {x[0], x[1], x[2]};
    ancf(&p, x + 3, y);
}

static void run_beam(const Quad *x, Quad *y) {
    Beam p;
    memcpy(&p, x, sizeof p);
    y[0] = beam(&p, x + 10, x + 13, x + 16, x + 19);
}

static void run_tyre(const Quad *x, Quad *y) {
    Tyre p;
    memcpy(&p, x, sizeof p);
    tyre(&p, x + 7, y);
}

static void run_torture(const Quad *x, Quad *y) {
    Torture p = {.a = x[0], .b = {x[1], x[2]}, .count = 0};
    memcpy(&p.in, x + 3, sizeof p.in);
    memcpy(&p.more, x + 6, sizeof p.more);
    torture(&p, x + 12, x[18], y);
}

static const struct {
    void (*run)(const Quad *x, Quad *y);
    int nx, ny;
} kernels[W_COUNT] = {
    [W_REVOLUTE] = {run_revolute, 35, 5},   [W_HINGE] = {run_hinge, 75, 5},
    [W_UNIVERSAL] = {run_universal, 77, 4}, [W_SPRING] = {run_spring, 15, 3},
    [W_BUSHING] = {run_bushing, 84, 6},     [W_GYRO] = {run_gyro, 9, 3},
    [W_MOTION] = {run_motion, 12, 2},       [W_ANCF] = {run_ancf, 15, 12},
    [W_BEAM] = {run_beam, 22, 1},           [W_TYRE] = {run_tyre, 13, 3},
    [W_TORTURE] = {run_torture, 19, 24},
};

int witness_nx(WitnessKernel k) {
    return kernels[k].nx;
}

int witness_ny(WitnessKernel k) {
    return kernels[k].ny;
}

// (8 (f(h) - f(-h)) - (f(2h) - f(-2h)))/12h, one direction inside the other
static void differ(WitnessKernel k, const Quad *x, int order, const Real *const *dir, Quad *y) {
    static const int at[4] = {-2, -1, 1, 2}, factor[4] = {1, -8, 8, -1};
    const int nx = kernels[k].nx, ny = kernels[k].ny;
    const Quad h = (Quad)1 / 131072;
    if (order == 0) {
        kernels[k].run(x, y);
        return;
    }
    for (int i = 0; i < ny; i++) y[i] = 0;
    for (int s = 0; s < 4; s++) {
        Quad moved[WITNESS_MAX_X], part[WITNESS_MAX_Y];
        for (int i = 0; i < nx; i++) moved[i] = x[i] + at[s] * h * dir[0][i];
        differ(k, moved, order - 1, dir + 1, part);
        for (int i = 0; i < ny; i++) y[i] += factor[s] * part[i] / (12 * h);
    }
}

void witness(WitnessKernel k, const Real *x, int order, const Real *const *dir, Real *out) {
    Quad q[WITNESS_MAX_X], y[WITNESS_MAX_Y];
    for (int i = 0; i < kernels[k].nx; i++) q[i] = x[i];
    differ(k, q, order, dir, y);
    for (int i = 0; i < kernels[k].ny; i++) out[i] = (Real)y[i];
}
