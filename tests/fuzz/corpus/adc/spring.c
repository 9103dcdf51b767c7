// spring.c - spring-damper between two points: f = (k (l - l0) + d l') d/l
#include "vec.h"

typedef struct Spring {
    const char *name; // members that are not doubles are passed over
    double stiffness, damping, length;
} Spring;

// kernel
// adc: value = value(f)
// adc: d(f)/d(xa, xb, va, vb)
// adc: par = jacobian(f; p->stiffness, p->damping, p->length)
// adc: lanes(value, jac)
static void spring(const Spring *p, const double xa[3], const double xb[3], const double va[3],
                   const double vb[3], double f[3]) {
    double d[3], v[3];
    for (int i = 0; i < 3; i++) {
        d[i] = xb[i] - xa[i];
        v[i] = vb[i] - va[i];
    }
    const double l = sqrt(dot3(d, d));
    const double rate = dot3(d, v) / l;
    const double force = p->stiffness * (l - p->length) + p->damping * rate;
    for (int i = 0; i < 3; i++) f[i] = force * d[i] / l;
}
// end kernel
#include "spring.adc.h"
