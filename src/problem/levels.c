// levels.c - constraints at position, velocity and acceleration level, and products with J
//
//   g(t,q) = 0
//   J v + (g_t, n) = 0
//   J v' + gamma = 0,     gamma = d/dt (J v + (g_t, n)) with v held
//
// Where the user gives no g_t it is a difference in time. Where he gives no gamma it is one along
// the motion, q moved by h v and t by h; without g_t its part in gamma is made apart,
//
//   gamma = d/dh J(t + h, q + h v) v  +  d/dt (G v)  +  g_tt,
//
// as a difference of differences would lose half of the digits. Constraints that do not know time
// get exact zeros. Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 3.2.
#include <string.h>

#include "problem/stencil.h"
#include "problem/work.h"

CdStatus cdi_constraint(CdiProblem *p, const CdPoint *at, double *g) {
    if (p->ng == 0) return CD_OK;
    return cdi_returned(p, "constraint", p->user.constraint(p->user.data, at, g));
}

// ---- products

// y += J x
static void jacobian_mul(const CdiProblem *p, const double *x, double *y) {
    const CdCsc j = {.pattern = p->jpattern, .v = p->work->jacobian};
    cdi_csc_mul_add(&j, false, 1, x, y);
}

CdStatus cdi_j_mul(CdiProblem *p, const CdPoint *at, const double *v, double *out) {
    if (p->nc == 0) return CD_OK;
    memset(out, 0, (size_t)p->nc * sizeof *out);
    CD_TRY(cdi_jacobian(p, at, p->work->jacobian));
    jacobian_mul(p, v, out);
    return CD_OK;
}

void cdi_jt_mul_by(const CdiProblem *p, double *J, const double *l, double *out) {
    const CdCsc j = {.pattern = p->jpattern, .v = J};
    if (p->nv > 0) memset(out, 0, (size_t)p->nv * sizeof *out);
    if (p->nc > 0) cdi_csc_mul_add(&j, true, 1, l, out);
}

CdStatus cdi_jt_mul(CdiProblem *p, const CdPoint *at, const double *l, double *out) {
    if (p->nc > 0) CD_TRY(cdi_jacobian(p, at, p->work->jacobian));
    cdi_jt_mul_by(p, p->work->jacobian, l, out);
    return CD_OK;
}

// ---- velocity level

static CdStatus time_rate(CdiProblem *p, const CdPoint *at, double *rate) {
    double *const *g = p->work->g_inner;
    CdPoint moved = *at;
    for (int k = 0; k < STENCIL; k++) {
        moved.t = at->t + stencil_at[k] * TIME_STEP;
        CD_TRY(cdi_constraint(p, &moved, g[k]));
    }
    for (int i = 0; i < p->ng; i++) rate[i] = stencil_rate(g, i, TIME_STEP);
    return CD_OK;
}

static CdStatus velocity_terms(CdiProblem *p, const CdPoint *at, double *terms) {
    if (p->user.velocity_terms) {
        return cdi_returned(p, "velocity_terms", p->user.velocity_terms(p->user.data, at, terms));
    }
    memset(terms, 0, (size_t)p->nc * sizeof *terms);
    return p->ng > 0 ? time_rate(p, at, terms) : CD_OK;
}

CdStatus cdi_velocity_residual(CdiProblem *p, const CdPoint *at, double *c) {
    if (p->nc == 0) return CD_OK;
    CD_TRY(velocity_terms(p, at, c));
    CD_TRY(cdi_jacobian(p, at, p->work->jacobian));
    jacobian_mul(p, at->v, c);
    return CD_OK;
}

// ---- acceleration level

static double motion_step(const CdiProblem *p, const CdPoint *at) {
    double speed = 1;
    for (int i = 0; i < p->nv; i++) speed = fmax(speed, fabs(at->v[i]));
    return TIME_STEP / speed;
}

// J v, and the terms if they are given, at a point of the motion
static CdStatus motion_value(CdiProblem *p, const CdPoint *moved, double *c) {
    return p->user.velocity_terms ? cdi_velocity_residual(p, moved, c)
                                  : cdi_j_mul(p, moved, moved->v, c);
}

// d/dh of J v (and terms) at (t + h, q + h v)
static CdStatus along_motion(CdiProblem *p, const CdPoint *at, double *gamma) {
    CdiWork *w = p->work;
    const double h = motion_step(p, at);
    CdPoint moved = *at;
    moved.q = w->q_motion;
    for (int k = 0; k < STENCIL; k++) {
        for (int i = 0; i < p->nv; i++) w->d_motion[i] = stencil_at[k] * h * at->v[i];
        moved.t = at->t + stencil_at[k] * h;
        cdi_retract(p, at->q, w->d_motion, w->q_motion);
        CD_TRY(motion_value(p, &moved, w->c_motion[k]));
    }
    for (int i = 0; i < p->nc; i++) gamma[i] = stencil_rate(w->c_motion, i, h);
    return CD_OK;
}

// gamma += d/dt (G v)
static CdStatus add_jacobian_rate(CdiProblem *p, const CdPoint *at, double *gamma) {
    double *const *c = p->work->c_motion;
    CdPoint moved = *at;
    for (int k = 0; k < STENCIL; k++) {
        moved.t = at->t + stencil_at[k] * TIME_STEP;
        CD_TRY(cdi_j_mul(p, &moved, at->v, c[k]));
    }
    for (int i = 0; i < p->ng; i++) gamma[i] += stencil_rate(c, i, TIME_STEP);
    return CD_OK;
}

// gamma += g_tt = (16 (g(h) + g(-h) - 2 g) - (g(2h) + g(-2h) - 2 g))/12h^2
static CdStatus add_second_rate(CdiProblem *p, const CdPoint *at, double *gamma) {
    static const double weight[STENCIL] = {-1, 16, 16, -1};
    double *here = p->work->g_inner[0], *there = p->work->g_inner[1];
    CdPoint moved = *at;
    CD_TRY(cdi_constraint(p, at, here));
    for (int k = 0; k < STENCIL; k++) {
        const double factor = weight[k] / (12 * TIME_STEP_2 * TIME_STEP_2);
        moved.t = at->t + stencil_at[k] * TIME_STEP_2;
        CD_TRY(cdi_constraint(p, &moved, there));
        for (int i = 0; i < p->ng; i++) gamma[i] += factor * (there[i] - here[i]);
    }
    return CD_OK;
}

CdStatus cdi_gamma(CdiProblem *p, const CdPoint *at, double *gamma) {
    if (p->nc == 0) return CD_OK;
    if (p->user.acceleration_terms) {
        return cdi_returned(p, "acceleration_terms",
                            p->user.acceleration_terms(p->user.data, at, gamma));
    }
    CD_TRY(along_motion(p, at, gamma));
    if (p->user.velocity_terms || p->ng == 0) return CD_OK;
    CD_TRY(add_jacobian_rate(p, at, gamma));
    return add_second_rate(p, at, gamma);
}

CdStatus cdi_acceleration_residual(CdiProblem *p, const CdPoint *at, double *c) {
    if (p->nc == 0) return CD_OK;
    CD_TRY(cdi_gamma(p, at, c));
    CD_TRY(cdi_jacobian(p, at, p->work->jacobian));
    jacobian_mul(p, at->vdot, c);
    return CD_OK;
}

CdStatus cdi_level_residual(CdiProblem *p, const CdPoint *at, CdConstraintLevel level, double *c) {
    if (level == CD_ACCELERATION) return cdi_acceleration_residual(p, at, c);
    if (level == CD_VELOCITY) return cdi_velocity_residual(p, at, c);
    if (p->nn > 0) CD_TRY(cdi_velocity_residual(p, at, c));
    return cdi_constraint(p, at, c);
}

// ---- residuals of everything

// by one callback; at position level rows of N come from velocities
static CdStatus mechanical_residuals(CdiProblem *p, const CdPoint *at, CdConstraintLevel level,
                                     double *r, double *c, double *g) {
    const bool position = level == CD_POSITION, apart = position && p->nn > 0;
    double *const of_g = apart ? p->work->g_inner[0] : position ? c : g;
    double *const velocity = apart || level == CD_VELOCITY ? c : NULL;
    double *const acceleration = level == CD_ACCELERATION ? c : NULL;
    CD_TRY(cdi_returned(p, "residual",
                        p->user.residual(p->user.data, at, r, of_g, velocity, acceleration)));
    if (apart) memcpy(c, of_g, (size_t)p->ng * sizeof *c);
    return CD_OK;
}

CdStatus cdi_residuals(CdiProblem *p, const CdPoint *at, CdConstraintLevel level, double *r,
                       double *c, double *g) {
    p->counts.evaluations++;
    if (p->user.residual) {
        CD_TRY(mechanical_residuals(p, at, level, r, c, g));
        return p->nd > p->nv ? cdi_residual_beside(p, at, CDI_ALL, r) : CD_OK;
    }
    CD_TRY(cdi_residual_parts(p, at, CDI_ALL, r));
    if (g) CD_TRY(cdi_constraint(p, at, g));
    return p->nc > 0 ? cdi_level_residual(p, at, level, c) : CD_OK;
}
