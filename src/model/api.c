// api.c - models as the public header offers them
#include <string.h>

#include "base/file.h"
#include "model/names.h"

CdStatus cd_model_new(CdContext *ctx, CdModel **model) {
    return cdi_model_new(ctx, model);
}

CdStatus cd_model_read(CdContext *ctx, const char *path, CdModel **model) {
    return cdi_model_read_file(ctx, path, model);
}

void cd_model_free(CdModel *model) {
    cdi_model_free(model);
}

static CdStatus may_change(const CdModel *m) {
    if (m->users == 0) return CD_OK;
    return cdi_fail(m->ctx, CD_INVALID,
                    "the model is in use by a simulation; free it before the model is changed");
}

CdStatus cd_model_add(CdModel *m, const char *item_class, const char *name, CdItem **item) {
    *item = NULL;
    CD_TRY(may_change(m));
    return cdi_model_add(m, item_class, name, item);
}

// how much there was, to go back to
typedef struct Mark {
    size_t items, entries, refused, lost, scopes;
    int includes;
} Mark;

static void forget_since(CdModel *m, Mark mark) {
    while (m->items.n > mark.items) {
        const CdItem *item = m->items.v[--m->items.n];
        m->of[item->cls->category].n--;
        cdi_object_free(item->object);
    }
    while (m->scopes.n > mark.scopes) {
        const CdScope *scope = m->scopes.v[--m->scopes.n];
        cdi_params_free(m->ctx, scope->params);
        cdi_object_free(scope->include);
    }
    m->includes = mark.includes;
    m->entries.n = mark.entries;
    m->refused.n = mark.refused;
    m->lost.n = mark.lost;
    m->names = NULL;
}

// nothing is left of what is refused
CdStatus cd_model_add_json(CdModel *m, const char *json) {
    const Mark mark = {m->items.n, m->entries.n, m->refused.n, m->lost.n, m->scopes.n, m->includes};
    CdJsonDoc *doc;
    CD_TRY(may_change(m));
    CD_TRY(cdi_json_read(m->ctx, NULL, json, strlen(json), CD_JSON_LIMITS, &doc));
    // entries of includes point into it
    if (CD_PUSH(m->ctx, m->docs, doc) != CD_OK) {
        cdi_json_free(doc);
        return CD_NOMEM;
    }
    const CdStatus status = cdi_model_read_item(m, m->scopes.v[0], cdi_json_root(doc));
    if (status != CD_OK) forget_since(m, mark);
    return status;
}

CdItem *cd_model_find(const CdModel *m, const char *name) {
    return cdi_model_find(m, name);
}

static CdStatus set_parameter(CdModel *m, CdSetting setting) {
    CD_TRY(may_change(m));
    return cdi_model_set(m, &setting, 1, true);
}

CdStatus cd_model_set_parameter(CdModel *m, const char *name, const char *text) {
    return set_parameter(m, cdi_setting_text(name, text));
}

CdStatus cd_model_set_parameter_real(CdModel *m, const char *name, double x) {
    return set_parameter(m, cdi_setting_real(name, x));
}

// the struct of a changed item is only had again after resolve
static CdStatus changed(CdItem *item, CdStatus status) {
    if (status == CD_OK) item->model->resolved = false;
    return status;
}

CdStatus cd_item_set_real(CdItem *item, const char *field, double x) {
    CD_TRY(may_change(item->model));
    return changed(item, cdi_object_set_real(item->object, field, x));
}

CdStatus cd_item_set_reals(CdItem *item, const char *field, const double *x, size_t n) {
    CD_TRY(may_change(item->model));
    return changed(item, cdi_object_set_reals(item->object, field, x, n));
}

CdStatus cd_item_set_text(CdItem *item, const char *field, const char *text) {
    const CdSource source = {
        .file = item->scope->file, .params = item->scope->params, .sensors = true};
    CD_TRY(may_change(item->model));
    return changed(item, cdi_object_set_text(item->object, field, text, &source));
}

CdStatus cd_item_set_json(CdItem *item, const char *field, const char *json) {
    const CdSource source = {
        .file = item->scope->file, .params = item->scope->params, .sensors = true};
    CD_TRY(may_change(item->model));
    return changed(item, cdi_object_set(item->object, field, json, &source));
}

CdStatus cd_item_get_real(const CdItem *item, const char *field, double *x) {
    const bool placed = item->placed && item->model->resolved;
    return cdi_object_get_real(placed ? item->placed : item->object, field, x);
}

CdStatus cd_model_check(CdModel *m) {
    return cdi_model_resolve(m);
}

CdStatus cd_model_write(CdModel *m, const char *path, CdModelForm form) {
    CdText text;
    CdJsonWriter w;
    CD_TRY(cdi_model_resolve(m));
    cdi_text_init(&text, m->ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_model_write(m, &w, form == CD_MODEL_RESOLVED ? CD_NUMBERS : CD_AS_GIVEN);
    cdi_text_add(&text, "\n");
    CdStatus status = text.status;
    if (status == CD_OK) status = cdi_file_write(m->ctx, path, text.v, text.n);
    cdi_text_free(&text);
    return status;
}
