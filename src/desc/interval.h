// interval.h - ranges of numbers as text: "[0, 1]", "(0, inf)", "" for any
#ifndef CARDAN_DESC_INTERVAL_H
#define CARDAN_DESC_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct CdInterval {
    double lo, hi;         // may be infinite
    bool lo_open, hi_open; // is the end itself excluded?
} CdInterval;

bool cdi_interval_parse(const char *text, CdInterval *interval); // NULL or "": all numbers
bool cdi_interval_holds(const CdInterval *interval, double x);   // false for NaN

// what would be right: "must be at least 0", "must be above 0 and at most 1"
#define CD_INTERVAL_TEXT 120
void cdi_interval_rule(const CdInterval *interval, char buf[CD_INTERVAL_TEXT]);

#endif
