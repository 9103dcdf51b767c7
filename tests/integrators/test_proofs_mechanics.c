// test_proofs_mechanics.c - index 3, car axis, squeezer, heavy top, skate and ball by all methods
//
// Ways of a method are asked for, not listed: a new method is measured by being registered.

#include <math.h>
#include <string.h>

#include "bouncing_ball.h"
#include "heavytop.h"
#include "orders.h"
#include "test.h"

#define ORDER_MARGIN 0.15
#define TEXT_MAX 192

// ---- Jay: orders per index

// errors of y (index 1), z (index 2) and u (index 3)
static void jay_errors(CdContext *ctx, const char *method, double error[3]) {
    CdIntegrator *it;
    const CdPoint start = ivp_start(&ivp_jay);
    double y[5];
    CdPoint ref = {.y = y};
    CHECK_OK(cd_integrator_new(ctx, &ivp_jay.problem, method, &it));
    CHECK_OK(cd_integrator_start(it, &start));
    CHECK_OK(cd_integrator_run(it, ivp_jay.t_end, NULL));
    const CdPoint *end = cd_integrator_now(it);
    ivp_jay.exact(NULL, end->t, &ref);
    error[0] = hypot(end->y[0] - y[0], end->y[1] - y[1]);
    error[1] = hypot(end->y[2] - y[2], end->y[3] - y[3]);
    error[2] = fabs(end->y[4] - y[4]);
    cd_integrator_free(it);
}

TEST(radau5_has_the_orders_5_3_2_on_index_3) {
    static const double orders[] = {5, 3, 2};
    TestLog log;
    double error[2][3];
    test_log_open(&log);
    jay_errors(log.ctx, "radau5(adaptive=false, step=0.0125)", error[0]);
    jay_errors(log.ctx, "radau5(adaptive=false, step=0.00625)", error[1]);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(ivp_observed(error[0][i], error[1][i]), orders[i], ORDER_MARGIN);
    test_log_close(&log);
}

// ---- mechanisms by all methods in all forms

// a problem in every way that takes it. Methods with step control get the tolerance, others steps.
// The method is allowed `factor` tolerances, or factor (step/t_end)^order.
typedef struct Allowance {
    double rtol, factor;
    int steps; // of methods without step control
} Allowance;

static bool takes(CdContext *ctx, const IvpProblem *ivp, const char *method) {
    CdIntegrator *it;
    const CdPoint start = ivp_start(ivp);
    if (cd_integrator_new(ctx, &ivp->problem, method, &it) != CD_OK) return false;
    const bool ok = cd_integrator_start(it, &start) == CD_OK;
    cd_integrator_free(it);
    return ok;
}

static bool find_way(CdContext *ctx, const IvpProblem *ivp, const CdIntegratorClass *cls,
                     const char *form, const Allowance *a, char *text) {
    snprintf(text, TEXT_MAX, "%s(form=%s, adaptive=true, rtol=%g, atol=%g)", cls->desc.name, form,
             a->rtol, a->rtol * (ivp->atol_ratio ? ivp->atol_ratio : 1));
    if (!cls->fixed_only && takes(ctx, ivp, text)) return true;
    snprintf(text, TEXT_MAX, "%s(form=%s, adaptive=false, step=%.17g)", cls->desc.name, form,
             (ivp->t_end - ivp->t0) / a->steps);
    return takes(ctx, ivp, text);
}

// returns how many ways there were
static int all_ways(const IvpProblem *ivp, const Allowance *a, double allowed_of_order[]) {
    int n = 0;
    TestLog log;
    test_log_open(&log);
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++)
        for (const char *const *form = cdi_form_names + 1; *form; form++) {
            char text[TEXT_MAX];
            IvpRun run;
            if (!find_way(log.ctx, ivp, *cls, *form, a, text)) continue;
            test_log_clear(&log);
            if (!CHECK_OK(ivp_run(log.ctx, ivp, text, ivp->t_end, &run)))
                printf("  %s: %s", text, log.text);
            const double allowed = allowed_of_order[(*cls)->order <= 2 ? 0 : 1];
            if (!CHECK(run.error.mixed <= allowed))
                printf("  %s, %s: error %g, allowed %g\n", ivp->name, text, run.error.mixed,
                       allowed);
            n++;
        }
    test_log_close(&log);
    return n;
}

TEST(all_methods_and_forms_agree_on_the_car_axis) {
    const Allowance a = {.rtol = 1e-7, .steps = 6000};
    double allowed[] = {1e-3, 1e-4};
    CHECK(all_ways(&ivp_caraxis, &a, allowed) >= 12);
}

TEST(all_methods_and_forms_agree_on_the_squeezer) {
    const Allowance a = {.rtol = 1e-7, .steps = 6000};
    double allowed[] = {1e-2, 1e-4};
    CHECK(all_ways(&ivp_andrews, &a, allowed) >= 12);
}

TEST(all_methods_and_forms_agree_on_the_skate) {
    const Allowance a = {.rtol = 1e-7, .steps = 1000};
    double allowed[] = {1e-4, 1e-5};
    CHECK(all_ways(&ivp_knife_edge, &a, allowed) >= 8);
}

TEST(all_methods_and_forms_agree_on_the_held_top) {
    const Allowance a = {.rtol = 1e-7, .steps = 2000};
    double allowed[] = {1e-3, 1e-4};
    CHECK(all_ways(&ivp_heavytop_constrained, &a, allowed) >= 12);
}

// ---- heavy top on SO(3)

// |x - x_ref|, x = R X, with n steps
static double top_error(CdContext *ctx, const char *method, int n) {
    CdIntegrator *it;
    char text[TEXT_MAX];
    double x[3], ref[3], e = 0;
    const CdPoint start = ivp_start(&ivp_heavytop);
    snprintf(text, sizeof text, "%s, adaptive=false, step=%.17g)", method, TOP_T_END / n);
    CHECK_OK(cd_integrator_new(ctx, &ivp_heavytop.problem, text, &it));
    CHECK_OK(cd_integrator_start(it, &start));
    CHECK_OK(cd_integrator_run(it, TOP_T_END, NULL));
    quat_rotate(cd_integrator_now(it)->q, top_centre, x);
    quat_rotate(ivp_heavytop.end.q, top_centre, ref);
    for (int i = 0; i < 3; i++) e = hypot(e, x[i] - ref[i]);
    cd_integrator_free(it);
    return e;
}

TEST(the_top_turns_on_so3_with_the_golden_errors) {
    static const double golden[] = {5.93e-3, 1.49e-3, 3.72e-4};
    TestLog log;
    test_log_open(&log);
    for (int i = 0; i < 3; i++) {
        const double e = top_error(log.ctx, "gen-alpha(rho=0.9", 100 << i);
        CHECK_NEAR(e, golden[i], 0.02 * golden[i]);
    }
    test_log_close(&log);
}

TEST(methods_that_see_quaternions_as_numbers_keep_their_order) {
    TestLog log;
    test_log_open(&log);
    CHECK_NEAR(ivp_observed(top_error(log.ctx, "rk4(form=auto", 100),
                            top_error(log.ctx, "rk4(form=auto", 200)),
               4, ORDER_MARGIN);
    CHECK_NEAR(ivp_observed(top_error(log.ctx, "dopri5(form=auto", 100),
                            top_error(log.ctx, "dopri5(form=auto", 200)),
               5, ORDER_MARGIN);
    CHECK_NEAR(ivp_observed(top_error(log.ctx, "radau5(form=auto", 100),
                            top_error(log.ctx, "radau5(form=auto", 200)),
               5, ORDER_MARGIN);
    test_log_close(&log);
}

// ---- ball: event times

#define BOUNCES 5 // before t_end

typedef struct Bounces {
    int n;
    double t[2 * BOUNCES];
} Bounces;

static CdStatus collect(void *user, const CdEvent *event, const CdPoint *before,
                        const CdPoint *after) {
    Bounces *b = user;
    (void)after;
    if (event->now[0] == 0 && b->n < 2 * BOUNCES) b->t[b->n++] = before->t;
    return CD_OK;
}

static void check_bounces(CdContext *ctx, const char *method) {
    CdIntegrator *it;
    Bounces b = {0};
    const CdObserver observer = {.user = &b, .event = collect};
    const CdPoint start = ivp_start(&ivp_bouncing_ball);
    CHECK_OK(cd_integrator_new(ctx, &ivp_bouncing_ball.problem, method, &it));
    CHECK_OK(cd_integrator_start(it, &start));
    CHECK_OK(cd_integrator_run(it, ivp_bouncing_ball.t_end, &observer));
    if (!CHECK_INT(b.n, BOUNCES)) printf("  %s\n", method);
    for (int i = 0; i < BOUNCES && i < b.n; i++)
        if (!CHECK_NEAR(b.t[i], ivp_bounce_time(i + 1), 1e-10)) printf("  %s\n", method);
    CHECK_NEAR(ivp_error(&ivp_bouncing_ball, cd_integrator_now(it)).mixed, 0, 1e-9);
    cd_integrator_free(it);
}

TEST(all_methods_hit_the_ground_in_time) {
    const Allowance a = {.rtol = 1e-12, .steps = 97};
    int n = 0;
    TestLog log;
    test_log_open(&log);
    for (const CdIntegratorClass *const *cls = cd_integrator_classes; *cls; cls++) {
        char text[TEXT_MAX];
        // a parabola is exact for all others
        if ((*cls)->order < 2) continue;
        if (!find_way(log.ctx, &ivp_bouncing_ball, *cls, "auto", &a, text)) continue;
        check_bounces(log.ctx, text);
        n++;
    }
    CHECK(n >= 10);
    test_log_close(&log);
}

int main(void) {
    RUN(radau5_has_the_orders_5_3_2_on_index_3);
    RUN(all_methods_and_forms_agree_on_the_car_axis);
    RUN(all_methods_and_forms_agree_on_the_squeezer);
    RUN(all_methods_and_forms_agree_on_the_skate);
    RUN(all_methods_and_forms_agree_on_the_held_top);
    RUN(the_top_turns_on_so3_with_the_golden_errors);
    RUN(methods_that_see_quaternions_as_numbers_keep_their_order);
    RUN(all_methods_hit_the_ground_in_time);
    return test_end();
}
