// symplectic.c - kick and drift of unconstrained mechanical problems with fixed steps
//
//   dense   cubic Hermite polynomials through both ends: of v and y with v' and y', of q in the
//           directions at q0 with v, then along the manifold:  q(s) = q0 o delta(s)
//
// The equations are in symplectic.h. Hairer, Lubich & Wanner, Geometric Numerical Integration.
#include "integrators/symplectic.h"

#include <math.h>

#include "integrators/hermite.h"

static CdStatus refuse(const CdIntegrator *it, const char *what, const char *instead) {
    return cdi_fail(it->ctx, CD_INVALID, "method '%s': problem '%s' has %s; use %s",
                    it->cls->desc.name, cdi_problem_name(it->problem), what, instead);
}

static CdStatus check(const CdIntegrator *it) {
    const CdiProblem *p = it->problem;
    if (p->nv == 0) return refuse(it, "no velocities to kick", "rk4 or dopri5");
    if (p->nc > 0) return refuse(it, "constraints, which it does not take", "gen-alpha");
    if (p->nx > 0) return refuse(it, "algebraic unknowns, which it does not take", "radau5");
    return CD_OK;
}

CdStatus cdi_symplectic_init(CdIntegrator *it, double kick) {
    CdiSymplectic *m = it->method;
    const CdiProblem *p = it->problem;
    CD_TRY(check(it));
    m->kick = kick;
    m->vecn = cdi_vecn();
    double *ends = CD_KEEP(it, double, 2 * p->npoint);
    m->drift = CD_TAKE(&it->arena, double, p->nv);
    m->along = CD_TAKE(&it->arena, double, p->nv);
    if (!ends || !m->drift || !m->along) return CD_NOMEM;
    cdi_point_over(p, ends, &m->old);
    cdi_point_over(p, ends + p->npoint, &m->next);
    return CD_OK;
}

CdStatus cdi_symplectic_start(CdIntegrator *it) {
    it->h_next = it->options->step;
    return CD_OK;
}

// out = x + c dx
static void move(int n, const double *x, double c, const double *dx, double *out) {
    for (int i = 0; i < n; i++) out[i] = x[i] + c * dx[i];
}

// kick, drift, and the accelerations at the new place
static CdStatus drift(CdIntegrator *it, double h, double t1) {
    CdiSymplectic *m = it->method;
    CdiProblem *p = it->problem;
    const CdPoint *from = &it->now;
    CdPoint *to = &m->next;
    for (int i = 0; i < p->nv; i++) m->drift[i] = h * (from->v[i] + m->kick * h * from->vdot[i]);
    cdi_retract(p, from->q, m->drift, to->q);
    cdi_normalise(p, to->q);
    move(p->nv, from->v, h, from->vdot, to->v);
    move(p->ny, from->y, h, from->ydot, to->y);
    to->t = t1;
    return cdi_accelerations(p, to);
}

// what of the second kick the prediction did not hold: a1 in place of a0
static void correct(CdIntegrator *it, double h) {
    CdiSymplectic *m = it->method;
    const CdiProblem *p = it->problem;
    const CdPoint *from = &it->now;
    CdPoint *to = &m->next;
    const double first = m->kick * h, second = h - first;
    if (second == 0) return;
    for (int i = 0; i < p->nv; i++) {
        to->v[i] = (from->v[i] + first * from->vdot[i]) + second * to->vdot[i];
    }
    for (int i = 0; i < p->ny; i++) {
        to->y[i] = (from->y[i] + first * from->ydot[i]) + second * to->ydot[i];
    }
}

static bool finite(const CdIntegrator *it) {
    const CdiSymplectic *m = it->method;
    const CdiProblem *p = it->problem;
    return m->vecn->finite((size_t)p->nq, m->next.q) && m->vecn->finite((size_t)p->nv, m->next.v) &&
           m->vecn->finite((size_t)p->nv, m->next.vdot) &&
           m->vecn->finite((size_t)p->ny, m->next.y);
}

CdStatus cdi_symplectic_step(CdIntegrator *it, double t_limit) {
    CdiSymplectic *m = it->method;
    bool to_limit;
    const double h = cdi_step_to(it, it->options->step, t_limit, &to_limit);
    const double t1 = to_limit ? t_limit : it->now.t + h;
    const CdStatus status = drift(it, h, t1);
    if (status != CD_OK) {
        return cdi_step_failed(it, status, h, "the accelerations cannot be evaluated");
    }
    correct(it, h);
    if (!finite(it)) return cdi_step_failed(it, CD_NONFINITE, h, "the motion is not finite");
    cdi_point_copy(it->problem, &m->old, &it->now);
    cdi_point_copy(it->problem, &it->now, &m->next);
    m->t0 = it->t_old = m->old.t;
    m->h = it->h = h;
    it->h_next = it->options->step;
    return CD_OK;
}

static void cubic(int n, const CdiHermite *c, const double *x0, const double *x1, const double *d0,
                  const double *d1, double *out) {
    for (int i = 0; i < n; i++) out[i] = cdi_hermite_at(c, x0[i], x1[i], d0[i], d1[i]);
}

CdStatus cdi_symplectic_dense(CdIntegrator *it, double t, CdPoint *at) {
    const CdiSymplectic *m = it->method;
    const CdiProblem *p = it->problem;
    const CdPoint *a = &m->old, *b = &m->next;
    const double s = (t - m->t0) / m->h;
    const CdiHermite c = cdi_hermite(s, m->h);
    cdi_difference(p, b->q, a->q, m->drift);
    for (int i = 0; i < p->nv; i++) {
        m->along[i] = cdi_hermite_at(&c, 0, m->drift[i], a->v[i], b->v[i]);
    }
    cdi_retract(p, a->q, m->along, at->q);
    cubic(p->nv, &c, a->v, b->v, a->vdot, b->vdot, at->v);
    cubic(p->ny, &c, a->y, b->y, a->ydot, b->ydot, at->y);
    at->t = t;
    for (int i = 0; i < p->nv; i++) at->vdot[i] = (1 - s) * a->vdot[i] + s * b->vdot[i];
    for (int i = 0; i < p->ny; i++) at->ydot[i] = (1 - s) * a->ydot[i] + s * b->ydot[i];
    return CD_OK;
}
