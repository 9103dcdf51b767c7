// hinge.c - the same hinge seen as an item sees it: two frames, moved by increments at zero
#include "frame.h"

typedef struct Hinge {
    double sa[3], sb[3];
    double xa[3], ya[3];
    double zb[3];
} Hinge;

// kernel
// adc: joint(c; a, b)
// adc: par = jacobian(c; p->zb)
// adc: lanes(jac, vel, react_jac)
static void hinge(const Hinge *p, const Frame *a, const Frame *b, double c[5]) {
    double sa[3], sb[3], xa[3], ya[3], zb[3];
    mat3_mul_vec(a->R, p->sa, sa);
    mat3_mul_vec(b->R, p->sb, sb);
    mat3_mul_vec(a->R, p->xa, xa);
    mat3_mul_vec(a->R, p->ya, ya);
    mat3_mul_vec(b->R, p->zb, zb);
    for (int i = 0; i < 3; i++) c[i] = b->p[i] + sb[i] - a->p[i] - sa[i];
    c[3] = dot3(xa, zb);
    c[4] = dot3(ya, zb);
}
// end kernel
#include "hinge.adc.h"
