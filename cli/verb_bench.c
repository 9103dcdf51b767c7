// verb_bench.c - cardan bench run PROBLEM...: errors against reference solutions
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/score.h"
#include "cli.h"

extern const CliVerb cli_bench;

#define PROBLEMS_MAX 31

typedef struct BenchOptions {
    char *variant, *method, *problems;
    double step;
    bool quick;
} BenchOptions;

static const CdField fields[] = {
    CD_FIELD(BenchOptions, variant, STRING, "", "null", "", "only this variant"),
    CD_FIELD(BenchOptions, method, STRING, "", "null", "", "in place of the problem's method"),
    CD_FIELD(BenchOptions, step, REAL, "s", "0", "[0, inf)", "in place of the problem's step"),
    CD_FIELD(BenchOptions, quick, BOOL, "", "false", "",
             "without the variants that are marked fine"),
    CD_FIELD(BenchOptions, problems, STRING, "", "\"problems\"", "", "folder of the problems"),
};

static const CdDesc options_class = {
    .name = "Bench", .doc = "Scoring", .size = sizeof(BenchOptions), CD_FIELDS(fields)};

typedef struct Table {
    Cli *cli;
    int n, failed;
    CdText text;
    CdJsonWriter w;
} Table;

static void key_number(CdJsonWriter *w, const char *key, double x) {
    cdi_json_key(w, key);
    if (isfinite(x)) {
        cdi_json_number(w, x);
    } else {
        cdi_json_null(w);
    }
}

static void add_json(Table *t, const CdScore *s) {
    CdJsonWriter *w = &t->w;
    cdi_json_begin_object(w);
    cdi_json_key(w, "problem");
    cdi_json_string(w, s->problem);
    cdi_json_key(w, "variant");
    cdi_json_string(w, s->variant);
    cdi_json_key(w, "method");
    cdi_json_string(w, s->run.method);
    key_number(w, "error", s->error);
    key_number(w, "limit", s->limit);
    key_number(w, "cpu_time", s->run.cpu_time);
    cdi_json_key(w, "steps");
    cdi_json_integer(w, s->run.stats.steps);
    cdi_json_key(w, "passed");
    cdi_json_bool(w, s->passed);
    cdi_json_end_object(w);
}

static CdStatus add(void *user, const CdScore *s) {
    Table *t = user;
    t->failed += !s->passed;
    if (t->cli->json) {
        add_json(t, s);
        t->n++;
        return CD_OK;
    }
    if (t->n++ == 0) {
        printf("%-12s %-16s %12s %10s %10s %9s\n", "problem", "variant", "error", "limit", "cpu s",
               "steps");
    }
    printf("%-12s %-16s %12.3e %10.1e %10.4f %9lld  %s\n", s->problem, s->variant, s->error,
           s->limit, s->run.cpu_time, (long long)s->run.stats.steps,
           s->passed ? "passed" : "FAILED");
    fflush(stdout);
    return CD_OK;
}

static bool cancelled(void *user, double t) {
    (void)user;
    (void)t;
    return cli_interrupted();
}

static CdStatus score(Cli *cli, const BenchOptions *o, const CliInput *in, Table *t) {
    const CdScoring scoring = {.variant = o->variant,
                               .method = o->method,
                               .step = o->step,
                               .quick = o->quick,
                               .user = t,
                               .score = add,
                               .cancelled = cancelled};
    CdStatus status = CD_OK;
    for (int i = 1; i < in->nargs; i++) {
        CdText folder;
        cdi_text_init(&folder, cli->ctx);
        cdi_text_addf(&folder, "%s/%s", o->problems, in->args[i]);
        const CdStatus one =
            folder.status == CD_OK ? cdi_score_folder(cli->ctx, folder.v, &scoring) : CD_NOMEM;
        cdi_text_free(&folder);
        if (one != CD_OK) status = one;
        if (one == CD_CANCELLED) break;
    }
    return status;
}

static int run_table(Cli *cli, const BenchOptions *o, const CliInput *in) {
    Table t = {.cli = cli};
    cdi_text_init(&t.text, cli->ctx);
    cdi_json_writer_init(&t.w, &t.text, 2);
    cdi_json_begin_array(&t.w, false);
    const CdStatus status = score(cli, o, in, &t);
    cdi_json_end_array(&t.w);
    if (cli->json) printf("%s\n", t.text.v ? t.text.v : "[]");
    cdi_text_free(&t.text);
    return status == CD_OK && t.failed == 0 ? CLI_OK : CLI_FAILED;
}

static int run(Cli *cli) {
    CliInput in;
    CdObject *options;
    int code = CLI_USAGE;
    if (cdi_object_new(cli->ctx, &options_class, NULL, &options) != CD_OK) return CLI_FAILED;
    if (cli_options(cli, &cli_bench, options, PROBLEMS_MAX + 1, &in)) {
        if (in.nargs < 2 || strcmp(in.args[0], "run") != 0) {
            cli_complain("bench: usage: cardan bench %s", cli_bench.usage);
        } else if (cdi_object_check(options, NULL) == CD_OK) {
            code = run_table(cli, cdi_object_data(options), &in);
        }
    }
    cdi_object_free(options);
    return code;
}

const CliVerb cli_bench = {
    .name = "bench",
    .usage = "run PROBLEM... [--quick] [--variant V] [--method M] [--step S] [--json]",
    .doc = "errors of problems against their reference solutions",
    .options = &options_class,
    .run = run};
