// verb_info.c - cardan info FILE: what is in a model, or in a result log
#include "info_log.h"
#include "results/log.h"
#include "simulate/check.h"

// ---- items, class by class

static int count_class(const CdModel *m, const CdItemClass *cls) {
    int n = 0;
    // the ground, which is the first item, is part of every model
    for (size_t i = 1; i < m->items.n; i++) n += m->items.v[i]->cls == cls;
    return n;
}

static void print_items(const CdModel *m) {
    for (int c = 0; c < CD_NCATEGORIES; c++) {
        const char *before = cdi_category_names[c];
        for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
            const int n = (int)(*cls)->category == c ? count_class(m, *cls) : 0;
            if (n == 0) continue;
            if (*before) {
                printf("%-11s%d %s", before, n, (*cls)->desc.name);
            } else {
                printf(", %d %s", n, (*cls)->desc.name);
            }
            before = "";
        }
        if (!*before) putchar('\n');
    }
}

static void write_items(const CdModel *m, CdJsonWriter *w) {
    cdi_json_key(w, "items");
    cdi_json_begin_object(w);
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        const int n = count_class(m, *cls);
        if (n > 0) cdi_json_key_integer(w, (*cls)->desc.name, n);
    }
    cdi_json_end_object(w);
}

// ---- parameters

static void print_parameters(const CdModel *m) {
    for (size_t i = 0; m->params && i < m->params->n; i++) {
        printf("%-11s%s = %.9g\n", i == 0 ? "parameter" : "", m->params->names[i],
               m->params->values[i]);
    }
}

static void write_parameters(const CdModel *m, CdJsonWriter *w) {
    cdi_json_key(w, "parameters");
    cdi_json_begin_object(w);
    for (size_t i = 0; m->params && i < m->params->n; i++) {
        cdi_json_key_number(w, m->params->names[i], m->params->values[i]);
    }
    cdi_json_end_object(w);
}

// ---- runs; each was read well with the model

static CdStatus each_run(const CdModel *m, void *user,
                         void (*tell)(void *user, int i, const char *name, const CdRunOptions *o)) {
    const CdSource source = {.file = m->file, .params = m->params};
    for (size_t i = 0; m->runs && i < m->runs->n; i++) {
        CdObject *run;
        CD_TRY(cdi_object_read(m->ctx, &cd_run, &m->runs->items[i], &source, &run));
        tell(user, (int)i, cdi_object_name(run), cdi_object_data(run));
        cdi_object_free(run);
    }
    return CD_OK;
}

static void print_run(void *user, int i, const char *name, const CdRunOptions *o) {
    (void)user;
    printf("%-11s%d%s%s: %g s", i == 0 ? "run" : "", i + 1, name ? " " : "", name ? name : "",
           o->duration);
    if (o->step > 0) printf(" in steps of %g s", o->step);
    printf(", method %s%s\n", o->method,
           i > 0 && o->begin == CD_AT_LAST ? ", from the end of the last" : "");
}

static void write_run(void *user, int i, const char *name, const CdRunOptions *o) {
    CdJsonWriter *w = user;
    cdi_json_begin_object(w);
    cdi_json_key_integer(w, "number", i + 1);
    cdi_json_key_text(w, "name", name);
    cdi_json_key_number(w, "duration", o->duration);
    cdi_json_key_number(w, "step", o->step);
    cdi_json_key_text(w, "method", o->method);
    cdi_json_key_text(w, "begin", i > 0 && o->begin == CD_AT_LAST ? "last" : "start");
    cdi_json_end_object(w);
}

// ---- all of it

static const char *plural(int n) {
    return n == 1 ? "" : "s";
}

static void print_check(const CdCheck *c) {
    const int islands = c->start.rank.nislands;
    printf("%-11s%d degree%s in %d island%s, %d velocit%s, %d constraint%s of rank %d\n", "freedom",
           c->dof, plural(c->dof), islands, plural(islands), c->nv, c->nv == 1 ? "y" : "ies", c->nc,
           plural(c->nc), c->rank);
    if (c->errors + c->warnings > 0) {
        printf("%-11s%d error%s and %d warning%s; 'cardan check' tells them\n", "findings",
               c->errors, plural(c->errors), c->warnings, plural(c->warnings));
    }
}

static CdStatus print_model(const CdModel *m, const CdCheck *c) {
    printf("%-11s%s, %zu item%s, %d file%s included\n", "model", m->file ? m->file : "",
           m->items.n - 1, plural((int)m->items.n - 1), m->includes, plural(m->includes));
    print_items(m);
    print_check(c);
    print_parameters(m);
    return each_run(m, NULL, print_run);
}

static CdStatus write_model(const CdModel *m, const CdCheck *c, CdJsonWriter *w) {
    cdi_json_key_text(w, "kind", "model");
    cdi_json_key_integer(w, "includes", m->includes);
    write_items(m, w);
    write_parameters(m, w);
    cdi_json_key_integer(w, "dof", c->dof);
    cdi_json_key_integer(w, "islands", c->start.rank.nislands);
    cdi_json_key_integer(w, "velocities", c->nv);
    cdi_json_key_integer(w, "constraints", c->nc);
    cdi_json_key_integer(w, "rank", c->rank);
    cdi_json_key_integer(w, "errors", c->errors);
    cdi_json_key_integer(w, "warnings", c->warnings);
    cdi_json_key(w, "runs");
    cdi_json_begin_array(w, false);
    const CdStatus status = each_run(m, w, write_run);
    cdi_json_end_array(w);
    return status;
}

static int run(Cli *cli) {
    CdModel *model;
    CdCheck *check;
    if (cdi_log_is(cli->args[0])) return cli_info_log(cli, cli->args[0]);
    if (cdi_model_read_file(cli->ctx, cli->args[0], &model) != CD_OK) return CLI_INPUT;
    CdStatus status = cdi_check(model, &check);
    if (status == CD_OK) {
        status = cli->json ? write_model(model, check, &cli->w) : print_model(model, check);
        cdi_check_free(check);
    }
    cdi_model_free(model);
    return cli_code(status);
}

static const CliArg args[] = {
    {"FILE", "a model or a log of results; -: a model from standard input", .kind = CLI_FILE}, {0}};

const CliVerb cli_info = {.name = "info",
                          .doc = "what is in a model or a log of results",
                          .args = args,
                          .examples = "  cardan info model.json\n"
                                      "  cardan info run.log",
                          .run = run};
