// test_include.c - sub-models: names, parameters, poses, and files that cannot be taken
#include <math.h>

#include "math/quat.h"
#include "model/bad.h"

#define FILES CD_SOURCE_DIR "/tests/model/files/"

static CdModel *model_of(TestLog *log, const char *items) {
    CdText text;
    CdModel *model;
    cdi_text_init(&text, log->ctx);
    cdi_text_addf(&text, "{\"cardan\": 1, \"items\": [\n%s\n]}", items);
    CHECK_OK(cdi_model_read_text(log->ctx, text.v, text.n, FILES "x.json", &model));
    CHECK_TEXT(log->text, "");
    cdi_text_free(&text);
    return model;
}

// messages without the folder of the files
static void refuses_here(const char *items, const char *messages) {
    TestLog log;
    CdText text;
    CdModel *model;
    char got[4096];
    size_t n = 0;
    test_log_open(&log);
    cdi_text_init(&text, log.ctx);
    cdi_text_addf(&text, "{\"cardan\": 1, \"items\": [\n%s\n]}", items);
    CHECK(cdi_model_read_text(log.ctx, text.v, text.n, FILES "x.json", &model) != CD_OK);
    for (const char *p = log.text; *p && n < sizeof got - 1;) {
        if (strncmp(p, FILES, strlen(FILES)) == 0) p += strlen(FILES);
        got[n++] = *p++;
    }
    got[n] = 0;
    CHECK_TEXT(got, messages);
    cdi_model_free(model);
    cdi_text_free(&text);
    test_log_close(&log);
}

static const char *target(const CdModel *model, const char *item, const char *field) {
    const CdItem *it = cdi_model_find(model, item);
    const CdField *f = it ? cdi_desc_field(&it->cls->desc, field) : NULL;
    if (!f) return "no such item or field";
    const CdRef *ref = (const CdRef *)(const void *)((const char *)it->data + f->offset);
    return ref->target ? cdi_item_name(ref->target) : "nothing";
}

TEST(names_are_found_inside_first) {
    TestLog log;
    double k;
    test_log_open(&log);
    CdModel *model =
        model_of(&log, "{\"class\": \"MassPoint3D\", \"name\": \"ball\", \"mass\": 3},\n"
                       "{\"class\": \"MassPoint3D\", \"name\": \"frame\", \"mass\": 3},\n"
                       "{\"class\": \"Include\", \"file\": \"nested.json\", \"prefix\": \"n.\"},\n"
                       "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"n.p.link\"}");
    CHECK_TEXT(target(model, "n.own", "body"), "n.ball");
    CHECK_TEXT(target(model, "n.outer", "body"), "frame");
    CHECK_TEXT(target(model, "n.p.pole", "body"), "n.p.ball");
    CHECK_TEXT(target(model, "n.p.post", "body"), "ground");
    CHECK_TEXT(target(model, "m", "body"), "n.p.link");
    CHECK_OK(cd_item_get_real(cdi_model_find(model, "n.p.s1"), "stiffness", &k));
    CHECK_NEAR(k, 8, 0);
    // gravity of sub-models does not count
    CHECK(model->gravity[0] == 0 && model->gravity[1] == 0 && model->gravity[2] == 0);
    cdi_model_free(model);
    test_log_close(&log);
}

// ---- poses

enum { NBODIES = 5 };
static const char *const bodies[NBODIES] = {"link", "ball", "bead", "disc", "arm"};

typedef struct Place {
    double p[3], q[4];
} Place;

static void places_after(CdModel *model, const char *prefix, Place places[NBODIES]) {
    static const char *const parts[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    CdSimulation *sim;
    char name[64];
    double numbers[7];
    CHECK_OK(cd_simulation_new(model, "rk4(step=0.002)", &sim));
    CHECK_OK(cd_simulation_start(sim));
    CHECK_OK(cd_simulation_run(sim, 0.5, 0.1, NULL));
    for (int b = 0; b < NBODIES; b++) {
        for (int k = 0; k < 7; k++) {
            snprintf(name, sizeof name, "%s%s.%s", prefix, bodies[b], parts[k]);
            CHECK_OK(cd_simulation_get(sim, name, &numbers[k]));
        }
        memcpy(places[b].p, numbers, sizeof places[b].p);
        memcpy(places[b].q, numbers + 3, sizeof places[b].q);
    }
    cd_simulation_free(sim);
}

// a rigidly moved sub-model moves rigidly
TEST(a_pose_moves_everything) {
    TestLog log;
    Place still[NBODIES], moved[NBODIES];
    const double t[3] = {3, -2, 1}, half[4] = {0.6, 0, 0.64, 0.48};
    test_log_open(&log);
    CdModel *a = model_of(&log, "{\"class\": \"Include\", \"file\": \"part.json\"}");
    CdModel *b = model_of(&log, "{\"class\": \"Include\", \"file\": \"part.json\", \"prefix\": "
                                "\"b.\", \"position\": [3, -2, 1], "
                                "\"orientation\": [0.6, 0, 0.64, 0.48]}");
    places_after(a, "", still);
    places_after(b, "b.", moved);
    for (int k = 0; k < NBODIES; k++) {
        double p[3];
        quat_rotate(half, still[k].p, p);
        for (int i = 0; i < 3; i++) CHECK_NEAR(moved[k].p[i], p[i] + t[i], 1e-10);
    }
    // the body that can turn has turned
    double q[4];
    quat_mul(half, still[0].q, q);
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += q[i] * moved[0].q[i];
    CHECK_NEAR(fabs(dot), 1, 1e-10);
    CHECK(fabs(still[0].p[0] - 0.5) > 0.01); // it did move
    cdi_model_free(a);
    cdi_model_free(b);
    test_log_close(&log);
}

// two poses one in the other are one
TEST(poses_follow_each_other) {
    TestLog log;
    test_log_open(&log);
    CdModel *m = model_of(&log, "{\"class\": \"MassPoint3D\", \"name\": \"frame\", \"mass\": 3},\n"
                                "{\"class\": \"Include\", \"file\": \"nested.json\", \"position\": "
                                "[10, 0, 0], \"orientation\": [0.8, 0.6, 0, 0]}");
    const double *p = (const double *)cdi_model_find(m, "p.ball")->data;
    // (1, 0.2, 0.1) up by 1, then turned about x: cos = 0.28, sin = 0.96
    CHECK_NEAR(p[0], 11, 1e-15);
    CHECK_NEAR(p[1], 0.28 * 0.2 - 0.96 * 1.1, 1e-15);
    CHECK_NEAR(p[2], 0.96 * 0.2 + 0.28 * 1.1, 1e-15);
    cdi_model_free(m);
    test_log_close(&log);
}

TEST(planar_bodies_stay_in_their_plane) {
    TestLog log;
    test_log_open(&log);
    CdModel *m = model_of(&log, "{\"class\": \"Include\", \"file\": \"planar.json\", \"position\": "
                                "[1, 2, 3], \"orientation\": [0.8, 0, 0, 0.6]}");
    double angle;
    CHECK_OK(cd_item_get_real(cdi_model_find(m, "plate"), "angle", &angle));
    CHECK_NEAR(angle, 0.5 + 2 * atan2(0.6, 0.8), 1e-15);
    cdi_model_free(m);
    test_log_close(&log);
    refuses_here(
        "{\"class\": \"Include\", \"file\": \"planar.json\", \"orientation\": [0.8, 0.6, "
        "0, 0]}",
        "planar.json:2:1: RigidBody2D 'plate': cannot be placed so: its directions of motion are "
        "fixed in the world; change the pose of the Include, or use a body in space\n"
        "planar.json:4:1: MassPoint2D 'dot': cannot be placed so: its directions of motion are "
        "fixed in the world; change the pose of the Include, or use a body in space\n");
}

TEST(coordinates_cannot_be_moved) {
    TestLog log;
    test_log_open(&log);
    cdi_model_free(model_of(&log, "{\"class\": \"Include\", \"file\": \"coordinate.json\", "
                                  "\"position\": [1, 2, 0]}"));
    test_log_close(&log);
    refuses_here("{\"class\": \"Include\", \"file\": \"coordinate.json\", \"position\": [0, 0, 1]}",
                 "coordinate.json:3:79: CoordinateMarker 'height': field 'coordinate': 'z' is "
                 "another one after the pose of the Include; use markers that are frames\n");
}

TEST(loads_along_the_world_cannot_be_turned) {
    TestLog log;
    test_log_open(&log);
    cdi_model_free(model_of(&log, "{\"class\": \"Include\", \"file\": \"world.json\", "
                                  "\"position\": [1, 2, 0]}"));
    test_log_close(&log);
    refuses_here("{\"class\": \"Include\", \"file\": \"world.json\", \"orientation\": [0.6, 0.8, "
                 "0, 0]}",
                 "world.json:3:1: Force 'push': field 'axes': are those of the world, which do not "
                 "turn with the Include; take the marker's \"own\", or turn the Include back\n");
}

// ---- mistakes

TEST(files_that_cannot_be_taken) {
    refuses_here("{\"class\": \"Include\", \"file\": \"cycle_a.json\"}",
                 "cycle_b.json:2:30: Include: field 'file': includes itself: cycle_a.json -> "
                 "cycle_b.json -> cycle_a.json\n");
    refuses_here("{\"class\": \"Include\"}",
                 "x.json:2:1: Include: field 'file': is missing; give the path of a file as text: "
                 "model whose items are taken, seen from this file\n");
    refuses_here("{\"class\": \"Include\", \"file\": \"nobody.json\", \"prefix\": \"a.\"},\n"
                 "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"a.link\"}",
                 "x.json:2:30: Include: field 'file': could not be read\n"
                 "nobody.json: cannot open: No such file or directory\n");
    refuses_here("{\"class\": \"Include\", \"file\": \"part.json\", \"parameters\": {\"kk\": 1}}",
                 "x.json:2:57: Include: field 'parameters': the file has no parameter 'kk'\n");
    refuses_here("{\"class\": \"Include\", \"file\": \"part.json\"},\n"
                 "{\"class\": \"Gravity\", \"name\": \"ball\"}",
                 "x.json:3:1: Gravity 'ball': the name is taken by the item in part.json:13; give "
                 "an Include a prefix\n");
    refuses_here(
        "{\"class\": \"Include\", \"fil\": \"part.json\", \"prefix\": \"a.\"},\n"
        "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"a.link\"}",
        "x.json:2:22: Include: field 'fil': Include has no such field; did you mean 'file'?\n");
}

TEST(mistakes_of_two_files) {
    refuses_here(
        "{\"class\": \"Include\", \"file\": \"wrong.json\", \"prefix\": \"a.\"},\n"
        "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"a.ball\"},\n"
        "{\"class\": \"Marker\", \"name\": \"o\", \"body\": \"b.ball\"}",
        "x.json:4:42: Marker 'o': field 'body': there is no body 'b.ball'; did you mean 'a.ball'?\n"
        "wrong.json:2:50: MassPoint3D 'ball': field 'mass': must be above 0 kg, not -1\n"
        "wrong.json:3:42: Marker 'a.m': field 'body': there is no body 'bal'; did you mean "
        "'ball'?\n");
}

TEST(depth_is_limited) {
    TestLog log;
    CdModel *model;
    test_log_open(&log);
    CHECK_INT(cdi_model_read_file(log.ctx, FILES "deep.json", &model), CD_INVALID);
    CHECK(strstr(log.text, "field 'file': is nested too deep; at most 16 files within files\n"));
    test_log_close(&log);
}

static CdStatus read_nested(CdContext *ctx, void *user) {
    (void)user;
    CdModel *model;
    const char *text = "{\"cardan\": 1, \"items\": ["
                       "{\"class\": \"MassPoint3D\", \"name\": \"frame\", \"mass\": 3},"
                       "{\"class\": \"Include\", \"file\": \"nested.json\", \"prefix\": \"n.\", "
                       "\"position\": [0, 0, 1]}]}";
    CD_TRY(cdi_model_read_text(ctx, text, strlen(text), FILES "x.json", &model));
    cdi_model_free(model);
    return CD_OK;
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(read_nested, NULL);
}

int main(void) {
    RUN(names_are_found_inside_first);
    RUN(a_pose_moves_everything);
    RUN(poses_follow_each_other);
    RUN(planar_bodies_stay_in_their_plane);
    RUN(coordinates_cannot_be_moved);
    RUN(loads_along_the_world_cannot_be_turned);
    RUN(files_that_cannot_be_taken);
    RUN(mistakes_of_two_files);
    RUN(depth_is_limited);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
