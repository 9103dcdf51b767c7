// body_point1.c - mass point that moves along a line
//
//   q = s,  p_WP = position + u s,  u = axis/|axis|,   M = m
#include "items/frame.h"
#include "items/lanes.h"

typedef struct MassPoint1D {
    double position[3], axis[3];
    double coordinate, velocity;
    double mass;
    double u[3]; // axis, of unit length
} MassPoint1D;

#define FIELD(...) CD_FIELD(MassPoint1D, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(position, VEC3, "m", "[0, 0, 0]", "", "point of the line where the coordinate is 0"),
    FIELD(axis, VEC3, "1", "[1, 0, 0]", "", "direction of the line in the world", .nonzero = true),
    FIELD(coordinate, REAL, "m", "0", "", "where it starts on the line"),
    FIELD(velocity, REAL, "m/s", "0", "", "along the line at the start"),
    FIELD(mass, REAL, "kg", NULL, "(0, inf)", "mass"),
};

// kernel
// adc: value = value(f)
// adc: lanes(value)
static void point1_frame(const MassPoint1D *p, const double q[1], double f[12]) {
    axpy3(q[0], p->u, p->position, &f[0]);
    eye33(&f[3]);
}

// M v' - weight
// adc: value = value(r)
// adc: lanes(value)
static void point1_residual(const MassPoint1D *p, const double gravity[3], const double v[1],
                            const double vdot[1], double r[1]) {
    double weight[3];
    scale3(p->mass, p->u, weight);
    r[0] = p->mass * vdot[0] - dot3(weight, gravity);
}
// end kernel
#include "body_point1.adc.h"
CDI_BODY_KERNELS(point1)

static CdStatus finish(CdReader *r, void *data) {
    MassPoint1D *b = data;
    (void)r;
    unit3(b->axis, b->u);
    return CD_OK;
}

static void start(const void *p, double *q, double *v) {
    const MassPoint1D *b = p;
    q[0] = b->coordinate;
    v[0] = b->velocity;
}

static void jacobian(const void *p, double *J) {
    copy3(((const MassPoint1D *)p)->u, J);
    zero3(J + 3);
}

static void user_frame(const void *p, CdFrame *x) {
    (void)p;
    zero3(x->p);
    eye33(x->R);
}

static double weight(const void *p) {
    return ((const MassPoint1D *)p)->mass;
}

static void mass(const void *p, double *M) {
    M[0] = weight(p);
}

static const char *const names[] = {"s"};

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

const CdItemClass cd_body_point1 = {
    .desc = {.name = "MassPoint1D",
             .doc = "Mass point that moves along a line; its axes do not turn",
             .size = sizeof(MassPoint1D),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"MassPoint1D\", \"name\": \"slider\", \"axis\": [1, 0, 0], "
                        "\"mass\": 2}"},
    .category = CD_BODY,
    .body = &law,
};
