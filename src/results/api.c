// api.c - logs as the public header offers them
#include <string.h>

#include "base/text.h"
#include "results/log.h"

#include "cardan/results.h"

CdStatus cd_log_open(CdContext *ctx, const char *path, CdLog **log) {
    return cdi_log_open(ctx, path, log);
}

void cd_log_free(CdLog *log) {
    cdi_log_free(log);
}

uint64_t cd_log_rows(const CdLog *log) {
    return cdi_log_rows(log);
}

int cd_log_complete(const CdLog *log) {
    return cdi_log_complete(log);
}

int cd_log_channels(const CdLog *log) {
    return cdi_log_header(log)->n;
}

int cd_log_scene(const CdLog *log) {
    return cdi_log_header(log)->nscene;
}

const char *cd_log_channel(const CdLog *log, int i, const char **unit) {
    const CdLogHeader *h = cdi_log_header(log);
    if (i < 0 || i >= h->n) return NULL;
    if (unit) *unit = h->channels[i].unit;
    return h->channels[i].name;
}

CdStatus cd_log_find(const CdLog *log, const char *name, int *channel) {
    const CdLogHeader *h = cdi_log_header(log);
    CdSuggestion near = {.word = name};
    *channel = cdi_log_channel(log, name);
    if (*channel >= 0) return CD_OK;
    for (int i = 0; i < h->n; i++) cdi_suggest_from(&near, h->channels[i].name);
    return cdi_fail(cdi_log_context(log), CD_NOTFOUND, "the log has no channel '%s'%s%s%s", name,
                    near.name ? "; did you mean '" : "", near.name ? near.name : "",
                    near.name ? "'?" : "");
}

const char *cd_log_text(const CdLog *log, CdLogText which) {
    const CdLogHeader *h = cdi_log_header(log);
    switch (which) {
    case CD_LOG_MODEL: return h->model;
    case CD_LOG_RUN: return h->run;
    case CD_LOG_METHOD: return h->method;
    case CD_LOG_SUMMARY: return cdi_log_summary(log);
    case CD_LOG_FILE: return h->file;
    case CD_LOG_VERSION: return h->version;
    case CD_LOG_DATE: return h->date;
    }
    return NULL;
}

CdStatus cd_log_read(CdLog *log, uint64_t first, uint64_t n, double *rows) {
    return cdi_log_read(log, first, n, rows);
}

CdStatus cd_log_column(CdLog *log, int channel, double *values) {
    return cdi_log_column(log, channel, values);
}
