// test_sundials.c - CVODE and IDA behind our interface: published values, constraints, failures
#include <float.h>
#include <math.h>
#include <string.h>

#include "cardan/integrator.h"
#include "test.h"

// ---- problems; values at the end from Hairer & Wanner II and the IVP test set

static CdStatus spring(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = at->y[1];
    dy[1] = -at->y[0];
    return CD_OK;
}
static const CdProblem oscillator = {.name = "oscillator", .ny = 2, .rate = spring};

static CdStatus van_der_pol(void *data, const CdPoint *at, double *dy) {
    const double eps = 1e-6, *y = at->y;
    (void)data;
    dy[0] = y[1];
    dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / eps;
    return CD_OK;
}
static const CdProblem relaxation = {.name = "van der pol", .ny = 2, .rate = van_der_pol};

static CdStatus reactions(void *data, const CdPoint *at, double *dy) {
    const double *y = at->y, slow = 0.04 * y[0], fast = 1e4 * y[1] * y[2], own = 3e7 * y[1] * y[1];
    (void)data;
    dy[0] = -slow + fast;
    dy[1] = slow - fast - own;
    dy[2] = own;
    return CD_OK;
}
static const CdProblem robertson = {.name = "robertson", .ny = 3, .rate = reactions};

// the same with conservation of mass in place of the third rate
static CdStatus balance(void *data, const CdPoint *at, double *F) {
    double dy[3];
    CD_TRY(reactions(data, at, dy));
    F[0] = at->ydot[0] - dy[0];
    F[1] = at->ydot[1] - dy[1];
    F[2] = at->y[0] + at->y[1] + at->y[2] - 1;
    return CD_OK;
}
static const CdProblem robertson_dae = {.name = "robertson dae", .ny = 3, .implicit = balance};

static CdStatus photosynthesis(void *data, const CdPoint *at, double *dy) {
    const double *y = at->y, pair = 280 * y[5] * y[7];
    (void)data;
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dy[1] = 1.71 * y[0] - 8.75 * y[1];
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dy[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    dy[5] = -pair + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dy[6] = pair - 1.81 * y[6];
    dy[7] = -pair + 1.81 * y[6];
    return CD_OK;
}
static const CdProblem hires = {.name = "hires", .ny = 8, .rate = photosynthesis};

// a point mass on a rod of length 1, with a period of exactly 2
#define GRAVITY 13.750371636040745
static CdStatus weight(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    f[0] = 0;
    f[1] = -GRAVITY;
    return CD_OK;
}

static CdStatus rod(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = (at->q[0] * at->q[0] + at->q[1] * at->q[1] - 1) / 2;
    return CD_OK;
}

static CdStatus rod_jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    J[0] = at->q[0];
    J[1] = at->q[1];
    return CD_OK;
}
static const CdProblem pendulum = {.name = "pendulum",
                                   .nv = 2,
                                   .force = weight,
                                   .ng = 1,
                                   .constraint = rod,
                                   .constraint_jacobian = rod_jacobian};
static const double pendulum_start[2] = {1, 0};
static const double pendulum_p[2] = {-.9976382657414272, -.0686869036166096};
static const double pendulum_v[2] = {-.09440241930448, 1.3711415265186346};
#define PENDULUM_LAMBDA 2.833411353771684

// ---- runs

typedef struct Run {
    TestLog log;
    CdIntegrator *it;
} Run;

static void begin(Run *run, const CdProblem *problem, const char *method, const CdPoint *at) {
    test_log_open(&run->log);
    CHECK_OK(cd_integrator_new(run->log.ctx, problem, method, &run->it));
    if (run->it) CHECK_OK(cd_integrator_start(run->it, at));
}

static const CdPoint *end_at(Run *run, double t) {
    CHECK_OK(cd_integrator_run(run->it, t, NULL));
    const CdPoint *at = cd_integrator_now(run->it);
    CHECK_BITS(at->t, t);
    return at;
}

static void finish(Run *run) {
    CHECK_TEXT(run->log.text, "");
    cd_integrator_free(run->it);
    test_log_close(&run->log);
}

static void show(const Run *run, const char *method, double error) {
    const CdStatistics *s = cd_integrator_statistics(run->it);
    printf("     %-40s error %8.2g, %lld steps, %lld rejected, %lld evaluations, %lld jacobians, "
           "%lld factors, %lld iterations\n",
           method, error, (long long)s->steps, (long long)s->rejected, (long long)s->evaluations,
           (long long)s->jacobians, (long long)s->factors, (long long)s->iterations);
}

static double distance(const double *a, const double *b, int n, double floor) {
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]) / fmax(fabs(b[i]), floor));
    return worst;
}

// largest relative error of y at the end
static double error_of(const CdProblem *problem, const char *method, const double *y0, double t_end,
                       const double *expected) {
    Run run;
    double y[8];
    memcpy(y, y0, (size_t)problem->ny * sizeof *y);
    begin(&run, problem, method, &(CdPoint){.t = 0, .y = y});
    const double error = distance(end_at(&run, t_end)->y, expected, problem->ny, 0);
    show(&run, method, error);
    finish(&run);
    return error;
}

// ---- tests

TEST(an_oscillation_is_followed_at_every_tolerance) {
    const double y0[2] = {1, 0}, end[2] = {cos(10), -sin(10)};
    CHECK(error_of(&oscillator, "cvode(method=adams, rtol=1e-4, atol=1e-4)", y0, 10, end) < 1e-2);
    CHECK(error_of(&oscillator, "cvode(method=adams, rtol=1e-10, atol=1e-10)", y0, 10, end) < 1e-8);
    CHECK(error_of(&oscillator, "cvode(rtol=1e-4, atol=1e-4)", y0, 10, end) < 2e-2);
    CHECK(error_of(&oscillator, "cvode(rtol=1e-10, atol=1e-10)", y0, 10, end) < 1e-7);
    CHECK(error_of(&oscillator, "ida(rtol=1e-10, atol=1e-10)", y0, 10, end) < 1e-7);
}

TEST(a_lower_order_takes_more_steps) {
    const char *const methods[] = {"cvode(rtol=1e-6, max_order=2)", "cvode(rtol=1e-6)",
                                   "ida(rtol=1e-6, max_order=2)", "ida(rtol=1e-6)"};
    int64_t steps[4] = {0};
    double y0[2] = {1, 0};
    for (int k = 0; k < 4; k++) {
        Run run;
        begin(&run, &oscillator, methods[k], &(CdPoint){.y = y0});
        end_at(&run, 10);
        steps[k] = cd_integrator_statistics(run.it)->steps;
        finish(&run);
    }
    CHECK(steps[0] > 2 * steps[1]);
    CHECK(steps[2] > 2 * steps[3]);
}

// multistep methods lose more than others in its sharp corners
TEST(van_der_pol_has_the_digits_asked_for_but_two) {
    const double y0[2] = {2, 0}, end[2] = {1.706167732170469, -0.8928097010248125};
    CHECK(error_of(&relaxation, "cvode(rtol=1e-6, atol=1e-6)", y0, 2, end) < 1e-4);
    CHECK(error_of(&relaxation, "cvode(rtol=1e-9, atol=1e-9)", y0, 2, end) < 1e-7);
    CHECK(error_of(&relaxation, "ida(rtol=1e-9, atol=1e-9)", y0, 2, end) < 1e-7);
}

TEST(robertson_has_the_digits_asked_for_but_one) {
    const double y0[3] = {1, 0, 0};
    const double end[3] = {2.083340149701255e-8, 8.333360770334713e-14, .9999999791665050};
    CHECK(error_of(&robertson, "cvode(rtol=1e-6, atol=1e-18)", y0, 1e11, end) < 1e-5);
    CHECK(error_of(&robertson_dae, "ida(rtol=1e-6, atol=1e-18)", y0, 1e11, end) < 1e-5);
    CHECK(error_of(&robertson, "ida(rtol=1e-6, atol=1e-18)", y0, 1e11, end) < 1e-5);
}

TEST(hires_has_the_digits_asked_for_but_one) {
    const double y0[8] = {1, 0, 0, 0, 0, 0, 0, .0057};
    const double end[8] = {7.371312573325668e-4, 1.442485726316185e-4, 5.888729740967575e-5,
                           1.175651343283149e-3, 2.386356198831331e-3, 6.238968252742796e-3,
                           2.849998395185769e-3, 2.850001604814231e-3};
    CHECK(error_of(&hires, "cvode(rtol=1e-7, atol=1e-11)", y0, 321.8122, end) < 1e-6);
    CHECK(error_of(&hires, "ida(rtol=1e-7, atol=1e-11)", y0, 321.8122, end) < 1e-6);
}

static double gap(const CdPoint *at) {
    return fabs(at->q[0] * at->q[0] + at->q[1] * at->q[1] - 1) / 2;
}

static double gap_rate(const CdPoint *at) {
    return fabs(at->q[0] * at->v[0] + at->q[1] * at->v[1]);
}

// errors of p, v, lambda at t = 0.9
static void pendulum_errors(const char *method, double error[3]) {
    Run run;
    double q[2] = {1, 0};
    begin(&run, &pendulum, method, &(CdPoint){.q = q});
    const CdPoint *at = end_at(&run, 0.9);
    error[0] = distance(at->q, pendulum_p, 2, 1);
    error[1] = distance(at->v, pendulum_v, 2, 1);
    error[2] = fabs(at->lambda[0] - PENDULUM_LAMBDA);
    show(&run, method, error[0]);
    printf("     %s: p %.2g, v %.2g, lambda %.2g; g %.2g, G v %.2g\n",
           cd_integrator_statistics(run.it)->path, error[0], error[1], error[2], gap(at),
           gap_rate(at));
    finish(&run);
}

TEST(the_pendulum_is_right_in_every_form) {
    const struct {
        const char *method;
        double p, v, lambda;
    } runs[] = {
        {"cvode(rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-5},
        {"cvode(method=adams, rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-5},
        {"ida(form=index1, rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-5},
        {"ida(form=index2, rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-4},
        {"ida(form=ggl, rtol=1e-9, atol=1e-9)", 1e-7, 1e-6, 1e-4},
        {"ida(form=index3, rtol=1e-9, atol=1e-9)", 1e-6, 1e-4, 1e-2},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        double error[3];
        pendulum_errors(runs[k].method, error);
        CHECK(error[0] < runs[k].p);
        CHECK(error[1] < runs[k].v);
        CHECK(error[2] < runs[k].lambda);
    }
}

// largest violations after any step up to t
static void worst_gaps(const char *method, double t, double worst[2]) {
    Run run;
    double q[2] = {pendulum_start[0], pendulum_start[1]};
    begin(&run, &pendulum, method, &(CdPoint){.q = q});
    worst[0] = worst[1] = 0;
    for (int n = 0; n < 100000; n++) {
        CHECK_OK(cd_integrator_step(run.it, t));
        const CdPoint *at = cd_integrator_now(run.it);
        worst[0] = fmax(worst[0], gap(at));
        worst[1] = fmax(worst[1], gap_rate(at));
        if (at->t >= t) break;
    }
    CHECK_BITS(cd_integrator_now(run.it)->t, t);
    finish(&run);
}

TEST(constraints_hold_after_every_step_where_they_are_enforced) {
    double worst[2];
    worst_gaps("cvode(rtol=1e-6, atol=1e-6)", 20, worst);
    CHECK(worst[0] < 1e-10 && worst[1] < 1e-9);
    worst_gaps("ida(form=ggl, rtol=1e-6, atol=1e-6)", 20, worst);
    CHECK(worst[0] < 1e-6 && worst[1] < 1e-5);
    worst_gaps("ida(form=index3, rtol=1e-6, atol=1e-6)", 20, worst);
    CHECK(worst[0] < 1e-6);
    // left alone they drift
    worst_gaps("cvode(rtol=1e-6, atol=1e-6, project=false)", 20, worst);
    CHECK(worst[0] > 1e-5);
}

TEST(adams_is_brought_back_when_it_has_drifted) {
    double free[2], held[2];
    worst_gaps("cvode(method=adams, rtol=1e-6, atol=1e-6, project=false)", 40, free);
    worst_gaps("cvode(method=adams, rtol=1e-6, atol=1e-6)", 40, held);
    printf("     drift of g: %.2g, brought back %.2g\n", free[0], held[0]);
    CHECK(free[0] > 1e-3);
    CHECK(held[0] < 1e-3);
}

// ---- a body that turns with constant speed, as quaternion w x y z

static void turn(void *data, const double *q, const double *w, double *dq) {
    (void)data;
    dq[0] = (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]) / 2;
    dq[1] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2;
    dq[2] = (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2;
    dq[3] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2;
}

static void turn_back(void *data, const double *q, const double *dq, double *w) {
    (void)data;
    w[0] = 2 * (-q[1] * dq[0] + q[0] * dq[1] + q[3] * dq[2] - q[2] * dq[3]);
    w[1] = 2 * (-q[2] * dq[0] - q[3] * dq[1] + q[0] * dq[2] + q[1] * dq[3]);
    w[2] = 2 * (-q[3] * dq[0] + q[2] * dq[1] - q[1] * dq[2] + q[0] * dq[3]);
}

static double length(const double *q) {
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static void normalise(void *data, double *q) {
    const double l = length(q);
    (void)data;
    for (int i = 0; i < 4; i++) q[i] /= l;
}

static void retract(void *data, const double *q, const double *delta, double *out) {
    double dq[4];
    turn(data, q, delta, dq);
    for (int i = 0; i < 4; i++) out[i] = q[i] + dq[i];
    normalise(data, out);
}

static void difference(void *data, const double *q1, const double *q0, double *delta) {
    double dq[4];
    for (int i = 0; i < 4; i++) dq[i] = q1[i] - q0[i];
    turn_back(data, q0, dq, delta);
}

static CdStatus no_force(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    f[0] = f[1] = f[2] = 0;
    return CD_OK;
}
static const CdProblem spinner = {.name = "spinner",
                                  .nq = 4,
                                  .nv = 3,
                                  .force = no_force,
                                  .kinematics = turn,
                                  .tangent = turn_back,
                                  .retract = retract,
                                  .difference = difference,
                                  .normalise = normalise};

TEST(orientations_stay_on_their_manifold) {
    const struct {
        const char *method;
        double length, error;
    } runs[] = {
        {"cvode(rtol=1e-6, atol=1e-6)", 1e-14, 1e-3},
        {"cvode(method=adams, rtol=1e-6, atol=1e-6)", 1e-3, 1e-2},
        {"ida(rtol=1e-6, atol=1e-6)", 1e-3, 1e-2},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        Run run;
        double q[4] = {1, 0, 0, 0}, v[3] = {0, 3, 0}, worst = 0;
        const double end[4] = {cos(30), 0, sin(30), 0};
        begin(&run, &spinner, runs[k].method, &(CdPoint){.q = q, .v = v});
        for (int n = 0; n < 100000 && cd_integrator_now(run.it)->t < 20; n++) {
            CHECK_OK(cd_integrator_step(run.it, 20));
            worst = fmax(worst, fabs(length(cd_integrator_now(run.it)->q) - 1));
        }
        const double error = distance(cd_integrator_now(run.it)->q, end, 4, 1);
        show(&run, runs[k].method, error);
        printf("     length - 1: %.2g\n", worst);
        CHECK(worst < runs[k].length);
        CHECK(error < runs[k].error);
        finish(&run);
    }
}

// ---- steps

static const char *const both[] = {"cvode(rtol=1e-8, atol=1e-8)",
                                   "cvode(method=adams, rtol=1e-8, atol=1e-8)",
                                   "ida(rtol=1e-8, atol=1e-8)"};
#define NBOTH (sizeof both / sizeof *both)

TEST(steps_end_where_they_must_and_can_be_looked_into) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        double y0[2] = {1, 0}, old = 0;
        begin(&run, &oscillator, both[k], &(CdPoint){.y = y0});
        for (int n = 1; n <= 1000; n++) {
            const double limit = 0.013 * n;
            while (cd_integrator_now(run.it)->t < limit) {
                CHECK_OK(cd_integrator_step(run.it, limit));
                const double t = cd_integrator_now(run.it)->t, middle = (old + t) / 2;
                CHECK(t > old && t <= limit);
                const CdPoint *at;
                CHECK_OK(cd_integrator_at(run.it, middle, &at));
                CHECK_BITS(at->t, middle);
                CHECK_NEAR(at->y[0], cos(middle), 2e-6);
                CHECK_OK(cd_integrator_at(run.it, old, &at));
                CHECK_NEAR(at->y[0], cos(old), 2e-6);
                old = t;
            }
        }
        finish(&run);
    }
}

TEST(a_rest_of_one_rounding_error_is_a_step) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        double y0[2] = {1, 0};
        const double next = nextafter(1, 2);
        begin(&run, &oscillator, both[k], &(CdPoint){.t = 1, .y = y0});
        CHECK_BITS(end_at(&run, next)->y[0], 1);
        CHECK_NEAR(end_at(&run, 2)->y[0], cos(1), 1e-6);
        CHECK_NEAR(end_at(&run, nextafter(2, 3))->y[0], cos(1), 1e-6);
        CHECK_NEAR(end_at(&run, 3)->y[0], cos(2), 1e-6);
        finish(&run);
    }
}

TEST(steps_keep_their_bounds) {
    const char *const methods[] = {"cvode(max_step=0.01, step=1e-4)",
                                   "ida(max_step=0.01, step=1e-4)"};
    for (size_t k = 0; k < 2; k++) {
        Run run;
        double y0[2] = {1, 0};
        begin(&run, &oscillator, methods[k], &(CdPoint){.y = y0});
        CHECK_OK(cd_integrator_step(run.it, 1));
        CHECK(cd_integrator_now(run.it)->t <= 1.0001e-4);
        end_at(&run, 1);
        CHECK(cd_integrator_statistics(run.it)->steps >= 100);
        CHECK(cd_integrator_statistics(run.it)->max_step <= 0.01 * (1 + 1e-12));
        finish(&run);
    }
}

// old derivatives serve many steps of CVODE; IDA takes new ones for every set-up
TEST(counters_tell_what_was_done) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        double y0[2] = {2, 0};
        begin(&run, &relaxation, both[k], &(CdPoint){.y = y0});
        const bool stiff = k != 1;
        end_at(&run, stiff ? 2 : 1e-5);
        const CdStatistics *s = cd_integrator_statistics(run.it);
        CHECK(s->steps > 10);
        CHECK(s->evaluations >= s->iterations && s->iterations >= s->steps);
        if (stiff) CHECK(s->rejected > 0 && s->jacobians > 0 && s->solves >= s->iterations);
        if (stiff) CHECK(s->factors < s->steps);
        if (k == 0) CHECK(3 * s->jacobians < s->factors);
        if (k == 1) CHECK(s->jacobians == 0 && s->factors == 0);
        finish(&run);
    }
}

// ---- events: a ball that bounces, with restitution 1/2

static CdStatus height(void *data, const CdPoint *at, double *z) {
    (void)data;
    z[0] = at->y[0];
    return CD_OK;
}

static CdStatus fall(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = at->y[1];
    dy[1] = -10;
    return CD_OK;
}

static CdStatus bounce(void *data, CdEvent *event, CdPoint *at) {
    double **next = data;
    if (event->now[0]) return CD_OK;
    *(*next)++ = at->t;
    at->y[0] = 0;
    at->y[1] = -at->y[1] / 2;
    return CD_OK;
}

TEST(a_ball_bounces_on_time) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        double times[16] = {0}, *next = times, y0[2] = {5, 0};
        const CdProblem ball = {.name = "ball",
                                .data = &next,
                                .ny = 2,
                                .rate = fall,
                                .nz = 1,
                                .events = height,
                                .handle_event = bounce};
        begin(&run, &ball, both[k], &(CdPoint){.y = y0});
        end_at(&run, 2.6);
        CHECK_INT(next - times, 3);
        CHECK_NEAR(times[0], 1, 1e-7);
        CHECK_NEAR(times[1], 2, 1e-7);
        CHECK_NEAR(times[2], 2.5, 1e-7);
        finish(&run);
    }
}

// ---- failures

typedef struct Trap {
    double t;        // from here on
    CdStatus status; // CD_OK: NaN
} Trap;

static CdStatus trapped(void *data, const CdPoint *at, double *dy) {
    const Trap *trap = data;
    const bool caught = at->t > trap->t;
    dy[0] = caught && trap->status == CD_OK ? NAN : 1;
    return caught ? trap->status : CD_OK;
}

static void fall_into(Trap trap, const char *method, CdStatus expected) {
    Run run;
    double y0[1] = {0};
    const CdProblem problem = {.name = "trap", .data = &trap, .ny = 1, .rate = trapped};
    begin(&run, &problem, method, &(CdPoint){.y = y0});
    CHECK_INT(cd_integrator_run(run.it, 2, NULL), expected);
    const CdPoint *at = cd_integrator_now(run.it);
    CHECK(at->t > 0.5 && at->t <= 1);
    CHECK_NEAR(at->y[0], at->t, 1e-12);
    CHECK(strstr(run.log.text, "trap") != NULL);
    printf("     %s", run.log.text);
    // the state is kept, and the problem may be mended
    test_log_clear(&run.log);
    trap.t = 10;
    CHECK_NEAR(end_at(&run, 2)->y[0], 2, 1e-9);
    finish(&run);
}

TEST(failures_of_callbacks_end_the_run_with_the_last_state) {
    for (size_t k = 0; k < NBOTH; k++) {
        fall_into((Trap){1, CD_OK}, both[k], CD_NONFINITE);
        fall_into((Trap){1, CD_RETRY}, both[k], CD_RETRY);
        fall_into((Trap){1, CD_INVALID}, both[k], CD_INVALID);
    }
}

static void refused(const char *method, const char *message) {
    TestLog log;
    CdIntegrator *it;
    test_log_open(&log);
    CHECK_INT(cd_integrator_new(log.ctx, &oscillator, method, &it), CD_INVALID);
    CHECK(it == NULL);
    CHECK_TEXT(log.text, message);
    test_log_close(&log);
}

TEST(options_that_make_no_sense_are_refused) {
    refused("cvode(adaptive=false)",
            "problem 'oscillator', method 'cvode': order and step are controlled together; "
            "adaptive must be true, or take another method for fixed steps\n");
    refused("ida(adaptive=false)",
            "problem 'oscillator', method 'ida': order and step are controlled together; "
            "adaptive must be true, or take another method for fixed steps\n");
    refused("cvode(max_order=6)",
            "problem 'oscillator', method 'cvode': max_order of 'bdf' is at most 5, not 6\n");
}

TEST(runs_cannot_be_saved_and_say_so) {
    for (size_t k = 0; k < NBOTH; k++) {
        Run run;
        double y0[2] = {1, 0};
        char byte;
        begin(&run, &oscillator, both[k], &(CdPoint){.y = y0});
        CHECK_INT(cd_integrator_save_size(run.it), 0);
        CHECK_INT(cd_integrator_save(run.it, &byte, 1), CD_INVALID);
        CHECK(strstr(run.log.text, k == 2 ? "ida" : "cvode") != NULL);
        test_log_clear(&run.log);
        finish(&run);
    }
}

static CdStatus short_run(CdContext *ctx, void *user) {
    CdIntegrator *it;
    double q[2] = {1, 0};
    CD_TRY(cd_integrator_new(ctx, &pendulum, user, &it));
    CdStatus status = cd_integrator_start(it, &(CdPoint){.q = q});
    if (status == CD_OK) status = cd_integrator_run(it, 0.1, NULL);
    cd_integrator_free(it);
    return status;
}

TEST(memory_may_run_out_anywhere) {
    CHECK_OOM(short_run, "cvode");
    CHECK_OOM(short_run, "cvode(method=adams)");
    CHECK_OOM(short_run, "ida");
}

TEST(the_same_run_has_the_same_bits) {
    for (size_t k = 0; k < NBOTH; k++) {
        double end[2] = {0};
        for (int n = 0; n < 2; n++) {
            Run run;
            double q[2] = {1, 0};
            begin(&run, &pendulum, both[k], &(CdPoint){.q = q});
            end[n] = end_at(&run, 3)->q[0];
            finish(&run);
        }
        CHECK_BITS(end[0], end[1]);
    }
}

int main(void) {
    RUN(an_oscillation_is_followed_at_every_tolerance);
    RUN(a_lower_order_takes_more_steps);
    RUN(van_der_pol_has_the_digits_asked_for_but_two);
    RUN(robertson_has_the_digits_asked_for_but_one);
    RUN(hires_has_the_digits_asked_for_but_one);
    RUN(the_pendulum_is_right_in_every_form);
    RUN(constraints_hold_after_every_step_where_they_are_enforced);
    RUN(adams_is_brought_back_when_it_has_drifted);
    RUN(orientations_stay_on_their_manifold);
    RUN(steps_end_where_they_must_and_can_be_looked_into);
    RUN(a_rest_of_one_rounding_error_is_a_step);
    RUN(steps_keep_their_bounds);
    RUN(counters_tell_what_was_done);
    RUN(a_ball_bounces_on_time);
    RUN(failures_of_callbacks_end_the_run_with_the_last_state);
    RUN(options_that_make_no_sense_are_refused);
    RUN(runs_cannot_be_saved_and_say_so);
    RUN(memory_may_run_out_anywhere);
    RUN(the_same_run_has_the_same_bits);
    return test_end();
}
