// test_symplectic.c - symplectic Euler and Verlet: orders, conservation, manifolds, refusals
#include <math.h>
#include <string.h>

#include "integrators/symplectic.h"
#include "test.h"

static TestLog tlog;

static const char *const names[] = {"symplectic-euler", "verlet"};

static CdIntegrator *begin(const CdProblem *problem, const char *name, double h,
                           const CdPoint *at) {
    char method[100];
    CdIntegrator *it;
    snprintf(method, sizeof method, "%s(step=%.17g)", name, h);
    if (!CHECK_OK(cd_integrator_new(tlog.ctx, problem, method, &it))) return NULL;
    CHECK_OK(cd_integrator_start(it, at));
    return it;
}

// ---- order

// a damped oscillator of mass 2 that warms what it moves in:
//   2 v' = -8 q - c v + cos t,  y' = c v^2
typedef struct Oscillator {
    double c;
    int count;
} Oscillator;

static CdStatus oscillator_force(void *data, const CdPoint *at, double *f) {
    Oscillator *o = data;
    o->count++;
    f[0] = -8 * at->q[0] - o->c * at->v[0] + cos(at->t);
    return CD_OK;
}

static CdStatus oscillator_mass(void *data, const CdPoint *at, double *M) {
    (void)data;
    (void)at;
    M[0] = 2;
    return CD_OK;
}

static CdStatus oscillator_rate(void *data, const CdPoint *at, double *dy) {
    const Oscillator *o = data;
    dy[0] = o->c * at->v[0] * at->v[0];
    return CD_OK;
}

static CdProblem oscillator(Oscillator *o) {
    return (CdProblem){.name = "oscillator",
                       .data = o,
                       .nv = 1,
                       .ny = 1,
                       .force = oscillator_force,
                       .mass = oscillator_mass,
                       .mass_constant = true,
                       .rate = oscillator_rate};
}

static void oscillator_end(const char *name, double c, int steps, double end[3]) {
    Oscillator o = {.c = c};
    const CdProblem problem = oscillator(&o);
    CdIntegrator *it =
        begin(&problem, name, 3. / steps, &(CdPoint){.q = (double[]){1}, .v = (double[]){0.5}});
    if (!it) return;
    o.count = 0;
    CHECK_OK(cd_integrator_run(it, 3, NULL));
    CHECK_INT(cd_integrator_statistics(it)->steps, steps);
    CHECK_INT(o.count, steps); // one evaluation per step
    CHECK_BITS(it->now.t, 3);
    const CdPoint *at = cd_integrator_now(it);
    end[0] = at->q[0];
    end[1] = at->v[0];
    end[2] = at->y[0];
    cd_integrator_free(it);
}

// of free oscillations the solution is known; with damping dop853 finds it
static void oscillator_solution(double c, double end[3]) {
    Oscillator o = {.c = c};
    const CdProblem problem = oscillator(&o);
    CdIntegrator *it;
    CHECK_OK(cd_integrator_new(tlog.ctx, &problem, "dop853(rtol=1e-13, atol=1e-13)", &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = (double[]){1}, .v = (double[]){0.5}}));
    CHECK_OK(cd_integrator_run(it, 3, NULL));
    end[0] = cd_integrator_now(it)->q[0];
    end[1] = cd_integrator_now(it)->v[0];
    end[2] = cd_integrator_now(it)->y[0];
    cd_integrator_free(it);
    if (c != 0) return;
    // q = A cos 2t + B sin 2t + cos(t)/6
    const double A = 1 - 1. / 6, B = 0.25;
    CHECK_NEAR(end[0], A * cos(6) + B * sin(6) + cos(3) / 6, 1e-11);
}

static double oscillator_error(const char *name, double c, int steps) {
    double end[3] = {NAN}, exact[3], error = 0;
    oscillator_end(name, c, steps, end);
    oscillator_solution(c, exact);
    for (int i = 0; i < 3; i++) error = fmax(error, fabs(end[i] - exact[i]));
    return error;
}

TEST(orders_are_1_and_2_with_and_without_damping) {
    test_log_open(&tlog);
    for (int k = 0; k < 2; k++) {
        for (int damped = 0; damped < 2; damped++) {
            const double coarse = oscillator_error(names[k], damped, 400);
            const double fine = oscillator_error(names[k], damped, 800);
            printf("    %s%s: order %.2f, error %.1e\n", names[k], damped ? ", damped" : "",
                   log2(coarse / fine), fine);
            CHECK_NEAR(log2(coarse / fine), 1 + k, 0.05);
        }
    }
    CHECK_TEXT(tlog.text, "");
    test_log_close(&tlog);
}

// ---- Kepler's problem, eccentricity 0.6

static CdStatus kepler_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double r2 = at->q[0] * at->q[0] + at->q[1] * at->q[1], r3 = r2 * sqrt(r2);
    f[0] = -at->q[0] / r3;
    f[1] = -at->q[1] / r3;
    return CD_OK;
}

static const CdProblem kepler = {.name = "kepler", .nv = 2, .force = kepler_force};

static CdIntegrator *begin_kepler(const char *name, double h) {
    const double e = 0.6;
    return begin(
        &kepler, name, h,
        &(CdPoint){.q = (double[]){1 - e, 0}, .v = (double[]){0, sqrt((1 + e) / (1 - e))}});
}

static double energy(const CdPoint *at) {
    return (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2 - 1 / hypot(at->q[0], at->q[1]);
}

static double momentum(const CdPoint *at) {
    return at->q[0] * at->v[1] - at->q[1] * at->v[0];
}

typedef struct Drift {
    double first, last; // largest error of energy in the first and the last tenth
    double momentum;    // largest error
} Drift;

static Drift kepler_drift(const char *name, double h, int steps) {
    Drift d = {0};
    CdIntegrator *it = begin_kepler(name, h);
    if (!it) return d;
    const double e0 = energy(&it->now), m0 = momentum(&it->now);
    for (int i = 0; i < steps; i++) {
        if (cd_integrator_step(it, 1e9) != CD_OK) break;
        const double error = fabs(energy(&it->now) - e0);
        if (i < steps / 10) d.first = fmax(d.first, error);
        if (i >= steps - steps / 10) d.last = fmax(d.last, error);
        d.momentum = fmax(d.momentum, fabs(momentum(&it->now) - m0));
    }
    CHECK_INT(cd_integrator_statistics(it)->steps, steps);
    CHECK_INT(cd_integrator_statistics(it)->allocations, 0);
    cd_integrator_free(it);
    return d;
}

TEST(energy_does_not_drift_in_a_million_steps) {
    const double h = 0.02; // 314 steps for an orbit
    test_log_open(&tlog);
    for (int k = 0; k < 2; k++) {
        const Drift d = kepler_drift(names[k], h, 1000000);
        printf("    %s: energy error %.3e in the first tenth, %.3e in the last; momentum %.1e\n",
               names[k], d.first, d.last, d.momentum);
        CHECK(d.first > 1e-4 && d.first < (k ? 0.01 : 0.2));
        CHECK(d.last < 1.02 * d.first);
        CHECK(d.momentum < 1e-11);
    }
    // a method of higher order that is not symplectic loses energy all the time
    const Drift rk4 = kepler_drift("rk4", h, 100000);
    printf("    rk4: energy error %.3e in the first tenth, %.3e in the last; momentum %.1e\n",
           rk4.first, rk4.last, rk4.momentum);
    CHECK(rk4.last > 5 * rk4.first);
    CHECK(rk4.momentum > 1e-6);
    test_log_close(&tlog);
}

TEST(verlet_runs_back_to_where_it_came_from) {
    test_log_open(&tlog);
    CdIntegrator *it = begin_kepler("verlet", 0.01);
    CHECK_OK(cd_integrator_run(it, 20, NULL));
    const CdPoint *now = cd_integrator_now(it);
    double q[2] = {now->q[0], now->q[1]}, v[2] = {-now->v[0], -now->v[1]};
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = q, .v = v}));
    CHECK_OK(cd_integrator_run(it, 20, NULL));
    CHECK_NEAR(it->now.q[0], 0.4, 1e-10);
    CHECK_NEAR(it->now.q[1], 0, 1e-10);
    CHECK_NEAR(it->now.v[1], -2, 1e-10);
    cd_integrator_free(it);
    test_log_close(&tlog);
}

// ---- inside a step

// within one step of h from 1, against small steps of the same method's limit
static double dense_error(const char *name, double h, bool *ends) {
    CdIntegrator *it = begin_kepler(name, h), *exact;
    if (!it) return NAN;
    const double e = 0.6;
    CHECK_OK(cd_integrator_new(tlog.ctx, &kepler, "dop853(rtol=1e-13, atol=1e-13)", &exact));
    CHECK_OK(cd_integrator_start(
        exact, &(CdPoint){.q = (double[]){1 - e, 0}, .v = (double[]){0, sqrt((1 + e) / (1 - e))}}));
    CHECK_OK(cd_integrator_step(it, 1));
    const CdPoint *at;
    double error = 0;
    for (int i = 1; i < 10; i++) {
        CHECK_OK(cd_integrator_run(exact, 0.1 * i * h, NULL));
        CHECK_OK(cd_integrator_at(it, 0.1 * i * h, &at));
        for (int j = 0; j < 2; j++) {
            error = fmax(error, fabs(at->q[j] - exact->now.q[j]));
            error = fmax(error, fabs(at->v[j] - exact->now.v[j]));
        }
    }
    CHECK_OK(cd_integrator_at(it, nextafter(h, 0), &at));
    *ends = true;
    for (int j = 0; j < 2; j++) {
        *ends &= fabs(at->q[j] - it->now.q[j]) < 1e-15 && fabs(at->v[j] - it->now.v[j]) < 1e-14;
    }
    CHECK_OK(cd_integrator_at(it, 0, &at));
    *ends &= at->q[0] == 0.4 && at->q[1] == 0 && at->v[0] == 0 && at->v[1] == 2;
    cd_integrator_free(it);
    cd_integrator_free(exact);
    return error;
}

TEST(dense_output_has_the_order_of_the_step) {
    test_log_open(&tlog);
    for (int k = 0; k < 2; k++) {
        bool ends;
        const double coarse = dense_error(names[k], 0.01, &ends);
        CHECK(ends);
        const double fine = dense_error(names[k], 0.005, &ends);
        CHECK(ends);
        CHECK_NEAR(log2(coarse / fine), 2 + k, 0.2);
    }
    test_log_close(&tlog);
}

// ---- rotations: a free body, q = quat_wxyz, J w' = J w x w

static const double inertia[3] = {1, 2, 3.5};

static CdStatus top_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    const double *w = at->v;
    f[0] = (inertia[1] - inertia[2]) * w[1] * w[2];
    f[1] = (inertia[2] - inertia[0]) * w[2] * w[0];
    f[2] = (inertia[0] - inertia[1]) * w[0] * w[1];
    return CD_OK;
}

static CdStatus top_mass(void *data, const CdPoint *at, double *M) {
    (void)data;
    (void)at;
    memset(M, 0, 9 * sizeof *M);
    for (int i = 0; i < 3; i++) M[4 * i] = inertia[i];
    return CD_OK;
}

static void product(const double a[4], const double b[4], double out[4]) {
    const double r[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                         a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                         a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                         a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, r, sizeof r);
}

static void top_kinematics(void *data, const double *q, const double *w, double *qdot) {
    (void)data;
    product(q, (double[]){0, w[0] / 2, w[1] / 2, w[2] / 2}, qdot);
}

static void top_tangent(void *data, const double *q, const double *dq, double *delta) {
    (void)data;
    double r[4];
    product((double[]){q[0], -q[1], -q[2], -q[3]}, dq, r);
    for (int i = 0; i < 3; i++) delta[i] = 2 * r[i + 1];
}

static void top_retract(void *data, const double *q, const double *d, double *out) {
    (void)data;
    const double angle = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double s = angle > 0 ? sin(angle / 2) / angle : 0.5;
    product(q, (double[]){cos(angle / 2), s * d[0], s * d[1], s * d[2]}, out);
}

static void top_difference(void *data, const double *q1, const double *q0, double *delta) {
    (void)data;
    double r[4];
    product((double[]){q0[0], -q0[1], -q0[2], -q0[3]}, q1, r);
    const double s = sqrt(r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    const double scale = s > 0 ? 2 * atan2(s, r[0]) / s : 2;
    for (int i = 0; i < 3; i++) delta[i] = scale * r[i + 1];
}

static void top_normalise(void *data, double *q) {
    (void)data;
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= size;
}

static const CdProblem top = {.name = "top",
                              .nq = 4,
                              .nv = 3,
                              .force = top_force,
                              .mass = top_mass,
                              .mass_constant = true,
                              .kinematics = top_kinematics,
                              .tangent = top_tangent,
                              .retract = top_retract,
                              .difference = top_difference,
                              .normalise = top_normalise};

static const CdPoint top_start = {.q = (double[]){1, 0, 0, 0}, .v = (double[]){1, 0.2, -0.5}};

// at t = 2; the sign of a quaternion does not matter here, both begin with 1
static double top_error(const char *name, int steps, const CdPoint *exact) {
    CdIntegrator *it = begin(&top, name, 2. / steps, &top_start);
    if (!it) return NAN;
    CHECK_OK(cd_integrator_run(it, 2, NULL));
    const CdPoint *at = cd_integrator_now(it);
    double error = 0, size = 0;
    for (int i = 0; i < 4; i++) error = fmax(error, fabs(at->q[i] - exact->q[i]));
    for (int i = 0; i < 3; i++) error = fmax(error, fabs(at->v[i] - exact->v[i]));
    for (int i = 0; i < 4; i++) size += at->q[i] * at->q[i];
    CHECK_NEAR(size, 1, 1e-14);
    cd_integrator_free(it);
    return error;
}

TEST(rotations_follow_their_manifold) {
    test_log_open(&tlog);
    CdIntegrator *exact;
    CHECK_OK(cd_integrator_new(tlog.ctx, &top, "dop853(rtol=1e-13, atol=1e-13)", &exact));
    CHECK_OK(cd_integrator_start(exact, &top_start));
    CHECK_OK(cd_integrator_run(exact, 2, NULL));
    for (int k = 0; k < 2; k++) {
        const double coarse = top_error(names[k], 200, &exact->now);
        const double fine = top_error(names[k], 400, &exact->now);
        printf("    %s on rotations: order %.2f, error %.1e\n", names[k], log2(coarse / fine),
               fine);
        CHECK_NEAR(log2(coarse / fine), 1 + k, 0.1);
    }
    // inside a step
    CdIntegrator *it = begin(&top, "verlet", 0.05, &top_start);
    CHECK_OK(cd_integrator_step(it, 1));
    CHECK_OK(cd_integrator_start(exact, &top_start));
    CHECK_OK(cd_integrator_run(exact, 0.02, NULL));
    const CdPoint *at;
    CHECK_OK(cd_integrator_at(it, 0.02, &at));
    for (int i = 0; i < 4; i++) CHECK_NEAR(at->q[i], exact->now.q[i], 2e-5);
    const CdPoint *other = cd_integrator_now(exact);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(at->v[i], other->v[i], 2e-5);
        CHECK_NEAR(at->vdot[i], other->vdot[i], 1e-3);
    }
    // rounding errors do not add up
    CHECK_OK(cd_integrator_run(it, 1000, NULL));
    double size = 0;
    for (int i = 0; i < 4; i++) size += it->now.q[i] * it->now.q[i];
    CHECK_NEAR(size, 1, 5e-16);
    cd_integrator_free(it);
    cd_integrator_free(exact);
    test_log_close(&tlog);
}

// ---- refusals and failures

static CdStatus anything(void *data, const CdPoint *at, double *out) {
    (void)data;
    (void)at;
    out[0] = 0;
    return CD_OK;
}

static void check_refused(const CdProblem *problem, const char *method, const char *text) {
    CdIntegrator *it;
    test_log_open(&tlog);
    CHECK_INT(cd_integrator_new(tlog.ctx, problem, method, &it), CD_INVALID);
    CHECK(it == NULL);
    CHECK_TEXT(tlog.text, text);
    test_log_close(&tlog);
}

TEST(what_they_cannot_take_is_refused) {
    const CdProblem ode = {.name = "ode", .ny = 1, .rate = anything};
    const CdProblem held = {.name = "held",
                            .nv = 1,
                            .ng = 1,
                            .force = anything,
                            .constraint = anything,
                            .constraint_jacobian = anything};
    const CdProblem algebraic = {
        .name = "algebraic", .nv = 1, .nx = 1, .force = anything, .algebra = anything};
    check_refused(&ode, "verlet(step=1)",
                  "method 'verlet': problem 'ode' has no velocities to kick; use rk4 or dopri5\n");
    check_refused(&held, "verlet(step=1)",
                  "method 'verlet': problem 'held' has constraints, which it does not take; use "
                  "gen-alpha\n");
    check_refused(&algebraic, "symplectic-euler(step=1)",
                  "method 'symplectic-euler': problem 'algebraic' has algebraic unknowns, which it "
                  "does not take; use radau5\n");
}

// f = sqrt(q), which ends at q = 0
static CdStatus edge_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -sqrt(at->q[0]);
    return CD_OK;
}

TEST(a_step_that_is_not_finite_ends_the_run) {
    const CdProblem edge = {.name = "edge", .nv = 1, .force = edge_force};
    test_log_open(&tlog);
    for (int k = 0; k < 2; k++) {
        CdIntegrator *it =
            begin(&edge, names[k], 0.1, &(CdPoint){.q = (double[]){1}, .v = (double[]){-1}});
        CHECK_INT(cd_integrator_run(it, 2, NULL), CD_NONFINITE);
        CHECK(it->now.q[0] > 0 && it->now.q[0] < 0.2);
        CHECK(isfinite(it->now.v[0]) && isfinite(it->now.vdot[0]));
        CHECK(strstr(tlog.text, "problem 'edge'") != NULL);
        cd_integrator_free(it);
    }
    test_log_close(&tlog);
}

// ---- memory

TEST(a_saved_run_continues_bit_for_bit) {
    static char bytes[65536];
    test_log_open(&tlog);
    CdIntegrator *it[2] = {begin_kepler("verlet", 0.01), begin_kepler("verlet", 0.01)};
    CHECK_OK(cd_integrator_run(it[0], 1.234, NULL));
    const size_t size = cd_integrator_save_size(it[0]);
    CHECK(size > 0 && size < sizeof bytes);
    CHECK_OK(cd_integrator_save(it[0], bytes, size));
    CHECK_OK(cd_integrator_load(it[1], bytes, size));
    const CdPoint *at[2];
    for (int i = 0; i < 2; i++) CHECK_OK(cd_integrator_at(it[i], 1.232, &at[i]));
    for (int j = 0; j < 2; j++) CHECK_BITS(at[1]->q[j], at[0]->q[j]);
    for (int i = 0; i < 2; i++) CHECK_OK(cd_integrator_run(it[i], 3, NULL));
    for (int j = 0; j < 2; j++) {
        CHECK_BITS(it[1]->now.q[j], it[0]->now.q[j]);
        CHECK_BITS(it[1]->now.v[j], it[0]->now.v[j]);
    }
    for (int i = 0; i < 2; i++) cd_integrator_free(it[i]);
    test_log_close(&tlog);
}

static CdStatus short_run(CdContext *ctx, void *user) {
    CdIntegrator *it;
    CD_TRY(cd_integrator_new(ctx, &top, user, &it));
    CdStatus status = cd_integrator_start(it, &top_start);
    if (status == CD_OK) status = cd_integrator_run(it, 1, NULL);
    cd_integrator_free(it);
    return status;
}

TEST(memory_may_run_out) {
    CHECK_OOM(short_run, "verlet(step=0.1)");
}

int main(void) {
    RUN(orders_are_1_and_2_with_and_without_damping);
    RUN(energy_does_not_drift_in_a_million_steps);
    RUN(verlet_runs_back_to_where_it_came_from);
    RUN(dense_output_has_the_order_of_the_step);
    RUN(rotations_follow_their_manifold);
    RUN(what_they_cannot_take_is_refused);
    RUN(a_step_that_is_not_finite_ends_the_run);
    RUN(a_saved_run_continues_bit_for_bit);
    RUN(memory_may_run_out);
    return test_end();
}
