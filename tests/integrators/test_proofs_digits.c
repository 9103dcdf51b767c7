// test_proofs_digits.c - published end values to the digits asked for, less one
//
//   max |e_i| / (atol/rtol + |y_i|) <= 10 rtol condition
//
// where the condition of the problem says how much the end feels a change at the start.
// Mazzia & Magherini, Test Set for Initial Value Problem Solvers, University of Bari, 2008.

#include <math.h>

#include "orders.h"
#include "test.h"

#define DIGIT 10

static const char *const stiff_methods[] = {"radau5", "cvode", "ida", NULL};
static const char *const smooth_methods[] = {"dopri5", "dop853", "radau5", "cvode", "ida", NULL};
static const double tolerances[] = {1e-5, 1e-7, 1e-9};

static void solve(CdContext *ctx, const IvpProblem *ivp, const char *method, double rtol,
                  IvpRun *run) {
    char text[128];
    const double ratio = ivp->atol_ratio ? ivp->atol_ratio : 1;
    snprintf(text, sizeof text, "%s(rtol=%g, atol=%g)", method, rtol, rtol * ratio);
    CHECK_OK(ivp_run(ctx, ivp, text, ivp->t_end, run));
}

static void check_digits(const IvpProblem *ivp, const char *const *methods) {
    const double condition = ivp->condition ? ivp->condition : 1;
    TestLog log;
    test_log_open(&log);
    for (; *methods; methods++)
        for (int i = 0; i < 3; i++) {
            IvpRun run;
            solve(log.ctx, ivp, *methods, tolerances[i], &run);
            const double allowed = DIGIT * tolerances[i] * condition + 2 * ivp->end.accuracy;
            if (!CHECK(run.error.mixed <= allowed))
                printf("  %s, %s, rtol %g: error %g, allowed %g\n%s", ivp->name, *methods,
                       tolerances[i], run.error.mixed, allowed, log.text);
        }
    test_log_close(&log);
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

TEST(a_stiff_equation_with_a_smooth_solution_has_its_digits) {
    check_digits(&ivp_prothero_robinson, stiff_methods);
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

static const char *const implicit_methods[] = {"radau5", "ida", NULL};

TEST(equations_of_index_1_have_their_digits) {
    check_digits(&ivp_robertson_dae, implicit_methods);
    check_digits(&ivp_transamp, implicit_methods);
    check_digits(&ivp_weissinger, implicit_methods);
}

int main(void) {
    RUN(van_der_pol_has_its_digits);
    RUN(robertson_has_its_digits);
    RUN(hires_has_its_digits);
    RUN(the_oregonator_has_its_digits);
    RUN(a_stiff_equation_with_a_smooth_solution_has_its_digits);
    RUN(pleiades_have_their_digits);
    RUN(smooth_equations_have_their_digits);
    RUN(equations_of_index_1_have_their_digits);
    return test_end();
}
