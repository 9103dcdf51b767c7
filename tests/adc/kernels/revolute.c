// revolute.c - hinge: common point, common z axis; in explicit tangent increments (12 directions)
//
// c = (p_b + B s_b - p_a - A s_a,  A x_a . B z_b,  A y_a . B z_b)    A = R(q_a exp t_a), B likewise
#include "vec.h"

typedef struct Revolute {
    double sa[3], sb[3]; // joint point in body a, b
    double xa[3], ya[3]; // axes normal to the hinge, in body a
    double zb[3];        // hinge axis in body b
} Revolute;

// kernel
// adc: value = value(c)
// adc: jac = jacobian(c; pa, ta, pb, tb)
// adc: react = transpose(c; pa, ta, pb, tb)
// adc: react_jac = jacobian(react; pa, ta, pb, tb)
// adc: vel = along(c; pa, ta, pb, tb)
// adc: acc = along(vel; pa, ta, pb, tb)
// adc: vel_jac = jacobian(vel; pa, ta, pb, tb, v)
// adc: acc_jac = jacobian(acc; pa, ta, pb, tb, v)
// adc: par = jacobian(c; p->sb, p->zb)
// adc: lanes(value, jac, react, react_jac)
static void revolute(const Revolute *p, const double pa[3], const double qa[4], const double ta[3],
                     const double pb[3], const double qb[4], const double tb[3], double c[5]) {
    double ea[4], eb[4], ra[4], rb[4], A[9], B[9];
    quat_exp(ta, ea);
    quat_exp(tb, eb);
    quat_mul(qa, ea, ra);
    quat_mul(qb, eb, rb);
    quat_matrix(ra, A);
    quat_matrix(rb, B);
    double sa[3], sb[3], xa[3], ya[3], zb[3];
    mat3_mul_vec(A, p->sa, sa);
    mat3_mul_vec(B, p->sb, sb);
    mat3_mul_vec(A, p->xa, xa);
    mat3_mul_vec(A, p->ya, ya);
    mat3_mul_vec(B, p->zb, zb);
    for (int i = 0; i < 3; i++) c[i] = pb[i] + sb[i] - pa[i] - sa[i];
    c[3] = dot3(xa, zb);
    c[4] = dot3(ya, zb);
}
// end kernel
#include "revolute.adc.h"
