// order.c - fill-reducing order, elimination tree and column counts
//
//   parent(j) = min {i > j : l_ij != 0}        (Liu: paths compressed through ancestors)
//   count(j)  = |{i : j in row subtree T_i}|   (from the leaves of the row subtrees)
//
// j is a leaf of T_i if a_ij != 0 and no other such j lies below it; counting +1 at every leaf, -1
// at the least common ancestor of consecutive leaves, and summing over the tree gives all counts in
// almost linear time, without forming L. Orders are in order_amd.c and order_degree.c.
// Gilbert, Ng, Peyton, SIAM J. Matrix Anal. Appl. 15 (1994) 1075; Davis, Direct Methods for Sparse
// Linear Systems, SIAM 2006, ch. 4.
#include "linalg/order.h"

#include <string.h>

static CdStatus choose_order(CdContext *ctx, CdArena *scratch, const CdPattern *s, CdOrder order,
                             const int *given, int *perm) {
    if (order == CD_ORDER_DEGREE) return cdi_order_degree(scratch, s, perm);
    if (order == CD_ORDER_AMD && s->cols > 0) return cdi_order_amd(ctx, scratch, s, perm);
    if (order == CD_ORDER_GIVEN && !given) {
        return cdi_fail(ctx, CD_INVALID, "an order must be given");
    }
    for (int k = 0; k < s->cols; k++) perm[k] = order == CD_ORDER_GIVEN ? given[k] : k;
    return CD_OK;
}

static void elimination_tree(const CdSymbolic *s, const CdPattern *a, int *ancestor) {
    for (int k = 0; k < s->n; k++) {
        s->parent[k] = ancestor[k] = -1;
        for (int e = a->ptr[s->perm[k]]; e < a->ptr[s->perm[k] + 1]; e++) {
            // from i up to the root of its tree so far, which k now joins
            int next;
            for (int i = s->inverse[a->row[e]]; i >= 0 && i < k; i = next) {
                next = ancestor[i];
                ancestor[i] = k;
                if (next < 0) s->parent[i] = k;
            }
        }
    }
}

// depth first with the smallest child first; head and sibling are work
static void postorder(int n, const int *parent, int *post, int *head, int *sibling, int *stack) {
    for (int k = 0; k < n; k++) head[k] = -1;
    int root = -1;
    for (int k = n - 1; k >= 0; k--) {
        int *list = parent[k] < 0 ? &root : &head[parent[k]];
        sibling[k] = *list;
        *list = k;
    }
    int done = 0;
    for (; root >= 0; root = sibling[root]) {
        int top = 0;
        stack[0] = root;
        while (top >= 0) {
            const int k = stack[top], child = head[k];
            if (child >= 0) {
                head[k] = sibling[child];
                stack[++top] = child;
            } else {
                post[done++] = k;
                top--;
            }
        }
    }
}

// state of the search for leaves of row subtrees
typedef struct Leaves {
    int *first;     // smallest postorder number in the subtree of j
    int *max_first; // largest `first` among the leaves of row subtree i so far
    int *last;      // last leaf of row subtree i so far
    int *ancestor;  // root of the set of j among the subtrees gone through
} Leaves;

static int find_root(int *ancestor, int j) {
    int root = j;
    while (ancestor[root] != root) root = ancestor[root];
    while (j != root) {
        const int next = ancestor[j];
        ancestor[j] = root;
        j = next;
    }
    return root;
}

// entry (i, j) of C, i > j: if j is a leaf of row subtree i, count it and uncount where the paths
// meet
static void visit(Leaves *l, int i, int j, int *count) {
    if (i <= j || l->first[j] <= l->max_first[i]) return;
    l->max_first[i] = l->first[j];
    count[j]++;
    if (l->last[i] >= 0) count[find_root(l->ancestor, l->last[i])]--;
    l->last[i] = j;
}

static void first_descendants(const CdSymbolic *s, int *first) {
    for (int k = 0; k < s->n; k++) first[k] = -1;
    for (int k = 0; k < s->n; k++) {
        int j = s->post[k];
        // a node no one below has reached is a leaf of the tree
        s->count[j] = first[j] < 0;
        for (; j >= 0 && first[j] < 0; j = s->parent[j]) first[j] = k;
    }
}

static void column_counts(const CdSymbolic *s, const CdPattern *a, Leaves *l) {
    first_descendants(s, l->first);
    for (int k = 0; k < s->n; k++) {
        l->max_first[k] = l->last[k] = -1;
        l->ancestor[k] = k;
    }
    for (int k = 0; k < s->n; k++) {
        const int j = s->post[k], parent = s->parent[j];
        // j itself is no entry of its parent's column
        if (parent >= 0) s->count[parent]--;
        for (int e = a->ptr[s->perm[j]]; e < a->ptr[s->perm[j] + 1]; e++) {
            visit(l, s->inverse[a->row[e]], j, s->count);
        }
        if (parent >= 0) l->ancestor[j] = parent;
    }
    for (int j = 0; j < s->n; j++) {
        if (s->parent[j] >= 0) s->count[s->parent[j]] += s->count[j];
    }
}

// a: symmetric; in which order the entries of its columns come does not matter, so that it is not
// permuted
static CdStatus analyze_tree(CdSymbolic *s, CdArena *scratch, const CdPattern *a) {
    int *work[4];
    for (int w = 0; w < 4; w++) {
        work[w] = CD_TAKE(scratch, int, (size_t)s->n);
        if (!work[w]) return CD_NOMEM;
    }
    elimination_tree(s, a, work[0]);
    postorder(s->n, s->parent, s->post, work[0], work[1], work[2]);
    column_counts(s, a, &(Leaves){work[0], work[1], work[2], work[3]});
    for (int k = 0; k < s->n; k++) {
        s->nnz += s->count[k];
        s->flops += (double)s->count[k] * s->count[k];
    }
    return CD_OK;
}

static CdStatus analyze(CdContext *ctx, CdSymbolic *s, CdArena *scratch, const CdPattern *pattern,
                        CdOrder order, const int *given) {
    CdPattern *both = NULL;
    if (!cdi_pattern_is_symmetric(pattern)) {
        CD_TRY(cdi_pattern_symmetrize(ctx, pattern, NULL, &both));
        pattern = both;
    }
    CdStatus status = choose_order(ctx, scratch, pattern, order, given, s->perm);
    if (status == CD_OK) status = cdi_permutation_invert(ctx, s->n, s->perm, s->inverse);
    if (status == CD_OK) status = analyze_tree(s, scratch, pattern);
    cdi_pattern_free(both);
    return status;
}

static CdStatus alloc_symbolic(CdContext *ctx, int n, CdSymbolic **out) {
    CdSymbolic *s = *out = cdi_alloc(ctx, sizeof *s);
    if (!s) return CD_NOMEM;
    s->n = n;
    cdi_arena_init(&s->arena, ctx, 0);
    int **const arrays[] = {&s->perm, &s->inverse, &s->parent, &s->post, &s->count};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(&s->arena, int, (size_t)n);
        if (!*arrays[k]) return CD_NOMEM;
    }
    return CD_OK;
}

CdStatus cdi_symbolic_new(CdContext *ctx, const CdPattern *pattern, CdOrder order, const int *given,
                          CdSymbolic **out) {
    *out = NULL;
    if (pattern->rows != pattern->cols) {
        return cdi_fail(ctx, CD_INVALID, "a matrix to be factored must be square, not %d x %d",
                        pattern->rows, pattern->cols);
    }
    CdArena scratch;
    cdi_arena_init(&scratch, ctx, 0);
    CdStatus status = alloc_symbolic(ctx, pattern->cols, out);
    if (status == CD_OK) status = analyze(ctx, *out, &scratch, pattern, order, given);
    cdi_arena_clear(&scratch);
    if (status != CD_OK) {
        cdi_symbolic_free(*out);
        *out = NULL;
    }
    return status;
}

void cdi_symbolic_free(CdSymbolic *s) {
    if (!s) return;
    CdContext *ctx = s->arena.ctx;
    cdi_arena_clear(&s->arena);
    cdi_free(ctx, s);
}
