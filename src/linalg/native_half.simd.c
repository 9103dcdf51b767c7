// native_half.simd.c - the loops of wide units for half as many systems side by side
//
// Of 50 systems alike two are left over: eight would cost as much as a full unit.
#include "linalg/native.h"

#define WIDE CDI_NATIVE_HALF
#define TABLE CD_ISA_NAME(cdi_native_half)

#include "linalg/native_wide.simd.c"
