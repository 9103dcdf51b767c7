// test_islands.c - mechanisms that nothing joins: each moves as if it were alone, and costs as much
#include <math.h>
#include <string.h>

#include "problem/work.h"
#include "simulate/mechanisms.h"
#include "simulate/session.h"
#include "test.h"

#define PENDULUMS 20

static CdModel *pendulums(CdContext *ctx, int n) {
    CdText text;
    CdModel *model;
    cdi_text_init(&text, ctx);
    cdi_text_add(&text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\", "
                        "\"acceleration\": [0, -9.81, 0]}");
    for (int i = 0; i < n; i++) {
        cdi_text_addf(&text,
                      ", {\"class\": \"RigidBody\", \"name\": \"b%d\", \"position\": [0.5, 0, 0], "
                      "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.2]}}, "
                      "{\"class\": \"RevoluteJoint\", \"name\": \"j%d\", \"body_b\": \"b%d\"}",
                      i, i, i);
    }
    cdi_text_add(&text, "]}");
    CHECK_OK(cdi_model_read_text(ctx, text.v, text.n, "x.json", &model));
    cdi_text_free(&text);
    return model;
}

typedef struct Result {
    double q[7], v[6], spread; // of the first, and how far others are from it
    double flops;              // per factor
    int islands;
} Result;

static Result simulate(int n, const char *method) {
    TestLog log;
    CdSession s;
    Result r = {0};
    test_log_open(&log);
    CdModel *model = pendulums(log.ctx, n);
    CHECK_OK(cdi_session_open(&s, model, method, 1, NULL));
    CHECK_OK(cdi_session_start(&s));
    CHECK_OK(cd_integrator_run(s.it, 0.5, NULL));
    const CdPoint *at = cd_integrator_now(s.it);
    memcpy(r.q, at->q, sizeof r.q);
    memcpy(r.v, at->v, sizeof r.v);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 7; k++) r.spread = fmax(r.spread, fabs(at->q[7 * i + k] - r.q[k]));
        for (int k = 0; k < 6; k++) r.spread = fmax(r.spread, fabs(at->v[6 * i + k] - r.v[k]));
    }
    const CdStatistics *stats = cd_integrator_statistics(s.it);
    r.flops = stats->factor_flops / (double)stats->factors;
    r.islands = s.start.rank.nislands;
    cdi_session_close(&s);
    cdi_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
    return r;
}

TEST(each_moves_as_if_it_were_alone) {
    static const struct {
        const char *method;
        double tol;
    } methods[] = {{"rk4(step=0.01)", 1e-14}, // one alone is factored densely
                   {"rk4(step=0.01, linsol=klu)", 0},
                   {"gen-alpha(step=0.01, adaptive=false, newton_tolerance=1e-13)", 2e-12},
                   {"radau5(step=0.01, adaptive=false, newton_tolerance=1e-13)", 1e-11}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const Result one = simulate(1, methods[k].method);
        const Result many = simulate(PENDULUMS, methods[k].method);
        CHECK_INT(one.islands, 1);
        CHECK_INT(many.islands, PENDULUMS);
        CHECK_NEAR(many.spread, 0, methods[k].tol);
        for (int i = 0; i < 7; i++) CHECK_NEAR(many.q[i], one.q[i], methods[k].tol);
        for (int i = 0; i < 6; i++) CHECK_NEAR(many.v[i], one.v[i], methods[k].tol);
    }
}

// blocks are factored one by one; only who asks for a dense factor pays for all of it
TEST(twenty_cost_twenty_times_one) {
    static const char *const methods[] = {"gen-alpha(step=0.01, adaptive=false)", "rk4(step=0.01)",
                                          "radau5(step=0.01, adaptive=false)"};
    for (int k = 0; k < 3; k++) {
        const Result one = simulate(1, methods[k]), many = simulate(PENDULUMS, methods[k]);
        CHECK(one.flops > 100);
        CHECK(many.flops <= 1.1 * PENDULUMS * one.flops);
    }
    const Result one = simulate(1, "gen-alpha(step=0.01, adaptive=false, linsol=dense)");
    const Result many = simulate(PENDULUMS, "gen-alpha(step=0.01, adaptive=false, linsol=dense)");
    CHECK(many.flops > 100 * PENDULUMS * one.flops);
}

// ---- redundant constraints of one island

// v1, v2 in one island, v3, v4 in another; rows of both nearly depend on each other
static const double rows[4][4] = {{1, 0, 0, 0}, {1, 1e-9, 0, 0}, {0, 0, 1, 0}, {0, 0, 1, 1e-7}};

static CdStatus constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    for (int i = 0; i < 4; i++) {
        g[i] = 0;
        for (int j = 0; j < 4; j++) g[i] += rows[i][j] * at->q[j];
    }
    return CD_OK;
}

static CdStatus jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    (void)at;
    for (int k = 0; k < 8; k++) J[k] = rows[k / 4 * 2 + k % 2][k / 2];
    return CD_OK;
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data;
    (void)at;
    memset(f, 0, 4 * sizeof *f);
    return CD_OK;
}

TEST(the_island_that_has_too_many_gives_one_up) {
    static const int ptr[] = {0, 2, 4, 6, 8}, row[] = {0, 1, 0, 1, 2, 3, 2, 3};
    static const bool second[] = {false, false, false, true}, none[] = {false, false, false, false};
    TestLog log;
    CdiProblem *p;
    double J[8];
    CdProblem u = {.nv = 4,
                   .ng = 4,
                   .force = force,
                   .constraint = constraint,
                   .constraint_jacobian = jacobian,
                   .constraint_sparsity = {ptr, row},
                   .redundant = 1,
                   .redundant_rows = second};
    test_log_open(&log);
    CHECK_OK(jacobian(NULL, NULL, J));
    for (int k = 0; k < 2; k++) {
        if (k == 1) u.redundant_rows = NULL;
        CHECK_OK(cdi_problem_new(log.ctx, &u, &(CdProblemSetup){0}, &p));
        CHECK_OK(cdi_redundant_choose(p, J));
        // without being told, the weakest of all goes
        const int first = cdi_row_acts(p, 0) + cdi_row_acts(p, 1);
        CHECK_INT(first, k == 0 ? 2 : 1);
        CHECK_INT(cdi_row_acts(p, 2) + cdi_row_acts(p, 3), 3 - first);
        cdi_problem_free(p);
    }
    CHECK_TEXT(log.text, "");
    u.redundant_rows = none;
    CHECK_INT(cdi_problem_new(log.ctx, &u, &(CdProblemSetup){0}, &p), CD_INVALID);
    CHECK(strstr(log.text, "redundant_rows marks 0 constraints, but 1 are redundant\n"));
    test_log_close(&log);
}

// a choice stays until it is to be forgotten
TEST(a_choice_is_made_anew_when_it_is_forgotten) {
    static const int ptr[] = {0, 2, 4, 6, 8}, row[] = {0, 1, 0, 1, 2, 3, 2, 3};
    const CdProblem u = {.nv = 4,
                         .ng = 4,
                         .force = force,
                         .constraint = constraint,
                         .constraint_jacobian = jacobian,
                         .constraint_sparsity = {ptr, row},
                         .redundant = 1};
    TestLog log;
    CdiProblem *p;
    double J[8], other[8];
    test_log_open(&log);
    CHECK_OK(jacobian(NULL, NULL, J));
    // now the second island is the weakest
    for (int k = 0; k < 8; k++) other[k] = J[(k + 4) % 8];
    CHECK_OK(cdi_problem_new(log.ctx, &u, &(CdProblemSetup){0}, &p));
    CHECK_OK(cdi_redundant_ready(p, J));
    CHECK_INT(cdi_row_acts(p, 0) + cdi_row_acts(p, 1), 1);
    CHECK_OK(cdi_redundant_ready(p, other));
    CHECK_INT(cdi_row_acts(p, 0) + cdi_row_acts(p, 1), 1);
    cdi_redundant_forget(p);
    CHECK_OK(cdi_redundant_ready(p, other));
    CHECK_INT(cdi_row_acts(p, 0) + cdi_row_acts(p, 1), 2);
    CHECK_INT(cdi_row_acts(p, 2) + cdi_row_acts(p, 3), 1);
    cdi_problem_free(p);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// the choice of constraints that are left out begins anew
TEST(a_second_start_has_the_same_bits) {
    TestLog log;
    CdModel *model;
    CdSimulation *sim;
    double q[35];
    const char *text = BRICARD;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model));
    CHECK_OK(cd_simulation_new(model, "gen-alpha(step=0.01, adaptive=false)", &sim));
    for (int k = 0; k < 2; k++) {
        CHECK_OK(cd_simulation_start(sim));
        CHECK_OK(cd_simulation_run(sim, k == 0 ? 1.5 : 0.5, 0, NULL));
        CHECK_OK(cd_simulation_start(sim));
        CHECK_OK(cd_simulation_run(sim, 1, 0, NULL));
        for (int i = 0; i < 35 && k == 1; i++) CHECK_BITS(cd_simulation_now(sim)->q[i], q[i]);
        memcpy(q, cd_simulation_now(sim)->q, sizeof q);
    }
    cd_simulation_free(sim);
    cd_model_free(model);
    test_log_close(&log);
}

int main(void) {
    RUN(each_moves_as_if_it_were_alone);
    RUN(twenty_cost_twenty_times_one);
    RUN(the_island_that_has_too_many_gives_one_up);
    RUN(a_choice_is_made_anew_when_it_is_forgotten);
    RUN(a_second_start_has_the_same_bits);
    return test_end();
}
