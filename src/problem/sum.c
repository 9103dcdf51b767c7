// sum.c - matrices added to another one, shared by threads
#include "problem/work.h"

// numbers that are worth another thread, some microseconds, and of a range
#define SHARED 8192
#define GRAIN 4096

static void add_complex(const CdiSum *s, size_t begin, size_t end) {
    const double re = s->c[0][0], im = s->c[0][1], *restrict x = s->x[0];
    double *restrict a = s->a;
    for (size_t k = begin; k < end; k++) {
        const size_t at = s->slot ? (size_t)s->slot[k] : k;
        a[2 * at] += re * x[k];
        a[2 * at + 1] += im * x[k];
    }
}

static void add_one(const CdiSum *s, size_t begin, size_t end) {
    const double c = s->c[0][0], *restrict x = s->x[0];
    const int *restrict slot = s->slot;
    double *restrict a = s->a;
    if (slot) {
        for (size_t k = begin; k < end; k++) a[slot[k]] += c * x[k];
    } else {
        for (size_t k = begin; k < end; k++) a[k] += c * x[k];
    }
}

static void add_three(const CdiSum *s, size_t begin, size_t end) {
    const double c0 = s->c[0][0], c1 = s->c[1][0], c2 = s->c[2][0];
    const double *restrict x0 = s->x[0], *restrict x1 = s->x[1], *restrict x2 = s->x[2];
    const int *restrict slot = s->slot;
    double *restrict a = s->a;
    if (slot) {
        for (size_t k = begin; k < end; k++) a[slot[k]] += c0 * x0[k] + c1 * x1[k] + c2 * x2[k];
    } else {
        for (size_t k = begin; k < end; k++) a[k] += c0 * x0[k] + c1 * x1[k] + c2 * x2[k];
    }
}

static void add_range(void *user, size_t begin, size_t end, int worker) {
    const CdiSum *s = user;
    (void)worker;
    if (s->terms == 3) {
        add_three(s, begin, end);
    } else {
        (s->is_complex ? add_complex : add_one)(s, begin, end);
    }
}

void cdi_sum_add(CdPool *pool, int n, CdiSum *s) {
    if (n <= SHARED) {
        add_range(s, 0, (size_t)n, 0);
    } else {
        cd_parallel_for(pool, (size_t)n, GRAIN, add_range, s);
    }
}
