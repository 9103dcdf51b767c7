// models.h - models that verbs read, with parameters of the command line
#ifndef CARDAN_CLI_MODELS_H
#define CARDAN_CLI_MODELS_H

#include "cli.h"
#include "model/model.h"

// row of a table of options with a member `CdList set`
#define CLI_SET_ROW(T)                                                                            \
    CD_FIELD(T, set, STRING, "", "[]", "", "a parameter of the model: --set L=0.6", .list = true, \
             .word = "NAME=VALUE")

// options of verbs that have no others
typedef struct CliModelOptions {
    CdList set; // of char *
} CliModelOptions;
extern const CdDesc cli_model_options;

// the model of a file ("-": standard input) with parameters set; else an exit code and *model NULL
int cli_read_model(Cli *cli, const char *path, const CdList *set, CdModel **model);

#endif
