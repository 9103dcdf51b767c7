// isa.c - which vector instructions the processor has
#include "base/isa.h"

CdIsa cdi_isa(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return CD_ISA_AVX512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return CD_ISA_AVX2;
#endif
    return CD_ISA_BASE;
}

const char *cdi_isa_name(CdIsa isa) {
    static const char *const names[CD_NISA] = {"base", "avx2", "avx512"};
    return names[isa];
}
