// model.c - a model's life, its items, and how they are found by name
#include "model/model.h"

#include <string.h>

CdStatus cdi_model_new(CdContext *ctx, CdModel **model) {
    CdModel *m = *model = cdi_alloc(ctx, sizeof *m);
    if (!m) return CD_NOMEM;
    *m = (CdModel){.ctx = ctx};
    cdi_arena_init(&m->arena, ctx, 0);
    CdItem *ground;
    const CdStatus status = cdi_model_add(m, "Ground", "ground", &ground);
    if (status != CD_OK) {
        cdi_model_free(m);
        *model = NULL;
    }
    return status;
}

void cdi_model_free(CdModel *m) {
    if (!m) return;
    CdContext *ctx = m->ctx;
    for (size_t i = 0; i < m->items.n; i++) cdi_object_free(m->items.v[i]->object);
    for (int c = 0; c < CD_NCATEGORIES; c++) cdi_array_free(ctx, &m->of[c].any);
    cdi_array_free(ctx, &m->items.any);
    cdi_array_free(ctx, &m->markers.any);
    cdi_array_free(ctx, &m->coordinates.any);
    cdi_params_free(ctx, m->params);
    cdi_json_free(m->json);
    cdi_arena_clear(&m->arena);
    cdi_free(ctx, m);
}

CdStatus cdi_model_put(CdModel *m, const CdItemClass *cls, CdObject *object, CdItem **item) {
    CdItem *it = CD_TAKE(&m->arena, CdItem, 1);
    if (!it) return CD_NOMEM;
    *it = (CdItem){
        .cls = cls, .object = object, .index = (int)m->of[cls->category].n, .marker = {-1, -1}};
    CD_TRY(CD_PUSH(m->ctx, m->of[cls->category], it));
    if (CD_PUSH(m->ctx, m->items, it) != CD_OK) {
        m->of[cls->category].n--;
        return CD_NOMEM;
    }
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
    const CdStatus status = cdi_model_put(m, cls, object, item);
    if (status != CD_OK) cdi_object_free(object);
    return status;
}

const char *cdi_item_name(const CdItem *item) {
    const char *name = cdi_object_name(item->object);
    return name ? name : "";
}

CdItem *cdi_model_find(const CdModel *m, const char *name) {
    if (!m->by_name) {
        size_t i = 0;
        while (i < m->items.n && strcmp(cdi_item_name(m->items.v[i]), name) != 0) i++;
        return i < m->items.n ? m->items.v[i] : NULL;
    }
    size_t lo = 0, hi = m->items.n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (strcmp(cdi_item_name(m->by_name[mid]), name) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < m->items.n && strcmp(cdi_item_name(m->by_name[lo]), name) == 0 ? m->by_name[lo]
                                                                               : NULL;
}

const CdBodyLaw *cdi_model_body(const CdModel *m, int body) {
    return m->of[CD_BODY].v[body]->cls->body;
}
