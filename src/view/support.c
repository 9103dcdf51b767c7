// support.c - where joints and connectors hold on to the ground: a bracket on a hatched plate
//
//      o          the marker
//     / \         bracket; left out at the end of springs, whose plate stands across them
//   -------       plate
//   / / / /       hatching
//
// In the frame of a support y is up, against gravity, and z is the axis of the joint if that lies
// across.
#include <string.h>

#include "view/scene.h"

// in units of symbols, widths and depths from the middle
#define BRACKET_HEIGHT 1.4
#define BRACKET_WIDTH 0.8
#define BRACKET_TOP 0.3
#define BRACKET_DEPTH 0.25
#define PLATE_WIDTH 1.3
#define PLATE_DEPTH 0.5
#define PLATE_HEIGHT 0.12
#define HATCHES 7
#define HATCH 0.4 // height and way to the side
// supports nearer than this are one
#define SAME 0.5
// sine of the angle from which on directions are across
#define ACROSS 0.3

typedef struct Support {
    CdScene *scene;
    const CdItem *item;
    int body;
    CdFrame at; // seen from the body
    double unit;
} Support;

// ---- place

static bool on_ground(const CdModel *m, int marker) {
    return cdi_model_body(m, m->markers.v[marker].body)->nv == 0;
}

static void set_axes(const double up[3], const double axis[3], double R[9]) {
    double x[3], y[3], z[3], across[3] = {0};
    unit3(up, y);
    cross3(y, axis, x);
    if (norm3(x) > ACROSS) {
        unit3(x, z);
        copy3(z, x);
    } else {
        // along x of the world, where that is across
        across[fabs(y[0]) < 1 - ACROSS ? 0 : 1] = 1;
        axpy3(-dot3(across, y), y, across, z);
        unit3(z, x);
    }
    cross3(x, y, z);
    for (int i = 0; i < 3; i++) {
        R[3 * i] = x[i];
        R[3 * i + 1] = y[i];
        R[3 * i + 2] = z[i];
    }
}

// against gravity; without it along y, or along z for an axis that is along y
static void find_up(const CdModel *m, const double axis[3], double up[3]) {
    zero3(up);
    if (norm3(m->gravity) > 0) {
        scale3(-1, m->gravity, up);
    } else {
        up[fabs(axis[1]) > ACROSS ? 2 : 1] = 1;
    }
}

// from the other end of a line; false: it has no length
static bool find_line(const CdScene *scene, const CdItem *item, int k, double up[3]) {
    CdFrame x[2];
    for (int i = 0; i < 2; i++) {
        const int marker = item->marker[i];
        CdFrame own;
        cdi_view_marker(scene->model, marker, &own);
        frame_compose(&scene->start[scene->model->markers.v[marker].body], &own, &x[i]);
    }
    sub3(x[1 - k].p, x[k].p, up);
    return norm3(up) > scene->unit;
}

static bool across_line(const CdItem *item) {
    const CdSymbol *s = item->cls->symbol;
    return item->cls->category == CD_CONNECTOR && s && s->span != CD_SPAN_NONE;
}

// the plate of a slider lies along its axis z
static bool slides(const CdItem *item) {
    const CdSymbol *s = item->cls->symbol;
    const CdJointLaw *law = item->cls->joint;
    return law && law->relative && !law->axis_in_plane && s && s->span == CD_SPAN_LINE;
}

// ---- solids

static CdStatus push(Support *s, CdMesh *mesh) {
    CdPart part = {CD_PART_SUPPORT, s->item, s->body, false, *mesh};
    cdi_mesh_move(&part.mesh, s->at.p, s->at.R);
    return CD_PUSH(s->scene->model->ctx, s->scene->parts, part);
}

static CdStatus add_bracket(Support *s) {
    const double u = s->unit, low = -BRACKET_HEIGHT * u;
    const double w = BRACKET_WIDTH * u, top = BRACKET_TOP * u, z = BRACKET_DEPTH * u;
    const double corners[] = {-w, low, w, low, top, 0, -top, 0};
    CdMesh mesh;
    CD_TRY(cdi_mesh_prism(&s->scene->arena, 4, corners, -z, z, &mesh));
    return push(s, &mesh);
}

// lines that belong to no triangle
static CdStatus add_hatching(CdArena *arena, double y, double unit, CdMesh *mesh) {
    const int nv = mesh->nvertices, ne = mesh->nedges;
    double *v = CD_TAKE(arena, double, 3 * (size_t)(nv + 2 * HATCHES));
    int *e = CD_TAKE(arena, int, 2 * (size_t)(ne + HATCHES));
    if (!v || !e) return CD_NOMEM;
    memcpy(v, mesh->vertices, 3 * (size_t)nv * sizeof *v);
    memcpy(e, mesh->edges, 2 * (size_t)ne * sizeof *e);
    for (int k = 0; k < HATCHES; k++) {
        const double x = PLATE_WIDTH * unit * ((2.0 * k + 2) / HATCHES - 1);
        const double ends[6] = {x, y, 0, x - HATCH * unit, y - HATCH * unit, 0};
        memcpy(v + 3 * (nv + 2 * k), ends, sizeof ends);
        e[2 * (ne + k)] = nv + 2 * k;
        e[2 * (ne + k) + 1] = nv + 2 * k + 1;
    }
    mesh->vertices = v;
    mesh->edges = e;
    mesh->nvertices += 2 * HATCHES;
    mesh->nedges += HATCHES;
    return CD_OK;
}

// its upper side at y = top
static CdStatus add_plate(Support *s, double top) {
    const double u = s->unit, x = PLATE_WIDTH * u, z = PLATE_DEPTH * u;
    const double low = top - PLATE_HEIGHT * u;
    const double corners[] = {-x, low, x, low, x, top, -x, top};
    CdMesh mesh;
    CD_TRY(cdi_mesh_prism(&s->scene->arena, 4, corners, -z, z, &mesh));
    CD_TRY(add_hatching(&s->scene->arena, low, u, &mesh));
    return push(s, &mesh);
}

// ---- all

static CdStatus add_support(CdScene *scene, const CdItem *item, int k) {
    const CdModel *m = scene->model;
    Support s = {.scene = scene, .item = item, .body = m->markers.v[item->marker[k]].body};
    double up[3], axis[3];
    s.unit = cdi_view_symbol_size(scene, item);
    cdi_view_marker(m, item->marker[k], &s.at);
    frame_axis(&s.at, 2, axis);
    if (across_line(item) && find_line(scene, item, k, up)) {
        set_axes(up, axis, s.at.R);
        return add_plate(&s, 0);
    }
    find_up(m, axis, up);
    if (slides(item)) {
        double across[3];
        cross3(axis, up, across);
        if (norm3(across) > ACROSS * norm3(up)) unit3(across, axis);
    }
    set_axes(up, axis, s.at.R);
    CD_TRY(add_bracket(&s));
    return add_plate(&s, -BRACKET_HEIGHT * s.unit);
}

static bool taken(const double (*places)[3], int n, const double at[3], double distance) {
    for (int i = 0; i < n; i++) {
        double d[3];
        sub3(places[i], at, d);
        if (norm3(d) < distance) return true;
    }
    return false;
}

CdStatus cdi_view_supports(CdScene *scene) {
    static const CdCategory kinds[] = {CD_JOINT, CD_CONNECTOR};
    const CdModel *m = scene->model;
    const size_t most = 2 * (m->of[CD_JOINT].n + m->of[CD_CONNECTOR].n);
    double(*places)[3] = cdi_take(&scene->arena, most, sizeof *places);
    int n = 0;
    if (!places) return CD_NOMEM;
    for (size_t i = 0; i < most; i++) {
        const size_t joints = 2 * m->of[CD_JOINT].n, k = i < joints ? i : i - joints;
        const CdItem *item = m->of[kinds[i >= joints]].v[k / 2];
        if (!item->cls->joint && !item->cls->force) continue;
        const int marker = item->marker[k % 2];
        CdFrame x;
        if (!on_ground(m, marker)) continue;
        cdi_view_marker(m, marker, &x);
        if (taken((const double(*)[3])places, n, x.p, SAME * scene->unit)) continue;
        copy3(x.p, places[n++]);
        CD_TRY(add_support(scene, item, (int)(k % 2)));
    }
    return CD_OK;
}
