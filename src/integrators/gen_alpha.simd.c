// gen_alpha.simd.c - loops of a generalised-alpha step over V, compiled once per instruction set
//
// Every number is by itself, but for the norm, which is summed in tiles of eight in a fixed order:
// the width of registers does not show. Arrays are arguments of their own, as compilers only then
// believe that they do not overlap.
#include "integrators/gen_alpha.h"

#define TILE 8
#define INLINE static inline __attribute__((always_inline))

// V1 and a1 for A1, which is A0 or extrapolated; V0, A0 and a0 are put aside; the same for q
INLINE void predict_part(size_t n, bool of_q, const double *e, const CdAlphaStep *c,
                         double *restrict V, double *restrict A, double *restrict a,
                         double *restrict V0, double *restrict A0, double *restrict a0,
                         double *restrict P0, const double *restrict P1, const double *restrict P2,
                         const double *restrict P3, const double *restrict P4,
                         const double *restrict P5, double *restrict q, double *restrict q0) {
    const double k2 = c->k2, k1 = c->k1, k0 = c->k0, h = c->h, v_new = c->cv, v_old = c->v_old;
    const double q_new = c->cq, q_old = c->q_old;
    for (size_t i = 0; i < n; i++) {
        const double rate = A[i], v = V[i], old = a[i];
        double next = k1 * rate - k0 * old;
        if (e) {
            const double more = (e[0] * rate + e[1] * P1[i]) + (e[2] * P2[i] + e[3] * P3[i]) +
                                (e[4] * P4[i] + e[5] * P5[i]);
            next += k2 * more;
            A[i] = rate + more;
            P0[i] = rate;
        }
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

static void predict(size_t n, const CdAlphaStep *c, double *V, double *A, double *a, double *V0,
                    double *A0, double *a0, const CdAlphaPast *past, double *q, double *q0) {
#define NONE NULL, NULL, NULL, NULL, NULL, NULL
#define SIMPLE(n, of_q) predict_part(n, of_q, NULL, c, V, A, a, V0, A0, a0, NONE, q, q0)
    if (!past) {
        if (q && n == 1) {
            SIMPLE(1, true);
        } else if (q) {
            SIMPLE(n, true);
        } else {
            SIMPLE(n, false);
        }
        return;
    }
    const double e[CDI_ALPHA_PAST] = {c->more[0], c->more[1], c->more[2],
                                      c->more[3], c->more[4], c->more[5]};
    double *const *P = past->A;
#define WHOLE(of_q) \
    predict_part(n, of_q, e, c, V, A, a, V0, A0, a0, P[0], P[1], P[2], P[3], P[4], P[5], q, q0)
    if (q) {
        WHOLE(true);
    } else {
        WHOLE(false);
    }
}

INLINE double total(const double s[TILE]) {
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

// one number: by E - 1, or by (E - 1)^j (E + 1)^k as in alpha_predict.c
INLINE void miss_one(double w, const double A[CDI_ALPHA_PAST + 1], int lane,
                     double sum[CDI_ALPHA_WAYS][TILE]) {
    double c[4], d[3]; // (E - 1)^2 (E + 1) and (E - 1)^3 (E + 1), of now and before
    for (int i = 0; i < 4; i++) c[i] = w * ((A[i] - A[i + 2]) - (A[i + 1] - A[i + 3]));
    for (int i = 0; i < 3; i++) d[i] = c[i] - c[i + 1];
    const double by[CDI_ALPHA_WAYS] = {
        w * (A[0] - A[1]), c[0],        d[0], d[0] - d[1], (d[0] - d[1]) - (d[1] - d[2]),
        d[0] + d[1],       d[0] - d[2],
    };
    for (int i = 0; i < CDI_ALPHA_WAYS; i++) sum[i][lane] += by[i] * by[i];
}

static void misses(size_t n, const double *restrict w, const double *restrict A,
                   const CdAlphaPast *past, double sum[CDI_ALPHA_WAYS]) {
    const double *restrict A1 = past->A[1], *restrict A2 = past->A[2], *restrict A3 = past->A[3];
    const double *restrict A4 = past->A[4], *restrict A5 = past->A[5], *restrict A6 = past->A[6];
    double s[CDI_ALPHA_WAYS][TILE] = {{0}};
    size_t i = 0;
#define MISS(at, k) \
    miss_one(w[at], (double[]){A[at], A1[at], A2[at], A3[at], A4[at], A5[at], A6[at]}, k, s)
    for (; i + TILE <= n; i += TILE) {
        for (int k = 0; k < TILE; k++) MISS(i + k, k);
    }
    for (int k = 0; i < n; i++, k++) MISS(i, k);
#undef MISS
    for (int j = 0; j < CDI_ALPHA_WAYS; j++) sum[j] = total(s[j]);
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
const CdiAlphaOps CD_ISA_NAME(cdi_alpha_ops) = {.predict = predict, .misses = misses, .move = move};
