// frame.h - a frame in the world, and how increments move it
//
//   p_WF, R_WF;   moved by d:  p + d[0..2],  R exp(d[3..5])
//
// so the directions of a frame are velocities of its origin in world axes and rotations in its own
// axes; a twist is a speed along them: (v_WF_W, w_WF_F). Sola et al., arXiv 1812.01537.
#ifndef CARDAN_ITEMS_FRAME_H
#define CARDAN_ITEMS_FRAME_H

#include "math/so3.h"

// kernel
typedef struct CdFrame {
    double p[3], R[9];
} CdFrame;

// adc: move(CdFrame)
static inline void frame_move(const CdFrame *a, const double d[6], CdFrame *b) {
    double E[9];
    so3_exp(&d[3], E);
    for (int i = 0; i < 3; i++) b->p[i] = a->p[i] + d[i];
    mul33(a->R, E, b->R);
}

// column k of R: axis k of the frame in world axes
static inline void frame_axis(const CdFrame *f, int k, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = f->R[3 * i + k];
}

// p_AB_A: origin of b seen from a, in axes of a
static inline void frame_offset(const CdFrame *a, const CdFrame *b, double out[3]) {
    double d[3];
    sub3(b->p, a->p, d);
    tmul3v(a->R, d, out);
}

// angle about z of a from x of a to x of b, in (-pi, pi]
static inline double frame_angle(const CdFrame *a, const CdFrame *b) {
    double xa[3], ya[3], xb[3];
    frame_axis(a, 0, xa);
    frame_axis(a, 1, ya);
    frame_axis(b, 0, xb);
    return atan2(dot3(ya, xb), dot3(xa, xb));
}
// end kernel

// rotation by an angle about z
static inline void rot_z(double angle, double out[9]) {
    const double c = cos(angle), s = sin(angle);
    const double R[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    copy33(R, out);
}

// pose x seen from a, in the world
static inline void frame_compose(const CdFrame *a, const CdFrame *x, CdFrame *out) {
    double d[3];
    mul3v(a->R, x->p, d);
    add3(a->p, d, out->p);
    mul33(a->R, x->R, out->R);
}

// pose of b seen from a: frame_compose(a, x) = b
static inline void frame_between(const CdFrame *a, const CdFrame *b, CdFrame *x) {
    frame_offset(a, b, x->p);
    tmul33(a->R, b->R, x->R);
}

#endif
