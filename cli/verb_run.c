// verb_run.c - cardan run MODEL: simulate, write CSV, tell what came out
#include <inttypes.h>
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
    cli_catch_interrupt();
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

// the first run of the model with options of the command line over it
static CdStatus read_options(Cli *cli, const CdModel *model, CdObject **options) {
    const CdSource source = {.file = model->file, .params = model->params};
    if (model->runs && model->runs->n > 0) {
        CD_TRY(cdi_object_read(cli->ctx, &cd_run, &model->runs->items[0], &source, options));
    } else {
        CD_TRY(cdi_object_new(cli->ctx, &cd_run, NULL, options));
    }
    CD_TRY(cli_override(cli, *options));
    return cdi_object_check(*options, &source);
}

static int simulate(Cli *cli, const CdModel *model, const CdRunOptions *options) {
    CdRunSummary summary;
    Output output = {.cli = cli, .path = cli->output};
    const CdRunObserver observer = {
        .user = &output, .begin = begin, .row = row, .cancelled = cancelled};
    CdStatus status = cdi_simulate_run(model, options, &observer, &summary);
    const CdStatus closed = cdi_csv_file_close(output.csv);
    if (status == CD_OK) status = closed;
    if (cli->json) {
        cdi_run_summary_write(&summary, status, &cli->w);
    } else if (summary.stats.path && !cli->quiet) {
        const bool to_stdout = cli->output && strcmp(cli->output, "-") == 0;
        print_text(to_stdout ? stderr : stdout, &summary, status, cli->output);
    }
    return cli_code(status);
}

static int run(Cli *cli) {
    CdModel *model;
    CdObject *options = NULL;
    if (cdi_model_read_file(cli->ctx, cli->args[0], &model) != CD_OK) return CLI_INPUT;
    const CdStatus status = read_options(cli, model, &options);
    const int code =
        status == CD_OK ? simulate(cli, model, cdi_object_data(options)) : cli_code(status);
    cdi_object_free(options);
    cdi_model_free(model);
    return code;
}

static const CliArg args[] = {{"MODEL", "a model; -: standard input", CLI_FILE, .suffix = ".json"},
                              {0}};

const CliVerb cli_run = {.name = "run",
                         .doc = "simulate a model",
                         .args = args,
                         .overrides = &cd_run,
                         .output = "samples as a table of comma-separated values",
                         .examples = "  cardan run model.json -o out.csv\n"
                                     "  cardan run model.json --duration 5 --method "
                                     "'dop853(rtol=1e-9)' -o - | head",
                         .run = run};
