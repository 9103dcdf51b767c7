// record.c - rows of a run into a file, which is CSV or a log by its name
#include "simulate/record.h"

#include <string.h>

#include "base/hash.h"
#include "results/csv_file.h"
#include "results/log.h"

struct CdRecord {
    CdContext *ctx;
    char *path;
    bool is_log;
    CdText model, run; // of a log: JSON
    char *file;        // of the model; NULL: none
    uint64_t hash;     // of the model without its runs
    CdCsvFile *csv;
    CdLogWriter *log;
};

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

// ---- what a log tells of the run

static void write_run(const CdObject *run, CdText *out) {
    CdJsonWriter w;
    cdi_json_writer_init(&w, out, 0);
    cdi_object_write(run, &w, CD_RESOLVED);
}

// numbers, sub-models spread; all its runs are replaced by this one (NULL: none)
static void write_model(const CdModel *model, const CdJson *runs, CdText *out) {
    CdJsonWriter w;
    CdModel copy = *model;
    copy.runs = runs;
    cdi_json_writer_init(&w, out, 1);
    cdi_model_write(&copy, &w, CD_NUMBERS);
}

static CdStatus describe(CdRecord *r, const CdModel *model, const CdObject *run) {
    CdText list;
    CdJsonDoc *runs = NULL;
    write_run(run, &r->run);
    write_model(model, NULL, &r->model);
    CD_TRY(r->run.status);
    CD_TRY(r->model.status);
    r->hash = cdi_hash(CD_HASH_BEGIN, r->model.v, r->model.n);
    cdi_text_init(&list, r->ctx);
    cdi_text_addf(&list, "[%s]", r->run.v);
    CdStatus status = list.status;
    if (status == CD_OK) {
        status = cdi_json_read(r->ctx, NULL, list.v, list.n, CD_JSON_LIMITS, &runs);
    }
    if (status == CD_OK) {
        cdi_text_clear(&r->model);
        write_model(model, cdi_json_root(runs), &r->model);
        status = r->model.status;
    }
    cdi_json_free(runs);
    cdi_text_free(&list);
    return status;
}

static CdStatus copy_names(CdRecord *r, const CdModel *model, const char *path) {
    r->path = cdi_strdup(r->ctx, path);
    if (!r->path) return CD_NOMEM;
    if (!model->file) return CD_OK;
    r->file = cdi_strdup(r->ctx, model->file);
    return r->file ? CD_OK : CD_NOMEM;
}

// ---- life

static void free_record(CdRecord *r) {
    cdi_text_free(&r->model);
    cdi_text_free(&r->run);
    cdi_free(r->ctx, r->file);
    cdi_free(r->ctx, r->path);
    cdi_free(r->ctx, r);
}

CdStatus cdi_record_new(const CdModel *model, const CdObject *run, const char *path,
                        CdRecord **record) {
    CdRecord *r = *record = cdi_alloc(model->ctx, sizeof *r);
    if (!r) return CD_NOMEM;
    *r =
        (CdRecord){.ctx = model->ctx, .is_log = !ends_with(path, ".csv") && strcmp(path, "-") != 0};
    cdi_text_init(&r->model, r->ctx);
    cdi_text_init(&r->run, r->ctx);
    CdStatus status = copy_names(r, model, path);
    if (status == CD_OK && r->is_log) status = describe(r, model, run);
    if (status == CD_OK) return CD_OK;
    free_record(r);
    *record = NULL;
    return status;
}

bool cdi_record_is_log(const CdRecord *r) {
    return r->is_log;
}

CdStatus cdi_record_begin(CdRecord *r, const CdRunBegin *begin) {
    if (!r->is_log) {
        return cdi_csv_file_open(r->ctx, r->path, begin->channels, begin->n, &r->csv);
    }
    const CdLogHeader header = {.file = r->file,
                                .model = r->model.v,
                                .run = r->run.v,
                                .method = begin->method,
                                .hash = r->hash,
                                .n = begin->n,
                                .nscene = begin->nscene,
                                .channels = begin->channels};
    return cdi_log_create(r->ctx, r->path, &header, &r->log);
}

CdStatus cdi_record_row(CdRecord *r, double t, const double *values) {
    return r->is_log ? cdi_log_row(r->log, t, values) : cdi_csv_file_row(r->csv, t, values);
}

static CdStatus close_log(CdRecord *r, CdStatus status, const CdRunSummary *summary) {
    CdText text;
    CdJsonWriter w;
    if (status == CD_CANCELLED) return cdi_log_close(r->log, NULL);
    cdi_text_init(&text, r->ctx);
    cdi_json_writer_init(&w, &text, 1);
    cdi_json_begin_object(&w);
    cdi_run_summary_write(summary, status, &w);
    cdi_json_end_object(&w);
    const CdStatus closed = cdi_log_close(r->log, text.status == CD_OK ? text.v : NULL);
    const CdStatus written = text.status;
    cdi_text_free(&text);
    return closed != CD_OK ? closed : written;
}

CdStatus cdi_record_close(CdRecord *r, CdStatus status, const CdRunSummary *summary) {
    if (!r) return CD_OK;
    const CdStatus closed = r->is_log ? close_log(r, status, summary) : cdi_csv_file_close(r->csv);
    free_record(r);
    return closed;
}
