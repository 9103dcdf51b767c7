// object.c - objects: a described struct with its name and its fields as the user wrote them
#include "desc/desc.h"

#include <string.h>

#include "desc/reader.h"
#include "desc/type.h"

struct CdObject {
    CdContext *ctx;
    const CdDesc *desc;
    char *name;
    void *data;
    bool *given;  // per field: by the user, not by default
    char **texts; // per field: its JSON as given, where the value alone does not bring it back;
                  // else NULL
};

static CdReader reader_of(const CdObject *object, const CdSource *source) {
    return (CdReader){
        .ctx = object->ctx,
        .source = source ? *source : (CdSource){0},
        .item_class = object->desc->name,
        .item_name = object->name,
    };
}

static void *member_of(const CdObject *object, const CdField *f) {
    return (char *)object->data + f->offset;
}

static size_t index_of(const CdObject *object, const CdField *f) {
    return (size_t)(f - object->desc->fields);
}

void cd_object_free(CdObject *object) {
    if (!object) return;
    CdContext *ctx = object->ctx;
    if (object->data) cdi_struct_clear(ctx, object->desc, object->data);
    for (int i = 0; object->texts && i < object->desc->nfields; i++)
        cdi_free(ctx, object->texts[i]);
    cdi_free(ctx, object->texts);
    cdi_free(ctx, object->given);
    cdi_free(ctx, object->data);
    cdi_free(ctx, object->name);
    cdi_free(ctx, object);
}

// an object whose struct is zero
static CdStatus make(CdContext *ctx, const CdDesc *desc, const char *name, CdObject **out) {
    CdObject *object = cdi_alloc(ctx, sizeof *object);
    if (!object) return CD_NOMEM;
    size_t n = (size_t)desc->nfields;
    object->ctx = ctx;
    object->desc = desc;
    object->data = cdi_alloc(ctx, desc->size);
    object->given = cdi_alloc_array(ctx, n + 1, sizeof *object->given);
    object->texts = cdi_alloc_array(ctx, n + 1, sizeof *object->texts);
    object->name = name ? cdi_strdup(ctx, name) : NULL;
    if (!object->data || !object->given || !object->texts || (name && !object->name)) {
        cd_object_free(object);
        return CD_NOMEM;
    }
    *out = object;
    return CD_OK;
}

CdStatus cd_object_new(CdContext *ctx, const CdDesc *desc, const char *name, CdObject **object) {
    *object = NULL;
    CdObject *made;
    CD_TRY(make(ctx, desc, name, &made));
    CdReader r = reader_of(made, NULL);
    CdStatus status = cdi_struct_defaults(&r, desc, made->data);
    if (status != CD_OK) {
        cd_object_free(made);
        return status;
    }
    *object = made;
    return CD_OK;
}

// is there text among the numbers?
static bool has_text(const CdJson *json) {
    if (json->kind == CD_JSON_STRING) return true;
    if (json->kind != CD_JSON_ARRAY) return false;
    for (size_t i = 0; i < json->n; i++) {
        if (has_text(json->items + i)) return true;
    }
    return false;
}

// remember that a field was given, and how if its value alone does not tell
static CdStatus keep_given(CdObject *object, const CdField *f, const CdJson *json) {
    size_t i = index_of(object, f);
    const CdTypeClass *type = cdi_type(f->type);
    char *kept = NULL;
    if (type->keeps_text || (type->number && has_text(json))) {
        CdText text;
        CdJsonWriter w;
        cdi_text_init(&text, object->ctx);
        cdi_json_writer_init(&w, &text, 0);
        cdi_json_value(&w, json);
        if (text.status != CD_OK) {
            CdStatus status = text.status;
            cdi_text_free(&text);
            return status;
        }
        kept = text.v;
    }
    cdi_free(object->ctx, object->texts[i]);
    object->texts[i] = kept;
    object->given[i] = true;
    return CD_OK;
}

static CdStatus keep_all(CdObject *object, const CdJson *json) {
    for (int i = 0; i < object->desc->nfields; i++) {
        const CdField *f = object->desc->fields + i;
        const CdJson *given = cdi_json_get(json, f->name);
        if (given) CD_TRY(keep_given(object, f, given));
    }
    return CD_OK;
}

static CdStatus read_head(CdReader *r, const CdDesc *desc, const CdJson *json) {
    if (json->kind != CD_JSON_OBJECT) return cdi_reject_kind(r, json, "an object {...}");
    CdStatus status = cdi_check_class(r, desc, json);
    const CdJson *name = cdi_json_get(json, "name");
    if (name && (name->kind != CD_JSON_STRING || name->n == 0)) {
        status = cdi_reject(r, name, "the name must be a text that is not empty");
    } else if (name) {
        r->item_name = name->text;
    }
    return status;
}

CdStatus cd_object_read(CdContext *ctx, const CdDesc *desc, const CdJson *json,
                        const CdSource *source, CdObject **object) {
    *object = NULL;
    CdReader r = {.ctx = ctx, .source = *source, .item_class = desc->name, .at = json};
    CD_TRY(read_head(&r, desc, json));
    CdObject *made;
    CD_TRY(make(ctx, desc, r.item_name, &made));
    CdStatus status = cdi_struct_read(&r, desc, json, CD_CLASS_KEY | CD_NAME_KEY, made->data);
    if (status == CD_OK) status = keep_all(made, json);
    if (status != CD_OK) {
        cd_object_free(made);
        return status;
    }
    *object = made;
    return CD_OK;
}

void cd_object_write(const CdObject *object, CdJsonWriter *w, CdWriteForm form) {
    cdi_json_begin_object(w);
    cdi_json_key(w, "class");
    cdi_json_string(w, object->desc->name);
    if (object->name) {
        cdi_json_key(w, "name");
        cdi_json_string(w, object->name);
    }
    for (int i = 0; i < object->desc->nfields; i++) {
        const CdField *f = object->desc->fields + i;
        if (form == CD_AS_GIVEN && !object->given[i]) continue;
        cdi_json_key(w, f->name);
        if (form == CD_AS_GIVEN && object->texts[i]) {
            cdi_json_raw(w, object->texts[i]);
        } else {
            cdi_field_write(w, f, member_of(object, f));
        }
    }
    cdi_json_end_object(w);
}

const CdDesc *cd_object_desc(const CdObject *object) {
    return object->desc;
}
const char *cd_object_name(const CdObject *object) {
    return object->name;
}
const void *cd_object_data(const CdObject *object) {
    return object->data;
}

static CdStatus find_field(const CdObject *object, const char *name, const CdField **f) {
    *f = cd_desc_field(object->desc, name);
    if (*f) return CD_OK;
    const char *near = NULL;
    for (int i = 0; i < object->desc->nfields && !near; i++) {
        near = cdi_suggest(name, &object->desc->fields[i].name, 1);
    }
    CdPlace place = {.item_class = object->desc->name, .item_name = object->name, .field = name};
    return cdi_fail_at(object->ctx, CD_NOTFOUND, &place, "%s has no such field%s%s%s",
                       object->desc->name, near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
}

// read beside the old value and exchange, so that a refused value changes nothing
static CdStatus set_value(CdObject *object, const CdField *f, const CdJson *json,
                          const CdSource *source) {
    CdReader r = reader_of(object, source);
    r.at = json;
    void *value = cdi_alloc(object->ctx, cdi_field_size(f));
    if (!value) return CD_NOMEM;
    cdi_enter_field(&r, f->name);
    CdStatus status = cdi_field_read(&r, f, json, value);
    if (status == CD_OK) {
        status = keep_given(object, f, json);
        if (status != CD_OK) cdi_field_clear(object->ctx, f, value);
    }
    if (status == CD_OK) {
        cdi_field_clear(object->ctx, f, member_of(object, f));
        memcpy(member_of(object, f), value, cdi_field_size(f));
    }
    cdi_free(object->ctx, value);
    return status;
}

CdStatus cd_object_set(CdObject *object, const char *field, const char *json,
                       const CdSource *source) {
    const CdField *f;
    CdJsonDoc *doc;
    CD_TRY(find_field(object, field, &f));
    CD_TRY(cdi_json_read(object->ctx, source && source->file ? source->file : field, json,
                         strlen(json), CD_JSON_LIMITS, &doc));
    CdStatus status = set_value(object, f, cdi_json_root(doc), source);
    cdi_json_free(doc);
    return status;
}

CdStatus cd_object_set_real(CdObject *object, const char *field, double x) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJson json = {.kind = CD_JSON_NUMBER, .number = x};
    return set_value(object, f, &json, NULL);
}

CdStatus cd_object_set_reals(CdObject *object, const char *field, const double x[], size_t n) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJson *items = cdi_alloc_array(object->ctx, n + 1, sizeof *items);
    if (!items) return CD_NOMEM;
    for (size_t i = 0; i < n; i++) items[i] = (CdJson){.kind = CD_JSON_NUMBER, .number = x[i]};
    CdJson json = {.kind = CD_JSON_ARRAY, .items = items, .n = n};
    CdStatus status = set_value(object, f, &json, NULL);
    cdi_free(object->ctx, items);
    return status;
}

CdStatus cd_object_set_text(CdObject *object, const char *field, const char *text) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJson json = {.kind = CD_JSON_STRING, .text = text, .n = strlen(text)};
    return set_value(object, f, &json, NULL);
}

CdStatus cd_object_get(const CdObject *object, const char *field, CdText *json) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    CdJsonWriter w;
    cdi_json_writer_init(&w, json, 0);
    cdi_field_write(&w, f, member_of(object, f));
    return json->status;
}

CdStatus cd_object_get_real(const CdObject *object, const char *field, double *x) {
    const CdField *f;
    CD_TRY(find_field(object, field, &f));
    if (f->type == CD_TYPE_REAL && !f->list) {
        *x = *(const double *)member_of(object, f);
    } else if (f->type == CD_TYPE_INT && !f->list) {
        *x = *(const int *)member_of(object, f);
    } else {
        CdPlace place = {
            .item_class = object->desc->name, .item_name = object->name, .field = field};
        return cdi_fail_at(object->ctx, CD_INVALID, &place, "is not a single number");
    }
    return CD_OK;
}

CdStatus cd_object_check(CdObject *object) {
    CdReader r = reader_of(object, NULL);
    CdStatus status = CD_OK;
    for (int i = 0; i < object->desc->nfields; i++) {
        const CdField *f = object->desc->fields + i;
        if (f->def || object->given[i]) continue;
        status = cdi_reject_field(&r, f->name, "is missing; give %s: %s", cdi_type(f->type)->form,
                                  f->doc);
    }
    if (status != CD_OK || !object->desc->finish) return status;
    if (object->desc->release) object->desc->release(object->ctx, object->data);
    return object->desc->finish(&r, object->data);
}
