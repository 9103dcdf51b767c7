// vary.c - parameters of a model: as they are given, and the same model with other values
//
// Objects know their fields as the user gave them, so a model is made again from its items: scopes
// first (poses and parameters of sub-models follow from those around them), then every field.
#include <string.h>

#include "model/build.h"

// ---- settings

typedef struct Variation {
    const CdModel *from;
    CdModel *to;
    const CdSetting *settings;
    int n;
    bool declare;
} Variation;

CdSetting cdi_setting_real(const char *name, double x) {
    return (CdSetting){name, {.kind = CD_JSON_NUMBER, .number = x}};
}

CdSetting cdi_setting_text(const char *name, const char *text) {
    return (CdSetting){name, {.kind = CD_JSON_STRING, .text = text, .n = strlen(text)}};
}

CdStatus cdi_model_no_parameter(const CdModel *m, const char *name) {
    const CdJson *given = &m->scopes.v[0]->given;
    CdSuggestion s = {.word = name};
    for (size_t i = 0; i < given->n; i++) cdi_suggest_from(&s, given->items[i].key);
    return cdi_fail(m->ctx, CD_NOTFOUND, "there is no parameter '%s'%s%s%s", name,
                    s.name ? "; did you mean '" : "",
                    s.name          ? s.name
                    : given->n == 0 ? "; the model has none"
                                    : "",
                    s.name ? "'?" : "");
}

// in place of what is given, or behind it; members have room for all
static CdStatus apply(const Variation *v, CdJson *members, size_t *nmembers) {
    CdStatus status = CD_OK;
    for (int k = 0; k < v->n; k++) {
        const CdSetting *s = &v->settings[k];
        size_t i = 0;
        while (i < *nmembers && strcmp(members[i].key, s->name) != 0) i++;
        if (i == *nmembers && !v->declare) {
            status = cdi_model_no_parameter(v->from, s->name);
            continue;
        }
        if (i == *nmembers) ++*nmembers;
        members[i] = s->value;
        members[i].key = s->name;
    }
    return status;
}

// ---- scopes

static const char *copy_text(CdModel *m, const char *text) {
    return cdi_arena_strndup(&m->arena, text, strlen(text));
}

// their texts may belong to a document that does not stay
static CdStatus copy_given(CdModel *m, const CdJson *given, CdJson *copy) {
    CdJson *members = CD_TAKE(&m->arena, CdJson, given->n);
    if (!members) return CD_NOMEM;
    for (size_t i = 0; i < given->n; i++) {
        members[i] = given->items[i];
        members[i].key = copy_text(m, members[i].key);
        if (!members[i].key) return CD_NOMEM;
        if (members[i].kind == CD_JSON_STRING) {
            members[i].text = copy_text(m, members[i].text);
            if (!members[i].text) return CD_NOMEM;
        } else if (members[i].kind != CD_JSON_NUMBER) {
            members[i].kind = CD_JSON_NULL; // it will be refused
        }
    }
    *copy = *given;
    copy->key = NULL;
    copy->items = members;
    return CD_OK;
}

CdStatus cdi_scope_parameters(CdModel *m, CdScope *scope, const CdJson *given) {
    if (given->kind == CD_JSON_OBJECT) CD_TRY(copy_given(m, given, &scope->given));
    return cdi_params_read(m->ctx, given, scope->file, &scope->params);
}

// parameters of a scope of the new model, like those of `from` but for what is set
static CdStatus vary_parameters(const Variation *v, const CdScope *from, CdScope *scope) {
    const bool own = from->depth == 0;
    CdJson given = from->given;
    const size_t room = given.n + (own ? (size_t)v->n : 0);
    if (room == 0) return CD_OK;
    CdJson *members = CD_TAKE(&v->to->arena, CdJson, room);
    if (!members) return CD_NOMEM;
    for (size_t i = 0; i < given.n; i++) members[i] = from->given.items[i];
    if (own) CD_TRY(apply(v, members, &given.n));
    if (scope->include) {
        CD_TRY(cdi_include_override(v->to->ctx, scope->include, members, given.n));
    }
    given.kind = CD_JSON_OBJECT;
    given.items = members;
    return cdi_scope_parameters(v->to, scope, &given);
}

static CdStatus vary_include(const Variation *v, const CdScope *from) {
    const CdScope *outer = v->to->scopes.v[from->outer->index];
    const CdSource source = {
        .file = outer->file, .params = outer->params, .no_files = v->to->no_files};
    CdObject *include;
    CdScope *scope = NULL;
    // of an Include that was refused only the prefix is left
    if (!from->include) {
        return cdi_scope_new(v->to, outer, NULL, from->prefix + strlen(outer->prefix), &scope);
    }
    CD_TRY(cdi_object_again(from->include, &source, &include));
    const CdStatus status = cdi_include_scope(v->to, outer, include, &scope);
    if (!scope || scope->include != include) cdi_object_free(include);
    return status == CD_OK ? vary_parameters(v, from, scope) : status;
}

static CdStatus vary_scopes(const Variation *v) {
    CdScope *first = v->to->scopes.v[0];
    first->file = v->to->file = v->from->file;
    CD_TRY(vary_parameters(v, v->from->scopes.v[0], first));
    v->to->params = first->params;
    // outer ones come before those inside
    for (size_t k = 1; k < v->from->scopes.n; k++) {
        CD_TRY(vary_include(v, v->from->scopes.v[k]));
    }
    return CD_OK;
}

// ---- items

static CdStatus vary_item(const Variation *v, const CdItem *from) {
    const CdScope *scope = v->to->scopes.v[from->scope->index];
    const CdSource source = {
        .file = scope->file, .params = scope->params, .no_files = v->to->no_files, .sensors = true};
    CdObject *object;
    CD_TRY(cdi_object_again(from->object, &source, &object));
    const CdStatus status = cdi_model_put(v->to, from->cls, object, scope, NULL);
    if (status != CD_OK) cdi_object_free(object);
    return status;
}

// the ground is there
static CdStatus vary_items(const Variation *v) {
    CdStatus status = CD_OK;
    for (size_t i = 1; i < v->from->items.n; i++) {
        CD_COLLECT(status, vary_item(v, v->from->items.v[i]));
    }
    return status;
}

static CdStatus vary(const CdModel *m, const CdSetting *settings, int n, bool declare,
                     CdModel **variant) {
    CD_TRY(cdi_model_new(m->ctx, variant));
    const Variation v = {m, *variant, settings, n, declare};
    (*variant)->no_files = m->no_files;
    CdStatus status = vary_scopes(&v);
    if (status == CD_OK) status = vary_items(&v);
    if (status != CD_OK) {
        cdi_model_free(*variant);
        *variant = NULL;
    }
    return status;
}

CdStatus cdi_model_vary(const CdModel *m, const CdSetting *settings, int n, CdModel **variant) {
    CD_TRY(vary(m, settings, n, false, variant));
    const CdStatus status = cdi_model_resolve(*variant);
    if (status != CD_OK) {
        cdi_model_free(*variant);
        *variant = NULL;
    }
    return status;
}

// ---- in place

static void exchange_objects(CdObject **a, CdObject **b) {
    CdObject *kept = *a;
    *a = *b;
    *b = kept;
}

// what follows from parameters; `b` keeps the rest of `a`
static void exchange_scopes(CdScope *a, CdScope *b, const CdJson *given) {
    CdParams *params = a->params;
    exchange_objects(&a->include, &b->include);
    a->params = b->params;
    b->params = params;
    a->given = *given;
    a->pose = b->pose;
    memcpy(a->quat_wxyz, b->quat_wxyz, sizeof a->quat_wxyz);
    a->moved = b->moved;
}

static CdStatus exchange(CdModel *m, CdModel *variant) {
    CdJson *given = CD_TAKE(&m->arena, CdJson, m->scopes.n);
    if (!given) return CD_NOMEM;
    for (size_t k = 0; k < m->scopes.n; k++) {
        CD_TRY(copy_given(m, &variant->scopes.v[k]->given, &given[k]));
    }
    for (size_t k = 0; k < m->scopes.n; k++) {
        exchange_scopes(m->scopes.v[k], variant->scopes.v[k], &given[k]);
    }
    for (size_t i = 1; i < m->items.n; i++) {
        exchange_objects(&m->items.v[i]->object, &variant->items.v[i]->object);
    }
    m->params = m->scopes.v[0]->params;
    m->names = NULL; // they are texts of objects
    m->resolved = false;
    return CD_OK;
}

CdStatus cdi_model_set(CdModel *m, const CdSetting *settings, int n, bool declare) {
    CdModel *variant;
    CD_TRY(vary(m, settings, n, declare, &variant));
    const CdStatus status = exchange(m, variant);
    cdi_model_free(variant);
    return status;
}
