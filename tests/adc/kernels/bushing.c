// bushing.c - six-component bushing: relative translation and rotation vector, each with stiffness
// and damping
//
// f = -K x - D x',  x = A^T (p_b - p_a),  m = -K_r th - D_r w,  th = log(A^T B)
#include "frame.h"

typedef struct Bushing {
    double stiffness[6], damping[6];
} Bushing;

// kernel
// rotation vector of a rotation matrix, away from half a turn
static void rotation_vector(const double R[9], double th[3]) {
    const double c = 0.5 * (R[0] + R[4] + R[8] - 1);
    const double v[3] = {0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1])};
    const double s2 = dot3(v, v);
    double k;
    if (s2 < 1e-4) {
        k = 1 + s2 / 6 + 3 * s2 * s2 / 40 + 5 * s2 * s2 * s2 / 112 + 35 * s2 * s2 * s2 * s2 / 1152;
    } else {
        const double s = sqrt(s2);
        k = atan2(s, c) / s;
    }
    for (int i = 0; i < 3; i++) th[i] = k * v[i];
}

// adc: value = value(f)
// adc: jac = jacobian(f; a, b, va, vb)
// adc: par = jacobian(f; p->stiffness, p->damping)
// adc: lanes(jac)
static void bushing(const Bushing *p, const Frame *a, const Frame *b, const double va[6],
                    const double vb[6], double f[6]) {
    double d[3], x[3], dv[3], xd[3], C[9], th[3], w[3];
    for (int i = 0; i < 3; i++) {
        d[i] = b->p[i] - a->p[i];
        dv[i] = vb[i] - va[i];
    }
    mat3_tmul_vec(a->R, d, x);
    mat3_tmul_vec(a->R, dv, xd);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double s = 0;
            for (int k = 0; k < 3; k++) s += a->R[3 * k + i] * b->R[3 * k + j];
            C[3 * i + j] = s;
        }
    }
    rotation_vector(C, th);
    mat3_mul_vec(C, &vb[3], w);
    for (int i = 0; i < 3; i++) {
        f[i] = -p->stiffness[i] * x[i] - p->damping[i] * xd[i];
        f[3 + i] = -p->stiffness[3 + i] * th[i] - p->damping[3 + i] * (w[i] - va[3 + i]);
    }
}
// end kernel
#include "bushing.adc.h"
