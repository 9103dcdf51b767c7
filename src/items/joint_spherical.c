// joint_spherical.c - ball joint: two points coincide
//
//   c = p_AB_A
//
// Relative coordinates: Cardan angles xyz, singular at 90 degrees of the second.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct SphericalJoint {
    CdPair pair;
    CdJointStart at_start;
} SphericalJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(SphericalJoint),
    CDI_START_ROWS(SphericalJoint, "[0, 3]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void spherical(const SphericalJoint *p, double t, const CdFrame *a, const CdFrame *b,
                      double c[3]) {
    frame_offset(a, b, c);
}

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void spherical_rel(const SphericalJoint *p, const CdFrame *a, const CdFrame *b,
                          double s[3]) {
    double R[9];
    tmul33(a->R, b->R, R);
    xyz_from_mat(R, s);
}
// end kernel
#include "joint_spherical.adc.h"
CDI_JOINT_KERNELS(spherical)
CDI_JOINT_LANES(spherical)
CDI_JOINT_COORDINATES(spherical_rel)
CDI_RELATIVE_LANES(spherical_rel)

static void relative(const void *p, const double *s, CdFrame *x) {
    zero3(x->p);
    xyz_to_mat(s, x->R);
}

static const char *const rel_names[] = {"rx", "ry", "rz"};
static const char *const rel_units[] = {"rad", "rad", "rad"};

static const CdJointLaw law = {.nc = 3,
                               CDI_JOINT_LAW,
                               .lanes = &lanes_,
                               .nrel = 3,
                               .rel_names = rel_names,
                               .rel_units = rel_units,
                               .relative = relative,
                               CDI_JOINT_RELATIVE,
                               .rel_lanes = &rel_lanes_};

static const CdSymbolPart look[] = {
    {0, CD_TUBE, 2, {0.62, 0.36, 0.4}, {0, 0, 0}},
    {1, CD_BALL, 2, {0.5}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_joint_spherical = {
    .desc = {.name = "SphericalJoint",
             .doc = "Ball joint: two points coincide",
             .size = sizeof(SphericalJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"SphericalJoint\", \"name\": \"joint\", \"body_b\": "
                        "\"link\", \"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
