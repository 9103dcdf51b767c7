// load_torque.c - torque on a marker: three functions of time, in world axes or those of the marker
#include "items/frame.h"
#include "items/load.h"

#define FIELD(...) CD_FIELD(CdVectorLoad, __VA_ARGS__)
static const CdField fields[] = {CDI_VECTOR_LOAD_ROWS("N*m")};

// kernel
// adc: value = value(w)
// adc: jac = jacobian(w; a)
// adc: lanes(value, jac)
static void torque_own(const double T[3], const CdFrame *a, double w[6]) {
    zero3(&w[0]);
    copy3(T, &w[3]);
}

// adc: value = value(w)
// adc: jac = jacobian(w; a)
// adc: lanes(value, jac)
static void torque_world(const double T[3], const CdFrame *a, double w[6]) {
    zero3(&w[0]);
    tmul3v(a->R, T, &w[3]);
}
// end kernel
#include "load_torque.adc.h"
CDI_LOAD_KERNELS(torque)

static const CdForceLaw law = {CDI_LOAD_LAW};

static const CdSymbol symbol = {.arrow = CD_ARROW_TORQUE};

const CdItemClass cd_load_torque = {
    .desc = {.name = "Torque",
             .doc = "Torque on a body, as functions of time",
             .size = sizeof(CdVectorLoad),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Torque\", \"name\": \"motor\", \"body\": \"link\", \"z\": "
                        "\"2*(1 - exp(-t))\"}"},
    .category = CD_LOAD,
    .force = &law,
    .symbol = &symbol,
};
