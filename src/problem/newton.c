// newton.c - unknowns of a start by Newton's method: w = 0 for x, F = 0 for y'
//
//   z -= s A^+ r,     s = 1, 1/2, 1/4, ... until |r| becomes less
//
// with the shortest least-squares step where A is singular: index 2 and more, or algebraic
// equations in F. That takes a full matrix, and is left out where it would be too large.
// Deuflhard, Newton Methods for Nonlinear Problems, Springer 2004, ch. 3 and 4.
#include <math.h>
#include <string.h>

#include "problem/work.h"

#define STEPS_MAX 50
#define HALVINGS_MAX 12
// after a step below this part of z nothing is left but rounding, as convergence is quadratic
#define SMALL_STEP 1e-9
// more unknowns are too many for a full matrix
#define FULL_MAX 2000
// of the decrease that a linear problem would have
#define ENOUGH 0.25

static CdStatus block_pattern(CdiProblem *p, CdiNewton *s) {
    const CdPattern *a = p->pattern;
    CdPatternBuilder b;
    cdi_pattern_begin(&b, p->ctx, s->n, s->n, false);
    for (int j = s->first; j < s->first + s->n; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            if (a->row[k] >= s->first) cdi_pattern_add(&b, a->row[k] - s->first, j - s->first);
        }
    }
    return cdi_pattern_end(&b, &s->block);
}

CdStatus cdi_newton_new(CdiProblem *p, bool of_rates, CdiNewton *s) {
    s->of_rates = of_rates;
    s->n = of_rates ? p->ny : p->nx;
    s->first = of_rates ? p->nv : p->nv + p->ny;
    CD_TRY(cdi_patterns_derivatives(p));
    CD_TRY(block_pattern(p, s));
    s->factor = cdi_factor_of(p, s->block, CDI_REAL);
    CD_TRY(cdi_factor_open(&s->factor));
    s->from = CD_TAKE(&p->arena, int, (size_t)s->block->nnz);
    s->values = CD_TAKE(&p->arena, double, (size_t)p->pattern->nnz);
    s->r = CD_TAKE(&p->arena, double, (size_t)s->n);
    s->d = CD_TAKE(&p->arena, double, (size_t)s->n);
    s->old = CD_TAKE(&p->arena, double, (size_t)s->n);
    if (!s->from || !s->values || !s->r || !s->d || !s->old) return CD_NOMEM;
    for (int j = 0; j < s->n; j++) {
        for (int k = s->block->ptr[j]; k < s->block->ptr[j + 1]; k++) {
            s->from[k] = cdi_pattern_slot(p->pattern, s->first + s->block->row[k], s->first + j);
        }
    }
    return CD_OK;
}

void cdi_newton_free(CdiNewton *s) {
    cdi_factor_free(&s->factor);
    cdi_pattern_free(s->block);
}

// largest |r_i|, infinite if one is no number
static double largest(int n, const double *r, int *row) {
    double max = 0;
    for (int i = 0; i < n; i++) {
        const double size = isfinite(r[i]) ? fabs(r[i]) : INFINITY;
        if (size > max) {
            max = size;
            if (row) *row = i;
        }
    }
    return max;
}

static CdStatus residual(CdiProblem *p, CdiNewton *s, const CdPoint *at, double *size, int *row) {
    const CdProblem *u = &p->user;
    p->counts.evaluations++;
    const CdStatus status = (s->of_rates ? u->implicit : u->algebra)(u->data, at, s->r);
    CD_TRY(cdi_returned(p, s->of_rates ? "implicit" : "algebra", status));
    *size = largest(s->n, s->r, row);
    return CD_OK;
}

static CdStatus derivatives(CdiProblem *p, CdiNewton *s, const CdPoint *at) {
    return cdi_derivatives(p, at, s->of_rates ? s->values : NULL, s->of_rates ? NULL : s->values,
                           NULL);
}

static CdStatus factor(CdiProblem *p, CdiNewton *s) {
    const int *map = cdi_linsol_map(s->factor.linsol);
    double *a = cdi_linsol_begin(s->factor.linsol);
    for (int k = 0; k < s->block->nnz; k++) a[map[k]] = s->values[s->from[k]];
    return cdi_factor_counted(p, &s->factor, true);
}

// the shortest d with the least |A d - r|
static CdStatus least_squares(CdiProblem *p, CdiNewton *s, CdArena *scratch) {
    const size_t n = (size_t)s->n;
    double *qr = CD_TAKE(scratch, double, n *n), *b = CD_TAKE(scratch, double, n);
    double *tau = CD_TAKE(scratch, double, n);
    double *work = CD_TAKE(scratch, double, cdi_qr_work(s->n, s->n));
    int *jpvt = CD_TAKE(scratch, int, n), rank;
    if (!qr || !b || !tau || !work || !jpvt) return CD_NOMEM;
    const CdCsc a = cdi_linsol_matrix(s->factor.linsol);
    cdi_csc_to_dense(&a, qr, s->n);
    CD_TRY(cdi_qr_factor(s->n, s->n, qr, s->n, jpvt, tau, work, &rank));
    memcpy(b, s->r, n * sizeof *b);
    cdi_qr_solve(s->n, s->n, qr, s->n, jpvt, tau, rank, b, s->d, work);
    p->counts.solves++;
    return CD_OK;
}

static CdStatus direction(CdiProblem *p, CdiNewton *s, const CdPoint *at) {
    CD_TRY(derivatives(p, s, at));
    const CdStatus status = factor(p, s);
    if (status == CD_OK) {
        memcpy(s->d, s->r, (size_t)s->n * sizeof *s->d);
        p->counts.solves++;
        return cdi_linsol_solve(s->factor.linsol, 1, s->d, s->n, false);
    }
    if (status != CD_SINGULAR || s->n > FULL_MAX) return status;
    CdArena scratch;
    cdi_arena_init(&scratch, p->ctx, 0);
    const CdStatus done = least_squares(p, s, &scratch);
    cdi_arena_clear(&scratch);
    return done;
}

// *size becomes that of the new point; *better: it is less, otherwise z is as before
static CdStatus search(CdiProblem *p, CdiNewton *s, CdPoint *at, double *size, bool *better) {
    double *z = s->of_rates ? at->ydot : at->x, part = 1;
    memcpy(s->old, z, (size_t)s->n * sizeof *z);
    for (int k = 0; k < HALVINGS_MAX; k++, part /= 2) {
        double now;
        for (int i = 0; i < s->n; i++) z[i] = s->old[i] - part * s->d[i];
        CD_TRY(residual(p, s, at, &now, NULL));
        *better = now <= (1 - ENOUGH * part) * *size;
        if (!*better) continue;
        *size = now;
        return CD_OK;
    }
    memcpy(z, s->old, (size_t)s->n * sizeof *z);
    return CD_OK;
}

CdStatus cdi_newton_solve(CdiProblem *p, CdiNewton *s, CdPoint *at, double *worst, int *row) {
    double *z = s->of_rates ? at->ydot : at->x;
    bool better = true;
    *row = 0;
    s->stuck = false;
    CD_TRY(residual(p, s, at, worst, row));
    for (int k = 0; k < STEPS_MAX && better && *worst > 0; k++) {
        const CdStatus status = direction(p, s, at);
        // what is given must do then
        s->stuck = status == CD_SINGULAR && s->n > FULL_MAX;
        if (s->stuck) break;
        CD_TRY(status);
        const bool last = largest(s->n, s->d, NULL) <= SMALL_STEP * largest(s->n, z, NULL);
        CD_TRY(search(p, s, at, worst, &better));
        if (last) break;
    }
    return residual(p, s, at, worst, row);
}
