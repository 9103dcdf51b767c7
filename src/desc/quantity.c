// quantity.c - one real number from a JSON number, an expression of parameters, or text with a unit
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ad/expr.h"
#include "base/number.h"
#include "base/utf8.h"
#include "desc/function.h"
#include "desc/interval.h"
#include "desc/reader.h"
#include "desc/type.h"
#include "desc/unit.h"

#define UNIT_TEXT_MAX 160

// the unit of the field with the function's units in the place of $y and $x: "rad/$x" -> "rad/s"
static void expand_unit(const CdReader *r, const CdField *f, char buf[UNIT_TEXT_MAX]) {
    size_t n = 0;
    if (!strchr(f->unit, '$') && strlen(f->unit) < UNIT_TEXT_MAX) {
        strcpy(buf, f->unit);
        return;
    }
    buf[0] = '\0';
    for (const char *c = f->unit; *c && n < UNIT_TEXT_MAX; c++) {
        const char *part = NULL;
        if (r->function && c[0] == '$' && c[1] == 'y') part = r->function->unit;
        if (r->function && c[0] == '$' && c[1] == 'x') {
            part = cdi_function_arg_unit(r->function);
        }
        const char *fmt = part && strpbrk(part, "*/ ") && strlen(f->unit) > 2 ? "(%s)" : "%s";
        int put = part ? snprintf(buf + n, UNIT_TEXT_MAX - n, fmt, part)
                       : snprintf(buf + n, UNIT_TEXT_MAX - n, "%c", *c);
        n += (size_t)put;
        c += part != NULL;
    }
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

// length of the number at the start, and where its unit begins: text is "-5 mm", not "5*a" or "7"
static bool split_unit_text(const char *text, double *number, const char **unit) {
    while (*text == ' ') text++;
    if (text[0] == '+' && text[1] != '-') text++;
    size_t n = cdi_number_read(text, strlen(text), number);
    if (n == 0) return false;
    const char *rest = text + n;
    while (*rest == ' ') rest++;
    *unit = rest;
    return is_letter(*rest) || *rest == '%' || (*rest == '1' && rest[1] == '/');
}

bool cdi_is_unit_text(const char *text) {
    double number;
    const char *unit;
    return split_unit_text(text, &number, &unit);
}

static CdStatus convert(CdReader *r, const CdJson *json, const char *wanted_text, double number,
                        const char *unit, double *x) {
    CdUnit given, wanted;
    const char *bad;
    char shown[CD_SHOWN_MAX], piece[CD_SHOWN_MAX];
    size_t nbad, n = strlen(unit);
    while (n > 0 && unit[n - 1] == ' ') n--;
    bool any = strcmp(wanted_text, "*") == 0;
    if (!any && !cdi_unit_parse(wanted_text, strlen(wanted_text), &wanted, &bad, &nbad)) {
        return cdi_reject(r, json, "takes no unit; write a plain number instead of \"%s\"",
                          cdi_shown(json->text, shown));
    }
    if (!cdi_unit_parse(unit, n, &given, &bad, &nbad)) {
        if (nbad == 0) {
            return cdi_reject(r, json, "the unit in \"%s\" is not complete",
                              cdi_shown(json->text, shown));
        }
        snprintf(piece, sizeof piece, "%.*s", (int)cdi_utf8_cut(bad, nbad), bad);
        return cdi_reject(r, json, "'%s' in \"%s\" is not a unit; use one like mm, deg, kN/m",
                          piece, cdi_shown(json->text, shown));
    }
    if (!any && !cdi_unit_fits(&given, &wanted)) {
        const char *in = strcmp(wanted_text, "1") == 0 ? "plain numbers" : wanted_text;
        return cdi_reject(r, json, "unit '%.*s' does not fit; give a value in %s", (int)n, unit,
                          in);
    }
    *x = cdi_unit_to_si(&given, number);
    return CD_OK;
}

CdStatus cdi_compile_text(CdReader *r, const CdJson *json, const char *text, const char *variable,
                          CdExpr **expr) {
    CdExprScope scope = {.variables = &variable,
                         .nvariables = variable ? 1 : 0,
                         .open = variable && r->source.sensors};
    if (r->source.params) {
        scope.constants = r->source.params->names;
        scope.values = r->source.params->values;
        scope.nconstants = r->source.params->n;
    }
    CdExprError error;
    CdStatus status = cdi_expr_compile(r->ctx, text, &scope, expr, &error);
    return status == CD_INVALID ? cdi_reject_expr(r, json, text, &error) : status;
}

CdStatus cdi_reject_expr(CdReader *r, const CdJson *json, const char *text,
                         const CdExprError *error) {
    char shown[CD_SHOWN_MAX];
    return cdi_reject(r, json, "in \"%s\", column %d: %s", cdi_shown(text, shown), error->col,
                      error->text);
}

static CdStatus evaluate(CdReader *r, const CdJson *json, double *x) {
    CdExpr *expr;
    CD_TRY(cdi_compile_text(r, json, json->text, NULL, &expr));
    *x = cdi_expr_value(expr, NULL);
    cdi_expr_free(r->ctx, expr);
    return CD_OK;
}

CdStatus cdi_check_finite(CdReader *r, const CdJson *json, double x) {
    if (isfinite(x)) return CD_OK;
    char value[CD_NUMBER_MAX], shown[CD_SHOWN_MAX];
    cdi_number_write(x, value);
    bool text = json && json->kind == CD_JSON_STRING;
    return cdi_reject(r, json, "must be finite, not %s%s%s%s", value, text ? " (\"" : "",
                      text ? cdi_shown(json->text, shown) : "", text ? "\")" : "");
}

CdStatus cdi_check_range(CdReader *r, const CdField *f, const CdJson *json, double x) {
    CdInterval range;
    char unit[UNIT_TEXT_MAX], value[CD_NUMBER_MAX], rule[CD_INTERVAL_TEXT];
    if (!cdi_interval_parse(f->range, &range) || cdi_interval_holds(&range, x)) return CD_OK;
    cdi_number_write(x, value);
    cdi_interval_rule(&range, rule);
    expand_unit(r, f, unit);
    bool plain = unit[0] == '\0' || strcmp(unit, "1") == 0 || strcmp(unit, "*") == 0;
    return cdi_reject(r, json, "%s%s%s, not %s", rule, plain ? "" : " ", plain ? "" : unit, value);
}

CdStatus cdi_read_quantity(CdReader *r, const CdField *f, const CdJson *json, double *x) {
    char wanted[UNIT_TEXT_MAX];
    double number;
    const char *unit;
    if (json->kind == CD_JSON_NUMBER) {
        *x = json->number;
    } else if (json->kind != CD_JSON_STRING) {
        return cdi_reject_kind(r, json,
                               cdi_type(f->type)->number ? cdi_type(f->type)->form : "a number");
    } else if (split_unit_text(json->text, &number, &unit)) {
        expand_unit(r, f, wanted);
        CD_TRY(convert(r, json, wanted, number, unit, x));
    } else {
        CD_TRY(evaluate(r, json, x));
    }
    CD_TRY(cdi_check_finite(r, json, *x));
    return cdi_check_range(r, f, json, *x);
}
