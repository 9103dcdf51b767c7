// ancf.c - elastic forces of the 3D ANCF cable element: 2 nodes with position and slope
//
// f = integral EA eps eps_e + EI kappa kappa_e, eps = (r'.r' - 1)/2, kappa = |r' x r''|/|r'|^3,
// by 5 Gauss points. Gerstmayr & Shabana, Nonlinear Dynamics 45 (2006).
#include "vec.h"

typedef struct Cable {
    double length, axial, bending;
} Cable;

// kernel
enum { NGAUSS = 5 };
static const double gauss_x[5] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                  0.9061798459386640};
static const double gauss_w[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                  0.4786286704993665, 0.2369268850561891};

// adc: value = value(f)
// adc: jac = jacobian(f; e)
// adc: lanes(value, jac)
static void ancf(const Cable *p, const double e[12], double f[12]) {
    const double L = p->length;
    for (int i = 0; i < 12; i++) f[i] = 0;
    for (int g = 0; g < NGAUSS; g++) {
        const double x = 0.5 * (gauss_x[g] + 1), w = 0.5 * L * gauss_w[g];
        double s1[4], s2[4], r1[3], r2[3], v[3], a[3], b[3];
        s1[0] = (6 * x * x - 6 * x) / L;
        s1[1] = 1 - 4 * x + 3 * x * x;
        s1[2] = (6 * x - 6 * x * x) / L;
        s1[3] = 3 * x * x - 2 * x;
        s2[0] = (12 * x - 6) / (L * L);
        s2[1] = (6 * x - 4) / L;
        s2[2] = (6 - 12 * x) / (L * L);
        s2[3] = (6 * x - 2) / L;
        for (int i = 0; i < 3; i++) {
            r1[i] = s1[0] * e[i] + s1[1] * e[3 + i] + s1[2] * e[6 + i] + s1[3] * e[9 + i];
            r2[i] = s2[0] * e[i] + s2[1] * e[3 + i] + s2[2] * e[6 + i] + s2[3] * e[9 + i];
        }
        const double n2 = dot3(r1, r1);
        const double strain = 0.5 * (n2 - 1);
        cross3(r1, r2, v);
        cross3(r2, v, a);
        cross3(v, r1, b);
        const double k2 = dot3(v, v);
        const double bend = p->bending / (n2 * n2 * n2);
        const double along = p->axial * strain - 3 * bend * k2 / n2;
        for (int i = 0; i < 3; i++) {
            const double fa = w * (along * r1[i] + bend * a[i]), fb = w * bend * b[i];
            for (int n = 0; n < 4; n++) f[3 * n + i] += s1[n] * fa + s2[n] * fb;
        }
    }
}
// end kernel
#include "ancf.adc.h"
