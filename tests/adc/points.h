// points.h - where the test kernels are tried: random points and special ones (zero rotation, both
// sides of every branch)
#ifndef TESTS_ADC_POINTS_H
#define TESTS_ADC_POINTS_H

#include "witness.h"

enum { POINTS = 6 };

void point_make(WitnessKernel k, int point, double *x);

#endif
