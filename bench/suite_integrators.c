// suite_integrators.c - what integrators cost beside hand-written loops, SciPy and CVODE
//
// Goals: DOPRI5 and generalised-alpha at most 1.1 x a hand-written loop of the same method on a
// chain of 10 and 1000 masses; at equal error at least 20 x as fast as SciPy's solve_ivp and at
// least as fast as CVODE called directly, on Pleiades and Van der Pol. Nothing is allocated after
// the start (the tests count). A ratio of times "at equal error" takes our fastest run whose error
// is not larger than the other's.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "bench.h"
#include "cardan/integrator.h"
#include "integrators_hand.h"
#include "integrators_peers.h"

#define CHAIN_TOL 1e-6
#define CHAIN_FIRST_STEP 1e-3
#define CHAIN_RHO 0.8
#define CHAIN_STEP 1e-3
#define MAX_POINTS 96
#define MAX_ROWS 96
#define TEXT_SIZE 64

// records of the suite
typedef struct Table {
    BenchRow rows[MAX_ROWS];
    char texts[MAX_ROWS][TEXT_SIZE];
    size_t n;
} Table;

CD_PRINTF(6, 7)
static void add_row(Table *t, double us, double other_us, double error, double other_error,
                    const char *fmt, ...) {
    va_list args;
    if (t->n == MAX_ROWS) return;
    va_start(args, fmt);
    vsnprintf(t->texts[t->n], TEXT_SIZE, fmt, args);
    va_end(args);
    t->rows[t->n] =
        (BenchRow){.text = t->texts[t->n], .v = {us, other_us, other_us / us, error, other_error}};
    t->n++;
}

// ---- overhead: the same steps by the library and by hand

typedef struct Overhead {
    CdContext *ctx;
    int n, *ptr, *row;
    double t_end;
    CdIntegrator *dopri5, *gen_alpha;
    HandGenAlpha *hand;
    double *start, *y, *work;
    int64_t tried; // steps of the last hand-written run
} Overhead;

static CdStatus chain_rate(void *data, const CdPoint *at, double *dy) {
    const int n = *(int *)data;
    memcpy(dy, at->y + n, (size_t)n * sizeof *dy);
    chain_force(n, at->y, dy + n);
    return CD_OK;
}

static CdStatus chain_forces(void *data, const CdPoint *at, double *f) {
    chain_force(*(int *)data, at->q, f);
    return CD_OK;
}

// K of the chain, tridiagonal; M is the identity and C is 0
static CdStatus chain_derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const int n = *(int *)data;
    (void)at;
    int k = 0;
    for (int j = 0; j < n; j++) {
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++, k++) {
            if (M) M[k] = i == j;
            if (C) C[k] = 0;
            if (K) K[k] = i == j ? 2 * CHAIN_STIFFNESS : -CHAIN_STIFFNESS;
        }
    }
    return CD_OK;
}

static void chain_sparsity(int n, int *ptr, int *row) {
    int k = 0;
    for (int j = 0; j < n; j++) {
        ptr[j] = k;
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++) row[k++] = i;
    }
    ptr[n] = k;
}

static void must(CdStatus status, const char *what) {
    if (status == CD_OK) return;
    fprintf(stderr, "suite_integrators: %s: %s\n", what, cd_status_text(status));
    exit(1);
}

static void *must_have(void *p) {
    if (!p) must(CD_NOMEM, "set-up");
    return p;
}

static void overhead_new(Overhead *o, CdContext *ctx, int n, double t_end) {
    char text[128];
    *o = (Overhead){.ctx = ctx, .n = n, .t_end = t_end};
    o->start = must_have(calloc((size_t)n, 4 * sizeof(double)));
    o->y = o->start + 2 * n;
    o->work = must_have(calloc(HAND_DOPRI5_WORK((size_t)n), sizeof(double)));
    o->ptr = must_have(calloc(4 * (size_t)n + 1, sizeof(int)));
    o->row = o->ptr + n + 1;
    chain_start(n, o->start, o->start + n);
    chain_sparsity(n, o->ptr, o->row);
    const CdProblem ode = {.name = "chain", .data = &o->n, .ny = 2 * n, .rate = chain_rate};
    snprintf(text, sizeof text, "dopri5(rtol=%g, atol=%g, step=%g)", CHAIN_TOL, CHAIN_TOL,
             CHAIN_FIRST_STEP);
    must(cd_integrator_new(ctx, &ode, text, &o->dopri5), text);
    const CdProblem masses = {.name = "chain",
                              .data = &o->n,
                              .nv = n,
                              .force = chain_forces,
                              .derivatives = chain_derivatives,
                              .sparsity = {.ptr = o->ptr, .row = o->row}};
    snprintf(text, sizeof text, "gen-alpha(rho=%g, step=%g, adaptive=false, start=plain)",
             CHAIN_RHO, CHAIN_STEP);
    must(cd_integrator_new(ctx, &masses, text, &o->gen_alpha), text);
    must(hand_gen_alpha_new(ctx, n, CHAIN_STEP, CHAIN_RHO, &o->hand), "hand-written");
}

static void overhead_free(Overhead *o) {
    cd_integrator_free(o->dopri5);
    cd_integrator_free(o->gen_alpha);
    hand_gen_alpha_free(o->hand);
    free(o->start);
    free(o->work);
    free(o->ptr);
}

static void run_dopri5(void *user) {
    Overhead *o = user;
    must(cd_integrator_start(o->dopri5, &(CdPoint){.y = o->start}), "start");
    must(cd_integrator_run(o->dopri5, o->t_end, NULL), "dopri5");
}

static void hand_dopri5_run(void *user) {
    Overhead *o = user;
    memcpy(o->y, o->start, 2 * (size_t)o->n * sizeof(double));
    o->tried = hand_dopri5(o->n, o->y, o->t_end, CHAIN_TOL, CHAIN_TOL, CHAIN_FIRST_STEP, o->work);
}

static void run_gen_alpha(void *user) {
    Overhead *o = user;
    must(cd_integrator_start(o->gen_alpha, &(CdPoint){.q = o->start, .v = o->start + o->n}),
         "start");
    must(cd_integrator_run(o->gen_alpha, o->t_end, NULL), "gen-alpha");
}

static void hand_gen_alpha_steps(void *user) {
    Overhead *o = user;
    memcpy(o->y, o->start, 2 * (size_t)o->n * sizeof(double));
    o->tried = llround(o->t_end / CHAIN_STEP);
    must(hand_gen_alpha_run(o->hand, o->y, o->y + o->n, (int)o->tried), "hand-written");
}

static double largest_difference(int n, const double *a, const double *b) {
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

// microseconds per step tried of both; the error is how far the two ends differ
static void compare(Overhead *o, const char *text, void (*ours)(void *), void (*by_hand)(void *),
                    const CdIntegrator *it, const BenchPlan *plan, Table *table) {
    BenchCase cases[] = {{.name = text, .run = ours, .user = o},
                         {.name = "hand", .run = by_hand, .user = o}};
    if (!bench_interleave(cases, 2, *plan)) must(CD_NOMEM, "timing");
    const CdStatistics *s = cd_integrator_statistics(it);
    const CdPoint *end = cd_integrator_now((CdIntegrator *)it);
    const double us =
        bench_percentile(cases[0].us, cases[0].n, 50) / (double)(s->steps + s->rejected);
    const double hand_us = bench_percentile(cases[1].us, cases[1].n, 50) / (double)o->tried;
    const double difference = largest_difference(o->n, end->q ? end->q : end->y, o->y);
    add_row(table, us, hand_us, difference, 0, "%s, %d masses, per step / by hand", text, o->n);
    bench_free(cases, 2);
}

static void overhead(CdContext *ctx, const BenchOptions *options, Table *table) {
    const int sizes[] = {10, 1000};
    const double t_end[] = {20, 2};
    const BenchPlan plan = {.rounds = options->quick ? 1 : 15,
                            .samples = options->quick ? 1 : 3,
                            .warmup = options->quick ? 0 : 1};
    for (int k = 0; k < 2; k++) {
        Overhead o;
        overhead_new(&o, ctx, sizes[k], t_end[k]);
        compare(&o, "dopri5", run_dopri5, hand_dopri5_run, o.dopri5, &plan, table);
        compare(&o, "gen-alpha", run_gen_alpha, hand_gen_alpha_steps, o.gen_alpha, &plan, table);
        overhead_free(&o);
    }
}

// ---- other programs at equal error

static CdStatus peer_rate(void *data, const CdPoint *at, double *dy) {
    ((const Peer *)data)->rate(at->y, dy);
    return CD_OK;
}

static CdStatus peer_derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const Peer *peer = data;
    const int n = peer->n;
    if (M) memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int i = 0; M && i < n; i++) M[i * (n + 1)] = 1;
    if (C) peer->jacobian(at->y, C);
    for (int i = 0; C && i < n * n; i++) C[i] = -C[i];
    if (K) memset(K, 0, (size_t)(n * n) * sizeof *K);
    return CD_OK;
}

static bool solve_once(CdIntegrator *it, const Peer *peer, double *us) {
    if (cd_integrator_start(it, &(CdPoint){.y = (double *)peer->start}) != CD_OK) return false;
    const int64_t begin = cdi_clock_ns();
    const CdStatus status = cd_integrator_run(it, peer->t_end, NULL);
    *us = fmin(*us, (double)(cdi_clock_ns() - begin) / 1e3);
    return status == CD_OK;
}

static bool measure(CdContext *ctx, const Peer *peer, const char *method, double tol, int repeats,
                    PeerPoint *point) {
    const CdProblem problem = {.name = peer->name,
                               .data = (void *)peer,
                               .ny = peer->n,
                               .rate = peer_rate,
                               .derivatives = peer->jacobian ? peer_derivatives : NULL};
    char text[96];
    CdIntegrator *it;
    snprintf(text, sizeof text, "%s(rtol=%g, atol=%g)", method, tol, tol);
    must(cd_integrator_new(ctx, &problem, text, &it), text);
    bool ok = true;
    *point = (PeerPoint){.tol = tol, .us = INFINITY};
    snprintf(point->method, sizeof point->method, "%s", method);
    for (int k = 0; k < repeats; k++) ok = ok && solve_once(it, peer, &point->us);
    if (ok) point->error = peer_error(peer, cd_integrator_now(it)->y);
    cd_integrator_free(it);
    return ok;
}

static size_t our_points(CdContext *ctx, const Peer *peer, int repeats, PeerPoint *points) {
    static const char *const nonstiff[] = {"dop853", "dopri5", NULL};
    static const char *const stiff[] = {"radau5", "cvode", NULL};
    size_t n = 0;
    for (const char *const *m = peer->stiff ? stiff : nonstiff; *m; m++) {
        for (double e = 3; e <= 12.5 && n < MAX_POINTS; e += 0.25) {
            n += measure(ctx, peer, *m, pow(10, -e), repeats, &points[n]);
        }
    }
    return n;
}

static const PeerPoint *fastest(const PeerPoint *points, size_t n, double error) {
    const PeerPoint *best = NULL;
    for (size_t k = 0; k < n; k++) {
        if (points[k].error <= error && (!best || points[k].us < best->us)) best = &points[k];
    }
    return best;
}

// rows of other programs' points that ours reach
static void versus(const Peer *peer, const char *who, const PeerPoint *ours, size_t nours,
                   const PeerPoint *theirs, size_t ntheirs, Table *table) {
    for (size_t k = 0; k < ntheirs; k++) {
        const PeerPoint *best = fastest(ours, nours, theirs[k].error);
        if (!best) continue;
        add_row(table, best->us, theirs[k].us, best->error, theirs[k].error, "%s, %s / %s %s",
                peer->name, best->method, who, theirs[k].method);
    }
}

static void against(CdContext *ctx, const Peer *peer, const BenchOptions *options, Table *table) {
    PeerPoint ours[MAX_POINTS], theirs[MAX_POINTS];
    const size_t nours = our_points(ctx, peer, options->quick ? 1 : 9, ours);
    size_t n = 0;
    for (double e = 4; e <= 10.5; e += 1.5) n += peer_cvode(peer, pow(10, -e), &theirs[n]);
    versus(peer, "cvode", ours, nours, theirs, n, table);
    if (options->quick) return;
    n = peer_scipy(peer, CD_BENCH_DIR "/integrators_scipy.py", theirs, MAX_POINTS);
    versus(peer, "scipy", ours, nours, theirs, n, table);
}

static void say(void *user, const CdMessage *message) {
    char text[512];
    (void)user;
    cd_message_format(message, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}

int main(int argc, char **argv) {
    BenchOptions options;
    if (!bench_options(argc, argv, &options)) return 2;
    CdContext *ctx = cd_context_new(NULL);
    if (!ctx) return 1;
    cd_context_set_sink(ctx, say, NULL);
    static Table table; // too large for the stack
    overhead(ctx, &options, &table);
    against(ctx, &peer_pleiades, &options, &table);
    against(ctx, &peer_vdpol, &options, &table);
    bench_print(&(BenchTable){.about = "time of the other over ours; goals: >= 0.91 by hand, >= 1 "
                                       "cvode, >= 20 scipy at an error not larger",
                              .columns = {"ours / other", "us", "other_us", "ratio", "error",
                                          "other_error"},
                              .rows = table.rows,
                              .nrows = table.n},
                options.json);
    cd_context_free(ctx);
    return 0;
}
