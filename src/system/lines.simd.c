// lines.simd.c - forces of runs, compiled once per instruction set
//
// Every number is by itself, so the width of registers does not show. Arrays are arguments of their
// own, as compilers only then believe that they do not overlap.
#include "system/lines.h"

#define INLINE static inline __attribute__((always_inline))

static void inertia(size_t n, const double *restrict mass, const double *restrict rate,
                    const double *restrict push, double *restrict r) {
    for (size_t i = 0; i < n; i++) r[i] = mass[i] * rate[i] - push[i];
}

INLINE void tensions(int n, double sign, const double *restrict k, const double *restrict c,
                     const double *restrict length, const double *qa, const double *qb,
                     const double *va, const double *vb, double *restrict F) {
    for (int j = 0; j < n; j++) {
        F[j] = sign * (k[j] * (qb[j] - qa[j] - length[j]) + c[j] * (vb[j] - va[j]));
    }
}

INLINE void pulls(int n, double sign, const double *restrict k, const double *restrict c,
                  const double *restrict length, const double *q, const double *v,
                  double *restrict out) {
    for (int j = 0; j < n; j++) out[j] -= sign * (k[j] * (q[j] - length[j]) + c[j] * v[j]);
}

INLINE void add(int n, const double *restrict F, double *restrict out) {
    for (int j = 0; j < n; j++) out[j] += F[j];
}

INLINE void subtract(int n, const double *restrict F, double *restrict out) {
    for (int j = 0; j < n; j++) out[j] -= F[j];
}

// items of a run whose coordinate with number `first + j` is in the rows
typedef struct Range {
    int begin, end;
} Range;

INLINE Range range_in(int first, int n, int lo, int hi) {
    const int begin = lo - first, end = hi - first;
    const Range r = {begin > 0 ? begin : 0, end < n ? end : n};
    return r.begin < r.end ? r : (Range){0, 0};
}

INLINE void tensions_of(const CdSystemLines *l, const CdLineRun *run, Range j, double sign,
                        const double *q, const double *v, double *F) {
    const int i = run->first + j.begin;
    tensions(j.end - j.begin, sign, l->stiffness + i, l->damping + i, l->length + i,
             q + run->qa + j.begin, q + run->qb + j.begin, v + run->va + j.begin,
             v + run->vb + j.begin, F);
}

static void run(const CdSystemLines *l, const CdLineRun *run, int lo, int hi, double sign,
                const double *q, const double *v, double *out) {
    const Range a = range_in(run->va, run->n, lo, hi);
    if (run->vb < 0) {
        const int i = run->first + a.begin;
        pulls(a.end - a.begin, sign, l->stiffness + i, l->damping + i, l->length + i,
              q + run->qa + a.begin, v + run->va + a.begin, out + run->va + a.begin);
        return;
    }
    const Range b = range_in(run->vb, run->n, lo, hi);
    double F[2 * CD_LINE_ROWS];
    if (a.begin < a.end && b.begin < b.end && a.begin <= b.end) {
        // most tensions act on two of the rows
        tensions_of(l, run, (Range){b.begin, a.end}, sign, q, v, F);
        add(a.end - a.begin, F + (a.begin - b.begin), out + run->va + a.begin);
        subtract(b.end - b.begin, F, out + run->vb + b.begin);
        return;
    }
    tensions_of(l, run, a, sign, q, v, F);
    add(a.end - a.begin, F, out + run->va + a.begin);
    tensions_of(l, run, b, sign, q, v, F);
    subtract(b.end - b.begin, F, out + run->vb + b.begin);
}

extern const CdLineOps CD_ISA_NAME(cdi_line_ops);
const CdLineOps CD_ISA_NAME(cdi_line_ops) = {.inertia = inertia, .run = run};
