// plot.c - writes the SVG: scales, grid, curves with marks, guides of slope, legend
//
//   x -> left + (log10 x - lo)/(hi - lo) width      y likewise, upwards

#include "plot.h"

#include <math.h>
#include <string.h>

#define WIDTH 760
#define HEAD 64          // title and legend
#define PANEL_WIDTH 380  // with its margins
#define PANEL_HEIGHT 290 // likewise
#define LEFT 58
#define RIGHT 18
#define TOP 30
#define BOTTOM 46
#define LABELS_MAX 7    // decades with a number at them
#define SHORT_RANGE 2.0 // decades, below which 2 and 5 get lines too
#define PLAIN_LO (-3)   // exponents of numbers that are written out
#define PLAIN_HI 4
#define GUIDE_DISTANCE 0.4 // decades below the curve

// colours that stay apart for colour-blind readers: Okabe & Ito 2008, lighter on dark pages
static const char style_sheet[] =
    "<style>\n"
    "text{font-family:system-ui,Helvetica,Arial,sans-serif;font-size:12px;fill:#1f2328}\n"
    ".back{fill:#ffffff}.title{font-size:15px;font-weight:600}.head{font-weight:600}\n"
    ".small{font-size:11px;fill:#57606a}.grid{stroke:#d8dee4;stroke-width:1}\n"
    ".frame{fill:none;stroke:#8c959f;stroke-width:1}\n"
    ".guide{stroke:#57606a;stroke-width:1.2;stroke-dasharray:5 4;fill:none}\n"
    ".line{fill:none;stroke-width:2}\n"
    ".s0{stroke:#0072b2}.m0{fill:#0072b2}.s1{stroke:#d55e00}.m1{fill:#d55e00}\n"
    ".s2{stroke:#008a64}.m2{fill:#008a64}.s3{stroke:#b4508c}.m3{fill:#b4508c}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e6edf3}.back{fill:#0d1117}.small{fill:#9198a1}.grid{stroke:#2a313c}\n"
    ".frame{stroke:#6e7681}.guide{stroke:#9198a1}\n"
    ".s0{stroke:#58b4f0}.m0{fill:#58b4f0}.s1{stroke:#ff8f40}.m1{fill:#ff8f40}\n"
    ".s2{stroke:#3fcf9f}.m2{fill:#3fcf9f}.s3{stroke:#e08cc0}.m3{fill:#e08cc0}\n"
    "}\n</style>\n";

typedef struct Axis {
    double lo, hi; // log10
    double a, b;   // pixels at lo and hi
} Axis;

typedef struct Frame {
    Axis x, y;
    const PlotPanel *panel;
    CdText *out;
} Frame;

static bool shown(const PlotCurve *c, int i) {
    return isfinite(c->x[i]) && c->x[i] > 0 && isfinite(c->y[i]) && c->y[i] > 0;
}

static double place(const Axis *axis, double log_value) {
    return axis->a + (log_value - axis->lo) / (axis->hi - axis->lo) * (axis->b - axis->a);
}

static void widen(Axis *axis, double value) {
    axis->lo = fmin(axis->lo, log10(value));
    axis->hi = fmax(axis->hi, log10(value));
}

// the range of all points; y in whole decades
static void find_ranges(Frame *f) {
    f->x.lo = f->y.lo = INFINITY;
    f->x.hi = f->y.hi = -INFINITY;
    for (int k = 0; k < f->panel->ncurves; k++)
        for (int i = 0; i < f->panel->curves[k].n; i++) {
            const PlotCurve *c = &f->panel->curves[k];
            if (!shown(c, i)) continue;
            widen(&f->x, c->x[i]);
            widen(&f->y, c->y[i]);
        }
    // an empty panel still has axes
    if (!(f->x.lo <= f->x.hi)) f->x.lo = f->y.lo = -1, f->x.hi = f->y.hi = 0;
    const double room = fmax(0.05 * (f->x.hi - f->x.lo), 0.05);
    f->x.lo -= room;
    f->x.hi += room;
    f->y.lo = floor(f->y.lo - GUIDE_DISTANCE);
    f->y.hi = ceil(f->y.hi);
}

// written out, or 10 with a small exponent
static void number(CdText *out, const Axis *axis, int factor, int exponent) {
    if (axis->lo >= PLAIN_LO && axis->hi <= PLAIN_HI) {
        cdi_text_addf(out, "%.*f", exponent < 0 ? -exponent : 0, factor * pow(10, exponent));
        return;
    }
    if (factor != 1) cdi_text_addf(out, "%d&#183;", factor);
    cdi_text_addf(out, "10<tspan dy=\"-4\" font-size=\"9\">%s%d</tspan>",
                  exponent < 0 ? "&#8722;" : "", exponent < 0 ? -exponent : exponent);
}

static void x_tick(Frame *f, int factor, int exponent) {
    const double v = log10(factor) + exponent;
    if (v < f->x.lo || v > f->x.hi) return;
    const double x = place(&f->x, v);
    cdi_text_addf(f->out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x, f->y.a, f->y.b);
    cdi_text_addf(f->out, "<text class=\"small\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">", x,
                  f->y.a + 16);
    number(f->out, &f->x, factor, exponent);
    cdi_text_add(f->out, "</text>\n");
}

static void x_ticks(Frame *f) {
    static const int factors[] = {1, 2, 5};
    const int n = f->x.hi - f->x.lo < SHORT_RANGE ? 3 : 1;
    for (int e = (int)floor(f->x.lo); e <= (int)ceil(f->x.hi); e++)
        for (int i = 0; i < n; i++) x_tick(f, factors[i], e);
}

static void y_ticks(Frame *f) {
    const int lo = (int)f->y.lo, hi = (int)f->y.hi;
    const int stride = (hi - lo + LABELS_MAX - 1) / LABELS_MAX;
    for (int e = hi; e >= lo; e -= stride) {
        const double y = place(&f->y, e);
        cdi_text_addf(f->out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", f->x.a, y, f->x.b);
        cdi_text_addf(f->out, "<text class=\"small\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">",
                      f->x.a - 6, y + 4);
        number(f->out, &f->y, 1, e);
        cdi_text_add(f->out, "</text>\n");
    }
}

// one shape per style, so that colour is not needed
static void mark(CdText *out, int style, double x, double y) {
    static const char *const shapes[PLOT_CURVES] = {
        "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z", // circle
        "m-3.2-3.2h6.4v6.4h-6.4z",                          // square
        "m0-4.4l4 7.2h-8z",                                 // triangle
        "m0-4.6l4.6 4.6-4.6 4.6-4.6-4.6z",                  // diamond
    };
    cdi_text_addf(out, "<path class=\"m%d\" d=\"M%.1f %.1f%s\"/>\n", style, x, y, shapes[style]);
}

static void curve(Frame *f, const PlotCurve *c) {
    char go = 'M';
    cdi_text_addf(f->out, "<path class=\"line s%d\" d=\"", c->style);
    for (int i = 0; i < c->n; i++) {
        if (!shown(c, i)) continue;
        cdi_text_addf(f->out, "%c%.1f %.1f", go, place(&f->x, log10(c->x[i])),
                      place(&f->y, log10(c->y[i])));
        go = 'L';
    }
    cdi_text_add(f->out, "\"/>\n");
    for (int i = 0; i < c->n; i++)
        if (shown(c, i))
            mark(f->out, c->style, place(&f->x, log10(c->x[i])), place(&f->y, log10(c->y[i])));
}

// a dashed line of the slope, below the two largest steps of the curve
static void guide(Frame *f, const PlotCurve *c) {
    if (c->n < 3 || !shown(c, 0) || !shown(c, 2)) return;
    const double x0 = log10(c->x[0]), x1 = log10(c->x[2]);
    double shift = INFINITY;
    for (int i = 0; i < 3; i++)
        if (shown(c, i)) shift = fmin(shift, log10(c->y[i]) - c->slope * log10(c->x[i]));
    shift -= GUIDE_DISTANCE;
    const double y0 = shift + c->slope * x0, y1 = shift + c->slope * x1;
    if (y1 < f->y.lo || y0 > f->y.hi) return;
    cdi_text_addf(f->out, "<path class=\"guide\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", place(&f->x, x0),
                  place(&f->y, y0), place(&f->x, x1), place(&f->y, y1));
    cdi_text_addf(f->out, "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">slope %d</text>\n",
                  place(&f->x, (x0 + x1) / 2) + 8, place(&f->y, (y0 + y1) / 2) + 12, c->slope);
}

// of curves with the same slope the lowest has room below it
static bool has_guide(const PlotPanel *p, int k) {
    const PlotCurve *c = &p->curves[k];
    if (!c->slope) return false;
    for (int j = 0; j < p->ncurves; j++) {
        const PlotCurve *d = &p->curves[j];
        if (j == k || d->slope != c->slope || !shown(d, 0)) continue;
        if (d->y[0] < c->y[0] || (d->y[0] == c->y[0] && j < k)) return false;
    }
    return true;
}

static void panel(const PlotPanel *p, double left, double top, CdText *out) {
    Frame f = {.panel = p, .out = out};
    f.x.a = left + LEFT, f.x.b = left + PANEL_WIDTH - RIGHT;
    f.y.a = top + PANEL_HEIGHT - BOTTOM, f.y.b = top + TOP;
    find_ranges(&f);
    x_ticks(&f);
    y_ticks(&f);
    cdi_text_addf(out, "<path class=\"frame\" d=\"M%.1f %.1fH%.1fV%.1fH%.1fz\"/>\n", f.x.a, f.y.a,
                  f.x.b, f.y.b, f.x.a);
    cdi_text_addf(out, "<text class=\"head\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", f.x.a, f.y.b - 9,
                  p->title);
    cdi_text_addf(out,
                  "<text class=\"small\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                  (f.x.a + f.x.b) / 2, f.y.a + 34, p->x_label);
    for (int k = 0; k < p->ncurves; k++)
        if (has_guide(p, k)) guide(&f, &p->curves[k]);
    for (int k = 0; k < p->ncurves; k++) curve(&f, &p->curves[k]);
}

static void legend(const PlotPanel *p, CdText *out) {
    double x = LEFT;
    for (int k = 0; k < p->ncurves; k++) {
        const int style = p->curves[k].style;
        cdi_text_addf(out, "<path class=\"line s%d\" d=\"M%.1f %dh28\"/>\n", style, x, HEAD - 16);
        mark(out, style, x + 14, HEAD - 16);
        cdi_text_addf(out, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", x + 35, HEAD - 12,
                      p->curves[k].name);
        x += 110;
    }
}

void plot_svg(const Plot *plot, CdText *out) {
    const int rows = (plot->npanels + 1) / 2, height = HEAD + rows * PANEL_HEIGHT;
    cdi_text_addf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                  "height=\"%d\" role=\"img\">\n<title>%s</title>\n",
                  WIDTH, height, WIDTH, height, plot->title);
    cdi_text_add(out, style_sheet);
    cdi_text_addf(out, "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n", WIDTH, height);
    cdi_text_addf(out, "<text class=\"title\" x=\"%d\" y=\"26\">%s</text>\n", LEFT, plot->title);
    legend(&plot->panels[0], out);
    for (int i = 0; i < plot->npanels; i++)
        panel(&plot->panels[i], i % 2 * PANEL_WIDTH, HEAD + i / 2 * PANEL_HEIGHT, out);
    cdi_text_add(out, "</svg>\n");
}
