// shape_tube.c - hollow cylinder about z with its centre at the origin
//
//   V = pi (R^2 - r^2) h,  I_zz = V (R^2 + r^2)/2,  I_xx = I_yy = V (3 (R^2 + r^2) + h^2)/12
#include <string.h>

#include "desc/reader.h"
#include "geom/shape.h"

typedef struct Tube {
    double density;
    double radius, inner_radius, length;
} Tube;

static const CdField fields[] = {
    CD_DENSITY_ROW(Tube),
    CD_FIELD(Tube, radius, REAL, "m", NULL, "(0, inf)", "outer radius"),
    CD_FIELD(Tube, inner_radius, REAL, "m", NULL, "[0, inf)", "radius of the bore"),
    CD_FIELD(Tube, length, REAL, "m", NULL, "(0, inf)", "length along z"),
};

static CdStatus finish(CdReader *r, void *data) {
    const Tube *t = data;
    if (t->inner_radius < t->radius) return CD_OK;
    return cdi_reject_field(r, "inner_radius", "must be less than the radius, %g m, not %g m",
                            t->radius, t->inner_radius);
}

static void solid(const void *p, CdSolid *s) {
    const Tube *t = p;
    const double R = t->radius, r = t->inner_radius, h = t->length, sum = R * R + r * r;
    memset(s, 0, sizeof *s);
    s->volume = CD_PI * (R - r) * (R + r) * h;
    s->inertia[0] = s->inertia[4] = s->volume * (3 * sum + h * h) / 12;
    s->inertia[8] = s->volume * sum / 2;
}

static CdStatus mesh(const void *p, int segments, CdArena *arena, CdMesh *out) {
    const Tube *t = p;
    return cdi_mesh_tube(arena, t->radius, t->inner_radius, t->length, segments, out);
}

const CdShapeClass cd_shape_tube = {
    .desc = {.name = "Tube",
             .doc = "Hollow cylinder about z with its centre at the origin",
             .size = sizeof(Tube),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"Tube\", \"radius\": 0.05, \"inner_radius\": 0.04, "
                        "\"length\": 0.3, \"density\": 7850}"},
    .solid = solid,
    .mesh = mesh,
};
