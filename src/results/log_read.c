// log_read.c - a log from a file that nobody vouches for: whole chunks from its start, no more
//
// All chunks are looked at once, when the log is opened: their checksums, lengths and numbers. What
// is kept is the header and where rows stand.
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "results/log_chunk.h"

#define BLOCK_BYTES ((size_t)1 << 16)
// no header, model, checkpoint or summary needs more
#define TEXT_MAX ((uint64_t)1 << 30)

// a chunk of rows
typedef struct Stretch {
    uint64_t first, n; // rows
    uint64_t offset;   // of the first row in the file
} Stretch;

// a payload in the file
typedef struct Span {
    uint64_t offset, length;
} Span;

struct CdLog {
    CdContext *ctx;
    CdOpenFile *file;
    CdArena arena;
    CdLogHeader header;
    CD_ARRAY(Stretch) rows;
    uint64_t nrows;
    size_t row_bytes;
    uint64_t number, end; // of whole chunks, and where they end
    bool complete;
    char *summary;
    Span point; // of the last checkpoint; length 0: none
    CdLogEnd after_point;
    CdCheckpoint checkpoint;
    char *block; // BLOCK_BYTES of work
};

static CdStatus refuse(const CdLog *log, const char *what) {
    const CdPlace place = {.file = cdi_open_path(log->file)};
    return cdi_fail_at(log->ctx, CD_INVALID, &place, "%s", what);
}

// ---- chunks

static CdStatus add_to_checksum(CdLog *log, const CdLogChunk *head, const Span *s,
                                uint64_t *checksum) {
    for (uint64_t done = 0; done < s->length;) {
        const uint64_t left = s->length - done;
        const size_t n = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
        CD_TRY(cdi_open_read(log->file, s->offset + done, log->block, n));
        *checksum = cdi_log_hash(head, *checksum, log->block, n);
        done += n;
    }
    return CD_OK;
}

// the chunk at log->end, if it is all there
static CdStatus next_chunk(CdLog *log, CdLogChunk *head, Span *payload, bool *found) {
    const uint64_t left = cdi_open_size(log->file) - log->end;
    *found = false;
    if (left < sizeof *head) return CD_OK;
    CD_TRY(cdi_open_read(log->file, log->end, head, sizeof *head));
    if (!cdi_log_is_chunk(head, CDI_LOG_MAGIC) && !cdi_log_is_chunk(head, CDI_LOG_WORDS)) {
        return CD_OK;
    }
    if (head->number != log->number || head->length > left - sizeof *head) return CD_OK;
    if (cdi_log_padding(head->length) > left - sizeof *head - head->length) return CD_OK;
    uint64_t checksum = cdi_log_checksum(head);
    *payload = (Span){log->end + sizeof *head, head->length};
    CD_TRY(add_to_checksum(log, head, payload, &checksum));
    *found = checksum == head->checksum;
    return CD_OK;
}

// a payload in memory, with a NUL after it; *text is owned by the caller
static CdStatus load(CdLog *log, const Span *s, char **text) {
    *text = NULL;
    if (s->length > TEXT_MAX) return refuse(log, "a text or checkpoint of the log is too long");
    *text = cdi_alloc(log->ctx, (size_t)s->length + 1);
    if (!*text) return CD_NOMEM;
    const CdStatus status = cdi_open_read(log->file, s->offset, *text, (size_t)s->length);
    if (status == CD_OK) return CD_OK;
    cdi_free(log->ctx, *text);
    *text = NULL;
    return status;
}

static CdStatus load_json(CdLog *log, const Span *s, char **text) {
    CdJsonDoc *doc;
    CD_TRY(load(log, s, text));
    const CdStatus status = cdi_json_read(log->ctx, cdi_open_path(log->file), *text,
                                          (size_t)s->length, CD_JSON_LIMITS, &doc);
    if (status == CD_OK) {
        cdi_json_free(doc);
        return CD_OK;
    }
    cdi_free(log->ctx, *text);
    *text = NULL;
    return status;
}

// ---- kinds

static CdStatus take_head(CdLog *log, const Span *s) {
    char *text;
    CD_TRY(load(log, s, &text));
    const CdStatus status = cdi_log_head_read(log->ctx, cdi_open_path(log->file), text,
                                              (size_t)s->length, &log->arena, &log->header);
    cdi_free(log->ctx, text);
    log->row_bytes = (1 + (size_t)log->header.n) * sizeof(double);
    return status;
}

static CdStatus take_model(CdLog *log, const Span *s) {
    char *text;
    if (log->header.model) return refuse(log, "the log has two models");
    CD_TRY(load_json(log, s, &text));
    log->header.model = cdi_arena_strndup(&log->arena, text, (size_t)s->length);
    cdi_free(log->ctx, text);
    return log->header.model ? CD_OK : CD_NOMEM;
}

static CdStatus take_rows(CdLog *log, const Span *s) {
    uint64_t n;
    if (s->length < sizeof n) return refuse(log, "a chunk of rows has no number of them");
    CD_TRY(cdi_open_read(log->file, s->offset, &n, sizeof n));
    // a product could overflow
    if ((s->length - sizeof n) % log->row_bytes != 0 ||
        (s->length - sizeof n) / log->row_bytes != n) {
        return refuse(log, "a chunk of rows has another length than its rows");
    }
    if (n == 0) return CD_OK;
    const Stretch stretch = {log->nrows, n, s->offset + sizeof n};
    log->nrows += n;
    return CD_PUSH(log->ctx, log->rows, stretch);
}

static CdStatus take_checkpoint(CdLog *log, const Span *s) {
    if (s->length < sizeof(CdLogPoint)) return refuse(log, "a checkpoint is too short");
    log->point = *s;
    log->after_point =
        (CdLogEnd){s->offset + s->length + cdi_log_padding(s->length), log->number + 1};
    return CD_OK;
}

static CdStatus take_done(CdLog *log, const Span *s) {
    log->complete = true;
    return load_json(log, s, &log->summary);
}

static const struct {
    char kind[5];
    CdStatus (*take)(CdLog *log, const Span *payload);
} kinds[] = {
    {"MODL", take_model}, {"ROWS", take_rows}, {"CHKP", take_checkpoint}, {"DONE", take_done}};

// kinds that are not known are passed over: a later program may have written them
static CdStatus take_chunk(CdLog *log, const CdLogChunk *head, const Span *payload) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (memcmp(head->kind, kinds[i].kind, sizeof head->kind) != 0) continue;
        return kinds[i].take(log, payload);
    }
    return CD_OK;
}

static CdStatus read_chunks(CdLog *log) {
    CdLogChunk head;
    Span payload;
    bool found;
    CD_TRY(next_chunk(log, &head, &payload, &found));
    if (!found || memcmp(head.kind, "HEAD", sizeof head.kind) != 0) {
        return refuse(log, "is not a log of cardan; `cardan run MODEL.json -o NAME.log` makes one");
    }
    CD_TRY(take_head(log, &payload));
    while (found) {
        log->end = payload.offset + payload.length + cdi_log_padding(payload.length);
        log->number++;
        if (log->complete) return CD_OK;
        CD_TRY(next_chunk(log, &head, &payload, &found));
        if (found) CD_TRY(take_chunk(log, &head, &payload));
    }
    return CD_OK;
}

static CdStatus load_checkpoint(CdLog *log) {
    CdLogPoint point;
    char *bytes;
    if (log->point.length == 0) return CD_OK;
    CD_TRY(load(log, &log->point, &bytes));
    memcpy(&point, bytes, sizeof point);
    log->checkpoint = (CdCheckpoint){.t = point.t,
                                     .samples = point.samples,
                                     .bytes = bytes + sizeof point,
                                     .size = (size_t)log->point.length - sizeof point};
    return CD_OK;
}

// ---- life

bool cdi_log_is(const char *path) {
    return cdi_file_begins(path, CDI_LOG_MAGIC, strlen(CDI_LOG_MAGIC));
}

static CdStatus open_log(CdLog *log, const char *path) {
    log->block = cdi_alloc(log->ctx, BLOCK_BYTES);
    if (!log->block) return CD_NOMEM;
    CD_TRY(cdi_open_old(log->ctx, path, false, &log->file));
    CD_TRY(read_chunks(log));
    return load_checkpoint(log);
}

CdStatus cdi_log_scan(CdContext *ctx, const char *path, CdLog **out) {
    CdLog *log = *out = cdi_alloc(ctx, sizeof *log);
    if (!log) return CD_NOMEM;
    *log = (CdLog){.ctx = ctx};
    cdi_arena_init(&log->arena, ctx, 0);
    const CdStatus status = open_log(log, path);
    if (status == CD_OK) return CD_OK;
    cdi_log_free(log);
    *out = NULL;
    return status;
}

static void warn(const CdLog *log, const char *path) {
    const uint64_t left = cdi_open_size(log->file) - log->end;
    if (left > 0) {
        cdi_warn(log->ctx,
                 "%s: the last %" PRIu64 " bytes are no whole chunk and left out; %" PRIu64
                 " rows before them are read",
                 path, left, log->nrows);
    } else if (!log->complete) {
        cdi_warn(log->ctx, "%s: the run was not ended; the %" PRIu64 " rows so far are read", path,
                 log->nrows);
    }
}

CdStatus cdi_log_open(CdContext *ctx, const char *path, CdLog **log) {
    CD_TRY(cdi_log_scan(ctx, path, log));
    warn(*log, path);
    return CD_OK;
}

void cdi_log_free(CdLog *log) {
    if (!log) return;
    CdContext *ctx = log->ctx;
    // reading cannot lose anything at the end
    (void)cdi_open_close(log->file);
    cdi_array_free(ctx, &log->rows.any);
    if (log->checkpoint.bytes) {
        cdi_free(ctx, (char *)log->checkpoint.bytes - sizeof(CdLogPoint));
    }
    cdi_free(ctx, log->summary);
    cdi_free(ctx, log->block);
    cdi_arena_clear(&log->arena);
    cdi_free(ctx, log);
}

// ---- what is in it

CdContext *cdi_log_context(const CdLog *log) {
    return log->ctx;
}

const CdLogHeader *cdi_log_header(const CdLog *log) {
    return &log->header;
}

uint64_t cdi_log_rows(const CdLog *log) {
    return log->nrows;
}

bool cdi_log_complete(const CdLog *log) {
    return log->complete;
}

const char *cdi_log_summary(const CdLog *log) {
    return log->summary;
}

int cdi_log_channel(const CdLog *log, const char *name) {
    for (int i = 0; i < log->header.n; i++) {
        if (strcmp(log->header.channels[i].name, name) == 0) return i;
    }
    return -1;
}

bool cdi_log_checkpoint_last(const CdLog *log, CdCheckpoint *checkpoint) {
    *checkpoint = log->checkpoint;
    return checkpoint->bytes != NULL;
}

bool cdi_log_end_of_checkpoint(const CdLog *log, CdLogEnd *end) {
    *end = log->after_point;
    return log->point.length > 0;
}

// ---- rows

// the stretch that holds a row, which there is
static const Stretch *find_stretch(const CdLog *log, uint64_t row) {
    size_t lo = 0, hi = log->rows.n;
    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;
        if (log->rows.v[mid].first <= row) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return &log->rows.v[lo];
}

CdStatus cdi_log_read(CdLog *log, uint64_t first, uint64_t n, double *rows) {
    if (first > log->nrows || n > log->nrows - first) {
        return refuse(log, "the log has fewer rows than are asked for");
    }
    char *to = (char *)rows;
    while (n > 0) {
        const Stretch *s = find_stretch(log, first);
        const uint64_t skip = first - s->first, here = s->n - skip < n ? s->n - skip : n;
        const size_t bytes = (size_t)here * log->row_bytes;
        CD_TRY(cdi_open_read(log->file, s->offset + skip * log->row_bytes, to, bytes));
        to += bytes;
        first += here;
        n -= here;
    }
    return CD_OK;
}

// rows of at least one block, or one row if it is longer
static CdStatus take_rows_buffer(CdLog *log, double **rows, uint64_t *n) {
    *n = log->row_bytes < BLOCK_BYTES ? BLOCK_BYTES / log->row_bytes : 1;
    *rows = cdi_alloc_array(log->ctx, (size_t)*n, log->row_bytes);
    return *rows ? CD_OK : CD_NOMEM;
}

CdStatus cdi_log_column(CdLog *log, int channel, double *out) {
    const size_t width = log->row_bytes / sizeof(double);
    double *rows;
    uint64_t most;
    if (channel < -1 || channel >= log->header.n) return refuse(log, "there is no such channel");
    CD_TRY(take_rows_buffer(log, &rows, &most));
    CdStatus status = CD_OK;
    for (uint64_t row = 0; row < log->nrows && status == CD_OK;) {
        const uint64_t n = log->nrows - row < most ? log->nrows - row : most;
        status = cdi_log_read(log, row, n, rows);
        for (uint64_t i = 0; i < n; i++) out[row + i] = rows[i * width + (size_t)(channel + 1)];
        row += n;
    }
    cdi_free(log->ctx, rows);
    return status;
}
