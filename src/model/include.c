// include.c - sub-models: items of another file with a prefix to their names, moved by a pose
//
// Names inside are looked for with the prefix first, then without. The ground is shared; gravity
// and runs of the other file are left out, they belong to the whole.
#include <string.h>

#include "base/file.h"
#include "model/build.h"

#define DEPTH_MAX 16
#define INCLUDES_MAX 10000

// of one included file
#define LIMITS ((CdJsonLimits){.bytes = (size_t)1 << 24, .values = 1000000, .depth = 64})

typedef struct Include {
    CdPath file;
    char *prefix;
    double position[3], orientation[4];
    CdValues parameters;
} Include;

#define FIELD(...) CD_FIELD(Include, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(file, PATH, "", NULL, "", "model whose items are taken, seen from this file"),
    FIELD(prefix, STRING, "", "\"\"", "", "put before the names of its items: \"left.\""),
    FIELD(position, VEC3, "m", "[0, 0, 0]", "", "where its origin is in this model"),
    FIELD(orientation, QUATERNION, "1", "[1, 0, 0, 0]", "", "how its axes stand in this model"),
    FIELD(parameters, VALUES, "", "null", "", "values in place of those that the file gives"),
};

const CdDesc cd_include = {
    .name = "Include",
    .doc = "Items of another model file, with a prefix to their names and moved by a pose",
    .size = sizeof(Include),
    CD_FIELDS(fields),
    .example = "{\"class\": \"Include\", \"file\": \"wheel.json\", \"prefix\": \"left.\", "
               "\"position\": [0, 0.7, 0], \"parameters\": {\"radius\": 0.3}}",
};

static CdStatus complain(const CdModel *m, const CdObject *object, const char *field,
                         const char *text) {
    const CdPlace place = cdi_object_place(object, field);
    return cdi_fail_at(m->ctx, CD_INVALID, &place, "%s", text);
}

// ---- may it be read?

static CdStatus check_cycle(CdModel *m, const CdScope *outer, const CdObject *object,
                            const char *full) {
    const CdScope *s = outer;
    while (s && !cdi_equal(s->file, full)) s = s->outer;
    if (!s) return CD_OK;
    // from the inside out, so the chain is built from its end
    CdText chain, longer;
    cdi_text_init(&chain, m->ctx);
    cdi_text_init(&longer, m->ctx);
    cdi_text_add(&chain, full);
    for (const CdScope *k = outer; k != s->outer; k = k->outer) {
        cdi_text_clear(&longer);
        cdi_text_addf(&longer, "%s -> %s", k->file, chain.v ? chain.v : "");
        const CdText swap = chain;
        chain = longer;
        longer = swap;
    }
    const CdPlace place = cdi_object_place(object, "file");
    cdi_fail_at(m->ctx, CD_INVALID, &place, "includes itself: %s", chain.v ? chain.v : full);
    cdi_text_free(&chain);
    cdi_text_free(&longer);
    return CD_INVALID;
}

static CdStatus check_limits(CdModel *m, const CdScope *outer, const CdObject *object) {
    if (outer->depth >= DEPTH_MAX) {
        return complain(m, object, "file", "is nested too deep; at most 16 files within files");
    }
    if (m->includes++ < INCLUDES_MAX) return CD_OK;
    complain(m, object, "file", "is too much; at most 10000 files may be included");
    return CD_LIMIT;
}

// ---- parameters

static CdStatus unknown_parameter(CdContext *ctx, const CdObject *object, const CdJson *members,
                                  size_t n, const char *name) {
    const CdPlace place = cdi_object_place(object, "parameters");
    CdSuggestion s = {.word = name};
    for (size_t i = 0; i < n; i++) cdi_suggest_from(&s, members[i].key);
    return cdi_fail_at(ctx, CD_INVALID, &place, "the file has no parameter '%s'%s%s%s", name,
                       s.name ? "; did you mean '" : "", s.name ? s.name : "", s.name ? "'?" : "");
}

CdStatus cdi_include_override(CdContext *ctx, const CdObject *include, CdJson *members, size_t n) {
    const CdValues *values = &((const Include *)cdi_object_data(include))->parameters;
    CdStatus status = CD_OK;
    for (int k = 0; k < values->n; k++) {
        size_t i = 0;
        while (i < n && strcmp(members[i].key, values->names[k]) != 0) i++;
        if (i == n) {
            status = unknown_parameter(ctx, include, members, n, values->names[k]);
            continue;
        }
        members[i].kind = CD_JSON_NUMBER;
        members[i].number = values->v[k];
    }
    return status;
}

// members of the root with those parameters that the user gives in place of the file's
static CdStatus override(CdModel *m, const CdObject *object, const CdJson *root, CdJson *out) {
    const CdJson *given = cdi_json_get(root, "parameters");
    const size_t n = given && given->kind == CD_JSON_OBJECT ? given->n : 0;
    CdJson *members = CD_TAKE(&m->arena, CdJson, root->n);
    CdJson *params = CD_TAKE(&m->arena, CdJson, n);
    *out = *root;
    if (!members || !params) return CD_NOMEM;
    if (root->kind != CD_JSON_OBJECT) return CD_OK;
    for (size_t i = 0; i < root->n; i++) members[i] = root->items[i];
    for (size_t i = 0; i < n; i++) params[i] = given->items[i];
    if (n > 0) members[given - root->items].items = params;
    out->items = members;
    return cdi_include_override(m->ctx, object, params, n);
}

// ---- reading

static CdStatus read_file(CdModel *m, const char *full, CdJsonDoc **doc) {
    char *text;
    size_t n;
    CD_TRY(cdi_file_read_ordinary(m->ctx, full, LIMITS.bytes, &text, &n));
    const CdStatus status = cdi_json_read(m->ctx, full, text, n, LIMITS, doc);
    cdi_free(m->ctx, text);
    return status;
}

CdStatus cdi_include_scope(CdModel *m, const CdScope *outer, CdObject *object, CdScope **scope) {
    const Include *include = cdi_object_data(object);
    CdFrame pose;
    double q[4];
    CD_TRY(cdi_scope_new(m, outer, include->file.full, include->prefix, scope));
    (*scope)->include = object;
    copy3(include->position, pose.p);
    quat_to_mat(include->orientation, pose.R);
    frame_compose(&outer->pose, &pose, &(*scope)->pose);
    quat_mul(outer->quat_wxyz, include->orientation, q);
    quat_unit(q, (*scope)->quat_wxyz);
    const double none[7] = {0, 0, 0, 1, 0, 0, 0};
    (*scope)->moved = outer->moved || memcmp(include->position, none, sizeof pose.p) != 0 ||
                      memcmp(include->orientation, none + 3, sizeof q) != 0;
    return CD_OK;
}

static CdStatus read_scope(CdModel *m, const CdObject *object, CdScope *scope) {
    CdJsonDoc *doc = NULL;
    CdJson root;
    CdStatus status = read_file(m, scope->file, &doc);
    if (status == CD_NOMEM) return status;
    if (status != CD_OK) {
        CdStatus lost = CD_PUSH(m->ctx, m->lost, scope->prefix);
        if (lost != CD_OK) return lost;
        return complain(m, object, "file", "could not be read");
    }
    status = override(m, object, cdi_json_root(doc), &root);
    if (status != CD_NOMEM) {
        const CdStatus read = cdi_model_read_root(m, scope, &root);
        if (read != CD_OK) status = read;
    }
    cdi_json_free(doc);
    return status;
}

// *scope: that of the object, NULL if it was refused before
static CdStatus include_object(CdModel *m, const CdScope *outer, CdObject *object,
                               CdScope **scope) {
    const Include *include = cdi_object_data(object);
    CD_TRY(check_limits(m, outer, object));
    CD_TRY(check_cycle(m, outer, object, include->file.full));
    CD_TRY(cdi_include_scope(m, outer, object, scope));
    return read_scope(m, object, *scope);
}

// names with the prefix of an Include that is wrong itself are not told to be missing
static CdStatus lose(CdModel *m, const CdScope *outer, const CdJson *json) {
    const CdJson *prefix = cdi_json_get(json, "prefix");
    const bool text = prefix && prefix->kind == CD_JSON_STRING;
    CdScope *scope;
    CD_TRY(cdi_scope_new(m, outer, NULL, text ? prefix->text : "", &scope));
    CD_TRY(CD_PUSH(m->ctx, m->lost, scope->prefix));
    return CD_INVALID;
}

CdStatus cdi_model_include(CdModel *m, const CdScope *outer, const CdJson *json) {
    const CdSource source = {.file = outer->file, .params = outer->params, .no_files = m->no_files};
    CdObject *object;
    if (outer->depth == 0) CD_TRY(CD_PUSH(m->ctx, m->entries, ((CdEntry){.include = json})));
    CdStatus status = cdi_object_read(m->ctx, &cd_include, json, &source, &object);
    if (status == CD_NOMEM) return status;
    if (status != CD_OK) return lose(m, outer, json);
    CdScope *scope = NULL;
    status = include_object(m, outer, object, &scope);
    if (!scope || scope->include != object) cdi_object_free(object);
    return status;
}
