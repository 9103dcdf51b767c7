// paint.c - faces in their order become paths
//
// Faces of one group that follow each other are told together: per tone one area by its border,
// then a path of their edges, every edge once and edges that continue each other as one line.
#include <string.h>

#include "view/draw.h"

const char *const cdi_line_names[] = {"e", "h", "s", "b"};

// of an edge, in tenths of a pixel, y down
typedef struct Edge {
    long from[2], to[2];
    bool done;
} Edge;

typedef struct Run {
    CdCanvas *c;
    const int *faces;
    int n;
    CD_ARRAY(Edge) edges;
} Run;

static void corner(const CdCanvas *c, const CdFace *face, int i, double out[2]) {
    const double *x = c->faces.xyz.v + 3 * (size_t)(face->first + i);
    out[0] = x[0];
    out[1] = c->height - x[1];
}

static bool same(const long a[2], const long b[2]) {
    return a[0] == b[0] && a[1] == b[1];
}

// ---- chains of edges

// one that goes on from a point; borders of areas keep their direction
static Edge *next_edge(Run *r, const long at[2], bool area) {
    for (size_t i = 0; i < r->edges.n; i++) {
        Edge *e = &r->edges.v[i];
        if (e->done) continue;
        if (same(e->from, at)) return e;
        if (area || !same(e->to, at)) continue;
        // the other way round
        memcpy(e->to, e->from, sizeof e->to);
        memcpy(e->from, at, sizeof e->from);
        return e;
    }
    return NULL;
}

static void add_step(CdText *out, const long from[2], const long to[2], bool first) {
    const long dx = to[0] - from[0], dy = to[1] - from[1];
    cdi_text_addf(out, "%s%ld%s%ld", first ? "l" : dx < 0 ? "" : " ", dx, dy < 0 ? "" : " ", dy);
}

static void add_chains(Run *r, bool area) {
    CdText *out = &r->c->body;
    for (size_t i = 0; i < r->edges.n; i++) {
        Edge *e = &r->edges.v[i];
        if (e->done) continue;
        cdi_text_addf(out, "M%ld%s%ld", e->from[0], e->from[1] < 0 ? "" : " ", e->from[1]);
        for (bool first = true; e; first = false) {
            long end[2];
            e->done = true;
            memcpy(end, e->to, sizeof end);
            Edge *next = next_edge(r, end, area);
            // the way back to the beginning of an area is its z
            if (next || !area) add_step(out, e->from, e->to, first);
            e = next;
        }
        if (area) cdi_text_add(out, "z");
    }
}

// ---- areas

static Edge edge_of(const CdCanvas *c, const CdFace *face, int k) {
    double a[2], b[2];
    Edge e = {.done = false};
    corner(c, face, k, a);
    corner(c, face, (k + 1) % face->n, b);
    for (int j = 0; j < 2; j++) {
        e.from[j] = cdi_svg_unit(a[j]);
        e.to[j] = cdi_svg_unit(b[j]);
    }
    return e;
}

// an edge that another face passes the other way is inside the area: both vanish
static CdStatus add_border(Run *r, const Edge *e) {
    if (same(e->from, e->to)) return CD_OK;
    for (size_t i = 0; i < r->edges.n; i++) {
        Edge *o = &r->edges.v[i];
        if (!same(o->from, e->to) || !same(o->to, e->from)) continue;
        *o = r->edges.v[--r->edges.n];
        return CD_OK;
    }
    return CD_PUSH(r->c->faces.ctx, r->edges, *e);
}

// faces of a tone as one area, by its border
static CdStatus paint_tone(Run *r, int tone) {
    CdCanvas *c = r->c;
    r->edges.n = 0;
    for (int i = 0; i < r->n; i++) {
        const CdFace *face = &c->faces.v.v[r->faces[i]];
        if (face->n == 2 || face->tone != tone) continue;
        for (int k = 0; k < face->n; k++) {
            const Edge e = edge_of(c, face, k);
            CD_TRY(add_border(r, &e));
        }
    }
    if (r->edges.n == 0) return CD_OK;
    const CdPaint paint = c->groups.v[c->faces.v.v[r->faces[0]].group].paint;
    c->used[paint][tone] = true;
    cdi_text_addf(&c->body, "<path class=\"p%d%c\" d=\"", (int)paint, 'a' + tone);
    add_chains(r, true);
    cdi_text_add(&c->body, "\"/>\n");
    return CD_OK;
}

// ---- edges

static bool known(const Run *r, const Edge *e) {
    for (size_t i = 0; i < r->edges.n; i++) {
        const Edge *o = &r->edges.v[i];
        if (same(o->from, e->to) && same(o->to, e->from)) return true;
        if (same(o->from, e->from) && same(o->to, e->to)) return true;
    }
    return false;
}

static CdStatus collect(Run *r, bool lines) {
    const CdCanvas *c = r->c;
    r->edges.n = 0;
    for (int i = 0; i < r->n; i++) {
        const CdFace *face = &c->faces.v.v[r->faces[i]];
        if ((face->n == 2) != lines) continue;
        for (int k = 0; k < face->n; k++) {
            if (!c->faces.edge.v[face->first + k]) continue;
            const Edge e = edge_of(c, face, k);
            if (!same(e.from, e.to) && !known(r, &e)) CD_TRY(CD_PUSH(c->faces.ctx, r->edges, e));
        }
    }
    return CD_OK;
}

static CdStatus paint_edges(Run *r, bool lines) {
    CdCanvas *c = r->c;
    CD_TRY(collect(r, lines));
    if (r->edges.n == 0) return CD_OK;
    const int group = c->faces.v.v[r->faces[0]].group;
    const CdLine line = lines ? c->groups.v[group].line : CD_LINE_EDGE;
    cdi_text_addf(&c->body, "<path class=\"%s\" d=\"", cdi_line_names[line]);
    add_chains(r, false);
    cdi_text_add(&c->body, "\"/>\n");
    return CD_OK;
}

static CdStatus paint_run(Run *r) {
    for (int t = 0; t < CD_TONES; t++) CD_TRY(paint_tone(r, t));
    CD_TRY(paint_edges(r, false));
    return paint_edges(r, true);
}

CdStatus cdi_canvas_paint(CdCanvas *c) {
    const int *order = c->faces.order.v, n = (int)c->faces.order.n;
    Run r = {.c = c};
    CdStatus status = CD_OK;
    for (int i = 0; i < n && status == CD_OK; i += r.n) {
        const int group = c->faces.v.v[order[i]].group;
        r.faces = order + i;
        r.n = 1;
        while (i + r.n < n && c->faces.v.v[order[i + r.n]].group == group) r.n++;
        status = paint_run(&r);
    }
    cdi_array_free(c->faces.ctx, &r.edges.any);
    return status;
}
