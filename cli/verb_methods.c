// verb_methods.c - cardan methods [MODEL]: what there is, or what fits a model
#include <stdio.h>

#include "cli.h"
#include "integrators/integrator.h"
#include "simulate/simulate.h"

extern const CliVerb cli_methods;

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
    cdi_json_begin_object(w);
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
    cdi_json_end_object(w);
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
    cdi_json_key(w, "integrator");
    cdi_json_string(w, fit->integrator);
    cdi_json_key(w, "formulation");
    cdi_json_string(w, fit->form);
    cdi_json_key(w, "fits");
    cdi_json_bool(w, fit->fits);
    cdi_json_key(w, "why");
    cdi_json_string(w, fit->why);
    cdi_json_end_object(w);
    return CD_OK;
}

static CdStatus fitting(Cli *cli, const char *path, CdJsonWriter *w) {
    CdModel *model;
    CD_TRY(cdi_model_read_file(cli->ctx, path, &model));
    if (cli->json) cdi_json_begin_array(w, false);
    const CdStatus status = cdi_simulate_methods(model, w, cli->json ? json_fit : print_fit);
    if (cli->json) cdi_json_end_array(w);
    cdi_model_free(model);
    return status;
}

static int run(Cli *cli) {
    CliInput in;
    CdText text;
    CdJsonWriter w;
    CdStatus status = CD_OK;
    if (!cli_options(cli, &cli_methods, NULL, 1, &in)) return CLI_USAGE;
    cdi_text_init(&text, cli->ctx);
    cdi_json_writer_init(&w, &text, 2);
    if (in.nargs == 1) {
        status = fitting(cli, in.args[0], &w);
    } else if (cli->json) {
        json_list(&w);
    } else {
        print_list();
    }
    if (cli->json && status == CD_OK && text.v) puts(text.v);
    cdi_text_free(&text);
    return status == CD_OK ? CLI_OK : CLI_FAILED;
}

const CliVerb cli_methods = {.name = "methods",
                             .usage = "[MODEL.json] [--json]",
                             .doc = "list integrators, formulations and linear solvers, or which "
                                    "of them fit a model",
                             .run = run};
