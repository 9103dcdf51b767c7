// sort.c - the painter's order of faces
//
// Two faces that cover each other in the picture are compared over the polygon that they share: at
// its corners their planes say which is behind. Where the answer differs they go through each
// other, and the smaller one is cut along the plane of the other. Faces are then listed so that
// what is behind comes first; a ring of faces, each behind the next, is broken at the farthest.
// Newell, Newell & Sancha, Proc. ACM National Conference 1972, in this pairwise form.
#include <stdlib.h>
#include <string.h>

#include "view/faces.h"

// pixels: of depth, and squared of a common area, that nobody sees
#define DEPTH 0.05
#define AREA 0.05
#define LENGTH 0.1
#define ALONG 1e-6
// corners of a common polygon; faces with more are not compared exactly
#define CORNERS 160
// faces after which nothing is cut any more
#define FACES_MAX 60000

typedef struct Pair {
    int behind, front;
} Pair;

typedef struct Sorter {
    CdFaces *f;
    CD_ARRAY(Pair) pairs;
} Sorter;

typedef enum Relation { APART, BEHIND, FRONT, THROUGH, LEVEL } Relation;

static const double *vertex(const CdFaces *f, const CdFace *face, int i) {
    return f->xyz.v + 3 * (size_t)(face->first + i);
}

static double depth_at(const CdFace *face, const double x[2]) {
    return face->plane[0] * x[0] + face->plane[1] * x[1] + face->plane[2];
}

static bool apart(const CdFace *a, const CdFace *b) {
    return a->box[0] > b->box[2] || b->box[0] > a->box[2] || a->box[1] > b->box[3] ||
           b->box[1] > a->box[3];
}

// ---- what two faces share in the picture

// how far x is to the left of the edge i, in the picture
static double inside(const CdFaces *f, const CdFace *face, int i, const double x[2]) {
    const double *a = vertex(f, face, i), *b = vertex(f, face, (i + 1) % face->n);
    return (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
}

// Sutherland & Hodgman: of n corners in `in` those left of an edge
static int clip(const CdFaces *f, const CdFace *face, int edge, const double (*in)[2], int n,
                double (*out)[2]) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        const double *a = in[i], *b = in[(i + 1) % n];
        const double da = inside(f, face, edge, a), db = inside(f, face, edge, b);
        if (da >= 0) memcpy(out[k++], a, sizeof *out);
        if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
            const double s = da / (da - db);
            out[k][0] = a[0] + s * (b[0] - a[0]);
            out[k][1] = a[1] + s * (b[1] - a[1]);
            k++;
        }
    }
    return k;
}

static double area_of(const double (*x)[2], int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double *a = x[i], *b = x[(i + 1) % n];
        sum += a[0] * b[1] - a[1] * b[0];
    }
    return sum / 2;
}

static int common(const CdFaces *f, const CdFace *a, const CdFace *b, double (*out)[2]) {
    double other[CORNERS][2];
    int n = a->n;
    if (a->n + b->n > CORNERS) return 0;
    for (int i = 0; i < n; i++) memcpy(out[i], vertex(f, a, i), sizeof *out);
    for (int e = 0; e < b->n && n > 0; e++) {
        n = clip(f, b, e, (const double(*)[2])out, n, other);
        memcpy(out, other, (size_t)n * sizeof *out);
    }
    return n;
}

static Relation judge(double low, double high) {
    if (high <= DEPTH && low >= -DEPTH) return LEVEL;
    if (high <= DEPTH) return BEHIND;
    return low >= -DEPTH ? FRONT : THROUGH;
}

static Relation relate_polygons(const CdFaces *f, const CdFace *a, const CdFace *b) {
    double shared[CORNERS][2], low = HUGE_VAL, high = -HUGE_VAL;
    const int n = common(f, a, b, shared);
    if (n < 3 || area_of((const double(*)[2])shared, n) < AREA) return APART;
    for (int i = 0; i < n; i++) {
        const double d = depth_at(a, shared[i]) - depth_at(b, shared[i]);
        low = fmin(low, d);
        high = fmax(high, d);
    }
    return judge(low, high);
}

// part of a line, from s[0] to s[1] of its length, that is over a polygon or along its edge
static bool over(const CdFaces *f, const CdFace *line, const CdFace *face, double s[2]) {
    const double *a = vertex(f, line, 0), *b = vertex(f, line, 1);
    s[0] = 0;
    s[1] = 1;
    for (int e = 0; e < face->n; e++) {
        double da = inside(f, face, e, a), db = inside(f, face, e, b);
        if (fabs(da) < ALONG) da = 0;
        if (fabs(db) < ALONG) db = 0;
        if (da < 0 && db <= 0) return false;
        if (db < 0 && da <= 0) return false;
        if (da < 0) s[0] = fmax(s[0], da / (da - db));
        if (db < 0) s[1] = fmin(s[1], da / (da - db));
    }
    return (s[1] - s[0]) * hypot(b[0] - a[0], b[1] - a[1]) > LENGTH;
}

static Relation relate_line(const CdFaces *f, const CdFace *line, const CdFace *face) {
    const double *a = vertex(f, line, 0), *b = vertex(f, line, 1);
    double s[2], d[2];
    if (!over(f, line, face, s)) return APART;
    for (int k = 0; k < 2; k++) {
        double x[3], way[3];
        sub3(b, a, way);
        axpy3(s[k], way, a, x);
        d[k] = x[2] - depth_at(face, x);
    }
    // a line on a face is seen
    if (fmin(d[0], d[1]) >= -DEPTH) return FRONT;
    return judge(fmin(d[0], d[1]), fmax(d[0], d[1]));
}

static Relation opposite(Relation r) {
    return r == BEHIND ? FRONT : r == FRONT ? BEHIND : r;
}

// of a, to b
static Relation relate(const CdFaces *f, const CdFace *a, const CdFace *b) {
    if (apart(a, b)) return APART;
    if (a->n == 2 && b->n == 2) return APART;
    if (a->n == 2) return relate_line(f, a, b);
    if (b->n == 2) return opposite(relate_line(f, b, a));
    return relate_polygons(f, a, b);
}

// ---- cutting

static double above(const double x[3], const CdFace *plane) {
    return x[2] - depth_at(plane, x);
}

// the part of a face on one side of a plane becomes a face: sign 1 above, -1 below
static CdStatus add_side(CdFaces *f, const CdFace *face, const CdFace *plane, double sign) {
    int n = 0;
    for (int i = 0; i < face->n; i++) {
        const int j = (i + 1) % face->n;
        double a[3], b[3], way[3], x[3];
        copy3(vertex(f, face, i), a);
        copy3(vertex(f, face, j), b);
        const double da = sign * above(a, plane), db = sign * above(b, plane);
        const bool edge = f->edge.v[face->first + i];
        if (da >= 0) {
            CD_TRY(cdi_faces_vertex(f, a, edge && (db >= 0 || da > 0)));
            n++;
        }
        // of a line only its one way counts
        if (!((da > 0 && db < 0) || (da < 0 && db > 0)) || (face->n == 2 && i == 1)) continue;
        sub3(b, a, way);
        axpy3(da / (da - db), way, a, x);
        CD_TRY(cdi_faces_vertex(f, x, edge && db > 0));
        n++;
    }
    return n >= (face->n == 2 ? 2 : 3) ? cdi_faces_add(f, n, face->group, face->tone) : CD_OK;
}

static CdStatus cut(CdFaces *f, int which, int by) {
    const CdFace face = f->v.v[which], plane = f->v.v[by];
    CD_TRY(add_side(f, &face, &plane, -1));
    CD_TRY(add_side(f, &face, &plane, 1));
    f->v.v[which].split = true;
    return CD_OK;
}

// ---- all pairs

static CdStatus compare_faces(Sorter *s, int i, int j) {
    CdFaces *f = s->f;
    const CdFace *a = &f->v.v[j], *b = &f->v.v[i];
    const Relation r = relate(f, a, b);
    if (r == APART) return CD_OK;
    if (r == THROUGH && f->v.n < FACES_MAX) {
        const bool cut_a = a->n == 2 || (b->n > 2 && a->area < b->area);
        return cut(f, cut_a ? j : i, cut_a ? i : j);
    }
    // in one plane, the later group covers
    const bool front = r == FRONT || (r == LEVEL && a->group > b->group);
    const Pair pair = front ? (Pair){i, j} : (Pair){j, i};
    return CD_PUSH(f->ctx, s->pairs, pair);
}

static CdStatus compare_all(Sorter *s) {
    // pieces are put at the end, and come there
    for (size_t i = 1; i < s->f->v.n; i++) {
        for (size_t j = 0; j < i && !s->f->v.v[i].split; j++) {
            if (!s->f->v.v[j].split) CD_TRY(compare_faces(s, (int)i, (int)j));
        }
    }
    return CD_OK;
}

// ---- the list

typedef struct List {
    int *waiting;       // faces behind that are not listed yet
    int *first, *front; // those in front of face i: front[first[i]] ...
    bool *listed;
    int *ready, nready; // nothing is behind them
} List;

static double far_point(const CdFaces *f, int i) {
    const CdFace *face = &f->v.v[i];
    double z = HUGE_VAL;
    for (int k = 0; k < face->n; k++) z = fmin(z, vertex(f, face, k)[2]);
    return z;
}

// when none is ready: the farthest
static int farthest(const CdFaces *f, const bool *listed) {
    int far = -1;
    for (size_t k = 0; k < f->v.n; k++) {
        const int i = (int)k;
        if (listed[i] || f->v.v[i].split) continue;
        if (far < 0 || far_point(f, i) < far_point(f, far)) far = i;
    }
    return far;
}

// of those that nothing is behind, one of the group of the last if that goes
static int choose(const CdFaces *f, List *l, int group) {
    int best = -1;
    for (int k = 0; k < l->nready; k++) {
        const int g = f->v.v[l->ready[k]].group;
        if (best < 0 || g < f->v.v[l->ready[best]].group) best = k;
        if (g != group) continue;
        best = k;
        break;
    }
    if (best < 0) return farthest(f, l->listed);
    const int i = l->ready[best];
    memmove(l->ready + best, l->ready + best + 1, (size_t)(--l->nready - best) * sizeof *l->ready);
    return i;
}

static CdStatus list_faces(CdFaces *f, List *l) {
    int group = -1;
    for (size_t k = 0; k < f->v.n; k++) {
        if (!f->v.v[k].split && l->waiting[k] == 0) l->ready[l->nready++] = (int)k;
    }
    for (;;) {
        const int i = choose(f, l, group);
        if (i < 0) return CD_OK;
        l->listed[i] = true;
        group = f->v.v[i].group;
        CD_TRY(CD_PUSH(f->ctx, f->order, i));
        for (int k = l->first[i]; k < l->first[i + 1]; k++) {
            const int front = l->front[k];
            if (--l->waiting[front] == 0 && !l->listed[front]) l->ready[l->nready++] = front;
        }
    }
}

static void index_pairs(const Sorter *s, List *l) {
    const CdFaces *f = s->f;
    for (size_t k = 0; k < s->pairs.n; k++) {
        const Pair p = s->pairs.v[k];
        if (f->v.v[p.behind].split || f->v.v[p.front].split) continue;
        l->first[p.behind + 2]++;
        l->waiting[p.front]++;
    }
    for (size_t i = 2; i < f->v.n + 2; i++) l->first[i] += l->first[i - 1];
    for (size_t k = 0; k < s->pairs.n; k++) {
        const Pair p = s->pairs.v[k];
        if (f->v.v[p.behind].split || f->v.v[p.front].split) continue;
        l->front[l->first[p.behind + 1]++] = p.front;
    }
}

static CdStatus sort(Sorter *s, CdArena *arena) {
    CD_TRY(compare_all(s));
    const size_t n = s->f->v.n;
    List l = {.waiting = CD_TAKE(arena, int, n),
              .first = CD_TAKE(arena, int, n + 2),
              .front = CD_TAKE(arena, int, s->pairs.n),
              .listed = CD_TAKE(arena, bool, n),
              .ready = CD_TAKE(arena, int, n)};
    if (!l.waiting || !l.first || !l.front || !l.listed || !l.ready) return CD_NOMEM;
    index_pairs(s, &l);
    return list_faces(s->f, &l);
}

#define BLOCK 65536

CdStatus cdi_faces_sort(CdFaces *faces) {
    Sorter s = {.f = faces};
    CdArena arena;
    cdi_arena_init(&arena, faces->ctx, BLOCK);
    const CdStatus status = sort(&s, &arena);
    cdi_arena_clear(&arena);
    cdi_array_free(faces->ctx, &s.pairs.any);
    return status;
}
