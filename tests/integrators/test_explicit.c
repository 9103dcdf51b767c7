// test_explicit.c - dopri5 and dop853: tableaux, orders, control, stiffness, failures, dense output
#include <math.h>
#include <string.h>

#include "integrators/explicit.h"
#include "test.h"

static TestLog tlog;

// ---- tableaux

// b^T A^(k-1) 1 = 1/k!, the condition of the tall tree
static double tall_tree(const CdiTableau *tab, int k) {
    const int n = tab->stages;
    double x[CDI_STAGES_MAX], next[CDI_STAGES_MAX], sum = 0;
    for (int i = 0; i < n; i++) x[i] = 1;
    for (int round = 1; round < k; round++) {
        for (int i = 0; i < n; i++) {
            next[i] = 0;
            for (int j = 0; j < i; j++) next[i] += tab->a[i][j] * x[j];
        }
        memcpy(x, next, sizeof x);
    }
    for (int j = 0; j < n; j++) sum += tab->a[n - 1][j] * x[j];
    return sum;
}

static void check_tableau(const CdiTableau *tab) {
    const double *b = tab->a[tab->stages - 1];
    for (int i = 0; i < tab->stages + tab->extra; i++) {
        double sum = 0;
        for (int j = 0; j < i; j++) sum += tab->a[i][j];
        CHECK_NEAR(sum, tab->c[i], 1e-14);
        for (int j = i; j < CDI_STAGES_MAX; j++) CHECK(tab->a[i][j] == 0);
    }
    double factorial = 1;
    for (int k = 1; k <= tab->order; k++) {
        double quadrature = 0;
        for (int j = 0; j < tab->stages; j++) quadrature += b[j] * pow(tab->c[j], k - 1);
        CHECK_NEAR(quadrature, 1. / k, 4e-15);
        factorial *= k;
        CHECK_NEAR(tall_tree(tab, k), 1 / factorial, 4e-15);
    }
    CHECK(fabs(tall_tree(tab, tab->order + 1) * factorial * (tab->order + 1) - 1) > 1e-3);
    for (int r = 0; r < tab->nerror; r++) {
        double sum = 0;
        for (int j = 0; j < CDI_STAGES_MAX; j++) sum += tab->e[r][j];
        CHECK_NEAR(sum, 0, 1e-15);
    }
    for (int r = 0; r < tab->ndense; r++) {
        double sum = 0;
        for (int j = 0; j < CDI_STAGES_MAX; j++) sum += tab->d[r][j];
        CHECK_NEAR(sum, 0, 1e-13);
    }
}

TEST(tableaux_meet_order_conditions) {
    check_tableau(&cdi_tableau_dopri5);
    check_tableau(&cdi_tableau_dop853);
}

TEST(sums_of_stages_have_the_same_bits_everywhere) {
    enum { N = 40 };
    static double k[CDI_TERMS_MAX][N], y[2][N], w[N], out[2][N];
    double c[CDI_TERMS_MAX], tol[2] = {1e-6, 1e-8};
    const double *rows[CDI_TERMS_MAX];
    TestRandom r = {7};
    for (int j = 0; j < CDI_TERMS_MAX; j++) {
        c[j] = test_random(&r, -2, 2);
        rows[j] = k[j];
        for (int i = 0; i < N; i++) k[j][i] = test_random(&r, -1, 1);
    }
    for (int i = 0; i < N; i++) {
        y[0][i] = test_random(&r, -3, 3);
        y[1][i] = test_random(&r, -3, 3);
        w[i] = test_random(&r, 0, 2);
    }
    const CdiExplicitOps *base = cdi_explicit_ops(CD_ISA_BASE);
    for (int m = 1; m <= CDI_TERMS_MAX; m++) {
        // against the formula, then one instruction set against the other
        base->stage[m](N, 0.3, y[0], c, rows, out[0]);
        base->defect[m](N, c, rows, tol, y[0], y[1], w, out[1]);
        for (int i = 0; i < N; i++) {
            double sum = c[0] * k[0][i];
            for (int j = 1; j < m; j++) sum += c[j] * k[j][i];
            CHECK_BITS(out[0][i], y[0][i] + 0.3 * sum);
            const double size = fmax(fabs(y[0][i]), fabs(y[1][i]));
            CHECK_BITS(out[1][i], sum * (w[i] / (tol[1] + tol[0] * size)));
        }
        for (CdIsa isa = CD_ISA_AVX2; isa < CD_NISA; isa++) {
            const CdiExplicitOps *ops = cdi_explicit_ops(isa);
            if (!ops) continue;
            for (size_t n = 1; n <= N; n++) {
                double other[N + 1];
                other[n] = 42;
                ops->stage[m](n, 0.3, y[0], c, rows, other);
                CHECK(memcmp(other, out[0], n * sizeof(double)) == 0);
                ops->defect[m](n, c, rows, tol, y[0], y[1], w, other);
                CHECK(memcmp(other, out[1], n * sizeof(double)) == 0);
                CHECK(other[n] == 42);
            }
        }
    }
}

// ---- problems

// y1' = 2t y2^(1/5) y4, y2' = 10t exp(5 (y3 - 1)) y4, y3' = 2t y4, y4' = -2t ln y1
static CdStatus smooth_rate(void *data, const CdPoint *at, double *dy) {
    const double t = at->t, *y = at->y;
    if (data) ++*(int *)data;
    dy[0] = 2 * t * pow(y[1], 0.2) * y[3];
    dy[1] = 10 * t * exp(5 * (y[2] - 1)) * y[3];
    dy[2] = 2 * t * y[3];
    dy[3] = -2 * t * log(y[0]);
    return CD_OK;
}

static const CdProblem smooth = {.name = "smooth", .ny = 4, .rate = smooth_rate};

static void smooth_solution(double t, double y[4]) {
    y[0] = exp(sin(t * t));
    y[1] = exp(5 * sin(t * t));
    y[2] = sin(t * t) + 1;
    y[3] = cos(t * t);
}

static double smooth_error(const CdPoint *at) {
    double y[4], error = 0;
    smooth_solution(at->t, y);
    for (int i = 0; i < 4; i++) error = fmax(error, fabs(at->y[i] - y[i]) / fabs(y[i]));
    return error;
}

// a started integrator of `problem`; NULL and a failed check if it cannot be had
static CdIntegrator *begin(const CdProblem *problem, const char *method, double t, double *y) {
    CdIntegrator *it;
    if (!CHECK_OK(cd_integrator_new(tlog.ctx, problem, method, &it))) return NULL;
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.t = t, .y = y}));
    return it;
}

static CdIntegrator *begin_smooth(const CdProblem *problem, const char *method, double t) {
    double y[4];
    smooth_solution(t, y);
    return begin(problem, method, t, y);
}

static CdIntegrator *fixed(const CdProblem *problem, const char *name, double t, double h) {
    char method[100];
    snprintf(method, sizeof method, "%s(adaptive=false, step=%.17g)", name, h);
    return begin_smooth(problem, method, t);
}

// ---- orders

static double fixed_error(const char *name, int steps) {
    CdIntegrator *it = fixed(&smooth, name, 0, 1.5 / steps);
    if (!it) return NAN;
    CHECK_OK(cd_integrator_run(it, 1.5, NULL));
    CHECK_INT(cd_integrator_statistics(it)->steps, steps);
    const double error = smooth_error(cd_integrator_now(it));
    cd_integrator_free(it);
    return error;
}

static void check_order(const char *name, int coarse, double order) {
    const double slope = log2(fixed_error(name, coarse) / fixed_error(name, 2 * coarse));
    printf("    %s: order %.2f from error %.1e\n", name, slope, fixed_error(name, coarse));
    CHECK_NEAR(slope, order, 0.3);
}

TEST(orders_are_those_promised) {
    test_log_open(&tlog);
    check_order("dopri5", 160, 5);
    check_order("dop853", 15, 8);
    CHECK_TEXT(tlog.text, "");
    test_log_close(&tlog);
}

// largest error of dense output within one step of h
static double dense_error(const char *name, double h) {
    CdIntegrator *it = fixed(&smooth, name, 0.5, h);
    if (!it) return NAN;
    CHECK_OK(cd_integrator_step(it, 1));
    CHECK_NEAR(cd_integrator_now(it)->t, 0.5 + h, 1e-15);
    double error = 0;
    for (int i = 1; i < 10; i++) {
        const CdPoint *at;
        CHECK_OK(cd_integrator_at(it, 0.5 + 0.1 * i * h, &at));
        error = fmax(error, smooth_error(at));
    }
    cd_integrator_free(it);
    return error;
}

TEST(dense_output_has_order_4_and_7) {
    test_log_open(&tlog);
    const double five = log2(dense_error("dopri5", 0.08) / dense_error("dopri5", 0.04));
    const double eight = log2(dense_error("dop853", 0.05) / dense_error("dop853", 0.025));
    printf("    local error of dense output h^%.2f, h^%.2f\n", five, eight);
    CHECK_NEAR(five, 5, 0.1);
    CHECK_NEAR(eight, 8, 0.3);
    test_log_close(&tlog);
}

TEST(dense_output_meets_the_ends) {
    test_log_open(&tlog);
    for (int k = 0; k < 2; k++) {
        CdIntegrator *it = begin_smooth(&smooth, k ? "dop853" : "dopri5", 0.3);
        const CdPoint *at;
        double before[4], t = 0;
        for (int step = 0; step < 3; step++) {
            t = cd_integrator_now(it)->t;
            memcpy(before, cd_integrator_now(it)->y, sizeof before);
            CHECK_OK(cd_integrator_step(it, 1.5));
            CHECK_OK(cd_integrator_at(it, (t + it->now.t) / 2, &at));
            CHECK(smooth_error(at) < 1e-5);
        }
        CHECK_OK(cd_integrator_at(it, t, &at));
        for (int i = 0; i < 4; i++) CHECK_BITS(at->y[i], before[i]);
        const double end = cd_integrator_now(it)->t;
        CHECK_OK(cd_integrator_at(it, nextafter(end, 0), &at));
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(at->y[i], it->now.y[i], 1e-13 * fabs(it->now.y[i]));
        }
        cd_integrator_free(it);
    }
    test_log_close(&tlog);
}

// ---- counts

TEST(steps_cost_what_they_should) {
    test_log_open(&tlog);
    const char *const names[] = {"dopri5", "dop853"};
    const int stages[] = {6, 12}, inside[] = {0, 3};
    for (int k = 0; k < 2; k++) {
        int count = 0;
        CdProblem problem = smooth;
        problem.data = &count;
        CdIntegrator *it = fixed(&problem, names[k], 0, 0.01);
        count = 0;
        CHECK_OK(cd_integrator_run(it, 1, NULL));
        CHECK_INT(cd_integrator_statistics(it)->steps, 100);
        CHECK_INT(cd_integrator_statistics(it)->rejected, 0);
        CHECK_INT(count, 100 * stages[k]);
        CHECK_BITS(it->now.t, 1);
        // dense output is made ready once
        count = 0;
        CdPoint at;
        double block[16];
        cdi_point_over(it->problem, block, &at);
        CHECK_OK(it->cls->dense(it, 0.993, &at));
        CHECK_OK(it->cls->dense(it, 0.997, &at));
        CHECK_INT(count, inside[k]);
        CHECK_INT(cd_integrator_statistics(it)->allocations, 0);
        cd_integrator_free(it);
    }
    test_log_close(&tlog);
}

// ---- control

TEST(errors_follow_the_tolerance) {
    test_log_open(&tlog);
    const char *const names[] = {"dopri5", "dop853"};
    for (int k = 0; k < 2; k++) {
        int64_t before = 0;
        for (int digits = 3; digits <= 11; digits += 2) {
            char method[100];
            snprintf(method, sizeof method, "%s(rtol=1e-%d, atol=1e-%d)", names[k], digits, digits);
            CdIntegrator *it = begin_smooth(&smooth, method, 0);
            CHECK_OK(cd_integrator_run(it, 1.5, NULL));
            const double error = smooth_error(cd_integrator_now(it));
            CHECK(error < 100 * pow(10, -digits));
            CHECK(error > 0.01 * pow(10, -digits)); // work is not wasted
            CHECK(cd_integrator_statistics(it)->steps >= before);
            before = cd_integrator_statistics(it)->steps;
            CHECK_INT(cd_integrator_statistics(it)->allocations, 0);
            cd_integrator_free(it);
        }
    }
    CHECK_TEXT(tlog.text, "");
    test_log_close(&tlog);
}

// x'' = sum m_j (x_j - x) / r^3, seven stars with masses 1 ... 7
static CdStatus pleiades_rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double *x = at->y, *y = x + 7;
    memcpy(dy, at->y + 14, 14 * sizeof *dy);
    for (int i = 0; i < 7; i++) {
        double ax = 0, ay = 0;
        for (int j = 0; j < 7; j++) {
            if (i == j) continue;
            const double dx = x[j] - x[i], dz = y[j] - y[i], r2 = dx * dx + dz * dz;
            const double pull = (j + 1) / (r2 * sqrt(r2));
            ax += pull * dx;
            ay += pull * dz;
        }
        dy[14 + i] = ax;
        dy[21 + i] = ay;
    }
    return CD_OK;
}

TEST(pleiades_end_where_published) {
    // IVP test set, t = 3: the first four x
    const double end[] = {0.3706139143970502, 3.237284092057233, -3.222559032418324,
                          0.6597091455775310};
    const CdProblem pleiades = {.name = "pleiades", .ny = 28, .rate = pleiades_rate};
    test_log_open(&tlog);
    const char *const methods[] = {"dopri5(rtol=1e-9, atol=1e-9)",
                                   "dop853(rtol=1e-12, atol=1e-12)"};
    const double digits[] = {1e-6, 1e-9};
    for (int k = 0; k < 2; k++) {
        double y[28] = {3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4};
        y[14 + 5] = 1.75;
        y[14 + 6] = -1.5;
        y[21 + 3] = -1.25;
        y[21 + 4] = 1;
        CdIntegrator *it = begin(&pleiades, methods[k], 0, y);
        CHECK_OK(cd_integrator_run(it, 3, NULL));
        for (int i = 0; i < 4; i++) CHECK_NEAR(cd_integrator_now(it)->y[i], end[i], digits[k]);
        cd_integrator_free(it);
    }
    CHECK_TEXT(tlog.text, "");
    test_log_close(&tlog);
}

// restricted problem of three bodies, moon and earth
static CdStatus arenstorf_rate(void *data, const CdPoint *at, double *dy) {
    (void)data;
    const double mu = 0.012277471, nu = 1 - mu, *y = at->y;
    const double d1 = pow((y[0] + mu) * (y[0] + mu) + y[1] * y[1], 1.5);
    const double d2 = pow((y[0] - nu) * (y[0] - nu) + y[1] * y[1], 1.5);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = y[0] + 2 * y[3] - nu * (y[0] + mu) / d1 - mu * (y[0] - nu) / d2;
    dy[3] = y[1] - 2 * y[2] - nu * y[1] / d1 - mu * y[1] / d2;
    return CD_OK;
}

TEST(arenstorf_orbit_closes) {
    const double period = 17.0652165601579625588917206249;
    const CdProblem orbit = {.name = "arenstorf", .ny = 4, .rate = arenstorf_rate};
    test_log_open(&tlog);
    double y[4] = {0.994, 0, 0, -2.00158510637908252240537862224};
    CdIntegrator *it = begin(&orbit, "dop853(rtol=1e-13, atol=1e-13)", 0, y);
    CHECK_OK(cd_integrator_run(it, period, NULL));
    CHECK_NEAR(cd_integrator_now(it)->y[0], y[0], 1e-6);
    CHECK_NEAR(cd_integrator_now(it)->y[1], y[1], 1e-6);
    // small steps near the moon, large ones far away
    const CdStatistics *s = cd_integrator_statistics(it);
    CHECK(s->max_step > 100 * s->min_step);
    cd_integrator_free(it);
    test_log_close(&tlog);
}

TEST(a_limit_of_time_does_not_hold_back_the_next_step) {
    test_log_open(&tlog);
    CdIntegrator *it = begin_smooth(&smooth, "dopri5(rtol=1e-4, atol=1e-4)", 0);
    CHECK_OK(cd_integrator_run(it, 0.5, NULL));
    const double proposed = it->h_next;
    CHECK_OK(cd_integrator_run(it, 0.5 + 1e-7, NULL));
    CHECK(it->h_next >= proposed);
    cd_integrator_free(it);

    it = begin_smooth(&smooth, "dopri5(rtol=1e-4, atol=1e-4, max_step=0.01)", 0);
    CHECK_OK(cd_integrator_run(it, 1, NULL));
    CHECK(cd_integrator_statistics(it)->max_step <= 0.01 * (1 + 1e-12));
    cd_integrator_free(it);
    test_log_close(&tlog);
}

// ---- stiffness

static CdStatus van_der_pol_rate(void *data, const CdPoint *at, double *dy) {
    const double mu = *(double *)data, *y = at->y;
    dy[0] = y[1];
    dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
    return CD_OK;
}

static int lines(const char *text) {
    int n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

static void check_stiff(const char *method, double mu, double end, bool stiff) {
    const CdProblem problem = {
        .name = "van der pol", .data = &mu, .ny = 2, .rate = van_der_pol_rate};
    test_log_open(&tlog);
    CdIntegrator *it = begin(&problem, method, 0, (double[]){2, 0});
    CHECK_OK(cd_integrator_run(it, end, NULL));
    CHECK_INT(cd_integrator_statistics(it)->stiff, stiff);
    CHECK(cd_integrator_statistics(it)->steps > 2000);
    CHECK_INT(lines(tlog.text), stiff);
    CHECK(!stiff || strstr(tlog.text, "problem 'van der pol' is stiff at t = "));
    cd_integrator_free(it);
    test_log_close(&tlog);
}

TEST(stiff_problems_are_told_once) {
    check_stiff("dopri5", 1000, 8, true);
    check_stiff("dop853", 1000, 16, true);
    check_stiff("dopri5", 100, 400, true); // in four parts of it
    check_stiff("dopri5", 1, 1000, false);
    check_stiff("dopri5(rtol=1e-3, atol=1e-3)", 1, 1000, false);
    check_stiff("dop853", 1, 1000, false);
    check_stiff("dopri5(stiffness_test=0)", 1000, 8, false);
}

// y' = -lambda (y - cos t)
static CdStatus decay_rate(void *data, const CdPoint *at, double *dy) {
    dy[0] = -*(double *)data * (at->y[0] - cos(at->t));
    return CD_OK;
}

// with steps of 0.01, whatever the error
static bool found_stiff(const char *name, double lambda) {
    const CdProblem problem = {.name = "decay", .data = &lambda, .ny = 1, .rate = decay_rate};
    char method[100];
    test_log_open(&tlog);
    snprintf(method, sizeof method, "%s(adaptive=false, step=0.01)", name);
    CdIntegrator *it = begin(&problem, method, 0, (double[]){1});
    CHECK_OK(cd_integrator_run(it, 10.1, NULL));
    CHECK(!cd_integrator_statistics(it)->stiff); // looked at 11 times
    CHECK_OK(cd_integrator_run(it, 10.2, NULL));
    const bool stiff = cd_integrator_statistics(it)->stiff;
    cd_integrator_free(it);
    test_log_close(&tlog);
    return stiff;
}

TEST(stiffness_is_a_step_at_the_boundary_of_stability) {
    CHECK(!found_stiff("dopri5", 320));
    CHECK(found_stiff("dopri5", 330));
    CHECK(!found_stiff("dop853", 605));
    CHECK(found_stiff("dop853", 612));
}

// ---- where the rate cannot be evaluated

// y = (1 - t)^2 down to the edge y = 0, beyond which the rate says *data, or NaN if that is CD_OK
static CdStatus edge_rate(void *data, const CdPoint *at, double *dy) {
    const CdStatus *beyond = data;
    if (at->y[0] < 0 && *beyond != CD_OK) return *beyond;
    dy[0] = -2 * sqrt(at->y[0]);
    return CD_OK;
}

TEST(steps_shrink_at_the_edge_of_the_domain) {
    const char *const methods[] = {"dopri5(step=2)", "dop853(step=2)"};
    CdStatus says[] = {CD_OK, CD_RETRY};
    test_log_open(&tlog);
    for (int k = 0; k < 4; k++) {
        const CdProblem problem = {
            .name = "edge", .data = &says[k / 2], .ny = 1, .rate = edge_rate};
        CdIntegrator *it = begin(&problem, methods[k % 2], 0, (double[]){1});
        CHECK_OK(cd_integrator_run(it, 0.99, NULL));
        CHECK(cd_integrator_statistics(it)->rejected > 0);
        CHECK_NEAR(cd_integrator_now(it)->y[0], 1e-4, 1e-5);
        cd_integrator_free(it);
    }
    CHECK_TEXT(tlog.text, "");
    test_log_close(&tlog);
}

// y' = 1, which ends at t = 1 with NaN or with a failure
static CdStatus wall_rate(void *data, const CdPoint *at, double *dy) {
    const CdStatus *beyond = data;
    dy[0] = at->y[0] > 1 ? NAN : 1;
    return at->y[0] > 1 ? *beyond : CD_OK;
}

static void check_wall(const char *method, CdStatus beyond, double near, const char *why) {
    const CdProblem problem = {.name = "wall", .data = &beyond, .ny = 1, .rate = wall_rate};
    test_log_open(&tlog);
    CdIntegrator *it = begin(&problem, method, 0, (double[]){0});
    CHECK_INT(cd_integrator_run(it, 2, NULL), beyond == CD_OK ? CD_NONFINITE : beyond);
    const CdPoint *at = cd_integrator_now(it);
    CHECK(at->t < 1 + 1e-14 && at->t >= 1 - near);
    CHECK_NEAR(at->y[0], at->t, 1e-14);
    CHECK(at->ydot[0] == 1);
    CHECK_INT(lines(tlog.text), 1);
    CHECK(strstr(tlog.text, "problem 'wall'") && strstr(tlog.text, why));
    cd_integrator_free(it);
    test_log_close(&tlog);
}

TEST(steps_do_not_become_smaller_than_allowed) {
    CdStatus beyond = CD_OK;
    const CdProblem problem = {.name = "wall", .data = &beyond, .ny = 1, .rate = wall_rate};
    test_log_open(&tlog);
    CdIntegrator *it = begin(&problem, "dopri5(min_step=1e-3, step=0.5)", 0, (double[]){0});
    CHECK_INT(cd_integrator_run(it, 2, NULL), CD_NONFINITE);
    CHECK(cd_integrator_statistics(it)->min_step >= 1e-3 * (1 - 1e-9));
    CHECK(it->now.t > 1 - 1e-3);
    cd_integrator_free(it);
    // at the wall, where t is 0 and no step is small against it
    it = begin(&problem, "dopri5", 0, (double[]){1});
    CHECK_INT(cd_integrator_run(it, 2, NULL), CD_NONFINITE);
    CHECK_BITS(it->now.t, 0);
    cd_integrator_free(it);
    test_log_close(&tlog);
}

TEST(a_wall_ends_the_run_with_the_last_good_state) {
    const char *const nan = "the rate is not finite", *const no = "the rate cannot be evaluated";
    check_wall("dopri5", CD_OK, 1e-10, nan);
    check_wall("dop853", CD_OK, 1e-10, nan);
    check_wall("dopri5", CD_RETRY, 1e-10, no);
    check_wall("dop853", CD_SINGULAR, 1e-10, no);
    check_wall("dopri5(adaptive=false, step=0.3)", CD_OK, 0.11, nan);
    check_wall("dop853(adaptive=false, step=0.3)", CD_RETRY, 0.11, no);
    // what no smaller step mends ends the run at once
    check_wall("dopri5", CD_IO, 1, "the rate fails ('rate' returned CD_IO)");
    check_wall("dop853", CD_IO, 1, "cannot read or write a file");
}

// ---- constraints

// a pendulum in Cartesian coordinates: x^2 + y^2 = 1
static CdStatus pendulum_force(void *data, const CdPoint *at, double *f) {
    (void)data;
    (void)at;
    f[0] = 0;
    f[1] = -9.81;
    return CD_OK;
}

static CdStatus pendulum_constraint(void *data, const CdPoint *at, double *g) {
    (void)data;
    g[0] = (at->q[0] * at->q[0] + at->q[1] * at->q[1] - 1) / 2;
    return CD_OK;
}

static CdStatus pendulum_jacobian(void *data, const CdPoint *at, double *J) {
    (void)data;
    J[0] = at->q[0];
    J[1] = at->q[1];
    return CD_OK;
}

static const CdProblem pendulum = {.name = "pendulum",
                                   .nv = 2,
                                   .ng = 1,
                                   .force = pendulum_force,
                                   .constraint = pendulum_constraint,
                                   .constraint_jacobian = pendulum_jacobian};

TEST(constraints_are_kept_by_projection) {
    test_log_open(&tlog);
    double drift[2];
    for (int k = 0; k < 2; k++) {
        CdIntegrator *it;
        CHECK_OK(cd_integrator_new(tlog.ctx, &pendulum,
                                   k ? "dopri5(project=false)" : "dopri5(project=true)", &it));
        CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = (double[]){1, 0}, .v = (double[]){0, 0}}));
        CHECK_OK(cd_integrator_run(it, 10, NULL));
        const CdPoint *at = cd_integrator_now(it);
        drift[k] = fabs(at->q[0] * at->q[0] + at->q[1] * at->q[1] - 1);
        const double v2 = at->v[0] * at->v[0] + at->v[1] * at->v[1];
        CHECK_NEAR(v2 / 2 + 9.81 * at->q[1], 0, k ? 1e-2 : 1e-3);
        // the rate of the next step belongs to the projected state
        CdiExplicit *m = it->method;
        double rate[4];
        CHECK_OK(cdi_flat_rate(it->flat, it->now.t, it->state, rate));
        for (int i = 0; i < 4; i++) CHECK_BITS(m->k[m->turn][0][i], rate[i]);
        cd_integrator_free(it);
    }
    printf("    drift %.1e with projection, %.1e without\n", drift[0], drift[1]);
    CHECK(drift[0] < 1e-10);
    CHECK(drift[1] > 100 * drift[0]);
    test_log_close(&tlog);
}

// ---- memory

TEST(a_saved_run_continues_bit_for_bit) {
    test_log_open(&tlog);
    for (int k = 0; k < 2; k++) {
        static char bytes[65536];
        CdIntegrator *it[2] = {begin_smooth(&smooth, k ? "dop853" : "dopri5", 0),
                               begin_smooth(&smooth, k ? "dop853" : "dopri5", 0.2)};
        CHECK_OK(cd_integrator_run(it[0], 0.7, NULL));
        const size_t size = cd_integrator_save_size(it[0]);
        CHECK(size > 0 && size < sizeof bytes);
        CHECK_OK(cd_integrator_save(it[0], bytes, size));
        CHECK_OK(cd_integrator_load(it[1], bytes, size));
        const CdPoint *at[2];
        for (int i = 0; i < 2; i++) {
            CHECK_OK(cd_integrator_run(it[i], 1.3, NULL));
            CHECK_OK(cd_integrator_at(it[i], (it[i]->t_old + 1.3) / 2, &at[i]));
        }
        for (int i = 0; i < 4; i++) {
            CHECK_BITS(it[1]->now.y[i], it[0]->now.y[i]);
            CHECK_BITS(at[1]->y[i], at[0]->y[i]);
        }
        for (int i = 0; i < 2; i++) cd_integrator_free(it[i]);
    }
    test_log_close(&tlog);
}

static CdStatus short_run(CdContext *ctx, void *user) {
    CdIntegrator *it;
    double y[4];
    smooth_solution(0, y);
    CD_TRY(cd_integrator_new(ctx, &smooth, user, &it));
    CdStatus status = cd_integrator_start(it, &(CdPoint){.y = y});
    if (status == CD_OK) status = cd_integrator_run(it, 1, NULL);
    cd_integrator_free(it);
    return status;
}

TEST(memory_may_run_out) {
    CHECK_OOM(short_run, "dopri5");
    CHECK_OOM(short_run, "dop853");
}

int main(void) {
    RUN(tableaux_meet_order_conditions);
    RUN(sums_of_stages_have_the_same_bits_everywhere);
    RUN(orders_are_those_promised);
    RUN(dense_output_has_order_4_and_7);
    RUN(dense_output_meets_the_ends);
    RUN(steps_cost_what_they_should);
    RUN(errors_follow_the_tolerance);
    RUN(pleiades_end_where_published);
    RUN(arenstorf_orbit_closes);
    RUN(a_limit_of_time_does_not_hold_back_the_next_step);
    RUN(stiff_problems_are_told_once);
    RUN(stiffness_is_a_step_at_the_boundary_of_stability);
    RUN(steps_shrink_at_the_edge_of_the_domain);
    RUN(steps_do_not_become_smaller_than_allowed);
    RUN(a_wall_ends_the_run_with_the_last_good_state);
    RUN(constraints_are_kept_by_projection);
    RUN(a_saved_run_continues_bit_for_bit);
    RUN(memory_may_run_out);
    return test_end();
}
