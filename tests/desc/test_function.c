// test_function.c - functions of one variable: values and derivatives of every kind
#include "desc/function.h"

#include <math.h>
#include <string.h>

#include "test.h"

typedef struct Holder {
    CdFunction f;
} Holder;

static const CdField fields[] = {CD_FIELD(Holder, f, FUNCTION, "m", "null", "", "any function")};
static const CdDesc holder_class = {
    .name = "Holder", .doc = "Holds a function", .size = sizeof(Holder), CD_FIELDS(fields)};

static TestLog log_;

static CdObject *make(const char *json) {
    CdObject *object;
    CHECK_OK(cdi_object_new(log_.ctx, &holder_class, NULL, &object));
    if (!CHECK_OK(cdi_object_set(object, "f", json, NULL))) printf("%s%s\n", json, log_.text);
    CHECK_OK(cdi_object_check(object, NULL));
    return object;
}

static void eval(const CdObject *object, double x, double y[3]) {
    cdi_function_eval(&((const Holder *)cdi_object_data(object))->f, x, y);
}

static void check_at(const char *json, double x, double v, double d, double dd) {
    CdObject *object = make(json);
    double y[3];
    eval(object, x, y);
    CHECK_BITS(cdi_function_value(&((const Holder *)cdi_object_data(object))->f, x), y[0]);
    bool ok = CHECK_NEAR(y[0], v, 1e-14 * (1 + fabs(v)));
    ok = CHECK_NEAR(y[1], d, 1e-14 * (1 + fabs(d))) && ok;
    ok = CHECK_NEAR(y[2], dd, 1e-14 * (1 + fabs(dd))) && ok;
    if (!ok) printf("in %s at %g\n", json, x);
    cdi_object_free(object);
}

TEST(simple_kinds) {
    test_log_open(&log_);
    check_at("null", 3, 0, 0, 0);
    check_at("2.5", 3, 2.5, 0, 0);
    check_at("\"5 mm\"", 3, 0.005, 0, 0);
    check_at("{\"class\": \"Constant\", \"value\": \"1 km\"}", 3, 1000, 0, 0);
    check_at("{\"class\": \"Polynomial\", \"coefficients\": [1, 2, 3, 4]}", 2, 49, 62, 54);
    check_at("{\"class\": \"Polynomial\", \"coefficients\": [7]}", 2, 7, 0, 0);
    check_at("{\"class\": \"Harmonic\", \"amplitude\": 2, \"omega\": 3, \"phase\": 0.5, "
             "\"offset\": 1}",
             0.4, 1 + 2 * sin(1.7), 6 * cos(1.7), -18 * sin(1.7));
    check_at("\"t^2 + sin(t)\"", 2, 4 + sin(2), 4 + cos(2), 2 - sin(2));
    check_at("{\"class\": \"Expression\", \"text\": \"3*t\"}", 2, 6, 3, 0);
    test_log_close(&log_);
}

TEST(linear_tables) {
    test_log_open(&log_);
    const char *hold = "{\"class\": \"Table\", \"points\": [[0, 1], [1, 3], [3, 2]], "
                       "\"interpolation\": \"linear\"}";
    check_at(hold, 0.5, 2, 2, 0);
    check_at(hold, 0, 1, 2, 0);
    check_at(hold, 2, 2.5, -0.5, 0);
    check_at(hold, 3, 2, -0.5, 0);
    check_at(hold, -1, 1, 0, 0);
    check_at(hold, 9, 2, 0, 0);
    const char *extend = "{\"class\": \"Table\", \"points\": [[0, 1], [1, 3], [3, 2]], "
                         "\"interpolation\": \"linear\", \"beyond\": \"extend\"}";
    check_at(extend, -1, -1, 2, 0);
    check_at(extend, 5, 1, -0.5, 0);
    CdObject *object = make(hold);
    double y[3];
    eval(object, NAN, y);
    CHECK(isnan(y[0]));
    cdi_object_free(object);
    test_log_close(&log_);
}

// a natural spline of a straight line is the line; of two intervals it is known in closed form:
// points (-1, 0), (0, 1), (1, 0) give m = (0, -3, 0), so y = 1 - 1.5 x^2 + 0.5 |x|^3
TEST(spline_tables) {
    test_log_open(&log_);
    check_at("{\"class\": \"Table\", \"points\": [[0, 1], [1, 3], [4, 9]]}", 2.2, 5.4, 2, 0);
    const char *hat = "{\"class\": \"Table\", \"points\": [[-1, 0], [0, 1], [1, 0]]}";
    for (double x = -1; x <= 1; x += 0.125) {
        double a = fabs(x), s = x < 0 ? -1 : 1;
        check_at(hat, x, 1 - 1.5 * a * a + 0.5 * a * a * a, s * (-3 * a + 1.5 * a * a), -3 + 3 * a);
    }
    check_at(hat, 2, 0, 0, 0);
    check_at("{\"class\": \"Table\", \"points\": [[-1, 0], [0, 1], [1, 0]], \"beyond\": "
             "\"extend\"}",
             2, -1.5, -1.5, 0);
    test_log_close(&log_);
}

// error of the spline of sin on [0, pi], whose second derivative vanishes at the ends, falls with
// h^4
TEST(spline_converges_with_fourth_order) {
    test_log_open(&log_);
    double error[2];
    for (int k = 0; k < 2; k++) {
        int n = k == 0 ? 16 : 32;
        double h = 3.14159265358979323846 / n;
        CdText json;
        cdi_text_init(&json, log_.ctx);
        cdi_text_add(&json, "{\"class\": \"Table\", \"points\": [");
        for (int i = 0; i <= n; i++) {
            cdi_text_addf(&json, "%s[%.17g, %.17g]", i ? ", " : "", i * h, sin(i * h));
        }
        cdi_text_add(&json, "]}");
        CdObject *object = make(json.v);
        cdi_text_free(&json);
        error[k] = 0;
        for (int i = 0; i < 1000; i++) {
            double x = i * n * h / 1000, y[3];
            eval(object, x, y);
            error[k] = fmax(error[k], fabs(y[0] - sin(x)));
        }
        cdi_object_free(object);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 4, 0.1);
    test_log_close(&log_);
}

TEST(tables_come_from_files) {
    test_log_open(&log_);
    CdObject *object;
    CdSource source = {.file = CD_SOURCE_DIR "/examples/tables/wheels.json"};
    CHECK_OK(cdi_object_new(log_.ctx, &holder_class, NULL, &object));
    CHECK_OK(cdi_object_set(object, "f",
                            "{\"class\": \"Table\", \"points\": \"road.csv\", "
                            "\"interpolation\": \"linear\"}",
                            &source));
    CHECK_OK(cdi_object_check(object, &source));
    double y[3];
    eval(object, 5.25, y);
    CHECK_NEAR(y[0], 0.025, 1e-15);
    CHECK_INT(
        cdi_object_set(object, "f", "{\"class\": \"Table\", \"points\": \"wheel.c\"}", &source),
        CD_INVALID);
    CHECK_INT(
        cdi_object_set(object, "f", "{\"class\": \"Table\", \"points\": \"/dev/zero\"}", &source),
        CD_INVALID);
    CHECK_TEXT(log_.text,
               CD_SOURCE_DIR "/examples/tables/wheel.c:1:1: expected a number\n" CD_SOURCE_DIR
                             "/examples/tables/wheels.json:1:30: Holder: field 'f.points': "
                             "\"wheel.c\" is not a table of numbers; see the message "
                             "before\n"
                             "/dev/zero: is not an ordinary file\n" CD_SOURCE_DIR
                             "/examples/tables/wheels.json:1:30: Holder: field 'f.points': "
                             "\"/dev/zero\" is not a table of numbers; see the message "
                             "before\n");
    cdi_object_free(object);
    test_log_close(&log_);
}

TEST(tables_out_of_bounds_are_refused) {
    test_log_open(&log_);
    static const char *const bad[] = {"[[0, 0], [1e-300, 1e300], [1, 0]]",
                                      "[[0, 0], [1, 1e308], [2, -1e308], [3, 0]]",
                                      "[[-1e308, 0], [1e308, 1]]"};
    static const char *const rows[] = {"1 and 2", "2 and 3", "1 and 2"};
    CdObject *object;
    CHECK_OK(cdi_object_new(log_.ctx, &holder_class, NULL, &object));
    for (int i = 0; i < 3; i++) {
        char json[200], message[200];
        snprintf(json, sizeof json, "{\"class\": \"Table\", \"points\": %s}", bad[i]);
        snprintf(message, sizeof message,
                 "Holder: field 'f.points': rows %s lie too far apart or too close\n", rows[i]);
        test_log_clear(&log_);
        CHECK_INT(cdi_object_set(object, "f", json, NULL), CD_INVALID);
        CHECK_TEXT(log_.text, message);
    }
    test_log_clear(&log_);
    CHECK_INT(cdi_object_set(object, "f", "\"1/0\"", NULL), CD_INVALID);
    CHECK_INT(cdi_object_set(object, "f", "{\"class\": \"Expression\", \"text\": \"0/0\"}", NULL),
              CD_INVALID);
    CHECK_TEXT(log_.text, "Holder: field 'f': must be finite, not inf (\"1/0\")\n"
                          "Holder: field 'f': must be finite, not nan (\"0/0\")\n");
    cdi_object_free(object);
    test_log_close(&log_);
}

static CdStatus make_and_free(CdContext *ctx, void *user) {
    CdObject *object;
    CD_TRY(cdi_object_new(ctx, &holder_class, NULL, &object));
    CdSource source = {.file = CD_SOURCE_DIR "/examples/tables/wheels.json"};
    CdStatus status = cdi_object_set(object, "f", user, &source);
    cdi_object_free(object);
    return status;
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(make_and_free, "{\"class\": \"Table\", \"points\": \"road.csv\"}");
    CHECK_OOM(make_and_free, "{\"class\": \"Polynomial\", \"coefficients\": [1, \"2*3\"]}");
    CHECK_OOM(make_and_free, "\"sin(t)\"");
}

int main(void) {
    RUN(simple_kinds);
    RUN(linear_tables);
    RUN(spline_tables);
    RUN(spline_converges_with_fourth_order);
    RUN(tables_come_from_files);
    RUN(tables_out_of_bounds_are_refused);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
