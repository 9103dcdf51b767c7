// verb_schema.c - cardan schema [CLASS]: JSON Schema of whole models, or of one class
#include "base/utf8.h"
#include "classes.h"
#include "cli.h"
#include "simulate/simulate.h"

static void write(const CdDesc *desc, CdJsonWriter *w) {
    if (desc) {
        cdi_desc_schema(desc, w);
    } else {
        cdi_model_schema(w);
    }
}

static int print(Cli *cli, const CdDesc *desc) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, cli->ctx);
    cdi_json_writer_init(&w, &text, 2);
    write(desc, &w);
    const CdStatus status = text.status;
    if (status == CD_OK) puts(text.v);
    cdi_text_free(&text);
    return cli_code(status);
}

static int run(Cli *cli) {
    const CdDesc *desc = NULL;
    if (cli->nargs == 1) {
        CdSuggestion s = {.word = cli->args[0]};
        char shown[CD_SHOWN_MAX];
        desc = cli_class(cli->args[0], &s);
        if (!desc) {
            cli_complain(cli, "schema: there is no class '%s'%s%s%s",
                         cdi_shown(cli->args[0], shown), CLI_HINT(s, "; 'cardan help' lists them"));
            return CLI_USAGE;
        }
    }
    if (!cli->json) return print(cli, desc);
    cdi_json_key(&cli->w, "schema");
    write(desc, &cli->w);
    return CLI_OK;
}

static const CliArg args[] = {{"CLASS",
                               "a class of items; without one the schema is that of whole models",
                               CLI_CLASS, .optional = true},
                              {0}};

const CliVerb cli_schema = {.name = "schema",
                            .doc = "JSON Schema of models, or of one class",
                            .text = "Editors that know JSON Schema complete and check models with "
                                    "it while they are\ntyped.",
                            .args = args,
                            .examples = "  cardan schema > cardan.schema.json\n"
                                        "  cardan schema RigidBody",
                            .run = run};
