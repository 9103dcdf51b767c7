// mathfn.h - the math functions that kernels may call, with their number of arguments
#ifndef ADC_MATHFN_H
#define ADC_MATHFN_H

#define MATH_FUNCTIONS(X) \
    X(sqrt, 1)            \
    X(sin, 1)             \
    X(cos, 1)             \
    X(tan, 1)             \
    X(asin, 1)            \
    X(acos, 1)            \
    X(atan, 1)            \
    X(exp, 1)             \
    X(log, 1)             \
    X(fabs, 1)            \
    X(sinh, 1)            \
    X(cosh, 1)            \
    X(tanh, 1)            \
    X(atan2, 2)           \
    X(pow, 2)             \
    X(fmin, 2)            \
    X(fmax, 2)            \
    X(hypot, 2)

#define X(name, nargs) M_##name,
typedef enum MathFn { MATH_FUNCTIONS(X) M_COUNT } MathFn;
#undef X

const char *math_name(MathFn f);
int math_nargs(MathFn f);
int math_find(const char *name); // -1: not one of them

#endif
