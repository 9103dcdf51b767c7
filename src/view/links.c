// links.c - what acts between markers: symbols of classes, lines and arrows
//
// A symbol must be seen: where a marker is inside a solid, the symbol is as large as to come out of
// it along its axis z, unless that is the length of the solid.
#include "view/scene.h"

// of round symbols; fewer where there are many of them
#define SEGMENTS 20
#define FEW_SEGMENTS 10
#define MANY 24
#define CLEAR 2.4      // symbol per half thickness of the solid that it is in
#define LARGEST 6      // of symbols, in units
#define PARALLEL 1e-12 // of a ray and a triangle

static const CdSymbolPart neutral_look[] = {{1, CD_BALL, 2, {0.35}, {0, 0, 0}}};
static const CdSymbol neutral = {CD_SYMBOL_PARTS(neutral_look)};

// ---- size

// ray from x along d meets a triangle: where, in lengths of d; NaN: it does not. Moeller, Trumbore
static double meet(const double x[3], const double d[3], const CdMesh *mesh, const int t[3]) {
    double e1[3], e2[3], h[3], s[3], q[3];
    const double *v = mesh->vertices;
    sub3(v + 3 * t[1], v + 3 * t[0], e1);
    sub3(v + 3 * t[2], v + 3 * t[0], e2);
    cross3(d, e2, h);
    const double a = dot3(e1, h);
    if (fabs(a) <= PARALLEL * norm3(e1) * norm3(e2)) return NAN;
    sub3(x, v + 3 * t[0], s);
    const double b = dot3(s, h) / a;
    cross3(s, e1, q);
    const double c = dot3(d, q) / a;
    return b >= 0 && c >= 0 && b + c <= 1 ? dot3(e2, q) / a : NAN;
}

// how far out of the body the farther side is, along z of a marker
static double half_thickness(const CdScene *scene, int body, const CdFrame *marker) {
    double z[3], out = 0;
    frame_axis(marker, 2, z);
    for (size_t i = 0; i < scene->parts.n; i++) {
        const CdPart *p = &scene->parts.v[i];
        if (!p->shaped || p->body != body) continue;
        for (int k = 0; k < p->mesh.ntriangles; k++) {
            const double t = meet(marker->p, z, &p->mesh, p->mesh.triangles + 3 * k);
            if (!isnan(t)) out = fmax(out, fabs(t));
        }
    }
    return out;
}

static int count_markers(const CdItem *item) {
    if (item->cls->joint) return 2;
    return item->cls->force ? item->cls->force->nmarkers : 0;
}

double cdi_view_symbol_size(const CdScene *scene, const CdItem *item) {
    const double unit = scene->unit;
    double out = 0;
    for (int k = 0; k < count_markers(item); k++) {
        const int marker = item->marker[k];
        CdFrame x;
        cdi_view_marker(scene->model, marker, &x);
        out = fmax(out, half_thickness(scene, scene->model->markers.v[marker].body, &x));
    }
    return CLEAR * out > LARGEST * unit ? unit : fmax(unit, CLEAR * out);
}

// ---- solids

// z of the solid is the axis asked for
static void turn_to(int axis, double R[9]) {
    double e[3] = {0};
    e[axis] = 1;
    cdi_mesh_along(e, R);
}

static CdStatus make_solid(CdScene *scene, const CdSymbolPart *p, double unit, CdMesh *mesh) {
    const size_t links = scene->model->of[CD_JOINT].n + scene->model->of[CD_CONNECTOR].n;
    const int segments = links > MANY ? FEW_SEGMENTS : SEGMENTS;
    CdArena *arena = &scene->arena;
    double s[3];
    scale3(unit, p->size, s);
    switch (p->form) {
    case CD_CYLINDER: return cdi_mesh_cylinder(arena, s[0], s[1], segments, mesh);
    case CD_TUBE: return cdi_mesh_tube(arena, s[0], s[2], s[1], segments, mesh);
    case CD_BALL: return cdi_mesh_ball(arena, s[0], segments, mesh);
    default: return cdi_mesh_box(arena, s, mesh);
    }
}

static CdStatus add_solid(CdScene *scene, const CdItem *item, const CdSymbolPart *p, double unit) {
    const CdModel *m = scene->model;
    const int marker = item->marker[p->marker];
    CdPart part = {item->cls->category == CD_JOINT ? CD_PART_JOINT : CD_PART_CONNECTOR,
                   item,
                   m->markers.v[marker].body,
                   false,
                   {0}};
    double R[9], at[3];
    CdFrame x;
    CD_TRY(make_solid(scene, p, unit, &part.mesh));
    eye33(R);
    if (p->form != CD_BOX) turn_to(p->axis, R);
    scale3(unit, p->at, at);
    cdi_mesh_move(&part.mesh, at, R);
    cdi_view_marker(m, marker, &x);
    cdi_mesh_move(&part.mesh, x.p, x.R);
    return CD_PUSH(m->ctx, scene->parts, part);
}

static CdStatus add_span(CdScene *scene, const CdItem *item, CdSpanStyle style) {
    const CdModel *m = scene->model;
    CdSpan span = {.item = item, .style = style};
    for (int k = 0; k < 2; k++) {
        CdFrame x;
        cdi_view_marker(m, item->marker[k], &x);
        span.body[k] = m->markers.v[item->marker[k]].body;
        copy3(x.p, span.point[k]);
    }
    return CD_PUSH(m->ctx, scene->spans, span);
}

// ---- arrows

static void marker_at_start(const CdScene *scene, int marker, CdFrame *x) {
    CdFrame own;
    cdi_view_marker(scene->model, marker, &own);
    frame_compose(&scene->start[scene->model->markers.v[marker].body], &own, x);
}

static CdStatus add_arrow(CdScene *scene, const CdItem *item, CdArrowStyle style) {
    const CdModel *m = scene->model;
    CdArrow arrow = {.item = item, .style = style, .body = m->markers.v[item->marker[0]].body};
    CdFrame own, at;
    double w[6] = {0}, v[6] = {0};
    cdi_view_marker(m, item->marker[0], &own);
    copy3(own.p, arrow.point);
    marker_at_start(scene, item->marker[0], &at);
    // what sensors read is not known here
    if (item->nreadings == 0) {
        item->cls->force->value(item->data, &(CdForceInput){.a = &at, .v = v}, w);
    }
    // moments are in axes of the marker
    if (style == CD_ARROW_FORCE) {
        copy3(w, arrow.vector);
    } else {
        mul3v(at.R, w + 3, arrow.vector);
    }
    return CD_PUSH(m->ctx, scene->arrows, arrow);
}

// ---- all

static CdStatus add_link(CdScene *scene, const CdItem *item) {
    const int n = count_markers(item);
    const CdSymbol *symbol = item->cls->symbol ? item->cls->symbol : &neutral;
    const double unit = cdi_view_symbol_size(scene, item);
    for (int k = 0; k < symbol->nparts; k++) {
        if (symbol->parts[k].marker >= n) continue;
        CD_TRY(add_solid(scene, item, &symbol->parts[k], unit));
    }
    const CdSpanStyle span = symbol->span_of ? symbol->span_of(item->data) : symbol->span;
    if (span != CD_SPAN_NONE && n == 2) CD_TRY(add_span(scene, item, span));
    return symbol->arrow != CD_ARROW_NONE ? add_arrow(scene, item, symbol->arrow) : CD_OK;
}

CdStatus cdi_view_links(CdScene *scene) {
    static const CdCategory kinds[] = {CD_JOINT, CD_CONNECTOR, CD_LOAD};
    for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
        for (size_t i = 0; i < scene->model->of[kinds[c]].n; i++) {
            const CdItem *item = scene->model->of[kinds[c]].v[i];
            if (count_markers(item) > 0) CD_TRY(add_link(scene, item));
        }
    }
    return CD_OK;
}
