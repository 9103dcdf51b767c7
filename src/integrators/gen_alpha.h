// gen_alpha.h - the engine of generalised-alpha, HHT, Newmark and the trapezoidal rule
//
// V = (v, y), A = (v', y'), an auxiliary a beside A, everything in balance exactly at t1:
//
//   (1 - am) a1 + am a0 = (1 - af) A1 + af A0
//   V1 = V0 + h ((1 - gamma) a0 + gamma a1)
//   q1 = q0 o exp(h Dq),   Dq = v0 + h ((1/2 - beta) a0 + beta a1) - J(q0)^T eta    (eta: ggl only)
//   r(t1, q1, V1, x1, A1, lambda1) = 0
//   index 3: g = 0   index 2: J v + .. = 0   index 1: J v' + .. = 0   ggl: g = 0 and J v + .. = 0
//
// Arnold & Bruels, Multibody Syst. Dyn. 18 (2007) 185; Bruels, Cardona & Arnold, Mech. Mach. Theory
// 48 (2012) 121; Arnold, Bruels & Cardona, Numer. Math. 129 (2015) 149.
#ifndef CARDAN_INTEGRATORS_GEN_ALPHA_H
#define CARDAN_INTEGRATORS_GEN_ALPHA_H

#include <math.h>

#include "integrators/integrator.h"
#include "integrators/newton.h"

typedef struct CdAlpha {
    double am, af, gamma, beta;
} CdAlpha;

// options of the whole family; the second member of a class's options, after `common`
typedef struct CdAlphaOptions {
    int newton; // CdNewtonKind
    double newton_tolerance;
    int start; // of cdi_alpha_start_names
    int halvings;
} CdAlphaOptions;

typedef enum CdAlphaStart { CD_START_SHIFTED, CD_START_PLAIN } CdAlphaStart;
extern const char *const cdi_alpha_start_names[]; // "shifted", "plain"

// what the options of every class begin with
typedef struct CdAlphaBase {
    CdCommonOptions common;
    CdAlphaOptions family;
} CdAlphaBase;

#define CDI_ALPHA_ROW(T, member, type_, unit_, def_, range_, ...)                              \
    {                                                                                          \
        .name = #member, .type = CD_TYPE_##type_, .unit = unit_, .def = def_, .range = range_, \
        .offset = offsetof(T, family.member), .size = sizeof(((T *)0)->family.member),         \
        .doc = __VA_ARGS__                                                                     \
    }
// clang-format off
#define CDI_ALPHA_ROWS(T)                                                                         \
    CDI_COMMON_ROWS(T, "true", "1e-4", "1e-6", "\"auto\""),                                      \
    CDI_ALPHA_ROW(T, newton, ENUM, "", "\"auto\"", "",                                            \
                  "full: new derivatives in every iteration; modified: when those of earlier "    \
                  "steps converge too slowly; auto: what does least",                             \
                  .names = cdi_newton_names),                                                     \
    CDI_ALPHA_ROW(T, newton_tolerance, REAL, "1", "0", "[0, 1]",                                  \
                  "error left by Newton's method as a part of rtol and atol; "                    \
                  "0: 1e-2 with step control, 1e-7 without"),                                     \
    CDI_ALPHA_ROW(T, start, ENUM, "", "\"shifted\"", "",                                          \
                  "accelerations to begin with: those of t + (am - af) h, or those of t",         \
                  .names = cdi_alpha_start_names),                                                \
    CDI_ALPHA_ROW(T, halvings, INT, "1", "0", "[0, 60]",                                          \
                  "fixed step: how often it may be halved where Newton's method fails")
// clang-format on

typedef struct CdAlphaStep {
    double h, t1;
    double cq, cv, ca;   // increment of q, V and A over that of a
    double q_old, v_old; // increment of q and V over a0
    double k1, k0;       // a1 = k1 A1 - k0 a0 where A1 = A0
    double k2;           // increment of a over that of A
    // A1 = A0 + sum of more[k] A_-k to begin with, see alpha_predict.c; NULL: no past is kept
    const double *more;
} CdAlphaStep;

// A[k]: accelerations of k steps ago; A[0]: where those of now go
#define CDI_ALPHA_PAST 6
typedef struct CdAlphaPast {
    double *A[CDI_ALPHA_PAST + 1];
} CdAlphaPast;

// how they may be extrapolated, see alpha_predict.c
#define CDI_ALPHA_WAYS 7

// numbers begin ... end - 1 of something
typedef struct CdAlphaRange {
    size_t begin, end;
} CdAlphaRange;

// of parts first ... end - 1, each of which begins at begin[]
static inline CdAlphaRange cdi_alpha_between(const int *begin, int first, int end) {
    return (CdAlphaRange){(size_t)begin[first], (size_t)begin[end]};
}

// loops over V for one instruction set (gen_alpha.simd.c); q NULL: V has no positions
typedef struct CdiAlphaOps {
    // A1, V1 and a1 to begin with; V0, A0 and a0 put aside, A0 into the past too, which is NULL if
    // none is kept; the same for q
    void (*predict)(size_t n, const CdAlphaStep *s, double *V, double *A, double *a, double *V0,
                    double *A0, double *a0, const CdAlphaPast *past, double *q, double *q0);
    // A0 less what each way would have told from A_-1 ... A_-6: sums of squares, each times its
    // weight
    void (*misses)(size_t n, const double *w, const double *A, const CdAlphaPast *past,
                   double sum[CDI_ALPHA_WAYS]);
    // a -= d, A -= ca d, V -= cv d, q -= cq d; the sum of (d_i w_i)^2
    double (*move)(size_t n, const CdAlphaStep *s, const double *d, const double *w, double *V,
                   double *A, double *a, double *q);
} CdiAlphaOps;

// what an increment gets of two pairs, see alpha_drift.c
typedef struct CdAlphaMend {
    int newest, other;
    double of_newest, of_other;
} CdAlphaMend;

// increments and what they did, see alpha_drift.c; sums of chunks
#define CDI_ALPHA_PAIRS 2
typedef struct CdAlphaDrift {
    bool possible;              // the run may gather some
    double *y[CDI_ALPHA_PAIRS]; // nu, by which an increment changed the next
    double *w[CDI_ALPHA_PAIRS]; // n, that increment less y
    double *last;               // nu, the last increment, as it was found
    CdAlphaMend mend;           // what it got
    double *sums;
} CdAlphaDrift;

// Numbers that loops over V have, each in a place of its own. A thread that has arrays for itself
// has all of each, and uses its part (alpha_own.c).
typedef struct CdAlphaArrays {
    CdPoint now, old;  // of which t is that of the integrator; the last step began at old
    double *a, *a_old; // nV
    CdAlphaPast past;  // nV, nc and, of ggl, ng: accelerations, multipliers, eta; a ring
    double *scale;     // nu, of increments of V and x
    double *b;         // n, residual and increment
    double *turn;      // nv, h Dq on manifolds
} CdAlphaArrays;

// shares of the work that may have arrays for themselves
#define CDI_ALPHA_SHARES 16

// numbers of q and v that rows of a part depend on and that others have
#define CDI_ALPHA_GHOSTS 16
typedef struct CdAlphaGhosts {
    int n;
    int at[CDI_ALPHA_GHOSTS], part[CDI_ALPHA_GHOSTS];
    int edge[CDI_ALPHA_GHOSTS]; // where that part shows them
} CdAlphaGhosts;

// numbers of a part that others ask for
typedef struct CdAlphaEdges {
    int n;
    int at[CDI_ALPHA_GHOSTS];
} CdAlphaEdges;

// steps that do more because the last one that tried to do with less could not
typedef struct CdAlphaSpell {
    int left, length; // length 0: it could
} CdAlphaSpell;

// memory of a run. The front is saved with it.
typedef struct CdAlphaMemory {
    CdNewton newton;
    double h_a;             // step size that a belongs to; 0: there is no a yet
    double h_lin;           // step size of the operator; 0: there is none
    double h_slope;         // distance of the slopes kept for the error of y
    double h_past;          // the last step
    double floor;           // norm of increments that are rounding errors, as was seen last
    double anew_iterations; // of steps with new derivatives, on average; 0: there were none
    int npast;              // accelerations of the past that are known, h_past apart
    int slot;               // in the past, of the accelerations of now
    int spent;              // iterations since derivatives were taken, with what these cost
    int cost;               // of derivatives, in iterations
    int since;              // steps since then
    CdAlphaSpell anew;      // with new derivatives
    CdAlphaSpell every;     // with those of every iteration, where new ones are taken
    int nsecants;           // of the last steps that are known, up to two
    int npairs;             // of increments that tell of the drift of derivatives
    int pair;               // the newest
    bool linear;            // derivatives were taken
    bool stale;             // and converged too slowly
    bool rejected;          // the last attempt
    bool slow;              // derivatives have drifted since they were taken
    // pointers and what init sets
    CdAlpha c;
    CdForm form;   // of the constraints: CD_INDEX1 ... CD_GGL, also if there are none
    int nV, nu;    // numbers in V, and in V with x
    double share;  // of one unknown in norms, 1/nu
    double ca;     // (1 - am)/(1 - af)
    double k1, k0; // a1 = k1 A1 - k0 a0 where A1 = A0
    double k2;     // increment of a over that of A
    double newton_tolerance, stale_rate;
    bool small;                        // where derivatives are taken anew, in every iteration
    double error_q, error_v, error_v1; // constants of the estimators, see gen_alpha.c
    CdAlphaArrays all;                 // of everybody; its `now` is that of the integrator
    double *slope;                     // nV, A' of the last step
    double *secant;                    // nV, of V in that step, unless all rates are known
    double *eta_b;                     // n, the same for eta
    bool few;              // V is one block with positions all over; no x, no constraints
    int nblocks;           // of V, which no two sections or parts share
    int *block;            // where each begins; one more, the end
    int *first_block;      // of every section or part; one more
    double *sums;          // of blocks
    double *misses;        // of blocks, CDI_ALPHA_WAYS each
    bool missed;           // they are those of now
    bool ended;            // the last iteration has done what the end of a step asks for
    int calm;              // steps to come without a burst
    int expected;          // iterations of a step: those of the last one
    CdiSections sections;  // that the operator can be solved for by themselves
    CdLinsolParts parts;   // that its solver eliminates side by side
    CdAlphaArrays *own;    // of every share of the sections or part; NULL: there are none
    CdAlphaGhosts *ghosts; // of every part
    CdAlphaEdges *edges;   // of every part
    double *shown_edges;   // q, V, A and a there, as they were after the last move
    bool may_part;         // there are few of these
    bool apart;            // these hold what counts
    bool shown;            // now and old are where others look
    bool waits, measures;  // the prediction, for the first iteration; with a new scale
    double *J_old;         // of the constraints at old, on their pattern; ggl only
    bool knows_J_old;      // of this step
    CdAlphaDrift drift;    // of derivatives
    double *push;          // nd, J(q0)^T eta of one iteration, on zeros
    double *ones;          // ng, weights of misses of eta
    CdPoint probe;
    CdiLin *lin, *lin_eta;
    const CdiAlphaOps *ops;
} CdAlphaMemory;

static inline const CdAlphaOptions *cdi_alpha_options(const CdIntegrator *it) {
    return &((const CdAlphaBase *)(const void *)it->options)->family;
}

// V and A of a point, whose parts stand one after the other
static inline double *cdi_alpha_velocities(const CdPoint *at) {
    return at->v ? at->v : at->y;
}

static inline double *cdi_alpha_accelerations(const CdPoint *at) {
    return at->vdot ? at->vdot : at->ydot;
}

// the past of numbers `from` on, the one in `slot` first (alpha_predict.c)
CdAlphaPast cdi_alpha_past(const CdAlphaArrays *x, int slot, size_t from);

// where V in r begins to look for its end; of_q: it has positions, which are predicted too
static inline void cdi_alpha_predict_V(const CdAlphaMemory *m, const CdAlphaArrays *x,
                                       const CdAlphaStep *s, CdAlphaRange r, bool of_q) {
    double *V = cdi_alpha_velocities(&x->now), *V0 = cdi_alpha_velocities(&x->old);
    double *A = cdi_alpha_accelerations(&x->now), *A0 = cdi_alpha_accelerations(&x->old);
    const size_t i = r.begin;
    CdAlphaPast past;
    if (r.begin >= r.end) return;
    if (s->more) past = cdi_alpha_past(x, m->slot, i);
    m->ops->predict(r.end - i, s, V + i, A + i, x->a + i, V0 + i, A0 + i, x->a_old + i,
                    s->more ? &past : NULL, of_q ? x->now.q + i : NULL, of_q ? x->old.q + i : NULL);
}

// takes the increment of V in r off; the sum of squares of its parts, but for factors
static inline double cdi_alpha_move_V(const CdAlphaMemory *m, const CdAlphaArrays *x,
                                      const CdAlphaStep *s, CdAlphaRange r, bool of_q) {
    double *V = cdi_alpha_velocities(&x->now), *A = cdi_alpha_accelerations(&x->now);
    const size_t i = r.begin;
    if (r.begin >= r.end) return 0;
    return m->ops->move(r.end - i, s, x->b + i, x->scale + i, V + i, A + i, x->a + i,
                        of_q ? x->now.q + i : NULL);
}

// of an increment, in units of the error tolerance, from the sums of squares of its parts: those of
// V and x but for factors, and those of eta
static inline double cdi_alpha_norm(const CdAlphaMemory *m, const CdAlphaStep *s, double sum,
                                    double eta) {
    return sqrt((sum * (s->cv * s->cv) + eta) * m->share);
}

// increments of the step, for operators; NULL: they are what q moves by
static inline const double *cdi_alpha_turn(const CdIntegrator *it) {
    const CdAlphaMemory *m = it->method;
    return it->problem->user.nrotations > 0 ? m->all.turn : NULL;
}

// ---- for the classes
CdStatus cdi_alpha_init(CdIntegrator *it, CdAlpha c);
CdStatus cdi_alpha_start(CdIntegrator *it);
CdStatus cdi_alpha_step(CdIntegrator *it, double t_limit);
CdStatus cdi_alpha_dense(CdIntegrator *it, double t, CdPoint *at);
size_t cdi_alpha_save_size(const CdIntegrator *it);
void cdi_alpha_save(const CdIntegrator *it, void *to);
CdStatus cdi_alpha_load(CdIntegrator *it, const void *from);
void cdi_alpha_destroy(CdIntegrator *it);

#define CDI_ALPHA_CLASS                                                                 \
    .memory = sizeof(CdAlphaMemory), .saved = offsetof(CdAlphaMemory, c),               \
    .view = CD_VIEW_MECHANICAL, .manifold = true, .operators = true, .can_save = true,  \
    .start = cdi_alpha_start, .step = cdi_alpha_step, .dense = cdi_alpha_dense,         \
    .burst = cdi_alpha_burst, .save_size = cdi_alpha_save_size, .save = cdi_alpha_save, \
    .load = cdi_alpha_load, .show = cdi_alpha_show, .settle = cdi_alpha_unite,          \
    .destroy = cdi_alpha_destroy

// of methods that have order 2 whatever their options are: 10^5 steps in a run are enough
#define CDI_ALPHA_CALIBRATION \
    { .factor = 5e-4, .power = 1.5, .most = 5 }

// ---- steps of linear problems without a pause (alpha_burst.c)
int64_t cdi_alpha_burst(CdIntegrator *it, const CdiGrid *grid, double limit, int64_t most);

// ---- where a step begins to look for its end (alpha_predict.c)
CdAlphaStep cdi_alpha_plan(CdIntegrator *it, double h, double t1);
int cdi_alpha_next_slot(int slot);
// how to extrapolate, with so many numbers of the past and the misses of every way
const double *cdi_alpha_best_way(int npast, const double sum[CDI_ALPHA_WAYS]);
// may_wait: for the first iteration, which has its operator
void cdi_alpha_predict(CdIntegrator *it, const CdAlphaStep *s, bool may_wait);
// will the next step ask for misses, if it is as long as this one, which is about to be accepted?
bool cdi_alpha_will_look_back(const CdIntegrator *it, const CdAlphaStep *s);
void cdi_alpha_remember(CdIntegrator *it, const CdAlphaStep *s); // an accepted step

// ---- loops over unknowns (alpha_motion.c)
CdStatus cdi_alpha_blocks_new(CdIntegrator *it);
// all of it->now but x to where the step begins to look, with what was there put aside
void cdi_alpha_predict_motion(CdIntegrator *it, const CdAlphaStep *s, bool may_wait);
// sums of squares, see CdiAlphaOps
void cdi_alpha_misses(CdIntegrator *it, double sum[CDI_ALPHA_WAYS]);
// positions back onto their manifold, and misses if the next step is going to ask for them
void cdi_alpha_end_motion(CdIntegrator *it, const CdAlphaStep *s);
// takes increments off, but for those of x; the sum of their squares times those of their weights
double cdi_alpha_move_motion(CdIntegrator *it, const CdAlphaStep *s);
// residual, solution and increment where there are parts, after a prediction that waits for it; the
// sum as above
void cdi_alpha_iterate_parts(CdIntegrator *it, const CdAlphaStep *s, double *sum);
// the same where there are sections
CdStatus cdi_alpha_iterate_sections(CdIntegrator *it, const CdAlphaStep *s, CdConstraintLevel level,
                                    double *sum);
// rows of constraints in b over the factors that the operator asks for
void cdi_alpha_divide_rows(CdIntegrator *it, const CdAlphaStep *s);
// are all increments of V at most this part of V, and of q over h?
bool cdi_alpha_at_rounding(CdIntegrator *it, const CdAlphaStep *s, double limit);
// norm of increments of V that move the largest q by a rounding error in a step of this size
double cdi_alpha_grain(CdIntegrator *it, double h);

// ---- multipliers eta of positions in the stabilised form (alpha_eta.c)
// of their operator, after that of accelerations
CdStatus cdi_alpha_eta_setup(CdIntegrator *it, const CdAlphaStep *s);
// eta to begin with into mu, and what it moves positions back by into push; false: it is 0
bool cdi_alpha_eta_predict(CdIntegrator *it, const CdAlphaStep *s);
// d_eta into mu, u into push, for r and the velocity level in b, the position level in eta_b
CdStatus cdi_alpha_eta_solve(CdIntegrator *it, const CdAlphaStep *s);

// ---- arrays of threads (alpha_own.c)
CdStatus cdi_alpha_own_new(CdIntegrator *it);
void cdi_alpha_own_cut(CdIntegrator *it);   // after sections or parts were found
void cdi_alpha_part_ways(CdIntegrator *it); // from here on the own arrays count
void cdi_alpha_unite(CdIntegrator *it);     // all numbers to where they can be seen by others
void cdi_alpha_show(CdIntegrator *it);      // now and old only
// what others have of now goes the way over edges, which parts show after a move, or after a
// prediction with a past; predicted: they show the end of the last step, from which s leads on
void cdi_alpha_show_edges(const CdIntegrator *it, int part);
void cdi_alpha_fetch(const CdIntegrator *it, int part);
void cdi_alpha_fetch_predicted(const CdIntegrator *it, const CdAlphaStep *s, int part);

// ---- what old derivatives miss (alpha_drift.c)
CdStatus cdi_alpha_drift_new(CdIntegrator *it);
void cdi_alpha_mend(CdIntegrator *it); // the increment in b, where steps are slow
void cdi_alpha_drift_judge(CdIntegrator *it, CdNewtonEffort effort); // after a step
void cdi_alpha_drift_forget(CdIntegrator *it);                       // new derivatives

// ---- of one step (gen_alpha_solve.c)
const CdiAlphaOps *cdi_alpha_ops(CdIsa isa); // NULL: not of this build or processor
// it->now to the end of the step, m->old and m->a_old to its beginning. Recoverable failures leave
// it->now where they happened: cdi_alpha_explain, then cdi_alpha_restore.
CdStatus cdi_alpha_solve(CdIntegrator *it, const CdAlphaStep *s);
void cdi_alpha_restore(CdIntegrator *it);
// before the first iteration of a step
void cdi_alpha_begin_newton(CdIntegrator *it, CdNewtonEffort effort);
// steps with the derivatives of now, of so many iterations each
void cdi_alpha_count(CdAlphaMemory *m, int64_t steps, int iterations);
void cdi_alpha_cut(CdIntegrator *it); // into sections or parts, after the operator was set up
void cdi_alpha_explain(CdIntegrator *it, const CdAlphaStep *s, CdStatus status, CdText *why);

#endif
