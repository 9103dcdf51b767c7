// rules.h - the derivative rules: one partial derivative per operation and operand
#ifndef ADC_RULES_H
#define ADC_RULES_H

#include "graph.h"

// the derivative of a node to its k-th operand (in the order of graph_operands), in the context of
// the node; UNDEF when an extern function has none declared. O_PHI is not a rule: see jacobian.c.
int rule(Graph *g, int node, int k);

#endif
