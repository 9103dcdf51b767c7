// residual.c - what a Newton iteration asks for, from one placement of all bodies
//
//   r = M v' - gyro - weight - sum X^T w + sum X^T J_c^T lambda
//   c = g,   J_c x + c_t,   J_c x' + gamma          x: twists of the two markers of a joint
//
// M is taken body by body, and no Jacobian is formed: adc derives J_c^T lambda and J_c x as they
// stand. Rotors between bodies turn with I z.(w_b' - w_a') against their motion. Every link writes
// its own forces; then they are added link by link.
#include <string.h>

#include "system/link.h"
#include "system/signals.h"
#include "system/tiles.h"

#define DIRECTIONS 12

// links and tiles per range of a thread
#define GRAIN 32
#define TILE_GRAIN 8

typedef struct Task {
    CdSystemWork *w;
    const CdPoint *at;
    double *r, *g, *velocity, *acceleration;
    CdTileTask tiles;
    const CdLinkTile *tile; // of those that are run
    const CdLone *lone;     // links that are run
} Task;

// ---- bodies

// of a class without a residual of its own: M v' - gyro - weight from its parts
static void body_parts(const CdSystem *s, const CdSystemBody *b, const CdPoint *at, double *r) {
    const int nv = b->law->nv;
    double M[CD_BODY_NV_MAX * CD_BODY_NV_MAX], f[CD_BODY_NV_MAX] = {0};
    b->law->mass(b->p, M);
    if (b->law->gyro) b->law->gyro(b->p, at->v + b->v0, f);
    for (int i = 0; i < nv; i++) {
        for (int k = 0; k < 3; k++) f[i] += b->J[k * nv + i] * b->weight * s->gravity[k];
        r[i] = -f[i];
        for (int j = 0; j < nv; j++) r[i] += M[i * nv + j] * at->vdot[b->v0 + j];
    }
}

static void body_residuals(const CdSystem *s, const CdPoint *at, double *r) {
    const CdSystemTiles *t = s->tiles;
    for (int i = 0; i < t->nbodies; i++) {
        t->ops->inertia(&t->bodies[i], s->gravity, at->v, at->vdot, r);
    }
    for (int i = 0; i < t->lone_bodies.n; i++) {
        const CdSystemBody *b = &s->bodies[t->lone_bodies.v[i]];
        if (b->law->residual) {
            b->law->residual(b->p, s->gravity, at->v + b->v0, at->vdot + b->v0, r + b->v0);
        } else {
            body_parts(s, b, at, r + b->v0);
        }
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

static void force_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    CdSystemWork *w = task->w;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const int k = task->lone->v[i];
        const CdSystemLink *l = &w->system->forces[k];
        double v[DIRECTIONS], wrench[DIRECTIONS];
        const CdForceInput in = cdi_force_input(w, l, task->at->t, v);
        l->item->cls->force->value(w->force_data[k], &in, wrench);
        if (l->item->cls->force->inertia) add_rotor(w, l, task->at->vdot, wrench);
        cdi_link_force(w, l, wrench, w->force_sum[k]);
    }
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

static void joint_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    CdSystemWork *w = task->w;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const int k = task->lone->v[i];
        const CdSystemLink *l = &w->system->joints[k];
        double lambda[CD_JOINT_NC_MAX], wrench[DIRECTIONS];
        joint_rows(task, l);
        if (!task->r) continue;
        cdi_link_spread(l, task->at->lambda, lambda);
        l->item->cls->joint->react(l->item->data, task->at->t, &w->frame[l->a], &w->frame[l->b],
                                   lambda, wrench);
        cdi_link_force(w, l, wrench, w->joint_sum[k]);
    }
}

// ---- links one by one, in ranges

// f of some links, added
static void add_lone(const CdSystemLink *links, const int *v, int n, double sign,
                     double (*sum)[DIRECTIONS], double *r) {
    for (int i = 0; r && i < n; i++) add_link(&links[v[i]], sign, sum[v[i]], r);
}

// links write their forces by any thread, or some at a time, while these are in reach
static void run_lone(Task *task, const CdLone *lone, CdRangeFn *range, const CdSystemLink *links,
                     double sign, double (*sum)[DIRECTIONS]) {
    CdPool *pool = task->w->pool;
    task->lone = lone;
    if (cd_pool_workers(pool) > 1 && lone->n > GRAIN) {
        cd_parallel_for(pool, (size_t)lone->n, GRAIN, range, task);
        add_lone(links, lone->v, lone->n, sign, sum, task->r);
        return;
    }
    for (int begin = 0; begin < lone->n; begin += GRAIN) {
        const int end = lone->n - begin < GRAIN ? lone->n : begin + GRAIN;
        range(task, (size_t)begin, (size_t)end, 0);
        add_lone(links, lone->v + begin, end - begin, sign, sum, task->r);
    }
}

// ---- links in tiles

static void tile_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    const CdTileOps *ops = task->w->system->tiles->ops;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const CdLinkTile *tile = &task->tile[i];
        (tile->joint ? ops->joint : ops->force)(tile, &task->tiles);
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

static void add_tiles(const Task *task, int begin, int end, double sign) {
    const CdSystemBody *bodies = task->w->system->bodies;
    for (int k = begin; task->r && k < end; k++) {
        const CdLinkTile *tile = &task->tile[k];
        for (int l = 0; l < tile->n; l++) {
            const double *F = task->tiles.sum[tile->link[l]];
            for (int side = 0; side < 2; side++, F += 6) {
                const int v0 = tile->v0[side][l];
                if (v0 < 0) add_wrench(&bodies[tile->body[side][l]], sign, F, task->r);
                for (int i = 0; v0 >= 0 && i < 6; i++) task->r[v0 + i] += sign * F[i];
            }
        }
    }
}

static void run_tiles(Task *task, const CdLinkTile *tiles, int n, double sign,
                      double (*sum)[DIRECTIONS]) {
    CdPool *pool = task->w->pool;
    task->tile = tiles;
    task->tiles.sum = task->r ? sum : NULL;
    if (cd_pool_workers(pool) > 1 && n > TILE_GRAIN) {
        cd_parallel_for(pool, (size_t)n, TILE_GRAIN, tile_range, task);
        add_tiles(task, 0, n, sign);
        return;
    }
    for (int k = 0; k < n; k++) {
        tile_range(task, (size_t)k, (size_t)k + 1, 0);
        add_tiles(task, k, k + 1, sign);
    }
}

// ---- everything

// r without J^T lambda
static void add_forces(Task *task) {
    CdSystemWork *w = task->w;
    const CdSystem *s = w->system;
    const CdSystemTiles *t = s->tiles;
    cdi_signals_force(w, task->at);
    body_residuals(s, task->at, task->r);
    run_tiles(task, t->forces, t->nforces, -1, w->force_sum);
    run_lone(task, &t->lone_forces, force_range, s->forces, -1, w->force_sum);
    cdi_coordinates_force(w, task->at, -1, task->r);
}

static void find_rates(CdSystemWork *w, const double *vdot) {
    const CdSystem *s = w->system;
    for (int i = 0; i < s->nbodies; i++) cdi_body_twist(&s->bodies[i], vdot, w->body_rate[i]);
}

CdStatus cdi_system_residual(void *data, const CdPoint *at, double *r, double *g, double *velocity,
                             double *acceleration) {
    CdSystemWork *w = data;
    const CdSystem *s = w->system;
    Task task = {.w = w,
                 .at = at,
                 .r = r,
                 .g = g,
                 .velocity = velocity,
                 .acceleration = acceleration,
                 .tiles = cdi_tile_task(w, at)};
    task.tiles.g = g;
    task.tiles.velocity = velocity;
    task.tiles.acceleration = acceleration;
    if (cdi_system_cancelled(w)) return CD_CANCELLED;
    cdi_system_place_links(w, at->q, r || velocity || acceleration ? at->v : NULL, acceleration);
    if (acceleration) find_rates(w, at->vdot);
    if (r) add_forces(&task);
    run_tiles(&task, s->tiles->joints, s->tiles->njoints, 1, w->joint_sum);
    run_lone(&task, &s->tiles->lone_joints, joint_range, s->joints, 1, w->joint_sum);
    cdi_coordinates_levels(w, at, r, g, velocity, acceleration);
    return CD_OK;
}
