// tiles.simd.c - residuals of eight items, compiled once per instruction set
#include "math/turns.h"
#include "system/tile_lanes.h"

// ---- bodies

#define RIGID_NQ 7

// loops for the number that most bodies have
INLINE void gather_of(int used, const int most, int n, const double *x, const int *at, double *to) {
    if (n == most) {
        gather_at(used, most, x, at, to);
    } else {
        gather_at(used, n, x, at, to);
    }
}

INLINE void frames_of(int used, const CdBodyTile *tile, const double *q, CdFrame *body) {
    double f[FRAME * CD_TILE], x[RIGID_NQ * CD_TILE], nowhere[FRAME], *to[CD_TILE];
    gather_of(used, RIGID_NQ, tile->nq, q, tile->q0, x);
    tile->law->frame(used, tile->p, x, f);
    for (int l = 0; l < CD_TILE; l++) to[l] = l < tile->n ? body[tile->body[l]].p : nowhere;
    scatter(used, FRAME, f, to);
}

static void frames(const CdBodyTile *tile, const double *q, CdFrame *body) {
    BY_USE(tile, frames_of, q, body);
}

INLINE void inertia_of(int used, const CdBodyTile *tile, const double gravity[3], const double *v,
                       const double *vdot, double *r) {
    double x[6 * CD_TILE], rate[6 * CD_TILE], f[6 * CD_TILE], down[3 * CD_TILE];
    for (int i = 0; i < 3 * CD_TILE; i++) down[i] = gravity[i / CD_TILE];
    gather_of(used, TWIST, tile->nv, v, tile->v0, x);
    gather_of(used, TWIST, tile->nv, vdot, tile->v0, rate);
    tile->law->residual(used, tile->p, down, x, rate, f);
    if (tile->nv == TWIST) {
        scatter_at(used, TWIST, tile->n, f, tile->v0, r);
    } else {
        scatter_at(used, tile->nv, tile->n, f, tile->v0, r);
    }
}

static void inertia(const CdBodyTile *tile, const double gravity[3], const double *v,
                    const double *vdot, double *r) {
    BY_USE(tile, inertia_of, gravity, v, vdot, r);
}

// ---- links

INLINE void gather_rates(int used, const CdLinkTile *tile, const CdTileTask *task, const Pair *at,
                         double *out) {
    gather_twists(used, tile, task->rate, at, out);
    for (int k = 0; k < 2; k++) {
        double x[TWIST * CD_TILE];
        gather_moving(used, tile, task->twist, k, x);
        add_bias(used, at->body[k], tile->x + k * FRAME * CD_TILE, x, out + k * TWIST * CD_TILE);
    }
}

INLINE void scatter_wrenches(int used, int sides, const CdLinkTile *tile, const Pair *at,
                             const double *w, double (*sum)[12]) {
    Tile f;
    double nowhere[FRAME], *to[CD_TILE];
    for (int k = 0; k < sides; k++) {
        pull_by(used, 1, at->body[k], tile->x + k * FRAME * CD_TILE, w + k * TWIST * CD_TILE,
                f + k * TWIST * CD_TILE);
    }
    for (int l = 0; l < CD_TILE; l++) to[l] = l < tile->n ? sum[tile->link[l]] : nowhere;
    scatter(used, sides * TWIST, f, to);
}

// rows at a level: those in force, without the motions that they follow
INLINE void put_rows(int used, const CdLinkTile *tile, const CdTileTask *task, int level, double *c,
                     double *out) {
    pick_rows(tile, 1, c);
    for (int l = 0; tile->motion[0] && l < tile->n; l++) {
        double y[3];
        cdi_function_eval(tile->motion[l], task->t[l], y);
        c[l] -= y[level];
        if (tile->angle && level == 0) c[l] = remainder(c[l], CD_TWO_PI);
    }
    scatter_at(used, tile->size, tile->n, c, tile->at, out);
}

// J x' + gamma: vel is linear in speeds but for c_t
INLINE void accelerations(int used, const CdLinkTile *tile, const CdTileTask *task, const Pair *at,
                          const double *v, double *c) {
    const Tile still = {0};
    Tile rate, along, ct;
    const double *a = at->frame[0], *b = at->frame[1];
    gather_rates(used, tile, task, at, rate);
    tile->joint->acc(used, tile->p, task->t, a, b, v, c);
    tile->joint->vel(used, tile->p, task->t, a, b, rate, along);
    tile->joint->vel(used, tile->p, task->t, a, b, still, ct);
    for (int i = 0; i < tile->all; i++) {
        for (int l = CD_TILE * i; l < CD_TILE * i + used; l++) c[l] += along[l] - ct[l];
    }
}

INLINE void joint_speeds(int used, const CdLinkTile *tile, const CdTileTask *task, const Pair *at) {
    Tile v, c;
    gather_twists(used, tile, task->twist, at, v);
    if (task->velocity) {
        tile->joint->vel(used, tile->p, task->t, at->frame[0], at->frame[1], v, c);
        put_rows(used, tile, task, 1, c, task->velocity);
    }
    if (!task->acceleration) return;
    accelerations(used, tile, task, at, v, c);
    put_rows(used, tile, task, 2, c, task->acceleration);
}

INLINE void joint_of(int used, const CdLinkTile *tile, const CdTileTask *task) {
    Pair at;
    Tile c, w;
    gather_frames(used, 2, tile, task, &at);
    if (task->g) {
        tile->joint->value(used, tile->p, task->t, at.frame[0], at.frame[1], c);
        put_rows(used, tile, task, 0, c, task->g);
    }
    if (task->velocity || task->acceleration) joint_speeds(used, tile, task, &at);
    if (!task->sum) return;
    gather_lambda(used, tile, task, c);
    tile->joint->react(used, tile->p, task->t, at.frame[0], at.frame[1], c, w);
    scatter_wrenches(used, 2, tile, &at, w, task->sum);
}

static void joint(const CdLinkTile *tile, const CdTileTask *task) {
    BY_USE(tile, joint_of, task);
}

// w' of a marker about its z
INLINE void spin_rate(int used, const CdLinkTile *tile, const CdTileTask *task, int side,
                      double *out) {
    const double *R = ROTATION(tile->x + side * FRAME * CD_TILE);
    double rate[TWIST * CD_TILE];
    gather_moving(used, tile, task->rate, side, rate);
    for (int h = 0; h < used; h += CD_LANE_WIDTH) {
        const Lane33 Q = load33(R, h), C = transposed(&Q);
        lane_store(out + h, dot(C.row[2], load3(rate + 3 * CD_TILE, h)));
    }
}

// what it takes to speed up rotors, against the motion
INLINE void add_rotors(int used, const CdLinkTile *tile, const CdTileTask *task, double *w) {
    double a[CD_TILE], b[CD_TILE];
    spin_rate(used, tile, task, 0, a);
    spin_rate(used, tile, task, 1, b);
    for (int l = 0; l < used; l++) {
        const double torque = tile->inertia[l] * (b[l] - a[l]);
        w[5 * CD_TILE + l] += torque;
        w[11 * CD_TILE + l] -= torque;
    }
}

INLINE void force_of(int used, const CdLinkTile *tile, const CdTileTask *task) {
    Pair at;
    Tile v, w, memory;
    const void *items[CD_TILE];
    gather_frames(used, 2, tile, task, &at);
    gather_twists(used, tile, task->twist, &at, v);
    gather_at(used, tile->size, task->memory, tile->at, memory);
    gather_items(tile, task, items);
    const CdForceTile in = {used, task->t, at.frame[0], at.frame[1], v, memory, items};
    tile->force->value(tile->p, &in, w);
    if (tile->inertia) add_rotors(used, tile, task, w);
    scatter_wrenches(used, 2, tile, &at, w, task->sum);
}

// on one marker
INLINE void load_of(int used, const CdLinkTile *tile, const CdTileTask *task) {
    Pair at;
    Tile w;
    const void *items[CD_TILE];
    gather_frames(used, 1, tile, task, &at);
    gather_items(tile, task, items);
    const CdForceTile in = {.items = used, .t = task->t, .a = at.frame[0], .item = items};
    tile->force->value(tile->p, &in, w);
    scatter_wrenches(used, 1, tile, &at, w, task->sum);
}

static void force(const CdLinkTile *tile, const CdTileTask *task) {
    if (tile->sides == 1) {
        BY_USE(tile, load_of, task);
    } else {
        BY_USE(tile, force_of, task);
    }
}

INLINE void remember_of(int used, const CdLinkTile *tile, const CdTileTask *task, double *memory) {
    Pair at;
    Tile last, next;
    gather_frames(used, 2, tile, task, &at);
    gather_at(used, tile->size, task->memory, tile->at, last);
    const CdForceTile in = {
        .items = used, .t = task->t, .a = at.frame[0], .b = at.frame[1], .memory = last};
    tile->force->remember(&in, next);
    scatter_at(used, tile->size, tile->n, next, tile->at, memory);
}

static void remember(const CdLinkTile *tile, const CdTileTask *task, double *memory) {
    BY_USE(tile, remember_of, task, memory);
}

extern const CdTileOps CD_ISA_NAME(cdi_tile_ops);
const CdTileOps CD_ISA_NAME(cdi_tile_ops) = {
    .frames = frames, .inertia = inertia, .joint = joint, .force = force, .remember = remember};
