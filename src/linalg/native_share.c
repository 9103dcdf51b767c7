// native_share.c - which units a thread takes, or a section of the unknowns: some in a row, in the
// order of their first unknowns
//
// Other loops give every thread a part of the unknowns in a row too: what it has in its cache from
// them is what its units need.
#include <limits.h>
#include <stdlib.h>

#include "linalg/native.h"

// numbers of a cache line
#define LINE (CD_ARENA_ALIGN / (int)sizeof(double))
#define SHARES_OF_PART (CDI_NATIVE_SHARES / CDI_NATIVE_PARTS)

typedef struct Turn {
    int unit, first, last; // unknowns
} Turn;

static int compare_turns(const void *a, const void *b) {
    const Turn *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static Turn turn_of(const CdiNativeTree *t, int unit) {
    const CdiNativeUnit *u = &t->units[unit];
    Turn turn = {unit, INT_MAX, -1};
    for (int k = 0; k < u->width * u->part->n; k++) {
        const int unknown = t->perm[u->step + k];
        if (unknown < turn.first) turn.first = unknown;
        if (unknown > turn.last) turn.last = unknown;
    }
    return turn;
}

static double size_of(const CdiNativeUnit *u) {
    return (double)u->width * u->part->nx;
}

// ---- parts: units of some shares in a row

// columns of the top by the part in which their unknowns lie
static CdStatus find_tops(CdiNativeTree *t) {
    const CdiNativeUnit *top = &t->units[t->nunits];
    const int n = top->part->n, *unknown = t->perm + top->step;
    int at = 0;
    t->tops = CD_TAKE(&t->arena, int, (size_t)n + 1);
    if (!t->tops) return CD_NOMEM;
    for (int k = 0; k < t->nparts; k++) {
        t->part[k].top = at;
        for (int i = 0; i < n; i++) {
            if (unknown[i] >= t->begin[k] && unknown[i] < t->begin[k + 1]) t->tops[at++] = i;
        }
    }
    t->part[t->nparts].top = at;
    return CD_OK;
}

// between unknowns of two parts, where a line of numbers begins if there is a choice
static int boundary(int last, int first) {
    const int line = first / LINE * LINE;
    return line > last ? line : first;
}

// a part begins where no unknown of a unit before it follows
static CdStatus find_parts(CdiNativeTree *t, const Turn *turns) {
    int n = 0, last = -1;
    t->part = CD_TAKE(&t->arena, CdiNativeShare, CDI_NATIVE_PARTS + 1);
    t->begin = CD_TAKE(&t->arena, int, CDI_NATIVE_PARTS + 1);
    if (!t->part || !t->begin) return CD_NOMEM;
    for (int k = 0, share = 0; k < t->nunits; k++) {
        bool begins = k == 0;
        for (; t->share[share + 1] <= k; share++) begins |= (share + 1) % SHARES_OF_PART == 0;
        if (begins && turns[k].first > last) {
            t->part[n].turn = k;
            t->begin[n++] = k == 0 ? 0 : boundary(last, turns[k].first);
        }
        if (turns[k].last > last) last = turns[k].last;
    }
    t->nparts = n;
    t->part[n].turn = t->nunits;
    t->begin[n] = t->n;
    return find_tops(t);
}

// ---- shares

// a unit is in the share in which the middle of its numbers lies
CdStatus cdi_native_share(CdArena *scratch, CdiNativeTree *t) {
    Turn *turns = CD_TAKE(scratch, Turn, (size_t)t->nunits + 1);
    t->turn = CD_TAKE(&t->arena, int, (size_t)t->nunits + 1);
    t->share = CD_TAKE(&t->arena, int, CDI_NATIVE_SHARES + 1);
    if (!turns || !t->turn || !t->share) return CD_NOMEM;
    double total = 0, before = 0;
    for (int k = 0; k < t->nunits; k++) {
        turns[k] = turn_of(t, k);
        total += size_of(&t->units[k]);
    }
    qsort(turns, (size_t)t->nunits, sizeof *turns, compare_turns);
    for (int k = 0, share = 0; k < t->nunits; k++) {
        const double size = size_of(&t->units[turns[k].unit]);
        const int in = (int)(CDI_NATIVE_SHARES * (before + size / 2) / total);
        while (share < in) t->share[++share] = k;
        t->turn[k] = turns[k].unit;
        before += size;
        for (int i = share + 1; i <= CDI_NATIVE_SHARES; i++) t->share[i] = k + 1;
    }
    return find_parts(t, turns);
}

// ---- sections of unknowns

typedef struct Reach {
    int first, last; // sections
} Reach;

static Reach reach_of(const CdiNativeTree *t, const CdiNativeUnit *u, const int *of) {
    Reach r = {INT_MAX, -1};
    for (int k = 0; k < u->width * u->part->n; k++) {
        const int section = of[t->perm[u->step + k]];
        if (section < r.first) r.first = section;
        if (section > r.last) r.last = section;
    }
    return r;
}

// a unit holds the sections of its unknowns together, and with those of units whose turn was before
bool cdi_native_sections(const CdiNativeTree *t, const CdLinsolSections *s) {
    int last = -1, next = 0;
    if (t->units[t->nunits].part->n > 0) return false;
    for (int k = 0; k < s->n; k++) s->together[k] = false;
    for (int k = 0; k < t->nunits; k++) {
        const Reach r = reach_of(t, &t->units[t->turn[k]], s->of);
        if (r.last > last) last = r.last;
        for (int i = r.first + 1; i <= last; i++) s->together[i] = true;
        while (next <= r.first) s->first[next++] = k;
    }
    while (next <= s->n) s->first[next++] = t->nunits;
    return true;
}
