// motion.c - prescribed motion: the distance of two points follows a function of time given
// outside, over a ground given outside
//
//   c = |p_b - p_a|^2/2 - u(t),  z_b - h(x_b, y_b)
#include "frame.h"

typedef struct Curve {
    double amplitude, rate;
} Curve;

typedef struct Ground {
    double slope, wave;
} Ground;

typedef struct Motion {
    const Curve *curve;
    double offset;
} Motion;

double curve_value(const Curve *c, double t);
double curve_slope(const Curve *c, double t);
double curve_bend(const Curve *c, double t);
double curve_third(const Curve *c, double t);
double ground_h(const Ground *g, double x, double y);
double ground_hx(const Ground *g, double x, double y);
double ground_hy(const Ground *g, double x, double y);
double ground_hxx(const Ground *g, double x, double y);
double ground_hxy(const Ground *g, double x, double y);
double ground_hyy(const Ground *g, double x, double y);

// kernel
// adc: partials(curve_slope)
extern double curve_value(const Curve *c, double t);
// adc: partials(curve_bend)
extern double curve_slope(const Curve *c, double t);
extern double curve_bend(const Curve *c, double t);

// adc: partials(ground_hx, ground_hy)
extern double ground_h(const Ground *g, double x, double y);
// adc: partials(ground_hxx, ground_hxy)
extern double ground_hx(const Ground *g, double x, double y);
// adc: partials(ground_hxy, ground_hyy)
extern double ground_hy(const Ground *g, double x, double y);
extern double ground_hxx(const Ground *g, double x, double y);
extern double ground_hxy(const Ground *g, double x, double y);
extern double ground_hyy(const Ground *g, double x, double y);

// adc: jac = jacobian(c; xa, xb, t)
// adc: vel = along(c; xa, xb, t = 1)
// adc: acc = along(vel; xa, xb, t = 1)
// adc: react = transpose(c; xa, xb)
// adc: react_jac = jacobian(react; xa, xb)
// adc: vel_jac = jacobian(vel; xa, xb, v, t)
// adc: lanes(jac, acc)
static void motion(const Motion *p, const Ground *g, const double xa[3], const double xb[3],
                   double t, double c[2]) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = xb[i] - xa[i];
    c[0] = 0.5 * dot3(d, d) - p->offset - curve_value(p->curve, 2 * t);
    c[1] = xb[2] - ground_h(g, xb[0], xb[1] * xa[0]);
}
// end kernel
#include "motion.adc.h"
