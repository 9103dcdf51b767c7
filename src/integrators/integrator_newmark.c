// integrator_newmark.c - Newmark's method with free gamma and beta
//
//   v1 = v0 + h ((1 - gamma) v'_0 + gamma v'_1)
//   q1 = q0 o exp(h v0 + h^2 ((1/2 - beta) v'_0 + beta v'_1))
//
// Order 2 for gamma = 1/2 only; gamma > 1/2 damps and is of order 1. Stable for every step if
// beta >= (gamma + 1/2)^2/4 and gamma >= 1/2.
// Newmark, J. Eng. Mech. Div. ASCE 85 (1959) 67.
#include "integrators/gen_alpha.h"

typedef struct Options {
    CdCommonOptions common;
    CdAlphaOptions family;
    double gamma, beta;
} Options;

static CdStatus init(CdIntegrator *it) {
    const Options *o = (const Options *)(const void *)it->options;
    return cdi_alpha_init(it, (CdAlpha){.gamma = o->gamma, .beta = o->beta});
}

static const CdField fields[] = {
    CDI_ALPHA_ROWS(Options),
    CD_FIELD(Options, gamma, REAL, "1", "0.5", "(0, 1]", "weight of the new acceleration in v"),
    CD_FIELD(Options, beta, REAL, "1", "0.25", "(0, 1]", "weight of the new acceleration in q"),
};

const CdIntegratorClass cd_integrator_newmark = {
    .desc = {.name = "newmark",
             .doc = "Newmark's method with free gamma and beta",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"newmark\", \"gamma\": 0.5, \"beta\": 0.25}"},
    .guide = "To compare with codes that use it. `gamma=0.5, beta=0.25` is the trapezoidal rule, "
             "`gamma=0.5, beta=1/6` the linear acceleration method, stable only while h omega < "
             "3.46. With `gamma` above 0.5 it damps but is only of order 1, and step control, "
             "which looks at positions, does not see all of that error: `gen-alpha` or `hht` damp "
             "at order 2. For the rest see `gen-alpha`.",
    CDI_ALPHA_CLASS,
    .order = 2,
    .init = init,
};
