// faces.h - flat pieces of a picture, and the order in which they are painted
//
// A face is a convex polygon in coordinates of the picture (camera.h), or a line of two points.
#ifndef CARDAN_VIEW_FACES_H
#define CARDAN_VIEW_FACES_H

#include "view/camera.h"

typedef struct CdFace {
    int first, n;    // vertices; n = 2: a line
    int group;       // what it is a part of; those of one group are told together where that goes
    int tone;        // of light, 0 dark to CD_TONES - 1; of lines 0
    double plane[3]; // z = plane . (x, y, 1); not of lines
    double area;
    double box[4]; // least x, y, greatest x, y
    bool split;    // its pieces took its place
} CdFace;

#define CD_TONES 8

typedef struct CdFaces {
    CdContext *ctx;
    CD_ARRAY(double) xyz; // 3 per vertex
    CD_ARRAY(bool) edge;  // per vertex: is the edge to the next one drawn?
    CD_ARRAY(CdFace) v;
    CD_ARRAY(int) order; // from the back to the front, after cdi_faces_sort
} CdFaces;

void cdi_faces_free(CdFaces *faces);
void cdi_faces_clear(CdFaces *faces); // keep the memory

// those of a mesh in a world pose that look at the eye: flat triangles side by side become one
// face; creases and outlines are edges to draw. Edges without triangles become lines.
CdStatus cdi_faces_mesh(CdFaces *faces, const CdCamera *camera, const CdFrame *pose,
                        const CdMesh *mesh, int group);
// points: x, y, z in turn
CdStatus cdi_faces_line(CdFaces *faces, const double *points, int n, int group);

// what is behind comes first; faces that go through each other are cut
CdStatus cdi_faces_sort(CdFaces *faces);

// inside: a vertex, and a face of the last n vertices
CdStatus cdi_faces_vertex(CdFaces *faces, const double x[3], bool edge);
CdStatus cdi_faces_add(CdFaces *faces, int n, int group, int tone);

#endif
