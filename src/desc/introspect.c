// introspect.c - everything that a table says, as JSON, for other languages and tools
#include <math.h>

#include "desc/function.h"
#include "desc/interval.h"
#include "desc/schema.h"
#include "desc/type.h"

static void pair(CdJsonWriter *w, const char *key, const char *value) {
    cdi_json_key(w, key);
    cdi_json_string(w, value);
}

// {"min": 0, "min_open": true}: an end that is missing is infinite
static void interval(CdJsonWriter *w, const char *key, const char *text) {
    CdInterval i;
    if (!text || !*text || !cdi_interval_parse(text, &i)) return;
    cdi_json_key(w, key);
    cdi_json_begin_object(w);
    if (isfinite(i.lo)) {
        cdi_json_key(w, "min");
        cdi_json_number(w, i.lo);
        cdi_json_key(w, "min_open");
        cdi_json_bool(w, i.lo_open);
    }
    if (isfinite(i.hi)) {
        cdi_json_key(w, "max");
        cdi_json_number(w, i.hi);
        cdi_json_key(w, "max_open");
        cdi_json_bool(w, i.hi_open);
    }
    cdi_json_end_object(w);
}

static void class_names(CdJsonWriter *w, const CdField *f) {
    cdi_json_key(w, "classes");
    cdi_json_begin_array(w, true);
    if (f->type == CD_TYPE_OBJECT) cdi_json_string(w, f->object->name);
    for (int i = 0; f->type == CD_TYPE_VARIANT && f->variants[i]; i++) {
        cdi_json_string(w, f->variants[i]->name);
    }
    for (int i = 0; f->type == CD_TYPE_FUNCTION && cd_function_classes[i]; i++) {
        cdi_json_string(w, cd_function_classes[i]->desc.name);
    }
    cdi_json_end_array(w);
}

// what only some types have
static void details(CdJsonWriter *w, const CdField *f) {
    if (f->type == CD_TYPE_ENUM) {
        cdi_json_key(w, "names");
        cdi_json_begin_array(w, true);
        for (int i = 0; f->names[i]; i++) cdi_json_string(w, f->names[i]);
        cdi_json_end_array(w);
    }
    if (f->type == CD_TYPE_MATRIX || f->type == CD_TYPE_TABLE) {
        cdi_json_key(w, "rows");
        cdi_json_integer(w, f->rows);
        cdi_json_key(w, "cols");
        cdi_json_integer(w, f->cols);
    }
    if (f->type == CD_TYPE_REF) pair(w, "target", f->target);
    if (f->type == CD_TYPE_OBJECT || f->type == CD_TYPE_VARIANT) class_names(w, f);
    if (f->type == CD_TYPE_FUNCTION) {
        pair(w, "arg", f->arg ? f->arg : "t");
        pair(w, "arg_unit", f->arg_unit ? f->arg_unit : "s");
        class_names(w, f);
    }
}

static void field(CdJsonWriter *w, const CdField *f) {
    cdi_json_begin_object(w);
    pair(w, "name", f->name);
    pair(w, "type", cd_type_name(f->type));
    cdi_json_key(w, "list");
    cdi_json_bool(w, f->list);
    pair(w, "unit", f->unit);
    cdi_json_key(w, "required");
    cdi_json_bool(w, !f->def);
    if (f->def) {
        cdi_json_key(w, "default");
        cdi_json_raw(w, f->def);
    }
    interval(w, "range", f->range);
    interval(w, "count", f->count);
    if (f->nonzero) {
        cdi_json_key(w, "nonzero");
        cdi_json_bool(w, true);
    }
    details(w, f);
    pair(w, "doc", f->doc);
    cdi_json_end_object(w);
}

static void class_body(CdJsonWriter *w, const CdDesc *desc) {
    pair(w, "class", desc->name);
    pair(w, "doc", desc->doc);
    cdi_json_key(w, "fields");
    cdi_json_begin_array(w, false);
    for (int i = 0; i < desc->nfields; i++) field(w, desc->fields + i);
    cdi_json_end_array(w);
    if (desc->example) {
        cdi_json_key(w, "example");
        cdi_json_raw(w, desc->example);
    }
}

void cd_desc_introspect(const CdDesc *desc, CdJsonWriter *w) {
    CdClassList nested = {0};
    cdi_json_begin_object(w);
    class_body(w, desc);
    cdi_json_key(w, "classes");
    cdi_json_begin_array(w, false);
    cdi_class_meet_nested(&nested, desc, w->out);
    for (size_t i = 0; i < nested.met.n && w->out->status == CD_OK; i++) {
        cdi_json_begin_object(w);
        class_body(w, nested.met.v[i]);
        cdi_json_end_object(w);
        cdi_class_meet_nested(&nested, nested.met.v[i], w->out);
    }
    cdi_json_end_array(w);
    cdi_json_end_object(w);
    cdi_array_free(w->out->ctx, &nested.met.any);
}
