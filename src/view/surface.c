// surface.c - surfaces for files of other programs: normals per corner, and coils of springs
#include "view/surface.h"

#include <math.h>
#include <string.h>

#include "math/turns.h"
#include "math/vec3.h"

#define COS_CREASE 0.82 // faces that meet at less than 35 degrees are one smooth surface
#define AROUND 6        // corners of the wire's cross-section
#define PER_TURN 16     // of them along a turn
#define WIRE 0.17       // radius of the wire
#define PITCH 2.4       // between turns, as far as there is room for them
#define TURNS_MIN 4
#define TURNS_MAX 12
#define STEM 0.12 // part of the length at each end that is straight

// ---- normals

// twice the area along the normal
static void face(const CdMesh *mesh, int triangle, double n[3]) {
    const int *t = mesh->triangles + 3 * triangle;
    double a[3], b[3];
    sub3(mesh->vertices + 3 * t[1], mesh->vertices + 3 * t[0], a);
    sub3(mesh->vertices + 3 * t[2], mesh->vertices + 3 * t[0], b);
    cross3(a, b, n);
}

static void to_unit(double n[3]) {
    const double fallback[3] = {0, 0, 1}, norm = norm3(n);
    if (norm > 0 && isfinite(norm)) {
        scale3(1 / norm, n, n);
    } else {
        copy3(fallback, n);
    }
}

// triangles at every vertex, as chains of corners
typedef struct Corners {
    int *first, *next; // -1: none
} Corners;

static void chain(const CdMesh *mesh, Corners *c) {
    for (int i = 0; i < mesh->nvertices; i++) c->first[i] = -1;
    for (int i = 0; i < 3 * mesh->ntriangles; i++) {
        c->next[i] = c->first[mesh->triangles[i]];
        c->first[mesh->triangles[i]] = i;
    }
}

static void corner_normal(const CdMesh *mesh, const Corners *c, int corner, double sum[3]) {
    double own[3], other[3], unit[3];
    face(mesh, corner / 3, own);
    to_unit(own);
    zero3(sum);
    for (int i = c->first[mesh->triangles[corner]]; i >= 0; i = c->next[i]) {
        face(mesh, i / 3, other);
        copy3(other, unit);
        to_unit(unit);
        if (dot3(own, unit) > COS_CREASE) add3(sum, other, sum);
    }
    to_unit(sum);
}

CdStatus cdi_surface(CdArena *arena, const CdMesh *mesh, CdSurface *s) {
    const size_t n = 3 * (size_t)mesh->ntriangles;
    Corners c = {CD_TAKE(arena, int, (size_t)mesh->nvertices), CD_TAKE(arena, int, n)};
    *s = (CdSurface){(int)n, CD_TAKE(arena, float, 3 * n), CD_TAKE(arena, float, 3 * n)};
    if (!c.first || !c.next || !s->points || !s->normals) return CD_NOMEM;
    chain(mesh, &c);
    for (size_t i = 0; i < n; i++) {
        double normal[3];
        corner_normal(mesh, &c, (int)i, normal);
        for (size_t k = 0; k < 3; k++) {
            s->points[3 * i + k] = (float)mesh->vertices[3 * (size_t)mesh->triangles[i] + k];
            s->normals[3 * i + k] = (float)normal[k];
        }
    }
    return CD_OK;
}

// ---- coils

// the wire's middle, its way out from the axis and the normal of both at part s of the way
static void wire(double s, double turns, double p[3], double out[3], double side[3]) {
    const double straight = s < STEM ? s / STEM : s > 1 - STEM ? (1 - s) / STEM : 1;
    const double angle = CD_TWO_PI * turns * (s - STEM) / (1 - 2 * STEM), c = cos(angle);
    const double e[3] = {c, sin(angle), 0}, z[3] = {0, 0, 1};
    // the ends lead from the axis to the turns
    scale3(straight, e, p);
    p[2] = s;
    copy3(e, out);
    copy3(z, side);
}

static void ring(double s, double turns, double aspect, double *vertices) {
    double p[3], out[3], side[3];
    wire(s, turns, p, out, side);
    for (int i = 0; i < AROUND; i++) {
        const double a = CD_TWO_PI * i / AROUND;
        for (int k = 0; k < 3; k++) {
            vertices[3 * i + k] =
                p[k] + WIRE * (cos(a) * out[k] + sin(a) / (k == 2 ? aspect : 1) * side[k]);
        }
    }
}

CdStatus cdi_mesh_coil(CdArena *arena, double aspect, CdMesh *mesh) {
    const double fit = floor((1 - 2 * STEM) * aspect / PITCH);
    const int turns = (int)fmin(fmax(fit, TURNS_MIN), TURNS_MAX), rings = PER_TURN * turns + 1;
    *mesh = (CdMesh){.nvertices = AROUND * rings, .ntriangles = 2 * AROUND * (rings - 1)};
    mesh->vertices = CD_TAKE(arena, double, 3 * (size_t)mesh->nvertices);
    mesh->triangles = CD_TAKE(arena, int, 3 * (size_t)mesh->ntriangles);
    if (!mesh->vertices || !mesh->triangles) return CD_NOMEM;
    for (int r = 0; r < rings; r++) {
        ring((double)r / (rings - 1), turns, aspect, mesh->vertices + 3 * (size_t)(AROUND * r));
    }
    int *t = mesh->triangles;
    for (int r = 0; r + 1 < rings; r++) {
        for (int i = 0; i < AROUND; i++) {
            const int a = AROUND * r + i, b = AROUND * r + (i + 1) % AROUND;
            const int two[6] = {a, b, b + AROUND, a, b + AROUND, a + AROUND};
            memcpy(t, two, sizeof two);
            t += 6;
        }
    }
    return CD_OK;
}
