// type_ref.c - field type REF: the name of another item
#include "desc/type.h"

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    if (json->kind == CD_JSON_STRING && json->n == 0) {
        return cdi_reject(r, json, "must not be empty; give the name of an item (%s)", f->target);
    }
    return cdi_text_copy(r, f, json, &((CdRef *)value)->name);
}

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    cdi_text_write(w, ((const CdRef *)value)->name);
}

static void clear(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdRef *ref = value;
    cdi_free(ctx, ref->name);
    *ref = (CdRef){0};
}

static void schema(CdSchema *s, const CdField *f) {
    (void)f;
    cdi_schema_word(s);
}

static bool complete(const CdField *f) {
    return f->target != NULL;
}
static void words(CdText *out, const CdField *f) {
    cdi_text_addf(out, " (%s)", f->target);
}

static void details(CdJsonWriter *w, const CdField *f) {
    cdi_json_key_text(w, "target", f->target);
}

const CdTypeClass cd_type_ref = {
    .name = "ref",
    .form = "the name of an item as text",
    .size = sizeof(CdRef),
    .nullable = true,
    .read = read,
    .write = write,
    .clear = clear,
    .schema = schema,
    .complete = complete,
    .words = words,
    .details = details,
};
