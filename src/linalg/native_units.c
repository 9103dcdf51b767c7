// native_units.c - parts of a tree of supernodes: their panels, steps, and where every number goes
//
// Systems of one unit have the same part; that of the first is laid out. Steps of a unit are those
// of its columns, system by system within a column, and behind them room for what it meets outside.
#include <limits.h>
#include <string.h>

#include "linalg/native.h"

// where an entry of A goes
typedef struct Entry {
    int unit, lane, place; // unit -1: nowhere
    int chunk;             // of units that are not wide
} Entry;

typedef struct Units {
    CdContext *ctx;
    CdArena *scratch;
    const CdPattern *p;
    const CdiSupertree *s;
    const CdiDivision *d;
    CdiNativeTree *t;
    CdiNativePart *parts; // by unit, the last one of the top
    int *local;           // of a step of the tree: column of its part
    int *home;            // of a supernode of the tree: in its part
    int *outer;           // of a step of the tree: column behind those of the part at work
    int *lane;            // of a supernode of the tree: system of its unit
    Entry *entries;       // of A
    int **met;            // by unit: numbers of x that all systems like it have
    int *list, *owner;    // rows at work: columns of a part, and their supernodes there
    int last;             // place among the rows of a supernode that was found last
} Units;

static CdStatus too_large(CdContext *ctx) {
    return cdi_fail(ctx, CD_LIMIT, "linear solver 'native': the factors are too large");
}

static CdStatus take(Units *u, CdArena *scratch) {
    const size_t n = (size_t)u->s->n, nodes = (size_t)u->s->nsupernodes;
    int **const arrays[] = {&u->local, &u->outer, &u->list, &u->owner, &u->home, &u->lane};
    const size_t sizes[] = {n, n, n, n, nodes, nodes};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(scratch, int, sizes[k]);
        if (!*arrays[k]) return CD_NOMEM;
    }
    CdiNativeTree *t = u->t;
    const size_t nunits = (size_t)u->d->nunits;
    size_t nedges = 0;
    for (size_t k = 0; k < nunits; k++) nedges += (size_t)u->d->units[k].count;
    u->parts = CD_TAKE(&t->arena, CdiNativePart, nunits + 1);
    t->units = CD_TAKE(&t->arena, CdiNativeUnit, nunits + 1);
    t->edges = CD_TAKE(&t->arena, CdiNativeEdge, nedges);
    t->nunits = u->d->nunits;
    return u->parts && t->units && t->edges ? CD_OK : CD_NOMEM;
}

// ---- numbers in parts

static void number_subtree(Units *u, int root, int lane) {
    const CdiSupernode *node = u->s->node;
    const int low = u->d->below[root];
    for (int k = low; k <= root; k++) {
        u->home[k] = k - low;
        u->lane[k] = lane;
    }
    const int begin = node[low].first, end = node[root].first + node[root].ncols;
    for (int k = begin; k < end; k++) u->local[k] = k - begin;
}

static void number_all(Units *u) {
    int nodes = 0, columns = 0;
    for (int k = 0; k < u->d->nunits; k++) {
        const struct CdiDivided *unit = &u->d->units[k];
        for (int i = 0; i < unit->count; i++) number_subtree(u, unit->root[i], i);
    }
    for (int k = 0; k < u->s->nsupernodes; k++) {
        if (u->d->unit[k] >= 0) continue;
        u->home[k] = nodes++;
        for (int i = 0; i < u->s->node[k].ncols; i++) u->local[u->s->node[k].first + i] = columns++;
    }
}

// ---- rows and targets

static int kind_of(const CdiSupernode *s) {
    const int bodies = s->nrows / CDI_NATIVE_BODY;
    if (s->ncols == 1 && s->nrows <= CDI_NATIVE_LIST_ROWS) return CDI_NATIVE_SINGLE;
    if (s->ncols != CDI_NATIVE_BODY_JOINT || bodies * CDI_NATIVE_BODY != s->nrows || bodies > 2)
        return CDI_NATIVE_ANY;
    return CDI_NATIVE_ROOT + bodies;
}

// rows of a supernode of the tree for the part of a subtree (root -1: for the top): list and owner
static void look_at_rows(Units *u, const CdiSupernode *s, int root, const CdiNativePart *part) {
    const CdiSupernode *top = root < 0 ? NULL : &u->s->node[root];
    const int end = top ? top->first + top->ncols : INT_MAX;
    for (int i = 0; i < s->nrows; i++) {
        const int row = u->s->rows[s->rows + i];
        u->list[i] = row < end ? u->local[row] : u->outer[row];
        u->owner[i] = row < end ? u->home[u->s->owner[row]] : part->nsupernodes;
    }
}

static int run_end(const Units *u, int nrows, int begin) {
    int end = begin;
    while (end < nrows && u->owner[end] == u->owner[begin]) end++;
    return end;
}

static void count_runs(const Units *u, int nrows, int64_t *ntargets, int64_t *nplaces) {
    for (int begin = 0; begin < nrows; begin = run_end(u, nrows, begin)) {
        ++*ntargets;
        *nplaces += nrows - begin;
    }
}

// where rows from `begin` on are in the panel of a supernode
static void find_places(const Units *u, int nrows, int begin, const CdiNativePart *part,
                        const CdiSupernode *to, int *place) {
    const int *theirs = part->rows + to->rows;
    int at = 0;
    for (int i = begin; i < nrows; i++) {
        if (u->list[i] < to->first + to->ncols) {
            *place++ = u->list[i] - to->first;
            continue;
        }
        while (theirs[at] != u->list[i]) at++;
        *place++ = to->ncols + at;
    }
}

// targets of the rows at work in a part; how many
static int put_targets(const Units *u, int nrows, const CdiNativePart *part, CdiTarget *target,
                       int *places, int *place) {
    int n = 0;
    for (int begin = 0, end; begin < nrows; begin = end) {
        const int to = u->owner[begin];
        end = run_end(u, nrows, begin);
        target[n++] = (CdiTarget){to, begin, end, *place};
        find_places(u, nrows, begin, part, &part->supernodes[to], places + *place);
        *place += nrows - begin;
    }
    return n;
}

static int column_of(const CdiNativePart *part, const CdiSupernode *s, int j) {
    return (int)cdi_native_column((size_t)s->ld, (size_t)part->group, (size_t)j);
}

// the numbers that a single column changes: all pairs of its rows; how many
static int put_list(const Units *u, int nrows, const CdiNativePart *part, int *list) {
    int n = 0;
    for (int j = 0; j < nrows; j++) {
        const CdiSupernode *to = &part->supernodes[u->owner[j]];
        find_places(u, nrows, j, part, to, list + n);
        const int column = to->at + column_of(part, to, u->list[j] - to->first);
        for (int i = j; i < nrows; i++) list[n++] += column;
    }
    return n;
}

static int64_t pairs_of(int n) {
    return (int64_t)n * (n + 1) / 2;
}

// ---- parts

// the supernodes of a part: those below a root, or those that no unit has; the next from k on
static int next_node(const Units *u, int root, int k) {
    if (root >= 0) return k <= root ? k : u->s->nsupernodes;
    while (k < u->s->nsupernodes && u->d->unit[k] >= 0) k++;
    return k;
}

static int first_node(const Units *u, int root) {
    return next_node(u, root, root < 0 ? 0 : u->d->below[root]);
}

// the last ones first; lists of single columns ask for the same distance everywhere
static void place_second(CdiNativePart *part) {
    bool single = false;
    for (int k = 0; k < part->nsupernodes; k++) {
        single = single || part->supernodes[k].kind == CDI_NATIVE_SINGLE;
    }
    for (int k = 0; k <= part->nsupernodes && part->second > 0; k++) {
        CdiSupernode *s = &part->supernodes[k];
        s->second =
            single ? part->second : 2 * (part->second - s->at) - (int)cdi_native_size(part, s);
    }
}

static CdStatus lay_out(Units *u, CdiNativePart *part, int width) {
    const int pad = CDI_NATIVE_LANES, panels = u->s->symmetric ? 1 : 2;
    int64_t at = 0;
    part->group = width > 1 ? CDI_NATIVE_PAIR : CDI_NATIVE_LANES;
    for (int k = 0; k <= part->nsupernodes; k++) {
        CdiSupernode *s = &part->supernodes[k];
        const int64_t height = (int64_t)s->ncols + s->nrows, room = (height + pad - 1) / pad * pad;
        s->ld = (int)height;
        s->at = (int)at;
        at += (int64_t)cdi_native_size(part, s);
        if (room > part->widest) part->widest = (int)room;
        if (k < part->nsupernodes && room * s->ncols > part->largest) {
            part->largest = room * s->ncols;
        }
        if (panels * at * width > INT_MAX - CDI_NATIVE_BEHIND) return too_large(u->ctx);
    }
    part->nx = panels * (int)at;
    part->second = panels > 1 ? (int)at : 0;
    place_second(part);
    return CD_OK;
}

static CdStatus start_part(Units *u, CdiNativePart *part, int root) {
    const int end = u->s->nsupernodes;
    size_t nrows = 0;
    for (int k = first_node(u, root); k < end; k = next_node(u, root, k + 1)) {
        part->nsupernodes++;
        part->n += u->s->node[k].ncols;
        nrows += (size_t)u->s->node[k].nrows;
    }
    if (root >= 0) part->nouter = u->s->node[root].nrows;
    for (int i = 0; i < part->nouter; i++) {
        u->outer[u->s->rows[u->s->node[root].rows + i]] = part->n + i;
    }
    part->supernodes = CD_TAKE(&u->t->arena, CdiSupernode, (size_t)part->nsupernodes + 1);
    part->rows = CD_TAKE(&u->t->arena, int, nrows);
    if (nrows > INT_MAX) return too_large(u->ctx);
    return part->supernodes && part->rows ? CD_OK : CD_NOMEM;
}

static CdStatus fill_part(Units *u, CdiNativePart *part, int root, int width) {
    const int end = u->s->nsupernodes;
    CdiSupernode *to = part->supernodes;
    int64_t ntargets = 0, nplaces = 0;
    int column = 0, row = 0;
    for (int k = first_node(u, root); k < end; k = next_node(u, root, k + 1), to++) {
        const CdiSupernode *s = &u->s->node[k];
        *to = (CdiSupernode){.first = column, .ncols = s->ncols, .nrows = s->nrows, .rows = row};
        to->kind = kind_of(to);
        look_at_rows(u, s, root, part);
        if (to->kind == CDI_NATIVE_SINGLE) {
            nplaces += pairs_of(s->nrows);
        } else {
            count_runs(u, s->nrows, &ntargets, &nplaces);
        }
        memcpy(part->rows + row, u->list, (size_t)s->nrows * sizeof *part->rows);
        column += s->ncols;
        row += s->nrows;
    }
    *to = (CdiSupernode){.first = part->n, .ncols = part->nouter, .rows = row};
    CD_TRY(lay_out(u, part, width));
    if (nplaces > INT_MAX) return too_large(u->ctx);
    part->targets = CD_TAKE(&u->t->arena, CdiTarget, (size_t)ntargets);
    part->places = CD_TAKE(&u->t->arena, int, (size_t)nplaces);
    return part->targets && part->places ? CD_OK : CD_NOMEM;
}

// ---- chains

// where a single column leads to, its first row; -1: it is none, or has no rows
static int leads_to(const CdiNativePart *part, int k) {
    const CdiSupernode *s = &part->supernodes[k];
    if (k == part->nsupernodes || s->kind != CDI_NATIVE_SINGLE || s->nrows == 0) return -1;
    return part->rows[s->rows];
}

// the row that a single column has beside the one that it leads to; -1: none
static int row_beside(const CdiNativePart *part, int k) {
    const CdiSupernode *s = &part->supernodes[k];
    return s->nrows > 1 ? part->rows[s->rows + 1] : -1;
}

// does each of these columns lead to the next, the last to `to`, with at most one row beside, which
// all of them have?
static bool is_straight(const CdiNativePart *part, int begin, int end, int to, int *beside) {
    *beside = row_beside(part, begin);
    for (int k = begin; k < end; k++) {
        if (part->supernodes[k].nrows > 2 || row_beside(part, k) != *beside) return false;
        if (leads_to(part, k) != (k + 1 < end ? k + 1 : to)) return false;
    }
    return true;
}

static int kind_of_chains(CdiNativePart *part, int a, int end) {
    int *beside = part->beside;
    if (!is_straight(part, 0, a, end, &beside[0]) || !is_straight(part, a, end, end, &beside[1])) {
        return 0;
    }
    if (beside[0] < 0 && beside[1] < 0) return CDI_NATIVE_STRAIGHT;
    return beside[0] >= 0 && beside[1] >= 0 && beside[0] != beside[1] ? CDI_NATIVE_BESIDE : 0;
}

// Columns 0 ... a - 1, each of which leads to the next and the last to `end`, and a ... end - 1:
// rows are those of columns further up the tree, so the two do not meet.
static void find_chains(CdiNativePart *part) {
    int a = 1;
    while (leads_to(part, a - 1) == a) a++;
    const int end = leads_to(part, a - 1);
    int k = a;
    while (k < end && part->supernodes[k].kind == CDI_NATIVE_SINGLE) k++;
    if (k < end || k == a) return;
    part->chain[0] = a;
    part->chain[1] = end - a;
    part->straight = kind_of_chains(part, a, end);
}

static CdStatus make_part(Units *u, CdiNativePart *part, int root, int width) {
    CD_TRY(start_part(u, part, root));
    CD_TRY(fill_part(u, part, root, width));
    int place = 0, target = 0;
    CdiSupernode *to = part->supernodes;
    for (int k = first_node(u, root); k < u->s->nsupernodes; k = next_node(u, root, k + 1), to++) {
        look_at_rows(u, &u->s->node[k], root, part);
        if (to->kind == CDI_NATIVE_SINGLE) {
            to->target = place;
            place += put_list(u, to->nrows, part, part->places + place);
            continue;
        }
        to->target = target;
        to->ntargets =
            put_targets(u, to->nrows, part, part->targets + target, part->places, &place);
        target += to->ntargets;
    }
    if (width > 1) find_chains(part);
    return CD_OK;
}

static CdStatus make_parts(Units *u) {
    CdiNativeTree *t = u->t;
    for (int k = 0; k < t->nunits; k++) {
        const struct CdiDivided *unit = &u->d->units[k];
        const int like = unit->like;
        if (like == k) CD_TRY(make_part(u, &u->parts[k], unit->root[0], unit->width));
        if (unit->width == 1) CD_TRY(cdi_native_chunks(u->scratch, &t->arena, &u->parts[k]));
        t->units[k] = (CdiNativeUnit){
            .part = &u->parts[like], .like = like, .width = unit->width, .count = unit->count};
    }
    CdiNativePart *top = &u->parts[t->nunits];
    CD_TRY(make_part(u, top, -1, 1));
    CD_TRY(cdi_native_chunks(u->scratch, &t->arena, top));
    t->units[t->nunits] = (CdiNativeUnit){.part = top, .like = t->nunits, .width = 1, .count = 1};
    return CD_OK;
}

// ---- steps

static CdStatus place_units(Units *u) {
    CdiNativeTree *t = u->t;
    int64_t step = 0;
    size_t x = 0;
    int edge = 0;
    for (int k = 0; k <= t->nunits; k++) {
        CdiNativeUnit *unit = &t->units[k];
        unit->x = x;
        unit->step = (int)step;
        unit->edge = edge;
        if (unit->width == 1 && (k == 0 || unit[-1].width > 1)) t->narrow = unit->step;
        if (k < t->nunits) edge += unit->count;
        x += (size_t)unit->part->nx * (size_t)unit->width + CDI_NATIVE_BEHIND;
        x = (x + CDI_NATIVE_WIDE - 1) / CDI_NATIVE_WIDE * CDI_NATIVE_WIDE;
        step += (int64_t)unit->width * ((int64_t)unit->part->n + unit->part->nouter);
        if (unit->width == 1) step += CDI_NATIVE_BEHIND;
        if (unit->width > 1 && unit->part->nouter > 0) step += CDI_NATIVE_APART;
        if (step > INT_MAX) return too_large(u->ctx);
    }
    t->nsteps = (int)step;
    t->nx = x;
    return CD_OK;
}

// copies of the first system have its unknowns
static CdStatus number_steps(Units *u) {
    CdiNativeTree *t = u->t;
    t->step = CD_TAKE(&t->arena, int, (size_t)t->n);
    t->perm = CD_TAKE(&t->arena, int, (size_t)t->nsteps);
    if (!t->step || !t->perm) return CD_NOMEM;
    for (int k = 0; k < t->nsteps; k++) t->perm[k] = -1;
    for (int i = 0; i < t->n; i++) {
        const int old = u->s->step[i], node = u->s->owner[old], name = u->d->unit[node];
        const CdiNativeUnit *unit = &t->units[name < 0 ? t->nunits : name];
        const int lane = name < 0 ? 0 : u->lane[node],
                  at = unit->step + unit->width * u->local[old];
        t->step[i] = at + lane;
        t->perm[at + lane] = i;
        for (int k = unit->count; lane == 0 && k < unit->width; k++) t->perm[at + k] = i;
    }
    return CD_OK;
}

// ---- edges

static CdStatus count_edges(Units *u) {
    CdiNativeTree *t = u->t;
    const CdiNativePart *top = t->units[t->nunits].part;
    int64_t nrows = 0, ntargets = 0, nplaces = 0;
    for (int k = 0; k < t->nunits; k++) {
        for (int i = 0; i < u->d->units[k].count; i++) {
            const CdiSupernode *s = &u->s->node[u->d->units[k].root[i]];
            look_at_rows(u, s, -1, top);
            count_runs(u, s->nrows, &ntargets, &nplaces);
            nrows += s->nrows;
        }
    }
    if (nplaces > INT_MAX) return too_large(u->ctx);
    t->edge_rows = CD_TAKE(&t->arena, int, (size_t)nrows);
    t->edge_targets = CD_TAKE(&t->arena, CdiTarget, (size_t)ntargets);
    t->edge_places = CD_TAKE(&t->arena, int, (size_t)nplaces);
    return t->edge_rows && t->edge_targets && t->edge_places ? CD_OK : CD_NOMEM;
}

static CdStatus find_edges(Units *u) {
    CdiNativeTree *t = u->t;
    const CdiNativePart *top = t->units[t->nunits].part;
    int row = 0, target = 0, place = 0;
    CD_TRY(count_edges(u));
    for (int k = 0; k < t->nunits; k++) {
        for (int i = 0; i < u->d->units[k].count; i++) {
            const CdiSupernode *s = &u->s->node[u->d->units[k].root[i]];
            CdiNativeEdge *edge = &t->edges[t->units[k].edge + i];
            look_at_rows(u, s, -1, top);
            memcpy(t->edge_rows + row, u->list, (size_t)s->nrows * sizeof *u->list);
            *edge = (CdiNativeEdge){.rows = row, .target = target};
            edge->ntargets =
                put_targets(u, s->nrows, top, t->edge_targets + target, t->edge_places, &place);
            row += s->nrows;
            target += edge->ntargets;
        }
    }
    return CD_OK;
}

// ---- numbers of A

// the place after the last one is tried first, and that itself
static int find_row(const int *rows, int n, int row, int *last) {
    int at = 0, end = n;
    if (*last + 1 < n && rows[*last + 1] == row) return ++*last;
    if (*last < n && rows[*last] == row) return *last;
    while (end - at > 1) {
        const int mid = (at + end) / 2;
        *(rows[mid] <= row ? &at : &end) = mid;
    }
    return *last = at;
}

// number of (high, low), steps of the tree, in the first panels of the part that has low
static int place_of(Units *u, const CdiNativePart *part, int low, int high) {
    const int node = u->s->owner[low];
    const CdiSupernode *whole = &u->s->node[node], *s = &part->supernodes[u->home[node]];
    const int column = s->at + column_of(part, s, low - whole->first);
    if (high < whole->first + whole->ncols) return column + high - whole->first;
    const int *rows = u->s->rows + whole->rows;
    return column + whole->ncols + find_row(rows, whole->nrows, high, &u->last);
}

// entry k of A, which is in column j
static Entry entry_of(Units *u, int k, int j) {
    const int r = u->s->step[u->p->row[k]], c = u->s->step[j], low = r < c ? r : c;
    const int node = u->s->owner[low], name = u->d->unit[node];
    if (r < c && u->s->symmetric) return (Entry){.unit = -1};
    const CdiNativeUnit *unit = &u->t->units[name < 0 ? u->t->nunits : name];
    const CdiSupernode *s = &unit->part->supernodes[u->home[node]];
    const int place = place_of(u, unit->part, low, r < c ? c : r) + (r < c ? s->second : 0);
    return (Entry){name < 0 ? u->t->nunits : name, u->lane[node], place, s->chunk};
}

// a number that all systems of all units like it have: its number among them, -1: it is not
static int common(const Units *u, Entry e) {
    return e.unit == u->t->nunits || !u->met[u->t->units[e.unit].like]
               ? -1
               : u->met[u->t->units[e.unit].like][e.place];
}

static int copies_of(const CdiNativeUnit *unit, Entry e) {
    return e.lane == 0 ? unit->width - unit->count : 0;
}

static CdStatus find_entries(Units *u, CdArena *scratch) {
    u->entries = CD_TAKE(scratch, Entry, (size_t)u->p->nnz);
    if (!u->entries) return CD_NOMEM;
    for (int j = 0; j < u->t->n; j++) {
        for (int k = u->p->ptr[j]; k < u->p->ptr[j + 1]; k++) u->entries[k] = entry_of(u, k, j);
    }
    return CD_OK;
}

// which numbers all systems of a kind of wide units have
static CdStatus find_common(Units *u, CdArena *scratch) {
    CdiNativeTree *t = u->t;
    int *systems = CD_TAKE(scratch, int, (size_t)t->nunits + 1);
    u->met = CD_TAKE(scratch, int *, (size_t)t->nunits + 1);
    if (!systems || !u->met) return CD_NOMEM;
    for (int k = 0; k < t->nunits; k++) {
        if (t->units[k].width == 1) continue;
        systems[t->units[k].like] += t->units[k].count;
        if (t->units[k].like != k) continue;
        u->met[k] = CD_TAKE(scratch, int, (size_t)u->parts[k].nx);
        if (!u->met[k]) return CD_NOMEM;
    }
    for (int k = 0; k < u->p->nnz; k++) {
        const Entry e = u->entries[k];
        int *met = e.unit < 0 ? NULL : u->met[t->units[e.unit].like];
        if (met) met[e.place]++;
    }
    for (int k = 0; k < t->nunits; k++) {
        CdiNativePart *part = &u->parts[k];
        if (!u->met[k]) continue;
        part->fill = CD_TAKE(&t->arena, int, (size_t)part->nx);
        part->empty = CD_TAKE(&t->arena, int, (size_t)part->nx);
        if (!part->fill || !part->empty) return CD_NOMEM;
        for (int i = 0; i < part->nx; i++) {
            const bool all = u->met[k][i] == systems[k];
            *(all ? &part->fill[part->nfill] : &part->empty[part->nempty++]) = i;
            u->met[k][i] = all ? part->nfill++ : -1;
        }
    }
    return CD_OK;
}

static CdStatus count_scatter(Units *u) {
    CdiNativeTree *t = u->t;
    int64_t total = 0;
    for (int k = 0; k < u->p->nnz; k++) {
        const Entry e = u->entries[k];
        if (e.unit < 0 || common(u, e) >= 0) continue;
        t->units[e.unit].nscatter += 1 + copies_of(&t->units[e.unit], e);
        if (t->units[e.unit].width == 1) u->parts[e.unit].chunks[e.chunk].nentries++;
    }
    for (int k = 0; k <= t->nunits; k++) {
        CdiNativeUnit *unit = &t->units[k];
        unit->fill = (int)total;
        unit->scatter = (int)total + unit->width * unit->part->nfill;
        total = (int64_t)unit->scatter + unit->nscatter;
        unit->nscatter = 0;
        for (int i = 0, at = 0; i < unit->part->nchunks; i++) {
            CdiNativeChunk *chunk = &u->parts[k].chunks[i];
            chunk->entry = at;
            at += chunk->nentries;
            chunk->nentries = 0;
        }
        if (total > INT_MAX) return too_large(u->ctx);
    }
    t->nfrom = (int)total;
    t->from = CD_TAKE(&t->arena, int, (size_t)total);
    t->to = CD_TAKE(&t->arena, int, (size_t)total);
    return t->from && t->to ? CD_OK : CD_NOMEM;
}

static void put_entry(const Units *u, Entry e, int k) {
    CdiNativeTree *t = u->t;
    CdiNativeUnit *unit = &t->units[e.unit];
    const int at = common(u, e), copies = copies_of(unit, e);
    for (int i = 0; i <= copies; i++) {
        const int lane = i == 0 ? e.lane : unit->count + i - 1;
        if (at >= 0) {
            t->from[unit->fill + unit->width * at + lane] = k;
        } else {
            CdiNativeChunk *chunk = unit->width > 1 ? NULL : &u->parts[e.unit].chunks[e.chunk];
            const int count = unit->nscatter++;
            const int next = unit->scatter + (chunk ? chunk->entry + chunk->nentries++ : count);
            t->from[next] = k;
            t->to[next] = unit->width * e.place + lane;
        }
    }
}

static CdStatus find_scatter(Units *u, CdArena *scratch) {
    CD_TRY(find_entries(u, scratch));
    CD_TRY(find_common(u, scratch));
    CD_TRY(count_scatter(u));
    for (int k = 0; k < u->p->nnz; k++) {
        if (u->entries[k].unit >= 0) put_entry(u, u->entries[k], k);
    }
    return CD_OK;
}

void cdi_native_tree_source(CdiNativeTree *t, const int *source) {
    for (int k = 0; k < t->nfrom; k++) t->from[k] = source[t->from[k]];
    for (int k = 0; k < t->nsteps; k++) {
        if (t->diagonal[k] >= 0) t->diagonal[k] = source[t->diagonal[k]];
    }
    for (int k = 0; k < t->npairs; k++) {
        int *pair = t->pair + CDI_PAIR_SIZE * (size_t)k;
        for (int i = CDI_PAIR_DOWN; i < CDI_PAIR_SIZE; i++) pair[i] = source[pair[i]];
    }
}

// ---- scales of weak columns of wide parts

// neighbours in the same system with a diagonal, where the pattern has both a_ij and a_ji
static bool makes_scale(const Units *u, int unit, int j, int i, int off[2]) {
    const int node = u->s->owner[u->s->step[i]];
    return u->d->unit[node] == unit && u->lane[node] == 0 && !u->s->weak[i] &&
           cdi_pattern_slot_like(u->p, j, i, &off[0]) >= 0 &&
           cdi_pattern_slot_like(u->p, i, i, &off[1]) >= 0;
}

static CdStatus find_pairs(Units *u, int unit) {
    CdiNativeTree *t = u->t;
    CdiNativePart *part = &u->parts[unit];
    const int base = t->units[unit].step;
    for (int pass = 0, off[2] = {0}; pass < 2; pass++) {
        int n = 0;
        for (int c = 0; c < part->n; c++) {
            const int j = t->perm[base + t->units[unit].width * c];
            for (int k = u->p->ptr[j]; u->s->weak[j] && k < u->p->ptr[j + 1]; k++) {
                const int i = u->p->row[k], a = u->s->step[i], b = u->s->step[j];
                if (!makes_scale(u, unit, j, i, off)) continue;
                if (pass == 1) {
                    const int low = a < b ? a : b, at = place_of(u, part, low, a < b ? b : a);
                    const int second = part->supernodes[u->home[u->s->owner[low]]].second;
                    part->pairs[n] = (CdiNativePair){c, u->local[a], at, at + second};
                }
                n++;
            }
        }
        part->npairs = n;
        if (pass == 0) part->pairs = CD_TAKE(&t->arena, CdiNativePair, (size_t)n);
        if (!part->pairs) return CD_NOMEM;
    }
    return CD_OK;
}

CdStatus cdi_native_units(CdContext *ctx, CdArena *scratch, const CdPattern *p,
                          const CdiSupertree *s, const CdiDivision *d, CdiNativeTree *t) {
    Units u = {.ctx = ctx, .scratch = scratch, .p = p, .s = s, .d = d, .t = t};
    CD_TRY(take(&u, scratch));
    number_all(&u);
    CD_TRY(make_parts(&u));
    CD_TRY(place_units(&u));
    CD_TRY(number_steps(&u));
    CD_TRY(cdi_native_stretches(t));
    CD_TRY(find_edges(&u));
    CD_TRY(cdi_native_chunk_edges(t));
    CD_TRY(find_scatter(&u, scratch));
    for (int k = 0; k < t->nunits; k++) {
        if (t->units[k].width > 1 && t->units[k].like == k) CD_TRY(find_pairs(&u, k));
    }
    return cdi_native_share(scratch, t);
}
