// type_function.c - field type FUNCTION: one of functions.def, or a number or text for short
#include <string.h>

#include "desc/function.h"
#include "desc/type.h"

#define FUNCTION(object) extern const CdFunctionClass object;
#include "desc/functions.def"
#undef FUNCTION

const CdDesc *const cdi_function_classes[] = {
#define FUNCTION(object) &object.desc,
#include "desc/functions.def"
#undef FUNCTION
    NULL};

// none is zero
static bool is_constant(const CdFunction *function, double *value) {
    if (function->cls && function->cls != &cd_function_constant) return false;
    *value = function->cls ? ((const CdConstant *)function->data)->value : 0;
    return true;
}

void cdi_function_eval(const CdFunction *function, double x, double y[3]) {
    if (is_constant(function, y)) {
        y[1] = y[2] = 0;
    } else {
        function->cls->eval(function->data, x, y);
    }
}

double cdi_function_value(const CdFunction *function, double x) {
    double y[3];
    if (is_constant(function, y)) return y[0];
    if (function->cls->value) return function->cls->value(function->data, x);
    function->cls->eval(function->data, x, y);
    return y[0];
}

const char *cdi_function_arg(const CdField *f) {
    return f && f->arg ? f->arg : "t";
}
const char *cdi_function_arg_unit(const CdField *f) {
    return f && f->arg_unit ? f->arg_unit : "s";
}

// the CdDesc is the first member of its CdFunctionClass
static const CdFunctionClass *class_of(const CdDesc *desc) {
    return (const CdFunctionClass *)desc;
}

// a number or text stands for {"class": ..., "<first field>": it}
static CdStatus read_short_data(CdReader *r, const CdDesc *desc, const CdJson *json, void *data) {
    CD_TRY(cdi_struct_defaults(r, desc, data));
    const CdField *first = desc->fields;
    CdStatus status = cdi_field_read(r, first, json, (char *)data + first->offset);
    if (status == CD_OK && desc->finish) status = desc->finish(r, data);
    if (status != CD_OK) cdi_struct_clear(r->ctx, desc, data);
    return status;
}

static CdStatus read_short(CdReader *r, const CdJson *json, CdVariant *out) {
    bool constant = json->kind == CD_JSON_NUMBER || cdi_is_unit_text(json->text);
    const CdDesc *desc = constant ? &cd_function_constant.desc : &cd_function_expression.desc;
    void *data = cdi_alloc(r->ctx, desc->size);
    if (!data) return CD_NOMEM;
    CdStatus status = read_short_data(r, desc, json, data);
    if (status != CD_OK) {
        cdi_free(r->ctx, data);
        return status;
    }
    *out = (CdVariant){desc, data};
    return CD_OK;
}

static CdStatus read(CdReader *r, const CdField *f, const CdJson *json, void *value) {
    CdVariant variant = {0};
    CdStatus status;
    const CdField *outer = r->function;
    r->function = f;
    if (json->kind == CD_JSON_NUMBER || json->kind == CD_JSON_STRING) {
        status = read_short(r, json, &variant);
    } else if (json->kind == CD_JSON_OBJECT) {
        status = cdi_variant_read(r, cdi_function_classes, json, &variant);
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

static void write(CdJsonWriter *w, const CdField *f, const void *value) {
    (void)f;
    CdVariant variant = as_variant(value);
    cdi_variant_write(w, &variant);
}

static void clear(CdContext *ctx, const CdField *f, void *value) {
    (void)f;
    CdVariant variant = as_variant(value);
    cdi_variant_clear(ctx, &variant);
    memset(value, 0, sizeof(CdFunction));
}

static void schema(CdSchema *s, const CdField *f) {
    (void)f;
    cdi_json_key(s->w, "anyOf");
    cdi_json_begin_array(s->w, false);
    cdi_json_begin_object(s->w);
    cdi_schema_number(s, "number", "");
    cdi_json_end_object(s->w);
    cdi_variant_schema(s, cdi_function_classes);
    cdi_json_end_array(s->w);
}

// a range could be checked for constants only
static bool complete(const CdField *f) {
    return !f->range || !f->range[0];
}

static void nested(CdClassList *list, const CdField *f) {
    (void)f;
    cdi_class_meet_all(list, cdi_function_classes);
}

static void words(CdText *out, const CdField *f) {
    cdi_text_addf(out, " of %s [%s]%s, value", cdi_function_arg(f), cdi_function_arg_unit(f),
                  f->sensors ? " and of sensors" : "");
}

static void details(CdJsonWriter *w, const CdField *f) {
    cdi_json_key_text(w, "arg", cdi_function_arg(f));
    cdi_json_key_text(w, "arg_unit", cdi_function_arg_unit(f));
    cdi_json_key_bool(w, "sensors", f->sensors);
    cdi_variant_names(w, cdi_function_classes);
}

const CdTypeClass cd_type_function = {
    .name = "function",
    .form = "a number, an expression, or an object {\"class\": ...}",
    .size = sizeof(CdFunction),
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
