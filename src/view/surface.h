// surface.h - surfaces for files of other programs: normals per corner, and coils of springs
#ifndef CARDAN_VIEW_SURFACE_H
#define CARDAN_VIEW_SURFACE_H

#include "geom/mesh.h"

// per corner of every triangle its place and its normal, three numbers each: smooth where faces
// meet at a small angle, an edge elsewhere
typedef struct CdSurface {
    int ncorners;
    float *points, *normals;
} CdSurface;

CdStatus cdi_surface(CdArena *arena, const CdMesh *mesh, CdSurface *surface);

// a wire wound about z from z = 0 to z = 1, radius 1, to be stretched to a length of `aspect` radii
CdStatus cdi_mesh_coil(CdArena *arena, double aspect, CdMesh *mesh);

#endif
