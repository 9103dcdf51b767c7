// spans.c - springs, dampers, actuators and thin bars between two points, as lines in the picture
//
// Their zigzag lies in the picture, so that it is seen from everywhere; its depth goes from one end
// to the other.
//
//   spring          o--/\/\/\/--o
//   with a damper   both side by side between two cross-bars
//   actuator        o--[====]---o
#include "view/draw.h"

// in units of symbols
#define WAVE 0.5   // of a spring, to either side
#define APART 0.7  // spring and damper, each from the middle
#define POT 0.34   // half the width of a damper
#define BARREL 0.4 // half the width of an actuator
#define PITCH 0.9  // of a winding
#define TURNS_MIN 3
#define TURNS_MAX 12
// parts of the length
#define LEAD 0.18
#define SHORTEST 3.0 // in units: below, a plain line
#define POINTS_MAX (2 * TURNS_MAX + 4)

typedef struct Axis {
    CdCanvas *c;
    int group;
    double from[3], along[3]; // in the picture; along: the whole way
    double side[2];           // of one unit
} Axis;

// s: part of the way; w: units to the side
static void place(const Axis *a, double s, double w, double out[3]) {
    axpy3(s, a->along, a->from, out);
    for (int i = 0; i < 2; i++) out[i] += w * a->side[i];
}

// n points (s, w)
static CdStatus line(const Axis *a, const double (*points)[2], int n) {
    double x[3 * POINTS_MAX];
    for (int i = 0; i < n; i++) place(a, points[i][0], points[i][1], x + 3 * i);
    return cdi_faces_line(&a->c->faces, x, n, a->group);
}

static CdStatus plain(const Axis *a) {
    const double ends[][2] = {{0, 0}, {1, 0}};
    return line(a, ends, 2);
}

static CdStatus spring(const Axis *a, double units, double w) {
    const double wave = units * (1 - 2 * LEAD) / PITCH;
    const int turns = wave < TURNS_MIN ? TURNS_MIN : wave > TURNS_MAX ? TURNS_MAX : (int)wave;
    double points[POINTS_MAX][2] = {{0, w}, {LEAD, w}};
    int n = 2;
    for (int k = 0; k < 2 * turns; k++) {
        points[n][0] = LEAD + (1 - 2 * LEAD) * (k + 0.5) / (2 * turns);
        points[n++][1] = w + (k % 2 ? -WAVE : WAVE);
    }
    points[n][0] = 1 - LEAD;
    points[n++][1] = w;
    points[n][0] = 1;
    points[n++][1] = w;
    return line(a, (const double(*)[2])points, n);
}

static CdStatus damper(const Axis *a, double w) {
    const double rod[][2] = {{0, w}, {0.55, w}}, piston[][2] = {{0.55, w - POT}, {0.55, w + POT}};
    const double pot[][2] = {
        {0.38, w - POT - 0.1}, {0.72, w - POT - 0.1}, {0.72, w + POT + 0.1}, {0.38, w + POT + 0.1}};
    const double end[][2] = {{0.72, w}, {1, w}};
    CD_TRY(line(a, rod, 2));
    CD_TRY(line(a, piston, 2));
    CD_TRY(line(a, pot, 4));
    return line(a, end, 2);
}

// from its ends to cross-bars, between which both are
static CdStatus spring_damper(const Axis *a, double units) {
    const double gap = 0.12;
    Axis inner = *a;
    axpy3(gap, a->along, a->from, inner.from);
    scale3(1 - 2 * gap, a->along, inner.along);
    for (int k = 0; k < 2; k++) {
        const double lead[][2] = {{k ? 1 : 0, 0}, {k ? 1 - gap : gap, 0}};
        const double bar[][2] = {{lead[1][0], -APART}, {lead[1][0], APART}};
        CD_TRY(line(a, lead, 2));
        CD_TRY(line(a, bar, 2));
    }
    CD_TRY(spring(&inner, units * (1 - 2 * gap), APART));
    return damper(&inner, -APART);
}

static CdStatus actuator(const Axis *a) {
    const double barrel[][2] = {
        {0.12, -BARREL}, {0.6, -BARREL}, {0.6, BARREL}, {0.12, BARREL}, {0.12, -BARREL}};
    const double eye[][2] = {{0, 0}, {0.12, 0}}, rod[][2] = {{0.45, 0}, {1, 0}};
    const double piston[][2] = {{0.45, -BARREL}, {0.45, BARREL}};
    CD_TRY(line(a, barrel, 5));
    CD_TRY(line(a, eye, 2));
    CD_TRY(line(a, rod, 2));
    return line(a, piston, 2);
}

static void see(const CdCanvas *c, const CdFrame *pose, const double point[3], double out[3]) {
    double Rp[3], p[3];
    mul3v(pose->R, point, Rp);
    add3(pose->p, Rp, p);
    cdi_camera_see(&c->camera, p, out);
}

CdStatus cdi_canvas_span(CdCanvas *c, const CdSpan *span, const CdMoment *at) {
    const double unit = c->scene->unit * c->camera.scale;
    const CdLine style = span->style == CD_SPAN_LINE ? CD_LINE_BAR : CD_LINE_SPAN;
    double to[3];
    Axis a = {.c = c, .group = (int)c->groups.n};
    CD_TRY(CD_PUSH(c->faces.ctx, c->groups, ((CdGroup){CD_PAINT_CONNECTOR, style})));
    see(c, &at->pose[span->body[0]], span->point[0], a.from);
    see(c, &at->pose[span->body[1]], span->point[1], to);
    sub3(to, a.from, a.along);
    const double length = hypot(a.along[0], a.along[1]), units = length / unit;
    if (!(length > 0)) return CD_OK;
    a.side[0] = -a.along[1] / length * unit;
    a.side[1] = a.along[0] / length * unit;
    if (units < SHORTEST) return plain(&a);
    switch (span->style) {
    case CD_SPAN_SPRING: return spring(&a, units, 0);
    case CD_SPAN_SPRING_DAMPER: return spring_damper(&a, units);
    case CD_SPAN_ACTUATOR: return actuator(&a);
    default: return plain(&a);
    }
}
