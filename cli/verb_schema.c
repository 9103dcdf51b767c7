// verb_schema.c - cardan schema [CLASS]: JSON Schema of an item class
#include <stdio.h>

#include "cli.h"
#include "items/item.h"

extern const CliVerb cli_schema;

static int run(Cli *cli) {
    CliInput in;
    CdText text;
    CdJsonWriter w;
    if (!cli_options(cli, &cli_schema, NULL, 1, &in)) return CLI_USAGE;
    const CdItemClass *cls = in.nargs == 1 ? cdi_item_class(in.args[0]) : NULL;
    if (!cls) {
        cli_complain("schema: give the name of a class; 'cardan help' lists them");
        return CLI_USAGE;
    }
    cdi_text_init(&text, cli->ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_desc_schema(&cls->desc, &w);
    printf("%s\n", text.v ? text.v : "");
    cdi_text_free(&text);
    return CLI_OK;
}

const CliVerb cli_schema = {
    .name = "schema", .usage = "CLASS", .doc = "JSON Schema of an item class", .run = run};
