// mat3.h - words for 3 x 3 matrices
//
//       | a[0] a[1] a[2] |
//   A = | a[3] a[4] a[5] |      flat, row-major
//       | a[6] a[7] a[8] |
//
// The t in a name stands where the transposed factor does: tmul33 is A^T B, mul33t is A B^T.
// R_AB maps components in frame B to components in frame A. Inputs first, output last; an output
// never overlaps an input.
// Golub & Van Loan, Matrix Computations, ch. 1.
#ifndef CARDAN_MATH_MAT3_H
#define CARDAN_MATH_MAT3_H

#include "math/vec3.h"

// kernel
static inline void eye33(double out[9]) {
    for (int i = 0; i < 9; i++) out[i] = 0;
    for (int i = 0; i < 3; i++) out[4 * i] = 1;
}

static inline void copy33(const double a[9], double out[9]) {
    for (int i = 0; i < 9; i++) out[i] = a[i];
}

static inline void add33(const double a[9], const double b[9], double out[9]) {
    for (int i = 0; i < 9; i++) out[i] = a[i] + b[i];
}

static inline void scale33(double s, const double a[9], double out[9]) {
    for (int i = 0; i < 9; i++) out[i] = s * a[i];
}

static inline void transpose33(const double a[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out[3 * i + j] = a[3 * j + i];
    }
}

// A v
static inline void mul3v(const double a[9], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2];
    }
}

// A^T v
static inline void tmul3v(const double a[9], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] * v[0] + a[3 + i] * v[1] + a[6 + i] * v[2];
}

// A B
static inline void mul33(const double a[9], const double b[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

// A^T B
static inline void tmul33(const double a[9], const double b[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
        }
    }
}

// A B^T
static inline void mul33t(const double a[9], const double b[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] =
                a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
        }
    }
}

// skew(a) b = a x b
static inline void skew3(const double a[3], double out[9]) {
    out[0] = 0;
    out[1] = -a[2];
    out[2] = a[1];
    out[3] = a[2];
    out[4] = 0;
    out[5] = -a[0];
    out[6] = -a[1];
    out[7] = a[0];
    out[8] = 0;
}

// vector of the skew part: vee3(skew3(a)) = a
static inline void vee3(const double a[9], double out[3]) {
    out[0] = 0.5 * (a[7] - a[5]);
    out[1] = 0.5 * (a[2] - a[6]);
    out[2] = 0.5 * (a[3] - a[1]);
}

// a b^T
static inline void outer3(const double a[3], const double b[3], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out[3 * i + j] = a[i] * b[j];
    }
}

static inline double trace33(const double a[9]) {
    return a[0] + a[4] + a[8];
}

static inline double det33(const double a[9]) {
    return a[0] * (a[4] * a[8] - a[5] * a[7]) + a[1] * (a[5] * a[6] - a[3] * a[8]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

// A^-1 by cofactors; infinite or NaN if A is singular
static inline void inv33(const double a[9], double out[9]) {
    const double s = 1 / det33(a);
    out[0] = s * (a[4] * a[8] - a[5] * a[7]);
    out[1] = s * (a[2] * a[7] - a[1] * a[8]);
    out[2] = s * (a[1] * a[5] - a[2] * a[4]);
    out[3] = s * (a[5] * a[6] - a[3] * a[8]);
    out[4] = s * (a[0] * a[8] - a[2] * a[6]);
    out[5] = s * (a[2] * a[3] - a[0] * a[5]);
    out[6] = s * (a[3] * a[7] - a[4] * a[6]);
    out[7] = s * (a[1] * a[6] - a[0] * a[7]);
    out[8] = s * (a[0] * a[4] - a[1] * a[3]);
}
// end kernel

#endif
