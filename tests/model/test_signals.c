// test_signals.c - sensors that expressions name: how they are found, and every mistake by its text
#include "model/bad.h"

#define TIP "{\"class\": \"Sensor\", \"name\": \"tip\", \"body\": \"link\"}"
#define ACC                                                                         \
    "{\"class\": \"Sensor\", \"name\": \"acc\", \"body\": \"link\", \"quantity\": " \
    "\"acceleration\"}"
#define HINGE "{\"class\": \"RevoluteJoint\", \"name\": \"hinge\", \"body_b\": \"link\"}"
#define ANGLE "{\"class\": \"JointSensor\", \"name\": \"angle\", \"joint\": \"hinge\"}"
#define FORCE(x) "{\"class\": \"Force\", \"name\": \"f\", \"body\": \"link\", \"x\": \"" x "\"}"
#define EXPRESSION(name, value, more) \
    "{\"class\": \"ExpressionSensor\", \"name\": \"" name "\", \"value\": \"" value "\"" more "}"

TEST(channels_of_sensors_are_names) {
    accepts(MODEL(LINK ",\n" FORCE("-3*tip.x - tip.y^2") ",\n" TIP));
    accepts(MODEL(LINK ",\n" HINGE ",\n" FORCE("sin(angle.angle) + angle") ",\n" ANGLE));
    accepts(MODEL(LINK ",\n" FORCE(
        "'left tip.x' + 'a'") ",\n{\"class\": \"Sensor\", \"name\": "
                              "\"left tip\", \"body\": \"link\"},\n" EXPRESSION("a", "t", "")));
}

TEST(unknown_names_are_told_with_what_may_be_meant) {
    refuses(MODEL(LINK ",\n" FORCE("2*tp.x") ",\n" TIP),
            "x.json:3:54: Force 'f': field 'x': in \"2*tp.x\", column 3: unknown name 'tp.x'; did "
            "you mean 'tip.x'?\n");
    refuses(MODEL(LINK ",\n" FORCE("tt + 1")),
            "x.json:3:54: Force 'f': field 'x': in \"tt + 1\", column 1: unknown name 'tt'\n");
    refuses(MODEL(LINK ",\n" FORCE("2*something.else")),
            "x.json:3:54: Force 'f': field 'x': in \"2*something.else\", column 3: unknown name "
            "'something.else'\n");
    refuses(MODEL(LINK ",\n" FORCE("sine(t)")),
            "x.json:3:54: Force 'f': field 'x': in \"sine(t)\", column 1: unknown name 'sine'; did "
            "you mean 'sin'?\n");
    refuses(MODEL(LINK ",\n" HINGE ",\n" ANGLE ",\n" FORCE("angl")),
            "x.json:5:54: Force 'f': field 'x': in \"angl\", column 1: unknown name 'angl'; did "
            "you mean 'angle'?\n");
}

TEST(quotes_must_be_closed) {
    refuses(MODEL(LINK ",\n" FORCE("2*'tip.x")),
            "x.json:3:54: Force 'f': field 'x': in \"2*'tip.x\", column 3: a closing ' is "
            "missing\n");
    refuses(MODEL(LINK ",\n" FORCE("2*''")),
            "x.json:3:54: Force 'f': field 'x': in \"2*''\", column 3: expected a name between "
            "the quotes\n");
}

TEST(numbers_of_a_sensor_are_listed) {
    refuses(MODEL(LINK ",\n" TIP ",\n" FORCE("1 + tip")),
            "x.json:4:54: Force 'f': field 'x': in \"1 + tip\", column 5: sensor 'tip' has 3 "
            "numbers; choose one of x, y, z\n");
    refuses(MODEL(LINK ",\n" TIP ",\n" FORCE("tip.vx")),
            "x.json:4:54: Force 'f': field 'x': in \"tip.vx\", column 1: sensor 'tip' has no "
            "number 'vx'; it has x, y, z\n");
}

TEST(only_sensors_are_read) {
    refuses(MODEL(LINK ",\n" FORCE("link.x")),
            "x.json:3:54: Force 'f': field 'x': in \"link.x\", column 1: 'link' is a body, not a "
            "sensor; add a sensor that looks at it\n");
}

TEST(fields_whose_rate_is_needed_read_no_sensors) {
    refuses(MODEL(LINK ",\n" HINGE ",\n" TIP
                       ",\n{\"class\": \"JointMotion\", \"name\": \"m\", \"joint\": \"hinge\", "
                       "\"motion\": \"t + tip.x\"}"),
            "x.json:5:67: JointMotion 'm': field 'motion': in \"t + tip.x\", column 5: 'tip' is a "
            "sensor, which this field cannot read, as its rate in time is needed; let the force "
            "of a load or connector read it\n");
    refuses(MODEL(LINK ",\n" TIP
                       ",\n{\"class\": \"LinearActuator\", \"name\": \"m\", \"body_b\": \"link\", "
                       "\"target\": \"tip.x\"}"),
            "x.json:4:70: LinearActuator 'm': field 'target': in \"tip.x\", column 1: 'tip' is a "
            "sensor, which this field cannot read, as its rate in time is needed; let the force "
            "of a load or connector read it\n");
}

TEST(what_follows_from_forces_needs_a_delay) {
    refuses(MODEL(LINK ",\n" ACC ",\n" FORCE("t*acc.ay")),
            "x.json:4:54: Force 'f': field 'x': in \"t*acc.ay\", column 3: 'acc.ay' follows from "
            "forces and cannot be read by one; let an ExpressionSensor with \"delay\": true read "
            "it\n");
    // through another sensor too
    refuses(MODEL(LINK ",\n" ACC ",\n" EXPRESSION("a", "acc.ax", "") ",\n" FORCE("a")),
            "x.json:5:54: Force 'f': field 'x': in \"a\", column 1: 'a' follows from forces and "
            "cannot be read by one; let an ExpressionSensor with \"delay\": true read it\n");
    refuses(MODEL(LINK ",\n{\"class\": \"SystemSensor\", \"name\": \"e\"},\n" FORCE("e.total")),
            "x.json:4:54: Force 'f': field 'x': in \"e.total\", column 1: 'e.total' follows from "
            "forces and cannot be read by one; let an ExpressionSensor with \"delay\": true read "
            "it\n");
    accepts(MODEL(LINK ",\n" ACC
                       ",\n" EXPRESSION("a", "acc.ax", ", \"delay\": true") ",\n" FORCE("a")));
    accepts(MODEL(LINK ",\n" ACC ",\n" EXPRESSION("a", "acc.ax", "")));
}

TEST(circles_are_named_and_broken_by_a_delay) {
    refuses(MODEL(LINK ",\n" EXPRESSION("a", "b + 1", "") ",\n" EXPRESSION(
                "b", "2*c", "") ",\n" EXPRESSION("c", "a", "")),
            "x.json:5:1: ExpressionSensor 'c': reads itself: a -> b -> c -> a; put an "
            "ExpressionSensor with \"delay\": true between\n");
    refuses(MODEL(LINK ",\n" EXPRESSION("a", "a/2", "")),
            "x.json:3:1: ExpressionSensor 'a': reads itself: a -> a; put an ExpressionSensor with "
            "\"delay\": true between\n");
    accepts(MODEL(
        LINK ",\n" EXPRESSION("a", "b + 1", "") ",\n" EXPRESSION("b", "2*a", ", \"delay\": true")));
    refuses(MODEL(LINK ",\n{\"class\": \"SpringDamper\", \"name\": \"s\", \"body_b\": \"link\", "
                       "\"length\": 1, \"elastic\": \"x*k.rate\"},\n{\"class\": "
                       "\"ConnectorSensor\", \"name\": \"k\", \"connector\": \"s\"}"),
            "x.json:4:1: ConnectorSensor 'k': reads itself: k -> k; put an ExpressionSensor with "
            "\"delay\": true between\n");
    accepts(MODEL(LINK ",\n" EXPRESSION("a", "a + 1", ", \"delay\": true, \"start\": 2")));
}

TEST(one_mistake_is_told_once) {
    // the sensor itself is wrong
    refuses(MODEL(LINK ",\n" FORCE("tip.x") ",\n{\"class\": \"Sensor\", \"name\": \"tip\", "
                                            "\"body\": \"lonk\"}"),
            "x.json:4:44: Sensor 'tip': field 'body': there is no body 'lonk'; did you mean "
            "'link'?\n");
    refuses(MODEL(LINK ",\n" FORCE("tip.x") ",\n{\"class\": \"Sensor\", \"name\": \"tip\", "
                                            "\"body\": 3}"),
            "x.json:4:44: Sensor 'tip': field 'body': must be the name of an item as text, not a "
            "number\n");
    // and all at once
    refuses(MODEL(LINK ",\n" FORCE("tip.u + tap.x") ",\n" TIP ",\n" EXPRESSION("a", "a", "")),
            "x.json:3:54: Force 'f': field 'x': in \"tip.u + tap.x\", column 1: sensor 'tip' has "
            "no number 'u'; it has x, y, z\n"
            "x.json:3:54: Force 'f': field 'x': in \"tip.u + tap.x\", column 9: unknown name "
            "'tap.x'; did you mean 'tip.x'?\n"
            "x.json:5:1: ExpressionSensor 'a': reads itself: a -> a; put an ExpressionSensor with "
            "\"delay\": true between\n");
}

TEST(units_of_values_are_units) {
    refuses(MODEL(LINK ",\n" EXPRESSION("a", "t", ", \"unit\": \"apples\"")),
            "x.json:3:66: ExpressionSensor 'a': field 'unit': is not a unit; write one like m, "
            "rad/s, kN, or 1\n");
}

// ---- sub-models

TEST(names_are_looked_for_inside_of_a_sub_model_first) {
    TestLog log;
    CdModel *model;
    const char *text =
        MODEL(LINK ",\n{\"class\": \"Include\", \"file\": \"held.json\", "
                   "\"prefix\": \"left.\"},\n{\"class\": \"Include\", \"file\": "
                   "\"held.json\", \"prefix\": \"right.\"},\n" TIP
                   ",\n" EXPRESSION("whole", "tip.z", "") ",\n" FORCE("left.tip.y*tip.z"));
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text),
                                 CD_SOURCE_DIR "/tests/model/files/x.json", &model));
    CHECK_TEXT(log.text, "");
    if (model) {
        const CdSignal *inside = cd_model_find(model, "right.hold")->readings[0].v;
        CHECK(inside[0].sensor == cd_model_find(model, "right.tip"));
        CHECK(inside[1].sensor == cd_model_find(model, "whole"));
        const CdSignal *outside = cd_model_find(model, "f")->readings[0].v;
        CHECK(outside[0].sensor == cd_model_find(model, "left.tip"));
        CHECK(outside[1].sensor == cd_model_find(model, "tip"));
        CHECK_INT(outside[1].component, 2);
    }
    cdi_model_free(model);
    test_log_close(&log);
}

// ---- from C

TEST(a_changed_model_is_looked_at_again) {
    TestLog log;
    CdModel *model;
    const char *text = MODEL(LINK ",\n" FORCE("tip.x") ",\n" TIP);
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model));
    CdItem *force = cd_model_find(model, "f");
    CHECK_INT(force->nreadings, 1);
    CHECK_OK(cd_item_set_text(force, "x", "tip.z + tip.x"));
    CHECK_OK(cd_item_set_json(force, "y", "\"tip.q\""));
    CHECK_INT(cd_model_check(model), CD_INVALID);
    CHECK_TEXT(
        log.text,
        "x.json:1:1: Force 'f': field 'y': in \"tip.q\", column 1: sensor 'tip' has no number "
        "'q'; it has x, y, z\n");
    CHECK_OK(cd_item_set_json(force, "y", "0"));
    CHECK_OK(cd_model_check(model));
    CHECK_INT(force->nreadings, 1);
    CHECK_INT(force->readings[0].n, 2);
    CHECK_INT(force->readings[0].v[0].component, 2);
    CHECK(force->readings[0].v[0].sensor == cd_model_find(model, "tip"));
    CHECK_INT(model->order.n, 1);
    cdi_model_free(model);
    test_log_close(&log);
}

int main(void) {
    RUN(channels_of_sensors_are_names);
    RUN(unknown_names_are_told_with_what_may_be_meant);
    RUN(quotes_must_be_closed);
    RUN(numbers_of_a_sensor_are_listed);
    RUN(only_sensors_are_read);
    RUN(fields_whose_rate_is_needed_read_no_sensors);
    RUN(what_follows_from_forces_needs_a_delay);
    RUN(circles_are_named_and_broken_by_a_delay);
    RUN(one_mistake_is_told_once);
    RUN(units_of_values_are_units);
    RUN(names_are_looked_for_inside_of_a_sub_model_first);
    RUN(a_changed_model_is_looked_at_again);
    return test_end();
}
