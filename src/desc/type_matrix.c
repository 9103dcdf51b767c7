// type_matrix.c - field type MATRIX: any number of rows and columns, unless the row fixes them
#include "desc/numbers.h"

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    CdMatrix *m = value;
    CD_TRY(cdi_matrix_size(r, f, json, m));
    m->v = cdi_alloc_array(r->ctx, (size_t)m->rows * (size_t)m->cols, sizeof(double));
    if (!m->v) return CD_NOMEM;
    CdStatus status = cdi_read_rows(r, f, json, m->rows, m->cols, m->v);
    if (status != CD_OK) cdi_matrix_clear(r->ctx, f, m);
    return status;
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_schema_rows(s, f->range, f->rows, f->cols);
}

const CdTypeClass cd_type_matrix = {
    .name = "matrix",
    .form = "rows of numbers [[...], ...]",
    .size = sizeof(CdMatrix),
    .number = true,
    .nullable = true,
    .read = read,
    .write = cdi_matrix_write,
    .clear = cdi_matrix_clear,
    .schema = schema,
    .complete = cdi_matrix_complete,
    .words = cdi_matrix_words,
    .details = cdi_matrix_details,
};
