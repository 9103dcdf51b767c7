// type_variant.c - field type VARIANT: a struct of one of several classes, named by its key "class"
#include "desc/type.h"

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
    cdi_json_key_text(w, "class", variant->desc->name);
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

void cdi_variant_names(CdJsonWriter *w, const CdDesc *const classes[]) {
    cdi_json_key(w, "classes");
    cdi_json_begin_array(w, true);
    for (int i = 0; classes[i]; i++) cdi_json_string(w, classes[i]->name);
    cdi_json_end_array(w);
}

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    if (json->kind != CD_JSON_OBJECT) return cdi_reject_kind(r, json, cd_type_variant.form);
    return cdi_variant_read(r, f->variants, json, value);
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_variant_write(w, value);
}

static void clear(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    cdi_variant_clear(ctx, value);
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_json_key(s->w, "anyOf");
    cdi_json_begin_array(s->w, false);
    cdi_variant_schema(s, f->variants);
    cdi_json_end_array(s->w);
}

static bool complete(const CdField *f) {
    return f->variants && f->variants[0];
}
static void nested(CdClassList *list, const CdField *f) {
    cdi_class_meet_all(list, f->variants);
}

static void words(CdText *out, const CdField *f) {
    for (int i = 0; f->variants[i]; i++) {
        cdi_text_addf(out, "%s%s", i ? " | " : ": ", f->variants[i]->name);
    }
}

static void details(CdJsonWriter *w, const CdField *f) {
    cdi_variant_names(w, f->variants);
}

const CdTypeClass cd_type_variant = {
    .name = "variant",
    .form = "an object {\"class\": ...}",
    .size = sizeof(CdVariant),
    .nullable = true,
    .keeps_text = true,
    .read = read,
    .write = write,
    .clear = clear,
    .schema = schema,
    .complete = complete,
    .nested = nested,
    .words = words,
    .details = details,
};
