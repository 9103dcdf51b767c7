// shape_sphere.c - ball with its centre at the origin
//
//   V = 4/3 pi r^3,  I = V 2/5 r^2
#include <string.h>

#include "geom/shape.h"

typedef struct Sphere {
    double density;
    double radius;
} Sphere;

static const CdField fields[] = {
    CD_DENSITY_ROW(Sphere),
    CD_FIELD(Sphere, radius, REAL, "m", NULL, "(0, inf)", "radius"),
};

static void solid(const void *p, CdSolid *s) {
    const double r = ((const Sphere *)p)->radius;
    memset(s, 0, sizeof *s);
    s->volume = 4 * CD_PI * r * r * r / 3;
    for (int i = 0; i < 3; i++) s->inertia[4 * i] = s->volume * 2 * r * r / 5;
}

static CdStatus mesh(const void *p, int segments, CdArena *arena, CdMesh *out) {
    return cdi_mesh_ball(arena, ((const Sphere *)p)->radius, segments, out);
}

const CdShapeClass cd_shape_sphere = {
    .desc = {.name = "Sphere",
             .doc = "Solid ball with its centre at the origin",
             .size = sizeof(Sphere),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Sphere\", \"radius\": 0.1, \"density\": 7850}"},
    .solid = solid,
    .mesh = mesh,
};
