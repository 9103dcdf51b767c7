// tile_lanes.h - inside system/: numbers of eight items to lanes and back, and markers in lanes
//
//   frame of a marker: p + R s, R Q      twist: v + R (w x s), Q^T w
//   wrench on its body: F, s x R^T F + Q m        bias of twist': R (w x (w x s))
//
// All arithmetic is that of the scalar code, number by number (system.h, place.c). Of tiles with up
// to four items, half of the lanes are used. Only for files that are compiled once per instruction
// set.
#ifndef CARDAN_SYSTEM_TILE_LANES_H
#define CARDAN_SYSTEM_TILE_LANES_H

#include <string.h>

#include "base/isa.h"
#include "system/tiles.h"

#define FRAME 12
#define TWIST 6
#define INLINE static inline __attribute__((always_inline))

typedef double Tile[FRAME * CD_TILE];

// of(used, ...), compiled for half of a tile and for all of it
enum { HALF = CD_LANE_WIDTH < CD_TILE / 2 ? CD_TILE / 2 : CD_LANE_WIDTH };
#define BY_USE(tile, of, ...)               \
    do {                                    \
        if ((tile)->n <= HALF) {            \
            of(HALF, tile, __VA_ARGS__);    \
        } else {                            \
            of(CD_TILE, tile, __VA_ARGS__); \
        }                                   \
    } while (0)

// ---- rows of eight items to lanes and back

#if defined(__AVX__)

// 4 x 4 numbers, transposed
INLINE void turn4(const __m256d in[4], __m256d out[4]) {
    const __m256d a = _mm256_unpacklo_pd(in[0], in[1]), b = _mm256_unpackhi_pd(in[0], in[1]);
    const __m256d c = _mm256_unpacklo_pd(in[2], in[3]), d = _mm256_unpackhi_pd(in[2], in[3]);
    out[0] = _mm256_permute2f128_pd(a, c, 0x20);
    out[1] = _mm256_permute2f128_pd(b, d, 0x20);
    out[2] = _mm256_permute2f128_pd(a, c, 0x31);
    out[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

INLINE void gather4(int used, const double *const *from, int k, double *to) {
    for (int h = 0; h < used; h += 4) {
        __m256d x[4], y[4];
        for (int i = 0; i < 4; i++) x[i] = _mm256_loadu_pd(from[h + i] + k);
        turn4(x, y);
        for (int i = 0; i < 4; i++) _mm256_storeu_pd(to + CD_TILE * (k + i) + h, y[i]);
    }
}

INLINE void scatter4(int used, const double *from, int k, double *const *to) {
    for (int h = 0; h < used; h += 4) {
        __m256d x[4], y[4];
        for (int i = 0; i < 4; i++) x[i] = _mm256_loadu_pd(from + CD_TILE * (k + i) + h);
        turn4(x, y);
        for (int i = 0; i < 4; i++) _mm256_storeu_pd(to[h + i] + k, y[i]);
    }
}

#define BLOCK 4
#else
#define BLOCK 1

INLINE void gather4(int used, const double *const *from, int k, double *to) {
    for (int l = 0; l < used; l++) to[CD_TILE * k + l] = from[l][k];
}

INLINE void scatter4(int used, const double *from, int k, double *const *to) {
    for (int l = 0; l < used; l++) to[l][k] = from[CD_TILE * k + l];
}

#endif

// n numbers of every item; the last four may be some that were taken before
INLINE void gather(int used, int n, const double *const *from, double *to) {
    if (n < BLOCK) {
        for (int i = 0; i < n * CD_TILE; i++) to[i] = from[i % CD_TILE][i / CD_TILE];
        return;
    }
    for (int k = 0; k + BLOCK <= n; k += BLOCK) gather4(used, from, k, to);
    if (n % BLOCK) gather4(used, from, n - BLOCK, to);
}

INLINE void scatter(int used, int n, const double *from, double *const *to) {
    if (n < BLOCK) {
        for (int i = 0; i < n * used; i++)
            to[i % used][i / used] = from[i / used * CD_TILE + i % used];
        return;
    }
    for (int k = 0; k + BLOCK <= n; k += BLOCK) scatter4(used, from, k, to);
    if (n % BLOCK) scatter4(used, from, n - BLOCK, to);
}

// numbers that begin at an index
INLINE void gather_at(int used, int n, const double *x, const int *at, double *to) {
    const double *from[CD_TILE];
    for (int l = 0; l < CD_TILE; l++) from[l] = x + at[l];
    gather(used, n, from, to);
}

// of the items that are no repetition
INLINE void scatter_at(int used, int n, int items, const double *from, const int *at, double *x) {
    double nowhere[FRAME], *to[CD_TILE];
    for (int l = 0; l < used; l++) to[l] = l < items ? x + at[l] : nowhere;
    scatter(used, n, from, to);
}

// ---- vectors in lanes

typedef struct Lane3 {
    CdLane x, y, z;
} Lane3;

INLINE Lane3 load3_by(int step, const double *v, int h) {
    return (Lane3){lane_load(v + h), lane_load(v + step + h), lane_load(v + 2 * step + h)};
}

INLINE void store3_by(int step, Lane3 a, double *v, int h) {
    lane_store(v + h, a.x);
    lane_store(v + step + h, a.y);
    lane_store(v + 2 * step + h, a.z);
}

INLINE Lane3 load3(const double *v, int h) {
    return load3_by(CD_TILE, v, h);
}

INLINE void store3(Lane3 a, double *v, int h) {
    store3_by(CD_TILE, a, v, h);
}

INLINE Lane3 add(Lane3 a, Lane3 b) {
    return (Lane3){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINE Lane3 cross(Lane3 a, Lane3 b) {
    return (Lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINE CdLane dot(Lane3 a, Lane3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

typedef struct Lane33 {
    Lane3 row[3];
} Lane33;

INLINE Lane33 load33(const double *R, int h) {
    Lane33 m;
    for (int i = 0; i < 3; i++) m.row[i] = load3(R + 3 * CD_TILE * i, h);
    return m;
}

INLINE Lane3 mul(const Lane33 *m, Lane3 v) {
    return (Lane3){dot(m->row[0], v), dot(m->row[1], v), dot(m->row[2], v)};
}

INLINE Lane33 transposed(const Lane33 *m) {
    return (Lane33){{{m->row[0].x, m->row[1].x, m->row[2].x},
                     {m->row[0].y, m->row[1].y, m->row[2].y},
                     {m->row[0].z, m->row[1].z, m->row[2].z}}};
}

// ---- markers; body and x are frames

#define ROTATION(f) ((f) + 3 * CD_TILE)

INLINE void place(int used, const double *body, const double *x, double *out) {
    for (int h = 0; h < used; h += CD_LANE_WIDTH) {
        const Lane33 R = load33(ROTATION(body), h), Q = load33(ROTATION(x), h), C = transposed(&Q);
        store3(add(load3(body, h), mul(&R, load3(x, h))), out, h);
        for (int i = 0; i < 3; i++) {
            store3(mul(&C, R.row[i]), ROTATION(out) + 3 * CD_TILE * i, h);
        }
    }
}

INLINE void move(int used, const double *body, const double *x, const double *twist, double *out) {
    for (int h = 0; h < used; h += CD_LANE_WIDTH) {
        const Lane33 R = load33(ROTATION(body), h), Q = load33(ROTATION(x), h), C = transposed(&Q);
        const Lane3 w = load3(twist + 3 * CD_TILE, h);
        store3(add(load3(twist, h), mul(&R, cross(w, load3(x, h)))), out, h);
        store3(mul(&C, w), out + 3 * CD_TILE, h);
    }
}

INLINE void add_bias(int used, const double *body, const double *x, const double *twist,
                     double *out) {
    for (int h = 0; h < used; h += CD_LANE_WIDTH) {
        const Lane33 R = load33(ROTATION(body), h);
        const Lane3 w = load3(twist + 3 * CD_TILE, h);
        const Lane3 bias = mul(&R, cross(w, cross(w, load3(x, h))));
        store3(add(load3(out, h), bias), out, h);
    }
}

// `stride` elements apart; out may be wrench
INLINE void pull_by(int used, int stride, const double *body, const double *x, const double *wrench,
                    double *out) {
    const int step = stride * CD_TILE;
    for (int h = 0; h < used; h += CD_LANE_WIDTH) {
        const Lane33 R = load33(ROTATION(body), h), Q = load33(ROTATION(x), h), C = transposed(&R);
        const Lane3 F = load3_by(step, wrench, h), m = load3_by(step, wrench + 3 * step, h);
        store3_by(step, F, out, h);
        store3_by(step, add(cross(load3(x, h), mul(&C, F)), mul(&Q, m)), out + 3 * step, h);
    }
}

// ---- links

// of both bodies and markers
typedef struct Pair {
    Tile body[2], frame[2];
} Pair;

INLINE void gather_frames(int used, int sides, const CdLinkTile *tile, const CdTileTask *task,
                          Pair *at) {
    for (int k = 0; k < sides; k++) {
        const double *from[CD_TILE];
        for (int l = 0; l < CD_TILE; l++) from[l] = task->body[tile->body[k][l]].p;
        gather(used, FRAME, from, at->body[k]);
        place(used, at->body[k], tile->x + k * FRAME * CD_TILE, at->frame[k]);
    }
}

// of the rows of a joint's kernel, `ld` elements each, those that are constraints, in place
INLINE void pick_rows(const CdLinkTile *tile, int ld, double *c) {
    const size_t row = (size_t)(ld * CD_TILE);
    for (int i = 0; tile->size < tile->all && i < tile->size; i++) {
        if (tile->rows[i] != i) memcpy(c + i * row, c + tile->rows[i] * row, row * sizeof *c);
    }
}

// multipliers for all rows of the kernel
INLINE void gather_lambda(int used, const CdLinkTile *tile, const CdTileTask *task, double *all) {
    Tile some;
    if (tile->size == tile->all) {
        gather_at(used, tile->size, task->lambda, tile->at, all);
        return;
    }
    gather_at(used, tile->size, task->lambda, tile->at, some);
    memset(all, 0, (size_t)(tile->all * CD_TILE) * sizeof *all);
    for (int i = 0; i < tile->size; i++) {
        memcpy(all + tile->rows[i] * CD_TILE, some + i * CD_TILE, sizeof(double[CD_TILE]));
    }
}

// twists of bodies
INLINE void gather_moving(int used, const CdLinkTile *tile, double (*twist)[6], int side,
                          double *out) {
    const double *from[CD_TILE];
    for (int l = 0; l < CD_TILE; l++) from[l] = twist[tile->body[side][l]];
    gather(used, TWIST, from, out);
}

// twists of both markers from those of bodies
INLINE void gather_twists(int used, const CdLinkTile *tile, double (*twist)[6], const Pair *at,
                          double *out) {
    for (int k = 0; k < 2; k++) {
        double x[TWIST * CD_TILE];
        gather_moving(used, tile, twist, k, x);
        move(used, at->body[k], tile->x + k * FRAME * CD_TILE, x, out + k * TWIST * CD_TILE);
    }
}

// structs of forces
INLINE void gather_items(const CdLinkTile *tile, const CdTileTask *task,
                         const void *items[CD_TILE]) {
    for (int l = 0; l < CD_TILE; l++) items[l] = task->item[tile->link[l]];
}

#endif
