// so3.h - rotations and rotation vectors: exp, log, tangent operators, their inverses, derivatives
//
// W = skew(w), x = w.w, a b c d of angle.h:
//
//   exp(w)       = I + a W + b W^2
//   dexp_r(w)    = I - b W + c W^2
//   dexp_l(w)    = I + b W + c W^2 = dexp_r(w)^T
//   dexp_r(w)^-1 = I + W/2 + d W^2 = (dexp_l(w)^-1)^T
//
//   log(exp(w))  = w for |w| <= pi
//   d/dt exp(w)  = exp(w) skew(dexp_r(w) wdot) = skew(dexp_l(w) wdot) exp(w)
//
// Increments of Cardan are on the right, so dexp_r belongs to them. The inverses do not exist at
// |w| = 2 pi k, k > 0. Inputs first, output last; an output never overlaps an input.
// Bullo & Murray, Proportional derivative control on the Euclidean group, ECC 1995.
#ifndef CARDAN_MATH_SO3_H
#define CARDAN_MATH_SO3_H

#include "math/angle.h"
#include "math/mat3.h"
#include "math/quat.h"

// kernel
// I + s W + t W^2 = (1 - t x) I + s W + t w w^T, the small parts added to 1 last
static inline void so3_poly(const double w[3], double s, double t, double out[9]) {
    const double xx = t * w[0] * w[0], yy = t * w[1] * w[1], zz = t * w[2] * w[2];
    out[0] = 1 - (yy + zz);
    out[1] = t * w[0] * w[1] - s * w[2];
    out[2] = t * w[0] * w[2] + s * w[1];
    out[3] = t * w[0] * w[1] + s * w[2];
    out[4] = 1 - (xx + zz);
    out[5] = t * w[1] * w[2] - s * w[0];
    out[6] = t * w[0] * w[2] - s * w[1];
    out[7] = t * w[1] * w[2] + s * w[0];
    out[8] = 1 - (xx + yy);
}

// u + s w x u + t w x (w x u)
static inline void so3_poly_v(const double w[3], double s, double t, const double u[3],
                              double out[3]) {
    double wu[3], wwu[3];
    cross3(w, u, wu);
    cross3(w, wu, wwu);
    for (int i = 0; i < 3; i++) out[i] = u[i] + (s * wu[i] + t * wwu[i]);
}

static inline void so3_exp(const double w[3], double out[9]) {
    const double x = dot3(w, w);
    so3_poly(w, rot_a(x), rot_b(x), out);
}

// length <= pi; the way over the quaternion keeps all digits near 0 and near pi. At pi the axis
// has one of its two signs, there log jumps and has no derivative.
static inline void so3_log(const double r[9], double out[3]) {
    double q[4];
    quat_from_mat(r, q);
    quat_log(q, out);
}

static inline void so3_dexp_r(const double w[3], double out[9]) {
    const double x = dot3(w, w);
    so3_poly(w, -rot_b(x), rot_c(x), out);
}

static inline void so3_dexp_l(const double w[3], double out[9]) {
    const double x = dot3(w, w);
    so3_poly(w, rot_b(x), rot_c(x), out);
}

static inline void so3_dexp_r_inv(const double w[3], double out[9]) {
    so3_poly(w, 0.5, rot_d(dot3(w, w)), out);
}

static inline void so3_dexp_l_inv(const double w[3], double out[9]) {
    so3_poly(w, -0.5, rot_d(dot3(w, w)), out);
}

// dexp_r(w) u
static inline void so3_dexp_r_v(const double w[3], const double u[3], double out[3]) {
    const double x = dot3(w, w);
    so3_poly_v(w, -rot_b(x), rot_c(x), u, out);
}

// dexp_r(w)^-1 u
static inline void so3_dexp_r_inv_v(const double w[3], const double u[3], double out[3]) {
    so3_poly_v(w, 0.5, rot_d(dot3(w, w)), u, out);
}

// d(u + s w x u + t w x (w x u))/dw where s1, t1 are the derivatives of s, t to x
static inline void so3_poly_dw(const double w[3], double s, double s1, double t, double t1,
                               const double u[3], double out[9]) {
    double wu[3], wwu[3], su[9];
    cross3(w, u, wu);
    cross3(w, wu, wwu);
    skew3(u, su);
    const double z = t * dot3(w, u);
    for (int i = 0; i < 3; i++) {
        const double g = 2 * (s1 * wu[i] + t1 * wwu[i]);
        for (int j = 0; j < 3; j++) {
            const double diagonal = i == j ? z : 0.0;
            out[3 * i + j] =
                diagonal - s * su[3 * i + j] + t * (w[i] * u[j] - 2 * u[i] * w[j]) + g * w[j];
        }
    }
}

// d(dexp_r(w) u)/dw
static inline void so3_dexp_r_dw(const double w[3], const double u[3], double out[9]) {
    const double x = dot3(w, w);
    so3_poly_dw(w, -rot_b(x), -rot_b1(x), rot_c(x), rot_c1(x), u, out);
}

// d(dexp_r(w)^-1 u)/dw
static inline void so3_dexp_r_inv_dw(const double w[3], const double u[3], double out[9]) {
    const double x = dot3(w, w);
    so3_poly_dw(w, 0.5, 0, rot_d(x), rot_d1(x), u, out);
}
// end kernel

#endif
