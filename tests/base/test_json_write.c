// test_json_write.c - JSON writer: layout, escapes, numbers, text that comes back as it was
#include <limits.h>
#include <math.h>
#include <string.h>

#include "json_check.h"

static CdText written(const CdJsonDoc *doc, int indent) {
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, said.ctx);
    cdi_json_writer_init(&w, &out, indent);
    cdi_json_value(&w, cdi_json_root(doc));
    CHECK_OK(out.status);
    return out;
}

static void check_written(const char *text, int indent, const char *expected) {
    CdJsonDoc *doc = read_ok(text);
    CdText out = written(doc, indent);
    CHECK_TEXT(out.v, expected);
    cdi_text_free(&out);
    cdi_json_free(doc);
}

static void write_sample(CdJsonWriter *w) {
    cdi_json_begin_object(w);
    cdi_json_key(w, "name");
    cdi_json_string(w, "a \"b\" \\ / \b\f\n\r\t\v\x1f\x7f \xc3\xa4");
    cdi_json_key(w, "list");
    cdi_json_begin_array(w, true);
    cdi_json_number(w, 0.1);
    cdi_json_begin_array(w, false);
    cdi_json_integer(w, -7);
    cdi_json_begin_object(w);
    cdi_json_key(w, "k");
    cdi_json_null(w);
    cdi_json_end_object(w);
    cdi_json_end_array(w);
    cdi_json_end_array(w);
    cdi_json_key(w, "spread");
    cdi_json_begin_array(w, false);
    cdi_json_bool(w, true);
    cdi_json_begin_array(w, false);
    cdi_json_end_array(w);
    cdi_json_begin_object(w);
    cdi_json_end_object(w);
    cdi_json_raw(w, "[1, 2]");
    cdi_json_end_array(w);
    cdi_json_key(w, "\n");
    cdi_json_bool(w, false);
    cdi_json_end_object(w);
}

#define SAMPLE_NAME "\"a \\\"b\\\" \\\\ / \\b\\f\\n\\r\\t\\u000b\\u001f\x7f \xc3\xa4\""
static const char *const sample_line =
    "{\"name\": " SAMPLE_NAME ", \"list\": [0.1, [-7, {\"k\": null}]], "
    "\"spread\": [true, [], {}, [1, 2]], \"\\n\": false}";
static const char *const sample_lines = "{\n"
                                        "  \"name\": " SAMPLE_NAME ",\n"
                                        "  \"list\": [0.1, [-7, {\"k\": null}]],\n"
                                        "  \"spread\": [\n"
                                        "    true,\n"
                                        "    [],\n"
                                        "    {},\n"
                                        "    [1, 2]\n"
                                        "  ],\n"
                                        "  \"\\n\": false\n"
                                        "}";

TEST(writer_puts_all_on_a_line_or_spreads) {
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, said.ctx);
    cdi_json_writer_init(&w, &out, 0);
    write_sample(&w);
    CHECK_TEXT(out.v, sample_line);
    cdi_text_clear(&out);
    cdi_json_writer_init(&w, &out, 2);
    write_sample(&w);
    CHECK_TEXT(out.v, sample_lines);
    cdi_text_free(&out);
}

TEST(written_text_comes_back_byte_by_byte) {
    check_written(sample_line, 0, sample_line);
    check_written(sample_lines, 2, sample_lines);
    check_written("[1,[2,{\"a\":3}]]", 2, "[1, [2, {\"a\": 3}]]");
    check_written("[\n1,[2,[\n3]]]", 3, "[\n   1,\n   [2, [3]]\n]");
    check_written("[ ]", 2, "[]");
    check_written("{ }", 2, "{}");
    check_written("-0", 2, "-0.0");
    check_written("1.50e1", 0, "15");
}

TEST(deep_levels_are_indented) {
    CdText t;
    cdi_text_init(&t, said.ctx);
    for (int i = 0; i < 40; i++) cdi_text_add(&t, "[\n");
    cdi_text_add(&t, "1");
    for (int i = 0; i < 40; i++) cdi_text_add(&t, "]");
    CdJsonDoc *doc = read_ok(t.v);
    CdText out = written(doc, 4);
    char line[400];
    snprintf(line, sizeof line, "\n%*s1\n%*s]\n", 160, "", 156, "");
    CHECK(strstr(out.v, line) != NULL);
    CHECK(out.v[out.n - 2] == '\n');
    cdi_json_free(doc);
    cdi_text_free(&t);
    cdi_text_free(&out);
}

TEST(numbers_json_cannot_hold_stick) {
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        CdText out;
        CdJsonWriter w;
        cdi_text_init(&out, said.ctx);
        cdi_json_writer_init(&w, &out, 0);
        cdi_json_begin_array(&w, true);
        cdi_json_number(&w, bad[i]);
        cdi_json_number(&w, 1);
        cdi_json_end_array(&w);
        CHECK_INT(out.status, CD_NONFINITE);
        CHECK_TEXT(out.v, "[");
        cdi_text_free(&out);
    }
    // the first failure is the one that is kept
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, said.ctx);
    out.status = CD_NOMEM;
    cdi_json_writer_init(&w, &out, 0);
    cdi_json_number(&w, NAN);
    CHECK_INT(out.status, CD_NOMEM);
    cdi_text_free(&out);
}

TEST(members_are_keys_with_values) {
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, said.ctx);
    cdi_json_writer_init(&w, &out, 0);
    cdi_json_begin_object(&w);
    cdi_json_key_text(&w, "a", "b");
    cdi_json_key_text(&w, "none", NULL);
    cdi_json_key_number(&w, "x", 0.5);
    cdi_json_key_number(&w, "y", NAN);
    cdi_json_key_number(&w, "z", -INFINITY);
    cdi_json_key_integer(&w, "n", LLONG_MIN);
    cdi_json_key_bool(&w, "yes", true);
    cdi_json_key_numbers(&w, "list", (double[]){1, 2.5}, 2);
    cdi_json_key_numbers(&w, "empty", NULL, 0);
    cdi_json_end_object(&w);
    CHECK_OK(out.status);
    CHECK_TEXT(out.v, "{\"a\": \"b\", \"none\": null, \"x\": 0.5, \"y\": null, \"z\": null, "
                      "\"n\": -9223372036854775808, \"yes\": true, \"list\": [1, 2.5], "
                      "\"empty\": []}");
    cdi_text_free(&out);
}

TEST(integers_are_written_exactly) {
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, said.ctx);
    cdi_json_writer_init(&w, &out, 0);
    cdi_json_begin_array(&w, true);
    cdi_json_integer(&w, LLONG_MIN);
    cdi_json_integer(&w, LLONG_MAX);
    cdi_json_end_array(&w);
    CHECK_TEXT(out.v, "[-9223372036854775808, 9223372036854775807]");
    cdi_text_free(&out);
}

static CdStatus write_body(CdContext *ctx, void *user) {
    CdText out;
    CdJsonWriter w;
    cdi_text_init(&out, ctx);
    cdi_json_writer_init(&w, &out, 2);
    cdi_json_value(&w, cdi_json_root(user));
    CdStatus status = out.status;
    cdi_text_free(&out);
    return status;
}

TEST(lack_of_memory_is_survived) {
    CdJsonDoc *doc = read_ok(sample_lines);
    CHECK_OOM(write_body, doc);
    cdi_json_free(doc);
}

TEST(all_memory_was_given_back) {
    test_log_close(&said);
}

int main(void) {
    test_log_open(&said);
    RUN(writer_puts_all_on_a_line_or_spreads);
    RUN(written_text_comes_back_byte_by_byte);
    RUN(deep_levels_are_indented);
    RUN(numbers_json_cannot_hold_stick);
    RUN(members_are_keys_with_values);
    RUN(integers_are_written_exactly);
    RUN(lack_of_memory_is_survived);
    RUN(all_memory_was_given_back);
    return test_end();
}
