// test_gen_alpha.c - orders and errors of the generalised-alpha family against published values
//
// Golden errors are those of /work/shared/reference/integrators.md, 2.8: an implementation of its
// own, in which Newton's method was driven to rounding.
#include "alpha.h"

#define TWO_DIGITS 0.05 // the published values are rounded to three digits

// relative to the published value
static void check_golden(double got, double golden) {
    CHECK_NEAR(got / golden, 1, TWO_DIGITS * 0.2);
}

static void check_errors(const char *name, const char *options, double q, double v, double lambda) {
    const IvpError e = fixed_error(&ivp_pendulum, name, options, 160);
    check_golden(e.q, q);
    check_golden(e.v, v);
    check_golden(e.lambda, lambda);
}

TEST(pendulum_has_the_golden_errors) {
    check_errors("gen-alpha", "rho=0.9, form=ggl", 1.37e-4, 1.38e-3, 4.13e-3);
    check_errors("gen-alpha", "rho=0.6, form=index3", 2.21e-4, 2.15e-3, 5.16e-3);
    check_errors("hht", "alpha=-0.3, form=index3", 2.63e-4, 2.50e-3, 6.06e-3);
}

static void check_order(double coarse, double fine, double order) {
    CHECK_NEAR(log2(coarse / fine), order, 0.15);
}

TEST(every_form_is_of_order_two) {
    static const char *const forms[] = {"form=index1", "form=index2", "form=index3", "form=ggl"};
    static const char *const names[] = {"gen-alpha", "hht", "newmark", "trapezoidal"};
    for (int k = 0; k < 4; k++) {
        for (int f = 0; f < 4; f++) {
            const IvpError e1 = fixed_error(&ivp_pendulum, names[k], forms[f], 160);
            const IvpError e2 = fixed_error(&ivp_pendulum, names[k], forms[f], 320);
            printf("%s %s %.3g %.3g %.3g | %.2f %.2f %.2f\n", names[k], forms[f], e1.q, e1.v,
                   e1.lambda, log2(e1.q / e2.q), log2(e1.v / e2.v), log2(e1.lambda / e2.lambda));
            check_order(e1.q, e2.q, 2);
            check_order(e1.v, e2.v, 2);
            // without damping, multipliers of index 3 keep what the start put into them
            if (f != 2 || k < 2) check_order(e1.lambda, e2.lambda, 2);
        }
    }
}

// the largest error of lambda on [0, 0.2], over the steps
static double transient(const char *options, double h) {
    char method[METHOD_SIZE];
    double worst = 0, block[6], lambda;
    CdPoint exact = {.q = block, .v = block + 2, .lambda = &lambda};
    TestLog log;
    test_log_open(&log);
    fixed_method(method, "gen-alpha", options, h);
    CdIntegrator *it = started(log.ctx, &ivp_pendulum, method);
    for (int n = 0; it && n < lround(0.2 / h); n++) {
        CHECK_OK(cd_integrator_step(it, 1));
        const CdPoint *now = cd_integrator_now(it);
        ivp_pendulum.exact(NULL, now->t, &exact);
        worst = fmax(worst, fabs(now->lambda[0] - lambda));
    }
    cd_integrator_free(it);
    test_log_close(&log);
    return worst;
}

TEST(a_shifted_start_saves_the_order_of_the_multipliers) {
    static const struct {
        const char *options;
        double error[3];
    } rows[] = {
        {"rho=0.9, start=plain", {1.1e-2, 5.0e-3, 2.4e-3}},
        {"rho=0.9, start=shifted", {6.0e-3, 1.5e-3, 3.8e-4}},
        {"rho=0.9, form=index3", {1.95, 0.97, 0.49}},
    };
    static const double steps[] = {0.01, 0.005, 0.0025};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            const double e = transient(rows[k].options, steps[i]);
            printf("%s %g: %.3g\n", rows[k].options, steps[i], e);
            CHECK_NEAR(e / rows[k].error[i], 1, TWO_DIGITS);
        }
    }
}

// steps of h, 2h, h/2 in turn
static IvpError uneven(double h) {
    static const double pattern[] = {1, 2, 0.5};
    char method[METHOD_SIZE];
    TestLog log;
    test_log_open(&log);
    fixed_method(method, "gen-alpha", "rho=0.8", 2 * h);
    CdIntegrator *it = started(log.ctx, &ivp_pendulum, method);
    double t = 0;
    for (int n = 0; it && t < 0.9; n++) {
        t += h * pattern[n % 3];
        if (fabs(t - 0.9) < 1e-9) t = 0.9;
        CHECK_OK(cd_integrator_step(it, t));
        CHECK_NEAR(cd_integrator_now(it)->t, t, 0);
    }
    const IvpError e = ivp_error(&ivp_pendulum, cd_integrator_now(it));
    cd_integrator_free(it);
    test_log_close(&log);
    return e;
}

TEST(uneven_steps_are_of_order_two) {
    const IvpError e1 = uneven(0.9 / 140), e2 = uneven(0.9 / 280);
    CHECK_NEAR(log2(e1.q / e2.q), 2, 0.03);
    CHECK_NEAR(log2(e1.v / e2.v), 2, 0.03);
    CHECK_NEAR(log2(e1.lambda / e2.lambda), 2, 0.03);
}

// of x = R X, X = (0, 1, 0), from the quaternion
static double top_error(const IvpProblem *ivp, const char *options, double h) {
    static const double x[] = {0.421296658925389, 0.894571974345597, -0.149164700561911};
    char method[METHOD_SIZE];
    TestLog log;
    double e = NAN;
    test_log_open(&log);
    fixed_method(method, "gen-alpha", options, h);
    CdIntegrator *it = started(log.ctx, ivp, method);
    if (it && CHECK_OK(cd_integrator_run(it, 0.1, NULL))) {
        const double *q = cd_integrator_now(it)->q + (ivp == &ivp_heavytop ? 0 : 3);
        const double y[] = {2 * (q[1] * q[2] - q[0] * q[3]),
                            1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                            2 * (q[2] * q[3] + q[0] * q[1])};
        e = sqrt((y[0] - x[0]) * (y[0] - x[0]) + (y[1] - x[1]) * (y[1] - x[1]) +
                 (y[2] - x[2]) * (y[2] - x[2]));
    }
    cd_integrator_free(it);
    test_log_close(&log);
    return e;
}

// turning about the fixed point gives the published numbers
TEST(heavy_top_on_so3_has_the_golden_errors) {
    static const double steps[] = {1e-3, 5e-4, 2.5e-4}, golden[] = {5.93e-3, 1.49e-3, 3.72e-4};
    for (int k = 0; k < 3; k++) {
        const double e1 = top_error(&ivp_heavytop, "rho=0.9", steps[k]);
        const double e2 = top_error(&ivp_heavytop_constrained, "rho=0.9", steps[k]);
        const double e3 = top_error(&ivp_heavytop_constrained, "rho=0.9, form=index3", steps[k]);
        printf("top %g: %.3g  constrained %.3g index3 %.3g\n", steps[k], e1, e2, e3);
        check_golden(e1, golden[k]);
    }
}

int main(void) {
    RUN(pendulum_has_the_golden_errors);
    RUN(every_form_is_of_order_two);
    RUN(a_shifted_start_saves_the_order_of_the_multipliers);
    RUN(uneven_steps_are_of_order_two);
    RUN(heavy_top_on_so3_has_the_golden_errors);
    return test_end();
}
