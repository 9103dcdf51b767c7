// shape.c - the list of solids, and their mass properties at their density
#include "geom/shape.h"

#define SHAPE(object) extern const CdShapeClass object;
#include "geom/shapes.def"
#undef SHAPE

const CdDesc *const cdi_shape_classes[] = {
#define SHAPE(object) &object.desc,
#include "geom/shapes.def"
#undef SHAPE
    NULL};

void cdi_shape_mass(const CdDesc *desc, const void *p, double *mass, double com[3],
                    double inertia[9]) {
    // the class begins with its descriptor, the struct with its density
    const CdShapeClass *cls = (const CdShapeClass *)(const void *)desc;
    const double density = *(const double *)p;
    CdSolid s;
    cls->solid(p, &s);
    *mass = density * s.volume;
    copy3(s.com, com);
    scale33(density, s.inertia, inertia);
}
