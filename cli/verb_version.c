// verb_version.c - cardan version
#include "cli.h"

static int run(Cli *cli) {
    if (cli->json) {
        cdi_json_key_text(&cli->w, "cardan", CD_VERSION);
    } else {
        printf("cardan %s\n", CD_VERSION);
    }
    return CLI_OK;
}

const CliVerb cli_version = {
    .name = "version", .doc = "version of this program; 'doctor' tells more", .run = run};
