// cases.h - the test kernels with all that adc derives from them, callable through one signature
//
// Every function gets all arguments of its kernel in one array (see witness.h), the added arguments
// (speeds, then multipliers) in another, and writes what the directive asked for.
#ifndef TESTS_ADC_CASES_H
#define TESTS_ADC_CASES_H

#include "witness.h"

typedef void CaseFn(const double *x, const double *extra, double *value, double *out);

typedef enum CaseKind {
    C_JAC,       // dy/dx
    C_VEL,       // D_v y
    C_ACC,       // D_v D_v y
    C_REACT,     // (dy/dx)^T lambda
    C_REACT_JAC, // its derivative
    C_VEL_JAC,   // d(D_v y)/d(x, v)
    C_ACC_JAC,   // d(D_v D_v y)/d(x, v)
} CaseKind;

typedef struct Case {
    WitnessKernel kernel;
    const char *name;
    CaseKind kind;
    CaseFn *fn;
    int n;        // doubles it writes to out
    int ndir;     // directions
    int dirs[40]; // where they stand among the arguments
    int inc;      // frames: distance between the sets of increments; else 0
    int time;     // argument that runs with speed 1 in C_VEL and C_ACC, or 0
} Case;

extern const Case cases[];
extern const int ncases;

// the kernel itself, in double
void kernel_value(WitnessKernel k, const double *x, double *y);

#endif
