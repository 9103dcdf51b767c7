// integrator_rk4.c - the classical Runge-Kutta method, with a fixed step
//
//   k1 = f(t, Y)     k2 = f(t + h/2, Y + h/2 k1)     k3 = f(t + h/2, Y + h/2 k2)
//   k4 = f(t + h, Y + h k3)      Y1 = Y0 + h/6 (k1 + 2 k2 + 2 k3 + k4)
//
// Inside the step stands the cubic with the values and slopes of both ends.
// Kutta, Z. Math. Phys. 46 (1901) 435; Hairer, Norsett & Wanner I, sec. II.1 and II.6.
#include "integrators/integrator.h"

#include <string.h>

#include "integrators/hermite.h"

typedef struct Options {
    CdCommonOptions common;
} Options;

typedef struct Memory {
    // saved; f is that at now, the others are of the last step
    double *y_old, *f_old, *f;
    // work
    double *k[4], *y; // k[0] is f
} Memory;

static CdStatus init(CdIntegrator *it) {
    Memory *m = it->method;
    const size_t n = (size_t)it->flat->n;
    m->y_old = CD_KEEP(it, double, n);
    m->f_old = CD_KEEP(it, double, n);
    m->f = CD_KEEP(it, double, n);
    m->y = CD_TAKE(&it->arena, double, n);
    bool ok = m->y_old && m->f_old && m->f && m->y;
    for (int i = 1; i < 4; i++) {
        m->k[i] = CD_TAKE(&it->arena, double, n);
        ok = ok && m->k[i];
    }
    return ok ? CD_OK : CD_NOMEM;
}

static CdStatus start(CdIntegrator *it) {
    Memory *m = it->method;
    const CdStatus status = cdi_flat_rate(it->flat, it->now.t, it->state, m->f);
    if (status != CD_OK) return cdi_step_failed(it, status, 0, "the right-hand side failed");
    return CD_OK;
}

// Y + a k into y, and the rate there into out
static CdStatus stage(CdIntegrator *it, double c, double a, const double *k, double *out) {
    Memory *m = it->method;
    cdi_vecn()->combine((size_t)it->flat->n, 2, (double[]){1, a},
                        (const double *const[]){it->state, k}, m->y);
    return cdi_flat_rate(it->flat, it->now.t + c, m->y, out);
}

// the new state into y, the rate there into k[1]
static CdStatus try_step(CdIntegrator *it, double h, double t_new) {
    Memory *m = it->method;
    const size_t n = (size_t)it->flat->n;
    const double weights[] = {1, h / 6, h / 3, h / 3, h / 6};
    CD_TRY(stage(it, h / 2, h / 2, m->f, m->k[1]));
    CD_TRY(stage(it, h / 2, h / 2, m->k[1], m->k[2]));
    CD_TRY(stage(it, t_new - it->now.t, h, m->k[2], m->k[3]));
    cdi_vecn()->combine(n, 5, weights,
                        (const double *const[]){it->state, m->f, m->k[1], m->k[2], m->k[3]}, m->y);
    bool changed;
    CD_TRY(cdi_flat_accept(it->flat, t_new, m->y, &changed));
    CD_TRY(cdi_flat_rate(it->flat, t_new, m->y, m->k[1]));
    return cdi_vecn()->finite(n, m->y) && cdi_vecn()->finite(n, m->k[1]) ? CD_OK : CD_NONFINITE;
}

static CdStatus step(CdIntegrator *it, double t_limit) {
    Memory *m = it->method;
    const size_t bytes = (size_t)it->flat->n * sizeof *m->y;
    bool last;
    const double h = cdi_step_to(it, it->options->step, t_limit, &last);
    const double t_new = last ? t_limit : it->now.t + h;
    const CdStatus status = try_step(it, h, t_new);
    if (status != CD_OK) {
        return cdi_step_failed(it, status, h,
                               status == CD_NONFINITE ? "the solution is not finite"
                                                      : "the right-hand side failed");
    }
    memcpy(m->y_old, it->state, bytes);
    memcpy(m->f_old, m->f, bytes);
    memcpy(it->state, m->y, bytes);
    memcpy(m->f, m->k[1], bytes);
    it->t_old = it->now.t;
    it->now.t = t_new;
    it->h = h;
    it->h_next = it->options->step;
    return CD_OK;
}

static CdStatus dense(CdIntegrator *it, double t, CdPoint *at) {
    Memory *m = it->method;
    const CdiHermite c = cdi_hermite((t - it->t_old) / it->h, it->h);
    cdi_vecn()->combine((size_t)it->flat->n, 4, c.w,
                        (const double *const[]){m->y_old, it->state, m->f_old, m->f}, m->y);
    cdi_flat_unpack(it->flat, t, m->y, NULL, at);
    return CD_OK;
}

static const CdField fields[] = {
    CDI_COMMON_ROWS(Options, "false", "1e-6", "1e-6", "\"auto\""),
};

const CdIntegratorClass cd_integrator_rk4 = {
    .desc = {.name = "rk4",
             .doc = "Classical Runge-Kutta method of order 4 with a fixed step",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"rk4\", \"step\": 0.001}"},
    .guide = "Four evaluations a step and nothing to tune but the step: for smooth problems that "
             "are not stiff, for real time, and to compare with. Halving the step divides the "
             "error by 16. `dopri5` reaches the same error faster where the motion is uneven, and "
             "stiff problems need an implicit method. Values inside a step come from the cubic "
             "through both ends, also of order 4.",
    .memory = sizeof(Memory),
    .view = CD_VIEW_EXPLICIT,
    .can_save = true,
    .fixed_only = true,
    .order = 4,
    .init = init,
    .start = start,
    .step = step,
    .dense = dense,
};
