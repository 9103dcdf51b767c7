// log_write.c - results of a run as an append-only file: rows are gathered, chunks written at once
//
// Memory is one buffer of rows. Every chunk is handed to the kernel by one call, so that a kill
// leaves whole chunks, or a part of the last one. The clock decides only when.
#include <string.h>

#include "base/clock.h"
#include "results/log_chunk.h"

// rows are handed on when they take so many bytes, or wait so long
#define BUFFER_BYTES ((size_t)1 << 16)
#define WAIT_NS 500000000
// what is younger waits for the next checkpoint, or the end, to reach the disk
#define SYNC_NS 1000000000
// pauses between two looks at the clock: several if that many took less than TICK_NS
#define TICK_PAUSES 16
#define TICK_NS 10000000
// a checkpoint follows the last one after this part of the time so far at the earliest
#define CHECKPOINT_PART 100
// the first one comes no later, so that short runs have none and little of a long one is repeated
#define CHECKPOINT_FIRST 1.0

struct CdLogWriter {
    CdContext *ctx;
    CdOpenFile *file;
    uint64_t number; // of the next chunk
    size_t row_bytes, max_rows, nrows;
    char *buffer; // head of a chunk, number of rows, rows
    bool has_checkpoint;
    char *scratch; // other chunks; grows to the largest
    size_t cap;
    CdStatus status;
    // wall time
    int64_t t_begin, t_tick, t_written, t_checkpoint, t_synced;
    int countdown; // steps until the next look at the clock
};

// ---- chunks

static size_t whole(size_t length) {
    return sizeof(CdLogChunk) + length + (size_t)cdi_log_padding(length);
}

// at the start of `chunk`, before its payload, which is padded
static void seal(char *chunk, const char *kind, size_t length, uint64_t number) {
    CdLogChunk head = {.length = length, .number = number};
    const bool first = number == 0; // as in all versions
    memcpy(head.magic, first ? CDI_LOG_MAGIC : CDI_LOG_WORDS, sizeof head.magic);
    memcpy(head.kind, kind, sizeof head.kind);
    head.checksum = cdi_log_hash(&head, cdi_log_checksum(&head), chunk + sizeof head, length);
    memcpy(chunk, &head, sizeof head);
    memset(chunk + sizeof head + length, 0, (size_t)cdi_log_padding(length));
}

// a failure is told once; what comes after it fails as well
static CdStatus append(CdLogWriter *log, const char *chunks, size_t n) {
    if (log->status == CD_OK) log->status = cdi_open_append(log->file, chunks, n);
    return log->status;
}

static CdStatus append_chunk(CdLogWriter *log, const char *kind, const void *head, size_t nhead,
                             const void *bytes, size_t n) {
    const size_t size = whole(nhead + n);
    if (size > log->cap) {
        char *grown = cdi_resize(log->ctx, log->scratch, size);
        if (!grown) return log->status = CD_NOMEM;
        log->scratch = grown;
        log->cap = size;
    }
    char *payload = log->scratch + sizeof(CdLogChunk);
    if (nhead > 0) memcpy(payload, head, nhead);
    if (n > 0) memcpy(payload + nhead, bytes, n);
    seal(log->scratch, kind, nhead + n, log->number++);
    return append(log, log->scratch, size);
}

static CdStatus flush(CdLogWriter *log) {
    const uint64_t n = log->nrows;
    const size_t length = sizeof n + log->nrows * log->row_bytes;
    log->t_written = cdi_clock_ns();
    if (n == 0) return log->status;
    memcpy(log->buffer + sizeof(CdLogChunk), &n, sizeof n);
    seal(log->buffer, "ROWS", length, log->number++);
    log->nrows = 0;
    return append(log, log->buffer, whole(length));
}

// ---- life

static void free_writer(CdLogWriter *log) {
    cdi_free(log->ctx, log->buffer);
    cdi_free(log->ctx, log->scratch);
    cdi_free(log->ctx, log);
}

static CdStatus make(CdContext *ctx, int nchannels, CdLogWriter **writer) {
    CdLogWriter *log = *writer = cdi_alloc(ctx, sizeof *log);
    if (!log) return CD_NOMEM;
    *log = (CdLogWriter){.ctx = ctx, .row_bytes = (1 + (size_t)nchannels) * sizeof(double)};
    log->max_rows = BUFFER_BYTES / log->row_bytes;
    if (log->max_rows == 0) log->max_rows = 1;
    log->buffer = cdi_alloc(ctx, whole(sizeof(uint64_t) + log->max_rows * log->row_bytes));
    if (!log->buffer) {
        free_writer(log);
        *writer = NULL;
        return CD_NOMEM;
    }
    log->t_begin = log->t_tick = log->t_written = cdi_clock_ns();
    log->t_checkpoint = log->t_synced = log->t_begin;
    return CD_OK;
}

static void add_chunk(CdText *out, const char *kind, const char *text, size_t n, uint64_t number) {
    static const char nothing[sizeof(CdLogChunk)] = {0};
    const size_t begin = out->n;
    cdi_text_addn(out, nothing, sizeof nothing);
    cdi_text_addn(out, text, n);
    cdi_text_addn(out, nothing, (size_t)cdi_log_padding(n));
    if (out->status == CD_OK) seal(out->v + begin, kind, n, number);
}

// HEAD and MODL: a file is a log from the moment it has its name
static CdStatus create(CdLogWriter *log, const char *path, const CdLogHeader *header) {
    CdText head, chunks;
    cdi_text_init(&head, log->ctx);
    cdi_text_init(&chunks, log->ctx);
    CdStatus status = cdi_log_head_write(log->ctx, header, &head);
    if (status == CD_OK) {
        add_chunk(&chunks, "HEAD", head.v, head.n, log->number++);
        if (header->model) {
            add_chunk(&chunks, "MODL", header->model, strlen(header->model), log->number++);
        }
        status = chunks.status;
    }
    if (status == CD_OK) status = cdi_open_new(log->ctx, path, chunks.v, chunks.n, &log->file);
    cdi_text_free(&head);
    cdi_text_free(&chunks);
    return status;
}

CdStatus cdi_log_create(CdContext *ctx, const char *path, const CdLogHeader *header,
                        CdLogWriter **log) {
    CD_TRY(make(ctx, header->n, log));
    const CdStatus status = create(*log, path, header);
    if (status == CD_OK) return CD_OK;
    free_writer(*log);
    *log = NULL;
    return status;
}

CdStatus cdi_log_close(CdLogWriter *log, const char *summary) {
    if (!log) return CD_OK;
    CdStatus status = flush(log);
    if (status == CD_OK && summary) {
        status = append_chunk(log, "DONE", NULL, 0, summary, strlen(summary));
    }
    if (status == CD_OK) status = cdi_open_sync(log->file);
    const CdStatus closed = cdi_open_close(log->file);
    free_writer(log);
    return status != CD_OK ? status : closed;
}

CdOpenFile *cdi_log_file(CdLogWriter *log) {
    return log->file;
}

// ---- a run

CdStatus cdi_log_row(CdLogWriter *log, double t, const double *values) {
    char *row = log->buffer + sizeof(CdLogChunk) + sizeof(uint64_t) + log->nrows * log->row_bytes;
    memcpy(row, &t, sizeof t);
    memcpy(row + sizeof t, values, log->row_bytes - sizeof t);
    return ++log->nrows == log->max_rows ? flush(log) : log->status;
}

CdStatus cdi_log_checkpoint(CdLogWriter *log, const CdCheckpoint *c) {
    const CdLogPoint point = {c->t, c->samples};
    CD_TRY(flush(log));
    CD_TRY(append_chunk(log, "CHKP", &point, sizeof point, c->bytes, c->size));
    log->has_checkpoint = true;
    log->t_checkpoint = cdi_clock_ns();
    if (log->t_checkpoint - log->t_synced < SYNC_NS) return CD_OK;
    log->t_synced = log->t_checkpoint;
    return log->status = cdi_open_sync(log->file);
}

static bool is_due(const CdLogWriter *log, double interval, int64_t now) {
    const int64_t since = now - log->t_checkpoint;
    if (!log->has_checkpoint && interval > CHECKPOINT_FIRST) interval = CHECKPOINT_FIRST;
    return 1e-9 * (double)since >= interval && since >= (now - log->t_begin) / CHECKPOINT_PART;
}

CdStatus cdi_log_tick(CdLogWriter *log, double interval, bool *due) {
    *due = false;
    if (--log->countdown > 0) return log->status;
    const int64_t now = cdi_clock_ns();
    log->countdown = now - log->t_tick < TICK_NS ? TICK_PAUSES : 1;
    log->t_tick = now;
    *due = interval > 0 && is_due(log, interval, now);
    return now - log->t_written >= WAIT_NS ? flush(log) : log->status;
}

// ---- resume

static CdStatus go_on(const CdLog *old, CdOpenFile *file, CdLogWriter **writer) {
    CdContext *ctx = cdi_log_context(old);
    CdLogEnd end;
    if (!cdi_log_end_of_checkpoint(old, &end)) {
        const CdPlace place = {.file = cdi_open_path(file)};
        return cdi_fail_at(ctx, CD_INVALID, &place, "the log has no checkpoint to resume from");
    }
    CD_TRY(cdi_open_cut(file, end.offset));
    CD_TRY(make(ctx, cdi_log_header(old)->n, writer));
    (*writer)->file = file;
    (*writer)->number = end.number;
    return CD_OK;
}

CdStatus cdi_log_resume(const CdLog *old, CdOpenFile *file, CdLogWriter **writer) {
    *writer = NULL;
    const CdStatus status = go_on(old, file, writer);
    if (status != CD_OK) (void)cdi_open_close(file);
    return status;
}
