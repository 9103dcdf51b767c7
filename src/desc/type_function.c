// type_function.c - field type FUNCTION: one of functions.def, or a number or text for short
#include <string.h>

#include "desc/function.h"
#include "desc/type.h"

#define FUNCTION(object) extern const CdFunctionClass object;
#include "desc/functions.def"
#undef FUNCTION

const CdFunctionClass *const cd_function_classes[] = {
#define FUNCTION(object) &object,
#include "desc/functions.def"
#undef FUNCTION
    NULL};

static const CdDesc *const descs[] = {
#define FUNCTION(object) &object.desc,
#include "desc/functions.def"
#undef FUNCTION
    NULL};

void cd_function_eval(const CdFunction *function, double x, double y[3]) {
    if (function->cls) {
        function->cls->eval(function->data, x, y);
    } else {
        y[0] = y[1] = y[2] = 0;
    }
}

// the CdDesc is the first member of its CdFunctionClass
static const CdFunctionClass *class_of(const CdDesc *desc) {
    return (const CdFunctionClass *)desc;
}

// a number or text stands for {"class": ..., "<first field>": it}
static CdStatus read_short(CdReader *r, const CdJson *json, CdVariant *out) {
    bool constant = json->kind == CD_JSON_NUMBER || cdi_is_unit_text(json->text);
    const CdFunctionClass *cls = constant ? &cd_function_constant : &cd_function_expression;
    const CdField *first = cls->desc.fields;
    void *data = cdi_alloc(r->ctx, cls->desc.size);
    if (!data) return CD_NOMEM;
    CdStatus status = cdi_field_read(r, first, json, (char *)data + first->offset);
    if (status == CD_OK && cls->desc.finish) status = cls->desc.finish(r, data);
    if (status != CD_OK) {
        cdi_struct_clear(r->ctx, &cls->desc, data);
        cdi_free(r->ctx, data);
        return status;
    }
    *out = (CdVariant){&cls->desc, data};
    return CD_OK;
}

static CdStatus read_function(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    CdVariant variant = {0};
    CdStatus status;
    const CdField *outer = r->function;
    r->function = f;
    if (json->kind == CD_JSON_NUMBER || json->kind == CD_JSON_STRING) {
        status = read_short(r, json, &variant);
    } else if (json->kind == CD_JSON_OBJECT) {
        status = cdi_variant_read(r, descs, json, &variant);
    } else {
        status = cdi_reject_kind(r, json, cd_type_function.form);
    }
    r->function = outer;
    if (status == CD_OK) *(CdFunction *)value = (CdFunction){class_of(variant.desc), variant.data};
    return status;
}

static CdVariant as_variant(const CdFunction *function) {
    return (CdVariant){function->cls ? &function->cls->desc : NULL, function->data};
}

static void write_function(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    CdVariant variant = as_variant(value);
    cdi_variant_write(w, &variant);
}

static void clear_function(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdVariant variant = as_variant(value);
    cdi_variant_clear(ctx, &variant);
    memset(value, 0, sizeof(CdFunction));
}

static void schema_function(CdSchema *s, const CdField *f) {
    cdi_json_key(s->w, "anyOf");
    cdi_json_begin_array(s->w, false);
    cdi_json_begin_object(s->w);
    cdi_schema_number(s, "number", f->range);
    cdi_json_end_object(s->w);
    cdi_variant_schema(s, descs);
    cdi_json_end_array(s->w);
}

const CdTypeClass cd_type_function = {
    .name = "function",
    .form = "a number, an expression, or an object {\"class\": ...}",
    .size = sizeof(CdFunction),
    .keeps_text = true,
    .read = read_function,
    .write = write_function,
    .clear = clear_function,
    .schema = schema_function,
};
