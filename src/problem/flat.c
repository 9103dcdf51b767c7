// flat.c - Y' = f(t, Y) and F(t, Y, Y') = 0 of any problem, and points to and from Y
//
//   f = (Z v, v', y')          with v' and y' from [M J^T; J 0] and B y' = phi
//   F = (q' - Z (v - G^T mu),  r,  constraints at the level of the form)
//
// Y and a CdPoint have the same order, so that callbacks read Y itself; only q is copied, where it
// must be normalised for r and the constraints.
// Hairer & Wanner, Solving Ordinary Differential Equations II, 2nd ed., sec. VII.1.
#include "problem/flat_work.h"

#include <float.h>
#include <math.h>
#include <string.h>

// a state moved by fewer units in the last place counts as the same
#define SAME_ULPS 8

#define ARENA_BLOCK 4096

static double *part(const double *Y, size_t from, int n) {
    return Y && n > 0 ? (double *)Y + from : NULL; // callbacks only read it
}

// the work point over the vectors of a call; dY holds v' and y'
static CdPoint *look_at(CdiFlat *f, double t, const double *Y, const double *dY) {
    const CdiProblem *p = f->p;
    CdiFlatWork *w = f->work;
    const CdiFlatParts *from = &w->from;
    CdPoint *at = &w->at;
    at->t = t;
    at->q = part(Y, 0, p->nq);
    at->v = part(Y, from->v, p->nv);
    at->y = part(Y, from->y, p->ny);
    at->vdot = part(dY, from->v, p->nv);
    at->ydot = part(dY, from->y, p->ny);
    if (!f->setup.explicit_form) {
        at->x = part(Y, from->x, p->nx);
        at->lambda = part(Y, from->lambda, p->nc);
        if (cdi_flat_stabilised(f)) at->mu = part(Y, from->mu, p->ng);
    }
    return at;
}

CdStatus cdi_flat_rate(CdiFlat *f, double t, const double *Y, double *dY) {
    CdiFlatWork *w = f->work;
    if (w->plain_ode) {
        w->at.t = t;
        w->at.y = (double *)Y;
        return cdi_rate(f->p, &w->at, dY);
    }
    CdPoint *at = look_at(f, t, Y, dY);
    CD_TRY(cdi_accelerations(f->p, at));
    cdi_kinematics(f->p, at->q, at->v, dY);
    return CD_OK;
}

// R = q' - Z u, u = v or v - G^T mu
static CdStatus kinematic_rows(CdiFlat *f, const CdPoint *at, const double *dq, double *R) {
    CdiProblem *p = f->p;
    CdiFlatWork *w = f->work;
    const double *u = at->v;
    if (cdi_flat_stabilised(f)) {
        memcpy(w->mu, at->mu, (size_t)p->ng * sizeof *w->mu);
        CD_TRY(cdi_jt_mul(p, at, w->mu, w->u));
        for (int i = 0; i < p->nv; i++) w->u[i] = at->v[i] - w->u[i];
        u = w->u;
    }
    cdi_kinematics(p, at->q, u, w->zu);
    for (int i = 0; i < p->nq; i++) R[i] = dq[i] - w->zu[i];
    return CD_OK;
}

static CdConstraintLevel level_of(const CdiFlat *f) {
    return f->setup.form == CD_INDEX1   ? CD_ACCELERATION
           : f->setup.form == CD_INDEX3 ? CD_POSITION
                                        : CD_VELOCITY;
}

// Forces and constraints are taken on the manifold: derivatives along its directions, all that
// operators know, then are all there are, and Newton's iteration needs no second try for the rest.
static void put_on_manifold(const CdiFlat *f, CdPoint *at) {
    double *unit = f->work->unit;
    if (!f->p->user.normalise) return;
    memcpy(unit, at->q, (size_t)f->p->nq * sizeof *unit);
    cdi_normalise(f->p, unit);
    at->q = unit;
}

CdStatus cdi_flat_residual(CdiFlat *f, double t, const double *Y, const double *dY, double *R) {
    CdiProblem *p = f->p;
    const CdiFlatParts *from = &f->work->from;
    CdPoint *at = look_at(f, t, Y, dY);
    if (p->nv > 0) CD_TRY(kinematic_rows(f, at, dY, R));
    put_on_manifold(f, at);
    return cdi_residuals(p, at, level_of(f), R + from->v, R + from->lambda,
                         f->setup.form == CD_GGL ? R + from->mu : NULL);
}

void cdi_flat_scale(const CdiFlat *f, const double *Y, double rtol, double atol, double *scale) {
    // unit quaternions have no zero to be relative to
    const int unit = f->p->nq != f->p->nv ? f->p->nq : 0;
    for (int i = 0; i < unit; i++) scale[i] = f->weight[i] / (atol + rtol);
    for (int i = unit; i < f->n; i++) scale[i] = f->weight[i] / (atol + rtol * fabs(Y[i]));
}

static bool moved(const CdiFlat *f, const double *Y) {
    const double *old = f->work->old;
    for (int i = 0; i < f->n; i++) {
        // a NaN counts as moved
        if (!(fabs(Y[i] - old[i]) <= SAME_ULPS * DBL_EPSILON * fabs(old[i]))) return true;
    }
    return false;
}

static CdStatus project(CdiFlat *f, double t, double *Y) {
    CdPoint *at = look_at(f, t, Y, NULL);
    if (f->p->ng > 0) CD_TRY(cdi_project_position(f->p, at));
    return cdi_project_velocity(f->p, at);
}

CdStatus cdi_flat_accept(CdiFlat *f, double t, double *Y, bool *changed) {
    CdiProblem *p = f->p;
    const bool constrained = f->setup.explicit_form && f->setup.project && p->nc > 0;
    const size_t bytes = (size_t)f->n * sizeof *Y;
    *changed = false;
    if (!constrained && !p->user.normalise) return CD_OK;
    memcpy(f->work->old, Y, bytes);
    cdi_normalise(p, Y);
    const CdStatus status = constrained ? project(f, t, Y) : CD_OK;
    if (status == CD_OK) {
        *changed = moved(f, Y);
    } else {
        memcpy(Y, f->work->old, bytes);
    }
    return status;
}

static void copy(int n, const double *from, double *to) {
    if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

void cdi_flat_pack(const CdiFlat *f, const CdPoint *at, double *Y, double *dY) {
    const CdiProblem *p = f->p;
    const CdiFlatParts *from = &f->work->from;
    copy(p->nq, at->q, Y);
    copy(p->nv, at->v, Y + from->v);
    copy(p->ny, at->y, Y + from->y);
    if (!f->setup.explicit_form) {
        copy(p->nx, at->x, Y + from->x);
        copy(p->nc, at->lambda, Y + from->lambda);
        if (cdi_flat_stabilised(f)) copy(p->ng, at->mu, Y + from->mu);
    }
    if (!dY) return;
    // mu is 0 in a solution, and derivatives of algebraic unknowns do not appear
    memset(dY, 0, (size_t)f->n * sizeof *dY);
    if (p->nv > 0) cdi_kinematics(p, at->q, at->v, dY);
    copy(p->nv, at->vdot, dY + from->v);
    copy(p->ny, at->ydot, dY + from->y);
}

void cdi_flat_unpack(const CdiFlat *f, double t, const double *Y, const double *dY, CdPoint *at) {
    const CdiProblem *p = f->p;
    const CdiFlatParts *from = &f->work->from;
    at->t = t;
    copy(p->nq, Y, at->q);
    copy(p->nv, Y + from->v, at->v);
    copy(p->ny, Y + from->y, at->y);
    if (!f->setup.explicit_form) {
        copy(p->nx, Y + from->x, at->x);
        copy(p->nc, Y + from->lambda, at->lambda);
    }
    if (cdi_flat_stabilised(f)) {
        copy(p->ng, Y + from->mu, at->mu);
    } else if (p->ng > 0) {
        memset(at->mu, 0, (size_t)p->ng * sizeof *at->mu);
    }
    if (!dY) return;
    copy(p->nv, dY + from->v, at->vdot);
    copy(p->ny, dY + from->y, at->ydot);
}

CdStatus cdi_flat_complete(CdiFlat *f, CdPoint *at) {
    if (f->p->kind == CD_KIND_ODE) return cdi_rate(f->p, at, at->ydot);
    // the implicit form holds the rest in Y and Y'
    return f->setup.explicit_form ? cdi_accelerations(f->p, at) : CD_OK;
}

static void find_parts(CdiFlat *f) {
    const CdiProblem *p = f->p;
    CdiFlatParts *from = &f->work->from;
    from->v = (size_t)p->nq;
    from->y = from->v + (size_t)p->nv;
    from->x = from->y + (size_t)p->ny;
    from->lambda = from->x + (size_t)p->nx;
    from->mu = from->lambda + (size_t)p->nc;
    const size_t end = f->setup.explicit_form   ? from->x
                       : cdi_flat_stabilised(f) ? from->mu + (size_t)p->ng
                                                : from->mu;
    f->n = (int)end;
}

static CdStatus take_work(CdiFlat *f) {
    const CdiProblem *p = f->p;
    CdiFlatWork *w = f->work;
    w->plain_ode = f->setup.explicit_form && p->kind == CD_KIND_ODE;
    w->lambda = CD_TAKE(&f->arena, double, (size_t)p->nc);
    w->mu = CD_TAKE(&f->arena, double, (size_t)p->nc);
    w->u = CD_TAKE(&f->arena, double, (size_t)p->nv);
    w->zu = CD_TAKE(&f->arena, double, (size_t)p->nq);
    w->unit = CD_TAKE(&f->arena, double, (size_t)p->nq);
    w->old = CD_TAKE(&f->arena, double, (size_t)f->n);
    if (!w->lambda || !w->mu || !w->u || !w->zu || !w->unit || !w->old) return CD_NOMEM;
    w->at.lambda = p->nc > 0 ? w->lambda : NULL;
    w->at.mu = p->ng > 0 ? w->mu : NULL;
    return CD_OK;
}

static CdStatus fill(CdiFlat *f) {
    CD_TRY(cdi_flat_choose_form(f));
    f->work = CD_TAKE(&f->arena, CdiFlatWork, 1);
    if (!f->work) return CD_NOMEM;
    find_parts(f);
    CD_TRY(take_work(f));
    return cdi_flat_describe(f);
}

CdStatus cdi_flat_new(CdiProblem *p, const CdFlatSetup *setup, CdiFlat **out) {
    *out = NULL;
    CdiFlat *f = cdi_alloc(p->ctx, sizeof *f);
    if (!f) return CD_NOMEM;
    f->p = p;
    f->setup = *setup;
    cdi_arena_init(&f->arena, p->ctx, ARENA_BLOCK);
    const CdStatus status = fill(f);
    if (status != CD_OK) {
        cdi_flat_free(f);
        return status;
    }
    *out = f;
    return CD_OK;
}

void cdi_flat_free(CdiFlat *f) {
    if (!f) return;
    CdContext *ctx = f->p->ctx;
    cdi_arena_clear(&f->arena);
    cdi_free(ctx, f);
}
