// axis.h - numbers along an axis: a range of round numbers, ticks and their texts
#ifndef CARDAN_VIEW_AXIS_H
#define CARDAN_VIEW_AXIS_H

#include <stdbool.h>

#define CD_AXIS_MAX 1e300
#define CD_TICKS_MAX 16
#define CD_TICK_TEXT 40

// ticks at n m 10^p for whole n, m = 1, 2 or 5
typedef struct CdAxis {
    double low, high; // what it shows
    int m, power;     // of the step
    int exponent;     // texts are in units of 10^exponent
    int n;
    double ticks[CD_TICKS_MAX];
    char text[CD_TICKS_MAX][CD_TICK_TEXT];
} CdAxis;

// For data between low and high, which may be equal or NaN (no data) but not beyond CD_AXIS_MAX,
// with at most `most` ticks. With `round_ends` the axis ends at ticks, else at the data.
void cdi_axis_make(double low, double high, int most, bool round_ends, CdAxis *axis);

#endif
