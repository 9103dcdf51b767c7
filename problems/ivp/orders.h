// orders.h - how fast a method converges: errors over steps or tolerances, and observed orders
//
//   p = log(e(h)/e(h/2))/log 2
//
// The pendulum is the yardstick: every method of the registry in every form of the constraints
// that it takes, or in the angle if it takes none.
#ifndef CARDAN_PROBLEMS_ORDERS_H
#define CARDAN_PROBLEMS_ORDERS_H

#include "integrators/integrator.h"
#include "ivp.h"

typedef struct IvpRun {
    CdStatus status;
    IvpError error;
    CdStatistics statistics;
} IvpRun;

// from the start of the problem to t_end; also returns out->status
CdStatus ivp_run(CdContext *ctx, const IvpProblem *ivp, const char *method, double t_end,
                 IvpRun *out);

typedef enum IvpControl {
    IVP_BY_STEP,     // fixed steps of the size given
    IVP_BY_TOLERANCE // steps controlled, rtol = atol = the value given
} IvpControl;

// a method in one form
typedef struct IvpWay {
    const CdIntegratorClass *cls;
    const IvpProblem *problem; // the pendulum, or its angle
    const char *form;          // "index3", ... or "angle"
    bool fixed, adaptive;      // takes fixed steps, controls its steps
} IvpWay;

#define IVP_WAYS_MAX 4
// the ways in which a method solves the pendulum; returns their number. ctx should be silent: what
// a method does not take is found by asking.
int ivp_ways(CdContext *ctx, const CdIntegratorClass *cls, IvpWay ways[IVP_WAYS_MAX]);

CdStatus ivp_way_run(CdContext *ctx, const IvpWay *way, IvpControl control, double value,
                     IvpRun *out);

// a number of steps in which the method, of its nominal order, shows its order on the pendulum
int ivp_way_steps(const IvpWay *way);

double ivp_observed(double coarse, double fine); // order; NaN if an error is 0 or not known

#endif
