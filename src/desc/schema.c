// schema.c - JSON Schema (draft 2020-12) of a class, from its table alone
#include "desc/schema.h"

#include <math.h>
#include <stdio.h>

#include "desc/interval.h"
#include "desc/type.h"

#define REF_MAX 128 // names of classes are words

void cdi_schema_ref(CdSchema *s, const CdDesc *desc) {
    char path[REF_MAX];
    snprintf(path, sizeof path, "#/$defs/%s", desc->name);
    cdi_json_key_text(s->w, "$ref", path);
    cdi_class_meet(&s->classes, desc);
}

void cdi_schema_pair(CdSchema *s, const char *key, const char *value) {
    cdi_json_key_text(s->w, key, value);
}

void cdi_schema_type(CdSchema *s, const char *type) {
    cdi_schema_pair(s, "type", type);
}

void cdi_schema_word(CdSchema *s) {
    cdi_schema_type(s, "string");
    cdi_json_key_integer(s->w, "minLength", 1);
}

static void bound(CdSchema *s, const char *closed, const char *open, bool is_open, double x) {
    if (!isfinite(x)) return;
    cdi_json_key(s->w, is_open ? open : closed);
    cdi_json_number(s->w, x);
}

// bounds hold for numbers only, text passes them by
void cdi_schema_number(CdSchema *s, const char *type, const char *range) {
    CdInterval i;
    cdi_json_key(s->w, "type");
    cdi_json_begin_array(s->w, true);
    cdi_json_string(s->w, type);
    cdi_json_string(s->w, "string");
    cdi_json_end_array(s->w);
    if (!cdi_interval_parse(range, &i)) return;
    bound(s, "minimum", "exclusiveMinimum", i.lo_open, i.lo);
    bound(s, "maximum", "exclusiveMaximum", i.hi_open, i.hi);
}

// the whole numbers inside an interval
static void count(CdSchema *s, const char *text) {
    CdInterval i;
    if (!text || !cdi_interval_parse(text, &i)) return;
    double lo = ceil(i.lo), hi = floor(i.hi);
    if (i.lo_open && lo == i.lo) lo++;
    if (i.hi_open && hi == i.hi) hi--;
    bound(s, "minItems", "minItems", false, lo);
    bound(s, "maxItems", "maxItems", false, hi);
}

static void value(CdSchema *s, const CdField *f) {
    if (!f->list) {
        cdi_type(f->type)->schema(s, f);
        return;
    }
    cdi_schema_type(s, "array");
    count(s, f->count);
    cdi_json_key(s->w, "items");
    cdi_json_begin_object(s->w);
    cdi_type(f->type)->schema(s, f);
    cdi_json_end_object(s->w);
}

// a field that may be null is one of two things
static void value_or_null(CdSchema *s, const CdField *f) {
    cdi_json_key(s->w, "anyOf");
    cdi_json_begin_array(s->w, false);
    cdi_json_begin_object(s->w);
    cdi_schema_type(s, "null");
    cdi_json_end_object(s->w);
    cdi_json_begin_object(s->w);
    value(s, f);
    cdi_json_end_object(s->w);
    cdi_json_end_array(s->w);
}

static void property(CdSchema *s, const CdField *f) {
    cdi_json_key(s->w, f->name);
    cdi_json_begin_object(s->w);
    cdi_schema_pair(s, "description", f->doc);
    if (f->unit[0]) cdi_schema_pair(s, "x-unit", f->unit);
    if (f->target) cdi_schema_pair(s, "x-target", f->target);
    if (f->def) {
        cdi_json_key(s->w, "default");
        cdi_json_raw(s->w, f->def);
    }
    if (cdi_equal(f->def, "null")) {
        value_or_null(s, f);
    } else {
        value(s, f);
    }
    cdi_json_end_object(s->w);
}

static void required(CdSchema *s, const CdDesc *desc) {
    cdi_json_key(s->w, "required");
    cdi_json_begin_array(s->w, true);
    for (int i = 0; i < desc->nfields; i++) {
        if (!desc->fields[i].def) cdi_json_string(s->w, desc->fields[i].name);
    }
    cdi_json_end_array(s->w);
}

// the keywords of one class, without the braces around
static void class_body(CdSchema *s, const CdDesc *desc, bool named) {
    cdi_schema_pair(s, "title", desc->name);
    cdi_schema_pair(s, "description", desc->doc);
    cdi_schema_type(s, "object");
    cdi_json_key(s->w, "properties");
    cdi_json_begin_object(s->w);
    cdi_json_key(s->w, "class");
    cdi_json_begin_object(s->w);
    cdi_schema_pair(s, "const", desc->name);
    cdi_json_end_object(s->w);
    if (named) {
        cdi_json_key(s->w, "name");
        cdi_json_begin_object(s->w);
        cdi_schema_word(s);
        cdi_json_end_object(s->w);
    }
    for (int i = 0; i < desc->nfields; i++) property(s, desc->fields + i);
    cdi_json_end_object(s->w);
    required(s, desc);
    cdi_json_key_bool(s->w, "additionalProperties", false);
}

void cdi_schema_class(CdSchema *s, const CdDesc *desc, bool named) {
    cdi_json_key(s->w, desc->name);
    cdi_json_begin_object(s->w);
    class_body(s, desc, named);
    cdi_json_end_object(s->w);
}

// the list grows while it is walked
void cdi_schema_defs(CdSchema *s) {
    for (size_t i = 0; i < s->classes.met.n; i++) {
        cdi_schema_class(s, s->classes.met.v[i], false);
    }
}

void cdi_desc_schema(const CdDesc *desc, CdJsonWriter *w) {
    CdSchema s = {.w = w, .classes = {.ctx = w->out->ctx}};
    cdi_json_begin_object(w);
    cdi_schema_pair(&s, "$schema", CD_SCHEMA_DRAFT);
    class_body(&s, desc, true);
    cdi_json_key(w, "$defs");
    cdi_json_begin_object(w);
    cdi_schema_defs(&s);
    cdi_json_end_object(w);
    cdi_json_end_object(w);
    if (s.classes.status != CD_OK) w->out->status = s.classes.status;
    cdi_class_list_free(&s.classes);
}
