// adc_case.h - what suite_adc.c times: the kernels compiled for one instruction set
#ifndef BENCH_ADC_CASE_H
#define BENCH_ADC_CASE_H

enum { ADC_ITEMS = 64, ADC_MAX_X = 48, ADC_NDIR = 12, ADC_MAX_Y = 12 };

// one kernel: all arguments of an item in one array; 12 directions at given places
typedef struct AdcCase {
    const char *name;
    void (*value)(const double *x, double *y);
    void (*jacobian)(const double *x, double *y, double *jac);
    void (*lanes)(const double *tile, double *y, double *jac);
    void (*complex_value)(const double *x, int dir, double *slope); // Im f(x + i h e)/h
    int nx, ny, dirs[ADC_NDIR];
    int rotation[3]; // where unit quaternions stand, 0: none
} AdcCase;

enum { ADC_NCASE = 6 };

extern const AdcCase adc_cases_base[ADC_NCASE], adc_cases_avx2[ADC_NCASE],
    adc_cases_avx512[ADC_NCASE];

// nanoseconds of one ADOL-C Jacobian, or a negative number
double adc_adolc_ns(const char *name, const double *x, int repeat);

#endif
