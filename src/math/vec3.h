// vec3.h - words for vectors of three components
//
// Inputs first, output last; an output never overlaps an input. Plain sums of squares: lengths
// between 1e-150 and 1e150 are exact to rounding, outside they under- or overflow.
// Golub & Van Loan, Matrix Computations, ch. 1.
#ifndef CARDAN_MATH_VEC3_H
#define CARDAN_MATH_VEC3_H

#include <math.h>

// kernel
static inline void zero3(double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = 0;
}

static inline void copy3(const double a[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i];
}

static inline void add3(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] + b[i];
}

static inline void sub3(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

// s a
static inline void scale3(double s, const double a[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = s * a[i];
}

// s a + b
static inline void axpy3(double s, const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = s * a[i] + b[i];
}

static inline double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// length; not differentiable at 0
static inline double norm3(const double a[3]) {
    return sqrt(dot3(a, a));
}

// a / |a|; NaN for the zero vector
static inline void unit3(const double a[3], double out[3]) {
    const double s = 1 / norm3(a);
    for (int i = 0; i < 3; i++) out[i] = s * a[i];
}
// end kernel

#endif
