// schedule.c - the order of statements
//
// Values are computed depth first, root by root, so that what is used together is close together.
// The nodes of a part of a branch wait until nothing more can be done around it; then its block is
// opened and everything in it that is ready is done. A block may have to be opened more than once.
#include "schedule.h"

#include "activity.h"

typedef LIST(int) Ints;

typedef struct Plan {
    Graph *g;
    Schedule *s;
    Ints order;  // live nodes, operands first
    Ints *in;    // per context: its items in order; node*2, or (phi node)*2 + 1 for a V_SET
    Ints *pairs; // per context: conditions on which it branches
    bool *done;
    int *sets;    // per O_PHI: parts done
    Ints *stores; // per node: roots
    int block, nblock;
    bool straight;
} Plan;

static void visit(Plan *p, const int *roots, int nroot) {
    Ints stack = {0};
    bool *seen = mem_new(p->g->mem, (size_t)p->g->nodes.n * sizeof *seen);
    for (int i = 0; i < nroot; i++) {
        PUSH(p->g->mem, &stack, roots[i]);
        while (stack.n) {
            const int id = stack.at[stack.n - 1], before = stack.n;
            int ops[8];
            int n = graph_operands(p->g, id, ops);
            for (int k = n - 1; k >= 0 && !seen[id]; k--) {
                if (!seen[ops[k]]) PUSH(p->g->mem, &stack, ops[k]);
            }
            for (int c = p->g->nodes.at[id].ctx; c > 0 && !seen[id];
                 c = p->g->contexts.at[c].parent) {
                const int cond = p->g->contexts.at[c].cond;
                if (!seen[cond]) PUSH(p->g->mem, &stack, cond);
            }
            if (stack.n > before) continue;
            stack.n--;
            if (seen[id]) continue;
            seen[id] = true;
            PUSH(p->g->mem, &p->order, id);
        }
    }
}

static void event(Plan *p, Event e) {
    PUSH(p->g->mem, &p->s->events, e);
}

static void finish(Plan *p, int id) {
    p->done[id] = true;
    for (int i = 0; i < p->stores[id].n; i++) {
        event(p, (Event){.kind = V_STORE, .node = id, .index = p->stores[id].at[i]});
    }
}

static bool ready(const Plan *p, int item) {
    const int id = item / 2;
    if (p->done[id]) return false;
    int ops[8];
    if (item % 2) return false;
    const int n = graph_operands(p->g, id, ops);
    if (p->g->nodes.at[id].op == O_PHI && !p->straight) return p->sets[id] == 3;
    for (int k = 0; k < n; k++) {
        if (!p->done[ops[k]]) return false;
    }
    return true;
}

// the part of a joined value that belongs to this context: 1 then, 2 else
static int part_of(const Plan *p, int ctx) {
    return p->g->contexts.at[ctx].then ? 1 : 2;
}

static bool can_set(const Plan *p, int item, int ctx) {
    const int id = item / 2, part = part_of(p, ctx);
    const Node *n = &p->g->nodes.at[id];
    return item % 2 && !(p->sets[id] & part) && p->done[part == 1 ? n->b : n->c];
}

static bool do_item(Plan *p, int item, int ctx) {
    const int id = item / 2;
    if (can_set(p, item, ctx)) {
        const int part = part_of(p, ctx);
        const Node *n = &p->g->nodes.at[id];
        p->sets[id] |= part;
        event(p, (Event){.kind = V_SET, .node = id, .value = part == 1 ? n->b : n->c});
        return true;
    }
    if (!ready(p, item)) return false;
    p->s->block[id] = p->block;
    event(p, (Event){.kind = V_DEFINE, .node = id});
    finish(p, id);
    return true;
}

static int part(const Plan *p, int ctx, int cond, bool then) {
    return graph_context(p->g, ctx, cond, then);
}

static bool any_ready(const Plan *p, int ctx) {
    for (int i = 0; i < p->in[ctx].n; i++) {
        if (ready(p, p->in[ctx].at[i]) || can_set(p, p->in[ctx].at[i], ctx)) return true;
    }
    for (int i = 0; i < p->pairs[ctx].n; i++) {
        const int cond = p->pairs[ctx].at[i];
        if (p->done[cond] &&
            (any_ready(p, part(p, ctx, cond, true)) || any_ready(p, part(p, ctx, cond, false)))) {
            return true;
        }
    }
    return false;
}

static void fill(Plan *p, int ctx);

static void open_block(Plan *p, int ctx, int cond) {
    const int around = p->block;
    event(p, (Event){.kind = V_OPEN, .node = cond});
    p->block = ++p->nblock;
    fill(p, part(p, ctx, cond, true));
    event(p, (Event){.kind = V_ELSE});
    p->block = ++p->nblock;
    fill(p, part(p, ctx, cond, false));
    event(p, (Event){.kind = V_CLOSE});
    p->block = around;
}

static void fill(Plan *p, int ctx) {
    for (bool again = true; again;) {
        again = false;
        Ints *list = &p->in[ctx];
        int left = 0;
        for (int i = 0; i < list->n; i++) {
            const int item = list->at[i];
            if (do_item(p, item, ctx)) {
                again = true;
            } else if (!p->done[item / 2]) {
                list->at[left++] = item;
            }
        }
        list->n = left;
        if (again) continue;
        for (int i = 0; i < p->pairs[ctx].n && !again; i++) {
            const int cond = p->pairs[ctx].at[i];
            if (!p->done[cond]) continue;
            if (any_ready(p, part(p, ctx, cond, true)) || any_ready(p, part(p, ctx, cond, false))) {
                open_block(p, ctx, cond);
                again = true;
            }
        }
    }
}

static void add_pair(Plan *p, int ctx, int cond) {
    for (int i = 0; i < p->pairs[ctx].n; i++) {
        if (p->pairs[ctx].at[i] == cond) return;
    }
    PUSH(p->g->mem, &p->pairs[ctx], cond);
}

static void sort_into_contexts(Plan *p) {
    for (int i = 0; i < p->order.n; i++) {
        const int id = p->order.at[i];
        const Node *n = &p->g->nodes.at[id];
        const int ctx = p->straight ? 0 : n->ctx;
        PUSH(p->g->mem, &p->in[ctx], 2 * id);
        if (n->op == O_PHI && !p->straight) {
            PUSH(p->g->mem, &p->in[part(p, ctx, n->a, true)], 2 * id + 1);
            PUSH(p->g->mem, &p->in[part(p, ctx, n->a, false)], 2 * id + 1);
            add_pair(p, ctx, n->a);
        }
        for (int c = ctx; c > 0; c = p->g->contexts.at[c].parent) {
            add_pair(p, p->g->contexts.at[c].parent, p->g->contexts.at[c].cond);
        }
    }
}

// a condition is written out where it is used, so what it reads is used there too
static void use(Plan *p, const bool *open, int id) {
    if (!open[p->s->block[id]]) p->s->outer[id] = true;
    if (!graph_is_condition(p->g, id)) return;
    int ops[8];
    const int n = graph_operands(p->g, id, ops);
    for (int k = 0; k < n; k++) use(p, open, ops[k]);
}

// a use in another block than its definition, other than in a block inside it
static void find_outer(Plan *p) {
    Schedule *s = p->s;
    Ints inside = {0}; // blocks open at an event
    int next = 0;
    bool *open = mem_new(p->g->mem, (size_t)(p->nblock + 1) * sizeof *open);
    open[0] = true;
    for (int i = 0; i < s->events.n; i++) {
        const Event *e = &s->events.at[i];
        if (e->kind == V_ELSE || e->kind == V_CLOSE) open[inside.at[--inside.n]] = false;
        if (e->kind == V_OPEN || e->kind == V_ELSE) {
            PUSH(p->g->mem, &inside, ++next);
            open[next] = true;
        }
        int ops[8], n = 0;
        if (e->kind == V_DEFINE && (p->straight || p->g->nodes.at[e->node].op != O_PHI)) {
            n = graph_operands(p->g, e->node, ops);
        } else if (e->kind == V_SET) {
            ops[n++] = e->value;
            // both parts of a joined value are set in one block, or it is declared around all
            const int home = inside.n > 1 ? inside.at[inside.n - 2] : 0;
            if (s->block[e->node] != home) s->outer[e->node] = true;
        }
        if (e->kind == V_OPEN) use(p, open, e->node);
        for (int k = 0; k < n; k++) use(p, open, ops[k]);
    }
}

static void count_uses(Plan *p, int nroot, const int *roots) {
    for (int i = 0; i < p->order.n; i++) {
        int ops[8];
        const int id = p->order.at[i], n = graph_operands(p->g, id, ops);
        // a condition may be written more than once: what it reads gets a name
        const int weight = graph_is_condition(p->g, id) ? 2 : 1;
        for (int k = 0; k < n; k++) p->s->uses[ops[k]] += weight;
    }
    for (int i = 0; i < nroot; i++) p->s->uses[roots[i]]++;
}

Schedule *schedule(Graph *g, const int *roots, int nroot, bool straight) {
    const size_t n = (size_t)g->nodes.n;
    // contexts of every branch exist before they are counted
    for (int i = 1; i < g->nodes.n; i++) {
        if (g->nodes.at[i].op != O_PHI) continue;
        (void)graph_context(g, g->nodes.at[i].ctx, g->nodes.at[i].a, true);
        (void)graph_context(g, g->nodes.at[i].ctx, g->nodes.at[i].a, false);
    }
    for (int i = 1; i < g->contexts.n; i++) {
        const Context c = g->contexts.at[i];
        (void)graph_context(g, c.parent, c.cond, !c.then);
    }
    Schedule *s = mem_new(g->mem, sizeof *s);
    Plan p = {.g = g, .s = s, .straight = straight};
    s->live = liveness(g, roots, nroot);
    s->uses = mem_new(g->mem, n * sizeof *s->uses);
    s->block = mem_new(g->mem, n * sizeof *s->block);
    s->outer = mem_new(g->mem, n * sizeof *s->outer);
    p.in = mem_new(g->mem, (size_t)g->contexts.n * sizeof *p.in);
    p.pairs = mem_new(g->mem, (size_t)g->contexts.n * sizeof *p.pairs);
    p.done = mem_new(g->mem, n * sizeof *p.done);
    p.sets = mem_new(g->mem, n * sizeof *p.sets);
    p.stores = mem_new(g->mem, n * sizeof *p.stores);
    for (int i = 0; i < nroot; i++) PUSH(g->mem, &p.stores[roots[i]], i);
    visit(&p, roots, nroot);
    sort_into_contexts(&p);
    count_uses(&p, nroot, roots);
    fill(&p, 0);
    find_outer(&p);
    return s;
}
