// integrator.h - the contract of integrators: one class per method, one line in integrators.def
//
// The driver (integrator.c, run.c, events.c) owns life, options, state, events, samples, messages
// and saving; a method makes one accepted step at a time and interpolates inside it.
#ifndef CARDAN_INTEGRATORS_INTEGRATOR_H
#define CARDAN_INTEGRATORS_INTEGRATOR_H

#include "math/vecn.h"
#include "problem/flat.h"

typedef struct CdIntegratorClass CdIntegratorClass;

// options of every method; first member of its options struct
typedef struct CdCommonOptions {
    double step;               // s; initial or fixed
    bool adaptive;             // step control
    double rtol, atol;         // of errors per step
    int digits;                // asked for at the end, in place of them; 0: not used
    double floor;              // with digits: what counts as small
    double min_step, max_step; // s; max_step 0: none
    int max_steps;             // in one run; 0: any number
    double start_tolerance;    // of constraint violation at the start
    int event_limit;           // events without progress that count as chattering
    char *linsol;
    int jacobian; // enum of cdi_jacobian_names
    int form;     // CdForm
    bool project;
} CdCommonOptions;

extern const char *const cdi_jacobian_names[]; // "auto", "differences"

// rows of the common options for a struct T that begins with `CdCommonOptions common`; what differs
// between methods are the defaults, as JSON text
#define CDI_COMMON_ROW(T, member, type_, unit_, def_, range_, ...)                             \
    {                                                                                          \
        .name = #member, .type = CD_TYPE_##type_, .unit = unit_, .def = def_, .range = range_, \
        .offset = offsetof(T, common.member), .size = sizeof(((T *)0)->common.member),         \
        .doc = __VA_ARGS__                                                                     \
    }
// clang-format off
#define CDI_COMMON_ROWS(T, adaptive_, rtol_, atol_, form_)                                        \
    CDI_COMMON_ROW(T, step, REAL, "s", "0", "[0, inf)",                                           \
                   "size of every step if adaptive is false, otherwise of the first one only; "   \
                   "0: chosen by the method, if it can"),                                         \
    CDI_COMMON_ROW(T, adaptive, BOOL, "", adaptive_, "",                                          \
                   "steps are controlled by their error; false: all of them are as long as step"), \
    CDI_COMMON_ROW(T, rtol, REAL, "1", rtol_, "[1e-15, 1)", "error per step, relative"),          \
    CDI_COMMON_ROW(T, atol, REAL, "*", atol_, "(0, inf)", "error per step, absolute"),            \
    CDI_COMMON_ROW(T, digits, INT, "1", "0", "[0, 13]",                                           \
                   "correct digits wanted of the result, in place of rtol and atol; 0: not used"), \
    CDI_COMMON_ROW(T, floor, REAL, "*", "1", "[1e-30, inf)",                                      \
                   "with digits: they count from here in unknowns that are smaller"),             \
    CDI_COMMON_ROW(T, min_step, REAL, "s", "0", "[0, inf)", "smallest step before giving up"),    \
    CDI_COMMON_ROW(T, max_step, REAL, "s", "0", "[0, inf)", "largest step; 0: any"),              \
    CDI_COMMON_ROW(T, max_steps, INT, "1", "0", "[0, inf)", "steps in one run; 0: any number"),   \
    CDI_COMMON_ROW(T, start_tolerance, REAL, "*", "0.001", "[0, inf)",                            \
                   "violation of constraints that is mended at the start"),                       \
    CDI_COMMON_ROW(T, event_limit, INT, "1", "100", "[1, inf)",                                   \
                   "events in a row without progress that end the run"),                          \
    CDI_COMMON_ROW(T, linsol, STRING, "", "\"auto\"", "", "linear solver"),                       \
    CDI_COMMON_ROW(T, jacobian, ENUM, "", "\"auto\"", "",                                         \
                   "derivatives as given, or by differences", .names = cdi_jacobian_names),       \
    CDI_COMMON_ROW(T, form, ENUM, "", form_, "", "form of the constraints",                       \
                   .names = cdi_form_names),                                                      \
    CDI_COMMON_ROW(T, project, BOOL, "", "true", "",                                              \
                   "index 1: return to the constraints after every step")
// clang-format on

struct CdIntegrator {
    const CdIntegratorClass *cls;
    CdContext *ctx;
    CdArena arena;
    const CdCommonOptions *options; // really the struct of the class
    CdiProblem *problem;
    CdiFlat *flat; // NULL for methods on mechanical problems
    void *method;  // memory of the method, cls->memory bytes; the first cls->saved are kept

    CdPoint now;         // last accepted state; now.q is the start of a block of npoint numbers
    double *state;       // that block: Y of a flat method is its front part
    double *state_dot;   // flat implicit methods: Y' at now; NULL otherwise
    double t_old;        // start of the last step: dense output is valid on [t_old, now.t]
    double h;            // size of the last step
    double h_next;       // proposed by the method; 0: it has none yet
    CdStatistics *stats; // the driver counts steps, their sizes, events and restarts

    struct CdiDriver *driver; // of the driver: events, samples, kept regions
};

// how digits become tolerances (digits.c): rtol = factor 10^(-power digits); most 0: they do not
typedef struct CdCalibration {
    double factor; // measured on the published problems of tests/integrators/test_proofs_digits.c
    double power;  // (order of the estimate of a step's error)/(order of the error at the end)
    int most;      // digits that rounding or effort permit
} CdCalibration;

typedef enum CdView { CD_VIEW_EXPLICIT, CD_VIEW_IMPLICIT, CD_VIEW_MECHANICAL } CdView;

// where fixed steps end
typedef struct CdiGrid {
    double t, h;
    int64_t steps; // since t, to now
} CdiGrid;

// where the k-th step from now ends; anew for each, so that it does not drift
static inline double cdi_grid_time(const CdiGrid *grid, int64_t k) {
    return grid->t + (double)(grid->steps + k) * grid->h;
}

// A method may use it->problem, it->flat, it->options, it->method, cdi_vecn() and cdi_keep memory.
struct CdIntegratorClass {
    CdDesc desc;       // name, doc, options (struct that begins with CdCommonOptions), example
    const char *guide; // when to use it and what to know, for the page of the method (Markdown)
    size_t memory;     // bytes of it->method
    size_t saved;      // of them, from the front: numbers that are saved with the run. Behind stand
                       // pointers and what init sets: .saved = offsetof(Memory, first_pointer)
    CdView view;       // how the method wants its problem
    bool manifold;     // takes increments on manifolds (mechanical view)
    bool operators;    // solves with operators, and needs accelerations only now and then
    bool can_save;     // continues bit for bit after load
    bool fixed_only;   // has no step control; its option `adaptive` is false then
    int order;         // nominal, on ODEs
    CdCalibration calibration;

    // after options and problem are set: allocate with cdi_keep; refuse with a message
    CdStatus (*init)(CdIntegrator *it);
    // it->now is consistent and complete: begin here, forgetting all history. Also after events.
    CdStatus (*start)(CdIntegrator *it);
    // one accepted step from it->now, exactly to t_limit or short of it. Retries rejected steps
    // itself. On success sets t_old, h, h_next, moves now; t must become exactly t_limit if the
    // step was cut to end there. On failure now is as before and a message was reported with
    // cdi_fail(it->ctx, ...).
    CdStatus (*step)(CdIntegrator *it, double t_limit);
    // optional: a burst of up to `most` steps of a grid, which end before `limit`, as `step` would
    // make them, while that takes no decision; how many. The method counts their sizes, iterations
    // and evaluations, the driver counts them.
    int64_t (*burst)(CdIntegrator *it, const CdiGrid *grid, double limit, int64_t most);
    // state at t in [t_old, now.t] into `at` (own block; q v y x lambda, and vdot ydot if the
    // method has them at hand)
    CdStatus (*dense)(CdIntegrator *it, double t, CdPoint *at);
    // optional: it->now, as a step has left it, to where others look; and all that is saved
    void (*show)(CdIntegrator *it);
    void (*settle)(CdIntegrator *it);
    // memory that is not plain bytes given by cdi_keep (operators); NULL: none
    size_t (*save_size)(const CdIntegrator *it);
    void (*save)(const CdIntegrator *it, void *to);
    CdStatus (*load)(CdIntegrator *it, const void *from);
    void (*destroy)(CdIntegrator *it); // NULL: nothing but arena memory
};

extern const CdIntegratorClass *const cd_integrator_classes[]; // NULL-terminated

// zeroed memory that is saved and loaded with the run; NULL: out of memory
void *cdi_keep(CdIntegrator *it, size_t bytes);
#define CD_KEEP(it, T, n) ((T *)cdi_keep(it, sizeof(T) * (size_t)(n)))

// the size of the next step: at most h, at least a rounding error, so that it ends on t_limit or
// leaves a rest worth a step; *last: it ends exactly on t_limit. With a fixed step a rest below
// 1e-9 h counts as none, and h itself is returned unchanged then.
double cdi_step_to(const CdIntegrator *it, double h, double t_limit, bool *last);
// first step size after Hairer, Norsett & Wanner II.4 for a flat explicit method of order p
CdStatus cdi_first_step(CdIntegrator *it, int order, const double *f0, double t_limit, double *h);
// step too small: a message with t, h, what fails and what may help; returns status
CdStatus cdi_step_failed(CdIntegrator *it, CdStatus status, double h, const char *why);

#endif
