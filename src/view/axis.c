// axis.c - round numbers along an axis
//
// The step is the smallest of 1, 2, 5 times a power of ten that needs no more ticks than wanted.
// Texts are made of whole numbers, so they are the same everywhere.
#include "view/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// parts of a value that its digits still tell apart
#define LEAST 1e-12
// of a tick: more are beyond double
#define DECIMALS_MAX 15
// less than this is 0: its steps would not be numbers
#define NOTHING 1e-290
// powers of ten from which on they are written once for all ticks
#define LARGE 5
#define SMALL (-4)

static double step_of(const CdAxis *a) {
    return a->m * pow(10, a->power);
}

static void choose_step(CdAxis *a, int most) {
    static const int words[] = {1, 2, 5};
    const double span = a->high - a->low;
    a->power = (int)floor(log10(span / most));
    for (;; a->power++) {
        for (int k = 0; k < 3; k++) {
            a->m = words[k];
            if (floor(a->high / step_of(a)) - ceil(a->low / step_of(a)) + 1 <= most) return;
        }
    }
}

// n m 10^(power - exponent) by its digits
static void write_tick(const CdAxis *a, long long n, char text[CD_TICK_TEXT]) {
    const int power = a->power - a->exponent;
    const int decimals = power >= 0 ? 0 : power < -DECIMALS_MAX ? DECIMALS_MAX : -power;
    char digits[CD_TICK_TEXT];
    long long v = n * a->m;
    const char *sign = v < 0 ? "\xe2\x88\x92" : ""; // a minus as long as a plus
    if (v < 0) v = -v;
    for (int i = 0; i < power; i++) v *= 10;
    snprintf(digits, sizeof digits, "%020lld", v);
    const char *first = digits;
    while (*first == '0' && (int)strlen(first) > decimals + 1) first++;
    const int whole = (int)strlen(first) - decimals;
    snprintf(text, CD_TICK_TEXT, "%s%.*s%s%s", sign, whole, first, decimals ? "." : "",
             first + whole);
}

static void choose_exponent(CdAxis *a) {
    const double largest = fmax(fabs(a->low), fabs(a->high));
    const int e = (int)floor(log10(largest));
    a->exponent = e >= LARGE || e <= SMALL ? 3 * (int)floor(e / 3.0) : 0;
}

void cdi_axis_make(double low, double high, int most, bool round_ends, CdAxis *a) {
    *a = (CdAxis){.low = low, .high = high};
    if (!(low <= high)) a->low = 0, a->high = 1;
    if (fmax(fabs(a->low), fabs(a->high)) < NOTHING) a->low = a->high = 0;
    // a line needs some room above and below
    const double least = LEAST * fmax(fabs(a->low), fabs(a->high));
    if (a->high - a->low <= least) {
        const double room = a->high != 0 ? fabs(a->high) / 2 : 1;
        a->low -= room;
        a->high += room;
    }
    choose_step(a, most);
    const double step = step_of(a);
    if (round_ends) {
        a->low = step * floor(a->low / step + LEAST);
        a->high = step * ceil(a->high / step - LEAST);
    }
    choose_exponent(a);
    const double room = step * 1e-6;
    for (long long n = (long long)ceil((a->low - room) / step); n * step <= a->high + room; n++) {
        if (a->n == CD_TICKS_MAX) break;
        a->ticks[a->n] = (double)n * step;
        write_tick(a, n, a->text[a->n++]);
    }
}
