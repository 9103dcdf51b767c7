// native_tree.c - supernodes of an order, their rows, and where every number goes
//
// Columns with the same rows below them are put together, then supernodes with their parents
// wherever the larger panel costs less than two small ones: a step costs so much, and so much per
// multiplication and per place that an update goes to. Supernodes whose columns cost less one by
// one, each with a list of what it changes, are dissolved. Within a supernode weak unknowns come
// last, where the others have given them pivots.
// Liu, Ng & Peyton, SIAM J. Matrix Anal. Appl. 14 (1993) 242; Ashcraft & Grimes, ACM TOMS 15 (1989)
// 291.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "linalg/native.h"
#include "linalg/order.h"

// in nanoseconds: one supernode, a column of it, four multiplications of a panel, a place
#define COST_STEP 60.0
#define COST_COLUMN 8.0
#define COST_LANES 0.9
#define COST_PLACE 1.1
// a single column, and one of the numbers that it changes
#define COST_SINGLE 8.0
#define COST_CHANGE 0.8

typedef struct Build {
    CdContext *ctx;
    CdArena *scratch;
    CdiNativeTree *t;
    const CdPattern *p;
    const CdPattern *both; // of A + A^T
    const double *v;
    const int *group;
    CdiNativeWay way;
    CdiSupertree s;
    int *order;   // unknown of a step
    bool *weak;   // by unknown
    int *piece;   // by unknown, -1: of none
    int *perm;    // postordered
    int *inverse; // step of an unknown
    int *parent, *count;
    int *owner; // supernode of a step
    int *into;  // first supernodes: parent that took it up, itself if none
    int *ncols, *nrows, *last;
    int nfirst;
    bool *single;  // by step: stays alone
    double *apart; // by first supernode: what its columns cost one by one
} Build;

// ---- postorder

static CdStatus postorder(Build *b, const int *order) {
    CdSymbolic *s;
    const int n = b->t->n;
    CD_TRY(cdi_symbolic_new(b->ctx, b->both, CD_ORDER_GIVEN, order, &s));
    for (int k = 0; k < n; k++) b->inverse[s->post[k]] = k;
    for (int k = 0; k < n; k++) {
        const int from = s->post[k];
        b->perm[k] = s->perm[from];
        b->count[k] = s->count[from];
        b->parent[k] = s->parent[from] < 0 ? -1 : b->inverse[s->parent[from]];
    }
    cdi_symbolic_free(s);
    return CD_OK;
}

// ---- supernodes

static bool joins_last(const Build *b, int k) {
    return k > 0 && b->parent[k - 1] == k && b->count[k - 1] == b->count[k] + 1 &&
           b->piece[b->perm[k - 1]] == b->piece[b->perm[k]] && !b->single[k - 1] && !b->single[k];
}

static void first_supernodes(Build *b) {
    b->nfirst = 0;
    for (int k = 0; k < b->t->n; k++) b->ncols[k] = 0;
    for (int k = 0; k < b->t->n; k++) {
        const bool joins = joins_last(b, k);
        const int s = joins ? b->nfirst - 1 : b->nfirst++;
        b->owner[k] = s;
        b->into[s] = s;
        b->ncols[s]++;
        b->last[s] = k;
        b->nrows[s] = b->count[k] - 1;
    }
}

static double cost(const Build *b, double ncols, double nrows) {
    const double panels = b->t->symmetric ? 1 : 2;
    const double height = ncols + nrows + CDI_NATIVE_LANES / 2.0;
    const double lanes =
        ncols * (ncols / 2 * (ncols * 2 / 3 + nrows) + nrows * nrows / 2 + 2 * height);
    return COST_STEP + COST_COLUMN * ncols +
           panels * (COST_LANES / CDI_NATIVE_LANES * lanes + COST_PLACE * nrows * nrows / 2);
}

static int piece_of(const Build *b, int s) {
    return b->piece[b->perm[b->last[s]]];
}

// a child is taken up if the panel of both costs less; the rows below are the parent's
static void put_together(Build *b) {
    for (int s = 0; s < b->nfirst; s++) {
        const int up = b->parent[b->last[s]] < 0 ? -1 : b->owner[b->parent[b->last[s]]];
        if (up < 0 || piece_of(b, s) != piece_of(b, up)) continue;
        if (b->single[b->last[s]] || b->single[b->last[up]]) continue;
        const double apart =
            cost(b, b->ncols[s], b->nrows[s]) + cost(b, b->ncols[up], b->nrows[up]);
        if (cost(b, b->ncols[s] + b->ncols[up], b->nrows[up]) > apart) continue;
        b->into[s] = up;
        b->ncols[up] += b->ncols[s];
    }
    // parents come after their children
    for (int s = b->nfirst - 1; s >= 0; s--) b->into[s] = b->into[b->into[s]];
}

// weak unknowns need the company of others
static double cost_single(const Build *b, int k) {
    const double panels = b->t->symmetric ? 1 : 2, below = b->count[k] - 1;
    if (b->weak[b->perm[k]] || below > CDI_NATIVE_LIST_ROWS) return INFINITY;
    return COST_SINGLE + panels * COST_CHANGE * below * (below + 3) / 2;
}

// columns that cost less one by one than in their supernode
static bool find_single(Build *b) {
    bool any = false;
    for (int s = 0; s < b->nfirst; s++) b->apart[s] = 0;
    for (int k = 0; k < b->t->n; k++) b->apart[b->into[b->owner[k]]] += cost_single(b, k);
    for (int k = 0; k < b->t->n; k++) {
        const int s = b->into[b->owner[k]];
        b->single[k] = b->apart[s] < cost(b, b->ncols[s], b->nrows[s]);
        any |= b->single[k];
    }
    return any;
}

// steps of every supernode, the weak ones last; owner becomes that of the new steps
static CdStatus number_steps(Build *b) {
    CdiSupertree *t = &b->s;
    const int n = b->t->n;
    int *start = CD_TAKE(b->scratch, int, 2 * (size_t)b->nfirst), *name = start + b->nfirst;
    int *owner = CD_TAKE(b->scratch, int, (size_t)n);
    if (!start || !owner) return CD_NOMEM;
    for (int s = 0, at = 0; s < b->nfirst; s++) {
        if (b->into[s] != s) continue;
        start[s] = at;
        name[s] = t->nsupernodes++;
        at += b->ncols[s];
    }
    t->node = CD_TAKE(b->scratch, CdiSupernode, (size_t)t->nsupernodes);
    if (!t->node) return CD_NOMEM;
    for (int s = 0; s < b->nfirst; s++) {
        if (b->into[s] != s) continue;
        t->node[name[s]] =
            (CdiSupernode){.first = start[s], .ncols = b->ncols[s], .nrows = b->nrows[s]};
    }
    for (int weak = 0; weak < 2; weak++) {
        for (int k = 0; k < n; k++) {
            const int root = b->into[b->owner[k]];
            if (b->weak[b->perm[k]] != (weak == 1)) continue;
            owner[start[root]] = name[root];
            b->order[start[root]++] = b->perm[k];
        }
    }
    for (int k = 0; k < n; k++) {
        b->owner[k] = owner[k];
        b->inverse[b->order[k]] = k;
    }
    return CD_OK;
}

// lists of rows, one after the other, and what the factors will have
static CdStatus lay_out(Build *b) {
    CdiNativeTree *t = b->t;
    int64_t rows = 0;
    const int panels = t->symmetric ? 1 : 2;
    for (int k = 0; k < b->s.nsupernodes; k++) {
        CdiSupernode *s = &b->s.node[k];
        const int64_t height = (int64_t)s->ncols + s->nrows;
        s->rows = (int)rows;
        rows += s->nrows;
        for (int64_t c = 0; c < s->ncols; c++) {
            t->nnz += panels * (height - c) - (panels - 1);
            const double below = (double)(height - c - 1);
            t->flops += below * (panels * below + 1);
        }
        if (rows > INT_MAX) {
            return cdi_fail(b->ctx, CD_LIMIT, "linear solver 'native': the factors are too large");
        }
    }
    b->s.rows = CD_TAKE(b->scratch, int, (size_t)rows);
    return b->s.rows ? CD_OK : CD_NOMEM;
}

// ---- rows

typedef struct Rows {
    int *mark, *head, *next; // rows of the supernode at work; children of supernodes
} Rows;

static void sift(int *v, int n, int i) {
    for (;;) {
        int top = i;
        for (int c = 2 * i + 1; c <= 2 * i + 2 && c < n; c++) top = v[c] > v[top] ? c : top;
        if (top == i) return;
        const int swap = v[i];
        v[i] = v[top];
        v[top] = swap;
        i = top;
    }
}

static void sort(int *v, int n) {
    for (int i = n / 2 - 1; i >= 0; i--) sift(v, n, i);
    for (int end = n - 1; end > 0; end--) {
        const int swap = v[0];
        v[0] = v[end];
        v[end] = swap;
        sift(v, end, 0);
    }
}

static void meet(const CdiSupernode *s, Rows *r, int k, int row, int *list, int *n) {
    if (row < s->first + s->ncols || r->mark[row] == k) return;
    r->mark[row] = k;
    list[(*n)++] = row;
}

// from the columns of A and from the children
static void rows_of(Build *b, Rows *r, int k) {
    CdiSupertree *t = &b->s;
    const CdPattern *both = b->both;
    const CdiSupernode *s = &t->node[k];
    int *list = t->rows + s->rows, n = 0;
    for (int c = s->first; c < s->first + s->ncols; c++) {
        const int j = b->order[c];
        for (int e = both->ptr[j]; e < both->ptr[j + 1]; e++) {
            meet(s, r, k, b->inverse[both->row[e]], list, &n);
        }
    }
    for (int child = r->head[k]; child >= 0; child = r->next[child]) {
        const CdiSupernode *from = &t->node[child];
        for (int i = 0; i < from->nrows; i++) {
            meet(s, r, k, t->rows[from->rows + i], list, &n);
        }
    }
    sort(list, n);
    if (n == 0) return;
    const int up = b->owner[list[0]];
    r->next[k] = r->head[up];
    r->head[up] = k;
}

static CdStatus find_rows(Build *b) {
    CdiSupertree *t = &b->s;
    Rows r;
    r.mark = CD_TAKE(b->scratch, int, (size_t)t->n);
    r.head = CD_TAKE(b->scratch, int, (size_t)t->n);
    r.next = CD_TAKE(b->scratch, int, (size_t)t->n);
    if (!r.mark || !r.head || !r.next) return CD_NOMEM;
    for (int k = 0; k < t->n; k++) r.mark[k] = r.head[k] = -1;
    for (int k = 0; k < t->nsupernodes; k++) rows_of(b, &r, k);
    return CD_OK;
}

// ---- numbers of A

// by step: those that are weak, and the diagonal of A
static CdStatus find_diagonals(Build *b) {
    CdiNativeTree *t = b->t;
    t->weak = CD_TAKE(&t->arena, bool, (size_t)t->nsteps);
    t->diagonal = CD_TAKE(&t->arena, int, (size_t)t->nsteps);
    if (!t->weak || !t->diagonal) return CD_NOMEM;
    for (int k = 0, off = 0; k < t->nsteps; k++) {
        const int i = t->perm[k];
        t->diagonal[k] = i < 0 ? -1 : cdi_pattern_slot_like(b->p, i, i, &off);
        t->weak[k] = i >= 0 && b->weak[i];
    }
    return CD_OK;
}

// products that make the scale of a weak step, from neighbours that are not weak: of those that are
// eliminated before it, or of all if there are none; how many
static int put_pairs(const Build *b, int step, bool all, int off[2], int *pair) {
    const CdiNativeTree *t = b->t;
    const CdPattern *p = b->p;
    const int j = t->perm[step];
    int n = 0;
    for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
        const int i = p->row[k];
        if (b->weak[i] || (!all && b->inverse[i] > b->inverse[j])) continue;
        const int back = cdi_pattern_slot_like(p, j, i, &off[0]);
        const int diagonal = cdi_pattern_slot_like(p, i, i, &off[1]);
        if (back < 0 || diagonal < 0) continue;
        pair[CDI_PAIR_STEP] = step;
        pair[CDI_PAIR_DOWN] = k;
        pair[CDI_PAIR_UP] = back;
        pair[CDI_PAIR_OTHER] = diagonal;
        pair += CDI_PAIR_SIZE;
        n++;
    }
    return n;
}

static CdStatus find_pairs(Build *b) {
    CdiNativeTree *t = b->t;
    const CdPattern *p = b->p;
    size_t most = 0;
    for (int k = t->narrow; k < t->nsteps; k++) {
        const int j = t->perm[k];
        if (t->weak[k]) most += (size_t)(p->ptr[j + 1] - p->ptr[j]);
    }
    t->pair = CD_TAKE(&t->arena, int, CDI_PAIR_SIZE *most);
    if (!t->pair) return CD_NOMEM;
    for (int k = t->narrow, off[2] = {0}; k < t->nsteps; k++) {
        int *pair = t->pair + CDI_PAIR_SIZE * (size_t)t->npairs;
        if (!t->weak[k]) continue;
        const int earlier = put_pairs(b, k, false, off, pair);
        t->npairs += earlier > 0 ? earlier : put_pairs(b, k, true, off, pair);
    }
    return CD_OK;
}

// ---- life

static CdStatus build(Build *b) {
    CdiNativeTree *t = b->t;
    const size_t n = (size_t)t->n;
    int **const arrays[] = {&b->perm,  &b->inverse, &b->parent, &b->count, &b->owner, &b->into,
                            &b->ncols, &b->nrows,   &b->last,   &b->order, &b->piece};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(b->scratch, int, n);
        if (!*arrays[k]) return CD_NOMEM;
    }
    b->weak = CD_TAKE(b->scratch, bool, n);
    b->single = CD_TAKE(b->scratch, bool, n);
    b->apart = CD_TAKE(b->scratch, double, n);
    if (!b->weak || !b->single || !b->apart) return CD_NOMEM;
    const CdCsc a = {.pattern = b->p, .v = (double *)b->v};
    CD_TRY(cdi_native_order(b->ctx, b->scratch, &a, b->group, b->way, b->weak, b->piece, b->order));
    CD_TRY(postorder(b, b->order));
    first_supernodes(b);
    put_together(b);
    if (find_single(b)) {
        first_supernodes(b);
        put_together(b);
    }
    CD_TRY(number_steps(b));
    CD_TRY(lay_out(b));
    b->s.n = t->n;
    b->s.owner = b->owner;
    b->s.step = b->inverse;
    b->s.weak = b->weak;
    b->s.symmetric = t->symmetric;
    CD_TRY(find_rows(b));
    CdiDivision d = {0};
    CD_TRY(cdi_native_divide(b->scratch, &b->s, &d));
    CD_TRY(cdi_native_units(b->ctx, b->scratch, b->p, &b->s, &d, t));
    CD_TRY(find_diagonals(b));
    CD_TRY(find_pairs(b));
    cdi_native_chunk_pairs(t);
    return CD_OK;
}

CdStatus cdi_native_analyze(CdContext *ctx, const CdCsc *a, const int *group, CdiNativeWay way,
                            bool symmetric, CdiNativeTree **out) {
    CdiNativeTree *t = *out = cdi_alloc(ctx, sizeof *t);
    if (!t) return CD_NOMEM;
    CdArena scratch;
    cdi_arena_init(&t->arena, ctx, 0);
    cdi_arena_init(&scratch, ctx, 0);
    t->n = a->pattern->cols;
    t->symmetric = symmetric;
    atomic_init(&t->users, 1);
    Build b = {.ctx = ctx,
               .scratch = &scratch,
               .t = t,
               .p = a->pattern,
               .v = a->v,
               .group = group,
               .way = way};
    CdPattern *both = NULL;
    CdStatus status = CD_OK;
    b.both = b.p;
    if (!cdi_pattern_is_symmetric(b.p)) {
        status = cdi_pattern_symmetrize(ctx, b.p, NULL, &both);
        b.both = both;
    }
    if (status == CD_OK) status = build(&b);
    cdi_pattern_free(both);
    cdi_arena_clear(&scratch);
    if (status != CD_OK) {
        cdi_native_tree_free(t);
        *out = NULL;
    }
    return status;
}

CdiNativeTree *cdi_native_tree_keep(CdiNativeTree *t) {
    atomic_fetch_add(&t->users, 1);
    return t;
}

void cdi_native_tree_free(CdiNativeTree *t) {
    if (!t || atomic_fetch_sub(&t->users, 1) > 1) return;
    CdContext *ctx = t->arena.ctx;
    cdi_arena_clear(&t->arena);
    cdi_free(ctx, t);
}
