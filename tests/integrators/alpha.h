// alpha.h - runs of one problem with one method, for the tests of the generalised-alpha family
#ifndef CARDAN_TESTS_ALPHA_H
#define CARDAN_TESTS_ALPHA_H

#include <math.h>

#include "cardan/integrator.h"
#include "ivp.h"
#include "test.h"

#define METHOD_SIZE 200

// "name(options, adaptive=false, step=h)"
static inline void fixed_method(char *text, const char *name, const char *options, double h) {
    snprintf(text, METHOD_SIZE, "%s(%s%sadaptive=false, step=%.17g)", name, options,
             *options ? ", " : "", h);
}

// a problem that has been started; NULL if that failed
static inline CdIntegrator *started(CdContext *ctx, const IvpProblem *ivp, const char *method) {
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(ctx, &ivp->problem, method, &it));
    const CdPoint start = ivp_start(ivp);
    if (it && !CHECK_OK(cd_integrator_start(it, &start))) {
        cd_integrator_free(it);
        it = NULL;
    }
    return it;
}

static inline CdIntegrator *start(CdContext *ctx, const CdProblem *problem, const char *method,
                                  const CdPoint *at) {
    CdIntegrator *it = NULL;
    CHECK_OK(cd_integrator_new(ctx, problem, method, &it));
    if (it) CHECK_OK(cd_integrator_start(it, at));
    return it;
}

static inline IvpError error_of(const IvpProblem *ivp, const char *method, double t_end) {
    IvpError e = {.q = NAN, .v = NAN, .y = NAN, .lambda = NAN, .mixed = NAN};
    TestLog log;
    test_log_open(&log);
    CdIntegrator *it = started(log.ctx, ivp, method);
    if (it && CHECK_OK(cd_integrator_run(it, t_end, NULL))) {
        e = ivp_error(ivp, cd_integrator_now(it));
    }
    CHECK_TEXT(log.text, "");
    cd_integrator_free(it);
    test_log_close(&log);
    return e;
}

// of a run of n equal steps to the problem's end
static inline IvpError fixed_error(const IvpProblem *ivp, const char *name, const char *options,
                                   int n) {
    char method[METHOD_SIZE];
    fixed_method(method, name, options, (ivp->t_end - ivp->t0) / n);
    return error_of(ivp, method, ivp->t_end);
}

#endif
