// rank.c - rank of the constraints of a mechanism, island by island and whatever its units are
//
//   (R J C)^T P = Q (R11 R12)      |r_kk| > tol |r_00|
//
// R and C make all rows and columns of R J C about equally long (Sinkhorn), so that millimetres and
// kilometres give the same matrix. Dependencies are y = R P (-R11^-1 R12; I), motions that the
// constraints allow C Q (0; z). Golub & Van Loan, Matrix Computations, 4th ed., sec. 5.4.2;
// Sinkhorn & Knopp, Pac. J. Math. 21 (1967) 343.
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "simulate/check.h"

#define SCALINGS 20
// part of the largest entry of a constraint below which another is rounding; evened out with the
// rest, a velocity that no constraint sees would look like one that some do
#define ROUNDING 1e-13
// entries of J above which an island without loops is believed to have full rank, and any island
#define LARGE 1000000
#define TOO_LARGE 40000000

// ---- islands

static int root_of(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// bodies first, then rows; the ground has no velocities and joins nothing
static void join(const CdSystem *s, int *parent) {
    const CdPattern *a = s->jpattern;
    for (int i = 0; i < s->nbodies + s->ng; i++) parent[i] = i;
    for (int b = 0; b < s->nbodies; b++) {
        const CdSystemBody *body = &s->bodies[b];
        for (int k = a->ptr[body->v0]; k < a->ptr[body->v0 + body->law->nv]; k++) {
            const int x = root_of(parent, b), y = root_of(parent, s->nbodies + a->row[k]);
            parent[x < y ? y : x] = x < y ? x : y;
        }
    }
}

static CdStatus take_island(CdArena *arena, const CdSystem *s, int *parent, int root,
                            CdIsland *is) {
    for (int b = 0; b < s->nbodies; b++) {
        if (root_of(parent, b) != root) continue;
        is->nbodies++;
        is->nv += s->bodies[b].law->nv;
    }
    for (int i = 0; i < s->ng; i++) is->nrows += root_of(parent, s->nbodies + i) == root;
    is->bodies = CD_TAKE(arena, int, (size_t)is->nbodies);
    is->v = CD_TAKE(arena, int, (size_t)is->nv);
    is->rows = CD_TAKE(arena, int, (size_t)is->nrows);
    if (!is->bodies || !is->v || !is->rows) return CD_NOMEM;
    int nb = 0, nv = 0, nr = 0;
    for (int b = 0; b < s->nbodies; b++) {
        if (root_of(parent, b) != root) continue;
        is->bodies[nb++] = b;
        for (int j = 0; j < s->bodies[b].law->nv; j++) is->v[nv++] = s->bodies[b].v0 + j;
    }
    for (int i = 0; i < s->ng; i++) {
        if (root_of(parent, s->nbodies + i) == root) is->rows[nr++] = i;
    }
    return CD_OK;
}

static bool begins_island(const CdSystem *s, const int *parent, int i) {
    return parent[i] == i && (i >= s->nbodies || s->bodies[i].law->nv > 0);
}

static CdStatus find_islands(CdArena *arena, const CdSystem *s, CdRank *out) {
    const int n = s->nbodies + s->ng;
    int *parent = CD_TAKE(arena, int, (size_t)n);
    if (!parent) return CD_NOMEM;
    join(s, parent);
    for (int i = 0; i < n; i++) out->nislands += begins_island(s, parent, i);
    out->islands = CD_TAKE(arena, CdIsland, (size_t)out->nislands);
    if (!out->islands) return CD_NOMEM;
    for (int i = 0, k = 0; i < n; i++) {
        if (!begins_island(s, parent, i)) continue;
        CD_TRY(take_island(arena, s, parent, i, &out->islands[k++]));
    }
    return CD_OK;
}

// ---- scaling

typedef struct Scaled {
    int m, n;      // velocities, constraints
    double *a;     // J^T, m x n by columns
    double *r, *c; // scales of constraints and of velocities
} Scaled;

// lengths of lines to 1: rows or columns of a
static void even_out(const Scaled *s, bool constraints) {
    const int lines = constraints ? s->n : s->m, length = constraints ? s->m : s->n;
    double *scale = constraints ? s->r : s->c;
    for (int i = 0; i < lines; i++) {
        double sum = 0;
        for (int k = 0; k < length; k++) {
            const double x = constraints ? s->a[i * s->m + k] : s->a[k * s->m + i];
            sum += x * x;
        }
        if (!(sum > 0)) continue;
        const double f = 1 / sqrt(sum);
        scale[i] *= f;
        for (int k = 0; k < length; k++) s->a[constraints ? i * s->m + k : k * s->m + i] *= f;
    }
}

static void drop_rounding(const Scaled *s) {
    for (int i = 0; i < s->n; i++) {
        double *row = s->a + (size_t)i * (size_t)s->m, max = 0;
        for (int k = 0; k < s->m; k++) max = fmax(max, fabs(row[k]));
        for (int k = 0; k < s->m; k++) row[k] = fabs(row[k]) > ROUNDING * max ? row[k] : 0;
    }
}

static CdStatus take_scaled(CdArena *arena, const CdSystem *sys, const double *J,
                            const CdIsland *is, Scaled *s) {
    const CdPattern *p = sys->jpattern;
    *s = (Scaled){.m = is->nv, .n = is->nrows};
    s->a = CD_TAKE(arena, double, (size_t)s->m *(size_t)s->n);
    s->r = CD_TAKE(arena, double, (size_t)s->n);
    s->c = CD_TAKE(arena, double, (size_t)s->m);
    int *place = CD_TAKE(arena, int, (size_t)sys->ng);
    if (!s->a || !s->r || !s->c || !place) return CD_NOMEM;
    for (int i = 0; i < s->n; i++) place[is->rows[i]] = i;
    for (int j = 0; j < s->m; j++) {
        for (int k = p->ptr[is->v[j]]; k < p->ptr[is->v[j] + 1]; k++) {
            s->a[place[p->row[k]] * s->m + j] = J[k];
        }
    }
    drop_rounding(s);
    for (int i = 0; i < s->n; i++) s->r[i] = 1;
    for (int j = 0; j < s->m; j++) s->c[j] = 1;
    for (int k = 0; k < SCALINGS; k++) {
        even_out(s, false);
        even_out(s, true);
    }
    return CD_OK;
}

// ---- rank

typedef struct Factors {
    int *jpvt;
    double *tau, *work;
} Factors;

static double pivot(const Scaled *s, int k) {
    return k < s->m && k < s->n ? fabs(s->a[k * s->m + k]) : 0;
}

static void count(const Scaled *s, double tol, CdIsland *is) {
    const double first = pivot(s, 0);
    while (is->rank < s->m && is->rank < s->n && pivot(s, is->rank) > tol * first) is->rank++;
    if (is->rank > 0) is->weakest = pivot(s, is->rank - 1) / first;
    if (first > 0) is->strongest_left_out = pivot(s, is->rank) / first;
}

static void normalise(int n, double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
    for (int i = 0; max > 0 && i < n; i++) x[i] /= max;
}

// y = P (-R11^-1 R12; I), of scaled rows
static void find_null(const Scaled *s, const Factors *f, const CdIsland *is) {
    for (int k = is->rank; k < s->n; k++) {
        double *y = is->null + (size_t)(k - is->rank) * (size_t)s->n;
        y[f->jpvt[k] - 1] = 1;
        is->left_out[k - is->rank] = is->rows[f->jpvt[k] - 1];
        for (int i = is->rank - 1; i >= 0; i--) {
            double sum = -s->a[k * s->m + i];
            for (int j = i + 1; j < is->rank; j++) sum -= s->a[j * s->m + i] * y[f->jpvt[j] - 1];
            y[f->jpvt[i] - 1] = sum / s->a[i * s->m + i];
        }
        normalise(s->n, y);
    }
}

// C Q (0; z) for a z that prefers nothing
static void find_free(const Scaled *s, const Factors *f, const CdIsland *is) {
    for (int k = is->rank; k < s->m; k++) is->free[k] = 1 + 0.1 * (k - is->rank);
    cdi_qr_apply(s->m, s->n, s->a, s->m, f->tau, false, is->free);
    normalise(s->m, is->free);
    for (int j = 0; j < s->m; j++) is->free[j] *= s->c[j];
}

static CdStatus rank_island(CdArena *arena, CdArena *scratch, const CdSystem *sys, const double *J,
                            double tol, CdIsland *is) {
    Scaled s;
    Factors f;
    int rank;
    CD_TRY(take_scaled(scratch, sys, J, is, &s));
    f.jpvt = CD_TAKE(scratch, int, (size_t)s.n);
    f.tau = CD_TAKE(scratch, double, (size_t)(s.m < s.n ? s.m : s.n));
    f.work = CD_TAKE(scratch, double, cdi_qr_work(s.m, s.n));
    if (!f.jpvt || !f.tau || !f.work) return CD_NOMEM;
    CD_TRY(cdi_qr_factor(s.m, s.n, s.a, s.m > 0 ? s.m : 1, f.jpvt, f.tau, f.work, &rank));
    count(&s, tol, is);
    is->scale = CD_TAKE(arena, double, (size_t)s.n);
    if (!is->scale) return CD_NOMEM;
    for (int i = 0; i < s.n; i++) is->scale[i] = s.r[i];
    if (is->rank < s.n) {
        is->null = CD_TAKE(arena, double, (size_t)s.n *(size_t)(s.n - is->rank));
        is->left_out = CD_TAKE(arena, int, (size_t)(s.n - is->rank));
        if (!is->null || !is->left_out) return CD_NOMEM;
        find_null(&s, &f, is);
    }
    if (is->rank < s.m) {
        is->free = CD_TAKE(arena, double, (size_t)s.m);
        if (!is->free) return CD_NOMEM;
        find_free(&s, &f, is);
    }
    return CD_OK;
}

static bool in_island(const CdIsland *is, int row) {
    int lo = 0, hi = is->nrows;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (is->rows[mid] < row) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < is->nrows && is->rows[lo] == row;
}

// as many joints as hold its bodies without a loop
static bool is_tree(const CdSystem *s, const CdIsland *is) {
    int joints = 0, ground = 0;
    for (int k = 0; k < s->njoints; k++) {
        const CdSystemLink *l = &s->joints[k];
        if (l->nc == 0 || !in_island(is, l->row0)) continue;
        joints++;
        if (l->na == 0 || l->na == l->n) ground = 1;
    }
    for (int k = 0; k < s->ncoordinates; k++) {
        if (s->coordinates[k].row >= 0 && in_island(is, s->coordinates[k].row)) return false;
    }
    return joints == is->nbodies - 1 + ground;
}

// a dense QR of it would take too long, or is not needed
static bool believe(const CdSystem *s, CdIsland *is) {
    const int64_t entries = (int64_t)is->nrows * is->nv;
    if (entries <= LARGE || (entries <= TOO_LARGE && !is_tree(s, is))) return false;
    is->rank = is->nrows;
    return true;
}

CdStatus cdi_rank(CdArena *arena, const CdSystem *system, const double *J, double tol,
                  CdRank *out) {
    *out = (CdRank){0};
    CD_TRY(find_islands(arena, system, out));
    for (int k = 0; k < out->nislands; k++) {
        CdArena scratch;
        if (believe(system, &out->islands[k])) {
            out->rank += out->islands[k].rank;
            continue;
        }
        cdi_arena_init(&scratch, system->ctx, 0);
        const CdStatus status = rank_island(arena, &scratch, system, J, tol, &out->islands[k]);
        cdi_arena_clear(&scratch);
        CD_TRY(status);
        out->rank += out->islands[k].rank;
    }
    return CD_OK;
}
