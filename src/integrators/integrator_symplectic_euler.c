// integrator_symplectic_euler.c - kick, then drift: the simplest method that keeps energy bounded
//
//   v1 = v0 + h M^-1 f(t0, q0, v0)
//   q1 = q0 o h v1
//
// Order 1. de Vogelaere, report, Notre Dame (1956); Hairer, Lubich & Wanner, Geometric Numerical
// Integration, sec. I.1.2.
#include "integrators/symplectic.h"

static CdStatus init(CdIntegrator *it) {
    return cdi_symplectic_init(it, 1);
}

static const CdField fields[] = {CDI_SYMPLECTIC_ROWS};

const CdIntegratorClass cd_integrator_symplectic_euler = {
    .desc = {.name = "symplectic-euler",
             .doc = "Velocities first, then positions with them, with a fixed step",
             .size = sizeof(CdiSymplecticOptions),
             CD_FIELDS(fields),
             .example = "{\"class\": \"symplectic-euler\", \"step\": 0.001}"},
    .guide =
        "The method of games and of first trials: one evaluation per step, order 1, and with "
        "conservative forces and a constant mass matrix an energy that oscillates in proportion "
        "to `step` and does not drift. `verlet` costs the same and has order 2, so there is "
        "seldom a reason to stay here.\n\n"
        "Steps are fixed: `step` must be given, and be below 2/omega of the fastest oscillation. "
        "There is no error control and no room for constraints (use `gen-alpha`) or algebraic "
        "unknowns. Forces that depend on velocities and first-order states are taken explicitly; "
        "they keep the order but the method is not symplectic then. On rotations the step "
        "follows the manifold.",
    .order = 1,
    .init = init,
    CDI_SYMPLECTIC_CLASS,
};
