// type.c - the list of field types, made from types.def, and what holds for single values and lists
// alike
#include "desc/type.h"

#include <limits.h>
#include <string.h>

#include "desc/interval.h"

static const CdTypeClass *const types[CD_NTYPES] = {
#define TYPE(code, object) &object,
#include "desc/types.def"
#undef TYPE
};

const CdTypeClass *cdi_type(CdType type) {
    return types[type];
}
const char *cd_type_name(CdType type) {
    return types[type]->name;
}

static size_t value_size(const CdField *f) {
    return types[f->type]->size ? types[f->type]->size : f->object->size;
}

const char *cdi_field_form(const CdField *f) {
    return f->list ? "a list [...]" : types[f->type]->form;
}

size_t cdi_field_size(const CdField *f) {
    return f->list ? sizeof(CdList) : value_size(f);
}

static void clear_value(CdContext *ctx, const CdField *f, void *value) {
    if (types[f->type]->clear) types[f->type]->clear(ctx, f, value);
}

static CdStatus check_count(CdReader *r, const CdField *f, const CdJson *json) {
    CdInterval range;
    char rule[CD_INTERVAL_TEXT];
    if (json->n > INT_MAX) return cdi_reject(r, json, "has too many elements");
    if (!cdi_interval_parse(f->count, &range)) return CD_OK;
    if (cdi_interval_holds(&range, (double)json->n)) return CD_OK;
    cdi_interval_rule(&range, rule);
    return cdi_reject(r, json, "the number of elements %s, not %zu", rule, json->n);
}

static CdStatus read_elements(CdReader *r, const CdField *f, const CdJson *json, CdList *list) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < json->n; i++) {
        size_t mark = cdi_enter_element(r, i);
        const CdJson *outer = r->at;
        r->at = json->items + i;
        CD_COLLECT(status, types[f->type]->read(r, f, r->at, (char *)list->v + i * value_size(f)));
        r->at = outer;
        cdi_leave(r, mark);
    }
    return status;
}

static void clear_list(CdContext *ctx, const CdField *f, CdList *list) {
    for (int i = 0; i < list->n; i++) {
        clear_value(ctx, f, (char *)list->v + (size_t)i * value_size(f));
    }
    cdi_free(ctx, list->v);
    *list = (CdList){0};
}

static CdStatus read_list(CdReader *r, const CdField *f, const CdJson *json, CdList *list) {
    if (json->kind != CD_JSON_ARRAY) return cdi_reject_kind(r, json, "a list [...]");
    CdStatus count = check_count(r, f, json);
    if (json->n == 0) return count;
    list->v = cdi_alloc_array(r->ctx, json->n, value_size(f));
    if (!list->v) return CD_NOMEM;
    list->n = (int)json->n;
    CdStatus status = read_elements(r, f, json, list);
    if (status == CD_OK) status = count;
    if (status != CD_OK) clear_list(r->ctx, f, list);
    return status;
}

CdStatus cdi_field_read(CdReader *r, const CdField *f, const CdJson *json, void *member) {
    // null is allowed where it is the default: nothing there
    if (json->kind == CD_JSON_NULL && cdi_equal(f->def, "null")) return CD_OK;
    return f->list ? read_list(r, f, json, member) : types[f->type]->read(r, f, json, member);
}

void cdi_field_write(CdJsonWriter *w, const CdField *f, const void *member) {
    if (!f->list) {
        types[f->type]->write(w, f, member);
        return;
    }
    const CdList *list = member;
    cdi_json_begin_array(w, types[f->type]->number && types[f->type]->size == sizeof(double));
    for (int i = 0; i < list->n; i++) {
        types[f->type]->write(w, f, (const char *)list->v + (size_t)i * value_size(f));
    }
    cdi_json_end_array(w);
}

void cdi_field_clear(CdContext *ctx, const CdField *f, void *member) {
    if (f->list) {
        clear_list(ctx, f, member);
    } else {
        clear_value(ctx, f, member);
    }
}

void cdi_struct_write(CdJsonWriter *w, const CdDesc *desc, const void *data) {
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = desc->fields + i;
        cdi_json_key(w, f->name);
        cdi_field_write(w, f, (const char *)data + f->offset);
    }
}

void cdi_struct_clear(CdContext *ctx, const CdDesc *desc, void *data) {
    if (desc->release) desc->release(ctx, data);
    for (int i = 0; i < desc->nfields; i++) {
        const CdField *f = desc->fields + i;
        cdi_field_clear(ctx, f, (char *)data + f->offset);
    }
    memset(data, 0, desc->size);
}
