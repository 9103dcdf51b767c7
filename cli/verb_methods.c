// verb_methods.c - cardan methods: integrators and linear solvers, from their tables
#include <stdio.h>

#include "cli.h"
#include "integrators/integrator.h"

extern const CliVerb cli_methods;

static void list(const CdDesc *desc) {
    printf("  %-18s %s\n", desc->name, desc->doc);
}

static int run(Cli *cli) {
    CliInput in;
    if (!cli_options(cli, &cli_methods, NULL, 0, &in)) return CLI_USAGE;
    puts("integrator");
    for (const CdIntegratorClass *const *c = cd_integrator_classes; *c; c++) list(&(*c)->desc);
    puts("linsol");
    for (const CdLinsolClass *const *c = cd_linsol_classes; *c; c++) list(&(*c)->desc);
    puts("formulation");
    puts("  auto index1 index2 index3 ggl");
    return CLI_OK;
}

const CliVerb cli_methods = {.name = "methods",
                             .usage = "",
                             .doc = "list integrators, formulations and linear solvers",
                             .run = run};
