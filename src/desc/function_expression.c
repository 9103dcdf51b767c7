// function_expression.c - y given by a text in the expression language (ad/expr.h)
#include "ad/expr.h"
#include "desc/function.h"
#include "desc/reader.h"

typedef struct Expression {
    char *text;
    CdExpr *expr;
} Expression;

static void eval(const void *data, double x, double y[3]) {
    const Expression *p = data;
    CdJet variable = {x, 1, 0};
    CdJet result = cdi_expr_jet(p->expr, &variable);
    y[0] = result.v;
    y[1] = result.d;
    y[2] = result.dd;
}

static CdStatus finish(CdReader *r, void *data) {
    Expression *p = data;
    bool as_object = r->at && r->at->kind == CD_JSON_OBJECT;
    const CdJson *json = as_object ? cdi_json_get(r->at, "text") : r->at;
    CD_TRY(cdi_compile_text(r, json, p->text, cdi_function_arg(r->function), &p->expr));

    // a constant must be a number
    size_t at = 0, variable;
    if (cdi_expr_next(p->expr, &at, &variable)) return CD_OK;
    return cdi_check_finite(r, json, cdi_expr_value(p->expr, NULL));
}

static void release(CdContext *ctx, void *data) {
    Expression *p = data;
    cdi_expr_free(ctx, p->expr);
    p->expr = NULL;
}

#define FIELD(...) CD_FIELD(Expression, __VA_ARGS__)
static const CdField fields[] = {
    FIELD(text, STRING, "", NULL, "", "expression of the variable and of parameters"),
};

const CdFunctionClass cd_function_expression = {
    .desc = {.name = "Expression",
             .doc = "A formula in the variable, t unless the field says otherwise",
             .size = sizeof(Expression),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Expression\", \"text\": \"t < 1 ? t : 1\"}",
             .finish = finish,
             .release = release},
    .eval = eval,
};
