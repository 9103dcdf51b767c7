// graph.c - builds the graph of an unrolled kernel; equal nodes are shared, identities folded
//
// Folding never changes a bit of a value (but the sign of a zero): x*1, x+0, 0*x, constants, signs
// pulled out of products, powers of two merged.
#include "graph.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Graph *graph_new(Mem *mem) {
    Graph *g = mem_new(mem, sizeof *g);
    g->mem = mem;
    g->ntable = 1 << 12;
    g->table = mem_new(mem, (size_t)g->ntable * sizeof *g->table);
    PUSH(mem, &g->nodes, (Node){.op = O_UNDEF});
    PUSH(mem, &g->contexts, (Context){.parent = -1});
    return g;
}

static uint64_t mix(uint64_t h, uint64_t v) {
    h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdu;
    return h ^ (h >> 32);
}

static uint64_t bits(double v) {
    uint64_t u;
    memcpy(&u, &v, sizeof u);
    return u;
}

static uint64_t hash(const Node *n) {
    uint64_t h = mix((uint64_t)n->op, (uint64_t)n->fn);
    h = mix(h, (uint64_t)n->ctx);
    h = mix(h, (uint64_t)n->a);
    h = mix(h, (uint64_t)n->b);
    h = mix(h, (uint64_t)n->c);
    return mix(h, bits(n->value));
}

static bool same(const Node *x, const Node *y) {
    return x->op == y->op && x->fn == y->fn && x->ctx == y->ctx && x->a == y->a && x->b == y->b &&
           x->c == y->c && bits(x->value) == bits(y->value);
}

static int find_exact(const Graph *g, const Node *n) {
    uint64_t h = hash(n);
    for (;; h++) {
        const int id = g->table[h % (uint64_t)g->ntable];
        if (id == 0) return 0;
        if (same(&g->nodes.at[id], n)) return id;
    }
}

static void put(Graph *g, int id) {
    uint64_t h = hash(&g->nodes.at[id]);
    while (g->table[h % (uint64_t)g->ntable]) h++;
    g->table[h % (uint64_t)g->ntable] = id;
}

static void grow_table(Graph *g) {
    g->ntable *= 4;
    g->table = mem_new(g->mem, (size_t)g->ntable * sizeof *g->table);
    for (int i = 1; i < g->nodes.n; i++) put(g, i);
}

// a node that exists in this context or around it
static int find(const Graph *g, Node n) {
    for (int ctx = n.ctx; ctx >= 0; ctx = g->contexts.at[ctx].parent) {
        n.ctx = ctx;
        const int id = find_exact(g, &n);
        if (id) return id;
    }
    return 0;
}

static int intern(Graph *g, Node n) {
    const int id = find(g, n);
    if (id) return id;
    if (3 * g->nodes.n > g->ntable) grow_table(g);
    PUSH(g->mem, &g->nodes, n);
    put(g, g->nodes.n - 1);
    return g->nodes.n - 1;
}

int graph_const(Graph *g, double value) {
    return intern(g, (Node){.op = O_CONST, .value = value == 0 ? 0.0 : value});
}

int graph_input(Graph *g, const char *arg, int index, const char *text) {
    for (int i = 0; i < g->leaves.n; i++) {
        const Leaf *l = &g->leaves.at[i];
        if (l->index == index && strcmp(l->arg, arg) == 0) {
            return intern(g, (Node){.op = O_INPUT, .a = i});
        }
    }
    PUSH(g->mem, &g->leaves, (Leaf){.text = text, .arg = arg, .index = index});
    return intern(g, (Node){.op = O_INPUT, .a = g->leaves.n - 1});
}

static const Node *at(const Graph *g, int id) {
    return &g->nodes.at[id];
}

bool graph_is(const Graph *g, int id, double value) {
    return at(g, id)->op == O_CONST && at(g, id)->value == value;
}

static bool is_const(const Graph *g, int id) {
    return at(g, id)->op == O_CONST;
}

static bool is_neg(const Graph *g, int id) {
    return at(g, id)->op == O_NEG;
}

bool graph_is_condition(const Graph *g, int id) {
    return at(g, id)->op >= O_LT;
}

static bool power_of_two(double v) {
    int e;
    return v != 0 && isfinite(v) && fabs(frexp(v, &e)) == 0.5 && abs(e) < 500;
}

static double compute(Op op, double a, double b) {
    switch (op) {
    case O_ADD: return a + b;
    case O_SUB: return a - b;
    case O_MUL: return a * b;
    case O_DIV: return a / b;
    case O_LT: return a < b;
    case O_LE: return a <= b;
    case O_EQ: return a == b;
    default: return 0;
    }
}

static int negate(Graph *g, int a, int ctx) {
    const Node n = *at(g, a);
    if (n.op == O_CONST) return graph_const(g, -n.value);
    if (n.op == O_NEG) return n.a;
    return intern(g, (Node){.op = O_NEG, .a = a, .ctx = ctx});
}

static int add(Graph *g, int a, int b, int ctx) {
    if (graph_is(g, a, 0)) return b;
    if (graph_is(g, b, 0)) return a;
    if (is_neg(g, b)) return graph_node(g, O_SUB, a, at(g, b)->a, ctx);
    if (is_neg(g, a)) return graph_node(g, O_SUB, b, at(g, a)->a, ctx);
    if (a == b) return graph_node(g, O_MUL, graph_const(g, 2), a, ctx);
    return intern(g, (Node){.op = O_ADD, .a = a < b ? a : b, .b = a < b ? b : a, .ctx = ctx});
}

static int subtract(Graph *g, int a, int b, int ctx) {
    if (a == b) return graph_const(g, 0);
    if (graph_is(g, b, 0)) return a;
    if (graph_is(g, a, 0)) return negate(g, b, ctx);
    if (is_neg(g, b)) return graph_node(g, O_ADD, a, at(g, b)->a, ctx);
    if (is_neg(g, a)) return negate(g, graph_node(g, O_ADD, at(g, a)->a, b, ctx), ctx);
    const int back = find(g, (Node){.op = O_SUB, .a = b, .b = a, .ctx = ctx});
    if (back) return negate(g, back, ctx);
    return intern(g, (Node){.op = O_SUB, .a = a, .b = b, .ctx = ctx});
}

static int multiply(Graph *g, int a, int b, int ctx) {
    if (is_const(g, b)) {
        const int t = a;
        a = b;
        b = t;
    }
    if (graph_is(g, a, 0)) return a;
    if (graph_is(g, a, 1)) return b;
    if (is_const(g, a) && at(g, a)->value < 0) {
        return negate(g, graph_node(g, O_MUL, negate(g, a, ctx), b, ctx), ctx);
    }
    if (is_neg(g, a)) return negate(g, graph_node(g, O_MUL, at(g, a)->a, b, ctx), ctx);
    if (is_neg(g, b)) return negate(g, graph_node(g, O_MUL, a, at(g, b)->a, ctx), ctx);
    const Node inner = *at(g, b);
    if (is_const(g, a) && inner.op == O_MUL && is_const(g, inner.a)) {
        const double x = at(g, a)->value, y = at(g, inner.a)->value;
        if ((power_of_two(x) || power_of_two(y)) && isnormal(x * y)) {
            return graph_node(g, O_MUL, graph_const(g, x * y), inner.b, ctx);
        }
    }
    const bool swap = !is_const(g, a) && b < a;
    return intern(g, (Node){.op = O_MUL, .a = swap ? b : a, .b = swap ? a : b, .ctx = ctx});
}

static int divide(Graph *g, int a, int b, int ctx) {
    if (graph_is(g, a, 0) && !graph_is(g, b, 0)) return a;
    if (graph_is(g, b, 1)) return a;
    if (is_const(g, a) && at(g, a)->value < 0) {
        return negate(g, graph_node(g, O_DIV, negate(g, a, ctx), b, ctx), ctx);
    }
    if (is_neg(g, a)) return negate(g, graph_node(g, O_DIV, at(g, a)->a, b, ctx), ctx);
    if (is_neg(g, b)) return negate(g, graph_node(g, O_DIV, a, at(g, b)->a, ctx), ctx);
    if (is_const(g, b) && power_of_two(at(g, b)->value)) {
        return graph_node(g, O_MUL, graph_const(g, 1 / at(g, b)->value), a, ctx);
    }
    return intern(g, (Node){.op = O_DIV, .a = a, .b = b, .ctx = ctx});
}

static int logic(Graph *g, Op op, int a, int b, int ctx) {
    if (op == O_NOT) {
        if (is_const(g, a)) return graph_const(g, at(g, a)->value == 0);
        if (at(g, a)->op == O_NOT) return at(g, a)->a;
    } else {
        const double decides = op == O_AND ? 0 : 1;
        if (is_const(g, a)) return graph_is(g, a, decides) ? a : b;
        if (is_const(g, b)) return graph_is(g, b, decides) ? b : a;
        if (a == b) return a;
    }
    return intern(g, (Node){.op = op, .a = a, .b = b, .ctx = ctx});
}

int graph_node(Graph *g, Op op, int a, int b, int ctx) {
    if (a == UNDEF || (b == UNDEF && op != O_NEG && op != O_NOT)) return UNDEF;
    if (op >= O_AND) return logic(g, op, a, b, ctx);
    if (op != O_NEG && is_const(g, a) && is_const(g, b)) {
        return graph_const(g, compute(op, at(g, a)->value, at(g, b)->value));
    }
    switch (op) {
    case O_NEG: return negate(g, a, ctx);
    case O_ADD: return add(g, a, b, ctx);
    case O_SUB: return subtract(g, a, b, ctx);
    case O_MUL: return multiply(g, a, b, ctx);
    case O_DIV: return divide(g, a, b, ctx);
    default: return intern(g, (Node){.op = op, .a = a, .b = b, .ctx = ctx});
    }
}

int graph_math(Graph *g, MathFn fn, int a, int b, int ctx) {
    if (a == UNDEF || (math_nargs(fn) == 2 && b == UNDEF)) return UNDEF;
    if (fn == M_sqrt && is_const(g, a) && at(g, a)->value >= 0) {
        return graph_const(g, sqrt(at(g, a)->value));
    }
    if (fn == M_fabs && is_const(g, a)) return graph_const(g, fabs(at(g, a)->value));
    if (graph_is(g, a, 0) && (fn == M_sin || fn == M_tan || fn == M_asin || fn == M_atan ||
                              fn == M_sinh || fn == M_tanh)) {
        return a;
    }
    if (graph_is(g, a, 0) && (fn == M_cos || fn == M_cosh || fn == M_exp)) return graph_const(g, 1);
    return intern(g, (Node){.op = O_MATH, .fn = fn, .a = a, .b = b, .ctx = ctx});
}

static bool same_call(const Call *x, const Call *y) {
    if (x->fn != y->fn || x->nargs != y->nargs) return false;
    for (int i = 0; i < x->nargs; i++) {
        if (x->arg[i] != y->arg[i]) return false;
        if (x->arg[i] < 0 && strcmp(x->handle[i], y->handle[i]) != 0) return false;
    }
    return true;
}

int graph_call(Graph *g, const Call *call, int ctx) {
    int id = 0;
    for (int i = 0; i < call->nargs; i++) {
        if (call->arg[i] == UNDEF) return UNDEF;
    }
    while (id < g->calls.n && !same_call(&g->calls.at[id], call)) id++;
    if (id == g->calls.n) PUSH(g->mem, &g->calls, *call);
    return intern(g, (Node){.op = O_EXTERN, .a = id, .ctx = ctx});
}

int graph_sel(Graph *g, int cond, int a, int b, int ctx) {
    if (cond == UNDEF || a == UNDEF || b == UNDEF) return UNDEF;
    if (is_const(g, cond)) return at(g, cond)->value != 0 ? a : b;
    if (a == b) return a;
    return intern(g, (Node){.op = O_SEL, .a = cond, .b = a, .c = b, .ctx = ctx});
}

int graph_phi(Graph *g, int cond, int a, int b, int ctx) {
    if (is_const(g, cond)) return at(g, cond)->value != 0 ? a : b;
    if (a == UNDEF || b == UNDEF) return UNDEF;
    if (a == b) return a;
    if (graph_inside(g, ctx, at(g, a)->ctx) && graph_inside(g, ctx, at(g, b)->ctx)) {
        return graph_sel(g, cond, a, b, ctx); // nothing is computed in the two parts
    }
    return intern(g, (Node){.op = O_PHI, .a = cond, .b = a, .c = b, .ctx = ctx});
}

int graph_context(Graph *g, int parent, int cond, bool then) {
    for (int i = at(g, cond)->contexts; i > 0; i = g->contexts.at[i].next) {
        const Context *c = &g->contexts.at[i];
        if (c->parent == parent && c->then == then) return i;
    }
    const Context c = {.parent = parent,
                       .cond = cond,
                       .then = then,
                       .depth = g->contexts.at[parent].depth + 1,
                       .next = at(g, cond)->contexts};
    PUSH(g->mem, &g->contexts, c);
    g->nodes.at[cond].contexts = g->contexts.n - 1;
    return g->contexts.n - 1;
}

bool graph_inside(const Graph *g, int inner, int outer) {
    while (inner >= 0 && inner != outer) inner = g->contexts.at[inner].parent;
    return inner == outer;
}

int graph_operands(const Graph *g, int id, int out[8]) {
    const Node *n = at(g, id);
    switch (n->op) {
    case O_UNDEF:
    case O_CONST:
    case O_INPUT: return 0;
    case O_NEG:
    case O_NOT: out[0] = n->a; return 1;
    case O_MATH:
        out[0] = n->a;
        out[1] = n->b;
        return math_nargs((MathFn)n->fn);
    case O_SEL:
    case O_PHI:
        out[0] = n->a;
        out[1] = n->b;
        out[2] = n->c;
        return 3;
    case O_EXTERN: {
        const Call *call = &g->calls.at[n->a];
        int k = 0;
        for (int i = 0; i < call->nargs; i++) {
            if (call->arg[i] >= 0) out[k++] = call->arg[i];
        }
        return k;
    }
    default:
        out[0] = n->a;
        out[1] = n->b;
        return 2;
    }
}

// the context of a copy: a part whose condition became constant is part of what is around it
static int copy_context(Graph *g, int ctx, const int *done) {
    if (ctx == 0) return 0;
    const Context c = g->contexts.at[ctx];
    const int parent = copy_context(g, c.parent, done);
    const int cond = done[c.cond];
    if (cond == UNDEF || is_const(g, cond)) return parent;
    return graph_context(g, parent, cond, c.then);
}

static int copy_node(Graph *g, int id, const int *map, const int *done) {
    const Node n = *at(g, id);
    const int ctx = copy_context(g, n.ctx, done);
    Call call;
    switch (n.op) {
    case O_UNDEF:
    case O_CONST: return id;
    case O_INPUT: return map[n.a] == UNDEF ? id : map[n.a];
    case O_MATH: return graph_math(g, (MathFn)n.fn, done[n.a], done[n.b], ctx);
    case O_SEL: return graph_sel(g, done[n.a], done[n.b], done[n.c], ctx);
    case O_PHI: return graph_phi(g, done[n.a], done[n.b], done[n.c], ctx);
    case O_EXTERN:
        call = g->calls.at[n.a];
        for (int i = 0; i < call.nargs; i++) {
            if (call.arg[i] >= 0) call.arg[i] = done[call.arg[i]];
        }
        return graph_call(g, &call, ctx);
    default:
        return graph_node(g, n.op, done[n.a], n.op == O_NEG || n.op == O_NOT ? 0 : done[n.b], ctx);
    }
}

typedef LIST(int) Stack;

static void want(Graph *g, Stack *s, int id, const int *done) {
    if (done[id] == UNDEF) PUSH(g->mem, s, id);
}

// depth first without recursion: a node is copied when its operands and conditions are
void graph_copy_all(Graph *g, const int *roots, int nroot, const int *map, int *done) {
    Stack s = {0};
    for (int i = 0; i < nroot; i++) {
        want(g, &s, roots[i], done);
        while (s.n) {
            const int id = s.at[s.n - 1], before = s.n;
            int ops[8];
            const int n = id == UNDEF ? 0 : graph_operands(g, id, ops);
            for (int k = 0; k < n; k++) want(g, &s, ops[k], done);
            for (int c = at(g, id)->ctx; c > 0; c = g->contexts.at[c].parent) {
                want(g, &s, g->contexts.at[c].cond, done);
            }
            if (s.n > before) continue;
            s.n--;
            if (done[id] == UNDEF) done[id] = copy_node(g, id, map, done);
        }
    }
}
