// test_lines.c - items on coordinates as arrays: the same forces as from their laws, one by one
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "system/lines.h"
#include "system/link.h"
#include "test.h"

#define MASSES 700 // three blocks of rows, the last one not full
#define TEXT_MAX ((size_t)1 << 20)

typedef struct Chain {
    TestLog log;
    char *text;
    size_t n;
    CdModel *model;
    CdSystem *system;
    CdSystemWork *work;
    CdProblem problem;
    double q[MASSES], v[MASSES], vdot[MASSES], lambda[2];
    CdPoint at;
} Chain;

static void add(Chain *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    c->n += (size_t)vsnprintf(c->text + c->n, TEXT_MAX - c->n, format, args);
    va_end(args);
}

static void begin(Chain *c, int n, const char *mass) {
    *c = (Chain){0};
    test_log_open(&c->log);
    c->text = cdi_alloc(c->log.ctx, TEXT_MAX);
    add(c, "{\"cardan\": 1, \"items\": [{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\":"
           " [-1, 0, 0]}");
    for (int i = 0; i < n; i++) {
        add(c, ",{\"class\": \"%s\", \"name\": \"m%d\", \"mass\": %g}", mass, i, 1 + 0.01 * i);
        add(c,
            ",{\"class\": \"CoordinateMarker\", \"name\": \"x%d\", \"body\": \"m%d\","
            " \"coordinate\": \"%s\"}",
            i, i, strcmp(mass, "MassPoint1D") == 0 ? "s" : "x");
    }
}

// b < 0: on a alone
static void add_spring(Chain *c, int number, int a, int b, const char *more) {
    add(c, ",{\"class\": \"CoordinateSpringDamper\", \"name\": \"s%d\", \"marker_a\": \"x%d\"%s",
        number, a, more);
    add(c, ", \"length\": %g", 0.3 * sin(number));
    if (b >= 0) add(c, ", \"marker_b\": \"x%d\"", b);
    add(c, "}");
}

static bool end(Chain *c, CdPool *pool) {
    TestRandom r = {.state = 7};
    add(c, "]}");
    CHECK_OK(cdi_model_read_text(c->log.ctx, c->text, c->n, "x.json", &c->model));
    if (!c->model) printf("%s", c->log.text);
    if (!c->model) return false;
    CHECK_OK(cdi_system_new(c->model, &c->system));
    CHECK_OK(cdi_system_work_new(c->system, pool, &c->work));
    cdi_system_problem(c->work, &c->problem);
    for (int i = 0; i < MASSES; i++) {
        c->q[i] = test_random(&r, -1, 1);
        c->v[i] = test_random(&r, -1, 1);
        c->vdot[i] = test_random(&r, -1, 1);
    }
    c->lambda[0] = 3;
    c->lambda[1] = -2;
    c->at = (CdPoint){.t = 0.4, .q = c->q, .v = c->v, .vdot = c->vdot, .lambda = c->lambda};
    return true;
}

static void close(Chain *c) {
    cdi_system_work_free(c->work);
    cdi_system_free(c->system);
    cdi_model_free(c->model);
    cdi_free(c->log.ctx, c->text);
    CHECK_TEXT(c->log.text, "");
    test_log_close(&c->log);
}

#define SPRING ", \"stiffness\": 50, \"damping\": 2"
#define DAMPER ", \"damping\": 0.5"
#define CURVED ", \"stiffness\": 3, \"elastic\": \"4*x^3\""
#define OFFSET ", \"stiffness\": 3, \"elastic\": 0.25, \"viscous\": 0.5"

// runs of all kinds, springs against the order of masses, on the same masses, far ones, curves
static void add_network(Chain *c) {
    int k = 0;
    for (int i = 0; i < MASSES; i++) {
        if (i > 0 && i != 300)
            add_spring(c, k++, i % 7 == 0 ? i : i - 1, i % 7 == 0 ? i - 1 : i, SPRING);
        if (i % 2 == 1) add_spring(c, k++, i - 1, i, DAMPER);
        if (i >= 10) add_spring(c, k++, i - 10, i, OFFSET);
        if (i >= 600) add_spring(c, k++, i - 600, i, SPRING);
        if (i % 3 == 0 || i < 290) add_spring(c, k++, i, -1, SPRING);
        if (i % 50 == 5) add_spring(c, k++, i, (i * 17) % MASSES, SPRING);
        if (i % 90 == 0) add_spring(c, k++, i, -1, CURVED);
    }
    add_spring(c, k, 4, 4, SPRING);
    add(c, ",{\"class\": \"CoordinateLoad\", \"name\": \"p\", \"marker\": \"x20\", \"force\": 5}");
    add(c, ",{\"class\": \"CoordinateLoad\", \"name\": \"w\", \"marker\": \"x21\","
           " \"force\": \"sin(t)\"}");
}

static void add_couplings(Chain *c) {
    add(c, ",{\"class\": \"CoordinateCoupling\", \"name\": \"gear\", \"markers\": [\"x3\", \"x9\"],"
           " \"factors\": [1, 3], \"offset\": \"t^2\"}");
    add(c, ",{\"class\": \"CoordinateCoupling\", \"name\": \"belt\", \"markers\": [\"x3\", \"x3\","
           " \"x680\"], \"factors\": [0.5, 0.25, -2]}");
}

// gravity, and the law of every item
static void expect(const Chain *c, double *f) {
    const CdSystem *s = c->system;
    for (int i = 0; i < s->nv; i++) f[i] = -(1 + 0.01 * i);
    for (int k = 0; k < s->ncoordinates; k++) {
        const CdSystemCoordinates *x = &s->coordinates[k];
        if (x->row >= 0) continue;
        const double *own = cdi_coordinates_law(c->work, x, x->item->data, &c->at);
        for (int i = 0; i < x->n; i++) f[x->v[i]] += own[i];
    }
}

TEST(lines_are_the_laws_of_their_items) {
    static double f[MASSES], expected[MASSES];
    Chain c;
    begin(&c, MASSES, "MassPoint1D");
    add_network(&c);
    if (end(&c, NULL)) {
        const CdSystemLines *l = c.system->lines;
        expect(&c, expected);
        CHECK_OK(c.problem.force(c.work, &c.at, f));
        for (int i = 0; i < MASSES; i++) CHECK_NEAR(f[i], expected[i], 1e-12);
        // neighbours without 300, at a distance of 10 and of 600, on one mass up to 290
        CHECK_INT(l->nruns, 5);
        CHECK_INT(l->nother, 8 + 1);
    }
    close(&c);
}

// lines on the same masses are one, and reach their numbers in either order
TEST(parallel_lines_are_one) {
    static double f[MASSES], expected[MASSES];
    Chain c;
    begin(&c, 6, "MassPoint1D");
    for (int i = 0; i < 5; i++) {
        add_spring(&c, 3 * i, i, i + 1, SPRING);
        add_spring(&c, 3 * i + 1, i + 1, i, DAMPER);
        // of another length: stays by itself
        if (i == 2) add_spring(&c, 3 * i + 2, i, i + 1, SPRING);
    }
    if (end(&c, NULL)) {
        expect(&c, expected);
        CHECK_OK(c.problem.force(c.work, &c.at, f));
        for (int i = 0; i < 6; i++) CHECK_NEAR(f[i], expected[i], 1e-13);
        CHECK_INT(c.system->lines->n, 6);
    }
    close(&c);
}

// the next item is on the next mass, but to another one
TEST(runs_end_where_distances_change) {
    static double f[MASSES], expected[MASSES];
    Chain c;
    begin(&c, 30, "MassPoint1D");
    for (int i = 0; i < 28; i++) add_spring(&c, i, i, i < 9 ? -1 : i < 18 ? i + 1 : i + 2, SPRING);
    if (end(&c, NULL)) {
        expect(&c, expected);
        CHECK_OK(c.problem.force(c.work, &c.at, f));
        for (int i = 0; i < 30; i++) CHECK_NEAR(f[i], expected[i], 1e-13);
        CHECK_INT(c.system->lines->nruns, 3);
    }
    close(&c);
}

TEST(forces_of_systems_with_frames_have_lines_too) {
    static double f[3 * MASSES], expected[3 * MASSES];
    Chain c;
    begin(&c, 20, "MassPoint3D");
    for (int i = 1; i < 20; i++) add_spring(&c, i, i - 1, i, SPRING);
    add(&c, ",{\"class\": \"CoordinateLoad\", \"name\": \"p\", \"marker\": \"x7\", \"force\": 5}");
    add(&c, ",{\"class\": \"SpringDamper\", \"name\": \"slack\", \"body_b\": \"m3\","
            " \"at\": [0, 0, 0], \"axis\": [1, 0, 0], \"length\": 1}");
    if (end(&c, NULL)) {
        CHECK(!c.system->plain);
        for (int i = 0; i < 20; i++) c.q[3 * i + 1] = 1 + i;
        expect(&c, expected);
        CHECK_OK(c.problem.force(c.work, &c.at, f));
        // rows of x have all of it, those of y and z nothing
        for (int i = 0; i < 60; i++) {
            const double weight = i % 3 == 0 ? -(1 + 0.01 * (i / 3)) : 0;
            CHECK_NEAR(f[i], weight + expected[i] + (1 + 0.01 * i), 1e-12);
        }
    }
    close(&c);
}

// r = M v' - f + J^T lambda, g, J v + g_t, J v' + gamma, against the callbacks for each of them
static void check_residual(const Chain *c, const CdProblem *p) {
    static double r[MASSES], f[MASSES], M[16 * MASSES], J[5];
    double g[2], terms[2], gamma[2], out[3][2];
    const CdSystem *s = c->system;
    CHECK_OK(p->residual(c->work, &c->at, r, out[0], out[1], out[2]));
    CHECK_OK(p->force(c->work, &c->at, f));
    CHECK_OK(p->mass(c->work, &c->at, M));
    CHECK_OK(p->constraint(c->work, &c->at, g));
    CHECK_OK(p->constraint_jacobian(c->work, &c->at, J));
    CHECK_OK(p->velocity_terms(c->work, &c->at, terms));
    CHECK_OK(p->acceleration_terms(c->work, &c->at, gamma));
    for (int j = 0; j < s->nv; j++) {
        double expected = -f[j];
        const CdPattern *a = s->mass_pattern, *b = s->jpattern;
        for (int k = a->ptr[j]; k < a->ptr[j + 1]; k++) expected += M[k] * c->vdot[a->row[k]];
        for (int k = b->ptr[j]; k < b->ptr[j + 1]; k++) {
            expected += J[k] * c->lambda[b->row[k]];
            terms[b->row[k]] += J[k] * c->v[j];
            gamma[b->row[k]] += J[k] * c->vdot[j];
        }
        CHECK_NEAR(r[j], expected, 1e-12);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(out[0][i], g[i], 1e-14);
        CHECK_NEAR(out[1][i], terms[i], 1e-14);
        CHECK_NEAR(out[2][i], gamma[i], 1e-14);
    }
}

TEST(one_evaluation_has_all_residuals) {
    Chain c;
    begin(&c, MASSES, "MassPoint1D");
    add_network(&c);
    add_couplings(&c);
    if (end(&c, NULL)) {
        double g[2], velocity[2];
        CHECK(c.system->plain);
        CHECK(!c.problem.retract && !c.problem.normalise);
        check_residual(&c, &c.problem);
        // what is not wanted is not needed
        c.at.vdot = c.at.lambda = NULL;
        CHECK_OK(c.problem.residual(c.work, &c.at, NULL, g, velocity, NULL));
    }
    close(&c);
}

// rows by themselves, cut anywhere
TEST(rows_have_the_bits_of_the_residual) {
    static const int cuts[] = {0, 1, 8, 200, 255, 256, 257, 511, MASSES};
    static double whole[MASSES], rows[MASSES];
    Chain c;
    begin(&c, MASSES, "MassPoint1D");
    for (int i = 1; i < MASSES; i++) add_spring(&c, i, i - 1, i, SPRING);
    add_spring(&c, MASSES, 5, -1, SPRING);
    add_spring(&c, MASSES + 1, 5, 300, SPRING);
    if (end(&c, NULL)) {
        CHECK(c.problem.residual_rows && c.system->lines->nsingle > 1);
        CHECK_OK(c.problem.residual(c.work, &c.at, whole, NULL, NULL, NULL));
        for (size_t k = 0; c.problem.residual_rows && k + 1 < sizeof cuts / sizeof *cuts; k++) {
            c.problem.residual_rows(c.work, &c.at, cuts[k], cuts[k + 1], rows);
        }
        CHECK(memcmp(whole, rows, sizeof whole) == 0);
    }
    close(&c);
    // curves and many single items leave it to all rows
    begin(&c, MASSES, "MassPoint1D");
    add_network(&c);
    if (end(&c, NULL)) CHECK(!c.problem.residual_rows);
    close(&c);
}

TEST(bits_are_the_same_for_threads_and_instruction_sets) {
    static double one[MASSES], other[MASSES];
    CdPool *pool;
    Chain c;
    begin(&c, MASSES, "MassPoint1D");
    CHECK_OK(cd_pool_new(c.log.ctx, 3, &pool));
    add_network(&c);
    if (end(&c, NULL)) {
        CHECK_OK(c.problem.residual(c.work, &c.at, one, NULL, NULL, NULL));
        c.work->pool = pool;
        for (CdIsa isa = CD_ISA_BASE; isa < CD_NISA; isa++) {
            if (!cdi_line_ops(isa)) continue;
            c.work->line_ops = cdi_line_ops(isa);
            CHECK_OK(c.problem.residual(c.work, &c.at, other, NULL, NULL, NULL));
            for (int i = 0; i < MASSES; i++) CHECK_BITS(one[i], other[i]);
        }
    }
    cd_pool_free(pool);
    close(&c);
}

static const char small[] =
    "{\"cardan\": 1, \"items\": ["
    "{\"class\": \"MassPoint1D\", \"name\": \"m\", \"mass\": 1},"
    "{\"class\": \"CoordinateMarker\", \"name\": \"x\", \"body\": \"m\", \"coordinate\": \"s\"},"
    "{\"class\": \"CoordinateSpringDamper\", \"name\": \"s\", \"marker_a\": \"x\"}]}";

static CdStatus make_small(CdContext *ctx, void *user) {
    CdModel *model;
    CdSystem *system = NULL;
    (void)user;
    CD_TRY(cdi_model_read_text(ctx, small, sizeof small - 1, "x.json", &model));
    const CdStatus status = cdi_system_new(model, &system);
    cdi_system_free(system);
    cdi_model_free(model);
    return status;
}

TEST(memory_may_run_out) {
    CHECK_OOM(make_small, NULL);
}

// ---- laws that are asked for several items at once

#define FEW 20
#define COUPLINGS 11

// curves and functions of time of their own, on one coordinate, then between two, and so on
static void add_curves(Chain *c) {
    for (int i = 0; i < FEW; i++) {
        char more[64];
        snprintf(more, sizeof more, ", \"stiffness\": %d, \"elastic\": \"%d*x^3\"", 1 + i, 2 + i);
        add_spring(c, i, i, i % 2 == 0 ? -1 : (i + 3) % FEW, more);
        add(c,
            ",{\"class\": \"CoordinateLoad\", \"name\": \"p%d\", \"marker\": \"x%d\", \"force\":"
            " \"cos(%d*t)\"}",
            i, i, i);
    }
}

TEST(forces_of_several_items_are_these_one_by_one) {
    static double f[MASSES], expected[MASSES], C[16 * FEW], K[16 * FEW], up[FEW], down[FEW];
    const double step = 1e-5;
    Chain c;
    begin(&c, FEW, "MassPoint1D");
    add_curves(&c);
    if (end(&c, NULL)) {
        const CdPattern *p = c.system->pattern;
        expect(&c, expected);
        CHECK_OK(c.problem.force(c.work, &c.at, f));
        CHECK_OK(c.problem.derivatives(c.work, &c.at, NULL, C, K));
        CHECK_INT(c.system->lines->nother, 2 * FEW);
        for (int i = 0; i < FEW; i++) CHECK_NEAR(f[i], expected[i], 1e-13);
        for (int j = 0; j < FEW; j++) {
            const double keep = c.q[j];
            c.q[j] = keep + step;
            CHECK_OK(c.problem.force(c.work, &c.at, up));
            c.q[j] = keep - step;
            CHECK_OK(c.problem.force(c.work, &c.at, down));
            c.q[j] = keep;
            for (int k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
                CHECK_NEAR(K[k], -(up[p->row[k]] - down[p->row[k]]) / (2 * step), 1e-6);
            }
        }
    }
    close(&c);
}

// of one to three coordinates, changing every second or third time
static int size_of_coupling(int i) {
    return 1 + i / 2 % 3;
}

TEST(couplings_of_several_items_are_these_one_by_one) {
    double g[COUPLINGS], terms[COUPLINGS], gamma[COUPLINGS];
    Chain c;
    begin(&c, FEW, "MassPoint1D");
    for (int i = 0; i < COUPLINGS; i++) {
        const int n = size_of_coupling(i);
        add(&c, ",{\"class\": \"CoordinateCoupling\", \"name\": \"c%d\", \"offset\": \"%d*t^2\"", i,
            i + 1);
        for (int j = 0; j < n; j++) add(&c, "%s\"x%d\"", j ? "," : ", \"markers\": [", i + j);
        for (int j = 0; j < n; j++) add(&c, "%s%d", j ? "," : "], \"factors\": [", i + 2 * j + 1);
        add(&c, "]}");
    }
    if (end(&c, NULL)) {
        CHECK_OK(c.problem.constraint(c.work, &c.at, g));
        CHECK_OK(c.problem.velocity_terms(c.work, &c.at, terms));
        CHECK_OK(c.problem.acceleration_terms(c.work, &c.at, gamma));
        for (int i = 0; i < COUPLINGS; i++) {
            double sum = -(i + 1) * c.at.t * c.at.t;
            for (int j = 0; j < size_of_coupling(i); j++) sum += (i + 2 * j + 1) * c.q[i + j];
            CHECK_NEAR(g[i], sum, 1e-13);
            CHECK_NEAR(terms[i], -2 * (i + 1) * c.at.t, 1e-13);
            CHECK_NEAR(gamma[i], -2 * (i + 1), 1e-13);
        }
    }
    close(&c);
}

int main(void) {
    RUN(lines_are_the_laws_of_their_items);
    RUN(parallel_lines_are_one);
    RUN(runs_end_where_distances_change);
    RUN(forces_of_systems_with_frames_have_lines_too);
    RUN(one_evaluation_has_all_residuals);
    RUN(rows_have_the_bits_of_the_residual);
    RUN(bits_are_the_same_for_threads_and_instruction_sets);
    RUN(memory_may_run_out);
    RUN(forces_of_several_items_are_these_one_by_one);
    RUN(couplings_of_several_items_are_these_one_by_one);
    return test_end();
}
