// alpha_eta.c - multipliers of positions in the stabilised form of the generalised-alpha family
//
// eta moves q by -h J(q0)^T eta, so that g = 0 beside J v + .. = 0. It is smooth in time, O(h^2),
// and extrapolated as accelerations are. An increment u of q by eta, beside cq d by accelerations,
// asks for
//
//   J (cq d + u) = g          cv J d + Cq (cq d + u) = c         c = J v + ..,  Cq = dc/dq
//
// and so, with k = cq/cv = h beta/gamma, for (J - k Cq) u = g - k c + k Cq cq d, hence
//
//   [I         J(q0)^T] [.]   [0      ]
//   [J - k Cq  0      ] [z] = [g - k c],   u = -J(q0)^T z,  d_eta = -z/h
//
// on manifolds with J T and Cq T in place of J and Cq where these stand before positions (turn.c),
// and (J T - J) cq d besides. Terms with d are left out. They are O(h) of cq d, which after the
// first iteration is O(h) of u: a rate of convergence of O(h^2). Rows of N have no position, so eta
// keeps N Dq as it is; what does that is no part of eta, which then begins at 0, and such problems
// go without k Cq.
// Arnold, Bruels & Cardona, Numer. Math. 129 (2015) 149.
#include <string.h>

#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

// J(q0), once per step
static CdStatus find_J_old(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    if (!m->knows_J_old) CD_TRY(cdi_jacobian(it->problem, &m->all.old, m->J_old));
    m->knows_J_old = true;
    return CD_OK;
}

CdStatus cdi_alpha_eta_setup(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const CdOperator op = {.ci = {1}, .at = &it->now, .t_a = m->all.old.t, .q_a = m->all.old.q};
    CD_TRY(find_J_old(it));
    const double slopes = it->problem->nn > 0 ? 0 : -s->cq / s->cv;
    const CdiKnown known = {
        .turn = cdi_alpha_turn(it), .J_a = m->J_old, .b = m->lin, .slopes = slopes};
    return cdi_lin_setup_with(m->lin_eta, &op, &known);
}

// Rows that do not act stay at 0, as nothing would hold them. After a step of another size, whose
// eta was larger or smaller by the square of that, all of them do.
bool cdi_alpha_eta_predict(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    // a failure comes again where the first iteration asks
    if (!s->more || p->nn > 0 || find_J_old(it) != CD_OK) return false;
    const CdAlphaPast past = cdi_alpha_past(&m->all, m->slot, (size_t)(m->nV + p->nc));
    double *eta = it->now.mu, *z = m->eta_b + p->nd, sum[CDI_ALPHA_WAYS];
    memcpy(past.A[0], m->all.old.mu, (size_t)p->ng * sizeof *eta);
    if (s->h != m->h_past) return false;
    m->ops->misses((size_t)p->ng, m->ones, m->all.old.mu, &past, sum);
    const double *more = cdi_alpha_best_way(m->npast, sum);
    memset(z, 0, (size_t)p->nc * sizeof *z);
    for (int i = 0; i < p->ng; i++) {
        eta[i] = past.A[0][i];
        for (int k = 0; k < CDI_ALPHA_PAST; k++) eta[i] += more[k] * past.A[k][i];
        if (p->user.redundant > 0 && !cdi_row_acts(p, i)) eta[i] = 0;
        z[i] = s->h * eta[i];
    }
    cdi_jt_mul_by(p, m->J_old, z, m->push);
    return true;
}

CdStatus cdi_alpha_eta_solve(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    CdiProblem *p = it->problem;
    double *z = m->eta_b + p->nd;
    const double *c = m->all.b + p->nd, k = s->cq / s->cv;
    memset(m->eta_b, 0, (size_t)p->nd * sizeof(double));
    for (int i = p->ng; i < p->nc; i++) z[i] = 0;
    for (int i = 0; i < p->ng; i++) z[i] -= k * c[i];
    CD_TRY(cdi_lin_solve(m->lin_eta, m->eta_b, 1, false));
    for (int i = 0; i < p->nc; i++) z[i] = -z[i];
    CD_TRY(find_J_old(it));
    cdi_jt_mul_by(p, m->J_old, z, m->push);
    for (int i = 0; i < p->ng; i++) it->now.mu[i] += z[i] / s->h;
    cdi_lin_mul_add(m->lin, CD_OF_K, -1, m->push, m->all.b);
    cdi_lin_mul_add(m->lin, CD_OF_CQ, -1, m->push, m->all.b + p->nd);
    return CD_OK;
}
