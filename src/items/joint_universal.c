// joint_universal.c - Cardan joint: an axis of each body, crossing each other at right angles
//
//   c = (p_AB_A;  x_A . y_B)        the axes are x of marker a and y of marker b
//
// Relative coordinates: turn by the first about x_A, then by the second about y_B.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct UniversalJoint {
    CdPair pair;
    CdJointStart at_start;
} UniversalJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(UniversalJoint),
    CDI_START_ROWS(UniversalJoint, "[0, 2]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void universal(const UniversalJoint *p, double t, const CdFrame *a, const CdFrame *b,
                      double c[4]) {
    double xa[3], yb[3];
    frame_offset(a, b, &c[0]);
    frame_axis(a, 0, xa);
    frame_axis(b, 1, yb);
    c[3] = dot3(xa, yb);
}

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void universal_rel(const UniversalJoint *p, const CdFrame *a, const CdFrame *b,
                          double s[2]) {
    double xa[3], ya[3], za[3], xb[3], yb[3], zb[3];
    frame_axis(a, 0, xa);
    frame_axis(a, 1, ya);
    frame_axis(a, 2, za);
    frame_axis(b, 0, xb);
    frame_axis(b, 1, yb);
    frame_axis(b, 2, zb);
    s[0] = atan2(dot3(za, yb), dot3(ya, yb));
    s[1] = atan2(dot3(xa, zb), dot3(xa, xb));
}
// end kernel
#include "joint_universal.adc.h"
CDI_JOINT_KERNELS(universal)
CDI_JOINT_LANES(universal)
CDI_JOINT_COORDINATES(universal_rel)
CDI_RELATIVE_LANES(universal_rel)

static void relative(const void *p, const double *s, CdFrame *x) {
    const double angles[3] = {s[0], s[1], 0};
    zero3(x->p);
    xyz_to_mat(angles, x->R);
}

static const char *const rel_names[] = {"first", "second"};
static const char *const rel_units[] = {"rad", "rad"};

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
    {0, CD_CYLINDER, 0, {0.15, 1.7}, {0, 0, 0}},
    {1, CD_CYLINDER, 1, {0.15, 1.7}, {0, 0, 0}},
    {0, CD_BALL, 2, {0.32}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_joint_universal = {
    .desc = {.name = "UniversalJoint",
             .doc = "Cardan joint: two crossing axes stay perpendicular",
             .size = sizeof(UniversalJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"UniversalJoint\", \"name\": \"joint\", \"body_b\": "
                        "\"link\", \"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
