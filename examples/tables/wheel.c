// wheel.c - a driven wheel, described by one table; everything the example prints follows from it
#include "wheel.h"

#include "desc/function.h"
#include "desc/reader.h"

// the shape is one of two classes
typedef struct Disc {
    double width;
} Disc;

#define DISC(...) CD_FIELD(Disc, __VA_ARGS__)
static const CdField disc_fields[] = {
    DISC(width, REAL, "m", NULL, "(0, inf)", "width of the tread"),
};
static const CdDesc cd_disc = {
    .name = "Disc",
    .doc = "Solid disc",
    .size = sizeof(Disc),
    CD_FIELDS(disc_fields),
};

typedef struct Ring {
    double width, inner_radius;
} Ring;

#define RING(...) CD_FIELD(Ring, __VA_ARGS__)
static const CdField ring_fields[] = {
    RING(width, REAL, "m", NULL, "(0, inf)", "width of the tread"),
    RING(inner_radius, REAL, "m", NULL, "(0, inf)", "radius of the hole"),
};
static const CdDesc cd_ring = {
    .name = "Ring",
    .doc = "Disc with a round hole",
    .size = sizeof(Ring),
    CD_FIELDS(ring_fields),
};

static const CdDesc *const shapes[] = {&cd_disc, &cd_ring, NULL};
static const char *const laws[] = {"dry", "viscous", "none", NULL};

typedef struct Wheel {
    CdRef hub;
    double radius, mass;
    double axis[3];
    CdVariant shape;
    int friction;
    double friction_coefficient;
    CdFunction torque;
    CdMatrix road;
    CdList spokes;
} Wheel;

static CdStatus finish(CdReader *r, void *data) {
    const Wheel *p = data;
    if (p->shape.desc != &cd_ring) return CD_OK;
    const Ring *ring = p->shape.data;
    if (ring->inner_radius < p->radius) return CD_OK;
    return cdi_reject_field(r, "shape", "inner_radius must be below the radius of the wheel, %g m",
                            p->radius);
}

#define FIELD(...) CD_FIELD(Wheel, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(hub, REF, "", NULL, "", "where the wheel is mounted", .target = "marker"),
    FIELD(radius, REAL, "m", NULL, "(0, inf)", "rolling radius"),
    FIELD(mass, REAL, "kg", NULL, "(0, inf)", "mass with tyre"),
    FIELD(axis, VEC3, "1", "[0, 1, 0]", "", "direction of the axle", .nonzero = true),
    FIELD(shape, VARIANT, "", "{\"class\": \"Disc\", \"width\": 0.2}", "", "for its inertia",
          .variants = shapes),
    FIELD(friction, ENUM, "", "\"dry\"", "", "law of friction in the contact", .names = laws),
    FIELD(friction_coefficient, REAL, "1", "0.8", "[0, 2]", "friction over normal force"),
    FIELD(torque, FUNCTION, "N*m", "0", "", "drive torque over time"),
    FIELD(road, TABLE, "m", "null", "", "height of the road: rows [distance, height]", .cols = 2),
    FIELD(spokes, REAL, "rad", "[]", "[0, 6.3]", "angles of the spokes", .list = true,
          .count = "[0, 64]"),
};

const CdDesc cd_wheel = {
    .name = "Wheel",
    .doc = "Driven wheel that rolls on a road",
    .size = sizeof(Wheel),
    CD_FIELDS(fields),
    .example = "{\"class\": \"Wheel\", \"hub\": \"axle\", \"radius\": \"300 mm\", \"mass\": 12}",
    .finish = finish,
};
