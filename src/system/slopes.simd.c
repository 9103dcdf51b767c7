// slopes.simd.c - derivatives of eight items, compiled once per instruction set
//
//   G = J_c X                            a row (F, m) over a marker becomes (F, s x R^T F + Q m)
//   K = X^T W_x X + X^T W_v T + A        T = d(twist)/dq: a row gets ws x R^T F more, ws = w x s
//   C = X^T W_v X                        A = f s^T - (s.f) I on rotations, f = R^T F of the wrench
//
// over the directions of both bodies (system.h): W are the derivatives of a law to those of the
// markers. Rows first, then columns, in place.
#include "system/tile_lanes.h"

#define N 12

// rows of a matrix over markers, ld elements apart, to bodies
INLINE void rows_to_bodies(int used, int sides, const CdLinkTile *tile, const Pair *at, int rows,
                           int ld, double *W) {
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < sides; k++) {
            double *row = W + (i * ld + k * TWIST) * CD_TILE;
            pull_by(used, 1, at->body[k], tile->x + k * FRAME * CD_TILE, row, row);
        }
    }
}

INLINE void columns_to_bodies(int used, int sides, const CdLinkTile *tile, const Pair *at, int ld,
                              int columns, double *W) {
    for (int j = 0; j < columns; j++) {
        for (int k = 0; k < sides; k++) {
            double *column = W + (k * TWIST * ld + j) * CD_TILE;
            pull_by(used, ld, at->body[k], tile->x + k * FRAME * CD_TILE, column, column);
        }
    }
}

// A of the markers; the wrench is over markers
INLINE void add_curvature(int used, int sides, const CdLinkTile *tile, const Pair *at,
                          const double *wrench, int ld, double *W) {
    for (int k = 0; k < sides; k++) {
        const double *x = tile->x + k * FRAME * CD_TILE;
        double *block = W + (k * TWIST + 3) * (ld + 1) * CD_TILE;
        for (int h = 0; h < used; h += CD_LANE_WIDTH) {
            const Lane33 R = load33(ROTATION(at->body[k]), h), C = transposed(&R);
            const Lane3 s = load3(x, h), f = mul(&C, load3(wrench + k * TWIST * CD_TILE, h));
            const CdLane sf = dot(s, f), on[3] = {f.x, f.y, f.z};
            for (int i = 0; i < 3; i++) {
                double *row = block + i * ld * CD_TILE;
                const Lane3 A = {on[i] * s.x, on[i] * s.y, on[i] * s.z};
                store3(add(load3(row, h), A), row, h);
                lane_store(row + i * CD_TILE + h, lane_load(row + i * CD_TILE + h) - sf);
            }
        }
    }
}

// W_v T, added to rows of W_x X; before W_v is taken to the bodies
INLINE void add_turning(int used, const CdLinkTile *tile, const CdTileTask *task, const Pair *at,
                        int rows, double *W) {
    for (int k = 0; k < 2; k++) {
        const double *x = tile->x + k * FRAME * CD_TILE;
        double twist[TWIST * CD_TILE];
        gather_moving(used, tile, task->twist, k, twist);
        for (int h = 0; h < used; h += CD_LANE_WIDTH) {
            const Lane33 R = load33(ROTATION(at->body[k]), h), C = transposed(&R);
            const Lane3 ws = cross(load3(twist + 3 * CD_TILE, h), load3(x, h));
            for (int i = 0; i < rows; i++) {
                double *row = W + (2 * N * i + k * TWIST) * CD_TILE;
                const Lane3 F = load3(row + N * CD_TILE, h);
                store3(add(load3(row + 3 * CD_TILE, h), cross(ws, mul(&C, F))), row + 3 * CD_TILE,
                       h);
            }
        }
    }
}

// rows of n, ld elements apart, to one matrix per link
INLINE void scatter_rows(int used, int n, const CdLinkTile *tile, int rows, int ld, const double *W,
                         double sign, double *const *blocks) {
    for (int i = 0; i < rows; i++) {
        double nowhere[N], row[N * CD_TILE], *to[CD_TILE];
        for (int l = 0; l < used; l++) to[l] = l < tile->n ? blocks[l] + n * i : nowhere;
        for (int k = 0; k < n * CD_TILE; k += CD_TILE) {
            for (int h = k; h < k + used; h += CD_LANE_WIDTH) {
                lane_store(row + h, sign * lane_load(W + i * ld * CD_TILE + h));
            }
        }
        scatter(used, n, row, to);
    }
}

INLINE void jacobian_of(int used, const CdLinkTile *tile, const CdTileTask *task,
                        double *const *J) {
    Pair at;
    double c[CD_JOINT_NC_MAX * CD_TILE], W[CD_JOINT_NC_MAX * N * CD_TILE];
    gather_frames(used, 2, tile, task, &at);
    tile->joint->jac(used, tile->p, task->t, at.frame[0], at.frame[1], c, W);
    pick_rows(tile, N, W);
    rows_to_bodies(used, 2, tile, &at, tile->size, N, W);
    scatter_rows(used, N, tile, tile->size, N, W, 1, J);
}

static void jacobian(const CdLinkTile *tile, const CdTileTask *task, double *const *J) {
    BY_USE(tile, jacobian_of, task, J);
}

INLINE void speed_of(int used, const CdLinkTile *tile, const CdTileTask *task, double *const *J) {
    Pair at;
    double v[N * CD_TILE], c[CD_JOINT_NC_MAX * CD_TILE], W[CD_JOINT_NC_MAX * 2 * N * CD_TILE];
    gather_frames(used, 2, tile, task, &at);
    gather_twists(used, tile, task->twist, &at, v);
    tile->joint->vel_jac(used, tile->p, task->t, at.frame[0], at.frame[1], v, c, W);
    pick_rows(tile, 2 * N, W);
    rows_to_bodies(used, 2, tile, &at, tile->size, 2 * N, W);
    add_turning(used, tile, task, &at, tile->size, W);
    scatter_rows(used, N, tile, tile->size, 2 * N, W, 1, J);
}

static void speed(const CdLinkTile *tile, const CdTileTask *task, double *const *J) {
    BY_USE(tile, speed_of, task, J);
}

INLINE void reaction_of(int used, const CdLinkTile *tile, const CdTileTask *task,
                        double *const *K) {
    Pair at;
    double lambda[CD_JOINT_NC_MAX * CD_TILE], wrench[N * CD_TILE], W[N * N * CD_TILE];
    gather_frames(used, 2, tile, task, &at);
    gather_lambda(used, tile, task, lambda);
    tile->joint->react_jac(used, tile->p, task->t, at.frame[0], at.frame[1], lambda, wrench, W);
    rows_to_bodies(used, 2, tile, &at, N, N, W);
    columns_to_bodies(used, 2, tile, &at, N, N, W);
    add_curvature(used, 2, tile, &at, wrench, N, W);
    scatter_rows(used, N, tile, N, N, W, 1, K);
}

static void reaction(const CdLinkTile *tile, const CdTileTask *task, double *const *K) {
    BY_USE(tile, reaction_of, task, K);
}

INLINE void force_of(int used, const CdLinkTile *tile, const CdTileTask *task, double *const *K,
                     double *const *C) {
    Pair at;
    double v[N * CD_TILE], memory[N * CD_TILE], wrench[N * CD_TILE], W[N * 2 * N * CD_TILE];
    const void *items[CD_TILE];
    gather_frames(used, 2, tile, task, &at);
    gather_twists(used, tile, task->twist, &at, v);
    gather_at(used, tile->size, task->memory, tile->at, memory);
    gather_items(tile, task, items);
    const CdForceTile in = {used, task->t, at.frame[0], at.frame[1], v, memory, items};
    tile->force->jac(tile->p, &in, wrench, W);
    rows_to_bodies(used, 2, tile, &at, N, 2 * N, W);
    add_turning(used, tile, task, &at, N, W);
    rows_to_bodies(used, 2, tile, &at, N, 2 * N, W + N * CD_TILE);
    columns_to_bodies(used, 2, tile, &at, 2 * N, 2 * N, W);
    add_curvature(used, 2, tile, &at, wrench, 2 * N, W);
    scatter_rows(used, N, tile, N, 2 * N, W, -1, K);
    scatter_rows(used, N, tile, N, 2 * N, W + N * CD_TILE, -1, C);
}

// on one marker, whatever its twist
INLINE void load_of(int used, const CdLinkTile *tile, const CdTileTask *task, double *const *K,
                    double *const *C) {
    Pair at;
    double wrench[TWIST * CD_TILE], W[TWIST * TWIST * CD_TILE];
    const void *items[CD_TILE];
    gather_frames(used, 1, tile, task, &at);
    gather_items(tile, task, items);
    const CdForceTile in = {.items = used, .t = task->t, .a = at.frame[0], .item = items};
    tile->force->jac(tile->p, &in, wrench, W);
    rows_to_bodies(used, 1, tile, &at, TWIST, TWIST, W);
    columns_to_bodies(used, 1, tile, &at, TWIST, TWIST, W);
    add_curvature(used, 1, tile, &at, wrench, TWIST, W);
    scatter_rows(used, TWIST, tile, TWIST, TWIST, W, -1, K);
    for (int l = 0; l < tile->n; l++) memset(C[l], 0, TWIST * TWIST * sizeof *C[l]);
}

static void force(const CdLinkTile *tile, const CdTileTask *task, double *const *K,
                  double *const *C) {
    if (tile->sides == 1) {
        BY_USE(tile, load_of, task, K, C);
    } else {
        BY_USE(tile, force_of, task, K, C);
    }
}

INLINE void gyro_of(int used, const CdBodyTile *tile, const double *v, double *J) {
    double x[TWIST * CD_TILE], m[3 * CD_TILE];
    gather_at(used, TWIST, v, tile->v0, x);
    tile->law->gyro_jac(used, tile->p, x + 3 * CD_TILE, m, J);
}

static void gyro(const CdBodyTile *tile, const double *v, double *J) {
    BY_USE(tile, gyro_of, v, J);
}

extern const CdSlopeOps CD_ISA_NAME(cdi_slope_ops);
const CdSlopeOps CD_ISA_NAME(cdi_slope_ops) = {
    .jacobian = jacobian, .speed = speed, .reaction = reaction, .force = force, .gyro = gyro};
