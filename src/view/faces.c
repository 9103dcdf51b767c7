// faces.c - from triangles to faces: what looks at the eye, joined where it is flat
#include "view/faces.h"

#include <stdlib.h>
#include <string.h>

// cosine of the angle from which on neighbours are one face
#define SAME_PLANE (1 - 1e-9)
// sine, per vertex, that rounding may cost a convex face
#define CONVEX 1e-9
// of a normal's z, below which a face is seen edge-on
#define EDGE_ON 1e-9
// light from above, from the left, from the eye
static const double light[3] = {-0.36, 0.56, 0.745};
static const double ambient = 0.25;

void cdi_faces_free(CdFaces *f) {
    cdi_array_free(f->ctx, &f->xyz.any);
    cdi_array_free(f->ctx, &f->edge.any);
    cdi_array_free(f->ctx, &f->v.any);
    cdi_array_free(f->ctx, &f->order.any);
}

void cdi_faces_clear(CdFaces *f) {
    f->xyz.n = f->edge.n = f->v.n = f->order.n = 0;
}

// ---- one face

CdStatus cdi_faces_vertex(CdFaces *f, const double x[3], bool edge) {
    CD_TRY(cdi_array_fit(f->ctx, &f->xyz.any, 3, sizeof *f->xyz.v));
    memcpy(f->xyz.v + f->xyz.n, x, 3 * sizeof *x);
    f->xyz.n += 3;
    return CD_PUSH(f->ctx, f->edge, edge);
}

// area and plane by Newell's sums, exact for flat polygons and fair for others
static void measure(const double *x, CdFace *face) {
    double normal[3] = {0}, centre[3] = {0};
    for (int i = 0; i < face->n; i++) {
        const double *a = x + 3 * i, *b = x + 3 * ((i + 1) % face->n);
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            normal[k] += (a[l] - b[l]) * (a[m] + b[m]);
            centre[k] += a[k] / face->n;
        }
    }
    face->area = normal[2] / 2;
    if (!(face->area > 0)) return;
    face->plane[0] = -normal[0] / normal[2];
    face->plane[1] = -normal[1] / normal[2];
    face->plane[2] = centre[2] - face->plane[0] * centre[0] - face->plane[1] * centre[1];
}

CdStatus cdi_faces_add(CdFaces *f, int n, int group, int tone) {
    CdFace face = {.first = (int)f->edge.n - n, .n = n, .group = group, .tone = tone};
    const double *x = f->xyz.v + 3 * (size_t)face.first;
    for (int k = 0; k < 2; k++) {
        face.box[k] = face.box[2 + k] = x[k];
        for (int i = 1; i < n; i++) {
            face.box[k] = fmin(face.box[k], x[3 * i + k]);
            face.box[2 + k] = fmax(face.box[2 + k], x[3 * i + k]);
        }
    }
    if (n > 2) measure(x, &face);
    return CD_PUSH(f->ctx, f->v, face);
}

CdStatus cdi_faces_line(CdFaces *f, const double *points, int n, int group) {
    for (int i = 0; i + 1 < n; i++) {
        CD_TRY(cdi_faces_vertex(f, points + 3 * i, true));
        CD_TRY(cdi_faces_vertex(f, points + 3 * (i + 1), false));
        CD_TRY(cdi_faces_add(f, 2, group, 0));
    }
    return CD_OK;
}

// ---- a mesh

typedef struct Side { // of a triangle
    int from, to, triangle;
} Side;

typedef struct Work {
    CdFaces *faces;
    const CdMesh *mesh;
    CdArena arena;
    double *x;             // vertices in the picture
    double (*normal)[3];   // of triangles, of unit length
    Side *sides, *creases; // sorted
    bool *used;
    int *loop; // vertices of the face that grows
    int n;
} Work;

static int compare(const void *a, const void *b) {
    const Side *x = a, *y = b;
    if (x->from != y->from) return (x->from > y->from) - (x->from < y->from);
    return (x->to > y->to) - (x->to < y->to);
}

static Side *find(Side *sides, int n, int from, int to) {
    const Side key = {from, to, 0};
    return bsearch(&key, sides, (size_t)n, sizeof key, compare);
}

static CdStatus prepare(Work *w, const CdCamera *camera, const CdFrame *pose) {
    const CdMesh *m = w->mesh;
    const size_t nt = (size_t)m->ntriangles, ne = (size_t)m->nedges;
    w->x = CD_TAKE(&w->arena, double, 3 * (size_t)m->nvertices);
    w->normal = cdi_take(&w->arena, nt, sizeof *w->normal);
    w->sides = CD_TAKE(&w->arena, Side, 3 * nt);
    w->creases = CD_TAKE(&w->arena, Side, 2 * ne);
    w->used = CD_TAKE(&w->arena, bool, nt);
    w->loop = CD_TAKE(&w->arena, int, nt + 3);
    if (!w->x || !w->normal || !w->sides || !w->creases || !w->used || !w->loop) return CD_NOMEM;
    for (int i = 0; i < m->nvertices; i++) {
        double p[3], world[3];
        mul3v(pose->R, m->vertices + 3 * i, p);
        add3(pose->p, p, world);
        cdi_camera_see(camera, world, w->x + 3 * i);
    }
    for (int k = 0; k < m->ntriangles; k++) {
        const int *t = m->triangles + 3 * k;
        double a[3], b[3], c[3];
        sub3(w->x + 3 * t[1], w->x + 3 * t[0], a);
        sub3(w->x + 3 * t[2], w->x + 3 * t[0], b);
        cross3(a, b, c);
        if (norm3(c) > 0) unit3(c, w->normal[k]);
        for (int i = 0; i < 3; i++) w->sides[3 * k + i] = (Side){t[i], t[(i + 1) % 3], k};
    }
    for (int k = 0; k < m->nedges; k++) {
        const int a = m->edges[2 * k], b = m->edges[2 * k + 1];
        w->creases[2 * k] = (Side){a, b, k};
        w->creases[2 * k + 1] = (Side){b, a, k};
    }
    qsort(w->sides, 3 * nt, sizeof *w->sides, compare);
    qsort(w->creases, 2 * ne, sizeof *w->creases, compare);
    return CD_OK;
}

static bool visible(const Work *w, int triangle) {
    return w->normal[triangle][2] > EDGE_ON;
}

static bool is_crease(const Work *w, int a, int b) {
    return find(w->creases, 2 * w->mesh->nedges, a, b) != NULL;
}

// is the turn at b, from a to c, to the left as seen along the normal?
static bool turns_left(const Work *w, int a, int b, int c, const double normal[3]) {
    double p[3], q[3], out[3];
    sub3(w->x + 3 * b, w->x + 3 * a, p);
    sub3(w->x + 3 * c, w->x + 3 * b, q);
    cross3(p, q, out);
    return dot3(out, normal) >= -CONVEX * norm3(p) * norm3(q);
}

// a triangle beyond the edge i of the loop that would keep it flat and convex: its third corner
static int grow_corner(const Work *w, int i, const double normal[3], int *triangle) {
    const int *l = w->loop, n = w->n, a = l[i], b = l[(i + 1) % n];
    const Side *s = find(w->sides, 3 * w->mesh->ntriangles, b, a);
    if (!s || w->used[s->triangle] || is_crease(w, a, b)) return -1;
    if (dot3(w->normal[s->triangle], normal) < SAME_PLANE) return -1;
    const int *t = w->mesh->triangles + 3 * s->triangle;
    const int c = t[0] != a && t[0] != b ? t[0] : t[1] != a && t[1] != b ? t[1] : t[2];
    const int before = l[(i + n - 1) % n], after = l[(i + 2) % n];
    if (!turns_left(w, before, a, c, normal) || !turns_left(w, c, b, after, normal)) return -1;
    *triangle = s->triangle;
    return c;
}

static void grow(Work *w, int triangle) {
    const double *normal = w->normal[triangle];
    memcpy(w->loop, w->mesh->triangles + 3 * triangle, 3 * sizeof *w->loop);
    w->n = 3;
    w->used[triangle] = true;
    for (int i = 0; i < w->n;) {
        int next;
        const int c = grow_corner(w, i, normal, &next);
        if (c < 0) {
            i++;
            continue;
        }
        memmove(w->loop + i + 2, w->loop + i + 1, (size_t)(w->n - i - 1) * sizeof *w->loop);
        w->loop[i + 1] = c;
        w->n++;
        w->used[next] = true;
        i = 0;
    }
}

// outlines: the other side looks away
static bool is_drawn(const Work *w, int a, int b) {
    const Side *s = find(w->sides, 3 * w->mesh->ntriangles, b, a);
    return !s || !visible(w, s->triangle) || is_crease(w, a, b);
}

static int tone_of(const double normal[3]) {
    const double bright = ambient + (1 - ambient) * fmax(0, dot3(normal, light));
    const int tone = (int)(bright * CD_TONES);
    return tone < CD_TONES ? tone : CD_TONES - 1;
}

static CdStatus add_loop(Work *w, int triangle, int group) {
    for (int i = 0; i < w->n; i++) {
        const int a = w->loop[i], b = w->loop[(i + 1) % w->n];
        CD_TRY(cdi_faces_vertex(w->faces, w->x + 3 * a, is_drawn(w, a, b)));
    }
    return cdi_faces_add(w->faces, w->n, group, tone_of(w->normal[triangle]));
}

static CdStatus add_all(Work *w, const CdCamera *camera, const CdFrame *pose, int group) {
    CD_TRY(prepare(w, camera, pose));
    for (int k = 0; k < w->mesh->ntriangles; k++) {
        if (w->used[k] || !visible(w, k)) continue;
        grow(w, k);
        CD_TRY(add_loop(w, k, group));
    }
    for (int k = 0; k < w->mesh->nedges; k++) {
        const int a = w->mesh->edges[2 * k], b = w->mesh->edges[2 * k + 1];
        if (find(w->sides, 3 * w->mesh->ntriangles, a, b)) continue;
        double ends[6];
        copy3(w->x + 3 * a, ends);
        copy3(w->x + 3 * b, ends + 3);
        CD_TRY(cdi_faces_line(w->faces, ends, 2, group));
    }
    return CD_OK;
}

#define BLOCK 65536

CdStatus cdi_faces_mesh(CdFaces *faces, const CdCamera *camera, const CdFrame *pose,
                        const CdMesh *mesh, int group) {
    Work w = {.faces = faces, .mesh = mesh};
    cdi_arena_init(&w.arena, faces->ctx, BLOCK);
    const CdStatus status = add_all(&w, camera, pose, group);
    cdi_arena_clear(&w.arena);
    return status;
}
