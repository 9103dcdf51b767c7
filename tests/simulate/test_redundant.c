// test_redundant.c - constraints that depend on each other: motion and smallest multipliers
//
// The door and the parallelogram are pendulums, p'' = -c cos(p): the bar of the parallelogram does
// not turn. Bricard's mechanism has a reference from relative coordinates (A04, to 1e-11).
#include <math.h>
#include <string.h>

#include "integrators/driver.h"
#include "linalg/csc.h"
#include "problem/problem.h"
#include "simulate/mechanisms.h"
#include "system/system.h"
#include "test.h"

typedef struct Mechanism {
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    double q[64], v[64];
} Mechanism;

static CdStatus set_up(CdContext *ctx, const char *text, int redundant, Mechanism *m) {
    memset(m, 0, sizeof *m);
    CD_TRY(cdi_model_read_text(ctx, text, strlen(text), "x.json", &m->model));
    CD_TRY(cdi_system_new(m->model, &m->system));
    CD_TRY(cdi_system_work_new(m->system, NULL, &m->work));
    cdi_system_problem(m->work, &m->problem);
    m->problem.redundant = redundant;
    cdi_system_start(m->system, m->q, m->v);
    return CD_OK;
}

static void tear_down(Mechanism *m) {
    cdi_system_work_free(m->work);
    cdi_system_free(m->system);
    cdi_model_free(m->model);
}

// ---- motion

// angle at t of p'' = -c cos(p) from rest at p0, by small steps of RK4
static double pendulum(double c, double p0, double t) {
    const int n = 20000;
    const double h = t / n;
    double p = p0, w = 0;
    for (int i = 0; i < n; i++) {
        const double k1 = -c * cos(p), p2 = p + h / 2 * w, w2 = w + h / 2 * k1;
        const double k2 = -c * cos(p2), p3 = p + h / 2 * w2, w3 = w + h / 2 * k2;
        const double k3 = -c * cos(p3), p4 = p + h * w3, w4 = w + h * k3, k4 = -c * cos(p4);
        p += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return p;
}

// body at t after a run, its position in p
static void run(const char *text, int redundant, const char *method, double t, int body,
                double p[3]) {
    TestLog log;
    Mechanism m;
    CdIntegrator *it;
    double residual[3];
    test_log_open(&log);
    CHECK_OK(set_up(log.ctx, text, redundant, &m));
    CHECK_OK(cd_integrator_new(log.ctx, &m.problem, method, &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = m.q, .v = m.v}));
    CHECK_OK(cd_integrator_run(it, t, NULL));
    const CdPoint *at = cd_integrator_now(it);
    CHECK_NEAR(at->t, t, 1e-12);
    // constraints that did not act hold as well
    cdi_system_residuals(m.work, at, residual);
    CHECK_NEAR(residual[0], 0, 1e-8);
    memcpy(p, at->q + 7 * body, 3 * sizeof *p);
    CHECK_TEXT(log.text, "");
    cd_integrator_free(it);
    tear_down(&m);
    test_log_close(&log);
}

#define INERTIA ((1 + 0.01) / 12) // of a rod of 1 kg

static const char *const methods[] = {"gen-alpha(step=0.002, adaptive=false, form=index3)",
                                      "gen-alpha(step=0.002, adaptive=false, form=ggl)",
                                      "dopri5(rtol=1e-9, atol=1e-9)", "radau5(rtol=1e-7)"};
static const double limits[] = {2e-5, 2e-5, 1e-7, 1e-5};
enum { NMETHODS = sizeof methods / sizeof *methods };

TEST(a_door_with_two_hinges_falls_like_a_pendulum) {
    const double p = pendulum(9.81 * 0.5 / (INERTIA + 0.25), 0, 1);
    for (int k = 0; k < NMETHODS; k++) {
        double x[3];
        run(DOOR, 5, methods[k], 1, 0, x);
        CHECK_NEAR(x[0], 0.5 * cos(p), limits[k]);
        CHECK_NEAR(x[1], 0.5 * sin(p), limits[k]);
        CHECK_NEAR(x[2], 0, 1e-10);
    }
}

TEST(a_parallelogram_of_spatial_hinges_falls_like_its_minimal_coordinate) {
    const double c = 9.81 * (2 * 0.5 + 1) / (2 * (INERTIA + 0.25) + 1);
    const double p = pendulum(c, -asin(0.5), 1);
    for (int k = 0; k < NMETHODS; k++) {
        double x[3];
        run(PARALLELOGRAM, 3, methods[k], 1, 1, x);
        CHECK_NEAR(x[0], 0.5 + cos(p), limits[k]);
        CHECK_NEAR(x[1], sin(p), limits[k]);
        CHECK_NEAR(x[2], 0, 1e-10);
    }
}

// rod 2 is at (P2 + P3)/2 and rod 1 at P2/2, so P3 = 2 (rod 2 - rod 1)
TEST(bricards_mechanism_reaches_its_reference) {
    const double P3[3] = {-0.77813537, -0.98035268, -0.19725267};
    const double error[] = {5e-6, 5e-6, 3e-8, 3e-6};
    for (int k = 0; k < NMETHODS; k++) {
        double a[3], b[3];
        run(BRICARD, 1, methods[k], 2, 0, a);
        run(BRICARD, 1, methods[k], 2, 1, b);
        for (int i = 0; i < 3; i++) CHECK_NEAR(2 * (b[i] - a[i]), P3[i], error[k]);
    }
}

// ---- multipliers

// x of all with J^T x = J^T lambda the shortest, by a dense QR
static void pseudo_inverse(CdiProblem *p, const CdPoint *at, double *x) {
    static double J[64 * 64], qr[64 * 64], w[64], tau[64], work[8192];
    int jpvt[64], rank;
    const int nv = p->nv, nc = p->nc;
    const CdCsc sparse = {.pattern = p->jpattern, .v = J};
    CHECK_OK(cdi_jacobian(p, at, J));
    memset(w, 0, sizeof w);
    cdi_csc_mul_add(&sparse, true, 1, at->lambda, w);
    memset(qr, 0, sizeof qr);
    for (int j = 0; j < nv; j++) {
        for (int k = p->jpattern->ptr[j]; k < p->jpattern->ptr[j + 1]; k++) {
            qr[j + p->jpattern->row[k] * nv] = J[k];
        }
    }
    CHECK(cdi_qr_work(nv, nc) < sizeof work / sizeof *work);
    CHECK_OK(cdi_qr_factor(nv, nc, qr, nv, jpvt, tau, work, &rank));
    CHECK_INT(rank, nc - p->user.redundant);
    cdi_qr_solve(nv, nc, qr, nv, jpvt, tau, rank, w, x, work);
}

// before they are made small they are not, at least for `shrink` below 1
static void check_multipliers(const char *text, int redundant, double shrink) {
    TestLog log;
    Mechanism m;
    CdiProblem *p;
    CdPoint at;
    CdArena arena;
    double x[64], before = 0, after = 0;
    test_log_open(&log);
    cdi_arena_init(&arena, log.ctx, 0);
    CHECK_OK(set_up(log.ctx, text, redundant, &m));
    CHECK_OK(cdi_problem_new(log.ctx, &m.problem, &(CdProblemSetup){0}, &p));
    CHECK_OK(cdi_point_take(p, &arena, &at));
    memcpy(at.q, m.q, (size_t)p->nq * sizeof *m.q);
    memcpy(at.v, m.v, (size_t)p->nv * sizeof *m.v);
    CHECK_OK(cdi_consistent(p, &at, 1e-6));
    pseudo_inverse(p, &at, x);
    for (int i = 0; i < p->nc; i++) before += at.lambda[i] * at.lambda[i];
    CHECK_OK(cdi_minimum_norm(p, &at));
    for (int i = 0; i < p->nc; i++) {
        after += at.lambda[i] * at.lambda[i];
        CHECK_NEAR(at.lambda[i], x[i], 1e-11 * sqrt(before));
    }
    CHECK(after <= shrink * before);
    cdi_problem_free(p);
    tear_down(&m);
    cdi_arena_clear(&arena);
    test_log_close(&log);
}

TEST(multipliers_are_those_of_the_pseudo_inverse) {
    check_multipliers(DOOR, 5, 0.9);
    check_multipliers(PARALLELOGRAM, 3, 1 + 1e-12);
    check_multipliers(BRICARD, 1, 0.95);
}

typedef struct Watch {
    CdiProblem *p;
    int samples;
} Watch;

static CdStatus compare(void *user, const CdPoint *at) {
    Watch *w = user;
    double x[64];
    pseudo_inverse(w->p, at, x);
    for (int i = 0; i < w->p->nc; i++) CHECK_NEAR(at->lambda[i], x[i], 1e-9);
    w->samples++;
    return CD_OK;
}

// at the ends of steps and between them; constraints hold there to what dense output is worth
TEST(observers_see_the_smallest_multipliers) {
    const char *const few[] = {"gen-alpha(step=0.01, adaptive=false)", "dopri5(rtol=1e-11)"};
    for (int k = 0; k < 2; k++) {
        TestLog log;
        Mechanism m;
        CdIntegrator *it;
        Watch w = {0};
        test_log_open(&log);
        CHECK_OK(set_up(log.ctx, PARALLELOGRAM, 3, &m));
        // out of its plane, so that the hinges could share in many ways
        m.system->gravity[2] = 3;
        CHECK_OK(cdi_problem_new(log.ctx, &m.problem, &(CdProblemSetup){0}, &w.p));
        CHECK_OK(cd_integrator_new(log.ctx, &m.problem, few[k], &it));
        CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = m.q, .v = m.v}));
        const CdObserver observer = {.user = &w, .interval = 0.03, .sample = compare};
        CHECK_OK(cd_integrator_run(it, 0.3, &observer));
        CHECK_OK(compare(&w, cd_integrator_now(it)));
        CHECK_INT(w.samples, 12);
        cd_integrator_free(it);
        cdi_problem_free(w.p);
        tear_down(&m);
        test_log_close(&log);
    }
}

typedef struct Turns {
    CdiProblem *p;
    CdPoint at;
    int samples, changes;
} Turns;

// multipliers of any size, of which those of constraints that stop to act would stay as they are
static CdStatus take_turns(void *user, const CdPoint *now) {
    Turns *t = user;
    const CdiProblem *p = t->p;
    double x[64];
    bool changed;
    t->at.t = now->t;
    memcpy(t->at.q, now->q, (size_t)p->nq * sizeof *now->q);
    memcpy(t->at.v, now->v, (size_t)p->nv * sizeof *now->v);
    if (t->samples++ == 0) CHECK_OK(cdi_consistent(t->p, &t->at, 1e-6));
    // J has its rank where constraints hold
    CHECK_OK(cdi_project_position(t->p, &t->at));
    cdi_redundant_alarm(t->p);
    for (int i = 0; i < p->nc; i++) t->at.lambda[i] = 10 + i;
    pseudo_inverse(t->p, &t->at, x);
    CHECK_OK(cdi_redundant_update(t->p, &t->at, 0.05, &changed));
    t->changes += changed;
    for (int i = 0; i < p->nc; i++) CHECK_NEAR(t->at.lambda[i], changed ? x[i] : 10 + i, 1e-8);
    return CD_OK;
}

TEST(multipliers_are_the_smallest_when_other_constraints_act) {
    TestLog log;
    Mechanism m;
    CdIntegrator *it;
    CdArena arena;
    Turns t = {0};
    test_log_open(&log);
    cdi_arena_init(&arena, log.ctx, 0);
    CHECK_OK(set_up(log.ctx, BRICARD, 1, &m));
    CHECK_OK(cdi_problem_new(log.ctx, &m.problem, &(CdProblemSetup){0}, &t.p));
    CHECK_OK(cdi_point_take(t.p, &arena, &t.at));
    CHECK_OK(cd_integrator_new(log.ctx, &m.problem, "dopri5(rtol=1e-9)", &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = m.q, .v = m.v}));
    const CdObserver observer = {.user = &t, .interval = 0.05, .sample = take_turns};
    CHECK_OK(cd_integrator_run(it, 2, &observer));
    CHECK(t.changes > 0);
    cd_integrator_free(it);
    cdi_problem_free(t.p);
    tear_down(&m);
    cdi_arena_clear(&arena);
    test_log_close(&log);
}

// factors that no Jacobian of a method had: each is a look at which constraints act
static int64_t count_looks(const CdIntegrator *it) {
    const CdStatistics *s = cd_integrator_statistics((CdIntegrator *)it);
    return s->factors - s->jacobians;
}

static CdIntegrator *set_going(CdContext *ctx, Mechanism *m, const char *method) {
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(ctx, &m->problem, method, &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = m->q, .v = m->v}));
    return it;
}

// at rest after eight steps, and after a jump
TEST(which_constraints_act_is_looked_at_now_and_then) {
    TestLog log;
    Mechanism m;
    test_log_open(&log);
    CHECK_OK(set_up(log.ctx, DOOR, 5, &m));
    for (int i = 0; i < 3; i++) m.system->gravity[i] = 0;
    CdIntegrator *it = set_going(log.ctx, &m, "gen-alpha(step=0.01, adaptive=false)");
    CHECK_OK(cd_integrator_run(it, 0.1, NULL));
    const int64_t before = count_looks(it);
    CHECK_OK(cd_integrator_run(it, 8.1, NULL));
    CHECK_INT(count_looks(it) - before, 100);
    const int64_t after = count_looks(it);
    for (int k = 0; k < 3; k++) {
        CHECK_OK(cdi_restart(it));
        CHECK_OK(cd_integrator_step(it, 10));
        // the method begins anew, with a factor for accelerations beside
        CHECK_INT(count_looks(it) - after, 2 * (k + 1));
    }
    cd_integrator_free(it);
    tear_down(&m);
    test_log_close(&log);
}

// the faster it moves, the more often
TEST(which_constraints_act_is_looked_at_more_often_when_they_turn_fast) {
    static const char *const few[] = {"gen-alpha(step=1e-4, adaptive=false, form=index3)",
                                      "gen-alpha(step=1e-3, adaptive=false, form=index3)",
                                      "gen-alpha(step=1e-2, adaptive=false, form=index3)"};
    static const double least[] = {0.124, 0.13, 0.4}, most[] = {0.13, 0.2, 0.7};
    for (int k = 0; k < 3; k++) {
        TestLog log;
        Mechanism m;
        test_log_open(&log);
        CHECK_OK(set_up(log.ctx, BRICARD, 1, &m));
        CdIntegrator *it = set_going(log.ctx, &m, few[k]);
        CHECK_OK(cd_integrator_run(it, 1, NULL));
        const double looks = (double)count_looks(it) / (double)cd_integrator_statistics(it)->steps;
        CHECK(looks > least[k] && looks < most[k]);
        cd_integrator_free(it);
        tear_down(&m);
        test_log_close(&log);
    }
}

// both hinges of the door carry the same, as far as their places allow: with the centre of mass in
// the middle of hinges at -0.3 and 0.5 the weight would be halved; off it, moments are shared too
TEST(hinges_of_a_door_share_its_weight) {
    TestLog log;
    Mechanism m;
    CdIntegrator *it;
    test_log_open(&log);
    CHECK_OK(set_up(log.ctx, DOOR, 5, &m));
    CHECK_OK(cd_integrator_new(log.ctx, &m.problem, "dopri5", &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = m.q, .v = m.v}));
    const double *l = cd_integrator_now(it)->lambda;
    // what holds against gravity at the start, m (g - 0.5 p''), along y; markers have z along the
    // axis and x along y of the world or against it
    const double held = 9.81 - 0.5 * 9.81 * 0.5 / (INERTIA + 0.25);
    CHECK_NEAR(hypot(l[0] + l[5], l[1] + l[6]), held, 1e-9);
    // and no hinge works against the other along the axis
    CHECK_NEAR(l[2], 0, 1e-9);
    CHECK_NEAR(l[7], 0, 1e-9);
    cd_integrator_free(it);
    tear_down(&m);
    test_log_close(&log);
}

// ---- projections

TEST(projections_meet_all_constraints) {
    TestLog log;
    Mechanism m;
    CdiProblem *p;
    CdPoint at;
    CdArena arena;
    double c[64];
    test_log_open(&log);
    cdi_arena_init(&arena, log.ctx, 0);
    CHECK_OK(set_up(log.ctx, BRICARD, 1, &m));
    CHECK_OK(cdi_problem_new(log.ctx, &m.problem, &(CdProblemSetup){0}, &p));
    CHECK_OK(cdi_point_take(p, &arena, &at));
    memcpy(at.q, m.q, (size_t)p->nq * sizeof *m.q);
    for (int i = 0; i < p->nq; i++) at.q[i] += 1e-4 * sin(1 + 3 * i);
    for (int i = 0; i < p->nv; i++) at.v[i] = 1e-1 * cos(2 + 5 * i);
    cdi_normalise(p, at.q);
    CHECK_OK(cdi_project_position(p, &at));
    CHECK_OK(cdi_constraint(p, &at, c));
    for (int i = 0; i < p->ng; i++) CHECK_NEAR(c[i], 0, 1e-13);
    CHECK_OK(cdi_project_velocity(p, &at));
    CHECK_OK(cdi_velocity_residual(p, &at, c));
    for (int i = 0; i < p->nc; i++) CHECK_NEAR(c[i], 0, 1e-13);
    cdi_problem_free(p);
    tear_down(&m);
    cdi_arena_clear(&arena);
    test_log_close(&log);
}

// ---- memory

static void continue_run(const char *method) {
    static char bytes[1 << 20];
    TestLog log;
    Mechanism m;
    CdIntegrator *a, *b;
    test_log_open(&log);
    CHECK_OK(set_up(log.ctx, BRICARD, 1, &m));
    CHECK_OK(cd_integrator_new(log.ctx, &m.problem, method, &a));
    CHECK_OK(cd_integrator_new(log.ctx, &m.problem, method, &b));
    CHECK_OK(cd_integrator_start(a, &(CdPoint){.q = m.q, .v = m.v}));
    CHECK_OK(cd_integrator_run(a, 0.5, NULL));
    const size_t size = cd_integrator_save_size(a);
    if (!CHECK(size <= sizeof bytes)) return;
    CHECK_OK(cd_integrator_save(a, bytes, size));
    CHECK_OK(cd_integrator_load(b, bytes, size));
    // it looks when the other does which constraints act
    for (int k = 0; k < 9; k++) {
        CHECK_OK(cd_integrator_step(a, 1.5));
        CHECK_OK(cd_integrator_step(b, 1.5));
        CHECK_INT(count_looks(a), count_looks(b));
    }
    CHECK_OK(cd_integrator_run(a, 1.5, NULL));
    CHECK_OK(cd_integrator_run(b, 1.5, NULL));
    const CdPoint *x = cd_integrator_now(a), *y = cd_integrator_now(b);
    for (int i = 0; i < m.problem.nq; i++) CHECK_BITS(x->q[i], y->q[i]);
    for (int i = 0; i < m.problem.ng; i++) CHECK_BITS(x->lambda[i], y->lambda[i]);
    cd_integrator_free(a);
    cd_integrator_free(b);
    tear_down(&m);
    test_log_close(&log);
}

TEST(a_saved_run_continues_with_the_same_bits) {
    continue_run("gen-alpha(step=0.01, adaptive=false, form=ggl)");
    continue_run("gen-alpha(step=0.001, adaptive=false, form=index3)");
    continue_run("dopri5(rtol=1e-6)");
    continue_run("radau5(rtol=1e-7)");
}

static CdStatus short_run(CdContext *ctx, void *user) {
    Mechanism m;
    CdIntegrator *it = NULL;
    (void)user;
    CdStatus status = set_up(ctx, DOOR, 5, &m);
    if (status == CD_OK) status = cd_integrator_new(ctx, &m.problem, "gen-alpha(form=ggl)", &it);
    if (status == CD_OK) status = cd_integrator_start(it, &(CdPoint){.q = m.q, .v = m.v});
    if (status == CD_OK) status = cd_integrator_step(it, 1);
    cd_integrator_free(it);
    tear_down(&m);
    return status;
}

TEST(memory_may_run_out) {
    CHECK_OOM(short_run, NULL);
}

TEST(more_redundant_constraints_than_there_are_is_refused) {
    TestLog log;
    Mechanism m;
    CdIntegrator *it;
    test_log_open(&log);
    CHECK_OK(set_up(log.ctx, DOOR, 11, &m));
    CHECK_INT(cd_integrator_new(log.ctx, &m.problem, "dopri5", &it), CD_INVALID);
    CHECK_TEXT(log.text, "problem 'model': redundant is 11 of 10 constraints\n");
    tear_down(&m);
    test_log_close(&log);
}

int main(void) {
    RUN(a_door_with_two_hinges_falls_like_a_pendulum);
    RUN(a_parallelogram_of_spatial_hinges_falls_like_its_minimal_coordinate);
    RUN(bricards_mechanism_reaches_its_reference);
    RUN(multipliers_are_those_of_the_pseudo_inverse);
    RUN(observers_see_the_smallest_multipliers);
    RUN(multipliers_are_the_smallest_when_other_constraints_act);
    RUN(which_constraints_act_is_looked_at_now_and_then);
    RUN(which_constraints_act_is_looked_at_more_often_when_they_turn_fast);
    RUN(hinges_of_a_door_share_its_weight);
    RUN(projections_meet_all_constraints);
    RUN(a_saved_run_continues_with_the_same_bits);
    RUN(memory_may_run_out);
    RUN(more_redundant_constraints_than_there_are_is_refused);
    return test_end();
}
