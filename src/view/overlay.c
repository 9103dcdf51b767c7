// overlay.c - over all faces: arrows of loads, frames, gravity, axes of the world, names
#include <string.h>

#include "view/draw.h"

// pixels
#define ARROW_MAX 70
#define HEAD 10
#define HEAD_SMALL 7
#define CORNER 26 // axes of the world
#define CORNER_BOX 62
#define FRAME 22
#define ACROSS 0.2 // of a direction in the picture, to be drawn
#define TURN_POINTS 25
#define TURN_RADIUS 18
#define TURN_ANGLE 4.7 // rad

// ---- arrows

static void add_line(CdText *out, const char *name, const double (*x)[2], int n) {
    cdi_text_addf(out, "<path class=\"%s\" d=\"", name);
    cdi_svg_path(out, x, n, false);
    cdi_text_add(out, "\"/>\n");
}

// a head whose tip is at x, along d
static void add_head(CdText *out, const char *name, const double x[2], const double d[2],
                     double size) {
    const double l = hypot(d[0], d[1]), u[2] = {d[0] / l * size, d[1] / l * size};
    const double points[3][2] = {
        {x[0], x[1]},
        {x[0] - u[0] - 0.38 * u[1], x[1] - u[1] + 0.38 * u[0]},
        {x[0] - u[0] + 0.38 * u[1], x[1] - u[1] - 0.38 * u[0]},
    };
    cdi_text_addf(out, "<path class=\"%s\" d=\"", name);
    cdi_svg_path(out, points, 3, true);
    cdi_text_add(out, "\"/>\n");
}

// from x along d; the line ends inside its head
static void add_arrow(CdText *out, const char *line, const char *head, const double x[2],
                      const double d[2], double size) {
    const double l = hypot(d[0], d[1]), short_of = fmax(0, l - 0.7 * size) / l;
    const double ends[2][2] = {{x[0], x[1]}, {x[0] + short_of * d[0], x[1] + short_of * d[1]}};
    const double tip[2] = {x[0] + d[0], x[1] + d[1]};
    add_line(out, line, ends, 2);
    add_head(out, head, tip, d, size);
}

// about the direction u of the world, from a point of the picture
static void add_turn(CdCanvas *c, const double x[2], const double u[3]) {
    double points[TURN_POINTS][2], R[9];
    cdi_mesh_along(u, R);
    for (int i = 0; i < TURN_POINTS; i++) {
        const double angle = TURN_ANGLE * i / (TURN_POINTS - 1);
        const double on[3] = {cos(angle), sin(angle), 0};
        double world[3], seen[3];
        mul3v(R, on, world);
        cdi_camera_turn(&c->camera, world, seen);
        points[i][0] = x[0] + TURN_RADIUS * seen[0];
        points[i][1] = x[1] - TURN_RADIUS * seen[1];
    }
    const double *tip = points[TURN_POINTS - 1], *before = points[TURN_POINTS - 3];
    const double d[2] = {tip[0] - before[0], tip[1] - before[1]};
    add_line(&c->body, "f", (const double(*)[2])points, TURN_POINTS - 1);
    if (hypot(d[0], d[1]) > 0) add_head(&c->body, "a", tip, d, HEAD);
}

void cdi_canvas_arrows(CdCanvas *c, const CdMoment *at) {
    double largest = 0;
    for (int i = 0; i < at->narrows; i++) {
        if (at->arrows[i].style == CD_ARROW_FORCE) {
            largest = fmax(largest, norm3(at->arrows[i].vector));
        }
    }
    for (int i = 0; i < at->narrows; i++) {
        const CdArrow *a = &at->arrows[i];
        const double size = norm3(a->vector);
        double x[2], u[3], seen[3];
        if (!(size > 0) || !isfinite(size)) continue;
        cdi_canvas_at(c, &at->pose[a->body], a->point, x);
        unit3(a->vector, u);
        if (a->style == CD_ARROW_TORQUE) {
            add_turn(c, x, u);
            continue;
        }
        const double length = ARROW_MAX * size / largest;
        cdi_camera_turn(&c->camera, u, seen);
        const double d[2] = {length * seen[0], -length * seen[1]};
        if (hypot(d[0], d[1]) > HEAD) add_arrow(&c->body, "f", "a", x, d, HEAD);
    }
}

// ---- frames

static const char *const axis_names[] = {"x", "y", "z"};

static void add_frame(CdCanvas *c, const CdFrame *f, double size) {
    const double origin[3] = {0, 0, 0};
    double x[2];
    cdi_canvas_at(c, f, origin, x);
    for (int k = 0; k < 3; k++) {
        double axis[3], seen[3];
        frame_axis(f, k, axis);
        cdi_camera_turn(&c->camera, axis, seen);
        const double ends[2][2] = {{x[0], x[1]}, {x[0] + size * seen[0], x[1] - size * seen[1]}};
        if (hypot(seen[0], seen[1]) > ACROSS / 2) add_line(&c->body, axis_names[k], ends, 2);
    }
}

void cdi_canvas_frames(CdCanvas *c, const CdMoment *at) {
    const CdModel *m = c->scene->model;
    for (int i = 1; i < c->scene->nbodies; i++) add_frame(c, &at->pose[i], FRAME);
    for (size_t i = 0; i < m->markers.n; i++) {
        CdFrame own, x;
        if (!m->markers.v[i].item) continue;
        cdi_view_marker(m, (int)i, &own);
        frame_compose(&at->pose[m->markers.v[i].body], &own, &x);
        add_frame(c, &x, 0.6 * FRAME);
    }
}

// ---- corners

// is a box of the picture, y down, free of faces?
static bool is_free(const CdCanvas *c, double x, double y, double size) {
    for (size_t i = 0; i < c->faces.order.n; i++) {
        const double *box = c->faces.v.v[c->faces.order.v[i]].box;
        const double top = c->height - box[3], bottom = c->height - box[1];
        if (box[0] < x + size && box[2] > x && top < y + size && bottom > y) return false;
    }
    return true;
}

// centre of a corner that nothing is in; false: there is none
static bool find_corner(const CdCanvas *c, const bool taken[4], int *corner, double x[2]) {
    static const int order[4] = {2, 3, 0, 1}; // bottom left, bottom right, top left, top right
    for (int i = 0; i < 4; i++) {
        const int k = order[i];
        const double left = k % 2 ? c->width - CORNER_BOX : 0;
        const double top = k / 2 ? c->height - CORNER_BOX : 0;
        if (taken[k] || !is_free(c, left, top, CORNER_BOX)) continue;
        *corner = k;
        x[0] = left + CORNER_BOX / 2.0;
        x[1] = top + CORNER_BOX / 2.0;
        return true;
    }
    return false;
}

static void add_word(CdText *out, const char *name, double x, double y, const char *anchor,
                     const char *word) {
    cdi_text_addf(out, "<text%s%s%s x=\"%ld\" y=\"%ld\"%s%s%s>", name ? " class=\"" : "",
                  name ? name : "", name ? "\"" : "", cdi_svg_unit(x), cdi_svg_unit(y),
                  anchor ? " text-anchor=\"" : "", anchor ? anchor : "", anchor ? "\"" : "");
    cdi_svg_escape(out, word);
    cdi_text_add(out, "</text>\n");
}

static void add_axes(CdCanvas *c, const double middle[2]) {
    double seen[3][3], x[2] = {middle[0], middle[1]};
    for (int k = 0; k < 3; k++) {
        double e[3] = {0};
        e[k] = 1;
        cdi_camera_turn(&c->camera, e, seen[k]);
        // around the middle of the corner
        x[0] -= CORNER * seen[k][0] / 2;
        x[1] += CORNER * seen[k][1] / 2;
    }
    for (int k = 0; k < 3; k++) {
        const double d[2] = {CORNER * seen[k][0], -CORNER * seen[k][1]};
        const double l = hypot(d[0], d[1]);
        if (l < ACROSS * CORNER) continue;
        add_arrow(&c->body, "w", "v", x, d, HEAD_SMALL);
        const double s = (l + HEAD_SMALL) / l;
        add_word(&c->body, "j", x[0] + s * d[0], x[1] + s * d[1] + 4, "middle", axis_names[k]);
    }
}

static void add_gravity(CdCanvas *c, const double middle[2]) {
    double u[3], seen[3];
    unit3(c->scene->model->gravity, u);
    cdi_camera_turn(&c->camera, u, seen);
    const double d[2] = {CORNER * seen[0], -CORNER * seen[1]};
    if (hypot(d[0], d[1]) < ACROSS * CORNER) return;
    const double x[2] = {middle[0] - d[0] / 2, middle[1] - d[1] / 2};
    add_arrow(&c->body, "w", "v", x, d, HEAD_SMALL);
    add_word(&c->body, "j", middle[0] + 7, middle[1] + 4, NULL, "g");
}

void cdi_canvas_corners(CdCanvas *c) {
    bool taken[4] = {false};
    double x[2];
    int k;
    if (find_corner(c, taken, &k, x)) {
        add_axes(c, x);
        taken[k] = true;
    }
    if (norm3(c->scene->model->gravity) > 0 && find_corner(c, taken, &k, x)) add_gravity(c, x);
}
