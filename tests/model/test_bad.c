// test_bad.c - every kind of bad input is refused with its message, all mistakes at once, by lines
#include "model/bad.h"

TEST(nothing_to_complain_about) {
    accepts(MODEL(LINK ",\n" BAR));
    accepts("{\"cardan\": 1}");
}

TEST(frames_of_files) {
    refuses("[]", "x.json:1:1: a model must be an object, not an array\n");
    refuses("{}",
            "x.json:1:1: this is no model: the key \"cardan\" is missing; write \"cardan\": 1\n");
    refuses("{\"cardan\": 2}", "x.json:1:12: \"cardan\" must be 1, the version of the format\n");
    refuses("{\"cardan\": 1,\n\"itens\": [],\n\"colour\": 1}",
            "x.json:2:1: unknown key 'itens'; did you mean 'items'?\n"
            "x.json:3:1: unknown key 'colour'; a model has cardan, parameters, items, events and "
            "runs\n");
    refuses("{\"cardan\": 1, \"items\": {}}",
            "x.json:1:24: \"items\" must be an array, not an object\n");
    refuses("{\"cardan\": 1, \"events\": [1]}", "x.json:1:25: events are not supported yet\n");
    refuses(
        "{\"cardan\": 1,",
        "x.json:1:14: the text ends here, but the object opened at 1:1 is not closed; write }\n");
}

TEST(negative_and_missing_mass) {
    refuses(MODEL("{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": -1, \"inertia\": [[1, 0, "
                  "0], [0, 1, 0], [0, 0, 1]]}"),
            "x.json:2:45: RigidBody 'b': field 'mass': must be at least 0 kg, not -1\n");
    refuses(MODEL("{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 0, \"inertia\": [[1, 0, "
                  "0], [0, 1, 0], [0, 0, 1]]}"),
            "x.json:2:45: RigidBody 'b': field 'mass': must be above 0 kg, not 0\n");
    refuses(MODEL("{\"class\": \"RigidBody\", \"name\": \"b\"}"),
            "x.json:2:1: RigidBody 'b': field 'mass': is missing; give it, or a shape with its "
            "density\n"
            "x.json:2:1: RigidBody 'b': field 'inertia': is missing; give it, or a shape\n");
    refuses(MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": \"-2 g\"}"),
            "x.json:2:47: MassPoint3D 'b': field 'mass': must be above 0 kg, not -0.002\n");
    refuses(
        MODEL("{\"class\": \"RigidBody\", \"name\": \"b\", \"mass\": 1, \"inertia\": [[1, 2, "
              "0], [0, 1, 0], [0, 0, 1]]}"),
        "x.json:2:59: RigidBody 'b': field 'inertia': must be symmetric; xy is 2 and yx is 0\n");
}

TEST(zero_axes) {
    refuses(MODEL(LINK ",\n{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": \"link\", "
                       "\"axis\": [0, 0, 0]}"),
            "x.json:3:67: RevoluteJoint 'j': field 'axis': must not be zero; give a direction such "
            "as [0, 0, 1]\n");
    refuses(MODEL("{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"ground\", "
                  "\"orientation\": [0, 0, 0, 0]}"),
            "x.json:2:67: Marker 'm': field 'orientation': must have norm 1, not 0; the order is "
            "[w, x, y, z], no rotation is [1, 0, 0, 0]\n");
}

TEST(numbers_that_are_none) {
    refuses(MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": NaN}"),
            "x.json:2:47: NaN is not a JSON number; write a finite number or null\n");
    refuses(MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": 1e999}"),
            "x.json:2:47: this number is too large; the largest is about 1.8e308\n");
    refuses(MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": \"0/0\"}"),
            "x.json:2:47: MassPoint3D 'b': field 'mass': must be finite, not nan (\"0/0\")\n");
    refuses(
        MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": 1, \"position\": [0, "
              "\"1/0\", 0]}"),
        "x.json:2:66: MassPoint3D 'b': field 'position[1]': must be finite, not inf (\"1/0\")\n");
    refuses(
        MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": \"3 m\"}"),
        "x.json:2:47: MassPoint3D 'b': field 'mass': unit 'm' does not fit; give a value in kg\n");
    refuses(MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": [1]}"),
            "x.json:2:47: MassPoint3D 'b': field 'mass': must be a number, an expression of "
            "parameters, or text with a unit, not an array\n");
}

TEST(missing_references) {
    refuses(
        MODEL(LINK ",\n{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"lnik\"}"),
        "x.json:3:42: Marker 'm': field 'body': there is no body 'lnik'; did you mean 'link'?\n");
    refuses(MODEL(LINK ",\n{\"class\": \"Marker\", \"name\": \"m\"}"),
            "x.json:3:1: Marker 'm': field 'body': is missing; give the name of an item as text: "
            "body that carries it\n");
    refuses(MODEL(LINK ",\n{\"class\": \"RevoluteJoint\", \"name\": \"j\"}"),
            "x.json:3:1: RevoluteJoint 'j': it joins nothing; give marker_a and marker_b, or "
            "body_a and body_b with at and axis\n");
    refuses(MODEL(LINK ",\n{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"link\"},\n"
                       "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"marker_a\": \"m\"}"),
            "x.json:4:1: RevoluteJoint 'j': marker_b is missing; give both markers\n");
    refuses(
        MODEL(LINK ",\n{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"marker_a\": \"link\", "
                   "\"marker_b\": \"link\"}"),
        "x.json:3:53: RevoluteJoint 'j': field 'marker_a': must name a marker; 'link' is a body\n"
        "x.json:3:73: RevoluteJoint 'j': field 'marker_b': must name a marker; 'link' is a body\n");
    refuses(MODEL("{\"class\": \"Sensor\", \"name\": \"s\"}"),
            "x.json:2:1: Sensor 's': it is nowhere; give marker, or body and point\n");
}

TEST(duplicate_names) {
    refuses(
        MODEL(LINK ",\n" LINK),
        "x.json:3:1: RigidBody 'link': the name is taken by the item in line 2; choose another\n");
    refuses(MODEL("{\"class\": \"Ground\", \"name\": \"ground\"}"),
            "x.json:2:1: Ground 'ground': the name is taken; the ground is part of every model\n");
    refuses(MODEL("{\"class\": \"Gravity\"}"),
            "x.json:2:1: Gravity: needs a name; write \"name\": \"...\"\n");
    refuses(MODEL("{\"class\": \"Gravity\", \"name\": \"\"}"),
            "x.json:2:30: Gravity: the name must be a text that is not empty\n");
    refuses(
        MODEL("{\"class\": \"Gravity\", \"name\": \"a\\nb\"}"),
        "x.json:2:1: Gravity 'a\\nb': field 'name': must not hold quotes or control characters\n");
    // the first of them is wrong itself
    refuses(
        MODEL("{\"class\": \"MassPoint3D\", \"name\": \"link\", \"mass\": -1},\n" LINK),
        "x.json:2:50: MassPoint3D 'link': field 'mass': must be above 0 kg, not -1\n"
        "x.json:3:1: RigidBody 'link': the name is taken by the item in line 2; choose another\n");
}

TEST(cyclic_references) {
    refuses("{\"cardan\": 1,\n\"parameters\": {\n\"a\": \"b + 1\",\n\"b\": \"2*a\"}}",
            "x.json:3:6: parameters: field 'a': waits for 'b', which has no value yet; break the "
            "circle\n"
            "x.json:4:6: parameters: field 'b': waits for 'a', which has no value yet; break the "
            "circle\n");
    refuses(
        MODEL("{\"class\": \"JointMotion\", \"name\": \"a\", \"joint\": \"b\", \"motion\": "
              "0},\n{\"class\": \"JointMotion\", \"name\": \"b\", \"joint\": \"a\", "
              "\"motion\": 0}"),
        "x.json:2:48: JointMotion 'a': field 'joint': must have free coordinates; JointMotion 'b' "
        "has none\n");
}

TEST(unknown_classes_and_fields) {
    refuses(MODEL("{\"class\": \"RigidBdy\", \"name\": \"b\"}"),
            "x.json:2:11: there is no class 'RigidBdy'; did you mean 'RigidBody'?\n");
    refuses(MODEL("{\"class\": \"Flubber\", \"name\": \"b\"}"),
            "x.json:2:11: there is no class 'Flubber'; 'cardan help' lists them\n");
    refuses(MODEL("{\"name\": \"b\"}"), "x.json:2:1: an item must be an object that names its "
                                        "class: {\"class\": \"RigidBody\", \"name\": \"link\"}\n");
    refuses(MODEL("17"), "x.json:2:1: an item must be an object that names its class: {\"class\": "
                         "\"RigidBody\", \"name\": \"link\"}\n");
    refuses(MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mas\": 1}"),
            "x.json:2:39: MassPoint3D 'b': field 'mas': MassPoint3D has no such field; did you "
            "mean 'mass'?\n");
    refuses(MODEL("{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": 1, \"colour\": 1}"),
            "x.json:2:50: MassPoint3D 'b': field 'colour': MassPoint3D has no such field; see the "
            "manual page of MassPoint3D\n");
    refuses(MODEL("{\"class\": \"Sensor\", \"name\": \"s\", \"body\": \"ground\", \"quantity\": "
                  "\"postion\"}"),
            "x.json:2:64: Sensor 's': field 'quantity': must be position, velocity, acceleration, "
            "rotation, quaternion, angles, angular_velocity or angular_acceleration, not "
            "'postion'; did you mean 'position'?\n");
}

TEST(joints_of_one_body) {
    refuses(MODEL(LINK ",\n{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_a\": \"link\", "
                       "\"body_b\": \"link\"}"),
            "x.json:3:1: RevoluteJoint 'j': joins body 'link' to itself; name two bodies\n");
    refuses(MODEL(LINK ",\n{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"link\"},\n"
                       "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"marker_a\": \"m\", "
                       "\"marker_b\": \"m\"}"),
            "x.json:4:1: RevoluteJoint 'j': joins body 'link' to itself; name two bodies\n");
    refuses(MODEL("{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"body_b\": \"ground\"}"),
            "x.json:2:1: RevoluteJoint 'j': joins body 'ground' to itself; name two bodies\n");
    refuses(MODEL(LINK ",\n{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"link\"},\n"
                       "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"marker_a\": \"m\", "
                       "\"body_b\": \"link\"}"),
            "x.json:4:53: RevoluteJoint 'j': field 'marker_a': markers and bodies are both given; "
            "give one kind\n");
}

TEST(runs_that_cannot_be) {
    refuses("{\"cardan\": 1, \"runs\": [\n{\"duration\": 0}]}",
            "x.json:2:14: Run: field 'duration': must be above 0 s, not 0\n");
    refuses("{\"cardan\": 1, \"runs\": [\n{\"duration\": -1}]}",
            "x.json:2:14: Run: field 'duration': must be above 0 s, not -1\n");
    refuses("{\"cardan\": 1, \"runs\": [\n{\"step\": 0.1}]}",
            "x.json:2:1: Run: field 'duration': is missing; give a number, an expression of "
            "parameters, or text with a unit: time to simulate\n");
    refuses(
        "{\"cardan\": 1, \"runs\": [\n{\"duration\": 1, \"step\": 2}]}",
        "x.json:2:25: Run: field 'step': is longer than the duration of 1 s; make it shorter\n");
    refuses(
        "{\"cardan\": 1, \"runs\": [\n{\"duration\": 1, \"step\": 1e-300}]}",
        "x.json:2:25: Run: field 'step': would be taken 1e+300 times; at most 1e+10 are allowed\n");
    refuses("{\"cardan\": 1, \"runs\": [\n{\"duration\": 1, \"step\": -1}]}",
            "x.json:2:25: Run: field 'step': must be at least 0 s, not -1\n");
    refuses("{\"cardan\": 1, \"runs\": [\n{\"duration\": 1, \"interval\": 1e-12}]}",
            "x.json:2:29: Run: field 'interval': would give 1e+12 samples; at most 1e+08 are "
            "allowed\n");
    refuses("{\"cardan\": 1, \"runs\": {}}",
            "x.json:1:23: \"runs\" must be an array, not an object\n");
}

// an item that was refused is not missed by those who refer to it
TEST(one_mistake_is_told_once) {
    refuses(MODEL("{\"class\": \"RigidBody\", \"name\": \"link\", \"mass\": -1, \"inertia\": [[1, "
                  "0, 0], [0, 1, 0], [0, 0, 1]]},\n"
                  "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"link\"},\n"
                  "{\"class\": \"Marker\", \"name\": \"o\", \"body\": \"ground\"},\n"
                  "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"marker_a\": \"o\", "
                  "\"marker_b\": \"m\"},\n"
                  "{\"class\": \"JointSensor\", \"name\": \"s\", \"joint\": \"j\"}"),
            "x.json:2:48: RigidBody 'link': field 'mass': must be at least 0 kg, not -1\n");
    // nor one of an unknown class, nor one that names nothing
    refuses(
        MODEL("{\"class\": \"RigidBdy\", \"name\": \"link\"},\n"
              "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"link\"},\n"
              "{\"class\": \"Marker\", \"name\": \"n\", \"body\": \"lonk\"},\n"
              "{\"class\": \"RevoluteJoint\", \"name\": \"j\", \"marker_a\": \"m\", "
              "\"marker_b\": \"n\"}"),
        "x.json:2:11: there is no class 'RigidBdy'; did you mean 'RigidBody'?\n"
        "x.json:4:42: Marker 'n': field 'body': there is no body 'lonk'; did you mean 'link'?\n");
    // nor those that use parameters which are wrong
    refuses("{\"cardan\": 1, \"parameters\": {\"m\": \"1 +\", \"k\": 2}, \"items\": [\n"
            "{\"class\": \"MassPoint3D\", \"name\": \"a\", \"mass\": \"m + 1\"},\n"
            "{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": -1},\n"
            "{\"class\": \"Marker\", \"name\": \"c\", \"body\": \"a\"}]}",
            "x.json:1:35: parameters: field 'm': in \"1 +\", column 4: the expression ends where a "
            "value is expected\n"
            "x.json:3:47: MassPoint3D 'b': field 'mass': must be above 0 kg, not -1\n");
}

TEST(all_mistakes_at_once_by_lines) {
    refuses("{\"cardan\": 1, \"items\": [\n"
            "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"nobody\"},\n"
            "{\"class\": \"MassPoint3D\", \"name\": \"b\", \"mass\": -1},\n"
            "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"ground\"},\n"
            "{\"class\": \"RevoluteJoint\", \"name\": \"j\"},\n"
            "{\"class\": \"Flubber\"}\n"
            "], \"runs\": [{\"duration\": 0}],\n"
            "\"extra\": 1}",
            "x.json:2:42: Marker 'm': field 'body': there is no body 'nobody'\n"
            "x.json:3:47: MassPoint3D 'b': field 'mass': must be above 0 kg, not -1\n"
            "x.json:4:1: Marker 'm': the name is taken by the item in line 2; choose another\n"
            "x.json:5:1: RevoluteJoint 'j': it joins nothing; give marker_a and marker_b, or "
            "body_a and body_b with at and axis\n"
            "x.json:6:11: there is no class 'Flubber'; 'cardan help' lists them\n"
            "x.json:7:26: Run: field 'duration': must be above 0 s, not 0\n"
            "x.json:8:1: unknown key 'extra'; a model has cardan, parameters, items, events and "
            "runs\n");
}

TEST(many_mistakes_are_counted) {
    TestLog log;
    CdText text;
    CdModel *model;
    test_log_open(&log);
    cdi_text_init(&text, log.ctx);
    cdi_text_add(&text, "{\"cardan\": 1, \"items\": [0");
    for (int i = 1; i < 300; i++) cdi_text_add(&text, ",\n0");
    cdi_text_add(&text, "]}");
    CHECK_INT(cdi_model_read_text(log.ctx, text.v, text.n, "x.json", &model), CD_INVALID);
    const char *last = strstr(log.text, "and 100 more mistakes, which are not told one by one\n");
    CHECK(last && strlen(last) == 53);
    cdi_text_free(&text);
    test_log_close(&log);
}

TEST(foreign_text_names_no_files) {
    TestLog log;
    CdModel *model;
    const char *text =
        "{\"cardan\": 1, \"items\": [{\"class\": \"Include\", \"file\": \"a.json\"}]}";
    test_log_open(&log);
    CHECK_INT(cdi_model_read_foreign(log.ctx, text, strlen(text), &model), CD_INVALID);
    CHECK_TEXT(log.text, "Include: field 'file': files may not be named here\n");
    test_log_close(&log);
}

// what only assembly and the start can see
static void fails_to_start(const char *text, const char *method, const char *message) {
    TestLog log;
    CdModel *model;
    CdSimulation *sim;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model));
    CdStatus status = cd_simulation_new(model, method, &sim);
    if (status == CD_OK) status = cd_simulation_start(sim);
    CHECK(status != CD_OK);
    CHECK_TEXT(log.text, message);
    cd_simulation_free(sim);
    cdi_model_free(model);
    test_log_close(&log);
}

TEST(starts_that_cannot_be) {
    // the joint is a metre apart
    fails_to_start(
        MODEL(LINK ",\n{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"link\"},\n"
                   "{\"class\": \"Marker\", \"name\": \"o\", \"body\": \"ground\", "
                   "\"position\": [1, 0, 0]},\n"
                   "{\"class\": \"SphericalJoint\", \"name\": \"j\", \"marker_a\": "
                   "\"o\", \"marker_b\": \"m\"}"),
        "rk4(step=0.1)",
        "x.json:5:1: SphericalJoint 'j': the start violates the joint: along x by -1; up to "
        "0.001 is mended, give another start\n");
    // a point between two rods in a line
    fails_to_start(
        MODEL(
            "{\"class\": \"MassPoint3D\", \"name\": \"p\", \"mass\": 1},\n"
            "{\"class\": \"Marker\", \"name\": \"m\", \"body\": \"p\"},\n"
            "{\"class\": \"Marker\", \"name\": \"l\", \"body\": \"ground\", \"position\": [-1, 0, "
            "0]},\n"
            "{\"class\": \"Marker\", \"name\": \"r\", \"body\": \"ground\", \"position\": [1, 0, "
            "0]},\n"
            "{\"class\": \"DistanceJoint\", \"name\": \"a\", \"marker_a\": \"l\", \"marker_b\": "
            "\"m\", \"length\": 1},\n"
            "{\"class\": \"DistanceJoint\", \"name\": \"b\", \"marker_a\": \"r\", \"marker_b\": "
            "\"m\", \"length\": 1}"),
        "rk4(step=0.1)",
        "the start is a singular position of joints 'a', 'b': their constraints have rank 1 there "
        "and 2 nearby; start a little away from it\n");
    // two ends of a spring at one place: its direction is unknown
    fails_to_start(MODEL(LINK ",\n{\"class\": \"SpringDamper\", \"name\": \"s\", \"body_b\": "
                              "\"link\", \"length\": 1, \"stiffness\": 1}"),
                   "rk4(step=0.1)",
                   "problem 'model': vdot of x of body 'link' is nan at the start (t = 0)\n");
    fails_to_start(MODEL(LINK), "rk5", "there is no method 'rk5'; did you mean 'rk4'?\n");
    fails_to_start(MODEL(LINK), "rk4(step=0)", "method 'rk4' needs a step: write rk4(step=1e-3)\n");
    fails_to_start(MODEL(LINK), "rk4(step=1e-400)",
                   "method 'rk4' needs a step: write rk4(step=1e-3)\n");
}

int main(void) {
    RUN(nothing_to_complain_about);
    RUN(frames_of_files);
    RUN(negative_and_missing_mass);
    RUN(zero_axes);
    RUN(numbers_that_are_none);
    RUN(missing_references);
    RUN(duplicate_names);
    RUN(cyclic_references);
    RUN(unknown_classes_and_fields);
    RUN(joints_of_one_body);
    RUN(runs_that_cannot_be);
    RUN(one_mistake_is_told_once);
    RUN(all_mistakes_at_once_by_lines);
    RUN(many_mistakes_are_counted);
    RUN(foreign_text_names_no_files);
    RUN(starts_that_cannot_be);
    return test_end();
}
