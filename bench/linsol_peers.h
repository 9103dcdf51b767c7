// linsol_peers.h - linear solvers of others, as far as they are installed
#ifndef CARDAN_BENCH_LINSOL_PEERS_H
#define CARDAN_BENCH_LINSOL_PEERS_H

#include <stdbool.h>

// a symmetric matrix by columns, all entries
typedef struct PeerMatrix {
    int n, nnz;
    const int *ptr, *row;
    const double *v;
    bool definite; // positive
} PeerMatrix;

typedef struct PeerSolver {
    const char *name;
    void *(*open)(const PeerMatrix *a); // analysis, and a first factor where it is part of it
    bool (*run)(void *solver, const double *b, double *x); // values in, factor, solve
    void (*close)(void *solver);
} PeerSolver;

extern const PeerSolver *const peer_solvers[]; // ends at NULL

#ifdef __cplusplus
extern "C" {
#endif
void *eigen_open(const PeerMatrix *a);
bool eigen_run(void *solver, const double *b, double *x);
void eigen_close(void *solver);
#ifdef __cplusplus
}
#endif

#endif
