// balance.c - how a job is cut for threads whose processors are not equally fast
#include "base/balance.h"

#include <string.h>

#define PERIOD 512u // jobs, of which some are watched
#define WATCHED 64u

// weight of a thread at first, how it changes, and the least and the most
#define EVEN 64
#define STEP 1
#define LEAST 32
#define MOST 96

// part of the time that says that it is always the same thread
#define MOSTLY 0.7

static void set_cuts(CdBalance *b) {
    uint64_t total = 0, sum = 0;
    for (int k = 0; k < b->nranges; k++) total += (uint64_t)b->weight[k % b->nthreads];
    for (int k = 0; k < b->nranges; k++) {
        b->cut[k] = (uint32_t)(CDI_BALANCE_WHOLE * sum / total);
        sum += (uint64_t)b->weight[k % b->nthreads];
    }
    b->cut[b->nranges] = CDI_BALANCE_WHOLE;
}

void cdi_balance_init(CdBalance *b, int nranges, int nthreads) {
    *b = (CdBalance){.nranges = nranges, .nthreads = nthreads};
    for (int t = 0; t < nthreads; t++) b->weight[t] = EVEN;
    set_cuts(b);
}

static int largest(int n, const int64_t *x) {
    int at = 0;
    for (int k = 1; k < n; k++) {
        if (x[k] > x[at]) at = k;
    }
    return at;
}

// from the thread that is late to the one that waits
static void shift(CdBalance *b) {
    const int late = largest(b->nthreads, b->last), early = largest(b->nthreads, b->first);
    const bool clear = (double)b->last[late] > MOSTLY * (double)b->total;
    if (clear && late != early && b->weight[late] > LEAST && b->weight[early] < MOST) {
        b->weight[late] -= STEP;
        b->weight[early] += STEP;
        set_cuts(b);
    }
    const size_t size = (size_t)b->nthreads * sizeof *b->last;
    memset(b->last, 0, size);
    memset(b->first, 0, size);
    b->total = 0;
}

bool cdi_balance_watches(CdBalance *b) {
    const unsigned at = b->jobs++ % PERIOD;
    if (at == WATCHED && b->total > 0) shift(b);
    return at < WATCHED;
}

void cdi_balance_tell(CdBalance *b, const int64_t *ns) {
    int slow = 0, fast = 0;
    for (int t = 1; t < b->nthreads; t++) {
        if (ns[t] > ns[slow]) slow = t;
        if (ns[t] < ns[fast]) fast = t;
    }
    b->last[slow] += ns[slow];
    b->first[fast] += ns[slow];
    b->total += ns[slow];
}
