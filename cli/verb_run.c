// verb_run.c - cardan run MODEL: simulate, write CSV, tell what came out
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "results/csv_file.h"
#include "simulate/simulate.h"

extern const CliVerb cli_run;

typedef struct Output {
    Cli *cli;
    const char *path;
    CdCsvFile *csv;
} Output;

static CdStatus begin(void *user, const CdChannels *channels) {
    Output *o = user;
    if (!o->path) return CD_OK;
    return cdi_csv_file_open(o->cli->ctx, o->path, channels->v, channels->n, &o->csv);
}

static CdStatus row(void *user, double t, const double *values) {
    const Output *o = user;
    return o->csv ? cdi_csv_file_row(o->csv, t, values) : CD_OK;
}

static bool cancelled(void *user, double t) {
    (void)user;
    (void)t;
    return cli_interrupted();
}

static double total(CdEnergy e) {
    return e.kinetic + e.gravity + e.elastic;
}

static void print_text(FILE *to, const CdRunSummary *s, CdStatus status, const char *path) {
    const CdStatistics *n = &s->stats;
    fprintf(to, "method     %s\n", s->method);
    fprintf(to, "path       %s\n", n->path ? n->path : "");
    fprintf(to, "freedom    %d degree%s%s\n", s->dof, s->dof == 1 ? "" : "s",
            s->redundant ? ", redundant constraints: reactions are the smallest of many" : "");
    fprintf(to, "time       %g s simulated in %.3f s%s\n", s->t_end, s->wall_time,
            status == CD_OK ? "" : ", then it failed");
    fprintf(to,
            "steps      %" PRId64 ", %" PRId64 " rejected, %" PRId64 " evaluations, %" PRId64
            " Jacobians, %" PRId64 " factors, %" PRId64 " iterations\n",
            n->steps, n->rejected, n->evaluations, n->jacobians, n->factors, n->iterations);
    fprintf(to, "energy     %.9g J, at the start %.9g J\n", total(s->energy_end),
            total(s->energy_start));
    fprintf(to, "residuals  %.2g position, %.2g velocity, %.2g acceleration\n", s->residual[0],
            s->residual[1], s->residual[2]);
    fprintf(to, "state      %016" PRIx64 "\n", s->hash);
    if (path) fprintf(to, "samples    %d in %s\n", s->samples, path);
}

static void key_number(CdJsonWriter *w, const char *key, double x) {
    cdi_json_key(w, key);
    cdi_json_number(w, x);
}

static void key_integer(CdJsonWriter *w, const char *key, int64_t x) {
    cdi_json_key(w, key);
    cdi_json_integer(w, x);
}

static void key_text(CdJsonWriter *w, const char *key, const char *text) {
    cdi_json_key(w, key);
    cdi_json_string(w, text);
}

static void print_json(Cli *cli, const CdRunSummary *s, CdStatus status) {
    CdText text;
    CdJsonWriter w;
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, s->hash);
    cdi_text_init(&text, cli->ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_json_begin_object(&w);
    key_integer(&w, "version", 1);
    key_text(&w, "status", cd_status_name(status));
    key_text(&w, "method", s->method);
    key_text(&w, "path", s->stats.path ? s->stats.path : "");
    key_integer(&w, "dof", s->dof);
    cdi_json_key(&w, "redundant");
    cdi_json_bool(&w, s->redundant);
    key_number(&w, "t_end", s->t_end);
    key_number(&w, "wall_time", s->wall_time);
    key_number(&w, "cpu_time", s->cpu_time);
    key_integer(&w, "steps", s->stats.steps);
    key_integer(&w, "rejected", s->stats.rejected);
    key_integer(&w, "evaluations", s->stats.evaluations);
    key_integer(&w, "jacobians", s->stats.jacobians);
    key_integer(&w, "factors", s->stats.factors);
    key_integer(&w, "iterations", s->stats.iterations);
    key_number(&w, "energy_start", total(s->energy_start));
    key_number(&w, "energy_end", total(s->energy_end));
    key_number(&w, "residual_position", s->residual[0]);
    key_number(&w, "residual_velocity", s->residual[1]);
    key_text(&w, "state", hash);
    cdi_json_key(&w, "messages");
    CdText all;
    cdi_text_init(&all, cli->ctx);
    cdi_text_addf(&all, "[%s]", cli->said.v ? cli->said.v : "");
    cdi_json_raw(&w, all.v ? all.v : "[]");
    cdi_text_free(&all);
    cdi_json_end_object(&w);
    printf("%s\n", text.v ? text.v : "{}");
    cdi_text_free(&text);
}

// the first run of the model with options of the command line over it
static CdStatus read_options(Cli *cli, const CdModel *model, CliInput *in, CdObject **options) {
    const CdSource source = {.file = model->file, .params = model->params};
    if (model->runs && model->runs->n > 0) {
        CD_TRY(cdi_object_read(cli->ctx, &cd_run, &model->runs->items[0], &source, options));
    } else {
        CD_TRY(cdi_object_new(cli->ctx, &cd_run, NULL, options));
    }
    if (!cli_options(cli, &cli_run, *options, 1, in)) return CD_INVALID;
    return cdi_object_check(*options, &source);
}

static int simulate(Cli *cli, const CdModel *model, const CdRunOptions *options, const char *path) {
    CdRunSummary summary;
    Output output = {.cli = cli, .path = path};
    const CdRunObserver observer = {
        .user = &output, .begin = begin, .row = row, .cancelled = cancelled};
    CdStatus status = cdi_simulate_run(model, options, &observer, &summary);
    const CdStatus closed = cdi_csv_file_close(output.csv);
    if (status == CD_OK) status = closed;
    if (cli->json) {
        print_json(cli, &summary, status);
    } else if (summary.stats.path) {
        const bool to_stdout = path && strcmp(path, "-") == 0;
        print_text(to_stdout ? stderr : stdout, &summary, status, path);
    }
    return status == CD_OK ? CLI_OK : CLI_FAILED;
}

static int run(Cli *cli) {
    CliInput in;
    CdModel *model;
    CdObject *options = NULL, *check;
    int code = CLI_USAGE;
    // the options once without the model, to tell wrong usage before anything is read
    if (cdi_object_new(cli->ctx, &cd_run, NULL, &check) != CD_OK) return CLI_FAILED;
    const bool ok = cli_options(cli, &cli_run, check, 1, &in);
    cdi_object_free(check);
    if (!ok) return CLI_USAGE;
    if (in.nargs != 1) {
        cli_complain("run: give one model; usage: cardan run %s", cli_run.usage);
        return CLI_USAGE;
    }
    CdStatus status = cdi_model_read_file(cli->ctx, in.args[0], &model);
    if (status == CD_OK) status = read_options(cli, model, &in, &options);
    if (status == CD_OK) {
        code = simulate(cli, model, cdi_object_data(options), in.output);
    } else {
        code = CLI_FAILED;
        if (cli->json) print_json(cli, &(CdRunSummary){0}, status);
    }
    cdi_object_free(options);
    cdi_model_free(model);
    return code;
}

const CliVerb cli_run = {.name = "run",
                         .usage = "MODEL.json [-o OUT.csv] [--duration S] [--step S] [--method M] "
                                  "[--json]",
                         .doc = "simulate a model",
                         .options = &cd_run,
                         .run = run};
