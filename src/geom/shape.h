// shape.h - simple solids: mass properties and what they look like; one file per class
#ifndef CARDAN_GEOM_SHAPE_H
#define CARDAN_GEOM_SHAPE_H

#include "desc/desc.h"
#include "geom/mesh.h"
#include "math/mat3.h"
#include "math/turns.h"

// of a solid of unit density, in its own frame
typedef struct CdSolid {
    double volume;     // m^3
    double com[3];     // m
    double inertia[9]; // m^5, about the centre of mass
} CdSolid;

typedef struct CdShapeClass {
    CdDesc desc; // the struct has a member `density` as its first
    void (*solid)(const void *p, CdSolid *solid);
    CdStatus (*mesh)(const void *p, int segments, CdArena *arena, CdMesh *mesh);
} CdShapeClass;

#define CD_DENSITY_ROW(T) \
    CD_FIELD(T, density, REAL, "kg/m^3", "1000", "(0, inf)", "mass per volume")

extern const CdDesc *const cdi_shape_classes[]; // NULL-terminated, order of shapes.def

// mass, centre of mass and inertia about it, of an object of one of these classes
void cdi_shape_mass(const CdDesc *desc, const void *p, double *mass, double com[3],
                    double inertia[9]);
// its surface, with so many segments per turn
CdStatus cdi_shape_mesh(const CdDesc *desc, const void *p, int segments, CdArena *arena,
                        CdMesh *mesh);

#endif
