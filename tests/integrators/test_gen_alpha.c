// test_gen_alpha.c - orders and errors of the generalised-alpha family against published values
//
// Golden errors were made with an independent implementation, whose Newton's method was driven to
// rounding; they are given with three digits, or with two where it is said.
// Arnold, Bruels & Cardona, Numer. Math. 129 (2015) 149.
#include "alpha.h"
#include "integrators/gen_alpha.h"

#define THREE_DIGITS 0.006
#define TWO_DIGITS 0.03

static void check_golden(double got, double golden) {
    CHECK_NEAR(got / golden, 1, THREE_DIGITS);
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
            check_order(e1.q, e2.q, 2);
            check_order(e1.v, e2.v, 2);
            // without damping, multipliers of index 3 keep what the start put into them
            if (f != 2 || k < 2) check_order(e1.lambda, e2.lambda, 2);
        }
    }
}

// the pendulum begins 0.5 rad below the horizontal with 2 rad/s: a start at rest has no transient
#define ANGLE 1.0707963267948966 // pi/2 - 0.5, from the lowest point
#define RATE 2.0
#define GRAVITY 13.750371636040745 // of the pendulum

// theta'' = -g sin theta over h, by many steps of the classical Runge-Kutta method
static void swing_on(double *theta, double *w, double h) {
    const int parts = 20;
    const double k = h / parts;
    for (int n = 0; n < parts; n++) {
        const double a1 = -GRAVITY * sin(*theta), w2 = *w + k / 2 * a1;
        const double a2 = -GRAVITY * sin(*theta + k / 2 * *w), w3 = *w + k / 2 * a2;
        const double a3 = -GRAVITY * sin(*theta + k / 2 * w2), w4 = *w + k * a3;
        const double a4 = -GRAVITY * sin(*theta + k * w3);
        *theta += k / 6 * (*w + 2 * w2 + 2 * w3 + w4);
        *w += k / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

// the largest error of lambda on [0, 0.2], over the steps
static double transient(const char *options, double h) {
    char method[METHOD_SIZE];
    double worst = 0, theta = ANGLE, w = RATE;
    double q[] = {sin(theta), -cos(theta)}, v[] = {w * cos(theta), w * sin(theta)};
    const CdPoint start = {.q = q, .v = v};
    TestLog log;
    CdIntegrator *it;
    test_log_open(&log);
    fixed_method(method, "gen-alpha", options, h);
    CHECK_OK(cd_integrator_new(log.ctx, &ivp_pendulum.problem, method, &it));
    CHECK_OK(cd_integrator_start(it, &start));
    for (int n = 0; n < lround(0.2 / h); n++) {
        CHECK_OK(cd_integrator_step(it, 1));
        swing_on(&theta, &w, h);
        const double lambda = w * w + GRAVITY * cos(theta);
        worst = fmax(worst, fabs(cd_integrator_now(it)->lambda[0] - lambda));
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
            CHECK_NEAR(transient(rows[k].options, steps[i]) / rows[k].error[i], 1, TWO_DIGITS);
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
        const double y[] = {2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                            2 * (q[2] * q[3] + q[0] * q[1])};
        e = sqrt((y[0] - x[0]) * (y[0] - x[0]) + (y[1] - x[1]) * (y[1] - x[1]) +
                 (y[2] - x[2]) * (y[2] - x[2]));
    }
    cd_integrator_free(it);
    test_log_close(&log);
    return e;
}

// the published numbers are those of the top that turns about its fixed point, without constraints
TEST(heavy_top_on_so3_has_the_golden_errors) {
    check_golden(top_error(&ivp_heavytop, "rho=0.9", 1e-3), 5.93e-3);
    check_golden(top_error(&ivp_heavytop, "rho=0.9", 5e-4), 1.49e-3);
    check_golden(top_error(&ivp_heavytop, "rho=0.9", 2.5e-4), 3.72e-4);
}

TEST(a_top_held_at_its_tip_is_of_order_two) {
    static const char *const forms[] = {"form=index2", "form=index3", "form=ggl"};
    for (int f = 0; f < 3; f++) {
        const IvpError e1 = fixed_error(&ivp_heavytop_constrained, "gen-alpha", forms[f], 200);
        const IvpError e2 = fixed_error(&ivp_heavytop_constrained, "gen-alpha", forms[f], 400);
        check_order(e1.q, e2.q, 2);
        check_order(e1.v, e2.v, 2);
        check_order(e1.lambda, e2.lambda, 2);
    }
}

// the motion is known, see problems/ivp/knife_edge.c
TEST(a_nonholonomic_constraint_is_met_at_order_two) {
    static const char *const forms[] = {"form=index1", "form=index3", "form=ggl"};
    for (int f = 0; f < 3; f++) {
        const IvpError e1 = fixed_error(&ivp_knife_edge, "gen-alpha", forms[f], 100);
        const IvpError e2 = fixed_error(&ivp_knife_edge, "gen-alpha", forms[f], 200);
        check_order(e1.q, e2.q, 2);
        check_order(e1.v, e2.v, 2);
        // at velocity level this problem gives one order more
        check_order(e1.lambda, e2.lambda, f == 0 ? 2 : 3);
    }
}

// y' = phi, F(t, y, y') = 0, and x beside y
TEST(plain_problems_are_of_order_two) {
    const IvpProblem *const problems[] = {&ivp_dahlquist, &ivp_weissinger};
    for (int k = 0; k < 2; k++) {
        const IvpError e1 = fixed_error(problems[k], "gen-alpha", "rho=0.5", 200);
        const IvpError e2 = fixed_error(problems[k], "gen-alpha", "rho=0.5", 400);
        check_order(e1.y, e2.y, 2);
    }
}

// (E - 1)^j (E + 1)^k of the past, E: a step later
static double of_past(int j, int k, const double *A) {
    double b[CDI_ALPHA_PAST + 1];
    memcpy(b, A, sizeof b);
    for (int i = 0, n = CDI_ALPHA_PAST; i < j + k; i++, n--) {
        for (int m = 0; m < n; m++) b[m] += i < j ? -b[m + 1] : b[m + 1];
    }
    return b[0];
}

// as alpha_predict.c lists them
TEST(every_way_to_extrapolate_is_judged_by_what_it_misses) {
    static const int ways[CDI_ALPHA_WAYS][2] = {{1, 0}, {2, 1}, {3, 1}, {4, 1},
                                                {5, 1}, {3, 2}, {4, 2}};
    static const double A[] = {3, -1, 4, 1.5, -5, 9, 2.5}, w = 0.5;
    CdAlphaPast past = {{NULL}};
    double sum[CDI_ALPHA_WAYS], before[CDI_ALPHA_PAST + 1];
    for (int k = 1; k <= CDI_ALPHA_PAST; k++) {
        before[k] = A[k];
        past.A[k] = &before[k];
    }
    for (int isa = 0; isa < CD_NISA; isa++) {
        const CdiAlphaOps *ops = cdi_alpha_ops((CdIsa)isa);
        if (!ops) continue;
        ops->misses(1, &w, A, &past, sum);
        for (int k = 0; k < CDI_ALPHA_WAYS; k++) {
            const double miss = w * of_past(ways[k][0], ways[k][1], A);
            CHECK_NEAR(sum[k], miss * miss, 1e-12 * miss * miss);
        }
    }
}

int main(void) {
    RUN(pendulum_has_the_golden_errors);
    RUN(every_form_is_of_order_two);
    RUN(a_shifted_start_saves_the_order_of_the_multipliers);
    RUN(uneven_steps_are_of_order_two);
    RUN(heavy_top_on_so3_has_the_golden_errors);
    RUN(a_top_held_at_its_tip_is_of_order_two);
    RUN(a_nonholonomic_constraint_is_met_at_order_two);
    RUN(plain_problems_are_of_order_two);
    RUN(every_way_to_extrapolate_is_judged_by_what_it_misses);
    return test_end();
}
