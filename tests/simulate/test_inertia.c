// test_inertia.c - signs of pivots tell masses and stiffnesses that are not sound, and where
//
//   rod on a hinge with a torsional spring of stiffness -k, trapezoidal rule of step h:
//   the tangent along the hinge is I - k h^2/4, negative from h = 2 sqrt(I/k) on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/integrator.h"
#include "problem/work.h"
#include "simulate/mechanisms.h"
#include "simulate/session.h"
#include "test.h"

// about its end: m (a^2 + b^2)/12 + m a^2/4
#define INERTIA (1.01 / 12 + 0.25)
#define STIFFNESS 300.0
#define SPRING(text)                                                                    \
    ",{\"class\": \"TorsionalSpringDamper\", \"name\": \"twist\", \"marker_a\": "       \
    "\"hinge_a\", \"marker_b\": \"hinge_b\", \"elastic\": {\"class\": \"Expression\", " \
    "\"text\": \"" text "\"}}"
#define MARKERS                                                                        \
    "{\"class\": \"Marker\", \"name\": \"hinge_a\", \"body\": \"ground\"},"            \
    "{\"class\": \"Marker\", \"name\": \"hinge_b\", \"body\": \"rod\", \"position\": " \
    "[-0.5, 0, 0]},"
#define HINGED(text)                                                                      \
    MODEL(ROD("rod", "[0.5, 0, 0]", "") MARKERS                                           \
          "{\"class\": \"RevoluteJoint\", \"name\": \"pin\", \"marker_a\": \"hinge_a\", " \
          "\"marker_b\": \"hinge_b\"}" SPRING(text))

static CdStatus run(CdContext *ctx, const char *text, const char *method, double h, int steps,
                    CdRunSummary *summary) {
    CdModel *m;
    const CdRunOptions options = {
        .duration = h * steps, .step = h, .method = (char *)method, .threads = 1};
    CD_TRY(cdi_model_read_text(ctx, text, strlen(text), "x.json", &m));
    const CdStatus status = cdi_simulate_run(m, &options, NULL, summary);
    cdi_model_free(m);
    return status;
}

static CdiSigns signs_of(const char *text, const char *method, double h) {
    TestLog log;
    CdRunSummary summary;
    test_log_open(&log);
    CHECK_OK(run(log.ctx, text, method, h, 2, &summary));
    test_log_close(&log);
    return summary.inertia;
}

static void check_signs(CdiSigns s, int positive, int negative, int left_out, bool expected) {
    CHECK(s.known && s.judged);
    CHECK_INT(s.positive, positive);
    CHECK_INT(s.negative, negative);
    CHECK_INT(s.left_out, left_out);
    CHECK_INT(s.replaced, 0);
    CHECK_INT(s.expected, expected);
}

static const char *const methods[] = {
    "trapezoidal(adaptive=false,form=index3)",
    "trapezoidal(adaptive=false,form=ggl)",
    "integrator=trapezoidal(adaptive=false,form=index2) linsol=native",
    "integrator=trapezoidal(adaptive=false,form=index3) linsol=dense",
};

TEST(sound_mechanisms_have_the_signs_that_are_expected) {
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        check_signs(signs_of(HINGED("300*x"), methods[k], 0.01), 6, 5, 0, true);
    }
    // accelerations alone: masses
    check_signs(signs_of(HINGED("300*x"), "rk4", 0.01), 6, 5, 0, true);
    check_signs(signs_of(BRICARD, "gen-alpha(adaptive=false)", 0.01), 30, 29, 1, true);
}

TEST(constraints_that_do_not_act_are_not_counted) {
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        check_signs(signs_of(DOOR, methods[k], 0.01), 6, 5, 5, true);
        check_signs(signs_of(PARALLELOGRAM, methods[k], 0.01), 18, 17, 3, true);
    }
}

// a pivot changes its sign at the very step that theory gives
TEST(a_negative_stiffness_is_seen_from_the_step_on_that_makes_the_tangent_indefinite) {
    const double limit = 2 * sqrt(INERTIA / STIFFNESS);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        check_signs(signs_of(HINGED("-300*x"), methods[k], 0.999 * limit), 6, 5, 0, true);
        check_signs(signs_of(HINGED("-300*x"), methods[k], 1.001 * limit), 5, 6, 0, false);
    }
}

// of a mass whose sign is wrong, by hand: q'' = -f with unknowns that no constraint holds
typedef struct Masses {
    double m[2], above; // the diagonal, and what only one of the two rows has
} Masses;

static CdStatus force(void *data, const CdPoint *at, double *f) {
    (void)data;
    f[0] = -at->q[0];
    f[1] = -at->q[1];
    return CD_OK;
}

static CdStatus mass(void *data, const CdPoint *at, double *values) {
    const Masses *m = data;
    (void)at;
    values[0] = m->m[0];
    values[1] = 0;
    values[2] = m->above;
    values[3] = m->m[1];
    return CD_OK;
}

static CdiSigns mass_signs(double m0, double m1, double above) {
    TestLog log;
    Masses masses = {{m0, m1}, above};
    const CdProblem user = {
        .name = "masses", .data = &masses, .nq = 2, .nv = 2, .force = force, .mass = mass};
    const CdProblemSetup setup = {0};
    double q[2] = {1, 2}, v[2] = {0, 0};
    CdiProblem *p = NULL;
    CdiSigns signs = {0};
    test_log_open(&log);
    CHECK_OK(cdi_problem_new(log.ctx, &user, &setup, &p));
    if (p) CHECK_OK(cdi_mass_signs(p, &(CdPoint){.q = q, .v = v}, &signs));
    cdi_problem_free(p);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
    return signs;
}

TEST(a_negative_mass_has_a_negative_pivot) {
    check_signs(mass_signs(1, 2, 0), 2, 0, 0, true);
    check_signs(mass_signs(1, -2, 0), 1, 1, 0, false);
    check_signs(mass_signs(-1, -2, 0), 0, 2, 0, false);
    check_signs(mass_signs(1, 0, 0), 1, 0, 0, false);
    // (1 4; 0 1) has the symmetric part (1 2; 2 1)
    check_signs(mass_signs(1, 1, 4), 1, 1, 0, false);
    check_signs(mass_signs(1, 1, 1.9), 2, 0, 0, true);
}

// ---- messages

// what is in doubt after two steps
static void doubt(const char *text, const char *method, double h, const char *expected) {
    TestLog log;
    CdSession s;
    CdModel *m;
    CdText found;
    char with[CD_METHOD_MAX];
    test_log_open(&log);
    snprintf(with, sizeof with, "%s(step=%.17g,adaptive=false,form=index3)", method, h);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &m));
    CHECK_OK(cdi_session_open(&s, m, with, 1, NULL));
    CHECK_OK(cdi_session_start(&s));
    CHECK_OK(cd_integrator_run(s.it, 2 * h, NULL));
    cdi_text_init(&found, log.ctx);
    cdi_problem_doubt(s.it->problem, &found);
    CHECK_TEXT(found.v ? found.v : "", expected);
    cdi_text_free(&found);
    cdi_session_close(&s);
    cdi_model_free(m);
    test_log_close(&log);
}

#define DOUBT "; the tangent is not positive definite on the constraints: "

TEST(the_body_that_is_driven_away_is_named) {
    const double limit = 2 * sqrt(INERTIA / STIFFNESS);
    doubt(HINGED("-300*x"), "trapezoidal", 0.9 * limit, "");
    doubt(HINGED("-300*x"), "trapezoidal", 2 * limit,
          DOUBT "1 direction is negative, most of it rz of body 'rod'; look at masses and "
                "stiffnesses there");
    // in free flight there is nothing to doubt
    doubt(MODEL(GRAVITY ROD("rod", "[0, 0, 0]",
                            "") "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"rod\"}"),
          "trapezoidal", 0.1, "");
}

// pendulums side by side, so many that nobody looks at directions; some have the wrong spring
static char *many(int n, int bad) {
    char *text = malloc(700 * (size_t)n + 100), *at = text;
    at += sprintf(at, "{\"cardan\": 1, \"items\": [");
    for (int i = 0; i < n; i++) {
        at += sprintf(
            at,
            "%s" ROD("rod%d", "[0.5, 0, 0]",
                     "") "{\"class\": \"RevoluteJoint\", "
                         "\"name\": \"pin%d\", \"body_b\": \"rod%d\"},"
                         "{\"class\": \"Marker\", \"name\": \"a%d\", \"body\": \"ground\"},"
                         "{\"class\": \"Marker\", \"name\": \"b%d\", \"body\": \"rod%d\", "
                         "\"position\": [-0.5, 0, 0]},"
                         "{\"class\": \"TorsionalSpringDamper\", \"name\": \"twist%d\", "
                         "\"marker_a\": \"a%d\", \"marker_b\": \"b%d\", \"elastic\": {\"class\": "
                         "\"Expression\", \"text\": \"%d*x\"}}",
            i > 0 ? "," : "", i, i, i, i, i, i, i, i, i, i < bad ? -300 : 300);
    }
    sprintf(at, "]}");
    return text;
}

TEST(large_models_are_told_by_the_signs_of_their_factors) {
    const double h = 4 * sqrt(INERTIA / STIFFNESS);
    char *sound = many(30, 0), *bad = many(30, 2);
    check_signs(signs_of(sound, methods[0], h), 180, 150, 0, true);
    check_signs(signs_of(bad, methods[0], h), 178, 152, 0, false);
    doubt(sound, "trapezoidal", h, "");
    doubt(bad, "trapezoidal", h,
          DOUBT "2 directions are negative, most of it rz of body 'rod0'; look at masses and "
                "stiffnesses there");
    free(sound);
    free(bad);
}

// the tangent along the hinge is negative everywhere, and Newton's method leaves for ever
TEST(a_step_that_fails_tells_of_the_tangent) {
    TestLog log;
    CdRunSummary summary;
    char model[1024];
    const double h = 0.1, c = 4 * INERTIA / (h * h);
    snprintf(model, sizeof model, HINGED("-%.17g*x - 10*atan(1e6*(x - 0.1))"), c);
    test_log_open(&log);
    CHECK_INT(run(log.ctx, model, methods[0], h, 2, &summary), CD_NOCONV);
    CHECK(strstr(log.text, "Newton's method does not converge") != NULL);
    CHECK(strstr(log.text, DOUBT "1 direction is negative, most of it rz of body 'rod'; look at "
                                 "masses and stiffnesses there; try a smaller step") != NULL);
    check_signs(summary.inertia, 5, 6, 0, false);
    test_log_close(&log);
}

// ---- check

static void finds(const char *text, const char *item, double stiffness) {
    TestLog log;
    CdModel *m;
    CdCheck *c;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &m));
    if (!CHECK_OK(cdi_check(m, &c))) return;
    CHECK_TEXT(log.text, "");
    const CdFinding *found = NULL;
    for (size_t k = 0; k < c->findings.n; k++) {
        if (strcmp(c->findings.v[k].code, "stiffness") == 0) found = &c->findings.v[k];
    }
    CHECK_INT(found != NULL, item != NULL);
    if (found && item) {
        CHECK_TEXT(found->item, item);
        CHECK_INT(found->severity, CD_FINDING_WARNING);
        CHECK_NEAR(found->numbers[0], stiffness, 1e-9 * fabs(stiffness));
    }
    CHECK(c->inertia.expected);
    cdi_check_free(c);
    cdi_model_free(m);
    test_log_close(&log);
}

#define LINE(length, text)                                                                       \
    MODEL(ROD("rod", "[0.5, 0, 0]", "") MARKERS                                                  \
          "{\"class\": \"Marker\", \"name\": \"up\", \"body\": \"ground\", \"position\": "       \
          "[0.5, 1, 0]}, {\"class\": \"SpringDamper\", \"name\": \"line\", \"marker_a\": "       \
          "\"up\", \"marker_b\": \"hinge_b\", \"length\": " length ", \"elastic\": {\"class\": " \
          "\"Expression\", \"text\": \"" text "\"}}")
#define MASS(text)                                                                               \
    MODEL("{\"class\": \"MassPoint1D\", \"name\": \"m\", \"mass\": 1},"                          \
          "{\"class\": \"CoordinateMarker\", \"name\": \"x\", \"body\": \"m\", \"coordinate\": " \
          "\"s\"},"                                                                              \
          "{\"class\": \"CoordinateSpringDamper\", \"name\": \"slide\", \"marker_a\": \"x\", "   \
          "\"elastic\": {\"class\": \"Expression\", \"text\": \"" text "\"}}")

TEST(connectors_with_negative_stiffness_are_named) {
    finds(HINGED("300*x"), NULL, 0);
    finds(HINGED("-300*x"), "twist", -300);
    finds(LINE("1", "20*x"), NULL, 0);
    finds(LINE("1", "-20*x"), "line", -20);
    // pressed together a spring has a negative stiffness across, as it should
    finds(LINE("3", "20*x"), NULL, 0);
    // a constant force has none
    finds(LINE("1", "-20"), NULL, 0);
    finds(MASS("20*x"), NULL, 0);
    finds(MASS("-20*x"), "slide", -20);
}

static CdStatus run_once(CdContext *ctx, void *user) {
    CdRunSummary summary;
    return run(ctx, user, methods[3], 0.01, 1, &summary);
}

TEST(memory_may_run_out) {
    static char text[] = HINGED("300*x");
    CHECK_OOM(run_once, text);
}

// wherever it does in a run, somebody says so
TEST(memory_that_ran_out_is_told) {
    static const char text[] = HINGED("300*x");
    const CdRunOptions options = {
        .duration = 0.01, .step = 0.01, .method = (char *)methods[3], .threads = 1};
    CdStatus status = CD_NOMEM;
    for (uint64_t n = 1; status != CD_OK; n++) {
        TestLog log;
        CdModel *m;
        CdRunSummary summary;
        test_log_open(&log);
        CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &m));
        cdi_context_fail_at(log.ctx, cd_context_memory(log.ctx).total_blocks + n, true);
        status = cdi_simulate_run(m, &options, NULL, &summary);
        CHECK_INT(strstr(log.text, "out of memory") != NULL, status == CD_NOMEM);
        cdi_model_free(m);
        test_log_close(&log);
    }
}

int main(void) {
    RUN(sound_mechanisms_have_the_signs_that_are_expected);
    RUN(constraints_that_do_not_act_are_not_counted);
    RUN(a_negative_stiffness_is_seen_from_the_step_on_that_makes_the_tangent_indefinite);
    RUN(a_negative_mass_has_a_negative_pivot);
    RUN(the_body_that_is_driven_away_is_named);
    RUN(large_models_are_told_by_the_signs_of_their_factors);
    RUN(a_step_that_fails_tells_of_the_tangent);
    RUN(connectors_with_negative_stiffness_are_named);
    RUN(memory_may_run_out);
    RUN(memory_that_ran_out_is_told);
    return test_end();
}
