// function_expression.c - y given by a text in the expression language (ad/expr.h)
#include <math.h>

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
    size_t names;
    cdi_expr_names(p->expr, &names);
    if (names > 0) {
        y[0] = y[1] = y[2] = NAN; // nobody gave them values
        return;
    }
    CdJet result = cdi_expr_jet(p->expr, &variable);
    y[0] = result.v;
    y[1] = result.d;
    y[2] = result.dd;
}

static double value(const void *data, double x) {
    const Expression *p = data;
    size_t names;
    cdi_expr_names(p->expr, &names);
    return names > 0 ? NAN : cdi_expr_value(p->expr, &x);
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

// ---- names of others

static const CdExpr *expr_of(const CdFunction *f) {
    return f->cls == &cd_function_expression ? ((const Expression *)f->data)->expr : NULL;
}

int cdi_function_names(const CdFunction *f) {
    size_t n = 0;
    if (expr_of(f)) cdi_expr_names(expr_of(f), &n);
    return (int)n;
}

const char *cdi_function_name(const CdFunction *f, int k, int *col) {
    size_t n;
    const CdExprName *names = cdi_expr_names(expr_of(f), &n);
    *col = names[k].col;
    return names[k].text;
}

const char *cdi_function_text(const CdFunction *f) {
    return expr_of(f) ? ((const Expression *)f->data)->text : NULL;
}

void cdi_function_suggest(CdSuggestion *s, const CdField *f, const CdParams *params) {
    const char *variable = cdi_function_arg(f);
    CdExprScope scope = {.variables = &variable, .nvariables = 1};
    if (params) {
        scope.constants = params->names;
        scope.nconstants = params->n;
    }
    cdi_expr_suggest(s, &scope);
}

// ---- names with values

// the bound function belongs to one run and one item: where it is evaluated may be kept in it
static void eval_bound(const void *data, double x, double y[3]) {
    CdBoundFunction *b = (CdBoundFunction *)data;
    const CdJet result = cdi_expr_jet_with(expr_of(b->of), x, b->values, b->pick, -1);
    b->x = x;
    y[0] = result.v;
    y[1] = result.d;
    y[2] = result.dd;
}

static double value_bound(const void *data, double x) {
    CdBoundFunction *b = (CdBoundFunction *)data;
    b->x = x;
    return cdi_expr_value_with(expr_of(b->of), x, b->values, b->pick);
}

static const CdFunctionClass bound_class = {
    .desc = {.name = "BoundExpression"}, .eval = eval_bound, .value = value_bound};

CdFunction cdi_function_bind(CdBoundFunction *bound) {
    return (CdFunction){&bound_class, bound};
}

double cdi_function_slope(const CdBoundFunction *b, int k) {
    return cdi_expr_jet_with(expr_of(b->of), b->x, b->values, b->pick, k).d;
}

const CdFunctionClass cd_function_expression = {
    .desc = {.name = "Expression",
             .doc = "A formula in the variable, t unless the field says otherwise",
             .size = sizeof(Expression),
             CD_FIELDS(fields),
             .example = "{\"class\": \"Expression\", \"text\": \"t < 1 ? t : 1\"}",
             .finish = finish,
             .release = release},
    .eval = eval,
    .value = value,
};
