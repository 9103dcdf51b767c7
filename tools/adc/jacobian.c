// jacobian.c - accumulates a Jacobian by eliminating the vertices of the linearised graph
//
// Every active node is a vertex, every partial derivative an edge from operand to node. Taking out
// vertex v adds c_vj c_iv to the edge i -> j for each predecessor i and successor j; what remains
// are edges from directions to outputs: the Jacobian. Forward order is the forward mode, backward
// order the reverse mode; Markowitz' rule (cheapest vertex first) mixes both. Edges exist only
// where a derivative can be other than zero, so sparsity is exact, element by element. The parts of
// a branch are eliminated first, inside; an O_PHI then joins their edges. Griewank & Walther,
// Evaluating Derivatives, 2nd ed., chapter 9.
#include "jacobian.h"

#include <string.h>

#include "activity.h"
#include "rules.h"

typedef struct Edge {
    int from, rate;
} Edge;

typedef struct Vertex {
    int node, ctx;
    bool stays; // a direction, an output, or a value that leaves a part of a branch
    bool gone;
    LIST(Edge) in;
    LIST(int) to;
    int cost;
} Vertex;

typedef struct Phi {
    int vertex, node, then, other; // the vertices where its two parts end
} Phi;

typedef enum Order { FORWARD, BACKWARD, CHEAP_FIRST, CHEAP_LAST, NORDERS } Order;

typedef struct Work {
    Graph *g;
    LIST(Vertex) v;
    LIST(Phi) phis;
    int *vertex; // of a node, or -1
    Order order;
    const Function *missing;
} Work;

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

static int new_vertex(Work *w, int node, int ctx, bool stays) {
    const Vertex v = {.node = node, .ctx = ctx, .stays = stays};
    PUSH(w->g->mem, &w->v, v);
    return w->v.n - 1;
}

static void connect(Work *w, int from, int to, int rate, int ctx) {
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

static void connect_phi(Work *w, int node) {
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

static void connect_node(Work *w, int node) {
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

static void linearise(Work *w, const Seeds *seeds, const int *out, int nout) {
    const int nnode = w->g->nodes.n;
    int *in = mem_new(w->g->mem, (size_t)seeds->list.n * sizeof *in);
    for (int i = 0; i < seeds->list.n; i++) in[i] = seeds->list.at[i].input;
    const bool *active = activity(w->g, in, seeds->list.n, out, nout);
    w->vertex = mem_new(w->g->mem, (size_t)nnode * sizeof *w->vertex);
    for (int j = 0; j < seeds->ndir; j++) new_vertex(w, UNDEF, 0, true);
    for (int i = 0; i < nnode; i++) {
        w->vertex[i] = active[i] ? new_vertex(w, i, w->g->nodes.at[i].ctx, false) : -1;
    }
    for (int i = 0; i < seeds->list.n; i++) {
        const Seed *s = &seeds->list.at[i];
        if (w->vertex[s->input] >= 0) connect(w, s->dir, w->vertex[s->input], s->rate, 0);
    }
    for (int i = 0; i < nnode && !w->missing; i++) {
        if (active[i]) connect_node(w, i);
    }
}

static bool trivial(const Graph *g, int rate) {
    return graph_is(g, rate, 1) || graph_is(g, rate, -1);
}

static const Edge *edge(const Work *w, int from, int to) {
    const Vertex *t = &w->v.at[to];
    for (int i = 0; i < t->in.n; i++) {
        if (t->in.at[i].from == from) return &t->in.at[i];
    }
    return NULL;
}

// operations that taking out this vertex needs: products and sums
static int elimination_cost(const Work *w, int id) {
    const Vertex *v = &w->v.at[id];
    int cost = 0;
    for (int s = 0; s < v->to.n; s++) {
        const Edge *out = edge(w, id, v->to.at[s]);
        const bool unit = trivial(w->g, out->rate);
        for (int p = 0; p < v->in.n; p++) {
            cost += !unit && !trivial(w->g, v->in.at[p].rate);
            cost += edge(w, v->in.at[p].from, v->to.at[s]) != NULL;
        }
    }
    return 64 * cost + v->to.n * v->in.n;
}

static void drop_edge(Work *w, int from, int to) {
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

static void update_costs(Work *w, int id, int ctx) {
    Vertex *v = &w->v.at[id];
    if (!v->gone && !v->stays && v->ctx == ctx) v->cost = elimination_cost(w, id);
}

static void eliminate(Work *w, int id) {
    Vertex *v = &w->v.at[id];
    const int ctx = v->ctx;
    for (int s = 0; s < v->to.n; s++) {
        const int to = v->to.at[s], rate = edge(w, id, to)->rate;
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

static int pick(const Work *w, const int *list, int n) {
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

static void eliminate_context(Work *w, int ctx) {
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
static void join(Work *w, const Phi *phi) {
    const Node n = w->g->nodes.at[phi->node];
    const int zero = graph_const(w->g, 0);
    const Vertex *then = &w->v.at[phi->then], *other = &w->v.at[phi->other];
    for (int i = 0; i < then->in.n; i++) {
        const Edge e = then->in.at[i];
        const Edge *o = edge(w, e.from, phi->other);
        const int rate = graph_phi(w->g, n.a, e.rate, o ? o->rate : zero, n.ctx);
        connect(w, e.from, phi->vertex, rate, n.ctx);
    }
    for (int i = 0; i < other->in.n; i++) {
        const Edge e = other->in.at[i];
        if (edge(w, e.from, phi->then)) continue;
        connect(w, e.from, phi->vertex, graph_phi(w->g, n.a, zero, e.rate, n.ctx), n.ctx);
    }
    while (w->v.at[phi->then].in.n) drop_edge(w, w->v.at[phi->then].in.at[0].from, phi->then);
    while (w->v.at[phi->other].in.n) drop_edge(w, w->v.at[phi->other].in.at[0].from, phi->other);
}

static void eliminate_all(Work *w) {
    int deepest = 0;
    const int nctx = w->g->contexts.n;
    for (int i = 0; i < nctx; i++) {
        if (w->g->contexts.at[i].depth > deepest) deepest = w->g->contexts.at[i].depth;
    }
    for (int depth = deepest; depth >= 0; depth--) {
        for (int i = 0; i < w->phis.n; i++) {
            const int ctx = w->g->nodes.at[w->phis.at[i].node].ctx;
            if (w->g->contexts.at[ctx].depth == depth) join(w, &w->phis.at[i]);
        }
        for (int i = 0; i < nctx; i++) {
            if (w->g->contexts.at[i].depth == depth) eliminate_context(w, i);
        }
    }
}

static const Function *accumulate(Graph *g, const Seeds *seeds, const int *out, int nout,
                                  Order order, int *jac) {
    Work w = {.g = g, .order = order};
    linearise(&w, seeds, out, nout);
    if (w.missing) return w.missing;
    const int first = w.v.n, one = graph_const(g, 1);
    for (int k = 0; k < nout; k++) {
        const int end = new_vertex(&w, UNDEF, 0, true);
        if (w.vertex[out[k]] >= 0) connect(&w, w.vertex[out[k]], end, one, 0);
    }
    eliminate_all(&w);
    for (int k = 0; k < nout; k++) {
        for (int j = 0; j < seeds->ndir; j++) {
            const Edge *e = edge(&w, j, first + k);
            jac[k * seeds->ndir + j] = e ? e->rate : graph_const(g, 0);
        }
    }
    return NULL;
}

double graph_cost(Graph *g, const int *roots, int n) {
    static const double cost[NOPS] = {
        [O_NEG] = 0.3,   [O_ADD] = 1, [O_SUB] = 1, [O_MUL] = 1, [O_DIV] = 5, [O_MATH] = 20,
        [O_EXTERN] = 20, [O_SEL] = 2, [O_PHI] = 1, [O_LT] = 1,  [O_LE] = 1,  [O_EQ] = 1};
    const bool *live = liveness(g, roots, n);
    double total = 0;
    for (int i = 1; i < g->nodes.n; i++) {
        if (live[i]) total += cost[g->nodes.at[i].op];
    }
    return total;
}

static void take_at(Graph *g, const int *map, int *jac, int n) {
    int *done = mem_new(g->mem, (size_t)g->nodes.n * sizeof *done);
    graph_copy_all(g, jac, n, map, done);
    for (int i = 0; i < n; i++) jac[i] = done[jac[i]];
}

static void mirror(int *jac, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) jac[i * n + j] = jac[j * n + i];
    }
}

const Function *jacobian(Graph *g, const Task *t, int *jac) {
    const int n = t->nout * t->seeds.ndir;
    int *all = mem_new(g->mem, (size_t)(n + t->nkeep) * sizeof *all), *jac_of = all + t->nkeep;
    if (t->nkeep) memcpy(all, t->keep, (size_t)t->nkeep * sizeof *all);
    double best = -1;
    for (int order = 0; order < NORDERS; order++) {
        const Function *missing = accumulate(g, &t->seeds, t->out, t->nout, (Order)order, jac_of);
        if (missing) return missing;
        if (t->at) take_at(g, t->at, jac_of, n);
        if (t->symmetric) mirror(jac_of, t->nout);
        const double cost = graph_cost(g, all, n + t->nkeep);
            fprintf(stderr, "order %d cost %g nodes %d\n", order, cost, g->nodes.n);
        if (best < 0 || cost < best) {
            best = cost;
            memcpy(jac, jac_of, (size_t)n * sizeof *jac);
        }
    }
    return NULL;
}
