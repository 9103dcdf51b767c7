// diff.h - two tables compared, channel by channel
//
//   largest  = max |a_i - b_i|          scale = max(|a_i|, |b_i|)        over all compared rows i
//   the same if largest <= atol + rtol scale
//
// The tolerance is one number per channel, so zero crossings do no harm. NaN equals NaN, and 0
// equals -0; NaN or an infinity against another number is an infinite difference.
#ifndef CARDAN_RESULTS_DIFF_H
#define CARDAN_RESULTS_DIFF_H

#include "results/table.h"

typedef struct CdDiffOptions {
    double rtol, atol;
    bool interpolate; // b at the times of a, where both have some; linear between its rows
} CdDiffOptions;

typedef struct CdChannelDiff {
    const char *name, *unit;
    double largest, scale;
    double t_first, t_largest; // where they begin to differ, and do most; NaN: nowhere
    bool differs;              // beyond the tolerance
} CdChannelDiff;

typedef struct CdDiff {
    CdContext *ctx;
    CdArena arena;
    int n; // channels of both, in the order of a
    CdChannelDiff *channels;
    int nonly_a, nonly_b;
    const char **only_a, **only_b;
    uint64_t rows_a, rows_b;
    uint64_t compared; // rows
    bool same_times;   // always, if interpolated: there is something to compare
    double t_a, t_b;   // of the first row that has another time; NaN: one table ends before it
    int ndiffer;       // channels
    bool same;         // nothing differs: times, channels, values
} CdDiff;

// channels live as long as the tables
CdStatus cdi_diff(CdTable *a, CdTable *b, const CdDiffOptions *options, CdDiff **diff);
void cdi_diff_free(CdDiff *diff); // NULL does nothing

#endif
