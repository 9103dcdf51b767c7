// native_order.c - an order of elimination whose pivots stay away from zero without a search
//
//   [M G^T] : a multiplier has nothing on the diagonal until an unknown of M that it acts on is
//   [G  0 ]   eliminated; then  -g m^-1 g^T,  to which others only add
//
// Every weak unknown (multipliers mostly) gets a partner with a diagonal that no other has: of the
// candidates the one that meets the fewest multipliers with a partner, which leads from the ground
// outwards, from parent to child. Both are then one node for the fill-reducing order, so that a
// joint is eliminated after its child body. A weak unknown without a partner closes a loop or is
// redundant; it follows all unknowns that it acts on.
// Duff & Pralet, SIAM J. Matrix Anal. Appl. 27 (2005) 313; Vanderbei, SIAM J. Optim. 5 (1995) 100.
#include <math.h>

#include "linalg/native.h"
#include "linalg/order.h"

// a_ij a_ji over a_ii a_jj from where one of the two diagonals is weak
#define WEAK 100
// part of the strongest coupling that a partner must have
#define PARTNER 0.05

typedef struct Order {
    CdContext *ctx;
    const CdPattern *p;
    const double *v;
    int n;
    bool *weak;
    const double *diagonal;
    double *dominance; // |a_ii| over the largest of its column
    double *scale;     // of weak unknowns: strongest coupling
    int *partner;      // -1: none
    int *crowd;        // of strong unknowns: weak ones with a partner that they meet
    int *left;         // of weak unknowns: partners they could have
    int *head, *next, *prev; // weak unknowns by `left`
} Order;

// |a_ij a_ji / a_jj| of entry k in column i of row j; 0 where the pattern has no a_ij
static double coupling(const Order *o, int i, int k) {
    const int j = o->p->row[k], back = cdi_pattern_slot(o->p, i, j);
    if (i == j || back < 0 || o->diagonal[j] == 0) return 0;
    return fabs(o->v[k] * o->v[back] / o->diagonal[j]);
}

// ---- weak unknowns

static void find_diagonals(const Order *o, double *diagonal) {
    for (int j = 0; j < o->n; j++) {
        double max = 0;
        for (int k = o->p->ptr[j]; k < o->p->ptr[j + 1]; k++) {
            max = fmax(max, fabs(o->v[k]));
            if (o->p->row[k] == j) diagonal[j] = o->v[k];
        }
        o->dominance[j] = max > 0 ? fabs(diagonal[j]) / max : 0;
        o->weak[j] = diagonal[j] == 0;
    }
}

// of two unknowns that are too strongly coupled for their diagonals the less dominant one is weak
static void find_weak(const Order *o) {
    for (int j = 0; j < o->n; j++) {
        for (int k = o->p->ptr[j]; k < o->p->ptr[j + 1]; k++) {
            const int i = o->p->row[k];
            if (i <= j || o->diagonal[i] == 0 || o->diagonal[j] == 0) continue;
            if (coupling(o, j, k) <= WEAK * fabs(o->diagonal[j])) continue;
            o->weak[o->dominance[i] < o->dominance[j] ? i : j] = true;
        }
    }
}

// ---- partners

static bool candidate(const Order *o, int i, int k) {
    const int j = o->p->row[k];
    return !o->weak[j] && o->partner[j] < 0 && coupling(o, i, k) > PARTNER * o->scale[i];
}

static void enlist(Order *o, int i) {
    const int first = o->head[o->left[i]];
    o->prev[i] = -1;
    o->next[i] = first;
    if (first >= 0) o->prev[first] = i;
    o->head[o->left[i]] = i;
}

static void delist(Order *o, int i) {
    if (o->prev[i] >= 0) {
        o->next[o->prev[i]] = o->next[i];
    } else {
        o->head[o->left[i]] = o->next[i];
    }
    if (o->next[i] >= 0) o->prev[o->next[i]] = o->prev[i];
}

static bool better(const Order *o, int j, int than) {
    if (than < 0 || o->crowd[j] != o->crowd[than]) return than < 0 || o->crowd[j] < o->crowd[than];
    const int *ptr = o->p->ptr;
    return ptr[j + 1] - ptr[j] < ptr[than + 1] - ptr[than];
}

static int choose(const Order *o, int i) {
    int best = -1;
    for (int k = o->p->ptr[i]; k < o->p->ptr[i + 1]; k++) {
        if (candidate(o, i, k) && better(o, o->p->row[k], best)) best = o->p->row[k];
    }
    return best;
}

// i has partner j: others that wanted j have one less to choose from
static void join(Order *o, int i, int j) {
    for (int k = o->p->ptr[j]; k < o->p->ptr[j + 1]; k++) {
        const int other = o->p->row[k];
        if (!o->weak[other] || other == i || o->left[other] < 0) continue;
        const int slot = cdi_pattern_slot(o->p, j, other);
        if (slot < 0 || !candidate(o, other, slot)) continue;
        delist(o, other);
        o->left[other]--;
        enlist(o, other);
    }
    o->partner[i] = j;
    o->partner[j] = i;
    for (int k = o->p->ptr[i]; k < o->p->ptr[i + 1]; k++) o->crowd[o->p->row[k]]++;
}

static void count_candidates(Order *o) {
    for (int i = 0; i < o->n; i++) {
        o->left[i] = -1;
        if (!o->weak[i]) continue;
        for (int k = o->p->ptr[i]; k < o->p->ptr[i + 1]; k++) {
            if (!o->weak[o->p->row[k]]) o->scale[i] = fmax(o->scale[i], coupling(o, i, k));
        }
        o->left[i] = 0;
        for (int k = o->p->ptr[i]; k < o->p->ptr[i + 1]; k++) o->left[i] += candidate(o, i, k);
    }
    for (int i = o->n - 1; i >= 0; i--) {
        if (o->weak[i]) enlist(o, i);
    }
}

// those with the least choice first
static void find_partners(Order *o) {
    for (int k = 0; k <= o->n; k++) o->head[k] = -1;
    for (int i = 0; i < o->n; i++) o->partner[i] = -1;
    count_candidates(o);
    for (int least = 0; least <= o->n;) {
        const int i = o->head[least];
        if (i < 0) {
            least++;
            continue;
        }
        const int j = choose(o, i);
        delist(o, i);
        o->left[i] = -1;
        if (j >= 0) join(o, i, j);
        least = least > 1 ? least - 1 : 0;
    }
}

// ---- nodes

static int number_nodes(const Order *o, int *node) {
    int n = 0;
    for (int i = 0; i < o->n; i++) {
        const int with = o->partner[i];
        node[i] = with >= 0 && with < i ? node[with] : n++;
    }
    return n;
}

static CdStatus order_nodes(const Order *o, const int *node, int nnodes, CdSymbolic **out) {
    CdPatternBuilder b;
    CdPattern *nodes;
    cdi_pattern_begin(&b, o->ctx, nnodes, nnodes, true);
    for (int j = 0; j < o->n; j++) {
        for (int k = o->p->ptr[j]; k < o->p->ptr[j + 1]; k++) {
            if (node[o->p->row[k]] != node[j]) cdi_pattern_add(&b, node[o->p->row[k]], node[j]);
        }
    }
    CD_TRY(cdi_pattern_end(&b, &nodes));
    const CdStatus status = cdi_symbolic_new(o->ctx, nodes, CD_ORDER_AMD, NULL, out);
    cdi_pattern_free(nodes);
    return status;
}

// the last of the nodes that a weak unknown without a partner acts on
static int last_met(const Order *o, const int *node, const int *place, int i) {
    int last = -1;
    for (int k = o->p->ptr[i]; k < o->p->ptr[i + 1]; k++) {
        const int j = o->p->row[k];
        if (!o->weak[j] && (last < 0 || place[node[j]] > place[last])) last = node[j];
    }
    return last;
}

// nodes in their order, partners first, and behind a node the unknowns that waited for it
static void unfold(Order *o, const int *node, const CdSymbolic *nodes, int *perm) {
    int *waiting = o->head, *behind = o->next, *member = o->prev, at = 0;
    for (int k = 0; k < nodes->n; k++) waiting[k] = member[k] = -1;
    for (int i = o->n - 1; i >= 0; i--) {
        const int last = o->weak[i] && o->partner[i] < 0 ? last_met(o, node, nodes->inverse, i) : -1;
        behind[i] = -1;
        if (last >= 0) {
            behind[i] = waiting[last];
            waiting[last] = i;
        } else if (!(o->weak[i] && o->partner[i] >= 0)) {
            member[node[i]] = i;
        }
    }
    for (int k = 0; k < nodes->n; k++) {
        const int name = nodes->perm[k], i = member[name];
        if (i < 0) continue;
        perm[at++] = i;
        if (o->partner[i] >= 0) perm[at++] = o->partner[i];
        for (int w = waiting[name]; w >= 0; w = behind[w]) perm[at++] = w;
    }
}

static CdStatus begin(Order *o, CdArena *scratch, const CdCsc *a, bool *weak) {
    const size_t n = (size_t)a->pattern->cols;
    double *diagonal = CD_TAKE(scratch, double, n);
    *o = (Order){.p = a->pattern, .v = a->v, .n = a->pattern->cols, .weak = weak};
    o->diagonal = diagonal;
    o->dominance = CD_TAKE(scratch, double, n);
    if (!diagonal || !o->dominance) return CD_NOMEM;
    find_diagonals(o, diagonal);
    find_weak(o);
    return CD_OK;
}

CdStatus cdi_native_weak(CdArena *scratch, const CdCsc *a, bool *weak) {
    Order o;
    return begin(&o, scratch, a, weak);
}

CdStatus cdi_native_order(CdContext *ctx, CdArena *scratch, const CdCsc *a, bool *weak, int *perm) {
    Order o;
    CdSymbolic *nodes;
    int *node;
    CD_TRY(begin(&o, scratch, a, weak));
    o.ctx = ctx;
    o.scale = CD_TAKE(scratch, double, (size_t)o.n);
    if (!o.scale) return CD_NOMEM;
    int **const arrays[] = {&node, &o.partner, &o.crowd, &o.left, &o.head, &o.next, &o.prev};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(scratch, int, (size_t)o.n + 1);
        if (!*arrays[k]) return CD_NOMEM;
    }
    find_partners(&o);
    const int nnodes = number_nodes(&o, node);
    CD_TRY(order_nodes(&o, node, nnodes, &nodes));
    unfold(&o, node, nodes, perm);
    cdi_symbolic_free(nodes);
    return CD_OK;
}
