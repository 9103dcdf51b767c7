// native_runs.c - which columns of units are next to each other in a right-hand side
//
// Systems of a wide unit stand side by side there and one after the other here: the way between is
// the transpose of a matrix. Unknowns of bodies, and those of chains of masses, follow each other, so
// that most of it goes by blocks (native_copy.h).
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

// the run that begins with column k, of n
static CdiNativeRun run_from(const int *perm, int width, int k, int n) {
    CdiNativeRun run = {.begin = k, .end = k + 1};
    if (run.end < n) run.by = step_after(perm, width, k);
    while (run.by != 0 && run.end < n && step_after(perm, width, run.end - 1) == run.by) run.end++;
    if (run.end - run.begin >= CDI_NATIVE_LANES) return run;
    return (CdiNativeRun){.begin = k, .end = k + 1};
}

// runs of a unit into a list, NULL: they are counted; how many
static int find_runs(const CdiNativeTree *t, const CdiNativeUnit *u, CdiNativeRun *list) {
    CdiNativeRun last = {.by = 1};
    int count = 0;
    for (int k = 0; k < u->part->n; k = last.end) {
        const CdiNativeRun run = run_from(t->perm + u->step, u->width, k, u->part->n);
        // columns that are copied one by one are one run
        const bool goes_on = count > 0 && last.by == 0 && run.by == 0;
        last = goes_on ? (CdiNativeRun){.begin = last.begin, .end = run.end} : run;
        if (!goes_on) count++;
        if (list) list[count - 1] = last;
    }
    return count;
}

CdStatus cdi_native_runs(CdiNativeTree *t) {
    size_t total = 0;
    for (int k = 0; k < t->nunits; k++) {
        CdiNativeUnit *u = &t->units[k];
        u->run = (int)total;
        if (u->width > 1) u->nruns = find_runs(t, u, NULL);
        total += (size_t)u->nruns;
    }
    t->runs = CD_TAKE(&t->arena, CdiNativeRun, total);
    if (!t->runs) return CD_NOMEM;
    for (int k = 0; k < t->nunits; k++) {
        if (t->units[k].width > 1) find_runs(t, &t->units[k], t->runs + t->units[k].run);
    }
    return CD_OK;
}
