// rank_front.c - rows in loops: multifrontal QR of J^T, group by group, that leaves out zero pivots
//
//   front of a group:   | own  others |      equations of the columns of J that it meets first,
//                       |             |      and what its children leave
//
//   Q^T front P = | R11  R12 | kept;  rows of `own` without a pivot depend on those before
//                 |  0   E   | goes to the parent
//
// Heath, SIAM J. Sci. Stat. Comput. 3 (1982) 223; Davis, ACM Trans. Math. Softw. 38 (2011) 8.
#include <math.h>
#include <string.h>

#include "linalg/order.h"
#include "linalg/rank_work.h"

// beyond these an analysis is not worth its time: pairs of joints that share a body, and the sum
// of cubes of the groups in a front
#define PAIRS_MAX 20000000.0
#define CUBES_MAX 20000000.0

typedef struct Elimination {
    CdRankWork *w;
    const int *step;         // of a group of rows
    int *first, *next;       // bodies that a step meets first: a list per step
    int *mark;               // of groups: the step that has them
    int *place;              // of rows: where they are in the front
    CD_ARRAY(double) stack;  // what goes to parents
    CD_ARRAY(double) matrix; // the front
    CD_ARRAY(int) list;      // groups of a front
} Elimination;

// ---- order

static bool in_loops(const CdRankWork *w, int group) {
    return w->leaf_of[group] < 0;
}

// groups of rows that are left at a group of columns, by their numbers among those in loops
static int left_at(const CdRankWork *w, const int *number, int body, int *list) {
    int n = 0;
    for (int k = w->touch_ptr[body]; k < w->touch_ptr[body + 1]; k++) {
        if (in_loops(w, w->touch[k])) list[n++] = number[w->touch[k]];
    }
    return n;
}

static bool too_many_pairs(const CdRankWork *w) {
    double pairs = 0;
    for (int b = 0; b < w->cols.n; b++) pairs += (double)w->live[b] * w->live[b];
    return pairs > PAIRS_MAX;
}

static CdStatus order(CdRankWork *w, int n, const int *number, int *list, CdSymbolic **out) {
    CdPatternBuilder b;
    CdPattern *graph;
    cdi_pattern_begin(&b, w->ctx, n, n, true);
    cdi_pattern_add_diagonal(&b);
    for (int k = 0; k < w->cols.n; k++) {
        const int m = left_at(w, number, k, list);
        if (m > 1) cdi_pattern_add_block(&b, m, list, m, list);
    }
    CD_TRY(cdi_pattern_end(&b, &graph));
    const CdStatus status = cdi_symbolic_new(w->ctx, graph, CD_ORDER_AMD, NULL, out);
    cdi_pattern_free(graph);
    return status;
}

static bool too_long(const CdSymbolic *s) {
    double cubes = 0;
    for (int k = 0; k < s->n; k++) cubes += (double)s->count[k] * s->count[k] * s->count[k];
    return cubes > CUBES_MAX;
}

// ---- one front

static void add_group(Elimination *e, CdFront *f, int step, int group) {
    const CdRankWork *w = e->w;
    if (e->mark[group] == step) return;
    e->mark[group] = step;
    e->list.v[e->list.n++] = group;
    for (int i = w->rows.first[group]; i < w->rows.first[group + 1]; i++) e->place[i] = f->n++;
}

// rows that take part, own ones first, and equations that there are for them
static CdStatus take_rows(Elimination *e, int step, CdFront *f, int *equations) {
    CdRankWork *w = e->w;
    e->list.n = 0;
    f->n = *equations = 0;
    add_group(e, f, step, f->group);
    f->own = f->n;
    for (int b = e->first[step]; b >= 0; b = e->next[b]) {
        *equations += w->cols.first[b + 1] - w->cols.first[b];
        for (int k = w->touch_ptr[b]; k < w->touch_ptr[b + 1]; k++) {
            if (in_loops(w, w->touch[k])) add_group(e, f, step, w->touch[k]);
        }
    }
    for (int c = f->child; c >= 0; c = w->fronts[c].sibling) {
        const CdFront *child = &w->fronts[c];
        *equations += child->left;
        for (int k = child->own; k < child->n; k++) {
            add_group(e, f, step, w->rows.of[child->rows[k]]);
        }
    }
    f->rows = CD_TAKE(&w->arena, int, (size_t)f->n);
    if (!f->rows) return CD_NOMEM;
    for (size_t k = 0; k < e->list.n; k++) {
        const int g = e->list.v[k];
        for (int i = w->rows.first[g]; i < w->rows.first[g + 1]; i++) f->rows[e->place[i]] = i;
    }
    return CD_OK;
}

// equations of bodies, then those that children left
static void fill(Elimination *e, int step, const CdFront *f, int m) {
    const CdRankWork *w = e->w;
    const CdPattern *a = &w->j->pattern;
    double *x = e->matrix.v;
    int row = 0;
    if (m > 0 && f->n > 0) memset(x, 0, (size_t)m * (size_t)f->n * sizeof *x);
    for (int b = e->first[step]; b >= 0; b = e->next[b]) {
        for (int j = w->cols.first[b]; j < w->cols.first[b + 1]; j++, row++) {
            for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) {
                if (!in_loops(w, w->rows.of[a->row[k]])) continue;
                x[(size_t)e->place[a->row[k]] * (size_t)m + (size_t)row] = w->j->values[k];
            }
        }
    }
    for (int c = f->child; c >= 0; c = w->fronts[c].sibling) {
        const CdFront *child = &w->fronts[c];
        const double *from = e->stack.v + child->at;
        for (int k = child->own; k < child->n; k++, from += child->left) {
            double *to = x + (size_t)e->place[child->rows[k]] * (size_t)m + row;
            memcpy(to, from, (size_t)child->left * sizeof *to);
        }
        row += child->left;
    }
}

// R and the rows in their new order
static CdStatus keep_pivots(CdRankWork *w, CdFront *f, const double *x, int m, const int *perm) {
    const int r0 = w->rows.first[f->group];
    for (int k = 0; k < f->own; k++) f->rows[k] = r0 + perm[k];
    f->R = CD_TAKE(&w->arena, double, (size_t)f->rank *(size_t)f->n);
    if (!f->R) return CD_NOMEM;
    for (int i = 0; i < f->rank; i++) {
        for (int j = 0; j < f->n; j++) f->R[i * f->n + j] = x[(size_t)j * (size_t)m + (size_t)i];
        w->weakest = fmin(w->weakest, fabs(f->R[i * f->n + i]));
    }
    return CD_OK;
}

// rows below the pivots, no more than there are others
static CdStatus pass_on(Elimination *e, CdFront *f, int m) {
    const int n = f->n - f->own, rest = m - f->rank;
    double *x = e->matrix.v;
    for (int j = 0; j < n; j++) {
        memmove(x + (size_t)j * (size_t)rest,
                x + (size_t)(f->own + j) * (size_t)m + (size_t)f->rank, (size_t)rest * sizeof *x);
    }
    f->left = rest < n ? rest : n;
    if (rest > n) cdi_rank_triangle(rest, n, x);
    f->at = e->stack.n;
    CD_TRY(cdi_array_fit(e->w->ctx, &e->stack.any, (size_t)f->left * (size_t)n, sizeof *x));
    for (int j = 0; j < n; j++, e->stack.n += (size_t)f->left) {
        memcpy(e->stack.v + e->stack.n, x + (size_t)j * (size_t)rest, (size_t)f->left * sizeof *x);
    }
    return CD_OK;
}

// children are the last on the stack, the oldest of them lowest
static void drop_children(Elimination *e, const CdFront *f) {
    for (int c = f->child; c >= 0; c = e->w->fronts[c].sibling) {
        if (e->w->fronts[c].at < e->stack.n) e->stack.n = e->w->fronts[c].at;
    }
}

static CdStatus eliminate(Elimination *e, int k, int *perm) {
    CdRankWork *w = e->w;
    CdFront *f = &w->fronts[k];
    double left = 0;
    int m;
    CD_TRY(take_rows(e, k, f, &m));
    e->matrix.n = 0;
    CD_TRY(cdi_array_fit(w->ctx, &e->matrix.any, (size_t)m * (size_t)f->n, sizeof(double)));
    fill(e, k, f, m);
    drop_children(e, f);
    for (int i = 0; i < f->own; i++) perm[i] = i;
    f->rank = cdi_rank_reduce(m, f->n, f->own, e->matrix.v, w->tol, perm, &left);
    w->strongest_left_out = fmax(w->strongest_left_out, left);
    CD_TRY(keep_pivots(w, f, e->matrix.v, m, perm));
    return pass_on(e, f, m);
}

// ---- all of them

// a body belongs to the first front of a group that touches it
static void share_out(const Elimination *e) {
    const CdRankWork *w = e->w;
    for (int k = 0; k < w->nfronts; k++) e->first[k] = -1;
    for (int b = w->cols.n - 1; b >= 0; b--) {
        int first = w->nfronts;
        for (int k = w->touch_ptr[b]; k < w->touch_ptr[b + 1]; k++) {
            const int g = w->touch[k];
            if (in_loops(w, g) && e->step[g] < first) first = e->step[g];
        }
        if (first == w->nfronts) continue;
        e->next[b] = e->first[first];
        e->first[first] = b;
    }
}

static CdStatus run(Elimination *e) {
    CdRankWork *w = e->w;
    int *perm = CD_TAKE(&w->arena, int, (size_t)w->rows.largest);
    e->first = CD_TAKE(&w->arena, int, (size_t)w->nfronts);
    e->next = CD_TAKE(&w->arena, int, (size_t)w->cols.n);
    e->mark = CD_TAKE(&w->arena, int, (size_t)w->rows.n);
    e->place = CD_TAKE(&w->arena, int, (size_t)w->j->pattern.rows);
    if (!perm || !e->first || !e->next || !e->mark || !e->place) return CD_NOMEM;
    CD_TRY(cdi_array_fit(w->ctx, &e->list.any, (size_t)w->rows.n, sizeof(int)));
    for (int g = 0; g < w->rows.n; g++) e->mark[g] = -1;
    share_out(e);
    for (int k = 0; k < w->nfronts; k++) CD_TRY(eliminate(e, k, perm));
    return CD_OK;
}

// groups[i]: of rows, number i among those in loops
static CdStatus build(CdRankWork *w, const CdSymbolic *s, const int *groups, int *step) {
    int *position = CD_TAKE(&w->arena, int, (size_t)s->n);
    w->fronts = CD_TAKE(&w->arena, CdFront, (size_t)s->n);
    if (!position || !w->fronts) return CD_NOMEM;
    w->nfronts = s->n;
    for (int k = 0; k < s->n; k++) position[s->post[k]] = k;
    for (int k = 0; k < s->n; k++) {
        const int group = groups[s->perm[s->post[k]]];
        w->fronts[k] = (CdFront){.group = group, .child = -1, .sibling = -1};
        step[group] = k;
    }
    for (int k = 0; k < s->n; k++) {
        if (s->parent[s->post[k]] < 0) continue;
        CdFront *parent = &w->fronts[position[s->parent[s->post[k]]]];
        w->fronts[k].sibling = parent->child;
        parent->child = k;
    }
    return CD_OK;
}

CdStatus cdi_rank_fronts(CdRankWork *w, bool *believed) {
    int n = 0, *number = CD_TAKE(&w->arena, int, (size_t)w->rows.n);
    int *groups = CD_TAKE(&w->arena, int, (size_t)w->rows.n);
    int *list = CD_TAKE(&w->arena, int, (size_t)w->rows.n);
    CdSymbolic *s;
    if (!number || !groups || !list) return CD_NOMEM;
    for (int g = 0; g < w->rows.n; g++) {
        number[g] = n;
        if (in_loops(w, g)) groups[n++] = g;
    }
    *believed = too_many_pairs(w);
    if (n == 0 || *believed) return CD_OK;
    CD_TRY(order(w, n, number, list, &s));
    *believed = too_long(s);
    CdStatus status = *believed ? CD_OK : build(w, s, groups, number);
    cdi_symbolic_free(s);
    if (status != CD_OK || *believed) return status;
    Elimination e = {.w = w, .step = number};
    status = run(&e);
    cdi_array_free(w->ctx, &e.stack.any);
    cdi_array_free(w->ctx, &e.matrix.any);
    cdi_array_free(w->ctx, &e.list.any);
    return status;
}
