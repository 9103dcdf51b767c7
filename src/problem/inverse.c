// inverse.c - a small matrix that is kept for many solves: its inverse in place of its factors
//
//   A^-1 b = sum_j b_j c_j,   A c_j = e_j
//
// Triangular solves are chains of dependent operations; the sum over columns runs in vector
// registers and is several times faster for orders that fit into the nearest cache. An inverse is
// less accurate than its factors by the condition of A, which Newton's method mends: it only serves
// increments. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sec. 14.1.
#include "problem/inverse.h"

#include <string.h>

// up to this order the inverse gains, and fits into the cache
#define ORDER_MAX 32
#define TILE 8
// so few unknowns do not fill a register
#define FEW 3

CdStatus cdi_inverse_new(CdArena *arena, int n, CdiInverse *v) {
    *v = (CdiInverse){.n = n};
    if (n == 0 || n > ORDER_MAX) return CD_OK;
    v->rows = ((size_t)n + TILE - 1) / TILE * TILE;
    v->columns = CD_TAKE(arena, double, v->rows *(size_t)n);
    v->out = CD_TAKE(arena, double, v->rows);
    v->column = CD_TAKE(arena, const double *, (size_t)n);
    v->vecn = cdi_vecn();
    if (!v->columns || !v->out || !v->column) return CD_NOMEM;
    for (int j = 0; j < n; j++) v->column[j] = v->columns + v->rows * (size_t)j;
    return CD_OK;
}

int cdi_inverse_wait(const CdiInverse *v) {
    return 2 * v->n;
}

static CdStatus make(CdiInverse *v, CdLinsol *linsol) {
    memset(v->columns, 0, v->rows * (size_t)v->n * sizeof(double));
    for (int j = 0; j < v->n; j++) v->columns[v->rows * (size_t)j + (size_t)j] = 1;
    CD_TRY(cdi_linsol_solve(linsol, v->n, v->columns, (int)v->rows, false));
    v->ready = true;
    return CD_OK;
}

static void solve_few(const CdiInverse *v, double *b) {
    double out[FEW] = {0};
    for (int j = 0; j < v->n; j++) {
        for (int i = 0; i < v->n; i++) out[i] += b[j] * v->column[j][i];
    }
    for (int i = 0; i < v->n; i++) b[i] = out[i];
}

CdStatus cdi_inverse_solve(CdiInverse *v, CdLinsol *linsol, double *b) {
    if (!v->ready) CD_TRY(make(v, linsol));
    if (v->n == 1) {
        *b = 0 + *b * *v->columns; // as the sums below, which make no -0
        return CD_OK;
    }
    if (v->n <= FEW) {
        solve_few(v, b);
        return CD_OK;
    }
    v->vecn->combine(v->rows, v->n, b, v->column, v->out);
    memcpy(b, v->out, (size_t)v->n * sizeof(double));
    return CD_OK;
}
