// test_threads.c - the same bits for any number of threads
#include "simulate/threads.h"

#include "base/cpu.h"
#include "system/islands.h"

#define LINKS 70
#define MASSES 1200
#define ARMS 70
#define LINE 1700

// a hanging chain of links with a spring beside every joint, and masses on springs; wide enough for
// several ranges
static void write_chain(CdText *text) {
    cdi_text_add(text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\"}");
    for (int i = 0; i < LINKS; i++) {
        char above[16] = "ground";
        if (i > 0) snprintf(above, sizeof above, "b%d", i - 1);
        cdi_text_addf(text,
                      ", {\"class\": \"RigidBody\", \"name\": \"b%d\", \"position\": [%g, 0, 0], "
                      "\"shape\": {\"class\": \"Cuboid\", \"size\": [0.1, 0.02, 0.03]}}",
                      i, 0.05 + 0.1 * i);
        cdi_text_addf(text,
                      ", {\"class\": \"UniversalJoint\", \"name\": \"j%d\", \"body_a\": \"%s\", "
                      "\"body_b\": \"b%d\", \"at\": [%g, 0, 0], \"axis\": [0, 0, 1]}",
                      i, above, i, 0.1 * i);
        cdi_text_addf(text,
                      ", {\"class\": \"Marker\", \"name\": \"m%d\", \"body\": \"b%d\", "
                      "\"position\": [0, 0.03, 0.01]}",
                      i, i);
        if (i == 0) continue;
        cdi_text_addf(text,
                      ", {\"class\": \"SpringDamper\", \"name\": \"s%d\", \"marker_a\": \"m%d\", "
                      "\"marker_b\": \"m%d\", \"length\": 0.09, \"stiffness\": 50, \"damping\": 1}",
                      i, i - 1, i);
    }
    write_masses(text, MASSES);
    cdi_text_add(text, "]}");
}

TEST(any_number_of_threads_gives_the_same_bits) {
    static const char *const methods[] = {"gen-alpha", "rk4 formulation=index1",
                                          "gen-alpha formulation=index3"};
    check_threads(write_chain, 3, 3, methods);
}

// sections that threads take by themselves
static void write_islands(CdText *text) {
    islands_begin(text);
    for (int i = 0; i < ARMS; i++) write_arm(text, i);
    cdi_text_add(text, "]}");
}

static void write_hinges(CdText *text) {
    islands_begin(text);
    for (int i = 0; i < ARMS; i++) write_hinged(text, i);
    cdi_text_add(text, "]}");
}

TEST(any_number_of_threads_gives_the_same_bits_of_islands) {
    static const char *const methods[] = {"gen-alpha formulation=index3",
                                          "gen-alpha(step=1e-3,adaptive=false,form=index2)"};
    check_threads(write_islands, 5, 2, methods);
    check_threads(write_hinges, 5, 1, methods);
}

// masses on springs, and springs between them
static void write_tied(CdText *text, int n) {
    write_masses(text, n);
    for (int i = 1; i < n; i++) {
        cdi_text_addf(text,
                      ", {\"class\": \"CoordinateSpringDamper\", \"name\": \"between%d\", "
                      "\"marker_a\": \"x%d\", \"marker_b\": \"x%d\", \"stiffness\": 1000, "
                      "\"damping\": 1, \"length\": %g}",
                      i, i - 1, i, 0.01 * (i % 7));
    }
}

static void write_line(CdText *text) {
    cdi_text_add(text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\"}");
    write_tied(text, LINE);
    cdi_text_add(text, "]}");
}

TEST(any_number_of_threads_gives_the_same_bits_of_masses) {
    static const char *const methods[] = {"gen-alpha(step=1e-3,adaptive=false)", "gen-alpha",
                                          "trapezoidal(step=1e-3,adaptive=false)"};
    check_threads(write_line, 20, 3, methods);
}

// arms of which every hinge has a motor, with a load at each link; points and wheels pulled by
// springs
static void write_driven(CdText *text) {
    cdi_text_add(text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\"}");
    for (int i = 0; i < 2 * LINKS; i++) {
        cdi_text_addf(
            text,
            ", {\"class\": \"RigidBody\", \"name\": \"b%d\", \"position\": [0.05, 0, %d], "
            "\"shape\": {\"class\": \"Cuboid\", \"size\": [0.1, 0.02, 0.03]}}, "
            "{\"class\": \"RevoluteJoint\", \"name\": \"j%d\", \"body_b\": \"b%d\", "
            "\"at\": [0, 0, %d]}, {\"class\": \"GearedRotor\", \"name\": \"r%d\", "
            "\"body_b\": \"b%d\", \"at\": [0, 0, %d], \"inertia\": 1e-6, \"ratio\": 9}, "
            "{\"class\": \"Force\", \"name\": \"f%d\", \"body\": \"b%d\", \"y\": "
            "\"sin(%d*t)\", \"axes\": \"own\"}",
            i, i, i, i, i, i, i, i, i, i, i);
        cdi_text_addf(text,
                      i % 3 == 0
                          ? ", {\"class\": \"JointMotion\", \"name\": \"d%d\", \"joint\": \"j%d\", "
                            "\"motion\": \"%d*t^2\"}"
                          : ", {\"class\": \"TorsionalActuator\", \"name\": \"d%d\", \"body_b\": "
                            "\"b%d\", \"target\": \"sin(%d*t)\", \"gain\": 0.1}",
                      i, i, i);
        cdi_text_addf(
            text,
            ", {\"class\": \"%s\", \"name\": \"q%d\", \"position\": [0.1, 0.2, %d], "
            "\"%s\": 1}, {\"class\": \"Bushing\", \"name\": \"e%d\", \"body_a\": \"b%d\", "
            "\"body_b\": \"q%d\", \"at\": [0.1, 0, %d], \"elastic_x\": \"9*x^3\"}",
            i % 2 ? "Rotor" : "MassPoint3D", i, i, i % 2 ? "inertia" : "mass", i, i, i, i);
    }
    cdi_text_add(text, "]}");
}

TEST(motors_and_loads_give_the_same_bits) {
    static const char *const methods[] = {"gen-alpha", "gen-alpha formulation=index3"};
    check_threads(write_driven, 3, 2, methods);
}

static void check_counts(void (*write)(CdText *, int), int n, int all, int automatic) {
    TestLog log;
    CdText text;
    CdModel *model;
    test_log_open(&log);
    cdi_text_init(&text, log.ctx);
    islands_begin(&text);
    write(&text, n);
    cdi_text_add(&text, "]}");
    CHECK_OK(cdi_model_read_text(log.ctx, text.v, text.n, "many.json", &model));
    if (model) CHECK_INT(threads_of(model, 8), all);
    if (model) CHECK_INT(threads_of(model, CD_THREADS_AUTO), automatic);
    cdi_model_free(model);
    cdi_text_free(&text);
    test_log_close(&log);
}

static void write_doors(CdText *text, int n) {
    for (int i = 0; i < n; i++) write_door(text, i);
}

static void write_long(CdText *text, int n) {
    for (int i = 0; i < n; i++) write_hinged(text, i);
}

TEST(threads_that_do_not_pay_are_not_used) {
    const int ncpu = cdi_cpu_count();
    check_counts(write_masses, 4000, 1, 1);
    check_counts(write_masses, 4900, 8, ncpu < 2 ? ncpu : 2);
    // chains pay sooner
    check_counts(write_tied, 495, 1, 1);
    check_counts(write_tied, 496, 8, ncpu < 2 ? ncpu : 2);
    // islands pay sooner, if there are many
    check_counts(write_doors, 15, 1, 1);
    check_counts(write_doors, 16, 8, ncpu < 2 ? ncpu : 2);
    check_counts(write_long, 15, 1, 1);
    check_counts(write_long, 16, 8, ncpu < 2 ? ncpu : 2);
}

int main(void) {
    RUN(any_number_of_threads_gives_the_same_bits);
    RUN(any_number_of_threads_gives_the_same_bits_of_islands);
    RUN(any_number_of_threads_gives_the_same_bits_of_masses);
    RUN(motors_and_loads_give_the_same_bits);
    RUN(threads_that_do_not_pay_are_not_used);
    return test_end();
}
