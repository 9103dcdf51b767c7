// tyre.c - a tyre-like law with branches: contact or not, sliding or rolling, limits of the grip
//
// After the shape of Pacejka's formula: F = D sin(C atan(B s - E (B s - atan(B s)))).
#include <math.h>

typedef struct Tyre {
    double stiffness, damping, grip, shape, peak, curve, radius;
} Tyre;

// kernel
static double magic(const Tyre *p, double s) {
    const double bs = p->peak * s;
    return sin(p->shape * atan(bs - p->curve * (bs - atan(bs))));
}

// adc: value = value(f)
// adc: jac = jacobian(f; x)
// adc: second = along(f; x)
// adc: second_jac = jacobian(second; x, v)
// adc: par = jacobian(f; p->grip, p->shape, p->radius)
// adc: lanes(value, jac)
static void tyre(const Tyre *p, const double x[6], double f[3]) {
    const double depth = p->radius - x[0]; // height, its rate, speeds, spin, camber
    double normal, fx, fy;
    if (depth > 0) {
        normal = p->stiffness * depth - p->damping * x[1] * depth;
        if (normal < 0) normal = 0;
    } else {
        normal = 0;
    }
    const double speed = fabs(x[2]);
    double slip;
    if (speed > 0.5 && x[4] > 0) {
        slip = (x[4] * p->radius - x[2]) / speed;
    } else if (speed > 0.1 || !(x[4] >= -100)) {
        slip = (x[4] * p->radius - x[2]) / (0.1 + speed * speed);
    } else {
        slip = 2 * (x[4] * p->radius - x[2]);
    }
    const double angle = atan2(x[3], fmax(speed, 0.05));
    const double total = hypot(slip, tan(angle)) + 1e-3;
    const double mu = p->grip * magic(p, total);
    fx = normal * mu * slip / total;
    fy = -normal * mu * tan(angle) / total + (x[5] < 0 ? -0.1 * x[5] * x[5] : sinh(x[5])) * normal;
    f[0] = fmin(fx, 0.9 * normal);
    f[1] = fy;
    f[2] = normal;
}
// end kernel
#include "tyre.adc.h"
