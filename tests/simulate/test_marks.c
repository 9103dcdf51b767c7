// test_marks.c - reactions that are not unique are marked, by the null space of J^T
#include <string.h>

#include "simulate/mechanisms.h"
#include "simulate/session.h"
#include "test.h"

#define FORCE(joint)                                                                \
    ",{\"class\": \"JointSensor\", \"name\": \"f" joint "\", \"joint\": \"" joint   \
    "\", \"quantity\": \"force\"},{\"class\": \"JointSensor\", \"name\": \"m" joint \
    "\", \"joint\": \"" joint "\", \"quantity\": \"moment\"}"
#define ANGLE(joint) \
    ",{\"class\": \"JointSensor\", \"name\": \"s" joint "\", \"joint\": \"" joint "\"}"

// the parallelogram of spatial hinges with a rod below its bar: on a ball joint, and on a massless
// rod from the ground. The second loop holds nothing twice.
#define FRAME                                                                                      \
    GRAVITY                                                                                        \
    ROD("left", "[0.43301270189221935, -0.25, 0]", ARM_TURN)                                       \
    ROD("bar", "[1.3660254037844386, -0.5, 0]", "")                                                \
    ROD("right", "[1.4330127018922194, -0.25, 0]", ARM_TURN)                                       \
    HINGE("a", "null", "\"left\"", "[0, 0, 0]", "[0, 0, 1]")                                       \
    "," HINGE("b", "\"left\"", "\"bar\"", "[0.8660254037844387, -0.5, 0]", "[0, 0, 1]") "," HINGE( \
        "c", "\"bar\"", "\"right\"", "[1.8660254037844386, -0.5, 0]",                              \
        "[0, 0, 1]") "," HINGE("d", "\"right\"", "null", "[1, 0, 0]", "[0, 0, 1]")
#define LEG                                                                                        \
    "," ROD(                                                                                       \
        "leg", "[1.8660254037844386, -0.5, 0.2]",                                                  \
        "") "{\"class\": \"SphericalJoint\", \"name\": \"e\", \"body_a\": \"bar\", \"body_b\": "   \
            "\"leg\", "                                                                            \
            "\"at\": [1.3660254037844386, -0.5, 0.2]},"                                            \
            "{\"class\": \"Marker\", \"name\": \"m1\", \"body\": \"leg\", \"position\": [0.5, 0, " \
            "0]},"                                                                                 \
            "{\"class\": \"Marker\", \"name\": \"m0\", \"body\": \"ground\", \"position\": "       \
            "[2.3660254037844386, 0.5, 0.2]},"                                                     \
            "{\"class\": \"DistanceJoint\", \"name\": \"f\", \"marker_a\": \"m0\", \"marker_b\": " \
            "\"m1\", \"length\": 1}"

// names of marked channels
static void marks(const char *text, const char *expected, int njoints, int nislands) {
    TestLog log;
    CdModel *model;
    CdRunSummary summary;
    CdSession s;
    char got[1000] = "";
    const CdRunOptions options = {
        .duration = 0.01, .step = 0.005, .method = (char *)"gen-alpha", .threads = 1};
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model));
    CHECK_OK(cdi_session_open(&s, model, "gen-alpha(step=0.01)", 1, NULL));
    for (int i = 0; i < s.channels->n; i++) {
        if (!s.channels->v[i].not_unique) continue;
        strcat(got, s.channels->v[i].name);
        strcat(got, " ");
    }
    CHECK_TEXT(got, expected);
    cdi_session_close(&s);
    CHECK_OK(cdi_simulate_run(model, &options, NULL, &summary));
    CHECK_INT(summary.njoints, njoints);
    CHECK_INT(summary.islands, nislands);
    cdi_model_free(model);
    test_log_close(&log);
}

TEST(all_joints_of_a_loop_that_holds_itself) {
    marks(MODEL(FRAME FORCE("a") FORCE("c") ANGLE("a") ANGLE("b")),
          "fa.fx fa.fy fa.fz ma.mx ma.my ma.mz fc.fx fc.fy fc.fz mc.mx mc.my mc.mz ", 4, 1);
}

TEST(joints_of_another_loop_are_not) {
    marks(MODEL(FRAME LEG FORCE("e") FORCE("f") FORCE("b")), "fb.fx fb.fy fb.fz mb.mx mb.my mb.mz ",
          4, 1);
}

TEST(joints_of_another_island_are_not) {
    marks(MODEL(ROD("door", "[0.5, 0, 0]", "") ROD("rod", "[0.5, 1, 0]", "")
                    HINGE("lower", "null", "\"door\"", "[0, 0, -0.3]", "[0, 0, 1]") "," HINGE(
                        "one", "null", "\"rod\"", "[0, 1, 0]",
                        "[0, 0, 1]") "," HINGE("upper", "null", "\"door\"", "[0, 0, 0.5]",
                                               "[0, 0, 1]") FORCE("one") FORCE("upper")),
          "fupper.fx fupper.fy fupper.fz mupper.mx mupper.my mupper.mz ", 2, 2);
}

TEST(names_of_joints_are_told) {
    TestLog log;
    CdModel *model;
    CdRunSummary summary;
    const char *text = DOOR;
    const CdRunOptions options = {
        .duration = 0.01, .step = 0.005, .method = (char *)"gen-alpha", .threads = 1};
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &model));
    CHECK_OK(cdi_simulate_run(model, &options, NULL, &summary));
    CHECK_INT(summary.njoints, 2);
    CHECK_TEXT(summary.joints[0], "lower");
    CHECK_TEXT(summary.joints[1], "upper");
    cdi_model_free(model);
    test_log_close(&log);
}

int main(void) {
    RUN(all_joints_of_a_loop_that_holds_itself);
    RUN(joints_of_another_loop_are_not);
    RUN(joints_of_another_island_are_not);
    RUN(names_of_joints_are_told);
    return test_end();
}
