// shape_cuboid.c - box with its centre at the origin
//
//   V = a b c,  I_xx = V (b^2 + c^2)/12
#include <string.h>

#include "geom/shape.h"

typedef struct Cuboid {
    double density;
    double size[3];
} Cuboid;

static const CdField fields[] = {
    CD_DENSITY_ROW(Cuboid),
    CD_FIELD(Cuboid, size, VEC3, "m", NULL, "(0, inf)", "lengths of the edges along x, y, z"),
};

static void solid(const void *p, CdSolid *s) {
    const double *a = ((const Cuboid *)p)->size;
    memset(s, 0, sizeof *s);
    s->volume = a[0] * a[1] * a[2];
    for (int i = 0; i < 3; i++) {
        const double b = a[(i + 1) % 3], c = a[(i + 2) % 3];
        s->inertia[4 * i] = s->volume * (b * b + c * c) / 12;
    }
}

static CdStatus mesh(const void *p, int segments, CdArena *arena, CdMesh *out) {
    (void)segments;
    return cdi_mesh_box(arena, ((const Cuboid *)p)->size, out);
}

const CdShapeClass cd_shape_cuboid = {
    .desc = {.name = "Cuboid",
             .doc = "Box with its centre at the origin",
             .size = sizeof(Cuboid),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.1], \"density\": 7850}"},
    .solid = solid,
    .mesh = mesh,
};
