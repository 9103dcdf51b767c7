// names.c - names of bodies and joints, each at the best of some places around what it names
#include <string.h>

#include "base/utf8.h"
#include "math/turns.h"
#include "view/draw.h"

// pixels
#define LETTER 7.3 // usual width
#define LINE 13
#define GAP 5
#define PLACES 16
#define RINGS 2
#define STEPS 32 // along a line
// what it costs to cover a name, a face, and to be far away
#define COST_NAME 100.0
#define COST_FACE 1.0
#define COST_LINE 3.0
#define COST_FAR 0.6
#define COST_OUT 400.0

typedef struct Label {
    const char *text, *name; // class in the document; NULL: none
    double at[2];
    double box[4]; // left, top, right, bottom
} Label;

typedef struct Labels {
    CdCanvas *c;
    CD_ARRAY(Label) v;
} Labels;

static double overlap(const double a[4], const double b[4]) {
    const double w = fmin(a[2], b[2]) - fmax(a[0], b[0]), h = fmin(a[3], b[3]) - fmax(a[1], b[1]);
    return w > 0 && h > 0 ? w * h : 0;
}

static bool covers(const CdCanvas *c, const CdFace *face, double x, double y) {
    const double up = c->height - y;
    if (face->n == 2 || x < face->box[0] || x > face->box[2]) return false;
    if (up < face->box[1] || up > face->box[3]) return false;
    for (int i = 0; i < face->n; i++) {
        const double *a = c->faces.xyz.v + 3 * (size_t)(face->first + i);
        const double *b = c->faces.xyz.v + 3 * (size_t)(face->first + (i + 1) % face->n);
        if ((b[0] - a[0]) * (up - a[1]) - (b[1] - a[1]) * (x - a[0]) < 0) return false;
    }
    return true;
}

// does a line go through a box?
static bool crosses(const CdCanvas *c, const CdFace *line, const double box[4]) {
    const double *a = c->faces.xyz.v + 3 * (size_t)line->first, *b = a + 3;
    for (int k = 0; k <= STEPS; k++) {
        const double s = (double)k / STEPS;
        const double x = a[0] + s * (b[0] - a[0]), y = c->height - a[1] - s * (b[1] - a[1]);
        if (x > box[0] && x < box[2] && y > box[1] && y < box[3]) return true;
    }
    return false;
}

static double lines_under(const CdCanvas *c, const double box[4]) {
    int n = 0;
    for (size_t i = 0; i < c->faces.order.n; i++) {
        const CdFace *face = &c->faces.v.v[c->faces.order.v[i]];
        if (face->n == 2) n += crosses(c, face, box);
    }
    return n;
}

// of points over the box of a label, those that lie on faces
static double faces_under(const CdCanvas *c, const double box[4]) {
    int n = 0;
    for (int k = 0; k < 12; k++) {
        const double x = box[0] + (box[2] - box[0]) * (k % 4) / 3;
        const double y = box[1] + (box[3] - box[1]) * (k / 4) / 2.0;
        for (size_t i = 0; i < c->faces.order.n; i++) {
            if (!covers(c, &c->faces.v.v[c->faces.order.v[i]], x, y)) continue;
            n++;
            break;
        }
    }
    return n;
}

static double cost(const Labels *l, const double box[4], int ring) {
    double sum =
        COST_FAR * ring + COST_FACE * (faces_under(l->c, box) + COST_LINE * lines_under(l->c, box));
    for (size_t i = 0; i < l->v.n; i++) {
        if (overlap(box, l->v.v[i].box) > 0) sum += COST_NAME;
    }
    const double whole[4] = {0, 0, l->c->width, l->c->height};
    const double area = (box[2] - box[0]) * (box[3] - box[1]);
    return sum + COST_OUT * (1 - overlap(box, whole) / area);
}

static double width_of(const char *text) {
    return LETTER * (double)cdi_utf8_count(text);
}

static void try_place(const Labels *l, Label *label, int k, double *best) {
    const double w = width_of(label->text), angle = CD_TWO_PI * (k % PLACES) / PLACES;
    const double unit = l->c->scene->unit * l->c->camera.scale;
    const double r = GAP + unit * (1 + k / PLACES);
    const double dx = (r + w / 2) * cos(angle), dy = (r + LINE / 2.0) * sin(angle);
    const double x = label->at[0] + dx, y = label->at[1] - dy;
    const double box[4] = {x - w / 2, y - LINE / 2.0, x + w / 2, y + LINE / 2.0};
    const double price = cost(l, box, k / PLACES);
    if (price >= *best) return;
    *best = price;
    memcpy(label->box, box, sizeof box);
}

static CdStatus add(Labels *l, const CdItem *item, const char *name, const double at[2]) {
    Label label = {.text = cdi_item_name(item), .name = name, .at = {at[0], at[1]}};
    double best = HUGE_VAL;
    for (int k = 0; k < RINGS * PLACES; k++) try_place(l, &label, k, &best);
    return CD_PUSH(l->c->faces.ctx, l->v, label);
}

static CdStatus collect(Labels *l, const CdMoment *at) {
    const CdModel *m = l->c->scene->model;
    for (int i = 1; i < l->c->scene->nbodies; i++) {
        double com[3], x[2];
        cdi_view_com(m, i, com);
        cdi_canvas_at(l->c, &at->pose[i], com, x);
        CD_TRY(add(l, m->of[CD_BODY].v[i], NULL, x));
    }
    for (size_t i = 0; i < m->of[CD_JOINT].n; i++) {
        const CdItem *item = m->of[CD_JOINT].v[i];
        CdFrame own;
        double x[2];
        if (!item->cls->joint) continue;
        cdi_view_marker(m, item->marker[1], &own);
        cdi_canvas_at(l->c, &at->pose[m->markers.v[item->marker[1]].body], own.p, x);
        CD_TRY(add(l, item, "j", x));
    }
    return CD_OK;
}

static void write(const Labels *l) {
    CdText *out = &l->c->body;
    for (size_t i = 0; i < l->v.n; i++) {
        const Label *a = &l->v.v[i];
        cdi_text_addf(out, "<text%s x=\"%ld\" y=\"%ld\" text-anchor=\"middle\">",
                      a->name ? " class=\"j\"" : "", cdi_svg_unit((a->box[0] + a->box[2]) / 2),
                      cdi_svg_unit(a->box[3] - 2));
        cdi_svg_escape(out, a->text);
        cdi_text_add(out, "</text>\n");
    }
}

CdStatus cdi_canvas_names(CdCanvas *c, const CdMoment *at) {
    Labels l = {.c = c};
    const CdStatus status = collect(&l, at);
    if (status == CD_OK) write(&l);
    cdi_array_free(c->faces.ctx, &l.v.any);
    return status;
}
