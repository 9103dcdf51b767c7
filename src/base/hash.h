// hash.h - FNV-1a over bytes: tells things apart, protects nothing
//
//   h <- (h xor byte) 0x100000001b3        begun with CD_HASH_BEGIN
//
// Fowler, Noll & Vo, draft-eastlake-fnv, 64 bits.
#ifndef CARDAN_BASE_HASH_H
#define CARDAN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CD_HASH_BEGIN 0xcbf29ce484222325u

// of what was hashed before, and n more bytes
static inline uint64_t cdi_hash(uint64_t h, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

#endif
