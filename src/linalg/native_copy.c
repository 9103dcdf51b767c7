// native_copy.c - which columns of units are next to each other in a right-hand side
//
// Systems stand one after the other in b and side by side in the numbers of a wide unit: the way
// between is the transpose of a matrix. Unknowns of bodies, and those of chains of masses, follow
// each other in b, so that most of it goes by blocks (native_copy.h).
#include "linalg/native.h"

// from the unknown of column k to that of the next, the same in all systems; 0: neither 1 nor -1
static int step_after(const int *perm, int width, int k) {
    const int *mine = perm + (size_t)width * (size_t)k, *next = mine + width;
    const int by = next[0] - mine[0];
    if (by != 1 && by != -1) return 0;
    for (int i = 1; i < width; i++) {
        if (next[i] - mine[i] != by) return 0;
    }
    return by;
}

// that of n columns which begins with column k
static CdiNativeStretch stretch_from(const int *perm, int width, int k, int n) {
    const int by = k + 1 < n ? step_after(perm, width, k) : 0;
    int end = k + 1;
    while (by != 0 && end < n && step_after(perm, width, end - 1) == by) end++;
    if (end - k < CDI_NATIVE_LANES) return (CdiNativeStretch){.begin = k, .end = k + 1};
    return (CdiNativeStretch){k, end, by};
}

// those of a unit into a list, NULL: they are counted; how many
static int find_stretches(const CdiNativeTree *t, const CdiNativeUnit *u, CdiNativeStretch *list) {
    CdiNativeStretch last = {.by = 1};
    int count = 0;
    for (int k = 0; k < u->part->n; k = last.end) {
        const CdiNativeStretch next = stretch_from(t->perm + u->step, u->width, k, u->part->n);
        // columns that are copied one by one go together
        const bool goes_on = last.by == 0 && next.by == 0;
        last = goes_on ? (CdiNativeStretch){.begin = last.begin, .end = next.end} : next;
        if (!goes_on) count++;
        if (list) list[count - 1] = last;
    }
    return count;
}

CdStatus cdi_native_stretches(CdiNativeTree *t) {
    size_t total = 0;
    for (int k = 0; k < t->nunits; k++) {
        CdiNativeUnit *u = &t->units[k];
        u->stretch = (int)total;
        if (u->width > 1) u->nstretches = find_stretches(t, u, NULL);
        total += (size_t)u->nstretches;
    }
    t->stretches = CD_TAKE(&t->arena, CdiNativeStretch, total);
    if (!t->stretches) return CD_NOMEM;
    for (int k = 0; k < t->nunits; k++) {
        const CdiNativeUnit *u = &t->units[k];
        if (u->width > 1) find_stretches(t, u, t->stretches + u->stretch);
    }
    return CD_OK;
}
