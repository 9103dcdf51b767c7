// report.h - messages of a reading, held back and then told in the order of lines
#ifndef CARDAN_MODEL_REPORT_H
#define CARDAN_MODEL_REPORT_H

#include "base/arena.h"
#include "base/array.h"

// beyond this many, the rest is only counted
#define CD_REPORT_MAX 200

typedef struct CdHeldMessage {
    CdMessage message; // texts are copies
    int file, order;   // of files: as they came
} CdHeldMessage;

typedef struct CdReport {
    CdContext *ctx;
    CdSink *sink; // of the user
    void *user;
    CdArena arena;
    CD_ARRAY(CdHeldMessage) held;
    const char *first;            // file
    CD_ARRAY(const char *) files; // the others
    size_t dropped;
} CdReport;

// from here on messages of the context are held back. `file` comes first (NULL: none); it
// must live until the end.
void cdi_report_begin(CdReport *report, CdContext *ctx, const char *file);
void cdi_report_end(CdReport *report);

#endif
