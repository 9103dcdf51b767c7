// expr.h - a small safe expression language: text becomes a tape evaluated with exact derivatives
//
//   2*pi*f*t    t < 0.5 ? 3*t : 1.5    max(0, k*(x - x0))^1.5
//
//   d = x - x0; d > 0 ? k*d^1.5 : 0
//
// Operators by rising strength: ?:  ||  &&  == != < <= > >=  + -  * /  unary - + !  ^ (right to
// left). Comparisons give 1 or 0 and do not chain. The functions are rows of exprs.def, and what
// the user has defined in the context (cd_context_define). Names are
// variables of the scope, constants of the scope, or pi; in an open scope also those of others,
// 'in single quotes' where they are not made of letters, digits, _ and dots. What is needed more
// than once, or would be nested too deeply, gets a name first: name = expression; ... expression.
// It is computed once, and is known in what follows; a name of the scope cannot be given anew.
// Both arms of a choice are computed and one is taken, so evaluation cannot fail; a bad number is
// NaN and stays NaN. At a kink (abs, min, max, a choice) the derivative is that of the arm taken.
#ifndef CARDAN_AD_EXPR_H
#define CARDAN_AD_EXPR_H

#include "base/context.h"
#include "base/text.h"

// limits that keep hostile text harmless
#define CD_EXPR_BYTES_MAX (1 << 18)
#define CD_EXPR_OPS_MAX 8192
#define CD_EXPR_DEPTH_MAX 64

// value, first and second derivative along one direction
typedef struct CdJet {
    double v, d, dd;
} CdJet;

// names that a text may use; a variable hides a constant of the same name
typedef struct CdExprScope {
    const char *const *variables;
    size_t nvariables;
    const char *const *constants;
    const double *values; // of the constants
    size_t nconstants;
    bool open; // names that are none of these become names of the expression
} CdExprScope;

typedef struct CdExprError {
    int col; // in the text, from 1, in bytes
    char text[200];
} CdExprError;

typedef struct CdExpr CdExpr;

// a name of others that the text uses; whoever compiled it finds what it means
typedef struct CdExprName {
    const char *text;
    int col; // where it stands first
} CdExprName;

// CD_INVALID fills error; nothing is reported otherwise. The scope is not kept.
CdStatus cdi_expr_compile(CdContext *ctx, const char *text, const CdExprScope *scope, CdExpr **expr,
                          CdExprError *error);
void cdi_expr_free(CdContext *ctx, CdExpr *expr); // NULL does nothing

// walk the variables that it reads, some perhaps twice: size_t at = 0, i; while
// (cdi_expr_next(expr, &at, &i)) ...
bool cdi_expr_next(const CdExpr *expr, size_t *at, size_t *variable);
double cdi_expr_value(const CdExpr *expr, const double variables[]);
CdJet cdi_expr_jet(const CdExpr *expr, const CdJet variables[]);

// names of others, in the order of the text, each once
const CdExprName *cdi_expr_names(const CdExpr *expr, size_t *n);
// of an expression of one variable: name k has the value values[pick[k]]; the derivatives are those
// along name `along`, or along the variable if that is negative
CdJet cdi_expr_jet_with(const CdExpr *expr, double x, const double values[], const int pick[],
                        int along);
// its value alone, for less
double cdi_expr_value_with(const CdExpr *expr, double x, const double values[], const int pick[]);
// offer all names that a text may use
void cdi_expr_suggest(CdSuggestion *s, const CdExprScope *scope);

#endif
