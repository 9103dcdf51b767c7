// turn.h - angle about an axis from one marker to another, over any number of turns
//
//   phi = angle about z of a from x_A to x_B, as x_B is seen in the plane of x_A, y_A
//   g = d phi/d(rotation of b) = x_B x e / r        e: direction of growing phi in that plane,
//                                                   r: length of x_B in it
// g is z_A where x_B lies in the plane. A torque T along the angle acts with T g on b and -T g on
// a; the angle grows at g . (w_B - w_A). The angle does not exist where x_B is along z_A.
//
// The turn is the one nearest to the angle at the last accepted step, the one number of memory of
// such items; so less than half a turn may happen in a step.
#ifndef CARDAN_ITEMS_TURN_H
#define CARDAN_ITEMS_TURN_H

#include "items/frame.h"

// kernel
// g in world axes
static inline void turn_axis(const CdFrame *a, const CdFrame *b, double g[3]) {
    double xa[3], ya[3], xb[3], e[3];
    frame_axis(a, 0, xa);
    frame_axis(a, 1, ya);
    frame_axis(b, 0, xb);
    const double c = dot3(xa, xb), s = dot3(ya, xb);
    const double r2 = c * c + s * s;
    for (int i = 0; i < 3; i++) e[i] = (c * ya[i] - s * xa[i]) / r2;
    cross3(xb, e, g);
}

static inline double turn_rate(const CdFrame *a, const CdFrame *b, const double g[3],
                               const double va[6], const double vb[6]) {
    double wa[3], wb[3];
    mul3v(a->R, &va[3], wa);
    mul3v(b->R, &vb[3], wb);
    return dot3(g, wb) - dot3(g, wa);
}

// generalised forces of a torque T that turns b forwards
static inline void turn_torque(const CdFrame *a, const CdFrame *b, const double g[3], double T,
                               double w[12]) {
    double ma[3], mb[3];
    tmul3v(a->R, g, ma);
    tmul3v(b->R, g, mb);
    for (int i = 0; i < 3; i++) {
        w[i] = 0;
        w[3 + i] = -T * ma[i];
        w[6 + i] = 0;
        w[9 + i] = T * mb[i];
    }
}

// what is to be added to an angle to come nearest to another one, as turns_to (math/turns.h) but
// for half turns; numbers of this size have no digits behind the point, so the sum is rounded to a
// whole one
static inline double turn_nearest(double angle, double last) {
    const double turns = (last - angle) / 6.28318530717958647692;
    return 6.28318530717958647692 * ((turns + 6755399441055744.0) - 6755399441055744.0);
}

// what is added to the angle of two frames to be nearest to `last`
static inline double turn_whole(const CdFrame *a, const CdFrame *b, double last) {
    return turn_nearest(frame_angle(a, b), last);
}

static inline double turn_angle(const CdFrame *a, const CdFrame *b, double last) {
    return frame_angle(a, b) + turn_whole(a, b, last);
}
// end kernel

#endif
