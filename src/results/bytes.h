// bytes.h - numbers into binary files, least byte first
#ifndef CARDAN_RESULTS_BYTES_H
#define CARDAN_RESULTS_BYTES_H

#include "base/text.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "doubles are written to files as they lie in memory, least byte first"
#endif

// the low n bytes of x
static inline void put_bytes(CdText *to, uint64_t x, int n) {
    for (int i = 0; i < n; i++) {
        const char byte = (char)(x >> 8 * i & 0xff);
        cdi_text_addn(to, &byte, 1);
    }
}

static inline void put8(CdText *to, unsigned x) {
    put_bytes(to, x, 1);
}

static inline void put16(CdText *to, unsigned x) {
    put_bytes(to, x, 2);
}

static inline void put32(CdText *to, uint32_t x) {
    put_bytes(to, x, 4);
}

static inline void put64(CdText *to, uint64_t x) {
    put_bytes(to, x, 8);
}

static inline void put_zeros(CdText *to, size_t n) {
    for (size_t i = 0; i < n; i++) put8(to, 0);
}

#endif
