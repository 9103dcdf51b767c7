// gen_alpha.simd.c - loops of a generalised-alpha step over V, compiled once per instruction set
//
// Every number is by itself, but for the norm, which is summed in tiles of eight in a fixed order:
// the width of registers does not show. Arrays are arguments of their own, as compilers only then
// believe that they do not overlap.
#include "integrators/gen_alpha.h"

#define TILE 8
#define INLINE static inline __attribute__((always_inline))

// V1 and a1 for A1, which is A0 or extrapolated; V0, A0 and a0 are put aside; the same for q
INLINE void predict_part(size_t n, bool of_q, bool past, const CdAlphaStep *c, double *restrict V,
                         double *restrict A, double *restrict a, double *restrict V0,
                         double *restrict a0, double *restrict A1, double *restrict A2,
                         double *restrict A3, double *restrict q, double *restrict q0) {
    const double k2 = c->k2, k1 = c->k1, k0 = c->k0, h = c->h, v_new = c->cv, v_old = c->v_old;
    const double q_new = c->cq, q_old = c->q_old;
    const double e0 = c->more[0], e1 = c->more[1], e2 = c->more[2], e3 = c->more[3];
    for (size_t i = 0; i < n; i++) {
        const double rate = A[i], v = V[i], old = a[i];
        double next = k1 * rate - k0 * old;
        if (past) {
            const double more = (e0 * rate + e1 * A1[i]) + (e2 * A2[i] + e3 * A3[i]);
            next += k2 * more;
            A[i] = rate + more;
            A3[i] = A2[i];
            A2[i] = A1[i];
        }
        if (of_q) {
            const double x = q[i];
            q0[i] = x;
            q[i] = x + (h * v + (q_old * old + q_new * next));
        }
        A1[i] = rate;
        V0[i] = v;
        a0[i] = old;
        a[i] = next;
        V[i] = v + (v_old * old + v_new * next);
    }
}

static void predict(size_t n, const CdAlphaStep *c, double *V, double *A, double *a, double *V0,
                    double *a0, CdAlphaPast past, double *q, double *q0) {
    double *A1 = past.A[0], *A2 = past.A[1], *A3 = past.A[2];
    if (q && n == 1 && !c->past) {
        predict_part(1, true, false, c, V, A, a, V0, a0, A1, A2, A3, q, q0);
    } else if (q && c->past) {
        predict_part(n, true, true, c, V, A, a, V0, a0, A1, A2, A3, q, q0);
    } else if (q) {
        predict_part(n, true, false, c, V, A, a, V0, a0, A1, A2, A3, q, q0);
    } else if (c->past) {
        predict_part(n, false, true, c, V, A, a, V0, a0, A1, A2, A3, q, q0);
    } else {
        predict_part(n, false, false, c, V, A, a, V0, a0, A1, A2, A3, q, q0);
    }
}

INLINE double total(const double s[TILE]) {
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

INLINE void change_one(double w, double A, double A1, double A2, double A3, double *s0,
                       double *s1) {
    const double change = w * (A - A1), left = change - w * (A2 - A3);
    *s0 += change * change;
    *s1 += left * left;
}

static void changes(size_t n, const double *restrict w, const double *restrict A, CdAlphaPast past,
                    double sum[2]) {
    const double *restrict A1 = past.A[0], *restrict A2 = past.A[1], *restrict A3 = past.A[2];
    double s0[TILE] = {0}, s1[TILE] = {0};
    size_t i = 0;
    for (; i + TILE <= n; i += TILE) {
        for (size_t k = 0; k < TILE; k++) {
            change_one(w[i + k], A[i + k], A1[i + k], A2[i + k], A3[i + k], &s0[k], &s1[k]);
        }
    }
    for (size_t k = 0; i < n; i++, k++) {
        change_one(w[i], A[i], A1[i], A2[i], A3[i], &s0[k], &s1[k]);
    }
    sum[0] = total(s0);
    sum[1] = total(s1);
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
    return total(s);
}

static double move(size_t n, const CdAlphaStep *c, const double *b, const double *w, double *V,
                   double *A, double *a, double *q) {
    if (n == 1 && q) return move_one(true, c->ca, c->cv, c->cq, *b, *w, V, A, a, q);
    return q ? move_part(n, true, c, b, w, V, A, a, q) : move_part(n, false, c, b, w, V, A, a, q);
}

extern const CdiAlphaOps CD_ISA_NAME(cdi_alpha_ops);
const CdiAlphaOps CD_ISA_NAME(cdi_alpha_ops) = {
    .predict = predict, .changes = changes, .move = move};
