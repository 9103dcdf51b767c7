// interval.c - ranges of numbers as text
#include "desc/interval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

// a number, "inf" or "-inf"; moves *at past it
static bool end_point(const char **at, double *x) {
    while (**at == ' ') ++*at;
    size_t n = 0;
    if (strncmp(*at, "inf", 3) == 0) {
        *x = INFINITY;
        n = 3;
    } else if (strncmp(*at, "-inf", 4) == 0) {
        *x = -INFINITY;
        n = 4;
    } else {
        n = cdi_number_read(*at, strlen(*at), x);
    }
    *at += n;
    while (**at == ' ') ++*at;
    return n > 0;
}

bool cdi_interval_parse(const char *text, CdInterval *interval) {
    *interval = (CdInterval){-INFINITY, INFINITY, true, true};
    if (!text || !*text) return true;
    const char *at = text;
    if (*at != '[' && *at != '(') return false;
    interval->lo_open = *at++ == '(';
    if (!end_point(&at, &interval->lo) || *at++ != ',' || !end_point(&at, &interval->hi)) {
        return false;
    }
    if (*at != ']' && *at != ')') return false;
    interval->hi_open = *at++ == ')';
    return *at == '\0' && interval->lo <= interval->hi;
}

bool cdi_interval_holds(const CdInterval *interval, double x) {
    bool above = interval->lo_open ? x > interval->lo : x >= interval->lo;
    bool below = interval->hi_open ? x < interval->hi : x <= interval->hi;
    return above && below;
}

void cdi_interval_rule(const CdInterval *interval, char buf[CD_INTERVAL_TEXT]) {
    char lo[CD_NUMBER_MAX], hi[CD_NUMBER_MAX];
    cdi_number_write(interval->lo, lo);
    cdi_number_write(interval->hi, hi);
    const char *above = interval->lo_open ? "above" : "at least";
    const char *below = interval->hi_open ? "below" : "at most";
    bool has_lo = isfinite(interval->lo), has_hi = isfinite(interval->hi);
    if (has_lo && has_hi) {
        snprintf(buf, CD_INTERVAL_TEXT, "must be %s %s and %s %s", above, lo, below, hi);
    } else if (has_lo) {
        snprintf(buf, CD_INTERVAL_TEXT, "must be %s %s", above, lo);
    } else if (has_hi) {
        snprintf(buf, CD_INTERVAL_TEXT, "must be %s %s", below, hi);
    } else {
        snprintf(buf, CD_INTERVAL_TEXT, "must be finite");
    }
}
