// system.h - a model assembled: numbers of coordinates, patterns, and everything as one CdProblem
//
// After cdi_system_new nothing changes: what does is a CdSystemWork, one per run and thread of
// control. Items write their own blocks, then rows sum blocks in the order of items, so any number
// of threads gives the same bits.
//
//   marker m on body b at (s, Q):   p_m = p + R s,  R_m = R Q,  twist_m = X J_b v
//
//       | I  -R [s]x |       twist_m' = X J_b v' + bias,   bias = (R (w x (w x s)); 0)
//   X = | 0   Q^T    |       d(X^T w)/d(directions of b) = | 0  0              |
//                                                          | 0  [s]x [R^T F]x  |  for w = (F, m)
#ifndef CARDAN_SYSTEM_SYSTEM_H
#define CARDAN_SYSTEM_SYSTEM_H

#include "base/pool.h"
#include "linalg/pattern.h"
#include "model/model.h"

#include "cardan/problem.h"

typedef struct CdSystemBody {
    const CdBodyLaw *law;
    const void *p;
    const CdItem *item;
    int q0, v0;                                 // first coordinate, first velocity
    int alike;                                  // bodies of its class from it on, one after another
    double J[6 * CD_BODY_NV_MAX];               // 6 x nv by rows
    int slots[CD_BODY_NV_MAX * CD_BODY_NV_MAX]; // nv x nv by rows, in the pattern
    double weight;
    bool plain; // J = I
} CdSystemBody;

// an item between two markers (or at one: b = -1)
typedef struct CdSystemLink {
    const CdItem *item;
    int a, b;                  // markers
    int na, n;                 // velocities of the first body, of both
    int v[2 * CD_BODY_NV_MAX]; // their numbers
    int nc, row0;              // joints: constraints in force, first row
    int rows[CD_JOINT_NC_MAX]; // of the kernel
    int *slots;                // n x n by rows, in the pattern of derivatives
    int *jslots;               // nc x n by rows, in the pattern of J
    int memory0;               // forces: first of their numbers of history
} CdSystemLink;

// a body that a joint with start values moves, itself or by the body before it
typedef struct CdSystemMove {
    int joint;
    bool to_b; // the body of marker b is moved, else that of marker a
} CdSystemMove;

// an item on single coordinates
typedef struct CdSystemCoordinates {
    const CdItem *item;
    int n;
    const int *q, *v;      // numbers of the coordinates and of their velocities
    int row;               // joints: their constraint; -1: a force
    int *slots;            // forces: n x n by rows, in the pattern of derivatives
    int *jslots;           // joints: n, in the pattern of J
    const double *factors; // and c = sum factors s - offset(t)
    const CdFunction *offset;
} CdSystemCoordinates;

typedef struct CdSystem {
    CdContext *ctx;
    CdArena arena;
    const CdModel *model;
    const struct CdSystem *base; // whose structure it shares; NULL: its own
    int nbodies, nmarkers, njoints, nforces;
    CdSystemBody *bodies;
    CdSystemLink *joints, *forces;
    int nmoves;
    CdSystemMove *moves;              // in the order in which they are made at the start
    int ncoordinates, ncouplings;     // items on coordinates, joints among them
    CdSystemCoordinates *coordinates; // joints first; forces on one before those between two
    struct CdSystemLines *lines;      // forces on coordinates that are linear (lines.h)
    struct CdSystemPlain *plain;      // NULL: frames are needed, or masses are not diagonal
    int nq, nv, ng;
    int nrotations; // of bodies, and the first velocity of each
    int *rotations;
    int nmemory;             // numbers of history, of all forces and signals
    CdPattern *pattern;      // nv x nv
    CdPattern *mass_pattern; // nv x nv, entries that pattern has too
    CdPattern *jpattern;     // ng x nv
    double *mass;            // on mass_pattern
    double gravity[3];
    const struct CdSystemTiles *tiles;       // items in tiles of eight (tiles.h)
    const struct CdSystemSections *sections; // NULL: none (tiles.h)
    struct CdSystemSignals *signals; // sensors that are read or computed; NULL: none (signals.h)
} CdSystem;

// is one of the joint's rows marked?
static inline bool cdi_link_marked(const CdSystemLink *joint, const bool *rows) {
    bool any = false;
    for (int i = 0; i < joint->nc; i++) any = any || rows[joint->row0 + i];
    return any;
}

CdStatus cdi_system_new(const CdModel *model, CdSystem **system);
void cdi_system_free(CdSystem *system); // NULL does nothing
// The same system with the numbers of a variant of its model (cdi_model_vary): numbering, patterns
// and places in them are shared with `base`, which must outlive it. A parameter that would change
// them is refused.
CdStatus cdi_system_vary(const CdSystem *base, const CdModel *variant, CdSystem **system);

// matrices that links find in one evaluation, before they are added; by rows
typedef double CdSystemBlock[4 * CD_BODY_NV_MAX * CD_BODY_NV_MAX];

// where evaluations put what they find; one per run
typedef struct CdSystemWork {
    const CdSystem *system;
    CdArena arena;
    CdPool *pool;  // NULL: one thread
    CdFrame *body; // reference frames
    double (*body_twist)[6];
    double (*body_rate)[6]; // J v'
    CdFrame *frame;         // of markers
    double (*twist)[6];
    double (*bias)[6];                // twist' without accelerations
    CdSystemBlock *joint_K;           // J of a joint, or its reaction's derivative to coordinates
    CdSystemBlock *force_K, *force_C; // derivatives to coordinates and velocities
    double *still;                    // zeros, nv
    double (*joint_sum)[2 * CD_BODY_NV_MAX], (*force_sum)[2 * CD_BODY_NV_MAX]; // X^T w of links
    double *coordinate; // of items on coordinates: s, s', f, J (n x 2n)
    const struct CdLineOps *line_ops;
    double *memory; // history of forces and signals; changes after accepted steps only
    // structs of forces, items on coordinates and sensors: the items' own, or copies whose
    // functions know what sensors read now
    const void **force_data, **coordinate_data, **sensor_data;
    struct CdSignalWork *signals; // NULL: none
    // asked before evaluations, now and then if they are short; true: one ends with CD_CANCELLED.
    // NULL: none does
    bool (*cancelled)(void *user);
    void *cancel_user;
    int unasked; // items that were evaluated since
} CdSystemWork;
CdStatus cdi_system_work_new(const CdSystem *system, CdPool *pool, CdSystemWork **work);
void cdi_system_work_free(CdSystemWork *work);
// from here on of a system that shares its structure; history stays
void cdi_system_work_use(CdSystemWork *work, const CdSystem *system);

// does it fall into so many islands that threads, which take some by themselves, have as much to
// do?
bool cdi_system_is_apart(const CdSystem *system);
// is it a chain of masses, which threads share with one hand-over per step (plain.c)?
bool cdi_plain_is_chain(const CdSystem *system);

// the start that fields of bodies and joints ask for, not made consistent
void cdi_system_start(const CdSystem *system, double *q, double *v);
// a CdProblem whose data is `work`; its history begins anew here
void cdi_system_problem(CdSystemWork *work, CdProblem *problem);
void cdi_system_restart(CdSystemWork *work); // forget the history

// frames and twists of all markers at a state; v NULL: frames only
void cdi_system_place(CdSystemWork *work, const double *q, const double *v);
typedef struct CdEnergy {
    double kinetic, gravity, elastic;
} CdEnergy;
CdEnergy cdi_system_energy(CdSystemWork *work, double t, const double *q, const double *v);
// largest violation of the constraints at position, velocity and acceleration level
void cdi_system_residuals(CdSystemWork *work, const CdPoint *at, double residual[3]);

#endif
