// body_rigid2.c - rigid body that moves in a plane z = constant
//
//   q = (x, y of p_WC, rz),   M = diag(m, m, J)        C: centre of mass, rz counts turns
//
// The user's body frame is at -com from C, with the same axes. Positions and velocities in the
// fields are those of the body frame.
#include "geom/shape.h"
#include "items/frame.h"
#include "items/lanes.h"

typedef struct RigidBody2D {
    double position[3], angle;
    double velocity[3], angular_velocity;
    double mass, com[3], inertia;
    double inertia_at[3];
    CdVariant shape;
    double J; // about the centre of mass
} RigidBody2D;

#define FIELD(...) CD_FIELD(RigidBody2D, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(position, VEC3, "m", "[0, 0, 0]", "", "origin of the body frame; z stays as it is"),
    FIELD(angle, REAL, "rad", "0", "", "of the body frame about z"),
    FIELD(velocity, VEC3, "m/s", "[0, 0, 0]", "",
          "of the origin of the body frame; "
          "its z is 0"),
    FIELD(angular_velocity, REAL, "rad/s", "0", "", "about z"),
    FIELD(mass, REAL, "kg", "0", "[0, inf)",
          "mass; if it is not given, that of the shape at its density"),
    FIELD(com, VEC3, "m", "[0, 0, 0]", "",
          "centre of mass in the body frame; if it is not given, that of the shape"),
    FIELD(inertia, REAL, "kg*m^2", "0", "[0, inf)",
          "about z; if it is not given, that of the shape"),
    FIELD(inertia_at, VEC3, "m", "[0, 0, 0]", "",
          "point of the body frame that the inertia is about; the centre of mass if not given"),
    FIELD(shape, VARIANT, "", "null", "", "solid that mass properties are taken from",
          .variants = cdi_shape_classes),
};

// kernel
typedef struct FlatInertia {
    double mass, J, z;
} FlatInertia;

// adc: value = value(f)
// adc: lanes(value)
static void rigid2_frame(const FlatInertia *p, const double q[3], double f[12]) {
    f[0] = q[0];
    f[1] = q[1];
    f[2] = p->z;
    const double c = cos(q[2]), s = sin(q[2]);
    for (int i = 5; i < 12; i++) f[i] = 0;
    f[3] = c;
    f[7] = c;
    f[4] = -s;
    f[6] = s;
    f[11] = 1;
}

// M v' - weight
// adc: value = value(r)
// adc: lanes(value)
static void rigid2_residual(const FlatInertia *p, const double gravity[3], const double v[3],
                            const double vdot[3], double r[3]) {
    r[0] = p->mass * (vdot[0] - gravity[0]);
    r[1] = p->mass * (vdot[1] - gravity[1]);
    r[2] = p->J * vdot[2];
}
// end kernel
#include "body_rigid2.adc.h"

// ---- mass properties

static CdStatus check_given(CdReader *r, const RigidBody2D *b, bool mass, bool inertia) {
    CdStatus status = CD_OK;
    if (!b->shape.desc && !mass) {
        status = cdi_reject_field(r, "mass", "is missing; give it, or a shape with its density");
    }
    if (!b->shape.desc && !inertia) {
        status = cdi_reject_field(r, "inertia", "is missing; give it, or a shape");
    }
    if (mass && !(b->mass > 0)) status = cdi_reject_field(r, "mass", "must be above 0 kg, not 0");
    if (inertia && !mass && b->shape.desc) {
        status = cdi_reject_field(r, "inertia", "is given without mass; give both, or none");
    }
    if (b->velocity[2] != 0) {
        status = cdi_reject_field(r, "velocity", "must lie in the plane x, y; its z is %g, not 0",
                                  b->velocity[2]);
    }
    if (cdi_given(r, "inertia_at") && !inertia) {
        status = cdi_reject_field(r, "inertia_at", "is given without inertia; leave it out");
    }
    return status;
}

static void take_shape(RigidBody2D *b, bool mass, bool com) {
    double m, c[3], J[9];
    cdi_shape_mass(b->shape.desc, b->shape.data, &m, c, J);
    b->J = mass ? J[8] * b->mass / m : J[8];
    if (!mass) b->mass = m;
    if (!com) copy3(c, b->com);
}

static CdStatus finish(CdReader *r, void *data) {
    RigidBody2D *b = data;
    const bool mass = cdi_given(r, "mass"), inertia = cdi_given(r, "inertia");
    CD_TRY(check_given(r, b, mass, inertia));
    if (!inertia) {
        take_shape(b, mass, cdi_given(r, "com"));
        return CD_OK;
    }
    b->J = b->inertia;
    if (cdi_given(r, "inertia_at")) {
        const double x = b->inertia_at[0] - b->com[0], y = b->inertia_at[1] - b->com[1];
        b->J -= b->mass * (x * x + y * y);
    }
    if (b->J > 0) return CD_OK;
    return cdi_reject_field(r, "inertia", "must be above 0 kg*m^2 about the centre of mass, not %g",
                            b->J);
}

// ---- state

static void start(const void *p, double *q, double *v) {
    const RigidBody2D *b = p;
    const double c = cos(b->angle), s = sin(b->angle), w = b->angular_velocity;
    const double dx = c * b->com[0] - s * b->com[1], dy = s * b->com[0] + c * b->com[1];
    q[0] = b->position[0] + dx;
    q[1] = b->position[1] + dy;
    q[2] = b->angle;
    v[0] = b->velocity[0] - w * dy;
    v[1] = b->velocity[1] + w * dx;
    v[2] = w;
}

// ---- law

static FlatInertia inertia_of(const void *p) {
    const RigidBody2D *b = p;
    return (FlatInertia){.mass = b->mass, .J = b->J, .z = b->position[2] + b->com[2]};
}

static void frame(const void *p, const double *q, CdFrame *f) {
    const FlatInertia in = inertia_of(p);
    double x[12];
    rigid2_frame(&in, q, x);
    copy3(x, f->p);
    copy33(x + 3, f->R);
}

static void residual(const void *p, const double gravity[3], const double *v, const double *vdot,
                     double *r) {
    const FlatInertia in = inertia_of(p);
    rigid2_residual(&in, gravity, v, vdot, r);
}

static void cells(const void *p, double *out) {
    const FlatInertia in = inertia_of(p);
    rigid2_residual_p_cells(&in, out);
}

static const CdBodyLanes lanes = {.np = rigid2_residual_p_N,
                                  .cells = cells,
                                  .frame = rigid2_frame_value_lanes,
                                  .residual = rigid2_residual_value_lanes};

static void jacobian(const void *p, double *J) {
    (void)p;
    for (int i = 0; i < 18; i++) J[i] = 0;
    J[0] = J[3 * 1 + 1] = J[3 * 5 + 2] = 1;
}

static void user_frame(const void *p, CdFrame *x) {
    scale3(-1, ((const RigidBody2D *)p)->com, x->p);
    eye33(x->R);
}

static void mass(const void *p, double *M) {
    const RigidBody2D *b = p;
    for (int i = 0; i < 9; i++) M[i] = 0;
    M[0] = M[4] = b->mass;
    M[8] = b->J;
}

static double weight(const void *p) {
    return ((const RigidBody2D *)p)->mass;
}

static const char *const names[] = {"x", "y", "rz"};

static const CdBodyLaw law = {
    .nq = 3,
    .nv = 3,
    .names = names,
    .start = start,
    .frame = frame,
    .jacobian = jacobian,
    .user_frame = user_frame,
    .mass = mass,
    .weight = weight,
    .residual = residual,
    .lanes = &lanes,
};

const CdItemClass cd_body_rigid2 = {
    .desc = {.name = "RigidBody2D",
             .doc = "Rigid body that moves in the plane x, y; its angle counts turns",
             .size = sizeof(RigidBody2D),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"RigidBody2D\", \"name\": \"crank\", \"position\": "
                        "[0.5, 0, 0], \"mass\": 2, \"inertia\": 0.17}"},
    .category = CD_BODY,
    .body = &law,
};
