// verb_methods.c - cardan methods [MODEL]: what there is, or what fits a model
#include "integrators/integrator.h"
#include "models.h"
#include "simulate/simulate.h"

// ---- of all models

static void list(const CdDesc *desc) {
    printf("  %-18s %s\n", desc->name, desc->doc);
}

static void print_list(void) {
    puts("integrator");
    for (const CdIntegratorClass *const *c = cd_integrator_classes; *c; c++) list(&(*c)->desc);
    puts("linsol");
    for (const CdLinsolClass *const *c = cd_linsol_classes; *c; c++) list(&(*c)->desc);
    fputs("formulation\n ", stdout);
    for (const char *const *f = cdi_form_names; *f; f++) printf(" %s", *f);
    puts("\n\ncardan methods MODEL.json tells which of them fit a model.");
}

static void write_names(CdJsonWriter *w, const char *key) {
    cdi_json_key(w, key);
    cdi_json_begin_array(w, true);
}

static void json_list(CdJsonWriter *w) {
    write_names(w, "integrator");
    for (const CdIntegratorClass *const *c = cd_integrator_classes; *c; c++) {
        cdi_json_string(w, (*c)->desc.name);
    }
    cdi_json_end_array(w);
    write_names(w, "linsol");
    for (const CdLinsolClass *const *c = cd_linsol_classes; *c; c++) {
        cdi_json_string(w, (*c)->desc.name);
    }
    cdi_json_end_array(w);
    write_names(w, "formulation");
    for (const char *const *f = cdi_form_names; *f; f++) cdi_json_string(w, *f);
    cdi_json_end_array(w);
}

// ---- of one model

static CdStatus print_fit(void *user, const CdMethodFit *fit) {
    (void)user;
    printf("%-18s %-8s %s%s\n", fit->integrator, fit->form, fit->fits ? "fits" : "no: ", fit->why);
    return CD_OK;
}

static CdStatus json_fit(void *user, const CdMethodFit *fit) {
    CdJsonWriter *w = user;
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "integrator", fit->integrator);
    cdi_json_key_text(w, "formulation", fit->form);
    cdi_json_key_bool(w, "fits", fit->fits);
    cdi_json_key_text(w, "why", fit->why);
    cdi_json_end_object(w);
    return CD_OK;
}

static int fitting(Cli *cli, const char *path) {
    const CliModelOptions *o = cli->options;
    CdModel *model;
    const int code = cli_read_model(cli, path, &o->set, &model);
    if (code != CLI_OK) return code;
    if (cli->json) {
        cdi_json_key(&cli->w, "methods");
        cdi_json_begin_array(&cli->w, false);
    }
    const CdStatus status = cdi_simulate_methods(model, &cli->w, cli->json ? json_fit : print_fit);
    if (cli->json) cdi_json_end_array(&cli->w);
    cdi_model_free(model);
    return cli_code(status);
}

static int run(Cli *cli) {
    if (cli->nargs == 1) return fitting(cli, cli->args[0]);
    if (cli->json) {
        json_list(&cli->w);
    } else {
        print_list();
    }
    return CLI_OK;
}

static const CliArg args[] = {{"MODEL",
                               "a model; without one all there are are listed; -: standard input",
                               CLI_FILE, .optional = true, .suffix = ".json"},
                              {0}};

const CliVerb cli_methods = {.name = "methods",
                             .doc = "list integrators, formulations and linear solvers, or which "
                                    "of them fit a model",
                             .args = args,
                             .options = &cli_model_options,
                             .examples = "  cardan methods\n"
                                         "  cardan methods model.json",
                             .run = run};
