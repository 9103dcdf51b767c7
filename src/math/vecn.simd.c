// vecn.simd.c - long-vector functions, compiled once for each instruction set
//
//   s_l = sum of element i over i = l mod 8
//   sum = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
//
// A tile is eight doubles: four, two or one register. Element l of a tile meets only element l of
// another, and the incomplete last tile is added to the unpacked partial sums, so the width of the
// registers does not show in the result.
// Higham, Accuracy and Stability of Numerical Algorithms, sec. 4.2.
#include <math.h>

#include "math/vecn.h"

#define TILE 8

// the widest register of this instruction set
#if defined(__AVX512F__)
#define WIDTH 8
#elif defined(__AVX__)
#define WIDTH 4
#else
#define WIDTH 2
#endif
#define NREG (TILE / WIDTH)

typedef double Reg __attribute__((vector_size(8 * WIDTH)));
typedef double Unaligned __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
typedef long long Mask __attribute__((vector_size(8 * WIDTH)));

#define EACH(k) for (int k = 0; k < NREG; k++)

static inline Reg load(const double *x, int k) {
    return *(const Unaligned *)(x + k * WIDTH);
}

static inline void store(Reg r, double *x, int k) {
    *(Unaligned *)(x + k * WIDTH) = r;
}

static inline void unpack(const Reg s[NREG], double out[TILE]) {
    EACH(k) store(s[k], out, k);
}

// the fixed tree of the eight partial sums
static inline double sum(const double t[TILE]) {
    return ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
}

static double dot(size_t n, const double *x, const double *y) {
    Reg s[NREG] = {{0}};
    double t[TILE];
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) EACH(k) s[k] += load(x + i, k) * load(y + i, k);
    unpack(s, t);
    for (int l = 0; i < n; i++, l++) t[l] += x[i] * y[i];
    return sum(t);
}

static void axpy(size_t n, double a, const double *x, double *y) {
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) {
        Reg t[NREG];
        EACH(k) t[k] = load(y + i, k) + a * load(x + i, k);
        EACH(k) store(t[k], y + i, k);
    }
    for (; i < n; i++) y[i] += a * x[i];
}

static void scale(size_t n, double a, double *x) {
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) EACH(k) store(a * load(x + i, k), x + i, k);
    for (; i < n; i++) x[i] *= a;
}

static void combine(size_t n, int count, const double *c, const double *const *x, double *out) {
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) {
        Reg s[NREG] = {{0}};
        if (count > 0) EACH(k) s[k] = c[0] * load(x[0] + i, k);
        for (int j = 1; j < count; j++) EACH(k) s[k] += c[j] * load(x[j] + i, k);
        EACH(k) store(s[k], out + i, k);
    }
    for (; i < n; i++) {
        double s = count > 0 ? c[0] * x[0][i] : 0;
        for (int j = 1; j < count; j++) s += c[j] * x[j][i];
        out[i] = s;
    }
}

static double wrms(size_t n, const double *x, const double *w) {
    Reg s[NREG] = {{0}};
    double t[TILE];
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) {
        EACH(k) {
            const Reg u = load(x + i, k) * load(w + i, k);
            s[k] += u * u;
        }
    }
    unpack(s, t);
    for (int l = 0; i < n; i++, l++) t[l] += (x[i] * w[i]) * (x[i] * w[i]);
    return n > 0 ? sqrt(sum(t) / (double)n) : 0;
}

static inline double larger(double y, double m) {
    return y > m || isnan(y) ? y : m;
}

// a tile beats the maximum so far where it is larger or NaN
static double max(size_t n, const double *x) {
    const Mask size = (Mask){0} + 0x7fffffffffffffff; // all but the sign
    Reg m[NREG] = {{0}};
    double t[TILE], top = 0;
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) {
        EACH(k) {
            const Reg y = (Reg)((Mask)load(x + i, k) & size);
            const Mask take = (y > m[k]) | (y != y);
            m[k] = (Reg)((take & (Mask)y) | (~take & (Mask)m[k]));
        }
    }
    unpack(m, t);
    for (int l = 0; i < n; i++, l++) t[l] = larger(fabs(x[i]), t[l]);
    for (int l = 0; l < TILE; l++) top = larger(t[l], top);
    return top;
}

// x - x is 0 for numbers and NaN else, and stays so in the sum
static bool all_finite(size_t n, const double *x) {
    Reg s[NREG] = {{0}};
    double t[TILE];
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) EACH(k) s[k] += load(x + i, k) - load(x + i, k);
    unpack(s, t);
    for (; i < n; i++) t[0] += x[i] - x[i];
    return sum(t) == 0;
}

extern const CdVecnOps CD_ISA_NAME(cdi_vecn_ops);
const CdVecnOps CD_ISA_NAME(cdi_vecn_ops) = {
    .dot = dot,
    .axpy = axpy,
    .scale = scale,
    .combine = combine,
    .wrms = wrms,
    .max = max,
    .finite = all_finite,
};
