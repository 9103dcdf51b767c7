// test_proofs_orders.c - every method of the registry shows its order on the pendulum, in all forms
//
// Observed orders of positions, velocities and multipliers are those of the literature within 0.15,
// errors are the golden ones to two digits.
// Hairer & Wanner, Solving Ordinary Differential Equations II, VII; Arnold & Bruls, Multibody Syst.
// Dyn. 18 (2007) 185.

#include <math.h>
#include <string.h>

#include "orders.h"
#include "test.h"

#define ORDER_MARGIN 0.15
// above it two runs with rounding far below do not find the leading term: only a lower bound
#define HIGH_ORDER 5
#define GOLDEN_MARGIN 0.02 // relative; the references have three digits

// where a method is not of its nominal order in everything
typedef struct Expected {
    const char *method, *form;
    double q, v, lambda;
} Expected;

static const Expected expected[] = {
    {"rk4", "index1", 4, 4, 4},
    {"dopri5", "index1", 5, 5, 5},
    // started at rest it is a Verlet whose positions are half a step late
    {"symplectic-euler", "angle", 1, 2, NAN},
    {"verlet", "angle", 2, 2, NAN},
    {"gen-alpha", "index1", 2, 2, 2},
    {"gen-alpha", "index2", 2, 2, 2},
    {"gen-alpha", "index3", 2, 2, 2},
    {"gen-alpha", "ggl", 2, 2, 2},
    {"hht", "index1", 2, 2, 2},
    {"hht", "index2", 2, 2, 2},
    {"hht", "index3", 2, 2, 2},
    {"hht", "ggl", 2, 2, 2},
    {"newmark", "index1", 2, 2, 2},
    {"newmark", "index2", 2, 2, 2},
    {"newmark", "index3", 2, 2, 2},
    {"newmark", "ggl", 2, 2, 2},
    {"trapezoidal", "index1", 2, 2, 2},
    {"trapezoidal", "index2", 2, 2, 2},
    {"trapezoidal", "index3", 2, 2, 2},
    {"trapezoidal", "ggl", 2, 2, 2},
    {"radau5", "index1", 5, 5, 5},
    {"radau5", "index2", 5, 5, 3},
    {"radau5", "index3", 5, 3, 2},
    {"radau5", "ggl", 5, 5, 3},
};
#define NEXPECTED ((int)(sizeof expected / sizeof *expected))

static bool is_of(const Expected *e, const IvpWay *way) {
    return !strcmp(e->method, way->cls->desc.name) && !strcmp(e->form, way->form);
}

// nominal, for methods that nobody told about
static Expected expected_of(const IvpWay *way) {
    const double p = way->cls->order;
    for (int i = 0; i < NEXPECTED; i++)
        if (is_of(&expected[i], way)) return expected[i];
    return (Expected){way->cls->desc.name, way->form, p, p, p};
}

static void check_order(const IvpWay *way, const char *part, double order, double coarse,
                        double fine) {
    const double observed = ivp_observed(coarse, fine);
    if (isnan(order)) return;
    if (order > HIGH_ORDER ? !CHECK(observed > order - ORDER_MARGIN)
                           : !CHECK_NEAR(observed, order, ORDER_MARGIN))
        printf("  %s, %s: %s, errors %g and %g\n", way->cls->desc.name, way->form, part, coarse,
               fine);
}

static void check_way(CdContext *ctx, const IvpWay *way) {
    const int n = ivp_way_steps(way);
    Expected e = expected_of(way);
    IvpRun run[2];
    if (way->problem != &ivp_pendulum) e.lambda = NAN;
    for (int i = 0; i < 2; i++)
        CHECK_OK(ivp_way_run(ctx, way, IVP_BY_STEP, way->problem->t_end / (n << i), &run[i]));
    check_order(way, "q", e.q, run[0].error.q, run[1].error.q);
    check_order(way, "v", e.v, run[0].error.v, run[1].error.v);
    check_order(way, "lambda", e.lambda, run[0].error.lambda, run[1].error.lambda);
}

TEST(every_method_with_fixed_steps_has_its_order_in_every_form) {
    TestLog log;
    test_log_open(&log);
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++) {
        IvpWay ways[IVP_WAYS_MAX];
        const int n = ivp_ways(log.ctx, *cls, ways);
        if (!CHECK(n > 0)) printf("  %s does not solve the pendulum\n", (*cls)->desc.name);
        for (int i = 0; i < n; i++)
            if (ways[i].fixed) check_way(log.ctx, &ways[i]);
    }
    test_log_close(&log);
}

// y' = -y in few steps, as all errors of the higher orders are near rounding soon
TEST(every_method_for_odes_has_its_order_on_the_test_equation) {
    int n = 0;
    TestLog log;
    test_log_open(&log);
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++) {
        const int steps = (*cls)->order > HIGH_ORDER ? 4 : 40;
        double error[2];
        CdStatus status = CD_OK;
        for (int i = 0; i < 2 && status == CD_OK; i++) {
            char method[256];
            IvpRun run;
            snprintf(method, sizeof method,
                     "%s(adaptive=false, step=%.17g, rtol=1e-12, atol=1e-12)", (*cls)->desc.name,
                     ivp_dahlquist.t_end / (steps << i));
            status = ivp_run(log.ctx, &ivp_dahlquist, method, ivp_dahlquist.t_end, &run);
            error[i] = run.error.y;
        }
        if (status != CD_OK) continue;
        if (!CHECK_NEAR(ivp_observed(error[0], error[1]), (*cls)->order, ORDER_MARGIN))
            printf("  %s: %g, %g\n", (*cls)->desc.name, error[0], error[1]);
        n++;
    }
    CHECK(n >= 4);
    test_log_close(&log);
}

TEST(no_form_was_lost) {
    TestLog log;
    test_log_open(&log);
    for (int i = 0; i < NEXPECTED; i++) {
        int found = 0;
        for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++) {
            IvpWay ways[IVP_WAYS_MAX];
            if (strcmp((*cls)->desc.name, expected[i].method)) continue;
            const int n = ivp_ways(log.ctx, *cls, ways);
            for (int k = 0; k < n; k++) found += is_of(&expected[i], &ways[k]);
        }
        if (!CHECK_INT(found, 1)) printf("  %s, %s\n", expected[i].method, expected[i].form);
    }
    test_log_close(&log);
}

// errors follow the tolerance in everything but the multipliers of index 3
TEST(errors_of_methods_with_step_control_follow_the_tolerance) {
    TestLog log;
    test_log_open(&log);
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++) {
        IvpWay ways[IVP_WAYS_MAX];
        const int n = ivp_ways(log.ctx, *cls, ways);
        for (int i = 0; i < n; i++) {
            if (!ways[i].adaptive) continue;
            IvpRun run[2];
            for (int k = 0; k < 2; k++)
                CHECK_OK(
                    ivp_way_run(log.ctx, &ways[i], IVP_BY_TOLERANCE, k ? 1e-7 : 1e-4, &run[k]));
            // a thousandth of the tolerance gives a hundredth of the error for methods of order 2,
            // and these get lucky at 1e-4
            if (!CHECK(run[1].error.q < run[0].error.q / 20))
                printf("  %s, %s: %g, then %g\n", (*cls)->desc.name, ways[i].form, run[0].error.q,
                       run[1].error.q);
        }
    }
    test_log_close(&log);
}

// ---- errors to two digits: integrators.md of the reference, at t = 0.9

typedef struct Golden {
    const char *method;
    int steps;
    double q, v, lambda;
} Golden;

static const Golden golden[] = {
    {"radau5(form=index1, project=false", 40, 3.62e-8, 1.21e-7, 3.25e-7},
    {"radau5(form=index2", 40, 8.98e-8, 2.65e-7, 9.59e-5},
    {"radau5(form=index3", 40, 1.81e-7, 7.84e-5, 2.14e-2},
    {"radau5(form=ggl", 40, 1.24e-7, 2.91e-7, 9.31e-5},
    {"gen-alpha(rho=0.9, form=ggl", 160, 1.37e-4, 1.38e-3, 4.13e-3},
    {"gen-alpha(rho=0.6, form=index3", 160, 2.21e-4, 2.15e-3, 5.16e-3},
    {"hht(alpha=-0.3, form=index3", 160, 2.63e-4, 2.50e-3, 6.06e-3},
    {"dopri5(form=index1, project=true", 80, 2.1e-9, 4.6e-9, NAN},
};

static void check_golden(const char *method, const char *part, double got, double reference) {
    if (isnan(reference)) return;
    // references of two digits are known to half of the second
    const double margin = fmax(GOLDEN_MARGIN * reference, 0.05 * pow(10, floor(log10(reference))));
    if (!CHECK_NEAR(got, reference, margin)) printf("  %s): %s\n", method, part);
}

TEST(errors_are_the_golden_ones) {
    TestLog log;
    test_log_open(&log);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        const Golden *g = &golden[i];
        char method[256];
        IvpRun run;
        snprintf(method, sizeof method, "%s, adaptive=false, step=%.17g, rtol=1e-12, atol=1e-12)",
                 g->method, ivp_pendulum.t_end / g->steps);
        if (!CHECK_OK(ivp_run(log.ctx, &ivp_pendulum, method, ivp_pendulum.t_end, &run)))
            printf("  %s: %s\n", method, log.text);
        check_golden(g->method, "q", run.error.q, g->q);
        check_golden(g->method, "v", run.error.v, g->v);
        check_golden(g->method, "lambda", run.error.lambda, g->lambda);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(every_method_with_fixed_steps_has_its_order_in_every_form);
    RUN(every_method_for_odes_has_its_order_on_the_test_equation);
    RUN(no_form_was_lost);
    RUN(errors_of_methods_with_step_control_follow_the_tolerance);
    RUN(errors_are_the_golden_ones);
    return test_end();
}
