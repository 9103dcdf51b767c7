// integrator_verlet.c - half a kick, drift, half a kick: energy stays bounded in long runs
//
//   v*  = v0 + h/2 a0,   q1 = q0 o h v*,   v1 = v* + h/2 a1       a = M^-1 f(t, q, v)
//
// Order 2, one evaluation per step; also if forces depend on v, which is then taken at v0 + h a0.
// Verlet, Phys. Rev. 159 (1967) 98; Hairer, Lubich & Wanner, Acta Numerica 12 (2003) 399.
#include "integrators/symplectic.h"

static CdStatus init(CdIntegrator *it) {
    return cdi_symplectic_init(it, 0.5);
}

static const CdField fields[] = {CDI_SYMPLECTIC_ROWS};

const CdIntegratorClass cd_integrator_verlet = {
    .desc = {.name = "verlet",
             .doc = "Half a kick, drift, half a kick, with a fixed step",
             .size = sizeof(CdiSymplecticOptions),
             CD_FIELDS(fields),
             .example = "{\"class\": \"verlet\", \"step\": 0.001}"},
    .guide =
        "For long runs of conservative systems: particles, orbits, chains of springs. One "
        "evaluation per step, order 2, reversible and symplectic if forces depend on positions "
        "only and the mass matrix is constant; the energy error then oscillates in proportion to "
        "`step` squared and does not grow, and linear and angular momentum are kept to rounding. "
        "Where the path itself is wanted to many digits, `dop853` is cheaper.\n\n"
        "Steps are fixed: `step` must be given, and be below 2/omega of the fastest oscillation. "
        "There is no error control and no room for constraints (use `gen-alpha`) or algebraic "
        "unknowns. Forces that depend on velocities (dampers, gyroscopic terms, rotating bodies) "
        "and first-order states are taken at predicted values: order 2 is kept, conservation is "
        "not. On rotations the step follows the manifold.",
    .order = 2,
    .init = init,
    CDI_SYMPLECTIC_CLASS,
};
