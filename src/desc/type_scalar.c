// type_scalar.c - field types with one number or truth value: BOOL, INT, REAL
#include <limits.h>
#include <math.h>

#include "base/number.h"
#include "desc/type.h"

static CdStatus read_bool(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    (void)f;
    if (json->kind != CD_JSON_BOOL) return cdi_reject_kind(r, json, "true or false");
    *(bool *)value = json->boolean;
    return CD_OK;
}

static void write_bool(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_json_bool(w, *(const bool *)value);
}

static void schema_bool(CdSchema *s, const CdField *f) {
    (void)f;
    cdi_schema_type(s, "boolean");
}

const CdTypeClass cd_type_bool = {
    .name = "bool",
    .form = "true or false",
    .size = sizeof(bool),
    .read = read_bool,
    .write = write_bool,
    .schema = schema_bool,
};

static CdStatus read_int(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    double x;
    CD_TRY(cdi_read_quantity(r, f, json, &x));
    if (x != floor(x) || x < INT_MIN || x > INT_MAX) {
        char text[CD_NUMBER_MAX];
        cdi_number_write(x, text);
        return cdi_reject(r, json, "must be a whole number of at most 10 digits, not %s", text);
    }
    *(int *)value = (int)x;
    return CD_OK;
}

static void write_int(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_json_integer(w, *(const int *)value);
}

static void schema_int(CdSchema *s, const CdField *f) {
    cdi_schema_number(s, "integer", f->range);
}

const CdTypeClass cd_type_int = {
    .name = "int",
    .form = "a whole number",
    .size = sizeof(int),
    .number = true,
    .read = read_int,
    .write = write_int,
    .schema = schema_int,
};

static CdStatus read_real(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    return cdi_read_quantity(r, f, json, value);
}

static void write_real(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_json_number(w, *(const double *)value);
}

static void schema_real(CdSchema *s, const CdField *f) {
    cdi_schema_number(s, "number", f->range);
}

const CdTypeClass cd_type_real = {
    .name = "real",
    .form = "a number, an expression of parameters, or text with a unit",
    .size = sizeof(double),
    .number = true,
    .read = read_real,
    .write = write_real,
    .schema = schema_real,
};
