// sundials.c - what CVODE and IDA share: vectors over our memory, linear solver, weights, failures
//
// The matrix of SUNDIALS is opaque: set-up of the solver's linear system is set-up of the problem's
// operator, and the linear solver calls it,
//
//   CVODE   (I - gamma f_Y) d = b    as    (c I - f_Y) d = c b,    c = 1/gamma
//   IDA     (c F_Y' + F_Y) d = b
//
// Both solvers scale d by 2 / (1 + c_old/c_new) themselves when c has changed since the set-up.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/driver.h"
#include "integrators/sundials.h"

// a state is projected when it is so many tolerances away from its constraints: less often than
// every few steps, and long before the drift is seen in a result
#define DRIFT_LIMIT 100
// a step below so many rounding errors of t is none
#define REST_LIMIT 8
// and a step whose inverse overflows is none either
#define SHORTEST 1e-300
// from this time on (in s) first steps by tolerances alone are often below rounding, and become so
// many rounding errors of t
#define LATE 1e6
#define LATE_STEP 1e3
// below so many of them a step is about to become none
#define SHRUNK 1e6

const char cdi_sundials_no_step[] =
    "there is no step size to begin with; enlarge rtol or atol, or give a step";
const char cdi_sundials_off_constraints[] = "the state cannot be brought back to its constraints";

CdStatus cdi_sundials_open(CdiSundials *s, CdIntegrator *it) {
    const int n = it->flat->n;
    s->it = it;
    s->restart = true;
    double *y = CD_KEEP(it, double, n), *dy = CD_KEEP(it, double, n);
    s->work = CD_KEEP(it, double, 2 * (size_t)n);
    if (!y || !dy || !s->work) return CD_NOMEM;
    if (SUNContext_Create(NULL, &s->sun) != 0) return CD_NOMEM;
    s->y = N_VMake_Serial(n, y, s->sun);
    s->dy = N_VMake_Serial(n, dy, s->sun);
    return s->y && s->dy ? CD_OK : CD_NOMEM;
}

static SUNMatrix_ID matrix_id(SUNMatrix matrix) {
    (void)matrix;
    return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix matrix) {
    (void)matrix;
    return SUNMAT_SUCCESS;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver) {
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, realtype tol) {
    (void)matrix, (void)tol;
    CdiSundials *s = solver->content;
    N_VScale(s->rhs_factor, b, x);
    const CdStatus status = cdi_flat_lin_solve(s->lin, N_VGetArrayPointer(x), 1);
    switch (cdi_sundials_values(s, status, N_VGetArrayPointer(x))) {
    case 0: return SUNLS_SUCCESS;
    case 1: return SUNLS_PACKAGE_FAIL_REC;
    default: return SUNLS_PACKAGE_FAIL_UNREC;
    }
}

CdStatus cdi_sundials_open_linear(CdiSundials *s) {
    CD_TRY(cdi_flat_lin_new(s->it->flat, false, &s->lin));
    s->matrix = SUNMatNewEmpty(s->sun);
    s->solver = SUNLinSolNewEmpty(s->sun);
    if (!s->matrix || !s->solver) return CD_NOMEM;
    s->matrix->ops->getid = matrix_id;
    s->matrix->ops->zero = matrix_zero;
    s->solver->content = s;
    s->solver->ops->gettype = solver_type;
    s->solver->ops->solve = solve;
    return CD_OK;
}

void cdi_sundials_close(CdiSundials *s) {
    if (s->solver) SUNLinSolFreeEmpty(s->solver);
    if (s->matrix) SUNMatFreeEmpty(s->matrix);
    if (s->y) N_VDestroy(s->y);
    if (s->dy) N_VDestroy(s->dy);
    if (s->sun) SUNContext_Free(&s->sun);
    cdi_flat_lin_free(s->lin);
}

// ---- callbacks

static bool ended(const CdiSundials *s) {
    return s->status != CD_OK && !cdi_is_recoverable(s->status);
}

int cdi_sundials_flag(CdiSundials *s, CdStatus status) {
    if (ended(s)) return -1;
    if (status == CD_OK) return 0;
    s->status = status;
    return cdi_is_recoverable(status) ? 1 : -1;
}

int cdi_sundials_values(CdiSundials *s, CdStatus status, const double *values) {
    if (status == CD_OK && !cdi_vecn()->finite((size_t)s->it->flat->n, values)) {
        status = CD_NONFINITE;
    }
    return cdi_sundials_flag(s, status);
}

int cdi_sundials_weights(N_Vector y, N_Vector weights, void *sundials) {
    const CdIntegrator *it = ((CdiSundials *)sundials)->it;
    cdi_flat_scale(it->flat, N_VGetArrayPointer(y), it->options->rtol, it->options->atol,
                   N_VGetArrayPointer(weights));
    return 0;
}

// warnings have positive codes
void cdi_sundials_on_error(int code, const char *module, const char *function, char *text,
                           void *sundials) {
    CdiSundials *s = sundials;
    (void)module;
    if (code < 0) snprintf(s->text, sizeof s->text, "%s: %s", function, text);
}

int cdi_sundials_setup(CdiSundials *s, double c, double t, N_Vector y, N_Vector dy, bool keep) {
    const double pair[2] = {c, 0};
    const CdStatus status =
        cdi_flat_lin_setup(s->lin, pair, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), keep);
    s->singular = status == CD_SINGULAR;
    return cdi_sundials_flag(s, status);
}

// ---- steps

CdStatus cdi_sundials_refused(CdiSundials *s, int flag, int nomem) {
    if (flag == 0) return CD_OK;
    if (flag == nomem) return CD_NOMEM;
    return cdi_integrator_fail(s->it, CD_INVALID, "SUNDIALS refuses its options: %s", s->text);
}

void cdi_sundials_restart(CdiSundials *s) {
    const CdIntegrator *it = s->it;
    const size_t bytes = (size_t)it->flat->n * sizeof(double);
    memcpy(N_VGetArrayPointer(s->y), it->state, bytes);
    if (it->state_dot) memcpy(N_VGetArrayPointer(s->dy), it->state_dot, bytes);
    s->restart = false;
    s->status = CD_OK;
    s->counted = (CdiSundialsCounts){0};
}

double cdi_sundials_first_step(const CdIntegrator *it) {
    const double t = fabs(it->now.t), h = it->options->step;
    return h > 0 || t < LATE ? h : LATE_STEP * DBL_EPSILON * t;
}

// steps that shrink to nothing do so for the reason that made the first of them shrink
void cdi_sundials_begin(CdiSundials *s) {
    if (fabs(s->it->h) > SHRUNK * DBL_EPSILON * fabs(s->it->now.t)) s->status = CD_OK;
}

int cdi_sundials_verdict(const CdiSundials *s, int flag, double t) {
    // the fixed-point solver takes all failures of the right-hand side for recoverable
    if (ended(s)) return CDI_SUNDIALS_ENDED;
    if (flag < 0) return flag;
    return t > s->it->now.t ? 0 : CDI_SUNDIALS_STUCK;
}

// what went wrong, in words
static void explain(const CdiSundials *s, const char *why, CdStatus status, CdText *text) {
    cdi_text_add(text, why);
    if (status == CD_NONFINITE) cdi_text_add(text, ", values are not finite");
    if (status != CD_SINGULAR || !s->singular) return;
    cdi_text_add(text, ", ");
    cdi_flat_lin_explain(s->lin, text);
}

CdStatus cdi_sundials_failed(CdiSundials *s, const CdiSundialsFailure *failures, int flag,
                             double h) {
    const CdiSundialsFailure *f = failures;
    while (f->flag != 0 && f->flag != flag) f++;
    const CdStatus status = f->callback && s->status != CD_OK ? s->status : f->status;
    s->restart = true;
    if (status == CD_NOMEM) return status;
    CdText text;
    cdi_text_init(&text, s->it->ctx);
    explain(s, f->flag != 0 ? f->why : s->text, status, &text);
    const char *why = text.v ? text.v : f->why;
    if (!cdi_is_recoverable(status) || h > 0) {
        cdi_step_failed(s->it, status, fmax(h, REST_LIMIT * DBL_EPSILON * fabs(s->it->now.t)), why);
    } else {
        cdi_integrator_fail(s->it, status, "no step from t = %.9g: %s", s->it->now.t, why);
    }
    cdi_text_free(&text);
    return status;
}

bool cdi_sundials_rest(CdiSundials *s, double t_limit) {
    CdIntegrator *it = s->it;
    const double t = it->now.t, size = fmax(fabs(t), fabs(t_limit));
    if (fabs(t_limit - t) > fmax(REST_LIMIT * DBL_EPSILON * size, SHORTEST)) return false;
    it->t_old = t;
    it->h = t_limit - t;
    it->now.t = t_limit;
    return true;
}

void cdi_sundials_accept(CdiSundials *s, double t) {
    CdIntegrator *it = s->it;
    it->t_old = it->now.t;
    it->h = t - it->t_old;
    it->now.t = t;
    memcpy(it->state, N_VGetArrayPointer(s->y), (size_t)it->flat->n * sizeof(double));
}

CdStatus cdi_sundials_return(CdiSundials *s, double t, bool *moved) {
    const CdiFlat *flat = s->it->flat;
    const size_t n = (size_t)flat->n;
    double *y = N_VGetArrayPointer(s->y), *way = s->work, *scale = s->work + n;
    bool changed;
    *moved = false;
    memcpy(way, y, n * sizeof(double));
    const CdStatus status = cdi_flat_accept(s->it->flat, t, way, &changed);
    if (status != CD_OK) {
        s->restart = true;
        return cdi_step_failed(s->it, status, t - s->it->now.t, cdi_sundials_off_constraints);
    }
    if (!changed) return CD_OK;
    cdi_vecn()->axpy(n, -1, y, way);
    cdi_flat_scale(flat, y, s->it->options->rtol, s->it->options->atol, scale);
    if (cdi_vecn()->wrms(n, way, scale) <= DRIFT_LIMIT) return CD_OK;
    cdi_vecn()->axpy(n, 1, way, y);
    *moved = s->restart = true;
    return CD_OK;
}

void cdi_sundials_count(CdiSundials *s, const CdiSundialsCounts *now) {
    CdStatistics *stats = s->it->stats;
    stats->rejected += now->rejected - s->counted.rejected;
    stats->iterations += now->iterations - s->counted.iterations;
    stats->newton_failures += now->newton_failures - s->counted.newton_failures;
    s->counted = *now;
}

bool cdi_sundials_can_drift(const CdiFlat *flat) {
    return (flat->setup.explicit_form && flat->setup.project && flat->p->nc > 0) ||
           flat->p->user.normalise;
}

CdStatus cdi_sundials_check(const CdIntegrator *it) {
    if (it->options->adaptive) return CD_OK;
    return cdi_integrator_fail(it, CD_INVALID,
                               "order and step are controlled together; adaptive must be true, or "
                               "take another method for fixed steps");
}
