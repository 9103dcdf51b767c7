// adc_complex.h - the math functions of complex arguments, for kernels that adc wrote with
// --complex
#ifndef BENCH_ADC_COMPLEX_H
#define BENCH_ADC_COMPLEX_H

#include <complex.h>

#define CX_SAME(f)                                          \
    static inline double complex cx_##f(double complex z) { \
        return c##f(z);                                     \
    }
CX_SAME(sqrt)
CX_SAME(sin)
CX_SAME(cos)
CX_SAME(exp)
CX_SAME(log)
#undef CX_SAME

#endif
