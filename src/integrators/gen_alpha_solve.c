// gen_alpha_solve.c - the equations of one step of the generalised-alpha family and their solution
//
// Newton's method in the increment d of a1 (subtracted), with q, V and A following it:
//
//   dq = h^2 beta d,  dV = h gamma d,  dA = (1 - am)/(1 - af) d
//
//   [cA M + cV C + cq K   J^T] [d      ]   [r  ]     cq = h^2 beta, cV = h gamma, cA = ...
//   [J                     0 ] [dlambda] = [c/k]     k = cq, cV or cA by the level of c
//
// so that rows and unknowns have the same size for every h. On manifolds q moves by T dq, T the
// tangent operator of the whole increment from q0, which K and J are multiplied with (turn.c). The
// stabilised form has eta beside (alpha_eta.c): it moves q by u, and leaves r - K u and c - c_q u
// for the system above at velocity level.
// Bruels, Cardona & Arnold, Mech. Mach. Theory 48 (2012) 121; Arnold, Bruels & Cardona, Numer.
// Math. 129 (2015) 149.
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrators/driver.h"
#include "integrators/gen_alpha.h"

#define STALLED 1e3      // units of rounding that increments may have when they no longer fall
#define STALLS 3         // the first iteration for which that is said
#define SOLVED 30        // and that constraints may have
#define BALANCE 1e-7     // part of the constraint forces that may be out of balance then
#define GOOD_RATE 1e-3   // of convergence, that new derivatives would not help
#define LINEAR_RATE 1e-9 // that of a linear problem
#define OLD 10           // steps over the cost of new derivatives
#define ROUNDING 0.1     // of the tolerance, increments that may be rounding errors
#define GRAINS 2         // rounding errors of q that increments need not tell
#define NEAR 10          // tolerances for which they are looked at
#define FLOOR 2          // increments that were rounding errors, up to which the next ones may be
#define SPELL_MAX 16     // steps with new derivatives until older ones are tried again
#define LATELY 0.25      // part of the last step in an average over steps
#define FULL_COST 2.5    // of an iteration with new derivatives, in others, in small models
#define CHEAP 2          // iterations that derivatives of one unknown cost
#define CHEAP_MORE 10    // unknowns that cost one more
#define FADE 0.99        // of what is known about rounding errors, with every step
#define AGAIN 10         // iterations, to see where one fails
#define COUNTED 10000000 // steps with the same derivatives, more are as good

// ---- begin and end of a step

// a lives at t + (am - af) h, so it moves when h changes
static void rescale(CdIntegrator *it, double h) {
    CdAlphaMemory *m = it->method;
    if (m->h_a == h) return;
    cdi_alpha_unite(it);
    const double ratio = h / m->h_a, *A = cdi_alpha_accelerations(&it->now);
    for (int i = 0; i < m->nV; i++) m->all.a[i] = A[i] + ratio * (m->all.a[i] - A[i]);
    m->h_a = h;
}

void cdi_alpha_restore(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    if (m->waits) {
        // nothing has moved
        m->waits = false;
        it->now.t = m->all.old.t;
        return;
    }
    cdi_alpha_unite(it);
    cdi_point_copy(it->problem, &it->now, &m->all.old);
    if (m->nV > 0) memcpy(m->all.a, m->all.a_old, (size_t)m->nV * sizeof(double));
}

// ---- one iteration

static CdConstraintLevel level(const CdAlphaMemory *m) {
    return m->form == CD_INDEX3   ? CD_POSITION
           : m->form == CD_INDEX1 ? CD_ACCELERATION
                                  : CD_VELOCITY;
}

static CdStatus set_up(CdIntegrator *it, const CdAlphaStep *s, bool keep) {
    CdAlphaMemory *m = it->method;
    m->h_lin = 0;
    m->linear = m->linear && keep;
    cdi_alpha_drift_forget(it);
    const CdOperator op = {.cm = {s->ca},
                           .cc = {s->cv},
                           .ck = {it->problem->nv > 0 ? s->cq : 0},
                           .level = level(m),
                           .at = &it->now,
                           .keep = keep};
    CD_TRY(cdi_lin_setup_with(m->lin, &op, &(CdiKnown){.turn = cdi_alpha_turn(it)}));
    cdi_alpha_cut(it);
    if (m->lin_eta && !keep) CD_TRY(cdi_alpha_eta_setup(it, s));
    m->h_lin = s->h;
    m->linear = true;
    return CD_OK;
}

// operators as the effort asks for; those of another step size only change their coefficients
static CdStatus renew(CdIntegrator *it, const CdAlphaStep *s, CdNewtonEffort effort) {
    CdAlphaMemory *m = it->method;
    const bool first = m->newton.iteration == 0;
    if (effort == CD_JACOBIAN_EVERY || (effort == CD_JACOBIAN_FRESH && first))
        return set_up(it, s, false);
    return m->h_lin == s->h ? CD_OK : set_up(it, s, true);
}

// residuals into b, in the order of the operator
static CdStatus residual(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    CdiProblem *p = it->problem;
    // the way by levels of constraints costs as much as a few rows
    if (m->few && p->user.residual_rows) {
        p->counts.evaluations++;
        p->user.residual_rows(p->user.data, &it->now, 0, p->nv, m->all.b);
        return CD_OK;
    }
    double *c = m->all.b + p->nd, *g = m->lin_eta ? m->eta_b + p->nd : NULL;
    CD_TRY(cdi_residuals(p, &it->now, level(m), m->all.b, c, g));
    if (p->nc == 0) return CD_OK;
    if (m->lin_eta) CD_TRY(cdi_alpha_eta_solve(it, s));
    cdi_alpha_divide_rows(it, s);
    return CD_OK;
}

static void subtract(int n, double c, const double *restrict d, double *restrict x) {
    for (int i = 0; i < n; i++) x[i] -= c * d[i];
}

// sum of (x_i w_i)^2
static double squares(int n, const double *x, const double *w) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (x[i] * w[i]) * (x[i] * w[i]);
    return sum;
}

// takes the increment off; the sum of squares of its parts, but for factors
static double move(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    double sum = cdi_alpha_move_motion(it, s);
    if (p->vector_space && m->lin_eta) subtract(p->nv, 1, m->push, it->now.q);
    if (p->nx > 0) {
        subtract(p->nx, s->cv, m->all.b + m->nV, it->now.x);
        sum += squares(p->nx, m->all.b + m->nV, m->all.scale + m->nV);
    }
    return sum;
}

// residual, solution and increment; its norm, in units of the error tolerance of V and x
static CdStatus iterate_once(CdIntegrator *it, const CdAlphaStep *s, double *norm) {
    CdAlphaMemory *m = it->method;
    double sum;
    if (m->sections.n > 0) {
        CD_TRY(cdi_alpha_iterate_sections(it, s, level(m), &sum));
    } else if (m->parts.n > 0) {
        cdi_alpha_iterate_parts(it, s, &sum);
    } else {
        CD_TRY(residual(it, s));
        CD_TRY(cdi_lin_solve(m->lin, m->all.b, 1, false));
        if (m->slow) cdi_alpha_mend(it);
        sum = move(it, s);
    }
    double eta = 0;
    if (m->lin_eta) eta = squares(it->problem->nv, m->push, m->all.scale) / (s->h * s->h);
    *norm = cdi_alpha_norm(m, s, sum, eta);
    return CD_OK;
}

// increments that no longer fall because they are rounding errors: of V, and of q over h. Those of
// x cannot be told from its equations; they must be below the tolerance.
static bool at_rounding(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    if (!cdi_alpha_at_rounding(it, s, STALLED * DBL_EPSILON)) return false;
    for (int i = m->nV; i < m->nu; i++) {
        if (!(fabs(s->cv * m->all.b[i]) * m->all.scale[i] <= 1)) return false;
    }
    return true;
}

// Close to singular positions rounding errors make large increments. There the equations decide:
// constraints on positions up to the rounding of q, forces up to a small part of J^T lambda.
static bool solved(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    CdiProblem *p = it->problem;
    cdi_alpha_unite(it);
    if (m->form != CD_INDEX3 || p->nc > p->ng || residual(it, s) != CD_OK) return false;
    if (cdi_jt_mul(p, &it->now, it->now.lambda, m->push) != CD_OK) return false;
    const double q = cdi_vecn()->max((size_t)p->nq, it->now.q) / s->cq;
    const double f = cdi_vecn()->max((size_t)p->nd, m->push);
    for (int i = 0; i < p->n; i++) {
        if (!(fabs(m->all.b[i]) <= (i < p->nd ? BALANCE * f : SOLVED * DBL_EPSILON * q)))
            return false;
    }
    return true;
}

// increments that do not fall: the equations are solved, CD_RETRY to look again, or a failure
static CdStatus judge_failure(CdIntegrator *it, const CdAlphaStep *s, double norm) {
    CdAlphaMemory *m = it->method;
    if (!isfinite(norm)) return CD_NONFINITE;
    const bool rounded = at_rounding(it, s);
    if (!rounded && !solved(it, s)) return CD_NOCONV;
    // a first one that was small by chance makes the second look like rounding
    if (rounded && m->newton.iteration < STALLS) return CD_RETRY;
    m->newton.theta = 0; // no rate of convergence
    if (rounded) m->floor = norm;
    return CD_OK;
}

// an increment as small as one that was rounding a while ago
static bool is_known_rounding(CdIntegrator *it, const CdAlphaStep *s, double norm) {
    const CdAlphaMemory *m = it->method;
    return m->newton.iteration > 1 && norm <= m->floor && at_rounding(it, s);
}

// what is left over need not be less than rounding errors, unless somebody says so
static double allowed(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    const bool given = cdi_alpha_options(it)->newton_tolerance > 0;
    return given ? m->newton_tolerance : fmax(m->newton_tolerance, FLOOR * m->floor);
}

// Large models are not iterated further than their positions can tell: that is known as soon as the
// error left comes near the tolerance.
static void look_at_grain(CdIntegrator *it, const CdAlphaStep *s, double norm) {
    CdAlphaMemory *m = it->method;
    if (!m->drift.possible) return;
    const double left = cdi_newton_left(&m->newton, norm), tolerance = allowed(it);
    if (left <= tolerance || !(left <= NEAR * tolerance)) return;
    const double grain = GRAINS * cdi_alpha_grain(it, s->h);
    m->newton.tolerance = fmin(fmax(tolerance, grain), NEAR * tolerance);
}

void cdi_alpha_begin_newton(CdIntegrator *it, CdNewtonEffort effort) {
    CdAlphaMemory *m = it->method;
    m->floor *= FADE;
    cdi_newton_begin(&m->newton, allowed(it), effort);
}

static CdStatus iterate(CdIntegrator *it, const CdAlphaStep *s, CdNewtonEffort effort) {
    CdAlphaMemory *m = it->method;
    cdi_alpha_begin_newton(it, effort);
    for (;;) {
        double norm;
        CD_TRY(renew(it, s, effort));
        CD_TRY(iterate_once(it, s, &norm));
        it->stats->iterations++;
        look_at_grain(it, s, norm);
        const CdNewtonVerdict verdict = cdi_newton_judge(&m->newton, norm);
        if (verdict == CD_NEWTON_DONE) return CD_OK;
        if (verdict == CD_NEWTON_FAILED) {
            const CdStatus status = judge_failure(it, s, norm);
            if (status != CD_RETRY) return status;
        } else if (is_known_rounding(it, s, norm)) {
            m->newton.theta = 0;
            return CD_OK;
        }
    }
}

// ---- a step

// the last iteration may have told no more than that the one before was enough
static int needed_iterations(const CdNewton *n) {
    return n->iteration - (n->iteration > 1 && n->last <= n->tolerance);
}

// iterations of steps with new derivatives, the last ones most
static void remember_anew(CdAlphaMemory *m, double iterations) {
    if (m->anew_iterations == 0) m->anew_iterations = iterations;
    m->anew_iterations += LATELY * (iterations - m->anew_iterations);
}

// of a step with new derivatives, in iterations; those of few unknowns cost less than others
static double price(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    if (m->small) return FULL_COST * m->anew_iterations;
    const int few = CHEAP + it->problem->n / CHEAP_MORE;
    return m->anew_iterations + (few < m->cost ? few : m->cost);
}

// after a step that tried to do with less; failed: it could not
static void judge_spell(CdAlphaSpell *spell, bool failed) {
    spell->length = !failed ? 0 : spell->length == 0 ? 1 : 2 * spell->length;
    if (spell->length > SPELL_MAX) spell->length = SPELL_MAX;
    spell->left = spell->length;
}

static void pass(CdAlphaSpell *spell) {
    if (spell->left > 0) spell->left--;
}

// Where the motion is so fast that derivatives of the last step fail, or take more iterations than
// new ones cost, these are taken anew in every step for a while, and then old ones are tried again:
// after 1, 2, 4, ... 16 steps. The same with those of every iteration where those of a step's
// beginning fail; small models take no others.
static void judge_anew(CdIntegrator *it, CdNewtonEffort first, CdNewtonEffort last) {
    CdAlphaMemory *m = it->method;
    const int needed = needed_iterations(&m->newton);
    const bool chooses = cdi_alpha_options(it)->newton == CD_NEWTON_AUTO;
    if (m->small && last != CD_JACOBIAN_KEPT) {
        remember_anew(m, m->newton.iteration);
    } else if (last == CD_JACOBIAN_FRESH) {
        remember_anew(m, needed);
    }
    if (first == CD_JACOBIAN_EVERY) {
        pass(&m->every);
    } else {
        judge_spell(&m->every, last == CD_JACOBIAN_EVERY);
    }
    if (first == CD_JACOBIAN_KEPT) {
        judge_spell(&m->anew, last != CD_JACOBIAN_KEPT || (chooses && needed > price(it)));
    } else {
        pass(&m->anew);
    }
}

// averages are known when no more is counted, and sums stay far from overflow
void cdi_alpha_count(CdAlphaMemory *m, int64_t steps, int iterations) {
    const int64_t left = COUNTED - m->since;
    const int more = (int)(steps < left ? steps : left);
    m->since += more;
    m->spent += more * iterations;
}

// New derivatives cost as much as some iterations. They are due when a step takes more of these
// than steps took on average since they were renewed last, the cost of that included; and after so
// many steps that this no longer counts: with a good beginning the iteration looks faster than it
// is for the part of the error that comes from old derivatives. Where it converges at once, as that
// of a linear problem, they are not what it takes its time for; and where it ends with increments
// far below the tight tolerance of fixed steps, these are rounding, which says nothing. Nor does a
// step of one iteration, which has measured no rate.
static void judge_derivatives(CdIntegrator *it, CdNewtonEffort effort) {
    CdAlphaMemory *m = it->method;
    const CdNewton *n = &m->newton;
    if (effort != CD_JACOBIAN_KEPT) {
        m->spent = m->cost = cdi_lin_cost(m->lin);
        m->since = 0;
    }
    const int needed = needed_iterations(n);
    cdi_alpha_count(m, 1, n->iteration);
    const bool paid =
        cdi_alpha_options(it)->newton != CD_NEWTON_MODIFIED && needed * m->since > m->spent;
    const bool measured = n->iteration > 1 || (it->options->adaptive && effort == CD_JACOBIAN_KEPT);
    const bool seen = measured && (it->options->adaptive || n->last > ROUNDING * n->tolerance);
    m->stale = seen && (n->theta > m->stale_rate || (n->theta > GOOD_RATE && paid) ||
                        (n->theta > LINEAR_RATE && m->since >= OLD * m->cost));
}

static CdNewtonEffort first_effort(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    if (cdi_alpha_options(it)->newton == CD_NEWTON_FULL) return CD_JACOBIAN_EVERY;
    if (m->anew.left > 0 && (m->small || m->every.left > 0)) return CD_JACOBIAN_EVERY;
    return m->linear && !m->stale && m->anew.left == 0 ? CD_JACOBIAN_KEPT : CD_JACOBIAN_FRESH;
}

CdStatus cdi_alpha_solve(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    const CdNewtonEffort first = first_effort(it);
    const CdNewtonEffort last = first == CD_JACOBIAN_EVERY || m->small || !it->options->adaptive
                                    ? CD_JACOBIAN_EVERY
                                    : CD_JACOBIAN_FRESH;
    CdNewtonEffort effort = first;
    rescale(it, s->h);
    cdi_problem_rest(it->problem);
    m->knows_J_old = false;
    for (;; effort++) {
        cdi_alpha_predict(it, s, effort == CD_JACOBIAN_KEPT && m->h_lin == s->h);
        const CdStatus status = iterate(it, s, effort);
        if (status == CD_OK) break;
        if (cdi_is_recoverable(status)) it->stats->newton_failures++;
        cdi_newton_reset(&m->newton);
        m->linear = false;
        if (!cdi_is_recoverable(status) || effort == last) return status;
        cdi_alpha_restore(it);
    }
    judge_derivatives(it, effort);
    judge_anew(it, first, effort);
    cdi_alpha_drift_judge(it, effort);
    return CD_OK;
}

// ---- what went wrong

// the row of the largest residual, or of the first that is not a number
static int worst_row(const double *b, int n) {
    int worst = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(b[i])) return i;
        if (fabs(b[i]) > fabs(b[worst])) worst = i;
    }
    return worst;
}

// A solution spreads what is not a number over all unknowns: the iteration is done again, up to the
// residual in which it appears first.
static void iterate_until_not_finite(CdIntegrator *it, const CdAlphaStep *s) {
    const CdAlphaMemory *m = it->method;
    const int n = it->problem->n;
    cdi_alpha_restore(it);
    cdi_alpha_predict(it, s, false);
    for (int k = 0; k < AGAIN && residual(it, s) == CD_OK; k++) {
        if (!isfinite(m->all.b[worst_row(m->all.b, n)])) return;
        if (cdi_lin_solve(m->lin, m->all.b, 1, false) != CD_OK) return;
        move(it, s);
    }
}

void cdi_alpha_explain(CdIntegrator *it, const CdAlphaStep *s, CdStatus status, CdText *why) {
    CdAlphaMemory *m = it->method;
    cdi_alpha_unite(it);
    if (status == CD_SINGULAR) {
        cdi_text_add(why, "the matrix of Newton's method is singular: ");
        cdi_lin_explain(m->lin, why);
        return;
    }
    // the residual of the stabilised form holds a solution
    const bool ready = !m->lin_eta || m->h_lin != 0;
    if (status == CD_NONFINITE && !ready) {
        cdi_text_add(why, "the matrix of Newton's method cannot be had: ");
        cdi_lin_explain(m->lin, why);
        return;
    }
    const bool of_newton = status == CD_NOCONV || status == CD_NONFINITE;
    if (status == CD_NONFINITE && m->h_lin != 0) iterate_until_not_finite(it, s);
    if (of_newton && ready && residual(it, s) == CD_OK) {
        const int row = worst_row(m->all.b, it->problem->n);
        char name[64];
        cdi_unknown_name(it->problem, row, name, sizeof name);
        if (isfinite(m->all.b[row])) {
            cdi_text_addf(why,
                          "Newton's method does not converge; the largest residual is %.3g, of %s",
                          m->all.b[row], name);
        } else {
            cdi_text_addf(why, "the residual of %s is not finite", name);
        }
        return;
    }
    cdi_text_add(why, "the problem cannot be evaluated there");
}

// ---- instruction sets

extern const CdiAlphaOps cdi_alpha_ops_base;
#if defined(__x86_64__)
extern const CdiAlphaOps cdi_alpha_ops_avx2;
extern const CdiAlphaOps cdi_alpha_ops_avx512;
#endif

const CdiAlphaOps *cdi_alpha_ops(CdIsa isa) {
    static const CdiAlphaOps *const tables[CD_NISA] = {
        [CD_ISA_BASE] = &cdi_alpha_ops_base,
#if defined(__x86_64__)
        [CD_ISA_AVX2] = &cdi_alpha_ops_avx2,
        [CD_ISA_AVX512] = &cdi_alpha_ops_avx512,
#endif
    };
    return isa <= cdi_isa() ? tables[isa] : NULL;
}
