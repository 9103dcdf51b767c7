// methods.c - writes the page and the plot of every method from the registry and from runs
//
//   methods write DIR    DIR/<name>.md, DIR/<name>.svg, DIR/README.md
//   methods check DIR    are the pages what the registry says? Measured figures are not compared.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "desc/type.h"
#include "orders.h"
#include "plot.h"

#define COLUMNS 110 // of running text
#define PATH_MAX_ 1024
#define NAME_MAX_ 64
#define PAGE_MAX (1 << 20)
// from here on a page holds measured figures
#define MEASURED "## Measured on the pendulum\n"
// points of a curve: steps N/2, N, 2N, ...; tolerances 1e-3, 1e-4, ...
#define STEP_POINTS 6
#define TOLERANCE_POINTS 8
// of a run for digits that still makes sense
#define ENOUGH_STEPS 200000

static const char warning[] = "<!-- written by tools/methods from the registry; do not edit -->\n";

// ---- what the registry says

// text in lines of at most COLUMNS; lines that are there stay
static void wrap(CdText *out, const char *s) {
    size_t column = 0;
    while (*s) {
        const size_t word = strcspn(s, " \n");
        if (column > 0 && column + 1 + word > COLUMNS) {
            cdi_text_add(out, "\n");
            column = 0;
        }
        if (column > 0) cdi_text_add(out, " ");
        cdi_text_addn(out, s, word);
        column += word + (column > 0);
        s += word;
        if (*s == '\n') {
            cdi_text_add(out, "\n");
            column = 0;
        }
        if (*s) s++;
    }
    cdi_text_add(out, "\n");
}

static void cell(CdText *out, const char *s) {
    cdi_text_add(out, "| ");
    for (; *s; s++) cdi_text_addf(out, *s == '|' ? "\\|" : "%c", *s);
    cdi_text_add(out, " ");
}

// the words of an enum, otherwise the interval
static void range_cell(CdText *out, const CdField *f) {
    CdText words;
    if (!f->names) {
        cell(out, f->range);
        return;
    }
    cdi_text_init(&words, out->ctx);
    for (int i = 0; f->names[i]; i++) cdi_text_addf(&words, "%s%s", i ? ", " : "", f->names[i]);
    cell(out, words.v ? words.v : "");
    cdi_text_free(&words);
}

static void options(CdText *out, const CdDesc *desc) {
    cdi_text_add(out, "## Options\n\n| option | type | unit | default | values | meaning |\n"
                      "|---|---|---|---|---|---|\n");
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = &desc->fields[i];
        cdi_text_addf(out, "| `%s` ", f->name);
        cell(out, cdi_type(f->type)->name);
        cell(out, !strcmp(f->unit, "1") || !strcmp(f->unit, "*") ? "" : f->unit);
        cell(out, f->def ? f->def : "required");
        range_cell(out, f);
        cell(out, f->doc);
        cdi_text_add(out, "|\n");
    }
    cdi_text_add(out, "\n");
}

// methods on mechanical problems may take others as such without velocities, or not
static bool takes_equations(CdContext *quiet, const CdIntegratorClass *cls) {
    char method[NAME_MAX_];
    CdIntegrator *it;
    snprintf(method, sizeof method, "%s(step=1)", cls->desc.name);
    const bool ok = cd_integrator_new(quiet, &ivp_robertson_dae.problem, method, &it) == CD_OK;
    cd_integrator_free(it);
    return ok;
}

static const char *problems_of(CdContext *quiet, const CdIntegratorClass *cls) {
    switch (cls->view) {
    case CD_VIEW_EXPLICIT: return "explicit ODEs; constraints are differentiated twice";
    case CD_VIEW_IMPLICIT: return "ODEs, implicit equations and DAEs";
    default:
        return takes_equations(quiet, cls)
                   ? "mechanical problems as they are; ODEs, implicit equations and DAEs too"
                   : "mechanical problems without constraints";
    }
}

static const char *steps_of(const IvpWay *ways, int n) {
    bool fixed = false, adaptive = false;
    for (int i = 0; i < n; i++) fixed |= ways[i].fixed, adaptive |= ways[i].adaptive;
    return fixed && adaptive ? "fixed or controlled" : fixed ? "fixed" : "controlled";
}

static void digits_of(CdText *out, const CdIntegratorClass *cls) {
    const CdCalibration *c = &cls->calibration;
    if (c->most == 0)
        cdi_text_addf(out, "| digits | %s |\n",
                      cls->fixed_only ? "no step control" : "give rtol and atol");
    else
        cdi_text_addf(out, "| digits | up to %d, by rtol = %g · 10^(-%g digits) |\n", c->most,
                      c->factor, c->power);
}

static void properties(CdContext *quiet, CdText *out, const CdIntegratorClass *cls,
                       const IvpWay *ways, int n) {
    cdi_text_addf(out, "| | |\n|---|---|\n| nominal order | %d |\n", cls->order);
    cdi_text_addf(out, "| solves | %s |\n| constraints |", problems_of(quiet, cls));
    for (int i = 0; i < n; i++)
        cdi_text_addf(out, "%s %s", i ? "," : "",
                      ways[i].problem == &ivp_pendulum ? ways[i].form : "none");
    cdi_text_addf(out, " |\n| steps | %s |\n", steps_of(ways, n));
    digits_of(out, cls);
    cdi_text_addf(out, "| rotations | %s |\n",
                  cls->manifold ? "increments on the manifold" : "as numbers, normalised");
    cdi_text_addf(out, "| save and load | %s |\n\n",
                  cls->can_save ? "continues bit for bit" : "not possible, restart instead");
}

static void page(CdContext *quiet, CdText *out, const CdIntegratorClass *cls, const IvpWay *ways,
                 int n) {
    cdi_text_add(out, warning);
    cdi_text_addf(out, "# %s\n\n", cls->desc.name);
    cdi_text_addf(out, "%s.\n\n", cls->desc.doc);
    properties(quiet, out, cls, ways, n);
    cdi_text_add(out, "## When to use it\n\n");
    wrap(out, cls->guide ? cls->guide : "");
    cdi_text_add(out, "\n");
    options(out, &cls->desc);
    if (cls->desc.example) cdi_text_addf(out, "```json\n%s\n```\n\n", cls->desc.example);
}

// ---- what runs say

static void measured_row(CdText *out, const IvpWay *way, const char *value, const IvpRun *run,
                         const IvpRun *coarse) {
    const double e[] = {run->error.q, run->error.v, run->error.lambda};
    cdi_text_addf(out, "| %s | %s |", way->form, value);
    for (int i = 0; i < 3; i++) {
        if (isnan(e[i]))
            cdi_text_add(out, " |");
        else
            cdi_text_addf(out, " %.1e |", e[i]);
    }
    if (!coarse) {
        cdi_text_add(out, "\n");
        return;
    }
    const double c[] = {coarse->error.q, coarse->error.v, coarse->error.lambda};
    for (int i = 0; i < 3; i++) {
        const double p = ivp_observed(c[i], e[i]);
        if (isnan(p))
            cdi_text_add(out, " |");
        else
            cdi_text_addf(out, " %.1f |", p);
    }
    cdi_text_add(out, "\n");
}

static int nearest(double order) {
    return isfinite(order) && order > 0.5 ? (int)lround(order) : 0;
}

// panel 0, 1, 2: error of q, v, lambda; 3: work
static void add_point(Plot *plot, int panel, int k, double x, double y) {
    PlotCurve *c = &plot->panels[panel].curves[k];
    c->x[c->n] = x;
    c->y[c->n] = y;
    c->n++;
}

static void add_run(Plot *plot, int k, double x, const IvpRun *run, bool work) {
    const double effort =
        (double)(run->statistics.evaluations + run->statistics.difference_evaluations);
    add_point(plot, 0, k, x, run->error.q);
    add_point(plot, 1, k, x, run->error.v);
    add_point(plot, 2, k, x, run->error.lambda);
    if (work) add_point(plot, 3, k, effort, run->error.q);
}

static void set_slopes(Plot *plot, int k, const IvpRun *coarse, const IvpRun *fine) {
    plot->panels[0].curves[k].slope = nearest(ivp_observed(coarse->error.q, fine->error.q));
    plot->panels[1].curves[k].slope = nearest(ivp_observed(coarse->error.v, fine->error.v));
    plot->panels[2].curves[k].slope =
        nearest(ivp_observed(coarse->error.lambda, fine->error.lambda));
}

// errors over fixed steps; N and 2N give the order
static CdStatus measure_steps(CdContext *ctx, const IvpWay *way, int k, Plot *plot, CdText *out) {
    const int n = ivp_way_steps(way);
    IvpRun run[STEP_POINTS];
    for (int i = 0; i < STEP_POINTS; i++) {
        const double h = 2 * way->problem->t_end / (n << i);
        // the largest step may be too much for the method
        ivp_way_run(ctx, way, IVP_BY_STEP, h, &run[i]);
        add_run(plot, k, h, &run[i], !way->adaptive);
        if (i > 0 && run[i].status != CD_OK) return run[i].status;
    }
    set_slopes(plot, k, &run[1], &run[2]);
    char value[32];
    snprintf(value, sizeof value, "%d", 2 * n);
    measured_row(out, way, value, &run[2], &run[1]);
    return CD_OK;
}

static void measure_tolerances(CdContext *ctx, const IvpWay *way, int k, Plot *plot, CdText *out) {
    for (int i = 0; i < TOLERANCE_POINTS; i++) {
        const double tol = pow(10, -3 - i);
        IvpRun run;
        // a point that is not reached is left out
        if (ivp_way_run(ctx, way, IVP_BY_TOLERANCE, tol, &run) != CD_OK) continue;
        if (way->fixed) {
            add_point(plot, 3, k,
                      (double)(run.statistics.evaluations + run.statistics.difference_evaluations),
                      run.error.q);
            continue;
        }
        add_run(plot, k, tol, &run, true);
        char value[32];
        snprintf(value, sizeof value, "%.0e", tol);
        if (i % 2) measured_row(out, way, value, &run, NULL);
    }
}

static void begin_plot(Plot *plot, const IvpWay *ways, int n, char *title, size_t size) {
    static const char *const titles[] = {"error of q", "error of v", "error of the multiplier",
                                         "work: error of q"};
    const bool lambda = ways[0].problem == &ivp_pendulum;
    snprintf(title, size, "%s on the pendulum at t = %g", ways[0].cls->desc.name,
             ways[0].problem->t_end);
    *plot = (Plot){.title = title, .npanels = 4};
    for (int i = 0; i < 4; i++) {
        PlotPanel *p = &plot->panels[i];
        p->title = titles[i];
        p->x_label = i == 3          ? "evaluations"
                     : ways[0].fixed ? "step in s"
                                     : "relative and absolute tolerance";
        p->ncurves = n;
        for (int k = 0; k < n; k++) p->curves[k].name = ways[k].form, p->curves[k].style = k;
    }
    if (lambda) return;
    // no multiplier: three panels
    plot->panels[2].title = NULL;
}

static void drop_empty(Plot *plot) {
    if (plot->panels[2].title) return;
    plot->panels[2] = plot->panels[3];
    plot->npanels = 3;
}

static CdStatus measure(CdContext *ctx, const IvpWay *ways, int n, CdText *out, CdText *svg) {
    Plot plot;
    char title[128];
    begin_plot(&plot, ways, n, title, sizeof title);
    cdi_text_add(out, MEASURED);
    cdi_text_addf(out, "\nErrors at t = %g against the exact motion", ways[0].problem->t_end);
    cdi_text_add(out,
                 ways[0].fixed
                     ? ", and the orders seen from half the number of steps.\n\n"
                       "| form | steps | q | v | multiplier | order q | v | multiplier |\n"
                       "|---|---|---|---|---|---|---|---|\n"
                     : ".\n\n| form | tolerance | q | v | multiplier |\n|---|---|---|---|---|\n");
    for (int k = 0; k < n; k++) {
        if (ways[k].fixed) CD_TRY(measure_steps(ctx, &ways[k], k, &plot, out));
        if (ways[k].adaptive) measure_tolerances(ctx, &ways[k], k, &plot, out);
    }
    cdi_text_addf(out, "\n![errors and work of %s](%s.svg)\n\n", ways[0].cls->desc.name,
                  ways[0].cls->desc.name);
    cdi_text_add(out, "Dashed lines show slopes. Work is the number of evaluations of forces or "
                      "residuals, with those for\ndifferences, of runs with step control where the "
                      "method has it; runs that fail have no point.\n");
    drop_empty(&plot);
    plot_svg(&plot, svg);
    return CD_OK;
}

// ---- digits asked for and found

typedef struct Published {
    const IvpProblem *problem;
    double floor; // size of its smallest unknown, or 1
} Published;

static void digits_cell(CdContext *quiet, const CdIntegratorClass *cls, const Published *of,
                        int digits, CdText *out) {
    char method[NAME_MAX_ + 80];
    IvpProblem relative = *of->problem;
    IvpRun run;
    relative.atol_ratio = DBL_MIN;
    snprintf(method, sizeof method, "%s(digits=%d, floor=%g, max_steps=%d)", cls->desc.name, digits,
             of->floor, ENOUGH_STEPS);
    if (ivp_run(quiet, &relative, method, relative.t_end, &run) == CD_OK)
        cdi_text_addf(out, " %.1f (%d) |", -log10(run.error.mixed), (int)run.statistics.steps);
    else
        cdi_text_add(out, " |");
}

static void measure_digits(CdContext *quiet, const CdIntegratorClass *cls, CdText *out) {
    static const Published published[] = {
        {&ivp_vanderpol, 1e-3}, {&ivp_robertson, 1e-14}, {&ivp_hires, 1e-3}, {&ivp_pleiades, 1}};
    const int n = sizeof published / sizeof *published, most = cls->calibration.most;
    if (most == 0) return;
    cdi_text_add(out,
                 "\n## Digits asked for and found\n\nSmallest number of correct digits of an "
                 "unknown at the end, and steps, of problems of the Test Set\nfor IVP Solvers. "
                 "Empty: more than 200000 steps, or a failure.\n\n| problem | floor |");
    for (int d = 4; d <= most; d++) cdi_text_addf(out, " %d |", d);
    cdi_text_add(out, "\n|---|---|");
    for (int d = 4; d <= most; d++) cdi_text_add(out, "---|");
    for (int i = 0; i < n; i++) {
        cdi_text_addf(out, "\n| %s | %g |", published[i].problem->name, published[i].floor);
        for (int d = 4; d <= most; d++) digits_cell(quiet, cls, &published[i], d, out);
    }
    cdi_text_add(out, "\n");
}

// ---- the list of pages

static void list(CdContext *quiet, CdText *out) {
    cdi_text_add(out, warning);
    cdi_text_add(out, "# Methods\n\nA method is written as its name and the options that differ "
                      "from their defaults, `dopri5(rtol=1e-8)`.\n"
                      "`dopri5(digits=6)` asks for correct digits of the result instead of small "
                      "errors of single steps\n([how](../problems.md#digits-of-the-result)).\n\n"
                      "| method | order | solves | |\n|---|---|---|---|\n");
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++)
        cdi_text_addf(out, "| [%s](%s.md) | %d | %s | %s |\n", (*cls)->desc.name, (*cls)->desc.name,
                      (*cls)->order, problems_of(quiet, *cls), (*cls)->desc.doc);
}

// ---- files

typedef struct Job {
    CdContext *quiet, *ctx; // for questions, and for what must succeed
    const char *dir;
    bool check;
    int stale;
} Job;

static const char *path(const Job *job, const char *name, const char *end, char *buf) {
    snprintf(buf, PATH_MAX_, "%s/%s%s", job->dir, name, end);
    return buf;
}

static CdStatus write_text(const Job *job, const char *name, const char *end, const CdText *text) {
    char buf[PATH_MAX_];
    CD_TRY(text->status);
    return cdi_file_write(job->ctx, path(job, name, end, buf), text->v, text->n);
}

// does the file begin with the text?
static CdStatus compare(Job *job, const char *name, const CdText *text) {
    char buf[PATH_MAX_], *data;
    size_t n;
    CD_TRY(text->status);
    CD_TRY(cdi_file_read(job->ctx, path(job, name, ".md", buf), PAGE_MAX, &data, &n));
    if (n < text->n || memcmp(data, text->v, text->n)) {
        printf("%s is not what the registry says; run ./do docs\n", buf);
        job->stale++;
    }
    cdi_free(job->ctx, data);
    return CD_OK;
}

static CdStatus one(Job *job, const CdIntegratorClass *cls, CdText *text, CdText *svg) {
    IvpWay ways[IVP_WAYS_MAX];
    const char *name = cls->desc.name;
    const int n = ivp_ways(job->quiet, cls, ways);
    page(job->quiet, text, cls, ways, n);
    if (job->check) {
        cdi_text_add(text, MEASURED);
        return compare(job, name, text);
    }
    CD_TRY(measure(job->quiet, ways, n, text, svg));
    measure_digits(job->quiet, cls, text);
    CD_TRY(write_text(job, name, ".md", text));
    return write_text(job, name, ".svg", svg);
}

static CdStatus all(Job *job) {
    CdText text, svg;
    CdStatus status = CD_OK;
    cdi_text_init(&text, job->ctx);
    cdi_text_init(&svg, job->ctx);
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls && !status; cls++) {
        cdi_text_clear(&text);
        cdi_text_clear(&svg);
        status = one(job, *cls, &text, &svg);
        if (status) printf("%s: %s\n", (*cls)->desc.name, cd_status_text(status));
    }
    cdi_text_clear(&text);
    list(job->quiet, &text);
    if (!status)
        status =
            job->check ? compare(job, "README", &text) : write_text(job, "README", ".md", &text);
    cdi_text_free(&text);
    cdi_text_free(&svg);
    return status;
}

static void show(void *user, const CdMessage *message) {
    char buf[1024];
    (void)user;
    cd_message_format(message, buf, sizeof buf);
    printf("%s\n", buf);
}

int main(int argc, char **argv) {
    if (argc != 3 || (strcmp(argv[1], "write") && strcmp(argv[1], "check"))) {
        printf("usage: methods write|check DIR\n");
        return 2;
    }
    Job job = {.quiet = cd_context_new(NULL),
               .ctx = cd_context_new(NULL),
               .dir = argv[2],
               .check = !strcmp(argv[1], "check")};
    CdStatus status = job.quiet && job.ctx ? CD_OK : CD_NOMEM;
    if (!status) cd_context_set_sink(job.ctx, show, NULL);
    if (!status) status = all(&job);
    cd_context_free(job.quiet);
    cd_context_free(job.ctx);
    return status != CD_OK || job.stale > 0;
}
