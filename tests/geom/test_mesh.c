// test_mesh.c - surfaces of all solids are closed, look outward and hold what the solid does
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/shape.h"
#include "test.h"

#define COARSE 24
#define BLOCK 65536

typedef struct Made {
    TestLog log;
    CdJsonDoc *doc;
    CdObject *object;
    CdArena arena;
} Made;

static const void *open_example(Made *m, const CdDesc *desc) {
    test_log_open(&m->log);
    CHECK_OK(cdi_json_read(m->log.ctx, "x", desc->example, strlen(desc->example), CD_JSON_LIMITS,
                           &m->doc));
    CHECK_OK(cdi_object_read(m->log.ctx, desc, cdi_json_root(m->doc), NULL, &m->object));
    cdi_arena_init(&m->arena, m->log.ctx, BLOCK);
    return cdi_object_data(m->object);
}

static void close_example(Made *m) {
    CHECK_TEXT(m->log.text, "");
    cdi_arena_clear(&m->arena);
    cdi_object_free(m->object);
    cdi_json_free(m->doc);
    test_log_close(&m->log);
}

// ---- moments of the inside: every triangle and the origin make a tetrahedron

static void corners(const CdMesh *mesh, int k, double v[3][3]) {
    for (int i = 0; i < 3; i++) copy3(mesh->vertices + 3 * mesh->triangles[3 * k + i], v[i]);
}

static void mesh_solid(const CdMesh *mesh, CdSolid *s) {
    double first[3] = {0}, second[9] = {0}, volume = 0;
    for (int k = 0; k < mesh->ntriangles; k++) {
        double v[3][3], c[3], sum[3];
        corners(mesh, k, v);
        cross3(v[1], v[2], c);
        const double part = dot3(v[0], c) / 6;
        volume += part;
        for (int i = 0; i < 3; i++) sum[i] = v[0][i] + v[1][i] + v[2][i];
        for (int i = 0; i < 3; i++) first[i] += part * sum[i] / 4;
        for (int a = 0; a < 9; a++) {
            const int i = a / 3, j = a % 3;
            double own = 0;
            for (int n = 0; n < 3; n++) own += v[n][i] * v[n][j];
            second[a] += part * (own + sum[i] * sum[j]) / 20;
        }
    }
    s->volume = volume;
    for (int i = 0; i < 3; i++) s->com[i] = first[i] / volume;
    for (int a = 0; a < 9; a++) second[a] -= volume * s->com[a / 3] * s->com[a % 3];
    const double trace = trace33(second);
    for (int a = 0; a < 9; a++) s->inertia[a] = (a % 4 == 0 ? trace : 0) - second[a];
}

// largest relative deviation from the solid itself
static double deviation(const CdDesc *desc, const void *p, int segments, CdArena *arena) {
    const CdShapeClass *cls = (const CdShapeClass *)(const void *)desc;
    CdMesh mesh;
    CdSolid exact, got;
    double worst;
    CHECK_OK(cdi_shape_mesh(desc, p, segments, arena, &mesh));
    cls->solid(p, &exact);
    mesh_solid(&mesh, &got);
    worst = fabs(got.volume / exact.volume - 1);
    const double size = cbrt(exact.volume), unit = trace33(exact.inertia);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(got.com[i] - exact.com[i]) / size);
    for (int i = 0; i < 9; i++) worst = fmax(worst, fabs(got.inertia[i] - exact.inertia[i]) / unit);
    return worst;
}

TEST(surfaces_approach_their_solids) {
    for (const CdDesc *const *desc = cdi_shape_classes; *desc; desc++) {
        Made m;
        const void *p = open_example(&m, *desc);
        const double coarse = deviation(*desc, p, COARSE, &m.arena);
        const double fine = deviation(*desc, p, 2 * COARSE, &m.arena);
        CHECK(coarse < 0.05);
        // of second order, unless flat and exact
        if (coarse > 1e-12) CHECK_NEAR(coarse / fine, 4, 0.1);
        close_example(&m);
    }
}

// ---- topology

static int compare(const void *a, const void *b) {
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

// directed edges of all triangles, sorted
static int (*sides(const CdMesh *mesh, CdArena *arena))[2] {
    int(*e)[2] = cdi_take(arena, 3 * (size_t)mesh->ntriangles, sizeof *e);
    for (int k = 0; k < 3 * mesh->ntriangles; k++) {
        e[k][0] = mesh->triangles[k];
        e[k][1] = mesh->triangles[k % 3 == 2 ? k - 2 : k + 1];
    }
    qsort(e, 3 * (size_t)mesh->ntriangles, sizeof *e, compare);
    return e;
}

static void check_closed(const CdMesh *mesh, CdArena *arena) {
    int(*e)[2] = sides(mesh, arena);
    const size_t n = 3 * (size_t)mesh->ntriangles;
    for (size_t k = 0; k < n; k++) {
        const int back[2] = {e[k][1], e[k][0]};
        CHECK(back[0] >= 0 && back[0] < mesh->nvertices && back[0] != back[1]);
        if (k > 0) CHECK(compare(e[k - 1], e[k]) != 0);
        CHECK(bsearch(back, e, n, sizeof *e, compare) != NULL);
    }
    for (int k = 0; k < mesh->nedges; k++) {
        CHECK(bsearch(mesh->edges + 2 * k, e, n, sizeof *e, compare) != NULL);
    }
}

TEST(surfaces_are_closed_and_look_outward) {
    for (const CdDesc *const *desc = cdi_shape_classes; *desc; desc++) {
        Made m;
        CdMesh mesh;
        CdSolid s;
        const void *p = open_example(&m, *desc);
        // the coarsest, and one that is out of range
        for (int segments = 0; segments <= COARSE; segments += COARSE) {
            CHECK_OK(cdi_shape_mesh(*desc, p, segments, &m.arena, &mesh));
            check_closed(&mesh, &m.arena);
            mesh_solid(&mesh, &s);
            CHECK(s.volume > 0);
        }
        close_example(&m);
    }
}

TEST(a_tube_without_bore_is_a_cylinder) {
    TestLog log;
    CdArena arena;
    CdMesh tube, cylinder;
    test_log_open(&log);
    cdi_arena_init(&arena, log.ctx, BLOCK);
    CHECK_OK(cdi_mesh_tube(&arena, 2, 0, 3, COARSE, &tube));
    CHECK_OK(cdi_mesh_cylinder(&arena, 2, 3, COARSE, &cylinder));
    CHECK_INT(tube.ntriangles, cylinder.ntriangles);
    check_closed(&tube, &arena);
    cdi_arena_clear(&arena);
    test_log_close(&log);
}

TEST(the_axis_of_a_rotation_is_the_one_asked_for) {
    TestRandom random = {7};
    for (int k = 0; k < 100; k++) {
        double d[3], R[9], I[9], z[3];
        for (int i = 0; i < 3; i++) d[i] = k < 3 ? i == k : test_random(&random, -1, 1);
        cdi_mesh_along(d, R);
        unit3(d, z);
        tmul33(R, R, I);
        for (int i = 0; i < 9; i++) CHECK_NEAR(I[i], i % 4 == 0, 1e-15);
        for (int i = 0; i < 3; i++) CHECK_NEAR(R[3 * i + 2], z[i], 1e-15);
        CHECK_NEAR(det33(R), 1, 1e-15);
    }
}

static CdStatus make_ball(CdContext *ctx, void *user) {
    CdArena arena;
    CdMesh mesh;
    (void)user;
    cdi_arena_init(&arena, ctx, 64);
    const CdStatus status = cdi_mesh_ball(&arena, 1, COARSE, &mesh);
    cdi_arena_clear(&arena);
    return status;
}

TEST(memory_may_end) {
    CHECK_OOM(make_ball, NULL);
}

int main(void) {
    RUN(surfaces_approach_their_solids);
    RUN(surfaces_are_closed_and_look_outward);
    RUN(a_tube_without_bore_is_a_cylinder);
    RUN(the_axis_of_a_rotation_is_the_one_asked_for);
    RUN(memory_may_end);
    return test_end();
}
