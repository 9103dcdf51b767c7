// test_derivatives.c - K, C, J and the level terms of assembled models against differences
#include <math.h>
#include <string.h>

#include "problem/problem.h"
#include "system/system.h"
#include "test.h"

#define MAX_TEXT 8192
#define MAX_NV 64
#define MAX_NC 32

// two bodies, hung one below the other by a joint of a class, with a spring between them
static void write_model(const char *joint, char *text, size_t size) {
    snprintf(text, size,
             "{\"cardan\": 1, \"items\": ["
             "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [1, 2, -9]},"
             "{\"class\": \"RigidBody\", \"name\": \"one\", \"position\": [0.1, 0.2, 0.3],"
             " \"orientation\": [0.5, 0.5, -0.5, 0.5], \"mass\": 2, \"com\": [0.1, 0, 0.2],"
             " \"inertia\": [[1, 0.1, 0], [0.1, 2, 0.2], [0, 0.2, 2.5]]},"
             "{\"class\": \"RigidBody\", \"name\": \"two\", \"position\": [1, -0.2, 0.5],"
             " \"mass\": 1, \"com\": [0, 0.3, 0],"
             " \"inertia\": [[0.5, 0, 0], [0, 0.6, 0.1], [0, 0.1, 0.7]]},"
             "{\"class\": \"Marker\", \"name\": \"a\", \"body\": \"one\","
             " \"position\": [0.5, 0.4, 0.1], \"orientation\": [0.6, 0, 0.64, 0.48]},"
             "{\"class\": \"Marker\", \"name\": \"b\", \"body\": \"two\","
             " \"position\": [0.1, 0.7, -0.1], \"orientation\": [0.8, -0.36, 0.48, 0]},"
             "{\"class\": \"SpringDamper\", \"name\": \"s\", \"marker_a\": \"a\", \"marker_b\": "
             "\"b\", \"length\": 0.2, \"stiffness\": 30, \"damping\": 3, \"elastic\": \"5*x^3\"},"
             "{\"class\": \"%s\", \"name\": \"j\", \"marker_a\": \"a\", \"marker_b\": \"b\"%s}]}",
             joint, strcmp(joint, "DistanceJoint") == 0 ? ", \"length\": 0.7" : "");
}

typedef struct Bench {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    CdiProblem *given, *differences;
    CdPoint at;
} Bench;

static bool bench_open(Bench *b, const char *joint) {
    char text[MAX_TEXT];
    test_log_open(&b->log);
    write_model(joint, text, sizeof text);
    CHECK_OK(cdi_model_read_text(b->log.ctx, text, strlen(text), joint, &b->model));
    if (!b->model) printf("%s", b->log.text);
    if (!b->model) return false;
    CHECK_OK(cdi_system_new(b->model, &b->system));
    CHECK_OK(cdi_system_work_new(b->system, NULL, &b->work));
    cdi_system_problem(b->work, &b->problem);
    CHECK_OK(cdi_problem_new(b->log.ctx, &b->problem, &(CdProblemSetup){0}, &b->given));
    b->problem.velocity_terms = NULL;
    b->problem.acceleration_terms = NULL;
    CHECK_OK(cdi_problem_new(b->log.ctx, &b->problem, &(CdProblemSetup){.differences = true},
                             &b->differences));
    CHECK_OK(cdi_point_take(b->given, &b->given->arena, &b->at));
    TestRandom r = {7};
    cdi_system_start(b->system, b->at.q, b->at.v);
    for (int i = 0; i < b->given->nv; i++) b->at.v[i] = test_random(&r, -1, 1);
    for (int i = 0; i < b->given->nv; i++) b->at.vdot[i] = test_random(&r, -1, 1);
    for (int i = 0; i < b->given->nc; i++) b->at.lambda[i] = test_random(&r, -5, 5);
    return true;
}

static void bench_close(Bench *b) {
    cdi_problem_free(b->given);
    cdi_problem_free(b->differences);
    cdi_system_work_free(b->work);
    cdi_system_free(b->system);
    cdi_model_free(b->model);
    CHECK_TEXT(b->log.text, "");
    test_log_close(&b->log);
}

static double largest_difference(int n, const double *a, const double *b) {
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
    return worst;
}

static void check_joint(const char *name) {
    static double M[2][MAX_NV * MAX_NV], C[2][MAX_NV * MAX_NV], K[2][MAX_NV * MAX_NV];
    double gamma[2][MAX_NC], c[2][MAX_NC];
    Bench b = {0};
    if (!bench_open(&b, name)) return;
    const int nnz = b.system->pattern->nnz, nc = b.given->nc;
    CHECK_OK(cdi_derivatives(b.given, &b.at, M[0], C[0], K[0]));
    CHECK_OK(cdi_derivatives(b.differences, &b.at, M[1], C[1], K[1]));
    CHECK_NEAR(largest_difference(nnz, M[0], M[1]), 0, 1e-12);
    CHECK_NEAR(largest_difference(nnz, C[0], C[1]), 0, 1e-5);
    if (!CHECK_NEAR(largest_difference(nnz, K[0], K[1]), 0, 1e-5)) printf("  of %s\n", name);
    CHECK_OK(cdi_gamma(b.given, &b.at, gamma[0]));
    CHECK_OK(cdi_gamma(b.differences, &b.at, gamma[1]));
    if (!CHECK_NEAR(largest_difference(nc, gamma[0], gamma[1]), 0, 1e-6)) printf("  of %s\n", name);
    CHECK_OK(cdi_velocity_residual(b.given, &b.at, c[0]));
    CHECK_OK(cdi_velocity_residual(b.differences, &b.at, c[1]));
    CHECK_NEAR(largest_difference(nc, c[0], c[1]), 0, 1e-8);
    const int nj = b.system->jpattern->nnz;
    CHECK_OK(cdi_level_derivatives(b.given, &b.at, CD_VELOCITY, NULL, K[0]));
    CHECK_OK(cdi_level_derivatives(b.differences, &b.at, CD_VELOCITY, NULL, K[1]));
    if (!CHECK_NEAR(largest_difference(nj, K[0], K[1]), 0, 1e-6)) printf("  of %s\n", name);
    // J v is the rate of g along the motion
    const double h = 1e-5;
    double q[MAX_NV], step[MAX_NV], g[2][MAX_NC];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < b.given->nv; i++) step[i] = (k == 0 ? -h : h) * b.at.v[i];
        cdi_retract(b.given, b.at.q, step, q);
        CdPoint moved = b.at;
        moved.q = q;
        CHECK_OK(cdi_constraint(b.given, &moved, g[k]));
    }
    for (int i = 0; i < nc; i++) g[0][i] = (g[1][i] - g[0][i]) / (2 * h);
    CHECK_NEAR(largest_difference(nc, c[0], g[0]), 0, 1e-8);
    bench_close(&b);
}

TEST(derivatives_equal_differences) {
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if ((*cls)->category == CD_JOINT && cdi_desc_field(&(*cls)->desc, "marker_a")) {
            check_joint((*cls)->desc.name);
        }
    }
}

int main(void) {
    RUN(derivatives_equal_differences);
    return test_end();
}
