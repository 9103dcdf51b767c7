// test_pool.c - static split, worker ids, same bits, nesting, sleeping, crowding, failures
//
// test_pool_condvar.c compiles this file once more for the way to sleep without a futex.
#define _GNU_SOURCE
#include "base/pool.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/float_mode.h"
#include "base/gate.h"
#include "test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define MAX_WORKERS 256

static void sleep_ms(int ms) {
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

static CdPool *new_pool(CdContext *ctx, int nworkers) {
    CdPool *pool = NULL;
    CHECK_OK(cd_pool_new(ctx, nworkers, &pool));
    CHECK_INT(cd_pool_workers(pool), nworkers);
    return pool;
}

// two threads in turn, odd and even states, both asleep whenever it is not their turn; the plain
// counter shows that each sees what the other wrote
#define TURNS 20000
typedef struct PingPong {
    CdGate gate;
    int64_t spin_ns;
    long counter;
} PingPong;

static void play(PingPong *p, unsigned first) {
    for (unsigned turn = first; turn < TURNS; turn += 2) {
        // until the other one has answered the turn before
        const bool left = p->spin_ns > 0 && cdi_gate_spin(&p->gate, turn - 2, p->spin_ns);
        if (!left) cdi_gate_sleep(&p->gate, turn - 2);
        p->counter++;
        cdi_gate_put(&p->gate, turn);
    }
}

static void *play_odd(void *arg) {
    PingPong *p = arg;
    cdi_gate_sleep(&p->gate, TURNS);
    play(p, 1);
    return NULL;
}

TEST(gates_lose_no_wake_up) {
    static const int64_t spins[] = {0, 1, 3000, 100000};
    for (int i = 0; i < 4; i++) {
        PingPong p = {.spin_ns = spins[i]};
        CHECK(cdi_gate_init(&p.gate, TURNS));
        pthread_t thread;
        CHECK_INT(pthread_create(&thread, NULL, play_odd, &p), 0);
        play(&p, 0);
        pthread_join(thread, NULL);
        CHECK_INT(p.counter, TURNS);
        CHECK_INT(cdi_gate_state(&p.gate), TURNS - 1);
        cdi_gate_clear(&p.gate);
    }
}

// what a job was: the ranges, how often each index came, ids in use; nothing here orders threads
// beyond what the pool does
typedef struct Record {
    size_t n, grain;
    int nworkers;
    unsigned char *count;          // per index; NULL: too many
    size_t begin[MAX_WORKERS + 1]; // per id: the range; begin = end: none
    size_t end[MAX_WORKERS + 1];
    int calls[MAX_WORKERS + 1];
    atomic_int running[MAX_WORKERS + 1];
    atomic_int bad;
} Record;

static void bad_if(Record *r, bool bad) {
    if (bad) atomic_fetch_add_explicit(&r->bad, 1, memory_order_relaxed);
}

static void record(void *user, size_t begin, size_t end, int worker) {
    Record *r = user;
    bad_if(r, worker < 0 || worker >= r->nworkers);
    if (worker < 0 || worker >= r->nworkers) return;
    bad_if(r, atomic_fetch_add_explicit(&r->running[worker], 1, memory_order_relaxed) != 0);
    bad_if(r, begin >= end || end > r->n || begin % (r->grain ? r->grain : 1) != 0);
    r->begin[worker] = begin;
    r->end[worker] = end;
    r->calls[worker]++;
    if (r->count) {
        for (size_t i = begin; i < end; i++) r->count[i]++;
    }
    atomic_fetch_sub_explicit(&r->running[worker], 1, memory_order_relaxed);
}

// one job, every index once, no range twice
static void check_job(CdPool *pool, Record *r, size_t n, size_t grain) {
    memset(r, 0, sizeof *r);
    r->n = n;
    r->grain = grain;
    r->nworkers = cd_pool_workers(pool);
    if (n > 0 && n < 100000) r->count = calloc(n, 1);
    cd_parallel_for(pool, n, grain, record, r);

    size_t sum = 0, missing = 0, units = n / (grain ? grain : 1), longest = 0;
    for (int k = 0; k < r->nworkers; k++) {
        size_t len = r->end[k] - r->begin[k];
        CHECK(r->calls[k] <= 1);
        sum += len;
        if (len > longest) longest = len;
    }
    for (size_t i = 0; r->count && i < n; i++) missing += r->count[i] != 1;
    CHECK_INT(missing, 0);
    CHECK(sum == n);
    CHECK_INT(atomic_load(&r->bad), 0);

    // balanced: no range is more than one unit longer than the mean
    CHECK(longest / (grain ? grain : 1) <= units / (size_t)r->nworkers + 1);
    free(r->count);
    r->count = NULL;
}

TEST(every_index_once) {
    static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 63, 64, 65, 1000, 9973};
    static const size_t grains[] = {0, 1, 2, 3, 8, 64, 5000, SIZE_MAX};
    static const int workers[] = {1, 2, 3, 5, 8, 17};
    static Record r;
    CdContext *ctx = cd_context_new(NULL);
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        CdPool *pool = new_pool(ctx, workers[w]);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
                check_job(pool, &r, sizes[i], grains[g]);
            }
        }
        cd_pool_free(pool);
    }
    cd_context_free(ctx);
}

TEST(huge_counts_do_not_overflow) {
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, (size_t)1 << 53};
    static const size_t grains[] = {0, 1, 7, 8, SIZE_MAX / 2, SIZE_MAX - 1};
    static Record r;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 8);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
            check_job(pool, &r, sizes[i], grains[g]);
        }
    }
    cd_pool_free(pool);
    cd_context_free(ctx);
}

TEST(a_new_pool_splits_evenly) {
    static Record first, again;
    CdContext *ctx = cd_context_new(NULL);
    for (int nworkers = 2; nworkers <= 8; nworkers += 3) {
        CdPool *pool = new_pool(ctx, nworkers), *other = new_pool(ctx, nworkers);
        check_job(pool, &first, 1001, 8);
        CHECK_INT(first.begin[1] % 8, 0);
        for (int i = 0; i < 20; i++) {
            check_job(i % 2 ? pool : other, &again, 1001, 8);
            CHECK_INT(memcmp(first.begin, again.begin, sizeof first.begin), 0);
            CHECK_INT(memcmp(first.end, again.end, sizeof first.end), 0);
        }
        cd_pool_free(other);
        cd_pool_free(pool);
    }
    cd_context_free(ctx);
}

// 126 units of 8 on 4 workers: 31.5 each, rounded
TEST(split_is_known) {
    static Record r;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 4);
    check_job(pool, &r, 1001, 8);
    CHECK_INT(r.begin[0], 0);
    CHECK_INT(r.begin[1], 31 * 8);
    CHECK_INT(r.begin[2], 63 * 8);
    CHECK_INT(r.begin[3], 94 * 8);
    CHECK_INT(r.end[3], 1001);
    check_job(pool, &r, 17, 8);
    CHECK_INT(r.begin[2], 16);
    CHECK_INT(r.end[2], 17);
    CHECK_INT(r.calls[3], 0);
    cd_pool_free(pool);
    cd_context_free(ctx);
}

// items write their own blocks, rows sum them in the order of the items
#define NITEMS 4000
#define NROWS 100
typedef struct Sums {
    double block[NITEMS], row[NROWS];
} Sums;

static void fill_blocks(void *user, size_t begin, size_t end, int worker) {
    (void)worker;
    Sums *s = user;
    for (size_t i = begin; i < end; i++) s->block[i] = sin((double)i) * pow(10, (double)(i % 17));
}

static void sum_rows(void *user, size_t begin, size_t end, int worker) {
    (void)worker;
    Sums *s = user;
    for (size_t row = begin; row < end; row++) {
        s->row[row] = 0;
        for (size_t i = row; i < NITEMS; i += NROWS) s->row[row] += s->block[i];
    }
}

static void run_sums(CdPool *pool, Sums *s) {
    memset(s, 0, sizeof *s);
    cd_parallel_for(pool, NITEMS, 8, fill_blocks, s);
    cd_parallel_for(pool, NROWS, 1, sum_rows, s);
}

TEST(same_bits_for_any_number_of_workers) {
    static Sums serial, s;
    static const int workers[] = {1, 2, 3, 8};
    run_sums(NULL, &serial);
    CHECK(serial.row[3] != 0);
    CdContext *ctx = cd_context_new(NULL);
    for (int w = 0; w < 4; w++) {
        CdPool *pool = new_pool(ctx, workers[w]);
        for (int i = 0; i < 20; i++) {
            run_sums(pool, &s);
            CHECK_INT(memcmp(&s, &serial, sizeof s), 0);
        }
        cd_pool_free(pool);
    }
    cd_context_free(ctx);
}

// a job in every range of a job; scratch is used by both, so ids must not be shared across threads
typedef struct Nest {
    CdPool *pool;
    long scratch[MAX_WORKERS][16];
    atomic_long sum;
} Nest;

typedef struct Inner {
    Nest *nest;
    int outer;
    size_t next;
    bool in_order;
} Inner;

static void inner(void *user, size_t begin, size_t end, int worker) {
    Inner *in = user;
    in->in_order = in->in_order && begin == in->next;
    in->next = end;
    for (size_t i = begin; i < end; i++) in->nest->scratch[worker][0]++;
    atomic_fetch_add_explicit(&in->nest->sum, (long)(end - begin), memory_order_relaxed);
}

static void outer(void *user, size_t begin, size_t end, int worker) {
    Nest *nest = user;
    for (size_t i = begin; i < end; i++) {
        Inner in = {nest, worker, 0, true};
        cd_parallel_for(nest->pool, 10, i % 2 ? 20 : 1, inner, &in);
        nest->scratch[worker][1] += !in.in_order;
    }
}

TEST(nested_jobs_run_inline) {
    static const int workers[] = {1, 2, 3, 8};
    CdContext *ctx = cd_context_new(NULL);
    for (int w = 0; w < 4; w++) {
        static Nest nest;
        memset(&nest, 0, sizeof nest);
        nest.pool = new_pool(ctx, workers[w]);
        for (int i = 0; i < 50; i++) cd_parallel_for(nest.pool, 100, 1, outer, &nest);
        long used = 0, disorder = 0;
        for (int k = 0; k < MAX_WORKERS; k++) {
            used += nest.scratch[k][0];
            disorder += nest.scratch[k][1];
        }
        CHECK_INT(atomic_load(&nest.sum), 50 * 100 * 10);
        CHECK_INT(used, 50 * 100 * 10);
        CHECK_INT(disorder, 0);
        cd_pool_free(nest.pool);
    }
    cd_context_free(ctx);
}

// the job before must be visible, in both directions
static void add_neighbours(void *user, size_t begin, size_t end, int worker) {
    (void)worker;
    long(*v)[64] = user;
    for (size_t i = begin; i < end; i++) v[1][i] = v[0][(i + 32) % 64] + 1;
}

static void check_chain(CdPool *pool, int njobs) {
    static long v[2][64];
    memset(v, 0, sizeof v);
    for (int i = 0; i < njobs; i++) {
        cd_parallel_for(pool, 64, 1, add_neighbours, v);
        memcpy(v[0], v[1], sizeof v[0]);
    }
    int wrong = 0;
    for (int i = 0; i < 64; i++) wrong += v[0][i] != njobs;
    CHECK_INT(wrong, 0);
}

TEST(many_tiny_jobs) {
    static const int workers[] = {1, 2, 3, 8};
    CdContext *ctx = cd_context_new(NULL);
    for (int w = 0; w < 4; w++) {
        CdPool *pool = new_pool(ctx, workers[w]);
        check_chain(pool, 100000);
        cd_pool_free(pool);
    }
    cd_context_free(ctx);
}

TEST(sleepers_wake) {
    CdContext *ctx = cd_context_new(NULL);
    CdPool *two = new_pool(ctx, 2), *eight = new_pool(ctx, 8);
    for (int i = 0; i < 5; i++) {
        sleep_ms(100);
        check_chain(two, 3);
        check_chain(eight, 3);
    }
    cd_pool_free(two);
    cd_pool_free(eight);
    cd_context_free(ctx);
}

// pauses about as long as the spin lasts: the worker falls asleep just when it is posted
TEST(falling_asleep_meets_waking) {
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 2);
    for (int i = 0; i < 3000; i++) {
        int64_t end = cdi_clock_ns() + 45000 + i % 100 * 200;
        while (cdi_clock_ns() < end) {
        }
        check_chain(pool, 1);
    }
    cd_pool_free(pool);
    cd_context_free(ctx);
}

TEST(sleeping_workers_use_no_processor) {
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 8);
    check_chain(pool, 10);
    sleep_ms(20);
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    sleep_ms(200);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double used =
        difftime(after.tv_sec, before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    CHECK(used < 0.05);
    cd_pool_free(pool);
    cd_context_free(ctx);
}

// has the other range been begun by its thread? the caller would run it itself if not
typedef struct Met {
    atomic_int begun;
} Met;

static void meet(Met *m, int all) {
    atomic_fetch_add(&m->begun, 1);
    for (int i = 0; i < 200 && atomic_load(&m->begun) < all; i++) sleep_ms(1);
}

static void late_worker(void *user, size_t begin, size_t end, int worker) {
    (void)begin;
    (void)end;
    meet(user, 2);
    if (worker == 1) sleep_ms(5);
}

static void be_late(CdPool *pool) {
    for (int i = 0; i < 3 && !cdi_pool_crowded(pool); i++) {
        cd_parallel_for(pool, 2, 1, late_worker, &(Met){0});
    }
}

TEST(late_workers_stop_the_sharing_for_a_while) {
    if (cdi_cpu_count() < 2) return;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 2);
    CHECK(!cdi_pool_crowded(pool));
    be_late(pool);
    CHECK(cdi_pool_crowded(pool));
    check_chain(pool, 100);

    // it tries again when the time is over, and is calm for good when that goes well
    for (int i = 0; i < 100 && cdi_pool_crowded(pool); i++) {
        sleep_ms(20);
        check_chain(pool, 1);
    }
    CHECK(!cdi_pool_crowded(pool));
    cd_pool_free(pool);
    cd_context_free(ctx);
}

#define LONG_NS 4000000

// waits for nothing but takes long: no lack of processors
static void long_worker(void *user, size_t begin, size_t end, int worker) {
    (void)begin;
    (void)end;
    meet(user, 2);
    const int64_t until = cdi_clock_thread_ns() + LONG_NS;
    while (worker == 1 && cdi_clock_thread_ns() < until) {
    }
}

TEST(unbalanced_jobs_are_shared_all_the_same) {
    if (cdi_cpu_count() < 2) return;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 2);
    const int64_t start = cdi_clock_ns();
    for (int i = 0; i < 5; i++) cd_parallel_for(pool, 2, 1, long_worker, &(Met){0});
    // unless other programs really took processors
    const int64_t lost = cdi_clock_ns() - start - 5 * LONG_NS;
    CHECK(!cdi_pool_crowded(pool) || lost > 1000000);
    CHECK(!cdi_pool_crowded(NULL));
    cd_pool_free(pool);
    cd_context_free(ctx);
}

typedef struct Noted {
    Met met;
    int threads; // that have to begin before one goes on
    pid_t tid[MAX_WORKERS];
} Noted;

static void note_thread(void *user, size_t begin, size_t end, int worker) {
    (void)begin;
    (void)end;
    Noted *noted = user;
    noted->tid[worker] = gettid();
    meet(&noted->met, noted->threads);
}

static int count_threads(const pid_t *tid, int n) {
    int count = 0;
    for (int k = 0; k < n; k++) {
        int first = 0;
        while (tid[first] != tid[k]) first++;
        count += first == k;
    }
    return count;
}

TEST(there_are_no_more_threads_than_processors) {
    CdContext *ctx = cd_context_new(NULL);
    const int ncpu = cdi_cpu_count();
    if (2 * ncpu > MAX_WORKERS) return;
    CdPool *pool = new_pool(ctx, 2 * ncpu);
    Noted noted = {.threads = ncpu};
    cd_parallel_for(pool, (size_t)(2 * ncpu), 1, note_thread, &noted);
    CHECK_INT(count_threads(noted.tid, 2 * ncpu), ncpu);
    CHECK_INT(noted.tid[0], gettid());
    cd_pool_free(pool);
    cd_context_free(ctx);
}

TEST(crowded_pools_leave_all_to_the_caller) {
    if (cdi_cpu_count() < 2) return;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 8);
    be_late(pool);
    CHECK(cdi_pool_crowded(pool));
    Noted noted = {.threads = 1};
    cd_parallel_for(pool, 8, 1, note_thread, &noted);
    for (int k = 0; k < 8; k++) CHECK_INT(noted.tid[k], gettid());
    cd_pool_free(pool);
    cd_context_free(ctx);
}

// takes longer where the caller is not
static void slow_elsewhere(void *user, size_t begin, size_t end, int worker) {
    (void)begin;
    (void)end;
    Noted *noted = user;
    noted->tid[worker] = gettid();
    const int64_t until = cdi_clock_ns() + (gettid() == getpid() ? 3000 : 20000);
    meet(&noted->met, noted->threads);
    while (cdi_clock_ns() < until) {
    }
}

TEST(rounds_that_one_thread_does_faster_are_left_to_it) {
    if (cdi_cpu_count() < 2) return;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 2);
    const int many = 100; // in a row: now and then a thread comes too late
    int alone = 0;
    bool shared = false;
    for (int64_t end = cdi_clock_ns() + 5000000000; alone < many && cdi_clock_ns() < end;) {
        Noted noted = {.threads = 1};
        cd_round_begin(pool);
        const bool said = cdi_pool_alone(pool) && !cdi_pool_crowded(pool);
        cd_parallel_for(pool, 2, 1, slow_elsewhere, &noted);
        cd_round_end(pool);
        const bool mine = noted.tid[1] == gettid();
        CHECK(mine || !said);
        shared |= !mine;
        alone = mine && shared && !cdi_pool_crowded(pool) ? alone + 1 : 0;
    }
    CHECK(shared && (alone == many || cdi_pool_crowded(pool)));
    CHECK(cdi_pool_alone(NULL));
    // what is not in a round is shared
    CHECK(!cdi_pool_alone(pool) || cdi_pool_crowded(pool));
    Noted noted = {.threads = 2};
    if (!cdi_pool_crowded(pool)) cd_parallel_for(pool, 2, 1, slow_elsewhere, &noted);
    CHECK(cdi_pool_crowded(pool) || noted.tid[1] != gettid());
    cd_round_begin(NULL);
    cd_round_end(NULL);
    cd_pool_free(pool);
    cd_context_free(ctx);
}

// a thread that never comes: the caller has run its range meanwhile
static void never_waits(void *user, size_t begin, size_t end, int worker) {
    (void)begin;
    (void)end;
    ((pid_t *)user)[worker] = gettid();
}

// the thread is asleep when the job comes, and one that does nothing is done before it is awake
TEST(what_is_not_begun_is_taken_back) {
    if (cdi_cpu_count() < 2) return;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 2);
    int own = 0;
    for (int i = 0; i < 20; i++) {
        pid_t tid[2] = {0};
        sleep_ms(2);
        cd_parallel_for(pool, 2, 1, never_waits, tid);
        CHECK_INT(tid[0], gettid());
        own += tid[1] == gettid();
    }
    CHECK(own > 0);
    cd_pool_free(pool);
    cd_context_free(ctx);
}

// every job needs all numbers of the one before, the third is one caller's
#define LISTED 1000
typedef struct Listed {
    double a[LISTED], b[LISTED], sum;
    atomic_int late; // ranges that take their time
} Listed;

static void list_first(void *user, size_t begin, size_t end, int worker) {
    Listed *l = user;
    (void)worker;
    if (begin > 0 && atomic_fetch_sub(&l->late, 1) > 0) sleep_ms(1);
    for (size_t i = begin; i < end; i++) l->a[i] += (double)i;
}

static void list_second(void *user, size_t begin, size_t end, int worker) {
    Listed *l = user;
    (void)worker;
    for (size_t i = begin; i < end; i++) l->b[i] = l->a[LISTED - 1 - i];
}

static void list_third(void *user, size_t begin, size_t end, int worker) {
    Listed *l = user;
    CHECK_INT(begin, 0);
    CHECK_INT(end, 1);
    CHECK_INT(worker, 0);
    l->sum = 0;
    for (int i = 0; i < LISTED; i++) l->sum += l->b[i];
}

static void list_fourth(void *user, size_t begin, size_t end, int worker) {
    Listed *l = user;
    (void)worker;
    for (size_t i = begin; i < end; i++) l->a[i] = l->sum - l->b[LISTED - 1 - i];
}

static void check_lists(CdPool *pool, int times) {
    static Listed l;
    const CdJob jobs[] = {{list_first, &l, LISTED, 1},
                          {list_second, &l, LISTED, 8},
                          {list_third, &l, 1, 1},
                          {list_fourth, &l, LISTED, 0}};
    int wrong = 0;
    for (int k = 0; k < times; k++) {
        for (int i = 0; i < LISTED; i++) l.a[i] = k;
        atomic_store(&l.late, k % 50 == 0 ? 2 : 0);
        if (k % 97 == 0) sleep_ms(1); // threads fall asleep
        cd_parallel_jobs(pool, jobs, 4);
        const double sum = LISTED * (double)k + LISTED * (LISTED - 1) / 2.0;
        for (int i = 0; i < LISTED; i++) wrong += l.a[i] != sum - k - i;
    }
    CHECK_INT(wrong, 0);
}

TEST(jobs_follow_each_other) {
    static const int workers[] = {1, 2, 3, 8};
    CdContext *ctx = cd_context_new(NULL);
    check_lists(NULL, 10);
    for (int i = 0; i < 4; i++) {
        CdPool *pool = new_pool(ctx, workers[i]);
        cd_parallel_jobs(pool, NULL, 0);
        check_lists(pool, SANITIZED ? 100 : 1000);
        cd_pool_free(pool);
    }
    cd_context_free(ctx);
}

static void list_inside(void *user, size_t begin, size_t end, int worker) {
    (void)begin;
    (void)end;
    if (worker == 0) check_lists(user, 2);
}

TEST(lists_inside_of_ranges_run_inline) {
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 2);
    cd_parallel_for(pool, 2, 1, list_inside, pool);
    cd_pool_free(pool);
    cd_context_free(ctx);
}

TEST(pools_come_and_go) {
    CdContext *ctx = cd_context_new(NULL);
    for (int i = 0; i < 1000; i++) {
        CdPool *pool = new_pool(ctx, 1 + i % 5);
        if (i % 3) check_chain(pool, 2);
        cd_pool_free(pool);
    }
    CHECK_INT(cd_context_memory(ctx).live_blocks, 0);
    cd_context_free(ctx);
}

TEST(jobs_allocate_nothing) {
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 3);
    uint64_t before = cd_context_memory(ctx).total_blocks;
    check_chain(pool, 10);
    CHECK_INT(cd_context_memory(ctx).total_blocks, before);
    cd_pool_free(pool);
    cd_context_free(ctx);
}

TEST(no_pool_is_one_worker) {
    static Record r;
    CHECK_INT(cd_pool_workers(NULL), 1);
    check_job(NULL, &r, 1000, 3);
    CHECK_INT(r.calls[0], 1);
    CHECK_INT(r.end[0], 1000);
    cd_parallel_for(NULL, 0, 0, NULL, NULL);
    cd_pool_free(NULL);
}

TEST(number_of_workers_is_checked) {
    static TestLog log;
    test_log_open(&log);
    CdPool *pool = (CdPool *)&log;
    CHECK_INT(cd_pool_new(log.ctx, -1, &pool), CD_INVALID);
    CHECK(pool == NULL);
    CHECK_INT(cd_pool_new(log.ctx, 257, &pool), CD_INVALID);
    CHECK_TEXT(log.text, "cannot have -1 workers; 1 to 256, or 0 for all processors\n"
                         "cannot have 257 workers; 1 to 256, or 0 for all processors\n");
    CHECK_OK(cd_pool_new(log.ctx, 0, &pool));
    int ncpu = cdi_cpu_count();
    CHECK_INT(cd_pool_workers(pool), ncpu < MAX_WORKERS ? ncpu : MAX_WORKERS);
    cd_pool_free(pool);
    test_log_close(&log);
}

TEST(two_hundred_fifty_six_workers) {
    static Record r;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, MAX_WORKERS);
    for (int i = 0; i < 10; i++) check_job(pool, &r, 5000, 3);
    for (int k = 0; k < MAX_WORKERS; k++) CHECK_INT(r.calls[k], 1);
    cd_pool_free(pool);
    cd_context_free(ctx);
}

static CdStatus make_pool(CdContext *ctx, void *user) {
    CdPool *pool = NULL;
    CdStatus status = cd_pool_new(ctx, *(int *)user, &pool);
    CHECK((pool == NULL) == (status != CD_OK));
    cd_pool_free(pool);
    return status;
}

TEST(lack_of_memory_is_reported) {
    int one = 1, three = 3;
    CHECK_OOM(make_pool, &one);
    CHECK_OOM(make_pool, &three);
    static TestLog log;
    test_log_open(&log);
    cdi_context_fail_at(log.ctx, 1, true);
    CHECK_INT(make_pool(log.ctx, &three), CD_NOMEM);
    CHECK_TEXT(log.text, "out of memory for a pool of 3 workers\n");
    test_log_close(&log);
}

// no address space for a stack; sanitizers need more of it than can be limited
TEST(lack_of_threads_is_reported) {
    if (SANITIZED || cdi_cpu_count() < 2) return;
    static TestLog log;
    test_log_open(&log);
    struct rlimit before, tight;
    getrlimit(RLIMIT_AS, &before);
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld", &pages) == 1) {
        tight = before;
        tight.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (1u << 20);
        setrlimit(RLIMIT_AS, &tight);
        CdPool *pool = NULL;
        CHECK_INT(cd_pool_new(log.ctx, 2, &pool), CD_NOMEM);
        CHECK(pool == NULL);
        CHECK_TEXT(log.text, "cannot start thread 1 of 1; ask for fewer workers, or raise the "
                             "limits on threads and memory\n");
        setrlimit(RLIMIT_AS, &before);
        CHECK_OK(cd_pool_new(log.ctx, 200, &pool));
        cd_pool_free(pool);
    }
    if (f) fclose(f);
    test_log_close(&log);
}

typedef struct Modes {
    Met met;
    uint32_t seen[2];
} Modes;

static void note_mode(void *user, size_t begin, size_t end, int worker) {
    Modes *m = user;
    (void)begin, (void)end;
    meet(&m->met, 2);
    m->seen[worker] = cdi_float_mode();
}

TEST(workers_count_as_whoever_gives_them_work) {
    if (cdi_cpu_count() < 2) return;
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = new_pool(ctx, 2);
    int both = 0;
    for (int k = 0; k < 8; k++) {
        Modes m = {.seen = {~0u, ~0u}};
        const uint32_t mode = k % 2 ? CDI_FLUSH : 0, before = cdi_float_set(mode);
        cd_parallel_for(pool, 2, 1, note_mode, &m);
        CHECK_INT(cdi_float_set(before), mode);
        CHECK_INT(m.seen[0], mode);
        CHECK(m.seen[1] == mode || m.seen[1] == ~0u); // the caller has run both
        both += m.seen[1] == mode;
    }
    CHECK(both > 1);
    cd_pool_free(pool);
    cd_context_free(ctx);
}

int main(void) {
    // first: stacks of threads that have ended are used again
    RUN(lack_of_threads_is_reported);
    RUN(gates_lose_no_wake_up);
    RUN(every_index_once);
    RUN(workers_count_as_whoever_gives_them_work);
    RUN(huge_counts_do_not_overflow);
    RUN(a_new_pool_splits_evenly);
    RUN(split_is_known);
    RUN(same_bits_for_any_number_of_workers);
    RUN(nested_jobs_run_inline);
    RUN(many_tiny_jobs);
    RUN(sleepers_wake);
    RUN(falling_asleep_meets_waking);
    RUN(sleeping_workers_use_no_processor);
    RUN(late_workers_stop_the_sharing_for_a_while);
    RUN(unbalanced_jobs_are_shared_all_the_same);
    RUN(there_are_no_more_threads_than_processors);
    RUN(crowded_pools_leave_all_to_the_caller);
    RUN(rounds_that_one_thread_does_faster_are_left_to_it);
    RUN(what_is_not_begun_is_taken_back);
    RUN(jobs_follow_each_other);
    RUN(lists_inside_of_ranges_run_inline);
    RUN(pools_come_and_go);
    RUN(jobs_allocate_nothing);
    RUN(no_pool_is_one_worker);
    RUN(number_of_workers_is_checked);
    RUN(two_hundred_fifty_six_workers);
    RUN(lack_of_memory_is_reported);
    return test_end();
}
