// lanes_error.c - errors of the lane functions against quadruple precision
#include "lanes_isa.h"

#include <math.h>

typedef __float128 Quad;

#define ONE(f) Quad f##q(Quad)
#define TWO(f) Quad f##q(Quad, Quad)
ONE(sqrt);
ONE(sin);
ONE(cos);
ONE(tan);
ONE(asin);
ONE(acos);
ONE(atan);
ONE(exp);
ONE(log);
ONE(fabs);
ONE(sinh);
ONE(cosh);
ONE(tanh);
TWO(atan2);
TWO(pow);
TWO(fmin);
TWO(fmax);
TWO(hypot);

static Quad (*const one[13])(Quad) = {sqrtq, sinq, cosq,  tanq,  asinq, acosq, atanq,
                                      expq,  logq, fabsq, sinhq, coshq, tanhq};
static Quad (*const two[5])(Quad, Quad) = {atan2q, powq, fminq, fmaxq, hypotq};

const char *lane_math_name(int fn) {
    static const char *const names[LANES_NFN] = {"sqrt", "sin",   "cos", "tan",  "asin", "acos",
                                                 "atan", "exp",   "log", "fabs", "sinh", "cosh",
                                                 "tanh", "atan2", "pow", "fmin", "fmax", "hypot"};
    return names[fn];
}

double lane_error(int fn, double a, double b, double got) {
    const Quad exact = fn < 13 ? one[fn](a) : two[fn - 13](a, b);
    const double near = (double)exact;
    if (isnan(near) || isnan(got)) return isnan(near) && isnan(got) ? 0 : INFINITY;
    if (isinf(near) || isinf(got)) return near == got ? 0 : INFINITY;
    const double size = fmax(fabs(near), 0x1p-1022);
    const double ulp = ldexp(1.0, ilogb(size) - 52);
    const Quad error = fabsq((Quad)got - exact);
    return (double)(error / ulp);
}
