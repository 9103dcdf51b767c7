// load_torque.c - torque on a marker: three functions of time, in world axes or those of the marker
#include "items/frame.h"
#include "items/load.h"

#define FIELD(...) CD_FIELD(CdVectorLoad, __VA_ARGS__)
static const CdField fields[] = {CDI_VECTOR_LOAD_ROWS("N*m")};

// kernel
// adc: jac = jacobian(w; a)
static void torque_world(const double T[3], const CdFrame *a, double w[6]) {
    zero3(&w[0]);
    tmul3v(a->R, T, &w[3]);
}
// end kernel
#include "load_torque.adc.h"

static void value(const void *data, const CdForceInput *in, double *w) {
    const CdVectorLoad *p = data;
    double T[3];
    cdi_vector_load(p, in->t, T);
    if (p->axes == CD_LOAD_WORLD) {
        torque_world(T, in->a, w);
        return;
    }
    zero3(w);
    copy3(T, w + 3);
}

static void jac(const void *data, const CdForceInput *in, double *w, double *J) {
    const CdVectorLoad *p = data;
    double T[3], turned[36] = {0};
    value(data, in, w);
    cdi_vector_load(p, in->t, T);
    if (p->axes == CD_LOAD_WORLD) torque_world_jac(T, in->a, w, turned);
    cdi_load_jacobian(turned, J);
}

static const CdForceLaw law = {.nmarkers = 1, .value = value, .jac = jac};

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
