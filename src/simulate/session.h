// session.h - what every simulation of a model needs: system, channels, start, integrator
#ifndef CARDAN_SIMULATE_SESSION_H
#define CARDAN_SIMULATE_SESSION_H

#include "simulate/check.h"
#include "simulate/simulate.h"

typedef struct CdSession {
    CdContext *ctx;
    CdArena arena;
    CdSystem *system;
    CdPool *pool; // NULL: one thread
    CdSystemWork *work;
    CdChannels *channels;
    CdStart start; // that meets the joints
    CdIntegrator *it;
    double *values; // of channels
} CdSession;

// of a resolved model. Says what moved at the start; after a failure too it must be closed.
CdStatus cdi_session_open(CdSession *s, const CdModel *model, const char *integrator, int threads,
                          const CdList *channels);
CdStatus cdi_session_start(CdSession *s); // from the model's start; any time again
void cdi_session_close(CdSession *s);

#endif
