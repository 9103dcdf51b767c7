// type_table.c - field type TABLE: a matrix given as rows, or by the name of a CSV file
#include <math.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/number.h"
#include "desc/interval.h"
#include "desc/numbers.h"

// no table of a model needs more
#define CSV_BYTES_MAX ((size_t)1 << 30)

static CdStatus check_values(CdReader *r, const CdField *f, const CdJson *json, const CdMatrix *m) {
    CdInterval range;
    if (!cdi_interval_parse(f->range, &range)) return CD_OK;
    for (size_t i = 0; i < (size_t)m->rows * (size_t)m->cols; i++) {
        if (cdi_interval_holds(&range, m->v[i])) continue;
        char rule[CD_INTERVAL_TEXT], value[CD_NUMBER_MAX];
        cdi_interval_rule(&range, rule);
        cdi_number_write(m->v[i], value);
        return cdi_reject(r, json, "row %zu of %s: %s, not %s", i / (size_t)m->cols + 1, json->text,
                          rule, value);
    }
    return CD_OK;
}

static CdStatus read_csv(CdReader *r, const CdField *f, const CdJson *json, const char *path,
                         CdMatrix *m) {
    char *text;
    size_t n, rows, cols;
    if (!cdi_file_is_regular(path)) {
        return cdi_reject(
            r, json, "there is no file \"%s\"; give the path of a CSV file, or the rows", path);
    }
    CdStatus status = cdi_file_read(r->ctx, path, CSV_BYTES_MAX, &text, &n);
    if (status == CD_NOMEM) return status;
    if (status != CD_OK) return cdi_reject(r, json, "the file \"%s\" cannot be read", path);
    status = cdi_csv_read(r->ctx, path, text, n, &rows, &cols, &m->v);
    cdi_free(r->ctx, text);
    if (status == CD_NOMEM) return status;
    if (status != CD_OK) return cdi_reject(r, json, "\"%s\" is not a table of numbers", json->text);
    status = cdi_matrix_check_size(r, f, json, rows, cols);
    m->rows = (int)rows;
    m->cols = (int)cols;
    if (status == CD_OK) status = check_values(r, f, json, m);
    if (status != CD_OK) cdi_matrix_clear(r->ctx, f, m);
    return status;
}

static CdStatus read_table(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    if (json->kind != CD_JSON_STRING) return cdi_type(CD_TYPE_MATRIX)->read(r, f, json, value);
    if (r->source.no_files)
        return cdi_reject(r, json, "files may not be named here; give the rows");
    char *path = cdi_path_join(r->ctx, r->source.file, json->text);
    if (!path) return CD_NOMEM;
    CdStatus status = read_csv(r, f, json, path, value);
    cdi_free(r->ctx, path);
    return status;
}

static void schema_table(CdSchema *s, const CdField *f) {
    cdi_json_key(s->w, "anyOf");
    cdi_json_begin_array(s->w, false);
    cdi_json_begin_object(s->w);
    cdi_schema_type(s, "string");
    cdi_json_end_object(s->w);
    cdi_json_begin_object(s->w);
    cdi_schema_rows(s, f->range, f->rows, f->cols);
    cdi_json_end_object(s->w);
    cdi_json_end_array(s->w);
}

const CdTypeClass cd_type_table = {
    .name = "table",
    .form = "rows of numbers [[...], ...], or the path of a CSV file",
    .size = sizeof(CdMatrix),
    .number = true,
    .keeps_text = true,
    .read = read_table,
    .write = cdi_matrix_write,
    .clear = cdi_matrix_clear,
    .schema = schema_table,
};
