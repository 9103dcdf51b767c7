// float_mode.h - how the calling thread counts with numbers below 2.2e-308: as they are, or as 0
//
// Parts of a model that are at rest while a wave comes near hold such numbers, and processors that
// leave them to microcode take a hundred times as long for each: a step of 1000 masses took twice
// its time. Runs flush them, with the same bits in every thread, as workers of a pool have the mode
// of whoever gives them work.
#ifndef CARDAN_BASE_FLOAT_MODE_H
#define CARDAN_BASE_FLOAT_MODE_H

#include <stdint.h>

#if defined(__x86_64__)
// MXCSR: results, and operands
#define CDI_FLUSH 0x8040u
#elif defined(__aarch64__)
// FPCR: both
#define CDI_FLUSH (1u << 24)
#else
#define CDI_FLUSH 0u
#endif

// bits of CDI_FLUSH that are set
static inline uint32_t cdi_float_mode(void) {
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr() & CDI_FLUSH;
#elif defined(__aarch64__)
    uint64_t all;
    __asm__ volatile("mrs %0, fpcr" : "=r"(all));
    return (uint32_t)all & CDI_FLUSH;
#else
    return 0;
#endif
}

// only that, and what it was before
static inline uint32_t cdi_float_set(uint32_t mode) {
    const uint32_t old = cdi_float_mode();
    if (mode == old) return old;
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & ~CDI_FLUSH) | mode);
#elif defined(__aarch64__)
    uint64_t all;
    __asm__ volatile("mrs %0, fpcr" : "=r"(all));
    all = (all & ~(uint64_t)CDI_FLUSH) | mode;
    __asm__ volatile("msr fpcr, %0" : : "r"(all));
#endif
    return old;
}

#endif
