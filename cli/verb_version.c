// verb_version.c - cardan version
#include <stdio.h>

#include "cli.h"

extern const CliVerb cli_version;

static int run(Cli *cli) {
    CliInput in;
    if (!cli_options(cli, &cli_version, NULL, 0, &in)) return CLI_USAGE;
    printf(cli->json ? "{\"cardan\": \"%s\"}\n" : "cardan %s\n", CD_VERSION);
    return CLI_OK;
}

const CliVerb cli_version = {
    .name = "version", .usage = "[--json]", .doc = "version of this program", .run = run};
