// chain.h - a chain of n masses between walls: a problem of any size, with its exact motion
//
//   q_i'' = q_i-1 - 2 q_i + q_i+1      q_0 = q_n+1 = 0
//   q_i = sin(i a) cos(w_1 t) + sin(n i a)/n cos(w_n t)      a = pi/(n + 1), w_j = 2 sin(j a/2)
#ifndef CARDAN_PROBLEMS_CHAIN_H
#define CARDAN_PROBLEMS_CHAIN_H

#include "ivp.h"

typedef struct IvpChain {
    IvpProblem mechanical; // q, v; tridiagonal patterns
    IvpProblem ode;        // y = (q, v)
    int n;
    double *start;  // q, v: all starts
    int *ptr, *row; // pattern of the mechanical form
    CdContext *ctx;
} IvpChain;

CdStatus ivp_chain_new(CdContext *ctx, int n, IvpChain **chain);
void ivp_chain_free(IvpChain *chain); // NULL does nothing

#endif
