// run_output.h - where the samples of a run go
#ifndef CARDAN_CLI_RUN_OUTPUT_H
#define CARDAN_CLI_RUN_OUTPUT_H

#include "cli.h"
#include "results/csv_file.h"
#include "simulate/simulate.h"

typedef struct RunOutput {
    Cli *cli;
    const char *path; // NULL: nowhere; "-": standard output
    CdCsvFile *csv;
} RunOutput;

CdStatus cli_output_begin(RunOutput *o, const CdChannels *channels);
CdStatus cli_output_row(RunOutput *o, double t, const double *values);
CdStatus cli_output_close(RunOutput *o);

// The file of one of several runs: "out.csv" of run 'swing' is "out-swing.csv". Characters that do
// not belong into the name of a file become "_".
void cli_output_path(const char *path, const char *run, CdText *out);

#endif
