// test_number.c - doubles to text and back: known hard cases, random bits, shortness, locales
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "test.h"

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// read all of the text, or NaN
static double read_all(const char *text) {
    double x = NAN;
    return cdi_number_read(text, strlen(text), &x) == strlen(text) ? x : NAN;
}

typedef struct Case {
    double x;
    const char *text;
} Case;

// values where other writers have failed, and both edges of plain notation
static const Case written[] = {
    {0.0, "0"},
    {-0.0, "-0.0"},
    {1.0, "1"},
    {-1.0, "-1"},
    {10.0, "10"},
    {0.1, "0.1"},
    {0.1 + 0.2, "0.30000000000000004"},
    {1.0 / 3.0, "0.3333333333333333"},
    {100.5, "100.5"},
    {123456789.0, "123456789"},
    {0x1p-44, "5.684341886080802e-14"},
    {0x1p-1074, "5e-324"},
    {9.5e-323, "9.4e-323"},
    {1e-323, "1e-323"},
    {DBL_MIN, "2.2250738585072014e-308"},
    {0x0.fffffffffffffp-1022, "2.225073858507201e-308"},
    {DBL_MAX, "1.7976931348623157e308"},
    {-DBL_MAX, "-1.7976931348623157e308"},
    {0x1p53, "9007199254740992"},
    {0x1p53 + 2, "9007199254740994"},
    {0x1p53 - 1, "9007199254740991"},
    {9007199254740993.0, "9007199254740992"},
    {DBL_EPSILON, "2.220446049250313e-16"},
    {0x1p1023, "8.98846567431158e307"},
    {9e15, "9000000000000000"},
    {1e16, "10000000000000000"},
    {99999999999999984.0, "99999999999999980"},
    {1e17, "1e17"},
    {1e21, "1e21"},
    {1e22, "1e22"},
    {1e23, "1e23"},
    {9.999999999999999e22, "1e23"},
    {1.0000000000000001e23, "1.0000000000000001e23"},
    {1e-5, "0.00001"},
    {9.999999999999999e-6, "9.999999999999999e-6"},
    {1.2345678901234567e-5, "0.000012345678901234568"},
    {1e-7, "1e-7"},
    {1.5e-10, "1.5e-10"},
    {5e-5, "0.00005"},
    {2e-44, "2e-44"},
    {1.1125369292536007e-308, "1.1125369292536007e-308"},
    {4.35, "4.35"},
    {4.349999999999999, "4.349999999999999"},
    {2.98023223876953125e-8, "2.9802322387695312e-8"},
    {5.764607523034235e39, "5.764607523034235e39"},
    {1.152921504606847e40, "1.152921504606847e40"},
    {6.02214076e23, "6.02214076e23"},
    {NAN, "nan"},
    {INFINITY, "inf"},
    {-INFINITY, "-inf"},
};

TEST(writes_known_values) {
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        char buf[CD_NUMBER_MAX];
        size_t n = cdi_number_write(written[i].x, buf);
        CHECK_TEXT(buf, written[i].text);
        CHECK_INT(n, strlen(buf));
        if (isfinite(written[i].x)) CHECK_BITS(read_all(buf), written[i].x);
    }
}

// fast path, product, midpoints: each is decided by another part of the reader
static const Case read[] = {
    {0.0, "0"},
    {-0.0, "-0"},
    {-0.0, "-0e400"},
    {0.0, "0.000000000000000000000000000000e9"},
    {1.0, "1E0"},
    {1.0, "1e+0"},
    {100.0, "0.1e3"},
    {1e22, "1e22"},
    {1e23, "1e23"},
    {9007199254740992.0, "9007199254740993"},
    {9007199254740992.0, "90071992547409930e-1"},
    {9007199254740994.0, "9007199254740993.00000000000000000000000001"},
    {9007199254740996.0, "9007199254740995"},
    {0x1p-1074, "4.9406564584124654e-324"},
    {0x1p-1074, "2.4703282292062328e-324"},
    {0.0, "2.4703282292062327e-324"},
    {0.0, "1e-400"},
    {0.0, "18446744073709551615e-343"},
    {0x1p-1074 * 4, "18446744073709551615e-342"},
    {0.0, "1e-99999999999999999999"},
    {INFINITY, "1e99999999999999999999"},
    {-INFINITY, "-1e309"},
    {INFINITY, "2e308"},
    {-INFINITY, "-345.67e306"},
    {INFINITY, "1.797693134862315808e308"},
    {DBL_MAX, "1.797693134862315807e308"},
    {DBL_MAX, "17976931348623157e292"},
    {0x0.fffffffffffffp-1022, "2.2250738585072011e-308"},
    {0x0.fffffffffffffp-1022, "2.225073858507201e-308"},
    {1e300, "0.00000000000000000000000000000000000000000000000001e350"},
    {1e-300, "100000000000000000000000000000000000000000000000000e-350"},
    {1.2345678901234567e29, "123456789012345678901234567890"},
    {0.3, "0.299999999999999988897769753748434595763683319091796875"},
    {8.41e21, "8.41e21"},
    {9214843084008499.0, "9214843084008499"},
    {30078505129381147446200.0, "30078505129381147446200"},
    {1777820000000000000001.0, "1777820000000000000001"},
    // midpoints of 0.5, 0.5 + 2^-53 and 0.5 + 2^-52
    {0.5, "0.500000000000000055511151231257827021181583404541015625"},
    {0.5 + 0x1p-53, "0.500000000000000055511151231257827021181583404541015626"},
    {0.5 + 0x1p-52, "0.500000000000000166533453693773481063544750213623046875"},
    {0.5 + 0x1p-53, "0.500000000000000166533453693773481063544750213623046874"},
};

TEST(reads_known_values) {
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        CHECK_BITS(read_all(read[i].text), read[i].x);
}

// digits of the midpoint of x and the double above it, exactly; their exponent beside it
static void print_midpoint(double x, char buf[1000]) {
    long double up = nextafter(x, INFINITY), mid = ((long double)x + up) / 2;
    snprintf(buf, 1000, "%.800Le", mid);
}

TEST(midpoints_of_800_digits_go_to_even) {
    TestRandom random = {1};
    for (int i = 0; i < 2000; i++) {
        uint64_t bits = test_random_bits(&random) >> 1;
        if (i % 3 == 0) bits &= 0xfffffffffffffu; // subnormal
        double x = from_bits(bits);
        if (!isfinite(x) || x == DBL_MAX) continue;
        char text[1000];
        print_midpoint(x, text);
        double above = nextafter(x, INFINITY);
        CHECK_BITS(read_all(text), bits & 1 ? above : x);

        // the last of the 801 digits decides
        char *last = strchr(text, 'e') - 1;
        CHECK(*last == '0');
        *last = '1';
        CHECK_BITS(read_all(text), above);
        for (*last = '0'; *last == '0' || *last == '.'; last--) {
            if (*last == '0') *last = '9';
        }
        --*last;
        CHECK_BITS(read_all(text), x);
    }
}

TEST(digits_beyond_any_midpoint_still_count) {
    // 2^53 + 1 is a midpoint; 2000 zeros later a one lifts it
    char text[2100];
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    text[2050] = '\0';
    CHECK_BITS(read_all(text), 0x1p53);
    text[2049] = '1';
    CHECK_BITS(read_all(text), 0x1p53 + 2);
}

typedef struct Prefix {
    const char *text;
    int n;
} Prefix;

TEST(the_longest_number_is_taken) {
    static const Prefix prefixes[] = {
        {"", 0},      {"-", 0},     {"+1", 0},    {".5", 0},     {"x", 0},    {"-x", 0},
        {"-.5", 0},   {"inf", 0},   {"nan", 0},   {"01", 1},     {"-01", 2},  {"0x10", 1},
        {"1.", 1},    {"1.e5", 1},  {"1e", 1},    {"1e+", 1},    {"1e-x", 1}, {"1.5e", 3},
        {"1.5.5", 3}, {"12,5", 2},  {"1e5.5", 3}, {"1 2", 1},    {"1e05", 4}, {"0.0e-0", 6},
        {"1e+5x", 4}, {"1_000", 1}, {"7 ", 1},    {"1.25mm", 4}, {"1ee5", 1}, {"1e--5", 1},
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        double x = 7;
        size_t n = cdi_number_read(prefixes[i].text, strlen(prefixes[i].text), &x);
        if (!CHECK_INT(n, prefixes[i].n)) printf("in %s\n", prefixes[i].text);
        if (n == 0) CHECK_BITS(x, 7);
    }
    // nothing behind n is looked at
    double x = 0;
    CHECK_INT(cdi_number_read("123456", 3, &x), 3);
    CHECK_BITS(x, 123);
    CHECK_INT(cdi_number_read("1.5", 2, &x), 1);
    CHECK_INT(cdi_number_read("1e5", 2, &x), 1);
    CHECK_INT(cdi_number_read("1e-5", 3, &x), 1);
    CHECK_INT(cdi_number_read("-1", 1, &x), 0);
}

TEST(random_bits_come_back) {
    TestRandom random = {2};
    for (int i = 0; i < 1000000; i++) {
        uint64_t bits = test_random_bits(&random);
        if (i % 8 == 0) bits &= 0x800fffffffffffffu; // subnormal
        if (i % 8 == 1) bits &= 0xfff0000000000000u; // power of two
        double x = from_bits(bits);
        if (!isfinite(x)) continue;
        char buf[CD_NUMBER_MAX];
        size_t n = cdi_number_write(x, buf);
        double y = NAN;
        bool same = cdi_number_read(buf, n, &y) == n && memcmp(&x, &y, sizeof x) == 0;
        if (!same) CHECK_BITS(y, x);
        if (!same) break;
    }
}

// significant digits of a written number, without leading and trailing zeros
static int significant(const char *text, char digits[CD_NUMBER_MAX]) {
    int n = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0')) digits[n++] = *text;
    }
    while (n > 0 && digits[n - 1] == '0') n--;
    digits[n] = '\0';
    return n;
}

// no decimal with a digit less reads back, and with as many none is closer than ours
static bool is_shortest(double x) {
    char ours[CD_NUMBER_MAX], digits[CD_NUMBER_MAX], text[64], other[CD_NUMBER_MAX];
    cdi_number_write(x, ours);
    int n = significant(ours, digits);
    if (n > 1) {
        // the two decimals of n - 1 digits around x
        snprintf(text, sizeof text, "%.*e", n - 2, x);
        if (strtod(text, NULL) == x) return false;
        double rounded = strtod(text, NULL), unit = pow(10, floor(log10(fabs(x))) - (n - 2));
        snprintf(text, sizeof text, "%.*e", n - 2, rounded < x ? rounded + unit : rounded - unit);
        if (strtod(text, NULL) == x) return false;
    }
    snprintf(text, sizeof text, "%.*e", n - 1, x);
    if (strtod(text, NULL) != x) return true; // the closest is outside its interval
    significant(text, other);
    return strcmp(digits, other) == 0;
}

TEST(nothing_shorter_reads_back) {
    TestRandom random = {3};
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = test_random_bits(&random) >> 1;
        if (i % 4 == 0) bits &= 0x7ff0000000000000u;
        if (i % 4 == 1) bits &= 0xfffffffffffffu >> i % 52;
        double x = from_bits(bits);
        if (i % 4 == 2) x = (double)(bits % 100000000) / pow(10, i % 9);
        if (!isfinite(x) || x == 0) continue;
        if (!is_shortest(x)) {
            char buf[CD_NUMBER_MAX];
            cdi_number_write(x, buf);
            CHECK_TEXT(buf, "the shortest");
            break;
        }
    }
}

TEST(every_power_of_ten_is_right) {
    for (int k = -345; k <= 310; k++) {
        char text[32], buf[CD_NUMBER_MAX];
        snprintf(text, sizeof text, "1e%d", k);
        CHECK_BITS(read_all(text), strtod(text, NULL));
        snprintf(text, sizeof text, "9223372036854775809e%d", k);
        CHECK_BITS(read_all(text), strtod(text, NULL));
        snprintf(text, sizeof text, "1e%d", k);
        cdi_number_write(read_all(text), buf);
        if ((k > -308 && k < -5) || (k > 16 && k < 309)) CHECK_TEXT(buf, text);
    }
}

// the first locale of this machine that writes a comma; NULL: none
static const char *set_comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",      "fr_FR.UTF-8",
                                        "fr_FR.utf8",  "fr_FR",      "da_DK.utf8", "ru_RU.utf8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',') return names[i];
    }
    const char *name = setlocale(LC_ALL, ""); // of the environment
    return name && localeconv()->decimal_point[0] == ',' ? name : NULL;
}

// does the text print a floating point number with printf?
static bool prints_reals(const char *text) {
    for (const char *p = strchr(text, '%'); p; p = strchr(p, '%')) {
        p += 1 + strspn(p + 1, "-+#0123456789.*lLhzjt");
        if (*p && strchr("aAeEfFgG", *p)) return true;
    }
    return false;
}

// functions whose result depends on the locale must not even be named
static void check_source(CdContext *ctx, const char *path) {
    static const char *const words[] = {"strtod", "atof", "scanf", "localeconv", "isdigit"};
    char *text;
    size_t n;
    if (!CHECK_OK(cdi_file_read(ctx, path, 1 << 20, &text, &n))) return;
    CHECK(n > 1000);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) CHECK(!strstr(text, words[i]));
    CHECK(!prints_reals(text));
    cdi_free(ctx, text);
}

TEST(no_locale_changes_a_number) {
    const char *name = set_comma_locale();
    printf("     locale with a comma: %s\n", name ? name : "none here, sources checked instead");
    char buf[CD_NUMBER_MAX];
    cdi_number_write(1234567.25, buf);
    CHECK_TEXT(buf, "1234567.25");
    CHECK_BITS(read_all("1234567.25"), 1234567.25);
    CHECK_BITS(read_all("0.500000000000000166533453693773481063544750213623046876"), 0.5 + 0x1p-52);
    setlocale(LC_ALL, "C");

    CHECK(prints_reals("a %d %-12.3Lg"));
    CHECK(!prints_reals("a % 3 %.*s %04x %zu"));
    CdContext *ctx = cd_context_new(NULL);
    check_source(ctx, CD_SOURCE_DIR "/src/base/number.c");
    check_source(ctx, CD_SOURCE_DIR "/src/base/json.c");
    check_source(ctx, CD_SOURCE_DIR "/src/base/json_lex.c");
    check_source(ctx, CD_SOURCE_DIR "/src/base/json_write.c");
    cd_context_free(ctx);
}

int main(void) {
    RUN(writes_known_values);
    RUN(reads_known_values);
    RUN(midpoints_of_800_digits_go_to_even);
    RUN(digits_beyond_any_midpoint_still_count);
    RUN(the_longest_number_is_taken);
    RUN(random_bits_come_back);
    RUN(nothing_shorter_reads_back);
    RUN(every_power_of_ten_is_right);
    RUN(no_locale_changes_a_number);
    return test_end();
}
