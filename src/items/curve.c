// curve.c - functions of one variable inside of kernels
#include "items/curve.h"

double curve_value(const CdFunction *f, double x) {
    double y[3];
    cdi_function_eval(f, x, y);
    return y[0];
}

double curve_slope(const CdFunction *f, double x) {
    double y[3];
    cdi_function_eval(f, x, y);
    return y[1];
}

double curve_bend(const CdFunction *f, double x) {
    double y[3];
    cdi_function_eval(f, x, y);
    return y[2];
}
