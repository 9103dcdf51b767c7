// activity.c - which nodes lie between the inputs and the outputs of a derivative
//
// Nodes are numbered after their operands, so one sweep up and one sweep down are enough.
#include "activity.h"

static void mark_operands(Graph *g, int node, bool *marks) {
    int ops[8];
    const int n = graph_operands(g, node, ops);
    for (int k = 0; k < n; k++) marks[ops[k]] = true;
}

static bool any_operand(Graph *g, int node, const bool *marks) {
    int ops[8];
    const int n = graph_operands(g, node, ops);
    bool any = false;
    for (int k = 0; k < n; k++) any = any || marks[ops[k]];
    return any;
}

bool *activity(Graph *g, const int *in, int nin, const int *out, int nout) {
    const size_t n = (size_t)g->nodes.n;
    bool *varies = mem_new(g->mem, n * sizeof *varies);
    bool *useful = mem_new(g->mem, n * sizeof *useful);
    for (int i = 0; i < nin; i++) varies[in[i]] = true;
    for (int i = 1; i < g->nodes.n; i++) {
        if (graph_is_condition(g, i)) continue;
        varies[i] = varies[i] || any_operand(g, i, varies);
    }
    for (int i = 0; i < nout; i++) useful[out[i]] = true;
    for (int i = g->nodes.n - 1; i > 0; i--) {
        useful[i] = useful[i] && varies[i];
        if (useful[i]) mark_operands(g, i, useful);
    }
    return useful;
}

bool *liveness(Graph *g, const int *out, int nout) {
    bool *live = mem_new(g->mem, (size_t)g->nodes.n * sizeof *live);
    for (int i = 0; i < nout; i++) live[out[i]] = true;
    for (int i = g->nodes.n - 1; i > 0; i--) {
        if (!live[i]) continue;
        mark_operands(g, i, live);
        for (int c = g->nodes.at[i].ctx; c > 0; c = g->contexts.at[c].parent) {
            live[g->contexts.at[c].cond] = true;
        }
    }
    return live;
}
