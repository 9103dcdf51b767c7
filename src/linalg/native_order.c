// native_order.c - an order of elimination whose pivots stay away from zero without a search
//
//   [M G^T] : a multiplier has nothing on the diagonal until the unknowns of M that it acts on are
//   [G  0 ]   eliminated; then  -g m^-1 g^T,  to which others only add
//
// Unknowns come in groups (bodies and joints, or each for itself). Every weak group (joints mostly)
// gets a partner with a diagonal that no other has and that can hold its rows: of the candidates
// the one that meets the fewest joints with a partner, which leads from the ground outwards, from
// parent to child. Both are then one node for the fill-reducing order, so that a joint is
// eliminated right after its child body, which is safe in any order of the nodes. Of nodes that all
// meet each other children come before their parents, so that no joint is left behind among the
// rows of a body. A joint without a partner closes a loop: it follows the bodies that it acts on,
// or, if they alone give it no pivot, all of that loop.
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
    int off;    // of the last entry that was looked for, in its column
    bool *weak; // unknowns
    double *diagonal;
    double *dominance; // |a_ii| over the largest of its column
    // groups
    const int *group;
    int ngroups;
    CdPattern *q;          // who meets whom
    double *coupling;      // |a_ij a_ji / a_jj| of weak i (column) and strong j, largest of each
    int *start, *member;   // unknowns of a group
    int *need;             // weak unknowns in a group, 0: strong
    double *scale;         // strongest coupling of a weak group
    int *partner, *parent; // -1: none; parent of strong groups: other end of the partner
    int *crowd;            // weak groups with a partner that a strong one meets
    int *left;             // of weak groups: partners they could have, -1: decided
    int *head, *tail, *next, *prev; // weak groups by `left`
    int *node;
    CdiNativeWay way;
    // nodes: groups with their partners
    int nnodes;
    int *size;          // unknowns
    int *piece;         // that a chain was cut into, -1: none
    int *order, *place; // which node is next, and when it is
} Order;

// ---- weak unknowns

// |a_ij a_ji / a_jj| of entry k, row j in column i; 0 where the pattern has no a_ij
static double coupling(Order *o, int i, int k) {
    const int j = o->p->row[k];
    if (i == j || o->diagonal[j] == 0) return 0;
    const int back = cdi_pattern_slot_like(o->p, i, j, &o->off);
    if (back < 0) return 0;
    return fabs(o->v[k] * o->v[back] / o->diagonal[j]);
}

static void find_diagonals(Order *o) {
    for (int j = 0; j < o->n; j++) {
        double max = 0;
        o->diagonal[j] = 0;
        for (int k = o->p->ptr[j]; k < o->p->ptr[j + 1]; k++) {
            max = fmax(max, fabs(o->v[k]));
            if (o->p->row[k] == j) o->diagonal[j] = o->v[k];
        }
        o->dominance[j] = max > 0 ? fabs(o->diagonal[j]) / max : 0;
        o->weak[j] = o->diagonal[j] == 0;
    }
}

// of two unknowns that are too strongly coupled for their diagonals the less dominant one is weak
static void find_weak(Order *o) {
    for (int j = 0; j < o->n; j++) {
        for (int k = o->p->ptr[j]; k < o->p->ptr[j + 1]; k++) {
            const int i = o->p->row[k];
            if (i <= j || o->diagonal[i] == 0 || o->diagonal[j] == 0) continue;
            if (coupling(o, j, k) <= WEAK * fabs(o->diagonal[j])) continue;
            o->weak[o->dominance[i] < o->dominance[j] ? i : j] = true;
        }
    }
}

static void begin(Order *o, const CdCsc *a, double *work, bool *weak) {
    const int n = a->pattern->cols;
    *o = (Order){.p = a->pattern, .v = a->v, .n = n, .weak = weak};
    o->diagonal = work;
    o->dominance = work + n;
    find_diagonals(o);
    find_weak(o);
}

void cdi_native_weak(const CdCsc *a, double *work, bool *weak) {
    Order o;
    begin(&o, a, work, weak);
}

// ---- groups

// numbers without gaps, in the order in which they come
static CdStatus number_groups(Order *o, CdArena *scratch, const int *given) {
    int *group = CD_TAKE(scratch, int, (size_t)o->n), *name = CD_TAKE(scratch, int, (size_t)o->n);
    if (!group || !name) return CD_NOMEM;
    o->group = group;
    for (int i = 0; i < o->n; i++) name[i] = -1;
    for (int i = 0; i < o->n; i++) {
        const int g = given ? given[i] : i;
        if (g < 0 || g >= o->n) {
            return cdi_fail(o->ctx, CD_INVALID, "unknown %d is in group %d, not in 0 ... %d", i, g,
                            o->n - 1);
        }
        if (name[g] < 0) name[g] = o->ngroups++;
        group[i] = name[g];
    }
    return CD_OK;
}

static CdStatus take_groups(Order *o, CdArena *scratch) {
    int **const arrays[] = {&o->start, &o->member, &o->need, &o->partner, &o->parent, &o->crowd,
                            &o->left,  &o->head,   &o->tail, &o->next,    &o->prev,   &o->node};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(scratch, int, (size_t)o->n + 2);
        if (!*arrays[k]) return CD_NOMEM;
    }
    o->coupling = CD_TAKE(scratch, double, (size_t)o->q->nnz);
    o->scale = CD_TAKE(scratch, double, (size_t)o->ngroups);
    return o->coupling && o->scale ? CD_OK : CD_NOMEM;
}

static CdStatus quotient(Order *o) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, o->ctx, o->ngroups, o->ngroups, true);
    for (int j = 0; j < o->n; j++) {
        int last = o->group[j];
        for (int k = o->p->ptr[j]; k < o->p->ptr[j + 1]; k++) {
            const int g = o->group[o->p->row[k]];
            if (g != last && g != o->group[j]) cdi_pattern_add(&b, g, o->group[j]);
            last = g;
        }
    }
    return cdi_pattern_end(&b, &o->q);
}

static void list_members(Order *o) {
    for (int i = 0; i < o->n; i++) o->start[o->group[i] + 2]++;
    for (int g = 0; g < o->ngroups; g++) o->start[g + 2] += o->start[g + 1];
    for (int i = 0; i < o->n; i++) o->member[o->start[o->group[i] + 1]++] = i;
    for (int i = 0; i < o->n; i++) o->need[o->group[i]] += o->weak[i];
}

static int size_of(const Order *o, int g) {
    return o->start[g + 1] - o->start[g];
}

static void couple(Order *o) {
    for (int i = 0; i < o->n; i++) {
        const int g = o->group[i];
        for (int k = o->p->ptr[i]; o->weak[i] && k < o->p->ptr[i + 1]; k++) {
            const int h = o->group[o->p->row[k]];
            if (h == g || o->need[h] > 0) continue;
            double *most = &o->coupling[cdi_pattern_slot(o->q, h, g)];
            *most = fmax(*most, coupling(o, i, k));
            o->scale[g] = fmax(o->scale[g], *most);
        }
    }
}

// ---- partners

// of the weak group g, for entry k of its column
static bool candidate(const Order *o, int g, int k) {
    const int h = o->q->row[k];
    return o->need[h] == 0 && o->partner[h] < 0 && o->need[g] <= size_of(o, h) &&
           o->coupling[k] > PARTNER * o->scale[g];
}

// as the last, so that all around the ground come before those further out
static void enlist(Order *o, int g) {
    const int last = o->tail[o->left[g]];
    o->next[g] = -1;
    o->prev[g] = last;
    *(last >= 0 ? &o->next[last] : &o->head[o->left[g]]) = g;
    o->tail[o->left[g]] = g;
}

static void delist(Order *o, int g) {
    const int before = o->prev[g], after = o->next[g];
    *(before >= 0 ? &o->next[before] : &o->head[o->left[g]]) = after;
    *(after >= 0 ? &o->prev[after] : &o->tail[o->left[g]]) = before;
}

static bool better(const Order *o, int h, int than) {
    if (than < 0 || o->crowd[h] != o->crowd[than]) return than < 0 || o->crowd[h] < o->crowd[than];
    const int *ptr = o->q->ptr;
    return ptr[h + 1] - ptr[h] < ptr[than + 1] - ptr[than];
}

static int choose(const Order *o, int g) {
    int best = -1;
    for (int k = o->q->ptr[g]; k < o->q->ptr[g + 1]; k++) {
        if (candidate(o, g, k) && better(o, o->q->row[k], best)) best = o->q->row[k];
    }
    return best;
}

// g has partner h: others that wanted h have one less to choose from
static void join(Order *o, int g, int h) {
    for (int k = o->q->ptr[h]; k < o->q->ptr[h + 1]; k++) {
        const int other = o->q->row[k];
        if (o->need[other] == 0 || other == g || o->left[other] < 0) continue;
        if (!candidate(o, other, cdi_pattern_slot(o->q, h, other))) continue;
        delist(o, other);
        o->left[other]--;
        enlist(o, other);
    }
    o->partner[g] = h;
    o->partner[h] = g;
    for (int k = o->q->ptr[g]; k < o->q->ptr[g + 1]; k++) {
        const int met = o->q->row[k];
        o->crowd[met]++;
        if (o->need[met] == 0 && met != h) o->parent[h] = met;
    }
}

static void count_candidates(Order *o) {
    for (int g = 0; g < o->ngroups; g++) {
        o->left[g] = -1;
        o->partner[g] = o->parent[g] = o->head[g] = o->tail[g] = -1;
    }
    o->head[o->ngroups] = o->tail[o->ngroups] = -1;
    for (int g = 0; g < o->ngroups; g++) {
        if (o->need[g] == 0) continue;
        o->left[g] = 0;
        for (int k = o->q->ptr[g]; k < o->q->ptr[g + 1]; k++) o->left[g] += candidate(o, g, k);
    }
    for (int g = 0; g < o->ngroups; g++) {
        if (o->need[g] > 0) enlist(o, g);
    }
}

// those with the least choice first
static void find_partners(Order *o) {
    count_candidates(o);
    for (int least = 0; least <= o->ngroups;) {
        const int g = o->head[least];
        if (g < 0) {
            least++;
            continue;
        }
        const int h = choose(o, g);
        delist(o, g);
        o->left[g] = -1;
        if (h >= 0) join(o, g, h);
        least = least > 1 ? least - 1 : 0;
    }
}

// ---- nodes

static int number_nodes(Order *o) {
    int n = 0;
    for (int g = 0; g < o->ngroups; g++) {
        const int with = o->partner[g];
        o->node[g] = with >= 0 && with < g ? o->node[with] : n++;
    }
    return n;
}

static CdStatus node_pattern(Order *o, CdPattern **nodes) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, o->ctx, o->nnodes, o->nnodes, true);
    for (int g = 0; g < o->ngroups; g++) {
        for (int k = o->q->ptr[g]; k < o->q->ptr[g + 1]; k++) {
            const int h = o->q->row[k];
            if (h < g && o->node[h] != o->node[g]) cdi_pattern_add(&b, o->node[h], o->node[g]);
        }
    }
    return cdi_pattern_end(&b, nodes);
}

// the body that a joint holds a strong group on, -1: none, or what holds it is no joint of two
static int hangs_on(const Order *o, int h) {
    const int g = o->partner[h];
    int met = 0;
    for (int k = g < 0 ? 0 : o->q->ptr[g]; g >= 0 && k < o->q->ptr[g + 1]; k++) {
        met += o->need[o->q->row[k]] == 0;
    }
    return met > 2 ? -1 : o->parent[h];
}

// of strong groups: how many there are up to the ground, itself counted
static void find_depths(const Order *o, int *depth) {
    for (int g = 0; g < o->ngroups; g++) {
        int n = 0, h = g;
        for (; h >= 0 && depth[h] == 0; h = hangs_on(o, h), n++) depth[h] = -1;
        if (h >= 0 && depth[h] > 0) n += depth[h];
        for (h = g; h >= 0 && depth[h] < 0; h = hangs_on(o, h), n--) depth[h] = n;
    }
}

static void sort_by_depth(const int *depth, int n, int *order) {
    for (int i = 1; i < n; i++) {
        const int node = order[i];
        int k = i;
        for (; k > 0 && depth[order[k - 1]] < depth[node]; k--) order[k] = order[k - 1];
        order[k] = node;
    }
}

// nodes in postorder; those that all meet each other and the same others further out first
static CdStatus put_outer_first(Order *o, CdArena *scratch, const CdPattern *nodes) {
    CdSymbolic *s;
    int *depth = CD_TAKE(scratch, int, (size_t)o->ngroups);
    int *outer = CD_TAKE(scratch, int, (size_t)o->nnodes);
    if (!depth || !outer) return CD_NOMEM;
    CD_TRY(cdi_symbolic_new(o->ctx, nodes, CD_ORDER_GIVEN, o->order, &s));
    find_depths(o, depth);
    for (int g = 0; g < o->ngroups; g++) {
        if (o->need[g] == 0) outer[o->node[g]] = depth[g];
    }
    for (int k = 0, begin = 0; k < o->nnodes; k++) {
        const int step = s->post[k];
        const bool last = k + 1 == o->nnodes || s->parent[step] != s->post[k + 1] ||
                          s->count[step] != s->count[s->post[k + 1]] + 1;
        o->order[k] = s->perm[step];
        if (!last) continue;
        sort_by_depth(outer, k + 1 - begin, o->order + begin);
        begin = k + 1;
    }
    cdi_symbolic_free(s);
    return CD_OK;
}

// strong groups meet weak ones only
static bool is_loose(const Order *o) {
    for (int g = 0; g < o->ngroups; g++) {
        for (int k = o->q->ptr[g]; o->need[g] == 0 && k < o->q->ptr[g + 1]; k++) {
            if (o->q->row[k] != g && o->need[o->q->row[k]] == 0) return false;
        }
    }
    return true;
}

static CdStatus order_nodes(Order *o, CdArena *scratch) {
    CdPattern *nodes;
    o->nnodes = number_nodes(o);
    int **const arrays[] = {&o->size, &o->piece, &o->order, &o->place};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(scratch, int, (size_t)o->nnodes);
        if (!*arrays[k]) return CD_NOMEM;
    }
    for (int g = 0; g < o->ngroups; g++) o->size[o->node[g]] += size_of(o, g);
    CD_TRY(node_pattern(o, &nodes));
    const CdiNodes all = {.pattern = nodes, .size = o->size, .loose = is_loose(o)};
    CdStatus status = cdi_native_dissect(o->ctx, scratch, &all, o->way.cut, o->piece, o->order);
    if (status == CD_OK) status = put_outer_first(o, scratch, nodes);
    cdi_pattern_free(nodes);
    for (int k = 0; status == CD_OK && k < o->nnodes; k++) o->place[o->order[k]] = k;
    return status;
}

// the later of two nodes, -1: none
static int later(const int *place, int a, int b) {
    return a < 0 || (b >= 0 && place[b] > place[a]) ? b : a;
}

// the last node from a strong group up to where its loop is closed, of those not marked
static int last_on_path(const Order *o, const int *place, const int *mark, int h, int g) {
    int last = -1;
    for (int k = 0; h >= 0 && mark[h] != g && k < o->way.loop; k++, h = o->parent[h]) {
        last = later(place, last, o->node[h]);
    }
    return last;
}

// the ends of the loop that the weak group g closes; those above where they meet are not in it
static int last_in_loop(Order *o, const int *place, int *mark, int g) {
    int last = -1, ends[2] = {-1, -1}, nends = 0;
    for (int k = o->q->ptr[g]; k < o->q->ptr[g + 1]; k++) {
        const int h = o->q->row[k];
        if (o->need[h] > 0) continue;
        last = later(place, last, o->node[h]);
        if (nends < 2) ends[nends] = h;
        nends++;
    }
    if (nends > 2) return last;
    // from one end up all are marked, the other goes up to the first that is
    int h = ends[0];
    for (int k = 0; h >= 0 && k < o->way.loop; k++, h = o->parent[h]) mark[h] = g;
    const int top = last_on_path(o, place, mark, ends[1], g);
    h = ends[1];
    for (int k = 0; h >= 0 && mark[h] != g && k < o->way.loop; k++) h = o->parent[h];
    const int meets = h >= 0 && mark[h] == g ? h : -1;
    last = later(place, last, top);
    h = ends[0];
    for (int k = 0; h >= 0 && h != meets && k < o->way.loop; k++, h = o->parent[h]) {
        last = later(place, last, o->node[h]);
    }
    return last;
}

static int put_group(const Order *o, int g, int *perm, int at) {
    for (int k = o->start[g]; k < o->start[g + 1]; k++) perm[at++] = o->member[k];
    return at;
}

// a group without a partner waits for its loop, but not if it separates pieces and that does not
static int waits_for(Order *o, int *mark, int g) {
    const int last = last_in_loop(o, o->place, mark, g);
    return last >= 0 && o->piece[o->node[g]] < 0 && o->piece[last] >= 0 ? -1 : last;
}

// nodes in their order, partners first, and behind a node the groups that waited for it
static void unfold(Order *o, int *perm) {
    int *waiting = o->head, *behind = o->next, *first = o->prev, *mark = o->left, at = 0;
    for (int k = 0; k < o->nnodes; k++) waiting[k] = first[k] = -1;
    for (int g = 0; g < o->ngroups; g++) mark[g] = -1;
    for (int g = o->ngroups - 1; g >= 0; g--) {
        const bool alone = o->need[g] > 0 && o->partner[g] < 0;
        const int last = alone ? waits_for(o, mark, g) : -1;
        if (last >= 0) {
            behind[g] = waiting[last];
            waiting[last] = g;
            o->node[g] = last;
        } else if (o->need[g] == 0 || alone) {
            first[o->node[g]] = g;
        }
    }
    for (int k = 0; k < o->nnodes; k++) {
        const int name = o->order[k], g = first[name];
        if (g < 0) continue;
        at = put_group(o, g, perm, at);
        if (o->partner[g] >= 0) at = put_group(o, o->partner[g], perm, at);
        for (int w = waiting[name]; w >= 0; w = behind[w]) at = put_group(o, w, perm, at);
    }
}

static CdStatus order_groups(Order *o, CdArena *scratch, int *piece, int *perm) {
    CD_TRY(take_groups(o, scratch));
    list_members(o);
    couple(o);
    find_partners(o);
    CD_TRY(order_nodes(o, scratch));
    unfold(o, perm);
    for (int i = 0; i < o->n; i++) piece[i] = o->piece[o->node[o->group[i]]];
    return CD_OK;
}

// without a look at bodies and joints
static CdStatus order_plainly(const Order *o, int *piece, int *perm) {
    CdSymbolic *s;
    const CdOrder order = o->way.given ? CD_ORDER_GIVEN : CD_ORDER_AMD;
    CD_TRY(cdi_symbolic_new(o->ctx, o->p, order, o->way.given, &s));
    memcpy(perm, s->perm, (size_t)o->n * sizeof *perm);
    cdi_symbolic_free(s);
    for (int i = 0; i < o->n; i++) piece[i] = -1;
    return CD_OK;
}

CdStatus cdi_native_order(CdContext *ctx, CdArena *scratch, const CdCsc *a, const int *group,
                          CdiNativeWay way, bool *weak, int *piece, int *perm) {
    Order o;
    double *work = CD_TAKE(scratch, double, 2 * (size_t)a->pattern->cols);
    if (!work) return CD_NOMEM;
    begin(&o, a, work, weak);
    o.ctx = ctx;
    o.way = way;
    if (way.given || way.plain) return order_plainly(&o, piece, perm);
    CD_TRY(number_groups(&o, scratch, group));
    CD_TRY(quotient(&o));
    const CdStatus status = order_groups(&o, scratch, piece, perm);
    cdi_pattern_free(o.q);
    return status;
}
