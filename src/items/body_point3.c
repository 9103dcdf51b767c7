// body_point3.c - mass point that moves in space
//
//   q = p_WP,   M = m I
#include "items/frame.h"
#include "items/lanes.h"

typedef struct MassPoint3D {
    double position[3], velocity[3];
    double mass;
} MassPoint3D;

#define FIELD(...) CD_FIELD(MassPoint3D, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(position, VEC3, "m", "[0, 0, 0]", "", "where it starts"),
    FIELD(velocity, VEC3, "m/s", "[0, 0, 0]", "", "at the start"),
    FIELD(mass, REAL, "kg", NULL, "(0, inf)", "mass"),
};

// kernel
// adc: value = value(f)
// adc: lanes(value)
static void point3_frame(const MassPoint3D *p, const double q[3], double f[12]) {
    copy3(q, &f[0]);
    eye33(&f[3]);
}

// M v' - weight
// adc: value = value(r)
// adc: lanes(value)
static void point3_residual(const MassPoint3D *p, const double gravity[3], const double v[3],
                            const double vdot[3], double r[3]) {
    for (int i = 0; i < 3; i++) r[i] = p->mass * vdot[i] - p->mass * gravity[i];
}
// end kernel
#include "body_point3.adc.h"
CDI_BODY_KERNELS(point3)

static void start(const void *p, double *q, double *v) {
    const MassPoint3D *b = p;
    copy3(b->position, q);
    copy3(b->velocity, v);
}

static void jacobian(const void *p, double *J) {
    (void)p;
    for (int i = 0; i < 18; i++) J[i] = i < 9 && i % 4 == 0;
}

static void user_frame(const void *p, CdFrame *x) {
    (void)p;
    zero3(x->p);
    eye33(x->R);
}

static double weight(const void *p) {
    return ((const MassPoint3D *)p)->mass;
}

static void mass(const void *p, double *M) {
    for (int i = 0; i < 9; i++) M[i] = i % 4 == 0 ? weight(p) : 0;
}

static const char *const names[] = {"x", "y", "z"};

static const CdBodyLaw law = {
    .nq = 3,
    .nv = 3,
    .names = names,
    .start = start,
    .jacobian = jacobian,
    .user_frame = user_frame,
    .mass = mass,
    .weight = weight,
    CDI_BODY_LAW,
};

const CdItemClass cd_body_point3 = {
    .desc = {.name = "MassPoint3D",
             .doc = "Mass point that moves in space; its axes do not turn",
             .size = sizeof(MassPoint3D),
             CD_FIELDS(fields),
             .example = "{\"class\": \"MassPoint3D\", \"name\": \"bob\", \"position\": "
                        "[1, 0, 0.5], \"mass\": 2}"},
    .category = CD_BODY,
    .body = &law,
};
