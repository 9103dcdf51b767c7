// curve.h - functions of one variable inside of kernels: value and derivatives for adc
#ifndef CARDAN_ITEMS_CURVE_H
#define CARDAN_ITEMS_CURVE_H

#include "desc/function.h"

static inline double curve_value(const CdFunction *f, double x) {
    return cdi_function_value(f, x);
}

static inline double curve_slope(const CdFunction *f, double x) {
    double y[3];
    cdi_function_eval(f, x, y);
    return y[1];
}

static inline double curve_bend(const CdFunction *f, double x) {
    double y[3];
    cdi_function_eval(f, x, y);
    return y[2];
}

// is it the same everywhere?
static inline bool curve_constant(const CdFunction *f, double *value) {
    *value = 0;
    if (!f->cls) return true;
    if (f->cls != &cd_function_constant) return false;
    *value = curve_value(f, 0);
    return true;
}

// is it the number zero? Functions that happen to be zero do not count
static inline bool curve_is_zero(const CdFunction *f) {
    double value;
    return curve_constant(f, &value) && value == 0;
}

// integral of f from 0 to x: the energy of a force, to about 1e-12 of itself
double cdi_curve_energy(const CdFunction *f, double x);

// for adc; to the compiler these repeat the functions above
// kernel
// adc: partials(curve_slope)
extern double curve_value(const CdFunction *f, double x);
// adc: partials(curve_bend)
extern double curve_slope(const CdFunction *f, double x);
extern double curve_bend(const CdFunction *f, double x);
// end kernel

#endif
