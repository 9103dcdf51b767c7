// curve.c - integrals of functions of one variable
//
// By Gauss's rule of five points, halved where two halves differ from the whole, so that
// kinks of tables are found. Davis & Rabinowitz, Methods of Numerical Integration, 1984, ch. 2, 6.
#include "items/curve.h"

#include <math.h>

#define POINTS 5
#define TOLERANCE 1e-13
#define HALVINGS 1000

typedef struct Integral {
    const CdFunction *f;
    double error; // allowed per length
    int left;     // halvings that may still be made
} Integral;

// size: of the integral, without cancellation
static double gauss(const CdFunction *f, double from, double to, double *size) {
    static const double at[POINTS] = {-0.9061798459386640, -0.5384693101056831, 0,
                                      0.5384693101056831, 0.9061798459386640};
    static const double weight[POINTS] = {0.2369268850561891, 0.4786286704993665,
                                          0.5688888888888889, 0.4786286704993665,
                                          0.2369268850561891};
    const double mid = (from + to) / 2, half = (to - from) / 2;
    double sum = 0;
    *size = 0;
    for (int i = 0; i < POINTS; i++) {
        const double y = weight[i] * curve_value(f, mid + half * at[i]);
        sum += y;
        *size += fabs(y * half);
    }
    return sum * half;
}

static double refine(Integral *in, double from, double to, double whole) {
    const double mid = (from + to) / 2;
    double size;
    const double left = gauss(in->f, from, mid, &size), right = gauss(in->f, mid, to, &size);
    const bool good = !(fabs(left + right - whole) > in->error * fabs(to - from));
    if (good || in->left-- <= 0) return left + right;
    return refine(in, from, mid, left) + refine(in, mid, to, right);
}

double cdi_curve_energy(const CdFunction *f, double x) {
    double size;
    if (!f->cls || x == 0) return 0;
    const double whole = gauss(f, 0, x, &size);
    return refine(&(Integral){f, TOLERANCE * size / fabs(x), HALVINGS}, 0, x, whole);
}
