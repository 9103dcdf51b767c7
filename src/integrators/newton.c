// newton.c - when an iteration has converged: its rate is watched and remembered between steps
//
// An iteration that cannot reach the tolerance with those left is given up early:
//
//   failed:  Theta >= 0.99   or   Theta^(left) eta |d_k| > tolerance
//
// With a Jacobian in every iteration increments may grow at first, and then fall faster than any
// rate foretells: they are only given up when they grow to more than four times the last one.
// Hairer & Wanner, Solving ODEs II, 2nd ed., IV.8.
#include "integrators/newton.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define ITERATIONS 10         // of a kept Jacobian
#define PATIENT_ITERATIONS 25 // of one per iteration
#define PATIENT_GROWTH 4      // of an increment over the one before
#define SLOWEST 0.99          // rate that still counts as convergence
#define CAUTION 0.8           // exponent of what the last step knew of eta
#define TRUSTED_GROWTH 4      // of the first increment since the last step
#define LINEAR 1e-9           // rate of a linear problem with its own Jacobian, up to rounding
#define VANISHED 1e-3         // of the tolerance, second increments that tell no rate
#define TRUSTED_STEPS 64      // of a linear problem without a measurement
#define MEASURED 32           // steps of another, unless increments are
#define SMALL 0.1             // of the tolerance

const char *const cdi_newton_names[] = {"auto", "full", "modified", NULL};

void cdi_newton_reset(CdNewton *newton) {
    // as saved bytes it has no gaps of unknown content
    memset(newton, 0, sizeof *newton);
    newton->eta = 1;
}

static bool is_full(const CdNewton *newton) {
    return newton->effort == CD_JACOBIAN_EVERY;
}

void cdi_newton_begin(CdNewton *newton, double tolerance, CdNewtonEffort effort) {
    if (newton->of_new && effort == CD_JACOBIAN_KEPT) {
        newton->eta = 1;
        newton->of_new = false;
    }
    newton->tolerance = tolerance;
    newton->effort = effort;
    newton->iteration = 0;
}

// of a first increment, by which the error that it leaves is more than eta times it
static double growth(const CdNewton *newton, double norm) {
    const bool more = newton->measured > 0 && norm > newton->measured;
    return newton->of_new && more ? norm / newton->measured : 1;
}

// is this first increment no larger than usual, and the error that it leaves small enough?
static bool is_enough(const CdNewton *newton, double norm) {
    if (norm == 0) return true;
    const bool usual = norm <= TRUSTED_GROWTH * newton->first || norm <= newton->tolerance;
    return usual && newton->eta * growth(newton, norm) * norm <= newton->tolerance;
}

static void count_first(CdNewton *newton, double norm) {
    newton->iteration = 1;
    newton->first = newton->last = norm;
    newton->unmeasured++;
}

// the only increment so far: what is known of eta must do, and less is known with every step
static CdNewtonVerdict judge_first(CdNewton *newton, double norm) {
    const bool linear = newton->trust > 0;
    if (!linear && norm > newton->tolerance) newton->eta = pow(newton->eta, CAUTION);
    const bool due = linear ? !cdi_newton_trusts(newton)
                            : newton->unmeasured >= MEASURED && norm > SMALL * newton->tolerance;
    const bool done = is_enough(newton, norm) && (!due || norm == 0);
    count_first(newton, norm);
    return done ? CD_NEWTON_DONE : CD_NEWTON_GO_ON;
}

bool cdi_newton_suffices(CdNewton *newton, double norm) {
    if (!is_enough(newton, norm)) return false;
    count_first(newton, norm);
    return true;
}

static double eta_of(double theta) {
    return theta < SLOWEST ? theta / (1 - theta) : INFINITY;
}

// a problem that has been linear for long is trusted longer; where nothing moves any more there is
// no rate, and it stays linear
static void remember(CdNewton *newton, double eta) {
    const bool vanished = newton->trust > 0 && newton->last <= VANISHED * newton->tolerance;
    const bool linear = newton->effort == CD_JACOBIAN_KEPT && (newton->theta <= LINEAR || vanished);
    newton->of_new = newton->effort != CD_JACOBIAN_KEPT;
    if (newton->of_new) eta = eta_of(newton->start);
    newton->eta = fmax(eta, DBL_EPSILON);
    newton->measured = newton->first;
    if (linear) newton->eta = pow(newton->eta, CAUTION);
    newton->trust = !linear ? 0 : newton->trust == 0 ? 1 : 2 * newton->trust;
    if (newton->trust > TRUSTED_STEPS) newton->trust = TRUSTED_STEPS;
    newton->unmeasured = 0;
}

static bool hopeless(const CdNewton *newton, double eta) {
    const bool patient = is_full(newton);
    const int left = (patient ? PATIENT_ITERATIONS : ITERATIONS) - newton->iteration;
    if (left <= 0) return true;
    if (patient) return false;
    return newton->theta >= SLOWEST ||
           pow(newton->theta, left) * eta * newton->last > newton->tolerance;
}

// with another increment
static double theta_with(const CdNewton *newton, double norm) {
    const double rate = norm / newton->last;
    return newton->iteration == 1 ? rate : sqrt(rate * newton->theta);
}

double cdi_newton_left(const CdNewton *newton, double norm) {
    const double eta = newton->iteration == 0 ? newton->eta * growth(newton, norm)
                                              : eta_of(theta_with(newton, norm));
    return norm * eta;
}

CdNewtonVerdict cdi_newton_judge(CdNewton *newton, double norm) {
    if (!isfinite(norm)) return CD_NEWTON_FAILED;
    if (newton->iteration == 0) return judge_first(newton, norm);
    const bool grows = norm > PATIENT_GROWTH * newton->last;
    newton->theta = theta_with(newton, norm);
    if (newton->iteration == 1) newton->start = newton->theta;
    newton->last = norm;
    newton->iteration++;
    if (is_full(newton) && grows) return CD_NEWTON_FAILED;
    const double eta = eta_of(newton->theta);
    if (norm == 0 || eta * norm <= newton->tolerance) {
        remember(newton, eta);
        return CD_NEWTON_DONE;
    }
    return hopeless(newton, eta) ? CD_NEWTON_FAILED : CD_NEWTON_GO_ON;
}
