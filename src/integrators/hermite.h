// hermite.h - the cubic with the values and slopes of both ends of a step
//
//   x(t0 + s h) = r^2 (1 + 2s) x0 + s^2 (1 + 2r) x1 + s r h (r x0' - s x1')      r = 1 - s
//
// It gives both ends exactly and is off by h^4 x''''/384 at most.
// Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 2nd ed., sec. II.6.
#ifndef CARDAN_INTEGRATORS_HERMITE_H
#define CARDAN_INTEGRATORS_HERMITE_H

// weights of x0, x1, x0', x1'
typedef struct CdiHermite {
    double w[4];
} CdiHermite;

static inline CdiHermite cdi_hermite(double s, double h) {
    const double r = 1 - s;
    return (CdiHermite){{r * r * (1 + 2 * s), s * s * (1 + 2 * r), s * r * r * h, -s * s * r * h}};
}

static inline double cdi_hermite_at(const CdiHermite *c, double x0, double x1, double d0,
                                    double d1) {
    return c->w[0] * x0 + c->w[1] * x1 + (c->w[2] * d0 + c->w[3] * d1);
}

#endif
