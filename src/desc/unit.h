// unit.h - physical units as text: "N/m", "kg*m^2", "km/h", "deg"
//
// Symbols (units.def), SI prefixes where usual, * · or a space for products, / for the next factor
// only, ^ or ² ³ for powers, brackets. Angle counts as a dimension, so that "30 deg" does not pass
// for a plain number, nor "50 Hz" or "1500 1/min" for rad/s; only below the line may rad be left
// out ("3 N*m" for N*m/rad).
#ifndef CARDAN_DESC_UNIT_H
#define CARDAN_DESC_UNIT_H

#include "base/context.h"

typedef enum CdDimension {
    CD_METRE,
    CD_KILOGRAM,
    CD_SECOND,
    CD_AMPERE,
    CD_KELVIN,
    CD_RADIAN,
    CD_NDIM
} CdDimension;

typedef struct CdUnit {
    double num,
        den; // factor to SI is num/den pi^pi; a ratio, because 1/1000 is exact and 0.001 not
    int pi;
    int power[CD_NDIM];
} CdUnit;

// parse text[0..n); on failure *bad, *nbad is the piece that is not understood
bool cdi_unit_parse(const char *text, size_t n, CdUnit *unit, const char **bad, size_t *nbad);

double cdi_unit_to_si(const CdUnit *unit, double value);

// may a value of unit `given` stand where `wanted` is asked for?
bool cdi_unit_fits(const CdUnit *given, const CdUnit *wanted);

#endif
