// test_draw.c - drawings: views, places of bodies, escaped names, models that cannot be drawn
#include <math.h>
#include <string.h>

#include "test.h"
#include "view/svg.h"

typedef struct Made {
    TestLog log;
    CdModel *model;
    CdScene *scene;
    CdText text;
    CdDrawn drawn;
} Made;

static CdStatus draw(CdContext *ctx, const char *items, const CdDrawing *drawing, Made *m) {
    CdText json;
    cdi_text_init(&json, ctx);
    cdi_text_init(&m->text, ctx);
    m->model = NULL;
    m->scene = NULL;
    cdi_text_addf(&json, "{\"cardan\": 1, \"items\": [%s]}", items);
    CdStatus status = json.status;
    if (status == CD_OK) status = cdi_model_read_text(ctx, json.v, json.n, "x", &m->model);
    if (status == CD_OK) status = cdi_view_scene(m->model, &m->scene);
    if (status == CD_OK) {
        const CdMoment at = {m->scene->start, (int)m->scene->arrows.n, m->scene->arrows.v};
        status = cdi_svg_draw(m->scene, drawing, &at, 1, &m->text, &m->drawn);
    }
    cdi_text_free(&json);
    return status;
}

static void clear(Made *m) {
    cdi_text_free(&m->text);
    cdi_view_scene_free(m->scene);
    cdi_model_free(m->model);
}

static bool open_drawing(Made *m, const char *items, const char *view) {
    const CdDrawing drawing = {
        .title = "x", .view = view, .width = 640, .height = 480, .names = true, .frames = true};
    test_log_open(&m->log);
    CHECK_OK(draw(m->log.ctx, items, &drawing, m));
    CHECK_TEXT(m->log.text, "");
    return m->text.v != NULL;
}

static void close_drawing(Made *m) {
    clear(m);
    test_log_close(&m->log);
}

#define POINT(name, at) \
    "{\"class\": \"MassPoint3D\", \"name\": \"" name "\", \"mass\": 1, \"position\": " at "}"
#define TWO POINT("a", "[0, 0, 0]") ", " POINT("b", "[1, 2, 3]")
#define GRAVITY(g) ", {\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": " g "}"

// from body 1 to body 2 in the picture, in metres: right, up
static void check_way(const char *items, const char *view, double right, double up) {
    Made m;
    double a[3], b[3];
    if (open_drawing(&m, items, view)) {
        cdi_camera_see(&m.drawn.camera, m.scene->start[1].p, a);
        cdi_camera_see(&m.drawn.camera, m.scene->start[2].p, b);
        if (!CHECK_NEAR((b[0] - a[0]) / m.drawn.camera.scale, right, 1e-12) ||
            !CHECK_NEAR((b[1] - a[1]) / m.drawn.camera.scale, up, 1e-12)) {
            printf("  for %s\n", view);
        }
        for (int i = 0; i < 2; i++) {
            CHECK(a[i] > 0 && b[i] > 0);
            CHECK(a[i] < (i == 0 ? m.drawn.width : m.drawn.height));
        }
        CHECK(m.drawn.width <= 640 && m.drawn.height <= 480);
    }
    close_drawing(&m);
}

TEST(views_show_the_axes_that_they_are_named_for) {
    check_way(TWO, "front", 1, 2);
    check_way(TWO, "top", 1, -3);
    check_way(TWO, "side", -3, 2);
    check_way(TWO GRAVITY("[0, 0, -9.81]"), "front", 1, 3);
    check_way(TWO GRAVITY("[0, 0, -9.81]"), "top", 1, 2);
    check_way(TWO GRAVITY("[0, 0, -9.81]"), "side", 2, 3);
    check_way(TWO GRAVITY("[-1, 0, 0]"), "front", 2, 1);
    check_way(TWO GRAVITY("[0, 0, 1]"), "front", 1, -3);
    // towards the eye: no picture of it; up stays up
    check_way(TWO, "0 0 1", 1, 2);
    check_way(TWO, " 0,0 -2 ", -1, 2);
    check_way(TWO, "0 5 0", 1, -3);
    check_way(TWO, "0 -5 0", 1, 3);
}

TEST(the_view_suits_the_mechanism) {
    const char *hinge = ", {\"class\": \"RevoluteJoint\", \"name\": \"h\", \"body_b\": \"b\"}";
    char items[1024];
    check_way(POINT("a", "[0, 0, 0]") ", " POINT("b", "[2, 1, 0]"), "auto", 2, 1);
    check_way(POINT("a", "[0, 0, 0]") ", " POINT("b", "[2, 0, 1]"), "auto", 2, -1);
    check_way(POINT("a", "[0, 0, 0]") ", " POINT("b", "[0, 2, 1]"), "auto", -1, 2);
    // along a line, the side that hinges turn in
    snprintf(items, sizeof items, "%s%s", POINT("a", "[0, 0, 0]") ", " POINT("b", "[2, 0, 0]"),
             hinge);
    check_way(items, "auto", 2, 0);
    // in space none
    Made m;
    if (open_drawing(&m, TWO, "auto")) {
        for (int i = 0; i < 3; i++) CHECK(m.drawn.camera.R[6 + i] > 0.2);
    }
    close_drawing(&m);
}

TEST(a_view_that_is_none_is_refused) {
    const char *views[] = {"frnt", "", "1 2", "1 2 3 4", "0 0 0", "1 2 x"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const CdDrawing drawing = {.title = "x", .view = views[i], .width = 640, .height = 480};
        Made m;
        char expected[256];
        test_log_open(&m.log);
        CHECK_INT(draw(m.log.ctx, TWO, &drawing, &m), CD_INVALID);
        snprintf(expected, sizeof expected,
                 "there is no view '%s'; give auto, front, top, side, iso, or a direction towards "
                 "the eye such as \"1 -2 1\"\n",
                 views[i]);
        CHECK_TEXT(m.log.text, expected);
        close_drawing(&m);
    }
}

TEST(names_and_titles_are_escaped) {
    Made m;
    if (open_drawing(&m, POINT("<a>&", "[0, 0, 0]"), "iso")) {
        CHECK(strstr(m.text.v, "&lt;a&gt;&amp;</text>") != NULL);
        CHECK(strstr(m.text.v, "<a>") == NULL);
    }
    close_drawing(&m);
    CdText text;
    test_log_open(&m.log);
    cdi_text_init(&text, m.log.ctx);
    cdi_svg_escape(&text, "\"a\tb\x01\xff\xc3\xa9\xef\xbf\xbf\xc3");
    CHECK_TEXT(text.v, "&quot;a?b??\xc3\xa9???"
                       "?");
    cdi_text_free(&text);
    test_log_close(&m.log);
}

TEST(the_same_scene_gives_the_same_text) {
    Made a, b;
    open_drawing(&a, TWO, "iso");
    open_drawing(&b, TWO, "iso");
    CHECK_TEXT(a.text.v, b.text.v);
    close_drawing(&b);
    close_drawing(&a);
}

TEST(nothing_can_be_drawn) {
    Made m;
    if (open_drawing(&m, "", "auto")) {
        CHECK(strstr(m.text.v, "</svg>") != NULL);
        CHECK(m.drawn.width >= 100 && m.drawn.height >= 100);
    }
    close_drawing(&m);
}

TEST(all_at_one_point_is_not_larger_than_a_symbol) {
    Made m;
    if (open_drawing(&m, POINT("a", "[0, 0, 0]") ", " POINT("b", "[0, 0, 0]"), "auto")) {
        CHECK(m.drawn.camera.scale * m.scene->unit < 30);
    }
    close_drawing(&m);
}

TEST(places_that_are_no_numbers_are_refused) {
    const CdDrawing drawing = {.title = "x", .view = "iso", .width = 640, .height = 480};
    Made m;
    test_log_open(&m.log);
    CHECK_OK(draw(m.log.ctx, TWO, &drawing, &m));
    CdFrame poses[3];
    memcpy(poses, m.scene->start, sizeof poses);
    poses[2].p[1] = NAN;
    const CdMoment at = {.pose = poses};
    CHECK_INT(cdi_svg_draw(m.scene, &drawing, &at, 1, &m.text, &m.drawn), CD_NONFINITE);
    CHECK_TEXT(m.log.text, "places of bodies are not finite numbers; they cannot be drawn\n");
    close_drawing(&m);
}

TEST(earlier_moments_are_faint) {
    const CdDrawing drawing = {.title = "x", .view = "front", .width = 640, .height = 480};
    Made m;
    test_log_open(&m.log);
    CHECK_OK(draw(m.log.ctx, TWO, &drawing, &m));
    CdFrame poses[3];
    memcpy(poses, m.scene->start, sizeof poses);
    poses[2].p[0] = 9;
    const CdMoment at[2] = {{.pose = poses}, {.pose = m.scene->start}};
    cdi_text_clear(&m.text);
    CHECK_OK(cdi_svg_draw(m.scene, &drawing, at, 2, &m.text, &m.drawn));
    CHECK(m.text.v && strstr(m.text.v, "<g opacity=\".33\">") != NULL);
    // both are in the picture
    double x[3];
    cdi_camera_see(&m.drawn.camera, poses[2].p, x);
    CHECK(x[0] > 0 && x[0] < m.drawn.width);
    close_drawing(&m);
}

static CdStatus draw_once(CdContext *ctx, void *user) {
    const CdDrawing drawing = {
        .title = "x", .view = "iso", .width = 640, .height = 480, .names = true, .frames = true};
    Made m;
    const CdStatus status = draw(ctx, user, &drawing, &m);
    clear(&m);
    return status;
}

TEST(memory_may_end) {
    char items[] =
        "{\"class\": \"RigidBody\", \"name\": \"b\", \"shape\": {\"class\": \"Cuboid\", \"size\": "
        "[1, 0.1, 0.1]}}, {\"class\": \"SpringDamper\", \"name\": \"s\", \"body_b\": \"b\", "
        "\"at\": "
        "[0.5, 0, 0], \"length\": 1, \"damping\": 1}" GRAVITY("[0, 0, -9.81]");
    CHECK_OOM(draw_once, items);
}

int main(void) {
    RUN(views_show_the_axes_that_they_are_named_for);
    RUN(the_view_suits_the_mechanism);
    RUN(a_view_that_is_none_is_refused);
    RUN(names_and_titles_are_escaped);
    RUN(the_same_scene_gives_the_same_text);
    RUN(nothing_can_be_drawn);
    RUN(all_at_one_point_is_not_larger_than_a_symbol);
    RUN(places_that_are_no_numbers_are_refused);
    RUN(earlier_moments_are_faint);
    RUN(memory_may_end);
    return test_end();
}
