// angle.h - the functions of the squared angle that exp, log and their tangents are made of
//
// With x = theta^2 and g = (theta/2) cot(theta/2):
//
//   rot_a = sin(theta)/theta
//   rot_b = (1 - cos(theta))/x                     rot_b1 = d rot_b/dx
//   rot_c = (theta - sin(theta))/theta^3           rot_c1 = d rot_c/dx
//   rot_d = (1 - g)/x                              rot_d1 = d rot_d/dx
//   rot_t = atan(sqrt(x))/sqrt(x)
//
// All are smooth functions of x, so no square root is differentiated at 0, by adc or by hand.
//
// a, b, c for x < 4: twelve terms, a_n = (-1)^n/(2n+1)!, b_n over (2n+2)!, c_n over (2n+3)!. The
//   first term left out is 4^12/25! = 1e-18 in a and 12 4^11/26! = 1e-19 in b1, below an ulp also
//   in the second derivatives. For x >= 4 the closed forms lose little: the factor of cancellation
//   is 8 in c1 = (b - 3c)/2x at x = 4; at x = 1 it is 30 on top of 6 in c, which would miss 1e-14.
//   b has none, as 1 - cos(theta) = 2 sin^2(theta/2).
// d for x <= pi^2: 1 - g is 2x times the sum over k >= 1 of 1/(4 pi^2 k^2 - x). The pole k = 1
//   stands as it is; the rest is a series of ratio x/(16 pi^2) <= 1/16 with positive coefficients
//   e_n = 2 (zeta(2n+2) - 1)/(2 pi)^(2n+2); fifteen terms leave 15 e_15 x^14 = 2e-20 out of
//   d1 = 2e-3. Nothing cancels up to pi, where the closed form takes over; its 1 - g >= 1
//   and its d1 loses a factor of 5.
// t for x < 1/16: fourteen terms 1 - x/3 + x^2/5 ...; the first left out is 16^-14/29 = 5e-19. The
//   closed form is good down to 0; its derivative loses 3/x, 48 at the switch point.
//
// Measured relative errors: 4e-16, but 1.5e-15 in d1 and 4e-15 in c1 (tests/math/test_so3.c).
// d has poles at theta = 2 pi, 4 pi, ...: no tangent inverse exists there.
// Mueller, Screw and Lie group theory in multibody kinematics, Multibody Syst. Dyn. 43 (2018).
#ifndef CARDAN_MATH_ANGLE_H
#define CARDAN_MATH_ANGLE_H

#include <math.h>

// kernel
static const double rot_a_series[12] = {
    1.0,
    -0.16666666666666666,
    0.008333333333333333,
    -0.0001984126984126984,
    2.7557319223985893e-06,
    -2.505210838544172e-08,
    1.6059043836821613e-10,
    -7.647163731819816e-13,
    2.8114572543455206e-15,
    -8.22063524662433e-18,
    1.9572941063391263e-20,
    -3.868170170630684e-23,
};

static const double rot_b_series[12] = {
    0.5,
    -0.041666666666666664,
    0.001388888888888889,
    -2.48015873015873e-05,
    2.755731922398589e-07,
    -2.08767569878681e-09,
    1.1470745597729725e-11,
    -4.779477332387385e-14,
    1.5619206968586225e-16,
    -4.110317623312165e-19,
    8.896791392450574e-22,
    -1.6117375710961184e-24,
};

static const double rot_c_series[12] = {
    0.16666666666666666,   -0.008333333333333333,   0.0001984126984126984, -2.7557319223985893e-06,
    2.505210838544172e-08, -1.6059043836821613e-10, 7.647163731819816e-13, -2.8114572543455206e-15,
    8.22063524662433e-18,  -1.9572941063391263e-20, 3.868170170630684e-23, -6.446950284384474e-26,
};

static const double rot_d_series[15] = {
    0.03267274151216445,    0.000105641107053347,   5.637370282876845e-07,  3.357141926657451e-09,
    2.0742872904166045e-11, 1.3000482138698975e-13, 8.196052055691008e-16,  5.180118196169724e-18,
    3.277539174701792e-20,  2.0747401878593604e-22, 1.3136241807166534e-24, 8.318003195189264e-27,
    5.267262996834231e-29,  3.3354842988221443e-31, 2.1122063323183885e-33,
};

static const double rot_t_series[14] = {
    1.0,
    -0.3333333333333333,
    0.2,
    -0.14285714285714285,
    0.1111111111111111,
    -0.09090909090909091,
    0.07692307692307693,
    -0.06666666666666667,
    0.058823529411764705,
    -0.05263157894736842,
    0.047619047619047616,
    -0.043478260869565216,
    0.04,
    -0.037037037037037035,
};

// switch points in x, and the pole of d nearest to 0
static const double rot_limits[4] = {
    4.0,                // a, b, c: series below
    9.869604401089358,  // d: pole and series below, pi^2
    0.0625,             // t: series below
    39.478417604357434, // 4 pi^2
};

static inline double rot_a(double x) {
    double f;
    if (x < rot_limits[0]) {
        f = rot_a_series[11];
        for (int i = 10; i >= 0; i--) f = f * x + rot_a_series[i];
    } else {
        const double theta = sqrt(x);
        f = sin(theta) / theta;
    }
    return f;
}

static inline double rot_b(double x) {
    double f;
    if (x < rot_limits[0]) {
        f = rot_b_series[11];
        for (int i = 10; i >= 0; i--) f = f * x + rot_b_series[i];
    } else {
        const double s = sin(0.5 * sqrt(x));
        f = 2 * s * s / x;
    }
    return f;
}

static inline double rot_c(double x) {
    double f;
    if (x < rot_limits[0]) {
        f = rot_c_series[11];
        for (int i = 10; i >= 0; i--) f = f * x + rot_c_series[i];
    } else {
        const double theta = sqrt(x);
        f = (theta - sin(theta)) / (x * theta);
    }
    return f;
}

static inline double rot_d(double x) {
    double f;
    if (x <= rot_limits[1]) {
        f = rot_d_series[14];
        for (int i = 13; i >= 0; i--) f = f * x + rot_d_series[i];
        f = f + 2 / (rot_limits[3] - x);
    } else {
        const double h = 0.5 * sqrt(x);
        f = (1 - h * cos(h) / sin(h)) / x;
    }
    return f;
}

static inline double rot_b1(double x) {
    double f;
    if (x < rot_limits[0]) {
        f = 11 * rot_b_series[11];
        for (int i = 10; i >= 1; i--) f = f * x + i * rot_b_series[i];
    } else {
        f = (rot_a(x) - 2 * rot_b(x)) / (2 * x);
    }
    return f;
}

static inline double rot_c1(double x) {
    double f;
    if (x < rot_limits[0]) {
        f = 11 * rot_c_series[11];
        for (int i = 10; i >= 1; i--) f = f * x + i * rot_c_series[i];
    } else {
        f = (rot_b(x) - 3 * rot_c(x)) / (2 * x);
    }
    return f;
}

// closed form: with 1/(4b) = x/(8 sin^2(theta/2)), d1 = (g/2 - 1 + 1/(4b))/x^2
static inline double rot_d1(double x) {
    double f;
    if (x <= rot_limits[1]) {
        const double pole = rot_limits[3] - x;
        f = 14 * rot_d_series[14];
        for (int i = 13; i >= 1; i--) f = f * x + i * rot_d_series[i];
        f = f + 2 / (pole * pole);
    } else {
        const double h = 0.5 * sqrt(x);
        const double g = h * cos(h) / sin(h);
        f = (0.5 * g - 1 + 0.25 / rot_b(x)) / (x * x);
    }
    return f;
}

static inline double rot_t(double x) {
    double f;
    if (x < rot_limits[2]) {
        f = rot_t_series[13];
        for (int i = 12; i >= 0; i--) f = f * x + rot_t_series[i];
    } else {
        const double r = sqrt(x);
        f = atan(r) / r;
    }
    return f;
}
// end kernel

#endif
