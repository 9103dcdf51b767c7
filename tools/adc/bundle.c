// bundle.c - a Jacobian as short loops over directions
#include "bundle.h"

#include <string.h>

#include "linear.h"

typedef struct Planner {
    Graph *g;
    const Task *t;
    Linear w;
    Bundle *b;
    bool *support; // [vertex*ndir + dir]: does the vertex depend on the direction?
    int *position; // [vertex*ndir + dir]: element of its array
    int *array;    // per vertex, or -1
    int *order;    // directions, bundle by bundle
} Planner;

// the derivative is taken at the point: rates that vanish there vanish for good
static void set_point(Planner *p) {
    LIST(int) rates = {0};
    for (int i = 0; i < p->w.v.n; i++) {
        for (int k = 0; k < p->w.v.at[i].in.n; k++) {
            PUSH(p->g->mem, &rates, p->w.v.at[i].in.at[k].rate);
        }
    }
    if (p->t->at) take_at(p->g, p->t->at, rates.at, rates.n);
    int at = 0;
    for (int i = 0; i < p->w.v.n; i++) {
        Vertex *v = &p->w.v.at[i];
        int left = 0;
        for (int k = 0; k < v->in.n; k++, at++) {
            if (graph_is(p->g, rates.at[at], 0)) continue;
            v->in.at[left++] = (Edge){v->in.at[k].from, rates.at[at]};
        }
        v->in.n = left;
    }
}

static void find_support(Planner *p) {
    const int ndir = p->t->seeds.ndir, n = p->w.v.n;
    p->support = mem_new(p->g->mem, (size_t)(n * ndir) * sizeof *p->support);
    for (int i = 0; i < n; i++) {
        if (i < ndir) p->support[i * ndir + i] = true;
        for (int k = 0; k < p->w.v.at[i].in.n; k++) {
            const int from = p->w.v.at[i].in.at[k].from;
            for (int j = 0; j < ndir; j++) {
                if (p->support[from * ndir + j]) p->support[i * ndir + j] = true;
            }
        }
    }
}

// directions that touch the same vertices, but for one in eight
static bool same_bundle(const Planner *p, int a, int b) {
    const int ndir = p->t->seeds.ndir;
    int both = 0, one = 0;
    for (int i = ndir; i < p->w.v.n; i++) {
        const bool x = p->support[i * ndir + a], y = p->support[i * ndir + b];
        both += x && y;
        one += x != y;
    }
    return 8 * one <= both;
}

// the directions of a bundle stay together: where one goes the others go, with zeros
static void pad(Planner *p, const int *members, int n) {
    const int ndir = p->t->seeds.ndir;
    for (int i = ndir; i < p->w.v.n; i++) {
        bool any = false;
        for (int k = 0; k < n; k++) any = any || p->support[i * ndir + members[k]];
        for (int k = 0; k < n; k++) p->support[i * ndir + members[k]] = any;
    }
}

static void order_directions(Planner *p) {
    const int ndir = p->t->seeds.ndir;
    bool *taken = mem_new(p->g->mem, (size_t)ndir * sizeof *taken);
    p->order = mem_new(p->g->mem, (size_t)ndir * sizeof *p->order);
    int n = 0;
    for (int i = 0; i < ndir; i++) {
        if (taken[i]) continue;
        const int first = n;
        for (int j = i; j < ndir; j++) {
            if (taken[j] || !same_bundle(p, i, j)) continue;
            p->order[n++] = j;
            taken[j] = true;
        }
        pad(p, p->order + first, n - first);
    }
}

static void place(Planner *p, int v) {
    const int ndir = p->t->seeds.ndir;
    int n = 0;
    for (int k = 0; k < ndir; k++) {
        const int j = p->order[k];
        p->position[v * ndir + j] = n;
        n += p->support[v * ndir + j];
    }
    p->array[v] = -1;
    if (n == 0) return;
    const int node = p->w.v.at[v].node;
    const char *hint = node != UNDEF ? p->g->nodes.at[node].hint : "out";
    p->array[v] = p->b->sizes.n;
    PUSH(p->g->mem, &p->b->sizes, n);
    PUSH(p->g->mem, &p->b->hints, hint ? hint : "w");
}

// the terms that reach vertex v in direction j
static BundleRun run_of(Planner *p, int v, int j) {
    const int ndir = p->t->seeds.ndir;
    BundleRun r = {.array = p->array[v], .offset = p->position[v * ndir + j], .width = 1};
    for (int k = 0; k < p->w.v.at[v].in.n; k++) {
        const Edge *e = &p->w.v.at[v].in.at[k];
        if (!p->support[e->from * ndir + j]) continue;
        const bool direct = e->from < ndir;
        const Node *rate = &p->g->nodes.at[e->rate];
        const bool constant = rate->op == O_CONST && rate->value < 0, minus = rate->op == O_NEG;
        const BundleTerm t = {.rate = minus      ? rate->a
                                      : constant ? graph_const(p->g, -rate->value)
                                                 : e->rate,
                              .minus = minus || constant,
                              .source = direct ? -1 : p->array[e->from],
                              .offset = direct ? 0 : p->position[e->from * ndir + j]};
        PUSH(p->g->mem, &r.terms, t);
    }
    return r;
}

// does run b go on where run a ends, with the same terms?
static bool continues(const BundleRun *a, const BundleRun *b) {
    if (a->terms.n != b->terms.n || b->offset != a->offset + a->width) return false;
    for (int i = 0; i < a->terms.n; i++) {
        const BundleTerm *x = &a->terms.at[i], *y = &b->terms.at[i];
        if (x->source < 0 || y->source != x->source || y->rate != x->rate || y->minus != x->minus) {
            return false;
        }
        if (y->offset != x->offset + a->width) return false;
    }
    return true;
}

// a vertex that only directions reach: its array is a list of rates, shared with others like it
static bool make_table(Planner *p, int v) {
    const int ndir = p->t->seeds.ndir, size = p->b->sizes.at[p->array[v]];
    const Vertex *vertex = &p->w.v.at[v];
    BundleTable t = {.array = p->array[v]};
    t.rate = mem_new(p->g->mem, (size_t)size * sizeof *t.rate);
    for (int i = 0; i < size; i++) t.rate[i] = graph_const(p->g, 0);
    for (int k = 0; k < vertex->in.n; k++) {
        const int from = vertex->in.at[k].from;
        if (from >= ndir) return false;
        t.rate[p->position[v * ndir + from]] = vertex->in.at[k].rate;
    }
    if (vertex->node == UNDEF) return false; // an output is stored, not read
    for (int i = 0; i < p->b->tables.n; i++) {
        const BundleTable *other = &p->b->tables.at[i];
        if (p->b->sizes.at[other->array] == size &&
            memcmp(other->rate, t.rate, (size_t)size * sizeof *t.rate) == 0) {
            p->array[v] = other->array;
            return true;
        }
    }
    PUSH(p->g->mem, &p->b->tables, t);
    for (int i = 0; i < size; i++) PUSH(p->g->mem, &p->b->rates, t.rate[i]);
    return true;
}

static void make_runs(Planner *p, int v) {
    const int ndir = p->t->seeds.ndir;
    if (make_table(p, v)) return;
    BundleRun open = {.width = 0};
    for (int k = 0; k < ndir; k++) {
        const int j = p->order[k];
        if (!p->support[v * ndir + j]) continue;
        const BundleRun next = run_of(p, v, j);
        if (open.width && continues(&open, &next)) {
            open.width++;
            continue;
        }
        if (open.width) PUSH(p->g->mem, &p->b->runs, open);
        open = next;
    }
    if (open.width) PUSH(p->g->mem, &p->b->runs, open);
}

static void collect(Planner *p) {
    const int ndir = p->t->seeds.ndir;
    Bundle *b = p->b;
    for (int i = 0; i < b->runs.n; i++) {
        const BundleRun *r = &b->runs.at[i];
        for (int k = 0; k < r->terms.n; k++) PUSH(p->g->mem, &b->rates, r->terms.at[k].rate);
        // loops of four and more run in vectors, the rest one by one
        b->cost += (2 * r->terms.n - 1) * (r->width / 4 + r->width % 4);
    }
    for (int k = 0; k < p->t->nout; k++) {
        const int v = p->w.first_out + k;
        for (int j = 0; j < ndir; j++) {
            const int index = k * ndir + j;
            if (!p->support[v * ndir + j]) {
                PUSH(p->g->mem, &b->zeros, index);
                continue;
            }
            const BundleStore s = {index, p->array[v], p->position[v * ndir + j]};
            PUSH(p->g->mem, &b->stores, s);
        }
    }
    b->cost += 0.5 * p->t->nout * ndir;
}

static double scalar_cost(Planner *p) {
    const int nkeep = p->t->nkeep, nrate = p->b->rates.n;
    int *roots = mem_new(p->g->mem, (size_t)(nkeep + nrate + 1) * sizeof *roots);
    if (nkeep) memcpy(roots, p->t->keep, (size_t)nkeep * sizeof *roots);
    if (nrate) memcpy(roots + nkeep, p->b->rates.at, (size_t)nrate * sizeof *roots);
    return graph_cost(p->g, roots, nkeep + nrate);
}

static Bundle *plan(Graph *g, const Task *t, bool both_ways) {
    Planner p = {.g = g, .t = t, .w = {.g = g, .order = CHEAP_FIRST}};
    linear_make(&p.w, t);
    if (p.w.missing) return NULL;
    linear_inside(&p.w);
    linear_short(&p.w, both_ways);
    set_point(&p);
    p.b = mem_new(g->mem, sizeof *p.b);
    find_support(&p);
    order_directions(&p);
    const size_t cells = (size_t)(p.w.v.n * t->seeds.ndir);
    p.position = mem_new(g->mem, cells * sizeof *p.position);
    p.array = mem_new(g->mem, (size_t)p.w.v.n * sizeof *p.array);
    for (int i = t->seeds.ndir; i < p.w.v.n; i++) {
        place(&p, i);
        if (p.array[i] >= 0) make_runs(&p, i);
    }
    collect(&p);
    p.b->cost += scalar_cost(&p);
    return p.b;
}

Bundle *bundle(Graph *g, const Task *t) {
    Bundle *a = plan(g, t, true), *b = plan(g, t, false);
    return a && a->cost < b->cost ? a : b;
}
