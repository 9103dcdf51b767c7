// test_problem.c - descriptions are checked, points laid out, evaluations and products right
#include "problem/models.h"

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

// the block of a point in its order
TEST(points_are_one_block) {
    TestLog log;
    test_log_open(&log);
    Top top;
    CdProblem user = top_problem(&top, true);
    user.ny = 2;
    user.nx = 1;
    user.rate = mixed_rate;
    user.algebra = mixed_algebra;
    CdPoint at, copy;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CHECK_INT(p->npoint, 4 + 3 + 2 + 1 + 1 + 1 + 3 + 2);
    CHECK_INT(p->nd, 6);
    CHECK_INT(p->n, 7);
    CHECK(at.v == at.q + 4 && at.y == at.v + 3 && at.x == at.y + 2 && at.lambda == at.x + 1);
    CHECK(at.mu == at.lambda + 1 && at.vdot == at.mu + 1 && at.ydot == at.vdot + 3);
    TestRandom random = {1};
    point_random(p, &random, &at);
    CHECK_OK(cdi_point_take(p, &p->arena, &copy));
    cdi_point_copy(p, &copy, &at);
    CHECK_BITS(copy.t, at.t);
    CHECK(memcmp(copy.q, at.q, p->npoint * sizeof *at.q) == 0);
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(a_residual_is_the_sum_of_its_parts) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = {.mass = 2, .length = 1.5, .gravity = 10};
    CdProblem user = pendulum_problem(&m);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.q[0] = 3;
    at.q[1] = -4;
    at.lambda[0] = 0.5;
    at.vdot[0] = 7;
    double r[4], f[2];
    CHECK_OK(cdi_residual(p, &at, r));
    CHECK_BITS(r[0], 2 * 7 + 3 * 0.5);
    CHECK_BITS(r[1], 20 - 4 * 0.5);
    CHECK_OK(cdi_force(p, &at, f));
    CHECK_BITS(f[1], -20);
    CHECK_OK(cdi_mass_mul(p, &at, at.q, f));
    CHECK_BITS(f[1], -8);
    CHECK_OK(cdi_j_mul(p, &at, (double[]){1, 2}, f));
    CHECK_BITS(f[0], -5);
    CHECK_OK(cdi_jt_mul(p, &at, at.lambda, f));
    CHECK_BITS(f[1], -2);
    CHECK_INT(p->counts.evaluations, 2);
    cdi_problem_free(p);

    user = mixed_problem();
    p = problem_open(log.ctx, &user, &at);
    at.q[0] = at.v[0] = at.x[0] = 1;
    at.y[0] = at.y[1] = 2;
    at.ydot[0] = 1;
    at.vdot[0] = 10;
    CHECK_OK(cdi_residual(p, &at, r));
    CHECK_BITS(r[0], 2 * 10 + 3 - 2 + 1);
    CHECK_BITS(r[1], 2 - 5);
    CHECK_BITS(r[2], 1 - 1);
    CHECK_BITS(r[3], 2 - 2 - 1);
    cdi_leading_mul(p, (double[]){1, 2}, f);
    CHECK_BITS(f[0], 0);
    CHECK_BITS(f[1], 7);
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(coordinates_move_on_their_manifold) {
    TestLog log;
    test_log_open(&log);
    Top top;
    const CdProblem user = top_problem(&top, false);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CHECK(!p->vector_space);
    TestRandom random = {1};
    point_random(p, &random, &at);
    double q[4], delta[3], rate[4], back[3];
    cdi_retract(p, at.q, at.v, q);
    cdi_difference(p, q, at.q, delta);
    cdi_kinematics(p, at.q, at.v, rate);
    cdi_tangent(p, at.q, rate, back);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(delta[i], at.v[i], 1e-15);
        CHECK_NEAR(back[i], at.v[i], 1e-15);
    }
    cdi_problem_free(p);

    Chain chain;
    const CdProblem flat = chain_problem(&chain, 3);
    p = problem_open(log.ctx, &flat, &at);
    CHECK(p->vector_space);
    const double a[3] = {1, 2, 3}, b[3] = {0.5, 0.25, 4};
    cdi_retract(p, a, b, q);
    CHECK_BITS(q[1], 2.25);
    cdi_difference(p, a, b, q);
    CHECK_BITS(q[2], -1);
    cdi_kinematics(p, a, b, q);
    CHECK_BITS(q[2], 4);
    cdi_tangent(p, a, b, q);
    CHECK_BITS(q[0], 0.5);
    cdi_normalise(p, q);
    CHECK_BITS(q[0], 0.5);
    cdi_problem_free(p);
    test_log_close(&log);
}

// ---- mistakes

static void refused(const CdProblem *user, const char *text) {
    TestLog log;
    CdiProblem *p;
    test_log_open(&log);
    CHECK_INT(cdi_problem_new(log.ctx, user, NULL, &p), CD_INVALID);
    CHECK(p == NULL);
    CHECK_TEXT(log.text, text);
    test_log_close(&log);
}

TEST(sizes_that_make_no_sense_are_refused) {
    refused(&(CdProblem){.name = "empty"}, "problem 'empty': has no unknowns; give nv or ny\n");
    refused(&(CdProblem){.ny = -1, .nz = -2},
            "problem 'problem': ny is -1; sizes are 0 or positive\n"
            "problem 'problem': nz is -2; sizes are 0 or positive\n");
    refused(&(CdProblem){.ny = 2000000000, .rate = vdp_rate},
            "problem 'problem': 2000000000 unknowns are too many\n");
    refused(&(CdProblem){.nv = 50000, .force = mixed_force, .mass = mixed_mass},
            "problem 'problem': a full mass matrix of 50000 x 50000 is too large; give its "
            "sparsity\n");
    refused(&(CdProblem){.nv = 3, .nq = 2, .force = mixed_force},
            "problem 'problem': nq = 2 is less than nv = 3; there are at least as many coordinates "
            "as directions\n");
    refused(&(CdProblem){.ny = 1, .nq = 2, .ng = 1, .rate = vdp_rate},
            "problem 'problem': nq without nv; coordinates need velocities\n"
            "problem 'problem': constraints (ng, nn) need nv > 0\n");
}

TEST(groups_are_numbers_of_their_own_kind) {
    const int v[2] = {0, 2}, c[1] = {-1};
    const CdProblem user = {.nv = 2, .ng = 1, .v_groups = v, .constraint_groups = c};
    refused(&user, "problem 'problem': v_groups[1] is 2, not a number from 0 to 1\n"
                   "problem 'problem': constraint_groups[0] is -1, not a number from 0 to 0\n");
    refused(&(CdProblem){.nv = 2, .ng = 1, .v_groups = (int[]){0, 0}},
            "problem 'problem': v_groups without constraint_groups; give both or none\n");
    refused(&(CdProblem){.nv = 2, .ng = 1, .constraint_groups = (int[]){0}},
            "problem 'problem': constraint_groups without v_groups; give both or none\n");
}

TEST(missing_and_useless_callbacks_are_all_told) {
    refused(&(CdProblem){.name = "bare", .nv = 1, .ny = 1, .nx = 1, .ng = 1, .nn = 1, .nz = 1},
            "problem 'bare': ny > 0 needs 'rate'\n"
            "problem 'bare': nx > 0 needs 'algebra'\n"
            "problem 'bare': nv > 0 needs 'force'\n"
            "problem 'bare': ng > 0 needs 'constraint'\n"
            "problem 'bare': nn > 0 needs 'constraint_jacobian'\n"
            "problem 'bare': nz > 0 needs 'events'\n");
    refused(&(CdProblem){.name = "rich",
                         .ny = 1,
                         .rate = vdp_rate,
                         .algebra = mixed_algebra,
                         .force = mixed_force,
                         .mass = mixed_mass,
                         .constraint = pendulum_g,
                         .constraint_jacobian = pendulum_j,
                         .velocity_terms = pendulum_gt,
                         .acceleration_terms = pendulum_gamma},
            "problem 'rich': 'algebra' is useless with nx = 0\n"
            "problem 'rich': 'force' is useless with nv = 0\n"
            "problem 'rich': 'mass' is useless with nv = 0\n"
            "problem 'rich': 'constraint' is useless with ng = 0\n"
            "problem 'rich': 'constraint_jacobian' is useless with ng + nn = 0\n"
            "problem 'rich': 'velocity_terms' is useless with ng + nn = 0\n"
            "problem 'rich': 'acceleration_terms' is useless with ng + nn = 0\n");
    refused(&(CdProblem){.name = "both",
                         .nv = 1,
                         .force = mixed_force,
                         .ny = 1,
                         .rate = vdp_rate,
                         .implicit = vdp_rate,
                         .leading = mixed_B},
            "problem 'both': both 'rate' and 'implicit' are given; only one can be\n"
            "problem 'both': 'implicit' stands alone; nv and nx must be 0\n"
            "problem 'both': 'leading' is useless with 'implicit'\n");
    refused(&(CdProblem){.name = "round", .nv = 3, .nq = 4, .force = top_force},
            "problem 'round': nq > nv needs 'kinematics'\n"
            "problem 'round': nq > nv needs 'tangent'\n"
            "problem 'round': nq > nv needs 'retract'\n"
            "problem 'round': nq > nv needs 'difference'\n");
    refused(&(CdProblem){.name = "half", .nv = 1, .force = mixed_force, .retract = top_retract},
            "problem 'half': a manifold needs 'kinematics'\n"
            "problem 'half': a manifold needs 'tangent'\n"
            "problem 'half': a manifold needs 'difference'\n");
    Top top;
    CdProblem turned = top_problem(&top, false);
    turned.rotations = (int[]){1};
    refused(&turned,
            "problem 'top': rotations[0] is 1; rotations are three of 3 velocities each and "
            "follow each other\n");
    turned.nrotations = 2;
    turned.rotations = (int[]){0, 0};
    refused(&turned,
            "problem 'top': rotations[1] is 0; rotations are three of 3 velocities each and "
            "follow each other\n");
    turned.rotations = NULL;
    refused(&turned, "problem 'top': nrotations > 0 needs 'retract' and 'rotations'\n");
    turned.nrotations = -1;
    refused(&turned, "problem 'top': nrotations is -1; sizes are 0 or positive\n");
}

static CdStatus next_time(void *data, double t, double *next) {
    (void)data;
    *next = t + 1;
    return CD_OK;
}

static CdStatus own_solve(void *data, void *lin, double *b, int nrhs, bool transposed) {
    (void)data, (void)lin, (void)b, (void)nrhs, (void)transposed;
    return CD_OK;
}

TEST(wrong_numbers_are_all_told) {
    const int index[2] = {1, 4};
    const double weight[2] = {-1, NAN};
    refused(
        &(CdProblem){.name = "odd",
                     .ny = 2,
                     .np = 1,
                     .nu = 1,
                     .discrete_size = 8,
                     .rate = vdp_rate,
                     .index = index,
                     .weight = weight,
                     .next_time = next_time,
                     .lin_solve = own_solve},
        "problem 'odd': index of y[1] is 4; it can be 1, 2 or 3\n"
        "problem 'odd': 'next_time' needs 'handle_event'\n"
        "problem 'odd': discrete_size > 0 needs 'save' and 'load'\n"
        "problem 'odd': np > 0 needs 'p'\n"
        "problem 'odd': nu > 0 needs 'u'\n"
        "problem 'odd': weight 0 is -1; weights are 0 or positive\n"
        "problem 'odd': weight 1 is nan; weights are 0 or positive\n"
        "problem 'odd': own linear algebra is all of lin_new, lin_setup, lin_solve, lin_free\n");
}

static void sparse_refused(const int *ptr, const int *row, const char *text) {
    refused(&(CdProblem){.ny = 2, .rate = vdp_rate, .sparsity = {.ptr = ptr, .row = row}}, text);
}

TEST(patterns_that_make_no_sense_are_refused) {
    sparse_refused((int[]){1, 2, 3}, (int[]){0, 0, 1},
                   "problem 'problem': derivative sparsity: ptr[0] is 1; it must be 0\n");
    sparse_refused((int[]){0, 2, 1}, (int[]){0, 1},
                   "problem 'problem': derivative sparsity: ptr[2] = 1 is less than ptr[1] = 2\n");
    sparse_refused(
        (int[]){0, 1, 2}, (int[]){0, 2},
        "problem 'problem': derivative sparsity: column 1 has row 2; rows are 0 ... 1\n");
    sparse_refused(
        (int[]){0, 2, 2}, (int[]){1, 0},
        "problem 'problem': derivative sparsity: rows of column 0 do not ascend (0 after "
        "1)\n");
    sparse_refused(
        (int[]){0, 2, 2}, (int[]){1, 1},
        "problem 'problem': derivative sparsity: rows of column 0 do not ascend (1 after "
        "1)\n");
    Pendulum m = {.mass = 1};
    CdProblem user = pendulum_problem(&m);
    user.constraint_sparsity = (CdSparsity){.ptr = (int[]){0, 1, 2}, .row = (int[]){0, 1}};
    refused(&user, "problem 'pendulum': constraint sparsity: column 1 has row 1; rows are 0 ... "
                   "0\n");
    user = mixed_problem();
    user.leading_sparsity = (CdSparsity){.ptr = (int[]){0, 1, 2}, .row = (int[]){0, -1}};
    refused(&user, "problem 'mixed': leading sparsity: column 1 has row -1; rows are 0 ... 1\n");
    user = pendulum_problem(&m);
    user.mass_sparsity = (CdSparsity){.ptr = (int[]){0, 1, 2}, .row = (int[]){0, 2}};
    refused(&user, "problem 'pendulum': mass sparsity: column 1 has row 2; rows are 0 ... 1\n");
    user.mass = NULL;
    refused(&user, "problem 'pendulum': 'mass_sparsity' is useless without 'mass'\n");
    user.mass = pendulum_mass;
    user.mass_sparsity.row = (int[]){0, 1};
    user.sparsity = (CdSparsity){.ptr = (int[]){0, 2, 3}, .row = (int[]){0, 1, 0}};
    refused(&user, "problem 'pendulum': mass sparsity: the derivative sparsity lacks row 1 of "
                   "column 1\n");
}

TEST(a_large_problem_needs_a_pattern_for_its_operator_only) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = {.name = "large", .ny = 50000, .rate = vdp_rate};
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    CdiLin *lin;
    CHECK(cd_context_memory(log.ctx).live_bytes < 10 * 50000 * sizeof(double));
    CHECK_INT(cdi_lin_new(p, false, &lin), CD_INVALID);
    CHECK_TEXT(log.text, "problem 'large': a full derivative of 50000 x 50000 is too large; give "
                         "its sparsity\n");
    cdi_problem_free(p);
    test_log_close(&log);
}

int main(void) {
    RUN(an_ode_is_evaluated_and_counted);
    RUN(points_are_one_block);
    RUN(a_residual_is_the_sum_of_its_parts);
    RUN(coordinates_move_on_their_manifold);
    RUN(sizes_that_make_no_sense_are_refused);
    RUN(groups_are_numbers_of_their_own_kind);
    RUN(missing_and_useless_callbacks_are_all_told);
    RUN(wrong_numbers_are_all_told);
    RUN(patterns_that_make_no_sense_are_refused);
    RUN(a_large_problem_needs_a_pattern_for_its_operator_only);
    return test_end();
}
