// load_force.c - force on a marker: three functions of time, in world axes or those of the marker
#include "items/frame.h"
#include "items/load.h"

#define FIELD(...) CD_FIELD(CdVectorLoad, __VA_ARGS__)
static const CdField fields[] = {CDI_VECTOR_LOAD_ROWS("N")};

// kernel
// adc: jac = jacobian(w; a)
static void force_own(const double F[3], const CdFrame *a, double w[6]) {
    mul3v(a->R, F, &w[0]);
    zero3(&w[3]);
}
// end kernel
#include "load_force.adc.h"

static void value(const void *data, const CdForceInput *in, double *w) {
    const CdVectorLoad *p = data;
    double F[3];
    cdi_vector_load(p, in->t, F);
    if (p->axes == CD_LOAD_OWN) {
        force_own(F, in->a, w);
        return;
    }
    copy3(F, w);
    zero3(w + 3);
}

static void jac(const void *data, const CdForceInput *in, double *w, double *J) {
    const CdVectorLoad *p = data;
    double F[3], own[36] = {0};
    value(data, in, w);
    cdi_vector_load(p, in->t, F);
    if (p->axes == CD_LOAD_OWN) force_own_jac(F, in->a, w, own);
    cdi_load_jacobian(own, J);
}

static const CdForceLaw law = {.nmarkers = 1, .value = value, .jac = jac};

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
