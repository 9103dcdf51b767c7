// integrator_radau5.c - Radau IIA with three stages: order 5, for stiff problems and index 1 to 3
//
//   F(t_n + c_i h, Y_i, Y_i') = 0,   Y_i = y_n + h sum_j A_ij Y_j',   y_n+1 = Y_3
//
// The stages are found by radau_newton.c. This file decides about steps:
//
//   h_new = h / max(1/8, min(5, |err|^(1/4)/fac))        fac = 0.9 (2 k + 1)/(2 k + iterations)
//   not more than Gustafsson's (h_old/h) (|err|^2/|err_old|)^(1/4)/0.9 allows
//
// and when derivatives and factors are renewed: derivatives when Newton's rate Theta was above
// reuse_rate, factors when h changes by more than a fifth. The estimate is of order 3, so that the
// tolerances are taken to the power 2/3. In between, the collocation polynomial
//
//   y(t_n+1 + s h) = y_n+1 + s (k1 + (s - c_2 + 1) (k2 + (s - c_1 + 1) k3)),   -1 <= s <= 0.
//
// Hairer & Wanner, Solving Ordinary Differential Equations II, sec. IV.8 and VII.4;
// Gustafsson, ACM TOMS 20 (1994) 496.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/driver.h"
#include "integrators/radau.h"
#include "integrators/radau_tables.h"

// iterations per step when the user leaves them to us
#define LIMIT_ADAPTIVE 7
#define LIMIT_FIXED 15
// Newton's error in units of the tolerances, likewise
#define KAPPA_MAX 0.03
#define KAPPA_FIXED 1e-5
#define KAPPA_NOISE 1e-3
#define KAPPA_ULPS 10
// tolerances for an estimate of order 3
#define TOLERANCE_FACTOR 0.1
#define TOLERANCE_POWER (2.0 / 3)
// step control
#define SAFETY 0.9
#define SHRINK_MAX 5.0
#define GROW_MAX 8.0
#define KEEP_MAX 1.2
#define FIRST_SHRINK 0.1
#define ERROR_OLD_MIN 0.01
#define SINGULAR_MAX 5
#define ATTEMPTS_MAX 100
// first step: the state moves by so much of itself, or this if nothing is known
#define FIRST_MOVE 0.01
#define FIRST_STEP 1e-6
#define FIRST_TINY 1e-10

typedef enum Failure { NO_FAILURE, MATRIX, NEWTON, ERROR_TEST } Failure;

// one attempt after the other at a step
typedef struct Trial {
    double size; // to try next; after success what the next step should be
    bool accepted;
    Failure failure; // of the last attempt
    CdStatus why;
    int attempts, singular; // failures so far, and those of matrices
} Trial;

static void fill_settings(CdiRadau *r, const CdiRadauOptions *o) {
    const CdCommonOptions *c = &o->common;
    r->rtol = c->rtol;
    r->atol = c->atol;
    r->limit = o->newton_limit > 0 ? o->newton_limit : LIMIT_FIXED;
    double kappa = KAPPA_FIXED;
    if (c->adaptive) {
        r->rtol = TOLERANCE_FACTOR * pow(c->rtol, TOLERANCE_POWER);
        r->atol = r->rtol * c->atol / c->rtol;
        if (o->newton_limit == 0) r->limit = LIMIT_ADAPTIVE;
        kappa = fmin(KAPPA_MAX, sqrt(r->rtol));
    }
    if (o->newton_tolerance > 0) kappa = o->newton_tolerance;
    r->tolerance = fmax(kappa, KAPPA_ULPS * DBL_EPSILON / r->rtol);
    r->noise = fmax(r->tolerance, KAPPA_NOISE);
}

// index 2 counts with h, index 3 with h^2. Multipliers of index 1 stand beside v', a derivative.
static void fill_powers(const CdIntegrator *it) {
    const CdiRadau *r = it->method;
    const CdiFlat *f = it->flat;
    const int lambda = f->p->nq + f->p->nd;
    for (int k = 0; k < f->n; k++) {
        r->powers[k] = f->index[k] - 1;
        if (k >= lambda && r->powers[k] == 0) r->powers[k] = 1;
    }
}

static CdStatus init(CdIntegrator *it) {
    CdiRadau *r = it->method;
    const size_t n = (size_t)it->flat->n;
    fill_settings(r, (const CdiRadauOptions *)it->options);
    r->poly = CD_KEEP(it, double, 3 * n);
    r->end = CD_KEEP(it, double, n);
    r->Z = CD_TAKE(&it->arena, double, 3 * n);
    r->R = CD_TAKE(&it->arena, double, 3 * n);
    r->w1 = CD_TAKE(&it->arena, double, n);
    r->w23 = CD_TAKE(&it->arena, double, 2 * n);
    r->Y = CD_TAKE(&it->arena, double, n);
    r->dY = CD_TAKE(&it->arena, double, n);
    r->scale = CD_TAKE(&it->arena, double, n);
    r->error = CD_TAKE(&it->arena, double, n);
    r->powers = CD_TAKE(&it->arena, int, n);
    if (!r->poly || !r->end || !r->Z || !r->R || !r->w1 || !r->w23 || !r->Y || !r->dY ||
        !r->scale || !r->error || !r->powers) {
        return CD_NOMEM;
    }
    fill_powers(it);
    CD_TRY(cdi_flat_lin_new(it->flat, false, &r->real));
    return cdi_flat_lin_new(it->flat, true, &r->complex_);
}

static void destroy(CdIntegrator *it) {
    CdiRadau *r = it->method;
    cdi_flat_lin_free(r->real);
    cdi_flat_lin_free(r->complex_);
}

static CdStatus start(CdIntegrator *it) {
    CdiRadau *r = it->method;
    r->kept = (CdiRadauMemory){.eta = 1, .jacobian_wanted = true, .first = true};
    it->h_next = it->options->step;
    return CD_OK;
}

// |Y| / |Y'| of the unknowns whose derivatives appear
static double first_step(const CdIntegrator *it) {
    const CdiRadau *r = it->method;
    const CdiFlat *f = it->flat;
    cdi_flat_scale(f, it->state, r->rtol, r->atol, r->scale);
    double state = 0, rate = 0;
    for (int k = 0; k < f->n; k++) {
        if (!f->differential[k]) continue;
        const double y = it->state[k] * r->scale[k], dy = it->state_dot[k] * r->scale[k];
        state += y * y;
        rate += dy * dy;
    }
    state = sqrt(state);
    rate = sqrt(rate);
    const double h = FIRST_MOVE * state / rate;
    return state > FIRST_TINY && rate > FIRST_TINY && h > 0 ? h : FIRST_STEP;
}

static double bounded(const CdIntegrator *it, double h) {
    return it->options->max_step > 0 ? fmin(h, it->options->max_step) : h;
}

// derivatives if they are wanted, factors if the step is another one
static CdStatus prepare(CdIntegrator *it, double h) {
    CdiRadau *r = it->method;
    CdiRadauMemory *m = &r->kept;
    const bool keep = !m->jacobian_wanted;
    if (keep && h == m->h_factored) return CD_OK;
    m->h_factored = 0;
    const double real[2] = {CDI_RADAU_GAMMA / h, 0},
                 complex_[2] = {CDI_RADAU_ALPHA / h, CDI_RADAU_BETA / h};
    CD_TRY(cdi_flat_lin_setup(r->real, real, it->now.t, it->state, it->state_dot, keep));
    CD_TRY(keep ? cdi_flat_lin_setup(r->complex_, complex_, it->now.t, NULL, NULL, true)
                : cdi_flat_lin_setup_as(r->complex_, complex_, r->real));
    if (!keep) m->jacobian_fresh = true;
    m->jacobian_wanted = false;
    m->h_factored = h;
    return CD_OK;
}

// k1, k2, k3: divided differences over the nodes 1, c2, c1, 0
static void fit_polynomial(const CdiRadau *r, size_t n) {
    const double c1 = radau_c[0], c2 = radau_c[1];
    const double *Z1 = r->Z, *Z2 = Z1 + n, *Z3 = Z2 + n;
    double *k1 = r->poly, *k2 = k1 + n, *k3 = k2 + n;
    for (size_t k = 0; k < n; k++) {
        const double d21 = (Z1[k] - Z2[k]) / (c1 - c2);
        k1[k] = (Z2[k] - Z3[k]) / (c2 - 1);
        k2[k] = (d21 - k1[k]) / (c1 - 1);
        k3[k] = k2[k] - (d21 - Z1[k] / c1) / c2;
    }
}

// move on to Y_3 at t
static CdStatus accept(CdIntegrator *it, double h, double t) {
    CdiRadau *r = it->method;
    CdiRadauMemory *m = &r->kept;
    const size_t n = (size_t)it->flat->n;
    const double *a = radau_a_inverse[2], *Z1 = r->Z, *Z2 = Z1 + n, *Z3 = Z2 + n;
    for (size_t k = 0; k < n; k++) r->end[k] = it->state[k] + Z3[k];
    bool changed;
    CD_TRY(cdi_flat_accept(it->flat, t, r->end, &changed));
    for (size_t k = 0; k < n; k++) {
        it->state_dot[k] = (a[0] * Z1[k] + a[1] * Z2[k] + a[2] * Z3[k]) / h;
    }
    fit_polynomial(r, n);
    it->t_old = it->now.t;
    cdi_flat_unpack(it->flat, t, r->end, it->state_dot, &it->now);
    it->h = m->h_poly = h;
    m->t_end = t;
    m->first = m->rejected = m->jacobian_fresh = false;
    m->jacobian_wanted = m->theta > ((const CdiRadauOptions *)it->options)->reuse_rate;
    return CD_OK;
}

// h / h_new by the error alone
static double shrink(const CdiRadau *r, double error) {
    const double k = 2 * r->limit;
    const double fac = fmin(SAFETY, SAFETY * (k + 1) / (k + r->iterations));
    return fmax(1 / GROW_MAX, fmin(SHRINK_MAX, pow(error, 0.25) / fac));
}

// the step after an accepted one
static double next_size(CdIntegrator *it, double h, double error) {
    CdiRadau *r = it->method;
    const CdiRadauOptions *o = (const CdiRadauOptions *)it->options;
    CdiRadauMemory *m = &r->kept;
    double quotient = shrink(r, error);
    if (m->h_error > 0) {
        const double trend = m->h_error / h * pow(error * error / m->error, 0.25) / SAFETY;
        quotient = fmax(quotient, fmin(SHRINK_MAX, trend));
    }
    m->h_error = h;
    m->error = fmax(ERROR_OLD_MIN, error);
    const double size = m->rejected ? fmin(h, h / quotient) : h / quotient;
    // the same step again saves factors
    return m->theta <= o->reuse_rate && size >= h && size <= KEEP_MAX * h ? h : size;
}

static void reject(CdIntegrator *it, Trial *trial, Failure failure, CdStatus why, double size) {
    CdiRadauMemory *m = &((CdiRadau *)it->method)->kept;
    trial->failure = failure;
    trial->why = why;
    trial->size = size;
    trial->attempts++;
    m->rejected = true;
    m->jacobian_wanted = !m->jacobian_fresh;
}

// the error of the stages found; true: good enough
static CdStatus control(CdIntegrator *it, Trial *trial, double h, bool *good) {
    const CdiRadau *r = it->method;
    double error;
    CD_TRY(cdi_radau_error(it, h, &error));
    *good = error < 1;
    if (*good) {
        trial->size = next_size(it, h, error);
        return CD_OK;
    }
    it->stats->rejected++;
    const double size = r->kept.first ? FIRST_SHRINK * h : h / shrink(r, error);
    reject(it, trial, ERROR_TEST, isfinite(error) ? CD_NOCONV : CD_NONFINITE, size);
    return CD_OK;
}

static CdStatus solve(CdIntegrator *it, Trial *trial, double h, bool *solved) {
    CdiRadauOutcome outcome;
    double retry = h / 2;
    CdStatus why;
    CD_TRY(cdi_radau_newton(it, h, &outcome, &retry, &why));
    *solved = outcome == CDI_RADAU_SOLVED;
    if (*solved) return CD_OK;
    it->stats->newton_failures++;
    reject(it, trial, NEWTON, why, retry);
    return CD_OK;
}

static CdStatus attempt(CdIntegrator *it, Trial *trial, double h, double t) {
    bool good;
    const CdStatus status = prepare(it, h);
    if (status != CD_OK) {
        trial->singular++;
        reject(it, trial, MATRIX, status, h / 2);
        return cdi_is_recoverable(status) ? CD_OK : status;
    }
    CD_TRY(solve(it, trial, h, &good));
    if (!good) return CD_OK;
    if (it->options->adaptive) {
        CD_TRY(control(it, trial, h, &good));
        if (!good) return CD_OK;
    }
    CD_TRY(accept(it, h, t));
    trial->accepted = true;
    return CD_OK;
}

// with fixed steps only new derivatives can help
static bool hopeless(const CdIntegrator *it, const Trial *trial) {
    const CdiRadauMemory *m = &((const CdiRadau *)it->method)->kept;
    if (!it->options->adaptive) return trial->attempts > 1 || !m->jacobian_wanted;
    return trial->singular >= SINGULAR_MAX || trial->attempts >= ATTEMPTS_MAX ||
           trial->size < it->options->min_step ||
           trial->size <= KAPPA_ULPS * DBL_EPSILON * fabs(it->now.t);
}

static CdStatus fail_matrix(CdIntegrator *it, const Trial *trial, double h) {
    const CdiRadau *r = it->method;
    CdText text;
    cdi_text_init(&text, it->ctx);
    cdi_text_add(&text, "the iteration matrix cannot be factored: ");
    cdi_flat_lin_explain(r->real, &text);
    const CdStatus status =
        text.status == CD_OK ? cdi_step_failed(it, trial->why, h, text.v) : text.status;
    cdi_text_free(&text);
    return status;
}

static int largest_error(const CdIntegrator *it) {
    const CdiRadau *r = it->method;
    int worst = 0;
    for (int k = 1; k < it->flat->n; k++) {
        const double error = fabs(r->error[k] * r->scale[k]);
        if (!(error <= fabs(r->error[worst] * r->scale[worst]))) worst = k;
    }
    return worst;
}

static CdStatus fail(CdIntegrator *it, const Trial *trial, double h) {
    char name[CD_UNKNOWN_TEXT], why[128];
    if (trial->failure == MATRIX) return fail_matrix(it, trial, h);
    const bool newton = trial->failure == NEWTON;
    const char *what;
    int unknown = newton ? cdi_radau_worst(it) : largest_error(it);
    if (trial->why == CD_NONFINITE) {
        what = "the equations give no finite number for";
        unknown = cdi_radau_nonfinite(it);
    } else if (!newton) {
        what = "the error remains too large, most in";
    } else if (trial->why == CD_NOCONV) {
        what = "Newton's iteration does not converge, least in";
    } else {
        return cdi_step_failed(it, trial->why, h, "the equations cannot be evaluated");
    }
    cdi_point_name(it->problem, unknown, name);
    snprintf(why, sizeof why, "%s %s", what, name);
    return cdi_step_failed(it, trial->why, h, why);
}

static CdStatus step(CdIntegrator *it, double t_limit) {
    const CdCommonOptions *o = it->options;
    if (it->h_next <= 0) it->h_next = first_step(it);
    const double wanted = bounded(it, o->adaptive ? it->h_next : o->step);
    Trial trial = {.size = wanted};
    double h;
    for (;;) {
        bool last;
        h = cdi_step_to(it, o->adaptive ? trial.size : wanted, t_limit, &last);
        const CdStatus status = attempt(it, &trial, h, last ? t_limit : it->now.t + h);
        if (status != CD_OK) return cdi_step_failed(it, status, h, "the equations failed");
        if (trial.accepted) break;
        if (hopeless(it, &trial)) return fail(it, &trial, h);
    }
    // a step cut short to end at t_limit says nothing against the one that was wanted
    const bool cut = trial.attempts == 0 && h < wanted;
    it->h_next = bounded(it, cut ? fmax(trial.size, wanted) : trial.size);
    return CD_OK;
}

static CdStatus dense(CdIntegrator *it, double t, CdPoint *at) {
    const CdiRadau *r = it->method;
    const CdiRadauMemory *m = &r->kept;
    const size_t n = (size_t)it->flat->n;
    const double *k1 = r->poly, *k2 = k1 + n, *k3 = k2 + n;
    const double s = (t - m->t_end) / m->h_poly;
    const double s1 = s - (radau_c[0] - 1), s2 = s - (radau_c[1] - 1);
    for (size_t k = 0; k < n; k++) {
        const double p2 = k2[k] + s1 * k3[k], p1 = k1[k] + s2 * p2;
        r->Y[k] = r->end[k] + s * p1;
        r->dY[k] = (p1 + s * (p2 + s2 * k3[k])) / m->h_poly;
    }
    cdi_flat_unpack(it->flat, t, r->Y, r->dY, at);
    return CD_OK;
}

static size_t save_size(const CdIntegrator *it) {
    const CdiRadau *r = it->method;
    return cdi_flat_lin_save_size(r->real) + cdi_flat_lin_save_size(r->complex_);
}

static void save(const CdIntegrator *it, void *to) {
    const CdiRadau *r = it->method;
    cdi_flat_lin_save(r->real, to);
    cdi_flat_lin_save(r->complex_, (char *)to + cdi_flat_lin_save_size(r->real));
}

static CdStatus load(CdIntegrator *it, const void *from) {
    const CdiRadau *r = it->method;
    CD_TRY(cdi_flat_lin_load(r->real, from));
    return cdi_flat_lin_load(r->complex_, (const char *)from + cdi_flat_lin_save_size(r->real));
}

#define FIELD(...) CD_FIELD(CdiRadauOptions, __VA_ARGS__)
static const CdField fields[] = {
    CDI_COMMON_ROWS(CdiRadauOptions, "true", "1e-6", "1e-6", "\"auto\""),
    FIELD(newton_limit, INT, "1", "0", "[0, 100]",
          "iterations per step; 0: 7, or 15 with fixed steps"),
    FIELD(newton_tolerance, REAL, "1", "0", "[0, 1)",
          "error of the iteration in units of the tolerances; 0: chosen by the method"),
    FIELD(reuse_rate, REAL, "1", "0.001", "(0, 1)",
          "derivatives are kept while the iteration converges faster than this"),
};

const CdIntegratorClass cd_integrator_radau5 = {
    .desc = {.name = "radau5",
             .doc = "Implicit Runge-Kutta method of order 5 for stiff problems and constraints",
             .size = sizeof(CdiRadauOptions),
             CD_FIELDS(fields),
             .example = "{\"class\": \"radau5\", \"rtol\": 1e-8, \"atol\": 1e-10}"},
    .guide =
        "The method to try first on stiff problems, on `F(t, y, y') = 0` and on constraints of "
        "any\n"
        "index, when three digits or more are wanted. It is L-stable, ends every step on the\n"
        "constraints of its form and needs no starting values of its own.\n"
        "\n"
        "A step costs one real and one complex factorisation of the whole system and about seven\n"
        "to ten residuals, so it pays through long steps: on smooth non-stiff problems "
        "`dopri5`\n"
        "is several times faster, and on very large or very rough ones a BDF or generalised-alpha\n"
        "step is cheaper. The local error is estimated with order 3 and the tolerances are\n"
        "converted for that. Expect the error at the end near `rtol`, and more where the problem\n"
        "itself lets errors grow. Where all of the solution is slow and the problem very stiff,\n"
        "the estimate is optimistic, because the stiff part damps it: set `max_step`.\n"
        "\n"
        "On mechanical problems positions have order 5 in every form. Velocities have order 5 and\n"
        "multipliers order 3 as `ggl` or `index2`, but 3 and 2 as `index3`, where errors of\n"
        "velocities count with a factor h and of multipliers with h^2; `index1` has order 5 in\n"
        "all, and its constraints drift. `ggl` is the form to take if in doubt.\n"
        "\n"
        "With `adaptive=false` the iteration is carried to 1e-5 of the tolerances; a step in "
        "which\n"
        "it does not converge ends the run.\n",
    .memory = sizeof(CdiRadau),
    .saved = sizeof(CdiRadauMemory),
    .view = CD_VIEW_IMPLICIT,
    .operators = true,
    .can_save = true,
    .order = 5,
    .calibration = {.factor = 0.1, .power = 1.2, .most = 10},
    .init = init,
    .start = start,
    .step = step,
    .dense = dense,
    .save_size = save_size,
    .save = save,
    .load = load,
    .destroy = destroy,
};
