// native_units.c - parts of a tree of supernodes: their panels, steps, and where every number goes
//
// Systems of one unit have the same part; that of the first is laid out. Steps of a unit are those
// of its columns, system by system within a column, and behind them room for what it meets outside.
#include <limits.h>
#include <string.h>

#include "linalg/native.h"

typedef struct Units {
    CdContext *ctx;
    const CdPattern *p;
    const CdiSupertree *s;
    const CdiDivision *d;
    CdiNativeTree *t;
    CdiNativePart *parts; // by unit, the last one of the top
    int *local;           // of a step of the tree: column of its part
    int *home;            // of a supernode of the tree: in its part
    int *outer;           // of a step of the tree: column behind those of the part at work
    int *lane;            // of a supernode of the tree: system of its unit
    int *list, *owner;    // rows at work: columns of a part, and their supernodes there
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

static CdStatus lay_out(Units *u, CdiNativePart *part, int width) {
    const int pad = width > 1 ? 1 : CDI_NATIVE_LANES, panels = u->s->symmetric ? 1 : 2;
    int64_t at = 0;
    for (int k = 0; k <= part->nsupernodes; k++) {
        CdiSupernode *s = &part->supernodes[k];
        const int64_t height = (int64_t)s->ncols + s->nrows;
        s->ld = (int)((height + pad - 1) / pad * pad);
        s->at = (int)at;
        at += (int64_t)panels * s->ld * s->ncols;
        if (s->ld > part->widest) part->widest = s->ld;
        if (at * width > INT_MAX - CDI_NATIVE_BEHIND) return too_large(u->ctx);
    }
    part->nx = (int)at;
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
        look_at_rows(u, s, root, part);
        count_runs(u, s->nrows, &ntargets, &nplaces);
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

static CdStatus make_part(Units *u, CdiNativePart *part, int root, int width) {
    CD_TRY(start_part(u, part, root));
    CD_TRY(fill_part(u, part, root, width));
    int place = 0, target = 0;
    CdiSupernode *to = part->supernodes;
    for (int k = first_node(u, root); k < u->s->nsupernodes; k = next_node(u, root, k + 1), to++) {
        look_at_rows(u, &u->s->node[k], root, part);
        to->target = target;
        to->ntargets = put_targets(u, to->nrows, part, part->targets + target, part->places, &place);
        target += to->ntargets;
    }
    return CD_OK;
}

static CdStatus make_parts(Units *u) {
    CdiNativeTree *t = u->t;
    for (int k = 0; k < t->nunits; k++) {
        const struct CdiDivided *unit = &u->d->units[k];
        const int like = unit->like;
        if (like == k) CD_TRY(make_part(u, &u->parts[k], unit->root[0], unit->width));
        t->units[k] = (CdiNativeUnit){
            .part = &u->parts[like], .width = unit->width, .count = unit->count};
    }
    CdiNativePart *top = &u->parts[t->nunits];
    CD_TRY(make_part(u, top, -1, 1));
    t->units[t->nunits] = (CdiNativeUnit){.part = top, .width = 1, .count = 1};
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
        if (k < t->nunits) edge += unit->count;
        x += (size_t)unit->part->nx * (size_t)unit->width + CDI_NATIVE_BEHIND;
        x = (x + CDI_NATIVE_WIDE - 1) / CDI_NATIVE_WIDE * CDI_NATIVE_WIDE;
        step += (int64_t)unit->width * ((int64_t)unit->part->n + unit->part->nouter);
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
        const int lane = name < 0 ? 0 : u->lane[node], at = unit->step + unit->width * u->local[old];
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

static int find_row(const int *rows, int n, int row) {
    int at = 0, end = n;
    while (end - at > 1) {
        const int mid = (at + end) / 2;
        *(rows[mid] <= row ? &at : &end) = mid;
    }
    return at;
}

// number of (high, low), steps of the tree, in the first panels of the part that has low
static int place_of(const Units *u, const CdiNativePart *part, int low, int high) {
    const int node = u->s->owner[low];
    const CdiSupernode *whole = &u->s->node[node], *s = &part->supernodes[u->home[node]];
    const int column = s->at + s->ld * (low - whole->first);
    if (high < whole->first + whole->ncols) return column + high - whole->first;
    return column + whole->ncols + find_row(u->s->rows + whole->rows, whole->nrows, high);
}

// entry k of A, which is in column j: the unit that has it, -1: none
static int unit_of_entry(const Units *u, int k, int j) {
    const int r = u->s->step[u->p->row[k]], c = u->s->step[j];
    if (r < c && u->s->symmetric) return -1;
    const int name = u->d->unit[u->s->owner[r < c ? r : c]];
    return name < 0 ? u->t->nunits : name;
}

static int copies_of(const Units *u, const CdiNativeUnit *unit, int k, int j) {
    const int r = u->s->step[u->p->row[k]], c = u->s->step[j];
    return u->lane[u->s->owner[r < c ? r : c]] == 0 ? unit->width - unit->count : 0;
}

static void put_entry(const Units *u, CdiNativeUnit *unit, int k, int j) {
    CdiNativeTree *t = u->t;
    const int r = u->s->step[u->p->row[k]], c = u->s->step[j], low = r < c ? r : c;
    const int node = u->s->owner[low], lane = u->lane[node], copies = copies_of(u, unit, k, j);
    const CdiSupernode *s = &unit->part->supernodes[u->home[node]];
    const int place = place_of(u, unit->part, low, r < c ? c : r) + (r < c ? s->ld * s->ncols : 0);
    for (int i = 0; i <= copies; i++) {
        const int at = unit->scatter + unit->nscatter++;
        t->from[at] = k;
        t->to[at] = unit->width * place + (i == 0 ? lane : unit->count + i - 1);
    }
}

static CdStatus find_scatter(Units *u) {
    CdiNativeTree *t = u->t;
    const CdPattern *p = u->p;
    int64_t total = 0;
    for (int j = 0; j < t->n; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const int name = unit_of_entry(u, k, j);
            if (name >= 0) t->units[name].nscatter += 1 + copies_of(u, &t->units[name], k, j);
        }
    }
    for (int k = 0; k <= t->nunits; k++) {
        t->units[k].scatter = (int)total;
        total += t->units[k].nscatter;
        t->units[k].nscatter = 0;
        if (total > INT_MAX) return too_large(u->ctx);
    }
    t->from = CD_TAKE(&t->arena, int, (size_t)total);
    t->to = CD_TAKE(&t->arena, int, (size_t)total);
    if (!t->from || !t->to) return CD_NOMEM;
    for (int j = 0; j < t->n; j++) {
        for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            const int name = unit_of_entry(u, k, j);
            if (name >= 0) put_entry(u, &t->units[name], k, j);
        }
    }
    return CD_OK;
}

CdStatus cdi_native_units(CdContext *ctx, CdArena *scratch, const CdPattern *p,
                          const CdiSupertree *s, const CdiDivision *d, CdiNativeTree *t) {
    Units u = {.ctx = ctx, .p = p, .s = s, .d = d, .t = t};
    CD_TRY(take(&u, scratch));
    number_all(&u);
    CD_TRY(make_parts(&u));
    CD_TRY(place_units(&u));
    CD_TRY(number_steps(&u));
    CD_TRY(find_edges(&u));
    return find_scatter(&u);
}
