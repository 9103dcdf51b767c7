// verb_bench.c - cardan bench run PROBLEM...: errors against reference solutions
#include "bench/score.h"
#include "cli.h"

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
} Table;

static void add_json(CdJsonWriter *w, const CdScore *s) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "problem", s->problem);
    cdi_json_key_text(w, "variant", s->variant);
    cdi_json_key_text(w, "method", s->run.method);
    cdi_json_key_number(w, "error", s->error);
    cdi_json_key_number(w, "limit", s->limit);
    cdi_json_key_number(w, "cpu_time", s->run.cpu_time);
    cdi_json_key_integer(w, "steps", s->run.stats.steps);
    cdi_json_key_bool(w, "passed", s->passed);
    cdi_json_end_object(w);
}

static CdStatus add(void *user, const CdScore *s) {
    Table *t = user;
    t->failed += !s->passed;
    if (t->cli->json) {
        add_json(&t->cli->w, s);
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

static CdStatus score(Cli *cli, Table *t) {
    const BenchOptions *o = cli->options;
    const CdScoring scoring = {.variant = o->variant,
                               .method = o->method,
                               .step = o->step,
                               .quick = o->quick,
                               .user = t,
                               .score = add,
                               .cancelled = cancelled};
    CdStatus status = CD_OK;
    for (int i = 1; i < cli->nargs; i++) {
        CdText folder;
        cdi_text_init(&folder, cli->ctx);
        cdi_text_addf(&folder, "%s/%s", o->problems, cli->args[i]);
        const CdStatus one =
            folder.status == CD_OK ? cdi_score_folder(cli->ctx, folder.v, &scoring) : CD_NOMEM;
        cdi_text_free(&folder);
        if (one != CD_OK) status = one;
        if (one == CD_CANCELLED) break;
    }
    return status;
}

static int run(Cli *cli) {
    Table t = {.cli = cli};
    cli_catch_interrupt();
    if (cli->json) {
        cdi_json_key(&cli->w, "scores");
        cdi_json_begin_array(&cli->w, false);
    }
    const CdStatus status = score(cli, &t);
    if (cli->json) cdi_json_end_array(&cli->w);
    if (status != CD_OK) return status == CD_IO ? CLI_INPUT : cli_code(status);
    return t.failed == 0 ? CLI_OK : CLI_FAILED;
}

static const char *const words[] = {"run", NULL};
static const CliArg args[] = {{"run", "the word run", CLI_WORD, .words = words},
                              {"PROBLEM", "folders of problems", CLI_TEXT, .many = true},
                              {0}};

const CliVerb cli_bench = {.name = "bench",
                           .doc = "errors of problems against their reference solutions",
                           .args = args,
                           .options = &options_class,
                           .examples = "  cardan bench run A01 A03 --quick\n"
                                       "  cardan bench run A03 --method 'dop853(rtol=1e-9)'",
                           .run = run};
