// reference.c - a table of reference values with names of its columns
#include "bench/reference.h"

#include <string.h>

#include "base/csv.h"
#include "base/file.h"

#define REFERENCE_LIMIT ((size_t)1 << 28)

// the first line that is no comment, cut into words in place
static CdStatus read_names(CdReference *r, char *copy) {
    char *line = copy;
    while (*line == '#') {
        char *end = strchr(line, '\n');
        if (!end) break;
        line = end + 1;
    }
    line[strcspn(line, "\r\n")] = 0;
    r->names = cdi_alloc_array(r->ctx, r->cols, sizeof *r->names);
    if (!r->names) return CD_NOMEM;
    for (size_t j = 0; j < r->cols; j++) {
        char *end = line + strcspn(line, ",;\t ");
        const bool last = *end == 0;
        *end = 0;
        r->names[j] = line;
        line = last ? end : end + 1;
    }
    return CD_OK;
}

CdStatus cdi_reference_read(CdContext *ctx, const char *path, CdReference *r) {
    size_t n;
    *r = (CdReference){.ctx = ctx};
    CD_TRY(cdi_file_read_ordinary(ctx, path, REFERENCE_LIMIT, &r->text, &n));
    CdStatus status = cdi_csv_read(ctx, path, r->text, n, &r->rows, &r->cols, &r->v);
    if (status == CD_OK) status = read_names(r, r->text);
    if (status == CD_OK && (r->rows < 2 || r->cols < 2)) {
        status = cdi_fail(ctx, CD_INVALID, "%s: a reference needs two rows and two columns", path);
    }
    if (status != CD_OK) cdi_reference_free(r);
    return status;
}

void cdi_reference_free(CdReference *r) {
    if (!r->ctx) return;
    cdi_free(r->ctx, r->names);
    cdi_free(r->ctx, r->v);
    cdi_free(r->ctx, r->text);
    *r = (CdReference){0};
}

int cdi_reference_column(const CdReference *r, const char *name) {
    for (size_t j = 0; j < r->cols; j++) {
        if (strcmp(r->names[j], name) == 0) return (int)j;
    }
    return -1;
}
