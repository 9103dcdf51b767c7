// csv_file.c - rows of numbers into a text file, as they come
#include "results/csv_file.h"

#include <stdio.h>
#include <string.h>

#include "base/descriptor.h"
#include "base/number.h"

struct CdCsvFile {
    CdContext *ctx;
    FILE *f;
    char *path;
    int n;
    CdText line;
};

static CdStatus failed(const CdCsvFile *c, const char *what) {
    return cdi_fail_errno(c->ctx, strcmp(c->path, "-") == 0 ? "<stdout>" : c->path, what);
}

// ---- lines

static void add_number(CdText *text, double x) {
    char digits[CD_NUMBER_MAX];
    cdi_text_addn(text, digits, cdi_number_write(x, digits));
}

static void add_name(CdText *text, const char *name) {
    const bool quoted = name[strcspn(name, ",;#\t")] != 0 || name[0] == ' ';
    cdi_text_addf(text, quoted ? ",\"%s\"" : ",%s", name);
}

void cdi_csv_add_header(CdText *text, const CdChannel *channels, int n) {
    cdi_text_add(text, "# time in s");
    for (int i = 0; i < n; i++) {
        cdi_text_addf(text, "; %s in %s%s", channels[i].name, channels[i].unit,
                      channels[i].not_unique ? CD_CSV_NOT_UNIQUE : "");
    }
    cdi_text_add(text, "\nt");
    for (int i = 0; i < n; i++) add_name(text, channels[i].name);
    cdi_text_add(text, "\n");
}

void cdi_csv_add_row(CdText *text, double t, const double *values, int n) {
    add_number(text, t);
    for (int i = 0; i < n; i++) {
        cdi_text_add(text, ",");
        add_number(text, values[i]);
    }
    cdi_text_add(text, "\n");
}

// ---- files

static CdStatus put_line(CdCsvFile *c) {
    CD_TRY(c->line.status);
    fwrite(c->line.v, 1, c->line.n, c->f);
    cdi_text_clear(&c->line);
    return ferror(c->f) ? failed(c, "write") : CD_OK;
}

static void forget(CdCsvFile *c) {
    CdContext *ctx = c->ctx;
    cdi_text_free(&c->line);
    cdi_free(ctx, c->path);
    cdi_free(ctx, c);
}

CdStatus cdi_csv_file_open(CdContext *ctx, const char *path, const CdChannel *channels, int n,
                           CdCsvFile **file) {
    CdCsvFile *c = *file = cdi_alloc(ctx, sizeof *c);
    if (!c) return CD_NOMEM;
    *c = (CdCsvFile){.ctx = ctx, .n = n, .path = cdi_strdup(ctx, path)};
    cdi_text_init(&c->line, ctx);
    cdi_csv_add_header(&c->line, channels, n);
    CdStatus status = c->path ? c->line.status : CD_NOMEM;
    if (status == CD_OK) {
        c->f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
        if (!c->f) status = failed(c, "write");
    }
    if (status == CD_OK) status = put_line(c);
    if (status == CD_OK) return CD_OK;
    if (c->f && c->f != stdout) fclose(c->f);
    forget(c);
    *file = NULL;
    return status;
}

CdStatus cdi_csv_file_row(CdCsvFile *c, double t, const double *values) {
    cdi_csv_add_row(&c->line, t, values, c->n);
    return put_line(c);
}

CdStatus cdi_csv_file_close(CdCsvFile *c) {
    if (!c) return CD_OK;
    int bad = fflush(c->f) != 0 || ferror(c->f);
    if (c->f != stdout) bad = fclose(c->f) != 0 || bad;
    const CdStatus status = bad ? failed(c, "finish") : CD_OK;
    forget(c);
    return status;
}
