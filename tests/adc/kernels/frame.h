// frame.h - a frame (position and rotation matrix) and how increments move it: p + d, R exp(d)
#ifndef TESTS_ADC_FRAME_H
#define TESTS_ADC_FRAME_H

#include "vec.h"

// kernel
typedef struct Frame {
    double p[3], R[9];
} Frame;

// adc: move(Frame)
static inline void frame_move(const Frame *a, const double d[6], Frame *b) {
    double q[4], E[9];
    quat_exp(&d[3], q);
    quat_matrix(q, E);
    for (int i = 0; i < 3; i++) b->p[i] = a->p[i] + d[i];
    mat3_mul(a->R, E, b->R);
}
// end kernel

#endif
