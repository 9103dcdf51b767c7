// run_output.h - where `cardan run` puts its rows
#ifndef CARDAN_CLI_RUN_OUTPUT_H
#define CARDAN_CLI_RUN_OUTPUT_H

#include "simulate/record.h"

typedef struct RunOutput {
    CdText path;      // empty: none
    CdRecord *record; // NULL: nothing is written
} RunOutput;

// given: what -o says; NULL: NAME.log here for a model NAME.json. "none" writes nothing.
CdStatus run_output_open(RunOutput *out, const CdModel *model, const CdObject *run,
                         const char *given);
// an observer that writes; `user` of it is `out`
CdRunObserver run_output_observer(RunOutput *out);
CdStatus run_output_close(RunOutput *out, CdStatus status, const CdRunSummary *summary);
void run_output_free(RunOutput *out);

#endif
