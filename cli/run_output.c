// run_output.c - where the rows of a run go: a log beside you, or what -o says
#define _POSIX_C_SOURCE 200809L
#include "run_output.h"

#include <ctype.h>
#include <signal.h>
#include <string.h>

#include "base/file.h"

// of the name of a run in that of its file
static char letter(const char *run, size_t i) {
    const char c = run[i];
    const bool plain =
        isalnum((unsigned char)c) || (unsigned char)c > 0x7f || (c == '.' && i > 0) || c == '-';
    return plain || c == 0 ? c : '_';
}

bool cli_output_clash(const char *run, const char *other) {
    size_t i = 0;
    while (run[i] && letter(run, i) == letter(other, i)) i++;
    return letter(run, i) == letter(other, i);
}

void cli_output_path(const char *path, const char *run, CdText *out) {
    size_t stem;
    const char *name = cdi_path_stem(path, &stem);
    const size_t n = (size_t)(name - path) + stem;
    cdi_text_addn(out, path, n);
    cdi_text_add(out, "-");
    for (size_t i = 0; run[i]; i++) cdi_text_addn(out, (char[]){letter(run, i)}, 1);
    cdi_text_add(out, path + n);
}

// "models/crank.json" -> "crank.log"; a model without a file, as from standard input, is a "model"
static void default_path(const char *model, CdText *path) {
    if (!model || model[0] == '<') model = "model";
    size_t n;
    const char *name = cdi_path_stem(model, &n);
    cdi_text_addn(path, name, n);
    cdi_text_add(path, ".log");
}

CdStatus cli_output_open(RunOutput *o, const CdModel *model, const CdObject *run, const char *given,
                         const char *name, bool resume) {
    CdText path;
    *o = (RunOutput){.record = NULL};
    cdi_text_init(&o->path, model->ctx);
    if (given && strcmp(given, "none") == 0) {
        if (!resume) return CD_OK;
        return cdi_fail(model->ctx, CD_INVALID,
                        "-o none keeps nothing to resume from; name the log, or leave out "
                        "--resume");
    }
    cdi_text_init(&path, model->ctx);
    if (given) {
        cdi_text_add(&path, given);
    } else {
        default_path(model->file, &path);
    }
    CdStatus status = path.status;
    if (status == CD_OK && name) {
        cli_output_path(path.v, name, &o->path);
        cdi_text_free(&path);
        status = o->path.status;
    } else {
        o->path = path;
    }
    CD_TRY(status);
    if (model->file && cdi_file_same(model->file, o->path.v)) {
        return cdi_fail(model->ctx, CD_INVALID,
                        "%s: the results would replace the model; give -o another name", o->path.v);
    }
    return cdi_record_new(model, run, o->path.v, resume, &o->record);
}

bool cli_output_complete(const RunOutput *o) {
    return o->record && cdi_record_is_complete(o->record);
}

// a pipe that nobody reads and a limit of file size shall be told, and rows be kept
static void survive_writes(void) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}

void cli_output_observe(const RunOutput *o, CdRunObserver *observer) {
    if (!o->record) {
        observer->pause = NULL;
        return;
    }
    if (cdi_record_is_log(o->record)) survive_writes();
    observer->scene = cdi_record_is_log(o->record);
    observer->resume = cdi_record_resume(o->record);
}

CdStatus cli_output_begin(RunOutput *o, const CdRunBegin *rows) {
    return o->record ? cdi_record_begin(o->record, rows) : CD_OK;
}

CdStatus cli_output_row(RunOutput *o, double t, const double *values) {
    return o->record ? cdi_record_row(o->record, t, values) : CD_OK;
}

CdStatus cli_output_pause(RunOutput *o, bool *save) {
    return cdi_record_pause(o->record, save);
}

CdStatus cli_output_checkpoint(RunOutput *o, const CdCheckpoint *checkpoint) {
    return o->record ? cdi_record_checkpoint(o->record, checkpoint) : CD_OK;
}

CdStatus cli_output_close(RunOutput *o, CdStatus status, const CdRunSummary *summary) {
    const CdStatus closed = cdi_record_close(o->record, status, summary);
    o->record = NULL;
    return status != CD_OK ? status : closed;
}

void cli_output_free(RunOutput *o) {
    cdi_text_free(&o->path);
}
