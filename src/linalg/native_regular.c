// native_regular.c - makes a matrix with multipliers quasi-definite, so that every order will do
//
//   [M  G^T]         [M   G^T ]      e_i = REGULAR max_j g_ij^2 / m_jj
//   [G   0 ]   ->    [G  -diag e]
//
// Positive definite before the multipliers, negative definite among them: L D L^T exists for every
// symmetric permutation, with the inertia of the two blocks, and also where rows of G depend on
// each other. Solutions for the matrix itself come from refinement, which gains about seven digits
// a step; of dependent rows about the smallest multipliers, if the right-hand side agrees with
// them.
// Vanderbei, SIAM J. Optim. 5 (1995) 100; Saunders, in: Linear and Nonlinear Conjugate
// Gradient-Related Methods, SIAM 1996, p. 92.
#include <math.h>
#include <string.h>

#include "linalg/native.h"

// what is put on the diagonal of a weak unknown, for the pivot that its neighbours make
#define REGULAR 1e-8

static double diagonal_of(const CdCsc *a, int i) {
    const int slot = cdi_pattern_slot(a->pattern, i, i);
    return slot < 0 ? 0 : a->v[slot];
}

// what the strongest neighbour makes of the pivot of a weak unknown, with its sign
static double made(const CdCsc *a, const bool *weak, int i) {
    const CdPattern *p = a->pattern;
    double most = 0;
    for (int k = p->ptr[i]; k < p->ptr[i + 1]; k++) {
        const int j = p->row[k], back = weak[j] ? -1 : cdi_pattern_slot(p, i, j);
        const double pivot = back < 0 ? 0 : -a->v[k] * a->v[back] / diagonal_of(a, j);
        if (fabs(pivot) > fabs(most)) most = pivot;
    }
    return most;
}

bool cdi_native_regularise(const CdCsc *a, const bool *weak, double *out) {
    const CdPattern *p = a->pattern;
    bool any = false;
    memcpy(out, a->v, (size_t)p->nnz * sizeof *out);
    for (int i = 0; i < p->cols; i++) {
        const int slot = weak[i] ? cdi_pattern_slot(p, i, i) : -1;
        if (slot < 0) continue;
        out[slot] += REGULAR * made(a, weak, i);
        any = true;
    }
    return any;
}
