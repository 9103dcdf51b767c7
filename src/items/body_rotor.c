// body_rotor.c - inertia that turns about an axis fixed in the world
//
//   q = angle, a real number that counts turns,   R_WB = exp(u angle),  u = axis/|axis|,   M = J
//
// Its centre of mass is on the axis, so gravity does nothing to it.
#include "items/frame.h"
#include "items/lanes.h"

typedef struct Rotor {
    double position[3], axis[3];
    double angle, angular_velocity;
    double inertia;
    double u[3]; // axis, of unit length
} Rotor;

#define FIELD(...) CD_FIELD(Rotor, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(position, VEC3, "m", "[0, 0, 0]", "", "origin of the body frame, a point of the axis"),
    FIELD(axis, VEC3, "1", "[0, 0, 1]", "", "direction of the axis in the world", .nonzero = true),
    FIELD(angle, REAL, "rad", "0", "", "at the start; at 0 the body frame has the world's axes"),
    FIELD(angular_velocity, REAL, "rad/s", "0", "", "at the start"),
    FIELD(inertia, REAL, "kg*m^2", NULL, "(0, inf)", "moment of inertia about the axis"),
};

// kernel
// adc: value = value(f)
// adc: lanes(value)
static void rotor_frame(const Rotor *p, const double q[1], double f[12]) {
    double turn[3];
    scale3(q[0], p->u, turn);
    copy3(p->position, &f[0]);
    so3_exp(turn, &f[3]);
}

// M v' - weight
// adc: value = value(r)
// adc: lanes(value)
static void rotor_residual(const Rotor *p, const double gravity[3], const double v[1],
                           const double vdot[1], double r[1]) {
    r[0] = p->inertia * vdot[0];
}
// end kernel
#include "body_rotor.adc.h"
CDI_BODY_KERNELS(rotor)

static CdStatus finish(CdReader *r, void *data) {
    Rotor *b = data;
    (void)r;
    unit3(b->axis, b->u);
    return CD_OK;
}

static void start(const void *p, double *q, double *v) {
    const Rotor *b = p;
    q[0] = b->angle;
    v[0] = b->angular_velocity;
}

static void jacobian(const void *p, double *J) {
    zero3(J);
    copy3(((const Rotor *)p)->u, J + 3);
}

static void user_frame(const void *p, CdFrame *x) {
    (void)p;
    zero3(x->p);
    eye33(x->R);
}

static void mass(const void *p, double *M) {
    M[0] = ((const Rotor *)p)->inertia;
}

static double weight(const void *p) {
    (void)p;
    return 0;
}

static const char *const names[] = {"angle"};

static const CdBodyLaw law = {
    .nq = 1,
    .nv = 1,
    .names = names,
    .start = start,
    .jacobian = jacobian,
    .user_frame = user_frame,
    .mass = mass,
    .weight = weight,
    CDI_BODY_LAW,
};

const CdItemClass cd_body_rotor = {
    .desc = {.name = "Rotor",
             .doc = "Inertia that turns about an axis fixed in the world; its angle counts turns",
             .size = sizeof(Rotor),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"Rotor\", \"name\": \"flywheel\", \"axis\": [0, 0, 1], "
                        "\"inertia\": 0.02, \"angular_velocity\": \"3000 rpm\"}"},
    .category = CD_BODY,
    .body = &law,
};
