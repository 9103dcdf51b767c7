// type_bool.c - field type BOOL: true or false
#include "desc/type.h"

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    (void)f;
    if (json->kind != CD_JSON_BOOL) return cdi_reject_kind(r, json, cd_type_bool.form);
    *(bool *)value = json->boolean;
    return CD_OK;
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_json_bool(w, *(const bool *)value);
}

static void schema(CdSchema *s, const CdField *f) {
    (void)f;
    cdi_schema_type(s, "boolean");
}

const CdTypeClass cd_type_bool = {
    .name = "bool",
    .form = "true or false",
    .size = sizeof(bool),
    .read = read,
    .write = write,
    .schema = schema,
};
