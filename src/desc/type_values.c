// type_values.c - field type VALUES: numbers under names of the user's choice
#include <string.h>

#include "desc/type.h"

// more are no longer a table that people wrote
#define VALUES_MAX 1000

static void clear(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdValues *values = value;
    for (int i = 0; i < values->n; i++) cdi_free(ctx, values->names[i]);
    cdi_free(ctx, values->names);
    cdi_free(ctx, values->v);
    *values = (CdValues){0};
}

static CdStatus read_one(CdReader *r, const CdJson *json, CdValues *values) {
    static const CdField any = {.name = "value", .type = CD_TYPE_REAL, .unit = "*", .range = ""};
    char *name = cdi_strdup(r->ctx, json->key);
    if (!name) return CD_NOMEM;
    const int i = values->n++;
    values->names[i] = name;
    const size_t mark = cdi_enter_field(r, name);
    const CdStatus status = cdi_read_quantity(r, &any, json, &values->v[i]);
    cdi_leave(r, mark);
    return status;
}

static CdStatus read_all(CdReader *r, const CdJson *json, CdValues *values) {
    CdStatus status = CD_OK;
    values->names = cdi_alloc_array(r->ctx, json->n + 1, sizeof *values->names);
    values->v = cdi_alloc_array(r->ctx, json->n + 1, sizeof *values->v);
    if (!values->names || !values->v) return CD_NOMEM;
    for (size_t i = 0; i < json->n; i++) {
        CD_COLLECT(status, read_one(r, json->items + i, values));
    }
    return status;
}

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    if (json->kind != CD_JSON_OBJECT) return cdi_reject_kind(r, json, cd_type_values.form);
    if (json->n > VALUES_MAX) return cdi_reject(r, json, "more than %d values", VALUES_MAX);
    const CdStatus status = read_all(r, json, value);
    if (status != CD_OK) clear(r->ctx, f, value);
    return status;
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    const CdValues *values = value;
    if (!values->names) {
        cdi_json_null(w);
        return;
    }
    cdi_json_begin_object(w);
    for (int i = 0; i < values->n; i++) {
        cdi_json_key(w, values->names[i]);
        cdi_json_number(w, values->v[i]);
    }
    cdi_json_end_object(w);
}

static void schema(CdSchema *s, const CdField *f) {
    (void)f;
    cdi_schema_type(s, "object");
    cdi_json_key(s->w, "additionalProperties");
    cdi_json_begin_object(s->w);
    cdi_schema_number(s, "number", "");
    cdi_json_end_object(s->w);
}

const CdTypeClass cd_type_values = {
    .name = "values",
    .form = "an object {\"name\": value, ...}",
    .size = sizeof(CdValues),
    .nullable = true,
    .keeps_text = true,
    .read = read,
    .write = write,
    .clear = clear,
    .schema = schema,
};
