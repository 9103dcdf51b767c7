// alpha_burst.c - bursts: fixed steps of a linear problem of few unknowns, without a pause between
//
// A problem that Newton's method trusts to be linear takes one iteration per step, with the
// operator it has. Of few unknowns that costs less than to decide so anew in every step. So as long
// as nothing is to be decided the steps are no more than
//
//   predict,  b = r(t1, q1, V1, A1),  d = S^-1 b,  move
//
// with the numbers, the counts and the memory that cdi_alpha_step would leave. A step that asks for
// more is taken back, its residual is not counted, and cdi_alpha_step makes it and some more.
#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define CALM 16 // steps without a burst, after one that was taken back

// Was the last step one iteration with what was known? Then nothing is stale since, no new
// derivatives are due, and what the method tells of a step holds for the next. Trusted problems
// keep no past.
static bool is_ready(const CdIntegrator *it, double h) {
    const CdAlphaMemory *m = it->method;
    const CdNewton *n = &m->newton;
    const bool whole = m->parts.n == 0 && m->sections.n == 0 && !m->apart;
    return m->few && whole && it->problem->user.residual_rows && m->h_lin == h &&
           n->effort == CD_JACOBIAN_KEPT && n->iteration == 1 && cdi_lin_settled(m->lin);
}

// the one iteration; false: it was not enough, or something failed
static bool is_enough(CdIntegrator *it, const CdAlphaStep *s, CdAlphaRange all) {
    CdAlphaMemory *m = it->method;
    CdiProblem *p = it->problem;
    cdi_alpha_begin_newton(it, CD_JACOBIAN_KEPT);
    p->user.residual_rows(p->user.data, &it->now, 0, p->nv, m->all.b);
    if (cdi_lin_solve(m->lin, m->all.b, 1, false) != CD_OK) return false;
    const double sum = cdi_alpha_move_V(m, &m->all, s, all, true);
    return cdi_newton_suffices(&m->newton, cdi_alpha_norm(m, s, sum, 0));
}

// one step to t1; false: it is still to be made, and the try is not counted
static bool take(CdIntegrator *it, CdAlphaStep *s, double t1) {
    CdAlphaMemory *m = it->method;
    const CdAlphaRange all = {0, (size_t)m->nV};
    const double known = m->floor; // rounding
    const long long solves = it->problem->counts.solves;
    m->all.old.t = it->now.t;
    it->now.t = s->t1 = t1;
    cdi_alpha_predict_V(m, &m->all, s, all, true);
    if (is_enough(it, s, all)) return true;
    cdi_alpha_restore(it);
    m->floor = known;
    it->problem->counts.solves = solves;
    m->calm = CALM;
    return false;
}

int64_t cdi_alpha_burst(CdIntegrator *it, const CdiGrid *grid, double limit, int64_t most) {
    CdAlphaMemory *m = it->method;
    const double h = grid->h;
    int64_t n = 0;
    if (!is_ready(it, h)) return 0;
    if (m->calm > 0) {
        m->calm--;
        return 0;
    }
    CdAlphaStep s = cdi_alpha_plan(it, h, 0);
    for (; n < most && cdi_newton_trusts(&m->newton); n++) {
        const double t1 = cdi_grid_time(grid, n + 1);
        bool last;
        if (!(t1 < limit) || cdi_step_to(it, h, t1, &last) != h || !last) break;
        if (!take(it, &s, t1)) break;
        it->t_old = m->all.old.t;
        cdi_count_size(it->stats, t1 - it->t_old);
    }
    if (n == 0) return 0;
    it->stats->iterations += n;
    it->problem->counts.evaluations += n;
    cdi_alpha_count(m, n, 1);
    return n;
}
