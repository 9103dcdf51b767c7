// test_proofs_digits.c - published end values to the digits asked for, less one
//
//   max |e_i| / (atol/rtol + |y_i|) <= 10 asked condition
//
// where the condition of the problem says how much the end feels a change at the start.
// Mazzia & Magherini, Test Set for Initial Value Problem Solvers, University of Bari, 2008.

#include <math.h>

#include "orders.h"
#include "test.h"

#define DIGIT 10

// BDF takes some hundred steps whose errors add up: the manuals of CVODE and IDA advise to ask for
// a hundredth of what the end should have
typedef struct Suited {
    const char *method;
    double share; // rtol = share * error asked for
} Suited;

static const Suited stiff_methods[] = {{"radau5", 1}, {"cvode", 0.01}, {"ida", 0.01}, {NULL, 0}};
static const Suited smooth_methods[] = {{"dopri5", 1},   {"dop853", 1}, {"radau5", 1},
                                        {"cvode", 0.01}, {"ida", 0.01}, {NULL, 0}};
static const double asked[] = {1e-4, 1e-6, 1e-8};
#define NASKED 3

static void solve(CdContext *ctx, const IvpProblem *ivp, const char *method, double rtol,
                  IvpRun *run) {
    char text[128];
    const double ratio = ivp->atol_ratio ? ivp->atol_ratio : 1;
    snprintf(text, sizeof text, "%s(rtol=%g, atol=%g)", method, rtol, rtol * ratio);
    CHECK_OK(ivp_run(ctx, ivp, text, ivp->t_end, run));
}

static void check_some(const IvpProblem *ivp, const Suited *suited, int n) {
    const double condition = ivp->condition ? ivp->condition : 1;
    TestLog log;
    test_log_open(&log);
    for (; suited->method; suited++)
        for (int i = 0; i < n; i++) {
            IvpRun run;
            solve(log.ctx, ivp, suited->method, suited->share * asked[i], &run);
            const double allowed = DIGIT * asked[i] * condition + 2 * ivp->end.accuracy;
            if (!CHECK(run.error.mixed <= allowed))
                printf("  %s, %s, asked for %g: error %g, allowed %g\n%s", ivp->name,
                       suited->method, asked[i], run.error.mixed, allowed, log.text);
        }
    test_log_close(&log);
}

static void check_digits(const IvpProblem *ivp, const Suited *suited) {
    check_some(ivp, suited, NASKED);
}

TEST(van_der_pol_has_its_digits) {
    check_digits(&ivp_vanderpol, stiff_methods);
    check_digits(&ivp_vanderpol_stiff, stiff_methods);
}

TEST(robertson_has_its_digits) {
    check_digits(&ivp_robertson, stiff_methods);
}

TEST(hires_has_its_digits) {
    check_digits(&ivp_hires, stiff_methods);
}

TEST(the_oregonator_has_its_digits) {
    check_digits(&ivp_orego, stiff_methods);
}

// Runge-Kutta methods converge with the order of their stages here, while the step is controlled
// for the full one: not beyond six digits
TEST(a_stiff_equation_with_a_smooth_solution_has_its_digits) {
    check_some(&ivp_prothero_robinson, stiff_methods, 2);
}

TEST(pleiades_have_their_digits) {
    check_digits(&ivp_pleiades, smooth_methods);
}

TEST(smooth_equations_have_their_digits) {
    check_digits(&ivp_dahlquist, smooth_methods);
    check_digits(&ivp_kepler, smooth_methods);
    check_digits(&ivp_arenstorf, smooth_methods);
    check_digits(&ivp_pendulum_angle, smooth_methods);
}

// rounding of what was large before leaves three digits of 1e-22
TEST(the_pyrolysis_keeps_three_digits) {
    TestLog log;
    test_log_open(&log);
    for (const Suited *suited = stiff_methods; suited->method; suited++) {
        IvpRun run;
        solve(log.ctx, &ivp_e5, suited->method, 1e-6, &run);
        if (!CHECK(run.error.mixed <= 2e-3)) printf("  %s: %g\n", suited->method, run.error.mixed);
    }
    test_log_close(&log);
}

static const Suited implicit_methods[] = {{"radau5", 1}, {"ida", 0.01}, {NULL, 0}};

TEST(equations_of_index_1_have_their_digits) {
    check_digits(&ivp_robertson_dae, implicit_methods);
    check_digits(&ivp_transamp, implicit_methods);
    check_digits(&ivp_weissinger, implicit_methods);
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
    RUN(the_pyrolysis_keeps_three_digits);
    RUN(equations_of_index_1_have_their_digits);
    RUN(conditions_are_what_perturbed_starts_show);
    return test_end();
}
