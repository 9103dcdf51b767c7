// joint_revolute.c - hinge: two bodies turn about a common axis
//
//   c = (p_AB_A;  x_A . z_B;  y_A . z_B)        the axis is z of both markers
//
// Relative coordinate: the angle about z from x_A to x_B.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct RevoluteJoint {
    CdPair pair;
    CdJointStart at_start;
} RevoluteJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(RevoluteJoint),
    CDI_START_ROWS(RevoluteJoint, "[0, 1]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void revolute(const RevoluteJoint *p, double t, const CdFrame *a, const CdFrame *b,
                     double c[5]) {
    double xa[3], ya[3], zb[3];
    frame_axis(a, 0, xa);
    frame_axis(a, 1, ya);
    frame_axis(b, 2, zb);
    frame_offset(a, b, &c[0]);
    c[3] = dot3(xa, zb);
    c[4] = dot3(ya, zb);
}

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void revolute_rel(const RevoluteJoint *p, const CdFrame *a, const CdFrame *b, double s[1]) {
    s[0] = frame_angle(a, b);
}
// end kernel
#include "joint_revolute.adc.h"
CDI_JOINT_KERNELS(revolute)
CDI_JOINT_LANES(revolute)
CDI_JOINT_COORDINATES(revolute_rel)
CDI_RELATIVE_LANES(revolute_rel)

static void relative(const void *p, const double *s, CdFrame *x) {
    zero3(x->p);
    rot_z(s[0], x->R);
}

static const char *const rel_names[] = {"angle"};
static const char *const rel_units[] = {"rad"};

static const CdJointLaw law = {.nc = 5,
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

const CdItemClass cd_joint_revolute = {
    .desc = {.name = "RevoluteJoint",
             .doc = "Hinge: bodies turn about a common axis",
             .size = sizeof(RevoluteJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"RevoluteJoint\", \"name\": \"joint\", \"body_b\": \"link\", "
                        "\"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
