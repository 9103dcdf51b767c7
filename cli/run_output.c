// run_output.c - where `cardan run` puts its rows: a log beside you, or what -o says
#include "run_output.h"

#include <string.h>

#include "cli.h"

// "models/crank.json" -> "crank.log"; a model without a file, as from standard input, is a "model"
static void default_path(const char *model, CdText *path) {
    if (!model || model[0] == '<') model = "model";
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model;
    const char *dot = strrchr(name, '.');
    cdi_text_addn(path, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    cdi_text_add(path, ".log");
}

CdStatus run_output_open(RunOutput *out, const CdModel *model, const CdObject *run,
                         const char *given) {
    *out = (RunOutput){.record = NULL};
    cdi_text_init(&out->path, model->ctx);
    if (given && strcmp(given, "none") == 0) return CD_OK;
    if (given) {
        cdi_text_add(&out->path, given);
    } else {
        default_path(model->file, &out->path);
    }
    CD_TRY(out->path.status);
    return cdi_record_new(model, run, out->path.v, &out->record);
}

static CdStatus begin(void *user, const CdRunBegin *rows) {
    const RunOutput *out = user;
    if (out->record) CD_TRY(cdi_record_begin(out->record, rows));
    cli_catch_interrupt();
    return CD_OK;
}

static CdStatus row(void *user, double t, const double *values) {
    const RunOutput *out = user;
    return out->record ? cdi_record_row(out->record, t, values) : CD_OK;
}

CdRunObserver run_output_observer(RunOutput *out) {
    return (CdRunObserver){.user = out,
                           .scene = out->record && cdi_record_is_log(out->record),
                           .begin = begin,
                           .row = row};
}

CdStatus run_output_close(RunOutput *out, CdStatus status, const CdRunSummary *summary) {
    const CdStatus closed = cdi_record_close(out->record, status, summary);
    out->record = NULL;
    return status != CD_OK ? status : closed;
}

void run_output_free(RunOutput *out) {
    cdi_text_free(&out->path);
}
