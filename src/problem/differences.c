// differences.c - derivatives of r and of the constraints: the user's, or by coloured differences
//
//   M = dr/d(v', y')     C = dr/d(v, y, x)     K = dr/dq Z     J = dg/dq Z
//
// M is exact (the user's mass, B) but for F(t,y,y') = 0. Columns that share no row are moved
// together; those of K along tangent directions by the retraction. Forces and the other parts of r
// are subtracted apart, so that large ones that stay do not cost digits of small ones that change.
// A row of the constraints must have entries for all directions in which it changes, also where
// its J is 0 by chance, as differences cannot tell columns of one group apart.
// Curtis, Powell & Reid, J. Inst. Maths Applics 13 (1974) 117.
#include <string.h>

#include "problem/stencil.h"
#include "problem/work.h"

typedef enum Moved { OF_RATES, OF_STATES, OF_POSITIONS } Moved;

// directions on a manifold have no size of their own
static double length_step(const CdiProblem *p, const CdPoint *at, int j, double relative) {
    return relative * (p->vector_space ? fmax(fabs(at->q[j]), LENGTH_TYPICAL) : LENGTH_TYPICAL);
}

// ---- forward differences of r

static double *unknown(const CdiProblem *p, const CdPoint *at, Moved which, int j) {
    if (which == OF_RATES) return j < p->nv ? at->vdot + j : at->ydot + (j - p->nv);
    if (j < p->nv) return at->v + j;
    return j < p->nv + p->ny ? at->y + (j - p->nv) : at->x + (j - p->nv - p->ny);
}

// how far column j is moved, as it is after rounding
static double step_of(const CdiProblem *p, const CdPoint *at, Moved which, int j) {
    if (which == OF_POSITIONS) return length_step(p, at, j, FORWARD_STEP);
    const double x = *unknown(p, at, which, j);
    const double typical = which == OF_STATES && j < p->nv ? SPEED_TYPICAL : STATE_TYPICAL;
    const double there = x + FORWARD_STEP * fmax(fabs(x), typical);
    return there - x;
}

static void move(CdiProblem *p, const CdPoint *at, Moved which, int n, const int *columns) {
    CdiWork *w = p->work;
    for (int c = 0; c < n; c++) {
        const int j = columns[c];
        const double h = step_of(p, at, which, j);
        if (which == OF_POSITIONS) {
            w->d_outer[j] = h;
        } else {
            *unknown(p, &w->moved, which, j) = *unknown(p, at, which, j) + h;
        }
    }
    if (which == OF_POSITIONS) cdi_retract(p, at->q, w->d_outer, w->moved.q);
}

static void move_back(CdiProblem *p, const CdPoint *at, Moved which, int n, const int *columns) {
    CdiWork *w = p->work;
    for (int c = 0; c < n; c++) {
        const int j = columns[c];
        if (which == OF_POSITIONS) {
            w->d_outer[j] = 0;
        } else {
            *unknown(p, &w->moved, which, j) = *unknown(p, at, which, j);
        }
    }
    if (which == OF_POSITIONS) memcpy(w->moved.q, at->q, (size_t)p->nq * sizeof *at->q);
}

// parts of r beside the forces that change with q
static int changing_rest(const CdiProblem *p, Moved which) {
    if (which != OF_POSITIONS) return 0;
    const bool mass = p->user.mass && !p->user.mass_constant;
    return (mass ? CDI_INERTIA : 0) | (p->nc > 0 ? CDI_REACTIONS : 0);
}

static CdStatus evaluate(CdiProblem *p, const CdPoint *at, int rest, double *f, double *r) {
    p->counts.difference_evaluations++;
    CD_TRY(cdi_residual_parts(p, at, CDI_FORCES, f));
    return rest ? cdi_residual_parts(p, at, rest, r) : CD_OK;
}

static void fill_columns(const CdiProblem *p, const CdPoint *at, Moved which, int n,
                         const int *columns, bool rest, double *A) {
    const CdiWork *w = p->work;
    const CdPattern *a = p->pattern;
    for (int c = 0; c < n; c++) {
        const int j = columns[c];
        const double h = step_of(p, at, which, j);
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            const int i = a->row[k];
            double change = w->f1[i] - w->f0[i];
            if (rest) change += w->rest1[i] - w->rest0[i];
            A[k] = change / h;
        }
    }
}

// columns of a group that `which` has: those of K belong to v, those of the rates to v and y
static int count_columns(const CdiProblem *p, Moved which, int group, const int **columns) {
    const CdiColouring *g = &p->work->colours;
    const int end = which == OF_POSITIONS ? p->nv : which == OF_RATES ? p->nv + p->ny : p->nd;
    int n = 0;
    *columns = g->column + g->start[group];
    while (n < g->start[group + 1] - g->start[group] && (*columns)[n] < end) n++;
    return n;
}

// the base f0 is at hand
static CdStatus difference(CdiProblem *p, const CdPoint *at, Moved which, double *A) {
    CdiWork *w = p->work;
    const int rest = changing_rest(p, which);
    memset(A, 0, (size_t)p->pattern->nnz * sizeof *A);
    if (rest) CD_TRY(cdi_residual_parts(p, at, rest, w->rest0));
    for (int group = 0; group < w->colours.n; group++) {
        const int *columns;
        const int n = count_columns(p, which, group, &columns);
        if (n == 0) continue;
        move(p, at, which, n, columns);
        const CdStatus status = evaluate(p, &w->moved, rest, w->f1, w->rest1);
        move_back(p, at, which, n, columns);
        CD_TRY(status);
        fill_columns(p, at, which, n, columns, rest != 0, A);
    }
    return CD_OK;
}

static CdStatus by_differences(CdiProblem *p, const CdPoint *at, double *M, double *C, double *K) {
    if (K && p->nv == 0) {
        memset(K, 0, (size_t)p->pattern->nnz * sizeof *K);
        K = NULL;
    }
    if (!M && !C && !K) return CD_OK;
    cdi_point_copy(p, &p->work->moved, at);
    CD_TRY(evaluate(p, at, 0, p->work->f0, NULL));
    if (M) CD_TRY(difference(p, at, OF_RATES, M));
    if (C) CD_TRY(difference(p, at, OF_STATES, C));
    return K ? difference(p, at, OF_POSITIONS, K) : CD_OK;
}

// ---- the user's

static double *place(CdiProblem *p, double *wanted, int number) {
    const CdiWork *w = p->work;
    const int nnz = w->given ? w->given->nnz : p->pattern->nnz;
    if (!wanted) return NULL;
    double *values = w->given ? w->given_values + (size_t)number * (size_t)nnz : wanted;
    memset(values, 0, (size_t)nnz * sizeof *values);
    return values;
}

static void spread(CdiProblem *p, const double *values, double *wanted) {
    const CdiWork *w = p->work;
    if (!wanted || values == wanted) return;
    memset(wanted, 0, (size_t)p->pattern->nnz * sizeof *wanted);
    for (int k = 0; k < w->given->nnz; k++) wanted[w->given_slot[k]] = values[k];
}

static CdStatus by_user(CdiProblem *p, const CdPoint *at, double *M, double *C, double *K) {
    if (!M && !C && !K) return CD_OK;
    double *m = place(p, M, 0), *c = place(p, C, 1), *k = place(p, K, 2);
    CD_TRY(cdi_returned(p, "derivatives", p->user.derivatives(p->user.data, at, m, c, k)));
    spread(p, m, M);
    spread(p, c, C);
    spread(p, k, K);
    return CD_OK;
}

static CdStatus exact_mass(CdiProblem *p, const CdPoint *at, double *M) {
    const CdiWork *w = p->work;
    const double *B = p->user.leading;
    memset(M, 0, (size_t)p->pattern->nnz * sizeof *M);
    CD_TRY(cdi_mass_values(p, at));
    const int nm = w->mass_pattern ? w->mass_pattern->nnz : p->nv;
    for (int k = 0; k < nm; k++) M[w->mass_slot[k]] = w->mass_pattern ? w->mass[k] : 1;
    const int nb = w->leading_pattern ? w->leading_pattern->nnz : p->ny;
    for (int k = 0; k < nb; k++) M[w->leading_slot[k]] = B ? B[k] : 1;
    return CD_OK;
}

bool cdi_by_user(const CdiProblem *p) {
    return p->user.derivatives && !p->setup.differences;
}

CdStatus cdi_derivatives(CdiProblem *p, const CdPoint *at, double *M, double *C, double *K) {
    CD_TRY(cdi_patterns_derivatives(p));
    if (M && p->kind != CD_KIND_IMPLICIT) {
        CD_TRY(exact_mass(p, at, M));
        M = NULL;
    }
    return (cdi_by_user(p) ? by_user : by_differences)(p, at, M, C, K);
}

// ---- constraints

static CdStatus jacobian_columns(CdiProblem *p, const CdPoint *at, int n, const int *columns,
                                 double *J) {
    CdiWork *w = p->work;
    const CdPattern *a = p->jpattern;
    CdPoint moved = *at;
    moved.q = w->q_inner;
    memset(w->d_inner, 0, (size_t)p->nv * sizeof *w->d_inner);
    for (int k = 0; k < STENCIL; k++) {
        for (int c = 0; c < n; c++) {
            const int j = columns[c];
            w->d_inner[j] = stencil_at[k] * length_step(p, at, j, FOURTH_STEP);
        }
        cdi_retract(p, at->q, w->d_inner, moved.q);
        CD_TRY(cdi_constraint(p, &moved, w->g_inner[k]));
    }
    for (int c = 0; c < n; c++) {
        const int j = columns[c];
        const double h = length_step(p, at, j, FOURTH_STEP);
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            J[k] = stencil_rate(w->g_inner, a->row[k], h);
        }
    }
    return CD_OK;
}

CdStatus cdi_jacobian(CdiProblem *p, const CdPoint *at, double *J) {
    if (p->nc == 0) return CD_OK;
    if (p->user.constraint_jacobian) {
        return cdi_returned(p, "constraint_jacobian",
                            p->user.constraint_jacobian(p->user.data, at, J));
    }
    const CdiColouring *g = &p->work->jcolours;
    for (int group = 0; group < g->n; group++) {
        CD_TRY(jacobian_columns(p, at, g->start[group + 1] - g->start[group],
                                g->column + g->start[group], J));
    }
    return CD_OK;
}

// ---- constraint levels, by central differences

static void level_move(CdiProblem *p, const CdPoint *at, bool of_v, double sign, int n,
                       const int *columns) {
    CdiWork *w = p->work;
    for (int c = 0; c < n; c++) {
        const int j = columns[c];
        if (of_v) {
            w->moved.v[j] = at->v[j] + sign * CENTRAL_STEP * fmax(fabs(at->v[j]), 1);
        } else {
            w->d_outer[j] = sign * length_step(p, at, j, CENTRAL_STEP);
        }
    }
    if (!of_v) cdi_retract(p, at->q, w->d_outer, w->moved.q);
}

static double level_step(const CdiProblem *p, const CdPoint *at, bool of_v, int j) {
    return of_v ? CENTRAL_STEP * fmax(fabs(at->v[j]), 1) : length_step(p, at, j, CENTRAL_STEP);
}

static CdStatus level_value(CdiProblem *p, bool of_v, CdConstraintLevel level, double *c) {
    const CdPoint *at = &p->work->moved;
    if (of_v) return cdi_gamma(p, at, c);
    return level == CD_ACCELERATION ? cdi_acceleration_residual(p, at, c)
                                    : cdi_velocity_residual(p, at, c);
}

static CdStatus level_columns(CdiProblem *p, const CdPoint *at, CdConstraintLevel level, bool of_v,
                              int group, double *A) {
    CdiWork *w = p->work;
    const CdiColouring *g = &w->jcolours;
    const CdPattern *a = p->jpattern;
    const int n = g->start[group + 1] - g->start[group], *columns = g->column + g->start[group];
    for (int side = 0; side < 2; side++) {
        level_move(p, at, of_v, side ? 1 : -1, n, columns);
        const CdStatus status = level_value(p, of_v, level, w->c_outer[side]);
        if (status == CD_OK && side == 0) continue;
        level_move(p, at, of_v, 0, n, columns);
        CD_TRY(status);
    }
    for (int c = 0; c < n; c++) {
        const int j = columns[c];
        const double h = level_step(p, at, of_v, j);
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            const int i = a->row[k];
            // at position level the rows of g have nothing but J
            if (level == CD_POSITION && i < p->ng) continue;
            A[k] = (w->c_outer[1][i] - w->c_outer[0][i]) / (2 * h);
        }
    }
    return CD_OK;
}

CdStatus cdi_level_derivatives(CdiProblem *p, const CdPoint *at, CdConstraintLevel level,
                               double *Cv, double *Cq) {
    const size_t bytes = (size_t)p->jpattern->nnz * sizeof(double);
    if (Cv) memset(Cv, 0, bytes);
    if (Cq) memset(Cq, 0, bytes);
    if (p->nc == 0 || (level == CD_POSITION && p->nn == 0)) return CD_OK;
    if (level == CD_VELOCITY && p->user.velocity_slopes && !p->setup.differences) {
        if (!Cq) return CD_OK;
        return cdi_returned(p, "velocity_slopes", p->user.velocity_slopes(p->user.data, at, Cq));
    }
    CD_TRY(cdi_colour_constraints(p));
    cdi_point_copy(p, &p->work->moved, at);
    for (int group = 0; group < p->work->jcolours.n; group++) {
        if (Cv && level == CD_ACCELERATION) CD_TRY(level_columns(p, at, level, true, group, Cv));
        if (Cq) CD_TRY(level_columns(p, at, level, false, group, Cq));
    }
    return CD_OK;
}
