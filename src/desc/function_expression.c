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
    const char *variable = r->function && r->function->arg ? r->function->arg : "t";
    CdExprScope scope = {.variables = &variable, .nvariables = 1};
    if (r->source.params) {
        scope.constants = r->source.params->names;
        scope.values = r->source.params->values;
        scope.nconstants = r->source.params->n;
    }
    CdExprError error;
    CdStatus status = cdi_expr_compile(r->ctx, p->text, &scope, &p->expr, &error);
    if (status != CD_INVALID) return status;
    return cdi_reject(r, NULL, "in \"%s\", column %d: %s", p->text, error.col, error.text);
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
