// derive.c - derivatives of forces and constraints of a system, as callbacks of a CdProblem
//
//   K = dr/dq = -sum (X^T W_x X + curvature(w)) + the same of w = J_c^T lambda, with a plus
//   C = dr/dv = -sum X^T W_v X - gyro_jac
//
// W are the derivatives of an item's law to the directions of its two frames. Every link first
// writes its own block (in any order, by any thread); then blocks are added link by link. Sections
// have links and columns of their own: there one thread does both.
#include <string.h>

#include "system/link.h"
#include "system/signals.h"
#include "system/tiles.h"

#define DIRECTIONS 12

// first number over rotations in a matrix over the directions of a body
#define ROTATIONS (DIRECTIONS / 2 * 3 + 3)

// links per range of a thread
#define GRAIN 16

typedef struct Task {
    CdSystemWork *w;
    const CdPoint *at;
    double *C, *K, *J; // NULL: not wanted
} Task;

// ---- blocks of links that are no tile's

// out (n x n) += sign X^T W X for W (6 or 12 by rows, ld apart) over directions; with V, that over
// their rates, sign X^T V T too: frames turn under constant speeds
static void add_moved(const CdSystemWork *w, const CdSystemLink *l, double sign, int ld,
                      const double *W, const double *V, double *out) {
    const int n = l->n;
    double B[DIRECTIONS * DIRECTIONS], column[DIRECTIONS] = {0}, moved[DIRECTIONS];
    // rows of bodies that move; what others would have is not asked for
    const int half = DIRECTIONS / 2;
    const int begin = l->na > 0 ? 0 : half, end = l->n > l->na ? DIRECTIONS : half;
    cdi_link_rows(w, l, end - begin, W + begin * ld, ld, B + begin * n);
    if (V) cdi_link_slope_rows(w, l, end - begin, V + begin * ld, ld, B + begin * n);
    for (int j = 0; j < n; j++) {
        for (int k = begin; k < end; k++) column[k] = B[k * n + j];
        cdi_link_force(w, l, column, moved);
        for (int i = 0; i < n; i++) out[i * n + j] += sign * moved[i];
    }
}

// the part of K that comes from frames turning under constant wrenches
static void add_curvature(const CdSystemWork *w, const CdSystemLink *l, double sign,
                          const double *wrench, double *K) {
    double turned[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; i++) turned[i] = sign * wrench[i];
    cdi_marker_curvature(w, l->a, turned, K, l->n);
    if (l->b >= 0) cdi_marker_curvature(w, l->b, turned + 6, K + l->na * (l->n + 1), l->n);
}

static void jacobian_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    CdSystemWork *w = task->w;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const int k = w->system->tiles->lone_joints.v[i];
        const CdSystemLink *l = &w->system->joints[k];
        double c[CD_JOINT_NC_MAX], J[CD_JOINT_NC_MAX * DIRECTIONS];
        l->item->cls->joint->jac(l->item->data, task->at->t, &w->frame[l->a],
                                 cdi_link_frame_b(w, l), c, J);
        for (int r = 0; r < l->nc; r++) {
            cdi_link_force(w, l, &J[l->rows[r] * DIRECTIONS], &w->joint_K[k][r * l->n]);
        }
    }
}

static void force_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    CdSystemWork *w = task->w;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const int k = w->system->tiles->lone_forces.v[i];
        const CdSystemLink *l = &w->system->forces[k];
        const CdForceLaw *law = l->item->cls->force;
        const int n = l->n, m = 6 * law->nmarkers;
        double v[DIRECTIONS], wrench[DIRECTIONS] = {0}, W[DIRECTIONS * 2 * DIRECTIONS];
        double *K = w->force_K[k], *C = w->force_C[k];
        const CdForceInput in = cdi_force_input(w, l, task->at->t, v);
        law->jac(w->force_data[k], &in, wrench, W);
        memset(K, 0, (size_t)(n * n) * sizeof *K);
        memset(C, 0, (size_t)(n * n) * sizeof *C);
        add_moved(w, l, -1, 2 * m, W, law->of_velocity ? W + m : NULL, K);
        add_curvature(w, l, -1, wrench, K);
        if (law->of_velocity) add_moved(w, l, -1, 2 * m, W + m, NULL, C);
    }
}

static void reaction_range(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    CdSystemWork *w = task->w;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const int k = w->system->tiles->lone_joints.v[i];
        const CdSystemLink *l = &w->system->joints[k];
        double lambda[CD_JOINT_NC_MAX], wrench[DIRECTIONS], W[DIRECTIONS * DIRECTIONS];
        double *K = w->joint_K[k];
        cdi_link_spread(l, task->at->lambda, lambda);
        l->item->cls->joint->react_jac(l->item->data, task->at->t, &w->frame[l->a],
                                       cdi_link_frame_b(w, l), lambda, wrench, W);
        memset(K, 0, (size_t)(l->n * l->n) * sizeof *K);
        add_moved(w, l, 1, DIRECTIONS, W, NULL, K);
        add_curvature(w, l, 1, wrench, K);
    }
}

// ---- and of tiles

static void jacobian_tiles(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    (void)worker;
    cdi_tiles_jacobian(task->w, task->at, begin, end);
}

static void force_tiles(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    (void)worker;
    cdi_tiles_forces(task->w, task->at, begin, end);
}

static void reaction_tiles(void *user, size_t begin, size_t end, int worker) {
    const Task *task = user;
    (void)worker;
    cdi_tiles_reactions(task->w, task->at, begin, end);
}

// ---- sums

static void add_blocks(const CdSystemLink *links, const CdSpan *span, int list,
                       CdSystemBlock *blocks, double *out) {
    for (int k = span->begin[list]; out && k < span->end[list]; k++) {
        const CdSystemLink *l = &links[k];
        for (int i = 0; i < l->n * l->n; i++) out[l->slots[i]] += blocks[k][i];
    }
}

static void add_gyro(const CdSystemWork *w, const CdSpan *span, const double *v, double *C) {
    const CdSystem *s = w->system;
    for (int i = span->begin[CD_SPAN_LONE_BODIES]; i < span->end[CD_SPAN_LONE_BODIES]; i++) {
        const CdSystemBody *b = &s->bodies[s->tiles->lone_bodies.v[i]];
        const int nv = b->law->nv;
        double f[CD_BODY_NV_MAX], J[CD_BODY_NV_MAX * CD_BODY_NV_MAX];
        if (!b->law->gyro) continue;
        b->law->gyro_jac(b->p, v + b->v0, f, J);
        for (int k = 0; k < nv * nv; k++) C[b->slots[k]] -= J[k];
    }
}

// of eight bodies: over their rotations
static void add_gyro_tiles(const CdSystemWork *w, const CdSpan *span, const double *v, double *C) {
    const CdSystemTiles *t = w->system->tiles;
    for (int i = span->begin[CD_SPAN_BODY_TILES]; i < span->end[CD_SPAN_BODY_TILES]; i++) {
        double J[9 * CD_TILE];
        if (!t->bodies[i].law->gyro_jac) continue;
        t->slopes->gyro(&t->bodies[i], v, J);
        for (int l = 0; l < t->bodies[i].n; l++) {
            const int *slots = w->system->bodies[t->bodies[i].body[l]].slots;
            for (int k = 0; k < 9; k++) {
                C[slots[ROTATIONS + k / 3 * DIRECTIONS / 2 + k % 3]] -= J[CD_TILE * k + l];
            }
        }
    }
}

// columns first ... end - 1 of a matrix
static void clear(const CdPattern *p, int first, int end, double *x) {
    if (x) memset(x + p->ptr[first], 0, (size_t)(p->ptr[end] - p->ptr[first]) * sizeof *x);
}

static void sum_forces(const Task *task, const CdSpan *span, int first, int end) {
    const CdSystemWork *w = task->w;
    const CdSystem *s = w->system;
    clear(s->pattern, first, end, task->C);
    clear(s->pattern, first, end, task->K);
    add_blocks(s->forces, span, CD_SPAN_FORCES, w->force_C, task->C);
    add_blocks(s->forces, span, CD_SPAN_FORCES, w->force_K, task->K);
    if (task->C) add_gyro_tiles(w, span, task->at->v, task->C);
    if (task->C) add_gyro(w, span, task->at->v, task->C);
}

static void sum_reactions(const Task *task, const CdSpan *span) {
    const CdSystemWork *w = task->w;
    add_blocks(w->system->joints, span, CD_SPAN_JOINTS, w->joint_K, task->K);
}

// every number of a joint has one, and no other
static void put_rows(const Task *task, const CdSpan *span) {
    const CdSystemWork *w = task->w;
    const CdSystem *s = w->system;
    for (int k = span->begin[CD_SPAN_JOINTS]; k < span->end[CD_SPAN_JOINTS]; k++) {
        const CdSystemLink *l = &s->joints[k];
        for (int i = 0; i < l->nc * l->n; i++) task->J[l->jslots[i]] = w->joint_K[k][i];
    }
}

// ---- everything, link by link in threads

static void share(Task *task, int tiles, CdRangeFn *of_tiles, int lone, CdRangeFn *of_lone) {
    const CdSpan all = cdi_span_of_all(task->w->system);
    cd_parallel_for(task->w->pool, (size_t)all.end[tiles], CD_TILE_GRAIN, of_tiles, task);
    cd_parallel_for(task->w->pool, (size_t)all.end[lone], GRAIN, of_lone, task);
}

static void derive_all(Task *task) {
    CdSystemWork *w = task->w;
    const CdSpan all = cdi_span_of_all(w->system);
    cdi_system_place_links(w, task->at->q, task->at->v, false);
    cdi_signals_force(w, task->at);
    share(task, CD_SPAN_FORCE_TILES, force_tiles, CD_SPAN_LONE_FORCES, force_range);
    sum_forces(task, &all, 0, w->system->nv);
    cdi_coordinates_derivatives(w, task->at, task->C, task->K);
    cdi_signals_derivatives(w, task->at, task->C, task->K);
    if (!task->K) return;
    share(task, CD_SPAN_JOINT_TILES, reaction_tiles, CD_SPAN_LONE_JOINTS, reaction_range);
    sum_reactions(task, &all);
}

static void find_rows(Task *task) {
    CdSystemWork *w = task->w;
    const CdSpan all = cdi_span_of_all(w->system);
    cdi_system_place_links(w, task->at->q, NULL, false);
    share(task, CD_SPAN_JOINT_TILES, jacobian_tiles, CD_SPAN_LONE_JOINTS, jacobian_range);
    clear(w->system->jpattern, 0, w->system->nv, task->J); // of coordinates too
    put_rows(task, &all);
    cdi_coordinates_rows(w, task->at, NULL, task->J, NULL, NULL);
}

// ---- section by section

static void run(Task *task, const CdSpan *span, int list, CdRangeFn *fn) {
    fn(task, (size_t)span->begin[list], (size_t)span->end[list], 0);
}

static void derive_sections(void *user, size_t begin, size_t end, int worker) {
    Task *task = user;
    const CdSystem *s = task->w->system;
    const CdSpan span = cdi_span_of_sections(s, (int)begin, (int)end);
    const int *v = s->sections->user.v;
    (void)worker;
    cdi_span_place(task->w, &span, task->at->q, task->at->v, false);
    run(task, &span, CD_SPAN_FORCE_TILES, force_tiles);
    run(task, &span, CD_SPAN_LONE_FORCES, force_range);
    sum_forces(task, &span, v[begin], v[end]);
    if (!task->K) return;
    run(task, &span, CD_SPAN_JOINT_TILES, reaction_tiles);
    run(task, &span, CD_SPAN_LONE_JOINTS, reaction_range);
    sum_reactions(task, &span);
}

static void find_rows_of_sections(void *user, size_t begin, size_t end, int worker) {
    Task *task = user;
    const CdSpan span = cdi_span_of_sections(task->w->system, (int)begin, (int)end);
    (void)worker;
    cdi_span_place(task->w, &span, task->at->q, NULL, false);
    run(task, &span, CD_SPAN_JOINT_TILES, jacobian_tiles);
    run(task, &span, CD_SPAN_LONE_JOINTS, jacobian_range);
    put_rows(task, &span);
}

static void run_sections(Task *task, CdRangeFn *fn) {
    cd_parallel_for(task->w->pool, (size_t)task->w->system->sections->user.n, 1, fn, task);
}

// ---- callbacks

CdStatus cdi_system_jacobian(void *data, const CdPoint *at, double *J) {
    CdSystemWork *w = data;
    Task task = {.w = w, .at = at, .J = J};
    if (w->system->sections) {
        run_sections(&task, find_rows_of_sections);
    } else {
        find_rows(&task);
    }
    return CD_OK;
}

CdStatus cdi_system_derivatives(void *data, const CdPoint *at, double *M, double *C, double *K) {
    CdSystemWork *w = data;
    const CdSystem *s = w->system;
    Task task = {.w = w, .at = at, .C = C, .K = K};
    if (M) cdi_system_masses(s, M);
    if (!C && !K) return CD_OK;
    if (cdi_system_cancelled(w)) return CD_CANCELLED;
    if (s->sections) {
        run_sections(&task, derive_sections);
    } else {
        derive_all(&task);
    }
    return CD_OK;
}
