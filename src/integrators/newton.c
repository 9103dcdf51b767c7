// newton.c - when an iteration has converged: its rate is watched and remembered between steps
//
// An iteration that cannot reach the tolerance with those left is given up early:
//
//   failed:  Theta >= 0.99   or   Theta^(left) eta |d_k| > tolerance
//
// Hairer & Wanner, Solving ODEs II, 2nd ed., IV.8.
#include "integrators/newton.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#define ITERATIONS 10         // of a kept Jacobian
#define PATIENT_ITERATIONS 25 // of one per iteration
#define PATIENT_GROWTH 4      // of an increment over the one before
#define SLOWEST 0.99          // rate that still counts as convergence
#define CAUTION 0.8           // exponent of what the last step knew of eta
#define TRUSTED_GROWTH 4      // of the first increment since the last step
#define TRUSTED_STEPS 256     // without a measurement

const char *const cdi_newton_names[] = {"auto", "full", "modified", NULL};

void cdi_newton_reset(CdNewton *newton) {
    *newton = (CdNewton){.eta = 1, .theta = 0, .first = 0};
}

void cdi_newton_begin(CdNewton *newton, double tolerance) {
    newton->tolerance = tolerance;
    newton->iteration = 0;
}

// the only increment so far: what is known of eta must do
static CdNewtonVerdict judge_first(CdNewton *newton, double norm) {
    const bool trusted = norm <= fmax(TRUSTED_GROWTH * newton->first, newton->tolerance) &&
                         newton->unmeasured < TRUSTED_STEPS;
    newton->first = newton->last = norm;
    newton->unmeasured++;
    if (norm == 0) return CD_NEWTON_DONE;
    return trusted && newton->eta * norm <= newton->tolerance ? CD_NEWTON_DONE : CD_NEWTON_GO_ON;
}

static bool hopeless(const CdNewton *newton, double eta, bool patient) {
    const int left = (patient ? PATIENT_ITERATIONS : ITERATIONS) - newton->iteration;
    if (left <= 0) return true;
    if (patient) return false;
    return newton->theta >= SLOWEST ||
           pow(newton->theta, left) * eta * newton->last > newton->tolerance;
}

CdNewtonVerdict cdi_newton_judge(CdNewton *newton, double norm, bool patient) {
    if (!isfinite(norm)) return CD_NEWTON_FAILED;
    if (newton->iteration++ == 0) return judge_first(newton, norm);
    const double rate = norm / newton->last;
    newton->theta = newton->iteration == 2 ? rate : sqrt(rate * newton->theta);
    newton->last = norm;
    if (patient && rate > PATIENT_GROWTH) return CD_NEWTON_FAILED;
    const double eta = newton->theta < SLOWEST ? newton->theta / (1 - newton->theta) : INFINITY;
    newton->eta = pow(fmax(eta, DBL_EPSILON), CAUTION);
    newton->unmeasured = 0;
    if (norm == 0 || eta * norm <= newton->tolerance) return CD_NEWTON_DONE;
    return hopeless(newton, eta, patient) ? CD_NEWTON_FAILED : CD_NEWTON_GO_ON;
}
