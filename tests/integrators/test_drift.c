// test_drift.c - derivatives of large models are mended along the few directions that change them
//
//   a crank with the angle phi and n masses, each tied to its tip by a stiff spring:
//   U = sum of k (x_i - d - cos phi)^2 / 2, all inertias 1
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "cardan/integrator.h"
#include "integrators/integrator.h"
#include "test.h"

#define FEW 990 // unknowns for which nothing is learned
#define MANY 1100
#define STIFFNESS 2000
#define SPEED 0.5
#define OPTIONS "adaptive=false, step=0.005, linsol=native"
#define METHOD "gen-alpha(" OPTIONS ")"
#define STEPS 100
#define STEP 0.005

typedef struct Crank {
    int n;
    double away;    // d
    int *ptr, *row; // the last row and column of K, and its diagonal
    double *q, *v;
} Crank;

static double stretch(const Crank *c, const double *q, int i) {
    return q[i] - c->away - cos(q[c->n]);
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    const Crank *c = data;
    f[c->n] = 0;
    for (int i = 0; i < c->n; i++) {
        f[i] = -STIFFNESS * stretch(c, at->q, i);
        f[c->n] += f[i] * sin(at->q[c->n]);
    }
    return CD_OK;
}

// columns of masses: itself and the crank; that of the crank: all
static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const Crank *c = data;
    const int n = c->n;
    const double sine = sin(at->q[n]), cosine = cos(at->q[n]);
    const size_t size = (size_t)c->ptr[n + 1] * sizeof(double);
    double own = 0;
    if (C) memset(C, 0, size);
    if (M) memset(M, 0, size);
    for (int i = 0; i < n; i++) {
        own += STIFFNESS * (sine * sine + stretch(c, at->q, i) * cosine);
        if (M) M[2 * i] = 1;
        if (!K) continue;
        K[2 * i] = STIFFNESS;
        K[2 * i + 1] = K[2 * n + i] = STIFFNESS * sine;
    }
    if (M) M[3 * n] = 1;
    if (K) K[3 * n] = own;
    return CD_OK;
}

static Crank crank_new(int unknowns, double away) {
    const int n = unknowns - 1;
    Crank c = {.n = n,
               .away = away,
               .ptr = calloc((size_t)n + 2, sizeof(int)),
               .row = calloc(3 * (size_t)n + 1, sizeof(int)),
               .q = calloc((size_t)n + 1, sizeof(double)),
               .v = calloc((size_t)n + 1, sizeof(double))};
    for (int i = 0; i < n; i++) {
        c.ptr[i + 1] = 2 * i + 2;
        c.row[2 * i] = i;
        c.row[2 * i + 1] = n;
        c.row[2 * n + i] = i;
        c.q[i] = away + cos(1) + 1e-3 * i / n;
        c.v[i] = -SPEED * sin(1);
    }
    c.ptr[n + 1] = 3 * n + 1;
    c.row[3 * n] = n;
    c.q[n] = 1;
    c.v[n] = SPEED;
    return c;
}

static void crank_free(Crank *c) {
    void *const all[] = {c->ptr, c->row, c->q, c->v};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static CdIntegrator *open(CdContext *ctx, Crank *c, CdPool *pool, const char *method) {
    const CdProblem problem = {.name = "crank",
                               .data = c,
                               .nv = c->n + 1,
                               .pool = pool,
                               .force = force,
                               .derivatives = derivatives,
                               .sparsity = {.ptr = c->ptr, .row = c->row}};
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(ctx, &problem, method, &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = c->q, .v = c->v}));
    return it;
}

static bool same_state(const CdIntegrator *a, const CdIntegrator *b) {
    return memcmp(a->state, b->state, a->problem->npoint * sizeof(double)) == 0;
}

// iterations of a run, and where the crank is then
static int64_t run(int unknowns, double away, const char *method, double *angle,
                   int64_t *jacobians) {
    TestLog log;
    test_log_open(&log);
    Crank c = crank_new(unknowns, away);
    CdIntegrator *it = open(log.ctx, &c, NULL, method);
    CHECK_OK(cd_integrator_run(it, STEPS * STEP, NULL));
    *angle = cd_integrator_now(it)->q[c.n];
    *jacobians = it->stats->jacobians;
    const int64_t iterations = it->stats->iterations;
    cd_integrator_free(it);
    crank_free(&c);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
    return iterations;
}

// 399 iterations in place of 493, 2 Jacobians in place of 11
TEST(increments_tell_what_old_derivatives_miss) {
    double few, many, full;
    int64_t j[3];
    const int64_t without = run(FEW, 0, METHOD, &few, &j[0]);
    const int64_t with = run(MANY, 0, METHOD, &many, &j[1]);
    run(MANY, 0, "gen-alpha(newton=full, " OPTIONS ")", &full, &j[2]);
    CHECK((double)with < 0.85 * (double)without);
    CHECK(2 * j[1] < j[0]);
    CHECK_NEAR(many, full, 1e-11);
}

// the same motion a kilometre away, where less can be told: 374 iterations, before 399
TEST(positions_bound_what_is_iterated) {
    double here, there;
    int64_t j;
    const int64_t near = run(MANY, 0, METHOD, &here, &j), far = run(MANY, 1e3, METHOD, &there, &j);
    CHECK((double)far < 0.96 * (double)near);
    CHECK_NEAR(there, here, 1e-9);
}

TEST(threads_learn_the_same) {
    TestLog log;
    test_log_open(&log);
    Crank c = crank_new(MANY, 0);
    CdIntegrator *one = open(log.ctx, &c, NULL, METHOD);
    CHECK_OK(cd_integrator_run(one, STEPS * STEP, NULL));
    for (int workers = 2; workers <= 3; workers++) {
        CdPool *pool;
        CHECK_OK(cd_pool_new(log.ctx, workers, &pool));
        CdIntegrator *more = open(log.ctx, &c, pool, METHOD);
        CHECK_OK(cd_integrator_run(more, STEPS * STEP, NULL));
        CHECK(same_state(one, more));
        cd_integrator_free(more);
        cd_pool_free(pool);
    }
    cd_integrator_free(one);
    crank_free(&c);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(what_was_learned_is_saved) {
    TestLog log;
    test_log_open(&log);
    Crank c = crank_new(MANY, 0);
    for (int k = 1; k < 20; k++) {
        CdIntegrator *one = open(log.ctx, &c, NULL, METHOD), *two = open(log.ctx, &c, NULL, METHOD);
        CHECK_OK(cd_integrator_run(one, k * STEP, NULL));
        const size_t size = cd_integrator_save_size(one);
        void *bytes = calloc(1, size);
        CHECK_OK(cd_integrator_save(one, bytes, size));
        CHECK_OK(cd_integrator_load(two, bytes, size));
        CHECK_OK(cd_integrator_run(one, 40 * STEP, NULL));
        CHECK_OK(cd_integrator_run(two, 40 * STEP, NULL));
        CHECK(same_state(one, two));
        CHECK_INT(one->stats->iterations, two->stats->iterations);
        free(bytes);
        cd_integrator_free(one);
        cd_integrator_free(two);
    }
    crank_free(&c);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

int main(void) {
    RUN(increments_tell_what_old_derivatives_miss);
    RUN(positions_bound_what_is_iterated);
    RUN(threads_learn_the_same);
    RUN(what_was_learned_is_saved);
    return test_end();
}
