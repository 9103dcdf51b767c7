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

static bool is_own(const void *p) {
    return ((const CdVectorLoad *)p)->axes == CD_LOAD_OWN;
}

static void value(const void *p, const CdForceInput *in, double *w) {
    double F[3];
    cdi_vector_load(p, in->t, F);
    (is_own(p) ? force_own : force_world)(F, in->a, w);
}

static void jac(const void *p, const CdForceInput *in, double *w, double *J) {
    double F[3], to_frame[36];
    cdi_vector_load(p, in->t, F);
    (is_own(p) ? force_own_jac : force_world_jac)(F, in->a, w, to_frame);
    cdi_load_jacobian(to_frame, J);
}

// ---- lanes

static void own_value(const double *p, const CdForceTile *in, double *w) {
    double F[3 * CD_TILE];
    cdi_vector_loads(in, F);
    force_own_value_lanes(in->items, F, in->a, w);
}

static void own_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    double F[3 * CD_TILE];
    cdi_vector_loads(in, F);
    force_own_jac_lanes(in->items, F, in->a, w, J);
}

static void world_value(const double *p, const CdForceTile *in, double *w) {
    double F[3 * CD_TILE];
    cdi_vector_loads(in, F);
    force_world_value_lanes(in->items, F, in->a, w);
}

static void world_jac(const double *p, const CdForceTile *in, double *w, double *J) {
    double F[3 * CD_TILE];
    cdi_vector_loads(in, F);
    force_world_jac_lanes(in->items, F, in->a, w, J);
}

static const CdForceLanes world = {.value = world_value, .jac = world_jac};
static const CdForceLanes lanes = {
    .fits = is_own, .other = &world, .value = own_value, .jac = own_jac};

static const CdForceLaw law = {.nmarkers = 1, .value = value, .jac = jac, .lanes = &lanes};

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
