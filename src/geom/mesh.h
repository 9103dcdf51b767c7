// mesh.h - surfaces of solids as triangles, for pictures
//
// Closed, seen from outside counter-clockwise. Round solids are drawn with a number of segments per
// full turn, their corners on the true surface. Memory is taken from an arena.
#ifndef CARDAN_GEOM_MESH_H
#define CARDAN_GEOM_MESH_H

#include "base/arena.h"

#define CD_SEGMENTS_MIN 3
#define CD_SEGMENTS_MAX 1024

typedef struct CdMesh {
    int nvertices, ntriangles, nedges;
    double *vertices; // 3 each
    int *triangles;   // 3 each
    int *edges;       // 2 each: those that a draughtsman draws, where the surface has a crease
} CdMesh;

// turned about z: corners (radius, z in turn) of an outline that is passed with the solid on its
// left, seen with r to the right and z up; from axis to axis, or closed in itself. Without
// `creases` it is smooth where the outline has corners.
CdStatus cdi_mesh_turned(CdArena *arena, int n, const double *outline, bool closed, bool creases,
                         int segments, CdMesh *mesh);
// a convex polygon of the plane x, y (in turn), counter-clockwise, from z0 to z1
CdStatus cdi_mesh_prism(CdArena *arena, int n, const double *corners, double z0, double z1,
                        CdMesh *mesh);
// solids that others are made of: about z with their centre at the origin
CdStatus cdi_mesh_cylinder(CdArena *arena, double radius, double length, int segments,
                           CdMesh *mesh);
CdStatus cdi_mesh_tube(CdArena *arena, double radius, double bore, double length, int segments,
                       CdMesh *mesh);
CdStatus cdi_mesh_ball(CdArena *arena, double radius, int segments, CdMesh *mesh);
CdStatus cdi_mesh_box(CdArena *arena, const double size[3], CdMesh *mesh);
// base in the plane z = 0, tip at z = height
CdStatus cdi_mesh_cone(CdArena *arena, double radius, double height, int segments, CdMesh *mesh);

// vertices become p + R x
void cdi_mesh_move(CdMesh *mesh, const double p[3], const double R[9]);
// a rotation whose z is along d, which is not zero
void cdi_mesh_along(const double d[3], double R[9]);

#endif
