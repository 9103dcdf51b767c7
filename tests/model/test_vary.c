// test_vary.c - a model with other parameters is the one that would have been read with them
#include <string.h>

#include "model/model.h"
#include "test.h"

#define FILES CD_SOURCE_DIR "/tests/model/files/"

// parameters, and items of all kinds that use them, in sub-models too
#define ITEMS                                                                                   \
    "\"items\": [\n"                                                                            \
    "{\"class\": \"MassPoint3D\", \"name\": \"frame\", \"mass\": \"m\"},\n"                     \
    "{\"class\": \"RigidBody\", \"name\": \"rod\", \"position\": [\"L/2\", 0, 0], \"mass\": "   \
    "\"2*m\", \"inertia\": [[\"J\", 0, 0], [0, \"J\", 0], [0, 0, \"J\"]]},\n"                   \
    "{\"class\": \"RigidBody\", \"name\": \"box\", \"position\": [0, \"L\", 0], \"shape\": "    \
    "{\"class\": \"Cuboid\", \"size\": [\"L\", 0.1, \"20 mm\"], \"density\": 100}},\n"          \
    "{\"class\": \"Force\", \"name\": \"push\", \"body\": \"rod\", \"x\": \"L*sin(t)\"},\n"     \
    "{\"class\": \"Include\", \"file\": \"nested.json\", \"prefix\": \"n.\", \"position\": "    \
    "[0, \"L\", 1], \"orientation\": [0.6, 0.8, 0, 0], \"parameters\": {\"stiff\": \"m*L\"}}\n" \
    "]}"
#define WITH(L, m) \
    "{\"cardan\": 1, \"parameters\": {\"L\": " L ", \"m\": " m ", \"J\": \"m*L^2\"}, " ITEMS

static CdModel *read(CdContext *ctx, const char *text) {
    CdModel *model;
    CHECK_OK(cdi_model_read_text(ctx, text, strlen(text), FILES "x.json", &model));
    return model;
}

static CdText written(CdModel *model, CdWriteForm form) {
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, model->ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_model_write(model, &w, form);
    CHECK_OK(text.status);
    return text;
}

static void check_same(CdModel *a, CdModel *b, CdWriteForm form) {
    CdText x = written(a, form), y = written(b, form);
    CHECK_TEXT(x.v, y.v);
    cdi_text_free(&x);
    cdi_text_free(&y);
}

TEST(a_variant_is_the_model_read_with_other_numbers) {
    TestLog log;
    CdModel *variant;
    test_log_open(&log);
    CdModel *model = read(log.ctx, WITH("\"500 mm\"", "3"));
    CdModel *same = read(log.ctx, WITH("\"500 mm\"", "3"));
    CdModel *fresh = read(log.ctx, WITH("0.7", "2"));
    const CdSetting settings[] = {cdi_setting_real("L", 0.7), cdi_setting_real("m", 2)};
    CHECK_OK(cdi_model_vary(model, settings, 2, &variant));
    check_same(variant, fresh, CD_NUMBERS);
    CHECK_NEAR(variant->params->values[2], 2 * 0.7 * 0.7, 1e-15);
    // the model itself is as before
    check_same(model, same, CD_NUMBERS);
    CHECK_NEAR(model->params->values[0], 0.5, 0);
    // frames of joints in sub-models follow too
    CHECK_INT((int)variant->markers.n, (int)fresh->markers.n);
    for (size_t i = 0; i < fresh->markers.n; i++) {
        const CdMarker *a = &variant->markers.v[i], *b = &fresh->markers.v[i];
        CHECK_INT(a->body, b->body);
        for (int k = 0; k < 3; k++) CHECK_BITS(a->offset.p[k], b->offset.p[k]);
        for (int k = 0; k < 9; k++) CHECK_BITS(a->offset.R[k], b->offset.R[k]);
    }
    cdi_model_free(variant);
    cdi_model_free(fresh);
    cdi_model_free(same);
    cdi_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(in_place_items_stay) {
    TestLog log;
    test_log_open(&log);
    CdModel *model = read(log.ctx, WITH("0.5", "3")), *fresh = read(log.ctx, WITH("0.7", "3"));
    const CdItem *rod = cdi_model_find(model, "rod");
    double x;
    CHECK_OK(cd_model_set_parameter(model, "L", "70 cm"));
    CHECK_OK(cd_model_check(model));
    CHECK(cdi_model_find(model, "rod") == rod);
    check_same(model, fresh, CD_NUMBERS);
    CHECK_OK(cd_item_get_real(cdi_model_find(model, "n.p.s1"), "stiffness", &x));
    CHECK_NEAR(x, 3 * 0.7 + 1, 1e-15);
    // again, by another kind of value, and it is written so
    CHECK_OK(cd_model_set_parameter_real(model, "L", 0.5));
    CHECK_OK(cd_model_set_parameter(model, "m", "L + 1.5"));
    CHECK_OK(cd_model_check(model));
    CdText text = written(model, CD_AS_GIVEN);
    CHECK(strstr(text.v, "\"L\": 0.5,") && strstr(text.v, "\"m\": \"L + 1.5\","));
    cdi_text_free(&text);
    cdi_model_free(fresh);
    cdi_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

TEST(fields_of_a_sub_model_are_set_as_seen_from_there) {
    TestLog log;
    CdModel *variant;
    test_log_open(&log);
    CdModel *model = read(log.ctx, WITH("0.5", "3")), *fresh = read(log.ctx, WITH("0.9", "3"));
    const double p[] = {5, 1, 2};
    CHECK_OK(cd_item_set_reals(cdi_model_find(model, "n.ball"), "position", p, 3));
    CHECK_OK(cd_item_set_reals(cdi_model_find(fresh, "n.ball"), "position", p, 3));
    CHECK_OK(cd_model_check(model));
    CHECK_OK(cd_model_check(fresh));
    CHECK_OK(cdi_model_vary(model, &(CdSetting){"L", {.kind = CD_JSON_NUMBER, .number = 0.9}}, 1,
                            &variant));
    check_same(variant, fresh, CD_NUMBERS);
    cdi_model_free(variant);
    cdi_model_free(fresh);
    cdi_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- mistakes

static void refuses(CdSetting setting, CdStatus expected, const char *message) {
    TestLog log;
    CdModel *variant;
    test_log_open(&log);
    CdModel *model =
        read(log.ctx, "{\"cardan\": 1, \"parameters\": {\"L\": 2, \"m\": \"2 kg\", \"k\": "
                      "\"sqrt(L)\"}, \"items\": [\n"
                      "{\"class\": \"MassPoint3D\", \"name\": \"a\", \"mass\": \"m\"},\n"
                      "{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": 1},\n"
                      "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_a\": "
                      "\"a\",\n  \"body_b\": \"b\", \"across\": [0, \"L - 1\", \"k\"]}]}");
    test_log_clear(&log);
    CdText before = written(model, CD_NUMBERS);
    CHECK_INT(cdi_model_vary(model, &setting, 1, &variant), expected);
    CHECK(!variant);
    if (expected == CD_NOTFOUND) {
        CHECK_TEXT(log.text, message);
    } else {
        CHECK_TEXT(log.text + strlen(FILES), message);
    }
    CdText after = written(model, CD_NUMBERS);
    CHECK_TEXT(after.v, before.v);
    cdi_text_free(&before);
    cdi_text_free(&after);
    cdi_model_free(model);
    test_log_close(&log);
}

TEST(refused_values_change_nothing) {
    refuses(cdi_setting_real("m", -1), CD_INVALID,
            "x.json:2:47: MassPoint3D 'a': field 'mass': must be above 0 kg, not -1\n");
    refuses(cdi_setting_text("L", "k"), CD_INVALID,
            "x.json: parameters: field 'L': waits for 'k', which has no value yet; break the "
            "circle\n" FILES "x.json:1:56: parameters: field 'k': waits for 'L', which has no "
            "value yet; break the circle\n");
    refuses(cdi_setting_real("L", -1), CD_INVALID,
            "x.json:1:56: parameters: field 'k': must be finite, not nan (\"sqrt(L)\")\n");
    refuses(cdi_setting_real("l", 2), CD_NOTFOUND,
            "there is no parameter 'l'; did you mean 'L'?\n");
    refuses(cdi_setting_real("mass", 2), CD_NOTFOUND, "there is no parameter 'mass'\n");
    // only when everything is put together
    refuses(cdi_setting_real("L", 1), CD_INVALID,
            "x.json:5:28: RevoluteJoint 'j': field 'across': must not be along the axis; leave it "
            "out, or give a direction across it\n");
}

TEST(parameters_in_c) {
    TestLog log;
    CdModel *model;
    CdItem *a;
    CdSimulation *sim;
    double x;
    test_log_open(&log);
    CHECK_OK(cd_model_new(log.ctx, &model));
    CHECK_OK(cd_model_set_parameter(model, "m", "2 kg"));
    CHECK_OK(cd_model_set_parameter(model, "twice", "2*m"));
    CHECK_OK(cd_model_add(model, "MassPoint3D", "a", &a));
    CHECK_OK(cd_item_set_text(a, "mass", "twice"));
    CHECK_OK(cd_model_set_parameter_real(model, "m", 5));
    CHECK_OK(cd_item_get_real(a, "mass", &x));
    CHECK_NEAR(x, 10, 0);
    CHECK_TEXT(log.text, "");
    CHECK_INT(cd_model_set_parameter(model, "m", "twice"), CD_INVALID);
    CHECK_INT(cd_model_set_parameter(model, "3m", "1"), CD_INVALID);
    CHECK_INT(cd_model_set_parameter_real(model, "m", -5), CD_INVALID);
    CHECK_TEXT(
        log.text,
        "parameters: field 'm': waits for 'twice', which has no value yet; break the circle\n"
        "parameters: field 'twice': waits for 'm', which has no value yet; break the circle\n"
        "parameters: '3m' is not a name; use letters, digits and _, a letter first\n"
        "MassPoint3D 'a': field 'mass': must be above 0 kg, not -10\n");
    CHECK_OK(cd_item_get_real(a, "mass", &x));
    CHECK_NEAR(x, 10, 0);
    CHECK_OK(cd_simulation_new(model, "rk4(step=0.1)", &sim));
    test_log_clear(&log);
    CHECK_INT(cd_model_set_parameter(model, "m", "1"), CD_INVALID);
    CHECK_TEXT(log.text,
               "the model is in use by a simulation; free it before the model is changed\n");
    cd_simulation_free(sim);
    CdText text = written(model, CD_AS_GIVEN);
    CHECK(strstr(text.v, "\"m\": 5,\n    \"twice\": \"2*m\"\n"));
    cdi_text_free(&text);
    cd_model_free(model);
    test_log_close(&log);
}

static CdStatus vary_all(CdContext *ctx, void *user) {
    (void)user;
    CdModel *model, *variant;
    const char *text = "{\"cardan\": 1, \"parameters\": {\"L\": 1, \"m\": \"3*L\"}, \"items\": ["
                       "{\"class\": \"MassPoint3D\", \"name\": \"frame\", \"mass\": \"m\"},"
                       "{\"class\": \"Include\", \"file\": \"planar.json\", \"prefix\": \"n.\", "
                       "\"position\": [0, \"L\", 0]}]}";
    CD_TRY(cdi_model_read_text(ctx, text, strlen(text), FILES "x.json", &model));
    const CdSetting setting = cdi_setting_real("L", 0.6);
    CdStatus status = cdi_model_vary(model, &setting, 1, &variant);
    if (status == CD_OK) status = cdi_model_set(model, &setting, 1, false);
    if (status == CD_OK) status = cdi_model_resolve(model);
    cdi_model_free(variant);
    cdi_model_free(model);
    return status;
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(vary_all, NULL);
}

int main(void) {
    RUN(a_variant_is_the_model_read_with_other_numbers);
    RUN(in_place_items_stay);
    RUN(fields_of_a_sub_model_are_set_as_seen_from_there);
    RUN(refused_values_change_nothing);
    RUN(parameters_in_c);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
