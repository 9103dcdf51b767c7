// isa.h - which vector instructions the processor has, and names of functions compiled once for
// each
//
// A source <name>.simd.c is compiled with CD_ISA = base, avx2, avx512 (cmake/CardanSimd.cmake). It
// exports one table of functions, CD_ISA_NAME(table); the file beside it picks the table of
// cdi_isa().
#ifndef CARDAN_BASE_ISA_H
#define CARDAN_BASE_ISA_H

#define CD_ISA_PASTE_(name, isa) name##_##isa
#define CD_ISA_PASTE(name, isa) CD_ISA_PASTE_(name, isa)
#define CD_ISA_NAME(name) CD_ISA_PASTE(name, CD_ISA)

typedef enum CdIsa { CD_ISA_BASE, CD_ISA_AVX2, CD_ISA_AVX512, CD_NISA } CdIsa;

CdIsa cdi_isa(void);                 // the widest that this processor and build have
const char *cdi_isa_name(CdIsa isa); // "base", "avx2", "avx512"

#endif
