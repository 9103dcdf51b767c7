// test_rest.c - large problems give back what their start took, and nobody can tell
//
//   pendulums of length 1 and mass 1, each on its own:  x^2 + y^2 = 1
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cardan/integrator.h"
#include "integrators/integrator.h"
#include "problem/work.h"
#include "test.h"

#define PENDULUMS 3500
#define GRAVITY 9.81
#define METHOD "gen-alpha(form=index3, adaptive=false, step=0.01)"
#define END 0.08

typedef struct Swarm {
    int n;
    int *ptr, *column, *row, *v_group, *c_group; // of diagonals, of J, of bodies and rods
    double *q, *v;
} Swarm;

static CdStatus force(void *data, const CdPoint *at, double *f) {
    const Swarm *s = data;
    (void)at;
    for (int i = 0; i < s->n; i++) {
        f[2 * i] = 0;
        f[2 * i + 1] = -GRAVITY;
    }
    return CD_OK;
}

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    const Swarm *s = data;
    for (int i = 0; i < s->n; i++) {
        const double *q = at->q + 2 * i;
        g[i] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    }
    return CD_OK;
}

static CdStatus jacobian(void *data, const CdPoint *at, double *J) {
    memcpy(J, at->q, 2 * (size_t)((const Swarm *)data)->n * sizeof *J);
    return CD_OK;
}

static CdStatus acceleration_terms(void *data, const CdPoint *at, double *gamma) {
    const Swarm *s = data;
    for (int i = 0; i < s->n; i++) {
        const double *v = at->v + 2 * i;
        gamma[i] = v[0] * v[0] + v[1] * v[1];
    }
    return CD_OK;
}

static CdStatus derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    const Swarm *s = data;
    for (int i = 0; i < 2 * s->n; i++) {
        if (M) M[i] = 1;
        if (C) C[i] = 0;
        if (K) K[i] = at->lambda[i / 2];
    }
    return CD_OK;
}

static Swarm swarm_new(int n) {
    const size_t nv = 2 * (size_t)n;
    Swarm s = {.n = n,
               .ptr = calloc(nv + 1, sizeof(int)),
               .column = calloc(nv, sizeof(int)),
               .row = calloc(nv, sizeof(int)),
               .v_group = calloc(nv, sizeof(int)),
               .c_group = calloc((size_t)n, sizeof(int)),
               .q = calloc(nv, sizeof(double)),
               .v = calloc(nv, sizeof(double))};
    for (int j = 0; j < 2 * n; j++) {
        s.ptr[j + 1] = j + 1;
        s.column[j] = j;
        s.row[j] = j / 2;
        s.v_group[j] = j / 2 * 2;
    }
    for (int i = 0; i < n; i++) {
        const double angle = 1 + 0.5 * i / n;
        s.c_group[i] = i;
        s.q[2 * i] = sin(angle);
        s.q[2 * i + 1] = -cos(angle);
    }
    return s;
}

static void swarm_free(Swarm *s) {
    void *const all[] = {s->ptr, s->column, s->row, s->v_group, s->c_group, s->q, s->v};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static CdProblem problem_of(Swarm *s) {
    return (CdProblem){.name = "pendulums",
                       .data = s,
                       .nv = 2 * s->n,
                       .ng = s->n,
                       .force = force,
                       .constraint = constraint,
                       .constraint_jacobian = jacobian,
                       .constraint_sparsity = {.ptr = s->ptr, .row = s->row},
                       .acceleration_terms = acceleration_terms,
                       .derivatives = derivatives,
                       .sparsity = {.ptr = s->ptr, .row = s->column},
                       .v_groups = s->v_group,
                       .constraint_groups = s->c_group};
}

static CdIntegrator *open(CdContext *ctx, Swarm *s) {
    const CdProblem problem = problem_of(s);
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(ctx, &problem, METHOD, &it));
    return it;
}

static void start(CdIntegrator *it, const Swarm *s) {
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = s->q, .v = s->v}));
}

static bool same_state(const CdIntegrator *a, const CdIntegrator *b) {
    return memcmp(a->state, b->state, a->problem->npoint * sizeof(double)) == 0;
}

// the first step has the memory of the start, so that what it would have taken is free
TEST(a_start_gives_its_memory_back) {
    TestLog log;
    test_log_open(&log);
    for (int n = PENDULUMS / 10; n <= PENDULUMS; n *= 10) {
        Swarm s = swarm_new(n);
        CdIntegrator *it = open(log.ctx, &s);
        start(it, &s);
        const CdMemory before = cd_context_memory(log.ctx);
        CHECK_OK(cd_integrator_step(it, END));
        const CdMemory after = cd_context_memory(log.ctx);
        // a small problem takes and gives nothing
        const size_t numbers = (size_t)it->problem->n * sizeof(double);
        CHECK(n < PENDULUMS ? after.total_blocks == before.total_blocks
                            : after.live_bytes + 3 * numbers < before.live_bytes);
        CHECK((cdi_solve_solver(it->problem) == NULL) == (n == PENDULUMS));
        cd_integrator_free(it);
        swarm_free(&s);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(a_second_start_has_what_it_needs) {
    TestLog log;
    test_log_open(&log);
    Swarm s = swarm_new(PENDULUMS);
    CdIntegrator *once = open(log.ctx, &s), *twice = open(log.ctx, &s);
    start(once, &s);
    CHECK_OK(cd_integrator_run(once, END, NULL));
    size_t live = 0;
    for (int k = 0; k < 3; k++) {
        start(twice, &s);
        CHECK(same_state(once, twice) == false);
        CHECK_OK(cd_integrator_run(twice, END, NULL));
        CHECK(same_state(once, twice));
        CHECK(cdi_solve_solver(twice->problem) == NULL);
        if (k > 0) CHECK_INT(cd_context_memory(log.ctx).live_bytes, live);
        live = cd_context_memory(log.ctx).live_bytes;
    }
    CdiSigns signs;
    CHECK_OK(cdi_problem_signs(twice->problem, &signs));
    CHECK_INT(signs.negative, PENDULUMS);
    cd_integrator_free(once);
    cd_integrator_free(twice);
    swarm_free(&s);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// saved before the first step, and later; loaded where there was a start, or none
TEST(saved_runs_continue_without_it) {
    TestLog log;
    test_log_open(&log);
    Swarm s = swarm_new(PENDULUMS);
    for (int k = 0; k < 4; k++) {
        CdIntegrator *one = open(log.ctx, &s), *two = open(log.ctx, &s);
        start(one, &s);
        if (k % 2) start(two, &s);
        if (k / 2) CHECK_OK(cd_integrator_run(one, END / 2, NULL));
        const size_t size = cd_integrator_save_size(one);
        void *bytes = calloc(1, size);
        CHECK_OK(cd_integrator_save(one, bytes, size));
        CHECK_OK(cd_integrator_load(two, bytes, size));
        CHECK(cdi_solve_solver(two->problem) == NULL);
        CHECK_OK(cd_integrator_run(one, END, NULL));
        CHECK_OK(cd_integrator_run(two, END, NULL));
        CHECK(same_state(one, two));
        CHECK_INT(one->stats->iterations, two->stats->iterations);
        free(bytes);
        cd_integrator_free(one);
        cd_integrator_free(two);
    }
    swarm_free(&s);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

int main(void) {
    RUN(a_start_gives_its_memory_back);
    RUN(a_second_start_has_what_it_needs);
    RUN(saved_runs_continue_without_it);
    return test_end();
}
