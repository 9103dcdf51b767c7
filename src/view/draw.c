// draw.c - a scene at one or more moments becomes a drawing
#include "view/draw.h"

#include <stdio.h>

// pixels
#define MARGIN 30
#define UNIT_MAX 22 // symbols are not larger
#define SIDE_MIN 120
#define FAINTEST 0.16
#define FAINT 0.5

void cdi_canvas_at(const CdCanvas *c, const CdFrame *pose, const double point[3], double out[2]) {
    double Rp[3], p[3], x[3];
    mul3v(pose->R, point, Rp);
    add3(pose->p, Rp, p);
    cdi_camera_see(&c->camera, p, x);
    out[0] = x[0];
    out[1] = c->height - x[1];
}

// ---- size

typedef struct Box {
    double lower[2], upper[2];
    bool broken; // a number was not finite
} Box;

static void include(Box *box, const CdCamera *camera, const CdFrame *pose, const double point[3]) {
    double Rp[3], p[3], x[3];
    mul3v(pose->R, point, Rp);
    add3(pose->p, Rp, p);
    cdi_camera_see(camera, p, x);
    for (int i = 0; i < 2; i++) {
        box->lower[i] = fmin(box->lower[i], x[i]);
        box->upper[i] = fmax(box->upper[i], x[i]);
        if (!isfinite(x[i])) box->broken = true;
    }
}

static void include_scene(Box *box, const CdScene *s, const CdCamera *camera, const CdMoment *m) {
    for (size_t i = 0; i < s->parts.n; i++) {
        const CdPart *p = &s->parts.v[i];
        for (int k = 0; k < p->mesh.nvertices; k++) {
            include(box, camera, &m->pose[p->body], p->mesh.vertices + 3 * k);
        }
    }
    for (size_t i = 0; i < s->spans.n; i++) {
        const CdSpan *p = &s->spans.v[i];
        for (int k = 0; k < 2; k++) include(box, camera, &m->pose[p->body[k]], p->point[k]);
    }
}

static CdStatus fit(CdCanvas *c, const CdMoment *moments, int n) {
    Box box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}, false};
    double size[2];
    for (int i = 0; i < n; i++) include_scene(&box, c->scene, &c->camera, &moments[i]);
    if (box.broken) {
        return cdi_fail(c->scene->model->ctx, CD_NONFINITE,
                        "places of bodies are not finite numbers; they cannot be drawn");
    }
    if (!(box.lower[0] <= box.upper[0])) box = (Box){{0, 0}, {0, 0}, false};
    for (int i = 0; i < 2; i++) size[i] = box.upper[i] - box.lower[i];
    const double room[2] = {c->drawing->width - 2 * MARGIN, c->drawing->height - 2 * MARGIN};
    double scale = UNIT_MAX * c->scene->symbols / c->scene->unit;
    for (int i = 0; i < 2; i++) {
        if (size[i] > 0) scale = fmin(scale, room[i] / size[i]);
    }
    c->camera.scale = scale;
    c->width = (int)fmax(SIDE_MIN, ceil(scale * size[0]) + 2 * MARGIN);
    c->height = (int)fmax(SIDE_MIN, ceil(scale * size[1]) + 2 * MARGIN);
    c->camera.shift[0] = c->width / 2.0 - scale * (box.lower[0] + box.upper[0]) / 2;
    c->camera.shift[1] = c->height / 2.0 - scale * (box.lower[1] + box.upper[1]) / 2;
    return CD_OK;
}

// ---- one moment

static CdGroup group_of(const CdPart *p) {
    switch (p->kind) {
    case CD_PART_JOINT: return (CdGroup){CD_PAINT_JOINT, CD_LINE_EDGE};
    case CD_PART_CONNECTOR: return (CdGroup){CD_PAINT_CONNECTOR, CD_LINE_EDGE};
    case CD_PART_SUPPORT: return (CdGroup){CD_PAINT_SUPPORT, CD_LINE_HATCH};
    default:
        return (CdGroup){(CdPaint)(CD_PAINT_BODY + (p->body - 1) % CD_BODY_PAINTS), CD_LINE_EDGE};
    }
}

static CdStatus draw_solids(CdCanvas *c, const CdMoment *m, bool ghost) {
    const CdScene *s = c->scene;
    cdi_faces_clear(&c->faces);
    c->groups.n = 0;
    for (size_t i = 0; i < s->parts.n; i++) {
        const CdPart *p = &s->parts.v[i];
        // what never moves is drawn once
        if (ghost && cdi_model_body(s->model, p->body)->nv == 0) continue;
        CD_TRY(CD_PUSH(c->faces.ctx, c->groups, group_of(p)));
        CD_TRY(cdi_faces_mesh(&c->faces, &c->camera, &m->pose[p->body], &p->mesh,
                              (int)c->groups.n - 1));
    }
    for (size_t i = 0; i < s->spans.n; i++) CD_TRY(cdi_canvas_span(c, &s->spans.v[i], m));
    CD_TRY(cdi_faces_sort(&c->faces));
    return cdi_canvas_paint(c);
}

static CdStatus draw_all(CdCanvas *c, const CdMoment *moments, int n) {
    for (int i = 0; i + 1 < n; i++) {
        const double opacity = FAINTEST + (FAINT - FAINTEST) * (i + 1) / n;
        cdi_text_addf(&c->body, "<g opacity=\".%02d\">\n", (int)lround(100 * opacity));
        CD_TRY(draw_solids(c, &moments[i], true));
        cdi_text_add(&c->body, "</g>\n");
    }
    const CdMoment *last = &moments[n - 1];
    CD_TRY(draw_solids(c, last, false));
    if (c->drawing->frames) cdi_canvas_frames(c, last);
    cdi_canvas_arrows(c, last);
    cdi_canvas_corners(c);
    return c->drawing->names ? cdi_canvas_names(c, last) : CD_OK;
}

// ---- colours

typedef struct Colour {
    int light[3], dark[3];
} Colour;

static const Colour colours[CD_PAINTS] = {
    {{250, 250, 250}, {150, 158, 170}}, // joints
    {{240, 170, 90}, {190, 120, 50}},   // connectors
    {{205, 208, 212}, {110, 116, 126}}, // supports
    {{122, 166, 216}, {84, 130, 186}},  {{226, 180, 105}, {178, 134, 68}},
    {{136, 194, 140}, {88, 150, 96}},   {{220, 142, 142}, {174, 96, 98}},
    {{172, 156, 214}, {128, 110, 178}}, {{112, 192, 186}, {66, 148, 144}},
};

// percent of a colour: of the darkest tone, and what light adds to it
#define SHADE 72
#define LIT 30

static void add_fill(CdText *out, const char *class_name, const int rgb[3], int tone) {
    const int percent = SHADE + LIT * tone / (CD_TONES - 1);
    int c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = rgb[i] * percent / 100;
        if (c[i] > 255) c[i] = 255;
    }
    cdi_text_addf(out, "%s{fill:#%02x%02x%02x;stroke:#%02x%02x%02x}\n", class_name, c[0], c[1],
                  c[2], c[0], c[1], c[2]);
}

static void add_colours(const CdCanvas *c, CdText *out) {
    cdi_text_add(out, "<style>\n");
    for (int dark = 0; dark < 2; dark++) {
        if (dark) cdi_text_add(out, "@media(prefers-color-scheme:dark){\n");
        for (int p = 0; p < CD_PAINTS; p++) {
            for (int t = 0; t < CD_TONES; t++) {
                char name[16];
                if (!c->used[p][t]) continue;
                snprintf(name, sizeof name, ".p%d%c", p, 'a' + t);
                add_fill(out, name, dark ? colours[p].dark : colours[p].light, t);
            }
        }
    }
    cdi_text_add(out, "}\n</style>\n");
}

static const CdSvgRule rules[] = {
    {"path", "stroke-width:4;stroke-linejoin:round;stroke-linecap:round", NULL},
    {".e,.h,.s,.b,.d,.f,.w", "fill:none;stroke:#1c2530;stroke-width:11", "stroke:#e6ebf2"},
    {".h", "stroke-width:8", NULL},
    {".s", "stroke-width:15", NULL},
    {".b", "stroke-width:24;stroke:#5a6675", "stroke:#aab6c6"},
    {".f", "stroke:#c62828;stroke-width:18", "stroke:#ff7a70"},
    {".a", "fill:#c62828;stroke:none", "fill:#ff7a70"},
    {".w", "stroke-width:10;stroke:#5a6675", "stroke:#aab6c6"},
    {".v", "fill:#5a6675;stroke:none", "fill:#aab6c6"},
    {".x", "fill:none;stroke:#d32f2f;stroke-width:14", "stroke:#ff7a70"},
    {".y", "fill:none;stroke:#2e7d32;stroke-width:14", "stroke:#7bd181"},
    {".z", "fill:none;stroke:#1565c0;stroke-width:14", "stroke:#78b4ff"},
    {"text",
     "font:130px sans-serif;fill:#1c2530;stroke:#fff;stroke-width:30;stroke-opacity:.8;"
     "paint-order:stroke",
     "fill:#e6ebf2;stroke:#11161d"},
    {".j", "font-size:110px;font-style:italic", NULL},
};

// ---- all

static void assemble(const CdCanvas *c, CdText *out) {
    cdi_svg_open(out, c->width, c->height, c->drawing->title);
    cdi_svg_rules(out, rules, sizeof rules / sizeof *rules);
    add_colours(c, out);
    if (c->body.v) cdi_text_addn(out, c->body.v, c->body.n);
    cdi_svg_close(out);
}

CdStatus cdi_svg_draw(const CdScene *scene, const CdDrawing *drawing, const CdMoment *moments,
                      int n, CdText *out, CdDrawn *drawn) {
    CdContext *ctx = scene->model->ctx;
    CdCanvas c = {.scene = scene, .drawing = drawing, .faces = {.ctx = ctx}};
    cdi_text_init(&c.body, ctx);
    CdStatus status = cdi_camera_view(scene, drawing->view, &c.camera);
    if (status == CD_OK) status = fit(&c, moments, n);
    if (status == CD_OK) status = draw_all(&c, moments, n);
    if (status == CD_OK) status = c.body.status;
    if (status == CD_OK) {
        assemble(&c, out);
        status = out->status;
        *drawn = (CdDrawn){c.camera, c.width, c.height, (int)c.faces.order.n};
    }
    cdi_faces_free(&c.faces);
    cdi_array_free(ctx, &c.groups.any);
    cdi_text_free(&c.body);
    return status;
}
