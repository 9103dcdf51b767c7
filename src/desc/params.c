// params.c - named numbers that may be given by each other, in any order
//
// Text is compiled with all parameters as variables, so that every unknown name is reported. Then
// those are computed whose variables are known, again and again; when nothing moves any more, the
// rest depends on itself.
#include "desc/params.h"

#include <string.h>

#include "ad/expr.h"
#include "base/utf8.h"
#include "desc/reader.h"
#include "desc/type.h"

// more are no longer a table that people wrote
#define PARAMS_MAX 1000

static bool is_name(const char *s) {
    bool letter = false;
    for (const char *c = s; *c; c++) {
        letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        bool digit = *c >= '0' && *c <= '9';
        if (!letter && !(digit && c > s)) return false;
    }
    return *s != '\0';
}

void cdi_params_free(CdContext *ctx, CdParams *params) {
    if (!params) return;
    for (size_t i = 0; i < params->n; i++) cdi_free(ctx, (char *)params->names[i]);
    cdi_free(ctx, params->names);
    cdi_free(ctx, params->values);
    cdi_free(ctx, params);
}

static CdStatus copy_names(CdReader *r, const CdJson *json, CdParams *params) {
    params->names = cdi_alloc_array(r->ctx, json->n + 1, sizeof *params->names);
    params->values = cdi_alloc_array(r->ctx, json->n + 1, sizeof *params->values);
    if (!params->names || !params->values) return CD_NOMEM;
    CdStatus status = CD_OK;
    for (size_t i = 0; i < json->n; i++) {
        const CdJson *member = json->items + i;
        CdJson at_key = {.line = member->key_line, .col = member->key_col};
        char shown[CD_SHOWN_MAX];
        if (!is_name(member->key)) {
            status = cdi_reject(r, &at_key,
                                "'%s' is not a name; use letters, digits and _, a letter first",
                                cdi_shown(member->key, shown));
        } else if (strcmp(member->key, "pi") == 0 || strcmp(member->key, "t") == 0) {
            status = cdi_reject(r, &at_key, "'%s' has its meaning already; choose another name",
                                member->key);
        }
        params->names[i] = cdi_strdup(r->ctx, member->key);
        if (!params->names[i]) return CD_NOMEM;
        params->n = i + 1;
    }
    return status;
}

// numbers and texts with a unit are known at once, expressions are compiled
static CdStatus read_one(CdReader *r, const CdJson *json, const CdParams *params, double *value,
                         CdExpr **pending) {
    static const CdField any = {.name = "value", .type = CD_TYPE_REAL, .unit = "*", .range = ""};
    bool expression = json->kind == CD_JSON_STRING && !cdi_is_unit_text(json->text);
    if (!expression) return cdi_read_quantity(r, &any, json, value);
    CdExprScope scope = {.variables = params->names, .nvariables = params->n};
    CdExprError error;
    CdStatus status = cdi_expr_compile(r->ctx, json->text, &scope, pending, &error);
    return status == CD_INVALID ? cdi_reject_expr(r, json, json->text, &error) : status;
}

static CdStatus read_all(CdReader *r, const CdJson *json, CdParams *params, CdExpr *pending[]) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < json->n; i++) {
        size_t mark = cdi_enter_field(r, params->names[i]);
        CD_COLLECT(status, read_one(r, json->items + i, params, &params->values[i], &pending[i]));
        cdi_leave(r, mark);
    }
    return status;
}

// the first variable that is not known yet; false if all are
static bool waits_for(CdExpr *const pending[], size_t i, size_t *variable) {
    size_t at = 0;
    while (cdi_expr_next(pending[i], &at, variable)) {
        if (pending[*variable]) return true;
    }
    return false;
}

static CdStatus compute(CdReader *r, const CdJson *json, CdParams *params, CdExpr *pending[]) {
    CdStatus status = CD_OK;
    bool moved = true;
    size_t other;
    while (moved) {
        moved = false;
        for (size_t i = 0; i < params->n; i++) {
            if (!pending[i] || waits_for(pending, i, &other)) continue;
            params->values[i] = cdi_expr_value(pending[i], params->values);
            cdi_expr_free(r->ctx, pending[i]);
            pending[i] = NULL;
            moved = true;
            size_t mark = cdi_enter_field(r, params->names[i]);
            CD_COLLECT(status, cdi_check_finite(r, json->items + i, params->values[i]));
            cdi_leave(r, mark);
        }
    }
    for (size_t i = 0; i < params->n; i++) {
        if (!pending[i] || !waits_for(pending, i, &other)) continue;
        size_t mark = cdi_enter_field(r, params->names[i]);
        status = cdi_reject(r, json->items + i,
                            "waits for '%s', which has no value yet; break the circle",
                            params->names[other]);
        cdi_leave(r, mark);
    }
    return status;
}

static CdStatus read_params(CdReader *r, const CdJson *json, CdParams *params) {
    if (json->kind != CD_JSON_OBJECT) {
        return cdi_reject_kind(r, json, "an object {\"name\": value, ...}");
    }
    if (json->n > PARAMS_MAX) return cdi_reject(r, json, "more than %d parameters", PARAMS_MAX);
    CdExpr **pending = cdi_alloc_array(r->ctx, json->n + 1, sizeof *pending);
    if (!pending) return CD_NOMEM;
    CdStatus status = copy_names(r, json, params);
    if (status != CD_NOMEM) {
        CdStatus values = read_all(r, json, params, pending);
        if (values != CD_OK) status = values;
    }
    if (status == CD_OK) status = compute(r, json, params, pending);
    for (size_t i = 0; i < json->n; i++) cdi_expr_free(r->ctx, pending[i]);
    cdi_free(r->ctx, pending);
    return status;
}

CdStatus cdi_params_read(CdContext *ctx, const CdJson *json, const char *file, CdParams **params) {
    CdReader r = {.ctx = ctx, .source = {.file = file}, .item_class = "parameters", .at = json};
    *params = cdi_alloc(ctx, sizeof **params);
    if (!*params) return cdi_fail(ctx, CD_NOMEM, "out of memory");
    CdStatus status = read_params(&r, json, *params);
    if (status != CD_OK) {
        cdi_params_free(ctx, *params);
        *params = NULL;
    }
    return status == CD_NOMEM ? cdi_fail(ctx, status, "out of memory") : status;
}
