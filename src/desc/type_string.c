// type_string.c - field type STRING: any text; and what all types that are texts share
#include "base/utf8.h"
#include "desc/type.h"

CdStatus cdi_text_copy(CdReader *r, const CdField *f, const CdJson *json, char **out) {
    if (json->kind != CD_JSON_STRING) return cdi_reject_kind(r, json, cdi_type(f->type)->form);
    if (!cdi_utf8_valid(json->text)) return cdi_reject(r, json, "must be valid UTF-8");
    *out = cdi_strndup(r->ctx, json->text, json->n);
    return *out ? CD_OK : CD_NOMEM;
}

void cdi_text_write(CdJsonWriter *w, const char *text) {
    if (text) {
        cdi_json_string(w, text);
    } else {
        cdi_json_null(w);
    }
}

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    return cdi_text_copy(r, f, json, value);
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_text_write(w, *(char *const *)value);
}

static void clear(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    char **text = value;
    cdi_free(ctx, *text);
    *text = NULL;
}

static void schema(CdSchema *s, const CdField *f) {
    (void)f;
    cdi_schema_type(s, "string");
}

const CdTypeClass cd_type_string = {
    .name = "string",
    .form = "text",
    .size = sizeof(char *),
    .nullable = true,
    .read = read,
    .write = write,
    .clear = clear,
    .schema = schema,
};
