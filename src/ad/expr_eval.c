// expr_eval.c - evaluates the tape of an expression, alone or with its first and second derivative
//
// A jet (v, d, dd) holds a value and its derivatives along one direction s. For y = f(x):
//   y' = f' x'      y'' = f'' x'^2 + f' x''
// (Griewank and Walther, Evaluating Derivatives, SIAM 2008, ch. 13)

#include <float.h>
#include <math.h>

#include "ad/expr_tape.h"

#define LN10 2.302585092994045684
// operations of a tape that needs little of the stack
#define SHORT 128

static CdJet constant(double v) {
    return (CdJet){v, 0, 0};
}

// f(x) from f, f', f'' at x.v
static CdJet chain(CdJet x, double f, double df, double ddf) {
    return (CdJet){f, df * x.d, ddf * x.d * x.d + df * x.dd};
}

static CdJet mul(CdJet a, CdJet b) {
    return (CdJet){a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
}

static CdJet divide(CdJet a, CdJet b) {
    double v = a.v / b.v;
    double d = (a.d - v * b.d) / b.v;
    return (CdJet){v, d, (a.dd - 2 * d * b.d - v * b.dd) / b.v};
}

// a^b: a fixed exponent allows any base, a varying one takes a^b = exp(b log a)
static CdJet power(CdJet a, CdJet b) {
    double v = pow(a.v, b.v);
    if (b.d == 0 && b.dd == 0) {
        double n = b.v;
        double df = n == 0 ? 0 : n * pow(a.v, n - 1);
        double ddf = n == 0 || n == 1 ? 0 : n * (n - 1) * pow(a.v, n - 2);
        return chain(a, v, df, ddf);
    }
    if (a.v == 0 && b.v > 0) return constant(0);
    CdJet u = mul(b, chain(a, log(a.v), 1 / a.v, -1 / (a.v * a.v)));
    return (CdJet){v, v * u.d, v * (u.d * u.d + u.dd)};
}

static CdJet arctan2(CdJet y, CdJet x) {
    double r2 = x.v * x.v + y.v * y.v;
    double d = (x.v * y.d - y.v * x.d) / r2;
    double dd = (x.v * y.dd - y.v * x.dd - 2 * d * (x.v * x.d + y.v * y.d)) / r2;
    return (CdJet){atan2(y.v, x.v), d, dd};
}

// at the origin the derivative along the direction is one-sided
static CdJet hypotenuse(CdJet a, CdJet b) {
    double h = hypot(a.v, b.v);
    if (h == 0) return (CdJet){0, hypot(a.d, b.d), 0};
    double d = (a.v * a.d + b.v * b.d) / h;
    double dd = (a.d * a.d + a.v * a.dd + b.d * b.d + b.v * b.dd - d * d) / h;
    return (CdJet){h, d, dd};
}

// remainder with the sign of b
static CdJet modulo(CdJet a, CdJet b) {
    double n = floor(a.v / b.v);
    return (CdJet){a.v - n * b.v, a.d - n * b.d, a.dd - n * b.dd};
}

// NaN wins, so that bad numbers are seen
static CdJet smaller(CdJet a, CdJet b) {
    return a.v <= b.v || isnan(a.v) ? a : b;
}
static CdJet larger(CdJet a, CdJet b) {
    return a.v >= b.v || isnan(a.v) ? a : b;
}

// a truth value; NaN if one of its operands is
static CdJet truth(bool value, CdJet a, CdJet b) {
    return constant(isnan(a.v) || isnan(b.v) ? NAN : value);
}

static CdJet choose(CdJet condition, CdJet a, CdJet b) {
    if (isnan(condition.v)) return constant(NAN);
    return condition.v != 0 ? a : b;
}

static CdJet apply(CdOpCode code, CdJet a, CdJet b, CdJet c) {
    const double x = a.v;
    switch (code) {
    case CD_OP_NEG: return (CdJet){-a.v, -a.d, -a.dd};
    case CD_OP_NOT: return truth(a.v == 0, a, a);
    case CD_OP_ADD: return (CdJet){a.v + b.v, a.d + b.d, a.dd + b.dd};
    case CD_OP_SUB: return (CdJet){a.v - b.v, a.d - b.d, a.dd - b.dd};
    case CD_OP_MUL: return mul(a, b);
    case CD_OP_DIV: return divide(a, b);
    case CD_OP_LT: return truth(a.v < b.v, a, b);
    case CD_OP_LE: return truth(a.v <= b.v, a, b);
    case CD_OP_GT: return truth(a.v > b.v, a, b);
    case CD_OP_GE: return truth(a.v >= b.v, a, b);
    case CD_OP_EQ: return truth(a.v == b.v, a, b);
    case CD_OP_NE: return truth(a.v != b.v, a, b);
    case CD_OP_AND: return truth(a.v != 0 && b.v != 0, a, b);
    case CD_OP_OR: return truth(a.v != 0 || b.v != 0, a, b);
    case CD_OP_atan2: return arctan2(a, b);
    case CD_OP_hypot: return hypotenuse(a, b);
    case CD_OP_pow: return power(a, b);
    case CD_OP_mod: return modulo(a, b);
    case CD_OP_min: return smaller(a, b);
    case CD_OP_max: return larger(a, b);
    case CD_OP_clamp: return smaller(larger(a, b), c);
    case CD_OP_if: return choose(a, b, c);
#define UNARY(name, f, df, ddf)      \
    case CD_OP_##name: {             \
        const double y = f;          \
        return chain(a, y, df, ddf); \
    }
#define FUNCTION(name, nargs)
#include "ad/exprs.def"
#undef UNARY
#undef FUNCTION
    default: return constant(NAN); // constants and variables have no arguments
    }
}

static bool is_still(CdJet x) {
    return x.d == 0 && x.dd == 0;
}

// what does not move has no derivative, even where that of the function is infinite
CdJet cdi_op_apply(CdOpCode code, CdJet a, CdJet b, CdJet c) {
    CdJet result = apply(code, a, b, c);
    return is_still(a) && is_still(b) && is_still(c) ? constant(result.v) : result;
}

bool cdi_expr_next(const CdExpr *expr, size_t *at, size_t *variable) {
    while (*at < expr->nops) {
        const CdOp *op = expr->ops + (*at)++;
        if (op->code != CD_OP_VARIABLE) continue;
        *variable = op->arg[0];
        return true;
    }
    return false;
}

// where the variables of a tape come from
typedef struct Variables {
    const CdJet *jets;    // NULL: from values
    const double *values; // without derivatives
    const int *pick;      // then: which of the values; NULL: in order
    double x;             // with pick: the variable itself
    int along;            // with pick: name that moves; negative: the variable
} Variables;

static CdJet variable_of(const CdExpr *expr, const Variables *from, size_t i) {
    if (from->jets) return from->jets[i];
    if (!from->pick) return constant(from->values[i]);
    const int k = i < expr->nvariables ? -1 : (int)(i - expr->nvariables);
    const bool moves = k == (from->along < 0 ? -1 : from->along);
    return (CdJet){k < 0 ? from->x : from->values[from->pick[k]], moves, 0};
}

// f along a + s a' + s^2/2 a'' by differences in s; only where arguments move
static CdJet call_user(const CdDefined *f, const CdJet *args) {
    double at[CD_USER_ARGS_MAX] = {0}, size = 1, rate = 0;
    for (int k = 0; k < f->nargs; k++) {
        at[k] = args[k].v;
        size = fmax(size, fabs(args[k].v));
        rate = fmax(rate, fmax(fabs(args[k].d), fabs(args[k].dd)));
    }
    const double v = f->function(f->user, at);
    if (rate == 0) return constant(v);
    const double s = cbrt(DBL_EPSILON) * size / rate;
    double side[2];
    for (int i = 0; i < 2; i++) {
        const double h = i == 0 ? -s : s;
        for (int k = 0; k < f->nargs; k++) {
            at[k] = args[k].v + h * args[k].d + h * h / 2 * args[k].dd;
        }
        side[i] = f->function(f->user, at);
    }
    return (CdJet){v, (side[1] - side[0]) / (2 * s), (side[1] - 2 * v + side[0]) / (s * s)};
}

static CdJet call_at(const CdOp *ops, const CdOp *op, const CdJet *result) {
    CdJet args[CD_USER_ARGS_MAX];
    size_t at = op->arg[0];
    for (int k = op->function->nargs - 1; k >= 0; k--) {
        args[k] = result[at];
        at = ops[at].arg[1];
    }
    return call_user(op->function, args);
}

static CdJet run_in(CdJet *result, const CdExpr *expr, const Variables *from) {
    for (size_t i = 0; i < expr->nops; i++) {
        const CdOp *op = expr->ops + i;
        const uint16_t *arg = op->arg;
        switch (op->code) {
        case CD_OP_CONSTANT: result[i] = constant(op->value); break;
        case CD_OP_VARIABLE: result[i] = variable_of(expr, from, arg[0]); break;
        case CD_OP_ARGUMENT: result[i] = result[arg[0]]; break;
        case CD_OP_CALL: result[i] = call_at(expr->ops, op, result); break;
        default:
            result[i] =
                cdi_op_apply((CdOpCode)op->code, result[arg[0]], result[arg[1]], result[arg[2]]);
        }
    }
    return result[expr->nops - 1];
}

// the large array is on the stack of long tapes only
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static CdJet
run_long(const CdExpr *expr, const Variables *from) {
    CdJet result[CD_EXPR_OPS_MAX];
    return run_in(result, expr, from);
}

static CdJet run(const CdExpr *expr, const Variables *from) {
    CdJet result[SHORT];
    return expr->nops > SHORT ? run_long(expr, from) : run_in(result, expr, from);
}

CdJet cdi_expr_jet(const CdExpr *expr, const CdJet variables[]) {
    return run(expr, &(Variables){.jets = variables});
}

// ---- the value alone: the same numbers as in a jet, which is never formed

static double call_value(const CdOp *ops, const CdOp *op, const double *result) {
    double args[CD_USER_ARGS_MAX] = {0};
    size_t at = op->arg[0];
    for (int k = op->function->nargs - 1; k >= 0; k--) {
        args[k] = result[at];
        at = ops[at].arg[1];
    }
    return op->function->function(op->function->user, args);
}

static double value_of(const CdOp *op, const double *result) {
    const double x = result[op->arg[0]], b = result[op->arg[1]], c = result[op->arg[2]];
    switch (op->code) {
    case CD_OP_pow: return pow(x, b);
#define UNARY(name, f, df, ddf) \
    case CD_OP_##name:          \
        return f;
#define FUNCTION(name, nargs)
#include "ad/exprs.def"
#undef UNARY
#undef FUNCTION
    default: return apply((CdOpCode)op->code, constant(x), constant(b), constant(c)).v;
    }
}

static double values_in(double *result, const CdExpr *expr, const Variables *from) {
    const CdOp *op = expr->ops;
    for (size_t i = 0; i < expr->nops; i++, op++) {
        const uint16_t *arg = op->arg;
        switch (op->code) {
        case CD_OP_CONSTANT: result[i] = op->value; break;
        case CD_OP_VARIABLE: result[i] = variable_of(expr, from, arg[0]).v; break;
        case CD_OP_ARGUMENT: result[i] = result[arg[0]]; break;
        case CD_OP_CALL: result[i] = call_value(expr->ops, op, result); break;
        case CD_OP_NEG: result[i] = -result[arg[0]]; break;
        case CD_OP_ADD: result[i] = result[arg[0]] + result[arg[1]]; break;
        case CD_OP_SUB: result[i] = result[arg[0]] - result[arg[1]]; break;
        case CD_OP_MUL: result[i] = result[arg[0]] * result[arg[1]]; break;
        case CD_OP_DIV: result[i] = result[arg[0]] / result[arg[1]]; break;
        default: result[i] = value_of(op, result);
        }
    }
    return result[expr->nops - 1];
}

#if defined(__GNUC__)
__attribute__((noinline))
#endif
static double
value_long(const CdExpr *expr, const Variables *from) {
    double result[CD_EXPR_OPS_MAX];
    return values_in(result, expr, from);
}

static double value(const CdExpr *expr, const Variables *from) {
    double result[SHORT];
    return expr->nops > SHORT ? value_long(expr, from) : values_in(result, expr, from);
}

double cdi_expr_value(const CdExpr *expr, const double variables[]) {
    return value(expr, &(Variables){.values = variables});
}

double cdi_expr_value_with(const CdExpr *expr, double x, const double values[], const int pick[]) {
    return value(expr, &(Variables){.values = values, .pick = pick, .x = x});
}

CdJet cdi_expr_jet_with(const CdExpr *expr, double x, const double values[], const int pick[],
                        int along) {
    return run(expr, &(Variables){.values = values, .pick = pick, .x = x, .along = along});
}

const CdExprName *cdi_expr_names(const CdExpr *expr, size_t *n) {
    *n = expr->nnames;
    return expr->names;
}
