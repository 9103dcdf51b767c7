// test_forces.c - conformance of every connector and load: derivatives, balance, indifference,
// energy
#include <math.h>
#include <string.h>

#include "items/curve.h"
#include "items/item.h"
#include "test.h"

#define STEP 1e-6
#define POINTS 20
#define MEMORY_MAX 4
#define OUT_MAX 16
#define TWO_PI 6.28318530717958647692

// an item of a class whose numbers and functions are all set, so that nothing is left untested
static CdObject *make_item(CdContext *ctx, const CdItemClass *cls) {
    CdObject *object = NULL;
    CHECK_OK(cdi_object_new(ctx, &cls->desc, "x", &object));
    for (int k = 0; object && k < cls->desc.nfields; k++) {
        const CdField *f = &cls->desc.fields[k];
        const bool place = strcmp(f->name, "at") == 0 || strcmp(f->name, "axis") == 0;
        char text[64];
        if (place || strcmp(f->name, "limit") == 0) continue;
        if (f->type == CD_TYPE_REAL) {
            CHECK_OK(cdi_object_set_real(object, f->name, 0.3 + 0.1 * k));
        } else if (f->type == CD_TYPE_VEC3) {
            CHECK_OK(
                cdi_object_set_reals(object, f->name, (double[]){0.2 + 0.1 * k, 1.1, 0.4 * k}, 3));
        } else if (f->type == CD_TYPE_FUNCTION) {
            const char *arg = f->arg ? f->arg : "t";
            snprintf(text, sizeof text, "\"%d*%s + sin(%s)\"", k, arg, arg);
            CHECK_OK(cdi_object_set(object, f->name, text, NULL));
        } else if (f->type == CD_TYPE_REF && !f->def) {
            CHECK_OK(cdi_object_set_text(object, f->name, "m", NULL));
        }
    }
    CHECK_OK(cdi_object_check(object, NULL));
    return object;
}

// a point at which a law is evaluated
typedef struct At {
    CdFrame f[2];
    double v[12], memory[MEMORY_MAX], t;
} At;

static void random_frame(TestRandom *r, CdFrame *f) {
    double w[3];
    for (int i = 0; i < 3; i++) {
        f->p[i] = test_random(r, -1, 1);
        w[i] = test_random(r, -1.2, 1.2);
    }
    so3_exp(w, f->R);
}

static At random_at(TestRandom *r) {
    At at = {.t = test_random(r, 0, 2)};
    for (int i = 0; i < 2; i++) random_frame(r, &at.f[i]);
    for (int i = 0; i < 12; i++) at.v[i] = test_random(r, -1, 1);
    for (int i = 0; i < MEMORY_MAX; i++) at.memory[i] = test_random(r, -20, 20);
    return at;
}

static CdForceInput input(const CdForceLaw *law, const At *at) {
    return (CdForceInput){.t = at->t,
                          .a = &at->f[0],
                          .b = law->nmarkers == 2 ? &at->f[1] : NULL,
                          .v = at->v,
                          .memory = at->memory};
}

static void value(const CdForceLaw *law, const void *p, const At *at, double w[12]) {
    const CdForceInput in = input(law, at);
    memset(w, 0, 12 * sizeof *w);
    law->value(p, &in, w);
}

// along direction k: of the frames first, then of the twists
static At moved(const At *at, int n, int k, double h) {
    At out = *at;
    double d[6] = {0};
    if (k >= n) {
        out.v[k - n] += h;
        return out;
    }
    d[k % 6] = h;
    frame_move(&at->f[k / 6], d, &out.f[k / 6]);
    return out;
}

// ---- what every class must meet

static double check_jacobian(const CdForceLaw *law, const void *p, const At *at) {
    const int n = 6 * law->nmarkers;
    double w[12], J[12 * 24], up[12], down[12], worst = 0, speed = 0;
    const CdForceInput in = input(law, at);
    law->jac(p, &in, w, J);
    value(law, p, at, up);
    for (int i = 0; i < n; i++) CHECK_BITS(w[i] + 0.0, up[i] + 0.0);
    for (int k = 0; k < 2 * n; k++) {
        const At plus = moved(at, n, k, STEP), minus = moved(at, n, k, -STEP);
        value(law, p, &plus, up);
        value(law, p, &minus, down);
        for (int i = 0; i < n; i++) {
            const double d = (up[i] - down[i]) / (2 * STEP), j = J[i * 2 * n + k];
            worst = fmax(worst, fabs(d - j) / (1 + fabs(j)));
            if (k >= n) speed = fmax(speed, fabs(j));
        }
    }
    CHECK((speed > 0) == law->of_velocity);
    return worst;
}

// sum of the forces, and of the moments about the origin
static void total(const At *at, const double w[12], double sum[6]) {
    memset(sum, 0, 6 * sizeof *sum);
    for (int m = 0; m < 2; m++) {
        double lever[3], own[3];
        cross3(at->f[m].p, w + 6 * m, lever);
        mul3v(at->f[m].R, w + 6 * m + 3, own);
        for (int i = 0; i < 3; i++) {
            sum[i] += w[6 * m + i];
            sum[3 + i] += lever[i] + own[i];
        }
    }
}

// the whole picture moved rigidly, and with a rigid motion laid over it
static At carried(const At *at, const CdFrame *x, const double spin[3]) {
    At out = *at;
    for (int m = 0; m < 2; m++) {
        double d[3], v[3], turn[3], own[3];
        mul3v(x->R, at->f[m].p, d);
        add3(x->p, d, out.f[m].p);
        mul33(x->R, at->f[m].R, out.f[m].R);
        mul3v(x->R, at->v + 6 * m, v);
        cross3(spin, out.f[m].p, turn);
        add3(v, turn, out.v + 6 * m);
        tmul3v(out.f[m].R, spin, own);
        for (int i = 0; i < 3; i++) out.v[6 * m + 3 + i] += own[i];
    }
    return out;
}

static void check_pair(const char *name, const CdForceLaw *law, const void *p, const At *at,
                       TestRandom *r) {
    double w[12], sum[6], turned[12], size = 0;
    CdFrame x;
    random_frame(r, &x);
    value(law, p, at, w);
    for (int i = 0; i < 12; i++) size += fabs(w[i]);
    CHECK(size > 0.1);
    total(at, w, sum);
    for (int i = 0; i < 6; i++) {
        if (!CHECK_NEAR(sum[i], 0, 1e-12 * (1 + size))) printf("  balance of %s\n", name);
    }
    const At there = carried(at, &x, (double[]){0.3, -0.7, 0.4});
    value(law, p, &there, turned);
    for (int m = 0; m < 2; m++) {
        double F[3];
        mul3v(x.R, w + 6 * m, F);
        for (int i = 0; i < 3; i++) {
            if (!CHECK_NEAR(turned[6 * m + i], F[i], 1e-11 * (1 + size)) ||
                !CHECK_NEAR(turned[6 * m + 3 + i], w[6 * m + 3 + i], 1e-11 * (1 + size))) {
                printf("  indifference of %s\n", name);
            }
        }
    }
}

// -dE/dq is the force at rest
static void check_energy(const char *name, const CdForceLaw *law, const void *p, const At *at) {
    At still = *at;
    double w[12];
    memset(still.v, 0, sizeof still.v);
    value(law, p, &still, w);
    for (int k = 0; k < 12; k++) {
        const At plus = moved(&still, 12, k, 1e-5), minus = moved(&still, 12, k, -1e-5);
        const CdForceInput up = input(law, &plus), down = input(law, &minus);
        const double slope = (law->energy(p, &up) - law->energy(p, &down)) / 2e-5;
        if (!CHECK_NEAR(-slope, w[k], 1e-6 * (1 + fabs(w[k])))) printf("  energy of %s\n", name);
    }
}

// finite, as many as promised; and where they are a rate and a force, their product is the power
static void check_outputs(const CdForceLaw *law, const void *p, const At *at) {
    double out[OUT_MAX];
    const CdForceInput in = input(law, at);
    CHECK(law->nout <= OUT_MAX);
    for (int i = 0; i < OUT_MAX; i++) out[i] = NAN;
    law->outputs(p, &in, out);
    for (int i = 0; i < law->nout; i++) CHECK(isfinite(out[i]));
    CHECK(isnan(out[law->nout]));
    if (law->nout != 3 || strcmp(law->out_names[1], "rate") != 0) return;
    double w[12], power = 0;
    value(law, p, at, w);
    for (int i = 0; i < 12; i++) power += w[i] * at->v[i];
    CHECK_NEAR(fabs(power), fabs(out[1] * out[2]), 1e-12 * (1 + fabs(power)));
}

static void check_class(CdContext *ctx, const CdItemClass *cls) {
    const CdForceLaw *law = cls->force;
    const char *name = cls->desc.name;
    CdObject *object = make_item(ctx, cls);
    const void *p = object ? cdi_object_data(object) : NULL;
    TestRandom r = {11};
    for (int i = 0; p && i < POINTS; i++) {
        const At at = random_at(&r);
        const double worst = check_jacobian(law, p, &at);
        if (!CHECK_NEAR(worst, 0, 1e-7)) printf("  derivatives of %s\n", name);
        if (law->nmarkers == 2) check_pair(name, law, p, &at, &r);
        if (law->energy) check_energy(name, law, p, &at);
        if (law->outputs) check_outputs(law, p, &at);
        CHECK_INT(law->nmemory <= MEMORY_MAX && (law->nmemory > 0) == (law->remember != NULL), 1);
    }
    cdi_object_free(object);
}

TEST(every_connector_and_load_conforms) {
    TestLog log;
    int n = 0;
    test_log_open(&log);
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        CHECK_OK(cdi_desc_validate(log.ctx, &(*cls)->desc));
        if ((*cls)->force) check_class(log.ctx, *cls);
        n += (*cls)->force != NULL;
    }
    CHECK_TEXT(log.text, "");
    CHECK(n >= 8);
    test_log_close(&log);
}

// ---- laws on coordinates

static void check_coordinates(CdContext *ctx, const CdItemClass *cls, int n, TestRandom *r) {
    const CdCoordinateLaw *law = cls->coordinate;
    CdObject *object = make_item(ctx, cls);
    const void *p = object ? cdi_object_data(object) : NULL;
    double x[4], f[2], J[8], up[2], down[2], dummy[8];
    for (int i = 0; i < 2 * n; i++) x[i] = test_random(r, -2, 2);
    if (!p) return;
    law->force(1, &p, 0.7, n, x, x + n, f, J);
    for (int k = 0; k < 2 * n; k++) {
        const double keep = x[k];
        x[k] = keep + STEP;
        law->force(1, &p, 0.7, n, x, x + n, up, dummy);
        x[k] = keep - STEP;
        law->force(1, &p, 0.7, n, x, x + n, down, dummy);
        x[k] = keep;
        for (int i = 0; i < n; i++) {
            CHECK_NEAR((up[i] - down[i]) / (2 * STEP), J[i * 2 * n + k], 1e-7);
        }
    }
    for (int k = 0; law->energy && k < n; k++) {
        double s[2] = {x[0], x[1]}, rest[2] = {0, 0};
        law->force(1, &p, 0.7, n, s, rest, f, J);
        s[k] = x[k] + STEP;
        const double e = law->energy(p, 0.7, n, s);
        s[k] = x[k] - STEP;
        CHECK_NEAR(-(e - law->energy(p, 0.7, n, s)) / (2 * STEP), f[k], 1e-7);
    }
    if (n == 2) CHECK_NEAR(f[0] + f[1], 0, 1e-14);
    CHECK(fabs(f[0]) > 0);
    cdi_object_free(object);
}

TEST(every_force_on_coordinates_conforms) {
    TestLog log;
    TestRandom r = {5};
    int count = 0;
    test_log_open(&log);
    for (const CdItemClass *const *cls = cd_item_classes; *cls; cls++) {
        const CdCoordinateLaw *law = (*cls)->coordinate;
        if (!law || !law->force) continue;
        for (int n = 1; n <= (law->nmarkers < 0 ? 2 : law->nmarkers); n++) {
            check_coordinates(log.ctx, *cls, n, &r);
            count++;
        }
    }
    CHECK(count >= 3);
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

// ---- single laws

static CdObject *read_item(CdContext *ctx, const char *cls, const char *text) {
    CdJsonDoc *doc;
    CdObject *object = NULL;
    CHECK_OK(cdi_json_read(ctx, "x", text, strlen(text), CD_JSON_LIMITS, &doc));
    CHECK_OK(cdi_object_read(ctx, &cdi_item_class(cls)->desc, cdi_json_root(doc), NULL, &object));
    cdi_json_free(doc);
    return object;
}

static At aligned(double angle, double memory) {
    At at = {.t = 0, .memory = {memory}};
    eye33(at.f[0].R);
    rot_z(angle, at.f[1].R);
    return at;
}

TEST(a_torsional_spring_counts_turns) {
    TestLog log;
    test_log_open(&log);
    const CdItemClass *cls = cdi_item_class("TorsionalSpringDamper");
    CdObject *object = read_item(log.ctx, "TorsionalSpringDamper",
                                 "{\"class\": \"TorsionalSpringDamper\", \"name\": \"s\", "
                                 "\"body_b\": \"b\", \"stiffness\": 2, \"angle\": 1}");
    double memory = 0, w[12];
    for (int i = 0; i <= 100; i++) {
        const double angle = -0.4 * i;
        At at = aligned(angle, memory);
        value(cls->force, cdi_object_data(object), &at, w);
        CHECK_NEAR(w[11], -2 * (angle - 1), 1e-12);
        CHECK_NEAR(w[5], 2 * (angle - 1), 1e-12);
        const CdForceInput in = input(cls->force, &at);
        cls->force->remember(cdi_object_data(object), &in, &memory);
        CHECK_NEAR(memory, angle, 1e-12);
    }
    cdi_object_free(object);
    test_log_close(&log);
}

TEST(an_actuator_keeps_its_limit) {
    TestLog log;
    test_log_open(&log);
    const CdForceLaw *law = cdi_item_class("LinearActuator")->force;
    for (int line = 0; line < 2; line++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"class\": \"LinearActuator\", \"name\": \"s\", \"body_b\": \"b\", \"gain\": "
                 "10, \"target\": 3, \"limit\": 5, \"along\": \"%s\"}",
                 line ? "line" : "axis");
        CdObject *object = read_item(log.ctx, "LinearActuator", text);
        const double z[] = {2, 2.75, 3.25, 4}, force[] = {5, 2.5, -2.5, -5};
        for (int i = 0; i < 4; i++) {
            At at = aligned(0, 0);
            double w[12];
            at.f[1].p[2] = z[i];
            value(law, cdi_object_data(object), &at, w);
            CHECK_NEAR(w[8], force[i], 1e-14);
            CHECK_NEAR(w[2], -force[i], 1e-14);
        }
        cdi_object_free(object);
    }
    test_log_close(&log);
}

TEST(energies_of_functions_are_their_integrals) {
    const struct {
        const char *function;
        double x, energy;
    } cases[] = {
        {"\"3*x^2\"", 2, 8},
        {"\"3*x^2\"", -2, -8},
        {"\"sin(x)\"", TWO_PI, 0},
        {"\"exp(x)\"", 3, exp(3) - 1},
        {"{\"class\": \"Table\", \"interpolation\": \"linear\", \"points\": [[0, 0], [0.3, 0], [1, "
         "7]]}",
         1, 2.45},
        {"7", 0, 0},
    };
    TestLog log;
    test_log_open(&log);
    const CdItemClass *cls = cdi_item_class("CoordinateSpringDamper");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"class\": \"CoordinateSpringDamper\", \"name\": \"s\", \"marker_a\": \"b\", "
                 "\"elastic\": %s}",
                 cases[i].function);
        CdObject *object = read_item(log.ctx, "CoordinateSpringDamper", text);
        if (!object) continue;
        CHECK_NEAR(cls->coordinate->energy(cdi_object_data(object), 0, 1, &cases[i].x),
                   cases[i].energy, 1e-11);
        cdi_object_free(object);
    }
    CHECK_TEXT(log.text, "");
    test_log_close(&log);
}

int main(void) {
    RUN(every_connector_and_load_conforms);
    RUN(every_force_on_coordinates_conforms);
    RUN(a_torsional_spring_counts_turns);
    RUN(an_actuator_keeps_its_limit);
    RUN(energies_of_functions_are_their_integrals);
    return test_end();
}
