// log.h - results of a run as an append-only file that survives whatever ends the run
//
//   file  = chunk chunk ...
//   chunk = mark, kind (4 letters), length u64, number u64, checksum u64 (of 24 bytes before and
//           of the payload), payload, padded with zeros to 8 bytes; little-endian
//   mark  = "CdLg": FNV-1a by bytes, "CdLw": by words (base/hash.h)
//   kinds: HEAD  JSON: format version, model file and hash, method, build, run, channels with units
//          MODL  the model as JSON (numbers, sub-models spread, with this run)
//          ROWS  n u64, then n rows of doubles: t, channels, scene
//          CHKP  a checkpoint: t, samples so far, and the bytes that a run resumes from
//          DONE  JSON: summary of the run
//
// A reader takes chunks as long as they are whole: what was written before a kill, a full disk or a
// crash is there. Rows are handed to the kernel after half a second of wall time at the latest, and
// reach the disk with every checkpoint and at the end. docs/results.md tells it byte by byte.
#ifndef CARDAN_RESULTS_LOG_H
#define CARDAN_RESULTS_LOG_H

#include "base/open_file.h"
#include "cardan/results.h"
#include "system/channels.h"

typedef struct CdLogHeader {
    const char *file;   // of the model; NULL: none
    const char *model;  // its text, JSON
    const char *run;    // options as JSON
    const char *method; // as text
    uint64_t hash;      // of the model without its runs
    int n;              // channels; the last nscene of them are those of system/scene.h
    int nscene;
    const CdChannel *channels;
    bool resumable; // there are checkpoints, if it lasted long enough
    // told by the writer itself
    const char *version, *compiler, *isa; // of the program that wrote it
    const char *date;                     // of its beginning, UTC: 2026-11-16T01:54:36Z
} CdLogHeader;

// what a run resumes from
typedef struct CdCheckpoint {
    double t;
    uint64_t samples; // rows before it
    const void *bytes;
    size_t size;
} CdCheckpoint;

// ---- writing

typedef struct CdLogWriter CdLogWriter;

// Failures are reported with the path. Memory does not grow with the length of the run.
CdStatus cdi_log_create(CdContext *ctx, const char *path, const CdLogHeader *header,
                        CdLogWriter **log);
CdStatus cdi_log_row(CdLogWriter *log, double t, const double *values); // n of them
CdStatus cdi_log_checkpoint(CdLogWriter *log, const CdCheckpoint *checkpoint);
// when a run pauses: hands rows to the kernel if it is time. *due: a checkpoint should be made, so
// many seconds after the last one (the first after one at the latest), later in the run a hundredth
// of its time. The clock is read every few pauses only and has no influence on numbers.
CdStatus cdi_log_tick(CdLogWriter *log, double interval, bool *due);
// the summary, JSON; NULL: none. Everything is on its way to the disk if this succeeds.
CdStatus cdi_log_close(CdLogWriter *log, const char *summary); // NULL log does nothing

const char *cdi_log_compiler(void); // that this program was built with

// ---- reading

// does it begin like a log? false for what cannot be read, and for pipes, which are read only once
bool cdi_log_is(const char *path);
// A file that ends too early is read as far as it is whole, and a warning tells so.
CdStatus cdi_log_open(CdContext *ctx, const char *path, CdLog **log);
CdStatus cdi_log_scan(CdContext *ctx, const char *path, CdLog **log); // the same without warning
void cdi_log_free(CdLog *log);                                        // NULL does nothing
CdContext *cdi_log_context(const CdLog *log);
const CdLogHeader *cdi_log_header(const CdLog *log);
uint64_t cdi_log_rows(const CdLog *log);
bool cdi_log_complete(const CdLog *log);       // was it closed?
const char *cdi_log_summary(const CdLog *log); // JSON; NULL: none
// rows [first, first + n), each t and the channels, by rows
CdStatus cdi_log_read(CdLog *log, uint64_t first, uint64_t n, double *rows);
// one channel (-1: time) of all rows
CdStatus cdi_log_column(CdLog *log, int channel, double *out);
int cdi_log_channel(const CdLog *log, const char *name); // -1: there is none

// the last one; false: there is none. The bytes live as long as the log.
bool cdi_log_checkpoint_last(const CdLog *log, CdCheckpoint *checkpoint);
// A writer that goes on after the last checkpoint; what came after it is cut off. The file was
// opened to grow (cdi_open_old) before the log was read, so that nobody else wrote it meanwhile; it
// belongs to the writer then, and is closed after a failure.
CdStatus cdi_log_resume(const CdLog *old, CdOpenFile *file, CdLogWriter **log);

#endif
