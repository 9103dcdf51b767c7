// unroll.h - runs a kernel with symbols instead of numbers: the tree becomes a graph
#ifndef ADC_UNROLL_H
#define ADC_UNROLL_H

#include "graph.h"

// cells[i] holds the nodes of parameter i: its doubles in the order of declaration. The caller sets
// those of inputs (outputs are UNDEF) and finds those of outputs there. The result of a double
// function goes to *result. False after a message.
bool unroll(Unit *u, Graph *g, Function *f, int **cells, int *result);

// text of the k-th double of a parameter as C writes it: x, x[3], p->frame.r[2]
const char *cell_text(Mem *mem, const Var *param, int k);

#endif
