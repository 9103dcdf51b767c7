// test_faces.c - what is seen of solids, and the painter's order of faces
#include <math.h>
#include <string.h>

#include "test.h"
#include "view/faces.h"

typedef struct Made {
    TestLog log;
    CdArena arena;
    CdFaces faces;
    CdCamera camera;
} Made;

#define CIRCLE 6.28318530717958647693

static const CdFrame here = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void open_faces(Made *m) {
    memset(m, 0, sizeof *m);
    test_log_open(&m->log);
    cdi_arena_init(&m->arena, m->log.ctx, 4096);
    m->faces.ctx = m->log.ctx;
    m->camera = (CdCamera){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .scale = 1};
}

static void close_faces(Made *m) {
    cdi_faces_free(&m->faces);
    cdi_arena_clear(&m->arena);
    test_log_close(&m->log);
}

// seen from (1, 1, 1)
static void look_along_diagonal(Made *m) {
    const double a = sqrt(0.5), b = sqrt(1.0 / 6), c = sqrt(1.0 / 3);
    const double R[9] = {-a, a, 0, -b, -b, 2 * b, c, c, c};
    copy33(R, m->camera.R);
}

static int drawn_edges(const CdFaces *f) {
    int n = 0;
    for (size_t i = 0; i < f->edge.n; i++) n += f->edge.v[i];
    return n;
}

// a rectangle at depth z of the middle that rises by `slope` along x
static void add_plate(Made *m, double x0, double x1, double y0, double y1, double z, double slope,
                      int group) {
    const double middle = (x0 + x1) / 2;
    const double x[4][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    for (int i = 0; i < 4; i++) {
        const double p[3] = {x[i][0], x[i][1], z + slope * (x[i][0] - middle)};
        CHECK_OK(cdi_faces_vertex(&m->faces, p, true));
    }
    CHECK_OK(cdi_faces_add(&m->faces, 4, group, 0));
}

// place of a face in the order
static int rank_of(const CdFaces *f, int face) {
    for (size_t i = 0; i < f->order.n; i++) {
        if (f->order.v[i] == face) return (int)i;
    }
    return -1;
}

TEST(three_sides_of_a_box_are_seen_from_a_corner) {
    Made m;
    CdMesh box;
    const double size[3] = {10, 20, 30};
    open_faces(&m);
    look_along_diagonal(&m);
    CHECK_OK(cdi_mesh_box(&m.arena, size, &box));
    CHECK_OK(cdi_faces_mesh(&m.faces, &m.camera, &here, &box, 7));
    CHECK_INT(m.faces.v.n, 3);
    double area = 0;
    for (size_t i = 0; i < m.faces.v.n; i++) {
        CHECK_INT(m.faces.v.v[i].n, 4);
        CHECK_INT(m.faces.v.v[i].group, 7);
        area += m.faces.v.v[i].area;
    }
    // of its outline: the sum of projections of the three sides
    CHECK_NEAR(area, (200 + 300 + 600) / sqrt(3), 1e-9);
    CHECK_INT(drawn_edges(&m.faces), 12);
    close_faces(&m);
}

TEST(a_cylinder_from_above_is_a_disc) {
    Made m;
    CdMesh cylinder;
    open_faces(&m);
    CHECK_OK(cdi_mesh_cylinder(&m.arena, 10, 5, 24, &cylinder));
    CHECK_OK(cdi_faces_mesh(&m.faces, &m.camera, &here, &cylinder, 0));
    // in two halves, with no line between them
    CHECK_INT(m.faces.v.n, 2);
    CHECK_INT(drawn_edges(&m.faces), 24);
    for (int i = 0; i < 2; i++) CHECK_NEAR(m.faces.v.v[i].plane[2], 2.5, 1e-12);
    CHECK_NEAR(m.faces.v.v[0].area + m.faces.v.v[1].area, 1200 * sin(CIRCLE / 24), 1e-9);
    close_faces(&m);
}

TEST(a_cylinder_from_the_side_has_an_outline) {
    Made m;
    CdMesh cylinder;
    open_faces(&m);
    const double R[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    copy33(R, m.camera.R);
    CHECK_OK(cdi_mesh_cylinder(&m.arena, 10, 50, 24, &cylinder));
    CHECK_OK(cdi_faces_mesh(&m.faces, &m.camera, &here, &cylinder, 0));
    CHECK_INT(m.faces.v.n, 12);
    // two ends of every strip, and the two sides
    CHECK_INT(drawn_edges(&m.faces), 2 * 12 + 2);
    close_faces(&m);
}

TEST(what_is_nearer_is_painted_later) {
    Made m;
    open_faces(&m);
    add_plate(&m, 0, 10, 0, 10, 5, 0, 0);
    add_plate(&m, 5, 15, 5, 15, 1, 0, 1);
    add_plate(&m, 8, 12, 8, 12, 9, 0, 2);
    CHECK_OK(cdi_faces_sort(&m.faces));
    CHECK_INT(m.faces.order.n, 3);
    CHECK(rank_of(&m.faces, 1) < rank_of(&m.faces, 0));
    CHECK(rank_of(&m.faces, 0) < rank_of(&m.faces, 2));
    close_faces(&m);
}

TEST(depth_is_compared_where_faces_meet) {
    Made m;
    open_faces(&m);
    // the steep one is nearer on average, but farther where they overlap
    add_plate(&m, 0, 100, 0, 10, 0, 1, 0);
    add_plate(&m, 0, 10, 0, 10, -30, 0, 1);
    CHECK_OK(cdi_faces_sort(&m.faces));
    CHECK(rank_of(&m.faces, 0) < rank_of(&m.faces, 1));
    CHECK_INT(m.faces.order.n, 2);
    close_faces(&m);
}

TEST(faces_that_go_through_each_other_are_cut) {
    Made m;
    double area = 0, left = 0;
    open_faces(&m);
    add_plate(&m, 0, 10, 0, 10, 0, 1, 0);
    add_plate(&m, -10, 20, -10, 20, 0, 0, 1);
    CHECK_OK(cdi_faces_sort(&m.faces));
    CHECK_INT(m.faces.order.n, 3);
    CHECK(m.faces.v.v[0].split);
    for (int i = 2; i < 4; i++) {
        const CdFace *piece = &m.faces.v.v[i];
        area += piece->area;
        if (piece->box[2] <= 5 + 1e-12) left = rank_of(&m.faces, i) < rank_of(&m.faces, 1);
        // the cut itself is no edge
        int n = 0;
        for (int k = 0; k < piece->n; k++) n += m.faces.edge.v[piece->first + k];
        CHECK_INT(n, 3);
    }
    CHECK_NEAR(area, 100, 1e-12);
    CHECK_INT(left, 1);
    close_faces(&m);
}

TEST(lines_are_hidden_where_they_are_behind) {
    Made m;
    const double line[6] = {-10, 5, -1, 20, 5, -1}, through[6] = {5, -10, -15, 5, 20, 15};
    open_faces(&m);
    add_plate(&m, 0, 10, 0, 10, 0, 0, 0);
    CHECK_OK(cdi_faces_line(&m.faces, line, 2, 1));
    CHECK_OK(cdi_faces_line(&m.faces, through, 2, 2));
    CHECK_OK(cdi_faces_sort(&m.faces));
    CHECK(rank_of(&m.faces, 1) < rank_of(&m.faces, 0));
    CHECK(m.faces.v.v[2].split);
    CHECK_INT(m.faces.order.n, 4);
    // the lower half of the other line is behind
    CHECK(rank_of(&m.faces, 3) < rank_of(&m.faces, 0));
    CHECK(rank_of(&m.faces, 4) > rank_of(&m.faces, 0));
    close_faces(&m);
}

TEST(a_line_along_an_edge_is_hidden_too) {
    Made m;
    const double line[6] = {-10, 10, -1, 20, 10, -1};
    open_faces(&m);
    add_plate(&m, 0, 10, 0, 10, 0, 0, 0);
    add_plate(&m, 0, 10, 10, 20, 0, 0, 0);
    CHECK_OK(cdi_faces_line(&m.faces, line, 2, 1));
    CHECK_OK(cdi_faces_sort(&m.faces));
    CHECK_INT(rank_of(&m.faces, 2), 0);
    close_faces(&m);
}

TEST(in_one_plane_the_later_group_covers) {
    Made m;
    open_faces(&m);
    add_plate(&m, 0, 10, 0, 10, 0, 0, 5);
    add_plate(&m, 5, 15, 0, 10, 0, 0, 2);
    CHECK_OK(cdi_faces_sort(&m.faces));
    CHECK(rank_of(&m.faces, 1) < rank_of(&m.faces, 0));
    close_faces(&m);
}

TEST(a_ring_of_faces_is_listed_all_the_same) {
    Made m;
    open_faces(&m);
    // four strips, each over the next
    add_plate(&m, 0, 30, 0, 10, 0, 1, 0);
    add_plate(&m, 20, 30, 0, 30, 10, 0, 1);
    add_plate(&m, 0, 30, 20, 30, 10, -1, 2);
    add_plate(&m, 0, 10, 0, 30, 12, 0, 3);
    CHECK_OK(cdi_faces_sort(&m.faces));
    size_t alive = 0;
    for (size_t i = 0; i < m.faces.v.n; i++) alive += !m.faces.v.v[i].split;
    CHECK_INT(m.faces.order.n, alive);
    close_faces(&m);
}

static CdStatus sort_box(CdContext *ctx, void *user) {
    CdArena arena;
    CdFaces faces = {.ctx = ctx};
    CdMesh mesh;
    const CdCamera *camera = user;
    cdi_arena_init(&arena, ctx, 4096);
    CdStatus status = cdi_mesh_ball(&arena, 10, 8, &mesh);
    if (status == CD_OK) status = cdi_faces_mesh(&faces, camera, &here, &mesh, 0);
    const double line[6] = {-20, 1, -20, 20, 2, 20};
    if (status == CD_OK) status = cdi_faces_line(&faces, line, 2, 1);
    if (status == CD_OK) status = cdi_faces_sort(&faces);
    cdi_faces_free(&faces);
    cdi_arena_clear(&arena);
    return status;
}

TEST(memory_may_end) {
    CdCamera camera = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .scale = 1};
    CHECK_OOM(sort_box, &camera);
}

int main(void) {
    RUN(three_sides_of_a_box_are_seen_from_a_corner);
    RUN(a_cylinder_from_above_is_a_disc);
    RUN(a_cylinder_from_the_side_has_an_outline);
    RUN(what_is_nearer_is_painted_later);
    RUN(depth_is_compared_where_faces_meet);
    RUN(faces_that_go_through_each_other_are_cut);
    RUN(lines_are_hidden_where_they_are_behind);
    RUN(a_line_along_an_edge_is_hidden_too);
    RUN(in_one_plane_the_later_group_covers);
    RUN(a_ring_of_faces_is_listed_all_the_same);
    RUN(memory_may_end);
    return test_end();
}
