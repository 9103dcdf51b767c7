// joint_generic.c - joint whose fixed translations and rotations are chosen one by one
//
//   c = (p_AB_A;  turns about x, y, z), those rows that are fixed
//
//   fixed rotations    rows                      b may turn
//   x, y, z            -y_A.z_B, x_A.z_B, y_A.x_B
//   x, y               -y_A.z_B, x_A.z_B         about z, as a hinge
//   y, z               -z_A.x_B, y_A.x_B         about x
//   x, z               z_A.y_B, -x_A.y_B         about y
//   x                  -y_A.z_B                  about y_A, then about z_B, as a Cardan joint
//   y                  x_A.z_B                   about x_A, then about z_B
//   z                  -x_A.y_B                  about x_A, then about y_B
//
// For small angles every row is the angle about its axis; none degenerates where the others hold.
#include "items/frame.h"
#include "items/item.h"

typedef struct GenericJoint {
    CdPair pair;
    bool x, y, z, rx, ry, rz;
    double free_x, free_y; // 1: that axis is free to turn about and z is not; else 0
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
    c[3] = p->free_y * dot3(za, yb) - (1 - p->free_y) * dot3(ya, zb);
    c[4] = (1 - p->free_x) * dot3(xa, zb) - p->free_x * dot3(za, xb);
    c[5] = (1 - p->free_y) * dot3(ya, xb) - p->free_y * dot3(xa, yb);
}
// end kernel
#include "joint_generic.adc.h"
CDI_JOINT_KERNELS(generic)

static CdStatus finish(CdReader *r, void *data) {
    GenericJoint *p = data;
    (void)r;
    p->free_x = p->rz && !p->rx;
    p->free_y = p->rz && !p->ry;
    return CD_OK;
}

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

static const CdSymbolPart look[] = {
    {0, CD_BOX, 2, {0.7, 0.7, 0.7}, {0, 0, 0}},
    {1, CD_BALL, 2, {0.45}, {0, 0, 0}},
};
static const CdSymbol symbol = {CD_SYMBOL_PARTS(look)};

const CdItemClass cd_joint_generic = {
    .desc = {.name = "GenericJoint",
             .doc = "Joint whose fixed directions are chosen one by one",
             .size = sizeof(GenericJoint),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"GenericJoint\", \"name\": \"joint\", \"body_b\": \"link\", "
                        "\"at\": [0, 0, 0], \"axis\": [0, 0, 1]}"},
    .category = CD_JOINT,
    .joint = &law,
    .symbol = &symbol,
};
