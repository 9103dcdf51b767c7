// test_model.c - the same model from JSON and from C; written, read again; simulated step by step
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "model/bad.h"

// ---- a mechanism twice: crank and rod on hinge and ball joint, with spring and gravity

static const char *const crank_json =
    "{\"cardan\": 1, \"parameters\": {\"L\": 0.5}, \"items\": [\n"
    "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]},\n"
    "{\"class\": \"RigidBody\", \"name\": \"crank\", \"position\": [\"L/2\", 0, 0], \"mass\": 2, "
    "\"inertia\": [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]], \"angular_velocity\": [0, 0, 2], "
    "\"velocity\": [0, \"L\", 0]},\n"
    "{\"class\": \"RigidBody\", \"name\": \"rod\", \"position\": [\"3*L/2\", 0, 0], \"shape\": "
    "{\"class\": \"Cuboid\", \"size\": [\"L\", \"5 cm\", 0.1]}, \"velocity\": [0, \"2*L\", 0]},\n"
    "{\"class\": \"RevoluteJoint\", \"name\": \"hinge\", \"body_b\": \"crank\"},\n"
    "{\"class\": \"SphericalJoint\", \"name\": \"ball\", \"body_a\": \"crank\", \"body_b\": "
    "\"rod\", \"at\": [\"L\", 0, 0]},\n"
    "{\"class\": \"Marker\", \"name\": \"post\", \"body\": \"ground\", \"position\": [1, 1, "
    "0.2]},\n"
    "{\"class\": \"Marker\", \"name\": \"end\", \"body\": \"rod\", \"position\": [0.25, 0, 0]},\n"
    "{\"class\": \"SpringDamper\", \"name\": \"spring\", \"marker_a\": \"post\", \"marker_b\": "
    "\"end\", \"length\": 0.5, \"stiffness\": \"2 kN/m\", \"damping\": 3},\n"
    "{\"class\": \"JointSensor\", \"name\": \"turn\", \"joint\": \"hinge\"}\n]}";

#define SET(call) CHECK_OK(cd_item_set_##call)

static CdItem *add(CdModel *m, const char *cls, const char *name) {
    CdItem *item;
    CHECK_OK(cd_model_add(m, cls, name, &item));
    return item;
}

static void add_crank(CdModel *m) {
    const double L = 0.5;
    CdItem *g = add(m, "Gravity", "g");
    SET(reals(g, "acceleration", (double[]){0, -9.81, 0}, 3));
    CdItem *crank = add(m, "RigidBody", "crank");
    SET(reals(crank, "position", (double[]){L / 2, 0, 0}, 3));
    SET(real(crank, "mass", 2));
    SET(json(crank, "inertia", "[[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]]"));
    SET(reals(crank, "angular_velocity", (double[]){0, 0, 2}, 3));
    SET(reals(crank, "velocity", (double[]){0, L, 0}, 3));
    CdItem *rod = add(m, "RigidBody", "rod");
    SET(reals(rod, "position", (double[]){3 * L / 2, 0, 0}, 3));
    SET(json(rod, "shape", "{\"class\": \"Cuboid\", \"size\": [0.5, \"5 cm\", 0.1]}"));
    SET(reals(rod, "velocity", (double[]){0, 2 * L, 0}, 3));
    SET(text(add(m, "RevoluteJoint", "hinge"), "body_b", "crank"));
}

static void add_rest(CdModel *m) {
    CdItem *ball = add(m, "SphericalJoint", "ball");
    SET(text(ball, "body_a", "crank"));
    SET(text(ball, "body_b", "rod"));
    SET(reals(ball, "at", (double[]){0.5, 0, 0}, 3));
    CHECK_OK(cd_model_add_json(m, "{\"class\": \"Marker\", \"name\": \"post\", \"body\": "
                                  "\"ground\", \"position\": [1, 1, 0.2]}"));
    CdItem *end = add(m, "Marker", "end");
    SET(text(end, "body", "rod"));
    SET(reals(end, "position", (double[]){0.25, 0, 0}, 3));
    CdItem *spring = add(m, "SpringDamper", "spring");
    SET(text(spring, "marker_a", "post"));
    SET(text(spring, "marker_b", "end"));
    SET(real(spring, "length", 0.5));
    SET(text(spring, "stiffness", "2 kN/m"));
    SET(real(spring, "damping", 3));
    SET(text(add(m, "JointSensor", "turn"), "joint", "hinge"));
}

static CdModel *from_json(CdContext *ctx) {
    CdModel *m;
    CHECK_OK(cdi_model_read_text(ctx, crank_json, strlen(crank_json), "crank.json", &m));
    return m;
}

static CdModel *from_c(CdContext *ctx) {
    CdModel *m;
    CHECK_OK(cd_model_new(ctx, &m));
    add_crank(m);
    add_rest(m);
    CHECK_OK(cd_model_check(m));
    return m;
}

static CdSimulation *run(CdModel *m, const char *method, double t) {
    CdSimulation *sim;
    CHECK_OK(cd_simulation_new(m, method, &sim));
    CHECK_OK(cd_simulation_start(sim));
    CHECK_OK(cd_simulation_run(sim, t, 0.01, NULL));
    return sim;
}

static void check_same(CdSimulation *a, CdSimulation *b) {
    const CdPoint *x = cd_simulation_now(a), *y = cd_simulation_now(b);
    CHECK_BITS(x->t, y->t);
    for (int i = 0; i < 14; i++) CHECK_BITS(x->q[i], y->q[i]);
    for (int i = 0; i < 12; i++) CHECK_BITS(x->v[i], y->v[i]);
}

TEST(json_and_c_give_the_same_model) {
    static const char *const methods[] = {"rk4(step=0.002)", "gen-alpha(step=0.002)",
                                          "integrator=gen-alpha(step=0.002) threads=2"};
    TestLog log;
    test_log_open(&log);
    CdModel *a = from_json(log.ctx), *b = from_c(log.ctx);
    for (int i = 0; i < 3; i++) {
        CdSimulation *x = run(a, methods[i], 0.2), *y = run(b, methods[i], 0.2);
        check_same(x, y);
        CHECK(fabs(cd_simulation_now(x)->q[1]) > 0.01); // it moved
        cd_simulation_free(x);
        cd_simulation_free(y);
    }
    cd_model_free(a);
    cd_model_free(b);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- writing

static CdText text_of(const CdModel *m, CdWriteForm form) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, m->ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_model_write(m, &w, form);
    CHECK_OK(text.status);
    return text;
}

TEST(what_is_written_is_read_again) {
    TestLog log;
    CdModel *again;
    test_log_open(&log);
    CdModel *m = from_json(log.ctx);
    for (int form = CD_AS_GIVEN; form <= CD_NUMBERS; form++) {
        CdText once = text_of(m, (CdWriteForm)form);
        CHECK_OK(cdi_model_read_text(log.ctx, once.v, once.n, "again.json", &again));
        CdText twice = text_of(again, (CdWriteForm)form);
        CHECK_TEXT(twice.v, once.v);
        CdSimulation *x = run(m, "rk4(step=0.002)", 0.1), *y = run(again, "rk4(step=0.002)", 0.1);
        check_same(x, y);
        cd_simulation_free(x);
        cd_simulation_free(y);
        cdi_text_free(&once);
        cdi_text_free(&twice);
        cd_model_free(again);
    }
    CHECK_TEXT(log.text, "");
    cd_model_free(m);
    test_log_close(&log);
}

TEST(as_given_means_to_the_letter) {
    static const char *const text =
        "{\"cardan\": 1, \"parameters\": {\"L\": \"500 mm\"}, \"items\": [{\"class\": "
        "\"MassPoint3D\", \"name\": \"a\", \"position\": [\"L\", 0, 0], \"mass\": \"3 g\"}, "
        "{\"class\": \"Gravity\", \"name\": \"g\"}], \"runs\": [{\"duration\": \"2 min\"}]}";
    TestLog log;
    CdText out;
    CdModel *m;
    CdJsonWriter w;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &m));
    cdi_text_init(&out, log.ctx);
    cdi_json_writer_init(&w, &out, 0);
    cdi_model_write(m, &w, CD_AS_GIVEN);
    CHECK_TEXT(out.v, text);
    cdi_text_free(&out);
    cd_model_free(m);
    test_log_close(&log);
}

static CdStatus give_runs(CdContext *ctx, void *user) {
    CdModel *m;
    CD_TRY(cd_model_new(ctx, &m));
    const CdStatus status = cdi_model_set_runs(m, user);
    cd_model_free(m);
    return status;
}

TEST(runs_are_given_and_replaced) {
    TestLog log;
    CdModel *m;
    test_log_open(&log);
    CHECK_OK(cd_model_new(log.ctx, &m));
    CHECK_OK(cdi_model_set_runs(m, "[{\"duration\": \"2 min\"}]"));
    CHECK(cdi_model_set_runs(m, "[{\"duration\": -1}]") == CD_INVALID);
    CHECK(cdi_model_set_runs(m, "{}") == CD_INVALID);
    CHECK_TEXT(log.text, "Run: field 'duration': must be above 0 s, not -1\n"
                         "runs must be a list, not an object\n");
    CdText text = text_of(m, CD_AS_GIVEN);
    CHECK_TEXT(text.v, "{\n  \"cardan\": 1,\n  \"items\": [],\n  \"runs\": [{\"duration\": "
                       "\"2 min\"}]\n}");
    cdi_text_free(&text);
    CHECK_OK(cdi_model_set_runs(m, "[]"));
    CHECK(!m->runs);
    cd_model_free(m);
    test_log_close(&log);
    CHECK_OOM(give_runs, "[{\"duration\": 1}]");
}

TEST(nothing_is_left_of_items_that_are_refused) {
    TestLog log;
    CdModel *m;
    test_log_open(&log);
    CHECK_OK(cd_model_new(log.ctx, &m));
    CHECK(cd_model_add_json(m, "{\"class\": \"MassPoint3D\", \"name\": \"a\", \"mass\": -1}"));
    CHECK(cd_model_add_json(m, "{\"class\": \"Include\", \"file\": \"" CD_SOURCE_DIR
                               "/tests/model/files/part.json\", \"prefix\": \"b.\", "
                               "\"parameters\": {\"nothing\": 1}}"));
    CHECK_INT(m->items.n, 1); // the ground
    CHECK_OK(cd_model_set_parameter_real(m, "L", 1));
    CHECK_OK(cd_model_add_json(m, "{\"class\": \"MassPoint3D\", \"name\": \"a\", \"mass\": 1}"));
    CHECK_OK(cd_model_check(m));
    cd_model_free(m);
    test_log_close(&log);
}

// sub-models are spread, and stand where they were put
TEST(resolved_form_of_includes) {
    TestLog log;
    CdModel *m, *again;
    const char *path = "test_model_resolved.json";
    const char *text = "{\"cardan\": 1, \"items\": [{\"class\": \"Include\", \"file\": "
                       "\"part.json\", \"prefix\": \"a.\", \"position\": [1, 2, 3], "
                       "\"orientation\": [0.6, 0, 0.8, 0]}]}";
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text),
                                 CD_SOURCE_DIR "/tests/model/files/x.json", &m));
    CHECK_OK(cd_model_write(m, path, CD_MODEL_RESOLVED));
    CHECK_OK(cd_model_read(log.ctx, path, &again));
    CdSimulation *x = run(m, "rk4(step=0.01)", 0.1), *y = run(again, "rk4(step=0.01)", 0.1);
    const CdPoint *p = cd_simulation_now(x), *q = cd_simulation_now(y);
    for (int i = 0; i < 12; i++) CHECK_NEAR(p->q[i], q->q[i], 1e-12);
    cd_simulation_free(x);
    cd_simulation_free(y);
    CdText given = text_of(m, CD_AS_GIVEN);
    CHECK(strstr(given.v, "\"Include\"") && !strstr(given.v, "RigidBody"));
    cdi_text_free(&given);
    cd_model_free(m);
    cd_model_free(again);
    remove(path);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// of every example, both forms are read again to the same
TEST(examples_are_written_and_read_again) {
    static const char *const names[] = {"pendulum",
                                        "double_pendulum",
                                        "four_bar",
                                        "slider_crank",
                                        "governor",
                                        "heavy_top",
                                        "wheels",
                                        "robot_arm",
                                        "quarter_car",
                                        "chain",
                                        "spatial_slider_crank"};
    TestLog log;
    test_log_open(&log);
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        const CdWriteForm form = i % 2 ? CD_NUMBERS : CD_AS_GIVEN;
        const char *folder = CD_SOURCE_DIR "/examples/mechanisms/";
        char path[300];
        CdModel *m, *again;
        snprintf(path, sizeof path, "%s%s.json", folder, names[i / 2]);
        CHECK_OK(cd_model_read(log.ctx, path, &m));
        CdText once = text_of(m, form);
        CHECK_OK(cdi_model_read_text(log.ctx, once.v, once.n, path, &again));
        CdText twice = text_of(again, form);
        CHECK_TEXT(twice.v, once.v);
        CHECK_INT(again->items.n, m->items.n);
        cdi_text_free(&once);
        cdi_text_free(&twice);
        cd_model_free(m);
        cd_model_free(again);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- step by step

TEST(a_simulation_is_saved_and_continued) {
    static const char *const methods[] = {"rk4(step=0.01)", "gen-alpha(step=0.01)"};
    TestLog log;
    test_log_open(&log);
    CdModel *m = from_json(log.ctx);
    for (int i = 0; i < 2; i++) {
        CdSimulation *a = run(m, methods[i], 0.1), *b = run(m, methods[i], 0.05);
        const size_t n = cd_simulation_save_size(a);
        void *saved = malloc(n);
        double x, y;
        CHECK(n > 0);
        CHECK_OK(cd_simulation_save(a, saved, n));
        CHECK_OK(cd_simulation_load(b, saved, n));
        for (int k = 0; k < 20; k++) CHECK_OK(cd_simulation_step(a, 1));
        for (int k = 0; k < 20; k++) CHECK_OK(cd_simulation_step(b, 1));
        check_same(a, b);
        CHECK_OK(cd_simulation_get(a, "turn.angle", &x));
        CHECK_OK(cd_simulation_get(b, "turn.angle", &y));
        CHECK_BITS(x, y);
        // and back
        CHECK_OK(cd_simulation_load(a, saved, n));
        CHECK_NEAR(cd_simulation_time(a), 0.1, 1e-15);
        free(saved);
        cd_simulation_free(a);
        cd_simulation_free(b);
    }
    CHECK_TEXT(log.text, "");
    cd_model_free(m);
    test_log_close(&log);
}

// turns that were made before belong to the state
TEST(angles_go_on_from_a_saved_state) {
    static const char *const text =
        MODEL("{\"class\": \"RigidBody\", \"name\": \"wheel\", \"mass\": 1, \"inertia\": [[1, 0, "
              "0], [0, 1, 0], [0, 0, 1]], \"angular_velocity\": [0, 0, 20]},\n"
              "{\"class\": \"RevoluteJoint\", \"name\": \"hub\", \"body_b\": \"wheel\"},\n"
              "{\"class\": \"JointSensor\", \"name\": \"turn\", \"joint\": \"hub\"}");
    TestLog log;
    CdModel *m;
    CdSimulation *fresh;
    double x;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &m));
    CdSimulation *sim = run(m, "rk4(step=0.01)", 1);
    const size_t n = cd_simulation_save_size(sim);
    void *saved = malloc(n);
    CHECK_OK(cd_simulation_save(sim, saved, n));
    CHECK_OK(cd_simulation_new(m, "rk4(step=0.01)", &fresh));
    CHECK_OK(cd_simulation_start(fresh));
    CHECK_OK(cd_simulation_load(fresh, saved, n));
    CHECK_OK(cd_simulation_get(fresh, "turn.angle", &x));
    CHECK_NEAR(x, 20, 1e-4);
    // and a new start forgets them
    CHECK_OK(cd_simulation_start(fresh));
    CHECK_OK(cd_simulation_get(fresh, "turn.angle", &x));
    CHECK_NEAR(x, 0, 1e-12);
    free(saved);
    cd_simulation_free(sim);
    cd_simulation_free(fresh);
    cd_model_free(m);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(a_run_goes_into_a_table) {
    TestLog log;
    CdModel *m;
    CdSimulation *sim;
    char *text;
    size_t n;
    const char *model = "{\"cardan\": 1, \"items\": [{\"class\": \"MassPoint3D\", \"name\": \"a\", "
                        "\"mass\": 1, \"velocity\": [2, 0, 0]}, {\"class\": \"Sensor\", \"name\": "
                        "\"s\", \"body\": \"a\"}]}";
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, model, strlen(model), "x.json", &m));
    CHECK_OK(cd_simulation_new(m, "rk4(step=0.25)", &sim));
    CHECK_OK(cd_simulation_start(sim));
    CHECK_OK(cd_simulation_run(sim, 1, 0.5, "test_model.csv"));
    CHECK_OK(cdi_file_read(log.ctx, "test_model.csv", 10000, &text, &n));
    // a comment, the names, three rows
    int lines = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    CHECK_INT(lines, 5);
    CHECK(strstr(text, "\nt,s.x,s.y,s.z\n0,0,0,0\n0.5,") && strstr(text, ",0,0\n1,"));
    CHECK_INT(cd_simulation_channels(sim), 3);
    const char *unit;
    CHECK_TEXT(cd_simulation_channel(sim, 0, &unit), "s.x");
    CHECK_TEXT(unit, "m");
    CHECK(cd_simulation_channel(sim, 3, NULL) == NULL);
    CHECK(cd_simulation_statistics(sim)->steps == 4);
    cdi_free(log.ctx, text);
    cd_simulation_free(sim);
    cd_model_free(m);
    remove("test_model.csv");
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(wrong_calls_are_told) {
    TestLog log;
    CdSimulation *sim;
    CdItem *item;
    double x;
    test_log_open(&log);
    CdModel *m = from_json(log.ctx);
    CHECK_INT(cd_model_add(m, "Rigid", "x", &item), CD_NOTFOUND);
    CHECK_INT(cd_item_set_real(cd_model_find(m, "crank"), "mas", 1), CD_NOTFOUND);
    CHECK_INT(cd_item_set_real(cd_model_find(m, "crank"), "mass", NAN), CD_INVALID);
    CHECK_INT(cd_item_set_real(cd_model_find(m, "crank"), "mass", -1), CD_INVALID);
    CHECK(cd_model_find(m, "nobody") == NULL);
    CHECK_OK(cd_simulation_new(m, "rk4(step=0.01)", &sim));
    CHECK_INT(cd_simulation_step(sim, 1), CD_INVALID);
    CHECK_INT(cd_simulation_get(sim, "turn.angle", &x), CD_INVALID);
    CHECK_OK(cd_simulation_start(sim));
    CHECK_INT(cd_simulation_get(sim, "turn.angel", &x), CD_NOTFOUND);
    CHECK_INT(cd_simulation_step(sim, 0), CD_INVALID);
    CHECK_INT(cd_simulation_run(sim, 1, -1, NULL), CD_INVALID);
    CHECK_INT(cd_simulation_set(sim, "wind", 1), CD_NOTFOUND);
    CHECK_INT(cd_simulation_save(sim, &x, sizeof x), CD_INVALID);
    CHECK_INT(cd_item_set_real(cd_model_find(m, "crank"), "mass", 1), CD_INVALID);
    CHECK_INT(cd_model_add(m, "Gravity", "more", &item), CD_INVALID);
    char expected[2048];
    snprintf(expected, sizeof expected,
             "there is no class 'Rigid'; 'cardan help' lists them\n"
             "RigidBody 'crank': field 'mas': RigidBody has no such field; did you mean 'mass'?\n"
             "RigidBody 'crank': field 'mass': must be finite, not nan\n"
             "RigidBody 'crank': field 'mass': must be at least 0 kg, not -1\n"
             "the simulation was not started; call cd_simulation_start before\n"
             "the simulation was not started; call cd_simulation_start before\n"
             "there is no channel 'turn.angel'; did you mean 'turn.angle'?\n"
             "t_limit must lie after the time of the simulation, 0 s, not at 0\n"
             "interval must be positive, or 0 for every step, not -1\n"
             "there is no parameter 'wind'\n"
             "a saved state has %zu bytes here, not 8\n"
             "the model is in use by a simulation; free it before the model is changed\n"
             "the model is in use by a simulation; free it before the model is changed\n",
             cd_simulation_save_size(sim));
    CHECK_TEXT(log.text, expected);
    cd_simulation_free(sim);
    // now it may be changed, and is looked at again
    CHECK_OK(cd_item_set_text(cd_model_find(m, "hinge"), "body_b", "nobody"));
    test_log_clear(&log);
    CHECK_INT(cd_simulation_new(m, "rk4(step=0.01)", &sim), CD_INVALID);
    CHECK_TEXT(log.text, "crank.json:5:1: RevoluteJoint 'hinge': field 'body_b': there is no body "
                         "'nobody'\n");
    CHECK_OK(cd_item_set_text(cd_model_find(m, "hinge"), "body_b", "crank"));
    CHECK_OK(cd_simulation_new(m, "rk4(step=0.01)", &sim));
    cd_simulation_free(sim);
    cd_model_free(m);
    test_log_close(&log);
}

// ---- memory

static CdStatus build_and_step(CdContext *ctx, void *user) {
    CdModel *m;
    CdSimulation *sim;
    (void)user;
    CD_TRY(cdi_model_read_text(ctx, crank_json, strlen(crank_json), "x", &m));
    CdStatus status = cd_simulation_new(m, "rk4(step=0.01)", &sim);
    if (status == CD_OK) status = cd_simulation_start(sim);
    if (status == CD_OK) status = cd_simulation_step(sim, 1);
    cd_simulation_free(sim);
    cd_model_free(m);
    return status;
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(build_and_step, NULL);
}

int main(void) {
    RUN(json_and_c_give_the_same_model);
    RUN(what_is_written_is_read_again);
    RUN(as_given_means_to_the_letter);
    RUN(runs_are_given_and_replaced);
    RUN(nothing_is_left_of_items_that_are_refused);
    RUN(resolved_form_of_includes);
    RUN(examples_are_written_and_read_again);
    RUN(a_simulation_is_saved_and_continued);
    RUN(angles_go_on_from_a_saved_state);
    RUN(a_run_goes_into_a_table);
    RUN(wrong_calls_are_told);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
