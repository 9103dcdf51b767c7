// shape_cylinder.c - round solid about z with its centre at the origin
//
//   V = pi r^2 h,  I_zz = V r^2/2,  I_xx = I_yy = V (3 r^2 + h^2)/12
#include <string.h>

#include "geom/shape.h"

typedef struct Cylinder {
    double density;
    double radius, length;
} Cylinder;

static const CdField fields[] = {
    CD_DENSITY_ROW(Cylinder),
    CD_FIELD(Cylinder, radius, REAL, "m", NULL, "(0, inf)", "radius"),
    CD_FIELD(Cylinder, length, REAL, "m", NULL, "(0, inf)", "length along z"),
};

static void solid(const void *p, CdSolid *s) {
    const Cylinder *c = p;
    const double r2 = c->radius * c->radius, h = c->length;
    memset(s, 0, sizeof *s);
    s->volume = CD_PI * r2 * h;
    s->inertia[0] = s->inertia[4] = s->volume * (3 * r2 + h * h) / 12;
    s->inertia[8] = s->volume * r2 / 2;
}

static CdStatus mesh(const void *p, int segments, CdArena *arena, CdMesh *out) {
    const Cylinder *c = p;
    return cdi_mesh_cylinder(arena, c->radius, c->length, segments, out);
}

const CdShapeClass cd_shape_cylinder = {
    .desc = {.name = "Cylinder",
             .doc = "Solid cylinder about z with its centre at the origin",
             .size = sizeof(Cylinder),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Cylinder\", \"radius\": 0.05, \"length\": 0.3, "
                        "\"density\": 7850}"},
    .solid = solid,
    .mesh = mesh,
};
