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
//
// Relative coordinates: x, y, z of p_AB_A and angles rx about x_A, then ry, then rz about z_B, so
// that R_AB = Rx Ry Rz. Those that are fixed are 0 but for what violates the rows. Free angles
// about one axis or two are found at any angle; of three, as in a ball joint, the second must stay
// within 90 degrees.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct GenericJoint {
    CdPair pair;
    bool x, y, z, rx, ry, rz;
    CdJointStart at_start;
    double free_x, free_y; // 1: that axis is free to turn about and z is not; else 0
    double free_yz;        // 1: free to turn about y and z, but not about x; else 0
} GenericJoint;

static const CdField fields[] = {
    CDI_PAIR_ROWS(GenericJoint),
    CD_FIELD(GenericJoint, x, BOOL, "", "true", "", "no motion along x of marker a"),
    CD_FIELD(GenericJoint, y, BOOL, "", "true", "", "no motion along y"),
    CD_FIELD(GenericJoint, z, BOOL, "", "true", "", "no motion along z"),
    CD_FIELD(GenericJoint, rx, BOOL, "", "true", "", "no turning about x"),
    CD_FIELD(GenericJoint, ry, BOOL, "", "true", "", "no turning about y"),
    CD_FIELD(GenericJoint, rz, BOOL, "", "true", "", "no turning about z"),
    CDI_START_ROWS(GenericJoint, "[0, 6]"),
};

// kernel
// adc: value = value(c)
// adc: joint(c; a, b, t = 1)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
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

// adc: value = value(s)
// adc: joint(s; a, b)
// adc: lanes(value, vel, acc, react, jac, react_jac, vel_jac)
static void generic_rel(const GenericJoint *p, const CdFrame *a, const CdFrame *b, double s[6]) {
    double R[9];
    frame_offset(a, b, &s[0]);
    tmul33(a->R, b->R, R);
    if (p->free_y > 0) {
        // Rx Ry, or Ry
        s[3] = atan2(R[7], R[4]);
        s[4] = atan2(R[2], R[0]);
        s[5] = -R[1];
    } else if (p->free_yz > 0) {
        // Ry Rz
        s[3] = -R[5];
        s[4] = atan2(R[2], R[8]);
        s[5] = atan2(R[3], R[4]);
    } else {
        xyz_from_mat(R, &s[3]);
    }
}
// end kernel
#include "joint_generic.adc.h"
CDI_JOINT_KERNELS(generic)
CDI_JOINT_LANES(generic)
CDI_JOINT_COORDINATES(generic_rel)
CDI_RELATIVE_LANES(generic_rel)

static bool is_free(const void *data, int k) {
    const GenericJoint *p = data;
    const bool fixed[] = {p->x, p->y, p->z, p->rx, p->ry, p->rz};
    return !fixed[k];
}

static const char *const rel_names[] = {"x", "y", "z", "rx", "ry", "rz"};
static const char *const rel_units[] = {"m", "m", "m", "rad", "rad", "rad"};

static CdStatus check_start(CdReader *r, const GenericJoint *p, const char *field,
                            const CdList *list) {
    const double *s = list->v;
    CdStatus status = CD_OK;
    for (int k = 0; k < list->n; k++) {
        if (s[k] == 0 || is_free(p, k)) continue;
        status =
            cdi_reject_field(r, field, "%s is fixed; it must be 0, not %g", rel_names[k], s[k]);
    }
    return status;
}

static CdStatus finish(CdReader *r, void *data) {
    GenericJoint *p = data;
    p->free_x = p->rz && !p->rx;
    p->free_y = p->rz && !p->ry;
    p->free_yz = p->rx && !p->ry && !p->rz;
    const CdStatus start = check_start(r, p, "start", &p->at_start.start);
    const CdStatus rate = check_start(r, p, "start_rate", &p->at_start.start_rate);
    return start != CD_OK ? start : rate;
}

static int rows(const void *p, int rows[CD_JOINT_NC_MAX]) {
    int n = 0;
    for (int i = 0; i < CD_JOINT_NC_MAX; i++) {
        if (!is_free(p, i)) rows[n++] = i;
    }
    return n;
}

static void relative(const void *p, const double *s, CdFrame *x) {
    copy3(s, x->p);
    xyz_to_mat(s + 3, x->R);
}

static const CdJointLaw law = {.nc = 6,
                               CDI_JOINT_LAW,
                               .lanes = &lanes_,
                               .rows = rows,
                               .nrel = 6,
                               .rel_names = rel_names,
                               .rel_units = rel_units,
                               .is_free = is_free,
                               .relative = relative,
                               CDI_JOINT_RELATIVE,
                               .rel_lanes = &rel_lanes_};

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
