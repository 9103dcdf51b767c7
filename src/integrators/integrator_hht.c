// integrator_hht.c - Hilber-Hughes-Taylor: generalised-alpha with am = 0
//
//   am = 0,   af = -alpha,   gamma = 1/2 - alpha,   beta = (1 - alpha)^2/4
//
// The balance M a1 + (1 + alpha)(J^T lambda - f)_1 - alpha (J^T lambda - f)_0 = 0 of the original
// is this one for a constant mass matrix: a1 = (1 + alpha) v'_1 - alpha v'_0. Where M depends on q
// the two differ by O(h^2); the form here keeps the equations of motion exactly at t1.
// Hilber, Hughes & Taylor, Earthq. Eng. Struct. Dyn. 5 (1977) 283; Negrut et al., J. Comput.
// Nonlin. Dyn. 2 (2007) 73.
#include "integrators/gen_alpha.h"

typedef struct Options {
    CdCommonOptions common;
    CdAlphaOptions family;
    double alpha;
} Options;

static CdStatus init(CdIntegrator *it) {
    const double alpha = ((const Options *)(const void *)it->options)->alpha;
    return cdi_alpha_init(it, (CdAlpha){.am = 0,
                                        .af = -alpha,
                                        .gamma = 0.5 - alpha,
                                        .beta = (1 - alpha) * (1 - alpha) / 4});
}

static const CdField fields[] = {
    CDI_ALPHA_ROWS(Options),
    CD_FIELD(Options, alpha, REAL, "1", "-0.1", "[-0.3333333333333334, 0]",
             "damping of high frequencies: none for 0, most for -1/3"),
};

const CdIntegratorClass cd_integrator_hht = {
    .desc = {.name = "hht",
             .doc = "Hilber-Hughes-Taylor method of order 2 with damping of high frequencies",
             .size = sizeof(Options),
             CD_FIELDS(fields),
             .example = "{\"class\": \"hht\", \"alpha\": -0.3}"},
    .guide = "The method of many codes for structures and mechanisms, offered to compare with "
             "them. Order 2; `alpha` from 0 (the trapezoidal rule) to -1/3 (most damping, about "
             "half of a vibration that the step does not resolve is left). `gen-alpha` damps the "
             "same high frequencies with less effect on the low ones, and is otherwise the same "
             "program: forms of constraints, step control and Newton's method are described there.",
    CDI_ALPHA_CLASS,
    .order = 2,
    .calibration = CDI_ALPHA_CALIBRATION,
    .init = init,
};
