// test_check.c - findings of models with one mistake each, ranks in all units, starts of runs
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/check.h"
#include "simulate/mechanisms.h"
#include "simulate/simulate.h"
#include "test.h"

#define MARKER(name, body, position, more)                              \
    "{\"class\": \"Marker\", \"name\": \"" name "\", \"body\": \"" body \
    "\", \"position\": " position more "},"
#define JOINT(cls, name, a, b)                                                                     \
    "{\"class\": \"" cls "\", \"name\": \"" name "\", \"marker_a\": \"" a "\", \"marker_b\": \"" b \
    "\"}"
// a rod that a joint of a class holds at the origin, by markers at its left end
#define HELD(cls, position, turn, more)                                       \
    MODEL(ROD("link", position, more) MARKER("ma", "ground", "[0, 0, 0]", "") \
              MARKER("mb", "link", "[-0.5, 0, 0]", turn) JOINT(cls, "pin", "ma", "mb"))

// "severity code item: text; hint" of all findings
static void tell(const char *model, char *text, size_t size, int *dof) {
    TestLog log;
    CdModel *m = NULL;
    CdCheck *c = NULL;
    size_t n = 0;
    test_log_open(&log);
    text[0] = 0;
    const CdStatus read = cdi_model_read_text(log.ctx, model, strlen(model), "x.json", &m);
    if (CHECK_OK(read)) CHECK_OK(cdi_check(m, &c));
    for (size_t k = 0; c && k < c->findings.n && n < size; k++) {
        const CdFinding *f = &c->findings.v[k];
        n += (size_t)snprintf(text + n, size - n, "%s %s %s: %s; %s\n",
                              cdi_severity_names[f->severity], f->code, f->item ? f->item : "-",
                              f->text, f->hint);
    }
    if (dof && c) *dof = c->dof;
    CHECK_TEXT(log.text, "");
    cdi_check_free(c);
    cdi_model_free(m);
    test_log_close(&log);
}

static void expect(const char *model, int dof, const char *findings) {
    char text[4096];
    int found = -1;
    tell(model, text, sizeof text, &found);
    CHECK_INT(found, dof);
    CHECK_TEXT(text, findings);
}

TEST(a_sound_model_has_no_findings) {
    expect(HELD("RevoluteJoint", "[0.5, 0, 0]", "", ""), 1, "");
    // velocities that fit but for rounding
    expect(HELD("RevoluteJoint", "[0.4, 0.3, 0]",
                ", \"orientation\": [0.9486832980505138, 0, 0, -0.31622776601683794]",
                ", \"orientation\": [0.9486832980505138, 0, 0, 0.31622776601683794], "
                "\"velocity\": [-0.21, 0.28, 0], \"angular_velocity\": [0, 0, 0.7]"),
           1, "");
}

// ---- freedom and redundancy

#define NOT_UNIQUE                                                                               \
    "; the motion is right, but reactions of these joints are not unique, and the smallest are " \
    "told; joints that leave more freedom, a ball in place of a hinge, make them unique\n"

TEST(redundant_constraints_are_counted_and_their_joints_named) {
    expect(DOOR, 1,
           "warning redundant -: 5 constraints of joints 'lower', 'upper' are redundant: the "
           "others hold them already" NOT_UNIQUE);
    expect(PARALLELOGRAM, 1,
           "warning redundant -: 3 constraints of joints 'a', 'b', 'c', 'd' are redundant: the "
           "others hold them already" NOT_UNIQUE);
    expect(BRICARD, 1,
           "warning redundant -: 1 constraint of joints 'j1', 'j2', 'j3', 'j4', 'j5', 'j6' is "
           "redundant: the others hold it already" NOT_UNIQUE);
}

// two loops on the same ground, and a chain that hangs on one of them; only the loop is redundant
TEST(islands_are_kept_apart) {
    TestLog log;
    CdModel *m;
    CdCheck *c;
    const char *text = MODEL(
        GRAVITY ROD("door", "[0.5, 0, 0]", "") ROD("tail", "[1.5, 0, 0]", "")
            ROD("alone", "[0.5, 0, 9]", "")
                HINGE("lower", "null", "\"door\"", "[0, 0, -0.3]", "[0, 0, 1]") "," HINGE(
                    "upper", "null", "\"door\"", "[0, 0, 0.5]",
                    "[0, 0, 1]") "," HINGE("tail_pin", "\"door\"", "\"tail\"", "[1, 0, 0]",
                                           "[0, 1, 0]") "," HINGE("other", "null", "\"alone\"",
                                                                  "[0, 0, 9]", "[0, 0, 1]"));
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &m));
    CHECK_OK(cdi_check(m, &c));
    const CdRank *rank = &c->start.rank;
    CHECK_INT(rank->nislands, 2);
    CHECK_INT(rank->islands[0].nbodies, 2);
    CHECK_INT(rank->islands[0].nrows, 15);
    CHECK_INT(rank->islands[0].rank, 10);
    CHECK_INT(rank->islands[1].nbodies, 1);
    CHECK_INT(rank->islands[1].rank, 5);
    CHECK_INT(c->dof, 3);
    CHECK_INT(c->findings.n, 1);
    // the joint of the tail takes no part in it
    CHECK(strstr(c->findings.v[0].text, "'lower', 'upper' are") != NULL);
    cdi_check_free(c);
    cdi_model_free(m);
    test_log_close(&log);
}

// the mechanism of the door and a slanting parallelogram with all lengths times L
static int rank_at(double L) {
    TestLog log;
    CdModel *m = NULL;
    CdCheck *c = NULL;
    char text[8192];
    test_log_open(&log);
    snprintf(text, sizeof text,
             "{\"cardan\": 1, \"parameters\": {\"L\": %.17g}, \"items\": ["
             "{\"class\": \"RigidBody\", \"name\": \"a\", \"position\": [\"0.3*L\", \"0.4*L\", 0],"
             " \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},"
             "{\"class\": \"RigidBody\", \"name\": \"b\", \"position\": [\"L\", \"0.8*L\", 0],"
             " \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},"
             "{\"class\": \"RigidBody\", \"name\": \"c\", \"position\": [\"2*L\", \"0.5*L\", 0],"
             " \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},"
             "{\"class\": \"RevoluteJoint\", \"name\": \"1\", \"body_b\": \"a\"},"
             "{\"class\": \"RevoluteJoint\", \"name\": \"2\", \"body_a\": \"a\", \"body_b\": \"b\","
             " \"at\": [\"0.6*L\", \"0.8*L\", 0]},"
             "{\"class\": \"RevoluteJoint\", \"name\": \"3\", \"body_a\": \"b\", \"body_b\": \"c\","
             " \"at\": [\"1.9*L\", \"1.1*L\", 0]},"
             "{\"class\": \"RevoluteJoint\", \"name\": \"4\", \"body_a\": \"c\","
             " \"at\": [\"2.1*L\", \"-0.1*L\", 0]}]}",
             L);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), "x.json", &m));
    CHECK_OK(cdi_check(m, &c));
    const int rank = c ? c->rank : -1;
    if (c) CHECK_INT(c->nc, 20);
    // nowhere near the limit
    if (c) CHECK(c->start.rank.islands[0].weakest > 1e-3);
    if (c) CHECK(c->start.rank.islands[0].strongest_left_out < 1e-13);
    cdi_check_free(c);
    cdi_model_free(m);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
    return rank;
}

TEST(the_rank_is_the_same_in_all_units) {
    const double lengths[] = {1e-6, 1e-3, 1, 1e3, 1e6};
    for (int k = 0; k < 5; k++) CHECK_INT(rank_at(lengths[k]), 17);
}

TEST(constraints_that_cannot_be_met_are_in_conflict) {
    expect(MODEL(ROD("link", "[0.5, 0, 0]", "") MARKER("a", "ground", "[0, 0, 0]", "")
                     MARKER("b", "link", "[-0.5, 0, 0]", "") MARKER("c", "link", "[0.5, 0, 0]", "")
                         MARKER("d", "ground", "[1.0005, 0, 0]", "")
                             JOINT("SphericalJoint", "left", "a",
                                   "b") "," JOINT("SphericalJoint", "right", "d", "c")),
           1,
           "error position right: start positions do not fit: along x by -0.0005; move the bodies "
           "or markers so that they meet\n"
           "error conflict -: joints 'left', 'right' contradict each other: no positions meet all "
           "of their constraints; change lengths, points or axes so that the parts fit, or free "
           "directions\n");
}

#define MOTION(name, speed)                                                                        \
    "{\"class\": \"JointMotion\", \"name\": \"" name                                               \
    "\", \"joint\": \"pin\", \"motion\": {\"class\": \"Polynomial\", \"coefficients\": [0, " speed \
    "]}}"
#define DRIVEN(speed)                                                                              \
    MODEL(                                                                                         \
        ROD("link", "[0.5, 0, 0]", ", \"velocity\": [0, 0.5, 0], \"angular_velocity\": [0, 0, 1]") \
            HINGE("pin", "null", "\"link\"", "[0, 0, 0]",                                          \
                  "[0, 0, 1]") "," MOTION("m1", "1") "," MOTION("m2", speed))

TEST(motions_of_one_hinge_may_agree_or_contradict_each_other) {
    char text[4096];
    tell(DRIVEN("1"), text, sizeof text, NULL);
    CHECK(strstr(text, "warning redundant -: 1 constraint of joints 'm1', 'm2' is redundant") !=
          NULL);
    CHECK(strstr(text, "conflict") == NULL);
    tell(DRIVEN("1.0001"), text, sizeof text, NULL);
    CHECK(strstr(text, "error conflict -: joints 'm1', 'm2' contradict each other: no velocities "
                       "meet all of their constraints; ") != NULL);
    CHECK(strstr(text, "redundant") == NULL);
}

TEST(a_stretched_parallelogram_starts_in_a_singular_position) {
    char text[4096];
    tell(MODEL(ROD("a", "[0.5, 0, 0]", "") ROD("b", "[1.5, 0, 0]", "") ROD("c", "[1.5, 0, 0]", "")
                   HINGE("1", "null", "\"a\"", "[0, 0, 0]", "[0, 0, 1]") "," HINGE(
                       "2", "\"a\"", "\"b\"", "[1, 0, 0]",
                       "[0, 0, 1]") "," HINGE("3", "\"b\"", "\"c\"", "[2, 0, 0]",
                                              "[0, 0, 1]") "," HINGE("4", "\"c\"", "null",
                                                                     "[1, 0, 0]", "[0, 0, 1]")),
         text, sizeof text, NULL);
    CHECK(strstr(text, "error singular -: the start is a singular position of bodies 'a', 'b', "
                       "'c': constraints of rank 16 there, 17 nearby; ") != NULL);
}

TEST(what_cannot_move_is_told) {
    expect(HELD("FixedJoint", "[0.5, 0, 0]", "", ""), 0,
           "info fixed -: 'link' cannot move; with joints that leave more freedom it could; "
           "prescribed motions are fine\n");
}

// ---- start

TEST(start_positions_that_do_not_fit_are_told_by_joint_and_row) {
    expect(HELD("RevoluteJoint", "[0.52, 0.1, 0]", "", ""), 1,
           "error position pin: start positions do not fit: along x by 0.02, along y by 0.1; move "
           "the bodies or markers so that they meet\n");
    expect(HELD("RevoluteJoint", "[0.5, 0, -0.0001]", "", ""), 1,
           "info position pin: start positions do not fit: along z by -0.0001; a run moves the "
           "bodies to fit\n");
}

TEST(start_velocities_that_do_not_fit_are_told) {
    expect(HELD("RevoluteJoint", "[0.5, 0, 0]", "",
                ", \"velocity\": [0, 1, 1], \"angular_velocity\": [0, 0.5, 2]"),
           1,
           "error velocity pin: start velocities do not fit: along z by 1.25, about y by 0.5; give "
           "bodies velocities that the joint allows\n");
}

TEST(flipped_axes_and_wrong_branches_are_told) {
    expect(HELD("RevoluteJoint", "[0.5, 0, 0]", ", \"orientation\": [0, 1, 0, 0]", ""), 1,
           "error flipped pin: the axes of its markers point against each other; turn the z axis "
           "of one of the markers round\n");
    // as a hinge; b is turned by what is free as well
    expect(MODEL(ROD("link", "[0.5, 0, 0]", "") MARKER("ma", "ground", "[0, 0, 0]", "") MARKER(
               "mb", "link", "[-0.5, 0, 0]",
               ", \"orientation\": [0, 0.6, 0.8, 0]") "{\"class\": \"GenericJoint\", \"name\": "
                                                      "\"pin\", \"rz\": false, \"marker_a\": "
                                                      "\"ma\", \"marker_b\": \"mb\"}"),
           1,
           "error flipped pin: the axes of its markers point against each other; turn the z axis "
           "of one of the markers round\n");
    expect(HELD("PrismaticJoint", "[0.5, 0, 0]", ", \"orientation\": [0, 0, 0, 1]", ""), 1,
           "error branch pin: is put together the wrong way round: its markers are turned against "
           "each other where they should agree; turn one of the markers, or the body it is on\n");
    // a third of a turn about (1, 1, 1)
    char text[4096];
    tell(HELD("FixedJoint", "[0.5, 0, 0]", ", \"orientation\": [0.5, -0.5, -0.5, -0.5]", ""), text,
         sizeof text, NULL);
    CHECK(strncmp(text, "error branch pin: ", 18) == 0);
}

// ---- bodies and connectors

TEST(a_body_that_nothing_touches_is_told) {
    expect(MODEL(ROD("a", "[0, 0, 0]", "") HINGE(
               "pin", "null", "\"a\"", "[0, 0, 0]",
               "[0, 0, 1]") ","
                            "{\"class\": \"MassPoint3D\", \"name\": \"p\", \"mass\": 1}"),
           4,
           "warning unconnected p: is connected to nothing; add a joint or a connector, unless it "
           "is meant to fly\n");
}

TEST(a_spring_without_length_is_told) {
    expect(MODEL(ROD("link", "[0.5, 0, 0]", "") MARKER("ma", "ground", "[0, 0, 0]", "") MARKER(
               "mb", "link", "[-0.5, 0, 0]",
               "") "{\"class\": \"SpringDamper\", \"name\": \"s\", \"marker_a\": \"ma\", "
                   "\"marker_b\": \"mb\", \"length\": 1, \"stiffness\": 10}"),
           6,
           "error length s: has no length at the start, so its force has no direction; move one of "
           "its ends\n");
}

// ---- JSON

TEST(json_is_complete) {
    TestLog log;
    CdModel *m;
    CdCheck *c;
    CdText text;
    CdJsonWriter w;
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, DOOR, strlen(DOOR), "x.json", &m));
    CHECK_OK(cdi_check(m, &c));
    cdi_text_init(&text, log.ctx);
    cdi_json_writer_init(&w, &text, 0);
    c->findings.v[0].numbers[1] = 0.5;
    c->findings.v[0].numbers[2] = NAN;
    cdi_json_begin_object(&w);
    cdi_check_write(c, &w);
    cdi_json_end_object(&w);
    CHECK_TEXT(
        text.v,
        "{\"dof\": 1, \"bodies\": 1, \"joints\": 2, \"velocities\": 6, "
        "\"constraints\": 10, \"rank\": 5, \"inertia\": {\"positive\": 6, \"negative\": 5, "
        "\"left_out\": 5, \"replaced\": 0, \"expected\": true}, "
        "\"errors\": 0, \"warnings\": 1, \"islands\": "
        "[{\"bodies\": [\"door\"], \"joints\": [\"lower\", \"upper\"], "
        "\"not_unique\": [\"lower\", \"upper\"], \"velocities\": 6, \"constraints\": 10, \"rank\": "
        "5, \"dof\": 1}], \"findings\": [{\"severity\": "
        "\"warning\", \"code\": \"redundant\", \"text\": \"5 constraints of joints 'lower', "
        "'upper' are redundant: the others hold them already\", \"hint\": \"the motion is right, "
        "but reactions of these joints are not unique, and the smallest are told; joints that "
        "leave more freedom, a ball in place of a hinge, make them unique\", \"numbers\": "
        "{\"constraints\": 5, \"weakest\": 0.5, \"strongest_left_out\": null}}]}");
    cdi_text_free(&text);
    cdi_check_free(c);
    cdi_model_free(m);
    test_log_close(&log);
}

// ---- runs

static CdStatus simulate(CdContext *ctx, const char *text, CdRunSummary *summary) {
    CdModel *m;
    const CdRunOptions options = {
        .duration = 0.1, .step = 0.01, .method = (char *)"gen-alpha", .threads = 1};
    CD_TRY(cdi_model_read_text(ctx, text, strlen(text), "x.json", &m));
    const CdStatus status = cdi_simulate_run(m, &options, NULL, summary);
    cdi_model_free(m);
    return status;
}

static void run_says(const char *model, CdStatus status, const char *messages) {
    TestLog log;
    CdRunSummary summary;
    test_log_open(&log);
    CHECK_INT(simulate(log.ctx, model, &summary), status);
    CHECK_TEXT(log.text, messages);
    test_log_close(&log);
}

TEST(a_run_tells_what_it_moved_and_which_constraints_are_redundant) {
    run_says(HELD("RevoluteJoint", "[0.5, 0, -0.0001]", "", ""), CD_OK,
             "start: bodies are moved to meet the joints: 'link' by 0.0001 m and 0 rad\n");
    run_says(DOOR, CD_OK,
             "5 of the constraints of joints 'lower', 'upper' are redundant; of the reactions that "
             "make this motion the smallest are told\n");
}

TEST(a_run_refuses_a_start_that_is_too_far_off) {
    run_says(HELD("RevoluteJoint", "[0.52, 0.1, 0]", "", ""), CD_INVALID,
             "x.json:1:312: RevoluteJoint 'pin': the start violates the joint: along x by 0.02, "
             "along y by 0.1; up to 0.001 is mended, give another start\n");
    run_says(HELD("RevoluteJoint", "[0.5, 0, 0]", "", ", \"velocity\": [0, 0, 1]"), CD_INVALID,
             "x.json:1:332: RevoluteJoint 'pin': the start violates its velocity: along z by 1; up "
             "to 0.001 is mended, give another start\n");
}

TEST(a_run_knows_its_freedom) {
    TestLog log;
    CdRunSummary summary;
    test_log_open(&log);
    CHECK_OK(simulate(log.ctx, BRICARD, &summary));
    CHECK_INT(summary.dof, 1);
    CHECK(summary.redundant);
    CHECK_OK(simulate(log.ctx, HELD("RevoluteJoint", "[0.5, 0, 0]", "", ""), &summary));
    CHECK_INT(summary.dof, 1);
    CHECK(!summary.redundant);
    test_log_close(&log);
}

TEST(a_motion_that_is_no_number_is_told) {
    run_says(
        MODEL(ROD("link", "[0.5, 0, 0]", "") HINGE(
            "pin", "null", "\"link\"", "[0, 0, 0]",
            "[0, 0, 1]") ","
                         "{\"class\": \"JointMotion\", \"name\": \"drive\", \"joint\": \"pin\", "
                         "\"motion\": \"sqrt(t - 1)\"}"),
        CD_INVALID,
        "x.json:1:270: JointMotion 'drive': its constraint about z is not a number at the start\n");
}

// constraints whose dependency was not announced
TEST(a_singular_matrix_names_joints) {
    TestLog log;
    CdModel *m;
    CdCheck *c;
    CdIntegrator *it;
    const char *says = "problem 'model': accelerations and rates cannot be found at the start "
                       "(t = 0): ";
    test_log_open(&log);
    CHECK_OK(cdi_model_read_text(log.ctx, DOOR, strlen(DOOR), "x.json", &m));
    CHECK_OK(cdi_check(m, &c));
    c->start.problem.redundant = 0;
    c->start.problem.redundant_rows = NULL;
    CHECK_OK(cd_integrator_new(log.ctx, &c->start.problem, "gen-alpha", &it));
    CHECK_INT(cd_integrator_start(it, &(CdPoint){.q = c->start.q, .v = c->start.v}), CD_SINGULAR);
    CHECK(strncmp(log.text, says, strlen(says)) == 0);
    CHECK(strstr(log.text, "joint 'upper' ") || strstr(log.text, "joint 'lower' "));
    CHECK(strstr(log.text, "depend on the other constraints") != NULL);
    CHECK(strstr(log.text, " of g") == NULL);
    cd_integrator_free(it);
    cdi_check_free(c);
    cdi_model_free(m);
    test_log_close(&log);
}

static CdStatus check_once(CdContext *ctx, void *user) {
    CdModel *m;
    CdCheck *c;
    CD_TRY(cdi_model_read_text(ctx, user, strlen(user), "x.json", &m));
    const CdStatus status = cdi_check(m, &c);
    cdi_check_free(c);
    cdi_model_free(m);
    return status;
}

TEST(memory_may_run_out) {
    static char text[] = DOOR;
    CHECK_OOM(check_once, text);
}

int main(void) {
    RUN(a_sound_model_has_no_findings);
    RUN(redundant_constraints_are_counted_and_their_joints_named);
    RUN(islands_are_kept_apart);
    RUN(the_rank_is_the_same_in_all_units);
    RUN(constraints_that_cannot_be_met_are_in_conflict);
    RUN(motions_of_one_hinge_may_agree_or_contradict_each_other);
    RUN(a_stretched_parallelogram_starts_in_a_singular_position);
    RUN(what_cannot_move_is_told);
    RUN(start_positions_that_do_not_fit_are_told_by_joint_and_row);
    RUN(start_velocities_that_do_not_fit_are_told);
    RUN(flipped_axes_and_wrong_branches_are_told);
    RUN(a_body_that_nothing_touches_is_told);
    RUN(a_spring_without_length_is_told);
    RUN(json_is_complete);
    RUN(a_run_tells_what_it_moved_and_which_constraints_are_redundant);
    RUN(a_run_refuses_a_start_that_is_too_far_off);
    RUN(a_run_knows_its_freedom);
    RUN(a_motion_that_is_no_number_is_told);
    RUN(a_singular_matrix_names_joints);
    RUN(memory_may_run_out);
    return test_end();
}
