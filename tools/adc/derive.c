// derive.c - what the directives of a kernel ask for, as programs on its graph
//
//   jacobian(y; x)          y and dy/dx
//   along(y; x, t = 1; v)   dy/dx v + dy/dt: velocity of y; applied twice: the acceleration terms
//   transpose(y; x; lambda) (dy/dx)^T lambda, the gradient of lambda.y
//   gradient(y; x)          dy/dx of a single number
// An input may be a struct with a move (position and rotation of a frame): then the directions are
// the increments d of move(frame, d), and the derivative is taken at d = 0.
#include "derive.h"

#include <string.h>

#include "jacobian.h"
#include "mathfn.h"
#include "types.h"
#include "unroll.h"

typedef struct Maker {
    Unit *u;
    Function *fn;
    Graph *g;
    Programs *programs;
    Program *value; // the kernel itself
} Maker;

#define WRONG(k, place, ...) (message_error((k)->u->m, place, __VA_ARGS__), false)

static bool is_output(const Var *v) {
    const Type *t = &v->type;
    return !t->is_const && (t->ndim || t->base == B_STRUCT);
}

void collect_moves(Unit *u) {
    for (int i = 0; i < u->functions.n; i++) {
        Function *f = u->functions.at[i];
        for (int k = 0; k < f->directives.n; k++) {
            const Directive *d = f->directives.at[k];
            if (d->kind != D_MOVE) continue;
            const Var *const *p = (const Var *const *)f->params.at;
            const bool ok = f->params.n == 3 && p[0]->type.base == B_STRUCT &&
                            p[0]->type.is_const && p[1]->type.base == B_DOUBLE &&
                            p[1]->type.ndim == 1 && p[2]->type.base == B_STRUCT &&
                            is_output(p[2]) && p[0]->type.st == p[2]->type.st && f->body &&
                            strcmp(d->ins.at[0].name, p[0]->type.name) == 0;
            if (!ok) {
                message_error(u->m, d->place,
                              "move(Struct) stands above void f(const Struct *a, "
                              "const double d[n], Struct *b)");
                continue;
            }
            PUSH(u->mem, &u->moves, (Move){p[0]->type.st, f});
        }
    }
}

// a name that can not be that of an argument of derived code
static bool reserved(const Unit *u, const char *name) {
    static const char *const words[] = {
        "auto",    "break",  "case",     "char",   "const",    "continue", "default",
        "do",      "double", "else",     "enum",   "extern",   "float",    "for",
        "goto",    "if",     "inline",   "int",    "long",     "register", "restrict",
        "return",  "short",  "signed",   "sizeof", "static",   "struct",   "switch",
        "typedef", "union",  "unsigned", "void",   "volatile", "while",    "items",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], name) == 0) return true;
    }
    const Function *f = find_function(u, name);
    return math_find(name) >= 0 || (f && f->is_extern);
}

static int *new_nodes(Maker *k, int n) {
    return mem_new(k->u->mem, (size_t)(n ? n : 1) * sizeof(int));
}

static int *input_nodes(Maker *k, const Var *v) {
    const int n = type_cells(&v->type);
    int *nodes = new_nodes(k, n);
    for (int i = 0; i < n && !is_output(v); i++) {
        nodes[i] = graph_input(k->g, v->name, i, cell_text(k->u->mem, v, i));
    }
    return nodes;
}

static void add_output(Maker *k, Program *p, Output o) {
    PUSH(k->u->mem, &p->outs, o);
}

// the kernel with symbols for its arguments: its outputs as nodes
static bool run_kernel(Maker *k) {
    const Function *f = k->fn;
    int **cells = mem_new(k->u->mem, (size_t)(f->params.n + 1) * sizeof *cells), result;
    for (int i = 0; i < f->params.n; i++) {
        const Var *v = f->params.at[i];
        if (v->type.base == B_INT) {
            return WRONG(k, v->place,
                         "a kernel with directives has no int parameters; use an enum "
                         "constant or a double");
        }
        if (reserved(k->u, v->name)) {
            return WRONG(k, v->place, "'%s' is also a function or a word of C; choose another name",
                         v->name);
        }
        cells[i] = input_nodes(k, v);
    }
    if (!unroll(k->u, k->g, k->fn, cells, &result)) return false;
    Program *p = mem_new(k->u->mem, sizeof *p);
    *p = (Program){.fn = k->fn, .g = k->g, .name = ""};
    for (int i = 0; i < f->params.n; i++) {
        const Var *v = f->params.at[i];
        if (!is_output(v)) continue;
        if (v->type.base == B_STRUCT) {
            return WRONG(k, v->place,
                         "the outputs of a kernel with directives are arrays; write "
                         "double y[n]");
        }
        const int n = type_cells(&v->type);
        for (int j = 0; j < n; j++) {
            if (cells[i][j] == UNDEF) {
                return WRONG(k, v->place,
                             "output %s is not written on every path; give it a value "
                             "first",
                             cell_text(k->u->mem, v, j));
            }
        }
        add_output(k, p, (Output){.name = v->name, .n = n, .node = cells[i]});
    }
    if (f->result.base == B_DOUBLE) {
        int *node = new_nodes(k, 1);
        node[0] = result;
        add_output(k, p, (Output){.name = f->name, .n = 1, .node = node, .scalar = true});
    }
    k->value = p;
    return true;
}

// the output or program that a directive speaks of
static const Output *find_of(Maker *k, const Directive *d, const Program **from) {
    for (int i = 0; i < k->value->outs.n; i++) {
        if (strcmp(k->value->outs.at[i].name, d->of) == 0) {
            *from = k->value;
            return &k->value->outs.at[i];
        }
    }
    for (int i = 0; i < k->programs->n; i++) {
        const Program *p = k->programs->at[i];
        if (p->fn == k->fn && strcmp(p->name, d->of) == 0) {
            *from = p;
            return &p->outs.at[p->outs.n - 1];
        }
    }
    message_error(k->u->m, d->of_place,
                  "'%s' is neither an output of %s nor a name given by a "
                  "directive above",
                  d->of, k->fn->name);
    return NULL;
}

static const Move *find_move(const Unit *u, const Struct *st) {
    for (int i = 0; i < u->moves.n; i++) {
        if (u->moves.at[i].st == st) return &u->moves.at[i];
    }
    return NULL;
}

// one differentiation in the making
typedef struct Steps {
    Seeds seeds;        // one direction per element
    LIST(double) fixed; // per element: speed, when the direction is not free
    LIST(bool) is_fixed;
    int *moved, *zero; // leaf -> node: arguments moved by increments; increments set to 0
    bool moves;
} Steps;

static void add_step(Maker *k, Steps *s, int node, const DirectiveIn *in) {
    const int dir = s->seeds.ndir++;
    PUSH(k->u->mem, &s->seeds.list, (Seed){node, dir, graph_const(k->g, 1)});
    PUSH(k->u->mem, &s->fixed, in->speed);
    PUSH(k->u->mem, &s->is_fixed, in->fixed);
}

static bool move_struct(Maker *k, Steps *s, const Var *v, const DirectiveIn *in) {
    const Move *move = find_move(k->u, v->type.st);
    if (!move) {
        return WRONG(k, in->place,
                     "%s has no move; write // adc: move(%s) above the kernel that "
                     "moves one, or name a member: %s->x",
                     v->type.name, v->type.name, v->name);
    }
    const int nd = type_cells(&move->fn->params.at[1]->type);
    int *cells[3] = {input_nodes(k, v), new_nodes(k, nd), new_nodes(k, type_cells(&v->type))};
    const int *from = input_nodes(k, v);
    for (int i = 0; i < nd; i++) {
        cells[1][i] = graph_input(k->g, mem_text(k->u->mem, "d/%s", v->name), i, "d");
        add_step(k, s, cells[1][i], in);
        s->zero[k->g->nodes.at[cells[1][i]].a] = graph_const(k->g, 0);
    }
    int result;
    if (!unroll(k->u, k->g, move->fn, cells, &result)) return false;
    for (int i = 0; i < type_cells(&v->type); i++) {
        if (cells[2][i] == UNDEF) {
            return WRONG(k, move->fn->place, "%s does not write every member of %s", move->fn->name,
                         v->type.name);
        }
        s->moved[k->g->nodes.at[from[i]].a] = cells[2][i];
    }
    s->moves = true;
    return true;
}

static bool add_param(Maker *k, Steps *s, const Var *v, const DirectiveIn *in) {
    int first = 0, n = type_cells(&v->type);
    if (is_output(v) || v->type.base == B_HANDLE) {
        return WRONG(k, in->place, "'%s' is not an input made of doubles", in->name);
    }
    if (in->member) {
        const Member *m = NULL;
        for (int i = 0; v->type.base == B_STRUCT && i < v->type.st->members.n; i++) {
            const Member *t = &v->type.st->members.at[i];
            if (strcmp(t->name, in->member) == 0 && t->type.base == B_DOUBLE) m = t;
        }
        if (!m) {
            return WRONG(k, in->place, "'%s' has no member '%s' made of doubles", in->name,
                         in->member);
        }
        first = m->offset;
        n = type_cells(&m->type);
    } else if (v->type.base == B_STRUCT) {
        return move_struct(k, s, v, in);
    }
    const int *nodes = input_nodes(k, v);
    for (int i = first; i < first + n; i++) add_step(k, s, nodes[i], in);
    return true;
}

static bool add_in(Maker *k, Steps *s, const Program *from, const DirectiveIn *in) {
    for (int i = 0; i < k->fn->params.n; i++) {
        if (strcmp(k->fn->params.at[i]->name, in->name) == 0) {
            return add_param(k, s, k->fn->params.at[i], in);
        }
    }
    for (int i = 0; i < from->extras.n && !in->member; i++) {
        const Extra *x = &from->extras.at[i];
        if (strcmp(x->name, in->name) != 0) continue;
        for (int j = 0; j < x->n; j++) {
            const char *text = mem_text(k->u->mem, "%s[%d]", x->name, j);
            add_step(k, s, graph_input(k->g, x->name, j, text), in);
        }
        return true;
    }
    return WRONG(k, in->place, "'%s' is not an argument of %s", in->name, k->fn->name);
}

// the same input, or a struct and one of its members
static bool overlaps(const DirectiveIn *a, const DirectiveIn *b) {
    if (strcmp(a->name, b->name) != 0) return false;
    return !a->member || !b->member || strcmp(a->member, b->member) == 0;
}

static bool make_steps(Maker *k, const Directive *d, const Program *from, Steps *s) {
    enum { MAX_LEAVES = 1 << 16 };
    s->moved = new_nodes(k, MAX_LEAVES);
    s->zero = new_nodes(k, MAX_LEAVES);
    for (int i = 0; i < d->ins.n; i++) {
        const DirectiveIn *in = &d->ins.at[i];
        for (int j = 0; j < i; j++) {
            if (!overlaps(&d->ins.at[j], in)) continue;
            return WRONG(k, in->place, "'%s' is named twice; leave one out", in->name);
        }
        if (!add_in(k, s, from, in)) return false;
        if (k->g->leaves.n > MAX_LEAVES / 2) return WRONG(k, d->place, "too many arguments");
    }
    return true;
}

// the outputs as functions of the increments
static const int *moved_nodes(Maker *k, const Steps *s, const int *nodes, int n) {
    if (!s->moves) return nodes;
    int *done = new_nodes(k, k->g->nodes.n), *out = new_nodes(k, n);
    graph_copy_all(k->g, nodes, n, s->moved, done);
    for (int i = 0; i < n; i++) out[i] = done[nodes[i]];
    return out;
}

static int *add_extra(Maker *k, Program *p, const char *name, int n) {
    bool known = false;
    for (int i = 0; i < p->extras.n; i++) {
        if (strcmp(p->extras.at[i].name, name) == 0 && p->extras.at[i].n == n) known = true;
    }
    if (!known) PUSH(k->u->mem, &p->extras, (Extra){name, n});
    int *nodes = new_nodes(k, n);
    for (int i = 0; i < n; i++) {
        nodes[i] = graph_input(k->g, name, i, mem_text(k->u->mem, "%s[%d]", name, i));
    }
    return nodes;
}

static bool free_name(Maker *k, const Program *from, const Directive *d, const char *name, int n) {
    if (reserved(k->u, name)) {
        return WRONG(k, d->place, "'%s' is also a function or a word of C; choose another name",
                     name);
    }
    if (strcmp(d->name, name) == 0) {
        return WRONG(k, d->place,
                     "'%s' would be the new input and the result; name one of them otherwise",
                     name);
    }
    for (int i = 0; i < k->fn->params.n; i++) {
        if (strcmp(k->fn->params.at[i]->name, name) == 0) {
            return WRONG(k, d->place,
                         "'%s' is an argument of %s already; name the new one behind "
                         "the inputs: (%s; ...; other)",
                         name, k->fn->name, d->of);
        }
    }
    for (int i = 0; i < from->extras.n; i++) {
        if (strcmp(from->extras.at[i].name, name) == 0 && from->extras.at[i].n != n) {
            return WRONG(k, d->place,
                         "'%s' has %d elements already, not %d; name the new one "
                         "behind the inputs",
                         name, from->extras.at[i].n, n);
        }
    }
    return true;
}

static bool solve(Maker *k, const Directive *d, const Task *t, int *jac) {
    const Function *missing = jacobian(k->g, t, jac);
    if (!missing) return true;
    return WRONG(k, d->place,
                 "the derivative of extern '%s' is needed; write // adc: "
                 "partials(...) above its declaration",
                 missing->name);
}

static bool same_ins(const Directive *a, const Directive *b) {
    if (a->ins.n != b->ins.n) return false;
    for (int i = 0; i < a->ins.n; i++) {
        const DirectiveIn *x = &a->ins.at[i], *y = &b->ins.at[i];
        const bool members =
            x->member && y->member ? strcmp(x->member, y->member) == 0 : x->member == y->member;
        if (strcmp(x->name, y->name) != 0 || !members) return false;
    }
    return true;
}

// loops over directions pay for large dense Jacobians: vectors, and code that fits into the cache
static Bundle *choose_loops(Maker *k, const Task *t, const int *jac) {
    const int n = t->nout * t->seeds.ndir;
    int *all = new_nodes(k, n + t->nkeep);
    memcpy(all, jac, (size_t)n * sizeof *all);
    memcpy(all + n, t->keep, (size_t)t->nkeep * sizeof *all);
    const double lines = graph_cost(k->g, all, n + t->nkeep);
    Bundle *b = bundle(k->g, t);
    return b->cost < lines ? b : NULL;
}

// jacobian, transpose and gradient: every direction is free
static bool all_free(Maker *k, const Directive *d, const Steps *s) {
    for (int i = 0; i < s->is_fixed.n; i++) {
        if (s->is_fixed.at[i]) {
            return WRONG(k, d->place,
                         "a fixed speed belongs to along(...); write the input "
                         "without =");
        }
    }
    return true;
}

static bool make_jacobian(Maker *k, const Directive *d, const Output *of, const Program *from,
                          Steps *s, Program *p) {
    if (!all_free(k, d, s)) return false;
    Task t = {.seeds = s->seeds, .out = moved_nodes(k, s, of->node, of->n), .nout = of->n};
    t.keep = of->node;
    t.nkeep = of->n;
    t.at = s->moves ? s->zero : NULL;
    t.symmetric = from->gradient_of && !s->moves && same_ins(from->gradient_of, d);
    int *jac = new_nodes(k, of->n * s->seeds.ndir);
    if (!solve(k, d, &t, jac)) return false;
    p->loops = choose_loops(k, &t, jac);
    Output value = *of;
    value.scalar = false;
    add_output(k, p, value);
    add_output(
        k, p,
        (Output){.name = p->name, .n = of->n * s->seeds.ndir, .ncol = s->seeds.ndir, .node = jac});
    p->ndir = s->seeds.ndir;
    return true;
}

static bool make_along(Maker *k, const Directive *d, const Output *of, const Program *from,
                       Steps *s, Program *p) {
    const char *name = d->extra ? d->extra : "v";
    int nfree = 0, at = 0;
    for (int i = 0; i < s->is_fixed.n; i++) nfree += !s->is_fixed.at[i];
    if (!free_name(k, from, d, name, nfree)) return false;
    const int *v = nfree ? add_extra(k, p, name, nfree) : NULL;
    for (int i = 0; i < s->seeds.list.n; i++) {
        Seed *seed = &s->seeds.list.at[i];
        seed->rate = s->is_fixed.at[i] ? graph_const(k->g, s->fixed.at[i]) : v[at++];
        seed->dir = 0;
    }
    p->ndir = nfree;
    s->seeds.ndir = 1;
    Task t = {.seeds = s->seeds, .out = moved_nodes(k, s, of->node, of->n), .nout = of->n};
    t.at = s->moves ? s->zero : NULL;
    int *rate = new_nodes(k, of->n);
    if (!solve(k, d, &t, rate)) return false;
    add_output(k, p, (Output){.name = p->name, .n = of->n, .node = rate});
    return true;
}

static bool make_transpose(Maker *k, const Directive *d, const Output *of, const Program *from,
                           Steps *s, Program *p) {
    const bool gradient = strcmp(d->op, "gradient") == 0;
    const char *name = d->extra ? d->extra : "lambda";
    if (gradient && of->n != 1) {
        return WRONG(k, d->of_place,
                     "a gradient is of one number and '%s' has %d; write "
                     "transpose(...) or jacobian(...)",
                     d->of, of->n);
    }
    if (!all_free(k, d, s)) return false;
    if (!gradient && !free_name(k, from, d, name, of->n)) return false;
    const int *lambda = gradient ? NULL : add_extra(k, p, name, of->n);
    const int *y = moved_nodes(k, s, of->node, of->n);
    int total = gradient ? y[0] : graph_const(k->g, 0);
    for (int i = 0; i < of->n && !gradient; i++) {
        total = graph_node(k->g, O_ADD, total, graph_node(k->g, O_MUL, lambda[i], y[i], 0), 0);
    }
    Task t = {.seeds = s->seeds, .out = &total, .nout = 1, .at = s->moves ? s->zero : NULL};
    int *w = new_nodes(k, s->seeds.ndir);
    if (!solve(k, d, &t, w)) return false;
    add_output(k, p, (Output){.name = p->name, .n = s->seeds.ndir, .node = w});
    p->ndir = s->seeds.ndir;
    if (!s->moves) p->gradient_of = d;
    return true;
}

// do two derived functions meet in a name: f_jac, f_jac_N, f_jac_lanes...?
static bool meet(const char *a, const char *b) {
    static const char *const tails[] = {"", "_N", "_NROW", "_NDIR", "_NNZ", "_lanes"};
    const size_t n = strlen(a), m = strlen(b);
    const char *longer = n > m ? a : b;
    if (strncmp(a, b, n < m ? n : m) != 0) return false;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        if (strcmp(longer + (n < m ? n : m), tails[i]) == 0) return true;
    }
    return false;
}

static bool unique(Maker *k, const Directive *d) {
    const char *name = mem_text(k->u->mem, "%s_%s", k->fn->name, d->name), *other = NULL;
    for (int i = 0; i < k->u->functions.n; i++) {
        const char *f = k->u->functions.at[i]->name;
        if (strlen(f) >= strlen(name) && meet(name, f)) other = f;
    }
    for (int i = 0; i < k->programs->n; i++) {
        const Program *p = k->programs->at[i];
        const char *f = mem_text(k->u->mem, "%s_%s", p->fn->name, p->name);
        if (meet(name, f)) other = f;
    }
    if (!other) return true;
    return WRONG(k, d->place, "names made for '%s' meet those of '%s'; choose another name", name,
                 other);
}

static bool fits(Maker *k, const Directive *d) {
    if (reserved(k->u, d->name)) {
        return WRONG(k, d->place, "'%s' is also a function or a word of C; choose another name",
                     d->name);
    }
    for (int i = 0; i < k->fn->params.n; i++) {
        if (strcmp(k->fn->params.at[i]->name, d->name) == 0) {
            return WRONG(k, d->place, "'%s' is an argument of %s; choose another name", d->name,
                         k->fn->name);
        }
    }
    for (int i = 0; i < k->programs->n; i++) {
        const Program *p = k->programs->at[i];
        if (p->fn == k->fn && strcmp(p->name, d->name) == 0) {
            return WRONG(k, d->place, "'%s' is derived twice; choose another name", d->name);
        }
    }
    return unique(k, d);
}

static const char *describe(Maker *k, const Directive *d) {
    const char *ins = "";
    for (int i = 0; i < d->ins.n; i++) {
        const DirectiveIn *in = &d->ins.at[i];
        ins = mem_text(k->u->mem, "%s%s%s%s%s", ins, i ? ", " : "", in->name,
                       in->member ? "->" : "", in->member ? in->member : "");
        if (in->fixed) ins = mem_text(k->u->mem, "%s = %g", ins, in->speed);
    }
    return mem_text(k->u->mem, "%s(%s%s%s)", d->op, d->of, *ins ? "; " : "", ins);
}

static void make(Maker *k, const Directive *d) {
    const Program *from;
    const Output *of = fits(k, d) ? find_of(k, d, &from) : NULL;
    if (!of) return;
    const bool adds = strcmp(d->op, "along") == 0 || strcmp(d->op, "transpose") == 0;
    if (d->extra && !adds) {
        message_error(k->u->m, d->place, "%s(...) has no new input; remove '; %s'", d->op,
                      d->extra);
        return;
    }
    for (int i = 0; i < from->extras.n; i++) {
        if (strcmp(from->extras.at[i].name, d->name) == 0) {
            message_error(k->u->m, d->place, "'%s' is an argument of %s_%s; choose another name",
                          d->name, k->fn->name, from->name);
            return;
        }
    }
    Program *p = mem_new(k->u->mem, sizeof *p);
    *p = (Program){.fn = k->fn, .g = k->g, .name = d->name, .doc = describe(k, d)};
    for (int i = 0; i < from->extras.n; i++) PUSH(k->u->mem, &p->extras, from->extras.at[i]);
    Steps s = {0};
    if (!make_steps(k, d, from, &s)) return;
    bool ok = true;
    if (strcmp(d->op, "jacobian") == 0) {
        ok = make_jacobian(k, d, of, from, &s, p);
    } else if (strcmp(d->op, "along") == 0) {
        ok = make_along(k, d, of, from, &s, p);
    } else if (strcmp(d->op, "value") == 0) {
        Output value = *of;
        value.name = p->name;
        value.scalar = false;
        add_output(k, p, value);
    } else {
        ok = make_transpose(k, d, of, from, &s, p);
    }
    if (ok) PUSH(k->u->mem, k->programs, p);
}

static void make_as(Maker *k, const Directive *joint, const char *name, const char *op,
                    const char *of, bool fixed, bool speed) {
    Directive *d = mem_new(k->u->mem, sizeof *d);
    *d = (Directive){.place = joint->place, .of_place = joint->of_place};
    d->name = name;
    d->op = op;
    d->of = of;
    for (int i = 0; i < joint->ins.n; i++) {
        if (fixed || !joint->ins.at[i].fixed) PUSH(k->u->mem, &d->ins, joint->ins.at[i]);
    }
    if (speed) PUSH(k->u->mem, &d->ins, (DirectiveIn){.name = "v", .place = joint->place});
    make(k, d);
}

// everything a constraint needs: Jacobian, velocity, acceleration and reaction terms, and theirs
static void make_joint(Maker *k, const Directive *d) {
    static const struct {
        const char *name, *op, *of;
        bool fixed, speed;
    } family[] = {
        {"jac", "jacobian", NULL, false, false},
        {"vel", "along", NULL, true, false},
        {"acc", "along", "vel", true, false},
        {"react", "transpose", NULL, false, false},
        {"vel_jac", "jacobian", "vel", false, true},
        {"acc_jac", "jacobian", "acc", false, true},
        {"react_jac", "jacobian", "react", false, false},
    };
    const int before = k->u->m->nerror;
    for (size_t i = 0; i < sizeof family / sizeof *family; i++) {
        const char *of = family[i].of ? family[i].of : d->of;
        make_as(k, d, family[i].name, family[i].op, of, family[i].fixed, family[i].speed);
        if (k->u->m->nerror > before) return;
    }
}

static void make_lanes(Maker *k, const Directive *d) {
    for (int i = 0; i < d->ins.n; i++) {
        Program *found = NULL;
        for (int j = 0; j < k->programs->n; j++) {
            Program *p = k->programs->at[j];
            if (p->fn == k->fn && strcmp(p->name, d->ins.at[i].name) == 0) found = p;
        }
        if (!found) {
            message_error(k->u->m, d->ins.at[i].place,
                          "'%s' is not derived above; lanes(...) "
                          "names what is",
                          d->ins.at[i].name);
            continue;
        }
        found->lanes = true;
    }
}

void derive(Unit *u, Function *fn, Programs *out) {
    bool any = false;
    for (int i = 0; i < fn->directives.n; i++) {
        any = any || fn->directives.at[i]->kind <= D_LANES;
    }
    if (!any) return;
    Maker k = {.u = u, .fn = fn, .programs = out, .g = graph_new(u->mem)};
    if (!fn->body) {
        message_error(u->m, fn->place,
                      "an extern function can not be derived; declare its "
                      "partials(...)");
        return;
    }
    if (!run_kernel(&k)) return;
    for (int i = 0; i < fn->directives.n && !message_full(u->m); i++) {
        const Directive *d = fn->directives.at[i];
        if (d->kind == D_DERIVE) make(&k, d);
        if (d->kind == D_JOINT) make_joint(&k, d);
        if (d->kind == D_LANES) make_lanes(&k, d);
    }
}
