// type_real.c - field type REAL: a number, an expression of parameters, or text with a unit
#include "desc/type.h"

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    return cdi_read_quantity(r, f, json, value);
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_json_number(w, *(const double *)value);
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_schema_number(s, "number", f->range);
}

static double real(const void *value) {
    return *(const double *)value;
}

const CdTypeClass cd_type_real = {
    .name = "real",
    .form = "a number, an expression of parameters, or text with a unit",
    .size = sizeof(double),
    .number = true,
    .zeros = true,
    .read = read,
    .write = write,
    .schema = schema,
    .real = real,
};
