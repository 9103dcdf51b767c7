// andrews.c - Andrews' squeezing mechanism: seven bodies in seven angles, six constraints, index 3
//
//   q = (beta, theta, gamma, phi, delta, omega, epsilon)
//   0 = crank + rod - pin: three loops, each of two rows
//
// driven by a constant moment on the crank, held by one spring. The mass matrix and all derivatives
// have four blocks: (beta, theta), (gamma), (phi, delta), (omega, epsilon).
// Hairer & Wanner, Solving Ordinary Differential Equations II, VII.7. The end values are of an
// extrapolation of order 14 in long double; those of the Test Set differ by 1e-9.

#include <math.h>

#include "ivp.h"

enum { BE, TH, GA, PH, DE, OM, EP, ANGLES };

#define T_END 0.03
#define MOMENT 0.033
#define STIFFNESS 4530
#define SPRING 0.07785
// m, I: masses and moments of inertia of the bodies 1 to 7
static const double m[] = {0, 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
static const double I[] = {0, 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
// fixed points A, B, C
static const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273;
static const double xc = 0.014, yc = 0.072;
// lengths, named as in the literature
static const double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
static const double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02;
static const double ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449;
static const double zf = 0.02, zt = 0.04, fa = 0.01421;

static double sqr(double x) {
    return x * x;
}

// by columns, within the blocks
static CdStatus mass(void *data, const CdPoint *at, double *M) {
    (void)data;
    const double *q = at->q, ee = e - ea, ff = zf - fa;
    const double a = da * rr * cos(q[TH]), b = zt * ee * sin(q[PH]), c = u * ff * sin(q[OM]);
    M[0] = m[1] * ra * ra + m[2] * (rr * rr - 2 * a + da * da) + I[1] + I[2];
    M[1] = M[2] = m[2] * (da * da - a) + I[2];
    M[3] = m[2] * da * da + I[2];
    M[4] = m[3] * (sa * sa + sb * sb) + I[3];
    M[5] = m[4] * ee * ee + I[4];
    M[6] = M[7] = m[4] * (ee * ee + b) + I[4];
    M[8] = m[4] * (zt * zt + 2 * b + ee * ee) + m[5] * (ta * ta + tb * tb) + I[4] + I[5];
    M[9] = m[6] * ff * ff + I[6];
    M[10] = M[11] = m[6] * (ff * ff - c) + I[6];
    M[12] = m[6] * (ff * ff - 2 * c + u * u) + m[7] * (ua * ua + ub * ub) + I[6] + I[7];
    return CD_OK;
}

static double spring_moment(double ga) {
    const double s = sin(ga), c = cos(ga);
    const double dx = sd * c + sc * s + xb - xc, dy = sd * s - sc * c + yb - yc;
    const double length = hypot(dx, dy), f = -STIFFNESS * (length - SPRING) / length;
    return f * (dx * (sc * c - sd * s) + dy * (sd * c + sc * s));
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double *q = at->q, *v = at->v;
    const double a = m[2] * da * rr * sin(q[TH]), b = m[4] * zt * (e - ea) * cos(q[PH]);
    const double c = m[6] * u * (zf - fa) * cos(q[OM]);
    f[BE] = MOMENT - a * v[TH] * (v[TH] + 2 * v[BE]);
    f[TH] = a * sqr(v[BE]);
    f[GA] = spring_moment(q[GA]);
    f[PH] = b * sqr(v[DE]);
    f[DE] = -b * v[PH] * (v[PH] + 2 * v[DE]);
    f[OM] = -c * sqr(v[EP]);
    f[EP] = c * v[OM] * (v[OM] + 2 * v[EP]);
    return CD_OK;
}

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    const double *q = at->q, bt = q[BE] + q[TH], pd = q[PH] + q[DE], oe = q[OM] + q[EP];
    const double x = rr * cos(q[BE]) - d * cos(bt), y = rr * sin(q[BE]) - d * sin(bt);
    g[0] = x - ss * sin(q[GA]) - xb;
    g[1] = y + ss * cos(q[GA]) - yb;
    g[2] = x - e * sin(pd) - zt * cos(q[DE]) - xa;
    g[3] = y + e * cos(pd) - zt * sin(q[DE]) - ya;
    g[4] = x - zf * cos(oe) - u * sin(q[EP]) - xa;
    g[5] = y - zf * sin(oe) + u * cos(q[EP]) - ya;
    return CD_OK;
}

static CdStatus jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    const double *q = at->q, bt = q[BE] + q[TH], pd = q[PH] + q[DE], oe = q[OM] + q[EP];
    for (int i = 0; i < 6; i += 2) {
        J[6 + i] = d * sin(bt);
        J[7 + i] = -d * cos(bt);
        J[i] = J[6 + i] - rr * sin(q[BE]);
        J[i + 1] = J[7 + i] + rr * cos(q[BE]);
    }
    double *loop = J + 12;
    const double loops[] = {-ss * cos(q[GA]),
                            -ss * sin(q[GA]),
                            -e * cos(pd),
                            -e * sin(pd),
                            -e * cos(pd) + zt * sin(q[DE]),
                            -e * sin(pd) - zt * cos(q[DE]),
                            zf * sin(oe),
                            -zf * cos(oe),
                            zf * sin(oe) - u * cos(q[EP]),
                            -zf * cos(oe) - u * sin(q[EP])};
    for (int i = 0; i < 10; i++) loop[i] = loops[i];
    return CD_OK;
}

static CdStatus velocity_terms(void *data, const CdPoint *at, double *terms) {
    (void)data, (void)at;
    for (int i = 0; i < 6; i++) terms[i] = 0;
    return CD_OK;
}

// second derivatives of the constraint along v
static CdStatus acceleration_terms(void *data, const CdPoint *at, double *gamma) {
    (void)data;
    const double *q = at->q, *v = at->v;
    const double bt = q[BE] + q[TH], pd = q[PH] + q[DE], oe = q[OM] + q[EP];
    const double vbt = sqr(v[BE] + v[TH]), vpd = sqr(v[PH] + v[DE]), voe = sqr(v[OM] + v[EP]);
    const double vb = sqr(v[BE]), vg = sqr(v[GA]), vd = sqr(v[DE]), ve = sqr(v[EP]);
    const double x = -rr * cos(q[BE]) * vb + d * cos(bt) * vbt;
    const double y = -rr * sin(q[BE]) * vb + d * sin(bt) * vbt;
    gamma[0] = x + ss * sin(q[GA]) * vg;
    gamma[1] = y - ss * cos(q[GA]) * vg;
    gamma[2] = x + e * sin(pd) * vpd + zt * cos(q[DE]) * vd;
    gamma[3] = y - e * cos(pd) * vpd + zt * sin(q[DE]) * vd;
    gamma[4] = x + zf * cos(oe) * voe + u * sin(q[EP]) * ve;
    gamma[5] = y + zf * sin(oe) * voe - u * cos(q[EP]) * ve;
    return CD_OK;
}

static const int ptr[] = {0, 2, 4, 5, 7, 9, 11, 13};
static const int row[] = {BE, TH, BE, TH, GA, PH, DE, PH, DE, OM, EP, OM, EP};
static const int loop_ptr[] = {0, 6, 12, 14, 16, 18, 20, 22};
static const int loop_row[] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5};

static const double q0[] = {-0.0617138900142764496, 0,
                            0.455279819163070380,   0.222668390165885885,
                            0.487364979543842550,   -0.222668390165885885,
                            1.23054744454982119};
static const double v0[ANGLES] = {0};
static const double q_end[] = {1.58107711951537074e+01, -1.57563710584118399e+01,
                               4.08222401196458083e-02, -5.34730116342079588e-01,
                               5.24409965879954069e-01, 5.34730116342079588e-01,
                               1.04808074104193787e+00};
static const double v_end[] = {1.13992030225910616e+03, -1.42437929517754019e+03,
                               1.10329119106186944e+01, 1.92933741050322168e+01,
                               5.73569914829507653e-01, -1.92933741050322168e+01,
                               3.23179149249133927e-01};
static const double lambda_end[] = {1.99175348104538649e+02, -2.97553099749717971e+01,
                                    2.30665436116221538e+01, 3.1452725275771136e+01,
                                    2.26424947863943814e+01, 1.16173923526112672e+01};

const IvpProblem ivp_andrews = {
    .name = "andrews",
    .doc = "Andrews' squeezing mechanism",
    .source = "Hairer and Wanner, volume II, VII.7; end values in long double",
    .problem = {.name = "andrews",
                .nv = ANGLES,
                .ng = 6,
                .force = force,
                .mass = mass,
                .constraint = constraint,
                .constraint_jacobian = jacobian,
                .constraint_sparsity = {loop_ptr, loop_row},
                .velocity_terms = velocity_terms,
                .acceleration_terms = acceleration_terms,
                .sparsity = {ptr, row}},
    .t_end = T_END,
    .q0 = q0,
    .v0 = v0,
    .end = {.t = T_END, .q = q_end, .v = v_end, .lambda = lambda_end, .accuracy = 1e-13},
};
