// csv_file.c - rows of numbers into a text file, as they come
#include "results/csv_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

struct CdCsvFile {
    CdContext *ctx;
    FILE *f;
    char *path;
    int n;
};

static CdStatus failed(const CdCsvFile *c, const char *what) {
    return cdi_fail(c->ctx, CD_IO, "cannot %s '%s': %s", what, c->path, strerror(errno));
}

static void put(CdCsvFile *c, double x) {
    char text[CD_NUMBER_MAX];
    fwrite(text, 1, cdi_number_write(x, text), c->f);
}

static void header(CdCsvFile *c, const CdChannel *channels) {
    fputs("# time in s", c->f);
    for (int i = 0; i < c->n; i++) {
        fprintf(c->f, "; %s in %s%s", channels[i].name, channels[i].unit,
                channels[i].not_unique ? " (not unique)" : "");
    }
    fputs("\nt", c->f);
    for (int i = 0; i < c->n; i++) fprintf(c->f, ",%s", channels[i].name);
    fputc('\n', c->f);
}

CdStatus cdi_csv_file_open(CdContext *ctx, const char *path, const CdChannel *channels, int n,
                           CdCsvFile **file) {
    CdCsvFile *c = *file = cdi_alloc(ctx, sizeof *c);
    if (!c) return CD_NOMEM;
    *c = (CdCsvFile){.ctx = ctx, .n = n, .path = cdi_strdup(ctx, path)};
    CdStatus status = c->path ? CD_OK : CD_NOMEM;
    if (status == CD_OK) {
        c->f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
        if (!c->f) status = failed(c, "write");
    }
    if (status == CD_OK) {
        header(c, channels);
        return CD_OK;
    }
    cdi_free(ctx, c->path);
    cdi_free(ctx, c);
    *file = NULL;
    return status;
}

CdStatus cdi_csv_file_row(CdCsvFile *c, double t, const double *values) {
    put(c, t);
    for (int i = 0; i < c->n; i++) {
        fputc(',', c->f);
        put(c, values[i]);
    }
    fputc('\n', c->f);
    return ferror(c->f) ? failed(c, "write") : CD_OK;
}

CdStatus cdi_csv_file_close(CdCsvFile *c) {
    if (!c) return CD_OK;
    CdContext *ctx = c->ctx;
    int bad = fflush(c->f) != 0 || ferror(c->f);
    if (c->f != stdout) bad = fclose(c->f) != 0 || bad;
    const CdStatus status = bad ? failed(c, "finish") : CD_OK;
    cdi_free(ctx, c->path);
    cdi_free(ctx, c);
    return status;
}
