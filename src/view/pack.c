// pack.c - columns of numbers in few bytes: multiples of a step, predicted, in Rice's code
#include "view/pack.h"

#include <math.h>

#define BLOCK 128
#define ORDERS 4
#define ONES_MAX 20 // then 32 bits follow
#define K_MAX 24
#define EXACT 31
#define NOT_A_NUMBER (-1)
#define LARGEST 1e300 // sums of what is larger may overflow: it is no number here

// ---- rounding

static bool is_number(double x) {
    return fabs(x) < LARGEST;
}

CdPackScale cdi_pack_scale(const double *x, size_t n, int bits) {
    const double parts = (double)((1 << bits) - 1);
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!is_number(x[i])) continue;
        if (x[i] < lo) lo = x[i];
        if (x[i] > hi) hi = x[i];
    }
    return lo <= hi ? (CdPackScale){lo, (hi - lo) / parts} : (CdPackScale){0, 0};
}

static int64_t rounded(const CdPackScale *s, double x) {
    const double most = (double)((int64_t)1 << CD_PACK_BITS_MAX);
    if (!is_number(x)) return NOT_A_NUMBER;
    const double n = s->step > 0 ? (x - s->lo) / s->step : 0;
    return n > 0 ? (int64_t)(n < most ? n + 0.5 : most) : 0;
}

// ---- bits

void cdi_pack_init(CdPack *pack, CdContext *ctx) {
    *pack = (CdPack){0};
    cdi_text_init(&pack->bytes, ctx);
}

void cdi_pack_free(CdPack *pack) {
    cdi_text_free(&pack->bytes);
}

static void put_bit(CdPack *pack, unsigned bit) {
    pack->held = pack->held << 1 | bit;
    if (++pack->nheld < 8) return;
    const char byte = (char)pack->held;
    cdi_text_addn(&pack->bytes, &byte, 1);
    pack->held = pack->nheld = 0;
}

static void put_bits(CdPack *pack, uint32_t x, int n) {
    for (int i = n - 1; i >= 0; i--) put_bit(pack, x >> i & 1);
}

void cdi_pack_end(CdPack *pack) {
    while (pack->nheld > 0) put_bit(pack, 0);
}

// ---- codes

static void put_code(CdPack *pack, uint32_t u, int k) {
    const uint32_t ones = u >> k;
    for (uint32_t i = 0; i < ones && i < ONES_MAX; i++) put_bit(pack, 1);
    if (ones >= ONES_MAX) {
        put_bits(pack, u, 32);
    } else {
        put_bit(pack, 0);
        put_bits(pack, u, k);
    }
}

static uint64_t code_bits(const uint32_t *u, size_t n, int k) {
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t ones = u[i] >> k;
        bits += ones >= ONES_MAX ? ONES_MAX + 32 : ones + 1 + (uint32_t)k;
    }
    return bits;
}

// the k of the shortest codes, which is where they begin to grow again
static int best_k(const uint32_t *u, size_t n, uint64_t *bits) {
    uint32_t all = 0;
    for (size_t i = 0; i < n; i++) all |= u[i];
    *bits = 0;
    if (all == 0) return EXACT;
    int k = 0;
    *bits = code_bits(u, n, 0);
    for (int next = 1; next <= K_MAX; next++) {
        const uint64_t more = code_bits(u, n, next);
        if (more < *bits) {
            *bits = more;
            k = next;
        }
    }
    return k;
}

// numbers before the block stand before `x`, three of them
static void residuals(const int64_t *x, size_t n, int order, uint32_t *u) {
    for (size_t i = 0; i < n; i++) {
        const int64_t *p = x + i, guesses[ORDERS] = {0, p[-1], 2 * p[-1] - p[-2],
                                                     3 * p[-1] - 3 * p[-2] + p[-3]};
        const int64_t r = p[0] - guesses[order];
        u[i] = (uint32_t)(r >= 0 ? 2 * r : -2 * r - 1);
    }
}

static void put_block(CdPack *pack, const int64_t *x, size_t n) {
    uint32_t u[BLOCK];
    uint64_t bits, least = UINT64_MAX;
    int order = 0, k = EXACT;
    for (int i = 0; i < ORDERS; i++) {
        residuals(x, n, i, u);
        const int ki = best_k(u, n, &bits);
        if (bits >= least) continue;
        least = bits;
        order = i;
        k = ki;
    }
    put_bits(pack, (uint32_t)order, 2);
    put_bits(pack, (uint32_t)k, 5);
    if (k == EXACT) return;
    residuals(x, n, order, u);
    for (size_t i = 0; i < n; i++) put_code(pack, u[i], k);
}

void cdi_pack_column(CdPack *pack, const CdPackScale *scale, const double *x, size_t n) {
    enum { BEFORE = ORDERS - 1 };
    int64_t numbers[BEFORE + BLOCK] = {0};
    for (size_t first = 0; first < n; first += BLOCK) {
        const size_t here = n - first < BLOCK ? n - first : BLOCK;
        for (size_t i = 0; i < here; i++) numbers[BEFORE + i] = rounded(scale, x[first + i]);
        put_block(pack, numbers + BEFORE, here);
        for (size_t i = 0; i < BEFORE; i++) numbers[i] = numbers[here + i];
    }
}

// ---- bytes as text

void cdi_base64(CdText *to, const void *bytes, size_t n) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i += 3) {
        const size_t left = n - i;
        const uint32_t x = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
                           (left > 2 ? (uint32_t)p[i + 2] : 0);
        const char out[4] = {letters[x >> 18], letters[x >> 12 & 63],
                             left > 1 ? letters[x >> 6 & 63] : '=',
                             left > 2 ? letters[x & 63] : '='};
        cdi_text_addn(to, out, sizeof out);
    }
}
