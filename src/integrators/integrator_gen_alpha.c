// integrator_gen_alpha.c - generalised-alpha: order 2 with the damping of high frequencies chosen
//
//   am = (2 rho - 1)/(rho + 1),   af = rho/(rho + 1),   gamma = 1/2 + af - am,
//   beta = (gamma + 1/2)^2/4
//
// and for problems without velocities, where gamma alone would leave (3 rho - 1)/(3 - rho),
//
//   am = (3 rho - 1)/(2 (rho + 1)),   gamma = 1/(rho + 1)
//
// rho is the spectral radius for frequencies that the step does not resolve: 1 damps nothing, 0
// removes them in one step. Chung & Hulbert, J. Appl. Mech. 60 (1993) 371; Jansen, Whiting &
// Hulbert, Comput. Methods Appl. Mech. Eng. 190 (2000) 305.
#include "integrators/gen_alpha.h"

typedef struct Options {
    CdCommonOptions common;
    CdAlphaOptions family;
    double rho;
} Options;

static CdStatus init(CdIntegrator *it) {
    const double rho = ((const Options *)(const void *)it->options)->rho;
    CdAlpha c = {.am = (2 * rho - 1) / (rho + 1), .af = rho / (rho + 1)};
    if (it->problem->nv == 0) c.am = (3 * rho - 1) / (2 * (rho + 1));
    c.gamma = 0.5 + c.af - c.am;
    c.beta = (c.gamma + 0.5) * (c.gamma + 0.5) / 4;
    return cdi_alpha_init(it, c);
}

static const CdField fields[] = {
    CDI_ALPHA_ROWS(Options),
    CD_FIELD(Options, rho, REAL, "1", "0.8", "[0, 1]",
             "spectral radius for frequencies that the step does not resolve; 1: no damping"),
};

const CdIntegratorClass cd_integrator_gen_alpha = {
    .desc = {.name = "gen-alpha",
             .doc = "Generalised-alpha method of order 2 with chosen damping of high frequencies",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"gen-alpha\", \"rho\": 0.9}"},
    .guide =
        "The usual choice for mechanical systems with constraints, stiff springs or flexible "
        "bodies. One system is solved per iteration, of the size of the mechanical one. `rho` says "
        "what is left of a vibration that the step does not resolve; 0.8 to 0.9 leaves the others "
        "nearly untouched. Order 2 for positions, velocities and multipliers, with variable steps "
        "too. Steps are controlled unless `adaptive=false` is given; `step` alone is only the "
        "first of them. Constraints are kept at position and velocity level (`form=ggl`) unless "
        "another form is chosen; `form=index3` is cheaper, but its multipliers begin with an error "
        "of first order and velocities leave the constraints a little. Rotations are moved on "
        "their manifold. For high accuracy on smooth problems `radau5` or `dopri5` need fewer "
        "steps.",
    CDI_ALPHA_CLASS,
    .order = 2,
    .calibration = CDI_ALPHA_CALIBRATION,
    .init = init,
};
