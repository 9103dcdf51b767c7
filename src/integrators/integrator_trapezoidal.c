// integrator_trapezoidal.c - the trapezoidal rule for positions and velocities
//
//   v1 = v0 + h/2 (v'_0 + v'_1)
//   q1 = q0 o exp(h v0 + h^2/4 (v'_0 + v'_1)) = q0 + h/2 (v0 + v1) in linear spaces
//
// Newmark's method with gamma = 1/2, beta = 1/4: no damping, a linear oscillator keeps its energy.
// Newmark, J. Eng. Mech. Div. ASCE 85 (1959) 67.
#include "integrators/gen_alpha.h"

static CdStatus init(CdIntegrator *it) {
    return cdi_alpha_init(it, (CdAlpha){.gamma = 0.5, .beta = 0.25});
}

static const CdField fields[] = {
    CDI_ALPHA_ROWS(CdAlphaBase),
};

const CdIntegratorClass cd_integrator_trapezoidal = {
    .desc = {.name = "trapezoidal",
             .doc = "Trapezoidal rule of order 2 without numerical damping",
             .size = sizeof(CdAlphaBase),
             CD_FIELDS(fields),
             .example = "{\"class\": \"trapezoidal\", \"step\": 0.001}"},
    .guide = "Order 2, stable for every step on linear problems, and without numerical damping: "
             "for smooth systems whose energy should not fade. Vibrations that the step does not "
             "resolve stay for ever, and with constraints as index 3 the multipliers oscillate; "
             "`gen-alpha` with `rho` below 1 removes both. For the rest see `gen-alpha`.",
    CDI_ALPHA_CLASS,
    .order = 2,
    .calibration = CDI_ALPHA_CALIBRATION,
    .init = init,
};
