// record.c - rows of a run into a file, which is CSV or a log by its name
#include "simulate/record.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/isa.h"
#include "results/csv_file.h"

struct CdRecord {
    CdContext *ctx;
    char *path;
    bool is_log;
    CdText model, run; // of a log: JSON
    char *file;        // of the model; NULL: none
    uint64_t hash;     // of the model without its runs
    double interval;   // of checkpoints
    CdCsvFile *csv;
    CdLogWriter *log;
    // of a run that is resumed
    CdLog *old;       // NULL: it begins
    CdOpenFile *held; // keeps other programs from writing it; NULL: it is complete
    CdCheckpoint checkpoint;
};

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

CdStatus cdi_record_describe(const CdModel *model, const CdObject *run, CdText *model_text,
                             CdText *run_text, uint64_t *hash) {
    CdText list;
    CdJsonDoc *runs = NULL;
    write_run(run, run_text);
    write_model(model, NULL, model_text);
    CD_TRY(run_text->status);
    CD_TRY(model_text->status);
    *hash = cdi_hash(CD_HASH_BEGIN, model_text->v, model_text->n);
    cdi_text_init(&list, model->ctx);
    cdi_text_addf(&list, "[%s]", run_text->v);
    CdStatus status = list.status;
    if (status == CD_OK) {
        status = cdi_json_read(model->ctx, NULL, list.v, list.n, CD_JSON_LIMITS, &runs);
    }
    if (status == CD_OK) {
        cdi_text_clear(model_text);
        write_model(model, cdi_json_root(runs), model_text);
        status = model_text->status;
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

// ---- does a log belong to this run?

static CdStatus refuse(const CdRecord *r, const char *what, const char *here, const char *there) {
    const CdPlace place = {.file = r->path};
    return cdi_fail_at(r->ctx, CD_INVALID, &place,
                       "cannot be resumed: %s is %s, in the log it is %s", what, here, there);
}

// text of a value; NULL: not there
static const char *text_of(const CdJson *value, CdText *out) {
    CdJsonWriter w;
    if (!value) return "not there";
    cdi_text_clear(out);
    cdi_json_writer_init(&w, out, 0);
    cdi_json_value(&w, value);
    return out->status == CD_OK ? out->v : "?";
}

// bits do not depend on these
static bool has_no_influence(const char *option) {
    return strcmp(option, "threads") == 0 || strcmp(option, "checkpoint") == 0;
}

static CdStatus compare_values(const CdRecord *r, const CdJson *here, const CdJson *there) {
    CdText a, b;
    CdStatus status = CD_OK;
    cdi_text_init(&a, r->ctx);
    cdi_text_init(&b, r->ctx);
    for (size_t i = 0; i < here->n; i++) {
        const char *key = here->items[i].key;
        if (has_no_influence(key)) continue;
        const char *x = text_of(&here->items[i], &a), *y = text_of(cdi_json_get(there, key), &b);
        if (strcmp(x, y) == 0) continue;
        char what[64];
        snprintf(what, sizeof what, "option '%s'", key);
        status = refuse(r, what, x, y);
    }
    cdi_text_free(&a);
    cdi_text_free(&b);
    return status;
}

static CdStatus compare_options(const CdRecord *r, const CdLogHeader *h) {
    CdJsonDoc *here, *there = NULL;
    CD_TRY(cdi_json_read(r->ctx, NULL, r->run.v, r->run.n, CD_JSON_LIMITS, &here));
    CdStatus status =
        cdi_json_read(r->ctx, r->path, h->run, strlen(h->run), CD_JSON_LIMITS, &there);
    if (status == CD_OK) status = compare_values(r, cdi_json_root(here), cdi_json_root(there));
    cdi_json_free(here);
    cdi_json_free(there);
    return status;
}

static CdStatus compare_build(const CdRecord *r, const CdLogHeader *h) {
    const char *const here[] = {CD_VERSION, cdi_log_compiler(), cdi_isa_name(cdi_isa())};
    const char *const there[] = {h->version, h->compiler, h->isa};
    static const char *const what[] = {"the version of cardan", "the compiler of cardan",
                                       "the instruction set"};
    CdStatus status = CD_OK;
    for (int i = 0; i < 3; i++) {
        if (strcmp(here[i], there[i]) == 0) continue;
        status = refuse(r, what[i], here[i], *there[i] ? there[i] : "not told");
    }
    return status;
}

static CdStatus compare(const CdRecord *r) {
    const CdLogHeader *h = cdi_log_header(r->old);
    const CdPlace place = {.file = r->path};
    const CdStatus options = compare_options(r, h), build = compare_build(r, h);
    CdStatus model = CD_OK;
    if (h->hash != r->hash) {
        model = cdi_fail_at(r->ctx, CD_INVALID, &place,
                            "cannot be resumed: the model differs from that of the log; run it "
                            "anew without --resume");
    }
    if (options != CD_OK) return options;
    return build != CD_OK ? build : model;
}

// a run that failed would fail again
static CdStatus check_end(const CdRecord *r) {
    const CdPlace place = {.file = r->path};
    const char *text = cdi_log_summary(r->old);
    CdJsonDoc *doc;
    if (!text) return CD_OK;
    CD_TRY(cdi_json_read(r->ctx, r->path, text, strlen(text), CD_JSON_LIMITS, &doc));
    const CdJson *reason = cdi_json_get(cdi_json_root(doc), "reason");
    CdStatus status = CD_OK;
    if (reason && reason->kind == CD_JSON_STRING && strcmp(reason->text, "OK") != 0) {
        status = cdi_fail_at(r->ctx, CD_INVALID, &place,
                             "nothing to resume: the run ended with %s; run it anew without "
                             "--resume",
                             reason->text);
    }
    cdi_json_free(doc);
    return status;
}

static void let_go(CdRecord *r) {
    (void)cdi_open_close(r->held);
    r->held = NULL;
}

// a log that is not complete is read, again, when nobody else writes it any more
static CdStatus read_old(CdRecord *r) {
    CD_TRY(cdi_log_scan(r->ctx, r->path, &r->old));
    if (cdi_log_complete(r->old)) return CD_OK;
    cdi_log_free(r->old);
    r->old = NULL;
    CD_TRY(cdi_open_old(r->ctx, r->path, true, &r->held));
    CD_TRY(cdi_log_scan(r->ctx, r->path, &r->old));
    if (cdi_log_complete(r->old)) let_go(r);
    return CD_OK;
}

static CdStatus find_old(CdRecord *r) {
    const CdPlace place = {.file = r->path};
    if (!cdi_file_exists(r->path)) {
        cdi_inform(r->ctx, "%s: there is no such log yet; the run begins", r->path);
        return CD_OK;
    }
    CD_TRY(read_old(r));
    CD_TRY(compare(r));
    CD_TRY(check_end(r));
    if (cdi_log_checkpoint_last(r->old, &r->checkpoint)) return CD_OK;
    if (cdi_log_complete(r->old)) return CD_OK;
    if (cdi_log_header(r->old)->resumable) {
        cdi_inform(r->ctx,
                   "%s: it was interrupted before its first checkpoint; the run begins anew",
                   r->path);
        cdi_log_free(r->old);
        r->old = NULL;
        let_go(r);
        return CD_OK;
    }
    return cdi_fail_at(r->ctx, CD_INVALID, &place,
                       "the log has no checkpoint to resume from: checkpoints were not asked for, "
                       "or the method cannot be saved; run it anew without --resume");
}

// ---- life

static void free_record(CdRecord *r) {
    let_go(r);
    cdi_log_free(r->old);
    cdi_text_free(&r->model);
    cdi_text_free(&r->run);
    cdi_free(r->ctx, r->file);
    cdi_free(r->ctx, r->path);
    cdi_free(r->ctx, r);
}

CdStatus cdi_record_new(const CdModel *model, const CdObject *run, const char *path, bool resume,
                        CdRecord **record) {
    const CdRunOptions *options = cdi_object_data(run);
    CdRecord *r = *record = cdi_alloc(model->ctx, sizeof *r);
    if (!r) return CD_NOMEM;
    *r = (CdRecord){.ctx = model->ctx,
                    .is_log = !cdi_ends_with(path, ".csv") && strcmp(path, "-") != 0,
                    .interval = options->checkpoint};
    cdi_text_init(&r->model, r->ctx);
    cdi_text_init(&r->run, r->ctx);
    CdStatus status = copy_names(r, model, path);
    if (status == CD_OK && r->is_log)
        status = cdi_record_describe(model, run, &r->model, &r->run, &r->hash);
    if (status == CD_OK && resume) {
        status = r->is_log ? find_old(r)
                           : cdi_fail(r->ctx, CD_INVALID,
                                      "%s: only logs can be resumed; tables cannot", path);
    }
    if (status == CD_OK) return CD_OK;
    free_record(r);
    *record = NULL;
    return status;
}

bool cdi_record_is_log(const CdRecord *r) {
    return r->is_log;
}

bool cdi_record_is_complete(const CdRecord *r) {
    return r->old && cdi_log_complete(r->old);
}

const CdCheckpoint *cdi_record_resume(const CdRecord *r) {
    return r->checkpoint.bytes ? &r->checkpoint : NULL;
}

// rows must be alike; the same model and options see to it, unless somebody changed a file
static CdStatus go_on(CdRecord *r, const CdRunBegin *begin) {
    if (cdi_log_header(r->old)->n != begin->n) {
        return refuse(r, "the number of channels", "another one", "what its rows have");
    }
    if (cdi_record_is_complete(r)) return CD_OK;
    CdOpenFile *file = r->held;
    r->held = NULL;
    return cdi_log_resume(r->old, file, &r->log);
}

CdStatus cdi_record_begin(CdRecord *r, const CdRunBegin *begin) {
    if (r->old) return go_on(r, begin);
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
                                .resumable = begin->can_save && r->interval > 0,
                                .channels = begin->channels};
    return cdi_log_create(r->ctx, r->path, &header, &r->log);
}

CdStatus cdi_record_row(CdRecord *r, double t, const double *values) {
    if (cdi_record_is_complete(r)) return CD_OK;
    return r->is_log ? cdi_log_row(r->log, t, values) : cdi_csv_file_row(r->csv, t, values);
}

CdStatus cdi_record_pause(CdRecord *r, bool *save) {
    *save = false;
    return r->log ? cdi_log_tick(r->log, r->interval, save) : CD_OK;
}

CdStatus cdi_record_checkpoint(CdRecord *r, const CdCheckpoint *checkpoint) {
    return r->log && r->interval > 0 ? cdi_log_checkpoint(r->log, checkpoint) : CD_OK;
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
