// velocity_slopes.c - how constraints at velocity level change with positions
//
//   c' = J v + c_t of a joint reads its frames x and their twists V = X(q) v:
//
//   d c'/dq = dc'/dx X + dc'/dV dV/dq          at constant v
//
// Items on coordinates are linear in them: theirs is zero.
#include <string.h>

#include "system/link.h"

#define DIRECTIONS 12
#define GRAIN 16 // links per range of a thread

typedef struct Slopes {
    CdSystemWork *w;
    double t;
} Slopes;

// out (n) = row of 24 numbers times (X; T), 12 x n each
static void chain(int n, const double *row, const double *X, const double *T, double *out) {
    for (int j = 0; j < n; j++) out[j] = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        const double x = row[k], v = row[DIRECTIONS + k];
        for (int j = 0; j < n; j++) out[j] += x * X[k * n + j] + v * T[k * n + j];
    }
}

static void slope_range(void *user, size_t begin, size_t end, int worker) {
    const Slopes *task = user;
    CdSystemWork *w = task->w;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        const CdSystemLink *l = &w->system->joints[k];
        double v[DIRECTIONS], cv[CD_JOINT_NC_MAX], J[CD_JOINT_NC_MAX * 2 * DIRECTIONS];
        double X[DIRECTIONS * DIRECTIONS], T[DIRECTIONS * DIRECTIONS];
        memcpy(v, w->twist[l->a], 6 * sizeof *v);
        memcpy(v + 6, w->twist[l->b], 6 * sizeof *v);
        l->item->cls->joint->vel_jac(l->item->data, task->t, &w->frame[l->a], &w->frame[l->b], v,
                                     cv, J);
        cdi_link_jacobian(w, l, X);
        cdi_link_twist_slope(w, l, T);
        for (int i = 0; i < l->nc; i++) {
            chain(l->n, &J[l->rows[i] * 2 * DIRECTIONS], X, T, &w->joint[k].K[i * l->n]);
        }
    }
}

CdStatus cdi_system_velocity_slopes(void *data, const CdPoint *at, double *Cq) {
    CdSystemWork *w = data;
    const CdSystem *s = w->system;
    Slopes task = {.w = w, .t = at->t};
    cdi_system_place(w, at->q, at->v);
    cd_parallel_for(w->pool, (size_t)s->njoints, GRAIN, slope_range, &task);
    memset(Cq, 0, (size_t)s->jpattern->nnz * sizeof *Cq);
    for (int k = 0; k < s->njoints; k++) {
        const CdSystemLink *l = &s->joints[k];
        for (int i = 0; i < l->nc * l->n; i++) Cq[l->jslots[i]] = w->joint[k].K[i];
    }
    return CD_OK;
}
