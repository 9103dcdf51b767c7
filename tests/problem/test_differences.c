// test_differences.c - derivatives of r: exact, given, or by coloured differences
#include "problem/models.h"
#include "problem/work.h"

TEST(a_chain_takes_three_evaluations_per_matrix) {
    TestLog log;
    test_log_open(&log);
    static Chain c;
    static double C[3 * CHAIN_MAX], K[3 * CHAIN_MAX], Ce[3 * CHAIN_MAX], Ke[3 * CHAIN_MAX],
        M[3 * CHAIN_MAX];
    const CdProblem user = chain_problem(&c, CHAIN_MAX);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    TestRandom random = {1};
    point_random(p, &random, &at);
    CHECK_OK(cdi_derivatives(p, &at, M, C, NULL));
    CHECK_INT(p->work->colours.n, 3);
    CHECK_INT(p->counts.difference_evaluations, 3 + 1);
    CHECK_OK(cdi_derivatives(p, &at, NULL, NULL, K));
    CHECK_INT(p->counts.difference_evaluations, 2 * (3 + 1));
    CHECK_OK(cdi_derivatives(p, &at, NULL, C, K));
    CHECK_INT(p->counts.difference_evaluations, 2 * (3 + 1) + 2 * 3 + 1);
    CHECK_OK(cdi_derivatives(p, &at, M, NULL, NULL));
    CHECK_INT(p->counts.difference_evaluations, 2 * (3 + 1) + 2 * 3 + 1);
    CHECK_INT(p->counts.evaluations, 0);
    CHECK_OK(chain_derivatives(&c, &at, NULL, Ce, Ke));
    for (int j = 0; j < c.n; j++) {
        for (int k = c.ptr[j]; k < c.ptr[j + 1]; k++) {
            CHECK_NEAR(C[k], Ce[k], 2e-5);
            CHECK_NEAR(K[k], Ke[k], 2e-3);
            CHECK_BITS(M[k], c.row[k] == j ? 1 : 0);
        }
    }
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(given_derivatives_are_taken_unless_differences_are_asked_for) {
    TestLog log;
    test_log_open(&log);
    Chain c;
    CdProblem user = chain_problem(&c, 6);
    user.derivatives = chain_derivatives;
    for (int differences = 0; differences < 2; differences++) {
        CdiProblem *p;
        CdPoint at;
        const CdProblemSetup setup = {.differences = differences};
        CHECK_OK(cdi_problem_new(log.ctx, &user, &setup, &p));
        CHECK_OK(cdi_point_take(p, &p->arena, &at));
        TestRandom random = {1};
        point_random(p, &random, &at);
        double M[16], C[16], K[16], Ce[16], Ke[16];
        CHECK_OK(cdi_derivatives(p, &at, M, C, K));
        CHECK_OK(chain_derivatives(&c, &at, NULL, Ce, Ke));
        for (int k = 0; k < 16; k++) {
            CHECK_NEAR(C[k], Ce[k], differences ? 1e-4 : 0);
            CHECK_NEAR(K[k], Ke[k], differences ? 1e-3 : 0);
        }
        CHECK_INT(p->counts.difference_evaluations, differences ? 7 : 0);
        cdi_problem_free(p);
    }
    test_log_close(&log);
}

// y0' = y1, y1' = -y0: the user's pattern has no diagonal, that of M comes beside
static CdStatus spin_rate(void *data, const CdPoint *at, double *phi) {
    (void)data;
    phi[0] = at->y[1];
    phi[1] = -at->y[0];
    return CD_OK;
}

static CdStatus spin_derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    (void)data, (void)at, (void)K;
    CHECK(M == NULL);
    if (C) C[0] = 1;
    if (C) C[1] = -1;
    return CD_OK;
}

TEST(a_pattern_without_diagonal_is_completed) {
    TestLog log;
    test_log_open(&log);
    const int ptr[] = {0, 1, 2}, row[] = {1, 0};
    CdProblem user = {.ny = 2, .rate = spin_rate, .sparsity = {.ptr = ptr, .row = row}};
    const double exact[4] = {0, 1, -1, 0};
    for (int with = 0; with < 2; with++) {
        if (with) user.derivatives = spin_derivatives;
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &user, &at);
        double M[4], C[4], K[4];
        CHECK_OK(cdi_derivatives(p, &at, M, C, K));
        CHECK_INT(p->pattern->nnz, 4);
        for (int k = 0; k < 4; k++) {
            CHECK_BITS(M[k], k % 3 ? 0 : 1);
            CHECK_NEAR(C[k], exact[k], 0);
            CHECK_BITS(K[k], 0);
        }
        cdi_problem_free(p);
    }
    test_log_close(&log);
}

// two masses that only feel each other
static CdStatus swap_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = 3 * at->q[1];
    f[1] = 5 * at->q[0];
    return CD_OK;
}

TEST(unit_masses_have_their_place_in_any_pattern) {
    TestLog log;
    test_log_open(&log);
    const int ptr[] = {0, 1, 2}, row[] = {1, 0};
    const CdProblem user = {.nv = 2, .force = swap_force, .sparsity = {.ptr = ptr, .row = row}};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    double M[4], K[4];
    const double exact[4] = {0, -5, -3, 0};
    CHECK_OK(cdi_derivatives(p, &at, M, NULL, K));
    CHECK_INT(p->pattern->nnz, 4);
    for (int k = 0; k < 4; k++) {
        CHECK_BITS(M[k], k % 3 ? 0 : 1);
        CHECK_NEAR(K[k], exact[k], 0);
    }
    cdi_problem_free(p);
    test_log_close(&log);
}

// dr/dq has lambda and v' in it
TEST(reactions_and_inertia_have_stiffness) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = {.mass = 2, .length = 1.5, .gravity = 9.81};
    CdProblem user = pendulum_problem(&m);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    pendulum_motion(&m, 0.5, &at);
    at.lambda[0] = 17;
    double K[16];
    CHECK_OK(cdi_derivatives(p, &at, NULL, NULL, K));
    for (int k = 0; k < 4; k++) CHECK_NEAR(K[k], k % 3 ? 0 : 17, 1e-6);
    cdi_problem_free(p);

    user = mixed_problem();
    p = problem_open(log.ctx, &user, &at);
    TestRandom random = {4};
    point_random(p, &random, &at);
    double M[16], C[16];
    CHECK_OK(cdi_derivatives(p, &at, M, C, K));
    const double q = at.q[0], x = at.x[0], *y = at.y;
    const double Me[16] = {1 + q * q, 0, 0, 0, 0, 2, 1, 0, 0, -1, 3, 0, 0, 0, 0, 0};
    const double Ce[16] = {1, 0,         -2, -q, -x,    0, 1,  -1, //
                           0, -2 * y[1], 0,  0,  -y[0], 0, -1, 3 * x * x + 1};
    const double Ke[4] = {2 * q * at.vdot[0] + 3, -1, 0, -at.v[0]};
    for (int k = 0; k < 16; k++) {
        CHECK_BITS(M[k], Me[k]);
        CHECK_NEAR(C[k], Ce[k], 1e-6);
        CHECK_NEAR(K[k], k < 4 ? Ke[k] : 0, 1e-6);
    }
    cdi_problem_free(p);
    test_log_close(&log);
}

// K = -d(weight arm x R^T down) = -weight arm x (down x delta)
TEST(stiffness_along_directions_of_a_manifold) {
    TestLog log;
    test_log_open(&log);
    Top m;
    const CdProblem user = top_problem(&m, false);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    TestRandom random = {8};
    point_random(p, &random, &at);
    double K[9], down[3];
    CHECK_OK(cdi_derivatives(p, &at, NULL, NULL, K));
    top_down(at.q, down);
    for (int j = 0; j < 3; j++) {
        double delta[3] = {0}, a[3], b[3];
        delta[j] = 1;
        cross3(down, delta, a);
        cross3(m.arm, a, b);
        for (int i = 0; i < 3; i++) CHECK_NEAR(K[i + 3 * j], -m.weight * b[i], 1e-6);
    }
    cdi_problem_free(p);
    test_log_close(&log);
}

// F = (y0' + 2 y1' - y0 y1, y0' y0' + y1)
static CdStatus implicit_F(void *data, const CdPoint *at, double *F) {
    (void)data;
    F[0] = at->ydot[0] + 2 * at->ydot[1] - at->y[0] * at->y[1];
    F[1] = at->ydot[0] * at->ydot[0] + at->y[1];
    return CD_OK;
}

TEST(an_implicit_form_is_differentiated_both_ways) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = {.ny = 2, .implicit = implicit_F};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CHECK_TEXT(cdi_problem_kind_name(p), "implicit");
    TestRandom random = {2};
    point_random(p, &random, &at);
    double M[4], C[4], K[4];
    CHECK_OK(cdi_derivatives(p, &at, M, C, K));
    const double Me[4] = {1, 2 * at.ydot[0], 2, 0}, Ce[4] = {-at.y[1], 0, -at.y[0], 1};
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(M[k], Me[k], 1e-7);
        CHECK_NEAR(C[k], Ce[k], 1e-7);
        CHECK_BITS(K[k], 0);
    }
    cdi_problem_free(p);
    test_log_close(&log);
}

// an arrow: one full row keeps all columns apart, one full column does not
TEST(colours_are_as_many_as_the_fullest_row) {
    TestLog log;
    test_log_open(&log);
    for (int by_row = 0; by_row < 2; by_row++) {
        CdPatternBuilder b;
        CdPattern *a;
        CdiColouring colours;
        CdArena arena;
        cdi_arena_init(&arena, log.ctx, 0);
        cdi_pattern_begin(&b, log.ctx, 9, 9, false);
        cdi_pattern_add_diagonal(&b);
        for (int i = 0; i < 9; i++) cdi_pattern_add(&b, by_row ? 4 : i, by_row ? i : 4);
        CHECK_OK(cdi_pattern_end(&b, &a));
        CHECK_OK(cdi_colour(log.ctx, &arena, a, &colours));
        CHECK_INT(colours.n, by_row ? 9 : 2);
        cdi_pattern_free(a);
        cdi_arena_clear(&arena);
    }
    test_log_close(&log);
}

static CdStatus failing_rate(void *data, const CdPoint *at, double *phi) {
    phi[0] = phi[1] = 0;
    return at->y[1] > *(double *)data ? CD_RETRY : CD_OK;
}

TEST(a_callback_that_fails_in_between_is_passed_on) {
    TestLog log;
    test_log_open(&log);
    double limit = 1;
    const CdProblem user = {.data = &limit, .ny = 2, .rate = failing_rate};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.y[1] = 1;
    double C[4];
    CHECK_INT(cdi_derivatives(p, &at, NULL, C, NULL), CD_RETRY);
    limit = 2;
    CHECK_OK(cdi_derivatives(p, &at, NULL, C, NULL));
    CHECK_TEXT(log.text, "");
    cdi_problem_free(p);
    test_log_close(&log);
}

int main(void) {
    RUN(a_chain_takes_three_evaluations_per_matrix);
    RUN(given_derivatives_are_taken_unless_differences_are_asked_for);
    RUN(a_pattern_without_diagonal_is_completed);
    RUN(unit_masses_have_their_place_in_any_pattern);
    RUN(reactions_and_inertia_have_stiffness);
    RUN(stiffness_along_directions_of_a_manifold);
    RUN(an_implicit_form_is_differentiated_both_ways);
    RUN(colours_are_as_many_as_the_fullest_row);
    RUN(a_callback_that_fails_in_between_is_passed_on);
    return test_end();
}
