// type_table.c - field type TABLE: a matrix given as rows, or by the name of a CSV file
#include "base/csv.h"
#include "base/file.h"
#include "base/utf8.h"
#include "desc/numbers.h"

// no table of a model needs more
#define CSV_BYTES_MAX ((size_t)1 << 30)

static CdStatus check_values(CdReader *r, const CdField *f, const CdJson *json, const CdMatrix *m) {
    for (size_t i = 0; i < (size_t)m->rows * (size_t)m->cols; i++) {
        size_t mark = cdi_enter_element(r, i / (size_t)m->cols);
        CdStatus status = cdi_check_range(r, f, json, m->v[i]);
        cdi_leave(r, mark);
        CD_TRY(status);
    }
    return CD_OK;
}

static CdStatus read_csv(CdReader *r, const CdField *f, const CdJson *json, const char *path,
                         CdMatrix *m) {
    char *text, shown[CD_SHOWN_MAX];
    size_t n, rows, cols;
    CdStatus status = cdi_file_read_ordinary(r->ctx, path, CSV_BYTES_MAX, &text, &n);
    if (status == CD_OK) {
        status = cdi_csv_read(r->ctx, path, text, n, &rows, &cols, &m->v);
        cdi_free(r->ctx, text);
    }
    if (status == CD_NOMEM) return status;
    if (status != CD_OK) {
        return cdi_reject(r, json, "\"%s\" is not a table of numbers; see the message before",
                          cdi_shown(json->text, shown));
    }
    status = cdi_matrix_check_size(r, f, json, rows, cols);
    m->rows = (int)rows;
    m->cols = (int)cols;
    if (status == CD_OK) status = check_values(r, f, json, m);
    if (status != CD_OK) cdi_matrix_clear(r->ctx, f, m);
    return status;
}

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    if (json->kind != CD_JSON_STRING) return cd_type_matrix.read(r, f, json, value);
    if (r->source.no_files) {
        return cdi_reject(r, json, "files may not be named here; give the rows");
    }
    if (json->n == 0) return cdi_reject(r, json, "must not be empty; give the path of a CSV file");
    char *path = cdi_path_join(r->ctx, r->source.file, json->text);
    if (!path) return CD_NOMEM;
    CdStatus status = read_csv(r, f, json, path, value);
    cdi_free(r->ctx, path);
    return status;
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_json_key(s->w, "anyOf");
    cdi_json_begin_array(s->w, false);
    cdi_json_begin_object(s->w);
    cdi_schema_word(s);
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
    .nullable = true,
    .keeps_text = true,
    .read = read,
    .write = cdi_matrix_write,
    .clear = cdi_matrix_clear,
    .schema = schema,
    .complete = cdi_matrix_complete,
    .words = cdi_matrix_words,
    .details = cdi_matrix_details,
};
