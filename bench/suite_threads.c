// suite_threads.c - what it costs to hand an empty job to two threads and wait for its end
//
// Goal: the pool at most half of an OpenMP parallel region of the same run. Every fork-join is
// timed on its own, the clock included. Between the mechanisms lies a pause longer than any of them
// spins, or the threads of one would steal the processors from the next; the untimed runs after the
// pause wake the threads again.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/cpu.h"
#include "base/pool.h"
#include "bench.h"

#define THREADS 2

// one word per thread that every mechanism has to write: nothing is optimised away
typedef struct Cell {
    _Alignas(128) volatile unsigned touched;
} Cell;

static Cell cell[THREADS];

static void touch(void *user, size_t begin, size_t end, int worker) {
    (void)user;
    (void)begin;
    (void)end;
    cell[worker].touched++;
}

// jobs, and those of them whose threads did not get processors
typedef struct PoolRun {
    CdPool *pool;
    long jobs, crowded;
} PoolRun;

static void run_pool(void *user) {
    PoolRun *r = user;
    cd_parallel_for(r->pool, THREADS, 1, touch, NULL);
    r->jobs++;
    r->crowded += cdi_pool_crowded(r->pool);
}

#ifdef _OPENMP
static void run_openmp(void *user) {
    (void)user;
#pragma omp parallel num_threads(THREADS)
    cell[omp_get_thread_num()].touched++;
}
#endif

// the textbook way: both hand-offs by mutex and condition variable
typedef struct Condvar {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum { IDLE, POSTED, STOP } state;
} Condvar;

static void *condvar_worker(void *arg) {
    Condvar *c = arg;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (c->state == IDLE) pthread_cond_wait(&c->changed, &c->lock);
        if (c->state == STOP) break;
        pthread_mutex_unlock(&c->lock);
        cell[1].touched++;
        pthread_mutex_lock(&c->lock);
        c->state = IDLE;
        pthread_cond_signal(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void condvar_post(Condvar *c, int state) {
    pthread_mutex_lock(&c->lock);
    c->state = state;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

static void run_condvar(void *user) {
    Condvar *c = user;
    condvar_post(c, POSTED);
    cell[0].touched++;
    pthread_mutex_lock(&c->lock);
    while (c->state != IDLE) pthread_cond_wait(&c->changed, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static bool condvar_start(Condvar *c) {
    *c = (Condvar){.state = IDLE};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    return pthread_create(&c->thread, NULL, condvar_worker, c) == 0;
}

static void condvar_stop(Condvar *c) {
    condvar_post(c, STOP);
    pthread_join(c->thread, NULL);
}

static int measure(BenchOptions options, CdPool *pool, Condvar *condvar) {
    PoolRun run = {.pool = pool};
    BenchCase cases[] = {
        {.name = "pool", .run = run_pool, .user = &run},
#ifdef _OPENMP
        {.name = "openmp", .run = run_openmp},
#endif
        {.name = "condvar", .run = run_condvar, .user = condvar},
    };
    enum { N = sizeof cases / sizeof *cases };
    BenchPlan plan = {.rounds = 50, .samples = 1000, .warmup = 200, .settle_ms = 30};
    if (options.quick) plan = (BenchPlan){.rounds = 2, .samples = 50, .warmup = 5, .settle_ms = 5};
    bool ok = bench_interleave(cases, N, plan);

    if (run.crowded > 0) {
        fprintf(stderr, "busy machine: the pool did not spin in %.1f %% of its jobs\n",
                100 * (double)run.crowded / (double)run.jobs);
    }

    BenchRow rows[N];
    for (int i = 0; ok && i < N; i++) {
        rows[i] = (BenchRow){cases[i].name,
                             {bench_percentile(cases[i].us, cases[i].n, 50),
                              bench_percentile(cases[i].us, cases[i].n, 99)}};
    }
    BenchTable table = {"fork-join of an empty job on 2 threads, microseconds; goal: pool at most "
                        "half of openmp (medians)",
                        {"mechanism", "median_us", "p99_us", NULL},
                        rows,
                        N};
    if (ok) bench_print(&table, options.json);
    bench_free(cases, N);
    return ok ? 0 : 1;
}

int main(int argc, char **argv) {
    BenchOptions options;
    if (!bench_options(argc, argv, &options)) return 2;
#ifndef _OPENMP
    fprintf(stderr, "built without OpenMP: its record is left out\n");
#endif
    if (cdi_cpu_count() < THREADS) {
        fprintf(stderr, "fewer than %d processors: the threads take turns\n", THREADS);
    }
    CdContext *ctx = cd_context_new(NULL);
    CdPool *pool = NULL;
    Condvar condvar;
    int code = 1;
    if (ctx && cd_pool_new(ctx, THREADS, &pool) == CD_OK && condvar_start(&condvar)) {
        code = measure(options, pool, &condvar);
        condvar_stop(&condvar);
    }
    cd_pool_free(pool);
    cd_context_free(ctx);
    return code;
}
