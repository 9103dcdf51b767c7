// starters.h - models to start from: the files of cli/starters, built in by cmake/CardanEmbed.cmake
#ifndef CARDAN_CLI_STARTERS_H
#define CARDAN_CLI_STARTERS_H

#include <stddef.h>

typedef struct CliStarter {
    const char *name; // NULL after the last
    const char *text;
    size_t n;
} CliStarter;

extern const CliStarter cli_starters[];
extern const char *const cli_starter_names[]; // NULL-terminated

#endif
