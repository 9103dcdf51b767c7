// joint_generic.c - joint whose fixed translations and rotations are chosen one by one
//
//   c = (p_AB_A;  z_A . y_B, x_A . z_B, y_A . x_B), those rows that are fixed
//
// A row of rotation keeps axes perpendicular; two or three free rotations are exact near zero only
// in the sense of these products.
#include "items/frame.h"
#include "items/item.h"

typedef struct GenericJoint {
    CdPair pair;
    bool x, y, z, rx, ry, rz;
} GenericJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(GenericJoint),
    CD_FIELD(GenericJoint, x, BOOL, "", "true", "", "no motion along x of marker a"),
    CD_FIELD(GenericJoint, y, BOOL, "", "true", "", "no motion along y"),
    CD_FIELD(GenericJoint, z, BOOL, "", "true", "", "no motion along z"),
    CD_FIELD(GenericJoint, rx, BOOL, "", "true", "", "no turning about x"),
    CD_FIELD(GenericJoint, ry, BOOL, "", "true", "", "no turning about y"),
    CD_FIELD(GenericJoint, rz, BOOL, "", "true", "", "no turning about z"),
};

// kernel
// adc: joint(c; a, b, t = 1)
static void generic(const GenericJoint *p, double t, const CdFrame *a, const CdFrame *b,
                    double c[6]) {
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
#include "joint_generic.adc.h"
CDI_JOINT_KERNELS(generic)

static int rows(const void *data, int rows[CD_JOINT_NC_MAX]) {
    const GenericJoint *p = data;
    const bool fixed[] = {p->x, p->y, p->z, p->rx, p->ry, p->rz};
    int n = 0;
    for (int i = 0; i < CD_JOINT_NC_MAX; i++) {
        if (fixed[i]) rows[n++] = i;
    }
    return n;
}

static const CdJointLaw law = {.nc = 6, CDI_JOINT_LAW, .rows = rows};

const CdItemClass cd_joint_generic = {
    .desc = {.name = "GenericJoint",
             .doc = "Joint whose fixed directions are chosen one by one",
             .size = sizeof(GenericJoint),
             CD_FIELDS(fields),
             .example = "{\"class\": \"GenericJoint\", \"name\": \"joint\", \"body_b\": \"link\", "
                        "\"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
};
