// activity.h - which nodes lie between the inputs and the outputs of a derivative
#ifndef ADC_ACTIVITY_H
#define ADC_ACTIVITY_H

#include "graph.h"

// active[node]: it varies with one of the inputs and one of the outputs depends on it. Conditions
// are never active: a derivative is taken on the side of a branch where the point lies.
bool *activity(Graph *g, const int *in, int nin, const int *out, int nout);

// live[node]: one of the outputs needs it, by operands or by the conditions around it
bool *liveness(Graph *g, const int *out, int nout);

#endif
