// resolve.c - names to items, markers to places on bodies; every mistake is reported
//
// Categories follow each other so that an item only refers to those before it; one that is broken
// breaks those who refer to it, without a further word.
#include <string.h>

#include "model/names.h"

static CdStatus set_target(CdModel *m, const CdItem *item, const CdField *f, CdRef *ref,
                           const CdItem *target) {
    const char *category = cdi_category_names[target->cls->category];
    const char *name = cdi_item_name(target);
    if (strcmp(category, f->target) != 0) {
        return cdi_item_complain(item, f->name, "must name a %s; '%s' is a %s", f->target,
                                 ref->name, category);
    }
    ref->target = target;
    if (strcmp(name, ref->name) == 0) return CD_OK;
    // from the inside of a sub-model: the full name
    char *full = cdi_strdup(m->ctx, name);
    if (!full) return CD_NOMEM;
    cdi_free(m->ctx, ref->name);
    ref->name = full;
    return CD_OK;
}

static CdStatus find_target(CdModel *m, const CdItem *item, const CdField *f, CdRef *ref) {
    const CdName *name;
    if (!ref->name) return CD_OK;
    CD_TRY(cdi_names_lookup(m, item->scope, ref->name, &name));
    if (!name && cdi_names_lost(m, item->scope, ref->name)) return CD_INVALID;
    if (!name) return cdi_names_unknown(m, item, f, ref->name);
    if (!name->item) return CD_INVALID;
    CD_TRY(set_target(m, item, f, ref, name->item));
    return name->item->broken ? CD_INVALID : CD_OK;
}

// rows of type REF at the top of the struct; nested objects hold none
static CdStatus find_targets(CdModel *m, const CdItem *item) {
    CdStatus status = CD_OK;
    for (int k = 0; k < item->cls->desc.nfields; k++) {
        const CdField *f = &item->cls->desc.fields[k];
        char *member = (char *)item->data + f->offset;
        if (f->type != CD_TYPE_REF) continue;
        CdList *list = (CdList *)(void *)member;
        const int n = f->list ? list->n : 1;
        CdRef *refs = f->list ? list->v : (CdRef *)(void *)member;
        for (int i = 0; i < n; i++) CD_COLLECT(status, find_target(m, item, f, &refs[i]));
    }
    return status;
}

static CdStatus check_object(const CdModel *m, CdItem *item) {
    const CdSource source = {.file = item->scope->file,
                             .params = item->scope->params,
                             .no_files = m->no_files,
                             .sensors = true};
    if (!cdi_object_data(item->object)) CD_TRY(cdi_object_check(item->object, &source));
    item->data = cdi_object_data(item->object);
    cdi_object_free(item->placed);
    item->placed = NULL;
    item->moved = false;
    if (!item->scope->moved) return CD_OK;
    CD_TRY(cdi_object_again(item->object, &source, &item->placed));
    item->data = cdi_object_data(item->placed);
    return CD_OK;
}

static CdStatus resolve_item(CdModel *m, CdItem *item) {
    CD_TRY(check_object(m, item));
    CD_TRY(find_targets(m, item));
    if (item->placed) CD_TRY(cdi_item_move(item));
    if (item->cls->category == CD_MARKER) return cdi_item_place(m, item);
    return item->cls->category > CD_MARKER ? cdi_item_connect(m, item) : CD_OK;
}

static void sum_gravity(CdModel *m) {
    zero3(m->gravity);
    for (size_t i = 0; i < m->of[CD_LOAD].n; i++) {
        const CdItem *item = m->of[CD_LOAD].v[i];
        if (!item->cls->gravity) continue;
        const double *g = item->cls->gravity(item->data);
        for (int k = 0; k < 3; k++) m->gravity[k] += g[k];
    }
}

// joints that drive a coordinate of another joint come after all others
static bool is_driver(const CdItem *item) {
    return item->cls->category == CD_JOINT && cdi_desc_field(&item->cls->desc, "joint");
}

static CdStatus resolve_items(CdModel *m, CdCategory category, bool drivers) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < m->of[category].n; i++) {
        CdItem *item = m->of[category].v[i];
        if (is_driver(item) != drivers) continue;
        const CdStatus one = resolve_item(m, item);
        item->broken = one != CD_OK;
        CD_COLLECT(status, one);
    }
    return status;
}

CdStatus cdi_model_resolve(CdModel *m) {
    CdStatus status = CD_OK;
    if (m->resolved) return CD_OK;
    m->markers.n = m->coordinates.n = 0;
    CD_COLLECT(status, cdi_names_sort(m));
    for (CdCategory c = 0; c < CD_NCATEGORIES; c++) {
        CD_COLLECT(status, resolve_items(m, c, false));
        if (c == CD_JOINT) CD_COLLECT(status, resolve_items(m, c, true));
    }
    CD_COLLECT(status, cdi_signals_resolve(m));
    if (status != CD_OK) return status;
    sum_gravity(m);
    m->resolved = true;
    return CD_OK;
}
