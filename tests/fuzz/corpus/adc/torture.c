// torture.c - every construct of the subset and every derivative rule at least once
#include <math.h>

typedef struct Inner {
    double k[2], m;
} Inner;

typedef struct Torture {
    double a, b[2];
    Inner in;
    int count; // not for kernels
    Inner more[2];
} Torture;

// kernel
#define NX 6
enum { HALF = NX / 2, STEP = 2 };
static const double weight[2][3] = {{1, -0.5, 0.25}, {0.125, 2e-1, -1}};

static double power(double x, int n) {
    double y = 1;
    for (int i = n; i > 0; i -= 1) y *= x;
    return y;
}

static void twist(const double x[3], double scale, Inner *to) {
    to->k[0] = x[0] * x[1] * scale;
    to->k[1] = x[2] / (1 + x[0] * x[0]);
    to->m = -x[1];
}

static void swap_in_place(const double a[2], double b[2]) {
    const double t = a[0];
    b[0] = a[1];
    b[1] = t;
}

// adc: value = value(y)
// adc: jac = jacobian(y; x, s)
// adc: grad = transpose(y; x, s)
// adc: grad_jac = jacobian(grad; x, s)
// adc: par = jacobian(y; p->a, p->b)
// adc: lanes(value, jac)
static void torture(const Torture *p, const double x[NX], double s, double y[24]) {
    double z[2][3], pair[2] = {x[0], 2};
    Inner local;
    int n = 0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < HALF; ++j) {
            z[i][j] = weight[i][j] * x[(i * 3 + j) % NX];
            if (i == j && j != 1) z[i][j] += s;
            n += 1;
        }
    }
    twist(z[0], p->in.m, &local);
    swap_in_place(pair, pair);
    y[0] = sqrt(1 + z[0][0] * z[0][0]) - +x[1];
    y[1] = sin(x[0] * x[1]) + cos(z[1][2]);
    y[2] = tan(0.3 * x[2]);
    y[3] = asin(0.4 * x[3]) * acos(0.3 * x[4]);
    y[4] = atan(x[5]) / (2 + x[0] * x[0]);
    y[5] = atan2(x[1], 3 + x[2]);
    y[6] = exp(0.5 * x[0]) * log(3 + x[1]);
    y[7] = pow(2 + x[2], x[3]) + pow(x[4], 2) + pow(x[5], 3) + pow(x[0], 1) + pow(2 + x[1], 2.5);
    y[8] = fabs(x[0] - 0.1) + fabs(x[1] + 0.1);
    y[9] = fmin(x[0], x[1]) + fmax(x[2] * x[3], x[4]);
    y[10] = hypot(1 + x[0], x[1]);
    y[11] = sinh(x[2]) + cosh(x[3]) * tanh(x[4]);
    y[12] = 2 * (x[0] / 3) + 1 / 2 + 7 % 4 + n / 4;
    y[13] = p->a * local.k[0] + p->b[1] * local.k[1] - local.m / p->more[1].k[0];
    y[14] = power(x[0], 3) - power(x[1], STEP + 2);
    y[15] = x[0] < 0 ? x[1] * s : (x[2] > 0 ? x[3] : -x[3] * x[3]);
    double t = x[4];
    t *= x[5];
    t -= s;
    t /= 2 + x[0] * x[0];
    t += p->in.k[1];
    y[16] = t;
    y[17] = pair[0] * pair[1];
    double u, w = 0;
    if ((x[0] > x[1] && !(x[2] == x[3])) || x[4] < -0.9) {
        u = x[5] * x[5];
        if (u >= 0.04) {
            w = sqrt(u) * s;
        } else if (s != 0.25) {
            w = 5 * u * u;
        }
    } else {
        u = exp(-x[5]);
        for (int k = 4; k >= 2; k -= STEP) u += k * x[0];
    }
    y[18] = u * w + (double)HALF;
    y[19] = u - w;
    y[20] = 0;
    y[21] = s * s;
    const double root = sqrt(x[0] * x[0] + x[1] * x[1]);
    double v;
    if (root < 1e-3)
        v = 1 - (x[0] * x[0] + x[1] * x[1]) / 6;
    else
        v = sin(root) / root;
    y[22] = v;
    y[23] = -(-(x[0] - x[1])) * (x[1] - x[0]) / -x[2] - (-s) - -2.0 * x[3];
}
// end kernel
#include "torture.adc.h"
