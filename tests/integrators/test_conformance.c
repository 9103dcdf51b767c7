// test_conformance.c - what every method must do; a new one is tested by being in the list
#include "integrators/cases.h"

#define SPAN 2.0

TEST(tables_are_sound) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        const CdIntegratorClass *c = *cls;
        CHECK_OK(cdi_desc_validate(log.ctx, &c->desc));
        CHECK(c->desc.size >= sizeof(CdCommonOptions) && c->desc.example && c->order >= 1);
        CHECK(c->guide && strlen(c->guide) > 40);
        CHECK(c->step && c->dense && c->saved <= c->memory);
        CHECK((c->save == NULL) == (c->load == NULL) &&
              (c->save == NULL) == (c->save_size == NULL));
        for (const CdIntegratorClass *const *other = cd_integrator_classes; other != cls; other++) {
            CHECK(strcmp((*other)->desc.name, c->desc.name) != 0);
        }
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- u = cos t, in the view of the method

static const CdProblem *wave(const CdIntegratorClass *cls) {
    return cls->view == CD_VIEW_MECHANICAL ? &wave_mechanical : &wave_ode;
}

static CdIntegrator *start_wave(CdContext *ctx, const CdIntegratorClass *cls, const char *method) {
    CdIntegrator *it = NULL;
    double one[2] = {1, 0};
    const CdPoint at = cls->view == CD_VIEW_MECHANICAL ? (CdPoint){.q = one} : (CdPoint){.y = one};
    CHECK_OK(cd_integrator_new(ctx, wave(cls), method, &it));
    if (it) CHECK_OK(cd_integrator_start(it, &at));
    return it;
}

static double position(const CdPoint *at) {
    return at->q ? at->q[0] : at->y[0];
}

static double speed(const CdPoint *at) {
    return at->v ? at->v[0] : at->y[1];
}

static double wave_error(const CdPoint *at) {
    return fmax(fabs(position(at) - cos(at->t)), fabs(speed(at) + sin(at->t)));
}

// ---- digits

// the calibration stands for tolerances that can be given as well: the same bits come out
static void compare_digits(CdContext *ctx, const CdIntegratorClass *cls, int digits) {
    const CdCalibration *c = &cls->calibration;
    const double rtol = c->factor * pow(10, -c->power * digits);
    char text[2][160];
    CdIntegrator *it[2];
    snprintf(text[0], sizeof text[0], "%s(digits=%d, floor=0.01)", cls->desc.name, digits);
    snprintf(text[1], sizeof text[1], "%s(rtol=%.17g, atol=%.17g)", cls->desc.name, rtol,
             0.01 * rtol);
    for (int k = 0; k < 2; k++) {
        it[k] = start_wave(ctx, cls, text[k]);
        if (it[k]) CHECK_OK(cd_integrator_run(it[k], 1, NULL));
    }
    if (it[0] && it[1]) {
        CHECK_BITS(position(cd_integrator_now(it[0])), position(cd_integrator_now(it[1])));
        CHECK_BITS(speed(cd_integrator_now(it[0])), speed(cd_integrator_now(it[1])));
        CHECK(wave_error(cd_integrator_now(it[0])) <= pow(10, 1 - digits));
    }
    cd_integrator_free(it[0]);
    cd_integrator_free(it[1]);
}

TEST(digits_stand_for_tolerances) {
    TestLog log;
    int calibrated = 0;
    test_log_open(&log);
    FOR_METHODS(cls) {
        const CdCalibration *c = &(*cls)->calibration;
        CHECK(c->most == 0 || (c->most >= 4 && c->factor < 1 && c->power >= 1));
        CHECK(c->most == 0 || c->factor * pow(10, -c->power * c->most) >= 1e-15);
        CHECK(c->most == 0 || !(*cls)->fixed_only);
        for (int digits = 1; digits <= c->most; digits++) compare_digits(log.ctx, *cls, digits);
        calibrated += c->most > 0;
    }
    CHECK(calibrated >= 8);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// methods of libraries choose their steps themselves
static bool has_fixed_steps(CdContext *ctx, const CdIntegratorClass *cls) {
    CdIntegrator *it;
    char method[80];
    const CdStatus status = cd_integrator_new(ctx, wave(cls), with_step(cls, 0.1, method), &it);
    cd_integrator_free(it);
    return status == CD_OK;
}

// largest error at the ends of steps, and inside of them
typedef struct Errors {
    double end, inside;
} Errors;

static Errors errors_of(CdContext *ctx, const CdIntegratorClass *cls, double h) {
    char method[80];
    Errors e = {0};
    CdIntegrator *it = start_wave(ctx, cls, with_step(cls, h, method));
    if (!it) return e;
    while (it->now.t < SPAN) {
        const CdPoint *at;
        const double t = it->now.t;
        if (cd_integrator_step(it, SPAN) != CD_OK) break;
        e.end = fmax(e.end, wave_error(cd_integrator_now(it)));
        CHECK_OK(cd_integrator_at(it, t + 0.37 * (it->now.t - t), &at));
        e.inside = fmax(e.inside, wave_error(at));
    }
    CHECK_BITS(it->now.t, SPAN);
    CHECK_INT(cd_integrator_statistics(it)->steps, lround(SPAN / h));
    cd_integrator_free(it);
    return e;
}

TEST(orders_are_what_is_said) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        test_log_clear(&log);
        if (!has_fixed_steps(log.ctx, *cls)) {
            CHECK(log.n > 0);
            continue;
        }
        // the finer of two steps leaves an error far above rounding
        const double h = (*cls)->order >= 7 ? 0.5 : (*cls)->order >= 5 ? 0.2 : 0.05;
        const Errors coarse = errors_of(log.ctx, *cls, h), fine = errors_of(log.ctx, *cls, h / 2);
        const double order = log2(coarse.end / fine.end),
                     inside = log2(coarse.inside / fine.inside);
        printf("     %-18s order %d: %.2f at the ends, %.2f inside; error %.1e\n",
               (*cls)->desc.name, (*cls)->order, order, inside, fine.end);
        CHECK(order >= (*cls)->order - 0.15);
        CHECK(fine.end > 1e-14);
        // dense output may lose one order, and not more than a factor beside it
        CHECK(inside >= fmin((*cls)->order, 4) - 1.15);
        CHECK_TEXT(log.text, "");
    }
    test_log_close(&log);
}

// dense output begins and ends with the states, and is continuous there
TEST(dense_output_joins_the_states) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        char method[80];
        const bool fixed = has_fixed_steps(log.ctx, *cls);
        test_log_clear(&log);
        CdIntegrator *it =
            start_wave(log.ctx, *cls, fixed ? with_step(*cls, 0.1, method) : (*cls)->desc.name);
        for (int k = 0; it && k < 10; k++) {
            const CdPoint *at;
            const double u = position(&it->now), v = speed(&it->now), t = it->now.t;
            CHECK_OK(cd_integrator_step(it, 100));
            const double u1 = position(&it->now), v1 = speed(&it->now), t1 = it->now.t;
            CHECK_OK(cd_integrator_at(it, t, &at));
            CHECK_NEAR(position(at), u, 1e-14);
            CHECK_NEAR(speed(at), v, 1e-14);
            CHECK_OK(cd_integrator_at(it, t1 - 1e-12 * (t1 - t), &at));
            CHECK_NEAR(position(at), u1, 4e-12 * (t1 - t) + 1e-14);
            CHECK_NEAR(speed(at), v1, 4e-12 * (t1 - t) + 1e-14);
            // and the state is where it was
            CHECK_BITS(position(&it->now), u1);
        }
        cd_integrator_free(it);
        CHECK_TEXT(log.text, "");
    }
    test_log_close(&log);
}

TEST(nothing_is_allocated_after_the_start) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        char method[80];
        // libraries allocate where we do not see it, or say so
        if (!(*cls)->can_save) continue;
        CdIntegrator *it = start_wave(log.ctx, *cls, with_step(*cls, 0.02, method));
        if (!it) continue;
        CHECK_OK(cd_integrator_run(it, 0, NULL));
        CHECK_INT(cd_integrator_statistics(it)->steps, 0);
        CHECK_OK(cd_integrator_run(it, 3, NULL));
        CHECK_OK(cd_integrator_run(it, 3, NULL));
        const CdStatistics *s = cd_integrator_statistics(it);
        CHECK_INT(s->allocations, 0);
        CHECK_INT(s->steps, 150);
        CHECK(s->path != NULL && s->evaluations > 0);
        cd_integrator_free(it);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- failures

// u'' = -u, and nothing beyond t = 1
static CdStatus edge_rate(void *data, const CdPoint *at, double *dy) {
    CD_TRY(wave_rate(data, at, dy));
    if (at->t > 1) dy[1] = NAN;
    return CD_OK;
}

static CdStatus edge_force(void *data, const CdPoint *at, double *f) {
    CD_TRY(wave_force(data, at, f));
    if (at->t > 1) f[0] = NAN;
    return CD_OK;
}

static CdStatus wall_rate(void *data, const CdPoint *at, double *dy) {
    CD_TRY(wave_rate(data, at, dy));
    return at->t > 1 ? CD_RETRY : CD_OK;
}

static CdStatus wall_force(void *data, const CdPoint *at, double *f) {
    CD_TRY(wave_force(data, at, f));
    return at->t > 1 ? CD_RETRY : CD_OK;
}

static void run_into(TestLog *log, const CdIntegratorClass *cls, bool nan, const char *method) {
    CdProblem p = *wave(cls);
    CdIntegrator *it = NULL;
    double one[2] = {1, 0};
    p.name = "edge";
    if (p.rate) p.rate = nan ? edge_rate : wall_rate;
    if (p.force) p.force = nan ? edge_force : wall_force;
    const CdPoint at = p.nv ? (CdPoint){.q = one} : (CdPoint){.y = one};
    CHECK_OK(cd_integrator_new(log->ctx, &p, method, &it));
    if (!it) return;
    CHECK_OK(cd_integrator_start(it, &at));
    const CdStatus status = cd_integrator_run(it, 2, NULL);
    CHECK(status == CD_NONFINITE || status == CD_RETRY || status == CD_NOCONV);
    // the message names the problem; the state is that of the last step before the edge
    CHECK(strstr(log->text, "edge") && strstr(log->text, cls->desc.name));
    const double t = it->now.t;
    CHECK(t > 0.7 && t <= 1);
    CHECK(wave_error(&it->now) < 0.1);
    CHECK_INT(cd_integrator_run(it, 2, NULL), status);
    CHECK_BITS(it->now.t, t);
    cd_integrator_free(it);
    test_log_clear(log);
}

TEST(failures_keep_the_last_good_state) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        char method[80];
        const bool fixed = has_fixed_steps(log.ctx, *cls);
        test_log_clear(&log);
        for (int nan = 0; nan < 2; nan++) {
            if (fixed) run_into(&log, *cls, nan, with_step(*cls, 0.06, method));
            if (!(*cls)->fixed_only) run_into(&log, *cls, nan, (*cls)->desc.name);
        }
    }
    test_log_close(&log);
}

static CdStatus whole_life(CdContext *ctx, void *user) {
    const CdIntegratorClass *cls = user;
    CdIntegrator *it;
    char method[80];
    double one[2] = {1, 0};
    const CdPoint at = cls->view == CD_VIEW_MECHANICAL ? (CdPoint){.q = one} : (CdPoint){.y = one};
    CD_TRY(cd_integrator_new(ctx, wave(cls), with_step(cls, 0.1, method), &it));
    CdStatus status = cd_integrator_start(it, &at);
    if (status == CD_OK) status = cd_integrator_run(it, 0.5, NULL);
    cd_integrator_free(it);
    return status;
}

TEST(memory_may_run_out) {
    TestLog log;
    test_log_open(&log);
    FOR_METHODS(cls) {
        if ((*cls)->can_save && has_fixed_steps(log.ctx, *cls)) CHECK_OOM(whole_life, (void *)*cls);
    }
    test_log_close(&log);
}

int main(void) {
    RUN(tables_are_sound);
    RUN(digits_stand_for_tolerances);
    RUN(orders_are_what_is_said);
    RUN(dense_output_joins_the_states);
    RUN(nothing_is_allocated_after_the_start);
    RUN(failures_keep_the_last_good_state);
    RUN(memory_may_run_out);
    return test_end();
}
