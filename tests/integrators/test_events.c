// test_events.c - events are found where they are, all of them, and handled until they settle
#include "integrators/cases.h"

// what happened, in order
typedef struct Record {
    double t;
    CdEventKind kind;
    int n, which, now;
} Record;

#define RECORDS 256
typedef struct World {
    double data[4];
    int mode;
    int n; // events seen by handle_event
    Record event[RECORDS];
    int observed;
    double jump; // largest |after - before| that the observer saw
    double last_sample;
    int samples;
    CdIntegrator *it; // of those who look into steps
} World;

static void note(World *w, const CdEvent *event, double t) {
    if (w->n < RECORDS) {
        w->event[w->n] = (Record){t, event->kind, event->n, event->n ? event->which[0] : -1,
                                  event->n ? event->now[0] : -1};
    }
    w->n++;
}

static CdStatus observe(void *user, const CdEvent *event, const CdPoint *before,
                        const CdPoint *after) {
    World *w = user;
    const double *a = before->y ? before->y : before->v, *b = after->y ? after->y : after->v;
    const int last = before->y ? 1 : 0;
    w->observed++;
    w->jump = fmax(w->jump, fabs(a[last] - b[last]));
    CHECK(event->n >= 0 && before->t == after->t);
    return CD_OK;
}

static CdIntegrator *start(TestLog *log, const CdProblem *problem, const char *method, CdPoint at) {
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(log->ctx, problem, method, &it));
    if (it) CHECK_OK(cd_integrator_start(it, &at));
    return it;
}

// ---- bouncing ball: h'' = -g, at the ground v becomes -e v

#define RESTITUTION 0.8

static CdStatus ball_rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = at->y[1];
    dy[1] = -GRAVITY;
    return CD_OK;
}

static CdStatus ball_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    (void)at;
    f[0] = -GRAVITY;
    return CD_OK;
}

static CdStatus ball_height(void *data, const CdPoint *at, double *z) {
    (void)data;
    z[0] = at->y ? at->y[0] : at->q[0];
    return CD_OK;
}

static CdStatus ball_bounce(void *data, CdEvent *event, CdPoint *at) {
    World *w = data;
    double *v = at->y ? at->y + 1 : at->v;
    // leaving the ground is an event as well
    if (event->now[0]) return CD_OK;
    note(w, event, at->t);
    *v *= -w->data[0];
    return CD_OK;
}

static const char *const ball_names[] = {"ground"};

static CdProblem ball_ode(World *w) {
    return (CdProblem){.name = "ball",
                       .data = w,
                       .ny = 2,
                       .rate = ball_rate,
                       .nz = 1,
                       .events = ball_height,
                       .event_names = ball_names,
                       .handle_event = ball_bounce};
}

static CdProblem ball_mechanical(World *w) {
    CdProblem p = ball_ode(w);
    p.ny = 0;
    p.rate = NULL;
    p.nv = 1;
    p.force = ball_force;
    return p;
}

// time of bounce k of a ball that falls from height 1
static double bounce_time(int k, double e) {
    const double fall = sqrt(2 / GRAVITY);
    double t = fall, up = 2 * fall;
    for (int i = 0; i < k; i++) t += up *= e;
    return t;
}

static void check_bounces(const World *w, double tol, const char *name) {
    double worst = 0;
    CHECK_INT(w->n, 8);
    for (int k = 0; k < 8 && k < w->n; k++) {
        worst = fmax(worst, fabs(w->event[k].t - bounce_time(k, RESTITUTION)));
        CHECK_INT(w->event[k].kind, CD_EVENT_STATE);
        CHECK_INT(w->event[k].n, 1);
    }
    printf("     %s: worst event time %.1e s\n", name, worst);
    CHECK(worst < tol);
}

// the motion is a parabola, so every method of order 2 with dense output of degree 2 is exact
TEST(a_ball_bounces_at_the_right_times) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        char method[80];
        if ((*cls)->order < 2) continue;
        World w = {.data = {RESTITUTION}};
        const bool mechanical = (*cls)->view == CD_VIEW_MECHANICAL;
        const CdProblem p = mechanical ? ball_mechanical(&w) : ball_ode(&w);
        CdPoint at = {0};
        double one[2] = {1, 0};
        *(mechanical ? &at.q : &at.y) = one;
        if ((*cls)->fixed_only) {
            with_step(*cls, 0.01, method);
        } else {
            snprintf(method, sizeof method, "%s(rtol=1e-12, atol=1e-13)", (*cls)->desc.name);
        }
        CdIntegrator *it = start(&log, &p, method, at);
        if (!it) continue;
        CdObserver o = {.user = &w, .event = observe};
        CHECK_OK(cd_integrator_run(it, bounce_time(7, RESTITUTION) + 0.05, &o));
        check_bounces(&w, 1e-10, (*cls)->desc.name);
        CHECK_INT(w.observed, 16);
        CHECK_NEAR(w.jump, (1 + RESTITUTION) * sqrt(2 * GRAVITY), 1e-8);
        const CdStatistics *s = cd_integrator_statistics(it);
        CHECK_INT(s->events, 16);
        CHECK_INT(s->restarts, 16);
        cd_integrator_free(it);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(a_ball_that_comes_to_rest_is_named) {
    TestLog log;
    test_log_open(&log);
    const double restitution[] = {0.95, 0.8, 0.5, 0.2};
    for (int k = 0; k < 4; k++) {
        World w = {.data = {restitution[k]}};
        const CdProblem p = ball_ode(&w);
        test_log_clear(&log);
        CdIntegrator *it = start(&log, &p, "rk4(step=0.01)", (CdPoint){.y = (double[]){1, 0}});
        CHECK_INT(cd_integrator_run(it, 100, NULL), CD_LIMIT);
        const double fall = sqrt(2 / GRAVITY), e = restitution[k];
        CHECK_NEAR(cd_integrator_now(it)->t, fall + 2 * fall * e / (1 - e), 1e-7);
        CHECK_NEAR(cd_integrator_now(it)->y[0], 0, 1e-12);
        printf("     e = %g: %d bounces, %s", e, w.n, log.text);
        CHECK(
            strstr(log.text, "problem 'ball', method 'rk4': event function 'ground' chatters at") ==
            log.text);
        cd_integrator_free(it);
    }
    test_log_close(&log);
}

// ---- y = (sin t, cos t) and functions of t and y

static CdStatus sine_rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    dy[0] = at->y[1];
    dy[1] = -at->y[0];
    return CD_OK;
}

static CdStatus only_note(void *data, CdEvent *event, CdPoint *at) {
    note(data, event, at->t);
    return CD_OK;
}

static CdStatus level(void *data, const CdPoint *at, double *z) {
    const World *w = data;
    z[0] = at->y[0] - w->data[0];
    return CD_OK;
}

static CdProblem sine(World *w, int nz, CdStatus (*events)(void *, const CdPoint *, double *)) {
    return (CdProblem){.name = "sine",
                       .data = w,
                       .ny = 2,
                       .rate = sine_rate,
                       .nz = nz,
                       .events = events,
                       .handle_event = only_note};
}

static CdIntegrator *start_sine(TestLog *log, const CdProblem *p, double t, const char *method) {
    return start(log, p, method, (CdPoint){.t = t, .y = (double[]){sin(t), cos(t)}});
}

// both crossings lie within one step, where the ends tell nothing
TEST(tangents_are_found) {
    TestLog log;
    test_log_open(&log);
    const double below[] = {1e-2, 1e-4, 1e-6, 1e-8};
    for (int k = 0; k < 4; k++) {
        World w = {.data = {1 - below[k]}};
        const CdProblem p = sine(&w, 1, level);
        // the top at pi/2 is well inside a step
        CdIntegrator *it = start_sine(&log, &p, 1.2, "rk4(step=0.02)");
        CHECK_OK(cd_integrator_run(it, 2, NULL));
        const double a = asin(1 - below[k]);
        CHECK_INT(w.n, 2);
        CHECK_INT(w.event[0].now, 1);
        CHECK_INT(w.event[1].now, 0);
        // the cubic is as good as the method, and the root as good as its slope allows
        const double tol = 1e-9 / sqrt(2 * below[k]);
        CHECK_NEAR(w.event[0].t, a, tol);
        CHECK_NEAR(w.event[1].t, acos(-1) - a, tol);
        cd_integrator_free(it);
    }
    // and it is not found where it is not
    World w = {.data = {1 + 1e-6}};
    const CdProblem p = sine(&w, 1, level);
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.05)");
    CHECK_OK(cd_integrator_run(it, 100, NULL));
    CHECK_INT(w.n, 0);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// three times in one step, two of them the same
static CdStatus at_times(void *data, const CdPoint *at, double *z) {
    const World *w = data;
    for (int i = 0; i < 3; i++) z[i] = at->t - w->data[i];
    return CD_OK;
}

TEST(the_earliest_comes_first_and_the_same_together) {
    TestLog log;
    test_log_open(&log);
    World w = {.data = {0.7, 0.3, 0.7}};
    const CdProblem p = sine(&w, 3, at_times);
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=1)");
    // an event ends the step
    CHECK_OK(cd_integrator_step(it, 1));
    CHECK_NEAR(cd_integrator_now(it)->t, 0.3, 4e-15);
    CHECK(cd_integrator_now(it)->t > 0.3);
    CHECK_INT(w.event[0].which, 1);
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_INT(w.n, 2);
    CHECK_INT(w.event[1].n, 2);
    CHECK_INT(w.event[1].which, 0);
    CHECK_NEAR(w.event[1].t, 0.7, 4e-15);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static CdStatus identity(void *data, const CdPoint *at, double *z) {
    (void)data;
    z[0] = at->y[0];
    return CD_OK;
}

// sin t is 0 at the start: leaving it upwards is an event, downwards is none
TEST(zero_at_the_start_is_not_positive) {
    TestLog log;
    test_log_open(&log);
    World w = {0};
    const CdProblem p = sine(&w, 1, identity);
    CdIntegrator *it = start(&log, &p, "rk4(step=0.1)", (CdPoint){.y = (double[]){0, 1}});
    CHECK_INT(w.n, 0);
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_INT(w.n, 1);
    CHECK_INT(w.event[0].now, 1);
    CHECK(w.event[0].t < 1e-12);
    w.n = 0;
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = (double[]){0, -1}}));
    CHECK_OK(cd_integrator_run(it, 4, NULL));
    CHECK_INT(w.n, 1);
    CHECK_NEAR(w.event[0].t, acos(-1), 1e-5);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- announced times, ends of steps

static CdStatus every_third(void *data, double t, double *next) {
    World *w = data;
    *next = (floor(t * 3 + 1e-9) + 1) / 3;
    if (w->mode == 1) *next = t;
    return CD_OK;
}

TEST(announced_times_are_hit_exactly) {
    TestLog log;
    test_log_open(&log);
    World w = {0};
    CdProblem p = sine(&w, 0, NULL);
    p.next_time = every_third;
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.07)");
    CHECK_OK(cd_integrator_run(it, 2, NULL));
    CHECK_INT(w.n, 6);
    for (int k = 0; k < 6; k++) {
        CHECK_BITS(w.event[k].t, (k + 1) / 3.0);
        CHECK_INT(w.event[k].kind, CD_EVENT_TIME);
    }
    CHECK_NEAR(cd_integrator_now(it)->y[0], sin(2), 1e-5);
    w.mode = 1;
    CHECK_INT(cd_integrator_run(it, 3, NULL), CD_INVALID);
    CHECK(strstr(log.text, "problem 'sine', method 'rk4': next_time gave 2.333333333") == log.text);
    cd_integrator_free(it);
    test_log_close(&log);
}

// at one time: the state first, then the clock
TEST(state_and_time_meet_in_order) {
    TestLog log;
    test_log_open(&log);
    World w = {.data = {1 / 3.0, 9, 9}};
    CdProblem p = sine(&w, 3, at_times);
    p.next_time = every_third;
    // z > 0 first at a time after 1/3, so shift it: not positive becomes positive just at 1/3
    w.data[0] = nextafter(1 / 3.0, 0);
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.1)");
    CHECK_OK(cd_integrator_run(it, 0.5, NULL));
    CHECK_INT(w.n, 2);
    CHECK_INT(w.event[0].kind, CD_EVENT_STATE);
    CHECK_INT(w.event[1].kind, CD_EVENT_TIME);
    CHECK_BITS(w.event[0].t, 1 / 3.0);
    CHECK_BITS(w.event[1].t, 1 / 3.0);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static CdStatus every_other(void *data, const CdPoint *at, bool *event) {
    World *w = data;
    CHECK(isfinite(at->ydot[0]));
    *event = ++w->mode % 2 == 0;
    return CD_OK;
}

TEST(steps_may_end_in_events) {
    TestLog log;
    test_log_open(&log);
    World w = {0};
    CdProblem p = sine(&w, 0, NULL);
    p.step_end = every_other;
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.1)");
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_INT(w.n, 5);
    CHECK_INT(w.event[4].kind, CD_EVENT_STEP);
    CHECK_NEAR(w.event[4].t, 1, 1e-15);
    CHECK_INT(cd_integrator_statistics(it)->steps, 10);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- samples around an event, ends of runs

static CdStatus take_sample(void *user, const CdPoint *at) {
    World *w = user;
    CHECK(w->samples == 0 || at->t > w->last_sample);
    w->last_sample = at->t;
    w->samples++;
    // before the bounce the ball falls, after it rises with 0.8 of the speed
    const double fall = sqrt(2 / GRAVITY), t = at->t;
    const double expected = t < fall ? 1 - GRAVITY * t * t / 2
                                     : RESTITUTION * GRAVITY * fall * (t - fall) -
                                           GRAVITY * (t - fall) * (t - fall) / 2;
    CHECK_NEAR(at->y[0], expected, 1e-12);
    return CD_OK;
}

TEST(samples_know_nothing_of_the_other_side) {
    TestLog log;
    test_log_open(&log);
    World w = {.data = {RESTITUTION}};
    const CdProblem p = ball_ode(&w);
    // one step over the bounce
    CdIntegrator *it = start(&log, &p, "rk4(step=0.6)", (CdPoint){.y = (double[]){1, 0}});
    CdObserver o = {.user = &w, .interval = 0.01, .sample = take_sample};
    CHECK_OK(cd_integrator_run(it, 1, &o));
    CHECK_INT(w.samples, 101);
    CHECK_BITS(w.last_sample, 1);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// steps follow each other without a gap, and the motion before and after the bounce is known inside
static CdStatus look_inside(void *user, double begin, double end) {
    World *w = user;
    const CdPoint *at;
    CHECK_BITS(begin, w->last_sample);
    CHECK(end > begin);
    w->last_sample = end;
    CHECK_OK(cd_integrator_at(w->it, begin + 0.3 * (end - begin), &at));
    const double fall = sqrt(2 / GRAVITY), t = at->t - fall;
    CHECK_NEAR(at->y[1], w->n == 0 ? -GRAVITY * at->t : GRAVITY * (RESTITUTION * fall - t), 1e-9);
    w->samples++;
    return CD_OK;
}

TEST(steps_can_be_looked_into_before_events_change_the_state) {
    TestLog log;
    test_log_open(&log);
    World w = {.data = {RESTITUTION}};
    const CdProblem p = ball_ode(&w);
    w.it = start(&log, &p, "rk4(step=0.3)", (CdPoint){.y = (double[]){1, 0}});
    CdObserver o = {.user = &w, .inside = look_inside};
    CHECK_OK(cd_integrator_run(w.it, 1, &o));
    CHECK_INT(w.n, 1);
    CHECK_INT(w.samples, cd_integrator_statistics(w.it)->steps);
    CHECK_BITS(w.last_sample, 1);
    cd_integrator_free(w.it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static CdStatus sees_the_jump(void *user, const CdPoint *at) {
    World *w = user;
    w->samples++;
    // y0 is set to 7 at t = 0.5
    CHECK((at->t < 0.5) == (at->y[0] < 2));
    return CD_OK;
}

static CdStatus set_seven(void *data, CdEvent *event, CdPoint *at) {
    note(data, event, at->t);
    at->y[0] = 7;
    at->y[1] = 0;
    return CD_OK;
}

static CdStatus at_half(void *data, double t, double *next) {
    (void)data;
    *next = t < 0.5 ? 0.5 : INFINITY;
    return CD_OK;
}

TEST(a_sample_at_an_event_is_after_it) {
    TestLog log;
    test_log_open(&log);
    World w = {0};
    CdProblem p = sine(&w, 0, NULL);
    p.next_time = at_half;
    p.handle_event = set_seven;
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.1)");
    CdObserver o = {.user = &w, .interval = 0.125, .sample = sees_the_jump};
    CHECK_OK(cd_integrator_run(it, 0.75, &o));
    CHECK_INT(w.samples, 7);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static CdStatus stop_here(void *data, CdEvent *event, CdPoint *at) {
    note(data, event, at->t);
    event->terminate = true;
    return CD_OK;
}

TEST(an_event_may_end_the_run) {
    TestLog log;
    test_log_open(&log);
    World w = {0};
    CdProblem p = sine(&w, 1, identity);
    p.handle_event = stop_here;
    CdIntegrator *it = start_sine(&log, &p, 1, "rk4(step=0.01)");
    CHECK_OK(cd_integrator_run(it, 10, NULL));
    CHECK(cd_integrator_finished(it));
    CHECK_NEAR(cd_integrator_now(it)->t, acos(-1), 1e-9);
    CHECK_NEAR(cd_integrator_now(it)->ydot[0], -1, 1e-9);
    CHECK_INT(cd_integrator_run(it, 10, NULL), CD_INVALID);
    CHECK_TEXT(log.text,
               "problem 'sine', method 'rk4': was ended by an event at t = 3.14159265; start it "
               "again\n");
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.y = (double[]){0, 1}}));
    CHECK(!cd_integrator_finished(it));
    cd_integrator_free(it);
    test_log_close(&log);
}

// ---- events that cause events

// z0 = y0 - 1/2; handling it switches mode 1 on, which moves z1, which switches mode 2 on
static CdStatus chain_functions(void *data, const CdPoint *at, double *z) {
    const World *w = data;
    z[0] = at->y[0] - 0.5;
    z[1] = w->mode >= 1 ? 1 : -1;
    return CD_OK;
}

static CdStatus chain_handle(void *data, CdEvent *event, CdPoint *at) {
    World *w = data;
    note(w, event, at->t);
    w->mode++;
    return CD_OK;
}

TEST(events_may_cause_events) {
    TestLog log;
    test_log_open(&log);
    World w = {0};
    CdProblem p = sine(&w, 2, chain_functions);
    p.handle_event = chain_handle;
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.01)");
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_INT(w.n, 2);
    CHECK_INT(w.event[0].which, 0);
    CHECK_INT(w.event[1].which, 1);
    CHECK_BITS(w.event[0].t, w.event[1].t);
    CHECK_NEAR(w.event[0].t, asin(0.5), 1e-9);
    CHECK_INT(cd_integrator_statistics(it)->restarts, 1);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// the mode contradicts itself: whatever is done, z[1] changes
static CdStatus restless_functions(void *data, const CdPoint *at, double *z) {
    const World *w = data;
    z[0] = at->y[0] - 0.5;
    z[1] = w->mode % 2 ? 1 : -1;
    return CD_OK;
}

TEST(events_that_do_not_settle_are_named) {
    TestLog log;
    test_log_open(&log);
    World w = {0};
    const char *const names[] = {"half", "mode"};
    CdProblem p = sine(&w, 2, restless_functions);
    p.handle_event = chain_handle;
    p.event_names = names;
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.01, event_limit=7)");
    CHECK_INT(cd_integrator_run(it, 1, NULL), CD_LIMIT);
    CHECK_TEXT(log.text, "problem 'sine', method 'rk4': events do not settle at t = 0.523598776: "
                         "after 7 of them event function 'mode' still changes; handle_event must "
                         "lead to a lasting state\n");
    CHECK_INT(w.n, 8);
    CHECK_NEAR(cd_integrator_now(it)->y[0], 0.5, 1e-12);
    cd_integrator_free(it);
    test_log_close(&log);
}

// x' = -sign(x): the relay switches at every event and never gets away from 0
static CdStatus relay_rate(void *data, const CdPoint *at, double *dy) {
    const World *w = data;
    (void)at;
    dy[0] = w->mode ? -1 : 1;
    return CD_OK;
}

static CdStatus relay_switch(void *data, CdEvent *event, CdPoint *at) {
    World *w = data;
    (void)at;
    w->n++;
    w->mode = event->now[0];
    return CD_OK;
}

TEST(chattering_is_named) {
    TestLog log;
    test_log_open(&log);
    World w = {.mode = 1};
    const CdProblem p = {.name = "relay",
                         .data = &w,
                         .ny = 1,
                         .rate = relay_rate,
                         .nz = 1,
                         .events = identity,
                         .handle_event = relay_switch};
    CdIntegrator *it = start(&log, &p, "rk4(step=0.01)", (CdPoint){.y = (double[]){0.5}});
    CHECK_INT(cd_integrator_run(it, 1, NULL), CD_LIMIT);
    CHECK(
        strstr(log.text, "problem 'relay', method 'rk4': event function z[0] chatters at t = 0.5"));
    CHECK_NEAR(cd_integrator_now(it)->t, 0.5, 1e-12);
    CHECK(w.n < 300);
    cd_integrator_free(it);
    test_log_close(&log);
}

// ---- constraints: the pendulum from rest at 90 degrees

// lambda is the tension 3 g cos(angle), here 3 g (-y)
static CdStatus tension(void *data, const CdPoint *at, double *z) {
    (void)data;
    z[0] = at->q[0];
    z[1] = at->lambda[0] - 1.5 * GRAVITY;
    return CD_OK;
}

static CdStatus turn_back(void *data, CdEvent *event, CdPoint *at) {
    World *w = data;
    note(w, event, at->t);
    CHECK_NEAR(at->q[0] * at->q[0] + at->q[1] * at->q[1], 1, 1e-10);
    CHECK_NEAR(at->q[0] * at->v[0] + at->q[1] * at->v[1], 0, 1e-9);
    if (event->which[0] == 1) {
        CHECK_NEAR(at->q[1], -0.5, 1e-5);
    } else if (!event->now[0]) {
        // the wall; a little more than only tangential, which projection removes
        CHECK_NEAR(at->q[1], -1, 1e-9);
        at->v[0] *= -1;
        at->v[1] += 0.01;
    }
    return CD_OK;
}

TEST(constrained_motion_has_events) {
    TestLog log;
    test_log_open(&log);
    // of the quarter of the period: K(sin 45 deg) sqrt(l/g)
    const double quarter = 1.8540746773013719 / sqrt(GRAVITY);
    FOR_METHODS(cls) {
        char method[80];
        World w = {0};
        CdProblem p = pendulum;
        p.data = &w;
        p.nz = 2;
        p.events = tension;
        p.handle_event = turn_back;
        CdIntegrator *it;
        if ((*cls)->fixed_only || (*cls)->order < 4) {
            with_step(*cls, 0.001, method);
        } else {
            snprintf(method, sizeof method, "%s(rtol=1e-9, atol=1e-9)", (*cls)->desc.name);
        }
        const CdStatus status = cd_integrator_new(log.ctx, &p, method, &it);
        CHECK(status == CD_OK || (status == CD_INVALID && log.n > 0));
        test_log_clear(&log);
        if (status != CD_OK) continue;
        CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = (double[]){1, 0}}));
        CHECK_OK(cd_integrator_run(it, 3.5 * quarter, NULL));
        // tension up, wall, off the wall, tension down, up, wall, off
        const int which[] = {1, 0, 0, 1, 1, 0, 0}, now[] = {1, 0, 1, 0, 1, 0, 1};
        CHECK(w.n >= 7);
        for (int k = 0; k < 7; k++) {
            CHECK_INT(w.event[k].which, which[k]);
            CHECK_INT(w.event[k].now, now[k]);
        }
        const double tol = (*cls)->order < 4 ? 1e-5 : 1e-7;
        printf("     %s: wall at %.1e, %.1e s\n", (*cls)->desc.name, w.event[1].t - quarter,
               w.event[5].t - 3 * quarter);
        CHECK_NEAR(w.event[1].t, quarter, tol);
        CHECK_NEAR(w.event[5].t, 3 * quarter, 3 * tol);
        CHECK_NEAR(pendulum_energy(cd_integrator_now(it)), 0, 1e-4);
        cd_integrator_free(it);
        CHECK_TEXT(log.text, "");
    }
    test_log_close(&log);
}

// ---- misuse

static CdStatus bad_functions(void *data, const CdPoint *at, double *z) {
    const World *w = data;
    z[0] = w->mode == 1 && at->t > 0.5 ? NAN : 1;
    return w->mode == 2 && at->t > 0.5 ? CD_IO : CD_OK;
}

static CdStatus bad_handler(void *data, CdEvent *event, CdPoint *at) {
    const World *w = data;
    (void)event;
    if (w->mode == 3) at->t += 1;
    if (w->mode == 4) at->y[1] = NAN;
    at->y[0] = 7;
    return w->mode == 5 ? CD_IO : CD_OK;
}

static void misuse(int mode, CdStatus status, const char *message) {
    TestLog log;
    test_log_open(&log);
    World w = {.mode = mode};
    CdProblem p = sine(&w, 1, bad_functions);
    p.handle_event = bad_handler;
    p.next_time = at_half;
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.125)");
    CHECK_INT(cd_integrator_run(it, 1, NULL), status);
    CHECK_TEXT(log.text, message);
    // the state before the event, not what the handler made of it
    if (mode >= 3) {
        CHECK_BITS(cd_integrator_now(it)->t, 0.5);
        CHECK_NEAR(cd_integrator_now(it)->y[0], sin(0.5), 1e-4);
        CHECK_NEAR(cd_integrator_now(it)->y[1], cos(0.5), 1e-4);
    }
    cd_integrator_free(it);
    test_log_close(&log);
}

#define SINE "problem 'sine', method 'rk4': "

TEST(wrong_callbacks_are_told) {
    misuse(1, CD_NONFINITE, SINE "event function z[0] is nan at t = 0.625\n");
    misuse(2, CD_IO, SINE "'events' returned CD_IO at t = 0.625\n");
    misuse(3, CD_INVALID, SINE "handle_event must not change t = 0.5\n");
    misuse(4, CD_NONFINITE, SINE "handle_event gave y[1] no finite value at t = 0.5\n");
    misuse(5, CD_IO, SINE "'handle_event' returned CD_IO at t = 0.5\n");
}

// ---- structure that changes

static unsigned epoch(void *data) {
    return (unsigned)((const World *)data)->mode;
}

TEST(the_structure_may_change_at_an_event) {
    TestLog log;
    test_log_open(&log);
    World w = {0};
    CdProblem p = sine(&w, 0, NULL);
    p.next_time = at_half;
    p.handle_event = chain_handle;
    p.pattern_epoch = epoch;
    CdIntegrator *it = start_sine(&log, &p, 0, "rk4(step=0.01)");
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK_INT(w.n, 1);
    CHECK_NEAR(cd_integrator_now(it)->y[0], sin(1), 1e-9);
    const CdStatistics *s = cd_integrator_statistics(it);
    CHECK_INT(s->steps, 100);
    CHECK(s->allocations > 0);
    cd_integrator_free(it);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static CdStatus change_structure(CdContext *ctx, void *user) {
    (void)user;
    World w = {0};
    CdProblem p = sine(&w, 0, NULL);
    p.next_time = at_half;
    p.handle_event = chain_handle;
    p.pattern_epoch = epoch;
    CdIntegrator *it;
    CD_TRY(cd_integrator_new(ctx, &p, "rk4(step=0.1)", &it));
    CdStatus status = cd_integrator_start(it, &(CdPoint){0});
    if (status == CD_OK) status = cd_integrator_run(it, 1, NULL);
    // a failure leaves an integrator that still answers
    CHECK(status == CD_OK || cd_integrator_now(it)->t <= 0.5);
    CHECK(cd_integrator_statistics(it)->steps <= 10);
    cd_integrator_free(it);
    return status;
}

TEST(memory_may_run_out_when_the_structure_changes) {
    CHECK_OOM(change_structure, NULL);
}

int main(void) {
    RUN(a_ball_bounces_at_the_right_times);
    RUN(a_ball_that_comes_to_rest_is_named);
    RUN(tangents_are_found);
    RUN(the_earliest_comes_first_and_the_same_together);
    RUN(zero_at_the_start_is_not_positive);
    RUN(announced_times_are_hit_exactly);
    RUN(state_and_time_meet_in_order);
    RUN(steps_may_end_in_events);
    RUN(samples_know_nothing_of_the_other_side);
    RUN(steps_can_be_looked_into_before_events_change_the_state);
    RUN(a_sample_at_an_event_is_after_it);
    RUN(an_event_may_end_the_run);
    RUN(events_may_cause_events);
    RUN(events_that_do_not_settle_are_named);
    RUN(chattering_is_named);
    RUN(constrained_motion_has_events);
    RUN(wrong_callbacks_are_told);
    RUN(the_structure_may_change_at_an_event);
    RUN(memory_may_run_out_when_the_structure_changes);
    return test_end();
}
