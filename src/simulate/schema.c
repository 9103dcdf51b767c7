// schema.c - JSON Schema (draft 2020-12) of whole models, from the tables of all classes
//
// An item is looked at by its class alone, so that a mistake is told of that class and not of all
// others that it is not.
#include "desc/schema.h"

#include <stdio.h>

#include "simulate/simulate.h"

static void begin(CdSchema *s, const char *key) {
    cdi_json_key(s->w, key);
    cdi_json_begin_object(s->w);
}

static void end(CdSchema *s) {
    cdi_json_end_object(s->w);
}

static void require(CdSchema *s, const char *one, const char *two) {
    cdi_json_key(s->w, "required");
    cdi_json_begin_array(s->w, true);
    cdi_json_string(s->w, one);
    if (two) cdi_json_string(s->w, two);
    cdi_json_end_array(s->w);
}

// {"if": {"properties": {"class": {"const": name}}}, "then": {"$ref": ...}}
static void item_case(CdSchema *s, const CdDesc *desc, bool named) {
    cdi_json_begin_object(s->w);
    begin(s, "if");
    begin(s, "properties");
    begin(s, "class");
    cdi_schema_pair(s, "const", desc->name);
    end(s);
    end(s);
    end(s);
    begin(s, "then");
    char path[128]; // names of classes are words
    snprintf(path, sizeof path, "#/$defs/%s", desc->name);
    cdi_schema_pair(s, "$ref", path);
    if (named) require(s, "name", NULL);
    end(s);
    end(s);
}

static void class_names(CdSchema *s) {
    cdi_json_key(s->w, "enum");
    cdi_json_begin_array(s->w, false);
    for (const CdItemClass *const *c = cd_item_classes; *c; c++) {
        cdi_json_string(s->w, (*c)->desc.name);
    }
    cdi_json_string(s->w, cd_include.name);
    cdi_json_end_array(s->w);
}

static void items(CdSchema *s) {
    begin(s, "items");
    cdi_schema_pair(s, "description", "bodies, markers, joints, connectors, loads and sensors");
    cdi_schema_type(s, "array");
    begin(s, "items");
    cdi_schema_type(s, "object");
    begin(s, "properties");
    begin(s, "class");
    class_names(s);
    end(s);
    end(s);
    require(s, "class", NULL);
    cdi_json_key(s->w, "allOf");
    cdi_json_begin_array(s->w, false);
    for (const CdItemClass *const *c = cd_item_classes; *c; c++) item_case(s, &(*c)->desc, true);
    item_case(s, &cd_include, false);
    cdi_json_end_array(s->w);
    end(s);
    end(s);
}

static void parameters(CdSchema *s) {
    begin(s, "parameters");
    cdi_schema_pair(s, "description", "named numbers for expressions in fields");
    cdi_schema_type(s, "object");
    begin(s, "propertyNames");
    cdi_schema_pair(s, "pattern", "^[A-Za-z_][A-Za-z_0-9]*$");
    end(s);
    begin(s, "additionalProperties");
    cdi_schema_number(s, "number", "");
    end(s);
    end(s);
}

static void members(CdSchema *s) {
    begin(s, "properties");
    begin(s, "cardan");
    cdi_schema_pair(s, "description", "version of the format");
    cdi_json_key_integer(s->w, "const", 1);
    end(s);
    parameters(s);
    items(s);
    begin(s, "events");
    cdi_schema_type(s, "array");
    end(s);
    begin(s, "runs");
    cdi_schema_pair(s, "description", "what is to be simulated");
    cdi_schema_type(s, "array");
    begin(s, "items");
    cdi_schema_ref(s, &cd_run);
    end(s);
    end(s);
    end(s);
}

void cdi_model_schema(CdJsonWriter *w) {
    CdSchema s = {.w = w, .classes = {.ctx = w->out->ctx}};
    cdi_json_begin_object(w);
    cdi_schema_pair(&s, "$schema", CD_SCHEMA_DRAFT);
    cdi_schema_pair(&s, "title", "Cardan model");
    cdi_schema_type(&s, "object");
    members(&s);
    require(&s, "cardan", NULL);
    cdi_json_key_bool(w, "additionalProperties", false);
    begin(&s, "$defs");
    for (const CdItemClass *const *c = cd_item_classes; *c; c++) {
        cdi_schema_class(&s, &(*c)->desc, true);
    }
    cdi_schema_class(&s, &cd_include, true);
    cdi_schema_defs(&s);
    end(&s);
    cdi_json_end_object(w);
    if (s.classes.status != CD_OK) w->out->status = s.classes.status;
    cdi_class_list_free(&s.classes);
}
