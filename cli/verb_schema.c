// verb_schema.c - cardan schema [CLASS]: JSON Schema of whole models, or of one class
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "simulate/simulate.h"

extern const CliVerb cli_schema;

static const CdDesc *find(const char *name) {
    const CdItemClass *cls = cdi_item_class(name);
    const CdDesc *others[] = {&cd_include, &cd_run};
    if (cls) return &cls->desc;
    for (int i = 0; i < 2; i++) {
        if (strcmp(others[i]->name, name) == 0) return others[i];
    }
    return NULL;
}

static int run(Cli *cli) {
    CliInput in;
    CdText text;
    CdJsonWriter w;
    if (!cli_options(cli, &cli_schema, NULL, 1, &in)) return CLI_USAGE;
    const CdDesc *desc = in.nargs == 1 ? find(in.args[0]) : NULL;
    if (in.nargs == 1 && !desc) {
        cli_complain("schema: there is no class '%s'; 'cardan help' lists them", in.args[0]);
        return CLI_USAGE;
    }
    cdi_text_init(&text, cli->ctx);
    cdi_json_writer_init(&w, &text, 2);
    if (desc) {
        cdi_desc_schema(desc, &w);
    } else {
        cdi_model_schema(&w);
    }
    const CdStatus status = text.status;
    if (status == CD_OK) printf("%s\n", text.v);
    cdi_text_free(&text);
    return status == CD_OK ? CLI_OK : CLI_FAILED;
}

const CliVerb cli_schema = {.name = "schema",
                            .usage = "[CLASS]",
                            .doc = "JSON Schema of models, or of one class",
                            .run = run};
