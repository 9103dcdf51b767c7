// fuzz_log.c - any bytes as a log: they are refused with a message, or all rows that the log says
// it has can be read, and it can be gone on with; nothing is left behind
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "results/log_chunk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);
// of libFuzzer; not there when a corpus is replayed
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max) __attribute__((weak));

static void demand(bool ok) {
    if (!ok) abort();
}

static void count(void *user, const CdMessage *message) {
    char text[300];
    demand(cd_message_format(message, text, sizeof text) > 0);
    *(int *)user += message->level == CD_ERROR;
}

static void read_all(CdContext *ctx, CdLog *log) {
    const CdLogHeader *h = cdi_log_header(log);
    const size_t rows = (size_t)cdi_log_rows(log), width = 1 + (size_t)h->n;
    double *all = cdi_alloc_array(ctx, rows + 1, width * sizeof *all);
    double *column = cdi_alloc_array(ctx, rows + 1, sizeof *column);
    demand(all && column && h->nscene <= h->n);
    demand(cdi_log_read(log, 0, rows, all) == CD_OK);
    for (int k = -1; k < h->n; k++) {
        demand(cdi_log_column(log, k, column) == CD_OK);
        for (size_t i = 0; i < rows; i++) {
            demand(memcmp(&column[i], &all[i * width + (size_t)(k + 1)], sizeof *column) == 0);
        }
        if (k >= 0) demand(strlen(h->channels[k].name) + strlen(h->channels[k].unit) < SIZE_MAX);
    }
    demand(cdi_log_read(log, 1, rows, all) != CD_OK);
    cdi_free(ctx, all);
    cdi_free(ctx, column);
}

static void go_on(CdContext *ctx, const char *path, const CdLog *log) {
    CdCheckpoint c;
    CdLogWriter *w;
    CdOpenFile *file;
    CdLog *again;
    if (!cdi_log_checkpoint_last(log, &c)) return;
    demand(cdi_open_old(ctx, path, true, &file) == CD_OK);
    demand(cdi_log_resume(log, file, &w) == CD_OK);
    demand(cdi_log_close(w, "{}") == CD_OK);
    demand(cdi_log_open(ctx, path, &again) == CD_OK);
    demand(cdi_log_complete(again) && cdi_log_rows(again) <= cdi_log_rows(log));
    cdi_log_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CdContext *ctx = cd_context_new(NULL);
    CdLog *log;
    char path[64];
    int errors = 0;
    const int fd = memfd_create("log", 0);
    demand(fd >= 0 && write(fd, data, n) == (ssize_t)n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    cd_context_set_sink(ctx, count, &errors);
    const CdStatus status = cdi_log_open(ctx, path, &log);
    demand((status == CD_OK) == (log != NULL) && (status == CD_OK) == (errors == 0));
    if (log) {
        read_all(ctx, log);
        go_on(ctx, path, log);
    }
    cdi_log_free(log);
    demand(cd_context_memory(ctx).live_blocks == 0);
    cd_context_free(ctx);
    close(fd);
    return 0;
}

// ---- mutations: most of them keep the checksums right

static void reseal(uint8_t *data, size_t n) {
    uint64_t number = 0;
    for (size_t at = 0; n - at >= sizeof(CdLogChunk); number++) {
        CdLogChunk head;
        memcpy(&head, data + at, sizeof head);
        const size_t left = n - at - sizeof head;
        if (head.length > left) return;
        if (!cdi_log_is_chunk(&head, CDI_LOG_WORDS)) {
            memcpy(head.magic, CDI_LOG_MAGIC, sizeof head.magic);
        }
        head.number = number;
        head.checksum = cdi_log_hash(&head, cdi_log_checksum(&head), data + at + sizeof head,
                                     (size_t)head.length);
        memcpy(data + at, &head, sizeof head);
        const size_t whole = (size_t)(head.length + cdi_log_padding(head.length));
        if (whole > left) return;
        at += sizeof head + whole;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed) {
    if (LLVMFuzzerMutate) n = LLVMFuzzerMutate(data, n, max);
    if (seed % 8 != 0) reseal(data, n);
    return n;
}
