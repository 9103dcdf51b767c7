// curve.h - functions of one variable inside of kernels: value and derivatives for adc
#ifndef CARDAN_ITEMS_CURVE_H
#define CARDAN_ITEMS_CURVE_H

#include "items/lanes.h"

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

// functions of an item, at n places of its struct
static inline const CdFunction *curve_at(const void *p, size_t place) {
    return (const void *)((const char *)p + place);
}

static inline bool curves_are_zero(const void *p, int n, const size_t *places) {
    for (int k = 0; k < n; k++) {
        if (!curve_is_zero(curve_at(p, places[k]))) return false;
    }
    return true;
}

// of items in a tile
static inline void curve_tile(const CdForceTile *in, int n, const size_t *places,
                              const CdFunction *(*f)[CDI_TILE]) {
    for (int l = 0; l < in->items; l++) {
        for (int k = 0; k < n; k++) f[k][l] = curve_at(in->item[l], places[k]);
    }
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
