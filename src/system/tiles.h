// tiles.h - inside system/: items of one class in tiles of eight, evaluated in lanes
//
// What does not change stands in the tile, element k of item l at [8*k + l]: parameters and places
// of markers. What does is gathered from arrays by bodies, and forces are left link by link, so
// that their sum depends neither on the instruction set nor on threads. Lanes of a tile that are
// left over repeat its last item and write nowhere.
#ifndef CARDAN_SYSTEM_TILES_H
#define CARDAN_SYSTEM_TILES_H

#include "ad/lanes.h"
#include "items/lanes.h"
#include "system/system.h"

_Static_assert(CDI_TILE == CD_TILE, "items and lanes agree on how many make a tile");

typedef struct CdBodyTile {
    const CdBodyLanes *law;
    int nq, nv;        // of one
    int n;             // bodies
    int body[CD_TILE]; // their numbers
    int q0[CD_TILE], v0[CD_TILE];
    double *p;
} CdBodyTile;

typedef struct CdLinkTile {
    const CdJointLanes *joint; // NULL: a force
    const CdForceLanes *force;
    int sides;                 // 2, of loads 1: marker a only
    int n;                     // links
    int link[CD_TILE];         // their numbers
    int body[2][CD_TILE];      // of marker a and b
    int v0[2][CD_TILE];        // first velocity of a rigid body; -1: another body
    int at[CD_TILE];           // first constraint, or first number of history
    int size;                  // constraints, or numbers of history, of one
    int rows[CD_JOINT_NC_MAX]; // of the kernel, that are its constraints, the same for all
    int all;                   // rows of the kernel
    // joints that follow functions of time: these, of each what its row is to be; NULL: none
    const CdFunction *motion[CD_TILE];
    bool angle;      // modulo 2 pi
    double *inertia; // of rotors between bodies (CdForceLaw.inertia); NULL: none
    double *x;       // markers in their bodies, 2 x 12 elements
    double *p;
} CdLinkTile;

// items that are evaluated one by one
typedef struct CdLone {
    int n;
    int *v;
} CdLone;

// what links do to bodies, body by body in the order in which one thread adds it (pulls.c)
typedef struct CdPull {
    int at;    // of its first number in the sums of links
    bool lone; // over velocities of the body, else a wrench on its frame
} CdPull;
typedef struct CdPulls {
    int *begin; // of every body, one more
    CdPull *v;
} CdPulls;

typedef struct CdTileOps CdTileOps;
typedef struct CdSlopeOps CdSlopeOps;

typedef struct CdSystemTiles {
    const CdTileOps *ops;
    const CdSlopeOps *slopes;
    int nbodies, njoints, nforces;
    CdBodyTile *bodies;
    CdLinkTile *joints, *forces;
    CdLone lone_bodies, lone_joints, lone_forces; // without bodies that never move
    CdLone markers;                               // of lone joints and forces
    bool spins; // some tile of forces has inertia: it reads twist'
    CdPulls pulls_of_forces, pulls_of_joints;
} CdSystemTiles;

// what links read and where they write; NULL: not wanted
typedef struct CdTileTask {
    double t[CD_TILE];
    const CdFrame *body;
    double (*twist)[6], (*rate)[6]; // of bodies, and twist'
    const double *lambda, *memory;
    const void *const *item; // structs of forces
    double *g, *velocity, *acceleration;
    double (*sum)[12]; // of every link: wrenches on the frames of its two bodies
} CdTileTask;

struct CdTileOps {
    void (*frames)(const CdBodyTile *tile, const double *q, CdFrame *body);
    void (*inertia)(const CdBodyTile *tile, const double gravity[3], const double *v,
                    const double *vdot, double *r);
    void (*joint)(const CdLinkTile *tile, const CdTileTask *task);
    void (*force)(const CdLinkTile *tile, const CdTileTask *task);
    void (*remember)(const CdLinkTile *tile, const CdTileTask *task, double *memory);
};
// derivatives over the 12 directions of the two bodies of every link, or the 6 of one, by rows: J
// of a joint, that of J v + c_t, K of its reaction, K and C of minus a force; one matrix per lane
// in use
struct CdSlopeOps {
    void (*jacobian)(const CdLinkTile *tile, const CdTileTask *task, double *const *J);
    void (*speed)(const CdLinkTile *tile, const CdTileTask *task, double *const *J);
    void (*reaction)(const CdLinkTile *tile, const CdTileTask *task, double *const *K);
    void (*force)(const CdLinkTile *tile, const CdTileTask *task, double *const *K,
                  double *const *C);
    // of the moments of bodies over their angular velocities, 3 x 3 elements
    void (*gyro)(const CdBodyTile *tile, const double *v, double *J);
};
const CdSlopeOps *cdi_slope_ops(CdIsa isa);
const CdTileOps *cdi_tile_ops(CdIsa isa); // NULL: this processor or build has not these

// after numbers of bodies and links are known; min: items of one class that are worth a tile
CdStatus cdi_tiles_new(CdSystem *s, CdIsa isa, int min);

CdStatus cdi_pulls_find(CdSystem *s, CdSystemTiles *t);
// r += sign sum of what links do to a body; their sums one after another
void cdi_pulls_add(const CdSystem *s, const CdPulls *pulls, int body, double sign,
                   const double *sums, double *r);

// ---- some of all items

// begins and ends in every list: bodies, body tiles, ...
enum {
    CD_SPAN_BODIES,
    CD_SPAN_BODY_TILES,
    CD_SPAN_LONE_BODIES,
    CD_SPAN_MARKERS,
    CD_SPAN_JOINTS,
    CD_SPAN_JOINT_TILES,
    CD_SPAN_LONE_JOINTS,
    CD_SPAN_FORCES,
    CD_SPAN_FORCE_TILES,
    CD_SPAN_LONE_FORCES,
    CD_SPANS
};
typedef struct CdSpan {
    int begin[CD_SPANS], end[CD_SPANS];
} CdSpan;
void cdi_span_sizes(const CdSystem *s, int n[CD_SPANS]);
// shares begin ... end - 1 of all lists, see below
CdSpan cdi_span_of_shares(const CdSystem *s, size_t begin, size_t end);
static inline CdSpan cdi_span_of_all(const CdSystem *s) {
    CdSpan all = {.begin = {0}};
    cdi_span_sizes(s, all.end);
    return all;
}
// frames and twists of the bodies of a span, and of markers of links that stand in no tile
void cdi_span_place(CdSystemWork *w, const CdSpan *span, const double *q, const double *v,
                    bool bias);

// Islands, as many in a row as it takes to have tiles of their own (sections.c); NULL: there is
// only one, or something knows all bodies
typedef struct CdSystemSections {
    CdSections user;
    int (*begin)[CD_SPANS]; // n + 1
    int islands;
} CdSystemSections;
CdStatus cdi_system_sections_find(CdSystem *s);
CdSpan cdi_span_of_sections(const CdSystem *s, int first, int end);
// callbacks of CdSections
void cdi_system_sections_residual(void *data, int first, int end, const CdPoint *at, double *r,
                                  double *g, double *velocity, double *acceleration);
void cdi_system_sections_retract(void *data, int first, int end, const double *q,
                                 const double *delta, double *out);
void cdi_system_sections_normalise(void *data, int first, int end, double *q);
void cdi_system_sections_step_end(void *data, int first, int end, const CdPoint *at);

// ---- work that is shared

// What is worth another thread, in tiles of links, each some 0.2 us
#define CD_SHARED_TILES 4
// Every list is cut into CD_SHARES alike, of which a worker takes some in a row, the same ones of
// all lists, so that in all phases of an evaluation a thread meets the items that it has in its
// cache. Begin of share k; that of the last one's successor is the end.
#define CD_SHARES 256
static inline int cdi_share(int n, size_t k) {
    return (int)((size_t)n * k / CD_SHARES);
}
static inline void cdi_run_shares(CdPool *pool, CdRangeFn *fn, void *user) {
    cd_parallel_for(pool, CD_SHARES, 1, fn, user);
}
// are there threads, and so many bodies and links that they help?
bool cdi_worth_sharing(const CdSystemWork *w);

// ---- derivatives of links in tiles (slopes.c), after bodies were placed with twists: K of the
// block of a joint is its J, the slope of J v + c_t or of its reaction, over the velocities of its
// bodies; K and C of that of a force those of minus the force. Tiles begin ... end - 1
#define CD_TILE_GRAIN 4 // of them, per range of a thread
void cdi_tiles_jacobian(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end);
void cdi_tiles_speeds(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end);
void cdi_tiles_reactions(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end);
void cdi_tiles_forces(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end);
CdTileTask cdi_tile_task(const CdSystemWork *w, const CdPoint *at); // nothing is wanted yet

#endif
