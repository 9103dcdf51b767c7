// function_harmonic.c - y = offset + amplitude sin(omega x + phase)
#include <math.h>

#include "desc/function.h"

typedef struct Harmonic {
    double amplitude, omega, phase, offset;
} Harmonic;

static void eval(const void *data, double x, double y[3]) {
    const Harmonic *p = data;
    double angle = p->omega * x + p->phase;
    double s = p->amplitude * sin(angle), c = p->amplitude * cos(angle);
    y[0] = p->offset + s;
    y[1] = p->omega * c;
    y[2] = -p->omega * p->omega * s;
}

#define FIELD(...) CD_FIELD(Harmonic, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(amplitude, REAL, "$y", NULL, "", "half of the swing"),
    FIELD(omega, REAL, "rad/$x", NULL, "", "angular frequency"),
    FIELD(phase, REAL, "rad", "0", "", "angle at zero"),
    FIELD(offset, REAL, "$y", "0", "", "mean value"),
};

const CdFunctionClass cd_function_harmonic = {
    .desc = {.name = "Harmonic",
             .doc = "offset + amplitude sin(omega x + phase)",
             .size = sizeof(Harmonic),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Harmonic\", \"amplitude\": 2, \"omega\": 6.28}"},
    .eval = eval,
};
