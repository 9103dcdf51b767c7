// pool.c - a persistent pool of threads and the one primitive that uses it
//
// Hand-off. Every thread but the caller has a gate (gate.h) on a cache line of its own. The caller
// writes the job beside the gate and puts the gate from IDLE to POSTED; the thread, which spins on
// the gate, moves it to BUSY, runs its ranges and puts it back to IDLE, for which the caller spins
// in turn: two transfers of one cache line. Both spin for a while at most (IDLE_NS, LOOK_NS and
// JOIN_NS), then sleep. What a thread has not begun when the caller is done with its own ranges the
// caller moves back to IDLE and runs itself: it waits for nobody who sleeps or has no processor.
//
// Split. The n items are ceil(n / grain) units; worker k of p gets the k-th of p runs of units,
// which are equally long at first, then by the speed of their threads (balance.h). Which thread runs
// a range does not matter to the split: there are no more threads than processors, and thread t of m
// runs the ranges t, t + m, t + 2m, ...
//
// Place. Some kernels wake a thread on the processor of the thread that wakes it, and need
// milliseconds to see that another one is idle; meanwhile the two take turns, and who spins keeps
// the other from working. So a thread is kept off the processor on which its caller was when it
// first had a job, and again whenever both are found on one: every thread tells with its work where
// it has done it. Among all other processors the kernel is free to choose.
//
// Oversubscription. Waiting for a thread that another program takes the processor from costs a time
// slice of the scheduler, a thousand times what a step costs. When the caller has spun in vain for
// some time (LOOK_NS) it looks for how long the thread is on a processor until it is done: the rest
// is a debt, of which time pays back a part (one of PAID_PART), since sharing gains more than that.
// When the debt reaches DEBT_MAX the pool is crowded: for PERIOD_MIN the caller runs all ranges
// itself, then tries again with half of the debt; when that fails, for twice as long, up to
// PERIOD_MAX.
#define _POSIX_C_SOURCE 200809L
#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdalign.h>

#include "base/balance.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/gate.h"

#define WORKERS_MAX CD_RANGES_MAX

// nanoseconds
#define IDLE_NS 100000       // longest spin of a thread for a job, about what it takes to wake one
#define LOOK_NS 20000        // spin of the caller for a thread, then it looks at its time
#define JOIN_NS 200000       // and spins on for so long
#define DEBT_MAX 3000000     // a time slice of the scheduler
#define PERIOD_MIN 100000000 // trying again costs half a time slice: some percent of this
#define PERIOD_MAX 800000000
#define PAID_PART 32

// looking at the clock costs as much as a short job
#define UNASKED_MAX 16

// states of a gate
enum { IDLE, POSTED, BUSY, STOP };

// ranges of a job
typedef struct Split {
    size_t n, grain, units;
    int nranges;
    const CdBalance *balance; // NULL: one unit each
} Split;

// one thread and the job it is to help with
typedef struct Worker {
    alignas(CD_GATE_ALIGN) CdGate gate;
    int index, nthreads; // ranges index, index + nthreads, ... are its
    int cpu;             // on which it has worked last; -1: not known
    CdRangeFn *fn;
    void *user;
    Split split;
    bool watched; // to be timed
    int64_t took;
    pthread_t thread;
} Worker;

// the caller's account of time lost to late workers
typedef struct Crowd {
    int64_t debt, since; // what it was at a time
    int64_t until;       // crowded until this time; 0: calm
    int unasked;         // jobs since the clock was looked at
    int64_t period;
} Crowd;

struct CdPool {
    CdContext *ctx;
    void *block; // the memory that holds the pool
    int nworkers;
    int nthreads, started; // with the caller; without
    Crowd crowd;
    CdBalance balance;
    atomic_bool busy;
    Worker worker[]; // of the threads 1, 2, ...
};

static Split split_items(const CdPool *pool, size_t n, size_t grain) {
    if (grain == 0) grain = 1;
    const size_t units = n / grain + (n % grain != 0);
    if (units <= (size_t)pool->nworkers) return (Split){n, grain, units, (int)units, NULL};
    return (Split){n, grain, units, pool->nworkers, &pool->balance};
}

// first item of range k; n for k = nranges
static size_t range_begin(const Split *s, int k) {
    if (k == s->nranges) return s->n;
    return (s->balance ? cdi_balance_cut(s->balance, s->units, k) : (size_t)k) * s->grain;
}

static void run_range(const Split *s, int k, CdRangeFn *fn, void *user, int worker) {
    const size_t begin = range_begin(s, k), end = range_begin(s, k + 1);
    if (begin < end) fn(user, begin, end, worker);
}

// ranges first, first + step, ...
static void run(const Split *s, int first, int step, CdRangeFn *fn, void *user) {
    for (int k = first; k < s->nranges; k += step) run_range(s, k, fn, user, k);
}

static void *work(void *arg) {
    Worker *w = arg;
    for (;;) {
        if (!cdi_gate_spin(&w->gate, IDLE, IDLE_NS)) cdi_gate_sleep(&w->gate, IDLE);
        if (cdi_gate_state(&w->gate) == STOP) return NULL;
        if (!cdi_gate_move(&w->gate, POSTED, BUSY)) continue;
        const int64_t start = w->watched ? cdi_clock_ns() : 0;
        run(&w->split, w->index, w->nthreads, w->fn, w->user);
        if (w->watched) w->took = cdi_clock_ns() - start;
        w->cpu = cdi_cpu_current();
        cdi_gate_put(&w->gate, IDLE);
    }
}

static bool is_crowded(Crowd *c) {
    if (c->until == 0) return false;
    if (++c->unasked < UNASKED_MAX) return true;
    c->unasked = 0;
    const int64_t now = cdi_clock_ns();
    if (now < c->until) return true;
    *c = (Crowd){.debt = DEBT_MAX / 2, .since = now, .period = c->period};
    return false;
}

// the join of a job was late by so much
static void account(Crowd *c, int64_t late) {
    const int64_t now = cdi_clock_ns();
    c->debt -= (now - c->since) / PAID_PART;
    c->since = now;
    if (c->debt <= 0) {
        c->debt = 0;
        c->period = PERIOD_MIN;
    }
    c->debt += late;
    if (c->debt < DEBT_MAX) return;
    c->until = now + c->period;
    if (c->period < PERIOD_MAX) c->period *= 2;
}

static void post(CdPool *pool, const Split *s, CdRangeFn *fn, void *user, bool watched) {
    const int cpu = cdi_cpu_current();
    for (int t = 1; t < pool->nthreads && t < s->nranges; t++) {
        Worker *w = &pool->worker[t - 1];
        if (w->cpu == cpu) {
            w->cpu = -1;
            cdi_cpu_part(w->thread, cpu, t);
        }
        w->fn = fn;
        w->user = user;
        w->split = *s;
        w->watched = watched;
        cdi_gate_put(&w->gate, POSTED);
    }
}

// returns for how long a thread that is not done yet had no processor
static int64_t wait_for(Worker *w) {
    const int64_t start = cdi_clock_ns(), used = cdi_clock_of_thread_ns(w->thread);
    if (!cdi_gate_spin(&w->gate, BUSY, JOIN_NS)) cdi_gate_sleep(&w->gate, BUSY);
    return cdi_clock_ns() - start - (cdi_clock_of_thread_ns(w->thread) - used);
}

// ranges that their threads have not begun; true: there were none
static bool take_back(CdPool *pool, const Split *s, CdRangeFn *fn, void *user) {
    bool none = true;
    for (int t = 1; t < pool->nthreads && t < s->nranges; t++) {
        if (!cdi_gate_move(&pool->worker[t - 1].gate, POSTED, IDLE)) continue;
        run(s, t, pool->nthreads, fn, user);
        none = false;
    }
    return none;
}

static int64_t join(CdPool *pool, const Split *s) {
    int64_t late = 0;
    for (int t = 1; t < pool->nthreads && t < s->nranges; t++) {
        Worker *w = &pool->worker[t - 1];
        if (!cdi_gate_spin(&w->gate, BUSY, LOOK_NS)) late += wait_for(w);
    }
    return late;
}

// how long all threads took for a job
static void tell(CdPool *pool, int64_t own) {
    int64_t took[WORKERS_MAX] = {own};
    for (int t = 1; t < pool->nthreads; t++) took[t] = pool->worker[t - 1].took;
    cdi_balance_tell(&pool->balance, took);
}

static void fork_join(CdPool *pool, const Split *s, CdRangeFn *fn, void *user) {
    if (pool->nthreads == 1 || is_crowded(&pool->crowd)) {
        run(s, 0, 1, fn, user);
        return;
    }
    const bool watched = s->balance && cdi_balance_watches(&pool->balance);
    post(pool, s, fn, user, watched);
    const int64_t start = watched ? cdi_clock_ns() : 0;
    run(s, 0, pool->nthreads, fn, user);
    const int64_t took = watched ? cdi_clock_ns() - start : 0;
    const bool all = take_back(pool, s, fn, user);
    const int64_t late = join(pool, s);
    if (late > 0) {
        account(&pool->crowd, late);
    } else if (watched && all) {
        tell(pool, took);
    }
}

// which worker the calling thread is
static int own_index(const CdPool *pool) {
    for (int i = 0; i < pool->started; i++) {
        if (pthread_equal(pool->worker[i].thread, pthread_self())) return pool->worker[i].index;
    }
    return 0;
}

// the same ranges, one after the other
static void run_inline(const Split *s, CdRangeFn *fn, void *user, int worker) {
    for (int k = 0; k < s->nranges; k++) run_range(s, k, fn, user, worker);
}

void cdi_pool_run(CdPool *pool, size_t n, size_t grain, CdRangeFn *fn, void *user) {
    if (n == 0) return;
    if (pool->nworkers == 1) {
        fn(user, 0, n, 0);
        return;
    }
    const Split s = split_items(pool, n, grain);
    if (atomic_exchange_explicit(&pool->busy, true, memory_order_acquire)) {
        run_inline(&s, fn, user, own_index(pool));
    } else {
        if (s.nranges == 1) {
            run_inline(&s, fn, user, 0);
        } else {
            fork_join(pool, &s, fn, user);
        }
        atomic_store_explicit(&pool->busy, false, memory_order_release);
    }
}

int cdi_pool_count(const CdPool *pool) {
    return pool->nworkers;
}

bool cdi_pool_crowded(const CdPool *pool) {
    return pool && pool->crowd.until != 0;
}

// an empty pool at an address that is aligned for its workers
static CdPool *allocate(CdContext *ctx, int nworkers) {
    const int ncpu = cdi_cpu_count(), nthreads = nworkers < ncpu ? nworkers : ncpu;
    size_t size = sizeof(CdPool) + (size_t)(nthreads - 1) * sizeof(Worker);
    char *block = cdi_alloc(ctx, size + CD_GATE_ALIGN);
    if (!block) return NULL;
    CdPool *pool = (CdPool *)(void *)(block + CD_GATE_ALIGN - (uintptr_t)block % CD_GATE_ALIGN);
    pool->ctx = ctx;
    pool->block = block;
    pool->nworkers = nworkers;
    pool->nthreads = nthreads;
    pool->crowd.period = PERIOD_MIN;
    cdi_balance_init(&pool->balance, nworkers, nthreads);
    atomic_init(&pool->busy, false);
    return pool;
}

static bool start(CdPool *pool) {
    Worker *w = &pool->worker[pool->started];
    if (!cdi_gate_init(&w->gate, IDLE)) return false;
    w->index = pool->started + 1;
    w->nthreads = pool->nthreads;
    w->cpu = cdi_cpu_current(); // where the caller is likely to be
    if (pthread_create(&w->thread, NULL, work, w) != 0) {
        cdi_gate_clear(&w->gate);
        return false;
    }
    pool->started++;
    return true;
}

// start the threads with all signals blocked: those belong to the threads of the user
static CdStatus start_all(CdPool *pool) {
    sigset_t all, before;
    const int wanted = pool->nthreads - 1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->started < wanted && start(pool)) {
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pool->started == wanted) return CD_OK;
    return cdi_fail(pool->ctx, CD_NOMEM,
                    "cannot start thread %d of %d; ask for fewer workers, or raise the limits "
                    "on threads and memory",
                    pool->started + 1, wanted);
}

CdStatus cd_pool_new(CdContext *ctx, int nworkers, CdPool **pool) {
    *pool = NULL;
    if (nworkers < 0 || nworkers > WORKERS_MAX) {
        return cdi_fail(ctx, CD_INVALID, "cannot have %d workers; 1 to %d, or 0 for all processors",
                        nworkers, WORKERS_MAX);
    }
    if (nworkers == 0) {
        nworkers = cdi_cpu_count();
        if (nworkers > WORKERS_MAX) nworkers = WORKERS_MAX;
    }
    CdPool *p = allocate(ctx, nworkers);
    if (!p) return cdi_fail(ctx, CD_NOMEM, "out of memory for a pool of %d workers", nworkers);
    CdStatus status = start_all(p);
    if (status == CD_OK) {
        *pool = p;
    } else {
        cd_pool_free(p);
    }
    return status;
}

void cd_pool_free(CdPool *pool) {
    if (!pool) return;
    for (int i = 0; i < pool->started; i++) cdi_gate_put(&pool->worker[i].gate, STOP);
    for (int i = 0; i < pool->started; i++) {
        pthread_join(pool->worker[i].thread, NULL);
        cdi_gate_clear(&pool->worker[i].gate);
    }
    cdi_free(pool->ctx, pool->block);
}
