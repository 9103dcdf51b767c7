// se3.h - poses and twists: exp, log, adjoints, tangent operators and their inverses
//
// A pose is the pair (R, p), a twist is xi = (v, w), linear part first, as body velocities are.
// With W = skew(w), V = skew(v):
//
//       | R  p |              | W  v |                 | W  V |                 | R  skew(p) R |
//   H = |      |    hat(xi) = |      |        ad(xi) = |      |      Ad(R, p) = |              |
//       | 0  1 |              | 0  0 |                 | 0  W |                 | 0      R     |
//
//   exp(v, w)   = (exp(w), dexp_l(w) v)
//   Ad(exp(xi)) = exp(ad(xi))
//   d/dt H      = H hat(dexp_r(xi) xidot)
//
// dexp_l = phi(ad), phi(z) = (e^z - 1)/z. A function of the block triangle ad is a block triangle,
//
//             | phi(W)    Q    |
//   phi(ad) = |                |
//             |   0     phi(W) |
//
// with Q the derivative of phi(W) in direction V, so from the series of so3.h
//
//   Q     =  b V + c (W V + V W) + 2 (w.v) (b1 W + c1 W^2)        coupling of dexp_l
//   Q_inv = -V/2 + d (W V + V W) + 2 (w.v) d1 W^2                 coupling of dexp_l^-1
//
// and dexp_r(xi) = dexp_l(-xi). 6 x 6 matrices are flat and row-major. Inputs first, outputs last;
// an output never overlaps an input.
// Sonneville, Cardona & Bruels, Geometrically exact beam on SE(3), CMAME 268 (2014).
// Higham, Functions of Matrices, thm. 3.6 (block triangle).
#ifndef CARDAN_MATH_SE3_H
#define CARDAN_MATH_SE3_H

#include "math/so3.h"

// kernel
// (Ra, pa)(Rb, pb)
static inline void se3_mul(const double ra[9], const double pa[3], const double rb[9],
                           const double pb[3], double r[9], double p[3]) {
    double t[3];
    mul33(ra, rb, r);
    mul3v(ra, pb, t);
    add3(pa, t, p);
}

static inline void se3_inv(const double ra[9], const double pa[3], double r[9], double p[3]) {
    double t[3];
    transpose33(ra, r);
    tmul3v(ra, pa, t);
    scale3(-1, t, p);
}

static inline void se3_exp(const double xi[6], double r[9], double p[3]) {
    const double x = dot3(&xi[3], &xi[3]);
    const double b = rot_b(x);
    so3_poly(&xi[3], rot_a(x), b, r);
    so3_poly_v(&xi[3], b, rot_c(x), &xi[0], p);
}

// |w| <= pi; see so3_log
static inline void se3_log(const double r[9], const double p[3], double xi[6]) {
    double w[3], v[3];
    so3_log(r, w);
    so3_poly_v(w, -0.5, rot_d(dot3(w, w)), p, v);
    for (int i = 0; i < 3; i++) {
        xi[i] = v[i];
        xi[i + 3] = w[i];
    }
}

// [A B; 0 A]
static inline void se3_block(const double a[9], const double b[9], double out[36]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[6 * i + j] = a[3 * i + j];
            out[6 * i + j + 3] = b[3 * i + j];
            out[6 * i + j + 18] = 0;
            out[6 * i + j + 21] = a[3 * i + j];
        }
    }
}

// twist in frame B to twist in frame A of the pose (R_AB, p_AB_A)
static inline void se3_ad(const double r[9], const double p[3], double out[36]) {
    double s[9], sr[9];
    skew3(p, s);
    mul33(s, r, sr);
    se3_block(r, sr, out);
}

// commutator of twists: ad(a) b
static inline void se3_lie(const double a[6], const double b[6], double out[6]) {
    double wv[3], vw[3], ww[3];
    cross3(&a[3], &b[0], wv);
    cross3(&a[0], &b[3], vw);
    cross3(&a[3], &b[3], ww);
    for (int i = 0; i < 3; i++) {
        out[i] = wv[i] + vw[i];
        out[i + 3] = ww[i];
    }
}

// derivative of s W + t W^2 in direction V, s1 and t1 the derivatives of s, t to x:
//   s V + t (w v^T + v w^T - 2 (w.v) I) + 2 (w.v) (s1 W + t1 W^2)
static inline void se3_coupling(const double v[3], const double w[3], double s, double s1, double t,
                                double t1, double out[9]) {
    double sv[9], sw[9];
    const double x = dot3(w, w), z = 2 * dot3(w, v);
    skew3(v, sv);
    skew3(w, sw);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double diagonal = i == j ? z * (t + t1 * x) : 0.0;
            out[3 * i + j] = s * sv[3 * i + j] + t * (w[i] * v[j] + v[i] * w[j]) +
                             z * (s1 * sw[3 * i + j] + t1 * w[i] * w[j]) - diagonal;
        }
    }
}

static inline void se3_dexp_l(const double xi[6], double out[36]) {
    double j[9], q[9];
    const double x = dot3(&xi[3], &xi[3]);
    const double b = rot_b(x), c = rot_c(x);
    so3_poly(&xi[3], b, c, j);
    se3_coupling(&xi[0], &xi[3], b, rot_b1(x), c, rot_c1(x), q);
    se3_block(j, q, out);
}

static inline void se3_dexp_r(const double xi[6], double out[36]) {
    double m[6];
    for (int i = 0; i < 6; i++) m[i] = -xi[i];
    se3_dexp_l(m, out);
}

static inline void se3_dexp_l_inv(const double xi[6], double out[36]) {
    double j[9], q[9];
    const double x = dot3(&xi[3], &xi[3]);
    const double d = rot_d(x);
    so3_poly(&xi[3], -0.5, d, j);
    se3_coupling(&xi[0], &xi[3], -0.5, 0, d, rot_d1(x), q);
    se3_block(j, q, out);
}

static inline void se3_dexp_r_inv(const double xi[6], double out[36]) {
    double m[6];
    for (int i = 0; i < 6; i++) m[i] = -xi[i];
    se3_dexp_l_inv(m, out);
}
// end kernel

#endif
