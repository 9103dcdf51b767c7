// plot.c - channels as lines: one panel for every unit, over time or over another channel
//
// The table is read twice: for ranges, then for lines. Samples in one column of pixels are told by
// their first, least, greatest and last value, so a picture does not grow with the length of a run.
#include "view/plot.h"

#include <string.h>

#include "base/utf8.h"
#include "view/svg.h"

// pixels
#define LETTER 7.4
#define LINE 16
#define TOP 30
#define GAP 30
#define BOTTOM 46
#define RIGHT 14
#define KEY 22 // of a line in the legend
#define LEGEND_MAX 240
#define PANEL_MIN 120
#define TICK 5
#define TICKS_X 9
#define TICKS_Y 6
#define COLOURS 8

typedef struct Panel {
    const char *unit;
    double low, high;
    CdAxis axis;
    double top, bottom;
    int nlines;
} Panel;

// samples of one column of pixels
typedef struct Column {
    int n; // samples in it
    long at;
    double first[2], last[2], least[2], most[2]; // pixels
    uint64_t i_least, i_most;
} Column;

typedef struct Line {
    CdPlotLine *out;
    Column column;
    long pen[2]; // where the path is
    int points;  // of the stroke so far
    CdText path;
} Line;

typedef struct Plotter {
    CdTable *table;
    const CdPlot *plot;
    CdPlotted *plotted;
    Panel *panels;
    Line *lines;
    double low, high; // of x
    double left, right;
    double *block;
    uint64_t rows;
} Plotter;

static const char *x_unit(const Plotter *p) {
    return p->plot->x < 0 ? "s" : p->table->channels[p->plot->x].unit;
}

// ---- ranges

typedef CdStatus Each(Plotter *p, uint64_t i, const double *row);

static CdStatus walk(Plotter *p, Each *each) {
    const uint64_t most = cdi_table_block(p->table), width = (uint64_t)p->table->n + 1;
    for (uint64_t i = 0; i < p->table->rows; i += most) {
        const uint64_t rest = p->table->rows - i, n = rest < most ? rest : most;
        CD_TRY(p->table->read(p->table, i, n, p->block));
        for (uint64_t k = 0; k < n; k++) CD_TRY(each(p, i + k, p->block + k * width));
    }
    return CD_OK;
}

// can it be drawn?
static bool is_number(double x) {
    return fabs(x) <= CD_AXIS_MAX;
}

static void widen(double x, double *low, double *high) {
    if (!is_number(x)) return;
    if (!(x >= *low)) *low = x;
    if (!(x <= *high)) *high = x;
}

static CdStatus measure(Plotter *p, uint64_t i, const double *row) {
    (void)i;
    widen(row[1 + p->plot->x], &p->low, &p->high);
    for (int k = 0; k < p->plot->ny; k++) {
        CdPlotLine *l = p->lines[k].out;
        const double y = row[1 + l->channel];
        widen(y, &l->low, &l->high);
        l->gaps += !is_number(y);
    }
    return CD_OK;
}

static int find_panel(Plotter *p, const char *unit) {
    int k = 0;
    while (k < p->plotted->npanels && strcmp(p->panels[k].unit, unit) != 0) k++;
    if (k == p->plotted->npanels) {
        p->panels[k] = (Panel){.unit = unit, .low = NAN, .high = NAN};
        p->plotted->npanels++;
    }
    p->panels[k].nlines++;
    return k;
}

static void share_ranges(Plotter *p) {
    for (int k = 0; k < p->plot->ny; k++) {
        const CdPlotLine *l = p->lines[k].out;
        Panel *panel = &p->panels[l->panel];
        widen(l->low, &panel->low, &panel->high);
        widen(l->high, &panel->low, &panel->high);
    }
    for (int k = 0; k < p->plotted->npanels; k++) {
        cdi_axis_make(p->panels[k].low, p->panels[k].high, TICKS_Y, true, &p->panels[k].axis);
    }
    // time ends where the run does, other things at round numbers
    cdi_axis_make(p->low, p->high, TICKS_X, p->plot->x >= 0, &p->plotted->x);
}

// ---- room

static double width_of(const char *text) {
    return LETTER * (double)cdi_utf8_count(text);
}

static void lay_out(Plotter *p) {
    const int n = p->plotted->npanels > 0 ? p->plotted->npanels : 1;
    double ticks = 0, legend = 0;
    for (int k = 0; k < p->plotted->npanels; k++) {
        const CdAxis *a = &p->panels[k].axis;
        for (int i = 0; i < a->n; i++) ticks = fmax(ticks, width_of(a->text[i]));
    }
    for (int k = 0; k < p->plot->ny; k++) {
        const char *name = p->table->channels[p->plot->y[k]].name;
        legend = fmax(legend, KEY + 8 + width_of(name));
    }
    legend = fmin(legend, LEGEND_MAX);
    p->left = ticks + 2 * TICK + 8;
    p->right = p->plot->width - RIGHT - legend;
    // half of the picture at least is for lines
    p->right = fmax(p->right, p->left + p->plot->width / 4.0);
    const double room = p->plot->height - TOP - BOTTOM - (n - 1) * GAP;
    double y = TOP;
    for (int k = 0; k < p->plotted->npanels; k++) {
        const double names = LINE * p->panels[k].nlines;
        p->panels[k].top = y;
        y += fmax(fmax(PANEL_MIN, room / n), names);
        p->panels[k].bottom = y;
        y += GAP;
    }
    p->plotted->width = p->plot->width;
    p->plotted->height = (int)ceil(p->plotted->npanels > 0 ? y - GAP + BOTTOM : p->plot->height);
}

static double place(double v, const CdAxis *a, double from, double to) {
    return from + (v - a->low) / (a->high - a->low) * (to - from);
}

// ---- lines

static void pen_to(Line *l, const double x[2]) {
    const long at[2] = {cdi_svg_unit(x[0]), cdi_svg_unit(x[1])};
    const long d[2] = {at[0] - l->pen[0], at[1] - l->pen[1]};
    if (l->points > 0 && d[0] == 0 && d[1] == 0) return;
    cdi_svg_point(&l->path, l->points, l->points == 0 ? at : d);
    l->points++;
    memcpy(l->pen, at, sizeof at);
}

static void end_column(Line *l) {
    const Column *c = &l->column;
    if (c->n > 0) pen_to(l, c->first);
    if (c->n > 2) {
        const bool up = c->i_least < c->i_most;
        pen_to(l, up ? c->least : c->most);
        pen_to(l, up ? c->most : c->least);
    }
    if (c->n > 1) pen_to(l, c->last);
    l->column.n = 0;
}

static void lift_pen(Line *l) {
    end_column(l);
    // a sample alone is a dot: a line of no length with round ends
    if (l->points == 1) cdi_text_add(&l->path, "l0 0");
    l->points = 0;
}

static void add_sample(Line *l, uint64_t i, const double x[2]) {
    Column *c = &l->column;
    const long at = lround(x[0]);
    if (c->n > 0 && at != c->at) end_column(l);
    if (c->n++ == 0) {
        *c = (Column){.n = 1, .at = at, .i_least = i, .i_most = i};
        memcpy(c->first, x, sizeof c->first);
        memcpy(c->least, x, sizeof c->least);
        memcpy(c->most, x, sizeof c->most);
    }
    memcpy(c->last, x, sizeof c->last);
    if (x[1] < c->least[1]) memcpy(c->least, x, sizeof c->least), c->i_least = i;
    if (x[1] > c->most[1]) memcpy(c->most, x, sizeof c->most), c->i_most = i;
}

static CdStatus trace(Plotter *p, uint64_t i, const double *row) {
    const double x = row[1 + p->plot->x];
    for (int k = 0; k < p->plot->ny; k++) {
        Line *l = &p->lines[k];
        const Panel *panel = &p->panels[l->out->panel];
        const double y = row[1 + l->out->channel];
        if (!is_number(x) || !is_number(y)) {
            lift_pen(l);
            continue;
        }
        const double at[2] = {place(x, &p->plotted->x, p->left, p->right),
                              place(y, &panel->axis, panel->bottom, panel->top)};
        add_sample(l, i, at);
        CD_TRY(l->path.status);
    }
    return CD_OK;
}

// ---- what is written

static const CdSvgRule rules[] = {
    {"path", "fill:none;stroke-width:15;stroke-linejoin:round;stroke-linecap:round", NULL},
    {"text", "font:120px sans-serif;fill:#1c2530", "fill:#e6ebf2"},
    {".g", "stroke:#dfe3e8;stroke-width:8", "stroke:#39424e"},
    {".k", "stroke:#5a6675;stroke-width:10", "stroke:#aab6c6"},
    {".c0", "stroke:#1f6fb4", "stroke:#6fb3f2"},
    {".c1", "stroke:#d1571c", "stroke:#ff9a62"},
    {".c2", "stroke:#2e8b4f", "stroke:#6fd08e"},
    {".c3", "stroke:#8a4fb0", "stroke:#c79bf0"},
    {".c4", "stroke:#b8860b", "stroke:#e6bf55"},
    {".c5", "stroke:#c2356a", "stroke:#ff86ad"},
    {".c6", "stroke:#148f94", "stroke:#58d3d8"},
    {".c7", "stroke:#5f6b7a", "stroke:#b6c2d2"},
    {".r", "stroke-dasharray:60 40", NULL},
};

static void add_line(CdText *out, const char *name, double x0, double y0, double x1, double y1) {
    const double points[2][2] = {{x0, y0}, {x1, y1}};
    cdi_text_addf(out, "<path class=\"%s\" d=\"", name);
    cdi_svg_path(out, points, 2, false);
    cdi_text_add(out, "\"/>\n");
}

static void add_text(CdText *out, double x, double y, const char *anchor, const char *text) {
    cdi_text_addf(out, "<text x=\"%ld\" y=\"%ld\" text-anchor=\"%s\">", cdi_svg_unit(x),
                  cdi_svg_unit(y), anchor);
    cdi_svg_escape(out, text);
    cdi_text_add(out, "</text>\n");
}

// "name [10^3 N]"
static void add_label(CdText *out, double x, double y, const char *anchor, const char *name,
                      const char *unit, int exponent) {
    cdi_text_addf(out, "<text x=\"%ld\" y=\"%ld\" text-anchor=\"%s\">", cdi_svg_unit(x),
                  cdi_svg_unit(y), anchor);
    cdi_svg_escape(out, name);
    if (exponent != 0 || (unit[0] && strcmp(unit, "1") != 0)) {
        cdi_text_addf(out, "%s[", name[0] ? " " : "");
        if (exponent != 0) {
            cdi_text_addf(out, "10<tspan dy=\"-40\" font-size=\"90\">%d</tspan>", exponent);
            cdi_text_add(out, "<tspan dy=\"40\"> </tspan>");
        }
        cdi_svg_escape(out, unit);
        cdi_text_add(out, "]");
    }
    cdi_text_add(out, "</text>\n");
}

static void add_axes(const Plotter *p, int k, CdText *out) {
    const Panel *panel = &p->panels[k];
    const CdAxis *x = &p->plotted->x, *y = &panel->axis;
    const bool last = k + 1 == p->plotted->npanels;
    for (int i = 0; i < x->n; i++) {
        const double at = place(x->ticks[i], x, p->left, p->right);
        add_line(out, "g", at, panel->top, at, panel->bottom);
        if (last) add_text(out, at, panel->bottom + TICK + 13, "middle", x->text[i]);
    }
    for (int i = 0; i < y->n; i++) {
        const double at = place(y->ticks[i], y, panel->bottom, panel->top);
        add_line(out, "g", p->left, at, p->right, at);
        add_text(out, p->left - TICK - 3, at + 4, "end", y->text[i]);
    }
    add_line(out, "k", p->left, panel->top, p->left, panel->bottom);
    add_line(out, "k", p->left, panel->bottom, p->right, panel->bottom);
    add_label(out, TICK, panel->top - 9, "start", "", panel->unit, y->exponent);
    if (!last) return;
    add_label(out, (p->left + p->right) / 2, panel->bottom + 36, "middle",
              p->plot->x < 0 ? "time" : p->table->channels[p->plot->x].name, x_unit(p),
              x->exponent);
}

// colour, and dashes from the second round of colours on
static void begin_stroke(CdText *out, int k) {
    cdi_text_addf(out, "<path class=\"c%d%s\" d=\"", k % COLOURS, k >= COLOURS ? " r" : "");
}

static void add_panel(const Plotter *p, int k, CdText *out) {
    const Panel *panel = &p->panels[k];
    int n = 0;
    add_axes(p, k, out);
    for (int i = 0; i < p->plot->ny; i++) {
        const Line *l = &p->lines[i];
        if (l->out->panel != k) continue;
        const double y = panel->top + LINE * n + 4, x = p->right + 8;
        const double key[2][2] = {{x, y}, {x + KEY, y}};
        if (l->path.v) {
            begin_stroke(out, n);
            cdi_text_addn(out, l->path.v, l->path.n);
            cdi_text_add(out, "\"/>\n");
        }
        begin_stroke(out, n);
        cdi_svg_path(out, key, 2, false);
        cdi_text_add(out, "\"/>\n");
        add_text(out, x + KEY + 6, y + 4, "start", p->table->channels[l->out->channel].name);
        n++;
    }
    if (isnan(panel->low)) {
        add_text(out, (p->left + p->right) / 2, (panel->top + panel->bottom) / 2, "middle",
                 "no data");
    }
}

static void write_all(const Plotter *p, CdText *out) {
    cdi_svg_open(out, p->plotted->width, p->plotted->height, p->plot->title);
    cdi_svg_rules(out, rules, sizeof rules / sizeof *rules);
    for (int k = 0; k < p->plotted->npanels; k++) add_panel(p, k, out);
    cdi_svg_close(out);
}

// ---- all

static CdStatus prepare(Plotter *p, CdArena *arena) {
    const size_t n = (size_t)p->plot->ny;
    p->panels = CD_TAKE(arena, Panel, n);
    p->lines = CD_TAKE(arena, Line, n);
    p->plotted->lines = CD_TAKE(arena, CdPlotLine, n);
    p->block = cdi_table_room(p->table);
    if (!p->panels || !p->lines || !p->plotted->lines || !p->block) return CD_NOMEM;
    p->low = p->high = NAN;
    for (int k = 0; k < p->plot->ny; k++) {
        const int channel = p->plot->y[k];
        p->lines[k].out = &p->plotted->lines[k];
        *p->lines[k].out = (CdPlotLine){.channel = channel, .low = NAN, .high = NAN};
        p->lines[k].out->panel = find_panel(p, p->table->channels[channel].unit);
        cdi_text_init(&p->lines[k].path, p->table->ctx);
    }
    return CD_OK;
}

static CdStatus draw(Plotter *p, CdArena *arena, CdText *out) {
    CD_TRY(prepare(p, arena));
    CD_TRY(walk(p, measure));
    share_ranges(p);
    lay_out(p);
    CD_TRY(walk(p, trace));
    for (int k = 0; k < p->plot->ny; k++) {
        lift_pen(&p->lines[k]);
        CD_TRY(p->lines[k].path.status);
    }
    write_all(p, out);
    return out->status;
}

CdStatus cdi_svg_plot(CdTable *table, const CdPlot *plot, CdArena *arena, CdText *out,
                      CdPlotted *plotted) {
    Plotter p = {.table = table, .plot = plot, .plotted = plotted};
    *plotted = (CdPlotted){0};
    const CdStatus status = draw(&p, arena, out);
    for (int k = 0; p.lines && k < plot->ny; k++) cdi_text_free(&p.lines[k].path);
    cdi_free(table->ctx, p.block);
    return status;
}
