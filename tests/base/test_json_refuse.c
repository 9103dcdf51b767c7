// test_json_refuse.c - every mistake in JSON text is refused at its place and with its words
#include "json_check.h"

TEST(empty_texts_are_refused) {
    refused("", "m.json:1:1: the text is empty; write a value such as {}");
    refused("\xef\xbb\xbf", "m.json:1:1: the text is empty; write a value such as {}");
    refused(" \n // c\n",
            "m.json:3:1: only white space and comments are here; write a value such as {}");
}

TEST(wrong_separators_are_refused) {
    refused("[1,]", "m.json:1:3: no comma may stand before ]; leave it out");
    refused("{\"a\": 1\n, // c\n}", "m.json:2:1: no comma may stand before }; leave it out");
    refused("[1 2]", "m.json:1:4: a comma is missing before this value");
    refused("[[] []]", "m.json:1:5: a comma is missing before this value");
    refused("{\"a\": 1\n \"b\": 2}", "m.json:2:2: a comma is missing before this key");
    refused("{\"a\": 1 b: 2}", "m.json:1:9: a comma is missing before this key");
    refused("[1; 2]", "m.json:1:3: ';' is not expected here; write a comma or ]");
    refused("{\"a\": 1: 2}", "m.json:1:8: ':' is not expected here; write a comma or }");
    refused("[1 \x01]", "m.json:1:4: byte 0x01 is not expected here; write a comma or ]");
    refused("[1\xc2\xa0]", "m.json:1:3: '\xc2\xa0' is not expected here; write a comma or ]");
    refused_n("[1\0]", 4, "m.json:1:3: byte 0x00 is not expected here; write a comma or ]");
    refused("[1 \xff]", "m.json:1:4: byte 0xff is not expected here; write a comma or ]");
    refused("\n[1}", "m.json:2:3: } does not close the array opened at 2:1; write ]");
    refused("[{\"a\": 1]", "m.json:1:9: ] does not close the object opened at 1:2; write }");
    refused("[,1]", "m.json:1:2: a value is missing before this comma");
    refused("[1,,2]", "m.json:1:4: a value is missing before this comma");
    refused("{\"a\": }", "m.json:1:7: a value is missing before this }");
    refused("{\"a\": , \"b\": 1}", "m.json:1:7: a value is missing before this comma");
    refused("]", "m.json:1:1: a value is missing before this ]");
}

TEST(unclosed_containers_are_refused) {
    refused("[1, [2\n",
            "m.json:2:1: the text ends here, but the array opened at 1:5 is not closed; write ]");
    refused("[", "m.json:1:2: the text ends here, but the array opened at 1:1 is not closed; "
                 "write ]");
    refused("[1,", "m.json:1:4: the text ends here, but the array opened at 1:1 is not closed; "
                   "write ]");
    refused("{", "m.json:1:2: the text ends here, but the object opened at 1:1 is not closed; "
                 "write }");
    refused("{\"a\"", "m.json:1:5: the text ends here, but the object opened at 1:1 is not "
                      "closed; write }");
    refused("{\"a\":", "m.json:1:6: the text ends here, but the object opened at 1:1 is not "
                       "closed; write }");
    refused("{\"a\": 1", "m.json:1:8: the text ends here, but the object opened at 1:1 is not "
                         "closed; write }");
    refused("{\"a\": 1,", "m.json:1:9: the text ends here, but the object opened at 1:1 is not "
                          "closed; write }");
}

TEST(wrong_keys_are_refused) {
    refused("{a: 1}", "m.json:1:2: 'a' is not a key; keys stand in double quotes");
    refused("{'a': 1}", "m.json:1:2: keys stand in double quotes, not in single ones");
    refused("{12: 1}", "m.json:1:2: '12' is not a key; keys stand in double quotes");
    refused("{\"a\": 1, {}}", "m.json:1:10: '{' is not a key; keys stand in double quotes");
    refused("{, \"a\": 1}", "m.json:1:2: a key is missing before this comma");
    refused("{: 1}", "m.json:1:2: a key is missing before this colon");
    refused("{\"a\" 1}", "m.json:1:6: a colon is missing after the key \"a\"");
    refused("{\"a\" = 1}", "m.json:1:6: a colon is missing after the key \"a\"");
    refused("{\"a\", \"b\"}", "m.json:1:5: a colon is missing after the key \"a\"");
    refused("{\"0123456789012345678901234567890123456789012345678901234567\xc3\xa4\xc3\xa4\"}",
            "m.json:1:66: a colon is missing after the key "
            "\"0123456789012345678901234567890123456789012345678901234567\xc3\xa4...\"");
    refused("{\"01234567890123456789012345678901234567890123456789012345678\xc3\xa4x\"}",
            "m.json:1:66: a colon is missing after the key "
            "\"01234567890123456789012345678901234567890123456789012345678...\"");
}

TEST(duplicate_keys_are_refused) {
    refused("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}",
            "m.json:3:2: key \"a\" is given twice; it was first given at 1:2");
    refused("{\"x\": {\"a\": 1, \"\\u0061\": 2}}",
            "m.json:1:16: key \"a\" is given twice; it was first given at 1:8");
    refused("{\"b\": 0, \"a\": 0, \"a\": 0, \"b\": 0}",
            "m.json:1:18: key \"a\" is given twice; it was first given at 1:10");
    refused("{\"\": 0, \"\": 0}", "m.json:1:9: key \"\" is given twice; it was first given at 1:2");
    cdi_json_free(read_ok("[{\"a\": 1}, {\"a\": {\"a\": 2}}]"));
}

TEST(wrong_words_are_refused) {
    refused("{\n\"x\":  NaN}",
            "m.json:2:7: NaN is not a JSON number; write a finite number or null");
    refused("nan", "m.json:1:1: nan is not a JSON number; write a finite number or null");
    refused("[Infinity]",
            "m.json:1:2: Infinity is not a JSON number; write a finite number or null");
    refused("-Infinity", "m.json:1:1: 'Infinity' after a minus sign is not a JSON number; write a "
                         "finite number or null");
    refused("-NaN", "m.json:1:1: 'NaN' after a minus sign is not a JSON number; write a finite "
                    "number or null");
    refused("True", "m.json:1:1: True is not JSON; write true");
    refused("FALSE", "m.json:1:1: FALSE is not JSON; write false");
    refused("None", "m.json:1:1: None is not JSON; write null");
    refused("hello", "m.json:1:1: 'hello' is not a JSON value; put texts in double quotes");
    refused("truex", "m.json:1:1: 'truex' is not a JSON value; put texts in double quotes");
    refused("tru", "m.json:1:1: 'tru' is not a JSON value; put texts in double quotes");
    refused("nullnull", "m.json:1:1: 'nullnull' is not a JSON value; put texts in double quotes");
    refused("a234567890123456789012345678901234567890b",
            "m.json:1:1: 'a234567890123456789012345678901234567890...' is not a JSON value; put "
            "texts in double quotes");
    refused("a23456789012345678901234567890123456789b",
            "m.json:1:1: 'a23456789012345678901234567890123456789b' is not a JSON value; put texts "
            "in double quotes");
    refused("'a'", "m.json:1:1: strings stand in double quotes, not in single ones");
    refused("\xe2\x80\x9c"
            "a",
            "m.json:1:1: '\xe2\x80\x9c' is not a JSON value; put texts in double quotes");
    refused(":", "m.json:1:1: ':' is not a JSON value; put texts in double quotes");
}

TEST(wrong_numbers_are_refused) {
    refused("[01]", "m.json:1:2: a number must not start with zeros; leave them out");
    refused("-00.5", "m.json:1:1: a number must not start with zeros; leave them out");
    refused("+1", "m.json:1:1: a number must not start with +; leave it out");
    refused(".5", "m.json:1:1: a number must not start with a point; write 0.5, not .5");
    refused("-.5", "m.json:1:1: a number must not start with a point; write -0.5, not -.5");
    refused("-", "m.json:1:1: a digit is missing after the minus sign");
    refused("[- 1]", "m.json:1:2: a digit is missing after the minus sign");
    refused("[1.]", "m.json:1:3: a digit is missing after the decimal point");
    refused("1.e5", "m.json:1:2: a digit is missing after the decimal point");
    refused("1.", "m.json:1:2: a digit is missing after the decimal point");
    refused("1.2.3", "m.json:1:4: a number has one decimal point, and none in its exponent");
    refused("1e2.3", "m.json:1:4: a number has one decimal point, and none in its exponent");
    refused("1e", "m.json:1:2: a digit is missing in the exponent");
    refused("[1E+]", "m.json:1:3: a digit is missing in the exponent");
    refused("1e-x", "m.json:1:2: a digit is missing in the exponent");
    refused("0x1F", "m.json:1:1: hexadecimal numbers are not JSON; write it in decimals");
    refused("-0X1F", "m.json:1:1: hexadecimal numbers are not JSON; write it in decimals");
    refused("10x1", "m.json:1:3: 'x1' must not follow a number; put texts in double quotes");
    refused("5mm", "m.json:1:2: 'mm' must not follow a number; put texts in double quotes");
    refused("1exp", "m.json:1:2: 'exp' must not follow a number; put texts in double quotes");
    refused("1_000", "m.json:1:2: '_000' must not follow a number; put texts in double quotes");
    refused("[1, -1e309]", "m.json:1:5: this number is too large; the largest is about 1.8e308");
    refused("1.7976931348623159e308",
            "m.json:1:1: this number is too large; the largest is about 1.8e308");
    cdi_json_free(read_ok("[1.7976931348623157e308, 1e-999, -0, 0e9]"));
}

TEST(wrong_strings_are_refused) {
    refused(
        "[\"a\nb\"]",
        "m.json:1:4: the line ends inside a string; close it with a double quote, or write \\n");
    refused(
        "\"a\r\"",
        "m.json:1:3: the line ends inside a string; close it with a double quote, or write \\n");
    refused("\"a\tb\"", "m.json:1:3: tab character inside a string; write \\t");
    refused("\"\x1f\"", "m.json:1:2: control character 0x1f inside a string; write \\u001f");
    refused_n("\"a\0\"", 4, "m.json:1:3: NUL character inside a string; is this a text file?");
    refused("\n [\"abc", "m.json:2:3: this string is not closed; end it with a double quote");
    refused("\"a\\\"", "m.json:1:1: this string is not closed; end it with a double quote");
    refused("{\"a", "m.json:1:2: this string is not closed; end it with a double quote");
    refused("\"\\q\"",
            "m.json:1:2: \\q is no escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    refused("\"\\\n\"",
            "m.json:1:2: \\ is no escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    refused("\"\\",
            "m.json:1:2: \\ is no escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    refused("\"\\U0041\"",
            "m.json:1:2: \\U is no escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    refused("\"x\\u00g0\"", "m.json:1:3: \\u needs four hexadecimal digits, as in \\u00e4");
    refused("\"\\u12", "m.json:1:2: \\u needs four hexadecimal digits, as in \\u00e4");
    refused("\"\\u0000\"", "m.json:1:2: \\u0000 is not allowed; texts hold no NUL characters");
}

TEST(half_surrogate_pairs_are_refused) {
    static const char *const texts[] = {
        "\"\\ud800\"",        "\"\\uD800x\"",     "\"\\ud800\\n\"",     "\"\\ud800\\u0041\"",
        "\"\\ud800\\ud800\"", "\"\\udc00\"",      "\"\\uDFFF\\ud800\"", "\"\\udbff\\ue000\"",
        "\"\\ud800\\udc0",    "\"\\ud800xudc00\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char message[120];
        snprintf(message, sizeof message,
                 "m.json:1:2: %.6s is half a surrogate pair; write both, as in \\ud83d\\ude00",
                 texts[i] + 1);
        refused(texts[i], message);
    }
}

typedef struct Bytes {
    const char *text;
    int col;
    unsigned byte;
} Bytes;

TEST(invalid_utf8_is_refused) {
    static const Bytes cases[] = {
        {"\"\x80\"", 2, 0x80},
        {"\"a\xbf\"", 3, 0xbf},
        {"\"\xc0\x80\"", 2, 0xc0},
        {"\"\xc1\xbf\"", 2, 0xc1},
        {"\"\xc2\"", 2, 0xc2},
        {"\"\xc2\xc0\"", 2, 0xc2},
        {"\"\xe0\x9f\xbf\"", 2, 0xe0},
        {"\"\xed\xa0\x80\"", 2, 0xed},
        {"\"\xe1\x80\"", 2, 0xe1},
        {"\"\xe1\x80\xc0\"", 2, 0xe1},
        {"\"\xf0\x8f\xbf\xbf\"", 2, 0xf0},
        {"\"\xf4\x90\x80\x80\"", 2, 0xf4},
        {"\"\xf1\x80\x80\x7f\"", 2, 0xf1},
        {"\"\xf5\x80\x80\x80\"", 2, 0xf5},
        {"\"\xff\"", 2, 0xff},
        {"\"\xf1\x80\x80", 2, 0xf1},
        {"[\"\xc2", 3, 0xc2},
        {"/* \xff */ 1", 4, 0xff},
        {"// \xe1\x80", 4, 0xe1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[120];
        snprintf(message, sizeof message,
                 "m.json:1:%d: byte 0x%02x is not valid UTF-8; save the text as UTF-8",
                 cases[i].col, cases[i].byte);
        refused(cases[i].text, message);
    }
}

TEST(wrong_comments_are_refused) {
    refused("1 /* a\n", "m.json:1:3: this comment is not closed; end it with */");
    refused("\n/*/", "m.json:2:1: this comment is not closed; end it with */");
    refused("/* *", "m.json:1:1: this comment is not closed; end it with */");
    refused("[1, / 2]", "m.json:1:5: a single slash means nothing; comments start with // or /*");
    refused("1 /", "m.json:1:3: a single slash means nothing; comments start with // or /*");
    refused("# x\n1", "m.json:1:1: # starts no comment; comments start with // or /*");
    refused_n("//\0\n1", 5, "m.json:1:3: NUL character in a comment; is this a text file?");
}

TEST(garbage_behind_is_refused) {
    refused("{} x", "m.json:1:4: 'x' follows the end of the value; only comments may");
    refused("[1]\n]", "m.json:2:1: ']' follows the end of the value; only comments may");
    refused("1 2", "m.json:1:3: '2' follows the end of the value; only comments may");
    refused("1,", "m.json:1:2: ',' follows the end of the value; only comments may");
    refused_n("1\0", 2, "m.json:1:2: byte 0x00 follows the end of the value; only comments may");
    refused("1\x7f", "m.json:1:2: byte 0x7f follows the end of the value; only comments may");
    cdi_json_free(read_ok("{} \r\n\t// x"));
}

TEST(all_memory_was_given_back) {
    test_log_close(&said);
}

int main(void) {
    test_log_open(&said);
    RUN(empty_texts_are_refused);
    RUN(wrong_separators_are_refused);
    RUN(unclosed_containers_are_refused);
    RUN(wrong_keys_are_refused);
    RUN(duplicate_keys_are_refused);
    RUN(wrong_words_are_refused);
    RUN(wrong_numbers_are_refused);
    RUN(wrong_strings_are_refused);
    RUN(half_surrogate_pairs_are_refused);
    RUN(invalid_utf8_is_refused);
    RUN(wrong_comments_are_refused);
    RUN(garbage_behind_is_refused);
    RUN(all_memory_was_given_back);
    return test_end();
}
