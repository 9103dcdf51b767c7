// gen_alpha_solve.c - the equations of one step of the generalised-alpha family and their solution
//
// Newton's method in the increment d of a1 (subtracted), with q, V and A following it:
//
//   dq = h^2 beta d,  dV = h gamma d,  dA = (1 - am)/(1 - af) d
//
//   [cA M + cV C + cq K   J^T] [d      ]   [r  ]     cq = h^2 beta, cV = h gamma, cA = ...
//   [J                     0 ] [dlambda] = [c/k]     k = cq, cV or cA by the level of c
//
// so that rows and unknowns have the same size for every h. The stabilised form has eta beside:
// with u = h J(q0)^T d_eta, which also moves q, positions and velocities both ask for J d, hence
//
//   [I  J(q0)^T] [.]   [0                       ]
//   [J  0      ] [z] = [g - h beta/gamma (J v+..)],   u = -J(q0)^T z,  d_eta = -z/h
//
// and then the system above at velocity level with r - K u. What d does to J in J v is left out of
// the first of the two, which costs a rate of convergence of O(h). Rows of N have no position, so
// eta keeps N Dq as it is. Increments on manifolds are used without their tangent operator: also
// O(h), and nothing for linear spaces.
// Arnold, Bruels & Cardona, Numer. Math. 129 (2015) 149.
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrators/gen_alpha.h"

#define STALLED 1e3 // units of rounding that increments may have when they no longer fall

// how much is spent on the Jacobian of a step
typedef enum Effort {
    KEPT,  // that of an earlier step
    FRESH, // one where the step begins
    EVERY  // one in every iteration
} Effort;

static double *velocities(const CdPoint *at) {
    return at->v ? at->v : at->y;
}

static double *accelerations(const CdPoint *at) {
    return at->vdot ? at->vdot : at->ydot;
}

static bool recoverable(CdStatus status) {
    return status == CD_RETRY || status == CD_NOCONV || status == CD_SINGULAR ||
           status == CD_NONFINITE;
}

CdAlphaStep cdi_alpha_plan(const CdAlphaMemory *m, double h, double t1) {
    return (CdAlphaStep){.h = h,
                         .t1 = t1,
                         .cq = h * h * m->c.beta,
                         .cv = h * m->c.gamma,
                         .ca = (1 - m->c.am) / (1 - m->c.af)};
}

// ---- begin and end of a step

// a lives at t + (am - af) h, so it moves when h changes
static void rescale(CdIntegrator *it, double h) {
    CdAlphaMemory *m = it->method;
    if (m->h_a == h) return;
    const double ratio = h / m->h_a, *A = accelerations(&it->now);
    for (int i = 0; i < m->nV; i++) m->a[i] = A[i] + ratio * (m->a[i] - A[i]);
    m->h_a = h;
}

// V1 and a1 for A1 = A0, with V0, A0 and a0 put aside
static void predict_velocities(const CdAlphaMemory *m, double h, double *restrict V,
                               const double *restrict A) {
    const double k1 = 1 / (1 - m->c.am), k0 = m->c.am / (1 - m->c.am);
    const double h0 = h * (1 - m->c.gamma), h1 = h * m->c.gamma;
    double *restrict a = m->a, *restrict a_old = m->a_old;
    double *restrict V_old = velocities(&m->old), *restrict A_old = accelerations(&m->old);
    for (int i = 0; i < m->nV; i++) {
        const double a0 = a[i], a1 = k1 * A[i] - k0 * a0;
        A_old[i] = A[i];
        V_old[i] = V[i];
        a_old[i] = a0;
        a[i] = a1;
        V[i] += h0 * a0 + h1 * a1;
    }
}

static void predict_positions(CdIntegrator *it, double h) {
    CdAlphaMemory *m = it->method;
    const int nv = it->problem->nv;
    const double h0 = h * h * (0.5 - m->c.beta), h1 = h * h * m->c.beta;
    const double *restrict a0 = m->a_old, *restrict a1 = m->a, *restrict v0 = m->old.v;
    double *restrict q = it->now.q, *restrict q_old = m->old.q, *restrict turn = m->turn;
    if (it->problem->vector_space) {
        for (int i = 0; i < nv; i++) {
            q_old[i] = q[i];
            q[i] += h * v0[i] + h0 * a0[i] + h1 * a1[i];
        }
    } else {
        memcpy(q_old, q, (size_t)it->problem->nq * sizeof *q);
        for (int i = 0; i < nv; i++) turn[i] = h * v0[i] + h0 * a0[i] + h1 * a1[i];
        cdi_retract(it->problem, q_old, turn, q);
    }
}

// what increments of V and x are measured with
static void set_scale(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const double rtol = it->options->rtol, atol = it->options->atol;
    const double *w = it->problem->user.weight, *restrict V = velocities(&it->now);
    double *restrict scale = m->scale;
    // x follows V in a point
    for (int i = 0; i < m->nu; i++) scale[i] = 1 / (atol + rtol * fabs(V[i]));
    if (!w) return;
    w += it->problem->nq;
    for (int i = 0; i < m->nu; i++) scale[i] *= w[i];
}

static void predict(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    m->old.t = it->now.t;
    predict_velocities(m, s->h, velocities(&it->now), accelerations(&it->now));
    if (p->nv > 0) predict_positions(it, s->h);
    if (p->nx > 0) memcpy(m->old.x, it->now.x, (size_t)p->nx * sizeof(double));
    if (p->nc > 0) memcpy(m->old.lambda, it->now.lambda, (size_t)p->nc * sizeof(double));
    if (p->ng > 0) {
        memcpy(m->old.mu, it->now.mu, (size_t)p->ng * sizeof(double));
        memset(it->now.mu, 0, (size_t)p->ng * sizeof(double));
    }
    set_scale(it);
}

void cdi_alpha_restore(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    cdi_point_copy(it->problem, &it->now, &m->old);
    if (m->nV > 0) memcpy(m->a, m->a_old, (size_t)m->nV * sizeof(double));
}

// ---- one iteration

static CdConstraintLevel level(const CdAlphaMemory *m) {
    return m->form == CD_INDEX3   ? CD_POSITION
           : m->form == CD_INDEX1 ? CD_ACCELERATION
                                  : CD_VELOCITY;
}

static CdStatus set_up(CdIntegrator *it, const CdAlphaStep *s, const CdPoint *at, bool keep) {
    CdAlphaMemory *m = it->method;
    m->h_lin = 0;
    m->linear = m->linear && keep;
    const CdOperator op = {.cm = {s->ca},
                           .cc = {s->cv},
                           .ck = {it->problem->nv > 0 ? s->cq : 0},
                           .level = level(m),
                           .at = at,
                           .keep = keep};
    CD_TRY(cdi_lin_setup(m->lin, &op));
    if (m->lin_eta && !keep) {
        const CdOperator eta = {.ci = {1}, .at = at, .t_a = m->old.t, .q_a = m->old.q};
        CD_TRY(cdi_lin_setup(m->lin_eta, &eta));
    }
    m->h_lin = s->h;
    m->linear = true;
    return CD_OK;
}

// operators as the effort asks for; those of another step size only change their coefficients
static CdStatus renew(CdIntegrator *it, const CdAlphaStep *s, const CdPoint *at, Effort effort) {
    CdAlphaMemory *m = it->method;
    const bool first = m->newton.iteration == 0;
    if (effort == EVERY || (effort == FRESH && first)) return set_up(it, s, at, false);
    return m->h_lin == s->h ? CD_OK : set_up(it, s, at, true);
}

// u into push, d_eta into mu; b holds r and the velocity level
static CdStatus solve_eta(CdIntegrator *it, const CdAlphaStep *s, const CdPoint *at) {
    CdAlphaMemory *m = it->method;
    CdiProblem *p = it->problem;
    double *z = m->eta_b + p->nd;
    const double *c = m->b + p->nd, k = s->h * m->c.beta / m->c.gamma;
    memset(m->eta_b, 0, (size_t)p->n * sizeof(double));
    CD_TRY(cdi_constraint(p, at, z));
    for (int i = 0; i < p->ng; i++) z[i] -= k * c[i];
    CD_TRY(cdi_lin_solve(m->lin_eta, m->eta_b, 1, false));
    for (int i = 0; i < p->nc; i++) z[i] = -z[i];
    CD_TRY(cdi_jt_mul(p, &m->old, z, m->push));
    for (int i = 0; i < p->ng; i++) it->now.mu[i] += z[i] / s->h;
    cdi_lin_mul_add(m->lin, CD_OF_K, -1, m->push, m->b);
    return CD_OK;
}

// residuals into b, in the order of the operator
static CdStatus residual(CdIntegrator *it, const CdAlphaStep *s, const CdPoint *at) {
    CdAlphaMemory *m = it->method;
    CdiProblem *p = it->problem;
    CD_TRY(cdi_residual(p, at, m->b));
    if (p->nc == 0) return CD_OK;
    double *c = m->b + p->nd;
    CD_TRY(cdi_level_residual(p, at, level(m), c));
    if (m->lin_eta) CD_TRY(solve_eta(it, s, at));
    const double kg = m->form == CD_INDEX3 ? s->cq : m->form == CD_INDEX1 ? s->ca : s->cv;
    const double kn = m->form == CD_INDEX1 ? s->ca : s->cv;
    for (int i = 0; i < p->ng; i++) c[i] /= kg;
    for (int i = p->ng; i < p->nc; i++) c[i] /= kn;
    return CD_OK;
}

static void move_velocities(const CdAlphaMemory *m, const CdAlphaStep *s, double *restrict V,
                            double *restrict A) {
    const double *restrict d = m->b;
    double *restrict a = m->a;
    for (int i = 0; i < m->nV; i++) {
        a[i] -= d[i];
        A[i] -= s->ca * d[i];
        V[i] -= s->cv * d[i];
    }
}

static void move_positions(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const int nv = it->problem->nv;
    const double *restrict d = m->b, *restrict u = m->push;
    double *restrict to = it->problem->vector_space ? it->now.q : m->turn;
    for (int i = 0; i < nv; i++) to[i] -= s->cq * d[i];
    if (m->lin_eta) {
        for (int i = 0; i < nv; i++) to[i] -= u[i];
    }
    if (!it->problem->vector_space) cdi_retract(it->problem, m->old.q, m->turn, it->now.q);
}

// takes the increment off; its norm, in units of the error tolerance of V and x
static double move(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    move_velocities(m, s, velocities(&it->now), accelerations(&it->now));
    if (p->nv > 0) move_positions(it, s);
    for (int i = 0; i < p->nx; i++) it->now.x[i] -= s->cv * m->b[m->nV + i];
    for (int i = 0; i < p->nc; i++) it->now.lambda[i] -= m->b[p->nd + i];
    const double norm = s->cv * cdi_vecn()->wrms((size_t)m->nu, m->b, m->scale);
    if (!m->lin_eta) return norm;
    return hypot(norm, cdi_vecn()->wrms((size_t)p->nv, m->push, m->scale) / s->h);
}

// increments that no longer fall because they are rounding errors: of V, and of q over h
static bool at_rounding(const CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    const double *V = velocities(&it->now), *A = accelerations(&it->now);
    const double q = cdi_vecn()->max((size_t)it->problem->nq, it->now.q) / s->h;
    for (int i = 0; i < m->nV; i++) {
        const double size = fabs(V[i]) + s->h * fabs(A[i]) + (i < it->problem->nv ? q : 0);
        if (!(fabs(s->cv * m->b[i]) <= STALLED * DBL_EPSILON * size)) return false;
    }
    return true;
}

static CdStatus iterate(CdIntegrator *it, const CdAlphaStep *s, Effort effort) {
    CdAlphaMemory *m = it->method;
    CdPoint at = it->now;
    at.t = s->t1;
    cdi_newton_begin(&m->newton, m->newton_tolerance);
    for (;;) {
        CD_TRY(renew(it, s, &at, effort));
        CD_TRY(residual(it, s, &at));
        CD_TRY(cdi_lin_solve(m->lin, m->b, 1, false));
        const double norm = move(it, s);
        it->stats->iterations++;
        const CdNewtonVerdict verdict = cdi_newton_judge(&m->newton, norm, effort == EVERY);
        if (verdict == CD_NEWTON_DONE) return CD_OK;
        if (verdict == CD_NEWTON_FAILED) {
            if (!isfinite(norm)) return CD_NONFINITE;
            return at_rounding(it, s) ? CD_OK : CD_NOCONV;
        }
    }
}

// ---- a step

static const CdAlphaOptions *own_options(const CdIntegrator *it) {
    return &((const CdAlphaBase *)(const void *)it->options)->family;
}

CdStatus cdi_alpha_solve(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const bool full = own_options(it)->newton == CD_NEWTON_FULL;
    const Effort last = full || !it->options->adaptive ? EVERY : FRESH;
    Effort effort = full ? EVERY : m->linear && !m->stale ? KEPT : FRESH;
    rescale(it, s->h);
    for (;; effort++) {
        predict(it, s);
        const CdStatus status = iterate(it, s, effort);
        if (status == CD_OK) break;
        if (recoverable(status)) it->stats->newton_failures++;
        cdi_newton_reset(&m->newton);
        m->linear = false;
        if (!recoverable(status) || effort == last) return status;
        cdi_alpha_restore(it);
    }
    m->stale = m->newton.theta > m->stale_rate;
    return CD_OK;
}

// ---- what went wrong

static void name_row(const CdiProblem *p, int row, CdText *text) {
    const struct {
        const char *name;
        int n;
    } parts[] = {{"v", p->nv}, {"y", p->ny}, {"x", p->nx}, {"g", p->ng}, {"n", p->nn}};
    size_t k = 0;
    for (; row >= parts[k].n; k++) row -= parts[k].n;
    cdi_text_addf(text, "%s[%d]", parts[k].name, row);
}

// the row of the largest residual, or of the first that is not a number
static int worst_row(const double *b, int n) {
    int worst = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(b[i])) return i;
        if (fabs(b[i]) > fabs(b[worst])) worst = i;
    }
    return worst;
}

void cdi_alpha_explain(CdIntegrator *it, const CdAlphaStep *s, CdStatus status, CdText *why) {
    CdAlphaMemory *m = it->method;
    CdPoint at = it->now;
    at.t = s->t1;
    if (status == CD_SINGULAR) {
        cdi_text_add(why, "the matrix of Newton's method is singular: ");
        cdi_lin_explain(m->lin, why);
        return;
    }
    if (status != CD_RETRY && residual(it, s, &at) == CD_OK) {
        const int row = worst_row(m->b, it->problem->n);
        cdi_text_addf(why, "Newton's method does not converge; the residual of row ");
        name_row(it->problem, row, why);
        cdi_text_addf(why, isfinite(m->b[row]) ? " is the largest, %.3g" : " is %g", m->b[row]);
        return;
    }
    cdi_text_add(why, "the problem cannot be evaluated there");
}
