// events.h - where event functions change their domain, and what happens there
//
//   event  <=>  (z_i > 0) changes          z_i = 0 counts as not positive
//
// The order at one time is: state events, the announced time, the end of the step; after each of
// them the functions are looked at again, and what handle_event changed are events as well.
#ifndef CARDAN_INTEGRATORS_EVENTS_H
#define CARDAN_INTEGRATORS_EVENTS_H

#include "integrators/integrator.h"

// can there be any? Without, a step has nothing to look for.
static inline bool cdi_events_possible(const CdIntegrator *it) {
    const CdProblem *u = &it->problem->user;
    return u->nz > 0 || u->next_time || u->step_end;
}

CdStatus cdi_events_new(CdIntegrator *it);   // memory
CdStatus cdi_events_start(CdIntegrator *it); // where functions are at now, and the next time
// within the last step, which the method has made: the first change of a function. *t is where it
// is; the end of the step if there is none.
CdStatus cdi_events_locate(CdIntegrator *it, double *t, bool *found);
// now is where cdi_events_locate said; handle everything that happens there, and restart if so
CdStatus cdi_events_handle(CdIntegrator *it, bool found);
// something was changed from outside: handle what follows from it and restart
CdStatus cdi_events_changed(CdIntegrator *it);

#endif
