// order_degree.c - minimum degree: the unknown with the fewest neighbours is eliminated next
//
// Eliminating p joins its neighbours pairwise. Instead of their edges the set of them is kept, as
// the element p:
//
//   L_p = (vars(p) + L_e over the elements e that hold p) - p,  which absorbs those e
//
// and every unknown has a list of neighbours that no element covers, then one of its elements. In
// exchange for p or what p absorbs it gets p, so lists never grow. Degrees are exact,
// |vars(i) + L_e over the elements of i| - 1, and ties go to the unknown that came last. George &
// Liu, SIAM Review 31 (1989) 1.
#include "linalg/order.h"

typedef struct Graph {
    int n;
    int *start, *nvars, *nelements, *list; // of unknowns: vars, then elements
    int **member, *nmembers;               // of elements; -1 members: absorbed, or no element yet
    int *mark, stamp;
    int *found;                              // L_p on its way
    int *degree, *head, *next, *prev, least; // unknowns by degree
} Graph;

// ---- unknowns by degree

static void enlist(Graph *g, int i, int degree) {
    const int first = g->head[degree];
    g->degree[i] = degree;
    g->next[i] = first;
    g->prev[i] = -1;
    if (first >= 0) g->prev[first] = i;
    g->head[degree] = i;
    if (degree < g->least) g->least = degree;
}

static void delist(Graph *g, int i) {
    const int before = g->prev[i], after = g->next[i];
    *(before >= 0 ? &g->next[before] : &g->head[g->degree[i]]) = after;
    if (after >= 0) g->prev[after] = before;
}

static int pick(Graph *g) {
    while (g->head[g->least] < 0) g->least++;
    return g->head[g->least];
}

// ---- elimination

static int *vars(const Graph *g, int i) {
    return g->list + g->start[i];
}

static int *elements(const Graph *g, int i) {
    return vars(g, i) + g->nvars[i];
}

// those of list[0..count) that are not marked are marked, and appended to `to` unless that is NULL;
// how many
static int mark_new(Graph *g, const int *list, int count, int *to) {
    int n = 0;
    for (int k = 0; k < count; k++) {
        if (g->mark[list[k]] == g->stamp) continue;
        g->mark[list[k]] = g->stamp;
        if (to) to[n] = list[k];
        n++;
    }
    return n;
}

// all that i meets, but i; `to` as above
static int neighbours(Graph *g, int i, int *to) {
    g->stamp++;
    g->mark[i] = g->stamp;
    int n = mark_new(g, vars(g, i), g->nvars[i], to);
    for (int k = 0; k < g->nelements[i]; k++) {
        const int e = elements(g, i)[k];
        n += mark_new(g, g->member[e], g->nmembers[e], to ? to + n : NULL);
    }
    return n;
}

// in the lists of i, a member of L_p, p takes the place of itself or of what it absorbed; members
// of L_p are marked
static void replace(Graph *g, int i, int p) {
    int *list = vars(g, i), n = 0;
    const int nvars = g->nvars[i], all = nvars + g->nelements[i];
    for (int k = 0; k < nvars; k++) {
        if (g->mark[list[k]] != g->stamp) list[n++] = list[k];
    }
    g->nvars[i] = n;
    for (int k = nvars; k < all; k++) {
        if (g->nmembers[list[k]] >= 0) list[n++] = list[k];
    }
    list[n++] = p;
    g->nelements[i] = n - g->nvars[i];
}

static CdStatus eliminate(Graph *g, CdArena *scratch, int p) {
    const int n = neighbours(g, p, g->found);
    int *member = CD_TAKE(scratch, int, (size_t)n);
    if (!member) return CD_NOMEM;
    for (int k = 0; k < n; k++) member[k] = g->found[k];
    for (int k = 0; k < g->nelements[p]; k++) g->nmembers[elements(g, p)[k]] = -1;
    for (int k = 0; k < n; k++) replace(g, member[k], p);
    g->member[p] = member;
    g->nmembers[p] = n;
    for (int k = 0; k < n; k++) {
        delist(g, member[k]);
        enlist(g, member[k], neighbours(g, member[k], NULL));
    }
    return CD_OK;
}

// ---- the graph of a pattern

static CdStatus take(Graph *g, CdArena *scratch, const CdPattern *s) {
    int **const arrays[] = {&g->start, &g->nvars,  &g->nelements, &g->nmembers, &g->mark,
                            &g->found, &g->degree, &g->head,      &g->next,     &g->prev};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(scratch, int, (size_t)g->n + 1);
        if (!*arrays[k]) return CD_NOMEM;
    }
    g->list = CD_TAKE(scratch, int, (size_t)s->nnz + 1);
    g->member = CD_TAKE(scratch, int *, (size_t)g->n + 1);
    return g->list && g->member ? CD_OK : CD_NOMEM;
}

static void fill(Graph *g, const CdPattern *s) {
    int used = 0;
    for (int j = 0; j < g->n; j++) {
        g->start[j] = used;
        g->head[j] = g->nmembers[j] = -1;
        for (int k = s->ptr[j]; k < s->ptr[j + 1]; k++) {
            if (s->row[k] != j) g->list[used++] = s->row[k];
        }
        g->nvars[j] = used - g->start[j];
    }
    g->least = g->n;
    for (int j = g->n - 1; j >= 0; j--) enlist(g, j, g->nvars[j]);
}

CdStatus cdi_order_degree(CdArena *scratch, const CdPattern *s, int *perm) {
    Graph g = {.n = s->cols};
    CD_TRY(take(&g, scratch, s));
    fill(&g, s);
    for (int k = 0; k < g.n; k++) {
        perm[k] = pick(&g);
        delist(&g, perm[k]);
        CD_TRY(eliminate(&g, scratch, perm[k]));
    }
    return CD_OK;
}
