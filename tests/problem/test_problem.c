// test_problem.c - descriptions are checked, points laid out, evaluations and products right
#include "problem/problem.h"

#include <math.h>

#include "test.h"

static CdStatus vdp_rate(void *data, const CdPoint *at, double *dy) {
    const double mu = *(double *)data, *y = at->y;
    dy[0] = y[1];
    dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
    return CD_OK;
}

TEST(an_ode_is_evaluated_and_counted) {
    TestLog log;
    test_log_open(&log);
    double mu = 3;
    const CdProblem vdp = {.name = "van der pol", .data = &mu, .ny = 2, .rate = vdp_rate};
    CdiProblem *p;
    CHECK_OK(cdi_problem_new(log.ctx, &vdp, NULL, &p));
    CHECK_INT(p->kind, CD_KIND_ODE);
    CHECK_TEXT(cdi_problem_name(p), "van der pol");
    CHECK_INT(p->npoint, 4);
    CdPoint at;
    CHECK_OK(cdi_point_take(p, &p->arena, &at));
    CHECK(at.q == NULL && at.v == NULL && at.x == NULL && at.lambda == NULL && at.mu == NULL);
    at.y[0] = 2;
    at.y[1] = -1;
    double phi[2], r[2];
    CHECK_OK(cdi_rate(p, &at, phi));
    CHECK_BITS(phi[0], -1);
    CHECK_BITS(phi[1], 7);
    at.ydot[0] = 1;
    CHECK_OK(cdi_residual(p, &at, r));
    CHECK_BITS(r[0], 2);
    CHECK_BITS(r[1], -7);
    CHECK_INT(p->counts.evaluations, 2);
    CHECK_OK(cdi_accelerations(p, &at));
    CHECK_BITS(at.ydot[1], 7);
    cdi_problem_free(p);
    test_log_close(&log);
}

int main(void) {
    RUN(an_ode_is_evaluated_and_counted);
    return test_end();
}
