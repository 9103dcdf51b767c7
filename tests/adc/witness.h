// witness.h - derivatives of the test kernels that owe nothing to adc
//
// The text of every kernel is compiled once more with double = quadruple precision; its derivatives
// along given directions are fourth-order differences with a step of 1e-5: error about 1e-20.
#ifndef TESTS_ADC_WITNESS_H
#define TESTS_ADC_WITNESS_H

typedef enum WitnessKernel {
    W_REVOLUTE,
    W_HINGE,
    W_UNIVERSAL,
    W_SPRING,
    W_BUSHING,
    W_GYRO,
    W_MOTION,
    W_ANCF,
    W_BEAM,
    W_TYRE,
    W_TORTURE,
    W_COUNT
} WitnessKernel;

enum { WITNESS_MAX_X = 128, WITNESS_MAX_Y = 32 };

// all arguments of a kernel in one array: the struct of parameters, then the others in order. A
// frame is followed, at the end, by three sets of increments that are applied one after the other.
int witness_nx(WitnessKernel k);
int witness_ny(WitnessKernel k);

// D_dir[0] ... D_dir[order-1] of the outputs at x; order 0 is the value
void witness(WitnessKernel k, const double *x, int order, const double *const *dir, double *out);

#endif
