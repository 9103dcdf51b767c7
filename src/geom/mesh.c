// mesh.c - turned solids and prisms as triangles
//
// A turned solid has a ring of `segments` vertices for each corner of its outline, one vertex for a
// corner on the axis; between two corners lies a band of quadrilaterals, or a fan at the axis.
#include "geom/mesh.h"

#include "math/mat3.h"
#include "math/turns.h"

// corners of half a circle, for the outline of a ball
#define BALL_CORNERS_MAX (CD_SEGMENTS_MAX / 2 + 1)

static CdStatus take(CdArena *arena, int nvertices, int ntriangles, int nedges, CdMesh *mesh) {
    *mesh = (CdMesh){0};
    mesh->vertices = CD_TAKE(arena, double, 3 * (size_t)nvertices);
    mesh->triangles = CD_TAKE(arena, int, 3 * (size_t)ntriangles);
    mesh->edges = CD_TAKE(arena, int, 2 * (size_t)nedges);
    return mesh->vertices && mesh->triangles && mesh->edges ? CD_OK : CD_NOMEM;
}

static void add_vertex(CdMesh *mesh, double x, double y, double z) {
    double *v = mesh->vertices + 3 * mesh->nvertices++;
    v[0] = x;
    v[1] = y;
    v[2] = z;
}

static void add_triangle(CdMesh *mesh, int a, int b, int c) {
    int *t = mesh->triangles + 3 * mesh->ntriangles++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void add_edge(CdMesh *mesh, int a, int b) {
    int *e = mesh->edges + 2 * mesh->nedges++;
    e[0] = a;
    e[1] = b;
}

// ---- turned solids

static int ring_size(const double corner[2], int segments) {
    return corner[0] > 0 ? segments : 1;
}

static void add_ring(CdMesh *mesh, const double corner[2], int segments) {
    const int n = ring_size(corner, segments);
    for (int k = 0; k < n; k++) {
        const double angle = CD_TWO_PI * k / segments;
        add_vertex(mesh, corner[0] * cos(angle), corner[0] * sin(angle), corner[1]);
    }
}

// between rings that begin at vertices a and b
static void add_band(CdMesh *mesh, int a, int na, int b, int nb, int segments) {
    for (int k = 0; k < segments; k++) {
        const int next = (k + 1) % segments;
        if (na > 1) add_triangle(mesh, a + k, a + next, nb > 1 ? b + next : b);
        if (nb > 1) add_triangle(mesh, na > 1 ? a + k : a, b + next, b + k);
    }
}

static int clamp(int n, int low, int high) {
    return n < low ? low : n > high ? high : n;
}

CdStatus cdi_mesh_turned(CdArena *arena, int n, const double *outline, bool closed, bool creases,
                         int segments, CdMesh *mesh) {
    segments = clamp(segments, CD_SEGMENTS_MIN, CD_SEGMENTS_MAX);
    const int bands = closed ? n : n - 1;
    CD_TRY(take(arena, n * segments, 2 * bands * segments, n * segments, mesh));
    int first = 0;
    for (int i = 0; i < n; i++) {
        first = mesh->nvertices;
        add_ring(mesh, outline + 2 * i, segments);
        if (!creases || ring_size(outline + 2 * i, segments) == 1) continue;
        for (int k = 0; k < segments; k++) add_edge(mesh, first + k, first + (k + 1) % segments);
    }
    int a = 0;
    for (int i = 0; i < bands; i++) {
        const int next = (i + 1) % n, na = ring_size(outline + 2 * i, segments);
        const int b = next == 0 ? 0 : a + na;
        add_band(mesh, a, na, b, ring_size(outline + 2 * next, segments), segments);
        a = b;
    }
    return CD_OK;
}

CdStatus cdi_mesh_cylinder(CdArena *arena, double radius, double length, int segments,
                           CdMesh *mesh) {
    const double h = length / 2;
    const double outline[] = {0, -h, radius, -h, radius, h, 0, h};
    return cdi_mesh_turned(arena, 4, outline, false, true, segments, mesh);
}

CdStatus cdi_mesh_tube(CdArena *arena, double radius, double bore, double length, int segments,
                       CdMesh *mesh) {
    const double h = length / 2;
    const double outline[] = {radius, -h, radius, h, bore, h, bore, -h};
    if (!(bore > 0)) return cdi_mesh_cylinder(arena, radius, length, segments, mesh);
    return cdi_mesh_turned(arena, 4, outline, true, true, segments, mesh);
}

CdStatus cdi_mesh_cone(CdArena *arena, double radius, double height, int segments, CdMesh *mesh) {
    const double outline[] = {0, 0, radius, 0, 0, height};
    return cdi_mesh_turned(arena, 3, outline, false, true, segments, mesh);
}

CdStatus cdi_mesh_ball(CdArena *arena, double radius, int segments, CdMesh *mesh) {
    double outline[2 * BALL_CORNERS_MAX];
    const int bands = clamp(segments / 2, 2, BALL_CORNERS_MAX - 1);
    for (int i = 0; i <= bands; i++) {
        const double angle = CD_PI * i / bands;
        outline[2 * i] = i == 0 || i == bands ? 0 : radius * sin(angle);
        outline[2 * i + 1] = -radius * cos(angle);
    }
    return cdi_mesh_turned(arena, bands + 1, outline, false, false, segments, mesh);
}

// ---- prisms

CdStatus cdi_mesh_prism(CdArena *arena, int n, const double *corners, double z0, double z1,
                        CdMesh *mesh) {
    CD_TRY(take(arena, 2 * n, 2 * n + 2 * (n - 2), 3 * n, mesh));
    for (int i = 0; i < n; i++) add_vertex(mesh, corners[2 * i], corners[2 * i + 1], z0);
    for (int i = 0; i < n; i++) add_vertex(mesh, corners[2 * i], corners[2 * i + 1], z1);
    for (int i = 0; i < n; i++) {
        const int next = (i + 1) % n;
        add_triangle(mesh, i, next, n + next);
        add_triangle(mesh, i, n + next, n + i);
        add_edge(mesh, i, next);
        add_edge(mesh, n + i, n + next);
        add_edge(mesh, i, n + i);
    }
    for (int i = 1; i + 1 < n; i++) {
        add_triangle(mesh, 0, i + 1, i);
        add_triangle(mesh, n, n + i, n + i + 1);
    }
    return CD_OK;
}

CdStatus cdi_mesh_box(CdArena *arena, const double size[3], CdMesh *mesh) {
    const double x = size[0] / 2, y = size[1] / 2, z = size[2] / 2;
    const double corners[] = {-x, -y, x, -y, x, y, -x, y};
    return cdi_mesh_prism(arena, 4, corners, -z, z, mesh);
}

// ---- places

void cdi_mesh_move(CdMesh *mesh, const double p[3], const double R[9]) {
    for (int i = 0; i < mesh->nvertices; i++) {
        double *v = mesh->vertices + 3 * i, x[3];
        mul3v(R, v, x);
        add3(p, x, v);
    }
}

void cdi_mesh_along(const double d[3], double R[9]) {
    double x[3], y[3], z[3], e[3] = {0};
    unit3(d, z);
    // across the axis of the world that is most across itself
    int least = 0;
    for (int i = 1; i < 3; i++) least = fabs(z[i]) < fabs(z[least]) ? i : least;
    e[least] = 1;
    cross3(e, z, y);
    unit3(y, x);
    cross3(z, x, y);
    for (int i = 0; i < 3; i++) {
        R[3 * i] = x[i];
        R[3 * i + 1] = y[i];
        R[3 * i + 2] = z[i];
    }
}
