// type_object.c - field type OBJECT: a struct of one class inside another
#include "desc/type.h"

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    return cdi_struct_read(r, f->object, json, CD_CLASS_KEY, value);
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    cdi_json_begin_object(w);
    cdi_struct_write(w, f->object, value);
    cdi_json_end_object(w);
}

static void clear(CdContext *ctx, const CdField *f, void *value) {
    cdi_struct_clear(ctx, f->object, value);
}

static void schema(CdSchema *s, const CdField *f) {
    cdi_schema_ref(s, f->object);
}
static bool complete(const CdField *f) {
    return f->object != NULL;
}
static void nested(CdClassList *list, const CdField *f) {
    cdi_class_meet(list, f->object);
}

static void words(CdText *out, const CdField *f) {
    cdi_text_addf(out, ": %s", f->object->name);
}

static void details(CdJsonWriter *w, const CdField *f) {
    cdi_variant_names(w, (const CdDesc *const[]){f->object, NULL});
}

const CdTypeClass cd_type_object = {
    .name = "object",
    .form = "an object {...}",
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
