// simulate.h - runs of a model: what is asked for, and what came out
#ifndef CARDAN_SIMULATE_SIMULATE_H
#define CARDAN_SIMULATE_SIMULATE_H

#include "cardan/integrator.h"
#include "problem/problem.h"
#include "results/log.h"
#include "system/channels.h"

// ---- methods: one point of the puzzle as text,
//   formulation=ggl integrator=gen-alpha(rho=0.8) jacobian=ad linsol=klu threads=2
// in any order and with any part left out; an integrator may stand alone; "auto" chooses
#define CD_METHOD_MAX 512
#define CD_THREADS_AUTO (-1)

typedef struct CdMethod {
    char coordinates[32], formulation[32], jacobian[32], linsol[32];
    char integrator[CD_METHOD_MAX]; // with its options
    int threads;                    // 0: not said, CD_THREADS_AUTO: as many as pay
} CdMethod;
CdStatus cdi_method_parse(CdContext *ctx, const char *text, CdMethod *method);
// what an integrator is made with; step 0: its own choice
CdStatus cdi_method_integrator(CdContext *ctx, const CdMethod *method, double step, char *text,
                               size_t size);
// all of it again as one text
void cdi_method_write(const CdMethod *method, char *text, size_t size);

// ---- JSON Schema of whole models, from the tables of all items
void cdi_model_schema(CdJsonWriter *w);

// ---- runs

#define CD_SUMMARY_JOINTS 64
typedef struct CdRunSummary {
    char method[CD_METHOD_MAX];
    int dof; // velocities less the rank of the constraints
    double t_start, t_end;
    double wall_time, cpu_time;             // s, of steps and samples
    double start_wall_time, start_cpu_time; // from the assembled system to the first step
    CdStatistics stats;
    CdEnergy energy_start, energy_end;
    double residual[3]; // largest of constraints at the end, by level
    uint64_t hash;      // of the bits of the last state
    int64_t samples;
    bool redundant; // constraints depend on each other: reactions are the smallest possible
    int njoints;    // whose reactions are not unique
    const char *joints[CD_SUMMARY_JOINTS]; // the first of them; names of the model's items
    int islands;                           // groups of bodies that joints join
    CdiSigns inertia;                      // of the last matrix
} CdRunSummary;

// as members of an object that is open; numbers that JSON does not have become null
void cdi_run_summary_write(const CdRunSummary *summary, CdStatus status, CdJsonWriter *w);

// the member "inertia": null, or pivots by their signs
void cdi_signs_write(const CdiSigns *signs, CdJsonWriter *w);

// what rows will hold
typedef struct CdRunBegin {
    const char *method;
    int n, nscene; // numbers per row; the last nscene are those of system/scene.h
    const CdChannel *channels;
    bool can_save; // there may be checkpoints
} CdRunBegin;

typedef struct CdRunObserver {
    void *user;
    bool scene;                 // rows end with the numbers of the scene, unless the options say no
    const CdCheckpoint *resume; // go on from there; NULL: begin
    CdStatus (*begin)(void *user, const CdRunBegin *begin);
    CdStatus (*row)(void *user, double t, const double *values);
    bool (*cancelled)(void *user, double t); // asked before `pause`, and within long steps
    // between steps, as in CdObserver; *save: a checkpoint is wanted
    CdStatus (*pause)(void *user, bool *save);
    // when a pause wants it, when cancelled, and at the end if there was one before; never of
    // methods that cannot be saved. The bytes are valid during the call.
    CdStatus (*checkpoint)(void *user, const CdCheckpoint *checkpoint);
} CdRunObserver;

// A failure leaves summary and rows up to the last accepted step.
CdStatus cdi_simulate_run(const CdModel *model, const CdRunOptions *options,
                          const CdRunObserver *observer, CdRunSummary *summary);

// the last accepted state of a run, for another one of the same model to go on from
typedef struct CdRunEnd {
    double t;
    int n;          // numbers in state; 0: no run has been
    double *state;  // q, v, y, history of forces and signals; freed by cdi_run_end_free
    void *channels; // their history: turns of angles
    size_t nchannels;
} CdRunEnd;
void cdi_run_end_free(CdContext *ctx, CdRunEnd *end);
// begins at *end, if the options say so and a run has been, and leaves its own end there. Zeroed at
// first; end NULL: a run of its own.
CdStatus cdi_simulate_chain(const CdModel *model, const CdRunOptions *options,
                            const CdRunObserver *observer, CdRunEnd *end, CdRunSummary *summary);

// rows of channels of a simulation that is taken step by step (cardan/model.h), to t_end; as in
// cd_simulation_run
typedef struct CdRowSink {
    void *user;
    CdStatus (*row)(void *user, double t, const double *values);
    bool (*cancelled)(void *user, double t); // NULL: never
} CdRowSink;
CdStatus cdi_simulation_rows(CdSimulation *sim, double t_end, double interval,
                             const CdRowSink *sink);
// from here on its state counts for nothing, as before the first start: parameters may be set that
// it does not agree with
void cdi_simulation_stop(CdSimulation *sim);
const CdChannel *cdi_simulation_channels(const CdSimulation *sim, int *n);

// ---- what fits a model: every integrator with every form of the constraints
typedef struct CdMethodFit {
    const char *integrator, *form;
    bool fits;
    char why[512]; // if it does not
} CdMethodFit;
CdStatus cdi_simulate_methods(const CdModel *model, void *user,
                              CdStatus (*each)(void *user, const CdMethodFit *fit));

#endif
