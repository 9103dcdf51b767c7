// bundle.h - a Jacobian as short loops over directions, for kernels that are dense and large
//
// Directions that touch the same vertices form a bundle and stand side by side. Every vertex that
// is left keeps its derivative as an array over the directions it depends on, and one or a few
// loops compute it from the arrays of its predecessors.
#ifndef ADC_BUNDLE_H
#define ADC_BUNDLE_H

#include "jacobian.h"

typedef struct BundleTerm {
    int rate;           // node
    bool minus;         // subtract it
    int source, offset; // array and first element; source -1: the rate itself
} BundleTerm;

typedef struct BundleRun { // array[offset .. offset + width) = sum of terms
    int array, offset, width;
    LIST(BundleTerm) terms;
} BundleRun;

typedef struct BundleTable { // array = { rates }: a vertex next to the directions
    int array, *rate;
} BundleTable;

typedef struct BundleStore { // jac[index] = array[offset]
    int index, array, offset;
} BundleStore;

typedef struct Bundle {
    LIST(int) sizes;          // of the arrays
    LIST(const char *) hints; // their names
    LIST(BundleTable) tables;
    LIST(BundleRun) runs;
    LIST(BundleStore) stores;
    LIST(int) zeros; // entries of the Jacobian that are always zero
    LIST(int) rates; // nodes to compute before
    double cost;     // in the measure of graph_cost
} Bundle;

Bundle *bundle(Graph *g, const Task *task); // NULL: an extern function has no declared derivative

#endif
