// verb_plot.c - cardan plot RESULTS: channels of a log or CSV file as lines in an SVG picture
#include <math.h>
#include <string.h>

#include "picture.h"
#include "system/scene.h"
#include "view/plot.h"

// more lines tell nothing
#define LINES_MAX 64
#define BLOCK 65536

typedef struct PlotVerb {
    char *x, *size;
    double from, to;
} PlotVerb;

#define FIELD(...) CD_FIELD(PlotVerb, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(x, STRING, "", "null", "", "channel that the others are plotted over; time if not given",
          .word = "CHANNEL"),
    FIELD(from, REAL, "s", "-1e300", "", "leave out samples before this time"),
    FIELD(to, REAL, "s", "1e300", "", "leave out samples after this time"),
    FIELD(size, STRING, "", "\"720x420\"", "", "in pixels; many panels make it higher",
          .word = "WIDTHxHEIGHT"),
};
static const CdDesc options_class = {
    .name = "PlotVerb", .doc = "How to plot", .size = sizeof(PlotVerb), CD_FIELDS(fields)};

typedef struct Job {
    Cli *cli;
    const PlotVerb *o;
    CdTable *table;
    CdArena arena;
    CdPlot plot;
} Job;

// ---- channels

static bool is_asked_for(const Cli *cli, const char *name) {
    for (int i = 1; i < cli->nargs; i++) {
        if (cdi_matches(cli->args[i], name)) return true;
    }
    return cli->nargs == 1;
}

static CdStatus open_table(Job *j) {
    Cli *cli = j->cli;
    const char **patterns = CD_TAKE(&j->arena, const char *, (size_t)cli->nargs);
    CdTable *whole;
    if (!patterns) return CD_NOMEM;
    CdSelection part = {.patterns = patterns, .from = j->o->from, .to = j->o->to, .every = 1};
    for (int i = 1; i < cli->nargs; i++) {
        patterns[part.npatterns++] = cli->args[i];
        part.scene = part.scene || cdi_scene_is(cli->args[i]);
    }
    if (j->o->x) part.scene = part.scene || cdi_scene_is(j->o->x);
    if (j->o->x && part.npatterns > 0) patterns[part.npatterns++] = j->o->x;
    CD_TRY(cdi_table_open(cli->ctx, cli->args[0], &whole));
    return cdi_table_select(whole, &part, &j->table);
}

static bool find_x(Job *j) {
    CdSuggestion s = {.word = j->o->x};
    j->plot.x = -1;
    if (!j->o->x) return true;
    for (int i = 0; i < j->table->n; i++) {
        cdi_suggest_from(&s, j->table->channels[i].name);
        if (strcmp(j->table->channels[i].name, j->o->x) == 0) j->plot.x = i;
    }
    if (j->plot.x >= 0) return true;
    cli_complain(j->cli, "plot: there is no channel '%s' to plot over%s%s%s", j->o->x,
                 CLI_HINT(s, ""));
    return false;
}

static int find_lines(Job *j) {
    int *y = CD_TAKE(&j->arena, int, (size_t)j->table->n);
    if (!y) return cli_code(CD_NOMEM);
    if (!find_x(j)) return CLI_USAGE;
    j->plot.y = y;
    for (int i = 0; i < j->table->n; i++) {
        if (i == j->plot.x || !is_asked_for(j->cli, j->table->channels[i].name)) continue;
        y[j->plot.ny++] = i;
    }
    if (j->plot.ny > 0 && j->plot.ny <= LINES_MAX) return CLI_OK;
    if (j->plot.ny == 0) {
        cli_complain(j->cli, "plot: there is no channel to plot; name one beside that of --x");
    } else {
        cli_complain(j->cli, "plot: %d channels are too many; choose at most %d, such as 'tip.*'",
                     j->plot.ny, LINES_MAX);
    }
    return CLI_USAGE;
}

// ---- what came out

static void answer(const Job *j, const CdPlotted *plotted) {
    CdJsonWriter *w = &j->cli->w;
    cdi_json_key_integer(w, "width", plotted->width);
    cdi_json_key_integer(w, "height", plotted->height);
    cdi_json_key_integer(w, "samples", (int64_t)j->table->rows);
    cdi_json_key_integer(w, "panels", plotted->npanels);
    cdi_json_key(w, "lines");
    cdi_json_begin_array(w, false);
    for (int k = 0; k < j->plot.ny; k++) {
        const CdPlotLine *l = &plotted->lines[k];
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "name", j->table->channels[l->channel].name);
        cdi_json_key_text(w, "unit", j->table->channels[l->channel].unit);
        cdi_json_key_integer(w, "panel", l->panel);
        cdi_json_key_number(w, "min", l->low);
        cdi_json_key_number(w, "max", l->high);
        cdi_json_key_integer(w, "not_finite", (int64_t)l->gaps);
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
}

static int plot(Job *j) {
    CdPlotted plotted;
    CdText text;
    int code = find_lines(j);
    if (code != CLI_OK) return code;
    cdi_text_init(&text, j->cli->ctx);
    const CdStatus status = cdi_svg_plot(j->table, &j->plot, &j->arena, &text, &plotted);
    code = status == CD_OK ? cli_picture_write(j->cli, &text) : CLI_INPUT;
    if (code == CLI_OK && j->cli->json) answer(j, &plotted);
    cdi_text_free(&text);
    return code;
}

static int run(Cli *cli) {
    Job j = {.cli = cli, .o = cli->options, .plot = {.title = cli->args[0]}};
    const bool size = cli_picture_size(cli, j.o->size, &j.plot.width, &j.plot.height);
    if (!cli_picture_output(cli) || !size) return CLI_USAGE;
    cdi_arena_init(&j.arena, cli->ctx, BLOCK);
    const CdStatus status = open_table(&j);
    int code = status == CD_NOTFOUND ? CLI_USAGE : CLI_INPUT;
    if (status == CD_OK) {
        code = plot(&j);
        cdi_table_free(j.table);
    }
    cdi_arena_clear(&j.arena);
    return code;
}

static const CliArg args[] = {
    {"RESULTS", "a log or a CSV file; -: CSV from standard input", .kind = CLI_FILE},
    {"CHANNEL", "names of channels, * stands for anything; all if none is given", .optional = true,
     .many = true},
    {0}};

const CliVerb cli_plot = {
    .name = "plot",
    .doc = "plot channels of results as SVG",
    .text = "Channels of the same unit share a panel. Lines are broken where values are not "
            "finite\nnumbers. The picture is legible on light and on dark pages.",
    .args = args,
    .options = &options_class,
    .output = "the picture",
    .examples = "  cardan plot run.log 'tip.*' -o tip.svg\n"
                "  cardan plot run.csv hinge.rate --x hinge.angle -o phase.svg",
    .run = run};
