// verb_check.c - cardan check MODEL: freedom, redundant constraints, start, masses; a hint for each
#include "models.h"
#include "simulate/check.h"

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

static int run(Cli *cli) {
    CdModel *model;
    CdCheck *check;
    const CliModelOptions *o = cli->options;
    int code = cli_read_model(cli, cli->args[0], &o->set, &model);
    if (code != CLI_OK) return code;
    const CdStatus status = cdi_check(model, &check);
    code = cli_code(status);
    if (status == CD_OK) {
        if (cli->json) {
            cdi_check_write(check, &cli->w);
        } else {
            print_text(check);
        }
        code = check->errors == 0 ? CLI_OK : CLI_FAILED;
        cdi_check_free(check);
    }
    cdi_model_free(model);
    return code;
}

static const CliArg args[] = {{"MODEL", "a model; -: standard input", CLI_FILE, .suffix = ".json"},
                              {0}};

const CliVerb cli_check = {.name = "check",
                           .doc = "look a model over: freedom, redundancy, start values, masses",
                           .text = "Nothing is simulated. Findings of the severity error end with "
                                   "exit code 1.",
                           .args = args,
                           .options = &cli_model_options,
                           .examples = "  cardan check model.json",
                           .run = run};
