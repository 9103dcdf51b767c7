// joint_cylindrical.c - two bodies turn about and slide along a common axis
//
//   c = (x, y of p_AB_A;  x_A . z_B;  y_A . z_B)        the axis is z of both markers
//
// Relative coordinates: z of p_AB_A, and the angle about z from x_A to x_B.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct CylindricalJoint {
    CdPair pair;
    CdJointStart at_start;
} CylindricalJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(CylindricalJoint),
    CDI_START_ROWS(CylindricalJoint, "[0, 2]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void cylindrical(const CylindricalJoint *p, double t, const CdFrame *a, const CdFrame *b,
                        double c[4]) {
    double d[3], xa[3], ya[3], zb[3];
    frame_offset(a, b, d);
    frame_axis(a, 0, xa);
    frame_axis(a, 1, ya);
    frame_axis(b, 2, zb);
    c[0] = d[0];
    c[1] = d[1];
    c[2] = dot3(xa, zb);
    c[3] = dot3(ya, zb);
}

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void cylindrical_rel(const CylindricalJoint *p, const CdFrame *a, const CdFrame *b,
                            double s[2]) {
    double d[3];
    frame_offset(a, b, d);
    s[0] = d[2];
    s[1] = frame_angle(a, b);
}
// end kernel
#include "joint_cylindrical.adc.h"
CDI_JOINT_KERNELS(cylindrical)
CDI_JOINT_LANES(cylindrical)
CDI_JOINT_COORDINATES(cylindrical_rel)
CDI_RELATIVE_LANES(cylindrical_rel)

static void relative(const void *p, const double *s, CdFrame *x) {
    zero3(x->p);
    x->p[2] = s[0];
    rot_z(s[1], x->R);
}

static const char *const rel_names[] = {"position", "angle"};
static const char *const rel_units[] = {"m", "rad"};

static const CdJointLaw law = {.nc = 4,
                               CDI_JOINT_LAW,
                               .lanes = &lanes_,
                               .nrel = 2,
                               .rel_names = rel_names,
                               .rel_units = rel_units,
                               .relative = relative,
                               CDI_JOINT_RELATIVE,
                               .rel_lanes = &rel_lanes_};

static const CdSymbolPart look[] = {
    {0, CD_CYLINDER, 2, {0.16, 4}, {0, 0, 0}},
    {1, CD_CYLINDER, 2, {0.5, 1.4}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look), .span = CD_SPAN_LINE};

const CdItemClass cd_joint_cylindrical = {
    .desc = {.name = "CylindricalJoint",
             .doc = "Bodies turn about and slide along a common axis",
             .size = sizeof(CylindricalJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"CylindricalJoint\", \"name\": \"joint\", \"body_b\": "
                        "\"link\", \"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
