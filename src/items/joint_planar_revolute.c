// joint_planar_revolute.c - hinge between bodies that move in the plane x, y: two points coincide
//
//   c = x, y of p_AB_A
//
// Relative coordinate: the angle about z from x_A to x_B.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct PlanarRevoluteJoint {
    CdPair pair;
    CdJointStart at_start;
} PlanarRevoluteJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(PlanarRevoluteJoint),
    CDI_START_ROWS(PlanarRevoluteJoint, "[0, 1]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void planar_revolute(const PlanarRevoluteJoint *p, double t, const CdFrame *a,
                            const CdFrame *b, double c[2]) {
    double d[3];
    frame_offset(a, b, d);
    c[0] = d[0];
    c[1] = d[1];
}

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void planar_revolute_rel(const PlanarRevoluteJoint *p, const CdFrame *a, const CdFrame *b,
                                double s[1]) {
    s[0] = frame_angle(a, b);
}
// end kernel
#include "joint_planar_revolute.adc.h"
CDI_JOINT_KERNELS(planar_revolute)
CDI_JOINT_LANES(planar_revolute)
CDI_JOINT_COORDINATES(planar_revolute_rel)
CDI_RELATIVE_LANES(planar_revolute_rel)

static void relative(const void *p, const double *s, CdFrame *x) {
    zero3(x->p);
    rot_z(s[0], x->R);
}

static const char *const rel_names[] = {"angle"};
static const char *const rel_units[] = {"rad"};

static const CdJointLaw law = {.nc = 2,
                               CDI_JOINT_LAW,
                               .lanes = &lanes_,
                               .nrel = 1,
                               .rel_names = rel_names,
                               .rel_units = rel_units,
                               .relative = relative,
                               CDI_JOINT_RELATIVE,
                               .rel_lanes = &rel_lanes_};

static const CdSymbolPart look[] = {
    {0, CD_CYLINDER, 2, {0.5, 0.8}, {0, 0, 0}},
    {1, CD_CYLINDER, 2, {0.3, 1.1}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_joint_planar_revolute = {
    .desc = {.name = "PlanarRevoluteJoint",
             .doc = "Hinge between bodies that move in a plane",
             .size = sizeof(PlanarRevoluteJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"PlanarRevoluteJoint\", \"name\": \"joint\", \"body_b\": "
                        "\"link\", \"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
