// emit_body.c - the statements of a generated function
//
// A value that is used once is written where it is used, as long as the line stays short; the
// others get a name made of the variable of the kernel that held it. Brackets keep the order of
// operations of the kernel, so that the values agree bit by bit.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "schedule.h"

enum { MAX_INLINE = 10, WIDTH = 100 };

typedef struct Body {
    Text *t;
    const Program *p;
    Graph *g;
    Shape shape;
    Schedule *s;
    const char **name;  // of nodes with a variable
    const char **array; // names of the arrays of Program.loops
    bool *inlined;
    int *size;
    const char *tile, *lane, *at; // counters: h, l and k, unless an argument is called so
    int indent, nnames;
    LIST(const char *) roots; // where root i is stored
    LIST(int) root_nodes;
    int nstore;
} Body;

static const char *expr(Body *b, int id, int *level);

static bool always_inline(const Body *b, int id) {
    const Op op = b->g->nodes.at[id].op;
    if (op == O_CONST) return true;
    if (b->shape == LANES) return false;
    return op == O_INPUT || graph_is_condition(b->g, id);
}

static const char *wrap(Body *b, int id, int least) {
    int level;
    const char *text = expr(b, id, &level);
    return level >= least ? text : mem_text(b->t->mem, "(%s)", text);
}

static const char *infix(Body *b, int a, const char *op, int c, int level) {
    return mem_text(b->t->mem, "%s%s%s", wrap(b, a, level), op, wrap(b, c, level + 1));
}

// complex numbers are compared by their real parts
static const char *compared(Body *b, const Node *n, const char *op) {
    if (b->shape != COMPLEX) {
        return mem_text(b->t->mem, "%s%s%s", wrap(b, n->a, 5), op, wrap(b, n->b, 5));
    }
    int level;
    const char *x = expr(b, n->a, &level);
    return mem_text(b->t->mem, "creal(%s)%screal(%s)", x, op, expr(b, n->b, &level));
}

// brackets around every operand that is not a comparison
static const char *logic(Body *b, const Node *n, const char *op) {
    const int least = b->shape == LANES ? 7 : 3;
    return mem_text(b->t->mem, "%s%s%s", wrap(b, n->a, least), op, wrap(b, n->b, least));
}

static const char *function_prefix(const Body *b) {
    return b->shape == LANES ? "lane_" : b->shape == COMPLEX ? "cx_" : "";
}

static const char *math_call(Body *b, const Node *n) {
    int level;
    const char *fn = math_name((MathFn)n->fn), *x = expr(b, n->a, &level);
    if (math_nargs((MathFn)n->fn) == 1) {
        return mem_text(b->t->mem, "%s%s(%s)", function_prefix(b), fn, x);
    }
    return mem_text(b->t->mem, "%s%s(%s, %s)", function_prefix(b), fn, x, expr(b, n->b, &level));
}

static const char *extern_call(Body *b, const Node *n, const char *lane) {
    const Call *c = &b->g->calls.at[n->a];
    Text t = {.mem = b->t->mem};
    text_add(&t, "%s(", c->fn->name);
    for (int i = 0; i < c->nargs; i++) {
        int level;
        const char *comma = i ? ", " : "";
        if (c->arg[i] >= 0) {
            text_add(&t, "%s%s", comma, expr(b, c->arg[i], &level));
            if (lane) text_add(&t, "[%s]", lane);
        } else if (lane) {
            const char *name = emit_handle(b->t->mem, b->p, c->handle[i]);
            text_add(&t, "%s%s[%s + %s]", comma, name, b->tile, lane);
        } else {
            text_add(&t, "%s%s", comma, c->handle[i]);
        }
    }
    text_add(&t, ")");
    return t.at;
}

static const char *choice(Body *b, const Node *n) {
    int level;
    if (b->shape == LANES) {
        const char *c = expr(b, n->a, &level), *x = expr(b, n->b, &level);
        return mem_text(b->t->mem, "lane_sel(%s, %s, %s)", c, x, expr(b, n->c, &level));
    }
    return mem_text(b->t->mem, "%s ? %s : %s", wrap(b, n->a, 2), wrap(b, n->b, 3),
                    wrap(b, n->c, 3));
}

static const char *negation(Body *b, const Node *n, int *level) {
    const Node *m = &b->g->nodes.at[n->a];
    if (m->op == O_SUB && b->inlined[n->a]) { // -(x - y) is y - x
        *level = 5;
        return infix(b, m->b, " - ", m->a, 5);
    }
    *level = 5;
    return mem_text(b->t->mem, "-%s", wrap(b, n->a, 6));
}

// levels: 0 ?:, 1 ||, 2 &&, 3 ==, 4 <, 5 + and -, 6 * and /, 7 names and calls
static const char *operation(Body *b, int id, int *level) {
    const Node n = b->g->nodes.at[id];
    const bool lanes = b->shape == LANES;
    switch (n.op) {
    case O_NEG: return negation(b, &n, level);
    case O_ADD: *level = 5; return infix(b, n.a, " + ", n.b, 5);
    case O_SUB: *level = 5; return infix(b, n.a, " - ", n.b, 5);
    case O_MUL: *level = 6; return infix(b, n.a, "*", n.b, 6);
    case O_DIV: *level = 6; return infix(b, n.a, "/", n.b, 6);
    case O_MATH: *level = 7; return math_call(b, &n);
    case O_EXTERN: *level = 7; return extern_call(b, &n, NULL);
    case O_PHI:
    case O_SEL: *level = lanes ? 7 : 0; return choice(b, &n);
    case O_LT: *level = 4; return compared(b, &n, " < ");
    case O_LE: *level = 4; return compared(b, &n, " <= ");
    case O_EQ: *level = 3; return compared(b, &n, " == ");
    case O_AND: *level = 2; return logic(b, &n, lanes ? " & " : " && ");
    case O_OR: *level = 1; return logic(b, &n, lanes ? " | " : " || ");
    case O_NOT: *level = 7; return mem_text(b->t->mem, "%s%s", lanes ? "~" : "!", wrap(b, n.a, 7));
    default: *level = 7; return "0.0";
    }
}

static const char *expr(Body *b, int id, int *level) {
    const Node *n = &b->g->nodes.at[id];
    *level = 7;
    if (n->op == O_CONST && b->name[id]) return b->name[id];
    if (n->op == O_CONST) {
        const char *text = emit_number(b->t->mem, n->value);
        return b->shape == LANES ? mem_text(b->t->mem, "lane_set(%s)", text) : text;
    }
    if (n->op == O_INPUT && b->shape != LANES) return b->g->leaves.at[n->a].text;
    if (b->name[id] && !b->inlined[id]) return b->name[id];
    return operation(b, id, level);
}

// one line, broken at blanks where it is too long
static void line(Body *b, const char *text) {
    enum { DEEP = 12 }; // deeper blocks stay where they are: a line keeps room for its text
    const int indent = 4 * (b->indent < DEEP ? b->indent : DEEP);
    int column = indent;
    text_add(b->t, "%*s", indent, "");
    while (*text) {
        const int room = WIDTH - column;
        int cut = (int)strlen(text);
        if (cut > room) {
            cut = room;
            while (cut > 0 && text[cut] != ' ') cut--;
            if (cut == 0) cut = (int)strcspn(text + 1, " ") + 1;
        }
        text_add(b->t, "%.*s\n", cut, text);
        text += cut;
        while (*text == ' ') text++;
        if (*text) text_add(b->t, "%*s", indent + 4, "");
        column = indent + 4;
    }
}

static bool taken(const Body *b, const char *name) {
    const Program *p = b->p;
    for (int i = 0; i < p->fn->params.n; i++) {
        if (strcmp(p->fn->params.at[i]->name, name) == 0) return true;
    }
    for (int i = 0; i < p->extras.n; i++) {
        if (strcmp(p->extras.at[i].name, name) == 0) return true;
    }
    for (int i = 0; i < p->outs.n; i++) {
        if (strcmp(p->outs.at[i].name, name) == 0) return true;
    }
    for (int i = 0; i < b->g->calls.n; i++) {
        if (strcmp(b->g->calls.at[i].fn->name, name) == 0) return true;
    }
    return false;
}

// the name, with as many _ behind it as it takes to be the only one
static const char *fresh(const Body *b, const char *name) {
    while (taken(b, name)) name = mem_text(b->t->mem, "%s_", name);
    return name;
}

static void give_name(Body *b, int id) {
    const char *hint = b->g->nodes.at[id].hint;
    b->name[id] = fresh(b, mem_text(b->t->mem, "%s_%d", hint ? hint : "w", ++b->nnames));
}

static void choose_inline(Body *b) {
    for (int i = 1; i < b->g->nodes.n; i++) {
        if (!b->s->live[i]) continue;
        int ops[8], size = 1;
        const Op op = b->g->nodes.at[i].op;
        const int n = graph_operands(b->g, i, ops);
        for (int k = 0; k < n; k++) size += b->inlined[ops[k]] ? b->size[ops[k]] : 0;
        b->size[i] = size;
        const bool joined = op == O_PHI && b->shape != LANES;
        const bool statement = b->shape == LANES && (op == O_EXTERN || op == O_INPUT);
        b->inlined[i] = always_inline(b, i) || (b->s->uses[i] == 1 && !b->s->outer[i] && !joined &&
                                                !statement && size <= MAX_INLINE);
        if (b->shape == LANES && op == O_EXTERN) {
            for (int k = 0; k < n; k++) b->inlined[ops[k]] = b->g->nodes.at[ops[k]].op == O_CONST;
        }
    }
    for (int i = 1; i < b->g->nodes.n; i++) {
        if (b->shape != LANES || b->g->nodes.at[i].op != O_EXTERN || !b->s->live[i]) continue;
        int ops[8];
        const int n = graph_operands(b->g, i, ops);
        for (int k = 0; k < n; k++) b->inlined[ops[k]] = false; // read lane by lane: by name
    }
}

static const char *type_name(const Body *b, int id) {
    if (b->shape == LANES) return graph_is_condition(b->g, id) ? "CdLaneMask" : "CdLane";
    return b->shape == COMPLEX ? "double complex" : "double";
}

static void define_input(Body *b, int id) {
    const Leaf *l = &b->g->leaves.at[b->g->nodes.at[id].a];
    b->g->nodes.at[id].hint = l->arg;
    give_name(b, id);
    b->g->nodes.at[id].hint = NULL;
    line(b, mem_text(b->t->mem, "const CdLane %s = lane_load(%s + %d + %s);", b->name[id], l->arg,
                     8 * l->index, b->tile));
}

static void define_extern(Body *b, int id) {
    give_name(b, id);
    const Node n = b->g->nodes.at[id];
    line(b, mem_text(b->t->mem, "CdLane %s = lane_set(0.0);", b->name[id]));
    const char *l = b->lane;
    line(b, mem_text(b->t->mem, "for (int %s = 0; %s < CD_LANE_WIDTH; %s++) %s[%s] = %s;", l, l, l,
                     b->name[id], l, extern_call(b, &n, l)));
}

static void define(Body *b, int id) {
    const Op op = b->g->nodes.at[id].op;
    if (op == O_UNDEF || b->inlined[id]) return;
    if (op == O_PHI && b->shape != LANES) return; // declared where its branch is opened
    if (op == O_INPUT) {
        define_input(b, id);
        return;
    }
    if (op == O_EXTERN && b->shape == LANES) {
        define_extern(b, id);
        return;
    }
    int level;
    if (op == O_CONST) { // a name for a constant that an extern function reads lane by lane
        give_name(b, id);
        line(b, mem_text(b->t->mem, "const CdLane %s = lane_set(%s);", b->name[id],
                         emit_number(b->t->mem, b->g->nodes.at[id].value)));
        return;
    }
    const char *text = operation(b, id, &level);
    if (b->s->outer[id]) {
        line(b, mem_text(b->t->mem, "%s = %s;", b->name[id], text));
        return;
    }
    give_name(b, id);
    line(b, mem_text(b->t->mem, "const %s %s = %s;", type_name(b, id), b->name[id], text));
}

// joined values that get their value in the block opened by event i
static void declare_joined(Body *b, int i) {
    const int n = b->s->events.n;
    int depth = 0;
    for (int k = i; k < n; k++) {
        const Event *e = &b->s->events.at[k];
        depth += e->kind == V_OPEN ? 1 : e->kind == V_CLOSE ? -1 : 0;
        if (depth == 0) return;
        if (e->kind != V_SET || depth != 1 || b->name[e->node]) continue;
        int sets = 0, inner = 0;
        for (int m = i; m < n; m++) {
            const Event *f = &b->s->events.at[m];
            inner += f->kind == V_OPEN ? 1 : f->kind == V_CLOSE ? -1 : 0;
            if (inner == 0) break;
            sets += f->kind == V_SET && f->node == e->node;
        }
        give_name(b, e->node);
        line(b, mem_text(b->t->mem, sets == 2 ? "%s %s;" : "%s %s = 0;", type_name(b, e->node),
                         b->name[e->node]));
    }
}

static bool empty_else(const Body *b, int i) {
    return b->s->events.at[i + 1].kind == V_CLOSE;
}

static void event(Body *b, int i) {
    const Event *e = &b->s->events.at[i];
    int level;
    switch (e->kind) {
    case V_DEFINE: define(b, e->node); break;
    case V_STORE:
        if (e->index >= b->nstore) break;
        if (b->shape == LANES) {
            line(b, mem_text(b->t->mem, "lane_store(%s, %s);", b->roots.at[e->index],
                             expr(b, e->node, &level)));
        } else {
            line(b,
                 mem_text(b->t->mem, "%s = %s;", b->roots.at[e->index], expr(b, e->node, &level)));
        }
        break;
    case V_OPEN:
        declare_joined(b, i);
        line(b, mem_text(b->t->mem, "if (%s) {", expr(b, e->node, &level)));
        b->indent++;
        break;
    case V_ELSE:
        b->indent--;
        if (!empty_else(b, i)) line(b, "} else {");
        b->indent++;
        break;
    case V_CLOSE:
        b->indent--;
        line(b, "}");
        break;
    case V_SET:
        line(b, mem_text(b->t->mem, "%s = %s;", b->name[e->node], expr(b, e->value, &level)));
        break;
    }
}

// with loops the last output is not stored node by node
static int stored_outputs(const Body *b) {
    return b->p->outs.n - (b->shape == SCALAR && b->p->loops ? 1 : 0);
}

static void collect_roots(Body *b) {
    const Program *p = b->p;
    for (int i = 0; i < stored_outputs(b); i++) {
        const Output *o = &p->outs.at[i];
        for (int k = 0; k < o->n; k++) {
            PUSH(b->t->mem, &b->root_nodes, o->node[k]);
            const char *to = b->shape == LANES
                                 ? mem_text(b->t->mem, "%s + %d + %s", o->name, 8 * k, b->tile)
                                 : mem_text(b->t->mem, "%s[%d]", o->name, k);
            PUSH(b->t->mem, &b->roots, to);
        }
    }
    b->nstore = b->root_nodes.n;
    for (int i = 0; stored_outputs(b) < p->outs.n && i < p->loops->rates.n; i++) {
        PUSH(b->t->mem, &b->root_nodes, p->loops->rates.at[i]);
        PUSH(b->t->mem, &b->root_nodes, p->loops->rates.at[i]); // used often: it gets a name
    }
}

static bool reads(const Body *b, const char *arg) {
    const size_t n = strlen(arg);
    for (int i = 1; i < b->g->nodes.n; i++) {
        const Node *node = &b->g->nodes.at[i];
        if (!b->s->live[i]) continue;
        if (node->op == O_INPUT && strcmp(b->g->leaves.at[node->a].arg, arg) == 0) return true;
        if (node->op != O_EXTERN) continue;
        const Call *c = &b->g->calls.at[node->a];
        for (int k = 0; k < c->nargs; k++) {
            if (c->arg[k] >= 0) continue;
            const char *handle = c->handle[k] + (*c->handle[k] == '&');
            if (strncmp(handle, arg, n) == 0 && !isalnum((unsigned char)handle[n]) &&
                handle[n] != '_') {
                const char *name = emit_handle(b->t->mem, b->p, c->handle[k]);
                if (b->shape != LANES || strcmp(name, arg) == 0) return true;
            }
        }
    }
    return false;
}

static void silence(Body *b, const char *arg) {
    if (!reads(b, arg)) line(b, mem_text(b->t->mem, "(void)%s;", arg));
}

static void unused(Body *b) {
    const Program *p = b->p;
    for (int i = 0; i < p->fn->params.n; i++) {
        const Var *v = p->fn->params.at[i];
        const bool in = v->type.is_const || (!v->type.ndim && v->type.base != B_STRUCT);
        if (in) silence(b, v->name);
    }
    for (int i = 0; i < p->extras.n; i++) silence(b, p->extras.at[i].name);
}

// + rate*array[k]
static void term(Body *b, Text *t, const BundleTerm *term, bool first, const char *index) {
    text_add(t, first ? "%s" : " %s ", term->minus ? "-" : first ? "" : "+");
    const char *factor = graph_is(b->g, term->rate, 1) ? "" : wrap(b, term->rate, 6);
    if (term->source < 0) {
        text_add(t, "%s", *factor ? factor : "1.0");
        return;
    }
    text_add(t, "%s%s%s", factor, *factor ? "*" : "", b->array[term->source]);
    if (*index && term->offset) text_add(t, "[%d + %s]", term->offset, index);
    if (*index && !term->offset) text_add(t, "[%s]", index);
    if (!*index) text_add(t, "[%d]", term->offset);
}

static void run(Body *b, const BundleRun *r) {
    Text t = {.mem = b->t->mem};
    const bool loop = r->width > 1;
    if (loop) {
        const char *k = b->at;
        text_add(&t, "for (int %s = 0; %s < %d; %s++) %s[", k, k, r->width, k, b->array[r->array]);
        if (r->offset) text_add(&t, "%d + ", r->offset);
        text_add(&t, "%s]", k);
    } else {
        text_add(&t, "%s[%d]", b->array[r->array], r->offset);
    }
    text_add(&t, " = ");
    if (!r->terms.n) text_add(&t, "0.0");
    for (int i = 0; i < r->terms.n; i++) term(b, &t, &r->terms.at[i], i == 0, loop ? b->at : "");
    text_add(&t, ";");
    line(b, t.at);
}

static void table(Body *b, const BundleTable *t) {
    const Bundle *l = b->p->loops;
    Text text = {.mem = b->t->mem};
    b->array[t->array] = fresh(b, mem_text(b->t->mem, "%s_d%d", l->hints.at[t->array], t->array));
    text_add(&text, "const double %s[%d] = {", b->array[t->array], l->sizes.at[t->array]);
    for (int i = 0; i < l->sizes.at[t->array]; i++) {
        int level;
        text_add(&text, "%s%s", i ? ", " : "", expr(b, t->rate[i], &level));
    }
    text_add(&text, "};");
    line(b, text.at);
}

static bool array_used(const Bundle *l, int array) {
    for (int i = 0; i < l->runs.n; i++) {
        for (int k = 0; k < l->runs.at[i].terms.n; k++) {
            if (l->runs.at[i].terms.at[k].source == array) return true;
        }
    }
    for (int i = 0; i < l->stores.n; i++) {
        if (l->stores.at[i].array == array) return true;
    }
    return false;
}

static void loops(Body *b) {
    const Bundle *l = b->p->loops;
    const char *jac = b->p->outs.at[b->p->outs.n - 1].name;
    b->array = mem_new(b->t->mem, (size_t)(l->sizes.n + 1) * sizeof *b->array);
    int declared = -1;
    for (int i = 0; i < l->tables.n; i++) {
        if (array_used(l, l->tables.at[i].array)) table(b, &l->tables.at[i]);
    }
    for (int i = 0; i < l->runs.n; i++) {
        const BundleRun *r = &l->runs.at[i];
        if (r->array != declared) {
            declared = r->array;
            b->array[declared] =
                fresh(b, mem_text(b->t->mem, "%s_d%d", l->hints.at[declared], declared));
            line(b,
                 mem_text(b->t->mem, "double %s[%d];", b->array[declared], l->sizes.at[declared]));
        }
        run(b, r);
    }
    for (int i = 0; i < l->stores.n; i++) {
        const BundleStore *s = &l->stores.at[i];
        line(b,
             mem_text(b->t->mem, "%s[%d] = %s[%d];", jac, s->index, b->array[s->array], s->offset));
    }
    for (int i = 0; i < l->zeros.n; i++) {
        line(b, mem_text(b->t->mem, "%s[%d] = 0.0;", jac, l->zeros.at[i]));
    }
}

void emit_body(Text *t, const Program *p, Shape shape) {
    Body b = {.t = t, .p = p, .g = p->g, .shape = shape, .indent = 1};
    b.tile = fresh(&b, "h");
    b.lane = fresh(&b, "l");
    b.at = fresh(&b, "k");
    collect_roots(&b);
    b.s = schedule(p->g, b.root_nodes.at, b.root_nodes.n, shape == LANES);
    const size_t n = (size_t)p->g->nodes.n;
    b.name = mem_new(t->mem, n * sizeof *b.name);
    b.inlined = mem_new(t->mem, n * sizeof *b.inlined);
    b.size = mem_new(t->mem, n * sizeof *b.size);
    choose_inline(&b);
    unused(&b);
    if (shape == LANES) {
        const char *h = b.tile;
        line(&b, mem_text(t->mem, "for (int %s = 0; %s < %s; %s += CD_LANE_WIDTH) {", h, h,
                          EMIT_ITEMS, h));
        b.indent++;
    }
    for (int i = 1; i < p->g->nodes.n; i++) {
        if (!b.s->live[i] || !b.s->outer[i] || b.inlined[i]) continue;
        give_name(&b, i);
        line(&b, mem_text(t->mem, "%s %s = 0;", type_name(&b, i), b.name[i]));
    }
    for (int i = 0; i < b.s->events.n; i++) event(&b, i);
    if (shape == SCALAR && p->loops) loops(&b);
    if (shape == LANES) {
        b.indent--;
        line(&b, "}");
    }
}
