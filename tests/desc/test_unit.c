// test_unit.c - units and intervals as text
#include "desc/unit.h"

#include <string.h>

#include "desc/interval.h"
#include "test.h"

#define PI 3.14159265358979323846

static void check_si(const char *text, double value, double expected) {
    CdUnit u;
    const char *bad;
    size_t n;
    if (!CHECK(cdi_unit_parse(text, strlen(text), &u, &bad, &n))) {
        printf("%s: %.*s\n", text, (int)n, bad);
        return;
    }
    CHECK_BITS(cdi_unit_to_si(&u, value), expected);
}

static bool fits(const char *given, const char *wanted) {
    CdUnit a, b;
    const char *bad;
    size_t n;
    bool parsed = cdi_unit_parse(given, strlen(given), &a, &bad, &n) &&
                  cdi_unit_parse(wanted, strlen(wanted), &b, &bad, &n);
    CHECK(parsed);
    return parsed && cdi_unit_fits(&a, &b);
}

TEST(units_convert_exactly) {
    check_si("m", 2, 2);
    check_si("mm", 35, 0.035);
    check_si("kg", 1.7, 1.7);
    check_si("g", 1.5, 0.0015);
    check_si("kN/m", 3, 3000);
    check_si("N/mm", 7, 7000);
    check_si("km/h", 36, 10);
    check_si("deg", 180, PI);
    check_si("°", 90, PI / 2);
    check_si("rpm", 60, 2 * PI);
    check_si("N*m/deg", 1, 180 / PI);
    check_si("rev/s", 1, 2 * PI);
    check_si("µm", 5, 5e-6);
    check_si("um", 5, 5e-6);
    check_si("cm^2", 4, 4e-4);
    check_si("mm³", 2, 2e-9);
    check_si("kg m²", 3, 3);
    check_si("kg·m^2/s^2", 3, 3);
    check_si("m/s/s", 3, 3);
    check_si("1/min", 60, 1);
    check_si("N/(mm*s)", 2, 2000);
    check_si("m s^-2", 2, 2);
    check_si("%", 50, 0.5);
    check_si("in", 10, 0.254);
    check_si("MPa", 2, 2e6);
    check_si("kNm/rad", 2, 2000);
    check_si("GPa", 210, 210e9);
    check_si("t", 2, 2000);
    check_si("mph", 1, 0.44704);
    check_si("((((((((m^12))))))))", 2, 2);
}

TEST(dimensions_are_told_apart) {
    CHECK(fits("kN", "N"));
    CHECK(fits("kg*m/s^2", "N"));
    CHECK(fits("J", "N*m"));
    CHECK(!fits("kg", "N"));
    CHECK(!fits("N", "N/m"));
    CHECK(!fits("m", "1"));
    CHECK(fits("V", "W/A"));
    CHECK(fits("Ohm", "V/A"));
    CHECK(fits("H", "Wb/A"));
    CHECK(fits("F", "C/V"));
    CHECK(fits("T", "Wb/m^2"));
    CHECK(fits("Pa", "N/m^2"));
    CHECK(fits("bar", "psi"));
    CHECK(fits("L", "m^3"));
    CHECK(fits("lbf", "lb*m/s^2"));
}

TEST(angles_are_not_plain_numbers) {
    CHECK(fits("deg", "rad"));
    CHECK(!fits("deg", "1"));
    CHECK(fits("rpm", "rad/s"));
    CHECK(!fits("1/s", "rad/s"));
    CHECK(!fits("1/min", "rad/s"));
    CHECK(fits("N*m*s", "N*m*s/rad"));
    CHECK(!fits("Hz", "rad/s"));
    CHECK(fits("Hz", "1/s"));
    CHECK(fits("N*m", "N*m/rad"));
    CHECK(!fits("N*m/rad", "N*m"));
    CHECK(!fits("rad^2", "rad"));
}

static void check_bad(const char *text, const char *piece) {
    CdUnit u;
    const char *bad = NULL;
    size_t n = 0;
    CHECK(!cdi_unit_parse(text, strlen(text), &u, &bad, &n));
    char got[64] = "";
    snprintf(got, sizeof got, "%.*s", (int)n, bad ? bad : "");
    CHECK_TEXT(got, piece);
}

TEST(bad_units_are_pointed_at) {
    check_bad("foo", "foo");
    check_bad("kN/mn", "mn");
    check_bad("", "");
    check_bad("m/", "");
    check_bad("m^", "");
    check_bad("m^99", "99");
    check_bad("(m", "(m");
    check_bad("m)", ")");
    check_bad("kkg", "kkg");
    check_bad("kmin", "kmin");
    check_bad("((((((((((m))))))))))", "(");
    check_bad("((((((((m^12)^12)^12)^12)^12)^12)^12)^12)^12", "(m^12)^12");
    check_bad("m*(deg^12)^12", "(deg^12)^12");
    check_bad("km^12*km^12*km^12*km^12*km^12*km^12*km^12*km^12*km^12",
              "km^12*km^12*km^12*km^12*km^12*km^12*km^12*km^12*km^12");
    check_bad("m^13", "13");
    check_bad("(((((((((m)))))))))", "(");
}

TEST(intervals_hold_what_they_say) {
    CdInterval i;
    CHECK(cdi_interval_parse("[0, 1)", &i));
    CHECK(cdi_interval_holds(&i, 0));
    CHECK(cdi_interval_holds(&i, 0.5));
    CHECK(!cdi_interval_holds(&i, 1));
    CHECK(!cdi_interval_holds(&i, -1e-300));
    CHECK(cdi_interval_parse("(0, inf)", &i));
    CHECK(!cdi_interval_holds(&i, 0));
    CHECK(cdi_interval_holds(&i, 5e-324));
    CHECK(cdi_interval_parse("(-inf, 2.5e3]", &i));
    CHECK(cdi_interval_holds(&i, 2500));
    CHECK(!cdi_interval_holds(&i, 2500.0000000001));
    CHECK(cdi_interval_parse("", &i));
    CHECK(cdi_interval_holds(&i, -1e300));
    CHECK(!cdi_interval_holds(&i, 0.0 / 0.0));
    CHECK(!cdi_interval_parse("0, 1", &i));
    CHECK(!cdi_interval_parse("[0, 1", &i));
    CHECK(!cdi_interval_parse("[0 1]", &i));
    CHECK(!cdi_interval_parse("[2, 1]", &i));
    CHECK(!cdi_interval_parse("[0, 1] ", &i));
    CHECK(!cdi_interval_parse("[a, 1]", &i));
}

TEST(intervals_explain_themselves) {
    CdInterval i;
    char rule[CD_INTERVAL_TEXT];
    cdi_interval_parse("(0, 1]", &i);
    cdi_interval_rule(&i, rule);
    CHECK_TEXT(rule, "must be above 0 and at most 1");
    cdi_interval_parse("[0.1, inf)", &i);
    cdi_interval_rule(&i, rule);
    CHECK_TEXT(rule, "must be at least 0.1");
    cdi_interval_parse("(-inf, 3)", &i);
    cdi_interval_rule(&i, rule);
    CHECK_TEXT(rule, "must be below 3");
    cdi_interval_parse("", &i);
    cdi_interval_rule(&i, rule);
    CHECK_TEXT(rule, "must be finite");
}

int main(void) {
    RUN(units_convert_exactly);
    RUN(dimensions_are_told_apart);
    RUN(angles_are_not_plain_numbers);
    RUN(bad_units_are_pointed_at);
    RUN(intervals_hold_what_they_say);
    RUN(intervals_explain_themselves);
    return test_end();
}
