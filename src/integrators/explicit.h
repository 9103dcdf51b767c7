// explicit.h - embedded explicit Runge-Kutta methods from their tableaux: steps, control, dense
// output
//
//   k_i = f(t + c_i h, y0 + h sum_j a_ij k_j)      i = 1 ... stages; the last one is at y1, and the
//                                                  first of the next step (FSAL)
//   y1  = y0 + h sum_j b_j k_j                     b is the last row of a
//   err = h ||sum_j e_j k_j||                      or from two such estimates
//   h_new = h / clip(err^(1/p - 3/4 beta) / err_old^beta / safety)
//
// What dopri5 and dop853 share. Hairer, Norsett & Wanner, Solving ODEs I, sec. II.4-II.6, IV.2.
#ifndef CARDAN_INTEGRATORS_EXPLICIT_H
#define CARDAN_INTEGRATORS_EXPLICIT_H

#include "integrators/integrator.h"

#define CDI_STAGES_MAX 16 // with those for dense output only
#define CDI_TERMS_MAX 12  // that are not zero in a row of a tableau
#define CDI_CUBIC 4       // coefficients of dense output that need no tableau
#define CDI_DENSE_MAX 4   // and those that do

typedef struct CdiTableau {
    int order;             // of y1
    int stages, extra;     // extra: after them, for dense output
    bool error_needs_last; // the estimate holds k at y1
    int nerror, ndense;
    const double *c;                   // stages + extra
    const double (*a)[CDI_STAGES_MAX]; // stages + extra rows
    const double (*e)[CDI_STAGES_MAX]; // one row, or two: orders 5 and 3 of dop853
    const double (*d)[CDI_STAGES_MAX]; // of dense output, beyond a cubic polynomial
    // control of the step
    double exponent; // 1/p without the part of the PI control
    double beta;
    double shrink, grow; // h_new / h lies between
    double stiff_limit;  // |h lambda| on the boundary of stability
} CdiTableau;

extern const CdiTableau cdi_tableau_dopri5, cdi_tableau_dop853;

typedef struct CdiExplicitOptions {
    CdCommonOptions common;
    int stiffness_test;
} CdiExplicitOptions;

// rows of the options, with default tolerances as JSON text
#define CDI_EXPLICIT_ROWS(rtol_, atol_)                                            \
    CDI_COMMON_ROWS(CdiExplicitOptions, "true", rtol_, atol_, "\"auto\""),         \
        CD_FIELD(CdiExplicitOptions, stiffness_test, INT, "1", "1000", "[0, inf)", \
                 "accepted steps between tests for stiffness; 0: no tests")

// ---- loops over the unknowns (explicit.simd.c), one function for each number of terms
typedef struct CdiExplicitOps {
    // out = y + h (c[0] k[0] + ... )
    void (*stage[CDI_TERMS_MAX + 1])(size_t n, double h, const double *y, const double *c,
                                     const double *const *k, double *out);
    // out = (c[0] k[0] + ...) w / (atol + rtol max(|y0|, |y1|))
    void (*defect[CDI_TERMS_MAX + 1])(size_t n, const double *c, const double *const *k,
                                      const double tol[2], const double *y0, const double *y1,
                                      const double *w, double *out);
} CdiExplicitOps;

// those of one instruction set; NULL if this build or this processor does not have it
const CdiExplicitOps *cdi_explicit_ops(CdIsa isa);

// ---- the method's memory

// a row of a tableau without its zeros
typedef struct CdiExplicitRow {
    int m;
    double c[CDI_TERMS_MAX];
    const double *k[2][CDI_TERMS_MAX]; // for both turns
} CdiExplicitRow;

typedef struct CdiExplicit {
    double t0, h;   // of the last step
    double log_old; // logarithm of its error
    int turn;       // y0 = y[turn], and k[turn][i] is that of stage i
    int untested;   // steps since the last test for stiffness
    int stiff, not_stiff;
    bool dense_ready;

    const CdiTableau *tab; // from here on nothing is saved
    const CdiExplicitOps *ops;
    const CdVecnOps *vecn;
    size_t n;
    double tol[2]; // rtol, atol
    int stiffness_test;
    double *k[2][CDI_STAGES_MAX], *y[2];
    double *arg; // where the last stage but one was taken
    double *work;
    double *r[CDI_CUBIC + CDI_DENSE_MAX];
    CdiExplicitRow a[CDI_STAGES_MAX], e[2], d[CDI_DENSE_MAX];
} CdiExplicit;

CdStatus cdi_explicit_init(CdIntegrator *it, const CdiTableau *tableau);
CdStatus cdi_explicit_start(CdIntegrator *it);
CdStatus cdi_explicit_step(CdIntegrator *it, double t_limit);
CdStatus cdi_explicit_dense(CdIntegrator *it, double t, CdPoint *at);

// all of a class but its description, guide and init
#define CDI_EXPLICIT_CLASS                                                                        \
    .memory = sizeof(CdiExplicit), .saved = offsetof(CdiExplicit, tab), .view = CD_VIEW_EXPLICIT, \
    .can_save = true, .start = cdi_explicit_start, .step = cdi_explicit_step,                     \
    .dense = cdi_explicit_dense

#endif
