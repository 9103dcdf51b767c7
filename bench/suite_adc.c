// suite_adc.c - what a Jacobian costs: adc against values, differences, complex step and ADOL-C
//
// 64 items that stay in the cache; every figure is the median of interleaved runs, in nanoseconds
// per item. Jacobians have 12 columns. Lanes: eight items at a time, data resident in tiles. The
// hinge is derived in increments of its frames at zero; its differences move 12 of the 24 numbers
// of its two frames, and neither complex step nor ADOL-C is made for it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adc_case.h"
#include "base/clock.h"
#include "base/isa.h"
#include "bench.h"

enum { MAX_RUNS = 101 };

typedef enum Column { VALUE, JACOBIAN, LANES, CENTRAL, COMPLEX, ADOLC, NCOLUMN } Column;

static double item[ADC_ITEMS][ADC_MAX_X], tile[ADC_ITEMS / 8][8 * ADC_MAX_X];
static double out[8 * ADC_MAX_Y], jac[8 * ADC_MAX_Y * ADC_NDIR];
static volatile double sink;

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

static void measure(const AdcCase *c, int runs, int repeat, double ns[NCOLUMN]) {
    static double times[NCOLUMN][MAX_RUNS];
    fill(c);
    for (int run = -1; run < runs; run++) { // the first warms up
        for (int column = VALUE; column <= COMPLEX; column++) {
            if (column == COMPLEX && !c->complex_value) continue;
            const int times_over = column < CENTRAL ? repeat : 1 + repeat / 10;
            const int64_t start = cdi_clock_ns();
            for (int k = 0; k < times_over; k++) sweep(c, (Column)column);
            const double t = (double)(cdi_clock_ns() - start) / (times_over * ADC_ITEMS);
            if (run >= 0) times[column][run] = t;
        }
    }
    for (int column = VALUE; column <= COMPLEX; column++) {
        ns[column] = bench_median(times[column], (size_t)runs);
    }
    if (!c->complex_value) ns[COMPLEX] = NAN;
    ns[ADOLC] = adc_adolc_ns(c->name, item[0], runs);
    if (ns[ADOLC] < 0) ns[ADOLC] = NAN;
}

static const char explanation[] =
    "A kernel is one law in plain C. adc writes its value and exact Jacobian as one C function:\n"
    "jacobian is what that costs, beside the value alone and beside the same Jacobian by central\n"
    "differences (24 values, half of the digits), complex step (12 values in complex numbers) and\n"
    "ADOL-C (a tape). lanes is the same function for eight items in vector registers, per item.\n"
    "Low is good in jacobian/value and lanes/value, high in central/jacobian and central/lanes.\n";

// ratios of the same run: these compare, nanoseconds of two runs do not
static void print_ratios(const BenchRow *rows, size_t nrows) {
    BenchRow ratios[ADC_NCASE];
    for (size_t i = 0; i < nrows; i++) {
        const double *ns = rows[i].v;
        ratios[i] = (BenchRow){rows[i].text,
                               {ns[JACOBIAN] / ns[VALUE], ns[LANES] / ns[VALUE],
                                ns[CENTRAL] / ns[JACOBIAN], ns[CENTRAL] / ns[LANES]}};
    }
    BenchTable table = {
        .about = explanation,
        .columns = {"kernel", "jac/value", "lanes/value", "central/jac", "central/lanes"},
        .rows = ratios,
        .nrows = nrows,
    };
    bench_print(&table, false);
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
    BenchOptions options;
    if (!bench_options(argc, argv, &options)) return 2;
    const int runs = options.quick ? 5 : 31, repeat = options.quick ? 20 : 200;
    const AdcCase *cases = pick();
    BenchRow rows[ADC_NCASE];
    for (int i = 0; i < ADC_NCASE; i++) {
        rows[i].text = cases[i].name;
        measure(&cases[i], runs, repeat, rows[i].v);
    }
    char about[100];
    snprintf(about, sizeof about, "nanoseconds per item on %s, medians of %d interleaved runs",
             cdi_isa_name(cdi_isa()), runs);
    BenchTable table = {
        .about = about,
        .columns = {"kernel", "value_ns", "jacobian_ns", "lanes_jacobian_ns", "central_ns",
                    "complex_ns", "adolc_ns"},
        .rows = rows,
        .nrows = ADC_NCASE,
    };
    bench_print(&table, options.json);
    if (!options.json) {
        printf("\n");
        print_ratios(rows, ADC_NCASE);
    }
    return 0;
}
