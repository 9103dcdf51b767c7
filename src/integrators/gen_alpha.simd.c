// gen_alpha.simd.c - loops of a generalised-alpha step over V, compiled once per instruction set
//
// Every number is by itself, but for the norm, which is summed in tiles of eight in a fixed order:
// the width of registers does not show. Arrays are arguments of their own, as compilers only then
// believe that they do not overlap.
#include "integrators/gen_alpha.h"

#define TILE 8
#define INLINE static inline __attribute__((always_inline))

// V1 and a1 for A1 = A0, with V0, A0 and a0 put aside; the same for q if it is given
INLINE void predict_part(size_t n, bool of_q, const CdAlphaStep *c, double *restrict V,
                         const double *restrict A, double *restrict a, double *restrict V0,
                         double *restrict A0, double *restrict a0, double *restrict q,
                         double *restrict q0) {
    const double k1 = c->k1, k0 = c->k0, h = c->h, v_new = c->cv, v_old = c->v_old;
    const double q_new = c->cq, q_old = c->q_old;
    for (size_t i = 0; i < n; i++) {
        const double rate = A[i], v = V[i], old = a[i], next = k1 * rate - k0 * old;
        if (of_q) {
            const double x = q[i];
            q0[i] = x;
            q[i] = x + (h * v + (q_old * old + q_new * next));
        }
        A0[i] = rate;
        V0[i] = v;
        a0[i] = old;
        a[i] = next;
        V[i] = v + (v_old * old + v_new * next);
    }
}

static void predict(size_t n, const CdAlphaStep *c, double *V, const double *A, double *a,
                    double *V0, double *A0, double *a0, double *q, double *q0) {
    if (q) {
        predict_part(n, true, c, V, A, a, V0, A0, a0, q, q0);
    } else {
        predict_part(n, false, c, V, A, a, V0, A0, a0, q, q0);
    }
}

// one number; its part of the norm
INLINE double move_one(bool of_q, double ca, double cv, double cq, double d, double w, double *V,
                       double *A, double *a, double *q) {
    const double e = d * w;
    *a -= d;
    *A -= ca * d;
    *V -= cv * d;
    if (of_q) *q -= cq * d;
    return e * e;
}

INLINE double move_part(size_t n, bool of_q, const CdAlphaStep *c, const double *restrict b,
                        const double *restrict w, double *restrict V, double *restrict A,
                        double *restrict a, double *restrict q) {
    const double ca = c->ca, cv = c->cv, cq = c->cq;
    double s[TILE] = {0};
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) {
        for (int k = 0; k < TILE; k++) {
            s[k] += move_one(of_q, ca, cv, cq, b[i + k], w[i + k], &V[i + k], &A[i + k], &a[i + k],
                             of_q ? &q[i + k] : NULL);
        }
    }
    for (int k = 0; i < n; i++, k++) {
        s[k] += move_one(of_q, ca, cv, cq, b[i], w[i], &V[i], &A[i], &a[i], of_q ? &q[i] : NULL);
    }
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static double move(size_t n, const CdAlphaStep *c, const double *b, const double *w, double *V,
                   double *A, double *a, double *q) {
    return q ? move_part(n, true, c, b, w, V, A, a, q) : move_part(n, false, c, b, w, V, A, a, q);
}

extern const CdiAlphaOps CD_ISA_NAME(cdi_alpha_ops);
const CdiAlphaOps CD_ISA_NAME(cdi_alpha_ops) = {.predict = predict, .move = move};
