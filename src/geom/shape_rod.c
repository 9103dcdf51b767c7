// shape_rod.c - round bar between two points of the body frame
//
//   d = end - begin,  h = |d|,  V = pi r^2 h,  centre of mass half way
//   I = V (3 r^2 + h^2)/12 (E - u u^T) + V r^2/2 u u^T        u = d/h
//
// Unlike the slender rod of textbooks (r = 0) it keeps its small inertia about its own axis, so
// that it can move in space.
#include "desc/reader.h"
#include "geom/shape.h"

typedef struct Rod {
    double density;
    double begin[3], end[3];
    double radius;
} Rod;

static const CdField fields[] = {
    CD_DENSITY_ROW(Rod),
    CD_FIELD(Rod, begin, VEC3, "m", "[0, 0, 0]", "", "one end"),
    CD_FIELD(Rod, end, VEC3, "m", NULL, "", "the other end"),
    CD_FIELD(Rod, radius, REAL, "m", NULL, "(0, inf)", "radius"),
};

static CdStatus finish(CdReader *r, void *data) {
    const Rod *rod = data;
    double d[3];
    sub3(rod->end, rod->begin, d);
    if (norm3(d) > 0) return CD_OK;
    return cdi_reject_field(r, "end", "must differ from the other end, begin");
}

static void solid(const void *p, CdSolid *s) {
    const Rod *rod = p;
    double d[3], u[3];
    sub3(rod->end, rod->begin, d);
    unit3(d, u);
    const double h = norm3(d), r2 = rod->radius * rod->radius;
    s->volume = CD_PI * r2 * h;
    axpy3(0.5, d, rod->begin, s->com);
    const double across = s->volume * (3 * r2 + h * h) / 12, along = s->volume * r2 / 2;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            s->inertia[3 * i + j] = (i == j ? across : 0) + (along - across) * u[i] * u[j];
        }
    }
}

static CdStatus mesh(const void *p, int segments, CdArena *arena, CdMesh *out) {
    const Rod *rod = p;
    double d[3], centre[3], R[9];
    sub3(rod->end, rod->begin, d);
    axpy3(0.5, d, rod->begin, centre);
    cdi_mesh_along(d, R);
    CD_TRY(cdi_mesh_cylinder(arena, rod->radius, norm3(d), segments, out));
    cdi_mesh_move(out, centre, R);
    return CD_OK;
}

const CdShapeClass cd_shape_rod = {
    .desc = {.name = "Rod",
             .doc = "Solid round bar between two points",
             .size = sizeof(Rod),
             CD_FIELDS(fields),
             .finish = finish,
             .example = "{\"class\": \"Rod\", \"end\": [1, 0, 0], \"radius\": 0.01, "
                        "\"density\": 7850}"},
    .solid = solid,
    .mesh = mesh,
};
