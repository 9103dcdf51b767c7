// write.c - a model as JSON again: as it was given, or with numbers in SI and sub-models spread
#include "model/build.h"

static void write_given(const CdModel *m, CdJsonWriter *w) {
    for (size_t i = 0; i < m->entries.n; i++) {
        const CdEntry *e = &m->entries.v[i];
        if (e->include) {
            cdi_json_value(w, e->include);
        } else {
            cdi_object_write(e->item->object, w, CD_AS_GIVEN);
        }
    }
}

// sub-models are spread; the ground, which is the first item, is part of every model
static void write_resolved(const CdModel *m, CdJsonWriter *w) {
    for (size_t i = 1; i < m->items.n; i++) {
        const CdItem *item = m->items.v[i];
        cdi_object_write(item->placed ? item->placed : item->object, w, CD_NUMBERS);
    }
}

static void write_parameters(const CdModel *m, CdJsonWriter *w, CdWriteForm form) {
    const CdJson *given = &m->scopes.v[0]->given;
    if (given->kind != CD_JSON_OBJECT) return;
    cdi_json_key(w, "parameters");
    if (form == CD_AS_GIVEN) {
        cdi_json_value(w, given);
        return;
    }
    cdi_json_begin_object(w);
    for (size_t i = 0; m->params && i < m->params->n; i++) {
        cdi_json_key(w, m->params->names[i]);
        cdi_json_number(w, m->params->values[i]);
    }
    cdi_json_end_object(w);
}

void cdi_model_write(const CdModel *m, CdJsonWriter *w, CdWriteForm form) {
    cdi_json_begin_object(w);
    cdi_json_key_integer(w, "cardan", 1);
    write_parameters(m, w, form);
    cdi_json_key(w, "items");
    cdi_json_begin_array(w, false);
    if (form == CD_AS_GIVEN) {
        write_given(m, w);
    } else {
        write_resolved(m, w);
    }
    cdi_json_end_array(w);
    if (m->runs) {
        cdi_json_key(w, "runs");
        cdi_json_value(w, m->runs);
    }
    cdi_json_end_object(w);
}
