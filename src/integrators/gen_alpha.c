// gen_alpha.c - life, start, step control and dense output of the generalised-alpha family
//
// With D = am - af, a_n stands for A(t_n + D h), to begin with too: a_0 = A(t_0) + D h A'(t_0), A'
// by a difference along the motion (start = shifted; with a_0 = A(t_0) the multipliers are of
// first order at first). When h changes, a_n <- A_n + (h_new/h_old)(a_n - A_n).
//
// Errors of one step, from Taylor's series of the formulas in gen_alpha.h:
//
//   q:  (beta + D/2 - 1/6) h^3 A'                          with h A' = a1 - a0
//   y:  (gamma + D - 1/2) h^2 y'' + (1/12 + D (2 af - 1)/2) h^3 y'''
//
// with y'' = (a1 - a0)/h, and y''' from the differences of y' over this step and the last. The
// first constant is at least 1/24, as it may vanish. Velocities are left out, as is usual. Where
// some y' do not matter, as those of algebraic unknowns in B y' = phi and F = 0, they swing about
// the slope, for ever without damping; there both derivatives come from y itself after two steps.
//
//   h_new = 0.9 h err^(-1/3), h if that is between 0.95 h and 1.2 h: the factors are kept with it
//
// Inside the step q follows the cubic in increments from q0 with the velocities of both ends, v and
// y the cubic with the accelerations of both ends (a straight line where y' need not be smooth,
// B y' = phi and F = 0), the rest straight lines: errors of O(h^3), on manifolds too, for whose
// increments the velocities stand without the tangent operator.
// Negrut et al., J. Comput. Nonlin. Dyn. 2 (2007) 73; Hairer & Wanner II, IV.8 (control).
#include "integrators/gen_alpha.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integrators/driver.h"
#include "integrators/hermite.h"

#define SAFETY 0.9
#define FAILED 0.5      // factor after an iteration that failed
#define SMALLEST 16     // steps in rounding errors of t
#define TRIES_MAX 100   // of one step; where t is 0 every step is large against it
#define LEAST 0.2       // factors of a new step size
#define MOST 5.0        //
#define KEEP_LEAST 0.95 // factors for which the step stays
#define KEEP_MOST 1.2
#define ERROR_ORDER 3.0 // of the errors of one step
#define LEAST_ERROR (1.0 / 24)
#define SECANTS 2       // of steps before, for the third derivative
#define PROBE 0.01      // of a step, to find A' at the start
#define CONTROLLED 1e-2 // Newton's tolerance with step control
#define SMALL 4         // unknowns, without constraints, for which full Newton may do less
#define FEW 30          // unknowns for which a Jacobian costs little
#define STALE_FEW 0.01  // rates of convergence that call for a new one
#define STALE_MANY 0.1
#define FIXED 1e-7 // and without

const char *const cdi_alpha_start_names[] = {"shifted", "plain", NULL};

// ---- life

static void set_constants(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const CdAlpha *c = &m->c;
    const double D = c->am - c->af, given = cdi_alpha_options(it)->newton_tolerance;
    m->ca = (1 - c->am) / (1 - c->af);
    m->k2 = 1 / m->ca;
    m->k1 = 1 / (1 - c->am);
    m->k0 = c->am / (1 - c->am);
    m->error_q = fmax(fabs(c->beta + D / 2 - 1.0 / 6), LEAST_ERROR);
    m->error_v1 = c->gamma + D - 0.5;
    m->error_v = 1.0 / 12 + D * (2 * c->af - 1) / 2;
    m->newton_tolerance = given > 0 ? given : it->options->adaptive ? CONTROLLED : FIXED;
    const CdiProblem *p = it->problem;
    const bool chooses = cdi_alpha_options(it)->newton == CD_NEWTON_AUTO;
    m->small = chooses && p->n <= SMALL && p->nc == 0;
    m->stale_rate = chooses && p->n <= FEW ? STALE_FEW : STALE_MANY;
}

static const char *set_form(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    static const char *const paths[] = {
        [CD_INDEX1] = "mechanical, index 1",
        [CD_INDEX2] = "mechanical, index 2",
        [CD_INDEX3] = "mechanical, index 3",
        [CD_GGL] = "mechanical, stabilised index 2",
    };
    m->form = it->options->form == CD_FORM_AUTO ? CD_GGL : (CdForm)it->options->form;
    // without positions to keep, the forms of higher index are the same
    if (p->ng == 0 && m->form != CD_INDEX1) m->form = CD_INDEX2;
    return p->nc > 0 ? paths[m->form] : cdi_problem_kind_name(p);
}

// does every rate appear in its equation?
static bool has_all_rates(const CdiProblem *p) {
    return p->kind != CD_KIND_IMPLICIT && p->kind != CD_KIND_LEADING;
}

static CdStatus take_memory(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const int neta = m->form == CD_GGL ? p->ng : 0;
    double *old = CD_KEEP(it, double, p->npoint + 1);
    m->all.a = CD_KEEP(it, double, m->nV + 1);
    m->all.a_old = CD_KEEP(it, double, m->nV + 1);
    for (int k = 0; k <= CDI_ALPHA_PAST; k++) {
        m->all.past.A[k] = CD_KEEP(it, double, m->nV + p->nc + neta + 1);
        if (!m->all.past.A[k]) return CD_NOMEM;
    }
    m->slope = CD_KEEP(it, double, m->nV + 1);
    m->secant = CD_KEEP(it, double, has_all_rates(p) ? 1 : m->nV + 1);
    m->all.scale = CD_KEEP(it, double, m->nu + 1);
    m->all.b = CD_TAKE(&it->arena, double, (size_t)p->n + 1);
    m->eta_b = CD_TAKE(&it->arena, double, (size_t)p->n + 1);
    m->push = CD_TAKE(&it->arena, double, (size_t)p->nd + 1);
    m->all.turn = CD_TAKE(&it->arena, double, (size_t)p->nv + 1);
    m->ones = CD_TAKE(&it->arena, double, (size_t)neta + 1);
    for (int i = 0; m->ones && i < neta; i++) m->ones[i] = 1;
    m->J_old = CD_TAKE(&it->arena, double, m->form == CD_GGL ? (size_t)p->jpattern->nnz : 0);
    if (!old || !m->all.a || !m->all.a_old || !m->slope || !m->secant || !m->all.scale ||
        !m->all.b || !m->eta_b || !m->push || !m->all.turn || !m->ones || !m->J_old) {
        return CD_NOMEM;
    }
    cdi_point_over(p, old, &m->all.old);
    m->all.now = it->now;
    CD_TRY(cdi_alpha_blocks_new(it));
    CD_TRY(cdi_alpha_drift_new(it));
    if (m->form != CD_GGL) CD_TRY(cdi_sections_new(p, &it->arena, &m->sections));
    CD_TRY(cdi_alpha_own_new(it));
    return cdi_point_take(p, &it->arena, &m->probe);
}

// changes of the step shake multipliers of index 3, and nothing calms them without damping:
// Cardona & Geradin, Comput. Struct. 33 (1989) 801
static CdStatus check_damping(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    const bool damped = m->c.gamma > 0.5 || m->c.am != m->c.af;
    if (damped || !it->options->adaptive || m->form != CD_INDEX3) return CD_OK;
    return cdi_integrator_fail(it, CD_INVALID,
                               "step control needs numerical damping in the form index3; take "
                               "form=ggl, adaptive=false, or gen-alpha or hht");
}

CdStatus cdi_alpha_init(CdIntegrator *it, CdAlpha c) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    m->c = c;
    m->ops = cdi_alpha_ops(cdi_isa());
    m->nV = p->nv + p->ny;
    m->nu = m->nV + p->nx;
    m->share = m->nu > 0 ? 1.0 / m->nu : 0;
    it->stats->path = set_form(it);
    CD_TRY(check_damping(it));
    set_constants(it);
    CD_TRY(take_memory(it));
    cdi_problem_will_rest(it->problem);
    CD_TRY(cdi_lin_new(it->problem, false, &m->lin));
    return m->form == CD_GGL ? cdi_lin_new(it->problem, false, &m->lin_eta) : CD_OK;
}

void cdi_alpha_destroy(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    cdi_lin_free(m->lin);
    cdi_lin_free(m->lin_eta);
}

size_t cdi_alpha_save_size(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    return cdi_lin_save_size(m->lin) + (m->lin_eta ? cdi_lin_save_size(m->lin_eta) : 0);
}

void cdi_alpha_save(const CdIntegrator *it, void *to) {
    const CdAlphaMemory *m = it->method;
    cdi_lin_save(m->lin, to);
    if (m->lin_eta) cdi_lin_save(m->lin_eta, (char *)to + cdi_lin_save_size(m->lin));
}

CdStatus cdi_alpha_load(CdIntegrator *it, const void *from) {
    CdAlphaMemory *m = it->method;
    CD_TRY(cdi_lin_load(m->lin, from));
    cdi_alpha_cut(it);
    m->missed = m->apart = false;
    m->calm = 0;
    return m->lin_eta ? cdi_lin_load(m->lin_eta, (const char *)from + cdi_lin_save_size(m->lin))
                      : CD_OK;
}

CdStatus cdi_alpha_start(CdIntegrator *it) {
    CdAlphaMemory *m = it->method;
    cdi_newton_reset(&m->newton);
    m->h_a = m->h_lin = m->h_slope = m->h_past = m->floor = m->anew_iterations = 0;
    m->npast = m->slot = m->spent = m->since = m->cost = m->nsecants = 0;
    m->anew = m->every = (CdAlphaSpell){0};
    m->linear = m->stale = m->rejected = m->missed = m->apart = false;
    m->calm = 0;
    cdi_alpha_drift_forget(it);
    return CD_OK;
}

// ---- start

// rms of a vector over (q, y), in units of the error tolerance at now
static double state_norm(CdIntegrator *it, const double *of_q, const double *of_y) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const CdCommonOptions *o = it->options;
    const double *w = p->user.weight;
    // numbers of q along the directions of v: q itself, Z^+ q on manifolds
    cdi_tangent(p, it->now.q, it->now.q, m->all.turn);
    double sum = 0;
    for (int i = 0; i < p->nv; i++) {
        const double weight = w ? w[p->nq == p->nv ? i : p->nq + i] : 1;
        const double e = of_q[i] * weight / (o->atol + o->rtol * fabs(m->all.turn[i]));
        sum += e * e;
    }
    for (int i = 0; i < p->ny; i++) {
        const double weight = w ? w[p->nq + p->nv + i] : 1;
        const double e = of_y[i] * weight / (o->atol + o->rtol * fabs(it->now.y[i]));
        sum += e * e;
    }
    return m->nV > 0 ? sqrt(sum / m->nV) : 0;
}

// state after a short time e, along the motion
static void advance_probe(CdIntegrator *it, double e) {
    CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    cdi_point_copy(p, &m->probe, &it->now);
    m->probe.t += e;
    const double *V = cdi_alpha_velocities(&it->now), *A = cdi_alpha_accelerations(&it->now);
    for (int i = 0; i < p->nv; i++) m->all.turn[i] = e * V[i] + e * e / 2 * A[i];
    if (p->nv > 0) cdi_retract(p, it->now.q, m->all.turn, m->probe.q);
    double *moved = cdi_alpha_velocities(&m->probe);
    for (int i = 0; i < m->nV; i++) moved[i] += e * A[i];
}

// A' into slope, 0 where it cannot be had
static CdStatus find_slope(CdIntegrator *it, double e) {
    CdAlphaMemory *m = it->method;
    CdiProblem *p = it->problem;
    memset(m->slope, 0, (size_t)m->nV * sizeof(double));
    advance_probe(it, e);
    const CdStatus status =
        p->nx > 0 ? cdi_consistent(p, &m->probe, INFINITY) : cdi_accelerations(p, &m->probe);
    if (cdi_is_recoverable(status)) return CD_OK;
    if (status != CD_OK) return cdi_step_failed(it, status, e, "the start cannot be evaluated");
    const double *A0 = cdi_alpha_accelerations(&it->now), *A1 = cdi_alpha_accelerations(&m->probe);
    if (!cdi_vecn()->finite((size_t)m->nV, A1)) return CD_OK;
    for (int i = 0; i < m->nV; i++) m->slope[i] = (A1[i] - A0[i]) / e;
    return CD_OK;
}

// after Hairer, Norsett & Wanner II.4, with the derivatives of (q, y) up to the third of q
static CdStatus first_step(CdIntegrator *it, double most, double *h) {
    CdAlphaMemory *m = it->method;
    const double small = 1e-5, none = 1e-6, flat = 1e-15;
    const CdPoint *now = &it->now;
    const double *q = m->all.turn; // Z^+ q, which state_norm puts there
    const double d0 = state_norm(it, q, now->y), d1 = state_norm(it, now->v, now->ydot);
    const double h0 = fmin(d0 < small || d1 < small ? none : PROBE * d0 / d1, most);
    CD_TRY(find_slope(it, h0));
    const double d2 = state_norm(it, now->vdot, m->slope + it->problem->nv);
    const double d3 = state_norm(it, m->slope, m->slope + it->problem->nv);
    const double steep = fmax(d1, fmax(d2, d3));
    const double h1 = steep <= flat ? fmax(none, h0 * 1e-3) : pow(PROBE / steep, 1 / ERROR_ORDER);
    *h = fmin(fmin(100 * h0, h1), most);
    return CD_OK;
}

// a, and the size of the first step
static CdStatus begin(CdIntegrator *it, double t_limit) {
    CdAlphaMemory *m = it->method;
    const CdCommonOptions *o = it->options;
    const double D = m->c.am - m->c.af, *A = cdi_alpha_accelerations(&it->now);
    const bool shifted = cdi_alpha_options(it)->start == CD_START_SHIFTED && D != 0;
    double h = o->step;
    if (h == 0) {
        CD_TRY(first_step(it, t_limit - it->now.t, &h));
    } else if (shifted || o->adaptive) {
        CD_TRY(find_slope(it, PROBE * h));
    }
    for (int i = 0; i < m->nV; i++) m->all.a[i] = A[i] + (shifted ? D * h * m->slope[i] : 0);
    m->h_a = it->h_next = h;
    m->h_slope = 0;
    return CD_OK;
}

// ---- steps

// slope of y over the step
static double secant(const CdIntegrator *it, int i, double h) {
    const CdAlphaMemory *m = it->method;
    return (cdi_alpha_velocities(&it->now)[i] - cdi_alpha_velocities(&m->all.old)[i]) / h;
}

// y'' of the step from y itself if so many secants before it are known, from rates otherwise
static double bend(const CdIntegrator *it, int i, double h, int nsecants) {
    const CdAlphaMemory *m = it->method;
    if (m->nsecants >= nsecants) return (secant(it, i, h) - m->secant[i]) / ((h + m->h_slope) / 2);
    return (cdi_alpha_accelerations(&it->now)[i] - cdi_alpha_accelerations(&m->all.old)[i]) / h;
}

// of q and y over the step, 1 is the tolerance
static double step_error(CdIntegrator *it, double h) {
    CdAlphaMemory *m = it->method;
    const int nv = it->problem->nv;
    double *e = m->all.b;
    for (int i = 0; i < nv; i++) e[i] = m->error_q * h * h * (m->all.a[i] - m->all.a_old[i]);
    for (int i = nv; i < m->nV; i++) {
        const double second = bend(it, i, h, SECANTS);
        const double third = (second - m->slope[i]) / ((h + m->h_slope) / 2);
        const double change = m->nsecants == SECANTS ? h * second : m->all.a[i] - m->all.a_old[i];
        e[i] = m->error_v1 * h * change + m->error_v * h * h * h * third;
    }
    return state_norm(it, e, e + nv);
}

static void remember_secants(CdIntegrator *it, double h) {
    CdAlphaMemory *m = it->method;
    for (int i = 0; i < m->nV; i++) m->secant[i] = secant(it, i, h);
    if (m->nsecants < SECANTS) m->nsecants++;
}

static void accept(CdIntegrator *it, const CdAlphaStep *s) {
    CdAlphaMemory *m = it->method;
    CdiProblem *p = it->problem;
    it->t_old = m->all.old.t;
    it->h = s->h;
    if (it->options->adaptive) {
        for (int i = p->nv; i < m->nV; i++) m->slope[i] = bend(it, i, s->h, 1);
        if (!has_all_rates(p)) remember_secants(it, s->h);
        m->h_slope = s->h;
    }
    cdi_alpha_end_motion(it, s);
    cdi_alpha_remember(it, s);
}

// index 1 forgets the constraints themselves; a failure is that of the step
static CdStatus project(CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    if (m->form != CD_INDEX1 || !it->options->project || it->problem->nc == 0) return CD_OK;
    CD_TRY(cdi_project_position(it->problem, &it->now));
    return cdi_project_velocity(it->problem, &it->now);
}

static double factor(double error) {
    return fmin(MOST, fmax(LEAST, SAFETY * pow(error, -1 / ERROR_ORDER)));
}

// error of an accepted step of size h, where one of size wanted was possible
static void propose(CdIntegrator *it, double error, double h, double wanted) {
    CdAlphaMemory *m = it->method;
    double f = factor(error);
    if (m->rejected) f = fmin(f, 1);
    m->rejected = false;
    if (f >= KEEP_LEAST && f <= KEEP_MOST) f = 1;
    // a step that was cut says little about longer ones
    it->h_next = f >= 1 ? fmax(f * h, wanted) : f * h;
}

// where a step ends the run: what is wrong, with the state before it
static CdStatus give_up(CdIntegrator *it, const CdAlphaStep *s, CdStatus status) {
    CdText why;
    cdi_text_init(&why, it->ctx);
    if (status == CD_OK) {
        cdi_text_add(&why, "the error of a step stays above the tolerance");
    } else {
        cdi_alpha_explain(it, s, status, &why);
    }
    cdi_alpha_restore(it);
    CdStatus told = why.status;
    if (told == CD_OK) {
        told = cdi_step_failed(it, status == CD_OK ? CD_NOCONV : status, s->h, why.v);
    }
    cdi_text_free(&why);
    return told;
}

// the next size to try after an attempt that failed; 0: none
static double retry(CdIntegrator *it, double h, double shrink, int *halvings) {
    const CdCommonOptions *o = it->options;
    CdAlphaMemory *m = it->method;
    it->stats->rejected++;
    m->rejected = true;
    if (++*halvings > (o->adaptive ? TRIES_MAX : cdi_alpha_options(it)->halvings)) return 0;
    if (!o->adaptive) return h * FAILED;
    const double next = h * shrink, least = SMALLEST * DBL_EPSILON * fabs(m->all.old.t);
    return next > fmax(o->min_step, least) ? next : 0;
}

// it->now to the end of a step, with its error if that is controlled
static CdStatus attempt(CdIntegrator *it, const CdAlphaStep *s, double *error) {
    *error = 0;
    CD_TRY(cdi_alpha_solve(it, s));
    CD_TRY(project(it));
    if (it->options->adaptive) *error = step_error(it, s->h);
    return isfinite(*error) ? CD_OK : CD_NONFINITE;
}

CdStatus cdi_alpha_step(CdIntegrator *it, double t_limit) {
    CdAlphaMemory *m = it->method;
    const CdCommonOptions *o = it->options;
    if (m->h_a == 0) CD_TRY(begin(it, t_limit));
    double h = o->adaptive ? it->h_next : o->step, error;
    for (int halvings = 0;;) {
        bool last;
        const double size = cdi_step_to(it, h, t_limit, &last);
        const CdAlphaStep s = cdi_alpha_plan(it, size, last ? t_limit : it->now.t + size);
        const CdStatus status = attempt(it, &s, &error);
        if (status == CD_OK && error <= 1) {
            if (o->adaptive) propose(it, error, size, h);
            accept(it, &s);
            return CD_OK;
        }
        const bool mendable = status == CD_OK || cdi_is_recoverable(status);
        h = mendable ? retry(it, size, status == CD_OK ? factor(error) : FAILED, &halvings) : 0;
        if (h == 0) return give_up(it, &s, status);
        cdi_alpha_restore(it);
    }
}

// ---- between steps

static void line(int n, double s, const double *x0, const double *x1, double *out) {
    for (int i = 0; i < n; i++) out[i] = x0[i] + s * (x1[i] - x0[i]);
}

static void dense_positions(CdIntegrator *it, const CdiHermite *c, CdPoint *at) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    cdi_difference(p, it->now.q, m->all.old.q, m->all.turn);
    for (int i = 0; i < p->nv; i++) {
        m->all.turn[i] = cdi_hermite_at(c, 0, m->all.turn[i], m->all.old.v[i], it->now.v[i]);
    }
    cdi_retract(p, m->all.old.q, m->all.turn, at->q);
}

CdStatus cdi_alpha_dense(CdIntegrator *it, double t, CdPoint *at) {
    const CdAlphaMemory *m = it->method;
    const CdiProblem *p = it->problem;
    const double s = (t - it->t_old) / it->h;
    cdi_alpha_show(it);
    const CdiHermite c = cdi_hermite(s, it->h);
    const double *V0 = cdi_alpha_velocities(&m->all.old), *V1 = cdi_alpha_velocities(&it->now);
    const double *A0 = cdi_alpha_accelerations(&m->all.old),
                 *A1 = cdi_alpha_accelerations(&it->now);
    double *V = cdi_alpha_velocities(at);
    at->t = t;
    if (p->nv > 0) dense_positions(it, &c, at);
    const bool all_rates = has_all_rates(p);
    for (int i = 0; i < m->nV; i++) {
        // rates that do not appear in r swing about the slope
        V[i] = all_rates || cdi_lin_has_rate(m->lin, i)
                   ? cdi_hermite_at(&c, V0[i], V1[i], A0[i], A1[i])
                   : V0[i] + s * (V1[i] - V0[i]);
    }
    line(m->nV, s, A0, A1, cdi_alpha_accelerations(at));
    line(p->nx, s, m->all.old.x, it->now.x, at->x);
    line(p->nc, s, m->all.old.lambda, it->now.lambda, at->lambda);
    line(p->ng, s, m->all.old.mu, it->now.mu, at->mu);
    return CD_OK;
}
