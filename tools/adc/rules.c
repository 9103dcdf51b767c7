// rules.c - the derivative rules
//
// Each is written with the value v of the node where that is cheaper: sqrt' = 1/(2v), exp' = v,
// tan' = 1 + v^2, (a/b)_b = -v/b. At a kink (fabs, fmin, fmax) one side is taken.
#include "rules.h"

#include <math.h>

// the writer of a rule thinks in values: R(MUL, a, b) is a node in the context of the derived node
typedef struct Rule {
    Graph *g;
    int ctx;
} Rule;

static int op(Rule r, Op o, int a, int b) {
    return graph_node(r.g, o, a, b, r.ctx);
}

static int number(Rule r, double value) {
    return graph_const(r.g, value);
}

static int call(Rule r, MathFn fn, int a) {
    return graph_math(r.g, fn, a, 0, r.ctx);
}

static int neg(Rule r, int a) {
    return op(r, O_NEG, a, 0);
}

static int inverse(Rule r, int a) {
    return op(r, O_DIV, number(r, 1), a);
}

static int square(Rule r, int a) {
    return op(r, O_MUL, a, a);
}

// 1/sqrt(1 - a^2), with 1 - a^2 = (1 - a)(1 + a) that keeps its digits near |a| = 1
static int asin_slope(Rule r, int a) {
    const int one = number(r, 1);
    const int rest = op(r, O_MUL, op(r, O_SUB, one, a), op(r, O_ADD, one, a));
    return inverse(r, call(r, M_sqrt, rest));
}

// a^b to a: b a^(b-1)
static int pow_base(Rule r, int a, int b) {
    const Node *n = &r.g->nodes.at[b];
    const double e = n->value;
    if (n->op == O_CONST && e == 1) return number(r, 1);
    if (n->op == O_CONST && e == 2) return op(r, O_MUL, b, a);
    if (n->op == O_CONST && e == 3) return op(r, O_MUL, b, square(r, a));
    const int less = op(r, O_SUB, b, number(r, 1));
    return op(r, O_MUL, b, graph_math(r.g, M_pow, a, less, r.ctx));
}

// a^b to b: log(a) a^b, and 0 at a = 0
static int pow_exponent(Rule r, int a, int v) {
    const int zero = number(r, 0);
    const int positive = op(r, O_LT, zero, a);
    return graph_sel(r.g, positive, op(r, O_MUL, call(r, M_log, a), v), zero, r.ctx);
}

// y/(x^2 + y^2) and the like
static int over_squares(Rule r, int top, int x, int y) {
    return op(r, O_MUL, top, inverse(r, op(r, O_ADD, square(r, x), square(r, y))));
}

static int math_two(Rule r, MathFn fn, int v, int a, int b, int k) {
    const int one = number(r, 1), zero = number(r, 0);
    switch (fn) {
    case M_atan2: return k == 0 ? over_squares(r, b, a, b) : neg(r, over_squares(r, a, a, b));
    case M_pow: return k == 0 ? pow_base(r, a, b) : pow_exponent(r, a, v);
    case M_hypot: return op(r, O_MUL, k == 0 ? a : b, inverse(r, v));
    case M_fmin:
        return graph_sel(r.g, op(r, O_LT, b, a), k == 0 ? zero : one, k == 0 ? one : zero, r.ctx);
    default: // fmax
        return graph_sel(r.g, op(r, O_LT, a, b), k == 0 ? zero : one, k == 0 ? one : zero, r.ctx);
    }
}

static int math_one(Rule r, MathFn fn, int v, int a) {
    const int one = number(r, 1);
    switch (fn) {
    case M_sqrt: return op(r, O_MUL, number(r, 0.5), inverse(r, v));
    case M_sin: return call(r, M_cos, a);
    case M_cos: return neg(r, call(r, M_sin, a));
    case M_tan: return op(r, O_ADD, one, square(r, v));
    case M_asin: return asin_slope(r, a);
    case M_acos: return neg(r, asin_slope(r, a));
    case M_atan: return inverse(r, op(r, O_ADD, one, square(r, a)));
    case M_exp: return v;
    case M_log: return inverse(r, a);
    case M_fabs: return graph_sel(r.g, op(r, O_LT, a, number(r, 0)), number(r, -1), one, r.ctx);
    case M_sinh: return call(r, M_cosh, a);
    case M_cosh: return call(r, M_sinh, a);
    default: return op(r, O_SUB, one, square(r, v)); // tanh
    }
}

// an extern function: its declared partial derivative, called with the same arguments
static int extern_slope(Rule r, const Node *n, int k) {
    Call c = r.g->calls.at[n->a];
    if (c.fn->partials.n <= k) return UNDEF;
    c.fn = c.fn->partials.at[k];
    return graph_call(r.g, &c, r.ctx);
}

int rule(Graph *g, int node, int k) {
    const Node n = g->nodes.at[node];
    const Rule r = {g, n.ctx};
    switch (n.op) {
    case O_NEG: return number(r, -1);
    case O_ADD: return number(r, 1);
    case O_SUB: return number(r, k == 0 ? 1 : -1);
    case O_MUL: return k == 0 ? n.b : n.a;
    case O_DIV: return k == 0 ? inverse(r, n.b) : neg(r, op(r, O_MUL, node, inverse(r, n.b)));
    case O_MATH:
        return math_nargs((MathFn)n.fn) == 1 ? math_one(r, (MathFn)n.fn, node, n.a)
                                             : math_two(r, (MathFn)n.fn, node, n.a, n.b, k);
    case O_EXTERN: return extern_slope(r, &n, k);
    case O_SEL:
        if (k == 1) return graph_sel(g, n.a, number(r, 1), number(r, 0), n.ctx);
        if (k == 2) return graph_sel(g, n.a, number(r, 0), number(r, 1), n.ctx);
        return number(r, 0);
    default: return number(r, 0);
    }
}
