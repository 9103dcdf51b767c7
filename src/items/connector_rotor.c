// connector_rotor.c - rotor of a geared motor: inertia of the relative rotation of two bodies
//
//   T = I s'^2/2,  moment on a: d s' z, on b: -d s' z,   s' = z . (w_b - w_a)     z: axis of a
//   I = ratio^2 inertia,  d = ratio^2 damping
//
// For markers of which the z axes coincide, such as those of a revolute joint: s' is then a sum of
// components of angular velocities in axes of the markers, so that I adds constants to the mass
// matrix, between the two bodies too. The moments -w x p of the momenta p = I s' z do no work in
// the joint and are left out; so is what the rotor's own spin does when a itself turns (terms in
// ratio, not in its square), as is usual: Corke, Robotics, Vision and Control, 9.1.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct GearedRotor {
    CdPair pair;
    double inertia, damping, ratio;
} GearedRotor;

#define FIELD(...) CD_FIELD(GearedRotor, __VA_ARGS__)
static const CdField fields[] = {
    CDI_PAIR_ROWS(GearedRotor),
    FIELD(inertia, REAL, "kg*m^2", NULL, "[0, inf)", "of the rotor about its axis"),
    FIELD(damping, REAL, "N*m*s/rad", "0", "[0, inf)",
          "moment on the rotor per speed of the rotor"),
    FIELD(ratio, REAL, "1", "1", "", "turns of the rotor per turn of the joint"),
};

// kernel
// adc: jac = jacobian(out; a, b, va, vb)
static void rotor_outputs(const GearedRotor *p, const CdFrame *a, const CdFrame *b,
                          const double va[6], const double vb[6], double out[1]) {
    out[0] = p->ratio * (vb[5] - va[5]);
}

// adc: value = value(w)
// adc: jac = jacobian(w; a, b, va, vb)
// adc: lanes(value, jac)
static void geared_rotor(const GearedRotor *p, const CdFrame *a, const CdFrame *b,
                         const double va[6], const double vb[6], double w[12]) {
    double z[3], z_b[3];
    frame_axis(a, 2, z);
    tmul3v(b->R, z, z_b);
    const double rate = z_b[0] * vb[3] + z_b[1] * vb[4] + z_b[2] * vb[5] - va[5];
    const double moment = p->ratio * p->ratio * p->damping * rate;
    for (int i = 0; i < 12; i++) w[i] = 0;
    w[5] = moment;
    for (int i = 0; i < 3; i++) w[9 + i] = -moment * z_b[i];
}
// end kernel
#include "connector_rotor.adc.h"

static void value(const void *p, const CdForceInput *in, double *w) {
    geared_rotor(p, in->a, in->b, in->v, in->v + 6, w);
}

static void jac(const void *p, const CdForceInput *in, double *w, double *J) {
    geared_rotor_jac(p, in->a, in->b, in->v, in->v + 6, w, J);
}

static void outputs(const void *p, const CdForceInput *in, double *out) {
    rotor_outputs(p, in->a, in->b, in->v, in->v + 6, out);
}

static void outputs_jac(const void *p, const CdForceInput *in, double *out, double *J) {
    rotor_outputs_jac(p, in->a, in->b, in->v, in->v + 6, out, J);
}

// ---- lanes

static void cells(const void *p, double *out) {
    geared_rotor_p_cells(p, out);
}

static void value_lanes(const double *p, const CdForceTile *in, double *w) {
    geared_rotor_value_lanes(in->items, p, in->a, in->b, in->v, in->v + 6 * CD_TILE, w);
}

static void jac_lanes(const double *p, const CdForceTile *in, double *w, double *J) {
    geared_rotor_jac_lanes(in->items, p, in->a, in->b, in->v, in->v + 6 * CD_TILE, w, J);
}

static const CdForceLanes lanes = {
    .np = geared_rotor_p_N, .cells = cells, .value = value_lanes, .jac = jac_lanes};

static double inertia(const void *data) {
    const GearedRotor *p = data;
    return p->ratio * p->ratio * p->inertia;
}

static const char *const out_names[] = {"speed"};
static const char *const out_units[] = {"rad/s"};

static const CdForceLaw law = {.nmarkers = 2,
                               .of_velocity = true,
                               .value = value,
                               .jac = jac,
                               .inertia = inertia,
                               .nout = 1,
                               .out_names = out_names,
                               .out_units = out_units,
                               .outputs = outputs,
                               .outputs_jac = outputs_jac,
                               .lanes = &lanes};

static const CdSymbolPart look[] = {
    {0, CD_CYLINDER, 2, {0.6, 0.9}, {0, 0, -0.95}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_connector_rotor = {
    .desc = {.name = "GearedRotor",
             .doc = "Rotor of a geared motor: inertia of the relative rotation about an axis",
             .size = sizeof(GearedRotor),
             CD_FIELDS(fields),
             .example =
                 "{\"class\": \"GearedRotor\", \"name\": \"motor\", \"body_b\": \"link\", "
                 "\"at\": [0, 0, 0], \"axis\": [0, 0, 1], \"inertia\": 2e-4, \"damping\": 1e-3, "
                 "\"ratio\": 100}"},
    .category = CD_CONNECTOR,
    .force = &law,
    .symbol = &symbol,
};
