// model.c - a model's life, its items, and how they are found by name
#include <string.h>

#include "model/names.h"

static CdStatus fill(CdModel *m) {
    CdScope *scope;
    CdItem *ground;
    CD_TRY(cdi_scope_new(m, NULL, NULL, "", &scope));
    return cdi_model_add(m, "Ground", "ground", &ground);
}

CdStatus cdi_model_new(CdContext *ctx, CdModel **model) {
    CdModel *m = *model = cdi_alloc(ctx, sizeof *m);
    if (!m) return CD_NOMEM;
    *m = (CdModel){.ctx = ctx};
    cdi_arena_init(&m->arena, ctx, 0);
    const CdStatus status = fill(m);
    m->entries.n = 0; // the ground is not written
    if (status != CD_OK) {
        cdi_model_free(m);
        *model = NULL;
    }
    return status;
}

void cdi_model_free(CdModel *m) {
    if (!m) return;
    CdContext *ctx = m->ctx;
    for (size_t i = 0; i < m->items.n; i++) {
        cdi_object_free(m->items.v[i]->object);
        cdi_object_free(m->items.v[i]->placed);
    }
    for (size_t i = 0; i < m->docs.n; i++) cdi_json_free(m->docs.v[i]);
    for (size_t i = 0; i < m->scopes.n; i++) {
        cdi_params_free(ctx, m->scopes.v[i]->params);
        cdi_object_free(m->scopes.v[i]->include);
    }
    for (int c = 0; c < CD_NCATEGORIES; c++) cdi_array_free(ctx, &m->of[c].any);
    CdArray *arrays[] = {&m->items.any,   &m->markers.any, &m->coordinates.any,
                         &m->refused.any, &m->entries.any, &m->docs.any,
                         &m->scopes.any,  &m->lost.any,    &m->order.any};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cdi_array_free(ctx, arrays[i]);
    cdi_json_free(m->json);
    cdi_arena_clear(&m->arena);
    cdi_free(ctx, m);
}

CdStatus cdi_scope_new(CdModel *m, const CdScope *outer, const char *file, const char *prefix,
                       CdScope **scope) {
    const char *before = outer ? outer->prefix : "";
    const size_t n = strlen(before), k = strlen(prefix);
    CdScope *s = *scope = CD_TAKE(&m->arena, CdScope, 1);
    char *full = cdi_arena_alloc(&m->arena, n + k + 1, 1);
    if (!s || !full) return CD_NOMEM;
    memcpy(full, before, n);
    memcpy(full + n, prefix, k);
    *s = (CdScope){.outer = outer,
                   .prefix = full,
                   .index = (int)m->scopes.n,
                   .depth = outer ? outer->depth + 1 : 0};
    s->quat_wxyz[0] = 1;
    eye33(s->pose.R);
    if (file) {
        s->file = cdi_arena_strndup(&m->arena, file, strlen(file));
        if (!s->file) return CD_NOMEM;
    }
    return CD_PUSH(m->ctx, m->scopes, s);
}

// items that stand in the file itself are remembered for writing
static CdStatus append(CdModel *m, CdItem *it) {
    CD_TRY(CD_PUSH(m->ctx, m->of[it->cls->category], it));
    CdStatus status = CD_PUSH(m->ctx, m->items, it);
    if (status == CD_OK && it->scope->depth == 0) {
        status = CD_PUSH(m->ctx, m->entries, ((CdEntry){.item = it}));
        if (status != CD_OK) m->items.n--;
    }
    if (status != CD_OK) m->of[it->cls->category].n--;
    return status;
}

CdStatus cdi_model_put(CdModel *m, const CdItemClass *cls, CdObject *object, const CdScope *scope,
                       CdItem **item) {
    CdItem *it = CD_TAKE(&m->arena, CdItem, 1);
    if (!it) return CD_NOMEM;
    *it = (CdItem){.model = m,
                   .cls = cls,
                   .object = object,
                   .scope = scope,
                   .index = (int)m->of[cls->category].n,
                   .marker = {-1, -1}};
    CD_TRY(append(m, it));
    m->names = NULL;
    m->resolved = false;
    if (item) *item = it;
    return CD_OK;
}

CdStatus cdi_model_class(CdContext *ctx, const CdPlace *place, const char *name,
                         const CdItemClass **cls) {
    CdSuggestion s = {.word = name};
    *cls = cdi_item_class(name);
    if (*cls) return CD_OK;
    for (const CdItemClass *const *c = cd_item_classes; *c; c++) {
        cdi_suggest_from(&s, (*c)->desc.name);
    }
    cdi_suggest_from(&s, cd_include.name);
    if (strcmp(name, cd_run.name) == 0) {
        return cdi_fail_at(ctx, CD_NOTFOUND, place, "a run is no item; it stands among the runs");
    }
    return cdi_fail_at(ctx, CD_NOTFOUND, place, "there is no class '%s'%s%s%s", name,
                       s.name ? "; did you mean '" : "; 'cardan help' lists them",
                       s.name ? s.name : "", s.name ? "'?" : "");
}

CdStatus cdi_model_add(CdModel *m, const char *cls_name, const char *name, CdItem **item) {
    const CdItemClass *cls;
    CdObject *object;
    *item = NULL;
    CD_TRY(cdi_model_class(m->ctx, NULL, cls_name, &cls));
    CD_TRY(cdi_object_new(m->ctx, &cls->desc, name, &object));
    const CdStatus status = cdi_model_put(m, cls, object, m->scopes.v[0], item);
    if (status != CD_OK) cdi_object_free(object);
    return status;
}

const char *cdi_item_name(const CdItem *item) {
    const char *name = cdi_object_name(item->object);
    return name ? name : "";
}

CdItem *cdi_model_find(const CdModel *m, const char *name) {
    if (m->names) {
        const CdName *found = cdi_names_find(m, name);
        return found ? found->item : NULL;
    }
    for (size_t i = 0; i < m->items.n; i++) {
        if (strcmp(cdi_item_name(m->items.v[i]), name) == 0) return m->items.v[i];
    }
    return NULL;
}

const CdBodyLaw *cdi_model_body(const CdModel *m, int body) {
    return m->of[CD_BODY].v[body]->cls->body;
}

CdStatus cdi_item_complain(const CdItem *item, const char *field, const char *fmt, ...) {
    const CdPlace place = cdi_object_place(item->object, field);
    va_list args;
    va_start(args, fmt);
    cdi_vfail_at(item->model->ctx, CD_INVALID, &place, fmt, args);
    va_end(args);
    return CD_INVALID;
}

void *cdi_item_member(const CdItem *item, const char *field) {
    const CdField *f = cdi_desc_field(&item->cls->desc, field);
    return f ? (char *)item->data + f->offset : NULL;
}
