// params.c - named numbers that may be given by each other, in any order
//
// Text is compiled with all parameters as variables, so that every unknown name is reported. Then
// those are computed whose variables are known, again and again; when nothing moves any more, the
// rest depends on itself.
#include "desc/params.h"

#include <math.h>
#include <string.h>

#include "ad/expr.h"
#include "base/number.h"
#include "desc/reader.h"
#include "desc/type.h"

// more are no longer a table that people wrote
#define PARAMS_MAX 10000

typedef struct Pending {
    CdExpr *expr; // NULL: the value is known
} Pending;

static bool is_name(const char *s) {
    bool letter = false;
    for (const char *c = s; *c; c++) {
        letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        bool digit = *c >= '0' && *c <= '9';
        if (!letter && !(digit && c > s)) return false;
    }
    return *s != '\0';
}

void cd_params_free(CdContext *ctx, CdParams *params) {
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
        if (!is_name(member->key)) {
            status = cdi_reject(r, &at_key,
                                "'%s' is not a name; use letters, digits and _, a letter first",
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
                         Pending *pending) {
    static const CdField any = {.name = "value", .type = CD_TYPE_REAL, .unit = "*", .range = ""};
    bool expression = json->kind == CD_JSON_STRING && !cdi_is_unit_text(json->text);
    if (!expression) return cdi_read_quantity(r, &any, json, value);
    CdExprScope scope = {.variables = params->names, .nvariables = params->n};
    CdExprError error;
    CdStatus status = cdi_expr_compile(r->ctx, json->text, &scope, &pending->expr, &error);
    if (status != CD_INVALID) return status;
    return cdi_reject(r, json, "in \"%s\", column %d: %s", json->text, error.col, error.text);
}

static CdStatus read_all(CdReader *r, const CdJson *json, CdParams *params, Pending pending[]) {
    CdStatus status = CD_OK;
    for (size_t i = 0; i < json->n; i++) {
        size_t mark = cdi_enter_field(r, params->names[i]);
        CD_COLLECT(status, read_one(r, json->items + i, params, &params->values[i], &pending[i]));
        cdi_leave(r, mark);
    }
    return status;
}

// the first variable that is not known yet; false if all are
static bool waits_for(const Pending pending[], size_t i, size_t *variable) {
    size_t at = 0;
    while (cdi_expr_next(pending[i].expr, &at, variable)) {
        if (pending[*variable].expr) return true;
    }
    return false;
}

static CdStatus check_value(CdReader *r, const CdJson *json, double x) {
    if (isfinite(x)) return CD_OK;
    char text[CD_NUMBER_MAX];
    cdi_number_write(x, text);
    return cdi_reject(r, json, "must be finite, not %s (\"%s\")", text, json->text);
}

static CdStatus compute(CdReader *r, const CdJson *json, CdParams *params, Pending pending[]) {
    CdStatus status = CD_OK;
    bool moved = true;
    size_t other;
    while (moved) {
        moved = false;
        for (size_t i = 0; i < params->n; i++) {
            if (!pending[i].expr || waits_for(pending, i, &other)) continue;
            params->values[i] = cdi_expr_value(pending[i].expr, params->values);
            cdi_expr_free(r->ctx, pending[i].expr);
            pending[i].expr = NULL;
            moved = true;
            size_t mark = cdi_enter_field(r, params->names[i]);
            CD_COLLECT(status, check_value(r, json->items + i, params->values[i]));
            cdi_leave(r, mark);
        }
    }
    for (size_t i = 0; i < params->n; i++) {
        if (!pending[i].expr || !waits_for(pending, i, &other)) continue;
        size_t mark = cdi_enter_field(r, params->names[i]);
        status = cdi_reject(r, json->items + i, "depends on itself through '%s'; break the circle",
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
    Pending *pending = cdi_alloc_array(r->ctx, json->n + 1, sizeof *pending);
    if (!pending) return CD_NOMEM;
    CdStatus status = copy_names(r, json, params);
    if (status == CD_OK) status = read_all(r, json, params, pending);
    if (status == CD_OK) status = compute(r, json, params, pending);
    for (size_t i = 0; i < json->n; i++) cdi_expr_free(r->ctx, pending[i].expr);
    cdi_free(r->ctx, pending);
    return status;
}

CdStatus cd_params_read(CdContext *ctx, const CdJson *json, const char *file, CdParams **params) {
    CdReader r = {.ctx = ctx, .source = {.file = file}, .item_class = "parameters", .at = json};
    *params = cdi_alloc(ctx, sizeof **params);
    if (!*params) return CD_NOMEM;
    CdStatus status = read_params(&r, json, *params);
    if (status != CD_OK) {
        cd_params_free(ctx, *params);
        *params = NULL;
    }
    return status;
}
