// info_log.c - what is in a result log: where it is from, how far it goes, its channels
#include "info_log.h"

#include <inttypes.h>
#include <string.h>

#include "results/log.h"

// times of the first and the last row; 0 if there is none
static CdStatus read_times(Cli *cli, CdLog *log, double times[2]) {
    const uint64_t rows = cdi_log_rows(log);
    const size_t n = (size_t)cdi_log_header(log)->n + 1;
    times[0] = times[1] = 0;
    if (rows == 0) return CD_OK;
    double *row = cdi_alloc_array(cli->ctx, n, sizeof *row);
    if (!row) return cdi_fail(cli->ctx, CD_NOMEM, "out of memory");
    CdStatus status = cdi_log_read(log, 0, 1, row);
    times[0] = row[0];
    if (status == CD_OK) status = cdi_log_read(log, rows - 1, 1, row);
    times[1] = row[0];
    cdi_free(cli->ctx, row);
    return status;
}

// ---- as text

static void print_log(const char *path, const CdLog *log, const double times[2]) {
    const CdLogHeader *h = cdi_log_header(log);
    const uint64_t rows = cdi_log_rows(log);
    CdCheckpoint last;
    printf("%-11s%s, %s\n", "log", path,
           cdi_log_complete(log) ? "complete" : "ended before its time");
    printf("%-11s%s, %016" PRIx64 "\n", "model", h->file ? h->file : "", h->hash);
    printf("%-11s%s\n", "method", h->method);
    printf("%-11s%s by cardan %s, %s, %s\n", "written", h->date, h->version, h->compiler, h->isa);
    printf("%-11s%" PRIu64 " from t = %g s to %g s\n", "samples", rows, times[0], times[1]);
    if (cdi_log_checkpoint_last(log, &last)) printf("%-11st = %g s\n", "checkpoint", last.t);
    const int n = h->n - h->nscene;
    for (int i = 0; i < n; i++) {
        const CdChannel *c = &h->channels[i];
        const bool unit = *c->unit && strcmp(c->unit, "1") != 0;
        printf("%-11s%s%s%s\n", i == 0 ? "channels" : "", c->name, unit ? " in " : "",
               unit ? c->unit : "");
    }
    if (h->nscene > 0) printf("%-11sand %d numbers for pictures\n", "", h->nscene);
}

// ---- as JSON

static void write_channels(const CdLogHeader *h, CdJsonWriter *w) {
    cdi_json_key(w, "channels");
    cdi_json_begin_array(w, false);
    for (int i = 0; i < h->n - h->nscene; i++) {
        cdi_json_begin_object(w);
        cdi_json_key_text(w, "name", h->channels[i].name);
        cdi_json_key_text(w, "unit", h->channels[i].unit);
        cdi_json_end_object(w);
    }
    cdi_json_end_array(w);
    cdi_json_key_integer(w, "scene", h->nscene);
}

static void write_log(const CdLog *log, const double times[2], CdJsonWriter *w) {
    const CdLogHeader *h = cdi_log_header(log);
    char hash[32];
    CdCheckpoint last;
    snprintf(hash, sizeof hash, "%016" PRIx64, h->hash);
    cdi_json_key_text(w, "kind", "log");
    cdi_json_key_bool(w, "complete", cdi_log_complete(log));
    cdi_json_key_text(w, "model", h->file);
    cdi_json_key_text(w, "model_hash", hash);
    cdi_json_key_text(w, "method", h->method);
    cdi_json_key_text(w, "date", h->date);
    cdi_json_key_text(w, "cardan", h->version);
    cdi_json_key_text(w, "compiler", h->compiler);
    cdi_json_key_text(w, "instructions", h->isa);
    cdi_json_key_integer(w, "samples", (int64_t)cdi_log_rows(log));
    cdi_json_key_number(w, "t_start", times[0]);
    cdi_json_key_number(w, "t_end", times[1]);
    if (cdi_log_checkpoint_last(log, &last)) cdi_json_key_number(w, "checkpoint", last.t);
    write_channels(h, w);
    if (!cdi_log_summary(log)) return;
    cdi_json_key(w, "summary");
    cdi_json_raw(w, cdi_log_summary(log));
}

int cli_info_log(Cli *cli, const char *path) {
    CdLog *log;
    double times[2];
    if (cdi_log_open(cli->ctx, path, &log) != CD_OK) return CLI_INPUT;
    const CdStatus status = read_times(cli, log, times);
    if (status == CD_OK) {
        if (cli->json) {
            write_log(log, times, &cli->w);
        } else {
            print_log(path, log, times);
        }
    }
    cdi_log_free(log);
    return status == CD_OK ? CLI_OK : CLI_INPUT;
}
