// vec.h - vectors and rotations for the test kernels; matrices are flat, row by row
#ifndef TESTS_ADC_VEC_H
#define TESTS_ADC_VEC_H

#include <math.h>

// kernel
static inline double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double a[3], const double b[3], double y[3]) {
    y[0] = a[1] * b[2] - a[2] * b[1];
    y[1] = a[2] * b[0] - a[0] * b[2];
    y[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void mat3_mul_vec(const double R[9], const double a[3], double y[3]) {
    for (int i = 0; i < 3; i++) y[i] = dot3(&R[3 * i], a);
}

static inline void mat3_tmul_vec(const double R[9], const double a[3], double y[3]) {
    for (int i = 0; i < 3; i++) y[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

static inline void mat3_mul(const double A[9], const double B[9], double C[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
}

static inline void quat_mul(const double a[4], const double b[4], double y[4]) {
    y[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    y[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    y[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    y[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static inline void quat_matrix(const double q[4], double R[9]) {
    R[0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]);
    R[1] = 2 * (q[1] * q[2] - q[0] * q[3]);
    R[2] = 2 * (q[1] * q[3] + q[0] * q[2]);
    R[3] = 2 * (q[1] * q[2] + q[0] * q[3]);
    R[4] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]);
    R[5] = 2 * (q[2] * q[3] - q[0] * q[1]);
    R[6] = 2 * (q[1] * q[3] - q[0] * q[2]);
    R[7] = 2 * (q[2] * q[3] + q[0] * q[1]);
    R[8] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

// unit quaternion of a rotation vector; a series near zero, where sin(a/2)/a has no quotient
static inline void quat_exp(const double t[3], double q[4]) {
    const double t2 = dot3(t, t);
    double s;
    if (t2 < 1e-3) {
        q[0] = 1 - t2 / 8 + t2 * t2 / 384 - t2 * t2 * t2 / 46080 + t2 * t2 * t2 * t2 / 10321920;
        s = 0.5 - t2 / 48 + t2 * t2 / 3840 - t2 * t2 * t2 / 645120 + t2 * t2 * t2 * t2 / 185794560;
    } else {
        const double a = sqrt(t2);
        q[0] = cos(0.5 * a);
        s = sin(0.5 * a) / a;
    }
    for (int i = 0; i < 3; i++) q[i + 1] = s * t[i];
}
// end kernel

#endif
