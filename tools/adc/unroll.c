// unroll.c - runs a kernel with symbols instead of numbers
//
// Integers are numbers here, so loops are executed and calls entered; every double of a variable is
// a cell that holds a node of the graph. A branch on doubles runs both parts, each in its context,
// and joins every cell that differs.
#include "unroll.h"

#include <string.h>

typedef struct Binding { // of a variable of one call
    int cell, ncell;     // its doubles, in Unroll.cells
    long integer;
    int ctx;            // where an int was declared
    const char *handle; // pointer argument: its text in the derived code
} Binding;

typedef struct Frame {
    const Function *fn;
    Binding *var;
    int result;
} Frame;

typedef struct Unroll {
    Unit *u;
    Graph *g;
    LIST(int) cells;
    int ctx, depth;
    long steps;
    bool failed;
} Unroll;

typedef struct Spot { // a double, or an array of them
    int cell, ncell;
} Spot;

static const long max_steps = 300000;

static int eval(Unroll *x, Frame *f, const Expr *e);
static void run(Unroll *x, Frame *f, const Stmt *s);

#define STOP(x, place, ...) (message_error((x)->u->m, place, __VA_ARGS__), (x)->failed = true)

static bool spend(Unroll *x, Place place) {
    if (!x->failed && (++x->steps > max_steps || x->g->nodes.n > MAX_NODES)) {
        STOP(x, place, "the kernel is too long when its loops are written out; split it");
    }
    return !x->failed;
}

static int new_cells(Unroll *x, int n) {
    const int first = x->cells.n;
    for (int i = 0; i < n; i++) PUSH(x->u->mem, &x->cells, UNDEF);
    return first;
}

static long int_value(Unroll *x, Frame *f, const Expr *e);

static bool compare_ints(const char *op, long a, long b) {
    switch (op[0]) {
    case '<': return op[1] ? a <= b : a < b;
    case '>': return op[1] ? a >= b : a > b;
    case '=': return a == b;
    default: return a != b;
    }
}

static long int_binary(Unroll *x, const Expr *e, long a, long b) {
    const long limit = 1L << 30;
    if ((*e->text == '/' || *e->text == '%') && b == 0) {
        STOP(x, e->place, "division of integers by zero");
        return 0;
    }
    long v = 0;
    switch (*e->text) {
    case '+': v = a + b; break;
    case '-': v = a - b; break;
    case '*': v = a * b; break;
    case '/': v = a / b; break;
    case '%': v = a % b; break;
    default: break;
    }
    if (v > limit || v < -limit) {
        STOP(x, e->place, "this integer is too large; compute with doubles");
        return 0;
    }
    return v;
}

// a condition on integers only
static bool static_condition(Unroll *x, Frame *f, const Expr *e) {
    if (e->kind == E_UNARY) return !static_condition(x, f, e->a);
    if (strcmp(e->text, "&&") == 0) {
        return static_condition(x, f, e->a) && static_condition(x, f, e->b);
    }
    if (strcmp(e->text, "||") == 0) {
        return static_condition(x, f, e->a) || static_condition(x, f, e->b);
    }
    return compare_ints(e->text, int_value(x, f, e->a), int_value(x, f, e->b));
}

static long int_value(Unroll *x, Frame *f, const Expr *e) {
    switch (e->kind) {
    case E_INT: return e->integer;
    case E_NAME: return e->var->constant ? e->var->integer : f->var[e->var->frame].integer;
    case E_UNARY: return *e->text == '-' ? -int_value(x, f, e->a) : int_value(x, f, e->a);
    case E_BINARY: return int_binary(x, e, int_value(x, f, e->a), int_value(x, f, e->b));
    case E_CHOICE:
        return static_condition(x, f, e->a) ? int_value(x, f, e->b) : int_value(x, f, e->c);
    case E_CAST: return int_value(x, f, e->a);
    default: return 0;
    }
}

static Spot spot(Unroll *x, Frame *f, const Expr *e) {
    Spot s = {0, 0};
    if (e->kind == E_NAME) {
        if (e->var->table) return (Spot){e->var->frame, type_cells(&e->var->type)};
        const Binding *b = &f->var[e->var->frame];
        return (Spot){b->cell, b->ncell};
    }
    if (e->kind == E_MEMBER) {
        s = spot(x, f, e->a);
        return (Spot){s.cell + e->member->offset, type_cells(&e->member->type)};
    }
    if (e->kind == E_ADDRESS) {
        if (e->a->kind != E_INDEX) return spot(x, f, e->a);
        // from an element to the end of its array
        const Spot all = spot(x, f, e->a->a), one = spot(x, f, e->a);
        return (Spot){one.cell, all.cell + all.ncell - one.cell};
    }
    if (e->kind != E_INDEX) return s;
    const Type *t = &e->a->type;
    const int stride = type_cells(&e->type);
    const long i = int_value(x, f, e->b);
    s = spot(x, f, e->a);
    const int size = t->dim[0] ? t->dim[0] : s.ncell;
    if (i < 0 || i >= size) {
        if (!x->failed) {
            STOP(x, e->b->place, "index %ld is outside of an array of %d; check the bounds", i,
                 size);
        }
        return (Spot){s.cell, stride};
    }
    return (Spot){s.cell + (int)i * stride, stride};
}

static const char *owner_name(const Expr *e) {
    while (e->kind == E_INDEX || e->kind == E_MEMBER || e->kind == E_ADDRESS) e = e->a;
    return e->kind == E_NAME ? e->text : "this";
}

static int read(Unroll *x, Frame *f, const Expr *e) {
    const Spot s = spot(x, f, e);
    if (x->failed) return UNDEF;
    if (x->cells.at[s.cell] == UNDEF) {
        STOP(x, e->place,
             "'%s' is read here but not written before on every path; give it a value "
             "first",
             owner_name(e));
    }
    return x->cells.at[s.cell];
}

static int compare(Graph *g, const char *op, int a, int b, int ctx) {
    switch (op[0]) {
    case '<': return graph_node(g, op[1] ? O_LE : O_LT, a, b, ctx);
    case '>': return graph_node(g, op[1] ? O_LE : O_LT, b, a, ctx);
    case '=': return graph_node(g, O_EQ, a, b, ctx);
    default: return graph_node(g, O_NOT, graph_node(g, O_EQ, a, b, ctx), 0, ctx);
    }
}

static int eval_binary(Unroll *x, Frame *f, const Expr *e) {
    const int a = eval(x, f, e->a);
    if (x->failed) return UNDEF;
    // i > 0 && x[i - 1] > 0: the second part is not looked at where the first decides
    if (*e->text == '&' && graph_is(x->g, a, 0)) return a;
    if (*e->text == '|' && graph_is(x->g, a, 1)) return a;
    const int b = eval(x, f, e->b);
    if (x->failed) return UNDEF;
    switch (*e->text) {
    case '+': return graph_node(x->g, O_ADD, a, b, x->ctx);
    case '-': return graph_node(x->g, O_SUB, a, b, x->ctx);
    case '*': return graph_node(x->g, O_MUL, a, b, x->ctx);
    case '/': return graph_node(x->g, O_DIV, a, b, x->ctx);
    case '&': return graph_node(x->g, O_AND, a, b, x->ctx);
    case '|': return graph_node(x->g, O_OR, a, b, x->ctx);
    default: return compare(x->g, e->text, a, b, x->ctx);
    }
}

static int eval_choice(Unroll *x, Frame *f, const Expr *e) {
    const int cond = eval(x, f, e->a), ctx = x->ctx;
    if (x->failed) return UNDEF;
    if (x->g->nodes.at[cond].op == O_CONST) {
        return eval(x, f, x->g->nodes.at[cond].value != 0 ? e->b : e->c);
    }
    x->ctx = graph_context(x->g, ctx, cond, true);
    const int a = eval(x, f, e->b);
    x->ctx = graph_context(x->g, ctx, cond, false);
    const int b = eval(x, f, e->c);
    x->ctx = ctx;
    return graph_phi(x->g, cond, a, b, ctx);
}

// a pointer in terms of the arguments of the kernel: p->curve, p->parts[1].curve or &p->part;
// NULL when it points to a local variable
static const char *handle_text(Unroll *x, Frame *f, const Expr *e) {
    if (e->kind == E_NAME) return f->var[e->var->frame].handle;
    const char *base = handle_text(x, f, e->a);
    if (!base) return NULL;
    if (e->kind == E_ADDRESS) return mem_text(x->u->mem, "&%s", base);
    if (e->kind == E_INDEX) {
        const long i = int_value(x, f, e->b);
        if ((i < 0 || i >= e->a->type.dim[0]) && !x->failed) {
            STOP(x, e->b->place, "index %ld is outside of an array of %d; check the bounds", i,
                 e->a->type.dim[0]);
        }
        return mem_text(x->u->mem, "%s[%ld]", base, i);
    }
    const bool object = e->arrow && *base == '&'; // (&p->part)->curve is p->part.curve
    return mem_text(x->u->mem, "%s%s%s", base + object, e->arrow && !object ? "->" : ".", e->text);
}

static int eval_extern(Unroll *x, Frame *f, const Expr *e) {
    Call call = {.fn = e->fn, .nargs = e->args.n};
    if (call.nargs > 8) {
        STOP(x, e->place, "an extern function takes at most 8 arguments");
        return UNDEF;
    }
    for (int i = 0; i < call.nargs; i++) {
        const bool handle = e->fn->params.at[i]->type.base == B_HANDLE;
        call.arg[i] = handle ? -1 : eval(x, f, e->args.at[i]);
        if (handle) call.handle[i] = handle_text(x, f, e->args.at[i]);
        if (handle && !call.handle[i]) {
            STOP(x, e->args.at[i]->place,
                 "an extern function can not read a struct made here; pass its elements as doubles "
                 "or an argument of the kernel");
            return UNDEF;
        }
    }
    return x->failed ? UNDEF : graph_call(x->g, &call, x->ctx);
}

static void bind_argument(Unroll *x, Frame *f, const Expr *e, const Var *param, Binding *b) {
    const Type *t = &param->type;
    b->ctx = x->ctx;
    if (t->base == B_HANDLE) {
        b->handle = handle_text(x, f, e);
    } else if (t->base == B_INT) {
        b->integer = int_value(x, f, e);
    } else if (t->base == B_DOUBLE && !t->ndim) {
        const int value = eval(x, f, e);
        b->cell = new_cells(x, 1);
        b->ncell = 1;
        x->cells.at[b->cell] = value;
    } else {
        const Spot s = spot(x, f, e);
        const int need = type_cells(t);
        if (s.ncell < need && !x->failed) {
            STOP(x, e->place, "argument '%s' needs %d doubles and gets %d; pass a longer array",
                 param->name, need, s.ncell);
        }
        b->cell = s.cell;
        b->ncell = need;
        if (t->base == B_STRUCT) b->handle = handle_text(x, f, e);
    }
}

static int enter(Unroll *x, Frame *f, const Expr *e) {
    enum { MAX_CALLS = 100 };
    if (!e->fn->body) return eval_extern(x, f, e);
    if (++x->depth > MAX_CALLS) {
        STOP(x, e->place, "calls are nested too deeply");
        return UNDEF;
    }
    const int top = x->cells.n;
    Frame inner = {.fn = e->fn};
    inner.var = mem_new(x->u->mem, (size_t)e->fn->nframe * sizeof *inner.var);
    for (int i = 0; i < e->args.n; i++) {
        const Var *param = e->fn->params.at[i];
        bind_argument(x, f, e->args.at[i], param, &inner.var[param->frame]);
    }
    if (!x->failed) run(x, &inner, e->fn->body);
    x->cells.n = top;
    x->depth--;
    return inner.result;
}

static int eval_call(Unroll *x, Frame *f, const Expr *e) {
    if (e->math < 0) return enter(x, f, e);
    const int a = eval(x, f, e->args.at[0]);
    const int b = e->args.n > 1 ? eval(x, f, e->args.at[1]) : 0;
    return x->failed ? UNDEF : graph_math(x->g, (MathFn)e->math, a, b, x->ctx);
}

// the node of a double or of a condition
static int eval(Unroll *x, Frame *f, const Expr *e) {
    if (!spend(x, e->place)) return UNDEF;
    if (e->type.base == B_INT) return graph_const(x->g, (double)int_value(x, f, e));
    if (e->type.base == B_BOOL && !e->type.dynamic) {
        return graph_const(x->g, static_condition(x, f, e));
    }
    switch (e->kind) {
    case E_REAL: return graph_const(x->g, e->real);
    case E_NAME:
    case E_INDEX:
    case E_MEMBER: return read(x, f, e);
    case E_UNARY: {
        const int a = eval(x, f, e->a);
        if (*e->text == '+') return a;
        return graph_node(x->g, *e->text == '!' ? O_NOT : O_NEG, a, 0, x->ctx);
    }
    case E_BINARY: return eval_binary(x, f, e);
    case E_CHOICE: return eval_choice(x, f, e);
    case E_CALL: return eval_call(x, f, e);
    case E_CAST: return eval(x, f, e->a);
    default: return UNDEF;
    }
}

static void name_it(Unroll *x, int node, const char *name) {
    Node *n = &x->g->nodes.at[node];
    if (node != UNDEF && !n->hint) n->hint = name;
}

static void run_decl(Unroll *x, Frame *f, const Stmt *s) {
    Binding *b = &f->var[s->var->frame];
    b->ctx = x->ctx;
    if (s->var->type.base == B_INT) {
        b->integer = int_value(x, f, s->e);
        return;
    }
    const int value = s->e ? eval(x, f, s->e) : UNDEF;
    b->ncell = type_cells(&s->var->type);
    b->cell = new_cells(x, b->ncell);
    if (s->e) {
        x->cells.at[b->cell] = value;
        name_it(x, value, s->var->name);
    }
    for (int i = 0; s->has_list && i < b->ncell; i++) {
        const int v = i < s->list.n ? eval(x, f, s->list.at[i]) : graph_const(x->g, 0);
        x->cells.at[b->cell + i] = v;
        name_it(x, v, s->var->name);
    }
}

static void run_assign_int(Unroll *x, Frame *f, const Stmt *s) {
    Binding *b = &f->var[s->left->var->frame];
    if (b->ctx != x->ctx) {
        STOP(x, s->place, "an integer may not depend on doubles; use a double here");
        return;
    }
    const long v = int_value(x, f, s->e);
    const char op[2] = {s->op, 0};
    const Expr e = {.place = s->place, .text = op};
    b->integer = s->op == '=' ? v : int_binary(x, &e, b->integer, v);
}

static void run_assign(Unroll *x, Frame *f, const Stmt *s) {
    if (s->left->type.base == B_INT) {
        run_assign_int(x, f, s);
        return;
    }
    static const char signs[] = "+-*/";
    static const Op ops[] = {O_ADD, O_SUB, O_MUL, O_DIV};
    int value = eval(x, f, s->e);
    if (s->op != '=') {
        const int old = read(x, f, s->left);
        value = graph_node(x->g, ops[strchr(signs, s->op) - signs], old, value, x->ctx);
    }
    const Spot to = spot(x, f, s->left);
    if (x->failed) return;
    x->cells.at[to.cell] = value;
    name_it(x, value, owner_name(s->left));
}

static void run_part(Unroll *x, Frame *f, const Stmt *s, int part) {
    if (part < s->body.n) run(x, f, s->body.at[part]);
}

static void run_if(Unroll *x, Frame *f, const Stmt *s) {
    const int cond = eval(x, f, s->e), ctx = x->ctx, n = x->cells.n;
    if (x->failed) return;
    if (x->g->nodes.at[cond].op == O_CONST) {
        run_part(x, f, s, x->g->nodes.at[cond].value != 0 ? 0 : 1);
        return;
    }
    int *before = mem_new(x->u->mem, (size_t)n * sizeof *before);
    int *then = mem_new(x->u->mem, (size_t)n * sizeof *then);
    memcpy(before, x->cells.at, (size_t)n * sizeof *before);
    x->ctx = graph_context(x->g, ctx, cond, true);
    run_part(x, f, s, 0);
    memcpy(then, x->cells.at, (size_t)n * sizeof *then);
    memcpy(x->cells.at, before, (size_t)n * sizeof *before);
    x->ctx = graph_context(x->g, ctx, cond, false);
    run_part(x, f, s, 1);
    x->ctx = ctx;
    x->cells.n = n;
    for (int i = 0; i < n; i++) {
        int *cell = &x->cells.at[i];
        if (then[i] != *cell) *cell = graph_phi(x->g, cond, then[i], *cell, ctx);
    }
}

static void run_for(Unroll *x, Frame *f, const Stmt *s) {
    run_decl(x, f, s->init);
    while (!x->failed && static_condition(x, f, s->e)) {
        if (!spend(x, s->place)) return;
        const int top = x->cells.n;
        f->var[s->init->var->frame].ctx = x->ctx;
        run(x, f, s->body.at[0]);
        x->cells.n = top;
        run_assign_int(x, f, s->step);
    }
}

static void run(Unroll *x, Frame *f, const Stmt *s) {
    if (!spend(x, s->place)) return;
    switch (s->kind) {
    case S_DECL: run_decl(x, f, s); break;
    case S_ASSIGN: run_assign(x, f, s); break;
    case S_CALL: (void)enter(x, f, s->e); break;
    case S_IF: run_if(x, f, s); break;
    case S_FOR: run_for(x, f, s); break;
    case S_BLOCK:
        for (int i = 0; i < s->body.n && !x->failed; i++) run(x, f, s->body.at[i]);
        break;
    case S_RETURN:
        if (s->e) f->result = eval(x, f, s->e);
        break;
    }
}

static void load_tables(Unroll *x) {
    (void)new_cells(x, 1); // never empty
    for (int i = 0; i < x->u->globals.n; i++) {
        Var *v = x->u->globals.at[i];
        if (!v->table) continue;
        v->frame = x->cells.n;
        for (int k = 0; k < type_cells(&v->type); k++) {
            PUSH(x->u->mem, &x->cells, graph_const(x->g, v->table[k]));
        }
    }
}

bool unroll(Unit *u, Graph *g, Function *f, int **cells, int *result) {
    Unroll x = {.u = u, .g = g};
    load_tables(&x);
    Frame frame = {.fn = f};
    frame.var = mem_new(u->mem, (size_t)f->nframe * sizeof *frame.var);
    for (int i = 0; i < f->params.n; i++) {
        const Var *v = f->params.at[i];
        Binding *b = &frame.var[v->frame];
        b->ncell = type_cells(&v->type);
        b->cell = new_cells(&x, b->ncell);
        b->handle = v->name;
        for (int k = 0; k < b->ncell; k++) x.cells.at[b->cell + k] = cells[i][k];
    }
    run(&x, &frame, f->body);
    for (int i = 0; i < f->params.n && !x.failed; i++) {
        const Binding *b = &frame.var[f->params.at[i]->frame];
        for (int k = 0; k < b->ncell; k++) cells[i][k] = x.cells.at[b->cell + k];
    }
    *result = frame.result;
    return !x.failed;
}

static const char *member_text(Mem *mem, const char *base, const Type *t, int k) {
    char index[3 * 16] = "";
    int rest = type_cells(t), at = k;
    for (int i = 0; i < t->ndim; i++) {
        rest /= t->dim[i];
        const size_t n = strlen(index);
        snprintf(index + n, sizeof index - n, "[%d]", at / rest);
        at %= rest;
    }
    base = mem_text(mem, "%s%s", base, index);
    if (t->base != B_STRUCT) return base;
    for (int i = 0; i < t->st->members.n; i++) {
        const Member *m = &t->st->members.at[i];
        const bool real = m->type.base == B_DOUBLE || m->type.base == B_STRUCT;
        if (real && at >= m->offset && at < m->offset + type_cells(&m->type)) {
            const char *text = mem_text(mem, "%s%s%s", base, t->pointer ? "->" : ".", m->name);
            return member_text(mem, text, &m->type, at - m->offset);
        }
    }
    return base;
}

const char *cell_text(Mem *mem, const Var *param, int k) {
    return member_text(mem, param->name, &param->type, k);
}
