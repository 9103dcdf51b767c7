// explicit.simd.c - sums of stages over all unknowns, compiled once for each instruction set
//
//   out = y + h (c_1 k_1 + ... + c_m k_m)                          a stage
//   out = (c_1 k_1 + ... + c_m k_m) w / (atol + rtol max(|y0|, |y1|))    an error estimate
//
// One function for each m, so that the sum over m is straight code and the loop over the unknowns
// is left to the compiler. Every unknown is by itself: the width of registers does not show.
#include <math.h>

#include "integrators/explicit.h"

#define INLINE static inline __attribute__((always_inline))

INLINE double sum(int m, const double *c, const double *const *k, size_t i) {
    double s = c[0] * k[0][i];
    for (int j = 1; j < m; j++) s += c[j] * k[j][i];
    return s;
}

INLINE void stage(int m, size_t n, double h, const double *restrict y, const double *restrict c,
                  const double *const *k, double *restrict out) {
    for (size_t i = 0; i < n; i++) out[i] = y[i] + h * sum(m, c, k, i);
}

INLINE void defect(int m, size_t n, const double *restrict c, const double *const *k,
                   const double tol[2], const double *restrict y0, const double *restrict y1,
                   const double *restrict w, double *restrict out) {
    const double rtol = tol[0], atol = tol[1];
    for (size_t i = 0; i < n; i++) {
        const double before = fabs(y0[i]), after = fabs(y1[i]);
        const double size = after > before ? after : before;
        out[i] = sum(m, c, k, i) * (w[i] / (atol + rtol * size));
    }
}

#define TERMS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)

#define DEFINE(m)                                                                                 \
    static void stage##m(size_t n, double h, const double *y, const double *c,                    \
                         const double *const *k, double *out) {                                   \
        stage(m, n, h, y, c, k, out);                                                             \
    }                                                                                             \
    static void defect##m(size_t n, const double *c, const double *const *k, const double tol[2], \
                          const double *y0, const double *y1, const double *w, double *out) {     \
        defect(m, n, c, k, tol, y0, y1, w, out);                                                  \
    }
TERMS(DEFINE)

#define STAGE(m) [m] = stage##m,
#define DEFECT(m) [m] = defect##m,

extern const CdiExplicitOps CD_ISA_NAME(cdi_explicit_ops);
const CdiExplicitOps CD_ISA_NAME(cdi_explicit_ops) = {
    .stage = {TERMS(STAGE)},
    .defect = {TERMS(DEFECT)},
};
