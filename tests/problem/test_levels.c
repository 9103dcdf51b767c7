// test_levels.c - constraints at all levels, given or by differences, against known motions
#include "problem/models.h"

// what the user gives, as bits
enum { J = 1, VELOCITY = 2, ACCELERATION = 4, NGIVEN = 8 };

static CdProblem given(Pendulum *m, int bits) {
    CdProblem user = pendulum_problem(m);
    if (!(bits & J)) user.constraint_jacobian = NULL;
    if (!(bits & VELOCITY)) user.velocity_terms = NULL;
    if (!(bits & ACCELERATION)) user.acceleration_terms = NULL;
    return user;
}

TEST(an_exact_motion_meets_all_levels) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = PENDULUM;
    for (int bits = 0; bits < NGIVEN; bits++) {
        const CdProblem user = given(&m, bits);
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &user, &at);
        const double velocity = (bits & J) && (bits & VELOCITY) ? 1e-15 : 1e-11;
        // second differences in time and differences of differences lose more digits
        const double second = (bits & J) && (bits & VELOCITY) ? 1e-11 : bits & J ? 2e-9 : 2e-8;
        const double gamma = bits & ACCELERATION ? 1e-11 : second;
        for (double t = 0; t < 3; t += 0.37) {
            double c[3];
            pendulum_motion(&m, t, &at);
            CHECK_OK(cdi_constraint(p, &at, &c[0]));
            CHECK_OK(cdi_velocity_residual(p, &at, &c[1]));
            CHECK_OK(cdi_acceleration_residual(p, &at, &c[2]));
            CHECK_NEAR(c[0], 0, 1e-15);
            CHECK_NEAR(c[1], 0, velocity);
            CHECK_NEAR(c[2], 0, gamma);
            double same[3];
            for (int level = CD_POSITION; level <= CD_ACCELERATION; level++) {
                CHECK_OK(cdi_level_residual(p, &at, (CdConstraintLevel)level, &same[level]));
                CHECK_BITS(same[level], c[level]);
            }
        }
        cdi_problem_free(p);
    }
    test_log_close(&log);
}

// fast and far, where steps must follow
TEST(gamma_by_differences_is_as_good_at_any_speed) {
    TestLog log;
    test_log_open(&log);
    for (double speed = 1e-3; speed < 1e4; speed *= 100) {
        Pendulum m = {.mass = 1, .length = 1.5};
        const CdProblem user = given(&m, J);
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &user, &at);
        at.t = 1e5;
        at.q[0] = 0.9;
        at.q[1] = -1.2;
        at.v[0] = 0.8 * speed;
        at.v[1] = 0.6 * speed;
        double gamma;
        CHECK_OK(cdi_gamma(p, &at, &gamma));
        CHECK_NEAR(gamma, speed * speed, 1e-11 * speed * fmax(speed, 1));
        cdi_problem_free(p);
    }
    test_log_close(&log);
}

TEST(constraints_without_time_get_exact_zeros) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = {.mass = 1, .length = 1.5, .a = 0, .w = 1};
    const CdProblem user = given(&m, J);
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    at.t = 0.3;
    at.q[0] = 0.1;
    at.q[1] = 0.7;
    double c;
    CHECK_OK(cdi_velocity_residual(p, &at, &c));
    CHECK_BITS(c, 0);
    CHECK_OK(cdi_gamma(p, &at, &c));
    CHECK_BITS(c, 0);
    cdi_problem_free(p);
    test_log_close(&log);
}

// d/dt (n x sin - n y cos) with the angle turning
TEST(a_knife_edge_has_its_gamma_and_derivatives) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = sleigh_problem();
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    TestRandom random = {3};
    for (int n = 0; n < 10; n++) {
        point_random(p, &random, &at);
        const double c = cos(at.q[2]), s = sin(at.q[2]), *v = at.v, *a = at.vdot, w = v[2];
        double gamma, Cv[3], Cq[3], zero[3];
        CHECK_OK(cdi_gamma(p, &at, &gamma));
        CHECK_NEAR(gamma, w * (c * v[0] + s * v[1]), 1e-11);
        // at position level N is at velocity level all the same
        for (int level = CD_POSITION; level <= CD_VELOCITY; level++) {
            CHECK_OK(cdi_level_derivatives(p, &at, (CdConstraintLevel)level, Cv, Cq));
            CHECK_NEAR(Cq[2], c * v[0] + s * v[1], 1e-8);
            for (int i = 0; i < 2; i++) CHECK_NEAR(Cq[i], 0, 0);
            for (int i = 0; i < 3; i++) CHECK_BITS(Cv[i], 0);
        }
        CHECK_OK(cdi_level_derivatives(p, &at, CD_ACCELERATION, Cv, Cq));
        CHECK_NEAR(Cv[0], w * c, 1e-8);
        CHECK_NEAR(Cv[1], w * s, 1e-8);
        CHECK_NEAR(Cv[2], c * v[0] + s * v[1], 1e-8);
        CHECK_NEAR(Cq[2], c * a[0] + s * a[1] + w * (c * v[1] - s * v[0]), 1e-7);
        // one of the two may be unwanted
        CHECK_OK(cdi_level_derivatives(p, &at, CD_ACCELERATION, NULL, zero));
        for (int i = 0; i < 3; i++) CHECK_BITS(zero[i], Cq[i]);
        double out[3];
        CHECK_OK(cdi_jt_mul(p, &at, (double[]){2}, out));
        CHECK_BITS(out[0], 2 * s);
    }
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(at_position_level_only_rows_of_N_depend_on_more_than_J) {
    TestLog log;
    test_log_open(&log);
    const CdProblem user = track_problem();
    CdPoint at;
    CdiProblem *p = problem_open(log.ctx, &user, &at);
    TestRandom random = {31};
    point_random(p, &random, &at);
    double Cq[6], c[2], g, velocity[2];
    CHECK_OK(cdi_level_derivatives(p, &at, CD_POSITION, NULL, Cq));
    for (int j = 0; j < 3; j++) CHECK_BITS(Cq[2 * j], 0);
    CHECK_NEAR(Cq[5], cos(at.q[2]) * at.v[0] + sin(at.q[2]) * at.v[1], 1e-8);
    CHECK_OK(cdi_level_derivatives(p, &at, CD_VELOCITY, NULL, Cq));
    for (int j = 0; j < 2; j++) CHECK_NEAR(Cq[2 * j], at.v[j], 1e-8);
    CHECK_OK(cdi_level_residual(p, &at, CD_POSITION, c));
    CHECK_OK(cdi_constraint(p, &at, &g));
    CHECK_OK(cdi_velocity_residual(p, &at, velocity));
    CHECK_BITS(c[0], g);
    CHECK_BITS(c[1], velocity[1]);
    cdi_problem_free(p);
    test_log_close(&log);
}

TEST(levels_of_a_moving_constraint_have_their_derivatives) {
    TestLog log;
    test_log_open(&log);
    Pendulum m = PENDULUM;
    for (int bits = J; bits < NGIVEN; bits++) {
        const CdProblem user = given(&m, bits);
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &user, &at);
        pendulum_motion(&m, 0.8, &at);
        const double vx = at.v[0] - support(&m, at.t, 1), vy = at.v[1];
        const double tol = bits & ACCELERATION ? 1e-9 : 2e-4;
        double Cv[2], Cq[2];
        CHECK_OK(cdi_level_derivatives(p, &at, CD_POSITION, Cv, Cq));
        CHECK_BITS(Cq[0], 0);
        CHECK_OK(cdi_level_derivatives(p, &at, CD_VELOCITY, Cv, Cq));
        CHECK_NEAR(Cq[0], vx, 1e-7);
        CHECK_NEAR(Cq[1], vy, 1e-7);
        CHECK_OK(cdi_level_derivatives(p, &at, CD_ACCELERATION, Cv, Cq));
        CHECK_NEAR(Cv[0], 2 * vx, tol);
        CHECK_NEAR(Cv[1], 2 * vy, tol);
        CHECK_NEAR(Cq[0], at.vdot[0] - support(&m, at.t, 2), tol);
        CHECK_NEAR(Cq[1], at.vdot[1], tol);
        cdi_problem_free(p);
    }
    test_log_close(&log);
}

// e_z . R (w x (w x arm)), on the manifold of rotations
TEST(gamma_on_a_manifold) {
    TestLog log;
    test_log_open(&log);
    Top m;
    for (int with_j = 0; with_j < 2; with_j++) {
        CdProblem user = top_problem(&m, true);
        if (!with_j) user.constraint_jacobian = NULL;
        CdPoint at;
        CdiProblem *p = problem_open(log.ctx, &user, &at);
        TestRandom random = {9};
        for (int n = 0; n < 10; n++) {
            const double speed = n % 2 ? 1 : 1000;
            point_random(p, &random, &at);
            for (int i = 0; i < 3; i++) at.v[i] *= speed;
            double a[3], b[3], c[3], gamma, jac[3], exact[3];
            cross3(at.v, m.arm, a);
            cross3(at.v, a, b);
            quat_rotate(at.q, b, c);
            CHECK_OK(cdi_gamma(p, &at, &gamma));
            CHECK_NEAR(gamma, c[2], (with_j ? 1e-11 : 1e-7) * speed * speed);
            CHECK_OK(cdi_jacobian(p, &at, jac));
            CHECK_OK(top_j(&m, &at, exact));
            for (int i = 0; i < 3; i++) CHECK_NEAR(jac[i], exact[i], with_j ? 0 : 1e-11);
        }
        cdi_problem_free(p);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(an_exact_motion_meets_all_levels);
    RUN(gamma_by_differences_is_as_good_at_any_speed);
    RUN(constraints_without_time_get_exact_zeros);
    RUN(a_knife_edge_has_its_gamma_and_derivatives);
    RUN(at_position_level_only_rows_of_N_depend_on_more_than_J);
    RUN(levels_of_a_moving_constraint_have_their_derivatives);
    RUN(gamma_on_a_manifold);
    return test_end();
}
