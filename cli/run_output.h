// run_output.h - where the rows of a run go
#ifndef CARDAN_CLI_RUN_OUTPUT_H
#define CARDAN_CLI_RUN_OUTPUT_H

#include "cli.h"
#include "simulate/record.h"

typedef struct RunOutput {
    CdText path;      // v NULL: nowhere; "-": standard output
    CdRecord *record; // NULL: nothing is written
} RunOutput;

// given: what -o says; NULL: NAME.log here for a model NAME.json; "none": nowhere. name: of one of
// several runs, NULL: there is but one. resume: go on with a log that is there. After a failure too
// it must be closed.
CdStatus cli_output_open(RunOutput *o, const CdModel *model, const CdObject *run, const char *given,
                         const char *name, bool resume);
bool cli_output_complete(const RunOutput *o); // the log is there, with all rows
// what the output wants to hear, or knows, of the run; the caller's functions call those below
void cli_output_observe(const RunOutput *o, CdRunObserver *observer);
CdStatus cli_output_begin(RunOutput *o, const CdRunBegin *rows);
CdStatus cli_output_row(RunOutput *o, double t, const double *values);
CdStatus cli_output_pause(RunOutput *o, bool *save);
CdStatus cli_output_checkpoint(RunOutput *o, const CdCheckpoint *checkpoint);
// the status of the run, or that of closing if the run went well
CdStatus cli_output_close(RunOutput *o, CdStatus status, const CdRunSummary *summary);
void cli_output_free(RunOutput *o);

// The file of one of several runs: "out.csv" of run 'swing' is "out-swing.csv". Characters that do
// not belong into the name of a file become "_".
void cli_output_path(const char *path, const char *run, CdText *out);
bool cli_output_clash(const char *run, const char *other); // both have the same file

#endif
