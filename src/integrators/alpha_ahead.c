// alpha_ahead.c - fixed steps of a linear problem of few unknowns, one after the other at once
//
// A problem that Newton's method trusts to be linear takes one iteration per step, with the
// operator it has. Of few unknowns that costs less than to decide so anew in every step. So as long
// as nothing is to be decided the steps are no more than
//
//   predict,  b = r(t1, q1, V1, A1),  d = S^-1 b,  move
//
// with the numbers, the counts and the memory that cdi_alpha_step would leave. A step that asks for
// more is taken back, and cdi_alpha_step makes it.
#include <math.h>

#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

// will the next step be one iteration with what is known, after which as much is known?
static bool is_ready(const CdIntegrator *it, double h) {
    const CdAlphaMemory *m = it->method;
    const bool whole = m->parts.n == 0 && m->sections.n == 0 && !m->apart;
    return m->few && whole && it->problem->user.residual_rows && m->h_a == h &&
           cdi_alpha_keeps(it, h) && cdi_newton_trusts(&m->newton) && cdi_lin_settled(m->lin);
}

// the one iteration; false: it was not enough, or something failed
static bool iterate(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const CdAlphaArrays *x = &m->all;
    CdiProblem *p = it->problem;
    cdi_alpha_begin_newton(it, CD_JACOBIAN_KEPT);
    p->user.residual_rows(p->user.data, &it->now, 0, p->nv, x->b);
    if (cdi_lin_solve(m->lin, x->b, 1, false) != CD_OK) return false;
    const double sum =
        m->ops->move((size_t)m->nV, s, x->b, x->scale, it->now.v, it->now.vdot, x->a, it->now.q);
    const double norm = sqrt(sum * (s->cv * s->cv) * m->share);
    return cdi_newton_suffices(&m->newton, norm);
}

// one step to t1; false: nothing has changed, and the try is not counted
static bool take(CdIntegrator *it, CdAlphaStep *s, double t1) {
    CdAlphaMemory *m = it->method;
    const CdAlphaArrays *x = &m->all;
    const double floor = m->floor;
    const int iteration = m->newton.iteration;
    const long long solves = it->problem->counts.solves;
    m->all.old.t = it->now.t;
    it->now.t = s->t1 = t1;
    m->ops->predict((size_t)m->nV, s, it->now.v, it->now.vdot, x->a, x->old.v, x->old.vdot,
                    x->a_old, NULL, it->now.q, x->old.q);
    if (iterate(it, s)) return true;
    cdi_alpha_restore(it);
    m->floor = floor;
    m->newton.iteration = iteration;
    it->problem->counts.solves = solves;
    it->t_old = it->now.t; // the dense output of the step before is gone
    return false;
}

int64_t cdi_alpha_ahead(CdIntegrator *it, const CdiGrid *grid, int64_t most) {
    CdAlphaMemory *m = it->method;
    const double h = grid->h;
    int64_t n = 0;
    if (!is_ready(it, h)) return 0;
    CdAlphaStep s = cdi_alpha_plan(it, h, 0);
    m->waits = false;
    for (; n < most && cdi_newton_trusts(&m->newton); n++) {
        const double t1 = cdi_grid_time(grid, n + 1);
        bool last;
        if (!(t1 < grid->limit) || cdi_step_to(it, h, t1, &last) != h || !last) break;
        if (!take(it, &s, t1)) break;
        it->t_old = m->all.old.t;
        cdi_count_size(it->stats, t1 - it->t_old);
    }
    if (n == 0) return 0;
    it->h = h;
    it->stats->iterations += n;
    it->problem->counts.evaluations += n;
    cdi_alpha_count(m, n, 1);
    cdi_alpha_end_motion(it, &s);
    cdi_alpha_remember(it, &s);
    return n;
}
