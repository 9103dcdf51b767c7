// suite_adc.c - what a Jacobian costs: adc against its own value, differences, complex step and
// ADOL-C
//
//   suite_adc [--json] [--quick]
//
// 64 items that stay in the cache; every figure is the median of interleaved runs, in nanoseconds
// per item. Jacobians have 12 columns. Lanes: eight items at a time, data resident in tiles. The
// hinge is derived in increments of its frames at zero; its differences move the frames' numbers,
// so they measure 12 of the 24 evaluations that a frame would need, and complex step is not made
// for it.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adc_case.h"
#include "base/isa.h"

enum { MAX_RUNS = 101 };

typedef enum Column { VALUE, JACOBIAN, LANES, CENTRAL, COMPLEX, ADOLC, NCOLUMN } Column;

static double item[ADC_ITEMS][ADC_MAX_X], tile[ADC_ITEMS / 8][8 * ADC_MAX_X];
static double out[8 * ADC_MAX_Y], jac[8 * ADC_MAX_Y * ADC_NDIR];
static volatile double sink;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double uniform(void) {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

static void fill(const AdcCase *c) {
    for (int i = 0; i < ADC_ITEMS; i++) {
        double *x = item[i];
        for (int k = 0; k < c->nx; k++) x[k] = uniform();
        for (int r = 0; r < 2 && c->rotation[r]; r++) {
            double *q = x + c->rotation[r];
            const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (int k = 0; k < 4; k++) q[k] /= n;
        }
        if (strcmp(c->name, "ancf") == 0) {
            for (int k = 3; k < 15; k++) x[k] *= 0.1;
            x[0] = 0.5, x[1] = 30, x[2] = 2, x[6] += 1, x[9] += 0.5, x[12] += 1;
        }
        if (strcmp(c->name, "beam") == 0) x[0] = 0.5, x[1] = 1, x[2] = x[3] = 0;
        for (int k = 0; k < c->nx; k++) tile[i / 8][8 * k + i % 8] = x[k];
    }
}

static void central(const AdcCase *c, double *x) {
    const double h = 1e-6;
    double lo[ADC_MAX_Y], hi[ADC_MAX_Y];
    for (int j = 0; j < ADC_NDIR; j++) {
        const double at = x[c->dirs[j]];
        x[c->dirs[j]] = at + h;
        c->value(x, hi);
        x[c->dirs[j]] = at - h;
        c->value(x, lo);
        x[c->dirs[j]] = at;
        for (int k = 0; k < c->ny; k++) jac[k * ADC_NDIR + j] = (hi[k] - lo[k]) / (2 * h);
    }
}

static void complex_step(const AdcCase *c, const double *x) {
    double slope[ADC_MAX_Y];
    for (int j = 0; j < ADC_NDIR; j++) {
        c->complex_value(x, c->dirs[j], slope);
        for (int k = 0; k < c->ny; k++) jac[k * ADC_NDIR + j] = slope[k];
    }
}

static void sweep(const AdcCase *c, Column column) {
    for (int i = 0; i < ADC_ITEMS; i++) {
        switch (column) {
        case VALUE: c->value(item[i], out); break;
        case JACOBIAN: c->jacobian(item[i], out, jac); break;
        case LANES:
            if (i % 8 == 0) c->lanes(tile[i / 8], out, jac);
            break;
        case CENTRAL: central(c, item[i]); break;
        default: complex_step(c, item[i]); break;
        }
    }
    sink = sink + jac[0] + out[0];
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n) {
    qsort(v, (size_t)n, sizeof *v, by_size);
    return v[n / 2];
}

static void measure(const AdcCase *c, int runs, int repeat, double ns[NCOLUMN]) {
    static double times[NCOLUMN][MAX_RUNS];
    fill(c);
    for (int run = -1; run < runs; run++) { // the first warms up
        for (int column = VALUE; column <= COMPLEX; column++) {
            if (column == COMPLEX && !c->complex_value) continue;
            const int times_over = column < CENTRAL ? repeat : 1 + repeat / 10;
            const double start = now();
            for (int k = 0; k < times_over; k++) sweep(c, (Column)column);
            const double t = (now() - start) / (times_over * ADC_ITEMS);
            if (run >= 0) times[column][run] = t;
        }
    }
    for (int column = VALUE; column <= COMPLEX; column++) ns[column] = median(times[column], runs);
    if (!c->complex_value) ns[COMPLEX] = -1;
    ns[ADOLC] = adc_adolc_ns(c->name, item[0], runs);
}

static void print_json(const AdcCase *c, const double ns[NCOLUMN], int last) {
    static const char *const keys[NCOLUMN] = {"value_ns",   "jacobian_ns", "lanes_jacobian_ns",
                                              "central_ns", "complex_ns",  "adolc_ns"};
    printf("  {\"kernel\": \"%s\"", c->name);
    for (int k = 0; k < NCOLUMN; k++) {
        if (ns[k] < 0) {
            printf(", \"%s\": null", keys[k]);
        } else {
            printf(", \"%s\": %.1f", keys[k], ns[k]);
        }
    }
    printf("}%s\n", last ? "" : ",");
}

static void print_row(const AdcCase *c, const double ns[NCOLUMN]) {
    printf("%-10s", c->name);
    for (int k = 0; k < NCOLUMN; k++) {
        if (ns[k] < 0) {
            printf("%10s", "-");
        } else {
            printf("%10.1f", ns[k]);
        }
    }
    printf(
        " | jacobian/value %5.2f  central/jacobian %5.1f  central/lanes %5.1f  lanes/value %5.2f\n",
        ns[JACOBIAN] / ns[VALUE], ns[CENTRAL] / ns[JACOBIAN], ns[CENTRAL] / ns[LANES],
        ns[LANES] / ns[VALUE]);
}

static const AdcCase *pick(void) {
    static const AdcCase *const tables[CD_NISA] = {ADC_TABLES};
    const AdcCase *best = tables[0];
    for (int i = 0; i < CD_NISA && i <= (int)cdi_isa(); i++) {
        if (tables[i]) best = tables[i];
    }
    return best;
}

int main(int argc, char **argv) {
    int json = 0, runs = 31, repeat = 200;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            json = 1;
        } else if (strcmp(argv[i], "--quick") == 0) {
            runs = 5, repeat = 20;
        } else {
            fprintf(stderr, "usage: suite_adc [--json] [--quick]\n");
            return 2;
        }
    }
    const AdcCase *cases = pick();
    if (json) {
        puts("[");
    } else {
        printf("adc: ns per item on %s, median of %d interleaved runs\n", cdi_isa_name(cdi_isa()),
               runs);
        printf("%-10s%10s%10s%10s%10s%10s%10s\n", "kernel", "value", "jacobian", "lanes", "central",
               "complex", "adolc");
    }
    for (int i = 0; i < ADC_NCASE; i++) {
        double ns[NCOLUMN];
        measure(&cases[i], runs, repeat, ns);
        if (json) {
            print_json(&cases[i], ns, i == ADC_NCASE - 1);
        } else {
            print_row(&cases[i], ns);
        }
    }
    if (json) puts("]");
    return 0;
}
