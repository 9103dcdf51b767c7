// session.h - what every simulation of a model needs: system, channels, start, integrator
#ifndef CARDAN_SIMULATE_SESSION_H
#define CARDAN_SIMULATE_SESSION_H

#include "simulate/check.h"
#include "simulate/simulate.h"

typedef struct CdSession {
    CdContext *ctx;
    CdArena arena, start_arena; // the second: of a start with other parameters
    CdSystem *base;             // as the model was given
    int64_t wall, cpu;          // clocks when it was assembled
    CdModel *variant;           // with other parameters; NULL: none were set
    CdSystem *varied;           // of the variant
    const CdSystem *system;     // that is simulated: one of the two
    CdPool *pool;               // NULL: one thread
    CdSystemWork *work;
    CdChannels *channels;
    char integrator[CD_METHOD_MAX];
    double tol;    // start_tolerance of the method
    CdStart start; // that meets the joints
    bool stale;    // it is one of other parameters
    CdProblem problem;
    CdIntegrator *it;
    double *values; // of channels
    // of rows: room for what cdi_session_vary finds; what the integrator looks at, and the next one
    bool *not_unique, *left_out, *rows, *next_rows;
} CdSession;

// of a resolved model. Says what moved at the start; after a failure too it must be closed.
CdStatus cdi_session_open(CdSession *s, const CdModel *model, const char *integrator, int threads,
                          const CdList *channels);
CdStatus cdi_session_start(CdSession *s); // from the model's start; any time again
// A variant of the model (cdi_model_vary), which is the session's from here on if it succeeds; or
// NULL: the model as given. If `running`, the state is kept: it must meet the joints all the same
// within the tolerance of the start, and the method restarts.
CdStatus cdi_session_vary(CdSession *s, CdModel *variant, bool running);
void cdi_session_close(CdSession *s);

#endif
