// linsol_matrix.h - matrices of mechanisms for comparing linear solvers
#ifndef CARDAN_BENCH_LINSOL_MATRIX_H
#define CARDAN_BENCH_LINSOL_MATRIX_H

#include "linalg/csc.h"

// values are symmetric; the pattern has all of the diagonal
typedef struct BenchMatrix {
    CdPattern *p;
    double *v;
    int *group; // of unknowns; NULL: none
    char name[32];
    int n;
    bool definite; // positive
} BenchMatrix;

// tangent of a planar four-bar with so many loops that it has n unknowns, by penalties; `per`
// entries per column, more than 6 in a band or at random places within 100 columns
typedef enum BenchFill { BENCH_PLAIN, BENCH_BAND, BENCH_RANDOM } BenchFill;
bool bench_fourbar(CdContext *ctx, int n, BenchFill fill, int per, BenchMatrix *out);

// [M G^T; G 0] of bodies with joints, 6 velocities per body
typedef enum BenchNet {
    BENCH_CHAIN,     // revolute joints
    BENCH_TREE,      // two children each, revolute joints
    BENCH_TANGENT,   // the chain with stiffness between neighbours, as integrators have it
    BENCH_LADDER,    // two chains and rungs, spherical joints: a loop per rung
    BENCH_GRID,      // square, spherical joints, every third edge upwards
    BENCH_REDUNDANT, // planar four-bar with joints for space; superfluous rows read 1
    BENCH_ROBOTS     // chains of six bodies each, with stiffness: equal islands
} BenchNet;
bool bench_net(CdContext *ctx, BenchNet kind, int nbodies, BenchMatrix *out);

// masses in a row with springs between them
bool bench_tridiagonal(CdContext *ctx, int n, BenchMatrix *out);

void bench_matrix_free(CdContext *ctx, BenchMatrix *a);

#endif
