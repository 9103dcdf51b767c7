// load_force.c - force on a marker: three functions of time, in world axes or those of the marker
#include "items/frame.h"
#include "items/load.h"

#define FIELD(...) CD_FIELD(CdVectorLoad, __VA_ARGS__)
static const CdField fields[] = {CDI_VECTOR_LOAD_ROWS("N")};

// kernel
// adc: value = value(w)
// adc: jac = jacobian(w; a)
// adc: lanes(value, jac)
static void force_own(const double F[3], const CdFrame *a, double w[6]) {
    mul3v(a->R, F, &w[0]);
    zero3(&w[3]);
}

// adc: value = value(w)
// adc: jac = jacobian(w; a)
// adc: lanes(value, jac)
static void force_world(const double F[3], const CdFrame *a, double w[6]) {
    copy3(F, &w[0]);
    zero3(&w[3]);
}
// end kernel
#include "load_force.adc.h"
CDI_LOAD_KERNELS(force)

static const CdForceLaw law = {CDI_LOAD_LAW};

static const CdSymbol symbol = {.arrow = CD_ARROW_FORCE};

const CdItemClass cd_load_force = {
    .desc = {.name = "Force",
             .doc = "Force on a point, as functions of time",
             .size = sizeof(CdVectorLoad),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Force\", \"name\": \"push\", \"body\": \"link\", \"point\": "
                        "[0.5, 0, 0], \"y\": \"10*sin(3*t)\", \"axes\": \"own\"}"},
    .category = CD_LOAD,
    .force = &law,
    .symbol = &symbol,
};
