// pool.h - a persistent pool of threads and what uses it
#ifndef CARDAN_BASE_POOL_H
#define CARDAN_BASE_POOL_H

#include "base/context.h"

typedef struct CdPool CdPool;

// work on the items begin..end-1; called by several threads at once for disjoint ranges.
// worker is 0..nworkers-1, no two running calls share it: index of per-worker scratch memory.
typedef void CdRangeFn(void *user, size_t begin, size_t end, int worker);

// nworkers counts the calling thread; 0: as many as the processors this process may use. One worker
// starts no thread, and more workers than processors start no more threads than these. A pool
// serves one caller at a time.
CdStatus cd_pool_new(CdContext *ctx, int nworkers, CdPool **pool);
void cd_pool_free(CdPool *pool); // joins the threads; NULL does nothing
int cdi_pool_count(const CdPool *pool);
static inline int cd_pool_workers(const CdPool *pool) {
    return pool ? cdi_pool_count(pool) : 1;
}

// fn for 0..n-1, in ranges whose begins are multiples of grain
typedef struct CdJob {
    CdRangeFn *fn;
    void *user;
    size_t n, grain;
} CdJob;

void cdi_pool_run(CdPool *pool, const CdJob *jobs, int njobs);
// call fn for 0..n-1 in ranges whose begins are multiples of grain and return when all are done.
// Where it is split depends on how fast threads are, so no result may: every item, or every grain
// of items, has numbers of its own. pool NULL, one worker, or n <= grain: inline. Called from
// inside a range: inline.
static inline void cd_parallel_for(CdPool *pool, size_t n, size_t grain, CdRangeFn *fn,
                                   void *user) {
    if (pool) {
        cdi_pool_run(pool, &(CdJob){fn, user, n, grain}, 1);
    } else if (n > 0) {
        fn(user, 0, n, 0);
    }
}

// several jobs, each when the one before is done, for the price of about one: threads wait for each
// other between jobs, and only at the end for the caller to come back with more
static inline void cd_parallel_jobs(CdPool *pool, const CdJob *jobs, int njobs) {
    if (pool) {
        cdi_pool_run(pool, jobs, njobs);
    } else {
        for (int j = 0; j < njobs; j++) {
            if (jobs[j].n > 0) jobs[j].fn(jobs[j].user, 0, jobs[j].n, 0);
        }
    }
}

// Before and after what is done again and again, as steps are: the caller does it alone where that
// takes less time (trial.h). pool NULL does nothing.
void cdi_pool_begin(CdPool *pool);
void cdi_pool_end(CdPool *pool);
static inline void cd_round_begin(CdPool *pool) {
    if (pool) cdi_pool_begin(pool);
}
static inline void cd_round_end(CdPool *pool) {
    if (pool) cdi_pool_end(pool);
}

// does the caller run everything itself because threads do not get processors? (of its own thread)
bool cdi_pool_crowded(const CdPool *pool);
// for that or any other reason, as long as this round lasts?
bool cdi_pool_alone(const CdPool *pool);

#endif
