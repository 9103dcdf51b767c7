// vecn.c - picks the long-vector functions of the processor it runs on
//
//   cdi_isa() -> cdi_vecn_ops_base | _avx2 | _avx512, the tables of vecn.simd.c
//
// The instruction sets include each other in the order of CdIsa.
// Fog, Optimizing software in C++, ch. 13 (CPU dispatching).
#include "math/vecn.h"

extern const CdVecnOps cdi_vecn_ops_base;
#if defined(__x86_64__)
extern const CdVecnOps cdi_vecn_ops_avx2;
extern const CdVecnOps cdi_vecn_ops_avx512;
#endif

static const CdVecnOps *const tables[CD_NISA] = {
    [CD_ISA_BASE] = &cdi_vecn_ops_base,
#if defined(__x86_64__)
    [CD_ISA_AVX2] = &cdi_vecn_ops_avx2,
    [CD_ISA_AVX512] = &cdi_vecn_ops_avx512,
#endif
};

const CdVecnOps *cdi_vecn_ops(CdIsa isa) {
    return isa <= cdi_isa() ? tables[isa] : NULL;
}

const CdVecnOps *cdi_vecn(void) {
    return tables[cdi_isa()];
}
