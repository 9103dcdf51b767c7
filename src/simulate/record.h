// record.h - rows of a run into a file, which is CSV or a log by its name
//
// ".csv" and "-" (standard output) are CSV, everything else is a log (results/log.h).
#ifndef CARDAN_SIMULATE_RECORD_H
#define CARDAN_SIMULATE_RECORD_H

#include "simulate/simulate.h"

typedef struct CdRecord CdRecord;

// All are copied. `run` is an object of cd_run whose struct can be had. With `resume` a log of that
// name is continued: one of another model, of other options or of another build is refused with all
// that differs; one that is complete stays as it is; if there is none, the run begins.
CdStatus cdi_record_new(const CdModel *model, const CdObject *run, const char *path, bool resume,
                        CdRecord **record);
bool cdi_record_is_log(const CdRecord *record);
bool cdi_record_is_complete(const CdRecord *record); // there is nothing to resume
// where the run goes on; NULL: it begins. Lives as long as the record. A complete log may have
// none: its run can be done again for its end, and writes nothing.
const CdCheckpoint *cdi_record_resume(const CdRecord *record);

// for the observer of the run
CdStatus cdi_record_begin(CdRecord *record, const CdRunBegin *begin);
CdStatus cdi_record_row(CdRecord *record, double t, const double *values);
CdStatus cdi_record_pause(CdRecord *record, bool *save);
CdStatus cdi_record_checkpoint(CdRecord *record, const CdCheckpoint *checkpoint);

// what came of it: a log that failed, other than by being cancelled, is complete. NULL does
// nothing.
CdStatus cdi_record_close(CdRecord *record, CdStatus status, const CdRunSummary *summary);

// what logs tell of a run: the model as JSON with this run alone, its options, and the hash of the
// model without runs. The texts are empty before.
CdStatus cdi_record_describe(const CdModel *model, const CdObject *run, CdText *model_text,
                             CdText *run_text, uint64_t *hash);

#endif
