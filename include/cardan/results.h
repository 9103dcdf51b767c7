// results.h - read the log that `cardan run` wrote
//
//   CdContext *ctx = cd_context_new(NULL); // messages: cd_context_set_sink
//   CdLog *log;
//   int tip;
//   if (cd_log_open(ctx, "run.log", &log) == CD_OK && cd_log_find(log, "tip.x", &tip) == CD_OK) {
//       double *x = malloc(cd_log_rows(log) * sizeof *x);
//       cd_log_column(log, tip, x);
//       ...
//   }
//   cd_log_free(log);
//
// A run that was killed leaves a log that can be read as far as it is whole. Damaged and foreign
// files are refused with a message. The format is told in docs/results.md.
#ifndef CARDAN_RESULTS_H
#define CARDAN_RESULTS_H

#include "cardan/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CdLog CdLog;

CdStatus cd_log_open(CdContext *ctx, const char *path, CdLog **log); // on failure *log is NULL
void cd_log_free(CdLog *log);                                        // NULL does nothing

// ---- what is in it; texts live as long as the log

uint64_t cd_log_rows(const CdLog *log);
int cd_log_complete(const CdLog *log); // 0: the run was interrupted, or still goes on

int cd_log_channels(const CdLog *log);
// so many of them, at the end, are poses of bodies ("@link.x") and forces ("@hinge.fx")
int cd_log_scene(const CdLog *log);
const char *cd_log_channel(const CdLog *log, int i, const char **unit); // its name; NULL: none
// number of a channel by its name; CD_NOTFOUND with what may have been meant
CdStatus cd_log_find(const CdLog *log, const char *name, int *channel);

typedef enum CdLogText {
    CD_LOG_MODEL,   // JSON, can be run again
    CD_LOG_RUN,     // options as JSON
    CD_LOG_METHOD,  //
    CD_LOG_SUMMARY, // JSON; of complete logs
    CD_LOG_FILE,    // of the model
    CD_LOG_VERSION, // of the cardan that wrote it
    CD_LOG_DATE     // of the beginning, UTC
} CdLogText;
const char *cd_log_text(const CdLog *log, CdLogText which); // NULL: there is none

// ---- numbers

// rows [first, first + n), each t and then all channels
CdStatus cd_log_read(CdLog *log, uint64_t first, uint64_t n, double *rows);
// one channel of all rows; -1: time
CdStatus cd_log_column(CdLog *log, int channel, double *values);

#ifdef __cplusplus
}
#endif

#endif
