// test_residual.c - residuals of everything at once against those of the single callbacks, and
// tiles against items one by one
#include <math.h>
#include <string.h>

#include "problem/problem.h"
#include "system/tiles.h"
#include "test.h"

#define MAX_TEXT 65536
#define MAX_N 512
#define MAX_NNZ 8192

// as many pairs of bodies as are needed for tiles of eight, the last not full
#define MANY 11

// where the sum of many numbers was rounded in another order
#define ROUNDING 1e-13

// ---- models

typedef struct Text {
    char v[MAX_TEXT];
    size_t n;
} Text;

static void add(Text *t, const char *text) {
    t->n += (size_t)snprintf(t->v + t->n, sizeof t->v - t->n, "%s", text);
}

// two bodies somewhere, with a marker each
static void add_pair(Text *t, const char *body, int i, TestRandom *r) {
    for (int k = 0; k < 2; k++) {
        char item[512];
        double x[10];
        for (int j = 0; j < 10; j++) x[j] = test_random(r, -1, 1);
        const bool flat = strcmp(body, "RigidBody2D") == 0;
        snprintf(item, sizeof item,
                 ",{\"class\": \"%s\", \"name\": \"body%d%d\", \"position\": [%g, %g, %g], "
                 "\"mass\": %g, \"com\": [0.1, -0.2, 0.3], \"inertia\": %s}",
                 body, i, k, x[0], x[1], flat ? 0 : x[2], 2 + x[9],
                 flat ? "0.7" : "[[1, 0.1, 0], [0.1, 2, 0.2], [0, 0.2, 2.5]]");
        add(t, item);
        double turn[4] = {1.5 + x[6], flat ? 0 : x[7], flat ? 0 : x[8], x[9] + 0.1};
        quat_unit(turn, turn);
        snprintf(item, sizeof item,
                 ",{\"class\": \"Marker\", \"name\": \"m%d%d\", \"body\": \"body%d%d\", "
                 "\"position\": [%g, %g, %g], \"orientation\": [%.17g, %.17g, %.17g, %.17g]}",
                 i, k, i, k, x[3], x[4], x[5], turn[0], turn[1], turn[2], turn[3]);
        add(t, item);
    }
}

// fields that items of a class ask for, and some that make its law complete: item i takes choice
// i % n, so that there are those that make a tile and others that do not
typedef struct Choices {
    const char *cls;
    int n;
    const char *fields[5];
} Choices;

static const Choices all_choices[] = {
    {"DistanceJoint", 1, {", \"length\": 0.7"}},
    {"GenericJoint",
     4,
     {", \"z\": false, \"rx\": false, \"ry\": false, \"rz\": false", "", ", \"rz\": false",
      ", \"x\": false, \"ry\": false"}},
    {"SpringDamper",
     3,
     {", \"length\": 0.2, \"stiffness\": 30, \"damping\": 3",
      ", \"length\": 0.2, \"stiffness\": 30, \"elastic\": \"2*x^3\", \"viscous\": \"sin(v)\"",
      ", \"length\": 0.2, \"damping\": 3, \"elastic\": \"place.x*x\""}},
    {"TorsionalSpringDamper",
     3,
     {", \"angle\": 0.2, \"stiffness\": 30, \"damping\": 3",
      ", \"angle\": 0.2, \"stiffness\": 3, \"elastic\": \"2*x^3\", \"viscous\": \"sin(v)\"",
      ", \"angle\": 0.2, \"damping\": 3, \"elastic\": 2, \"viscous\": \"place.y*v\""}},
    {"CartesianSpringDamper",
     2,
     {", \"stiffness\": [1, 20, 3], \"damping\": [3, 2, 1]",
      ", \"stiffness\": [1, 20, 3], \"elastic_x\": \"x^2\", \"elastic_y\": \"x^3\", "
      "\"elastic_z\": \"x^4\", \"viscous_x\": \"v\", \"viscous_y\": \"v^2\", \"viscous_z\": "
      "\"place.z*v\""}},
    {"Bushing",
     2,
     {", \"stiffness\": [1, 20, 3], \"angular_damping\": [3, 2, 1]",
      ", \"stiffness\": [1, 20, 3], \"elastic_x\": \"x^2\", \"elastic_y\": \"x^3\", "
      "\"elastic_z\": \"x^4\", \"elastic_rx\": \"2*x\", \"elastic_ry\": \"3*x\", \"elastic_rz\": "
      "\"place.z*x\", \"viscous_x\": \"v\", \"viscous_y\": \"v^2\", \"viscous_z\": \"v^3\", "
      "\"viscous_rx\": \"v^4\", \"viscous_ry\": \"2*v^2\", \"viscous_rz\": \"3*v^3\""}},
    {"LinearActuator",
     4,
     {", \"target\": \"sin(t)\", \"gain\": 10, \"rate_gain\": 5",
      ", \"target\": 0.3, \"gain\": 10, \"elastic\": \"x^3\", \"limit\": 2, \"along\": \"line\"",
      ", \"target\": 0.3, \"elastic\": \"x^3\", \"viscous\": \"v^5\", \"force\": \"place.x\"",
      ", \"target\": \"t^2\", \"rate_gain\": 10, \"viscous\": \"v^3\", \"along\": \"line\""}},
    {"GearedRotor", 1, {", \"inertia\": 0.3, \"damping\": 2, \"ratio\": 5"}},
    {"TorsionalActuator",
     3,
     {", \"target\": \"2*t\", \"gain\": 10, \"rate_gain\": 5",
      ", \"target\": 0.3, \"gain\": 10, \"elastic\": \"x^3\", \"limit\": 2",
      ", \"target\": \"t^2\", \"rate_gain\": 3, \"viscous\": \"v^3\", \"torque\": \"place.y\""}},
    {"Force",
     5,
     {", \"x\": 1, \"y\": 2, \"z\": 3", ", \"x\": 1, \"y\": 2, \"z\": 3, \"axes\": \"own\"",
      ", \"x\": \"sin(t)\", \"y\": \"t\", \"axes\": \"own\"", ", \"z\": \"cos(t)\"",
      ", \"y\": \"3*place.z\", \"axes\": \"own\""}},
    {"Torque",
     5,
     {", \"x\": 1, \"y\": 2, \"z\": 3", ", \"x\": 1, \"y\": 2, \"z\": 3, \"axes\": \"own\"",
      ", \"x\": \"sin(t)\", \"y\": \"t\"", ", \"z\": \"cos(t)\", \"axes\": \"own\"",
      ", \"y\": \"3*place.z\""}},
};

static const char *fields_of_item(const char *cls, int i) {
    for (size_t k = 0; k < sizeof all_choices / sizeof *all_choices; k++) {
        const Choices *c = &all_choices[k];
        if (strcmp(cls, c->cls) == 0) return c->fields[i % c->n];
    }
    return "";
}

// every other the wrong way round
static void add_item(Text *t, const CdItemClass *cls, int i, int n) {
    const char *name = cls->desc.name, *fields = fields_of_item(name, i);
    char item[1024];
    if (cdi_desc_field(&cls->desc, "marker_a")) {
        snprintf(item, sizeof item,
                 ",{\"class\": \"%s\", \"name\": \"x%d\", \"marker_a\": \"m%d%d\", "
                 "\"marker_b\": \"m%d%d\"%s}",
                 name, i, i, i % 2, (i + (i % 3 == 0)) % n, 1 - i % 2, fields);
    } else {
        snprintf(item, sizeof item,
                 ",{\"class\": \"%s\", \"name\": \"x%d\", \"marker\": \"m%d%d\"%s}", name, i, i,
                 i % 2, fields);
    }
    add(t, item);
}

static void open_model(Text *t) {
    t->n = 0;
    add(t, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\", "
           "\"acceleration\": [1, 2, -9]}");
}

static void write_model(const CdItemClass *cls, const char *body, int n, Text *t) {
    TestRandom r = {5};
    open_model(t);
    for (int i = 0; i < n; i++) {
        add_pair(t, body, i, &r);
        add_item(t, cls, i, n);
    }
    if (strstr(t->v, "place.")) {
        add(t, ",{\"class\": \"Sensor\", \"name\": \"place\", \"marker\": \"m01\"}");
    }
    add(t, "]}");
}

// a class that acts between two markers, or on one
static bool has_markers(const CdItemClass *cls) {
    return (cls->joint || cls->force) &&
           (cdi_desc_field(&cls->desc, "marker_a") || cdi_desc_field(&cls->desc, "marker"));
}

// ---- comparison

typedef struct Bench {
    TestLog log;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdiProblem *once, *apart;
    CdPoint at;
} Bench;

static bool bench_open(Bench *b, const char *text) {
    CdProblem problem;
    test_log_open(&b->log);
    CHECK_OK(cdi_model_read_text(b->log.ctx, text, strlen(text), "x.json", &b->model));
    if (!b->model) printf("%s", b->log.text);
    if (!b->model) return false;
    CHECK_OK(cdi_system_new(b->model, &b->system));
    CHECK_OK(cdi_system_work_new(b->system, NULL, &b->work));
    cdi_system_problem(b->work, &problem);
    CHECK(problem.residual != NULL);
    CHECK_OK(cdi_problem_new(b->log.ctx, &problem, &(CdProblemSetup){0}, &b->once));
    problem.residual = NULL;
    problem.sections = NULL;
    CHECK_OK(cdi_problem_new(b->log.ctx, &problem, &(CdProblemSetup){0}, &b->apart));
    CHECK_OK(cdi_point_take(b->once, &b->once->arena, &b->at));
    TestRandom r = {7};
    double step[MAX_N];
    CHECK(b->system->nv <= MAX_N && b->system->nq <= MAX_N);
    cdi_system_start(b->system, b->at.q, b->at.v);
    for (int i = 0; i < b->once->nv; i++) {
        b->at.v[i] = test_random(&r, -1, 1);
        b->at.vdot[i] = test_random(&r, -1, 1);
        step[i] = test_random(&r, -0.5, 0.5);
    }
    cdi_retract(b->once, b->at.q, step, b->at.q);
    cdi_normalise(b->once, b->at.q);
    for (int i = 0; i < b->once->nc; i++) b->at.lambda[i] = test_random(&r, -5, 5);
    b->at.t = 0.3;
    return true;
}

static void bench_close(Bench *b) {
    cdi_problem_free(b->once);
    cdi_problem_free(b->apart);
    cdi_system_work_free(b->work);
    cdi_system_free(b->system);
    cdi_model_free(b->model);
    test_log_close(&b->log);
}

static double largest_difference(int n, const double *a, const double *b) {
    double worst = 0, size = 1;
    for (int i = 0; i < n; i++) {
        const double e = fabs(a[i] - b[i]);
        worst = !(e <= worst) ? e : worst;
        size = fmax(size, fabs(b[i]));
    }
    return worst / size;
}

static void compare(Bench *b, const char *what) {
    static double r[2][MAX_N], c[2][MAX_N], g[2][MAX_N];
    for (int k = 0; k < 3; k++) {
        const CdConstraintLevel level[] = {CD_POSITION, CD_VELOCITY, CD_ACCELERATION};
        const bool beside = level[k] != CD_POSITION && b->once->ng > 0;
        memset(g, 0, sizeof g);
        CHECK_OK(cdi_residuals(b->once, &b->at, level[k], r[0], c[0], beside ? g[0] : NULL));
        CHECK_OK(cdi_residuals(b->apart, &b->at, level[k], r[1], c[1], beside ? g[1] : NULL));
        bool same = CHECK_NEAR(largest_difference(b->once->nv, r[0], r[1]), 0, ROUNDING);
        same = CHECK_NEAR(largest_difference(b->once->nc, c[0], c[1]), 0, ROUNDING) && same;
        same = CHECK_NEAR(largest_difference(b->once->ng, g[0], g[1]), 0, ROUNDING) && same;
        if (!same) printf("  of %s at level %d\n", what, k);
    }
}

static void check_text(const char *text, const char *what) {
    Bench b = {0};
    if (bench_open(&b, text)) compare(&b, what);
    bench_close(&b);
}

// ---- tiles

// all that lanes compute
typedef struct Numbers {
    double r[MAX_N], g[MAX_N], velocity[MAX_N], acceleration[MAX_N];
    double J[MAX_NNZ], speed[MAX_NNZ], C[MAX_NNZ], K[MAX_NNZ], memory[MAX_N];
} Numbers;

// isa with tiles from `min` items of a class on
static void evaluate(Bench *b, CdIsa isa, int min, Numbers *x) {
    const CdProblem *p = &b->once->user;
    memset(x, 0, sizeof *x);
    CHECK_OK(cdi_tiles_new(b->system, isa, min));
    b->system->sections = NULL;
    CHECK_OK(cdi_system_sections_find(b->system));
    CHECK_OK(p->residual(p->data, &b->at, x->r, x->g, x->velocity, x->acceleration));
    CHECK_OK(p->derivatives(p->data, &b->at, NULL, x->C, x->K));
    if (b->system->ng > 0) {
        CHECK_OK(p->constraint_jacobian(p->data, &b->at, x->J));
        CHECK_OK(p->velocity_slopes(p->data, &b->at, x->speed));
    }
    if (!p->step_end) return;
    bool event;
    double before[MAX_N];
    for (int i = 0; i < b->system->nmemory; i++) b->work->memory[i] = before[i] = 7 * i - 20;
    CHECK_OK(p->step_end(p->data, &b->at, &event));
    memcpy(x->memory, b->work->memory, (size_t)b->system->nmemory * sizeof *before);
    // nearest to what was before
    for (int i = 0; i < b->system->nmemory; i++) CHECK(fabs(x->memory[i] - before[i]) < 3.1416);
    cdi_system_restart(b->work);
}

static void compare_tiles(const char *text, const char *what) {
    static Numbers alone, first, next;
    Bench b = {0};
    if (!bench_open(&b, text)) return;
    CHECK(b.system->pattern->nnz <= MAX_NNZ && b.system->jpattern->nnz <= MAX_NNZ);
    evaluate(&b, CD_ISA_BASE, MAX_N, &alone);
    evaluate(&b, CD_ISA_BASE, 1, &first);
    CHECK_INT(b.system->tiles->lone_bodies.n, 0);
    CHECK_INT(b.system->tiles->lone_joints.n, 0);
    CHECK_INT(b.system->tiles->lone_forces.n, 0);
    const double *x = (const double *)&first, *y = (const double *)&alone;
    const size_t part[] = {MAX_N, MAX_N, MAX_N, MAX_N, MAX_NNZ, MAX_NNZ, MAX_NNZ, MAX_NNZ, MAX_N};
    for (size_t k = 0; k < sizeof part / sizeof *part; x += part[k], y += part[k], k++) {
        if (!CHECK_NEAR(largest_difference((int)part[k], x, y), 0, ROUNDING)) {
            printf("  part %d of %s\n", (int)k, what);
        }
    }
    // every instruction set gives the same bits
    for (CdIsa isa = CD_ISA_BASE; isa <= cdi_isa(); isa++) {
        evaluate(&b, isa, 1, &next);
        if (!CHECK(memcmp(&next, &first, sizeof next) == 0)) printf("  of %s\n", what);
    }
    bench_close(&b);
}

static bool in_plane(const char *cls) {
    return strncmp(cls, "PlanarR", 7) == 0 || strncmp(cls, "PlanarP", 7) == 0;
}

TEST(all_classes_on_markers) {
    static Text text;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        const char *name = (*cls)->desc.name;
        if (!has_markers(*cls)) continue;
        for (int n = 1; n <= MANY; n += MANY - 1) {
            write_model(*cls, "RigidBody", n, &text);
            check_text(text.v, name);
            if (!in_plane(name)) continue;
            write_model(*cls, "RigidBody2D", n, &text);
            check_text(text.v, name);
        }
    }
}

// what has no markers, or few: motions, couplings, loads, functions of sensors
TEST(all_other_items) {
    check_text(
        "{\"cardan\": 1, \"items\": ["
        "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [1, 2, -9]},"
        "{\"class\": \"RigidBody\", \"name\": \"one\", \"position\": [1, 0, 0], \"mass\": 2, "
        "\"inertia\": [[1, 0, 0.1], [0, 2, 0], [0.1, 0, 2.5]]},"
        "{\"class\": \"RigidBody\", \"name\": \"two\", \"position\": [2, 0, 0], \"mass\": 1, "
        "\"inertia\": [[1, 0, 0.1], [0, 2, 0], [0.1, 0, 2.5]]},"
        "{\"class\": \"RigidBody2D\", \"name\": \"flat\", \"position\": [2, 1, 0], \"mass\": 1, "
        "\"inertia\": 2},"
        "{\"class\": \"MassPoint3D\", \"name\": \"p3\", \"mass\": 2},"
        "{\"class\": \"MassPoint1D\", \"name\": \"p1\", \"mass\": 2},"
        "{\"class\": \"Rotor\", \"name\": \"wheel\", \"inertia\": 0.1},"
        "{\"class\": \"CoordinateMarker\", \"name\": \"drive\", \"body\": \"wheel\", "
        "\"coordinate\": \"angle\"},"
        "{\"class\": \"CoordinateMarker\", \"name\": \"height\", \"body\": \"one\", "
        "\"coordinate\": \"y\"},"
        "{\"class\": \"RevoluteJoint\", \"name\": \"hinge\", \"body_b\": \"one\"},"
        "{\"class\": \"RevoluteJoint\", \"name\": \"elbow\", \"body_a\": \"one\", \"body_b\": "
        "\"two\", \"at\": [1.5, 0, 0], \"axis\": [0, 1, 1]},"
        "{\"class\": \"PlanarRevoluteJoint\", \"name\": \"pin\", \"body_a\": \"flat\", \"body_b\": "
        "\"one\"},"
        "{\"class\": \"SphericalJoint\", \"name\": \"ball\", \"body_a\": \"p3\", \"body_b\": "
        "\"two\", \"at\": [0, 0, 0]},"
        "{\"class\": \"JointMotion\", \"name\": \"motor\", \"joint\": \"hinge\", \"motion\": "
        "\"3*t^2\"},"
        "{\"class\": \"CoordinateCoupling\", \"name\": \"gear\", \"markers\": [\"drive\", "
        "\"height\"], \"factors\": [1, 3]},"
        "{\"class\": \"CoordinateSpringDamper\", \"name\": \"s\", \"marker_a\": \"height\", "
        "\"marker_b\": \"drive\", \"stiffness\": 10, \"damping\": 2},"
        "{\"class\": \"CoordinateLoad\", \"name\": \"l\", \"marker\": \"height\", \"force\": "
        "\"5*sin(t)\"},"
        "{\"class\": \"Force\", \"name\": \"push\", \"body\": \"two\", \"point\": [2.5, 0, 0], "
        "\"y\": \"10*cos(3*t)\", \"axes\": \"own\"},"
        "{\"class\": \"Torque\", \"name\": \"twist\", \"body\": \"one\", \"z\": \"2 + t\"},"
        "{\"class\": \"Sensor\", \"name\": \"place\", \"body\": \"two\"},"
        "{\"class\": \"SpringDamper\", \"name\": \"strut\", \"body_a\": \"flat\", \"body_b\": "
        "\"two\", \"length\": 0.3, \"stiffness\": 20, \"elastic\": \"x^3 + place.x\"}]}",
        "all other items");
}

TEST(tiles_equal_items_one_by_one) {
    static Text text;
    int count = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if (!has_markers(*cls)) continue;
        count++;
        write_model(*cls, "RigidBody", MANY, &text);
        compare_tiles(text.v, (*cls)->desc.name);
    }
    CHECK(count >= 20);
}

// a joint with relative coordinates that are free
static bool can_move(const CdItemClass *cls) {
    return cls->joint && cls->joint->relative && cls->joint->nrel > 0;
}

// joints of a class, of each one coordinate that follows a function of time
static void write_motions(const CdItemClass *cls, Text *t) {
    // those that are fixed cannot follow
    const bool generic = strcmp(cls->desc.name, "GenericJoint") == 0;
    const int first = generic ? 1 : 0, n = cls->joint->nrel - first;
    TestRandom r = {5};
    open_model(t);
    for (int i = 0; i < MANY; i++) {
        char item[512];
        add_pair(t, "RigidBody", i, &r);
        snprintf(item, sizeof item,
                 ",{\"class\": \"%s\", \"name\": \"x%d\", \"marker_a\": \"m%d0\", \"marker_b\": "
                 "\"m%d1\"%s}, {\"class\": \"JointMotion\", \"name\": \"y%d\", \"joint\": "
                 "\"x%d\", \"coordinate\": \"%s\", \"motion\": \"%d + %d*t + t^2\"}",
                 cls->desc.name, i, i, i,
                 generic ? ", \"y\": false, \"z\": false, \"rx\": false, \"ry\": false, "
                           "\"rz\": false"
                         : "",
                 i, i, cls->joint->rel_names[first + i % n], 4 * (i % 3), i);
        add(t, item);
    }
    add(t, "]}");
}

TEST(motions_of_every_joint_stand_in_tiles) {
    static Text text;
    int count = 0;
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if (!can_move(*cls)) continue;
        count++;
        write_motions(*cls, &text);
        check_text(text.v, (*cls)->desc.name);
        compare_tiles(text.v, (*cls)->desc.name);
    }
    CHECK(count >= 9);
}

// ---- what is evaluated one by one: by a call through a pointer for every item and evaluation

// all that do, and why
static const char *const one_by_one[][2] = {
    {"Sensor", "asked at samples; in a step only those that forces read, in an order of their own"},
    {"JointSensor", "as Sensor"},
    {"ConnectorSensor", "as Sensor"},
    {"SystemSensor", "as Sensor; there are few"},
    {"ExpressionSensor", "as Sensor; each has a function of its own"},
};

static bool stands_alone(const char *cls) {
    for (size_t i = 0; i < sizeof one_by_one / sizeof *one_by_one; i++) {
        if (strcmp(cls, one_by_one[i][0]) == 0) return true;
    }
    return false;
}

// do some lanes fit every item?
static bool fits_all(const CdForceLanes *lanes) {
    while (lanes && lanes->fits) lanes = lanes->other;
    return lanes;
}

// laws on coordinates take several items by themselves; markers and gravity have none
static bool has_tiles(const CdItemClass *cls) {
    if (cls->body) return cls->body->nv == 0 || cls->body->lanes;
    if (can_move(cls) && !cls->joint->rel_lanes) return false;
    if (cls->joint) return cls->joint->lanes || cls->joint->follows;
    if (cls->force) return fits_all(cls->force->lanes);
    return !cls->sensor;
}

TEST(classes_without_tiles_are_known) {
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        const char *name = (*cls)->desc.name;
        if (!CHECK(has_tiles(*cls) != stands_alone(name))) printf("  %s\n", name);
    }
}

static void count_alone(const CdItemClass *cls, const char *body) {
    static Text text;
    Bench b = {0};
    write_model(cls, body, 2 * MANY, &text);
    if (!bench_open(&b, text.v)) return;
    const CdSystemTiles *t = b.system->tiles;
    if (!CHECK_INT(t->lone_joints.n + t->lone_forces.n, 0)) printf("  %s\n", cls->desc.name);
    CHECK_INT(t->lone_bodies.n, 0);
    // bodies follow one another
    CHECK_INT(b.system->bodies[1].alike, 4 * MANY);
    bench_close(&b);
}

TEST(items_stand_in_tiles) {
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        if (!has_markers(*cls)) continue;
        count_alone(*cls, "RigidBody");
        if (in_plane((*cls)->desc.name)) count_alone(*cls, "RigidBody2D");
    }
}

// three of every class that has but a mass or an inertia, with a spring and a load each
static void add_light(Text *t) {
    static const char *const classes[] = {"MassPoint1D", "MassPoint2D", "MassPoint3D", "Rotor"};
    for (int i = 0; i < 12; i++) {
        char item[1024];
        const char *cls = classes[i / 3];
        const bool line = i < 3, wheel = i >= 9;
        snprintf(item, sizeof item,
                 ",{\"class\": \"%s\", \"name\": \"p%d\", \"%s\": %d%s}, {\"class\": \"Marker\", "
                 "\"name\": \"pm%d\", \"body\": \"p%d\", \"position\": [0.3, 0.2, 0.1]}, "
                 "{\"class\": \"Bushing\", \"name\": \"ps%d\", \"marker_a\": \"base\", "
                 "\"marker_b\": \"pm%d\", \"stiffness\": [1, 2, 3], \"angular_damping\": "
                 "[1, 2, 3]}, {\"class\": \"%s\", \"name\": \"pl%d\", \"marker\": \"pm%d\", "
                 "\"x\": 2, \"y\": \"t\", \"z\": 3, \"axes\": \"own\"}",
                 cls, i, wheel ? "inertia" : "mass", i + 1,
                 line || wheel ? ", \"axis\": [1, 2, 3]" : "", i, i, i, i,
                 wheel || i % 2 ? "Torque" : "Force", i, i);
        add(t, item);
    }
}

// bodies with fewer than six velocities, or none
TEST(tiles_of_other_bodies) {
    static Text text;
    TestRandom r = {9};
    add(&text, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\", "
               "\"acceleration\": [1, 2, -9]}, {\"class\": \"Marker\", \"name\": \"base\", "
               "\"body\": \"ground\", \"position\": [0.1, 0.2, 0.3]}");
    add_pair(&text, "RigidBody2D", 0, &r);
    add_pair(&text, "RigidBody", 1, &r);
    add_light(&text);
    add(&text, ",{\"class\": \"RevoluteJoint\", \"name\": \"d\", \"marker_a\": \"base\", "
               "\"marker_b\": \"m10\"}");
    add(&text, ",{\"class\": \"RevoluteJoint\", \"name\": \"a\", \"marker_a\": \"base\", "
               "\"marker_b\": \"m00\"}, {\"class\": \"RevoluteJoint\", \"name\": \"b\", "
               "\"marker_a\": \"m10\", \"marker_b\": \"m01\"}, {\"class\": \"RevoluteJoint\", "
               "\"name\": \"c\", \"marker_a\": \"m11\", \"marker_b\": \"base\"}, {\"class\": "
               "\"SpringDamper\", \"name\": \"s\", \"marker_a\": \"m00\", \"marker_b\": "
               "\"m11\", \"length\": 0.2, \"stiffness\": 30, \"damping\": 3}]}");
    compare_tiles(text.v, "bodies of all kinds");
}

int main(void) {
    RUN(all_classes_on_markers);
    RUN(tiles_equal_items_one_by_one);
    RUN(motions_of_every_joint_stand_in_tiles);
    RUN(classes_without_tiles_are_known);
    RUN(items_stand_in_tiles);
    RUN(tiles_of_other_bodies);
    RUN(all_other_items);
    return test_end();
}
