// integrator_ida.c - IDA of SUNDIALS: BDF of variable order and step for F(t, Y, Y') = 0
//
//   h Y'_n = sum_i alpha_i Y_(n-i)      order 1 to 5, fixed leading coefficient
//
// Multipliers are left out of the error test. Unknowns of index 2 and 3 (velocities in the index-3
// form, multipliers) are weighed by h and h^2, since this is how well they are known:
//
//   w_i = weight_i / (atol + rtol |Y_i|) min(1, h)^(index_i - 1)
//
// Brenan, Campbell & Petzold, Numerical Solution of Initial-Value Problems in Differential-
// Algebraic Equations (1996), ch. 5; Hairer & Wanner II, sec. VII.3 (weights).
#include <math.h>
#include <string.h>

#include <ida/ida.h>

#include "integrators/driver.h"
#include "integrators/sundials.h"

// IDA sets up its linear system anew when c has changed by this, relatively. Its own 0.25 makes
// Newton's iteration slow and noisy for multipliers, which do not scale with c as the rest does.
#define SETUP_CHANGE 0.05
// in one step: where y' of algebraic unknowns was not given it starts as 0, and the first step must
// shrink until that does not matter
#define TEST_FAILURES 30
// of the tolerance: how well a step is solved. IDA's own 0.33 shows in the error test of DAEs.
#define NEWTON_TOLERANCE 0.01

typedef struct Options {
    CdCommonOptions common;
    int max_order;
} Options;

typedef struct Ida {
    CdiSundials sun; // first: what callbacks get
    void *mem;
    N_Vector tested; // 1: in the error test
    bool drifts;
} Ida;

static const CdiSundialsFailure failures[] = {
    {IDA_TOO_MUCH_ACC, CD_INVALID, false,
     "the tolerances ask for more digits than numbers have; enlarge rtol or atol"},
    {IDA_ILL_INPUT, CD_NOCONV, true, cdi_sundials_no_step},
    {IDA_ERR_FAIL, CD_NOCONV, true, "the error stays above the tolerance"},
    {IDA_CONV_FAIL, CD_NOCONV, true, "Newton's iteration for the new state does not converge"},
    {IDA_LSETUP_FAIL, CD_SINGULAR, true, "the linear system cannot be set up"},
    {IDA_LSOLVE_FAIL, CD_SINGULAR, true, "the linear system cannot be solved"},
    {IDA_RES_FAIL, CD_NONFINITE, true, "the equations failed"},
    {IDA_FIRST_RES_FAIL, CD_NONFINITE, true, "the equations cannot be evaluated here"},
    {IDA_REP_RES_ERR, CD_NONFINITE, true, "the equations cannot be evaluated ahead"},
    {CDI_SUNDIALS_ENDED, CD_BUG, true, "a callback of the problem failed"},
    {CDI_SUNDIALS_STUCK, CD_NOCONV, true, "no step is small enough to go on"},
    {IDA_MEM_FAIL, CD_NOMEM, false, ""},
    {0, CD_BUG, true, "IDA failed"},
};

// ---- callbacks

static int residual(realtype t, N_Vector y, N_Vector dy, N_Vector r, void *user) {
    CdiSundials *s = user;
    double *R = N_VGetArrayPointer(r);
    const CdStatus status =
        cdi_flat_residual(s->it->flat, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), R);
    return cdi_sundials_values(s, status, R);
}

static int jacobian(realtype t, realtype c, N_Vector y, N_Vector dy, N_Vector r, SUNMatrix matrix,
                    void *user, N_Vector work1, N_Vector work2, N_Vector work3) {
    (void)r, (void)matrix, (void)work1, (void)work2, (void)work3;
    return cdi_sundials_setup(user, c, t, y, dy, false);
}

// Multipliers of the index-1 form, too, feel errors of v divided by h: those of rounding
static int index_of(const CdiFlat *flat, int i) {
    const CdiProblem *p = flat->p;
    const bool multiplier = i >= p->nq + p->nd;
    return multiplier && flat->index[i] < 2 ? 2 : flat->index[i];
}

static int weights(N_Vector y, N_Vector weights, void *user) {
    Ida *a = user;
    const CdiFlat *flat = a->sun.it->flat;
    double *w = N_VGetArrayPointer(weights), h = 0;
    cdi_sundials_weights(y, weights, user);
    // before the first step there is no h: then only unknowns of index 1 count
    IDAGetCurrentStep(a->mem, &h);
    const double factor[3] = {1, fmin(1, fabs(h)), fmin(1, h * h)};
    for (int i = 0; i < flat->n; i++) w[i] *= factor[index_of(flat, i) - 1];
    return 0;
}

// ---- set-up

static int set_options(Ida *a) {
    const Options *o = (const Options *)a->sun.it->options;
    int flag = IDASetErrHandlerFn(a->mem, cdi_sundials_on_error, a);
    if (!flag) flag = IDASetUserData(a->mem, a);
    if (!flag) flag = IDAInit(a->mem, residual, 0, a->sun.y, a->sun.dy);
    if (!flag) flag = IDAWFtolerances(a->mem, weights);
    if (!flag && o->max_order > 0) flag = IDASetMaxOrd(a->mem, o->max_order);
    if (!flag) flag = IDASetNonlinConvCoef(a->mem, NEWTON_TOLERANCE);
    if (!flag) flag = IDASetMaxErrTestFails(a->mem, TEST_FAILURES);
    if (!flag) flag = IDASetMaxStep(a->mem, o->common.max_step);
    if (!flag) flag = IDASetMinStep(a->mem, o->common.min_step);
    return flag;
}

static int set_linear_solver(Ida *a) {
    const int flag = IDASetLinearSolver(a->mem, a->sun.solver, a->sun.matrix);
    if (flag) return flag;
    const int change = IDASetDeltaCjLSetup(a->mem, SETUP_CHANGE);
    return change ? change : IDASetJacFn(a->mem, jacobian);
}

// "algebraic" means "not in the error test" to IDA, as long as it does not look for a start
static int set_error_test(Ida *a) {
    const CdiFlat *flat = a->sun.it->flat;
    double *tested = N_VGetArrayPointer(a->tested);
    bool higher = false;
    for (int i = 0; i < flat->n; i++) {
        tested[i] = flat->differential[i] || index_of(flat, i) == 1;
        higher |= index_of(flat, i) > 1;
    }
    if (!higher) return IDA_SUCCESS;
    const int flag = IDASetId(a->mem, a->tested);
    return flag ? flag : IDASetSuppressAlg(a->mem, SUNTRUE);
}

static CdStatus init(CdIntegrator *it) {
    Ida *a = it->method;
    CD_TRY(cdi_sundials_check(it));
    CD_TRY(cdi_sundials_open(&a->sun, it));
    double *tested = CD_KEEP(it, double, it->flat->n);
    if (!tested) return CD_NOMEM;
    a->tested = N_VMake_Serial(it->flat->n, tested, a->sun.sun);
    a->mem = IDACreate(a->sun.sun);
    if (!a->tested || !a->mem) return CD_NOMEM;
    CD_TRY(cdi_sundials_open_linear(&a->sun));
    a->sun.rhs_factor = 1;
    a->drifts = cdi_sundials_can_drift(it->flat);
    CD_TRY(cdi_sundials_refused(&a->sun, set_options(a), IDA_MEM_FAIL));
    CD_TRY(cdi_sundials_refused(&a->sun, set_linear_solver(a), IDA_MEM_FAIL));
    return cdi_sundials_refused(&a->sun, set_error_test(a), IDA_MEM_FAIL);
}

static void destroy(CdIntegrator *it) {
    Ida *a = it->method;
    if (a->mem) IDAFree(&a->mem);
    if (a->tested) N_VDestroy(a->tested);
    cdi_sundials_close(&a->sun);
}

// ---- steps

static CdStatus start(CdIntegrator *it) {
    Ida *a = it->method;
    cdi_sundials_restart(&a->sun);
    int flag = IDAReInit(a->mem, it->now.t, a->sun.y, a->sun.dy);
    if (!flag) flag = IDASetInitStep(a->mem, cdi_sundials_first_step(it));
    return cdi_sundials_refused(&a->sun, flag, IDA_MEM_FAIL);
}

static void count(Ida *a) {
    CdiSundialsCounts now = {0};
    IDAGetNumErrTestFails(a->mem, &now.rejected);
    IDAGetNonlinSolvStats(a->mem, &now.iterations, &now.newton_failures);
    cdi_sundials_count(&a->sun, &now);
}

// Multipliers are noisy by errors of v divided by h, which after a restart is small: events that
// look at them would follow upon each other. So they get those that belong to q and v.
static bool smooths(const CdIntegrator *it) {
    return it->problem->user.nz > 0 && it->problem->nc > 0;
}

// parts of now that follow from others, and Y' with them
static CdStatus refine(CdIntegrator *it) {
    cdi_flat_unpack(it->flat, it->now.t, it->state, it->state_dot, &it->now);
    if (smooths(it)) CD_TRY(cdi_accelerations(it->problem, &it->now));
    cdi_flat_pack(it->flat, &it->now, it->state, it->state_dot);
    return CD_OK;
}

static CdStatus accept(Ida *a, double t, bool moved) {
    CdIntegrator *it = a->sun.it;
    const size_t n = (size_t)it->flat->n, bytes = n * sizeof(double);
    double *old = a->sun.work;
    memcpy(old, it->state, bytes);
    memcpy(old + n, it->state_dot, bytes);
    cdi_sundials_accept(&a->sun, t);
    memcpy(it->state_dot, N_VGetArrayPointer(a->sun.dy), bytes);
    const CdStatus status = moved || smooths(it) ? refine(it) : CD_OK;
    if (status == CD_OK) return CD_OK;
    memcpy(it->state, old, bytes);
    memcpy(it->state_dot, old + n, bytes);
    it->now.t = it->t_old;
    a->sun.restart = true;
    return cdi_step_failed(it, status, it->h, "accelerations cannot be found after it");
}

static CdStatus step(CdIntegrator *it, double t_limit) {
    Ida *a = it->method;
    if (a->sun.restart) CD_TRY(start(it));
    if (cdi_sundials_rest(&a->sun, t_limit)) return CD_OK;
    double t = it->now.t;
    bool moved = false;
    cdi_sundials_begin(&a->sun);
    int flag = IDASetStopTime(a->mem, t_limit);
    if (flag == IDA_SUCCESS) {
        flag = IDASolve(a->mem, t_limit, &t, a->sun.y, a->sun.dy, IDA_ONE_STEP);
    }
    count(a);
    IDAGetCurrentStep(a->mem, &it->h_next);
    flag = cdi_sundials_verdict(&a->sun, flag, t);
    if (flag) return cdi_sundials_failed(&a->sun, failures, flag, it->h_next);
    if (a->drifts) CD_TRY(cdi_sundials_return(&a->sun, t, &moved));
    return accept(a, t, moved);
}

static CdStatus dense(CdIntegrator *it, double t, CdPoint *at) {
    Ida *a = it->method;
    if (IDAGetDky(a->mem, t, 0, a->sun.y) != IDA_SUCCESS ||
        IDAGetDky(a->mem, t, 1, a->sun.dy) != IDA_SUCCESS) {
        return cdi_integrator_fail(it, CD_BUG, "no state at t = %.9g: %s", t, a->sun.text);
    }
    cdi_flat_unpack(it->flat, t, N_VGetArrayPointer(a->sun.y), N_VGetArrayPointer(a->sun.dy), at);
    return smooths(it) ? cdi_accelerations(it->problem, at) : CD_OK;
}

#define FIELD(...) CD_FIELD(Options, __VA_ARGS__)
static const CdField fields[] = {
    CDI_COMMON_ROWS(Options, "true", "1e-6", "1e-9", "\"auto\""),
    FIELD(max_order, INT, "1", "0", "[0, 5]", "highest order; 0: 5"),
};

static const char guide[] =
    "IDA of SUNDIALS, the successor of DASSL: BDF of variable order and step for implicit and "
    "differential-algebraic equations of index 1, and for mechanisms in the forms `ggl` (the "
    "safe choice), `index2`, `index3` and `index1`. It is for stiff problems and loose to medium "
    "tolerances; lightly damped vibrations make it take small steps.\n\n"
    "Multipliers are not in the error test. With `index3` velocities count h times less than "
    "positions, and changes of the step show in velocities and multipliers: errors are often a "
    "hundred times those of `ggl` at the same tolerance. With `index1` nothing brings "
    "the state back to its constraints: it drifts away by its errors, growing with time "
    "(`cvode` projects). Orientations are normalised, and the method restarted, when they have "
    "drifted by 100 tolerances.\n\n"
    "Every set-up takes new derivatives. Every event restarts at order 1 with small steps. Steps "
    "cannot be fixed. Runs cannot be saved: the history belongs to SUNDIALS, which also allocates "
    "it, once, with libc.\n";

const CdIntegratorClass cd_integrator_ida = {
    .desc = {.name = "ida",
             .doc = "BDF method of variable order of SUNDIALS for implicit equations",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"ida\", \"form\": \"ggl\", \"rtol\": 1e-7}"},
    .guide = guide,
    .memory = sizeof(Ida),
    .view = CD_VIEW_IMPLICIT,
    .operators = true,
    .order = 5,
    .calibration = {.factor = 1.5e-3, .power = 1.2, .most = 9},
    .init = init,
    .start = start,
    .step = step,
    .dense = dense,
    .destroy = destroy,
};
