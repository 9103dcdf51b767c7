// test_scene.c - what models look like: parts at the right places, sizes, and models that have none
#include <math.h>
#include <string.h>

#include "test.h"
#include "view/scene.h"

static CdStatus read_scene(CdContext *ctx, const char *items, CdModel **model, CdScene **scene) {
    CdText text;
    cdi_text_init(&text, ctx);
    cdi_text_addf(&text, "{\"cardan\": 1, \"items\": [%s]}", items);
    CdStatus status = text.status;
    *model = NULL;
    *scene = NULL;
    if (status == CD_OK) status = cdi_model_read_text(ctx, text.v, text.n, "x", model);
    if (status == CD_OK) status = cdi_view_scene(*model, scene);
    cdi_text_free(&text);
    return status;
}

typedef struct Made {
    TestLog log;
    CdModel *model;
    CdScene *scene;
} Made;

static bool open_scene(Made *m, const char *items) {
    test_log_open(&m->log);
    CHECK_OK(read_scene(m->log.ctx, items, &m->model, &m->scene));
    CHECK_TEXT(m->log.text, "");
    return m->scene != NULL;
}

static void close_scene(Made *m) {
    cdi_view_scene_free(m->scene);
    cdi_model_free(m->model);
    test_log_close(&m->log);
}

// box around a part in its body's frame
static void extent(const CdPart *p, double lower[3], double upper[3]) {
    for (int i = 0; i < 3; i++) {
        lower[i] = HUGE_VAL;
        upper[i] = -HUGE_VAL;
        for (int k = 0; k < p->mesh.nvertices; k++) {
            lower[i] = fmin(lower[i], p->mesh.vertices[3 * k + i]);
            upper[i] = fmax(upper[i], p->mesh.vertices[3 * k + i]);
        }
    }
}

static const CdPart *find_part(const CdScene *s, const char *name, CdPartKind kind) {
    for (size_t i = 0; i < s->parts.n; i++) {
        const CdPart *p = &s->parts.v[i];
        if (p->kind == kind && strcmp(cdi_item_name(p->item), name) == 0) return p;
    }
    return NULL;
}

static int count(const CdScene *s, CdPartKind kind) {
    int n = 0;
    for (size_t i = 0; i < s->parts.n; i++) n += s->parts.v[i].kind == kind;
    return n;
}

#define BODY                                                                    \
    "{\"class\": \"RigidBody\", \"name\": \"link\", \"mass\": 1, \"inertia\": " \
    "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"
#define MARKER(name, at) \
    ", {\"class\": \"Marker\", \"name\": \"" name "\", \"body\": \"link\", \"position\": " at "}"

TEST(shapes_stand_in_their_body_frame) {
    Made m;
    if (!open_scene(&m, "{\"class\": \"RigidBody\", \"name\": \"link\", \"position\": [5, 6, 7], "
                        "\"shape\": {\"class\": \"Cuboid\", \"size\": [1, 2, 3]}}")) {
        close_scene(&m);
        return;
    }
    double lower[3], upper[3];
    extent(&m.scene->parts.v[0], lower, upper);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(upper[i], (i + 1) / 2.0, 1e-15);
        CHECK_NEAR(lower[i], -(i + 1) / 2.0, 1e-15);
        CHECK_NEAR(m.scene->centre[i], 5 + i, 1e-14);
    }
    CHECK_NEAR(m.scene->size, sqrt(14), 1e-14);
    CHECK_INT(m.scene->parts.n, 1);
    close_scene(&m);
}

TEST(a_body_with_markers_on_a_line_is_a_bar) {
    Made m;
    double lower[3], upper[3];
    if (open_scene(&m, BODY ", \"com\": [1, 0, 0]}" MARKER("a", "[0, 0, 0]")
                           MARKER("b", "[3, 0, 0]"))) {
        CHECK_INT(m.scene->parts.n, 1);
        extent(&m.scene->parts.v[0], lower, upper);
        CHECK_NEAR(lower[0], 0, 1e-14);
        CHECK_NEAR(upper[0], 3, 1e-14);
        CHECK(upper[1] < m.scene->unit && upper[1] > 0);
    }
    close_scene(&m);
}

TEST(a_body_with_markers_in_a_plane_is_a_plate) {
    Made m;
    double lower[3], upper[3];
    if (open_scene(&m, BODY "}" MARKER("a", "[2, 0, 0]") MARKER("b", "[0, 3, 0]")
                           MARKER("c", "[1, 1, 0]"))) {
        CHECK_INT(m.scene->parts.n, 1);
        extent(&m.scene->parts.v[0], lower, upper);
        // corners at two markers and the centre of mass, none at the marker between them
        CHECK_INT(m.scene->parts.v[0].mesh.nvertices, 6);
        CHECK_NEAR(upper[0], 2, 1e-14);
        CHECK_NEAR(upper[1], 3, 1e-14);
        CHECK_NEAR(lower[0], 0, 1e-14);
        CHECK(upper[2] > 0 && upper[2] < m.scene->unit);
    }
    close_scene(&m);
}

TEST(a_body_with_markers_all_around_is_a_star) {
    Made m;
    if (open_scene(&m, BODY "}" MARKER("a", "[2, 0, 0]") MARKER("b", "[0, 3, 0]")
                           MARKER("c", "[0, 0, 1]"))) {
        CHECK_INT(m.scene->parts.n, 4);
    }
    close_scene(&m);
}

TEST(points_are_balls_and_rotors_are_discs) {
    Made m;
    double lower[3], upper[3];
    if (open_scene(&m, "{\"class\": \"MassPoint3D\", \"name\": \"p\", \"mass\": 1}, "
                       "{\"class\": \"Rotor\", \"name\": \"r\", \"axis\": [2, 0, 0], "
                       "\"inertia\": 1, \"position\": [9, 0, 0]}")) {
        extent(find_part(m.scene, "p", CD_PART_BODY), lower, upper);
        CHECK_NEAR(upper[0], upper[2], 1e-14);
        extent(find_part(m.scene, "r", CD_PART_BODY), lower, upper);
        CHECK(upper[0] < 0.3 * upper[1]);
    }
    close_scene(&m);
}

TEST(symbols_come_out_of_solids) {
    Made m;
    double lower[3], upper[3];
    if (open_scene(&m, "{\"class\": \"RigidBody\", \"name\": \"link\", \"shape\": {\"class\": "
                       "\"Cuboid\", \"size\": [1, 0.1, 0.1]}}, {\"class\": \"RevoluteJoint\", "
                       "\"name\": \"hinge\", \"body_b\": \"link\", \"at\": [0.45, 0, 0]}")) {
        CHECK_INT(count(m.scene, CD_PART_JOINT), 2);
        extent(find_part(m.scene, "hinge", CD_PART_JOINT) + 1, lower, upper);
        CHECK(upper[2] > 0.05 && upper[2] < 0.1);
        CHECK_NEAR((lower[0] + upper[0]) / 2, 0.45, 1e-14);
        // one holds on to the ground
        CHECK_INT(count(m.scene, CD_PART_SUPPORT), 2);
        CHECK_INT(find_part(m.scene, "hinge", CD_PART_SUPPORT)->body, 0);
    }
    close_scene(&m);
}

TEST(springs_are_lines_and_loads_are_arrows) {
    Made m;
    if (open_scene(
            &m,
            BODY ", \"position\": [0, 2, 0], \"orientation\": [0.6, 0, 0, 0.8]}" MARKER(
                "tip",
                "[1, 0, 0]") ", {\"class\": \"SpringDamper\", \"name\": \"s\", \"body_b\": "
                             "\"link\", \"at\": [0, 2, 0], \"length\": 1}, {\"class\": \"Force\", "
                             "\"name\": \"f\", \"marker\": \"tip\", \"x\": 3, \"axes\": "
                             "\"own\"}")) {
        CHECK_INT(m.scene->spans.n, 1);
        CHECK_INT(m.scene->spans.v[0].body[0], 0);
        CHECK_INT(m.scene->spans.v[0].body[1], 1);
        CHECK_INT(m.scene->arrows.n, 1);
        CHECK_NEAR(m.scene->arrows.v[0].point[0], 1, 1e-15);
        CHECK_NEAR(m.scene->arrows.v[0].vector[1], 3 * 0.96, 1e-15);
        CHECK_NEAR(m.scene->arrows.v[0].vector[0], -3 * 0.28, 1e-15);
    }
    close_scene(&m);
}

TEST(a_model_without_bodies_has_an_empty_scene) {
    Made m;
    if (open_scene(&m, "")) {
        CHECK_INT(m.scene->parts.n, 0);
        CHECK_INT(m.scene->nbodies, 1);
        CHECK(m.scene->size > 0 && m.scene->unit > 0);
    }
    close_scene(&m);
}

TEST(all_at_one_point_has_a_size) {
    Made m;
    if (open_scene(&m, "{\"class\": \"MassPoint3D\", \"name\": \"a\", \"mass\": 1}, "
                       "{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": 1}")) {
        CHECK(m.scene->size > 0 && isfinite(m.scene->size));
    }
    close_scene(&m);
}

TEST(what_is_too_far_away_is_refused) {
    Made m;
    test_log_open(&m.log);
    CHECK_INT(read_scene(m.log.ctx,
                         "{\"class\": \"MassPoint3D\", \"name\": \"a\", \"mass\": 1, "
                         "\"position\": [0, 1e200, 0]}",
                         &m.model, &m.scene),
              CD_INVALID);
    CHECK_TEXT(m.log.text, "body 'a' cannot be drawn: a point of it is at 1e+200 m; it must be "
                           "nearer than 1e+12 m\n");
    close_scene(&m);
}

static void check_symbol(const CdItemClass *cls) {
    const CdSymbol *s = cls->symbol;
    bool ok = CHECK(s->nparts > 0 || s->span != CD_SPAN_NONE || s->arrow != CD_ARROW_NONE);
    for (int i = 0; i < s->nparts; i++) {
        const CdSymbolPart *p = &s->parts[i];
        ok = CHECK(p->marker == 0 || p->marker == 1) && ok;
        ok = CHECK(p->axis >= 0 && p->axis < 3) && ok;
        // about as large as a unit
        ok = CHECK(p->size[0] > 0 && p->size[0] < 5 && p->size[1] >= 0 && p->size[1] < 5) && ok;
        if (p->form == CD_TUBE) ok = CHECK(p->size[2] > 0 && p->size[2] < p->size[0]) && ok;
        if (p->form == CD_CYLINDER || p->form == CD_TUBE) ok = CHECK(p->size[1] > 0) && ok;
    }
    if (!ok) printf("  for %s\n", cls->desc.name);
}

TEST(symbols_of_all_classes_are_sound) {
    int n = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if (!(*cls)->symbol) continue;
        CHECK((*cls)->joint || (*cls)->force);
        check_symbol(*cls);
        n++;
    }
    CHECK(n >= 20);
}

static CdStatus make(CdContext *ctx, void *user) {
    CdModel *model;
    CdScene *scene;
    const CdStatus status = read_scene(ctx, user, &model, &scene);
    cdi_view_scene_free(scene);
    cdi_model_free(model);
    return status;
}

TEST(memory_may_end) {
    char items[] = BODY "}" MARKER("a", "[2, 0, 0]") MARKER(
        "b",
        "[0, 3, 0]") ", {\"class\": \"RevoluteJoint\", \"name\": \"h\", \"body_b\": \"link\"}, "
                     "{\"class\": "
                     "\"Force\", \"name\": \"f\", \"marker\": \"a\", \"x\": 1}, {\"class\": "
                     "\"SpringDamper\", "
                     "\"name\": \"s\", \"body_b\": \"link\", \"at\": [0, 2, 0], \"length\": 1}";
    CHECK_OOM(make, items);
}

int main(void) {
    RUN(shapes_stand_in_their_body_frame);
    RUN(a_body_with_markers_on_a_line_is_a_bar);
    RUN(a_body_with_markers_in_a_plane_is_a_plate);
    RUN(a_body_with_markers_all_around_is_a_star);
    RUN(points_are_balls_and_rotors_are_discs);
    RUN(symbols_come_out_of_solids);
    RUN(springs_are_lines_and_loads_are_arrows);
    RUN(a_model_without_bodies_has_an_empty_scene);
    RUN(all_at_one_point_has_a_size);
    RUN(what_is_too_far_away_is_refused);
    RUN(symbols_of_all_classes_are_sound);
    RUN(memory_may_end);
    return test_end();
}
