// integrator_dop853.c - Dormand & Prince 8(5,3): many digits on smooth problems
//
//   twelve stages, order 8; err = h ||e5||^2 / sqrt(||e5||^2 + ||e3||^2 / 100) from estimates of
//   order 5 and 3; dense output of order 7 with three more evaluations, only where it is asked for
//
// Hairer, Norsett & Wanner, Solving ODEs I, sec. II.5, II.6 and II.10.
#include "integrators/explicit.h"

#include "integrators/dop853.inc"

const CdiTableau cdi_tableau_dop853 = {
    .order = 8,
    .stages = 13,
    .extra = 3,
    .nerror = 2,
    .ndense = 4,
    .c = C,
    .a = A,
    .e = E,
    .d = D,
    .exponent = 1. / 8,
    .shrink = 1. / 3,
    .grow = 6,
    .stiff_limit = 6.1,
};

static CdStatus init(CdIntegrator *it) {
    return cdi_explicit_init(it, &cdi_tableau_dop853);
}

static const CdField fields[] = {CDI_EXPLICIT_ROWS("1e-9", "1e-9")};

const CdIntegratorClass cd_integrator_dop853 = {
    .desc = {.name = "dop853",
             .doc = "Runge-Kutta 8(5,3) of Dormand and Prince with step control and dense output",
             .size = sizeof(CdiExplicitOptions),
             CD_FIELDS(fields),
             .example = "{\"class\": \"dop853\", \"rtol\": 1e-12, \"atol\": 1e-14}"},
    .guide =
        "For smooth problems that are not stiff when many digits are wanted: reference solutions, "
        "orbits, long runs at tolerances from 1e-8 down to 1e-13. A step takes twelve evaluations "
        "but is several times longer than one of `dopri5`. Order 8 pays only if the right-hand "
        "side has as many derivatives; with tables, dry friction or contact `dopri5` does as "
        "well.\n\n"
        "The first look inside a step (samples, events) takes three further evaluations and gives "
        "order 7. Options and the test for stiffness are those of `dopri5`; `adaptive=false` "
        "makes steps of size `step` without control.",
    .order = 8,
    .calibration = {.factor = 3e-3, .power = 1, .most = 11},
    .init = init,
    CDI_EXPLICIT_CLASS,
};
