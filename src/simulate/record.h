// record.h - rows of a run into a file, which is CSV or a log by its name
//
// ".csv" and "-" (standard output) are CSV, everything else is a log (results/log.h).
#ifndef CARDAN_SIMULATE_RECORD_H
#define CARDAN_SIMULATE_RECORD_H

#include "simulate/simulate.h"

typedef struct CdRecord CdRecord;

// All are copied. `run` is an object of cd_run whose struct can be had.
CdStatus cdi_record_new(const CdModel *model, const CdObject *run, const char *path,
                        CdRecord **record);
bool cdi_record_is_log(const CdRecord *record);

// for the observer of the run
CdStatus cdi_record_begin(CdRecord *record, const CdRunBegin *begin);
CdStatus cdi_record_row(CdRecord *record, double t, const double *values);

// what came of it: a log that failed, other than by being cancelled, is complete. NULL does nothing.
CdStatus cdi_record_close(CdRecord *record, CdStatus status, const CdRunSummary *summary);

#endif
