// bench.c - what the suites share: options, interleaved timing, percentiles, tables and JSON
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

bool bench_options(int argc, char **argv, BenchOptions *options) {
    *options = (BenchOptions){0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            options->json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            options->quick = true;
        } else {
            fprintf(stderr, "unknown option '%s'; there are --json and --quick\n", argv[i]);
            return false;
        }
    }
    return true;
}

const char *bench_only(int *argc, char **argv) {
    static const char key[] = "--only=";
    const char *only = "";
    int n = 0;
    for (int i = 0; i < *argc; i++) {
        if (i > 0 && strncmp(argv[i], key, sizeof key - 1) == 0) {
            only = argv[i] + sizeof key - 1;
        } else {
            argv[n++] = argv[i];
        }
    }
    *argc = n;
    return only;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool bench_is_only(const char *only, const char *name) {
    const size_t n = strlen(only);
    if (strncmp(only, name, n) != 0) return false;
    return n == 0 || !is_digit(only[n - 1]) || !is_digit(name[n]);
}

static void sample(BenchCase *c, BenchPlan plan) {
    struct timespec pause = {plan.settle_ms / 1000, plan.settle_ms % 1000 * 1000000L};
    nanosleep(&pause, NULL);
    for (int i = 0; i < plan.warmup; i++) c->run(c->user);
    for (int i = 0; i < plan.samples; i++) {
        int64_t start = cdi_clock_ns();
        c->run(c->user);
        c->us[c->n++] = 1e-3 * (double)(cdi_clock_ns() - start);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *v, size_t n) {
    qsort(v, n, sizeof(double), ascending);
    return bench_percentile(v, n, 50);
}

bool bench_interleave(BenchCase *cases, size_t ncases, BenchPlan plan) {
    for (size_t i = 0; i < ncases; i++) {
        cases[i].n = 0;
        cases[i].us = calloc((size_t)plan.rounds * (size_t)plan.samples, sizeof(double));
        if (!cases[i].us) return false;
    }
    for (int round = 0; round < plan.rounds; round++) {
        for (size_t i = 0; i < ncases; i++) sample(&cases[i], plan);
    }
    for (size_t i = 0; i < ncases; i++) qsort(cases[i].us, cases[i].n, sizeof(double), ascending);
    return true;
}

void bench_free(BenchCase *cases, size_t ncases) {
    for (size_t i = 0; i < ncases; i++) {
        free(cases[i].us);
        cases[i].us = NULL;
    }
}

double bench_percentile(const double *sorted, size_t n, double percent) {
    if (n == 0) return NAN;
    double at = percent / 100 * (double)(n - 1);
    size_t i = (size_t)at;
    if (i + 1 >= n) return sorted[n - 1];
    return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

static void print_json(const BenchTable *t) {
    printf("[");
    for (size_t i = 0; i < t->nrows; i++) {
        printf("%s\n  {\"%s\": \"%s\"", i ? "," : "", t->columns[0], t->rows[i].text);
        for (int k = 1; t->columns[k]; k++) {
            double x = t->rows[i].v[k - 1];
            if (isfinite(x)) {
                printf(", \"%s\": %.6g", t->columns[k], x);
            } else {
                printf(", \"%s\": null", t->columns[k]);
            }
        }
        printf("}");
    }
    printf("\n]\n");
}

static int column_width(const BenchTable *t, int k) {
    int n = (int)strlen(t->columns[k]);
    return n < 12 ? 12 : n;
}

static void print_text(const BenchTable *t) {
    printf("%s\n", t->about);
    int width = (int)strlen(t->columns[0]);
    for (size_t i = 0; i < t->nrows; i++) {
        int n = (int)strlen(t->rows[i].text);
        if (n > width) width = n;
    }
    printf("%-*s", width, t->columns[0]);
    for (int k = 1; t->columns[k]; k++) printf("  %*s", column_width(t, k), t->columns[k]);
    for (size_t i = 0; i < t->nrows; i++) {
        printf("\n%-*s", width, t->rows[i].text);
        for (int k = 1; t->columns[k]; k++) {
            double x = t->rows[i].v[k - 1];
            if (isfinite(x)) {
                printf("  %*.3f", column_width(t, k), x);
            } else {
                printf("  %*s", column_width(t, k), "-");
            }
        }
    }
    printf("\n");
}

void bench_print(const BenchTable *table, bool json) {
    if (json) {
        print_json(table);
    } else {
        print_text(table);
    }
}
