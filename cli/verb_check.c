// verb_check.c - cardan check MODEL: freedom, redundant constraints, start, masses; a hint for each
#include <stdio.h>

#include "cli.h"
#include "simulate/check.h"

extern const CliVerb cli_check;

static const char *plural(int n) {
    return n == 1 ? "" : "s";
}

static void print_islands(const CdCheck *c) {
    const CdRank *rank = &c->start.rank;
    printf("%d degree%s of freedom: %d bod%s, %d joint%s, %d constraint%s of rank %d\n", c->dof,
           plural(c->dof), c->nbodies, c->nbodies == 1 ? "y" : "ies", c->njoints,
           plural(c->njoints), c->nc, plural(c->nc), c->rank);
    for (int k = 0; rank->nislands > 1 && k < rank->nislands; k++) {
        const CdIsland *is = &rank->islands[k];
        if (is->nbodies == 0) continue;
        printf("  %d of '%s'", is->nv - is->rank,
               cdi_item_name(c->system->bodies[is->bodies[0]].item));
        if (is->nbodies > 1) printf(" and %d more", is->nbodies - 1);
        printf(": %d constraint%s of rank %d\n", is->nrows, plural(is->nrows), is->rank);
    }
}

static void print_text(const CdCheck *c) {
    print_islands(c);
    for (size_t k = 0; k < c->findings.n; k++) {
        const CdFinding *f = &c->findings.v[k];
        printf("%s: ", cdi_severity_names[f->severity]);
        if (f->item) printf("'%s' ", f->item);
        printf("%s; %s\n", f->text, f->hint);
    }
    printf("%d error%s, %d warning%s\n", c->errors, plural(c->errors), c->warnings,
           plural(c->warnings));
}

static bool print_json(Cli *cli, const CdCheck *c) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, cli->ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_check_write(c, &w);
    const bool ok = text.status == CD_OK;
    if (ok) printf("%s\n", text.v);
    cdi_text_free(&text);
    return ok;
}

// a model that cannot be read: the same object with the messages as findings
static void print_unread(const Cli *cli) {
    if (cli->json) {
        printf("{\"version\": 1, \"errors\": %d, \"findings\": [], \"messages\": [%s]}\n",
               cli->errors, cli->said.v ? cli->said.v : "");
    }
}

static int run(Cli *cli) {
    CliInput in;
    CdModel *model;
    CdCheck *check;
    int code = CLI_FAILED;
    if (!cli_options(cli, &cli_check, NULL, 1, &in)) return CLI_USAGE;
    if (in.nargs != 1) {
        cli_complain("check: give one model; usage: cardan check %s", cli_check.usage);
        return CLI_USAGE;
    }
    if (cdi_model_read_file(cli->ctx, in.args[0], &model) != CD_OK) {
        print_unread(cli);
        return CLI_FAILED;
    }
    if (cdi_check(model, &check) == CD_OK) {
        bool ok = true;
        if (cli->json) {
            ok = print_json(cli, check);
        } else {
            print_text(check);
        }
        code = ok && check->errors == 0 ? CLI_OK : CLI_FAILED;
        cdi_check_free(check);
    }
    cdi_model_free(model);
    return code;
}

const CliVerb cli_check = {.name = "check",
                           .usage = "MODEL.json [--json]",
                           .doc = "look a model over: freedom, redundancy, start values, masses",
                           .run = run};
