// verb_run.c - cardan run MODEL: the runs of a model one after the other, samples and summaries
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "models.h"
#include "progress.h"
#include "run_output.h"

// joints that are named in one line
#define NAMED_MAX 8

typedef struct RunVerb {
    char *run;
    bool resume;
    CdList set;
} RunVerb;

static const CdField fields[] = {
    CD_FIELD(RunVerb, run, STRING, "", "null", "",
             "only this run of the model, by its name or number, from the start of the model"),
    CD_FIELD(RunVerb, resume, BOOL, "", "false", "",
             "go on with a log that was interrupted, to the same bits as without interruption"),
    CLI_SET_ROW(RunVerb),
};
static const CdDesc options_class = {
    .name = "RunVerb", .doc = "Choice of runs", .size = sizeof(RunVerb), CD_FIELDS(fields)};

// one run of the chain
typedef struct Run {
    Cli *cli;
    const CdModel *model;
    CdObject *object;
    const CdRunOptions *options;
    char name[CD_SHOWN_MAX]; // or its number
    int number, of;          // among those that are done
    double t0;               // where it begins
    RunOutput output;
    CdText marked; // names of channels that are not unique, as a JSON array
    bool skipped;  // its log is complete and nobody needs its end: there is nothing to tell
    CliProgress progress;
} Run;

// ---- what the simulation calls

static CdStatus mark(Run *r, const CdRunBegin *rows) {
    CdJsonWriter w;
    cdi_json_writer_init(&w, &r->marked, 0);
    cdi_json_begin_array(&w, true);
    for (int i = 0; i < rows->n - rows->nscene; i++) {
        if (rows->channels[i].not_unique) cdi_json_string(&w, rows->channels[i].name);
    }
    cdi_json_end_array(&w);
    return r->marked.status;
}

static CdStatus begin(void *user, const CdRunBegin *rows) {
    Run *r = user;
    cli_catch_interrupt();
    CD_TRY(mark(r, rows));
    return cli_output_begin(&r->output, rows);
}

static CdStatus row(void *user, double t, const double *values) {
    Run *r = user;
    return cli_output_row(&r->output, t, values);
}

static CdStatus pause_run(void *user, bool *save) {
    Run *r = user;
    return cli_output_pause(&r->output, save);
}

static CdStatus checkpoint(void *user, const CdCheckpoint *c) {
    Run *r = user;
    return cli_output_checkpoint(&r->output, c);
}

static bool cancelled(void *user, double t) {
    Run *r = user;
    cli_progress_at(&r->progress, (t - r->t0) / r->options->duration, t);
    return cli_interrupted();
}

// ---- what came out

static double total(CdEnergy e) {
    return e.kinetic + e.gravity + e.elastic;
}

// joints that hold each other
static void print_joints(FILE *to, const CdRunSummary *s) {
    fputs("reactions  not unique, the smallest are told:", to);
    for (int i = 0; i < s->njoints && i < NAMED_MAX; i++) fprintf(to, " '%s'", s->joints[i]);
    if (s->njoints > NAMED_MAX) fprintf(to, " and %d more", s->njoints - NAMED_MAX);
    fputc('\n', to);
}

// wrong signs of the last matrix
static void print_inertia(FILE *to, const CdRunSummary *s) {
    fprintf(to,
            "inertia    %d positive and %d negative pivots at the end: the tangent is not positive "
            "definite on the constraints\n",
            s->inertia.positive, s->inertia.negative);
}

static void print_text(FILE *to, const Run *r, const CdRunSummary *s, CdStatus status) {
    const CdStatistics *n = &s->stats;
    if (r->of > 1) fprintf(to, "run        %s, %d of %d\n", r->name, r->number, r->of);
    fprintf(to, "method     %s\n", s->method);
    fprintf(to, "path       %s\n", n->path ? n->path : "");
    fprintf(to, "freedom    %d degree%s, %d island%s\n", s->dof, s->dof == 1 ? "" : "s", s->islands,
            s->islands == 1 ? "" : "s");
    if (s->redundant) print_joints(to, s);
    fprintf(to, "time       %g s simulated in %.3f s", s->t_end - s->t_start, s->wall_time);
    if (s->t_start > 0) fprintf(to, ", from t = %g s", s->t_start);
    fprintf(to, "%s\n",
            status == CD_OK          ? ""
            : status == CD_CANCELLED ? ", then it was interrupted"
                                     : ", then it failed");
    fprintf(to,
            "steps      %" PRId64 ", %" PRId64 " rejected, %" PRId64 " evaluations, %" PRId64
            " Jacobians, %" PRId64 " factors, %" PRId64 " iterations\n",
            n->steps, n->rejected, n->evaluations, n->jacobians, n->factors, n->iterations);
    if (s->inertia.judged && !s->inertia.expected) print_inertia(to, s);
    fprintf(to, "energy     %.9g J, at the start %.9g J\n", total(s->energy_end),
            total(s->energy_start));
    fprintf(to, "residuals  %.2g position, %.2g velocity, %.2g acceleration\n", s->residual[0],
            s->residual[1], s->residual[2]);
    fprintf(to, "state      %016" PRIx64 "\n", s->hash);
    if (r->output.path.v)
        fprintf(to, "samples    %" PRId64 " in %s\n", s->samples, r->output.path.v);
    if (r->number < r->of) fputc('\n', to);
}

static void write_summary(CdJsonWriter *w, const Run *r, const CdRunSummary *s, CdStatus status) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "name", r->name);
    cdi_json_key_text(w, "output", r->output.path.v);
    if (r->skipped) {
        cdi_json_key_text(w, "reason", "COMPLETE");
    } else {
        cdi_run_summary_write(s, status, w);
        cdi_json_key(w, "not_unique_channels");
        cdi_json_raw(w, r->marked.v ? r->marked.v : "[]");
    }
    cdi_json_end_object(w);
}

static void tell(const Run *r, const CdRunSummary *s, CdStatus status) {
    const bool to_stdout = r->output.path.v && strcmp(r->output.path.v, "-") == 0;
    if (r->cli->json) {
        write_summary(&r->cli->w, r, s, status);
    } else if (s->stats.path && !r->cli->quiet) {
        print_text(to_stdout ? stderr : stdout, r, s, status);
    }
}

// ---- one run

static CdStatus simulate(Run *r, CdRunEnd *end) {
    Cli *cli = r->cli;
    CdRunSummary summary = {0};
    cdi_text_init(&r->marked, cli->ctx);
    const RunVerb *o = cli->options;
    CdStatus status = cli_output_open(&r->output, r->model, r->object, cli->output,
                                      r->of > 1 ? r->name : NULL, o->resume);
    const bool complete = cli_output_complete(&r->output);
    // its end is needed for the next one only
    r->skipped = complete && r->number == r->of;
    if (status == CD_OK && !r->skipped) {
        CdRunObserver observer = {.user = r,
                                  .begin = begin,
                                  .row = row,
                                  .pause = pause_run,
                                  .checkpoint = checkpoint,
                                  .cancelled = cancelled};
        cli_output_observe(&r->output, &observer);
        r->t0 = r->options->begin == CD_AT_LAST ? end->t : 0;
        cli_progress_begin(&r->progress, cli, r->of > 1 ? r->name : "run");
        status = cdi_simulate_chain(r->model, r->options, &observer, end, &summary);
        cli_progress_end(&r->progress);
    }
    if (complete) {
        cdi_inform(cli->ctx, "%s: nothing to resume: the run is complete", r->output.path.v);
    }
    status = cli_output_close(&r->output, status, &summary);
    tell(r, &summary, status);
    cdi_text_free(&r->marked);
    cli_output_free(&r->output);
    return status;
}

// an entry of the model (NULL: none) with options of the command line over it
static CdStatus read_run(Run *r, const CdJson *entry) {
    const CdModel *model = r->model;
    const CdSource source = {.file = model->file, .params = model->params};
    if (entry) {
        CD_TRY(cdi_object_read(model->ctx, &cd_run, entry, &source, &r->object));
    } else {
        CD_TRY(cdi_object_new(model->ctx, &cd_run, NULL, &r->object));
    }
    CD_TRY(cli_override(r->cli, r->object));
    CD_TRY(cdi_object_check(r->object, &source));
    r->options = cdi_object_data(r->object);
    return CD_OK;
}

// ---- all of them

static int count(const CdModel *model) {
    return model->runs ? (int)model->runs->n : 0;
}

static void name_of(const CdModel *model, int i, char name[CD_SHOWN_MAX]) {
    const CdJson *text = count(model) > 0 ? cdi_json_get(&model->runs->items[i], "name") : NULL;
    if (text && text->kind == CD_JSON_STRING) {
        cdi_shown(text->text, name);
    } else {
        snprintf(name, CD_SHOWN_MAX, "%d", i + 1);
    }
}

// by name or number; -1 after a message
static int find_run(Cli *cli, const CdModel *model, const char *wanted) {
    CdSuggestion s = {.word = wanted};
    char shown[CD_SHOWN_MAX], nearest[CD_SHOWN_MAX] = "";
    for (int i = 0; i < count(model); i++) {
        char name[CD_SHOWN_MAX], number[CD_SHOWN_MAX];
        name_of(model, i, name);
        snprintf(number, sizeof number, "%d", i + 1);
        if (strcmp(name, wanted) == 0 || strcmp(number, wanted) == 0) return i;
        CdSuggestion one = {.word = wanted};
        cdi_suggest_from(&one, name);
        if (!one.name || (s.name && s.distance <= one.distance)) continue;
        snprintf(nearest, sizeof nearest, "%s", name);
        s = (CdSuggestion){wanted, nearest, one.distance};
    }
    char other[64];
    snprintf(other, sizeof other, "; the model has %d", count(model));
    cli_complain(cli, "run: there is no run '%s'%s%s%s", cdi_shown(wanted, shown),
                 CLI_HINT(s, other));
    return -1;
}

// two runs in one file would leave one; false after a message
static bool check_names(Cli *cli, const CdModel *model) {
    const int n = count(model);
    char(*names)[CD_SHOWN_MAX] = cdi_alloc_array(cli->ctx, (size_t)n + 1, sizeof *names);
    bool ok = names != NULL;
    for (int i = 0; ok && i < n; i++) {
        name_of(model, i, names[i]);
        for (int k = 0; k < i && ok; k++) {
            if (!cli_output_clash(names[k], names[i])) continue;
            cdi_fail(cli->ctx, CD_INVALID,
                     "runs '%s' and '%s' would be written to the same file; give one of them "
                     "another name",
                     names[k], names[i]);
            ok = false;
        }
    }
    cdi_free(cli->ctx, names);
    return ok;
}

static int run_model(Cli *cli, const CdModel *model) {
    const RunVerb *o = cli->options;
    const int first = o->run ? find_run(cli, model, o->run) : 0;
    const int n = o->run || count(model) == 0 ? 1 : count(model);
    CdRunEnd end = {0};
    CdStatus status = CD_OK;
    if (first < 0) return CLI_USAGE;
    if (n > 1 && cli->output && strcmp(cli->output, "-") == 0) {
        cli_complain(cli,
                     "run: standard output holds one run, and the model has %d; choose one "
                     "with --run",
                     n);
        return CLI_USAGE;
    }
    const bool files = n > 1 && !(cli->output && strcmp(cli->output, "none") == 0);
    if (files && !check_names(cli, model)) return CLI_INPUT;
    for (int i = 0; i < n && status == CD_OK; i++) {
        Run r = {.cli = cli, .model = model, .number = i + 1, .of = n};
        name_of(model, first + i, r.name);
        status = read_run(&r, count(model) > 0 ? &model->runs->items[first + i] : NULL);
        if (status == CD_OK) status = simulate(&r, &end);
        cdi_object_free(r.object);
    }
    cdi_run_end_free(cli->ctx, &end);
    return cli_code(status);
}

static int run(Cli *cli) {
    CdModel *model;
    if (cli->json) {
        cdi_json_key(&cli->w, "runs");
        cdi_json_begin_array(&cli->w, false);
    }
    const RunVerb *o = cli->options;
    int code = cli_read_model(cli, cli->args[0], &o->set, &model);
    if (code == CLI_OK) {
        code = run_model(cli, model);
        cdi_model_free(model);
    }
    if (cli->json) cdi_json_end_array(&cli->w);
    return code;
}

static const CliArg args[] = {{"MODEL", "a model; -: standard input", CLI_FILE, .suffix = ".json"},
                              {0}};

const CliVerb cli_run = {
    .name = "run",
    .doc = "simulate a model",
    .text = "The runs of the model are done one after the other, each from where the last one "
            "ended unless\nit says \"begin\": \"start\"; the first that fails is the last. Options "
            "replace what the runs say.\nWith several runs the file of each gets its name: "
            "out-swing.log for the run 'swing'.",
    .args = args,
    .options = &options_class,
    .overrides = &cd_run,
    .output =
        "results: FILE.csv a table, - the same on standard output, none: nothing, anything else a "
        "log; without it a log in this folder, named like the model",
    .examples = "  cardan run model.json\n"
                "  cardan run model.json -o out.csv\n"
                "  cardan run model.json --run swing --duration 5\n"
                "  cardan run model.json --set L=0.6 --set 'm=2 kg'\n"
                "  cardan run model.json --method 'dop853(rtol=1e-9)' -o - | head\n"
                "  cardan run model.json -o long.log --resume",
    .run = run};
