// quat.h - unit quaternions and Tait-Bryan angles of rotations
//
//   q      = (q0, qv) = (cos(theta/2), n sin(theta/2)), order wxyz, Hamilton product
//   exp(w) = (cos(|w|/2), w sin(|w|/2)/|w|)
//   R_WB v = vec(q (0, v) q*)
//   q_AC   = q_AB q_BC
//   qdot   = q (0, w_B)/2
//   w_B    = 2 vec(q* qdot)
//   xyz angles (a, b, c): R = Rx(a) Ry(b) Rz(c), |b| <= pi/2
//
// q and -q are the same rotation. Inputs first, output last; an output never overlaps an input.
// Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1 (1978).
#ifndef CARDAN_MATH_QUAT_H
#define CARDAN_MATH_QUAT_H

#include "math/angle.h"
#include "math/mat3.h"

// kernel
static inline void quat_mul(const double a[4], const double b[4], double out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static inline void quat_conj(const double q[4], double out[4]) {
    out[0] = q[0];
    for (int i = 1; i < 4; i++) out[i] = -q[i];
}

// q / |q|; NaN for zero
static inline void quat_unit(const double q[4], double out[4]) {
    const double s = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) out[i] = s * q[i];
}

// R v = v + 2 q0 qv x v + 2 qv x (qv x v); |q| = 1
static inline void quat_rotate(const double q[4], const double v[3], double out[3]) {
    double t[3], u[3];
    cross3(&q[1], v, t);
    cross3(&q[1], t, u);
    for (int i = 0; i < 3; i++) out[i] = v[i] + 2 * (q[0] * t[i] + u[i]);
}

// |q| = 1
static inline void quat_to_mat(const double q[4], double out[9]) {
    const double x = 2 * q[1], y = 2 * q[2], z = 2 * q[3];
    out[0] = 1 - y * q[2] - z * q[3];
    out[1] = x * q[2] - z * q[0];
    out[2] = x * q[3] + y * q[0];
    out[3] = x * q[2] + z * q[0];
    out[4] = 1 - x * q[1] - z * q[3];
    out[5] = y * q[3] - x * q[0];
    out[6] = x * q[3] - y * q[0];
    out[7] = y * q[3] + x * q[0];
    out[8] = 1 - x * q[1] - y * q[2];
}

// the largest of the four components is found from the diagonal, the others by division by it, so
// nothing is lost near any angle; q0 >= 0
static inline void quat_from_mat(const double r[9], double out[4]) {
    const double t = trace33(r);
    double p[4];
    if (t >= r[0] && t >= r[4] && t >= r[8]) {
        p[0] = 1 + t;
        p[1] = r[7] - r[5];
        p[2] = r[2] - r[6];
        p[3] = r[3] - r[1];
    } else if (r[0] >= r[4] && r[0] >= r[8]) {
        p[0] = r[7] - r[5];
        p[1] = 1 + r[0] - r[4] - r[8];
        p[2] = r[3] + r[1];
        p[3] = r[2] + r[6];
    } else if (r[4] >= r[8]) {
        p[0] = r[2] - r[6];
        p[1] = r[3] + r[1];
        p[2] = 1 - r[0] + r[4] - r[8];
        p[3] = r[7] + r[5];
    } else {
        p[0] = r[3] - r[1];
        p[1] = r[2] + r[6];
        p[2] = r[7] + r[5];
        p[3] = 1 - r[0] - r[4] + r[8];
    }
    const double sign = p[0] < 0 ? -1.0 : 1.0;
    const double s = sign / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int i = 0; i < 4; i++) out[i] = s * p[i];
}

// rotation vector to quaternion; cos(theta/2) = 1 - y b(y), y = theta^2/4. Bodies turn little in a
// step: below y = 0.01 five terms of the series leave 3e-18.
static inline void quat_exp(const double w[3], double out[4]) {
    const double y = 0.25 * dot3(w, w);
    double a, b;
    if (y < 0.01) {
        a = rot_a_series[4];
        b = rot_b_series[4];
        for (int i = 3; i >= 0; i--) {
            a = a * y + rot_a_series[i];
            b = b * y + rot_b_series[i];
        }
    } else {
        a = rot_a(y);
        b = rot_b(y);
    }
    const double s = 0.5 * a;
    out[0] = 1 - y * b;
    for (int i = 0; i < 3; i++) out[i + 1] = s * w[i];
}

// rotation vector of length <= pi; q need not be of unit length. At theta = pi the sign of the
// vector follows that of q; there log jumps and has no derivative.
static inline void quat_log(const double q[4], double out[3]) {
    const double vv = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double ww = q[0] * q[0];
    double s;
    if (vv < rot_limits[2] * ww) {
        s = 2 * rot_t(vv / ww) / q[0];
    } else {
        const double v = sqrt(vv);
        const double sign = q[0] < 0 ? -1.0 : 1.0;
        s = 2 * sign * atan2(v, sign * q[0]) / v;
    }
    for (int i = 0; i < 3; i++) out[i] = s * q[i + 1];
}

// qdot = q (0, w_B)/2
static inline void quat_rate(const double q[4], const double w_B[3], double out[4]) {
    out[0] = 0.5 * (-q[1] * w_B[0] - q[2] * w_B[1] - q[3] * w_B[2]);
    out[1] = 0.5 * (q[0] * w_B[0] + q[2] * w_B[2] - q[3] * w_B[1]);
    out[2] = 0.5 * (q[0] * w_B[1] + q[3] * w_B[0] - q[1] * w_B[2]);
    out[3] = 0.5 * (q[0] * w_B[2] + q[1] * w_B[1] - q[2] * w_B[0]);
}

// w_B = 2 vec(q* qdot); |q| = 1. The inverse of quat_rate
static inline void quat_spin(const double q[4], const double qdot[4], double out[3]) {
    out[0] = 2 * (q[0] * qdot[1] - q[1] * qdot[0] - q[2] * qdot[3] + q[3] * qdot[2]);
    out[1] = 2 * (q[0] * qdot[2] - q[2] * qdot[0] - q[3] * qdot[1] + q[1] * qdot[3]);
    out[2] = 2 * (q[0] * qdot[3] - q[3] * qdot[0] - q[1] * qdot[2] + q[2] * qdot[1]);
}

static inline void xyz_to_mat(const double angles[3], double out[9]) {
    const double ca = cos(angles[0]), sa = sin(angles[0]);
    const double cb = cos(angles[1]), sb = sin(angles[1]);
    const double cc = cos(angles[2]), sc = sin(angles[2]);
    out[0] = cb * cc;
    out[1] = -cb * sc;
    out[2] = sb;
    out[3] = ca * sc + sa * sb * cc;
    out[4] = ca * cc - sa * sb * sc;
    out[5] = -sa * cb;
    out[6] = sa * sc - ca * sb * cc;
    out[7] = sa * cc + ca * sb * sc;
    out[8] = ca * cb;
}

// a first, then b and c from Rx(a)^T R. In gimbal lock (|b| = pi/2) only a + c or a - c is
// determined: a takes what rounding left, 0 for exact zeros, and c fits it, so the angles always
// give R back. Derivatives do not exist there.
static inline void xyz_from_mat(const double r[9], double out[3]) {
    const double a = atan2(-r[5], r[8]);
    const double ca = cos(a), sa = sin(a);
    out[0] = a;
    out[1] = atan2(r[2], ca * r[8] - sa * r[5]);
    out[2] = atan2(ca * r[3] + sa * r[6], ca * r[4] + sa * r[7]);
}

// w_B of the angles and their rates
static inline void xyz_spin(const double angles[3], const double rates[3], double out[3]) {
    const double cb = cos(angles[1]), sb = sin(angles[1]);
    const double cc = cos(angles[2]), sc = sin(angles[2]);
    out[0] = cb * cc * rates[0] + sc * rates[1];
    out[1] = -cb * sc * rates[0] + cc * rates[1];
    out[2] = sb * rates[0] + rates[2];
}

// rates of the angles of w_B, the inverse of xyz_spin; infinite or NaN in gimbal lock
static inline void xyz_rate(const double angles[3], const double w_B[3], double out[3]) {
    const double cb = cos(angles[1]), sb = sin(angles[1]);
    const double cc = cos(angles[2]), sc = sin(angles[2]);
    const double rate = (cc * w_B[0] - sc * w_B[1]) / cb;
    out[0] = rate;
    out[1] = sc * w_B[0] + cc * w_B[1];
    out[2] = w_B[2] - sb * rate;
}
// end kernel

#endif
