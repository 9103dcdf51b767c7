// test_json.c - JSON reader: values, places, many keys, limits, memory, files
#define _POSIX_C_SOURCE 200809L
#include "base/json.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "json_check.h"

static const CdJson *get(const CdJson *object, const char *key) {
    static const CdJson nothing;
    const CdJson *value = cdi_json_get(object, key);
    return value ? value : &nothing;
}

TEST(values_of_every_kind) {
    CdJsonDoc *doc =
        read_ok("{\"n\": null, \"t\": true, \"f\": false, \"x\": -1.5e3, \"s\": \"hi\", "
                "\"a\": [1, 2, 3], \"o\": {\"k\": 7}, \"e\": [], \"eo\": {}}");
    const CdJson *root = cdi_json_root(doc);
    CHECK_TEXT(cdi_json_file(doc), "m.json");
    CHECK_INT(root->kind, CD_JSON_OBJECT);
    CHECK_INT(root->n, 9);
    CHECK(root->key == NULL);
    CHECK_INT(get(root, "n")->kind, CD_JSON_NULL);
    CHECK_INT(get(root, "t")->kind, CD_JSON_BOOL);
    CHECK(get(root, "t")->boolean);
    CHECK_INT(get(root, "f")->kind, CD_JSON_BOOL);
    CHECK(!get(root, "f")->boolean);
    CHECK_INT(get(root, "x")->kind, CD_JSON_NUMBER);
    CHECK_BITS(get(root, "x")->number, -1500);
    CHECK_INT(get(root, "s")->kind, CD_JSON_STRING);
    CHECK_TEXT(get(root, "s")->text, "hi");
    CHECK_INT(get(root, "s")->n, 2);
    CHECK_INT(get(root, "a")->kind, CD_JSON_ARRAY);
    CHECK_INT(get(root, "a")->n, 3);
    CHECK_BITS(get(root, "a")->items[2].number, 3);
    CHECK(get(root, "a")->items[2].key == NULL);
    CHECK_BITS(get(get(root, "o"), "k")->number, 7);
    CHECK_INT(get(root, "e")->kind, CD_JSON_ARRAY);
    CHECK_INT(get(root, "e")->n, 0);
    CHECK_INT(get(root, "eo")->kind, CD_JSON_OBJECT);
    CHECK(cdi_json_get(root, "absent") == NULL);
    CHECK(cdi_json_get(get(root, "a"), "k") == NULL);
    cdi_json_free(doc);
    cdi_json_free(NULL);
}

TEST(scalars_stand_alone) {
    static const char *const texts[] = {"1", "-0.5e-3", "\"s\"", "true", "null", " /**/ 7 // x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) cdi_json_free(read_ok(texts[i]));
}

TEST(kinds_have_names) {
    CHECK_TEXT(cdi_json_kind_name(CD_JSON_NULL), "null");
    CHECK_TEXT(cdi_json_kind_name(CD_JSON_BOOL), "true or false");
    CHECK_TEXT(cdi_json_kind_name(CD_JSON_NUMBER), "a number");
    CHECK_TEXT(cdi_json_kind_name(CD_JSON_STRING), "a string");
    CHECK_TEXT(cdi_json_kind_name(CD_JSON_ARRAY), "an array");
    CHECK_TEXT(cdi_json_kind_name(CD_JSON_OBJECT), "an object");
    CHECK_TEXT(cdi_json_kind_name(CD_NJSON), "unknown");
}

static void check_place(const CdJson *v, int line, int col) {
    CHECK_INT(v->line, line);
    CHECK_INT(v->col, col);
}

TEST(places_count_every_line_end_once) {
    CdJsonDoc *doc =
        read_ok("\n {\r\n\"a\": 1,\r  \"\xc3\xa4\":\n\r\t[2,/*\n\r\n\r*/ 3, // x\r4]}");
    const CdJson *root = cdi_json_root(doc), *list = &root->items[1];
    check_place(root, 2, 2);
    check_place(&root->items[0], 3, 6);
    CHECK_INT(root->items[0].key_line, 3);
    CHECK_INT(root->items[0].key_col, 1);
    CHECK_INT(list->key_line, 4);
    CHECK_INT(list->key_col, 3);
    check_place(list, 6, 2);
    check_place(&list->items[0], 6, 3);
    check_place(&list->items[1], 9, 4);
    check_place(&list->items[2], 10, 1);
    cdi_json_free(doc);

    // a byte order mark is no column
    doc = read_ok("\xef\xbb\xbf[1]");
    check_place(cdi_json_root(doc), 1, 1);
    check_place(&cdi_json_root(doc)->items[0], 1, 2);
    cdi_json_free(doc);

    // columns are bytes
    doc = read_ok("[\"\xc3\xa4\", 1]");
    check_place(&cdi_json_root(doc)->items[1], 1, 8);
    cdi_json_free(doc);
}

TEST(comments_may_stand_everywhere) {
    CdJsonDoc *doc =
        read_ok("//\n/**/{/*\"*/\"a\"/***/:/* / */1//,\n,//\"b\n\"b\"/* * */:[//\n1/**/,"
                "/**/2/**/]/**/}/**///\xc3\xa4");
    CHECK_INT(cdi_json_root(doc)->n, 2);
    CHECK_BITS(get(cdi_json_root(doc), "b")->items[1].number, 2);
    cdi_json_free(doc);
}

TEST(escapes_are_resolved) {
    CdJsonDoc *doc =
        read_ok("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e4\\u07ff\\u0800\\u20AC\\uffff"
                "\\ud800\\udc00\\uDBFF\\uDFFF\\u0001\", \"\\ud7ff\\ue000x\", \"\x7f\"]");
    const CdJson *v = cdi_json_root(doc)->items;
    CHECK_TEXT(v[0].text, "\"\\/\b\f\n\r\t");
    CHECK_INT(v[0].n, 8);
    CHECK_TEXT(v[1].text, "A\xc3\xa4\xdf\xbf\xe0\xa0\x80\xe2\x82\xac\xef\xbf\xbf\xf0\x90\x80\x80"
                          "\xf4\x8f\xbf\xbf\x01");
    CHECK_TEXT(v[2].text, "\xed\x9f\xbf\xee\x80\x80x");
    CHECK_TEXT(v[3].text, "\x7f");
    cdi_json_free(doc);
    doc = read_ok("{\"\\u0061\\n\": 1}");
    CHECK_BITS(get(cdi_json_root(doc), "a\n")->number, 1);
    cdi_json_free(doc);
}

TEST(valid_utf8_passes) {
    const char *text = "\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90"
                       "\x80\x80\xf4\x8f\xbf\xbf\"";
    CdJsonDoc *doc = read_ok(text);
    CHECK_INT(cdi_json_root(doc)->n, strlen(text) - 2);
    cdi_json_free(doc);
}

typedef struct Integral {
    const char *text;
    bool integral;
} Integral;

TEST(integral_numbers_are_marked) {
    static const Integral cases[] = {
        {"0", true},
        {"-7", true},
        {"9007199254740991", true},
        {"9007199254740992", true},
        {"-9007199254740992", true},
        {"9007199254740993", false},
        {"-9007199254740993", false},
        {"9007199254740994", false},
        {"1.0", false},
        {"1e2", false},
        {"1E2", false},
        {"0.5", false},
        {"100000000000000000000", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CdJsonDoc *doc = read_ok(cases[i].text);
        if (!CHECK(cdi_json_root(doc)->integral == cases[i].integral)) puts(cases[i].text);
        cdi_json_free(doc);
    }
}

// {"k0": 0, "k1": 1, ...}; at `again` the key k0 comes back
static CdText many_keys(int n, int again, const char *form) {
    CdText t;
    cdi_text_init(&t, said.ctx);
    for (int i = 0; i < n; i++) {
        cdi_text_add(&t, i == 0 ? "{\n" : ",\n");
        cdi_text_addf(&t, form, i == again ? 0 : i);
    }
    cdi_text_add(&t, "}");
    CHECK_OK(t.status);
    return t;
}

TEST(many_keys_are_checked_quickly) {
    static const char *const forms[] = {
        "\"k%d\": 1", "\"a long beginning that all of the keys have in common %d\": 1"};
    int64_t start = cdi_clock_thread_ns();
    for (int f = 0; f < 2; f++) {
        CdText unique = many_keys(100000, -1, forms[f]), twice = many_keys(100000, 99999, forms[f]);
        CdJsonDoc *doc = read_ok(unique.v);
        CHECK_INT(cdi_json_root(doc)->n, 100000);
        CHECK_TEXT(cdi_json_root(doc)->items[99998].key + (f ? 53 : 0), f ? "99998" : "k99998");
        cdi_json_free(doc);
        cdi_json_free(read_n(twice.v, twice.n, CD_JSON_LIMITS, CD_INVALID));
        CHECK(strstr(said.text, "m.json:100001:1: key \"") == said.text);
        CHECK(strstr(said.text, "0\" is given twice; it was first given at 2:1\n") != NULL);
        cdi_text_free(&unique);
        cdi_text_free(&twice);
    }
    CHECK((double)(cdi_clock_thread_ns() - start) * 1e-9 < 5); // by pairs it would be minutes

    // both ways of checking, around the number where they change
    for (int n = 2; n < 40; n++) {
        CdText twice = many_keys(n, n - 1, "\"k%d\": 1"), unique = many_keys(n, -1, "\"k%d\": 1");
        char message[100];
        snprintf(message, sizeof message,
                 "m.json:%d:1: key \"k0\" is given twice; it was first given at 2:1", n + 1);
        refused(twice.v, message);
        cdi_json_free(read_ok(unique.v));
        cdi_text_free(&twice);
        cdi_text_free(&unique);
    }
}

TEST(of_several_duplicates_the_first_is_named) {
    CdText t = many_keys(40, -1, "\"k%d\": 1");
    t.v[t.n - 1] = ',';
    cdi_text_add(&t, "\n\"k9\": 1, \"k3\": 1, \"k9\": 1, \"k3\": 1}");
    refused(t.v, "m.json:42:1: key \"k9\" is given twice; it was first given at 11:1");
    cdi_text_free(&t);
}

static void limited(const char *text, CdJsonLimits limits, const char *message) {
    cdi_json_free(read_n(text, strlen(text), limits, *message ? CD_LIMIT : CD_OK));
    CHECK_TEXT(said.text, message);
}

TEST(limits_are_kept_to_the_byte) {
    CdJsonLimits limits = {.bytes = 9, .values = 5, .depth = 2};
    limited("[[1,2,3]]", limits, "");
    limited("[[1,2,3]] ", limits, "m.json: larger than the limit of 9 bytes\n");
    limited("[[1,2],3]", limits, "");
    limited("[1,2,3,4]", limits, "");
    limits.bytes = 100;
    limited("[1,2,3,4,5]", limits, "m.json:1:10: more values than the limit of 5\n");
    limited("{\"a\":{\"b\":1,\"c\":[]}}", limits,
            "m.json:1:17: nested deeper than the limit of 2\n");
    limited("[[[]]]", limits, "m.json:1:3: nested deeper than the limit of 2\n");
    limited("[[],[[]]]", limits, "m.json:1:6: nested deeper than the limit of 2\n");
    limited("[[],[],[]]", limits, "");
    limits.depth = 0;
    limited("1", limits, "");
    limited("[]", limits, "m.json:1:1: nested deeper than the limit of 0\n");
    limits.values = 0;
    limited("1", limits, "m.json:1:1: more values than the limit of 0\n");
}

// text that repeats a piece
static CdText repeat(const char *piece, size_t n) {
    CdText t;
    cdi_text_init(&t, said.ctx);
    for (size_t i = 0; i < n; i++) cdi_text_add(&t, piece);
    CHECK_OK(t.status);
    return t;
}

TEST(bombs_do_not_explode) {
    CdText deep = repeat("[", 1000000), objects = repeat("{\"a\":", 1000000);
    CdJsonLimits limits = CD_JSON_LIMITS;
    limited(deep.v, limits, "m.json:1:65: nested deeper than the limit of 64\n");
    limits.depth = INT_MAX; // there is an end of its own
    limited(deep.v, limits, "m.json:1:1001: nested deeper than the limit of 1000\n");
    limits.depth = CD_JSON_DEPTH_MAX + 1;
    limited(deep.v, limits, "m.json:1:1001: nested deeper than the limit of 1000\n");
    limited(objects.v, limits, "m.json:1:5001: nested deeper than the limit of 1000\n");
    cdi_text_free(&deep);
    cdi_text_free(&objects);

    // a million values, but only a thousand allowed: memory stays small
    CdText wide = repeat(",[]", 1000000);
    wide.v[0] = '[';
    limits = CD_JSON_LIMITS;
    limits.values = 1000;
    size_t before = cd_context_memory(said.ctx).peak_bytes;
    limited(wide.v, limits, "m.json:1:2999: more values than the limit of 1000\n");
    CHECK(cd_context_memory(said.ctx).peak_bytes - before < 1000000);
    cdi_text_free(&wide);
}

TEST(memory_is_bounded_by_the_values) {
    CdText t = repeat(",1", 1000000);
    t.v[0] = '[';
    cdi_text_add(&t, "]");
    CdContext *ctx = cd_context_new(NULL);
    CdJsonDoc *doc;
    CHECK_OK(cdi_json_read(ctx, NULL, t.v, t.n, CD_JSON_LIMITS, &doc));
    CHECK(cdi_json_file(doc) == NULL);
    CHECK_INT(cdi_json_root(doc)->n, 1000000);
    CHECK_INT(cdi_json_root(doc)->items[999999].col, 2000000);
    CHECK(cd_context_memory(ctx).live_bytes < 1000000 * sizeof(CdJson) + 10000);
    CHECK(cd_context_memory(ctx).peak_bytes < 1100000 * sizeof(CdJson)); // no second copy
    cdi_json_free(doc);
    CHECK_INT(cd_context_memory(ctx).live_blocks, 0);
    cd_context_free(ctx);
    cdi_text_free(&t);
}

// a document with every kind of memory: texts, small and large arrays, many keys
static CdText rich_text(void) {
    CdText t = repeat(",[1,\"\\n\"]", 600);
    t.v[0] = '[';
    cdi_text_add(&t, ",{\"a0\":1");
    for (int i = 1; i < 30; i++) cdi_text_addf(&t, ",\"a%d\":[[{\"b\": \"long text %d\"}]]", i, i);
    cdi_text_add(&t, "}]");
    return t;
}

static CdStatus read_body(CdContext *ctx, void *user) {
    const CdText *text = user;
    CdJsonDoc *doc;
    CdStatus status = cdi_json_read(ctx, "m.json", text->v, text->n, CD_JSON_LIMITS, &doc);
    CHECK((status == CD_OK) == (doc != NULL));
    cdi_json_free(doc);
    return status;
}

static CdStatus read_file_body(CdContext *ctx, void *user) {
    CdJsonDoc *doc;
    CdStatus status = cdi_json_read_file(ctx, user, CD_JSON_LIMITS, &doc);
    CHECK((status == CD_OK) == (doc != NULL));
    cdi_json_free(doc);
    return status;
}

TEST(lack_of_memory_is_survived) {
    CdText text = rich_text();
    CHECK_OOM(read_body, &text);

    char path[] = "/tmp/cardan_test_json_XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    CHECK_OK(cdi_file_write(said.ctx, path, text.v, text.n));
    CHECK_OOM(read_file_body, path);
    close(fd);
    unlink(path);
    cdi_text_free(&text);
}

TEST(lack_of_memory_is_said) {
    CdJsonDoc *doc;
    test_log_clear(&said);
    cdi_context_fail_at(said.ctx, 3, true);
    CHECK_INT(cdi_json_read(said.ctx, "m.json", "[1]", 3, CD_JSON_LIMITS, &doc), CD_NOMEM);
    cdi_context_fail_at(said.ctx, 0, false);
    CHECK_TEXT(said.text, "m.json: out of memory\n");
}

TEST(files_are_read_with_their_name) {
    char path[] = "/tmp/cardan_test_json_XXXXXX", message[200];
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    CdJsonDoc *doc;
    CHECK_OK(cdi_file_write(said.ctx, path, "[1, 2]\n", 7));
    CHECK_OK(cdi_json_read_file(said.ctx, path, CD_JSON_LIMITS, &doc));
    CHECK_TEXT(cdi_json_file(doc), path);
    CHECK_INT(cdi_json_root(doc)->n, 2);
    cdi_json_free(doc);

    test_log_clear(&said);
    CdJsonLimits limits = CD_JSON_LIMITS;
    limits.bytes = 6;
    CHECK_INT(cdi_json_read_file(said.ctx, path, limits, &doc), CD_LIMIT);
    CHECK(doc == NULL);
    snprintf(message, sizeof message, "%s: larger than the limit of 6 bytes\n", path);
    CHECK_TEXT(said.text, message);

    test_log_clear(&said);
    CHECK_OK(cdi_file_write(said.ctx, path, "", 0));
    CHECK_INT(cdi_json_read_file(said.ctx, path, CD_JSON_LIMITS, &doc), CD_INVALID);
    snprintf(message, sizeof message, "%s:1:1: the text is empty; write a value such as {}\n",
             path);
    CHECK_TEXT(said.text, message);
    close(fd);
    unlink(path);

    test_log_clear(&said);
    CHECK_INT(cdi_json_read_file(said.ctx, path, CD_JSON_LIMITS, &doc), CD_IO);
    CHECK(doc == NULL);
    snprintf(message, sizeof message, "%s: cannot open: No such file or directory\n", path);
    CHECK_TEXT(said.text, message);
}

// flip bytes of a good text: a message or a value, never a crash; reading stays within the text
TEST(mutated_texts_never_crash) {
    TestRandom random = {4};
    static const char sample[] = "{\n  \"a\\n\": [1.5e3, [-7, {\"k\": null}]], // x\n"
                                 "  \"\\ud83d\\ude00\xc3\xa4\": [true, [], {}, \"b\"] /* y */\n}";
    size_t n = strlen(sample);
    for (int i = 0; i < 20000; i++) {
        char *copy = malloc(n); // of exactly its size, for the sanitizers
        memcpy(copy, sample, n);
        uint64_t bits = test_random_bits(&random);
        static const char wild[] = "{}[]\",:\\/*0e-.tn\n\xc3";
        copy[bits % n] = wild[(bits >> 20) % (sizeof wild - 1)];
        size_t cut = bits >> 60 ? n : (bits >> 32) % n;
        CdJsonDoc *doc;
        test_log_clear(&said);
        CdStatus status = cdi_json_read(said.ctx, "m.json", copy, cut, CD_JSON_LIMITS, &doc);
        CHECK(status == CD_OK ? said.n == 0 : status == CD_INVALID && said.n > 0);
        cdi_json_free(doc);
        free(copy);
    }
}

TEST(all_memory_was_given_back) {
    test_log_close(&said);
}

TEST(usual_limits_are_these) {
    CHECK_INT(CD_JSON_LIMITS.bytes, 1 << 30);
    CHECK_INT(CD_JSON_LIMITS.values, 10000000);
    CHECK_INT(CD_JSON_LIMITS.depth, 64);
}

int main(void) {
    RUN(usual_limits_are_these);
    test_log_open(&said);
    RUN(values_of_every_kind);
    RUN(scalars_stand_alone);
    RUN(kinds_have_names);
    RUN(places_count_every_line_end_once);
    RUN(comments_may_stand_everywhere);
    RUN(escapes_are_resolved);
    RUN(valid_utf8_passes);
    RUN(integral_numbers_are_marked);
    RUN(many_keys_are_checked_quickly);
    RUN(of_several_duplicates_the_first_is_named);
    RUN(limits_are_kept_to_the_byte);
    RUN(bombs_do_not_explode);
    RUN(memory_is_bounded_by_the_values);
    RUN(lack_of_memory_is_survived);
    RUN(lack_of_memory_is_said);
    RUN(files_are_read_with_their_name);
    RUN(mutated_texts_never_crash);
    RUN(all_memory_was_given_back);
    return test_end();
}
