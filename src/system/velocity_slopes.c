// velocity_slopes.c - how constraints at velocity level change with positions
//
//   c' = J v + c_t of a joint reads its frames x and their twists V = X(q) v:
//
//   d c'/dq = dc'/dx X + dc'/dV dV/dq          at constant v
//
// Items on coordinates are linear in them: theirs is zero.
#include <string.h>

#include "system/link.h"
#include "system/tiles.h"

#define DIRECTIONS 12
#define GRAIN 16 // links per range of a thread

typedef struct Slopes {
    CdSystemWork *w;
    const CdPoint *at;
} Slopes;

static void slope_range(void *user, size_t begin, size_t end, int worker) {
    const Slopes *task = user;
    CdSystemWork *w = task->w;
    (void)worker;
    for (size_t n = begin; n < end; n++) {
        const int k = w->system->tiles->lone_joints.v[n];
        const CdSystemLink *l = &w->system->joints[k];
        double v[DIRECTIONS], cv[CD_JOINT_NC_MAX], J[CD_JOINT_NC_MAX * 2 * DIRECTIONS];
        cdi_link_twists(w, l, v);
        l->item->cls->joint->vel_jac(l->item->data, task->at->t, &w->frame[l->a], &w->frame[l->b],
                                     v, cv, J);
        for (int i = 0; i < l->nc; i++) {
            const double *row = &J[l->rows[i] * 2 * DIRECTIONS];
            double *out = &w->joint_K[k][i * l->n];
            cdi_link_rows(w, l, 1, row, DIRECTIONS, out);
            cdi_link_slope_rows(w, l, 1, row + DIRECTIONS, DIRECTIONS, out);
        }
    }
}

static void tile_range(void *user, size_t begin, size_t end, int worker) {
    const Slopes *task = user;
    (void)worker;
    cdi_tiles_speeds(task->w, task->at, begin, end);
}

CdStatus cdi_system_velocity_slopes(void *data, const CdPoint *at, double *Cq) {
    CdSystemWork *w = data;
    const CdSystem *s = w->system;
    Slopes task = {.w = w, .at = at};
    cdi_system_place_links(w, at->q, at->v, false);
    cd_parallel_for(w->pool, (size_t)s->tiles->njoints, CD_TILE_GRAIN, tile_range, &task);
    cd_parallel_for(w->pool, (size_t)s->tiles->lone_joints.n, GRAIN, slope_range, &task);
    memset(Cq, 0, (size_t)s->jpattern->nnz * sizeof *Cq);
    for (int k = 0; k < s->njoints; k++) {
        const CdSystemLink *l = &s->joints[k];
        for (int i = 0; i < l->nc * l->n; i++) Cq[l->jslots[i]] = w->joint_K[k][i];
    }
    return CD_OK;
}
