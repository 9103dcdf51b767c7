// lanes_isa.h - lane code as compiled for one instruction set, for test_lanes.c
#ifndef TESTS_ADC_LANES_ISA_H
#define TESTS_ADC_LANES_ISA_H

#include "witness.h"

enum { LANES_NFN = 18 }; // math functions: the first 13 take one argument

typedef struct LaneCase {
    WitnessKernel kernel;
    const char *scalar; // name of the case in cases.c
    void (*fn)(const double *x, const double *extra, double *value, double *out);
    int nx, nextra, n; // sizes of the tiles, in elements
} LaneCase;

typedef struct LaneTable {
    void (*math)(int fn, const double *a, const double *b, double *y); // one tile
    const LaneCase *cases;
    int ncase, width;
} LaneTable;

extern const LaneTable lane_table_base, lane_table_avx2, lane_table_avx512;

const char *lane_math_name(int fn);
double lane_error(int fn, double a, double b, double got); // in units of the last place

#endif
