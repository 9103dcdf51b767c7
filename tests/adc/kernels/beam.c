// beam.c - geometrically exact beam: 2 nodes with displacement and rotation vector, one Gauss point
//
// Energy U = L/2 e^T C e of the strains e = (R(t)^T r' - r'_0, T(t) t'); elastic forces are its
// gradient, the stiffness its second derivative.
// T = 1 - (1 - cos a)/a^2 [t] + (a - sin a)/a^3 [t][t].  Simo & Vu-Quoc, CMAME 58 (1986).
#include "vec.h"

typedef struct Beam {
    double length, axis[3], stiffness[6];
} Beam;

// kernel
static void beam_strain(const Beam *p, const double u1[3], const double t1[3], const double u2[3],
                        const double t2[3], double e[6]) {
    const double L = p->length;
    double r[3], t[3], dt[3], q[4], R[9], g[3], c[3], cc[3];
    for (int i = 0; i < 3; i++) {
        r[i] = p->axis[i] + (u2[i] - u1[i]) / L;
        t[i] = 0.5 * (t1[i] + t2[i]);
        dt[i] = (t2[i] - t1[i]) / L;
    }
    quat_exp(t, q);
    quat_matrix(q, R);
    mat3_tmul_vec(R, r, g);
    for (int i = 0; i < 3; i++) e[i] = g[i] - p->axis[i];
    const double a2 = dot3(t, t);
    double k1, k2;
    if (a2 < 1e-3) {
        k1 = 0.5 - a2 / 24 + a2 * a2 / 720 - a2 * a2 * a2 / 40320 + a2 * a2 * a2 * a2 / 3628800;
        k2 = 1.0 / 6 - a2 / 120 + a2 * a2 / 5040 - a2 * a2 * a2 / 362880 +
             a2 * a2 * a2 * a2 / 39916800;
    } else {
        const double a = sqrt(a2);
        k1 = (1 - cos(a)) / a2;
        k2 = (a - sin(a)) / (a * a2);
    }
    cross3(t, dt, c);
    cross3(t, c, cc);
    for (int i = 0; i < 3; i++) e[3 + i] = dt[i] - k1 * c[i] + k2 * cc[i];
}

// adc: force = gradient(beam; u1, t1, u2, t2)
// adc: jac = jacobian(force; u1, t1, u2, t2)
// adc: lanes(force, jac)
static double beam(const Beam *p, const double u1[3], const double t1[3], const double u2[3],
                   const double t2[3]) {
    double e[6], energy = 0;
    beam_strain(p, u1, t1, u2, t2, e);
    for (int i = 0; i < 6; i++) energy += p->stiffness[i] * e[i] * e[i];
    return 0.5 * p->length * energy;
}
// end kernel
#include "beam.adc.h"
