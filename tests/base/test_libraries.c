// test_libraries.c - libraries of others that were left out are named with what they would bring
#include "base/libraries.h"

#include <string.h>

#include "test.h"

static const CdLibrary some[] = {{"ALGEBRA", false, "", "matrices", "libalgebra-dev"},
                                 {"STEPS", false, "euler heun", "two methods", "libsteps-dev"},
                                 {"HERE", true, "rk", "one method", "libhere-dev"},
                                 {0}};

TEST(what_a_missing_library_brings_is_told_with_its_package) {
    char text[CDI_LEFT_OUT_MAX];
    const char *expected =
        " in this build, which found no STEPS; install libsteps-dev (Debian) and build anew";
    CHECK_TEXT(cdi_left_out_of(some, "euler", text), expected);
    CHECK_TEXT(cdi_left_out_of(some, "heun", text), expected);
}

TEST(nothing_is_told_of_other_names) {
    char text[CDI_LEFT_OUT_MAX];
    const char *const names[] = {"rk", "eule", "eulers", "euler heun", "un", "", "matrices"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        CHECK_TEXT(cdi_left_out_of(some, names[k], text), "");
    }
}

// tests are built with all of them
TEST(tests_leave_nothing_out) {
    char text[CDI_LEFT_OUT_MAX];
    int n = 0;
    for (const CdLibrary *l = cdi_libraries; l->name; l++, n++) {
        CHECK(l->here);
        CHECK(*l->purpose && strncmp(l->packages, "lib", 3) == 0);
    }
    CHECK_INT(n, 3);
    CHECK_TEXT(cdi_left_out("klu", text), "");
}

int main(void) {
    RUN(what_a_missing_library_brings_is_told_with_its_package);
    RUN(nothing_is_told_of_other_names);
    RUN(tests_leave_nothing_out);
    return test_end();
}
