// linear.c - eliminates the vertices of the linearised graph
//
// Every active node is a vertex, every partial derivative an edge from operand to node. Taking out
// vertex v adds c_vj c_iv to the edge i -> j for each predecessor i and successor j; what remains
// are edges from directions to outputs: the Jacobian. Forward order is the forward mode, backward
// order the reverse mode; Markowitz' rule (cheapest vertex first) mixes both. Edges exist only
// where a derivative can be other than zero, so sparsity is exact, element by element. The parts of
// a branch are eliminated first, inside; an O_PHI then joins their edges. Griewank & Walther,
// Evaluating Derivatives, 2nd ed., chapter 9.
#include "linear.h"

#include <string.h>

#include "activity.h"
#include "rules.h"

// the value of a choice that is zero on one side: the other side, and the side
static bool one_sided(const Graph *g, int id, int *value, bool *then) {
    const Node *n = &g->nodes.at[id];
    if (n->op != O_SEL && n->op != O_PHI) return false;
    *then = graph_is(g, n->c, 0);
    if (!*then && !graph_is(g, n->b, 0)) return false;
    *value = n->op == O_PHI ? id : *then ? n->b : n->c;
    return true;
}

// a*b, but zero where a is switched off, even if b is infinite or no number there
static int masked(Graph *g, int a, int b, int ctx) {
    int value;
    bool then;
    if (!one_sided(g, a, &value, &then)) return UNDEF;
    const int cond = g->nodes.at[a].a;
    const int product = graph_node(g, O_MUL, value, b, ctx), zero = graph_const(g, 0);
    return graph_sel(g, cond, then ? product : zero, then ? zero : product, ctx);
}

static int product(Graph *g, int a, int b, int ctx) {
    const bool trivial = g->nodes.at[a].op == O_CONST || g->nodes.at[b].op == O_CONST;
    if (!trivial) {
        const int m = masked(g, a, b, ctx);
        if (m != UNDEF) return m;
        const int k = masked(g, b, a, ctx);
        if (k != UNDEF) return k;
    }
    return graph_node(g, O_MUL, a, b, ctx);
}

// a + b; two choices on one condition that fill each other's zeros are one choice
static int sum(Graph *g, int a, int b, int ctx) {
    const Node x = g->nodes.at[a], y = g->nodes.at[b];
    if (x.op == O_SEL && y.op == O_SEL && x.a == y.a) {
        const bool fits = (graph_is(g, x.b, 0) && graph_is(g, y.c, 0)) ||
                          (graph_is(g, x.c, 0) && graph_is(g, y.b, 0));
        if (fits) {
            return graph_sel(g, x.a, graph_node(g, O_ADD, x.b, y.b, ctx),
                             graph_node(g, O_ADD, x.c, y.c, ctx), ctx);
        }
    }
    return graph_node(g, O_ADD, a, b, ctx);
}

static int new_vertex(Linear *w, int node, int ctx, bool stays) {
    const Vertex v = {.node = node, .ctx = ctx, .stays = stays};
    PUSH(w->g->mem, &w->v, v);
    return w->v.n - 1;
}

static void connect(Linear *w, int from, int to, int rate, int ctx) {
    Vertex *t = &w->v.at[to];
    if (graph_is(w->g, rate, 0)) return;
    for (int i = 0; i < t->in.n; i++) {
        if (t->in.at[i].from == from) {
            t->in.at[i].rate = sum(w->g, t->in.at[i].rate, rate, ctx);
            return;
        }
    }
    PUSH(w->g->mem, &t->in, (Edge){from, rate});
    PUSH(w->g->mem, &w->v.at[from].to, to);
}

static void connect_phi(Linear *w, int node) {
    const Node n = w->g->nodes.at[node];
    const int arms[2] = {graph_context(w->g, n.ctx, n.a, true),
                         graph_context(w->g, n.ctx, n.a, false)};
    const int value[2] = {n.b, n.c}, one = graph_const(w->g, 1);
    int end[2];
    for (int k = 0; k < 2; k++) {
        end[k] = new_vertex(w, UNDEF, arms[k], true);
        if (w->vertex[value[k]] >= 0) connect(w, w->vertex[value[k]], end[k], one, arms[k]);
    }
    PUSH(w->g->mem, &w->phis, (Phi){w->vertex[node], node, end[0], end[1]});
}

static void connect_node(Linear *w, int node) {
    int ops[8];
    const int n = graph_operands(w->g, node, ops), ctx = w->g->nodes.at[node].ctx;
    if (w->g->nodes.at[node].op == O_PHI) {
        connect_phi(w, node);
        return;
    }
    for (int k = 0; k < n; k++) {
        if (w->vertex[ops[k]] < 0) continue;
        const int rate = rule(w->g, node, k);
        if (rate == UNDEF) {
            w->missing = w->g->calls.at[w->g->nodes.at[node].a].fn;
            return;
        }
        connect(w, w->vertex[ops[k]], w->vertex[node], rate, ctx);
    }
}

static void connect_outputs(Linear *w, const Task *t) {
    const int one = graph_const(w->g, 1);
    w->first_out = w->v.n;
    for (int k = 0; k < t->nout; k++) {
        const int end = new_vertex(w, UNDEF, 0, true);
        if (w->vertex[t->out[k]] >= 0) connect(w, w->vertex[t->out[k]], end, one, 0);
    }
}

void linear_make(Linear *w, const Task *t) {
    const int nnode = w->g->nodes.n, nseed = t->seeds.list.n;
    int *in = mem_new(w->g->mem, (size_t)nseed * sizeof *in);
    for (int i = 0; i < nseed; i++) in[i] = t->seeds.list.at[i].input;
    const bool *active = activity(w->g, in, nseed, t->out, t->nout);
    w->vertex = mem_new(w->g->mem, (size_t)nnode * sizeof *w->vertex);
    for (int j = 0; j < t->seeds.ndir; j++) new_vertex(w, UNDEF, 0, true);
    for (int i = 0; i < nnode; i++) {
        w->vertex[i] = active[i] ? new_vertex(w, i, w->g->nodes.at[i].ctx, false) : -1;
    }
    for (int i = 0; i < nseed; i++) {
        const Seed *s = &t->seeds.list.at[i];
        if (w->vertex[s->input] >= 0) connect(w, s->dir, w->vertex[s->input], s->rate, 0);
    }
    for (int i = 0; i < nnode && !w->missing; i++) {
        if (active[i]) connect_node(w, i);
    }
    connect_outputs(w, t);
}

static bool trivial(const Graph *g, int rate) {
    return graph_is(g, rate, 1) || graph_is(g, rate, -1);
}

const Edge *linear_edge(const Linear *w, int from, int to) {
    const Vertex *t = &w->v.at[to];
    for (int i = 0; i < t->in.n; i++) {
        if (t->in.at[i].from == from) return &t->in.at[i];
    }
    return NULL;
}

// operations that taking out this vertex needs: products and sums
static int elimination_cost(const Linear *w, int id) {
    const Vertex *v = &w->v.at[id];
    int cost = 0;
    for (int s = 0; s < v->to.n; s++) {
        const Edge *out = linear_edge(w, id, v->to.at[s]);
        const bool unit = trivial(w->g, out->rate);
        for (int p = 0; p < v->in.n; p++) {
            cost += !unit && !trivial(w->g, v->in.at[p].rate);
            cost += linear_edge(w, v->in.at[p].from, v->to.at[s]) != NULL;
        }
    }
    return 64 * cost + v->to.n * v->in.n;
}

static void drop_edge(Linear *w, int from, int to) {
    Vertex *f = &w->v.at[from], *t = &w->v.at[to];
    for (int i = 0; i < f->to.n; i++) {
        if (f->to.at[i] == to) {
            memmove(&f->to.at[i], &f->to.at[i + 1], (size_t)(f->to.n - i - 1) * sizeof *f->to.at);
            f->to.n--;
            break;
        }
    }
    for (int i = 0; i < t->in.n; i++) {
        if (t->in.at[i].from == from) {
            memmove(&t->in.at[i], &t->in.at[i + 1], (size_t)(t->in.n - i - 1) * sizeof *t->in.at);
            t->in.n--;
            break;
        }
    }
}

static void update_costs(Linear *w, int id, int ctx) {
    Vertex *v = &w->v.at[id];
    if (!v->gone && !v->stays && v->ctx == ctx) v->cost = elimination_cost(w, id);
}

static void eliminate(Linear *w, int id) {
    Vertex *v = &w->v.at[id];
    const int ctx = v->ctx;
    for (int s = 0; s < v->to.n; s++) {
        const int to = v->to.at[s], rate = linear_edge(w, id, to)->rate;
        for (int p = 0; p < v->in.n; p++) {
            const int both = product(w->g, v->in.at[p].rate, rate, ctx);
            connect(w, v->in.at[p].from, to, both, ctx);
        }
    }
    const Vertex old = *v;
    int *to = mem_new(w->g->mem, (size_t)old.to.n * sizeof *to);
    int *from = mem_new(w->g->mem, (size_t)old.in.n * sizeof *from);
    for (int i = 0; i < old.to.n; i++) to[i] = old.to.at[i];
    for (int i = 0; i < old.in.n; i++) from[i] = old.in.at[i].from;
    for (int i = 0; i < old.to.n; i++) drop_edge(w, id, to[i]);
    for (int i = 0; i < old.in.n; i++) drop_edge(w, from[i], id);
    v->gone = true;
    if (w->order < CHEAP_FIRST) return;
    for (int i = 0; i < old.to.n; i++) update_costs(w, to[i], ctx);
    for (int i = 0; i < old.in.n; i++) update_costs(w, from[i], ctx);
}

static int pick(const Linear *w, const int *list, int n) {
    int best = -1;
    for (int i = 0; i < n; i++) {
        const Vertex *v = &w->v.at[list[i]];
        if (v->gone) continue;
        if (best < 0 || v->cost < w->v.at[best].cost ||
            (v->cost == w->v.at[best].cost && w->order == CHEAP_LAST)) {
            best = list[i];
        }
    }
    return best;
}

static void eliminate_context(Linear *w, int ctx) {
    LIST(int) list = {0};
    for (int i = 0; i < w->v.n; i++) {
        const Vertex *v = &w->v.at[i];
        if (v->ctx == ctx && !v->stays && !v->gone) PUSH(w->g->mem, &list, i);
    }
    if (w->order == FORWARD) {
        for (int i = 0; i < list.n; i++) eliminate(w, list.at[i]);
    } else if (w->order == BACKWARD) {
        for (int i = list.n - 1; i >= 0; i--) eliminate(w, list.at[i]);
    } else {
        for (int i = 0; i < list.n; i++) update_costs(w, list.at[i], ctx);
        for (int id; (id = pick(w, list.at, list.n)) >= 0;) eliminate(w, id);
    }
}

// edges into the ends of the two parts become edges into the joined value
static void join(Linear *w, const Phi *phi) {
    const Node n = w->g->nodes.at[phi->node];
    const int zero = graph_const(w->g, 0);
    const Vertex *then = &w->v.at[phi->then], *other = &w->v.at[phi->other];
    for (int i = 0; i < then->in.n; i++) {
        const Edge e = then->in.at[i];
        const Edge *o = linear_edge(w, e.from, phi->other);
        const int rate = graph_phi(w->g, n.a, e.rate, o ? o->rate : zero, n.ctx);
        connect(w, e.from, phi->vertex, rate, n.ctx);
    }
    for (int i = 0; i < other->in.n; i++) {
        const Edge e = other->in.at[i];
        if (linear_edge(w, e.from, phi->then)) continue;
        connect(w, e.from, phi->vertex, graph_phi(w->g, n.a, zero, e.rate, n.ctx), n.ctx);
    }
    while (w->v.at[phi->then].in.n) drop_edge(w, w->v.at[phi->then].in.at[0].from, phi->then);
    while (w->v.at[phi->other].in.n) drop_edge(w, w->v.at[phi->other].in.at[0].from, phi->other);
}

static void join_depth(Linear *w, int depth) {
    for (int i = 0; i < w->phis.n; i++) {
        const int ctx = w->g->nodes.at[w->phis.at[i].node].ctx;
        if (w->g->contexts.at[ctx].depth == depth) join(w, &w->phis.at[i]);
    }
}

void linear_inside(Linear *w) {
    int deepest = 0;
    const int nctx = w->g->contexts.n;
    for (int i = 0; i < nctx; i++) {
        if (w->g->contexts.at[i].depth > deepest) deepest = w->g->contexts.at[i].depth;
    }
    for (int depth = deepest; depth > 0; depth--) {
        join_depth(w, depth);
        for (int i = 0; i < nctx; i++) {
            if (w->g->contexts.at[i].depth == depth) eliminate_context(w, i);
        }
    }
    join_depth(w, 0);
}

void linear_outside(Linear *w) {
    eliminate_context(w, 0);
}

void linear_short(Linear *w, bool both) {
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < w->v.n; i++) {
            const Vertex *v = &w->v.at[i];
            if (v->stays || v->gone || (v->to.n > 1 && !(both && v->in.n == 1))) continue;
            eliminate(w, i);
            again = true;
        }
    }
}
