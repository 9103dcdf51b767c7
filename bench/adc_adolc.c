// adc_adolc.c - stands in for adc_adolc.cpp where ADOL-C is not installed
#include "adc_case.h"

double adc_adolc_ns(const char *name, const double *x, int repeat) {
    (void)name, (void)x, (void)repeat;
    return -1;
}
