// alpha_predict.c - where a step of the generalised-alpha family begins to look for its end
//
// Accelerations and multipliers are extrapolated from the past, the rest follows from them:
//
//   0:  A1 = A0
//   1:  A1 = A0 + A_-1 - A_-2           straight lines
//   2:  A1 = 2 A0 - 2 A_-2 + A_-3       parabolas
//
// and what changes its sign from step to step, in both: methods with little damping carry such a
// part along, and a common extrapolation would make it grow. How well the second would have told A0
// says which is taken; where accelerations jump none is. Linear problems, which need one iteration
// wherever it begins, have no past; nor have runs with step control, whose steps change and whose
// tolerance would take the part of the error that old derivatives leave for convergence.
#include <math.h>
#include <string.h>

#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define SMOOTH 0.1 // of the change of A, what extrapolation may leave for parabolas to be better
#define RESTS 0.01 // of Newton's tolerance, a first increment that nothing has to be done about

static int choose_order(const CdIntegrator *it, double h) {
    const CdAlphaMemory *m = it->method;
    const double *steps = m->h_past;
    double sum[2];
    if (m->npast < 2) return 0;
    if (m->npast < 3) return 1;
    m->ops->changes((size_t)m->nV, m->scale, cdi_alpha_accelerations(&it->now), m->past, sum);
    if (!(sum[1] < sum[0])) return 0;
    const bool even = h == steps[0] && h == steps[1] && h == steps[2];
    return even && sum[1] < SMOOTH * SMOOTH * sum[0] ? 2 : 1;
}

// is it worth while to look back?
static bool moves(const CdAlphaMemory *m) {
    return m->newton.first > RESTS * m->newton_tolerance && !cdi_newton_trusts(&m->newton);
}

CdAlphaStep cdi_alpha_plan(const CdIntegrator *it, double h, double t1) {
    const CdAlphaMemory *m = it->method;
    const double cq = h * h * m->c.beta, cv = h * m->c.gamma;
    CdAlphaStep s = {.h = h,
                     .t1 = t1,
                     .cq = cq,
                     .cv = cv,
                     .ca = m->ca,
                     .q_old = h * h / 2 - cq,
                     .v_old = h - cv,
                     .k1 = m->k1,
                     .k0 = m->k0,
                     .k2 = m->k2,
                     .past = !it->options->adaptive && moves(m)};
    const int order = s.past ? choose_order(it, h) : 0;
    if (order == 1) {
        s.more[1] = h / m->h_past[1];
        s.more[2] = -s.more[1];
    } else if (order == 2) {
        s.more[0] = 1;
        s.more[2] = -2;
        s.more[3] = 1;
    }
    return s;
}

void cdi_alpha_remember(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    m->h_past[2] = m->h_past[1];
    m->h_past[1] = m->h_past[0];
    m->h_past[0] = s->h;
    m->npast = !s->past ? 1 : m->npast < 3 ? m->npast + 1 : 3;
}

// what increments are measured with
static void set_scale(int n, const CdCommonOptions *o, const double *restrict V,
                      const double *restrict weight, double *restrict scale) {
    const double rtol = o->rtol, atol = o->atol;
    for (int i = 0; i < n; i++) scale[i] = 1 / (atol + rtol * fabs(V[i]));
    for (int i = 0; weight && i < n; i++) scale[i] *= weight[i];
}

static void predict_turn(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const double h = s->h, q1 = s->cq, q0 = s->q_old, *v0 = m->old.v;
    memcpy(m->old.q, it->now.q, (size_t)it->problem->nq * sizeof(double));
    for (int i = 0; i < it->problem->nv; i++) {
        m->turn[i] = h * v0[i] + (q0 * m->a_old[i] + q1 * m->a[i]);
    }
    cdi_retract(it->problem, m->old.q, m->turn, it->now.q);
}

// as accelerations; the past of both stands in one array
static void predict_multipliers(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    double *l = it->now.lambda, *l1 = m->old.lambda;
    double *l2 = m->past.A[1] + m->nV, *l3 = m->past.A[2] + m->nV;
    const double *e = s->more;
    for (int i = 0; i < it->problem->nc; i++) {
        const double l0 = l[i];
        l[i] += (e[0] * l0 + e[1] * l1[i]) + (e[2] * l2[i] + e[3] * l3[i]);
        l3[i] = l2[i];
        l2[i] = l1[i];
        l1[i] = l0;
    }
}

void cdi_alpha_predict(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const CdPoint *now = &it->now, *old = &m->old;
    m->old.t = now->t;
    it->now.t = s->t1;
    cdi_alpha_predict_motion(it, s);
    if (!p->vector_space) predict_turn(it, s);
    if (p->nx > 0) memcpy(old->x, now->x, (size_t)p->nx * sizeof(double));
    predict_multipliers(it, s);
    if (p->ng > 0) {
        memcpy(old->mu, now->mu, (size_t)p->ng * sizeof(double));
        memset(now->mu, 0, (size_t)p->ng * sizeof(double));
    }
    if (cdi_newton_trusts(&m->newton)) return;
    // x follows V in a point
    const double *weight = p->user.weight ? p->user.weight + p->nq : NULL;
    set_scale(m->nu, it->options, cdi_alpha_velocities(now), weight, m->scale);
}
