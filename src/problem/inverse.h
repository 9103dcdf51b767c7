// inverse.h - a small matrix that is kept for many solves: its inverse in place of its factors
#ifndef CARDAN_PROBLEM_INVERSE_H
#define CARDAN_PROBLEM_INVERSE_H

#include "base/arena.h"
#include "linalg/linsol.h"
#include "math/vecn.h"

// no operation on one that is all zero: never used
typedef struct CdiInverse {
    int n;
    size_t rows; // n rounded up to whole tiles; 0: the matrix is too large to gain
    double *columns, *out;
    const double **column; // where each begins
    const CdVecnOps *vecn;
    bool ready; // it is that of the last factor
} CdiInverse;

CdStatus cdi_inverse_new(CdArena *arena, int n, CdiInverse *inverse);
// solves of one factor after which the inverse has paid for itself
int cdi_inverse_wait(const CdiInverse *inverse);
// b becomes A^-1 b, A being what the solver has factored
CdStatus cdi_inverse_solve(CdiInverse *inverse, CdLinsol *linsol, double *b);

#endif
