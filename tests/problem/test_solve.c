// test_solve.c - accelerations, projections and consistent starts
#include "problem/models.h"

#define PENDULUM \
    { .mass = 2, .length = 1.5, .gravity = 9.81, .damping = 0.3, .a = 0.4, .w = 2 }

TEST(a_hanging_pendulum_carries_its_weight) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = {.mass = 2, .length = 1.5, .gravity = 9.81};
    const CdProblem user = pendulum_problem(&m);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.q[1] = -1.5;
    CHECK_OK(cdi_accelerations(p, &at));
    CHECK_NEAR(at.vdot[0], 0, 0);
    CHECK_NEAR(at.vdot[1], 0, 1e-15);
    CHECK_NEAR(at.lambda[0], 2 * 9.81 / 1.5, 1e-14);
    CHECK_INT(p->counts.evaluations, 1);
    // and one that swings is pulled to the centre
    at.v[0] = 3;
    CHECK_OK(cdi_accelerations(p, &at));
    CHECK_NEAR(at.vdot[1], 9 / 1.5, 1e-14);
    CHECK_NEAR(at.lambda[0], 2 * (9.81 + 9 / 1.5) / 1.5, 1e-13);
    cdi_problem_free(p);
    test_log_close(&log);
}

// r = 0 and c'' = 0 say it all
static void check_solution(CdiProblem *p, CdPoint *at, double tol) {
    double r[8], c[4];
    CHECK_OK(cdi_accelerations(p, at));
    CHECK_OK(cdi_residual(p, at, r));
    CHECK_OK(cdi_acceleration_residual(p, at, c));
    for (int i = 0; i < p->nv + p->ny; i++) CHECK_NEAR(r[i], 0, tol);
    for (int i = 0; i < p->nc; i++) CHECK_NEAR(c[i], 0, tol);
}

TEST(accelerations_satisfy_the_equations) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = PENDULUM;
    Top top, held;
    Chain chain;
    const CdProblem users[] = {pendulum_problem(&m),     top_problem(&top, false),
                               top_problem(&held, true), sleigh_problem(),
                               mixed_problem(),          chain_problem(&chain, 5)};
    TestRandom random = {7};
    for (size_t k = 0; k < sizeof users / sizeof *users; k++) {
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &users[k], &at);
        for (int n = 0; n < 5; n++) {
            point_random(p, &random, &at);
            check_solution(p, &at, 2e-12);
        }
        cdi_problem_free(p);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

int main(void) {
    RUN(a_hanging_pendulum_carries_its_weight);
    RUN(accelerations_satisfy_the_equations);
    return test_end();
}
