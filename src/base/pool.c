// pool.c - a persistent pool of threads and the one primitive that uses it
//
// Hand-off. Every worker but the caller has a thread and a gate (gate.h) on cache lines of its own.
// The caller writes a range beside the gate and puts the gate from IDLE to FIXED; the worker, which
// spins on the gate, runs the range and puts it back to IDLE, for which the caller spins in turn:
// two transfers of one cache line. Both spin for a while at most (IDLE_NS, JOIN_NS), then sleep.
//
//            caller                worker
//     IDLE ---------> FIXED ----------------> IDLE      calm
//     IDLE ---------> OPEN  --> FIXED ------> IDLE      crowded, the worker came first
//     IDLE ---------> OPEN  ----------------> IDLE      crowded, the caller took the range back
//
// Split. The n items are ceil(n / grain) units; worker k of p gets the k-th of p runs of units
// whose lengths differ by one at most. Which thread runs a range does not matter to the split.
//
// Place. Some kernels wake a thread on the processor of the thread that wakes it, and need
// milliseconds to see that another one is idle. A worker that finds itself on the caller's
// processor moves away, if that pays: jobs come so fast that it has not slept since the last one,
// or its last range there took longer than a move. Nobody is pinned. The caller spins longer than a
// move takes: if it slept it would in turn be woken on the worker's processor.
//
// Oversubscription. Spinning is right while every worker has a processor, and ruinous when a
// spinning thread keeps the processor from the one it waits for. When the pool is crowded nobody
// spins: ranges are posted OPEN, the workers are woken, and the caller, done with its own range,
// takes back every range that no worker has begun, so it never waits for a worker that did not get
// a processor. The pool is crowded
//   - always, if it has more workers than this process has processors;
//   - for a while, if late workers cost more time than sleeping would. The time a join lasts beyond
//     its spin is a debt, of which every job pays back WAKE_NS, about what it would cost to wake a
//     worker. When the debt reaches DEBT_MAX the pool is crowded for PERIOD_MIN, then tries again
//     with half of the debt; when that fails, for twice as long, up to PERIOD_MAX.
// Taking an unbalanced job for oversubscription does little harm: a job whose join outlasts the
// spin takes long anyhow compared with a wake-up.
#define _POSIX_C_SOURCE 200809L
#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdalign.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/gate.h"

#define WORKERS_MAX 256

// nanoseconds
#define IDLE_NS 50000        // longest spin of a worker for a range
#define JOIN_NS 200000       // longest spin of the caller for a worker
#define WAKE_NS 20000        // waking a worker, in order of magnitude
#define MOVE_NS 100000       // moving it to an idle processor, which a virtual machine has to start
#define LATE_MAX 4000000     // a join counts no more than that: one time slice of the scheduler
#define DEBT_MAX 10000000    // a few time slices
#define PERIOD_MIN 10000000  // a few time slices
#define PERIOD_MAX 640000000 // trying again costs a time slice or two: a percent of this

// states of a gate
enum { IDLE, FIXED, OPEN, STOP };

// one thread and the range it is to run
typedef struct Worker {
    alignas(CD_GATE_ALIGN) CdGate gate;
    int index;
    int caller_cpu;
    CdRangeFn *fn;
    void *user;
    size_t begin, end;
    pthread_t thread;
} Worker;

// the caller's account of time lost to late workers
typedef struct Crowd {
    bool always;
    int64_t debt;
    int64_t until; // crowded until this time; 0: calm
    int64_t period;
} Crowd;

struct CdPool {
    CdContext *ctx;
    void *block; // the memory that holds the pool
    int nworkers, nthreads;
    Crowd crowd;
    atomic_bool busy;
    Worker worker[]; // of the workers 1, 2, ...
};

typedef struct Split {
    size_t n, grain;
    size_t units; // ceil(n / grain)
    int nranges;
} Split;

static Split split_items(size_t n, size_t grain, int nworkers) {
    if (grain == 0) grain = 1;
    Split s = {n, grain, n / grain + (n % grain != 0), nworkers};
    if (s.units < (size_t)nworkers) s.nranges = (int)s.units;
    return s;
}

// first item of range k; n for k = nranges
static size_t range_begin(const Split *s, int k) {
    if (k == s->nranges) return s->n;
    size_t each = s->units / (size_t)s->nranges, longer = s->units % (size_t)s->nranges;
    size_t i = (size_t)k;
    return (i * each + (i < longer ? i : longer)) * s->grain;
}

static void run(const Worker *w) {
    w->fn(w->user, w->begin, w->end, w->index);
}

// run a range on the caller's processor, or move away first; returns whether moving is worth it
static bool run_beside_caller(const Worker *w, bool leave) {
    if (leave) cdi_cpu_leave(w->caller_cpu, w->index);
    int64_t start = cdi_clock_ns();
    run(w);
    return cdi_clock_ns() - start > MOVE_NS;
}

static void *work(void *arg) {
    Worker *w = arg;
    for (bool calm = true, leave = false;;) {
        // wait for a range or the end
        bool awake = calm && cdi_gate_wait(&w->gate, IDLE, IDLE_NS) < IDLE_NS;
        if (!calm) cdi_gate_sleep(&w->gate, IDLE);
        unsigned state = cdi_gate_state(&w->gate);
        if (state == STOP) return NULL;

        // a range that is open to the caller too, or was
        calm = state == FIXED;
        if (!calm && !cdi_gate_swap(&w->gate, OPEN, FIXED)) continue;

        if (calm && w->caller_cpu == cdi_cpu_current()) {
            leave = run_beside_caller(w, leave || awake);
        } else {
            run(w);
        }
        cdi_gate_put(&w->gate, IDLE);
    }
}

static bool is_crowded(Crowd *c) {
    if (c->always) return true;
    if (c->until == 0) return false;
    if (cdi_clock_ns() < c->until) return true;
    c->until = 0;
    c->debt = DEBT_MAX / 2;
    return false;
}

// a calm job has ended, its join late by so much
static void account(Crowd *c, int64_t late) {
    c->debt += (late < LATE_MAX ? late : LATE_MAX) - WAKE_NS;
    if (c->debt <= 0) {
        c->debt = 0;
        c->period = PERIOD_MIN;
    } else if (c->debt >= DEBT_MAX) {
        c->until = cdi_clock_ns() + c->period;
        c->period = c->period < PERIOD_MAX ? 2 * c->period : PERIOD_MAX;
    }
}

// hand out the ranges 1, 2, ...
static void post(CdPool *pool, const Split *s, CdRangeFn *fn, void *user, unsigned state) {
    int cpu = cdi_cpu_current();
    for (int k = 1; k < s->nranges; k++) {
        Worker *w = &pool->worker[k - 1];
        w->caller_cpu = cpu;
        w->fn = fn;
        w->user = user;
        w->begin = range_begin(s, k);
        w->end = range_begin(s, k + 1);
        cdi_gate_put(&w->gate, state);
    }
}

// wait for fixed ranges; returns the time beyond the spin
static int64_t join(CdPool *pool, int nranges) {
    int64_t late = 0;
    for (int k = 1; k < nranges; k++) {
        int64_t waited = cdi_gate_wait(&pool->worker[k - 1].gate, FIXED, JOIN_NS);
        if (waited > JOIN_NS) late += waited - JOIN_NS;
    }
    return late;
}

// take back the open ranges that nobody has begun, then wait for the others
static void take_back_and_join(CdPool *pool, int nranges) {
    for (int k = 1; k < nranges; k++) {
        Worker *w = &pool->worker[k - 1];
        if (cdi_gate_swap(&w->gate, OPEN, IDLE)) run(w);
    }
    for (int k = 1; k < nranges; k++) cdi_gate_sleep(&pool->worker[k - 1].gate, FIXED);
}

static void fork_join(CdPool *pool, const Split *s, CdRangeFn *fn, void *user) {
    bool crowded = is_crowded(&pool->crowd);
    post(pool, s, fn, user, crowded ? OPEN : FIXED);
    fn(user, 0, range_begin(s, 1), 0);
    if (crowded) {
        take_back_and_join(pool, s->nranges);
    } else {
        account(&pool->crowd, join(pool, s->nranges));
    }
}

// which worker the calling thread is
static int own_index(const CdPool *pool) {
    for (int i = 0; i < pool->nthreads; i++) {
        if (pthread_equal(pool->worker[i].thread, pthread_self())) return pool->worker[i].index;
    }
    return 0;
}

// the same ranges, one after the other
static void run_inline(const Split *s, CdRangeFn *fn, void *user, int worker) {
    for (int k = 0; k < s->nranges; k++) fn(user, range_begin(s, k), range_begin(s, k + 1), worker);
}

void cd_parallel_for(CdPool *pool, size_t n, size_t grain, CdRangeFn *fn, void *user) {
    if (n == 0) return;
    if (!pool || pool->nworkers == 1) {
        fn(user, 0, n, 0);
        return;
    }
    Split s = split_items(n, grain, pool->nworkers);
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

int cd_pool_workers(const CdPool *pool) {
    return pool ? pool->nworkers : 1;
}

bool cdi_pool_crowded(const CdPool *pool) {
    return pool && (pool->crowd.always || pool->crowd.until != 0);
}

// an empty pool at an address that is aligned for its workers
static CdPool *allocate(CdContext *ctx, int nworkers) {
    size_t size = sizeof(CdPool) + (size_t)(nworkers - 1) * sizeof(Worker);
    char *block = cdi_alloc(ctx, size + CD_GATE_ALIGN);
    if (!block) return NULL;
    CdPool *pool = (CdPool *)(void *)(block + CD_GATE_ALIGN - (uintptr_t)block % CD_GATE_ALIGN);
    pool->ctx = ctx;
    pool->block = block;
    pool->nworkers = nworkers;
    pool->crowd.always = nworkers > 1 && nworkers > cdi_cpu_count();
    pool->crowd.period = PERIOD_MIN;
    atomic_init(&pool->busy, false);
    return pool;
}

static bool start(CdPool *pool) {
    Worker *w = &pool->worker[pool->nthreads];
    if (!cdi_gate_init(&w->gate, IDLE)) return false;
    w->index = pool->nthreads + 1;
    if (pthread_create(&w->thread, NULL, work, w) != 0) {
        cdi_gate_clear(&w->gate);
        return false;
    }
    pool->nthreads++;
    return true;
}

// start the threads with all signals blocked: those belong to the threads of the user
static CdStatus start_all(CdPool *pool) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->nthreads < pool->nworkers - 1 && start(pool)) {
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pool->nthreads == pool->nworkers - 1) return CD_OK;
    return cdi_fail(pool->ctx, CD_NOMEM,
                    "cannot start thread %d of %d; ask for fewer workers, or raise the limits "
                    "on threads and memory",
                    pool->nthreads + 1, pool->nworkers - 1);
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
    for (int i = 0; i < pool->nthreads; i++) cdi_gate_put(&pool->worker[i].gate, STOP);
    for (int i = 0; i < pool->nthreads; i++) {
        pthread_join(pool->worker[i].thread, NULL);
        cdi_gate_clear(&pool->worker[i].gate);
    }
    cdi_free(pool->ctx, pool->block);
}
