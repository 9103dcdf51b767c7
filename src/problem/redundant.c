// redundant.c - constraints that depend on each other: which of them act, and the smallest
// multipliers
//
//   J^T P = Q (R11 R12),   J^T y = 0 for y = P (-R11^-1 R12; I)      rows of J scaled to 1
//
// Independent constraints with the full rank hold the others, so the motion is that of the
// problem without the ones left out: they get an identity row in every matrix and keep their
// multipliers. Which ones is chosen anew when the weakest pivot of [I J^T; J 0] has become much
// weaker, at the end of a step, where all constraints hold. That is looked at again when J may have
// changed, at the speed of now, by a part of the weakest pivot, which then none has changed much
// by; after eight times the step of now, as speeds change; and after every event. Small terms on
// the diagonal in place of the choice would need no rank, but off the constraints, where stages and
// iterates are, they see J of a higher rank, and J^T lambda changes by as much as it likes.
//
// Of all lambda with the same J^T lambda the shortest is
//
//   lambda - n,   n = F F ... lambda,   F = e (J J^T + e I)^-1,   e = FILTER max_i (J J^T)_ii
//
// since F is 1 on the null space of J^T and e / sigma^2 elsewhere. F comes from [I J^T; J -e I],
// which is as sparse as J.
// Golub & Van Loan, Matrix Computations, 4th ed., sec. 5.4.2; Garcia de Jalon & Gutierrez-Lopez,
// Multibody Syst. Dyn. 30 (2013) 311.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/sets.h"
#include "linalg/rank.h"
#include "problem/work.h"

// entries of J of a component up to which a dense QR is quick
#define SMALL 40000
// what is left of a constraint beside others that makes it depend on them: from, to
#define LEAST_TOL 1e-8
#define LARGEST_TOL 1e-3
#define FILTER 1e-11
#define FILTERS 4 // in a row
#define PASSES_MAX 4
#define ROUNDING (16 * DBL_EPSILON)
// part of the weakest pivot at the last choice below which there is another
#define WEAKER 0.2
// part of it by which rows of J, scaled to 1, may change until it is looked at again, and for how
// many steps of the size of now that is not asked at all
#define CHANGE 0.2
#define STEPS_MAX 8
#define PROBE 0.01 // of a step, to see how fast J changes
// violation of constraints that the acting ones hold, and how much more it may be than theirs
#define HELD 1e-6
#define WORSE 1000

// constraints that share velocities, and those velocities
typedef struct Component {
    int nrows, ncols;
    int *rows, *cols;
    int surplus; // constraints left out
    bool large;  // too large for a dense QR
} Component;

// over the weakest pivot; plain numbers that are saved as bytes
typedef struct Watch {
    double strongest; // that it was since the last choice; 0: not known
    double due;       // time at which it is looked at again
} Watch;

struct CdiRedundant {
    CdPattern *pattern;    // of [I J^T; J -e I]
    CdiFactor acting, all; // of its values with the constraints that act; with all, and e > 0
    CdLinsolShare share;
    int *slot_i, *slot_j, *slot_jt, *slot_e; // of I, J, J^T, e
    double *jac, *b, *square;
    double *moved_q, *moved_jac; // a little later
    int ncomponents;
    Component *components;
    double *qr, *tau, *work; // of the largest component
    double *null;            // surplus x rows
    int *jpvt, *order;       // order: place of a constraint among those of its component
    double *worth;           // |r_kk| of each constraint
    bool *active;            // nc
    bool chosen, once;       // active is set; was set before
    Watch watch;
};

// ---- components

// parent of rows and, behind them, of velocities
static void join(const CdiProblem *p, int *parent) {
    const CdPattern *a = p->jpattern;
    cdi_sets_begin(p->nc + p->nv, parent);
    for (int j = 0; j < p->nv; j++) {
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            cdi_sets_join(parent, a->row[k], p->nc + j);
        }
    }
}

// number: of the component of rows, then velocities; -1: a velocity that nothing constrains. Roots
// are rows, and come before all others of theirs
static int number_components(const CdiProblem *p, int *parent, int *number) {
    int n = 0;
    for (int i = 0; i < p->nc + p->nv; i++) {
        const int root = cdi_sets_root(parent, i);
        number[i] = root < i ? number[root] : i < p->nc ? n++ : -1;
    }
    return n;
}

static CdStatus list_members(CdiProblem *p, CdiRedundant *s, const int *number) {
    for (int i = 0; i < p->nc; i++) s->components[number[i]].nrows++;
    for (int j = 0; j < p->nv; j++) {
        if (number[p->nc + j] >= 0) s->components[number[p->nc + j]].ncols++;
    }
    for (int k = 0; k < s->ncomponents; k++) {
        Component *c = &s->components[k];
        c->rows = CD_TAKE(&p->arena, int, (size_t)c->nrows);
        c->cols = CD_TAKE(&p->arena, int, (size_t)c->ncols);
        if (!c->rows || !c->cols) return CD_NOMEM;
        c->nrows = c->ncols = 0;
    }
    for (int i = 0; i < p->nc; i++) {
        Component *c = &s->components[number[i]];
        c->rows[c->nrows++] = i;
    }
    for (int j = 0; j < p->nv; j++) {
        if (number[p->nc + j] < 0) continue;
        Component *c = &s->components[number[p->nc + j]];
        c->cols[c->ncols++] = j;
    }
    return CD_OK;
}

// for the dense QR of the largest component that gets one
static CdStatus take_work(CdiProblem *p, CdiRedundant *s) {
    int rows = 0, cols = 0;
    size_t entries = 0;
    for (int k = 0; k < s->ncomponents; k++) {
        Component *c = &s->components[k];
        c->large = (int64_t)c->nrows * c->ncols > SMALL;
        if (c->large) continue;
        const size_t n = (size_t)c->nrows * (size_t)c->ncols;
        rows = c->nrows > rows ? c->nrows : rows;
        cols = c->ncols > cols ? c->ncols : cols;
        entries = n > entries ? n : entries;
    }
    const int surplus = p->user.redundant < rows ? p->user.redundant : rows;
    s->qr = CD_TAKE(&p->arena, double, entries);
    s->tau = CD_TAKE(&p->arena, double, (size_t)rows);
    s->work = CD_TAKE(&p->arena, double, cdi_qr_work(cols > rows ? cols : rows, rows));
    s->null = CD_TAKE(&p->arena, double, (size_t)rows *(size_t)surplus);
    s->jpvt = CD_TAKE(&p->arena, int, (size_t)rows);
    return s->qr && s->tau && s->work && s->null && s->jpvt ? CD_OK : CD_NOMEM;
}

static CdStatus take_components(CdiProblem *p, CdiRedundant *s, int *parent) {
    int *number = parent + p->nc + p->nv;
    join(p, parent);
    s->ncomponents = number_components(p, parent, number);
    s->components = CD_TAKE(&p->arena, Component, (size_t)s->ncomponents);
    if (!s->components) return CD_NOMEM;
    CD_TRY(list_members(p, s, number));
    return take_work(p, s);
}

static CdStatus find_components(CdiProblem *p, CdiRedundant *s) {
    int *parent = cdi_alloc_array(p->ctx, 2 * ((size_t)p->nc + (size_t)p->nv), sizeof *parent);
    if (!parent) return CD_NOMEM;
    const CdStatus status = take_components(p, s, parent);
    cdi_free(p->ctx, parent);
    return status;
}

// ---- life

static CdStatus build_pattern(const CdiProblem *p, CdiRedundant *s) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, p->ctx, p->nv + p->nc, p->nv + p->nc, true);
    cdi_pattern_add_diagonal(&b);
    cdi_pattern_place(&b, p->jpattern, p->nv);
    return cdi_pattern_end(&b, &s->pattern);
}

static CdStatus find_slots(CdiProblem *p, CdiRedundant *s) {
    const int *map = cdi_linsol_map(s->all.linsol);
    s->slot_i = cdi_slots_diagonal(&p->arena, s->pattern, map, 0, p->nv);
    s->slot_e = cdi_slots_diagonal(&p->arena, s->pattern, map, p->nv, p->nc);
    s->slot_j = cdi_slots_take(&p->arena, s->pattern, map, p->jpattern, p->nv, 0, false);
    s->slot_jt = cdi_slots_take(&p->arena, s->pattern, map, p->jpattern, p->nv, 0, true);
    return s->slot_i && s->slot_e && s->slot_j && s->slot_jt ? CD_OK : CD_NOMEM;
}

static CdStatus open_filter(CdiProblem *p, CdiRedundant *s) {
    const size_t nv = (size_t)p->nv, nc = (size_t)p->nc, nnz = (size_t)p->jpattern->nnz;
    const int *group;
    CD_TRY(build_pattern(p, s));
    CD_TRY(cdi_groups(p, &p->arena, p->nv, p->nc, &group));
    CdiFactor *const factors[] = {&s->acting, &s->all};
    for (int k = 0; k < 2; k++) {
        *factors[k] = cdi_factor_of(p, s->pattern, CDI_REAL);
        factors[k]->group = group;
        factors[k]->multipliers = p->nc;
        factors[k]->share = &s->share;
        CD_TRY(cdi_factor_open(factors[k]));
    }
    CD_TRY(find_slots(p, s));
    s->jac = CD_TAKE(&p->arena, double, nnz);
    s->b = CD_TAKE(&p->arena, double, nv + nc);
    s->square = CD_TAKE(&p->arena, double, nc);
    s->moved_q = CD_TAKE(&p->arena, double, (size_t)p->nq);
    s->moved_jac = CD_TAKE(&p->arena, double, nnz);
    return s->jac && s->b && s->square && s->moved_q && s->moved_jac ? CD_OK : CD_NOMEM;
}

CdStatus cdi_redundant_new(CdiProblem *p) {
    if (p->user.redundant == 0) return CD_OK;
    CdiRedundant *s = p->work->redundant = CD_TAKE(&p->arena, CdiRedundant, 1);
    if (!s) return CD_NOMEM;
    CD_TRY(open_filter(p, s));
    s->order = CD_TAKE(&p->arena, int, (size_t)p->nc);
    s->worth = CD_TAKE(&p->arena, double, (size_t)p->nc);
    s->active = CD_TAKE(&p->arena, bool, (size_t)p->nc);
    if (!s->order || !s->worth || !s->active) return CD_NOMEM;
    return find_components(p, s);
}

void cdi_redundant_free(CdiProblem *p) {
    CdiRedundant *s = p->work->redundant;
    if (!s) return;
    cdi_factor_free(&s->acting);
    cdi_factor_free(&s->all);
    cdi_linsol_share_free(&s->share);
    cdi_pattern_free(s->pattern);
}

// ---- which constraints act

static void square_rows(const CdiProblem *p, const double *J, double *square) {
    const CdPattern *a = p->jpattern;
    for (int i = 0; i < p->nc; i++) square[i] = 0;
    for (int k = 0; k < a->nnz; k++) square[a->row[k]] += J[k] * J[k];
}

// J^T of a component, columns of length 1
static void fill(const CdiProblem *p, const Component *c, const double *J, double *qr) {
    const CdiRedundant *s = p->work->redundant;
    const CdPattern *a = p->jpattern;
    memset(qr, 0, (size_t)c->nrows * (size_t)c->ncols * sizeof *qr);
    for (int n = 0; n < c->ncols; n++) {
        const int j = c->cols[n];
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
            const double square = s->square[a->row[k]];
            const size_t column = (size_t)s->order[a->row[k]];
            if (square > 0) qr[column * (size_t)c->ncols + (size_t)n] = J[k] / sqrt(square);
        }
    }
}

static CdStatus take_apart(const CdiProblem *p, const Component *c, const double *J) {
    const CdiRedundant *s = p->work->redundant;
    int rank;
    for (int k = 0; k < c->nrows; k++) s->order[c->rows[k]] = k;
    fill(p, c, J, s->qr);
    return cdi_qr_factor(c->ncols, c->nrows, s->qr, c->ncols, s->jpvt, s->tau, s->work, &rank);
}

// ---- large components

static CdStatus scale_large(const CdiProblem *p, const Component *c, const double *J,
                            CdArena *scratch, CdRows *rows) {
    const CdiRedundant *s = p->work->redundant;
    const CdPattern *a = p->jpattern;
    int nnz = 0;
    for (int n = 0; n < c->ncols; n++) nnz += a->ptr[c->cols[n] + 1] - a->ptr[c->cols[n]];
    int *ptr = CD_TAKE(scratch, int, (size_t)c->ncols + 1),
        *row = CD_TAKE(scratch, int, (size_t)nnz);
    double *x = CD_TAKE(scratch, double, (size_t)nnz);
    int *rg = CD_TAKE(scratch, int, (size_t)c->nrows),
        *cg = CD_TAKE(scratch, int, (size_t)c->ncols);
    if (!ptr || !row || !x || !rg || !cg) return CD_NOMEM;
    for (int k = 0; k < c->nrows; k++) s->order[c->rows[k]] = k;
    nnz = 0;
    for (int n = 0; n < c->ncols; n++) {
        for (int k = a->ptr[c->cols[n]]; k < a->ptr[c->cols[n] + 1]; k++, nnz++) {
            const double square = s->square[a->row[k]];
            row[nnz] = s->order[a->row[k]];
            x[nnz] = square > 0 ? J[k] / sqrt(square) : 0;
        }
        ptr[n + 1] = nnz;
    }
    const int *of_rows = p->user.constraint_groups, *of_cols = p->user.v_groups;
    for (int k = 0; k < c->nrows; k++) rg[k] = of_rows ? of_rows[c->rows[k]] : k;
    for (int k = 0; k < c->ncols; k++) cg[k] = of_cols ? of_cols[c->cols[k]] : k;
    *rows = (CdRows){
        .pattern = {.rows = c->nrows, .cols = c->ncols, .nnz = nnz, .ptr = ptr, .row = row},
        .values = x,
        .row_group = rg,
        .col_group = cg};
    return CD_OK;
}

// constraints that depend on others get `worth` 0; want: how many there are, -1: not known
static CdStatus rate_large(const CdiProblem *p, const Component *c, const double *J, int want,
                           bool *found) {
    const CdiRedundant *s = p->work->redundant;
    CdArena scratch;
    CdRows rows;
    CdDependent d = {0};
    cdi_arena_init(&scratch, p->ctx, 0);
    CdStatus status = scale_large(p, c, J, &scratch, &rows);
    *found = false;
    for (double tol = LEAST_TOL; status == CD_OK && !*found && tol <= LARGEST_TOL; tol *= 10) {
        status = cdi_dependent_rows(&scratch, &rows, tol, &d);
        *found = want < 0 || d.n == want;
        if (d.n > want) break;
    }
    if (status == CD_OK && *found) {
        for (int k = 0; k < c->nrows; k++) s->worth[c->rows[k]] = 1;
        for (int k = 0; k < d.n; k++) s->worth[c->rows[d.row[k]]] = 0;
    }
    cdi_arena_clear(&scratch);
    return status;
}

// as the user says at first, later as it is best; if that is not to be seen, as before
static CdStatus leave_out_large(const CdiProblem *p, const Component *c, const double *J) {
    const CdiRedundant *s = p->work->redundant;
    bool found;
    if (c->surplus == 0 || !s->once) return CD_OK;
    CD_TRY(rate_large(p, c, J, c->surplus, &found));
    for (int i = 0; found && i < c->nrows; i++) {
        s->active[c->rows[i]] = s->worth[c->rows[i]] > 0;
    }
    return CD_OK;
}

// ---- all components

static CdStatus rate_rows(const CdiProblem *p, const Component *c, const double *J) {
    const CdiRedundant *s = p->work->redundant;
    bool found;
    if (c->large) return rate_large(p, c, J, -1, &found);
    CD_TRY(take_apart(p, c, J));
    for (int k = 0; k < c->nrows; k++) {
        const double r = k < c->ncols ? s->qr[(size_t)k * (size_t)c->ncols + (size_t)k] : 0;
        s->worth[c->rows[s->jpvt[k] - 1]] = fabs(r);
    }
    return CD_OK;
}

static void leave_out_least(const CdiProblem *p) {
    const CdiRedundant *s = p->work->redundant;
    for (int k = 0; k < p->user.redundant; k++) {
        int least = -1;
        for (int i = 0; i < p->nc; i++) {
            if (s->active[i] && (least < 0 || s->worth[i] < s->worth[least])) least = i;
        }
        s->active[least] = false;
    }
}

static void count_surplus(const CdiRedundant *s, Component *c) {
    c->surplus = 0;
    for (int i = 0; i < c->nrows; i++) c->surplus += !s->active[c->rows[i]];
}

// rows of `null`, surplus of them: y^T with J^T y = 0, from (R11 R12) P^T y = 0
static void find_null(const CdiRedundant *s, const Component *c) {
    const int d = c->surplus, rank = c->nrows - d;
    for (int n = 0; n < d; n++) {
        const double *r = s->qr + (size_t)(rank + n) * (size_t)c->ncols;
        for (int k = 0; k < d; k++) {
            s->null[(size_t)(s->jpvt[rank + k] - 1) * (size_t)d + (size_t)n] = k == n;
        }
        for (int i = rank - 1; i >= 0; i--) {
            double sum = i < c->ncols ? -r[i] : 0;
            for (int k = i + 1; k < rank; k++) {
                sum -= s->qr[(size_t)k * (size_t)c->ncols + (size_t)i] *
                       s->null[(size_t)(s->jpvt[k] - 1) * (size_t)d + (size_t)n];
            }
            s->null[(size_t)(s->jpvt[i] - 1) * (size_t)d + (size_t)n] =
                sum / s->qr[(size_t)i * (size_t)c->ncols + (size_t)i];
        }
    }
}

// those that stand for most of the null space leave the best of the others
static CdStatus leave_out(const CdiProblem *p, const Component *c, const double *J) {
    const CdiRedundant *s = p->work->redundant;
    int rank;
    if (c->large) return leave_out_large(p, c, J);
    for (int i = 0; i < c->nrows; i++) s->active[c->rows[i]] = true;
    if (c->surplus == 0) return CD_OK;
    CD_TRY(take_apart(p, c, J));
    find_null(s, c);
    CD_TRY(
        cdi_qr_factor(c->surplus, c->nrows, s->null, c->surplus, s->jpvt, s->tau, s->work, &rank));
    for (int k = 0; k < c->surplus; k++) s->active[c->rows[s->jpvt[k] - 1]] = false;
    return CD_OK;
}

// how many are left out of every component: as the user says, or those of least worth of all
static CdStatus find_surplus(CdiProblem *p, const double *J) {
    const CdiRedundant *s = p->work->redundant;
    for (int k = 0; k < s->ncomponents; k++) {
        Component *c = &s->components[k];
        if (!p->user.redundant_rows) CD_TRY(rate_rows(p, c, J));
    }
    for (int i = 0; i < p->nc; i++) {
        s->active[i] = !p->user.redundant_rows || !p->user.redundant_rows[i];
    }
    if (!p->user.redundant_rows) leave_out_least(p);
    for (int k = 0; k < s->ncomponents; k++) count_surplus(s, &s->components[k]);
    return CD_OK;
}

CdStatus cdi_redundant_choose(CdiProblem *p, const double *J) {
    CdiRedundant *s = p->work->redundant;
    square_rows(p, J, s->square);
    CD_TRY(find_surplus(p, J));
    for (int k = 0; k < s->ncomponents; k++) CD_TRY(leave_out(p, &s->components[k], J));
    s->chosen = s->once = true;
    s->watch = (Watch){.due = -INFINITY};
    return CD_OK;
}

CdStatus cdi_redundant_ready(CdiProblem *p, const double *J) {
    const CdiRedundant *s = p->work->redundant;
    return !s || s->chosen ? CD_OK : cdi_redundant_choose(p, J);
}

void cdi_redundant_forget(CdiProblem *p) {
    if (p->work->redundant) p->work->redundant->chosen = false;
}

bool cdi_row_acts(const CdiProblem *p, int row) {
    return !p->work->redundant || p->work->redundant->active[row];
}

// [I J^T; J -e I], e = 1 and no J where constraints do not act
static CdStatus factor(CdiProblem *p, bool all, double e) {
    CdiRedundant *s = p->work->redundant;
    CdiFactor *f = all ? &s->all : &s->acting;
    const CdPattern *a = p->jpattern;
    double *values = cdi_linsol_begin(f->linsol);
    for (int k = 0; k < a->nnz; k++) {
        if (all || s->active[a->row[k]]) values[s->slot_j[k]] = values[s->slot_jt[k]] = s->jac[k];
    }
    for (int i = 0; i < p->nv; i++) values[s->slot_i[i]] = 1;
    for (int i = 0; i < p->nc; i++) values[s->slot_e[i]] = all ? -e : s->active[i] ? 0 : 1;
    return cdi_factor_counted(p, f, false);
}

static double weakest_pivot(CdiProblem *p) {
    int column;
    const CdiRedundant *s = p->work->redundant;
    return factor(p, false, 0) == CD_OK ? cdi_linsol_weakest_pivot(s->acting.linsol, &column) : 0;
}

// ---- multipliers

static double norm(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

// b = (anything; n) to (anything; F n)
static CdStatus filter(CdiProblem *p, double e) {
    CdiRedundant *s = p->work->redundant;
    memset(s->b, 0, (size_t)p->nv * sizeof *s->b);
    p->counts.solves++;
    CD_TRY(cdi_linsol_solve(s->all.linsol, 1, s->b, p->nv + p->nc, false));
    for (int i = p->nv; i < p->nv + p->nc; i++) s->b[i] *= -e;
    return CD_OK;
}

CdStatus cdi_minimum_norm(CdiProblem *p, CdPoint *at) {
    CdiRedundant *s = p->work->redundant;
    if (!s) return CD_OK;
    double largest = 0, *n = s->b + p->nv;
    CD_TRY(cdi_jacobian(p, at, s->jac));
    square_rows(p, s->jac, s->square);
    for (int i = 0; i < p->nc; i++) largest = fmax(largest, s->square[i]);
    const double e = FILTER * (largest > 0 ? largest : 1);
    CD_TRY(factor(p, true, e));
    for (int pass = 0; pass < PASSES_MAX; pass++) {
        memcpy(n, at->lambda, (size_t)p->nc * sizeof *n);
        for (int k = 0; k < FILTERS; k++) CD_TRY(filter(p, e));
        for (int i = 0; i < p->nc; i++) at->lambda[i] -= n[i];
        if (norm(p->nc, n) <= ROUNDING * norm(p->nc, at->lambda)) break;
    }
    return CD_OK;
}

// ---- after a step

// how fast the rows of J turn: the largest |J_i'| / |J_i|, J in s->jac
static CdStatus find_speed(CdiProblem *p, const CdPoint *at, double h, double *speed) {
    CdiRedundant *s = p->work->redundant;
    const double e = PROBE * h;
    CdPoint moved = *at;
    moved.t += e;
    moved.q = s->moved_q;
    for (int i = 0; i < p->nv; i++) s->b[i] = e * at->v[i];
    cdi_retract(p, at->q, s->b, moved.q);
    CD_TRY(cdi_jacobian(p, &moved, s->moved_jac));
    for (int k = 0; k < p->jpattern->nnz; k++) s->moved_jac[k] -= s->jac[k];
    double *change = s->b + p->nv, most = 0;
    square_rows(p, s->jac, s->square);
    square_rows(p, s->moved_jac, change);
    for (int i = 0; i < p->nc; i++) {
        if (s->square[i] > 0) most = fmax(most, change[i] / s->square[i]);
    }
    *speed = e > 0 ? sqrt(most) / e : INFINITY;
    return CD_OK;
}

CdStatus cdi_redundant_update(CdiProblem *p, CdPoint *at, double h, bool *changed) {
    CdiRedundant *s = p->work->redundant;
    double speed;
    *changed = false;
    // half a step early, as times are sums
    if (!s || !s->chosen || at->t + h / 2 < s->watch.due) return CD_OK;
    CD_TRY(cdi_jacobian(p, at, s->jac));
    double pivot = weakest_pivot(p);
    if (s->watch.strongest > 0 && pivot < WEAKER * s->watch.strongest) {
        CD_TRY(cdi_redundant_choose(p, s->jac));
        pivot = weakest_pivot(p);
        *changed = true;
    }
    CD_TRY(find_speed(p, at, h, &speed));
    s->watch.strongest = fmax(s->watch.strongest, pivot);
    s->watch.due = at->t + fmin(CHANGE * pivot / speed, STEPS_MAX * h);
    // multipliers of those that no longer act stay as they are, so they should not be large
    return *changed ? cdi_minimum_norm(p, at) : CD_OK;
}

void cdi_redundant_alarm(CdiProblem *p) {
    if (p->work->redundant) p->work->redundant->watch.due = -INFINITY;
}

CdStatus cdi_redundant_violation(CdiProblem *p, const CdPoint *at, int *row, double *g) {
    CdiRedundant *s = p->work->redundant;
    double acting = 0;
    *row = -1;
    if (!s || !s->chosen) return CD_OK;
    CD_TRY(cdi_constraint(p, at, s->b));
    for (int i = 0; i < p->ng; i++) acting = s->active[i] ? fmax(acting, fabs(s->b[i])) : acting;
    double worst = HELD + WORSE * acting;
    for (int i = 0; i < p->ng; i++) {
        if (s->active[i] || !(fabs(s->b[i]) > worst)) continue;
        worst = fabs(s->b[i]);
        *row = i;
    }
    if (*row >= 0) *g = s->b[*row];
    return CD_OK;
}

// ---- save and load

size_t cdi_redundant_save_size(const CdiProblem *p) {
    const CdiRedundant *s = p->work->redundant;
    if (!s) return 0;
    return cdi_factor_save_size(&s->acting) + cdi_factor_save_size(&s->all) + sizeof s->chosen +
           sizeof s->once + sizeof s->watch + (size_t)p->nc * sizeof *s->active;
}

char *cdi_redundant_save(const CdiProblem *p, char *to) {
    const CdiRedundant *s = p->work->redundant;
    if (!s) return to;
    to = cdi_factor_save(&s->acting, to);
    to = cdi_factor_save(&s->all, to);
    to = cdi_put(to, &s->chosen, sizeof s->chosen);
    to = cdi_put(to, &s->once, sizeof s->once);
    to = cdi_put(to, &s->watch, sizeof s->watch);
    return cdi_put(to, s->active, (size_t)p->nc * sizeof *s->active);
}

CdStatus cdi_redundant_load(CdiProblem *p, const char **from) {
    CdiRedundant *s = p->work->redundant;
    if (!s) return CD_OK;
    CD_TRY(cdi_factor_load(&s->acting, from));
    CD_TRY(cdi_factor_load(&s->all, from));
    *from = cdi_get(*from, &s->chosen, sizeof s->chosen);
    *from = cdi_get(*from, &s->once, sizeof s->once);
    *from = cdi_get(*from, &s->watch, sizeof s->watch);
    *from = cdi_get(*from, s->active, (size_t)p->nc * sizeof *s->active);
    return CD_OK;
}
