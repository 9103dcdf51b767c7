// balance.h - how a job is cut for threads whose processors are not equally fast
//
// Processors differ: some are small, and those of a virtual machine lose time to neighbours that
// nobody sees here. A job ends when its slowest range does. Now and then some jobs in a row are
// timed; if most of their time went into jobs for which the same thread was the last, that thread
// gets a little less from now on, and the one that was mostly the first a little more. All jobs are
// cut at the same places, so that a thread keeps what it has in its cache.
#ifndef CARDAN_BASE_BALANCE_H
#define CARDAN_BASE_BALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CD_RANGES_MAX 256

typedef struct CdBalance {
    int nranges, nthreads;           // thread t has the ranges t, t + nthreads, ...
    uint32_t cut[CD_RANGES_MAX + 1]; // where ranges begin and end, of CDI_BALANCE_WHOLE
    int weight[CD_RANGES_MAX];       // of threads
    int64_t last[CD_RANGES_MAX], first[CD_RANGES_MAX]; // time of jobs in which they were that
    int64_t total;
    unsigned jobs; // so far
} CdBalance;

#define CDI_BALANCE_WHOLE 65536

void cdi_balance_init(CdBalance *b, int nranges, int nthreads);

bool cdi_balance_watches(CdBalance *b);                 // is the next job to be timed?
void cdi_balance_tell(CdBalance *b, const int64_t *ns); // the time of every thread for it

// where range k of n units begins
static inline size_t cdi_balance_cut(const CdBalance *b, size_t n, int k) {
    return n / CDI_BALANCE_WHOLE * b->cut[k] +
           (n % CDI_BALANCE_WHOLE * b->cut[k] + CDI_BALANCE_WHOLE / 2 - 1) / CDI_BALANCE_WHOLE;
}

#endif
