// residual.c - what a Newton iteration asks for, from one placement of all bodies
//
//   r = M v' - gyro - weight - sum X^T w + sum X^T J_c^T lambda
//   c = g,   J_c x + c_t,   J_c x' + gamma          x: twists of the two markers of a joint
//
// M is taken body by body, and no Jacobian is formed: adc derives J_c^T lambda and J_c x as they
// stand. Rotors between bodies turn with I z.(w_b' - w_a') against their motion. Every link writes
// its own forces; then they are added link by link. Threads first share the links, then the bodies,
// and add to each of these what links do to it in the same order.
#include <string.h>

#include "system/lines.h"
#include "system/link.h"
#include "system/signals.h"
#include "system/tiles.h"

#define DIRECTIONS 12

// links whose forces are in reach at once
#define GRAIN 32

typedef struct Task {
    CdSystemWork *w;
    const CdPoint *at;
    double *r, *g, *velocity, *acceleration;
    CdTileTask force_tiles, joint_tiles;
    bool without_joints; // no reactions, no constraints
    bool forces, joints; // what is added to bodies
} Task;

// ---- bodies

static void tile_residual(const CdSystem *s, const CdPoint *at, const CdBodyTile *tile, double *r) {
    s->tiles->ops->inertia(tile, s->gravity, at->v, at->vdot, r);
}

static void lone_residual(const CdSystem *s, const CdPoint *at, const CdSystemBody *b, double *r) {
    b->law->residual(b->p, s->gravity, at->v + b->v0, at->vdot + b->v0, r + b->v0);
}

static void body_residuals(const CdSystem *s, const CdPoint *at, double *r) {
    const CdSystemTiles *t = s->tiles;
    for (int i = 0; i < t->nbodies; i++) tile_residual(s, at, &t->bodies[i], r);
    for (int i = 0; i < t->lone_bodies.n; i++) {
        lone_residual(s, at, &s->bodies[t->lone_bodies.v[i]], r);
    }
}

// ---- links one by one

static void add_link(const CdSystemLink *l, double sign, const double *f, double *r) {
    for (int i = 0; i < l->n; i++) r[l->v[i]] += sign * f[i];
}

// w' of a marker about its z
static double spin_rate(const CdSystemWork *w, int marker, const double *vdot) {
    const CdFrame *offset = &w->system->model->markers.v[marker].offset;
    double rate[6];
    cdi_body_twist(cdi_marker_body(w, marker), vdot, rate);
    return offset->R[2] * rate[3] + offset->R[5] * rate[4] + offset->R[8] * rate[5];
}

// what it takes to speed up a rotor, against the motion
static void add_rotor(const CdSystemWork *w, const CdSystemLink *l, const double *vdot,
                      double wrench[DIRECTIONS]) {
    const double inertia = l->item->cls->force->inertia(l->item->data);
    const double torque = inertia * (spin_rate(w, l->b, vdot) - spin_rate(w, l->a, vdot));
    wrench[5] += torque;
    wrench[11] -= torque;
}

static void force_link(const Task *task, int k) {
    CdSystemWork *w = task->w;
    const CdSystemLink *l = &w->system->forces[k];
    double v[DIRECTIONS], wrench[DIRECTIONS];
    const CdForceInput in = cdi_force_input(w, l, task->at->t, v);
    l->item->cls->force->value(w->force_data[k], &in, wrench);
    if (l->item->cls->force->inertia) add_rotor(w, l, task->at->vdot, wrench);
    cdi_link_force(w, l, wrench, w->force_sum[k]);
}

// twist' of a marker
static void marker_rate(const CdSystemWork *w, int marker, double out[6]) {
    const CdMarker *m = &w->system->model->markers.v[marker];
    cdi_marker_twist(&w->body[m->body], &m->offset, w->body_rate[m->body], out);
    for (int i = 0; i < 3; i++) out[i] += w->bias[marker][i]; // it has no other part
}

// J x' + gamma: vel is linear in speeds but for c_t
static void acceleration_rows(const CdSystemWork *w, const CdSystemLink *l, const CdPoint *at,
                              const double v[DIRECTIONS], double *c) {
    static const double still[DIRECTIONS] = {0};
    const CdJointLaw *law = l->item->cls->joint;
    const CdFrame *a = &w->frame[l->a], *b = &w->frame[l->b];
    double rate[DIRECTIONS], along[CD_JOINT_NC_MAX], ct[CD_JOINT_NC_MAX];
    marker_rate(w, l->a, rate);
    marker_rate(w, l->b, rate + 6);
    law->acc(l->item->data, at->t, a, b, v, c);
    law->vel(l->item->data, at->t, a, b, rate, along);
    law->vel(l->item->data, at->t, a, b, still, ct);
    for (int i = 0; i < law->nc; i++) c[i] += along[i] - ct[i];
}

static void joint_rows(const Task *task, const CdSystemLink *l) {
    const CdSystemWork *w = task->w;
    const CdPoint *at = task->at;
    const CdJointLaw *law = l->item->cls->joint;
    const CdFrame *a = &w->frame[l->a], *b = &w->frame[l->b];
    double c[CD_JOINT_NC_MAX], v[DIRECTIONS];
    if (task->g) {
        law->value(l->item->data, at->t, a, b, c);
        cdi_link_pick(l, c, task->g);
    }
    if (!task->velocity && !task->acceleration) return;
    cdi_link_twists(w, l, v);
    if (task->velocity) {
        law->vel(l->item->data, at->t, a, b, v, c);
        cdi_link_pick(l, c, task->velocity);
    }
    if (!task->acceleration) return;
    acceleration_rows(w, l, at, v, c);
    cdi_link_pick(l, c, task->acceleration);
}

static void joint_link(const Task *task, int k) {
    CdSystemWork *w = task->w;
    const CdSystemLink *l = &w->system->joints[k];
    double lambda[CD_JOINT_NC_MAX], wrench[DIRECTIONS];
    joint_rows(task, l);
    if (!task->r) return;
    cdi_link_spread(l, task->at->lambda, lambda);
    l->item->cls->joint->react(l->item->data, task->at->t, &w->frame[l->a], &w->frame[l->b], lambda,
                               wrench);
    cdi_link_force(w, l, wrench, w->joint_sum[k]);
}

// ---- by one thread: what links do is added while it is in reach

// some at a time
static void run_lone(const Task *task, const CdLone *lone, void (*link)(const Task *, int),
                     const CdSystemLink *links, double sign, double (*sum)[DIRECTIONS]) {
    for (int begin = 0; begin < lone->n; begin += GRAIN) {
        const int end = lone->n - begin < GRAIN ? lone->n : begin + GRAIN;
        for (int i = begin; i < end; i++) link(task, lone->v[i]);
        for (int i = begin; task->r && i < end; i++) {
            add_link(&links[lone->v[i]], sign, sum[lone->v[i]], task->r);
        }
    }
}

static void run_tile(const Task *task, const CdLinkTile *tile) {
    const CdTileOps *ops = task->w->system->tiles->ops;
    if (tile->joint) {
        ops->joint(tile, &task->joint_tiles);
    } else {
        ops->force(tile, &task->force_tiles);
    }
}

// r += sign J^T F
static void add_wrench(const CdSystemBody *b, double sign, const double F[6], double *r) {
    const int nv = b->law->nv;
    for (int j = 0; j < nv; j++) {
        double f = 0;
        for (int i = 0; i < 6; i++) f += b->J[i * nv + j] * F[i];
        r[b->v0 + j] += sign * f;
    }
}

static void add_tile(const Task *task, const CdLinkTile *tile, double sign,
                     double (*sum)[DIRECTIONS]) {
    const CdSystemBody *bodies = task->w->system->bodies;
    for (int l = 0; l < tile->n; l++) {
        const double *F = sum[tile->link[l]];
        for (int side = 0; side < tile->sides; side++, F += 6) {
            const int v0 = tile->v0[side][l];
            if (v0 < 0) add_wrench(&bodies[tile->body[side][l]], sign, F, task->r);
            for (int i = 0; v0 >= 0 && i < 6; i++) task->r[v0 + i] += sign * F[i];
        }
    }
}

static void run_tiles(const Task *task, const CdLinkTile *tiles, int n, double sign,
                      double (*sum)[DIRECTIONS]) {
    for (int k = 0; k < n; k++) {
        run_tile(task, &tiles[k]);
        if (task->r) add_tile(task, &tiles[k], sign, sum);
    }
}

// r without J^T lambda
static void add_forces(const Task *task) {
    CdSystemWork *w = task->w;
    const CdSystem *s = w->system;
    const CdSystemTiles *t = s->tiles;
    body_residuals(s, task->at, task->r);
    run_tiles(task, t->forces, t->nforces, -1, w->force_sum);
    run_lone(task, &t->lone_forces, force_link, s->forces, -1, w->force_sum);
    cdi_coordinates_force(w, task->at, -1, task->r);
}

static void run_alone(const Task *task) {
    CdSystemWork *w = task->w;
    const CdSystem *s = w->system;
    if (task->r) add_forces(task);
    if (task->without_joints) return;
    run_tiles(task, s->tiles->joints, s->tiles->njoints, 1, w->joint_sum);
    run_lone(task, &s->tiles->lone_joints, joint_link, s->joints, 1, w->joint_sum);
}

// ---- by threads

static void share_tiles(const Task *task, const CdLinkTile *tiles, int n, size_t begin,
                        size_t end) {
    for (int i = cdi_share(n, begin); i < cdi_share(n, end); i++) run_tile(task, &tiles[i]);
}

static void share_lone(const Task *task, const CdLone *lone, size_t begin, size_t end,
                       void (*link)(const Task *, int)) {
    for (int i = cdi_share(lone->n, begin); i < cdi_share(lone->n, end); i++) {
        link(task, lone->v[i]);
    }
}

static void link_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    const CdSystemTiles *t = task->w->system->tiles;
    (void)worker;
    if (task->r) share_tiles(task, t->forces, t->nforces, begin, end);
    if (task->r) share_lone(task, &t->lone_forces, begin, end, force_link);
    if (task->without_joints) return;
    share_tiles(task, t->joints, t->njoints, begin, end);
    share_lone(task, &t->lone_joints, begin, end, joint_link);
}

static void add_pulls(const Task *task, int body) {
    const CdSystemWork *w = task->w;
    const CdSystemTiles *t = w->system->tiles;
    if (task->forces) {
        cdi_pulls_add(w->system, &t->pulls_of_forces, body, -1, w->force_sum[0], task->r);
    }
    if (task->joints) {
        cdi_pulls_add(w->system, &t->pulls_of_joints, body, 1, w->joint_sum[0], task->r);
    }
}

static void body_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    const CdSystem *s = task->w->system;
    const CdSystemTiles *t = s->tiles;
    const CdLone *lone = &t->lone_bodies;
    (void)worker;
    for (int i = cdi_share(t->nbodies, begin); i < cdi_share(t->nbodies, end); i++) {
        const CdBodyTile *tile = &t->bodies[i];
        if (task->forces) tile_residual(s, task->at, tile, task->r);
        for (int l = 0; l < tile->n; l++) add_pulls(task, tile->body[l]);
    }
    for (int i = cdi_share(lone->n, begin); i < cdi_share(lone->n, end); i++) {
        if (task->forces) lone_residual(s, task->at, &s->bodies[lone->v[i]], task->r);
        add_pulls(task, lone->v[i]);
    }
}

// items on coordinates have their turn between forces and joints
static void run_shared(Task *task) {
    CdSystemWork *w = task->w;
    const CdSystemLines *lines = w->system->lines;
    const bool apart = lines->n > 0 || lines->nother > 0 || lines->pushes;
    cdi_run_shares(w->pool, link_range, task);
    if (!task->r) return;
    task->forces = true;
    task->joints = !apart && !task->without_joints;
    cdi_run_shares(w->pool, body_range, task);
    if (!apart) return;
    cdi_coordinates_force(w, task->at, -1, task->r);
    if (task->without_joints) return;
    task->forces = false;
    task->joints = true;
    cdi_run_shares(w->pool, body_range, task);
}

// ---- everything

static void find_rates(CdSystemWork *w, const double *vdot) {
    const CdSystem *s = w->system;
    for (int i = 0; i < s->nbodies; i++) cdi_body_twist(&s->bodies[i], vdot, w->body_rate[i]);
}

static void run(Task *task) {
    if (cdi_worth_sharing(task->w)) {
        run_shared(task);
    } else {
        run_alone(task);
    }
}

// what is left of r at acceleration zero and without reactions, with its sign turned
CdStatus cdi_system_force(void *data, const CdPoint *at, double *f) {
    CdSystemWork *w = data;
    CdPoint still = *at;
    still.vdot = w->still;
    Task task = {
        .w = w, .at = &still, .r = f, .force_tiles = cdi_tile_task(w, at), .without_joints = true};
    task.force_tiles.sum = w->force_sum;
    if (cdi_system_cancelled(w)) return CD_CANCELLED;
    cdi_system_place_links(w, at->q, at->v, false);
    if (w->system->tiles->spins) find_rates(w, still.vdot);
    cdi_signals_force(w, at);
    run(&task);
    for (int i = 0; i < w->system->nv; i++) f[i] = -f[i];
    return CD_OK;
}

CdStatus cdi_system_residual(void *data, const CdPoint *at, double *r, double *g, double *velocity,
                             double *acceleration) {
    CdSystemWork *w = data;
    Task task = {.w = w,
                 .at = at,
                 .r = r,
                 .g = g,
                 .velocity = velocity,
                 .acceleration = acceleration,
                 .force_tiles = cdi_tile_task(w, at)};
    task.joint_tiles = task.force_tiles;
    task.joint_tiles.g = g;
    task.joint_tiles.velocity = velocity;
    task.joint_tiles.acceleration = acceleration;
    task.force_tiles.sum = w->force_sum;
    task.joint_tiles.sum = r ? w->joint_sum : NULL;
    if (cdi_system_cancelled(w)) return CD_CANCELLED;
    cdi_system_place_links(w, at->q, r || velocity || acceleration ? at->v : NULL, acceleration);
    if (acceleration || (r && w->system->tiles->spins)) find_rates(w, at->vdot);
    if (r) cdi_signals_force(w, at);
    run(&task);
    cdi_coordinates_levels(w, at, r, g, velocity, acceleration);
    return CD_OK;
}
