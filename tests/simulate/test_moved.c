// test_moved.c - every joint between a ground and a chain of two bodies: its energy is kept, and a
// mechanism that is moved as a whole, gravity with it, moves as a whole
#include <math.h>
#include <string.h>

#include "cardan/integrator.h"
#include "system/sense.h"
#include "test.h"

#define MAX_TEXT 8192
#define MAX_STATE 32
#define DURATION 0.7

typedef struct World {
    double p[3], quat[4], R[9]; // how everything is moved
} World;

static void world_make(World *w, const double p[3], const double quat[4]) {
    copy3(p, w->p);
    memcpy(w->quat, quat, sizeof w->quat);
    quat_to_mat(quat, w->R);
}

// ---- a model in a moved world

static size_t put_vector(char *text, size_t size, const char *field, const World *w,
                         const double x[3], bool point) {
    double y[3], z[3];
    mul3v(w->R, x, y);
    add3(y, w->p, z);
    const double *out = point ? z : y;
    return (size_t)snprintf(text, size, ", \"%s\": [%.17g, %.17g, %.17g]", field, out[0], out[1],
                            out[2]);
}

static size_t put_rotation(char *text, size_t size, const World *w, const double quat[4]) {
    double q[4], u[4];
    quat_mul(w->quat, quat, q);
    quat_unit(q, u);
    return (size_t)snprintf(text, size, ", \"orientation\": [%.17g, %.17g, %.17g, %.17g]", u[0],
                            u[1], u[2], u[3]);
}

static size_t put_body(char *text, size_t size, const char *name, const World *w,
                       const double x[13]) {
    size_t n = (size_t)snprintf(text, size, "{\"class\": \"RigidBody\", \"name\": \"%s\"", name);
    n += put_vector(text + n, size - n, "position", w, x, true);
    n += put_vector(text + n, size - n, "velocity", w, x + 3, false);
    n += put_vector(text + n, size - n, "angular_velocity", w, x + 6, false);
    double u[4];
    quat_unit(x + 9, u);
    n += put_rotation(text + n, size - n, w, u);
    n += (size_t)snprintf(text + n, size - n,
                          ", \"mass\": 2, \"com\": [0.1, 0.2, -0.1], \"inertia\": [[0.3, 0, 0.02], "
                          "[0, 0.4, 0.01], [0.02, 0.01, 0.5]]},");
    return n;
}

// of joints with a choice, y, rx and ry are free
static bool is_free(const CdJointLaw *law, int k) {
    return !law->is_free || k == 1 || k == 3 || k == 4;
}

static size_t put_choice(char *text, size_t size, const CdJointLaw *law) {
    size_t n = 0;
    for (int k = 0; k < law->nrel && law->is_free; k++) {
        if (!is_free(law, k)) continue;
        n += (size_t)snprintf(text + n, size - n, ", \"%s\": false", law->rel_names[k]);
    }
    return n;
}

static size_t put_list(char *text, size_t size, const char *field, const CdJointLaw *law,
                       TestRandom *r) {
    size_t k = (size_t)snprintf(text, size, ", \"%s\": [", field);
    for (int i = 0; i < law->nrel; i++) {
        const double x = is_free(law, i) ? test_random(r, -1, 1) : 0;
        k += (size_t)snprintf(text + k, size - k, "%s%.17g", i ? ", " : "", x);
    }
    return k + (size_t)snprintf(text + k, size - k, "]");
}

static void write_model(const CdItemClass *cls, const World *w, char *text, size_t size) {
    const double g[3] = {0, 0, -9.81}, at[3] = {0.3, 0.2, 0.1}, straight[4] = {0.6, 0, 0.8, 0};
    TestRandom r = {21};
    double x[2][13];
    for (int i = 0; i < 26; i++) x[i / 13][i % 13] = test_random(&r, -1, 1);
    size_t n = (size_t)snprintf(text, size,
                                "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", "
                                "\"name\": \"g\"");
    n += put_vector(text + n, size - n, "acceleration", w, g, false);
    n += (size_t)snprintf(text + n, size - n, "},");
    n += put_body(text + n, size - n, "one", w, x[0]);
    n += put_body(text + n, size - n, "two", w, x[1]);
    n += (size_t)snprintf(text + n, size - n,
                          "{\"class\": \"Marker\", \"name\": \"base\", \"body\": \"ground\"");
    n += put_vector(text + n, size - n, "position", w, at, true);
    n += put_rotation(text + n, size - n, w, straight);
    n += (size_t)snprintf(text + n, size - n,
                          "}, {\"class\": \"Marker\", \"name\": \"a\", \"body\": \"one\", "
                          "\"position\": [0.2, 0, 0.4]}, {\"class\": \"Marker\", \"name\": \"b\", "
                          "\"body\": \"one\", \"position\": [0.5, 0.3, 0]}, {\"class\": "
                          "\"Marker\", \"name\": \"c\", \"body\": \"two\", \"position\": "
                          "[-0.4, 0, 0]}, {\"class\": \"%s\", \"name\": \"j\", \"marker_a\": "
                          "\"base\", \"marker_b\": \"a\"",
                          cls->desc.name);
    n += put_choice(text + n, size - n, cls->joint);
    n += put_list(text + n, size - n, "start", cls->joint, &r);
    n += put_list(text + n, size - n, "start_rate", cls->joint, &r);
    n += (size_t)snprintf(text + n, size - n,
                          "}, {\"class\": \"SphericalJoint\", \"name\": \"ball\", \"marker_a\": "
                          "\"b\", \"marker_b\": \"c\"");
    const CdJointLaw *ball = cdi_item_class("SphericalJoint")->joint;
    n += put_list(text + n, size - n, "start", ball, &r);
    n += put_list(text + n, size - n, "start_rate", ball, &r);
    snprintf(text + n, size - n, "}]}");
}

// ---- runs

typedef struct Result {
    double energy[2];
    CdFrame frame[2];
} Result;

static double total(CdSystemWork *work, const CdPoint *at) {
    const CdEnergy e = cdi_system_energy(work, at->t, at->q, at->v);
    return e.kinetic + e.gravity + e.elastic;
}

static void run(const CdItemClass *cls, const World *w, Result *out) {
    char text[MAX_TEXT];
    double q[MAX_STATE], v[MAX_STATE];
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    CdIntegrator *it;
    test_log_open(&log);
    write_model(cls, w, text, sizeof text);
    CHECK_OK(cdi_model_read_text(log.ctx, text, strlen(text), cls->desc.name, &model));
    CHECK_OK(cdi_system_new(model, &system));
    CHECK_OK(cdi_system_work_new(system, NULL, &work));
    cdi_system_problem(work, &problem);
    cdi_system_start(system, q, v);
    CHECK_OK(cd_integrator_new(log.ctx, &problem, "dopri5(rtol=1e-10, atol=1e-10)", &it));
    CHECK_OK(cd_integrator_start(it, &(CdPoint){.q = q, .v = v}));
    out->energy[0] = total(work, cd_integrator_now(it));
    CHECK_OK(cd_integrator_run(it, DURATION, NULL));
    const CdPoint *at = cd_integrator_now(it);
    out->energy[1] = total(work, at);
    cdi_system_place(work, at->q, at->v);
    for (int k = 0; k < 2; k++) cdi_sense_body(work, 1 + k, &out->frame[k]);
    cd_integrator_free(it);
    cdi_system_work_free(work);
    cdi_system_free(system);
    cdi_model_free(model);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

static bool check_class(const CdItemClass *cls, const World *still, const World *moved) {
    Result here, there;
    bool ok = true;
    run(cls, still, &here);
    run(cls, moved, &there);
    ok = CHECK_NEAR(here.energy[1], here.energy[0], 1e-6) && ok;
    for (int k = 0; k < 2; k++) {
        double p[3], q[3], R[9];
        mul3v(moved->R, here.frame[k].p, p);
        add3(p, moved->p, q);
        mul33(moved->R, here.frame[k].R, R);
        for (int i = 0; i < 3; i++) ok = CHECK_NEAR(there.frame[k].p[i], q[i], 1e-7) && ok;
        for (int i = 0; i < 9; i++) ok = CHECK_NEAR(there.frame[k].R[i], R[i], 1e-7) && ok;
    }
    return ok;
}

TEST(every_joint_keeps_energy_wherever_the_world_is) {
    World still, moved;
    int n = 0;
    world_make(&still, (double[]){0, 0, 0}, (double[]){1, 0, 0, 0});
    world_make(&moved, (double[]){3, -2, 1}, (double[]){0.36, 0.48, 0, 0.8});
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if (!(*cls)->joint || !(*cls)->joint->relative || (*cls)->joint->nrel == 0) continue;
        if (!check_class(*cls, &still, &moved)) printf("  of %s\n", (*cls)->desc.name);
        n++;
    }
    CHECK(n >= 8);
}

int main(void) {
    RUN(every_joint_keeps_energy_wherever_the_world_is);
    return test_end();
}
