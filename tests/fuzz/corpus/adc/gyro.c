// gyro.c - gyroscopic terms of a rigid body in body axes: m = -w x (J w)
#include "vec.h"

typedef struct Gyro {
    double inertia[6]; // xx yy zz xy xz yz
} Gyro;

// kernel
// adc: jac = jacobian(m; w)
// adc: second = along(m; w)
// adc: second_jac = jacobian(second; w, v)
// adc: par = jacobian(m; p->inertia)
// adc: lanes(jac)
static void gyro(const Gyro *p, const double w[3], double m[3]) {
    double h[3];
    h[0] = p->inertia[0] * w[0] + p->inertia[3] * w[1] + p->inertia[4] * w[2];
    h[1] = p->inertia[3] * w[0] + p->inertia[1] * w[1] + p->inertia[5] * w[2];
    h[2] = p->inertia[4] * w[0] + p->inertia[5] * w[1] + p->inertia[2] * w[2];
    cross3(h, w, m);
}
// end kernel
#include "gyro.adc.h"
