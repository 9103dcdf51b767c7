// lanes.h - eight items at a time: vector numbers for the lane code that adc writes
//
// A tile holds 8 items; element k of item l stands at [8*k + l]. The code runs over a tile in steps
// of CD_LANE_WIDTH, the width of the registers of the instruction set it is compiled for. There is
// no fused multiply-add and no libm in it: every instruction set gives the same bits. Functions are
// accurate to 2 units in the last place; their methods are those of FreeBSD's msun (Sun, 1993).
#ifndef CARDAN_AD_LANES_H
#define CARDAN_AD_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { CD_TILE = 8 };

#if defined(__AVX512F__)
#define CD_LANE_WIDTH 8
#include <immintrin.h>
#elif defined(__AVX__)
#define CD_LANE_WIDTH 4
#include <immintrin.h>
#else
#define CD_LANE_WIDTH 2
#endif

typedef double CdLane __attribute__((vector_size(8 * CD_LANE_WIDTH)));
typedef int64_t CdLaneMask __attribute__((vector_size(8 * CD_LANE_WIDTH))); // 0 or -1

static inline CdLane lane_set(double x) {
    return x - (CdLane){0};
}

static inline CdLaneMask lane_bits_set(int64_t x) {
    return x - (CdLaneMask){0};
}

static inline CdLane lane_load(const double *x) {
    CdLane v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void lane_store(double *x, CdLane v) {
    memcpy(x, &v, sizeof v);
}

static inline CdLaneMask lane_bits(CdLane x) {
    return (CdLaneMask)x;
}

static inline CdLane lane_from_bits(CdLaneMask x) {
    return (CdLane)x;
}

static inline CdLane lane_sel(CdLaneMask m, CdLane a, CdLane b) {
    return lane_from_bits((m & lane_bits(a)) | (~m & lane_bits(b)));
}

// to the left, also of negative numbers
static inline CdLaneMask lane_shift(CdLaneMask x, int n) {
    typedef uint64_t Bits __attribute__((vector_size(8 * CD_LANE_WIDTH)));
    return (CdLaneMask)((Bits)x << n);
}

static inline int lane_any(CdLaneMask m) {
    int64_t any = 0;
    for (int i = 0; i < CD_LANE_WIDTH; i++) any |= m[i];
    return any != 0;
}

static inline CdLane lane_sqrt(CdLane x) {
#if CD_LANE_WIDTH == 8
    return (CdLane)_mm512_sqrt_pd((__m512d)x);
#elif CD_LANE_WIDTH == 4
    return (CdLane)_mm256_sqrt_pd((__m256d)x);
#else
    CdLane y = x;
    for (int i = 0; i < CD_LANE_WIDTH; i++) y[i] = sqrt(x[i]);
    return y;
#endif
}

static inline CdLane lane_fabs(CdLane x) {
    return lane_from_bits(lane_bits(x) & INT64_MAX);
}

// x with the sign of y
static inline CdLane lane_copysign(CdLane x, CdLane y) {
    return lane_from_bits((lane_bits(x) & INT64_MAX) | (lane_bits(y) & INT64_MIN));
}

static inline CdLane lane_fmin(CdLane a, CdLane b) {
    return lane_sel((a < b) | (b != b), a, b);
}

static inline CdLane lane_fmax(CdLane a, CdLane b) {
    return lane_sel((b < a) | (b != b), a, b);
}

#include "ad/lanes_math.h"

#endif
