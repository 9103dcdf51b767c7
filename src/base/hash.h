// hash.h - FNV-1a over bytes: tells things apart, protects nothing
//
//   h <- (h xor byte) 0x100000001b3        begun with CD_HASH_BEGIN
//
// Fowler, Noll & Vo, draft-eastlake-fnv, 64 bits. By words an eighth of the work, but other
// numbers:
//
//   h <- (h xor word) 0x100000001b3,   h <- h xor (h >> 32)
//
// with zeros behind bytes that are no whole word. One word more or other is always told.
#ifndef CARDAN_BASE_HASH_H
#define CARDAN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CD_HASH_BEGIN 0xcbf29ce484222325u
#define CD_HASH_PRIME 0x100000001b3u

// of what was hashed before, and n more bytes
static inline uint64_t cdi_hash(uint64_t h, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * CD_HASH_PRIME;
    return h;
}

static inline uint64_t cdi_hash_word(uint64_t h, uint64_t word) {
    h = (h ^ word) * CD_HASH_PRIME;
    return h ^ h >> 32;
}

static inline uint64_t cdi_hash_words(uint64_t h, const void *bytes, size_t n) {
    const char *p = bytes;
    uint64_t word = 0;
    for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
        memcpy(&word, p, sizeof word);
        h = cdi_hash_word(h, word);
    }
    if (n == 0) return h;
    word = 0;
    memcpy(&word, p, n);
    return cdi_hash_word(h, word);
}

#endif
