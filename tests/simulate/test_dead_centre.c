// test_dead_centre.c - linkages that start in line: where the rank there is that of everywhere they
// run, x = r cos p + sqrt(l^2 - r^2 sin^2 p), where it is lower they are refused
#include <math.h>
#include <string.h>

#include "simulate/check.h"
#include "simulate/session.h"
#include "test.h"

#define MAX_TEXT 4096

typedef struct Crank {
    bool planar;
    double r, l; // crank, rod; r < 0: folded
    const char *drive, *motion;
    double speed; // of the crank at the start
    const char *wrist, *bore;
} Crank;

// ---- models

static size_t put_body(char *text, size_t size, bool planar, const char *name, double x, double vy,
                       double w) {
    const char *law = planar ? "RigidBody2D" : "RigidBody";
    const char *turn = planar ? "%.17g" : "[0, 0, %.17g]";
    size_t n = (size_t)snprintf(text, size,
                                "{\"class\": \"%s\", \"name\": \"%s\", \"position\": [%.17g, 0, "
                                "0], \"velocity\": [0, %.17g, 0], \"angular_velocity\": ",
                                law, name, x, vy);
    n += (size_t)snprintf(text + n, size - n, turn, w);
    n += (size_t)snprintf(text + n, size - n,
                          ", \"shape\": {\"class\": \"Cuboid\", \"size\": [0.1, 0.02, 0.02]}},");
    return n;
}

static size_t put_joint(char *text, size_t size, bool planar, const char *law, const char *name,
                        const char *a, const char *b, double x) {
    const bool slides = strcmp(law, "Revolute") != 0 && strcmp(law, "Spherical") != 0;
    size_t n = (size_t)snprintf(text, size,
                                "{\"class\": \"%s%sJoint\", \"name\": \"%s\", \"at\": [%.17g, 0, "
                                "0]",
                                planar ? "Planar" : "", law, name, x);
    if (strcmp(law, "Spherical") != 0) {
        n += (size_t)snprintf(text + n, size - n, ", \"axis\": %s",
                              slides ? "[1, 0, 0]" : "[0, 0, 1]");
    }
    if (a) n += (size_t)snprintf(text + n, size - n, ", \"body_a\": \"%s\"", a);
    return n + (size_t)snprintf(text + n, size - n, ", \"body_b\": \"%s\"},", b);
}

static size_t put_head(char *text, size_t size) {
    return (size_t)snprintf(text, size,
                            "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\", "
                            "\"acceleration\": [0, -9.81, 0]},");
}

static void put_drive(char *text, size_t size, const char *joint, const char *motion) {
    snprintf(text, size,
             "{\"class\": \"JointMotion\", \"name\": \"motor\", \"joint\": \"%s\", \"motion\": "
             "\"%s\"}]}",
             joint, motion);
}

static void slider_crank(const Crank *c, char text[MAX_TEXT]) {
    const double r = c->r, end = c->r + c->l, vy = c->speed * r;
    const bool planar = c->planar;
    size_t n = put_head(text, MAX_TEXT);
    n += put_body(text + n, MAX_TEXT - n, planar, "crank", r / 2, vy / 2, c->speed);
    n += put_body(text + n, MAX_TEXT - n, planar, "rod", r + c->l / 2, vy / 2, -vy / c->l);
    n += put_body(text + n, MAX_TEXT - n, planar, "piston", end, 0, 0);
    n += put_joint(text + n, MAX_TEXT - n, planar, "Revolute", "bearing", NULL, "crank", 0);
    n += put_joint(text + n, MAX_TEXT - n, planar, "Revolute", "pin", "crank", "rod", r);
    n += put_joint(text + n, MAX_TEXT - n, planar, c->wrist ? c->wrist : "Revolute", "wrist", "rod",
                   "piston", end);
    n += put_joint(text + n, MAX_TEXT - n, planar, c->bore ? c->bore : "Prismatic", "bore", NULL,
                   "piston", end);
    put_drive(text + n, MAX_TEXT - n, c->drive, c->motion);
}

// a from 0, b and c in line with it, the last hinge at d
static void four_bar(bool planar, double a, double b, double d, const char *drive,
                     char text[MAX_TEXT]) {
    size_t n = put_head(text, MAX_TEXT);
    n += put_body(text + n, MAX_TEXT - n, planar, "crank", a / 2, 0, 0);
    n += put_body(text + n, MAX_TEXT - n, planar, "bar", a + b / 2, 0, 0);
    n += put_body(text + n, MAX_TEXT - n, planar, "rocker", (a + b + d) / 2, 0, 0);
    n += put_joint(text + n, MAX_TEXT - n, planar, "Revolute", "A", NULL, "crank", 0);
    n += put_joint(text + n, MAX_TEXT - n, planar, "Revolute", "B", "crank", "bar", a);
    n += put_joint(text + n, MAX_TEXT - n, planar, "Revolute", "C", "bar", "rocker", a + b);
    n += put_joint(text + n, MAX_TEXT - n, planar, "Revolute", "D", NULL, "rocker", d);
    put_drive(text + n, MAX_TEXT - n, drive, "0.5*t^2");
}

// ---- runs

// status of the start or of the run to t, and what was said
static CdStatus run(const char *text, const char *method, double t, CdSession *s, TestLog *log,
                    CdModel **model) {
    test_log_open(log);
    CHECK_OK(cdi_model_read_text(log->ctx, text, strlen(text), "x.json", model));
    CD_TRY(cdi_session_open(s, *model, method, 1, NULL));
    CD_TRY(cdi_session_start(s));
    return cd_integrator_run(s->it, t, NULL);
}

static void close(CdSession *s, TestLog *log, CdModel *model) {
    cdi_session_close(s);
    cdi_model_free(model);
    test_log_close(log);
}

// the crank is at p after 1 s
static void check_piston(const Crank *c, const char *method, double p) {
    char text[MAX_TEXT];
    TestLog log;
    CdSession s;
    CdModel *model;
    double residuals[3];
    slider_crank(c, text);
    CHECK_OK(run(text, method, 1, &s, &log, &model));
    const CdPoint *at = cd_integrator_now(s.it);
    const double arm = c->r * sin(p), x = c->r * cos(p) + sqrt(c->l * c->l - arm * arm);
    CHECK_NEAR(at->q[s.system->bodies[s.system->nbodies - 1].q0], x, 1e-10);
    cdi_system_residuals(s.work, at, residuals);
    CHECK_NEAR(residuals[0], 0, 1e-10);
    close(&s, &log, model);
}

static const char *const methods[] = {"gen-alpha(step=5e-3, adaptive=false)",
                                      "gen-alpha(step=5e-3, adaptive=false, form=index3)",
                                      "rk4(step=5e-3)"};

TEST(a_driven_crank_leaves_dead_centre_as_geometry_says) {
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++) {
            const Crank fast = {.planar = i % 2 == 0,
                                .r = i < 2 ? 0.1 : -0.1,
                                .l = 0.3,
                                .drive = "bearing",
                                .motion = "10*t",
                                .speed = 10};
            Crank slow = fast;
            slow.motion = "-3*t^2";
            slow.speed = 0;
            check_piston(&fast, methods[k], 10);
            check_piston(&slow, methods[k], -3);
        }
    }
}

static void refused(const char *text, double t, CdStatus wanted, const char *message) {
    TestLog log;
    CdSession s;
    CdModel *model;
    CHECK_INT(run(text, methods[0], t, &s, &log, &model), wanted);
    CHECK_TEXT(log.text, message);
    close(&s, &log, model);
}

#define SINGULAR(joints, rank, nearby)                                                         \
    "the start is a singular position of joints " joints ": their constraints have rank " rank \
    " there and " nearby " nearby; start a little away from it\n"
#define LINE "'bearing', 'pin', 'wrist', 'motor'"
#define SLIDER "'bearing', 'pin', 'wrist', 'bore', 'motor'"
#define BARS "'A', 'B', 'C', 'D'"

TEST(a_driven_piston_does_not_leave_dead_centre) {
    char text[MAX_TEXT];
    for (int i = 0; i < 4; i++) {
        const bool planar = i % 2 == 0;
        const Crank c = {.planar = planar,
                         .r = i < 2 ? 0.1 : -0.1,
                         .l = 0.3,
                         .drive = "bore",
                         .motion = "-0.01*t^2"};
        slider_crank(&c, text);
        refused(text, 1, CD_SINGULAR,
                planar ? SINGULAR(LINE, "8", "9") : SINGULAR(SLIDER, "17", "18"));
    }
}

// a parallelogram laid flat, and a linkage that has one such position only
TEST(four_bars_in_line_are_refused) {
    static const double lengths[][3] = {{1, 2, 2}, {1, 3, 2.5}, {0.1, 2, 0.6}};
    char text[MAX_TEXT];
    for (int k = 0; k < 3; k++) {
        for (int planar = 0; planar < 2; planar++) {
            const double *x = lengths[k];
            four_bar(planar, x[0], x[1], x[2], k == 1 ? "B" : "A", text);
            refused(text, 1, CD_SINGULAR,
                    planar ? SINGULAR(BARS, "8", "9") : SINGULAR(BARS, "17", "18"));
        }
    }
}

// ---- equal crank and rod, folded: all of it turns about the bearing while the pin does not

static const Crank folded = {.planar = true, .r = -0.1, .l = 0.1, .drive = "pin"};

TEST(a_drive_that_leaves_a_singular_position_is_refused) {
    char text[MAX_TEXT];
    for (int planar = 0; planar < 2; planar++) {
        Crank c = folded;
        c.planar = planar;
        c.motion = "0.1*t^2";
        slider_crank(&c, text);
        refused(text, 1, CD_SINGULAR,
                planar ? SINGULAR(SLIDER, "8", "9") : SINGULAR(SLIDER, "17", "18"));
    }
}

#define ONE_REDUNDANT                                                                          \
    "1 of the constraints of joints 'bearing', 'pin', 'wrist', 'bore', 'motor' is redundant; " \
    "of the reactions that make this motion the smallest are told\n"

TEST(a_drive_that_stays_there_is_not) {
    char text[MAX_TEXT];
    Crank c = folded;
    c.motion = "0";
    slider_crank(&c, text);
    refused(text, 1, CD_OK, ONE_REDUNDANT);
}

TEST(constraints_that_others_no_longer_hold_end_the_run) {
    char text[MAX_TEXT];
    TestLog log;
    CdSession s;
    CdModel *model;
    Crank c = folded;
    c.motion = "3*max(0, t - 0.8)^2";
    slider_crank(&c, text);
    CHECK_INT(run(text, methods[0], 1, &s, &log, &model), CD_SINGULAR);
    const double t = cd_integrator_now(s.it)->t;
    CHECK(t > 0.8 && t < 0.82);
    // which of them does not act is a matter of rounding
    CHECK(strstr(log.text, "problem 'model', method 'gen-alpha': joint '"));
    CHECK(strstr(log.text, " is violated by "));
    CHECK(strstr(log.text, ": it depended on other constraints at the start, but no longer does; "
                           "start a little away from that singular position\n"));
    close(&s, &log, model);
}

// ---- rounding

// nothing sees how the piston turns about its axis but rounding
TEST(velocities_that_no_constraint_sees_do_not_count) {
    char text[MAX_TEXT];
    TestLog log;
    CdSession s;
    CdModel *model;
    CdRank rank;
    const Crank c = {.r = 0.1,
                     .l = 0.3,
                     .drive = "bearing",
                     .motion = "t^2",
                     .wrist = "Spherical",
                     .bore = "Cylindrical"};
    slider_crank(&c, text);
    CHECK_OK(run(text, methods[0], 0.01, &s, &log, &model));
    CHECK_INT(s.start.rank.rank, 17);
    for (int k = 0; k < s.system->jpattern->nnz; k++) s.start.J[k] += 1e-17 * (1 + k * k % 7);
    CHECK_OK(cdi_rank(&s.arena, s.system, s.start.J, CD_RANK_TOLERANCE, &rank));
    CHECK_INT(rank.rank, 17);
    close(&s, &log, model);
}

int main(void) {
    RUN(a_driven_crank_leaves_dead_centre_as_geometry_says);
    RUN(a_driven_piston_does_not_leave_dead_centre);
    RUN(four_bars_in_line_are_refused);
    RUN(a_drive_that_leaves_a_singular_position_is_refused);
    RUN(a_drive_that_stays_there_is_not);
    RUN(constraints_that_others_no_longer_hold_end_the_run);
    RUN(velocities_that_no_constraint_sees_do_not_count);
    return test_end();
}
