// joint_planar_prismatic.c - slider between bodies that move in the plane x, y
//
//   c = (y of p_AB_A;  y_A . x_B)        the axis is x of both markers
//
// Given by bodies, the axis is a direction in the plane x, y of the world.
// Relative coordinate: x of p_AB_A.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct PlanarPrismaticJoint {
    CdPair pair;
    CdJointStart at_start;
} PlanarPrismaticJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(PlanarPrismaticJoint),
    CDI_START_ROWS(PlanarPrismaticJoint, "[0, 1]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void planar_prismatic(const PlanarPrismaticJoint *p, double t, const CdFrame *a,
                             const CdFrame *b, double c[2]) {
    double d[3], ya[3], xb[3];
    frame_offset(a, b, d);
    frame_axis(a, 1, ya);
    frame_axis(b, 0, xb);
    c[0] = d[1];
    c[1] = dot3(ya, xb);
}

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void planar_prismatic_rel(const PlanarPrismaticJoint *p, const CdFrame *a, const CdFrame *b,
                                 double s[1]) {
    double d[3];
    frame_offset(a, b, d);
    s[0] = d[0];
}
// end kernel
#include "joint_planar_prismatic.adc.h"
CDI_JOINT_KERNELS(planar_prismatic)
CDI_JOINT_LANES(planar_prismatic)
CDI_JOINT_COORDINATES(planar_prismatic_rel)
CDI_RELATIVE_LANES(planar_prismatic_rel)

static void relative(const void *p, const double *s, CdFrame *x) {
    zero3(x->p);
    x->p[0] = s[0];
    eye33(x->R);
}

static const char *const rel_names[] = {"position"};
static const char *const rel_units[] = {"m"};

static const CdJointLaw law = {.nc = 2,
                               CDI_JOINT_LAW,
                               .lanes = &lanes_,
                               .axis_in_plane = true,
                               .nrel = 1,
                               .rel_names = rel_names,
                               .rel_units = rel_units,
                               .relative = relative,
                               CDI_JOINT_RELATIVE,
                               .rel_lanes = &rel_lanes_};

static const CdSymbolPart look[] = {
    {0, CD_CYLINDER, 0, {0.12, 4}, {0, 0, 0}},
    {1, CD_BOX, 0, {1.4, 0.9, 0.9}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look), .span = CD_SPAN_LINE};

const CdItemClass cd_joint_planar_prismatic = {
    .desc = {.name = "PlanarPrismaticJoint",
             .doc = "Slider between bodies that move in a plane",
             .size = sizeof(PlanarPrismaticJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"PlanarPrismaticJoint\", \"name\": \"joint\", \"body_b\": "
                        "\"link\", \"at\": [0, 0, 0], \"axis\": [1, 0, 0]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
