// schedule.h - the order of statements: a graph becomes lines and if-else blocks
#ifndef ADC_SCHEDULE_H
#define ADC_SCHEDULE_H

#include "graph.h"

typedef enum EventKind {
    V_DEFINE, // compute node
    V_STORE,  // write root number index
    V_OPEN,   // if (condition node) {
    V_ELSE,   // } else {
    V_CLOSE,  // }
    V_SET,    // the joined value node gets its value from this part: value
} EventKind;

typedef struct Event {
    EventKind kind;
    int node, value, index;
} Event;

typedef struct Schedule {
    LIST(Event) events;
    const bool *live;
    int *uses;   // per node
    int *block;  // per node: number of the block where it is defined, 0 is the whole function
    bool *outer; // per node: also used in another block, so declared around both
} Schedule;

// straight: no blocks, both parts of every branch are computed (for lanes)
Schedule *schedule(Graph *g, const int *roots, int nroot, bool straight);

#endif
