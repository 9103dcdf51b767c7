// cli.h - what the verbs of the command line share; one file per verb, one line in verbs.def
#ifndef CARDAN_CLI_CLI_H
#define CARDAN_CLI_CLI_H

#include "desc/desc.h"

// exit codes
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

typedef struct Cli {
    CdContext *ctx;
    int argc; // what follows the verb
    char **argv;
    bool json;   // --json was given: one object on standard output and nothing else
    int errors;  // messages of that level so far
    CdText said; // with --json: messages as elements of an array
} Cli;

typedef struct CliVerb {
    const char *name;
    const char *usage;     // what follows the name
    const char *doc;       // one line
    const CdDesc *options; // rows that become --name VALUE; NULL: none
    int (*run)(Cli *cli);
} CliVerb;

extern const CliVerb *const cli_verbs[]; // NULL-terminated

// Take options out of argv: --json, -o PATH, and one per row of `object` (NULL: none) as --row VALUE
// or --row=VALUE. The rest are arguments, at most max. False after a message: wrong usage.
typedef struct CliInput {
    const char *args[32];
    int nargs;
    const char *output; // of -o; NULL: not given
} CliInput;
bool cli_options(Cli *cli, const CliVerb *verb, CdObject *object, int max, CliInput *input);

// "cardan: text" on standard error
void cli_complain(const char *fmt, ...) CD_PRINTF(1, 2);
// did the user press Ctrl-C?
bool cli_interrupted(void);

#endif
