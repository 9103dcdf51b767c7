// sum.c - matrices added to another one, shared by threads
#include "problem/work.h"

// numbers that are worth another thread, some microseconds, and of a range
#define SHARED 8192
#define GRAIN 4096

static void add_one(const CdiSum *s, size_t begin, size_t end) {
    const double re = s->c[0][0], im = s->c[0][1], *restrict x = s->x[0];
    const int *restrict slot = s->slot;
    double *restrict a = s->a;
    if (s->is_complex) {
        for (size_t k = begin; k < end; k++) {
            a[2 * (size_t)slot[k]] += re * x[k];
            a[2 * (size_t)slot[k] + 1] += im * x[k];
        }
    } else {
        for (size_t k = begin; k < end; k++) a[slot[k]] += re * x[k];
    }
}

static void add_three(const CdiSum *s, size_t begin, size_t end) {
    const double c0 = s->c[0][0], c1 = s->c[1][0], c2 = s->c[2][0];
    const double *restrict x0 = s->x[0], *restrict x1 = s->x[1], *restrict x2 = s->x[2];
    const int *restrict slot = s->slot;
    double *restrict a = s->a;
    for (size_t k = begin; k < end; k++) a[slot[k]] += c0 * x0[k] + c1 * x1[k] + c2 * x2[k];
}

static void add_range(void *user, size_t begin, size_t end, int worker) {
    const CdiSum *s = user;
    (void)worker;
    if (s->terms == 1) {
        add_one(s, begin, end);
    } else {
        add_three(s, begin, end);
    }
}

void cdi_sum_add(CdPool *pool, int n, CdiSum *s) {
    if (n <= SHARED) {
        add_range(s, 0, (size_t)n, 0);
    } else {
        cd_parallel_for(pool, (size_t)n, GRAIN, add_range, s);
    }
}
