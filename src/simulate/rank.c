// rank.c - rank of the constraints of a mechanism, island by island and whatever its units are
//
//   (R J C)^T P = Q (R11 R12)      |r_kk| > tol |r_00|
//
// R and C make all rows and columns of R J C about equally long (Sinkhorn), so that millimetres and
// kilometres give the same matrix. Dependencies are y = R P (-R11^-1 R12; I), motions that the
// constraints allow C Q (0; z). Small islands get a dense QR, large ones that of linalg/rank.h.
// Golub & Van Loan, Matrix Computations, 4th ed., sec. 5.4.2; Sinkhorn & Knopp, Pac. J. Math. 21
// (1967) 343.
#include <math.h>
#include <string.h>

#include "base/sets.h"
#include "linalg/rank.h"
#include "math/dense.h"
#include "simulate/check.h"

#define SCALINGS 20
// part of the largest entry of a constraint below which another is rounding; evened out with the
// rest, a velocity that no constraint sees would look like one that some do
#define ROUNDING 1e-13
// entries of J up to which a dense QR is quick
#define SMALL 40000

// ---- islands

// bodies first, then rows; the ground has no velocities and joins nothing
static void join(const CdSystem *s, int *parent) {
    const CdPattern *a = s->jpattern;
    cdi_sets_begin(s->nbodies + s->ng, parent);
    for (int b = 0; b < s->nbodies; b++) {
        const CdSystemBody *body = &s->bodies[b];
        for (int k = a->ptr[body->v0]; k < a->ptr[body->v0 + body->law->nv]; k++) {
            cdi_sets_join(parent, b, s->nbodies + a->row[k]);
        }
    }
}

static bool may_move(const CdSystem *s, int i) {
    return i >= s->nbodies || s->bodies[i].law->nv > 0;
}

// number: of the island of bodies, then rows; -1: none. Roots come before all others of theirs
static int number_islands(const CdSystem *s, int *parent, int *number) {
    int n = 0;
    for (int i = 0; i < s->nbodies + s->ng; i++) {
        const int root = cdi_sets_root(parent, i);
        number[i] = root < i ? number[root] : may_move(s, i) ? n++ : -1;
    }
    return n;
}

static void count_members(const CdSystem *s, const int *number, CdIsland *islands) {
    for (int b = 0; b < s->nbodies; b++) {
        if (number[b] < 0) continue;
        islands[number[b]].nbodies++;
        islands[number[b]].nv += s->bodies[b].law->nv;
    }
    for (int i = 0; i < s->ng; i++) islands[number[s->nbodies + i]].nrows++;
}

static CdStatus take_members(CdArena *arena, CdIsland *is) {
    is->bodies = CD_TAKE(arena, int, (size_t)is->nbodies);
    is->v = CD_TAKE(arena, int, (size_t)is->nv);
    is->rows = CD_TAKE(arena, int, (size_t)is->nrows);
    is->nbodies = is->nv = is->nrows = 0;
    return is->bodies && is->v && is->rows ? CD_OK : CD_NOMEM;
}

static void list_members(const CdSystem *s, const int *number, CdIsland *islands) {
    for (int b = 0; b < s->nbodies; b++) {
        if (number[b] < 0) continue;
        CdIsland *is = &islands[number[b]];
        is->bodies[is->nbodies++] = b;
        for (int j = 0; j < s->bodies[b].law->nv; j++) is->v[is->nv++] = s->bodies[b].v0 + j;
    }
    for (int i = 0; i < s->ng; i++) {
        CdIsland *is = &islands[number[s->nbodies + i]];
        is->rows[is->nrows++] = i;
    }
}

static CdStatus find_islands(CdArena *arena, const CdSystem *s, CdRank *out) {
    const size_t n = (size_t)s->nbodies + (size_t)s->ng;
    int *parent = CD_TAKE(arena, int, n), *number = CD_TAKE(arena, int, n);
    if (!parent || !number) return CD_NOMEM;
    join(s, parent);
    out->nislands = number_islands(s, parent, number);
    out->islands = CD_TAKE(arena, CdIsland, (size_t)out->nislands);
    if (!out->islands) return CD_NOMEM;
    count_members(s, number, out->islands);
    for (int k = 0; k < out->nislands; k++) CD_TRY(take_members(arena, &out->islands[k]));
    list_members(s, number, out->islands);
    return CD_OK;
}

// ---- scaling

// J of an island, its rows and columns about as long as 1
typedef struct Scaled {
    int m, n;       // velocities, constraints
    int *ptr, *row; // by velocities
    double *a;      // numbers
    double *r, *c;  // scales of constraints and of velocities
    double *sum;    // n
} Scaled;

static double scale_of(double sum) {
    return sum > 0 ? 1 / sqrt(sum) : 1;
}

static void even_velocities(const Scaled *s) {
    for (int j = 0; j < s->m; j++) {
        double sum = 0;
        for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) sum += s->a[k] * s->a[k];
        const double f = scale_of(sum);
        s->c[j] *= f;
        for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) s->a[k] *= f;
    }
}

static void even_constraints(const Scaled *s) {
    for (int i = 0; i < s->n; i++) s->sum[i] = 0;
    for (int k = 0; k < s->ptr[s->m]; k++) s->sum[s->row[k]] += s->a[k] * s->a[k];
    for (int i = 0; i < s->n; i++) {
        s->sum[i] = scale_of(s->sum[i]);
        s->r[i] *= s->sum[i];
    }
    for (int k = 0; k < s->ptr[s->m]; k++) s->a[k] *= s->sum[s->row[k]];
}

// the same again and again, with squares of numbers and scales, which leave the numbers alone: c
// = 1 / A r, then r = 1 / A^T c
static void even_squares(const Scaled *s, double *squares, double *r, double *c) {
    for (int k = 0; k < s->ptr[s->m]; k++) squares[k] = s->a[k] * s->a[k];
    for (int i = 0; i < s->n; i++) r[i] = 1;
    for (int round = 1; round < SCALINGS; round++) {
        for (int i = 0; i < s->n; i++) s->sum[i] = 0;
        for (int j = 0; j < s->m; j++) {
            double sum = 0;
            for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) sum += squares[k] * r[s->row[k]];
            c[j] = sum > 0 ? 1 / sum : 1;
            for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) s->sum[s->row[k]] += squares[k] * c[j];
        }
        for (int i = 0; i < s->n; i++) r[i] = s->sum[i] > 0 ? 1 / s->sum[i] : 1;
    }
}

static CdStatus even_more(CdArena *arena, const Scaled *s) {
    double *squares = CD_TAKE(arena, double, (size_t)s->ptr[s->m]);
    double *r = CD_TAKE(arena, double, (size_t)s->n), *c = CD_TAKE(arena, double, (size_t)s->m);
    if (!squares || !r || !c) return CD_NOMEM;
    even_squares(s, squares, r, c);
    for (int i = 0; i < s->n; i++) s->r[i] *= r[i] = sqrt(r[i]);
    for (int j = 0; j < s->m; j++) {
        s->c[j] *= c[j] = sqrt(c[j]);
        for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) s->a[k] *= c[j] * r[s->row[k]];
    }
    return CD_OK;
}

static void drop_rounding(const Scaled *s) {
    for (int i = 0; i < s->n; i++) s->sum[i] = 0;
    for (int k = 0; k < s->ptr[s->m]; k++)
        s->sum[s->row[k]] = fmax(s->sum[s->row[k]], fabs(s->a[k]));
    for (int k = 0; k < s->ptr[s->m]; k++) {
        if (!(fabs(s->a[k]) > ROUNDING * s->sum[s->row[k]])) s->a[k] = 0;
    }
}

// place: of rows of the system among those of their island
static CdStatus take_scaled(CdArena *arena, const CdSystem *sys, const double *J,
                            const CdIsland *is, const int *place, Scaled *s) {
    const CdPattern *p = sys->jpattern;
    int nnz = 0;
    *s = (Scaled){.m = is->nv, .n = is->nrows};
    for (int j = 0; j < s->m; j++) nnz += p->ptr[is->v[j] + 1] - p->ptr[is->v[j]];
    s->ptr = CD_TAKE(arena, int, (size_t)s->m + 1);
    s->row = CD_TAKE(arena, int, (size_t)nnz);
    s->a = CD_TAKE(arena, double, (size_t)nnz);
    s->r = CD_TAKE(arena, double, (size_t)s->n);
    s->c = CD_TAKE(arena, double, (size_t)s->m);
    s->sum = CD_TAKE(arena, double, (size_t)s->n);
    if (!s->ptr || !s->row || !s->a || !s->r || !s->c || !s->sum) return CD_NOMEM;
    nnz = 0;
    for (int j = 0; j < s->m; j++) {
        for (int k = p->ptr[is->v[j]]; k < p->ptr[is->v[j] + 1]; k++, nnz++) {
            s->row[nnz] = place[p->row[k]];
            s->a[nnz] = J[k];
        }
        s->ptr[j + 1] = nnz;
    }
    drop_rounding(s);
    for (int i = 0; i < s->n; i++) s->r[i] = 1;
    for (int j = 0; j < s->m; j++) s->c[j] = 1;
    even_velocities(s);
    even_constraints(s);
    return even_more(arena, s);
}

// ---- rank of a small island

typedef struct Factors {
    int m, n;
    double *a; // J^T, m x n by columns
    int *jpvt;
    double *tau, *work;
} Factors;

static double pivot(const Factors *f, int k) {
    return k < f->m && k < f->n ? fabs(f->a[k * f->m + k]) : 0;
}

static void count(const Factors *f, double tol, CdIsland *is) {
    const double first = pivot(f, 0);
    while (is->rank < f->m && is->rank < f->n && pivot(f, is->rank) > tol * first) is->rank++;
    if (is->rank > 0) is->weakest = pivot(f, is->rank - 1) / first;
    if (first > 0) is->strongest_left_out = pivot(f, is->rank) / first;
}

static void normalise(int n, double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
    for (int i = 0; max > 0 && i < n; i++) x[i] /= max;
}

// y = P (-R11^-1 R12; I), of scaled rows
static void find_null(const Factors *f, const CdIsland *is) {
    for (int k = is->rank; k < f->n; k++) {
        double *y = is->null + (size_t)(k - is->rank) * (size_t)f->n;
        y[f->jpvt[k] - 1] = 1;
        is->left_out[k - is->rank] = is->rows[f->jpvt[k] - 1];
        for (int i = is->rank - 1; i >= 0; i--) {
            double sum = -f->a[k * f->m + i];
            for (int j = i + 1; j < is->rank; j++) sum -= f->a[j * f->m + i] * y[f->jpvt[j] - 1];
            y[f->jpvt[i] - 1] = sum / f->a[i * f->m + i];
        }
        normalise(f->n, y);
    }
}

// C Q (0; z) for a z that prefers nothing
static void find_free(const Factors *f, const double *c, const CdIsland *is) {
    for (int k = is->rank; k < f->m; k++) is->free[k] = 1 + 0.1 * (k - is->rank);
    cdi_qr_apply(f->m, f->n, f->a, f->m, f->tau, false, is->free);
    normalise(f->m, is->free);
    for (int j = 0; j < f->m; j++) is->free[j] *= c[j];
}

static CdStatus factorise(CdArena *scratch, const Scaled *s, Factors *f) {
    int rank;
    *f = (Factors){.m = s->m, .n = s->n};
    f->a = CD_TAKE(scratch, double, (size_t)s->m *(size_t)s->n);
    f->jpvt = CD_TAKE(scratch, int, (size_t)s->n);
    f->tau = CD_TAKE(scratch, double, (size_t)(s->m < s->n ? s->m : s->n));
    f->work = CD_TAKE(scratch, double, cdi_qr_work(s->m, s->n));
    if (!f->a || !f->jpvt || !f->tau || !f->work) return CD_NOMEM;
    for (int j = 0; j < s->m; j++) {
        for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) f->a[s->row[k] * s->m + j] = s->a[k];
    }
    return cdi_qr_factor(s->m, s->n, f->a, s->m > 0 ? s->m : 1, f->jpvt, f->tau, f->work, &rank);
}

static CdStatus rank_small(CdArena *arena, CdArena *scratch, const Scaled *s, double tol,
                           CdIsland *is) {
    Factors f;
    CD_TRY(factorise(scratch, s, &f));
    count(&f, tol, is);
    if (is->rank < f.n) {
        is->nnull = f.n - is->rank;
        is->null = CD_TAKE(arena, double, (size_t)f.n *(size_t)is->nnull);
        is->left_out = CD_TAKE(arena, int, (size_t)is->nnull);
        if (!is->null || !is->left_out) return CD_NOMEM;
        find_null(&f, is);
    }
    if (is->rank < f.m) {
        is->free = CD_TAKE(arena, double, (size_t)f.m);
        if (!is->free) return CD_NOMEM;
        find_free(&f, s->c, is);
    }
    return CD_OK;
}

// ---- rank of a large island

// joints, and bodies
static CdStatus group(CdArena *scratch, const CdSystem *sys, const CdIsland *is, const int *joint,
                      CdRows *rows) {
    int *r = CD_TAKE(scratch, int, (size_t)is->nrows), *c = CD_TAKE(scratch, int, (size_t)is->nv);
    if (!r || !c) return CD_NOMEM;
    for (int i = 0; i < is->nrows; i++) r[i] = joint[is->rows[i]];
    for (int b = 0, n = 0; b < is->nbodies; b++) {
        for (int j = 0; j < sys->bodies[is->bodies[b]].law->nv; j++) c[n++] = b;
    }
    rows->row_group = r;
    rows->col_group = c;
    return CD_OK;
}

static CdStatus rank_large(CdArena *arena, CdArena *scratch, const CdSystem *sys, const Scaled *s,
                           const int *joint, double tol, CdIsland *is) {
    CdRows rows = {
        .pattern = {.rows = s->n, .cols = s->m, .nnz = s->ptr[s->m], .ptr = s->ptr, .row = s->row},
        .values = s->a};
    CdDependent found;
    CD_TRY(group(scratch, sys, is, joint, &rows));
    CD_TRY(cdi_dependent_rows(arena, &rows, tol, &found));
    is->rank = found.rank;
    is->weakest = found.weakest;
    is->strongest_left_out = found.strongest_left_out;
    is->nnull = found.nnull;
    is->null = found.null;
    is->left_out = found.row;
    is->free = found.free;
    for (int i = 0; i < found.n; i++) is->left_out[i] = is->rows[found.row[i]];
    for (int j = 0; is->free && j < s->m; j++) is->free[j] *= s->c[j];
    return CD_OK;
}

// ---- all of them

// of every row: its place in its island, and the first row of its joint
typedef struct Places {
    int *place, *joint;
} Places;

static CdStatus find_places(CdArena *arena, const CdSystem *s, const CdRank *rank, Places *p) {
    p->place = CD_TAKE(arena, int, (size_t)s->ng);
    p->joint = CD_TAKE(arena, int, (size_t)s->ng);
    if (!p->place || !p->joint) return CD_NOMEM;
    for (int i = 0; i < s->ng; i++) p->joint[i] = i;
    for (int k = 0; k < s->njoints; k++) {
        const CdSystemLink *l = &s->joints[k];
        for (int i = 0; i < l->nc; i++) p->joint[l->row0 + i] = l->row0;
    }
    for (int k = 0; k < rank->nislands; k++) {
        const CdIsland *is = &rank->islands[k];
        for (int i = 0; i < is->nrows; i++) p->place[is->rows[i]] = i;
    }
    return CD_OK;
}

static CdStatus rank_island(CdArena *arena, CdArena *scratch, const CdSystem *sys, const double *J,
                            double tol, const Places *p, CdIsland *is) {
    Scaled s;
    CD_TRY(take_scaled(scratch, sys, J, is, p->place, &s));
    is->scale = CD_TAKE(arena, double, (size_t)s.n);
    if (!is->scale) return CD_NOMEM;
    for (int i = 0; i < s.n; i++) is->scale[i] = s.r[i];
    if ((int64_t)s.m * s.n <= SMALL) return rank_small(arena, scratch, &s, tol, is);
    return rank_large(arena, scratch, sys, &s, p->joint, tol, is);
}

static CdStatus rank_islands(CdArena *arena, const CdSystem *s, const double *J, double tol,
                             const CdRank *of, const Places *p, CdRank *out) {
    for (int k = 0; k < out->nislands; k++) {
        CdIsland *is = &out->islands[k];
        CdArena scratch;
        CdStatus status = CD_OK;
        cdi_arena_init(&scratch, s->ctx, 0);
        if (of && of->islands[k].rank == is->nrows) {
            is->rank = is->nrows;
        } else {
            status = rank_island(arena, &scratch, s, J, tol, p, is);
        }
        cdi_arena_clear(&scratch);
        CD_TRY(status);
        out->rank += is->rank;
    }
    return CD_OK;
}

CdStatus cdi_rank_again(CdArena *arena, const CdSystem *system, const double *J, double tol,
                        const CdRank *of, CdRank *out) {
    CdArena scratch;
    Places places;
    *out = (CdRank){0};
    CD_TRY(find_islands(arena, system, out));
    cdi_arena_init(&scratch, system->ctx, 0);
    CdStatus status = find_places(&scratch, system, out, &places);
    if (status == CD_OK) status = rank_islands(arena, system, J, tol, of, &places, out);
    cdi_arena_clear(&scratch);
    return status;
}

CdStatus cdi_rank(CdArena *arena, const CdSystem *system, const double *J, double tol,
                  CdRank *out) {
    return cdi_rank_again(arena, system, J, tol, NULL, out);
}
