// test_scene.c - numbers for pictures: poses of bodies, forces of joints, connectors and loads
#include "system/scene.h"

#include <string.h>

#include "cardan/integrator.h"
#include "test.h"

#define MAX_TEXT 8192
#define MAX_NUMBERS 128

typedef struct Rig {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdArena arena;
    CdIntegrator *it;
    CdSceneNumbers scene;
    double values[MAX_NUMBERS];
} Rig;

static bool rig_open(Rig *r, const char *items) {
    char text[MAX_TEXT];
    CdProblem problem;
    double q[64], v[64];
    *r = (Rig){0};
    test_log_open(&r->log);
    cdi_arena_init(&r->arena, r->log.ctx, 0);
    snprintf(text, sizeof text, "{\"cardan\": 1, \"items\": [%s]}", items);
    CHECK_OK(cdi_model_read_text(r->log.ctx, text, strlen(text), "x.json", &r->model));
    if (!r->model) printf("%s", r->log.text);
    if (!r->model) return false;
    CHECK_OK(cdi_system_new(r->model, &r->system));
    CHECK_OK(cdi_system_work_new(r->system, NULL, &r->work));
    CHECK_OK(cdi_scene_numbers(r->system, &r->arena, &r->scene));
    cdi_system_problem(r->work, &problem);
    cdi_system_start(r->system, q, v);
    CHECK_OK(cd_integrator_new(r->log.ctx, &problem, "rk4(step=0.001)", &r->it));
    CHECK_OK(cd_integrator_start(r->it, &(CdPoint){.q = q, .v = v}));
    cdi_scene_eval(&r->scene, r->work, cd_integrator_now(r->it), r->values);
    return true;
}

static void rig_close(Rig *r) {
    cd_integrator_free(r->it);
    cdi_arena_clear(&r->arena);
    cdi_system_work_free(r->work);
    cdi_system_free(r->system);
    cdi_model_free(r->model);
    CHECK_TEXT(r->log.text, "");
    test_log_close(&r->log);
}

static void expect(const Rig *r, const char *item, int n, const char *const *parts,
                   const double *expected) {
    for (int i = 0; i < n; i++) {
        char name[100];
        int k = 0;
        snprintf(name, sizeof name, "@%s.%s", item, parts[i]);
        while (k < r->scene.n && strcmp(r->scene.channels[k].name, name) != 0) k++;
        if (!CHECK(k < r->scene.n)) printf("no '%s'\n", name);
        if (k < r->scene.n) CHECK_NEAR(r->values[k], expected[i], 1e-10);
    }
}

static const char *const pose[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
static const char *const force[] = {"fx", "fy", "fz", "mx", "my", "mz"};

#define GRAVITY "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, 0, -10]},"
// the centre of mass lies 0.1 m beside the frame, which is turned by 90 deg about z
#define BLOCK                                                                          \
    "{\"class\": \"RigidBody\", \"name\": \"block\", \"position\": [0.3, 0, -1], "     \
    "\"orientation\": [0.70710678118654752, 0, 0, 0.70710678118654752], \"mass\": 2, " \
    "\"com\": [0, -0.1, 0], \"inertia\": [[0.5, 0, 0], [0, 0.6, 0], [0, 0, 0.7]]}"
// at the origin of the world, on the block; its axes are turned by 90 deg about y of the world
#define MARKERS                                                                                \
    ",{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"ground\"},"                         \
    "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"block\", \"position\": [0, 0.3, 1]," \
    "\"orientation\": [0.70710678118654752, 0, 0, -0.70710678118654752]}"

TEST(a_joint_holds_the_block_in_world_axes) {
    Rig r;
    if (!rig_open(&r, GRAVITY BLOCK MARKERS ",{\"class\": \"FixedJoint\", \"name\": \"j\", "
                                            "\"marker_a\": \"a\", \"marker_b\": \"b\"}")) {
        return;
    }
    CHECK_INT(r.scene.n, CD_POSE_NUMBERS + CD_FORCE_NUMBERS);
    CHECK_INT(r.scene.nbodies, 1);
    CHECK_INT(r.scene.nforces, 1);
    CHECK_TEXT(cdi_item_name(r.scene.forces[0]), "j");
    CHECK_TEXT(r.scene.channels[3].unit, "1");
    CHECK_TEXT(r.scene.channels[7].unit, "N");
    CHECK_TEXT(r.scene.channels[10].unit, "N*m");
    expect(&r, "block", 7, pose,
           (double[]){0.3, 0, -1, 0.70710678118654752, 0, 0, 0.70710678118654752});
    // the weight of 20 N acts 0.4 m along x
    expect(&r, "j", 6, force, (double[]){0, 0, 20, 0, -8, 0});
    rig_close(&r);
}

TEST(a_spring_pulls_and_loads_act_in_world_axes) {
    Rig r;
    if (!rig_open(&r, BLOCK ",{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"ground\", "
                            "\"position\": [0.3, 0, 1]},"
                            "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"block\"},"
                            "{\"class\": \"Torque\", \"name\": \"T\", \"body\": \"block\", "
                            "\"x\": \"3\", \"axes\": \"own\"},"
                            "{\"class\": \"SpringDamper\", \"name\": \"s\", \"marker_a\": \"a\", "
                            "\"marker_b\": \"b\", \"length\": 1.5, \"stiffness\": 40},"
                            "{\"class\": \"Force\", \"name\": \"F\", \"body\": \"block\", "
                            "\"point\": [0, 0.1, 0], \"y\": \"5\", \"axes\": \"own\"}")) {
        return;
    }
    // connectors before loads, whatever the order in the file; b is 2 m below a
    CHECK_INT(r.scene.nforces, 3);
    CHECK_TEXT(cdi_item_name(r.scene.forces[0]), "s");
    expect(&r, "s", 6, force, (double[]){0, 0, 20, 0, 0, 0});
    // x of the block is y of the world, y is -x
    expect(&r, "T", 6, force, (double[]){0, 0, 0, 0, 3, 0});
    expect(&r, "F", 6, force, (double[]){-5, 0, 0, 0, 0, 0});
    rig_close(&r);
}

static CdStatus name_numbers(CdContext *ctx, void *user) {
    const CdSystem *system = user;
    CdSceneNumbers scene;
    CdArena arena;
    cdi_arena_init(&arena, ctx, 1);
    const CdStatus status = cdi_scene_numbers(system, &arena, &scene);
    cdi_arena_clear(&arena);
    return status;
}

TEST(memory_that_is_missing_is_told) {
    Rig r;
    if (!rig_open(&r, BLOCK MARKERS ",{\"class\": \"FixedJoint\", \"name\": \"j\", "
                                    "\"marker_a\": \"a\", \"marker_b\": \"b\"}")) {
        return;
    }
    CHECK_OOM(name_numbers, r.system);
    rig_close(&r);
}

int main(void) {
    RUN(a_joint_holds_the_block_in_world_axes);
    RUN(a_spring_pulls_and_loads_act_in_world_axes);
    RUN(memory_that_is_missing_is_told);
    return test_end();
}
