// universal.c - Cardan joint: common point, the two axes of the cross stay normal to each other
//
// With t: the axis of body a turns about its z axis by the prescribed angle rate*t.
#include "frame.h"

typedef struct Universal {
    double sa[3], sb[3], xa[3], ya[3], yb[3], rate;
} Universal;

// kernel
// adc: joint(c; a, b, t = 1)
// adc: ct = jacobian(c; t)
// adc: par = jacobian(c; p->rate, p->sa)
// adc: lanes(jac, vel, acc, react)
static void universal(const Universal *p, const Frame *a, const Frame *b, double t, double c[4]) {
    double sa[3], sb[3], axis[3], x[3], y[3];
    const double co = cos(p->rate * t), si = sin(p->rate * t);
    mat3_mul_vec(a->R, p->sa, sa);
    mat3_mul_vec(b->R, p->sb, sb);
    for (int i = 0; i < 3; i++) axis[i] = co * p->xa[i] + si * p->ya[i];
    mat3_mul_vec(a->R, axis, x);
    mat3_mul_vec(b->R, p->yb, y);
    for (int i = 0; i < 3; i++) c[i] = b->p[i] + sb[i] - a->p[i] - sa[i];
    c[3] = dot3(x, y);
}
// end kernel
#include "universal.adc.h"
