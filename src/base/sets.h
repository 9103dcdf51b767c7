// sets.h - numbers in sets that grow together; a set is known by the smallest of its numbers
//
// parent leads from a number towards the smallest of its set, and to itself there. Paths are halved
// while they are walked. Tarjan & van Leeuwen, J. ACM 31 (1984) 245.
#ifndef CARDAN_BASE_SETS_H
#define CARDAN_BASE_SETS_H

#include <stdbool.h>

// every number of 0 ... n - 1 alone
static inline void cdi_sets_begin(int n, int *parent) {
    for (int i = 0; i < n; i++) parent[i] = i;
}

// the smallest number of its set
static inline int cdi_sets_root(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// false: they are in one set already
static inline bool cdi_sets_join(int *parent, int i, int j) {
    const int a = cdi_sets_root(parent, i), b = cdi_sets_root(parent, j);
    parent[a < b ? b : a] = a < b ? a : b;
    return a != b;
}

#endif
