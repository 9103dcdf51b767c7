// table_file.c - logs and CSV files as tables
#include <string.h>

#include "base/file.h"
#include "results/table.h"

// more text than this is better kept in a log
#define CSV_LIMIT ((size_t)1 << 32)

static CdStatus read_log(CdTable *t, uint64_t first, uint64_t n, double *rows) {
    return cdi_log_read(t->source, first, n, rows);
}

static void close_log(CdTable *t) {
    cdi_log_free(t->source);
}

CdStatus cdi_table_of_log(CdContext *ctx, CdLog *log, CdTable **table) {
    const CdLogHeader *header = cdi_log_header(log);
    CD_TRY(cdi_table_new(ctx, table));
    CdTable *t = *table;
    t->n = header->n;
    t->channels = header->channels;
    t->rows = cdi_log_rows(log);
    t->read = read_log;
    t->source = log;
    return CD_OK;
}

static CdStatus open_log(CdContext *ctx, const char *path, CdTable **table) {
    CdLog *log;
    CD_TRY(cdi_log_open(ctx, path, &log));
    const CdStatus status = cdi_table_of_log(ctx, log, table);
    if (status != CD_OK) {
        cdi_log_free(log);
        return status;
    }
    (*table)->close = close_log;
    return CD_OK;
}

static CdStatus open_csv(CdContext *ctx, const char *path, CdTable **table) {
    char *text;
    size_t n;
    CD_TRY(cdi_file_read(ctx, path, CSV_LIMIT, &text, &n));
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    const CdPlace place = {.file = name};
    // no text has zeros
    const CdStatus status =
        n > 0 && memchr(text, 0, n)
            ? cdi_fail_at(ctx, CD_INVALID, &place,
                          "is no log, and no text; results are read from logs and CSV files")
            : cdi_table_of_csv(ctx, name, text, n, table);
    cdi_free(ctx, text);
    return status;
}

CdStatus cdi_table_open(CdContext *ctx, const char *path, CdTable **table) {
    *table = NULL;
    return cdi_log_is(path) ? open_log(ctx, path, table) : open_csv(ctx, path, table);
}
