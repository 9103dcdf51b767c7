// bars.c - bodies without a shape: what their markers and their centre of mass suggest
//
//   no marker away from the centre of mass:   a ball; a disc for what turns about a fixed axis
//   all on a line:                            one bar
//   all in a plane:                           a plate, their convex hull
//   else:                                     bars from the centre of mass to every marker
#include <stdlib.h>
#include <string.h>

#include "view/scene.h"

// in units of symbols
#define BAR 0.22   // radius
#define PLATE 0.16 // half of its thickness
#define POINT 0.9  // radius of a mass point
#define HUB 0.36   // radius of the ball where bars meet
#define DISC 2.2
#define DISC_LENGTH 0.6
#define TOUCH 0.3 // what is nearer lies on the line, in the plane
#define SEGMENTS 16
#define BALL_SEGMENTS 24

typedef struct Star {
    CdScene *scene;
    int body;
    double com[3];
    int n;             // points away from the centre of mass
    double (*from)[3]; // it
} Star;

static CdStatus push(Star *s, const CdMesh *mesh) {
    const CdModel *m = s->scene->model;
    const CdPart part = {.item = m->of[CD_BODY].v[s->body], .body = s->body, .mesh = *mesh};
    return CD_PUSH(m->ctx, s->scene->parts, part);
}

// ---- single solids

static CdStatus add_ball(Star *s, double radius) {
    CdMesh mesh;
    double R[9];
    eye33(R);
    CD_TRY(cdi_mesh_ball(&s->scene->arena, radius * s->scene->unit, BALL_SEGMENTS, &mesh));
    cdi_mesh_move(&mesh, s->com, R);
    return push(s, &mesh);
}

static CdStatus add_disc(Star *s, const double axis[3]) {
    const double unit = s->scene->unit;
    CdMesh mesh;
    double R[9];
    cdi_mesh_along(axis, R);
    CD_TRY(
        cdi_mesh_cylinder(&s->scene->arena, DISC * unit, DISC_LENGTH * unit, 2 * SEGMENTS, &mesh));
    cdi_mesh_move(&mesh, s->com, R);
    return push(s, &mesh);
}

// between two points as seen from the centre of mass
static CdStatus add_bar(Star *s, const double a[3], const double b[3]) {
    CdMesh mesh;
    double d[3], p[3], R[9], centre[3];
    sub3(b, a, d);
    axpy3(0.5, d, a, p);
    add3(s->com, p, centre);
    cdi_mesh_along(d, R);
    CD_TRY(cdi_mesh_cylinder(&s->scene->arena, BAR * s->scene->unit, norm3(d), SEGMENTS, &mesh));
    cdi_mesh_move(&mesh, centre, R);
    return push(s, &mesh);
}

// ---- a line

// direction of the farthest point
static void main_direction(const Star *s, double u[3]) {
    int far = 0;
    for (int i = 1; i < s->n; i++) far = norm3(s->from[i]) > norm3(s->from[far]) ? i : far;
    unit3(s->from[far], u);
}

static double beside(const double x[3], const double u[3]) {
    double across[3];
    axpy3(-dot3(x, u), u, x, across);
    return norm3(across);
}

static bool on_line(const Star *s, const double u[3]) {
    for (int i = 0; i < s->n; i++) {
        if (beside(s->from[i], u) > TOUCH * s->scene->unit) return false;
    }
    return true;
}

static CdStatus add_line(Star *s, const double u[3]) {
    double low = 0, high = 0, a[3], b[3];
    for (int i = 0; i < s->n; i++) {
        low = fmin(low, dot3(s->from[i], u));
        high = fmax(high, dot3(s->from[i], u));
    }
    scale3(low, u, a);
    scale3(high, u, b);
    return add_bar(s, a, b);
}

// ---- a plane

// its normal; false: the points are not in one
static bool in_plane(const Star *s, const double u[3], double normal[3]) {
    int wide = 0;
    double across[3];
    for (int i = 1; i < s->n; i++) {
        wide = beside(s->from[i], u) > beside(s->from[wide], u) ? i : wide;
    }
    cross3(u, s->from[wide], across);
    unit3(across, normal);
    for (int i = 0; i < s->n; i++) {
        if (fabs(dot3(s->from[i], normal)) > TOUCH * s->scene->unit) return false;
    }
    return true;
}

static int compare(const void *a, const void *b) {
    const double *x = a, *y = b;
    if (x[0] != y[0]) return (x[0] > y[0]) - (x[0] < y[0]);
    return (x[1] > y[1]) - (x[1] < y[1]);
}

static double turn(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// corners of the hull of sorted points, counter-clockwise; Andrew's monotone chain
static int hull(const double *x, int n, double *out) {
    int k = 0;
    for (int pass = 0; pass < 2; pass++) {
        const int first = k;
        for (int j = 0; j < n; j++) {
            const double *p = x + 2 * (pass == 0 ? j : n - 1 - j);
            while (k >= first + 2 && turn(out + 2 * k - 4, out + 2 * k - 2, p) <= 0) k--;
            out[2 * k] = p[0];
            out[2 * k + 1] = p[1];
            k++;
        }
        k--; // the last begins the other half
    }
    return k;
}

static CdStatus add_plate(Star *s, const double normal[3]) {
    CdArena *arena = &s->scene->arena;
    const double half = PLATE * s->scene->unit;
    double *x = CD_TAKE(arena, double, 2 * (size_t)(s->n + 1)), R[9];
    double *corners = CD_TAKE(arena, double, 4 * (size_t)(s->n + 1));
    CdMesh mesh;
    if (!x || !corners) return CD_NOMEM;
    cdi_mesh_along(normal, R);
    for (int i = 0; i < s->n; i++) {
        double local[3];
        tmul3v(R, s->from[i], local);
        memcpy(x + 2 * i, local, 2 * sizeof *x);
    }
    // and the centre of mass itself, at the origin
    qsort(x, (size_t)(s->n + 1), 2 * sizeof *x, compare);
    const int n = hull(x, s->n + 1, corners);
    CD_TRY(cdi_mesh_prism(arena, n, corners, -half, half, &mesh));
    cdi_mesh_move(&mesh, s->com, R);
    return push(s, &mesh);
}

// ---- any

static CdStatus add_star(Star *s) {
    const double origin[3] = {0, 0, 0};
    for (int i = 0; i < s->n; i++) CD_TRY(add_bar(s, origin, s->from[i]));
    return add_ball(s, HUB);
}

static CdStatus add_points(Star *s) {
    double u[3], normal[3];
    main_direction(s, u);
    if (on_line(s, u)) return add_line(s, u);
    if (in_plane(s, u, normal)) return add_plate(s, normal);
    return add_star(s);
}

// do its velocities turn it?
static bool turns(const CdModel *m, int body) {
    const CdBodyLaw *law = cdi_model_body(m, body);
    double J[6 * CD_BODY_NV_MAX];
    law->jacobian(m->of[CD_BODY].v[body]->data, J);
    for (int i = 3 * law->nv; i < 6 * law->nv; i++) {
        if (J[i] != 0) return true;
    }
    return false;
}

// does it only turn, about one axis?
static bool only_turns(const CdModel *m, int body, double axis[3]) {
    const CdBodyLaw *law = cdi_model_body(m, body);
    double J[6 * CD_BODY_NV_MAX];
    if (law->nv != 1) return false;
    law->jacobian(m->of[CD_BODY].v[body]->data, J);
    copy3(J + 3, axis);
    return norm3(axis) > 0 && norm3(J) == 0;
}

static CdStatus add_body(CdScene *scene, int body, const int *markers, int n) {
    const CdModel *m = scene->model;
    Star s = {.scene = scene, .body = body};
    double axis[3];
    s.from = cdi_take(&scene->arena, (size_t)n, sizeof *s.from);
    if (!s.from) return CD_NOMEM;
    cdi_view_com(m, body, s.com);
    for (int i = 0; i < n; i++) {
        CdFrame x;
        cdi_view_marker(m, markers[i], &x);
        sub3(x.p, s.com, s.from[s.n]);
        if (norm3(s.from[s.n]) > TOUCH * scene->unit) s.n++;
    }
    const bool disc = only_turns(m, body, axis);
    if (disc) CD_TRY(add_disc(&s, axis));
    if (s.n > 0) return add_points(&s);
    // where joints are, their symbols are to be seen
    return disc ? CD_OK : add_ball(&s, n > 0 && turns(m, body) ? HUB : POINT);
}

// markers by their bodies: those of body i are list[first[i]] ... list[first[i + 1] - 1]
static void list_markers(const CdModel *m, int nbodies, int *first, int *list) {
    for (size_t i = 0; i < m->markers.n; i++) first[m->markers.v[i].body + 2]++;
    for (int i = 2; i <= nbodies + 1; i++) first[i] += first[i - 1];
    for (size_t i = 0; i < m->markers.n; i++) list[first[m->markers.v[i].body + 1]++] = (int)i;
}

CdStatus cdi_view_bars(CdScene *scene) {
    const CdModel *m = scene->model;
    int *first = CD_TAKE(&scene->arena, int, (size_t)scene->nbodies + 2);
    int *list = CD_TAKE(&scene->arena, int, m->markers.n);
    bool *shaped = CD_TAKE(&scene->arena, bool, (size_t)scene->nbodies);
    if (!first || !list || !shaped) return CD_NOMEM;
    list_markers(m, scene->nbodies, first, list);
    for (size_t i = 0; i < scene->parts.n; i++) shaped[scene->parts.v[i].body] = true;
    for (int i = 1; i < scene->nbodies; i++) {
        if (shaped[i] || cdi_model_body(m, i)->nv == 0) continue;
        CD_TRY(add_body(scene, i, list + first[i], first[i + 1] - first[i]));
    }
    return CD_OK;
}
