// pool.c - a persistent pool of threads and the one primitive that uses it
//
// Hand-off. Every thread but the caller has a gate (gate.h) on a cache line of its own. The caller
// writes the job beside the gate and puts the gate from IDLE to POSTED; the thread, which spins on
// the gate, moves it to BUSY, runs its ranges and puts it back to IDLE, for which the caller spins
// in turn: two transfers of one cache line. Both spin for a while at most (IDLE_NS, LOOK_NS and
// JOIN_NS), then sleep. What a thread has not begun when the caller is done with its own ranges the
// caller moves back to IDLE and runs itself: it waits for nobody who sleeps or has no processor.
//
// Several jobs in a row are handed off at once. Between two of them every thread counts up its
// arrival and waits for those of the others; that is one transfer of a line, in both directions at
// a time, and what threads read of the caller's memory stays with them. Who has begun with the
// first stays to the end; the ranges of others, in all jobs, are the caller's.
//
// Split. The n items are ceil(n / grain) units; worker k of p gets the k-th of p runs of units,
// which are equally long at first, then by the speed of their threads (balance.h). Which thread
// runs a range does not matter to the split: there are no more threads than processors, and thread
// t of m runs the ranges t, t + m, t + 2m, ...
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
// PERIOD_MAX. And where hand-overs cost more than sharing gains, as trials find out from one round
// of work to the next, it does so too (trial.h).
#define _POSIX_C_SOURCE 200809L
#include "base/pool.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>

#include "base/balance.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/float_mode.h"
#include "base/gate.h"
#include "base/trial.h"

#define WORKERS_MAX CD_RANGES_MAX

// nanoseconds
#define IDLE_NS 100000       // longest spin of a thread for a job, about what it takes to wake one
#define BEGIN_NS 500         // spin of the caller for a thread that is to begin with several jobs
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
    const CdJob *job;
    size_t grain, units;
    int nranges;
    const CdBalance *balance; // NULL: one unit each
} Split;

// jobs that threads do together, one after the other
typedef struct List {
    const CdJob *jobs;
    int njobs;
    CdJob first;   // of them, nearer
    int nthreads;  // thread t runs the ranges t, t + nthreads, ...
    unsigned base; // where threads have arrived before
    bool watched;  // to be timed
    uint32_t mode; // of floating-point numbers
} List;

// one thread and the jobs it is to help with
typedef struct Worker {
    alignas(CD_GATE_ALIGN) CdGate gate;
    int index;
    int cpu; // on which it has worked last; -1: not known
    List list;
    int64_t took;
    CdPool *pool;
    pthread_t thread;
    bool absent;                           // the caller does its ranges
    alignas(CD_GATE_ALIGN) CdGate arrival; // how many jobs it has done, but for last ones of lists
} Worker;

// the caller's account of time lost to late workers
typedef struct Crowd {
    int64_t debt, since; // what it was at a time
    int64_t until;       // crowded until this time; 0: calm
    int unasked;         // jobs since the clock was looked at
    int64_t period;
} Crowd;

// what threads read stands apart from what the caller writes
struct CdPool {
    int nworkers;
    int nthreads, started; // with the caller; without
    CdBalance balance;
    CdContext *ctx;
    void *block; // the memory that holds the pool
    alignas(CD_GATE_ALIGN) Crowd crowd;
    bool in_round, alone; // something is done that is done again and again; by the caller
    int64_t since;        // when it began, if that is wanted
    CdTrial trial;
    unsigned arrived;                      // the number at all arrivals when nobody works
    alignas(CD_GATE_ALIGN) CdGate arrival; // of the caller
    atomic_bool busy;
    Worker worker[]; // of the threads 1, 2, ...
};

static Split split_job(const CdPool *pool, const CdJob *job) {
    const size_t grain = job->grain == 0 ? 1 : job->grain;
    const size_t units = job->n / grain + (job->n % grain != 0);
    if (units <= (size_t)pool->nworkers) return (Split){job, grain, units, (int)units, NULL};
    return (Split){job, grain, units, pool->nworkers, &pool->balance};
}

// first item of range k; n for k = nranges
static size_t range_begin(const Split *s, int k) {
    if (k == s->nranges) return s->job->n;
    return (s->balance ? cdi_balance_cut(s->balance, s->units, k) : (size_t)k) * s->grain;
}

static void run_range(const Split *s, int k, int worker) {
    const size_t begin = range_begin(s, k), end = range_begin(s, k + 1);
    if (begin < end) s->job->fn(s->job->user, begin, end, worker);
}

// ranges first, first + step, ...
static void run(const Split *s, int first, int step) {
    for (int k = first; k < s->nranges; k += step) run_range(s, k, k);
}

// the same; for how long, if that is asked for and others had as much to do
static int64_t run_timed(const Split *s, int first, int step, bool watched) {
    const bool timed = watched && s->nranges > 1;
    const int64_t start = timed ? cdi_clock_ns() : 0;
    run(s, first, step);
    return timed ? cdi_clock_ns() - start : 0;
}

static CdGate *arrival_of(CdPool *pool, int thread) {
    return thread == 0 ? &pool->arrival : &pool->worker[thread - 1].arrival;
}

static void wait_for_others(CdPool *pool, int own, unsigned before) {
    for (int t = 0; t < pool->nthreads; t++) {
        if (t == own) continue;
        while (!cdi_gate_spin(arrival_of(pool, t), before, LOOK_NS)) sched_yield();
    }
}

// after so many jobs; states of gates have a bit less than a number
static unsigned arrival(const List *l, int njobs) {
    return (l->base + (unsigned)njobs) & (UINT_MAX >> 1);
}

static void run_list(Worker *w) {
    CdPool *pool = w->pool;
    const List *l = &w->list;
    w->took = 0;
    for (int j = 0; j < l->njobs; j++) {
        const Split s = split_job(pool, j == 0 ? &l->first : &l->jobs[j]);
        w->took += run_timed(&s, w->index, l->nthreads, l->watched);
        if (j + 1 == l->njobs) return;
        cdi_gate_put(&w->arrival, arrival(l, j + 1));
        wait_for_others(pool, w->index, arrival(l, j));
    }
}

static void *work(void *arg) {
    Worker *w = arg;
    for (;;) {
        if (!cdi_gate_spin(&w->gate, IDLE, IDLE_NS)) cdi_gate_sleep(&w->gate, IDLE);
        if (cdi_gate_state(&w->gate) == STOP) return NULL;
        if (!cdi_gate_move(&w->gate, POSTED, BUSY)) continue;
        cdi_float_set(w->list.mode);
        run_list(w);
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

static void post(CdPool *pool, const List *l) {
    const int cpu = cdi_cpu_current();
    for (int t = 1; t < l->nthreads; t++) {
        Worker *w = &pool->worker[t - 1];
        if (w->cpu == cpu) {
            w->cpu = -1;
            cdi_cpu_part(w->thread, cpu, t);
        }
        w->list = *l;
        cdi_gate_put(&w->gate, POSTED);
    }
}

// returns for how long a thread that does not change its gate had no processor
static int64_t wait_for(const Worker *w, CdGate *gate, unsigned state) {
    if (cdi_gate_spin(gate, state, LOOK_NS)) return 0;
    const int64_t start = cdi_clock_ns(), used = cdi_clock_of_thread_ns(w->thread);
    if (!cdi_gate_spin(gate, state, JOIN_NS)) cdi_gate_sleep(gate, state);
    return cdi_clock_ns() - start - (cdi_clock_of_thread_ns(w->thread) - used);
}

// threads that have not begun; true: there were none. Those that began the last time are about to
static bool take_back(CdPool *pool, const List *l) {
    bool none = true;
    for (int t = 1; t < l->nthreads; t++) {
        Worker *w = &pool->worker[t - 1];
        if (l->njobs > 1 && !w->absent) cdi_gate_spin(&w->gate, POSTED, BEGIN_NS);
        w->absent = cdi_gate_move(&w->gate, POSTED, IDLE);
        none &= !w->absent;
    }
    return none;
}

static void run_absent(const CdPool *pool, const List *l, const Split *s) {
    for (int t = 1; t < l->nthreads; t++) {
        if (pool->worker[t - 1].absent) run(s, t, l->nthreads);
    }
}

// the caller and those whose work it has done
static void arrive(CdPool *pool, const List *l, unsigned at) {
    for (int t = 0; t < l->nthreads; t++) {
        if (t == 0 || pool->worker[t - 1].absent) cdi_gate_put(arrival_of(pool, t), at);
    }
}

// between jobs: until all have arrived, at the end: until they have gone
static int64_t join(CdPool *pool, const List *l, bool last, unsigned before) {
    int64_t late = 0;
    for (int t = 1; t < l->nthreads; t++) {
        Worker *w = &pool->worker[t - 1];
        if (w->absent) continue;
        late += last ? wait_for(w, &w->gate, BUSY) : wait_for(w, &w->arrival, before);
    }
    return late;
}

// how long all threads took for a job
static void tell(CdPool *pool, int64_t own) {
    int64_t took[WORKERS_MAX] = {own};
    for (int t = 1; t < pool->nthreads; t++) took[t] = pool->worker[t - 1].took;
    cdi_balance_tell(&pool->balance, took);
}

static void run_alone(const CdPool *pool, const CdJob *jobs, int njobs) {
    for (int j = 0; j < njobs; j++) {
        const Split s = split_job(pool, &jobs[j]);
        run(&s, 0, 1);
    }
}

static void fork_join(CdPool *pool, const List *l) {
    int64_t took = 0, late = 0;
    bool all = true;
    post(pool, l);
    for (int j = 0; j < l->njobs; j++) {
        const bool last = j + 1 == l->njobs;
        const Split s = split_job(pool, &l->jobs[j]);
        took += run_timed(&s, 0, l->nthreads, l->watched);
        if (j == 0) all = take_back(pool, l);
        if (!all) run_absent(pool, l, &s);
        if (!last) arrive(pool, l, arrival(l, j + 1));
        late += join(pool, l, last, arrival(l, j));
    }
    pool->arrived = arrival(l, l->njobs - 1);
    if (late > 0) {
        account(&pool->crowd, late);
    } else if (l->watched && all) {
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
static void run_inline(const CdPool *pool, const CdJob *jobs, int njobs, int worker) {
    for (int j = 0; j < njobs; j++) {
        const Split s = split_job(pool, &jobs[j]);
        for (int k = 0; k < s.nranges; k++) run_range(&s, k, worker);
    }
}

// all threads, or of a single job those that have something to do
static List make_list(CdPool *pool, const CdJob *jobs, int njobs) {
    bool balanced = false;
    int most = 0;
    for (int j = 0; j < njobs; j++) {
        const Split s = split_job(pool, &jobs[j]);
        if (s.nranges > most) most = s.nranges;
        balanced |= s.balance != NULL;
    }
    return (List){.jobs = jobs,
                  .njobs = njobs,
                  .first = jobs[0],
                  .nthreads = most > 1 && njobs > 1   ? pool->nthreads
                              : most < pool->nthreads ? most
                                                      : pool->nthreads,
                  .base = pool->arrived,
                  .watched = balanced && cdi_balance_watches(&pool->balance),
                  .mode = cdi_float_mode()};
}

void cdi_pool_run(CdPool *pool, const CdJob *jobs, int njobs) {
    if (njobs == 0) return;
    if (pool->nworkers == 1) {
        run_inline(pool, jobs, njobs, 0);
    } else if (atomic_exchange_explicit(&pool->busy, true, memory_order_acquire)) {
        run_inline(pool, jobs, njobs, own_index(pool));
    } else {
        if (pool->alone || is_crowded(&pool->crowd)) {
            run_alone(pool, jobs, njobs);
        } else {
            const List l = make_list(pool, jobs, njobs);
            if (l.nthreads > 1) {
                fork_join(pool, &l);
            } else {
                run_alone(pool, jobs, njobs);
            }
        }
        atomic_store_explicit(&pool->busy, false, memory_order_release);
    }
}

int cdi_pool_count(const CdPool *pool) {
    return pool->nworkers;
}

static void do_nothing(void *user, size_t begin, size_t end, int worker) {
    (void)user, (void)begin, (void)end, (void)worker;
}

// Crowded pools are not tried, as nothing is shared. While one thread is, the others are kept
// awake.
void cdi_pool_begin(CdPool *pool) {
    if (pool->nthreads == 1 || pool->crowd.until != 0) return;
    const bool watches = cdi_trial_watches(&pool->trial), alone = !pool->trial.shares;
    if (watches && alone) cd_parallel_for(pool, (size_t)pool->nthreads, 1, do_nothing, NULL);
    pool->in_round = true;
    pool->alone = alone;
    if (watches) pool->since = cdi_clock_ns();
}

void cdi_pool_end(CdPool *pool) {
    if (!pool->in_round) return;
    const bool watches = cdi_trial_watches(&pool->trial);
    cdi_trial_tell(&pool->trial, watches ? cdi_clock_ns() - pool->since : 0);
    pool->in_round = pool->alone = false;
}

bool cdi_pool_crowded(const CdPool *pool) {
    return pool && pool->crowd.until != 0;
}

bool cdi_pool_alone(const CdPool *pool) {
    return !pool || pool->nthreads == 1 || pool->alone || cdi_pool_crowded(pool);
}

// an empty pool at an address that is aligned for its workers
static CdPool *allocate(CdContext *ctx, int nworkers) {
    const int ncpu = cdi_cpu_count(), nthreads = nworkers < ncpu ? nworkers : ncpu;
    const size_t size = sizeof(CdPool) + (size_t)(nthreads - 1) * sizeof(Worker);
    char *block = cdi_alloc(ctx, size + CD_GATE_ALIGN);
    if (!block) return NULL;
    CdPool *pool = (CdPool *)(void *)(block + CD_GATE_ALIGN - (uintptr_t)block % CD_GATE_ALIGN);
    if (!cdi_gate_init(&pool->arrival, 0)) {
        cdi_free(ctx, block);
        return NULL;
    }
    pool->ctx = ctx;
    pool->block = block;
    pool->nworkers = nworkers;
    pool->nthreads = nthreads;
    pool->crowd.period = PERIOD_MIN;
    cdi_balance_init(&pool->balance, nworkers, nthreads);
    cdi_trial_init(&pool->trial);
    atomic_init(&pool->busy, false);
    return pool;
}

static bool open_gates(Worker *w) {
    if (!cdi_gate_init(&w->gate, IDLE)) return false;
    if (cdi_gate_init(&w->arrival, 0)) return true;
    cdi_gate_clear(&w->gate);
    return false;
}

static void close_gates(Worker *w) {
    cdi_gate_clear(&w->gate);
    cdi_gate_clear(&w->arrival);
}

static bool start(CdPool *pool) {
    Worker *w = &pool->worker[pool->started];
    if (!open_gates(w)) return false;
    w->index = pool->started + 1;
    w->pool = pool;
    w->cpu = cdi_cpu_current(); // where the caller is likely to be
    if (pthread_create(&w->thread, NULL, work, w) != 0) {
        close_gates(w);
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
        close_gates(&pool->worker[i]);
    }
    cdi_gate_clear(&pool->arrival);
    cdi_free(pool->ctx, pool->block);
}
