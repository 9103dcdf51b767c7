// test_object.c - objects through their tables: reading, writing, setting, and every mistake with
// its message
#include <math.h>
#include <string.h>

#include "desc/gadget.h"
#include "test.h"

static TestLog log_;

// read text as a Gadget; the caller frees
static CdObject *read_gadget(const char *text, const CdParams *params) {
    CdJsonDoc *doc = NULL;
    CdObject *object = NULL;
    test_log_clear(&log_);
    if (cdi_json_read(log_.ctx, "g.json", text, strlen(text), CD_JSON_LIMITS, &doc) != CD_OK) {
        return NULL;
    }
    CdSource source = {.file = "g.json", .params = params};
    CdStatus status =
        cdi_object_read(log_.ctx, &gadget_class, cdi_json_root(doc), &source, &object);
    CHECK((status == CD_OK) == (object != NULL));
    cdi_json_free(doc);
    return object;
}

static void write_object(const CdObject *object, CdWriteForm form, CdText *text) {
    CdJsonWriter w;
    cdi_text_init(text, log_.ctx);
    cdi_json_writer_init(&w, text, 0);
    cdi_object_write(object, &w, form);
}

// the text must be refused with exactly these messages
static void check_messages(const char *text, const char *messages) {
    CdObject *object = read_gadget(text, NULL);
    CHECK(object == NULL);
    cdi_object_free(object);
    CHECK_TEXT(log_.text, messages);
}

// reading and writing must bring the text back
static void check_kept(const char *text) {
    CdObject *object = read_gadget(text, NULL);
    if (!CHECK_TEXT(log_.text, "") || !object) return;
    CdText out;
    write_object(object, CD_AS_GIVEN, &out);
    CHECK_TEXT(out.v, text);
    cdi_text_free(&out);

    // the resolved form reads to the same values
    write_object(object, CD_RESOLVED, &out);
    CdObject *again = read_gadget(out.v, NULL);
    CHECK_TEXT(log_.text, "");
    CdText out2;
    if (again) {
        write_object(again, CD_RESOLVED, &out2);
        CHECK_TEXT(out2.v, out.v);
        cdi_text_free(&out2);
    }
    cdi_text_free(&out);
    cdi_object_free(object);
    cdi_object_free(again);
}

#define G "{\"class\": \"Gadget\", \"name\": \"g\", \"stiffness\": 1"

// one object with every field given
static const char full[] =
    G ", \"lo\": \"-30 deg\", \"hi\": 0.5, \"axis\": [0, \"1/2\", 0], \"inertia\": [[1, 2, 3], "
      "[2, 4, 5], [3, 5, 6]], \"orientation\": [0.7071, 0, 0, 0.7071], \"gains\": [[1, 2], [3, "
      "4], [5, 6]], \"label\": \"a \\\"b\\\" \\n é\", \"mesh\": \"part.stl\", \"law\": "
      "\"viscous\", \"base\": \"floor\", \"road\": [[0, 0], [1, 0.5]], \"torque\": \"3*sin(2*t)\", "
      "\"box\": {\"size\": [\"10 mm\", 1, 1]}, \"shape\": {\"class\": \"Ball\", \"radius\": "
      "2}, \"flags\": [true, false], \"counts\": [1, 2], \"lengths\": [1, \"2 mm\"], \"points\": "
      "[[1, 2, 3]], \"tensors\": [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]], \"rotations\": [[1, 0, 0, "
      "0]], \"blocks\": [[[1]], [[1, 2], [3, 4]]], \"words\": [\"a\", \"b\"], \"files\": "
      "[\"/x/y\"], \"laws\": [\"none\", \"dry\"], \"bodies\": [\"p\"], \"roads\": [[[1, 2]]], "
      "\"forces\": [1, \"5 kN\", \"x^2\", {\"class\": \"Harmonic\", \"amplitude\": 1, "
      "\"omega\": \"1 rad/mm\"}], \"boxes\": [{\"size\": [1, 2, 3]}], \"shapes\": [{\"class\": "
      "\"Box\", \"size\": [1, 1, 1]}, {\"class\": \"Ball\", \"radius\": 1}]}";

TEST(what_is_read_is_written_back) {
    test_log_open(&log_);
    check_kept(G "}");
    check_kept("{\"class\": \"Gadget\", \"stiffness\": \"3 kN/m\"}");
    check_kept(G ", \"gains\": null, \"label\": null, \"shape\": null}");
    check_kept(full);
    test_log_close(&log_);
}

TEST(values_arrive_in_the_struct) {
    test_log_open(&log_);
    CdObject *object = read_gadget(full, NULL);
    if (CHECK(object != NULL)) {
        const Gadget *g = cdi_object_data(object);
        CHECK(g->active);
        CHECK_INT(g->count, 1);
        CHECK_BITS(g->lo, -30.0 / 180 * 3.14159265358979323846);
        CHECK_BITS(g->axis[1], 0.5);
        CHECK_BITS(g->inertia[5], 5);
        CHECK_NEAR(g->orientation[3], 0.70710678118654752, 1e-16);
        CHECK_INT(g->gains.rows, 3);
        CHECK_INT(g->gains.cols, 2);
        CHECK_BITS(g->gains.v[5], 6);
        CHECK_TEXT(g->label, "a \"b\" \n é");
        CHECK_TEXT(g->mesh.given, "part.stl");
        CHECK_TEXT(g->mesh.full, "part.stl");
        CHECK_INT(g->law, 1);
        CHECK_TEXT(g->base.name, "floor");
        CHECK_BITS(g->box.size[0], 0.01);
        CHECK_BITS(g->box.density, 1000);
        CHECK_TEXT(g->shape.desc->name, "Ball");
        CHECK_BITS(((Ball *)g->shape.data)->radius, 2);
        CHECK_INT(g->lengths.n, 2);
        CHECK_BITS(((double *)g->lengths.v)[1], 0.002);
        CHECK_BITS(((double *)g->points.v)[2], 3);
        CHECK_TEXT(((char **)g->words.v)[1], "b");
        CHECK_INT(((int *)g->laws.v)[0], 2);
        CHECK_BITS(((CdMatrix *)g->blocks.v)[1].v[3], 4);
        CHECK_BITS(((Box *)g->boxes.v)[0].size[2], 3);
        double y[3];
        cdi_function_eval((CdFunction *)g->forces.v + 1, 7, y);
        CHECK_BITS(y[0], 5000);
        cdi_function_eval((CdFunction *)g->forces.v + 2, 3, y);
        CHECK_BITS(y[0], 9);
        CHECK_BITS(y[1], 6);
        CHECK_BITS(y[2], 2);
        cdi_function_eval((CdFunction *)g->forces.v + 3, 0, y);
        CHECK_BITS(y[1], 1000);
        cdi_function_eval(&g->torque, 0, y);
        CHECK_BITS(y[1], 6);
    }
    cdi_object_free(object);
    test_log_close(&log_);
}

TEST(resolved_form_has_every_field_in_si) {
    test_log_open(&log_);
    CdObject *object = read_gadget("{\"stiffness\": \"3 kN/m\", \"lo\": \"-pi/2\"}", NULL);
    CdText out;
    write_object(object, CD_RESOLVED, &out);
    CHECK(strstr(out.v, "\"stiffness\": 3000, \"lo\": -1.5707963267948966, \"hi\": 1,") != NULL);
    CHECK(strstr(out.v, "\"torque\": {\"class\": \"Constant\", \"value\": 0}") != NULL);
    CHECK(strstr(out.v, "\"box\": {\"size\": [1, 1, 1], \"density\": 1000}") != NULL);
    cdi_text_free(&out);
    cdi_object_free(object);
    test_log_close(&log_);
}

TEST(parameters_enter_expressions) {
    test_log_open(&log_);
    static const char *names[] = {"rate", "L"};
    static double values[] = {200, 0.5};
    CdParams params = {2, names, values};
    CdObject *object = read_gadget("{\"stiffness\": \"rate/L^2\", \"count\": \"4*L\", "
                                   "\"torque\": \"rate*t\"}",
                                   &params);
    CHECK_TEXT(log_.text, "");
    double x;
    CHECK_OK(cdi_object_get_real(object, "stiffness", &x));
    CHECK_BITS(x, 800);
    CHECK_OK(cdi_object_get_real(object, "count", &x));
    CHECK_BITS(x, 2);
    cdi_object_free(object);

    CHECK(read_gadget("{\"stiffness\": \"rte/L\"}", &params) == NULL);
    CHECK_TEXT(log_.text, "g.json:1:15: Gadget: field 'stiffness': in \"rte/L\", column 1: unknown "
                          "name 'rte'; did you mean 'rate'?\n");
    test_log_close(&log_);
}

TEST(mistakes_in_numbers) {
    test_log_open(&log_);
    check_messages("{\"name\": \"g\", \"stiffness\": -3}",
                   "g.json:1:28: Gadget 'g': field 'stiffness': must be at least 0 N/m, not -3\n");
    check_messages("{\"stiffness\": \"-3 kN/m\"}",
                   "g.json:1:15: Gadget: field 'stiffness': must be at least 0 N/m, not -3000\n");
    check_messages("{\"stiffness\": \"3 kg\"}", "g.json:1:15: Gadget: field 'stiffness': unit 'kg' "
                                                "does not fit; give a value in N/m\n");
    check_messages("{\"stiffness\": \"3 kN/mn\"}",
                   "g.json:1:15: Gadget: field 'stiffness': 'mn' in \"3 kN/mn\" is not a unit; use "
                   "one like mm, deg, kN/m\n");
    check_messages("{\"stiffness\": \"2*(3\"}", "g.json:1:15: Gadget: field 'stiffness': in "
                                                "\"2*(3\", column 5: ')' is missing\n");
    check_messages("{\"stiffness\": \"1/0\"}", "g.json:1:15: Gadget: field 'stiffness': must be "
                                               "finite, not inf (\"1/0\")\n");
    check_messages("{\"stiffness\": true}",
                   "g.json:1:15: Gadget: field 'stiffness': must be a number, an expression of "
                   "parameters, or text with a unit, not true or false\n");
    check_messages(G ", \"count\": 101}",
                   "g.json:1:59: Gadget 'g': field 'count': must be at least "
                   "0 and at most 100, not 101\n");
    check_messages(G ", \"count\": 1.5}", "g.json:1:59: Gadget 'g': field 'count': must be a whole "
                                          "number, not 1.5\n");
    check_messages(G ", \"count\": null}",
                   "g.json:1:59: Gadget 'g': field 'count': must be a whole number, not null\n");
    check_messages(G ", \"lo\": \"50 Hz\"}", "g.json:1:56: Gadget 'g': field 'lo': unit 'Hz' does "
                                             "not fit; give a value in rad\n");
    check_messages(
        G ", \"active\": 1}",
        "g.json:1:60: Gadget 'g': field 'active': must be true or false, not a number\n");
    test_log_close(&log_);
}

TEST(mistakes_in_arrays) {
    test_log_open(&log_);
    check_messages(G ", \"axis\": [0, 0, 0]}", "g.json:1:58: Gadget 'g': field 'axis': must not be "
                                               "zero; give a direction such as [0, 0, 1]\n");
    check_messages(G ", \"axis\": [0, 0]}",
                   "g.json:1:58: Gadget 'g': field 'axis': must have 3 numbers, not 2\n");
    check_messages(G ", \"axis\": 3}", "g.json:1:58: Gadget 'g': field 'axis': must be a list of 3 "
                                       "numbers [x, y, z], not a number\n");
    check_messages(
        G ", \"axis\": [0, null, \"a\"]}",
        "g.json:1:62: Gadget 'g': field 'axis[1]': must be a number, not null\n"
        "g.json:1:68: Gadget 'g': field 'axis[2]': in \"a\", column 1: unknown name 'a'\n");
    check_messages(G ", \"inertia\": [[1, 0, 0], [0, 1], 7]}",
                   "g.json:1:73: Gadget 'g': field 'inertia[1]': must have 3 numbers, not 2\n"
                   "g.json:1:81: Gadget 'g': field 'inertia[2]': must be a row of numbers [...], "
                   "not a number\n");
    check_messages(
        G ", \"orientation\": [1, 1, 0, 0]}",
        "g.json:1:65: Gadget 'g': field 'orientation': must have norm 1, not 1.4142135623730951; "
        "the order is [w, x, y, z], no rotation is [1, 0, 0, 0]\n");
    check_messages(G ", \"gains\": [[1, 2, 3]]}",
                   "g.json:1:59: Gadget 'g': field 'gains': must have 2 columns, not 3\n");
    check_messages(
        G ", \"gains\": [[1, 2], [3]]}",
        "g.json:1:68: Gadget 'g': field 'gains[1]': must be as long as the first row, 2, not 1\n");
    check_messages(G ", \"gains\": []}",
                   "g.json:1:59: Gadget 'g': field 'gains': must not be empty\n");
    check_messages(G ", \"gains\": [[1, 11]]}",
                   "g.json:1:64: Gadget 'g': field 'gains[0][1]': must "
                   "be at least -10 and at most 10, not 11\n");
    check_messages(G ", \"lengths\": [1, 2, 3, 4, 5]}",
                   "g.json:1:61: Gadget 'g': field 'lengths': the number of elements must be at "
                   "least 0 and at most 4, not 5\n");
    check_messages(
        G ", \"lengths\": 1}",
        "g.json:1:61: Gadget 'g': field 'lengths': must be a list [...], not a number\n");
    check_messages(G ", \"lengths\": [1, -1]}",
                   "g.json:1:65: Gadget 'g': field 'lengths[1]': must be at least 0 m, not -1\n");
    test_log_close(&log_);
}

TEST(mistakes_at_the_limits) {
    test_log_open(&log_);
    check_kept(G ", \"counts\": [2147483647, -2147483648]}");
    check_messages(G ", \"counts\": [2147483648, -2147483649]}",
                   "g.json:1:61: Gadget 'g': field 'counts[0]': must be a whole number from "
                   "-2147483648 to 2147483647, not 2147483648\n"
                   "g.json:1:73: Gadget 'g': field 'counts[1]': must be a whole number from "
                   "-2147483648 to 2147483647, not -2147483649\n");
    check_kept(G ", \"pairs\": [[1, 2, 3], [4, 5, 6]]}");
    check_messages(G ", \"pairs\": [[1], [2], [3]]}",
                   "g.json:1:59: Gadget 'g': field 'pairs': must have 2 rows, not 3\n");
    check_messages(G ", \"pairs\": [[], []]}",
                   "g.json:1:59: Gadget 'g': field 'pairs': must not be empty\n");
    check_messages(G ", \"axis\": [1e-320, 0, 0]}",
                   "g.json:1:58: Gadget 'g': field 'axis': must not be zero; give a direction such "
                   "as [0, 0, 1]\n");
    check_messages(G ", \"orientation\": [1.002, 0, 0, 0]}",
                   "g.json:1:65: Gadget 'g': field 'orientation': must have norm 1, not 1.002; the "
                   "order is [w, x, y, z], no rotation is [1, 0, 0, 0]\n");
    check_kept(G ", \"orientation\": [1.0009, 0, 0, 0]}");
    check_messages(G ", \"axis\": [\"1 mm\", 0, 1]}",
                   "g.json:1:59: Gadget 'g': field 'axis[0]': unit 'mm' does not fit; give a value "
                   "in plain numbers\n");
    check_messages(G ", \"lo\": \"5 rad/\"}", "g.json:1:56: Gadget 'g': field 'lo': the unit in "
                                              "\"5 rad/\" is not complete\n");
    test_log_close(&log_);
}

// whatever was normalised once is not changed again
TEST(rotations_keep_their_bits) {
    test_log_open(&log_);
    TestRandom random = {7};
    for (int k = 0; k < 2000; k++) {
        double q[4], norm = 0;
        for (int i = 0; i < 4; i++) q[i] = test_random(&random, -1, 1);
        for (int i = 0; i < 4; i++) norm += q[i] * q[i];
        char text[300];
        snprintf(text, sizeof text, G ", \"orientation\": [%.17g, %.17g, %.17g, %.17g]}",
                 q[0] / sqrt(norm), q[1] / sqrt(norm), q[2] / sqrt(norm), q[3] / sqrt(norm));
        CdObject *once = read_gadget(text, NULL);
        CdText first, second;
        write_object(once, CD_RESOLVED, &first);
        CdObject *twice = read_gadget(first.v, NULL);
        write_object(twice, CD_RESOLVED, &second);
        CHECK_TEXT(second.v, first.v);
        cdi_text_free(&first);
        cdi_text_free(&second);
        cdi_object_free(once);
        cdi_object_free(twice);
    }
    test_log_close(&log_);
}

TEST(mistakes_in_tables_of_files) {
    test_log_open(&log_);
    CdObject *g;
    CdSource source = {.file = CD_SOURCE_DIR "/examples/tables/wheels.json"};
    CHECK_OK(cdi_object_new(log_.ctx, &gadget_class, "g", &g));
    CHECK_INT(cdi_object_set(g, "road", "\"road.csv\"", &source), CD_INVALID);
    CHECK_INT(cdi_object_set(g, "road", "\"\"", &source), CD_INVALID);
    CHECK_INT(cdi_object_set(g, "road", "\"none.csv\"", &source), CD_INVALID);
    CHECK_TEXT(
        log_.text, CD_SOURCE_DIR
        "/examples/tables/wheels.json:1:1: Gadget 'g': field 'road[2]': must be at least -5 "
        "and at most 5 m, not 5.5\n" CD_SOURCE_DIR
        "/examples/tables/wheels.json:1:1: Gadget 'g': field 'road': must not be empty; give "
        "the path of a CSV file\n" CD_SOURCE_DIR
        "/examples/tables/none.csv: cannot open: No such file or directory\n" CD_SOURCE_DIR
        "/examples/tables/wheels.json:1:1: Gadget 'g': field 'road': \"none.csv\" is not a "
        "table of numbers; see the message before\n");
    cdi_object_free(g);
    test_log_close(&log_);
}

TEST(mistakes_in_words) {
    test_log_open(&log_);
    check_messages(G ", \"label\": 1}",
                   "g.json:1:59: Gadget 'g': field 'label': must be text, not a number\n");
    check_messages(G ", \"law\": \"viscuos\"}",
                   "g.json:1:57: Gadget 'g': field 'law': must be dry, viscous or none, not "
                   "'viscuos'; did you mean 'viscous'?\n");
    check_messages(G ", \"law\": \"Coulomb\"}",
                   "g.json:1:57: Gadget 'g': field 'law': must be dry, "
                   "viscous or none, not 'Coulomb'\n");
    check_messages(G ", \"base\": \"\"}",
                   "g.json:1:58: Gadget 'g': field 'base': must not be empty; "
                   "give the name of an item (body)\n");
    check_messages(G ", \"mesh\": \"\"}",
                   "g.json:1:58: Gadget 'g': field 'mesh': must not be empty; "
                   "give the path of a file\n");
    check_messages(G ", \"base\": 3}", "g.json:1:58: Gadget 'g': field 'base': must be the name of "
                                       "an item as text, not a number\n");
    test_log_close(&log_);
}

TEST(mistakes_in_structure) {
    test_log_open(&log_);
    check_messages("[1]", "g.json:1:1: Gadget: must be an object {...}, not an array\n");
    check_messages("{}",
                   "g.json:1:1: Gadget: field 'stiffness': is missing; give a number, an "
                   "expression of parameters, or text with a unit: stiffness of the spring\n");
    check_messages("{\"class\": \"Gadgets\", \"stiffness\": 1}",
                   "g.json:1:11: Gadget: there is no class 'Gadgets'; did you mean 'Gadget'?\n");
    check_messages("{\"name\": \"\", \"stiffness\": 1}",
                   "g.json:1:10: Gadget: the name must be a text that is not empty\n");
    check_messages(G ", \"stifness\": 1}", "g.json:1:50: Gadget 'g': field 'stifness': Gadget has "
                                           "no such field; see the manual page of Gadget\n");
    check_messages(G ", \"colour\": 1}", "g.json:1:50: Gadget 'g': field 'colour': Gadget has no "
                                         "such field; see the manual page of Gadget\n");
    check_messages(G ", \"lo\": 2}", "g.json:1:56: Gadget 'g': field 'lo': must not be above hi\n");
    check_messages(G ", \"box\": {\"size\": [1, 0, 1]}}",
                   "g.json:1:70: Gadget 'g': field 'box.size[1]': must be above 0 m, not 0\n");
    check_messages(
        G ", \"box\": {\"class\": \"Ball\", \"size\": [1, 1, 1]}}",
        "g.json:1:67: Gadget 'g': field 'box': there is no class 'Ball' here; use Box\n");
    check_messages(
        G ", \"shape\": {\"radius\": 1}}",
        "g.json:1:59: Gadget 'g': field 'shape': must name its class: \"class\": \"...\" "
        "with Box or Ball\n");
    check_messages(G ", \"shape\": {\"class\": \"Bell\", \"radius\": 1}}",
                   "g.json:1:69: Gadget 'g': field 'shape': there is no class 'Bell'; did you mean "
                   "'Ball'?\n");
    check_messages(G ", \"shape\": 1}", "g.json:1:59: Gadget 'g': field 'shape': must be an object "
                                        "{\"class\": ...}, not a number\n");
    check_messages(G ", \"shapes\": [{\"class\": \"Ball\", \"radius\": 1}, {\"class\": \"Ball\"}]}",
                   "g.json:1:93: Gadget 'g': field 'shapes[1].radius': is missing; give a number, "
                   "an expression of parameters, or text with a unit: radius\n");
    test_log_close(&log_);
}

TEST(mistakes_in_functions) {
    test_log_open(&log_);
    check_messages(
        G ", \"torque\": []}",
        "g.json:1:60: Gadget 'g': field 'torque': must be a number, an expression, or an "
        "object {\"class\": ...}, not an array\n");
    check_messages(G ", \"torque\": \"2*x\"}", "g.json:1:60: Gadget 'g': field 'torque': in "
                                               "\"2*x\", column 3: unknown name 'x'\n");
    check_messages(G ", \"torque\": \"5 N\"}", "g.json:1:60: Gadget 'g': field 'torque': unit 'N' "
                                               "does not fit; give a value in N*m\n");
    check_messages(G ", \"torque\": {\"class\": \"Harmonic\", \"amplitude\": 1, \"omega\": \"1 "
                     "Hz\"}}",
                   "g.json:1:107: Gadget 'g': field 'torque.omega': unit 'Hz' does not fit; give a "
                   "value in rad/s\n");
    check_messages(
        G ", \"torque\": {\"class\": \"Table\", \"points\": [[0, 0], [0, 1]]}}",
        "g.json:1:89: Gadget 'g': field 'torque.points': the first column must rise, but "
        "row 2 has 0 after 0\n");
    check_messages(G ", \"torque\": {\"class\": \"Table\", \"points\": [[0, 0]]}}",
                   "g.json:1:89: Gadget 'g': field 'torque.points': must have at least 2 rows "
                   "[x, y], not 1\n");
    check_messages(G ", \"torque\": {\"class\": \"Polynomial\", \"coefficients\": [\"1 m\"]}}",
                   "g.json:1:101: Gadget 'g': field 'torque.coefficients[0]': takes no unit; write "
                   "a plain number instead of \"1 m\"\n");
    check_messages(G ", \"forces\": [\"t\"]}", "g.json:1:61: Gadget 'g': field 'forces[0]': in "
                                               "\"t\", column 1: unknown name 't'\n");
    test_log_close(&log_);
}

TEST(all_mistakes_are_told_at_once) {
    test_log_open(&log_);
    check_messages(
        "{\n  \"name\": \"g\",\n  \"stifness\": 1,\n  \"count\": -1,\n  \"axis\": [0, 0],\n"
        "  \"law\": \"dri\",\n  \"box\": {\"density\": \"1 kg\"}\n}",
        "g.json:3:3: Gadget 'g': field 'stifness': Gadget has no such field; did you mean "
        "'stiffness'?\n"
        "g.json:4:12: Gadget 'g': field 'count': must be at least 0 and at most 100, not "
        "-1\n"
        "g.json:5:11: Gadget 'g': field 'axis': must have 3 numbers, not 2\n"
        "g.json:6:10: Gadget 'g': field 'law': must be dry, viscous or none, not 'dri'; "
        "did you mean 'dry'?\n"
        "g.json:7:10: Gadget 'g': field 'box.size': is missing; give a list of 3 numbers "
        "[x, y, z]: length of the edges\n"
        "g.json:7:22: Gadget 'g': field 'box.density': unit 'kg' does not fit; give a "
        "value in kg/m^3\n");
    test_log_close(&log_);
}

TEST(a_wrong_head_hides_nothing) {
    test_log_open(&log_);
    check_messages("{\"name\": 3, \"count\": -1, \"stiffness\": 1}",
                   "g.json:1:10: Gadget: the name must be a text that is not empty\n"
                   "g.json:1:22: Gadget: field 'count': must be at least 0 and at most 100, not "
                   "-1\n");
    check_messages("{\"class\": 3, \"count\": -1, \"stiffness\": 1}",
                   "g.json:1:11: Gadget: must name its class: \"class\": \"...\" with Gadget\n"
                   "g.json:1:23: Gadget: field 'count': must be at least 0 and at most 100, not "
                   "-1\n");
    check_messages(G ", \"box\": {\"class\": \"Bax\", \"size\": [0, 1, 1]}}",
                   "g.json:1:67: Gadget 'g': field 'box': there is no class 'Bax'; did you mean "
                   "'Box'?\n"
                   "g.json:1:83: Gadget 'g': field 'box.size[0]': must be above 0 m, not 0\n");
    check_messages(G ", \"lengths\": [1, 2, 3, 4, -5]}",
                   "g.json:1:61: Gadget 'g': field 'lengths': the number of elements must be at "
                   "least 0 and at most 4, not 5\n"
                   "g.json:1:74: Gadget 'g': field 'lengths[4]': must be at least 0 m, not -5\n");
    check_messages("{\"Name\": \"g\", \"stiffness\": 1}",
                   "g.json:1:2: Gadget: field 'Name': Gadget has no such field; did you mean "
                   "'name'?\n");
    test_log_close(&log_);
}

// a field that is told as misspelt is not told as missing; one that is merely like another key is
TEST(missing_fields_are_always_told) {
    typedef struct Pair {
        double x1, x2;
        CdList names;
    } Pair;
    static const CdField fields[] = {
        CD_FIELD(Pair, x1, REAL, "1", NULL, "", "first"),
        CD_FIELD(Pair, x2, REAL, "1", NULL, "", "second"),
        CD_FIELD(Pair, names, STRING, "", NULL, "", "words", .list = true),
    };
    static const CdDesc pair = {
        .name = "Pair", .doc = "Two", .size = sizeof(Pair), CD_FIELDS(fields)};
    const char *text = "{\"name\": \"a\", \"x1\": 1, \"x3\": 2}";
    CdJsonDoc *doc;
    CdObject *object;
    test_log_open(&log_);
    CHECK_OK(cdi_json_read(log_.ctx, "p.json", text, strlen(text), CD_JSON_LIMITS, &doc));
    CHECK_INT(cdi_object_read(log_.ctx, &pair, cdi_json_root(doc), NULL, &object), CD_INVALID);
    CHECK_TEXT(log_.text, "Pair 'a': field 'x3': Pair has no such field; did you mean 'x2'?\n"
                          "Pair 'a': field 'names': is missing; give a list [...]: words\n");
    cdi_json_free(doc);
    test_log_close(&log_);
}

TEST(objects_know_where_they_stand) {
    test_log_open(&log_);
    CdObject *g = read_gadget("\n {\"name\": \"g\",\n  \"stiffness\": 1}", NULL);
    CdPlace place = cdi_object_place(g, "stiffness");
    CHECK_TEXT(place.file, "g.json");
    CHECK_INT(place.line, 3);
    CHECK_INT(place.col, 16);
    place = cdi_object_place(g, "count"); // by default: where the object stands
    CHECK_INT(place.line, 2);
    CHECK_INT(place.col, 2);
    CHECK(cdi_object_given(g, "stiffness"));
    CHECK(!cdi_object_given(g, "count"));
    CHECK(!cdi_object_given(g, "nothing"));
    cdi_object_free(g);
    test_log_close(&log_);
}

TEST(names_and_texts_from_c_are_checked) {
    test_log_open(&log_);
    CdObject *g;
    CHECK_INT(cdi_object_new(log_.ctx, &gadget_class, "", &g), CD_INVALID);
    CHECK_INT(cdi_object_new(log_.ctx, &gadget_class, "\xff", &g), CD_INVALID);
    CHECK_OK(cdi_object_new(log_.ctx, &gadget_class, NULL, &g));
    CHECK_INT(cdi_object_set_text(g, "label", "\xc3(", NULL), CD_INVALID);
    CHECK_TEXT(log_.text, "Gadget: the name must be valid UTF-8 and not empty\n"
                          "Gadget: the name must be valid UTF-8 and not empty\n"
                          "Gadget: field 'label': must be valid UTF-8\n");
    cdi_object_free(g);
    test_log_close(&log_);
}

// the struct is out of reach while its derived members may not fit its fields
TEST(data_is_had_when_checked) {
    test_log_open(&log_);
    CdObject *g;
    CHECK_OK(cdi_object_new(log_.ctx, &gadget_class, "g", &g));
    CHECK(cdi_object_data(g) == NULL);
    CHECK_OK(cdi_object_set_real(g, "stiffness", 1));
    CHECK_OK(cdi_object_check(g, NULL));
    CHECK(cdi_object_data(g) != NULL);
    CHECK_OK(cdi_object_set_real(g, "lo", 5));
    CHECK(cdi_object_data(g) == NULL);
    CHECK_INT(cdi_object_check(g, NULL), CD_INVALID);
    CHECK(cdi_object_data(g) == NULL);
    CHECK_OK(cdi_object_set_real(g, "hi", 6));
    CHECK_OK(cdi_object_check(g, NULL));
    CHECK(cdi_object_data(g) != NULL);
    CHECK_TEXT(log_.text, "Gadget 'g': field 'lo': must not be above hi\n");
    cdi_object_free(g);

    // a class with derived members: the expression is compiled again, with its parameters
    static const char *names[] = {"rate"};
    static double values[] = {200};
    CdParams params = {1, names, values};
    CdSource source = {.params = &params};
    CHECK_OK(cdi_object_new(log_.ctx, &cd_function_expression.desc, NULL, &g));
    for (int i = 0; i < 3; i++) {
        CHECK_OK(cdi_object_set_text(g, "text", "rate*t", NULL));
        CHECK_OK(cdi_object_check(g, &source));
        double y[3];
        cd_function_expression.eval(cdi_object_data(g), 2, y);
        CHECK_BITS(y[0], 400);
    }
    cdi_object_free(g);
    test_log_close(&log_);
}

TEST(set_and_get_by_name) {
    test_log_open(&log_);
    CdObject *g;
    CHECK_OK(cdi_object_new(log_.ctx, &gadget_class, "g1", &g));
    CHECK_TEXT(cdi_object_name(g), "g1");
    CHECK(cdi_object_desc(g) == &gadget_class);
    CHECK_INT(cdi_object_check(g, NULL), CD_INVALID);
    CHECK_TEXT(log_.text,
               "Gadget 'g1': field 'stiffness': is missing; give a number, an expression "
               "of parameters, or text with a unit: stiffness of the spring\n");
    CHECK_OK(cdi_object_set_real(g, "stiffness", 12.5));
    CHECK_OK(cdi_object_check(g, NULL));
    CHECK_OK(cdi_object_set_reals(g, "axis", (double[]){1, 2, 3}, 3));
    CHECK_OK(cdi_object_set_text(g, "law", "none", NULL));
    CHECK_OK(cdi_object_set_text(g, "hi", "90 deg", NULL));
    CHECK_OK(cdi_object_set(g, "shape", "{\"class\": \"Ball\", \"radius\": 1}", NULL));
    CHECK_OK(cdi_object_set(g, "shape", "{\"class\": \"Box\", \"size\": [1, 2, 3]}", NULL));

    // a refused value leaves the old one
    test_log_clear(&log_);
    CHECK_INT(cdi_object_set_real(g, "stiffness", -1), CD_INVALID);
    CHECK_INT(cdi_object_set(g, "shape", "{\"class\": \"Ball\"}", NULL), CD_INVALID);
    CHECK_INT(cdi_object_set(g, "shape", "{\"class\": ", NULL), CD_INVALID);
    CHECK_INT(cdi_object_set_real(g, "stifness", 1), CD_NOTFOUND);
    double x;
    CHECK_INT(cdi_object_get_real(g, "axis", &x), CD_INVALID);
    CHECK_TEXT(
        log_.text,
        "Gadget 'g1': field 'stiffness': must be at least 0 N/m, not -1\n"
        "Gadget 'g1': field 'shape.radius': is missing; give a number, an expression of "
        "parameters, or text with a unit: radius\n"
        "shape:1:11: the text ends here, but the object opened at 1:1 is not closed; write }\n"
        "Gadget 'g1': field 'stifness': Gadget has no such field; did you mean 'stiffness'?\n"
        "Gadget 'g1': field 'axis': is not a single number\n");

    CdText text;
    write_object(g, CD_AS_GIVEN, &text);
    CHECK_TEXT(text.v,
               "{\"class\": \"Gadget\", \"name\": \"g1\", \"stiffness\": 12.5, \"hi\": \"90 "
               "deg\", \"axis\": [1, 2, 3], \"law\": \"none\", \"shape\": {\"class\": "
               "\"Box\", \"size\": [1, 2, 3]}}");
    cdi_text_clear(&text);
    CHECK_OK(cdi_object_get(g, "shape", &text));
    CHECK_TEXT(text.v, "{\"class\": \"Box\", \"size\": [1, 2, 3], \"density\": 1000}");
    cdi_text_free(&text);
    cdi_object_free(g);
    cdi_object_free(NULL);
    test_log_close(&log_);
}

TEST(files_can_be_forbidden) {
    test_log_open(&log_);
    CdObject *g;
    CdSource source = {.no_files = true};
    CHECK_OK(cdi_object_new(log_.ctx, &gadget_class, "g", &g));
    CHECK_INT(cdi_object_set(g, "road", "\"a.csv\"", &source), CD_INVALID);
    CHECK_INT(cdi_object_set(g, "mesh", "\"a.stl\"", &source), CD_INVALID);
    CHECK_TEXT(log_.text, "Gadget 'g': field 'road': files may not be named here; give the rows\n"
                          "Gadget 'g': field 'mesh': files may not be named here\n");
    cdi_object_free(g);
    test_log_close(&log_);
}

static CdStatus read_and_write(CdContext *ctx, void *user) {
    const char *text = user;
    CdJsonDoc *doc = NULL;
    CdObject *object = NULL;
    CdText out;
    cdi_text_init(&out, ctx);
    CdStatus status = cdi_json_read(ctx, "g.json", text, strlen(text), CD_JSON_LIMITS, &doc);
    CdSource source = {.file = "g.json"};
    if (status == CD_OK) {
        status = cdi_object_read(ctx, &gadget_class, cdi_json_root(doc), &source, &object);
    }
    if (status == CD_OK) {
        CdJsonWriter w;
        cdi_json_writer_init(&w, &out, 2);
        cdi_object_write(object, &w, CD_AS_GIVEN);
        status = out.status;
    }
    cdi_text_free(&out);
    cdi_object_free(object);
    cdi_json_free(doc);
    return status;
}

static CdStatus make_and_set(CdContext *ctx, void *user) {
    (void)user;
    CdObject *g;
    CD_TRY(cdi_object_new(ctx, &gadget_class, "g", &g));
    CdStatus status = cdi_object_set_real(g, "stiffness", 2);
    if (status == CD_OK) status = cdi_object_set_reals(g, "axis", (double[]){1, 0, 0}, 3);
    if (status == CD_OK) status = cdi_object_set_text(g, "base", "floor", NULL);
    if (status == CD_OK) {
        status = cdi_object_set(g, "torque", "{\"class\": \"Table\", \"points\": [[0, 1], [1, 2]]}",
                                NULL);
    }
    if (status == CD_OK) status = cdi_object_set(g, "words", "[\"a\", \"b\"]", NULL);
    if (status == CD_OK) status = cdi_object_check(g, NULL);
    CdText text;
    cdi_text_init(&text, ctx);
    if (status == CD_OK) status = cdi_object_get(g, "torque", &text);
    cdi_text_free(&text);
    cdi_object_free(g);
    return status;
}

TEST(lack_of_memory_is_survived_everywhere) {
    CHECK_OOM(read_and_write, (char *)full);
    CHECK_OOM(make_and_set, NULL);
}

static CdStatus read_wrong(CdContext *ctx, void *user) {
    CdStatus status = read_and_write(ctx, user);
    return status == CD_INVALID ? CD_OK : status;
}

TEST(lack_of_memory_is_survived_on_mistakes) {
    CHECK_OOM(read_wrong, G ", \"law\": \"dri\", \"forces\": [\"x\", \"t\"], \"shape\": 1}");
    CHECK_OOM(read_wrong, G ", \"lo\": 2, \"words\": [\"a\", 1], \"gains\": [[1, 99]]}");
}

int main(void) {
    RUN(what_is_read_is_written_back);
    RUN(values_arrive_in_the_struct);
    RUN(resolved_form_has_every_field_in_si);
    RUN(parameters_enter_expressions);
    RUN(mistakes_in_numbers);
    RUN(mistakes_in_arrays);
    RUN(mistakes_at_the_limits);
    RUN(rotations_keep_their_bits);
    RUN(mistakes_in_tables_of_files);
    RUN(mistakes_in_words);
    RUN(mistakes_in_structure);
    RUN(mistakes_in_functions);
    RUN(all_mistakes_are_told_at_once);
    RUN(a_wrong_head_hides_nothing);
    RUN(missing_fields_are_always_told);
    RUN(objects_know_where_they_stand);
    RUN(names_and_texts_from_c_are_checked);
    RUN(data_is_had_when_checked);
    RUN(set_and_get_by_name);
    RUN(files_can_be_forbidden);
    RUN(lack_of_memory_is_survived_everywhere);
    RUN(lack_of_memory_is_survived_on_mistakes);
    return test_end();
}
