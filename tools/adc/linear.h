// linear.h - the linearised graph: partial derivatives as edges, accumulated by elimination
#ifndef ADC_LINEAR_H
#define ADC_LINEAR_H

#include "jacobian.h"

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

typedef struct Linear {
    Graph *g;
    LIST(Vertex) v; // the directions, then the active nodes, then ends of branches and outputs
    LIST(Phi) phis;
    int *vertex; // of a node, or -1
    int first_out;
    Order order;
    const Function *missing; // an extern function without a declared derivative
} Linear;

void linear_make(Linear *w, const Task *t);
void linear_inside(Linear *w);  // takes out the vertices inside of branches
void linear_outside(Linear *w); // and then all others: only directions and outputs are left
// or only those with one way out, and, if both, with one way in
void linear_short(Linear *w, bool both);
const Edge *linear_edge(const Linear *w, int from, int to);

#endif
