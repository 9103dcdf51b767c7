// joint_distance.c - massless rod: two points keep a fixed distance
//
//   c = (d.d - L^2)/2L        d = p_WB - p_WA
//
// Its coordinate, the distance |d|, is for sensors: it may not change, so nothing can drive it; a
// distance that changes is that of a LinearActuator along the line.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct DistanceJoint {
    CdPair pair;
    double length;
} DistanceJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(DistanceJoint),
    CD_FIELD(DistanceJoint, length, REAL, "m", NULL, "(0, inf)", "distance to keep"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void distance(const DistanceJoint *p, double t, const CdFrame *a, const CdFrame *b,
                     double c[1]) {
    double d[3];
    sub3(b->p, a->p, d);
    c[0] = (dot3(d, d) - p->length * p->length) / (2 * p->length);
}

// adc: joint(s; a, b)
static void distance_rel(const DistanceJoint *p, const CdFrame *a, const CdFrame *b, double s[1]) {
    double d[3];
    sub3(b->p, a->p, d);
    s[0] = norm3(d);
}
// end kernel
#include "joint_distance.adc.h"
CDI_JOINT_KERNELS(distance)
CDI_JOINT_LANES(distance)
CDI_JOINT_COORDINATES(distance_rel)

static bool is_free(const void *p, int k) {
    return false;
}

static const char *const rel_names[] = {"distance"};
static const char *const rel_units[] = {"m"};

static const CdJointLaw law = {.nc = 1,
                               CDI_JOINT_LAW,
                               .lanes = &lanes_,
                               .nrel = 1,
                               .rel_names = rel_names,
                               .rel_units = rel_units,
                               .is_free = is_free,
                               CDI_JOINT_RELATIVE};

static const CdSymbolPart look[] = {
    {0, CD_BALL, 2, {0.25}, {0, 0, 0}},
    {1, CD_BALL, 2, {0.25}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look), .span = CD_SPAN_LINE};

const CdItemClass cd_joint_distance = {
    .desc = {.name = "DistanceJoint",
             .doc = "Massless rod: two points keep a fixed distance",
             .size = sizeof(DistanceJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"DistanceJoint\", \"name\": \"rod\", \"marker_a\": "
                        "\"pivot\", \"marker_b\": \"tip\", \"length\": 1.5}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
