// trial.c - does it pay to share work with other threads? Found out by trying
#include "base/trial.h"

#include <stdlib.h>

// nanoseconds
#define START_NS 5000000    // until rounds are as later ones
#define WAKE_NS 2000000     // until threads that were asleep are as they were before
#define CACHE_NS 20000      // until caches are
#define LONG_NS 50000       // rounds against which no hand-over counts
#define PERIOD_MIN 50000000 // from one trial to the next
#define PERIOD_MAX 800000000
#define WAIT_MAX 50000 // rounds from one to the next: they may become longer

static void try_way(CdTrial *t, bool shares, int64_t warm) {
    t->shares = shares;
    t->warm = warm;
    t->wait = t->n = 0;
}

void cdi_trial_init(CdTrial *t) {
    *t = (CdTrial){.better = true, .period = PERIOD_MIN};
    try_way(t, true, START_NS);
}

static int compare(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t median(CdTrial *t) {
    qsort(t->took, (size_t)t->n, sizeof *t->took, compare);
    return t->took[t->n / 2];
}

// rounds of so many ns
static void keep(CdTrial *t, bool better, int64_t ns) {
    if (better != t->better) {
        t->period = PERIOD_MIN;
    } else if (t->period < PERIOD_MAX) {
        t->period *= 2;
    }
    t->shares = t->better = better;
    const int64_t rounds = 1 + t->period / (ns + 1);
    t->wait = rounds < WAIT_MAX ? (int)rounds : WAIT_MAX;
}

// several threads first, then one
void cdi_trial_tell(CdTrial *t, int64_t ns) {
    if (t->wait > 0) {
        if (--t->wait == 0) try_way(t, true, t->better ? CACHE_NS : WAKE_NS);
        return;
    }
    if (t->warm > 0) {
        t->warm -= ns;
        return;
    }
    t->took[t->n++] = ns;
    if (t->n < CDI_TRIAL_ROUNDS) return;
    const int64_t took = median(t);
    if (!t->shares) {
        keep(t, t->shared <= took, t->shared <= took ? t->shared : took);
    } else if (took >= LONG_NS) {
        keep(t, true, took);
    } else {
        t->shared = took;
        try_way(t, false, CACHE_NS);
    }
}
