// type_object.c - field types with fields of their own: OBJECT (one class) and VARIANT (one of
// several)
#include "desc/type.h"

static CdStatus read_object(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    CD_TRY(cdi_check_class(r, f->object, json));
    return cdi_struct_read(r, f->object, json, CD_CLASS_KEY, value);
}

static void write_object(CdJsonWriter *w, const CdField *f, const void *value) {
    cdi_json_begin_object(w);
    cdi_struct_write(w, f->object, value);
    cdi_json_end_object(w);
}

static void clear_object(CdContext *ctx, const CdField *f, void *value) {
    cdi_struct_clear(ctx, f->object, value);
}

static void schema_object(CdSchema *s, const CdField *f) {
    cdi_schema_ref(s, f->object);
}

const CdTypeClass cd_type_object = {
    .name = "object",
    .form = "an object {...}",
    .keeps_text = true,
    .read = read_object,
    .write = write_object,
    .clear = clear_object,
    .schema = schema_object,
};

CdStatus cdi_variant_read(CdReader *r, const CdDesc *const classes[], const CdJson *json,
                          CdVariant *variant) {
    const CdDesc *desc = cdi_pick_class(r, classes, json);
    if (!desc) return CD_INVALID;
    void *data = cdi_alloc(r->ctx, desc->size);
    if (!data) return CD_NOMEM;
    CdStatus status = cdi_struct_read(r, desc, json, CD_CLASS_KEY, data);
    if (status != CD_OK) {
        cdi_free(r->ctx, data);
        return status;
    }
    *variant = (CdVariant){desc, data};
    return CD_OK;
}

void cdi_variant_clear(CdContext *ctx, CdVariant *variant) {
    if (variant->data) cdi_struct_clear(ctx, variant->desc, variant->data);
    cdi_free(ctx, variant->data);
    *variant = (CdVariant){0};
}

void cdi_variant_write(CdJsonWriter *w, const CdVariant *variant) {
    if (!variant->desc) {
        cdi_json_null(w);
        return;
    }
    cdi_json_begin_object(w);
    cdi_json_key(w, "class");
    cdi_json_string(w, variant->desc->name);
    cdi_struct_write(w, variant->desc, variant->data);
    cdi_json_end_object(w);
}

void cdi_variant_schema(CdSchema *s, const CdDesc *const classes[]) {
    for (int i = 0; classes[i]; i++) {
        cdi_json_begin_object(s->w);
        cdi_schema_ref(s, classes[i]);
        cdi_json_key(s->w, "required");
        cdi_json_begin_array(s->w, true);
        cdi_json_string(s->w, "class");
        cdi_json_end_array(s->w);
        cdi_json_end_object(s->w);
    }
}

static CdStatus read_variant(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    if (json->kind != CD_JSON_OBJECT) return cdi_reject_kind(r, json, cd_type_variant.form);
    return cdi_variant_read(r, f->variants, json, value);
}

static void write_variant(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_variant_write(w, value);
}

static void clear_variant(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    cdi_variant_clear(ctx, value);
}

static void schema_variant(CdSchema *s, const CdField *f) {
    cdi_json_key(s->w, "anyOf");
    cdi_json_begin_array(s->w, false);
    cdi_variant_schema(s, f->variants);
    cdi_json_end_array(s->w);
}

const CdTypeClass cd_type_variant = {
    .name = "variant",
    .form = "an object {\"class\": ...}",
    .size = sizeof(CdVariant),
    .keeps_text = true,
    .read = read_variant,
    .write = write_variant,
    .clear = clear_variant,
    .schema = schema_variant,
};
