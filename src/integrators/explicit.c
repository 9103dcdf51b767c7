// explicit.c - steps, control, stiffness test and dense output of embedded Runge-Kutta methods
//
//   dense   y(t0 + s h) = r0 + s (r1 + z (r2 + s (r3 + z (r4 + ...))))      z = 1 - s
//           r0 = y0, r1 = y1 - y0, r2 = h k_first - r1, r3 = r1 - h k_last - r2, r4... = h D k
//   stiff   h ||k_last - k_before|| / ||y_last - y_before|| beyond the boundary of stability, 15
//           times without 6 times below it in a row; looked at after every stiffness_test steps
//
// The two ends of a step take turns: k_first and k_last, y0 and y1 change places by a flag, only
// the state of the integrator is copied. Hairer, Norsett & Wanner, Solving ODEs I, sec. II.4, IV.2.
#include "integrators/explicit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integrators/driver.h"

// the error that is aimed at is a bit below the tolerance
#define SAFETY 0.9
// an error of the last step below this does not hold back the next
#define ERROR_FLOOR 1e-4
// step after one that could not be evaluated
#define FAILED_SHRINK 0.1
// steps below this part of t are rounding errors
#define SMALLEST (4 * DBL_EPSILON)
// times |h lambda| is on the boundary before the problem is called stiff, or below it before it is
// not
#define STIFF_TIMES 15
#define NOT_STIFF_TIMES 6
// numbers of a row begin on a cache line
#define LINE 8

static void pick_row(const CdiExplicit *m, const double *full, CdiExplicitRow *row) {
    for (int j = 0; j < CDI_STAGES_MAX; j++) {
        if (full[j] == 0) continue;
        for (int turn = 0; turn < 2; turn++) row->k[turn][row->m] = m->k[turn][j];
        row->c[row->m++] = full[j];
    }
}

static void pick_rows(CdiExplicit *m) {
    const CdiTableau *tab = m->tab;
    for (int i = 1; i < tab->stages + tab->extra; i++) pick_row(m, tab->a[i], &m->a[i]);
    for (int i = 0; i < tab->nerror; i++) pick_row(m, tab->e[i], &m->e[i]);
    for (int i = 0; i < tab->ndense; i++) pick_row(m, tab->d[i], &m->d[i]);
}

static CdStatus take_vectors(CdIntegrator *it, CdiExplicit *m) {
    const CdiTableau *tab = m->tab;
    const int all = tab->stages + tab->extra, last = tab->stages - 1;
    const size_t ld = (m->n + LINE - 1) / LINE * LINE;
    const int count = all + 4 + CDI_CUBIC + tab->ndense;
    double *next = CD_KEEP(it, double, ld *(size_t)count);
    if (!next) return CD_NOMEM;
    for (int i = 0; i < all; i++, next += ld) m->k[0][i] = m->k[1][i] = next;
    m->k[1][0] = m->k[0][last];
    m->k[1][last] = m->k[0][0];
    double **rest[] = {&m->y[0], &m->y[1], &m->arg, &m->work};
    for (int i = 0; i < 4; i++, next += ld) *rest[i] = next;
    for (int i = 0; i < CDI_CUBIC + tab->ndense; i++, next += ld) m->r[i] = next;
    return CD_OK;
}

CdStatus cdi_explicit_init(CdIntegrator *it, const CdiTableau *tableau) {
    const CdiExplicitOptions *o = (const CdiExplicitOptions *)it->options;
    CdiExplicit *m = it->method;
    m->tab = tableau;
    m->ops = cdi_explicit_ops(cdi_isa());
    m->vecn = cdi_vecn();
    m->n = (size_t)it->flat->n;
    m->tol[0] = o->common.rtol;
    m->tol[1] = o->common.atol;
    m->stiffness_test = o->stiffness_test;
    CD_TRY(take_vectors(it, m));
    pick_rows(m);
    return CD_OK;
}

static double *first(const CdiExplicit *m) {
    return m->k[m->turn][0];
}

static double *last(const CdiExplicit *m) {
    return m->k[m->turn][m->tab->stages - 1];
}

static double *y0(const CdiExplicit *m) {
    return m->y[m->turn];
}

static double *y1(const CdiExplicit *m) {
    return m->y[1 - m->turn];
}

CdStatus cdi_explicit_start(CdIntegrator *it) {
    CdiExplicit *m = it->method;
    m->log_old = log(ERROR_FLOOR);
    m->turn = m->untested = m->stiff = m->not_stiff = 0;
    m->dense_ready = false;
    memcpy(y0(m), it->state, m->n * sizeof(double));
    it->h_next = it->options->step;
    return cdi_flat_rate(it->flat, it->now.t, y0(m), first(m));
}

// y0 + h sum a_ij k_j of stage i
static void argument(const CdiExplicit *m, int i, double h, double *out) {
    const CdiExplicitRow *row = &m->a[i];
    m->ops->stage[row->m](m->n, h, y0(m), row->c, row->k[m->turn], out);
}

static CdStatus stage(CdIntegrator *it, int i, double h) {
    const CdiExplicit *m = it->method;
    argument(m, i, h, m->arg);
    return cdi_flat_rate(it->flat, it->now.t + m->tab->c[i] * h, m->arg, m->k[m->turn][i]);
}

static double norm(const CdiExplicit *m, const double *w, const CdiExplicitRow *row) {
    m->ops->defect[row->m](m->n, row->c, row->k[m->turn], m->tol, y0(m), y1(m), w, m->work);
    return sqrt(m->vecn->dot(m->n, m->work, m->work) / (double)m->n);
}

// err = h ||e||, or h ||e5||^2 / sqrt(||e5||^2 + ||e3||^2 / 100)
static double estimate(const CdIntegrator *it, double h) {
    const CdiExplicit *m = it->method;
    const double five = norm(m, it->flat->weight, &m->e[0]);
    if (m->tab->nerror == 1) return h * five;
    const double three = norm(m, it->flat->weight, &m->e[1]);
    const double both = five * five + 0.01 * three * three;
    return both == 0 ? 0 : h * five * five / sqrt(both);
}

// the stages and y1; NaN in *err if it is not finite
static CdStatus attempt(CdIntegrator *it, double h, double t1, double *err) {
    const CdiExplicit *m = it->method;
    const int end = m->tab->stages - 1;
    for (int i = 1; i < end; i++) CD_TRY(stage(it, i, h));
    argument(m, end, h, y1(m));
    if (m->tab->error_needs_last) CD_TRY(cdi_flat_rate(it->flat, t1, y1(m), last(m)));
    if (it->options->adaptive) {
        *err = estimate(it, h);
    } else {
        *err = m->vecn->finite(m->n, y1(m)) ? 0 : NAN;
    }
    return CD_OK;
}

// y1 onto the manifold and the constraints, and the rate there
static CdStatus settle(CdIntegrator *it, double t1) {
    const CdiExplicit *m = it->method;
    bool changed;
    CD_TRY(cdi_flat_accept(it->flat, t1, y1(m), &changed));
    const bool known = m->tab->error_needs_last && !changed;
    if (known && it->options->adaptive) return CD_OK;
    // what no estimate has seen
    if (!known) CD_TRY(cdi_flat_rate(it->flat, t1, y1(m), last(m)));
    return m->vecn->finite(m->n, last(m)) ? CD_OK : CD_NONFINITE;
}

static double distance(const CdiExplicit *m, const double *a, const double *b) {
    m->vecn->combine(m->n, 2, (const double[]){1, -1}, (const double *const[]){a, b}, m->work);
    return sqrt(m->vecn->dot(m->n, m->work, m->work));
}

static void warn(CdIntegrator *it) {
    it->stats->stiff = true;
    cdi_warn(
        it->ctx,
        "%s: problem '%s' is stiff at t = %g, where stability and not accuracy limits the step "
        "to %g; an implicit method such as radau5 takes larger steps",
        it->cls->desc.name, cdi_problem_name(it->problem), it->now.t, it->h);
}

// before the ends change places
static void test_stiffness(CdIntegrator *it, double h) {
    CdiExplicit *m = it->method;
    if (it->stats->stiff || m->stiffness_test == 0) return;
    if (++m->untested < m->stiffness_test && m->stiff == 0) return;
    m->untested = 0;
    const double dy = distance(m, y1(m), m->arg);
    const double dk = distance(m, last(m), m->k[m->turn][m->tab->stages - 2]);
    if (h * dk > m->tab->stiff_limit * dy) {
        m->not_stiff = 0;
        if (++m->stiff == STIFF_TIMES) warn(it);
    } else if (++m->not_stiff == NOT_STIFF_TIMES) {
        m->stiff = m->not_stiff = 0;
    }
}

// h_new / h for the logarithm of an error
static double factor(const CdiExplicit *m, double log_err, double log_old) {
    const CdiTableau *tab = m->tab;
    const double exponent = tab->exponent - 0.75 * tab->beta;
    const double f = SAFETY * exp(tab->beta * log_old - exponent * log_err);
    return fmin(tab->grow, fmax(tab->shrink, f));
}

// the next step after one of size h; `asked` is what it would have been without a limit of t
static double propose(const CdIntegrator *it, double h, double asked, double err, bool rejected) {
    CdiExplicit *m = it->method;
    const CdCommonOptions *o = it->options;
    if (!o->adaptive) return o->step;
    const double log_err = log(err);
    double next = h * factor(m, log_err, m->log_old);
    m->log_old = fmax(log_err, log(ERROR_FLOOR));
    if (rejected) return fmin(next, h);
    if (h < asked) next = fmax(next, asked);
    return o->max_step > 0 ? fmin(next, o->max_step) : next;
}

static void advance(CdIntegrator *it, double h, double t1) {
    CdiExplicit *m = it->method;
    memcpy(it->state, y1(m), m->n * sizeof(double));
    m->t0 = it->t_old = it->now.t;
    m->h = it->h = h;
    m->dense_ready = false;
    it->now.t = t1;
    test_stiffness(it, h);
    m->turn = 1 - m->turn;
}

// a step so small that it does not move the state, which tends somewhere
static bool moves_nothing(const CdiExplicit *m, double h) {
    if (m->vecn->max(m->n, first(m)) == 0) return false;
    m->vecn->combine(m->n, 2, (const double[]){1, h}, (const double *const[]){y0(m), first(m)},
                     m->work);
    return memcmp(m->work, y0(m), m->n * sizeof(double)) == 0;
}

// a smaller step after one that failed, or the end
static CdStatus reject(CdIntegrator *it, CdStatus status, double err, double *h) {
    const CdCommonOptions *o = it->options;
    const char *why = "the rate cannot be evaluated";
    it->stats->rejected++;
    double next = *h * FAILED_SHRINK;
    if (status == CD_NONFINITE || (status == CD_OK && isnan(err))) {
        status = CD_NONFINITE;
        why = "the rate is not finite";
    } else if (status == CD_OK) {
        status = CD_NOCONV;
        why = "the error stays above the tolerance";
        next = *h * factor(it->method, log(err), 0);
    }
    const double least = fmax(o->min_step, SMALLEST * fabs(it->now.t));
    next = fmax(next, least);
    if (!o->adaptive || *h <= least || next == 0 || moves_nothing(it->method, next)) {
        return cdi_step_failed(it, status, *h, why);
    }
    *h = next;
    return CD_OK;
}

CdStatus cdi_explicit_step(CdIntegrator *it, double t_limit) {
    const CdiExplicit *m = it->method;
    if (it->h_next == 0) {
        CD_TRY(cdi_first_step(it, m->tab->order, first(m), t_limit, &it->h_next));
    }
    double asked = it->h_next;
    for (bool rejected = false;; rejected = true) {
        bool to_limit;
        double h = cdi_step_to(it, asked, t_limit, &to_limit), err = 0;
        const double t1 = to_limit ? t_limit : it->now.t + h;
        CdStatus status = attempt(it, h, t1, &err);
        if (status == CD_OK && err <= 1) status = settle(it, t1);
        if (status == CD_OK && err <= 1) {
            it->h_next = propose(it, h, asked, err, rejected);
            advance(it, h, t1);
            return CD_OK;
        }
        if (status != CD_OK && !cdi_is_recoverable(status)) {
            return cdi_step_failed(it, status, h, "the rate fails");
        }
        CD_TRY(reject(it, status, err, &h));
        asked = h;
    }
}

// stages that only dense output needs
static CdStatus extra_stages(CdIntegrator *it) {
    const CdiExplicit *m = it->method;
    for (int i = 0; i < m->tab->extra; i++) {
        const int s = m->tab->stages + i;
        argument(m, s, m->h, m->work);
        CD_TRY(cdi_flat_rate(it->flat, m->t0 + m->tab->c[s] * m->h, m->work, m->k[0][s]));
    }
    return CD_OK;
}

static void dense_coefficients(const CdiExplicit *m) {
    const double h = m->h, *k0 = first(m), *k1 = last(m), *before = y0(m), *after = y1(m);
    for (size_t i = 0; i < m->n; i++) {
        const double dy = after[i] - before[i], bend = h * k0[i] - dy;
        m->r[0][i] = before[i];
        m->r[1][i] = dy;
        m->r[2][i] = bend;
        m->r[3][i] = dy - h * k1[i] - bend;
    }
    for (int i = 0; i < m->tab->ndense; i++) {
        const CdiExplicitRow *d = &m->d[i];
        m->vecn->combine(m->n, d->m, d->c, d->k[m->turn], m->r[CDI_CUBIC + i]);
        m->vecn->scale(m->n, h, m->r[CDI_CUBIC + i]);
    }
}

// once in a step that is asked for it
static CdStatus prepare_dense(CdIntegrator *it) {
    CdiExplicit *m = it->method;
    m->turn = 1 - m->turn; // as it was during the step
    const CdStatus status = extra_stages(it);
    if (status == CD_OK) dense_coefficients(m);
    m->turn = 1 - m->turn;
    m->dense_ready = status == CD_OK;
    return status;
}

CdStatus cdi_explicit_dense(CdIntegrator *it, double t, CdPoint *at) {
    const CdiExplicit *m = it->method;
    if (!m->dense_ready) CD_TRY(prepare_dense(it));
    const double s = (t - m->t0) / m->h;
    const int n = CDI_CUBIC + m->tab->ndense;
    double c[CDI_CUBIC + CDI_DENSE_MAX] = {1};
    for (int i = 1; i < n; i++) c[i] = c[i - 1] * (i % 2 ? s : 1 - s);
    m->vecn->combine(m->n, n, c, (const double *const *)m->r, m->work);
    cdi_flat_unpack(it->flat, t, m->work, NULL, at);
    return CD_OK;
}

extern const CdiExplicitOps cdi_explicit_ops_base;
#if defined(__x86_64__)
extern const CdiExplicitOps cdi_explicit_ops_avx2;
extern const CdiExplicitOps cdi_explicit_ops_avx512;
#endif

const CdiExplicitOps *cdi_explicit_ops(CdIsa isa) {
    static const CdiExplicitOps *const tables[CD_NISA] = {
        [CD_ISA_BASE] = &cdi_explicit_ops_base,
#if defined(__x86_64__)
        [CD_ISA_AVX2] = &cdi_explicit_ops_avx2,
        [CD_ISA_AVX512] = &cdi_explicit_ops_avx512,
#endif
    };
    return isa <= cdi_isa() ? tables[isa] : NULL;
}
