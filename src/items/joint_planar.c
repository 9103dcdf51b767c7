// joint_planar.c - a plane of one body slides on a plane of the other
//
//   c = (z of p_AB_A;  x_A . z_B;  y_A . z_B)        z is the normal of both planes
//
// Relative coordinates: x and y of p_AB_A, and the angle about z from x_A to x_B.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct PlanarJoint {
    CdPair pair;
    CdJointStart at_start;
} PlanarJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(PlanarJoint),
    CDI_START_ROWS(PlanarJoint, "[0, 3]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void planar(const PlanarJoint *p, double t, const CdFrame *a, const CdFrame *b,
                   double c[3]) {
    double d[3], xa[3], ya[3], zb[3];
    frame_offset(a, b, d);
    frame_axis(a, 0, xa);
    frame_axis(a, 1, ya);
    frame_axis(b, 2, zb);
    c[0] = d[2];
    c[1] = dot3(xa, zb);
    c[2] = dot3(ya, zb);
}

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void planar_rel(const PlanarJoint *p, const CdFrame *a, const CdFrame *b, double s[3]) {
    double d[3];
    frame_offset(a, b, d);
    s[0] = d[0];
    s[1] = d[1];
    s[2] = frame_angle(a, b);
}
// end kernel
#include "joint_planar.adc.h"
CDI_JOINT_KERNELS(planar)
CDI_JOINT_LANES(planar)
CDI_JOINT_COORDINATES(planar_rel)
CDI_RELATIVE_LANES(planar_rel)

static void relative(const void *p, const double *s, CdFrame *x) {
    zero3(x->p);
    x->p[0] = s[0];
    x->p[1] = s[1];
    rot_z(s[2], x->R);
}

static const char *const rel_names[] = {"x", "y", "angle"};
static const char *const rel_units[] = {"m", "m", "rad"};

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
    {0, CD_BOX, 2, {2.6, 2.6, 0.1}, {0, 0, -0.1}},
    {1, CD_BOX, 2, {1, 1, 0.3}, {0, 0, 0.1}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_joint_planar = {
    .desc = {.name = "PlanarJoint",
             .doc = "A plane of one body slides on a plane of the other",
             .size = sizeof(PlanarJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"PlanarJoint\", \"name\": \"joint\", \"body_b\": \"link\", "
                        "\"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
