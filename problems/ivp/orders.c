// orders.c - runs of methods on problems, and the ways a method takes the pendulum

#include "orders.h"

#include <math.h>
#include <stdio.h>

#define METHOD_MAX 256
// tolerances with fixed steps: iterations end far below the errors of the steps
#define ITERATED "1e-10"
// steps of a controlled run that still makes sense
#define ENOUGH "20000"

CdStatus ivp_run(CdContext *ctx, const IvpProblem *ivp, const char *method, double t_end,
                 IvpRun *out) {
    CdIntegrator *it;
    const CdPoint start = ivp_start(ivp);
    *out = (IvpRun){.error = {NAN, NAN, NAN, NAN, NAN}};
    out->status = cd_integrator_new(ctx, &ivp->problem, method, &it);
    if (out->status != CD_OK) return out->status;
    out->status = cd_integrator_start(it, &start);
    if (out->status == CD_OK) out->status = cd_integrator_run(it, t_end, NULL);
    if (out->status == CD_OK) out->error = ivp_error(ivp, cd_integrator_now(it));
    out->statistics = *cd_integrator_statistics(it);
    // it points into the integrator
    out->statistics.path = NULL;
    cd_integrator_free(it);
    return out->status;
}

// is the method taken, up to the start of a run?
static bool takes(CdContext *ctx, const IvpProblem *ivp, const char *method) {
    CdIntegrator *it;
    const CdPoint start = ivp_start(ivp);
    if (cd_integrator_new(ctx, &ivp->problem, method, &it) != CD_OK) return false;
    const bool ok = cd_integrator_start(it, &start) == CD_OK;
    cd_integrator_free(it);
    return ok;
}

static void method_text(const IvpWay *way, IvpControl control, double value, char *text) {
    const char *name = way->cls->desc.name;
    const char *form = way->problem == &ivp_pendulum ? way->form : "auto";
    if (control == IVP_BY_STEP)
        snprintf(text, METHOD_MAX,
                 "%s(form=%s, adaptive=false, step=%.17g, rtol=" ITERATED ", atol=" ITERATED ")",
                 name, form, value);
    else
        snprintf(text, METHOD_MAX,
                 "%s(form=%s, adaptive=true, rtol=%g, atol=%g, max_steps=" ENOUGH ")", name, form,
                 value, value);
}

static bool probe(CdContext *ctx, IvpWay *way) {
    char text[METHOD_MAX];
    method_text(way, IVP_BY_STEP, way->problem->t_end, text);
    way->fixed = takes(ctx, way->problem, text);
    method_text(way, IVP_BY_TOLERANCE, 1e-3, text);
    way->adaptive = takes(ctx, way->problem, text);
    return way->fixed || way->adaptive;
}

int ivp_ways(CdContext *ctx, const CdIntegratorClass *cls, IvpWay ways[IVP_WAYS_MAX]) {
    int n = 0;
    // the word "auto" is no form
    for (const char *const *form = cdi_form_names + 1; *form && n < IVP_WAYS_MAX; form++) {
        ways[n] = (IvpWay){.cls = cls, .problem = &ivp_pendulum, .form = *form};
        n += probe(ctx, &ways[n]);
    }
    if (n) return n;
    ways[0] = (IvpWay){.cls = cls, .problem = &ivp_pendulum_angle, .form = "angle"};
    return probe(ctx, &ways[0]);
}

CdStatus ivp_way_run(CdContext *ctx, const IvpWay *way, IvpControl control, double value,
                     IvpRun *out) {
    char text[METHOD_MAX];
    method_text(way, control, value, text);
    return ivp_run(ctx, way->problem, text, way->problem->t_end, out);
}

int ivp_way_steps(const IvpWay *way) {
    // of terms of neighbouring order the leading one must win, before rounding does
    static const int steps[] = {160, 160, 160, 320, 320, 60};
    const int order = way->cls->order, n = (int)(sizeof steps / sizeof *steps);
    return order < n ? steps[order] : 10;
}

double ivp_observed(double coarse, double fine) {
    return coarse > 0 && fine > 0 ? log2(coarse / fine) : NAN;
}
