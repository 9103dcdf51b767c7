// shape.c - the list of solids, their mass properties at their density, their surfaces
#include "geom/shape.h"

#define SHAPE(object) extern const CdShapeClass object;
#include "geom/shapes.def"
#undef SHAPE

const CdDesc *const cdi_shape_classes[] = {
#define SHAPE(object) &object.desc,
#include "geom/shapes.def"
#undef SHAPE
    NULL};

// a class begins with its descriptor
static const CdShapeClass *class_of(const CdDesc *desc) {
    return (const CdShapeClass *)(const void *)desc;
}

void cdi_shape_mass(const CdDesc *desc, const void *p, double *mass, double com[3],
                    double inertia[9]) {
    // the struct begins with its density
    const double density = *(const double *)p;
    CdSolid s;
    class_of(desc)->solid(p, &s);
    *mass = density * s.volume;
    copy3(s.com, com);
    scale33(density, s.inertia, inertia);
}

CdStatus cdi_shape_mesh(const CdDesc *desc, const void *p, int segments, CdArena *arena,
                        CdMesh *mesh) {
    return class_of(desc)->mesh(p, segments, arena, mesh);
}
