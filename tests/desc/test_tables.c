// test_tables.c - what follows from a table: its own soundness, schema, manual page, introspection
#include <string.h>

#include "desc/gadget.h"
#include "test.h"

static TestLog log_;

TEST(sound_tables_pass) {
    test_log_open(&log_);
    CHECK_OK(cdi_desc_validate(log_.ctx, &gadget_class));
    CHECK_OK(cdi_desc_validate(log_.ctx, &box_class));
    CHECK_OK(cdi_desc_validate(log_.ctx, &ball_class));
    for (int i = 0; cdi_function_classes[i]; i++) {
        CHECK_OK(cdi_desc_validate(log_.ctx, cdi_function_classes[i]));
    }
    CHECK_TEXT(log_.text, "");
    test_log_close(&log_);
}

typedef struct Bad {
    double x, from;
    int n;
} Bad;

static void check_blamed(const CdField *fields, int n, const char *example, const char *message) {
    CdDesc bad = {.name = "Bad", .doc = "Bad", .size = sizeof(Bad), .fields = fields, .nfields = n};
    bad.example = example;
    test_log_clear(&log_);
    CHECK(cdi_desc_validate(log_.ctx, &bad) != CD_OK);
    CHECK_TEXT(log_.text, message);
}

#define BAD(...) CD_FIELD(Bad, __VA_ARGS__)

TEST(unsound_tables_are_blamed) {
    test_log_open(&log_);
    check_blamed((CdField[]){BAD(x, INT, "m", "1", "", "doc")}, 1, NULL,
                 "Bad: field 'x': member and type differ in size\n");
    check_blamed((CdField[]){BAD(x, REAL, "furlong", "1", "", "doc")}, 1, NULL,
                 "Bad: field 'x': the unit is not known\n");
    check_blamed((CdField[]){BAD(x, REAL, "m", "1", "0..1", "doc")}, 1, NULL,
                 "Bad: field 'x': the range cannot be read\n");
    check_blamed((CdField[]){BAD(x, REAL, "m", "1", "", "Ends in a stop.")}, 1, NULL,
                 "Bad: field 'x': the doc line is missing or ends in a full stop\n");
    check_blamed((CdField[]){BAD(n, ENUM, "", "\"a\"", "", "doc")}, 1, NULL,
                 "Bad: field 'n': the row lacks what its type needs, or has what it cannot use\n");
    check_blamed((CdField[]){BAD(x, REAL, "m", "1", "", "doc"), BAD(x, REAL, "m", "1", "", "doc")},
                 2, NULL, "Bad: field 'x': stands twice\n");
    check_blamed((CdField[]){BAD(from, REAL, "m", "1", "", "doc")}, 1, NULL,
                 "Bad: field 'from': the key is a word of Python\n");
    check_blamed((CdField[]){BAD(x, REAL, "m", "5", "[0, 1]", "doc")}, 1, NULL,
                 "Bad: field 'x': must be at least 0 and at most 1 m, not 5\n");
    check_blamed((CdField[]){BAD(x, REAL, "m", "[", "", "doc")}, 1, NULL,
                 "x:1:2: the text ends here, but the array opened at 1:1 is not closed; write ]\n");
    check_blamed((CdField[]){BAD(x, REAL, NULL, "1", "", "doc")}, 1, NULL,
                 "Bad: field 'x': unit and range must not be NULL\n");
    check_blamed((CdField[]){BAD(x, REAL, "m", "1", "", "doc", .count = "many")}, 1, NULL,
                 "Bad: field 'x': the count cannot be read\n");
    check_blamed(
        (CdField[]){BAD(x, REAL, "m", "1", "", "doc")}, 1, "{\"y\": 1}",
        "example:1:2: Bad: field 'y': Bad has no such field; see the manual page of Bad\n");
    check_blamed((CdField[]){BAD(x, REAL, "m", "null", "", "doc")}, 1, NULL,
                 "Bad: field 'x': the type has no value for null\n");
    CdField outside = BAD(x, REAL, "m", "1", "", "doc");
    outside.offset = sizeof(Bad);
    check_blamed(&outside, 1, NULL, "Bad: field 'x': lies outside the struct\n");
    CdField taken = BAD(x, REAL, "m", "1", "", "doc");
    taken.name = "class";
    check_blamed(&taken, 1, NULL, "Bad: field 'class': the key is taken\n");
    test_log_close(&log_);
}

// classes that are named are looked at too, and two of one name are told apart
TEST(nested_classes_are_blamed) {
    test_log_open(&log_);
    static const CdField rows[] = {CD_FIELD(Ball, radius, REAL, "blorp", NULL, "", "radius")};
    static const CdDesc inner = {
        .name = "Inner", .doc = "Inner", .size = sizeof(Ball), CD_FIELDS(rows)};
    static const CdDesc table = {
        .name = "Table", .doc = "Not ours", .size = sizeof(Ball), CD_FIELDS(ball_fields)};
    static const CdDesc *const some[] = {&inner, NULL}, *const same[] = {&table, NULL};
    typedef struct Outer {
        CdVariant shape;
        CdFunction f;
    } Outer;
    CdField fields[] = {CD_FIELD(Outer, shape, VARIANT, "", "null", "", "doc", .variants = some),
                        CD_FIELD(Outer, f, FUNCTION, "m", "0", "", "doc")};
    CdDesc outer = {.name = "Outer", .doc = "Outer", .size = sizeof(Outer), CD_FIELDS(fields)};
    CHECK_INT(cdi_desc_validate(log_.ctx, &outer), CD_BUG);
    fields[0].variants = same;
    CHECK_INT(cdi_desc_validate(log_.ctx, &outer), CD_BUG);
    fields[1].range = "[0, 1]";
    CHECK_INT(cdi_desc_validate(log_.ctx, &outer), CD_BUG);
    CHECK_TEXT(log_.text, "Inner: field 'radius': the unit is not known\n"
                          "Table: another class has the same name\n"
                          "Outer: field 'f': the row lacks what its type needs, or has what it "
                          "cannot use\n");
    test_log_close(&log_);
}

TEST(schema_is_json_and_complete) {
    test_log_open(&log_);
    CdText text;
    CdJsonWriter w;
    CdJsonDoc *doc;
    cdi_text_init(&text, log_.ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_desc_schema(&gadget_class, &w);
    CHECK_OK(cdi_json_read(log_.ctx, "schema", text.v, text.n, CD_JSON_LIMITS, &doc));
    const CdJson *root = cdi_json_root(doc);
    const CdJson *properties = cdi_json_get(root, "properties");
    CHECK_INT(properties->n, gadget_class.nfields + 2);
    CHECK_INT(cdi_json_get(root, "required")->n, 1);
    CHECK_INT(cdi_json_get(root, "$defs")->n, 7);
    const CdJson *stiffness = cdi_json_get(properties, "stiffness");
    CHECK_BITS(cdi_json_get(stiffness, "minimum")->number, 0);
    CHECK_TEXT(cdi_json_get(stiffness, "x-unit")->text, "N/m");
    CHECK_TEXT(cdi_json_get(cdi_json_get(properties, "base"), "x-target")->text, "body");
    CHECK_INT(cdi_json_get(cdi_json_get(properties, "lengths"), "maxItems")->number, 4);
    cdi_json_free(doc);
    cdi_text_free(&text);
    test_log_close(&log_);
}

TEST(manual_page_of_a_small_class) {
    test_log_open(&log_);
    CdText text;
    cdi_text_init(&text, log_.ctx);
    cdi_desc_manual(&box_class, &text);
    CHECK_TEXT(text.v, "NAME\n"
                       "    Box - Cuboid\n"
                       "\n"
                       "FIELDS\n"
                       "    size     vec3 [m], in (0, inf), required\n"
                       "             length of the edges\n"
                       "    density  real [kg/m^3], in (0, inf), default 1000\n"
                       "             mass per volume\n"
                       "\n"
                       "EXAMPLE\n"
                       "    {\"class\": \"Box\", \"size\": [1, 2, 3]}\n");
    cdi_text_clear(&text);
    cdi_desc_manual(&gadget_class, &text);
    CHECK(strstr(text.v, "law          enum: dry | viscous | none, default \"dry\"\n") != NULL);
    CHECK(strstr(text.v, "forces       list of function of x [m], value [N], default []\n") !=
          NULL);
    CHECK(strstr(text.v, "gains        matrix of 2 columns, in [-10, 10], default null\n") != NULL);
    CHECK(strstr(text.v, "base         ref (body), default null\n") != NULL);
    cdi_text_free(&text);
    test_log_close(&log_);
}

TEST(introspection_tells_everything) {
    test_log_open(&log_);
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, log_.ctx);
    cdi_json_writer_init(&w, &text, 0);
    cdi_desc_introspect(&box_class, &w);
    CHECK_TEXT(text.v,
               "{\"class\": \"Box\", \"doc\": \"Cuboid\", \"fields\": [{\"name\": \"size\", "
               "\"type\": \"vec3\", \"list\": false, \"unit\": \"m\", \"required\": true, "
               "\"range\": {\"min\": 0, \"min_open\": true}, \"doc\": \"length of the edges\"}, "
               "{\"name\": \"density\", \"type\": \"real\", \"list\": false, \"unit\": "
               "\"kg/m^3\", \"required\": false, \"default\": 1000, \"range\": {\"min\": 0, "
               "\"min_open\": true}, \"doc\": \"mass per volume\"}], \"example\": {\"class\": "
               "\"Box\", \"size\": [1, 2, 3]}, \"classes\": []}");
    cdi_text_clear(&text);
    cdi_json_writer_init(&w, &text, 0);
    cdi_desc_introspect(&gadget_class, &w);
    CdJsonDoc *doc;
    CHECK_OK(cdi_json_read(log_.ctx, "i", text.v, text.n, CD_JSON_LIMITS, &doc));
    CHECK_INT(cdi_json_get(cdi_json_root(doc), "classes")->n, 7);
    cdi_json_free(doc);
    cdi_text_free(&text);
    test_log_close(&log_);
}

static CdStatus write_all(CdContext *ctx, void *user) {
    (void)user;
    CdText text;
    CdJsonWriter w;
    cdi_text_init(&text, ctx);
    cdi_json_writer_init(&w, &text, 2);
    cdi_desc_schema(&gadget_class, &w);
    CdStatus status = text.status;
    cdi_text_free(&text);
    CD_TRY(status);
    cdi_json_writer_init(&w, &text, 0);
    cdi_desc_introspect(&gadget_class, &w);
    status = text.status;
    cdi_text_free(&text);
    CD_TRY(status);
    cdi_desc_manual(&gadget_class, &text);
    status = text.status;
    cdi_text_free(&text);
    CD_TRY(status);
    return cdi_desc_validate(ctx, &gadget_class);
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(write_all, NULL);
}

int main(void) {
    RUN(sound_tables_pass);
    RUN(unsound_tables_are_blamed);
    RUN(nested_classes_are_blamed);
    RUN(schema_is_json_and_complete);
    RUN(manual_page_of_a_small_class);
    RUN(introspection_tells_everything);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
