// bench.h - what the suites share: options, interleaved timing, percentiles, tables and JSON
#ifndef CARDAN_BENCH_BENCH_H
#define CARDAN_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct BenchOptions {
    bool json;  // one JSON array on standard output, nothing else
    bool quick; // as few repetitions as possible: does it run at all?
} BenchOptions;

// false, with a message on standard error: unknown option
bool bench_options(int argc, char **argv, BenchOptions *options);
// for suites that can choose: takes --only=TEXT out of the arguments; "" if there is none
const char *bench_only(int *argc, char **argv);
// a case that is named so, or begins so: kkt and kkt_chain, but kkt_chain_1 is not kkt_chain_10
bool bench_is_only(const char *only, const char *name);

// one of the things that a suite compares
typedef struct BenchCase {
    const char *name;
    void (*run)(void *user);
    void *user;
    double *us; // microseconds per run, sorted at the end; set by bench_interleave
    size_t n;
} BenchCase;

typedef struct BenchPlan {
    int rounds;    // every case once per round
    int samples;   // timed runs of a case in a round
    int warmup;    // untimed runs before
    int settle_ms; // pause before, until threads of the case before sleep
} BenchPlan;

// time the cases in turn, so that noise of the machine meets all of them; false: out of memory
bool bench_interleave(BenchCase *cases, size_t ncases, BenchPlan plan);
void bench_free(BenchCase *cases, size_t ncases);

double bench_percentile(const double *sorted, size_t n, double percent);
double bench_median(double *v, size_t n); // sorts

// records with one text and some numbers
#define BENCH_COLUMNS 8
typedef struct BenchRow {
    const char *text;
    double v[BENCH_COLUMNS];
} BenchRow;

typedef struct BenchTable {
    const char *about;                      // one line above the table
    const char *columns[BENCH_COLUMNS + 1]; // the text's first; ends at NULL
    const BenchRow *rows;
    size_t nrows;
} BenchTable;

void bench_print(const BenchTable *table, bool json);

#endif
