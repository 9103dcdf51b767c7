// integrator_cvode.c - CVODE of SUNDIALS: Adams or BDF of variable order and step for Y' = f(t, Y)
//
//   sum_i alpha_i Y_(n-i) + h sum_i beta_i Y'_(n-i) = 0
//
// BDF (order 1 to 5) solves for Y_n by a modified Newton method, with our operators; Adams-Moulton
// (order 1 to 12) by fixed-point iteration, without any derivative. BDF returns to constraints and
// manifold inside the step, before its error is judged, and corrects its history with it; Adams
// cannot, and is restarted from a projected state when it has drifted. Hindmarsh et al., ACM TOMS
// 31 (2005) 363; Eich, SIAM J. Numer. Anal. 30 (1993) 1467.
#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrators/driver.h"
#include "integrators/sundials.h"

enum { ADAMS, BDF };
static const char *const methods[] = {"adams", "bdf", NULL};
static const int highest_order[] = {12, 5};

typedef struct Options {
    CdCommonOptions common;
    int method, max_order;
} Options;

typedef struct Cvode {
    CdiSundials sun; // first: what callbacks get
    void *mem;
    SUNNonlinearSolver fixed_point; // of Adams
    bool drifts;                    // and CVODE does not project
} Cvode;

static const CdiSundialsFailure failures[] = {
    {CV_TOO_MUCH_ACC, CD_INVALID, false,
     "the tolerances ask for more digits than numbers have; enlarge rtol or atol"},
    {CV_ILL_INPUT, CD_NOCONV, true, cdi_sundials_no_step},
    {CV_ERR_FAILURE, CD_NOCONV, true, "the error stays above the tolerance"},
    {CV_CONV_FAILURE, CD_NOCONV, true, "the iteration for the new state does not converge"},
    {CV_LSETUP_FAIL, CD_SINGULAR, true, "the linear system cannot be set up"},
    {CV_LSOLVE_FAIL, CD_SINGULAR, true, "the linear system cannot be solved"},
    {CV_RHSFUNC_FAIL, CD_NONFINITE, true, "the right-hand side failed"},
    {CV_FIRST_RHSFUNC_ERR, CD_NONFINITE, true, "the right-hand side cannot be evaluated here"},
    {CV_REPTD_RHSFUNC_ERR, CD_NONFINITE, true, "the right-hand side cannot be evaluated ahead"},
    {CV_UNREC_RHSFUNC_ERR, CD_NONFINITE, true, "the right-hand side cannot be evaluated ahead"},
    {CV_PROJFUNC_FAIL, CD_NOCONV, true, cdi_sundials_off_constraints},
    {CV_REPTD_PROJFUNC_ERR, CD_NOCONV, true, cdi_sundials_off_constraints},
    {CDI_SUNDIALS_ENDED, CD_BUG, true, "a callback of the problem failed"},
    {CDI_SUNDIALS_STUCK, CD_NOCONV, true, "no step is small enough to go on"},
    {CV_MEM_FAIL, CD_NOMEM, false, ""},
    {0, CD_BUG, true, "CVODE failed"},
};

// ---- callbacks

static int rate(realtype t, N_Vector y, N_Vector dy, void *user) {
    CdiSundials *s = user;
    double *f = N_VGetArrayPointer(dy);
    return cdi_sundials_values(s, cdi_flat_rate(s->it->flat, t, N_VGetArrayPointer(y), f), f);
}

static int linear_system(realtype t, N_Vector y, N_Vector fy, SUNMatrix matrix, booleantype keep,
                         booleantype *fresh, realtype gamma, void *user, N_Vector work1,
                         N_Vector work2, N_Vector work3) {
    (void)matrix, (void)work1, (void)work2, (void)work3;
    CdiSundials *s = user;
    s->rhs_factor = 1 / gamma;
    *fresh = !keep;
    return cdi_sundials_setup(s, 1 / gamma, t, y, fy, keep);
}

static int project(realtype t, N_Vector y, N_Vector way, realtype eps, N_Vector error, void *user) {
    (void)eps, (void)error;
    CdiSundials *s = user;
    bool changed;
    N_VScale(1, y, way);
    const CdStatus status = cdi_flat_accept(s->it->flat, t, N_VGetArrayPointer(way), &changed);
    N_VLinearSum(1, way, -1, y, way);
    return cdi_sundials_values(s, status, N_VGetArrayPointer(way));
}

// ---- set-up

static int set_options(Cvode *c) {
    const Options *o = (const Options *)c->sun.it->options;
    int flag = CVodeSetErrHandlerFn(c->mem, cdi_sundials_on_error, c);
    if (!flag) flag = CVodeSetUserData(c->mem, c);
    if (!flag) flag = CVodeInit(c->mem, rate, 0, c->sun.y);
    if (!flag) flag = CVodeWFtolerances(c->mem, cdi_sundials_weights);
    if (!flag && o->max_order > 0) flag = CVodeSetMaxOrd(c->mem, o->max_order);
    if (!flag) flag = CVodeSetMaxStep(c->mem, o->common.max_step);
    if (!flag) flag = CVodeSetMinStep(c->mem, o->common.min_step);
    return flag;
}

static CdStatus set_adams(Cvode *c) {
    c->fixed_point = SUNNonlinSol_FixedPoint(c->sun.y, 0, c->sun.sun);
    if (!c->fixed_point) return CD_NOMEM;
    c->drifts = cdi_sundials_can_drift(c->sun.it->flat);
    const int flag = CVodeSetNonlinearSolver(c->mem, c->fixed_point);
    return cdi_sundials_refused(&c->sun, flag, CV_MEM_FAIL);
}

static CdStatus set_bdf(Cvode *c) {
    CD_TRY(cdi_sundials_open_linear(&c->sun));
    int flag = CVodeSetLinearSolver(c->mem, c->sun.solver, c->sun.matrix);
    if (!flag) flag = CVodeSetLinSysFn(c->mem, linear_system);
    if (!flag && cdi_sundials_can_drift(c->sun.it->flat)) {
        flag = CVodeSetProjFn(c->mem, project);
        if (!flag) flag = CVodeSetProjErrEst(c->mem, SUNFALSE);
    }
    return cdi_sundials_refused(&c->sun, flag, CV_MEM_FAIL);
}

static CdStatus check(const CdIntegrator *it) {
    const Options *o = (const Options *)it->options;
    CD_TRY(cdi_sundials_check(it));
    if (o->max_order <= highest_order[o->method]) return CD_OK;
    return cdi_integrator_fail(it, CD_INVALID, "max_order of '%s' is at most %d, not %d",
                               methods[o->method], highest_order[o->method], o->max_order);
}

static CdStatus init(CdIntegrator *it) {
    Cvode *c = it->method;
    const Options *o = (const Options *)it->options;
    CD_TRY(check(it));
    CD_TRY(cdi_sundials_open(&c->sun, it));
    c->mem = CVodeCreate(o->method == ADAMS ? CV_ADAMS : CV_BDF, c->sun.sun);
    if (!c->mem) return CD_NOMEM;
    CD_TRY(cdi_sundials_refused(&c->sun, set_options(c), CV_MEM_FAIL));
    return o->method == ADAMS ? set_adams(c) : set_bdf(c);
}

static void destroy(CdIntegrator *it) {
    Cvode *c = it->method;
    if (c->mem) CVodeFree(&c->mem);
    if (c->fixed_point) SUNNonlinSolFree(c->fixed_point);
    cdi_sundials_close(&c->sun);
}

// ---- steps

static CdStatus start(CdIntegrator *it) {
    Cvode *c = it->method;
    cdi_sundials_restart(&c->sun);
    int flag = CVodeReInit(c->mem, it->now.t, c->sun.y);
    if (!flag) flag = CVodeSetInitStep(c->mem, cdi_sundials_first_step(it));
    return cdi_sundials_refused(&c->sun, flag, CV_MEM_FAIL);
}

static void count(Cvode *c) {
    CdiSundialsCounts now = {0};
    CVodeGetNumErrTestFails(c->mem, &now.rejected);
    CVodeGetNonlinSolvStats(c->mem, &now.iterations, &now.newton_failures);
    cdi_sundials_count(&c->sun, &now);
}

static CdStatus step(CdIntegrator *it, double t_limit) {
    Cvode *c = it->method;
    if (c->sun.restart) CD_TRY(start(it));
    if (cdi_sundials_rest(&c->sun, t_limit)) return CD_OK;
    double t = it->now.t;
    bool moved;
    cdi_sundials_begin(&c->sun);
    int flag = CVodeSetStopTime(c->mem, t_limit);
    if (flag == CV_SUCCESS) flag = CVode(c->mem, t_limit, c->sun.y, &t, CV_ONE_STEP);
    count(c);
    CVodeGetCurrentStep(c->mem, &it->h_next);
    flag = cdi_sundials_verdict(&c->sun, flag, t);
    if (flag) return cdi_sundials_failed(&c->sun, failures, flag, it->h_next);
    if (c->drifts) CD_TRY(cdi_sundials_return(&c->sun, t, &moved));
    cdi_sundials_accept(&c->sun, t);
    return CD_OK;
}

static CdStatus dense(CdIntegrator *it, double t, CdPoint *at) {
    Cvode *c = it->method;
    if (CVodeGetDky(c->mem, t, 0, c->sun.dy) != CV_SUCCESS) {
        return cdi_integrator_fail(it, CD_BUG, "no state at t = %.9g: %s", t, c->sun.text);
    }
    cdi_flat_unpack(it->flat, t, N_VGetArrayPointer(c->sun.dy), NULL, at);
    return CD_OK;
}

#define FIELD(...) CD_FIELD(Options, __VA_ARGS__)
static const CdField fields[] = {
    CDI_COMMON_ROWS(Options, "true", "1e-6", "1e-9", "\"auto\""),
    FIELD(method, ENUM, "", "\"bdf\"", "",
          "bdf for stiff problems, adams for smooth ones that are not", .names = methods),
    FIELD(max_order, INT, "1", "0", "[0, 12]", "highest order; 0: 5 for bdf, 12 for adams"),
};

static const char guide[] =
    "CVODE of SUNDIALS, a multistep code of variable order and step. `method=bdf` is for stiff "
    "problems and loose to medium tolerances, and the cheaper the smoother the motion is; lightly "
    "damped vibrations cost it dearly, since BDF of order 3 and more is unstable near the "
    "imaginary axis. `method=adams` needs no derivatives and suits smooth, expensive right-hand "
    "sides at tight tolerances; it is useless on stiff problems.\n\n"
    "Tolerances bound the error per step; the error at the end is often ten to a hundred times as "
    "large, and `digits` reckons with that. Every event restarts at order 1 with small steps, so "
    "many events are better left to "
    "a one-step method.\n\n"
    "Constrained mechanisms are solved at acceleration level. With bdf every step is projected "
    "inside CVODE. Adams is projected, and restarted, when it has drifted by 100 tolerances.\n\n"
    "Steps cannot be fixed. Runs cannot be saved: the history belongs to SUNDIALS, which also "
    "allocates it, once, with libc.\n";

const CdIntegratorClass cd_integrator_cvode = {
    .desc = {.name = "cvode",
             .doc = "BDF or Adams method of variable order of SUNDIALS",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"cvode\", \"method\": \"adams\", \"rtol\": 1e-8}"},
    .guide = guide,
    .memory = sizeof(Cvode),
    .view = CD_VIEW_EXPLICIT,
    .order = 5,
    .calibration = {.factor = 6e-4, .power = 1.2, .most = 9},
    .init = init,
    .start = start,
    .step = step,
    .dense = dense,
    .destroy = destroy,
};
