// jacobian.h - the derivative of some nodes in some directions, as new nodes of the graph
#ifndef ADC_JACOBIAN_H
#define ADC_JACOBIAN_H

#include "graph.h"

typedef struct Seed { // moving in direction dir changes this input at this rate
    int input, dir, rate;
} Seed;

typedef struct Seeds {
    LIST(Seed) list;
    int ndir;
} Seeds;

// jac[k*ndir + j] becomes the derivative of out[k] in direction j; a structural zero is the
// constant 0. Of several orders of accumulation the one with the fewest operations is taken,
// counted with the values in keep. On failure the extern function without a declared derivative is
// returned.
typedef struct Task {
    Seeds seeds;
    const int *out, *keep;
    int nout, nkeep;
    const int *at;  // leaf -> node: where the derivative is taken; NULL: at the inputs
    bool symmetric; // jac[k*ndir + j] = jac[j*ndir + k] is known: half of it is computed
} Task;

const Function *jacobian(Graph *g, const Task *task, int *jac);

void take_at(Graph *g, const int *map, int *nodes, int n); // the nodes with leaves replaced
double graph_cost(Graph *g, const int *roots, int n);      // weighted number of operations

#endif
