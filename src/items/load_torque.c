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

static bool is_own(const void *p) {
    return ((const CdVectorLoad *)p)->axes == CD_LOAD_OWN;
}

static void value(const void *p, const CdForceInput *in, double *w) {
    double T[3];
    cdi_vector_load(p, in->t, T);
    (is_own(p) ? torque_own : torque_world)(T, in->a, w);
}

static void jac(const void *p, const CdForceInput *in, double *w, double *J) {
    double T[3], to_frame[36];
    cdi_vector_load(p, in->t, T);
    (is_own(p) ? torque_own_jac : torque_world_jac)(T, in->a, w, to_frame);
    cdi_load_jacobian(to_frame, J);
}

// ---- lanes

static void own_value(const double *p, const CdForceTile *in, double *w) {
    double T[3 * CD_TILE];
    cdi_vector_loads(in, T);
    torque_own_value_lanes(in->items, T, in->a, w);
}

static void own_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    double T[3 * CD_TILE];
    cdi_vector_loads(in, T);
    torque_own_jac_lanes(in->items, T, in->a, w, J);
}

static void world_value(const double *p, const CdForceTile *in, double *w) {
    double T[3 * CD_TILE];
    cdi_vector_loads(in, T);
    torque_world_value_lanes(in->items, T, in->a, w);
}

static void world_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    double T[3 * CD_TILE];
    cdi_vector_loads(in, T);
    torque_world_jac_lanes(in->items, T, in->a, w, J);
}

static const CdForceLanes world = {.value = world_value, .jac = world_jac};
static const CdForceLanes lanes = {
    .fits = is_own, .other = &world, .value = own_value, .jac = own_jac};

static const CdForceLaw law = {.nmarkers = 1, .value = value, .jac = jac, .lanes = &lanes};

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
