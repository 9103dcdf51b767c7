// test_params.c - parameters: order, units, circles
#include "desc/params.h"

#include <string.h>

#include "test.h"

static TestLog log_;

static CdParams *read_params(const char *text) {
    CdJsonDoc *doc;
    CdParams *params = NULL;
    test_log_clear(&log_);
    CHECK_OK(cdi_json_read(log_.ctx, "p.json", text, strlen(text), CD_JSON_LIMITS, &doc));
    CdStatus status = cdi_params_read(log_.ctx, cdi_json_root(doc), "p.json", &params);
    CHECK((status == CD_OK) == (params != NULL));
    cdi_json_free(doc);
    return params;
}

static void check_messages(const char *text, const char *messages) {
    CHECK(read_params(text) == NULL);
    CHECK_TEXT(log_.text, messages);
}

TEST(any_order_and_any_unit) {
    test_log_open(&log_);
    CdParams *p = read_params("{\"J\": \"m*L^2/12\", \"m\": \"2 kg\", \"L\": \"b/2\", \"b\": 3, "
                              "\"alpha\": \"180 deg\"}");
    CHECK_TEXT(log_.text, "");
    if (CHECK(p != NULL)) {
        CHECK_INT(p->n, 5);
        CHECK_TEXT(p->names[0], "J");
        CHECK_BITS(p->values[0], 2 * 1.5 * 1.5 / 12);
        CHECK_BITS(p->values[4], 3.14159265358979323846);
    }
    cdi_params_free(log_.ctx, p);
    p = read_params("{}");
    CHECK_INT(p->n, 0);
    cdi_params_free(log_.ctx, p);
    cdi_params_free(log_.ctx, NULL);
    test_log_close(&log_);
}

TEST(mistakes_are_explained) {
    test_log_open(&log_);
    check_messages("[1]", "p.json:1:1: parameters: must be an object {\"name\": value, ...}, not "
                          "an array\n");
    check_messages("{\"a\": \"b\", \"b\": \"c + 1\", \"c\": \"a\", \"d\": \"2*a\"}",
                   "p.json:1:7: parameters: field 'a': waits for 'b', which has no value yet; "
                   "break the circle\n"
                   "p.json:1:17: parameters: field 'b': waits for 'c', which has no value yet; "
                   "break the circle\n"
                   "p.json:1:31: parameters: field 'c': waits for 'a', which has no value yet; "
                   "break the circle\n"
                   "p.json:1:41: parameters: field 'd': waits for 'a', which has no value yet; "
                   "break the circle\n");
    check_messages("{\"a\": \"lenght\", \"length\": 1, \"b\": true}",
                   "p.json:1:7: parameters: field 'a': in \"lenght\", column 1: unknown name "
                   "'lenght'; did you mean 'length'?\n"
                   "p.json:1:35: parameters: field 'b': must be a number, an expression of "
                   "parameters, or text with a unit, not true or false\n");
    check_messages("{\"2a\": 1, \"a-b\": 2, \"\": 3}",
                   "p.json:1:2: parameters: '2a' is not a name; use letters, digits and _, a "
                   "letter first\n"
                   "p.json:1:11: parameters: 'a-b' is not a name; use letters, digits and _, a "
                   "letter first\n"
                   "p.json:1:21: parameters: '' is not a name; use letters, digits and _, a letter "
                   "first\n");
    check_messages("{\"a\": \"1/z\", \"z\": 0}",
                   "p.json:1:7: parameters: field 'a': must be finite, not inf (\"1/z\")\n");
    check_messages("{\"pi\": 3, \"t\": 1, \"a\": true}",
                   "p.json:1:2: parameters: 'pi' has its meaning already; choose another name\n"
                   "p.json:1:11: parameters: 't' has its meaning already; choose another name\n"
                   "p.json:1:24: parameters: field 'a': must be a number, an expression of "
                   "parameters, or text with a unit, not true or false\n");
    check_messages("{\"a\": \"3 parsec\"}",
                   "p.json:1:7: parameters: field 'a': 'parsec' in \"3 parsec\" is not a unit; use "
                   "one like mm, deg, kN/m\n");
    test_log_close(&log_);
}

TEST(their_number_is_bounded) {
    test_log_open(&log_);
    CdText text;
    cdi_text_init(&text, log_.ctx);
    for (int i = 0; i <= 1000; i++) cdi_text_addf(&text, "%s\"p%d\": 1", i ? ", " : "{", i);
    cdi_text_add(&text, "}");
    check_messages(text.v, "p.json:1:1: parameters: more than 1000 parameters\n");
    cdi_text_free(&text);
    test_log_close(&log_);
}

static CdStatus read_and_free(CdContext *ctx, void *user) {
    const char *text = user;
    CdJsonDoc *doc;
    CdParams *params;
    CD_TRY(cdi_json_read(ctx, "p.json", text, strlen(text), CD_JSON_LIMITS, &doc));
    CdStatus status = cdi_params_read(ctx, cdi_json_root(doc), "p.json", &params);
    cdi_params_free(ctx, params);
    cdi_json_free(doc);
    return status;
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(read_and_free, "{\"a\": \"b*2\", \"b\": 1, \"c\": \"3 mm\"}");
}

int main(void) {
    RUN(any_order_and_any_unit);
    RUN(mistakes_are_explained);
    RUN(their_number_is_bounded);
    RUN(lack_of_memory_is_survived);
    return test_end();
}
