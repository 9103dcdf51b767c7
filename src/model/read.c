// read.c - models from JSON: {"cardan": 1, "parameters": {}, "items": [], "runs": []}
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "model/build.h"
#include "model/report.h"

#define FORMAT_VERSION 1

// a model of more is no longer one that items are looked at one by one in
#define ITEMS_MAX 500000
#define RUNS_MAX 1000

// of text that nobody vouches for
#define FOREIGN_LIMITS ((CdJsonLimits){.bytes = (size_t)1 << 20, .values = 20000, .depth = 32})

static const char *const keys[] = {"cardan", "parameters", "items", "events", "runs"};
enum { NKEYS = sizeof keys / sizeof *keys };

static CdPlace place_of(const CdScope *scope, const CdJson *json) {
    return (CdPlace){.file = scope->file, .line = json->line, .col = json->col};
}

// ---- the frame

static CdStatus check_keys(CdModel *m, const CdScope *scope, const CdJson *root) {
    CdStatus status = CD_OK;
    char shown[CD_SHOWN_MAX];
    for (size_t i = 0; i < root->n; i++) {
        const CdJson *member = &root->items[i];
        bool known = false;
        for (int k = 0; k < NKEYS; k++) known = known || strcmp(member->key, keys[k]) == 0;
        if (known) continue;
        const char *near = cdi_suggest(member->key, keys, NKEYS);
        const CdPlace place = {
            .file = scope->file, .line = member->key_line, .col = member->key_col};
        status = cdi_fail_at(
            m->ctx, CD_INVALID, &place, "unknown key '%s'%s%s%s", cdi_shown(member->key, shown),
            near ? "; did you mean '" : "; a model has cardan, parameters, items, events and runs",
            near ? near : "", near ? "'?" : "");
    }
    return status;
}

static CdStatus check_version(CdModel *m, const CdScope *scope, const CdJson *root) {
    const CdJson *version = cdi_json_get(root, "cardan");
    const CdPlace place = place_of(scope, version ? version : root);
    if (!version) {
        return cdi_fail_at(m->ctx, CD_INVALID, &place,
                           "this is no model: the key \"cardan\" is missing; write \"cardan\": 1");
    }
    if (version->kind == CD_JSON_NUMBER && version->number == FORMAT_VERSION) return CD_OK;
    return cdi_fail_at(m->ctx, CD_INVALID, &place,
                       "\"cardan\" must be %d, the version of the format", FORMAT_VERSION);
}

// the array under a key, NULL if there is none
static CdStatus array_at(CdModel *m, const CdScope *scope, const CdJson *root, const char *key,
                         const CdJson **array) {
    *array = cdi_json_get(root, key);
    if (!*array || (*array)->kind == CD_JSON_ARRAY) return CD_OK;
    const CdPlace place = place_of(scope, *array);
    const CdJsonKind kind = (*array)->kind;
    *array = NULL;
    return cdi_fail_at(m->ctx, CD_INVALID, &place, "\"%s\" must be an array, not %s", key,
                       cdi_json_kind_name(kind));
}

// ---- items

// does an expression use one of these names?
static bool uses(const char *text, const CdJson *names) {
    for (const char *p = text; *p;) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
        for (size_t i = 0; n > 0 && i < names->n; i++) {
            const char *name = names->items[i].key;
            if (strlen(name) == n && strncmp(name, p, n) == 0) return true;
        }
        p += n > 0 ? n : 1;
    }
    return false;
}

static bool depends(const CdJson *json, const CdJson *names) {
    if (json->kind == CD_JSON_STRING) return uses(json->text, names);
    if (json->kind != CD_JSON_ARRAY && json->kind != CD_JSON_OBJECT) return false;
    for (size_t i = 0; i < json->n; i++) {
        if (depends(&json->items[i], names)) return true;
    }
    return false;
}

// others may refer to it all the same
static CdStatus refuse(CdModel *m, const CdScope *scope, const CdJson *json, CdStatus status) {
    const CdJson *name = cdi_json_get(json, "name");
    if (status == CD_NOMEM || !name || name->kind != CD_JSON_STRING) return status;
    const size_t n = strlen(scope->prefix), k = strlen(name->text);
    char *text = cdi_arena_alloc(&m->arena, n + k + 1, 1);
    if (!text) return CD_NOMEM;
    memcpy(text, scope->prefix, n);
    memcpy(text + n, name->text, k);
    const CdName refused = {
        .text = text, .file = scope->file, .line = json->line, .col = json->col};
    CD_TRY(CD_PUSH(m->ctx, m->refused, refused));
    return status;
}

static CdStatus rename_item(CdModel *m, const CdScope *scope, CdObject *object) {
    const char *name = cdi_object_name(object);
    CdText full;
    if (!*scope->prefix || !name) return CD_OK;
    cdi_text_init(&full, m->ctx);
    cdi_text_add(&full, scope->prefix);
    cdi_text_add(&full, name);
    const CdStatus status = full.status == CD_OK ? cdi_object_rename(object, full.v) : CD_NOMEM;
    cdi_text_free(&full);
    return status;
}

static CdStatus read_fields(CdModel *m, const CdScope *scope, const CdItemClass *cls,
                            const CdJson *json) {
    const CdSource source = {
        .file = scope->file, .params = scope->params, .no_files = m->no_files, .sensors = true};
    CdObject *object;
    CD_TRY(cdi_object_read(m->ctx, &cls->desc, json, &source, &object));
    if (scope->depth > 0 && cls->gravity) {
        cdi_object_free(object);
        return CD_OK;
    }
    CdStatus status = rename_item(m, scope, object);
    if (status == CD_OK) status = cdi_model_put(m, cls, object, scope, NULL);
    if (status != CD_OK) cdi_object_free(object);
    return status;
}

static CdStatus read_item(CdModel *m, const CdScope *scope, const CdJson *json) {
    const CdPlace place = place_of(scope, json);
    const CdJson *name = cdi_json_get(json, "class");
    const CdItemClass *cls;
    if (json->kind != CD_JSON_OBJECT || !name || name->kind != CD_JSON_STRING) {
        return cdi_fail_at(m->ctx, CD_INVALID, &place,
                           "an item must be an object that names its class: {\"class\": "
                           "\"RigidBody\", \"name\": \"link\"}");
    }
    if (m->items.n >= ITEMS_MAX) {
        return cdi_fail_at(m->ctx, CD_LIMIT, &place, "more than %d items", ITEMS_MAX);
    }
    if (scope->guess && depends(json, &scope->given)) return CD_INVALID;
    if (strcmp(name->text, cd_include.name) == 0) return cdi_model_include(m, scope, json);
    const CdPlace at = place_of(scope, name);
    CD_TRY(cdi_model_class(m->ctx, &at, name->text, &cls));
    return read_fields(m, scope, cls, json);
}

CdStatus cdi_model_read_item(CdModel *m, const CdScope *scope, const CdJson *json) {
    const CdStatus status = read_item(m, scope, json);
    return status == CD_OK ? CD_OK : refuse(m, scope, json, status);
}

static CdStatus read_items(CdModel *m, const CdScope *scope, const CdJson *items) {
    CdStatus status = CD_OK;
    for (size_t i = 0; items && i < items->n && status != CD_LIMIT; i++) {
        CD_COLLECT(status, cdi_model_read_item(m, scope, &items->items[i]));
    }
    return status;
}

// ---- the rest

static CdStatus read_params(CdModel *m, CdScope *scope, const CdJson *root) {
    const CdJson *given = cdi_json_get(root, "parameters");
    if (!given) return CD_OK;
    const CdStatus status = cdi_scope_parameters(m, scope, given);
    scope->guess = status != CD_OK && given->kind == CD_JSON_OBJECT;
    return status;
}

// the name of a run, NULL if it has none
static const char *run_name(const CdJson *run) {
    const CdJson *name = cdi_json_get(run, "name");
    return name && name->kind == CD_JSON_STRING ? name->text : NULL;
}

static CdStatus check_run_name(CdModel *m, const CdScope *scope, const CdJson *runs, size_t i) {
    const char *name = run_name(&runs->items[i]);
    char shown[CD_SHOWN_MAX];
    for (size_t k = 0; name && k < i; k++) {
        if (!cdi_equal(name, run_name(&runs->items[k]))) continue;
        const CdPlace place = place_of(scope, &runs->items[i]);
        return cdi_fail_at(m->ctx, CD_INVALID, &place,
                           "there are two runs '%s'; give each a name of its own",
                           cdi_shown(name, shown));
    }
    return CD_OK;
}

static CdStatus check_runs(CdModel *m, const CdScope *scope, const CdJson *runs) {
    const CdSource source = {.file = scope->file, .params = scope->params, .no_files = true};
    CdStatus status = CD_OK;
    const CdPlace place = place_of(scope, runs);
    if (runs->n > RUNS_MAX) {
        return cdi_fail_at(m->ctx, CD_LIMIT, &place, "more than %d runs", RUNS_MAX);
    }
    for (size_t i = 0; i < runs->n; i++) {
        CdObject *run;
        if (scope->guess && depends(&runs->items[i], &scope->given)) continue;
        CD_COLLECT(status, cdi_object_read(m->ctx, &cd_run, &runs->items[i], &source, &run));
        cdi_object_free(run);
        CD_COLLECT(status, check_run_name(m, scope, runs, i));
    }
    return status;
}

CdStatus cdi_model_set_runs(CdModel *m, const char *json) {
    CdJsonDoc *doc;
    CD_TRY(cdi_json_read(m->ctx, NULL, json, strlen(json), CD_JSON_LIMITS, &doc));
    // runs point into it
    if (CD_PUSH(m->ctx, m->docs, doc) != CD_OK) {
        cdi_json_free(doc);
        return CD_NOMEM;
    }
    const CdJson *runs = cdi_json_root(doc);
    if (runs->kind != CD_JSON_ARRAY) {
        return cdi_fail(m->ctx, CD_INVALID, "runs must be a list, not %s",
                        cdi_json_kind_name(runs->kind));
    }
    CD_TRY(check_runs(m, m->scopes.v[0], runs));
    m->runs = runs->n > 0 ? runs : NULL;
    return CD_OK;
}

CdStatus cdi_model_read_root(CdModel *m, CdScope *scope, const CdJson *root) {
    const CdJson *items, *events, *runs;
    CdStatus status = CD_OK;
    if (root->kind != CD_JSON_OBJECT) {
        const CdPlace place = place_of(scope, root);
        return cdi_fail_at(m->ctx, CD_INVALID, &place, "a model must be an object, not %s",
                           cdi_json_kind_name(root->kind));
    }
    CD_TRY(check_version(m, scope, root));
    CD_COLLECT(status, check_keys(m, scope, root));
    CD_COLLECT(status, read_params(m, scope, root));
    CD_COLLECT(status, array_at(m, scope, root, "items", &items));
    CD_COLLECT(status, array_at(m, scope, root, "runs", &runs));
    CD_COLLECT(status, array_at(m, scope, root, "events", &events));
    if (events && events->n > 0) {
        const CdPlace place = place_of(scope, events);
        status = cdi_fail_at(m->ctx, CD_INVALID, &place, "events are not supported yet");
    }
    if (runs) CD_COLLECT(status, check_runs(m, scope, runs));
    CD_COLLECT(status, read_items(m, scope, items));
    if (scope->depth == 0) m->runs = runs;
    return status;
}

// ---- whole files

static CdStatus read_model(CdModel *m) {
    CdScope *scope = m->scopes.v[0];
    scope->file = m->file = cdi_json_file(m->json);
    const CdStatus status = cdi_model_read_root(m, scope, cdi_json_root(m->json));
    m->params = scope->params;
    if (status == CD_NOMEM || status == CD_LIMIT) return status;
    // references are looked at even if items are wrong, so that all mistakes are told at once
    const CdStatus resolved = cdi_model_resolve(m);
    return resolved != CD_OK ? resolved : status;
}

// doc is the model's from here on
static CdStatus read_doc(CdContext *ctx, CdJsonDoc *doc, bool no_files, CdModel **model) {
    const CdStatus made = cdi_model_new(ctx, model);
    if (made != CD_OK) {
        cdi_json_free(doc);
        return made;
    }
    CdModel *m = *model;
    CdReport report;
    m->json = doc;
    m->no_files = no_files;
    cdi_report_begin(&report, ctx, cdi_json_file(doc));
    const CdStatus status = read_model(m);
    cdi_report_end(&report);
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
    return read_doc(ctx, doc, false, model);
}

CdStatus cdi_model_read_text(CdContext *ctx, const char *text, size_t n, const char *file,
                             CdModel **model) {
    CdJsonDoc *doc;
    *model = NULL;
    CD_TRY(cdi_json_read(ctx, file, text, n, CD_JSON_LIMITS, &doc));
    return read_doc(ctx, doc, false, model);
}

CdStatus cdi_model_read_kept(CdContext *ctx, const char *text, size_t n, CdModel **model) {
    CdJsonDoc *doc;
    *model = NULL;
    CD_TRY(cdi_json_read(ctx, NULL, text, n, CD_JSON_LIMITS, &doc));
    return read_doc(ctx, doc, true, model);
}

CdStatus cdi_model_read_foreign(CdContext *ctx, const char *text, size_t n, CdModel **model) {
    CdJsonDoc *doc;
    *model = NULL;
    CD_TRY(cdi_json_read(ctx, NULL, text, n, FOREIGN_LIMITS, &doc));
    return read_doc(ctx, doc, true, model);
}
