// sections.c - parts of a problem that do not meet, shared by threads
//
// A job is cut into one share for every worker. Processors are not equally fast, those of a virtual
// machine change from one millisecond to the next: the last third of a share is there for whoever
// comes first, if the job is long; what a short one gains by that it loses to numbers that go from
// cache to cache. No number depends on who has done it.
#include <math.h>

#include "problem/problem.h"

// work of the thread with the most sections over that of all alike, up to which they are shared
#define UNEVEN_MAX 1.4
// part of a share that is done at once: kernels stay in the cache for instructions
#define BODY 0.65
// velocities of a share that is done in pieces: some ten microseconds
#define LARGE 512

// of every unknown, multipliers after velocities
static void number_unknowns(const CdiProblem *p, int *of) {
    const CdSections *u = p->user.sections;
    for (int k = 0; k < u->n; k++) {
        for (int i = u->v[k]; i < u->v[k + 1]; i++) of[i] = k;
        for (int i = u->g[k]; i < u->g[k + 1]; i++) of[p->nd + i] = k;
    }
}

static size_t count_workers(const CdiProblem *p) {
    return (size_t)cd_pool_workers(p->user.pool);
}

CdStatus cdi_sections_new(const CdiProblem *p, CdArena *arena, CdiSections *s) {
    *s = (CdiSections){.n = 0};
    if (!p->user.sections || p->user.sections->n < 2) return CD_OK;
    const size_t n = (size_t)p->user.sections->n;
    int *of = CD_TAKE(arena, int, (size_t)p->n);
    s->share = cdi_arena_alloc(arena, count_workers(p) * sizeof *s->share, _Alignof(CdiShare));
    s->next = CD_TAKE(arena, int, n);
    s->of = (CdLinsolSections){.n = (int)n,
                               .of = of,
                               .together = CD_TAKE(arena, bool, n),
                               .first = CD_TAKE(arena, int, n + 1)};
    if (!of || !s->share || !s->next || !s->of.together || !s->of.first) return CD_NOMEM;
    number_unknowns(p, of);
    return CD_OK;
}

// ---- shares

static void find_next(const CdiSections *s) {
    for (int k = s->of.n - 1, next = s->of.n; k >= 0; k--) {
        s->next[k] = next;
        if (!s->of.together[k]) next = k;
    }
}

// the place nearest to velocity `at` where sections may be parted, from section `from` on
static int nearest(const CdiSections *s, const int *v, int from, double at) {
    while (from < s->of.n && fabs(v[s->next[from]] - at) <= fabs(v[from] - at)) {
        from = s->next[from];
    }
    return from;
}

// as even as may be; the most velocities that one worker has
static int make_shares(CdiSections *s, const int *v, int workers) {
    int most = 0, begin = 0;
    s->rests = false;
    for (int k = 0; k < workers; k++) {
        CdiShare *share = &s->share[k];
        share->begin = begin;
        share->end = nearest(s, v, begin, (double)v[s->of.n] * (k + 1) / workers);
        const int size = v[share->end] - v[begin];
        share->body = size < LARGE ? share->end : nearest(s, v, begin, v[begin] + BODY * size);
        s->rests |= share->body < share->end;
        if (size > most) most = size;
        begin = share->end;
    }
    return most;
}

void cdi_sections_update(CdiSections *s, const CdiProblem *p, const CdiLin *lin) {
    const int workers = (int)count_workers(p);
    s->n = 0;
    if (s->of.n == 0 || !cdi_lin_sections(lin, &s->of)) return;
    find_next(s);
    const int most = make_shares(s, p->user.sections->v, workers);
    if (most <= UNEVEN_MAX * p->nv / workers) s->n = workers;
}

// ---- a job

typedef struct Job {
    CdiSections *s;
    CdiSectionFn *fn;
    void *user;
    bool is_long;
} Job;

// what is left behind the body of a share
static void run_rest(const Job *job, CdiShare *share, int worker) {
    int at = atomic_load_explicit(&share->at, memory_order_relaxed);
    while (at < share->end) {
        const int next = job->s->next[at];
        if (!atomic_compare_exchange_weak_explicit(&share->at, &at, next, memory_order_relaxed,
                                                   memory_order_relaxed)) {
            continue;
        }
        job->fn(job->user, at, next, worker);
        at = atomic_load_explicit(&share->at, memory_order_relaxed);
    }
}

static void run_shares(void *user, size_t begin, size_t end, int worker) {
    const Job *job = user;
    CdiSections *s = job->s;
    for (size_t k = begin; k < end; k++) {
        const CdiShare *share = &s->share[k];
        const int body = job->is_long ? share->body : share->end;
        if (share->begin < body) job->fn(job->user, share->begin, body, worker);
    }
    for (size_t k = 0; job->is_long && k < (size_t)s->n; k++) {
        run_rest(job, &s->share[(begin + k) % (size_t)s->n], worker);
    }
}

void cdi_sections_run(CdiSections *s, CdPool *pool, bool is_long, CdiSectionFn *fn, void *user) {
    Job job = {s, fn, user, is_long && s->rests};
    if (s->n == 1) {
        fn(user, 0, s->of.n, 0);
        return;
    }
    for (int k = 0; job.is_long && k < s->n; k++) {
        atomic_store_explicit(&s->share[k].at, s->share[k].body, memory_order_relaxed);
    }
    cd_parallel_for(pool, (size_t)s->n, 1, run_shares, &job);
}

CdStatus cdi_sections_begin(CdiProblem *p) {
    p->counts.evaluations++;
    const CdStatus status = p->user.sections->begin(p->user.data);
    return status == CD_OK ? CD_OK : cdi_callback_failed(p, "sections", status);
}

void cdi_sections_residual(const CdiProblem *p, int first, int end, const CdPoint *at,
                           CdConstraintLevel level, double *r, double *c) {
    p->user.sections->residual(p->user.data, first, end, at, r, level == CD_POSITION ? c : NULL,
                               level == CD_VELOCITY ? c : NULL,
                               level == CD_ACCELERATION ? c : NULL);
}
