// integrator_dopri5.c - Dormand & Prince 5(4): the workhorse for problems that are not stiff
//
//   seven stages, order 5, an estimate of order 4; the last stage is the first of the next step;
//   dense output of order 4 (Shampine); PI control with beta = 0.04
//
// Dormand & Prince, J. Comp. Appl. Math. 6 (1980) 19; Hairer, Norsett & Wanner, Solving ODEs I,
// sec. II.4-II.6.
#include "integrators/explicit.h"

static const double C[] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};

static const double A[][CDI_STAGES_MAX] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};

// b - bhat
static const double E[][CDI_STAGES_MAX] = {
    {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
};

static const double D[][CDI_STAGES_MAX] = {
    {-12715105075. / 11282082432, 0, 87487479700. / 32700410799, -10690763975. / 1880347072,
     701980252875. / 199316789632, -1453857185. / 822651844, 69997945. / 29380423},
};

const CdiTableau cdi_tableau_dopri5 = {
    .order = 5,
    .stages = 7,
    .error_needs_last = true,
    .nerror = 1,
    .ndense = 1,
    .c = C,
    .a = A,
    .e = E,
    .d = D,
    .exponent = 1. / 5,
    .beta = 0.04,
    .shrink = 1. / 5,
    .grow = 10,
    .stiff_limit = 3.25,
};

static CdStatus init(CdIntegrator *it) {
    return cdi_explicit_init(it, &cdi_tableau_dopri5);
}

static const CdField fields[] = {CDI_EXPLICIT_ROWS("1e-6", "1e-6")};

const CdIntegratorClass cd_integrator_dopri5 = {
    .desc = {.name = "dopri5",
             .doc = "Runge-Kutta 5(4) of Dormand and Prince with step control and dense output",
             .size = sizeof(CdiExplicitOptions),
             CD_FIELDS(fields),
             .example = "{\"class\": \"dopri5\", \"rtol\": 1e-8, \"atol\": 1e-10}"},
    .guide =
        "The first choice for smooth problems that are not stiff, at tolerances between 1e-3 and "
        "1e-8. A step takes six evaluations and no linear algebra; the error of every step is "
        "estimated and held below `atol + rtol |y|` in the mean over all unknowns, so the error "
        "at the end is usually within a factor of 100 of the tolerance. Between the ends of a "
        "step the solution is known to order 4 at no cost.\n\n"
        "Below 1e-8 `dop853` needs fewer evaluations. Stiff springs, strong dampers and chemical "
        "reactions make the step follow stability in place of accuracy: after `stiffness_test` "
        "steps the method looks for that, warns once and goes on; take `radau5` then. "
        "Constraints are taken at acceleration level, and with `project` the state returns to "
        "them after every step; for many constraints `gen-alpha` is faster.\n\n"
        "With `adaptive=false` all steps have the size `step` and errors are not looked at. "
        "Discontinuities of the right-hand side should be declared as events; else they cost "
        "rejected steps.",
    .order = 5,
    .calibration = {.factor = 1e-3, .power = 1, .most = 10},
    .init = init,
    CDI_EXPLICIT_CLASS,
};
