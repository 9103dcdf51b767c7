// bouncing_ball.c - a ball that falls from 1 m and leaves the ground with half its speed
//
//   h'' = -g      at h = 0, falling: h'+ = -e h'-      g = 9.81, e = 1/2
//
//   t_1 = sqrt(2 h0/g)      t_n = t_1 (1 + 2 (e + ... + e^(n-1)))      t_inf = t_1 (1 + e)/(1 - e)
//
// The bounces crowd at t_inf = 1.3545709229571927; the run ends before.

#include "bouncing_ball.h"

#include <math.h>

#define GRAVITY 9.81
#define RESTITUTION 0.5

double ivp_bounce_time(int n) {
    const double first = sqrt(2 / GRAVITY);
    return first * (1 + 2 * (RESTITUTION - pow(RESTITUTION, n)) / (1 - RESTITUTION));
}

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data, (void)at;
    f[0] = -GRAVITY;
    return CD_OK;
}

static CdStatus events(void *data, const CdPoint *at, double *z) {
    (void)data;
    z[0] = at->q[0];
    return CD_OK;
}

// rising through 0 is an event too, with nothing to do
static CdStatus handle_event(void *data, CdEvent *event, CdPoint *at) {
    (void)data, (void)event;
    if (at->v[0] < 0) {
        at->q[0] = 0;
        at->v[0] *= -RESTITUTION;
    }
    return CD_OK;
}

static void exact(const void *data, double t, CdPoint *at) {
    (void)data;
    int n = 0;
    while (t > ivp_bounce_time(n + 1)) n++;
    if (n == 0) {
        at->q[0] = 1 - GRAVITY * t * t / 2;
        at->v[0] = -GRAVITY * t;
        return;
    }
    const double s = t - ivp_bounce_time(n);
    const double v = pow(RESTITUTION, n) * sqrt(2 * GRAVITY);
    at->q[0] = v * s - GRAVITY * s * s / 2;
    at->v[0] = v - GRAVITY * s;
}

static const double q0[] = {1}, v0[] = {0};
static const char *const event_names[] = {"ground"};

const IvpProblem ivp_bouncing_ball = {
    .name = "bouncing_ball",
    .doc = "Bouncing ball",
    .source = "exact",
    .problem = {.name = "bouncing_ball",
                .nv = 1,
                .force = force,
                .mass_constant = true,
                .nz = 1,
                .events = events,
                .event_names = event_names,
                .handle_event = handle_event},
    .t_end = 1.3,
    .q0 = q0,
    .v0 = v0,
    .exact = exact,
    .traits = IVP_EVENTS,
};
