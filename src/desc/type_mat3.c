// type_mat3.c - field type MAT3: a 3 by 3 matrix given by its rows
#include "desc/numbers.h"

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    return cdi_read_rows(r, f, json, 3, 3, value);
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_write_rows(w, value, 3, 3);
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_schema_rows(s, f->range, 3, 3);
}

const CdTypeClass cd_type_mat3 = {
    .name = "mat3",
    .form = "3 rows of 3 numbers [[...], [...], [...]]",
    .size = 9 * sizeof(double),
    .number = true,
    .zeros = true,
    .read = read,
    .write = write,
    .schema = schema,
};
