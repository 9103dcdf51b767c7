// test_proofs_digits.c - published end values to the digits asked for, less one
//
//   digits = d:  |e_i| <= 10^(1 - d) |y_i| in every unknown at the end
//
// `floor` is the size of the smallest unknown of a problem, where that is not near 1.
// Mazzia & Magherini, Test Set for Initial Value Problem Solvers, University of Bari, 2008.

#include <float.h>
#include <math.h>
#include <string.h>

#include "orders.h"
#include "test.h"

static const char *const stiff_methods[] = {"radau5", "cvode", "ida", NULL};
static const char *const smooth_methods[] = {"dopri5", "dop853", "radau5", "cvode", "ida", NULL};
static const char *const order_2[] = {"gen-alpha", "hht", "trapezoidal", NULL};
static const char *const implicit_methods[] = {"radau5", "ida", NULL};

static int most_digits(const char *method) {
    for (int k = 0; cd_integrator_classes[k]; k++) {
        const CdIntegratorClass *cls = cd_integrator_classes[k];
        if (strcmp(cls->desc.name, method) == 0) return cls->calibration.most;
    }
    return 0;
}

// a floor of 1 is what methods have by themselves
static void check_run(TestLog *log, const IvpProblem *ivp, const char *method, int digits,
                      double floor, double allowed) {
    char text[128];
    IvpRun run;
    const int n = snprintf(text, sizeof text, "%s(digits=%d", method, digits);
    const size_t rest = sizeof text - (size_t)n;
    if (floor == 1) {
        snprintf(text + n, rest, ")");
    } else {
        snprintf(text + n, rest, ", floor=%g)", floor);
    }
    CHECK_OK(ivp_run(log->ctx, ivp, text, ivp->t_end, &run));
    if (!CHECK(run.error.mixed <= allowed))
        printf("  %s, %s: error %g, allowed %g\n%s", ivp->name, text, run.error.mixed, allowed,
               log->text);
}

// 4, 6, 8, ... digits and as many as the method has, but not above `most`
static void check_below(const IvpProblem *ivp, double floor, const char *const *methods, int most) {
    IvpProblem relative = *ivp;
    TestLog log;
    test_log_open(&log);
    relative.atol_ratio = DBL_MIN;
    for (; *methods; methods++) {
        const int last = (int)fmin(most, most_digits(*methods));
        CHECK(last >= 4);
        for (int d = 4; d <= last; d += d + 1 == last ? 1 : 2)
            check_run(&log, &relative, *methods, d, floor, pow(10, 1 - d));
    }
    test_log_close(&log);
}

static void check_digits(const IvpProblem *ivp, double floor, const char *const *methods) {
    check_below(ivp, floor, methods, DBL_DIG);
}

TEST(van_der_pol_has_its_digits) {
    check_digits(&ivp_vanderpol, 1e-3, stiff_methods);
    check_digits(&ivp_vanderpol_stiff, 1, stiff_methods);
}

TEST(robertson_has_its_digits) {
    check_digits(&ivp_robertson, 1e-14, stiff_methods);
}

TEST(hires_has_its_digits) {
    check_digits(&ivp_hires, 1e-3, stiff_methods);
    check_below(&ivp_hires, 1e-3, order_2, 4);
}

TEST(the_oregonator_has_its_digits) {
    check_digits(&ivp_orego, 1, stiff_methods);
}

TEST(a_stiff_equation_with_a_smooth_solution_has_its_digits) {
    check_digits(&ivp_prothero_robinson, 1, stiff_methods);
}

TEST(pleiades_have_their_digits) {
    static const char *const alpha[] = {"gen-alpha", NULL};
    check_digits(&ivp_pleiades, 1, smooth_methods);
    check_below(&ivp_pleiades, 1, alpha, 4);
}

TEST(smooth_equations_have_their_digits) {
    check_digits(&ivp_dahlquist, 1, smooth_methods);
    check_digits(&ivp_kepler, 0.1, smooth_methods);
    check_digits(&ivp_kepler, 0.1, order_2);
    check_digits(&ivp_pendulum_angle, 1, smooth_methods);
}

// what the end of this orbit feels of its start is far above the growth that methods reckon with
TEST(the_arenstorf_orbit_keeps_what_its_condition_leaves) {
    const double growth = ivp_arenstorf.condition / ivp_pleiades.condition;
    TestLog log;
    test_log_open(&log);
    for (const char *const *method = smooth_methods; *method; method++)
        for (int d = 8; d <= most_digits(*method); d++)
            check_run(&log, &ivp_arenstorf, *method, d, 1, growth * pow(10, 1 - d));
    test_log_close(&log);
}

// rounding of what was large before leaves three digits of 1e-22
TEST(the_pyrolysis_keeps_three_digits) {
    TestLog log;
    test_log_open(&log);
    for (const char *const *method = stiff_methods; *method; method++)
        check_run(&log, &ivp_e5, *method, 6, 1e-22, 2e-3);
    test_log_close(&log);
}

// near rounding BDF takes tiny steps here: from eight digits on, and from seven on the amplifier
TEST(equations_of_index_1_have_their_digits) {
    static const char *const radau[] = {"radau5", NULL};
    check_below(&ivp_robertson_dae, 1e-3, implicit_methods, 7);
    check_below(&ivp_transamp, 1, implicit_methods, 4);
    check_below(&ivp_transamp, 1, radau, 8);
    check_digits(&ivp_weissinger, 1, implicit_methods);
}

// ---- conditions

#define PERTURBATION 1e-7
#define STATES_MAX 32

typedef struct States {
    double q[STATES_MAX], v[STATES_MAX], y[STATES_MAX];
} States;

static void copy(double *to, const double *from, int n) {
    for (int i = 0; i < n; i++) to[i] = from ? from[i] : 0;
}

// end of a run from a start of which number j is moved
static void perturbed_end(CdContext *ctx, const IvpProblem *ivp, int j, States *s) {
    const CdProblem *p = &ivp->problem;
    CdIntegrator *it;
    copy(s->q, ivp->q0, p->nv);
    copy(s->v, ivp->v0, p->nv);
    copy(s->y, ivp->y0, p->ny);
    double *moved = j < p->ny           ? &s->y[j]
                    : j < p->ny + p->nv ? &s->q[j - p->ny]
                                        : &s->v[j - p->ny - p->nv];
    *moved += PERTURBATION * (1 + fabs(*moved));
    const CdPoint start = {.t = ivp->t0, .q = s->q, .v = s->v, .y = s->y};
    CHECK_OK(cd_integrator_new(ctx, p, "dop853(rtol=1e-13, atol=1e-13)", &it));
    CHECK_OK(cd_integrator_start(it, &start));
    CHECK_OK(cd_integrator_run(it, ivp->t_end, NULL));
    copy(s->q, cd_integrator_now(it)->q, p->nv);
    copy(s->v, cd_integrator_now(it)->v, p->nv);
    copy(s->y, cd_integrator_now(it)->y, p->ny);
    cd_integrator_free(it);
}

static double measured_condition(CdContext *ctx, const IvpProblem *ivp) {
    const CdProblem *p = &ivp->problem;
    double worst = 0;
    for (int j = 0; j < p->ny + 2 * p->nv; j++) {
        States s;
        perturbed_end(ctx, ivp, j, &s);
        const CdPoint end = {.t = ivp->t_end,
                             .q = p->nv ? s.q : NULL,
                             .v = p->nv ? s.v : NULL,
                             .y = p->ny ? s.y : NULL};
        worst = fmax(worst, ivp_error(ivp, &end).mixed / PERTURBATION);
    }
    return worst;
}

TEST(conditions_are_what_perturbed_starts_show) {
    static const IvpProblem *const problems[] = {&ivp_pleiades, &ivp_kepler, &ivp_pendulum_angle};
    TestLog log;
    test_log_open(&log);
    for (int i = 0; i < 3; i++) {
        const double ratio = problems[i]->condition / measured_condition(log.ctx, problems[i]);
        if (!CHECK(ratio > 0.7 && ratio < 1.5)) printf("  %s: %g\n", problems[i]->name, ratio);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(van_der_pol_has_its_digits);
    RUN(robertson_has_its_digits);
    RUN(hires_has_its_digits);
    RUN(the_oregonator_has_its_digits);
    RUN(a_stiff_equation_with_a_smooth_solution_has_its_digits);
    RUN(pleiades_have_their_digits);
    RUN(smooth_equations_have_their_digits);
    RUN(the_arenstorf_orbit_keeps_what_its_condition_leaves);
    RUN(the_pyrolysis_keeps_three_digits);
    RUN(equations_of_index_1_have_their_digits);
    RUN(conditions_are_what_perturbed_starts_show);
    return test_end();
}
