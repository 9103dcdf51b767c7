// shape_cone.c - cone about z: its base is in the plane z = 0, its tip at z = height
//
//   V = pi r^2 h/3,  centre of mass at h/4,  I_zz = V 3/10 r^2,  I_xx = I_yy = V 3/80 (4 r^2 + h^2)
#include <string.h>

#include "geom/shape.h"

typedef struct Cone {
    double density;
    double radius, height;
} Cone;

static const CdField fields[] = {
    CD_DENSITY_ROW(Cone),
    CD_FIELD(Cone, radius, REAL, "m", NULL, "(0, inf)", "radius of the base"),
    CD_FIELD(Cone, height, REAL, "m", NULL, "(0, inf)", "from the base to the tip, along z"),
};

static void solid(const void *p, CdSolid *s) {
    const Cone *c = p;
    const double r2 = c->radius * c->radius, h = c->height;
    memset(s, 0, sizeof *s);
    s->volume = CD_PI * r2 * h / 3;
    s->com[2] = h / 4;
    s->inertia[0] = s->inertia[4] = s->volume * 3 * (4 * r2 + h * h) / 80;
    s->inertia[8] = s->volume * 3 * r2 / 10;
}

static CdStatus mesh(const void *p, int segments, CdArena *arena, CdMesh *out) {
    const Cone *c = p;
    return cdi_mesh_cone(arena, c->radius, c->height, segments, out);
}

const CdShapeClass cd_shape_cone = {
    .desc = {.name = "Cone",
             .doc = "Cone with its base in the plane z = 0 and its tip on the axis z",
             .size = sizeof(Cone),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Cone\", \"radius\": 0.1, \"height\": 0.3, "
                        "\"density\": 7850}"},
    .solid = solid,
    .mesh = mesh,
};
