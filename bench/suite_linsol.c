// suite_linsol.c - factor and solve with a known pattern: our linear solvers and those of others
//
// Goals: native within 10 % of the fastest for every matrix, faster than all others for matrices of
// bodies and joints and 5 times as fast as Eigen's SparseLU there, residual at most 1e-10. All
// solvers have analysed the pattern; a run takes new values, factors and solves once. Every time is
// the smallest of runs that take turns. Matrices are symmetric: `native` is told so, `native_lu` is
// not and is what unsymmetric matrices cost; both also with two threads. Time is that of the
// processor, with two threads that of the clock on the wall. --only=kkt_chain, kkt_chain_10 and
// fourbar_6_100 choose matrices. Peers that took long for a smaller matrix of the family run once
// or twice, in a process of their own that ends after some seconds or gigabytes: their time is null
// then.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench.h"
#include "linalg/linsol.h"
#include "linsol_matrix.h"
#include "linsol_peers.h"

#define SOLVERS_MAX 16
#define THREADS 2
#define FAMILIES_MAX 16
// who takes longer for a matrix gets a process of its own for larger ones of its family, and limits
#define LONG_US 1e4
// so does everybody for a matrix of so many unknowns that is the first of its family
#define LARGE 20000
#define ALONE_S 6
#define ALONE_BYTES ((rlim_t)6 << 30)
#define AGAIN_US 1e6
#define CLOCK_FACTOR 10 // seconds of the clock for one of the processor
#define ROUNDS 5
// a solver gets so long per round, and at least one run
#define ROUND_NS 20000000
#define QUICK_NS 1
// and times so long a piece of it at a time
#define SAMPLE_NS 200000

typedef struct Contest {
    CdContext *ctx;
    CdPool *pool; // of THREADS
    BenchOptions options;
    const char *only; // matrices
    BenchMatrix a;
    PeerMatrix peer;
    double *b, *x;
    bool first;                           // record of the output
    bool listing;                         // names only
    int family;                           // of the matrix
    bool seen[FAMILIES_MAX];              // a matrix of it has run
    bool slow[FAMILIES_MAX][SOLVERS_MAX]; // peers, by their place in the list
} Contest;

typedef struct Entrant {
    const char *name;
    const PeerSolver *peer;
    int place;    // of a peer in the list
    void *solver; // of a peer; NULL: it runs alone
    CdLinsol *own;
    int threads;
    int batch;   // runs between two looks at the clock
    bool absent; // not a solver for such matrices
    double us, residual;
} Entrant;

static Entrant own(Contest *c, const char *name, bool symmetric, int threads) {
    const CdLinsolSetup setup = {
        .symmetric = symmetric, .group = c->a.group, .pool = threads > 1 ? c->pool : NULL};
    const CdLinsolClass *cls;
    CdLinsol *s = NULL;
    if (cdi_linsol_find(c->ctx, "native", &cls) != CD_OK ||
        cdi_linsol_new(c->ctx, cls, c->a.p, &setup, &s) != CD_OK) {
        s = NULL;
    }
    return (Entrant){.name = name, .own = s, .threads = threads};
}

static int enter(Contest *c, Entrant *e) {
    int n = 0;
    for (int threads = 1; threads <= THREADS; threads++) {
        e[n++] = own(c, "native", true, threads);
        e[n++] = own(c, "native_lu", false, threads);
    }
    for (int k = 0; peer_solvers[k] && n < SOLVERS_MAX; k++) {
        const PeerSolver *p = peer_solvers[k];
        const bool alone = c->slow[c->family][k] || (!c->seen[c->family] && c->a.n > LARGE);
        void *solver = alone ? NULL : p->open(&c->peer);
        if (!solver && !alone) continue;
        e[n++] = (Entrant){.name = p->name, .peer = p, .place = k, .solver = solver, .threads = 1};
    }
    return n;
}

static void leave(Entrant *e) {
    if (e->solver) e->peer->close(e->solver);
    cdi_linsol_free(e->own);
}

static bool run(Contest *c, Entrant *e) {
    if (e->peer) return e->peer->run(e->solver, c->b, c->x);
    cdi_linsol_set(e->own, c->a.v);
    memcpy(c->x, c->b, (size_t)c->a.n * sizeof *c->x);
    return cdi_linsol_factor(e->own) == CD_OK &&
           cdi_linsol_solve(e->own, 1, c->x, c->a.n, false) == CD_OK;
}

static double largest(int n, const double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) max = fabs(x[i]) > max || x[i] != x[i] ? fabs(x[i]) : max;
    return max;
}

// |b - A x| / (|A| |x| + |b|)
static double residual(const Contest *c) {
    const int n = c->a.n;
    const CdCsc a = {.pattern = c->a.p, .v = c->a.v};
    double *r = malloc((size_t)n * sizeof *r), *work = malloc((size_t)n * sizeof *work);
    memcpy(r, c->b, (size_t)n * sizeof *r);
    cdi_csc_mul_add(&a, false, -1, c->x, r);
    const double size = cdi_csc_norm_inf(&a, work) * largest(n, c->x) + largest(n, c->b);
    const double off = largest(n, r) / size;
    free(r);
    free(work);
    return off;
}

// of this thread; another program on the processor does not count. Several threads need a clock
static int64_t time_ns(const Entrant *e) {
    struct timespec t;
    if (e->threads > 1) return cdi_clock_ns();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1000000000 * (int64_t)t.tv_sec + t.tv_nsec;
}

// so many runs that reading the clock does not count either
static void time_once(Contest *c, Entrant *e) {
    const int64_t begin = time_ns(e);
    int64_t ns = 0;
    int runs = 0;
    bool ok = true;
    for (; ok && ns < SAMPLE_NS; ns = runs % e->batch ? ns : time_ns(e) - begin) {
        ok = run(c, e);
        runs++;
    }
    const double us = 1e-3 * (double)ns / runs;
    if (!ok) e->us = NAN;
    if (ok && us < e->us) e->us = us;
}

static bool is_alone(const Entrant *e) {
    return e->peer && !e->solver;
}

// what a process of its own tells
typedef struct Told {
    double us, residual;
    bool absent;
} Told;

// in that process
static Told run_alone(Contest *c, Entrant *e) {
    const struct rlimit seconds = {ALONE_S, ALONE_S}, bytes = {ALONE_BYTES, ALONE_BYTES};
    Told told = {NAN, NAN, false};
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_AS, &bytes);
    alarm(CLOCK_FACTOR * ALONE_S);
    e->solver = e->peer->open(&c->peer);
    told.absent = !e->solver;
    for (int again = 0; e->solver && again < 2; again++) {
        const int64_t begin = time_ns(e);
        if (!run(c, e)) break;
        const double us = 1e-3 * (double)(time_ns(e) - begin);
        told.us = again == 0 || us < told.us ? us : told.us;
        told.residual = residual(c);
        if (us > AGAIN_US) break;
    }
    return told;
}

// a process that does not come to an end tells nothing
static void time_alone(Contest *c, Entrant *e) {
    Told told = {NAN, NAN, false};
    int ends[2];
    if (pipe(ends) != 0) return;
    const pid_t child = fork();
    if (child == 0) {
        told = run_alone(c, e);
        _exit(write(ends[1], &told, sizeof told) == (ssize_t)sizeof told ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &told, sizeof told) != (ssize_t)sizeof told) {
        told = (Told){NAN, NAN, false};
    }
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    e->us = told.us;
    e->residual = told.residual;
    e->absent = told.absent;
}

static void time_all(Contest *c, Entrant *e, int n) {
    const int rounds = c->options.quick ? 1 : ROUNDS;
    const int64_t share = c->options.quick ? QUICK_NS : ROUND_NS;
    for (int i = 0; i < n; i++) {
        e[i].us = e[i].residual = NAN;
        if (is_alone(&e[i])) time_alone(c, &e[i]);
        if (is_alone(&e[i])) continue;
        e[i].us = INFINITY;
        const int64_t begin = run(c, &e[i]) ? time_ns(&e[i]) : 0;
        const bool ok = begin != 0 && run(c, &e[i]);
        const int64_t once = time_ns(&e[i]) - begin;
        e[i].batch = once < SAMPLE_NS ? (int)(SAMPLE_NS / (once + 1)) + 1 : 1;
        e[i].residual = ok ? residual(c) : NAN;
        if (!ok) e[i].us = NAN;
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++) {
            const int64_t begin = cdi_clock_ns();
            if (is_alone(&e[i])) continue;
            do time_once(c, &e[i]);
            while (!isnan(e[i].us) && cdi_clock_ns() - begin < share);
        }
    }
}

static void print_number(const char *key, double x) {
    if (isfinite(x)) {
        printf(", \"%s\": %.4g", key, x);
    } else {
        printf(", \"%s\": null", key);
    }
}

static void print(Contest *c, const Entrant *e) {
    const double fill = (double)c->a.p->nnz / c->a.n;
    if (c->options.json) {
        printf("%s\n  {\"matrix\": \"%s\", \"n\": %d, \"fill\": %.1f, \"solver\": \"%s\", "
               "\"threads\": %d",
               c->first ? "[" : ",", c->a.name, c->a.n, fill, e->name, e->threads);
        print_number("factor_solve_us", e->us);
        print_number("residual", e->residual);
        printf("}");
    } else {
        printf("%-20s %8d %6.1f  %-14s %7d %12.2f  %8.1e\n", c->a.name, c->a.n, fill, e->name,
               e->threads, e->us, e->residual);
    }
    c->first = false;
    fflush(stdout);
}

static bool contest(Contest *c) {
    const CdPattern *p = c->a.p;
    Entrant e[SOLVERS_MAX];
    c->peer = (PeerMatrix){c->a.n, p->nnz, p->ptr, p->row, c->a.v, c->a.definite};
    c->b = malloc((size_t)c->a.n * sizeof *c->b);
    c->x = malloc((size_t)c->a.n * sizeof *c->x);
    if (!c->b || !c->x) return false;
    for (int i = 0; i < c->a.n; i++) c->b[i] = cos(3.0 * i + 1);
    const int n = enter(c, e);
    bool ok = true;
    c->seen[c->family] = true;
    for (int i = 0; i < n; i++) ok &= e[i].peer || e[i].own;
    if (ok) time_all(c, e, n);
    for (int i = 0; i < n; i++) {
        if (ok && !e[i].absent) print(c, &e[i]);
        if (e[i].peer && !(e[i].us < LONG_US)) c->slow[c->family][e[i].place] = true;
        leave(&e[i]);
    }
    free(c->b);
    free(c->x);
    return ok;
}

// of the matrix at hand, if it is wanted; by order where the name does not have it
static bool compete(Contest *c, bool by_order) {
    char name[sizeof c->a.name + 16];
    snprintf(name, sizeof name, by_order ? "%s_%d" : "%s", c->a.name, c->a.n);
    if (c->listing) fprintf(stderr, " %s", name);
    const bool ok = c->listing || !bench_is_only(c->only, name) || contest(c);
    bench_matrix_free(c->ctx, &c->a);
    return ok;
}

static bool fourbars(Contest *c, int n) {
    const struct {
        BenchFill fill;
        int per;
    } kinds[] = {{BENCH_PLAIN, 6},
                 {BENCH_BAND, 20},
                 {BENCH_BAND, 50},
                 {BENCH_RANDOM, 20},
                 {BENCH_RANDOM, 50}};
    bool ok = true;
    for (size_t k = 0; ok && k < sizeof kinds / sizeof *kinds; k++) {
        c->family = (int)k;
        ok = bench_fourbar(c->ctx, n, kinds[k].fill, kinds[k].per, &c->a) && compete(c, true);
    }
    c->family = (int)(sizeof kinds / sizeof *kinds);
    return ok && bench_tridiagonal(c->ctx, n, &c->a) && compete(c, true);
}

static bool nets(Contest *c, int nbodies) {
    bool ok = true;
    for (int kind = BENCH_CHAIN; ok && kind <= BENCH_ROBOTS; kind++) {
        c->family = FAMILIES_MAX - 1 - kind;
        ok = bench_net(c->ctx, (BenchNet)kind, nbodies, &c->a) && compete(c, false);
    }
    return ok;
}

// Peers with threads of their own would get more than the one whose time is counted, and could not
// run in a process of their own. Their library looks before main begins.
static void keep_to_one_thread(char **argv) {
    if (getenv("OMP_THREAD_LIMIT")) return;
    setenv("OMP_THREAD_LIMIT", "1", 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv) {
    keep_to_one_thread(argv);
    static const int orders[] = {100, 500, 1000, 2000, 4000, 8000, 0};
    static const int bodies[] = {10, 100, 1000, 10000, 0};
    Contest c = {.first = true, .only = bench_only(&argc, argv)};
    if (!bench_options(argc, argv, &c.options)) return 2;
    c.ctx = cd_context_new(NULL);
    bool ok = c.ctx && cd_pool_new(c.ctx, THREADS, &c.pool) == CD_OK;
    if (ok && !c.options.json) {
        printf("peers that are installed:");
        for (int k = 0; peer_solvers[k]; k++) printf(" %s", peer_solvers[k]->name);
        printf("\n");
        printf("values in, factor and one solve, microseconds; |b - A x| / (|A| |x| + |b|)\n"
               "matrix                      n   fill  solver         threads factor_solve  "
               "residual\n");
    }
    for (const int *n = orders; ok && *n && (!c.options.quick || n == orders); n++) {
        ok = fourbars(&c, *n);
    }
    for (const int *n = bodies; ok && *n && (!c.options.quick || n == bodies); n++) {
        ok = nets(&c, *n);
    }
    if (c.options.json) printf("%s\n]\n", c.first ? "[" : "");
    const bool none = ok && c.first;
    if (none) {
        fprintf(stderr, "no matrix begins with '%s'; there are, and larger ones:", c.only);
        c.listing = true;
        ok = fourbars(&c, orders[0]) && nets(&c, bodies[0]);
        fprintf(stderr, "\n");
    }
    cd_pool_free(c.pool);
    cd_context_free(c.ctx);
    return !ok ? 1 : none ? 2 : 0;
}
