// introspect.c - everything that a table says, as JSON, for other languages and tools
#include <math.h>

#include "desc/interval.h"
#include "desc/type.h"

// {"min": 0, "min_open": true}: an end that is missing is infinite
static void interval(CdJsonWriter *w, const char *key, const char *text) {
    CdInterval i;
    if (!text || !*text || !cdi_interval_parse(text, &i)) return;
    cdi_json_key(w, key);
    cdi_json_begin_object(w);
    if (isfinite(i.lo)) {
        cdi_json_key(w, "min");
        cdi_json_number(w, i.lo);
        cdi_json_key_bool(w, "min_open", i.lo_open);
    }
    if (isfinite(i.hi)) {
        cdi_json_key(w, "max");
        cdi_json_number(w, i.hi);
        cdi_json_key_bool(w, "max_open", i.hi_open);
    }
    cdi_json_end_object(w);
}

static void field(CdJsonWriter *w, const CdField *f) {
    cdi_json_begin_object(w);
    cdi_json_key_text(w, "name", f->name);
    cdi_json_key_text(w, "type", cdi_type(f->type)->name);
    cdi_json_key_bool(w, "list", f->list);
    cdi_json_key_text(w, "unit", f->unit);
    cdi_json_key_bool(w, "required", !f->def);
    if (f->def) {
        cdi_json_key(w, "default");
        cdi_json_raw(w, f->def);
    }
    interval(w, "range", f->range);
    interval(w, "count", f->count);
    if (f->nonzero) {
        cdi_json_key_bool(w, "nonzero", true);
    }
    if (cdi_type(f->type)->details) cdi_type(f->type)->details(w, f);
    cdi_json_key_text(w, "doc", f->doc);
    cdi_json_end_object(w);
}

static void class_body(CdJsonWriter *w, const CdDesc *desc) {
    cdi_json_key_text(w, "class", desc->name);
    cdi_json_key_text(w, "doc", desc->doc);
    cdi_json_key(w, "fields");
    cdi_json_begin_array(w, false);
    for (int i = 0; i < desc->nfields; i++) field(w, desc->fields + i);
    cdi_json_end_array(w);
    if (desc->example) {
        cdi_json_key(w, "example");
        cdi_json_raw(w, desc->example);
    }
}

void cdi_desc_introspect(const CdDesc *desc, CdJsonWriter *w) {
    CdClassList nested = {.ctx = w->out->ctx};
    cdi_json_begin_object(w);
    class_body(w, desc);
    cdi_json_key(w, "classes");
    cdi_json_begin_array(w, false);
    cdi_class_meet_nested(&nested, desc);
    for (size_t i = 0; i < nested.met.n; i++) {
        cdi_json_begin_object(w);
        class_body(w, nested.met.v[i]);
        cdi_json_end_object(w);
        cdi_class_meet_nested(&nested, nested.met.v[i]);
    }
    cdi_json_end_array(w);
    cdi_json_end_object(w);
    if (nested.status != CD_OK) w->out->status = nested.status;
    cdi_class_list_free(&nested);
}
