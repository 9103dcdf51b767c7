// joint_prismatic.c - slider: two bodies slide along a common axis and do not turn
//
//   c = (x, y of p_AB_A;  x_A . z_B;  y_A . z_B;  y_A . x_B)        the axis is z of both markers
//
// Relative coordinate: z of p_AB_A.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct PrismaticJoint {
    CdPair pair;
    CdJointStart at_start;
} PrismaticJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(PrismaticJoint),
    CDI_START_ROWS(PrismaticJoint, "[0, 1]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void prismatic(const PrismaticJoint *p, double t, const CdFrame *a, const CdFrame *b,
                      double c[5]) {
    double d[3], xa[3], ya[3], xb[3], zb[3];
    frame_offset(a, b, d);
    frame_axis(a, 0, xa);
    frame_axis(a, 1, ya);
    frame_axis(b, 0, xb);
    frame_axis(b, 2, zb);
    c[0] = d[0];
    c[1] = d[1];
    c[2] = dot3(xa, zb);
    c[3] = dot3(ya, zb);
    c[4] = dot3(ya, xb);
}

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void prismatic_rel(const PrismaticJoint *p, const CdFrame *a, const CdFrame *b,
                          double s[1]) {
    double d[3];
    frame_offset(a, b, d);
    s[0] = d[2];
}
// end kernel
#include "joint_prismatic.adc.h"
CDI_JOINT_KERNELS(prismatic)
CDI_JOINT_LANES(prismatic)
CDI_JOINT_COORDINATES(prismatic_rel)
CDI_RELATIVE_LANES(prismatic_rel)

static void relative(const void *p, const double *s, CdFrame *x) {
    zero3(x->p);
    x->p[2] = s[0];
    eye33(x->R);
}

static const char *const rel_names[] = {"position"};
static const char *const rel_units[] = {"m"};

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
    {0, CD_CYLINDER, 2, {0.12, 4}, {0, 0, 0}},
    {1, CD_BOX, 2, {0.9, 0.9, 1.4}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look), .span = CD_SPAN_LINE};

const CdItemClass cd_joint_prismatic = {
    .desc = {.name = "PrismaticJoint",
             .doc = "Slider: bodies slide along a common axis without turning",
             .size = sizeof(PrismaticJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"PrismaticJoint\", \"name\": \"joint\", \"body_b\": "
                        "\"link\", \"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
