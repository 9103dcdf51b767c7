// integrators_hand.h - what one would write by hand: DOPRI5 and generalised-alpha for one problem
#ifndef CARDAN_BENCH_INTEGRATORS_HAND_H
#define CARDAN_BENCH_INTEGRATORS_HAND_H

#include "cardan/problem.h"

// n equal masses between two walls, neighbours joined by springs; mass 1, stiffness CHAIN_STIFFNESS
#define CHAIN_STIFFNESS 100.0

typedef struct Chain {
    int n;
    double *y; // 2 n: positions, velocities
} Chain;

void chain_start(int n, double *q, double *v);
void chain_force(int n, const double *q, double *f);

// adaptive, PI control, starting with step h; y becomes y(t_end). Returns the number of steps
// tried.
int hand_dopri5(int n, double *y, double t_end, double rtol, double atol, double h, double *work);
#define HAND_DOPRI5_WORK(n) (2 * (n)*10)

// fixed step, linear problem: one factor, one solve per step by the same linear solver
typedef struct HandGenAlpha HandGenAlpha;
CdStatus hand_gen_alpha_new(CdContext *ctx, int n, double h, double rho, HandGenAlpha **out);
CdStatus hand_gen_alpha_run(HandGenAlpha *g, double *q, double *v, int steps);
void hand_gen_alpha_free(HandGenAlpha *g);

#endif
