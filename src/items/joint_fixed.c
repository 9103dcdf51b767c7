// joint_fixed.c - weld: two frames coincide
//
//   c = (p_AB_A;  z_A . y_B, x_A . z_B, y_A . x_B)
#include "items/frame.h"
#include "items/lanes.h"

typedef struct FixedJoint {
    CdPair pair;
} FixedJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(FixedJoint),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void fixed(const FixedJoint *p, double t, const CdFrame *a, const CdFrame *b, double c[6]) {
    double xa[3], ya[3], za[3], xb[3], yb[3], zb[3];
    frame_axis(a, 0, xa);
    frame_axis(a, 1, ya);
    frame_axis(a, 2, za);
    frame_axis(b, 0, xb);
    frame_axis(b, 1, yb);
    frame_axis(b, 2, zb);
    frame_offset(a, b, &c[0]);
    c[3] = dot3(za, yb);
    c[4] = dot3(xa, zb);
    c[5] = dot3(ya, xb);
}
// end kernel
#include "joint_fixed.adc.h"
CDI_JOINT_KERNELS(fixed)
CDI_JOINT_LANES(fixed)

static void relative(const void *p, const double *s, CdFrame *x) {
    zero3(x->p);
    eye33(x->R);
}

static const CdJointLaw law = {.nc = 6, CDI_JOINT_LAW, .lanes = &lanes_, .relative = relative};

static const CdSymbolPart look[] = {
    {0, CD_BOX, 2, {0.8, 0.8, 0.8}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_joint_fixed = {
    .desc = {.name = "FixedJoint",
             .doc = "Weld: two bodies keep their relative pose",
             .size = sizeof(FixedJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"FixedJoint\", \"name\": \"joint\", \"body_b\": \"link\", "
                        "\"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
