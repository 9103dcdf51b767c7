// body_point2.c - mass point that moves in a plane z = constant
//
//   q = (x, y),  p_WP = (x, y, z0),   M = m I
#include "items/frame.h"
#include "items/lanes.h"

typedef struct MassPoint2D {
    double position[3], velocity[3];
    double mass;
} MassPoint2D;

#define FIELD(...) CD_FIELD(MassPoint2D, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(position, VEC3, "m", "[0, 0, 0]", "", "where it starts; z stays as it is"),
    FIELD(velocity, VEC3, "m/s", "[0, 0, 0]", "", "at the start, its z is 0"),
    FIELD(mass, REAL, "kg", NULL, "(0, inf)", "mass"),
};

// kernel
// adc: value = value(f)
// adc: lanes(value)
static void point2_frame(const MassPoint2D *p, const double q[2], double f[12]) {
    f[0] = q[0];
    f[1] = q[1];
    f[2] = p->position[2];
    eye33(&f[3]);
}

// M v' - weight
// adc: value = value(r)
// adc: lanes(value)
static void point2_residual(const MassPoint2D *p, const double gravity[3], const double v[2],
                            const double vdot[2], double r[2]) {
    for (int i = 0; i < 2; i++) r[i] = p->mass * vdot[i] - p->mass * gravity[i];
}
// end kernel
#include "body_point2.adc.h"
CDI_BODY_KERNELS(point2)

static CdStatus finish(CdReader *r, void *data) {
    const MassPoint2D *b = data;
    if (b->velocity[2] == 0) return CD_OK;
    return cdi_reject_field(r, "velocity", "must lie in the plane x, y; its z is %g, not 0",
                            b->velocity[2]);
}

static void start(const void *p, double *q, double *v) {
    const MassPoint2D *b = p;
    for (int i = 0; i < 2; i++) {
        q[i] = b->position[i];
        v[i] = b->velocity[i];
    }
}

static void jacobian(const void *p, double *J) {
    (void)p;
    for (int i = 0; i < 12; i++) J[i] = i == 0 || i == 3;
}

static void user_frame(const void *p, CdFrame *x) {
    (void)p;
    zero3(x->p);
    eye33(x->R);
}

static double weight(const void *p) {
    return ((const MassPoint2D *)p)->mass;
}

static void mass(const void *p, double *M) {
    M[0] = M[3] = weight(p);
    M[1] = M[2] = 0;
}

static const char *const names[] = {"x", "y"};

static const CdBodyLaw law = {
    .nq = 2,
    .nv = 2,
    .names = names,
    .start = start,
    .jacobian = jacobian,
    .user_frame = user_frame,
    .mass = mass,
    .weight = weight,
    CDI_BODY_LAW,
};

const CdItemClass cd_body_point2 = {
    .desc = {.name = "MassPoint2D",
             .doc = "Mass point that moves in the plane x, y; its axes do not turn",
             .size = sizeof(MassPoint2D),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"MassPoint2D\", \"name\": \"bob\", \"position\": [1, 0, 0], "
                        "\"mass\": 2}"},
    .category = CD_BODY,
    .body = &law,
};
