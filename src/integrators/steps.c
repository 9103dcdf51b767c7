// steps.c - sizes of steps: cut to a limit, the first of a run, and those that became too small
//
//   d0 = |y0|, d1 = |f0|, h0 = 0.01 d0/d1;  d2 = |f(t0 + h0, y0 + h0 f0) - f0|/h0
//   h = min(100 h0, (0.01/max(d1, d2))^(1/(p+1)))
//
// Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer 1993,
// sec. II.4.
#include <float.h>
#include <math.h>

#include "integrators/driver.h"

// a fixed step and a rest that differ by less, relatively, are the same
#define SAME_STEP 1e-9
// smallest step, in rounding errors of t
#define SMALLEST 4
// first step where nothing is known, in s
#define NO_IDEA 1e-6

double cdi_step_to(const CdIntegrator *it, double h, double t_limit, bool *last) {
    const CdCommonOptions *o = it->options;
    const double rest = t_limit - it->now.t;
    if (o->max_step > 0) h = fmin(h, o->max_step);
    h = fmax(h, SMALLEST * DBL_EPSILON * fabs(it->now.t));
    *last = h >= rest * (1 - SAME_STEP);
    if (!o->adaptive) {
        return *last && fabs(rest - h) > SAME_STEP * h ? rest : h;
    }
    if (*last) return rest;
    // two steps of half the rest are better than a whole one and a crumb
    return rest < 2 * h ? rest / 2 : h;
}

// step of an explicit Euler method that changes the state by a hundredth
static double guess(double d0, double d1) {
    const double small = 1e-5;
    return d0 < small || d1 < small ? NO_IDEA : 0.01 * d0 / d1;
}

static CdStatus euler(CdIntegrator *it, const double *f0, double h, double *f1) {
    const CdVecnOps *v = cdi_vecn();
    const size_t n = (size_t)it->flat->n;
    double *y = it->driver->trial[1];
    v->combine(n, 2, (double[]){1, h}, (const double *const[]){it->state, f0}, y);
    return cdi_flat_rate(it->flat, it->now.t + h, y, f1);
}

CdStatus cdi_first_step(CdIntegrator *it, int order, const double *f0, double t_limit, double *h) {
    const CdCommonOptions *o = it->options;
    const CdVecnOps *v = cdi_vecn();
    const size_t n = (size_t)it->flat->n;
    double *scale = it->driver->scale, *f1 = it->driver->trial[0];
    double most = t_limit - it->now.t;
    if (o->max_step > 0) most = fmin(most, o->max_step);
    *h = fmin(o->step, most);
    if (o->step > 0) return CD_OK;
    cdi_flat_scale(it->flat, it->state, o->rtol, o->atol, scale);
    const double d1 = v->wrms(n, f0, scale);
    double h0 = fmin(guess(v->wrms(n, it->state, scale), d1), most);
    // where the step leads out of the domain a smaller one may not
    CdStatus status = CD_RETRY;
    double d2 = NAN;
    for (int tries = 0; tries < 10 && !(status == CD_OK && isfinite(d2)); tries++) {
        if (tries > 0) h0 /= 10;
        status = euler(it, f0, h0, f1);
        if (status != CD_OK && !cdi_is_recoverable(status)) return status;
        v->axpy(n, -1, f0, f1);
        d2 = v->wrms(n, f1, scale) / h0;
    }
    const double steep = fmax(d1, d2), flat = 1e-15;
    const double h1 =
        steep <= flat ? fmax(NO_IDEA, h0 * 1e-3) : pow(0.01 / steep, 1.0 / (order + 1));
    *h = fmin(fmin(100 * h0, h1), most);
    // a rate that is infinite in units of the tolerances tells nothing but that they are too small
    if (!(*h > 0)) *h = fmin(NO_IDEA, most);
    return CD_OK;
}

// ---- steps that became too small

// the first unknown whose right-hand side or residual is not finite, a step of h after now
static bool find_nonfinite(CdIntegrator *it, double h, char name[CD_UNKNOWN_TEXT]) {
    CdiDriver *d = it->driver;
    if (it->cls->view != CD_VIEW_EXPLICIT) return false;
    const size_t n = (size_t)it->flat->n;
    double *f = d->trial[0], *f0 = d->scale;
    CdStatus status = cdi_flat_rate(it->flat, it->now.t, it->state, f0);
    if (status != CD_OK) return false;
    for (size_t i = 0; i < n; i++) f[i] = f0[i];
    if (cdi_vecn()->finite(n, f0)) status = euler(it, f0, h, f);
    if (status != CD_OK) return false;
    size_t bad = 0;
    while (bad < n && isfinite(f[bad])) bad++;
    if (bad == n) return false;
    cdi_point_name(it->problem, (int)bad, name);
    return true;
}

// " (what is known beside why)", or nothing
static void add_detail(CdIntegrator *it, CdStatus status, double h, CdText *text) {
    char name[CD_UNKNOWN_TEXT];
    CdText known;
    cdi_text_init(&known, it->ctx);
    if (cdi_problem_explain(it->problem, status, &known) && known.v) {
        cdi_text_addf(text, " (%s)", known.v);
    } else if (status == CD_NONFINITE && find_nonfinite(it, h, name)) {
        cdi_text_addf(text, " (see the derivative of %s)", name);
    }
    if (status == CD_NOCONV || status == CD_SINGULAR) cdi_problem_doubt(it->problem, text);
    cdi_text_free(&known);
}

CdStatus cdi_step_failed(CdIntegrator *it, CdStatus status, double h, const char *why) {
    const bool fatal = !cdi_is_recoverable(status);
    const bool fixed = !it->options->adaptive;
    const char *help = fixed ? "try a smaller step" : "check the problem there, or rtol and atol";
    if (fatal) help = cd_status_text(status);
    if (status == CD_NOMEM) return status;
    if (status == CD_CANCELLED) {
        return cdi_integrator_fail(it, status, "cancelled at t = %.9g", it->now.t);
    }
    CdText text;
    cdi_text_init(&text, it->ctx);
    cdi_text_add(&text, why);
    add_detail(it, status, h, &text);
    cdi_integrator_fail(it, status, "%s %.3g s at t = %.9g: %s; %s",
                        fixed || fatal ? "a step fails with h =" : "the step size fell to", h,
                        it->now.t, text.v ? text.v : why, help);
    cdi_text_free(&text);
    return status;
}
