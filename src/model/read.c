// read.c - models from JSON: {"cardan": 1, "parameters": {}, "items": [], "runs": []}
#include <string.h>

#include "model/build.h"

#define FORMAT_VERSION 1

static const char *const keys[] = {"cardan", "parameters", "items", "events", "runs"};
enum { NKEYS = sizeof keys / sizeof *keys };

static CdPlace place_of(const CdModel *m, const CdJson *json) {
    return (CdPlace){.file = m->file, .line = json->line, .col = json->col};
}

static CdStatus check_keys(CdModel *m, const CdJson *root) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < root->n; i++) {
        const CdJson *member = &root->items[i];
        bool known = false;
        for (int k = 0; k < NKEYS; k++) known = known || strcmp(member->key, keys[k]) == 0;
        if (known) continue;
        const char *near = cdi_suggest(member->key, keys, NKEYS);
        const CdPlace place = {.file = m->file, .line = member->key_line, .col = member->key_col};
        status = cdi_fail_at(m->ctx, CD_INVALID, &place, "unknown key '%s'%s%s%s", member->key,
                             near ? "; did you mean '"
                                  : "; a model has cardan, parameters, items, "
                                    "events and runs",
                             near ? near : "", near ? "'?" : "");
    }
    return status;
}

static CdStatus check_version(CdModel *m, const CdJson *root) {
    const CdJson *version = cdi_json_get(root, "cardan");
    const CdPlace place = place_of(m, version ? version : root);
    if (!version) {
        return cdi_fail_at(m->ctx, CD_INVALID, &place,
                           "this is no model: the key \"cardan\" is missing; write \"cardan\": 1");
    }
    if (version->kind == CD_JSON_NUMBER && version->number == FORMAT_VERSION) return CD_OK;
    return cdi_fail_at(m->ctx, CD_INVALID, &place,
                       "\"cardan\" must be %d, the version of the format", FORMAT_VERSION);
}

// the array under a key, NULL if there is none
static CdStatus array_at(CdModel *m, const CdJson *root, const char *key, const CdJson **array) {
    *array = cdi_json_get(root, key);
    if (!*array || (*array)->kind == CD_JSON_ARRAY) return CD_OK;
    const CdPlace place = place_of(m, *array);
    *array = NULL;
    return cdi_fail_at(m->ctx, CD_INVALID, &place, "\"%s\" must be an array", key);
}

static CdStatus read_item(CdModel *m, const CdJson *json, const CdSource *source) {
    const CdPlace place = place_of(m, json);
    const CdJson *name = cdi_json_get(json, "class");
    const CdItemClass *cls;
    CdObject *object;
    if (json->kind != CD_JSON_OBJECT || !name || name->kind != CD_JSON_STRING) {
        return cdi_fail_at(m->ctx, CD_INVALID, &place,
                           "an item must be an object that names its class: {\"class\": "
                           "\"RigidBody\", \"name\": \"link\"}");
    }
    const CdPlace at = place_of(m, name);
    CD_TRY(cdi_model_class(m->ctx, &at, name->text, &cls));
    CD_TRY(cdi_object_read(m->ctx, &cls->desc, json, source, &object));
    const CdStatus status = cdi_model_put(m, cls, object, NULL);
    if (status != CD_OK) cdi_object_free(object);
    return status;
}

static CdStatus read_items(CdModel *m, const CdJson *items) {
    const CdSource source = {.file = m->file, .params = m->params};
    CdStatus status = CD_OK;
    for (size_t i = 0; items && i < items->n; i++) {
        CD_COLLECT(status, read_item(m, &items->items[i], &source));
    }
    return status;
}

static CdStatus read_root(CdModel *m) {
    const CdJson *root = cdi_json_root(m->json), *items, *events, *params;
    CdStatus status = CD_OK;
    if (root->kind != CD_JSON_OBJECT) {
        const CdPlace place = place_of(m, root);
        return cdi_fail_at(m->ctx, CD_INVALID, &place, "a model must be an object, not %s",
                           cdi_json_kind_name(root->kind));
    }
    CD_TRY(check_version(m, root));
    CD_COLLECT(status, check_keys(m, root));
    params = cdi_json_get(root, "parameters");
    if (params) CD_TRY(cdi_params_read(m->ctx, params, m->file, &m->params));
    CD_COLLECT(status, array_at(m, root, "items", &items));
    CD_COLLECT(status, array_at(m, root, "runs", &m->runs));
    CD_COLLECT(status, array_at(m, root, "events", &events));
    if (events && events->n > 0) {
        const CdPlace place = place_of(m, events);
        status = cdi_fail_at(m->ctx, CD_INVALID, &place, "events are not supported yet");
    }
    CD_COLLECT(status, read_items(m, items));
    return status;
}

// doc is the model's from here on
static CdStatus read_doc(CdContext *ctx, CdJsonDoc *doc, CdModel **model) {
    const CdStatus made = cdi_model_new(ctx, model);
    if (made != CD_OK) {
        cdi_json_free(doc);
        return made;
    }
    CdModel *m = *model;
    m->json = doc;
    m->file = cdi_json_file(doc);
    CdStatus status = read_root(m);
    // references are looked at even if items are wrong, so that all mistakes are told at once
    if (status == CD_OK || status == CD_INVALID || status == CD_NOTFOUND) {
        const CdStatus resolved = cdi_model_resolve(m);
        if (resolved != CD_OK) status = resolved;
    }
    if (status != CD_OK) {
        cdi_model_free(m);
        *model = NULL;
    }
    return status;
}

CdStatus cdi_model_read_file(CdContext *ctx, const char *path, CdModel **model) {
    CdJsonDoc *doc;
    *model = NULL;
    CD_TRY(cdi_json_read_file(ctx, path, CD_JSON_LIMITS, &doc));
    return read_doc(ctx, doc, model);
}

CdStatus cdi_model_read_text(CdContext *ctx, const char *text, size_t n, const char *file,
                             CdModel **model) {
    CdJsonDoc *doc;
    *model = NULL;
    CD_TRY(cdi_json_read(ctx, file, text, n, CD_JSON_LIMITS, &doc));
    return read_doc(ctx, doc, model);
}
