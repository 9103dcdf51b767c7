// native_divide.c - which subtrees are alike and eliminated side by side, and which stand alone
//
// Two supernodes are of one class if they have as many columns and rows, as many children, and
// these, in their order, are of the same classes and have their rows at the same places of the
// parent. Then all below them is alike. From the roots down a subtree is taken if enough others are
// of its class. Of the rest, subtrees that are an eighth of all the work or less are units of their
// own if they are large enough to be worth a thread.
#include <string.h>

#include "linalg/native.h"

// fewest subtrees that are eliminated side by side, and work of each that is better split up, if so
// few supernodes down from its root no branch has more than this part of it
#define ALIKE_LEAST 5
#define ALIKE_WORK 2e5
#define STEM 32
#define BRANCH 0.6
// of each, least work, and that for a pair of its rows, whose number goes to the top
#define WIDE_WORK 200.0
#define PAIR_WORK 4.0
// of a subtree that stands alone: least work, and part of the whole
#define ALONE_WORK 2e4
#define ALONE_PART 0.125
// and most of its work that wide units would do
#define ALONE_WIDE 0.25
// systems that are left over, so few that side by side they would take longer
#define FEW 2
// of a supernode, in multiplications
#define STEP_WORK 100.0
#define SINGLE_WORK 20.0

typedef struct Divide {
    const CdiSupertree *s;
    int *up, *head, *next; // trees of supernodes, children ascending
    int *relative;         // rows of a supernode among columns and rows of its parent
    int *class_of, *count, *example, *table;
    int nclasses, ntable;
    double *work, *inside; // of a subtree, and of wide units in it
    int *roots;            // by class: of wide units
    int *chosen;           // roots of units, last first
    int *nweak;            // columns of a supernode, its last
    int *filled;           // by class: unit that has room, -1: none
} Divide;

static CdStatus take(Divide *d, CdArena *scratch) {
    const size_t n = (size_t)d->s->nsupernodes;
    size_t nrows = 0;
    for (size_t k = 0; k < n; k++) nrows += (size_t)d->s->node[k].nrows;
    for (d->ntable = 2; (size_t)d->ntable < 2 * n; d->ntable *= 2) continue;
    int **const arrays[] = {&d->up,      &d->head,  &d->next,   &d->class_of,
                            &d->example, &d->count, &d->filled, &d->relative,
                            &d->table,   &d->nweak, &d->roots,  &d->chosen};
    const size_t sizes[] = {n, n, n, n, n, n, n, nrows, (size_t)d->ntable, n, n, n};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = CD_TAKE(scratch, int, sizes[k]);
        if (!*arrays[k]) return CD_NOMEM;
    }
    d->work = CD_TAKE(scratch, double, n);
    d->inside = CD_TAKE(scratch, double, n);
    return d->work && d->inside ? CD_OK : CD_NOMEM;
}

// ---- classes

static void find_relative(Divide *d, int k) {
    const CdiSupernode *s = &d->s->node[k], *up = &d->s->node[d->up[k]];
    const int *rows = d->s->rows + s->rows, *theirs = d->s->rows + up->rows;
    for (int i = 0, at = 0; i < s->nrows; i++) {
        int *place = &d->relative[s->rows + i];
        *place = rows[i] - up->first;
        if (*place < up->ncols) continue;
        while (theirs[at] != rows[i]) at++;
        *place = up->ncols + at;
    }
}

static void find_children(Divide *d) {
    const CdiSupertree *s = d->s;
    for (int k = 0; k < s->nsupernodes; k++) d->head[k] = -1;
    for (int k = s->nsupernodes - 1; k >= 0; k--) {
        const CdiSupernode *node = &s->node[k];
        d->up[k] = node->nrows > 0 ? s->owner[s->rows[node->rows]] : -1;
        if (d->up[k] < 0) continue;
        d->next[k] = d->head[d->up[k]];
        d->head[d->up[k]] = k;
        find_relative(d, k);
    }
}

static uint64_t mix(uint64_t hash, int x) {
    return (hash ^ (uint64_t)(unsigned)x) * UINT64_C(0x9E3779B97F4A7C15) >> 7 ^ hash << 57;
}

static uint64_t hash_of(const Divide *d, int k) {
    const CdiSupernode *s = &d->s->node[k];
    uint64_t hash = mix(mix(1, s->ncols), s->nrows);
    for (int c = d->head[k]; c >= 0; c = d->next[c]) {
        hash = mix(hash, d->class_of[c]);
        for (int i = 0; i < d->s->node[c].nrows; i++) {
            hash = mix(hash, d->relative[d->s->node[c].rows + i]);
        }
    }
    return hash;
}

static bool same(const Divide *d, int a, int b) {
    const CdiSupernode *s = d->s->node;
    if (s[a].ncols != s[b].ncols || s[a].nrows != s[b].nrows) return false;
    if (d->nweak[a] != d->nweak[b]) return false;
    int i = d->head[a], j = d->head[b];
    for (; i >= 0 && j >= 0; i = d->next[i], j = d->next[j]) {
        if (d->class_of[i] != d->class_of[j]) return false;
        const size_t bytes = (size_t)s[i].nrows * sizeof *d->relative;
        if (memcmp(d->relative + s[i].rows, d->relative + s[j].rows, bytes) != 0) return false;
    }
    return i == j;
}

static void classify(Divide *d, int k) {
    int at = (int)(hash_of(d, k) & (uint64_t)(d->ntable - 1));
    while (d->table[at] > 0 && !same(d, d->example[d->table[at] - 1], k)) {
        at = (at + 1) & (d->ntable - 1);
    }
    if (d->table[at] == 0) {
        d->example[d->nclasses] = k;
        d->table[at] = ++d->nclasses;
    }
    d->class_of[k] = d->table[at] - 1;
    d->count[d->class_of[k]]++;
}

// ---- choice

static double work_of(const CdiSupernode *s) {
    const double c = s->ncols, r = s->nrows;
    if (s->ncols == 1) return SINGLE_WORK + r * r;
    return STEP_WORK + c * (c * c / 3 + r * (r + c));
}

static void measure(Divide *d, int *below) {
    for (int k = 0; k < d->s->nsupernodes; k++) below[k] = k;
    for (int k = 0; k < d->s->nsupernodes; k++) {
        d->work[k] += work_of(&d->s->node[k]);
        if (d->up[k] < 0) continue;
        d->work[d->up[k]] += d->work[k];
        if (below[k] < below[d->up[k]]) below[d->up[k]] = below[k];
    }
}

// a unit of one more, or room in the last of its class
static void put(Divide *d, CdiDivision *out, int root, bool wide) {
    int *filled = &d->filled[d->class_of[root]];
    if (!wide || *filled < 0 || out->units[*filled].count == CDI_NATIVE_WIDE) {
        const int like = wide && *filled >= 0 ? out->units[*filled].like : out->nunits;
        out->units[out->nunits] =
            (struct CdiDivided){.width = wide ? CDI_NATIVE_WIDE : 1, .like = like};
        *filled = out->nunits++;
    }
    struct CdiDivided *u = &out->units[*filled];
    u->root[u->count++] = root;
    for (int k = out->below[root]; k <= root; k++) out->unit[k] = *filled;
}

// of its children the one with the most work, -1: it has none
static int largest_branch(const Divide *d, int k) {
    int most = d->head[k];
    for (int c = most; c >= 0; c = d->next[c]) most = d->work[c] > d->work[most] ? c : most;
    return most;
}

// large subtrees with branches are left to these, so that units fit into caches
static bool branches(const Divide *d, int k) {
    const double most = BRANCH * d->work[k];
    if (d->work[k] <= ALIKE_WORK) return false;
    for (int i = 0, c = k; i < STEM; i++) {
        c = largest_branch(d, c);
        if (c < 0 || d->work[c] <= most) return true;
    }
    return false;
}

// enough others are like it, and it has more to do inside than outside
static bool is_wide(const Divide *d, int k) {
    const double nrows = d->s->node[k].nrows;
    return d->count[d->class_of[k]] >= ALIKE_LEAST && !branches(d, k) &&
           d->work[k] >= WIDE_WORK + PAIR_WORK * nrows * nrows / 2;
}

// roots of wide units by class, and the work that they do in every subtree; what is inside of
// larger ones does not count
static void find_wide(Divide *d, const int *below) {
    const int n = d->s->nsupernodes;
    for (int k = n - 1; k >= 0; k--) {
        if (!is_wide(d, k)) continue;
        d->roots[d->class_of[k]]++;
        d->inside[k] = d->work[k];
        k = below[k];
    }
    for (int k = 0; k < n; k++) {
        if (d->up[k] >= 0) d->inside[d->up[k]] += d->inside[k];
    }
}

static bool stands_alone(const Divide *d, int k, double total) {
    return d->work[k] >= ALONE_WORK && d->work[k] <= ALONE_PART * total &&
           d->inside[k] <= ALONE_WIDE * d->work[k];
}

// found from the last one down, put into units from the first one up: those of one unit are
// neighbours, and what is left over is at the end, as in tiles of bodies
static void put_all(Divide *d, CdiDivision *out, bool wide, double total) {
    int n = 0;
    for (int k = d->s->nsupernodes - 1; k >= 0; k--) {
        const bool candidate = is_wide(d, k), alone = stands_alone(d, k, total);
        const bool is = candidate && d->roots[d->class_of[k]] >= ALIKE_LEAST;
        if (is ? wide : alone && !wide) d->chosen[n++] = k;
        if (candidate || alone) k = out->below[k];
    }
    while (n > 0) put(d, out, d->chosen[--n], wide);
}

// those of a unit one by one
static void part_with(CdiDivision *out, int unit) {
    const struct CdiDivided few = out->units[unit];
    for (int i = 0; i < few.count; i++) {
        const int root = few.root[i], to = i == 0 ? unit : out->nunits++;
        out->units[to] = (struct CdiDivided){.width = 1, .count = 1, .like = to, .root = {root}};
        for (int k = out->below[root]; k <= root; k++) out->unit[k] = to;
    }
}

// what is left over of a class, the last of its units
static void narrow(CdiDivision *out) {
    for (int k = 0, n = out->nunits; k < n; k++) {
        struct CdiDivided *u = &out->units[k];
        if (u->width == 1 || u->count > CDI_NATIVE_HALF) continue;
        if (u->count <= FEW) {
            part_with(out, k);
        } else {
            u->width = CDI_NATIVE_HALF;
        }
    }
}

static void choose(Divide *d, CdiDivision *out) {
    double total = 0;
    for (int k = 0; k < d->s->nsupernodes; k++) total += work_of(&d->s->node[k]);
    for (int k = 0; k < d->nclasses; k++) d->filled[k] = -1;
    find_wide(d, out->below);
    put_all(d, out, true, total);
    put_all(d, out, false, total);
    narrow(out);
}

CdStatus cdi_native_divide(CdArena *scratch, const CdiSupertree *s, CdiDivision *out) {
    const size_t n = (size_t)s->nsupernodes;
    Divide d = {.s = s};
    CD_TRY(take(&d, scratch));
    out->nunits = 0;
    out->below = CD_TAKE(scratch, int, n);
    out->unit = CD_TAKE(scratch, int, n);
    out->units = CD_TAKE(scratch, struct CdiDivided, n);
    if (!out->below || !out->unit || !out->units) return CD_NOMEM;
    for (size_t k = 0; k < n; k++) out->unit[k] = -1;
    for (int i = 0; i < s->n; i++) d.nweak[s->owner[s->step[i]]] += s->weak[i];
    find_children(&d);
    for (int k = 0; k < s->nsupernodes; k++) classify(&d, k);
    measure(&d, out->below);
    choose(&d, out);
    return CD_OK;
}
