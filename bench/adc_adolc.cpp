// adc_adolc.cpp - the same kernels through ADOL-C: one tape, then its dense Jacobian
#include <adolc/adolc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

typedef double Real;

// the text of the kernels with double = adouble; C++ has no restrict
#define restrict
#define double adouble
#include "ancf.c"
#include "beam.c"
#include "revolute.c"
#include "spring.c"
#undef double

extern "C" {
#include "adc_case.h"
}

static double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void parameters(adouble *to, const Real *x, int n) {
    for (int i = 0; i < n; i++) to[i] = x[i];
}

static int evaluate(const char *name, const Real *x, adouble *z, adouble *y) {
    if (strcmp(name, "revolute") == 0 || strcmp(name, "reaction") == 0) {
        Revolute p;
        parameters(p.sa, x, 3), parameters(p.sb, x + 3, 3), parameters(p.xa, x + 6, 3);
        parameters(p.ya, x + 9, 3), parameters(p.zb, x + 12, 3);
        if (name[2] == 'v') {
            revolute(&p, z + 15, z + 18, z + 22, z + 25, z + 28, z + 32, y);
            return 5;
        }
        revolute_react(&p, z + 15, z + 18, z + 22, z + 25, z + 28, z + 32, z + 35, y);
        return 12;
    }
    if (strcmp(name, "spring") == 0) {
        Spring p;
        p.stiffness = x[0], p.damping = x[1], p.length = x[2];
        spring(&p, z + 3, z + 6, z + 9, z + 12, y);
        return 3;
    }
    if (strcmp(name, "ancf") == 0) {
        Cable p;
        p.length = x[0], p.axial = x[1], p.bending = x[2];
        ancf(&p, z + 3, y);
        return 12;
    }
    if (strcmp(name, "beam") == 0) {
        Beam p;
        p.length = x[0];
        parameters(p.axis, x + 1, 3), parameters(p.stiffness, x + 4, 6);
        beam_force(&p, z + 10, z + 13, z + 16, z + 19, y);
        return 12;
    }
    return 0;
}

static const int *directions(const char *name) {
    static const int hinged[12] = {15, 16, 17, 22, 23, 24, 25, 26, 27, 32, 33, 34};
    static const int three[12] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    static const int ten[12] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};
    return name[0] == 'r' ? hinged : name[0] == 'b' ? ten : three;
}

extern "C" double adc_adolc_ns(const char *name, const Real *x, int repeat) {
    const int tag = 1, *dirs = directions(name);
    if (strcmp(name, "hinge") == 0) return -1;
    adouble z[ADC_MAX_X], y[ADC_MAX_Y];
    Real in[ADC_NDIR], result;
    trace_on(tag);
    for (int i = 0; i < ADC_MAX_X; i++) z[i] = x[i];
    for (int j = 0; j < ADC_NDIR; j++) z[dirs[j]] <<= (in[j] = x[dirs[j]]);
    const int ny = evaluate(name, x, z, y);
    for (int i = 0; i < ny; i++) y[i] >>= result;
    trace_off();
    Real **jac = myalloc2(ny, ADC_NDIR);
    std::vector<Real> times;
    for (int run = 0; run < repeat; run++) {
        const Real start = now();
        for (int k = 0; k < 20; k++) jacobian(tag, ny, ADC_NDIR, in, jac);
        times.push_back((now() - start) / 20);
    }
    myfree2(jac);
    std::nth_element(times.begin(), times.begin() + repeat / 2, times.end());
    return times[repeat / 2];
}
