// jacobian.c - the derivative of some nodes in some directions, by the cheapest of several orders
#include "jacobian.h"

#include <string.h>

#include "activity.h"
#include "linear.h"

enum { MAX_SEARCHED = 50000 }; // nodes

static const Function *accumulate(Graph *g, const Task *t, Order order, int *jac) {
    Linear w = {.g = g, .order = order};
    linear_make(&w, t);
    if (w.missing) return w.missing;
    linear_inside(&w);
    linear_outside(&w);
    const int ndir = t->seeds.ndir;
    for (int k = 0; k < t->nout; k++) {
        for (int j = 0; j < ndir; j++) {
            const Edge *e = linear_edge(&w, j, w.first_out + k);
            jac[k * ndir + j] = e ? e->rate : graph_const(g, 0);
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

void take_at(Graph *g, const int *map, int *jac, int n) {
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
    // looking for the cheapest vertex takes quadratic time
    const int norder = g->nodes.n > MAX_SEARCHED ? CHEAP_FIRST : NORDERS;
    for (int order = 0; order < norder; order++) {
        const Function *missing = accumulate(g, t, (Order)order, jac_of);
        if (missing) return missing;
        if (t->at) take_at(g, t->at, jac_of, n);
        if (t->symmetric) mirror(jac_of, t->nout);
        const double cost = graph_cost(g, all, n + t->nkeep);
        if (best < 0 || cost < best) {
            best = cost;
            memcpy(jac, jac_of, (size_t)n * sizeof *jac);
        }
    }
    return NULL;
}
