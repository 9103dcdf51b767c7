// linsol_matrix.c - matrices of mechanisms for comparing linear solvers
//
//   four-bar   M + c g g^T summed over the rods, Gonzalez et al., Multibody Syst. Dyn.
//              24 (2010) 435
//   nets       rows of a joint at the point x between bodies a and b with centres p:
//              v_b + w_b x (x - p_b) - v_a - w_a x (x - p_a),  t.(w_b - w_a), t normal to the axis
#include "linsol_matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

typedef struct Entry {
    int i, j;
    double v;
} Entry;

typedef struct Making {
    CdContext *ctx;
    CD_ARRAY(Entry) list;
    uint64_t bits;
} Making;

// uniform in [-1/2, 1/2)
static double draw(Making *m) {
    m->bits = m->bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(m->bits >> 11) * 0x1p-53 - 0.5;
}

// both a_ij and a_ji
static void add(Making *m, int i, int j, double v) {
    const Entry e = {i, j, v}, back = {j, i, v};
    (void)CD_PUSH(m->ctx, m->list, e);
    if (i != j) (void)CD_PUSH(m->ctx, m->list, back);
}

static bool end(Making *m, int n, bool definite, BenchMatrix *out) {
    CdPatternBuilder b;
    cdi_pattern_begin(&b, m->ctx, n, n, false);
    cdi_pattern_add_diagonal(&b);
    for (size_t k = 0; k < m->list.n; k++) cdi_pattern_add(&b, m->list.v[k].i, m->list.v[k].j);
    bool ok = cdi_pattern_end(&b, &out->p) == CD_OK;
    if (ok) out->v = cdi_alloc_array(m->ctx, (size_t)out->p->nnz, sizeof *out->v);
    ok = ok && out->v;
    for (size_t k = 0; ok && k < m->list.n; k++) {
        out->v[cdi_pattern_slot(out->p, m->list.v[k].i, m->list.v[k].j)] += m->list.v[k].v;
    }
    out->n = n;
    out->definite = definite;
    cdi_array_free(m->ctx, &m->list.any);
    return ok;
}

void bench_matrix_free(CdContext *ctx, BenchMatrix *a) {
    cdi_pattern_free(a->p);
    cdi_free(ctx, a->v);
    cdi_free(ctx, a->group);
    *a = (BenchMatrix){0};
}

// ---- four-bar

#define PENALTY 25.0 // dt^2/4 alpha
#define FILL_SIZE 1e-3
#define FILL_REACH 100

// mass and penalty of a rod along d between points at unknowns i and k
static void add_rod(Making *m, int i, int k, const double d[2]) {
    const int at[4] = {i, i + 1, k, k + 1};
    const double g[4] = {-2 * d[0], -2 * d[1], 2 * d[0], 2 * d[1]};
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b <= a; b++) {
            const double mass = a % 2 != b % 2 ? 0 : a == b ? 1.0 / 3 : 1.0 / 6;
            if (at[a] >= 0 && at[b] >= 0) add(m, at[a], at[b], mass + PENALTY * g[a] * g[b]);
        }
    }
}

static void add_fill(Making *m, int n, BenchFill fill, int per) {
    const int half = (per - 1) / 2;
    for (int j = 0; fill == BENCH_BAND && j < n; j++) {
        for (int i = j + 4; i <= j + half && i < n; i++) add(m, i, j, FILL_SIZE * draw(m));
    }
    for (int k = 0; fill == BENCH_RANDOM && k < (per - 6) * n / 2; k++) {
        const int j = (int)((draw(m) + 0.5) * n), i = j + 3 + (int)((draw(m) + 0.5) * FILL_REACH);
        if (i < n) add(m, i, j, FILL_SIZE * draw(m));
    }
}

bool bench_fourbar(CdContext *ctx, int n, BenchFill fill, int per, BenchMatrix *out) {
    static const char *const names[] = {"fourbar", "fourbar_band", "fourbar_random"};
    Making m = {.ctx = ctx, .bits = 7};
    const double crank[2] = {cos(0.9), sin(0.9)}, coupler[2] = {1, 0};
    const int loops = (n - 2) / 2;
    for (int i = 0; i <= loops; i++) add_rod(&m, -2, 2 * i, crank);
    for (int i = 0; i < loops; i++) add_rod(&m, 2 * i, 2 * i + 2, coupler);
    add_fill(&m, 2 * loops + 2, fill, per);
    *out = (BenchMatrix){0};
    snprintf(out->name, sizeof out->name, "%s_%d", names[fill], per);
    return end(&m, 2 * loops + 2, true, out);
}

// ---- masses in a row

bool bench_tridiagonal(CdContext *ctx, int n, BenchMatrix *out) {
    Making m = {.ctx = ctx, .bits = 5};
    for (int i = 0; i < n; i++) {
        add(&m, i, i, 2.5 + 0.2 * draw(&m));
        if (i > 0) add(&m, i, i - 1, -1);
    }
    *out = (BenchMatrix){0};
    snprintf(out->name, sizeof out->name, "tridiagonal");
    return end(&m, n, true, out);
}

// ---- nets

#define ROBOT 6 // bodies

typedef struct Net {
    Making m;
    BenchNet kind;
    int nbodies, njoints, row;
    int *group; // with room for 2 joints per body
    double (*centre)[3];
} Net;

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int k = 0; k < 3; k++) {
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

static void add_body(Net *t, int b) {
    double q[4], J[3] = {0.1, 0.08, 0.05}, R[3][3], norm = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = draw(&t->m);
        norm += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) q[k] /= sqrt(norm);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[i][i] = 1 - 2 * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
        R[i][j] = 2 * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
        R[i][k] = 2 * (q[i + 1] * q[k + 1] + q[0] * q[j + 1]);
    }
    for (int i = 0; i < 3; i++) {
        add(&t->m, 6 * b + i, 6 * b + i, 1);
        for (int j = 0; j <= i; j++) {
            double inertia = 0;
            for (int k = 0; k < 3; k++) inertia += R[i][k] * J[k] * R[j][k];
            add(&t->m, 6 * b + 3 + i, 6 * b + 3 + j, inertia);
        }
    }
}

// (v, w) . (d, r x d) for a point row, (0, t) for an axis row
static void add_row(Net *t, int body, double sign, const double v[3], const double w[3],
                    bool acts) {
    for (int k = 0; body >= 0 && k < 3; k++) {
        if (v[k] != 0) add(&t->m, t->row, 6 * body + k, acts ? sign * v[k] : 0);
        if (w[k] != 0) add(&t->m, t->row, 6 * body + 3 + k, acts ? sign * w[k] : 0);
    }
}

static void point_row(Net *t, int body, double sign, const double x[3], int axis, bool acts) {
    double d[3] = {0}, r[3], w[3];
    d[axis] = 1;
    for (int k = 0; body >= 0 && k < 3; k++) r[k] = x[k] - t->centre[body][k];
    if (body >= 0) cross(r, d, w);
    if (body >= 0) add_row(t, body, sign, d, w, acts);
}

static void axis_row(Net *t, int body, double sign, const double across[3], bool acts) {
    add_row(t, body, sign, (double[3]){0}, across, acts);
}

// stiffness between two bodies, symmetric, much smaller than the masses
static void add_stiffness(Net *t, int a, int b) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            if (a >= 0) add(&t->m, 6 * a + i, 6 * b + j, 1e-3 * draw(&t->m));
        }
        for (int j = 0; j < i; j++) add(&t->m, 6 * b + i, 6 * b + j, 1e-3 * draw(&t->m));
    }
}

// rows of a joint between a (-1: ground) and b with an axis (NULL: spherical), the first `acting`
static void add_joint(Net *t, int a, int b, const double x[3], const double *axis, int acting) {
    const int nrows = axis ? 5 : 3;
    double across[2][3];
    if (axis) {
        const double aside[3] = {axis[1] + 0.3, axis[2], axis[0]};
        cross(axis, aside, across[0]);
        cross(axis, across[0], across[1]);
    }
    for (int r = 0; r < nrows; r++) {
        for (int side = 0; side < 2; side++) {
            const int body = side ? b : a;
            if (r < 3) point_row(t, body, side ? 1 : -1, x, r, r < acting);
            if (r >= 3) axis_row(t, body, side ? 1 : -1, across[r - 3], r < acting);
        }
        if (r >= acting) add(&t->m, t->row, t->row, 1);
        t->group[t->row++] = t->nbodies + t->njoints;
    }
    t->njoints++;
    if (t->kind == BENCH_TANGENT || t->kind == BENCH_ROBOTS) add_stiffness(t, a, b);
}

static void random_axis(Net *t, double axis[3]) {
    double norm = 0;
    for (int k = 0; k < 3; k++) {
        axis[k] = draw(&t->m);
        norm += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; k++) axis[k] /= sqrt(norm);
}

// half-way between two centres, about
static void tie(Net *t, int a, int b, bool spherical) {
    double x[3], axis[3];
    random_axis(t, axis);
    for (int k = 0; k < 3; k++) {
        x[k] = (t->centre[b][k] + (a >= 0 ? t->centre[a][k] : 0)) / 2 + 0.1 * draw(&t->m);
    }
    add_joint(t, a, b, x, spherical ? NULL : axis, 5);
}

static void place(Net *t, int b, double x, double y, double wild) {
    const double at[3] = {x, y, 0};
    for (int k = 0; k < 3; k++) t->centre[b][k] = at[k] + wild * draw(&t->m);
}

// cranks 0, 2, 4, ... on the ground, couplers between them; axes along z
static void add_fourbars(Net *t) {
    const double z[3] = {0, 0, 1};
    for (int b = 0; b < t->nbodies; b++) place(t, b, b / 2 + 0.3 + 0.5 * (b % 2), 0.4 + b % 2, 0);
    for (int b = 0; b < t->nbodies; b++) {
        const double foot[3] = {b / 2, 0, 0}, head[3] = {b / 2 + 0.6, 0.8, 0};
        if (b % 2 == 0) add_joint(t, -1, b, foot, z, 5);
        if (b % 2 == 1) add_joint(t, b - 1, b, head, z, 5);
        if (b % 2 == 0 && b > 0) add_joint(t, b - 1, b, head, z, 2);
    }
}

static void add_links(Net *t) {
    const int n = t->nbodies, side = (int)lround(sqrt(n));
    if (t->kind == BENCH_REDUNDANT) {
        add_fourbars(t);
        return;
    }
    for (int b = 0; b < n; b++) {
        const int across = t->kind == BENCH_LADDER ? 2 : t->kind == BENCH_GRID ? side : 1;
        const int up = (b + 1) / 2 - 1;
        if (t->kind == BENCH_TREE && up >= 0) {
            place(t, b, t->centre[up][0] + 1, t->centre[up][1] + b % 2 - 0.5, 0.4);
        } else if (t->kind == BENCH_ROBOTS) {
            place(t, b, b % ROBOT, 0, 0.4);
        } else {
            place(t, b, b / across, b % across, 0.4);
        }
    }
    for (int b = 0; b < n; b++) {
        switch (t->kind) {
        case BENCH_TREE: tie(t, (b + 1) / 2 - 1, b, false); break;
        case BENCH_LADDER:
            tie(t, b < 2 ? -1 : b - 2, b, true);
            if (b % 2) tie(t, b - 1, b, true);
            break;
        case BENCH_GRID:
            if (b % side) tie(t, b - 1, b, true);
            if (b == 0) tie(t, -1, b, true);
            if (b >= side && (b % side + b / side) % 3 == 0) tie(t, b - side, b, true);
            break;
        case BENCH_ROBOTS: tie(t, b % ROBOT ? b - 1 : -1, b, false); break;
        default: tie(t, b - 1, b, false); break;
        }
    }
}

bool bench_net(CdContext *ctx, BenchNet kind, int nbodies, BenchMatrix *out) {
    static const char *const names[] = {"chain", "tree",      "tangent", "ladder",
                                        "grid",  "redundant", "robots"};
    Net t = {.m = {.ctx = ctx, .bits = 11}, .kind = kind, .nbodies = nbodies, .row = 6 * nbodies};
    *out = (BenchMatrix){0};
    t.centre = cdi_alloc_array(ctx, (size_t)nbodies, sizeof *t.centre);
    if (!t.centre) return false;
    t.group = out->group = cdi_alloc_array(ctx, 16 * (size_t)nbodies, sizeof *t.group);
    if (!t.group) return false;
    for (int i = 0; i < 6 * nbodies; i++) t.group[i] = i / 6;
    for (int b = 0; b < nbodies; b++) add_body(&t, b);
    add_links(&t);
    cdi_free(ctx, t.centre);
    snprintf(out->name, sizeof out->name, "kkt_%s_%d", names[kind], nbodies);
    return end(&t.m, t.row, false, out);
}
