// slopes.c - derivatives of links in tiles, as blocks over velocities of their bodies; history
//
//   G J_L,  J_L^T K J_L        J_L = diag(J_a, J_b): 12 x n, columns of 1 for rigid bodies
//
// Tiles give 12 directions, of loads 6; bodies in the plane or fixed ones have fewer velocities.
#include <string.h>

#include "system/tiles.h"

#define N 12

CdTileTask cdi_tile_task(const CdSystemWork *w, const CdPoint *at) {
    CdTileTask task = {.body = w->body,
                       .twist = w->body_twist,
                       .rate = w->body_rate,
                       .lambda = at->lambda,
                       .memory = w->memory,
                       .item = w->force_data};
    for (int l = 0; l < CD_TILE; l++) task.t[l] = at->t;
    return task;
}

// ---- from directions to velocities, in place

// out = J^T F of the bodies of a link, numbers of F `step` apart
static void to_velocities(const CdSystem *s, const CdLinkTile *tile, int lane, int step,
                          const double *F, double *out) {
    for (int side = 0; side < tile->sides; side++, F += 6 * step) {
        const CdSystemBody *b = &s->bodies[tile->body[side][lane]];
        const int nv = b->law->nv;
        for (int j = 0; j < nv; j++) {
            double f = 0;
            for (int k = 0; k < 6; k++) f += b->J[k * nv + j] * F[k * step];
            *out++ = f;
        }
    }
}

static void reduce_columns(const CdSystem *s, const CdLinkTile *tile, int lane, int rows, int n,
                           double *A) {
    for (int i = 0; i < rows; i++) {
        double row[N];
        to_velocities(s, tile, lane, 1, A + 6 * tile->sides * i, row);
        memcpy(A + n * i, row, (size_t)n * sizeof *A);
    }
}

static void reduce_rows(const CdSystem *s, const CdLinkTile *tile, int lane, int n, double *A) {
    for (int j = 0; j < n; j++) {
        double column[N];
        to_velocities(s, tile, lane, n, A + j, column);
        for (int i = 0; i < n; i++) A[n * i + j] = column[i];
    }
}

// a rigid body against one that does not move: the part of the other
static bool is_half(const CdLinkTile *tile, int lane, const CdSystemLink *link) {
    return tile->sides == 2 && link->n == 6 && (tile->v0[0][lane] >= 0 || tile->v0[1][lane] >= 0);
}

static void take_half(int rows, int first_row, int side, double *A) {
    for (int i = 0; i < rows; i++) {
        memmove(A + 6 * i, A + N * (first_row + i) + 6 * side, 6 * sizeof *A);
    }
}

static bool is_whole(const CdLinkTile *tile, int lane) {
    return tile->v0[0][lane] >= 0 && (tile->sides == 1 || tile->v0[1][lane] >= 0);
}

static void reduce_rectangle(const CdSystem *s, const CdLinkTile *tile, int lane,
                             const CdSystemLink *link, double *G) {
    if (is_whole(tile, lane)) return;
    if (is_half(tile, lane, link)) {
        take_half(link->nc, 0, link->na == 0, G);
        return;
    }
    reduce_columns(s, tile, lane, link->nc, link->n, G);
}

static void reduce_square(const CdSystem *s, const CdLinkTile *tile, int lane,
                          const CdSystemLink *link, double *K) {
    if (is_whole(tile, lane)) return;
    if (is_half(tile, lane, link)) {
        take_half(6, link->na == 0 ? 6 : 0, link->na == 0, K);
        return;
    }
    reduce_columns(s, tile, lane, 6 * tile->sides, link->n, K);
    reduce_rows(s, tile, lane, link->n, K);
}

// ---- tiles begin ... end - 1

static void joint_blocks(const CdSystemWork *w, const CdLinkTile *tile, double *K[CD_TILE]) {
    for (int l = 0; l < tile->n; l++) K[l] = w->joint_K[tile->link[l]];
}

static void find_rows(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end,
                      void (*rows)(const CdLinkTile *, const CdTileTask *, double *const *)) {
    const CdSystem *s = w->system;
    const CdTileTask task = cdi_tile_task(w, at);
    for (size_t i = begin; i < end; i++) {
        const CdLinkTile *tile = &s->tiles->joints[i];
        double *G[CD_TILE];
        joint_blocks(w, tile, G);
        rows(tile, &task, G);
        for (int l = 0; l < tile->n; l++) {
            reduce_rectangle(s, tile, l, &s->joints[tile->link[l]], G[l]);
        }
    }
}

void cdi_tiles_jacobian(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end) {
    find_rows(w, at, begin, end, w->system->tiles->slopes->jacobian);
}

void cdi_tiles_speeds(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end) {
    find_rows(w, at, begin, end, w->system->tiles->slopes->speed);
}

void cdi_tiles_reactions(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end) {
    const CdSystem *s = w->system;
    const CdTileTask task = cdi_tile_task(w, at);
    for (size_t i = begin; i < end; i++) {
        const CdLinkTile *tile = &s->tiles->joints[i];
        double *K[CD_TILE];
        joint_blocks(w, tile, K);
        s->tiles->slopes->reaction(tile, &task, K);
        for (int l = 0; l < tile->n; l++) {
            reduce_square(s, tile, l, &s->joints[tile->link[l]], K[l]);
        }
    }
}

void cdi_tiles_forces(CdSystemWork *w, const CdPoint *at, size_t begin, size_t end) {
    const CdSystem *s = w->system;
    const CdTileTask task = cdi_tile_task(w, at);
    for (size_t i = begin; i < end; i++) {
        const CdLinkTile *tile = &s->tiles->forces[i];
        double *K[CD_TILE], *C[CD_TILE];
        for (int l = 0; l < tile->n; l++) {
            K[l] = w->force_K[tile->link[l]];
            C[l] = w->force_C[tile->link[l]];
        }
        s->tiles->slopes->force(tile, &task, K, C);
        for (int l = 0; l < tile->n; l++) {
            reduce_square(s, tile, l, &s->forces[tile->link[l]], K[l]);
            reduce_square(s, tile, l, &s->forces[tile->link[l]], C[l]);
        }
    }
}
